"""Matching with a register: published arithmetic, and matching by chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.attack.registers import (
    combinations,
    expected_share,
    share_of_release,
)
from deidgui.errors import ConfigError


def test_published_arithmetic():
    """methods.md O-E6."""
    assert expected_share(80, 16_000_000) == pytest.approx(5e-6)


def test_a_register_of_nobody_is_refused():
    with pytest.raises(ConfigError, match="register_empty"):
        expected_share(0, 0)
    with pytest.raises(ConfigError, match="nobody_there"):
        share_of_release(np.zeros(2, np.int64), np.ones(2, np.int64))


def test_share_of_a_release_by_hand():
    # 2 of 4 people, 1 of 1, and 1 without people: (2/4 + 1) / 4.
    released, register = np.array([2, 1, 1]), np.array([4, 1, 0])
    assert share_of_release(released, register) == pytest.approx(0.375)


def test_both_forms_agree_over_all_samples():
    """The mean of the second over every sample of 3 of 6 people is the first."""
    from itertools import combinations as choose

    people = np.array([0, 0, 0, 1, 1, 2])
    register = np.bincount(people)
    shares = [
        share_of_release(np.bincount(people[list(each)], minlength=3), register)
        for each in choose(range(6), 3)
    ]
    assert np.mean(shares) == pytest.approx(expected_share(3, 6))


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=20))
def test_more_attributes_tell_no_less(rows):
    columns = dict(zip("abc", np.array(rows).T, strict=True))
    found = {each.attributes: each for each in combinations(columns, (1, 2, 3))}
    assert len(found) == 7
    for names, each in found.items():
        distinct = {tuple(row["abc".index(name)] for name in names) for row in rows}
        assert each.n_classes == len(distinct)
        for more, other in found.items():
            assert not set(names) <= set(more) or other.share >= each.share
