"""What is remembered: robust to garbage, whole on disk, never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QStandardPaths

from deidgui.app.storage.places import config_folder
from deidgui.qt.settings import MAX_RECENT, Remembered, Settings

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*Remembered.model_fields, "x"]), inner)
    ),
    max_leaves=8,
)


def test_nothing_stored_gives_defaults(home):
    assert Settings().now == Remembered()
    assert config_folder() == home


def test_what_is_remembered_comes_back(tmp_path):
    Settings().remember(theme="dark", text_scale=1.3, help_open=True)
    again = Settings().now
    assert (again.theme, again.text_scale, again.help_open) == ("dark", 1.3, True)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"[" * 100_000, b'{"recent": 3}'],
)
def test_garbage_counts_as_absent(home, content):
    home.mkdir()
    (home / "settings.json").write_bytes(content)
    made = Settings()
    assert made.now == Remembered()
    made.remember(theme="dark")
    assert Settings().now.theme == "dark"


def test_one_damaged_field_does_not_cost_the_others(home):
    home.mkdir()
    stored = {"theme": "purple", "text_scale": 1.15, "recent": ["/a", 7], "new": 1}
    (home / "settings.json").write_text(json.dumps(stored))
    now = Settings().now
    assert (now.theme, now.text_scale, now.recent) == ("auto", 1.15, ())


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stored=JSON)
def test_no_json_can_hinder_the_start(home, stored):
    home.mkdir(exist_ok=True)
    (home / "settings.json").write_text(json.dumps(stored))
    assert isinstance(Settings().now, Remembered)


def test_a_giant_file_is_not_read(home):
    home.mkdir()
    (home / "settings.json").write_text(json.dumps({"geometry": "x" * 2_000_000}))
    assert Settings().now.geometry == ""


def test_a_folder_that_cannot_be_written_is_no_problem(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    made = Settings(blocked / "below")
    made.remember(theme="dark")
    assert made.now.theme == "dark"


def test_recent_projects_are_few_and_newest_first(tmp_path):
    made = Settings()
    paths = [tmp_path / f"{number}.deid.json" for number in range(MAX_RECENT + 3)]
    for path in [*paths, paths[5]]:
        made.add_recent(path)
    assert len(made.now.recent) == MAX_RECENT
    assert made.now.recent[0] == str(paths[5])
    assert len(set(made.now.recent)) == MAX_RECENT
    made.forget_recent(paths[5])
    assert str(paths[5]) not in Settings().now.recent


@pytest.fixture
def documents(tmp_path, monkeypatch):
    folder = tmp_path / "documents"
    folder.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _place: str(folder))
    return folder


def test_folders_by_purpose(tmp_path, documents):
    made = Settings()
    assert made.folder_for("data") == str(documents)
    made.remember_folder("data", tmp_path / "x.csv")
    assert Settings().folder_for("data") == str(tmp_path)
    made.remember_folder("data", tmp_path / "gone" / "x.csv")
    assert made.folder_for("data") == str(documents)
    documents.rmdir()
    assert made.folder_for("data") == str(Path.home())


def test_a_new_purpose_begins_where_the_last_file_was(tmp_path, documents):
    made = Settings()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        made.remember_folder(name, tmp_path / name / "x.csv")
    made.remember_folder("a", tmp_path / "a" / "y.csv")
    assert Settings().folder_for("new") == str(tmp_path / "a")
    assert Settings().folder_for("b") == str(tmp_path / "b")


def test_an_open_project_comes_before_the_folders_of_others(tmp_path, documents):
    made = Settings()
    before, project, other, chosen = folders = [tmp_path / name for name in "bpoc"]
    for folder in folders:
        folder.mkdir()
    made.remember_folder("release", before)
    assert made.folder_for("project") == str(documents)
    assert made.folder_for("release", project) == str(project)
    made.remember_folder("release", chosen, project)
    assert made.folder_for("release", project) == str(chosen)
    assert made.folder_for("release", other) == str(other)
    assert made.folder_for("release") == str(chosen)


@pytest.mark.parametrize("place", ["", "tables"])
def test_nothing_is_written_where_a_release_is(tmp_path, documents, place):
    made, release = Settings(), tmp_path / "release"
    (release / "tables").mkdir(parents=True)
    (release / "evidence.json").touch()
    for purpose in ("project", "verify"):
        made.remember_folder(purpose, release / place)
    assert made.folder_for("verify") == str(release / place)
    assert made.folder_for("project") == str(documents)
    assert made.folder_for("release", release / place) == str(documents)
