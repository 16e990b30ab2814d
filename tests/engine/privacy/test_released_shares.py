"""Models of the whole release: brute force over all prefixes, bounds, orders."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import EquivalenceClasses, classes_at
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.privacy import (
    AverageJournalistRisk,
    AverageProsecutorRisk,
    DeltaPresence,
    HighestJournalistRisk,
    KAnonymity,
    KMap,
    MarketerRisk,
    PopulationUniqueness,
    RecordsAtRisk,
    SampleUniqueness,
)
from deidgui.engine.privacy.suppression import released
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    mirrored,
    nodes_of,
    protected,
    suppressing_order,
    table_of,
)

LIMITS = [Fraction(1, 20), Fraction(1, 5), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
SHARES = [Fraction(0), *LIMITS]


def mean_prosecutor(classes, limit):
    return len(classes) <= limit * sum(f for f, _ in classes)


def mean_over_records(classes, limit):
    return sum(Fraction(f, F) for f, F in classes) <= limit * sum(f for f, _ in classes)


def mean_of_journalist(classes, limit):
    by_population = len(classes) <= limit * sum(F for _, F in classes)
    return by_population and mean_over_records(classes, limit)


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
    (AverageProsecutorRisk, mean_prosecutor, False, LIMITS),
    (MarketerRisk, mean_over_records, True, LIMITS),
    (AverageJournalistRisk, mean_of_journalist, True, LIMITS),
    (SampleUniqueness, few_uniques, False, SHARES),
    *[
        (at_risk_of(threshold), few_at_risk(threshold), False, SHARES)
        for threshold in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5))
    ],
]
"""Model by threshold, its definition in exact numbers, whether people come first in
the order of suppressing, limits."""
NAMES = ["average", "marketer", "journalist", "uniques", "risk 2", "risk 3", "risk 5"]
cases = pytest.mark.parametrize("case", CASES, ids=NAMES)


def sizes_of(classes):
    """Records and people of each class as whole numbers."""
    population = [int(size) for size in classes.population.sizes]
    return list(zip(classes.counts.tolist(), population, strict=True))


def labels_of(classes):
    """Labels of each class, in the order of the attributes."""
    steps = [
        hierarchy.levels[level].labels
        for hierarchy, level in zip(
            classes.class_table.hierarchies, classes.levels, strict=True
        )
    ]
    return [
        tuple(labels[group] for labels, group in zip(steps, row, strict=True))
        for row in classes.groups.tolist()
    ]


def some_classes(data, table):
    """Classes of a node, with a register, and some of them that are allowed."""
    table = protected(table[0], data.draw(st.integers(0, 99)))
    classes = classes_at(table, data.draw(st.sampled_from(nodes_of(table))))
    length = classes.n_classes
    drawn = data.draw(st.lists(st.booleans(), min_size=length, max_size=length))
    return classes, np.array(drawn, dtype=bool)


@cases
@given(class_tables(), st.data())
def test_shortest_prefix_is_suppressed(case, table, data):
    model, holds, by_population, limits = case
    limit = data.draw(st.sampled_from(limits))
    classes, allowed = some_classes(data, table)
    names, pairs = labels_of(classes), sizes_of(classes)
    places = {name: at for at, name in enumerate(names) if allowed[at]}
    sizes = {
        n: pairs[at][::-1] if by_population else pairs[at][0]
        for n, at in places.items()
    }
    order = [
        places[name]
        for name in suppressing_order(classes.class_table, classes.levels, sizes)
    ]
    fewest = next(
        number
        for number in range(len(order) + 1)
        if holds([pairs[at] for at in order[number:]], limit)
    )
    kept = model(float(limit)).restrict(classes, allowed)
    assert np.flatnonzero(kept).tolist() == sorted(order[fewest:])


@cases
@given(class_tables(), st.data())
def test_same_records_whatever_the_order_of_attributes(case, table, data):
    model, _, _, limits = case
    one = model(float(data.draw(st.sampled_from(limits))))
    table = protected(table[0])
    levels = data.draw(st.sampled_from(nodes_of(table)))
    found = []
    for each, own in ((table, levels), (mirrored(table), levels[::-1])):
        classes = classes_at(each, own)
        kept = one.holds(classes)
        names = [
            labels if each is table else labels[::-1] for labels in labels_of(classes)
        ]
        found.append({name for name, good in zip(names, kept, strict=True) if good})
    assert found[0] == found[1]


@cases
@given(class_tables(), st.data())
def test_same_records_whatever_the_classes_were_merged_from(case, table, data):
    """The order of raised classes is that of their sources; nothing else decides."""
    model, _, _, limits = case
    one = model(float(data.draw(st.sampled_from(limits))))
    table = protected(table[0])
    levels = data.draw(st.sampled_from(nodes_of(table)))
    wanted = classes_at(table, levels)
    expected = one.holds(wanted)[wanted.of_combination].tolist()
    between = [
        data.draw(st.integers(0, level), label="level between") for level in levels
    ]
    bottom = RaisedClasses.bottom(table)
    for raised in (bottom.raised(levels), bottom.raised(between).raised(levels)):
        assert one.holds(raised)[raised.of_combination].tolist() == expected


def test_order_of_leaves_in_a_hierarchy_decides_nothing():
    """Labels do: a file lists its values in any order."""
    rows = ["a", "b", "c", "d"]
    for order in (rows, rows[::-1], ["c", "a", "d", "b"]):
        found = Hierarchy.from_grid("x", [(leaf, "*") for leaf in order])
        table = table_of([found], [(leaf,) for leaf in range(4)])
        kept = SampleUniqueness(1 / 3).holds(classes_at(table, (0,)))
        # Of four unique records all must go: of x left, x are unique.
        assert not kept.any()
        more = table_of(
            [found], [(leaf,) for leaf in [0, 1, 2, 3] + [found.index["d"]] * 4]
        )
        kept = SampleUniqueness(1 / 6).holds(classes_at(more, (0,)))
        # One of the three others may stay among five of "d": the last one, "c".
        assert {found.leaves[at] for at in np.flatnonzero(kept)} == {"c", "d"}


def test_of_equally_small_classes_the_most_general_one_goes_first():
    """Suppressing it loses least: it stood for two of three leaves."""
    found = hierarchy_of("x", [[0, 0, 1], [0, 0, 0]])
    table = table_of([found], [(0,), (2,)])
    classes = classes_at(table, (1,))
    assert classes.counts.tolist() == [1, 1]
    # Both must go for a mean of 2; one for a mean of 1 among 1.
    both = AverageProsecutorRisk(0.5).holds(classes)
    assert not both.any()
    rows = [(0,), (2,)] + [(3,)] * 8
    found = hierarchy_of("x", [[0, 0, 1, 2], [0] * 4])
    classes = classes_at(table_of([found], rows), (1,))
    # 3 classes of 10 records are too many for 0.25; 2 of 9 are not.
    assert AverageProsecutorRisk(0.25).holds(classes).tolist() == [False, True, True]


@cases
@given(class_tables(), st.data())
def test_order_of_classes_decides_nothing(case, table, data):
    model, _, _, limits = case
    table = protected(table[0])
    classes = classes_at(table, data.draw(st.sampled_from(nodes_of(table))))
    one = model(float(data.draw(st.sampled_from(limits))))
    order = np.random.default_rng(1).permutation(classes.n_classes)
    back = np.argsort(order)
    shuffled = EquivalenceClasses(
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
def test_no_choice_of_classes_suppresses_less_than_the_bound(case, table, data):
    """At the node and all below: so the bound holds beside any other models."""
    model, holds, _, limits = case
    limit = data.draw(st.sampled_from(limits))
    table = protected(table[0], data.draw(st.integers(0, 99)))
    high = data.draw(st.sampled_from(nodes_of(table)))
    bound = model(float(limit)).least_suppressed(classes_at(table, high))
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
def test_average_risk_bound_is_what_the_best_choice_suppresses(table, limit, seed):
    table = protected(table[0], seed)
    classes = classes_at(table, nodes_of(table)[0])
    pairs = sizes_of(classes)
    assume(len(pairs) <= 9)
    most = max(
        sum(f for f, _ in chosen)
        for chosen in subsets(pairs)
        if mean_prosecutor(chosen, limit)
    )
    bound = AverageProsecutorRisk(float(limit)).least_suppressed(classes)
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
        if model.is_possible(classes):  # else it is no solution, whatever is suppressed
            gone[levels] = int(classes.counts[~model.holds(classes)].sum())
        bound[levels] = model.least_suppressed(classes)
    for low in gone:
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


def test_two_models_suppress_what_the_stricter_one_needs():
    """Whoever comes first: both go by size, so that more for one harms no other."""
    rows = [(leaf,) for leaf in range(9)] + [(9,)] * 3 + [(10,)] * 8
    table = table_of([hierarchy_of("x", [list(range(11)), [0] * 11])], rows)
    classes = classes_at(table, (0,))
    models = [
        AverageProsecutorRisk(0.3),
        SampleUniqueness(0.1),
        RecordsAtRisk(0.5, 0.2),
        KAnonymity(1 + 1),
    ]
    for chosen in (models[:3], models[:2], models[1:3], models):
        alone = [model.holds(classes) for model in chosen]
        wanted = np.logical_and.reduce(alone)
        for order in permutations(chosen):
            assert (released(order, classes) == wanted).all()


@given(class_tables(), st.integers(0, 99))
def test_order_of_models_decides_nothing(table, seed):
    """Also where one goes by records and one by the people of a register."""
    table = protected(table[0], seed)
    models = [AverageProsecutorRisk(0.4), MarketerRisk(0.2), SampleUniqueness(0.1)]
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        kept = [released(order, classes) for order in permutations(models)]
        assert all((each == kept[0]).all() for each in kept)
        left = classes.only(kept[0])
        assert all(model.holds(left).all() for model in models)


def test_records_at_risk_may_suppress_more_at_a_more_general_node():
    """Of three records at risk one goes; of a class of three at risk all do."""
    found = hierarchy_of("x", [[0, 0, 0, 1], [0] * 4])
    table = table_of([found], [(0,), (1,), (2,)] + [(3,)] * 8)
    model = RecordsAtRisk(threshold=0.2, share=0.2)
    low, high = classes_at(table, (0,)), classes_at(table, (1,))
    assert low.counts[~model.holds(low)].sum() == 1
    assert high.counts[~model.holds(high)].sum() == 3
    assert model.least_suppressed(high) == 1


def test_marketer_risk_may_suppress_more_at_a_more_general_node():
    """A record with one person takes part of another's people when they are merged.

    Below, without it, 1/5 + 9/100 matches are expected in ten records; above, 2/6 +
    9/100 in eleven, which is a larger share.
    """
    found = hierarchy_of("x", [[0, 0, 1], [0] * 3])
    table = table_of([found], [(0,), (1,)] + [(2,)] * 9)
    cells = np.array([[0], [1], [2]], dtype=np.int32)
    table = replace(table, population=Register(cells, np.array([5, 1, 100])))
    low, high = classes_at(table, (0,)), classes_at(table, (1,))
    model = MarketerRisk((1 / 5 + 9 / 100) / 10)
    assert low.counts[~model.holds(low)].tolist() == [1]
    assert model.threshold < (2 / 6 + 9 / 100) / 11
    assert high.counts[~model.holds(high)].tolist() == [2]
    assert model.least_suppressed(high) == 1


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


def test_everything_suppressed_meets_every_model():
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
        assert model.least_suppressed(classes) == 6


def test_thresholds_hit_exactly_suppress_nothing():
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
        assert model.least_suppressed(classes) == 0
