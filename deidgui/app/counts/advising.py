"""How much noise suits a network, and how long averaging it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deidgui.engine.counts.noise.advice import SIGMAS, crossover
from deidgui.engine.counts.noise.distribution import (
    NoiseTable,
    floored_gaussian,
    rounded_gaussian,
)
from deidgui.engine.counts.noise.repeats import (
    Repeats,
    answers_for,
    exact_repeats,
    simulated_repeats,
)
from deidgui.engine.counts.noise.rules import NoiseRule, RoundedGaussian, SasCompatible
from deidgui.engine.counts.noise.uncertainty import NORMAL_95
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import share_text, tr


def reach_of(rule: NoiseRule) -> int:
    """Return k so that at least 95 % of the noise is from -k to k.

    Computed from the chances themselves; about the mean, where that is not zero.
    """
    values, chances = rule.chances()
    away = np.abs(values - round(float(values @ chances)))
    order = np.argsort(away, kind="stable")
    reached = int(np.searchsorted(np.cumsum(chances[order]), 0.95))
    return int(away[order[min(reached, len(order) - 1)]])


def noise_table(rule: NoiseRule) -> NoiseTable:
    """Return the distribution of a rule's noise, to be drawn from.

    Of the SAS-compatible mode that before rounding to 5.
    """
    if isinstance(rule, RoundedGaussian):
        return rounded_gaussian(rule.sigma)
    if isinstance(rule, SasCompatible):
        return floored_gaussian(rule.sigma)
    values, chances = rule.chances()
    reaches = 2 * np.cumsum(chances[values > 0][::-1])[::-1]
    return NoiseTable(tuple(reaches[reaches >= 2.0**-63].tolist()))


# -- averaging attack ------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Averaging:
    """Simulated averaging attacks on a rule, and what is expected exactly.

    Parameters
    ----------
    rule : NoiseRule
        Attacked as if its noise were fresh each time.
    """

    rule: NoiseRule
    simulated: Repeats
    exact: Repeats


def attack(rule: NoiseRule, runs: int, *, monitor: Monitor = NULL_MONITOR) -> Averaging:
    """Simulate averaging attacks on a rule.

    Parameters
    ----------
    runs : int
        Attackers.
    """
    table = noise_table(rule)
    simulated = simulated_repeats(table, runs, monitor=SubMonitor(monitor, 0.0, 0.5))
    exact = exact_repeats(table, monitor=SubMonitor(monitor, 0.5, 1.0))
    return Averaging(rule, simulated, exact)


# -- sigma for a wanted number of repeats ----------------------------------------------


@lru_cache(maxsize=64)
def _exact(sigma: float) -> Repeats:
    return exact_repeats(rounded_gaussian(sigma))


def repeats_by_sigma(*, monitor: Monitor = NULL_MONITOR) -> Mapping[float, Repeats]:
    """Compute exactly how long averaging takes, for every sigma that is compared."""
    found: dict[float, Repeats] = {}
    for place, sigma in enumerate(SIGMAS):
        monitor.report(place / len(SIGMAS), "sigma")
        found[sigma] = _exact(sigma)
    monitor.report(1.0, "sigma")
    return found


def least_sigma(found: Mapping[float, Repeats], wanted: float) -> float | None:
    """Return the smallest sigma that takes so many repeats; None if none does."""
    enough = (each for each in sorted(found) if found[each].mean >= wanted)
    return next(enough, None)


def sigma_rows(
    found: Mapping[float, Repeats], allowed: int
) -> Iterator[tuple[str, str, str, str, str]]:
    """Give a row of texts for every sigma.

    Returns
    -------
    iterator of tuple of str
        Sigma; average repeats; repeats of half of the attackers; share of attackers
        who have the count after the allowed repeats; answers whose mean is within ½
        with a chance of 95 %.
    """
    for sigma in sorted(found):
        each = found[sigma]
        yield (
            f"{sigma:g}",
            f"{each.mean:.1f}",
            f"{each.quantile(0.5)}",
            share_text(each.within(allowed)),
            f"{answers_for(sigma):.0f}",
        )


# -- threshold or noise ----------------------------------------------------------------


def network_words(
    rule: NoiseRule, average: float, sites: int, threshold: int
) -> tuple[str, ...]:
    """Say which of threshold and noise suits a network.

    Parameters
    ----------
    average : float
        Count of a site, on average.
    threshold : int
        That would mask counts from 1 to below it.
    """
    expected, sd = average * sites, rule.sigma * sites**0.5
    start = crossover(rule.sigma, average)
    found = [
        tr(
            "The sum over {n:site|sites} is {sum} on average; its noise has a standard "
            "deviation of {sd} (95\u202f% within ±{reach}).",
            n=sites,
            sum=f"{expected:g}",
            sd=f"{sd:.1f}",
            reach=f"{NORMAL_95 * sd:.1f}",
        )
    ]
    if sites > start:
        found.append(
            tr("Noise is preferable: the sum is larger than the noise of the sum.")
        )
    else:
        found.append(
            tr(
                "A threshold is preferable: the sum is not larger than its noise. "
                "Noise is preferable from {n:site|sites} on.",
                n=int(start) + 1,
            )
        )
    if average < threshold:
        found.append(
            tr(
                "A threshold of {threshold} masks counts like these: all that is known "
                "of the sum is {low} to {high}.",
                threshold=threshold,
                low=sites,
                high=sites * (threshold - 1),
            )
        )
    else:
        found.append(
            tr(
                "A threshold of {threshold} masks only the sites that are below the "
                "average by much; the sum of the visible counts is too low by theirs.",
                threshold=threshold,
            )
        )
    return tuple(found)
