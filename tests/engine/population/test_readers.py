"""How ages, sexes, races, origins, states and ZIP codes are read."""

import pytest

from deidgui.engine.population.ages import Span, read_ages
from deidgui.engine.population.places import read_states, read_zips, zip_atoms
from deidgui.engine.population.words import (
    means_nothing,
    read_origins,
    read_races,
    read_sex,
    says_not_hispanic,
)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("34", 34, 34),
        ("034", 34, 34),
        ("34.0", 34, 34),
        ("34.7", 34, 34),
        ("34 years", 34, 34),
        ("34y", 34, 34),
        ("30-39", 30, 39),
        ("30\u201339", 30, 39),
        ("30 to 39 years", 30, 39),
        ("[70-80)", 70, 79),
        ("[30, 40]", 30, 40),
        ("(29,39]", 30, 39),
        ("85+", 85, None),
        ("85 years and over", 85, None),
        ("85+ years", 85, None),
        ("90 or older", 90, None),
        (">=85", 85, None),
        ("\u2265 85", 85, None),
        (">89", 90, None),
        ("over 89", 90, None),
        ("<1", 0, 0),
        ("Under 5 years", 0, 4),
        ("\u22645", 0, 5),
        ("3 days", 0, 0),
        ("11 months", 0, 0),
        ("14 months", 1, 1),
        ("Age 7", 7, 7),
    ],
)
def test_ages(text, low, high):
    assert read_ages([text]).spans == (Span(low, high),)


@pytest.mark.parametrize("text", ["", "old", "200", "40-30", "-5", "<0", "3-4-5", "m"])
def test_what_is_no_age(text):
    assert read_ages([text]).spans == (None,)


def test_bands_with_common_ends():
    reading = read_ages(["0-10", "10-20", "20+"])
    assert reading.spans == (Span(0, 9), Span(10, 19), Span(20, None))
    assert reading.is_touching
    assert not read_ages(["0-9", "10-19"]).is_touching
    assert not read_ages(["[0-10)", "[10-20)"]).is_touching


def races(*values):
    return [set(m) if m else None for m in read_races(values).meanings]


def test_races_of_uci_adult():
    found = races("White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other")
    assert found == [
        {"white"},
        {"black"},
        {"asian", "pacific"},
        {"indian"},
        {"other", "multiple"},
    ]


def test_races_of_the_discharge_survey_keep_other_apart():
    found = races("native_continental", "native_island", "multiple", "other")
    assert found == [{"indian"}, {"pacific"}, {"multiple"}, {"other"}]


def test_races_of_omb_and_hl7():
    names = (
        ("White", "2106-3", "white"),
        ("Black or African American", "2054-5", "black"),
        ("American Indian or Alaska Native", "1002-5", "indian"),
        ("Asian", "2028-9", "asian"),
        ("Native Hawaiian or Other Pacific Islander", "2076-8", "pacific"),
        ("Some Other Race alone", "2131-1", "other"),
    )
    for name, code, category in names:
        assert races(name, code, "Two or More Races")[:2] == [{category}] * 2
    assert read_races([code for _, code, _ in names]).codes == frozenset()


def test_letters_of_the_census_and_of_hospitals():
    census = races(*"ABCDEFG")
    assert census[0] == {"white"}
    assert census[3] == {"asian"}
    assert races("A", "B", "W") == [{"asian"}, {"black"}, {"white"}]
    assert read_races(["A", "B", "W"]).doubts


def test_only_numbers_that_mean_the_same_everywhere_are_proposed():
    reading = read_races(["1", "2", "3", "5"])
    assert [bool(m) for m in reading.meanings] == [True, True, False, False]
    assert reading.codes == {0, 1}
    assert [reason.code for reason in reading.doubts] == ["people_race_codes"]


def test_white_without_hispanic_people():
    assert races("White, non-Hispanic", "NH Black") == [{"white"}, {"black"}]
    assert says_not_hispanic("Non-Hispanic White")
    assert says_not_hispanic("NH White")
    assert not says_not_hispanic("NHPI")
    assert not says_not_hispanic("White")


@pytest.mark.parametrize(
    ("male", "female"),
    [("M", "F"), ("Male", "Female"), ("male", "female"), ("m", "w"), ("Mann", "Frau")],
)
def test_sex_in_words(male, female):
    reading = read_sex([male, female])
    assert reading.meanings == (frozenset(["male"]), frozenset(["female"]))
    assert not reading.doubts


def test_sex_in_numbers_is_in_doubt_and_zero_is_not_guessed():
    reading = read_sex(["1", "2"])
    assert reading.meanings == (frozenset(["male"]), frozenset(["female"]))
    assert reading.doubts
    assert read_sex(["0", "1"]).meanings == (None, None)


def test_origins():
    hispanic, other = frozenset(["hispanic"]), frozenset(["not hispanic"])
    found = read_origins(["Hispanic or Latino", "Not Hispanic or Latino", "2186-5"])
    assert found.meanings == (hispanic, other, other)


@pytest.mark.parametrize("text", ["", " ", "?", "Unknown/Invalid", "not_stated", "U"])
def test_no_value(text):
    assert means_nothing(text)


def test_states_by_name_abbreviation_and_number():
    reading = read_states(["Tennessee", "tn", "north_dakota", "Bavaria"])
    found = [state.abbr if state else None for state in reading.states]
    assert found == ["TN", "TN", "ND", None]
    assert reading.numbers == ""
    fips = read_states(["47", "6"])
    assert [state.abbr for state in fips.states] == ["TN", "CA"]
    assert fips.numbers == "FIPS"
    # 03, 07 and 14 are no FIPS numbers.
    ssa = read_states(["03", "05", "07", "14", "44"])
    assert [state.abbr for state in ssa.states] == ["AZ", "CA", "CT", "IL", "TN"]
    assert ssa.numbers == "SSA"


def test_zip_codes():
    found = read_zips(["37203", "37203-1234", "372031234", "3601", "372**", "x", "000"])
    assert found == ["37203", "37203", "37203", "03601", "372", "", "000"]
    assert read_zips(["36", "372"]) == ["036", "372"]
    assert read_zips(["601", "37203"]) == ["00601", "37203"]


def test_prefixes_stand_for_their_codes():
    found = zip_atoms(["03601", "03602", "37201"])
    assert found["036"] == {"03601", "03602"}
    assert found["37201"] == {"37201"}
    assert found["000"] == {"03601", "03602"}
    assert "999" not in found
    assert "" not in found
    more = zip_atoms(["03601", "03602", "37201"], ["03603", "37201", "99999"])
    assert more["036"] == {"03601", "03602", "03603"}
    assert more["372"] == {"37201"}
    assert more["999"] == more["99999"] == {"99999"}
    assert more["000"] == {"03601", "03602", "03603"}
