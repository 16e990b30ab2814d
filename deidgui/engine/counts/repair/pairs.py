"""Which shown counts must be hidden so that masked counts can be two different numbers.

A count is protected by a width if two tables fit all that is published, in one of
which it is larger by that width. Both are unknowns of one program, for each count that
shall be protected, with what is hidden: shown counts differ from what they are only if
hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.counts.audit.propagation import narrow
from deidgui.engine.counts.audit.solving import Program, Solved, Solver
from deidgui.engine.counts.audit.system import UNLIMITED, System
from deidgui.monitor import NULL_MONITOR, Monitor

FAR = 4
"""Widths by which a hidden count may differ from what it is, if nothing is proven."""

LITTLE = 200
"""How far hidden counts may move at most, by what relations allow, to go by that."""

_SHARE_HIDDEN = 1e-6
"""A count that moves by less stays shown."""


@dataclass(frozen=True, repr=False, eq=False)
class Choice:
    """Shown counts among which some are to be hidden.

    Parameters
    ----------
    system : System
        Without figures that are tied to them.
    candidates : ndarray of int64, shape (n_candidates,)
        Shown counts that may be hidden.
    weights : ndarray of float64, shape (n_candidates,)
        What it costs to hide each, above 0.
    lowest : int
        Least count that a reader thinks possible for a hidden one.
    width : int
        By which each target must be able to differ.
    """

    system: System
    candidates: IntArray
    weights: FloatArray
    lowest: int
    width: int

    @property
    def counts(self) -> IntArray:
        """What the candidates are."""
        return self.system.low[self.candidates]


def cheap(
    choice: Choice, target: int, monitor: Monitor, seconds: float, *, whole: bool
) -> IntArray | None:
    """Return candidates that protect one target, few but perhaps not fewest.

    Parameters
    ----------
    target : int
        A masked count.
    seconds : float
        Time for a search in whole numbers.
    whole : bool
        Whether counts are whole numbers; else the choice may not do.

    Returns
    -------
    ndarray of int64 or None
        Places among the candidates; None if all of them do not protect it.

    Notes
    -----
    The cost of hiding a count grows with how far it moves instead of at once: a linear
    program, of which the counts that move at all are taken [1]_.

    References
    ----------
    .. [1] Kelly, Golden, Assad (1992), *Cell suppression: disclosure protection for
       sensitive tabular data*, Networks 22: 397-417.
    """
    n = len(choice.candidates)
    down = (choice.counts - choice.lowest).astype(float)
    reach = _Reach(np.ones(n), np.ones(n), down, np.full(n, np.inf))
    program = _program(choice, [target], reach, hidden_whole=False, whole=whole)
    solved = Solver(program, monitor, seconds).solve()
    if solved.values is None:
        return None
    return np.flatnonzero(solved.values[:n] > _SHARE_HIDDEN)


def fewest(
    choice: Choice,
    targets: Sequence[int],
    first: IntArray,
    seconds: float,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[float | None, IntArray | None]:
    """Return a bound for the cost, and the cheapest candidates found for all targets.

    Parameters
    ----------
    targets : sequence of int
        Masked counts, all to be protected.
    first : ndarray of int64
        Candidates that are known to do.
    seconds : float
        After which the search stops with what it has.

    Returns
    -------
    bound : float or None
        No choice costs less; None if nothing is proven.
    chosen : ndarray of int64 or None
        Places among the candidates; None if nothing was found in time.

    Notes
    -----
    How far hidden counts move is bounded: in networks (tables with one or two margins)
    by the width, since two tables differ by cycles in which every count moves by one;
    elsewhere by what the relations allow, if that is little, and else by `FAR` widths,
    in which case no bound for the cost is proven.

    References
    ----------
    .. [1] Fischetti, Salazar-Gonzalez (2000), *Models and algorithms for optimizing
       cell suppression in tabular data with linear constraints*, JASA 95: 916-928.
    """
    n = len(choice.candidates)
    is_network = _is_network(choice)
    reach, is_proven = _reach(choice, is_network=is_network)
    program = _program(choice, targets, reach, hidden_whole=True, whole=not is_network)
    solver = Solver(program, monitor, seconds)
    hidden = np.zeros(n)
    hidden[first] = 1
    solver.begin_with(np.arange(n), hidden)
    solved: Solved = solver.solve()
    bound = solved.bound if is_proven and np.isfinite(solved.bound) else None
    if solved.values is None:
        return bound, None
    return bound, np.flatnonzero(solved.values[:n] > 0.5)


def covering(
    choice: Choice, targets: Sequence[int], seconds: float, monitor: Monitor
) -> float:
    """Return what every choice costs at least.

    Parameters
    ----------
    targets : sequence of int
        Masked counts, all to be protected.
    seconds : float
        After which the search stops with what it has.

    Notes
    -----
    If a target moves by the width, the other counts of each of its equations move
    together as much: where those that are not shown cannot, one is hidden. A choice
    with one of each such equation costs this much.
    """
    needed = list(_needed(choice, targets))
    if not needed:
        return 0.0
    n, rows = len(choice.candidates), _Rows()
    for each in needed:
        zeros = np.zeros(len(each), np.int64)
        rows.add(zeros, each, np.ones(len(each)), np.ones(1), np.full(1, np.inf))
    whole = np.ones(n)
    program = rows.program(np.zeros(n), np.ones(n), choice.weights, whole)
    return max(0.0, Solver(program, monitor, seconds).solve().bound)


def _needed(choice: Choice, targets: Sequence[int]) -> Iterator[IntArray]:
    """Give sets of candidates of which one has to be hidden."""
    free = choice.system.with_hidden(choice.candidates.tolist(), choice.lowest)
    bounds = narrow(free.matrix, free.low, free.high)
    place = {each: at for at, each in enumerate(choice.candidates.tolist())}
    inside = set(targets)
    for relation in choice.system.relations:
        of = dict(zip(relation.unknowns, relation.coefficients, strict=True))
        may = [place[each] for each in of if each in place]
        if relation.low != relation.high or not may:
            continue
        moves = {
            each: abs(factor) * int(bounds.high[each] - bounds.low[each])
            for each, factor in of.items()
            if each not in place
        }
        for target in inside.intersection(of):
            others = sum(moves.values()) - moves[target]
            if others < abs(of[target]) * choice.width:
                yield np.array(may, np.int64)
                break


@dataclass(frozen=True, repr=False, eq=False)
class _Reach:
    """How far candidates move down and up if hidden, and at most."""

    down: FloatArray
    up: FloatArray
    most_down: FloatArray
    most_up: FloatArray


def _reach(choice: Choice, *, is_network: bool) -> tuple[_Reach, bool]:
    """Return how far candidates need to move, and whether that is proven."""
    counts, far = choice.counts, choice.width * (1 if is_network else FAR)
    free = choice.system.with_hidden(choice.candidates.tolist(), choice.lowest)
    bounds = narrow(free.matrix, free.low, free.high)
    up = bounds.high[choice.candidates] - counts
    down = counts - bounds.low[choice.candidates]
    is_little = len(counts) > 0 and max(up.max(), down.max()) <= LITTLE
    if is_network or not is_little:
        up, down = np.minimum(up, far), np.minimum(down, far)
    reach = _Reach(*(each.astype(float) for each in (down, up, down, up)))
    return reach, is_network or bool(is_little)


def _program(
    choice: Choice,
    targets: Sequence[int],
    reach: _Reach,
    *,
    hidden_whole: bool,
    whole: bool,
) -> Program:
    """Write how much each candidate is hidden, and two tables for each target.

    Counts of the tables are what they are above their least.
    """
    system, n = choice.system, choice.system.size
    n_candidates = len(choice.candidates)
    high = (system.high - system.low).astype(float)
    high[system.high >= UNLIMITED] = np.inf
    low = np.zeros(n)
    low[choice.candidates], high[choice.candidates] = -reach.most_down, reach.most_up
    rows = _Rows()
    for number, target in enumerate(targets):
        above = n_candidates + 2 * number * n
        for table in (above, above + n):
            _relations(rows, system, table)
            columns = table + choice.candidates
            hidden = np.arange(n_candidates)
            rows.pairs(columns, hidden, -reach.up, -np.inf, 0)
            rows.pairs(columns, hidden, reach.down, 0, np.inf)
        ends = np.array([above + target]), np.array([above + n + target])
        rows.pairs(*ends, np.array([-1.0]), choice.width, np.inf)
    n_tables = 2 * len(targets)
    return rows.program(
        np.concatenate((np.zeros(n_candidates), np.tile(low, n_tables))),
        np.concatenate(
            (
                np.full(n_candidates, 1 if hidden_whole else np.inf),
                np.tile(high, n_tables),
            )
        ),
        np.concatenate((choice.weights, np.zeros(n * n_tables))),
        np.concatenate(
            (np.full(n_candidates, hidden_whole), np.full(n * n_tables, whole))
        ),
    )


def _relations(rows: _Rows, system: System, table: int) -> None:
    matrix = system.matrix
    known = matrix.sums(system.low)
    rows.add(
        matrix.rows,
        table + matrix.unknowns,
        matrix.coefficients.astype(float),
        np.where(matrix.low <= -UNLIMITED, -np.inf, matrix.low - known),
        np.where(matrix.high >= UNLIMITED, np.inf, matrix.high - known),
    )


class _Rows:
    """Rows of a program while they are gathered."""

    def __init__(self) -> None:
        self._entries: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._bounds: list[tuple[FloatArray, FloatArray]] = []
        self._n = 0

    def add(
        self,
        rows: IntArray,
        columns: IntArray,
        values: FloatArray,
        low: FloatArray,
        high: FloatArray,
    ) -> None:
        """Add rows that are numbered from 0."""
        self._entries.append((self._n + rows, columns, values))
        self._bounds.append((low, high))
        self._n += len(low)

    def pairs(
        self,
        first: IntArray,
        second: IntArray,
        values: FloatArray,
        low: float,
        high: float,
    ) -> None:
        """Add rows ``first + value * second`` between the same bounds."""
        n = len(first)
        rows = np.repeat(np.arange(n), 2)
        columns = np.column_stack((first, second)).ravel()
        factors = np.column_stack((np.ones(n), values)).ravel()
        self.add(rows, columns, factors, np.full(n, low), np.full(n, high))

    def program(
        self, low: FloatArray, high: FloatArray, cost: FloatArray, whole: FloatArray
    ) -> Program:
        """Return the program over columns with bounds and costs."""
        rows, columns, values = (
            np.concatenate(each) for each in zip(*self._entries, strict=True)
        )
        row_low, row_high = (
            np.concatenate(each) for each in zip(*self._bounds, strict=True)
        )
        starts = np.searchsorted(rows, np.arange(self._n + 1))
        return Program(
            starts, columns, values, row_low.astype(float), row_high.astype(float),
            low, high, cost, whole.astype(bool),
        )  # fmt: skip


def _is_network(choice: Choice) -> bool:
    """Tell whether relations are a network: then vertices are whole numbers.

    Notes
    -----
    Every count that can move is in at most two relations with coefficients of 1 or -1,
    and relations can be negated so that each count has two signs.
    """
    system, matrix = choice.system, choice.system.matrix
    moving = system.low < system.high
    moving[choice.candidates] = True
    inside = moving[matrix.unknowns]
    signs = matrix.coefficients[inside]
    if np.any(np.abs(signs) != 1):
        return False
    relations: dict[int, list[tuple[int, int]]] = {}
    entries = np.column_stack((matrix.unknowns[inside], matrix.rows[inside], signs))
    for unknown, row, sign in entries.tolist():
        relations.setdefault(unknown, []).append((row, sign))
    beside: dict[int, list[tuple[int, int]]] = {}
    for of in relations.values():
        if len(of) > 2:
            return False
        if len(of) == 2:
            (first, sign), (second, other) = of
            beside.setdefault(first, []).append((second, -sign * other))
            beside.setdefault(second, []).append((first, -sign * other))
    return _signs_agree(beside)


def _signs_agree(beside: dict[int, list[tuple[int, int]]]) -> bool:
    signs: dict[int, int] = {}
    for begin in beside:
        open_ = [begin] if begin not in signs else []
        signs.setdefault(begin, 1)
        while open_:
            at = open_.pop()
            for each, turn in beside[at]:
                if each not in signs:
                    signs[each] = signs[at] * turn
                    open_.append(each)
                elif signs[each] != signs[at] * turn:
                    return False
    return True
