"""Whether the built-in sample is what its SOURCES.md says."""

import csv
import gzip
import hashlib
import importlib
import io
import math
import re
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from statistics import NormalDist

import polars as pl
import pytest

from tests.shared import shared

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "samples"
FIGURES = FOLDER / "figures"
FILES = ("synthetic_patients.csv.gz", "synthetic_encounters.csv.gz")
GROUP_STARTS = (0, 1, 5, 15, 25, 35, 45, 55, 65, 75, 85)


def _sample_module(name):
    """Import one of the generator's modules, which are scripts outside the package."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


def _rows(name):
    text = gzip.decompress((FOLDER / name).read_bytes()).decode()
    return list(csv.DictReader(io.StringIO(text)))


def _age(row):
    born = date.fromisoformat(row["birth_date"])
    day = date.fromisoformat(row["admission_date"])
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _group(age):
    return max(start for start in GROUP_STARTS if start <= age)


@pytest.fixture(scope="module")
def patients():
    rows = _rows("synthetic_patients.csv.gz")
    for row in rows:
        row["age"] = _age(row)
    return rows


@pytest.fixture(scope="module")
def encounters():
    return _rows("synthetic_encounters.csv.gz")


# --- the files --------------------------------------------------------------------


@pytest.fixture(scope="module")
def made_again():
    return _sample_module("make_samples").sample()


@pytest.mark.parametrize("name", FILES)
def test_the_generator_makes_the_same_bytes_again(made_again, name):
    stored = gzip.decompress((FOLDER / name).read_bytes())
    again = made_again[name].encode()
    assert hashlib.sha256(again).digest() == hashlib.sha256(stored).digest()


@pytest.mark.parametrize("name", FILES)
def test_the_files_carry_no_time_and_no_file_name(name):
    # RFC 1952: flags in byte 3, modification time in bytes 4 to 7.
    header = (FOLDER / name).read_bytes()[:8]
    assert header[3] == 0
    assert header[4:8] == bytes(4)


def test_the_sample_is_small_enough_for_a_repository():
    assert sum((FOLDER / name).stat().st_size for name in FILES) < 4_000_000


def test_the_figures_can_be_made_again_from_the_public_files(tmp_path):
    sources = re.findall(
        r"`(\w+\.csv\.gz)`", (FOLDER / "SOURCES.md").read_text("utf-8")
    )
    folder = tmp_path / "public"
    folder.mkdir()
    for name in {*sources} - {*FILES}:
        (original,) = shared("data").rglob(name)
        (folder / name).write_bytes(original.read_bytes())
    make_figures = _sample_module("make_figures")
    make_figures.FIGURES = tmp_path / "figures"
    try:
        make_figures.main(folder)
    finally:
        make_figures.FIGURES = FIGURES
    for path in FIGURES.iterdir():
        assert (tmp_path / "figures" / path.name).read_bytes() == path.read_bytes()


# --- who is in it -----------------------------------------------------------------


def _chi_square_is_plausible(observed, expected):
    """Pearson's statistic against four standard deviations of its distribution.

    Cells with fewer than five expected are taken together, as the approximation needs.
    A statistic of df degrees of freedom has mean df and variance 2 df; beyond four
    deviations lies less than 1 in 1000 even for its right-skewed tail.
    """
    total = sum(observed.values())
    scale = total / sum(expected.values())
    cells = {key: (observed.get(key, 0), scale * e) for key, e in expected.items()}
    large = [cell for cell in cells.values() if cell[1] >= 5]
    small = [cell for cell in cells.values() if cell[1] < 5]
    rest = (sum(o for o, _ in small), sum(e for _, e in small))
    large += [rest] if rest[1] >= 1 else []
    assert sum(o for o, _ in cells.values()) == total  # nothing outside the table
    df = len(large) - 1
    statistic = sum((o - e) ** 2 / e for o, e in large)
    assert statistic < df + 4 * math.sqrt(2 * df)


def test_people_follow_the_census_tilted_by_the_discharge_rate(patients):
    # The same rule as the generator's, computed by joins of the carried tables.
    nation = pl.read_csv(FIGURES / "single_ages.csv").unpivot(
        index="age", variable_name="sex", value_name="nation"
    )
    nation = nation.with_columns(
        age_from=pl.min_horizontal(pl.col("age") // 5 * 5, 85)
    ).with_columns(
        share=pl.col("nation") / pl.col("nation").sum().over("age_from", "sex")
    )
    rate = (
        pl.read_csv(FIGURES / "discharge_rates.csv")
        .with_columns(pl.col("age_group").replace("newborn", "0").cast(pl.Int64))
        .group_by("age_group", "sex")
        .agg(rate=(pl.col("discharges") / pl.col("population")).sum())
    )
    group = pl.max_horizontal(
        pl.when(pl.col("age") >= start).then(start).otherwise(0)
        for start in GROUP_STARTS
    ).cast(pl.Int64)
    population = (
        pl.read_csv(FIGURES / "population.csv")
        .join(nation, on=["age_from", "sex"])
        .with_columns(age_group=group)
        .join(rate, on=["age_group", "sex"])
        .with_columns(
            weight=pl.col("population") * pl.col("share") * pl.col("rate") ** 0.275701
        )
    )
    old = (
        population.filter(pl.col("age") >= 90)["weight"].sum()
        / population["weight"].sum()
    )
    assert old == pytest.approx(0.01, abs=1e-6)
    keys = ("age_group", "sex", "race", "ethnicity")
    expected = {
        tuple(row[:4]): row[4]
        for row in population.group_by(keys).agg(pl.col("weight").sum()).iter_rows()
    }
    observed = Counter(
        (_group(row["age"]), row["sex"], row["race"], row["ethnicity"])
        for row in patients
    )
    _chi_square_is_plausible(observed, expected)


def test_about_one_percent_are_ninety_or_older(patients):
    old = sum(row["age"] >= 90 for row in patients)
    # Four standard deviations of the binomial distribution around 1 % of 20,000.
    assert abs(old - 200) < 4 * math.sqrt(200 * 0.99)


@pytest.mark.parametrize(
    ("column", "race", "ethnicity"),
    [
        ("white", "White", "Not Hispanic or Latino"),
        ("black", "Black or African American", "Not Hispanic or Latino"),
        ("hispanic", None, "Hispanic or Latino"),
    ],
)
def test_zip_codes_follow_the_census_of_the_race(patients, column, race, ethnicity):
    expected = {row["zip"]: float(row[column]) for row in _figures("zips")}
    observed = Counter(
        row["zip"]
        for row in patients
        if row["ethnicity"] == ethnicity and race in (None, row["race"])
    )
    _chi_square_is_plausible(observed, expected)


def _figures(name):
    with (FIGURES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("sex", ["Female", "Male"])
@pytest.mark.parametrize("group", [5, 25, 55, 65, 75, 85])
def test_diagnoses_follow_the_survey(patients, group, sex):
    expected = {
        row["diagnosis"]: float(row["thousands"])
        for row in _figures("principal_diagnoses")
        if (row["age_group"], row["sex"]) == (str(group), sex)
    }
    observed = Counter(
        row["diagnosis"]
        for row in patients
        if _group(row["age"]) == group and row["sex"] == sex
    )
    _chi_square_is_plausible(observed, expected)


def test_lengths_of_stay_are_log_normal(patients):
    frequent = Counter(row["diagnosis"] for row in patients).most_common(12)
    logs = {row["diagnosis"]: row for row in _figures("lengths_of_stay")}
    for diagnosis, _ in frequent:
        mean, deviation = (
            float(logs[diagnosis][name]) for name in ("log_days_mean", "log_days_sd")
        )
        normal = NormalDist(mean, deviation)
        # Days are rounded, so k means k - 0.5 to k + 0.5, and 1 means less than 1.5.
        below = [0.0, *(normal.cdf(math.log(k + 0.5)) for k in range(1, 180)), 1.0]
        expected = {k: below[k] - below[k - 1] for k in range(1, 181)}
        observed = Counter(
            int(row["length_of_stay"])
            for row in patients
            if row["diagnosis"] == diagnosis
        )
        _chi_square_is_plausible(observed, {k: e + 1e-12 for k, e in expected.items()})


def test_diagnoses_suit_sex_and_age(patients):
    for row in patients:
        code = row["diagnosis"]
        if code.startswith("O"):
            assert row["sex"] == "Female"
            assert 15 <= row["age"] <= 49
        if re.match(r"N4|C6[0-3]", code):
            assert row["sex"] == "Male"
        if re.match(r"P|Z38", code):
            assert row["age"] == 0
        # Z38 is the birth itself, which is the admission of newborns alone.
        is_birth = row["birth_date"] == row["admission_date"]
        assert code.startswith("Z38") == is_birth


# --- how they are known -----------------------------------------------------------


def _luhn_sum(digits):
    """Luhn's sum of a number with its check digit: 0 modulo 10 if it is right."""
    values = [int(digit) for digit in reversed(digits)]
    doubled = (sum(divmod(2 * value, 10)) for value in values[1::2])
    return sum(values[::2]) + sum(doubled)


def test_the_check_digit_is_luhns():
    # 7992739871 with check digit 3: the usual textbook example.
    assert _sample_module("chance").luhn("7992739871") == "79927398713"


@pytest.mark.parametrize(
    ("column", "prefix"), [("patient_id", "MRN"), ("insurance_no", "SYN")]
)
def test_numbers_are_unique_and_checked(patients, column, prefix):
    numbers = [row[column].removeprefix(prefix) for row in patients]
    assert len(set(numbers)) == len(numbers) == 20_000
    assert all(_luhn_sum(number) % 10 == 0 for number in numbers)


def test_nobody_can_be_reached(patients):
    for row in patients:
        assert re.fullmatch(r"(\(\d{3}\) 555-01\d\d)?", row["phone"])
        assert re.fullmatch(r"([a-z]+\.[a-z]+\d+@example\.org)?", row["email"])


# --- encounters -------------------------------------------------------------------


def test_stays_end_after_their_length(patients, encounters):
    for row in [*patients, *encounters]:
        start, end = (
            date.fromisoformat(row[f"{word}_date"])
            for word in ("admission", "discharge")
        )
        assert (end - start).days == int(row["length_of_stay"])


def test_encounters_belong_to_patients_and_hold_the_index_stay(patients, encounters):
    assert len(encounters) == 62_529
    assert len({row["encounter_id"] for row in encounters}) == len(encounters)
    shown = ("patient_id", "admission_date", "discharge_date", "diagnosis")
    stays = {tuple(row[name] for name in shown) for row in encounters}
    assert {tuple(row[name] for name in shown) for row in patients} <= stays
    known = {row["patient_id"] for row in patients}
    assert {row["patient_id"] for row in encounters} == known


def test_encounters_of_a_patient_follow_one_another(patients, encounters):
    born = {row["patient_id"]: row["birth_date"] for row in patients}
    died = {
        row["patient_id"]: row["discharge_date"]
        for row in patients
        if row["discharge_disposition"] == "Died"
    }
    before = {}
    first = {}
    for row in encounters:
        patient, admitted = row["patient_id"], row["admission_date"]
        assert before.get(patient, born[patient]) <= admitted
        assert row["discharge_date"] <= died.get(patient, "9999")
        if patient in before:
            assert before[patient] < admitted
        start = first.setdefault(patient, date.fromisoformat(admitted))
        days = (date.fromisoformat(admitted) - start).days
        assert int(row["days_since_first"]) == days
        before[patient] = row["discharge_date"]


def test_the_sample_is_called_synthetic():
    assert all(name.startswith("synthetic_") for name in FILES)
    assert "Nobody in them exists" in (FOLDER / "SOURCES.md").read_text("utf-8")
