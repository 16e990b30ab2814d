"""Who is singled out by a release, counted again from its files by plain code."""

from __future__ import annotations

import csv
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.changes import fingerprint
from deidgui.app.decides import Decides
from deidgui.app.measuring import criteria
from deidgui.app.measuring.criteria_words import (
    alone_rows,
    alone_words,
    halves_words,
    missing_words,
)
from deidgui.app.project import Project
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import FinishedRelease, release
from deidgui.app.release.verifying import verify
from deidgui.app.report.contents import report_of
from deidgui.engine.evidence import verify_criteria
from deidgui.engine.evidence.document import (
    Criteria,
    Distinguishability,
    Halves,
    canonical_json,
)
from deidgui.engine.privacy import KAnonymity
from deidgui.text import share_text
from tests.answers import answered
from tests.app.test_people_release import decided
from tests.events_case import write_events

QUASI = ("sex", "birth_year", "region")
ROLES = {
    **dict.fromkeys(QUASI, "quasi_identifier"),
    "diagnosis": "sensitive",
    "cost": "sensitive",
    "ward": "insensitive",
    "mrn": "direct_identifier",
}


ON_SETS = {
    "sets": 1,
    "mean": 0.0,
    "anywhere": 0.0,
    "worst": ["sex"],
    "worst_share": 0.0,
}

GUESSED = dict.fromkeys(("rate", "baseline", "without_own", "uniform"), 0.5)


def write_patients(path: Path, n: int = 700, seed: int = 5) -> Path:
    """Patients made up by a seed, each a row; some have no diagnosis."""
    rng = random.Random(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["mrn", *QUASI, "diagnosis", "cost", "ward"])
        for number in range(n):
            region = rng.choice("NSEW")
            diagnosis = rng.choice(["I21", "J18", "E11", "", "NA", region])
            cost = f"{rng.uniform(100, 90_000):.2f}"
            row = (rng.choice("FM"), rng.randint(1930, 2005), region, diagnosis, cost)
            writer.writerow([f"M{number:06d}", *row, rng.choice(["a", "b"])])
    return path


def of_patients(folder: Path, *, suppressed: str = "stars") -> FinishedRelease:
    loaded = read_input(write_patients(folder / "patients.csv", 1500))
    project = decided_on(propose_project(loaded), suppressed)
    return release(answered(project, loaded), loaded, folder / "out", {})


def decided_on(project: Project, suppressed: str = "stars") -> Project:
    """Decide on all that a release of these patients needs."""
    for each in (
        *(ops.set_role(name, role) for name, role in ROLES.items()),
        ops.change_attribute("mrn", treatment="pseudonym"),
        ops.change_attribute("diagnosis", missing=("", "NA")),
        ops.change_privacy(models=(KAnonymity(k=3),), suppression_limit=0.1),
        ops.change_threshold(recipient="researcher", at_risk=0.34, set_by="test"),
        ops.change_export(suppressed=suppressed, shuffle_seed=3),
    ):
        project = each(project)
    for name in QUASI:
        if project.attribute(name).hierarchy is None:
            project = ops.set_hierarchy(name, {"kind": "flat"})(project)
    return project


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if set(row.values()) != {"*"}]


def share_alone(rows: Sequence[dict[str, str]], names: Sequence[str]) -> set[int]:
    shown = [tuple(row[name] for name in names) for row in rows]
    times = Counter(shown)
    return {number for number, each in enumerate(shown) if times[each] == 1}


def criteria_of(done: FinishedRelease) -> Criteria:
    found = done.written.evidence.criteria
    assert found is not None
    return found


@pytest.fixture(scope="module", params=["stars", "left_out"])
def done(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> FinishedRelease:
    folder = tmp_path_factory.mktemp(request.param)
    return of_patients(folder, suppressed=request.param)


def test_shares_of_people_who_are_alone(done: FinishedRelease) -> None:
    rows, found = rows_of(done.folder, "patients_released.csv"), criteria_of(done)
    n = len(rows)
    assert 0 < n <= 1500
    for each in found.sets:
        sets = list(combinations(QUASI, each.size))
        alone = [share_alone(rows, names) for names in sets]
        shares = [len(those) / n for those in alone]
        assert each.sets == len(sets)
        assert each.mean == pytest.approx(sum(shares) / len(sets))
        assert each.worst_share == pytest.approx(max(shares))
        assert shares[sets.index(each.worst)] == pytest.approx(max(shares))
        assert each.anywhere == pytest.approx(len(set().union(*alone)) / n)
    assert [each.size for each in found.sets] == [1, 2, 3]
    assert found.alone == 0
    # O-H13: who knows one thing more that one of f people has is left with one of them.
    classes = Counter(tuple(row[name] for name in QUASI) for row in rows).values()
    chances = [(1 - 1 / f) ** (f - 1) for f in classes for _ in range(f)]
    assert found.by_chance == pytest.approx(sum(chances) / n)
    assert 1 / math.e < found.by_chance < 0.5
    shown = {row[0]: row for row in alone_rows(found, 0.25)}
    # A share stands under the head of shares, not under that of sets.
    assert shown["All quasi-identifiers, before the release"][1:] == (
        share_text(0.25),
        "",
        "",
    )
    and_a_fact = "All quasi-identifiers and one more fact"
    assert shown[and_a_fact][1] == share_text(found.by_chance)
    assert and_a_fact in str(report_of(done.written.evidence))
    known = [name for name in rows[0] if name != "mrn"]
    # Costs tell nearly everybody apart; pseudonyms are known of nobody.
    assert found.alone_on_all == pytest.approx(len(share_alone(rows, known)) / n)
    assert found.alone_on_all > 0.5
    (plain,) = (
        each
        for each in report_of(done.written.evidence).sections
        if each.title == "In plain words"
    )
    words = f"{share_text(found.alone_on_all)} of the released records are alone"
    assert repr(words)[1:-1] in str(plain)
    assert share_alone(rows, ["mrn"]) == set(range(n))


@pytest.mark.parametrize(("place", "name"), [(0, "diagnosis"), (1, "cost")])
def test_shares_of_right_guesses(done: FinishedRelease, place: int, name: str) -> None:
    rows, found = rows_of(done.folder, "patients_released.csv"), criteria_of(done)
    values = ["" if row[name] == "NA" else row[name] for row in rows]
    classes: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        classes[tuple(row[name] for name in QUASI)].append(number)
    right = others = uniform = missing = 0.0
    for members in classes.values():
        had = Counter(values[each] for each in members)
        right += max(had.values())
        uniform += len(members) if len(had) == 1 else 0
        missing += len(members) if had.keys() == {""} else 0
        for each in members:
            rest = had - Counter([values[each]])
            best = [v for v, count in rest.items() if count == max(rest.values())]
            others += (values[each] in best) / len(best)
    guessed, n = found.guessed[place], len(rows)
    assert guessed.attribute == name
    assert guessed.rate == pytest.approx(right / n)
    assert guessed.without_own == pytest.approx(others / n)
    assert guessed.uniform == pytest.approx(uniform / n)
    assert guessed.missing == pytest.approx(missing / n)
    assert guessed.baseline == pytest.approx(max(Counter(values).values()) / n)
    # So many values are no reason not to measure them; of the population nothing is
    # known.
    assert len(set(values)) > (1_000 if name == "cost" else 1)
    assert found.not_measured == {"membership": "no_population"}


def test_halves_of_the_quasi_identifiers_find_each_other(done: FinishedRelease) -> None:
    rows, halves = (
        rows_of(done.folder, "patients_released.csv"),
        criteria_of(done).halves,
    )
    assert halves is not None
    n, rates = len(rows), {}
    for first in QUASI:
        second = tuple(name for name in QUASI if name != first)
        one = Counter(row[first] for row in rows)
        two = Counter(tuple(row[name] for name in second) for row in rows)
        both = Counter(tuple(row[name] for name in QUASI) for row in rows)
        # A person drawn among those like the one half, and one among the other.
        rates[(first,), second] = sum(
            both[tuple(row[name] for name in QUASI)]
            / one[row[first]]
            / two[tuple(row[name] for name in second)]
            for row in rows
        ) / n  # fmt: skip
    assert halves.rate == pytest.approx(max(rates.values()))
    assert rates[halves.first, halves.second] == pytest.approx(halves.rate)
    assert (halves.looked, halves.splits) == (3, 3)
    assert halves.baseline == pytest.approx(1 / n)
    assert halves.rate > halves.baseline
    words = halves_words(criteria_of(done))
    assert "Looked at: 3 of 3 splits" in words
    assert "nother can be worse" not in words
    report = str(report_of(done.written.evidence))
    assert "Looked at: 3 of 3 splits of the quasi-identifiers" in report
    assert "Whoever joins two lists about the same people" in report


def test_removed_columns_are_no_part_of_what_the_lists_have() -> None:
    found = Criteria(
        columns=tuple(
            Distinguishability(attribute=name, alone=0.0, separation=apart)
            for name, apart in {
                "age": 0.5,
                "sex": 0.4,
                "beds": 0.0,
                "town": 0.0,
            }.items()
        ),
        halves=Halves(
            first=("age", "beds"),
            second=("sex", "town"),
            looked=3,
            splits=3,
            settled=True,
            rate=0.02,
            most=0.04,
            baseline=0.01,
        ),
    )
    lists, rest = halves_words(found).split(" Whoever ", 1)
    assert "age" in lists
    assert "sex" in lists
    assert "beds" not in lists
    assert "town" not in lists
    assert "beds, town" in rest


def test_few_splits_are_said_to_be_the_least_that_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (criteria, verify_criteria):
        monkeypatch.setattr(module, "MOST_SPLITS", 2)
    done = of_patients(tmp_path)
    found = criteria_of(done)
    halves = found.halves
    assert halves is not None
    assert (halves.looked, halves.splits, halves.settled) == (2, 3, False)
    rows = rows_of(done.folder, "patients_released.csv")
    classes = {tuple(row[name] for name in QUASI) for row in rows}
    assert halves.most == pytest.approx(len(classes) / len(rows))
    at_most = f"at least {share_text(halves.rate)}, and at most "
    assert at_most + share_text(halves.most) in halves_words(found)
    report = str(report_of(done.written.evidence))
    assert "With other columns in each list it can be more" in report
    assert verify(done.folder).ok
    # What a split that was left out tells is noticed by who looks at other ones.
    monkeypatch.setattr(verify_criteria, "MOST_SPLITS", 5000)
    failed = {each.code for each in verify(done.folder).failed}
    assert "halves_looked" in failed


def test_verify_notices_that_another_split_is_worse(done: FinishedRelease) -> None:
    rows = rows_of(done.folder, "patients_released.csv")
    both = Counter(tuple(row[name] for name in QUASI) for row in rows)

    def rate(name: str) -> float:
        rest = [other for other in QUASI if other != name]
        one = Counter(row[name] for row in rows)
        two = Counter(tuple(row[other] for other in rest) for row in rows)
        right = (
            both[tuple(row[e] for e in QUASI)]
            / (one[row[name]] * two[tuple(row[e] for e in rest)])
            for row in rows
        )
        return sum(right) / len(rows)

    mildest = min(QUASI, key=rate)
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    evidence["criteria"]["halves"] |= {
        "first": [mildest],
        "second": [name for name in QUASI if name != mildest],
        "rate": rate(mildest),
    }
    path.write_bytes(canonical_json(evidence))
    try:
        failed = {each.code for each in verify(done.folder).failed}
    finally:
        path.write_bytes(before)
    assert failed & {"halves_worst", "halves_rate", "halves_split"} == {"halves_worst"}


def test_risk_if_one_more_column_is_known(done: FinishedRelease) -> None:
    rows, found = rows_of(done.folder, "patients_released.csv"), criteria_of(done)
    assert [each.attribute for each in found.one_more] == ["diagnosis", "cost", "ward"]
    for each in found.one_more:
        sizes = Counter(tuple(row[n] for n in (*QUASI, each.attribute)) for row in rows)
        assert each.average == pytest.approx(len(sizes) / len(rows))
        assert each.highest == pytest.approx(1 / min(sizes.values()))


def test_verify_measures_it_and_the_report_says_it(done: FinishedRelease) -> None:
    checked = verify(done.folder)
    codes = {each.code for each in checked.checks if each.ok}
    assert checked.ok
    assert {"alone", "alone_on_all", "alone_worst", "guessed_by_others"} <= codes
    assert {"halves_rate", "halves_split", "halves_baseline"} <= codes
    titles = [each.title for each in report_of(done.written.evidence).sections]
    assert "Singling out, linkability, inference and membership" in titles


@pytest.mark.parametrize(
    "change",
    [
        {"alone": 0.25},
        {"alone_on_all": 0.0},
        {"alone_on_all": None},
        {"guessed": []},
        {"sets": []},
        {"not_measured": {}},
        {"by_chance": 0.1},
        {"halves": None},
        {"sets": [{**ON_SETS, "size": 9}]},
        {"guessed": [{**GUESSED, "attribute": "cost centre"}]},
        {"one_more": []},
        {"one_more": [{"attribute": "ward", "average": 0.9, "highest": 1.0}]},
    ],
)
def test_verify_notices_other_figures(
    done: FinishedRelease, change: dict[str, object]
) -> None:
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    evidence["criteria"] |= change
    path.write_bytes(canonical_json(evidence))
    try:
        failed = {each.code for each in verify(done.folder).failed}
    finally:
        path.write_bytes(before)
    codes = {"alone", "alone_by_chance", "alone_on_all", "criteria_complete"}
    assert failed & codes


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rate": 0.9}, "halves_rate"),
        ({"baseline": 0.5}, "halves_baseline"),
        ({"splits": 4}, "halves_splits"),
        ({"looked": 2}, "halves_looked"),
        ({"looked": 4}, "halves_looked"),
        ({"most": 0.5}, "halves_most"),
        ({"first": ["sex", "region"]}, "halves_split"),
        ({"first": ["no column"]}, "halves_split"),
        ({"second": []}, "halves_split"),
    ],
)
def test_verify_notices_another_split(
    done: FinishedRelease, change: dict[str, object], code: str
) -> None:
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    evidence["criteria"]["halves"] |= change
    path.write_bytes(canonical_json(evidence))
    try:
        failed = {each.code for each in verify(done.folder).failed}
    finally:
        path.write_bytes(before)
    assert code in failed


def test_people_are_counted_where_rows_belong_to_them(tmp_path: Path) -> None:
    project, loaded = decided(write_events(tmp_path / "events.csv"), KAnonymity(k=5))
    done = release(answered(project, loaded), loaded, tmp_path / "out", {})
    found, rows = criteria_of(done), rows_of(done.folder, "events_released.csv")
    known = [name for name in rows[0] if name not in ("subject_id", "hadm_id")]
    owners: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for row in rows:
        owners[tuple(row[name] for name in known)].add(row["subject_id"])
    alone = set().union(*(each for each in owners.values() if len(each) == 1), set())
    n_people = len({row["subject_id"] for row in rows})
    assert found.alone_on_all == pytest.approx(len(alone) / n_people)
    # Quasi-identifiers differ between the rows of a person: it is said, not left out.
    assert found.alone is None
    assert found.sets == found.guessed == ()
    assert found.not_measured.keys() == {
        "alone",
        "sets",
        "guessed",
        "halves",
        "one_more",
        "membership",
    }
    assert verify(done.folder).ok


def test_what_is_not_measured_is_said_whatever_a_column_is_called() -> None:
    found = Criteria(
        not_measured={"guessed:all": "many_values", "membership": "no_population"}
    )
    guessed, in_data = missing_words(found)
    assert guessed.startswith("What can be guessed of “all”: not measured")
    assert in_data.startswith("Who can be seen to be in the data: not measured")


def test_one_reason_for_all_that_is_not_measured_is_said_once() -> None:
    names = ("alone", "sets", "guessed", "halves", "one_more")
    found = Criteria(alone_on_all=1.0, not_measured=dict.fromkeys(names, "rows_vary"))
    (text,) = missing_words(found)
    first, *lines = text.split("\n")
    assert first == "Not measured, because the rows of a person differ:"
    assert len(lines) == 4
    assert lines[:2] == [
        "• Who is alone on sets of quasi-identifiers",
        "• What can be guessed",
    ]
    # Who is alone on all of them is a figure of risk, which is told beside the others.
    shown = {row[0]: row[1] for row in alone_rows(found, 0.25, 0.125)}
    assert shown["All quasi-identifiers"] == share_text(0.125)
    assert shown["All quasi-identifiers, before the release"] == share_text(0.25)
    assert "the rows of a person count together" in alone_words(found)
    # Nor is a column explained that has nothing.
    assert "On some set" not in alone_words(found)
    assert "because the rows of a person differ" in alone_words(found)


def test_more_values_than_can_be_counted_again_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(criteria, "MOST_VALUES", 1_000)
    done = of_patients(tmp_path)
    found = criteria_of(done)
    assert [each.attribute for each in found.guessed] == ["diagnosis"]
    assert found.not_measured["guessed:cost"] == "many_values"
    assert verify(done.folder).ok


def test_columns_that_are_not_measured_for_one_reason_are_one_line() -> None:
    names = ("a", "b", "c")
    reasons = {f"guessed:{name}": "rows_vary" for name in names}
    other = {"guessed:d": "many_values"}
    one, two = missing_words(Criteria(not_measured=reasons | other))
    assert all(f"“{name}”" in one for name in names)
    assert "“d”" not in one
    assert "“d”" in two
    # Of many values it is known only that they are many.
    assert "rare" not in two


def test_other_columns_change_it_but_not_the_risk(tmp_path: Path) -> None:
    loaded = read_input(write_patients(tmp_path / "patients.csv", 60))
    project = propose_project(loaded)
    for name, role in ROLES.items():
        project = ops.set_role(name, role)(project)
    other = ops.set_role("ward", "sensitive")(project)
    both = [fingerprint(each, Decides.CRITERIA) for each in (project, other)]
    assert both[0] != both[1]
    risk = [fingerprint(each, Decides.MEASUREMENT) for each in (project, other)]
    assert risk[0] == risk[1]
