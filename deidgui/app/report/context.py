"""The context of a release in its report: what was said, what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

from deidgui.app.determination.context_words import (
    ATTACKS,
    FIELDS,
    LEVEL_WORDS,
    RELEASES,
    answer_words,
    relevance_words,
)
from deidgui.app.entered import signature_words
from deidgui.app.report.blocks import Block, Paragraph, ReportTable, Section, Terms
from deidgui.app.report.plain import looser_caution, overall_text
from deidgui.engine.determination import MATRICES, threshold_text
from deidgui.engine.evidence.document import Context, Evidence
from deidgui.engine.evidence.entered import Entered
from deidgui.text import Text, per_cent, tr


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
        left = ", ".join(map(_short, stated.open))
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
    if rows := _said(stated):
        blocks.append(Terms(rows))
    if stated.attempts:
        blocks.append(_attacks(stated))
        words = tr(
            "The probability of an attempt is a judgement by the answers of people, "
            "not a measured frequency. The overall risk is its product with the "
            "risk in the data; it is not the chance that a given person is "
            "re-identified."
        )
        blocks.append(Paragraph(words))
    if has_answers:
        blocks += _answers(stated, of_invasion=False)
    return Section(tr("Context"), tuple(blocks))


def overall_threshold_blocks(
    stated: Context | None, *, has_answers: bool
) -> Iterator[Block]:
    """Invasion of privacy, the threshold of the overall risk, and what it allows."""
    if stated is None:
        return
    invasion = _level(stated.invasion)
    if stated.points is not None:
        of_16 = tr("{points} of 16 points", points=stated.points)
        invasion = f"{invasion} ({of_16})"
    if words := looser_caution(stated):
        yield Paragraph(words, "caution")
    yield Terms(
        (
            (tr("Invasion of privacy"), invasion),
            (tr("Largest overall risk"), _threshold(stated)),
            (tr("Allowed risk in the data"), _limit(stated)),
        )
    )
    if stated.threshold is not None:
        words = tr(
            "9\u202f% and 33\u202f% are the usual names of 1 in 11 and 1 in 3, which "
            "are 9.09\u202f% and 33.33\u202f%. No law sets any of these limits."
        )
        yield Paragraph(words)
    if has_answers:
        yield from _answers(stated, of_invasion=True)


def _threshold(stated: Context) -> str:
    """Threshold of the overall risk, and where it comes from."""
    if stated.threshold is None:
        return tr(_NOT_SAID)
    words = threshold_text(stated.threshold)
    if stated.own_threshold is None:
        return tr(
            "{threshold}: what the guidelines of Ontario (2016), after El Emam (2013), "
            "name for this level of invasion of privacy",
            threshold=words,
        )
    if stated.own_threshold_because:
        words = f"{words}: {stated.own_threshold_because}"
    return _signed(stated, words, "threshold", "threshold_because")


def _short(name: str) -> str:
    """Name what is open: a field by its words, a question by its key."""
    return tr(FIELDS[name]) if name in FIELDS else name


_NOT_SAID: Text = "not stated"


def recipient_rows(stated: Context | None) -> Iterator[tuple[str, str]]:
    """Recipient and setting, the attack that decides, and its risk, in a line each."""
    if stated is None or stated.release is None:
        yield tr("Recipient and setting"), tr(_NOT_SAID)
        return
    who = stated.recipient.strip()
    if stated.release == "public":
        who = who or tr("anybody")
    release = tr(RELEASES[stated.counts_as or stated.release])
    setting = f"{who or tr(_NOT_SAID)} ({release[0].lower()}{release[1:]})"
    if stated.controls is not None:
        controls = tr(LEVEL_WORDS[stated.controls])
        setting = tr("{setting}; controls {level}", setting=setting, level=controls)
    yield tr("Recipient and setting"), setting
    counted = {
        name: risk
        for name, risk in stated.overall.items()
        if name not in stated.attacks or not stated.attacks[name].is_excluded
    }
    if counted and stated.threshold is not None:
        name = max(counted, key=lambda each: counted[each])
        words = tr(
            "{name} {attack}: overall risk {overall}, threshold {limit}",
            name=name,
            attack=tr(ATTACKS[name]),
            overall=overall_text(counted[name]),
            limit=threshold_text(stated.threshold),
        )
        yield tr("Attack that decides"), words


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
    rows = (
        (tr("Controls"), _level(stated.controls, stated.score)),
        (tr("Motives and capacity"), _level(stated.motives)),
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
    )
    if stated.release != "public":
        return rows
    # Of anybody nothing is asked: what nobody has to say is not called open.
    return tuple(row for row in rows if row[1] != none)


def _level(level: str | None, score: float | None = None) -> str:
    if level is None:
        return tr(_NOT_SAID)
    words = tr(LEVEL_WORDS[level])
    return words if score is None else f"{words} ({score:.1f} / 100)"


def _limit(stated: Context) -> str:
    if stated.limit is None:
        return tr(_NOT_SAID)
    limit = threshold_text(stated.limit)
    attempt = stated.attempt or 0.0
    if stated.threshold is not None and stated.threshold < attempt < 1:
        limit = tr(
            "{threshold} ÷ {attempt} (overall risk ÷ probability of an attempt) = "
            "{limit}",
            threshold=per_cent(stated.threshold),
            attempt=per_cent(attempt),
            limit=limit,
        )
    if stated.measure == "average":
        return tr("{limit} on average, 33\u202f% (1 in 3) for each record", limit=limit)
    return tr("{limit} for each record", limit=limit)


def _attacks(stated: Context) -> ReportTable:
    """Probability and overall risk by attack, and whether it counts."""
    rows = tuple(
        (
            f"{name} {tr(ATTACKS[name])}" if name in ATTACKS else name,
            tr(_NOT_SAID) if each is None else per_cent(each),
            overall_text(stated.overall[name]) if name in stated.overall else "–",
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
    return ReportTable(header, rows, (0.28, 0.17, 0.15, 0.4), (1, 2))


def _answers(stated: Context, *, of_invasion: bool) -> Iterator[Block]:
    """Answers on invasion of privacy (P1 to P8), or all others."""
    rows = tuple(
        (
            f"{key}. {each.question}",
            answer_words(key, each.answer),
            each.proof or "–",
            signature_words(each.by, each.on),
        )
        for key, each in stated.answers.items()
        if key.startswith("P") == of_invasion
    )
    if rows:
        words = tr("These answers were entered by people; the program checked none.")
        yield Paragraph(words)
        header = (tr("Question"), tr("Answer"), tr("Proof"), tr("Answered by"))
        yield ReportTable(header, rows, (0.45, 0.15, 0.2, 0.2))
