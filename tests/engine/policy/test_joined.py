"""Policies of joined neighbours: classes and every measure, against leaf sets."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.wording import as_policy
from deidgui.engine.policy.figures import release_figures
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.policy.words import joined_text, phrases
from deidgui.engine.privacy import DistinctLDiversity, KMap
from deidgui.engine.quality import QUALITY_MEASURES
from tests.engine.search.cases import class_tables, protected


@st.composite
def joined_cases(draw):
    """Class table, and a policy of joined neighbours over values of some level."""
    table = protected(draw(class_tables())[0], draw(st.integers(0, 9)))
    domains = tuple(
        Domain.at_level(each, draw(st.integers(0, min(1, each.height))))
        for each in table.hierarchies
    )
    if sum(each.n_bits for each in domains) == 0:
        domains = tuple(Domain.of(each) for each in table.hierarchies)
    assume(sum(each.n_bits for each in domains) > 0)
    space = Space(domains, draw(st.sampled_from(["interval", "subtree"])))
    bits = draw(st.lists(st.booleans(), min_size=space.n_bits, max_size=space.n_bits))
    return table, BitPolicy(space, space.closed(np.array(bits, np.bool_)))


def leaf_sets(policy):
    """By attribute, the leaves that are released like each leaf: from bits alone."""
    found = []
    for place, domain in enumerate(policy.space.domains):
        start = int(policy.space.first_bit[place])
        run, runs = 0, [0]
        for bit in range(start, int(policy.space.first_bit[place + 1])):
            run += int(policy.bits[bit])
            runs.append(run)
        of_leaf = [runs[value] for value in domain.of_leaf.tolist()]
        found.append(
            [
                frozenset(other for other, its in enumerate(of_leaf) if its == own)
                for own in of_leaf
            ]
        )
    return found


def records_of(table):
    """Leaves of every record, one row each."""
    rows = zip(table.leaves.tolist(), table.counts.tolist(), strict=True)
    return [tuple(leaves) for leaves, count in rows for _ in range(count)]


def released_as(table, policy):
    """Leaf sets that every record is released as."""
    sets = leaf_sets(policy)
    return [
        tuple(sets[place][leaf] for place, leaf in enumerate(record))
        for record in records_of(table)
    ]


@settings(max_examples=60, deadline=None)
@given(joined_cases())
def test_classes_are_those_of_equal_leaf_sets(case):
    table, policy = case
    found = released_classes(table, as_policy(policy))
    assert Counter(found.counts.tolist()) == Counter(
        Counter(released_as(table, policy)).values()
    )
    assert found.n_suppressed == 0
    kept = found.kept_classes(table)
    sets = leaf_sets(policy)
    for row in range(table.n_classes):
        for place, leaf in enumerate(table.leaves[row].tolist()):
            below = kept.leaves(place)[kept.of_combination[row]]
            assert below == len(sets[place][leaf])


@settings(max_examples=40, deadline=None)
@given(joined_cases())
def test_models_and_people_are_judged_on_the_released_classes(case):
    table, policy = case
    kept = released_classes(table, as_policy(policy)).kept_classes(table)
    sets = leaf_sets(policy)
    population = defaultdict(int)
    register = table.population
    for leaves, count in zip(
        register.leaves.tolist(), register.counts.tolist(), strict=True
    ):
        population[tuple(sets[p][leaf] for p, leaf in enumerate(leaves))] += count
    values = defaultdict(set)
    found = table.sensitive["s"]
    for row, leaves in enumerate(table.leaves.tolist()):
        key = tuple(sets[p][leaf] for p, leaf in enumerate(leaves))
        values[key].update(found.codes[found.starts[row] : found.starts[row + 1]])
        assert kept.population.sizes[kept.of_combination[row]] == population[key]
    diverse, is_diverse = DistinctLDiversity("s", 2), True
    is_diverse = all(len(each) >= 2 for each in values.values())
    assert diverse.holds(kept).all() == is_diverse
    seen = {
        tuple(sets[p][leaf] for p, leaf in enumerate(leaves))
        for leaves in table.leaves.tolist()
    }
    assert KMap(4).holds(kept).all() == all(population[key] >= 4 for key in seen)


def entropy(counts):
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts)


def slow_level(hierarchy, leaves):
    """Lowest level at which some leaves are one whole group; None if there is none."""
    for level, step in enumerate(hierarchy.levels):
        group = step.groups[min(leaves)]
        if frozenset(np.flatnonzero(step.groups == group).tolist()) == leaves:
            return level
    return None


def slow_levels(table, policy, place):
    """Level of each record of one attribute; None if one of them has none."""
    hierarchy, sets = table.hierarchies[place], leaf_sets(policy)[place]
    for level, step in enumerate(hierarchy.levels):
        whole = [
            frozenset(np.flatnonzero(step.groups == group).tolist())
            for group in step.groups
        ]
        if whole == sets:
            return [level] * table.n_records
    found = [slow_level(hierarchy, sets[row[place]]) for row in records_of(table)]
    return None if None in found else found


def slow_values(measure, table, policy):
    """Values of a measure from the records and their leaf sets, one by one."""
    records, sets = records_of(table), released_as(table, policy)
    n, classes = len(records), Counter(sets)
    places = range(len(table.hierarchies))
    n_leaves = [each.n_leaves for each in table.hierarchies]
    kind = measure.kind
    if kind in ("precision", "monotone_precision", "height"):
        found = []
        for place in places:
            levels = slow_levels(table, policy, place)
            height = table.hierarchies[place].height if kind != "height" else 1
            found.append(
                math.nan if levels is None else sum(levels) / n / max(1, height)
            )
        return found
    if kind == "loss":
        found = []
        for place in places:
            raw = sum(len(each[place]) / n_leaves[place] for each in sets)
            least = n / n_leaves[place]
            found.append((raw - least) / (n - least) if n > least else 0.0)
        return found
    if kind.endswith("entropy"):
        found = []
        for place in places:
            leaves = Counter(record[place] for record in records)
            groups = Counter(each[place] for each in sets)
            own = entropy(leaves.values())
            lost = own - entropy(groups.values())
            scale = (own or 1 / n) if kind == "normalized_entropy" else 1 / n
            found.append(lost / scale)
        return found
    squares = sum(size * size for size in classes.values())
    areas = {key: math.prod(len(part) for part in key) for key in classes}
    match kind:
        case "discernibility" | "monotone_discernibility":
            return [squares]
        case "average_class_size":
            return [n / len(classes)]
        case "normalized_average_class_size":
            return [n / len(classes) / measure.k]
        case "ambiguity":
            return [sum(size * areas[key] for key, size in classes.items())]
        case "kl_divergence":
            cells = Counter(records)
            q = {key: size / n / areas[key] for key, size in classes.items()}
            of_cell = dict(zip(records, sets, strict=True))
            return [
                sum(
                    count / n * math.log2(count / n / q[of_cell[cell]])
                    for cell, count in cells.items()
                )
            ]
    raise AssertionError(kind)


@pytest.mark.parametrize("measure", [each() for each in QUALITY_MEASURES])
@settings(max_examples=25, deadline=None)
@given(case=joined_cases())
def test_measures_are_those_of_leaf_sets(measure, case):
    table, policy = case
    seen = release_figures(table, released_classes(table, as_policy(policy)))
    found = measure.values(seen)[0].tolist()
    expected = slow_values(measure, table, policy)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


@settings(max_examples=30, deadline=None)
@given(joined_cases())
def test_whole_nodes_always_have_a_level(case):
    _, policy = case
    if policy.space.mode == "subtree":
        maps = as_policy(policy).maps
        # Values that no level joins are joined by leaving the attribute out.
        assert not any(
            np.isnan(each.group_levels).any() and len(each.labels) > 1 for each in maps
        )


@settings(max_examples=40, deadline=None)
@given(joined_cases())
def test_a_policy_that_is_a_lattice_node_is_measured_as_that_node(case):
    table, policy = case
    joined = as_policy(policy)
    if len(joined.levels) < len(joined.maps):
        return
    node = lattice_policy(table.hierarchies, joined.levels, 1)
    for measure in (each() for each in QUALITY_MEASURES):
        one, other = (
            measure.values(release_figures(table, released_classes(table, each)))
            for each in (joined, node)
        )
        assert one.tolist() == other.tolist()


@settings(max_examples=60, deadline=None)
@given(joined_cases())
def test_bits_say_how_many_values_each_label_stands_for(case):
    _, policy = case
    joined = as_policy(policy)
    text = "".join(each.joined.bits for each in joined.maps)
    assert text == policy.text
    for each, domain in zip(joined.maps, policy.space.domains, strict=True):
        assert sum(each.joined.sizes) == domain.n_values
        assert len(each.joined.sizes) == len(each.labels) == len(set(each.labels))
        runs = [len(run) + 1 for run in each.joined.bits.split("1")]
        assert list(each.joined.sizes) == runs


# -- words -----------------------------------------------------------------------------


def ages(n):
    return Hierarchy.from_grid(
        "age", [(str(10 + a), f"{a // 5 * 5 + 10}-{a // 5 * 5 + 14}", "*") for a in n]
    )


def worded(bits, level=0, n=20):
    space = Space((Domain.at_level(ages(range(n)), level),))
    (each,) = as_policy(BitPolicy(space, np.array([b == "1" for b in bits]))).maps
    return each


@pytest.mark.parametrize(
    ("bits", "words", "joined"),
    [
        ("1" * 19, "kept in full", "∅"),
        ("0" * 19, "removed", "[*]"),
        ("0" + "1" * 18, "10-11 together, all others kept", "[10-11]"),
        (
            "0" * 9 + "1" + "0" * 9,
            "10-19 together and 20-29 together",
            "[10-19] [20-29]",
        ),
        (
            "01" * 4 + "1" * 11,
            "12 of 20 values kept, 8 joined into 4 groups of at most 2",
            "[10-11] [12-13] [14-15] [16-17]",
        ),
        (
            "01" * 9 + "0",
            "all 20 values joined into 10 groups of at most 2",
            " ".join(f"[{a}-{a + 1}]" for a in range(10, 30, 2)),
        ),
    ],
)
def test_joined_neighbours_in_words(bits, words, joined):
    each = worded(bits)
    (phrase,) = phrases(Policy("interval", (each,), 1))
    assert (phrase.text, joined_text(each)) == (words, joined)


def test_groups_of_five_are_the_level_of_bands():
    each = worded("000010000100001" + "0000")
    assert each.level == 1
    assert each.labels == ("10-14", "15-19", "20-24", "25-29")


def test_values_that_are_bands_are_joined_as_such():
    each = worded("011", level=1)
    (phrase,) = phrases(Policy("interval", (each,), 1))
    assert phrase.text == "10-19 together, all others at level 1"
    assert each.joined.sizes == (2, 1, 1)


def test_labels_that_are_not_told_are_not_in_the_words():
    each = worded("0" * 4 + "1" * 15)
    told = each.naming(np.array([False] + [True] * 15))
    (phrase,) = phrases(Policy("interval", (told,), 1))
    assert phrase.text == "kept in full"
    assert joined_text(told) == "∅"
