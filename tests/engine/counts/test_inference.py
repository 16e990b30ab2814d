"""Whether the inferred intervals are those that enumeration finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.counts.audit.inference import Outcome, audit
from deidgui.engine.counts.audit.system import SystemBuilder
from tests.engine.counts.brute import intervals


def _intervals(found):
    return [(each.low, each.high) for each in found.cells]


def _group(threshold, total, *counts):
    b = SystemBuilder()
    cells = [b.masked(threshold) if c is None else b.shown(c) for c in counts]
    b.total("group", b.shown(total), cells)
    return b.build()


def test_table_1_of_the_seed():
    b = SystemBuilder()
    first, second, third = b.shown(100_100), b.shown(100), b.masked(11)
    b.step("step 2", first, second, b.shown(100_000))
    b.step("step 3", second, third, b.shown(98))
    found = audit(b.build())
    assert _intervals(found) == [(2, 2)]
    assert found.cells[0].outcome == Outcome.EXACT


def table_2(builder):
    """Add both samples of the seed's Table 2."""
    samples = {
        1: (100, (99, None, 0, 0), (None, 50, 49, 0)),
        2: (100_000, (50_000, 49_000, None, 999), (0, 99_999, None, 0)),
    }
    for sample, (overall, ages, sexes) in samples.items():
        total = builder.shown(overall)
        for name, counts in (("age", ages), ("sex", sexes)):
            cells = [
                builder.masked(11) if c is None else builder.shown(c) for c in counts
            ]
            builder.total((sample, name), total, cells)


def test_table_2_of_the_seed():
    b = SystemBuilder()
    table_2(b)
    found = audit(b.build())
    assert _intervals(found) == [(1, 1)] * 4
    assert {each.outcome for each in found.cells} == {Outcome.EXACT}


def test_two_masked_counts_of_a_group():
    found = audit(_group(11, 100, 90, None, None, 0))
    assert _intervals(found) == [(1, 9), (1, 9)]
    assert {each.outcome for each in found.cells} == {Outcome.NARROWED}
    found = audit(_group(11, 100, 80, None, None, 0))
    assert _intervals(found) == [(10, 10), (10, 10)]
    assert {each.outcome for each in found.cells} == {Outcome.EXACT}


def test_a_cross_table_with_margins():
    b = SystemBuilder()
    cells = [[b.masked(11) for _ in range(2)] for _ in range(2)]
    for row, total in zip(cells, (15, 12), strict=True):
        b.total("row", b.shown(total), row)
    for column, total in zip(zip(*cells, strict=True), (9, 18), strict=True):
        b.total("column", b.shown(total), column)
    found = audit(b.build())
    assert _intervals(found) == [(5, 7), (8, 10), (2, 4), (8, 10)]
    assert {each.outcome for each in found.cells} == {Outcome.TIGHT}


def test_a_chain_that_goes_on():
    b = SystemBuilder()
    remaining, excluded = b.masked(11), b.masked(11)
    b.step("step 4", b.shown(2), remaining, excluded)
    assert _intervals(audit(b.build())) == [(1, 1), (1, 1)]


def test_what_only_whole_numbers_tell():
    # 2x + 2y = z, z from 3 to 5: the linear program says 3 to 5, whole numbers 4.
    b = SystemBuilder()
    x, y, z = b.masked(4), b.masked(4), b.masked(6)
    b.relation("even", [(2, x), (2, y), (-1, z)], 0, 0)
    b.within("z", z, 3, 5)
    b.relation("x + y + z", [(1, x), (1, y), (1, z)], 0, 20)
    found = audit(b.build())
    assert _intervals(found) == [(1, 1), (1, 1), (4, 4)]
    assert all(each.is_proven for each in found.cells)


@st.composite
def systems(draw):
    """Draw a small system that some counts fit: sums, differences, inequalities."""
    n = draw(st.integers(2, 5))
    truth = [draw(st.integers(0, 6)) for _ in range(n)]
    b = SystemBuilder()
    for count in truth:
        kind = draw(st.sampled_from(["shown", "masked", "masked", "masked", "hidden"]))
        if kind == "hidden":
            b.hidden(0, 9)
        elif kind == "masked" and count > 0:
            b.masked(7)
        else:
            b.shown(count)
    for number in range(draw(st.integers(1, 4))):
        inside = draw(
            st.lists(st.integers(0, n - 1), min_size=1, max_size=4, unique=True)
        )
        weights = draw(st.sampled_from([[1], [1, -1], [1, -1, 2], [1, 3, -2, 5]]))
        terms = [(draw(st.sampled_from(weights)), each) for each in inside]
        total = sum(weight * truth[each] for weight, each in terms)
        low = total - draw(st.integers(0, 2))
        high = total + draw(st.integers(0, 2))
        kind = draw(st.sampled_from(["equal", "equal", "between", "least", "most"]))
        bounds = {"equal": (total, total), "between": (low, high),
                  "least": (low, None), "most": (None, high)}[kind]  # fmt: skip
        b.relation(number, terms, *bounds)
    return b.build()


@given(systems())
@settings(max_examples=150, deadline=None)
def test_intervals_are_those_of_enumeration(system):
    found = audit(system)
    expected = intervals(system)
    assert not found.conflicts
    for cell in found.cells:
        assert (cell.low, cell.high) == expected[cell.unknown]
        assert cell.is_proven


@pytest.mark.parametrize("seed", range(20))
def test_cross_tables_are_those_of_enumeration(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 8, (3, 3))
    b = SystemBuilder()
    cells = [[b.masked(5) if 0 < c < 5 else b.shown(c) for c in row] for row in counts]
    for at in range(3):
        b.total(("row", at), b.shown(counts[at].sum()), cells[at])
        column = [row[at] for row in cells]
        b.total(("column", at), b.shown(counts[:, at].sum()), column)
    system = b.build()
    expected = intervals(system, 30)
    assert _intervals(audit(system)) == [expected[each] for each in system.masked]


def test_counts_without_a_limit():
    b = SystemBuilder()
    part, whole = b.masked(11), b.hidden()
    b.at_most("subset", part, whole)
    b.relation("both", [(1, part), (-2, whole)], None, 4)
    found = audit(b.build())
    assert _intervals(found) == [(1, 10)]
    assert found.cells[0].outcome == Outcome.PROTECTED
    assert found.of(whole).high is None
