"""Steps on people with their events, with a sample, and with two files linked later."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.preparation.preparing import decide_steps
from deidgui.app.project import SampleChoice
from deidgui.app.reading.linking import link_files, propose_linked
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.preparation import (
    CharlsonIndex,
    DaysSinceFirst,
    GroupCodes,
    RemovePeople,
    ShiftDates,
    SuppressProviders,
    TopCode,
    TruncateEvents,
)
from deidgui.engine.preparation.base import Secrets
from deidgui.engine.privacy import KAnonymity
from tests.answers import answered
from tests.linked_case import event_rows, joined_rows, people_rows, write_rows

ROLES = {
    "sex": "quasi_identifier",
    "birth_year": "quasi_identifier",
    "region": "quasi_identifier",
    "admission_year": "insensitive",
    "ward": "quasi_identifier",
    "diagnosis": "insensitive",
    "seen": "insensitive",
}
WITHOUT = 40
ISO = "YYYY-MM-DD"
COLUMNS = ("admission_year", "ward", "diagnosis", "seen")
FILES = {"l.csv": b"C50,prefix,cancer\nsouth,exact,region\n"}


def decided(project):
    for each in (
        *(ops.set_role(name, role) for name, role in ROLES.items()),
        ops.change_privacy(models=(KAnonymity(k=2),), suppression_limit=1.0),
        ops.change_threshold(recipient="researcher", at_risk=0.5, set_by="test"),
        ops.change_export(suppressed="left_out", shuffle_seed=3),
    ):
        project = each(project)
    for name in (each.name for each in project.quasi_identifiers):
        project = ops.set_hierarchy(name, {"kind": "flat"})(project)
    return project


def dated(events):
    """Events with a day: every seventh has none."""
    return [
        {
            **each,
            "seen": f"{each['admission_year']}-0{1 + n % 9}-1{n % 8}" if n % 7 else "",
        }
        for n, each in enumerate(events)
    ]


def case(folder: Path):
    people = people_rows()
    events = dated(event_rows(people, WITHOUT))
    first = read_input(write_rows(folder / "patients.csv", people))
    second = read_input(write_rows(folder / "diagnoses.csv", events))
    loaded = link_files(second, first, "subject_id", "subject_id")
    project = decided(propose_linked(second, loaded, "subject_id", "subject_id"))
    return project, loaded, people, events


def prepared(project, loaded, *steps):
    found = decide_steps(project, steps, loaded, FILES, Secrets())
    return found.op(project), found.loaded


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cells(table, name):
    """Cells of a column by person; None where it has none."""
    key, column = table.column("subject_id"), table.column(name)
    absent = column.absent if column.absent is not None else np.zeros(table.n_rows)
    found = defaultdict(list)
    for row in range(table.n_rows):
        text = None if absent[row] else column.text(row)
        found[key.text(row)].append(text)
    return found


ON_EVENTS = (
    TruncateEvents(0.5, ("ward", "diagnosis")),
    TruncateEvents(0.3, ("diagnosis",), period="admission_year"),
    TopCode("admission_year", 0.5),
    DaysSinceFirst("seen", ISO),
    ShiftDates(("seen",), ISO, 50, seed=1),
    GroupCodes("diagnosis", "icd10", 2),
    CharlsonIndex("diagnosis", "ICD-10-CM"),
    SuppressProviders("ward", ("diagnosis",), 1.0, 4, simple=True),
)


@pytest.mark.parametrize("step", ON_EVENTS, ids=lambda step: step.kind)
def test_who_has_no_event_stays_and_has_no_value(tmp_path, step):
    project, loaded, people, events = case(tmp_path)
    _, after = prepared(project, loaded, step)
    (effect,) = after.effects
    assert effect.people_before == effect.people_after == len(people)
    assert effect.rows_before == len(events)
    table = after.table
    assert int(table.absent.sum()) == WITHOUT
    assert table.n_rows - WITHOUT == effect.rows_after
    having = {each["subject_id"] for each in events}
    for name in COLUMNS:
        of_person = cells(table, name)
        assert len(of_person) == len(people)
        for key, texts in of_person.items():
            assert (None in texts) == (key not in having)
            assert len(texts) == 1 or None not in texts
        assert table.column(name).counts.sum() == effect.rows_after


def test_truncation_counts_people_with_events(tmp_path):
    project, loaded, _people, events = case(tmp_path)
    _, after = prepared(project, loaded, TruncateEvents(0.5, ("ward",)))
    sizes = sorted(Counter(each["subject_id"] for each in events).values())
    most = sizes[(len(sizes) + 1) // 2 - 1]
    (effect,) = after.effects
    assert effect.figures["most_after"] == most
    assert effect.rows_removed == sum(max(0, size - most) for size in sizes)
    # The same as of one joined file, in which nobody is without an event.
    lines = after.table.lines
    assert lines.line(0) > 0
    assert lines.line(after.table.n_rows - 1) == 0


def test_steps_are_of_one_joined_file_as_of_two(tmp_path):
    project, loaded, people, events = case(tmp_path)
    joined = joined_rows(people, events)
    single = read_input(write_rows(tmp_path / "joined.csv", joined))
    alone = ops.set_protection("subject_id")(propose_project(single))
    for step in ON_EVENTS:
        _, two = prepared(project, loaded, step)
        _, one = prepared(alone, single, step)
        for name in COLUMNS:
            found, expected = cells(two.table, name), cells(one.table, name)
            found = {key: texts for key, texts in found.items() if texts != [None]}
            assert found == expected


def check_release(folder, project, loaded):
    files = FILES
    project = answered(project, loaded, files)
    done = release(project, loaded, folder, files)
    found = verify(folder)
    assert found.ok, [each.code for each in found.failed]
    return done.written.evidence


def test_linked_files_with_steps_are_released_and_verified(tmp_path):
    project, loaded, people, events = case(tmp_path)
    steps = (
        RemovePeople("l.csv", ("diagnosis", "region"), ("birth_year",)),
        TopCode("birth_year", 0.5),
        TruncateEvents(0.8, ("ward", "diagnosis"), period="admission_year"),
        TopCode("admission_year", 0.2),
    )
    project, loaded = prepared(project, loaded, *steps)
    gone = {each["subject_id"] for each in events if each["diagnosis"] == "C50.9"}
    gone |= {each["subject_id"] for each in people if each["region"] == "south"}
    evidence = check_release(tmp_path / "out", project, loaded)
    told = evidence.preparation
    assert told[0].people_before == len(people)
    assert told[0].people_after == len(people) - len(gone) == evidence.unit.people
    assert told[0].rows_before == len(events)
    left = [each for each in events if each["subject_id"] not in gone]
    assert told[0].rows_after == len(left)
    assert told[-1].rows_after == evidence.records
    patients = rows_of(tmp_path / "out" / "patients_released.csv")
    assert {each["region"] for each in patients} == {"north"}
    top = told[1].figures["top"]
    assert told[1].checked.columns == ("birth_year",)
    years = {each["birth_year"] for each in patients} - {f"{top:g}+"}
    assert all(float(year) < top for year in years)
    diagnoses = rows_of(tmp_path / "out" / "diagnoses_released.csv")
    assert not any(each["diagnosis"].startswith("C50") for each in diagnoses)
    alone = {e["subject_id"] for e in patients} - {e["subject_id"] for e in diagnoses}
    assert alone
    # Codes and numbers are compared in whichever file has them.
    for place, change in ((0, {"codes": ["north"]}), (1, {"top": 1900.0})):
        fields = evidence.model_dump(mode="json")
        fields["preparation"][place]["checked"] |= change
        (tmp_path / "out" / "evidence.json").write_bytes(canonical_json(fields))
        code = ("preparation_codes", "preparation_top")[place]
        assert code in {each.code for each in verify(tmp_path / "out").failed}


def test_steps_with_a_sample_of_linked_files(tmp_path):
    project, loaded, people, _events = case(tmp_path)
    steps = (
        RemovePeople("l.csv", ("diagnosis", "region")),
        TruncateEvents(0.6, ("ward",)),
    )
    project, loaded = prepared(project, loaded, *steps)
    sample = SampleChoice(fraction=0.5, seed=1, accepts_few=True)
    evidence = check_release(tmp_path / "out", project.but(sample=sample), loaded)
    last = evidence.preparation[-1]
    assert evidence.sample.people == last.people_after < len(people)
    assert evidence.sample.rows == last.rows_after
    assert evidence.unit.people == last.people_after // 2


def test_steps_with_a_sample_of_one_file(tmp_path):
    _project, _loaded, people, events = case(tmp_path)
    path = write_rows(tmp_path / "joined.csv", joined_rows(people, events))
    loaded = read_input(path)
    project = decided(ops.set_protection("subject_id")(propose_project(loaded)))
    steps = (
        RemovePeople("l.csv", ("diagnosis",)),
        TruncateEvents(0.6, ("ward",)),
        TopCode("birth_year", 0.9),
    )
    project, loaded = prepared(project, loaded, *steps)
    sample = SampleChoice(fraction=0.4, seed=2, accepts_few=True)
    evidence = check_release(tmp_path / "out", project.but(sample=sample), loaded)
    last = evidence.preparation[-1]
    assert evidence.sample.rows == last.rows_after
    assert evidence.inputs[0].rows == len(events)
    assert evidence.records < last.rows_after
