"""The context of a release in its report: what was said, what follows from it."""

from __future__ import annotations

from deidgui.app.context_words import (
    ATTACKS,
    LEVEL_WORDS,
    RELEASES,
    answer_words,
    limit_text,
    relevance_words,
)
from deidgui.app.report.blocks import Block, Paragraph, Section, Table, Terms
from deidgui.engine.determination import MATRICES, threshold_text
from deidgui.engine.evidence.document import Context, Evidence
from deidgui.text import Text, per_cent, share_text, tr


def recipient_section(evidence: Evidence) -> Section | None:
    """Recipient, purpose and agreement; None if nothing was said about the context."""
    if evidence.context is None:
        return None
    words = tr("This was entered by people; the program checked none of it.")
    blocks = (Terms(_who(evidence.context)), Paragraph(words))
    return Section(tr("Recipient and purpose"), blocks)


def context_section(evidence: Evidence) -> Section | None:
    """Attacks and answers; None if nothing was said about the context."""
    stated = evidence.context
    if stated is None:
        return None
    blocks: list[Block] = []
    if stated.open:
        left = ", ".join(stated.open)
        words = tr(
            "INCOMPLETE: {said} of {asked:answer|answers} given. Open: {left}. What is "
            "open is not assumed, and no limit follows.",
            said=stated.asked - len(stated.open),
            asked=stated.asked,
            left=left,
        )
        blocks.append(Paragraph(words, "caution"))
    if stated.words:
        blocks.append(Paragraph(stated.words))
    blocks.append(Terms(_said(stated)))
    if stated.attempts:
        blocks.append(_attacks(stated))
        words = tr(
            "The probability of an attempt is a judgement by the answers below, not a "
            "measured frequency. The overall risk is its product with the risk in the "
            "data; it is not the chance that a given person is re-identified."
        )
        blocks.append(Paragraph(words))
    if stated.answers:
        words = tr("These answers were entered by people; the program checked none.")
        blocks += [Paragraph(words), _answers(stated)]
    return Section(tr("Context"), tuple(blocks))


_NOT_SAID: Text = "not stated"


def _who(stated: Context) -> tuple[tuple[str, str], ...]:
    none = tr(_NOT_SAID)
    agreement = stated.agreement
    dates = " – ".join(filter(None, (agreement.begins, agreement.ends)))
    parts = (agreement.reference, agreement.parties, dates)
    release = tr(RELEASES[stated.counts_as]) if stated.counts_as else none
    if stated.counts_as != stated.release:
        release = tr("{release}: no agreement binds the recipient", release=release)
    return (
        (tr("Release"), release),
        (tr("Recipient by name"), stated.recipient or none),
        (tr("Purpose"), stated.purpose or none),
        (tr("Agreement"), "; ".join(filter(None, parts)) or none),
    )


def _said(stated: Context) -> tuple[tuple[str, str], ...]:
    none = tr(_NOT_SAID)
    matrix = MATRICES.get(stated.matrix or "")
    breach = none
    if stated.breach_rate is not None:
        breach = tr(
            "{rate} a year ({source}, {year})",
            rate=per_cent(stated.breach_rate),
            source=stated.breach_source or none,
            year=str(stated.breach_year or none),
        )
    prevalence = none
    if stated.prevalence is not None:
        basis = stated.prevalence_of or none
        prevalence = f"{per_cent(stated.prevalence)} ({basis})"
    threshold = none
    if stated.threshold is not None:
        threshold = threshold_text(stated.threshold)
        if stated.own_threshold_because:
            threshold = f"{threshold}: {stated.own_threshold_because}"
    return (
        (tr("Controls"), _level(stated.controls, stated.score)),
        (tr("Motives and capacity"), _level(stated.motives)),
        (tr("Invasion of privacy"), _level(stated.invasion)),
        (tr("Table of probabilities"), tr(matrix.source) if matrix else none),
        (tr("Prevalence"), prevalence),
        (tr("Acquaintances of a person"), str(stated.acquaintances or none)),
        (tr("Breach rate"), breach),
        (tr("Largest overall risk"), threshold),
        (tr("Allowed risk in the data"), _limit(stated)),
    )


def _level(level: str | None, score: float | None = None) -> str:
    if level is None:
        return tr(_NOT_SAID)
    words = tr(LEVEL_WORDS[level])
    return words if score is None else f"{words} ({score:.1f} / 100)"


def _limit(stated: Context) -> str:
    if stated.limit is None:
        return tr(_NOT_SAID)
    limit = limit_text(stated.limit)
    if stated.measure == "average":
        return tr("{limit} on average, 0.33 (1 in 3) for each record", limit=limit)
    return tr("{limit} for each record", limit=limit)


def _attacks(stated: Context) -> Table:
    """Probability and overall risk by attack, and whether it counts."""
    rows = tuple(
        (
            f"{name} {tr(ATTACKS[name])}" if name in ATTACKS else name,
            tr(_NOT_SAID) if each is None else per_cent(each),
            share_text(stated.overall[name]) if name in stated.overall else "–",
            relevance_words(stated.attacks.get(name)),
        )
        for name, each in stated.attempts.items()
    )
    header = (
        tr("Attack"),
        tr("Probability of an attempt"),
        tr("Overall risk"),
        tr("Relevant"),
    )
    return Table(header, rows, (0.28, 0.17, 0.15, 0.4), (1, 2))


def _answers(stated: Context) -> Table:
    rows = tuple(
        (
            f"{key}. {each.question}",
            answer_words(key, each.answer),
            each.proof or "–",
            ", ".join(filter(None, (each.by, each.on))) or "–",
        )
        for key, each in stated.answers.items()
    )
    header = (tr("Question"), tr("Answer"), tr("Proof"), tr("Answered by"))
    return Table(header, rows, (0.45, 0.15, 0.2, 0.2))
