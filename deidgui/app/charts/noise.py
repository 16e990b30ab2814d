"""Noise on counts: how it is spread, how long averaging takes, threshold or noise."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from deidgui.app.charts.base import (
    Axis,
    AxisUnit,
    Guide,
    Histogram,
    LineChart,
    Series,
    SeriesRole,
)
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.counts.noise.advice import threshold_or_noise
from deidgui.engine.counts.noise.network import Network
from deidgui.engine.counts.noise.repeats import Repeats

_RARE = 1e-4
_MOST_BINS = 30


def noise_spread(values: IntArray, chances: FloatArray, sd: float) -> LineChart:
    """Chance of every value that noise adds to a count.

    Parameters
    ----------
    values : ndarray of int64
        As of `NoiseRule.chances`.
    chances : ndarray of float64
    sd : float
        Standard deviation.
    """
    kept = chances >= _RARE
    series = Series(
        Phrase("noise_chance"),
        chances[kept],
        positions=values[kept].astype(np.float64),
    )
    params = {"sd": sd, "reach": 1.96 * sd}
    return LineChart(
        Phrase("noise_spread"),
        Phrase("noise_spread_says", params),
        (series,),
        Axis(Phrase("noise_value"), AxisUnit.NUMBER),
        Axis(Phrase("noise_chance"), AxisUnit.SHARE),
        has_points=True,
    )


def attack_chart(
    simulated: Repeats, exact: Repeats, allowed: int | None = None
) -> Histogram:
    """Share of attackers by the repeats that they need, simulated and exact.

    Parameters
    ----------
    allowed : int, optional
        Repeats that a lockout allows.

    Notes
    -----
    An even number of repeats shares a bin with an odd one: with noise of whole
    numbers they differ in how often they come.
    """
    n = int(np.searchsorted(np.cumsum(exact.chances), 0.99)) + 1
    params: dict[str, float] = {
        "runs": simulated.runs or 0,
        "mean": simulated.mean,
        "error": simulated.standard_error,
        "exact": exact.mean,
        "median": exact.quantile(0.5),
    }
    code = "attacks_say"
    marks: tuple[Guide, ...] = ()
    if allowed is not None:
        code = "attacks_allowed"
        params |= {"allowed": allowed, "known_share": exact.within(allowed)}
        marks = (Guide("x", allowed + 0.5, Phrase("repeats_allowed")),)
        n = max(n, allowed + 2)
    width = 2 * math.ceil(n / (2 * _MOST_BINS))
    n_bins = math.ceil(n / width)
    edges = np.arange(n_bins + 1, dtype=np.float64) * width
    return Histogram(
        Phrase("repeats"),
        Phrase(code, params),
        edges,
        tuple(f"{low:g}\u2013{low + width - 1:g}" for low in edges[:-1].tolist()),
        (
            Series(
                Phrase("attacks_exact"),
                _binned(exact, width, n_bins),
                SeriesRole.BEFORE,
            ),
            Series(
                Phrase("attacks_simulated"),
                _binned(simulated, width, n_bins),
                SeriesRole.AFTER,
            ),
        ),
        Axis(Phrase("repeats_axis"), AxisUnit.COUNT),
        Axis(Phrase("attacks_share"), AxisUnit.SHARE),
        marks=marks,
    )


def _binned(found: Repeats, width: int, n_bins: int) -> FloatArray:
    """Chances of so many repeats at a time."""
    chances = np.zeros(width * n_bins)
    shown = found.chances[: len(chances)]
    chances[: len(shown)] = shown
    binned: FloatArray = chances.reshape(n_bins, width).sum(axis=1)
    return binned


def sigma_chart(
    found: Mapping[float, Repeats], wanted: float | None = None
) -> LineChart:
    """Average repeats by the standard deviation of the noise."""
    sigmas = sorted(found)
    means = np.array([found[each].mean for each in sigmas])
    enough = [s for s in sigmas if wanted is not None and found[s].mean >= wanted]
    sentence = Phrase("sigma_says")
    if wanted is not None:
        params: dict[str, float] = {"wanted": float(wanted)}
        sentence = Phrase("sigma_none", params)
        if enough:
            sentence = Phrase("sigma_enough", {**params, "sigma": enough[0]})
    series = Series(Phrase("repeats_mean"), means, positions=np.array(sigmas))
    marks = () if wanted is None else (Guide("y", wanted, Phrase("repeats_wanted")),)
    return LineChart(
        Phrase("sigma_chart"),
        sentence,
        (series,),
        Axis(Phrase("sigma_axis"), AxisUnit.NUMBER),
        Axis(Phrase("repeats_mean"), AxisUnit.NUMBER),
        has_points=True,
        marks=marks,
    )


def threshold_or_noise_chart(
    sigma: float, average: float, most_sites: int = 30, sites: int | None = None
) -> LineChart:
    """Sum of a network and its noise, over the number of sites (Figure 2).

    Parameters
    ----------
    sites : int, optional
        Of the network in question, which is marked.
    """
    found = threshold_or_noise(sigma, average, most_sites)
    places = found.sites.astype(np.float64)
    code = "network_always" if found.crossover <= 1 else "network_from"
    params = {
        "sigma": float(sigma),
        "average": float(average),
        "sites": int(np.floor(found.crossover)) + 1,
    }
    series = (
        Series(Phrase("network_sum"), found.sums, positions=places),
        Series(
            Phrase("network_noise"),
            found.uncertainty,
            SeriesRole.BEFORE,
            positions=places,
        ),
    )
    return LineChart(
        Phrase("threshold_or_noise"),
        Phrase(code, params),
        series,
        Axis(Phrase("network_sites"), AxisUnit.COUNT),
        Axis(Phrase("network_sum"), AxisUnit.NUMBER),
        marks=() if sites is None else (Guide("x", sites, Phrase("sites_here")),),
    )


def lost_chart(found: Network, threshold: int) -> LineChart:
    """Share of each site's counts that a threshold hides, by the size of the site."""
    order = np.argsort(found.sizes, kind="stable")
    sizes = found.sizes[order].astype(np.float64)
    total, missing = int(found.totals.sum()), int(found.missing.sum())
    share = missing / total if total > 0 else 0.0
    smaller, larger = np.array_split(found.lost[order], 2)
    params: dict[str, int | float | str] = {
        "threshold": threshold,
        "lost_share": share,
        "n": len(sizes),
        "small_share": float(smaller.mean()) if len(smaller) else 0.0,
        "large_share": float(larger.mean()) if len(larger) else 0.0,
    }
    return LineChart(
        Phrase("lost"),
        Phrase("lost_says", params),
        (Series(Phrase("lost_share"), found.lost[order], positions=sizes),),
        Axis(Phrase("lost_size"), AxisUnit.COUNT, is_log=bool((sizes > 0).all())),
        Axis(Phrase("lost_share"), AxisUnit.SHARE),
        has_points=True,
    )
