"""Policies in words, as released labels, ordered by preferences and in clusters."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.clusters import clustered, joined_shares, parts_of
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.experiment import compared, log_trend
from deidgui.engine.discover.preferences import (
    Preference,
    demanded,
    kept_share,
    values_between,
)
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.wording import (
    as_policy,
    generalizations,
    run_labels,
)
from deidgui.engine.policy.words import in_words
from deidgui.errors import ConfigError
from tests.engine.discover.cases import flat

RACES = ("White", "Black", "AIAN", "Asian", "Other")


def demographics(mode="interval"):
    """Sex, race and age 0 to 119, as in the paper's table 3."""
    return Space(
        tuple(
            Domain.of(flat(name, values))
            for name, values in (("sex", "MF"), ("race", RACES), ("age", range(120)))
        ),
        mode,
    )


def policy_of(space, **joined):
    """Policy that joins the values of each attribute from one place to another."""
    bits = np.ones(space.n_bits, np.bool_)
    for name, runs in joined.items():
        start = space.first_bit[space.attributes.index(name)]
        for first, last in runs:
            bits[start + first : start + last] = False
    return BitPolicy(space, space.closed(bits))


@pytest.mark.parametrize(
    ("joined", "row", "words"),
    [
        ({}, ("∅", "∅", "∅"), "kept in full"),
        (
            {"age": [(90, 119)]},
            ("∅", "∅", "[90-119]"),
            "90-119 together, all others kept",
        ),
        ({"sex": [(0, 1)]}, ("[M, F]", "∅", "∅"), "kept in full"),
        ({"race": [(3, 4)]}, ("∅", "[Asian, Other]", "∅"), "kept in full"),
        ({"age": [(52, 53)]}, ("∅", "∅", "[52-53]"), "52-53 together, all others kept"),
        (
            {"age": [(0, 1), (5, 9), (20, 21), (90, 119)]},
            ("∅", "∅", "[0-1] [5-9] [20-21] [90-119]"),
            "81 of 120 values kept, 39 joined into 4 groups of at most 30",
        ),
    ],
)
def test_table_3_of_the_paper(joined, row, words):
    policy = policy_of(demographics(), **joined)
    assert generalizations(policy) == row
    assert in_words(as_policy(policy)).endswith(f"age: {words}")


def test_released_labels():
    policy = policy_of(demographics(), race=[(3, 4)], age=[(52, 53)], sex=[(0, 1)])
    released = as_policy(policy, "bps")
    sex, race, age = released.maps
    assert (released.kind, released.origin, released.suppress_below) == (
        *("interval", "bps", 1),
    )
    assert (sex.labels, sex.level, sex.is_removed) == (("*",), 1, True)
    assert race.labels == ("White", "Black", "AIAN", "{Asian, Other}")
    assert age.labels[50:54] == ("50", "51", "52-53", "54")
    assert age.groups[[52, 53, 54]].tolist() == [52, 52, 53]
    kept = as_policy(policy_of(demographics()))
    assert [(each.level, each.is_kept) for each in kept.maps] == [(0, True)] * 3


@pytest.mark.parametrize(
    ("values", "run", "label"),
    [
        (("0-4", "5-9", "10-14"), (0, 2), "0-9"),
        (("80", "84", "85+"), (1, 3), "84+"),
        (("37201", "37202", "37203"), (0, 2), "37201-37202"),
        (("3", "2", "1"), (0, 2), "{3, 2}"),
        (tuple("abcdefghij"), (1, 9), "{b … i}"),
        (("1", "2", "1-2"), (0, 2), "{1, 2}"),
    ],
)
def test_labels_of_runs(values, run, label):
    domain = Domain.of(flat("a", values))
    bits = np.ones(domain.n_bits, np.bool_)
    bits[run[0] : run[1] - 1] = False
    groups = np.cumsum([0, *bits]).astype(np.int32)
    assert run_labels(domain, groups)[run[0]] == label


def test_nodes_of_a_hierarchy_give_their_names():
    grid = [
        *(("C18", "gut", "*"), ("C19", "gut", "*"), ("C33", "lung", "*")),
        ("C34", "lung", "*"),
    ]
    domain = Domain.of(Hierarchy.from_grid("site", grid))
    labels = run_labels(domain, np.array([0, 0, 1, 2], np.int32))
    assert labels == ("gut", "C33", "C34")
    assert run_labels(domain, np.array([0, 1, 1, 2], np.int32))[1] == "{C19, C33}"
    assert (
        as_policy(policy_of(Space((domain,)), site=[(0, 1), (2, 3)])).maps[0].level == 1
    )


def test_missing_and_left_out_values():
    grid = [("1", "*"), ("2", "*"), ("3", "*"), ("?", "*")]
    known = Hierarchy.from_grid("a", grid, missing="?")
    domain = Domain.of(known)
    assert run_labels(domain, np.array([0, 0, 1, 1], np.int32)) == ("1-2", "{3, ?}")
    assert run_labels(domain, np.array([0, 1, 1, 1], np.int32)) == ("1", "{2-3, ?}")
    part = Space((Domain.of(known, ["1", "2"]),))
    only = as_policy(BitPolicy(part, part.top())).maps[0]
    assert [only.labels[group] for group in only.groups] == ["*"] * 4
    kept = as_policy(BitPolicy(part, part.bottom())).maps[0]
    assert [kept.labels[group] for group in kept.groups] == ["1", "2", "*", "*"]


def test_preferences():
    space = demographics()
    old = Preference("age", values_between(space.domains[2], 90), 3)
    sex = Preference("sex")
    assert len(old.values) == 30
    harbor = policy_of(space, age=[(90, 119)])
    no_sex = policy_of(space, sex=[(0, 1)])
    half = policy_of(space, age=[(105, 119)])
    assert [kept_share(each, old) for each in (harbor, no_sex, half)] == [0, 1, 0.5]
    kept = BitPolicy(space, demanded(space, [old, sex]))
    assert [kept_share(kept, each) for each in (old, sex)] == [1, 1]
    assert kept.level == space.n_bits - 30 - 1


def test_preferences_that_make_no_sense_are_refused():
    space = demographics()
    for act, code in (
        (lambda: Preference("age", (), 0.0), "preference_weight"),
        (lambda: Preference("age", (), float("nan")), "preference_weight"),
        (lambda: Preference("zip").places(space), "preference_unknown_attribute"),
        (lambda: Preference("age", ("200",)).places(space), "preference_unknown_value"),
    ):
        with pytest.raises(ConfigError) as caught:
            act()
        assert caught.value.code == code
    assert values_between(space.domains[1], 5) == ()
    assert "90" not in repr(Preference("age", ("90",)))


def test_what_a_rule_joins_is_a_part_of_its_own():
    space = demographics()
    parts = parts_of(space, {"age": (90, 119)})
    ages = [part for part in parts if part.attribute == "age"]
    assert [(each.first, each.last) for each in ages] == [
        ("0", "30"),
        ("30", "60"),
        ("60", "89"),
        ("90", "119"),
    ]
    # A policy that keeps the highest ages and one that joins only them.
    kinds = [policy_of(space, age=[(0, 89)]), policy_of(space, age=[(90, 119)])]
    shares = joined_shares(kinds, {"age": (90, 119)})[:, -4:]
    np.testing.assert_allclose(shares, [[1, 1, 29 / 30, 0], [0, 0, 0, 1]])
    middle = parts_of(space, {"age": (10, 20), "race": (0, 1)})
    assert [part.first for part in middle] == ["", "", "0", "10", "21", "69"]


@settings(max_examples=60, deadline=None)
@given(st.integers(20, 60), st.data())
def test_parts_have_every_neighbour_once(n_values, data):
    space = Space((Domain.of(flat("age", range(n_values))),))
    first = data.draw(st.integers(0, n_values - 2))
    last = data.draw(st.integers(first, n_values - 1))
    for own in ({}, {"age": (first, last)}):
        parts = parts_of(space, own)
        bits = [bit for part in parts for bit in range(part.start, part.end)]
        assert bits == list(range(space.n_bits))
        assert len(parts) <= 4
    if 0 < last - first < n_values - 1:
        assert (first, last) in [(part.start, part.end) for part in parts]


def test_clusters_of_three_kinds():
    space = demographics()
    kinds = [
        *(policy_of(space, sex=[(0, 1)], age=[(i, i + 5)]) for i in range(5)),
        *(policy_of(space, race=[(0, 4)], age=[(i, i + 5)]) for i in range(4)),
        *(policy_of(space, age=[(0, 100 + i)]) for i in range(3)),
    ]
    found = clustered(kinds)
    assert [each.members for each in found] == [
        *((0, 1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11)),
    ]
    assert found[0].words == (
        "sex removed; race kept; age a little joined (0-39: 13\u202f%, "
        "39-79: 0\u202f%, 79-119: 0\u202f%)"
    )
    assert found[2].words == (
        "sex kept; race kept; age mostly joined (0-39: 100\u202f%, 39-79: 100\u202f%, "
        "79-119: 55\u202f%)"
    )
    assert found[2].example == 10
    assert clustered([]) == ()
    assert clustered(kinds[:1])[0].members == (0,)
    assert [each.members for each in clustered(kinds[:1] * 5)] == [(0, 1, 2, 3, 4)]


def test_one_kind_is_cut_by_what_differs_in_it():
    """Nine join young ages and nine old ones; one leaves sex out."""
    space = demographics()
    kinds = [
        *(policy_of(space, age=[(i, i + 4)]) for i in range(9)),
        *(policy_of(space, age=[(100 + i, 104 + i)]) for i in range(9)),
        policy_of(space, sex=[(0, 1)]),
    ]
    found = {each.members for each in clustered(kinds)}
    assert tuple(range(9)) in found
    assert tuple(range(9, 18)) in found


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 7))
def test_every_policy_is_in_one_cluster(seed, n, most):
    space = demographics()
    rng = np.random.default_rng(seed)
    policies = [
        BitPolicy(space, rng.random(space.n_bits) < rng.random()) for _ in range(n)
    ]
    found = clustered(policies, most)
    assert sorted(i for each in found for i in each.members) == list(range(n))
    assert len(found) <= most
    shares = joined_shares(policies)
    for each in found:
        assert each.example in each.members
        assert each.shares == pytest.approx(shares[list(each.members)].mean(axis=0))


def test_log_trend_and_difference_of_means():
    x = np.arange(1, 51)
    trend = log_trend(3 + 2 * np.log(x))
    assert (trend.a, trend.b, trend.r_squared) == pytest.approx((3, 2, 1))
    assert log_trend(np.ones(9)).r_squared == 0
    # Welch's test by hand: means 2 and 4, variances 1 and 4, 3 numbers each.
    found = compared(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]))
    assert found.t == pytest.approx(-2 / (5 / 3) ** 0.5)
    assert found.freedom == pytest.approx((5 / 3) ** 2 / ((1 / 9 + 16 / 9) / 2))
    assert 0 < found.p < 1
    assert np.isnan(compared(np.ones(3), np.ones(3)).t)
