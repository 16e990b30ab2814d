"""Joins a table of people, one row each, to the table of their events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.table import Column, LineIndex, LinesOfSome, Table
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor

MOST_LINES = 10
"""Lines with a fault that are named."""

OF_PEOPLE = " (people)"
"""Added to the name of a column of people that a column of events has, too."""


@dataclass(frozen=True)
class LinesOfEvents(LineIndex):
    """On which line of the file of events each row of a linked table starts.

    Parameters
    ----------
    n_events : int
        Rows that are events; all after them stand for people without one.
    """

    n_events: int = 0
    of: LineIndex = field(default_factory=LineIndex)

    def line(self, row: int) -> int:
        """Line (from 1) on which `row` starts; 0 for a person without an event."""
        return self.of.line(row) if row < self.n_events else 0


@dataclass(frozen=True, repr=False, eq=False)
class LinkedTables:
    """Two tables as one, whose rows belong to people by the key.

    Parameters
    ----------
    table : Table
        A row for each event, and one for each person without an event, in which the
        columns of events are absent. First the key, then the columns of people.
    names : mapping of str to str
        Name in `table` of each column of the table of people.
    n_orphans, n_keyless : int
        Events left out: their key is that of nobody; they have no key.
    n_without_events : int
        People without an event.
    """

    table: Table
    names: Mapping[str, str]
    n_orphans: int
    n_keyless: int
    n_without_events: int


def linked_names(
    events: Sequence[str], people: Sequence[str], key: str, people_key: str
) -> Mapping[str, str]:
    """Name the columns of the table of people in the linked table.

    Parameters
    ----------
    events, people : sequence of str
        Columns of the two tables.
    key, people_key : str
        Of the two tables; the linked table names it as that of events does.

    Returns
    -------
    mapping of str to str
        By own name. One that events have, too, gets an addition that is seen.
    """
    taken = {*events, key}
    found = {people_key: key}
    for name in people:
        if name == people_key:
            continue
        joined = name
        while joined in taken:
            joined += OF_PEOPLE
        taken.add(joined)
        found[name] = joined
    return MappingProxyType(found)


def check_people(people: Table, key: str) -> None:
    """See that a table has exactly one row for each person.

    Parameters
    ----------
    people : Table
        With the missing texts of its key marked.

    Raises
    ------
    InputError
        Codes ``people_without_key`` and ``people_twice``, both together, with the
        numbers of rows and the first lines; never a key.
    """
    column = people.column(key)
    where = {"file": people.name, "attribute": key}
    problems: list[DeidError] = []
    if column.n_missing:
        rows = np.flatnonzero(column.is_missing[column.codes])
        lines = _lines(people, rows)
        problems.append(
            InputError("people_without_key", n_rows=len(rows), lines=lines, **where)
        )
    twice = (column.counts > 1) & ~column.is_missing
    if twice.any():
        rows = np.flatnonzero(twice[column.codes])
        lines, n_people = _lines(people, rows), int(twice.sum())
        problems.append(
            InputError(
                "people_twice",
                n_people=n_people,
                n_rows=len(rows),
                lines=lines,
                **where,
            )
        )
    raise_all(problems)


def _lines(table: Table, rows: IntArray) -> str:
    shown = [str(table.lines.line(row)) for row in rows[:MOST_LINES].tolist()]
    return ", ".join([*shown, *(["…"] if len(rows) > MOST_LINES else [])])


def link_tables(
    events: Table,
    people: Table,
    key: str,
    people_key: str,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LinkedTables:
    """Join the columns of people to the rows of their events, by codes.

    Parameters
    ----------
    events, people : Table
        With the missing texts of their keys marked.
    key, people_key : str
        Columns by which they are linked. Keys are equal if their texts are.

    Raises
    ------
    InputError
        As `check_people`, and code ``no_event_linked`` if no key of an event is that
        of a person.
    """
    check_people(people, people_key)
    monitor.report(0.1, "link")
    of_event = _person_of_event(events.column(key), people.column(people_key))
    column = events.column(key)
    n_keyless = column.n_missing
    held = of_event >= 0
    n_orphans = len(held) - int(held.sum()) - n_keyless
    if not held.any():
        raise InputError(
            "no_event_linked",
            file=events.name,
            attribute=key,
            other_file=people.name,
            other=people_key,
        )
    kept = None if held.all() else np.flatnonzero(held)
    rows = of_event if kept is None else of_event[kept]
    has_event = np.zeros(people.n_rows, np.bool_)
    has_event[rows] = True
    lone = np.flatnonzero(~has_event)
    person = np.concatenate([rows, lone]) if len(lone) else rows
    absent = None
    if len(lone):
        absent = np.zeros(len(person), np.bool_)
        absent[len(rows) :] = True
    names = linked_names(events.column_names, people.column_names, key, people_key)
    columns = [replace(_of_person(people.column(people_key), person), name=key)]
    for place, each in enumerate(people.columns):
        monitor.report(0.3 + 0.3 * place / len(people.columns), "link")
        if each.name != people_key:
            columns.append(replace(_of_person(each, person), name=names[each.name]))
    for place, each in enumerate(events.columns):
        monitor.report(0.6 + 0.4 * place / len(events.columns), "link")
        if each.name != key:
            columns.append(_of_event(each, kept, absent))
    lines = events.lines if kept is None else LinesOfSome(rows=kept, of=events.lines)
    of_events = LinesOfEvents(n_events=len(rows), of=lines)
    table = Table(events.name, tuple(columns), of_events)
    return LinkedTables(table, names, n_orphans, n_keyless, len(lone))


def _person_of_event(key: Column, people: Column) -> IntArray:
    """Row of the person of each event; -1 for nobody: int64, (n_events,)."""
    known = pl.DataFrame({"text": people.values, "code": np.arange(people.n_values)})
    texts = pl.DataFrame({"text": key.values})
    joined = texts.join(known, on="text", how="left", maintain_order="left")
    code = joined["code"].fill_null(people.n_values).to_numpy()
    row = np.full(people.n_values + 1, -1, np.int64)
    row[people.codes] = np.arange(people.n_rows)
    of_text = row[code]
    of_text[key.missing_codes] = -1
    found: IntArray = of_text[key.codes]
    return found


def _of_person(column: Column, person: IntArray) -> Column:
    return replace(column, codes=column.codes[person])


def _of_event(
    column: Column, kept: IntArray | None, absent: BoolArray | None
) -> Column:
    """Column of events: those that are kept, and a row for each without an event."""
    if kept is not None:
        column = _compact(replace(column, codes=column.codes[kept]))
    codes = column.codes
    if absent is None:
        return replace(column, codes=codes)
    values, missing = column.values, column.missing_codes
    if not len(values) or values[0] != "":
        # Sorted by code point: the empty text comes first.
        empty = pl.Series([""], dtype=pl.String)
        values = pl.concat([empty, values.alias("")]).alias(column.values.name)
        codes = codes + np.int32(1)
        missing = np.append(np.int32(0), missing + 1).astype(np.int32)
    found: Int32Array = np.zeros(len(absent), np.int32)
    found[: len(codes)] = codes
    return replace(
        column, codes=found, values=values, missing_codes=missing, absent=absent
    )


def _compact(column: Column) -> Column:
    """Return a column without the texts of no row."""
    used = column.counts > 0
    if used.all():
        return column
    place = (np.cumsum(used) - 1).astype(np.int32)
    return replace(
        column,
        codes=place[column.codes],
        values=column.values.filter(pl.Series(used)),
        missing_codes=place[column.missing_codes[used[column.missing_codes]]],
    )
