"""Discoveries of random small files, against counting by hand, cell by cell."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.storing import policy_from
from deidgui.app.project import Chosen, PreferenceChoice
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.errors import InfeasibleError
from tests.app.discovery_case import classes_of, project_of, typed

SLACK = 1e-9


def tree(rng, name, n_leaves):
    """Random hierarchy of neighbours; the last leaf may be a missing value."""
    has_missing = n_leaves > 2 and rng.random() < 0.3
    groups = np.sort(rng.integers(0, max(1, n_leaves // 2), n_leaves))
    leaves = [f"v{place}" for place in range(n_leaves)]
    labels = [f"g{group}" for group in groups]
    if has_missing:
        leaves[-1] = ""
        labels[-1] = ""
    if rng.random() < 0.3:
        grid = [(leaf, "*") for leaf in leaves]
    else:
        grid = [(leaf, label, "*") for leaf, label in zip(leaves, labels, strict=True)]
    return Hierarchy.from_grid(name, grid, missing="" if has_missing else None)


def random_table(seed, kind):
    """Class table of one to three attributes, with what is known of the people."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, rng.integers(1, 4))
    if sizes.sum() == len(sizes):
        sizes[0] = 3
    trees = tuple(tree(rng, f"a{i}", int(size)) for i, size in enumerate(sizes))
    every = np.array(list(product(*map(range, sizes))), np.int32)
    picked = rng.random(len(every)) < rng.choice([0.3, 0.7, 1.0])
    picked[rng.integers(len(every))] = True
    counts = rng.integers(1, 6, int(picked.sum()))
    population = None
    if kind == "fraction":
        population = SamplingFraction(float(rng.choice([0.1, 0.37, 1.0])))
    if kind in ("register", "partial"):
        known = tuple(range(len(sizes)))
        if kind == "partial":
            known = tuple(sorted(rng.permutation(len(sizes))[: max(1, len(sizes) - 1)]))
        cells = np.unique(every[:, list(known)], axis=0)
        some = rng.random(len(cells)) < 0.7
        # Somebody can be the person of some record.
        one = every[picked][rng.integers(picked.sum())][list(known)]
        some[(cells == one).all(axis=1)] = True
        population_counts = Register(
            np.ascontiguousarray(cells[some]), rng.integers(1, 9, int(some.sum()))
        )
        population = population_counts
        if kind == "partial" and len(known) < len(sizes):
            population = PartialRegister(population_counts, tuple(map(int, known)))
    return ClassTable(trees, every[picked], counts, population=population)


def by_hand(table, released, gamma, kept=lambda _cell: True):
    """Sum of 1 / g^γ, where a function says what each combination is released as."""
    cells = [tuple(cell) for cell in table.leaves.tolist()]
    counts = dict(zip(cells, table.counts.tolist(), strict=True))
    known = table.population
    total = []
    for cell, count in counts.items():
        if not kept(cell) or not is_known(table, cell):
            continue
        own = released(cell)
        alike = [other for other in counts if released(other) == own]
        if known is None:
            population_counts = sum(counts[other] for other in alike)
        elif isinstance(known, SamplingFraction):
            population_counts = sum(counts[other] for other in alike) / known.fraction
        else:
            population_counts = population_by_hand(table, released, own)
        total.append(count / population_counts**gamma)
    return math.fsum(total)


def is_known(table, cell):
    """Whether anybody of the population can be the person of a record."""
    known, places = table.population, range(len(cell))
    if isinstance(known, PartialRegister):
        known, places = known.population, known.known
    if not isinstance(known, Register):
        return True
    return [cell[place] for place in places] in known.leaves.tolist()


def population_by_hand(table, released, own):
    known, places = table.population, tuple(range(len(table.hierarchies)))
    register = known
    if isinstance(known, PartialRegister):
        register, places = known.population, known.known
    in_cells = Counter()
    for cell, n in zip(register.leaves.tolist(), register.counts.tolist(), strict=True):
        in_cells[tuple(cell)] += n
    # What an attribute that nobody knows is released as tells no people apart.
    sizes = [h.n_leaves for h in table.hierarchies]

    def part(cell):
        full = [0] * len(sizes)
        for place, leaf in zip(places, cell, strict=True):
            full[place] = leaf
        return tuple(released(tuple(full))[place] for place in places)

    wanted = tuple(own[place] for place in places)
    return sum(n for cell, n in in_cells.items() if part(cell) == wanted)


def runs_of(space, bits):
    """What each leaf is released as under some bits, by attribute."""
    found, bits = [], list(bits)
    for domain in space.domains:
        run, runs = 0, [0]
        for _ in range(domain.n_values - 1):
            run += int(bits.pop(0))
            runs.append(run)
        found.append([runs[value] for value in domain.of_leaf.tolist()])
    return lambda cell: tuple(f[leaf] for f, leaf in zip(found, cell, strict=True))


def valid(space, bits):
    """In subtree mode: whether each run is all leaves of one node, or one value."""
    if space.mode == "interval":
        return True
    start = 0
    for domain in space.domains:
        own = bits[start : start + domain.n_values - 1]
        start += domain.n_values - 1
        ends = [0, *(np.flatnonzero(own) + 1).tolist(), domain.n_values]
        nodes = {frozenset(range(domain.n_values))}
        for level in domain.hierarchy.levels:
            by_group = {}
            for leaf, group in enumerate(level.groups.tolist()):
                by_group.setdefault(group, set()).add(int(domain.of_leaf[leaf]))
            nodes |= {frozenset(each) for each in by_group.values()}
        for low, high in pairwise(ends):
            if high - low > 1 and frozenset(range(low, high)) not in nodes:
                return False
    return True


def all_policies(space):
    every = product([False, True], repeat=space.n_bits)
    return [np.array(bits) for bits in every if valid(space, np.array(bits))]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["none", "fraction", "register", "partial"]),
    mode=st.sampled_from(["interval", "subtree"]),
    method=st.sampled_from(["bps", "directed", "exhaustive", "frontier"]),
    gamma=st.sampled_from([0.5, 1.0, 2.5]),
    share=st.floats(0.05, 1.05),
    data=st.data(),
)
def test_what_is_found_is_what_counting_by_hand_allows(
    seed, kind, mode, method, gamma, share, data
):
    table = random_table(seed, kind)
    levels = {}
    # The application raises people to the records leaf by leaf; here it is not done.
    if kind in ("none", "fraction") and data.draw(st.booleans()):
        first = table.hierarchies[0]
        if first.height > 1 and first.levels[1].n_groups > 1:
            levels = {first.attribute: 1}
    options = {"mode": mode, "gamma": gamma, "levels": levels, "budget": 50}
    basis = compute_basis(typed(table, 1.0, **options), classes_of(table))
    policies = all_policies(basis.space)
    risks = {
        bits.tobytes(): by_hand(table, runs_of(basis.space, bits), gamma)
        for bits in policies
    }
    assert basis.raw_risk == pytest.approx(by_hand(table, lambda cell: cell, gamma))
    assert basis.least_risk == pytest.approx(min(risks.values()))
    assert basis.highest_risk == pytest.approx(max(risks.values()))
    low, high = basis.least_risk, basis.highest_risk
    threshold = max(low + share * (high - low), 1e-3)
    preferences = preferences_of(data, basis)
    project = typed(
        table,
        threshold,
        method=method,
        iterations=15,
        preferences=preferences,
        **options,
    )
    accepted = [p for p in policies if risks[p.tobytes()] <= threshold * (1 + 1e-12)]
    doubtful = any(abs(r / threshold - 1) < SLACK for r in risks.values())
    if doubtful:
        return
    preferred = [p for p in accepted if keeps(basis.space, p, preferences)]
    try:
        found = discover(project, classes_of(table))
    except InfeasibleError:
        assert not preferred
        return
    assert preferred
    keys = {p.tobytes() for p in preferred}
    minimal = {
        p.tobytes()
        for p in preferred
        if not any((q >= p).all() and (q > p).any() for q in accepted)
    }
    for each in found.alternatives:
        key = each.policy.bits.tobytes()
        assert key in keys
        assert each.risk == pytest.approx(risks[key], rel=1e-12)
        if each.is_risk_minimal:
            assert key in minimal
        chosen = found.choice(each.number)
        again = project.but(chosen=chosen)
        assert policy_from(chosen, again, classes_of(table)).is_joined
        judged = judge(again, chosen, classes_of(table))
        assert judged.is_met
        assert judged.risk == pytest.approx(risks[key], rel=1e-12)
    got = {each.policy.bits.tobytes() for each in found.alternatives}
    if method in ("bps", "directed"):
        assert got <= minimal
    if method == "exhaustive":
        assert got == minimal


def preferences_of(data, basis):
    """Nothing, or some values of an attribute that must be kept."""
    if data.draw(st.booleans()):
        return ()
    place = data.draw(st.integers(0, len(basis.attributes) - 1))
    n_values = basis.space.domains[place].n_values
    places = data.draw(st.sets(st.integers(0, n_values - 1), min_size=1))
    return (
        PreferenceChoice(
            attribute=basis.attributes[place],
            places=tuple(sorted(places)),
            is_demanded=True,
        ),
    )


def keeps(space, bits, preferences):
    for preference in preferences:
        number = space.attributes.index(preference.attribute)
        domain = space.domains[number]
        start = int(space.first_bit[number])
        own = [True, *bits[start : start + domain.n_bits], True]
        labels = domain.hierarchy.levels[domain.level or 0].labels
        for place in preference.places:
            value = domain.index[labels[place]]
            if not (own[value] and own[value + 1]):
                return False
    return True


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["none", "fraction", "register", "partial"]),
    gamma=st.sampled_from([0.5, 1.0]),
    below=st.integers(1, 6),
    level=st.integers(0, 2),
)
def test_another_policy_as_threshold_is_counted_by_hand(
    seed, kind, gamma, below, level
):
    table = random_table(seed, kind)
    levels = {h.attribute: min(level, h.height) for h in table.hierarchies}
    project = project_of(
        table,
        baseline="policy",
        policy=Chosen(levels=levels, suppress_below=below),
        gamma=gamma,
    )

    def released(cell):
        return tuple(
            int(h.levels[levels[h.attribute]].groups[leaf])
            for h, leaf in zip(table.hierarchies, cell, strict=True)
        )

    sizes = Counter()
    for cell, n in zip(table.leaves.tolist(), table.counts.tolist(), strict=True):
        sizes[released(tuple(cell))] += n
    basis = compute_basis(project, classes_of(table))
    expected = by_hand(table, released, gamma, lambda c: sizes[released(c)] >= below)
    assert basis.threshold == pytest.approx(expected)
