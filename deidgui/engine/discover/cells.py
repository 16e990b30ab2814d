"""Counts records and people of the population for each combination of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.grouping import group_rows, joint_keys
from deidgui.engine.data.population import Population, Register, SamplingFraction
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.space import Space
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.errors import ConfigError, InputError


@dataclass(frozen=True, repr=False, eq=False)
class PopulationCounts:
    """People by some of the quasi-identifiers.

    Parameters
    ----------
    attributes : tuple of str
        Quasi-identifiers it counts by.
    leaves : ndarray of int32, shape (n_cells, n_attributes)
        Leaf of each in its hierarchy.
    counts : ndarray of int64, shape (n_cells,), each >= 0
        People per cell; a cell may stand in several rows.
    """

    attributes: tuple[str, ...]
    leaves: Int32Array
    counts: IntArray

    def __repr__(self) -> str:
        names = ", ".join(self.attributes)
        return f"<PopulationCounts of {self.population_size} people by {names}>"

    @property
    def population_size(self) -> int:
        """People of all cells."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class Coverage:
    """How well a population covers the records.

    Parameters
    ----------
    n_cells, n_records : int
        Combinations of values among the records, and the records.
    n_cells_without_population, n_records_without_population : int
        Those for which the population has nobody.
    n_cells_short, n_records_short : int
        Those with fewer people than records, nobody included.
    n_cells_possible, n_records_possible : int
        Those without people of their own whose missing values may be anything: they
        are looked up among all people that they could be.
    n_population_outside : int
        People with a value that is not in the domains: left out.
    """

    n_cells: int
    n_records: int
    n_cells_without_population: int = 0
    n_records_without_population: int = 0
    n_cells_short: int = 0
    n_records_short: int = 0
    n_cells_possible: int = 0
    n_records_possible: int = 0
    n_population_outside: int = 0

    @property
    def n_records_left_out(self) -> int:
        """Records that no sum of risks counts: nobody could be their person."""
        return self.n_records_without_population - self.n_records_possible

    @property
    def n_records_counted(self) -> int:
        """Records that the sums of risks are about."""
        return self.n_records - self.n_records_left_out


@dataclass(frozen=True, repr=False, eq=False)
class Cells:
    """Records and people by combination of the values of a space.

    Parameters
    ----------
    values : ndarray of int32, shape (n_cells, n_attributes)
        Places of the values of each combination that has records, ascending. As many
        as the domain has values: any value, the record's own is missing.
    records : ndarray of int64, shape (n_cells,), each >= 1
    of_combination : ndarray of int64, shape (n_combinations,)
        Cell of each combination of the class table; -1 where its records are in none.
    population : tuple of PopulationCounts
        Empty if nothing is known; `leaves` are then places of values. Several
        tables are joined as if their attributes were independent: the first gives
        people, each further one the share of them.
    fraction : float or None
        Share of the population that the records are a random sample of.
    """

    space: Space
    values: Int32Array
    records: IntArray
    of_combination: IntArray
    coverage: Coverage
    population: tuple[PopulationCounts, ...] = ()
    fraction: float | None = None

    def __repr__(self) -> str:
        return f"<Cells {len(self.records)} of {self.n_records} records>"

    @property
    def n_records(self) -> int:
        """Number of records in the cells."""
        return int(self.records.sum())

    @property
    def is_any(self) -> BoolArray:
        """Where a record may have any value: bool, (n_cells, n_attributes)."""
        sizes = [domain.n_values for domain in self.space.domains]
        return np.asarray(self.values == np.array(sizes, np.int32))

    def at_cells(self, of_combinations: BoolArray) -> BoolArray:
        """Where combinations of the class table are cells of their own: bool.

        Parameters
        ----------
        of_combinations : ndarray of bool, shape (n_combinations,)
        """
        found = np.zeros(len(self.records), np.bool_)
        inside = self.of_combination >= 0
        found[self.of_combination[inside]] = of_combinations[inside]
        return found

    def population_of(
        self, values: Int32Array, groups: Sequence[Int32Array] | None = None
    ) -> FloatArray:
        """People of the population with each combination of values.

        Parameters
        ----------
        values : ndarray of int32, shape (n, n_attributes)
            As of `Cells`.
        groups : sequence of ndarray of int32, each of shape (n_values,), optional
            By attribute, what each value is released as; itself if not given.

        Returns
        -------
        ndarray of float64, shape (n,), each >= 0
        """
        sizes = [each.n_values for each in self.space.domains]
        if groups is None:
            groups = [np.arange(size, dtype=np.int32) for size in sizes]
        tables = [
            PopulationCounts(
                table.attributes,
                np.stack(
                    [
                        groups[self.space.attributes.index(name)][column]
                        for name, column in zip(
                            table.attributes, table.leaves.T, strict=True
                        )
                    ],
                    axis=1,
                ),
                table.counts,
            )
            for table in self.population
        ]
        is_any = values == np.array(sizes, np.int32)
        released = np.stack(
            [
                group[np.minimum(column, len(group) - 1)]
                for group, column in zip(groups, values.T, strict=True)
            ],
            axis=1,
        )
        return _population_at(tables, self.space.attributes, sizes, released, is_any)


def _population_at(
    tables: Sequence[PopulationCounts],
    attributes: Sequence[str],
    sizes: Sequence[int],
    values: Int32Array,
    is_any: BoolArray,
) -> FloatArray:
    """People with each combination of values, but for those that may be anything."""
    found = np.ones(len(values))
    patterns, of_row = np.unique(is_any, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(of_row.ravel() == number)
        for place, table in enumerate(tables):
            used = [
                (attributes.index(name), column)
                for column, name in enumerate(table.attributes)
                if not pattern[attributes.index(name)]
            ]
            found_here = _population_in(table, used, sizes, values[rows])
            found[rows] *= found_here / (table.population_size if place else 1)
    return found


def _population_in(
    table: PopulationCounts,
    used: Sequence[tuple[int, int]],
    sizes: Sequence[int],
    values: Int32Array,
) -> FloatArray:
    """People of one table with the values of some attributes."""
    n = len(values)
    columns = [
        np.concatenate([values[:, own], table.leaves[:, column]])
        for own, column in used
    ]
    keys, _ = joint_keys(
        n + len(table.counts), columns, [sizes[own] for own, _ in used]
    )
    return _sums_by_key(keys[n:], table.counts, keys[:n])


def _sums_by_key(keys: IntArray, counts: IntArray, wanted: IntArray) -> FloatArray:
    """Sum of the counts with each wanted key."""
    order = np.argsort(keys, kind="stable")
    known = keys[order]
    sums = np.concatenate([[0], np.cumsum(counts[order])])
    low = np.searchsorted(known, wanted, "left")
    high = np.searchsorted(known, wanted, "right")
    return np.asarray(sums[high] - sums[low], dtype=np.float64)


def count_cells(
    space: Space,
    class_table: ClassTable,
    population: Sequence[PopulationCounts] | None = None,
    *,
    missing_is_anything: bool = False,
) -> Cells:
    """Count the records that have people, and these people, by the values of a space.

    Parameters
    ----------
    space : Space
        Its domains are of the hierarchies of the class table.
    population : sequence of PopulationCounts, optional
        The population: leaves of the hierarchies. Each attribute stands in exactly
        one table. The population of the class table if not given; attributes that it
        does not know do not tell people apart.
    missing_is_anything : bool
        Whether records whose missing values nobody in the population has are looked
        up among all people that they could be.

    Returns
    -------
    Cells
        Without the records for which the population has nobody: joining them with
        each other would pay for the risk of others (methods.md A.3). Where several
        tables are joined, nobody means less than one person.

    Raises
    ------
    ConfigError
        Codes ``people_attribute_missing`` or ``people_attribute_twice``
        (attribute), all together with the following.
    InputError
        Codes ``value_outside_domain`` (attribute, n_records) if records have
        leaves that a domain leaves out, ``population_negative`` (n_cells), or
        ``population_empty``; ``no_record_has_people`` (n_records) if no record is
        left.
    """
    fraction = None
    if population is None:
        population, fraction = _known(class_table.population, class_table.attributes)
    else:
        _check_attributes(space, population)
    inside, n_outside = [], 0
    for table in population:
        found, lost = _inside(space, table)
        inside.append(found)
        n_outside += lost
    is_any, coverage = _reach(class_table, population, n_outside, missing_is_anything)
    if not coverage.n_records_counted:
        raise InputError("no_record_has_people", n_records=coverage.n_records)
    return _counted(space, class_table, is_any, coverage, tuple(inside), fraction)


def count_records(space: Space, class_table: ClassTable) -> Cells:
    """Count all records by the values of a space, whoever the population knows.

    Raises
    ------
    InputError
        Code ``value_outside_domain`` (attribute, n_records).
    """
    nothing = np.zeros(class_table.leaves.shape, np.bool_)
    n = Coverage(class_table.n_classes, int(class_table.counts.sum()))
    return _counted(space, class_table, (np.ones(len(nothing), bool), nothing), n, ())


def _known(
    population: Population | None, attributes: tuple[str, ...]
) -> tuple[Sequence[PopulationCounts], float | None]:
    match population:
        case Register(known=(leaves, counts)):
            return (PopulationCounts(attributes, leaves, counts),), None
        case PartialRegister(population=Register(known=(leaves, counts)), known=known):
            names = tuple(attributes[place] for place in known)
            return (PopulationCounts(names, leaves, counts),), None
        case SamplingFraction(fraction=fraction):
            return (), fraction
        case _:
            return (), None


def _reach(
    class_table: ClassTable,
    tables: Sequence[PopulationCounts],
    n_outside: int,
    missing_is_anything: bool,
) -> tuple[tuple[BoolArray, BoolArray], Coverage]:
    """Which combinations count, and which of their values may be anything."""
    leaves, counts = class_table.leaves, class_table.counts
    is_any = np.zeros(leaves.shape, np.bool_)
    if not tables:
        every = np.ones(len(counts), np.bool_)
        return (every, is_any), Coverage(len(counts), int(counts.sum()))
    sizes = [each.n_leaves for each in class_table.hierarchies]
    where = tables, class_table.attributes, sizes, leaves
    population = _population_at(*where, is_any)
    none, short = population < 1, population < counts
    is_possible = np.zeros(len(counts), np.bool_)
    if missing_is_anything and none.any():
        known = {name for table in tables for name in table.attributes}
        for place, hierarchy in enumerate(class_table.hierarchies):
            if hierarchy.missing_leaf is not None and hierarchy.attribute in known:
                is_any[:, place] = none & (leaves[:, place] == hierarchy.missing_leaf)
        is_possible = is_any.any(axis=1) & (_population_at(*where, is_any) >= 1)
        is_any &= is_possible[:, None]
    return (~none | is_possible, is_any), Coverage(
        len(counts),
        int(counts.sum()),
        int(none.sum()),
        int(counts[none].sum()),
        int(short.sum()),
        int(counts[short].sum()),
        int(is_possible.sum()),
        int(counts[is_possible].sum()),
        n_outside,
    )


def _counted(
    space: Space,
    class_table: ClassTable,
    reach: tuple[BoolArray, BoolArray],
    coverage: Coverage,
    population: tuple[PopulationCounts, ...],
    fraction: float | None = None,
) -> Cells:
    """Merge combinations of leaves that have the same values."""
    is_counted, is_any = reach
    leaves, counts = class_table.leaves, class_table.counts
    columns = []
    for place, domain in enumerate(space.domains):
        column = domain.of_leaf[leaves[:, place]]
        if (column < 0).any():
            raise InputError(
                "value_outside_domain",
                attribute=domain.attribute,
                n_records=int(counts[column < 0].sum()),
            )
        column = np.where(is_any[:, place], np.int32(domain.n_values), column)
        columns.append(column[is_counted])
    sizes = [each.n_values + 1 for each in space.domains]
    groups = group_rows(int(is_counted.sum()), columns, sizes)
    values = np.stack([column[groups.first] for column in columns], axis=1)
    of_combination = np.full(len(counts), -1, np.int64)
    of_combination[is_counted] = groups.of_row
    return Cells(
        space,
        np.ascontiguousarray(values, dtype=np.int32),
        groups.sums(counts[is_counted]),
        of_combination,
        coverage,
        population,
        fraction,
    )


def _check_attributes(space: Space, population: Sequence[PopulationCounts]) -> None:
    if not population:
        return
    named = [name for table in population for name in table.attributes]
    for name in space.attributes:
        if named.count(name) != 1:
            code = (
                "people_attribute_twice"
                if name in named
                else ("people_attribute_missing")
            )
            raise ConfigError(code, attribute=name)


def _inside(space: Space, table: PopulationCounts) -> tuple[PopulationCounts, int]:
    """The cells of a table within the domains, and how many people are not."""
    if (table.counts < 0).any():
        n_cells = int((table.counts < 0).sum())
        raise InputError("population_negative", n_cells=n_cells)
    domains: list[Domain] = [
        space.domains[space.attributes.index(name)] for name in table.attributes
    ]
    columns = [
        domain.of_leaf[table.leaves[:, place]] for place, domain in enumerate(domains)
    ]
    inside = np.all([column >= 0 for column in columns], axis=0) & (table.counts > 0)
    values = np.stack([column[inside] for column in columns], axis=1)
    found = PopulationCounts(table.attributes, values, table.counts[inside])
    if found.population_size == 0:
        raise InputError("population_empty")
    return found, table.population_size - found.population_size
