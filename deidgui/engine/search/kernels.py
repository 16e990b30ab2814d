"""How classes are merged and counted: the compiled inner loops of the walk.

A class is one packed key (bit fields, one per attribute, in one or more 64-bit
words) and the number of its records. Three facts make every loop a plain scan:

* classes are kept in an order in which the attribute to be raised is the least
  significant one, so classes that become equal are neighbours;
* groups of a hierarchy are numbered so that a group's members are neighbours,
  so the order survives raising;
* one stable counting sort by the attribute that was raised last makes the next
  attribute the least significant one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.search.closer import fill_bits, fill_kept, product_of
from deidgui.engine.search.layout import (
    BASE,
    BITS,
    BLOCK,
    FINISHED,
    HEADROOM_BITS,
    N_TOTALS,
    SINCE,
    SORTED,
    UNROLL,
    VISITED,
    Details,
    Figures,
    Plan,
    Walk,
)


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def fill_table(plan: Plan, walk: Walk, which: int) -> None:
    """Pack, for every value of a table's fields, the leaves below each field.

    Counters lie side by side in one word; the lowest one of table 0 counts
    classes.
    """
    table = walk.tables[which]
    n_values = np.int64(plan.table_mask[which]) + 1
    table[:n_values] = 1 if which == 0 else 0
    for depth in range(len(plan.height)):
        if plan.table[depth] != which:
            continue
        level = walk.level[depth]
        at = plan.leaf_at[depth, level]
        offset = plan.shift[depth] - np.int64(plan.table_shift[which])
        field = plan.bits[depth]
        for group in range(plan.n_groups[depth, level]):
            packed = plan.leaves[at + group] << plan.counter[depth]
            for high in range(n_values >> (offset + field)):
                first = ((high << field) | group) << offset
                for value in range(first, first + (1 << offset)):
                    table[value] += packed


@njit(cache=True, nogil=True)
def count_sizes(plan: Plan, walk: Walk, depth: int) -> int:
    """Add up classes and leaves by class size into ``walk.sums``; return Σf².

    Classes with more members than ``walk.packed`` has rows are not added up.
    """
    counts, n = walk.counts[depth], walk.n_classes[depth]
    walk.sums[:] = 0
    for start in range(0, n, BLOCK):
        end = min(n, start + BLOCK)
        for quad in range(walk.packed.shape[0]):
            add_packed(plan, walk, depth, quad, start, end)
        unpack(plan, walk)
    squares = 0
    for i in range(n):
        squares += counts[i] * counts[i]
    return squares


@njit(cache=True, nogil=True)
def add_packed(
    plan: Plan, walk: Walk, depth: int, quad: int, start: int, end: int
) -> None:
    """Add a block of classes to the packed counters of four tables."""
    # PERF: four scalars of each kind stay in registers: 8 → 2 ns per class.
    keys, counts, packed = walk.keys[depth], walk.counts[depth], walk.packed[quad]
    a, b, c, d = UNROLL * quad, UNROLL * quad + 1, UNROLL * quad + 2, UNROLL * quad + 3
    word, shift, mask = plan.table_word, plan.table_shift, plan.table_mask
    keys_a, keys_b = keys[word[a]], keys[word[b]]
    keys_c, keys_d = keys[word[c]], keys[word[d]]
    table_a, table_b = walk.tables[a], walk.tables[b]
    table_c, table_d = walk.tables[c], walk.tables[d]
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


@njit(cache=True, nogil=True)
def unpack(plan: Plan, walk: Walk) -> None:
    """Move the packed counters into ``walk.sums`` and clear them."""
    packed, sums = walk.packed, walk.sums
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


@njit(cache=True, nogil=True)
def store(plan: Plan, walk: Walk, figures: Figures, node: int, depth: int) -> None:
    """Count the classes of one buffer and keep the figures of its node."""
    figures.squares[node] = count_sizes(plan, walk, depth)
    figures.n_classes[node] = walk.n_classes[depth]
    totals, sums = walk.totals, walk.sums
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
        if figures.ladder[tier] == size + 1:
            for column in range(len(totals)):
                figures.tiers[node, tier, column] = totals[column]
            tier += 1


@njit(cache=True, nogil=True)
def fill_products(plan: Plan, walk: Walk, which: int) -> None:
    """Multiply, for every value of a table's fields, the leaves below each field."""
    products = walk.products[which]
    n_values = np.int64(plan.table_mask[which]) + 1
    products[:n_values] = 1.0
    for depth in range(len(plan.height)):
        if plan.table[depth] != which:
            continue
        level = walk.level[depth]
        leaves = plan.leaves[plan.leaf_at[depth, level] :]
        n_groups = plan.n_groups[depth, level]
        offset = plan.shift[depth] - np.int64(plan.table_shift[which])
        mask = (1 << plan.bits[depth]) - 1
        for value in range(n_values):
            group = (value >> offset) & mask
            if group < n_groups:
                products[value] *= leaves[group]


@njit(cache=True, nogil=True)
def store_bits(plan: Plan, walk: Walk, details: Details, node: int, depth: int) -> None:
    """Keep the information of every attribute among the suppressed records."""
    counts, n = walk.counts[depth], walk.n_classes[depth]
    tier_of, n_sizes = details.tier_of, len(details.tier_of)
    for d in range(len(plan.height)):
        n_groups = plan.n_groups[d, walk.level[d]]
        if n_groups == 1:  # No information, as in the zeros that are there.
            continue
        keys, by_tier = walk.keys[depth, plan.word[d]], walk.by_tier[:, :n_groups]
        shift, mask = np.uint64(plan.shift[d]), np.uint64((1 << plan.bits[d]) - 1)
        for i in range(n):
            if counts[i] < n_sizes:
                by_tier[tier_of[counts[i]], (keys[i] >> shift) & mask] += counts[i]
        fill_bits(
            by_tier,
            walk.starts[:n_groups],
            details.known_bits,
            details.first[node],
            details.values[node, :, plan.column[d]],
        )


@njit(cache=True, nogil=True)
def store_products(
    plan: Plan, walk: Walk, details: Details, node: int, depth: int
) -> None:
    """Keep what the combinations of kept classes add up to."""
    keys, counts = walk.keys[depth], walk.counts[depth]
    words, shifts, masks = plan.table_word, plan.table_shift, plan.table_mask
    tier_of, n_sizes = details.tier_of, len(details.tier_of)
    by_tier = np.zeros(len(walk.by_tier) + 1)
    for i in range(walk.n_classes[depth]):
        size, product = counts[i], 1.0
        for t in range(len(words)):
            product *= walk.products[t, (keys[words[t], i] >> shifts[t]) & masks[t]]
        tier = tier_of[size] if size < n_sizes else len(walk.by_tier)
        by_tier[tier] += product_of(details.asks, size, product)
    fill_kept(by_tier, details.first[node], details.values[node, :, 0])


@njit(cache=True, nogil=True)
def visit(plan: Plan, walk: Walk, figures: Figures, details: Details) -> int:
    """Keep what is asked of the current node; return the classes it has."""
    n_depths, sorted_depth = len(plan.height), walk.cursor[SORTED]
    has_figures = len(figures.squares) > 0
    for which in range(len(plan.table_word)):
        stale = False
        for depth in range(walk.cursor[SINCE], n_depths):
            stale |= plan.table[depth] == which
        if stale and has_figures:
            fill_table(plan, walk, which)
        if stale and details.asks > BITS:
            fill_products(plan, walk, which)
    node = 0
    for depth in range(n_depths):
        node += walk.level[depth] * plan.stride[depth]
    if has_figures:
        store(plan, walk, figures, node, sorted_depth)
    if details.asks == BITS:
        store_bits(plan, walk, details, node, sorted_depth)
    elif details.asks > BITS:
        store_products(plan, walk, details, node, sorted_depth)
    walk.visited[walk.cursor[VISITED]] = node
    walk.cursor[VISITED] += 1
    walk.cursor[SINCE] = n_depths
    return int(walk.n_classes[walk.cursor[SORTED]])


@njit(cache=True, nogil=True)
def sort_deeper(plan: Plan, walk: Walk) -> int:
    """Put the next deeper buffer in order; return the classes it holds."""
    depth = walk.cursor[SORTED]
    n = walk.n_classes[depth]
    sort_by_field(
        walk.keys[depth],
        walk.counts[depth],
        n,
        plan.word[depth],
        plan.shift[depth],
        plan.bits[depth],
        plan.n_groups[depth, walk.level[depth]],
        walk.starts,
        walk.keys[depth + 1],
        walk.counts[depth + 1],
    )
    walk.n_classes[depth + 1] = n
    walk.cursor[SORTED] = depth + 1
    return int(n)


@njit(cache=True, nogil=True)
def raise_at(plan: Plan, walk: Walk, depth: int) -> int:
    """Raise the attribute of `depth`, reset the deeper ones; return the work."""
    n = walk.n_classes[depth]
    walk.level[depth] += 1
    walk.level[depth + 1 :] = 0
    level = walk.level[depth]
    at = plan.parent_at[depth, level]
    walk.n_classes[depth] = merge_raised(
        walk.keys[depth],
        walk.counts[depth],
        n,
        plan.word[depth],
        plan.shift[depth],
        plan.bits[depth],
        plan.parents[at : at + plan.n_groups[depth, level - 1]],
    )
    walk.cursor[SORTED] = depth
    walk.cursor[SINCE] = min(walk.cursor[SINCE], depth)
    return int(n)


@njit(cache=True, nogil=True)
def advance(
    plan: Plan, walk: Walk, figures: Figures, details: Details, budget: int
) -> int:
    """Go on like an odometer until `budget` classes were handled; return the rest.

    Each step raises the innermost attribute that can be raised; buffers further
    in are derived again from the one that changed.
    """
    innermost = len(plan.height) - 1
    while budget > 0 and walk.cursor[VISITED] < len(walk.visited):
        if walk.cursor[SINCE] <= innermost:
            budget -= visit(plan, walk, figures, details)
            continue
        if walk.cursor[SORTED] < innermost:
            budget -= sort_deeper(plan, walk)
            continue
        depth = innermost
        while depth >= walk.cursor[BASE] and walk.level[depth] == plan.height[depth]:
            depth -= 1
        if depth < walk.cursor[BASE]:
            walk.cursor[FINISHED] = 1
            break
        budget -= raise_at(plan, walk, depth)
    return budget


@njit(cache=True, nogil=True)
def begin(plan: Plan, walk: Walk, prefix: IntArray) -> None:
    """Go to the first node of a subtree.

    The classes of the bottom node must be in the outermost buffer. The levels
    of the first depths are raised to `prefix` and stay there.
    """
    walk.level[:] = 0
    walk.cursor[BASE] = len(prefix)
    walk.cursor[SORTED] = 0
    walk.cursor[FINISHED] = 0
    for depth in range(len(prefix)):
        for _ in range(prefix[depth]):
            raise_at(plan, walk, depth)
        if depth + 1 < len(plan.height):
            sort_deeper(plan, walk)
    walk.cursor[SINCE] = 0
