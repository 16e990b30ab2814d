"""The policies that all sources have found: listed, ordered, filtered and looked up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from deidgui.app.charts.lattice import LatticeLayout
from deidgui.app.decides import Decides
from deidgui.app.policies.candidate import (
    Candidate,
    CandidateState,
    Cell,
    Figures,
    Measures,
    Proof,
    Proven,
)
from deidgui.app.project import Chosen
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.policy.policy import Policy
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.engine.search.question import limit_in_records
from deidgui.errors import InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor

Order = Literal[
    "best",
    "n_suppressed",
    "highest_risk",
    "average_risk",
    "loss",
    "population_risk",
    "n_riskier",
    "added_risk",
    "added_sum",
    "n_holding",
    "share_at_risk",
    "events_loss",
]
"""What policies can be put in order by; "best" are those that lose least."""

SortedBy = Literal["loss", "events_loss", "kinds"]
"""By what a source sorts its policies: kinds are taken in turn, the best of each first.
"""


@dataclass(frozen=True, repr=False, eq=False)
class CandidateColumns:
    """What is known about many policies, one row for each.

    All arrays have shape (n,). Floats are NaN where unknown (see `Figures`).

    Parameters
    ----------
    meets, checked, is_exact, highest_is_exact : ndarray of bool
    n_suppressed : ndarray of float64
    highest_risk, average_risk : ndarray of float64, each in [0, 1]
    loss, population_risk, n_riskier, added_risk : ndarray of float64
    added_sum, n_holding, cautious_risk : ndarray of float64
    share_at_risk, share_at_risk_low, share_at_risk_high : ndarray of float64
    events_loss : ndarray of float64
    """

    meets: BoolArray
    checked: BoolArray
    is_exact: BoolArray
    highest_is_exact: BoolArray
    n_suppressed: FloatArray
    highest_risk: FloatArray
    average_risk: FloatArray
    loss: FloatArray
    population_risk: FloatArray
    n_riskier: FloatArray
    added_risk: FloatArray
    added_sum: FloatArray
    n_holding: FloatArray
    cautious_risk: FloatArray
    share_at_risk: FloatArray
    share_at_risk_low: FloatArray
    share_at_risk_high: FloatArray
    events_loss: FloatArray

    def __len__(self) -> int:
        return len(self.meets)

    @classmethod
    def of(
        cls, figures: Sequence[Figures], meets: BoolArray, checked: BoolArray
    ) -> CandidateColumns:
        """Return the columns of figures that are known one by one."""

        def column(name: str) -> FloatArray:
            values = (getattr(each, name) for each in figures)
            return np.array([np.nan if x is None else x for x in values], np.float64)

        is_exact = np.array([each.is_exact for each in figures], np.bool_)
        highest = np.array([each.highest_is_exact for each in figures], np.bool_)
        known = {name: column(name) for name in FIGURES}
        return cls(meets, checked, is_exact, highest, **known)

    def at(self, rows: IntArray) -> CandidateColumns:
        """Columns of some rows."""
        return CandidateColumns(
            *(getattr(self, each.name)[rows] for each in fields(self))
        )

    def figures(self, row: int) -> Figures:
        """What is known about one policy."""
        known: dict[str, Any] = {name: self._known(name, row) for name in FIGURES}
        for name in COUNTS:
            known[name] = None if known[name] is None else int(known[name])
        return Figures(
            is_exact=bool(self.is_exact[row]),
            highest_is_exact=bool(self.highest_is_exact[row]),
            **known,
        )

    def _known(self, name: str, row: int) -> float | None:
        value = float(getattr(self, name)[row])
        return None if np.isnan(value) else value

    def state(self, row: int) -> CandidateState:
        """Whether a policy is acceptable."""
        if not self.checked[row]:
            return CandidateState.UNCHECKED
        return CandidateState.MEETS if self.meets[row] else CandidateState.FAILS

    def take_over(self, rows: IntArray, others: CandidateColumns) -> None:
        """Fill in what others know about the same policies, or know more exactly."""
        is_known = ~np.isnan(others.highest_risk)
        is_better = ~self.highest_is_exact[rows] & others.highest_is_exact & is_known
        lacks = np.isnan(self.highest_risk[rows])
        self.highest_risk[rows[is_better]] = others.highest_risk[is_better]
        self.highest_is_exact[rows] = np.where(
            lacks | is_better, others.highest_is_exact, self.highest_is_exact[rows]
        )
        for name in FIGURES:
            own = getattr(self, name)
            known = getattr(others, name)
            own[rows] = np.where(np.isnan(own[rows]), known, own[rows])
        self.meets[rows] |= others.meets
        self.checked[rows] |= others.checked


FIGURES: tuple[str, ...] = (
    "n_suppressed",
    "highest_risk",
    "average_risk",
    "loss",
    "population_risk",
    "n_riskier",
    "added_risk",
    "added_sum",
    "n_holding",
    "cautious_risk",
    "share_at_risk",
    "share_at_risk_low",
    "share_at_risk_high",
    "events_loss",
)
"""Figures that are columns, by their names in `Figures` and in `CandidateColumns`."""

COUNTS = ("n_suppressed", "n_riskier", "n_holding")


def joined_columns(parts: Sequence[CandidateColumns]) -> CandidateColumns:
    """Put the rows of several parts one below the other; the arrays are new ones."""
    return CandidateColumns(
        *(
            np.concatenate([getattr(part, each.name) for part in parts])
            for each in fields(CandidateColumns)
        )
    )


@dataclass(frozen=True)
class Filter:
    """Which policies are shown.

    Parameters
    ----------
    text : str
        Conditions divided by commas; all words of one must occur in the words for
        one attribute: "age bands of 5, sex kept".
    highest_level : mapping of str to int
        Most general level by attribute; joined values count as level 1.
    suppressed_share : float in [0, 1]
        Largest share of suppressed records.
    only_meeting : bool
        Whether only policies that meet their thresholds are shown.
    sources : frozenset of str or None
        Kinds of the sources whose policies are shown; None for all.
    """

    text: str = ""
    highest_level: Mapping[str, int] = field(default_factory=dict)
    suppressed_share: float = 1.0
    only_meeting: bool = True
    sources: frozenset[str] | None = None

    @property
    def conditions(self) -> Iterator[tuple[str, ...]]:
        """The words of each condition of the text."""
        for condition in self.text.split(","):
            if words := condition.casefold().split():
                yield tuple(words)


class SourceResult(ABC):
    """What one source has found: policies by row, from 0 on.

    A source derives its own from this class; rows are its own numbering.

    Attributes
    ----------
    kind : str
        Of the source.
    decided_by : Decides
        What the fields of a project that decide it are annotated with.
    is_listed : bool
        Whether policies are shown before it is known if the privacy models hold.
    sorted_by : SortedBy
        What `best_first` goes by, after what is removed.
    """

    kind: str
    decided_by: ClassVar[Decides] = Decides.SEARCH
    is_listed: ClassVar[bool] = False
    sorted_by: ClassVar[SortedBy] = "loss"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {len(self.rows)} policies>"

    @property
    @abstractmethod
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in column order."""

    @property
    def is_on_lattice(self) -> bool:
        """Whether the policies are nodes of a lattice of which something is known."""
        return False

    @property
    def layout(self) -> LatticeLayout | None:
        """Where each node is drawn, its loss and whether it meets what is asked."""
        return None

    @property
    def row_of_node(self) -> IntArray:
        """Row that stands for each node of `layout`: int64, (n_nodes,); -1 for none."""
        return np.arange(0)

    @property
    def node_of_row(self) -> IntArray:
        """Node of `layout` of each row: int64, (n_rows,)."""
        return np.arange(0)

    @property
    @abstractmethod
    def n_records(self) -> int:
        """Number of records; of people, where rows belong to people."""

    @property
    @abstractmethod
    def by_person(self) -> bool:
        """Whether all that is counted are people, each with one or more rows."""

    @property
    @abstractmethod
    def columns(self) -> CandidateColumns:
        """What is known about the policies, by row."""

    @property
    @abstractmethod
    def proof(self) -> Proof:
        """How policies were looked for, and what is proven."""

    @property
    @abstractmethod
    def best_first(self) -> IntArray:
        """All rows: policies that meet their thresholds, best first, then others."""

    @property
    def is_answered(self) -> bool:
        """Whether the search for the best policy has come to its end."""
        return True

    def is_same_answer(self, other: SourceResult | None) -> bool:
        """Whether another result has the same best policy by the same search."""
        return self is other

    @property
    def optimum(self) -> int | None:
        """Row of the best policy that meets its thresholds."""
        first = self.best_first[:1]
        return int(first[0]) if self.columns.meets[first].any() else None

    def nothing_meets(self) -> InfeasibleError:
        """Return the error that names the nearest miss, where `optimum` is None.

        Of results of a `main_kind`.
        """
        raise AssertionError("releases nothing by itself")

    @property
    def removal(self) -> FloatArray:
        """Importance of the attributes that each policy removes as a whole.

        Of those of which something shall be kept. The policy with the least is the
        best, whatever it loses: float64, (n,).
        """
        return np.zeros(len(self.columns))

    @property
    def rows(self) -> IntArray:
        """One row for each different table that is released, ascending."""
        return np.arange(len(self.columns), dtype=np.int64)

    def representative(self, row: int) -> int:
        """Row of `rows` that stands for a row: both release the same table."""
        return row

    @abstractmethod
    def policy(self, row: int) -> Policy:
        """Return a policy as the rest of the program applies it."""

    @abstractmethod
    def choice(self, row: int, note: str = "") -> Chosen:
        """Return a policy as a project stores it."""

    @abstractmethod
    def row_of(self, chosen: Chosen | None) -> int | None:
        """Return the row of a stored policy, None if it is not among these."""

    @abstractmethod
    def key(self, row: int) -> Hashable:
        """As of `table_key`."""

    @abstractmethod
    def row_of_key(self, key: Hashable) -> int | None:
        """Return the row of `rows` with a table key, None if there is none."""

    @property
    @abstractmethod
    def levels(self) -> IntArray:
        """Level of each attribute: int64, (n, n_attributes); see `Filter`."""

    @abstractmethod
    def says(self, words: Sequence[str]) -> BoolArray:
        """Which policies have all words in the words for one attribute: bool, (n,)."""

    @abstractmethod
    def measure(self, row: int, monitor: Monitor = NULL_MONITOR) -> Measures:
        """Compute every figure of one policy."""

    def is_guided_by(
        self,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        models: Sequence[PrivacyModel] = (),
    ) -> bool:
        """Whether all figures are known, losses by a measure, and which models hold.

        True for a search that goes by them: it is stale under others.
        """
        del guiding, weights, models
        return True

    def guided_by(
        self,
        guiding: QualityMeasure,
        weights: Mapping[str, float],
        models: Sequence[PrivacyModel] = (),
        monitor: Monitor = NULL_MONITOR,
    ) -> SourceResult:
        """Return the same policies with all figures, and losses by a measure.

        Parameters
        ----------
        weights : mapping of str to float
            Importance by quasi-identifier.
        models : sequence of PrivacyModel
            Conditions of the project: whether they hold is seen, too.
        """
        del guiding, weights, models, monitor
        return self

    def warm(self) -> None:
        """Compute what is looked at first, while nobody waits (worker thread)."""
        _ = self.columns, self.rows, self.best_first, self.levels

    def proven(self, row: int) -> frozenset[Proven]:
        """What is proven about a policy."""
        del row
        return frozenset()

    def n_later(self, row: int) -> int:
        """Records that a later round than the first releases."""
        del row
        return 0

    def riskier(self, row: int) -> str:
        """Which values the records have that are riskier than under a baseline."""
        del row
        return ""


Emit = Callable[[SourceResult], None]
"""Receives what a source has found so far, on the thread that it runs on."""


class PopulationRisk(Protocol):
    """Compares policies with a baseline by the risk among the people."""

    def compared(self, policy: Policy, figures: Figures) -> Figures:
        """Return figures with what is known about the risk in the population."""
        ...


def levels_of_cells(cells: Sequence[Cell]) -> tuple[int, ...]:
    """Levels as a filter takes them: joined values count as level 1."""

    def level(cell: Cell) -> int:
        if cell.level is not None:
            return cell.level
        return {"kept": 0, "removed": cell.height}.get(cell.effect, 1)

    return tuple(map(level, cells))


@dataclass(frozen=True, repr=False, eq=False)
class _Places:
    """Where the policies of a set stand in its parts.

    Parameters
    ----------
    part, row : ndarray of int64, shape (n,)
        Of the part that names each policy.
    others : mapping of int to list of (int, int)
        Further parts and rows that release the same table, by number.
    """

    part: IntArray
    row: IntArray
    others: Mapping[int, Sequence[tuple[int, int]]]


@dataclass(frozen=True, repr=False, eq=False)
class PolicySet:
    """The policies of all sources, each table once; immutable, grows by replacement.

    Policies are numbered from 0 on; a number is one of this set only. `Chosen`
    identifies a policy across sets.

    Parameters
    ----------
    parts : tuple of SourceResult
        One of each kind; of policies that release the same table the first part that
        has one names it.
    fingerprints : mapping of str to str
        By kind: fingerprint of the decisions that the part rests on.
    population : PopulationRisk or None
        Tells the risk in the population of policies whose source does not know it.
    """

    parts: tuple[SourceResult, ...] = ()
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    population: PopulationRisk | None = None

    def __len__(self) -> int:
        return len(self._places.row)

    def __repr__(self) -> str:
        return f"<PolicySet of {len(self)} from {', '.join(self.kinds) or 'nothing'}>"

    # -- parts -------------------------------------------------------------------

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the sources that found something."""
        return tuple(part.kind for part in self.parts)

    def part(self, kind: str) -> SourceResult | None:
        """What one source found."""
        return next((each for each in self.parts if each.kind == kind), None)

    @property
    def on_lattice(self) -> SourceResult | None:
        """What can be shown as a lattice."""
        return next((each for each in self.parts if each.is_on_lattice), None)

    def with_part(self, part: SourceResult, fingerprint: str = "") -> PolicySet:
        """Return the set in which a part is new, or stands for the one of its kind."""
        others = [each for each in self.parts if each.kind != part.kind]
        place = self.kinds.index(part.kind) if part.kind in self.kinds else len(others)
        others.insert(place, part)
        fingerprints = {**self.fingerprints, part.kind: fingerprint}
        return replace(self, parts=tuple(others), fingerprints=fingerprints)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in column order; empty without a part."""
        return self.parts[0].attributes if self.parts else ()

    def rows_in(self, kind: str) -> IntArray:
        """Row of each policy in the part of a kind: int64, (n,); -1 if not in it.

        Nobody changes the array: it is made once.
        """
        if kind not in self._rows_known:
            self._rows_known[kind] = self._rows_in(kind)
            self._rows_known[kind].flags.writeable = False
        return self._rows_known[kind]

    @cached_property
    def _rows_known(self) -> dict[str, IntArray]:
        return {}

    def _rows_in(self, kind: str) -> IntArray:
        rows = np.full(len(self), -1, np.int64)
        if kind not in self.kinds:
            return rows
        place, places = self.kinds.index(kind), self._places
        mine = places.part == place
        rows[mine] = places.row[mine]
        for number, others in places.others.items():
            for part, row in others:
                if part == place:
                    rows[number] = row
        return rows

    def numbers_in(self, kind: str) -> IntArray:
        """Number of each row of `SourceResult.rows` of a kind, -1 of other rows."""
        part = self.part(kind)
        if part is None:
            return np.empty(0, np.int64)
        rows = self.rows_in(kind)
        numbers = np.full(len(part.columns), -1, np.int64)
        known = np.flatnonzero(rows >= 0)
        numbers[rows[known]] = known
        return numbers

    # -- columns -----------------------------------------------------------------

    @cached_property
    def levels(self) -> IntArray:
        """Level of each attribute by number: int64, (n, n_attributes)."""
        places = self._places
        found = np.zeros((len(self), len(self.attributes)), np.int64)
        for number, part in enumerate(self.parts):
            mine = places.part == number
            found[mine] = part.levels[places.row[mine]]
        return found

    @cached_property
    def _places(self) -> _Places:
        parts, rows, n = [], list[IntArray](), 0
        others: dict[int, list[tuple[int, int]]] = {}
        starts = list[int]()
        for number, part in enumerate(self.parts):
            own = part.rows
            new = own
            if number:
                new = self._new_rows(number, own, starts, rows, others)
            starts.append(n)
            n += len(new)
            parts.append(np.full(len(new), number, np.int64))
            rows.append(new)
        if not parts:
            return _Places(np.empty(0, np.int64), np.empty(0, np.int64), {})
        return _Places(np.concatenate(parts), np.concatenate(rows), others)

    def _new_rows(
        self,
        number: int,
        own: IntArray,
        starts: Sequence[int],
        rows: Sequence[IntArray],
        others: dict[int, list[tuple[int, int]]],
    ) -> IntArray:
        """Rows of a part that release a table which no earlier part has."""
        part, new = self.parts[number], list[int]()
        for row in own.tolist():
            known = self._number_of_key(part.key(row), starts, rows)
            if known is None:
                new.append(row)
            else:
                others.setdefault(known, []).append((number, row))
        return np.array(new, np.int64)

    def _number_of_key(
        self, key: Hashable, starts: Sequence[int], rows: Sequence[IntArray]
    ) -> int | None:
        """Number of the policy with a key in the first parts, those with a start."""
        for part, start, own in zip(self.parts, starts, rows, strict=False):
            row = part.row_of_key(key)
            if row is None:
                continue
            place = int(np.searchsorted(own, row))
            if place < len(own) and own[place] == row:
                return start + place
        return None

    @cached_property
    def columns(self) -> CandidateColumns:
        """What is known about each policy, by number."""
        places = self._places
        if not len(places.row):
            return CandidateColumns.of([], np.zeros(0, np.bool_), np.zeros(0, np.bool_))
        own = [
            part.columns.at(places.row[places.part == number])
            for number, part in enumerate(self.parts)
        ]
        columns = joined_columns(own)
        for number, others in places.others.items():
            for part, row in others:
                theirs = self.parts[part].columns.at(np.array([row]))
                columns.take_over(np.array([number]), theirs)
        return columns

    @cached_property
    def _best_first(self) -> IntArray:
        """All numbers: what meets its thresholds, best first, then the rest.

        Where one source alone has found policies its own order holds.
        """
        places, columns = self._places, self.columns
        in_part = np.zeros(len(self), np.int64)
        for number, part in enumerate(self.parts):
            rank = np.empty(len(part.columns), np.int64)
            rank[part.best_first] = np.arange(len(rank))
            mine = places.part == number
            in_part[mine] = rank[places.row[mine]]
        loss = np.nan_to_num(columns.loss, nan=np.inf)
        if len(self.parts) == 1:
            loss = np.zeros(len(self))
        return np.lexsort((in_part, loss, self._removal, ~columns.meets))

    @property
    def sorted_by(self) -> SortedBy:
        """What `order` goes by, after what is removed."""
        return self.parts[0].sorted_by if len(self.parts) == 1 else "loss"

    @cached_property
    def _removal(self) -> FloatArray:
        """By number: as of `SourceResult.removal`."""
        places, found = self._places, np.zeros(len(self))
        for number, part in enumerate(self.parts):
            mine = places.part == number
            found[mine] = part.removal[places.row[mine]]
        return found

    @cached_property
    def _ranks(self) -> IntArray:
        """Place among those that meet their thresholds, from 1; 0 for others."""
        ranks = np.zeros(len(self), np.int64)
        n_meeting = int(np.count_nonzero(self.columns.meets))
        ranks[self._best_first[:n_meeting]] = np.arange(1, n_meeting + 1)
        return ranks

    # -- queries -----------------------------------------------------------------

    @cached_property
    def n_meeting(self) -> int:
        """Policies that meet their thresholds."""
        return int(np.count_nonzero(self.columns.meets))

    @cached_property
    def best(self) -> int | None:
        """Number of the policy that meets its thresholds and loses least."""
        bests = ((place, part.optimum) for place, part in enumerate(self.parts))
        numbers = [
            self._number_at(place, self.parts[place].representative(row))
            for place, row in bests
            if row is not None
        ]
        known = [number for number in numbers if number is not None]
        loss = np.nan_to_num(self.columns.loss[known], nan=np.inf)
        order = np.lexsort((loss, self._removal[known]))
        return known[int(order[0])] if known else None

    def order(self, by: Order = "best", *, descending: bool = False) -> IntArray:
        """Return all numbers in an order; unknown figures last, ties best first.

        Returns
        -------
        ndarray of int64, shape (n,)
        """
        best = self._best_first
        if by == "best":
            return best[::-1] if descending else best
        values = getattr(self.columns, by)[best]
        values = -values if descending else values
        return best[np.argsort(np.nan_to_num(values, nan=np.inf), kind="stable")]

    @cached_property
    def known(self) -> BoolArray:
        """Policies of which something is known: ndarray of bool, shape (n,).

        Of a lattice those that were looked at; of a few that are listed one by one
        all, since nothing is hidden because it is open.
        """
        is_listed = np.array([part.is_listed for part in self.parts], np.bool_)
        known: BoolArray = self.columns.checked | is_listed[self._places.part]
        return known

    @property
    def n_same(self) -> int:
        """Policies looked at that release the same table as one that is listed."""
        return sum(map(_n_looked_at, self.parts)) - int(self.known.sum())

    @property
    def n_unlisted(self) -> int:
        """Policies that there are besides, of sources that know how many."""
        return sum(
            max((part.proof.n_policies or 0) - _n_looked_at(part), 0)
            for part in self.parts
        )

    def matching(self, wanted: Filter) -> BoolArray:
        """Which policies pass a filter: ndarray of bool, shape (n,)."""
        places, columns = self._places, self.columns
        passed = self.known.copy()
        if wanted.only_meeting:
            passed &= columns.meets | ~columns.checked
        for number, part in enumerate(self.parts):
            mine = places.part == number
            passed[mine] &= _passing(part, wanted)[places.row[mine]]
        if wanted.sources is not None:
            passed &= self._found_by(wanted.sources)
        return passed

    def _found_by(self, kinds: frozenset[str]) -> BoolArray:
        """Which policies any of some sources found."""
        is_one = np.array([part.kind in kinds for part in self.parts], np.bool_)
        found = is_one[self._places.part]
        for number, others in self._places.others.items():
            found[number] |= any(is_one[part] for part, _ in others)
        return found

    def candidate(self, number: int) -> Candidate:
        """Return one policy with all that is known about it."""
        part, row = self._accepted_place(number)
        places = self._all_places(number)
        proven = frozenset[Proven]()
        return Candidate(
            number=number,
            sources=tuple(each.kind for each, _ in places),
            chosen=part.choice(row),
            policy=part.policy(row),
            figures=self.columns.figures(number),
            state=self.columns.state(number),
            rank=int(self._ranks[number]) or None,
            proven=proven.union(*(each.proven(at) for each, at in places)),
            n_records=part.n_records,
            n_later=part.n_later(row),
            by_person=part.by_person,
            riskier=part.riskier(row),
        )

    def _place(self, number: int) -> tuple[SourceResult, int]:
        places = self._places
        return self.parts[int(places.part[number])], int(places.row[number])

    def _all_places(self, number: int) -> list[tuple[SourceResult, int]]:
        """Every part and row that releases the table of a policy."""
        others = self._places.others.get(number, ())
        return [
            self._place(number),
            *((self.parts[part], row) for part, row in others),
        ]

    def _accepted_place(self, number: int) -> tuple[SourceResult, int]:
        """Part and row that store a policy: the first in which it is acceptable."""
        places = self._all_places(number)
        return next(
            (each for each in places if each[0].columns.meets[each[1]]), places[0]
        )

    def number_of(self, chosen: Chosen | None) -> int | None:
        """Return the number of a stored policy, None if it is not in the set."""
        for place, part in enumerate(self.parts):
            row = part.row_of(chosen)
            if row is not None:
                return self._number_at(place, part.representative(row))
        return None

    def _number_at(self, place: int, row: int) -> int | None:
        mine = np.flatnonzero(self._places.part == place)
        at = int(np.searchsorted(self._places.row[mine], row))
        if at < len(mine) and self._places.row[mine[at]] == row:
            return int(mine[at])
        for number, others in self._places.others.items():
            if (place, row) in others:
                return number
        return None

    def measure(self, number: int, monitor: Monitor = NULL_MONITOR) -> Measures:
        """Compute every figure of one policy, the risk in the population included."""
        part, row = self._place(number)
        measures = part.measure(row, monitor)
        figures = _merged(measures.figures, self.columns.figures(number))
        if self.population is not None:
            figures = self.population.compared(part.policy(row), figures)
        return replace(measures, figures=figures)


def _n_looked_at(part: SourceResult) -> int:
    """Policies of a part that can be listed, those of one table counted each."""
    return len(part.rows) if part.is_listed else int(part.columns.checked.sum())


def _merged(figures: Figures, known: Figures) -> Figures:
    """Figures with what was known before where they say nothing."""
    more = {
        name: getattr(known, name) for name in FIGURES if getattr(figures, name) is None
    }
    return replace(figures, **more)


def _passing(part: SourceResult, wanted: Filter) -> BoolArray:
    """Which rows of a part pass a filter, as far as their policies decide."""
    most = limit_in_records(wanted.suppressed_share, part.n_records)
    passed = ~(part.columns.n_suppressed > most)
    for place, name in enumerate(part.attributes):
        if name in wanted.highest_level:
            passed &= part.levels[:, place] <= wanted.highest_level[name]
    for words in wanted.conditions:
        passed &= part.says(words)
    return passed
