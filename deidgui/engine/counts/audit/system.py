"""What published tables of counts tell: whole numbers, their bounds, and relations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import IntEnum
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.errors import InputError

UNLIMITED = 2**61
"""Stands for "no upper bound" (its negative for "no lower bound") in arrays."""

LARGEST_COUNT = 2**40
"""No count is larger; a bound beyond it is none."""


class PublishedAs(IntEnum):
    """How a count is published."""

    SHOWN = 0
    """As a number."""
    MASKED = 1
    """As a `T`: a small count that nobody shall learn."""
    HIDDEN = 2
    """Not published, but not small either: a complement, or a count that is told
    only through others."""


@dataclass(frozen=True)
class Constraint:
    """What some counts add up to: ``low <= sum of coefficient * count <= high``.

    Parameters
    ----------
    key : hashable
        Whatever tells the caller which relation this is; given back in results.
    unknowns : tuple of int
        Numbers of the counts, each once.
    coefficients : tuple of int
        Same length, none 0.
    low, high : int or None
        Both alike for an equation; None for no bound.
    tied_to : tuple of int
        Counts beside which it is published (a percentage, a mean): it is masked
        with any of them.
    """

    key: Hashable
    unknowns: tuple[int, ...]
    coefficients: tuple[int, ...]
    low: int | None
    high: int | None
    tied_to: tuple[int, ...] = ()


@dataclass(frozen=True, repr=False, eq=False)
class System:
    """All that is published, as counts with bounds and relations between them.

    Parameters
    ----------
    low, high : ndarray of int64, shape (n,)
        What each count alone says: both alike where it is shown, 1 and t - 1 for a
        `T` below the threshold t. `UNLIMITED` where nothing bounds it.
    marks : ndarray of int64, shape (n,)
        `PublishedAs` of each count.
    relations : tuple of Constraint
        In the order in which they shall be told.
    """

    low: IntArray
    high: IntArray
    marks: IntArray
    relations: tuple[Constraint, ...]

    @property
    def size(self) -> int:
        """Number of counts."""
        return len(self.low)

    @cached_property
    def matrix(self) -> Matrix:
        """The relations as arrays."""
        return Matrix.of(self.relations, self.size)

    @property
    def masked(self) -> IntArray:
        """Numbers of the counts that are masked with a `T`."""
        return np.flatnonzero(self.marks == PublishedAs.MASKED)

    @property
    def wholes(self) -> frozenset[int]:
        """Counts that are sums of others and no part of anything: overall totals."""
        sums, parts = set[int](), set[int]()
        for each in self.relations:
            if (each.low, each.high) != (0, 0) or len(each.unknowns) < 3:
                continue
            pairs = zip(each.unknowns, each.coefficients, strict=True)
            for unknown, coefficient in pairs:
                (sums if coefficient == -1 else parts).add(unknown)
        return frozenset(sums - parts)

    def only(self, relations: Iterable[int]) -> tuple[System, IntArray]:
        """Return some relations with the counts in them, renumbered in their order.

        Returns
        -------
        system : System
            With the relations in their order.
        unknowns : ndarray of int64
            Numbers that its counts have here, sorted.
        """
        chosen = [self.relations[at] for at in relations]
        inside = {each for relation in chosen for each in relation.unknowns}
        unknowns = np.array(sorted(inside), np.int64)
        place = {each: at for at, each in enumerate(unknowns.tolist())}
        renumbered = tuple(
            replace(
                each,
                unknowns=tuple(place[unknown] for unknown in each.unknowns),
                tied_to=tuple(place[at] for at in each.tied_to if at in place),
            )
            for each in chosen
        )
        part = System(
            self.low[unknowns], self.high[unknowns], self.marks[unknowns], renumbered
        )
        return part, unknowns

    def without(self, relations: Iterable[int]) -> System:
        """Leave relations out, by their position."""
        gone = set(relations)
        kept = [each for at, each in enumerate(self.relations) if at not in gone]
        return replace(self, relations=tuple(kept))

    def with_hidden(self, unknowns: Iterable[int], low: int = 0) -> System:
        """Hide shown counts as complements, and what is tied to them or to a `T`.

        Parameters
        ----------
        unknowns : iterable of int
            Counts to hide.
        low : int
            Least count that a reader thinks possible for a complement.
        """
        chosen = sorted(set(unknowns))
        lows, highs, marks = self.low.copy(), self.high.copy(), self.marks.copy()
        lows[chosen], highs[chosen], marks[chosen] = low, UNLIMITED, PublishedAs.HIDDEN
        return System(lows, highs, marks, self._untied(marks))

    def with_threshold(self, threshold: int) -> System:
        """Mask all counts below a higher threshold, and what is tied to them.

        Parameters
        ----------
        threshold : int
            Counts from 1 to ``threshold - 1`` become a `T`; zeros stay shown.
        """
        shown = self.marks == PublishedAs.SHOWN
        small = shown & (self.low > 0) & (self.low < threshold)
        masked = small | (self.marks == PublishedAs.MASKED)
        low = np.where(small, 1, self.low)
        high = np.where(masked, np.maximum(self.high, threshold - 1), self.high)
        high = np.where(small, threshold - 1, high)
        marks = np.where(masked, int(PublishedAs.MASKED), self.marks)
        return System(low, high, marks, self._untied(marks))

    def _untied(self, marks: IntArray) -> tuple[Constraint, ...]:
        """Return what is still published once counts are marked so."""
        gone = (marks == PublishedAs.MASKED) | (marks != self.marks)
        return tuple(
            each for each in self.relations if not any(gone[at] for at in each.tied_to)
        )


@dataclass(frozen=True, repr=False, eq=False)
class Matrix:
    """Relations as arrays, row by row.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_relations + 1,)
        Where each relation begins in `unknowns` and `coefficients`.
    rows, unknowns, coefficients : ndarray of int64, shape (n_entries,)
        Relation, count and coefficient of every entry.
    low, high : ndarray of int64, shape (n_relations,)
        ``-UNLIMITED`` and ``UNLIMITED`` for none.
    """

    starts: IntArray
    rows: IntArray
    unknowns: IntArray
    coefficients: IntArray
    low: IntArray
    high: IntArray

    @staticmethod
    def of(relations: Sequence[Constraint], size: int) -> Matrix:
        """Write relations between `size` counts as arrays."""
        lengths = np.array([len(each.unknowns) for each in relations], np.int64)
        starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        unknowns = np.array([u for r in relations for u in r.unknowns], np.int64)
        assert not len(unknowns) or 0 <= unknowns.min() <= unknowns.max() < size
        low = [-UNLIMITED if r.low is None else r.low for r in relations]
        high = [UNLIMITED if r.high is None else r.high for r in relations]
        return Matrix(
            starts,
            np.repeat(np.arange(len(relations)), lengths),
            unknowns,
            np.array([c for r in relations for c in r.coefficients], np.int64),
            np.array(low, np.int64),
            np.array(high, np.int64),
        )

    @property
    def n_relations(self) -> int:
        """Number of relations."""
        return len(self.low)

    def sums(self, counts: IntArray) -> IntArray:
        """Return what the relations' left sides come to, shape (n_relations,)."""
        found = np.zeros(self.n_relations, np.int64)
        np.add.at(found, self.rows, self.coefficients * counts[self.unknowns])
        return found

    def holds(self, counts: IntArray) -> bool:
        """Tell whether counts fulfil all relations, exactly."""
        sums = self.sums(counts)
        return bool(np.all((self.low <= sums) & (sums <= self.high)))

    def span(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Return least and most that the left sides come to within bounds.

        Parameters
        ----------
        low, high : ndarray of int64, shape (n,)
            Bounds of all counts.

        Returns
        -------
        tuple of ndarray of int64, each shape (n_relations,)
            ``-UNLIMITED`` and `UNLIMITED` where nothing bounds it.
        """
        rising = self.coefficients > 0
        of_low, of_high = low[self.unknowns], high[self.unknowns]
        least = self._span(np.where(rising, of_low, of_high))
        most = self._span(np.where(rising, of_high, of_low))
        return least, most

    def _span(self, ends: IntArray) -> IntArray:
        endless = np.abs(ends) >= UNLIMITED
        sums = np.zeros(self.n_relations, np.int64)
        np.add.at(sums, self.rows, np.where(endless, 0, ends * self.coefficients))
        # All terms without limit have none on the same side.
        sides = np.zeros(self.n_relations, np.int64)
        signs = np.sign(ends) * np.sign(self.coefficients)
        np.add.at(sides, self.rows, np.where(endless, signs, 0))
        return np.where(sides == 0, sums, np.sign(sides) * UNLIMITED)

    def part(self, relations: IntArray, unknowns: IntArray, counts: IntArray) -> Matrix:
        """Return some relations over some counts, renumbered in their order.

        Parameters
        ----------
        relations, unknowns : ndarray of int64
            Sorted.
        counts : ndarray of int64, shape (n,)
            What the other counts of these relations are.
        """
        lengths = (self.starts[1:] - self.starts[:-1])[relations]
        rows = np.repeat(np.arange(len(relations)), lengths)
        firsts = np.cumsum(lengths) - lengths
        entries = np.arange(len(rows)) + (self.starts[relations] - firsts)[rows]
        of, coefficients = self.unknowns[entries], self.coefficients[entries]
        at = np.minimum(np.searchsorted(unknowns, of), len(unknowns) - 1)
        inside = unknowns[at] == of
        known = np.zeros(len(relations), np.int64)
        np.add.at(known, rows[~inside], (coefficients * counts[of])[~inside])
        low, high = self.low[relations], self.high[relations]
        kept = np.bincount(rows[inside], minlength=len(relations))
        return Matrix(
            np.concatenate(([0], np.cumsum(kept))).astype(np.int64),
            rows[inside],
            at[inside],
            coefficients[inside],
            np.where(low <= -UNLIMITED, low, low - known),
            np.where(high >= UNLIMITED, high, high - known),
        )


@dataclass
class SystemBuilder:
    """Gathers counts and relations, then builds a `System`.

    Every method for a count returns its number; every `key` is given back in results.
    """

    _low: list[int] = field(default_factory=list)
    _high: list[int] = field(default_factory=list)
    _marks: list[PublishedAs] = field(default_factory=list)
    _relations: list[Constraint] = field(default_factory=list)

    def shown(self, count: int) -> int:
        """Add a count that is published as a number."""
        return self._add(count, count, PublishedAs.SHOWN)

    def masked(self, threshold: int, *, with_zero: bool = False) -> int:
        """Add a `T`: a count below the threshold; 0 only if zeros are masked."""
        return self._add(0 if with_zero else 1, threshold - 1, PublishedAs.MASKED)

    def hidden(self, low: int = 0, high: int | None = None) -> int:
        """Add a count that is not published and need not be protected."""
        return self._add(low, UNLIMITED if high is None else high, PublishedAs.HIDDEN)

    def relation(
        self,
        key: Hashable,
        terms: Iterable[tuple[int, int]],
        low: int | None,
        high: int | None,
        tied_to: Iterable[int] = (),
    ) -> None:
        """Add ``low <= sum of coefficient * count <= high``.

        Parameters
        ----------
        terms : iterable of (int, int)
            Coefficient and number of a count; those of the same count are added up.
        tied_to : iterable of int
            Counts with which this figure would be masked.
        """
        merged: dict[int, int] = {}
        for coefficient, unknown in terms:
            merged[unknown] = merged.get(unknown, 0) + coefficient
        kept = {unknown: each for unknown, each in merged.items() if each}
        self._relations.append(
            Constraint(
                key, tuple(kept), tuple(kept.values()), low, high, tuple(tied_to)
            )
        )

    def total(self, key: Hashable, total: int, parts: Iterable[int]) -> None:
        """Say that a count is the sum of others: exclusive, exhaustive parts."""
        self.relation(key, [(-1, total), *((1, each) for each in parts)], 0, 0)

    def step(self, key: Hashable, before: int, remaining: int, excluded: int) -> None:
        """Say that an attrition step divides who remained before."""
        self.total(key, before, [remaining, excluded])

    def same(self, key: Hashable, first: int, second: int) -> None:
        """Say that two tables show the same count."""
        self.relation(key, [(1, first), (-1, second)], 0, 0)

    def at_most(self, key: Hashable, part: int, whole: int) -> None:
        """Say that a count is of some of those whom another counts."""
        self.relation(key, [(1, whole), (-1, part)], 0, None)

    def within(
        self, key: Hashable, unknown: int, low: int | None, high: int | None
    ) -> None:
        """Say that a count is known to lie in an interval."""
        self.relation(key, [(1, unknown)], low, high)

    def quotient(
        self, key: Hashable, part: int, whole: int, shown: Decimal, per: int = 1
    ) -> None:
        """Say that ``per * part / whole`` was published, rounded to its last digit.

        Parameters
        ----------
        part, whole : int
            Counts: of a percentage (`per` = 100), or a sum of whole numbers (a hidden
            count) and how many there are, of a mean (`per` = 1).
        shown : Decimal
            As published, with all its digits: 12.50 is more exact than 12.5.

        Notes
        -----
        Both ends of the rounding interval belong to it, so that every way to round a
        half is covered. The figure is tied to the counts: it is masked with them.
        """
        scale, scaled = _scaled(shown)
        tied = (part, whole)
        terms = [(scale * per, part), (1 - scaled, whole)]
        self.relation(key, terms, 0, None, tied)
        terms = [(scale * per, part), (-1 - scaled, whole)]
        self.relation(key, terms, None, 0, tied)

    def build(self) -> System:
        """Return what was gathered.

        Raises
        ------
        InputError
            If a count is too large to be added up (code ``count_too_large``).
        """
        system = System(
            np.array(self._low, np.int64),
            np.array(self._high, np.int64),
            np.array(self._marks, np.int64),
            tuple(self._relations),
        )
        matrix, high = system.matrix, np.minimum(system.high, LARGEST_COUNT)
        ends = np.maximum(np.abs(system.low), high).astype(float)
        terms = np.abs(matrix.coefficients) * ends[matrix.unknowns]
        sums = np.bincount(matrix.rows, terms, matrix.n_relations)
        if np.any(system.low > LARGEST_COUNT) or np.any(sums > UNLIMITED / 2):
            raise InputError("count_too_large")
        return system

    def _add(self, low: int, high: int, mark: PublishedAs) -> int:
        self._low.append(low)
        self._high.append(high)
        self._marks.append(mark)
        return len(self._low) - 1


def _scaled(shown: Decimal) -> tuple[int, int]:
    """Return 2 * 10^d and ``2 * 10^d * shown`` for a figure of d decimals."""
    exponent = shown.as_tuple().exponent
    assert isinstance(exponent, int)
    scale = 2 * 10 ** max(0, -exponent)
    return scale, int(shown * scale)
