"""What was tried to find people is recorded and stated; a work list has no names."""

from __future__ import annotations

import csv
from types import SimpleNamespace

import pytest

from deidgui.app.deciding.dossier import with_dossier
from deidgui.app.dossier.dossier import dossier_facts, requirements
from deidgui.app.dossier.intruder import record_test, take_back_test, write_work_list
from deidgui.app.measuring.comparing import riskiest_classes
from deidgui.app.needed_files import check_place, needed_files
from deidgui.app.project import Comparison, EarlierRelease, InputFile, Project
from deidgui.app.report.intruder import intruder_section
from deidgui.app.storage.project_io import dump_project, parse_project
from deidgui.errors import ConfigError
from tests.explored_case import make_case
from tests.release_case import make_project

TEST = {
    "kind": "intruder",
    "tried_by": "A statistician of another house",
    "tested": "released table of 2026-11-23",
    "sources": "newspapers, the register of voters",
    "targets": "20",
    "hours": "16.5",
    "claimed": "2",
    "verified": "0",
}


def recorded(**changes):
    return record_test("N. N.", {**TEST, **changes})(Project())


def test_a_test_completes_the_item_and_stands_in_the_dossier():
    project = recorded()
    assert requirements(project, suppresses=True)["intruder"]
    (test,) = parse_project(dump_project(project), "p").dossier.intruder_tests
    assert (test.targets, test.hours, test.claimed, test.verified) == (20, 16.5, 2, 0)
    assert (test.by, len(test.on)) == ("N. N.", 10)
    stated = dossier_facts(project, suppresses=False)
    text = str(intruder_section(SimpleNamespace(dossier=stated)))
    for words in ("statistician", "voters", "20 records", "2 matches", "0 of them"):
        assert words in text
    assert "does not show that nobody can be found" in text
    item = next(each for each in stated.items if each.number == 32)
    assert item.state == "complete"
    none = take_back_test(0)(project)
    assert not none.dossier.intruder_tests
    assert not requirements(none, suppresses=True)["intruder"]


@pytest.mark.parametrize("name", TEST)
def test_every_field_is_needed(name):
    with pytest.raises(ConfigError):
        recorded(**{name: " " if name not in ("targets",) else "0"})


@pytest.mark.parametrize(
    "changes",
    [
        {"claimed": "21"},
        {"verified": "3"},
        {"targets": "many"},
        {"hours": "-1"},
        {"hours": "nan"},
        {"kind": "wizard"},
        {"sources": "x" * 2001},
    ],
)
def test_what_is_no_test(changes):
    with pytest.raises(ConfigError):
        recorded(**changes)


def test_nobody_stands_for_it():
    with pytest.raises(ConfigError):
        record_test(" ", TEST)


def test_the_command_line_says_the_same():
    text = "; ".join(f"{name}={value}" for name, value in TEST.items())
    project = with_dossier(f"intruder_test={text}", "N. N.")(Project())
    assert project == recorded()
    assert with_dossier("intruder_test=none", "N. N.")(project) == Project()
    for wrong in ("colour=red", text.replace("targets=20; ", "")):
        with pytest.raises(ConfigError):
            with_dossier(f"intruder_test={wrong}", "N. N.")


def test_the_work_list_says_what_it_contains_and_has_no_row_of_a_person(tmp_path):
    case = make_case()
    policy = case.measured.chosen_policy
    found = riskiest_classes(case.classes, policy)
    path = tmp_path / "list.csv"
    write_work_list(path, found.table, "Patients", ())
    assert path.stat().st_mode & 0o077 == 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        note, head, *rows = list(csv.reader(file))
    assert "CONTAINS VALUES" in note[0]
    assert head[0] == "class"
    assert set(case.classes.class_table.attributes) <= set(head)
    assert [row[0] for row in rows] == [str(n + 1) for n in range(len(rows))]
    sizes = [int(row[1]) for row in rows]
    assert sizes == sorted(case.measured.sizes_after.tolist())[: len(sizes)]


def test_a_work_list_replaces_nothing_that_a_project_needs(tmp_path):
    """A person may replace an ordinary file, never one of these."""
    names = ("data.csv", "people.csv", "voters.csv", "age.csv", "p.deid.json")
    for name in (*names, "old.csv"):
        (tmp_path / name).write_text("kept", encoding="utf-8")
    earlier = tmp_path / "earlier"
    earlier.mkdir()
    project = make_project()
    first = InputFile(name="data", file="data.csv")
    age = project.attributes[0].but(hierarchy={"csv": "age.csv"})
    voters = Comparison(name="v", kind="register", file="voters.csv", sha256="0" * 64)
    project = project.but(
        inputs=(first,),
        attributes=(age, *project.attributes[1:]),
        comparisons=(voters,),
        validity=project.validity.but(
            earlier=EarlierRelease(
                file="earlier", sha256="0" * 64, by="N. N.", on="2026-11-23"
            )
        ),
    )
    given = [tmp_path / "people.csv"]
    needed = needed_files(project, tmp_path / "p.deid.json", given)
    for place in (*(tmp_path / name for name in names), earlier / "new.csv"):
        with pytest.raises(ConfigError) as caught:
            check_place(place, needed, replaces=True)
        assert caught.value.code == "place_needed", place
    (earlier / "evidence.json").write_text("{}", encoding="utf-8")
    (earlier / "below").mkdir()
    with pytest.raises(ConfigError) as caught:
        check_place(earlier / "below" / "new.csv", (), replaces=True)
    assert caught.value.code == "place_in_release"
    with pytest.raises(ConfigError) as caught:
        check_place(tmp_path / "old.csv", needed, replaces=False)
    assert caught.value.code == "place_taken"
    check_place(tmp_path / "old.csv", needed, replaces=True)
    check_place(tmp_path / "new.csv", needed, replaces=False)
