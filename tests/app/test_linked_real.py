"""Real people and their events, linked and released."""

import csv
from collections import Counter, defaultdict

import pytest

from deidgui import resources
from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.project import EventsKnown
from deidgui.app.reading.linking import find_keys, link_files, propose_linked
from deidgui.app.reading.reading import propose_hierarchy, read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.engine.privacy import KAnonymity
from tests.answers import answered
from tests.linked_case import condition_tables, write_rows
from tests.shared import shared


def of_roles(project, loaded, quasi, kept=()):
    """The project with some quasi-identifiers and other columns, no more."""
    for each in project.attributes:
        name = each.name
        if name in quasi:
            project = ops.set_role(name, "quasi_identifier")(project)
            proposed = propose_hierarchy(loaded, project.attribute(name))
            rule = proposed.rule if proposed else {"kind": "flat"}
            project = ops.set_hierarchy(name, rule)(project)
        elif name in kept:
            project = ops.set_role(name, "insensitive")(project)
        elif name != project.key:
            project = ops.set_included(name, False)(project)
    project = ops.change_privacy(models=(KAnonymity(k=5),), suppression_limit=0.2)(
        project
    )
    project = ops.change_threshold(recipient="researcher", at_risk=0.2, set_by="t")(
        project
    )
    return ops.change_export(suppressed="left_out")(project)


def test_beneficiaries_and_their_inpatient_claims():
    folder = ("data", "cms_desynpuf_sample1")
    people = read_input(
        shared(*folder, "DE1_0_2008_Beneficiary_Summary_File_Sample_1.zip")
    )
    events = read_input(
        shared(*folder, "DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.zip")
    )
    key = "DESYNPUF_ID"
    found = find_keys(events, people)
    assert [(each.column, each.people_column) for each in found] == [(key, key)]
    loaded = link_files(events, people, key, key)
    # Counted with the csv module: 66,773 claims of 37,780 of 116,352 beneficiaries.
    assert loaded.people.n_without_events == 116_352 - 37_780
    (claims,) = loaded.people.tables
    assert claims.linked.n_orphans == claims.linked.n_keyless == 0
    assert loaded.table.n_rows == 66_773 + 116_352 - 37_780
    project = propose_linked(events, loaded, key, key)
    quasi = {"BENE_SEX_IDENT_CD", "BENE_RACE_CD", "SEGMENT"}
    project = of_roles(project, loaded, quasi)
    classes = build_classes(project, loaded.table, {}).class_table
    assert classes.n_records == 116_352


def test_patients_and_encounters_of_the_sample(tmp_path):
    samples = resources.path("samples")
    people = read_input(samples / "synthetic_patients.csv.gz")
    events = read_input(samples / "synthetic_encounters.csv.gz")
    loaded = link_files(events, people, "patient_id", "patient_id")
    project = propose_linked(events, loaded, "patient_id", "patient_id")
    names = {each.name for each in project.attributes}
    assert {"diagnosis", "diagnosis (people)"} <= names
    quasi = {"sex", "race", "birth_date", "encounter_type"}
    project = of_roles(project, loaded, quasi, kept={"length_of_stay (people)"})
    project = answered(project, loaded)
    done = release(project, loaded, tmp_path / "out", {})
    assert verify(tmp_path / "out").ok
    events_out, people_out = done.written.evidence.outputs
    keys = []
    for output in (people_out, events_out):
        with (tmp_path / "out" / output.path).open(newline="") as file:
            keys.append([each["patient_id"] for each in csv.DictReader(file)])
    assert len(set(keys[0])) == len(keys[0])
    assert set(keys[1]) <= set(keys[0])


def uniques(people, events, key, of_people, of_events):
    """Share of people who differ from all others by all that is shown of them."""
    own = defaultdict(list)
    for each in events:
        own[each[key[1]]].append(tuple(each[name] for name in of_events))
    shown = Counter(
        (*(each[name] for name in of_people), *sorted(own[each[key[0]]]))
        for each in people
    )
    return sum(n == 1 for n in shown.values()) / len(people)


@pytest.mark.parametrize("name", ["conditions", "encounters"])
def test_a_longitudinal_release_of_two_files_is_verified(name, tmp_path):
    if name == "conditions":
        people, events = condition_tables(300)
        people_file = write_rows(tmp_path / "patients.csv", people)
        events_file = write_rows(tmp_path / "conditions.csv", events)
        key, of_people, of_events = ("Id", "PATIENT"), ["GENDER"], ["START", "CODE"]
    else:
        samples = resources.path("samples")
        people_file = samples / "synthetic_patients.csv.gz"
        events_file = samples / "synthetic_encounters.csv.gz"
        key, of_people = ("patient_id", "patient_id"), ["sex", "race"]
        of_events = ["encounter_type", "length_of_stay"]
    first, second = read_input(events_file), read_input(people_file)
    loaded = link_files(first, second, key[1], key[0])
    project = propose_linked(first, loaded, key[1], key[0])
    project = of_roles(project, loaded, {*of_people, *of_events})
    project = ops.set_events(
        EventsKnown(
            power=5,
            diversity="entropy",
            threshold=0.2,
            limit=0.05,
            rule="large_sample",
        )
    )(project)
    project = answered(project, loaded)
    done = release(project, loaded, tmp_path / "out", {})
    assert done.written.evidence.unit.events is not None
    assert verify(tmp_path / "out").ok
    tables = []
    for output in done.written.evidence.outputs:
        with (tmp_path / "out" / output.path).open(newline="") as file:
            tables.append(list(csv.DictReader(file)))
    shown, shown_people = tables
    keys = {each[key[1]] for each in shown}
    (of_key,) = {n for n in key if n in shown_people[0]}
    assert keys <= {each[of_key] for each in shown_people}
    known = [set(shown_people[0]) & set(of_people), set(shown[0]) & set(of_events)]
    after = uniques(shown_people, shown, (of_key, key[1]), *map(sorted, known))
    if name == "conditions":
        before = uniques(people, events, key, of_people, of_events)
        # Nobody knows all rows: many may still be unique by all of them.
        assert after < before
    assert after < 1
