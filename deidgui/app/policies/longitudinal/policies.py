"""The policies that a longitudinal search has looked at, with the people at risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.app.charts.lattice import LatticeLayout, lattice_layout
from deidgui.app.policies.candidate import (
    CandidateState,
    Figures,
    Measures,
    Proof,
    Proven,
)
from deidgui.app.policies.listed import Listed, MeasuredLater
from deidgui.app.policies.longitudinal.events import Events
from deidgui.app.project import Chosen
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.longitudinal.risk import ShareAtRisk
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.quality import QualityMeasure
from deidgui.engine.search.lattice import Lattice
from deidgui.errors import InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import per_cent, tr


@dataclass(frozen=True)
class Causes:
    """People at risk under a policy.

    Parameters
    ----------
    n_at_risk : int
        People who are at risk in most draws of what is known of them.
    n_alone : int
        Of these, by the columns that are the same in all their rows.
    median_events, median_events_of_all : float
        Events of a person: of those at risk, and of everybody.
    rare : tuple of (str, int)
        By column of events, people at risk who have a value that too few people have.
    """

    n_all: int
    n_at_risk: int
    n_alone: int
    median_events: float
    median_events_of_all: float
    rare: tuple[tuple[str, int], ...]

    def words(self) -> str:
        """Say who is at risk, in sentences."""
        if not self.n_at_risk:
            return ""
        found = [
            tr(
                "{n:person is|people are} at risk in most draws of what is known of "
                "them; their median number of events is {median:g}, that of all "
                "people {all:g}.",
                n=self.n_at_risk,
                median=self.median_events,
                all=self.median_events_of_all,
            )
        ]
        if self.n_alone:
            found.append(
                tr(
                    "{n:person is|people are} at risk by the columns alone that are "
                    "the same in all their rows.",
                    n=self.n_alone,
                )
            )
        found += [
            tr(
                "{n:person at risk has|people at risk have} a value of “{column}” that "
                "too few people have.",
                n=n,
                column=name,
            )
            for name, n in self.rare
            if n
        ]
        return " ".join(found)


@dataclass(frozen=True)
class Looked:
    """A node that was looked at.

    Parameters
    ----------
    levels : mapping of str to int
        In column order.
    loss : float in [0, 1]
        As of `Figures.events_loss`.
    is_met : bool
        Whether few enough people are at risk, and all privacy models hold.
    is_minimal : bool
        Whether every less general policy fails.
    is_best : bool
        Whether no other policy that meets the limit loses less, and no estimate
        decided that.
    """

    levels: Mapping[str, int]
    share: ShareAtRisk
    loss: float
    is_met: bool
    is_minimal: bool = False
    is_best: bool = False

    @property
    def figures(self) -> Figures:
        """What is known of it before anything is measured."""
        return Figures(
            n_suppressed=0,
            share_at_risk=self.share.share,
            share_at_risk_low=self.share.low,
            share_at_risk_high=self.share.high,
            events_loss=self.loss,
        )

    @property
    def proven(self) -> frozenset[Proven]:
        """What is proven of it."""
        found = {Proven.MINIMAL: self.is_minimal, Proven.BEST: self.is_best}
        return frozenset(each for each, is_proven in found.items() if is_proven)


def longitudinal_policy(class_table: ClassTable, levels: Mapping[str, int]) -> Policy:
    """Return the policy of a node: nobody is suppressed.

    Raises
    ------
    ConfigError
        As `lattice_policy`.
    """
    return lattice_policy(class_table.hierarchies, levels, 1, "longitudinal")


@dataclass(frozen=True, repr=False, eq=False)
class Tagged:
    """Every node of a lattice, those included that follow from others.

    Parameters
    ----------
    lattice : Lattice
        Over the attributes of people, then those of events.
    loss : ndarray of float64, shape (n_nodes,), each in [0, 1]
        As of `Figures.events_loss`.
    meets : ndarray of bool, shape (n_nodes,)
    """

    lattice: Lattice
    loss: FloatArray
    meets: BoolArray


@dataclass(frozen=True, repr=False, eq=False)
class LongitudinalPolicies(MeasuredLater):
    """Policies of the lattice over people and their events.

    Parameters
    ----------
    looked : tuple of Looked
        One for each policy.
    causes : Causes or None
        Who is at risk under the nearest miss, if none meets the limit.
    shares : mapping of int to ShareAtRisk
        By node of the lattice; a later search of the same decisions starts from it.
    n_meeting : int
        Policies that were looked at and meet the limit; not all of them are listed.
    tagged : Tagged or None
        Every node, if the search has come to the end of a small lattice.
    """

    looked: tuple[Looked, ...] = ()
    events: Events | None = None
    causes: Causes | None = None
    shares: Mapping[int, ShareAtRisk] | None = None
    n_meeting: int = 0
    tagged: Tagged | None = None

    sorted_by = "events_loss"

    @classmethod
    def of(
        cls,
        looked: Sequence[Looked],
        class_table: ClassTable,
        how_found: Proof,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        keeping: Sequence[str],
    ) -> LongitudinalPolicies:
        """List the nodes that were looked at."""
        policies = tuple(
            Listed(
                Chosen(kind="longitudinal", levels=dict(each.levels)),
                longitudinal_policy(class_table, each.levels),
                each.figures,
                CandidateState.MEETS if each.is_met else CandidateState.FAILS,
                each.proven,
            )
            for each in looked
        )
        return cls(
            "longitudinal",
            policies,
            class_table,
            guiding,
            weights,
            how_found,
            keeping,
            looked=tuple(looked),
        )

    @property
    def of_events(self) -> Events:
        """The events that were looked at."""
        assert self.events is not None
        return self.events

    def warm(self) -> None:
        """As of `SourceResult`."""
        super().warm()
        _ = self.layout, self.row_of_node

    @property
    def is_on_lattice(self) -> bool:
        """As of `SourceResult`."""
        return self.tagged is not None

    @cached_property
    def layout(self) -> LatticeLayout | None:
        """As of `SourceResult`."""
        if self.tagged is None:
            return None
        names, tagged = self.of_events.attributes, self.tagged
        return lattice_layout(
            names, tagged.lattice, loss=tagged.loss, feasible=tagged.meets
        )

    @cached_property
    def node_of_row(self) -> IntArray:
        """As of `SourceResult`."""
        if self.tagged is None:
            return np.arange(0)
        names, lattice = self.of_events.attributes, self.tagged.lattice
        nodes = [lattice.node([e.levels[name] for name in names]) for e in self.looked]
        return np.array(nodes, np.int64)

    @cached_property
    def row_of_node(self) -> IntArray:
        """As of `SourceResult`: of the nodes that were looked at."""
        n_nodes = 0 if self.tagged is None else self.tagged.lattice.n_nodes
        found = np.full(n_nodes, -1, np.int64)
        found[self.node_of_row] = np.arange(len(self.node_of_row))
        return found

    @cached_property
    def best_first(self) -> IntArray:
        """All policies: those that meet the limit first, by loss of both levels.

        Of the others those with the fewest people at risk first.
        """
        meets = self.columns.meets
        loss: FloatArray = np.where(meets, self.columns.events_loss, 0.0)
        share = np.where(meets, 0.0, self.columns.share_at_risk)
        removal = np.where(meets, self.removal, 0.0)
        return np.lexsort((self.columns.events_loss, share, loss, removal, ~meets))

    @property
    def nearest(self) -> int | None:
        """Row of the policy with the fewest people at risk, if none meets the limit."""
        if self.optimum is not None or not self.policies:
            return None
        return int(self.best_first[0])

    @property
    def n_undecided(self) -> int:
        """Policies whose interval holds the limit: the mean of the draws decided."""
        return sum(not each.is_decided for each in (self.shares or {}).values())

    def measure(self, row: int, monitor: Monitor = NULL_MONITOR) -> Measures:
        """Compute every figure of one policy."""
        measures = super().measure(row, monitor)
        known = self.looked[row].figures
        figures = replace(
            measures.figures,
            share_at_risk=known.share_at_risk,
            share_at_risk_low=known.share_at_risk_low,
            share_at_risk_high=known.share_at_risk_high,
            events_loss=known.events_loss,
        )
        return replace(measures, figures=figures)

    def nothing_meets(self) -> InfeasibleError:
        """Return the error that names the nearest miss, and whom it leaves at risk."""
        assert self.nearest is not None
        share = self.looked[self.nearest].share
        return InfeasibleError(
            "no_policy_meets_events",
            share=per_cent(share.share, 3),
            limit=per_cent(self.of_events.known.limit),
            size=self.of_events.size,
            causes=self.causes.words() if self.causes else "",
        )
