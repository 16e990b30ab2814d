"""The base class of quality measures."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.parameters import (
    Declared,
    Help,
    Options,
    Range,
    Registry,
    Unreadable,
)
from deidgui.engine.quality.figures import NodeFigures, TableFacts, figures_of
from deidgui.errors import ConfigError
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses

AGGREGATES = ("sum", "arithmetic_mean", "geometric_mean", "maximum", "rank")


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
        "0 counts generalization only, 1 counts suppressed records only.",
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
