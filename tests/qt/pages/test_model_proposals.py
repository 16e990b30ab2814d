"""A threshold for every sensitive column is proposed; a person accepts, or does not."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView

from deidgui.app import ops
from deidgui.app.model_proposals import ModelProposal
from deidgui.app.release.questions import ReleaseQuestion, answers_for
from deidgui.app.session import Kind
from deidgui.engine.privacy import DistinctLDiversity
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.risk.proposals import ProposalsDialog
from deidgui.qt.widgets import Lead, RowTable
from tests.explored_case import fill, make_case


@pytest.fixture
def page(window, workspace):
    fill(workspace.session, make_case())
    session = workspace.session
    session.apply(
        ops.change_privacy(models=session.project.privacy.models[:1]), "one model"
    )
    window.show_step("risk")
    return window.page("risk")


def dialog_of(page):
    page.thresholds.unprotected._button.click()
    QApplication.processEvents()
    (dialog,) = page.findChildren(ProposalsDialog)
    return dialog


def names(models):
    return {getattr(each, "attribute", "") for each in models} - {""}


def test_nothing_is_added_before_a_person_accepts(qtbot, page):
    session = page.session
    sensitive = {each.name for each in session.project.with_role("sensitive")}
    assert sensitive
    assert page.thresholds.unprotected.isVisible()
    before = session.project.privacy.models
    dialog = dialog_of(page)
    assert dialog.table.model().rowCount() == len(sensitive)
    assert not dialog.add_button.isEnabled()
    assert dialog.add_button.text() == "Add thresholds"
    dialog.reject()
    assert session.project.privacy.models == before


def test_who_adds_none_gives_reasons_and_is_warned_no_longer(page):
    session, name = page.session, page.session.project.with_role("sensitive")[0].name
    session.set_result(Kind.QUESTIONS, None, session.project)
    page.refresh(page.parts)
    callout = page.thresholds.unprotected
    assert "give the reasons that Preview and export asks for" in callout.toolTip()
    dialog = dialog_of(page)
    leads = [each.text() for each in dialog.findChildren(Lead)]
    assert "one can be given to several columns" in leads[0]
    dialog.reject()
    assert page.status().state is StepState.ATTENTION
    asked = ReleaseQuestion(name, "disclosed", "question_disclosed", {}, "about")
    session.set_result(Kind.QUESTIONS, (asked,), session.project)
    page.refresh(page.parts)
    assert page.status().state is StepState.ATTENTION
    assert callout.property("tone") == "warning"
    op = answers_for((asked,), [asked.name], "Agreed", "", "")
    session.apply(op, "answer")
    page.refresh(page.parts)
    # Nothing is asked any more; a threshold it still has not.
    status = page.status()
    assert (status.state, status.caption[1:]) == (
        StepState.READY,
        " column with a reason",
    )
    assert callout.property("tone") == "info"
    assert callout.isVisible()


def test_many_are_accepted_at_once_by_keys(qtbot, page):
    session = page.session
    before = session.project.privacy.models
    dialog = dialog_of(page)
    dialog.table.setFocus()
    dialog.table.selectAll()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert dialog.add_button.text().startswith("Add ")
    qtbot.keyClick(dialog.add_button, Qt.Key.Key_Space)
    after = session.project.privacy.models
    assert after[: len(before)] == before
    sensitive = {each.name for each in session.project.with_role("sensitive")}
    assert names(after) == sensitive
    assert page.thresholds.unprotected.isHidden()
    session.undo()
    assert session.project.privacy.models == before


def test_a_click_on_a_check_mark_keeps_the_rows_that_are_chosen(qtbot, page):
    dialog = ProposalsDialog(
        [fake(name) for name in ("diagnosis", "hospital", "outcome")]
    )
    qtbot.addWidget(dialog)
    dialog.show()
    table = dialog.table
    table.selectAll()
    rect = table.visualRect(table.model().index(1, 0))
    at = QPoint(rect.left() + 12, rect.center().y())
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert table.checked == (1,)
    assert len(table.selectionModel().selectedRows()) == 3


def fake(name):
    return ModelProposal(DistinctLDiversity(name, 2), name, 4, 0.5)


def test_every_table_with_check_marks_and_many_chosen_rows_keeps_them(window, page):
    window.build_all_pages()
    for step in STEPS:
        window.show_step(step.key)
    tables = [
        each
        for step in STEPS
        for each in window.page(step.key).findChildren(QAbstractItemView)
    ]
    many = [
        QAbstractItemView.SelectionMode.ExtendedSelection,
        QAbstractItemView.SelectionMode.MultiSelection,
    ]
    seen = 0
    for table in tables:
        model = table.model()
        is_header = isinstance(table, QHeaderView)
        if is_header or model is None or table.selectionMode() not in many:
            continue
        checks = any(
            model.index(0, at).flags() & Qt.ItemFlag.ItemIsUserCheckable
            for at in range(model.columnCount())
            if model.rowCount()
        )
        if checks:
            seen += 1
            assert isinstance(table, RowTable), table.accessibleName()
    assert seen >= 1


def test_each_row_states_its_number_and_its_whole_reason(qtbot):
    wide = [
        ModelProposal(DistinctLDiversity(f"dx{n}", 2), f"dx{n}", 1234, 0.25)
        for n in range(28)
    ]
    dialog = ProposalsDialog(wide)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    table = dialog.table
    assert table.model().index(0, 1).data().endswith("ℓ = 2")
    # As high as its words need, and the dialog asks for room for all rows.
    needed = table.sizeHintForRow(0)
    assert table.rowHeight(0) >= needed
    assert dialog.sizeHint().height() >= 28 * 32
