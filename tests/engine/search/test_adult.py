"""Published and independently verified optima of Adult (methods.md O-B6, O-F3)."""

import numpy as np
import pytest

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    KAnonymity,
)
from deidgui.engine.quality import (
    AverageClassSize,
    Discernibility,
    Loss,
    MonotoneEntropy,
    NonUniformEntropy,
    Precision,
)
from deidgui.engine.search.profile import build_profile
from deidgui.engine.search.whole_lattice import search_lattice, what_if
from tests.engine.search.adult import adult_classes


@pytest.fixture(scope="module")
def profile():
    return build_profile(adult_classes())


@pytest.mark.parametrize(
    ("k", "limit", "n_solutions"),
    [(5, 0.0, 87), (5, 0.04, 4452), (5, 1.0, 12960), (100, 0.04, 474)],
)
def test_number_of_solutions(profile, k, limit, n_solutions):
    assert what_if(profile, [KAnonymity(k)], limit, Loss()).n_solutions == n_solutions


MEAN, SHIFTED = Loss("arithmetic_mean"), Loss("geometric_mean")
AT_0 = (0, 4, 1, 1, 3, 2, 2, 1, 0)
AT_4 = (0, 3, 0, 1, 1, 1, 1, 2, 0)
AT_100 = (0, 3, 0, 0, 2, 1, 1, 1, 0)
BITS = (1, 0, 1, 1, 3, 2, 2, 0, 1)


@pytest.mark.parametrize(
    ("measure", "limit", "loss", "levels", "n_suppressed"),
    [
        (MEAN, 0.0, 0.635544, AT_0, 0),
        (MEAN, 0.04, 0.292816, AT_4, 1178),
        (MEAN, 1.0, 0.227700, AT_100, 2553),
        (SHIFTED, 0.0, 0.573151, AT_0, 0),
        (SHIFTED, 0.04, 0.266111, AT_4, 1178),
        (SHIFTED, 1.0, 0.220412, AT_100, 2553),
        (MonotoneEntropy(), 0.0, 407289.53889, (1, 2, 1, 1, 3, 2, 2, 1, 1), 0),
        (MonotoneEntropy(), 0.04, 255559.85456, BITS, 906),
        (MonotoneEntropy(), 1.0, 0, (0, 0, 0, 0, 0, 0, 0, 0, 0), 23470),
        (NonUniformEntropy(), 0.0, 407289.53889, (1, 2, 1, 1, 3, 2, 2, 1, 1), 0),
        (NonUniformEntropy(), 0.04, 264971.58256, BITS, 906),
        (NonUniformEntropy(), 1.0, 249855.10868, (0, 0, 1, 1, 3, 2, 2, 0, 0), 3659),
        (Discernibility(), 0.0, 33627534, (1, 1, 1, 2, 3, 2, 2, 1, 1), 0),
        (Discernibility(), 0.04, 7220555, (0, 0, 1, 2, 3, 2, 2, 1, 1), 105),
        (Discernibility(), 1.0, 7220555, (0, 0, 1, 2, 3, 2, 2, 1, 1), 105),
        (AverageClassSize(), 0.0, 628.375, (1, 2, 1, 1, 3, 2, 2, 1, 1), 0),
        (AverageClassSize(), 0.04, 28.80802, BITS, 906),
        (AverageClassSize(), 1.0, 16.32143, (0, 0, 1, 1, 1, 2, 2, 0, 1), 7185),
        (Precision(), 0.0, 0.666667, AT_0, 0),
        (Precision(), 0.04, 0.377467, (0, 4, 0, 0, 2, 1, 0, 2, 0), 1192),
        (Precision(), 1.0, 0.311946, (0, 4, 0, 0, 1, 0, 0, 1, 0), 4100),
    ],
)
def test_optimum_under_5_anonymity(profile, measure, limit, loss, levels, n_suppressed):
    result = what_if(profile, [KAnonymity(5)], limit, measure)
    # Printed to five or six digits.
    assert result.loss[result.optimum] == pytest.approx(loss, rel=2e-6)
    assert result.lattice.levels_of(result.optimum) == levels
    assert result.suppressed[result.optimum] == n_suppressed
    assert result.is_complete


def test_optimum_under_100_anonymity(profile):
    strict = what_if(profile, [KAnonymity(100)], 0.04, MonotoneEntropy())
    assert strict.loss[strict.optimum] == pytest.approx(379417.34606, abs=1e-4)
    assert strict.lattice.levels_of(strict.optimum) == (1, 1, 1, 1, 3, 2, 2, 1, 1)
    assert strict.suppressed[strict.optimum] == 866
    none = what_if(profile, [KAnonymity(100)], 0.0, MonotoneEntropy())
    assert none.loss[none.optimum] == pytest.approx(453196.89325, abs=1e-4)
    assert none.lattice.levels_of(none.optimum) == (0, 4, 1, 1, 3, 2, 2, 1, 1)


def test_k_and_its_risk_are_one_threshold(profile):
    by_size = what_if(profile, [KAnonymity(10)], 0.05, Loss())
    by_risk = what_if(profile, [HighestProsecutorRisk(0.1)], 0.05, Loss())
    assert (by_size.suppressed == by_risk.suppressed).all()
    assert by_size.optimum == by_risk.optimum


def test_average_risk_suppresses_as_few_classes_as_possible():
    adult = adult_classes()
    result = search_lattice(adult, [AverageProsecutorRisk(0.1)], 0.05, Loss())
    does_suppress = np.flatnonzero(result.suppressed > 0)
    assert len(does_suppress) > 100
    for node in [*does_suppress[::80].tolist(), *range(0, 12960, 997)]:
        sizes = np.sort(classes_at(adult, result.lattice.levels_of(node)).counts)
        left = adult.n_records - np.concatenate([[0], np.cumsum(sizes)])
        is_met = np.arange(len(sizes), -1, -1) <= 0.1 * left + 1e-9
        assert result.suppressed[node] == sizes[: int(np.argmax(is_met))].sum()


def test_bottom_node_is_the_raw_table(profile):
    # O-F3: 19,502 classes, 15,512 uniques, 2,098 pairs.
    assert profile.n_classes[0] == 19502
    assert profile.tiers[0, 1, :2].tolist() == [15512, 15512]
    assert profile.tiers[0, 2, :2].tolist() == [15512 + 2 * 2098, 15512 + 2098]
