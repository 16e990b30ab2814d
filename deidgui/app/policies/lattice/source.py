"""Policies of the generalization lattice under the privacy models of a project."""

from __future__ import annotations

from typing import Any

from deidgui.app.classes import Classes
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.policies.lattice.describing import describe_lattice
from deidgui.app.policies.lattice.planning import SearchPlan, plan_search
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import search, search_problems
from deidgui.app.policies.lattice.storing import lattice_rounds
from deidgui.app.policies.source import LATTICE, Emit, PolicySource
from deidgui.app.project import Chosen, Project
from deidgui.engine.policy.policy import Policy
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor


class LatticeSource:
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
        prepared: None = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> LatticePolicies:
        """Search the lattice; see `deidgui.app.policies.lattice.searching.search`."""
        del prepared
        return search(project, classes, emit=emit, monitor=monitor)

    def describe(
        self, found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return what was found as JSON values; see `describe_lattice`."""
        return describe_lattice(found, monitor=monitor)

    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored node."""
        return lattice_rounds(chosen, project, classes)

    def judge(
        self,
        project: Project,
        chosen: Chosen,
        classes: Classes,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> Accepted | None:
        """Only the privacy models decide."""
        del project, chosen, classes, monitor
        return None


SOURCE: PolicySource[LatticePolicies] = LatticeSource()
