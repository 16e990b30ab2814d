"""The base class of quality measures, and the figures of a node that they use."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import (
    Declared,
    Help,
    Options,
    Range,
    Registry,
    Unreadable,
)
from deidgui.errors import ConfigError
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import ClassTable, EquivalenceClasses

TOTALS: Mapping[str, Text] = {
    "sum": "The total is the sum of weight × loss over the columns.",
    "arithmetic_mean": "The total is the mean of weight × loss over the columns.",
    "geometric_mean": (
        "The total is the geometric mean of 1 + weight × loss over the columns, "
        "minus 1."
    ),
    "maximum": "The total is the highest weight × loss of a column.",
    "rank": (
        "The total is the highest weight × loss of a column; of equal ones the next "
        "highest decides."
    ),
}
"""How losses of attributes become one, in words."""

AGGREGATES = tuple(TOTALS)


class QualityMeasure(Declared):
    """How much a release loses against the input; 0 or less is no loss.

    A measure gives every node one value per attribute, or a single one for the
    whole table, and joins them into a score. Scores are compared column by
    column from the left; all but "rank" have one column.

    Attributes
    ----------
    unit : str
        What a value is counted in: "share", "bits", "records", ...
    floor_counts_suppressed : bool
        Whether `floor` is the higher the more records are suppressed.
    is_by_attribute : bool
        Whether there is a value per attribute.
    asks : str
        Which field of `NodeFigures` it needs that takes a look at every class;
        empty if none.
    counts_suppressed : bool
        Whether suppressing a record can change a value. If not, what is more
        general never loses less.

    References
    ----------
    .. [1] methods.md B.3 and B.4.
    """

    unit: ClassVar[Text] = "share"
    floor_counts_suppressed: ClassVar[bool] = True
    is_by_attribute: ClassVar[bool] = False
    asks: ClassVar[str] = ""
    counts_suppressed: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]]

    @abstractmethod
    def words(self) -> str:
        """Say in one plain sentence what is measured."""

    @abstractmethod
    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute.

        Returns
        -------
        ndarray of float64, shape (n_nodes, n_attributes) or (n_nodes, 1)
            Lower bounds where not `is_exact`.
        """

    def is_exact(self, figures: NodeFigures) -> BoolArray:
        """Where `values` is the value and not only a lower bound of it.

        Elsewhere somebody has to look at the classes of the node.

        Returns
        -------
        ndarray of bool, shape (n_nodes,)
        """
        return np.ones(figures.n_nodes, dtype=np.bool_)

    def exact_values(
        self, facts: TableFacts, classes: EquivalenceClasses, suppressed: BoolArray
    ) -> FloatArray:
        """Value per attribute of one node, from its classes.

        Parameters
        ----------
        suppressed : ndarray of bool, shape (n_classes,)

        Returns
        -------
        ndarray of float64, shape (n_attributes,) or (1,)
        """
        return np.asarray(self.values(figures_of(facts, classes, suppressed))[0])

    def bounds(self, figures: NodeFigures) -> FloatArray:
        """Lower bound of the values of every node at or above each node.

        The values if nothing were suppressed, which never fall on the way up. With a
        value per attribute, each follows from the level of that attribute alone.

        Returns
        -------
        ndarray of float64, shape as of `values`
        """
        return self.values(figures.without_suppression())

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound of the values of every node between two nodes.

        Parameters
        ----------
        figures : NodeFigures
            Of two nodes at once: `levels` of the lower one; as `n_classes` at least
            as many as any node between them releases; `squares` of no more than
            any of them has; and as suppressed what the upper one and with it every
            node below it suppresses, counted at the upper one.

        Returns
        -------
        ndarray of float64, shape as of `values`
            At least `bounds`: suppressed records cost more than generalized ones.
        """
        return self.bounds(figures)

    def scores(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """Join the values of every node into what nodes are ranked by.

        Parameters
        ----------
        values : ndarray of float64, shape (n_nodes, n_values)
        weights : ndarray of float64, shape (n_attributes,), largest 1

        Returns
        -------
        ndarray of float64, shape (n_nodes, n_columns)
            Compared column by column from the left; less is better.
        """
        return values

    def total_words(self, weights: FloatArray) -> str:
        """Say how losses of attributes become a total, and how much shares can be.

        Parameters
        ----------
        weights : ndarray of float64, shape (n_attributes,), largest 1

        Returns
        -------
        str
            Empty if there is no loss by attribute.
        """
        del weights
        return ""


class AttributeMeasure(QualityMeasure):
    """A quality measure with one value per attribute.

    Attributes
    ----------
    aggregate : str
        How the values become one: one of `AGGREGATES`.
    """

    is_by_attribute = True

    aggregate: str

    def scores(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """Aggregate the values (see `QualityMeasure.scores`).

        The geometric mean is shifted by one, so that one attribute without loss
        does not hide the loss of the others.
        """
        weighted = values * weights
        match self.aggregate:
            case "sum":
                joined = weighted.sum(axis=1)
            case "arithmetic_mean":
                joined = weighted.mean(axis=1)
            case "geometric_mean":
                joined = np.prod(1 + weighted, axis=1) ** (1 / values.shape[1]) - 1
            case "maximum":
                joined = weighted.max(axis=1)
            case "rank":
                return np.asarray(-np.sort(-weighted, axis=1))
            case _:
                raise AssertionError(self.aggregate)
        return np.asarray(joined)[:, None]

    def total_words(self, weights: FloatArray) -> str:
        """Name the aggregate (see `QualityMeasure.total_words`)."""
        words = tr(TOTALS[self.aggregate])
        if self.unit != "share":
            return words
        most = self.scores(np.ones((1, len(weights))), weights)[0, 0]
        all_lost = tr(
            "With everything lost in every column it would be {most}.",
            most=share_text(float(most)),
        )
        return f"{words} {all_lost}"


@dataclass(frozen=True)
class Factors:
    """What generalized and suppressed records count in a measure.

    Parameters
    ----------
    generalized, suppressed : float in [0, 1]
        One of them is 1.
    """

    generalized: float
    suppressed: float


def factors(balance: float) -> Factors:
    """Weight generalization against suppressing.

    Parameters
    ----------
    balance : float in [0, 1]
        0 ignores suppressed records, 1/2 counts both in full, 1 ignores
        generalization.

    References
    ----------
    .. [1] methods.md B.4, generalization/suppression weight.
    """
    return Factors(
        generalized=1.0 if balance <= 0.5 else 1 - 2 * (balance - 0.5),
        suppressed=2 * balance if balance < 0.5 else 1.0,
    )


Aggregate = Annotated[
    str,
    Options(AGGREGATES),
    Help("Join attributes by", "How the losses of the attributes become one figure."),
]

Balance = Annotated[
    float,
    Range(0, 1),
    Help(
        "Generalize or suppress",
        "0 counts generalization only, 1 counts suppression only.",
    ),
]


def scaled_weights(
    attributes: Sequence[str], weights: Mapping[str, float] | None
) -> FloatArray:
    """Attribute weights with 1 as the largest.

    Parameters
    ----------
    weights : mapping of str to float in [0, 1], optional
        Absent attributes weigh as much as the heaviest one.

    Returns
    -------
    ndarray of float64, shape (n_attributes,)

    Raises
    ------
    ConfigError
        Code ``weights_all_zero``.
    """
    given = weights or {}
    default = max(given.values(), default=1.0)
    found = np.array([given.get(name, default) for name in attributes], dtype=float)
    if not (found > 0).any():
        raise ConfigError("weights_all_zero")
    return np.asarray(found / found.max())


class UnreadableMeasure(Unreadable, QualityMeasure):
    """What a project holds and this version cannot read: it measures nothing."""

    title = "Unreadable measure"
    sources = ()

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr("Nothing is measured by what cannot be read.")

    def values(self, figures: NodeFigures) -> FloatArray:
        """Refuse to measure.

        Raises
        ------
        ConfigError
            Why the measure cannot be read.
        """
        raise self.problem


QUALITY_MEASURES: Registry[QualityMeasure] = Registry(
    "quality measure", UnreadableMeasure
)
"""The known quality measures by kind."""


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

    @classmethod
    def joined(cls, figures: Sequence[NodeFigures], place: int) -> NodeFigures:
        """Return one row of each of some figures of one table, below each other.

        Parameters
        ----------
        place : int
            -1 is the last row.
        """
        first, *others = figures
        if not others and first.n_nodes == 1:
            return first
        at = slice(place, place + 1 or None)
        joined: list[AnyArray | None] = []
        for rows in zip(*(each._arrays for each in figures), strict=True):
            is_known = all(each is not None for each in rows)
            parts = [each[at] for each in rows if each is not None]
            joined.append(np.concatenate(parts) if is_known else None)
        return cls(first.facts, *joined)  # type: ignore[arg-type]

    @property
    def _arrays(self) -> tuple[AnyArray | None, ...]:
        return tuple(vars(self).values())[1:]

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
