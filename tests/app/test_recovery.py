"""What a crash leaves behind is what was decided, and nothing that was undone."""

from __future__ import annotations

import os
import stat

import pytest

from deidgui.app import ops
from deidgui.app.project import InputFile, PopulationChoice, Project
from deidgui.app.recovery import EARLIER, FILE, Recovery, values_file
from deidgui.app.storage.project_io import save_project
from deidgui.app.workspace import Workspace
from tests.app.test_workspace import Deferred, raised, written

DATA = "age,sex\n" + "".join(f"{20 + i % 40},{'FM'[i % 2]}\n" for i in range(200))
POPULATION = "age,sex\n" + "".join(f"{20 + i % 40},{'FM'[i % 2]}\n" for i in range(900))


@pytest.fixture
def run(tmp_path):
    """Start the program on one recovery folder; what is open ends as in a crash."""
    opened = []

    def start(folder="r"):
        executor = Deferred()
        made = Workspace(lambda run: run(), Recovery(tmp_path / folder), executor)
        made.problem.connect(raised)
        made.executor = executor
        opened.append(made)
        return made

    yield start
    for each in opened:
        each.runner.close()


def opened(workspace, tmp_path):
    workspace.open_data(written(tmp_path / "data" / "patients.csv", DATA))
    workspace.executor.run_all()
    return workspace


def test_what_was_undone_does_not_come_back(run, tmp_path):
    workspace = opened(run(), tmp_path)
    workspace.session.apply(ops.set_notes("secret"), "notes")
    workspace.autosave()
    assert Recovery(tmp_path / "r").exists
    workspace.session.undo()
    workspace.autosave()
    assert not Recovery(tmp_path / "r").exists
    workspace.session.redo()
    workspace.autosave()
    assert Recovery(tmp_path / "r").take().project.notes == "secret"


def test_a_project_that_was_left_does_not_come_back(run, tmp_path):
    workspace = opened(run(), tmp_path)
    workspace.session.apply(ops.set_notes("thrown away"), "notes")
    workspace.autosave()
    opened(workspace, tmp_path)
    workspace.autosave()
    assert not Recovery(tmp_path / "r").exists


def test_an_earlier_crash_waits_until_somebody_was_asked(run, tmp_path):
    first = opened(run(), tmp_path)
    first.session.apply(ops.set_notes("first"), "notes")
    first.autosave()
    # A second run is not asked: it was started with a project.
    second = opened(run(), tmp_path)
    second.autosave()
    assert Recovery(tmp_path / "r").take().project.notes == "first"
    second.session.apply(ops.set_notes("second"), "notes")
    second.autosave()
    second.session.undo()
    second.autosave()
    second.close()
    third = Recovery(tmp_path / "r")
    assert third.offer()
    assert third.take().project.notes == "first"


def test_the_one_that_was_offered_is_restored_after_new_work(run, tmp_path):
    first = opened(run(), tmp_path)
    first.session.apply(ops.set_notes("first"), "notes")
    first.autosave()
    second = opened(run(), tmp_path)
    second.session.apply(ops.set_notes("second"), "notes")
    second.autosave()
    assert second.recover()
    assert second.session.project.notes == "first"
    second.executor.run_all()
    second.autosave()
    assert not (tmp_path / "r" / EARLIER).exists()
    assert Recovery(tmp_path / "r").take().project.notes == "first"
    second.close()
    assert not list((tmp_path / "r").iterdir())


def test_two_crashes_in_a_row_lose_nothing(run, tmp_path):
    for notes in ("first", "second"):
        workspace = opened(run(), tmp_path)
        workspace.session.apply(ops.set_notes(notes), "notes")
        workspace.autosave()
    latest = Recovery(tmp_path / "r")
    assert latest.offer()
    assert latest.take().project.notes == "second"
    latest.close()
    assert Recovery(tmp_path / "r").take().project.notes == "first"


def test_who_goes_on_without_it_is_not_asked_again(run, tmp_path):
    workspace = opened(run(), tmp_path)
    workspace.session.apply(ops.set_notes("first"), "notes")
    workspace.autosave()
    recovery = Recovery(tmp_path / "r")
    assert recovery.offer()
    recovery.close()
    assert not Recovery(tmp_path / "r").exists


def test_a_saved_project_leaves_nothing_of_its_own(run, tmp_path):
    workspace = opened(run(), tmp_path)
    workspace.session.apply(ops.set_notes("kept"), "notes")
    workspace.autosave()
    workspace.save(tmp_path / "p.deid.json")
    assert not (tmp_path / "r" / FILE).exists()


def with_population(workspace, tmp_path):
    for name in ("age", "sex"):
        workspace.set_roles([name], "quasi_identifier")
    path = written(tmp_path / "elsewhere" / "people.csv", POPULATION)
    workspace.open_population(path, "register")
    workspace.executor.run_all()
    return path


def test_the_population_is_found_again_after_a_crash(run, tmp_path):
    workspace = opened(run(), tmp_path)
    path = with_population(workspace, tmp_path)
    workspace.autosave()
    again = run()
    wanted = []
    again.input_wanted.connect(lambda *names: wanted.append(names))
    assert again.recover()
    again.executor.run_all()
    assert not wanted
    assert again.session.current_population.path == path
    assert again.population.table is not None


def test_undo_finds_the_population_before(run, tmp_path):
    workspace = opened(run(), tmp_path)
    path = with_population(workspace, tmp_path)
    other = written(tmp_path / "elsewhere" / "others.csv", POPULATION * 2)
    workspace.open_population(other, "register")
    workspace.executor.run_all()
    assert workspace.session.current_population.path == other
    workspace.session.undo()
    workspace.executor.run_all()
    assert workspace.session.current_population.path == path


def test_a_recovery_file_of_an_earlier_version_is_read(tmp_path):
    recovery = Recovery(tmp_path)
    choice = PopulationChoice(
        kind="register", file=InputFile(name="population", file="people.csv")
    )
    project = Project().but(privacy=Project().privacy.but(population=choice))
    recovery.keep(project, None, None, {}, tmp_path / "people.csv")
    assert Recovery(tmp_path).take().population == tmp_path / "people.csv"
    text = (tmp_path / FILE).read_text()
    (tmp_path / FILE).write_text(text.replace('"population": "', '"ignored": "', 1))
    assert Recovery(tmp_path).take().population is None


def test_a_population_without_a_digest_is_read_once(run, tmp_path):
    """A project written by hand need not tell the digest of its files."""
    workspace = opened(run(), tmp_path)
    path = with_population(workspace, tmp_path)
    workspace.save(tmp_path / "elsewhere" / "p.deid.json")
    text = (tmp_path / "elsewhere" / "p.deid.json").read_text()
    known = workspace.session.project.privacy.population.file.sha256
    (tmp_path / "elsewhere" / "p.deid.json").write_text(text.replace(known, ""))
    again = run()
    again.open_project(tmp_path / "elsewhere" / "p.deid.json")
    again.locate_input(tmp_path / "data" / "patients.csv")
    for _ in range(30):
        if again.executor.waiting:
            again.executor.run()
    assert not again.executor.waiting
    assert again.session.current_population.path == path
    assert again.session.project.privacy.population.file.sha256 == known


def test_values_of_hierarchies_are_in_a_file_that_says_so(tmp_path):
    """The kept project holds none, and nobody else may read either."""
    kept = Recovery(tmp_path / "kept")
    files = {"hierarchies/city.csv": b"Smalltown,Somewhere\n"}
    kept.keep(Project(name="one"), None, None, files)
    main = tmp_path / "kept" / FILE
    assert b"files" not in main.read_bytes()
    beside = values_file(main)
    assert "hierarchy_values" in beside.read_text()
    if os.name == "posix":
        for path in (main, beside):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(main.parent.stat().st_mode) == 0o700
    taken = Recovery(tmp_path / "kept").take()
    assert taken is not None
    assert taken.files == files
    # The values of another moment are not those of this project.
    beside.write_bytes(beside.read_bytes() + b" ")
    assert Recovery(tmp_path / "kept").take() is None
    kept.forget()
    assert list(main.parent.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_project_is_its_owners_alone_until_a_person_shares_it(tmp_path):
    path = tmp_path / "p.deid.json"
    save_project(Project(name="one"), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    save_project(Project(name="two"), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_both_files_of_linked_tables_come_back(run, tmp_path):
    workspace = opened(run(), tmp_path)
    people = "id,region\n" + "".join(f"{20 + i},N\n" for i in range(40))
    path = written(tmp_path / "data" / "people.csv", people)
    offers = []

    def note(offer):
        offers.append(offer)

    workspace.people_read.connect(note)
    workspace.open_people(path)
    workspace.executor.run_all()
    workspace.link_people(offers[0].second, "age", "id")
    workspace.executor.run_all()
    project = workspace.session.project
    assert project.link is not None
    workspace.autosave()
    again = run()
    assert again.recover()
    again.executor.run_all()
    assert again.session.project == project
    assert again.session.loaded.people.path == path
