"""The experiment of the published paper, on any data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.discover.bps import WEIGHTED, Weights, bisecting_search
from deidgui.engine.discover.directed import directed_search
from deidgui.engine.discover.results import Discovery
from deidgui.engine.discover.rules import Rule
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True, eq=False)
class Experiment:
    """BPS and directed search side by side.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 3.2; methods.md A.8.
    """

    bps: Discovery
    directed: Discovery

    @property
    def node_ratio(self) -> float:
        """Nodes that directed search needs for one of BPS (figure 9)."""
        return float(self.directed.n_asked.sum() / self.bps.n_asked.sum())

    @property
    def time_ratio(self) -> float:
        """Seconds that directed search needs for one of BPS (table 2)."""
        return float(self.directed.seconds.sum() / self.bps.seconds.sum())

    @property
    def difference(self) -> Difference:
        """Whether BPS is faster by more than chance (table 2)."""
        return compared(self.directed.seconds, self.bps.seconds)


@dataclass(frozen=True)
class Difference:
    """Difference of two means.

    Parameters
    ----------
    t : float
        Welch's statistic.
    freedom : float
        Its degrees of freedom.
    p : float in [0, 1]
        Two-sided, from the normal distribution: for many iterations.
    """

    t: float
    freedom: float
    p: float


@dataclass(frozen=True)
class LogTrend:
    """The line a + b ln x through some numbers y_1, y_2, ...

    Parameters
    ----------
    r_squared : float in [0, 1]
        Share of the variance that it explains (figure 7).
    """

    a: float
    b: float
    r_squared: float


def run_experiment(
    rule: Rule,
    n_iterations: int = 100,
    *,
    seed: int = 0,
    weights: Weights = WEIGHTED,
    monitor: Monitor = NULL_MONITOR,
) -> Experiment:
    """Search with both methods, each without knowing what the other has seen.

    Parameters
    ----------
    n_iterations : int, >= 1
    seed : int, >= 0
    weights : Weights, optional
        Of BPS.

    Raises
    ------
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least) or
        ``no_policy_meets_models``.
    ConfigError
        Code ``discovery_iterations`` (found).
    """
    return Experiment(
        bisecting_search(
            rule,
            n_iterations,
            seed=seed,
            weights=weights,
            monitor=SubMonitor(monitor, 0.0, 0.2),
        ),
        directed_search(
            rule, n_iterations, seed=seed, monitor=SubMonitor(monitor, 0.2, 1.0)
        ),
    )


def compared(left: FloatArray, right: FloatArray) -> Difference:
    """Compare two means by Welch's t-test.

    Parameters
    ----------
    left, right : ndarray of float64, each of 2 numbers or more

    Returns
    -------
    Difference
        NaN where nothing varies.
    """
    parts = [float(np.var(each, ddof=1)) / len(each) for each in (left, right)]
    total = sum(parts)
    if total == 0:
        return Difference(math.nan, math.nan, math.nan)
    t = float(left.mean() - right.mean()) / math.sqrt(total)
    freedom = total**2 / sum(
        part**2 / (len(each) - 1)
        for part, each in zip(parts, (left, right), strict=True)
    )
    return Difference(t, freedom, 2 * NormalDist().cdf(-abs(t)))


def log_trend(numbers: FloatArray | IntArray) -> LogTrend:
    """Fit a + b ln x by least squares, x from 1 on.

    Parameters
    ----------
    numbers : ndarray, shape (n,), n >= 2

    Returns
    -------
    LogTrend
        R² is 0 where nothing varies.
    """
    y = np.asarray(numbers, dtype=np.float64)
    x = np.log(np.arange(1, len(y) + 1))
    b = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    a = float(y.mean() - b * x.mean())
    spread = float(((y - y.mean()) ** 2).sum())
    left = float(((y - a - b * x) ** 2).sum())
    return LogTrend(a, b, 1 - left / spread if spread > 0 else 0.0)
