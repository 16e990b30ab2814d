"""The order in which classes are suppressed by models that judge the whole release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


def without_first(
    classes: EquivalenceClasses, kept: BoolArray, n_first: int, *sizes: AnyArray
) -> BoolArray:
    """Suppress the first classes, one at a time.

    Parameters
    ----------
    kept : ndarray of bool, shape (n_classes,)
        Classes that other models allow.
    n_first : int, in [0, number of those]
        How many of them are suppressed.
    *sizes : ndarrays, each of shape (n_classes,)
        What the order goes by, the smallest first: the second one decides where
        the first one ties.

    Returns
    -------
    ndarray of bool, shape (n_classes,)
        Those of `kept` that remain.

    Notes
    -----
    Of equally large classes the one with the most general values goes first (see
    `EquivalenceClasses.generality`): suppressing it loses least of what would be
    released. Of those that tie in this, too, the one goes whose labels come first,
    attribute by attribute in the order of their names. No two classes tie in all. So
    the order depends on nothing but the released values and the hierarchies: not on
    the order of rows, of columns or of the classes.

    Nothing is sorted: only classes that tie at the cut are compared further.

    References
    ----------
    .. [1] methods.md B.6, which breaks ties by the first row.
    """
    left = kept.copy()
    if not n_first:
        return left
    places = np.flatnonzero(kept)
    for key in _keys(classes, sizes):
        if n_first == len(places):
            break
        own = key(places)
        cut = np.partition(own, n_first - 1)[n_first - 1]
        is_first = own < cut
        left[places[is_first]] = False
        n_first -= int(np.count_nonzero(is_first))
        places = places[own == cut]
    left[places[:n_first]] = False
    return left


def _keys(
    classes: EquivalenceClasses, sizes: Sequence[AnyArray]
) -> Iterator[Callable[[IntArray], AnyArray]]:
    """What the order goes by, as functions of places: each decides among ties."""
    for size in sizes:
        yield size.__getitem__
    yield lambda places: -classes.generality(places)
    names = classes.class_table.attributes
    for column in sorted(range(len(names)), key=names.__getitem__):
        yield partial(classes.ranks, column)


def n_first_at_risk(sizes: IntArray, least: int, share: float) -> int:
    """How many of the smallest classes go until few enough records are at risk.

    Parameters
    ----------
    sizes : ndarray of int64, shape (n_classes,), each >= 1
    least : int, >= 1
        Size from which classes are not at risk.
    share : float, >= 0
        Highest allowed share of the remaining records that are at risk.

    Returns
    -------
    int, in [0, number of classes at risk]
    """
    n_records = int(sizes.sum())
    at_risk = sizes[sizes < least]
    n_at_risk = int(at_risk.sum())
    if n_at_risk <= n_records * share:
        return 0
    # Each class at risk that goes lowers the share, to 0 without all of them: it is
    # enough to count failures.
    at_risk.sort()
    gone = np.cumsum(at_risk) - at_risk
    return int(np.count_nonzero(n_at_risk - gone > (n_records - gone) * share))
