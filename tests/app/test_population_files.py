"""Projects with a built-in population: kept, opened elsewhere, run, released."""

import gzip
import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from deidgui import resources
from deidgui.app import matching, ops
from deidgui.app.classes import HierarchyCache, build_classes
from deidgui.app.commands import headless
from deidgui.app.commands.summary import of_run, of_search
from deidgui.app.matching import propose_matching
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.project import Chosen, Discover, Export, InputFile, MatchChoice
from deidgui.app.reading.files import load_hierarchy_files, save_hierarchy_files
from deidgui.app.reading.reading import read_input
from deidgui.app.recovery import Recovery
from deidgui.app.storage.project_io import dump_project, load_project, save_project
from deidgui.app.workspace import Workspace
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.population.mapping_io import MAX_BYTES
from deidgui.errors import InputError
from tests.app.population_case import (
    DECADES,
    FLAT,
    codes_of,
    confirmed,
    project_of,
    table_of,
)
from tests.shared import shared

TENNESSEE = {
    "kind": "built_in",
    "tables": ("states_2000_modelled",),
    "states": ("Tennessee",),
}
RULES = {"age": DECADES, "race": FLAT, "sex": FLAT}
RACES = {
    "White alone": "White",
    "Black alone": "Black",
    "AIAN alone": "Amer-Indian-Eskimo",
    "Asian alone": "Asian-Pac-Islander",
    "NHPI alone": "Asian-Pac-Islander",
    "Some other race alone": "Other",
    "Two or more races": "Other",
}


def adult():
    """Records of Adult below 85 with age, race, sex as text."""
    with gzip.open(shared("data", "uci_adult", "adult.data.gz"), "rt") as file:
        rows = pd.read_csv(file, header=None, skipinitialspace=True, dtype=str)
    rows = rows[[0, 8, 9]].set_axis(["age", "race", "sex"], axis=1)
    return rows[rows["age"].astype(int) < 85].reset_index(drop=True)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A release of Adult among the people of modelled Tennessee."""
    folder = tmp_path_factory.mktemp("adult")
    rows = adult()
    rows.to_csv(folder / "data.csv", index=False)
    loaded = read_input(folder / "data.csv")
    files = {}
    project = confirmed(project_of(RULES, TENNESSEE), loaded.table, files)
    inputs = (InputFile(file="data.csv", sha256=loaded.sha256),)
    project = project.but(
        inputs=inputs,
        chosen=Chosen(levels={"age": 1, "race": 0, "sex": 0}, suppress_below=20),
        export=Export(suppressed="left_out"),
    )
    models = ({"kind": "k_anonymity", "k": 20},)
    project = ops.change_privacy(models=models, suppression_limit=1.0)(project)
    save_hierarchy_files(project, files, folder)
    save_project(project, folder / "p.deid.json")
    done = headless.run(folder / "p.deid.json", folder / "out", {})
    return rows, done, folder


def expected(rows):
    """Records and people of every released class, from the raw files alone."""
    source = pd.read_csv(
        shared("data", "population", "tn_2000_MODELLED_ipf_sex_age_race.csv")
    )
    source["race"] = source["race"].map(RACES)
    key = ["age", "race", "sex"]
    cells = source.groupby(key)["population"].sum()
    own = rows.assign(age=rows["age"].astype(int)).groupby(key).size()
    both = pd.concat([own.rename("f"), cells.rename("g")], axis=1).fillna(0)
    raised = int((both["f"] > both["g"]).sum())
    both["g"] = both[["f", "g"]].max(axis=1)
    both = both.reset_index()
    both["age"] = both["age"] // 10
    classes = both.groupby(key)[["f", "g"]].sum()
    return classes[classes["f"] > 0], raised, both


def test_figures_of_a_release_against_plain_pandas(released):
    rows, done, _ = released
    classes, raised, cells = expected(rows)
    kept = classes[classes["f"] >= 20]
    risk = done["evidence"]["risk"]
    n = kept["f"].sum()
    assert risk["records"] == n
    marketer = (kept["f"] / kept["g"]).sum() / n
    assert risk["marketer"]["average"] == pytest.approx(marketer, rel=1e-12)
    journalist = risk["journalist"]
    assert journalist["highest"] == pytest.approx(1 / kept["g"].min(), rel=1e-12)
    average = max(marketer, len(kept) / kept["g"].sum())
    assert journalist["average"] == pytest.approx(average, rel=1e-12)
    own = cells[cells["f"] > 0]
    before = (own["f"] / own["g"]).sum() / len(rows)
    found = risk["before"]["marketer"]["average"]
    assert found == pytest.approx(before, rel=1e-12)
    assert risk["population"]["combinations_raised"] == raised


def test_a_modelled_population_is_labelled_wherever_it_is_stated(released):
    _, done, folder = released
    evidence = done["evidence"]
    assert evidence["risk"]["population_known"] == "built_in"
    assert evidence["risk"]["population"]["basis"] == "modelled"
    assumptions = " ".join(evidence["assumptions"])
    for words in ("MODELLED, not counted", "Iterative proportional fitting"):
        assert words in assumptions
    assert any("MODELLED" in each for each in evidence["warnings"])
    report = (folder / "out" / "report.html").read_text()
    assert "Journalist (MODELLED)" in report
    assert "(counted)" not in report
    assert "Tennessee" in report
    text = of_run(done)
    assert "Tennessee" in text
    assert "(modelled)" in text
    stored = json.loads((folder / "out" / "evidence.json").read_text())
    assert stored["risk"]["population"]["states"] == ["Tennessee"]
    files = stored["risk"]["population_files"]
    assert set(files) == {"states_2000_modelled.json", "states_2000_modelled.npz"}
    for name, digest in files.items():
        content = resources.path("population", name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
    decided = stored["risk"]["population"]["decisions"]["race"]
    assert decided["target"] == "race"
    assert (folder / decided["csv"]).is_file()


def test_a_verification_does_not_claim_what_files_cannot_tell(released):
    _, _, folder = released
    found = headless.verify(folder / "out")
    assert found["ok"]
    assert "journalist" in found["not_measured"]


def test_a_search_tells_whose_people_it_rests_on(released):
    _, _, folder = released
    found = headless.search(folder / "p.deid.json", {})
    assert found["population"]["basis"] == "modelled"
    assert found["population"]["people"] == 5_689_283
    assert any("MODELLED" in each for each in found["population"]["assumptions"])
    assert "MODELLED" in of_search(found)


def test_mappings_go_with_the_project_and_stay_below_its_folder(tmp_path, released):
    _, _, folder = released
    project = load_project(folder / "p.deid.json")
    names = [match.csv for match in project.privacy.population.matches.values()]
    assert names
    files = load_hierarchy_files(project, folder)
    assert set(files) == set(names)
    save_hierarchy_files(project, files, tmp_path)
    assert {n: (tmp_path / n).read_bytes() for n in names} == files
    for name in ("../m.csv", "/etc/passwd", "C:\\m.csv"):
        matches = {"sex": MatchChoice(target="sex", csv=name)}
        choice = project.privacy.population.but(matches=matches)
        outside = ops.change_privacy(population=choice)(project)
        with pytest.raises(InputError) as error:
            load_hierarchy_files(outside, tmp_path)
        assert error.value.code == "path_leaves_folder"
        with pytest.raises(InputError) as error:
            save_hierarchy_files(outside, {name: b"x"}, tmp_path)
        assert error.value.code == "path_leaves_folder"


def test_a_mapping_too_large_is_refused_before_it_is_read(tmp_path, released):
    _, _, folder = released
    project = load_project(folder / "p.deid.json")
    name = project.privacy.population.matches["race"].csv
    (tmp_path / "mappings").mkdir()
    with (tmp_path / name).open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError) as error:
        load_hierarchy_files(project, tmp_path)
    assert codes_of([error.value]) == ["people_mapping_too_large"]


def test_a_mapping_that_is_not_there_any_more_is_asked_for(tmp_path, released):
    _, _, folder = released
    project = load_project(folder / "p.deid.json")
    table = read_input(folder / "data.csv").table
    found = propose_matching(project, table, {})
    assert set(codes_of(found.all_problems)) == {"people_mapping_missing"}


def test_decisions_survive_a_crash(tmp_path):
    table, files = table_of(sex="1122", age=["30"] * 4), {}
    project = project_of({"sex": FLAT, "age": DECADES}, TENNESSEE)
    project = confirmed(project, table, files)
    recovery = Recovery(tmp_path / "r")
    recovery.keep(project, None, None, files)
    kept = Recovery(tmp_path / "r").take()
    assert kept.project == project
    assert kept.files == files
    assert propose_matching(kept.project, table, kept.files).is_ready


def test_undo_takes_a_confirmation_back():
    workspace = Workspace(lambda run: run())
    try:
        session = workspace.session
        table = table_of(sex="1122", age=["30"] * 4)
        project = project_of({"sex": FLAT, "age": DECADES}, TENNESSEE)
        session.start(project)
        match = propose_matching(project, table, {}).of("sex")
        decided = matching.confirm_match(match)
        session.add_hierarchy_file(decided.name, decided.content)
        session.apply(decided.op, "confirm values of sex")
        files = session.hierarchy_files
        assert propose_matching(session.project, table, files).is_ready
        session.undo()
        assert not propose_matching(session.project, table, files).is_ready
        session.redo()
        assert propose_matching(session.project, table, files).is_ready
    finally:
        workspace.close()


def test_no_text_of_a_value_is_in_the_project_file(released):
    _, _, folder = released
    text = dump_project(load_project(folder / "p.deid.json")).decode()
    assert "Amer-Indian-Eskimo" not in text


def test_people_are_counted_once_for_both_jobs(released):
    _, _, folder = released
    project = load_project(folder / "p.deid.json")
    files = load_hierarchy_files(project, folder)
    table = read_input(folder / "data.csv").table
    cache = HierarchyCache()
    first = build_classes(project, table, files, cache=cache)
    again = build_classes(project, table, files, cache=cache)
    assert again.population == first.population
    alone = build_classes(project, table, files)
    assert alone.population == first.population
    found: ClassTable = again.class_table
    assert np.array_equal(found.population.counts, alone.class_table.population.counts)
    # Another state is another population.
    choice = project.privacy.population.but(states=("Ohio",))
    moved = ops.change_privacy(population=choice)(project)
    other = build_classes(moved, table, files, cache=cache)
    assert (
        other.population.coverage.population_size
        != first.population.coverage.population_size
    )
    cache.population.forget()
    assert build_classes(project, table, files, cache=cache).population == (
        first.population
    )


def test_discovery_and_risk_figures_rest_on_the_same_people(released):
    """The sum of 1/g over the records is the marketer's risk times the records."""
    rows, done, folder = released
    project = load_project(folder / "p.deid.json")
    project = project.but(discover=Discover(baseline="typed", typed=1.0))
    table = read_input(folder / "data.csv").table
    files = load_hierarchy_files(project, folder)
    classes = build_classes(project, table, files)
    basis = compute_basis(project, classes)
    marketer = done["evidence"]["risk"]["before"]["marketer"]["average"]
    assert basis.raw_risk == pytest.approx(marketer * len(rows), rel=1e-9)
    assert basis.population == classes.population
