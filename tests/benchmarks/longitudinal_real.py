"""Table 5 of the Heritage Health Prize for three real or realistic data sets.

By quasi-identifier the level that LOLA chooses, of how many, and what it shows: for the
encounters of diabetes130, the beneficiaries of three years and the inpatient claims of
CMS DE-SynPUF, and the sample cohort of the program. At most 5 values of each column are
known; threshold 0.05, so that 20 people must match; limit on people at risk 0.008. The
best policy is released and verified. The files are those of ``../shared/data``, which
the repository does not have.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from deidgui import resources
from deidgui.app import ops
from deidgui.app.classes import Classes, build_classes
from deidgui.app.loaded import Loaded
from deidgui.app.policies.longitudinal.policies import LongitudinalPolicies
from deidgui.app.policies.longitudinal.source import SOURCE
from deidgui.app.project import EventsKnown, Project
from deidgui.app.reading.linking import link_files, propose_linked
from deidgui.app.reading.reading import propose_hierarchy, propose_project, read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from tests.answers import answered

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
KNOWN = EventsKnown(
    power=5, diversity="entropy", threshold=0.05, limit=0.008, rule="large_sample"
)
Case = Callable[[], tuple[Project, Loaded, tuple[str, ...]]]


def diabetes() -> tuple[Project, Loaded, tuple[str, ...]]:
    """71,518 people with 101,766 encounters in one table: all columns vary."""
    path = SHARED / "diabetes130" / "dataset_diabetes.zip"
    loaded = read_input(path, member="dataset_diabetes/diabetic_data.csv")
    project = ops.set_protection("patient_nbr")(propose_project(loaded))
    columns = (
        *("race", "gender", "age", "time_in_hospital"),
        *("medical_specialty", "discharge_disposition_id"),
    )
    return project, loaded, columns


def linked(
    people: Path, events: Path, key: str, *columns: str
) -> tuple[Project, Loaded, tuple[str, ...]]:
    """People and their events in two files."""
    first, second = read_input(events), read_input(people)
    loaded = link_files(first, second, key, key)
    return propose_linked(first, loaded, key, key), loaded, columns


def claims() -> tuple[Project, Loaded, tuple[str, ...]]:
    """116,352 beneficiaries of three years with 66,773 claims."""
    return linked(
        three_years(Path(FOLDER.name) / "beneficiaries.csv"),
        CMS / "DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.zip",
        CMS_KEY,
        *("BENE_BIRTH_DT", "BENE_SEX_IDENT_CD", "BENE_RACE_CD"),
        *(f"{MONTHS}_{year}" for year in YEARS),
        *("CLM_ADMSN_DT", "CLM_UTLZTN_DAY_CNT", "ADMTNG_ICD9_DGNS_CD"),
    )


FOLDER = tempfile.TemporaryDirectory()
CMS, CMS_KEY = SHARED / "cms_desynpuf_sample1", "DESYNPUF_ID"
MONTHS, YEARS = "BENE_HI_CVRAGE_TOT_MONS", (2008, 2009, 2010)


def three_years(path: Path) -> Path:
    """Join the beneficiaries of three years: a row each, months insured by year."""
    joined: dict[str, dict[str, str]] = {}
    for year in YEARS:
        file = CMS / f"DE1_0_{year}_Beneficiary_Summary_File_Sample_1.zip"
        with zipfile.ZipFile(file) as packed:
            (member,) = packed.namelist()
            text = io.TextIOWrapper(packed.open(member), "utf-8")
            for row in csv.DictReader(text):
                own = joined.setdefault(row[CMS_KEY], dict(row))
                own[f"{MONTHS}_{year}"] = row[MONTHS]
    names = [CMS_KEY, "BENE_BIRTH_DT", "BENE_SEX_IDENT_CD", "BENE_RACE_CD"]
    names += [f"{MONTHS}_{year}" for year in YEARS]
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, names, restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(joined.values())
    return path


def cohort() -> tuple[Project, Loaded, tuple[str, ...]]:
    """Made-up patients and their encounters."""
    folder = resources.path("samples")
    return linked(
        folder / "synthetic_patients.csv.gz",
        folder / "synthetic_encounters.csv.gz",
        "patient_id",
        *("birth_date", "sex", "race"),
        *("encounter_type", "specialty", "length_of_stay"),
    )


CASES: dict[str, Case] = {"diabetes130": diabetes, "cms": claims, "cohort": cohort}


def decided(project: Project, loaded: Loaded, columns: tuple[str, ...]) -> Project:
    """Quasi-identifiers with the hierarchies that the program proposes."""
    for each in project.attributes:
        if each.name in columns:
            project = ops.set_role(each.name, "quasi_identifier")(project)
            proposed = propose_hierarchy(loaded, project.attribute(each.name))
            rule = proposed.rule if proposed else {"kind": "flat"}
            project = ops.set_hierarchy(each.name, rule)(project)
        elif each.name != project.key:
            project = ops.set_included(each.name, False)(project)
    for change in (
        ops.set_events(KNOWN),
        ops.change_threshold(recipient="researcher", at_risk=0.05, set_by="benchmark"),
        ops.change_export(suppressed="left_out"),
    ):
        project = change(project)
    return project


def unique_share(
    rows: Iterable[tuple[str, ...]], owners: Iterable[int], n_of_people: int
) -> float:
    """Share of the people who differ from all others by everything their rows show.

    Counted from texts, by code that the program does not have.
    """
    shown: dict[int, list[tuple[str, ...]]] = {}
    for owner, row in zip(owners, rows, strict=True):
        shown.setdefault(owner, []).append(row)
    by_all = Counter(
        (each[0][:n_of_people], *sorted(row[n_of_people:] for row in each))
        for each in shown.values()
    )
    return sum(n == 1 for n in by_all.values()) / len(shown)


def uniques(classes: Classes, found: LongitudinalPolicies, row: int) -> dict[str, Any]:
    """Share of unique people by the values as read, and by those of a policy."""
    table, events = classes.table, found.of_events
    units = classes.class_table.units
    assert units is not None
    owners = units.people.of_row.tolist()
    before, after = [], []
    for each in events.history.hierarchies:
        column = table.column(each.attribute)
        texts = column.texts()
        step = each.levels[found.looked[row].levels[each.attribute]]
        leaves = each.leaf_of_values(column).tolist()
        groups = step.groups.tolist()
        label = [step.labels[groups[leaf]] if leaf >= 0 else "" for leaf in leaves]
        codes = column.codes.tolist()
        before.append([texts[code] for code in codes])
        after.append([label[code] for code in codes])
    n = len(events.person_attributes)
    return {
        "before": round(unique_share(zip(*before, strict=True), owners, n), 4),
        "after": round(unique_share(zip(*after, strict=True), owners, n), 4),
    }


def searched(project: Project, loaded: Loaded) -> dict[str, Any]:
    """Search, and tell the best policy column by column."""
    start = time.perf_counter()
    classes = build_classes(project, loaded.table, {})
    built_s = time.perf_counter() - start
    found = SOURCE.run(project, classes)
    searched_s = time.perf_counter() - start - built_s
    told: dict[str, Any] = {
        "people": found.of_events.history.n_people,
        "events": found.of_events.history.n_events,
        "policies": found.proof.n_policies,
        "looked_at": found.proof.n_examined,
        "minimal": sum(each.is_minimal for each in found.looked),
        "undecided": found.n_undecided,
        "classes_s": round(built_s, 1),
        "search_s": round(searched_s, 1),
        "load": os.getloadavg()[0],
    }
    best = int(found.best_first[0])
    each, of_people = found.looked[best], found.of_events.person_attributes
    told["meets"] = each.is_met
    told["loss"] = round(each.loss, 4)
    told["share_at_risk"] = [each.share.share, each.share.low, each.share.high]
    told["how"] = each.share.how
    told["unique_people"] = uniques(classes, found, best)
    told["levels"] = {
        h.attribute: {
            "of": "person" if h.attribute in of_people else "event",
            "level": each.levels[h.attribute],
            "highest": len(h.levels) - 1,
            "labels": h.levels[each.levels[h.attribute]].n_groups,
        }
        for h in found.of_events.history.hierarchies
    }
    told["release"] = released(project, loaded, classes, found)
    return told


def released(
    project: Project, loaded: Loaded, classes: Classes, found: LongitudinalPolicies
) -> dict[str, Any]:
    """Release the best policy, read it back and verify it."""
    if found.optimum is None:
        return {"released": "no policy meets the limit"}
    project = ops.choose_policy(found.choice(found.optimum))(project)
    project = answered(project, loaded)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "out"
        done = release(project, loaded, folder, {}, classes=classes)
        written_s = time.perf_counter() - start
        checked = verify(folder)
        return {
            "rows": [each.rows for each in done.written.evidence.outputs],
            "released_s": round(written_s, 1),
            "verified_s": round(time.perf_counter() - start - written_s, 1),
            "checks": len(checked.checks),
            "verified": checked.ok,
        }


def run(arguments: list[str]) -> dict[str, Any]:
    """Search each data set, or those that are named."""
    found = {}
    for name in arguments or CASES:
        project, loaded, columns = CASES[name]()
        found[name] = searched(decided(project, loaded, columns), loaded)
        print(json.dumps({name: found[name]}), file=sys.stderr, flush=True)
    return found
