"""The page Risk and thresholds: what it shows of a session and what it decides."""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from deidgui.app import ops
from deidgui.app.decides import Changes
from deidgui.app.determination.recipients import BY_KIND, RECIPIENTS
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Attribute, PopulationChoice, Project
from deidgui.app.release.questions import ReleaseQuestion
from deidgui.app.session import Kind
from deidgui.engine.parameters import Proposed, Range, parameters_of
from deidgui.engine.privacy import PRIVACY_MODELS, ClassModel, KAnonymity
from deidgui.engine.privacy.base import SensitiveAttribute
from deidgui.engine.quality import QUALITY_MEASURES
from deidgui.qt.models.figures import loss_text
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk.importance import ImportanceCard
from deidgui.qt.pages.risk.limits import (
    GROUPS,
    RecipientCard,
    explanation,
    group_words,
    models_of,
)
from deidgui.qt.pages.risk.page import RiskPage
from deidgui.qt.pages.risk.population import PopulationCard
from deidgui.qt.theme import theme
from deidgui.qt.widgets import Callout, DecimalBox, Label
from tests.explored_case import cells, make_case
from tests.explored_case import fill as fill_case
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
        # One column is sensitive, and no threshold is about it yet.
        assert page.status().caption == "1 lacks a threshold"
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
    editor.form.field("threshold").control.setValue(12.5)
    assert privacy(page).models[0].threshold == 0.125
    assert page.thresholds.editors[0] is editor
    assert "12.5\u202f%" in page.help_words()


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
    model = PRIVACY_MODELS[kind].proposed(attribute="diagnosis")
    assert privacy(page).models == (model,)
    page.thresholds.editors[0].removed.emit()
    assert privacy(page).models == ()


@pytest.mark.parametrize("kind", [model.kind for model in PRIVACY_MODELS])
def test_every_model_can_be_edited_and_is_explained(page, kind):
    page.thresholds.add_action(kind).trigger()
    editor = page.thresholds.editors[0]
    (model,) = privacy(page).models
    assert editor.form.value() == model
    assert explanation(type(model))
    for parameter in parameters_of(type(model)):
        field = editor.form.field(parameter.name)
        assert field.control.accessibleName()
        if isinstance(field.control, DecimalBox):
            field.control.stepUp()
            shown = getattr(model, parameter.name)
            edited = getattr(privacy(page).models[0], parameter.name)
            assert edited > shown or field.problem or shown == parameter.range.high


def test_every_model_is_in_one_group_of_the_menu():
    found = [model.kind for group in GROUPS for model in models_of(group)]
    assert sorted(found) == sorted(model.kind for model in PRIVACY_MODELS)
    assert all(group_words(group) for group in GROUPS)


@dataclass(frozen=True)
class Unheard(ClassModel):
    """A model that the menu has no explanation for."""

    kind = "unheard"
    title = "Unheard"
    monotone_generalization = monotone_suppression = False
    sources = ()

    attribute: SensitiveAttribute
    n: Annotated[int, Range(7, 9), Proposed(8)]
    top: float | None = None

    def words(self):
        return "Nothing is known."

    def holds(self, classes):
        raise NotImplementedError


def test_a_model_without_an_explanation_is_offered_in_its_own_words():
    assert explanation(Unheard) == "Nothing is known"


def test_a_proposal_takes_what_the_project_decides_and_the_range_allows():
    assert Unheard.proposed() == Unheard("", 8)
    assert Unheard.proposed(attribute="a", other=3) == Unheard("a", 8)
    assert Unheard.proposed(n=9).n == 9
    assert Unheard.proposed(n=10).n == 8


def test_a_model_that_cannot_be_read_is_shown_and_can_be_removed(page):
    stored = ({"kind": "no_such"}, {"kind": "k_anonymity", "k": 5})
    page.session.apply(ops.change_privacy(models=stored), "x")
    broken, editor = page.thresholds.editors
    assert broken is None
    assert page.status().state is StepState.ATTENTION
    editor.form.field("k").control.setValue(7)
    assert privacy(page).models[0].to_json() == {"kind": "no_such"}
    assert privacy(page).models[1].k == 7
    (callout,) = [
        each
        for each in page.thresholds.findChildren(Callout)
        if each.property("place") == 0 and not each.isHidden()
    ]
    callout.acted.emit()
    assert privacy(page).models == (KAnonymity(7),)


SENSITIVE = [model.kind for model in PRIVACY_MODELS if model.needs_sensitive]


@pytest.mark.parametrize("kind", SENSITIVE)
def test_the_only_sensitive_column_is_proposed_and_can_be_changed(page, kind):
    page.session.apply(ops.set_role("note", "sensitive"), "x")
    page.thresholds.add_action(kind).trigger()
    editor = page.thresholds.editors[0]
    field = editor.form.field("attribute")
    assert privacy(page).models[0].attribute == ""
    assert field.problem
    offered = [field.control.itemData(i) for i in range(field.control.count())]
    assert offered == ["", "diagnosis", "note"]
    field.control.setCurrentIndex(1)
    field.control.activated.emit(1)
    assert privacy(page).models[0].attribute == "diagnosis"
    problem = field.problem
    assert not problem or "hierarchy" in problem


@pytest.mark.parametrize("kind", SENSITIVE[:1])
def test_without_a_sensitive_column_the_field_leads_to_the_step(qtbot, page, kind):
    page.session.apply(ops.set_role("diagnosis", "insensitive"), "x")
    page.thresholds.add_action(kind).trigger()
    editor = page.thresholds.editors[0]
    assert not editor.form.field("attribute").control.isEnabled()
    assert "Attributes" in editor.form.field("attribute").problem
    with qtbot.waitSignal(page.step_wanted) as told:
        editor.go_button.click()
    assert told.args == ["attributes"]


@pytest.mark.parametrize("kind", SENSITIVE[:1])
def test_a_column_that_is_not_sensitive_any_more_is_told_at_the_field(page, kind):
    page.thresholds.add_action(kind).trigger()
    page.suppression.limit_set.emit(0.05)
    editor = page.thresholds.editors[0]
    assert not editor.form.field("attribute").problem
    assert page.status().state is StepState.DONE
    page.session.apply(ops.set_role("diagnosis", "insensitive"), "x")
    assert page.thresholds.editors[0] is editor
    assert "diagnosis" in editor.form.field("attribute").problem
    assert page.status().state is StepState.ATTENTION
    page.session.undo()
    assert not editor.form.field("attribute").problem


COUNTING = [model.kind for model in PRIVACY_MODELS if model.needs_counted_population]


@pytest.mark.parametrize("kind", COUNTING)
def test_a_model_of_the_population_leads_to_it(qtbot, page, kind):
    page.thresholds.add_action(kind).trigger()
    editor = page.thresholds.editors[0]
    assert not editor.go_button.isHidden()
    editor.go_button.click()
    assert page.population.kind.hasFocus() or page.population.isAncestorOf(
        page.focusWidget() or page
    )


def test_what_is_not_edited_stays_exactly_as_it_is(page):
    exact = 1 / 11
    stored = {"kind": "records_at_risk", "threshold": exact, "share": 0.123456789}
    page.session.apply(ops.change_privacy(models=(stored,)), "x")
    editor = page.thresholds.editors[0]
    editor.form.field("share").control.setValue(50)
    assert privacy(page).models[0].threshold == exact
    assert privacy(page).models[0].share == 0.5


def test_a_file_is_asked_for_before_anything_is_decided(page):
    page.population.kind.chosen.emit("counts")
    assert privacy(page).population == PopulationChoice()
    assert not page.population.file.isHidden()
    assert page.population.shown_kind == "counts"
    page.population.kind.chosen.emit("none")
    assert page.population.file.isHidden()


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
    # Its name is the heading of the card.
    head, other = (
        next(e for e in page.findChildren(Label) if e.text() == text)
        for text in ("Suppression limit", "Thresholds")
    )
    assert head.fontMetrics().height() == other.fontMetrics().height()


def state_fraction(page, per_cent):
    page.population.kind.chosen.emit("sampling_fraction")
    page.population.fraction.setValue(per_cent)
    page.population.fraction.editingFinished.emit()


def test_a_sampling_fraction_makes_figures_estimates(page):
    state_fraction(page, 10)
    assert privacy(page).population == PopulationChoice(
        kind="sampling_fraction", sampling_fraction=0.1
    )
    page.population.kind.chosen.emit("none")
    assert privacy(page).population == PopulationChoice()


def test_no_share_of_the_population_is_decided_before_somebody_states_it(page):
    card = page.population
    card.kind.chosen.emit("sampling_fraction")
    card.fraction.editingFinished.emit()  # the field is left as it is
    assert privacy(page).population == PopulationChoice()
    assert not card._fraction_row.isHidden()
    assert card.fraction.text() == "not stated"
    assert "until then: Nothing known" in card._words.text()
    state_fraction(page, 10)
    card.fraction.setValue(0)  # "not stated" takes nothing back
    card.fraction.editingFinished.emit()
    assert privacy(page).population.sampling_fraction == 0.1
    assert card.fraction.value() == 10


def test_another_kind_of_population_says_what_holds_until_it_is_decided(page):
    state_fraction(page, 10)
    for kind in ("counts", "register", "built_in"):
        page.population.kind.chosen.emit(kind)
        assert privacy(page).population.sampling_fraction == 0.1
        assert not page.population._words.isHidden()
        assert "until then: The file holds 10" in page.population._words.text()


def test_the_treatment_of_missing_values_is_a_decision(page):
    page.population.missing_set.emit("anything")
    assert privacy(page).missing_matches == "anything"


@pytest.mark.parametrize("kind", [measure.kind for measure in QUALITY_MEASURES])
def test_every_measure_can_guide_the_search(page, kind):
    page.measure.kind.set_current(kind)
    page.measure.kind.activated.emit(0)
    assert page.session.project.quality.measure == QUALITY_MEASURES[kind]()
    assert page.measure.kind.current == kind


def test_weights_and_limits_of_quasi_identifiers(page):
    name = page.session.project.quasi_identifiers[0].name
    page.importance.weight_set.emit(name, 1.0)
    page.importance.level_set.emit(name, 2)
    attribute = page.session.project.attribute(name)
    assert (attribute.weight, attribute.maximum_level) == (1.0, 2)
    page.importance.level_set.emit(name, None)
    assert page.session.project.attribute(name).maximum_level is None


def test_names_of_columns_are_whole_where_a_level_is_cut(qtbot):
    names = ("sex", "marital_status_at_admission")
    attributes = (Attribute(name=name, role="quasi_identifier") for name in names)
    card = ImportanceCard()
    qtbot.addWidget(card)
    card.show_project(Project(attributes=tuple(attributes)), {})
    card.show()
    name, levels = card._lines[1].name, card._lines[1].levels
    card.resize(420, 400)
    settle()
    # Above one another they end in one line.
    assert levels.geometry().right() == card._lines[1]._leader.geometry().right()
    levels.set_options([("None", "all but the most common values together")])
    for width in range(420, 900, 40):
        card.resize(width, 400)
        settle()
        assert name.width() >= name.sizeHint().width(), width
    assert levels.width() >= levels.sizeHint().width()


def test_only_what_nobody_has_confirmed_is_called_proposed(page):
    assert not page.importance.proposed.isHidden()
    name = page.session.project.quasi_identifiers[0].name
    page.importance.weight_set.emit(name, 1.0)
    assert not page.importance.proposed.isHidden()
    page.importance.confirmed.emit()
    assert page.importance.proposed.isHidden()


def test_what_is_typed_is_taken_over_on_leaving(page):
    page.justification.reason.setPlainText("a data use agreement is signed")
    page.justification.field.setText("J. Doe, privacy officer")
    page.leave()
    assert privacy(page).threshold.justification == "a data use agreement is signed"
    assert privacy(page).threshold.set_by == "J. Doe, privacy officer"


def test_a_reason_is_taken_over_as_soon_as_the_keyboard_is_elsewhere(page, qtbot):
    page.window().activateWindow()
    qtbot.waitUntil(page.window().isActiveWindow)
    reason = page.justification.reason
    reason.setFocus()
    reason.setPlainText("a data use agreement is signed")
    qtbot.keyClick(reason, Qt.Key.Key_Tab)
    assert privacy(page).threshold.justification == "a data use agreement is signed"


# -- differential privacy --------------------------------------------------------------


def decide_levels(page):
    """One level for every quasi-identifier."""
    for each in page.session.project.quasi_identifiers:
        op = ops.change_attribute(each.name, minimum_level=1, maximum_level=1)
        page.session.apply(op, "x")


def leave_out(page):
    """Nothing but quasi-identifiers is released."""
    for each in page.session.project.with_role("sensitive", "insensitive"):
        page.session.apply(ops.change_attribute(each.name, include=False), "x")


def test_differential_privacy_leads_from_one_problem_to_the_next(qtbot, page):
    page.suppression.limit_set.emit(0.05)
    page.thresholds.add_action("epsilon_delta").trigger()
    editor = page.thresholds.editors[0]
    asked = []
    page.step_wanted.connect(asked.append)

    def told(words):
        assert words in editor.form._other.text
        assert not editor._go_row.isHidden()
        editor.go_button.click()

    told("no quasi-identifiers")
    leave_out(page)
    told("still left to the search")
    decide_levels(page)
    told("at most 63.212\u202f%")
    assert asked == ["attributes", "hierarchies"]
    assert page.population.isAncestorOf(page.focusWidget())
    population = PopulationChoice(kind="sampling_fraction", sampling_fraction=0.9)
    page.population.population_set.emit(population)
    told("the stated share is 90\u202f%")
    page.population.population_set.emit(population.but(sampling_fraction=0.5))
    told("a limit of 5\u202f%")
    assert page.suppression.isAncestorOf(page.focusWidget())
    assert page.status().state is StepState.ATTENTION
    page.suppression.limit_set.emit(1.0)
    assert editor._go_row.isHidden()
    assert not editor.form._other.text
    assert page.status().state is StepState.DONE
    assert page.thresholds.editors[0] is editor
    page.session.apply(ops.change_search(local_recoding=True), "x")
    page.refresh(page.parts)
    told("local recoding")
    assert asked[2:] == ["policies/plan"]


def test_what_thresholds_cost_is_one_click_away(qtbot, page):
    for action in ("k_anonymity", "average_prosecutor_risk"):
        page.thresholds.add_action(action).trigger()
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page.cost.trade_offs_button.click()
    assert wanted.args == ["policies/trade_offs"]


# -- what is in view -------------------------------------------------------------------


@pytest.fixture
def searched(window, workspace):
    """The page in the smallest window, with classes and a search."""
    fill_case(workspace.session, make_case())
    window.show_step("risk")
    return window.page("risk")


def test_a_page_that_is_given_up_follows_no_other_look(page):
    page.hide()
    (card,) = page.findChildren(PopulationCard)
    card.deleteLater()
    QApplication.sendPostedEvents(card, QEvent.Type.DeferredDelete)
    assert not isValid(card)
    theme().changed.emit()


def settle():
    """Let every layout that is due be made."""
    for _ in range(10):
        QApplication.processEvents()


def is_in_view(widget, viewport):
    place = QRect(widget.mapTo(viewport, QPoint(0, 0)), widget.size())
    return widget.isVisible() and viewport.rect().contains(place)


THREE = (
    {"kind": "k_anonymity", "k": 5},
    {"kind": "highest_prosecutor_risk", "threshold": 0.2},
    {"kind": "average_prosecutor_risk", "threshold": 0.1},
)


@pytest.mark.parametrize("n_models", [1, 2, 3])
def test_limits_and_their_cost_are_seen_together(qtbot, window, searched, n_models):
    models = tuple(map(PRIVACY_MODELS.from_json, THREE[:n_models]))
    searched.thresholds.models_edited.emit(models)
    assert (window.width(), window.height()) == (1280, 720)
    viewport = searched._limits.viewport()
    cards = (
        *(searched.recipients, searched.thresholds),
        *(searched.suppression, searched.cost),
        *searched.thresholds.editors,
    )
    # What is checked beside the window may add words to the cards.
    qtbot.waitUntil(searched.thresholds.unprotected.isVisible)
    qtbot.waitUntil(lambda: not window.workspace.runner.is_busy)
    # As high as after another search.
    searched.cost.show_found(searched.session.result(LATTICE), is_stale=False)
    settle()
    assert all(is_in_view(each, viewport) for each in cards)
    assert not searched.cost.loss.isHidden()
    assert all(is_in_view(each, window) for each in searched.summaries.values())


def test_one_part_is_shown_where_it_is_narrow_and_the_keyboard_leads_to_it(
    qtbot, window, searched
):
    assert searched.thresholds.isVisible()
    assert not searched.population.isVisible()
    for key, part in (
        ("population", searched.population),
        ("importance", searched.importance),
        ("reason", searched.justification),
    ):
        summary = searched.summaries[key]
        summary.setFocus()
        qtbot.keyClick(summary, Qt.Key.Key_Return)
        assert part.isVisible()
        assert not searched.thresholds.isVisible()
    qtbot.keyClick(searched.summaries["limits"], Qt.Key.Key_Space)
    assert searched.thresholds.isVisible()
    window.show_place("risk/population")
    assert searched.population.isVisible()
    window.show_place("risk/limit")
    assert searched.suppression.isVisible()


@pytest.mark.parametrize("key", ["limits", "context", "validity"])
def test_on_a_low_page_a_part_begins_at_its_top(qtbot, window, searched, key):
    window.resize(640, 360)
    searched.show_part_of("validity" if key == "context" else "context")
    bar = searched._area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 400)
    bar.setValue(bar.maximum())
    searched.summaries[key].clicked.emit()
    parts = {"limits": searched.recipients, "context": searched.context}
    part, viewport = parts.get(key, searched.validity), searched._area.viewport()
    qtbot.waitUntil(lambda: 0 <= part.mapTo(viewport, QPoint()).y() < 60)


def test_where_it_is_wide_all_parts_stand_beside_each_other(qtbot, window, searched):
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: searched.population.isVisible())
    assert searched.thresholds.isVisible()
    assert searched.importance.isVisible()
    bar = searched._others.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    searched.summaries["reason"].clicked.emit()
    viewport = searched._others.viewport()
    qtbot.waitUntil(lambda: is_in_view(searched.justification, viewport))
    window.show_place("risk/population")
    qtbot.waitUntil(lambda: is_in_view(searched.population.kind, viewport))


def test_summaries_say_what_is_decided(searched):
    words = {key: each.words for key, each in searched.summaries.items()}
    assert words["limits"] == "1 threshold, at most 10\u202f% of the records suppressed"
    # Whoever looks at another part sees where the rail's words lead.
    asked = ReleaseQuestion("disease", "disclosed", "question_disclosed", {}, "")
    project = searched.session.project
    searched.session.set_result(Kind.QUESTIONS, (asked,), project)
    searched.refresh(Changes.RESULT)
    assert searched.status().caption == "1 lacks a threshold"
    assert searched.summaries["limits"]._glyph.isVisible()
    said = searched.summaries["limits"].accessibleName()
    assert said.endswith("1 sensitive column lacks a threshold.")
    assert words["population"] == "Nothing known"
    searched.recipients.chosen.emit("public")
    assert searched.summaries["limits"].words.startswith("The public, 2 thresholds")
    assert "European Medicines Agency" in searched.summaries["reason"].words
    state_fraction(searched, 10)
    assert "10\u202f%" in searched.summaries["population"].words
    name = searched.session.project.quasi_identifiers[0].name
    searched.importance.weight_set.emit(name, 1.0)
    assert name in searched.summaries["importance"].words


def test_cost_counts_the_records_that_fail_now_and_follows_the_search(searched):
    table = searched.session.loaded.table
    names = [each.name for each in searched.session.project.quasi_identifiers]
    rows = list(zip(*(cells(table, name) for name in names), strict=True))
    sizes = Counter(rows)
    n_fail = sum(sizes[each] < 3 for each in rows)
    basis = searched.cost.at_risk.accessibleName()
    assert f"{n_fail:,} of {len(rows):,} records" in basis
    found = searched.session.result(LATTICE)
    assert searched.cost.loss.figure == loss_text(found, found.optimum)
    searched.suppression.limit_set.emit(0.2)
    assert "Search again" in searched.cost._search.text()
    # No figure of earlier limits stands beside the new ones.
    assert searched.cost.loss.isHidden()
    assert searched.cost.suppressed.isHidden()
    searched.thresholds.models_edited.emit(())
    assert searched.cost.at_risk.figure == "–"


def test_sensitive_columns_without_a_threshold_are_not_green(page):
    page.thresholds.add_action("k_anonymity").trigger()
    page.suppression.limit_set.emit(0.05)
    status = page.status()
    assert status.state is StepState.ATTENTION
    assert status.caption == "1 lacks a threshold"
    assert not status.what_is_missing
    assert page.thresholds.unprotected.property("tone") == "warning"


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_long_name_pushes_the_border_of_a_summary_out_of_sight(
    page, qtbot, themed, scale
):
    themed.set_text_scale(scale)
    themed.settle()
    page.resize(1200, 600)
    for summary in page.summaries.values():
        summary.show_summary("important: hours_since_admission_or_last_transfer", True)
    viewport = page._side.viewport()

    def right(summary):
        return summary.mapTo(viewport, summary.rect().topRight()).x()

    qtbot.waitUntil(lambda: page.summaries["importance"].isVisible())
    for _ in range(3):
        settle()
    shown = [each for each in page.summaries.values() if each.isVisible()]
    assert all(right(each) < viewport.width() for each in shown)


def test_recipients_stand_below_one_another_in_two_rows(qtbot):
    card = RecipientCard()
    qtbot.addWidget(card)
    card.resize(500, 300)
    card.show()
    options = [card.option(each.kind) for each in RECIPIENTS]

    def places():
        return [each.mapTo(card, QPoint(0, 0)) for each in options]

    qtbot.waitUntil(lambda: len({each.y() for each in places()}) == 2)
    assert len({each.x() for each in places()}) == 2
