"""How many records have a year of birth that shows an age over 89?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from deidgui.engine.arrays import FloatArray
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.roles import Finding, Reason, Topic

_YEAR = (
    r"(?:^|[^0-9])((?:1[89]|20)[0-9]{2})(?:$|[^0-9])|^((?:1[89]|20)[0-9]{2})[0-9]{4}$"
)
_TELLING_AGE = 90
_EVENTS = (Topic.DATE, Topic.YEAR)
_BIRTHS = "because_birth"


def note_old_births(table: Table, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Add to births how many show an age over 89 (methods G.4).

    The age is that at the latest year of any date in the table; years of two
    digits are left out.

    Parameters
    ----------
    findings : sequence of Finding
        One per column, in the order of the table.
    """
    births = [f for f in findings if f.reasons[0].code == _BIRTHS]
    if not births:
        return tuple(findings)
    dated = [f.column for f in findings if f.topic in _EVENTS or f in births]
    latest = max((_latest(table.column(name)) for name in dated), default=0)
    return tuple(
        _noted(table.column(each.column), each, latest) if each in births else each
        for each in findings
    )


def _years(column: Column) -> FloatArray:
    """Year in each distinct text, NaN without one."""
    texts = column.values.str.strip_chars()
    years = texts.str.extract(_YEAR, 1).fill_null(texts.str.extract(_YEAR, 2))
    return years.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _latest(column: Column) -> int:
    years = _years(column)[column.counts > 0]
    known = years[years == years]
    return int(known.max()) if len(known) else 0


def _noted(column: Column, finding: Finding, latest: int) -> Finding:
    old = _years(column) <= latest - _TELLING_AGE
    n_records = int(column.counts[old].sum())
    if not n_records:
        return finding
    note = Reason(
        "evidence_born_long_ago", {"n_records": n_records, "year": str(latest)}
    )
    return replace(finding, reasons=(*finding.reasons, note))
