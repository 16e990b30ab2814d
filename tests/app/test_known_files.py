"""Files of a project are found again, and nobody's work is overwritten unasked."""

import json
import os
import platform
import subprocess
import sys

import pytest

from deidgui.app import ops
from deidgui.app.storage import known_files
from deidgui.app.storage.known_files import KnownFiles
from deidgui.app.storage.project_io import load_project
from deidgui.app.workspace import Workspace
from deidgui.errors import ConfigError
from tests.qt.fakes import InlineExecutor

CSV = "sex,age,diagnosis\n" + "".join(
    f"{'fm'[i % 2]},{20 + i % 50},{'EIJK'[i % 4]}{10 + i % 80}\n" for i in range(120)
)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def open_window(home):
    """Open one more window of the same user."""
    made = []

    def make():
        known = KnownFiles(home)
        made.append(
            Workspace(lambda told: told(), executor=InlineExecutor(), known=known)
        )
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "elsewhere" / "patients.csv"
    path.parent.mkdir()
    path.write_text(CSV)
    return path


@pytest.fixture
def project(tmp_path, data, open_window):
    """A project that was saved in another folder than its data."""
    path = tmp_path / "work" / "kept.deid.json"
    path.parent.mkdir()
    window = open_window()
    window.open_data(data)
    window.save(path)
    window.close()
    return path


def test_data_in_another_folder_are_found_again(project, data, open_window):
    window = open_window()
    window.open_project(project)
    assert window.session.loaded is not None
    assert window.session.loaded.path == data


def test_no_absolute_path_stands_in_the_project(project, data):
    assert str(data.parent) not in project.read_text()


def test_what_was_found_by_hand_is_remembered(project, data, open_window, tmp_path):
    moved = tmp_path / "moved" / "patients 2.csv"
    moved.parent.mkdir()
    data.rename(moved)
    window, asked = open_window(), []
    window.input_wanted.connect(lambda *each: asked.append(each))
    window.open_project(project)
    assert asked == [("table", "patients.csv")]
    window.locate_input(moved)
    window.close()

    again = open_window()
    again.open_project(project)
    assert again.session.loaded is not None
    assert again.session.loaded.path == moved


def test_a_project_of_somebody_else_names_no_file_of_this_machine(
    project, data, open_window, tmp_path
):
    fields = json.loads(project.read_text())
    fields["inputs"][0]["file"] = str(data)
    sent = tmp_path / "sent" / "theirs.deid.json"
    sent.parent.mkdir()
    sent.write_text(json.dumps(fields))
    window = open_window()
    window.open_project(sent)
    assert window.session.loaded is None


def test_an_edited_file_is_noticed_and_read_again(project, data, open_window):
    window = open_window()
    window.open_project(project)
    assert not window.is_data_changed()
    data.write_text(CSV + "f,33,E11\n")
    assert window.is_data_changed()
    roles = [(a.name, a.role) for a in window.session.project.attributes]
    window.reload_data()
    assert window.session.loaded.table.n_rows == 121
    assert not window.is_data_changed()
    assert window.session.project.inputs[0].n_rows == 121
    assert [(a.name, a.role) for a in window.session.project.attributes] == roles


@pytest.mark.parametrize("is_edited", [False, True])
def test_reading_again_ends_undo_only_where_the_file_is_another(
    project, data, open_window, is_edited
):
    window = open_window()
    window.open_project(project)
    window.session.apply(ops.set_name("mine"), "rename project")
    if is_edited:
        data.write_text(CSV + "f,33,E11\n")
    window.reload_data()
    assert window.session.project.name == "mine"
    assert window.session.undo_label == (None if is_edited else "rename project")


def test_a_project_that_another_program_wrote_is_not_replaced(project, open_window):
    window = open_window()
    window.open_project(project)
    theirs = project.read_text().replace("kept", "theirs")
    project.write_text(theirs)
    assert window.is_changed_on_disk()
    window.session.apply(ops.set_name("mine"), "rename project")
    with pytest.raises(ConfigError, match="project_changed_since"):
        window.save()
    assert project.read_text() == theirs
    window.save(replace=True)
    assert load_project(project).name == "mine"
    assert not window.is_changed_on_disk()
    window.save()


def test_two_windows_know_of_each_other(project, open_window, home):
    one, other = open_window(), open_window()
    one.open_project(project)
    assert one.open_elsewhere() is None
    other.open_project(project)
    assert one.open_elsewhere() == platform.node()
    assert other.open_elsewhere() == platform.node()
    other.session.apply(ops.set_name("theirs"), "rename project")
    other.save()
    assert one.is_changed_on_disk()
    other.close_project()
    assert one.open_elsewhere() is None
    assert len(list((home / known_files.OPEN).iterdir())) == 1
    one.close()
    assert list((home / known_files.OPEN).iterdir()) == []


def test_a_window_that_crashed_is_forgotten(project, open_window, home):
    one, other = open_window(), open_window()
    one.open_project(project)
    other.open_project(project)
    for mark in (home / known_files.OPEN).iterdir():
        if mark != one._known._held:
            os.utime(mark, (0, 0))
    assert one.open_elsewhere() is None


def test_a_window_that_was_killed_a_moment_ago_is_forgotten(project, home):
    hold = (
        "import sys, time; from pathlib import Path;"
        "from deidgui.app.storage.known_files import KnownFiles;"
        "KnownFiles(Path(sys.argv[1])).hold(Path(sys.argv[2]));"
        "print('held', flush=True); time.sleep(600)"
    )
    one = KnownFiles(home)
    one.hold(project)
    command = [sys.executable, "-c", hold, str(home), str(project)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout.readline() == "held\n"
            assert one.open_elsewhere() == platform.node()
        finally:
            other.kill()
        if sys.platform == "linux":
            # Dead, but whoever started it has not asked about it yet.
            os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
            assert one.open_elsewhere() is None
    assert one.open_elsewhere() is None
    one.release()


def test_of_a_window_on_another_computer_is_said_where(project, open_window, home):
    one, other = open_window(), open_window()
    one.open_project(project)
    other.open_project(project)
    mark = other._known._held
    mark.write_text(json.dumps({"host": "ward-7", "process": 1}))
    assert one.open_elsewhere() == "ward-7"
    for damaged in ("", "[]", "{", '{"host": "ward-7", "process": "x"}'):
        mark.write_text(damaged)
        assert one.open_elsewhere() is None


def test_a_damaged_memory_counts_as_none(project, open_window, home):
    (home / known_files.PLACES).write_text("[{")
    window = open_window()
    window.open_project(project)
    assert window.session.loaded is None
