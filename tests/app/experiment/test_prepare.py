"""Columns, ages and people of a file, against counts taken by hand."""

from dataclasses import replace

import pytest

from deidgui.app.experiment.case import case_of_file
from deidgui.app.experiment.options import ExperimentOptions
from deidgui.app.experiment.population import load_population, suitable_tables
from deidgui.app.text import text_of
from deidgui.engine.population.built_in import load
from deidgui.errors import ConfigError, DeidError, InputError, ProblemsError

NATION = ExperimentOptions(table="us_2014")
SECRET = "Zorblatt"
RACES = {
    "White": ("White",),
    "Black": ("Black or African American",),
    "Asian": ("Asian",),
}


def records():
    """A few hundred made-up people, some of them old."""
    rows = [
        (("Male", "Female")[n % 2], ("White", "White", "Black", "Asian")[n % 4], n % 60)
        for n in range(240)
    ]
    rows += [("Female", "White", 91), ("Male", "Black", 95), ("Male", "White", 99)]
    return [(sex, race, str(20 + age if age < 60 else age)) for sex, race, age in rows]


def written(folder, header, rows, name="people.csv"):
    path = folder / name
    lines = [",".join(header), *(",".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def case(path, options=NATION, **changes):
    return case_of_file(path, replace(options, **changes))


def codes(caught):
    error = caught.value
    problems = error.problems if isinstance(error, ProblemsError) else (error,)
    return [each.code for each in problems]


def population_of(table):
    """People by sex, race and age, one cell after the other."""
    found = {}
    places = [table.place(name) for name in ("sex", "race", "age")]
    for cell, n in zip(table.cells.tolist(), table.counts.tolist(), strict=True):
        key = tuple(table.attributes[place].values[cell[place]] for place in places)
        found[key] = found.get(key, 0) + n
    return found


def slow_threshold(rows, population):
    """Sum of 1 / g under Safe Harbor, record by record."""

    def old(age):
        return min(int(age.rstrip("+")), 90)

    groups = {}
    for (sex, race, age), n in population.items():
        key = sex, race, old(age)
        groups[key] = groups.get(key, 0) + n
    return sum(
        1 / sum(groups[sex, name, old(age)] for name in RACES[race])
        for sex, race, age in rows
    )


def test_threshold_equals_a_sum_by_hand(tmp_path):
    path = written(tmp_path, ("sex", "race", "age"), records())
    made = case(path)
    expected = slow_threshold(records(), population_of(load("us_2014")))
    assert made.rule.threshold == pytest.approx(expected, rel=1e-12)
    assert made.reference.risk == made.rule.threshold
    assert made.reference.generalizations == ("∅", "∅", "[90-100]")
    assert made.facts["population"]["basis"] == "counted"
    # Ages of the population are values too (methods.md A.1).
    age = made.rule.space.domains[2]
    assert age.values == tuple(map(str, range(101)))
    # Rare races are neighbours.
    assert made.rule.space.domains[1].values == ("White", "Black", "Asian")


def test_columns_are_found_by_their_values_and_can_be_named(tmp_path):
    rows = [("x", *row, row[1]) for row in records()]
    path = written(tmp_path, ("note", "g", "r1", "years", "r2"), rows)
    with pytest.raises(DeidError) as caught:
        case(path)
    assert set(codes(caught)) == {
        "experiment_columns_several",
        "experiment_column_missing",
    }
    assert "--column race=NAME" in text_of(caught.value)
    made = case(path, columns={"race": "r1", "age": "years"})
    assert [each["source"] for each in made.facts["mapping"]] == ["g", "r1", "years"]


def test_names_that_a_person_gave_wrong(tmp_path):
    path = written(tmp_path, ("sex", "race", "age"), records())
    with pytest.raises(DeidError) as caught:
        case(path, columns={"size": "sex", "age": "years", "race": "sex"})
    assert set(codes(caught)) == {
        "experiment_subject",
        "experiment_column_unknown",
        "experiment_column_twice",
    }


# -- ages ------------------------------------------------------------------------------


def test_ages_follow_from_dates_of_birth(tmp_path):
    births = ["1990-06-15", "1990-06-16", "1930-01-01", ""]
    rows = [("Male", "White", b, "2020-06-15") for b in births for _ in range(3)]
    path = written(tmp_path, ("sex", "race", "birth_date", "admission_date"), rows)
    with pytest.raises(InputError) as caught:
        case(path)
    assert caught.value.code == "experiment_birth_date"
    for at in ("admission_date", "2020-06-15"):
        made = case(path, ages_at=at)
        domain, cells = made.rule.space.domains[2], made.cells
        counted = {
            domain.values[cell[2]]: n
            for cell, n in zip(cells.values.tolist(), cells.records, strict=True)
        }
        # The day before a birthday is still the old year.
        assert counted == {"30": 3, "29": 3, "90": 3}
        assert cells.coverage.n_records_left_out == 3
    with pytest.raises(InputError) as caught:
        case(path, ages_at="15.6.2020")
    assert caught.value.code == "experiment_ages_at"


def test_births_after_the_day_are_refused(tmp_path):
    rows = [("Male", "White", b) for b in ["1990-06-15"] * 5 + ["2021-01-01"]]
    path = written(tmp_path, ("sex", "race", "birth_date"), rows)
    with pytest.raises(InputError) as caught:
        case(path, ages_at="2020-06-15")
    assert caught.value.code == "experiment_age_unreadable"
    assert caught.value.params["n_records"] == 1


def test_ages_in_units(tmp_path):
    rows = [("Male", "White", n, u) for n, u in (("5", "days"), ("30", "months"))]
    rows += [("Female", "White", "41", "years")] * 3
    path = written(tmp_path, ("sex", "race", "age", "unit"), rows)
    made = case(path, age_unit="unit")
    domain, cells = made.rule.space.domains[2], made.cells
    ages = {domain.values[place] for place in cells.values[:, 2].tolist()}
    assert ages == {"0", "2", "41"}


def top_coded():
    rows = [("Male", "White", str(age)) for age in range(50, 90)]
    return rows + [("Male", "White", "90")] * 9


def test_the_highest_age_is_read_as_in_the_paper_or_as_open(tmp_path):
    path = written(tmp_path, ("sex", "race", "age"), top_coded())
    exact = case(path)
    assert exact.rule.space.domains[2].values[-1] == "100"
    (doubt,) = exact.facts["mapping"][2]["doubts"]
    assert doubt["code"] == "people_age_top"
    assert "taken as it is written" in doubt["decided_by"]
    opened = case(path, replace(NATION, top_age="open"))
    assert opened.rule.space.domains[2].values[-1] == "90"
    assert opened.reference.generalizations == ("∅", "∅", "∅")
    assert opened.rule.threshold == pytest.approx(exact.rule.threshold, rel=1e-12)
    with pytest.raises(ConfigError):
        ExperimentOptions(top_age="some")


# -- what is in doubt ------------------------------------------------------------------


def test_values_without_a_counterpart(tmp_path):
    rows = [*records(), ("Male", SECRET, "33"), ("Male", "", "34")]
    path = written(tmp_path, ("sex", "race", "age"), rows)
    with pytest.raises(InputError) as caught:
        case(path)
    assert caught.value.code == "experiment_no_partner"
    assert caught.value.params["n_records"] == 1
    text = text_of(caught.value)
    assert "--accept-mapping" in text
    assert SECRET not in text + repr(caught.value)

    kept = case(path, replace(NATION, accepts_mapping=True))
    assert kept.cells.n_records == len(records())
    assert kept.cells.coverage.n_records == len(rows)
    assert kept.cells.coverage.n_records_without_population == 2
    assert kept.facts["accepted_mapping"]
    race = kept.facts["mapping"][1]
    assert (race["unmatched_records"], race["missing_records"]) == (1, 1)

    left = case(path, replace(NATION, leaves_out=True))
    assert left.cells.n_records == len(records())
    assert left.facts["left_out_records"] == 2
    assert left.facts["rows_of_file"] == len(rows)
    assert left.rule.space.domains[1].values == ("White", "Black", "Asian")
    plain = case(written(tmp_path, ("sex", "race", "age"), records(), "plain.csv"))
    assert left.rule.threshold == pytest.approx(plain.rule.threshold, rel=1e-12)


def test_codes_are_in_doubt(tmp_path):
    rows = [(("1", "2")[n % 2], "White", str(20 + n % 60)) for n in range(120)]
    path = written(tmp_path, ("sex", "race", "age"), rows)
    with pytest.raises(InputError) as caught:
        case(path)
    assert caught.value.code == "experiment_doubt"
    accepted = case(path, replace(NATION, accepts_mapping=True))
    (doubt,) = accepted.facts["mapping"][0]["doubts"]
    assert "--accept-mapping" in doubt["decided_by"]


def test_nothing_left(tmp_path):
    rows = [("Male", SECRET, "33"), ("Female", SECRET, "34")] * 5
    path = written(tmp_path, ("sex", "race", "age"), rows)
    with pytest.raises(InputError) as caught:
        case(path, replace(NATION, leaves_out=True), columns={"race": "race"})
    assert caught.value.code in ("experiment_nothing_left", "people_lack_attribute")


# -- tables of people ------------------------------------------------------------------


def test_tables_with_bands_become_single_ages_and_say_so():
    table = load_population(ExperimentOptions(table="states_2020", state="Ohio"))
    assert table.attribute("age").values == load("us_2014").attribute("age").values
    assert [each.code for each in table.assumptions][-1] == "people_single_ages"
    assert load_population(NATION).is_counted


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        (ExperimentOptions(table="zip5_2020"), "experiment_population"),
        (ExperimentOptions(table="atlantis"), "people_table_unknown"),
        (ExperimentOptions(state="Atlantis"), "people_value_unknown"),
    ],
)
def test_tables_that_do_not_fit(choice, code):
    with pytest.raises(InputError) as caught:
        load_population(choice)
    assert caught.value.code == code


def test_suitable_tables_know_sex_age_and_race():
    assert "us_2014" in suitable_tables()
    assert not any(name.startswith("zip") for name in suitable_tables())
