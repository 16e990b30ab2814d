"""Which records become alike when values are grouped in any way, level or not?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.classes import Classes, merge_combinations
from deidgui.engine.data.hierarchy import PARTS
from deidgui.engine.data.population import PopulationSizes
from deidgui.errors import ConfigError


class GroupedClasses(Classes):
    """Equivalence classes of groups of leaves that need be no level of a hierarchy.

    Parameters
    ----------
    of_leaf : sequence of ndarray of int32, each of shape (n_leaves,)
        By attribute, the group of each leaf.
    n_groups : sequence of int
        By attribute, how many groups there are.
    merged : tuple of ndarray, optional
        Groups, counts and class of each combination, if they are known already
        (see `merge_combinations`).
    """

    def __init__(
        self,
        class_table: ClassTable,
        of_leaf: Sequence[Int32Array],
        n_groups: Sequence[int],
        merged: tuple[Int32Array, IntArray, IntArray] | None = None,
    ) -> None:
        if merged is None:
            merged = merge_combinations(class_table, of_leaf, n_groups)
        super().__init__(class_table, (), *merged)
        self._of_leaf, self._n_groups = tuple(of_leaf), tuple(n_groups)

    def ranks(self, column: int, places: IntArray) -> Int32Array:
        """Place of the group of one attribute, in the order of the groups."""
        return self.column_groups(column, places)

    def leaves(self, column: int) -> IntArray:
        """Hierarchy leaves in the group of each class: int64, (n_classes,)."""
        found: IntArray = self._n_leaves(column)[self.groups[:, column]]
        return found

    def generality(self, places: IntArray) -> IntArray:
        """How general the values of some classes are (see `Classes.generality`)."""
        found = np.zeros(len(places), dtype=np.int64)
        for column, of_leaf in enumerate(self._of_leaf):
            below = self._n_leaves(column)[self.column_groups(column, places)]
            found += below * (PARTS // len(of_leaf))
        return found

    def _n_leaves(self, column: int) -> IntArray:
        of_leaf = self._of_leaf[column]
        counts = np.bincount(of_leaf, minlength=self._n_groups[column])
        return counts.astype(np.int64)

    @cached_property
    def population(self) -> PopulationSizes:
        """People of the population in each class (see `Classes.population`)."""
        known = self.class_table.population
        if known is None:
            raise ConfigError("population_missing")
        return known.sizes(self.counts, self.groups, self._of_leaf, self._n_groups)

    def only(self, kept: BoolArray) -> GroupedClasses:
        """Return some of the classes (see `Classes.only`)."""
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        merged = self.groups[kept], self.counts[kept], number[self.of_combination]
        return GroupedClasses(self.class_table, self._of_leaf, self._n_groups, merged)
