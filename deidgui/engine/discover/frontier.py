"""Searches policies that no other policy beats in both risk and usefulness."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray
from deidgui.engine.compiled import njit
from deidgui.engine.discover.bit_policy import BitPolicy, key_of
from deidgui.engine.discover.drawing import draw_joins
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.space import Space
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

BUDGET = 20_000
"""Policies evaluated (JAMIA 2015)."""

MOST_MISSES = 100
"""After so many pairs in vain, a chain through the whole lattice is searched."""

IDLE_PAIRS = 5
"""After so many chains between pairs that found no new policy, one follows through the
whole lattice.

With these numbers, 20,000 policies of Adult gave 825 points; with pairs given up at
once 458, with 20 chains 839 in a longer time."""

MOST_IDLE = 50
"""After so many chains without a policy not seen before, the search ends."""


@dataclass(frozen=True)
class Point:
    """A policy with its risk and its loss.

    Parameters
    ----------
    risk : float in [0, 1]
        As a share of the risk of the most specific policy.
    loss : float in [0, 1]
        Information lost, as a share of that of the most general policy.
    """

    policy: BitPolicy
    risk: float
    loss: float


@dataclass(frozen=True, eq=False)
class Frontier:
    """Policies not beaten in both risk and loss.

    Parameters
    ----------
    method : str
        "shs" or "chains".
    points : tuple of Point
        By ascending risk; the loss descends.
    highest_risk : float
        Sum of 1 / g^γ of the most specific policy.
    highest_loss : float
        Bits per record that the most general policy loses.
    n_evaluated : int
        Different policies evaluated.
    n_pruned : int
        Sublattices passed over.
    """

    method: str
    seed: int
    points: tuple[Point, ...]
    highest_risk: float
    highest_loss: float
    n_evaluated: int
    n_pruned: int = 0


DECIMALS = 12
"""Figures are rounded so that equal ones are equal, in whatever order summed up."""


class RiskAndLoss:
    """Evaluates risk and loss of policies, each policy once.

    Parameters
    ----------
    every : RiskMeasure, optional
        Of all records, whose loss is meant, where the risk is about some of them.
    space : Space, optional
        Whose splits are meant; that of the measure if not given.

    Notes
    -----
    The loss is the Kullback-Leibler divergence of the de-identified distribution,
    spread evenly over the values that a class stands for, from the original one:
    Σ_t p(t) log2(p(t) / p'(t)), p'(t) = f / (n · area).

    References
    ----------
    .. [1] Xia, Heatherly, Ding, Li and Malin (2015), *R-U policy frontiers for health
       data de-identification*, JAMIA 22:1029; methods.md A.9.
    """

    def __init__(
        self,
        measure: RiskMeasure,
        every: RiskMeasure | None = None,
        space: Space | None = None,
    ) -> None:
        self.space: Space = space or measure.space
        self._ascent = measure.ascent(with_spread=every is None)
        self._of_every = None if every is None else every.ascent(with_spread=True)
        self._known: dict[bytes, tuple[float, float]] = {}
        records = (every or measure).cells.records
        self._n = int(records.sum())
        self._base = float((records * np.log2(records)).sum())
        every_bit = np.ones(self.space.n_bits, np.bool_)
        self.highest_risk, _ = self._figures(every_bit)
        self.highest_loss = self._figures(~every_bit)[1] or 1.0
        self.restart()

    @property
    def n_evaluated(self) -> int:
        """Different policies evaluated."""
        return len(self._known)

    def restart(self) -> None:
        """Evaluate any policy again."""
        self._ascent.restart()
        if self._of_every is not None:
            self._of_every.restart()

    def of(self, splits: BoolArray) -> tuple[float, float]:
        """Risk and loss of a policy at least as general as the one before.

        Call `restart` before any other.
        """
        key = key_of(splits)
        if key not in self._known:
            self._known[key] = self._evaluate(self.space.bits_of(splits))
            self._ascent.settle()
            if self._of_every is not None:
                self._of_every.settle()
        return self._known[key]

    def exactly(self, bits: BoolArray) -> tuple[float, float]:
        """Sum of the risks, and bits lost per record, of any bits: not rounded."""
        self.restart()
        return self._figures(bits)

    def shares(self, bits: BoolArray) -> tuple[float, float]:
        """Risk and loss of any bits as shares of the highest ones, as of a `Point`."""
        self.restart()
        return self._evaluate(bits)

    def _evaluate(self, bits: BoolArray) -> tuple[float, float]:
        risk, loss = self._figures(bits)
        return (
            round(risk / self.highest_risk, DECIMALS),
            round(loss / self.highest_loss, DECIMALS),
        )

    def _figures(self, bits: BoolArray) -> tuple[float, float]:
        """Sum of the risks, and bits lost per record."""
        figures = lost = self._ascent.evaluate(bits)
        if self._of_every is not None:
            lost = self._of_every.evaluate(bits)
        return figures.risk, max(0.0, (self._base + lost.spread) / self._n)


class FrontierSearch:
    """A search that goes on: the frontier so far and what may still be spent.

    Parameters
    ----------
    budget : int, >= 2
    seed : int, >= 0
    keep : ndarray of bool, shape (n_splits,), optional
        Splits that every policy shall have (see `Space.keeping`).
    """

    def __init__(
        self,
        method: str,
        figures: RiskAndLoss,
        budget: int,
        seed: int,
        on_chain: OnChain,
        monitor: Monitor,
        keep: BoolArray | None = None,
    ) -> None:
        if budget < 2:
            raise ConfigError("discovery_budget", found=budget)
        self.method, self.space = method, figures.space
        self.budget, self.seed = budget, seed
        self.top = self.space.top() if keep is None else keep
        self.bottom = self.space.bottom()
        self.figures, self.stairs = figures, Staircase()
        self._ends = [
            (*self.figures.of(self.bottom), self.bottom),
            (*self.figures.of(self.top), self.top),
        ]
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self._on_chain, self._monitor = on_chain, monitor
        self.n_idle = self.n_pruned = 0
        self._even: FloatArray = np.ones(len(self.top))

    def goes_on(self) -> bool:
        """Whether the budget is not used, and new policies still come."""
        return self.figures.n_evaluated < self.budget and self.n_idle < MOST_IDLE

    def chain(self, low: BoolArray, high: BoolArray) -> None:
        """Evaluate a random chain from `high`, more specific, up to `low`."""
        before = self.figures.n_evaluated
        self.figures.restart()
        among = high & ~low
        n = int(np.count_nonzero(among))
        current = high.copy()
        self._note(current)
        for place in draw_joins(self.space.splits, among, n, self._even, self.rng):
            current = current.copy()
            current[place] = False
            self._note(current)
        self.n_idle = 0 if self.figures.n_evaluated > before else self.n_idle + 1
        self._on_chain(self)

    @property
    def _spent(self) -> float:
        return min(1.0, self.figures.n_evaluated / self.budget)

    def _note(self, splits: BoolArray) -> None:
        self._monitor.report(self._spent, "policies")
        self.stairs.add(*self.figures.of(splits), splits)

    def draw_pair(self, least_free: float) -> tuple[BoolArray, BoolArray] | None:
        """Draw a more general and a more specific policy with room between them.

        Returns None if there is none among `MOST_MISSES` pairs.
        """
        self._monitor.report(self._spent, "policies")
        uniforms = self.rng.random((MOST_MISSES, 2))
        table = self.stairs.table(self._ends)
        low, high, n_misses = draw_pair(*table, len(self.stairs), uniforms, least_free)
        self.n_pruned += n_misses
        found = [*self.stairs.splits, self.bottom, self.top]
        return (found[low], found[high]) if low >= 0 else None

    @property
    def n_evaluated(self) -> int:
        """Different policies evaluated so far."""
        return self.figures.n_evaluated

    def frontier(self) -> Frontier:
        """Return what was found so far."""
        stairs = self.stairs
        points = tuple(
            Point(BitPolicy(self.space, splits), risk, loss)
            for risk, loss, splits in zip(
                stairs.risks, stairs.losses, stairs.splits, strict=True
            )
        )
        return Frontier(
            self.method,
            self.seed,
            points,
            self.figures.highest_risk,
            self.figures.highest_loss,
            self.figures.n_evaluated,
            self.n_pruned,
        )


OnChain = Callable[[FrontierSearch], None]
"""Is told after each chain; it may ask for the frontier so far."""


def ignore_chain(search: FrontierSearch) -> None:
    """Do nothing about a chain that was searched."""


def sublattice_search(
    figures: RiskAndLoss,
    budget: int = BUDGET,
    *,
    seed: int = 0,
    least_free: float = 0.5,
    keep: BoolArray | None = None,
    on_chain: OnChain = ignore_chain,
    monitor: Monitor = NULL_MONITOR,
) -> Frontier:
    """Find a frontier by sublattice heuristic search (SHS).

    Parameters
    ----------
    budget : int, >= 2
        Policies to evaluate; the last chain is finished, so up to as many more as
        there are splits.
    seed : int, >= 0
    least_free : float in [0, 1]
        A sublattice is searched if more than this share of its rectangle of risk and
        loss is not beaten.
    keep : ndarray of bool, shape (n_splits,), optional
        Splits that every policy shall have (see `Space.keeping`).

    Raises
    ------
    ConfigError
        Code ``discovery_budget`` (found).

    Notes
    -----
    Pairs of comparable policies are drawn from the frontier, the most general and the
    most specific policy: first one of them, then one that is comparable with it.

    References
    ----------
    .. [1] Xia et al. (2015); methods.md A.9, whose choices these are.
    """
    search = FrontierSearch("shs", figures, budget, seed, on_chain, monitor, keep)
    search.chain(search.top, search.bottom)
    while search.goes_on():
        may_pair = search.n_idle <= IDLE_PAIRS
        pair = search.draw_pair(least_free) if may_pair else None
        search.chain(*(pair or (search.top, search.bottom)))
    monitor.report(1.0, "policies")
    return search.frontier()


WORD = 8
"""Bytes that are compared at once."""


def _words_of(splits: BoolArray) -> bytes:
    """Splits as whole words."""
    key = key_of(splits)
    return key.ljust(-(-len(key) // WORD) * WORD, b"\0")


class Staircase:
    """The points so far that no other one beats, by ascending risk.

    A point beats another if it is at most as risky and as lossy, and better in one.
    Of equal points the first is kept.
    """

    def __init__(self) -> None:
        self.risks: list[float] = []
        self.losses: list[float] = []
        self.splits: list[BoolArray] = []
        self._keys: list[bytes] = []
        self._table: tuple[AnyArray, FloatArray, FloatArray] | None = None

    def __len__(self) -> int:
        return len(self.risks)

    def add(self, risk: float, loss: float, splits: BoolArray) -> bool:
        """Take note of a policy; return whether it is one of them now."""
        place = bisect_right(self.risks, risk)
        if place and self.losses[place - 1] <= loss:
            return False
        start = bisect_left(self.risks, risk)
        end = start
        while end < len(self.risks) and self.losses[end] >= loss:
            end += 1
        self.risks[start:end] = [risk]
        self.losses[start:end] = [loss]
        self.splits[start:end] = [splits]
        self._keys[start:end] = [_words_of(splits)]
        self._table = None
        return True

    def table(
        self, others: Sequence[tuple[float, float, BoolArray]]
    ) -> tuple[AnyArray, FloatArray, FloatArray]:
        """Return the points as arrays.

        Parameters
        ----------
        others : sequence of tuple
            Risk, loss and splits of policies to append, always the same.

        Returns
        -------
        keys : ndarray of uint64, shape (n_points + n_others, n_words)
        risks, losses : ndarray of float64, shape (n_points + n_others,)
        """
        if self._table is None:
            keys = [*self._keys, *(_words_of(splits) for _, _, splits in others)]
            rows = np.frombuffer(b"".join(keys), np.uint64).reshape(len(keys), -1)
            self._table = (
                rows.copy(),
                np.array([*self.risks, *(risk for risk, _, _ in others)]),
                np.array([*self.losses, *(loss for _, loss, _ in others)]),
            )
        return self._table


@njit
def free_share(
    risks: FloatArray,
    losses: FloatArray,
    left: float,
    right: float,
    low: float,
    high: float,
) -> float:
    """Share of a rectangle that no point beats.

    Parameters
    ----------
    risks, losses : ndarray of float64, shape (n_points,)
        Of a staircase.
    left, right : float
        Lowest and highest risk.
    low, high : float
        Lowest and highest loss.

    Returns
    -------
    float in [0, 1]
        0 if the rectangle is empty.
    """
    if left >= right or low >= high:
        return 0.0
    start = np.searchsorted(risks, left, "right")
    limit = min(high, losses[start - 1]) if start else high
    free, at = 0.0, left
    for place in range(start, len(risks)):
        if risks[place] >= right or limit <= low:
            break
        free += (risks[place] - at) * max(0.0, limit - low)
        at, limit = risks[place], min(limit, losses[place])
    free += (right - at) * max(0.0, limit - low)
    return free / ((right - left) * (high - low))


@njit
def _compared(one: AnyArray, other: AnyArray) -> int:
    """1 if `other` is at least 2 bits more specific, -1 more general, else 0."""
    more = less = 0
    for place in range(len(one)):
        added, lost = other[place] & ~one[place], one[place] & ~other[place]
        if added:
            more += 2 if added & (added - np.uint64(1)) else 1
        if lost:
            less += 2 if lost & (lost - np.uint64(1)) else 1
        if more and less:
            return 0
    if more >= 2:
        return 1
    return -1 if less >= 2 else 0


@njit
def draw_pair(
    keys: AnyArray,
    risks: FloatArray,
    losses: FloatArray,
    n_points: int,
    uniforms: FloatArray,
    least_free: float,
) -> tuple[int, int, int]:
    """Draw comparable policies between which points may still lie.

    Parameters
    ----------
    keys, risks, losses : ndarray
        See `Staircase.table`.
    n_points : int
        How many of them no other one beats; these come first.
    uniforms : ndarray of float64, shape (n_draws, 2), each in [0, 1)
    least_free : float
        Share of the rectangle between both that no point may beat.

    Returns
    -------
    low, high : int
        Numbers of the keys of the more general and the more specific policy; -1 if
        no draw was good.
    n_misses : int
        Pairs that were drawn in vain.
    """
    n = len(keys)
    steps, heights = risks[:n_points], losses[:n_points]
    order = np.empty(n, np.int64)
    for draw in range(len(uniforms)):
        one = int(uniforms[draw, 0] * n)
        found = 0
        for other in range(n):
            if _compared(keys[one], keys[other]) != 0:
                order[found] = other
                found += 1
        if found == 0:
            continue
        other = order[int(uniforms[draw, 1] * found)]
        low, high = one, other
        if _compared(keys[one], keys[other]) < 0:
            low, high = other, one
        share = free_share(
            steps, heights, risks[low], risks[high], losses[high], losses[low]
        )
        if share > least_free:
            return low, high, draw
    return -1, -1, len(uniforms)
