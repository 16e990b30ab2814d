"""Policies of several rounds: suppressed records are released with other groups."""

from __future__ import annotations

from typing import Any

from deidgui.app.classes import Classes
from deidgui.app.demands import search_problems
from deidgui.app.policies.lattice.searching import search_rounds
from deidgui.app.policies.lattice.storing import lattice_rounds
from deidgui.app.policies.listed import Listed, ListedPolicies
from deidgui.app.policies.policy_set import Emit
from deidgui.app.policies.source import LOCAL_RECODING, PolicySource
from deidgui.app.policies.stored import stored_policies
from deidgui.app.project import Chosen, Project
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.words import sentence
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


class LocalRecodingSource(PolicySource[ListedPolicies]):
    """Searches what the best policy suppresses again (see `PolicySource`)."""

    kind = LOCAL_RECODING

    def problems(self, project: Project) -> list[DeidError]:
        """Return what is missing before it can run."""
        return search_problems(project)

    def run(
        self,
        project: Project,
        classes: Classes,
        *,
        basis: Any = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> ListedPolicies:
        """Search the best policy of several rounds; none if there is none."""
        del basis, emit
        found = search_rounds(project, classes, monitor=SubMonitor(monitor, 0.0, 0.9))
        rest = SubMonitor(monitor, 0.9, 1.0)
        chosen = [] if found is None else [found.choice()]
        return stored_policies(
            project,
            classes,
            chosen,
            kind=self.kind,
            method=LOCAL_RECODING,
            monitor=rest,
        )

    def describe(
        self, found: ListedPolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return the policies and their losses as JSON values."""
        monitor.report(0.0, "describe")
        return {"policies": [_described(each, found) for each in found.policies]}

    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored policy of several rounds."""
        return lattice_rounds(chosen, project, classes)


def _described(each: Listed, found: ListedPolicies) -> dict[str, Any]:
    n_suppressed = each.figures.n_suppressed or 0
    return {
        "words": sentence(
            each.policy,
            n_suppressed,
            found.n_records,
            each.n_later,
            of_people=found.by_person,
        ),
        "suppressed_records": n_suppressed,
        "loss": each.figures.loss,
        "chosen": each.chosen.model_dump(mode="json", by_alias=True),
    }


SOURCE = LocalRecodingSource()
