"""The window's side of what has changed since an earlier release."""

from __future__ import annotations

from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app import workspace as workspace_module
from deidgui.app.determination.validity import decide_anew
from deidgui.app.dossier.drift import DriftError
from deidgui.app.needed import problems_of
from deidgui.app.workspace import Workspace
from deidgui.engine.evidence.entered import TriggerMet
from deidgui.errors import ConfigError
from tests.cli.case import Case
from tests.qt.fakes import InlineExecutor


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case.write(tmp_path)


@pytest.fixture
def workspace(case: Case):
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    made.open_project(case.project)
    yield made
    made.close()


def codes(workspace: Workspace) -> list[str]:
    return [each.code for each in problems_of(workspace.session.project)]


def test_another_policy_stops_the_export_until_somebody_decides_anew(case, workspace):
    session, problems, written = workspace.session, [], []
    workspace.problem.connect(lambda error, _lane: problems.append(error))
    workspace.release_written.connect(lambda each: written.append(each))
    workspace.export(case.folder / "first")
    assert len(written) == 1
    workspace.choose_earlier(case.folder / "first", "A. Analyst")
    assert session.project.validity.earlier.file == "first"
    needed = workspace.needed_files()
    files = {case.project, case.project.with_name("patients.csv")}
    assert {*files, case.folder / "first"} <= set(needed)
    workspace.export(case.folder / "second")
    assert len(written) == 2
    session.apply(ops.set_included("diagnosis", False), "leave it out")
    workspace.export(case.folder / "third")
    assert not (case.folder / "third").exists()
    assert [type(each) for each in problems] == [DriftError]
    (trigger,) = session.project.validity.triggers
    assert (trigger.kind, trigger.by) == ("policy", "deidgui")
    assert "validity_trigger" in codes(workspace)
    with pytest.raises(ConfigError):
        workspace.export(case.folder / "third")
    decided = decide_anew("2020-01-01", "2099-01-01", "seen", "A. A.", "2026-11-23")
    session.apply(decided, "decide anew")
    assert "validity_trigger" not in codes(workspace)
    workspace.export(case.folder / "third")
    assert len(written) == 3
    assert written[-1].written.evidence.drift.met == ("policy",)


def test_an_earlier_release_that_is_not_found_stops_the_export(case, workspace):
    workspace.export(case.folder / "first")
    workspace.choose_earlier(case.folder / "first", "A. Analyst")
    (case.folder / "first").rename(case.folder / "moved")
    problems = []
    workspace.problem.connect(lambda error, _lane: problems.append(error))
    workspace.export(case.folder / "second")
    assert [each.code for each in problems] == ["earlier_missing"]
    assert not (case.folder / "second").exists()
    workspace.choose_earlier(None, "A. Analyst")
    assert workspace.session.project.validity.earlier is None


def test_the_earlier_release_is_not_replaced_by_the_next_one(case, workspace):
    workspace.export(case.folder / "first")
    workspace.choose_earlier(case.folder / "first", "A. Analyst")
    taken = []
    workspace.place_taken.connect(lambda _folder, error: taken.append(error))
    before = (case.folder / "first" / "evidence.json").read_bytes()
    workspace.export(case.folder / "first")
    (error,) = taken
    assert error.code == "folder_input"
    assert not error.standing.may_be_given_up
    assert (case.folder / "first" / "evidence.json").read_bytes() == before


def test_a_release_whose_files_were_changed_cannot_be_chosen(case, workspace):
    problems = []
    workspace.problem.connect(lambda error, _lane: problems.append(error))
    workspace.export(case.folder / "first")
    table = case.folder / "first" / "patients_released.csv"
    table.write_text(table.read_text("utf-8") + "\n", "utf-8")
    workspace.choose_earlier(case.folder / "first", "A. Analyst")
    assert [each.code for each in problems] == ["earlier_changed"]
    assert workspace.session.project.validity.earlier is None


@pytest.mark.parametrize("changes", ["validity", "nothing", "project"])
def test_what_was_measured_is_entered_where_it_was_measured(
    case, workspace, monkeypatch, changes
):
    """Not in a project that somebody has decided on anew meanwhile, nor in another."""
    session, problems = workspace.session, []
    workspace.problem.connect(lambda error, _lane: problems.append(error))
    met = TriggerMet(
        kind="people", because="x", by="deidgui", on="2026-11-23", digest="0" * 64
    )

    def release(*_args, **_given):
        if changes == "validity":
            decided = decide_anew("2020-01-01", "2099-01-01", "y", "A.", "2026-11-23")
            session.apply(decided, "decide anew")
        elif changes == "project":
            workspace.close_project()
        raise DriftError([met])

    monkeypatch.setattr(workspace_module.releasing, "release", release)
    workspace.export(case.folder / "first")
    entered = session.project.validity.triggers
    assert entered == ((met,) if changes == "nothing" else ())
    # It is told in any case that nothing was written.
    assert [type(each) for each in problems] == [DriftError]
    if entered:
        session.undo()
        assert session.project.validity.triggers == ()
