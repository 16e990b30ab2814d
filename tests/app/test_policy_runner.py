"""The basis follows decisions; what is discovered belongs to those it rests on."""

from __future__ import annotations

import pytest

from deidgui.app import ops
from deidgui.app.jobs import Lane
from deidgui.app.policies.alternatives import checking
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.policies.runner import ALTERNATIVES, LATTICE
from deidgui.app.project import Chosen, Discover
from deidgui.app.session import Kind, State
from deidgui.app.storage.project_io import save_project
from deidgui.errors import ConfigError, InfeasibleError
from tests.app.test_workspace import Deferred, opened, written

TEXT = "age,sex,note\n" + "".join(
    f"{20 + i % 75},{'FM'[i % 2]},{'x' if i % 9 else ''}\n" for i in range(600)
)


@pytest.fixture
def executor():
    return Deferred()


@pytest.fixture
def workspace(tmp_path, executor):
    made = opened(tmp_path, executor, TEXT)
    for name in ("age", "sex"):
        made.set_roles([name], "quasi_identifier")
    made.set_roles(["note"], "insensitive")
    executor.run_all()
    yield made
    made.close()


def decide(workspace, **changes):
    """Take Safe Harbor as baseline, and change some decisions."""

    def op(project):
        discover = with_elements(project.discover, proposed_elements(project))
        return project.but(discover=discover.but(**changes))

    workspace.session.apply(op, "baseline")


def test_the_ground_is_known_before_anything_is_decided(workspace):
    basis = workspace.policies.baseline.basis
    assert basis.threshold is None
    assert basis.raw_risk == 150
    assert workspace.policies.baseline.problem is None


def test_the_ground_follows_every_decision(workspace, executor):
    policies, told = workspace.policies, []
    policies.baseline.changed.connect(lambda: told.append(policies.baseline.basis))
    decide(workspace)
    # What is shown is never of other decisions.
    assert policies.baseline.basis is None
    executor.run_all()
    basis = policies.baseline.basis
    # Ages of 90 to 94 become one value of either sex.
    assert (basis.threshold, basis.raw_risk) == (150 - 8, 150)
    decide(workspace, seed=4, iterations=7)
    assert policies.baseline.basis is basis
    assert not executor.waiting
    decide(workspace, gamma=2.0)
    executor.run_all()
    assert policies.baseline.basis.threshold < basis.threshold
    workspace.set_roles(["sex"], "insensitive")
    executor.run_all()
    assert policies.baseline.basis.attributes == ("age",)
    assert told[0] is basis
    assert told[-1] is policies.baseline.basis


def test_what_is_wrong_is_told_at_the_decision(workspace, executor):
    decide(workspace, levels={"age": 99})
    executor.run_all()
    assert workspace.policies.baseline.basis is None
    assert workspace.policies.baseline.problem.code == "level_out_of_range"
    decide(workspace, levels={})
    executor.run_all()
    assert workspace.policies.baseline.problem is None
    assert workspace.policies.baseline.basis is not None


def test_what_was_wrong_is_not_told_of_other_decisions(workspace, executor):
    decide(workspace, elements={})
    executor.run_all()
    policies = workspace.policies
    assert policies.baseline.problem is not None
    workspace.session.undo()
    assert policies.baseline.problem is None
    executor.run_all()
    assert policies.baseline.problem is None
    assert policies.baseline.basis is not None
    decide(workspace, elements={})
    executor.run_all()
    workspace.set_roles(["age", "sex"], "insensitive")
    assert policies.baseline.problem is None


def test_the_ground_follows_models_that_decide_about_it(workspace, executor):
    decide(workspace, baseline="models", elements={})

    def models(k):
        stored = ({"kind": "k_anonymity", "k": k},)
        return lambda project: project.but(privacy=project.privacy.but(models=stored))

    workspace.session.apply(models(2), "models")
    executor.run_all()
    assert workspace.policies.baseline.basis.models[0].k == 2
    levels = {"age": 0, "sex": 0}
    workspace.session.apply(lambda p: p.but(chosen=Chosen(levels=levels)), "choose")
    executor.run_all()
    # Figures of a policy are kept, stale, when it is given up: nothing is measured.
    workspace.session.apply(lambda p: p.but(chosen=None), "give up")
    executor.run_all()
    workspace.session.apply(models(3), "models")
    executor.run_all()
    assert workspace.policies.baseline.basis.models[0].k == 3


def test_a_cancelled_ground_is_laid_again(workspace, executor):
    decide(workspace)
    workspace.cancel(Lane.BASIS)
    executor.run_all()
    policies = workspace.policies
    assert policies.baseline.basis is None
    policies.baseline.update()
    executor.run_all()
    assert policies.baseline.basis.threshold is not None


def test_alternatives_are_found_and_become_stale(workspace, executor):
    decide(workspace, iterations=10)
    executor.run_all()
    policies, session = workspace.policies, workspace.session
    assert workspace.session.result(ALTERNATIVES) is None
    policies.start(ALTERNATIVES)
    executor.run_all()
    found = workspace.session.result(ALTERNATIVES)
    assert len(found) > 0
    assert workspace.session.current(ALTERNATIVES) is not None
    assert session.is_complete(ALTERNATIVES)
    assert policies.so_far.get(ALTERNATIVES) is None
    session.apply(lambda project: project.but(notes="n"), "note")
    assert workspace.session.current(ALTERNATIVES) is not None
    decide(workspace, gamma=3.0)
    assert workspace.session.result(ALTERNATIVES) is found
    assert session.state(ALTERNATIVES) is State.STALE
    session.undo()
    assert workspace.session.current(ALTERNATIVES) is not None


def test_classes_are_counted_first_if_they_must_be(workspace, executor):
    decide(workspace, iterations=5)
    executor.run_all()
    workspace.session.apply(ops.set_hierarchy("sex", {"kind": "flat"}), "flat")
    workspace.session.apply(ops.set_hierarchy("age", {"kind": "flat"}), "flat")
    workspace.cancel(Lane.CLASSES)
    workspace.policies.start(ALTERNATIVES)
    executor.run(last=True)
    assert workspace.session.state(Kind.CLASSES) is State.CURRENT
    assert workspace.session.current(ALTERNATIVES) is not None


def test_a_cancelled_discovery_keeps_what_it_found(workspace, executor, monkeypatch):
    for name in ("REPORT_EVERY_S", "REPORTING"):
        monkeypatch.setattr(f"deidgui.app.policies.alternatives.searching.{name}", 0.0)
    decide(workspace, iterations=50)
    executor.run_all()
    policies, told = workspace.policies, []

    def look(kind, found):
        assert kind == ALTERNATIVES
        told.append(found)
        if len(told) == 5:
            workspace.cancel(ALTERNATIVES)

    policies.found.connect(look)
    policies.start(ALTERNATIVES)
    assert policies.so_far.get(ALTERNATIVES) is None
    executor.run_all()
    found = workspace.session.result(ALTERNATIVES)
    assert 0 < len(found) < 50
    assert found.bits.tolist() == told[-1].bits.tolist()
    assert found.is_measured
    assert not workspace.session.is_complete(ALTERNATIVES)
    assert workspace.session.current(ALTERNATIVES) is not None
    assert policies.stopped == {ALTERNATIVES}
    assert policies.keeps_part(ALTERNATIVES)
    # A complete one is not replaced by less.
    decide(workspace, iterations=51)
    told.clear()
    policies.found.connect(lambda _kind, _found: None)
    told += [None] * 9
    policies.start(ALTERNATIVES)
    executor.run_all()
    assert workspace.session.is_complete(ALTERNATIVES)
    assert not policies.stopped
    assert not policies.keeps_part(ALTERNATIVES)
    whole = workspace.session.result(ALTERNATIVES)
    told.clear()
    policies.start(ALTERNATIVES)
    executor.run_all()
    assert workspace.session.result(ALTERNATIVES) is whole
    assert policies.stopped == {ALTERNATIVES}


def test_a_discovery_answers_the_decisions_it_was_started_with(workspace, executor):
    decide(workspace, iterations=8)
    executor.run_all()
    workspace.policies.start(ALTERNATIVES)
    decide(workspace, gamma=2.0)
    executor.run_all()
    assert workspace.session.state(ALTERNATIVES) is State.STALE
    workspace.session.undo()
    assert workspace.session.current(ALTERNATIVES) is not None


def test_what_was_missing_is_told_before_a_job_starts(workspace, executor):
    with pytest.raises(ConfigError, match="discovery_baseline_missing"):
        workspace.policies.start(ALTERNATIVES)
    assert not executor.waiting


def test_nothing_acceptable_is_a_problem_of_the_lane(workspace, executor):
    problems = []
    workspace.problem.connect(lambda error, lane: problems.append((error, lane)))
    discover = Discover(baseline="typed", typed=0.5)
    workspace.session.apply(lambda p: p.but(discover=discover), "baseline")
    executor.run_all()
    assert not workspace.policies.baseline.basis.is_feasible
    workspace.policies.start(ALTERNATIVES)
    with pytest.raises(InfeasibleError, match="no_acceptable_policy"):
        executor.run_all()


def test_another_project_forgets(workspace, executor, tmp_path):
    decide(workspace)
    executor.run_all()
    basis = workspace.policies.baseline.basis
    assert basis.threshold is not None
    workspace.open_data(written(tmp_path / "other.csv", TEXT))
    assert workspace.policies.baseline.basis is basis
    executor.run_all()
    assert workspace.policies.baseline.basis is not basis
    assert workspace.policies.baseline.basis.threshold is None
    assert workspace.session.result(ALTERNATIVES) is None
    assert not workspace.is_running(Lane.BASIS)


def test_a_saved_discovery_is_found_again(workspace, executor, tmp_path):
    decide(workspace, iterations=5, seed=11)
    executor.run_all()
    workspace.policies.start(ALTERNATIVES)
    executor.run_all()
    before = [
        each.policy.text for each in workspace.session.result(ALTERNATIVES).alternatives
    ]
    chosen = workspace.session.result(ALTERNATIVES).choice(0)
    workspace.session.apply(ops.choose_policy(chosen), "choose")
    path = tmp_path / "saved.deid.json"
    save_project(workspace.session.project, path)
    workspace.open_project(path)
    executor.run_all()
    assert workspace.session.project.chosen == chosen
    workspace.policies.start(ALTERNATIVES)
    executor.run_all()
    again = workspace.session.result(ALTERNATIVES)
    assert [each.policy.text for each in again.alternatives] == before
    assert again.row_of(chosen) == 0


def test_the_loss_of_alternatives_follows_the_measure_that_guides(workspace, executor):
    decide(workspace, iterations=5)
    executor.run_all()
    workspace.policies.start(ALTERNATIVES)
    executor.run_all()
    session = workspace.session
    before = session.result(ALTERNATIVES)
    session.apply(
        lambda project: project.but(
            quality=project.quality.but(measure={"kind": "discernibility"})
        ),
        "measure",
    )
    executor.run_all()
    assert session.state(ALTERNATIVES) is State.CURRENT
    after = session.result(ALTERNATIVES)
    assert after is not before
    assert after.guiding.kind == "discernibility"
    assert after.columns.loss.tolist() != before.columns.loss.tolist()
    assert after.risk.tolist() == before.risk.tolist()
    assert session.is_complete(ALTERNATIVES)


def test_the_policies_of_all_sources_stand_in_one_set(workspace, executor):
    decide(workspace, iterations=5)
    executor.run_all()
    assert len(workspace.policies.policies) == 0
    workspace.session.apply(
        lambda project: project.but(
            privacy=project.privacy.but(
                models=({"kind": "k_anonymity", "k": 2},), suppression_limit=0.5
            )
        ),
        "models",
    )
    executor.run_all()
    workspace.policies.start(LATTICE, ALTERNATIVES)
    executor.run_all()
    found = workspace.policies.policies
    assert found.kinds == (LATTICE, ALTERNATIVES)
    assert found.population is workspace.policies.baseline.basis
    assert workspace.policies.policies is found
    fingerprints = [workspace.session.fingerprint(kind) for kind in found.kinds]
    assert [found.fingerprints[kind] for kind in found.kinds] == fingerprints
    measured = found.measure(found.number_of(found.part(LATTICE).choice(0))).figures
    assert measured.population_risk is not None


def test_what_a_basis_rests_on_is_worked_out_once_for_each_project(
    workspace, executor, monkeypatch
):
    asked, known = [], checking.basis_key

    def counted(project):
        asked.append(project)
        return known(project)

    monkeypatch.setattr(checking, "basis_key", counted)
    decide(workspace)
    executor.run_all()
    for _ in range(3):
        assert workspace.policies.baseline.problem is None
        assert workspace.policies.baseline.basis is not None
    assert asked == [workspace.session.project]
