"""How much noise is left when counts tell about each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.monitor import NULL_MONITOR, Monitor

ENOUGH = 0.8
"""An effective sigma below this share of the nominal one is a finding (D.5)."""

_FEW, _AT_ONCE = 300, 2_000

Equation = Sequence[tuple[int, float]]
"""Terms (place of a count, factor) of a sum that is zero for the true counts."""


@dataclass(frozen=True)
class BestEstimate:
    """What the best linear unbiased estimate knows of every count.

    Parameters
    ----------
    values : ndarray of float64
        Estimated counts; they meet all equations.
    sd : ndarray of float64
        Standard deviation of each: the effective sigma.
    """

    values: FloatArray
    sd: FloatArray

    def weakened(self, nominal: FloatArray) -> BoolArray:
        """Which counts are known with less than 80 % of their nominal sigma."""
        return (nominal > 0) & (self.sd < ENOUGH * nominal)


def best_estimate(
    counts: FloatArray,
    sd: FloatArray,
    equations: Sequence[Equation],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> BestEstimate:
    """Estimate every count from all counts and the equations between them.

    Parameters
    ----------
    counts, sd : ndarray of float64, shape (n,)
        Published counts, and of each the standard deviation of its noise, which is
        independent of that of the others; 0 for a count without noise.
    equations : sequence of Equation
        Hold for the true counts. Equations that follow from others do no harm.

    Returns
    -------
    BestEstimate

    Notes
    -----
    With V the diagonal of the variances and A the equations, the estimate is
    y - V Aᵀ (A V Aᵀ)⁺ A y with covariance V - V Aᵀ (A V Aᵀ)⁺ A V (generalized least
    squares under constraints), by connected component. It knows nothing of the counts'
    being whole and not negative, which small counts tell besides.

    References
    ----------
    .. [1] methods.md D.5: a part of m parts with a total, all fuzzed, has variance
       sigma² m/(m + 1); a count in r tables sigma²/r.
    """
    values, variance = counts.astype(np.float64), sd.astype(np.float64) ** 2
    left = variance.copy()
    groups = _components(len(counts), equations)
    for place, group in enumerate(groups):
        monitor.report(place / len(groups), "estimate")
        cells, matrix = _matrix(group)
        spread = matrix * variance[cells]
        inverse = _inverse(spread @ matrix.T)
        values[cells] -= spread.T @ (inverse @ (matrix @ counts[cells]))
        for start in range(0, len(cells), _AT_ONCE):
            part = spread[:, start : start + _AT_ONCE]
            known = np.einsum("ji,ji->i", part, inverse @ part)
            left[cells[start : start + _AT_ONCE]] -= known
    monitor.report(1.0, "estimate")
    return BestEstimate(values, np.sqrt(np.maximum(left, 0.0)))


def _inverse(spread: FloatArray) -> FloatArray:
    """Pseudo-inverse of a matrix of covariances; an approximate one of large ones.

    PERF: equations that follow from others make it singular. A ridge of 1e-10 of its
    size changes what is left by a millionth at most and is six times as fast.
    """
    size = len(spread)
    if size <= _FEW:
        return np.asarray(np.linalg.pinv(spread, rcond=1e-10, hermitian=True))
    ridge = 1e-10 * float(np.trace(spread)) / size
    return np.asarray(np.linalg.inv(spread + ridge * np.eye(size)))


def _matrix(equations: Sequence[Equation]) -> tuple[IntArray, FloatArray]:
    """Cells of some equations, and their factors as a matrix."""
    cells = np.unique([cell for each in equations for cell, _ in each])
    matrix = np.zeros((len(equations), len(cells)))
    for row, each in enumerate(equations):
        for cell, factor in each:
            matrix[row, np.searchsorted(cells, cell)] += factor
    return cells.astype(np.int64), matrix


def _components(n: int, equations: Sequence[Equation]) -> list[list[Equation]]:
    """Equations by groups that share no count."""
    root = list(range(n))

    def find(cell: int) -> int:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for each in equations:
        for cell, _ in each[1:]:
            root[find(cell)] = find(each[0][0])
    found: dict[int, list[Equation]] = {}
    for each in equations:
        if each:
            found.setdefault(find(each[0][0]), []).append(each)
    return list(found.values())
