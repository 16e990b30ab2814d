"""The step Preview and export: masked tables or counts with noise, by choice."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from deidgui.app.release.verifying import verify
from deidgui.qt.pages.base import StepState
from tests.engine.counts.seed import TABLE_2
from tests.qt.geometry import faults, settle
from tests.qt.pages.test_counts import paste, window, workspace  # noqa: F401


@pytest.fixture
def page(window):  # noqa: F811
    """The last step of Table 2 of the paper."""
    paste(window, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.show_step("counts_release")
    return window.page("counts_release")


def click(qtbot, button):
    QApplication.processEvents()  # a person clicks what is laid out
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("key", ["tables", "counts_release"])
def test_steps_fit_the_largest_letters_beside_the_help(page, window, themed, key):  # noqa: F811
    themed.set_text_scale(2.0)
    themed.settle()
    window.resize(1280, 680)
    window._show_help(True)
    window.show_step(key)
    settle()
    shown = window.page(key)
    assert shown._area.horizontalScrollBar().maximum() == 0
    # What has too little room is reached by scrolling, and cut nowhere.
    assert not faults(shown)
    if key == "tables":
        assert shown._grid.height() >= shown._grid.minimumSizeHint().height()


def choose(page, kind: str) -> None:
    page.kind.set_current(kind)
    page.kind.chosen.emit(kind)


def evidence(folder):
    (found,) = folder.glob("*release*/evidence.json")
    return json.loads(found.read_text("utf-8"))


def test_nothing_is_released_until_a_person_chooses(page, workspace):  # noqa: F811
    assert workspace.counts.decided.release is None
    assert page.kind.current == ""
    assert not page.draw.isEnabled()
    assert page.empty.isVisible()
    choose(page, "masked")
    assert workspace.counts.decided.release == "masked"
    assert not page.kind.offers("")
    workspace.session.undo()
    assert page.kind.current == ""
    assert page.status().state is StepState.NOT_YET


def test_a_missing_threshold_is_stated_on_the_step_tables(qtbot, window, workspace):  # noqa: F811
    paste(window, "Age\tN\nOverall\t200\n18-24\t190\n25-35\t6\n36-50\t4\n")
    tables = window.page("tables")
    assert "To release masked tables, state a threshold" in tables._meaning.text()
    window.show_step("counts_release")
    page = window.page("counts_release")
    assert page.empty._button.isHidden()
    choose(page, "masked")
    assert "on the step Tables" in page.missing()
    click(qtbot, page.empty._button)
    qtbot.waitUntil(lambda: window.current_key == "tables" and not window.is_leading)
    qtbot.waitUntil(tables._threshold.hasFocus)
    tables._threshold.setValue(11)
    window.show_step("counts_release")
    assert "2 counts below the threshold are shown" in page.missing()
    click(qtbot, page.empty._button)
    qtbot.waitUntil(lambda: window.current_key == "tables" and not window.is_leading)
    qtbot.waitUntil(tables._mask.hasFocus)


def test_counts_that_can_be_inferred_need_a_reason(
    qtbot,
    page,
    window,  # noqa: F811
    workspace,  # noqa: F811
    tmp_path,
):
    choose(page, "masked")
    assert page.structure.isVisible()
    window.page("structure").refresh_now()
    window.page("structure")._confirm.click()
    assert not page.structure.isVisible()
    assert page.inferable.isVisible()
    assert "4 masked counts" in page.inferable._text.text()
    assert not page.draw.isEnabled()
    assert "reason" not in page.status().caption
    page.reason.setText("These counts are published elsewhere.")
    page.reason.editingFinished.emit()
    assert workspace.session.undo_label == "state the reason"
    click(qtbot, page.draw)
    assert "published elsewhere" in page.words.text()
    assert not page._left.isVisible()
    page.export_to(tmp_path)
    stated = evidence(tmp_path)
    assert stated["noise"] is None
    assert stated["audit"]["exact"] == 4
    assert stated["audit"]["because"] == "These counts are published elsewhere."
    (folder,) = tmp_path.glob("*release*")
    assert verify(folder).ok
    assert not (folder / "uncertainty.csv").exists()
    assert page.status().state is StepState.DONE
    # It was written, with a reason for what can be inferred.
    assert page.done.property("tone") == "warning"


def test_repaired_tables_are_released_without_a_reason(
    qtbot,
    page,
    window,  # noqa: F811
    workspace,  # noqa: F811
    tmp_path,
):
    choose(page, "masked")
    page.inferable.acted.emit()
    assert window.current_key == "repair"
    repair = window.page("repair")
    click(qtbot, repair.compare)
    click(qtbot, repair.complements.use)
    window.show_step("counts_release")
    assert not page.inferable.isVisible()
    click(qtbot, page.draw)
    assert "4 counts are hidden as complements" in page.words.text()
    grid = page.grid.grid_model
    assert grid.data(grid.index(3, 1)) == "C"
    page.export_to(tmp_path)
    stated = evidence(tmp_path)
    assert stated["audit"]["exact"] == stated["audit"]["tight"] == 0
    assert stated["audit"]["because"] == ""
    (folder,) = tmp_path.glob("*release*")
    (table,) = folder.glob("*_released.csv")
    released = table.read_text("utf-8")
    hidden = workspace.counts.decided.tables[0].hidden
    assert released.count("C,") + released.count(",C\n") >= len(hidden) == 4
    assert "99999" not in released.replace(",", "")
    assert verify(folder).ok
    # What was prepared before the repair was taken back is not released.
    workspace.session.undo()
    assert not page.draw.isEnabled()
    assert not page.write.isEnabled()


def test_a_small_count_that_is_shown_stops_the_release(qtbot, window, workspace):  # noqa: F811
    paste(window, "Age\tN\nOverall\t200\n18-24\t190\n25-35\t7\n36-50\t3\n")
    window.page("tables")._threshold.setValue(11)
    window.show_step("counts_release")
    page = window.page("counts_release")
    choose(page, "masked")
    assert "2 counts below the threshold" in page.missing()
    assert not page.draw.isEnabled()
    assert not page.write.isEnabled()
    # Masked by one click; together they are 10, which tells both nearly.
    click(qtbot, window.page("tables")._mask)
    window.page("tables")._zero.chosen.emit("shown")
    assert "2 counts" not in page.missing()


def test_a_decided_rule_of_noise_is_the_choice_of_noise(qtbot, page, window, workspace):  # noqa: F811
    window.show_step("noise")
    click(qtbot, window.page("noise").rule.state._button)
    window.show_step("counts_release")
    assert page.kind.current == "noise"
    assert page.draw.isEnabled()
    choose(page, "masked")
    assert not page._key_row.isVisible()
    assert not page.draw.isEnabled()


def test_tables_of_counts_are_compared_with_no_earlier_release(page):
    part = page.validity
    part.show_tab("triggers")
    assert part.enter.isVisible()
    for each in (part.earlier, part.choose_earlier, part.no_earlier):
        assert not each.isVisible()


def test_after_its_end_nothing_is_written_until_somebody_decides_anew(
    qtbot,
    page,
    workspace,  # noqa: F811
    tmp_path,
):
    choose(page, "masked")
    page.reason.setText("These counts are published elsewhere.")
    page.reason.editingFinished.emit()
    part = page.validity
    part.by.setText("N. N.")
    for field, text in ((part.begins, "2020-01-01"), (part.ends, "2020-12-31")):
        field.setText(text)
    click(qtbot, part.decide)
    assert workspace.session.project.validity.period.ends == "2020-12-31"
    assert "2020-12-31" in page.missing()
    assert not page.draw.isEnabled()
    part.ends.setText("2099-12-31")
    part.begins.setText("2020-01-01")
    part.because.setText("By law.")
    click(qtbot, part.decide)
    assert page.missing() == ""
    click(qtbot, page.draw)
    qtbot.waitUntil(lambda: page.is_current, timeout=20_000)
    page.export_to(tmp_path)
    qtbot.waitUntil(page.done.isVisible, timeout=20_000)
    assert evidence(tmp_path)["validity"]["ends"] == "2099-12-31"


PATIENTS = "Patient\tVisits\n" + "".join(
    f"{name}\t{7 + n}\n"
    for n, name in enumerate(
        ["Lisa Hernandez", "Judy Brown", "Mark Smith", "Ana Jones", "Peter Miller"]
    )
)


def test_names_of_people_are_asked_about_before_anything_is_released(
    qtbot,
    window,  # noqa: F811
    workspace,  # noqa: F811
    tmp_path,
):
    paste(window, PATIENTS)
    window.page("tables")._threshold.setValue(2)
    window.show_step("counts_release")
    page = window.page("counts_release")
    choose(page, "masked")
    assert page.questions.isVisible()
    assert page.missing() == "1 question about the tables must be answered."
    assert page.status().state is StepState.NOT_YET
    assert not page.draw.isEnabled()
    (key,) = page.questions.fields
    assert key.endswith(":A:identifier")
    page.questions.fields[key].setText("They are the physicians of the ward.")
    click(qtbot, page.questions.buttons[key])
    assert workspace.session.undo_label == "answer 1 question"
    assert not page.missing()
    click(qtbot, page.draw)
    page.export_to(tmp_path)
    (stated,) = evidence(tmp_path)["questions"]
    assert stated["because"] == "They are the physicians of the ward."
    workspace.session.undo()
    assert page.missing()
    assert not page.write.isEnabled()


def test_another_name_in_a_table_asks_anew(qtbot, window, workspace):  # noqa: F811
    paste(window, TABLE_2)
    window.show_step("counts_release")
    page = window.page("counts_release")
    assert page.questions.isHidden()
    assert workspace.counts.questions == ()
    paste(window, PATIENTS)
    window.show_step("counts_release")
    assert workspace.counts.n_open_questions() == 1
    assert page.questions.isVisible()
