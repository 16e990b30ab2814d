"""Roles for whole tables: an invented hospital extract, and tables at the edge."""

import dataclasses

import pytest

from deidgui.app.text import fill, sentences
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.columns import (
    detect_columns,
    finding_of,
    says_the_same,
)
from deidgui.engine.detect.languages import languages_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Reason, Role, Treatment
from deidgui.errors import Cancelled
from tests.engine.detect.hospital import guessed_types, hospital_texts, table_of

DIRECT, QUASI = Role.DIRECT_IDENTIFIER, Role.QUASI_IDENTIFIER
SENSITIVE, INSENSITIVE = Role.SENSITIVE, Role.INSENSITIVE

EXPECTED = {
    DIRECT: "MRN PatientName attending Street_Address HomePhone Fax Email SSN "
    "Medicare_MBI InsuranceNo Account_Number AttendingNPI device_serial portal_url "
    "last_login_ip photo encounter_id row_uuid Progress_Note",
    QUASI: "DOB Age Sex Race Ethnic_Group MaritalStatus Religion Pref_Language "
    "Education_Level Occupation City County State ZIP AdmitDate DischargeDateTime "
    "LOS AdmissionType ward",
    SENSITIVE: "PrimaryDx Procedure1 Payer DischargeDisposition HbA1c Creatinine "
    "TotalCharges HouseholdIncome SmokingStatus",
    None: "survey_weight",
}
"""Judged by a person: direct identifiers of the 18, what acquaintances know, what
harms when it becomes known; a weight that nearly every record has for itself."""


@pytest.fixture(scope="module")
def hospital():
    return table_of(hospital_texts())


@pytest.fixture(scope="module")
def findings(hospital):
    return {f.column: f for f in detect_columns(hospital, guessed_types(hospital))}


@pytest.mark.parametrize(
    ("column", "role"),
    [(name, role) for role, names in EXPECTED.items() for name in names.split()]
    + [("mother's maiden name", DIRECT)],
)
def test_roles_of_a_hospital_extract(findings, column, role):
    assert findings[column].role is role
    sure = (Band.PROBABLE, Band.CERTAIN) if role else (None,)
    assert findings[column].band in sure


def test_every_column_is_judged(hospital, findings):
    judged = {name for names in EXPECTED.values() for name in names.split()}
    assert judged | {"mother's maiden name"} == set(hospital.column_names)
    assert tuple(findings) == hospital.column_names


def test_columns_looked_at_together_are_judged_as_each_of_them_alone(
    hospital, findings
):
    types = guessed_types(hospital)
    languages = languages_of(hospital.column_names)
    changed = set()
    for column in hospital.columns:
        kind, own = types[column.name], findings[column.name]
        alone = finding_of(ColumnProfile(column, kind, languages=languages))
        reasons = [reason.code for reason in own.reasons]
        if "because_twin" in reasons or "evidence_born_long_ago" in reasons:
            changed.add(column.name)
            continue
        assert dataclasses.replace(alone, topic=own.topic) == own
    assert len(changed) < 5


def test_every_reason_is_a_sentence(findings):
    for finding in findings.values():
        assert finding.reasons
        assert finding.reasons[0].code.startswith("because_")
        for reason in finding.reasons:
            text = fill(sentences()[reason.code], reason.params)
            assert "‹" not in text.what + text.fix, reason.code


def test_treatment_belongs_to_direct_identifiers(findings):
    for finding in findings.values():
        wanted = Treatment.REMOVE if finding.role is DIRECT else None
        assert finding.treatment is wanted


def test_no_value_of_the_table_is_told(hospital, findings):
    values = {
        text
        for column in hospital.columns
        for text in column.texts()
        if len(text) > 3 and not text.isalpha()
    }
    for finding in findings.values():
        told = repr(finding.reasons)
        assert not any(text in told for text in values)


def test_the_order_of_rows_and_columns_does_not_matter():
    texts = hospital_texts(n=200)
    back = {name: each[::-1] for name, each in reversed(texts.items())}
    one, other = table_of(texts), table_of(back)
    forward = detect_columns(one, guessed_types(one))
    backward = detect_columns(other, guessed_types(other))
    assert forward == backward[::-1]


@pytest.mark.parametrize("n_rows", [0, 1, 2, 5, 29])
def test_small_tables_have_roles_too(n_rows):
    table = table_of({name: t[:n_rows] for name, t in hospital_texts(n=30).items()})
    findings = detect_columns(table, guessed_types(table))
    assert [finding.column for finding in findings] == list(table.column_names)
    roles = {f.column: f.role for f in findings}
    if n_rows >= 2:
        names = ("SSN", "PatientName", "MRN", "Email")
        assert {roles[name] for name in names} == {DIRECT}


def test_a_table_without_columns():
    assert detect_columns(Table("empty", ()), {}) == ()


def _one(name, texts, kind="text"):
    table = Table("t", (Column.from_texts(name, texts),))
    return detect_columns(table, {name: kind})[0]


def test_missing_values_only():
    found = _one("SSN", ["", "", ""])
    assert (found.role, found.reasons) == (INSENSITIVE, (Reason("because_empty"),))


@pytest.mark.parametrize(
    ("name", "role"),
    [("state", INSENSITIVE), ("zzz", INSENSITIVE), ("hiv_status", SENSITIVE)],
)
def test_constant_columns(name, role):
    assert _one(name, ["TN"] * 40, "category").role is role


def test_constant_but_for_missing_values_is_not_constant():
    found = _one("state", ["TN"] * 40 + [""], "category")
    assert found.role is QUASI


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("postcode", "1012 AB", "category"),
        ("zip", "37203", "category"),
        ("admission date", "2024-03-01", "date"),
        ("city", "Nashville", "category"),
    ],
)
def test_a_safe_harbor_identifier_that_all_have_is_not_harmless(name, text, kind):
    """All people of the file live there: nobody else does."""
    found = _one(name, [text] * 40, kind)
    assert found.role is QUASI
    assert found.identifier is not None


@pytest.mark.parametrize(("name", "text"), [("sex", "F"), ("age", "44"), ("zzz", "a")])
def test_one_record_shows_nothing_constant(name, text):
    found = _one(name, [text], "integer" if name == "age" else "category")
    assert found.role is not INSENSITIVE


def _over_89(name, texts):
    found = _one(name, texts, "integer")
    notes = [r for r in found.reasons if r.code == "evidence_over_89"]
    return notes[0].params["n_records"] if notes else 0


def test_ages_over_89_however_they_are_written():
    """Of years: a code for no age is none, and neither are months."""
    years = [str(k) for k in range(90)]
    old = ["90+", ">89", "91", "95-99", "[90-100)", "125"]
    others = ["999", "85-89", "[80-90)", "126", "990", "<90"]
    assert _over_89("age", years) == 0
    assert _over_89("age", [*years, *others]) == 0
    assert _over_89("age", [*years, *others, *old, "91"]) == 7


@pytest.mark.parametrize("name", ["age_months", "Alter in Monaten", "age days"])
def test_ages_in_months_are_no_years(name):
    found = _one(name, [str(k) for k in range(130)], "integer")
    assert (found.role, found.topic) == (QUASI, "number")
    assert not any(each.code == "evidence_over_89" for each in found.reasons)


def test_figures_of_a_column():
    found = _one("sex", list("FFFMM"), "category")
    assert (found.n_values, found.distinction, found.separation) == (2, 0.4, 0.6)
    # No value is none, as on the pages of the window; it tells people apart.
    found = _one("sex", ["F", "F", "M", ""], "category")
    assert (found.n_values, found.distinction) == (2, 0.75)


def test_codes_follow_their_words():
    """A translation reveals what the original reveals."""
    words = ["HS-grad", "Bachelors", "Masters", "Doctorate", "HS-grad"] * 30
    number = {"HS-grad": "9", "Bachelors": "13", "Masters": "14", "Doctorate": "16"}
    codes = [number[word] for word in words]
    mixed = [*codes[:-1], "14"]
    table = table_of({"column 1": words, "column 2": codes, "column 3": mixed})
    first, second, third = detect_columns(table, guessed_types(table))
    assert first.role is second.role is QUASI
    assert second.reasons[0] == Reason("because_twin", {"other": "column 1"})
    assert third.role is None


@pytest.mark.parametrize("shape", ["{y}-07-01", "07/01/{y}", "{y}0701", "1 Jul {y}"])
def test_births_that_show_an_age_over_89(shape):
    """Oracle O-G2: with the year 2020, births up to 1930 do and 1931 does not."""
    years = [1925, 1930, 1931, 1990, *range(1940, 2000)]
    born = [shape.format(y=year) for year in years]
    seen = ["2020-12-31", *["2019-05-05"] * (len(years) - 1)]
    table = table_of({"date of birth": born, "admission date": seen})
    birth, _ = detect_columns(table, {})
    note = next(r for r in birth.reasons if r.code == "evidence_born_long_ago")
    assert note.params == {"n_records": 2, "year": "2020"}


AGES = [str(k % 90) for k in range(180)]


def _unit_noted(columns):
    table = table_of(columns)
    return {
        found.column: reason.params["other"]
        for found in detect_columns(table, guessed_types(table))
        for reason in found.reasons
        if reason.code == "evidence_units"
    }


@pytest.mark.parametrize(
    ("ages", "unit", "values"),
    [
        ("age", "age_unit", ["years", "months", "days"]),
        ("AGE", "AGEUNITS", ["1", "2", "3"]),
        ("AGE", "AGE_COD", ["YR", "MON", "DY", "HR", "WK", "DEC"]),
        ("patient age", "unit of patient age", ["a", "b"]),
        ("Alter", "Alter Einheit", ["Jahre", "Tage"]),
    ],
)
def test_ages_with_their_unit_in_another_column_are_noted(ages, unit, values):
    units = (values * 180)[:180]
    sex = ["F", "M"] * 90
    assert _unit_noted({ages: AGES, unit: units, "sex": sex}) == {ages: unit}
    assert _unit_noted({unit: units, ages: AGES}) == {ages: unit}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age_unit", ["years"]),  # all are counted alike
        ("age_group", ["child", "adult"]),
        ("age_at_diagnosis", ["1", "2", "3"]),
        ("dosage_unit", ["mg", "ml"]),
        ("unit", ["A", "B"]),  # a ward
        ("sex", ["m", "d"]),
        ("age_unit", [str(k) for k in range(90)]),
    ],
)
def test_other_columns_beside_ages_are_no_units(name, values):
    assert _unit_noted({"age": AGES, name: (values * 180)[:180]}) == {}


def test_contradicted_identifiers_are_told():
    found = _one("beneficiary_id", ["1", "2", "3"] * 50, "integer")
    assert found.role is None
    assert found.band is None
    assert [each.code for each in found.reasons] == ["because_contradicted"]
    assert found.alternatives


class _Recorder:
    def __init__(self, stop_at=2.0):
        self.seen, self.stop_at = [], stop_at

    def report(self, fraction, note=""):
        self.seen.append(fraction)
        if fraction >= self.stop_at:
            raise Cancelled


def test_progress_and_cancel(hospital):
    types = guessed_types(hospital)
    recorder = _Recorder()
    detect_columns(hospital, types, monitor=recorder)
    assert recorder.seen == sorted(recorder.seen)
    assert recorder.seen[-1] == pytest.approx(1.0)
    assert len(recorder.seen) >= len(hospital.columns)
    with pytest.raises(Cancelled):
        detect_columns(hospital, types, monitor=_Recorder(0.5))


def test_findings_are_values(findings):
    finding = findings["Sex"]
    assert dataclasses.replace(finding) == finding


def test_equal_counts_are_no_translation():
    """Same records per value, but other records: not the same column."""
    words = ["Male", "Female", "x"] * 20
    table = table_of({"sex": words, "column 2": ["1", "2", "3"] * 19 + ["2", "1", "3"]})
    _, second = detect_columns(table, guessed_types(table))
    assert second.role is None
    assert says_the_same(table.columns[0], table.columns[0])
    assert not says_the_same(table.columns[0], table.columns[1])


def test_translations_are_bijections():
    one = Column.from_texts("a", ["x", "y", "z", "x"])
    assert says_the_same(one, Column.from_texts("b", ["3", "1", "2", "3"]))
    assert not says_the_same(one, Column.from_texts("b", ["3", "1", "1", "3"]))
    assert not says_the_same(one, Column.from_texts("b", ["3", "1", "1", "2"]))


def test_a_twin_of_an_insensitive_column_stays_undecided():
    table = table_of({"survey_weight": list("123") * 30, "column 2": list("abc") * 30})
    first, second = detect_columns(table, guessed_types(table))
    assert (first.role, second.role) == (INSENSITIVE, None)


def test_a_twin_has_the_more_protective_role():
    """An identifier in other words is one, whatever its name says."""
    people = [f"{k:05d}" for k in range(100, 160)] * 4
    other = [f"w{int(each) % 97}" for each in people]
    table = table_of(
        {"patient_id": people, "weighting": other, "sex": list("MF") * 120}
    )
    types = {"patient_id": "text", "weighting": "text", "sex": "category"}
    first, second, third = detect_columns(table, types)
    assert (first.role, second.role, third.role) == (DIRECT, DIRECT, QUASI)
    assert second.treatment is Treatment.REMOVE
    assert second.reasons[0] == Reason("because_twin", {"other": "patient_id"})


@pytest.mark.parametrize(
    "name",
    ["SUBJECT_ID", "HADM_ID", "person_id", "mrn", "stay_id", "visit_no", "member_id",
     "Patientennummer", "encounter_id"],
)  # fmt: skip
@pytest.mark.parametrize("n_people", [10, 200])
def test_repetition_does_not_lower_protection(name, n_people):
    """Sixty rows for each number: still a number of a person or a stay."""
    texts = [str(10_000 + 37 * k) for k in range(n_people)] * 60
    found = _one(name, texts, "integer")
    assert found.role is DIRECT
    assert found.band in (Band.PROBABLE, Band.CERTAIN)


def test_a_column_without_evidence_is_undecided():
    found = _one("zzz", ["1", "2", "3"] * 50, "integer")
    assert (found.role, found.band, found.treatment) == (None, None, None)
    assert found.reasons[0].code == "because_no_evidence"


def test_a_nearly_unique_column_is_never_harmless():
    found = _one("batch", [f"{k}.{k % 7}" for k in range(100)], "text")
    assert found.role is not INSENSITIVE


@pytest.mark.parametrize(("n_alone", "is_proposed"), [(253, False), (60, True)])
def test_a_column_on_which_hundreds_are_alone_is_not_proposed_as_harmless(
    n_alone, is_proposed
):
    """A weight of a survey: 1 % of the records have one of their own."""
    texts = [str(n) for n in range(n_alone)]
    texts += [str(1000 + n % 900) for n in range(20_000 - n_alone)]
    found = _one("weighting", texts, "integer")
    assert (found.role is INSENSITIVE) == is_proposed
    if not is_proposed:
        assert found.role is None
        assert found.reasons[0].code == "because_nearly_unique"
