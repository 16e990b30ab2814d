"""The context on the page Risk and thresholds: questions, picture, thresholds."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from deidgui.app import ops
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.deciding import decide
from deidgui.app.determination.determination import assessment_of, progress_of
from deidgui.app.entered import today
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.determination import QUESTIONS
from deidgui.engine.privacy import AverageProsecutorRisk
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk.context import TABS, BestPolicyRisks
from deidgui.qt.pages.risk.page import RiskPage
from deidgui.qt.widgets import Card
from tests.app.context_case import agreed, public
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


@pytest.fixture
def part(page, qtbot):
    """The context, as a person opens it from the recipient."""
    qtbot.mouseClick(page.recipients.context_button, Qt.MouseButton.LeftButton)
    assert page.context.isVisible()
    assert not page.thresholds.isVisible()
    return page.context


def said(page):
    return page.session.project.context


def choose(part, key, answer):
    row = part.rows[key]
    row.choice.setCurrentIndex(row.choice.findData(answer))
    row.choice.activated.emit(row.choice.currentIndex())


def type_text(part, name, text):
    field = part.texts[name].field
    field.setText(text)
    field.editingFinished.emit()


def test_nothing_is_said_by_itself(part, page):
    for key in TABS:
        part.show_tab(key)
    assert said(page) == type(said(page))()
    assert len(part.rows) == len(QUESTIONS)
    assert {each.choice.current for each in part.rows.values()} == {""}
    assert part.release.current == part.matrix.current == ""
    assert page.summaries["context"].words == "Nothing said yet"
    # An agreement is an example only if it has not ended.
    examples = (
        part.texts[f"agreement.{each}"].field.placeholderText()
        for each in ("begins", "ends")
    )
    begins, ends = map(date.fromisoformat, examples)
    assert begins in (today(), today() - timedelta(days=1))
    assert ends > today()


def test_the_headings_of_both_cards_stand_in_one_line(part, page):
    cards = [each for each in part.findChildren(Card) if each.isVisible()]
    heads = [each._heading for each in cards]
    assert len(heads) == 2
    QApplication.processEvents()
    tops = [each.mapTo(part, each.rect().center()).y() for each in heads]
    assert abs(tops[0] - tops[1]) <= 1


def test_without_answers_the_context_does_not_contradict_the_limits(part, page):
    """Who receives the data is said there: only how is not."""
    page.apply(ops.take_over("public"), "recipient")
    page.refresh(page.parts)
    assert "“The public”" in part.result.accessibleName()
    assert "Who receives" not in part.result.accessibleName()
    page.apply(ops.take_over("own"), "recipient")
    page.refresh(page.parts)
    assert "Who receives the data?" in part.result.accessibleName()


def test_a_recipient_that_the_context_contradicts_is_said_on_card_and_step(part, page):
    page.apply(ops.take_over("public"), "recipient")
    page.apply(ops.change_context(release="non_public"), "context")
    page.refresh(page.parts)
    assert "The public" in page.summaries["context"].words
    assert page.status().state is StepState.ATTENTION
    assert "The public" in part.result.accessibleName()
    page.apply(ops.take_over("researcher"), "recipient")
    page.refresh(page.parts)
    assert "differ" not in page.summaries["context"].words
    assert "differ" not in part.result.accessibleName()


def test_parts_stand_in_one_row_in_the_usual_window(page, part):
    page.resize(1030, 640)
    QApplication.processEvents()
    assert part.tabs.heightForWidth(part.tabs.width()) == part.tabs.heightForWidth(2000)


@pytest.mark.parametrize("is_key", [True, False])
def test_the_keyboard_goes_on_in_the_part_that_follows(window, qtbot, is_key):
    fill(window.workspace.session)
    window.show_step("risk")
    page = window.page("risk")
    button = page.recipients.context_button
    button.setFocus(Qt.FocusReason.TabFocusReason)
    if is_key:
        qtbot.keyClick(button, Qt.Key.Key_Space)
    else:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isVisible()
    QApplication.processEvents()
    assert page.context.tabs.isAncestorOf(window.focusWidget())
    assert window._focus_ring.widget() is window.focusWidget()
    page.show_part_of("population")
    assert page.population.isAncestorOf(window.focusWidget())
    # A part that is asked for where the keyboard stays in sight leaves it alone.
    summary = page.summaries["validity"]
    summary.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(summary, Qt.Key.Key_Space)
    assert page.validity.isVisible()
    assert window.focusWidget() is summary


def test_where_there_is_no_room_no_row_of_parts_is_cut(part):
    part.setFixedSize(420, 420)
    QApplication.processEvents()
    tabs = part.tabs
    assert tabs.heightForWidth(tabs.width()) > tabs.heightForWidth(2000)
    assert tabs.height() >= tabs.heightForWidth(tabs.width())


def test_an_answer_keeps_proof_name_and_day_and_is_undone(part, page):
    part.show_tab("controls")
    part.by.setText("N. N., data protection")
    choose(part, "C1", "yes")
    row = part.rows["C1"]
    row.proof.setText("DUA-7, page 2")
    row.proof.editingFinished.emit()
    answer = said(page).answers["C1"]
    assert (answer.answer, answer.proof) == ("yes", "DUA-7, page 2")
    assert answer.by == "N. N., data protection"
    assert len(answer.on) == len("2026-11-23")
    page.session.undo()
    page.session.undo()
    assert said(page).answers == {}
    choose(part, "C1", "no")
    choose(part, "C1", "")
    assert said(page).answers == {}


def test_what_cannot_be_read_is_told_at_the_field_and_not_kept(part, page):
    part.show_tab("figures")
    for name, text in (
        ("prevalence", "12 %"),
        ("acquaintances", "many"),
        ("threshold", "nine"),
    ):
        type_text(part, name, text)
        assert not part.texts[name].problem.isHidden(), name
        assert part.texts[name].field.text() == text
    assert said(page) == type(said(page))()
    type_text(part, "prevalence", "0.002")
    assert part.texts["prevalence"].problem.isHidden()
    assert said(page).prevalence == 0.002


def test_what_the_context_allows_is_set_as_thresholds_by_a_person(part, page, qtbot):
    page._decide(lambda project: project.but(context=agreed()), "said")
    before = page.session.project.privacy.models
    assert before == ()
    assert "No threshold asks for it yet" in part.result.accessibleName()
    assert "27.78" in part.picture.accessibleName()
    assert not page.summaries["context"]._glyph.isHidden()
    part.result.acted.emit()
    models = page.session.project.privacy.models
    assert [each.kind for each in models] == [
        "average_prosecutor_risk",
        "highest_prosecutor_risk",
    ]
    assert models[1].depth == 3
    assert "or for more" in part.result.accessibleName()
    page.session.undo()
    assert page.session.project.privacy.models == ()


def test_a_third_stays_a_third_in_its_field(page):
    """A field of two decimals must not ask for groups of 4."""
    page._decide(lambda project: project.but(context=agreed()), "said")
    page._decide(ops.take_allowed(), "taken")
    editor = page.thresholds.editors[1]
    editor.form.field("threshold").control.editingFinished.emit()
    assert page.session.project.privacy.models[1].depth == 3


def test_a_threshold_says_why_it_was_proposed_and_what_a_person_changed(page):
    page._decide(lambda project: project.but(context=agreed()), "said")
    page._decide(ops.take_allowed(), "taken")
    average, highest = page.thresholds.editors
    assert average.reason.text() == (
        "Why: the context of the release allows 27.78\u202f%."
    )
    assert "where the average decides, no record" in highest.reason.text()
    for limit, words in ((0.1, "Stricter than"), (0.5, "Looser than")):
        average.edited.emit(AverageProsecutorRisk(limit))
        assert average.reason.text().startswith(words)
        assert page.session.project.privacy.models[0].threshold == limit
    assert "is stopped" in average.reason.text()
    page._decide(ops.change_context(release=None), "opened")
    assert average.reason.isHidden()


def test_an_open_answer_opens_the_limit(part, page):
    page._decide(lambda project: project.but(context=public()), "said")
    assert "9\u202f% (1 in 11)" in part.picture.accessibleName()
    part.show_tab("figures")
    type_text(part, "threshold_because", "")
    assert "open" in part.result.accessibleName()
    assert "9 open" not in page.summaries["context"].words
    assert "8 open" in page.summaries["context"].words


def test_the_context_is_left_by_the_summary_of_the_limits(part, page, qtbot):
    page.summaries["limits"].clicked.emit()
    assert page.thresholds.isVisible()
    assert not part.isVisible()
    page.show_place("context")
    assert part.isVisible()


def test_an_attack_is_excluded_with_a_reason_and_that_is_undone(part, page):
    page.session.apply(ops.change_context(**vars(agreed())), "say all")
    part.by.setText("N. N.")
    part.show_tab("attacks")
    row = part.attacks["T3"]
    assert part.attacks["T4"].isHidden()
    row.choice.setCurrentIndex(row.choice.findData("excluded"))
    row.choice.activated.emit(row.choice.currentIndex())
    assert said(page).attacks["T3"].relevant is False
    assert assessment_of(page.session.project).attempt == 0.27
    row.proof.setText("no copy leaves the enclave")
    row.proof.editingFinished.emit()
    judged = said(page).attacks["T3"]
    assert judged.because == "no copy leaves the enclave"
    assert judged.by == "N. N."
    assert judged.on
    assert assessment_of(page.session.project).attempt < 0.27
    for _ in range(2):
        page.session.undo()
    assert said(page).attacks == {}
    assert row.choice.current == ""


def test_a_text_says_who_entered_it_and_nobody_is_named_by_itself(part, page, qtbot):
    part.show_tab("release")
    part.by.clear()
    type_text(part, "purpose", "Length of stay")
    shown = part.texts["purpose"].signed
    assert shown.isVisible()
    assert shown.text() == "nobody has signed it"
    assert said(page).signed == {}
    assert "1 not signed" in part._progress.text()
    # Nobody is named: nothing is signed.
    qtbot.mouseClick(part.sign, Qt.MouseButton.LeftButton)
    assert said(page).signed == {}
    part.by.setText("N. N., privacy office")
    qtbot.mouseClick(part.sign, Qt.MouseButton.LeftButton)
    assert said(page).signed["purpose"].by == "N. N., privacy office"
    assert shown.text().startswith("N. N., privacy office, 20")
    assert part.sign.isHidden()
    page.session.undo()
    assert said(page).signed == {}


def painted(part):
    """What stands in the picture, line by line."""
    return part.picture.accessibleDescription()


@pytest.mark.parametrize("context", [public(), agreed()], ids=["public", "agreed"])
@pytest.mark.parametrize("is_taken", [False, True])
def test_the_picture_stands_as_a_whole_at_1280_times_720(
    part, page, context, is_taken, qtbot
):
    page.session.apply(ops.change_context(**vars(context)), "say all")
    if is_taken:
        page.session.apply(ops.take_allowed(), "take")
        found = BestPolicyRisks(average=0.05, highest=1 / 11, is_stale=False)
        page.context.show_project(page.session.project, found)
    page.resize(1038, 614)
    picture = part.picture

    def is_whole():
        shown = picture.visibleRegion().boundingRect().height()
        return shown == picture.height() >= picture.minimumSizeHint().height()

    qtbot.waitUntil(is_whole, timeout=2000)
    assert page.width() == 1038
    assert ("4. Does the best policy keep to it?") in painted(part)


@pytest.mark.parametrize("context", [public(), agreed()], ids=["public", "agreed"])
def test_a_committee_sees_the_whole_picture_in_large_text(
    large, window, workspace, qtbot, context
):
    """At 1280 × 720 and one and a half times the text: nothing has to be scrolled."""
    fill(workspace.session)
    workspace.session.apply(ops.change_context(**vars(context)), "say all")
    window.show_step("risk")
    qtbot.waitUntil(lambda: not window.is_leading)
    page = window.page("risk")
    page.show_part_of("context")
    part, found = (
        page.context,
        BestPolicyRisks(average=0.05, highest=1 / 11, is_stale=False),
    )
    part.show_project(workspace.session.project, found)
    settle()
    assert not is_whole(part.picture), "beside the questions there is no room"
    qtbot.mouseClick(part.alone, Qt.MouseButton.LeftButton)
    settle()
    assert is_whole(part.picture)
    assert not part.tabs.isVisible()
    assert "4. Does the best policy keep to it?" in painted(part)
    assert not page.summaries["validity"].isVisible()
    # Another part has its summaries, and the questions come back with the same button.
    page.show_part_of("validity")
    settle()
    assert page.summaries["context"].isVisible()
    page.show_part_of("context")
    settle()
    qtbot.mouseClick(part.alone, Qt.MouseButton.LeftButton)
    settle()
    assert part.tabs.isVisible()
    assert page.summaries["validity"].isVisible()


@pytest.fixture
def large(themed):
    """Text of one and a half times the size."""
    themed.set_text_scale(1.5)


def settle():
    """Let layouts come to an end: each may ask for another one."""
    for _ in range(10):
        QApplication.processEvents()


def is_whole(picture):
    """Whether all of the picture is seen, and nothing of it was left out."""
    shown = picture.visibleRegion().boundingRect().size()
    return shown == picture.size() and not picture.is_cut


def test_what_is_open_is_named_by_the_part_in_which_it_is_asked(part, page):
    page.session.apply(ops.change_context(release="public"), "say")
    assert "Open: Release (1), Privacy (8)." in part.result.accessibleName()
    context = agreed(prevalence=None)
    answers = {key: each for key, each in context.answers.items() if key != "M1"}
    page.session.apply(ops.change_context(**vars(context.but(answers=answers))), "x")
    assert "Open: Figures (1), Motives (1)." in part.result.accessibleName()


def test_a_threshold_without_its_reason_is_said_not_to_count(part, page):
    words = "counts only with its reason"
    page.session.apply(ops.change_context(**vars(public())), "say all")
    part.show_tab("figures")
    assert words not in part.reasons["figures"].text()
    page.session.apply(ops.change_context(threshold_because=""), "no reason")
    assert words in part.reasons["figures"].text()
    assert part.reasons["figures"].isVisible()
    part.show_tab("privacy")
    assert not part.reasons["privacy"].text()


def test_the_picture_says_why_the_data_may_have_this_risk(part, page):
    page.session.apply(ops.change_context(**vars(agreed())), "say all")
    words = painted(part)
    assert "Attempt 27\u202f% × data 27.8\u202f% = 7.5\u202f% overall" in words
    assert "No record above 33\u202f% (1 in 3). Each record looks like" in words
    assert "Invasion of privacy: medium" in words
    page.session.apply(ops.change_context(**vars(public())), "say all")
    words = painted(part)
    assert "As much as in 2, since an attempt is certain." in words
    assert "Each record looks like at least 10 others." in words
    assert "A threshold of your own" in words


def test_a_threshold_of_ones_own_is_not_said_to_follow_from_the_answers(part, page):
    """High invasion of privacy asks for 1 in 20: 1 in 11 with a reason is looser."""
    high = {**agreed().answers, "P1": agreed().answers["P1"].but(answer="2")}
    high["P4"] = high["P1"]
    for threshold, words in (
        ("1/11", "Your own, looser than 5\u202f% (1 in 20)"),
        ("1/20", "A threshold of your own, with your reason"),
        ("1/50", "A threshold of your own, with your reason"),
    ):
        context = public(threshold).but(answers=high)
        page.session.apply(ops.change_context(**vars(context)), "say all")
        assert words in painted(part)
        assert "Invasion of privacy: high" not in painted(part)


@pytest.mark.parametrize(
    ("release", "hidden", "shown"),
    [
        ("public", "agreement.ends C1 C20 M0 K3 prevalence breach_year", "threshold"),
        ("semi_public", "agreement.reference C1 M0 K3", "prevalence breach_rate P1"),
        ("non_public", "", "agreement.ends C1 M0 K3 prevalence threshold P8"),
    ],
)
def test_what_a_release_does_not_need_is_hidden_and_the_reason_said(
    part, page, release, hidden, shown
):
    for key in TABS:
        part.show_tab(key)
    page.session.apply(ops.change_context(release=release), "say how")
    every = {**part.rows, **part.texts}
    for name in hidden.split():
        assert every[name].isHidden(), name
    for name in (*shown.split(), "purpose", "P1"):
        assert not every[name].isHidden(), name
    is_said = {key: not part.reasons[key].isHidden() for key in TABS}
    assert is_said["controls"] == is_said["motives"] == (release != "non_public")
    assert is_said["figures"] == (release == "public")
    # Whatever is asked can be answered.
    for name in progress_of(page.session.project).open:
        row = every.get("agreement.reference" if name == "agreement" else name)
        assert name == "matrix" or not row.isHidden(), name


def test_what_is_said_without_need_stays_in_view(part, page):
    part.show_tab("controls")
    choose(part, "C1", "yes")
    part.show_tab("release")
    page.session.apply(ops.change_context(release="public"), "say how")
    part.show_tab("controls")
    assert not part.rows["C1"].isHidden()
    assert part.rows["C2"].isHidden()
    assert "does not count" in part.reasons["controls"].text()


def test_one_proof_is_given_to_all_answers_that_have_none(part, page):
    part.show_tab("controls")
    part.by.setText("N. N., data protection")
    field = part.of_all["controls"]
    assert field.isHidden()
    choose(part, "C1", "yes")
    part.rows["C1"].proof.setText("DUA-7, page 2")
    part.rows["C1"].proof.editingFinished.emit()
    for key, answer in (("C2", "yes"), ("C3", "no"), ("C6", "does_not_apply")):
        choose(part, key, answer)
    assert not field.isHidden()
    field.field.setText("a visit on 3 March 2026")
    field.field.editingFinished.emit()
    answers = said(page).answers
    assert {key: each.proof for key, each in answers.items()} == {
        "C1": "DUA-7, page 2",
        "C2": "a visit on 3 March 2026",
        "C3": "a visit on 3 March 2026",
        "C6": "",
    }, "what does not apply needs a reason of its own"
    assert {each.answer for each in answers.values()} == {"yes", "no", "does_not_apply"}
    assert set(answers) == {"C1", "C2", "C3", "C6"}, "nothing is answered by itself"
    assert answers["C3"].by == "N. N., data protection"
    assert field.field.text() == ""
    assert field.isHidden()
    page.session.undo()
    assert said(page).answers["C3"].proof == ""
    page.session.redo()
    assert said(page).answers["C3"].proof == "a visit on 3 March 2026"


def test_the_window_and_the_command_keep_the_same_bytes(part, page, tmp_path):
    """Answers, proofs, texts, an attack and thresholds: byte by byte."""
    by_hand, by_command = tmp_path / "hand.deid.json", tmp_path / "command.deid.json"
    save_project(page.session.project, by_command)
    for key in TABS:
        part.show_tab(key)
    part.by.setText("N. N.")
    part.release.setCurrentIndex(part.release.findData("non_public"))
    part.release.activated.emit(part.release.currentIndex())
    texts = {
        "recipient": "The registry group",
        "purpose": "Length of stay",
        "agreement.reference": "DUA-7",
        "agreement.ends": "2099-12-31",
        "prevalence": "0.001",
        "acquaintances": "150",
        "breach_rate": "0.27",
        "breach_source": "a survey",
        "breach_year": "2012",
    }
    for name, text in texts.items():
        type_text(part, name, text)
    part.matrix.setCurrentIndex(part.matrix.findData("ipc-2016"))
    part.matrix.activated.emit(part.matrix.currentIndex())
    given = {each.key: each.answers[0] for each in QUESTIONS}
    for key, answer in given.items():
        choose(part, key, answer)
    for tab in ("controls", "motives", "privacy"):
        part.of_all[tab].field.setText("a visit")
        part.of_all[tab].field.editingFinished.emit()
    part.attacks["T3"].answered.emit("excluded")
    part.attacks["T3"].proof.setText("an enclave")
    part.attacks["T3"].proof.editingFinished.emit()
    part.result.acted.emit()
    save_project(page.session.project, by_hand)
    said = {"release": "non_public", **texts, "matrix": "ipc-2016"}
    asked = AskedDecisions(
        context=tuple(f"{name}={text}" for name, text in said.items()),
        context_answers=tuple(f"{key}={e}:a visit" for key, e in given.items()),
        attacks=("T3=excluded:an enclave",),
        answered_by="N. N.",
        takes_allowed=True,
    )
    decide(by_command, asked, {})
    assert assessment_of(load_project(by_hand)).limit is not None
    assert by_hand.read_bytes() == by_command.read_bytes()
