"""Releases of tables with several rows per person, counted again from their files."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.changes import fingerprint
from deidgui.app.classes import build_classes
from deidgui.app.decides import Decides
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.comparing import compare, riskiest_classes
from deidgui.app.measuring.measuring import measure_project, quality_figures
from deidgui.app.policies.lattice.searching import search
from deidgui.app.project import Project
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.previewing import preview
from deidgui.app.release.releasing import prepare, release
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.evidence.verify import verify_release
from deidgui.engine.policy.released import released_classes, released_rows
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    DistinctLDiversity,
    KAnonymity,
    PrivacyModel,
)
from deidgui.errors import ConfigError, InfeasibleError, ProblemsError
from deidgui.text import per_cent, share_text
from tests.answers import answered, confirmed
from tests.events_case import write_events

ROLES = {
    "hadm_id": "direct_identifier",
    "sex": "quasi_identifier",
    "birth_year": "quasi_identifier",
    "region": "quasi_identifier",
    "admission_year": "quasi_identifier",
    "ward": "quasi_identifier",
    "diagnosis": "sensitive",
}


def decided(
    path: Path, *models: PrivacyModel, limit: float = 0.05, **roles: str
) -> tuple[Project, Loaded]:
    loaded = read_input(path)
    project = propose_project(loaded)
    decisions = [
        *(ops.set_role(name, role) for name, role in {**ROLES, **roles}.items()),
        ops.set_protection("subject_id"),
        ops.set_role("subject_id", "direct_identifier", "pseudonym"),
        ops.change_privacy(models=models, suppression_limit=limit),
        ops.change_threshold(recipient="researcher", at_risk=0.2, set_by="test"),
        ops.change_export(suppressed="stars", shuffle_seed=3),
    ]
    for each in decisions:
        project = each(project)
    for name in project.quasi_identifiers:
        if name.hierarchy is None:
            rule = {"kind": "flat"}
            project = ops.set_hierarchy(name.name, rule)(project)
    return project, loaded


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "events_released.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def people_in(rows: list[dict[str, str]], names: list[str]) -> list[set[str]]:
    """People of the release by all that their rows show: plain sets."""
    shown: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for row in rows:
        if row["subject_id"] != "*":
            shown[row["subject_id"]].add(tuple(row[name] for name in names))
    alike: dict[frozenset[tuple[str, ...]], set[str]] = defaultdict(set)
    for person, combinations in shown.items():
        alike[frozenset(combinations)].add(person)
    return list(alike.values())


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return write_events(tmp_path / "events.csv")


QUASI = ["sex", "birth_year", "region", "admission_year", "ward"]


def test_one_person_in_two_spellings_is_asked_about(
    events: Path, tmp_path: Path
) -> None:
    """Forty of 400 patients stand under two numbers: 440 people would be counted."""
    lines = events.read_text("utf-8").splitlines()
    seen: set[str] = set()
    for place, line in enumerate(lines):
        person = line.split(",")[0]
        if person in seen and person.endswith("5"):
            lines[place] = line.lower()
        seen.add(person)
    lower = {line.split(",")[0] for line in lines if line.startswith("p0")}
    assert 20 < len(lower) <= 40
    events.write_text("\n".join(lines) + "\n", encoding="utf-8")
    project, loaded = decided(events, KAnonymity(k=2))
    with pytest.raises(ProblemsError) as refused:
        release(confirmed(project), loaded, tmp_path / "out", {})
    (asked,) = (
        each
        for each in refused.value.problems
        if each.params.get("question") == "subject_id:spelling"
    )
    words = str(asked.params["words"])
    assert f"the {400 + len(lower)} values" in words
    assert "people are 400." in words
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    assert verify_release(tmp_path / "out").ok
    # Left out, it still says who is a person.
    away = ops.set_role("subject_id", "direct_identifier", "remove")(project)
    release(answered(away, loaded), loaded, tmp_path / "away", {})
    assert verify_release(tmp_path / "away").ok
    evidence = json.loads((tmp_path / "away" / "evidence.json").read_text("utf-8"))
    told = [e for e in evidence["questions"] if e["kind"] == "spelling"]
    assert [each["column"] for each in told] == ["column 1", "diagnosis"]
    assert "subject" not in told[0]["words"]


@pytest.mark.parametrize("k", [2, 5, 11])
def test_every_class_has_k_people_whatever_an_adversary_knows_of_rows(
    events: Path, tmp_path: Path, k: int
) -> None:
    project, loaded = decided(events, KAnonymity(k=k))
    finished = release(answered(project, loaded), loaded, tmp_path / "out", {})
    rows = rows_of(tmp_path / "out")
    classes = people_in(rows, QUASI)
    assert min(map(len, classes)) >= k
    # One row known: whoever has it hides among k people, not among k rows.
    of_row: dict[tuple[str, ...], set[str]] = defaultdict(set)
    times: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for row in rows:
        if row["subject_id"] != "*":
            of_row[tuple(row[name] for name in QUASI)].add(row["subject_id"])
            times[row["subject_id"]][tuple(row[name] for name in QUASI)] += 1
    assert min(map(len, of_row.values())) >= k
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    unit = evidence["unit"]
    assert unit["kind"] == "key"
    assert unit["people"] == 400
    released = {row["subject_id"] for row in rows} - {"*"}
    assert unit["suppressed_people"] == 400 - len(released)
    assert evidence["records"] == len(rows) == loaded.table.n_rows
    assert evidence["suppressed_records"] == sum(r["subject_id"] == "*" for r in rows)
    assert evidence["risk"]["records"] == len(released)
    assert evidence["risk"]["prosecutor"]["highest"] == pytest.approx(
        1 / min(map(len, classes))
    )
    assert evidence["risk"]["prosecutor"]["average"] == pytest.approx(
        len(classes) / len(released)
    )
    known = {each["known"]: each["highest"] for each in unit["rows_known"]}
    assert known["one"] <= known["two"] <= known["all"] <= known["all_and_number"]
    assert known["one"] == pytest.approx(1 / min(map(len, of_row.values())))
    # Not only how many rows there are: how many of them show the same.
    by_number = unit["rows_known"][-1]
    often = Counter(frozenset(each.items()) for each in times.values())
    assert by_number["average"] == pytest.approx(len(often) / len(released))
    assert by_number["highest"] == pytest.approx(1 / min(often.values()))
    assert finished.measured.n_suppressed <= 0.05 * 400


def test_nobody_said_who_is_protected(events: Path, tmp_path: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    with pytest.raises(ConfigError) as caught:
        release(project.but(unit=None), loaded, tmp_path / "out", {})
    assert caught.value.code == "protection_undecided"


def test_who_stands_out_by_the_number_of_rows_is_asked_about(events: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    prepared = prepare(project, loaded, {})
    asked = {each.kind: each for each in prepared.questions}
    assert asked["rows"].column == "subject_id"
    unit = prepared.measured.unit
    assert unit is not None
    by_number = unit.rows_known[-1]
    assert asked["rows"].params["n_records"] == by_number.n_at_risk
    # Who are together in no row of the release cannot be counted in it.
    removed = ops.set_role("subject_id", "direct_identifier", "remove")(project)
    kinds = {each.kind for each in prepare(removed, loaded, {}).questions}
    assert "rows" not in kinds


def test_a_value_that_a_whole_class_has_is_asked_about(
    events: Path, tmp_path: Path
) -> None:
    """In people: everybody of a class has the value in some row."""
    project, loaded = decided(events, KAnonymity(k=5))
    prepared = prepare(project, loaded, {})
    asked = {each.kind: each for each in prepared.questions}
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    rows, told = rows_of(tmp_path / "out"), 0
    had: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        had[row["subject_id"]].add(row["diagnosis"])
    for people in people_in(rows, QUASI):
        if set.intersection(*(had[each] for each in people)):
            told += len(people)
    found = asked.get("disclosed")
    assert (found.params["n_records"] if found else 0) == told
    assert found is None or "released people" in found.words


def test_all_rows_of_a_person_go_or_stay(events: Path, tmp_path: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    rows = rows_of(tmp_path / "out")
    before = Counter(loaded.table.column("subject_id").codes.tolist())
    after = Counter(r["subject_id"] for r in rows if r["subject_id"] != "*")
    # Pseudonyms are others, but how many rows each has tells whether one lacks some.
    sizes = Counter(before.values())
    sizes.subtract(Counter(after.values()))
    assert all(n >= 0 for n in sizes.values())
    gone = sum(size * n for size, n in sizes.items())
    assert gone == sum(r["subject_id"] == "*" for r in rows)


def test_the_release_is_verified_from_its_files(events: Path, tmp_path: Path) -> None:
    diverse = DistinctLDiversity(attribute="diagnosis", diversity=2)
    project, loaded = decided(events, KAnonymity(k=5), diverse, limit=0.1)
    out = tmp_path / "out"
    release(answered(project, loaded), loaded, out, {})
    found = verify_release(out)
    codes = {check.code for check in found.checks}
    assert found.ok
    assert {"people_key", "suppressed_people", "rows_known_highest"} <= codes
    assert {"model", "prosecutor_highest", "quality"} <= codes
    rows = rows_of(out)
    had: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        had[row["subject_id"]].add(row["diagnosis"])
    for people in people_in(rows, QUASI):
        assert not set.intersection(*(had[each] for each in people))


def test_the_report_says_of_whom_its_figures_are(events: Path, tmp_path: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    out = tmp_path / "out"
    release(answered(project, loaded), loaded, out, {})
    report = (out / "report.html").read_text("utf-8")
    evidence = json.loads((out / "evidence.json").read_text("utf-8"))
    assert "people released" in report
    assert "Rows belong to people, as was decided" in report
    assert "two rows that show different things" in report
    assert f"of {evidence['unit']['people']}" in report
    unit, gone, n = (
        evidence["unit"],
        evidence["suppressed_records"],
        evidence["records"],
    )
    assert 0 < unit["suppressed_people"] < gone
    people = f"Suppressed: {unit['suppressed_people']} of {unit['people']} people"
    said = re.search(f"{people} [^;]*; the limit is ([^.]*)[.] ([^<]*)", report)
    assert said is not None
    assert said[1] == f"{per_cent(0.05)} of the people"
    rows = f"{gone} of {n:,} rows ({share_text(gone / n)})"
    assert f"Suppressed rows: {rows}." in said[2]


def test_suppressed_people_are_said_with_their_rows_before_a_release(
    events: Path,
) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    classes = build_classes(project, loaded.table, {})
    measured = measure_project(project, classes, search(project, classes))
    gone = released_rows(
        classes.table,
        classes.class_table,
        measured.chosen_policy,
        released_classes(classes.class_table, measured.chosen_policy),
    )[1].n_suppressed
    assert measured.rows == (gone, loaded.table.n_rows)
    assert gone > measured.n_suppressed > 0
    of_people = f"{measured.n_suppressed} of {measured.n_records} people"
    assert of_people in measured.limit_words
    assert f"; the limit is {measured.limit_records} people." in measured.limit_words
    assert measured.rows_words in measured.limit_words
    assert f"{gone} of {loaded.table.n_rows:,} rows" in measured.rows_words
    assert "Counted by row" in measured.quality_words


def test_a_changed_row_is_noticed(events: Path, tmp_path: Path) -> None:
    """A row that is moved to another person changes the classes of people alone."""
    project, loaded = decided(events, KAnonymity(k=5))
    out = tmp_path / "out"
    release(answered(project, loaded), loaded, out, {})
    path, stated = out / "events_released.csv", out / "evidence.json"
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    released = [row for row in rows[1:] if row[0] != "*"]
    one = released[0]
    other = next(r for r in released if r[0] != one[0] and r[2:7] != one[2:7])
    one[0], other[0] = other[0], one[0]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\r\n").writerows(rows)
    _vouch_again(path, stated)
    failed = {check.code for check in verify_release(out).failed}
    assert "classes" in failed or "suppress_rule" in failed


def _vouch_again(path: Path, stated: Path) -> None:
    content = path.read_bytes()
    evidence: dict[str, Any] = json.loads(stated.read_text("utf-8"))
    evidence["outputs"][0]["sha256"] = hashlib.sha256(content).hexdigest()
    evidence["outputs"][0]["bytes"] = len(content)
    stated.write_text(json.dumps(evidence), "utf-8")


def test_without_the_key_people_cannot_be_counted_again(
    events: Path, tmp_path: Path
) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    project = ops.set_role("subject_id", "direct_identifier", "remove")(project)
    out = tmp_path / "out"
    release(answered(project, loaded), loaded, out, {})
    found = verify_release(out)
    assert found.ok
    assert found.reasons["risk"] == "people_not_released"
    evidence = json.loads((out / "evidence.json").read_text("utf-8"))
    assert any("cannot be counted in its files" in w for w in evidence["warnings"])


def test_attributes_that_do_not_vary_are_counted_by_person(
    events: Path, tmp_path: Path
) -> None:
    project, loaded = decided(
        events, KAnonymity(k=5), admission_year="insensitive", ward="insensitive"
    )
    out = tmp_path / "out"
    finished = release(answered(project, loaded), loaded, out, {})
    assert min(map(len, people_in(rows_of(out), QUASI[:3]))) >= 5
    assert finished.measured.n_records == 400
    assert verify_release(out).ok


def test_a_threshold_on_the_average_is_of_people(events: Path, tmp_path: Path) -> None:
    project, loaded = decided(events, AverageProsecutorRisk(threshold=0.1), limit=0.2)
    out = tmp_path / "out"
    release(answered(project, loaded), loaded, out, {})
    classes = people_in(rows_of(out), QUASI)
    assert len(classes) / sum(map(len, classes)) <= 0.1


def test_nothing_that_compares_with_a_rule_takes_sets_of_values(
    events: Path, tmp_path: Path
) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    project = ops.change_search(local_recoding=True)(project)
    with pytest.raises(ConfigError) as caught:
        release(project, loaded, tmp_path / "out", {})
    assert caught.value.code == "rows_vary"
    assert not (tmp_path / "out").exists()


def test_the_riskiest_classes_show_sets_of_values(events: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    classes = build_classes(project, loaded.table, {})
    before = riskiest_classes(classes, None)
    years = set(before.table.column("admission_year").texts())
    assert any("," in text for text in years)
    found = search(project, classes)
    assert found.optimum is not None
    after = riskiest_classes(classes, found.policy(found.optimum))
    alike = after.table.column("People alike")
    assert min(int(text) for text in alike.texts()) >= 5


def test_charts_count_rows_before_and_after(events: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    classes = build_classes(project, loaded.table, {})
    found = search(project, classes)
    assert found.optimum is not None
    comparison = compare(project, classes, found.policy(found.optimum))
    n_released = len(comparison.after[0].codes)
    removed = set(QUASI) - set(comparison.names)
    assert removed < set(QUASI)  # of these nothing is released
    for name in comparison.names:
        assert comparison.distribution(name)
    assert len(comparison.before[0].codes) == loaded.table.n_rows
    assert n_released <= loaded.table.n_rows


def test_levels_too_specific_for_people_are_refused(
    events: Path, tmp_path: Path
) -> None:
    """Rows would be alike, people are not: by what their rows tell together."""
    project, loaded = decided(events, KAnonymity(k=5))
    levels = dict.fromkeys(QUASI, 0) | {"birth_year": 3, "region": 1}
    chosen = ops.choose(levels, 5)(project)
    with pytest.raises(InfeasibleError) as caught:
        release(chosen, loaded, tmp_path / "out", {})
    assert caught.value.code == "chosen_violates"


@pytest.mark.parametrize("k", [2, 11])
def test_verifying_knows_a_value_that_all_people_of_a_class_have(
    events: Path, tmp_path: Path, k: int
) -> None:
    """Two values in a class protect nobody if one of them is everybody's."""
    project, loaded = decided(events, KAnonymity(k=k))
    out = tmp_path / "out"
    release(answered(project, loaded), loaded, out, {})
    rows = rows_of(out)
    had = defaultdict(set)
    for row in rows:
        had[row["subject_id"]].add(row["diagnosis"])
    classes = people_in(rows, QUASI)
    varied = [each for each in classes if len(set.union(*(had[p] for p in each))) > 1]
    shared = [each for each in varied if set.intersection(*(had[p] for p in each))]
    is_met = len(varied) == len(classes) and not shared
    assert bool(shared) == (k == 2)
    evidence = json.loads((out / "evidence.json").read_text("utf-8"))
    claimed = DistinctLDiversity(attribute="diagnosis", diversity=2)
    for states in (True, False):
        model = {**claimed.to_json(), "words": claimed.words(), "satisfied": states}
        changed = {**evidence, "models": [*evidence["models"], model]}
        (out / "evidence.json").write_text(json.dumps(changed), "utf-8")
        checks = [
            each
            for each in verify_release(out).checks
            if each.code == "model" and each.params["model"] == claimed.kind
        ]
        assert [each.ok for each in checks] == [states == is_met]


def test_the_preview_says_that_a_code_stands_for_the_key(events: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    prepared = prepare(project, loaded, {})
    policy = prepared.measured.chosen_policy
    shown = preview(project, prepared.classes, policy, "random")
    column = shown.after.column("subject_id")
    texts = [column.text(row) for row in range(column.n_rows)]
    assert set(texts) == {"(code)", "*"}
    assert [text == "*" for text in texts] == shown.suppressed.tolist()
    assert not set(texts) & set(shown.before.column("subject_id").texts())


def test_a_code_that_comes_back_is_a_new_measurement(events: Path) -> None:
    """Whether rows stay together decides what they tell, and whether all is green."""
    project, loaded = decided(events, KAnonymity(k=3))
    away = ops.set_role("subject_id", "direct_identifier", "remove")(project)
    left_out = ops.set_included("subject_id", False)(project)
    for other in (away, left_out):
        assert not other.releases_key
        assert prepare(other, loaded, {}).measured.unit.column is None
        for result in (Decides.MEASUREMENT, Decides.ATTACKS, Decides.QUESTIONS):
            assert fingerprint(other, result) != fingerprint(project, result)
        assert fingerprint(other, Decides.CLASSES) == fingerprint(
            project, Decides.CLASSES
        )
    assert prepare(project, loaded, {}).measured.unit.column == "subject_id"


def test_what_rows_tell_is_measured_again_from_the_files(
    events: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    project, loaded = decided(events, KAnonymity(k=3))
    release(answered(project, loaded), loaded, out, {})
    assert verify_release(out).ok
    true = (out / "evidence.json").read_text("utf-8")
    for place, known in enumerate(("one", "two", "all", "all_and_number")):
        for figure in ("highest", "average", "n_at_risk"):
            evidence = json.loads(true)
            stated = evidence["unit"]["rows_known"][place]
            assert stated["known"] == known
            stated[figure] = 399 if figure == "n_at_risk" else stated[figure] / 2
            (out / "evidence.json").write_bytes(canonical_json(evidence))
            failed = {
                (each.code, each.params.get("known"))
                for each in verify_release(out).checks
                if not each.ok
            }
            code = "at_risk" if figure == "n_at_risk" else figure
            assert failed == {(f"rows_known_{code}", known)}


def both_losses(path: Path, k: int) -> tuple[list[float], list[float]]:
    """Loss of every policy that meets k: by people, and by rows."""
    project, loaded = decided(path, KAnonymity(k=k))
    classes = build_classes(project, loaded.table, {})
    found = search(project, classes)
    by_person, by_row = [], []
    for node in np.flatnonzero(found.feasible).tolist():
        released = released_classes(classes.class_table, found.policy(node))
        rows = released_rows(
            classes.table, classes.class_table, found.policy(node), released
        )
        value = quality_figures(project, *rows)[0].value
        assert value is not None
        by_person.append(float(found.loss[node]))
        by_row.append(value)
    return by_person, by_row


def test_rows_are_counted_where_values_are_joined_at_no_level(events: Path) -> None:
    """A policy of a node, told as one of joined values, loses the same by row."""
    varying = dict.fromkeys(("admission_year", "ward"), "insensitive")
    project, loaded = decided(events, KAnonymity(k=5), **varying)
    classes = build_classes(project, loaded.table, {})
    found = search(project, classes)
    node = found.policy(int(np.flatnonzero(found.feasible)[-1]))
    joined = tuple(replace(each, level=None) for each in node.maps)
    by_attribute = []
    # All are joined, or all but the last one, which is at a level of its own.
    for maps in (node.maps, joined, (*joined[:-1], node.maps[-1])):
        kind = "lattice" if maps is node.maps else "interval"
        policy = replace(node, kind=kind, maps=maps)
        released = released_classes(classes.class_table, policy)
        rows = released_rows(classes.table, classes.class_table, policy, released)
        by_attribute.append(quality_figures(project, *rows)[0].by_attribute)
    assert max(by_attribute[0].values()) > 0
    assert by_attribute[1] == pytest.approx(by_attribute[0])
    assert by_attribute[2] == pytest.approx(by_attribute[0])


def test_the_best_policy_by_people_is_the_best_by_rows_in_the_case_of_the_help(
    events: Path,
) -> None:
    """What the help says about the two ways to count the loss."""
    by_person, by_row = both_losses(events, 5)
    assert len(by_row) == 90
    least = by_person.index(min(by_person))
    assert by_row[least] == pytest.approx(min(by_row))
    apart = max(abs(a - b) for a, b in zip(by_person, by_row, strict=True))
    assert 0.025 < apart < 0.026


def test_both_losses_are_the_same_where_everybody_has_as_many_rows(
    events: Path, tmp_path: Path
) -> None:
    with events.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    first = {row[0]: row for row in rows}
    twice = [
        [row[0], f"{n}{row[1]}", *row[2:]] for n in (1, 2) for row in first.values()
    ]
    path = tmp_path / "twice.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *twice])
    by_person, by_row = both_losses(path, 5)
    assert by_row == pytest.approx(by_person)


def test_evidence_says_how_quality_is_counted(events: Path, tmp_path: Path) -> None:
    project, loaded = decided(events, KAnonymity(k=5))
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    assert any("rows of the release" in each for each in evidence["assumptions"])
    assert verify_release(tmp_path / "out").ok


def test_suppressed_rows_of_one_person_are_told_by_no_label(
    events: Path, tmp_path: Path
) -> None:
    """Sixty rows of one person in a ward of their own: no number may tell of it."""
    with events.open("a", newline="", encoding="utf-8") as file:
        stays = [
            ["P9", 9000 + n, "F", 1888, "N", 2015, "surgery", "J18"] for n in range(60)
        ]
        csv.writer(file).writerows(stays)
    project, loaded = decided(events, KAnonymity(k=5))
    finished = release(answered(project, loaded), loaded, tmp_path / "out", {})
    evidence = finished.written.evidence
    assert evidence.suppressed_records >= 60
    for each in evidence.distributions.values():
        cells = [*each.labels, *([each.others] if each.others else [])]
        assert {cell.suppressed for cell in cells} == {None}
    assert verify_release(tmp_path / "out").ok
