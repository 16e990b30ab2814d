"""What rows tell is measured from the files as it is measured before the release."""

import random

import numpy as np
import pytest

from deidgui.engine.data.people import ValueSets
from deidgui.engine.evidence.verify_rows import risks_of_rows
from deidgui.engine.risk.class_sizes import size_at_risk
from deidgui.engine.risk.rows_known import risk_of_rows


@pytest.mark.parametrize("seed", range(8))
def test_both_ways_agree(seed):
    chance = random.Random(seed)
    n_people = chance.choice([1, 2, 30, 200])
    shown, n_rows = {}, {}
    for person in range(n_people):
        rows = chance.choices("abcde", k=chance.randint(1, 6))
        shown[f"p{person}"], n_rows[f"p{person}"] = set(rows), len(rows)
    codes = [sorted("abcde".index(e) for e in each) for each in shown.values()]
    starts = np.cumsum([0, *map(len, codes)])
    sets = ValueSets(starts.astype(np.int64), np.concatenate(codes).astype(np.int64))
    threshold = 0.2
    expected = {
        each.known: each
        for each in risk_of_rows(
            sets, np.array([*n_rows.values()], np.int64), threshold
        )
    }
    found = risks_of_rows(shown, n_rows)
    assert found.keys() == expected.keys()
    for known, each in found.items():
        assert each.highest == pytest.approx(expected[known].highest)
        assert each.average == pytest.approx(expected[known].average)
        assert each.above(size_at_risk(threshold)) == expected[known].n_at_risk


def test_nobody_has_no_risk():
    assert risks_of_rows({}, {}) == {}
