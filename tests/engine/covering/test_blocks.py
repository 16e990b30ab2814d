"""De-identification by blocks, against plain Python that looks at every set."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.covering.blocks import BlockTask, de_identify, suppress
from deidgui.engine.covering.construct import DesignMaker
from deidgui.errors import Cancelled
from tests.engine.search.cases import hierarchies, hierarchy_of, table_of

SUPPRESSED_CELL = "suppressed"


@st.composite
def cases(draw):
    """A small table, and what is asked of it."""
    m = draw(st.integers(2, 5))
    found = [draw(hierarchies(f"a{at}", max_leaves=4)) for at in range(m)]
    n_rows = draw(st.integers(1, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns = [
        np.minimum(rng.geometric(0.5, n_rows) - 1, each.n_leaves - 1) for each in found
    ]
    table = table_of(found, [tuple(row) for row in np.stack(columns, 1).tolist()])
    p = draw(st.integers(1, m))
    k = draw(st.integers(p, m))
    lowest = [draw(st.integers(0, each.height)) for each in found]
    asked = BlockTask(
        DesignMaker().design(m, k, p).points(),
        draw(st.integers(1, 6)),
        draw(st.sampled_from([0, 1, 3, 30])),
        draw(st.sampled_from([lowest, [0] * m])),
        [each.height for each in found],
        [draw(st.sampled_from([0.0, 1.0, 4.0])) for _ in found],
        draw(st.booleans()),
    )
    return table, asked, p


def shown(table, found):
    """What every record shows, one by one, without those suppressed as a whole."""
    rows = []
    for row, leaves in enumerate(table.leaves.tolist()):
        if found.records[row]:
            continue
        cells = [
            SUPPRESSED_CELL
            if found.cells[row, at]
            else table.hierarchies[at]
            .levels[found.levels[at]]
            .labels[table.hierarchies[at].levels[found.levels[at]].groups[leaf]]
            for at, leaf in enumerate(leaves)
        ]
        rows += [(leaves, tuple(cells))] * int(table.counts[row])
    return rows


@given(cases())
@settings(deadline=None, max_examples=300)
def test_no_set_of_attributes_violates_the_threshold(case):
    table, asked, p = case
    rows = [cells for _, cells in shown(table, de_identify(table, asked))]
    for known in combinations(range(len(table.hierarchies)), p):
        sizes = Counter(tuple(row[at] for at in known) for row in rows)
        assert all(size >= asked.size for size in sizes.values())


@pytest.mark.parametrize("by_record", [False, True])
@pytest.mark.parametrize("k", [3, 5])
def test_many_blocks_are_treated_some_at_a_time(monkeypatch, by_record, k):
    """Blocks are measured again between some and others, and if something changed."""
    monkeypatch.setattr("deidgui.engine.covering.blocks.AT_ONCE", 7)
    rng = np.random.default_rng(k)
    steps = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 1, 1, 1, 1], [0] * 8]
    found = [hierarchy_of(f"a{at}", steps if at % 3 else [[0] * 8]) for at in range(12)]
    rows = np.minimum(rng.geometric(0.4, (300, 12)) - 1, 7)
    table = table_of(found, [tuple(row) for row in rows.tolist()])
    blocks = DesignMaker().design(12, k, 3).points()
    highest = [each.height for each in found]
    asked = BlockTask(blocks, 4, 60, [0] * 12, highest, [1.0] * 12, by_record)
    done = de_identify(table, asked)
    assert 0 < done.n_touched <= asked.limit
    assert any(level < high for level, high in zip(done.levels, highest, strict=True))
    kept = [cells for _, cells in shown(table, done)]
    for known in combinations(range(12), 3):
        sizes = Counter(tuple(row[at] for at in known) for row in kept)
        assert all(size >= asked.size for size in sizes.values())
    again = suppress(table, asked, done.levels)
    assert (again.cells == done.cells).all()
    assert (again.records == done.records).all()


@given(cases())
@settings(deadline=None, max_examples=100)
def test_a_suppressed_cell_is_read_in_the_strictest_way(case):
    """Who knows the original values, or lets it match anything, finds no fewer."""
    table, asked, p = case
    found = de_identify(table, asked)
    rows = shown(table, found)
    for known in combinations(range(len(table.hierarchies)), p):
        own = Counter(tuple(row[at] for at in known) for _, row in rows)
        for leaves, row in rows:
            truth = [
                each.levels[level].labels[each.levels[level].groups[leaf]]
                for each, level, leaf in zip(
                    table.hierarchies, found.levels, leaves, strict=True
                )
            ]
            n_knowing = sum(
                all(other[at] in (truth[at], SUPPRESSED_CELL) for at in known)
                for _, other in rows
            )
            n_matching = sum(
                all(
                    SUPPRESSED_CELL in (row[at], other[at]) or row[at] == other[at]
                    for at in known
                )
                for _, other in rows
            )
            n_own = own[tuple(row[at] for at in known)]
            assert asked.size <= n_own <= n_knowing <= n_matching


@given(cases())
@settings(deadline=None, max_examples=150)
def test_steps_tell_what_was_done(case):
    table, asked, _ = case
    told = []
    found = de_identify(table, asked, on_step=told.append)
    assert tuple(told) == found.steps
    levels = list(asked.lowest)
    n_cells = n_records = 0
    for step in found.steps:
        assert step.is_again or list(step.block) in asked.blocks.tolist()
        assert step.is_again == (step.n_before == 0)
        assert step.n_after == 0
        for at, before, after in step.raised:
            assert at in step.block
            assert levels[at] == before != after
            assert step.is_again or before < after
            levels[at] = after
        if step.is_again and not step.raised:
            n_cells += step.n_cells
            n_records += step.n_records
        assert not (asked.by_record and step.n_cells)
        assert asked.by_record or not step.n_records
    assert tuple(levels) == found.levels
    if table.n_records < asked.size:
        assert found.n_touched == table.n_records
        return
    # The last count stands for all that was suppressed before it.
    assert n_cells == found.n_cells == int(table.counts @ found.cells.sum(axis=1))
    assert n_records == int(table.counts[found.records].sum())
    if asked.by_record:
        assert found.n_touched == n_records
    for at, level in enumerate(found.levels):
        if table.hierarchies[at].levels[level].n_groups == 1:
            assert not found.cells[:, at].any()


@given(cases())
@settings(deadline=None, max_examples=150)
def test_the_levels_alone_say_what_is_suppressed(case):
    table, asked, _ = case
    found = de_identify(table, asked)
    other = BlockTask(
        asked.blocks, asked.size, 0, (), (), asked.weights, asked.by_record
    )
    again = suppress(table, other, found.levels)
    assert again.levels == found.levels
    assert (again.cells == found.cells).all()
    assert (again.records == found.records).all()


@given(cases())
@settings(deadline=None, max_examples=100)
def test_no_level_can_be_lowered_within_the_limit_and_show_more(case):
    table, asked, _ = case
    asked = BlockTask(**{**vars(asked), "by_record": True})
    found = de_identify(table, asked)
    if table.n_records < asked.size or found.n_touched > asked.limit:
        return
    for at, level in enumerate(found.levels):
        if level == asked.lowest[at]:
            continue
        finer = [*found.levels]
        finer[at] = level - 1
        other = suppress(table, asked, finer)
        n_kept = table.n_records - other.n_touched
        # Of whole records more is shown with as many of them, if the level tells more.
        counts = table.counts
        before, after = (
            table.hierarchies[at].levels[each].groups[table.leaves[:, at]]
            for each in (level, level - 1)
        )
        tells_more = len(np.unique(after)) > len(np.unique(before))
        is_same = n_kept == table.n_records - found.n_touched
        assert not (is_same and tells_more and asked.weights[at] and counts.sum())


@given(cases())
@settings(deadline=None, max_examples=150)
def test_whole_records_are_the_fewest_at_these_levels(case):
    table, asked, _ = case
    asked = BlockTask(**{**vars(asked), "by_record": True})
    found = de_identify(table, asked)
    kept = set(range(table.n_classes)) if table.n_records >= asked.size else set()
    labels = [
        [
            table.hierarchies[at].levels[level].groups[leaf]
            for leaf in table.leaves[:, at].tolist()
        ]
        for at, level in enumerate(found.levels)
    ]
    before = -1
    while before != len(kept):
        before = len(kept)
        for block in asked.blocks.tolist():
            sizes = Counter()
            for row in kept:
                sizes[tuple(labels[at][row] for at in block)] += int(table.counts[row])
            kept = {
                row
                for row in kept
                if sizes[tuple(labels[at][row] for at in block)] >= asked.size
            }
    assert set(np.flatnonzero(~found.records).tolist()) == kept


@given(cases())
@settings(deadline=None, max_examples=150)
def test_the_limit_is_kept_where_everything_can_be_removed(case):
    table, asked, _ = case
    is_removable = all(each.levels[-1].n_groups == 1 for each in table.hierarchies)
    found = de_identify(table, asked)
    if is_removable and table.n_records >= asked.size:
        assert found.n_touched <= asked.limit


def small_case(by_record=False, limit=0, size=2):
    found = [
        hierarchy_of("x", [[0, 0, 1, 1], [0] * 4]),
        hierarchy_of("y", [[0, 0, 1], [0] * 3]),
        hierarchy_of("z", [[0, 0]]),
    ]
    rows = [(0, 0, 0)] * 4 + [(1, 1, 0)] * 3 + [(2, 0, 1)] * 3 + [(3, 2, 1)]
    blocks = np.array(list(combinations(range(3), 2)))
    highest = [each.height for each in found]
    table = table_of(found, rows)
    return table, BlockTask(blocks, size, limit, [0] * 3, highest, [1.0] * 3, by_record)


def test_one_record_is_suppressed_where_that_is_allowed():
    table, asked = small_case(by_record=True, limit=1)
    found = de_identify(table, asked)
    assert found.levels == (0, 0, 0)
    assert found.n_touched == 1
    assert table.leaves[found.records].tolist() == [[3, 2, 1]]


def test_levels_are_raised_where_nothing_may_be_suppressed():
    table, asked = small_case()
    found = de_identify(table, asked)
    assert found.n_touched == 0
    assert any(found.levels)


def test_suppressed_cells_are_joined_by_others_so_that_none_stands_alone():
    table, asked = small_case(limit=11)
    found = de_identify(table, asked)
    assert found.levels == (0, 0, 0)
    assert not found.records.any()
    # One record alone with nothing to be seen would be found by just that.
    hidden = found.cells[:, :2].all(axis=1)
    assert table.counts[hidden].sum() >= asked.size


def test_too_few_records_are_all_suppressed():
    table, asked = small_case(size=100)
    found = de_identify(table, asked)
    assert found.records.all()
    assert found.n_touched == table.n_records


def test_it_can_be_cancelled():
    class Stops:
        n = 0

        def report(self, fraction, note=""):
            del fraction, note
            self.n += 1
            if self.n == 3:
                raise Cancelled

    table, asked = small_case()
    with pytest.raises(Cancelled):
        de_identify(table, asked, monitor=Stops())
