"""How many people of the population look like the records of a class?"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import joint_keys
from deidgui.errors import InputError


@dataclass(frozen=True, eq=False)
class PopulationSizes:
    """Classes of a release in the population.

    Parameters
    ----------
    sizes : ndarray of float64, shape (n_classes,), each > 0
        People of the population in each class of records.
    n_empty : int
        Classes of the population that no record falls into; 0 if they are not
        known.
    """

    sizes: FloatArray
    n_empty: int = 0


class Population(ABC):
    """What is known about the people the records come from.

    Attributes
    ----------
    is_counted : bool
        Whether sizes are counts; estimates otherwise.
    """

    is_counted: ClassVar[bool]

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

        Returns
        -------
        PopulationSizes
        """


@dataclass(frozen=True)
class SamplingFraction(Population):
    """The records are a random sample, a known share of the population.

    Parameters
    ----------
    fraction : float in (0, 1]
    """

    is_counted = False

    fraction: float

    def sizes(
        self,
        counts: IntArray,
        groups: Int32Array,
        values: Sequence[Int32Array],
        n_values: Sequence[int],
    ) -> PopulationSizes:
        """Estimate f/α (methods.md F.2; see `Population.sizes`)."""
        return PopulationSizes(counts / self.fraction)


@dataclass(frozen=True, repr=False, eq=False)
class Register(Population):
    """Counts of people by combination of quasi-identifier leaves.

    Parameters
    ----------
    leaves : ndarray of int32, shape (n_cells, n_attributes)
        Leaf of each attribute in the hierarchies of the class table.
    counts : ndarray of int64, shape (n_cells,), each >= 1
        People per cell.
    """

    is_counted = True

    leaves: Int32Array
    counts: IntArray

    def __repr__(self) -> str:
        return f"<Register {self.n_people} people in {len(self.counts)} cells>"

    @property
    def n_people(self) -> int:
        """People of the population."""
        return int(self.counts.sum())

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
        n_classes = len(counts)
        columns = [
            np.concatenate([groups[:, place], value[self.leaves[:, place]]])
            for place, value in enumerate(values)
        ]
        keys, _ = joint_keys(n_classes + len(self.counts), columns, n_values)
        own, of_cell = keys[:n_classes], keys[n_classes:]
        distinct, number = np.unique(of_cell, return_inverse=True)
        people = np.bincount(number, self.counts, len(distinct))
        place = np.minimum(np.searchsorted(distinct, own), len(distinct) - 1)
        sizes = np.where(distinct[place] == own, people[place], 0.0)
        short = sizes < counts
        if short.any():
            raise InputError(
                "population_lacks_records",
                n_classes=int(short.sum()),
                n_records=int(counts[short].sum()),
            )
        return PopulationSizes(sizes, len(distinct) - n_classes)
