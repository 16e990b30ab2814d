"""Averaging attack: how often a question with fresh noise must be repeated.

References
----------
.. [1] S. N. Murphy, H. C. Chueh (2002), A security architecture for query tools used to
   access large biomedical databases, Proc AMIA Symp 552.
.. [2] methods.md D.6. Neither publication says when an average "has converged". Six
   means in a row within ½ of the count give both published numbers (12.3, about 24).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.counts.noise.distribution import NoiseTable, fresh_words
from deidgui.monitor import NULL_MONITOR, Monitor

IN_A_ROW = 6
"""So many running means, one after the other, are within ½ of the true count."""

_MOST_STEPS = 20_000
_LEFT_OVER = 1e-5
_FEW = 200
_STEPS_AT_ONCE = 32


@dataclass(frozen=True)
class Repeats:
    """Repeats until the running mean of the answers has settled on the count.

    Parameters
    ----------
    chances : ndarray of float64, shape (most + 1,)
        Chance (or share of the simulated attacks) of every number of repeats; the
        first question is no repeat.
    runs : int or None
        Simulated attacks; None if computed exactly.
    """

    chances: FloatArray
    runs: int | None = None

    @property
    def mean(self) -> float:
        """Average repeats."""
        return float(np.arange(len(self.chances)) @ self.chances)

    @property
    def standard_error(self) -> float:
        """Of the mean of the simulated attacks; 0 if exact."""
        if self.runs is None:
            return 0.0
        away = (np.arange(len(self.chances)) - self.mean) ** 2
        return math.sqrt(float(away @ self.chances) / self.runs)

    def quantile(self, share: float) -> int:
        """Fewest repeats after which at least this share of attackers has settled."""
        reached = np.searchsorted(np.cumsum(self.chances), share - 1e-12)
        return min(int(reached), len(self.chances) - 1)

    def within(self, repeats: int) -> float:
        """Chance that an attacker has settled after at most so many repeats."""
        return float(self.chances[: max(0, repeats + 1)].sum())


def exact_repeats(
    noise: NoiseTable, *, in_a_row: int = IN_A_ROW, monitor: Monitor = NULL_MONITOR
) -> Repeats:
    """Compute the distribution of repeats by convolution.

    Notes
    -----
    State after n answers: the sum of their noise, and how many of the last means were
    within ½. One answer convolves the sums with the noise. What is left when it is
    less than 1e-5 settles from there on at the rate of the last step, which is
    constant by then. A bias is known to an attacker and taken off.
    """
    values, kernel = _narrow(noise)
    settled: list[float] = []
    states = np.zeros((in_a_row, 1))
    states[0, 0] = 1.0
    low, n, left = 0, 0, 1.0
    while left > _LEFT_OVER and n < _MOST_STEPS:
        n += 1
        monitor.report(min(0.99, n / 2_000), "convolution")
        states, low = _convolved(states, kernel), low + int(values[0])
        away = np.abs(low + np.arange(states.shape[1]) - n * noise.mean)
        is_near = away <= n / 2 + 1e-9
        after = np.zeros_like(states)
        after[1:, is_near] = states[:-1, is_near]
        after[0, ~is_near] = states[:, ~is_near].sum(axis=0)
        settled.append(float(states[-1, is_near].sum()))
        states, low = _trimmed(after, low)
        left = float(states.sum())
    monitor.report(1.0, "convolution")
    return Repeats(np.array([*settled, *_tail(settled[-1], left)]))


def _narrow(noise: NoiseTable) -> tuple[IntArray, FloatArray]:
    """Noise without values of chances below 1e-14."""
    values, chances = noise.chances()
    kept = np.flatnonzero(chances > 1e-14)
    inside = slice(int(kept[0]), int(kept[-1]) + 1)
    return values[inside], chances[inside] / chances[inside].sum()


def _convolved(states: FloatArray, kernel: FloatArray) -> FloatArray:
    """Distribution of the sums after one more answer, for each state."""
    size = states.shape[1] + len(kernel) - 1
    if size < _FEW:
        return np.stack([np.convolve(row, kernel) for row in states])
    length = 1 << (size - 1).bit_length()
    both = np.fft.rfft(states, length) * np.fft.rfft(kernel, length)
    return np.maximum(np.fft.irfft(both, length)[:, :size], 0.0)


def _trimmed(states: FloatArray, low: int) -> tuple[FloatArray, int]:
    """Without sums at both ends that hardly ever come."""
    kept = np.flatnonzero(states.sum(axis=0) > 1e-14)
    if not len(kept):
        return states[:, :1] * 0, low
    return states[:, kept[0] : kept[-1] + 1], low + int(kept[0])


def _tail(last: float, left: float) -> FloatArray:
    """Chances of further numbers of repeats at a constant rate."""
    if left <= 0 or last <= 0:
        return np.zeros(0)
    rate = min(0.999, last / (last + left))
    n = max(1, math.ceil(math.log(_LEFT_OVER**2 / left) / math.log1p(-rate)))
    found: FloatArray = left * rate * (1 - rate) ** np.arange(n, dtype=np.float64)
    return found * (left / float(found.sum()))


def simulated_repeats(
    noise: NoiseTable,
    runs: int,
    *,
    seed: int | None = None,
    in_a_row: int = IN_A_ROW,
    monitor: Monitor = NULL_MONITOR,
) -> Repeats:
    """Let attackers repeat a question and count their repeats.

    Parameters
    ----------
    runs : int
        Simulated attacks.
    seed : int or None
        Makes the attacks repeatable; None draws them from the operating system.
    """
    generator = None if seed is None else np.random.default_rng(seed)
    found = np.zeros(runs, np.int64)
    active = np.arange(runs)
    sums, streaks = np.zeros(runs), np.zeros(runs, np.int64)
    n = 0
    while len(active) and n < _MOST_STEPS:
        monitor.report(1 - len(active) / runs, "attacks")
        size = (_STEPS_AT_ONCE, len(active))
        drawn = noise.from_words(_words(size, generator)) - noise.mean
        is_done = np.zeros(len(active), np.bool_)
        for step in drawn:
            n += 1
            sums += step
            streaks = np.where(np.abs(sums) <= n / 2 + 1e-9, streaks + 1, 0)
            ends = (streaks == in_a_row) & ~is_done
            found[active[ends]] = n - 1
            is_done |= ends
        active, sums, streaks = active[~is_done], sums[~is_done], streaks[~is_done]
    found[active] = n - 1
    monitor.report(1.0, "attacks")
    return Repeats(np.bincount(found) / runs, runs)


def _words(size: tuple[int, int], generator: np.random.Generator | None) -> AnyArray:
    if generator is None:
        return fresh_words(size[0] * size[1]).reshape(size)
    return generator.integers(0, 2**64, size, np.uint64)


def answers_for(sigma: float, chance: float = 0.95) -> float:
    """Answers whose mean is within ½ of the count with a chance; (1.96 sigma/½)²."""
    return (NormalDist().inv_cdf((1 + chance) / 2) * sigma / 0.5) ** 2
