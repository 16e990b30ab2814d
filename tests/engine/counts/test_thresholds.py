"""Whether the threshold found is the smallest that protects, or none does."""

from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.counts.audit.inference import audit
from deidgui.engine.counts.audit.system import SystemBuilder
from deidgui.engine.counts.repair.thresholds import higher_threshold
from tests.engine.counts.test_inference import table_2


def test_table_1_needs_99():
    b = SystemBuilder()
    first, second, third = b.shown(100_100), b.shown(100), b.masked(11)
    excluded = b.shown(98)
    b.step("step 2", first, second, b.shown(100_000))
    b.step("step 3", second, third, excluded)
    found = higher_threshold(b.build(), 11)
    assert found.threshold == 99
    assert found.masked == (excluded,)
    assert [(each.low, each.high) for each in found.audit.cells] == [(2, 98)] * 2


def test_table_2_needs_100_000_to_hide_99_999():
    b = SystemBuilder()
    table_2(b)
    system = b.build()
    found = higher_threshold(system, 11)
    assert found.threshold == 100_000
    assert not len(found.audit.too_narrow)
    # What the text says leaves 99,999 visible, and the T beside it exact.
    one_less = audit(system.with_threshold(99_999))
    exact = [each for each in one_less.cells if each.outcome == "exact"]
    assert [(each.low, each.high) for each in exact] == [(1, 1)]


def test_two_counts_need_more_room_than_the_threshold_gives():
    # (80, T, T, 0) of 100: up to 11 both are 10; 13 gives each 8 to 12.
    b = SystemBuilder()
    b.total("group", b.shown(100), [b.shown(80), b.masked(11), b.masked(11)])
    found = higher_threshold(b.build(), 11)
    assert found.threshold == 13
    assert found.masked == ()


def test_no_threshold_protects_the_only_one_of_a_figure_that_stays():
    b = SystemBuilder()
    only = b.masked(11)
    b.within("published elsewhere", only, 4, 5)
    found = higher_threshold(b.build(), 11)
    assert found.threshold is None
    assert found.audit.too_narrow.tolist() == [only]


@st.composite
def tables(draw):
    """Draw one or two tables, and which counts each of their groups adds up."""
    b = SystemBuilder()
    for number in range(draw(st.integers(1, 2))):
        counts = draw(st.lists(st.integers(0, 9), min_size=2, max_size=4))
        cells = [b.masked(3) if 0 < count < 3 else b.shown(count) for count in counts]
        total = sum(counts)
        of = b.masked(3) if 0 < total < 3 else b.shown(total)
        b.total(number, of, cells)
        if draw(st.booleans()) and len(cells) > 2:
            part = sum(counts[:2])
            of = b.masked(3) if 0 < part < 3 else b.shown(part)
            b.total((number, "part"), of, cells[:2])
    return b.build()


@given(tables(), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_it_is_the_first_of_all_thresholds_that_protects(system, width):
    found = higher_threshold(system, 3, width=width)
    expected = next(
        (
            each
            for each in range(3, 60)
            if not len(audit(system.with_threshold(each), width=width).too_narrow)
        ),
        None,
    )
    assert found.threshold == expected
