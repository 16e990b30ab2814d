"""Which leaf of a hierarchy does each text of a column belong to?"""

from __future__ import annotations

from deidgui.engine.arrays import Int32Array
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column
from deidgui.errors import InputError


def leaf_codes(column: Column, hierarchy: Hierarchy) -> Int32Array:
    """Leaf of every distinct text of a column.

    Returns
    -------
    ndarray of int32, shape (column.n_values,), each in [0, n_leaves)

    Raises
    ------
    InputError
        Code ``hierarchy_gap`` with the attribute and how many values and records
        the hierarchy has no leaf for.
    """
    leaves = hierarchy.leaf_of_values(column)
    gaps = (leaves < 0) & (column.counts > 0)
    if gaps.any():
        raise InputError(
            "hierarchy_gap",
            attribute=column.name,
            n_values=int(gaps.sum()),
            n_records=int(column.counts[gaps].sum()),
        )
    return leaves
