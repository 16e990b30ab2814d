"""The profile of a lattice: exact figures of every node for every size of class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy.base import PrivacyModel, Tiers
from deidgui.engine.quality.base import NodeFigures, TableFacts
from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.engine.search.measure_details import (
    ASKED,
    BITS,
    COMBINATIONS,
    MeasureDetails,
    columns_of,
    empty_details,
    is_asked,
    nothing_asked,
)
from deidgui.engine.search.question import Reach
from deidgui.engine.search.walk import (
    Walk,
    find_skip,
    no_skip,
    walk_and_judge,
    walk_by_size,
)
from deidgui.engine.search.walk_kernels import (
    N_TOTALS,
    SizeTotals,
    Skip,
)
from deidgui.errors import ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor

BUDGET_BYTES = 512 * 2**20
"""Most memory the tiers of a profile may take."""

DETAILS_BYTES = 256 * 2**20
"""Most memory that what a measure asks of every class may take."""

WALKED, JUDGED = 2e9, 4e8
"""Classes that may be walked over again, compiled and if each must be judged."""

K_MAX = 100
"""Up to this class size every k is kept, if memory allows it."""


@dataclass(frozen=True, repr=False, eq=False)
class Profile:
    """Exact figures of every node of a full-domain generalization lattice.

    Arrays have one row per node, numbered as in `Lattice`; rows of nodes that
    are not checked yet are zero.

    Parameters
    ----------
    ladder : ndarray of int64, shape (n_tiers,), ascending from 1
        Sizes below which classes may be suppressed.
    n_classes : ndarray of int64, shape (n_nodes,)
        Classes when nothing is suppressed.
    squares : ndarray of int64, shape (n_nodes,)
        Sum of squared class sizes.
    tiers : ndarray of int32 or int64, shape (n_nodes, n_tiers, 3 + n_attributes)
        What is in the classes smaller than each size of the ladder: records,
        classes, sum of squared class sizes, and for each attribute the sum over
        records of the hierarchy leaves below their value. Classes that do not meet
        the conditions count as smaller than 1.
    checked : ndarray of bool, shape (n_nodes,)
    conditions : tuple of PrivacyModel
        Models that do not go by size, which every released class meets.
    possible : ndarray of bool, shape (n_nodes,)
        Whether suppressing records can meet the conditions at all.
    details : dict of str to MeasureDetails
        What was asked of every class, by what measures ask (`QualityMeasure.asks`),
        for every size of the ladder; grows when another measure asks.
    reach : Reach or None
        Thresholds beyond which nodes were skipped; None if none was.
    skipped : ndarray of bool, shape (n_nodes,)
        Not measured, since no thresholds within `reach` can be met there.
    """

    class_table: ClassTable
    lattice: Lattice
    ladder: IntArray
    n_classes: IntArray
    squares: IntArray
    tiers: AnyArray
    checked: BoolArray
    conditions: tuple[PrivacyModel, ...] = ()
    possible: BoolArray = field(default_factory=lambda: np.ones(1, np.bool_))
    details: dict[str, MeasureDetails] = field(default_factory=dict)
    reach: Reach | None = None
    skipped: BoolArray = field(default_factory=lambda: np.zeros(1, np.bool_))

    def __repr__(self) -> str:
        return f"<Profile {self.n_checked} of {self.lattice.n_nodes} nodes>"

    @property
    def n_checked(self) -> int:
        """Number of nodes whose figures are known."""
        return int(np.count_nonzero(self.checked))

    @property
    def is_complete(self) -> bool:
        """Whether every node is known."""
        return bool(self.checked.all())

    @property
    def n_skipped(self) -> int:
        """Number of nodes that were skipped."""
        return int(np.count_nonzero(self.skipped))

    @property
    def is_settled(self) -> bool:
        """Whether every node is known or was skipped."""
        return bool((self.checked | self.skipped).all())

    @cached_property
    def facts(self) -> TableFacts:
        """What quality measures need to know of the class table."""
        return TableFacts(self.class_table)

    @cached_property
    def bottom(self) -> RaisedClasses:
        """Classes to group at a single node."""
        return RaisedClasses.bottom(self.class_table)

    def smallest(self, nodes: IntArray) -> Tiers:
        """What is in the smallest classes of some nodes."""
        tiers = self.tiers[nodes]
        return Tiers(
            self.facts.n_records,
            self.n_classes[nodes],
            self.ladder,
            tiers[:, :, 0].astype(np.int64),
            tiers[:, :, 1].astype(np.int64),
        )

    def figures(
        self,
        nodes: IntArray,
        below: IntArray,
        extra: IntArray | None = None,
        details: MeasureDetails | None = None,
    ) -> NodeFigures:
        """SizeTotals of some nodes with small classes suppressed.

        Parameters
        ----------
        nodes : ndarray of int64, shape (n,)
        below : ndarray of int64, shape (n,), each in the ladder
            Classes with fewer members are suppressed.
        extra : ndarray of int64, shape (n,), optional
            So many classes of exactly that size are suppressed as well; the ladder
            holds the next size. Nobody knows which ones: the most leaves that any
            of them can have are counted.
        details : MeasureDetails, optional
            What else is known of these nodes with these classes suppressed; of every
            size if there are `extra` ones, and then what makes `values` a lower bound.
        """
        tier = np.searchsorted(self.ladder, below)
        assert (self.ladder[tier] == below).all()
        totals = self.tiers[nodes, tier].astype(np.int64)
        if extra is not None:
            more = self.tiers[nodes, tier + 1].astype(np.int64) - totals
            n_more = extra * below
            leaves = np.minimum(
                more[:, N_TOTALS:], n_more[:, None] * self.facts.n_leaves
            )
            totals[:, 0] += n_more
            totals[:, 1] += extra
            totals[:, 2] += n_more * below
            totals[:, N_TOTALS:] += leaves
        figures = NodeFigures(
            self.facts,
            self.lattice.levels(nodes),
            self.n_classes[nodes],
            self.squares[nodes],
            suppressed_records=totals[:, 0],
            suppressed_classes=totals[:, 1],
            suppressed_squares=totals[:, 2],
            suppressed_leaves=totals[:, N_TOTALS:],
        )
        if details is None:
            return figures
        if extra is None:
            found = details.values[nodes, tier - details.first[nodes]]
        else:
            found = self._at_least(details, nodes, tier, extra * below)
        found = found if details.asks == BITS else found[:, 0]
        return replace(figures, **{ASKED[details.asks]: found})

    def _at_least(
        self,
        details: MeasureDetails,
        nodes: IntArray,
        tier: IntArray,
        records: IntArray,
    ) -> FloatArray:
        """Details with which no measure loses more than with those that nobody knows.

        So many records of the next tier are suppressed as well, no matter which.
        """
        here: FloatArray = details.values[nodes, tier - details.first[nodes]]
        if details.asks == BITS:  # More of them hold more information.
            return here
        if details.asks == COMBINATIONS:  # As if the whole tier were not kept.
            return np.asarray(details.values[nodes, tier + 1 - details.first[nodes]])
        # Classes share no combination: by the log sum inequality theirs is no less
        # than if these records were spread over all combinations.
        everything = np.log2(self.facts.n_leaves).sum()
        gone = records * (np.log2(np.maximum(records, 1)) - everything)
        return np.asarray(here - gone[:, None])

    def has_room(self, asks: str) -> bool:
        """Whether what a measure asks can be kept for every size of the ladder."""
        n_columns = columns_of(asks, self.lattice.n_attributes)
        n_values = self.lattice.n_nodes * len(self.ladder) * n_columns
        return n_values * np.dtype(np.float64).itemsize <= DETAILS_BYTES

    def take_over(self, part: Profile) -> None:
        """Copy what is known of the nodes of a part of the lattice.

        Nothing is copied if the part does not tell the same sizes apart, or does not
        know what the measure asks.
        """
        tier = np.searchsorted(part.ladder, self.ladder)
        tier = np.minimum(tier, len(part.ladder) - 1)
        knows_sizes = bool((part.ladder[tier] == self.ladder).all())
        if not knows_sizes or not set(self.details) <= set(part.details):
            return
        there = np.flatnonzero(part.checked)
        here = (part.lattice.levels(there) - self.lattice.minimum) @ np.array(
            self.lattice.strides, np.int64
        )
        self.n_classes[here] = part.n_classes[there]
        self.squares[here] = part.squares[there]
        self.tiers[here] = part.tiers[there][:, tier]
        self.possible[here] = part.possible[there]
        for asks, details in self.details.items():
            details.values[here] = part.details[asks].values[there][:, tier]
        self.checked[here] = True

    def as_now(self) -> Profile:
        """Return what is known by now of a profile that grows."""
        return replace(self, checked=self.checked.copy(), skipped=self.skipped.copy())

    def room(self, asks: str, below: IntArray | None = None) -> MeasureDetails:
        """Return room for what a measure asks, for every size or one of each node."""
        n_nodes, n_tiers = self.lattice.n_nodes, len(self.ladder)
        first = np.zeros(n_nodes, np.int64)
        if below is not None:
            first, n_tiers = np.searchsorted(self.ladder, below), 1
        n_attributes = self.lattice.n_attributes
        return empty_details(asks, first, n_tiers, n_attributes, self.ladder)


def build_profile(
    class_table: ClassTable,
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
    *,
    conditions: Sequence[PrivacyModel] = (),
    k_max: int = K_MAX,
    also: Iterable[int] = (),
    asks: str = "",
    n_threads: int = 2,
    known: Profile | None = None,
    reach: Reach | None = None,
    few_classes: float = 0.0,
    on_nodes: Callable[[Profile, IntArray], None] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Profile:
    """Check every node of the lattice exactly, or every one within reach.

    Parameters
    ----------
    minimum, maximum : mapping of str to int, optional
        Allowed levels by attribute.
    conditions : sequence of PrivacyModel, optional
        Models that do not go by size; classes that do not meet them are suppressed.
    k_max : int, >= 1
        Every class size up to this one can be asked for later; fewer of them,
        ever further apart, if memory does not allow it.
    also : iterable of int, each >= 1
        Class sizes that can be asked for in any case.
    asks : str, optional
        What the measure asks of every class (see `QualityMeasure.asks`); left out if
        memory does not allow it.
    n_threads : int, >= 1
        Worker threads; the result does not depend on it.
    known : Profile, optional
        Of a part of the lattice, under the same conditions: its nodes are checked from
        the start on.
    reach : Reach, optional
        Other nodes that no thresholds within reach can be met at are skipped.
    few_classes : float
        Up to so many classes, expected at all nodes together, they are merged by the
        code that the proof has loaded; the result does not depend on it.
    on_nodes : callable, optional
        Receives the profile and the nodes that became known, many times per
        second, on the calling thread.
    monitor : Monitor, optional
        No worker runs during a report: a monitor that waits pauses the work.

    Raises
    ------
    ConfigError
        Code ``level_limits``.
    ResourceError
        Code ``lattice_too_large`` with the number of nodes and how many fit.
    """
    lattice = lattice_of(class_table.hierarchies, minimum, maximum)
    profile = _empty_profile(class_table, lattice, k_max, also, tuple(conditions))
    if is_asked(asks) and profile.has_room(asks):
        profile.details[asks] = profile.room(asks)
    if known is not None:
        profile.take_over(known)
    skip = no_skip()
    if reach is not None and reach.size > 1:
        profile, skip = _within(profile, reach, n_threads, monitor)
    cost = expected_classes(class_table, lattice) * ~profile.skipped
    total, done = max(1.0, float(cost.sum())), 0.0
    totals = SizeTotals(
        profile.n_classes, profile.squares, profile.ladder, profile.tiers
    )
    details = profile.details.get(asks, nothing_asked())
    is_short = total <= few_classes
    asked = profile, totals, details, n_threads, skip, monitor
    with _walk(*asked, is_short=is_short) as walk:
        while not walk.has_finished:
            seen = walk.advance()
            fresh = seen[seen >= 0]
            profile.checked[fresh] = True
            profile.skipped[~seen[seen < 0]] = True
            done += float(cost[np.where(seen < 0, ~seen, seen)].sum())
            if on_nodes is not None:
                on_nodes(profile, fresh)
            monitor.report(min(1.0, done / total), f"nodes {profile.n_checked}")
    assert profile.is_settled
    return profile


def _within(
    profile: Profile, reach: Reach, n_threads: int, monitor: Monitor
) -> tuple[Profile, Skip]:
    """Skip all at once what is known to be out of reach beforehand."""
    table, lattice = profile.class_table, profile.lattice
    if table.joint(lattice.minimum) is not None:
        return profile, no_skip()
    nothing = _no_totals(profile)
    asked = table, lattice, reach.size, reach.records, profile.checked.copy(), nothing
    skip, is_closed = find_skip(*asked, n_threads, monitor=monitor)
    return replace(profile, reach=reach, skipped=is_closed), skip


def _no_totals(profile: Profile) -> SizeTotals:
    nothing = np.empty(0, np.int64)
    return SizeTotals(nothing, nothing, profile.ladder, profile.tiers[:0])


def find_details(
    profile: Profile,
    asks: str,
    below: IntArray | None = None,
    *,
    n_threads: int = 2,
    monitor: Monitor = NULL_MONITOR,
) -> MeasureDetails:
    """Walk the lattice again for what a measure asks of every class.

    Parameters
    ----------
    profile : Profile
        Keeps what is found for every size.
    asks : str
        See `QualityMeasure.asks`.
    below : ndarray of int64, shape (n_nodes,), each in the ladder, optional
        Classes with fewer members are suppressed; every size of the ladder if absent.
    n_threads : int, >= 1
    """
    details, n_done, skip = profile.room(asks, below), 0, no_skip()
    known = _no_totals(profile)
    if profile.reach is not None:
        _, skip = _within(profile, profile.reach, n_threads, monitor)
    with _walk(profile, known, details, n_threads, skip, monitor) as walk:
        while not walk.has_finished:
            n_done += len(walk.advance())
            monitor.report(n_done / profile.lattice.n_nodes, f"details {n_done}")
    if below is None:
        profile.details[asks] = details
    return details


def can_walk_again(profile: Profile) -> bool:
    """Whether all classes of all nodes may be looked at again."""
    visits = expected_classes(profile.class_table, profile.lattice).sum()
    most = JUDGED if profile.conditions else WALKED
    return profile.is_settled and bool(visits <= most)


def keep_details(
    profile: Profile,
    asks: str,
    *,
    n_threads: int = 2,
    monitor: Monitor = NULL_MONITOR,
) -> None:
    """See that a profile knows what a measure asks, if it can be afforded.

    Parameters
    ----------
    asks : str
        See `QualityMeasure.asks`.
    n_threads : int, >= 1
    """
    is_missing = is_asked(asks) and asks not in profile.details
    if is_missing and profile.has_room(asks) and can_walk_again(profile):
        find_details(profile, asks, n_threads=n_threads, monitor=monitor)


def _walk(
    profile: Profile,
    totals: SizeTotals,
    details: MeasureDetails,
    n_threads: int,
    skip: Skip,
    monitor: Monitor,
    *,
    is_short: bool = False,
) -> Walk:
    """Begin a walk: compiled throughout, unless classes must be judged.

    PERF: nor if it is short: to load what is compiled would take longer.
    """
    table, lattice = profile.class_table, profile.lattice
    # What several attributes tell together is no key of the compiled walk.
    is_joint = table.joint(lattice.minimum) is not None
    if not (profile.conditions or is_joint or is_short):
        asked = table, lattice, totals, details, n_threads, skip
        return walk_by_size(*asked, monitor=monitor)
    return walk_and_judge(
        table,
        lattice,
        totals,
        details,
        profile.conditions,
        profile.possible,
        n_threads,
        skip,
    )


def expected_classes(class_table: ClassTable, lattice: Lattice) -> FloatArray:
    """Guess the number of classes of every node, for progress and times only.

    As if the distinct combinations fell independently into the cells of each
    node's cross product.

    Returns
    -------
    ndarray of float64, shape (n_nodes,), each >= 1
    """
    cells = np.ones(1)
    for column, hierarchy in enumerate(class_table.hierarchies):
        low, high = lattice.minimum[column], lattice.maximum[column]
        groups = [hierarchy.levels[level].n_groups for level in range(low, high + 1)]
        cells = np.multiply.outer(cells, np.array(groups, float)).ravel()
    occupied = -cells * np.expm1(class_table.n_classes * np.log1p(-1 / (cells + 1)))
    return np.asarray(np.maximum(1.0, occupied), dtype=np.float64)


def ladder_of(k_max: int, also: Iterable[int], n_tiers: int) -> IntArray:
    """Class sizes to keep: every one up to `k_max`, or as many as there is room.

    Without room for all, steps widen geometrically.

    Parameters
    ----------
    k_max : int, >= 1
    also : iterable of int, each >= 1
        Kept in any case.
    n_tiers : int
        Room, for 1 and `also` at least.

    Returns
    -------
    ndarray of int64, ascending from 1
    """
    needed = sorted({1, *also})
    wanted = np.arange(1, k_max + 1)
    room = n_tiers - len(needed)
    if len(np.setdiff1d(wanted, needed)) > room:
        wanted = np.unique(np.geomspace(1, k_max, max(room, 1)).astype(np.int64))
    return np.union1d(needed, wanted).astype(np.int64)


def _empty_profile(
    class_table: ClassTable,
    lattice: Lattice,
    k_max: int,
    also: Iterable[int],
    conditions: tuple[PrivacyModel, ...],
) -> Profile:
    needed = {1, *also}
    n_nodes, n_columns = lattice.n_nodes, N_TOTALS + lattice.n_attributes
    largest = max(k_max, *needed, *(h.n_leaves for h in class_table.hierarchies))
    if conditions:  # A class of any size may be suppressed.
        largest = max(largest, class_table.n_records)
    # Every total is at most (records) x (class size or leaves).
    fits = class_table.n_records * largest < 2**31
    dtype = np.dtype(np.int32 if fits else np.int64)
    n_tiers = BUDGET_BYTES // (dtype.itemsize * n_columns * n_nodes)
    if n_tiers < len(needed):
        limit = BUDGET_BYTES // (dtype.itemsize * n_columns * len(needed))
        raise ResourceError("lattice_too_large", n_nodes=n_nodes, limit=limit)
    ladder = ladder_of(k_max, needed, n_tiers)
    return Profile(
        class_table,
        lattice,
        ladder,
        n_classes=np.zeros(n_nodes, np.int64),
        squares=np.zeros(n_nodes, np.int64),
        tiers=np.zeros((n_nodes, len(ladder), n_columns), dtype),
        checked=np.zeros(n_nodes, np.bool_),
        conditions=conditions,
        possible=np.ones(n_nodes, np.bool_),
        skipped=np.zeros(n_nodes, np.bool_),
    )
