"""Does the way a person took need no privacy models, limit or search?"""

from __future__ import annotations

from deidgui.app.policies.acceptance import UNCOUNTED, lacks_population
from deidgui.app.project import Project
from deidgui.qt.pages.base import PageStatus, StepState
from deidgui.text import tr

BY_RISK = ("safe_harbor", "policy", "typed")
"""Baselines of discovery that limit the risk: no privacy model is asked."""


def is_accepted_by_risk(project: Project) -> bool:
    """Whether the chosen policy is accepted because its risk is low enough.

    A comparison with Safe Harbor is no reason for a release without a population.
    """
    chosen = project.chosen
    if chosen is None or lacks_population(project, chosen):
        return False
    return chosen.acceptance is not None and chosen.acceptance.by == "risk"


def goes_by_risk(project: Project) -> bool:
    """Whether policies are compared by their risk, whatever else a release needs."""
    chosen = project.chosen
    if chosen is not None:
        return chosen.acceptance is not None and chosen.acceptance.by == "risk"
    return project.discover.baseline in BY_RISK


def needs_no_thresholds(project: Project) -> bool:
    """Whether nothing is missing where no model, limit or search is decided.

    Returns
    -------
    bool
        Of a policy accepted by its risk, and while one is looked for.
    """
    if project.chosen is not None:
        return is_accepted_by_risk(project)
    if project.discover.baseline == "safe_harbor":
        return project.privacy.population.kind not in UNCOUNTED
    return project.discover.baseline in BY_RISK


def not_needed() -> PageStatus:
    """How a step stands that such a policy does not need."""
    words = tr("not needed")
    return PageStatus(StepState.READY, words)


def why_not_needed(project: Project) -> str:
    """Say in Markdown why a step may be left out; empty if it may not."""
    if not needs_no_thresholds(project):
        return ""
    if is_accepted_by_risk(project):
        return tr(
            "**Not needed for your policy.** It was chosen in the step Policies "
            "because its risk is low enough. It needs no thresholds, no limit on "
            "suppressed records and no search. What you decide here is reported and "
            "changes nothing of the policy.",
        )
    return tr(
        "**Not needed for alternatives.** In the step Policies, policies are "
        "compared by their risk. They need no thresholds, no limit on suppressed "
        "records and no search.",
    )
