"""What has changed since an earlier release, in words: for window and report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.evidence.document import ColumnDrift, Drift
    from deidgui.engine.risk import drift as limits
else:
    # PERF: a command that is refused needs no engine.
    limits = LazyModule("deidgui.engine.risk.drift")

_NAMED, _WIDE = 10, 60
"""Columns that one reason names, and letters of each."""

Rows = tuple[tuple[str, ...], ...]


def trigger_words(drift: Drift, kind: str) -> str:
    """Say what was measured of a trigger that is met."""
    if kind == "extract":
        return tr("The input files are not those of the earlier release.")
    if kind == "policy":
        return tr(
            "Columns, roles, levels, joined values or conditions are not those of the "
            "earlier release."
        )
    if kind == "people":
        return tr(
            "{now:person or record is|people or records are} released, {before} "
            "before: a change of more than a tenth.",
            now=drift.people,
            before=drift.people_before,
        )
    found = []
    large = limits.REDO
    if moved := [each for each in drift.columns if (each.stability or 0.0) > large]:
        words = tr(
            "The distribution has changed (stability index above 0.25): {n}.",
            n=_named(moved),
        )
        found.append(words)
    if others := [each for each in drift.columns if not each.comparable]:
        found.append(tr("Distributions cannot be compared: {n}.", n=_named(others)))
    return " ".join(found)


def _named(columns: list[ColumnDrift]) -> str:
    """Name columns with their index, as many as a reason has room for."""
    names = ", ".join(
        tr("{name} ({index})", name=e.attribute[:_WIDE], index=index_text(e))
        for e in columns[:_NAMED]
    )
    if len(columns) <= _NAMED:
        return names
    return tr("{names} and {n} more", names=names, n=len(columns) - _NAMED)


def index_text(column: ColumnDrift) -> str:
    """Write a stability index."""
    return "–" if column.stability is None else f"{column.stability:.4f}"


def drift_heads() -> tuple[str, ...]:
    """Heads of the table of `drift_rows`."""
    return (tr("Column"), tr("Stability index"), tr("Verdict"))


def drift_rows(drift: Drift) -> Rows:
    """How far each quasi-identifier has moved."""
    return tuple((e.attribute, index_text(e), _verdict(e)) for e in drift.columns)


def _verdict(column: ColumnDrift) -> str:
    if column.stability is None and any(column.rest):
        return tr("too many rare labels: not comparable")
    if column.stability is None:
        return tr("other level: not comparable")
    if column.stability > limits.REDO:
        return tr("CHANGED: decided anew")
    if column.stability > limits.LOOK:
        return tr("an expert looks at it")
    return tr("as before")


def drift_words(drift: Drift) -> str:
    """Say with what was compared, and by which convention."""
    return tr(
        "Compared with the release whose evidence has the SHA-256 {digest}. The "
        "stability index adds (q − p)·ln(q / p) over the released labels, p their "
        "share before and q now. Above 0.1 an expert looks, above 0.25 the "
        "determination is made anew: a convention, of no regulator. Labels that fewer "
        "than 5 records have in one of the releases are joined; with more than a tenth "
        "of the records among these a column cannot be compared. After each change "
        "that is listed here somebody has decided anew.",
        digest=drift.earlier,
    )
