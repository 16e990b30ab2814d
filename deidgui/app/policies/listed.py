"""Policies that are known one by one: stored ones, and the best one so far."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from deidgui.app.policies.candidate import (
    CandidateState,
    Cell,
    Figures,
    Measures,
    Proof,
    Proven,
    cells_of,
    occurring_leaves,
    table_key,
)
from deidgui.app.policies.figures import measure_policy, says_in_cells
from deidgui.app.policies.policy_set import (
    CandidateColumns,
    SourceResult,
    levels_of_cells,
)
from deidgui.app.project import Chosen
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.policy import Policy
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure, scaled_weights
from deidgui.engine.search.question import DIGITS, removal_costs
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class Listed:
    """One policy of a list.

    Parameters
    ----------
    n_later : int
        Records that a later round than the first releases.
    """

    chosen: Chosen
    policy: Policy
    figures: Figures
    state: CandidateState
    proven: frozenset[Proven] = frozenset()
    n_later: int = 0


class OneByOne(SourceResult):
    """Policies that are known one by one: what follows from each of them alone."""

    @property
    @abstractmethod
    def each_policy(self) -> tuple[Policy, ...]:
        """The policies as the rest of the program applies them."""

    @property
    @abstractmethod
    def _classes(self) -> ClassTable:
        """The classes of records that they are policies for."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in column order."""
        return self._classes.attributes

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self._classes.n_records

    @property
    def by_person(self) -> bool:
        """Whether people are counted, each with one or more rows."""
        return self._classes.units is not None

    def policy(self, row: int) -> Policy:
        """Return a policy as the rest of the program applies it."""
        return self.each_policy[row]

    @cached_property
    def _occurring(self) -> tuple[IntArray, ...]:
        return occurring_leaves(self._classes)

    @cached_property
    def _row_of_key(self) -> dict[Hashable, int]:
        rows = range(len(self.each_policy) - 1, -1, -1)
        return {self.key(row): row for row in rows}

    @cached_property
    def rows(self) -> IntArray:
        """One policy for each different table that is released."""
        return np.array(sorted(self._row_of_key.values()), np.int64)

    def representative(self, row: int) -> int:
        """First policy that releases the same table."""
        return self._row_of_key[self.key(row)]

    def row_of_key(self, key: Hashable) -> int | None:
        """Return the policy with a table key, None if there is none."""
        return self._row_of_key.get(key)

    @cached_property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """What each policy does to each attribute."""
        return tuple(map(cells_of, self.each_policy))

    @cached_property
    def levels(self) -> IntArray:
        """Level of each attribute: int64, (n, n_attributes); joined values as 1."""
        levels = [levels_of_cells(cells) for cells in self.cells]
        return np.array(levels, np.int64).reshape(len(levels), len(self.attributes))

    def says(self, words: Sequence[str]) -> BoolArray:
        """Which policies have all words in the words for one attribute."""
        return says_in_cells(self.cells, words)


@dataclass(frozen=True, repr=False, eq=False)
class ListedPolicies(OneByOne):
    """A few policies that are known one by one.

    Parameters
    ----------
    kind : str
        Of the source that found them.
    weights : mapping of str to float
        Importance by quasi-identifier.
    keeping : collection of str
        Quasi-identifiers of which something shall be kept.
    """

    kind: str
    policies: tuple[Listed, ...]
    class_table: ClassTable
    guiding: QualityMeasure
    weights: Mapping[str, float]
    how_found: Proof
    keeping: Collection[str] = ()

    @property
    def _classes(self) -> ClassTable:
        return self.class_table

    @property
    def proof(self) -> Proof:
        """How the policies were looked for."""
        return self.how_found

    @cached_property
    def columns(self) -> CandidateColumns:
        """What is known about the policies."""
        states = [each.state for each in self.policies]
        return CandidateColumns.of(
            [each.figures for each in self.policies],
            np.array([each is CandidateState.MEETS for each in states], np.bool_),
            np.array(
                [each is not CandidateState.UNCHECKED for each in states], np.bool_
            ),
        )

    @cached_property
    def best_first(self) -> IntArray:
        """All policies: those that meet their thresholds first, by loss."""
        loss = np.nan_to_num(self.columns.loss, nan=np.inf)
        return np.lexsort((loss, self.removal, ~self.columns.meets))

    @cached_property
    def removal(self) -> FloatArray:
        """As of `SourceResult.removal`."""
        weights = scaled_weights(self.attributes, self.weights)
        costs = [
            cost if name in self.keeping else 0.0
            for name, cost in zip(self.attributes, removal_costs(weights), strict=True)
        ]
        is_removed = [
            [cell.effect == "removed" for cell in cells] for cells in self.cells
        ]
        shape = len(self.policies), len(costs)
        found = np.array(is_removed).reshape(shape) @ np.array(costs)
        return np.asarray(np.round(found, DIGITS), np.float64)

    @cached_property
    def each_policy(self) -> tuple[Policy, ...]:
        """The policies as the rest of the program applies them."""
        return tuple(each.policy for each in self.policies)

    def choice(self, row: int, note: str = "") -> Chosen:
        """Return a policy as a project stores it."""
        return self.policies[row].chosen.but(note=note)

    def row_of(self, chosen: Chosen | None) -> int | None:
        """Return the row of a stored policy, None if it is not among these."""
        if chosen is None:
            return None
        known = enumerate(self.policies)
        return next((row for row, each in known if each.chosen.is_same(chosen)), None)

    def key(self, row: int) -> Hashable:
        """As of `table_key`."""
        n_suppressed = self.policies[row].figures.n_suppressed
        if n_suppressed is None:
            return self.kind, row
        policy = self.policies[row].policy
        return table_key(policy, self._occurring, n_suppressed, self.n_records)

    def measure(self, row: int, monitor: Monitor = NULL_MONITOR) -> Measures:
        """Compute every figure of one policy."""
        monitor.report(0.0, "measure")
        policy = self.policies[row].policy
        return measure_policy(policy, self.class_table, self.guiding, self.weights)

    def proven(self, row: int) -> frozenset[Proven]:
        """What is proven about a policy."""
        return self.policies[row].proven

    def n_later(self, row: int) -> int:
        """Records that a later round than the first releases."""
        return self.policies[row].n_later


@dataclass(frozen=True, repr=False, eq=False)
class MeasuredLater(ListedPolicies):
    """Policies that are found before all their figures are measured.

    Parameters
    ----------
    is_measured : bool
        Whether all figures are known.
    """

    is_measured: bool = False

    def is_guided_by(
        self,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        models: Sequence[PrivacyModel] = (),
    ) -> bool:
        """Whether all figures are known, losses by a measure."""
        del models
        is_same = guiding == self.guiding and dict(weights) == dict(self.weights)
        return self.is_measured and is_same

    def guided_by(
        self,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        models: Sequence[PrivacyModel] = (),
        monitor: Monitor = NULL_MONITOR,
    ) -> Self:
        """Return the same policies with all figures, and losses by a measure."""
        del models
        aimed = replace(self, guiding=guiding, weights=weights)
        found, n = [], len(self.policies)
        for row in range(n):
            step = SubMonitor(monitor, row / n, (row + 1) / n)
            step.report(0.0, "measure")
            found.append(aimed.measured(row, step))
        return replace(aimed, policies=tuple(found), is_measured=True)

    def measured(self, row: int, monitor: Monitor) -> Listed:
        """Return a policy with all its figures."""
        figures = self.measure(row, monitor).figures
        return replace(self.policies[row], figures=figures)
