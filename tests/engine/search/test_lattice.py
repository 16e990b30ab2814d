"""Node numbers, level vectors and neighbours."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.errors import ConfigError, ProblemsError
from tests.engine.search.cases import hierarchy_of

limits = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(sorted),
    min_size=1,
    max_size=4,
)


def lattice_from(triples):
    low, high, height = zip(*triples, strict=True)
    return Lattice(tuple(height), tuple(low), tuple(high))


@given(limits)
def test_nodes_count_level_vectors_in_lexicographic_order(triples):
    lattice = lattice_from(triples)
    vectors = list(product(*(range(low, high + 1) for low, high, _ in triples)))
    assert lattice.n_nodes == len(vectors)
    assert [tuple(row) for row in lattice.levels().tolist()] == vectors
    assert [lattice.levels_of(node) for node in range(lattice.n_nodes)] == vectors
    assert [lattice.node(vector) for vector in vectors] == list(range(len(vectors)))
    assert lattice.level_sums.tolist() == [sum(vector) for vector in vectors]


@given(limits)
def test_neighbours_differ_in_one_level(triples):
    lattice = lattice_from(triples)
    vectors = lattice.levels()
    for node in range(lattice.n_nodes):
        differences = vectors - vectors[node]
        one_up = (differences >= 0).all(axis=1) & (differences.sum(axis=1) == 1)
        one_down = (differences <= 0).all(axis=1) & (differences.sum(axis=1) == -1)
        assert sorted(lattice.successors(node)) == np.flatnonzero(one_up).tolist()
        assert sorted(lattice.predecessors(node)) == np.flatnonzero(one_down).tolist()


def test_limits_apply_to_the_attributes_named():
    found = [hierarchy_of("x", [[0, 0], [0, 0]]), hierarchy_of("y", [[0, 0, 1]])]
    lattice = lattice_of(found, {"x": 1}, {"y": 0})
    assert lattice.heights == (2, 1)
    assert (lattice.minimum, lattice.maximum) == ((1, 0), (2, 0))


def test_wrong_limits_are_reported_together():
    found = [hierarchy_of("x", [[0, 0]]), hierarchy_of("y", [[0, 0]])]
    with pytest.raises(ProblemsError) as caught:
        lattice_of(found, {"x": 1, "y": -1}, {"x": 0})
    assert [each.code for each in caught.value.problems] == ["level_limits"] * 2
    with pytest.raises(ConfigError) as one:
        lattice_of(found, maximum={"y": 2})
    assert one.value.params == {"attribute": "y", "low": 0, "high": 2, "top": 1}
