"""Alternatives in the real window: from a file to a policy that is used."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.alternatives.comparing import BASELINE
from deidgui.app.policies.runner import ALTERNATIVES, LATTICE
from deidgui.app.project import PreferenceChoice
from deidgui.app.session import State
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.clusters import Cluster, DomainPart
from deidgui.qt.models.figures import expected_text
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.policies.preferences import (
    preference_words,
    suggested_preferences,
)
from deidgui.qt.pages.policies.sides import rule_share
from deidgui.qt.pages.policies.words import cluster_words, power_text
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
    page = opened.page("policies")
    page.look.set_open(True)
    page.look.set_way("optimal")
    page.results.views.risk.set_current("highest")
    page.results.views.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    page.results.compare.only_differences.setChecked(False)
    page.look.alternatives.search.preferences.maker.hide()
    page.show_tab("list")
    return page


@pytest.fixture
def found(opened, page):
    """The page after a search against Safe Harbor."""
    return opened.find_alternatives()


def shown(page):
    """The alternatives that are listed."""
    return page.policies.part(ALTERNATIVES)


def row_of(page, number):
    """Row of a policy among the alternatives."""
    return int(page.policies.rows_in(ALTERNATIVES)[number])


def baseline_of(page):
    return page.look.alternatives.baseline


def search_of(page):
    return page.look.alternatives.search


def groups_of(keep_age):
    """Groups of records by hand: how many there are in the file alone."""
    return len({(keep_age(age), sex, race) for age, sex, race in RECORDS})


# -- the rule ------------------------------------------------------------------------


def test_without_a_file_the_page_leads_to_the_start(driver):
    page = driver.page("policies")
    assert page._content.isHidden()
    assert page.status().state is StepState.NOT_YET
    driver.click(page.empty._button)
    assert driver.window.current_key == "start"


def test_without_a_quasi_identifier_it_leads_to_the_attributes(opened, page):
    opened.workspace.set_roles(["age", "sex", "race"], "insensitive")
    opened.wait_idle()
    assert page._content.isHidden()
    opened.click(page.empty._button)
    assert opened.window.current_key == "attributes"


def test_one_click_chooses_the_way_and_one_finds_alternatives(opened, page):
    assert opened.project.discover.baseline is None
    opened.click(page.look.options["alternatives"])
    opened.wait_idle()
    assert opened.project.discover.baseline == "safe_harbor"
    assert page.status().what_is_missing == "Find policies first."
    assert page.look.run_button.text() == "Find policies"
    opened.click(page.look.run_button)
    opened.wait_idle()
    assert not page.status().what_is_missing
    assert opened.window.footer._next.isEnabled()
    assert len(shown(page)) > 5


def test_the_risk_of_the_data_and_of_the_rule_are_those_counted_by_hand(opened, page):
    raw = groups_of(lambda age: age)
    opened.look("alternatives")
    texts = [tile.accessibleName() for tile in baseline_of(page).figures.tiles]
    assert f"The data as they are: {expected_text(raw)} correct links" in texts[1]
    limit = groups_of(lambda age: min(age, 90))
    assert page.steering.basis.threshold == pytest.approx(limit)
    assert f"Allowed risk: {expected_text(0.95 * limit)}" in (
        baseline_of(page).figures.tiles[0].accessibleName()
    )
    assert opened.session.undo_label == "compare with Safe Harbor"


def test_what_the_rule_does_is_told_for_each_column(opened, page):
    opened.look("alternatives")
    opened.wait_idle()
    rows = baseline_of(page).baseline.elements.rows
    assert rows["age"].effect.text().startswith("writes 90+ for 90")
    assert rows["sex"].effect.text() == "keeps every value"
    assert rows["age"].kind.current == "age"
    assert rows["race"].kind.current == "other"


def test_an_element_that_is_wrong_is_corrected(opened, page):
    opened.look("alternatives")
    opened.wait_idle()
    kind = baseline_of(page).baseline.elements.rows["age"].kind
    kind.setCurrentIndex(kind.findData("other"))
    kind.activated.emit(kind.currentIndex())
    opened.wait_idle()
    assert opened.project.discover.elements["age"].kind == "other"
    warnings = " ".join(baseline_of(page).figures.warnings)
    assert "changes nothing" in warnings


def test_no_population_says_what_that_means_and_leads_there(opened, page):
    opened.look("alternatives")
    assert "are all people there are" in baseline_of(page).population.sentence.text()
    opened.click(baseline_of(page).population.change)
    assert opened.window.current_key == "risk"


def test_a_threshold_below_everything_joined_is_refused_before_the_search(opened, page):
    opened.click(page.look.options["alternatives"])
    baseline = baseline_of(page).baseline
    baseline.options["typed"].button.click()
    opened.wait_idle()
    baseline.typed.setValue(0.5)
    opened.wait_idle()
    assert opened.project.discover.typed == 0.5
    assert "No policy is acceptable" in baseline_of(page).figures.warnings[0]
    assert not page.look.run_button.isEnabled()


def test_models_and_policies_cannot_be_a_baseline_before_they_are_decided(opened, page):
    opened.look("alternatives")
    options = baseline_of(page).baseline.options
    assert not options["models"].button.isEnabled()
    assert not options["policy"].button.isEnabled()


def test_privacy_models_can_be_the_baseline(opened, page):
    models = ({"kind": "k_anonymity", "k": 2},)
    opened.session.apply(ops.change_privacy(models=models), "x")
    opened.wait_idle()
    opened.click(page.look.options["alternatives"])
    baseline_of(page).baseline.options["models"].button.click()
    opened.wait_idle()
    opened.click(page.look.run_button)
    opened.wait_idle()
    assert shown(page) is not None
    assert opened.project.discover.baseline == "models"
    assert np.isnan(shown(page).risk_share).all()
    assert "privacy models hold" in page.results.panel.sentence.text()
    policy = shown(page).alternatives[row_of(page, page.number)].policy
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
    assert len(shown(found)) > 5
    limit = groups_of(lambda age: min(age, 90))
    for each in shown(found).alternatives:
        keys = {
            released(each.policy, {"age": str(a), "sex": s, "race": r})
            for a, s, r in RECORDS
        }
        assert len(keys) == pytest.approx(each.risk)
        assert each.risk <= limit + 1e-9


def test_after_a_search_the_choice_is_shown(found):
    assert found.results.tabs.current == "list"
    assert found.results.views.policies.rowCount() == len(shown(found))
    assert found.status().state is StepState.READY
    assert found.look.run_button.text() == "Search again"
    assert found.proof.text().startswith(f"{len(shown(found))} policies")
    assert not found.results.tabs.offers("lattice")


def test_groups_are_a_handful_and_one_shows_its_members(found, qtbot):
    clusters = shown(found).clusters
    found.show_tab("groups")
    groups = found.results.views.groups
    qtbot.waitUntil(lambda: len(groups.tiles) == len(clusters) + 1)
    tiles = groups.tiles
    assert len(tiles) <= 7
    qtbot.mouseClick(tiles[1], Qt.MouseButton.LeftButton)
    model = found.results.views.policies
    members = [row_of(found, number) for number in model.numbers.tolist()]
    assert sorted(members) == sorted(clusters[0].members)
    assert found.results.tabs.current == "list"
    assert found.results.panel.number in model.numbers
    group = found.results.filters.group
    assert not group.isHidden()
    group.setFocus()
    qtbot.keyClick(group, Qt.Key.Key_Return)
    assert model.rowCount() == len(shown(found))


def test_groups_are_named_by_what_they_keep(found):
    names = [tile._parts[0].text() for tile in found.results.views.groups.tiles[1:]]
    assert all(name.startswith("Keeps ") for name in names)


def test_list_and_chart_have_one_selection(found):
    views = found.results.views
    views.table.selectRow(3)
    number = views.policies.number_at(3)
    assert found.results.panel.number == number
    found.show_tab("plane")
    views.risk._on_clicked(2)
    plane = views.frontier
    assert plane._picked.tolist() == [number]
    other = 0 if number else 1
    plane._on_point_clicked(other, is_double=False)
    other = int(plane.chart.policies[other])
    assert found.results.panel.number == other
    found.show_tab("list")
    row = views.table.currentIndex().row()
    assert views.policies.number_at(row) == other


def test_the_chart_shades_what_is_better_than_the_rule(found):
    found.show_tab("plane")
    found.results.views.risk._on_clicked(2)
    plane, listed = found.results.views.frontier, shown(found)
    rule = listed.basis.baseline
    assert plane.reference.y == pytest.approx(rule.risk)
    share = rule.loss / listed.basis.highest_loss
    assert plane.reference.x == pytest.approx(share)
    better = (listed.loss_share <= share) & (listed.risk <= rule.risk)
    assert plane.better() == np.flatnonzero(better).tolist()
    names = [entry.text for entry in plane._entries(plane.chart)]
    assert "Better than the rule in both" in names


def test_every_figure_is_explained(found):
    model = found.results.views.policies
    for place, column in enumerate(model.columns):
        words = model.headerData(
            place, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
        )
        assert words.endswith(".") or column.attribute >= 0


def test_the_list_is_sorted_by_its_columns(found):
    table, policies = found.results.views.table, found.results.views.policies
    keys = [column.key for column in policies.columns]
    columns = found.policies.columns
    for key in ("average_risk", "loss", "n_riskier"):
        table.sortByColumn(keys.index(key), Qt.SortOrder.AscendingOrder)
        values = getattr(columns, key)[policies.numbers]
        assert (np.diff(values) >= 0).all(), key
        table.sortByColumn(keys.index(key), Qt.SortOrder.DescendingOrder)
        values = getattr(columns, key)[policies.numbers]
        assert (np.diff(values) <= 0).all(), key


def test_stopping_in_the_middle_keeps_what_was_found(opened, page):
    opened.look("alternatives")
    opened.wait_idle()
    change = {"iterations": 100_000, "completes": False}
    op = lambda project: project.but(discover=project.discover.but(**change))  # noqa: E731
    opened.session.apply(op, "more")
    opened.wait_idle()
    opened.click(page.look.run_button)
    opened.wait(lambda: shown(page) is not None)
    assert not page.progress.isHidden()
    assert not page.results.panel.choose_button.isEnabled()
    opened.click(page.progress._cancel)
    opened.wait_idle()
    assert len(shown(page)) > 0
    assert not opened.session.is_complete(ALTERNATIVES)
    assert "stopped" in page.proof.text()
    assert page.progress.isHidden()
    assert page.results.panel.choose_button.isEnabled()


def test_a_decision_in_the_middle_marks_what_is_found_as_stale(opened, found):
    opened.click(found.look.run_button)
    opened.workspace.set_roles(["race"], "insensitive")
    opened.wait_idle()
    assert found.status().state is StepState.STALE
    assert "earlier decisions" in found.banner._text.text()
    assert not found.results.panel.choose_button.isEnabled()
    opened.click(found.banner._button)
    opened.wait_idle()
    assert found.status().state is StepState.READY
    assert shown(found).basis.attributes == ("age", "sex")


def test_policies_of_earlier_decisions_never_stand_beside_those_of_now(opened, page):
    """Roles change after a search: its figures are hidden once others are known."""
    policy = {"kind": "k_anonymity", "k": 5}
    privacy = opened.project.privacy.but(models=(policy,), suppression_limit=0.05)
    opened.session.apply(lambda project: project.but(privacy=privacy), "k")
    opened.wait_idle()
    opened.click(page.look.run_button)
    opened.wait_idle()
    assert page.policies.kinds == (LATTICE,)
    assert page.proof.brief
    opened.workspace.set_roles(["race"], "insensitive")
    opened.wait_idle()
    assert page.policies.kinds == (LATTICE,)
    assert "These policies rest on earlier decisions" in page.banner._text.text()
    assert not page.proof.brief
    opened.find_alternatives()
    assert page.policies.kinds == (ALTERNATIVES,)
    assert "earlier decisions are not shown" in page.banner._text.text()
    assert not page.proof.brief
    opened.click(page.banner._button)
    opened.wait_idle()
    assert set(page.policies.kinds) == {LATTICE, ALTERNATIVES}
    assert page.banner.isHidden()


def test_what_was_found_is_known_before_its_page_is_seen(opened, page):
    policy = {"kind": "k_anonymity", "k": 5}
    privacy = opened.project.privacy.but(models=(policy,), suppression_limit=0.05)
    opened.session.apply(lambda project: project.but(privacy=privacy), "k")
    opened.page("data")
    opened.workspace.policies.start(LATTICE)
    opened.wait_idle()
    assert not page.policies.kinds
    assert page.found is not None
    assert page.status().state is StepState.PROPOSED


def test_closing_in_the_middle_leaves_nothing_behind(driver, tmp_path):
    program = Program()
    program.driver = driver
    program._open(tmp_path)
    driver.click(driver.look("alternatives").run_button)
    assert driver.workspace.is_running(ALTERNATIVES)


# -- preferences
# --------------------------------------------------------------------------


def test_a_preference_is_one_click_and_orders_the_list(opened, found):
    texts = [chip.text for chip in search_of(found).preferences.ideas]
    assert texts == ["age 90 and over", "age exact", "sex exact", "race exact"]
    search_of(found).preferences.ideas[0].clicked.emit()
    opened.wait_idle()
    assert opened.project.discover.preferences == (
        PreferenceChoice(attribute="age", low=90),
    )
    assert opened.session.state(ALTERNATIVES) is State.CURRENT
    scores = found._scores()
    numbers = found.results.views.policies.numbers
    assert (np.diff(scores[numbers]) <= 1e-12).all()
    assert "age 90 and over" not in [c.text for c in search_of(found).preferences.ideas]


def test_a_preference_that_must_be_fulfilled_is_searched_for(opened, found):
    search_of(found).preferences.ideas[0].clicked.emit()
    opened.wait_idle()
    search_of(found).preferences.rows[0].must.click()
    opened.wait_idle()
    assert found.status().state is StepState.STALE
    opened.click(found.look.run_button)
    opened.wait_idle()
    assert len(shown(found)) > 0
    assert (found._scores() == 1).all()


def test_a_range_and_some_values_are_preferred_in_one_line(opened, found):
    maker = search_of(found).preferences.maker
    assert maker.isHidden()
    search_of(found).preferences.open_button.click()
    maker.which.setCurrentIndex(1)
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
    maker.which.setCurrentIndex(2)
    maker.add_button.click()
    assert len(opened.project.discover.preferences) == 1
    maker.values.list.item(0).setCheckState(Qt.CheckState.Checked)
    maker.add_button.click()
    opened.wait_idle()
    words = [row.words.text() for row in search_of(found).preferences.rows]
    assert words == ["age from 60 to 65", f"race: {RACES[0]}"]


def test_the_weight_of_a_preference_is_a_decision_that_can_be_undone(opened, found):
    search_of(found).preferences.ideas[0].clicked.emit()
    search_of(found).preferences.rows[0].weight.setValue(3.0)
    assert opened.project.discover.preferences[0].weight == 3.0
    opened.session.undo()
    assert opened.project.discover.preferences[0].weight == 1.0
    opened.wait_idle()
    search_of(found).preferences.rows[0].remove.click()
    assert opened.project.discover.preferences == ()


def test_settings_of_the_search_are_decisions(opened, found):
    method = search_of(found).method
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
    opened.click(found.look.run_button)
    opened.wait_idle()
    assert shown(found).frontier is not None
    found.show_tab("plane")
    found.results.views.risk._on_clicked(2)
    plane = found.results.views.frontier
    assert not plane.chart.feasible.all()
    assert any("Riskier" in e.text for e in plane._entries(plane.chart))


# -- the choice ----------------------------------------------------------------------


def allow_any_risk(driver):
    """Set a model that is met: without people the comparison alone is no ground."""
    models = ({"kind": "highest_prosecutor_risk", "threshold": 1.0},)
    driver.session.apply(ops.change_privacy(models=models), "model")
    driver.wait_idle()


def test_a_threshold_that_is_not_met_is_said_in_red(opened, found):
    models = ({"kind": "k_anonymity", "k": 10_000},)
    opened.session.apply(ops.change_privacy(models=models), "model")
    opened.wait_idle()
    opened.click(found.results.panel.choose_button)
    opened.wait_idle()
    assert "NOT meet 1 of 1 threshold" in found.banner._text.text()
    assert found.banner.property("tone") == "danger"
    page = opened.page("export")
    opened.wait_idle()
    assert page._state.property("tone") == "danger"
    assert "NOT met" in page._state._text.text()
    assert not page.export_button.isEnabled()


def test_use_this_policy_leads_on_with_its_sentence(opened, found):
    allow_any_risk(opened)
    opened.click(found.results.panel.choose_button)
    opened.wait_idle()
    chosen = opened.project.chosen
    assert chosen.kind == "interval"
    assert chosen.acceptance.baseline == "safe_harbor"
    assert "below that of Safe Harbor on this data set" in found.banner._text.text()
    assert found.status().caption == "an alternative"
    assert found.results.panel.choose_button.text() == "Clear this choice"
    opened.click(found.banner._button)
    assert opened.window.current_key == "utility"
    found = opened.page("policies")
    opened.click(found.results.panel.choose_button)
    assert opened.project.chosen is None


def test_enter_in_the_list_uses_a_policy(opened, found, qtbot):
    table = found.results.views.table
    table.selectRow(2)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    number = found.results.views.policies.number_at(2)
    assert found.policies.number_of(opened.project.chosen) == number
    assert Flag.CHOSEN in found._flags[number]


def test_kept_policies_stand_beside_the_rule(opened, found):
    for row in (0, 1, 2):
        found.results.views.table.selectRow(row)
        opened.click(found.results.panel.keep_button)
    search_of(found).preferences.ideas[0].clicked.emit()
    opened.wait_idle()
    found.show_tab("compare")
    opened.wait_idle()
    heads = found.results.compare.sides
    assert len(heads) == 4
    assert heads[0].title == "Safe Harbor"
    assert [c.attribute for c in heads[0].cells] == [
        c.attribute for c in heads[1].cells
    ]
    assert all(cell.text for cell in heads[0].cells)
    assert heads[0].chosen is None
    lines = {line.label: line for line in found.results.compare.lines}
    assert lines["age"].cells[0] == "[90+]"
    limit = groups_of(lambda age: min(age, 90))
    assert lines["Expected correct links"].cells[0] == expected_text(limit)
    n_old = sum(age >= 90 for age, _sex, _race in RECORDS)
    assert lines["With a joined value (records)"].cells[0] == f"{n_old:,}"
    assert lines["age 90 and over"].cells[0] == "0 %".replace(" ", "\u202f")
    assert lines["Released otherwise than by Safe Harbor (records)"].cells[0] == ""
    found.results.compare.only_differences.setChecked(True)
    found.results.compare.drop_wanted.emit(heads[1].chosen)
    opened.wait_idle()
    assert len(opened.project.kept) == 2


def test_the_selected_policy_alone_stands_beside_the_rule(opened, found):
    opened.click(found.results.panel.compare_button)
    assert found.results.tabs.current == "compare"
    rule, side = found.results.compare.sides
    assert rule.chosen is None
    assert found.policies.number_of(side.chosen) == found.number


def test_undoing_everything_leaves_a_page_that_can_begin_again(opened, found):
    opened.click(found.results.panel.choose_button)
    opened.wait_idle()
    opened.undo_everything()
    assert opened.project.discover.baseline is None
    assert found.status().state in (StepState.STALE, StepState.NOT_YET)


def test_undoing_a_role_in_the_middle_of_a_choice_is_survived(opened, found):
    allow_any_risk(opened)
    opened.click(found.results.panel.choose_button)
    opened.wait_idle()
    opened.workspace.set_roles(["race"], "insensitive")
    opened.session.undo()
    assert "policy that you chose (◆) is released" in found.banner._text.text()
    opened.wait_idle()
    assert "below that of Safe Harbor" in found.banner._text.text()


def test_the_window_says_what_is_used_in_its_help(opened, found):
    opened.click(found.results.panel.choose_button)
    opened.wait_idle()
    assert "policy that you chose (◆) is released" in found.help_words()


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
    race = shown(found).basis.domain("race")
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
    basis = shown(found).basis
    elements = basis.discover.elements
    made = (PreferenceChoice(attribute="age", low=90, weight=2.0),)
    ideas = suggested_preferences(basis.space.domains, elements, made)
    assert made[0].but(weight=1.0) not in ideas


def test_what_the_rule_keeps_of_a_preference_is_counted(found):
    basis = shown(found).basis
    ages = [int(value) for value in basis.domain("age").values]
    share = rule_share(basis, PreferenceChoice(attribute="age"))
    assert share == pytest.approx(sum(age < 90 for age in ages) / len(ages))
    assert rule_share(basis, PreferenceChoice(attribute="sex")) == 1
    assert BASELINE < 0


def test_what_is_joined_is_seen_as_a_strip(found):
    number = found.number
    row = row_of(found, number)
    cells = found.policies.candidate(number).cells
    policy = shown(found).alternatives[row].policy
    for cell, groups in zip(cells, policy.groups, strict=True):
        if cell.effect == "joined":
            assert list(cell.groups) == groups.tolist()
