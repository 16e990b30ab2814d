"""The risk of a policy, against the paper's numbers and against slow counting."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.discover import kernels
from deidgui.engine.discover import risk as risk_module
from deidgui.engine.discover.cells import PopulationCounts, count_cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.risk import RiskMeasure, risk_of_groups
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.warm_up import warm_up
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.errors import ConfigError, InputError, ResourceError
from tests.engine.discover.cases import (
    RISKS,
    bits_of,
    flat,
    measure_of,
    paper_measure,
    paper_table,
    slow_risk,
    tables,
)


@pytest.mark.parametrize("most_sums", [2**20, 0], ids=["corner sums", "merged"])
@pytest.mark.parametrize(("text", "risk"), RISKS.items())
def test_paper_example(text, risk, most_sums):
    """methods.md O-A1."""
    measure = paper_measure(most_sums=most_sums)
    assert measure.risk(bits_of(text)) == pytest.approx(risk, abs=5e-6)


@settings(max_examples=150, deadline=None)
@given(tables(), st.data(), st.sampled_from([1.0, 0.5, 2.0]))
def test_risk_equals_slow_counting(table, data, gamma):
    measure = measure_of(table, gamma)
    merged = measure_of(table, gamma, most_sums=0)
    n_bits = measure.space.n_bits
    bits = np.array(
        data.draw(st.lists(st.booleans(), min_size=n_bits, max_size=n_bits))
    )
    slow = slow_risk(table, bits, gamma)
    assert measure.risk(bits) == pytest.approx(slow, rel=1e-12)
    assert merged.risk(bits) == pytest.approx(slow, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(tables(), st.data(), st.sampled_from([1.0, 0.7, 3.0]))
def test_risk_never_grows_upwards(table, data, gamma):
    """Theorem 2.1, also where the population lacks people and for every γ."""
    measure = measure_of(table, gamma)
    n_bits = measure.space.n_bits
    draw = st.lists(st.booleans(), min_size=n_bits, max_size=n_bits)
    below = np.array(data.draw(draw))
    above = below & np.array(data.draw(draw))
    assert measure.risk(above) <= measure.risk(below) * (1 + 1e-12)


@settings(max_examples=60, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_evaluation_from_a_more_specific_policy_is_equal_to_the_bit(table, random):
    for options in ({}, {"most_sums": 0}):
        measure = measure_of(table, **options)
        ascent = measure.ascent(with_spread=True)
        bits = np.ones(measure.space.n_bits, np.bool_)
        places = list(range(len(bits)))
        random.shuffle(places)
        for place in places:
            bits = bits.copy()
            bits[place] = False
            there = ascent.evaluate(bits)
            afresh = measure.ascent(with_spread=True).evaluate(bits)
            assert (there.risk, there.spread) == (afresh.risk, afresh.spread)
            if random.random() < 0.7:
                ascent.settle()
        ascent.restart()
        bottom = np.ones(len(bits), np.bool_)
        assert ascent.evaluate(bottom).risk == measure.risk(bottom)


def test_without_a_population_risk_counts_the_classes():
    """With γ = 1 each class of records adds 1 (methods.md A.3, data mode)."""
    table = paper_table()
    object.__setattr__(table, "population", None)
    measure = measure_of(table)
    assert measure.risk(bits_of("11111")) == 5
    assert measure.risk(bits_of("11110")) == 4
    assert measure.risk(bits_of("00000")) == 1


def test_a_sampling_fraction_divides_the_groups():
    table = paper_table()
    object.__setattr__(table, "population", SamplingFraction(0.25))
    assert measure_of(table).risk(bits_of("11111")) == pytest.approx(5 * 0.25)


def test_combinations_that_nobody_has_are_reported():
    table = paper_table()
    register = table.population
    # Without the one woman of 54, two records have nobody; M54 is 1 of 1.
    object.__setattr__(
        table, "population", type(register)(register.leaves[:-1], register.counts[:-1])
    )
    measure = measure_of(table)
    covered = measure.cells.coverage
    assert (
        covered.n_cells_without_population,
        covered.n_records_without_population,
    ) == (1, 2)
    assert (covered.n_cells_short, covered.n_records_short) == (1, 2)
    # The two are in no sum: 2/1 is lost whatever is joined with them.
    assert measure.risk(bits_of("11111")) == pytest.approx(3.766667 - 2, abs=1e-6)
    assert covered.n_records_left_out == 2
    assert covered.n_records_counted == 4


def test_independent_tables_are_joined():
    """People by sex and age, times the share of each area; areas 3 : 1."""
    gender, age, area = (
        flat("gender", "MF"),
        flat("age", range(50, 55)),
        flat("area", "xy"),
    )
    table = paper_table()
    leaves = np.column_stack([table.leaves, [0, 1, 0, 1, 0]]).astype(np.int32)
    both = ClassTable((gender, age, area), leaves, table.counts)
    space = Space(tuple(map(Domain.of, (gender, age, area))))
    register = table.population
    population = (
        PopulationCounts(("gender", "age"), register.leaves, 1000 * register.counts),
        PopulationCounts(("area",), np.array([[0], [1]], np.int32), np.array([30, 10])),
    )
    measure = RiskMeasure(count_cells(space, both, population))
    expected = {(0, 0): 10, (0, 3): 2, (0, 4): 1, (1, 2): 6, (1, 4): 1}
    risk = sum(
        n / (1000 * expected[(s, a)] * (0.75, 0.25)[z])
        for (s, a, z), n in zip(leaves.tolist(), table.counts.tolist(), strict=True)
    )
    assert measure.risk(bits_of("111111")) == pytest.approx(risk, rel=1e-12)
    assert measure.risk(bits_of("000000")) == pytest.approx(6 / 57_000)


def test_several_tables_together_equal_the_product_table():
    rng = np.random.default_rng(5)
    a, b = flat("a", range(4)), flat("b", range(6))
    leaves = np.array([[i, j] for i in range(4) for j in range(6)], np.int32)
    table = ClassTable((a, b), leaves, rng.integers(1, 4, 24))
    space = Space((Domain.of(a), Domain.of(b)))
    by_a, by_b = rng.integers(20, 90, 4), rng.integers(1, 9, 6)
    # Scaled so that the product of shares is whole.
    joint = np.outer(by_a, by_b).ravel()
    one = RiskMeasure(
        count_cells(space, table, [PopulationCounts(("a", "b"), leaves, joint)])
    )
    column = np.arange(6, dtype=np.int32)[:, None]
    two = RiskMeasure(
        count_cells(
            space,
            table,
            [
                PopulationCounts(("a",), column[:4], by_a * by_b.sum()),
                PopulationCounts(("b",), column, by_b),
            ],
        )
    )
    for _ in range(20):
        bits = rng.random(8) < 0.5
        assert two.risk(bits) == pytest.approx(one.risk(bits), rel=1e-12)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ((("gender",),), "people_attribute_missing"),
        ((("gender", "age"), ("age",)), "people_attribute_twice"),
    ],
)
def test_tables_that_do_not_fit_are_refused(names, code):
    table = paper_table()
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    population = [
        PopulationCounts(each, np.zeros((1, len(each)), np.int32), np.array([5]))
        for each in names
    ]
    with pytest.raises(ConfigError) as caught:
        count_cells(space, table, population)
    assert caught.value.code == code


def test_bad_counts_and_domains_are_refused():
    table = paper_table()
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    names = ("gender", "age")
    leaves = np.zeros((1, 2), np.int32)
    for counts, code in ((-1, "population_negative"), (0, "population_empty")):
        with pytest.raises(InputError) as caught:
            count_cells(
                space, table, [PopulationCounts(names, leaves, np.array([counts]))]
            )
        assert caught.value.code == code
    gender, age = table.hierarchies
    short = Space((Domain.of(gender), Domain.of(age, ["50", "51", "52", "53"])))
    with pytest.raises(InputError) as caught:
        count_cells(short, table)
    assert (caught.value.code, caught.value.params["n_records"]) == (
        "value_outside_domain",
        3,
    )
    for gamma in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ConfigError) as caught:
            paper_measure(gamma)
        assert caught.value.code == "discovery_gamma"


def test_people_outside_the_domains_are_counted():
    table = paper_table()
    gender, age = table.hierarchies
    everything = [str(each) for each in range(50, 55)]
    object.__setattr__(table, "leaves", table.leaves[1:])
    object.__setattr__(table, "counts", table.counts[1:])
    space = Space((Domain.of(gender), Domain.of(age, everything[1:])))
    assert count_cells(space, table).coverage.n_population_outside == 22


def test_people_known_by_some_attributes_only():
    """Nobody knows their sex: 22, 5, 2 people of 50, 53 and 54 years, 11 of 52."""
    table = paper_table()
    ages = PartialRegister(
        type(table.population)(
            np.arange(5, dtype=np.int32)[:, None], np.array([22, 17, 11, 5, 2])
        ),
        (1,),
    )
    object.__setattr__(table, "population", ages)
    measure = measure_of(table)
    expected = 1 / 22 + 1 / 11 + 1 / 5 + 1 / 2 + 2 / 2
    assert measure.risk(bits_of("11111")) == pytest.approx(expected)
    assert measure.risk(bits_of("01111")) == pytest.approx(expected)
    with pytest.raises(ResourceError) as caught:
        measure_of(table, most_sums=3)
    assert caught.value.code == "discovery_population_too_large"


def test_domains_of_too_many_combinations_are_refused():
    wide = tuple(flat(f"a{i}", range(100)) for i in range(10))
    table = ClassTable(wide, np.zeros((1, 10), np.int32), np.array([3]))
    with pytest.raises(ResourceError) as caught:
        measure_of(table)
    assert caught.value.code == "discovery_domain_too_large"


def test_many_combinations_are_looked_up_by_hashing():
    """Domains of 10^8 combinations: as many classes as a set of tuples has."""
    rng = np.random.default_rng(3)
    leaves = np.unique(rng.integers(0, 10_000, (3000, 2)) // 7, axis=0)
    known = tuple(flat(name, range(1500)) for name in "ab")
    more = flat("c", range(50))
    leaves = np.column_stack([leaves, rng.integers(0, 50, len(leaves))])
    table = ClassTable(
        (*known, more), leaves.astype(np.int32), np.ones(len(leaves), int)
    )
    measure = measure_of(table)
    for share in (0.999, 0.9, 0.1):
        bits = rng.random(measure.space.n_bits) < share
        runs = np.split(np.concatenate([bits]), measure.space.first_bit[1:-1])
        groups = [np.concatenate([[0], np.cumsum(each)]) for each in runs]
        classes = {
            tuple(group[leaf] for group, leaf in zip(groups, row, strict=True))
            for row in leaves.tolist()
        }
        assert measure.risk(bits) == pytest.approx(len(classes))


def test_sums_do_not_depend_on_how_many_are_summed_at_once(monkeypatch):
    whole = paper_measure()
    monkeypatch.setattr(risk_module, "SLAB", 4)
    seen = []

    class Note:
        def report(self, fraction, note=""):
            seen.append(fraction)

    parts = paper_measure(monitor=Note())
    assert (parts.layout.sums == whole.layout.sums).all()
    assert seen == sorted(seen)
    assert len(seen) > 4


def test_warm_up_makes_the_kernel_of_a_search_ready():
    warm_up()
    assert kernels.evaluate.signatures


def test_a_million_combinations_add_up_to_the_risk_of_the_rule():
    """A rule that changes nothing is as risky as the data, to the last digits."""
    grids = tuple(flat(name, range(700)) for name in "ab")
    cells = np.stack([axis.ravel() for axis in np.indices((700, 700))], axis=1)
    cells = cells.astype(np.int32)
    population = np.full(len(cells), 10)
    known = Register(cells, population)
    table = ClassTable(grids, cells, np.ones_like(population), population=known)
    measure = measure_of(table)
    bits = np.ones(measure.space.n_bits, np.bool_)
    assert measure.risk(bits) == pytest.approx(49_000, rel=1e-14)
    limit = risk_of_groups(measure.cells, measure.space.groups(bits))
    assert RiskAtMost(measure, limit).accepts(bits)
