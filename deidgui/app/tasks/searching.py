"""Which policies are there, which is best, and what if the thresholds moved?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from deidgui.app.demands import check_models
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.project import Attribute, Project
from deidgui.app.tasks.classes import Classes
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.engine.search.ola import ola
from deidgui.engine.search.optimum import Optimum, around, find_optimum
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.search import (
    Best,
    search_lattice,
    what_if,
)
from deidgui.errors import ConfigError, DeidError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

__all__ = ["Best", "check_search", "found_so_far", "search"]

MOST_PROFILED = 200_000
"""Policies up to which every one of them is looked at."""

MOST_AROUND = 20_000
"""Policies that are looked at around the best one of a larger lattice."""

FEW_AROUND = 500
"""The same after a cancel."""

PROOF_SHARE = 0.7
"""Part of the progress that finding the best policy takes."""


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
    if project.quality.measure.problem is not None:
        problems.append(project.quality.measure.problem)
    raise_all(problems)


def weights_of(project: Project) -> dict[str, float]:
    """Importance by quasi-identifier."""
    return {each.name: each.weight for each in project.quasi_identifiers}


def limit_of(project: Project, n_records: int) -> int:
    """Most records that may be suppressed; none while it is undecided."""
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
            project.privacy.models,
            project.quality.measure,
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
    ) -> LatticePolicies:
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
        return LatticePolicies(
            result, self.models, self.measure, self.weights, self.limit
        )

    def around(
        self, levels: Sequence[int], n_nodes: int, monitor: Monitor
    ) -> LatticePolicies:
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
    ) -> LatticePolicies:
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
        return replace(found, optimality=proof)

    def ola(self, monitor: Monitor) -> LatticePolicies:
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
            n_suppressed=int(found.suppressed[node]),
            gap=0.0 if answer.is_optimal else None,
            is_proven=answer.is_optimal,
            nearest=best,
            n_nearest=int(found.suppressed[node]),
            n_nodes=self.lattice.n_nodes,
            n_looked_at=answer.minimal.n_checks,
        )
        minimal = tuple(levels(node) for node in answer.minimal.nodes.tolist())
        result = replace(found.result, optimum=node)
        return replace(found, result=result, optimality=proof, minimal=minimal)


def _teller(
    class_table: ClassTable, on_best: Callable[[Best], None]
) -> Callable[[Optimum], None]:
    """Tell what is known of an optimum as a best policy so far."""

    def tell(known: Optimum) -> None:
        if known.levels is None:
            return
        assert known.loss is not None
        assert known.n_suppressed is not None
        on_best(
            Best(
                n_checked=known.n_looked_at,
                n_nodes=known.n_nodes,
                node=-1,
                levels=known.levels,
                suppress_below=1,
                n_suppressed=known.n_suppressed,
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
) -> LatticePolicies:
    """Search the lattice under the project's thresholds by its method.

    Parameters
    ----------
    on_best : callable, optional
        Receives every better policy, on the calling thread.

    Returns
    -------
    LatticePolicies
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


def found_so_far(project: Project, best: Best) -> LatticePolicies:
    """Return what a cancelled search had found, from its unfinished profile.

    A search that looks at single policies has none: then policies around the best
    are looked at, a few so that it is quick.
    """
    asked = _Asked.of(project, best.class_table)
    if best.profile is None:
        proof = Optimum(
            levels=best.levels,
            loss=best.loss,
            n_suppressed=best.n_suppressed,
            gap=best.gap,
            is_proven=False,
            nearest=best.levels,
            n_nearest=best.n_suppressed,
            n_nodes=best.n_nodes,
            n_looked_at=best.n_checked,
        )
        found = asked.around(best.levels, FEW_AROUND, NULL_MONITOR)
        return replace(found, optimality=proof)
    limit, measure, weights = asked.limit, asked.measure, asked.weights
    result = what_if(best.profile, asked.models, limit, measure, weights)
    return LatticePolicies(result, asked.models, measure, weights, limit)
