"""Joins a table of people, one row each, to the tables of their events."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
    """On which line of its file of events each row of a linked table starts.

    Parameters
    ----------
    starts : tuple of int
        First row of each file of events, and of the people without an event.
    of : tuple of LineIndex
        Of each file.
    """

    starts: tuple[int, ...] = (0,)
    of: tuple[LineIndex, ...] = ()

    def line(self, row: int) -> int:
        """Line (from 1) on which `row` starts; 0 for a person without an event."""
        place = bisect.bisect_right(self.starts, row) - 1
        if place >= len(self.of):
            return 0
        return self.of[place].line(row - self.starts[place])


@dataclass(frozen=True, repr=False, eq=False)
class KeyedEvents:
    """A table of events, and the column that says whose they are.

    Parameters
    ----------
    table : Table
        With the missing texts of its key marked.
    title : str
        Added to the name of a column that another table has, too.
    """

    table: Table
    key: str
    title: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class LinkedEvents:
    """A table of events, linked to people.

    Parameters
    ----------
    names : mapping of str to str
        Name in the linked table of each of its columns.
    n_orphans, n_keyless : int
        Events left out: their key is that of nobody; they have no key.
    n_without_events : int
        People without an event in this table.
    """

    names: Mapping[str, str]
    n_orphans: int
    n_keyless: int
    n_without_events: int


@dataclass(frozen=True, repr=False, eq=False)
class LinkedTables:
    """People and their events as one table, whose rows belong to people by the key.

    Parameters
    ----------
    table : Table
        A row for each event, those of the first table first, and one for each person
        without any event. The columns of a table of events are absent in all other
        rows. First the key, then the columns of people.
    names : mapping of str to str
        Name in `table` of each column of the table of people.
    events : tuple of LinkedEvents
        In the order of the tables of events.
    """

    table: Table
    names: Mapping[str, str]
    events: tuple[LinkedEvents, ...]


def addition_of(title: str) -> str:
    """Return what is added to the name of a column of a further table of events."""
    return f" ({title})"


def _joined_names(
    columns: Sequence[str], own_key: str, key: str, taken: set[str], addition: str
) -> Mapping[str, str]:
    """Name the columns of a further table; a name that is taken gets an addition."""
    found = {own_key: key}
    for name in columns:
        if name == own_key:
            continue
        joined = name
        while joined in taken:
            joined += addition
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
    events: Sequence[KeyedEvents],
    people: Table,
    people_key: str,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LinkedTables:
    """Join the columns of people to the rows of their events, by codes.

    Parameters
    ----------
    events : sequence of KeyedEvents, not empty
        The linked table is named as the first one, and its key as that of the first.
    people : Table
        With the missing texts of its key marked.
    people_key : str
        Column by which events are linked to it. Keys are equal if their texts are.

    Raises
    ------
    InputError
        As `check_people`, and code ``no_event_linked`` if no key of a table of events
        is that of a person.
    """
    check_people(people, people_key)
    monitor.report(0.1, "link")
    found = [_linked_rows(each, people, people_key) for each in events]
    starts = np.concatenate([[0], np.cumsum([len(each.person) for each in found])])
    has_event = np.zeros(people.n_rows, np.bool_)
    for each in found:
        has_event[each.person] = True
    lone = np.flatnonzero(~has_event)
    person = np.concatenate([*(each.person for each in found), lone])
    key = events[0].key
    taken = {*events[0].table.column_names, key}
    names = _joined_names(people.column_names, people_key, key, taken, OF_PEOPLE)
    columns = [replace(_of_person(people.column(people_key), person), name=key)]
    for place, column in enumerate(people.columns):
        monitor.report(0.3 + 0.3 * place / len(people.columns), "link")
        if column.name != people_key:
            columns.append(replace(_of_person(column, person), name=names[column.name]))
    linked = []
    for place, (mine, rows) in enumerate(zip(events, found, strict=True)):
        monitor.report(0.6 + 0.4 * place / len(events), "link")
        first, last = int(starts[place]), int(starts[place + 1])
        absent = np.ones(len(person), np.bool_)
        absent[first:last] = False
        own = {name: name for name in mine.table.column_names}
        if place:
            addition = addition_of(mine.title)
            own = dict(_joined_names(tuple(own), mine.key, key, taken, addition))
        for column in mine.table.columns:
            if column.name != mine.key:
                made = _of_event(column, rows.kept, absent, first)
                columns.append(replace(made, name=own[column.name]))
        n_alone = people.n_rows - len(np.unique(rows.person))
        linked.append(LinkedEvents(own, rows.n_orphans, rows.n_keyless, n_alone))
    lines = LinesOfEvents(
        starts=tuple(starts.tolist()), of=tuple(each.lines for each in found)
    )
    table = Table(events[0].table.name, tuple(columns), lines)
    if len(events) > 1:
        kinds = np.full(len(person), -1, np.int32)
        for place in range(len(events)):
            kinds[starts[place] : starts[place + 1]] = place
        table = replace(table, kinds=kinds)
    return LinkedTables(table, names, tuple(linked))


@dataclass(frozen=True, repr=False, eq=False)
class _LinkedRows:
    """Rows of a table of events that belong to somebody.

    Parameters
    ----------
    kept : ndarray of int64 or None
        These rows; None if they are all.
    person : ndarray of int64
        Row of the person of each.
    """

    kept: IntArray | None
    person: IntArray
    lines: LineIndex
    n_orphans: int
    n_keyless: int


def _linked_rows(events: KeyedEvents, people: Table, people_key: str) -> _LinkedRows:
    column, lines = events.table.column(events.key), events.table.lines
    of_event = _person_of_event(column, people.column(people_key))
    n_keyless = column.n_missing
    held = of_event >= 0
    n_orphans = len(held) - int(held.sum()) - n_keyless
    if not held.any():
        raise InputError(
            "no_event_linked",
            file=events.table.name,
            attribute=events.key,
            other_file=people.name,
            other=people_key,
        )
    if held.all():
        return _LinkedRows(None, of_event, lines, n_orphans, n_keyless)
    kept = np.flatnonzero(held)
    lines = LinesOfSome(rows=kept, of=lines)
    return _LinkedRows(kept, of_event[kept], lines, n_orphans, n_keyless)


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
    column: Column, kept: IntArray | None, absent: BoolArray, first: int
) -> Column:
    """Column of events: those that are kept, among the rows of the linked table.

    Parameters
    ----------
    absent : ndarray of bool, shape (n_rows,)
        Rows without a cell of it.
    first : int
        Row of its first event.
    """
    if kept is not None:
        column = _compact(replace(column, codes=column.codes[kept]))
    codes = column.codes
    if not absent.any():
        return replace(column, codes=codes)
    values, missing = column.values, column.missing_codes
    if not len(values) or values[0] != "":
        # Sorted by code point: the empty text comes first.
        empty = pl.Series([""], dtype=pl.String)
        values = pl.concat([empty, values.alias("")]).alias(column.values.name)
        codes = codes + np.int32(1)
        missing = np.append(np.int32(0), missing + 1).astype(np.int32)
    found: Int32Array = np.zeros(len(absent), np.int32)
    found[first : first + len(codes)] = codes
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
