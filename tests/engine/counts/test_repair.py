"""Whether complements protect what is masked, and are as few as can be."""

from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.counts.audit.inference import Outcome, audit
from deidgui.engine.counts.audit.system import PublishedAs, SystemBuilder
from deidgui.engine.counts.repair import complements
from deidgui.engine.counts.repair.complements import suppression
from tests.engine.counts.brute import intervals
from tests.engine.counts.test_inference import table_2


def cross_table(counts, threshold):
    """Build a table with both margins and its overall total, thresholded."""
    counts = np.asarray(counts)
    b = SystemBuilder()

    def cell(count):
        return b.masked(threshold) if 0 < count < threshold else b.shown(int(count))

    cells = [[cell(count) for count in row] for row in counts]
    rows = [b.shown(int(each)) for each in counts.sum(1)]
    columns = [b.shown(int(each)) for each in counts.sum(0)]
    total = b.shown(int(counts.sum()))
    for number, row in enumerate(cells):
        b.total(("row", number), rows[number], row)
    for number in range(counts.shape[1]):
        b.total(("column", number), columns[number], [row[number] for row in cells])
    b.total("rows", total, rows)
    b.total("columns", total, columns)
    return b.build(), {*rows, *columns, total}


def _brute_fewest(system, lowest, width, kept):
    """Return the fewest counts whose hiding protects all that can be protected."""
    may = [
        int(each)
        for each in np.flatnonzero(system.marks == PublishedAs.SHOWN)
        if each not in kept and system.low[each] >= max(lowest, 1)
    ]

    def narrow(hidden):
        found = intervals(system.with_hidden(hidden, lowest), 14)
        return {each for each in system.masked if _width(found[each]) < width}

    beyond = narrow(may)
    for size in range(len(may) + 1):
        for hidden in combinations(may, size):
            if narrow(hidden) <= beyond:
                return size, beyond
    raise AssertionError


def _width(ends):
    return ends[1] - ends[0]


def test_both_tables_of_the_seed():
    b = SystemBuilder()
    table_2(b)
    found = suppression(b.build(), 11)
    assert not len(found.audit.too_narrow)
    # One more count of each group: 99 and 49, 999 and 99,999.
    assert [int(found.audit.system.marks[each]) for each in found.hidden] == [
        PublishedAs.HIDDEN
    ] * 4
    assert found.cost.n_figures == 4
    assert found.cost.n_counted == 99 + 49 + 999 + 99_999
    assert found.gap == pytest.approx(0, abs=1e-3)


def test_a_complement_is_no_small_count():
    # Both 10, and masked as complements of each other; only a third one helps.
    b = SystemBuilder()
    cells = [b.shown(80), b.masked(11), b.masked(11), b.shown(0)]
    b.total("group", b.shown(100), cells)
    found = suppression(b.build(), 11)
    assert found.hidden == (cells[0],)
    assert [(each.low, each.high) for each in found.audit.cells] == [(1, 10)] * 2


def test_what_cannot_be_protected_is_said():
    b = SystemBuilder()
    only, total = b.masked(11), b.shown(3)
    b.total("the only category", total, [only])
    found = suppression(b.build(), 0, kept=[total])
    assert found.audit.too_narrow.tolist() == [only]
    assert found.hidden == ()
    assert found.audit.cells[0].outcome == Outcome.EXACT


def test_percentages_beside_masked_counts_go_with_them():
    b = SystemBuilder()
    total = b.shown(1000)
    cells = [b.masked(11), b.masked(11), b.shown(986)]
    b.total("group", total, cells)
    b.quotient("percent", cells[0], total, Decimal("0.4"), per=100)
    system = b.build()
    assert audit(system).of(cells[0]).low == 4
    found = suppression(system, 11)
    assert found.hidden == ()
    assert not len(found.audit.too_narrow)


def test_overall_totals_stay_shown_wherever_else_they_stand():
    b = SystemBuilder()
    total, again = b.shown(100), b.shown(100)
    b.total("age", total, [b.shown(99), b.masked(11), b.shown(0)])
    b.total("sex", again, [b.shown(50), b.shown(49), b.masked(11)])
    b.same("overall", total, again)
    b.at_most("subset", b.shown(60), total)
    b.quotient("percent", b.shown(50), total, Decimal("50.0"), per=100)
    system = b.build()
    assert system.wholes == {total, again}
    found = suppression(system, 11)
    assert found.cost.n_figures == 2
    assert not {total, again}.intersection(found.hidden)


@pytest.mark.parametrize("seed", range(8))
def test_cross_tables_have_no_fewer_complements(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 8, (3, 3))
    counts[0, 0] = 1
    system, margins = cross_table(counts, 3)
    found = suppression(system, 3, width=1, kept=margins)
    size, beyond = _brute_fewest(system, 3, 1, margins)
    assert set(found.audit.too_narrow) == beyond
    assert len(found.hidden) == size
    assert found.least_weight == pytest.approx(found.weight, abs=1e-3)


@st.composite
def tables(draw):
    """Draw two groups that share some counts, thresholded at 4."""
    counts = draw(st.lists(st.integers(0, 7), min_size=4, max_size=5))
    b = SystemBuilder()
    cells = [b.masked(4) if 0 < count < 4 else b.shown(count) for count in counts]
    kept = []
    for number in range(draw(st.integers(1, 3))):
        inside = draw(st.sets(st.integers(0, len(counts) - 1), min_size=2))
        total = b.shown(sum(counts[each] for each in inside))
        kept.append(total)
        b.total(number, total, [cells[each] for each in inside])
    return b.build(), kept


def test_what_is_around_a_target_does_not_decide_what_is_protected(monkeypatch):
    """With little looked at first, more is looked at until all are protected."""
    system = linked(8)
    whole = suppression(system, 4, width=2)
    monkeypatch.setattr(complements, "AROUND", 5)
    monkeypatch.setattr(complements, "NEARBY", 5)
    monkeypatch.setattr(complements, "SMALL", 0)
    nearby = suppression(system, 4, width=2)
    left = whole.audit.too_narrow.tolist()
    assert nearby.audit.too_narrow.tolist() == left
    assert len(left) < len(audit(system, width=2).too_narrow)
    proof = audit(system.with_hidden(nearby.hidden, 4), width=2)
    assert proof.too_narrow.tolist() == left
    assert 0 <= nearby.gap < 1


def linked(n_tables):
    """Tables of two margins; the last row of each is the first of the next."""
    rng = np.random.default_rng(5)
    b = SystemBuilder()
    last = None
    for table in range(n_tables):
        counts = rng.integers(1, 15, (3, 4))
        if last is not None:
            counts[0] = last[0]

        def cell(count):
            return b.masked(4) if count < 4 else b.shown(int(count))

        cells = [[cell(each) for each in row] for row in counts]
        for number, row in enumerate(cells):
            b.total((table, number), b.shown(int(counts[number].sum())), row)
        for number, column in enumerate(zip(*cells, strict=True)):
            whole = b.shown(int(counts[:, number].sum()))
            b.total((table, "column", number), whole, column)
        if last is not None:
            for one, other in zip(last[1], cells[0], strict=True):
                b.same((table, "same"), one, other)
        last = counts[-1], cells[-1]
    return b.build()


@given(tables(), st.integers(1, 2), st.sampled_from([0, 4]))
@settings(max_examples=25, deadline=None)
def test_no_masked_count_stays_narrow_that_could_be_protected(table, width, lowest):
    system, kept = table
    found = suppression(system, lowest, width=width, kept=kept)
    size, beyond = _brute_fewest(system, lowest, width, kept)
    after = intervals(found.system, 14)
    narrow = {each for each in system.masked if _width(after[each]) < width}
    assert narrow == beyond == set(found.audit.too_narrow)
    assert len(found.hidden) >= size
    assert found.least_weight <= size + 0.5
    if found.gap < 1e-4:
        assert len(found.hidden) == size
