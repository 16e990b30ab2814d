"""The small example of the paper, and random ones with slow answers."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from hypothesis import strategies as st

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.discover.cells import count_cells, count_records
from deidgui.engine.discover.comparing import compare_groups
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.frontier import RiskAndLoss
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.space import Space

POPULATION = {"M": (10, 8, 5, 2, 1), "F": (12, 9, 6, 3, 1)}
RECORDS = (("M", 50), ("M", 53), ("M", 54), ("F", 52), ("F", 54), ("F", 54))
RISKS = {
    "11111": 3.76667,
    "01111": 1.83636,
    "11110": 1.43333,
    "10110": 1.38889,
    "10010": 1.24718,
    "11100": 0.65,
    "01110": 0.70779,
    "00000": 0.10526,
}
"""methods.md O-A1."""


def flat(name, values):
    """Hierarchy of values and nothing but them together."""
    return Hierarchy.from_grid(name, [(str(value), "*") for value in values])


def paper_table():
    """Class table and register of O-A1."""
    hierarchies = (flat("gender", "MF"), flat("age", range(50, 55)))
    cells = sorted({("MF".index(sex), age - 50) for sex, age in RECORDS})
    counts = [
        sum(("MF".index(sex), age - 50) == cell for sex, age in RECORDS)
        for cell in cells
    ]
    population_counts = np.array([*POPULATION["M"], *POPULATION["F"]])
    everybody = np.array(list(product(range(2), range(5))), np.int32)
    return ClassTable(
        hierarchies,
        np.array(cells, np.int32),
        np.array(counts),
        population=Register(everybody, population_counts),
    )


def measure_of(table, gamma=1.0, mode="interval", **options):
    """Measure of all leaves of a class table."""
    space = Space(tuple(Domain.of(each) for each in table.hierarchies), mode)
    return RiskMeasure(count_cells(space, table), gamma, **options)


def figures_of(table):
    """Risk and loss of policies; the loss is of all records."""
    measure = measure_of(table)
    return RiskAndLoss(measure, RiskMeasure(count_records(measure.space, table)))


def paper_measure(gamma=1.0, **options):
    """Measure of O-A1."""
    return measure_of(paper_table(), gamma, **options)


def bits_of(text):
    """Bits from "10010"."""
    return np.array([each == "1" for each in text], np.bool_)


def all_bits(n_bits):
    """Every policy of a space of intervals."""
    return [np.array(bits, np.bool_) for bits in product([0, 1], repeat=n_bits)]


def runs_of(sizes, bits):
    """Run of each value of each attribute, one value after the other."""
    found, bits = [], list(bits)
    for size in sizes:
        runs = [0]
        for _ in range(size - 1):
            runs.append(runs[-1] + int(bits.pop(0)))
        found.append(runs)
    return found


def slow_risk(table, bits, gamma=1.0):
    """Risk record by record: people are counted one cell after the other."""
    runs = runs_of([each.n_leaves for each in table.hierarchies], bits)

    def released(leaves):
        return tuple(run[leaf] for run, leaf in zip(runs, leaves, strict=True))

    known = None
    if table.population is not None:
        known = {}
        rows = zip(
            table.population.leaves.tolist(),
            table.population.counts.tolist(),
            strict=True,
        )
        for leaves, count in rows:
            known[tuple(leaves)] = known.get(tuple(leaves), 0) + count
    records = {}
    for leaves, count in zip(table.leaves.tolist(), table.counts.tolist(), strict=True):
        # Records that nobody can be are in no sum.
        if known is None or tuple(leaves) in known:
            key = released(leaves)
            records[key] = records.get(key, 0) + count
    population_counts = dict(records)
    if known is not None:
        population_counts = {}
        for leaves, count in known.items():
            key = released(leaves)
            population_counts[key] = population_counts.get(key, 0) + count
    return math.fsum(
        count / population_counts[key] ** gamma for key, count in records.items()
    )


@st.composite
def tables(draw, max_attributes=3, max_values=5):
    """Random class table, with a register or without."""
    n_attributes = draw(st.integers(1, max_attributes))
    sizes = [draw(st.integers(2, max_values)) for _ in range(n_attributes)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    hierarchies = tuple(flat(f"a{i}", range(size)) for i, size in enumerate(sizes))
    everything = np.array(list(product(*map(range, sizes))), np.int32)
    chosen = rng.random(len(everything)) < draw(st.sampled_from([0.2, 0.6, 1.0]))
    chosen[rng.integers(len(everything))] = True
    counts = rng.integers(1, 5, int(chosen.sum()))
    population = None
    if draw(st.booleans()):
        some = rng.random(len(everything)) < draw(st.sampled_from([0.3, 0.9]))
        some[rng.integers(len(everything))] = True
        # Somebody can be the person of some record.
        some[np.flatnonzero(chosen)[rng.integers(chosen.sum())]] = True
        population_counts = rng.integers(1, 9, int(some.sum()))
        population = Register(everything[some], population_counts)
    return ClassTable(hierarchies, everything[chosen], counts, population=population)


def is_below(policy, other):
    """Whether a policy is more specific than another one."""
    return policy.key != other.key and bool((policy.splits >= other.splits).all())


def compare(measure, left, right):
    """Compare two policies of a space value by value and record by record."""
    risks = (measure.risk(left.bits), measure.risk(right.bits))
    return compare_groups(measure.cells, left.groups, right.groups, risks)
