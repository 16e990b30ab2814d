"""Models that withhold whole tiers: brute force over all tiers, bounds, orders."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deidgui.engine.data.classes import Classes, classes_at
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.privacy import (
    AverageJournalistRisk,
    AverageProsecutorRisk,
    DeltaPresence,
    HighestJournalistRisk,
    KMap,
    MarketerRisk,
    PopulationUniqueness,
    RecordsAtRisk,
    SampleUniqueness,
)
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    nodes_of,
    protected,
    table_of,
)

LIMITS = [Fraction(1, 20), Fraction(1, 5), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
SHARES = [Fraction(0), *LIMITS]


def mean_prosecutor(classes, limit):
    return len(classes) <= limit * sum(f for f, _ in classes)


def mean_over_records(classes, limit):
    return sum(Fraction(f, F) for f, F in classes) <= limit * sum(f for f, _ in classes)


def mean_of_journalist(classes, limit):
    by_people = len(classes) <= limit * sum(F for _, F in classes)
    return by_people and mean_over_records(classes, limit)


def few_uniques(classes, limit):
    return sum(f == 1 for f, _ in classes) <= limit * sum(f for f, _ in classes)


def few_at_risk(threshold):
    def holds(classes, share):
        at_risk = sum(f for f, _ in classes if Fraction(1, f) > threshold)
        return at_risk <= share * sum(f for f, _ in classes)

    return holds


def at_risk_of(threshold):
    return lambda share: RecordsAtRisk(threshold=float(threshold), share=share)


CASES = [
    (AverageProsecutorRisk, mean_prosecutor, 0, LIMITS),
    (MarketerRisk, mean_over_records, 1, LIMITS),
    (AverageJournalistRisk, mean_of_journalist, 1, LIMITS),
    (SampleUniqueness, few_uniques, 0, SHARES),
    *[
        (at_risk_of(threshold), few_at_risk(threshold), 0, SHARES)
        for threshold in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5))
    ],
]
"""Model by threshold, its definition in exact numbers, tiers (0: f, 1: F), limits."""
NAMES = ["average", "marketer", "journalist", "uniques", "risk 2", "risk 3", "risk 5"]
cases = pytest.mark.parametrize("case", CASES, ids=NAMES)


def sizes_of(classes):
    """Records and people of each class as whole numbers."""
    people = [int(size) for size in classes.population.sizes]
    return list(zip(classes.counts.tolist(), people, strict=True))


def first_tiers(pairs, by, holds, limit):
    """Smallest size whose classes may stay, trying every number of tiers."""
    for least in [*sorted({pair[by] for pair in pairs}), math.inf]:
        if holds([pair for pair in pairs if pair[by] >= least], limit):
            return least
    raise AssertionError("without any class everything holds")


@cases
@given(class_tables(), st.data())
def test_fewest_whole_tiers_are_withheld(case, table, data):
    model, holds, by, limits = case
    limit = data.draw(st.sampled_from(limits))
    table = protected(table[0], data.draw(st.integers(0, 99)))
    levels = data.draw(st.sampled_from(nodes_of(table)))
    classes = classes_at(table, levels)
    allowed = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(classes.counts), max_size=99))
    )[: len(classes.counts)]
    pairs = sizes_of(classes)
    kept = model(float(limit)).restrict(classes, allowed)
    mine = [pair for pair, good in zip(pairs, allowed, strict=True) if good]
    least = first_tiers(mine, by, holds, limit)
    assert kept.tolist() == [
        bool(good) and pair[by] >= least
        for pair, good in zip(pairs, allowed, strict=True)
    ]
    assert holds([pair for pair, good in zip(pairs, kept, strict=True) if good], limit)


@cases
@given(class_tables(), st.data())
def test_order_of_classes_decides_nothing(case, table, data):
    model, _, _, limits = case
    table = protected(table[0])
    classes = classes_at(table, data.draw(st.sampled_from(nodes_of(table))))
    one = model(float(data.draw(st.sampled_from(limits))))
    order = np.random.default_rng(1).permutation(classes.n_classes)
    back = np.argsort(order)
    shuffled = Classes(
        table,
        classes.levels,
        classes.groups[order],
        classes.counts[order],
        back[classes.of_combination],
    )
    everything = np.ones(classes.n_classes, dtype=bool)
    found = one.restrict(shuffled, everything)
    assert (found == one.restrict(classes, everything)[order]).all()


def subsets(pairs):
    """All choices of classes to release."""
    sizes = range(len(pairs) + 1)
    return chain.from_iterable(combinations(pairs, size) for size in sizes)


@cases
@given(class_tables(max_rows=10), st.data())
def test_no_choice_of_classes_withholds_less_than_the_bound(case, table, data):
    """At the node and all below: so the bound holds beside any other models."""
    model, holds, _, limits = case
    limit = data.draw(st.sampled_from(limits))
    table = protected(table[0], data.draw(st.integers(0, 99)))
    high = data.draw(st.sampled_from(nodes_of(table)))
    bound = model(float(limit)).least_withheld(classes_at(table, high))
    n_records = int(table.counts.sum())
    for low in nodes_of(table):
        if all(a <= b for a, b in zip(low, high, strict=True)):
            pairs = sizes_of(classes_at(table, low))
            assume(len(pairs) <= 9)
            most = max(
                sum(f for f, _ in chosen)
                for chosen in subsets(pairs)
                if holds(chosen, limit)
            )
            assert bound <= n_records - most


@given(class_tables(max_rows=12), st.sampled_from(LIMITS[:4]), st.integers(0, 99))
def test_average_risk_bound_is_what_the_best_choice_withholds(table, limit, seed):
    table = protected(table[0], seed)
    classes = classes_at(table, nodes_of(table)[0])
    pairs = sizes_of(classes)
    assume(len(pairs) <= 9)
    most = max(
        sum(f for f, _ in chosen)
        for chosen in subsets(pairs)
        if mean_prosecutor(chosen, limit)
    )
    bound = AverageProsecutorRisk(float(limit)).least_withheld(classes)
    assert bound == int(classes.counts.sum()) - most


by_class = st.one_of(
    st.integers(2, 9).map(KMap),
    st.sampled_from([0.5, 1 / 3, 0.2, 0.1]).map(HighestJournalistRisk),
    st.builds(
        DeltaPresence,
        st.sampled_from([0.0, 0.1, 0.3]),
        st.sampled_from([0.3, 0.5, 0.8, 1.0]),
        st.sampled_from(["counted", "ignored"]),
    ),
)


@given(class_tables(), by_class, st.integers(0, 99))
def test_bound_of_models_by_class_holds_below(table, model, seed):
    table = protected(table[0], seed)
    nodes = nodes_of(table)
    gone, bound = {}, {}
    for levels in nodes:
        classes = classes_at(table, levels)
        gone[levels] = int(classes.counts[~model.holds(classes)].sum())
        bound[levels] = model.least_withheld(classes)
    for low in nodes:
        for high in nodes:
            if all(a <= b for a, b in zip(low, high, strict=True)):
                assert bound[high] <= gone[low]


@given(class_tables(), st.sampled_from([0.5, 0.1]), st.sampled_from([0.5, 0.2, 0.1]))
def test_share_of_a_population_is_the_prosecutor_diluted(table, fraction, limit):
    """With F = f / α every mean of the population is α times the prosecutor's."""
    table = replace(table[0], population=SamplingFraction(fraction))
    assume(limit / fraction <= 1)
    prosecutor = AverageProsecutorRisk(limit / fraction)
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        wanted = prosecutor.holds(classes)
        assert (MarketerRisk(limit).holds(classes) == wanted).all()
        assert (AverageJournalistRisk(limit).holds(classes) == wanted).all()
        fine = HighestJournalistRisk(limit).holds(classes)
        assert (fine == (classes.counts * limit >= fraction - 1e-9)).all()


def test_average_risk_may_withhold_more_at_a_more_general_node():
    """Why whole tiers are not monotone, and the bound is another figure.

    Below, two single records go: 11 classes of 40 records are left. Above they are
    one more class of two, 12 classes of 42 are too many, and all of that size go.
    """
    leaves = list(range(13))
    found = hierarchy_of("x", [[0, 0, *range(1, 12)], [0] * 13])
    rows = [(leaf,) for leaf in leaves[:2]]
    rows += [(leaf,) for leaf in leaves[2:12] for _ in range(2)]
    rows += [(12,)] * 20
    table, model = table_of([found], rows), AverageProsecutorRisk(11 / 40)
    low, high = classes_at(table, (0,)), classes_at(table, (1,))
    assert low.counts[~model.holds(low)].sum() == 2
    assert high.counts[~model.holds(high)].sum() == 22
    assert model.least_withheld(low) == 2
    assert model.least_withheld(high) == 2


def oracle_table():
    """O-F1: f = (1, 2, 3), F = (2, 10, 4)."""
    table = table_of(
        [hierarchy_of("x", [[0, 1, 2], [0] * 3])], [(0,), (1,), (1,), (2,), (2,), (2,)]
    )
    cells = np.array([[0], [1], [2]], dtype=np.int32)
    return replace(table, population=Register(cells, np.array([2, 10, 4])))


def test_figures_of_methods_decide():
    """O-F1: highest 0.5, average max(3/16, 0.241667), marketer 0.241667."""
    classes = classes_at(oracle_table(), (0,))
    mean = (1 / 2 + 2 / 10 + 3 / 4) / 6
    assert mean == pytest.approx(0.241667, abs=1e-6)
    for model in (MarketerRisk, AverageJournalistRisk):
        assert model(mean).holds(classes).all()
        assert model(mean - 1e-6).holds(classes).tolist() == [False, True, True]
    assert HighestJournalistRisk(0.5).holds(classes).all()
    assert HighestJournalistRisk(0.499).holds(classes).tolist() == [False, True, True]
    assert KMap(4).holds(classes).tolist() == [False, True, True]
    assert KMap(5).holds(classes).tolist() == [False, True, False]


def test_everything_withheld_meets_every_model():
    table = oracle_table()
    classes = classes_at(table, (0,))
    strict = [
        MarketerRisk(1e-5),
        AverageJournalistRisk(1e-5),
        AverageProsecutorRisk(1e-5),
        RecordsAtRisk(1e-5, 0.0),
    ]
    nothing = np.zeros(3, dtype=bool)
    for model in [*strict, SampleUniqueness(0.0), PopulationUniqueness(0.0, 0.5)]:
        assert not model.restrict(classes, nothing).any()
    for model in strict:
        assert not model.holds(classes).any()
        assert model.least_withheld(classes) == 6


def test_thresholds_hit_exactly_withhold_nothing():
    """1/5 is not more than 0.2, whatever the rounding of the sums."""
    rows = [(leaf,) for leaf in range(40) for _ in range(5)]
    found = hierarchy_of("x", [list(range(40)), [0] * 40])
    table = table_of([found], rows)
    cells = table.leaves
    table = replace(table, population=Register(cells, np.full(40, 5)))
    classes = classes_at(table, (0,))
    for model in (
        MarketerRisk(0.2),
        AverageJournalistRisk(0.2),
        AverageProsecutorRisk(0.2),
        HighestJournalistRisk(0.2),
        RecordsAtRisk(0.2, 0.0),
        DeltaPresence(1.0, 1.0),
    ):
        assert model.holds(classes).all(), model
        assert model.least_withheld(classes) == 0
