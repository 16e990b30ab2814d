"""The profile of the whole lattice against counting record by record."""

import threading
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy.base import ClassModel
from deidgui.engine.quality import figures_of
from deidgui.engine.search import profile as profile_module
from deidgui.engine.search.measure_details import ASKED
from deidgui.engine.search.profile import build_profile, find_details, ladder_of
from deidgui.engine.search.question import Reach
from deidgui.errors import Cancelled, ResourceError
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    leaves_below,
    nodes_of,
    released,
    table_of,
)


@dataclass(frozen=True)
class RecordsOf(ClassModel):
    """Asks for classes of an even number of records, so that each one is judged."""

    kind: ClassVar[str] = "even"
    least: int = 2

    @property
    def depth(self):
        return 1

    def holds(self, classes):
        return (classes.counts % 2 == 0) & (classes.counts >= self.least)


def expected_row(table, rows, levels, below):
    classes, labels = released(table, rows, levels)
    gone = [size for size in classes.values() if size < below]
    suppressed = [label for label in labels if classes[label] < below]
    return [
        sum(gone),
        len(gone),
        sum(size * size for size in gone),
        *(
            sum(leaves_below(each, levels[at], label[at]) for label in suppressed)
            for at, each in enumerate(table.hierarchies)
        ),
    ]


def assert_profile_counts(profile, rows, nodes):
    table = profile.class_table
    for node, levels in enumerate(nodes):
        sizes = list(released(table, rows, levels)[0].values())
        assert profile.n_classes[node] == len(sizes)
        assert profile.squares[node] == sum(size * size for size in sizes)
        for tier, below in enumerate(profile.ladder.tolist()):
            found = profile.tiers[node, tier].tolist()
            assert found == expected_row(table, rows, levels, below)


@given(class_tables(), st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_every_node_and_size_as_counted_record_by_record(case, k_max):
    table, rows = case
    profile = build_profile(table, k_max=k_max, n_threads=1)
    assert profile.is_complete
    assert profile.ladder.tolist() == list(range(1, k_max + 1))
    assert_profile_counts(profile, rows, nodes_of(table))


@given(class_tables(), st.data())
@settings(max_examples=40, deadline=None)
def test_level_limits_give_the_same_rows_of_fewer_nodes(case, data):
    table, rows = case
    minimum, maximum = {}, {}
    for each in table.hierarchies:
        low, high = sorted(
            data.draw(st.tuples(*[st.integers(0, each.height)] * 2)),
        )
        minimum[each.attribute], maximum[each.attribute] = low, high
    profile = build_profile(table, minimum, maximum, k_max=4, n_threads=1)
    nodes = nodes_of(table, list(minimum.values()), list(maximum.values()))
    assert_profile_counts(profile, rows, nodes)


def wide_table(n_attributes, n_leaves, n_rows, seed):
    rng = np.random.default_rng(seed)
    found = [
        hierarchy_of(f"a{at}", [[leaf // 3 for leaf in range(n_leaves)]])
        for at in range(n_attributes)
    ]
    base = rng.integers(0, n_leaves, (12, n_attributes))
    rows = base[rng.integers(0, 12, n_rows)]
    noise = rng.random(rows.shape) < 0.03
    rows[noise] = rng.integers(0, n_leaves, int(noise.sum()))
    return table_of(found, rows.tolist()), [tuple(row) for row in rows.tolist()]


def test_twenty_attributes_need_keys_of_several_words():
    table, rows = wide_table(20, 40, 150, seed=1)
    names = table.attributes
    maximum = {name: 0 for name in names if name not in ("a0", "a7", "a13", "a19")}
    profile = build_profile(table, maximum=maximum, k_max=5, n_threads=1)
    highest = [0 if name in maximum else 1 for name in names]
    assert_profile_counts(profile, rows, nodes_of(table, maximum=highest))


def test_packed_counters_are_emptied_before_they_overflow():
    # 200,000 singletons with 3 leaves below each value: 600,000 > 2**16.
    n = 200_000
    hierarchy = hierarchy_of("x", [[leaf // 2 for leaf in range(1000)]])
    other = hierarchy_of("y", [[0] * 200])
    leaves = np.stack([np.repeat(np.arange(1000), 200), np.tile(np.arange(200), 1000)])
    table = type(table_of([other], [(0,)]))(
        (hierarchy, other), leaves.T.astype(np.int32).copy(), np.ones(n, np.int64)
    )
    profile = build_profile(table, k_max=3, n_threads=1)
    bottom, up_x = profile.tiers[0, 1], profile.tiers[profile.lattice.node((1, 0))]
    assert bottom.tolist() == [n, n, n, n, n]
    assert up_x[2].tolist() == [n, n // 2, 2 * n, 2 * n, n]


def test_result_depends_on_neither_threads_nor_slices(monkeypatch):
    table, _ = wide_table(6, 9, 400, seed=2)
    alone = build_profile(table, k_max=10, n_threads=1)
    monkeypatch.setattr("deidgui.engine.search.walk.SLICE", 500)
    monkeypatch.setattr("deidgui.engine.search.walk.NODES_PER_SLICE", 3)
    for n_threads in (1, 2, 3):
        again = build_profile(table, k_max=10, n_threads=n_threads)
        np.testing.assert_array_equal(again.tiers, alone.tiers)
        np.testing.assert_array_equal(again.squares, alone.squares)
        np.testing.assert_array_equal(again.n_classes, alone.n_classes)


def assert_same(first, second):
    for name in ("checked", "skipped", "tiers", "squares", "n_classes", "possible"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert first.details.keys() == second.details.keys()
    for asks in first.details:
        own, other = first.details[asks].values, second.details[asks].values
        np.testing.assert_array_equal(own, other)


@given(
    class_tables(),
    st.integers(2, 6),
    st.floats(0, 1),
    st.sampled_from(ASKED),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_exactly_what_is_out_of_reach_is_skipped(case, size, share, asks, data):
    table, rows = case
    limit = int(share * table.n_records)
    found = build_profile(table, k_max=6, asks=asks, reach=Reach(size, limit))
    whole = build_profile(table, k_max=6, asks=asks, n_threads=1)
    for node, levels in enumerate(nodes_of(table)):
        sizes = released(table, rows, levels)[0].values()
        small = sum(each for each in sizes if each < size)
        assert found.skipped[node] == (small > limit)
    assert found.is_settled
    assert (found.checked == ~found.skipped).all()
    seen = found.checked
    for name in ("tiers", "squares", "n_classes"):
        own, other = getattr(found, name), getattr(whole, name)
        np.testing.assert_array_equal(own[seen], other[seen])
    for kept, values in found.details.items():
        other = whole.details[kept].values
        np.testing.assert_array_equal(values.values[seen], other[seen])
    # Some that are known keep their figures, within reach or not.
    levels = data.draw(st.sampled_from(nodes_of(table)))
    one = dict(zip(table.attributes, levels, strict=True))
    known = build_profile(table, one, one, k_max=6, asks=asks)
    both = build_profile(
        table, k_max=6, asks=asks, reach=Reach(size, limit), known=known
    )
    node = both.lattice.node(levels)
    assert both.checked[node]
    np.testing.assert_array_equal(both.tiers[node], whole.tiers[node])
    again = find_details(both, ASKED[2])
    every = find_details(whole, ASKED[2])
    at = both.checked
    np.testing.assert_array_equal(again.values[at], every.values[at])


@pytest.mark.parametrize("size", [None, 3, 5])
@pytest.mark.parametrize("is_judged", [False, True])
def test_two_threads_and_one_write_the_same_bits(size, is_judged, monkeypatch):
    table, _ = wide_table(6, 9, 400, seed=2)
    reach = None
    if size is not None:
        # Half of the nodes have more records in small classes.
        small = build_profile(table, k_max=10).tiers[:, size - 1, 0]
        reach = Reach(size, int(np.median(small)))
    conditions = (RecordsOf(4),) if is_judged else ()
    asked = {"k_max": 10, "asks": ASKED[1], "reach": reach, "conditions": conditions}
    alone = build_profile(table, n_threads=1, **asked)
    if reach is not None:
        assert 0 < alone.n_skipped < alone.lattice.n_nodes
    for module, slices in (("SLICE", 500), ("JUDGED_SLICE", 90)):
        monkeypatch.setattr(f"deidgui.engine.search.walk.{module}", slices)
    for n_threads in (1, 2, 3):
        assert_same(build_profile(table, n_threads=n_threads, **asked), alone)
    # Nor does it depend on how soon it is known what is skipped.
    for worth in (0.0, 2.0):
        monkeypatch.setattr("deidgui.engine.search.walk.WORTH_CLOSING", worth)
        assert_same(build_profile(table, n_threads=2, **asked), alone)


class Recorder:
    def __init__(self, stop_after=10**9):
        self.fractions, self.threads, self.stop_after = [], set(), stop_after

    def report(self, fraction, note=""):
        self.fractions.append(fraction)
        self.threads.add(threading.current_thread().name)
        if len(self.fractions) > self.stop_after:
            raise Cancelled


def test_progress_rises_to_one_on_the_calling_thread(monkeypatch):
    monkeypatch.setattr("deidgui.engine.search.walk.SLICE", 200)
    table, _ = wide_table(6, 9, 400, seed=2)
    monitor, seen = Recorder(), []
    profile = build_profile(
        table,
        k_max=10,
        n_threads=2,
        on_nodes=lambda _profile, nodes: seen.extend(nodes.tolist()),
        monitor=monitor,
    )
    assert monitor.fractions == sorted(monitor.fractions)
    assert monitor.fractions[-1] == pytest.approx(1.0)
    assert len(monitor.fractions) > 10
    assert monitor.threads == {threading.current_thread().name}
    assert sorted(seen) == list(range(profile.lattice.n_nodes))


def test_cancel_stops_all_threads(monkeypatch):
    monkeypatch.setattr("deidgui.engine.search.walk.SLICE", 200)
    table, _ = wide_table(6, 9, 400, seed=2)
    before = threading.active_count()
    with pytest.raises(Cancelled):
        build_profile(table, n_threads=2, monitor=Recorder(stop_after=3))
    assert threading.active_count() == before


def test_too_large_a_lattice_is_refused_with_what_fits():
    table, _ = wide_table(20, 40, 50, seed=1)
    with pytest.raises(ResourceError) as caught:
        build_profile(table, also=range(2, 12))
    assert caught.value.code == "lattice_too_large"
    # 11 tiers of 3 + 20 numbers of 4 bytes per node.
    limit = 512 * 2**20 // (11 * 23 * 4)
    assert caught.value.params == {"n_nodes": 2**20, "limit": limit}


def test_a_short_of_memory_ladder_keeps_what_is_needed(monkeypatch):
    table, rows = wide_table(3, 9, 100, seed=3)
    n_tiers = 6
    monkeypatch.setattr(profile_module, "BUDGET_BYTES", 4 * 8 * (3 + 3) * n_tiers)
    profile = build_profile(table, k_max=50, also=[7, 31], n_threads=1)
    assert len(profile.ladder) <= n_tiers
    assert {1, 7, 31} <= set(profile.ladder.tolist())
    assert_profile_counts(profile, rows, nodes_of(table))


@given(
    st.integers(1, 60),
    st.lists(st.integers(1, 200), max_size=4),
    st.integers(0, 60),
)
def test_ladder_is_full_if_it_fits(k_max, also, room):
    needed = {1, *also}
    n_tiers = len(needed) + room
    ladder = ladder_of(k_max, also, n_tiers).tolist()
    assert ladder == sorted(set(ladder))
    assert needed <= set(ladder)
    assert len(ladder) <= max(n_tiers, len(needed) + 1)
    if len(needed | set(range(1, k_max + 1))) <= n_tiers:
        assert set(ladder) == needed | set(range(1, k_max + 1))


@pytest.mark.parametrize("n_attributes", [3, 20])
@pytest.mark.parametrize("asks", ASKED[1:])
def test_a_closer_look_is_what_each_node_shows_alone(n_attributes, asks):
    table, _ = wide_table(n_attributes, 40, 150, seed=5)
    free = table.attributes[:2] + table.attributes[-1:]
    maximum = {name: 0 for name in table.attributes if name not in free}
    profile = build_profile(table, maximum=maximum, k_max=5, n_threads=1)
    n_nodes = profile.lattice.n_nodes
    nodes, below = np.arange(n_nodes), np.arange(n_nodes) % 5 + 1
    every = find_details(profile, asks)
    one = find_details(profile, asks, below)
    assert profile.details == {asks: every}
    found = [
        getattr(profile.figures(nodes, below, details=details), asks)
        for details in (every, one)
    ]
    assert (found[0] == found[1]).all()
    for node in range(n_nodes):
        classes = classes_at(table, profile.lattice.levels_of(node))
        alone = figures_of(profile.facts, classes, classes.counts < below[node])
        expected = getattr(alone, asks)[0]
        assert found[0][node] == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert (np.abs(found[0]) > 1).any()
