"""The share of people at risk: by hand, against every knowledge, and its intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deidgui.engine.longitudinal import risk
from deidgui.engine.longitudinal.matching import Matcher
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import (
    Exposure,
    share_at_risk,
    wilson_interval,
)
from deidgui.engine.longitudinal.ways import ways_known
from deidgui.engine.risk.exposure import large_sample_size, safe_harbor_limit
from deidgui.errors import ConfigError
from tests.engine.longitudinal.small_histories import (
    every_knowledge,
    history_of,
    match_sizes,
    some_people,
)

# methods.md O-E4: A, A, B; A, A; A, C; and of the other sex A.
FOUR = history_of([(0, [0, 0, 1]), (0, [0, 0]), (0, [0, 2]), (1, [0])])


@pytest.fixture(autouse=True)
def _most_ways(monkeypatch):
    monkeypatch.setattr(risk, "MOST_WAYS", risk.MOST_WAYS)


def at_risk(history, levels, powers, *, only_decide=False, **asked):
    node = Matcher(history).at(levels)
    asked = Exposure(**asked, most_drawn=300_000)
    return share_at_risk(history, node, powers, asked, only_decide=only_decide)


def exact_share(history, levels, powers, size):
    """Mean over the people of the chance of fewer than `size` matches."""
    total = 0.0
    for person in range(history.n_people):
        found = [len(each) for each in match_sizes(history, person, levels, powers)]
        total += sum(n < size for n in found) / len(found)
    return total / history.n_people


def test_by_hand():
    powers = adversary_power(FOUR, 5)
    assert powers.ravel().tolist() == [2, 2, 1, 1]
    assert exact_share(FOUR, (0, 0), powers, 2) == pytest.approx(0.541667, abs=1e-6)
    assert ways_known(FOUR, powers).tolist() == [2, 1, 2, 1]
    found = at_risk(FOUR, (0, 0), powers, size=2, limit=0.5)
    assert (found.how, found.meets, found.is_decided) == ("every_way", False, True)
    assert found.share == pytest.approx((2 / 3 + 0 + 1 / 2 + 1) / 4)
    # Only of whom there is one way it is counted; it is drawn of the other two.
    risk.MOST_WAYS = 1
    found = at_risk(FOUR, (0, 0), powers, size=2, limit=0.5)
    assert (found.how, found.meets, found.is_decided) == ("estimated", False, True)
    assert found.low <= 0.541667 <= found.high
    assert found.low > 0.5


def test_published_numbers():
    """Figure 1 as methods.md E.3 corrects it (O-E1)."""
    assert safe_harbor_limit(0.05) == pytest.approx(0.008)
    assert int(113_000 * safe_harbor_limit(0.05)) == 904
    assert large_sample_size(20, 0.2) == 4
    assert [large_sample_size(20, each) for each in (0.05, 0.1, 0.5)] == [1, 2, 10]
    # If nobody above the threshold and everybody below it is as safe as they may be.
    limit = safe_harbor_limit(0.05)
    assert limit + (1 - limit) * 0.05 == pytest.approx(0.0576)
    with pytest.raises(ConfigError, match="sampling_fraction"):
        large_sample_size(20, 0.0)


levels = st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 2))


ways = st.sampled_from([0, 2, 4096])
"""How many ways are counted: of the others it is drawn what is known."""


@given(some_people, levels, st.integers(1, 3), st.integers(2, 3), ways, st.booleans())
@settings(deadline=None, max_examples=100)
def test_against_every_knowledge(people, levels, most, size, most_ways, only_decide):
    risk.MOST_WAYS = most_ways
    history = history_of(people)
    powers = adversary_power(history, most, "none")
    exact = exact_share(history, levels, powers, size)
    for limit in (0.0, 0.3, 1.0):
        # A share just at the limit may be decided either way.
        assume(exact == limit or abs(exact - limit) > 0.02)
        found = at_risk(
            history, levels, powers, size=size, limit=limit, only_decide=only_decide
        )
        assert found.low - 0.02 <= exact <= found.high + 0.02
        if found.is_decided:
            assert found.meets == (exact <= limit)
        if most_ways == 4096 and not only_decide:
            assert found.how != "estimated"
        if found.how in ("exact", "every_way"):
            assert found.share == pytest.approx(exact)
        assert found.how != "not_more" or found.share >= exact - 1e-12
        assert found.how != "not_less" or found.share <= exact + 1e-12


def test_nobody_is_refused():
    nobody = history_of([(0, [0])]).of_people(np.array([False]))
    with pytest.raises(ConfigError, match="nobody_there"):
        at_risk(nobody, (0, 0), np.zeros((0, 1), np.int32), size=2, limit=0.1)


def test_wilson_interval_of_the_textbook():
    # 81 of 263, 95 %: (0.2553, 0.3662) (Newcombe 1998, table I, method 3).
    assert wilson_interval(81, 263, 1.959964) == pytest.approx(
        (0.2553, 0.3662), abs=5e-5
    )
    assert wilson_interval(0, 20, 1.959964) == pytest.approx((0, 0.1611), abs=5e-5)


def test_wilson_interval_at_the_ends():
    assert wilson_interval(0, 10)[0] == 0.0
    assert wilson_interval(10, 10)[1] == pytest.approx(1.0)


def test_only_of_whom_not_everything_is_known_it_is_drawn():
    """One person in 200 may be known in two ways: the others are counted."""
    people = [(0, [0])] * 150 + [(1, [1])] * 49 + [(0, [0, 1])]
    history = history_of(people)
    powers = np.ones((200, 1), np.int32)
    exact = exact_share(history, (0, 0), powers, 50)
    # Women with A are 151; men with B 49; the last woman is alone if B is known.
    assert exact == pytest.approx((49 + 0.5) / 200)
    found = at_risk(history, (0, 0), powers, size=50, limit=0.2475)
    assert (found.how, found.share) == ("every_way", pytest.approx(exact))
    risk.MOST_WAYS = 1
    found = at_risk(history, (0, 0), powers, size=50, limit=0.2475)
    assert found.how == "estimated"
    assert 49 / 200 <= found.low <= exact <= found.high <= 50 / 200
    sure = adversary_power(history, 5, "none")
    found = at_risk(history, (0, 0), sure, size=50, limit=0.25)
    assert (found.how, found.share) == ("exact", 50 / 200)


def test_a_bound_decides_where_that_is_all_that_is_asked():
    """Fifty people at risk whatever is known of the last one."""
    people = [(0, [0])] * 150 + [(1, [1])] * 49 + [(0, [0, 1])]
    history = history_of(people)
    powers = np.ones((200, 1), np.int32)
    risk.MOST_WAYS = 1
    for limit, how in ((0.1, "not_less"), (0.5, "not_more")):
        asked = {"size": 50, "limit": limit}
        found = at_risk(history, (0, 0), powers, only_decide=True, **asked)
        assert (found.how, found.meets) == (how, limit == 0.5)
    # What is stated of a release is no bound, if the columns of people leave it open.
    assert at_risk(history, (0, 0), powers, size=50, limit=0.5).how == "estimated"


@given(some_people, levels, st.integers(0, 4), st.integers(1, 4))
@settings(deadline=None, max_examples=200)
def test_the_chance_of_each_person(people, levels, power, size):
    history = history_of(people)
    everybody = np.arange(history.n_people)
    powers = np.full((history.n_people, 2), power, np.int32)
    node = Matcher(history).at(levels)
    found = node.chances(everybody, powers, size, risk.MOST_WAYS)
    at_leaves = ways_known(history, powers)
    for person in everybody:
        sizes = [len(e) for e in match_sizes(history, person, levels, powers)]
        share = sum(n < size for n in sizes) / len(sizes)
        assert found[person] == pytest.approx(share)
        known = every_knowledge(history, person, (0, 0, 0), powers)
        ways = {tuple(frozenset(e.items()) for e in values) for _, values in known}
        assert at_leaves[person] == len(ways)


def test_chances_of_who_repeats_a_value_more_often_than_there_are_rows_of_bits():
    history = history_of([(0, [0] * 20 + [1]), (0, [0] * 19), (0, [0] * 25)])
    powers = np.array([[19], [19], [19]], np.int32)
    found = Matcher(history).at((0, 0)).chances(np.arange(3), powers, 2, 100)
    # All but two of 21: the second value is known in 19 of 21 cases.
    assert found == pytest.approx([19 / 21, 0, 0])
