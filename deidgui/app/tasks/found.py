"""What did a search find, policy by policy?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.app.project import Chosen
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.engine.quality import QualityMeasure
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.optimum import Optimum
from deidgui.engine.search.profile import Profile
from deidgui.engine.search.search import SearchResult
from deidgui.errors import InfeasibleError


@dataclass(frozen=True, repr=False, eq=False)
class Found:
    """All policies of a lattice under the decided thresholds.

    Arrays have one row per node of the lattice.

    Parameters
    ----------
    result : SearchResult
    models : tuple of PrivacyModel
    measure : QualityMeasure
    weights : mapping of str to float
        Importance by quasi-identifier.
    limit : float in [0, 1]
        Share of records that may be suppressed.
    proof : Optimum or None
        What is proven about a larger lattice that this one is a part of: the
        policies around the best one.
    minimal : tuple of tuples of int
        Levels of the least general policies that meet the thresholds, if OLA was
        the method.
    """

    result: SearchResult
    models: tuple[PrivacyModel, ...]
    measure: QualityMeasure
    weights: Mapping[str, float]
    limit: float
    proof: Optimum | None = None
    minimal: tuple[tuple[int, ...], ...] = ()

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

    @cached_property
    def levels(self) -> IntArray:
        """Level of each attribute: ndarray of int64, (n_nodes, n_attributes)."""
        return self.lattice.levels()

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

    @property
    def ranked(self) -> IntArray:
        """Feasible nodes, best first."""
        return self.result.ranked

    @property
    def optimum(self) -> int | None:
        """Best feasible node."""
        return self.result.optimum

    @property
    def nearest(self) -> int | None:
        """Node that suppresses the fewest records."""
        return self.result.nearest

    @property
    def complete(self) -> bool:
        """Whether the optimum is proven."""
        if self.proof is not None:
            return self.proof.is_proven
        return self.result.is_complete

    @property
    def n_checked(self) -> int:
        """Policies that were looked at."""
        around = self.profile.n_checked
        return around if self.proof is None else around + self.proof.n_looked_at

    @property
    def n_nodes(self) -> int:
        """Policies of the whole lattice."""
        return self.lattice.n_nodes if self.proof is None else self.proof.n_nodes

    @property
    def gap(self) -> float | None:
        """By which share of its loss the best policy could still be bettered.

        0 if it is proven to be the best, None if nothing is known or found.
        """
        if self.proof is None or self.proof.gap is None or self.optimum is None:
            return 0.0 if self.complete and self.optimum is not None else None
        assert self.proof.loss is not None
        bound, loss = self.proof.loss * (1 - self.proof.gap), self.loss[self.optimum]
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

    def policy(self, node: int, origin: str = "search") -> Policy:
        """Policy of a node under the thresholds."""
        below = max(1, int(self.suppress_below[node]))
        levels, conditions = self.levels_of(node), conditions_of(self.models)
        return lattice_policy(self.hierarchies, levels, below, origin, conditions)

    def words(self, node: int) -> str:
        """Policy of a node in one line."""
        return sentence(self.policy(node), int(self.suppressed[node]), self.n_records)

    def choice(self, node: int, note: str = "") -> Chosen:
        """Return a node as it is stored in a project."""
        below = max(1, int(self.suppress_below[node]))
        return Chosen(levels=self.levels_of(node), suppress_below=below, note=note)


def infeasible(found: Found) -> InfeasibleError:
    """Return the error that names the nearest miss and what to loosen."""
    assert found.nearest is not None
    needed = int(found.suppressed[found.nearest])
    return InfeasibleError(
        "no_policy_meets",
        records_needed=needed,
        share_needed=f"{100 * needed / found.n_records:.1f} %",
        records_allowed=found.result.limit_records,
    )
