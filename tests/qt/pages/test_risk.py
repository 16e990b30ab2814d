"""The page Risk and thresholds: what it shows of a session and what it decides."""

import pytest
from PySide6.QtCore import Qt

from deidgui.app import ops
from deidgui.app.project import PopulationChoice
from deidgui.app.recipients import BY_KIND, RECIPIENTS
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.engine.quality import QUALITY_MEASURES
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk import RiskPage
from deidgui.qt.pages.risk.proposals import first_proposal
from tests.qt.fakes import fill


@pytest.fixture
def page(qtbot, workspace, settings):
    fill(workspace.session)
    made = RiskPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


def privacy(page):
    return page.session.project.privacy


def test_nothing_is_decided_by_itself(page):
    assert privacy(page).models == ()
    assert privacy(page).suppression_limit is None
    status = page.status()
    assert status.state is StepState.ATTENTION
    assert status.what_is_missing


@pytest.mark.parametrize("kind", [each.kind for each in RECIPIENTS])
def test_choosing_a_recipient_proposes_its_thresholds(qtbot, page, kind):
    qtbot.mouseClick(page.recipients.option(kind), Qt.MouseButton.LeftButton)
    assert privacy(page).threshold.recipient == kind
    assert privacy(page).models == BY_KIND[kind].models()
    if kind != "own":
        assert privacy(page).suppression_limit == BY_KIND[kind].suppression_limit
        assert page.status().state is StepState.DONE
        assert len(page.thresholds.editors) == len(privacy(page).models)
    page.session.undo()
    assert privacy(page).threshold.recipient is None
    assert privacy(page).models == ()


def test_a_recipient_can_be_chosen_with_the_keyboard(qtbot, page):
    option = page.recipients.option("public")
    option.setFocus()
    qtbot.keyClick(option, Qt.Key.Key_Space)
    assert privacy(page).threshold.recipient == "public"


def test_thresholds_are_edited_in_place(page):
    page.recipients.chosen.emit("public")
    editor = page.thresholds.editors[0]
    editor.form.field("threshold").control.setValue(0.125)
    assert privacy(page).models[0]["threshold"] == 0.125
    assert page.thresholds.editors[0] is editor
    assert "0.125" in page.help_words()


def test_an_impossible_threshold_is_told_at_the_field_and_not_taken(page):
    page.recipients.chosen.emit("public")
    before = privacy(page).models
    field = page.thresholds.editors[0].form.field("threshold")
    field.control.setValue(0)
    assert field.problem
    assert privacy(page).models == before


@pytest.mark.parametrize("kind", [model.kind for model in PRIVACY_MODELS])
def test_every_model_can_be_added_and_removed(page, kind):
    page.thresholds.add_action(kind).trigger()
    model = first_proposal(PRIVACY_MODELS[kind], ["diagnosis"])
    assert privacy(page).models == (model.to_json(),)
    page.thresholds.editors[0].removed.emit()
    assert privacy(page).models == ()


def test_a_model_this_version_does_not_know_is_shown_and_can_be_removed(page):
    page.session.apply(ops.change_privacy(models=({"kind": "future"},)), "x")
    assert page.thresholds.editors == [None]
    assert page.help_words() == ""


def test_the_suppression_limit_waits_for_a_decision(page):
    assert page.suppression.slider.isHidden()
    page.suppression.limit_set.emit(0.05)
    assert privacy(page).suppression_limit == 0.05
    assert not page.suppression.slider.isHidden()
    assert page.suppression.slider.value == pytest.approx(5)


def test_a_sampling_fraction_makes_figures_estimates(page):
    page.population.kind.chosen.emit("sampling_fraction")
    assert privacy(page).population == PopulationChoice(
        kind="sampling_fraction", sampling_fraction=0.1
    )
    page.population.kind.chosen.emit("none")
    assert privacy(page).population == PopulationChoice()


def test_the_treatment_of_missing_values_is_a_decision(page):
    page.population.missing_set.emit("anything")
    assert privacy(page).missing_matches == "anything"


@pytest.mark.parametrize("kind", [measure.kind for measure in QUALITY_MEASURES])
def test_every_measure_can_guide_the_search(page, kind):
    page.measure.measure_set.emit({"kind": kind})
    assert page.session.project.quality.measure == {"kind": kind}
    assert page.measure.kind.current == kind


def test_weights_and_limits_of_quasi_identifiers(page):
    name = page.session.project.quasi_identifiers[0].name
    page.importance.weight_set.emit(name, 1.0)
    page.importance.level_set.emit(name, 2)
    attribute = page.session.project.attribute(name)
    assert (attribute.weight, attribute.maximum_level) == (1.0, 2)
    page.importance.level_set.emit(name, None)
    assert page.session.project.attribute(name).maximum_level is None


def test_what_is_typed_is_taken_over_on_leaving(page):
    page.thresholds.reason.setPlainText("a data use agreement is signed")
    page.signature.field.setText("J. Doe, privacy officer")
    page.leave()
    assert privacy(page).threshold.justification == "a data use agreement is signed"
    assert privacy(page).threshold.set_by == "J. Doe, privacy officer"
