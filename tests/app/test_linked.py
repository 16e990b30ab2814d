"""Two linked files, from reading to a release of two files."""

import csv
import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.demands import link_problems
from deidgui.app.policies.longitudinal.events import history_of
from deidgui.app.policies.source import LATTICE, source
from deidgui.app.project import SampleChoice
from deidgui.app.reading.linking import (
    find_keys,
    leave_out_orphans,
    link_files,
    propose_linked,
    read_project_input,
    without_link,
)
from deidgui.app.reading.reading import propose_project, read_input, renew_project
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.errors import ConfigError, DeidError, InputError
from tests.answers import answered
from tests.linked_case import (
    condition_tables,
    event_rows,
    joined_rows,
    people_rows,
    write_rows,
)

ROLES = {
    "sex": "quasi_identifier",
    "birth_year": "quasi_identifier",
    "region": "quasi_identifier",
    "admission_year": "quasi_identifier",
    "ward": "quasi_identifier",
    "diagnosis": "sensitive",
}


def linked(people_path, events_path, key="subject_id", people_key=None):
    events, people = read_input(events_path), read_input(people_path)
    return events, link_files(events, people, key, people_key or key)


def decided(project, *models, limit=0.3, roles=None):
    steps = [
        *(ops.set_role(name, role) for name, role in (roles or ROLES).items()),
        ops.change_privacy(
            models=models or (KAnonymity(k=3),), suppression_limit=limit
        ),
        ops.change_threshold(recipient="researcher", at_risk=0.34, set_by="test"),
        ops.change_export(suppressed="left_out", shuffle_seed=3),
    ]
    for each in steps:
        project = each(project)
    for name in (each.name for each in project.quasi_identifiers):
        project = ops.set_hierarchy(name, {"kind": "flat"})(project)
    return project


def case(tmp_path, *models, without=0, limit=0.3):
    people = people_rows()
    events = event_rows(people, without)
    first = write_rows(tmp_path / "patients.csv", people)
    second = write_rows(tmp_path / "diagnoses.csv", events)
    alone, loaded = linked(first, second)
    project = propose_linked(alone, loaded, "subject_id", "subject_id")
    return decided(project, *models, limit=limit), loaded, people, events


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def written(folder):
    return rows_of(folder / "patients_released.csv"), rows_of(
        folder / "diagnoses_released.csv"
    )


# -- the same as one joined file ----------------------------------------------------


def test_two_files_are_what_one_joined_file_with_a_key_is(tmp_path):
    project, loaded, people, events = case(tmp_path)
    path = write_rows(tmp_path / "joined.csv", joined_rows(people, events))
    one = read_input(path)
    single = decided(ops.set_protection("subject_id")(propose_project(one)))
    assert loaded.table.column_names == one.table.column_names
    both = [
        build_classes(p, table, {})
        for p, table in ((project, loaded.table), (single, one.table))
    ]
    first, second = (each.class_table for each in both)
    assert np.array_equal(first.leaves, second.leaves)
    assert np.array_equal(first.counts, second.counts)
    lattice = source(LATTICE)
    found = [
        lattice.describe(lattice.run(p, c))
        for p, c in zip((project, single), both, strict=True)
    ]
    assert found[0] == found[1]


# -- the release --------------------------------------------------------------------


@pytest.mark.parametrize("without", [0, 40])
def test_two_files_are_released_that_belong_together(tmp_path, without):
    project, loaded, people, events = case(tmp_path, without=without)
    project = answered(project, loaded)
    done = release(project, loaded, tmp_path / "out", {})
    patients, diagnoses = written(tmp_path / "out")
    assert list(patients[0]) == ["subject_id", "sex", "birth_year", "region"]
    assert list(diagnoses[0]) == ["subject_id", "admission_year", "ward", "diagnosis"]
    keys = [each["subject_id"] for each in patients]
    assert len(set(keys)) == len(keys)
    assert not {each["subject_id"] for each in people} & set(keys)
    assert {each["subject_id"] for each in diagnoses} <= set(keys)
    unit = done.written.evidence.unit
    assert unit.people == len(people)
    assert len(keys) == len(people) - unit.suppressed_people
    n_alone = len(set(keys) - {each["subject_id"] for each in diagnoses})
    assert bool(n_alone) == bool(without)
    assert n_alone <= without
    # Everybody hides among three by all that both files show: plain sets.
    shown = defaultdict(set)
    for each in diagnoses:
        shown[each["subject_id"]].add((each["admission_year"], each["ward"]))
    alike = Counter(
        (*(each[n] for n in ("sex", "birth_year", "region")), frozenset(shown[k]))
        for k, each in zip(keys, patients, strict=True)
    )
    assert min(alike.values()) >= 3
    assert sorted(done.measured.sizes_after.tolist()) == sorted(alike.values())
    found = verify(tmp_path / "out")
    assert found.ok, [each.code for each in found.failed]
    evidence = done.written.evidence
    assert [each.name for each in evidence.inputs] == ["table", "people"]
    assert [each.path for each in evidence.outputs] == [
        "diagnoses_released.csv",
        "patients_released.csv",
    ]
    assert evidence.records == len(events)
    assert evidence.link.people_without_events == without
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "people (patients_released.csv)" in report
    assert f"{without} people had no event" in report or not without
    assert "patients.csv" in report


def test_orders_of_the_two_files_tell_nothing_of_each_other(tmp_path):
    project, loaded, people, _events = case(tmp_path, limit=1.0)
    project = project.but(
        export=project.export.but(shuffle_seed=None),
        privacy=project.privacy.but(models=(KAnonymity(k=2),)),
    )
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    patients, diagnoses = written(tmp_path / "out")
    first = list(dict.fromkeys(each["subject_id"] for each in diagnoses))
    assert [each["subject_id"] for each in patients] != first
    years = [each["birth_year"] for each in patients]
    assert years != [each["birth_year"] for each in people][: len(years)]


def test_people_without_an_event_are_no_value_and_no_record(tmp_path):
    project, loaded, people, events = case(tmp_path, without=40)
    table = loaded.table
    assert table.n_rows == len(events) + 40
    ward = table.column("ward")
    assert dict(zip(ward.texts(), ward.counts.tolist(), strict=True)) == {
        "": 0,
        **Counter(each["ward"] for each in events),
    }
    assert ward.n_missing == 0
    lines = table.lines
    assert [lines.line(r) for r in (0, len(events) - 1)] == [2, len(events) + 1]
    assert [lines.line(r) for r in (len(events), table.n_rows - 1)] == [0, 0]
    classes = build_classes(project, table, {}).class_table
    assert classes.n_records == len(people)
    # Classes by plain sets: who has no event shows none.
    shown = defaultdict(set)
    for each in events:
        shown[each["subject_id"]].add((each["admission_year"], each["ward"]))
    alike = Counter(
        (p["sex"], p["birth_year"], p["region"], frozenset(shown[p["subject_id"]]))
        for p in people
    )
    assert sorted(classes.counts.tolist()) == sorted(alike.values())


def test_a_person_with_one_event_is_never_alike_one_without(tmp_path):
    # Whatever the events show: also where nothing is released of them.
    people = [{"id": str(n), "sex": "F"} for n in range(10)]
    events = [{"id": str(n), "code": "A"} for n in range(6)]
    alone, loaded = linked(
        write_rows(tmp_path / "p.csv", people),
        write_rows(tmp_path / "e.csv", events),
        "id",
    )
    project = propose_linked(alone, loaded, "id", "id")
    roles = {"sex": "quasi_identifier", "code": "quasi_identifier"}
    project = decided(project, roles=roles)
    classes = build_classes(project, loaded.table, {}).class_table
    assert sorted(classes.counts.tolist()) == [4, 6]
    done = release(answered(project, loaded), loaded, tmp_path / "out", {})
    assert sorted(done.measured.sizes_after.tolist()) == [4, 6]
    assert len(rows_of(tmp_path / "out" / "p_released.csv")) == 10
    assert len(rows_of(tmp_path / "out" / "e_released.csv")) == 6
    known = {each.known: each for each in done.written.evidence.unit.rows_known}
    assert known["one"].highest == known["all"].highest == 1 / 4


def test_a_sensitive_event_protects_those_who_have_one(tmp_path):
    model = DistinctLDiversity("diagnosis", 2)
    project, loaded, _people, _events = case(
        tmp_path, KAnonymity(k=2), model, without=30, limit=1.0
    )
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    patients, diagnoses = written(tmp_path / "out")
    had, shown = defaultdict(set), defaultdict(set)
    for each in diagnoses:
        had[each["subject_id"]].add(each["diagnosis"])
        shown[each["subject_id"]].add((each["admission_year"], each["ward"]))
    classes = defaultdict(set)
    for each in patients:
        key = each["subject_id"]
        seen = (each["sex"], each["birth_year"], each["region"])
        classes[*seen, frozenset(shown[key])] |= had[key] or {""}
    assert min(map(len, classes.values())) >= 2


# -- what verify notices ------------------------------------------------------------


def rewritten(folder, name, change):
    """Change the rows of a released file, and the evidence with it."""
    path = folder / name
    rows = rows_of(path)
    write = [list(rows[0]), *(list(each.values()) for each in change(rows))]
    text = "".join(",".join(each) + "\n" for each in write).encode()
    path.write_bytes(text)
    evidence = json.loads((folder / "evidence.json").read_text("utf-8"))
    for output in evidence["outputs"]:
        if output["path"] == name:
            output["bytes"] = len(text)
            output["sha256"] = hashlib.sha256(text).hexdigest()
            output["rows"] = len(write) - 1
    (folder / "evidence.json").write_bytes(canonical_json(evidence))


def with_cell(rows, name, text):
    return [{**rows[0], name: text}, *rows[1:]]


def other_key(rows):
    return with_cell(rows, "subject_id", "A" * 16)


def moved(rows):
    keys = [each["subject_id"] for each in rows]
    other = next(key for key in keys if key != keys[0])
    return with_cell(rows, "subject_id", other)


@pytest.mark.parametrize(
    ("name", "change", "codes"),
    [
        ("patients_released.csv", lambda rows: rows[1:], {"link_orphans"}),
        ("patients_released.csv", lambda r: [*r, r[0]], {"link_people_once"}),
        ("patients_released.csv", other_key, {"link_orphans"}),
        ("patients_released.csv", moved, {"link_people_once"}),
        ("diagnoses_released.csv", other_key, {"link_orphans"}),
        ("diagnoses_released.csv", lambda rows: rows[1:], {"rows"}),
        (
            "patients_released.csv",
            lambda rows: with_cell(rows, "sex", "x"),
            {"labels_in_mapping"},
        ),
        (
            "diagnoses_released.csv",
            lambda rows: with_cell(rows, "diagnosis", "=1+1"),
            {"spreadsheet"},
        ),
    ],
)
def test_a_change_in_either_file_is_noticed(tmp_path, name, change, codes):
    project, loaded, *_ = case(tmp_path, without=20)
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    path = tmp_path / "out" / name
    whole = path.read_bytes()
    path.write_bytes(whole + b"\n")
    assert not verify(tmp_path / "out").ok
    path.write_bytes(whole)
    rewritten(tmp_path / "out", name, change)
    failed = {each.code for each in verify(tmp_path / "out").failed}
    assert codes <= failed


def test_a_released_event_given_to_another_person_is_noticed(tmp_path):
    project, loaded, *_ = case(tmp_path)
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    patients, _ = written(tmp_path / "out")
    alone = patients[0]["subject_id"]

    def change(rows):
        others = [{**each, "subject_id": alone} for each in rows[:5]]
        return [*others, *rows[5:]]

    rewritten(tmp_path / "out", "diagnoses_released.csv", change)
    assert not verify(tmp_path / "out").ok


# -- faults of the input ------------------------------------------------------------


def test_events_that_belong_to_nobody_wait_for_a_decision(tmp_path):
    people = people_rows(60)
    events = event_rows(people)
    stray = [{**events[0], "subject_id": "X1"}, {**events[1], "subject_id": ""}]
    alone, loaded = linked(
        write_rows(tmp_path / "patients.csv", people),
        write_rows(tmp_path / "diagnoses.csv", [stray[0], *events, stray[1]]),
    )
    assert loaded.table.n_rows == len(events)
    assert loaded.table.lines.line(0) == 3
    project = decided(propose_linked(alone, loaded, "subject_id", "subject_id"))
    assert (project.link.n_orphans, project.link.n_keyless) == (1, 1)
    assert [each.code for each in link_problems(project)] == ["link_orphans"]
    with pytest.raises(ConfigError):
        release(ops.confirm_roles()(project), loaded, tmp_path / "out", {})
    project = answered(leave_out_orphans()(project), loaded)
    done = release(project, loaded, tmp_path / "out", {})
    evidence = done.written.evidence
    assert (evidence.link.orphans, evidence.link.keyless) == (1, 1)
    assert any("2 events" in each for each in evidence.warnings)
    assert evidence.inputs[0].rows == len(events) + 2
    # Other files, another decision.
    (events,) = loaded.people.tables
    events = replace(events, linked=replace(events.linked, n_orphans=2))
    again = replace(loaded, people=replace(loaded.people, tables=(events,)))
    assert renew_project(project, again).link.orphans is None


def test_people_that_are_there_twice_are_named_by_their_lines_alone(tmp_path):
    people = people_rows(8)
    rows = [*people, people[2], people[2], {**people[0], "subject_id": ""}]
    paths = (
        write_rows(tmp_path / "patients.csv", rows),
        write_rows(tmp_path / "diagnoses.csv", event_rows(people)),
    )
    with pytest.raises(DeidError) as caught:
        linked(*paths)
    problems = {each.code: each.params for each in caught.value.problems}
    assert problems["people_twice"]["n_rows"] == 3
    assert problems["people_twice"]["lines"] == "4, 10, 11"
    assert problems["people_without_key"]["lines"] == "12"
    assert people[2]["subject_id"] not in str(problems)


def test_files_that_share_no_key_are_refused(tmp_path):
    people = people_rows(8)
    events = [{**each, "subject_id": "x"} for each in event_rows(people)]
    with pytest.raises(InputError) as caught:
        linked(
            write_rows(tmp_path / "patients.csv", people),
            write_rows(tmp_path / "diagnoses.csv", events),
        )
    assert caught.value.code == "no_event_linked"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (ops.change_attribute("subject_id", treatment="remove"), "link_key_hidden"),
        (ops.set_included("subject_id", False), "link_key_hidden"),
        (ops.change_export(suppressed="stars"), "link_stars"),
    ],
)
def test_what_would_part_the_released_files_is_refused(tmp_path, change, code):
    project, *_ = case(tmp_path)
    assert [each.code for each in link_problems(change(project))] == [code]


def test_who_is_protected_follows_from_the_link(tmp_path):
    project, *_ = case(tmp_path)
    with pytest.raises(ConfigError) as caught:
        ops.set_protection(None)(project)
    assert caught.value.code == "link_decides_unit"
    alone = without_link(project)
    assert [each.name for each in alone.attributes] == [
        "subject_id",
        "admission_year",
        "ward",
        "diagnosis",
    ]
    assert ops.set_protection(None)(alone).key is None


# -- names, and reading again -------------------------------------------------------


def test_conditions_whose_columns_are_called_alike(tmp_path):
    people, conditions = condition_tables()
    first = write_rows(tmp_path / "patients.csv", people)
    second = write_rows(tmp_path / "conditions.csv", conditions)
    alone, loaded = linked(first, second, "PATIENT", "Id")
    proposed = find_keys(alone, read_input(first))
    assert (proposed[0].column, proposed[0].people_column) == ("PATIENT", "Id")
    project = propose_linked(alone, loaded, "PATIENT", "Id")
    assert [(each.name, each.table) for each in project.attributes] == [
        ("PATIENT", "people"),
        ("BIRTHDATE", "people"),
        ("GENDER", "people"),
        ("DESCRIPTION (people)", "people"),
        ("START", "table"),
        ("CODE", "table"),
        ("DESCRIPTION", "table"),
    ]
    missing = ops.change_attribute("DESCRIPTION (people)", missing=("", "moved"))
    project = missing(project)
    again = read_project_input(project, second, {"people": first})
    assert renew_project(project, again) == project
    assert again.inspection.missing["DESCRIPTION (people)"] == ("", "moved")
    assert again.inspection.missing["DESCRIPTION"] == ("",)
    roles = {
        "BIRTHDATE": "direct_identifier",
        "GENDER": "quasi_identifier",
        "DESCRIPTION (people)": "insensitive",
        "START": "insensitive",
        "CODE": "quasi_identifier",
        "DESCRIPTION": "sensitive",
    }
    project = decided(project, roles=roles, limit=1.0)
    release(answered(project, again), again, tmp_path / "out", {})
    released = rows_of(tmp_path / "out" / "patients_released.csv")
    assert list(released[0]) == ["PATIENT", "GENDER", "DESCRIPTION (people)"]


def test_a_sample_is_of_people_those_without_events_too(tmp_path):
    project, loaded, people, _events = case(tmp_path, without=60, limit=1.0)
    sample = SampleChoice(fraction=0.5, seed=1, accepts_few=True)
    project = answered(project.but(sample=sample), loaded)
    done = release(project, loaded, tmp_path / "out", {})
    assert done.written.evidence.unit.people == len(people) // 2
    patients, diagnoses = written(tmp_path / "out")
    having = {each["subject_id"] for each in diagnoses}
    assert having < {each["subject_id"] for each in patients}


def test_nothing_is_known_of_the_events_of_who_has_none(tmp_path):
    project, loaded, people, events = case(tmp_path, without=40)
    history = history_of(build_classes(project, loaded.table, {}))
    assert history.n_people == len(people)
    assert history.n_events == len(events)
    of = Counter(each["subject_id"] for each in events)
    expected = sorted(of[each["subject_id"]] for each in people)
    assert sorted(history.n_events_of.tolist()) == expected
