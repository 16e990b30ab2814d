"""Steps before a search: by hand, and the published figures that can be checked."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.table import Column
from deidgui.engine.longitudinal.preparation import (
    event_scores,
    truncate,
)
from deidgui.engine.preparation.columns import nearest_rank
from deidgui.engine.preparation.lists import ListedCode
from deidgui.engine.preparation.providers import population_estimates, rare_providers
from deidgui.engine.preparation.removal import people_with_codes
from deidgui.errors import ConfigError
from tests.engine.longitudinal.small_histories import history_of, some_people

FOUR = [(0, [0, 0, 1]), (0, [0, 0]), (0, [0, 2]), (1, [0])]


def test_the_rarest_event_goes_first():
    """methods.md O-E5: truncation at 2 events removes B of the first patient."""
    history = history_of(FOUR)
    found = truncate(history, 0.75)
    assert found.most == {0: 2}
    assert np.flatnonzero(found.is_removed).tolist() == [2]
    assert (found.n_events, found.n_people) == (1, 1)
    kept = history.without(found.is_removed)
    assert kept.n_events_of.tolist() == [2, 2, 2, 1]


def test_scores_by_hand():
    # A has everybody; B and C one of four: 2 bits.
    assert event_scores(history_of(FOUR)).tolist() == [0, 0, 2, 0, 0, 0, 2, 0]


@given(some_people, st.sampled_from([0.5, 0.75, 0.95, 1.0]), st.booleans())
def test_truncation_by_a_plain_loop(people, share, by_period):
    history = history_of(people)
    periods = np.arange(history.n_events) % 2 if by_period else None
    found = truncate(history, share, periods, seed=1)
    of_event = np.zeros(history.n_events, int) if periods is None else periods
    scores = event_scores(history)
    touched = set()
    for period in sorted(set(of_event.tolist())):
        inside = [e for e in range(history.n_events) if of_event[e] == period]
        sizes = sorted(Counter(history.owners[inside].tolist()).values())
        most = sizes[math.ceil(share * len(sizes)) - 1]
        assert found.most[period] == most
        # No more lose events than the percentile says.
        assert sum(size > most for size in sizes) <= (1 - share) * len(sizes) + 1e-9
        for person in set(history.owners[inside].tolist()):
            own = [e for e in inside if history.owners[e] == person]
            gone = [e for e in own if found.is_removed[e]]
            left = [e for e in own if not found.is_removed[e]]
            assert len(left) == min(len(own), most)
            if gone:
                touched.add(person)
                assert min(scores[gone]) >= max(scores[left], default=0)
    assert found.n_people == len(touched)


def test_nearest_rank():
    values = np.array([5, 1, 4, 2, 3])
    assert [nearest_rank(values, each) for each in (0.2, 0.21, 0.8, 0.95, 1)] == [
        1,
        2,
        4,
        5,
        5,
    ]
    with pytest.raises(ConfigError, match="percentile"):
        nearest_rank(values, 0)


def test_people_with_codes():
    column = Column.from_texts("dx", ["042", "042.1", "I10", "b20", "", "0421"])
    owners = np.array([0, 1, 2, 3, 4, 5])
    codes = [
        ListedCode("042", is_prefix=False, reason="HIV"),
        ListedCode("B20", is_prefix=True, reason="HIV"),
        ListedCode("0421", is_prefix=False, reason="other"),
        ListedCode("Z", is_prefix=True, reason="nobody"),
    ]
    has, by_reason = people_with_codes([column], owners, 6, codes)
    assert has.tolist() == [True, True, False, True, False, True]
    assert by_reason == {"HIV": 2, "other": 2, "nobody": 0}


def test_published_point_estimates():
    """methods.md E.6."""
    estimates = population_estimates(np.array([2, 3, 5, 10]), 1.0)
    # At a fraction of 1 the count itself is larger than λ; at 0.1 it is λ / 0.1.
    assert estimates.tolist() == [2, 3, 5, 10]
    means = population_estimates(np.array([2, 3, 5, 10]), 0.1) * 0.1
    assert means == pytest.approx([1.593624, 2.821439, 4.965114, 9.999546], abs=1e-6)
    assert population_estimates(np.array([1]), 0.1).tolist() == [1]
    with pytest.raises(ConfigError, match="sampling_fraction"):
        population_estimates(np.array([1]), 0)


def test_numbers_of_rare_providers_go():
    # Pattern 0 has 3 providers, pattern 1 has 2; at 0.1 that is 28.2 and 15.9.
    pattern = np.array([0, 0, 0, 0, 1, 1])
    provider = np.array([0, 1, 2, 2, 0, 1])
    is_rare, estimated = rare_providers([pattern], provider, 0.1)
    assert is_rare.tolist() == [False] * 4 + [True] * 2
    assert estimated[[0, 4]] == pytest.approx([28.21439, 15.93624], abs=1e-5)
