"""Compares two policies by values, records and risks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array
from deidgui.engine.discover.cells import Cells

TIE = 1e-9
"""Logarithms of areas that differ by less are those of equal areas."""


@dataclass(frozen=True)
class PolicyDifference:
    """What two policies do differently.

    Parameters
    ----------
    n_values : tuple of int
        By attribute, values of the file that are released differently.
    n_records_by_attribute : tuple of int
        By attribute, records with such a value.
    n_records : int
        Records with any such value.
    n_finer_left, n_finer_right : int
        Records that stand for fewer combinations of values in the first policy, or
        in the second.
    risks : tuple of float
        Sum of 1 / g^γ of both.
    """

    attributes: tuple[str, ...]
    n_values: tuple[int, ...]
    n_records_by_attribute: tuple[int, ...]
    n_records: int
    n_finer_left: int
    n_finer_right: int
    risks: tuple[float, float]


def compare_groups(
    cells: Cells,
    left: Sequence[Int32Array],
    right: Sequence[Int32Array],
    risks: tuple[float, float],
) -> PolicyDifference:
    """Compare two ways to release values alike, neighbours or not.

    Parameters
    ----------
    left, right : sequence of ndarray of int32, each of shape (n_values,)
        By attribute, number of what each value is released as.
    risks : tuple of float
        Of both.
    """
    differs = [_differs(*groups) for groups in zip(left, right, strict=True)]
    of_cell = np.stack(
        [each[cells.values[:, place]] for place, each in enumerate(differs)], axis=1
    )
    finer = _log_areas(left, cells.values) - _log_areas(right, cells.values)

    def n_records(chosen: BoolArray) -> int:
        return int(cells.records[chosen].sum())

    return PolicyDifference(
        cells.space.attributes,
        tuple(
            int((each & domain.is_in_file).sum())
            for each, domain in zip(differs, cells.space.domains, strict=True)
        ),
        tuple(n_records(column) for column in of_cell.T),
        n_records(np.asarray(of_cell.any(axis=1))),
        n_records(finer < -TIE),
        n_records(finer > TIE),
        risks,
    )


def _differs(left: Int32Array, right: Int32Array) -> BoolArray:
    """Which values are not together with the same others in both."""
    joint = left.astype(np.int64) * (int(right.max()) + 1) + right
    _, number = np.unique(joint, return_inverse=True)
    both = np.bincount(number)[number]
    alone, other = np.bincount(left)[left], np.bincount(right)[right]
    return np.asarray((alone != both) | (other != both), dtype=np.bool_)


def _log_areas(policy: Sequence[Int32Array], values: Int32Array) -> FloatArray:
    """Logarithm of the combinations that each combination is released as."""
    found: FloatArray = np.sum(
        [
            np.log(np.bincount(groups)[groups])[values[:, place]]
            for place, groups in enumerate(policy)
        ],
        axis=0,
    )
    return found
