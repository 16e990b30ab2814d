"""Combines several population tables, and names the assumptions.

Where nobody counted the combinations of attributes of two tables, they are estimated
by conditional independence: among people who are alike in what both tables know, what
only one of them knows has nothing to do with what only the other one knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.grouping import joint_keys
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.ages import read_ages, read_population_ages
from deidgui.engine.population.splitting import split_counts
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
    fill_rows,
)
from deidgui.errors import InputError, Param
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_CELLS = 20_000_000
"""Larger tables are refused: they would need more than a gigabyte."""

HISPANIC = "Hispanic"


def spread(
    totals: PopulationTable,
    shares: PopulationTable,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationTable:
    """Share the people of one table among the attributes that only another knows.

    Parameters
    ----------
    totals : PopulationTable
        Its counts are kept: people per ZIP code of a state.
    shares : PopulationTable
        Says how people who are alike in the common attributes differ otherwise: sex,
        age and race in the state.

    Returns
    -------
    PopulationTable
        With the attributes of `totals` and the others of `shares`. An estimate.

    Raises
    ------
    InputError
        Codes ``people_nothing_in_common``; ``people_without_shares`` if `shares` has
        nobody who is like some of the people of `totals`; ``people_many_cells``.

    Notes
    -----
    count(t, s, c) = count(t, c) · count(s, c) / count(c), where c are the common
    attributes, t and s what only the one or the other knows; rounded to whole people
    by `split_counts`.
    """
    common = [name for name in totals.attribute_names if name in shares.attribute_names]
    others = [name for name in shares.attribute_names if name not in common]
    tables = {"totals": totals.name, "shares": shares.name}
    if not common or not others:
        raise InputError("people_nothing_in_common", **tables)
    monitor.report(0.0, "population")
    match = _match(totals, shares, common)
    n_cells = int(match.n_parts.sum())
    if n_cells > MOST_CELLS:
        raise InputError("people_many_cells", n_cells=n_cells, limit=MOST_CELLS)
    split = split_counts(
        totals.counts,
        match.starts,
        match.n_parts,
        shares.counts[match.parts],
        monitor=SubMonitor(monitor, 0.1, 0.6),
    )
    added = shares.cells[match.parts][:, [shares.place(name) for name in others]]
    # Cells stay in order, as those of both tables are.
    n_own = len(totals.attributes)
    cells = np.empty((len(split.population), n_own + len(others)), dtype=np.int32)
    step = SubMonitor(monitor, 0.6, 0.8)
    fill_rows(cells[:, :n_own], [*totals.cells.T], split.of_cell, monitor=step)
    step = SubMonitor(monitor, 0.8, 1.0)
    fill_rows(cells[:, n_own:], [*added.T], split.of_part, monitor=step)
    return PopulationTable(
        totals.name,
        (*totals.attributes, *(shares.attribute(name) for name in others)),
        cells,
        split.population,
        _both(totals, shares, _independent(totals, shares, common, others)),
    )


def with_single_ages(
    table: PopulationTable, profile: PopulationTable
) -> PopulationTable:
    """Share the people of bands of age among the ages of another table.

    Parameters
    ----------
    table : PopulationTable
        With ages in bands, or open at 85.
    profile : PopulationTable
        With single ages, each within one band; says how people of the same band, sex,
        race and origin (what both tables know alike) are shared among its ages.

    Returns
    -------
    PopulationTable
        With the ages of `profile`. An estimate.

    Raises
    ------
    InputError
        Codes ``people_ages_differ`` if an age lies in no band or in two, and those of
        `spread`.
    """
    coarse, fine = table.of_subject(Subject.AGE), profile.of_subject(Subject.AGE)
    if coarse is None or fine is None:
        raise InputError(
            "people_nothing_in_common", totals=table.name, shares=profile.name
        )
    band_of = _bands(coarse, fine)
    common = [
        attribute.name
        for attribute in table.attributes
        if attribute.subject is not Subject.AGE and _knows(profile, attribute)
    ]
    profile = profile.sums([*common, fine.name])
    ages = profile.cells[:, -1]
    fine = replace(fine, name=f"{coarse.name} in single years")
    profile = replace(profile, attributes=(*profile.attributes[:-1], fine))
    profile = profile.with_attribute(coarse, band_of[ages])
    names = [fine.name if n == coarse.name else n for n in table.attribute_names]
    single = spread(table, profile).sums(names)
    reason = Reason(
        "people_single_ages", {"table": table.name, "profile": profile.name}
    )
    return replace(
        single,
        attributes=tuple(
            replace(each, name=coarse.name) if each.name == fine.name else each
            for each in single.attributes
        ),
        assumptions=_both(table, profile, reason),
    )


def with_race_and_origin(table: PopulationTable) -> PopulationTable:
    """Join race and Hispanic origin as forms do that know "Hispanic" as a race.

    Parameters
    ----------
    table : PopulationTable
        With race and origin.

    Returns
    -------
    PopulationTable
        Hispanic people of every race are one value, all others keep their race.
        Counts stay counts.

    Raises
    ------
    InputError
        Code ``people_attribute_unknown`` without race or origin.
    """
    race, origin = table.of_subject(Subject.RACE), table.of_subject(Subject.ORIGIN)
    for attribute, name in ((race, "race"), (origin, "origin")):
        if attribute is None:
            raise InputError(
                "people_attribute_unknown", attribute=name, table=table.name
            )
    assert race is not None
    assert origin is not None
    races = table.cells[:, table.place(race.name)]
    origins = table.cells[:, table.place(origin.name)]
    is_hispanic = origins == origin.index[HISPANIC]
    joined = PopulationAttribute(
        race.name, (*race.values, HISPANIC), Subject.RACE_AND_ORIGIN
    )
    both = replace(joined, name=f"{race.name} and {origin.name}")
    codes = np.where(is_hispanic, race.n_values, races)
    whole = table.with_attribute(both, codes)
    names = [
        both.name if name == race.name else name
        for name in table.attribute_names
        if name != origin.name
    ]
    kept = whole.sums(names)
    attributes = tuple(joined if a is both else a for a in kept.attributes)
    return replace(kept, attributes=attributes)


def between_ages(
    table: PopulationTable, low: int, high: int | None = None
) -> PopulationTable:
    """Return the people of some ages: adults, or those insured from 65.

    Parameters
    ----------
    table : PopulationTable
        With ages.
    low : int
        In completed years.
    high : int, optional
        The last age; all above `low` without it.

    Raises
    ------
    InputError
        Codes ``people_attribute_unknown`` without ages, ``people_ages_differ`` if a
        band of the table crosses a limit, and ``people_nobody``.
    """
    ages = table.of_subject(Subject.AGE)
    if ages is None:
        raise InputError("people_attribute_unknown", attribute="age", table=table.name)
    spans = read_population_ages(ages.values)
    last = float("inf") if high is None else high
    kept, crossing = [], 0
    for value, span in zip(ages.values, spans, strict=True):
        end = float("inf") if span.high is None else span.high
        if low <= span.low and end <= last:
            kept.append(value)
        elif span.low <= last and end >= low:
            crossing += 1
    if crossing:
        raise InputError("people_ages_differ", table=table.name, n_values=crossing)
    return table.only(ages.name, kept)


# -- how cells of two tables meet ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Match:
    """Cells of the second table that are like each cell of the first.

    Those of one cell stand in `parts` beside each other, from `starts` on.
    """

    starts: IntArray
    n_parts: IntArray
    parts: IntArray


def _match(
    totals: PopulationTable, shares: PopulationTable, common: Sequence[str]
) -> _Match:
    """Find the cells of `shares` for every cell of `totals` by common attributes."""
    columns, sizes = [], []
    for name in common:
        own, other = totals.attribute(name), shares.attribute(name)
        values = list(dict.fromkeys([*own.values, *other.values]))
        place = {value: number for number, value in enumerate(values)}
        columns.append(
            np.concatenate(
                [
                    _codes(own, place)[totals.cells[:, totals.place(name)]],
                    _codes(other, place)[shares.cells[:, shares.place(name)]],
                ]
            )
        )
        sizes.append(len(values))
    n_own = totals.n_cells
    keys, _ = joint_keys(n_own + shares.n_cells, columns, sizes)
    order = np.argsort(keys[n_own:], kind="stable")
    ordered = keys[n_own:][order]
    starts = np.searchsorted(ordered, keys[:n_own], side="left")
    n_parts = np.searchsorted(ordered, keys[:n_own], side="right") - starts
    alone = n_parts == 0
    if alone.any():
        raise InputError(
            "people_without_shares",
            totals=totals.name,
            shares=shares.name,
            n_cells=int(alone.sum()),
            population_size=int(totals.counts[alone].sum()),
        )
    return _Match(starts, n_parts, order)


def _codes(attribute: PopulationAttribute, place: dict[str, int]) -> Int32Array:
    return np.array([place[value] for value in attribute.values], dtype=np.int32)


def _bands(coarse: PopulationAttribute, fine: PopulationAttribute) -> Int32Array:
    """Band of every single age."""
    bands, ages = read_population_ages(coarse.values), read_ages(fine.values).spans
    found = np.empty(len(ages), dtype=np.int32)
    for number, age in enumerate(ages):
        places = [p for p, band in enumerate(bands) if age and band.contains(age)]
        if len(places) != 1:
            raise InputError("people_ages_differ", table=fine.name, n_values=1)
        found[number] = places[0]
    return found


def _knows(profile: PopulationTable, attribute: PopulationAttribute) -> bool:
    """Whether a table has all values of an attribute."""
    if attribute.name not in profile.attribute_names:
        return False
    return set(attribute.values) <= set(profile.attribute(attribute.name).values)


def _independent(
    totals: PopulationTable,
    shares: PopulationTable,
    common: Sequence[str],
    others: Sequence[str],
) -> Reason:
    own = [name for name in totals.attribute_names if name not in common]
    params: dict[str, Param] = {
        "totals": totals.name,
        "shares": shares.name,
        "own": tuple(own),
        "common": tuple(common),
        "others": tuple(others),
    }
    return Reason("people_independent", params)


def _both(
    first: PopulationTable, second: PopulationTable, reason: Reason
) -> tuple[Reason, ...]:
    """Assumptions of two tables and one more, each once."""
    found: list[Reason] = []
    for each in (*first.assumptions, *second.assumptions, reason):
        if each not in found:
            found.append(each)
    return tuple(found)
