"""Until when a determination holds, in the report of a release."""

from __future__ import annotations

from collections.abc import Iterator

from deidgui.app.determination.validity_words import ITEMS, TRIGGERS
from deidgui.app.entered import signed_words
from deidgui.app.report.blocks import (
    Block,
    Bullets,
    Paragraph,
    ReportTable,
    Section,
    Terms,
)
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import Evidence, Validity
from deidgui.engine.evidence.entered import Entered, Period
from deidgui.text import Text, tr

_NOT_SAID: Text = "not stated"


def validity_section(evidence: Evidence | CountsEvidence) -> Section | None:
    """Period, conditions, who watches; None if nothing was said of it."""
    stated = evidence.validity
    if stated is None:
        return None
    blocks: list[Block] = []
    if stated.open:
        left = ", ".join(tr(ITEMS[name]) for name in stated.open if name in ITEMS)
        words = tr("INCOMPLETE: nobody has said: {left}.", left=left)
        blocks.append(Paragraph(words, "caution"))
    if words := held_words(evidence):
        blocks.append(Paragraph(words))
    blocks.append(Terms(_said(stated)))
    words = tr("This was entered by people; the program checked none of it.")
    blocks.append(Paragraph(words))
    if stated.periods:
        blocks.append(_periods(stated))
    words = tr(
        "Nothing more is released after the end, or once one of these is met, until "
        "somebody decides anew. That the time has passed does not make data "
        "identifiable that are already with a recipient; what to do with them is a "
        "question to the expert."
    )
    blocks += [Paragraph(words), Bullets(tuple(map(tr, TRIGGERS.values())))]
    return Section(tr("Validity"), tuple(blocks))


def held_words(evidence: Evidence | CountsEvidence) -> str:
    """Until when the determination holds, if there is one; empty if nobody said so."""
    stated = evidence.validity
    words = stated.words if stated is not None else ""
    dossier = evidence.dossier if isinstance(evidence, Evidence) else None
    if words and (dossier is None or dossier.lacking):
        return tr(
            "There is no determination yet. When there is one: {words}", words=words
        )
    return words


def validity_rows(stated: Validity | None) -> Iterator[tuple[str, str]]:
    """From when until when, and what it supersedes."""
    if stated is None or not stated.periods:
        yield tr("Valid"), tr(_NOT_SAID)
        return
    *earlier, last = stated.periods
    words = tr(
        "{begins} until {ends}, on the conditions of D11, or until one of the events "
        "that it lists",
        begins=last.begins,
        ends=stated.ends or last.ends,
    )
    yield tr("Valid"), words
    if earlier:
        words = tr("{n:earlier decision|earlier decisions} (D11)", n=len(earlier))
        yield tr("Supersedes"), words


def kept_words(stated: Validity | None) -> str:
    """Until when the dossier is kept at least, as far as it follows from the end."""
    if stated is None or stated.kept_until is None:
        return tr("not known: nobody has decided how long the determination holds")
    return tr(
        "{day}: six years after the last day on which it holds. This is a proposal of "
        "the program after HIPAA, 45 CFR 164.530(j), which is NOT CHECKED; other rules "
        "may ask for longer.",
        day=stated.kept_until,
    )


def _said(stated: Validity) -> tuple[tuple[str, str], ...]:
    none = tr(_NOT_SAID)
    months = ""
    if stated.review_months is not None:
        months = str(stated.review_months)
    values = {
        "conditions": stated.conditions,
        "in_charge": stated.in_charge,
        "review_months": months,
        "contact": stated.contact,
    }
    return tuple(
        (tr(ITEMS[name]), _signed(stated, name, value) if value else none)
        for name, value in values.items()
    )


def _signed(stated: Validity, name: str, value: str) -> str:
    by = stated.signed.get(name, Entered())
    return signed_words(value, by.by, by.on)


def _periods(stated: Validity) -> ReportTable:
    """Every decision, the one that counts first."""
    *earlier, last = stated.periods
    rows = [_row(last, tr("counts"))]
    rows += [_row(each, tr("superseded")) for each in reversed(earlier)]
    header = (tr("From"), tr("Until"), tr("State"), tr("Reason"), tr("Decided by"))
    return ReportTable(header, tuple(rows), (0.16, 0.16, 0.15, 0.31, 0.22))


def _row(period: Period, state: str) -> tuple[str, ...]:
    reasons = [f"{period.because.rstrip('.')}."] if period.because else []
    reasons += [
        tr(
            "After {day}: {trigger}. {words}",
            day=each.on,
            trigger=tr(TRIGGERS[each.kind]),
            words=signed_words(each.because, each.by, each.on),
        )
        for each in period.after
    ]
    by = f"{period.by}, {period.on}"
    return (period.begins, period.ends, state, " ".join(reasons) or "–", by)
