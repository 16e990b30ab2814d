"""What a search is asked: thresholds, suppression limit, and which policy is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel, SizeOrderModel
from deidgui.engine.privacy.suppression import Roles
from deidgui.engine.quality.base import QualityMeasure, scaled_weights
from deidgui.engine.search.lattice import Lattice
from deidgui.errors import ConfigError, DeidError, raise_all

DIGITS = 12
"""Scores that agree in so many digits of the largest one are a tie."""


def removal_costs(weights: FloatArray) -> FloatArray:
    """Cost of removing each attribute, by its importance: the square of its weight.

    So an important attribute is only removed where several less important ones would
    have to be.

    Parameters
    ----------
    weights : ndarray of float64, shape (n_attributes,), largest 1
    """
    return weights**2


@dataclass(frozen=True, eq=False)
class Preferred:
    """Levels that a node should not be above, whatever the others lose.

    Parameters
    ----------
    levels : ndarray of int64, shape (n_attributes,)
    costs : ndarray of float64, shape (n_attributes,)
        What it costs to be above; the node with the least sum is the best.
    """

    levels: IntArray
    costs: FloatArray

    @classmethod
    def of(
        cls, class_table: ClassTable, levels: Mapping[str, int], weights: FloatArray
    ) -> Preferred:
        """Take over levels and importance by attribute."""
        found = [levels.get(h.attribute, h.height) for h in class_table.hierarchies]
        return cls(np.array(found, np.int64), removal_costs(weights))

    def cost(self, levels: IntArray) -> FloatArray:
        """Cost of some nodes by their levels, which never falls on the way up.

        Parameters
        ----------
        levels : ndarray of int64, shape (n, n_attributes)

        Returns
        -------
        ndarray of float64, shape (n,)
        """
        return np.asarray(np.round((levels > self.levels) @ self.costs, DIGITS))


@dataclass(frozen=True, eq=False)
class Question:
    """Thresholds and the measure that decides among what meets them.

    Parameters
    ----------
    every : tuple of PrivacyModel
        All models, as they were given.
    smallest : int, >= 1
        Size that those models ask of a class that go by nothing else.
    orders : tuple of SizeOrderModel
        Those that judge the release by its class sizes.
    conditions : tuple of PrivacyModel
        The others. If one of them judges the release as a whole, all are here.
    limit_records : int
        Most records that may be suppressed.
    weights : ndarray of float64, shape (n_attributes,), largest 1
    preferred : Preferred or None
        Decides before the measure does.
    """

    every: tuple[PrivacyModel, ...]
    smallest: int
    orders: tuple[SizeOrderModel, ...]
    conditions: tuple[PrivacyModel, ...]
    limit_records: int
    measure: QualityMeasure
    weights: FloatArray
    preferred: Preferred | None = None

    @property
    def sizes(self) -> set[int]:
        """Class sizes that a profile's ladder must contain to answer."""
        return {self.smallest}.union(*(model.ladder for model in self.orders))


@dataclass(frozen=True)
class Reach:
    """Thresholds that shall be answered for; nodes that meet none of them can be left.

    Parameters
    ----------
    size : int, >= 1
        Classes with fewer records are suppressed whatever is asked.
    records : int
        Most records that may be suppressed.
    """

    size: int
    records: int

    def covers(self, question: Question, class_table: ClassTable) -> bool:
        """Whether what meets a question is within reach."""
        smallest = max(question.smallest, smallest_class(question, class_table))
        return smallest >= self.size and question.limit_records <= self.records


def smallest_class(question: Question, class_table: ClassTable) -> int:
    """Fewest records of a class that meets the conditions of a question."""
    if not question.conditions:
        return 1
    bottom = RaisedClasses.bottom(class_table)
    models = Roles.of(question.conditions).of_classes
    return max([1, *(model.smallest_class(bottom) for model in models)])


def make_question(
    class_table: ClassTable,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    preferred: Mapping[str, int] | None = None,
) -> Question:
    """Check and complete what is asked.

    Parameters
    ----------
    limit_fraction : float in [0, 1]
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute.
    preferred : mapping of str to int, optional
        Level by attribute above which a node is only better if it is above fewer
        of them, weighed by importance; attributes that are absent do not count.

    Raises
    ------
    ConfigError
        Codes ``no_privacy_model``, ``suppression_limit``, ``weights_all_zero`` and
        those of `PrivacyModel.check`, all problems together.
    """
    problems: list[DeidError] = []
    if not models:
        problems.append(ConfigError("no_privacy_model"))
    for model in models:
        try:
            model.check(class_table)
        except DeidError as problem:
            problems.append(problem)
    if not 0 <= limit_fraction <= 1:
        problems.append(ConfigError("suppression_limit", found=limit_fraction))
    raise_all(problems)
    limit = limit_in_records(limit_fraction, class_table.n_records)
    weighed = scaled_weights(class_table.attributes, weights)
    first = Preferred.of(class_table, preferred, weighed) if preferred else None
    return Question(tuple(models), *_by_kind(models), limit, measure, weighed, first)


def _by_kind(
    models: Sequence[PrivacyModel],
) -> tuple[int, tuple[SizeOrderModel, ...], tuple[PrivacyModel, ...]]:
    """Tell apart what a profile answers by class sizes and what it must be made for."""
    roles = Roles.of(models)
    if roles.by_release:
        return 1, (), tuple(models)
    depth = max([1, *(each.depth for each in roles.by_size)])
    return depth, roles.by_size_order, roles.by_class


def limit_in_records(fraction: float, n_records: int) -> int:
    """Most records that may be suppressed: the fraction of them, rounded down.

    Parameters
    ----------
    fraction : float in [0, 1]

    Notes
    -----
    A billionth of a record is forgiven: 0.29 × 100 is 29, not 28.
    """
    return int(fraction * n_records + 1e-9)


class Ranking:
    """Compares scores so that rounding errors tie.

    Ties go to the lower sum of levels, then to the lexicographically smaller
    level vector (methods.md B.1). Before all scores goes the cost of
    levels above the preferred ones.

    Parameters
    ----------
    scores : ndarray of float64, shape (n, n_columns)
        Gives the scale of each column.
    """

    def __init__(
        self, lattice: Lattice, scores: FloatArray, preferred: Preferred | None = None
    ) -> None:
        self._lattice, self._preferred = lattice, preferred
        finite = np.where(np.isfinite(scores), np.abs(scores), 0.0)
        largest = finite.max(axis=0, initial=0.0)
        self._scale = np.where(largest > 0, largest, 1.0)

    def rounded(self, scores: FloatArray) -> FloatArray:
        """Scores as they are compared."""
        return np.asarray(np.round(scores / self._scale, DIGITS))

    def order(self, nodes: IntArray, scores: FloatArray) -> IntArray:
        """Positions from the best node to the worst one."""
        columns = self.rounded(scores).T
        sums = self._lattice.level_sums[nodes]
        costs = costs_of(self._lattice, self._preferred, nodes)
        return np.lexsort((nodes, sums, *columns[::-1], costs))

    def key(self, node: int, score: FloatArray) -> tuple[float, ...]:
        """What one node is compared by: its score, its sum of levels, its number."""
        cost = float(costs_of(self._lattice, self._preferred, np.array([node]))[0])
        sums = self._lattice.level_sums
        return (cost, *self.rounded(score).tolist(), sums[node], node)


def costs_of(
    lattice: Lattice, preferred: Preferred | None, nodes: IntArray
) -> FloatArray:
    """Cost of some nodes under what is preferred: ndarray of float64, (n,)."""
    if preferred is None:
        return np.zeros(len(nodes))
    return preferred.cost(lattice.levels(nodes))
