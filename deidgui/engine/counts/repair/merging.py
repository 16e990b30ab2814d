"""Coarser categories: joins categories of groups until masked counts are protected."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.counts.audit.inference import WIDTH, Audit, audit
from deidgui.engine.counts.audit.system import (
    UNLIMITED,
    Constraint,
    PublishedAs,
    System,
)
from deidgui.engine.counts.repair.complements import Cost
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class Categories:
    """Categories that exclude each other, and may be joined.

    Parameters
    ----------
    key : hashable
        Whatever tells the caller which group this is; given back in results.
    categories : tuple of tuple of int
        Counts of each category: one for each column or table in which it stands, in
        the same order in all categories.
    is_ordered : bool
        Whether only neighbours can be joined (ages).
    """

    key: Hashable
    categories: tuple[tuple[int, ...], ...]
    is_ordered: bool


@dataclass(frozen=True)
class JoinedCategory:
    """A category that stands for several.

    Parameters
    ----------
    group : hashable
        Key of the group.
    categories : tuple of int
        Positions of the categories in it, sorted.
    """

    group: Hashable
    categories: tuple[int, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Coarser:
    """Tables with fewer categories.

    Parameters
    ----------
    joined : tuple of JoinedCategory
        What is joined.
    system : System
        What is published then: counts of the joined categories are added at the end;
        those that they join are no longer published, but small ones still must not be
        inferred.
    audit : Audit
        Of that: the proof. Its `too_narrow` are counts that no further joining
        protects.
    cost : Cost
        Of what is not shown any more.
    was_stopped : bool
        Whether time ran out before all was tried.
    """

    joined: tuple[JoinedCategory, ...]
    system: System
    audit: Audit
    cost: Cost
    was_stopped: bool


def coarser(
    system: System,
    groups: Sequence[Categories],
    counts: IntArray,
    threshold: int,
    *,
    width: int = WIDTH,
    seconds: float = 10.0,
    limit: float = 60.0,
    monitor: Monitor = NULL_MONITOR,
) -> Coarser:
    """Join categories until every masked count is wide enough, or none are left.

    Parameters
    ----------
    counts : ndarray of int64, shape (n,)
        What all counts are, also the masked ones: whether the sum of two is masked
        depends on it.
    threshold : int
        Sums from 1 to below it are masked.
    width : int, >= 1
        High minus low that every masked count must have at least.
    seconds : float
        Time for each end that needs a search in whole numbers.
    limit : float
        Seconds for all of it: what is joined until then is returned.

    Raises
    ------
    Cancelled
        If the user asked to stop.

    Notes
    -----
    Step by step, the two categories are joined that leave the fewest counts
    unprotected, among those the ones that cost least: fewer may do.
    """
    state = _State.of(system, groups, counts)
    until = time.monotonic() + limit
    found = audit(state.system, width=width, seconds=seconds, monitor=monitor)
    was_stopped = False
    while len(found.too_narrow) and not was_stopped:
        best: tuple[tuple[int, int, int], _State, Audit] | None = None
        for following in state.followers(found, threshold):
            then = audit(
                following.system,
                width=width,
                seconds=seconds,
                monitor=SubMonitor(monitor, 0, 0),
            )
            cost = following.cost(system)
            rank = len(then.too_narrow), cost.n_figures, cost.n_counted
            if best is None or rank < best[0]:
                best = rank, following, then
            was_stopped = time.monotonic() > until
            if was_stopped:
                break
        if best is None:
            break
        _, state, found = best
    cost = state.cost(system)
    return Coarser(tuple(state.joined()), state.system, found, cost, was_stopped)


@dataclass(frozen=True, repr=False, eq=False)
class _Category:
    """A category as it stands now: what it is made of, its counts and all in it."""

    of: tuple[int, ...]
    unknowns: tuple[int, ...]
    inside: frozenset[int]


@dataclass(frozen=True, repr=False, eq=False)
class _State:
    """Tables after some joining."""

    system: System
    counts: IntArray
    groups: tuple[Categories, ...]
    categories: tuple[tuple[_Category, ...], ...]

    @staticmethod
    def of(system: System, groups: Sequence[Categories], counts: IntArray) -> _State:
        """Return the tables as they are."""
        categories = tuple(
            tuple(
                _Category((at,), each, frozenset(each))
                for at, each in enumerate(group.categories)
            )
            for group in groups
        )
        return _State(system.with_hidden(()), counts, tuple(groups), categories)

    def joined(self) -> Iterator[JoinedCategory]:
        """Give the categories that stand for several."""
        for group, categories in zip(self.groups, self.categories, strict=True):
            for each in categories:
                if len(each.of) > 1:
                    yield JoinedCategory(group.key, each.of)

    def cost(self, before: System) -> Cost:
        """Return what is shown before and not any more."""
        shown = before.marks == PublishedAs.SHOWN
        gone = shown & (self.system.marks[: before.size] != PublishedAs.SHOWN)
        added = int(np.sum(self.system.marks[before.size :] == PublishedAs.SHOWN))
        return Cost(int(gone.sum()) - added, int(before.low[gone].sum()))

    def followers(self, found: Audit, threshold: int) -> Iterator[_State]:
        """Give the tables with two more categories joined, one of them in need."""
        needy = set(found.too_narrow.tolist())
        for at, (group, categories) in enumerate(
            zip(self.groups, self.categories, strict=True)
        ):
            n = len(categories)
            for first in range(n - 1):
                last = first + 2 if group.is_ordered else n
                for second in range(first + 1, last):
                    inside = categories[first].inside | categories[second].inside
                    if needy & inside:
                        yield self._with(at, first, second, threshold)

    def _with(self, group: int, first: int, second: int, threshold: int) -> _State:
        categories = list(self.categories[group])
        one, other = categories[first], categories.pop(second)
        pairs = list(zip(one.unknowns, other.unknowns, strict=True))
        system, counts, new = _added(self.system, self.counts, pairs, threshold)
        of = tuple(sorted((*one.of, *other.of)))
        categories[first] = _Category(of, new, one.inside | other.inside | {*new})
        all_ = list(self.categories)
        all_[group] = tuple(categories)
        return _State(system, counts, self.groups, tuple(all_))


def _added(
    system: System, counts: IntArray, pairs: Sequence[tuple[int, int]], threshold: int
) -> tuple[System, IntArray, tuple[int, ...]]:
    """Publish sums in place of pairs of counts."""
    gone = sorted({each for pair in pairs for each in pair})
    system = system.with_hidden(())
    relations = [
        each for each in system.relations if not set(each.tied_to).intersection(gone)
    ]
    low, high, marks = system.low.copy(), system.high.copy(), system.marks.copy()
    low[gone], high[gone] = 0, UNLIMITED
    marks[gone] = np.where(
        marks[gone] == PublishedAs.SHOWN, PublishedAs.HIDDEN, marks[gone]
    )
    sums = np.array([counts[first] + counts[second] for first, second in pairs])
    small = (sums > 0) & (sums < threshold)
    new = tuple(range(system.size, system.size + len(pairs)))
    for (first, second), each in zip(pairs, new, strict=True):
        terms = (each, first, second)
        relations.append(Constraint(("joined", each), terms, (-1, 1, 1), 0, 0))
    following = replace(
        system,
        low=np.concatenate((low, np.where(small, 1, sums))),
        high=np.concatenate((high, np.where(small, threshold - 1, sums))),
        marks=np.concatenate(
            (marks, np.where(small, PublishedAs.MASKED, PublishedAs.SHOWN))
        ),
        relations=tuple(relations),
    )
    return following, np.concatenate((counts, sums)), new
