"""The contract of a source of policies, and the sources that there are."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from deidgui.app.project import Chosen, Project
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor

if TYPE_CHECKING:
    # PERF: whoever asks for the kind of a source waits for no engine.
    from deidgui.app.classes import Classes
    from deidgui.app.policies.acceptance import Accepted
    from deidgui.app.policies.policy_set import Emit, SourceResult
    from deidgui.engine.policy.policy import Policy

R = TypeVar("R", bound="SourceResult")
"""What a source returns in the end."""


@dataclass(frozen=True)
class Plan:
    """What a source is going to do.

    Parameters
    ----------
    n_policies : int or None
        Policies that there are; None if nobody counts them.
    seconds : float or None
        Estimated duration; None if the data decide it.
    """

    method: str
    n_policies: int | None
    seconds: float | None


class PolicySource(ABC, Generic[R]):
    """Where policies come from; stateless.

    Attributes
    ----------
    kind : str
        Its key in results and in texts.
    """

    kind: str

    @abstractmethod
    def problems(self, project: Project) -> list[DeidError]:
        """Return what is missing before it can run: no problem, nothing is open."""

    def plan(self, project: Project, classes: Classes) -> Plan:
        """Return what a run would do, without starting it.

        How long it takes depends on the data, if a source does not say otherwise.
        """
        del project, classes
        return Plan(self.kind, None, None)

    @abstractmethod
    def run(
        self,
        project: Project,
        classes: Classes,
        *,
        basis: Any = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> R:
        """Look for policies.

        Parameters
        ----------
        classes : Classes
            Of the same decisions.
        basis : object, optional
            What is known for these decisions: of alternatives their `Basis`, of a
            longitudinal search what an earlier one had found.
        emit : callable, optional
            Receives growing results while the search runs, and once more what had
            been found if the monitor cancels; those are not complete.

        Returns
        -------
        R
            The same for the same project and classes.

        Raises
        ------
        DeidError
            As `problems`, all together, and what the search itself refuses.
        """

    def can_survey(self, project: Project, found: R) -> bool:
        """Whether `survey` finds more than is known."""
        del project, found
        return False

    def survey(
        self,
        project: Project,
        classes: Classes,
        found: R,
        *,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> R:
        """Look at policies that need not be known to find the best one.

        Parameters
        ----------
        found : R
            Of a run for the same decisions.
        emit : callable, optional
            Receives growing results, each with the best policy and its proof.

        Returns
        -------
        R
            `found` itself if nothing is left to look at.
        """
        del project, classes, emit, monitor
        return found

    @abstractmethod
    def describe(self, found: R, *, monitor: Monitor = NULL_MONITOR) -> dict[str, Any]:
        """Return what was found as JSON values, for the command line."""

    @abstractmethod
    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored policy, of a kind that this source stores.

        Raises
        ------
        ConfigError
            If it does not fit the quasi-identifiers any more.
        """

    def judge(
        self,
        project: Project,
        chosen: Chosen,
        classes: Classes,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> Accepted | None:
        """See whether a stored policy is still acceptable by its own comparison.

        Returns
        -------
        Accepted or None
            None if only the privacy models decide.
        """
        del project, chosen, classes, monitor
        return None


@dataclass(frozen=True)
class _Registered:
    """A source by its place, so that it is imported when it is first used.

    Parameters
    ----------
    module : str
        Has the source as ``SOURCE``.
    stores : tuple of str
        Kinds of `Chosen` that its policies are stored as.
    """

    kind: str
    module: str
    stores: tuple[str, ...]


LATTICE, LOCAL_RECODING, ALTERNATIVES = "lattice", "local_recoding", "alternatives"
LONGITUDINAL, BLOCKS = "longitudinal", "blocks"

# PERF: a source brings its search engine with it, which takes a second to import.
_SOURCES = (
    _Registered(LATTICE, "deidgui.app.policies.lattice.source", ("lattice",)),
    _Registered(
        LOCAL_RECODING,
        "deidgui.app.policies.lattice.local_recoding",
        ("local_recoding",),
    ),
    _Registered(
        ALTERNATIVES,
        "deidgui.app.policies.alternatives.source",
        ("interval", "subtree"),
    ),
    _Registered(
        LONGITUDINAL,
        "deidgui.app.policies.longitudinal.source",
        ("longitudinal",),
    ),
    # Where whole records are suppressed, what it finds is a policy of the lattice.
    _Registered(BLOCKS, "deidgui.app.policies.blocks.source", ("blocks",)),
)
"""The sources; adding one is one line here."""

KINDS: tuple[str, ...] = tuple(each.kind for each in _SOURCES)
"""All kinds of sources, in the order in which their policies are named."""


def main_kind(project: Project) -> str:
    """Kind of the source that finds the policy to release, if nobody chooses one."""
    if project.privacy.events is not None:
        return LONGITUDINAL
    return BLOCKS if project.is_by_blocks else LATTICE


def source(kind: str) -> PolicySource[Any]:
    """Return the source of a kind."""
    (found,) = (each for each in _SOURCES if each.kind == kind)
    return _load(found)


def source_of(chosen: Chosen) -> PolicySource[Any]:
    """Return the source that stores policies of the kind of a chosen one."""
    (found,) = (each for each in _SOURCES if chosen.kind in each.stores)
    return _load(found)


def _load(registered: _Registered) -> PolicySource[Any]:
    found: PolicySource[Any] = importlib.import_module(registered.module).SOURCE
    return found
