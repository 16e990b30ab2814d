"""Proposals for the columns of real files, and what stays in doubt."""

import csv
import gzip
import io
import zipfile
from collections import Counter
from functools import cache

import numpy as np
import pytest

from deidgui.engine.population.built_in import load, load_states
from deidgui.engine.population.combining import with_single_ages
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.proposing import (
    absent_texts,
    guess_subject,
    propose,
    propose_mapping,
)
from deidgui.engine.population.table import PopulationAttribute, Subject
from deidgui.errors import InputError
from tests.shared import shared

ADULT = ["age", "x", "x", "education", "x", "marital-status", "x", "x", "race", "sex"]


def values_of(name, texts, missing=None):
    counts = Counter(texts)
    found = tuple(sorted(counts))
    place = found.index(missing) if missing in counts else None
    return DataValues(name, found, np.array([counts[t] for t in found]), place)


def columns(rows, names):
    rows = list(rows)
    return [values_of(name, [row[name] for row in rows]) for name in names]


@cache
def uci_adult():
    with gzip.open(shared("data", "uci_adult", "adult.data.gz"), "rt") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    named = [dict(zip(ADULT, row, strict=False)) for row in rows]
    return columns(named, ["sex", "race", "age", "marital-status"])


@cache
def arx_adult():
    path = shared("data", "adult_hierarchies", "adult.csv.gz")
    with gzip.open(path, "rt") as lines:
        return columns(csv.DictReader(lines, delimiter=";"), ["sex", "race", "age"])


@cache
def nhds():
    with gzip.open(shared("data", "nhds2010", "nhds2010.csv.gz"), "rt") as lines:
        return columns(csv.DictReader(lines), ["sex", "race", "age"])


def in_zip(path, member, names):
    with zipfile.ZipFile(path) as archive:
        member = next(name for name in archive.namelist() if name.endswith(member))
        with archive.open(member) as data:
            return columns(csv.DictReader(io.TextIOWrapper(data)), names)


@cache
def diabetes():
    path = shared("data", "diabetes130", "dataset_diabetes.zip")
    return in_zip(path, "diabetic_data.csv", ["gender", "race", "age"])


@cache
def medicare():
    path = shared(
        "data",
        "cms_desynpuf_sample1",
        "DE1_0_2008_Beneficiary_Summary_File_Sample_1.zip",
    )
    names = ["BENE_SEX_IDENT_CD", "BENE_RACE_CD", "SP_STATE_CODE"]
    return in_zip(path, ".csv", names)


def partners(mapping):
    return {match.text: match.partners for match in mapping.matches()}


def doubts(mapping):
    return [reason.code for reason in mapping.doubts]


def tennessee():
    return load_states("states_2000_modelled", ["Tennessee"])


def test_uci_adult_in_modelled_tennessee():
    found = propose(uci_adult(), tennessee())
    assert found.lacking == ("marital-status",)
    sex, race, age = (found.mappings[name] for name in ("sex", "race", "age"))
    assert sex.is_ready
    assert sex.confidence == 1
    # methods.md A.8: Asian-Pac-Islander is D and E, Other is F and G.
    assert partners(race) == {
        "White": ("White",),
        "Black": ("Black or African American",),
        "Amer-Indian-Eskimo": ("American Indian or Alaska Native",),
        "Asian-Pac-Islander": ("Asian", "Native Hawaiian or Other Pacific Islander"),
        "Other": ("Some other race", "Two or more races"),
    }
    assert doubts(race) == ["people_race_other"]
    assert not race.is_ready
    assert race.confirmed().is_ready
    # 43 records at 90, the top code; 85 to 90 share the open value of the table.
    assert doubts(age) == ["people_age_top", "people_ages_above_top"]
    assert partners(age)["84"] == ("84",)
    assert partners(age)["86"] == partners(age)["90"] == ("85+",)
    assert age.n_unmatched_records == 0


def test_single_ages_of_the_population_leave_no_age_above_its_top():
    table = with_single_ages(tennessee(), load("us_2014"))
    age = propose(uci_adult(), table).mappings["age"]
    assert doubts(age) == ["people_age_top"]
    assert partners(age)["86"] == ("86",)
    assert partners(age)["90"] == (*map(str, range(90, 100)), "100+")
    assert absent_texts(age) == (*map(str, range(17)), "89")


def test_adult_of_the_hierarchies():
    found = propose(arx_adult(), load("us_2000"))
    assert found.lacking == ()
    race = found.mappings["race"]
    # The national table has no "Some other race".
    assert partners(race)["Other"] == ("Two or more races",)
    assert doubts(race) == ["people_race_other"]


def test_the_discharge_survey_in_the_nation_of_2014():
    found = propose(nhds(), load("us_2014"))
    sex, race, age = (found.mappings[name] for name in ("sex", "race", "age"))
    assert partners(sex) == {"female": ("Female",), "male": ("Male",)}
    assert partners(race)["native_island"] == (
        "Native Hawaiian or Other Pacific Islander",
    )
    assert partners(race)["not_stated"] == partners(race)["other"] == ()
    reasons = {match.text: match.reason.code for match in race.matches()}
    assert reasons["not_stated"] == "people_value_missing"
    assert reasons["other"] == "people_value_none"
    assert race.n_unmatched_records == 24_543 + 7_929
    # 5,109 records at 90.
    assert doubts(age) == ["people_age_top"]
    assert partners(age)["90"][0] == "90"
    assert partners(age)["90"][-1] == "100+"
    assert not age.outside.any()


def test_diabetes_knows_hispanic_as_a_race():
    found = propose(diabetes(), load("us_2000"))
    gender, race, age = (found.mappings[name] for name in ("gender", "race", "age"))
    assert found.table.attribute_names == ("sex", "age", "race")
    assert found.table.population_size == load("us_2000").population_size
    assert partners(race)["Hispanic"] == ("Hispanic",)
    assert partners(race)["Caucasian"] == ("White",)
    assert partners(race)["AfricanAmerican"] == ("Black or African American",)
    assert partners(race)["?"] == ()
    assert partners(gender)["Unknown/Invalid"] == ()
    assert gender.is_ready
    assert partners(age)["[70-80)"] == tuple(map(str, range(70, 80)))
    assert partners(age)["[80-90)"] == (*map(str, range(80, 85)), "85+")
    assert doubts(age) == ["people_ages_above_top"]
    # A table without origin cannot tell who is Hispanic.
    apart = propose(diabetes(), tennessee()).mappings["race"]
    assert partners(apart)["Hispanic"] == ()
    assert "people_hispanic_apart" in doubts(apart)


def test_medicare_codes_are_proposed_and_must_be_confirmed():
    found = propose(medicare(), load("states_2020"))
    sex, race, state = found.mappings.values()
    assert partners(sex) == {"1": ("Male",), "2": ("Female",)}
    assert doubts(sex) == ["people_sex_numbers"]
    assert sex.confidence == 0.5
    assert partners(race) == {
        "1": ("White",),
        "2": ("Black or African American",),
        "3": (),
        "5": (),
    }
    assert doubts(race) == ["people_race_codes"]
    assert state.doubts[0].params == {"numbers": "SSA"}
    assert partners(state)["44"] == ("Tennessee",)
    assert partners(state)["54"] == ()
    assert state.n_unmatched_records == 1_628


# -- small cases -----------------------------------------------------------------------


def ages(*values):
    return PopulationAttribute("age", values, Subject.AGE)


def data_of(name, *texts, n=10):
    return DataValues(name, texts, np.full(len(texts), n))


def test_bands_that_cross_share_by_years():
    mapping = propose_mapping(
        data_of("age", "13-17", "18-24"), ages("10-14", "15-19", "20-24")
    )
    pairs = zip(mapping.own, mapping.other, mapping.weights, strict=True)
    unit = int(mapping.weights.min()) // 2
    assert [(a, b, w // unit) for a, b, w in pairs] == [
        (0, 0, 2),
        (0, 1, 3),
        (1, 1, 2),
        (1, 2, 5),
    ]
    assert (mapping.outside // unit).tolist() == [3, 0, 0]
    assert doubts(mapping) == ["people_values_finer"]


def test_two_spellings_share_and_are_in_doubt():
    target = PopulationAttribute("sex", ("Male", "Female"), Subject.SEX)
    mapping = propose_mapping(data_of("sex", "F", "Female", "M"), target)
    assert doubts(mapping) == ["people_spelt_twice"]


def test_a_person_can_say_otherwise():
    target = PopulationAttribute(
        "race", ("White", "Black or African American", "Asian"), Subject.RACE
    )
    mapping = propose_mapping(data_of("race", "1", "2", "4"), target)
    assert mapping.unmatched == (2,)
    assert mapping.outside.tolist() == [0, 0, mapping.outside[2]]
    changed = mapping.with_partners({"4": ["Asian"]})
    assert partners(changed)["4"] == ("Asian",)
    assert changed.unmatched == ()
    assert not changed.outside.any()
    match = changed.matches()[2]
    assert (match.reason.code, match.confidence) == ("people_value_by_hand", 1)
    undone = changed.with_partners({"4": []})
    assert partners(undone)["4"] == ()
    assert undone.outside[2] > 0
    for text, values in (("4", ["Blue"]), ("9", ["White"])):
        with pytest.raises(InputError, match="people_value_unknown"):
            mapping.with_partners({text: values})


def test_an_unmarked_top_needs_a_heap():
    target = ages(*map(str, range(100)), "100+")
    texts = ("87", "88", "89", "90")
    plain = DataValues("age", texts, np.array([40, 30, 20, 10]))
    heap = DataValues("age", texts, np.array([40, 30, 20, 200]))
    assert partners(propose_mapping(plain, target))["90"] == ("90",)
    assert partners(propose_mapping(heap, target))["90"][-1] == "100+"
    # Leaves added for the population's sake have no records and change nothing.
    added = DataValues("age", (*texts, "95"), np.array([40, 30, 20, 200, 0]))
    assert partners(propose_mapping(added, target))["90"][-1] == "100+"


def test_zip_codes_and_prefixes():
    table = load("zip5_2020")
    zips = data_of("zip", "37203", "3601", "99999", "000")
    mapping = propose([zips], table).mappings["zip"]
    found = partners(mapping)
    assert found["37203"] == ("37203",)
    assert found["3601"] == ("03601",)
    assert found["99999"] == ()
    assert {code[:3] for code in found["000"]} >= {"036", "059", "102"}
    assert doubts(mapping) == ["people_zip_small"]
    areas = propose([data_of("zip3", "372**", "036")], table).mappings["zip3"]
    assert {code[:3] for code in partners(areas)["372**"]} == {"372"}
    codes = propose([data_of("ZIP", "37201", "37203")], load("zip3_2020"))
    assert doubts(codes.mappings["ZIP"]) == ["people_values_finer"]


@pytest.mark.parametrize(
    ("name", "texts", "subject"),
    [
        ("Gender", ("M", "F"), Subject.SEX),
        ("x1", ("Male", "Female"), Subject.SEX),
        ("x1", ("1", "2"), Subject.OTHER),
        ("patientAge", ("34", "35"), Subject.AGE),
        ("PAT_AGE", ("34", "90+"), Subject.AGE),
        ("language", ("34", "35"), Subject.OTHER),
        ("lab", ("34", "35"), Subject.OTHER),
        ("SP_STATE_CODE", ("05", "10"), Subject.STATE),
        ("zip_code", ("37203", "37204"), Subject.ZIP5),
        ("ethnicity", ("Hispanic", "Not Hispanic"), Subject.ORIGIN),
        ("marital", ("married", "single"), Subject.OTHER),
        ("newborn", ("FALSE", "TRUE"), Subject.OTHER),
        ("readmitted", ("no", "yes", "unknown"), Subject.OTHER),
        ("hispanic", ("no", "yes"), Subject.ORIGIN),
    ],
)
def test_subjects_are_guessed_by_name_and_values(name, texts, subject):
    assert guess_subject(name, texts) is subject


def test_nothing_of_the_data_stands_in_a_repr():
    mapping = propose_mapping(
        data_of("race", "Secretrace"), PopulationAttribute("race", ("White",))
    )
    assert "Secret" not in repr(mapping) + repr(mapping.matches()) + repr(mapping.data)


def test_ages_above_one_that_is_exact_by_hand_are_absent():
    """The highest age reads like all above, until a person says that it is one age."""
    ages = tuple(str(age) for age in range(20, 91))
    n_records = np.array([10] * 70 + [400])
    target = PopulationAttribute("age", tuple(map(str, range(101))), Subject.AGE)
    mapping = propose_mapping(DataValues("age", ages, n_records), target)
    young = tuple(str(age) for age in range(20))
    assert absent_texts(mapping) == young
    exact = mapping.with_partners({"90": ["90"]}).confirmed()
    assert absent_texts(exact) == young + tuple(map(str, range(91, 101)))
