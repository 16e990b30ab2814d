"""Whether contradictions are found, as groups of which nothing can be left out."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.counts.audit.inference import audit
from deidgui.engine.counts.audit.solving import Ends
from deidgui.engine.counts.audit.system import SystemBuilder
from deidgui.errors import Cancelled, InputError
from tests.engine.counts.brute import intervals
from tests.engine.counts.test_inference import systems


def test_sums_that_do_not_agree_are_named_each():
    b = SystemBuilder()
    cells = [b.shown(3), b.shown(4)]
    b.total("wrong", b.shown(8), cells)
    b.total("right", b.shown(7), cells)
    b.total("also wrong", b.shown(6), cells)
    b.total("masked", b.shown(9), [*cells, b.masked(11)])
    found = audit(b.build())
    assert [each.relations for each in found.conflicts] == [(0,), (2,)]
    assert [(each.low, each.high) for each in found.cells] == [(2, 2)]


def test_a_complement_masked_as_small_is_a_contradiction():
    b = SystemBuilder()
    cells = [b.masked(11), b.masked(11), b.shown(0)]
    b.total("age", b.shown(100), cells)
    found = audit(b.build())
    assert [each.relations for each in found.conflicts] == [(0,)]


def test_relations_that_agree_two_by_two_but_not_together():
    b = SystemBuilder()
    first, second, third = (b.masked(11) for _ in range(3))
    b.relation("1+2", [(1, first), (1, second)], 5, 5)
    b.relation("2+3", [(1, second), (1, third)], 5, 5)
    b.relation("1+3", [(1, first), (1, third)], 5, 5)
    b.relation("1+2+3", [(1, first), (1, second), (1, third)], 3, 20)
    found = audit(b.build())
    # All three sums are odd: half counts would fit, whole ones do not.
    assert [each.relations for each in found.conflicts] == [(0, 1, 2)]
    assert found.conflicts[0].unknowns == (first, second, third)


def test_a_relation_without_counts():
    b = SystemBuilder()
    count = b.masked(11)
    b.relation("nothing", [(1, count), (-1, count)], 1, 1)
    assert [each.relations for each in audit(b.build()).conflicts] == [(0,)]


def test_a_count_that_a_relation_alone_settles_is_part_of_a_contradiction():
    b = SystemBuilder()
    first, second, third = (b.masked(7) for _ in range(3))
    fourth = b.hidden(0, 9)
    b.relation("3", [(1, second), (1, third), (1, fourth)], 3, 3)
    b.relation("1", [(1, first)], 1, 1)
    everything = [(1, first), (1, second), (1, third), (1, fourth)]
    b.relation("5", everything, 5, 5)
    # No bound contradicts another, and each two of the relations can be fulfilled.
    assert [each.relations for each in audit(b.build()).conflicts] == [(0, 1, 2)]


@given(systems(), st.data())
@settings(max_examples=80, deadline=None)
def test_conflicts_are_those_of_enumeration(system, data):
    relation = data.draw(st.sampled_from(system.relations))
    b = SystemBuilder(
        system.low.tolist(), system.high.tolist(), system.marks.tolist(),
        [*system.relations],
    )  # fmt: skip
    terms = zip(relation.coefficients, relation.unknowns, strict=True)
    off = data.draw(st.integers(-12, 12))
    bound = (relation.low if relation.low is not None else relation.high) + off
    b.relation("another", terms, bound, bound)
    changed = b.build()
    found = audit(changed)
    assert bool(found.conflicts) == (intervals(changed) is None)
    for conflict in found.conflicts:
        assert _alone(changed, conflict.relations) is None
        for fewer in combinations(conflict.relations, len(conflict.relations) - 1):
            assert _alone(changed, fewer) is not None
    rest = intervals(changed.without(found.left_out))
    for cell in found.cells:
        assert (cell.low, cell.high) == rest[cell.unknown]


def _alone(system, relations):
    return intervals(system.without(set(range(len(system.relations))) - set(relations)))


def test_counts_beyond_what_can_be_added_up_are_refused():
    b = SystemBuilder()
    b.total("sum", b.shown(2**50), [b.masked(11), b.hidden()])
    with pytest.raises(InputError) as raised:
        b.build()
    assert raised.value.code == "count_too_large"


class _Stop:
    """A monitor that stops after some reports."""

    def __init__(self, after):
        self.left = after

    def report(self, fraction, note=""):
        self.left -= 1
        if self.left < 0:
            raise Cancelled


@pytest.mark.parametrize("after", [0, 1, 3, 10])
def test_an_audit_stops_when_asked(after):
    b = SystemBuilder()
    cells = [[b.masked(11) for _ in range(6)] for _ in range(6)]
    for row in cells:
        b.total("row", b.shown(30), row)
    for column in zip(*cells, strict=True):
        b.total("column", b.shown(30), column)
    with pytest.raises(Cancelled):
        audit(b.build(), monitor=_Stop(after))


def test_a_search_without_time_is_not_proven(monkeypatch):
    # 3 x = 2 y + 1 and more: the linear program alone does not end in whole numbers.
    b = SystemBuilder()
    x, y = b.masked(50), b.masked(50)
    b.relation("first", [(3, x), (-2, y)], 1, 1)
    b.relation("second", [(2, x), (3, y)], 60, 70)
    least = Ends.least

    def without_time(ends, cost):
        end = least(ends, cost)
        return None if end is None else type(end)(None, end.counts)

    exact = audit(b.build())
    monkeypatch.setattr(Ends, "least", without_time)
    found = audit(b.build())
    for cell, known in zip(found.cells, exact.cells, strict=True):
        assert cell.low <= known.low
        assert cell.high >= known.high
        assert not cell.is_proven or (cell.low, cell.high) == (known.low, known.high)
