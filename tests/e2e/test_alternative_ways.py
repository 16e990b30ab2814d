"""Ways through the window around an alternative: back, aside, undone, reopened."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.policies.runner import ALTERNATIVES, LATTICE
from deidgui.app.project import Discover
from deidgui.app.session import Kind, State
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.policies.steering import WAY_BACK
from deidgui.qt.widgets import Button
from tests.app.population_case import choose_tables
from tests.e2e.driver import WizardDriver

N = 400
RACES = ("White", "Black", "Asian", "Other")
ROWS = [("FM"[i % 2], 20 + i % 70, RACES[(i // 7) % 4]) for i in range(N)]
FEW_RUNS, LONGEST = 6, 60
"""So many groups of an attribute are no list any more; words of a cell."""

OLD = [("F", 90, "White")] * 30
"""Many more than of the age before: the proposal is "90 and over"."""


def open_table(driver, folder):
    """Return the driver with the file open, its roles decided."""
    lines = [",".join(map(str, row)) for row in [*ROWS, *OLD]]
    (folder / "patients.csv").write_text("\n".join(["sex,age,race", *lines]))
    driver.open_data(folder / "patients.csv")
    driver.workspace.set_roles(["sex", "age", "race"], "quasi_identifier")
    driver.wait_idle()
    driver.confirm_roles()
    return driver


class Program:
    """One running program for all tests of this file: to start it takes seconds."""

    def __init__(self):
        self.driver = self.ready = self.loaded = None

    def begin(self, qtbot, folder):
        """Return the driver with a file whose roles are decided, and nothing else."""
        if self.driver is None:
            self._open(qtbot, folder)
        driver = self.driver
        driver.qtbot = qtbot
        driver.wait_idle()
        driver.page("start")
        driver.workspace.policies.forget()
        driver.session.start(self.ready, loaded=self.loaded)
        driver.session.set_loaded(self.loaded)
        driver.wait_idle()
        for notice in driver.window.notices.notices:
            driver.window.notices.dismiss(notice)
        driver.problems.clear()
        driver.page("policies").look.set_open(True)
        return driver

    def _open(self, qtbot, folder):
        self.driver = driver = open_table(WizardDriver(qtbot), folder)
        self.ready, self.loaded = driver.project, driver.session.loaded


@pytest.fixture(scope="module")
def program(qapp):
    made = Program()
    yield made
    if made.driver is not None:
        made.driver.quit()


@pytest.fixture
def opened(program, qtbot, tmp_path_factory):
    """A file whose roles are decided; no model, no limit, no search."""
    return program.begin(qtbot, tmp_path_factory.mktemp("data"))


def take_safe_harbor(driver):
    decided = with_elements(Discover(), proposed_elements(driver.project))
    driver.session.apply(lambda project: project.but(discover=decided), "rule")
    driver.wait_idle()


def use_an_alternative(driver):
    page = driver.find_alternatives()
    driver.click(page.results.panel.choose_button)
    driver.wait_idle()
    return page


def next_button(driver):
    return driver.window.footer._next


def walk_on(driver):
    """Steps that one passes with Next from the data on, until it is blocked."""
    driver.page("data")
    seen = []
    while next_button(driver).isEnabled() and driver.window.current_key != "export":
        driver.click(next_button(driver))
        driver.wait_idle()
        seen.append(driver.window.current_key)
    return seen


def test_without_a_decision_the_thresholds_are_missing(opened):
    assert walk_on(opened)[-1] == "risk"
    assert opened.page("risk").status().state is StepState.ATTENTION


def take_typed_risk(driver):
    """Let alternatives be no riskier than a number: a ground without people too."""
    typed = Discover(baseline="typed", typed=20.0)
    driver.session.apply(lambda project: project.but(discover=typed), "typed")
    driver.wait_idle()


def test_safe_harbor_without_people_is_no_ground_for_a_release(opened):
    use_an_alternative(opened)
    assert opened.page("risk").status().what_is_missing
    opened.wait_idle()
    page = opened.page("export")
    opened.wait_idle()
    assert not page.export_button.isEnabled()
    assert "does not justify a release" in page._state._detail.text()
    assert "acceptance_lacks_population" in page.open.links


def test_a_used_alternative_needs_no_thresholds_and_no_search(opened):
    take_typed_risk(opened)
    use_an_alternative(opened)
    status = opened.page("risk").status()
    assert status.caption == "not needed"
    assert not status.what_is_missing
    assert "Not needed for your policy" in opened.page("risk").help_words()
    assert opened.window.rail.item("risk").status.caption == "not needed"
    assert opened.page("policies").status().caption == "an alternative"
    assert walk_on(opened)[-1] == "export"
    # Undone, the choice is not there, but the way that was taken still is.
    opened.session.undo()
    opened.wait_idle()
    assert opened.project.chosen is None
    assert "alternatives" in opened.page("risk").help_words().lower()
    assert opened.page("risk").status().caption == "not needed"
    opened.undo_everything()
    assert opened.page("risk").status().what_is_missing


def test_models_that_are_decided_are_shown_beside_an_alternative(opened):
    use_an_alternative(opened)
    change = {"models": ({"kind": "k_anonymity", "k": 2},), "suppression_limit": 1.0}
    opened.session.apply(ops.change_privacy(**change), "models")
    opened.wait_idle()
    assert opened.page("risk").status().state is StepState.DONE
    assert not opened.page("policies").status().what_is_missing


def test_a_policy_of_the_search_needs_both(opened):
    take_safe_harbor(opened)
    change = {"models": ({"kind": "k_anonymity", "k": 2},), "suppression_limit": 1.0}
    opened.session.apply(ops.change_privacy(**change), "models")
    opened.wait_idle()
    opened.search()
    found = opened.session.current(LATTICE)
    opened.session.apply(ops.choose_policy(found.choice(found.optimum)), "choose")
    opened.session.apply(ops.change_privacy(models=()), "no models")
    opened.wait_idle()
    assert opened.page("risk").status().what_is_missing


# -- the highest age -----------------------------------------------------------------


@pytest.fixture
def counted(opened):
    """The same file among the people of Tennessee, as proposed and confirmed."""
    choose = choose_tables(("states_2000_modelled",), ("Tennessee",))
    opened.session.apply(choose, "people")
    opened.wait_idle()
    mapping = opened.page("risk").population.mapping
    opened.wait(lambda: mapping.parts)
    for name in ("sex", "age", "race"):
        if mapping.parts[name].state.needs_confirmation:
            mapping.parts[name].confirmed.emit(name)
            opened.wait_idle()
        if mapping.parts[name].state.needs_acceptance:
            mapping.parts[name].accepted_set.emit(name, True)
            opened.wait_idle()
    take_safe_harbor(opened)
    return opened


def test_a_rule_that_changes_nothing_leads_to_the_highest_age_and_back(counted):
    page = counted.page("policies")
    figures = page.look.alternatives.baseline.figures
    assert "changes nothing" in figures.warnings[0]
    callout = figures.callouts[0]
    counted.click(callout._button)
    counted.wait_idle()
    assert counted.window.current_key == "risk"
    part = counted.page("risk").population.mapping.parts["age"]
    assert part.is_open
    detail = part.detail
    row = detail.table.currentIndex().row()
    assert detail.model.index(row, 0).data() == "90"
    partners = population_partners(counted, "90")
    assert len(partners) > 1
    # That age only.
    part.partners_set.emit("age", "90", ("90",))
    counted.wait_idle()
    notices = counted.window.notices
    (strip,) = [each for each in notices._strips if each.notice.topic == WAY_BACK]
    counted.click(strip.findChild(Button))
    counted.wait_idle()
    assert counted.window.current_key == "policies"
    assert not notices.notices
    assert population_partners(counted, "90") == ("90",)


def test_a_column_that_is_not_settled_is_one_click_away(opened):
    choose = choose_tables(("states_2000_modelled",), ("Tennessee",))
    opened.session.apply(choose, "people")
    opened.wait_idle()
    baseline = opened.look("alternatives").alternatives.baseline
    asked = baseline.problem_place.rpartition("/")[2]
    assert asked in ("age", "race")
    opened.click(baseline.problem._button)
    opened.wait_idle()
    assert opened.window.current_key == "risk"
    part = opened.page("risk").population.mapping.parts[asked]
    assert part.is_open
    assert part.state.needs_a_person


def population_partners(driver, value):
    match = driver.page("risk").watch.match("age")
    return next(m.partners for m in match.mapping.matches() if m.text == value)


# -- the order of words --------------------------------------------------------------


def test_the_order_of_words_is_said_and_leads_to_the_hierarchy_and_back(opened):
    method = opened.look("alternatives").alternatives.search.method
    method.more.set_open(True)
    counts = Counter(race for _sex, _age, race in [*ROWS, *OLD])
    order = sorted(counts, key=lambda race: (-counts[race], race))
    assert f"race: {', '.join(order)} (most frequent" in method.order.text()
    assert "age:" not in method.order.text()
    assert "sex:" not in method.order.text()
    opened.click(method.order_button)
    opened.wait_idle()
    assert opened.window.current_key == "hierarchies"
    assert opened.page("hierarchies")._current == "race"
    opened.page("policies")
    method.mode.setCurrentIndex(1)
    method.mode.activated.emit(1)
    opened.wait_idle()
    assert method.order_button.isHidden()


def test_groups_of_the_hierarchy_make_neighbours(opened, tmp_path):
    page = opened.page("hierarchies")
    page.show_place("race")
    opened.wait_idle()
    wanted = ["Other", "White", "Asian", "Black"]
    groups = ["b", "b", "a", "a"]
    rows = zip(wanted, groups, strict=True)
    text = "".join(f"{race};{group};*\n" for race, group in rows)
    (tmp_path / "race.csv").write_text(text)
    page.import_file(tmp_path / "race.csv")
    opened.wait_idle()
    take_safe_harbor(opened)
    basis = opened.workspace.policies.baseline.basis
    assert list(basis.domain("race").values) == wanted
    method = opened.page("policies").look.alternatives.search.method
    assert f"race: {', '.join(wanted)} (as in the hier" in method.order.text()


# -- breaking it ---------------------------------------------------------------------


def test_a_chosen_alternative_is_there_when_the_project_is_opened_again(
    driver, tmp_path
):
    opened = open_table(driver, tmp_path)
    take_typed_risk(opened)
    use_an_alternative(opened)
    chosen = opened.project.chosen
    opened.workspace.save(tmp_path / "alternative.deid.json")
    opened.session.apply(ops.forget_choice(), "forget")
    opened.wait_idle()
    opened.open_project(tmp_path / "alternative.deid.json")
    assert opened.project.chosen == chosen
    assert opened.page("risk").status().caption == "not needed"
    assert walk_on(opened)[-1] == "export"
    measured = opened.session.current(Kind.MEASUREMENT)
    assert measured.meets_thresholds
    assert not opened.problems


def test_a_cancelled_search_in_which_nothing_was_chosen_leaves_what_was(opened):
    page = use_an_alternative(opened)
    chosen = opened.project.chosen
    opened.session.apply(
        lambda project: project.but(
            discover=project.discover.but(iterations=100_000, completes=False)
        ),
        "more",
    )
    opened.wait_idle()

    own = [True]  # the window outlives this test, and so does its observer

    def cancel_at_once(activity):
        # The search of so small a file is over before a test can wait for it.
        if own and activity.lane == ALTERNATIVES and activity.fraction == 0.0:
            opened.qtbot.mouseClick(page.progress._cancel, Qt.MouseButton.LeftButton)

    opened.workspace.activity.connect(cancel_at_once)
    opened.click(opened.look("alternatives").run_button)
    opened.wait_idle()
    own.clear()
    assert opened.project.chosen == chosen
    opened.session.undo()
    opened.wait_idle()
    assert opened.session.state(ALTERNATIVES) in (State.CURRENT, State.STALE)
    assert not opened.problems


# -- long domains --------------------------------------------------------------------


def test_what_is_joined_of_many_values_is_counted_in_one_line(opened):
    take_safe_harbor(opened)
    op = lambda project: project.but(  # noqa: E731
        discover=project.discover.but(baseline="typed", typed=20.0)
    )
    opened.session.apply(op, "fewer")
    opened.wait_idle()
    page = opened.find_alternatives()
    found = page.policies.part(ALTERNATIVES)
    place = found.basis.attributes.index("age")
    many = [
        each.number
        for each in found.alternatives
        if found.table3_row(each.number)[place].count("[") > FEW_RUNS
    ]
    assert many
    for row in many:
        text = found.cells[row][place].text
        assert len(text) <= LONGEST, text
