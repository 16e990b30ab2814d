"""Whether coarser categories protect, and what they cost."""

import numpy as np
import pytest

from deidgui.engine.counts.audit.inference import audit
from deidgui.engine.counts.audit.system import PublishedAs, SystemBuilder
from deidgui.engine.counts.repair.merging import Categories, JoinedCategory, coarser
from tests.engine.counts.brute import intervals


def one_group(*counts, threshold=11, is_ordered=True):
    b = SystemBuilder()
    cells = [
        b.masked(threshold) if 0 < count < threshold else b.shown(count)
        for count in counts
    ]
    total = b.shown(sum(counts))
    b.total("group", total, cells)
    group = Categories("ages", tuple((each,) for each in cells), is_ordered)
    return b.build(), group, np.array([*counts, sum(counts)])


def test_the_ages_of_table_2():
    system, group, counts = one_group(99, 1, 0, 0)
    found = coarser(system, [group], counts, 11)
    # 18-24 and 25-35 are 100 together; joined with 36-50 the T would still be 1.
    assert found.joined == (JoinedCategory("ages", (0, 1)),)
    assert not len(found.audit.too_narrow)
    assert (found.cost.n_figures, found.cost.n_counted) == (0, 99)
    assert found.system.low[-1] == 100
    assert found.system.marks[-1] == PublishedAs.SHOWN


def test_categories_that_are_no_neighbours_are_joined_only_without_order():
    system, group, counts = one_group(1, 0, 50, is_ordered=True)
    assert coarser(system, [group], counts, 11).joined == (
        JoinedCategory("ages", (0, 1, 2)),
    )
    system, group, counts = one_group(1, 0, 50, is_ordered=False)
    assert coarser(system, [group], counts, 11).joined == (
        JoinedCategory("ages", (0, 2)),
    )


def test_nothing_is_joined_where_all_is_protected():
    system, group, counts = one_group(90, 5, 5, 0)
    assert coarser(system, [group], counts, 11).joined == ()


def test_what_joining_cannot_protect_is_said():
    system, group, counts = one_group(2, 1)
    found = coarser(system, [group], counts, 11, width=5)
    assert len(found.joined) == 1
    assert found.audit.too_narrow.tolist() == [0, 1, 3]


@pytest.mark.parametrize("seed", range(1, 4))
def test_rows_of_a_cross_table(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 6, (3, 2))
    b = SystemBuilder()

    def cell(count):
        return b.masked(3) if 0 < count < 3 else b.shown(int(count))

    cells = [[cell(count) for count in row] for row in counts]
    sums = [cell(each) for each in counts.sum(1)]
    columns = [b.shown(int(each)) for each in counts.sum(0)]
    for number, row in enumerate(cells):
        b.total(("row", number), sums[number], row)
    for number in range(2):
        b.total(("column", number), columns[number], [row[number] for row in cells])
    truth = np.array([*counts.ravel(), *counts.sum(1), *counts.sum(0)])
    rows = tuple((*row, of) for row, of in zip(cells, sums, strict=True))
    group = Categories("rows", rows, is_ordered=False)
    found = coarser(b.build(), [group], truth, 3, width=1)
    ends = intervals(found.system, 20)
    narrow = [at for at in found.system.masked if ends[at][0] == ends[at][1]]
    assert found.audit.too_narrow.tolist() == narrow
    assert len(narrow) <= len(audit(b.build(), width=1).too_narrow)
