"""A file of the population becomes people per combination, or a coded error."""

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app import ops
from deidgui.app.changes import fingerprint
from deidgui.app.classes import build_classes
from deidgui.app.commands import headless
from deidgui.app.decides import Decides
from deidgui.app.demands import check_models, model_problem, sensitive_demands
from deidgui.app.matching import propose_matching
from deidgui.app.population.files import (
    propose_population,
    read_population,
)
from deidgui.app.population.mapping import joined_column
from deidgui.app.project import (
    Attribute,
    HierarchyChoice,
    InputFile,
    MatchChoice,
    PopulationChoice,
    Privacy,
    Project,
)
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.app.text import message_for
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.hierarchy_build import missing_token
from deidgui.engine.data.population import SamplingFraction
from deidgui.engine.data.table import Column, Table
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.errors import ConfigError, DeidError, InputError, ProblemsError

DATA = [("f", "20", "flu"), ("f", "20", "flu"), ("m", "31", "gout"), ("m", "47", "")]
POPULATION = [("f", "20")] * 3 + [("m", "31"), ("m", "31"), ("m", "47"), ("f", "88")]
BANDS = {"kind": "masking"}


def columns(names, rows):
    return tuple(
        Column.from_texts(name, [row[place] for row in rows])
        for place, name in enumerate(names)
    )


def table(rows=DATA):
    return Table("data.csv", columns(("sex", "age", "illness"), rows))


def population_counts(rows=POPULATION, names=("sex", "age")):
    return Table("people.csv", columns(names, rows))


def population(kind="register", **changes):
    return PopulationChoice(
        kind=kind, file=InputFile(name="population", file="people.csv"), **changes
    )


def project(known=None, models=({"kind": "k_anonymity", "k": 2},), **age):
    flat = HierarchyChoice(rule={"kind": "flat"})
    return Project(
        inputs=(InputFile(file="data.csv"),),
        attributes=(
            Attribute(name="sex", role="quasi_identifier", hierarchy=flat),
            Attribute(
                name="age",
                role="quasi_identifier",
                **{"hierarchy": HierarchyChoice(rule=BANDS), **age},
            ),
            Attribute(name="illness", role="sensitive"),
        ),
        privacy=Privacy(models=models, population=known or population()),
    )


def build(decided, rows=None, files=None):
    rows = population_counts() if rows is None else rows
    return build_classes(decided, table(), files or {}, rows)


def codes_of(error):
    problems = getattr(error.value, "problems", (error.value,))
    for problem in problems:
        message_for(problem)
    return [problem.code for problem in problems]


def sizes_at(class_table, levels):
    """People by released values, from the class table."""
    classes = classes_at(class_table, levels)
    labels = [
        tuple(
            h.levels[level].labels[group]
            for h, level, group in zip(
                class_table.hierarchies, levels, row, strict=True
            )
        )
        for row in classes.groups
    ]
    return dict(zip(labels, classes.population.sizes, strict=True))


def test_a_register_is_counted_by_combination():
    found = build(project()).class_table
    assert sizes_at(found, (0, 0)) == {
        ("f", "20"): 3,
        ("m", "31"): 2,
        ("m", "47"): 1,
    }
    assert found.population.population_size == len(POPULATION)
    # Somebody of 88 has a leaf although nobody in the data is as old.
    assert "88" in found.hierarchies[1].leaves
    top = found.hierarchies[1].height
    assert set(sizes_at(found, (0, top)).values()) == {4, 3}


def test_counts_are_the_same_as_a_register():
    counted = [(*cell, str(n)) for cell, n in Counter(POPULATION).items()]
    counted += [("m", "20", "0")]
    rows = population_counts(counted, ("sex", "age", "n"))
    found = build(project(population("counts", count_column="n")), rows).class_table
    expected = build(project()).class_table
    assert sizes_at(found, (0, 0)) == sizes_at(expected, (0, 0))
    assert found.population.population_size == expected.population.population_size


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("fm"), st.sampled_from("1234")), max_size=30),
    st.integers(0, 1),
    st.integers(0, 2),
)
def test_people_of_every_class_are_those_a_plain_count_finds(others, sex, age):
    """Against counting the released texts of each person."""
    rows = [cell[:2] for cell in DATA] + [(s, f"{a}0") for s, a in others]
    class_table = build(project(), population_counts(rows)).class_table
    age = min(age, class_table.hierarchies[1].height)
    levels = (min(sex, class_table.hierarchies[0].height), age)

    def released(cell):
        return tuple(
            h.label(level, h.index[text])
            for h, level, text in zip(
                class_table.hierarchies, levels, cell, strict=True
            )
        )

    expected = Counter(map(released, rows))
    found = sizes_at(class_table, levels)
    assert found == {label: expected[label] for label in found}
    assert set(found) == {released(cell[:2]) for cell in DATA}


def test_columns_may_have_other_names():
    known = population(columns={"sex": "gender", "age": "years"})
    rows = population_counts(names=("gender", "years"))
    assert build(project(known), rows).class_table.population.population_size == len(
        POPULATION
    )


def test_a_missing_value_of_the_population_has_a_leaf():
    rows = population_counts([*POPULATION, ("", "20"), ("f", "")])
    found = build(project(), rows).class_table
    assert found.population.population_size == len(POPULATION) + 2
    assert found.hierarchies[1].missing_leaf is not None


def test_without_a_file_there_are_no_people():
    for known, expected in (
        (PopulationChoice(), None),
        (
            PopulationChoice(kind="sampling_fraction", sampling_fraction=0.2),
            SamplingFraction(0.2),
        ),
    ):
        found = build_classes(project(known), table(), {})
        assert found.class_table.population == expected
    with pytest.raises(InputError) as error:
        build_classes(project(), table(), {})
    assert codes_of(error) == ["population_not_read"]


def test_a_column_that_is_not_there_is_told():
    with pytest.raises(ProblemsError) as error:
        build(project(), population_counts(names=("gender", "years")))
    assert codes_of(error) == ["population_attribute_missing"] * 2
    assert [p.params["attribute"] for p in error.value.problems] == ["sex", "age"]


def test_a_column_cannot_mean_two_things():
    with pytest.raises(InputError) as error:
        build(project(population(columns={"age": "sex"})))
    assert codes_of(error) == ["population_column_twice"]


def test_people_whom_a_hierarchy_made_by_hand_lacks_are_left_out_and_told():
    files = {"age.csv": b"20;young;*\n31;young;*\n47;old;*\n"}
    by_hand = project(hierarchy=HierarchyChoice(csv="age.csv"))
    found = build(by_hand, files=files)
    assert sizes_at(found.class_table, (1, 1)) == {("*", "young"): 5, ("*", "old"): 1}
    assert found.population.coverage.n_population_outside == 1
    assert [each.code for each in found.population.remarks] == ["people_outside"]
    # They are a class without records: a presence that must be possible is not.
    assert classes_at(found.class_table, (1, 2)).population.n_empty == 1
    files["age.csv"] += b"88;old;*\n"
    found = build(by_hand, files=files)
    assert found.population.coverage.n_population_outside == 0
    assert classes_at(found.class_table, (1, 2)).population.n_empty == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("-1", "population_count_negative"),
        ("1.5", "population_count_fractional"),
        ("", "population_count_empty"),
        (" ", "population_count_empty"),
        ("many", "population_count_no_number"),
        ("٣٤", "population_count_no_number"),
        ("１２", "population_count_no_number"),
        ("1²", "population_count_no_number"),
        ("1,000", "population_count_no_number"),
        ("1e3", "population_count_no_number"),
        ("99999999999999999999999", "population_count_large"),
    ],
)
def test_what_is_no_count_is_told_with_its_line(text, code):
    rows = population_counts(
        [("f", "20", "3"), ("m", "31", text), ("m", "47", "2.0")], ("sex", "age", "n")
    )
    with pytest.raises(InputError) as error:
        build(project(population("counts", count_column="n")), rows)
    assert codes_of(error) == [code]
    assert error.value.params["line"] == rows.lines.line(1)
    assert error.value.params["n_rows"] == 1
    if text.strip():
        assert text not in str(message_for(error.value)).replace("line", "")
        assert text not in repr(error.value)


def test_a_combination_on_two_lines_is_told():
    rows = population_counts(
        [("f", "20", "3"), ("m", "31", "1"), ("f", "20", "3")], ("sex", "age", "n")
    )
    with pytest.raises(InputError) as error:
        build(project(population("counts", count_column="n")), rows)
    assert codes_of(error) == ["population_cell_twice"]
    assert error.value.params["line"] - error.value.params["first_line"] == 2


def test_counts_of_nobody_and_undecided_counts_are_told():
    rows = population_counts([("f", "20", "0")], ("sex", "age", "n"))
    with pytest.raises(InputError) as error:
        build(project(population("counts", count_column="n")), rows)
    assert codes_of(error) == ["population_file_empty"]
    with pytest.raises(ConfigError) as error:
        build(project(population("counts")), rows)
    assert codes_of(error) == ["population_count_undecided"]


def test_everything_wrong_is_told_at_once():
    rows = population_counts([("f", "20", "-3"), ("m", "31", "")], ("sex", "age", "n"))
    with pytest.raises(ProblemsError) as error:
        build(project(population("counts", count_column="n")), rows)
    assert set(codes_of(error)) == {
        "population_count_negative",
        "population_count_empty",
    }


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.sampled_from(["", "a", "b", "c", "é", "NA"]), min_size=1, max_size=8),
    st.lists(st.sampled_from(["", "a", "d", "A", "NA", "ü"]), min_size=1, max_size=8),
)
def test_a_joined_column_keeps_rows_and_knows_all_values(own, other):
    tokens = ("", "NA")
    column = Column.from_texts("x", own, tokens)
    population_counts = Column.from_texts("x", other, tokens)
    joined = joined_column(
        column, population_counts.present(), missing_token(population_counts)
    )
    assert [joined.text(row) for row in range(len(own))] == own
    values = {text for text in own + other if text not in tokens}
    assert set(joined.present()) == values
    assert joined.texts() == sorted(set(joined.texts()))
    has_missing = any(text in tokens for text in own + other)
    assert (joined.n_missing > 0) == has_missing
    counts = Counter(text for text in own if text not in tokens)
    for text, n in zip(joined.texts(), joined.counts, strict=True):
        assert text in tokens or n == counts[text]


# -- matching --------------------------------------------------------------------------


def test_records_that_the_population_lacks_are_counted():
    rows = population_counts([("f", "20"), ("m", "31"), ("m", "50")])
    found = propose_matching(project(), table(), {}, rows)
    # Nobody is 47: nothing is guessed, somebody has to accept it.
    assert [each.code for each in found.all_problems] == ["people_no_partner"]
    accepts = MatchChoice(target="age", accepts_unmatched=True)
    accepted = project(population(matches={"age": accepts}))
    found = propose_matching(accepted, table(), {}, rows)
    # Two records are f, 20 and one person is; nobody is m, 47.
    seen = found.population.coverage
    assert (seen.n_records, seen.n_records_raised) == (4, 3)
    assert (found.population_size, found.n_cells) == (3, 3)
    whole = propose_matching(project(), table(), {}, population_counts())
    seen = whole.population.coverage
    assert (seen.n_records, seen.n_records_raised) == (4, 0)
    assert whole.all_problems == ()


def test_a_match_tells_problems_instead_of_failing():
    found = propose_matching(
        project(), table(), {}, population_counts(names=("a", "b"))
    )
    assert [each.code for each in found.all_problems] == [
        "population_attribute_missing"
    ] * 2
    assert found.population_size == 0


# -- what makes classes stale ----------------------------------------------------------


def with_models(decided, *models):
    return ops.change_privacy(models=models)(decided)


def sensitive_models():
    """Every model that names a sensitive attribute, for "illness"."""
    from tests.contracts.models import some_of

    found = []
    for kind in PRIVACY_MODELS:
        if kind.needs_sensitive:
            stored = {**some_of(kind)[0].to_json(), "attribute": "illness"}
            found.append(stored)
    return found


def test_thresholds_do_not_touch_the_classes():
    before = project(PopulationChoice())
    after = with_models(before, {"kind": "k_anonymity", "k": 9})
    assert fingerprint(before, Decides.CLASSES) == fingerprint(after, Decides.CLASSES)
    assert fingerprint(before, Decides.SEARCH) != fingerprint(after, Decides.SEARCH)


def test_the_population_and_its_columns_do():
    variants = [
        PopulationChoice(),
        PopulationChoice(kind="sampling_fraction", sampling_fraction=0.1),
        PopulationChoice(kind="sampling_fraction", sampling_fraction=0.2),
        population(),
        population("counts"),
        population("counts", count_column="n"),
        population(columns={"age": "years"}),
    ]
    prints = [fingerprint(project(each), Decides.CLASSES) for each in variants]
    assert len(set(prints)) == len(prints)
    moved = population().but(file=InputFile(name="population", file="elsewhere.csv"))
    assert fingerprint(project(moved), Decides.CLASSES) == fingerprint(
        project(), Decides.CLASSES
    )
    other = population(columns={"illness": "disease"})
    assert fingerprint(project(other), Decides.CLASSES) == fingerprint(
        project(), Decides.CLASSES
    )


def test_a_sensitive_attribute_does_and_its_thresholds_do_not():
    models = sensitive_models()
    if not models:
        pytest.skip("no model protects an attribute")
    plain = project(PopulationChoice())
    for stored in models:
        protected = with_models(plain, stored)
        assert fingerprint(protected, Decides.CLASSES) != fingerprint(
            plain, Decides.CLASSES
        )
        assert list(sensitive_demands(protected)) == ["illness"]
        classes = build_classes(protected, table(), {})
        found = classes.class_table.sensitive["illness"]
        # Four records, one of them without a value.
        assert dict(zip(found.values, found.totals, strict=True)) == {
            "": 1,
            "flu": 2,
            "gout": 1,
        }
    for one, other in itertools.combinations(models, 2):
        both = [with_models(plain, each) for each in (one, other)]
        demands = [sensitive_demands(each) for each in both]
        prints = [fingerprint(each, Decides.CLASSES) for each in both]
        assert demands[0] != demands[1] or prints[0] == prints[1]


def test_a_role_that_changed_is_told_at_the_field():
    models = sensitive_models()
    if not models:
        pytest.skip("no model protects an attribute")
    for stored in models:
        decided = with_models(project(), stored)
        plain = ops.set_role("illness", "insensitive")(decided)
        (model,) = decided.privacy.models
        problem = model_problem(model, plain)
        assert problem.code == "attribute_not_sensitive"
        assert problem.params["parameter"] == "attribute"
        assert "illness" in str(message_for(problem))
        undecided = model_problem(replace(model, attribute=""), plain)
        assert undecided.code == "sensitive_undecided"
        assert len(check_models(plain)) == 1
        assert sensitive_demands(plain) == {}
        # The classes can be counted all the same.
        build_classes(plain, table(), {}, population_counts())


def test_models_of_the_population_need_one():
    from tests.contracts.models import some_of

    nothing = project(PopulationChoice())
    fraction = project(PopulationChoice(kind="sampling_fraction", sampling_fraction=1))
    for kind in PRIVACY_MODELS:
        model = some_of(kind)[0]
        if kind.needs_sensitive:
            model = replace(model, attribute="illness")
        if kind.needs_population:
            problem = model_problem(model, nothing)
            assert problem.code.startswith("population_")
            assert str(message_for(problem))
        if kind.needs_counted_population:
            problem = model_problem(model, fraction)
            assert problem.code == "population_not_counted"


# -- files -----------------------------------------------------------------------------


def write(folder: Path, counted: bool = False) -> Path:
    (folder / "data.csv").write_text(
        "sex,age,illness\n" + "".join(",".join(row) + "\n" for row in DATA)
    )
    if counted:
        lines = [f"{s};{a};{n}\n" for (s, a), n in Counter(POPULATION).items()]
        (folder / "people.csv").write_text("Sex;AGE;people\n" + "".join(lines))
    else:
        lines = [f"{s};{a}\n" for s, a in POPULATION]
        (folder / "people.csv").write_text("Sex;AGE\n" + "".join(lines))
    return folder / "people.csv"


@pytest.mark.parametrize("kind", ["register", "counts"])
def test_what_the_names_tell_is_proposed(tmp_path, kind):
    loaded = read_population(write(tmp_path, kind == "counts"))
    choice = propose_population(project(), loaded, kind)
    assert choice.columns == {"sex": "Sex", "age": "AGE"}
    assert choice.count_column == ("people" if kind == "counts" else None)
    assert choice.file.dialect.delimiter == ";"
    found = propose_matching(project(choice), table(), {}, loaded.table)
    assert found.all_problems == ()
    assert found.population_size == len(POPULATION)


def test_two_columns_that_may_be_the_count_are_left_undecided(tmp_path):
    (tmp_path / "p.csv").write_text("sex,age,n,weight\nf,20,3,4\n")
    loaded = read_population(tmp_path / "p.csv")
    assert propose_population(project(), loaded, "counts").count_column is None


def headless_project(folder):
    path = write(folder)
    choice = propose_population(project(), read_population(path), "register")
    decided = project(choice)
    decided = ops.change_privacy(suppression_limit=1.0)(decided)
    decided = ops.confirm_roles()(ops.set_protection(None)(decided))
    save_project(decided, folder / "p.deid.json")
    return path


def test_the_command_line_finds_the_population_beside_the_project(tmp_path):
    path = headless_project(tmp_path)
    found = headless.search(tmp_path / "p.deid.json", {})
    assert found["records"] == len(DATA)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    path.rename(moved / "people.csv")
    with pytest.raises(InputError) as error:
        headless.search(tmp_path / "p.deid.json", {})
    assert error.value.code == "input_not_found"
    assert error.value.params["name"] == "population"
    again = {"population": moved / "people.csv"}
    assert headless.search(tmp_path / "p.deid.json", again)["records"] == len(DATA)


def test_a_population_that_changed_is_refused_unless_it_is_named(tmp_path):
    path = headless_project(tmp_path)
    path.write_text(path.read_text() + "f;20\n")
    with pytest.raises(InputError) as error:
        headless.search(tmp_path / "p.deid.json", {})
    assert error.value.code == "input_changed"
    assert error.value.params["name"] == "population"
    headless.search(tmp_path / "p.deid.json", {"population": path})


def test_a_population_without_rows_is_refused(tmp_path):
    (tmp_path / "p.csv").write_text("sex,age\n")
    with pytest.raises(DeidError) as error:
        read_population(tmp_path / "p.csv")
    assert str(message_for(error.value))


def test_a_project_keeps_its_population(tmp_path):
    from deidgui.app.storage.project_io import dump_project, parse_project

    decided = project(population("counts", count_column="n", columns={"age": "years"}))
    assert parse_project(dump_project(decided), "p") == decided
    for wrong in (
        {"kind": "register"},
        {"kind": "none", "file": {"file": "x.csv"}},
        {"kind": "register", "file": {"file": "x.csv"}, "count_column": "n"},
    ):
        with pytest.raises(ValueError, match="goes with"):
            PopulationChoice.model_validate(wrong)


def test_a_large_register_is_counted_in_a_moment():
    rng = np.random.default_rng(5)
    n = 200_000
    rows = [("f" if s else "m", str(a)) for s, a in rng.integers(0, (2, 90), (n, 2))]
    found = propose_matching(project(), table(), {}, population_counts(rows))
    assert found.population_size == n
    assert found.n_cells == 180


@pytest.mark.parametrize(
    "model", [{"kind": "k_anonymity", "k": 2}, {"kind": "k_map", "k": 3}]
)
def test_a_release_states_where_the_people_come_from(tmp_path, model):
    headless_project(tmp_path)
    path = tmp_path / "p.deid.json"
    decided = load_project(path)
    decided = ops.change_privacy(models=(model,))(decided)
    decided = ops.change_attribute("illness", include=False)(decided)
    decided = ops.change_export(suppressed="stars")(decided)
    save_project(decided, path)
    done = headless.run(path, tmp_path / "out", {})
    assert done["evidence"]["risk"]["population_known"] == "register"
    assert all(each["satisfied"] for each in done["evidence"]["models"])
    table, population_counts = done["evidence"]["inputs"]
    assert (table["file"], population_counts["file"]) == ("data.csv", "people.csv")
    assert (population_counts["rows"], population_counts["columns"]) == (
        len(POPULATION),
        2,
    )
    assert headless.verify(tmp_path / "out")["ok"]
