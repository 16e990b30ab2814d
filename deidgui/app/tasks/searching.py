"""Which policies are there, which is best, and what if the thresholds moved?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.app.demands import check_models
from deidgui.app.project import Attribute, Chosen, Project
from deidgui.app.tasks.classes import Classes
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.engine.privacy.withholding import conditions_of
from deidgui.engine.quality import QUALITY_MEASURES, QualityMeasure
from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.engine.search.ola import ola
from deidgui.engine.search.optimum import Optimum, around, find_optimum
from deidgui.engine.search.profile import Profile
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.search import (
    Best,
    SearchResult,
    search_lattice,
    what_if,
)
from deidgui.errors import ConfigError, DeidError, InfeasibleError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

__all__ = ["Best", "Found", "check_search", "decided_models", "found_so_far", "search"]

MOST_PROFILED = 200_000
"""Policies up to which every one of them is looked at."""

MOST_AROUND = 20_000
"""Policies that are looked at around the best one of a larger lattice."""

FEW_AROUND = 500
"""The same after a cancel."""

PROOF_SHARE = 0.7
"""Part of the progress that finding the best policy takes."""


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
    proof : Optimum or None
        What is proven about a larger lattice that this one is a part of: the
        policies around the best one.
    minimal : tuple of tuples of int
        Levels of the least general policies that meet the thresholds, if OLA was
        the method.
    """

    result: SearchResult
    models: tuple[PrivacyModel, ...]
    measure: QualityMeasure
    weights: Mapping[str, float]
    limit: float
    proof: Optimum | None = None
    minimal: tuple[tuple[int, ...], ...] = ()

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
        # A model of the whole release may withhold some classes of that size, too.
        n_more = (self.withheld - figures.withheld_records) // below
        kept = self.n_records - self.withheld
        return kept, figures.n_classes - figures.withheld_classes - n_more

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
        """Whether the optimum is proven."""
        if self.proof is not None:
            return self.proof.is_proven
        return self.result.is_complete

    @property
    def n_checked(self) -> int:
        """Policies that were looked at."""
        around = self.profile.n_checked
        return around if self.proof is None else around + self.proof.n_looked_at

    @property
    def n_nodes(self) -> int:
        """Policies of the whole lattice."""
        return self.lattice.n_nodes if self.proof is None else self.proof.n_nodes

    @property
    def gap(self) -> float | None:
        """By which share of its loss the best policy could still be bettered.

        0 if it is proven to be the best, None if nothing is known or found.
        """
        if self.proof is None or self.proof.gap is None or self.optimum is None:
            return 0.0 if self.complete and self.optimum is not None else None
        assert self.proof.loss is not None
        bound, loss = self.proof.loss * (1 - self.proof.gap), self.loss[self.optimum]
        return max(0.0, float((loss - bound) / loss)) if loss > 0 else 0.0

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
        levels, conditions = self.levels_of(node), conditions_of(self.models)
        return lattice_policy(self.hierarchies, levels, below, origin, conditions)

    def words(self, node: int) -> str:
        """Policy of a node in one line."""
        return sentence(self.policy(node), int(self.withheld[node]), self.n_records)

    def choice(self, node: int, note: str = "") -> Chosen:
        """Return a node as it is stored in a project."""
        below = max(1, int(self.withhold_below[node]))
        return Chosen(levels=self.levels_of(node), withhold_below=below, note=note)


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
    problems += check_models(project)
    try:
        decided_measure(project)
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
    quasi: Sequence[Attribute], class_table: ClassTable
) -> tuple[dict[str, int], dict[str, int]]:
    """Allowed levels; one that a shorter hierarchy no longer has is its top."""
    lowest, highest = {}, {}
    heights = {each.attribute: each.height for each in class_table.hierarchies}
    for each in quasi:
        height = heights[each.name]
        if each.minimum_level is not None:
            lowest[each.name] = min(each.minimum_level, height)
        if each.maximum_level is not None:
            highest[each.name] = min(each.maximum_level, height)
    return lowest, highest


@dataclass(frozen=True, eq=False)
class _Asked:
    """What a search is asked, out of a project and its classes."""

    project: Project
    class_table: ClassTable
    models: tuple[PrivacyModel, ...]
    measure: QualityMeasure
    weights: Mapping[str, float]
    limit: float
    lattice: Lattice

    @classmethod
    def of(cls, project: Project, class_table: ClassTable) -> _Asked:
        """Take over the decisions of a project, all of them made."""
        limit = project.privacy.suppression_limit
        assert limit is not None
        return cls(
            project,
            class_table,
            decided_models(project),
            decided_measure(project),
            weights_of(project),
            limit,
            lattice_of(
                class_table.hierarchies,
                *allowed_levels(project.quasi_identifiers, class_table),
            ),
        )

    def limits(self, lattice: Lattice) -> tuple[dict[str, int], dict[str, int]]:
        """Lowest and highest level by attribute."""
        names = self.class_table.attributes
        return (
            dict(zip(names, lattice.minimum, strict=True)),
            dict(zip(names, lattice.maximum, strict=True)),
        )

    def profile(
        self,
        lattice: Lattice,
        on_best: Callable[[Best], None] | None,
        monitor: Monitor,
    ) -> Found:
        """Look at every policy of a lattice."""
        result = search_lattice(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            *self.limits(lattice),
            on_best=on_best,
            monitor=monitor,
        )
        return Found(result, self.models, self.measure, self.weights, self.limit)

    def around(self, levels: Sequence[int], n_nodes: int, monitor: Monitor) -> Found:
        """Look at every policy around one."""
        heights = zip(self.lattice.minimum, self.lattice.maximum, strict=True)
        found = around(list(heights), levels, n_nodes)
        part = Lattice(
            self.lattice.heights,
            tuple(low for low, _ in found),
            tuple(high for _, high in found),
        )
        return self.profile(part, None, monitor)

    def optimum(
        self, on_best: Callable[[Best], None] | None, monitor: Monitor
    ) -> Found:
        """Prove the best policy and look at those around it."""
        proof = find_optimum(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            *self.limits(self.lattice),
            most_nodes=self.project.search.most_nodes,
            on_progress=None if on_best is None else _teller(self.class_table, on_best),
            monitor=SubMonitor(monitor, 0.0, PROOF_SHARE),
        )
        rest = SubMonitor(monitor, PROOF_SHARE, 1.0)
        found = self.around(proof.levels or proof.nearest, MOST_AROUND, rest)
        return replace(found, proof=proof)

    def ola(self, monitor: Monitor) -> Found:
        """Find the least general policies and look at those around the best."""
        answer = ola(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            *self.limits(self.lattice),
            monitor=SubMonitor(monitor, 0.0, PROOF_SHARE),
        )
        levels = self.lattice.levels_of
        rest = SubMonitor(monitor, PROOF_SHARE, 1.0)
        if answer.optimum is None:
            return self.around(self.lattice.maximum, MOST_AROUND, rest)
        best = levels(answer.optimum)
        found = self.around(best, MOST_AROUND, rest)
        node = found.lattice.node(best)
        proof = Optimum(
            levels=best,
            loss=float(found.loss[node]),
            n_withheld=int(found.withheld[node]),
            gap=0.0 if answer.is_optimal else None,
            is_proven=answer.is_optimal,
            nearest=best,
            n_nearest=int(found.withheld[node]),
            n_nodes=self.lattice.n_nodes,
            n_looked_at=answer.minimal.n_checks,
        )
        minimal = tuple(levels(node) for node in answer.minimal.nodes.tolist())
        result = replace(found.result, optimum=node)
        return replace(found, result=result, proof=proof, minimal=minimal)


def _teller(
    class_table: ClassTable, on_best: Callable[[Best], None]
) -> Callable[[Optimum], None]:
    """Tell what is known of an optimum as a best policy so far."""

    def tell(known: Optimum) -> None:
        if known.levels is None:
            return
        assert known.loss is not None
        assert known.n_withheld is not None
        on_best(
            Best(
                n_checked=known.n_looked_at,
                n_nodes=known.n_nodes,
                node=-1,
                levels=known.levels,
                withhold_below=1,
                n_withheld=known.n_withheld,
                loss=known.loss,
                profile=None,
                class_table=class_table,
                gap=known.gap,
            )
        )

    return tell


def search(
    project: Project,
    classes: Classes,
    *,
    on_best: Callable[[Best], None] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Found:
    """Search the lattice under the project's thresholds by its method.

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
        With no optimum if no policy meets the thresholds. Of a lattice with more
        than `MOST_PROFILED` policies only those around the best one.

    Raises
    ------
    ConfigError
        As `check_search`; codes of `PrivacyModel.check`; ``model_not_monotone`` if
        OLA cannot find the best policy.
    ResourceError
        Code ``lattice_too_large``.
    """
    check_search(project)
    asked = _Asked.of(project, classes.class_table)
    method = project.search.method
    if method == "ola":
        return asked.ola(monitor)
    if method == "optimum" or asked.lattice.n_nodes > MOST_PROFILED:
        return asked.optimum(on_best, monitor)
    return asked.profile(asked.lattice, on_best, monitor)


def found_so_far(project: Project, best: Best) -> Found:
    """Return what a cancelled search had found, from its unfinished profile.

    A search that looks at single policies has none: then policies around the best
    are looked at, a few so that it is quick.
    """
    asked = _Asked.of(project, best.class_table)
    if best.profile is None:
        proof = Optimum(
            levels=best.levels,
            loss=best.loss,
            n_withheld=best.n_withheld,
            gap=best.gap,
            is_proven=False,
            nearest=best.levels,
            n_nearest=best.n_withheld,
            n_nodes=best.n_nodes,
            n_looked_at=best.n_checked,
        )
        found = asked.around(best.levels, FEW_AROUND, NULL_MONITOR)
        return replace(found, proof=proof)
    limit, measure, weights = asked.limit, asked.measure, asked.weights
    result = what_if(best.profile, asked.models, limit, measure, weights)
    return Found(result, asked.models, measure, weights, limit)


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
