"""Which policies are there, which is best, and what if the thresholds moved?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.app.project import Attribute, Chosen, Project
from deidgui.app.tasks.classes import Classes
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.engine.quality import QUALITY_MEASURES, QualityMeasure
from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.engine.search.profile import Profile, expected_classes
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.search import (
    Best,
    SearchResult,
    search_lattice,
    what_if,
)
from deidgui.errors import ConfigError, DeidError, InfeasibleError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor

__all__ = ["Best", "Found", "check_search", "decided_models", "found_so_far", "search"]

VISITS_PER_SECOND = 2e8
"""Classes that two cores group in a second (measured on Adult and the sample)."""


@dataclass(frozen=True, repr=False, eq=False)
class Found:
    """All policies of a lattice under the decided thresholds.

    Arrays have one row per node of the lattice.

    Parameters
    ----------
    result : SearchResult
    models : tuple of PrivacyModel
    measure : QualityMeasure
    weights : mapping of str to float
        Importance by quasi-identifier.
    limit : float in [0, 1]
        Share of records that may be withheld.
    """

    result: SearchResult
    models: tuple[PrivacyModel, ...]
    measure: QualityMeasure
    weights: Mapping[str, float]
    limit: float

    @property
    def profile(self) -> Profile:
        """Exact figures of every node."""
        return self.result.profile

    @property
    def lattice(self) -> Lattice:
        """Numbers and levels of the nodes."""
        return self.result.lattice

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in column order."""
        return self.profile.class_table.attributes

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """Hierarchies of the quasi-identifiers in column order."""
        return self.profile.class_table.hierarchies

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.profile.class_table.n_records

    @cached_property
    def levels(self) -> IntArray:
        """Level of each attribute: ndarray of int64, (n_nodes, n_attributes)."""
        return self.lattice.levels()

    @property
    def withhold_below(self) -> IntArray:
        """Size below which classes are withheld: ndarray of int64, (n_nodes,)."""
        return self.result.withhold_below

    @property
    def withheld(self) -> IntArray:
        """Withheld records: ndarray of int64, (n_nodes,)."""
        return self.result.withheld

    @property
    def feasible(self) -> BoolArray:
        """Which nodes meet the thresholds: ndarray of bool, (n_nodes,)."""
        return self.result.feasible

    @property
    def loss(self) -> FloatArray:
        """Loss by the chosen measure, nan if unknown: float64, (n_nodes,)."""
        return self.result.loss

    @cached_property
    def _tiers(self) -> tuple[IntArray, IntArray]:
        """Released records and released classes of every node."""
        nodes = np.arange(self.lattice.n_nodes)
        below = np.maximum(self.withhold_below, 1)
        figures = self.profile.figures(nodes, below)
        kept = self.n_records - figures.withheld_records
        return kept, figures.n_classes - figures.withheld_classes

    @cached_property
    def average_risk(self) -> FloatArray:
        """Average prosecutor risk of what is released; 0 if nothing is."""
        records, classes = self._tiers
        return np.divide(
            classes, records, out=np.zeros(len(records)), where=records > 0
        )

    @property
    def ranked(self) -> IntArray:
        """Feasible nodes, best first."""
        return self.result.ranked

    @property
    def optimum(self) -> int | None:
        """Best feasible node."""
        return self.result.optimum

    @property
    def nearest(self) -> int | None:
        """Node that withholds the fewest records."""
        return self.result.nearest

    @property
    def complete(self) -> bool:
        """Whether every node was looked at, so that the optimum is proven."""
        return self.result.is_complete

    @property
    def n_checked(self) -> int:
        """Nodes whose figures are known."""
        return self.profile.n_checked

    def levels_of(self, node: int) -> dict[str, int]:
        """Level by attribute of a node."""
        return self.result.levels(node)

    def node_of(self, levels: Mapping[str, int]) -> int | None:
        """Return the number of a node, None if the lattice does not hold it."""
        if set(levels) != set(self.attributes):
            return None
        vector = [levels[name] for name in self.attributes]
        bounds = zip(self.lattice.minimum, vector, self.lattice.maximum, strict=True)
        if not all(low <= level <= high for low, level, high in bounds):
            return None
        return self.lattice.node(vector)

    def policy(self, node: int, origin: str = "search") -> Policy:
        """Policy of a node under the thresholds."""
        below = max(1, int(self.withhold_below[node]))
        return lattice_policy(self.hierarchies, self.levels_of(node), below, origin)

    def words(self, node: int) -> str:
        """Policy of a node in one line."""
        return sentence(self.policy(node), int(self.withheld[node]), self.n_records)

    def choice(self, node: int, note: str = "") -> Chosen:
        """Return a node as it is stored in a project."""
        below = max(1, int(self.withhold_below[node]))
        return Chosen(levels=self.levels_of(node), withhold_below=below, note=note)

    def what_if(
        self, models: Sequence[PrivacyModel] | None = None, limit: float | None = None
    ) -> Found:
        """Return the answer for other thresholds, from the profile alone.

        Parameters
        ----------
        models : sequence of PrivacyModel, optional
        limit : float in [0, 1], optional

        Returns
        -------
        Found

        Raises
        ------
        ConfigError
            If the profile does not reach as far as a model asks.
        """
        models = tuple(models) if models is not None else self.models
        limit = self.limit if limit is None else limit
        result = what_if(self.profile, models, limit, self.measure, self.weights)
        return Found(result, models, self.measure, self.weights, limit)


def decided_models(project: Project) -> tuple[PrivacyModel, ...]:
    """Return the privacy models of a project.

    Raises
    ------
    ConfigError
        If a kind or parameter is unknown or out of range, all problems together.
    """
    models, problems = [], list[DeidError]()
    for stored in project.privacy.models:
        try:
            models.append(PRIVACY_MODELS.from_json(stored))
        except ConfigError as problem:
            problems.append(problem)
    raise_all(problems)
    return tuple(models)


def decided_measure(project: Project) -> QualityMeasure:
    """Return the quality measure of a project.

    Raises
    ------
    ConfigError
        If its kind or a parameter is unknown or out of range.
    """
    return QUALITY_MEASURES.from_json(project.quality.measure)


def check_search(project: Project) -> None:
    """See that every decision that a search needs has been made.

    Raises
    ------
    ConfigError
        Codes ``role_missing``, ``no_quasi_identifier``, ``hierarchy_missing``,
        ``no_privacy_model``, ``no_suppression_limit`` and those of the models and
        the measure, all problems together.
    """
    problems: list[DeidError] = [
        ConfigError("role_missing", attribute=attribute.name)
        for attribute in project.attributes
        if attribute.include and attribute.role is None
    ]
    if not project.quasi_identifiers:
        problems.append(ConfigError("no_quasi_identifier"))
    problems += [
        ConfigError("hierarchy_missing", attribute=attribute.name)
        for attribute in project.quasi_identifiers
        if attribute.hierarchy is None
    ]
    if not project.privacy.models:
        problems.append(ConfigError("no_privacy_model"))
    if project.privacy.suppression_limit is None:
        problems.append(ConfigError("no_suppression_limit"))
    for check in (decided_models, decided_measure):
        try:
            check(project)
        except ConfigError as problem:
            problems.append(problem)
    raise_all(problems)


def weights_of(project: Project) -> dict[str, float]:
    """Importance by quasi-identifier."""
    return {each.name: each.weight for each in project.quasi_identifiers}


def limit_of(project: Project, n_records: int) -> int:
    """Most records that may be withheld; none while it is undecided."""
    return limit_in_records(project.privacy.suppression_limit or 0.0, n_records)


def allowed_levels(
    quasi: Sequence[Attribute], classes: Classes
) -> tuple[dict[str, int], dict[str, int]]:
    """Allowed levels; one that a shorter hierarchy no longer has is its top."""
    lowest, highest = {}, {}
    for each in quasi:
        height = classes.hierarchies[each.name].height
        if each.minimum_level is not None:
            lowest[each.name] = min(each.minimum_level, height)
        if each.maximum_level is not None:
            highest[each.name] = min(each.maximum_level, height)
    return lowest, highest


@dataclass(frozen=True)
class SearchSize:
    """How large a search will be.

    Parameters
    ----------
    n_nodes : int
        Policies.
    n_combinations : int
        Distinct combinations that each of them groups.
    seconds : float
        Estimated duration on two cores.
    """

    n_nodes: int
    n_combinations: int
    seconds: float


def search_size(project: Project, classes: Classes) -> SearchSize:
    """Estimate a search before it is started.

    Raises
    ------
    ConfigError
        Code ``level_limits`` if an attribute has no allowed level.
    """
    class_table = classes.class_table
    lowest, highest = allowed_levels(project.quasi_identifiers, classes)
    lattice = lattice_of(class_table.hierarchies, lowest, highest)
    visits = float(expected_classes(class_table, lattice).sum())
    seconds = visits / VISITS_PER_SECOND
    return SearchSize(lattice.n_nodes, class_table.n_classes, seconds)


def search(
    project: Project,
    classes: Classes,
    *,
    on_best: Callable[[Best], None] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Found:
    """Search the whole lattice under the project's thresholds.

    Parameters
    ----------
    project : Project
    classes : Classes
    on_best : callable, optional
        Receives every better policy, on the calling thread.
    monitor : Monitor, optional

    Returns
    -------
    Found
        With no optimum if no policy meets the thresholds.

    Raises
    ------
    ConfigError
        As `check_search`.
    ResourceError
        Code ``lattice_too_large``.
    """
    check_search(project)
    models, measure = decided_models(project), decided_measure(project)
    weights, limit = weights_of(project), project.privacy.suppression_limit
    assert limit is not None
    lowest, highest = allowed_levels(project.quasi_identifiers, classes)
    result = search_lattice(
        classes.class_table,
        models,
        limit,
        measure,
        weights,
        minimum=lowest,
        maximum=highest,
        on_best=on_best,
        monitor=monitor,
    )
    return Found(result, models, measure, weights, limit)


def found_so_far(project: Project, best: Best) -> Found:
    """Return what a cancelled search had found, from its unfinished profile."""
    models, measure = decided_models(project), decided_measure(project)
    weights, limit = weights_of(project), project.privacy.suppression_limit
    assert limit is not None
    result = what_if(best.profile, models, limit, measure, weights)
    return Found(result, models, measure, weights, limit)


def infeasible(found: Found) -> InfeasibleError:
    """Return the error that names the nearest miss and what to loosen."""
    assert found.nearest is not None
    needed = int(found.withheld[found.nearest])
    return InfeasibleError(
        "no_policy_meets",
        records_needed=needed,
        share_needed=f"{100 * needed / found.n_records:.1f} %",
        records_allowed=found.result.limit_records,
    )
