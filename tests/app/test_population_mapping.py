"""Records find their people: proposed, decided, kept in files, counted."""

import contextlib

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from deidgui.app import matching
from deidgui.app.changes import domain_fingerprint, fingerprint
from deidgui.app.classes import HierarchyCache, build_classes
from deidgui.app.decides import Decides
from deidgui.app.matching import propose_matching
from deidgui.app.project import Attribute, InputFile, MatchChoice
from deidgui.app.text import message_for, sentence_for
from deidgui.engine.data.table import Column, Table
from deidgui.engine.population.built_in import load_states
from deidgui.errors import Cancelled, ProblemsError
from tests.app.population_case import (
    DECADES,
    FLAT,
    choose_tables,
    codes_of,
    confirmed,
    population_at,
    project_of,
    table_of,
)
from tests.shared import shared

TENNESSEE = {
    "kind": "built_in",
    "tables": ("states_2000_modelled",),
    "states": ("Tennessee",),
}
RULES = {"sex": FLAT, "age": DECADES}
DATA = {"sex": "MMFF", "age": ["30", "31", "47", "31"]}
OWN = {"kind": "register", "file": InputFile(name="population", file="people.csv")}


def own_file(rows, names=("sex", "age")):
    columns = zip(names, zip(*rows, strict=True), strict=True)
    made = tuple(Column.from_texts(n, list(t), missing=()) for n, t in columns)
    return Table("people.csv", made)


# -- tables that come with the program -------------------------------------------------


def test_cards_are_offered_and_found_by_state():
    assert matching.cards()[0].name == "us_2000"
    found = [card.name for card in matching.cards("Tennessee")]
    assert "states_2020" in found
    assert "us_2010" not in found
    assert matching.cards("Atlantis") == ()


def test_choosing_tables_keeps_decisions_and_none_states_nothing():
    project = project_of(RULES, TENNESSEE)
    project = matching.set_lacking("age", "independent")(project)
    project = choose_tables(["us_2010"])(project)
    assert project.privacy.population.matches["age"].lacking == "independent"
    assert project.privacy.population.states == ()
    nothing = choose_tables([])(project).privacy.population
    assert nothing.kind == "none"


def test_people_of_a_state_by_decade_against_plain_pandas():
    table, files = table_of(**DATA), {}
    project = confirmed(project_of(RULES, TENNESSEE), table, files)
    classes = build_classes(project, table, files)
    source = load_states("states_2000_modelled", ["Tennessee"])
    names = source.attribute_names
    frame = pd.DataFrame(
        {
            name: np.array(source.attribute(name).values)[source.cells[:, place]]
            for place, name in enumerate(names)
        }
    )
    frame["n"] = source.counts
    frame["decade"] = frame["age"].str.rstrip("+").astype(int) // 10
    sums = frame.groupby(["sex", "decade"])["n"].sum()
    assert population_at(classes.class_table, (0, 1)) == {
        ("M", "30-39"): sums["Male", 3],
        ("F", "30-39"): sums["Female", 3],
        ("F", "40-49"): sums["Female", 4],
    }
    assert classes.population.is_modelled
    assert classes.population.name.endswith("; Tennessee")
    assert "MODELLED" in classes.population.label
    # Everybody has a leaf: ages that nobody in the data has are absent ones.
    assert classes.population.coverage.n_population_outside == 0


def test_single_ages_of_the_oldest_come_from_the_table_that_has_them():
    table = table_of(sex="MF", age=["86", "99"])
    project = confirmed(project_of(RULES, TENNESSEE), table, {})
    found = propose_matching(project, table, {})
    assert codes_of(found.all_problems) == []
    assert [each.code for each in found.population.remarks] == [
        "people_modelled",
        "people_single_ages",
    ]
    # With bands that the table has, nothing is shared among single ages.
    plain = propose_matching(project, table_of(sex="MF", age=["85+", "84"]), {})
    assert "people_single_ages" not in [each.code for each in plain.population.remarks]
    # The evidence names the bytes of every table that was used.
    assert {name.split(".")[0] for name in plain.population.files} == set(
        plain.population.tables
    )
    assert set(found.population.files) - set(plain.population.files) == {
        "us_2014.json",
        "us_2014.npz",
    }


def test_adults_only_leaves_children_out():
    table = table_of(**DATA)
    adults = project_of(RULES, {**TENNESSEE, "youngest": 18, "oldest": 64})
    found = propose_matching(adults, table, {})
    assert "ages 18 to 64" in found.population.name
    source = load_states("states_2000_modelled", ["Tennessee"])
    ages = [a.rstrip("+") for a in source.attribute("age").values]
    inside = [18 <= int(age) <= 64 for age in ages]
    rows = np.array(inside)[source.cells[:, source.place("age")]]
    assert found.population_size == source.counts[rows].sum()


def test_limits_within_bands_ask_for_single_ages():
    fives = {"kind": "built_in", "tables": ("states_2020",), "states": ("Ohio",)}
    project = project_of({"sex": FLAT}, {**fives, "youngest": 18})
    found = propose_matching(project, table_of(sex="MF"), {})
    assert "people_single_ages" in [each.code for each in found.population.remarks]
    whole = project_of({"sex": FLAT}, {**fives, "youngest": 20})
    found = propose_matching(whole, table_of(sex="MF"), {})
    assert found.population.remarks == ()
    assert found.population.basis == "counted"


def test_bad_choices_of_tables_are_told():
    table = table_of(**DATA)
    for changes, codes in (
        ({"tables": ("us_1790",)}, ["people_table_unknown"]),
        ({"tables": ("us_2010", "us_2010")}, ["people_table_twice"]),
        ({"states": ("Atlantis",)}, ["people_value_unknown"]),
        ({"tables": ("us_2010",)}, ["people_attribute_unknown"]),
        ({"youngest": 60, "oldest": 50}, ["people_nobody"]),
    ):
        project = project_of(RULES, {**TENNESSEE, **changes})
        found = propose_matching(project, table, {})
        assert codes_of(found.all_problems) == codes, changes
        assert not found.is_ready


def test_zip_codes_joined_with_their_state_keep_the_counted_totals():
    zips = ["37203", "37209", "38103"]
    table = table_of(zip=zips * 2, sex="MMMFFF")
    joined = {
        "kind": "built_in",
        "tables": ("zip5_2020", "states_2020"),
        "states": ("Tennessee",),
    }
    project = project_of({"zip": {"kind": "zip"}, "sex": FLAT}, joined)
    classes = build_classes(project, table, {})
    known = classes.population
    assert known.is_modelled
    assert [each.code for each in known.remarks] == ["people_independent"]
    assert known.tables == ("zip5_2020", "states_2020")
    counted = pd.read_csv(
        shared("data", "zcta", "zcta_2020_population.csv"), dtype={"zcta": str}
    ).set_index("zcta")["population"]
    found = population_at(classes.class_table)
    state = load_states("states_2020", ["Tennessee"]).sums(["sex"])
    share = state.counts / state.counts.sum()
    for code in zips:
        assert found[code, "M"] + found[code, "F"] == counted[code]
        # Whole people: each differs by less than one from its share.
        assert abs(found[code, "M"] - counted[code] * share[0]) < 1
    # A table that adds nothing to what the data know is not used.
    only_zips = project_of({"zip": {"kind": "zip"}}, joined)
    alone = propose_matching(only_zips, table_of(zip=zips), {})
    assert alone.tables == ("zip5_2020",)
    assert alone.population.basis == "counted"


def test_hospital_stays_of_2010_in_the_united_states_of_2010():
    frame = pd.read_csv(shared("data", "nhds2010", "nhds2010.csv.gz"), dtype=str)
    frame = frame[frame["age_unit"] == "years"][["sex", "age", "race"]].fillna("")
    table = table_of(**{name: frame[name].tolist() for name in frame})
    rules = {"sex": FLAT, "age": DECADES, "race": FLAT}
    project = project_of(rules, {"kind": "built_in", "tables": ("us_2010",)})
    found = propose_matching(project, table, {})
    # "other" is no race of this table; "not_stated" is no value.
    assert "people_no_partner" in codes_of(found.of("race").problems)
    n_other = int((frame["race"] == "other").sum())
    problem = found.of("race").problems[-1]
    assert problem.params["n_records"] == n_other
    files = {}
    project = confirmed(project, table, files)
    match = propose_matching(project, table, files).of("race")
    project = matching.accept_unmatched(match)(project)
    classes = build_classes(project, table, files)
    seen = classes.population.coverage
    alone = frame["race"].isin(["other", "not_stated"])
    assert seen.n_records_without_population == int(alone.sum())
    source = pd.read_csv(
        shared("data", "population", "us_est00int_alldata_2000_2010.csv.gz")
    )
    april = source[(source["MONTH"] == 4) & (source["YEAR"] == 2010)]
    thirties = april[april["AGE"].between(30, 39)]
    population_by = population_at(classes.class_table, (0, 1, 0))
    assert population_by["female", "30-39", "black"] == thirties["BA_FEMALE"].sum()
    assert population_by["male", "30-39", "white"] == thirties["WA_MALE"].sum()


@pytest.mark.parametrize(
    ("column", "is_doubted"),
    [
        ("age_unit", True),
        ("Age Units", True),
        ("unit_of_age", True),
        ("page_unit", False),
        ("agents_unit", False),
        ("ward", False),
    ],
)
def test_a_column_beside_ages_may_say_that_they_are_no_years(column, is_doubted):
    table = table_of(age=["3", "40", "41"], **{column: ["months", "years", "years"]})
    project = project_of({"age": DECADES}, {"kind": "built_in", "tables": ("us_2010",)})
    beside = Attribute(name=column, role="insensitive")
    project = project.but(attributes=(*project.attributes, beside))
    files = {}
    match = propose_matching(project, table, files).of("age")
    assert match.is_ready is not is_doubted
    if is_doubted:
        doubt = match.mapping.doubts[-1]
        assert doubt.code == "people_age_unit"
        assert column in sentence_for(doubt.code, doubt.params)
    sure = confirmed(project, table, files)
    assert propose_matching(sure, table, files).of("age").is_ready


# -- decisions on attributes -----------------------------------------------------------


def test_an_attribute_that_the_population_lacks_is_decided_one_by_one():
    table = table_of(**DATA, ward=["a", "b", "a", "b"])
    project = project_of({**RULES, "ward": FLAT}, TENNESSEE)
    found = propose_matching(project, table, {})
    assert codes_of(found.all_problems) == ["people_lack_attribute"]
    with pytest.raises(Exception, match="people_lack_attribute"):
        build_classes(project, table, {})
    shared_out = matching.set_lacking("ward", "independent")(project)
    classes = build_classes(shared_out, table, {})
    assert "people_assumed_independent" in [r.code for r in classes.population.remarks]
    aside = matching.set_lacking("ward", "left aside")(project)
    classes = build_classes(aside, table, {})
    assert any("lower than it is" in each for each in classes.population.warnings())
    refused = matching.set_lacking("ward", "refused")(shared_out)
    assert not propose_matching(refused, table, {}).is_ready
    forgotten = matching.forget_match("ward")(shared_out)
    assert forgotten.privacy.population.matches == {}


def test_everything_undecided_is_told_at_once_at_its_field():
    table = table_of(sex="12", age=["30", "old"], ward="ab")
    project = project_of({**RULES, "ward": FLAT}, TENNESSEE)
    found = propose_matching(project, table, {})
    told = {each.attribute: codes_of(each.problems) for each in found.attributes}
    assert told == {
        "sex": ["people_unconfirmed"],
        "age": ["people_no_partner"],
        "ward": ["people_lack_attribute"],
    }
    with pytest.raises(ProblemsError) as error:
        build_classes(project, table, {})
    every = [code for codes in told.values() for code in codes]
    assert sorted(codes_of(error.value.problems)) == sorted(every)


def test_a_target_is_chosen_by_hand_and_decisions_on_others_are_given_up():
    table = table_of(home=["Ohio", "Iowa"], work=["Ohio", "Ohio"])
    rules = {"home": FLAT, "work": FLAT}
    states = {"kind": "built_in", "tables": ("states_2020",)}
    project = project_of(rules, states)
    project = matching.set_lacking("home", "left aside")(project)
    project = matching.set_target("work", "state")(project)
    found = propose_matching(project, table, {})
    assert found.of("work").mapping.target.name == "state"
    assert found.is_ready
    # Decided for a table that is not used any more: the proposal stands.
    moved = choose_tables(["us_2010"])(project)
    assert propose_matching(moved, table, {}).of("work").choice is None


# -- confirmed mappings ----------------------------------------------------------------


def test_a_confirmed_mapping_counts_the_same_people_as_its_proposal():
    table = table_of(sex="1212", age=["30", "31", "47", "90"])
    project, files = project_of(RULES, TENNESSEE), {}
    assert not propose_matching(project, table, files).is_ready
    project = confirmed(project, table, files)
    assert "mappings/sex" in [name.split("-")[0] for name in files]
    classes = build_classes(project, table, files)
    words = table_of(sex=["M", "F", "M", "F"], age=["30", "31", "47", "90"])
    plain, others = project_of(RULES, TENNESSEE), {}
    plain = confirmed(plain, words, others)
    expected = build_classes(plain, words, others)
    found = sorted(population_at(classes.class_table).values())
    assert found == sorted(population_at(expected.class_table).values())


def test_the_other_coding_of_sex_is_set_by_hand():
    table, files = table_of(sex="1122", age=["30"] * 4), {}
    project = project_of(RULES, TENNESSEE)
    match = propose_matching(project, table, files).of("sex")
    decided = matching.set_partners(match, {"1": ["Female"], "2": ["Male"]})
    files[decided.name] = decided.content
    classes = build_classes(decided.op(project), table, files)
    source = load_states("states_2000_modelled", ["Tennessee"]).sums(["sex", "age"])
    dense = source.dense()
    age = source.attribute("age").index["30"]
    found = population_at(classes.class_table)
    assert found["1", "30"] == dense[source.attribute("sex").index["Female"], age]
    assert found["2", "30"] == dense[source.attribute("sex").index["Male"], age]


def test_other_contents_are_other_decisions():
    table, project = table_of(sex="1122", age=["30"] * 4), project_of(RULES, TENNESSEE)
    match = propose_matching(project, table, {}).of("sex")
    ops = [
        matching.confirm_match(match).op,
        matching.set_partners(match, {"1": ["Female"], "2": ["Male"]}).op,
        matching.set_partners(match, {"1": []}).op,
        matching.accept_unmatched(match),
        matching.set_lacking("sex", "left aside"),
    ]
    for print_of in (
        domain_fingerprint,
        lambda each: fingerprint(each, Decides.CLASSES),
    ):
        prints = {print_of(op(project)) for op in ops} | {print_of(project)}
        assert len(prints) == len(ops) + 1
    # Of columns that are no quasi-identifiers nothing is read.
    assert fingerprint(
        matching.set_lacking("ward", "independent")(project), Decides.CLASSES
    ) == (fingerprint(project, Decides.CLASSES))


def test_a_topic_decides_how_values_are_read():
    project = project_of(RULES, TENNESSEE)
    others = [a.but(topic=None) for a in project.attributes]
    assert fingerprint(project.but(attributes=tuple(others)), Decides.CLASSES) != (
        fingerprint(project, Decides.CLASSES)
    )
    nothing = project_of(RULES, {"kind": "none"})
    others = tuple(a.but(topic=None) for a in nothing.attributes)
    assert fingerprint(nothing.but(attributes=others), Decides.CLASSES) == (
        fingerprint(nothing, Decides.CLASSES)
    )


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe1", "people_mapping_unreadable"),
        (b"1;Male;Female\n", "people_mapping_unreadable"),
        (b'1;"Male\n', "people_mapping_unreadable"),
        (b"1;Male\n1;Male\n", "people_mapping_unreadable"),
        (b"1;Male\n1\n", "people_mapping_unreadable"),
        (b"1\n1;Male\n", "people_mapping_unreadable"),
        (b"1;Male\n\n2;Female\n", "people_mapping_unreadable"),
        (b"1;" + b"x" * 10_001 + b"\n", "people_mapping_unreadable"),
        (b"1;Male\n2;Robot\n", "people_mapping_partner"),
        (b"1;Male\n", "people_mapping_incomplete"),
        (b"", "people_mapping_incomplete"),
        (b"x\n" * 17_000_000, "people_mapping_too_large"),
    ],
)
def test_a_strangers_mapping_is_refused_at_its_attribute(content, code):
    table, project = table_of(sex="1122", age=["30"] * 4), project_of(RULES, TENNESSEE)
    choice = project.privacy.population.but(
        matches={"sex": MatchChoice(target="sex", csv="m.csv")}
    )
    project = project.but(privacy=project.privacy.but(population=choice))
    found = propose_matching(project, table, {"m.csv": content})
    assert codes_of(found.of("sex").problems) == [code]
    assert "Robot" not in repr(found.of("sex").problems)
    missing = propose_matching(project, table, {})
    assert codes_of(missing.all_problems) == ["people_mapping_missing"]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_mapping_or_refused(content):
    table, project = table_of(sex="1122", age=["30"] * 4), project_of(RULES, TENNESSEE)
    choice = project.privacy.population.but(
        matches={"sex": MatchChoice(target="sex", csv="m.csv")}
    )
    project = project.but(privacy=project.privacy.but(population=choice))
    found = propose_matching(project, table, {"m.csv": content})
    for problem in found.all_problems:
        assert str(message_for(problem))


# -- long work -------------------------------------------------------------------------


class Stopper:
    """Stops at the report with a number; remembers fractions."""

    def __init__(self, at=None):
        self.at, self.fractions = at, []

    def report(self, fraction, _note=""):
        self.fractions.append(fraction)
        if len(self.fractions) == self.at:
            raise Cancelled


def test_progress_is_truthful_and_a_stop_leaves_nothing_behind():
    table = table_of(zip=["37203", "38103"] * 2, sex="MMFF", age=["30"] * 4)
    rules = {"zip": {"kind": "zip"}, "sex": FLAT, "age": DECADES}
    joined = {
        "kind": "built_in",
        "tables": ("zip5_2020", "states_2020"),
        "states": ("Tennessee",),
    }
    project = project_of(rules, joined)
    whole = Stopper()
    expected = build_classes(project, table, {}, monitor=whole)
    assert whole.fractions == sorted(whole.fractions)
    assert whole.fractions[0] >= 0
    assert whole.fractions[-1] == 1
    cache = HierarchyCache()
    for at in range(1, len(whole.fractions) + 1, 4):
        with contextlib.suppress(Cancelled):
            stopper = Stopper(at)
            build_classes(project, table, {}, cache=cache, monitor=stopper)
            assert len(stopper.fractions) < at, "was to be stopped"
    found = build_classes(project, table, {}, cache=cache)
    assert found.population == expected.population


# -- a person's own files --------------------------------------------------------------


def test_a_file_that_writes_values_alike_needs_nobody():
    table = table_of(sex="1122", age=["30", "31", "30", "47"])
    rows = [("1", "30"), ("1", "31"), ("2", "30"), ("2", "47"), ("2", "88")]
    classes = build_classes(project_of(RULES, OWN), table, {}, own_file(rows))
    assert classes.population.basis == "counted"
    assert classes.population.remarks == ()
    assert "88" in classes.class_table.hierarchies[1].leaves


def test_a_file_that_writes_values_otherwise_is_read_or_asked_about():
    table = table_of(sex="MMFF", age=["30", "31", "30", "47"])
    words = [("male", "30"), ("Male ", "31"), ("female", "30"), ("f", "47")]
    found = propose_matching(project_of(RULES, OWN), table, {}, own_file(words))
    assert found.is_ready
    assert found.population.coverage.n_records_raised == 0
    codes = [("1", "30"), ("1", "31"), ("2", "30"), ("2", "47")]
    found = propose_matching(project_of(RULES, OWN), table, {}, own_file(codes))
    # Numbers of the file, words of the data: whose numbers they are is not guessed.
    assert not found.is_ready
    assert {each.attribute for each in found.attributes if each.problems} == {"sex"}


def test_more_records_than_people_raise_them_and_are_told():
    table = table_of(sex="MMMF", age=["30", "30", "31", "47"])
    rows = [("M", "30"), ("M", "31"), ("M", "31"), ("F", "47"), ("F", "31")]
    classes = build_classes(project_of(RULES, OWN), table, {}, own_file(rows))
    assert population_at(classes.class_table) == {
        ("M", "30"): 2,
        ("M", "31"): 2,
        ("F", "47"): 1,
    }
    seen = classes.population.coverage
    assert (seen.n_cells_raised, seen.n_records_raised) == (1, 2)
    assert seen.n_records_without_population == 0
    assert [each.code for each in classes.population.remarks] == ["people_raised"]
    # Two of four records: a reader is warned.
    assert any("50\u202f%" in each for each in classes.population.warnings())


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("MF"), st.sampled_from("123")), min_size=1),
    st.lists(st.tuples(st.sampled_from("MF"), st.sampled_from("1239")), min_size=1),
)
def test_people_are_the_larger_of_people_and_records(records, persons):
    """Against plain counting, wherever every value of the data is found."""
    table = table_of(sex=[r[0] for r in records], age=[f"{r[1]}0" for r in records])
    rows = [(s, f"{a}0") for s, a in persons]
    project = project_of(RULES, OWN)
    found = propose_matching(project, table, {}, own_file(rows))
    sexes, ages = ({r[k] for r in rows} for k in (0, 1))
    lacks = {r[0] for r in records} - sexes or {f"{r[1]}0" for r in records} - ages
    if lacks:
        assert "people_no_partner" in codes_of(found.all_problems)
        return
    classes = build_classes(project, table, {}, own_file(rows))
    own = pd.Series([(s, f"{a}0") for s, a in records]).value_counts()
    population_by = pd.Series(rows).value_counts()
    assert population_at(classes.class_table) == {
        cell: max(n, population_by.get(cell, 0)) for cell, n in own.items()
    }


def test_rows_of_counts_are_added_only_if_a_person_decided():
    table = table_of(**DATA)
    rows = [("M", "30", "4"), ("M", "30", "3"), ("F", "47", "9"), ("F", "31", "9")]
    rows += [("M", "31", "8")]
    counts = own_file(rows, ("sex", "age", "n"))
    project = project_of(RULES, {**OWN, "kind": "counts", "count_column": "n"})
    found = propose_matching(project, table, {}, counts)
    assert codes_of(found.problems) == ["population_cell_twice"]
    added = matching.set_adds_rows(True)(project)
    assert fingerprint(added, Decides.CLASSES) != fingerprint(project, Decides.CLASSES)
    classes = build_classes(added, table, {}, counts)
    assert population_at(classes.class_table)["M", "30"] == 7
    assert [each.code for each in classes.population.remarks] == ["people_rows_added"]
    assert classes.population.basis == "counted"


def test_a_file_without_an_attribute_is_decided_like_a_table():
    table = table_of(**DATA)
    rows = own_file([("M",), ("F",), ("F",)], ("sex",))
    project = project_of(RULES, OWN)
    found = propose_matching(project, table, {}, rows)
    assert codes_of(found.of("age").problems) == ["population_attribute_missing"]
    decided = matching.set_lacking("age", "left aside")(project)
    classes = build_classes(decided, table, {}, rows)
    assert classes.population.is_modelled
    assert "people_left_aside" in [each.code for each in classes.population.remarks]


def test_a_column_is_chosen_and_decisions_on_the_old_one_are_given_up():
    table = table_of(**DATA)
    rows = [("M", "f", "30"), ("F", "m", "31"), ("F", "f", "47")]
    names = ("sex", "gender", "age")
    project = project_of(RULES, OWN)
    match = propose_matching(project, table, {}, own_file(rows, names)).of("sex")
    assert match.targets == names
    decided = matching.confirm_match(match)
    files = {decided.name: decided.content}
    project = matching.set_target("sex", "gender")(decided.op(project))
    assert project.privacy.population.columns == {"sex": "gender"}
    found = propose_matching(project, table, files, own_file(rows, names))
    assert found.of("sex").mapping.target.name == "gender"
    assert found.of("sex").choice.csv is None


def test_values_stay_out_of_what_is_shown_of_objects():
    table = table_of(sex="12", age=["30", "Secret"])
    project = project_of(RULES, TENNESSEE)
    found = propose_matching(project, table, {})
    shown = repr(found) + repr(found.attributes) + repr(found.all_problems)
    assert "Secret" not in shown
    decided = matching.confirm_match(found.of("sex"))
    assert "Male" not in repr(decided)


def test_an_attribute_with_an_odd_name_has_a_file_of_its_own():
    names = [
        matching.mapping_file_name(n, b"x") for n in ("a/../b", "a:b", "", "é" * 99)
    ]
    assert len(set(names)) == len(names)
    for name in names:
        assert name.startswith("mappings/")
        assert ".." not in name
        assert ":" not in name
        assert len(name) < 80
    assert Attribute(name="a/../b").name not in names[0]


def test_several_columns_that_nobody_knows_are_decided_at_once():
    rules = dict.fromkeys(("age", "ward", "floor"), FLAT)
    project = project_of(rules, TENNESSEE)
    done = matching.set_all_lacking(("ward", "floor"), "independent")(project)
    known = done.privacy.population.matches
    assert {name: each.lacking for name, each in known.items()} == {
        "ward": "independent",
        "floor": "independent",
    }
    again = matching.set_lacking("ward", "left aside")(done)
    assert again.privacy.population.matches["floor"].lacking == "independent"
