"""The alternatives that a discovery found, with their figures."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deidgui.app.charts.frontier import FrontierPlaces
from deidgui.app.charts.phrases import Phrase
from deidgui.app.charts.plane import Reference
from deidgui.app.decides import Decides
from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.policies.alternatives.space import engine_preferences
from deidgui.app.policies.alternatives.storing import chosen_from
from deidgui.app.policies.candidate import (
    Figures,
    Measures,
    Proof,
    Proven,
    table_key,
)
from deidgui.app.policies.figures import (
    guiding_figures,
    holds,
    measure_policy,
)
from deidgui.app.policies.listed import OneByOne
from deidgui.app.policies.policy_set import CandidateColumns
from deidgui.app.policies.source import ALTERNATIVES
from deidgui.app.project import Acceptance, Chosen, FoundBy, PreferenceChoice
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.clusters import MOST_CLUSTERS, Cluster, clustered
from deidgui.engine.discover.frontier import Frontier
from deidgui.engine.discover.preferences import scores
from deidgui.engine.discover.sensitivity import N_POPULATIONS
from deidgui.engine.discover.wording import as_policy, generalizations
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.words import in_words
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_PERTURBED, LEAST_PERTURBED = 2 * 10**9, 20
"""Numbers of people that are added up at most, to see how robust alternatives are; so
many alternatives are looked at in any case."""


@dataclass(frozen=True, repr=False, eq=False)
class Alternative:
    """An acceptable policy, as a person chooses among several.

    Parameters
    ----------
    number : int
        Place among the alternatives.
    risk : float
        Sum of 1 / g^γ over the records.
    loss : float >= 0
        Bits per record that it loses: Kullback-Leibler divergence of the released
        distribution from the original one (methods.md A.9).
    loss_share : float in [0, 1]
        The same as a share of what the most general policy loses.
    n_joined : int
        Values of the file that are released together with others.
    kind : tuple of str
        Attributes of which it joins any value of the file.
    is_risk_minimal : bool
        Whether it is certain that no more specific policy is acceptable.
    iteration : int
        Which one found it, from 0 on.
    figures : Figures
        As policies of every source have them.
    meets : bool or None
        Whether the privacy models of the project hold; None until it was measured.
    riskier : str
        Which values the records have that are easier to find than under the rule.
    """

    number: int
    policy: BitPolicy
    risk: float
    loss: float
    loss_share: float
    n_joined: int
    kind: tuple[str, ...]
    is_risk_minimal: bool
    iteration: int
    figures: Figures
    meets: bool | None = None
    riskier: str = field(default="", repr=False)


class SearchCounts(NamedTuple):
    """What a discovery has done.

    Parameters
    ----------
    found : int
        Policies found by iterations, equal ones included.
    non_dominated : int
        Of these, those that no other one found is more specific than.
    completed : int
        Policies walked down to risk-minimal ones.
    evaluated : int
        Different policies whose risk was asked for.
    """

    found: int
    distinct: int
    non_dominated: int
    completed: int
    evaluated: int


class Ordered(NamedTuple):
    """Alternatives in the order of what a person wants kept.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n,)
        Numbers of the alternatives, best first.
    scores : ndarray of float64, shape (n,), each in [0, 1]
        By number: how far it meets the preferences; 1 without a preference.
    shares : ndarray of float64, shape (n_preferences, n), each in [0, 1]
        By preference and number: share of the values it keeps.
    """

    numbers: IntArray
    scores: FloatArray
    shares: FloatArray


@dataclass(frozen=True, repr=False, eq=False)
class AlternativePolicies(OneByOne):
    """Alternatives found.

    None is more specific than another; of a frontier, none is better in both risk
    and loss.

    Parameters
    ----------
    seconds : float
        Since the search began.
    is_complete : bool
        Whether the search came to its end.
    every_policy_acceptable : bool
        Whether even the data as they are would be acceptable.
    frontier : Frontier or None
        All its points, acceptable or not, if that was the method.
    weights : mapping of str to float
        Importance by quasi-identifier.
    is_measured : bool
        Whether all figures are known; a search tells the risk in the population only.
    models : tuple of PrivacyModel
        Those of the project that it was seen about whether they hold.
    """

    basis: Basis
    method: str
    alternatives: tuple[Alternative, ...]
    counts: SearchCounts
    seconds: float
    guiding: QualityMeasure
    weights: Mapping[str, float]
    is_complete: bool = True
    every_policy_acceptable: bool = False
    frontier: Frontier | None = None
    is_measured: bool = False
    models: tuple[PrivacyModel, ...] = ()

    is_listed = True
    kind = ALTERNATIVES
    decided_by = Decides.DISCOVERY
    sorted_by = "kinds"

    def __len__(self) -> int:
        return len(self.alternatives)

    @cached_property
    def columns(self) -> CandidateColumns:
        """What is known about each alternative.

        No riskier than the baseline is not yet what the thresholds ask for.
        """
        # Without thresholds and without a baseline there is nothing to check against.
        by_baseline = self._justifies and not self.models and self.is_measured
        known = [True if by_baseline else each.meets for each in self.alternatives]
        return CandidateColumns.of(
            [each.figures for each in self.alternatives],
            np.array([bool(each) for each in known], np.bool_),
            np.array([each is not None for each in known], np.bool_),
        )

    @property
    def _justifies(self) -> bool:
        """Whether being no riskier than the baseline justifies a release by itself."""
        basis = self.basis
        return basis.discover.baseline != "safe_harbor" or basis.population is not None

    @property
    def proof(self) -> Proof:
        """How alternatives were looked for; no method proves a best one."""
        n_evaluated = self.counts.evaluated
        return Proof(self.method, None, n_evaluated, self.is_complete)

    @cached_property
    def best_first(self) -> IntArray:
        """All alternatives: the best of each kind first, by least loss.

        Then the second ones of each kind, and so on.
        """
        loss = np.nan_to_num(self.columns.loss, nan=np.inf)
        by_loss = np.lexsort((self.risk, self.loss, loss))
        return by_loss[np.argsort(self.turns(by_loss)[by_loss], kind="stable")]

    def turns(self, best_first: IntArray) -> IntArray:
        """Place of each alternative among those of its kind, from 0: int64, (n,).

        Parameters
        ----------
        best_first : ndarray of int64, shape (n,)
            Numbers of all alternatives in the order that is meant.
        """
        n_before: dict[tuple[str, ...], int] = {}
        found = np.zeros(len(self), np.int64)
        for number in best_first.tolist():
            kind = self.alternatives[number].kind
            found[number] = n_before.get(kind, 0)
            n_before[kind] = int(found[number]) + 1
        return found

    def riskier(self, row: int) -> str:
        """Which values the records have that are riskier than under the rule."""
        return self.alternatives[row].riskier

    def proven(self, row: int) -> frozenset[Proven]:
        """Whether it is certain that no more specific policy is acceptable."""
        is_minimal = self.alternatives[row].is_risk_minimal
        return frozenset({Proven.RISK_MINIMAL} if is_minimal else ())

    @property
    def _classes(self) -> ClassTable:
        return self.basis.class_table

    @cached_property
    def each_policy(self) -> tuple[Policy, ...]:
        """The alternatives as the rest of the program applies them."""
        return tuple(as_policy(each.policy, "discovered") for each in self.alternatives)

    def key(self, row: int) -> Hashable:
        """As of `table_key`."""
        return table_key(self.each_policy[row], self._occurring, 0, self.n_records)

    def measure(self, row: int, monitor: Monitor = NULL_MONITOR) -> Measures:
        """Compute every figure of one alternative."""
        monitor.report(0.0, "measure")
        policy, table = self.each_policy[row], self._classes
        measures = measure_policy(policy, table, self.guiding, self.weights)
        figures = self.basis.compared(policy, measures.figures)
        return replace(measures, figures=figures)

    def is_guided_by(
        self,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        models: Sequence[PrivacyModel] = (),
    ) -> bool:
        """Whether all figures are known, losses by a measure, and which models hold."""
        is_same = guiding == self.guiding and dict(weights) == dict(self.weights)
        return self.is_measured and is_same and tuple(models) == self.models

    def guided_by(
        self,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        models: Sequence[PrivacyModel] = (),
        monitor: Monitor = NULL_MONITOR,
    ) -> AlternativePolicies:
        """Return the same alternatives with all figures, and losses by a measure.

        A search judges by risk alone; these figures take longer than to find them.
        """
        found, holding = [], self._holding(SubMonitor(monitor, 0.5, 1.0))
        for row, each in enumerate(self.alternatives):
            monitor.report(0.5 * row / len(self), "measure")
            policy, table = self.each_policy[row], self._classes
            figures = guiding_figures(policy, table, guiding, weights)
            figures = replace(figures, population_risk=each.risk)
            figures = self.basis.compared(policy, figures)
            meets = holds(policy, table, models) if models else None
            figures = replace(figures, n_holding=holding.get(row))
            riskier = self.basis.riskier(policy, figures)
            who = "" if riskier is None else riskier.who
            measured = replace(each, figures=figures, riskier=who, meets=meets)
            found.append(measured)
        return replace(
            self,
            guiding=guiding,
            weights=weights,
            alternatives=tuple(found),
            is_measured=True,
            models=tuple(models),
        )

    def _holding(self, monitor: Monitor) -> dict[int, int]:
        """In how many perturbed populations alternatives stay below the rule.

        By row; of those that come first, as many as can be looked at in seconds.
        """
        tables = self.basis.cells.counted.population
        if not tables:
            return {}
        n_rows = len(tables[0].counts) * N_POPULATIONS
        most = max(LEAST_PERTURBED, MOST_PERTURBED // n_rows)
        rows = self.best_first[:most].tolist()
        found = self.basis.n_holding([self.each_policy[row] for row in rows], monitor)
        return {} if found is None else dict(zip(rows, found, strict=True))

    @cached_property
    def risk(self) -> FloatArray:
        """Risk of each alternative: float64, (n,)."""
        return np.array([each.risk for each in self.alternatives], np.float64)

    @cached_property
    def loss(self) -> FloatArray:
        """Bits per record that each alternative loses: float64, (n,)."""
        return np.array([each.loss for each in self.alternatives], np.float64)

    @cached_property
    def loss_share(self) -> FloatArray:
        """Share of the highest loss: float64, (n,)."""
        return np.array([each.loss_share for each in self.alternatives], np.float64)

    @cached_property
    def risk_share(self) -> FloatArray:
        """Risk as a share of the threshold: float64, (n,); NaN without one."""
        limit = self.basis.threshold
        return self.risk / (np.nan if limit is None else limit)

    @cached_property
    def bits(self) -> BoolArray:
        """Bits of each alternative: bool, (n, n_bits)."""
        if not self.alternatives:
            return np.zeros((0, self.basis.space.n_bits), np.bool_)
        return np.stack([each.policy.bits for each in self.alternatives])

    @cached_property
    def clusters(self) -> tuple[Cluster, ...]:
        """A handful of groups, the largest first; members are numbers.

        One for each kind, if these are few; the largest kind in several.
        """
        by_kind: dict[tuple[str, ...], list[int]] = {}
        for each in self.alternatives:
            by_kind.setdefault(each.kind, []).append(each.number)
        kinds = sorted(by_kind.values(), key=len, reverse=True)
        if len(kinds) > MOST_CLUSTERS:
            kinds = [list(range(len(self)))]
        found = []
        for place, numbers in enumerate(kinds):
            policies = [self.alternatives[number].policy for number in numbers]
            most = MOST_CLUSTERS - len(kinds) + 1 if place == 0 else 1
            for cluster in clustered(policies, most, self.basis.joined_by_rule):
                members = tuple(numbers[member] for member in cluster.members)
                example = numbers[cluster.example]
                found.append(replace(cluster, members=members, example=example))
        return tuple(sorted(found, key=lambda each: (-len(each.members), each.members)))

    @cached_property
    def cluster_of(self) -> IntArray:
        """Cluster of each alternative: int64, (n,)."""
        found = np.zeros(len(self), np.int64)
        for number, cluster in enumerate(self.clusters):
            found[list(cluster.members)] = number
        return found

    @property
    def standing(self) -> FrontierPlaces:
        """Where the alternatives stand between loss and risk, for a chart."""
        basis, rule = self.basis, self.basis.baseline
        others = np.empty((0, 2))
        if self.frontier is not None:
            keys = {each.policy.key for each in self.alternatives}
            scale = np.array([1.0, self.frontier.highest_risk])
            rest = [
                (point.loss, point.risk)
                for point in self.frontier.points
                if point.policy.key not in keys
            ]
            others = np.array(rest, np.float64).reshape(-1, 2) * scale
        reference = None
        if rule is not None:
            name = Phrase(f"rule_{rule.kind}")
            reference = Reference(name, rule.loss / basis.highest_loss, rule.risk)
        return FrontierPlaces(
            self.loss_share,
            self.risk,
            others[:, 0],
            others[:, 1],
            reference,
            basis.limit,
            basis.discover.gamma == 1,
        )

    def words(self, number: int) -> str:
        """Say what an alternative does, in one line."""
        return in_words(self.each_policy[number])

    def table3_row(self, number: int) -> tuple[str, ...]:
        """By attribute what is joined, in the form of the paper's table 3."""
        return generalizations(self.alternatives[number].policy)

    @property
    def acceptance(self) -> Acceptance:
        """Why the alternatives are acceptable."""
        basis, discover = self.basis, self.basis.discover
        if discover.baseline is None or discover.baseline == "models":
            return Acceptance(by="models")
        return Acceptance(
            by="risk",
            baseline=discover.baseline,
            threshold=basis.threshold,
            margin=basis.margin,
            gamma=discover.gamma,
        )

    @property
    def found_by(self) -> FoundBy:
        """How the alternatives were looked for, as a policy keeps it."""
        discover, walks = self.basis.discover, self.method in ("bps", "directed")
        return FoundBy(
            method=discover.method,
            seed=discover.seed,
            weights=discover.weights if self.method == "bps" else None,
            iterations=discover.iterations if walks else None,
            budget=discover.budget if self.method == "frontier" else None,
            completes=walks and discover.completes,
            alternatives=max(1, len(self)),
            evaluated=self.counts.evaluated,
            complete=self.is_complete,
            quotas=discover.quotas if walks else {},
            preferences=tuple(
                each for each in discover.preferences if each.is_demanded
            ),
        )

    def choice(self, row: int, note: str = "") -> Chosen:
        """Return an alternative as it is stored in a project."""
        return chosen_from(
            self.alternatives[row].policy,
            self.basis.discover.levels,
            self.basis.domains,
            self.acceptance,
            note,
            self.found_by,
        )

    def row_of(self, chosen: Chosen | None) -> int | None:
        """Return the alternative that is a stored policy, None if there is none."""
        if chosen is None or chosen.domains != self.basis.domains:
            return None
        texts = [chosen.bits.get(name, "") for name in self.basis.attributes]
        bits = np.array([each == "1" for each in "".join(texts)], np.bool_)
        if bits.shape != self.bits.shape[1:] or chosen.kind != self.basis.space.mode:
            return None
        same = np.flatnonzero((self.bits == bits).all(axis=1))
        return int(same[0]) if len(same) else None


def order(
    discovered: AlternativePolicies, preferences: Sequence[PreferenceChoice]
) -> Ordered:
    """Order alternatives: most preferred first, then the best of each kind.

    Those of one kind by the information that they lose, then by risk.

    Raises
    ------
    ConfigError
        As `deidgui.app.policies.alternatives.space.engine_preferences`.
    """
    space = discovered.basis.space
    wanted = engine_preferences(space, preferences)
    shares = scores(space, discovered.bits, wanted)
    weights = np.array([each.weight for each in wanted])
    total = np.ones(len(discovered))
    if wanted:
        total = weights @ shares / weights.sum()
    numbers = np.lexsort([discovered.risk, discovered.loss, -total])
    turns = discovered.turns(numbers)
    numbers = np.lexsort([discovered.risk, discovered.loss, turns, -total])
    return Ordered(numbers.astype(np.int64), total, shares)
