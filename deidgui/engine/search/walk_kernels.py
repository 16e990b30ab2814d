"""The compiled inner loops of the walk over a lattice.

A class is one packed key (bit fields, one per attribute, in one or more 64-bit
words) and the number of its records. Three facts make every loop a plain scan:

* classes are kept in an order in which the attribute to be raised is the least
  significant one, so classes that become equal are neighbours;
* groups of a hierarchy are numbered so that a group's members are neighbours,
  so the order survives raising;
* one stable counting sort by the attribute that was raised last makes the next
  attribute the least significant one.

Classes that must be judged one by one are not packed; the last two loops count those.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.search.measure_details import (
    BITS,
    MeasureDetails,
    fill_bits,
    fill_kept,
    product_of,
)

BLOCK = 65_535
"""Classes that may be added up before packed counters are emptied."""

HEADROOM_BITS = 16
"""Spare bits of a packed counter: BLOCK additions cannot overflow it."""

SCANNED = 4096
"""Classes that are counted at once before it is seen whether they are enough."""

UNROLL = 4
"""Tables are read in groups of this many (padded with empty ones)."""

N_TOTALS = 3
"""Columns of ``tiers`` before the leaves: records, classes, Σf²."""


class WalkPlan(NamedTuple):
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


class WalkState(NamedTuple):
    """What one walker changes as it goes."""

    level: IntArray  # (depth,) steps above the lowest allowed level
    n_classes: IntArray  # (depth,) in each depth's buffer
    cursor: IntArray  # (6,) see the constants below
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


BASE, SORTED, SINCE, VISITED, FINISHED, STALE = range(6)
"""Cursor fields: first depth that moves; deepest buffer in order; first depth
whose level differs from that of the last visit; number of entries in
``visited``; whether the subtree is done; first depth whose level differs from
that of the tables."""


class SizeTotals(NamedTuple):
    """What is kept of every node (see `deidgui.engine.search.profile.Profile`).

    All but the ladder are empty where they are known.
    """

    n_classes: IntArray  # (node,)
    squares: IntArray  # (node,)
    ladder: IntArray  # (tier,) sizes below which classes may be suppressed
    tiers: AnyArray  # (node, tier, N_TOTALS + attribute)


class Skip(NamedTuple):
    """Which nodes are not measured: those with too many records in small classes.

    So has every less general node, too. Whether a node has, is known beforehand where
    the innermost attribute is at its highest level.
    """

    size: int  # classes with fewer records are small; 0 if no node is skipped
    limit: int  # most records in small classes of a node that is measured
    stride: IntArray  # (depth,) of the number in tops; 0 of the innermost attribute
    tops: BoolArray  # whether all at or below are skipped; empty if not known
    kept: BoolArray  # (node,) measured in any case


@njit
def merge_raised(
    keys: AnyArray,
    counts: IntArray,
    n: int,
    word: int,
    shift: int,
    bits: int,
    parent: Int32Array,
) -> int:
    """Raise one attribute one level in place; return the number of classes left.

    Classes that become equal must be neighbours (see the module).
    """
    n_words = keys.shape[0]
    main = keys[word]
    at, mask = np.uint64(shift), np.uint64((1 << bits) - 1)
    others = ~(mask << at)
    last = -1
    size = np.int64(0)
    previous = np.uint64(0)
    for i in range(n):
        key = main[i]
        raised = (key & others) | (np.uint64(parent[(key >> at) & mask]) << at)
        same = np.int64((raised == previous) & (last >= 0))
        for step in range(1, n_words):
            extra = keys[(word + step) % n_words]
            same &= np.int64(extra[i] == extra[max(last, 0)])
        last += 1 - int(same)
        # PERF: a product instead of a branch, which would be mispredicted half
        # of the time: 3.2 → 1.6 ns per class.
        size = size * same + counts[i]
        main[last] = raised
        counts[last] = size
        previous = raised
        for step in range(1, n_words):
            extra = keys[(word + step) % n_words]
            extra[last] = extra[i]
    return last + 1


@njit
def sort_by_field(
    keys: AnyArray,
    counts: IntArray,
    n: int,
    word: int,
    shift: int,
    bits: int,
    n_groups: int,
    starts: IntArray,
    sorted_keys: AnyArray,
    sorted_counts: IntArray,
) -> None:
    """Copy the classes, sorted by one field, equal fields in their old order."""
    n_words = keys.shape[0]
    main = keys[word]
    at, mask = np.uint64(shift), np.uint64((1 << bits) - 1)
    starts[: n_groups + 1] = 0
    for i in range(n):
        starts[((main[i] >> at) & mask) + np.uint64(1)] += 1
    for group in range(n_groups):
        starts[group + 1] += starts[group]
    for i in range(n):
        group_of = (main[i] >> at) & mask
        to = starts[group_of]
        starts[group_of] = to + 1
        sorted_counts[to] = counts[i]
        for w in range(n_words):
            sorted_keys[w, to] = keys[w, i]


@njit
def fill_table(plan: WalkPlan, state: WalkState, which: int) -> None:
    """Pack, for every value of a table's fields, the leaves below each field.

    Counters lie side by side in one word; the lowest one of table 0 counts
    classes.
    """
    table = state.tables[which]
    n_values = np.int64(plan.table_mask[which]) + 1
    table[:n_values] = 1 if which == 0 else 0
    for depth in range(len(plan.height)):
        if plan.table[depth] != which:
            continue
        level = state.level[depth]
        at = plan.leaf_at[depth, level]
        offset = plan.shift[depth] - np.int64(plan.table_shift[which])
        field = plan.bits[depth]
        for group in range(plan.n_groups[depth, level]):
            packed = plan.leaves[at + group] << plan.counter[depth]
            for high in range(n_values >> (offset + field)):
                first = ((high << field) | group) << offset
                for value in range(first, first + (1 << offset)):
                    table[value] += packed


@njit
def count_sizes(plan: WalkPlan, state: WalkState, depth: int) -> int:
    """Add up classes and leaves by class size into ``state.sums``; return Σf².

    Classes with more members than ``state.packed`` has rows are not added up.
    """
    counts, n = state.counts[depth], state.n_classes[depth]
    state.sums[:] = 0
    for start in range(0, n, BLOCK):
        end = min(n, start + BLOCK)
        for quad in range(state.packed.shape[0]):
            add_packed(plan, state, depth, quad, start, end)
        unpack(plan, state)
    squares = 0
    for i in range(n):
        squares += counts[i] * counts[i]
    return squares


@njit
def add_packed(
    plan: WalkPlan, state: WalkState, depth: int, quad: int, start: int, end: int
) -> None:
    """Add a block of classes to the packed counters of four tables."""
    # PERF: four scalars of each kind stay in registers: 8 → 2 ns per class.
    keys, counts, packed = state.keys[depth], state.counts[depth], state.packed[quad]
    a, b, c, d = UNROLL * quad, UNROLL * quad + 1, UNROLL * quad + 2, UNROLL * quad + 3
    word, shift, mask = plan.table_word, plan.table_shift, plan.table_mask
    keys_a, keys_b = keys[word[a]], keys[word[b]]
    keys_c, keys_d = keys[word[c]], keys[word[d]]
    table_a, table_b = state.tables[a], state.tables[b]
    table_c, table_d = state.tables[c], state.tables[d]
    shift_a, shift_b, shift_c, shift_d = shift[a], shift[b], shift[c], shift[d]
    mask_a, mask_b, mask_c, mask_d = mask[a], mask[b], mask[c], mask[d]
    n_sizes = packed.shape[0]
    for i in range(start, end):
        size = counts[i]
        if size < n_sizes:
            packed[size, 0] += table_a[(keys_a[i] >> shift_a) & mask_a]
            packed[size, 1] += table_b[(keys_b[i] >> shift_b) & mask_b]
            packed[size, 2] += table_c[(keys_c[i] >> shift_c) & mask_c]
            packed[size, 3] += table_d[(keys_d[i] >> shift_d) & mask_d]


@njit
def unpack(plan: WalkPlan, state: WalkState) -> None:
    """Move the packed counters into ``state.sums`` and clear them."""
    packed, sums = state.packed, state.sums
    of_classes = (1 << (HEADROOM_BITS + 1)) - 1
    for size in range(packed.shape[1]):
        n_classes = packed[0, size, 0] & of_classes
        if n_classes == 0:
            continue
        sums[size, 0] += n_classes
        for depth in range(len(plan.height)):
            table = plan.table[depth]
            word = np.uint64(packed[table // UNROLL, size, table % UNROLL])
            mask = np.uint64((1 << plan.counter_bits[depth]) - 1)
            counter = (word >> np.uint64(plan.counter[depth])) & mask
            sums[size, 1 + depth] += np.int64(counter)
        packed[:, size] = 0


@njit
def store(
    plan: WalkPlan, state: WalkState, kept: SizeTotals, node: int, depth: int
) -> None:
    """Count the classes of one buffer and keep the totals of its node."""
    kept.squares[node] = count_sizes(plan, state, depth)
    kept.n_classes[node] = state.n_classes[depth]
    totals, sums = state.totals, state.sums
    totals[:] = 0
    tier = 0
    for size in range(sums.shape[0]):
        n_classes = sums[size, 0]
        if n_classes > 0:
            totals[0] += size * n_classes
            totals[1] += n_classes
            totals[2] += size * size * n_classes
            for d in range(len(plan.height)):
                totals[N_TOTALS + plan.column[d]] += size * sums[size, 1 + d]
        if kept.ladder[tier] == size + 1:
            for column in range(len(totals)):
                kept.tiers[node, tier, column] = totals[column]
            tier += 1


@njit
def fill_products(plan: WalkPlan, state: WalkState, which: int) -> None:
    """Multiply, for every value of a table's fields, the leaves below each field."""
    products = state.products[which]
    n_values = np.int64(plan.table_mask[which]) + 1
    products[:n_values] = 1.0
    for depth in range(len(plan.height)):
        if plan.table[depth] != which:
            continue
        level = state.level[depth]
        leaves = plan.leaves[plan.leaf_at[depth, level] :]
        n_groups = plan.n_groups[depth, level]
        offset = plan.shift[depth] - np.int64(plan.table_shift[which])
        mask = (1 << plan.bits[depth]) - 1
        for value in range(n_values):
            group = (value >> offset) & mask
            if group < n_groups:
                products[value] *= leaves[group]


@njit
def store_bits(
    plan: WalkPlan, state: WalkState, details: MeasureDetails, node: int, depth: int
) -> None:
    """Keep the information of every attribute among the suppressed records."""
    counts, n = state.counts[depth], state.n_classes[depth]
    tier_of, n_sizes = details.tier_of, len(details.tier_of)
    for d in range(len(plan.height)):
        n_groups = plan.n_groups[d, state.level[d]]
        if n_groups == 1:  # No information, as in the zeros that are there.
            continue
        keys, by_tier = state.keys[depth, plan.word[d]], state.by_tier[:, :n_groups]
        shift, mask = np.uint64(plan.shift[d]), np.uint64((1 << plan.bits[d]) - 1)
        for i in range(n):
            if counts[i] < n_sizes:
                by_tier[tier_of[counts[i]], (keys[i] >> shift) & mask] += counts[i]
        fill_bits(
            by_tier,
            state.starts[:n_groups],
            details.known_bits,
            details.first[node],
            details.values[node, :, plan.column[d]],
        )


@njit
def store_products(
    plan: WalkPlan, state: WalkState, details: MeasureDetails, node: int, depth: int
) -> None:
    """Keep what the combinations of kept classes add up to."""
    keys, counts = state.keys[depth], state.counts[depth]
    words, shifts, masks = plan.table_word, plan.table_shift, plan.table_mask
    tier_of, n_sizes = details.tier_of, len(details.tier_of)
    by_tier = np.zeros(len(state.by_tier) + 1)
    for i in range(state.n_classes[depth]):
        size, product = counts[i], 1.0
        for t in range(len(words)):
            product *= state.products[t, (keys[words[t], i] >> shifts[t]) & masks[t]]
        tier = tier_of[size] if size < n_sizes else len(state.by_tier)
        by_tier[tier] += product_of(details.asks, size, product)
    fill_kept(by_tier, details.first[node], details.values[node, :, 0])


@njit
def has_more(counts: IntArray, n: int, size: int, limit: int) -> bool:
    """Whether classes with fewer records than a size have more than so many in all."""
    found = np.int64(0)
    for start in range(0, n, SCANNED):
        for i in range(start, min(n, start + SCANNED)):
            found += counts[i] * np.int64(counts[i] < size)
        if found > limit:
            return True
    return False


@njit
def is_closed(plan: WalkPlan, state: WalkState, skip: Skip) -> bool:
    """Whether all nodes with these levels up to the deepest sorted one are skipped."""
    if not len(skip.tops):
        return False
    top = 0
    for depth in range(len(plan.height)):
        is_fixed = depth <= state.cursor[SORTED]
        level = state.level[depth] if is_fixed else plan.height[depth]
        top += level * skip.stride[depth]
    return bool(skip.tops[top])


@njit
def visit(
    plan: WalkPlan,
    state: WalkState,
    kept: SizeTotals,
    details: MeasureDetails,
    skip: Skip,
) -> int:
    """Keep what is asked of the current node; return the classes it has."""
    n_depths, sorted_depth = len(plan.height), state.cursor[SORTED]
    n_classes = state.n_classes[sorted_depth]
    node = 0
    for depth in range(n_depths):
        node += state.level[depth] * plan.stride[depth]
    state.cursor[SINCE] = n_depths
    state.cursor[VISITED] += 1
    if skip.size > 0 and not skip.kept[node]:
        counts = state.counts[sorted_depth]
        if has_more(counts, n_classes, skip.size, skip.limit):
            state.visited[state.cursor[VISITED] - 1] = ~node
            return int(n_classes)
    state.visited[state.cursor[VISITED] - 1] = node
    has_totals = len(kept.squares) > 0
    for which in range(len(plan.table_word)):
        stale = False
        for depth in range(state.cursor[STALE], n_depths):
            stale |= plan.table[depth] == which
        if stale and has_totals:
            fill_table(plan, state, which)
        if stale and details.asks > BITS:
            fill_products(plan, state, which)
    state.cursor[STALE] = n_depths
    if has_totals:
        store(plan, state, kept, node, sorted_depth)
    if details.asks == BITS:
        store_bits(plan, state, details, node, sorted_depth)
    elif details.asks > BITS:
        store_products(plan, state, details, node, sorted_depth)
    return int(n_classes)


@njit
def sort_deeper(plan: WalkPlan, state: WalkState) -> int:
    """Put the next deeper buffer in order; return the classes it holds."""
    depth = state.cursor[SORTED]
    n = state.n_classes[depth]
    sort_by_field(
        state.keys[depth],
        state.counts[depth],
        n,
        plan.word[depth],
        plan.shift[depth],
        plan.bits[depth],
        plan.n_groups[depth, state.level[depth]],
        state.starts,
        state.keys[depth + 1],
        state.counts[depth + 1],
    )
    state.n_classes[depth + 1] = n
    state.cursor[SORTED] = depth + 1
    return int(n)


@njit
def raise_at(plan: WalkPlan, state: WalkState, depth: int) -> int:
    """Raise the attribute of `depth`, reset the deeper ones; return the work."""
    n = state.n_classes[depth]
    state.level[depth] += 1
    state.level[depth + 1 :] = 0
    level = state.level[depth]
    at = plan.parent_at[depth, level]
    state.n_classes[depth] = merge_raised(
        state.keys[depth],
        state.counts[depth],
        n,
        plan.word[depth],
        plan.shift[depth],
        plan.bits[depth],
        plan.parents[at : at + plan.n_groups[depth, level - 1]],
    )
    state.cursor[SORTED] = depth
    state.cursor[SINCE] = min(state.cursor[SINCE], depth)
    state.cursor[STALE] = min(state.cursor[STALE], depth)
    return int(n)


@njit
def advance(
    plan: WalkPlan,
    state: WalkState,
    kept: SizeTotals,
    details: MeasureDetails,
    skip: Skip,
    budget: int,
) -> int:
    """Go on like an odometer until `budget` classes were handled; return the rest.

    Each step raises the innermost attribute that can be raised; buffers further
    in are derived again from the one that changed, unless all their nodes are skipped.
    """
    innermost = len(plan.height) - 1
    while budget > 0 and state.cursor[VISITED] < len(state.visited):
        in_order = state.cursor[SORTED]
        if in_order < innermost and is_closed(plan, state, skip):
            state.level[in_order + 1 :] = plan.height[in_order + 1 :]
            state.cursor[SINCE] = innermost + 1
        elif state.cursor[SINCE] <= innermost:
            budget -= visit(plan, state, kept, details, skip)
            continue
        elif in_order < innermost:
            budget -= sort_deeper(plan, state)
            continue
        depth = innermost
        while depth >= state.cursor[BASE] and state.level[depth] == plan.height[depth]:
            depth -= 1
        if depth < state.cursor[BASE]:
            state.cursor[FINISHED] = 1
            break
        budget -= raise_at(plan, state, depth)
    return budget


@njit
def begin(plan: WalkPlan, state: WalkState, prefix: IntArray) -> None:
    """Go to the first node of a subtree.

    The classes of the bottom node must be in the outermost buffer. The levels
    of the first depths are raised to `prefix` and stay there.
    """
    state.level[:] = 0
    state.cursor[BASE] = len(prefix)
    state.cursor[SORTED] = 0
    state.cursor[FINISHED] = 0
    for depth in range(len(prefix)):
        for _ in range(prefix[depth]):
            raise_at(plan, state, depth)
        if depth + 1 < len(plan.height):
            sort_deeper(plan, state)
    state.cursor[SINCE] = state.cursor[STALE] = 0


@njit
def fill_details(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    counts: IntArray,
    tier: IntArray,
    n_tiers: int,
    asks: int,
    known_bits: FloatArray,
    first: int,
    values: FloatArray,
) -> None:
    """Keep what is asked of classes in their tiers (see `MeasureDetails`)."""
    n_attributes = len(levels)
    if asks == BITS:
        for a in range(n_attributes):
            group_of = groups[group_at[a, levels[a]] :]
            by_tier = np.zeros((n_tiers, n_groups[a, levels[a]]), np.int64)
            for i in range(len(rows)):
                if tier[i] < n_tiers:
                    by_tier[tier[i], group_of[leaves[rows[i], a]]] += counts[i]
            margin = np.empty(by_tier.shape[1], np.int64)
            fill_bits(by_tier, margin, known_bits, first, values[:, a])
        return
    sums = np.zeros(n_tiers + 1)
    for i in range(len(rows)):
        product = 1.0
        for a in range(n_attributes):
            product *= spans[group_at[a, levels[a]] + leaves[rows[i], a]]
        sums[tier[i]] += product_of(asks, counts[i], product)
    fill_kept(sums, first, values[:, 0])


@njit
def fill_tiers(
    leaves: Int32Array,
    rows: IntArray,
    levels: IntArray,
    n_groups: IntArray,
    group_at: IntArray,
    groups: Int32Array,
    spans: IntArray,
    counts: IntArray,
    fits: BoolArray,
    ladder: IntArray,
    tiers: AnyArray,
) -> None:
    """Keep what is in the classes smaller than each size of the ladder.

    Classes that do not fit count as smaller than all.
    """
    n_attributes = len(levels)
    n_sizes = ladder[-1]
    sums = np.zeros((n_sizes, N_TOTALS + n_attributes), np.int64)
    for i in range(len(rows)):
        size = counts[i]
        place = size if fits[i] else 0
        if place < n_sizes:
            sums[place, 0] += size
            sums[place, 1] += 1
            sums[place, 2] += size * size
            for a in range(n_attributes):
                span = spans[group_at[a, levels[a]] + leaves[rows[i], a]]
                sums[place, N_TOTALS + a] += size * span
    totals = np.zeros(N_TOTALS + n_attributes, np.int64)
    tier = 0
    for size in range(n_sizes):
        totals += sums[size]
        if ladder[tier] == size + 1:
            for column in range(len(totals)):
                tiers[tier, column] = totals[column]
            tier += 1
