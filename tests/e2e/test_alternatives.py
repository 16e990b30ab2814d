"""The page Alternatives in the real window: from a file to a policy that is used."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.alternatives.comparing import BASELINE
from deidgui.app.policies.runner import ALTERNATIVES
from deidgui.app.project import PreferenceChoice
from deidgui.app.session import State
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.clusters import Cluster, DomainPart
from deidgui.qt.models.alternatives import Heading, expected_text, short_words
from deidgui.qt.pages.alternatives.preferences import (
    preference_words,
    suggested_preferences,
)
from deidgui.qt.pages.alternatives.sides import rule_share
from deidgui.qt.pages.alternatives.words import cluster_words, power_text
from deidgui.qt.pages.base import StepState
from tests.e2e.driver import WizardDriver

RACES = ("Asian", "Black", "Other", "White")
N_RECORDS = 600


def records():
    """Patients of 20 to 99 years; many of one kind, some alone."""
    random = np.random.default_rng(11)
    ages = 20 + (80 * random.random(N_RECORDS) ** 1.5).astype(int)
    sexes = random.choice(["F", "M"], N_RECORDS)
    races = random.choice(RACES, N_RECORDS, p=(0.05, 0.2, 0.05, 0.7))
    return list(zip(ages.tolist(), sexes.tolist(), races.tolist(), strict=True))


RECORDS = records()


class Program:
    """One running program for all tests of this file: to start it takes seconds."""

    def __init__(self):
        self.driver = self.ready = None

    def begin(self, qtbot, folder):
        """Return the driver with a file whose roles are decided, and nothing else."""
        if self.driver is None:
            self.driver = WizardDriver(qtbot)
            self._open(folder)
        driver = self.driver
        driver.qtbot = qtbot
        driver.problems.clear()
        driver.wait_idle()
        driver.page("start")
        loaded = driver.session.loaded
        driver.workspace.policies.forget()
        driver.session.start(self.ready, loaded=loaded)
        driver.session.set_loaded(loaded)
        driver.wait_idle()
        return driver

    def _open(self, folder):
        driver = self.driver
        rows = enumerate(RECORDS)
        lines = [f"{age},{sex},{race},{i % 7}" for i, (age, sex, race) in rows]
        (folder / "patients.csv").write_text("\n".join(["age,sex,race,ward", *lines]))
        driver.open_data(folder / "patients.csv")
        quasi = ["age", "sex", "race"]
        driver.workspace.set_roles(quasi, "quasi_identifier")
        driver.workspace.set_roles(["ward"], "insensitive")
        driver.wait_idle()
        driver.confirm_roles()
        self.ready = driver.project


@pytest.fixture(scope="module")
def program(qapp):
    made = Program()
    yield made
    if made.driver is not None:
        made.driver.quit()


@pytest.fixture
def opened(program, qtbot, tmp_path_factory):
    """The program with a file whose roles are decided."""
    return program.begin(qtbot, tmp_path_factory.mktemp("data"))


@pytest.fixture
def page(opened):
    """The page, shown from its beginning."""
    page = opened.page("alternatives")
    page.show_tab("baseline")
    page.choose.views._on_clicked(0)
    table = page.choose.table
    table.sortByColumn(Heading.PLACE, Qt.SortOrder.AscendingOrder)
    page.compare.only_differences.setChecked(False)
    page.search.preferences.maker.hide()
    return page


@pytest.fixture
def found(opened, page):
    """The page after a search against Safe Harbor."""
    opened.click(page.next_button)
    opened.wait_idle()
    opened.click(page.next_button)
    opened.wait_idle()
    return page


def groups_of(keep_age):
    """Groups of records by hand: how many there are in the file alone."""
    return len({(keep_age(age), sex, race) for age, sex, race in RECORDS})


# -- the rule ------------------------------------------------------------------------


def test_without_a_file_the_page_leads_to_the_start(driver):
    page = driver.page("alternatives")
    assert page.content.isHidden()
    assert page.status().state is StepState.NOT_YET
    driver.click(page.empty._button)
    assert driver.window.current_key == "start"


def test_without_a_quasi_identifier_it_leads_to_the_attributes(opened, page):
    opened.workspace.set_roles(["age", "sex", "race"], "insensitive")
    opened.wait_idle()
    assert page.content.isHidden()
    opened.click(page.empty._button)
    assert opened.window.current_key == "attributes"


def test_it_is_optional_and_says_the_next_thing(opened, page):
    assert page.status().caption == "optional"
    assert not page.status().what_is_missing
    assert page.next_button.text() == "Compare with Safe Harbor"
    assert opened.window.footer._next.isEnabled()


def test_the_risk_of_the_data_and_of_the_rule_are_those_counted_by_hand(opened, page):
    raw = groups_of(lambda age: age)
    texts = [tile.accessibleName() for tile in page.baseline.figures.tiles]
    assert f"The data as they are: {expected_text(raw)} correct links" in texts[1]
    opened.click(page.next_button)
    opened.wait_idle()
    limit = groups_of(lambda age: min(age, 90))
    assert page._basis.threshold == pytest.approx(limit)
    assert f"Allowed risk T: {expected_text(limit)}" in (
        page.baseline.figures.tiles[0].accessibleName()
    )
    assert opened.session.undo_label == "compare with Safe Harbor"


def test_what_the_rule_does_is_told_for_each_column(opened, page):
    opened.click(page.next_button)
    opened.wait_idle()
    effects = page.baseline.baseline.elements.effects
    assert effects["age"].text().startswith("writes 90+ for 90")
    assert effects["sex"].text() == "keeps every value"
    kinds = page.baseline.baseline.elements.kinds
    assert kinds["age"].current == "age"
    assert kinds["race"].current == "other"


def test_an_element_that_is_wrong_is_corrected(opened, page):
    opened.click(page.next_button)
    opened.wait_idle()
    kind = page.baseline.baseline.elements.kinds["age"]
    kind.setCurrentIndex(kind.findData("other"))
    kind.activated.emit(kind.currentIndex())
    opened.wait_idle()
    assert opened.project.discover.elements["age"].kind == "other"
    warnings = " ".join(page.baseline.figures.warnings)
    assert "changes nothing" in warnings
    assert "Every policy is acceptable" in warnings


def test_no_population_says_what_that_means_and_leads_there(opened, page):
    assert "are all people there are" in page.baseline.people.sentence.text()
    opened.click(page.baseline.people.change)
    assert opened.window.current_key == "risk"


def test_a_threshold_below_everything_joined_is_refused_before_the_search(opened, page):
    baseline = page.baseline.baseline
    baseline.options["typed"].button.click()
    opened.wait_idle()
    baseline.typed.setValue(0.5)
    opened.wait_idle()
    assert opened.project.discover.typed == 0.5
    assert "No policy is acceptable" in page.baseline.figures.warnings[0]
    assert not page.next_button.isEnabled()


def test_models_and_policies_cannot_be_a_baseline_before_they_are_decided(page):
    options = page.baseline.baseline.options
    assert not options["models"].button.isEnabled()
    assert not options["policy"].button.isEnabled()


def test_privacy_models_can_be_the_baseline(opened, page):
    models = ({"kind": "k_anonymity", "k": 2},)
    opened.session.apply(ops.change_privacy(models=models), "x")
    opened.wait_idle()
    page.baseline.baseline.options["models"].button.click()
    opened.wait_idle()
    opened.click(page.next_button)
    opened.wait_idle()
    assert page._shown is not None
    assert opened.project.discover.baseline == "models"
    assert np.isnan(page._shown.risk_share).all()
    assert "privacy models hold" in page.choose.panel.sentence.text()
    policy = page._shown.alternatives[page._number].policy
    sizes = {}
    for age, sex, race in RECORDS:
        key = released(policy, {"age": str(age), "sex": sex, "race": race})
        sizes[key] = sizes.get(key, 0) + 1
    assert min(sizes.values()) >= 2


def released(policy: BitPolicy, record):
    """Run of each value of a record."""
    return tuple(
        int(groups[domain.index[record[domain.attribute]]])
        for domain, groups in zip(policy.space.domains, policy.groups, strict=True)
    )


# -- the search ----------------------------------------------------------------------


def test_alternatives_are_no_riskier_by_a_count_by_hand(found):
    shown = found._shown
    assert len(shown) > 5
    limit = groups_of(lambda age: min(age, 90))
    for each in shown.alternatives:
        keys = {
            released(each.policy, {"age": str(a), "sex": s, "race": r})
            for a, s, r in RECORDS
        }
        assert len(keys) == pytest.approx(each.risk)
        assert each.risk <= limit + 1e-9


def test_after_a_search_the_choice_is_shown(found):
    assert found.tabs.current == "choose"
    assert found.choose.policies.rowCount() == len(found._shown)
    assert found.status().state is StepState.DONE
    assert found.next_button.isHidden()
    assert not found.again_button.isHidden()
    assert found.found.text().startswith(f"{len(found._shown)} policies")


def test_kinds_are_a_handful_and_one_shows_its_members(found, qtbot):
    clusters = found._shown.clusters
    tiles = found.choose.clusters.tiles
    assert len(tiles) == len(clusters) + 1 <= 7
    qtbot.mouseClick(tiles[1], Qt.MouseButton.LeftButton)
    model = found.choose.policies
    assert sorted(model.numbers.tolist()) == sorted(clusters[0].members)
    assert found.choose.panel.number == clusters[0].example
    tiles[0].setFocus()
    qtbot.keyClick(tiles[0], Qt.Key.Key_Return)
    assert model.rowCount() == len(found._shown)


def test_list_and_chart_have_one_selection(found):
    found.choose.table.selectRow(3)
    number = found.choose.policies.number_at(3)
    assert found.choose.panel.number == number
    found.choose.views._on_clicked(1)
    plane = found.choose.plane
    assert plane._picked.tolist() == [number]
    other = 0 if number else 1
    plane._on_point_clicked(other, is_double=False)
    assert found.choose.panel.number == other
    found.choose.views._on_clicked(0)
    row = found.choose.table.currentIndex().row()
    assert found.choose.policies.number_at(row) == other


def test_the_chart_shades_what_is_better_than_the_rule(found):
    found.choose.views._on_clicked(1)
    plane, shown = found.choose.plane, found._shown
    rule = shown.basis.baseline
    assert plane.reference.y == pytest.approx(rule.risk)
    share = rule.loss / shown.basis.highest_loss
    assert plane.reference.x == pytest.approx(share)
    better = (shown.loss_share <= share) & (shown.risk <= rule.risk)
    assert plane.better() == np.flatnonzero(better).tolist()
    names = [entry.text for entry in plane._entries(plane.chart)]
    assert "Better than the rule in both" in names


def test_every_figure_is_explained(found):
    model = found.choose.policies
    for heading in Heading:
        words = model.headerData(
            heading, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        )
        assert words.endswith(".")


def test_the_list_is_sorted_by_its_columns(found):
    table, shown = found.choose.table, found._shown
    policies = found.choose.policies
    table.sortByColumn(Heading.RISK, Qt.SortOrder.AscendingOrder)
    risks = shown.risk[policies.numbers]
    assert (np.diff(risks) >= 0).all()
    table.sortByColumn(Heading.JOINED, Qt.SortOrder.DescendingOrder)
    joined = shown.n_joined[policies.numbers]
    assert (np.diff(joined) <= 0).all()


def test_stopping_in_the_middle_keeps_what_was_found(opened, page):
    opened.click(page.next_button)
    opened.wait_idle()
    change = {"iterations": 100_000, "completes": False}
    op = lambda project: project.but(discover=project.discover.but(**change))  # noqa: E731
    opened.session.apply(op, "more")
    opened.wait_idle()
    opened.click(page.next_button)
    opened.wait(lambda: page._shown is not None)
    assert not page.running.isHidden()
    assert not page.choose.panel.use_button.isEnabled()
    opened.click(page.running.card._cancel)
    opened.wait_idle()
    assert len(page._shown) > 0
    assert not opened.session.is_complete(ALTERNATIVES)
    assert "stopped" in page.found.text()
    assert page.running.isHidden()
    assert page.choose.panel.use_button.isEnabled()


def test_a_decision_in_the_middle_marks_what_is_found_as_stale(opened, found):
    opened.click(found.again_button)
    opened.workspace.set_roles(["race"], "insensitive")
    opened.wait_idle()
    assert found.status().state is StepState.STALE
    assert "earlier decisions" in found.banner._text.text()
    assert not found.choose.panel.use_button.isEnabled()
    opened.click(found.banner._button)
    opened.wait_idle()
    assert found.status().state is StepState.DONE
    assert found._shown.basis.attributes == ("age", "sex")


def test_closing_in_the_middle_leaves_nothing_behind(driver, tmp_path):
    program = Program()
    program.driver = driver
    program._open(tmp_path)
    page = driver.page("alternatives")
    driver.click(page.next_button)
    driver.wait_idle()
    driver.click(page.next_button)
    assert driver.workspace.is_running(ALTERNATIVES)


# -- preferences
# --------------------------------------------------------------------------


def test_a_preference_is_one_click_and_orders_the_list(opened, found):
    texts = [chip.text for chip in found.search.preferences.ideas]
    assert texts == ["age 90 and over", "age exact", "sex exact", "race exact"]
    found.search.preferences.ideas[0].clicked.emit()
    opened.wait_idle()
    assert opened.project.discover.preferences == (
        PreferenceChoice(attribute="age", low=90),
    )
    assert opened.session.state(ALTERNATIVES) is State.CURRENT
    scores = found._ordered.scores
    numbers = found.choose.policies.numbers
    assert (np.diff(scores[numbers]) <= 1e-12).all()
    assert "age 90 and over" not in [c.text for c in found.search.preferences.ideas]


def test_a_preference_that_must_be_fulfilled_is_searched_for(opened, found):
    found.search.preferences.ideas[0].clicked.emit()
    opened.wait_idle()
    found.search.preferences.rows[0].must.click()
    opened.wait_idle()
    assert found.status().state is StepState.STALE
    opened.click(found.again_button)
    opened.wait_idle()
    assert len(found._shown) > 0
    assert (found._ordered.scores == 1).all()


def test_a_range_and_some_values_are_preferred_in_one_line(opened, found):
    maker = found.search.preferences.maker
    assert maker.isHidden()
    found.search.preferences.open_button.click()
    maker.which._on_clicked(1)
    maker.low.setValue(65)
    maker.high.setValue(60)
    maker.add_button.click()
    opened.wait_idle()
    assert opened.project.discover.preferences[-1] == PreferenceChoice(
        attribute="age", low=60, high=65
    )
    place = maker.attribute.findData("race")
    maker.attribute.setCurrentIndex(place)
    assert not maker.add_button.isEnabled()
    maker.which._on_clicked(2)
    maker.add_button.click()
    assert len(opened.project.discover.preferences) == 1
    maker.values.list.item(0).setCheckState(Qt.CheckState.Checked)
    maker.add_button.click()
    opened.wait_idle()
    words = [row.words.text() for row in found.search.preferences.rows]
    assert words == ["age from 60 to 65", f"race: {RACES[0]}"]


def test_the_weight_of_a_preference_is_a_decision_that_can_be_undone(opened, found):
    found.search.preferences.ideas[0].clicked.emit()
    found.search.preferences.rows[0].weight.setValue(3.0)
    assert opened.project.discover.preferences[0].weight == 3.0
    opened.session.undo()
    assert opened.project.discover.preferences[0].weight == 1.0
    opened.wait_idle()
    found.search.preferences.rows[0].remove.click()
    assert opened.project.discover.preferences == ()


def test_settings_of_the_search_are_decisions(opened, found):
    method = found.search.method
    assert "100 policies" in method.summary.text()
    assert method.options["exhaustive"].reason
    method.options["frontier"].button.click()
    assert opened.project.discover.method == "frontier"
    assert not method._budget_row.isHidden()
    assert method._iterations_row.isHidden()
    method.budget.setValue(500)
    method.budget.editingFinished.emit()
    assert opened.project.discover.budget == 500
    opened.wait_idle()
    opened.click(found.again_button)
    opened.wait_idle()
    assert found._shown.frontier is not None
    found.choose.views._on_clicked(1)
    assert not found.choose.plane.chart.feasible.all()
    assert any(
        "Riskier" in e.text
        for e in found.choose.plane._entries(found.choose.plane.chart)
    )


# -- the choice ----------------------------------------------------------------------


def test_use_this_policy_leads_on_with_its_sentence(opened, found):
    opened.click(found.choose.panel.use_button)
    opened.wait_idle()
    chosen = opened.project.chosen
    assert chosen.kind == "interval"
    assert chosen.acceptance.baseline == "safe_harbor"
    assert "no greater than that of Safe Harbor on this data set" in (
        found.banner._text.text()
    )
    assert found.status().caption == "own choice"
    assert not found.choose.panel.forget_button.isHidden()
    opened.click(found.banner._button)
    assert opened.window.current_key == "utility"
    found = opened.page("alternatives")
    opened.click(found.choose.panel.forget_button)
    assert opened.project.chosen is None


def test_enter_in_the_list_uses_a_policy(opened, found, qtbot):
    table = found.choose.table
    table.selectRow(2)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    number = found.choose.policies.number_at(2)
    assert found._shown.row_of(opened.project.chosen) == number
    assert Flag.CHOSEN in found._flags[number]


def test_kept_policies_stand_beside_the_rule(opened, found):
    for row in (0, 1, 2):
        found.choose.table.selectRow(row)
        opened.click(found.choose.panel.keep_button)
    found.search.preferences.ideas[0].clicked.emit()
    opened.wait_idle()
    found.show_tab("compare")
    heads = found.compare.sides
    assert len(heads) == 4
    assert heads[0].title == "Safe Harbor"
    assert heads[0].number is None
    lines = {line.label: line for line in found.compare.lines}
    assert lines["age"].cells[0] == "[90+]"
    limit = groups_of(lambda age: min(age, 90))
    assert lines["Expected correct links"].cells[0] == expected_text(limit)
    n_old = sum(age >= 90 for age, _sex, _race in RECORDS)
    assert lines["Records with a joined value"].cells[0] == f"{n_old:,}"
    assert lines["age 90 and over"].cells[0] == "0 %".replace(" ", "\u202f")
    assert lines["Records released otherwise than by Safe Harbor"].cells[0] == ""
    found.compare.only_differences.setChecked(True)
    found.compare.drop_wanted.emit(heads[1].number)
    opened.wait_idle()
    assert len(opened.project.kept) == 2


def test_the_selected_policy_alone_stands_beside_the_rule(opened, found):
    opened.click(found.choose.panel.compare_button)
    assert found.tabs.current == "compare"
    assert [head.number for head in found.compare.sides] == [None, found._number]


def test_undoing_everything_leaves_a_page_that_can_begin_again(opened, found):
    opened.click(found.choose.panel.use_button)
    opened.wait_idle()
    opened.undo_everything()
    assert opened.project.discover.baseline is None
    assert found.status().state in (StepState.STALE, StepState.NOT_YET)


def test_undoing_a_role_in_the_middle_of_a_choice_is_survived(opened, found):
    opened.click(found.choose.panel.use_button)
    opened.wait_idle()
    opened.workspace.set_roles(["race"], "insensitive")
    opened.session.undo()
    assert "You use this policy" in found.banner._text.text()
    opened.wait_idle()
    assert "no greater than that of Safe Harbor" in found.banner._text.text()


def test_the_window_says_what_is_used_in_its_help(opened, found):
    opened.click(found.choose.panel.use_button)
    opened.wait_idle()
    assert "You use an alternative" in found.help_words()


# -- words ---------------------------------------------------------------------------


def test_expected_numbers_keep_their_figures():
    texts = [expected_text(x) for x in (0, 0.00002, 0.9094, 7.80580, 546, 12345.6)]
    assert texts == ["0", "2.0e-05", "0.9094", "7.8058", "546", "12,346"]


def test_powers_of_two_are_written_as_such():
    assert power_text(105) == "2¹⁰⁵"


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.0, 0.0, 0.0, 0.0), "age, sex exact"),
        ((1.0, 1.0, 1.0, 0.0), "age removed; sex exact"),
        ((0.1, 0.1, 0.1, 0.0), "a few values of age joined; sex exact"),
        ((0.2, 0.2, 0.0, 0.0), "a few values of age joined, from 0 to 60; sex exact"),
        (
            (0.9, 0.0, 0.9, 1.0),
            "many values of age joined, from 0 to 30 and from 60 to 90; sex removed",
        ),
    ],
)
def test_kinds_are_told_in_words(shares, words):
    parts = [
        DomainPart("age", str(at), str(at + 30), at, at + 30) for at in (0, 30, 60)
    ]
    parts.append(DomainPart("sex", "", "", 90, 91))
    cluster = Cluster(tuple(parts), shares, (0,), 0)
    assert cluster_words(cluster) == words


def test_preferences_are_told_in_words(found):
    race = found._shown.basis.domain("race")
    assert preference_words(PreferenceChoice(attribute="sex"), None) == "sex exact"
    assert preference_words(
        PreferenceChoice(attribute="zip", low=37201, high=37250), None
    ) == ("zip from 37201 to 37250")
    assert (
        preference_words(PreferenceChoice(attribute="age", high=17), None)
        == "age up to 17"
    )
    places = PreferenceChoice(attribute="race", places=(0, 2))
    assert preference_words(places, race) == f"race: {RACES[0]}, {RACES[2]}"


def test_a_preference_that_was_made_is_not_suggested_again(found):
    basis = found._shown.basis
    elements = basis.discover.elements
    made = (PreferenceChoice(attribute="age", low=90, weight=2.0),)
    ideas = suggested_preferences(basis.space.domains, elements, made)
    assert made[0].but(weight=1.0) not in ideas


def test_what_the_rule_keeps_of_a_preference_is_counted(found):
    basis = found._shown.basis
    ages = [int(value) for value in basis.domain("age").values]
    share = rule_share(basis, PreferenceChoice(attribute="age"))
    assert share == pytest.approx(sum(age < 90 for age in ages) / len(ages))
    assert rule_share(basis, PreferenceChoice(attribute="sex")) == 1
    assert BASELINE < 0


def test_a_policy_that_joins_nothing_is_said_so(found):
    number = int(np.argmin(found._shown.n_joined))
    assert "[" in short_words(found._shown, number)
