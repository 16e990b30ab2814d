"""What an attacker may know of people, from the data and the policy."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.project import Attribute, Project
from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.attack.events_known import EventsKnown
from deidgui.engine.attack.linked import LinkedTables, joint_codes
from deidgui.engine.attack.records_known import RecordsKnown
from deidgui.engine.data.dates import parse
from deidgui.engine.data.hierarchy import leaf_codes
from deidgui.engine.data.numbers import Scale
from deidgui.engine.data.table import Column
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses
from deidgui.errors import ConfigError


def records_known(
    classes: Classes, policy: Policy, released: ReleasedClasses, fraction: float
) -> RecordsKnown:
    """Make the attack on people whose quasi-identifiers do not differ in their rows.

    Parameters
    ----------
    released : ReleasedClasses
        What the policy makes of the classes.
    """
    table = classes.class_table
    round_of = np.full(table.n_classes, -1, np.int64)
    values = []
    for number, each in enumerate(released.rounds):
        round_of[each.rows[each.is_released]] = number
        maps = policy.rounds[number].maps
        values.append(
            joint_codes(
                [m.groups[table.leaves[:, place]] for place, m in enumerate(maps)]
            )
        )
    return RecordsKnown(tuple(values), round_of, table.counts, fraction)


def events_known(
    classes: Classes,
    policy: Policy,
    released: ReleasedClasses,
    fraction: float,
    times: IntArray | None = None,
) -> EventsKnown:
    """Make the attack on people with several rows; its powers are all 0 yet.

    Parameters
    ----------
    times : ndarray of int64, shape (n_rows,), optional
        Of `times_of`.
    """
    units = classes.class_table.units
    assert units is not None
    assert units.varying is not None
    people, varying = units.people, set(units.varying.places)
    once: list[AnyArray] = []
    events: list[AnyArray] = []
    for place, each in enumerate(policy.maps):
        column = classes.table.column(each.attribute)
        codes = each.groups[leaf_codes(column, each.hierarchy)][column.codes]
        if place in varying:
            events.append(codes)
        else:
            once.append(codes[people.first_row])
    owners, absent = people.of_row, classes.table.absent
    if absent is not None:
        # Who has no event is a person of whom no event is known.
        owners, events = owners[~absent], [each[~absent] for each in events]
        times = None if times is None else times[~absent]
    tables = LinkedTables(people.n_people, once, owners, events, times)
    gone = released.suppressed[released.of_combination][units.combination]
    powers = np.zeros((people.n_people, len(events)), np.int32)
    return EventsKnown(tables, tables, powers, fraction, is_released=~gone)


def powers_of(project: Project, history: History, most: int) -> Int32Array:
    """Number of values that are known of each person (see `adversary_power`).

    Parameters
    ----------
    history : History
        Of the project's people.
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
    chosen = project.attacks.order_by
    if chosen is not None:
        return chosen
    dates = [name for name in able if project.attribute(name).kind == "date"]
    return dates[0] if dates else None


def times_of(project: Project, classes: Classes, name: str) -> IntArray:
    """Return when each row was, in any unit.

    Returns
    -------
    ndarray of int64, shape (n_rows,)

    Raises
    ------
    ConfigError
        Code ``order_unreadable`` with the column and how many rows have no date or
        number there, ``order_unknown`` if there is no such column.
    """
    if name not in classes.source.column_names:
        raise ConfigError("order_unknown", attribute=name)
    attribute = project.attribute(name)
    column = classes.source.column(name).with_missing(attribute.missing)
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
