"""Optimal Lattice Anonymization: the least general solutions by predictive tagging."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable, EquivalenceClasses, classes_at
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import is_possible, released
from deidgui.engine.quality.base import QualityMeasure, TableFacts
from deidgui.engine.search.lattice import Lattice, Levels, lattice_of
from deidgui.engine.search.question import Question, Ranking, make_question
from deidgui.errors import ConfigError, ResourceError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

SOLUTION, UNKNOWN, NO_SOLUTION = 1, 0, -1
"""Tags of nodes."""


MOST_NODES = 20_000_000
"""Nodes that can be tagged: some bytes each."""


CHECK_SHARE = 0.9
"""Part of the progress that finding minimal nodes takes; the rest is for losses."""


Tags = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class MinimalNodes:
    """Every node of a lattice, tagged, and the least general solutions.

    Parameters
    ----------
    nodes : ndarray of int64, ascending
        The k-minimal nodes: solutions with no solution below them.
    is_solution : ndarray of bool, shape (n_nodes,)
    n_checks : int
        Nodes that were looked at; the others follow from them.
    """

    lattice: Lattice
    nodes: IntArray
    is_solution: NDArray[np.bool_]
    n_checks: int

    @property
    def n_solutions(self) -> int:
        """Number of solutions."""
        return int(np.count_nonzero(self.is_solution))


@dataclass(frozen=True, eq=False)
class OlaResult:
    """The k-minimal node that OLA chooses.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_minimal, n_columns)
        Monotone loss of each minimal node: that of generalization alone.
    optimum : int or None
        The minimal node with the least monotone loss; ties by the rule of
        `deidgui.engine.search.question.Ranking`.
    is_optimal : bool
        Whether no solution can be better. Not so if the measure counts suppressed
        records and some may be suppressed: then a more general node that suppresses
        fewer records may lose less.
    """

    minimal: MinimalNodes
    scores: FloatArray
    optimum: int | None
    is_optimal: bool


def minimal_nodes(
    lattice: Lattice,
    is_solution: Callable[[Levels], bool],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> MinimalNodes:
    """Find all k-minimal nodes by predictive tagging.

    Parameters
    ----------
    is_solution : callable
        Receives a level vector. Must be monotone: whatever is more general than a
        solution is one.
    monitor : Monitor, optional
        Reported to before every check.

    References
    ----------
    .. [1] K. El Emam et al. (2009), *A globally optimal k-anonymity method for the
       de-identification of health data*, JAMIA 16(5); methods.md B.8.
    """
    tagging = _Tagging(lattice, is_solution, monitor)
    top = tuple(size - 1 for size in lattice.sizes)
    tagging.settle((0,) * lattice.n_attributes, top)
    solutions = tagging.tags == SOLUTION
    below = np.zeros_like(solutions)
    for axis, size in enumerate(lattice.sizes):
        lower = [slice(None)] * axis + [slice(0, size - 1)]
        upper = [slice(None)] * axis + [slice(1, size)]
        below[tuple(upper)] |= solutions[tuple(lower)]
    nodes = np.flatnonzero(solutions & ~below).astype(np.int64)
    return MinimalNodes(lattice, nodes, solutions.ravel(), tagging.n_checks)


@dataclass(eq=False)
class _Tagging:
    """Tags of all nodes, as an array with one axis per attribute.

    Nodes are steps above the lowest allowed levels. A sublattice [low, high] has a
    solution at its top and none at its bottom, the whole lattice excepted.
    """

    lattice: Lattice
    is_solution: Callable[[Levels], bool]
    monitor: Monitor
    n_checks: int = 0
    n_unknown: int = field(init=False)
    tags: Tags = field(init=False)
    sums: IntArray = field(init=False)

    def __post_init__(self) -> None:
        self.tags = np.full(self.lattice.sizes, UNKNOWN, np.int8)
        self.n_unknown = self.tags.size
        steps = self.lattice.level_sums - sum(self.lattice.minimum)
        self.sums = steps.reshape(self.lattice.sizes)

    def settle(self, low: Levels, high: Levels) -> None:
        """Tag every node of a sublattice.

        What is tagged is skipped, so no sublattice is gone through twice.
        """
        box = tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))
        tags = self.tags[box]
        if tags.all():
            return
        height = sum(high) - sum(low)
        if height <= 1:
            for node in (low, high):
                if self.tags[node] == UNKNOWN:
                    self.check(node)
            return
        middle = self.sums[box] == sum(low) + height // 2
        for place in (np.argwhere(middle) + low).tolist():
            node = tuple(place)
            if self.tags[node] == UNKNOWN:
                self.check(node)
            before = self.n_unknown
            if self.tags[node] == SOLUTION:
                self.settle(low, node)
            else:
                self.settle(node, high)
            if self.n_unknown < before and tags.all():
                return

    def check(self, node: Levels) -> None:
        """Look at a node and tag what follows from it."""
        done = 1 - self.n_unknown / self.tags.size
        self.monitor.report(done, f"checks {self.n_checks}")
        self.n_checks += 1
        levels = tuple(
            low + step for low, step in zip(self.lattice.minimum, node, strict=True)
        )
        if self.is_solution(levels):
            implied, tag = tuple(slice(step, None) for step in node), SOLUTION
        else:
            implied, tag = tuple(slice(0, step + 1) for step in node), NO_SOLUTION
        self.n_unknown -= int(np.count_nonzero(self.tags[implied] == UNKNOWN))
        self.tags[implied] = tag


def ola(
    class_table: ClassTable,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
    *,
    preferred: Mapping[str, int] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> OlaResult:
    """Search by Optimal Lattice Anonymization.

    Parameters
    ----------
    limit_fraction : float in [0, 1]
        Share of the records that may be suppressed.
    measure : QualityMeasure
        Decides among the minimal nodes, as if no record were suppressed.
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute.
    minimum, maximum : mapping of str to int, optional
        Allowed levels by attribute.
    preferred : mapping of str to int, optional
        As of `find_optimum`; decides among the minimal nodes before their loss.

    Raises
    ------
    ConfigError
        Code ``model_not_monotone`` for every model that predictive tagging is not
        valid for at this limit, or those of `make_question`, `lattice_of` and
        `PrivacyModel.check`.
    ResourceError
        Code ``lattice_too_large``.
    """
    question = make_question(
        class_table, models, limit_fraction, measure, weights, preferred
    )
    lattice = lattice_of(class_table.hierarchies, minimum, maximum)
    if lattice.n_nodes > MOST_NODES:
        raise ResourceError(
            "lattice_too_large", n_nodes=lattice.n_nodes, limit=MOST_NODES
        )
    suppresses = question.limit_records > 0
    raise_all(
        [
            ConfigError("model_not_monotone", model=tr(model.title))
            for model in models
            if not _is_monotone(model, suppresses)
        ]
    )
    bottom = RaisedClasses.bottom(class_table)
    minimal = minimal_nodes(
        lattice,
        lambda levels: _is_solution(bottom.raised(levels), question),
        monitor=SubMonitor(monitor, 0.0, CHECK_SHARE),
    )
    rest = SubMonitor(monitor, CHECK_SHARE, 1.0)
    scores = _monotone_scores(class_table, question, minimal, rest)
    ranking = Ranking(lattice, scores, question.preferred)
    order = ranking.order(minimal.nodes, scores)
    optimum = int(minimal.nodes[order[0]]) if len(order) else None
    return OlaResult(
        minimal, scores, optimum, not (suppresses and measure.counts_suppressed)
    )


def _is_monotone(model: PrivacyModel, suppresses: bool) -> bool:
    """Whether what is more general than a solution is one (methods.md B.2)."""
    if suppresses:
        return model.monotone_suppression
    return model.monotone_generalization


def _is_solution(classes: EquivalenceClasses, question: Question) -> bool:
    if not is_possible(question.every, classes):
        return False
    gone = classes.counts[~released(question.every, classes)].sum()
    return bool(gone <= question.limit_records)


def _monotone_scores(
    class_table: ClassTable,
    question: Question,
    minimal: MinimalNodes,
    monitor: Monitor,
) -> FloatArray:
    """Score of every minimal node, as if no record were suppressed."""
    facts, measure, found = TableFacts(class_table), question.measure, []
    for done, node in enumerate(minimal.nodes.tolist()):
        monitor.report(done / len(minimal.nodes), f"minimal {done}")
        classes = classes_at(class_table, minimal.lattice.levels_of(node))
        nothing = np.zeros(classes.n_classes, np.bool_)
        found.append(measure.exact_values(facts, classes, nothing))
    if not found:
        return np.empty((0, 1))
    return measure.scores(np.stack(found), question.weights)
