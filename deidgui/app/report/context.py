"""The context of a release in its report: what was said, what follows from it."""

from __future__ import annotations

from deidgui.app.context_words import (
    ATTACKS,
    LEVEL_WORDS,
    RELEASES,
    answer_words,
    relevance_words,
)
from deidgui.app.entered import signature_words
from deidgui.app.report.blocks import Block, Paragraph, Section, Table, Terms
from deidgui.engine.determination import MATRICES, threshold_text
from deidgui.engine.evidence.document import Context, Entered, Evidence
from deidgui.text import Text, per_cent, share_text, tr


def recipient_section(evidence: Evidence) -> Section | None:
    """Recipient, purpose and agreement; None if nothing was said about the context."""
    if evidence.context is None:
        return None
    words = tr("This was entered by people; the program checked none of it.")
    blocks = (Terms(_who(evidence.context)), Paragraph(words))
    return Section(tr("Recipient and purpose"), blocks)


def context_section(evidence: Evidence, *, has_answers: bool = True) -> Section | None:
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
    if unsigned := [key for key, each in stated.answers.items() if not each.is_signed]:
        words = tr(
            "INCOMPLETE: nobody has signed {n:answer|answers}: {names}.",
            n=len(unsigned),
            names=", ".join(unsigned),
        )
        blocks.append(Paragraph(words, "caution"))
    if stated.words:
        blocks.append(Paragraph(stated.words))
    blocks.append(Terms(_said(stated)))
    if stated.attempts:
        blocks.append(_attacks(stated))
        words = tr(
            "The probability of an attempt is a judgement by the answers of people, "
            "not a measured frequency. The overall risk is its product with the "
            "risk in the data; it is not the chance that a given person is "
            "re-identified."
        )
        blocks.append(Paragraph(words))
    if stated.answers and has_answers:
        words = tr("These answers were entered by people; the program checked none.")
        blocks += [Paragraph(words), _answers(stated)]
    return Section(tr("Context"), tuple(blocks))


_NOT_SAID: Text = "not stated"


def _who(stated: Context) -> tuple[tuple[str, str], ...]:
    agreement = stated.agreement
    dates = " – ".join(filter(None, (agreement.begins, agreement.ends)))
    parts = (agreement.reference, agreement.parties, dates)
    release = tr(RELEASES[stated.counts_as]) if stated.counts_as else ""
    if stated.counts_as != stated.release:
        release = tr("{release}: no agreement binds the recipient", release=release)
    said = [f"agreement.{name}" for name, value in agreement if value]
    agreed = "; ".join(filter(None, parts))
    rows = [
        (tr("Release"), _signed(stated, release, "release")),
        (tr("Recipient by name"), _signed(stated, stated.recipient, "recipient")),
        (tr("Purpose"), _signed(stated, stated.purpose, "purpose")),
        (tr("Agreement"), _signed(stated, agreed, *said)),
    ]
    if stated.release == "public" and not stated.recipient.strip():
        rows[1] = (tr("Recipient"), tr("anybody"))
    if stated.release == "public" and not agreed:
        rows.pop()
    return tuple(rows)


def _signed(stated: Context, text: str, *names: str) -> str:
    """What was entered, and by whom and when each field of it."""
    if not text.strip():
        return tr(_NOT_SAID)
    entered = [stated.signed.get(name, Entered()) for name in names]
    by = dict.fromkeys(signature_words(each.by, each.on) for each in entered)
    return f"{text} ({'; '.join(by)})"


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
        sources = ("breach_rate", "breach_source", "breach_year")
        breach = _signed(stated, breach, *sources)
    prevalence = none
    if stated.prevalence is not None:
        basis = stated.prevalence_of or none
        prevalence = f"{per_cent(stated.prevalence)} ({basis})"
        prevalence = _signed(stated, prevalence, "prevalence", "prevalence_of")
    threshold = none
    if stated.threshold is not None:
        threshold = threshold_text(stated.threshold)
        if stated.own_threshold_because:
            threshold = f"{threshold}: {stated.own_threshold_because}"
            own = ("threshold", "threshold_because")
            threshold = _signed(stated, threshold, *own)
    rows = (
        (tr("Controls"), _level(stated.controls, stated.score)),
        (tr("Motives and capacity"), _level(stated.motives)),
        (tr("Invasion of privacy"), _level(stated.invasion)),
        (
            tr("Table of probabilities"),
            _signed(stated, tr(matrix.source), "matrix") if matrix else none,
        ),
        (tr("Prevalence"), prevalence),
        (
            tr("Acquaintances of a person"),
            _signed(stated, str(stated.acquaintances or ""), "acquaintances"),
        ),
        (tr("Breach rate"), breach),
        (tr("Largest overall risk"), threshold),
        (tr("Allowed risk in the data"), _limit(stated)),
    )
    if stated.release != "public":
        return rows
    # Of anybody nothing is asked: what nobody has to say is not called open.
    asked = {tr("Invasion of privacy"), tr("Largest overall risk")}
    return tuple(row for row in rows if row[1] != none or row[0] in asked)


def _level(level: str | None, score: float | None = None) -> str:
    if level is None:
        return tr(_NOT_SAID)
    words = tr(LEVEL_WORDS[level])
    return words if score is None else f"{words} ({score:.1f} / 100)"


def _limit(stated: Context) -> str:
    if stated.limit is None:
        return tr(_NOT_SAID)
    limit = threshold_text(stated.limit)
    if stated.measure == "average":
        return tr("{limit} on average, 33 % (1 in 3) for each record", limit=limit)
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
            signature_words(each.by, each.on),
        )
        for key, each in stated.answers.items()
    )
    header = (tr("Question"), tr("Answer"), tr("Proof"), tr("Answered by"))
    return Table(header, rows, (0.45, 0.15, 0.2, 0.2))
