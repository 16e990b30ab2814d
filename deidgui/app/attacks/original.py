"""Whom attacks look for: everybody, as they are known before the preparation.

An attacker knows people and not what a data manager did to the table: knowledge is
drawn from all rows that were read, of people who were removed or not drawn into the
sample, too. Only values are compared as the steps of the preparation write them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_build import build_hierarchy
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import AttributeMap, Policy
from deidgui.errors import InputError


@dataclass(frozen=True, repr=False, eq=False)
class Original:
    """Everybody as the attacker knows them.

    Parameters
    ----------
    source : Table
        All columns with all rows that were read, values as the steps write them.
    table : Table
        The included columns of it, missing values marked.
    people : People
        Each row by itself where nothing says to whom it belongs.
    row_of : ndarray of int64, shape (n_rows of the classes,)
        Row of `table` of each row that may be released.
    assumptions : tuple of str
        What is assumed beside: kinds of steps, and ``sample``.
    """

    source: Table
    table: Table
    people: People
    row_of: IntArray
    assumptions: tuple[str, ...] = ()

    @property
    def n_people(self) -> int:
        """Number of people, those who are in no release included."""
        return self.people.n_people

    @cached_property
    def there(self) -> IntArray:
        """Person of each row that may be released: int64, shape (n_rows,)."""
        return self.people.of_row[self.row_of].astype(np.int64)

    def varying(self, policy: Policy) -> set[int]:
        """Attributes of a policy that differ between the rows of a person."""
        if self.people.n_people == self.table.n_rows and self.table.absent is None:
            return set()
        return {
            place
            for place, each in enumerate(policy.maps)
            if self._varies(self.table.column(each.attribute), each.hierarchy)
        }

    def _varies(self, column: Column, hierarchy: Hierarchy) -> bool:
        values = number_values(column, hierarchy.of_values)
        return column.absent is not None or not self.people.is_constant(
            values[column.codes]
        )


# -- values that the release does not know ---------------------------------------------


def number_values(column: Column, hierarchy: Hierarchy) -> IntArray:
    """Number the values of a column: leaves, then values without a leaf.

    Returns
    -------
    ndarray of int64, shape (column.n_values,), each >= 0
    """
    found = hierarchy.leaf_of_values(column).astype(np.int64)
    unseen = np.flatnonzero(found < 0)
    found[unseen] = hierarchy.n_leaves + np.arange(len(unseen))
    return found


def released_codes(column: Column, released: AttributeMap) -> IntArray:
    """Number what each value of a column would be released as.

    Parameters
    ----------
    column : Column
        Of everybody: it may have values that nobody has who is left.

    Returns
    -------
    ndarray of int64, shape (column.n_values,), each >= 0
        The label of `released`; further numbers for what is not released at all.
        Values that would be released alike have the same.
    """
    hierarchy = released.hierarchy.of_values
    leaves = hierarchy.leaf_of_values(column)
    found = np.where(leaves >= 0, released.groups[leaves], 0).astype(np.int64)
    unseen = np.flatnonzero((leaves < 0) & (column.counts > 0))
    if not len(unseen):
        return found
    texts = column.texts()
    whole = _with_all_values(column, hierarchy)
    number = {label: code for code, label in enumerate(released.labels)}
    own_leaf = {} if whole is None else whole.index
    around = None if whole is None else _labels_around(whole, hierarchy, released)
    for code in unseen.tolist():
        leaf = own_leaf.get(texts[code])
        label = f"\0{texts[code]}"
        if leaf is not None and whole is not None:
            label = _label_of(whole, leaf, released, around)
        found[code] = number.setdefault(label, len(number))
    return found


def _with_all_values(column: Column, hierarchy: Hierarchy) -> Hierarchy | None:
    """Hierarchy with a leaf for each value of a column; None if no rule tells of it."""
    if hierarchy.rule is None or hierarchy.is_edited:
        return None
    # Quantiles stay those of the values that are left.
    is_left = hierarchy.leaf_of_values(column)[column.codes] >= 0
    left = column.take(np.flatnonzero(is_left))
    try:
        return build_hierarchy(left, hierarchy.rule)
    except InputError:
        return None


def _labels_around(
    whole: Hierarchy, hierarchy: Hierarchy, released: AttributeMap
) -> tuple[IntArray, IntArray]:
    """Label of the nearest released leaf before and after each leaf; -1 for none."""
    index = hierarchy.index
    known = np.array([index.get(text, -1) for text in whole.leaves], np.int64)
    label = np.where(known >= 0, released.groups[known], -1).astype(np.int64)
    place = np.arange(len(label))
    before = np.maximum.accumulate(np.where(label >= 0, place, -1))
    after = np.minimum.accumulate(np.where(label >= 0, place, len(label))[::-1])[::-1]
    padded = np.append(label, -1)
    return padded[before], padded[after]


def _label_of(
    whole: Hierarchy,
    leaf: int,
    released: AttributeMap,
    around: tuple[IntArray, IntArray] | None,
) -> str:
    """What a value is released as: its group, or that of the joined neighbours."""
    if released.level is not None and released.level < len(whole.levels):
        return whole.label(released.level, leaf)
    for level in range(1, len(whole.levels)):
        if whole.label(level, leaf) in released.labels:
            return whole.label(level, leaf)
    assert around is not None
    before, after = int(around[0][leaf]), int(around[1][leaf])
    if before >= 0 and before == after:
        return released.labels[before]
    return f"\0{whole.label(0, leaf)}"


def flat_hierarchy(name: str, values: Int32Array | IntArray) -> Hierarchy:
    """Hierarchy of values that are told apart or not at all."""
    n = int(values.max(initial=0)) + 1
    return Hierarchy.from_grid(name, [(f"{i:09d}", "*") for i in range(n)])
