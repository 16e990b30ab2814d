"""Counts records and people of the population for each combination of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
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
        Those for which the population has nobody (see `Cells.added`).
    n_cells_short, n_records_short : int
        Those with fewer people than records, nobody included.
    n_population_outside : int
        People with a value that is not in the domains: left out.
    """

    n_cells: int
    n_records: int
    n_cells_without_population: int = 0
    n_records_without_population: int = 0
    n_cells_short: int = 0
    n_records_short: int = 0
    n_population_outside: int = 0


@dataclass(frozen=True, repr=False, eq=False)
class Cells:
    """Records and people by combination of the values of a space.

    Parameters
    ----------
    values : ndarray of int32, shape (n_cells, n_attributes)
        Places of the values of each combination that has records, ascending.
    records : ndarray of int64, shape (n_cells,), each >= 1
    population : tuple of PopulationCounts
        Empty if nothing is known; `leaves` are then places of values. Several
        tables are joined as if their attributes were independent: the first gives
        people, each further one the share of them.
    fraction : float or None
        Share of the population that the records are a random sample of.
    n_population_outside : int
        See `Coverage`.
    """

    space: Space
    values: Int32Array
    records: IntArray
    population: tuple[PopulationCounts, ...] = ()
    fraction: float | None = None
    n_population_outside: int = 0

    def __repr__(self) -> str:
        return f"<Cells {len(self.records)} of {self.n_records} records>"

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.records.sum())

    @cached_property
    def coverage(self) -> Coverage:
        """How well the population covers the records."""
        if not self.population:
            return Coverage(len(self.records), self.n_records)
        population = self.population_of(self.values)
        none, short = population < 1, population < self.records
        return Coverage(
            len(self.records),
            self.n_records,
            int(none.sum()),
            int(self.records[none].sum()),
            int(short.sum()),
            int(self.records[short].sum()),
            self.n_population_outside,
        )

    @cached_property
    def added(self) -> FloatArray:
        """People added to each combination of records that nobody has: (n_cells,).

        As many as it has records. Where independent tables are joined, nobody means
        less than one person.
        """
        if not self.population:
            return np.zeros(len(self.records))
        population = self.population_of(self.values)
        return np.where(population < 1, np.maximum(self.records - population, 0.0), 0.0)

    def population_of(
        self, values: Int32Array, groups: Sequence[Int32Array] | None = None
    ) -> FloatArray:
        """People of the population with each combination of values.

        Parameters
        ----------
        values : ndarray of int32, shape (n, n_attributes)
        groups : sequence of ndarray of int32, each of shape (n_values,), optional
            By attribute, what each value is released as; itself if not given.

        Returns
        -------
        ndarray of float64, shape (n,), each >= 0
        """
        domains = self.space.domains
        if groups is None:
            groups = [np.arange(each.n_values, dtype=np.int32) for each in domains]
        found = np.ones(len(values))
        for number, table in enumerate(self.population):
            places = [self.space.attributes.index(name) for name in table.attributes]
            sizes = [domains[place].n_values for place in places]
            columns = [
                groups[place][
                    np.concatenate([values[:, place], table.leaves[:, column]])
                ]
                for column, place in enumerate(places)
            ]
            n = len(values)
            keys, _ = joint_keys(n + len(table.counts), columns, sizes)
            population = _sums_by_key(keys[n:], table.counts, keys[:n])
            found *= population / (table.population_size if number else 1)
        return found


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
) -> Cells:
    """Count records and people by the values of a space.

    Parameters
    ----------
    space : Space
        Its domains are of the hierarchies of the class table.
    population : sequence of PopulationCounts, optional
        The population: leaves of the hierarchies. Each attribute stands in exactly
        one table. The population of the class table if not given; attributes that it
        does not know do not tell people apart.

    Raises
    ------
    ConfigError
        Codes ``people_attribute_missing`` or ``people_attribute_twice``
        (attribute), all together with the following.
    InputError
        Codes ``value_outside_domain`` (attribute, n_records) if records have
        leaves that a domain leaves out, ``population_negative`` (n_cells), or
        ``population_empty``.
    """
    values, records = _counted(space, class_table.leaves, class_table.counts)
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
    return Cells(space, values, records, tuple(inside), fraction, n_outside)


def _known(
    population: Population | None, attributes: tuple[str, ...]
) -> tuple[Sequence[PopulationCounts], float | None]:
    match population:
        case Register(leaves=leaves, counts=counts):
            return (PopulationCounts(attributes, leaves, counts),), None
        case PartialRegister(population=register, known=known):
            names = tuple(attributes[place] for place in known)
            return (PopulationCounts(names, register.leaves, register.counts),), None
        case SamplingFraction(fraction=fraction):
            return (), fraction
        case _:
            return (), None


def _counted(
    space: Space, leaves: Int32Array, counts: IntArray
) -> tuple[Int32Array, IntArray]:
    """Merge combinations of leaves that have the same values."""
    columns = []
    for place, domain in enumerate(space.domains):
        column = domain.of_leaf[leaves[:, place]]
        if (column < 0).any():
            raise InputError(
                "value_outside_domain",
                attribute=domain.attribute,
                n_records=int(counts[column < 0].sum()),
            )
        columns.append(column)
    sizes = [each.n_values for each in space.domains]
    groups = group_rows(len(counts), columns, sizes)
    values = np.stack([column[groups.first] for column in columns], axis=1)
    return np.ascontiguousarray(values, dtype=np.int32), groups.sums(counts)


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
