"""Policies that join neighbouring values and are no riskier than a baseline."""

from __future__ import annotations

from typing import Any

from deidgui.app.classes import Classes
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.policies.alternatives.checking import discovery_problems
from deidgui.app.policies.alternatives.describing import describe_alternatives
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.policies import AlternativePolicies
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.storing import policy_from
from deidgui.app.policies.source import ALTERNATIVES, Emit, Plan, PolicySource
from deidgui.app.project import Chosen, Project
from deidgui.engine.policy.policy import Policy
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor


class AlternativeSource:
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
        prepared: Basis | None = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> AlternativePolicies:
        """Discover; as `deidgui.app.policies.alternatives.searching.discover`."""
        return discover(
            project, classes, basis=prepared, on_found=emit, monitor=monitor
        )

    def describe(
        self, found: AlternativePolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return what was found as JSON values; see `describe_alternatives`."""
        monitor.report(0.0, "describe")
        return describe_alternatives(found)

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


SOURCE: PolicySource[AlternativePolicies] = AlternativeSource()
