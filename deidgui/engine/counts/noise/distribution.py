"""How noise on counts is distributed, and how it is drawn exactly so."""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray

USUAL_SIGMA = 2.5
"""Standard deviation of Klann et al. A person decides; this is where they start."""

_BITS = 63


@dataclass(frozen=True)
class NoiseTable:
    """Distribution of an integer noise that is symmetric about a centre.

    Parameters
    ----------
    reaches : tuple of float
        Chance that the noise lies at least 1, 2, 3, … steps from where it starts:
        strictly falling, and so long that what is left out is less than 2**-63.
    centre : float
        0: it starts at 0 and both signs share that start. -0.5: it starts at 0 upwards
        and at -1 downwards.

    Notes
    -----
    A draw needs 64 random bits: one is the sign, 63 the distance by inversion. No
    random number is rounded to a float on its way, so the chance of every value is
    that of the table to within 2**-63.
    """

    reaches: tuple[float, ...]
    centre: float = 0.0

    @cached_property
    def _limits(self) -> AnyArray:
        limits = [int(math.ldexp(each, _BITS)) for each in reversed(self.reaches)]
        return np.array(limits, np.uint64)

    @cached_property
    def _at_distance(self) -> FloatArray:
        """Chance of every distance."""
        return -np.diff(np.array([1.0, *self.reaches, 0.0]))

    @property
    def mean(self) -> float:
        """Expected value: the centre."""
        return self.centre

    @cached_property
    def variance(self) -> float:
        """Expected square of the distance from the centre."""
        away = np.arange(len(self._at_distance)) - self.centre
        return float((away**2) @ self._at_distance)

    def chances(self) -> tuple[IntArray, FloatArray]:
        """Every value that can come, ascending, and its chance."""
        up = self._at_distance / 2
        if self.centre:
            values = np.arange(-len(up), len(up))
            return values, np.concatenate([up[::-1], up])
        values = np.arange(1 - len(up), len(up))
        return values, np.concatenate([up[:0:-1], [2 * up[0]], up[1:]])

    def from_words(self, words: AnyArray) -> IntArray:
        """Noise of random words.

        Parameters
        ----------
        words : ndarray of uint64
            Uniform and independent.
        """
        uniform = words >> np.uint64(1)
        n_above = len(self._limits) - np.searchsorted(
            self._limits, uniform, side="right"
        )
        distance = n_above.astype(np.int64)
        is_down = (words & np.uint64(1)).astype(np.bool_)
        down = -distance - 1 if self.centre else -distance
        return np.where(is_down, down, distance)


def rounded_gaussian(sigma: float) -> NoiseTable:
    """Return the distribution of round(Z) with Z ~ N(0, sigma²).

    References
    ----------
    .. [1] J. G. Klann et al., The Ad-Hoc Uncertainty Principle of Patient Privacy;
       methods.md D.3: Pr(k) = Φ((k + ½)/σ) - Φ((k - ½)/σ).
    """
    return NoiseTable(_tail(sigma, 0.5))


def floored_gaussian(sigma: float) -> NoiseTable:
    """Return that of floor(Z), which is biased by -½ (D.3, the SAS file)."""
    return NoiseTable(_tail(sigma, 1.0), centre=-0.5)


def _tail(sigma: float, first: float) -> tuple[float, ...]:
    """Pr(|Z| >= first), Pr(|Z| >= first + 1), … as long as 63 bits can tell."""
    found: list[float] = []
    while True:
        reach = math.erfc((first + len(found)) / (sigma * math.sqrt(2)))
        if reach < 2.0**-_BITS:
            return tuple(found)
        found.append(reach)


def rounded_variance(sigma: float) -> float:
    """Variance of round(Z): sigma² + 1/12 but for very small sigma."""
    return rounded_gaussian(sigma).variance


def fresh_words(n: int) -> AnyArray:
    """Random words of the operating system.

    Returns
    -------
    ndarray of uint64, shape (n,)
    """
    # PRIVACY: noise protects people; no other generator is good enough for it.
    return np.frombuffer(secrets.token_bytes(8 * n), np.uint64)
