"""Privacy models instead of risk: the same classes as record by record."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.discover.bps import bisecting_search
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.directed import directed_search
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.exhaustive import exhaustive_search
from deidgui.engine.discover.rules import ModelsHold, classes_of
from deidgui.engine.discover.space import Space
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.engine.privacy.delta_presence import DeltaPresence
from deidgui.engine.privacy.distinct_l_diversity import DistinctLDiversity
from deidgui.engine.privacy.k_anonymity import KAnonymity
from deidgui.engine.privacy.k_map import KMap
from deidgui.engine.privacy.t_closeness import EqualTCloseness
from deidgui.errors import ConfigError, InfeasibleError
from tests.engine.discover.cases import all_bits, flat, paper_table, runs_of
from tests.engine.search.cases import protected, table_of


@st.composite
def population(draw):
    """Rows of two attributes."""
    n = draw(st.integers(4, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = list(
        zip(rng.integers(0, 2, n).tolist(), rng.integers(0, 4, n).tolist(), strict=True)
    )
    return table_of([flat("sex", "MF"), flat("age", range(4))], rows), rows


@settings(max_examples=30, deadline=None)
@given(population(), st.integers(2, 5))
def test_k_anonymity(drawn, k):
    table, rows = drawn
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    expected = set()
    for bits in all_bits(space.n_bits):
        runs = runs_of((2, 4), bits)
        sizes = Counter((runs[0][sex], runs[1][age]) for sex, age in rows)
        if min(sizes.values()) >= k:
            expected.add(tuple(bits))
    rule = ModelsHold(space, table, [KAnonymity(k)])
    if not expected:
        with pytest.raises(InfeasibleError) as caught:
            bisecting_search(rule, 3)
        assert caught.value.code == "no_policy_meets_models"
        return
    found = exhaustive_search(rule).found
    assert {tuple(each.policy.bits) for each in found} == expected
    for search in (bisecting_search, directed_search):
        for each in search(rule, 4).found:
            assert tuple(each.policy.bits) in expected
            assert np.isnan(each.risk)
            children = [tuple(child.bits) for child in each.policy.children()]
            assert not each.is_boundary or not expected.issuperset(children)


@settings(max_examples=25, deadline=None)
@given(population())
def test_diversity_and_closeness(drawn):
    """By counting the sensitive values of each class, one record at a time."""
    table, _ = drawn
    protected_table = protected(table)
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    found = protected_table.sensitive["s"]
    cells = {
        tuple(leaves): dict(
            zip(
                found.codes[found.starts[i] : found.starts[i + 1]].tolist(),
                found.counts[found.starts[i] : found.starts[i + 1]].tolist(),
                strict=True,
            )
        )
        for i, leaves in enumerate(protected_table.leaves.tolist())
    }
    whole = Counter()
    for counts in cells.values():
        whole.update(counts)
    n = sum(whole.values())
    diversity = ModelsHold(space, protected_table, [DistinctLDiversity("s", 2)])
    closeness = ModelsHold(space, protected_table, [EqualTCloseness("s", 0.4)])
    for bits in all_bits(space.n_bits):
        runs = runs_of((2, 4), bits)
        classes = defaultdict(Counter)
        for (sex, age), counts in cells.items():
            classes[runs[0][sex], runs[1][age]].update(counts)
        assert diversity.accepts(bits) == all(
            len(each) >= 2 for each in classes.values()
        )
        distances = [
            sum(abs(each[v] / sum(each.values()) - whole[v] / n) for v in whole) / 2
            for each in classes.values()
        ]
        if all(abs(distance - 0.4) > 1e-6 for distance in distances):
            assert closeness.accepts(bits) == (max(distances) <= 0.4)


def test_models_of_the_release_and_of_the_population():
    table = paper_table()
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    average = ModelsHold(space, table, [AverageProsecutorRisk(0.5)])
    # Classes / records <= 1/2: at most 3 classes of 6 records.
    assert average.accepts(np.array([1, 0, 0, 0, 0], np.bool_))
    assert not average.accepts(np.array([0, 1, 1, 1, 1], np.bool_))
    raised = paper_table()
    object.__setattr__(raised.population, "counts", raised.population.counts + 3)
    k_map = ModelsHold(space, raised, [KMap(6)])
    # M54 and F54 have 4 people each, M53 5.
    assert not k_map.accepts(np.ones(5, np.bool_))
    assert k_map.accepts(np.array([1, 1, 1, 1, 0], np.bool_))
    result = bisecting_search(k_map, 3)
    done = complete(k_map, [each.policy for each in result.distinct])
    assert all(each.is_risk_minimal for each in done.found)


def test_models_that_are_not_monotone_are_refused():
    table = protected(paper_table())
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    for models, code in (
        ([], "no_privacy_model"),
        ([KAnonymity(2), DeltaPresence(0.1, 0.5)], "discovery_model_not_monotone"),
    ):
        with pytest.raises(ConfigError) as caught:
            ModelsHold(space, table, models)
        assert caught.value.code == code
    assert any(not kind.monotone_generalization for kind in PRIVACY_MODELS)


def test_classes_of_a_policy():
    table = paper_table()
    object.__setattr__(table.population, "counts", table.population.counts + 1)
    space = Space(tuple(map(Domain.of, table.hierarchies)))
    classes = classes_of(table, space, np.array([0, 0, 0, 0, 1], np.bool_))
    assert classes.counts.tolist() == [3, 3]
    assert classes.population.sizes.tolist() == [63, 4]
    assert classes.leaves(1).tolist() == [4, 1]
    both = np.arange(2)
    assert classes.ranks(1, both).tolist() == [0, 1]
    assert np.argmax(classes.generality(both)) == 0
