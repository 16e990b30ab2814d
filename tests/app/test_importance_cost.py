"""What importance costs is searched once, and kept with all that is known later."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deidgui.app import ops
from deidgui.app.jobs import Lane
from deidgui.app.policies.lattice import searching
from deidgui.app.policies.lattice.keeping import cost_words
from deidgui.app.policies.lattice.source import LatticeSource
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Privacy
from tests.app.test_workspace import Deferred, opened

TEXT = "age,sex,zip\n" + "".join(
    f"{20 + i % 40},{'FM'[i % 2]},{100 + i % 7}\n" for i in range(400)
)


@pytest.fixture
def executor():
    return Deferred()


@pytest.fixture
def workspace(tmp_path, executor):
    """One in which only the ages matter, and every question is answered."""
    made = opened(tmp_path, executor, TEXT)
    made.set_roles(["age", "sex", "zip"], "quasi_identifier")
    privacy = Privacy(models=({"kind": "k_anonymity", "k": 20},), suppression_limit=0.1)
    for op in (
        lambda project: project.but(privacy=privacy),
        ops.set_weight("sex", 0.01),
        ops.set_weight("zip", 0.01),
        ops.confirm_roles(),
        ops.set_protection(None),
        ops.take_over("researcher"),
        ops.change_export(suppressed="left_out", shuffle_seed=3),
    ):
        made.session.apply(op, "decide")
    executor.run_all()
    yield made
    made.close()


@pytest.fixture
def searches(monkeypatch):
    """How often what importance costs was searched."""
    made, find = [], searching.find_optimum

    def counted(*given, **named):
        weights = given[4]
        made.extend([given] if weights is None else [])
        return find(*given, **named)

    monkeypatch.setattr(searching, "find_optimum", counted)
    return made


def as_part(found):
    """The same policies, as if they were some of millions."""
    proof = replace(found.optimality, n_nodes=10**6)
    return replace(found, optimality=proof)


@pytest.fixture
def large(workspace, executor, monkeypatch):
    """Search a lattice that is too large for a survey."""
    run = LatticeSource.run
    monkeypatch.setattr(
        LatticeSource, "run", lambda *given, **named: as_part(run(*given, **named))
    )
    monkeypatch.setattr(LatticeSource, "can_survey", lambda *_given: False)
    workspace.session.apply(ops.change_search(method="optimum"), "method")
    workspace.policies.start(LATTICE)
    executor.run_all()
    assert workspace.session.current(LATTICE).lacks_cost
    return workspace


def test_the_search_of_an_export_serves_the_next_one(
    large, executor, searches, tmp_path
):
    for n_before in (0, 1):
        assert len(searches) == n_before
        large.export(tmp_path / f"release {n_before}")
        executor.run_all()
    assert len(searches) == 1
    known = large.session.current(LATTICE)
    assert known.preference_cost is not None
    large.policies.measure_cost()
    executor.run_all()
    assert len(searches) == 1
    assert (words := cost_words(known))
    stated = [(tmp_path / f"release {n}" / "evidence.json").read_text() for n in (0, 1)]
    assert all(words in each for each in stated)


def test_policies_that_are_looked_at_later_keep_the_cost(
    large, executor, searches, monkeypatch
):
    """And are not lost because the cost became known while they were looked at."""

    def survey(_source, _project, _classes, found, *, emit, monitor):
        del monitor
        emit(replace(found, plain=None, seed=1))
        return replace(found, plain=None, seed=2)

    monkeypatch.setattr(LatticeSource, "survey", survey)
    monkeypatch.setattr(LatticeSource, "can_survey", lambda *_given: True)
    seeds = []
    large.session.project_changed.connect(
        lambda *_: seeds.append(large.session.current(LATTICE).seed)
    )
    large.policies.start(LATTICE)
    executor.run()
    assert large.runner.running(Lane.SURVEY) is not None
    large.policies.measure_cost()
    while len(executor.waiting) > 1:
        executor.run(last=True)  # a survey waits while anything else runs
    known = large.session.current(LATTICE)
    assert known.preference_cost is not None
    executor.run_all()
    grown = large.session.current(LATTICE)
    assert {1, 2} <= set(seeds)
    assert grown.seed == 2
    assert grown.preference_cost == known.preference_cost
    assert len(searches) == 1
