"""In which values, records and risks do two policies differ?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.risk import RiskMeasure

TIE = 1e-9
"""Logarithms of areas that differ by less are those of equal areas."""


@dataclass(frozen=True)
class Comparison:
    """What two policies do differently.

    Parameters
    ----------
    attributes : tuple of str
    n_values : tuple of int
        By attribute, values that are released differently.
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


def compare(measure: RiskMeasure, left: BitPolicy, right: BitPolicy) -> Comparison:
    """Compare two policies value by value and record by record.

    Parameters
    ----------
    measure : RiskMeasure
    left, right : BitPolicy
        Of its space.

    Returns
    -------
    Comparison
    """
    cells = measure.cells
    differs = [
        _differs(*groups) for groups in zip(left.groups, right.groups, strict=True)
    ]
    of_cell = np.stack(
        [each[cells.values[:, place]] for place, each in enumerate(differs)], axis=1
    )
    areas = [_log_areas(policy, cells.values) for policy in (left, right)]
    finer = areas[0] - areas[1]

    def n_records(chosen: BoolArray) -> int:
        return int(cells.records[chosen].sum())

    return Comparison(
        measure.space.attributes,
        tuple(int(each.sum()) for each in differs),
        tuple(n_records(column) for column in of_cell.T),
        n_records(np.asarray(of_cell.any(axis=1))),
        n_records(finer < -TIE),
        n_records(finer > TIE),
        (measure.risk(left.bits), measure.risk(right.bits)),
    )


def _differs(left: Int32Array, right: Int32Array) -> BoolArray:
    """Which values are not in the same run in both."""
    ends = []
    for groups in (left, right):
        last = np.cumsum(np.bincount(groups)) - 1
        first = np.concatenate([[0], last[:-1] + 1])
        ends.append((first[groups], last[groups]))
    (a, b), (c, d) = ends
    return np.asarray((a != c) | (b != d), dtype=np.bool_)


def _log_areas(policy: BitPolicy, values: Int32Array) -> FloatArray:
    """Logarithm of the combinations that each combination is released as."""
    found: FloatArray = np.sum(
        [
            np.log(np.bincount(groups)[groups])[values[:, place]]
            for place, groups in enumerate(policy.groups)
        ],
        axis=0,
    )
    return found
