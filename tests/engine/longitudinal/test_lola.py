"""LOLA against a look at every node with everything that may be known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.longitudinal.lola import (
    NodeCheck,
    lattice_of_history,
    lola,
    loss_by_level,
)
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import Exposure
from deidgui.errors import Cancelled
from tests.engine.longitudinal.small_histories import history_of, some_people
from tests.engine.longitudinal.test_risk import exact_share


def searched(history, size, limit, most=1, weights=None):
    powers = adversary_power(history, most, "none")
    lattice = lattice_of_history(history)
    asked = Exposure(size, limit, seed=3, most_drawn=200_000)
    return lola(NodeCheck(history, powers, asked, lattice), weights), powers


@given(some_people, st.integers(2, 3), st.sampled_from([0.0, 0.15, 0.4]))
@settings(deadline=None, max_examples=40)
def test_every_tag_is_right(people, size, limit):
    history = history_of(people)
    # All events are known: nothing is estimated.
    found, powers = searched(history, size, limit, most=9)
    lattice = found.lattice
    exact = np.array(
        [
            exact_share(history, lattice.levels_of(node), powers, size)
            for node in range(lattice.n_nodes)
        ]
    )
    assert (found.is_solution == (exact <= limit)).all()
    solutions = np.flatnonzero(exact <= limit)
    if not len(solutions):
        assert found.optimum is None
        return
    assert found.losses[found.optimum] == found.losses[solutions].min()


def test_losses_by_hand():
    history = history_of([(0, [(0, 0), (0, 1)]), (1, [(1, 2), (2, 2)])])
    sex, code, ward = loss_by_level(history)
    assert sex.tolist() == code.tolist() == [0, 1]
    # a, b, c, c: 8 - 2 bits over all; a and b together lose 2.
    assert ward.tolist() == pytest.approx([0, 2 / 6, 1])


def test_an_attribute_without_importance_costs_nothing():
    history = history_of([(0, [0, 1]), (1, [0, 1]), (0, [2]), (1, [2])])
    free, _ = searched(history, 2, 0.0, weights={"sex": 0.0})
    assert free.lattice.levels_of(free.optimum) == (1, 0)
    kept, _ = searched(history, 2, 0.0, weights={"code": 0.0})
    assert kept.lattice.levels_of(kept.optimum) == (0, 1)


def test_it_goes_on_where_it_was_cancelled():
    history = history_of([(n % 2, [n % 3, (n + 1) % 3]) for n in range(12)])
    lattice = lattice_of_history(history)
    powers = adversary_power(history, 2, "none")
    check = NodeCheck(history, powers, Exposure(4, 0.2, most_drawn=100_000), lattice)

    class Impatient:
        def __init__(self):
            self.left = 2

        def report(self, fraction, note=""):
            self.left -= 1
            if not self.left:
                raise Cancelled

    with pytest.raises(Cancelled):
        lola(check, monitor=Impatient())
    known = dict(check.shares)
    assert known
    found = lola(check)
    assert all(found.shares[node] is share for node, share in known.items())
    whole = lola(NodeCheck(history, powers, check.asked, lattice))
    assert whole.shares == dict(found.shares)
