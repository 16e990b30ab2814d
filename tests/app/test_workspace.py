"""Results belong to the decisions they were computed from, whatever comes between."""

from __future__ import annotations

from concurrent.futures import Executor, Future

import pytest

from deidgui.app import ops
from deidgui.app.jobs import Lane
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import DialectChoice, HierarchyChoice, Privacy
from deidgui.app.session import Kind, State
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.app.workspace import Workspace

TEXT = "age,sex,note\n" + "".join(
    f"{20 + i % 40},{'FM'[i % 2]},{'x' if i % 9 else ''}\n" for i in range(400)
)


class Deferred(Executor):
    """Runs work when it is told to, in the order of submission."""

    def __init__(self):
        self.waiting = []

    def submit(self, work, /, *args, **kwargs):
        self.waiting.append(lambda: work(*args, **kwargs))
        return Future()

    def run(self, last=False):
        """Run one piece of work: the first one that waits, or the last."""
        self.waiting.pop(-1 if last else 0)()

    def run_all(self):
        while self.waiting:
            self.run()

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.waiting.clear()


def opened(tmp_path, executor, text):
    """A workspace with a file, whose work is done when the test wants it."""
    made = Workspace(lambda closure: closure(), executor=executor)
    made.problem.connect(raised)
    made.open_data(written(tmp_path / "patients.csv", text))
    executor.run_all()
    return made


@pytest.fixture
def executor():
    return Deferred()


@pytest.fixture
def workspace(tmp_path, executor):
    made = opened(tmp_path, executor, TEXT)
    for name in ("age", "sex"):
        made.set_roles([name], "quasi_identifier")
    made.set_roles(["note"], "insensitive")
    privacy = Privacy(models=({"kind": "k_anonymity", "k": 5},), suppression_limit=0)
    made.session.apply(lambda project: project.but(privacy=privacy), "privacy")
    executor.run_all()
    yield made
    made.close()


def raised(error, _lane):
    raise error


def written(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def flat(name):
    return ops.set_hierarchy(name, {"kind": "flat"})


def cancelled_after_first_best(workspace, executor, between):
    """Start a search, do something, and cancel it when it has found a policy."""
    workspace.policies.found.connect(lambda _kind, _best: workspace.cancel(LATTICE))
    workspace.policies.start(LATTICE)
    search = executor.waiting.pop()
    between()
    search()
    executor.run_all()


def test_a_cancelled_search_answers_the_decisions_it_was_started_with(
    workspace, executor
):
    session = workspace.session
    cancelled_after_first_best(
        workspace, executor, lambda: session.apply(flat("age"), "other hierarchy")
    )
    found = session.result(LATTICE)
    assert found is not None
    assert found.hierarchies[0].height > 1
    assert session.state(LATTICE) is State.STALE
    session.undo()
    assert session.state(LATTICE) is State.CURRENT


def test_a_cancelled_search_does_not_replace_a_complete_one(workspace, executor):
    workspace.policies.start(LATTICE)
    executor.run_all()
    cancelled_after_first_best(workspace, executor, lambda: None)
    assert workspace.session.state(LATTICE) is State.CURRENT
    assert workspace.session.is_complete(LATTICE)


class Watching:
    """Remembers what it was told."""

    def __init__(self):
        self.told = []

    def report(self, fraction, note=""):
        self.told.append((fraction, note.partition(" ")[0]))


@pytest.mark.parametrize("method", ["profile", "optimum", "ola"])
@pytest.mark.parametrize("must_count", [False, True])
def test_progress_never_goes_back(workspace, monkeypatch, method, must_count):
    started = {}
    monkeypatch.setattr(
        workspace.policies,
        "_start",
        lambda lane, work, *_rest: started.setdefault(lane, work),
    )
    workspace.session.apply(ops.change_search(method=method), "method")
    if must_count:
        workspace.session.apply(flat("age"), "other hierarchy")
    workspace.policies.start(LATTICE)
    monitor = Watching()
    started[LATTICE](monitor)
    fractions = [fraction for fraction, _ in monitor.told]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] <= 1
    building = [f for f, note in monitor.told if note == "hierarchies"]
    assert bool(building) == must_count
    later = [f for f, note in monitor.told if note in ("nodes", "proof", "checks")]
    assert max(building, default=0) <= min(later)


def test_what_is_released_is_judged_again_when_only_other_columns_change(
    workspace, executor
):
    """No class changes with what counts as missing in a column of none."""
    session = workspace.session
    workspace.policies.start(LATTICE)
    executor.run_all()
    assert session.state(Kind.QUESTIONS) is State.CURRENT
    session.apply(ops.change_attribute("note", missing=("", "none")), "missing")
    assert session.state(Kind.CLASSES) is State.CURRENT
    assert session.current(Kind.QUESTIONS) is None
    executor.run_all()
    assert session.state(Kind.MEASUREMENT) is State.CURRENT
    assert session.state(Kind.QUESTIONS) is State.CURRENT


def test_late_classes_do_not_replace_current_ones(workspace, executor):
    session = workspace.session
    session.apply(flat("age"), "other hierarchy")
    session.undo()
    executor.run_all()
    assert session.state(Kind.CLASSES) is State.CURRENT
    assert session.state(Kind.MEASUREMENT) is State.CURRENT


def test_a_search_that_ends_while_its_decisions_are_undone_is_measured(
    workspace, executor
):
    session = workspace.session
    workspace.policies.start(LATTICE)
    session.apply(ops.change_privacy(suppression_limit=0.5), "limit")
    executor.run()  # the search ends, the measurement waits
    session.undo()
    executor.run_all()
    assert session.current(LATTICE).optimum is not None
    assert session.current(Kind.MEASUREMENT).policy is not None


def test_the_table_is_read_as_the_undone_project_says(workspace, executor):
    session = workspace.session
    before = session.current(Kind.CLASSES).class_table.n_records
    workspace.read_again(DialectChoice(header=True, skip_blanks=True, skip_lines=0))
    executor.run_all()
    workspace.read_again(DialectChoice(delimiter=";"))
    executor.run_all()
    assert session.loaded.table.column_names == ("age,sex,note",)
    session.undo()
    assert session.current(Kind.CLASSES) is None
    executor.run_all()
    assert session.loaded.table.column_names == ("age", "sex", "note")
    assert session.current(Kind.CLASSES).class_table.n_records == before
    session.redo()
    executor.run_all()
    assert session.loaded.table.column_names == ("age,sex,note",)


def project_elsewhere(workspace, folder, csv):
    """Save the workspace's project with a hand-made hierarchy to another folder."""
    written(folder / "patients.csv", TEXT)
    written(folder / "sex.csv", csv)
    project = workspace.session.project
    changed = ops.change_attribute("sex", hierarchy=HierarchyChoice(csv="sex.csv"))
    save_project(changed(project), folder / "p.deid.json")
    return folder / "p.deid.json"


def labels(workspace):
    return workspace.session.current(Kind.CLASSES).hierarchies["sex"].levels[1].labels


def test_classes_of_the_project_that_was_left_do_not_arrive(
    workspace, executor, tmp_path
):
    first = project_elsewhere(workspace, tmp_path / "a", "F;one;*\nM;one;*\n")
    second = project_elsewhere(workspace, tmp_path / "b", "F;two;*\nM;two;*\n")
    workspace.open_project(first)
    executor.run()  # the table is read, the classes wait
    workspace.open_project(second)
    executor.run_all()
    assert labels(workspace) == ("two",)


def test_hierarchies_of_the_project_that_was_left_are_not_used_again(
    workspace, executor, tmp_path
):
    for number, label in enumerate(["one", "two", "three", "four"]):
        csv = f"F;{label};*\nM;{label};*\n"
        path = project_elsewhere(workspace, tmp_path / str(number), csv)
        workspace.open_project(path)
        executor.run_all()
        assert labels(workspace) == (label,)


def test_data_of_the_project_that_was_left_do_not_arrive(workspace, executor, tmp_path):
    first = project_elsewhere(workspace, tmp_path / "a", "F;one;*\nM;one;*\n")
    project = load_project(first)
    second = tmp_path / "second.deid.json"
    save_project(project.but(inputs=(), attributes=()), second)
    workspace.open_project(first)
    assert workspace.is_running(Lane.READ)
    workspace.open_project(second)
    executor.run_all()
    assert workspace.session.loaded is None


def test_undo_never_leads_back_to_another_file(workspace, executor, tmp_path):
    save_project(workspace.session.project, tmp_path / "p.deid.json")
    written(tmp_path / "patients.csv", TEXT + "88,M,x\n")
    workspace.open_project(tmp_path / "p.deid.json")
    workspace.session.apply(ops.set_notes("before the file was read"), "notes")
    executor.run_all()
    workspace.accept_changed_data()
    executor.run_all()
    session = workspace.session
    assert session.project.notes == "before the file was read"
    session.undo()
    assert session.project.inputs[0].sha256 == session.loaded.sha256
