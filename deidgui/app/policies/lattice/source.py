"""Policies of the generalization lattice under the privacy models of a project."""

from __future__ import annotations

from typing import Any

from deidgui.app.classes import Classes
from deidgui.app.demands import search_problems
from deidgui.app.policies.lattice.keeping import (
    cost_words,
    kept_words,
    skipped_words,
)
from deidgui.app.policies.lattice.planning import SearchPlan, plan_search
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import (
    FEW_SHOWN,
    find_best,
    survey,
    surveyed,
)
from deidgui.app.policies.lattice.storing import lattice_rounds
from deidgui.app.policies.lattice.trade_offs import (
    TradeOffCurve,
    TradeOffs,
    find_trade_offs,
)
from deidgui.app.policies.lattice.what_if import can_ask
from deidgui.app.policies.policy_set import Emit
from deidgui.app.policies.source import LATTICE, PolicySource
from deidgui.app.project import Chosen, Project
from deidgui.app.stated import tie_words
from deidgui.engine.policy.policy import Policy
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor

CANDIDATES = 50
"""Candidates that are listed at most."""


def describe_lattice(
    found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
) -> dict[str, Any]:
    """Return how policies were searched, the best of them, and what thresholds cost.

    Parameters
    ----------
    found : LatticePolicies
        Some of its policies meet the thresholds.

    Returns
    -------
    dict
        JSON values.
    """
    assert found.optimum is not None
    return {
        **_proof(found),
        # Of a part nobody knows how many there are in all.
        "solutions": found.result.n_solutions if found.is_whole else None,
        "compared_solutions": found.result.n_solutions,
        "limit_records": found.result.limit_records,
        "measure": found.guiding.to_json(),
        "measure_title": found.guiding.title,
        "optimum": _candidate(found, found.optimum),
        "candidates": _candidates(found, monitor),
        "prices": _affordable_trade_offs(found),
    }


def _candidates(found: LatticePolicies, monitor: Monitor) -> list[dict[str, Any]]:
    """The best policies, the one that would be released among them."""
    described = []
    for done, node in enumerate(found.ranked[:CANDIDATES].tolist()):
        monitor.report(done / CANDIDATES, "details")
        described.append(_candidate(found, node))
    return described


def _affordable_trade_offs(found: LatticePolicies) -> dict[str, Any] | None:
    """What thresholds cost, None where it takes more than the search itself.

    So it does if a threshold needs a search of its own, or the measure a closer
    look at many policies. A few policies around the best one do not tell it.
    """
    is_surveyed = found.is_whole or found.lattice.n_nodes > FEW_SHOWN
    is_cheap = is_surveyed and can_ask(found, 2) and found.is_exact
    return _trade_offs(find_trade_offs(found), found) if is_cheap else None


def _candidate(found: LatticePolicies, node: int) -> dict[str, Any]:
    """One policy with what it loses under every measure."""
    losses = found.measure(node).losses
    loss = losses[0].loss
    return {
        "levels": found.levels_of(node),
        "words": found.words(node),
        "withhold_below": max(1, int(found.suppress_below[node])),
        "suppressed_records": int(found.suppressed[node]),
        "loss": loss if loss == loss else None,
        "loss_is_exact": True,
        "average_prosecutor_risk": float(found.average_risk[node]),
        "measures": [
            {**each.measure.to_json(), "loss": each.loss, "unit": each.measure.unit}
            for each in losses
        ],
    }


def _proof(found: LatticePolicies) -> dict[str, Any]:
    """How policies were searched and what is proven."""
    proof, names = found.proof, found.attributes
    assert found.optimum is not None
    return {
        "method": proof.method,
        "nodes": proof.n_policies,
        "checked": proof.n_examined,
        "compared": found.profile.n_checked,
        "skipped": found.n_skipped,
        "skipped_because": skipped_words(found),
        "complete": proof.is_complete,
        "gap": proof.gap,
        "keep_something": bool(found.keeping),
        "removed": list(found.removed_at(found.optimum)),
        "kept": kept_words(found),
        "preference": cost_words(found),
        "proven_for": tie_words(found.models) if found.complete else "",
        "minimal": [dict(zip(names, each, strict=True)) for each in found.minimal],
    }


def _trade_offs(answer: TradeOffs, found: LatticePolicies) -> dict[str, Any]:
    """What thresholds cost."""
    return {
        "all_policies_compared": answer.is_whole,
        "by_suppression_limit": _curve(answer.by_limit, found, "limit"),
        "by_group_size": _curve(answer.by_size, found, "k"),
    }


def _curve(
    curve: TradeOffCurve, found: LatticePolicies, name: str
) -> list[dict[str, Any]]:
    points = zip(
        curve.at.tolist(),
        curve.loss.tolist(),
        curve.nodes.tolist(),
        curve.exact.tolist(),
        strict=True,
    )
    return [
        {
            name: int(at) if name == "k" else at,
            "loss": loss if loss == loss else None,
            "loss_is_exact": is_exact,
            "levels": found.levels_of(node) if node >= 0 else None,
        }
        for at, loss, node, is_exact in points
    ]


class LatticeSource(PolicySource[LatticePolicies]):
    """Searches the lattice by the method of the project (see `PolicySource`)."""

    kind = LATTICE

    def problems(self, project: Project) -> list[DeidError]:
        """Return what is missing before it can run."""
        return search_problems(project)

    def plan(self, project: Project, classes: Classes) -> SearchPlan:
        """Return what a search would do, without starting it."""
        return plan_search(project, classes)

    def run(
        self,
        project: Project,
        classes: Classes,
        *,
        basis: Any = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> LatticePolicies:
        """Find the best policy; see `find_best`."""
        del basis
        return find_best(project, classes, emit=emit, monitor=monitor)

    def can_survey(self, project: Project, found: LatticePolicies) -> bool:
        """Whether the proof left out policies that `survey` looks at."""
        return surveyed(project, found) is not None

    def survey(
        self,
        project: Project,
        classes: Classes,
        found: LatticePolicies,
        *,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> LatticePolicies:
        """Look at all other policies; see `survey`."""
        return survey(project, classes, found, emit=emit, monitor=monitor)

    def describe(
        self, found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return what was found as JSON values; see `describe_lattice`."""
        return describe_lattice(found, monitor=monitor)

    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored node."""
        return lattice_rounds(chosen, project, classes)


SOURCE = LatticeSource()
