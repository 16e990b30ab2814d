"""The criteria of the GDPR as figures: O-H13 to O-H21, and brute force."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.determination.criteria import (
    gain,
    inferred,
    isolation_by_chance,
    isolation_in_class,
    mean_isolation,
    membership,
    register_matches,
    residual,
    singled_out,
    split_linkability,
    stability_index,
    two_releases,
    wilson,
)

REGISTER = [(1, 1), (2, 4), (3, 9), (4, 40)]


def close(value):
    return pytest.approx(value, abs=5.1e-5)


def test_isolation_by_chance():
    """O-H13."""
    assert isolation_by_chance(1000, 0.001) == close(0.3681)
    assert isolation_by_chance(1000, 0.01) == close(0.0004)
    assert mean_isolation(1000, 0, 0.001) == pytest.approx(0.00026434, abs=5e-9)
    found = [isolation_in_class(f) for f in (2, 5, 11, 20)]
    assert found == [close(e) for e in (0.5, 0.4096, 0.3855, 0.3774)]


def test_singling_out():
    """O-H14."""
    words = ["F30A", "F30B", "M30A", "M40A", "M40B", "F40B", "F40B", "M30A"]
    rows = [(each[0], each[1:3], each[3]) for each in words]
    assert singled_out(rows, 1).worst == 0
    two = singled_out(rows, 2)
    assert (two.mean, two.worst, two.any_set) == (close(1 / 6), 0.25, 0.5)
    assert singled_out(rows, 3).worst == 0.5


def test_registers():
    """O-H15."""
    assert register_matches(REGISTER) == close(1.9333)
    assert register_matches(REGISTER, 0.5) == close(1.4014)
    assert register_matches([(1, 5)], 0.5) == close(0.1938)
    assert register_matches([(1, 1)], 0.5) == 0.5


def test_two_releases():
    """O-H16."""
    found = two_releases([(1, 1, 1), (2, 1, 1), (4, 5, 3), (10, 2, 1)])
    assert (found.expected, found.bound, found.certain) == (close(2.2), close(2.5), 1)


def test_halves_of_columns():
    """O-H17."""
    words = ("xp", "xp", "xq", "yp", "yq", "yq")
    rate, baseline = split_linkability([(each[0], each[1]) for each in words])
    assert (rate, baseline) == (close(0.1852), close(0.1667))
    assert gain(rate, baseline) == close(0.0222)


def test_inference():
    """O-H18."""
    found = inferred([(3, 1, 0), (2, 2, 1), (0, 0, 3)])
    assert (found.right, found.baseline) == (close(0.6667), close(0.4167))
    assert found.gain == close(0.4286)
    assert found.without_own == close(0.5)
    assert (found.own, found.group) == (close(0.1667), close(0.0833))
    assert found.homogeneous == 0.25


def test_rates_with_intervals():
    """O-H19."""
    rates = {s: wilson(s, 500) for s in (120, 100, 60)}
    assert rates[120] == (close(0.2420), close(0.0373))
    assert rates[100] == (close(0.2023), close(0.0350))
    assert rates[60] == (close(0.1229), close(0.0285))
    assert residual(rates[120], rates[100]) == (close(0.0498), close(0.0627))
    assert residual(rates[120], rates[60]) == (close(0.1358), close(0.0510))


def test_membership():
    """O-H20."""
    found, baseline = membership(REGISTER)
    assert found == (1, 0.5, close(1 / 3), 0.1)
    assert baseline == close(0.1852)
    assert gain(found[1], baseline) == close(0.3864)
    assert gain(found[3], baseline) == 0


def test_drift():
    """O-H21."""
    assert stability_index((0.5, 0.3, 0.2), (0.4, 0.4, 0.2)) == close(0.0511)


# -- brute force -----------------------------------------------------------------------

tables = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=12)


@given(tables, st.integers(1, 4))
def test_singling_out_by_comparing_all_pairs(rows, k):
    found = singled_out(rows, k)
    sets = list(itertools.combinations(range(4), k))
    alone = {
        (place, columns)
        for place, row in enumerate(rows)
        for columns in sets
        if all(
            any(row[at] != other[at] for at in columns)
            for number, other in enumerate(rows)
            if number != place
        )
    }
    shares = [sum(e[1] == columns for e in alone) / len(rows) for columns in sets]
    assert found.worst == max(shares)
    assert found.mean == pytest.approx(sum(shares) / len(shares))
    assert found.any_set == len({place for place, _ in alone}) / len(rows)


@given(tables)
def test_more_columns_never_single_out_fewer(rows):
    shares = [singled_out(rows, k).any_set for k in range(1, 5)]
    assert shares == sorted(shares)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=9)
)
def test_halves_by_all_guesses(halves):
    """Whoever has one half draws among its records, and the other half likewise."""
    n, right = len(halves), 0.0
    for a, b in halves:
        left = [place for place, each in enumerate(halves) if each[0] == a]
        other = [place for place, each in enumerate(halves) if each[1] == b]
        same = sum(x == y for x in left for y in other)
        right += same / (len(left) * len(other))
    assert split_linkability(halves)[0] == pytest.approx(right / n)


@given(
    st.lists(st.tuples(*[st.integers(0, 4)] * 3).filter(any), min_size=1, max_size=6)
)
def test_inference_by_guessing_every_record(classes):
    found = inferred(classes)
    totals = [sum(each) for each in zip(*classes, strict=True)]
    n, right = sum(totals), 0.0
    for counts in classes:
        records = [value for value, k in enumerate(counts) for _ in range(k)]
        for place, value in enumerate(records):
            others = records[:place] + records[place + 1 :]
            pool = others or [v for v, k in enumerate(totals) for _ in range(k)]
            most = max(pool.count(v) for v in set(pool))
            best = [v for v in set(pool) if pool.count(v) == most]
            right += (value in best) / len(best)
    assert found.without_own == pytest.approx(right / n)
    assert found.right >= found.baseline
    assert 0 <= found.gain <= 1


def test_a_register_drawn_many_times():
    """The closed form against drawing who is in the register."""
    chance = random.Random(3)
    share, people, n_runs, right = 0.4, 4, 40_000, 0.0
    for _ in range(n_runs):
        held = [chance.random() < share for _ in range(people)]
        right += held[0] / sum(held) if held[0] else 0.0
    assert register_matches([(1, people)], share) == pytest.approx(
        right / n_runs, abs=0.008
    )
