"""The figures that quality measures need of a release by any kind of policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.released import ReleasedClasses
from deidgui.engine.quality.base import NodeFigures, TableFacts, figures_of, plogp


def release_figures(
    class_table: ClassTable, released: ReleasedClasses, facts: TableFacts | None = None
) -> NodeFigures:
    """Figures of a release for quality measures.

    Parameters
    ----------
    class_table : ClassTable
        That the policy was applied to.
    facts : TableFacts, optional
        Of the class table, if it is there already.

    Returns
    -------
    NodeFigures
        Of one node. For several rounds, and for groups that are no level, its levels
        are means over the released records, and its facts those of a lattice in
        which this node is the only one.

    Notes
    -----
    The divergence of classes of different rounds that may stand for the same
    combination counts each class by itself, and is not too low.

    A group that is no level counts as the lowest level at which its leaves are one
    group (Sweeney's precision is defined for each cell by itself). Where a released
    group is none of the hierarchy's at any level, the attribute has no level: NaN.
    """
    only = released.rounds[0]
    if len(released.rounds) == 1 and only.classes.levels:
        return figures_of(facts or TableFacts(class_table), only.classes, ~only.kept)
    return _Rounds(class_table, released).figures()


@dataclass(frozen=True, eq=False)
class _LocalFacts(TableFacts):
    """Facts of a table whose only node is a release that is no node of the lattice."""

    rounds: _Rounds

    @cached_property
    def leaf_sums(self) -> tuple[IntArray, ...]:
        """For each attribute, the leaves below the label, over records."""
        counts = self.class_table.counts
        return tuple(np.array([each @ counts]) for each in self.rounds.leaves.T)

    @cached_property
    def log_leaf_sums(self) -> tuple[FloatArray, ...]:
        """For each attribute, log(leaves below the label), over records."""
        counts = self.class_table.counts
        return tuple(np.array([np.log(each) @ counts]) for each in self.rounds.leaves.T)

    @cached_property
    def lost_bits(self) -> tuple[FloatArray, ...]:
        """For each attribute, the bits lost about a leaf that has this label."""
        found = []
        for place, labels in enumerate(self.rounds.labels.T):
            leaves = self.class_table.leaves[:, place].astype(np.int64)
            both = labels * self.n_leaves[place] + leaves
            counts = self.class_table.counts
            _, pair = np.unique(both, return_inverse=True)
            lost = plogp(np.bincount(labels, counts)) - plogp(np.bincount(pair, counts))
            found.append(np.array([max(0.0, lost)]))
        return tuple(found)

    def at_levels(
        self, tables: Sequence[FloatArray | IntArray], levels: AnyArray
    ) -> FloatArray:
        """Value of the only node (see `TableFacts.at_levels`)."""
        return np.array([[float(table[0]) for table in tables]])


@dataclass(frozen=True, eq=False)
class _Rounds:
    """Labels of the combinations of a class table, round by round."""

    class_table: ClassTable
    released: ReleasedClasses

    @cached_property
    def labels(self) -> Int32Array:
        """Label of each combination: int32, (n_combinations, n_attributes)."""
        return self.released.labels[self.released.of_combination]

    @cached_property
    def levels(self) -> FloatArray:
        """Level of each label, NaN for none: (n_combinations, n_attributes)."""
        found = np.empty(self.class_table.leaves.shape)
        for each in self.released.rounds:
            for place, column in enumerate(each.policy.maps):
                groups = each.classes.groups[each.classes.of_combination, place]
                found[each.rows, place] = column.group_levels[groups]
        return found

    @cached_property
    def leaves(self) -> IntArray:
        """Leaves below each label: int64, (n_combinations, n_attributes)."""
        found = np.empty(self.class_table.leaves.shape, dtype=np.int64)
        for each in self.released.rounds:
            for place in range(len(self.class_table.hierarchies)):
                below = each.classes.leaves(place)
                found[each.rows, place] = below[each.classes.of_combination]
        return found

    @cached_property
    def is_suppressed(self) -> BoolArray:
        """Which combinations are suppressed."""
        return np.asarray(self.released.suppressed[self.released.of_combination])

    def figures(self) -> NodeFigures:
        """See `release_figures`."""
        counts, gone = self.class_table.counts, self.is_suppressed
        sizes, suppressed = self.released.counts, self.released.suppressed
        n_gone = counts[gone]
        total = plogp(n_gone.sum(keepdims=True))
        bits = [
            total - plogp(np.bincount(each[gone], n_gone)) for each in self.labels.T
        ]
        areas = self.leaves.prod(axis=1, dtype=np.float64)
        density = sizes[self.released.of_combination] / areas
        kept = counts[~gone]
        return NodeFigures(
            _LocalFacts(self.class_table, self),
            (kept @ self.levels[~gone] / max(1, kept.sum()))[None, :],
            _one(len(sizes)),
            _one(sizes @ sizes),
            _one(n_gone.sum()),
            _one(suppressed.sum()),
            _one(sizes[suppressed] @ sizes[suppressed]),
            (n_gone @ self.leaves[gone])[None, :],
            np.array([bits]),
            np.array([areas[~gone] @ kept]),
            np.array([kept @ np.log2(density[~gone])]),
        )


def _one(value: AnyArray | int) -> IntArray:
    return np.array([value], dtype=np.int64)
