"""The validity on the page Risk and thresholds."""

from __future__ import annotations

from datetime import date

import pytest

from deidgui.app import ops
from deidgui.app.determination.validity import enter_trigger, proposal
from deidgui.app.dossier.drift import compare_with
from deidgui.app.needed import problems_of
from deidgui.app.project import EarlierRelease
from deidgui.engine.privacy import KAnonymity
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk.page import RiskPage
from deidgui.qt.widgets import Label
from tests.qt.fakes import fill


@pytest.fixture
def page(qtbot, workspace, settings):
    fill(workspace.session)
    made = RiskPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 640)
    with qtbot.waitExposed(made):
        made.show()
    made.show_place("validity")
    return made


def said(page):
    return page.session.project.validity


def texts_of(widget):
    return " ".join(each.text() for each in widget.findChildren(Label))


def test_nothing_is_decided_by_itself(page):
    part = page.validity
    assert part.isVisible()
    assert not page.thresholds.isVisible()
    assert part.begins.text() == part.ends.text() == ""
    part.propose.click()
    assert part.ends.text() > part.begins.text() == date.today().isoformat()
    assert said(page) == type(said(page))()
    part.by.clear()
    part.decide.click()
    assert not part.problem.isHidden()
    assert said(page) == type(said(page))()


def test_a_person_decides_and_a_trigger_stops_the_export(page):
    part = page.validity
    part.by.setText("A. Analyst")
    part.propose.click()
    part.decide.click()
    assert said(page).period.by == "A. Analyst"
    assert page.summaries["validity"].words.startswith("until")
    codes = [each.code for each in problems_of(page.session.project)]
    assert not any(each.startswith("validity") for each in codes)
    part.show_tab("triggers")
    part.enter.click()
    assert not part.trigger_problem.isHidden()
    part.words.setText("A laptop was lost.")
    part.enter.click()
    assert page.summaries["validity"].words == "Export is stopped"
    # Nothing is green of a step that stops the export.
    assert page.status().state is StepState.ATTENTION
    codes = [each.code for each in problems_of(page.session.project)]
    assert "validity_trigger" in codes
    part.propose.click()
    part.decide.click()
    assert len(said(page).periods) == 2
    assert said(page).triggers == ()
    assert part.periods.rowCount() == 2
    # The table is as wide as its card: nothing is hidden at its right.
    assert part.periods.horizontalScrollBar().maximum() == 0
    page.session.undo()
    assert len(said(page).triggers) == 1


def test_the_examples_of_a_period_are_the_proposal(page):
    part = page.validity
    first, last = (
        date.fromisoformat(each.placeholderText()) for each in (part.begins, part.ends)
    )
    assert first < last
    proposed = proposal(page.session.project)
    assert (first.isoformat(), last.isoformat()) == (proposed.begins, proposed.ends)


def test_a_period_that_is_filled_in_is_not_decided_yet(page):
    """Whoever fills in the proposal sees what is left to do."""
    part, project = page.validity, page.session.project
    limits = project.privacy.but(models=(KAnonymity(3),), suppression_limit=0.1)
    page.session.apply(lambda p: p.but(privacy=limits), "limits")
    for each in project.with_role("sensitive"):
        page.session.apply(ops.set_role(each.name, "insensitive"), "role")
    assert page.status().state is StepState.DONE
    part.by.setText("A. Analyst")
    part.propose.click()
    assert part.state.property("tone") == "warning"
    assert "Filled in, not yet decided." in texts_of(part.state)
    assert part.decide.property("kind") == "primary"
    assert part.propose.property("kind") == "plain"
    assert part.focusWidget() is part.decide
    assert page.summaries["validity"].words == "Filled in, not yet decided"
    assert page.status().state is StepState.ATTENTION
    assert page.status().what_is_missing == ""
    part.decide.click()
    assert part.state.property("tone") == "success"
    assert part.decide.property("kind") == "plain"
    assert page.status().state is StepState.DONE
    # Without a name the next thing to do is to say who decides.
    part.by.clear()
    part.propose.click()
    assert part.focusWidget() is part.by
    for each in (part.begins, part.ends, part.because):
        each.clear()
    assert part.state.property("tone") == "success"


def test_a_draft_does_not_hide_why_the_export_is_stopped(page):
    op = enter_trigger("incident", "A laptop was lost.", "A. Analyst", "2026-11-23")
    page.session.apply(op, "trigger")
    part = page.validity
    part.propose.click()
    assert part.state.property("tone") == "danger"
    assert "Filled in, not yet decided." in texts_of(part.state)


def test_who_watches_is_kept_and_refused_where_it_cannot_be(page):
    texts = page.validity.texts
    for name, text in (("in_charge", "C. Care"), ("review_months", "6")):
        texts[name].field.setText(text)
        texts[name].field.editingFinished.emit()
    assert (said(page).in_charge, said(page).review_months) == ("C. Care", 6)
    texts["review_months"].field.setText("soon")
    texts["review_months"].field.editingFinished.emit()
    assert not texts["review_months"].problem.isHidden()
    assert said(page).review_months == 6


def test_texts_typed_without_a_name_are_signed_afterwards(page):
    part = page.validity
    assert part.sign.isHidden()
    part.by.clear()
    for name, text in (("in_charge", "C. Care"), ("contact", "Office, 72 hours")):
        part.texts[name].field.setText(text)
        part.texts[name].field.editingFinished.emit()
    assert said(page).signed == {}
    assert not part.sign.isHidden()
    part.by.clear()
    part.sign.click()
    assert not part.sign_problem.isHidden()
    assert said(page).signed == {}
    part.by.setText("A. Analyst")
    part.sign.click()
    signed = {name: each.by for name, each in said(page).signed.items()}
    assert signed == dict.fromkeys(("in_charge", "contact"), "A. Analyst")
    assert "A. Analyst" in part.texts["contact"].signed.text()
    assert part.sign.isHidden()
    assert part.sign_problem.isHidden()
    # What somebody has signed is not signed anew by the next one.
    part.by.setText("B. Boss")
    part.texts["conditions"].field.setText("No linking")
    part.texts["conditions"].field.editingFinished.emit()
    assert said(page).signed["contact"].by == "A. Analyst"


def test_an_earlier_release_is_named_by_somebody(
    page, workspace, monkeypatch, tmp_path
):
    part = page.validity
    part.show_tab("triggers")
    assert "No earlier release" in part.earlier.text()
    assert part.no_earlier.isHidden()
    asked = []
    monkeypatch.setattr(
        "deidgui.qt.pages.risk.page.ask_folder", lambda *_: tmp_path / "first"
    )
    monkeypatch.setattr(
        workspace, "choose_earlier", lambda *a: asked.append(a), raising=False
    )
    part.by.clear()
    part.choose_earlier.click()
    assert not part.trigger_problem.isHidden()
    assert asked == []
    part.by.setText("A. Analyst")
    part.choose_earlier.click()
    assert asked == [(tmp_path / "first", "A. Analyst")]
    chosen = EarlierRelease(
        file="first", sha256="0" * 64, by="A. Analyst", on="2026-11-23"
    )
    page.session.apply(compare_with(chosen, "A. Analyst"), "choose")
    page.refresh(page.parts)
    assert "“first”" in part.earlier.text()
    part.no_earlier.click()
    assert asked[1:] == [(None, "A. Analyst")]
