"""Saved in another folder, a project still finds everything that it names."""

from __future__ import annotations

import json
import shutil
import typing
from pathlib import Path

import pytest
from pydantic import BaseModel

from deidgui.app.determination.validity import decide_anew
from deidgui.app.dossier.drift import DriftError
from deidgui.app.project import Project
from deidgui.app.reading.files import load_hierarchy_files, named_files
from deidgui.app.release.releasing import FinishedRelease
from deidgui.app.storage.known_files import KnownFiles
from deidgui.app.storage.named_inputs import found_below, named_inputs
from deidgui.app.storage.project_io import load_project
from deidgui.app.workspace import Workspace
from deidgui.engine.preparation import STEPS
from deidgui.errors import DeidError
from tests.cli.case import Case, csv_of, rows
from tests.qt.fakes import InlineExecutor

READ_ELSEWHERE = {"InputFile.file", "Comparison.file", "EarlierRelease.file"}
"""Fields of the project that name something which is not kept beside it."""

KEPT_BESIDE = {
    "HierarchyChoice.csv",
    "MatchChoice.csv",
    "CountTableChoice.file",
    "SiteChoice.file",
}
"""Fields that name a file which is copied with the project; steps name lists, too."""


def fields_of(kind: object, seen: set[type]) -> typing.Iterator[str]:
    """Return the fields of all parts of a model that may hold a path."""
    for each in typing.get_args(kind):
        yield from fields_of(each, seen)
    if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in seen:
        seen.add(kind)
        for name, field in kind.model_fields.items():
            if {"file", "csv", "path", "folder"} & set(name.split("_")):
                yield f"{kind.__name__}.{name}"
            yield from fields_of(field.annotation, seen)


def test_every_field_with_a_path_is_moved_by_one_of_these_tests():
    """A new field belongs to `named_inputs` or to `named_files`, and to these tests."""
    found = set(fields_of(Project, set())) - {"PopulationChoice.file"}
    assert found == READ_ELSEWHERE | KEPT_BESIDE


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> Path:
    """Folder of a project that has released its table once."""
    case = Case.write(tmp_path_factory.mktemp("released"))
    window = Workspace(lambda told: told(), executor=InlineExecutor())
    window.open_project(case.project)
    window.export(case.folder / "out" / "first")
    window.close()
    return case.folder


@pytest.fixture
def case(tmp_path: Path, released: Path) -> Case:
    return Case(shutil.copytree(released, tmp_path / "old"))


@pytest.fixture
def open_window(tmp_path):
    """Open one more window of the same user."""
    made = []

    def make(home: str = "home") -> Workspace:
        known = KnownFiles(tmp_path / home)
        window = Workspace(lambda told: told(), executor=InlineExecutor(), known=known)
        made.append(window)
        return window

    yield make
    for each in made:
        each.close()


@pytest.fixture
def saved(case, open_window) -> Workspace:
    """A project that names one of everything, saved where it was."""
    window, problems = open_window(), []
    window.problem.connect(lambda error, _lane: problems.append(error))
    window.open_project(case.project)
    people = case.folder / "data" / "voters.csv"
    people.parent.mkdir()
    people.write_text(csv_of(rows(900, seed=7)), "utf-8")
    held = case.folder / "held.csv"
    held.write_text(csv_of(rows(600, seed=9)), "utf-8")
    window.choose_earlier(case.folder / "out" / "first", "A. Analyst")
    window.compare_with(case.folder / "out" / "first", "release", "A. Analyst")
    window.compare_with(people, "register", "A. Analyst")
    window.compare_with(held, "hold_out", "A. Analyst")
    window.open_population(people, "register")
    window.save()
    assert problems == []
    return window


def places(project: Path) -> dict[str, Path]:
    return found_below(load_project(project), project.parent)


def test_the_case_names_one_of_everything(saved, case):
    project = load_project(case.project)
    names = {each.name for each in named_inputs(project)}
    assert names == {"table", "population", "earlier", "first", "voters", "held"}
    kinds = {each.kind for each in project.comparisons}
    assert kinds == {"release", "register", "hold_out"}
    assert places(case.project).keys() == names


@pytest.mark.parametrize("is_read", [True, False], ids=["read", "just opened"])
def test_what_lies_below_the_new_folder_is_named_by_its_path(
    saved, case, open_window, tmp_path, is_read
):
    before = places(case.project)
    window = saved
    if not is_read:
        # Who opens a project and saves it elsewhere has looked at none of these.
        window = open_window("another user")
        window.open_project(case.project)
    window.save(tmp_path / "moved.deid.json")
    now = places(tmp_path / "moved.deid.json")
    assert {n: p.resolve() for n, p in now.items()} == {
        n: p.resolve() for n, p in before.items()
    }
    text = (tmp_path / "moved.deid.json").read_text("utf-8")
    assert "old/out/first" in text
    assert str(tmp_path) not in text


def test_what_lies_elsewhere_is_remembered_on_this_machine(
    saved, case, open_window, tmp_path
):
    moved = tmp_path / "new" / "moved.deid.json"
    moved.parent.mkdir()
    saved.save(moved)
    assert str(tmp_path) not in moved.read_text("utf-8")
    assert places(moved) == {}
    window, asked, written = open_window(), [], []
    problems: list[BaseException] = []
    window.problem.connect(lambda error, _lane: problems.append(error))
    window.input_wanted.connect(lambda *each: asked.append(each))
    window.release_written.connect(lambda each: written.append(each))
    window.open_project(moved)
    assert asked == []
    assert window.session.current_population is not None
    assert window._input_places().keys() == places(case.project).keys()
    window.export(tmp_path / "second")
    # The population's file is an input that the earlier release had not.
    assert [type(each) for each in problems] == [DriftError]
    decided = decide_anew("2020-01-01", "2099-01-01", "x", "A. A.", "2026-11-23")
    window.session.apply(decided, "decide anew")
    window.export(tmp_path / "second")
    (done,) = written
    assert isinstance(done, FinishedRelease)
    assert {e.name for e in done.written.evidence.criteria.compared} == {
        "first",
        "voters",
    }
    assert done.written.evidence.drift is not None
    assert len(problems) == 1


def test_each_that_is_missing_is_asked_for_and_found(
    saved, case, open_window, tmp_path
):
    moved = tmp_path / "new" / "moved.deid.json"
    moved.parent.mkdir()
    saved.save(moved)
    before = places(case.project)
    window, asked = open_window("another user"), []
    window.input_wanted.connect(lambda name, _file: asked.append(name))
    window.open_project(moved)
    assert asked == ["first", "voters", "held", "earlier", "table"]
    others = ["first", "voters", "held", "earlier"]
    for n, name in enumerate(others, start=1):
        asked.clear()
        window.locate_input(before[name], name)
        assert asked == others[n:], "the others are asked for again"
        left = [each.name for each in window.missing_inputs]
        assert left == ["table", *others[n:]]
    window.locate_input(before["table"], "table")
    assert asked == ["population"]
    assert window.missing_inputs == ()
    window.locate_input(before["population"], "population")
    assert window.session.loaded is not None
    assert window.session.current_population is not None
    assert window._input_places() == before
    # It is not asked for again.
    again = open_window("another user")
    asked.clear()
    again.input_wanted.connect(lambda name, _file: asked.append(name))
    again.open_project(moved)
    assert asked == []
    assert again.session.current_population is not None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("earlier", "earlier_missing"),
        ("first", "not_a_release"),
        ("voters", "other_changed"),
        ("held", "other_changed"),
    ],
)
def test_another_file_is_not_taken_for_the_one_that_is_missing(
    saved, case, open_window, tmp_path, name, code
):
    moved = tmp_path / "new" / "moved.deid.json"
    moved.parent.mkdir()
    saved.save(moved)
    window, codes = open_window("another user"), []
    window.open_project(moved)
    window.problem.connect(lambda error, _lane: codes.append(error.code))
    wrong = case.folder if name in ("earlier", "first") else case.data
    window.locate_input(wrong, name)
    assert codes == [code]
    assert name not in window._input_places()


def test_another_project_is_not_told_where_files_are(saved, case, tmp_path):
    """A stranger's project cannot name a place that this one knows."""
    stranger = tmp_path / "sent" / "theirs.deid.json"
    stranger.parent.mkdir()
    stranger.write_text(case.project.read_text("utf-8"), "utf-8")
    saved.open_project(stranger)
    assert saved._input_places() == {}


BESIDE = {
    "hierarchies/sex.csv": b"F;*\nM;*\n",
    "mappings/sex.csv": b"F;f\nM;m\n",
    "lists/codes.csv": b"code,group\nI10,x\n",
    "counts/t.csv": b"Age,N\nOverall,20\n",
    "counts/site.csv": b"Age,N\nOverall,30\n",
}


def write_beside(folder: Path, fields: dict[str, object]) -> Path:
    for name, content in BESIDE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    path = folder / "p.deid.json"
    whole = {"format": "deidgui-project", "version": 1, **fields}
    path.write_text(json.dumps(whole), "utf-8")
    return path


def list_of_step(kind: str) -> dict[str, object]:
    """Return a step that needs a list, which it names."""
    given = {
        "remove_people": {"columns": ["dx"], "codes": "lists/codes.csv"},
        "group_codes": {
            "attribute": "dx",
            "grouping": "table",
            "table": "lists/codes.csv",
        },
    }
    return {"kind": kind, **given[kind]}


@pytest.mark.parametrize("kind", ["table", "counts"])
def test_what_is_kept_beside_the_project_is_copied(open_window, tmp_path, kind):
    with_lists = [each.kind for each in STEPS if each.file_parameter]
    fields: dict[str, object] = {
        "attributes": [
            {"name": "sex", "hierarchy": {"csv": "hierarchies/sex.csv"}},
            {"name": "dx"},
        ],
        "privacy": {
            "population": {
                "matches": {"sex": {"target": "s", "csv": "mappings/sex.csv"}}
            }
        },
        "preparation": [list_of_step(each) for each in with_lists],
    }
    if kind == "counts":
        table = {"name": "t", "file": "counts/t.csv", "kinds": ["label", "count"]}
        counts = {
            "tables": [table],
            "sites": [{"name": "s", "file": "counts/site.csv"}],
        }
        fields = {"kind": "counts", "counts": counts}
    (tmp_path / "old").mkdir()
    old = write_beside(tmp_path / "old", fields)
    window = open_window()
    window.open_project(old)
    moved = tmp_path / "new" / "p.deid.json"
    moved.parent.mkdir()
    window.save(moved)
    project = load_project(moved)
    names = {name for _, name, _ in named_files(project)}
    found = load_hierarchy_files(project, moved.parent)
    assert found == {name: BESIDE[name] for name in names}
    expected = 2 if kind == "counts" else 3
    assert len(names) == expected


def test_a_project_of_counts_that_is_compared_is_refused(tmp_path):
    """With what to do, wherever it is opened."""
    earlier = {"file": "first", "sha256": "0" * 64, "by": "N.", "on": "2026-11-23"}
    path = write_beside(
        tmp_path,
        {"kind": "counts", "counts": {}, "validity": {"earlier": earlier}},
    )
    with pytest.raises(DeidError, match="counts_compared"):
        load_project(path)
