"""The solution that loses least, where more general than a solution is a solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array
from deidgui.engine.search.lattice import Lattice, Levels
from deidgui.monitor import NULL_MONITOR, Monitor

MOST_NODES = 20_000_000
"""Nodes of which the loss is kept, eight bytes each: of more nothing is proven."""


@dataclass(frozen=True)
class LeastLoss:
    """The best solution that was found, and what is proven of it.

    Parameters
    ----------
    node : int or None
        The best solution; of equally good ones the first. None if no node is one.
    loss : float
        Of that node; infinity for none.
    bound : float
        No solution loses less; equal to `loss` if the node is proven to be the best.
    is_minimal : bool
        Whether no less general node is a solution.
    n_checks : int
        Nodes that were looked at.
    """

    node: int | None
    loss: float
    bound: float
    is_minimal: bool
    n_checks: int

    @property
    def is_proven(self) -> bool:
        """Whether no other solution can lose less."""
        return self.bound >= self.loss


def least_loss(
    lattice: Lattice,
    is_solution: Callable[[Levels], bool],
    losses: Sequence[FloatArray],
    *,
    may_go_on: Callable[[], bool] = lambda: True,
    monitor: Monitor = NULL_MONITOR,
) -> LeastLoss:
    """Find the solution that loses least without looking at most nodes.

    Parameters
    ----------
    is_solution : callable
        Receives a level vector. Must be monotone: whatever is more general than a
        solution is one.
    losses : sequence of ndarray of float64, each of shape (n_levels,), ascending
        Of each attribute at each level of its hierarchy; a node loses their sum.
    may_go_on : callable, optional
        Asked before every check; if not, the proof is given up.
    monitor : Monitor, optional
        Reported to before every check.

    Notes
    -----
    Starts with a solution: from the top, attribute after attribute is lowered as far as
    it can be. Then the node that loses least of all that are not known to fail is
    looked at. If it is a solution, no other loses less. If not, it is raised as far as
    it fails, cheap attributes first: with it everything below it fails, and what loses
    least of the rest is dearer. This is the search of implicit hitting sets.

    References
    ----------
    .. [1] E. Moreno-Centeno, R. Karp (2013), *The implicit hitting set approach to
       solve combinatorial optimization problems*, Operations Research 61(2).
    """
    search = _Search(lattice, is_solution, losses, may_go_on, monitor)
    return search.run()


class _Enough(Exception):
    """So many nodes were looked at as may be."""


@dataclass(eq=False)
class _Search:
    """What is known of nodes: steps above the lowest allowed levels."""

    lattice: Lattice
    is_solution: Callable[[Levels], bool]
    losses: Sequence[FloatArray]
    may_go_on: Callable[[], bool]
    monitor: Monitor
    n_checks: int = 0
    best: Levels | None = None
    best_loss: float = np.inf
    bound: float = field(init=False)
    is_minimal: bool = False

    def __post_init__(self) -> None:
        low, high = self.lattice.minimum, self.lattice.maximum
        self.costs = [
            np.asarray(each[a : b + 1], np.float64)
            for each, a, b in zip(self.losses, low, high, strict=True)
        ]
        self.top = tuple(size - 1 for size in self.lattice.sizes)
        self.bound = self.start = self.loss_of((0,) * len(self.top))
        shape = (0, len(self.top))
        self.failing: Int32Array = np.empty(shape, np.int32)
        self.meeting: Int32Array = np.empty(shape, np.int32)
        self.open: FloatArray | None = None

    def run(self) -> LeastLoss:
        """Search until the best is proven, or enough nodes were looked at."""
        try:
            if self.check(self.top):
                self._improve()
                self.prove()
        except _Enough:
            pass
        node = None if self.best is None else self.lattice.node(self.levels(self.best))
        # Nobody loses less than the best that is known, once that is proven.
        bound = min(self.bound, self.best_loss)
        return LeastLoss(node, self.best_loss, bound, self.is_minimal, self.n_checks)

    def levels(self, steps: Levels) -> Levels:
        """Level vector of a node."""
        return tuple(a + s for a, s in zip(self.lattice.minimum, steps, strict=True))

    def loss_of(self, steps: Levels) -> float:
        """Sum of the losses, in the order of the attributes."""
        total = 0.0
        for each, step in zip(self.costs, steps, strict=True):
            total += float(each[step])
        return total

    def check(self, node: Levels) -> bool:
        """Whether a node is a solution; what follows from others is not looked at."""
        own = np.array(node, np.int32)
        if bool((own <= self.failing).all(axis=1).any()):
            return False
        if not bool((own >= self.meeting).all(axis=1).any()):
            if not self.may_go_on():
                raise _Enough
            self.monitor.report(self.done(), f"checks {self.n_checks}")
            self.n_checks += 1
            if not self.is_solution(self.levels(node)):
                self.failing = _with(self.failing, own, self.failing <= own)
                if self.open is not None:
                    self.open[tuple(slice(0, step + 1) for step in node)] = np.inf
                return False
            self.meeting = _with(self.meeting, own, self.meeting >= own)
        loss = self.loss_of(node)
        if (loss, node) < (self.best_loss, self.best or node):
            self.best, self.best_loss, self.is_minimal = node, loss, False
        return True

    def done(self) -> float:
        """How near the bound is to the best that is known."""
        if self.best is None or self.open is None:
            return 0.0
        room = self.best_loss - self.start
        return 1.0 if room <= 0 else (self.bound - self.start) / room

    def lower(self, node: Levels) -> Levels:
        """Lower a solution, dear attributes first, until nothing below is one."""
        dear = [-float(c[s] - c[0]) for c, s in zip(self.costs, node, strict=True)]
        for place in np.argsort(dear, kind="stable").tolist():
            node = self._last(node, place, range(node[place] - 1, -1, -1), True)
        return node

    def raise_(self, node: Levels) -> Levels:
        """Raise a node that fails, cheap attributes first, as far as it fails."""
        cheap = [float(c[-1] - c[s]) for c, s in zip(self.costs, node, strict=True)]
        for place in np.argsort(cheap, kind="stable").tolist():
            steps = range(node[place] + 1, self.top[place] + 1)
            node = self._last(node, place, steps, False)
        return node

    def _last(self, node: Levels, place: int, steps: range, wanted: bool) -> Levels:
        """Move one attribute as far as nodes are solutions, or are none.

        PERF: the farthest is asked first, since an attribute often decides nothing.
        """
        low, high = 0, len(steps)
        ask = high
        while low < high:
            moved = (*node[:place], steps[ask - 1], *node[place + 1 :])
            if self.check(moved) == wanted:
                low = ask
            else:
                high = ask - 1
            ask = (low + high + 1) // 2
        return node if low == 0 else (*node[:place], steps[low - 1], *node[place + 1 :])

    def prove(self) -> None:
        """Look at what loses least, again and again, until it is a solution."""
        if self.lattice.n_nodes > MOST_NODES:
            raise _Enough
        self.open = np.zeros(())
        for each in self.costs:
            self.open = np.add.outer(self.open, each)
        for failing in self.failing.tolist():
            self.open[tuple(slice(0, step + 1) for step in failing)] = np.inf
        while True:
            number = int(np.argmin(self.open))
            self.bound = float(self.open.flat[number])
            if self.bound >= self.best_loss:
                self._improve()
                return
            node = tuple(int(n) for n in np.unravel_index(number, self.open.shape))
            if self.check(node):
                # What is below it loses less, or was looked at before: it fails.
                self.is_minimal = True
                return
            self.raise_(node)
            self._improve()

    def _improve(self) -> None:
        """Lower the best solution that is known, if that was not done."""
        if self.best is not None and not self.is_minimal:
            self.lower(self.best)
            self.is_minimal = True


def _with(known: Int32Array, node: Int32Array, implied: BoolArray) -> Int32Array:
    """Add a node to those that are known, without those that follow from it."""
    left = known[~implied.all(axis=1)]
    return np.concatenate([left, node[None]])
