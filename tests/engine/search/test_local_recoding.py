"""Several rounds release at least as well as the best single policy."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.policy.figures import release_figures
from deidgui.engine.policy.policy import lattice_policy, local_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.privacy import AverageProsecutorRisk, KAnonymity
from deidgui.engine.quality import QUALITY_MEASURES, Loss, NonUniformEntropy, TableFacts
from deidgui.engine.quality.base import figures_of
from deidgui.engine.search import local_recoding
from deidgui.engine.search.local_recoding import search_local
from deidgui.engine.search.whole_lattice import search_lattice
from tests.engine.search.adult import adult_classes
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    leaves_below,
    nodes_of,
    table_of,
)


def at(table, levels, below=1):
    named = dict(zip(table.attributes, levels, strict=True))
    return lattice_policy(table.hierarchies, named, below)


def slow_loss(table, rows, policy):
    """Loss per attribute, record by record: each with the label of its round."""
    left, shares = list(range(len(rows))), {}
    for each in policy.rounds:
        labels = {
            row: tuple(
                m.labels[m.groups[leaf]]
                for m, leaf in zip(each.maps, rows[row], strict=True)
            )
            for row in left
        }
        sizes = Counter(labels.values())
        for row in left:
            if sizes[labels[row]] >= each.suppress_below:
                shares[row] = [
                    leaves_below(m.hierarchy, m.level, label) / m.hierarchy.n_leaves
                    for m, label in zip(each.maps, labels[row], strict=True)
                ]
        left = [row for row in left if row not in shares]
    n, found = len(rows), []
    for place, hierarchy in enumerate(table.hierarchies):
        raw = sum(each[place] for each in shares.values()) + len(left)
        least = n / hierarchy.n_leaves
        found.append(max(0.0, (raw - least) / (n - least)) if n > least else 0.0)
    return found, len(left)


@settings(max_examples=60, deadline=None)
@given(class_tables(), st.data())
def test_loss_of_rounds_is_that_of_the_records(case, data):
    table, rows = case
    nodes = nodes_of(table)
    policy = local_policy(
        [
            at(table, data.draw(st.sampled_from(nodes)), data.draw(st.integers(1, 4)))
            for _ in range(data.draw(st.integers(1, 3)))
        ]
    )
    found = released_classes(table, policy)
    expected, n_suppressed = slow_loss(table, rows, policy)
    values = Loss().values(release_figures(table, found))[0]
    assert values == pytest.approx(expected)
    assert found.n_suppressed == n_suppressed


@settings(max_examples=40, deadline=None)
@given(class_tables(), st.integers(1, 3), st.data())
def test_rounds_at_one_node_lose_what_the_node_loses(case, below, data):
    """Every measure: a second round at the same node changes nothing."""
    table, _ = case
    node = data.draw(st.sampled_from(nodes_of(table)))
    single = released_classes(table, at(table, node, below))
    twice = released_classes(
        table, local_policy([at(table, node, below), at(table, node, below)])
    )
    only = single.rounds[0]
    expected = figures_of(TableFacts(table), only.classes, single.suppressed)
    found = release_figures(table, twice)
    for kind in QUALITY_MEASURES:
        measure = kind()
        if (found.levels == 0).all() and single.suppressed.all():
            continue  # nothing is released: means over no record
        assert measure.values(found)[0] == pytest.approx(
            measure.values(expected)[0], abs=1e-9
        )


@settings(max_examples=25, deadline=None)
@given(class_tables(), st.sampled_from([0.0, 0.1, 0.3]), st.integers(2, 4))
def test_never_worse_than_the_best_single_policy(case, limit, k):
    table, _ = case
    for models in ([KAnonymity(k)], [KAnonymity(2), AverageProsecutorRisk(0.4)]):
        for measure in (Loss(), NonUniformEntropy()):
            single = search_lattice(table, models, limit, measure, n_threads=1)
            found = search_local(table, models, limit, measure, n_threads=1)
            if found is None:
                assert single.optimum is None
                continue
            assert found.released.n_suppressed <= int(limit * table.n_records)
            kept = found.released.kept_classes(table)
            assert all(model.holds(kept).all() for model in models)
            if single.optimum is not None:
                best = single.scores[single.optimum, 0]
                assert found.single_loss == pytest.approx(best)
                assert found.loss <= best + 1e-12


def test_a_gain_by_hand():
    """Three of one place look alike; the others only without their place."""
    table = table_of(
        [hierarchy_of("place", [[0, 0, 0, 0]])],
        [(0,)] * 3 + [(1,), (2,), (3,)],
    )
    models = [KAnonymity(3)]
    single = search_lattice(table, models, 0.0, Loss(), n_threads=1)
    assert single.levels(single.optimum) == {"place": 1}
    assert single.loss[single.optimum] == 1
    found = search_local(table, models, 0.0, Loss(), n_threads=1)
    assert [each.levels for each in found.policy.rounds] == [{"place": 0}, {"place": 1}]
    assert found.policy.kind == "local_recoding"
    # Half of the records lose nothing, half of them all.
    assert found.loss == pytest.approx(0.5)
    assert (found.released.n_later, found.released.n_suppressed) == (3, 0)


def test_adult_gains():
    """Rounds lose less than the best policy of one round, on real data."""
    names = ("sex", "age", "race", "marital-status", "education", "workclass")
    table = adult_classes(*names)
    models = [KAnonymity(5)]
    found = search_local(table, models, 0.01, Loss())
    assert found.policy.kind == "local_recoding"
    assert found.loss < 0.9 * found.single_loss
    assert found.released.n_suppressed <= 301
    assert found.released.kept_counts.min() >= 5


def test_a_lattice_that_is_too_large_for_a_profile(monkeypatch):
    """Twelve attributes of four levels: 16.8 million policies."""
    monkeypatch.setattr(local_recoding, "MOST_NODES", 300)
    rng = np.random.default_rng(3)
    found = [
        hierarchy_of(f"a{place}", [[0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0] * 6])
        for place in range(12)
    ]
    common = rng.integers(0, 6, (4, 12))
    rows = common[rng.integers(0, 4, 300)]
    rows = np.where(rng.random(rows.shape) < 0.02, rng.integers(0, 6, rows.shape), rows)
    table = table_of(found, rows.tolist())
    result = search_local(table, [KAnonymity(3)], 0.05, Loss(), max_rounds=2)
    assert result.loss < result.single_loss
    assert result.released.kept_counts.min() >= 3
    assert result.released.n_suppressed <= 15
