"""k-map, δ-presence, population uniqueness and safe sampling: meaning and errors."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable, classes_at
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.privacy import (
    PRIVACY_MODELS,
    DeltaPresence,
    EpsilonDelta,
    EstimatedKMap,
    HighestJournalistRisk,
    KAnonymity,
    KMap,
    MarketerRisk,
    PopulationUniqueness,
)
from deidgui.engine.risk.class_sizes import class_size_histogram
from deidgui.engine.risk.uniqueness import population_uniqueness
from deidgui.errors import ConfigError, InputError
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    nodes_of,
    protected,
    table_of,
)


def small_table():
    """Leaves a, b, c, d with records 1, 2, 0, 3 and people 4, 2, 5, 12."""
    found = hierarchy_of("x", [[0, 0, 1, 1], [0] * 4])
    table = table_of([found], [(0,), (1,), (1,), (3,), (3,), (3,)])
    cells = np.array([[0], [1], [2], [3]], dtype=np.int32)
    return replace(table, population=Register(cells, np.array([4, 2, 5, 12])))


def test_k_map_counts_people_and_not_records():
    classes = classes_at(small_table(), (0,))
    assert KMap(2).holds(classes).all()
    assert KMap(3).holds(classes).tolist() == [True, False, True]
    assert KMap(5).holds(classes).tolist() == [False, False, True]
    # One level up: {a, b} with 6 people, {c, d} with 17.
    assert KMap(6).holds(classes_at(small_table(), (1,))).all()
    assert KMap(7).holds(classes_at(small_table(), (1,))).tolist() == [False, True]


@given(class_tables(), st.integers(2, 9))
def test_k_map_of_a_population_that_is_the_data_is_k_anonymity(case, k):
    table = case[0]
    table = replace(table, population=Register(table.leaves, table.counts))
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        assert (KMap(k).holds(classes) == KAnonymity(k).holds(classes)).all()


def test_delta_presence_is_records_by_people():
    classes = classes_at(small_table(), (0,))  # 1/4, 2/2, 3/12, and 0/5 of c
    assert DeltaPresence(dmax=0.25).holds(classes).tolist() == [True, False, True]
    assert DeltaPresence(0.25, 0.5).holds(classes).tolist() == [True, False, True]
    assert DeltaPresence(0.3, 1.0).holds(classes).tolist() == [False, True, False]
    above = classes_at(small_table(), (1,))  # 3/6 and 3/17
    assert DeltaPresence(0.2, 0.5).holds(above).tolist() == [True, False]


def test_people_without_a_record_cannot_be_suppressed():
    below, above = (classes_at(small_table(), (level,)) for level in (0, 1))
    asked = DeltaPresence(dmin=0.1)
    assert not asked.is_possible(below)
    assert asked.is_possible(above)
    assert DeltaPresence(dmin=0.1, absent="ignored").is_possible(below)
    assert DeltaPresence(dmin=0.0, dmax=0.5).is_possible(below)


def test_lower_bound_above_the_upper_one_is_refused():
    with pytest.raises(ConfigError) as refused:
        DeltaPresence(dmin=0.5, dmax=0.4)
    assert refused.value.code == "parameter_range"
    assert refused.value.params["parameter"] == "dmin"
    assert refused.value.params["allowed"] == "[0, 0.4]"


@pytest.mark.parametrize(
    ("fraction", "significance", "truncated", "poisson"),
    [(0.05, 0.1, 4, 3), (0.1, 0.05, 6, 6), (0.2, 0.1, 8, 8), (0.5, 0.01, 19, 19)],
)
def test_estimated_k_map_is_k_anonymity_with_the_deciding_size(
    fraction, significance, truncated, poisson
):
    """O-E3, K = 20."""
    assert EstimatedKMap(20, fraction, significance).k == 20
    assert EstimatedKMap(20, fraction, significance).depth == truncated
    assert EstimatedKMap(20, fraction, significance, "poisson").depth == poisson


def unique_share(sizes, population_size, estimator):
    """Estimated share, infinite if there is no valid estimate."""
    if not len(sizes):
        return 0.0
    found = population_uniqueness(
        class_size_histogram(sizes), sizes.sum() / population_size, estimator
    )
    return found.share if found.is_valid else math.inf


@pytest.mark.parametrize("estimator", ["dankar", "zayatz", "pitman", "snb"])
@given(class_tables(), st.sampled_from([0.05, 0.3]), st.sampled_from([0.01, 0.05, 0.2]))
def test_population_uniqueness_suppresses_single_records(estimator, case, share, limit):
    """As few as are enough where one fewer is not; the population stays as it is."""
    table = case[0]
    model = PopulationUniqueness(limit, share, estimator)
    population_size = round(table.n_records / share)
    for levels in nodes_of(table):
        counts = classes_at(table, levels).counts
        kept = model.holds(classes_at(table, levels))
        assert kept[counts > 1].all()
        left = np.sort(counts[kept])
        assert unique_share(left, population_size, estimator) <= limit + 1e-12
        if not kept.all():
            one_more = np.concatenate([[1], left])
            assert unique_share(one_more, population_size, estimator) > limit


def test_uniques_are_counted_where_the_records_are_everybody():
    """Nine unique of 20: at most 15 % of 20 may stay, however few are released."""
    rows = [(leaf,) for leaf in range(9)] + [(9,)] * 11
    table = table_of([hierarchy_of("x", [list(range(10)), [0] * 10])], rows)
    kept = PopulationUniqueness(0.15, 1.0).holds(classes_at(table, (0,)))
    assert kept.tolist() == [False] * 6 + [True] * 4


def test_population_uniqueness_judges_what_other_models_leave():
    rows = [(0,)] + [(1,)] * 2 + [(2,)] * 9
    table = table_of([hierarchy_of("x", [[0, 1, 2], [0] * 3])], rows)
    classes = classes_at(table, (0,))
    model = PopulationUniqueness(0.0, 0.5, "zayatz")
    assert not model.holds(classes)[0]
    kept = np.array([False, True, True])
    assert model.restrict(classes, kept).tolist() == [False, True, True]


def test_epsilon_delta_states_its_sampling():
    """O-B3."""
    model = EpsilonDelta(epsilon=1.0, delta=1e-6)
    assert model.k == model.depth == 74
    assert model.most_sampled == pytest.approx(1 - math.exp(-1))
    assert "63.21\u202f%" in model.words()
    assert "generalization_without_data" in model.assumptions
    assert "sampled_with_stated_probability" in model.assumptions


NEEDS = [kind for kind in PRIVACY_MODELS if kind.needs_population]


@pytest.mark.parametrize("kind", NEEDS, ids=lambda kind: kind.kind)
def test_what_is_missing_is_said_before_any_search(kind):
    params = {"k_map": {"k": 5}, "delta_presence": {}}
    model = kind.from_params(params.get(kind.kind, {"threshold": 0.2}))
    table = small_table()
    model.check(table)
    with pytest.raises(ConfigError) as refused:
        model.check(replace(table, population=None))
    assert refused.value.code == "population_missing"
    assert refused.value.params == {"model": model.title}
    estimated = replace(table, population=SamplingFraction(0.1))
    if kind.needs_counted_population:
        with pytest.raises(ConfigError) as refused:
            model.check(estimated)
        assert refused.value.code == "population_not_counted"
    else:
        model.check(estimated)
    others = Register(np.array([[0], [3]], dtype=np.int32), np.array([1, 2]))
    with pytest.raises(InputError) as lacking:
        model.check(replace(table, population=others))
    assert lacking.value.code == "population_lacks_records"
    assert lacking.value.params == {"n_classes": 2, "n_records": 5}


def test_a_million_and_a_half_records_do_not_overflow():
    """Counts beyond 32 bits in the population, sums beyond them in the records."""
    n = 2_000
    flat = hierarchy_of("x", [[leaf // 2 for leaf in range(n)], [0] * n])
    leaves = np.arange(n, dtype=np.int32)[:, None]
    counts = np.full(n, 2_000_000)
    population = Register(leaves, counts * 10_000)
    classes = classes_at(ClassTable((flat,), leaves, counts, {}, population), (1,))
    assert (classes.population.sizes == 4e10).all()
    assert MarketerRisk(1e-5).holds(classes).all()
    assert HighestJournalistRisk(1e-5).holds(classes).all()
    assert DeltaPresence(dmin=1e-4, dmax=1e-4).holds(classes).all()
    assert not DeltaPresence(dmax=0.99e-4).holds(classes).any()
    assert DeltaPresence(dmax=0.99e-4).least_suppressed(classes) > 0


@given(class_tables())
def test_one_person_more_helps_every_model_of_the_population(case):
    """Whoever joins the population makes no class fail but that of δ-presence."""
    table = protected(case[0])
    more = Register(table.population.leaves, table.population.counts + 1)
    for levels in nodes_of(table):
        now, then = (
            classes_at(table, levels),
            classes_at(replace(table, population=more), levels),
        )
        for model in (KMap(5), HighestJournalistRisk(0.2), DeltaPresence(dmax=0.6)):
            assert (model.holds(then) >= model.holds(now)).all()
