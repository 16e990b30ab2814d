"""Local recoding from the search to the verified release, and diversity with it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deidgui.app.classes import Classes
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.comparing import compare, riskiest_classes
from deidgui.app.measuring.measuring import measure_project, policy_of
from deidgui.app.policies.lattice.searching import search_rounds
from deidgui.app.project import Chosen, ChosenRound, Privacy
from deidgui.app.release.previewing import preview
from deidgui.app.release.releasing import release
from deidgui.app.report import report_html
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.population import Register
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.verify import verify_release
from deidgui.errors import ConfigError, InputError
from tests.answers import answered
from tests.explored_case import make_case
from tests.release_case import hierarchies, make_table

QUASI_IDENTIFIERS = ("age", "sex", "zip")
ROUNDS = Chosen(
    kind="local_recoding",
    levels={"age": 0, "sex": 0, "zip": 1},
    suppress_below=3,
    later=(
        ChosenRound(levels={"age": 1, "sex": 0, "zip": 1}, suppress_below=3),
        ChosenRound(levels={"age": 1, "sex": 1, "zip": 2}, suppress_below=3),
    ),
)


def diverse_project(**changes):
    """k-anonymity and two diagnoses per class, the rounds chosen."""
    models = (
        {"kind": "k_anonymity", "k": 3},
        {"kind": "distinct_l_diversity", "attribute": "diagnosis", "diversity": 2},
    )
    project = make_case().project
    privacy = project.privacy.but(models=models)
    return project.but(privacy=privacy, chosen=ROUNDS, **changes)


@pytest.fixture(scope="module")
def case():
    table = make_table()
    classes = build_class_table(table, hierarchies(table), {"diagnosis": None})
    return diverse_project(), Classes(table, classes, table)


def slow_outcome(table, policy):
    """Round and labels of every record, followed one by one; None is suppressed."""
    leaves = [
        {text: leaf for leaf, text in enumerate(each.hierarchy.leaves)}
        for each in policy.maps
    ]
    columns = [table.column(name) for name in QUASI_IDENTIFIERS]
    diagnosis = table.column("diagnosis")
    outcome: list[tuple[int, tuple[str, ...]] | None] = [None] * table.n_rows
    for number, each in enumerate(policy.rounds):
        left = [row for row in range(table.n_rows) if outcome[row] is None]
        labels = {
            row: tuple(
                m.labels[m.groups[leaf[column.text(row)]]]
                for m, leaf, column in zip(each.maps, leaves, columns, strict=True)
            )
            for row in left
        }
        sizes = Counter(labels.values())
        values: dict[tuple[str, ...], set[str]] = {}
        for row, key in labels.items():
            values.setdefault(key, set()).add(diagnosis.text(row))
        for row, key in labels.items():
            if sizes[key] >= each.suppress_below and len(values[key]) >= 2:
                outcome[row] = number, key
    return outcome


def test_figures_are_those_of_the_records(case):
    project, classes = case
    measured = measure_project(project, classes, None)
    outcome = slow_outcome(classes.table, measured.chosen_policy)
    sizes = Counter(each[1] for each in outcome if each)
    assert sorted(measured.sizes_after.tolist()) == sorted(sizes.values())
    assert measured.n_suppressed == outcome.count(None)
    assert measured.n_later == sum(1 for each in outcome if each and each[0])
    assert measured.after.prosecutor.highest == 1 / min(sizes.values())
    assert measured.after.prosecutor.average == len(sizes) / sizes.total()
    assert [verdict.satisfied for verdict in measured.verdicts] == [True, True]
    assert f"{measured.n_later} of 400 records" in measured.words
    assert "released less precisely" in measured.words


@pytest.mark.parametrize(
    ("choice", "words"), [("stars", "*"), ("left_out", "(left out)")]
)
def test_the_preview_shows_suppressed_records_as_they_are_written(case, choice, words):
    project, classes = case
    policy, _ = policy_of(project, classes, None)
    project = project.but(export=project.export.but(suppressed=choice))
    shown = preview(project, classes, policy, "first")
    outcome = slow_outcome(classes.table, policy)
    assert shown.suppressed.tolist() == [each is None for each in outcome]
    assert 0 < shown.n_suppressed < len(outcome)
    assert shown.leaves_out == (choice == "left_out")
    for column in shown.after.columns:
        for row, is_gone in enumerate(shown.suppressed.tolist()):
            assert not is_gone or column.text(row) == words
            assert is_gone or column.text(row) != "(left out)"


def test_preview_and_comparison_show_every_record(case):
    project, classes = case
    policy, _ = policy_of(project, classes, None)
    outcome = slow_outcome(classes.table, policy)
    shown = preview(project, classes, policy, "first")
    for row, each in enumerate(outcome):
        for place, name in enumerate(QUASI_IDENTIFIERS):
            text = shown.after.column(name).text(row)
            assert text == ("*" if each is None else each[1][place])
    found = compare(project, classes, policy)
    bars = found.distribution("sex")
    expected = Counter(each[1][1] for each in outcome if each)
    spread = {label: expected[label] + expected["*"] / 3 for label in ("F", "M", "X")}
    after = dict(zip(bars.categories, bars.series[1].values.tolist(), strict=True))
    assert {k: v for k, v in spread.items() if v} == pytest.approx(
        {k: v for k, v in after.items() if v}
    )
    sizes = Counter(each[1] for each in outcome if each)
    listed = riskiest_classes(classes, policy)
    assert listed.n_classes == len(sizes)


@pytest.fixture(scope="module")
def written(case, tmp_path_factory):
    project, classes = case
    folder = tmp_path_factory.mktemp("local")
    return make_release(project, classes, folder)


def make_release(project, classes, folder: Path):
    source = folder / "patients.csv"
    source.write_bytes(b"stands for the file\n")
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    loaded = Loaded(source, classes.table, digest, None)
    project = answered(project, loaded, classes=classes)
    return release(project, loaded, folder / "out", {}, classes=classes)


def test_release_is_written_and_verifies(case, written):
    _, classes = case
    assert written.written.verification.failed == ()
    evidence = json.loads((written.folder / "evidence.json").read_bytes())
    outcome = slow_outcome(classes.table, written.measured.chosen_policy)
    rounds = Counter(each[0] for each in outcome if each)
    stated = evidence["policy"]
    assert stated["kind"] == "local_recoding"
    assert [each["records"] for each in stated["rounds"]] == [
        rounds[number] for number in range(len(stated["rounds"]))
    ]
    assert stated["levels"] == {}
    path = written.folder / evidence["outputs"][0]["path"]
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    at = [header.index(name) for name in QUASI_IDENTIFIERS]
    released = Counter(
        tuple(row[place] for place in at) for row in rows if set(row) != {"*"}
    )
    assert released == Counter(each[1] for each in outcome if each)
    with (written.folder / "mapping" / "age.csv").open(newline="") as file:
        first, *mapped = csv.reader(file)
    assert first == ["round", "value", "label", "values"]
    assert {row[0] for row in mapped} == {"1", "2", "3"}
    text = report_html(written.written.evidence).decode()
    assert "local recoding" in text
    assert "Records that one round suppresses are passed on" in text
    assert any("Local recoding" in each for each in evidence["warnings"])


def edit(folder, change):
    path = folder / "evidence.json"
    fields = json.loads(path.read_bytes())
    change(fields)
    path.write_bytes(canonical_json(fields))


@pytest.mark.parametrize(
    "change",
    [
        lambda rounds: rounds[1].update(records=rounds[1]["records"] + 1),
        lambda rounds: rounds[0].update(withhold_below=2),
        lambda rounds: rounds.pop(),
        lambda rounds: rounds[0]["levels"].update(age=9),
    ],
)
def test_other_rounds_than_those_of_the_policy_are_found(written, tmp_path, change):
    folder = shutil.copytree(written.folder, tmp_path / "copy")
    edit(folder, lambda fields: change(fields["policy"]["rounds"]))
    failed = {check.code for check in verify_release(folder).failed}
    assert "policy_agrees" in failed


def labels_changed(rows):
    """Mapping rows with one label of one round changed: to a new one, to another."""
    for at, row in list(enumerate(rows))[:: max(1, len(rows) // 12)]:
        others = {each[2] for each in rows if each[2] not in ("", row[2])}
        for label in (f"{row[2]}7", min(others)):
            yield [*rows[:at], [row[0], row[1], label, row[3]], *rows[at + 1 :]]


@pytest.mark.parametrize("name", QUASI_IDENTIFIERS)
def test_no_label_of_a_round_can_be_changed(written, tmp_path, name):
    """Also with every hash put right: rows and other rounds tell what it must be."""
    folder = shutil.copytree(written.folder, tmp_path / "copy")
    path = folder / "mapping" / f"{name}.csv"
    header, *rows = csv.reader(io.StringIO(path.read_text("utf-8"), newline=""))
    n_tried = 0
    for changed in labels_changed(rows):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([header, *changed])
        path.write_bytes(text.getvalue().encode())

        def vouch(fields):
            (stated,) = [e for e in fields["files"] if e["path"].endswith(path.name)]
            stated["bytes"] = path.stat().st_size
            stated["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()

        edit(folder, vouch)
        try:
            failed = {each.code for each in verify_release(folder).failed}
        except InputError:
            failed = {"refused"}
        assert failed, changed
        n_tried += 1
    assert n_tried > 5


def test_rows_that_no_round_can_have_released_are_found(written, tmp_path):
    """One round more, one fewer: the rows decide, whatever the policy says."""
    folder = shutil.copytree(written.folder, tmp_path / "copy")

    def move(fields):
        rounds = fields["policy"]["rounds"]
        rounds[0]["records"] -= 1
        rounds[2]["records"] += 1
        policy = json.loads((folder / "policy.json").read_bytes())
        policy["rounds"] = rounds
        content = canonical_json(policy)
        (folder / "policy.json").write_bytes(content)
        stated = fields["files"][0]
        stated["bytes"] = len(content)
        stated["sha256"] = hashlib.sha256(content).hexdigest()

    edit(folder, move)
    assert "mapping_rounds" in {each.code for each in verify_release(folder).failed}


def test_what_the_search_finds_can_be_stored_and_measured(case):
    project, classes = case
    project = project.but(chosen=None)
    found = search_rounds(project, classes)
    assert found is not None
    chosen = found.choice("less is lost")
    measured = measure_project(project.but(chosen=chosen), classes, None)
    assert measured.meets_thresholds
    assert measured.words == found.words
    assert measured.quality[0].value == pytest.approx(found.result.loss)
    single = found.result.single_loss
    assert single is None or single >= found.result.loss


def test_a_round_on_a_forbidden_level_is_refused(case):
    project, classes = case
    broken = ROUNDS.but(
        later=(ChosenRound(levels={"age": 9, "sex": 0, "zip": 0}, suppress_below=3),)
    )
    with pytest.raises(ConfigError) as caught:
        measure_project(project.but(chosen=broken), classes, None)
    assert caught.value.code == "level_out_of_range"


def test_local_recoding_without_a_person(case, tmp_path):
    """A project may ask for rounds without a chosen policy."""
    project, classes = case
    privacy = Privacy(models=project.privacy.models[:1], suppression_limit=0.0)
    search = project.search.but(local_recoding=True)
    project = project.but(privacy=privacy, chosen=None, search=search)
    done = make_release(project, classes, tmp_path)
    assert done.written.verification.ok
    assert done.measured.n_suppressed == 0
    assert done.measured.chosen_policy.kind == "local_recoding"
    assert int(np.min(done.measured.sizes_after)) >= 3


def test_a_counted_population_gives_counts(case):
    """Everybody of the table twice: the journalist is half as sure."""
    project, classes = case
    table = classes.class_table
    register = Register(table.leaves, 2 * table.counts)
    known = replace(table, population=register)
    project = project.but(chosen=None)
    with_population = replace(classes, class_table=known)
    measured = measure_project(project.but(chosen=ROUNDS), with_population, None)
    assert measured.before.population == measured.after.population == "counted"
    assert measured.after.journalist.highest == measured.after.prosecutor.highest / 2
    assert measured.after.marketer == measured.after.prosecutor.average / 2
    assert measured.before.uniques > 0
    assert measured.before.journalist.highest == 0.5
