"""What stops a release in the window, and the reasons that let it go out."""

from __future__ import annotations

import random

import pytest
from PySide6.QtWidgets import QApplication

from deidgui.app import ops
from deidgui.app.policies.policy_set import Filter, PolicySet
from deidgui.app.policies.source import ALTERNATIVES
from deidgui.app.session import Kind, State
from deidgui.qt.pages.base import StepState
from tests.events_case import write_events

ROLES = {"sex": "quasi_identifier", "age": "quasi_identifier", "illness": "sensitive"}


@pytest.fixture
def decided(driver, tmp_path):
    """Everything decided but what is asked about the table; a policy was found."""
    chance = random.Random(4)
    rows = [
        f"{'FM'[i % 2]},{20 + i % 60},{('gout', 'flu')[i % 2]},{chance.random():.7f}"
        for i in range(300)
    ]
    (tmp_path / "people.csv").write_text("\n".join(["sex,age,illness,cost", *rows]))
    driver.open_data(tmp_path / "people.csv")
    driver.session.apply(ops.set_protection(None), "each row is one person")
    for name, role in {**ROLES, "cost": "insensitive"}.items():
        driver.workspace.set_roles([name], role)
    driver.wait_idle()
    change = {"models": ({"kind": "k_anonymity", "k": 2},), "suppression_limit": 0.5}
    driver.session.apply(ops.change_privacy(**change), "models")
    driver.session.apply(ops.change_export(suppressed="left_out"), "export")
    driver.wait_idle()
    driver.search()
    driver.wait_idle()
    return driver


def test_questions_stop_the_release_until_a_reason_is_typed(decided, tmp_path):
    driver, page = decided, decided.page("export")
    driver.wait_idle()
    assert driver.session.state(Kind.QUESTIONS) is State.CURRENT
    assert set(page.questions.fields) == {"illness:disclosed", "cost:unique"}
    assert not page.export_button.isEnabled()
    # Nothing is green that a person has still to answer for.
    assert page._state.property("tone") == "warning"
    assert "2 questions" in page.status().what_is_missing
    for key in ("illness:disclosed", "cost:unique"):
        assert not page.questions.buttons[key].isEnabled()
        page.questions.fields[key].setText(f"Because of {key}.")
        driver.click(page.questions.buttons[key])
        driver.wait_idle()
        QApplication.processEvents()
        if key == "illness:disclosed":
            assert page.questions.fields["cost:unique"].isVisible()
            assert page.questions.fields["cost:unique"].hasFocus()
    assert page.export_button.isEnabled()
    # What was accepted with a reason is not shown as met thresholds alone.
    assert page._state.property("tone") == "warning"
    assert "2 questions were accepted with a reason" in page._state._text.text()
    assert page.status().state is StepState.READY
    reasons = {each.because for each in driver.project.answers}
    assert reasons == {"Because of illness:disclosed.", "Because of cost:unique."}
    evidence = driver.export(tmp_path).written.evidence
    assert {each.because for each in evidence.questions} == reasons
    # What is answered is one line until somebody opens it: the preview is seen.
    assert not page.questions.buttons["cost:unique"].isVisible()
    page.questions.answered_part.set_open(True)
    QApplication.processEvents()
    # A reason can be taken back, and undone.
    driver.click(page.questions.buttons["cost:unique"])
    assert not page.export_button.isEnabled()
    driver.session.undo()
    driver.wait_idle()
    assert page.export_button.isEnabled()
    assert not driver.problems


def test_a_reason_does_not_count_for_another_role(decided):
    driver, page = decided, decided.page("export")
    driver.wait_idle()
    page.questions.fields["cost:unique"].setText("Rounded.")
    driver.click(page.questions.buttons["cost:unique"])
    driver.workspace.set_roles(["cost"], "sensitive")
    driver.wait_idle()
    assert not page.questions.fields["cost:unique"].isReadOnly()
    assert not page.export_button.isEnabled()


def test_before_any_policy_the_page_lists_what_is_open(driver, tmp_path):
    """Who opens the last page first is told what a release needs, and led there."""
    driver.open_data(write_events(tmp_path / "events.csv", n_patients=60))
    page = driver.page("export")
    assert not page.export_button.isEnabled()
    assert page.open_before.isVisible()
    wanted = {"protection_undecided", "role_unconfirmed", "no_privacy_model"}
    assert wanted <= page.open_before.links.keys()
    # What is decided on this page needs no link to it.
    assert "no_suppressed_choice" not in page.open_before.links
    driver.click(page.open_before.links["protection_undecided"])
    assert driver.window.current_key == "data"


def test_open_roles_are_listed_with_a_link(decided):
    driver, page = decided, decided.page("export")
    driver.session.apply(
        ops.change_attribute("cost", role=None, confirmed=False), "undecided"
    )
    driver.wait_idle()
    assert not page.export_button.isEnabled()
    assert "role_missing" in page.open.links
    driver.click(page.open.links["role_missing"])
    assert driver.window.current_key == "attributes"


def test_a_limit_that_is_overrun_needs_a_reason_that_is_typed(decided, tmp_path):
    driver = decided
    for name in ("illness", "cost"):
        driver.session.apply(ops.set_included(name, False), "leave out")
    driver.session.apply(ops.choose({"sex": 0, "age": 0}, 3), "choose")
    driver.session.apply(ops.change_privacy(suppression_limit=0.0), "limit")
    driver.session.apply(
        ops.change_privacy(models=({"kind": "k_anonymity", "k": 3},)), "models"
    )
    driver.wait_idle()
    driver.search()
    driver.wait_idle()
    measured = driver.session.current(Kind.MEASUREMENT)
    assert measured.exceeds_limit == (measured.n_suppressed > 0)
    if not measured.exceeds_limit:
        driver.session.apply(ops.choose({"sex": 0, "age": 0}, 6), "choose")
        driver.wait_idle()
    assert driver.session.current(Kind.MEASUREMENT).exceeds_limit
    page = driver.page("export")
    driver.wait_idle()
    assert page._state.property("tone") == "danger"
    assert not page.export_button.isEnabled()
    assert list(page.thresholds.fields) == ["suppression_limit"]
    page.thresholds.fields["suppression_limit"].setText("Only a pilot.")
    driver.click(page.thresholds.buttons["suppression_limit"])
    assert page._state.property("tone") == "danger"
    assert page.export_button.isEnabled()
    evidence = driver.export(tmp_path).written.evidence
    assert [each.kind for each in evidence.overruled] == ["suppression_limit"]
    assert evidence.warnings[0].startswith("OVERRULED")
    driver.session.undo()
    driver.wait_idle()
    assert not page.export_button.isEnabled()


def test_alternatives_that_do_not_meet_the_thresholds_are_not_green(decided):
    """No riskier than accepted is not what the thresholds ask for."""
    driver = decided
    for name in ("illness", "cost"):
        driver.session.apply(ops.set_included(name, False), "leave out")
    strict = {"models": ({"kind": "k_anonymity", "k": 290},)}
    driver.session.apply(ops.change_privacy(**strict), "models")
    discover = {"baseline": "typed", "typed": 100.0, "iterations": 10}
    driver.session.apply(
        lambda project: project.but(discover=project.discover.but(**discover)), "rule"
    )
    driver.wait_idle()
    driver.workspace.policies.start(ALTERNATIVES)
    driver.wait_idle()
    page = driver.page("policies")
    driver.wait_idle()
    found = driver.session.current(ALTERNATIVES)
    assert len(found)
    assert not found.columns.meets.any()
    # The earlier search stands beside them, out of date: alone they are not hidden
    # without a word.
    views = page.results.views
    alone = PolicySet().with_part(found)
    views.show_policies(
        alone,
        alone.matching(Filter()),
        {},
        selected=None,
        threshold=None,
        measure=None,
    )
    assert views.order.text().startswith("None of")
    assert not views.order.isHidden()
    driver.session.apply(ops.choose_policy(found.choice(0)), "choose")
    driver.wait_idle()
    assert page.status().state is StepState.ATTENTION
    assert page.status().caption == "thresholds not met"
    # Another threshold is judged at once: nothing has to be searched for it.
    easy = {"models": ({"kind": "k_anonymity", "k": 2},)}
    driver.session.apply(ops.change_privacy(**easy), "models")
    driver.wait_idle()
    assert driver.session.current(ALTERNATIVES).columns.meets.any()
