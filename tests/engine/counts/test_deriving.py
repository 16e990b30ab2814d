"""Whether a derivation tells what the audit found, and nothing that is not needed."""

import numpy as np
from hypothesis import given, settings

from deidgui.engine.counts.audit.deriving import KnownCount, derivation
from deidgui.engine.counts.audit.inference import audit
from deidgui.engine.counts.audit.system import SystemBuilder
from tests.engine.counts.brute import intervals
from tests.engine.counts.test_inference import systems


def test_100_remained_98_were_excluded_so_it_is_2():
    b = SystemBuilder()
    first, second, third = b.shown(100_100), b.shown(100), b.masked(11)
    out_first, out_second = b.shown(100_000), b.shown(98)
    b.step("step 2", first, second, out_first)
    b.step("step 3", second, third, out_second)
    told = derivation(audit(b.build()), third)
    (step,) = told.steps
    assert step.relation == 1
    assert step.found == KnownCount(third, 2, 2)
    assert step.others == (KnownCount(second, 100, 100), KnownCount(out_second, 98, 98))


def test_one_masked_count_tells_another():
    b = SystemBuilder()
    first, second = b.masked(11), b.masked(11)
    b.total("age", b.shown(100), [b.shown(97), first])
    b.total("sex", b.shown(50), [b.shown(40), first, second])
    b.total("nothing new", b.shown(200), [b.shown(190), b.masked(11), first])
    told = derivation(audit(b.build()), second)
    assert [each.relation for each in told.steps] == [0, 1]
    assert [each.found for each in told.steps] == [
        KnownCount(first, 3, 3),
        KnownCount(second, 7, 7),
    ]


def test_what_only_the_whole_table_tells():
    # All four cells are 1 to 10; the diagonal's sum says more than each row.
    b = SystemBuilder()
    cells = [[b.masked(6) for _ in range(2)] for _ in range(2)]
    for row, total in zip(cells, (5, 6), strict=True):
        b.total("row", b.shown(total), row)
    b.relation("difference", [(1, cells[0][0]), (-1, cells[0][1])], 1, 1)
    found = audit(b.build())
    told = derivation(found, cells[0][0])
    assert (found.of(cells[0][0]).low, found.of(cells[0][0]).high) == (3, 3)
    assert not told.steps or told.steps[-1].found == KnownCount(cells[0][0], 3, 3)
    assert told.steps or told.together == (0, 2)


def test_nothing_is_derived_of_what_is_protected():
    b = SystemBuilder()
    cells = [b.masked(11) for _ in range(3)]
    b.total("group", b.hidden(), cells)
    told = derivation(audit(b.build()), cells[0])
    assert not told.steps
    assert not told.together


@given(systems())
@settings(max_examples=80, deadline=None)
def test_the_relations_told_are_enough_and_none_is_idle(system):
    found = audit(system)
    for cell in found.cells:
        told = derivation(found, cell.unknown)
        used = {each.relation for each in told.steps} | set(told.together)
        assert _ends(system, used, cell.unknown) == (cell.low, cell.high)
        if told.together:
            for each in used:
                fewer = _ends(system, used - {each}, cell.unknown)
                assert fewer != (cell.low, cell.high)


@given(systems())
@settings(max_examples=80, deadline=None)
def test_each_step_follows_from_its_relation(system):
    found = audit(system)
    for cell in found.cells:
        known = dict(enumerate(zip(system.low, system.high, strict=True)))
        told = derivation(found, cell.unknown)
        for step in told.steps:
            for each in step.others:
                low, high = known[each.unknown]
                assert (each.low, each.high) == (low, high)
            of = step.found.unknown
            low, high = known[of]
            known[of] = max(low, step.found.low), min(high, step.found.high)
        assert told.together or known[cell.unknown] == (cell.low, cell.high)


def _ends(system, relations, unknown):
    gone = set(range(len(system.relations))) - relations
    # A hidden count has no limit of its own in the enumeration of fewer relations.
    return intervals(system.without(gone), limit=9)[unknown]


def test_the_order_of_relations_does_not_change_what_is_found():
    rng = np.random.default_rng(0)
    b = SystemBuilder()
    cells = [b.masked(11) for _ in range(4)]
    sums = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 1, 2)]
    truth = [3, 5, 2, 7]
    for at in rng.permutation(len(sums)):
        parts = sums[at]
        total = b.shown(sum(truth[each] for each in parts))
        b.total(int(at), total, [cells[each] for each in parts])
    assert [each.low for each in audit(b.build()).cells] == truth
