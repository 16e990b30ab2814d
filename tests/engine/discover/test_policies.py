"""Policies as bits: groups, levels, neighbours, nodes of hierarchies."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.domain import Domain, proposed_order
from deidgui.engine.discover.results import non_dominated, non_dominated_counts
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.wording import run_labels
from deidgui.errors import ConfigError, InputError
from tests.engine.discover.cases import bits_of, flat, is_below
from tests.engine.search.cases import hierarchies


def paper_space():
    """Gender and age, as in the paper's figure 4."""
    return Space(
        (Domain.of(flat("gender", "MF")), Domain.of(flat("age", range(50, 55))))
    )


def test_groups_of_the_paper():
    """methods.md O-A3."""
    space = Space((Domain.of(flat("age", range(50, 55))),))
    assert BitPolicy.parse(space, "0010").groups[0].tolist() == [0, 0, 0, 1, 1]
    found = [bits_of(text) for text in ("10010", "10000", "11100", "10010")]
    assert non_dominated_counts(found)[-1] == 2


def test_levels_and_neighbours():
    space = paper_space()
    policy = BitPolicy.parse(space, "00001")
    assert policy.level == 4
    assert {each.text for each in policy.children()} == {
        *("00011", "00101", "01001", "10001")
    }
    bottom = BitPolicy(space, space.bottom())
    assert (bottom.level, bottom.text) == (0, "11111")
    assert is_below(bottom, policy)
    assert not is_below(policy, policy)
    assert len({policy, BitPolicy.parse(space, "00001"), bottom}) == 2
    assert policy != "00001"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=9)
)
def test_non_dominated_counts_are_those_of_the_definition(lists):
    found = [np.array(each) for each in lists]
    expected = []
    for n in range(1, len(found) + 1):
        different = {tuple(each.tolist()) for each in found[:n]}
        expected.append(
            sum(
                not any(
                    other != each
                    and all(o >= e for o, e in zip(other, each, strict=True))
                    for other in different
                )
                for each in different
            )
        )
    assert non_dominated_counts(found).tolist() == expected
    different = [np.array(each) for each in sorted({tuple(f.tolist()) for f in found})]
    assert int(non_dominated(different).sum()) == expected[-1]


def closure_by_definition(hierarchy, bits):
    """methods.md A.1: runs become the leaves of the lowest node of their ends."""
    n = hierarchy.n_leaves
    bits = list(bits)
    while True:
        runs = np.cumsum([0, *bits])
        new = list(bits)
        for run in range(runs[-1] + 1):
            (members,) = np.nonzero(runs == run)
            first, last = members[0], members[-1]
            covered = range(n)
            for level in hierarchy.levels:
                if level.groups[first] == level.groups[last]:
                    (covered,) = np.nonzero(level.groups == level.groups[first])
                    break
            for value in covered:
                if value + 1 in covered:
                    new[value] = False
        if new == bits:
            return bits
        bits = new


@settings(max_examples=100, deadline=None)
@given(hierarchies("a"))
def test_subtree_closure(hierarchy):
    domain = Domain.of(hierarchy)
    if domain.n_bits == 0:
        return
    space = Space((domain,), "subtree")
    closed = set()
    for text in map("".join, product("01", repeat=min(domain.n_bits, 6))):
        bits = np.array([c == "1" for c in text.ljust(domain.n_bits, "1")])
        policy = BitPolicy(space, space.closed(bits))
        assert policy.bits.tolist() == closure_by_definition(hierarchy, bits.tolist())
        again = space.closed(policy.bits)
        assert (again == policy.splits).all()
        closed.add(policy)
    # Neighbours are valid and nothing valid lies between.
    for policy in closed:
        for child in policy.children():
            assert (space.closed(child.bits) == child.splits).all()
            assert is_below(child, policy)


def test_nodes_of_a_hierarchy():
    age = Hierarchy.from_grid(
        "age", [(str(a), f"{a // 5 * 5}-", f"{a // 10 * 10}-", "*") for a in range(20)]
    )
    space = Space((Domain.of(age),), "subtree")
    assert space.splits.n_splits == 1 + 2 + 4
    policy = BitPolicy(space, space.closed(bits_of("1" * 12 + "0" + "1" * 6)))
    assert policy.text == "1" * 10 + "0000" + "1" + "1111"
    kept = space.keeping({"age": [7]})
    runs = space.groups(space.bits_of(kept))[0].tolist()
    assert runs == [0] * 5 + [1, 2, 3, 4, 5] + [6] * 10


def test_values_to_keep():
    space = paper_space()
    assert space.keeping({"age": [4]}).tolist() == [False, False, False, False, True]
    assert space.keeping({"age": [1], "gender": [0]}).tolist() == [
        *(True, True, True, False, False)
    ]
    with pytest.raises(ConfigError) as caught:
        space.keeping({"zip": [0]})
    assert caught.value.code == "preference_unknown_attribute"


def test_domains():
    race = Hierarchy.from_grid(
        "race", [("A", "x", "*"), ("B", "x", "*"), ("C", "y", "*")]
    )
    turned = Domain.of(race, ["C", "A", "B"])
    assert turned.of_leaf.tolist() == [1, 2, 0]
    assert (turned.level, turned.n_bits) == (None, 2)
    part = Domain.of(race, ["A", "C"])
    assert part.of_leaf.tolist() == [0, -1, 1]
    coarse = Domain.at_level(race, 1)
    assert (coarse.values, coarse.n_leaves.tolist()) == (("x", "y"), [2, 1])
    assert Domain.of(race, ["A", "B", "C"]).level == 0
    for order in (["A", "A"], ["A", "D"], []):
        with pytest.raises(ConfigError) as caught:
            Domain.of(race, order)
        assert caught.value.code == "domain_order"
    with pytest.raises(ConfigError) as caught:
        Domain.at_level(race, 3)
    assert caught.value.code == "level_out_of_range"


def test_proposed_orders():
    population = np.array([5, 900, 5, 70])
    race = flat("race", ["Other", "White", "Asian", "Black"])
    assert proposed_order(race, population) == ("White", "Black", "Asian", "Other")
    unknown = Hierarchy.from_grid(
        "race", [(v, "*") for v in ("?", "White", "Asian", "Black")], missing="?"
    )
    population[0] = 1000
    assert proposed_order(unknown, population) == ("White", "Black", "Asian", "?")
    age = flat("age", range(4))
    assert proposed_order(age, population) == ("0", "1", "2", "3")
    grid = [("C33", "lung", "*"), ("C34", "lung", "*"), ("C18", "gut", "*")]
    site = Hierarchy.from_grid("site", grid)
    assert proposed_order(site, population[:3]) == site.leaves


def test_spaces_that_make_no_sense_are_refused():
    race = flat("race", "AB")
    with pytest.raises(InputError) as caught:
        Space(())
    assert caught.value.code == "no_quasi_identifier"
    for domains, mode, code in (
        ((Domain.of(race),), "tree", "discovery_mode"),
        ((Domain.at_level(race, 1),), "interval", "discovery_nothing_to_join"),
        ((Domain.of(race, "BA"),), "subtree", "subtree_order"),
    ):
        with pytest.raises(ConfigError) as caught:
            Space(domains, mode)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (("A", "B", "{A, B}"), (0, 0, 1)),
        (("{A, B}", "A", "B"), (0, 1, 1)),
        (("A", "B", "{A, B}", "{A, B} (2 values)"), (0, 0, 1, 2)),
        (("{A, B}", "x", "A", "B"), (0, 0, 1, 1)),
    ],
)
def test_no_two_labels_are_equal_whatever_the_values(values, groups):
    labels = run_labels(Domain.of(flat("odd", values)), np.array(groups))
    assert len(set(labels)) == max(groups) + 1
    singles = [g for g in groups if groups.count(g) == 1]
    assert [labels[g] for g in singles] == [values[groups.index(g)] for g in singles]
