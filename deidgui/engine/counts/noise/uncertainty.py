"""Uncertainty of counts with noise, and of what is computed from them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

NORMAL_95 = 1.96
"""Standard deviations on either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Uncertain:
    """A number with the standard deviation of its noise.

    Parameters
    ----------
    sd : float, >= 0
        0 for a number without noise.
    """

    value: float
    sd: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval: value ± 1.96 sd; may begin below zero."""
        return self.value - NORMAL_95 * self.sd, self.value + NORMAL_95 * self.sd


def total(counts: Iterable[Uncertain]) -> Uncertain:
    """Sum of counts whose noise is independent: variances add up (D.5)."""
    every = list(counts)
    return combined(every, [1.0] * len(every))


def difference(one: Uncertain, other: Uncertain) -> Uncertain:
    """Difference of two counts whose noise is independent."""
    return combined((one, other), (1.0, -1.0))


def combined(counts: Sequence[Uncertain], weights: Sequence[float]) -> Uncertain:
    """Weighted sum of counts whose noise is independent."""
    pairs = list(zip(counts, weights, strict=True))
    return Uncertain(
        math.fsum(weight * each.value for each, weight in pairs),
        math.sqrt(math.fsum((weight * each.sd) ** 2 for each, weight in pairs)),
    )


def ratio(part: Uncertain, whole: Uncertain) -> Uncertain | None:
    """Ratio of two counts whose noise is independent.

    Returns
    -------
    Uncertain or None
        None where the denominator is less than three standard deviations from zero:
        the linear formula says nothing there.

    Notes
    -----
    sd² = (sd_part² + ratio² sd_whole²)/whole², which is the D.5 formula
    p·√((σ_A/A)² + (σ_B/B)²) and holds for a part of zero as well.
    """
    if whole.value <= 3 * whole.sd or not whole.value:
        return None
    share = part.value / whole.value
    sd = math.hypot(part.sd, share * whole.sd) / whole.value
    return Uncertain(share, sd)
