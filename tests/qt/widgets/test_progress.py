"""Is the time left that is shown one that a person can rely on?"""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.qt.widgets import StatusLine
from deidgui.qt.widgets.progress import LEAST_S, Pace, left_words

TOTAL_S = 200.0


def _foretold(fraction_at, every_s=0.5):
    """Time, and seconds foretold to be left, of work that takes `TOTAL_S`."""
    pace, found = Pace(), []
    for step in range(1, int(TOTAL_S / every_s)):
        now = step * every_s
        left = pace.left_s(fraction_at(now / TOTAL_S), now)
        if left is not None:
            found.append((now, left))
    return found


@pytest.mark.parametrize("power", [0.85, 0.95, 1.0])
def test_the_end_of_work_that_slows_down_steadily_is_foreseen(power):
    found = _foretold(lambda part: part**power)
    assert found
    for now, left in found:
        assert left == pytest.approx(TOTAL_S - now, rel=1e-6, abs=1e-6)


@given(power=st.floats(0.2, 4.0), every_s=st.sampled_from([0.05, 0.5, 7.0]))
def test_what_is_foretold_never_becomes_later(power, every_s):
    found = _foretold(lambda part: part**power, every_s)
    ends = [now + left for now, left in found]
    for before, after in pairwise(ends):
        assert after <= before * (1 + 1e-9)
    assert all(end >= TOTAL_S * (1 - 1e-9) for end in ends)


def test_work_whose_end_recedes_has_no_time_left():
    """Each further percent takes longer: no figure, instead of one that grows."""
    assert not _foretold(lambda part: part**0.5)
    # Of this nobody can know more while it begins steadily.
    told = [now for now, _ in _foretold(lambda part: 1 - 0.001**part)]
    assert max(told) < 0.1 * TOTAL_S


def test_a_figure_goes_once_the_work_slows_down():
    """The quick stage is a tenth of the time and a third of the fraction."""

    def staged(part):
        return part * 3 if part < 0.1 else 0.3 + (part - 0.1) * 7 / 9

    found = _foretold(staged)
    wrong = [now for now, left in found if left < 0.5 * (TOTAL_S - now)]
    assert 0.1 * TOTAL_S <= max(wrong) <= 0.125 * TOTAL_S
    # The slow stage is foreseen once it is half of what was seen.
    late = [(now, left) for now, left in found if now > max(wrong)]
    assert min(now for now, _ in late) == pytest.approx(0.2 * TOTAL_S, rel=0.1)
    assert len(late) > 300
    for now, left in late:
        assert left == pytest.approx(TOTAL_S - now, rel=0.2)
        if now > 0.3 * TOTAL_S:
            assert left == pytest.approx(TOTAL_S - now, rel=1e-6, abs=1e-6)


def test_nothing_is_foretold_from_the_beginning_alone():
    pace = Pace()
    assert pace.left_s(0.5, 20.0) is None  # one report shows no speed
    assert min(now for now, _ in _foretold(lambda part: part)) >= LEAST_S
    assert min(now for now, _ in _foretold(lambda part: part)) >= 0.05 * TOTAL_S
    silent = Pace()
    silent.left_s(0.0, 5.0)
    assert silent.left_s(0.5, 10.0) is None  # it may have begun late


def test_other_work_is_judged_by_itself(qtbot):
    pace = Pace()
    for now in (4.0, 8.0):
        pace.left_s(now / 100, now)
    assert pace.left_s(0.01, 8.5) is None
    line = StatusLine()
    qtbot.addWidget(line)
    line.set_progress("Counting", 0.1, 10.0)
    line.set_progress("Searching", 0.5, 20.0)
    assert line._time.text() == "20 s so far"
    line.set_progress("Searching", 0.75, 40.0)
    assert line._time.text() == "40 s so far"  # the second half takes twice as long


def test_hours_of_reports_are_remembered_by_few():
    pace = Pace()
    for step in range(1, 40_000):
        pace.left_s(step / 40_000, step / 4)
    assert len(pace._reports) < 250


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than 10 s left"),
        (10, "less than 10 s left"),
        (11, "about 20 s left"),
        (61, "about 1 min 30 s left"),
        (200, "about 4 min left"),
        (601, "about 15 min left"),
        (3500, "about 1 h left"),
        (3700, "about 1 h 30 min left"),
    ],
)
def test_time_left_is_said_in_round_steps(seconds, words):
    assert left_words(seconds) == words
