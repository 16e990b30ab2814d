"""Files that a project names lie below its folder, under names any system accepts."""

from pathlib import Path

import pytest

from deidgui import resources
from deidgui.app.project import (
    Attribute,
    HierarchyChoice,
    InputFile,
    MatchChoice,
    PopulationChoice,
    Privacy,
    Project,
)
from deidgui.app.reading import files as named
from deidgui.app.reading.files import (
    hierarchy_file_name,
    load_hierarchy_files,
    safe_name,
    save_hierarchy_files,
)
from deidgui.app.storage.named_inputs import found_below, relocated
from deidgui.errors import InputError

SAMPLE = "synthetic_patients.csv.gz"
IN_FOLDER, IN_SAMPLES = "folder", "samples"


@pytest.mark.parametrize(
    ("attribute", "name"),
    [
        ("age", "age"),
        ("a-b_c9", "a-b_c9"),
        ("größe", "größe"),
        ("../../etc/passwd", "______etc_passwd"),
        ("a/b\\c:d*e?.csv", "a_b_c_d_e__csv"),
        ("new\nline\0 x", "new_line__x"),
        ("", "attribute"),
        ("x" * 39 + "yz", "x" * 39 + "y"),
    ],
)
def test_names_have_letters_digits_hyphens_and_underscores_only(attribute, name):
    assert safe_name(attribute) == name


def test_a_hierarchy_is_named_by_its_attribute_and_content():
    """The digest is that of the attribute, a zero byte and the content."""
    assert hierarchy_file_name("a/b", b"x") == "hierarchies/a_b-f3cdf8d1.csv"
    others = [("a:b", b"x"), ("a/b", b"y"), ("a/b", b"")]
    names = {hierarchy_file_name(*each) for each in [("a/b", b"x"), *others]}
    assert len(names) == 1 + len(others)


# -- hierarchies and mappings ----------------------------------------------------------


def project_with(hierarchy=None, mapping=None):
    """Project whose attribute "sex" names a hierarchy, a mapping, or both."""
    chosen = HierarchyChoice(csv=hierarchy)
    attributes = (
        Attribute(name="plain"),
        Attribute(name="sex", hierarchy=chosen),
    )
    matches = {"sex": MatchChoice(target="sex", csv=mapping)}
    population = PopulationChoice(matches=matches)
    return Project(attributes=attributes, privacy=Privacy(population=population))


def test_files_of_a_project_are_read_and_written_below_its_folder(tmp_path):
    """In folders that are made, or are there already."""
    project = project_with("kept/here/sex.csv", "kept/here/mapping.csv")
    held = {"kept/here/sex.csv": b"F;*", "kept/here/mapping.csv": b"F;f", "other": b""}
    save_hierarchy_files(project, held, tmp_path)
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.csv")}
    assert written == held.keys() - {"other"}
    found = load_hierarchy_files(project, tmp_path)
    assert found == {name: held[name] for name in written}


def test_what_is_not_there_is_left_out(tmp_path):
    (tmp_path / "hierarchies").mkdir()
    project = project_with("hierarchies", "mappings/sex.csv")
    assert load_hierarchy_files(project, tmp_path) == {}
    save_hierarchy_files(project, {"mappings/sex.csv": b"F;f"}, tmp_path)
    assert load_hierarchy_files(project, tmp_path) == {"mappings/sex.csv": b"F;f"}


@pytest.mark.parametrize(
    ("kind", "limit", "code"),
    [
        ("hierarchy", "_OF_HIERARCHY", "hierarchy_too_large"),
        ("mapping", "_OF_MAPPING", "people_mapping_too_large"),
    ],
)
def test_a_file_may_be_as_large_as_its_limit(tmp_path, monkeypatch, kind, limit, code):
    monkeypatch.setattr(named, limit, getattr(named, limit)._replace(n_bytes=3))
    project = project_with(**{kind: "x.csv"})
    (tmp_path / "x.csv").write_bytes(b"abc")
    assert load_hierarchy_files(project, tmp_path) == {"x.csv": b"abc"}
    (tmp_path / "x.csv").write_bytes(b"abcd")
    with pytest.raises(InputError) as caught:
        load_hierarchy_files(project, tmp_path)
    assert caught.value.code == code
    assert caught.value.params["attribute"] == "sex"


def test_a_hierarchy_has_at_most_64_megabytes(tmp_path):
    with (tmp_path / "x.csv").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    with pytest.raises(InputError) as caught:
        load_hierarchy_files(project_with("x.csv"), tmp_path)
    assert caught.value.code == "hierarchy_too_large"
    assert caught.value.params == {"attribute": "sex", "limit": 64}


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_bytes(b"abc")

    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError) as caught:
        load_hierarchy_files(project_with("x.csv"), tmp_path)
    assert caught.value.code == "cannot_read"
    assert caught.value.params == {"file": "x.csv", "reason": "Permission denied"}


# -- input -----------------------------------------------------------------------------


def project_of(file):
    inputs = (InputFile(file=file), InputFile(name="population", file="people.csv"))
    return Project(inputs=inputs)


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("data/d.csv", IN_FOLDER),
        (SAMPLE, IN_SAMPLES),
        (f"elsewhere/{SAMPLE}", IN_SAMPLES),
        (f"../{SAMPLE}", IN_SAMPLES),
        ("../outside.csv", None),
        ("..", None),
        ("data", None),
        ("absent.csv", None),
    ],
)
def test_input_is_looked_for_in_the_folder_and_among_the_samples(tmp_path, file, place):
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "d.csv").touch()
    (tmp_path / "outside.csv").touch()
    (tmp_path / SAMPLE).touch()
    expected = {
        IN_FOLDER: folder / file,
        IN_SAMPLES: resources.path("samples") / SAMPLE,
        None: None,
    }
    assert found_below(project_of(file), folder).get("table") == expected[place]


def test_a_file_of_the_folder_comes_before_a_sample_of_its_name(tmp_path):
    (tmp_path / SAMPLE).touch()
    assert found_below(project_of(SAMPLE), tmp_path)["table"] == tmp_path / SAMPLE


def test_without_a_folder_only_samples_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").touch()
    project = project_of(SAMPLE)
    sample = resources.path("samples") / SAMPLE
    assert found_below(project, None) == {"table": sample}
    people = tmp_path / "people.csv"
    assert found_below(project, tmp_path) == {"table": sample, "population": people}


def test_input_is_named_as_it_is_seen_from_the_project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    project = project_of("was/here.csv")

    def named_as(path, seen_from=folder):
        moved = relocated(project, seen_from, {"table": path})
        assert moved.inputs[1:] == project.inputs[1:]
        return moved.inputs[0].file

    assert named_as(folder / "data" / "d.csv") == "data/d.csv"
    assert named_as(folder / "data" / ".." / "d.csv") == "d.csv"
    assert named_as(folder / "data" / "d.csv", folder / "x" / "..") == "data/d.csv"
    assert named_as(tmp_path / "data" / "d.csv") == "d.csv"
    assert relocated(project, folder, {}) == project
    empty = Project()
    assert relocated(empty, folder, {"table": folder / "d.csv"}) == empty
