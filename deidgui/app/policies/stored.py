"""Policies that a project stores, rebuilt and measured under the decisions of now."""

from __future__ import annotations

from collections.abc import Sequence

from deidgui.app.classes import Classes
from deidgui.app.policies.candidate import CandidateState, Figures, Proof
from deidgui.app.policies.decisions import kept_levels, limit_of, weights_of
from deidgui.app.policies.figures import holds, measure_policy
from deidgui.app.policies.listed import Listed, ListedPolicies
from deidgui.app.policies.source import source_of
from deidgui.app.project import Chosen, Project
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

STORED = "stored"
"""Kind of these policies among those of the sources."""


def stored_policies(
    project: Project,
    classes: Classes,
    chosen: Sequence[Chosen],
    *,
    kind: str = STORED,
    method: str = "",
    monitor: Monitor = NULL_MONITOR,
) -> ListedPolicies:
    """Rebuild and measure policies as they are stored.

    Parameters
    ----------
    classes : Classes
        Of the same decisions.
    chosen : sequence of Chosen
        Those that do not fit the decisions any more are left out.
    kind, method : str, optional
        Of the source that found them.
    """
    found = []
    for place, each in enumerate(chosen):
        step = SubMonitor(monitor, place / len(chosen), (place + 1) / len(chosen))
        try:
            found.append(_listed(project, classes, each, step))
        except ConfigError:
            # Chosen for values or people of earlier decisions.
            continue
    return ListedPolicies(
        kind,
        tuple(found),
        classes.class_table,
        project.quality.measure,
        weights_of(project),
        Proof(method, None, len(found), is_complete=True),
        kept_levels(project, classes.class_table),
    )


def _listed(
    project: Project, classes: Classes, chosen: Chosen, monitor: Monitor
) -> Listed:
    source = source_of(chosen)
    policy = source.policy_of(chosen, project, classes)
    accepted = source.judge(project, chosen, classes, monitor=monitor)
    table, measure = classes.class_table, project.quality.measure
    figures = measure_policy(policy, table, measure, weights_of(project)).figures
    is_met = accepted is None or accepted.is_met
    # A threshold that is set is a condition, wherever a policy comes from.
    is_by_risk = accepted is not None and accepted.acceptance.by == "risk"
    lacks_population = accepted is not None and accepted.lacks_population
    if not is_by_risk or lacks_population or project.privacy.models:
        is_met &= _meets_models(project, classes, policy, figures)
    return Listed(
        chosen,
        policy,
        figures,
        CandidateState.MEETS if is_met else CandidateState.FAILS,
        n_later=released_classes(table, policy).n_later if policy.later else 0,
    )


def _meets_models(
    project: Project, classes: Classes, policy: Policy, figures: Figures
) -> bool:
    """Whether all privacy models hold and no more is suppressed than allowed."""
    table, models = classes.class_table, project.privacy.models
    limit = limit_of(project, table.n_records)
    is_within = (figures.n_suppressed or 0) <= limit
    return bool(models) and is_within and holds(policy, table, models)
