"""Policies under which few enough people are at risk by known events: LOLA."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.events_known import size_by
from deidgui.app.policies.candidate import Proof, Proven
from deidgui.app.policies.decisions import allowed_levels, kept_levels, weights_of
from deidgui.app.policies.figures import holds
from deidgui.app.policies.longitudinal.events import (
    Events,
    events_of,
    events_problems,
    nearly_constant,
)
from deidgui.app.policies.longitudinal.policies import (
    Causes,
    LongitudinalPolicies,
    Looked,
    Tagged,
    longitudinal_policy,
)
from deidgui.app.policies.policy_set import Emit
from deidgui.app.policies.source import LONGITUDINAL, Plan, PolicySource
from deidgui.app.project import Chosen, Project
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.longitudinal.lola import (
    NodeCheck,
    lattice_of_history,
    lola,
    summed_losses,
    weighted_losses,
)
from deidgui.engine.longitudinal.matching import Matched, Matcher
from deidgui.engine.longitudinal.risk import MOST_WAYS
from deidgui.engine.longitudinal.ways import ways_known
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.words import sentence
from deidgui.engine.quality import scaled_weights
from deidgui.engine.search.lattice import Lattice, Levels
from deidgui.engine.search.least_loss import least_loss
from deidgui.engine.search.question import removal_costs
from deidgui.errors import Cancelled, DeidError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

DRAWS = 20
"""Of what is known of each person of whom too much may be known to count it."""


def causes_of(events: Events, levels: Sequence[int], matches: Matched) -> Causes:
    """Count who is at risk at a node, and by what.

    Parameters
    ----------
    levels : sequence of int
        Of all columns, those of people first.
    matches : Matched
        Of the same node.
    """
    history, size = events.history, events.size
    n = history.n_people
    ways = ways_known(history, events.powers)
    few, many = np.flatnonzero(ways <= MOST_WAYS), np.flatnonzero(ways > MOST_WAYS)
    number = np.arange(len(many) * DRAWS)
    found = matches.counts(
        many[number % max(len(many), 1)],
        events.powers,
        seed=events.seed,
        draws=number // max(len(many), 1),
        enough=size,
    )
    is_at_risk = np.zeros(n, np.bool_)
    is_at_risk[few] = matches.chances(few, events.powers, size, MOST_WAYS) > 1 / 2
    n_small = (found < size).reshape(DRAWS, len(many)).sum(axis=0)
    is_at_risk[many] = 2 * n_small > DRAWS
    alone = matches.class_sizes < size
    n_events = history.n_events_of
    rare = []
    n_person = len(history.person_hierarchies)
    for place, each in enumerate(history.event_hierarchies):
        counts = history.value_counts(place, levels[n_person + place])
        is_rare = counts.n_people_with[counts.values] < size
        has_rare = np.bincount(counts.people[is_rare], minlength=n) > 0
        rare.append((each.attribute, int(np.count_nonzero(has_rare & is_at_risk))))
    return Causes(
        n,
        int(np.count_nonzero(is_at_risk)),
        int(np.count_nonzero(is_at_risk & alone)),
        float(np.median(n_events[is_at_risk])) if is_at_risk.any() else 0.0,
        float(np.median(n_events)),
        tuple(rare),
    )


METHOD = "lola"
"""Of searching, in evidence and descriptions."""

REPORT_EVERY_S = 0.5
"""How often what is known so far is told."""

PREPARING = 0.1
"""Part of the progress that reading the events takes."""

MOST_TAGGED = 5_000
"""Of so many policies all least general ones are found; of more the best alone."""

MOST_LOOKED = 2_000
"""Policies that a search looks at before the proof is given up; a number and not a
time, so that every machine finds the same."""

MOST_LISTED = 500
"""Policies that are told, of which all figures are measured."""

REMOVED = 1e6
"""A column of which nothing is kept is worse than any loss of the others."""

ANY_LEVEL = 10**6
"""Above every level: of this column nothing need be kept."""


def lattice_of_events(project: Project, classes: Classes, events: Events) -> Lattice:
    """Return the allowed levels of all columns, those of people first."""
    quasi, table = project.quasi_identifiers, classes.class_table
    return lattice_of_history(events.history, *allowed_levels(quasi, table))


@dataclass
class _Stopping:
    """Passes on that the user asked to stop, with the progress as it is."""

    monitor: Monitor
    fraction: float = 0.0

    def report(self, fraction: float, note: str = "") -> None:
        """Remember how far the search is."""
        self.fraction = max(self.fraction, fraction)
        self.monitor.report(self.fraction, note)

    def ask(self) -> _Asking:
        """Return a monitor for one node."""
        return _Asking(self)


@dataclass
class _Asking:
    parent: _Stopping

    def report(self, fraction: float, note: str = "") -> None:
        """Tell no progress of its own."""
        del fraction
        self.parent.report(self.parent.fraction, note)


@dataclass(eq=False)
class _Search:
    """A search that goes on, and who is told what it knows."""

    project: Project
    classes: Classes
    events: Events
    emit: Emit | None
    lattice: Lattice = field(init=False)
    check: NodeCheck = field(init=False)
    _emitted_at: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self.lattice = lattice_of_events(self.project, self.classes, self.events)
        self.check = NodeCheck(
            self.events.history, self.events.powers, self.events.asked, self.lattice
        )
        if self.project.privacy.models:
            self.check.also = self._models_hold
        self._weights = weights_of(self.project)
        self._parts = weighted_losses(self.events.history, self._weights)
        self._keeping = kept_levels(self.project, self.classes.class_table)
        names = self.events.attributes
        self._costs = removal_costs(scaled_weights(names, self._weights))
        self._tops = [self._keeping.get(name, ANY_LEVEL) for name in names]

    def names_to_levels(self, levels: Sequence[int]) -> dict[str, int]:
        """Level by column, in the order of the columns."""
        by_name = dict(zip(self.events.attributes, levels, strict=True))
        return {name: by_name[name] for name in self.classes.class_table.attributes}

    def _models_hold(self, levels: Levels) -> bool:
        """Whether all privacy models hold with nobody suppressed."""
        table = self.classes.class_table
        policy = longitudinal_policy(table, self.names_to_levels(levels))
        return holds(policy, table, self.project.privacy.models)

    def start_from(self, before: LongitudinalPolicies | None) -> None:
        """Take over what an earlier search of the same decisions knows."""
        if before is not None and before.shares is not None:
            n_persons = self.events.history.n_people
            if before.of_events.history.n_people == n_persons:
                self.check.shares.update(before.shares)

    def run(self, monitor: Monitor) -> LongitudinalPolicies:
        """Look at nodes until the best is known; of few nodes every one is tagged."""
        watched = _Stopping(monitor)
        self.check.monitor, self.check.on_looked = watched.ask(), self._on_looked
        try:
            if not self.check.meets(self.lattice.maximum):
                # What is more general has no more people at risk: nothing meets it.
                return self._nothing()
            if self.lattice.n_nodes > MOST_TAGGED:
                return self._best_alone(watched)
            found = lola(self.check, self._weights, monitor=watched)
        except Cancelled:
            self._emit_found(self.so_far())
            raise
        minimal = found.minimal
        whole = self.so_far(minimal, self._best_of(minimal), gap=0.0)
        return replace(
            whole, tagged=Tagged(self.lattice, found.losses, found.is_solution)
        )

    def _best_alone(self, monitor: Monitor) -> LongitudinalPolicies:
        """Prove the best of many nodes, or tell how far it can be from it."""
        n_before = len(self.check.shares)

        def may_go_on() -> bool:
            n_looked = len(self.check.shares) - n_before
            # Progress is what comes first: the proof, or the end of it.
            monitor.report(n_looked / MOST_LOOKED, f"checks {n_looked}")
            return n_looked < MOST_LOOKED

        found = least_loss(
            self.lattice,
            self.check.meets,
            self._ranking(),
            may_go_on=may_go_on,
            monitor=monitor,
        )
        assert found.node is not None, "the most general node meets the limit"
        minimal = np.array([found.node] if found.is_minimal else [], np.int64)
        gap: float | None = 0.0
        if not found.is_proven:
            room = found.loss - found.bound
            # Where another one may remove less, losses are no measure of it.
            gap = room / found.loss if room < 1 else None
        return self.so_far(minimal, found.node, gap=gap, is_complete=found.is_proven)

    def _ranking(self) -> list[FloatArray]:
        """Loss by attribute and level, above which stands what is removed."""
        return [
            part + REMOVED * cost * (np.arange(len(part)) > top)
            for part, cost, top in zip(
                self._parts, self._costs, self._tops, strict=True
            )
        ]

    def _on_looked(self) -> None:
        """Tell what is known, not too often."""
        now = time.monotonic()
        if self.emit is not None and now - self._emitted_at >= REPORT_EVERY_S:
            self._emit_found(self.so_far())
            self._emitted_at = now

    def _emit_found(self, found: LongitudinalPolicies) -> None:
        if self.emit is not None and found.policies:
            self.emit(found)

    def _nothing(self) -> LongitudinalPolicies:
        found = self.so_far(gap=0.0)
        top = self.lattice.maximum
        matches = Matcher(self.events.history).at(top)
        return replace(found, causes=causes_of(self.events, top, matches))

    def _best_of(self, minimal: IntArray) -> int:
        """The minimal node that removes least, and loses least."""
        levels = self.lattice.levels(minimal)
        losses = summed_losses(self._parts, levels)
        removal = np.round((levels > self._tops) @ self._costs, 9)
        return int(minimal[np.lexsort((losses, removal))[0]])

    def so_far(
        self,
        minimal: IntArray | None = None,
        best: int | None = None,
        *,
        gap: float | None = None,
        is_complete: bool | None = None,
    ) -> LongitudinalPolicies:
        """Return the nodes that were looked at, of many of them the best.

        Parameters
        ----------
        gap : float, optional
            As of `Proof`.
        is_complete : bool, optional
            By default whether nothing can be better.
        """
        check, lattice = self.check, self.lattice
        is_minimal = set() if minimal is None else set(minimal.tolist())
        # Estimates decide, so that nothing is proven, unless every tag is a count.
        is_proven = gap == 0 and all(
            e.how != "estimated" for e in check.shares.values()
        )
        nodes = self._listed(is_minimal)
        levels = lattice.levels(nodes)
        losses = summed_losses(self._parts, levels)
        looked = [
            Looked(
                self.names_to_levels(own),
                check.shares[node],
                loss,
                check.is_met(node),
                node in is_minimal,
                is_proven and node == best,
            )
            for node, own, loss in zip(
                nodes.tolist(), levels.tolist(), losses.tolist(), strict=True
            )
        ]
        done = gap == 0 if is_complete is None else is_complete
        proof = Proof(METHOD, lattice.n_nodes, len(check.shares), done, gap)
        found = LongitudinalPolicies.of(
            looked,
            self.classes.class_table,
            proof,
            self.project.quality.measure,
            self._weights,
            tuple(self._keeping),
        )
        n_meeting = sum(check.is_met(node) for node in check.shares)
        return replace(
            found,
            events=self.events,
            shares=dict(check.shares),
            n_meeting=n_meeting,
        )

    def _listed(self, also: set[int]) -> IntArray:
        """Nodes that are told, ascending: the best, and those that nearly meet."""
        check = self.check
        nodes = np.array(sorted(check.shares), np.int64)
        if len(nodes) <= MOST_LISTED:
            return nodes
        levels = self.lattice.levels(nodes)
        fails = np.array([not check.is_met(node) for node in nodes.tolist()])
        share = np.array([check.shares[node].share for node in nodes.tolist()])
        loss = summed_losses(self._ranking(), levels)
        order = np.lexsort((np.where(fails, share, loss), fails))
        n_failing = min(MOST_LISTED // 3, int(fails.sum()))
        kept = set(nodes[order[: MOST_LISTED - n_failing]].tolist())
        kept |= set(nodes[order][fails[order]][:n_failing].tolist())
        return np.array(sorted(kept | also), np.int64)


class LongitudinalSource(PolicySource[LongitudinalPolicies]):
    """Searches the levels of people and of their events (see `PolicySource`)."""

    kind = LONGITUDINAL

    def problems(self, project: Project) -> list[DeidError]:
        """Return what is missing before it can run."""
        return events_problems(project)

    def plan(self, project: Project, classes: Classes) -> Plan:
        """Return how many policies there are; how long it takes is not known."""
        events = events_of(project, classes)
        return Plan(METHOD, lattice_of_events(project, classes, events).n_nodes, None)

    def run(
        self,
        project: Project,
        classes: Classes,
        *,
        basis: Any = None,
        emit: Emit | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> LongitudinalPolicies:
        """Find the least general policies with few enough people at risk."""
        raise_all(events_problems(project))
        events = events_of(
            project, classes, monitor=SubMonitor(monitor, 0.0, PREPARING)
        )
        search = _Search(project, classes, events, emit)
        if isinstance(basis, LongitudinalPolicies):
            search.start_from(basis)
        return search.run(SubMonitor(monitor, PREPARING, 1.0))

    def describe(
        self, found: LongitudinalPolicies, *, monitor: Monitor = NULL_MONITOR
    ) -> dict[str, Any]:
        """Return what was found as JSON values; see `describe_longitudinal`."""
        monitor.report(0.0, "describe")
        return describe_longitudinal(found)

    def policy_of(self, chosen: Chosen, project: Project, classes: Classes) -> Policy:
        """Rebuild a stored policy."""
        del project
        return longitudinal_policy(classes.class_table, chosen.levels)


def describe_longitudinal(found: LongitudinalPolicies) -> dict[str, Any]:
    """Return the decision, what is known of people, and every node looked at.

    Returns
    -------
    dict
        JSON values.
    """
    events, proof = found.of_events, found.proof
    ranked = [_candidate(found, row) for row in found.best_first.tolist()]
    return {
        "method": proof.method,
        "nodes": proof.n_policies,
        "checked": proof.n_examined,
        "meeting": found.n_meeting,
        "complete": proof.is_complete,
        "gap": proof.gap,
        "undecided": found.n_undecided,
        "asked": asked_json(events),
        "person_attributes": list(events.person_attributes),
        "event_attributes": list(events.event_attributes),
        "nearly_constant": [
            {"attribute": e.attribute, "people": e.n_differing}
            for e in nearly_constant(events.history)
        ],
        "power": power_json(events),
        "optimum": ranked[0] if found.optimum is not None else None,
        "candidates": ranked,
        "nearest_miss": ranked[0] if found.nearest is not None else None,
        "causes": found.causes.words() if found.causes else "",
    }


def asked_json(events: Events) -> dict[str, Any]:
    """Return what was decided, with the class size that each rule asks for."""
    known, fraction = events.known, events.fraction
    return {
        **known.model_dump(),
        "sampling_fraction": fraction,
        "size": events.size,
        "size_large_sample": size_by("large_sample", known, fraction),
        "size_poisson": size_by("poisson", known, fraction),
        "most_events": events.most_events,
        "people_with_fewer_events": events.n_with_fewer,
        "power_words": events.power_words(),
    }


def power_json(events: Events) -> dict[str, list[int]]:
    """Return, by column of events, how many people have a power of 0, 1, 2, ..."""
    counts: Mapping[str, Any] = dict(
        zip(events.event_attributes, events.power_counts.tolist(), strict=True)
    )
    return dict(counts)


def _candidate(found: LongitudinalPolicies, row: int) -> dict[str, Any]:
    each, listed = found.looked[row], found.policies[row]
    share = each.share
    return {
        "levels": dict(each.levels),
        "words": sentence(listed.policy, 0, found.n_records, of_people=True),
        "share_at_risk": share.share,
        "low": share.low,
        "high": share.high,
        "how": share.how,
        "draws": share.n_drawn,
        "decided": share.is_decided,
        "meets": each.is_met,
        "minimal": Proven.MINIMAL in listed.proven,
        "loss": each.loss,
    }


SOURCE = LongitudinalSource()
