"""How far each column of the input tells people apart, and what was said of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deidgui.app.determination.principles import asked_columns, open_fields
from deidgui.app.project import Attribute, Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.subsets import column_distinction
from deidgui.engine.evidence.document import ColumnPrinciples, Distinguishability
from deidgui.engine.evidence.entered import Principles
from deidgui.monitor import NULL_MONITOR, Monitor

MOST_CELLS = 200_000_000
"""Rows times pairs of columns that are looked at, some seconds; more are too many."""


def distinguish_columns(
    project: Project,
    table: Table,
    people: People | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Distinguishability]:
    """Measure how far each column that is asked about tells people apart.

    Parameters
    ----------
    table : Table
        The input.
    people : People, optional
        Who is counted, where rows belong to people: somebody is alone with a value
        that only their own rows have.

    Returns
    -------
    dict of str to Distinguishability
        By column: alone, and with the quasi-identifier besides which most people are
        alone. Columns that a table of events does not have count as one value there.
    """
    names = set(table.column_names)
    asked = [each for each in asked_columns(project) if each.name in names]
    quasi = [each.name for each in asked if each.role == "quasi_identifier"]

    def coded(each: Attribute) -> tuple[IntArray, int]:
        return _coded(table.column(each.name).with_missing(each.missing))

    # PERF: of quasi-identifiers alone; the codes of all columns would be too many.
    columns = {e.name: coded(e) for e in asked if e.role == "quasi_identifier"}
    n_rows = table.n_rows
    if not n_rows:
        return {}
    counts = _Counted(n_rows, people)
    in_pairs = n_rows * len(asked) * len(quasi) <= MOST_CELLS
    found, known = {}, dict[frozenset[str], float]()
    for number, each in enumerate(asked):
        monitor.report(number / len(asked), "measure")
        codes, size = columns.get(each.name) or coded(each)
        partner, share = None, None
        for other in quasi if in_pairs else ():
            both = frozenset((each.name, other))
            if len(both) == 1:
                continue
            if both not in known:
                more, more_size = columns[other]
                groups = group_rows(n_rows, (codes, more), (size, more_size))
                known[both] = counts.share_alone(groups.of_row)
            if share is None or known[both] > share:
                partner, share = other, known[both]
        found[each.name] = Distinguishability(
            attribute=each.name,
            alone=counts.share_alone(codes),
            separation=column_distinction(np.bincount(codes))[1],
            pair_with=partner,
            pair_alone=share,
        )
    return found


def _coded(column: Column) -> tuple[IntArray, int]:
    """Codes of a column with one code for all texts that mean "no value"."""
    one_code = np.arange(column.n_values + 1, dtype=np.int64)
    missing = np.flatnonzero(column.is_missing)
    one_code[missing] = missing[0] if len(missing) else 0
    codes = one_code[column.codes]
    if column.absent is not None:
        codes[column.absent] = column.n_values
    return codes, column.n_values + 1


class _Counted:
    """Who is alone in a group: a row, or a person all of whose rows it may hold."""

    def __init__(self, n_rows: int, people: People | None) -> None:
        self._n = n_rows if people is None else people.n_people
        self._owner = None if people is None else people.of_row

    def share_alone(self, of_row: IntArray) -> float:
        """Share of those who are alone in a group."""
        if self._owner is None:
            return float(np.count_nonzero(np.bincount(of_row) == 1) / self._n)
        n_groups = int(of_row.max()) + 1
        lowest = np.full(n_groups, self._n, dtype=np.int64)
        highest = np.full(n_groups, -1, dtype=np.int64)
        np.minimum.at(lowest, of_row, self._owner)
        np.maximum.at(highest, of_row, self._owner)
        return len(np.unique(lowest[lowest == highest])) / self._n


def principle_facts(
    project: Project, apart: Mapping[str, Distinguishability]
) -> tuple[ColumnPrinciples, ...]:
    """Return what the evidence states of the columns; nothing if nothing was said."""
    asked = asked_columns(project)
    if all(each.principles is None for each in asked):
        return ()
    found = []
    for each in asked:
        said = (each.principles or Principles()).model_dump()
        found.append(
            ColumnPrinciples(
                attribute=each.name,
                role=each.role,
                open=open_fields(each),
                input=apart.get(each.name),
                **said,
            )
        )
    return tuple(found)
