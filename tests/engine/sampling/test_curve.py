"""Subsampling curves: published arithmetic, every sample, and drawn samples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.sampling.curve import (
    SizeCounts,
    average_risk,
    detectable_effects,
    highest_survives,
    largest_sample,
    sample_size,
    simulate,
    suppressed_share,
)
from deidgui.errors import ConfigError

EIGHT = SizeCounts.of(np.array([1, 1, 2, 4]))


def every_sample(class_sizes, n_sampled):
    """Classes and smallest class of every possible sample."""
    of_person = [at for at, size in enumerate(class_sizes) for _ in range(size)]
    for chosen in combinations(range(len(of_person)), n_sampled):
        present = {of_person[each] for each in chosen}
        yield len(present), min((class_sizes[each] for each in present), default=0)


def test_by_hand():
    """methods.md O-C1."""
    assert average_risk(EIGHT, 8) == 0.5
    assert average_risk(EIGHT, 4) == pytest.approx(0.3464286, abs=1e-7)
    assert average_risk(EIGHT, 0) == 0


@pytest.mark.parametrize(
    ("fraction", "risk"), [(0.5, 0.335938), (0.25, 0.202637), (0.1, 0.091737)]
)
def test_many_people(fraction, risk):
    """O-C1's large-sample form, reached by the same shares among 800,000 people."""
    # Each class of F people a hundred thousand times.
    many = SizeCounts(EIGHT.sizes, EIGHT.n_classes * 100_000)
    n = sample_size(many.n_people, fraction)
    assert average_risk(many, n) == pytest.approx(risk, abs=2e-6)


def test_published_sizes():
    """methods.md O-C2."""
    assert sample_size(919_710, 0.30) == 275_913
    assert sample_size(919_710, 0.35) == 321_898


def test_detectable_effects_of_3000():
    found = detectable_effects(3000)
    assert found.difference == pytest.approx(0.118, abs=5e-4)
    assert found.correlation == pytest.approx(0.0592, abs=5e-5)


sizes = st.lists(st.integers(1, 4), min_size=1, max_size=5)


@given(sizes, st.data())
def test_against_every_sample(class_sizes, data):
    classes = SizeCounts.of(np.array(class_sizes))
    total = sum(class_sizes)
    n = data.draw(st.integers(0, total))
    found = list(every_sample(class_sizes, n))
    expected = np.mean([n_classes for n_classes, _ in found]) / total
    assert average_risk(classes, n) == pytest.approx(expected)
    survives = np.mean([least == min(class_sizes) for _, least in found])
    assert highest_survives(classes, n) == pytest.approx(survives)


@given(sizes, st.floats(0.01, 1))
def test_largest_sample(class_sizes, threshold):
    classes = SizeCounts.of(np.array(class_sizes))
    n = largest_sample(classes, threshold)
    assert average_risk(classes, n) <= threshold + 1e-9
    if n < classes.n_people:
        assert average_risk(classes, n + 1) > threshold


def test_drawn_samples_agree_with_the_closed_form():
    classes = SizeCounts.of(np.repeat([1, 2, 5, 40], [300, 100, 60, 10]))
    points = [50, 900, 200, 500]
    found = simulate(classes, points, 1000, seed=3)
    for at, n in enumerate(points):
        drawn = found.average[:, at]
        error = drawn.std(ddof=1) / np.sqrt(len(drawn))
        assert abs(drawn.mean() - average_risk(classes, n)) <= 4 * error + 1e-12
    low, high = found.percentiles(2.5, 97.5)
    assert (low <= found.average.mean(axis=0)).all()
    assert (high >= found.average.mean(axis=0)).all()
    # The highest risk hardly moves: some of 300 uniques is in every sample.
    assert (found.highest == 1.0).all()
    again = simulate(classes, points, 1000, seed=3)
    assert (again.average == found.average).all()


def test_drawn_samples_of_few_people_are_every_sample():
    """The shares of the drawn numbers of classes are those of all samples."""
    found = simulate(EIGHT, [3], 40_000, seed=1)
    drawn = np.round(found.average[:, 0] * 8).astype(int)
    every = list(every_sample([1, 1, 2, 4], 3))
    for n_classes in (1, 2, 3):
        share = np.mean([each == n_classes for each, _ in every])
        assert np.mean(drawn == n_classes) == pytest.approx(share, abs=0.012)
    shares = {least: 0 for _, least in every}
    for _, least in every:
        shares[least] += 1 / len(every)
    for least, share in shares.items():
        assert np.mean(found.highest[:, 0] == 1 / least) == pytest.approx(
            share, abs=0.012
        )


def test_impossible_samples_are_refused():
    with pytest.raises(ConfigError, match="sample_size"):
        average_risk(EIGHT, 9)
    with pytest.raises(ConfigError, match="sample_size"):
        simulate(EIGHT, [9], 1, 0)
    with pytest.raises(ConfigError, match="sampling_fraction"):
        sample_size(8, 1.1)
    with pytest.raises(ConfigError, match="nobody_there"):
        SizeCounts.of(np.array([], int))
    with pytest.raises(ConfigError, match="sample_size"):
        detectable_effects(3)


@pytest.mark.parametrize("least", [1, 2, 3, 5])
@pytest.mark.parametrize("n_sampled", range(1, 9))
def test_suppressed_share_is_that_of_every_sample(n_sampled, least):
    sizes = [1, 1, 2, 4]
    of_person = [at for at, size in enumerate(sizes) for _ in range(size)]
    shares = []
    for drawn in combinations(of_person, n_sampled):
        seen = [drawn.count(at) for at in range(len(sizes))]
        shares.append(sum(each for each in seen if each < least) / n_sampled)
    found = suppressed_share(EIGHT, n_sampled, least)
    assert found == pytest.approx(np.mean(shares), abs=1e-12)
