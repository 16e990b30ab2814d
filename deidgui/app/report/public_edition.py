"""What a public edition of the report shows of what people typed, and what not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from deidgui.app.report.blocks import (
    Block,
    Bullets,
    Paragraph,
    ReportTable,
    Section,
    Terms,
)
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import Criteria, Evidence, canonical_json
from deidgui.engine.evidence.unchecked import Place, is_at, leaves
from deidgui.text import Text, tr

SHOWN = (
    *("title", "context.recipient", "context.purpose"),
    *("context.agreement.reference", "validity.in_charge", "validity.contact"),
    *("dossier.entries.source.text", "dossier.entries.period.text"),
    *("dossier.entries.published.text", "outputs.*.name"),
)
"""Typed texts that a public edition shows: half a page for the public (D12) is made of
them. Whoever enters them is told so."""

_NAMES = (
    *("thresholds.set_by", "notes_signed.by", "questions.*.by", "overruled.*.by"),
    *("context.answers.*.by", "context.attacks.*.by", "context.signed.*.by"),
    *("principles.*.by", "validity.signed.*.by", "validity.periods.*.by"),
    *("validity.periods.*.after.*.by", "dossier.entries.*.by"),
    *("dossier.columns.*.*.by", "dossier.not_applying.*.by"),
    *("dossier.intruder_tests.*.by", "dossier.intruder_tests.*.tried_by"),
    *("criteria.compared.*.by", "criteria.held_out.by", "drift.by"),
    "audit.signed.by",
)
_TEXTS = (
    *("notes", "thresholds.justification", "questions.*.because"),
    *("overruled.*.because", "context.agreement.parties", "context.prevalence_of"),
    *("context.breach_source", "context.own_threshold_because"),
    *("context.answers.*.proof", "context.attacks.*.because"),
    *("principles.*.sources", "principles.*.because", "validity.conditions"),
    *("validity.periods.*.because", "validity.periods.*.after.*.because"),
    *("dossier.entries.*.text", "dossier.columns.*.*.text"),
    *("dossier.not_applying.*.text", "dossier.intruder_tests.*.tested"),
    *("dossier.intruder_tests.*.sources", "inputs.*.member"),
    *("audit.because", "inputs.*.sheet"),
)
_FILES = "inputs.*.file"
_NO_NAME: Text = "name not shown"
_NO_TEXT: Text = "[in the confidential edition]"

AnyEvidence = TypeVar("AnyEvidence", Evidence, CountsEvidence)


def for_public(evidence: AnyEvidence) -> AnyEvidence:
    """Return the evidence as a public edition tells it.

    PRIVACY: whatever people type can name somebody, and files are often called after
    people and places. Only what is meant to be published is shown (`SHOWN`); of all
    else it is said that it stands in the confidential edition. That something is
    signed, and on which day, stays.
    """
    fields = evidence.model_dump(mode="json")
    for place in list(leaves(fields)):
        if any(is_at(place, each) for each in SHOWN):
            continue
        if is_at(place, _FILES):
            _leave_out(fields, place, tr("input {n}", n=int(place[1]) + 1))
        elif any(is_at(place, each) for each in _NAMES):
            _leave_out(fields, place, tr(_NO_NAME))
        elif any(is_at(place, each) for each in _TEXTS):
            _leave_out(fields, place, tr(_NO_TEXT))
    fields["warnings"] = list(_warnings(evidence))
    content = canonical_json(fields)
    found = type(evidence).model_validate_json(content, strict=True)
    if isinstance(found, CountsEvidence) or found.criteria is None:
        return found
    return found.model_copy(update={"criteria": _criteria(found.criteria)})


def _warnings(evidence: Evidence | CountsEvidence) -> Iterator[str]:
    """Warnings without the reasons that people gave."""
    if isinstance(evidence, CountsEvidence):
        reasons = [each.because for each in evidence.questions]
        if evidence.audit is not None and evidence.audit.because:
            reasons.append(evidence.audit.because)
        for words in evidence.warnings:
            # The longest first: one may end with another.
            said = sorted(filter(words.endswith, reasons), key=len)[-1:]
            for reason in said:
                words = words.removesuffix(reason) + tr(_NO_TEXT)
            yield words
        return
    # What is overruled leads the warnings, with its reason.
    n = len(evidence.overruled)
    for words, each in zip(evidence.warnings[:n], evidence.overruled, strict=True):
        yield words.replace(each.because, tr(_NO_TEXT))
    yield from evidence.warnings[n:]


def _leave_out(fields: Any, place: Place, words: str) -> None:
    """Put words in the place of a text; what is empty stays empty."""
    *steps, last = place
    for each in steps:
        fields = fields[each]
    if isinstance(fields[last], str) and fields[last].strip():
        fields[last] = words


def _criteria(found: Criteria) -> Criteria:
    """Number the tables that were compared, instead of naming them."""
    counts: Counter[str] = Counter()
    compared = []
    for each in found.compared:
        counts[each.kind] += 1
        n = counts[each.kind]
        is_register = each.kind == "register"
        name = tr("register {n}", n=n) if is_register else tr("release {n}", n=n)
        compared.append(each.model_copy(update={"name": name}))
    held_out = found.held_out
    if held_out is not None and held_out.sha256 is not None:
        said = {"name": tr("people not released")}
        held_out = held_out.model_copy(update=said)
    reasons = dict(_reasons(found))
    changes = {"compared": tuple(compared), "not_measured": reasons}
    return found.model_copy(update={**changes, "held_out": held_out})


def _reasons(found: Criteria) -> Iterator[tuple[str, str]]:
    n = 0
    for key, reason in found.not_measured.items():
        if key.startswith("compared:"):
            n += 1
            yield f"compared:{tr('other table {n}', n=n)}", reason
        else:
            yield key, reason


# -- what is left out, said once -------------------------------------------------------


def summed_up(sections: Sequence[Section]) -> Iterator[Section]:
    """Leave the gaps out of a part, and say at the end of its first section how many.

    Parameters
    ----------
    sections : sequence of Section
        Of one part, made of what `for_public` returns; at least one.
    """
    gone: list[str] = []
    first, *others = (
        replace(each, blocks=tuple(_without_gaps(each.blocks, gone)))
        for each in sections
    )
    if gone:
        words = Paragraph(_left_out_words(gone))
        first = replace(first, blocks=(*first.blocks, words))
    yield from (each for each in (first, *others) if each.blocks)


def _without_gaps(blocks: Sequence[Block], gone: list[str]) -> Iterator[Block]:
    """Blocks without what is nothing but a gap, which is added to what is gone."""
    for block in blocks:
        match block:
            case Terms():
                gone += [text for _, text in block.rows if tr(_NO_TEXT) in text]
                rows = [row for row in block.rows if not _begins_with_gap(row[1])]
                if rows:
                    yield Terms(
                        tuple((term, _without_gap(text)) for term, text in rows)
                    )
            case ReportTable():
                yield _narrowed(block, gone)
            case Paragraph():
                yield replace(block, text=with_place(block.text))
            case Bullets():
                yield Bullets(tuple(map(with_place, block.items)))
            case _:
                yield block


def with_place(text: str) -> str:
    """Name the other edition where a sentence goes on with what is left out."""
    return text.replace(tr(_NO_TEXT), tr("in the confidential edition"))


def _without_gap(text: str) -> str:
    """Text of a line without what is left out of it, and without its punctuation."""
    gap = re.escape(tr(_NO_TEXT))
    around = rf"\s*\({gap}\)|{gap}, |[:;.]\s*{gap}|{gap}[.;]?\s*"
    return re.sub(around, "", text)


def _begins_with_gap(text: str) -> bool:
    gap = tr(_NO_TEXT)
    return text.startswith((gap, tr("does not apply: {reason}", reason=gap)))


def _is_gap(cell: str) -> bool:
    left = cell.replace(tr(_NO_TEXT), "")
    return left != cell and not left.strip(" .,;\n")


def _narrowed(table: ReportTable, gone: list[str]) -> ReportTable:
    """Leave out columns of which nothing else is left; a single gap is “stated”."""
    n_gaps = sum(tr(_NO_TEXT) in cell for row in table.rows for cell in row)
    if not n_gaps:
        return table
    gone += [""] * n_gaps
    columns = list(zip(*table.rows, strict=True))
    kept = [
        at
        for at, cells in enumerate(columns)
        if not any(map(_is_gap, cells))
        or not all(e == "–" or _is_gap(e) for e in cells)
    ]
    whole = sum(table.widths[at] for at in kept)
    return replace(
        table,
        header=tuple(table.header[at] for at in kept),
        rows=tuple(
            tuple(
                tr("stated") if _is_gap(row[at]) else _without_gap(row[at])
                for at in kept
            )
            for row in table.rows
        ),
        widths=tuple(table.widths[at] / whole for at in kept),
        right=tuple(kept.index(at) for at in table.right if at in kept),
        parts=None if table.parts is None else kept.index(table.parts),
    )


def _left_out_words(gone: Sequence[str]) -> str:
    """Say how many texts are left out, and on which days they were signed."""
    days = sorted({day for text in gone for day in _DAY.findall(text)})
    if not days:
        return tr(
            "{n:text|texts} of this part: in the confidential edition only.",
            n=len(gone),
        )
    when = tr("on {day}", day=days[0])
    if len(days) > 1:
        when = tr("between {first} and {last}", first=days[0], last=days[-1])
    return tr(
        "{n:text|texts} of this part, signed {when}: in the confidential edition only.",
        n=len(gone),
        when=when,
    )


_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=[);])")
"""The day of a signature; an agreement has other days before it."""
