"""Policies that join neighbouring values and are no riskier than a baseline."""

from __future__ import annotations

from typing import Any

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.policies.alternatives.basis import Basis, rule_in_words
from deidgui.app.policies.alternatives.checking import discovery_problems
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.policies import (
    AlternativePolicies,
    Ordered,
    order,
)
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.storing import policy_from
from deidgui.app.policies.policy_set import Emit
from deidgui.app.policies.source import ALTERNATIVES, Plan, PolicySource
from deidgui.app.project import Chosen, PreferenceChoice, Project
from deidgui.app.text import sentence_for
from deidgui.engine.discover.sensitivity import N_POPULATIONS
from deidgui.engine.policy.policy import Policy
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor

MOST = 50
"""Alternatives that are listed at most."""


def describe_alternatives(
    found: AlternativePolicies, *, monitor: Monitor = NULL_MONITOR
) -> dict[str, Any]:
    """Return the rule, what it allows, and the alternatives, preferred ones first.

    Returns
    -------
    dict
        JSON values.
    """
    if not found.is_measured:
        found = found.guided_by(found.guiding, found.weights, found.models, monitor)
    basis = found.basis
    preferences = basis.discover.preferences
    ordered = order(found, preferences)
    return {
        **describe_basis(basis),
        "method": found.method,
        "seed": basis.discover.seed,
        "complete": found.is_complete,
        "every_policy_acceptable": found.every_policy_acceptable,
        **found.counts._asdict(),
        "alternatives": len(found),
        "thresholds": len(found.models),
        "meeting": int(np.count_nonzero(found.columns.meets)),
        "better_in_both": _n_better(found),
        "frontier_points": len(found.frontier.points) if found.frontier else None,
        "wishes": [_preference(each) for each in preferences],
        "clusters": [
            {
                "words": each.words,
                "alternatives": len(each.members),
                "example": each.example,
                "example_words": found.words(each.example),
            }
            for each in found.clusters
        ],
        "listed": [
            _alternative(found, ordered, number)
            for number in ordered.numbers[:MOST].tolist()
        ],
    }


def describe_basis(basis: Basis) -> dict[str, Any]:
    """Return what the rule does to a file, and the risks it is judged by.

    Returns
    -------
    dict
        JSON values.
    """
    population, rule = basis.population, basis.baseline
    return {
        "baseline": basis.discover.baseline,
        "gamma": basis.discover.gamma,
        "threshold": basis.threshold,
        "populations_drawn": N_POPULATIONS,
        "margin": basis.margin,
        "allowed_risk": basis.limit,
        "records_compared": basis.n_compared,
        "records_left_out": basis.coverage.n_records_left_out,
        "records_possible": basis.coverage.n_records_possible,
        "raw_risk": basis.raw_risk,
        "least_risk": basis.least_risk,
        "records": basis.n_records,
        "rule": None
        if rule is None
        else {
            "joined": dict(zip(basis.attributes, rule_in_words(basis), strict=True)),
            "risk": rule.sums.counted,
            "risk_of_all_records": rule.sums.cautious,
            "loss_share": rule.loss / basis.highest_loss,
            "withheld": rule.n_suppressed,
        },
        "population": {
            "titles": []
            if population is None
            else list(population.titles or population.tables),
            "basis": None if population is None else population.basis,
            "people": basis.population_size,
        },
        "warnings": [sentence_for(each.code, each.params) for each in basis.warnings],
        "remarks": [sentence_for(each.code, each.params) for each in basis.remarks],
    }


def _n_better(found: AlternativePolicies) -> int | None:
    """Alternatives that neither risk nor lose more than the rule."""
    rule = found.basis.baseline
    if rule is None:
        return None
    return int(((found.risk <= rule.risk) & (found.loss <= rule.loss)).sum())


def _preference(preference: PreferenceChoice) -> dict[str, Any]:
    return preference.model_dump(mode="json")


def _alternative(
    found: AlternativePolicies, ordered: Ordered, number: int
) -> dict[str, Any]:
    each, attributes = found.alternatives[number], found.basis.attributes
    joined = zip(attributes, found.table3_row(number), strict=True)
    limit = found.basis.threshold
    return {
        "number": number,
        "words": found.words(number),
        "joined": dict(joined),
        "risk": each.risk,
        "risk_of_all_records": each.figures.cautious_risk,
        "kind": list(each.kind),
        "records_riskier": each.figures.n_riskier,
        "riskier_who": each.riskier,
        "added_risk_most": each.figures.added_risk,
        "added_risk_sum": each.figures.added_sum,
        "populations_holding": each.figures.n_holding,
        "share_of_threshold": None if limit is None else each.risk / limit,
        "loss_share": each.loss_share,
        "values_joined": each.n_joined,
        "risk_minimal": each.is_risk_minimal,
        "cluster": int(found.cluster_of[number]),
        "meets": bool(found.columns.meets[number])
        if found.columns.checked[number]
        else None,
        "score": float(ordered.scores[number]),
        "wishes_met": [float(share[number]) for share in ordered.shares],
        "chosen": found.choice(number).model_dump(mode="json"),
    }


class AlternativeSource(PolicySource[AlternativePolicies]):
    """Discovers alternatives by the method of the project (see `PolicySource`)."""

    kind = ALTERNATIVES

    def problems(self, project: Project) -> list[DeidError]:
        """Return what is missing before it can run."""
        return discovery_problems(project)

    def plan(self, project: Project, classes: Classes) -> Plan:
        """Return what a search would do; how long it takes depends on the data."""
        del classes
        return Plan(project.discover.method, None, None)

    def run(
        self,
        project: Project,
        classes: Classes,
        *,
        basis: Basis | None = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> AlternativePolicies:
        """Discover; as `deidgui.app.policies.alternatives.searching.discover`."""
        return discover(project, classes, basis=basis, on_found=emit, monitor=monitor)

    def describe(
        self, found: AlternativePolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return what was found as JSON values; see `describe_alternatives`."""
        monitor.report(0.0, "describe")
        return describe_alternatives(found, monitor=monitor)

    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored policy of joined values (see `policy_from`)."""
        return policy_from(chosen, project, classes)

    def judge(
        self,
        project: Project,
        chosen: Chosen,
        classes: Classes,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> Accepted | None:
        """See what the acceptance of a stored policy is worth now."""
        return judge(project, chosen, classes, monitor=monitor)


SOURCE = AlternativeSource()
