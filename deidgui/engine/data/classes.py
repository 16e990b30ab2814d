"""Which records become alike when every attribute is released at one level."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.population import PopulationSizes
from deidgui.engine.data.sensitive import Distribution
from deidgui.errors import ConfigError


class Classes:
    """Equivalence classes at one node of the lattice, none suppressed.

    Parameters
    ----------
    levels : tuple of int
        Level of each attribute.
    groups : ndarray of int32, shape (n_classes, n_attributes)
        Group of each attribute at its level.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records per class.
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table; -1 if it is none of these.
    """

    def __init__(
        self,
        class_table: ClassTable,
        levels: tuple[int, ...],
        groups: Int32Array,
        counts: IntArray,
        of_combination: IntArray,
    ) -> None:
        self.class_table = class_table
        self.levels = levels
        self.counts = counts
        self._groups = groups
        self._of_combination = of_combination
        self._distributions: dict[str, Distribution] = {}
        self.memory: dict[Hashable, AnyArray] = {}
        """What privacy models want to compute only once for these classes."""

    def __repr__(self) -> str:
        return f"<Classes {self.n_classes} at {self.levels}>"

    @property
    def groups(self) -> Int32Array:
        """Group of each attribute at its level: int32, (n_classes, n_attributes)."""
        return self._groups

    @property
    def of_combination(self) -> IntArray:
        """Class of each row of the class table, -1 for none: int64."""
        return self._of_combination

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.counts)

    def column_groups(self, column: int, places: IntArray) -> Int32Array:
        """Group of one attribute in some classes: int32, (n_places,)."""
        found: Int32Array = self.groups[places, column]
        return found

    def generality(self, places: IntArray) -> IntArray:
        """How general the values of some classes are: what suppressing them saves.

        Parameters
        ----------
        places : ndarray of int64, shape (n_places,)

        Returns
        -------
        ndarray of int64, shape (n_places,)
            Sum over the attributes of the part of the leaves that a value stands
            for, in `PARTS`; the same constant less for all classes of the node.
        """
        found = np.zeros(len(places), dtype=np.int64)
        for column, level in enumerate(self.levels):
            step = self.class_table.hierarchies[column].levels[level]
            if level > 0 and step.n_groups > 1:  # Else all values are as general.
                found += step.parts[self.column_groups(column, places)]
        return found

    def ranks(self, column: int, places: IntArray) -> Int32Array:
        """Place of the label of one attribute among those of its level.

        Parameters
        ----------
        places : ndarray of int64, shape (n_places,)
            Some of the classes.

        Returns
        -------
        ndarray of int32, shape (n_places,)
            In the order of the labels' code points, which depends on no file.
        """
        step = self.class_table.hierarchies[column].levels[self.levels[column]]
        return step.ranks[self.column_groups(column, places)]

    def leaves(self, column: int) -> IntArray:
        """Hierarchy leaves below the value of each class: int64, (n_classes,)."""
        hierarchy = self.class_table.hierarchies[column]
        below = hierarchy.leaf_counts(self.levels[column])
        return np.asarray(below[self.groups[:, column]], dtype=np.int64)

    def distribution(self, attribute: str) -> Distribution:
        """Values of a sensitive attribute in each class.

        Parameters
        ----------
        attribute : str
            One of ``class_table.sensitive`` (KeyError otherwise).
        """
        if attribute not in self._distributions:
            self._distributions[attribute] = self._count_values(attribute)
        return self._distributions[attribute]

    def _count_values(self, attribute: str) -> Distribution:
        of_combinations = self.class_table.sensitive[attribute]
        return of_combinations.merged(self.of_combination, self.n_classes)

    @cached_property
    def population(self) -> PopulationSizes:
        """People of the population in each class.

        Raises
        ------
        ConfigError
            Code ``population_missing`` if nothing is known about it.
        InputError
            Code ``population_lacks_records``.
        """
        known = self.class_table.population
        if known is None:
            raise ConfigError("population_missing")
        steps = [
            hierarchy.levels[level]
            for hierarchy, level in zip(
                self.class_table.hierarchies, self.levels, strict=True
            )
        ]
        return known.sizes(
            self.counts,
            self.groups,
            [step.groups for step in steps],
            [step.n_groups for step in steps],
        )

    def only(self, kept: BoolArray) -> Classes:
        """Return some of the classes; combinations of the others get -1.

        Parameters
        ----------
        kept : ndarray of bool, shape (n_classes,)
        """
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        return Classes(
            self.class_table,
            self.levels,
            self.groups[kept],
            self.counts[kept],
            number[self.of_combination],
        )


def classes_at(class_table: ClassTable, levels: Sequence[int]) -> Classes:
    """Group the combinations of a class table at one node of the lattice.

    Parameters
    ----------
    levels : sequence of int
        A level of each attribute's hierarchy.

    Returns
    -------
    Classes
        In ascending lexicographic order of their groups.
    """
    steps = [
        hierarchy.levels[level]
        for hierarchy, level in zip(class_table.hierarchies, levels, strict=True)
    ]
    merged = merge_combinations(
        class_table, [step.groups for step in steps], [step.n_groups for step in steps]
    )
    return Classes(class_table, tuple(levels), *merged)


def merge_combinations(
    class_table: ClassTable, values: Sequence[Int32Array], n_values: Sequence[int]
) -> tuple[Int32Array, IntArray, IntArray]:
    """Merge the combinations that are alike in a value given to every leaf.

    Parameters
    ----------
    values : sequence of ndarray of int32, each of shape (n_leaves,)
        Per attribute, the value of each leaf.
    n_values : sequence of int
        Per attribute, how many values there are.

    Returns
    -------
    rows : ndarray of int32, shape (n_classes, n_attributes)
        Values of each class; rows in ascending lexicographic order.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records of each class.
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table.
    """
    leaves = class_table.leaves
    columns = [value[leaves[:, place]] for place, value in enumerate(values)]
    groups = group_rows(class_table.n_classes, columns, n_values)
    rows = np.empty((len(groups.first), len(columns)), dtype=np.int32)
    for place, column in enumerate(columns):
        rows[:, place] = column[groups.first]
    return rows, groups.sums(class_table.counts), groups.of_row
