"""What every risk estimator keeps to."""

import inspect

import numpy as np
import pytest

from deidgui.engine import risk
from deidgui.engine.detect.subsets import column_distinction
from deidgui.engine.risk import (
    attacker_risk,
    class_size_histogram,
    cumulative_risk,
    measure_risk,
)

SIZES = np.random.default_rng(5).geometric(0.3, 40)
ESTIMATORS = {
    "attacker_risk": lambda sizes: attacker_risk(sizes, sizes, 0.5, 0.2),
    "cumulative_risk": lambda sizes: cumulative_risk(sizes).tolist(),
    "column_distinction": column_distinction,
    "measure_risk": lambda sizes: measure_risk(sizes, threshold=0.2),
    "class_size_histogram": lambda sizes: class_size_histogram(sizes).sizes.tolist(),
}
estimators = pytest.mark.parametrize("estimate", ESTIMATORS.values(), ids=ESTIMATORS)


@estimators
def test_order_of_classes_does_not_matter(estimate):
    shuffled = np.random.default_rng(6).permutation(SIZES)
    assert repr(estimate(shuffled)) == repr(estimate(SIZES))


@estimators
def test_nothing_is_changed_by_measuring(estimate):
    before = SIZES.copy()
    estimate(SIZES)
    assert (before == SIZES).all()


@estimators
@pytest.mark.parametrize("sizes", [[1], [7], [1] * 30, [1000]])
def test_degenerate_tables(estimate, sizes):
    assert "nan" not in repr(estimate(np.array(sizes)))


@pytest.mark.parametrize("sampling_fraction", [None, 0.1])
def test_probabilities_lie_between_zero_and_one(sampling_fraction):
    figures = measure_risk(SIZES, threshold=0.3, sampling_fraction=sampling_fraction)
    for attacker in (figures.prosecutor, figures.journalist):
        assert 0 < attacker.lowest <= attacker.average <= attacker.highest <= 1
        assert 0 <= attacker.at_risk <= 1
    assert 0 < figures.marketer <= figures.journalist.average <= 1
    assert figures.journalist.highest <= figures.prosecutor.highest


def test_every_estimator_cites_its_source():
    for name in risk.__all__:
        item = getattr(risk, name)
        if inspect.isfunction(item):
            text = inspect.getdoc(item)
            assert "Returns" in text or "Parameters" not in text, name
            if name in ("measure_risk", "attacker_risk"):
                assert "References" in text, name
    assert "References" in inspect.getdoc(column_distinction)
