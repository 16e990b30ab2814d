"""A population from a file, in the whole program."""

from collections import Counter
from dataclasses import replace

import pytest

from deidgui.app import ops
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind, State
from deidgui.app.storage.project_io import load_project
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk.population_file import COUNT

N = 300
ROWS = [("FM"[i % 2], str(20 + i % 30), "abc"[i % 3]) for i in range(N)]
POPULATION = [row[:2] for row in ROWS for _ in range(3)]


@pytest.fixture
def risk(driver, tmp_path):
    """The page with a table that has two quasi-identifiers."""
    text = "".join(",".join(row) + "\n" for row in ROWS)
    (tmp_path / "patients.csv").write_text("sex,age,illness\n" + text)
    driver.open_data(tmp_path / "patients.csv")
    for name, role in (
        ("sex", "quasi_identifier"),
        ("age", "quasi_identifier"),
        ("illness", "sensitive"),
    ):
        driver.workspace.set_roles([name], role)
    driver.wait_idle()
    driver.session.apply(
        ops.change_privacy(
            models=({"kind": "k_anonymity", "k": 2},), suppression_limit=1.0
        ),
        "x",
    )
    driver.wait_idle()
    return driver.page("risk")


def written(folder, header, rows, name="people.csv"):
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    (folder / name).write_text(header + "\n" + text)
    return folder / name


def choose(driver, risk, path, kind):
    risk.population.kind.chosen.emit(kind)
    risk.watch.open(path, kind)
    driver.wait_idle()


def population(driver):
    return driver.project.privacy.population


def population_of(driver):
    classes = driver.session.current(Kind.CLASSES)
    return classes.class_table.population


def pick(combo, key):
    """Choose a key of a list as a user does."""
    place = combo.findData(key)
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def test_a_register_is_chosen_matched_undone_and_redone(driver, risk, tmp_path):
    choose(driver, risk, written(tmp_path, "sex,age", POPULATION), "register")
    assert population(driver).kind == "register"
    assert population_of(driver).population_size == len(POPULATION)
    seen = risk.watch.who()[0].coverage
    assert (seen.n_records, seen.n_records_raised) == (N, 0)
    assert not risk.population.who.isHidden()
    driver.session.undo()
    driver.wait_idle()
    assert population_of(driver) is None
    assert risk.population.shown_kind == "none"
    driver.session.redo()
    driver.wait_idle()
    assert population_of(driver).population_size == len(POPULATION)
    assert driver.problems == []


def test_columns_and_counts_are_mapped_at_their_fields(driver, risk, tmp_path):
    rows = [(*cell, n, 7) for cell, n in Counter(POPULATION).items()]
    choose(driver, risk, written(tmp_path, "gender,age,n,area", rows), "counts")
    file = risk.population.file
    assert file.problem_of("sex")
    assert not file.problem_of("age")
    # Counts are only looked at when the columns are known.
    pick(file.combos["sex"], "gender")
    driver.wait_idle()
    assert not file.problem_of("sex")
    assert file.problem_of(COUNT)
    assert driver.session.state(Kind.CLASSES) is State.STALE
    assert driver.window.notices.notices
    pick(file.combos[COUNT], "n")
    driver.wait_idle()
    assert not file.problem_of(COUNT)
    assert population(driver).columns == {"sex": "gender"}
    assert population_of(driver).population_size == len(POPULATION)
    # What was told about the classes is fixed and goes.
    assert driver.window.notices.notices == ()


def test_a_negative_count_is_told_with_its_line(driver, risk, tmp_path):
    rows = [["F", 20, 3], ["M", 21, -3]]
    choose(driver, risk, written(tmp_path, "sex,age,n", rows), "counts")
    assert "line 3" in risk.population.file.problem_of(COUNT)
    assert {error.code for _lane, error in driver.problems} == {
        "population_count_negative"
    }


def test_a_population_without_some_records_is_shown(driver, risk, tmp_path):
    few = [person for person in POPULATION if person[1] != "20"]
    choose(driver, risk, written(tmp_path, "sex,age", few), "register")
    n_alone = sum(row[1] == "20" for row in ROWS)
    state = risk.population.mapping.parts["age"].state
    assert state.needs_acceptance
    assert state.matches.n_records(state.matches.is_alone) == n_alone
    assert driver.session.current(Kind.CLASSES) is None
    risk.population.mapping.accepted_set.emit("age", True)
    driver.wait_idle()
    seen = risk.watch.who()[0].coverage
    assert seen.n_records_without_population == n_alone
    # As many people as records are taken where there are none.
    assert population_of(driver).population_size == len(few) + n_alone


def test_a_file_that_cannot_be_read_changes_nothing(driver, risk, tmp_path):
    (tmp_path / "empty.csv").write_text("")
    choose(driver, risk, tmp_path / "empty.csv", "register")
    assert population(driver).kind == "none"
    assert risk.watch.state().problem.code == "file_empty"
    assert risk.population.shown_kind == "register"


def test_changing_k_counts_nothing_anew(driver, risk, tmp_path):
    choose(driver, risk, written(tmp_path, "sex,age", POPULATION), "register")
    before = driver.session.current(Kind.CLASSES)
    risk.thresholds.editors[0].form.field("k").control.setValue(9)
    driver.wait_idle()
    assert driver.project.privacy.models[0].k == 9
    assert driver.session.current(Kind.CLASSES) is before


def test_a_project_with_a_population_is_opened_again(driver, risk, tmp_path):
    choose(driver, risk, written(tmp_path, "sex,age", POPULATION), "register")
    path = tmp_path / "p.deid.json"
    driver.workspace.save(path)
    assert load_project(path).privacy.population.file.file == "people.csv"
    driver.open_project(path)
    driver.wait(lambda: driver.session.current(Kind.CLASSES) is not None)
    assert population_of(driver).population_size == len(POPULATION)
    (tmp_path / "people.csv").unlink()
    driver.open_project(path)
    assert driver.session.current(Kind.CLASSES) is None
    told = driver.window.notices.notices
    assert any("people.csv" in notice.text for notice in told)
    assert risk.status().state is not StepState.NOT_YET


def test_t_closeness_by_hierarchy_leads_to_the_hierarchy(driver, risk):
    risk.thresholds.add_action("hierarchical_t_closeness").trigger()
    driver.wait_idle()
    editor = risk.thresholds.editors[1]
    assert editor.form.field("attribute").problem
    editor.go_button.click()
    page = driver.page("hierarchies")
    driver.wait_idle()
    names = [entry.name for entry in page.entries.entries]
    assert names == ["sex", "age", "illness"]
    driver.wait(lambda: driver.project.attribute("illness").hierarchy is not None)
    driver.wait_idle()
    page.choose("illness")
    driver.wait_idle()
    assert page.rule.limits.isHidden()
    classes = driver.session.current(Kind.CLASSES)
    assert classes.class_table.sensitive["illness"].hierarchy is not None
    risk = driver.page("risk")
    assert not risk.thresholds.editors[1].form.field("attribute").problem


def test_what_the_data_lack_is_told_before_any_search(driver, risk, tmp_path):
    few = [person for person in POPULATION if person[1] != "20"]
    choose(driver, risk, written(tmp_path, "sex,age", few), "register")
    assert risk.status().state is StepState.ATTENTION
    risk.population.mapping.accepted_set.emit("age", True)
    risk.thresholds.add_action("ordered_t_closeness").trigger()
    risk.thresholds.add_action("k_map").trigger()
    driver.wait_idle()
    # Illnesses are no numbers; where people are lacking, records are taken.
    models = list(driver.project.privacy.models)
    models[1] = replace(models[1], attribute="illness", order="numeric")
    risk.thresholds.models_edited.emit(tuple(models))
    driver.wait_idle()
    codes = [problem and problem.code for problem in risk.checks.problems()]
    assert codes == [None, "order_not_numeric", None]
    assert risk.thresholds.editors[1].form.field("attribute").problem
    assert risk.status().state is StepState.ATTENTION
    assert driver.session.state(LATTICE) is State.ABSENT


def test_census_tables_are_used_confirmed_saved_and_opened_again(
    driver, risk, tmp_path
):
    card = risk.population
    card.kind.chosen.emit("built_in")
    card.tables.tables_set.emit(("us_2014",))
    driver.wait_idle()
    # The sexes are spelt plainly; a person says what one age is taken for.
    assert population_of(driver) is not None
    card.mapping.partners_set.emit("age", "49", ("49", "50"))
    card.mapping.partners_set.emit("age", "20", ("18", "19", "20"))
    driver.wait_idle()
    known, is_stale = risk.watch.who()
    assert not is_stale
    assert population_of(driver).population_size >= known.coverage.n_population_inside
    path = tmp_path / "p.deid.json"
    driver.workspace.save(path)
    assert "Female" not in path.read_text()
    driver.open_project(path)
    driver.wait(lambda: driver.session.current(Kind.CLASSES) is not None)
    driver.wait_idle()
    matches = card.mapping.parts["age"].state.matches
    assert matches.mapping.is_confirmed
    places = {text: place for place, text in enumerate(matches.mapping.data.texts)}
    assert matches.partners(places["49"]) == ("49", "50")
    assert matches.partners(places["20"]) == ("18", "19", "20")
    assert risk.watch.who()[0].coverage == known.coverage
    # Without its file a confirmation is asked for again, and nothing is guessed.
    for file in (tmp_path / "mappings").iterdir():
        file.unlink()
    driver.open_project(path)
    driver.wait_idle()
    assert driver.session.current(Kind.CLASSES) is None
