"""By which relations, one after the other, bounds of counts were narrowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.counts.audit.propagation import implied
from deidgui.engine.counts.audit.system import UNLIMITED, Matrix

ROUNDS = 300
"""Rounds that are followed; what takes more is not explained step by step."""

LOW, HIGH = 0, 1
Side = int


@dataclass(frozen=True)
class KnownCount:
    """What is known of a count at some step.

    Parameters
    ----------
    low : int
        Alike with `high` for a known number.
    high : int or None
        None for no bound.
    """

    unknown: int
    low: int
    high: int | None


@dataclass(frozen=True)
class Deduction:
    """What one relation says of one count, given what is known of the others in it.

    Parameters
    ----------
    relation : int
        Its position.
    found : KnownCount
        The count, and what is known of it after this step.
    others : tuple of KnownCount
        The other counts of the relation, in its order, before this step.
    """

    relation: int
    found: KnownCount
    others: tuple[KnownCount, ...]


@dataclass(repr=False, eq=False)
class Trace:
    """Propagation in rounds, with the relation behind each bound.

    Parameters
    ----------
    bounds : list of (ndarray, ndarray) of int64
        Low and high before each round, and at the end.
    entries : list of (dict, dict) of int to int
        For low and high: counts that a round narrowed, and the entry of the matrix.
    """

    matrix: Matrix
    bounds: list[tuple[IntArray, IntArray]]
    entries: list[tuple[dict[int, int], dict[int, int]]] = field(default_factory=list)

    @staticmethod
    def of(matrix: Matrix, low: IntArray, high: IntArray) -> Trace:
        """Propagate bounds until they are at rest or contradict each other."""
        trace = Trace(matrix, [(low, high)])
        while len(trace.entries) < ROUNDS and np.all(low <= high):
            least, most = implied(matrix, low, high)
            next_low, next_high = low.copy(), high.copy()
            np.maximum.at(next_low, matrix.unknowns, least)
            np.minimum.at(next_high, matrix.unknowns, most)
            lows = _firsts(matrix, least == next_low[matrix.unknowns], next_low > low)
            highs = _firsts(
                matrix, most == next_high[matrix.unknowns], next_high < high
            )
            if not lows and not highs:
                break
            low, high = next_low, next_high
            trace.bounds.append((low, high))
            trace.entries.append((lows, highs))
        return trace

    def end(self, unknown: int) -> tuple[int, int]:
        """Return the bounds of a count in the end."""
        low, high = self.bounds[-1]
        return int(low[unknown]), int(high[unknown])

    def contradicted(self) -> int | None:
        """Return a count that no number fits."""
        low, high = self.bounds[-1]
        found = np.flatnonzero(low > high)
        return int(found[0]) if len(found) else None

    def steps(self, unknown: int) -> tuple[Deduction, ...]:
        """Return the steps that lead to the bounds of a count, in their order."""
        last = len(self.entries) - 1
        open_ = [(unknown, LOW, last), (unknown, HIGH, last)]
        seen: set[tuple[int, Side, int]] = set()
        reached: set[tuple[int, int]] = set()
        while open_:
            of, side, latest = open_.pop()
            at = self._round(of, side, latest)
            if at is None or (of, side, at) in seen:
                continue
            seen.add((of, side, at))
            entry = self.entries[at][side][of]
            reached.add((at, entry))
            open_ += [(each, end, at - 1) for each, end in self._used(entry, side)]
        return tuple(self._replayed([entry for _, entry in sorted(reached)]))

    def _round(self, unknown: int, side: Side, latest: int) -> int | None:
        for at in range(latest, -1, -1):
            if unknown in self.entries[at][side]:
                return at
        return None

    def _row(self, entry: int) -> range:
        row = self.matrix.rows[entry]
        return range(int(self.matrix.starts[row]), int(self.matrix.starts[row + 1]))

    def _used(self, entry: int, side: Side) -> Iterator[tuple[int, Side]]:
        """Give the bounds of other counts on which a bound rests."""
        coefficients = self.matrix.coefficients
        for each in self._row(entry):
            if each != entry:
                turns = (coefficients[each] > 0) == (coefficients[entry] > 0)
                yield int(self.matrix.unknowns[each]), 1 - side if turns else side

    def _replayed(self, entries: Sequence[int]) -> Iterator[Deduction]:
        """Give the steps with what is known from those before, and nothing else."""
        low, high = (each.copy() for each in self.bounds[0])
        for entry in entries:
            least, most = implied(self.matrix, low, high)
            unknown = int(self.matrix.unknowns[entry])
            others = tuple(
                _known(of, low[of], high[of])
                for each in self._row(entry)
                if (of := int(self.matrix.unknowns[each])) != unknown
            )
            low[unknown] = max(low[unknown], least[entry])
            high[unknown] = min(high[unknown], most[entry])
            found = _known(unknown, low[unknown], high[unknown])
            yield Deduction(int(self.matrix.rows[entry]), found, others)


def shrunk(items: Sequence[int], holds: Callable[[Sequence[int]], bool]) -> list[int]:
    """Leave out as much as can be while something holds of the rest.

    Parameters
    ----------
    items : sequence of int
        Something holds of them, and of all that contain a set of which it holds.

    Returns
    -------
    list of int
        None of them can be left out.
    """
    kept = list(items)
    size = max(1, len(kept) // 2)
    while True:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            if holds(fewer):
                kept = fewer
            else:
                at += size
        if size == 1:
            return kept
        size = size // 2


def _known(unknown: int, low: int, high: int) -> KnownCount:
    return KnownCount(unknown, int(low), None if high >= UNLIMITED else int(high))


def _firsts(matrix: Matrix, alike: BoolArray, narrowed: BoolArray) -> dict[int, int]:
    """Return the first entry that gives its bound to each narrowed count."""
    entries = np.flatnonzero(alike & narrowed[matrix.unknowns])
    unknowns, first = np.unique(matrix.unknowns[entries], return_index=True)
    return dict(zip(unknowns.tolist(), entries[first].tolist(), strict=True))


def relations_of(steps: Iterable[Deduction]) -> list[int]:
    """Return the relations of steps, each once, sorted."""
    return sorted({each.relation for each in steps})
