"""The population of the page Risk and thresholds: tables, part, and what values are."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.jobs import JobRunner
from deidgui.app.loaded import Loaded
from deidgui.app.matching import cards
from deidgui.app.population.files import propose_population, read_population
from deidgui.app.project import (
    Attribute,
    HierarchyChoice,
    InputFile,
    PopulationChoice,
    Project,
)
from deidgui.engine.data.table import Column, Table
from deidgui.qt.models.population_values import MatchColumn, Show
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk.built_in import families
from deidgui.qt.pages.risk.page import RiskPage
from tests.qt.fakes import Later, fill

SEXES = ["F", "M", "F", "M", "F", "M", "?", "F"]
AGES = ["30", "31", "32", "33", "34", "35", "36", "37"]
RACES = ["White", "Black", "White", "Asian", "White", "Martian", "White", "Black"]
TOWNS = ["Adelheim", "Brunnau", "Castell", "Adelheim", *["Brunnau"] * 4]


def population_table():
    return Table(
        "patients.csv",
        (
            Column.from_texts("sex", SEXES * 5),
            Column.from_texts("age", AGES * 5),
            Column.from_texts("race", RACES * 5),
            Column.from_texts("town", TOWNS * 5),
        ),
    )


def begin(session, names=("sex", "age", "race", "town"), table=None):
    table = table or population_table()
    session.start(
        Project(
            inputs=(InputFile(file=table.name, n_rows=table.n_rows),),
            attributes=tuple(
                Attribute(
                    name=each,
                    role="quasi_identifier" if each in names else "insensitive",
                    hierarchy=HierarchyChoice(rule={"kind": "flat"}),
                )
                for each in table.column_names
            ),
        )
    )
    session.set_loaded(Loaded(Path(table.name), table, "0" * 64, None))


@pytest.fixture
def page(qtbot, workspace, settings):
    begin(workspace.session)
    made = RiskPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def using(page):
    """The page with the table of 2010 in use."""
    card(page, "us_2010").use_button.click()
    return page


def card(page, name):
    """Show a table's year on the card of its family."""
    page.population.kind.chosen.emit("built_in")
    for each in page.population.tables.family_cards:
        if name in each._cards:
            each.years.set_current(name)
            each.years.chosen.emit(name)
            return each
    raise KeyError(name)


def population(page):
    return page.session.project.privacy.population


def state(page, name):
    return page.population.mapping.parts[name].state


def detail(page, name):
    page.population.mapping.open_attribute(name)
    return page.population.mapping.parts[name].detail


def partners(page, name, text):
    matches = state(page, name).matches
    return matches.partners(matches.mapping.data.texts.index(text))


def settle(page):
    """Decide all that a person has to decide."""
    mapping = page.population.mapping
    mapping.lacking_set.emit("town", "independent")
    mapping.partners_set.emit("race", "Martian", ("White",))
    for name in ("sex", "age", "race"):
        if state(page, name).needs_confirmation:
            mapping.confirmed.emit(name)


# -- tables ----------------------------------------------------------------------------


def test_the_tables_are_offered_and_nothing_is_decided_by_that(page):
    page.population.kind.chosen.emit("built_in")
    assert population(page) == PopulationChoice()
    tables = page.population.tables
    assert not tables.isHidden()
    assert tables.others.is_open
    assert page.population.mapping.isHidden()
    assert page.population.built_in.isHidden()
    assert sum(len(each) for each in families(cards())) == len(cards())
    said = {each.shown.name: each.accessibleName() for each in tables.family_cards}
    assert len(said) == len(tables.family_cards) < len(cards())
    for name, words in said.items():
        assert ("MODELLED" in words) == name.endswith("modelled")
    page.population.kind.chosen.emit("none")
    assert tables.isHidden()


@pytest.mark.parametrize("name", [each.name for each in cards()])
def test_every_table_can_be_used_and_says_what_it_is(page, name):
    made = card(page, name)
    known = made.shown
    assert known.name == name
    made.use_button.click()
    assert population(page).tables == (name,)
    assert not page.population.tables.others.is_open
    assert not made.use_button.isEnabled()
    shown = made._lacks.text() + made._source.text() + made._size.text()
    assert all(each in shown for each in known.lacks)
    assert known.source in shown
    assert f"{known.total:,}" in shown
    page.session.undo()
    assert population(page) == PopulationChoice()
    assert page.population.shown_kind == "none"


def test_tables_are_combined_as_an_assumption(page):
    card(page, "states_2020").use_button.click()
    other = card(page, "zip3_2020")
    other.add_button.click()
    assert population(page).tables == ("states_2020", "zip3_2020")
    chosen = page.population.tables._chosen
    assert chosen.count() == 2
    assert not page.population.tables._joined.isHidden()
    chosen.itemAt(1).widget().remove_button.click()
    assert population(page).tables == ("states_2020",)
    assert page.population.tables._joined.isHidden()


def test_tables_without_anything_in_common_are_refused_in_words(page):
    table = Table(
        "z.csv",
        (
            Column.from_texts("sex", ["F", "M"] * 4),
            Column.from_texts("zip", ["37203", "37204"] * 4),
        ),
    )
    begin(page.session, ("sex", "zip"), table)
    card(page, "us_2010").use_button.click()
    card(page, "zip5_2020").add_button.click()
    codes = [each.code for each in page.watch.mapping().problems]
    assert codes == ["people_nothing_in_common"]
    assert not page.population.mapping._problem.isHidden()
    assert all(part.state.is_waiting for part in page.population.mapping.parts.values())


def test_other_tables_give_up_what_was_said_about_values(using):
    settle(using)
    assert population(using).matches
    card(using, "us_2014").use_button.click()
    assert population(using).tables == ("us_2014",)
    assert population(using).matches == {}
    using.session.undo()
    assert population(using).tables == ("us_2010",)
    assert population(using).matches


# -- whose people ----------------------------------------------------------------------


def test_states_are_chosen_by_name_with_the_keyboard(qtbot, page):
    card(page, "states_2022").use_button.click()
    part = page.population.built_in.states
    assert not part.isHidden()
    part.choice.setFocus()
    qtbot.keyClick(part.choice, Qt.Key.Key_Right)
    assert population(page).states == ()
    qtbot.keyClicks(part.list.field, "virginia")
    qtbot.keyClick(part.list.field, Qt.Key.Key_Return)
    view = part.list.view
    assert view.model().rowCount() == 2
    view.setCurrentIndex(view.model().index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert population(page).states == ("Virginia",)
    view.setCurrentIndex(view.model().index(1, 0))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert population(page).states == ("Virginia", "West Virginia")
    assert "2 of 51" in part._words.text()
    page.session.undo()
    assert part.list.checked == ("Virginia",)
    part.choice.chosen.emit("all")
    assert population(page).states == ()


def test_a_click_on_the_words_checks_a_state(qtbot, page):
    card(page, "states_2022").use_button.click()
    part = page.population.built_in.states
    part.choice.chosen.emit("some")
    view = part.list.view
    index = view.model().index(1, 0)
    view.scrollTo(index)
    spot = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert population(page).states == ("Alaska",)


def test_ages_are_limited_and_set_free(page):
    card(page, "us_2014").use_button.click()
    ages = page.population.built_in.ages
    assert page.population.built_in.states.isHidden()
    ages.choice.chosen.emit("some")
    assert (population(page).youngest, population(page).oldest) == (18, None)
    ages.oldest.setValue(64)
    assert (population(page).youngest, population(page).oldest) == (18, 64)
    page.session.undo()
    assert ages.oldest.value() == 120
    ages.choice.chosen.emit("all")
    assert (population(page).youngest, population(page).oldest) == (None, None)


def test_tables_without_people_s_ages_do_not_ask_for_them(page):
    card(page, "zip5_2020").use_button.click()
    assert page.population.built_in.ages.isHidden()
    assert not page.population.built_in.states.isHidden()


# -- what values stand for -------------------------------------------------------------


def test_every_quasi_identifier_says_how_it_stands(using):
    parts = using.population.mapping.parts
    assert list(parts) == ["sex", "age", "race", "town"]
    assert not state(using, "sex").needs_a_person
    assert state(using, "race").needs_acceptance
    assert state(using, "town").matches is None
    assert state(using, "town").needs_a_person
    words = {name: part.head.accessibleName() for name, part in parts.items()}
    assert "5 records" in words["race"]
    assert "not in the population" in words["town"]
    assert using.population.who.isHidden()
    ready = using.status()
    assert ready.state is StepState.ATTENTION


def test_values_are_listed_with_partner_reason_and_records(using):
    shown = detail(using, "sex")
    model = shown.model
    rows = [
        [model.index(row, place).data() for place in range(3)]
        for row in range(model.rowCount())
    ]
    assert ["F", "20", "Female"] in rows
    assert ["M", "15", "Male"] in rows
    assert ["?", "5", "a separate class"] in rows
    assert all(model.index(row, MatchColumn.REASON).data() for row in range(3))


def test_the_chosen_row_is_said_in_full(using):
    shown = detail(using, "race")
    assert shown._why.isHidden()
    row = shown.model.row_of("Black")
    shown.table.setCurrentIndex(shown.model.index(row, 0))
    assert not shown._why.isHidden()
    assert "Black or African American" in shown._why.text()
    assert "%" in shown._why.text()


def test_values_that_nobody_has_are_named_and_accepted(qtbot, using):
    shown = detail(using, "race")
    assert not shown._alone.isHidden()
    assert "“Martian” (5)" in shown._alone_words.accessibleName()
    shown.accept._switch.click()
    assert population(using).matches["race"].accepts_unmatched
    assert not state(using, "race").needs_acceptance
    using.session.undo()
    assert not shown.accept.is_on
    assert state(using, "race").needs_acceptance


def test_only_what_needs_a_person_is_shown_on_demand(using):
    shown = detail(using, "race")
    n_all = shown.model.rowCount()
    shown.show_kind_of(Show.DOUBTFUL)
    texts = [shown.model.index(row, 0).data() for row in range(shown.model.rowCount())]
    assert "Martian" in texts
    assert len(texts) < n_all
    shown.show_kind_of(Show.ALL)
    assert shown.model.rowCount() == n_all


def test_next_leads_through_what_is_open(using):
    mapping = using.population.mapping
    opened = []
    for _ in range(3):
        mapping.next_button.click()
        opened.append(next(n for n, part in mapping.parts.items() if part.is_open))
    needing = [n for n, part in mapping.parts.items() if part.state.needs_a_person]
    assert set(opened) == set(needing)


def test_an_attribute_is_opened_and_closed_with_the_keyboard(qtbot, using):
    part = using.population.mapping.parts["sex"]
    part.head.setFocus()
    qtbot.keyClick(part.head, Qt.Key.Key_Return)
    assert part.is_open
    qtbot.keyClick(part.head, Qt.Key.Key_Space)
    assert not part.is_open


def test_partners_are_chosen_by_hand_with_the_keyboard_alone(qtbot, using):
    shown = detail(using, "race")
    row = shown.model.row_of("Martian")
    shown.table.setCurrentIndex(shown.model.index(row, 0))
    qtbot.keyClick(shown.table, Qt.Key.Key_Return)
    sheet = shown.sheet
    assert sheet.isVisible()
    qtbot.keyClicks(sheet.list.field, "white")
    qtbot.keyClick(sheet.list.field, Qt.Key.Key_Return)
    view = sheet.list.view
    view.setCurrentIndex(view.model().index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert not sheet.isVisible()
    assert partners(using, "race", "Martian") == ("White",)
    choice = population(using).matches["race"]
    assert choice.csv in using.session.hierarchy_files
    assert state(using, "race").matches.mapping.is_confirmed
    # The row that was changed is still the chosen one.
    assert shown.table.currentIndex().siblingAtColumn(0).data() == "Martian"
    using.session.undo()
    assert partners(using, "race", "Martian") == ()


def test_several_partners_and_nobody_can_be_chosen(using):
    set_partners = using.population.mapping.partners_set
    set_partners.emit("race", "Martian", ("White", "Asian"))
    assert set(partners(using, "race", "Martian")) == {"White", "Asian"}
    shown = detail(using, "race")
    row = shown.model.row_of("Martian")
    shown.table.setCurrentIndex(shown.model.index(row, 0))
    shown._on_change_wanted()
    assert set(shown.sheet.list.checked) == {"White", "Asian"}
    shown.sheet.nobody_button.click()
    assert partners(using, "race", "Martian") == ()


def test_escape_changes_nothing(qtbot, using):
    shown = detail(using, "race")
    shown.table.setCurrentIndex(shown.model.index(0, 0))
    shown.change_button.click()
    before = population(using)
    qtbot.keyClick(shown.sheet, Qt.Key.Key_Escape)
    assert not shown.sheet.isVisible()
    assert population(using) == before


def test_what_is_said_meanwhile_is_not_lost(using):
    runner = Later()
    using.workspace.runner = JobRunner(lambda closure: closure(), runner)
    set_partners = using.population.mapping.partners_set
    set_partners.emit("race", "Martian", ("White",))
    set_partners.emit("race", "Asian", ("Asian", "White"))
    using.population.mapping.confirmed.emit("age")
    runner.run()
    assert partners(using, "race", "Martian") == ("White",)
    assert set(partners(using, "race", "Asian")) == {"Asian", "White"}
    assert not state(using, "age").needs_confirmation


def test_an_attribute_that_is_lacking_is_decided_in_words(using):
    shown = detail(using, "town")
    assert not shown._lacking.isHidden()
    assert shown._values.isHidden()
    for place, choice in ((1, "independent"), (2, "left aside")):
        shown.lacking.button(place).click()
        assert population(using).matches["town"].lacking == choice
        assert not state(using, "town").needs_a_person
    assert "understated" in using.population.mapping.parts["town"].head.accessibleName()
    shown.back_button.click()
    assert "town" not in population(using).matches
    assert state(using, "town").needs_a_person


def test_another_attribute_of_the_population_can_be_meant(using):
    shown = detail(using, "town")
    place = shown.target.findData("origin")
    shown.target.setCurrentIndex(place)
    shown.target.activated.emit(place)
    assert population(using).matches["town"].target == "origin"
    assert state(using, "town").matches.mapping.target.name == "origin"
    assert state(using, "town").needs_acceptance
    shown.target.setCurrentIndex(0)
    shown.target.activated.emit(0)
    assert state(using, "town").matches is None


def test_back_to_the_proposal(using):
    using.population.mapping.partners_set.emit("sex", "F", ("Male",))
    assert partners(using, "sex", "F") == ("Male",)
    detail(using, "sex").back_button.click()
    assert partners(using, "sex", "F") == ("Female",)
    assert detail(using, "sex").back_button.isHidden()


def test_who_the_population_is_follows_when_all_is_settled(using):
    settle(using)
    who = using.population.who
    assert not who.isHidden()
    known, is_stale = using.watch.who()
    assert not is_stale
    assert known.coverage.n_records == 40
    assert f"{known.coverage.n_population_inside:,}" in who.size_tile.accessibleName()
    # A town that nobody counted makes every figure an estimate.
    assert known.is_modelled
    assert "MODELLED" in who._badge.text
    assert "town" in who._remarks.accessibleName()
    assert "MODELLED" in using.help_words()
    using.population.mapping.lacking_set.emit("town", "refused")
    assert using.watch.who()[1]
    assert not who._stale.isHidden()


def test_everything_can_be_undone_and_done_again(using):
    settle(using)
    after = population(using)
    while using.session.undo_label:
        using.session.undo()
    assert population(using) == PopulationChoice()
    assert using.population.mapping.isHidden()
    assert using.population.who.isHidden()
    while using.session.redo_label:
        using.session.redo()
    assert population(using) == after
    assert not using.population.who.isHidden()


def test_a_changed_hierarchy_keeps_what_was_said(using):
    settle(using)
    known = using.watch.who()[0].coverage
    rule = {"kind": "intervals", "width": 10, "factors": []}
    using.session.apply(ops.set_hierarchy("age", rule), "x")
    assert partners(using, "race", "Martian") == ("White",)
    assert not using.population.who.isHidden()
    assert using.watch.who()[0].coverage.n_records == known.n_records
    using.session.apply(ops.set_hierarchy("age", None), "x")
    assert [p.code for p in state(using, "age").problems] == ["hierarchy_missing"]
    words = using.population.mapping.parts["age"].head.accessibleName()
    assert "hierarchy" in words
    assert using.watch.who()[1]


def test_values_that_come_later_are_asked_for(using):
    settle(using)
    table = population_table()
    races = Column.from_texts("race", ["Venusian", *RACES * 5][:40])
    columns = [races if each.name == "race" else each for each in table.columns]
    using.session.set_loaded(
        using.session.loaded.__class__(
            using.session.loaded.path,
            Table(table.name, tuple(columns)),
            "1" * 64,
            None,
        )
    )
    assert state(using, "race").needs_a_person
    assert "people_mapping_incomplete" in {
        p.code for p in state(using, "race").problems
    }
    shown = detail(using, "race")
    assert not shown._problem.isHidden()


def test_looking_up_is_stopped_and_begun_again(using):
    runner = Later()
    using.workspace.runner = JobRunner(lambda closure: closure(), runner)
    before = state(using, "town").lacking
    using.population.mapping.lacking_set.emit("town", "independent")
    using.population.mapping.cancel_clicked.emit()
    runner.run()
    assert using.watch.mapping().is_stopped
    assert state(using, "town").lacking == before
    assert not using.population.mapping._stopped.isHidden()
    using.population.mapping.again_clicked.emit()
    runner.run()
    assert not using.watch.mapping().is_stopped
    assert state(using, "town").lacking == "independent"


def test_waiting_is_shown_only_if_it_lasts(qtbot, using):
    mapping = using.population.mapping
    mapping.set_fraction(0.1)
    assert mapping._progress.isHidden()
    qtbot.waitUntil(lambda: not mapping._progress.isHidden())
    mapping.set_fraction(None)
    assert mapping._progress.isHidden()


def test_without_quasi_identifiers_nothing_is_looked_up(page):
    begin(page.session, ())
    card(page, "us_2010").use_button.click()
    assert page.watch.mapping() is None
    assert page.population.mapping.isHidden()


def test_a_file_of_one_s_own_is_mapped_too(page, tmp_path):
    rows = [("female", "30"), ("male", "31"), ("female", "32")] * 9
    text = "".join(",".join(row) + "\n" for row in rows)
    (tmp_path / "people.csv").write_text("sex,age\n" + text)
    begin(page.session, ("sex", "age"))
    loaded = read_population(tmp_path / "people.csv")
    choice = propose_population(page.session.project, loaded, "register")
    page.session.population = loaded
    page.session.apply(ops.change_privacy(population=choice), "x")
    assert list(page.population.mapping.parts) == ["sex", "age"]
    assert partners(page, "sex", "F") == ("female",)
    assert state(page, "age").needs_acceptance
    assert page.population.tables.isHidden()


def test_tables_can_be_chosen_instead_of_a_file(page, tmp_path):
    (tmp_path / "people.csv").write_text("sex,age\nF,30\nM,31\n")
    begin(page.session, ("sex", "age"))
    loaded = read_population(tmp_path / "people.csv")
    choice = propose_population(page.session.project, loaded, "register")
    page.session.population = loaded
    page.session.apply(ops.change_privacy(population=choice), "x")
    page.population.kind.chosen.emit("built_in")
    assert population(page) == choice
    assert not page.population.tables.isHidden()
    assert page.population.file.isHidden()
    assert page.population.mapping.isHidden()
    card(page, "us_2010").use_button.click()
    assert population(page).tables == ("us_2010",)
    assert population(page).file is None
    page.session.undo()
    assert population(page) == choice
    assert not page.population.file.isHidden()


def test_other_columns_and_tables_end_the_earlier_ones(page):
    """Nothing of a project that is left stays on the page."""
    card(page, "us_2010").use_button.click()
    fill(page.session)
    assert page.watch.mapping() is None
    assert page.population.mapping.isHidden()
    card(page, "us_2010").use_button.click()
    assert list(page.population.mapping.parts) == ["sex", "birth_year", "town", "zip"]
