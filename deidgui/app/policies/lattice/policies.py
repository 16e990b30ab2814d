"""The policies of a generalization lattice under the decided thresholds."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from deidgui.app.charts.lattice import LatticeLayout, lattice_layout
from deidgui.app.policies.candidate import (
    NOTHING_RELEASED,
    Cell,
    Figures,
    Measures,
    Proof,
    Proven,
    cells_of,
    map_key,
    occurring_leaves,
    suppression_key,
)
from deidgui.app.policies.policy_set import CandidateColumns, SourceResult
from deidgui.app.project import Chosen, SearchedBy
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of, released
from deidgui.engine.quality import QualityMeasure, scaled_weights
from deidgui.engine.quality.all_measures import every_loss
from deidgui.engine.search.branch_and_bound import Optimum
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.profile import Profile
from deidgui.engine.search.question import costs_of
from deidgui.engine.search.whole_lattice import SearchResult
from deidgui.errors import InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import per_cent, share_text, unit_words

LATTICE = "lattice"
"""Kind of the source."""


class PreferenceCost(NamedTuple):
    """What importance and keeping something cost, counted with equal weights.

    Parameters
    ----------
    loss : float
        Of the best policy.
    least : float
        Of the policy that would be the best with equal weights and nothing that shall
        be kept.
    is_proven : bool
        Whether no policy that meets the thresholds loses less than that.
    """

    loss: float
    least: float
    is_proven: bool


@dataclass(frozen=True, repr=False, eq=False)
class LatticePolicies(SourceResult):
    """All policies of a lattice under the decided thresholds.

    Arrays have one row per node of the lattice; a row of the result is a node.

    Parameters
    ----------
    weights : mapping of str to float
        Importance by quasi-identifier.
    limit : float in [0, 1]
        Share of records that may be suppressed.
    optimality : Optimum or None
        What is proven about a larger lattice that this one is a part of: the
        policies around the best one.
    minimal : tuple of tuples of int
        Levels of the least general policies that meet the thresholds, if OLA was
        the method.
    is_unfinished : bool
        Whether the search still goes on, or was cancelled.
    plain : Optimum or None
        Of the whole lattice, with equal weights and nothing that shall be kept, where
        that was asked for.
    decided : str
        Fingerprint of the decisions that were searched under; empty where it is not
        known.
    seed : int
        That the project names for random choices.
    whole : Lattice or None
        All that the decisions allow, if it is known; these are a part of it.
    """

    result: SearchResult
    models: tuple[PrivacyModel, ...]
    guiding: QualityMeasure
    weights: Mapping[str, float]
    limit: float
    optimality: Optimum | None = None
    minimal: tuple[tuple[int, ...], ...] = ()
    is_unfinished: bool = False
    plain: Optimum | None = None
    decided: str = ""
    seed: int = 0
    whole: Lattice | None = None

    kind = LATTICE

    def __repr__(self) -> str:
        return f"<LatticePolicies {self.result!r}>"

    @property
    def profile(self) -> Profile:
        """Exact figures of every node."""
        return self.result.profile

    @property
    def lattice(self) -> Lattice:
        """Numbers and levels of the nodes."""
        return self.result.lattice

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in column order."""
        return self.profile.class_table.attributes

    @property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """Hierarchies of the quasi-identifiers in column order."""
        return self.profile.class_table.hierarchies

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.profile.class_table.n_records

    @property
    def by_person(self) -> bool:
        """Whether people are counted, each with one or more rows."""
        return self.profile.class_table.units is not None

    @cached_property
    def levels(self) -> IntArray:
        """Level of each attribute: ndarray of int64, (n_nodes, n_attributes)."""
        return self.lattice.levels()

    @property
    def keeping(self) -> Mapping[str, int]:
        """Highest level at which something is kept, of attributes that shall be.

        Of two policies the one that removes fewer of them is the better one, weighed
        by importance.
        """
        preferred = self.result.preferred
        if preferred is None:
            return {}
        levels = preferred.levels.tolist()
        known = zip(self.attributes, levels, self.lattice.heights, strict=True)
        return {name: level for name, level, height in known if level < height}

    @cached_property
    def removal(self) -> FloatArray:
        """As of `SourceResult.removal`."""
        nodes = np.arange(self.lattice.n_nodes)
        return costs_of(self.lattice, self.result.preferred, nodes)

    @cached_property
    def preference_cost(self) -> PreferenceCost | None:
        """What importance and keeping something cost.

        None if that is not known: if the best policy is not, or if neither all
        policies were looked at closely nor `plain` was asked for.
        """
        best = self._known_best
        if best is None:
            return None
        if not self.keeping and len(set(self.weights.values())) < 2:
            loss = float(self.loss[best])
            return PreferenceCost(loss, loss, is_proven=True)
        equal = scaled_weights(self.attributes, None)
        if self.is_whole and self.is_exact:
            scores = self.guiding.scores(self.result.values, equal)[:, 0]
            least = float(scores[self.feasible].min())
            return PreferenceCost(float(scores[best]), least, is_proven=True)
        if self.plain is None:
            return None
        values = self.result.values[best : best + 1]
        loss = float(self.guiding.scores(values, equal)[0, 0])
        least = loss if self.plain.loss is None else min(loss, self.plain.loss)
        return PreferenceCost(loss, least, self.plain.is_proven)

    @property
    def _known_best(self) -> int | None:
        """The best node if it is proven, with an exact loss."""
        best = self.optimum
        is_known = best is not None and self.complete and self.result.exact[best]
        return best if is_known else None

    @property
    def lacks_cost(self) -> bool:
        """Whether a search without importance would tell what that costs."""
        return self._known_best is not None and self.preference_cost is None

    @property
    def is_exact(self) -> bool:
        """Whether the loss of every policy that was looked at is exact."""
        return bool(self.result.exact[self.profile.checked].all())

    def removed_at(self, node: int) -> tuple[str, ...]:
        """Attributes that a node removes although something of them shall be kept."""
        return self.removed_at_levels(self.levels_of(node))

    def removed_at_levels(self, levels: Mapping[str, int]) -> tuple[str, ...]:
        """Return the same of levels that need not be a node of these."""
        return tuple(n for n, level in self.keeping.items() if levels[n] > level)

    @property
    def suppress_below(self) -> IntArray:
        """Size below which classes are suppressed: ndarray of int64, (n_nodes,)."""
        return self.result.suppress_below

    @property
    def suppressed(self) -> IntArray:
        """Suppressed records: ndarray of int64, (n_nodes,)."""
        return self.result.suppressed

    @property
    def feasible(self) -> BoolArray:
        """Which nodes meet the thresholds: ndarray of bool, (n_nodes,)."""
        return self.result.feasible

    @property
    def loss(self) -> FloatArray:
        """Loss by the chosen measure, nan if unknown: float64, (n_nodes,)."""
        return self.result.loss

    @cached_property
    def _tiers(self) -> tuple[IntArray, IntArray]:
        """Released records and released classes of every node."""
        nodes = np.arange(self.lattice.n_nodes)
        below = np.maximum(self.suppress_below, 1)
        figures = self.profile.figures(nodes, below)
        # A model of the whole release may suppress some classes of that size, too.
        n_more = (self.suppressed - figures.suppressed_records) // below
        kept = self.n_records - self.suppressed
        return kept, figures.n_classes - figures.suppressed_classes - n_more

    @cached_property
    def average_risk(self) -> FloatArray:
        """Average prosecutor risk of what is released; 0 if nothing is."""
        records, classes = self._tiers
        return np.divide(
            classes, records, out=np.zeros(len(records)), where=records > 0
        )

    @cached_property
    def _smallest(self) -> tuple[IntArray, BoolArray, BoolArray]:
        """Least size of a released class, whether it is exact, and whether any is.

        The smallest class at or above a size is the last one of the ladder below which
        no more classes lie than below that size: a lower bound where it is larger than
        the profile tells apart.
        """
        profile, asked = self.profile, np.maximum(self.suppress_below, 1)
        classes = profile.tiers[:, :, 1]  # smaller than each size of the ladder
        start = np.searchsorted(profile.ladder, asked)
        below = np.take_along_axis(classes, start[:, None], axis=1)
        last = np.count_nonzero(classes <= below, axis=1) - 1
        smallest = np.maximum(profile.ladder[last], asked)
        is_exact = np.append(np.diff(profile.ladder) == 1, False)[last]
        return smallest, is_exact, below[:, 0] < profile.n_classes

    @cached_property
    def highest_risk(self) -> FloatArray:
        """Highest prosecutor risk of what is released; 0 if nothing is.

        From class sizes: an upper bound where `highest_is_exact` says so.
        """
        smallest, _, is_any = self._smallest
        return np.where(is_any, 1.0 / smallest, 0.0)

    @cached_property
    def highest_is_exact(self) -> BoolArray:
        """Whether `highest_risk` is the risk, not an upper bound: bool, (n_nodes,)."""
        _, is_exact, is_any = self._smallest
        return is_exact | ~is_any

    @cached_property
    def columns(self) -> CandidateColumns:
        """What is known about every node."""
        unknown = np.full(self.lattice.n_nodes, np.nan)
        return CandidateColumns(
            meets=self.feasible,
            checked=self.profile.checked,
            is_exact=self.result.exact.astype(np.bool_),
            highest_is_exact=self.highest_is_exact,
            n_suppressed=self.suppressed.astype(np.float64),
            highest_risk=self.highest_risk,
            average_risk=self.average_risk,
            loss=self.loss,
            population_risk=unknown,
            n_riskier=unknown,
            added_risk=unknown,
            added_sum=unknown,
            n_holding=unknown,
            cautious_risk=unknown,
            share_at_risk=unknown,
            share_at_risk_low=unknown,
            share_at_risk_high=unknown,
            events_loss=unknown,
        )

    @property
    def ranked(self) -> IntArray:
        """Feasible nodes, best first."""
        return self.result.ranked

    @cached_property
    def best_first(self) -> IntArray:
        """All nodes: those that meet the thresholds, best first, then the others."""
        n_nodes = self.lattice.n_nodes
        last = np.full(n_nodes, n_nodes, dtype=np.int64)
        last[self.ranked] = np.arange(len(self.ranked))
        return np.lexsort((np.nan_to_num(self.loss, nan=np.inf), last))

    @property
    def optimum(self) -> int | None:
        """Best feasible node; proven to be the best if the search is complete."""
        return self.result.optimum

    # -- policies that release the same table ---------------------------------------

    @cached_property
    def _occurring(self) -> tuple[IntArray, ...]:
        return occurring_leaves(self.profile.class_table)

    @cached_property
    def _map_keys(self) -> tuple[tuple[bytes, ...], ...]:
        """By attribute and level: digest of what is released."""
        by_step = [
            tuple(map(map_key, policy.maps, self._occurring))
            for policy in self._policy_of_each_step
        ]
        return tuple(
            tuple(by_step[level][place] for level in range(height + 1))
            for place, height in enumerate(self.lattice.heights)
        )

    @property
    def _policy_of_each_step(self) -> list[Policy]:
        """Few policies among which every level of every attribute occurs."""
        names, heights = self.attributes, self.lattice.heights
        return [
            lattice_policy(
                self.hierarchies,
                {n: min(step, top) for n, top in zip(names, heights, strict=True)},
                1,
            )
            for step in range(max(heights) + 1)
        ]

    @cached_property
    def _same_level(self) -> tuple[IntArray, ...]:
        """By attribute: lowest allowed level that releases what each level does."""
        found = []
        for place, keys in enumerate(self._map_keys):
            low, high = self.lattice.minimum[place], self.lattice.maximum[place]
            allowed = keys[low : high + 1]
            found.append(np.array([low + allowed.index(key) for key in allowed]))
        return tuple(found)

    @cached_property
    def representatives(self) -> IntArray:
        """By node: the best one of those that release the same table."""
        lattice = self.lattice
        table = np.zeros(lattice.n_nodes, np.int64)
        for place, same in enumerate(self._same_level):
            low, stride = lattice.minimum[place], lattice.strides[place]
            table += (same[self.levels[:, place] - low] - low) * stride
        is_empty = self.profile.checked & (self.suppressed == self.n_records)
        table[is_empty] = lattice.n_nodes
        _, first, of_node = np.unique(
            table[self.best_first], return_index=True, return_inverse=True
        )
        found = np.empty(lattice.n_nodes, np.int64)
        found[self.best_first] = self.best_first[first][of_node]
        return found

    @cached_property
    def rows(self) -> IntArray:
        """One node for each different table that is released."""
        return np.unique(self.representatives)

    def representative(self, row: int) -> int:
        """Node that stands for a node: the best one with the same table."""
        return int(self.representatives[row])

    def key(self, row: int) -> Hashable:
        """As of `table_key`."""
        n_suppressed = int(self.suppressed[row])
        if n_suppressed == self.n_records:
            return NOTHING_RELEASED
        levels = self.lattice.levels_of(row)
        maps = tuple(
            keys[level] for keys, level in zip(self._map_keys, levels, strict=True)
        )
        policy = self.policy(row)
        return (maps, *suppression_key(policy, n_suppressed, self._occurring))

    def row_of_key(self, key: Hashable) -> int | None:
        """Return the node of `rows` with a table key, None if there is none."""
        if key == NOTHING_RELEASED:
            empty = np.flatnonzero(self.suppressed[self.rows] == self.n_records)
            return int(self.rows[empty[0]]) if len(empty) else None
        assert isinstance(key, tuple)
        levels = []
        for place, of_map in enumerate(key[0]):
            low, high = self.lattice.minimum[place], self.lattice.maximum[place]
            allowed = self._map_keys[place][low : high + 1]
            if of_map not in allowed:
                return None
            levels.append(low + allowed.index(of_map))
        row = self.representative(self.lattice.node(levels))
        return row if self.key(row) == key else None

    # -- words and figures ----------------------------------------------------------

    @cached_property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """By attribute and level: what is released."""
        by_step = [cells_of(policy) for policy in self._policy_of_each_step]
        return tuple(
            tuple(by_step[level][place] for level in range(height + 1))
            for place, height in enumerate(self.lattice.heights)
        )

    def cells_at(self, row: int) -> tuple[Cell, ...]:
        """What a node does to each attribute."""
        levels = self.lattice.levels_of(row)
        return tuple(each[lv] for each, lv in zip(self.cells, levels, strict=True))

    def says(self, words: Sequence[str]) -> BoolArray:
        """Which nodes have all words in the words for one attribute."""
        passed = np.zeros(self.lattice.n_nodes, dtype=np.bool_)
        for place, by_level in enumerate(self.cells):
            texts = [f"{each.attribute}: {each.text}".casefold() for each in by_level]
            fits = [all(word in text for word in words) for text in texts]
            passed |= np.array(fits)[self.levels[:, place]]
        return passed

    def measure(self, row: int, monitor: Monitor = NULL_MONITOR) -> Measures:
        """Compute every figure of a node from its classes.

        Returns
        -------
        Measures
            Exact, since the classes of the node are looked at.
        """
        monitor.report(0.0, "measure")
        profile = self.profile
        classes = classes_at(profile.class_table, self.lattice.levels_of(row))
        kept = released(self.models, classes)
        weights = scaled_weights(self.attributes, self.weights)
        losses = every_loss(profile.facts, classes, ~kept, weights, (self.guiding,))
        sizes = classes.counts[kept]
        n_released = int(sizes.sum())
        figures = Figures(
            n_suppressed=self.n_records - n_released,
            highest_risk=1 / int(sizes.min()) if n_released else 0.0,
            average_risk=len(sizes) / n_released if n_released else 0.0,
            loss=losses[0].loss,
        )
        return Measures(figures, losses)

    @property
    def proof(self) -> Proof:
        """How the lattice was searched and what is proven about its best policy."""
        known = self.optimality
        n_examined = self.n_checked if known is None else known.n_looked_at
        is_complete = self.complete and not self.is_unfinished
        return Proof(self._method, self.n_nodes, n_examined, is_complete, self.gap)

    @property
    def _method(self) -> Literal["profile", "optimum", "ola"]:
        if self.optimality is None:
            return "profile"
        return "ola" if self.minimal else "optimum"

    def proven(self, row: int) -> frozenset[Proven]:
        """What is proven about a node."""
        found = set()
        if row == self.optimum and self.complete:
            found.add(Proven.BEST)
        if row in self.minimal_nodes:
            found.add(Proven.MINIMAL)
        return frozenset(found)

    @cached_property
    def minimal_nodes(self) -> tuple[int, ...]:
        """Nodes of the least general policies that can be compared."""
        named = (dict(zip(self.attributes, each, strict=True)) for each in self.minimal)
        nodes = (self.node_of(levels) for levels in named)
        return tuple(node for node in nodes if node is not None)

    @cached_property
    def layout(self) -> LatticeLayout:
        """Where every node is drawn in a picture of the lattice."""
        return lattice_layout(
            self.attributes, self.lattice, loss=self.loss, feasible=self.feasible
        )

    @property
    def is_on_lattice(self) -> bool:
        """As of `SourceResult`."""
        return True

    @property
    def row_of_node(self) -> IntArray:
        """As of `SourceResult`."""
        return self.representatives

    @property
    def node_of_row(self) -> IntArray:
        """As of `SourceResult`."""
        return np.arange(self.lattice.n_nodes)

    @property
    def nearest(self) -> int | None:
        """Node that suppresses the fewest records."""
        return self.result.nearest

    @property
    def complete(self) -> bool:
        """Whether the optimum is proven."""
        if self.optimality is not None:
            return self.optimality.is_proven
        return self.result.is_complete

    @property
    def n_checked(self) -> int:
        """Policies that were looked at."""
        around = self.profile.n_checked
        if self.optimality is None or self.lattice.n_nodes == self.n_nodes:
            return around
        return around + self.optimality.n_looked_at

    @property
    def is_answered(self) -> bool:
        """Whether the search for the best policy has come to its end."""
        if self.is_unfinished:
            return False
        return self.optimality is not None or self.result.is_complete

    def is_same_answer(self, other: SourceResult | None) -> bool:
        """Whether another one has the same best policy by the same proof."""
        if self is other:
            return True
        if not isinstance(other, LatticePolicies) or self.optimality is None:
            return False
        return other.optimality is self.optimality

    @property
    def is_whole(self) -> bool:
        """Whether every policy was measured that can meet the thresholds.

        Those that were skipped would need others out of reach.
        """
        return self.lattice.n_nodes == self.n_nodes and self.result.is_complete

    @property
    def n_skipped(self) -> int:
        """Policies that a survey did not measure, since they cannot meet what is asked.

        At all thresholds within reach they suppress more records than those allow.
        """
        return self.profile.n_skipped

    @property
    def n_nodes(self) -> int:
        """Policies of the whole lattice."""
        return (
            self.lattice.n_nodes if self.optimality is None else self.optimality.n_nodes
        )

    @property
    def gap(self) -> float | None:
        """By which share of its loss the best policy could still be bettered.

        0 if it is proven to be the best, None if nothing is known or found.
        """
        if self.optimum is None:
            return None
        if self.complete:
            return 0.0
        if self.optimality is None or self.optimality.gap is None:
            return None
        assert self.optimality.loss is not None
        bound, loss = (
            self.optimality.loss * (1 - self.optimality.gap),
            self.loss[self.optimum],
        )
        return max(0.0, float((loss - bound) / loss)) if loss > 0 else 0.0

    def levels_of(self, node: int) -> dict[str, int]:
        """Level by attribute of a node."""
        return self.result.levels(node)

    def node_of(self, levels: Mapping[str, int]) -> int | None:
        """Return the number of a node, None if the lattice does not hold it."""
        if set(levels) != set(self.attributes):
            return None
        vector = [levels[name] for name in self.attributes]
        bounds = zip(self.lattice.minimum, vector, self.lattice.maximum, strict=True)
        if not all(low <= level <= high for low, level, high in bounds):
            return None
        return self.lattice.node(vector)

    def policy(self, row: int) -> Policy:
        """Policy of a node under the thresholds."""
        below = max(1, int(self.suppress_below[row]))
        levels, conditions = self.levels_of(row), conditions_of(self.models)
        return lattice_policy(self.hierarchies, levels, below, "search", conditions)

    def words(self, node: int) -> str:
        """Policy of a node in one line."""
        return sentence(
            self.policy(node),
            int(self.suppressed[node]),
            self.n_records,
            of_people=self.by_person,
        )

    def choice(self, row: int, note: str = "") -> Chosen:
        """Return a node as it is stored in a project."""
        below = max(1, int(self.suppress_below[row]))
        return Chosen(
            levels=self.levels_of(row),
            suppress_below=below,
            searched=self._known_of(row),
            note=note,
        )

    def _known_of(self, row: int) -> SearchedBy | None:
        """What this search knows of a node, None while it goes on."""
        if not self.decided or self.is_unfinished:
            return None
        proof = self.proof
        return SearchedBy(
            decided=self.decided,
            method=self._method,
            seed=self.seed,
            nodes=self.n_nodes,
            checked=proof.n_examined,
            complete=self.complete,
            is_optimum=self.complete and row == self.optimum,
        )

    def row_of(self, chosen: Chosen | None) -> int | None:
        """Return the node of a stored policy, None if it is none of these.

        A policy that suppresses other records than the node does is another one.
        """
        if chosen is None or chosen.kind != "lattice":
            return None
        node = self.node_of(chosen.levels)
        if node is None:
            return None
        is_same = max(1, int(self.suppress_below[node])) == chosen.suppress_below
        return node if is_same else None

    def nothing_meets(self) -> InfeasibleError:
        """Return the error that names the nearest miss and what to loosen."""
        assert self.nearest is not None
        needed = int(self.suppressed[self.nearest])
        least = math.ceil(1000 * needed / self.n_records) / 1000
        return InfeasibleError(
            # A limit of all records would release nothing.
            "no_policy_meets" if needed < self.n_records else "no_policy_releases",
            unit=unit_words(self.by_person),
            limit=f"{least:.3f}",
            records_needed=needed,
            share_needed=share_text(needed / self.n_records),
            limit_needed=per_cent(least),
            records_allowed=self.result.limit_records,
        )
