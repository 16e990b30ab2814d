"""Guesses about people who were not released, by plain code over files."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.deciding.compared import with_comparison
from deidgui.app.measuring import held_out
from deidgui.app.measuring.criteria_words import held_out_rows, held_out_words
from deidgui.app.measuring.others import open_other, open_others, propose_comparison
from deidgui.app.project import SampleChoice
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import FinishedRelease, release
from deidgui.app.release.verifying import verify
from deidgui.engine.evidence.document import HeldOut, canonical_json
from deidgui.engine.risk.inference import Guesser, close_values
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR
from tests.answers import answered
from tests.app.test_compared import covers
from tests.app.test_criteria import QUASI, criteria_of, decided_on, rows_of

NAMES = (*QUASI, "diagnosis", "cost", "ward", "mrn")


def write(path: Path, n: int, seed: int) -> Path:
    """Patients whose region tells much of their diagnosis, and of their cost."""
    rng = random.Random(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        for number in range(n):
            region = rng.choice("NSEW")
            others = ["", "NA", "X"]
            diagnosis = f"D{region}" if rng.random() < 0.6 else rng.choice(others)
            cost = str("NSEW".index(region) * 100 + rng.randint(100, 108))
            year = rng.randint(1950, 1989)
            row = (rng.choice("FM"), year, region, diagnosis, cost)
            writer.writerow([*row, "a", f"M{seed}-{number:06d}"])
    return path


def made(
    folder: Path, *compare: str, sample: SampleChoice | None = None
) -> FinishedRelease:
    loaded = read_input(folder / "patients.csv")
    project = decided_on(propose_project(loaded), "left_out")
    project = project.but(sample=sample)
    for text in compare:
        day = "2026-11-23"
        op, _ = with_comparison(project, text, "N. N.", day, folder, NULL_MONITOR)
        project = op(project)
    others = open_others(project, folder, {})
    out = folder / f"out{len(list(folder.glob('out*')))}"
    return release(answered(project, loaded), loaded, out, {}, compared=others)


def held_of(done: FinishedRelease) -> HeldOut:
    found = criteria_of(done).held_out
    assert found is not None
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("held")
    write(found / "patients.csv", 1200, 1)
    write(found / "others.csv", 700, 2)
    write(found / "few.csv", 400, 3)
    return found


@pytest.fixture(scope="module")
def done(folder: Path) -> FinishedRelease:
    return made(folder, f"hold_out={folder / 'others.csv'}")


def expected(
    train: Sequence[Mapping[str, str]],
    people: Sequence[Mapping[str, str]],
    name: str,
    fits: Callable[[Mapping[str, str], tuple[str, ...]], bool],
) -> float:
    """Right guesses of people by the commonest value of the class that they fit."""
    is_number = name == "cost"

    def value(row: Mapping[str, str]) -> str:
        return "" if row[name] in ("", "NA") else row[name]

    def right(true: str, guess: str) -> bool:
        if is_number:
            return abs(float(true) - float(guess)) <= 0.05 * float(true)
        return true == guess

    classes: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in train:
        classes[tuple(row[n] for n in QUASI)][value(row)] += 1
    total = sum(classes.values(), Counter())
    found = 0.0
    for row in people:
        had = next((c for key, c in classes.items() if fits(row, key)), total)
        best = [v for v, n in had.items() if n == max(had.values())]
        found += sum(right(value(row), each) for each in best) / len(best)
    return found


def same(row: Mapping[str, str], key: tuple[str, ...]) -> bool:
    return tuple(row[n] for n in QUASI) == key


def inside(row: Mapping[str, str], key: tuple[str, ...]) -> bool:
    sex, year, region = key
    is_there = sex in ("*", row["sex"]) and region in ("*", row["region"])
    return is_there and covers(year, row["birth_year"])


def test_guesses_of_a_file(done: FinishedRelease, folder: Path) -> None:
    ours = rows_of(done.folder, "patients_released.csv")
    with (folder / "others.csv").open(encoding="utf-8", newline="") as file:
        others = list(csv.DictReader(file))
    held = held_of(done)
    assert (held.released, held.people) == (len(ours), 700)
    assert [each.attribute for each in held.guessed] == ["diagnosis", "cost"]
    for each in held.guessed:
        assert each.right == pytest.approx(expected(ours, ours, each.attribute, same))
        control = expected(ours, others, each.attribute, inside)
        assert each.control == pytest.approx(control)
        blind = expected(ours, ours, each.attribute, lambda *_: False)
        assert each.blind == pytest.approx(blind)
        assert 0 <= each.low <= each.residual <= each.high <= 1
    # Regions tell of people in general: the release tells little beyond that.
    assert held.guessed[0].high < 0.2
    assert "“others”" in held_out_words(criteria_of(done))
    assert len(held_out_rows(criteria_of(done))) == 2


def test_columns_of_many_values_are_named_as_not_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A cost is one of 36.
    monkeypatch.setattr(held_out, "MOST_VALUES", 20)
    found = criteria_of(made(folder, f"hold_out={folder / 'others.csv'}"))
    assert [each.attribute for each in found.guessed] == ["diagnosis", "cost"]
    assert [each.attribute for each in found.held_out.guessed] == ["diagnosis"]
    assert "Not measured for “cost”" in held_out_words(found)


def test_verify_guesses_again(done: FinishedRelease, folder: Path) -> None:
    alone = verify(done.folder)
    assert alone.ok
    assert alone.reasons["held_out"] == "other_not_given"
    found = verify(done.folder, against=[folder / "others.csv"])
    assert found.ok, [each for each in found.checks if not each.ok]
    codes = Counter(each.code for each in found.checks)
    assert codes["held_out_control"] == codes["held_out_right"] == 2
    assert "held_out" not in found.reasons


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("right", "held_out_right"),
        ("blind", "held_out_blind"),
        ("control", "held_out_control"),
        ("high", "held_out_interval"),
    ],
)
def test_verify_notices_other_guesses(
    done: FinishedRelease, folder: Path, field: str, code: str
) -> None:
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    evidence["criteria"]["held_out"]["guessed"][0][field] *= 0.5
    path.write_bytes(canonical_json(evidence))
    try:
        failed = {
            e.code for e in verify(done.folder, against=[folder / "others.csv"]).failed
        }
    finally:
        path.write_bytes(before)
    assert code in failed


def test_people_who_were_not_drawn_are_held_out(folder: Path) -> None:
    done = made(folder, sample=SampleChoice(fraction=0.5, seed=3, accepts_few=True))
    held = held_of(done)
    assert held.sha256 is None
    assert held.people == 600
    found = verify(done.folder)
    assert found.ok, [each for each in found.checks if not each.ok]
    assert found.reasons["held_out"] == "original_values"


def test_an_input_is_not_held_out(folder: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        made(folder, f"hold_out={folder / 'patients.csv'}")
    assert caught.value.code == "hold_out_input"


def test_an_input_that_a_project_names_is_not_measured(
    folder: Path, done: FinishedRelease
) -> None:
    loaded = read_input(folder / "patients.csv")
    project = decided_on(propose_project(loaded), "left_out")
    other = open_other(folder / "patients.csv", "hold_out")
    choice = propose_comparison(project, other, "register").but(kind="hold_out")
    project = project.but(comparisons=(choice,))
    out = folder / "named"
    others = {choice.name: other}
    found = criteria_of(
        release(answered(project, loaded), loaded, out, {}, compared=others)
    )
    assert found.held_out is None
    assert found.not_measured["held_out"] == "hold_out_input"
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    evidence["criteria"]["held_out"]["sha256"] = evidence["inputs"][0]["sha256"]
    path.write_bytes(canonical_json(evidence))
    try:
        assert "held_out_complete" in {e.code for e in verify(done.folder).failed}
    finally:
        path.write_bytes(before)


def test_people_who_stand_in_the_input_are_not_held_out(folder: Path) -> None:
    rows = (folder / "patients.csv").read_text(encoding="utf-8").splitlines()
    more = (folder / "others.csv").read_text(encoding="utf-8").splitlines()
    copy = folder / "copy.csv"
    for n_same, reason in ((400, "hold_out_alike"), (200, None)):
        lines = [*rows[: n_same + 1], *more[1:301]]
        lines += more[301:401] if reason is None else []
        copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
        found = criteria_of(made(folder, f"hold_out={copy}"))
        assert found.not_measured.get("held_out") == reason
        assert (found.held_out is None) == (reason is not None)


def test_few_people_tell_nothing(folder: Path) -> None:
    done = made(folder, f"hold_out={folder / 'few.csv'}")
    found = criteria_of(done)
    assert found.held_out is None
    assert found.not_measured["held_out"] == "few_held_out"
    assert verify(done.folder).ok
    words = held_out_words(found)
    assert words.startswith("People who were not released are given, but nothing")
    assert "fewer than 500" in words


@given(st.data())
def test_guesses_against_counting(data: st.DataObject) -> None:
    records = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1)
    train = data.draw(records)
    people = data.draw(st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 4))))
    numbers = np.array(
        data.draw(
            st.lists(st.sampled_from([0.0, 1, 100, 104, 106]), min_size=5, max_size=5)
        )
    )
    right = close_values(numbers) if data.draw(st.booleans()) else None
    n_classes = max(c for c, _ in train) + 1
    people = [(c if c < n_classes else -1, v) for c, v in people]
    classes, values = (np.array(each) for each in zip(*train, strict=True))
    guesser = Guesser.of(classes, values, 5, right)
    found = 0.0
    for of, true in people:
        had = Counter(v for c, v in train if c == of) or Counter(v for _, v in train)
        best = [v for v, n in had.items() if n == max(had.values())]
        hits = [
            v == true
            or (
                right is not None
                and abs(numbers[v] - numbers[true]) <= 0.05 * numbers[true]
            )
            for v in best
        ]
        found += sum(hits) / len(hits)
    of_people = np.array([c for c, _ in people], dtype=np.int64)
    true_values = np.array([v for _, v in people], dtype=np.int64)
    # Classes that nobody has learned of are guessed as all are.
    there = np.isin(of_people, classes)
    of_people = np.where(there, of_people, -1)
    assert guesser.n_right(of_people, true_values) == pytest.approx(found)
