"""What outsiders may know of columns, in words: for window, commands and report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deidgui.engine.evidence.document import ColumnPrinciples, Distinguishability
from deidgui.text import Text, share_text, tr

Rows = tuple[tuple[str, ...], ...]

_LOW: Text = "low"
_MEDIUM: Text = "medium"
_HIGH: Text = "high"
DEGREES: Mapping[str, Text] = {"low": _LOW, "medium": _MEDIUM, "high": _HIGH}

_NOBODY: Text = "nobody outside"
_RECIPIENT: Text = "the recipient"
_ACQUAINTANCES: Text = "acquaintances"
_ANYBODY: Text = "anybody"
CIRCLES: Mapping[str, Text] = {
    "nobody": _NOBODY,
    "recipient": _RECIPIENT,
    "acquaintances": _ACQUAINTANCES,
    "anybody": _ANYBODY,
}
"""Who can know a value of a person: the widest circle."""

_REPLICABILITY: Text = "Replicability"
_AVAILABILITY: Text = "Availability"
_KNOWABLE: Text = "Knowable by"
_SOURCES: Text = "Sources"
_BECAUSE: Text = "Why no quasi-identifier"
_BY: Text = "Who says it"
FIELDS: Mapping[str, Text] = {
    "replicability": _REPLICABILITY,
    "availability": _AVAILABILITY,
    "knowable_by": _KNOWABLE,
    "sources": _SOURCES,
    "because": _BECAUSE,
    "by": _BY,
}

_REPLICABLE: Text = "How far a value stays the same each time that it is recorded."
_AVAILABLE: Text = "How easily somebody gets the value together with a name."
_CIRCLE: Text = "Widest circle of those who can know it of a person."
_WHERE: Text = "Where the value stands with a name."
_WHY: Text = "Why the column is released and is no quasi-identifier."
MEANINGS: Mapping[str, Text] = {
    "replicability": _REPLICABLE,
    "availability": _AVAILABLE,
    "knowable_by": _CIRCLE,
    "sources": _WHERE,
    "because": _WHY,
}


def value_words(name: str, value: str | None) -> str:
    """Say what was chosen of a field; empty if nothing was."""
    if not value:
        return ""
    words = CIRCLES if name == "knowable_by" else DEGREES
    return tr(words[value]) if value in words else value


def apart_words(found: Distinguishability | None) -> str:
    """How far a column tells people apart, alone and with another."""
    if found is None:
        return ""
    words = tr(
        "{alone} alone; tells {pairs} of the pairs of rows apart",
        alone=share_text(found.alone),
        pairs=share_text(found.separation),
    )
    if found.pair_alone is None or found.pair_with is None:
        return words
    return tr(
        "{words}; {share} alone with {column}",
        words=words,
        share=share_text(found.pair_alone),
        column=found.pair_with,
    )


def principle_heads() -> tuple[str, ...]:
    """Heads of the table of `principle_rows`."""
    return (
        tr("Column"),
        tr("Replicability"),
        tr("Availability"),
        tr("Knowable by"),
    )


def principle_rows(stated: Sequence[ColumnPrinciples]) -> Rows:
    """What was said of each column; what is open is marked."""
    none = tr("OPEN")
    return tuple(
        (
            each.attribute,
            value_words("replicability", each.replicability) or none,
            value_words("availability", each.availability) or none,
            value_words("knowable_by", each.knowable_by) or none,
        )
        for each in stated
    )


def apart_heads() -> tuple[str, ...]:
    """Heads of the table of `apart_rows`."""
    return (
        tr("Column"),
        tr("Table"),
        tr("Alone"),
        tr("Pairs told apart"),
        tr("Alone with one more"),
        tr("Which"),
    )


def apart_rows(
    stated: Sequence[ColumnPrinciples], released: Iterable[Distinguishability]
) -> Rows:
    """How far each column tells people apart, in the input and as it is released.

    Parameters
    ----------
    released : iterable of Distinguishability
        Of the quasi-identifiers as they are released.
    """
    after = {each.attribute: each for each in released}
    rows: list[tuple[str, ...]] = []
    for each in stated:
        rows.append((each.attribute, tr("input"), *_apart(each.input)))
        if each.attribute in after:
            rows.append((each.attribute, tr("release"), *_apart(after[each.attribute])))
        elif each.role == "quasi_identifier":
            none = (tr("not measured"), "–", "–", "–")
            rows.append((each.attribute, tr("release"), *none))
    return tuple(rows)


def _apart(found: Distinguishability | None) -> tuple[str, ...]:
    """Figures of `apart_rows`: a share of none names no column."""
    if found is None:
        return ("–",) * 4
    with_one = "–" if found.pair_alone is None else share_text(found.pair_alone)
    which = (found.pair_with or "–") if found.pair_alone else "–"
    return share_text(found.alone), share_text(found.separation), with_one, which


def reason_heads() -> tuple[str, ...]:
    """Heads of the table of `reason_rows`."""
    return (
        tr("Column"),
        tr("Sources"),
        tr("Why no quasi-identifier"),
        tr("Said by"),
    )


def reason_rows(stated: Sequence[ColumnPrinciples]) -> Rows:
    """Where values stand with a name, why a column is none, and who said it."""
    return tuple(
        (
            each.attribute,
            each.sources or "–",
            _because(each),
            _signed(each),
        )
        for each in stated
    )


def _because(each: ColumnPrinciples) -> str:
    if each.role == "quasi_identifier":
        return tr("it is one")
    return each.because or tr("OPEN")


def _signed(each: ColumnPrinciples) -> str:
    said = ", ".join(filter(None, (each.by, each.on)))
    if not said:
        return tr("OPEN")
    if each.is_proposal:
        return tr("{name}, accepting the proposal", name=said)
    return said


def open_words(stated: Sequence[ColumnPrinciples]) -> str:
    """Say how many columns are not complete; empty if all are."""
    left = [each.attribute for each in stated if each.open]
    if not left:
        return ""
    return tr(
        "INCOMPLETE: something is open of {n} of {all:column|columns}: {names}.",
        n=len(left),
        all=len(stated),
        names=", ".join(left),
    )
