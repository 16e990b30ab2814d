"""What an attacker may know of people, from the data and the policy."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from deidgui.app.attacks.original import (
    Original,
    flat_hierarchy,
    number_values,
    released_codes,
)
from deidgui.app.classes import Classes
from deidgui.app.project import Attribute, Project
from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.attack.events_known import EventsAttack
from deidgui.engine.attack.linked import LinkedCodes, joint_codes
from deidgui.engine.attack.records_known import RecordsKnown
from deidgui.engine.data.dates import parse
from deidgui.engine.data.hierarchy import leaf_codes
from deidgui.engine.data.numbers import Scale
from deidgui.engine.data.table import Column, Table
from deidgui.engine.longitudinal.history import History, event_tables
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses
from deidgui.errors import ConfigError


def records_known(
    original: Original,
    classes: Classes,
    policy: Policy,
    released: ReleasedClasses,
    fraction: float,
) -> RecordsKnown:
    """Make the attack on people whose quasi-identifiers do not differ in their rows.

    Parameters
    ----------
    original : Original
        Everybody who is looked for.
    released : ReleasedClasses
        What the policy makes of the classes.
    """
    table = classes.class_table
    # People who cannot be in the release are one kind: it has none of them.
    n_gone = original.n_people - table.n_records
    lacking = [n_gone] if n_gone else []
    round_of = np.full(table.n_classes + len(lacking), -1, np.int64)
    values = []
    for number, each in enumerate(released.rounds):
        round_of[each.rows[each.is_released]] = number
        maps = policy.rounds[number].maps
        codes = joint_codes(
            [m.groups[table.leaves[:, place]] for place, m in enumerate(maps)]
        )
        values.append(np.append(codes, np.zeros(len(lacking), np.int64)))
    counts = np.append(table.counts, np.array(lacking, np.int64))
    return RecordsKnown(tuple(values), round_of, counts, fraction)


def events_known(
    original: Original,
    classes: Classes,
    policy: Policy,
    released: ReleasedClasses,
    fraction: float,
    times: tuple[IntArray, IntArray] | None = None,
) -> EventsAttack:
    """Make the attack on people with several rows; its powers are all 0 yet.

    Parameters
    ----------
    original : Original
        Everybody who is looked for, and all that may be known of them.
    times : tuple of ndarray of int64, optional
        Of `times_of`, of the rows of `original` and of those of the classes.
    """
    units = classes.class_table.units
    assert units is not None
    people, varying = original.people, original.varying(policy)
    known, shown = _rows_of_events(original.table), _rows_of_events(classes.table)
    once: list[AnyArray] = []
    events: list[AnyArray] = []
    left: list[AnyArray] = []
    for place, each in enumerate(policy.maps):
        before = original.table.column(each.attribute)
        codes = released_codes(before, each)
        if place in varying:
            now, hierarchy = classes.table.column(each.attribute), each.hierarchy
            events.append(_where_there(before, known, codes[before.codes]))
            labels = each.groups[np.maximum(leaf_codes(now, hierarchy), 0)]
            left.append(_where_there(now, shown, labels[now.codes]))
        else:
            once.append(codes[before.codes[people.first_row]])
    times_known, times_shown = times if times is not None else (None, None)
    everybody = LinkedCodes(
        original.n_people,
        once,
        people.of_row[known],
        events,
        None if times_known is None else times_known[known],
    )
    there = LinkedCodes(
        original.n_people,
        once,
        original.there[shown],
        left,
        None if times_shown is None else times_shown[shown],
    )
    gone = released.suppressed[released.of_combination][units.combination]
    is_released = np.zeros(original.n_people, np.bool_)
    is_released[original.there] = ~gone[units.people.of_row]
    powers = np.zeros((original.n_people, len(events)), np.int32)
    return EventsAttack(everybody, there, powers, fraction, is_released=is_released)


def _where_there(column: Column, rows: IntArray, codes: AnyArray) -> AnyArray:
    """Codes of some events, -1 for those of other tables."""
    if column.absent is None:
        return codes[rows]
    return np.where(column.absent[rows], -1, codes[rows])


def _rows_of_events(table: Table) -> IntArray:
    """Rows that are events: all but those of people who have none."""
    if table.absent is None:
        return np.arange(table.n_rows)
    return np.flatnonzero(~table.absent)


def history_known(original: Original, policy: Policy) -> History:
    """Return all events that may be known, by their values as they are.

    Parameters
    ----------
    policy : Policy
        Its quasi-identifiers are meant, not what it makes of them.
    """
    table, attributes = original.table, []
    for place in sorted(original.varying(policy)):
        each = policy.maps[place]
        column = table.column(each.attribute)
        numbers = number_values(column, each.hierarchy.of_values)
        values = numbers[column.codes].astype(np.int32)
        attributes.append((flat_hierarchy(each.attribute, numbers), values))
    nothing = np.zeros((original.n_people, 0), np.int32)
    events = event_tables(table, original.people, attributes)
    return History((), nothing, events)


def powers_of(project: Project, history: History, most: int) -> Int32Array:
    """Number of values that are known of each person (see `adversary_power`).

    Parameters
    ----------
    history : History
        Of `history_known`.
    """
    known = project.privacy.events
    return adversary_power(history, most, known.diversity if known else "entropy")


# -- the order of events ---------------------------------------------------------------


def order_columns(project: Project, classes: Classes) -> tuple[str, ...]:
    """Columns that can tell in which order the rows of a person were.

    Returns
    -------
    tuple of str
        Dates and numbers that differ between the rows of a person, dates first.
    """
    units = classes.class_table.units
    if units is None:
        return ()
    kinds = ("date", "integer", "decimal")
    able = [
        each
        for each in project.attributes
        if each.kind in kinds
        and each.name != project.key
        and not units.people.is_constant(classes.source.column(each.name).codes)
    ]
    able.sort(key=lambda each: each.kind != "date")
    return tuple(each.name for each in able)


def order_column(project: Project, able: Sequence[str]) -> str | None:
    """Return the column that was chosen, else the first date; None without one."""
    return project.attacks.order_by or first_date(project, able)


def first_date(project: Project, able: Sequence[str]) -> str | None:
    """Return what tells the order if nobody has chosen; None: nothing does."""
    dates = [name for name in able if project.attribute(name).kind == "date"]
    return dates[0] if dates else None


def times_of_events(
    project: Project, source: Table, name: str, able: Sequence[str]
) -> IntArray:
    """Return when each row was: with several tables of events, each by its own column.

    Parameters
    ----------
    name : str
        Column that tells it of its table; of the others it is their first date, and
        without one nobody knows an order.
    able : sequence of str
        Of `order_columns`.

    Returns
    -------
    ndarray of int64, shape (n_rows,)
        Comparable between events of one table.

    Raises
    ------
    ConfigError
        As `times_of`.
    """
    found = times_of(project, source, name)
    if source.kinds is None:
        return found
    dates = [each for each in able if project.attribute(each).kind == "date"]
    first: dict[int, str] = {}
    for each in (name, *dates):
        first.setdefault(source.kind_of(source.column(each)), each)
    times = np.zeros_like(found)
    for kind, each in first.items():
        rows = source.rows_of_kind(kind)
        own = found if each == name else times_of(project, source, each)
        times[rows] = own[rows]
    return times


def times_of(project: Project, source: Table, name: str) -> IntArray:
    """Return when each row was, in any unit.

    Parameters
    ----------
    source : Table
        All columns.

    Returns
    -------
    ndarray of int64, shape (n_rows,)

    Raises
    ------
    ConfigError
        Code ``order_unreadable`` with the column and how many rows have no date or
        number there, ``order_unknown`` if there is no such column.
    """
    if name not in source.column_names:
        raise ConfigError("order_unknown", attribute=name)
    attribute = project.attribute(name)
    column = source.column(name).with_missing(attribute.missing)
    moments, is_read = _moments(attribute, column)
    n_unread = int(column.counts[~is_read].sum())
    if n_unread:
        raise ConfigError("order_unreadable", attribute=name, n_records=n_unread)
    return moments[column.codes]


def _moments(attribute: Attribute, column: Column) -> tuple[IntArray, AnyArray]:
    """Read the different texts of a column: their times, and which have one."""
    if attribute.kind == "date" and attribute.format is not None:
        dates = parse(column.values, attribute.format)
        is_read = ~np.isnat(dates)
    else:
        scale = Scale(whole=False, decimal_mark=_mark(attribute))
        numbers = [scale.read(text) for text in column.texts()]
        order = {
            each: n for n, each in enumerate(sorted({*numbers} - {None}, key=_key))
        }
        dates = np.array([order.get(each, 0) for each in numbers], np.int64)
        is_read = np.array([each is not None for each in numbers], np.bool_)
    is_read[column.missing_codes] = False
    return dates.astype(np.int64), is_read


def _mark(attribute: Attribute) -> str:
    return "," if attribute.format == "," else "."


def _key(number: Decimal | None) -> Decimal:
    assert number is not None
    return number
