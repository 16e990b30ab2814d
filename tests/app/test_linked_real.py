"""Real people and their events, linked and released."""

import csv

from deidgui import resources
from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.reading.linking import find_keys, link_files, propose_linked
from deidgui.app.reading.reading import propose_hierarchy, read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.engine.privacy import KAnonymity
from tests.answers import answered
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
    assert loaded.people.n_orphans == loaded.people.n_keyless == 0
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
