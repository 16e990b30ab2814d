"""How the attributes of a lattice are ordered and packed for the walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.layout import HEADROOM_BITS, UNROLL, Plan

WORD_BITS = 64

TABLE_BITS = 10
"""Fields are counted through one table up to this many bits (L1 cache)."""


def tree_order(hierarchies: Sequence[Hierarchy], lattice: Lattice) -> list[int]:
    """Columns from the outermost attribute of the walk to the innermost.

    Attributes with one allowed level never move and come first. Attributes with
    many values come last: the innermost one is raised most often and is never
    sorted by, and raising it leaves the fewest classes.
    """

    def key(column: int) -> tuple[bool, int, int]:
        groups = hierarchies[column].levels[lattice.minimum[column]].n_groups
        return lattice.sizes[column] > 1, groups, column

    return sorted(range(len(hierarchies)), key=key)


@dataclass
class _Table:
    """Attributes that are counted through one table, and its free bits."""

    depths: list[int]
    field_bits: int
    counter_bits: int


def _tables(field_bits: Sequence[int], counter_bits: Sequence[int]) -> list[_Table]:
    """Share the attributes out to tables; the innermost has one for itself.

    Its level changes at almost every node, and only its own table is refilled.
    """
    innermost = len(field_bits) - 1
    of_classes = HEADROOM_BITS + 1
    tables = [
        _Table([innermost], field_bits[-1], of_classes + counter_bits[-1]),
    ]
    for depth in reversed(range(innermost)):
        for table in tables[1:]:
            if (
                table.field_bits + field_bits[depth] <= TABLE_BITS
                and table.counter_bits + counter_bits[depth] <= WORD_BITS
            ):
                table.depths.append(depth)
                table.field_bits += field_bits[depth]
                table.counter_bits += counter_bits[depth]
                break
        else:
            tables.append(_Table([depth], field_bits[depth], counter_bits[depth]))
    return tables


def make_plan(hierarchies: Sequence[Hierarchy], lattice: Lattice) -> Plan:
    """Lay out keys, tables and hierarchies of a lattice for the kernels.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        In column order, each with fewer than 2**31 leaves.
    """
    order = tree_order(hierarchies, lattice)
    steps = _steps(hierarchies, lattice, order)
    bits = [max(1, (int(n) - 1).bit_length()) for n in steps.n_groups[:, 0]]
    counter_bits = [
        hierarchies[column].n_leaves.bit_length() + HEADROOM_BITS for column in order
    ]
    tables = _tables(bits, counter_bits)
    n_depths, n_tables = len(order), -(-len(tables) // UNROLL) * UNROLL
    word, shift, table, counter = (np.zeros(n_depths, np.int64) for _ in range(4))
    table_word = np.zeros(n_tables, np.int64)
    table_shift, table_mask = np.zeros((2, n_tables), np.uint64)
    at_word = at_bit = 0
    for number, each in enumerate(tables):
        if at_bit + each.field_bits > WORD_BITS:
            at_word, at_bit = at_word + 1, 0
        table_word[number], table_shift[number] = at_word, at_bit
        table_mask[number] = (1 << each.field_bits) - 1
        counter_at = HEADROOM_BITS + 1 if number == 0 else 0
        for depth in each.depths:
            word[depth], shift[depth], table[depth] = at_word, at_bit, number
            counter[depth] = counter_at
            at_bit += bits[depth]
            counter_at += counter_bits[depth]
    return Plan(
        height=np.array([lattice.sizes[column] - 1 for column in order], np.int64),
        stride=np.array([lattice.strides[column] for column in order], np.int64),
        column=np.array(order, np.int64),
        word=word,
        shift=shift,
        bits=np.array(bits, np.int64),
        n_groups=steps.n_groups,
        parent_at=steps.parent_at,
        parents=steps.parents,
        leaf_at=steps.leaf_at,
        leaves=steps.leaves,
        table=table,
        counter=counter,
        counter_bits=np.array(counter_bits, np.int64),
        table_word=table_word,
        table_shift=table_shift,
        table_mask=table_mask,
    )


@dataclass(frozen=True)
class _Steps:
    """The hierarchies' levels from the lowest allowed one, laid out flat."""

    n_groups: IntArray
    parent_at: IntArray
    parents: Int32Array
    leaf_at: IntArray
    leaves: IntArray


def _steps(
    hierarchies: Sequence[Hierarchy], lattice: Lattice, order: Sequence[int]
) -> _Steps:
    shape = (len(order), max(lattice.sizes))
    n_groups, parent_at, leaf_at = (np.zeros(shape, np.int64) for _ in range(3))
    parents: list[Int32Array] = [np.empty(0, np.int32)]
    leaves: list[IntArray] = [np.empty(0, np.int64)]
    at_parent = at_leaf = 0
    for depth, column in enumerate(order):
        hierarchy, low = hierarchies[column], lattice.minimum[column]
        for step in range(lattice.sizes[column]):
            counts = hierarchy.leaf_counts(low + step)
            n_groups[depth, step] = len(counts)
            leaf_at[depth, step] = at_leaf
            leaves.append(counts)
            at_leaf += len(counts)
            if step:
                up = hierarchy.parents(low + step)
                parent_at[depth, step] = at_parent
                parents.append(up)
                at_parent += len(up)
    return _Steps(
        n_groups, parent_at, np.concatenate(parents), leaf_at, np.concatenate(leaves)
    )
