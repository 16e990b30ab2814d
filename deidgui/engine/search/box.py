"""What is known about all nodes between two nodes of a lattice?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log2

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.quality.figures import NodeFigures
from deidgui.engine.search.evaluation import Evaluation, Evaluator

Levels = tuple[int, ...]
Key = tuple[float, ...]


@dataclass(slots=True, eq=False)
class Box:
    """All nodes between two nodes of the lattice, none of them looked at but the top.

    Parameters
    ----------
    low, high : tuple of int
        Levels of the least and of the most general node.
    top : Evaluation
        Of a node at or above `high`.
    source : RaisedClasses
        Classes of a node at or below `low`.
    most_classes : int
        No node of the box has more classes that may be released.
    key : tuple of float
        No node of the box compares as less: a score, then what breaks ties.

    Attributes
    ----------
    n_nodes : int
        Number of nodes.
    """

    low: Levels
    high: Levels
    top: Evaluation
    source: RaisedClasses
    most_classes: int
    key: Key
    n_nodes: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_nodes = n_between(self.low, self.high)

    def raise_low(self, low: Levels) -> int:
        """Leave out the nodes that are not at or above one; return how many."""
        before, self.low = self.n_nodes, low
        self.n_nodes = n_between(low, self.high)
        return before - self.n_nodes


@dataclass(eq=False)
class Progress:
    """How far a search has come.

    Attributes
    ----------
    best : Evaluation or None
        Best solution so far.
    nearest : Evaluation or None
        Node with the fewest suppressed records so far.
    bound : ndarray of float64 or None
        No node that is not looked at yet has a lower score; None if there is none.
    n_decided : int
        Nodes that were looked at, or need not be.
    """

    best: Evaluation | None = None
    nearest: Evaluation | None = None
    bound: FloatArray | None = None
    n_decided: int = 0
    n_looked_at: int = 0

    @property
    def gap(self) -> float | None:
        """By which share of its loss the best solution could still be bettered.

        0 if it is proven to be the optimum, None if there is no solution yet.
        """
        if self.best is None:
            return None
        if self.bound is None:
            return 0.0
        loss, bound = float(self.best.score[0]), float(self.bound[0])
        return max(0.0, (loss - bound) / loss) if loss > 0 else 0.0


def n_between(low: Levels, high: Levels) -> int:
    """Return how many nodes there are between two nodes, both counted."""
    n = 1
    for least, most in zip(low, high, strict=True):
        n *= most - least + 1
    return n


def any_row(holds: BoolArray) -> BoolArray:
    """Whether any row holds throughout: (n_boxes, n_rows, n) to (n_boxes,)."""
    rows: BoolArray = np.all(holds, axis=2)
    return np.asarray(np.any(rows, axis=1))


def with_level(levels: Levels, place: int, level: int) -> Levels:
    """Return the same levels but for one attribute."""
    return (*levels[:place], level, *levels[place + 1 :])


def shrinks(source: RaisedClasses, levels: Levels) -> bool:
    """Whether a node likely has less than half as many classes as the source."""
    groups = source.coding.n_groups
    ratio = 1.0
    for place, (own, level) in enumerate(zip(source.levels, levels, strict=True)):
        ratio *= groups[place, level] / groups[place, own]
    return ratio < 0.3


def between(boxes: Sequence[Box], view: int) -> NodeFigures:
    """Figures for `QualityMeasure.floor`, one row per box."""
    tops = [box.top.sure[view] for box in boxes]

    def rows(name: str) -> IntArray:
        return np.concatenate([getattr(top, name) for top in tops])

    def details(name: str) -> FloatArray | None:
        given = [getattr(top, name) for top in tops]
        return None if any(each is None for each in given) else np.concatenate(given)

    return NodeFigures(
        tops[0].domain,
        np.array([box.low for box in boxes]),
        np.array([box.most_classes for box in boxes]),
        np.array([box.source.squares for box in boxes]),
        rows("suppressed_records"),
        np.zeros(len(boxes), np.int64),
        rows("suppressed_squares"),
        rows("suppressed_leaves"),
        details("suppressed_bits"),
    )


def level_bits(classes: RaisedClasses) -> list[list[float]]:
    """By attribute and level: log2 of the values told apart there."""
    groups = classes.coding.n_groups.tolist()
    return [[log2(max(1, n_groups)) for n_groups in row] for row in groups]


def level_values(evaluator: Evaluator, minimum: Levels) -> FloatArray | None:
    """By attribute and level: what no more general node loses less of the attribute.

    Returns
    -------
    ndarray of float64, shape (n_attributes, n_levels), or None
        Without a value per attribute there are none; inf above the hierarchy.
    """
    domain, measure = evaluator.domain, evaluator.measure
    if not measure.is_by_attribute:
        return None
    heights = domain.heights.tolist()
    places = [
        (a, level) for a, height in enumerate(heights) for level in range(height + 1)
    ]
    nodes = np.array([with_level(minimum, *place) for place in places])
    none = np.zeros(len(nodes), np.int64)
    leaves = np.zeros_like(nodes)
    figures = NodeFigures(domain, nodes, none, none, none, none, none, leaves)
    bounds = measure.bounds(figures)
    values = np.full((len(heights), max(heights) + 1), np.inf)
    for row, (a, level) in enumerate(places):
        values[a, level] = bounds[row, a]
    return values


def level_costs(evaluator: Evaluator, values: FloatArray | None) -> list[list[float]]:
    """By attribute and level: what releasing it there costs on its own.

    For measures without a value per attribute, how much less is told apart.
    """
    if values is not None:
        costs: list[list[float]] = (values.T * evaluator.weights).T.tolist()
        return costs
    bits = level_bits(evaluator.bottom)
    return [[row[0] - each for each in row] for row in bits]
