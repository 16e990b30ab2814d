"""What the compiled walk reads and writes, array by array."""

from __future__ import annotations

from typing import NamedTuple

from deidgui.engine.arrays import AnyArray, FloatArray, Int32Array, IntArray

BLOCK = 65_535
"""Classes that may be added up before packed counters are emptied."""

HEADROOM_BITS = 16
"""Spare bits of a packed counter: BLOCK additions cannot overflow it."""

UNROLL = 4
"""Tables are read in groups of this many (padded with empty ones)."""


class Plan(NamedTuple):
    """What all walkers of one lattice share; rows are depths of the tree.

    Depth 0 is the outermost attribute. ``parents`` and ``leaves`` are flat; the
    slice of a depth and level starts at its offset. Shapes: "depth" is the
    number of attributes, "level" the largest number of levels, "table" a
    multiple of `UNROLL`.
    """

    height: IntArray  # (depth,) levels above the lowest allowed one
    stride: IntArray  # (depth,) of the node number
    column: IntArray  # (depth,) of the attribute
    word: IntArray  # (depth,) of the key
    shift: IntArray  # (depth,) of the field in its word
    bits: IntArray  # (depth,) of the field
    n_groups: IntArray  # (depth, level)
    parent_at: IntArray  # (depth, level) offset into parents, levels >= 1
    parents: Int32Array  # group one level up
    leaf_at: IntArray  # (depth, level) offset into leaves
    leaves: IntArray  # hierarchy leaves below each group
    table: IntArray  # (depth,) which table the attribute is counted by
    counter: IntArray  # (depth,) shift of its counter in that table's words
    counter_bits: IntArray  # (depth,)
    table_word: IntArray  # (table,) of the key
    table_shift: AnyArray  # uint64 (table,)
    table_mask: AnyArray  # uint64 (table,)


class Walk(NamedTuple):
    """What one walker changes as it goes."""

    level: IntArray  # (depth,) steps above the lowest allowed level
    n_classes: IntArray  # (depth,) in each depth's buffer
    cursor: IntArray  # (5,) see the constants below
    keys: AnyArray  # uint64 (depth, word, capacity)
    counts: IntArray  # (depth, capacity)
    tables: IntArray  # (table, values) packed leaf counts by field value
    products: FloatArray  # (table, values) product of leaf counts by field value
    by_tier: IntArray  # (tier, values) records by tier and value of one field
    packed: IntArray  # (table / UNROLL, size, UNROLL) packed counters by class size
    sums: IntArray  # (size, 1 + depth) unpacked counters
    totals: IntArray  # (N_TOTALS + attribute,) scratch
    starts: IntArray  # scratch of the counting sort
    visited: IntArray  # node numbers since the last pause


BASE, SORTED, SINCE, VISITED, FINISHED = range(5)
"""Cursor fields: first depth that moves; deepest buffer in order; first depth
whose level differs from that of the last visit; number of entries in
``visited``; whether the subtree is done."""


class Figures(NamedTuple):
    """What is kept of every node (see `deidgui.engine.search.profile.Profile`).

    All but the ladder are empty where they are known.
    """

    n_classes: IntArray  # (node,)
    squares: IntArray  # (node,)
    ladder: IntArray  # (tier,) sizes below which classes may be suppressed
    tiers: AnyArray  # (node, tier, N_TOTALS + attribute)


class Details(NamedTuple):
    """What is asked of the classes of every node, for some of the ladder's sizes."""

    asks: int  # place in ASKED; 0 asks nothing
    first: IntArray  # (node,) tier of the first size that is kept
    values: FloatArray  # (node, kept tier, column): attributes, or one
    tier_of: IntArray  # (size,) first tier that suppresses classes of a size
    known_bits: FloatArray  # (count,) c·log2(c)


ASKED = ("", "suppressed_bits", "kept_combinations", "kept_log_density")
"""Fields of `NodeFigures` that need a look at every class."""

BITS, COMBINATIONS, LOG_DENSITY = 1, 2, 3
"""Places in ASKED."""


N_TOTALS = 3
"""Columns of ``tiers`` before the leaves: records, classes, Σf²."""
