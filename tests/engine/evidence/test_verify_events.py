"""People at risk by known events, counted by the code of the verification."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.evidence.verify_events import (
    MeasuredShare,
    PersonShown,
    ReleasedPeople,
    agrees,
    least_matching,
    power_of,
)
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.risk.decision import deciding_size
from deidgui.engine.risk.exposure import large_sample_size
from tests.engine.longitudinal.small_histories import (
    history_of,
    match_sizes,
    some_people,
    values_of,
)

LEVELS = (0, 0, 0)


def shown_of(history, levels):
    found = []
    for person in range(history.n_people):
        own, values = values_of(history, person, levels)
        found.append(PersonShown(own, tuple(Counter(dict(v)) for v in values)))
    return ReleasedPeople(found)


@settings(max_examples=60, deadline=None)
@given(some_people, st.integers(1, 4), st.integers(1, 4))
def test_shares_are_those_of_everything_that_may_be_known(people, most, size):
    history = history_of(people)
    levels = LEVELS[: 1 + len(history.event_hierarchies)]
    shown = shown_of(history, levels)
    for diversity in ("entropy", "simpson", "none"):
        powers = adversary_power(history, most, diversity)
        own = [
            [power_of(values, most, diversity) for values in each.values]
            for each in shown.people
        ]
        assert own == powers.tolist()
        risks = [
            np.mean(
                [len(each) < size for each in match_sizes(history, i, levels, powers)]
            )
            for i in range(history.n_people)
        ]
        measured = shown.by_some(size, most, diversity)
        assert measured.share == pytest.approx(np.mean(risks))
        assert measured.low == measured.high == measured.share
    everything = np.repeat(
        history.n_events_of[:, None], len(history.event_hierarchies), axis=1
    )
    by_all = [
        len(match_sizes(history, i, levels, everything)[0]) < size
        for i in range(history.n_people)
    ]
    assert shown.by_all(size) == pytest.approx(np.mean(by_all))
    by_own = [
        sum(each.own == other.own for other in shown.people) < size
        for each in shown.people
    ]
    assert shown.by_own(size) == pytest.approx(np.mean(by_own))


def test_draws_are_near_the_count(monkeypatch):
    # O-E4 of methods.md.
    people = [(0, [0, 0, 1]), (0, [0, 0]), (0, [0, 2]), (1, [0])]
    history = history_of(people)
    shown = shown_of(history, (0, 0))
    counted = shown.by_some(2, 5, "entropy")
    assert counted.share == pytest.approx(0.541667, abs=1e-6)
    monkeypatch.setattr("deidgui.engine.evidence.verify_events.MOST_EXACT", 0)
    drawn = shown.by_some(2, 5, "entropy")
    assert drawn.low < counted.share < drawn.high
    assert agrees(counted, drawn)
    assert agrees(MeasuredShare(0.54, 0.53, 0.55), counted)
    assert not agrees(MeasuredShare(0.44, 0.43, 0.45), counted)


@given(
    st.sampled_from([0.05, 0.09, 0.1, 0.2, 0.33, 1.0]),
    st.sampled_from([0.05, 0.1, 0.2, 0.5, 1.0]),
    st.sampled_from([0.01, 0.05, 0.1]),
)
def test_sizes_are_those_of_the_search(threshold, fraction, significance):
    people = int(np.ceil(1 / threshold - 1e-9))
    assert least_matching(threshold, fraction, "poisson", significance) == (
        deciding_size(people, fraction, significance)
    )
    assert least_matching(threshold, fraction, "large_sample", None) == (
        large_sample_size(1 / threshold, fraction)
    )
