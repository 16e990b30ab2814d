"""Which records tell a sensitive value because their whole class shares it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import Distribution
from deidgui.engine.data.table import Column


@dataclass(frozen=True)
class Disclosed:
    """Records whose sensitive value follows from their class.

    Parameters
    ----------
    n_records : int
        In classes of which every record has the same value.
    n_classes : int
        Such classes.
    n_released : int
        Records that are released.
    """

    n_records: int
    n_classes: int
    n_released: int


def fully_disclosed(
    column: Column, class_of_record: Int32Array, is_released: BoolArray
) -> Disclosed:
    """Count the records whose class has one value of a column.

    Parameters
    ----------
    column : Column
        Sensitive, with missing texts marked.
    class_of_record : ndarray of int32, shape (n_records,)
    is_released : ndarray of bool, shape (n_classes,)

    Notes
    -----
    A missing value tells nothing: a class in which all are missing discloses
    nothing, and one beside a value leaves a doubt about it.

    References
    ----------
    .. [1] A. Machanavajjhala et al. (2007), *l-diversity: privacy beyond
       k-anonymity*, ACM TKDD 1(1): the homogeneity attack.
    """
    n_classes = len(is_released)
    # Missing texts are one value, however they are written.
    code_of = np.where(column.is_missing, -1, np.arange(column.n_values))
    codes = code_of.astype(np.int64)[column.codes]
    lowest = np.full(n_classes, column.n_values, dtype=np.int64)
    highest = np.full(n_classes, -1, dtype=np.int64)
    np.minimum.at(lowest, class_of_record, codes)
    np.maximum.at(highest, class_of_record, codes)
    sizes = np.bincount(class_of_record, minlength=n_classes)
    alike = is_released & (lowest == highest) & (highest >= 0)
    return Disclosed(
        int(sizes[alike].sum()), int(alike.sum()), int(sizes[is_released].sum())
    )


def whole_classes_disclosed(
    values: Distribution, sizes: IntArray, is_released: BoolArray
) -> Disclosed:
    """Count the people whose class has a value that everybody has in some row.

    Parameters
    ----------
    values : Distribution
        People of each class by value: of `count_values_of_people`.
    sizes : ndarray of int64, shape (n_classes,)
    is_released : ndarray of bool, shape (n_classes,)

    Returns
    -------
    Disclosed
        Its records are people.
    """
    of_entry = np.repeat(np.arange(len(sizes)), np.diff(values.starts))
    tells = np.array([text != "" for text in values.values])
    is_shared = (values.counts == sizes[of_entry]) & tells[values.codes]
    alike = np.zeros(len(sizes), dtype=np.bool_)
    alike[of_entry[is_shared]] = True
    alike &= is_released
    n_released = int(sizes[is_released].sum())
    return Disclosed(int(sizes[alike].sum()), int(alike.sum()), n_released)
