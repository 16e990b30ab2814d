"""Discovering policies that are no riskier than a baseline."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.basis import Basis, compute_basis
from deidgui.app.policies.alternatives.checking import (
    check_discovery,
)
from deidgui.app.policies.alternatives.policies import (
    Alternative,
    AlternativePolicies,
    SearchCounts,
)
from deidgui.app.policies.alternatives.space import (
    engine_preferences,
)
from deidgui.app.policies.candidate import Figures
from deidgui.app.policies.decisions import weights_of
from deidgui.app.project import Project
from deidgui.engine.arrays import BoolArray
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.bps import Weights, bisecting_search
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.directed import directed_search
from deidgui.engine.discover.exhaustive import exhaustive_search
from deidgui.engine.discover.frontier import (
    Frontier,
    FrontierSearch,
    sublattice_search,
)
from deidgui.engine.discover.frontier_completion import complete_frontier
from deidgui.engine.discover.preferences import Preference, demanded
from deidgui.engine.discover.results import Discovery, FoundPolicy, non_dominated
from deidgui.engine.discover.steering import Steering, kinds_of, steer, top_of
from deidgui.engine.discover.wording import is_joined
from deidgui.errors import Cancelled, InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

REPORT_EVERY_S = 0.25
"""Least time between two reports of what has been found so far."""

REPORTING = 10
"""Telling takes at most one part in so many of the time of a search."""

STEPS_AS_LONG = 100
"""Steps of completion that take as long as finding a policy by bisection."""

DIRECTED_SHARE = 0.7
"""Part of the progress that directed search takes, where completion follows."""

WEIGHTS = {
    "both": Weights(),
    "size": Weights(by_use=False),
    "use": Weights(by_size=False),
    "none": Weights(by_size=False, by_use=False),
}


OnFound = Callable[[AlternativePolicies], None]
"""Is told what has been found so far, a few times a second."""


def discover(
    project: Project,
    classes: Classes,
    *,
    basis: Basis | None = None,
    on_found: OnFound | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> AlternativePolicies:
    """Discover policies that are acceptable under the project's rule.

    Parameters
    ----------
    classes : Classes
        Of the same decisions.
    basis : Basis, optional
        Of the same decisions; laid here if not given.
    on_found : callable, optional
        Told what has been found so far, on the calling thread; once more, if the
        monitor cancels.

    Raises
    ------
    ConfigError
        As `check_discovery` and `compute_basis`.
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least),
        ``preferences_too_risky`` (threshold, least) or ``no_policy_meets_models``.
    ResourceError
        Code ``discovery_too_many_policies`` (n_bits, limit) and those of
        `compute_basis`.

    Notes
    -----
    Everything but the seconds is the same for the same seed.
    """
    check_discovery(project)
    if basis is None:
        basis = compute_basis(project, classes, monitor=SubMonitor(monitor, 0.0, 0.1))
        monitor = SubMonitor(monitor, 0.1, 1.0)
    # It may have been laid before the seed, the method or a preference was changed.
    decided = project.discover.but(levels=basis.discover.levels)
    basis = replace(basis, discover=decided)
    _see_feasible(basis)
    run = _Run(project.but(discover=decided), basis, on_found)
    try:
        run.search(monitor)
    except Cancelled:
        run.report()
        raise
    return run.so_far(is_complete=True)


def _see_feasible(basis: Basis) -> None:
    if basis.limit is None or basis.is_feasible:
        return
    params = {"threshold": basis.limit, "least": basis.required_risk}
    is_by_preference = basis.required_risk > basis.least_risk
    code = "preferences_too_risky" if is_by_preference else "no_acceptable_policy"
    raise InfeasibleError(code, **params)


def _search_share(method: str, n_bits: int) -> float:
    """Part of the progress that searching takes, where completion follows.

    Completion takes a step for every bit; bisection takes its logarithm.
    """
    if method == "directed":
        return DIRECTED_SHARE
    return STEPS_AS_LONG / (STEPS_AS_LONG + n_bits)


class _Run:
    """A discovery that goes on: what it has found, and who is told."""

    def __init__(
        self, project: Project, basis: Basis, on_found: OnFound | None
    ) -> None:
        self._discover, self._basis, self._on_found = project.discover, basis, on_found
        self._guiding, self._weights = project.quality.measure, weights_of(project)
        self._figures = _Figures(basis)
        self._found: list[FoundPolicy] = []
        self._completed: list[FoundPolicy] = []
        self._n_evaluated = 0
        self._chains: FrontierSearch | None = None
        self._frontier: Frontier | None = None
        self._is_free = False
        self._begun = time.monotonic()
        self._report_at = self._begun + REPORT_EVERY_S
        self._walk, self._accepted = basis.rule.walk(), dict[bytes, bool]()

    def search(self, monitor: Monitor) -> None:
        """Search by the method that was chosen."""
        discover, basis = self._discover, self._basis
        wanted = [each for each in discover.preferences if each.is_demanded]
        demands = engine_preferences(basis.space, wanted)
        if discover.method == "frontier":
            self._search_frontier(demands, monitor)
            return
        keep = demanded(basis.space, demands)
        if discover.method == "exhaustive":
            census = exhaustive_search(
                basis.rule, keep=keep, on_found=self._take, monitor=monitor
            )
            self._finish(census)
            return
        steering = steer(
            basis.space,
            discover.iterations,
            keep,
            engine_preferences(basis.space, discover.preferences),
            discover.quotas,
        )
        completes = discover.completes
        share = _search_share(discover.method, basis.space.n_bits)
        step = SubMonitor(monitor, 0.0, share if completes else 1.0)
        found = self._walks(keep, steering, step)
        self._finish(found)
        if completes and not found.every_policy_acceptable:
            rest = complete(
                basis.rule,
                [each.policy for each in found.distinct],
                seed=discover.seed,
                preferred=steering.preferred,
                on_found=self._take_completed,
                monitor=SubMonitor(monitor, share, 1.0),
            )
            self._n_evaluated += int(rest.n_evaluated.sum())

    def _walks(
        self, keep: BoolArray, steering: Steering, monitor: Monitor
    ) -> Discovery:
        discover, rule = self._discover, self._basis.rule
        if discover.method == "directed":
            return directed_search(
                rule,
                discover.iterations,
                seed=discover.seed,
                keep=keep,
                steering=steering,
                on_found=self._take,
                monitor=monitor,
            )
        return bisecting_search(
            rule,
            discover.iterations,
            seed=discover.seed,
            weights=WEIGHTS[discover.weights],
            keep=keep,
            steering=steering,
            on_found=self._take,
            monitor=monitor,
        )

    def _search_frontier(self, wanted: Sequence[Preference], monitor: Monitor) -> None:
        """Search among the values of the file, then complete what is acceptable."""
        basis = self._basis
        space = basis.space.of_file()
        figures, keep = basis.risk_and_loss(space), demanded(space, wanted)
        found = sublattice_search(
            figures,
            self._discover.budget,
            seed=self._discover.seed,
            keep=keep,
            on_chain=self._take_chain,
            monitor=SubMonitor(monitor, 0.0, 0.6),
        )
        self._frontier = complete_frontier(
            found,
            figures,
            basis.measure,
            basis.rule,
            tops=[keep, *(top_of(space, kind, keep) for kind in kinds_of(space))],
            monitor=SubMonitor(monitor, 0.6, 1.0),
        )
        self._is_free = basis.is_free

    def _finish(self, found: Discovery) -> None:
        self._found = list(found.found)
        self._n_evaluated = int(found.n_evaluated.sum())
        self._is_free = found.every_policy_acceptable

    def _take(self, found: FoundPolicy) -> None:
        self._found.append(found)
        self._report_sometimes()

    def _take_completed(self, found: FoundPolicy) -> None:
        self._completed.append(found)
        self._report_sometimes()

    def _take_chain(self, search: FrontierSearch) -> None:
        self._chains = search
        self._report_sometimes()

    def _report_sometimes(self) -> None:
        if time.monotonic() >= self._report_at:
            self.report()

    def report(self) -> None:
        """Tell what has been found so far."""
        if self._on_found is None:
            return
        start = time.monotonic()
        self._on_found(self.so_far())
        end = time.monotonic()
        self._report_at = end + max(REPORT_EVERY_S, REPORTING * (end - start))

    def so_far(self, *, is_complete: bool = False) -> AlternativePolicies:
        """Return what has been found so far."""
        frontier = self._frontier
        if frontier is None and self._chains is not None:
            frontier = self._chains.frontier()
        if frontier is not None:
            return self._of_frontier(frontier, is_complete)
        distinct = _distinct(self._found)
        kept = _undominated(distinct)
        # A policy that is still to be completed stands for itself.
        best = list(distinct)
        for each in self._completed:
            iteration = distinct[each.iteration].iteration
            best[each.iteration] = replace(each, iteration=iteration)
        counts = SearchCounts(
            len(self._found),
            len(distinct),
            len(kept),
            len(self._completed),
            self._n_evaluated,
        )
        return self._result(_undominated(_distinct(best)), counts, is_complete)

    def _of_frontier(
        self, frontier: Frontier, is_complete: bool
    ) -> AlternativePolicies:
        """Take the acceptable points of a frontier as alternatives."""
        space = self._basis.space
        if frontier.points and frontier.points[0].policy.space is not space:
            points = tuple(
                replace(
                    point,
                    policy=BitPolicy(space, space.closed(point.policy.bits)),
                )
                for point in frontier.points
            )
            frontier = replace(frontier, points=points)
        scale = frontier.highest_risk
        found = [
            FoundPolicy(point.policy, point.risk * scale, is_boundary=False)
            for point in frontier.points
            if self._accepts(point.policy)
        ]
        n_points, n_kept = len(frontier.points), len(_undominated(found))
        counts = SearchCounts(n_points, n_points, n_kept, 0, frontier.n_evaluated)
        return self._result(found, counts, is_complete, frontier)

    def _accepts(self, policy: BitPolicy) -> bool:
        """Whether the rule accepts a policy that a frontier found."""
        if policy.key not in self._accepted:
            self._walk.restart()
            self._accepted[policy.key] = self._walk.judge(policy.bits).accepted
        return self._accepted[policy.key]

    def _result(
        self,
        found: Sequence[FoundPolicy],
        counts: SearchCounts,
        is_complete: bool,
        frontier: Frontier | None = None,
    ) -> AlternativePolicies:
        alternatives = AlternativePolicies(
            self._basis,
            self._discover.method,
            tuple(
                self._figures.alternative(number, each)
                for number, each in enumerate(found)
            ),
            counts,
            time.monotonic() - self._begun,
            self._guiding,
            self._weights,
            is_complete,
            self._is_free,
            frontier,
        )
        # They are looked at in the window's thread, and take longest of all.
        _ = alternatives.clusters
        return alternatives


def _distinct(found: Sequence[FoundPolicy]) -> list[FoundPolicy]:
    """Each policy once, where it was found first."""
    return list({each.policy: each for each in reversed(found)}.values())[::-1]


def _undominated(found: Sequence[FoundPolicy]) -> list[FoundPolicy]:
    """Leave out policies of which another one is more specific."""
    kept = non_dominated([each.policy.splits for each in found]).tolist()
    return [each for each, is_kept in zip(found, kept, strict=True) if is_kept]


class _Figures:
    """Risk and loss of policies found, each measured once."""

    def __init__(self, basis: Basis) -> None:
        self._figures = basis.risk_and_loss()
        self._known: dict[bytes, tuple[float, float]] = {}

    def alternative(self, number: int, found: FoundPolicy) -> Alternative:
        """Describe a policy that was found."""
        policy, figures = found.policy, self._figures
        if policy.key not in self._known:
            self._known[policy.key] = figures.exactly(policy.bits)
        risk, loss = self._known[policy.key]
        domains = policy.space.domains
        n_joined = [
            int(is_joined(domain, groups).sum())
            for domain, groups in zip(domains, policy.groups, strict=True)
        ]
        return Alternative(
            number,
            policy,
            risk,
            loss,
            loss / figures.highest_loss,
            sum(n_joined),
            tuple(d.attribute for d, n in zip(domains, n_joined, strict=True) if n),
            found.is_risk_minimal,
            found.iteration,
            Figures(n_suppressed=0, population_risk=risk),
        )
