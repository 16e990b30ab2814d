"""The eight records of the paper's Table 1 under every measure (methods.md O-B5)."""

import math

import numpy as np
import pytest

from deidgui.engine.privacy import KAnonymity
from deidgui.engine.quality import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Height,
    KLDivergence,
    Loss,
    MonotoneDiscernibility,
    MonotoneEntropy,
    NonUniformEntropy,
    Precision,
)
from deidgui.engine.search.profile import build_profile
from deidgui.engine.search.whole_lattice import search_lattice, what_if
from tests.engine.search.cases import hierarchy_of, table_of

AGES = (18, 19, 21, 22, 34, 35, 66, 70)
POPULATION = ((34, "M"), (22, "F"), (66, "M"), (70, "M"))
POPULATION += ((35, "F"), (21, "M"), (18, "F"), (19, "F"))
MEASURES = {
    "DM": Discernibility(),
    "DM*": MonotoneDiscernibility(),
    "AECS": AverageClassSize(),
    "entropy": NonUniformEntropy(),
    "entropy_bound": MonotoneEntropy(),
    "loss_mean": Loss("arithmetic_mean"),
    "loss_shifted": Loss("geometric_mean"),
    "precision": Precision(),
    "ambiguity": Ambiguity(),
    "KL": KLDivergence(),
}
EXPECTED = {
    # DM, DM*, AECS, entropy, its bound, Loss mean and shifted, precision, ambiguity, KL
    (2, (0, 0)): (8, 64, 8, 8, 32, 0, 1, 1, 1, 128, 1),
    (2, (1, 0)): (0, 16, 16, 2, 12, 12, 1 / 7, 0.1339, 0.25, 24, 0.5),
    (2, (1, 1)): (0, 24, 24, 8 / 3, 20, 20, 0.6429, 0.6036, 0.75, 48, 1),
    (2, (2, 0)): (0, 32, 32, 4, 24, 24, 0.5, 0.4142, 0.5, 64, 1),
    (3, (1, 1)): (4, 48, 24, 4, 24, 20, 0.8571, 0.8516, 0.875, 96, 1.5),
    (3, (2, 0)): (0, 32, 32, 4, 24, 24, 0.5, 0.4142, 0.5, 64, 1),
}


@pytest.fixture(scope="module")
def table():
    age = hierarchy_of("age", [[min(a // 20, 3) for a in AGES], [0] * 8])
    gender = hierarchy_of("gender", [[0, 0]])
    rows = [(AGES.index(a), "MF".index(g)) for a, g in POPULATION]
    return table_of([age, gender], rows)


@pytest.fixture(scope="module")
def profile(table):
    return build_profile(table, k_max=5, n_threads=1)


@pytest.mark.parametrize(("k", "levels"), EXPECTED)
def test_every_measure_at_one_node(profile, k, levels):
    n_suppressed, *expected = EXPECTED[k, levels]
    node = profile.lattice.node(levels)
    for measure, value in zip(MEASURES.values(), expected, strict=True):
        result = what_if(profile, [KAnonymity(k)], 1.0, measure)
        assert result.suppressed[node] == n_suppressed
        if result.exact[node]:
            assert result.loss[node] == pytest.approx(value, abs=5e-5)
        else:
            assert result.loss[node] <= value + 1e-9


def vector(table, k, limit, measure):
    result = search_lattice(table, [KAnonymity(k)], limit, measure, n_threads=1)
    return result.lattice.levels_of(result.optimum), result.n_solutions


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_optimum_without_suppression(table, measure):
    assert vector(table, 2, 0.0, measure) == ((1, 0), 4)
    assert vector(table, 3, 0.0, measure) == ((2, 0), 2)


def test_optimum_without_limit(table):
    for measure in (Discernibility(), Loss("arithmetic_mean"), Loss()):
        assert vector(table, 3, 1.0, measure)[0] == (2, 0)
    # AECS and entropy tie between (1, 1) and (2, 0): the smaller vector wins.
    for measure in (AverageClassSize(), NonUniformEntropy()):
        assert vector(table, 3, 1.0, measure)[0] == (1, 1)
    assert vector(table, 3, 1.0, Height())[0] == (0, 0)


def test_utility_is_not_monotone_with_suppressing(profile):
    """O-B1: less generalization is not always less loss."""
    entropy = what_if(profile, [KAnonymity(2)], 1.0, NonUniformEntropy())
    node = profile.lattice.node
    # (0, 0) was not looked at more closely: its exact value is 32.
    levels = (0, 0)
    exact = MEASURES["entropy"].exact_values(
        profile.facts, *classes_and_suppressed(profile, levels, 2)
    )
    assert exact.sum() == pytest.approx(32)
    assert entropy.loss[node((1, 0))] == pytest.approx(12)
    dm = what_if(profile, [KAnonymity(3)], 1.0, Discernibility())
    path = [dm.loss[node(each)] for each in ((1, 0), (1, 1), (2, 1))]
    assert path == [64, 48, 64]


def classes_and_suppressed(profile, levels, k):
    from deidgui.engine.data.class_table import classes_at

    classes = classes_at(profile.class_table, levels)
    return classes, classes.counts < k


@pytest.mark.parametrize(("k", "levels"), EXPECTED)
def test_one_node_from_its_classes(profile, k, levels):
    classes, suppressed = classes_and_suppressed(profile, levels, k)
    _, *expected = EXPECTED[k, levels]
    weights = np.ones(2)
    for measure, value in zip(MEASURES.values(), expected, strict=True):
        values = measure.exact_values(profile.facts, classes, suppressed)
        score = measure.scores(values[None, :], weights)[0, 0]
        assert math.isclose(score, value, abs_tol=5e-5)
