"""What simulated attacks come to: a share of successes with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Successes:
    """What simulated attacks came to.

    Parameters
    ----------
    low, high : float in [0, 1]
        Interval of 95 % of the probability of success.
    """

    n_runs: int
    n_successes: int
    low: float
    high: float

    @classmethod
    def of(cls, n_successes: int, n_runs: int) -> Successes:
        """Return the successes of some runs with Wilson's interval.

        Parameters
        ----------
        n_successes : int, in [0, n_runs]
        n_runs : int, >= 1

        References
        ----------
        .. [1] E. Wilson (1927), *Probable inference, the law of succession, and
           statistical inference*, J. Am. Stat. Assoc. 22:209-212.
        """
        square = 1.959964**2
        middle = (n_successes + square / 2) / (n_runs + square)
        variance = n_successes * (1 - n_successes / n_runs) + square / 4
        half = math.sqrt(square * variance) / (n_runs + square)
        low, high = max(0.0, middle - half), min(1.0, middle + half)
        share = n_successes / n_runs
        # Floats may leave out the share itself where none or all succeed.
        return cls(
            n_successes=n_successes,
            n_runs=n_runs,
            low=min(low, share),
            high=max(high, share),
        )

    @property
    def share(self) -> float:
        """Share of the runs that succeeded."""
        return self.n_successes / self.n_runs
