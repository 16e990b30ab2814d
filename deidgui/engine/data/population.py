"""Counts or estimates the people of the population in each class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import joint_keys
from deidgui.errors import ConfigError, InputError

DENSE_KEYS = 65_536
"""Up to so many keys, and four for each cell, all are counted in one array."""


@dataclass(frozen=True, eq=False)
class PopulationSizes:
    """Classes of a release in the population.

    Parameters
    ----------
    sizes : ndarray of float64, shape (n_classes,), each > 0
        People of the population in each class of records.
    n_empty : int
        Classes of the population that are none of these: without records as long
        as no class is suppressed. 0 if they are not known.
    """

    sizes: FloatArray
    n_empty: int = 0


class Population(ABC):
    """What is known about the people the records come from.

    Attributes
    ----------
    is_counted : bool
        Whether sizes are counts; estimates otherwise.
    has_population : bool
        Whether people are known by their values, counted or estimated.
    """

    is_counted: ClassVar[bool]
    has_population: ClassVar[bool] = True

    @abstractmethod
    def sizes(
        self,
        counts: IntArray,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> PopulationSizes:
        """Count or estimate the people in each class.

        Parameters
        ----------
        counts : ndarray of int64, shape (n_classes,), each >= 1
            Records per class.
        groups : ndarray of int32, shape (n_classes, n_attributes)
            Released value of each attribute.
        values : sequence of ndarray of int32, each of shape (n_leaves,)
            Per attribute, the released value of each leaf.
        n_values : sequence of int
            Per attribute, how many released values there are.
        """

    @property
    def register(self) -> Register | None:
        """All people by their leaves, where nothing else decides who is in a class."""
        return None

    @abstractmethod
    def outside(
        self,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> Population:
        """Leave out the people of some classes.

        Parameters
        ----------
        groups : ndarray of int32, shape (n_classes, n_attributes)
            Released value of each attribute, for the classes to leave out.
        values, n_values : sequences
            As of `sizes`.
        """


@dataclass(frozen=True)
class SamplingFraction(Population):
    """The records are a random sample, a known share of the population.

    Parameters
    ----------
    fraction : float in (0, 1]

    Raises
    ------
    ConfigError
        Code ``population_fraction``.
    """

    is_counted = False
    has_population = False

    fraction: float

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 1:
            raise ConfigError("population_fraction", found=self.fraction)

    def sizes(
        self,
        counts: IntArray,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> PopulationSizes:
        """Estimate f/α (methods.md F.2; see `Population.sizes`)."""
        return PopulationSizes(counts / self.fraction)

    def outside(
        self,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> SamplingFraction:
        """Return itself: the other records are sampled alike."""
        return self


@dataclass(frozen=True, repr=False, eq=False)
class Register(Population):
    """Counts of people by combination of quasi-identifier leaves.

    Parameters
    ----------
    leaves : ndarray of int32, shape (n_cells, n_attributes)
        Leaf of each attribute in the hierarchies of the class table.
    counts : ndarray of int64, shape (n_cells,), each >= 1
        People per cell; a cell may stand in several rows.
    n_outside : int
        Combinations of values that people have for which there is no leaf: classes
        of the population without records wherever they are counted.
    n_assumed : int
        So many of the last rows hold people whom nobody knows of: they are assumed
        because the data have more records.

    Raises
    ------
    InputError
        Code ``population_empty`` if there is no cell.
    """

    is_counted = True

    leaves: Int32Array
    counts: IntArray
    n_outside: int = 0
    n_assumed: int = 0

    def __post_init__(self) -> None:
        if not len(self.counts):
            raise InputError("population_empty")

    def __repr__(self) -> str:
        return f"<Register {self.population_size} people in {len(self.counts)} cells>"

    @property
    def register(self) -> Register:
        """It is one (see `Population.register`)."""
        return self

    @property
    def population_size(self) -> int:
        """People of the population."""
        return int(self.counts.sum())

    @property
    def known(self) -> tuple[Int32Array, IntArray]:
        """Leaves and counts of the rows with people who were not assumed."""
        end = len(self.counts) - self.n_assumed
        return self.leaves[:end], self.counts[:end]

    def sizes(
        self,
        counts: IntArray,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> PopulationSizes:
        """Count the people in each class (see `Population.sizes`).

        Raises
        ------
        InputError
            Code ``population_lacks_records`` if records fall into classes with
            fewer people than records: then they are not a part of the population.
        """
        columns = [
            np.concatenate([groups[:, place], value[self.leaves[:, place]]])
            for place, value in enumerate(values)
        ]
        n_classes = len(counts)
        keys, rule = joint_keys(n_classes + len(self.counts), columns, n_values)
        population, n_empty = _population_of(
            keys[:n_classes], keys[n_classes:], self.counts, rule.n_keys
        )
        short = population < counts
        if short.any():
            raise InputError(
                "population_lacks_records",
                n_classes=int(short.sum()),
                n_records=int(counts[short].sum()),
            )
        return PopulationSizes(population.astype(np.float64), n_empty + self.n_outside)

    def outside(
        self,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> Register:
        """Leave out the cells of some classes (see `Population.outside`).

        Raises
        ------
        InputError
            Code ``population_empty`` if nobody is left.
        """
        columns = [
            np.concatenate([groups[:, place], value[self.leaves[:, place]]])
            for place, value in enumerate(values)
        ]
        keys, _ = joint_keys(len(groups) + len(self.counts), columns, n_values)
        left = ~np.isin(keys[len(groups) :], keys[: len(groups)])
        return Register(self.leaves[left], self.counts[left], self.n_outside)


def _population_of(
    own: IntArray, of_cell: IntArray, counts: IntArray, n_keys: int
) -> tuple[IntArray, int]:
    """People of each class, and the number of other classes with people.

    Keys of few different
    values are counted in one array; others are looked up among those of the classes.
    """
    if n_keys <= DENSE_KEYS + 4 * len(of_cell):
        by_key = _sums(of_cell, counts, n_keys)
        n_other = np.count_nonzero(by_key) - np.count_nonzero(by_key[own])
        return by_key[own], int(n_other)
    order = np.argsort(own)
    ascending = own[order]
    place = np.minimum(np.searchsorted(ascending, of_cell), len(own) - 1)
    inside = ascending[place] == of_cell
    population = np.empty(len(own), dtype=np.int64)
    population[order] = _sums(place[inside], counts[inside], len(own))
    return population, len(np.unique(of_cell[~inside]))


def _sums(numbers: IntArray, counts: IntArray, size: int) -> IntArray:
    """Sum of the counts of each number, exact in floats up to 2^53 people."""
    assert counts.sum() < 2**53, "more people than ever lived"
    return np.bincount(numbers, counts, size).astype(np.int64)
