"""The figures of a table and of lattice nodes that quality measures use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import ClassTable, EquivalenceClasses


@dataclass(frozen=True, eq=False)
class TableFacts:
    """What measures need to know of a class table, whatever the node."""

    class_table: ClassTable

    @cached_property
    def n_records(self) -> int:
        """Number of records, suppressed ones included."""
        return self.class_table.n_records

    @cached_property
    def heights(self) -> IntArray:
        """Most general level of each attribute: int64, (n_attributes,)."""
        return np.array([each.height for each in self.class_table.hierarchies])

    @cached_property
    def n_leaves(self) -> IntArray:
        """Leaves of each attribute's hierarchy: int64, (n_attributes,)."""
        return np.array([each.n_leaves for each in self.class_table.hierarchies])

    @cached_property
    def marginals(self) -> tuple[IntArray, ...]:
        """Records per leaf of each attribute."""
        table = self.class_table
        # Sums of whole numbers below 2^53: exact.
        return tuple(
            np.bincount(table.leaves[:, column], table.counts, n_leaves).astype(
                np.int64
            )
            for column, n_leaves in enumerate(self.n_leaves)
        )

    @cached_property
    def leaf_sums(self) -> tuple[IntArray, ...]:
        """For each attribute and level, the leaves below the value, over records."""
        return tuple(
            np.array(
                [
                    hierarchy.leaf_counts(level)[step.groups] @ marginal
                    for level, step in enumerate(hierarchy.levels)
                ]
            )
            for hierarchy, marginal in zip(
                self.class_table.hierarchies, self.marginals, strict=True
            )
        )

    @cached_property
    def log_leaf_sums(self) -> tuple[FloatArray, ...]:
        """For each attribute and level, log(leaves below the value), over records."""
        return tuple(
            np.array(
                [
                    np.log(hierarchy.leaf_counts(level)[step.groups]) @ marginal
                    for level, step in enumerate(hierarchy.levels)
                ]
            )
            for hierarchy, marginal in zip(
                self.class_table.hierarchies, self.marginals, strict=True
            )
        )

    @cached_property
    def lost_bits(self) -> tuple[FloatArray, ...]:
        """For each attribute and level, the information lost by generalizing.

        Minus the sum over records of log2(records with the same leaf / records
        with the same value at the level).
        """
        found = []
        for hierarchy, marginal in zip(
            self.class_table.hierarchies, self.marginals, strict=True
        ):
            own = plogp(marginal)
            grouped = [
                plogp(np.bincount(step.groups, marginal, step.n_groups))
                for step in hierarchy.levels
            ]
            found.append(np.maximum(0.0, np.array(grouped) - own))
        return tuple(found)

    @cached_property
    def combination_bits(self) -> float:
        """Sum of c·log2(c) over the distinct combinations of c records."""
        return plogp(self.class_table.counts)

    @cached_property
    def all_bits(self) -> FloatArray:
        """Information lost by replacing each attribute by one value."""
        n_log_n = plogp(np.array([self.n_records]))
        return np.array([n_log_n - plogp(each) for each in self.marginals])

    def at_levels(
        self, tables: Sequence[FloatArray | IntArray], levels: IntArray
    ) -> FloatArray:
        """Look a value per attribute and level up for every node.

        Parameters
        ----------
        tables : sequence of ndarray, one per attribute, by level
        levels : ndarray of int64, shape (n_nodes, n_attributes)

        Returns
        -------
        ndarray of float64, shape (n_nodes, n_attributes)
        """
        # PERF: one lookup in a table for all attributes instead of one for each.
        if id(tables) not in self._padded:
            width = max(map(len, tables))
            padded = [np.r_[table, np.zeros(width - len(table))] for table in tables]
            self._padded[id(tables)] = tables, np.array(padded, np.float64)
        _, table = self._padded[id(tables)]
        return np.asarray(table[np.arange(len(table)), levels])

    @cached_property
    def _padded(self) -> dict[int, tuple[Sequence[Any], FloatArray]]:
        """Tables by attribute as one array, and the tables so that their ids stay."""
        return {}


def plogp(counts: IntArray | FloatArray) -> float:
    """Sum of c·log2(c) over the positive counts."""
    positive = np.asarray(counts, dtype=np.float64)
    positive = positive[positive > 0]
    return float(positive @ np.log2(positive))


@dataclass(frozen=True, eq=False)
class NodeFigures:
    """Exact figures of some nodes, with the classes too small suppressed.

    Parameters
    ----------
    levels : ndarray of int64, shape (n_nodes, n_attributes)
    n_classes, squares : ndarray of int64, shape (n_nodes,)
        Classes and sum of squared class sizes when nothing is suppressed.
    suppressed_records, suppressed_classes, suppressed_squares : ndarray of int64
        Shape (n_nodes,): what of these is suppressed.
    suppressed_leaves : ndarray of int64, shape (n_nodes, n_attributes)
        Over the suppressed records, the hierarchy leaves below their value.
    suppressed_bits : ndarray of float64, shape (n_nodes, n_attributes), or None
        Information of each attribute's values among the suppressed records:
        -Σ log2(suppressed records with the same value / suppressed records).
    kept_combinations : ndarray of float64, shape (n_nodes,), or None
        Over the kept records, the combinations of leaves they may stand for.
    kept_log_density : ndarray of float64, shape (n_nodes,), or None
        Over the kept records, log2(records of the class / combinations of leaves
        it may stand for).
        The last three are None where nobody has looked at the classes.
    """

    facts: TableFacts
    levels: IntArray
    n_classes: IntArray
    squares: IntArray
    suppressed_records: IntArray
    suppressed_classes: IntArray
    suppressed_squares: IntArray
    suppressed_leaves: IntArray
    suppressed_bits: FloatArray | None = None
    kept_combinations: FloatArray | None = None
    kept_log_density: FloatArray | None = None

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.levels)

    def row(self, place: int) -> NodeFigures:
        """Return the figures of one of the nodes."""
        at = slice(place, place + 1)
        details = (self.suppressed_bits, self.kept_combinations, self.kept_log_density)
        return NodeFigures(
            self.facts,
            self.levels[at],
            self.n_classes[at],
            self.squares[at],
            self.suppressed_records[at],
            self.suppressed_classes[at],
            self.suppressed_squares[at],
            self.suppressed_leaves[at],
            *(None if each is None else each[at] for each in details),
        )

    def without_suppression(self) -> NodeFigures:
        """Return the same nodes, as if no record were suppressed."""
        none = np.zeros_like(self.suppressed_records)
        leaves = np.zeros_like(self.suppressed_leaves)
        return NodeFigures(
            self.facts,
            self.levels,
            self.n_classes,
            self.squares,
            none,
            none,
            none,
            leaves,
        )


def figures_of(
    facts: TableFacts, classes: EquivalenceClasses, suppressed: BoolArray
) -> NodeFigures:
    """Figures of one node from its classes, complete.

    Parameters
    ----------
    suppressed : ndarray of bool, shape (n_classes,)

    Returns
    -------
    NodeFigures
        Of one node.
    """
    counts, columns = classes.counts, range(len(classes.levels))
    gone, values = counts[suppressed], classes.groups[suppressed]
    leaves = [classes.leaves(column)[suppressed] @ gone for column in columns]
    total = plogp(gone.sum(keepdims=True))
    bits = [total - plogp(np.bincount(values[:, at], gone)) for at in columns]
    stands_for = np.ones(classes.n_classes)
    for column in columns:
        stands_for *= classes.leaves(column)
    kept, areas = counts[~suppressed], stands_for[~suppressed]
    return NodeFigures(
        facts,
        np.array([classes.levels], dtype=np.int64),
        _one(len(counts)),
        _one(counts @ counts),
        _one(gone.sum()),
        _one(len(gone)),
        _one(gone @ gone),
        np.array([leaves], dtype=np.int64),
        np.array([bits], dtype=np.float64),
        np.array([areas @ kept]),
        np.array([kept @ np.log2(kept / areas)]),
    )


def _one(value: Any) -> IntArray:
    return np.array([value], dtype=np.int64)
