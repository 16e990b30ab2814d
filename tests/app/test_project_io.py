"""Projects survive the disk; what cannot be read is refused with its place."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.project import (
    Attribute,
    Chosen,
    ContextChoice,
    Dossier,
    HierarchyChoice,
    InputFile,
    Project,
    ValidityChoice,
)
from deidgui.app.recovery import Recovery
from deidgui.app.storage.files import below
from deidgui.app.storage.project_io import (
    dump_project,
    load_project,
    parse_project,
    project_schema,
    save_project,
)
from deidgui.errors import (
    ConfigError,
    DeidError,
    InputError,
    ProblemsError,
    ResourceError,
)

PROJECTS = Path(__file__).parents[1] / "data" / "projects"
"""Files as earlier versions wrote them: opened for ever."""

names = st.text(min_size=1, max_size=20)
projects = st.builds(
    Project,
    name=names,
    inputs=st.tuples(st.builds(InputFile, file=names, n_rows=st.integers(0, 10**9))),
    attributes=st.lists(
        st.builds(
            Attribute,
            name=names,
            role=st.sampled_from([None, "sensitive", "quasi_identifier"]),
            weight=st.floats(0, 1),
            hierarchy=st.none()
            | st.builds(HierarchyChoice, csv=names, rule=st.just({"kind": "flat"})),
        ),
        max_size=4,
        unique_by=lambda attribute: attribute.name,
    ).map(tuple),
    chosen=st.none()
    | st.builds(
        Chosen,
        levels=st.dictionaries(names, st.integers(0, 9), max_size=3),
        suppress_below=st.integers(1, 99),
    ),
)


FILE_SINCE = {
    "country": None,
    "dialect": {"skip_ragged": False},
    "header_in_doubt": False,
    "header_confirmed": False,
    "n_left_out": 0,
}
# What nobody could decide when the files were written, by where it stands now.
NEW_SINCE = {
    "unit": None,
    "preparation": [],
    "answers": [],
    "overrulings": [],
    "comparisons": [],
    "inputs": FILE_SINCE,
    "privacy": {
        "population": {"file": FILE_SINCE},
        "events": None,
        "attributes_known": None,
        "threshold": {"set_on": ""},
    },
    "links": [],
    "attributes": {
        "taken_over": False,
        "open_formats": [],
        "table": "table",
        "principles": None,
    },
    "importance_said": False,
    "notes_signed": {"by": "", "on": ""},
    "context": ContextChoice().model_dump(mode="json"),
    "validity": ValidityChoice().model_dump(mode="json"),
    "dossier": Dossier().model_dump(mode="json"),
    "sample": None,
    "seen": {},
    "released": None,
    "counts": None,
    "attacks": {"runs": 10_000, "seed": 0, "order_by": None, "in_release": False},
    "quality": {"keep_something": False},
    "discover": {"margin": 0.05, "quotas": {}},
    # What was chosen before there was a margin was found without one.
    "chosen": {
        "acceptance": {"margin": 0.0},
        "found_by": {"quotas": {}},
        "searched": None,
        "cells": None,
    },
    "kept": {"searched": None, "cells": None},
    "blocks": {"size": None, "suppress": "records"},
}


def with_defaults(stored, defaults):
    """Values with those that are new beside them; of lists each entry."""
    if isinstance(stored, list):
        return [with_defaults(each, defaults) for each in stored]
    if stored is None:
        return None
    found = dict(stored)
    for name, default in defaults.items():
        is_nested = isinstance(default, dict) and name in found
        found[name] = (
            with_defaults(found[name], default)
            if is_nested
            else found.get(name, default)
        )
    return found


@given(projects)
def test_round_trip(project):
    assert parse_project(dump_project(project), "p") == project


@pytest.mark.parametrize("path", sorted(PROJECTS.glob("v*/*.deid.json")), ids=str)
def test_projects_of_earlier_versions_open_and_keep_their_keys(path):
    stored = json.loads(path.read_bytes())
    opened = load_project(path)
    written = json.loads(dump_project(opened))
    assert parse_project(dump_project(opened), "p") == opened
    expected = with_defaults(stored, NEW_SINCE)
    # Options of the measure that were left out are written with their defaults.
    measure = written["quality"]["measure"]
    assert stored["quality"]["measure"].items() <= measure.items()
    expected["quality"]["measure"] = measure
    assert expected == written


def test_saved_file_is_readable_in_a_diff(tmp_path):
    path = tmp_path / "a.deid.json"
    save_project(Project(name="Ä"), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert '  "name": "Ä",' in lines
    assert list(tmp_path.iterdir()) == [path]
    assert load_project(path).name == "Ä"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "project_not_json"),
        (b"{\n oops", "project_not_json"),
        (b"\xff\xfe\x00", "project_not_json"),
        (b"[1]", "not_a_project"),
        (b'{"format": "other"}', "not_a_project"),
        (b'{"format": "deidgui-project"}', "not_a_project"),
        (b'{"format": "deidgui-project", "version": 99}', "project_newer"),
        (b"[" * 200_000, "not_a_project"),
    ],
)
def test_what_is_no_project_is_refused(content, code):
    with pytest.raises((InputError, ConfigError)) as caught:
        parse_project(content, "p.deid.json")
    assert caught.value.code == code
    assert caught.value.params["file"] == "p.deid.json"


def test_every_wrong_field_is_named_at_once():
    fields = json.loads(dump_project(Project(inputs=(InputFile(file="x"),))))
    fields["privacy"]["suppression_limit"] = 7
    fields["inputs"][0]["n_rows"] = "many"
    fields["export"]["unknown"] = 1
    with pytest.raises(ProblemsError) as caught:
        parse_project(json.dumps(fields).encode(), "p")
    places = {problem.params["field"] for problem in caught.value.problems}
    assert places == {
        "privacy.suppression_limit",
        "inputs.0.n_rows",
        "export.unknown",
    }


def test_an_unwritable_place_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.deid.json"
    save_project(Project(name="old"), path)

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ResourceError) as caught:
        save_project(Project(name="new"), path)
    assert caught.value.code == "cannot_write"
    assert load_project(path).name == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "hostile", ["../x.csv", "/etc/passwd", "a/../../x", "..\\x", "C:\\x", "C:x"]
)
def test_paths_of_a_project_stay_below_its_folder(tmp_path, hostile):
    with pytest.raises(InputError) as caught:
        below(tmp_path, hostile)
    assert caught.value.code == "path_leaves_folder"


def test_links_do_not_lead_out(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(InputError):
        below(folder, "link/secret.csv")
    assert below(folder, "a/b.csv") == folder / "a" / "b.csv"


def test_schema_knows_every_part():
    schema = project_schema()
    assert "InputFile" in schema["$defs"]
    assert schema["properties"]["version"]["const"] == 1


def test_recovery_keeps_decisions_and_forgets(tmp_path):
    recovery = Recovery(tmp_path / "r")
    assert recovery.take() is None
    project = Project(name="unsaved")
    data = tmp_path / "data.csv"
    recovery.keep(project, None, data, {"h/age.csv": b"1;*\n"})
    assert (tmp_path / "r").stat().st_mode & 0o077 == 0
    kept = Recovery(tmp_path / "r").take()
    assert (kept.project, kept.path, kept.data) == (project, None, data)
    assert kept.files == {"h/age.csv": b"1;*\n"}
    recovery.forget()
    assert not recovery.exists


def test_a_damaged_recovery_file_is_nothing(tmp_path):
    (tmp_path / "recovery.json").write_bytes(b"\x00garbage")
    assert Recovery(tmp_path).take() is None


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", '"\\ud800"'])
def test_what_cannot_be_written_again_is_no_project(value):
    model = f'{{"kind": "k_anonymity", "k": {value}}}'
    privacy = f'{{"models": [{model}]}}'
    content = f'{{"format": "deidgui-project", "version": 1, "privacy": {privacy}}}'
    with pytest.raises(InputError) as error:
        parse_project(content.encode(), "p.deid.json")
    assert error.value.code == "not_a_project"


def test_a_key_twice_is_refused():
    """Of two values the last one counted, whichever a person had read."""
    content = b'{"format": "deidgui-project", "version": 1, "name": "a", "name": "b"}'
    with pytest.raises(InputError) as error:
        parse_project(content, "p.deid.json")
    assert error.value.code == "project_double_key"


def test_true_is_no_version():
    with pytest.raises(InputError) as error:
        parse_project(b'{"format": "deidgui-project", "version": true}', "p.deid.json")
    assert error.value.code == "not_a_project"


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("Asthma registry release", True),
        ("release.2", True),
        *(
            (each, False)
            for each in ("", ".", "..", "../secret", "/etc", "a\\b", "C:x")
        ),
    ],
)
def test_a_note_of_a_release_names_one_folder_and_no_way_to_it(name, is_one):
    stored = {"name": name, "on": "2026-11-23", "decisions": "0" * 64}
    content = json.loads(dump_project(Project())) | {"released": stored}
    with nullcontext() if is_one else pytest.raises(DeidError):
        parse_project(json.dumps(content).encode(), "p")
