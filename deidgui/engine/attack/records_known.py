"""Attack 1 on people of one record each: everything about them is known.

Each run takes a person, looks for every released record that can be theirs, and points
at one of them by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.attack.successes import Successes
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

PART = 10_000
"""Runs between two looks at whether to go on."""


@dataclass(eq=False)
class RecordsKnown:
    """The attack on a release, from what is true of each person.

    Parameters
    ----------
    values : sequence of ndarray of int, each of shape (n_kinds,)
        By round of the policy, a number for everything that the round would release
        of a person: equal for people who would be released alike. One round for a
        policy without local recoding.
    round_of : ndarray of int, shape (n_kinds,)
        Round that releases these people; -1 if they are suppressed.
    counts : ndarray of int64, shape (n_kinds,), each >= 1
        People of each kind: their original values are the same.
    fraction : float in (0, 1]
        Chance that somebody whom the attacker looks for is in the data.

    Raises
    ------
    ConfigError
        Codes ``sampling_fraction`` and ``nobody_there``.
    """

    values: tuple[AnyArray, ...]
    round_of: AnyArray
    counts: IntArray
    fraction: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 1:
            raise ConfigError("sampling_fraction", fraction=self.fraction)
        if not len(self.counts):
            raise ConfigError("nobody_there")

    @cached_property
    def _is_released(self) -> BoolArray:
        return np.asarray(self.round_of >= 0)

    @cached_property
    def n_fitting(self) -> IntArray:
        """Released records that can be those of each kind of people.

        Returns
        -------
        ndarray of int64, shape (n_kinds,)
            0 if the release has none of them.
        """
        found = np.zeros(len(self.counts), np.int64)
        for number, values in enumerate(self.values):
            there = self.round_of == number
            size = int(values.max(initial=0)) + 1
            sizes = np.bincount(values[there], self.counts[there], size)
            found += sizes[values].astype(np.int64)
        return found

    def simulate(
        self, n_runs: int, seed: int, *, monitor: Monitor = NULL_MONITOR
    ) -> Successes:
        """Attack some people by chance.

        Parameters
        ----------
        n_runs : int, >= 1
        seed : int, >= 0

        References
        ----------
        .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "Attack 1"; methods.md E.8.
        """
        chance = np.random.default_rng(seed)
        ends, n_successes = np.cumsum(self.counts), 0
        for done in range(0, n_runs, PART):
            monitor.report(done / n_runs, f"attacks {done}")
            n = min(PART, n_runs - done)
            people = chance.integers(int(ends[-1]), size=n)
            is_there = chance.random(n) < self.fraction
            kinds = np.searchsorted(ends, people, side="right")
            # The person is one of those who fit: which one is no matter.
            pointed = np.floor(chance.random(n) * self.n_fitting[kinds])
            right = is_there & self._is_released[kinds] & (pointed == 0)
            n_successes += int(right.sum())
        return Successes.of(n_successes, n_runs)

    def expected(self) -> float:
        """Compute the probability of success.

        Returns
        -------
        float in [0, 1]

        References
        ----------
        .. [1] methods.md E.8: α times the mean over people of 1{i in E} / |E|.
        """
        there = self._is_released
        found = (self.counts[there] / self.n_fitting[there]).sum()
        return float(self.fraction * found / self.counts.sum())
