"""People of the population for each combination of leaves of the data.

The rule, in this order:

1. Attributes of the population that the data do not have are summed over.
2. A value of the population whose units (years of age, ZIP codes, races) all belong to
   one leaf gives it all its people.
3. A value whose units belong to several leaves is shared among them evenly by units and
   rounded to whole people (`splitting`): an estimate, named.
4. People whose value belongs to no leaf are left out and counted: groups then look
   smaller and the risk higher, never lower.
5. An attribute that the population lacks is refused, unless a person chose otherwise.
6. Where the data have more records than the population has people, as many people as
   records are taken (methods.md A.3): `LeafPopulation.with_records`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.grouping import (
    group_keys,
    group_rows,
    joint_keys,
    sums_by_group,
)
from deidgui.engine.data.population import Population, PopulationSizes, Register
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.combining import MOST_CELLS
from deidgui.engine.population.mapping import AttributeMapping, DataValues
from deidgui.engine.population.splitting import split_counts
from deidgui.engine.population.table import PopulationTable, rows_of
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

ESTIMATES = frozenset(
    {
        "people_modelled",
        "people_independent",
        "people_single_ages",
        "people_split",
        "people_assumed_independent",
    }
)
"""Remarks after which people are estimated, not counted."""


class Lacking(StrEnum):
    """What is done about an attribute that the population does not know."""

    REFUSED = "refused"
    INDEPENDENT = "independent"
    """Its shares in the data are taken to hold for everybody: an estimate."""

    LEFT_ASIDE = "left aside"
    """People are not told apart by it: risks are stated too low."""


class EstimatedRegister(Register):
    """People by combination of leaves where nobody counted all of them."""

    is_counted = False

    def outside(
        self,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> EstimatedRegister:
        """Leave out the cells of some classes (see `Population.outside`)."""
        left = super().outside(groups, values, n_values)
        return EstimatedRegister(left.leaves, left.counts)


@dataclass(frozen=True, repr=False, eq=False)
class PartialRegister(Population):
    """People by the leaves of some attributes; the others do not tell them apart.

    Everybody who agrees in the known attributes may be the person of a record: the
    same people are counted for several classes, and risks are too low. It is used only
    where a person confirmed this.

    Parameters
    ----------
    population : Register
        By the known attributes.
    known : tuple of int
        Their places among those of the class table.
    """

    is_counted = False

    population: Register
    known: tuple[int, ...]

    def sizes(
        self,
        counts: IntArray,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> PopulationSizes:
        """Count the people who agree with each class as far as it is known.

        Raises
        ------
        InputError
            Code ``population_lacks_records``, as `Register.sizes`.
        """
        columns = [groups[:, place] for place in self.known]
        sizes = [n_values[place] for place in self.known]
        alike = group_rows(len(groups), columns, sizes)
        found = self.population.sizes(
            alike.sums(counts),
            np.ascontiguousarray(groups[alike.first][:, list(self.known)]),
            [values[place] for place in self.known],
            sizes,
        )
        return PopulationSizes(found.sizes[alike.of_row])

    def outside(
        self,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> PartialRegister:
        """Return itself: who of the people is in a class is not known."""
        return self


@dataclass(frozen=True, repr=False, eq=False)
class LeafPopulation:
    """A population for a class table, and what it rests on.

    Parameters
    ----------
    register : Register
        People by the leaves of the known attributes.
    attributes : tuple of str
        Of the class table.
    known : tuple of int
        Places of those that the population knows.
    remarks : tuple of Reason
        Assumptions and what was left out, for everybody who sees a figure.
    doubtful : mapping of int to ndarray of bool, shape (n_leaves,)
        By place of an attribute, leaves whose partners were in doubt.
    """

    register: Register
    attributes: tuple[str, ...]
    known: tuple[int, ...]
    remarks: tuple[Reason, ...]
    doubtful: Mapping[int, BoolArray] = field(default_factory=dict)

    def n_records_doubtful(self, class_table: ClassTable) -> int:
        """Records that have any value whose partners were in doubt."""
        found = np.zeros(class_table.n_classes, np.bool_)
        for place, is_doubtful in self.doubtful.items():
            found |= is_doubtful[class_table.leaves[:, place]]
        return int(class_table.counts[found].sum())

    @property
    def population(self) -> Population:
        """For the class table."""
        if len(self.known) == len(self.attributes):
            return self.register
        return PartialRegister(self.register, self.known)

    @property
    def is_counted(self) -> bool:
        """Whether all its people were counted."""
        return self.population.is_counted

    @property
    def population_size(self) -> int:
        """People with leaves of the data."""
        return self.register.population_size

    def at_records(
        self, class_table: ClassTable, *, monitor: Monitor = NULL_MONITOR
    ) -> AtRecords:
        """Count the people at every combination that records have.

        Parameters
        ----------
        class_table : ClassTable
            Of the same hierarchies.
        """
        assert class_table.attributes == self.attributes
        places = list(self.known)
        sizes = [class_table.hierarchies[place].n_leaves for place in places]
        columns = [class_table.leaves[:, place] for place in places]
        step = SubMonitor(monitor, 0.0, 0.3)
        alike = group_rows(class_table.n_classes, columns, sizes, monitor=step)
        leaves = class_table.leaves[alike.first][:, places]
        step = SubMonitor(monitor, 0.3, 1.0)
        population = _population(leaves, self.register, sizes, step)
        return AtRecords(leaves, alike.sums(class_table.counts), population)

    def raised(self, at: AtRecords) -> LeafPopulation:
        """Take at least as many people as records of every combination.

        Parameters
        ----------
        at : AtRecords
            Of `at_records`.

        Returns
        -------
        LeafPopulation
            With one more remark if the data have combinations with more records than
            people: how many, and of how many records.

        References
        ----------
        .. [1] methods.md A.3: g := max(g, f).
        """
        short = at.population < at.records
        if not short.any():
            return self
        lacking = (at.records - at.population)[short]
        register = type(self.register)(
            np.concatenate([self.register.leaves, at.leaves[short]]),
            np.concatenate([self.register.counts, lacking]),
            n_assumed=len(lacking),
        )
        n_records = int(at.records[short].sum())
        params = {"n_cells": int(short.sum()), "n_records": n_records}
        remark = Reason("people_raised", dict(params))
        return replace(self, register=register, remarks=(*self.remarks, remark))


@dataclass(frozen=True, repr=False, eq=False)
class AtRecords:
    """Records and people at each combination of leaves that records have.

    Parameters
    ----------
    leaves : ndarray of int32, shape (n_cells, n_attributes)
        Distinct, of the attributes that the population knows.
    records : ndarray of int64, shape (n_cells,), each >= 1
    population : ndarray of int64, shape (n_cells,), each >= 0
    """

    leaves: Int32Array
    records: IntArray
    population: IntArray


def population_over_leaves(
    table: PopulationTable,
    mappings: Mapping[str, AttributeMapping],
    data: Sequence[DataValues],
    *,
    lacking: Mapping[str, Lacking] | None = None,
    accepted: Collection[str] = (),
    monitor: Monitor = NULL_MONITOR,
) -> LeafPopulation:
    """Count the people of a population at each combination of leaves.

    Parameters
    ----------
    mappings : mapping of str to AttributeMapping
        By attribute of the data; their values are the leaves.
    data : sequence of DataValues
        Of all quasi-identifiers, in the order of the class table.
    lacking : mapping of str to Lacking, optional
        What a person chose for attributes without a mapping.
    accepted : collection of str, optional
        Attributes of which a person accepted that values have no partner.

    Raises
    ------
    InputError
        All problems together: ``people_lack_attribute``, ``people_unconfirmed``,
        ``people_no_partner``, ``people_column_twice``; then ``people_many_cells``
        or ``people_share_lost``.
    """
    chosen = {
        each.attribute: (lacking or {}).get(each.attribute, Lacking.REFUSED)
        for each in data
        if each.attribute not in mappings
    }
    raise_all(list(_problems(table, mappings, data, chosen, accepted)))
    used = [each for each in data if each.attribute in mappings]
    if not used:
        raise InputError("people_share_lost", table=table.name)
    parts = {each.attribute: _parts(mappings[each.attribute]) for each in used}
    names = [mappings[each.attribute].target.name for each in used]
    is_shared = Lacking.INDEPENDENT in chosen.values() or any(
        each.is_shared for each in parts.values()
    )
    step = SubMonitor(monitor, 0.0, 0.3)
    cells = _cells_of(table, names, step, summed=is_shared)
    remarks = list(table.assumptions)
    for number, each in enumerate(used):
        low, high = (0.3 + 0.3 * n / len(used) for n in (number, number + 1))
        step = SubMonitor(monitor, low, high)
        name = each.attribute
        cells, found = _placed(cells, number, name, parts[name], step)
        remarks += found
        if not len(cells.counts):
            raise InputError("people_share_lost", table=table.name)
    order = [each.attribute for each in used]
    for attribute, choice in chosen.items():
        if choice is Lacking.INDEPENDENT:
            values = next(each for each in data if each.attribute == attribute)
            cells = _independent(cells, values)
            order.append(attribute)
            remarks.append(
                Reason("people_assumed_independent", {"attribute": attribute})
            )
        else:
            remarks.append(Reason("people_left_aside", {"attribute": attribute}))
    step = SubMonitor(monitor, 0.6, 1.0)
    placed = _gathered(cells, order, data, tuple(remarks), step)
    doubtful = {
        place: mappings[each.attribute].is_doubtful
        for place, each in enumerate(data)
        if each.attribute in mappings
    }
    return replace(placed, doubtful=doubtful)


def _problems(
    table: PopulationTable,
    mappings: Mapping[str, AttributeMapping],
    data: Sequence[DataValues],
    chosen: Mapping[str, Lacking],
    accepted: Collection[str],
) -> Iterator[DeidError]:
    targets: set[str] = set()
    for each in data:
        where = {"attribute": each.attribute, "table": table.name}
        mapping = mappings.get(each.attribute)
        if mapping is None:
            if chosen[each.attribute] is Lacking.REFUSED:
                yield InputError("people_lack_attribute", **where)
            continue
        assert mapping.data.texts == each.texts, "a mapping of other leaves"
        if mapping.target.name in targets:
            yield InputError("people_column_twice", **where, column=mapping.target.name)
        targets.add(mapping.target.name)
        if not mapping.is_ready:
            yield InputError("people_unconfirmed", **where)
        alone = [place for place in mapping.unmatched if not each.lacks(place)]
        if alone and each.attribute not in accepted:
            yield InputError(
                "people_no_partner",
                **where,
                n_values=len(alone),
                n_records=int(each.n_records[alone].sum()),
            )


# -- from values of the population to leaves -------------------------------------------


@dataclass(frozen=True, eq=False)
class _Cells:
    """People by codes, one array per attribute; rows may be alike."""

    columns: Sequence[AnyArray]
    counts: IntArray

    def only(self, kept: BoolArray, monitor: Monitor) -> _Cells:
        """Leave rows out."""
        columns = []
        for number, each in enumerate(self.columns):
            monitor.report(0.5 + 0.5 * number / len(self.columns), "population")
            columns.append(each[kept])
        return _Cells(columns, self.counts[kept])


def _cells_of(
    table: PopulationTable, names: Sequence[str], monitor: Monitor, *, summed: bool
) -> _Cells:
    """People by some attributes; rows that are alike are summed where it matters.

    Sharing is fairest among as many people as possible; people who go to one leaf as
    they are may come in several rows.
    """
    if summed:
        table = table.sums(names, monitor=monitor)
    return _Cells([table.cells[:, table.place(name)] for name in names], table.counts)


def _placed(
    cells: _Cells, place: int, name: str, parts: _Parts, monitor: Monitor
) -> tuple[_Cells, list[Reason]]:
    """Put the leaves of the data where values of the population stand."""
    codes, n_shared = cells.columns[place], 0
    if parts.is_shared:
        n_parts = parts.n[codes]
        n_shared = int(cells.counts[n_parts > 1].sum())
        starts, step = parts.starts[codes], SubMonitor(monitor, 0.0, 0.5)
        cells, of_part = _expanded(cells, n_parts, starts, parts.weights, step)
        leaves = parts.leaves[of_part]
    else:
        # Everybody goes to one leaf: nothing to share.
        leaves = parts.leaves[parts.starts][codes]
    remarks = [_remark("people_split", name, n_shared)] if n_shared else []
    columns = [*cells.columns]
    columns[place] = leaves
    monitor.report(0.5, "population")
    outside = leaves < 0
    if outside.any():
        n_outside = int(cells.counts[outside].sum())
        remarks.append(_remark("people_outside", name, n_outside))
        cells = _Cells(columns, cells.counts).only(~outside, monitor)
    else:
        cells = _Cells(columns, cells.counts)
    return cells, remarks


def _remark(code: str, attribute: str, population_size: int) -> Reason:
    return Reason(code, {"attribute": attribute, "population_size": population_size})


@dataclass(frozen=True, eq=False)
class _Parts:
    """Leaves that share each value of the population; -1 is outside the data."""

    starts: IntArray
    n: IntArray
    leaves: Int32Array
    weights: IntArray

    @property
    def is_shared(self) -> bool:
        """Whether people of a value go to several leaves."""
        return bool((self.n > 1).any())


def _parts(mapping: AttributeMapping) -> _Parts:
    is_left = mapping.outside > 0
    left = np.flatnonzero(is_left)
    other = np.concatenate([mapping.other, left])
    leaves = np.concatenate([mapping.own, np.full(len(left), -1)])
    weights = np.concatenate([mapping.weights, mapping.outside[left]])
    # A value whose units nobody could read belongs to nobody in the data.
    alone = np.setdiff1d(np.arange(mapping.target.n_values), other)
    other = np.concatenate([other, alone])
    leaves = np.concatenate([leaves, np.full(len(alone), -1)])
    weights = np.concatenate([weights, np.ones(len(alone), dtype=np.int64)])
    order = np.argsort(other, kind="stable")
    n = np.bincount(other, minlength=mapping.target.n_values).astype(np.int64)
    return _Parts(
        np.cumsum(n) - n,
        n,
        leaves[order].astype(np.int32),
        weights[order].astype(np.int64),
    )


def _expanded(
    cells: _Cells,
    n_parts: IntArray,
    starts: IntArray,
    weights: IntArray,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[_Cells, IntArray]:
    """Share the people of every cell among its parts; also the part of each row."""
    n_rows = int(n_parts.sum())
    if n_rows > MOST_CELLS:
        raise InputError("people_many_cells", n_cells=n_rows, limit=MOST_CELLS)
    split = split_counts(cells.counts, starts, n_parts, weights, monitor=monitor)
    columns = [each[split.of_cell] for each in cells.columns]
    return _Cells(columns, split.population), split.of_part


def _independent(cells: _Cells, values: DataValues) -> _Cells:
    """Share everybody among the values of an attribute as the records are."""
    present = np.flatnonzero(values.n_records > 0)
    n_cells = len(cells.counts)
    shared, of_part = _expanded(
        cells,
        np.full(n_cells, len(present), dtype=np.int64),
        np.zeros(n_cells, dtype=np.int64),
        values.n_records[present],
    )
    return _Cells([*shared.columns, present[of_part]], shared.counts)


def _gathered(
    cells: _Cells,
    order: Sequence[str],
    data: Sequence[DataValues],
    remarks: tuple[Reason, ...],
    monitor: Monitor,
) -> LeafPopulation:
    """Sum alike rows, with the columns in the order of the class table."""
    names = [each.attribute for each in data]
    known = tuple(place for place, name in enumerate(names) if name in order)
    columns = [cells.columns[order.index(names[place])] for place in known]
    sizes = [len(data[place].texts) for place in known]
    step = SubMonitor(monitor, 0.0, 0.7)
    groups = group_rows(len(cells.counts), columns, sizes, monitor=step)
    leaves = rows_of(columns, groups.first, monitor=SubMonitor(monitor, 0.7, 0.9))
    population = groups.sums(cells.counts, monitor=SubMonitor(monitor, 0.9, 1.0))
    is_estimate = any(reason.code in ESTIMATES for reason in remarks)
    kind = EstimatedRegister if is_estimate else Register
    register = kind(leaves, population)
    return LeafPopulation(register, tuple(names), known, remarks)


def _population(
    leaves: Int32Array, register: Register, sizes: Sequence[int], monitor: Monitor
) -> IntArray:
    """People of a register at each of some combinations of leaves."""
    n = len(leaves)
    columns = (
        np.concatenate([leaves[:, place], register.leaves[:, place]])
        for place in range(len(sizes))
    )
    step = SubMonitor(monitor, 0.0, 0.6)
    keys, rule = joint_keys(n + len(register.counts), columns, sizes, monitor=step)
    step = SubMonitor(monitor, 0.6, 0.8)
    first, of_cell = group_keys(keys[n:], rule.n_keys, monitor=step)
    step = SubMonitor(monitor, 0.8, 0.9)
    population = sums_by_group(of_cell, register.counts, len(first), monitor=step)
    known = keys[n:][first]
    monitor.report(0.95, "population")
    place = np.minimum(np.searchsorted(known, keys[:n]), len(known) - 1)
    monitor.report(1.0, "population")
    return np.where(known[place] == keys[:n], population[place], 0)
