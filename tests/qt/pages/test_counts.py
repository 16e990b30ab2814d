"""The steps of tables of counts, from the clipboard to what the masked counts say."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMenuBar, QTableView

from deidgui.app.counts import ops
from deidgui.app.determination.validity import decide_anew
from deidgui.app.ops import set_notes
from deidgui.app.project import Counts
from deidgui.app.session import Kind as Result
from deidgui.app.session import State
from deidgui.app.workspace import Workspace
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.counts.tables.cells import CellType, Mark
from deidgui.engine.counts.tables.structure import Form
from deidgui.engine.excel.writing import to_xlsx
from deidgui.qt.main_window import MainWindow
from deidgui.qt.pages import COUNTS_STEPS, STEPS
from deidgui.qt.pages.base import StepState
from tests.engine.counts.seed import TABLE_1, TABLE_2, pasted
from tests.engine.excel.test_excel import workbook
from tests.qt.fakes import InlineExecutor


@pytest.fixture
def workspace():
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    yield made
    made.close()


@pytest.fixture
def window(qtbot, workspace, settings):
    """The real window with a project of tables of counts."""
    made = MainWindow(workspace, settings)
    made.files.ask = lambda *_args: "discard"
    qtbot.addWidget(made)
    made.resize(1280, 720)
    with qtbot.waitExposed(made):
        made.show()
    made.files.new_counts()
    return made


def paste(window, *texts: str) -> None:
    for text in texts:
        QGuiApplication.clipboard().setText(text)
        window.page("tables").paste()


def select(page, *cells: tuple[int, int]) -> None:
    model = page._grid.grid_model
    selection = page._grid.selectionModel()
    selection.clearSelection()
    for row, column in cells:
        index = model.index(row, column)
        selection.select(index, QItemSelectionModel.SelectionFlag.Select)


def test_export_leads_to_the_last_step_of_a_project_of_counts(window, qtbot):
    paste(window, "age\tF\tM\n0-9\t12\t30\n10-19\t14\t40\n")
    qtbot.waitUntil(window.actions_by_name["export"].isEnabled)
    window.actions_by_name["export"].trigger()
    qtbot.waitUntil(lambda: not window.is_leading)
    assert window.current_key == "counts_release"
    assert window.page("counts_release").isVisible()


def test_the_file_menu_begins_with_what_start_begins_with(window, workspace):
    """Whatever is begun on Start is begun from the File menu."""
    actions = window.actions_by_name
    (bar,) = window.findChildren(QMenuBar)
    (menu,) = [each.menu() for each in bar.actions() if each.text() == "&File"]
    for name in ("new", "new_counts", "open", "example", "verify", "export"):
        assert actions[name] in menu.actions()
    window.files.close_project()
    actions["new_counts"].trigger()
    assert workspace.session.project.kind == "counts"
    assert window.current_key == "tables"
    actions["example"].trigger()
    assert workspace.session.project.kind != "counts"


def test_a_project_of_counts_has_its_own_steps(window, qtbot):
    shown = [s.key for s in (*STEPS, *COUNTS_STEPS[1:])]
    visible = [key for key in shown if window.rail.item(key).isVisible()]
    assert visible == [step.key for step in COUNTS_STEPS]
    assert window.current_key == "tables"
    assert "Structure" in window.footer._next.text()
    # The page is built a moment later.
    qtbot.waitUntil(lambda: not window.footer._next.isEnabled())
    window.files.close_project()
    assert window.current_key == "start"
    assert window.rail.item("policies").isVisible()
    assert not window.rail.item("audit").isVisible()


def test_beginning_with_tables_leads_to_tables_from_a_project_of_tables(
    window, workspace, qtbot
):
    paste(window, TABLE_2)
    window.show_step("start")
    window.page("start").counts_wanted.emit()
    qtbot.waitUntil(lambda: not window.is_leading)
    assert workspace.counts.tables == ()
    assert window.current_key == "tables"
    # Whoever keeps the project stays where they are.
    paste(window, TABLE_2)
    window.show_step("start")
    window.files.ask = lambda *_args: "cancel"
    window.page("start").counts_wanted.emit()
    assert window.current_key == "start"
    assert workspace.counts.tables


def test_a_table_with_totals_is_opened_as_one_of_counts(
    window, workspace, qtbot, tmp_path
):
    path = tmp_path / "table.csv"
    path.write_text("Age,N\n18-24,190\n25-35,6\nTotal,196\n", "utf-8")
    window.files.close_project()
    window.files.open_path(path)
    window.show_step("data")
    page = window.page("data")
    qtbot.waitUntil(page.facts.as_counts.isVisible)
    window.files.ask = lambda *_args: "cancel"
    workspace.session.apply(set_notes("Ours."), "notes")
    page.facts.as_counts.click()
    assert workspace.session.project.kind == "table"
    window.files.ask = lambda *_args: "discard"
    page.facts.as_counts.click()
    assert workspace.session.project.kind == "counts"
    assert [e.name for e in workspace.counts.tables] == ["table"]
    assert window.current_key == "tables"


def test_steps_have_the_shortcuts_of_their_kind(window, qtbot, workspace):
    paste(window, TABLE_2)
    for step in COUNTS_STEPS:
        qtbot.keySequence(window, step.keys)
        assert window.current_key == step.key


def test_the_tables_of_the_paper_from_the_clipboard_to_the_audit(window, workspace):
    """Oracle O-D1, through the window."""
    paste(window, TABLE_1, TABLE_2)
    page = window.page("tables")
    assert [each.name for each in workspace.counts.tables] == ["Table", "Table (2)"]
    assert page.status().state is StepState.ATTENTION
    assert "threshold" in page.status().what_is_missing
    assert workspace.counts.audited is None
    page._threshold.setValue(11)
    assert page.status().what_is_missing == ""
    # Each table is confirmed by itself: its cells may be of another kind.
    page._list.setCurrentRow(0)
    page._confirm.click()
    assert [e.confirmed for e in workspace.counts.decided.tables] == [True, False]
    assert page._confirmed.text() == "Cells confirmed: 1 of 2 tables"
    assert page.status().state is StepState.ATTENTION
    assert page._list.currentRow() == 1
    page._confirm.click()
    assert page.status().state is StepState.DONE
    assert not page._confirm.isEnabled()
    window.show_step("structure")
    structure = window.page("structure")
    assert structure._list.count() == 6
    structure._confirm.click()
    assert structure.status().state is StepState.DONE
    window.show_step("audit")
    audit = window.page("audit")
    audited = workspace.counts.audited
    assert [(e.low, e.high) for e in audited.cells] == [(2, 2), *[(1, 1)] * 4]
    assert {each.outcome for each in audited.cells} == {Outcome.EXACT}
    assert audit._list.rowCount() == 5
    assert "5 of 5" in audit._summary.text()
    texts = [audit._list.item(at, 0).text() for at in range(5)]
    (place,) = [at for at, each in enumerate(texts) if "Remaining" in each]
    audit._list.selectRow(place)
    words = audit._why_words.text()
    assert "100 remained before, 98 were excluded, so T = 2" in words
    assert audit._grid.grid_model.index(3, 3).data() == "T = 2"


def test_a_click_on_a_masked_cell_says_why(window, workspace):
    paste(window, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.show_step("audit")
    audit = window.page("audit")
    select(audit, (4, 1))
    assert "so 25-35 = 1" in audit._why_words.text()
    select(audit, (1, 1))
    assert "not masked" in audit._why_words.text()


def test_a_person_says_what_cells_are_and_takes_it_back(window, workspace):
    paste(window, "Group\tN\tNote\nOverall\t40\t1\nF\t12\t2\nM\t28\tx\n")
    page = window.page("tables")
    assert page._problem.isVisible()
    assert "column" in page.status().what_is_missing or page.status().what_is_missing
    select(page, (1, 2), (2, 2), (3, 2))
    page._kind.chosen.emit(CellType.LEFT_OUT.value)
    assert not page._problem.isVisible()
    (table,) = workspace.counts.tables
    assert {table.cells[row][2].kind for row in (1, 2, 3)} == {CellType.LEFT_OUT}
    workspace.session.undo()
    (table,) = workspace.counts.tables
    assert table.cells[1][2].kind is CellType.COUNT
    assert page._problem.isVisible()


def test_marks_of_others_are_named(window, workspace):
    rows = ("Overall\t100", "A\t30", "B\t20", "C\ts", "D\t40", "E\tn/a")
    paste(window, "Group\tN\n" + "\n".join(rows) + "\n")
    page = window.page("tables")
    page._confirm.click()
    assert page._problem.isVisible()
    masked, complement = page._marks[Mark.MASKED], page._marks[Mark.COMPLEMENT]
    masked.setText("s, *")
    masked.editingFinished.emit()
    complement.setText("n/a")
    complement.editingFinished.emit()
    assert not page._problem.isVisible()
    (table,) = workspace.counts.tables
    found = [table.cells[row][1].mark for row in (4, 6)]
    assert found == [Mark.MASKED, Mark.COMPLEMENT]
    assert workspace.counts.decided.marks == {
        "T": "masked",
        "C": "complement",
        "s": "masked",
        "*": "masked",
        "n/a": "complement",
    }
    page._threshold.setValue(11)
    page._zero.chosen.emit("shown")
    assert [(e.low, e.high) for e in workspace.counts.audited.cells] == [(1, 10)]
    # The same marks again are no decision.
    masked.setText("s, *, s")
    masked.editingFinished.emit()
    for _step in range(3):
        workspace.session.undo()
    assert complement.text() == ""
    assert masked.text() == "s, *"
    assert page._problem.isVisible()


def test_zeros_are_asked_about_where_no_table_shows_one(window, workspace):
    paste(window, "Group\tN\nOverall\t40\nF\tT\nM\t35\n")
    page = window.page("tables")
    page._threshold.setValue(11)
    assert "zeros" in page.status().what_is_missing.lower()
    assert workspace.counts.audited is None
    page._zero.chosen.emit("masked")
    assert page.status().what_is_missing == ""
    assert workspace.counts.audited.bounds.mask_zero


def test_zeros_among_true_counts_are_asked_about_before_they_are_masked(
    window, workspace
):
    """PRIVACY: whether zeros are masked decides what is released."""
    paste(window, "Tract\tN\n0200\t40\n0201\t6\n0202\t0\n")
    page = window.page("tables")
    assert page._zero.current == ""
    page._threshold.setValue(11)
    assert page._zero.current == ""
    assert "zeros" in page.status().what_is_missing
    assert not page._mask.isEnabled()
    page._zero.chosen.emit("masked")
    assert page.status().what_is_missing == ""
    page._mask.click()
    assert [row[1] for row in workspace.counts.tables[0].grid[1:]] == ["40", "T", "T"]


def test_a_zero_beside_masked_counts_says_that_zeros_are_shown(window, workspace):
    paste(window, TABLE_2)
    page = window.page("tables")
    page._threshold.setValue(11)
    assert page._zero.current == "shown"
    assert page.status().what_is_missing == ""


def test_a_long_sum_names_a_few_tracts_and_counts_the_rest(window, workspace):
    rows = "".join(f"0{200 + at}\t{20 + at}\n" for at in range(41))
    total = sum(20 + at for at in range(41))
    paste(window, f"Tract\tN\n{rows}Total\t{total}\n")
    window.show_step("structure")
    words = window.page("structure")._list.item(0).text()
    assert "0200 + 0201 + 0202 + 0203 + 0204 + … and 36 more = Total" in words


def test_a_relation_that_is_taken_out_is_not_used(window, workspace):
    paste(window, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.show_step("structure")
    page = window.page("structure")
    assert workspace.counts.audited.number(Outcome.EXACT) == 4
    page._list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert len(workspace.counts.structure.relations) == 3
    assert workspace.counts.audited.number(Outcome.EXACT) == 3
    assert page._list.count() == 4
    # It stays where it is, so that a second click takes the first one back.
    assert page._list.item(0).checkState() is Qt.CheckState.Unchecked
    page._list.item(0).setCheckState(Qt.CheckState.Checked)
    assert workspace.counts.audited.number(Outcome.EXACT) == 4
    page._list.item(0).setCheckState(Qt.CheckState.Unchecked)
    page._again.click()
    assert workspace.counts.audited.number(Outcome.EXACT) == 4


YEARS = range(2001, 2025)
WIDE = "\n".join(
    "\t".join(cells)
    for cells in (
        ("Hospital", *map(str, YEARS), "Last year"),
        ("North", *("40" for _ in YEARS), "T"),
        ("South", *("60" for _ in YEARS), "30"),
        ("All", *("100" for _ in YEARS), "35"),
    )
)
"""A table far wider than the window, whose only masked count is the last."""


@pytest.mark.parametrize("text", [TABLE_1, WIDE], ids=["paper", "wide"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_the_masked_counts_of_a_table_are_seen_beside_what_they_give_away(
    window, workspace, text, size
):
    paste(window, text, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._confirm.click()
    window.show_step("structure")
    window.page("structure")._confirm.click()
    window.show_step("audit")
    window.resize(*size)
    QApplication.processEvents()
    audit = window.page("audit")
    (found,) = [e for e in workspace.counts.audited.cells if e.at.table == 0]
    grid = audit._grid
    at = grid.visualRect(grid.grid_model.index(found.at.row, found.at.column))
    assert at.width() > 0
    assert grid.viewport().rect().contains(at)


def test_the_name_of_a_row_is_seen_beside_its_masked_count(window, workspace):
    paste(window, WIDE)
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    window.show_step("audit")
    QApplication.processEvents()
    grid = window.page("audit")._grid
    names = grid._names
    assert grid.horizontalScrollBar().value() > 0
    assert names.isVisible()
    assert [e for e in range(26) if not names.isColumnHidden(e)] == [0]
    at = names.visualRect(names.model().index(1, 0))
    beside = grid.visualRect(grid.grid_model.index(1, 25))
    top = names.viewport().mapTo(grid, at.topLeft()).y()
    assert top == grid.viewport().mapTo(grid, beside.topLeft()).y()
    # Backwards with the keyboard: no count is hidden behind the names.
    grid.setCurrentIndex(grid.grid_model.index(1, 3))
    assert grid.visualRect(grid.currentIndex()).left() >= (
        names.width() if names.isVisible() else 0
    )
    grid.setCurrentIndex(grid.grid_model.index(1, 1))
    assert grid.horizontalScrollBar().value() == 0
    assert not names.isVisible()


def test_columns_are_narrower_where_then_all_are_seen(window, workspace):
    paste(window, TABLE_1)
    grid = window.page("tables")._grid
    header = grid.horizontalHeader()
    for width in (1920, 1280):
        window.resize(width, 720)
        QApplication.processEvents()
        assert header.length() <= grid.viewport().width()


def test_an_audit_of_earlier_decisions_is_shown_as_stale(window, workspace):
    paste(window, TABLE_2)
    tables = window.page("tables")
    tables._threshold.setValue(11)
    window.show_step("audit")
    tables._threshold.setValue(1)
    audit = window.page("audit")
    assert workspace.session.state(Result.AUDIT) is State.STALE
    assert audit._stale.isVisible()


def test_a_table_is_renamed_and_removed_with_its_relations(window, workspace):
    paste(window, TABLE_2, TABLE_1)
    page = window.page("tables")
    page._threshold.setValue(11)
    window.page("structure").refresh_now()
    window.page("structure")._confirm.click()
    page._list.item(0).setText("Characteristics")
    names = {r.whole[0] for r in workspace.counts.decided.relations}
    assert names == {"Characteristics", "Table (2)"}
    page._list.setCurrentRow(0)
    page._remove.click()
    assert [each.name for each in workspace.counts.tables] == ["Table (2)"]
    assert len(workspace.counts.decided.relations) == 2


def test_decisions_about_tables_go_with_the_last_of_them(window, workspace):
    paste(window, TABLE_2, TABLE_1)
    session, page = workspace.session, window.page("tables")
    page._threshold.setValue(11)
    page._confirm.click()
    session.apply(ops.set_noise(RoundedGaussian.proposed()), "noise")
    session.apply(ops.set_release("masked"), "release")
    session.apply(ops.set_inferable_because("Known.", "A. Reader", "2026-01-05"), "why")
    session.apply(ops.set_any_count(True), "say")
    session.apply(
        decide_anew("2020-01-01", "2021-01-01", "", "A. Reader", "2020-01-01"), "period"
    )
    session.apply(set_notes("For the network."), "notes")
    before = session.project
    page._list.setCurrentRow(0)
    page._remove.click()
    # One of them is left, and what was decided with it.
    assert workspace.counts.decided.threshold == 11
    assert session.project.validity.period is not None
    page._remove.click()
    decided = workspace.counts.decided
    assert decided == Counts()
    assert session.project.validity.period is None
    assert session.project.name == "Untitled"
    # What the institution says is not about these tables.
    assert session.project.notes == "For the network."
    assert "decided about the tables is gone" in window.notices.notices[-1].text
    paste(window, "age\tF\tM\n0-9\t12\t30\n10-19\t14\t40\n")
    assert workspace.counts.decided.noise is None
    session.undo()
    session.undo()
    session.undo()
    assert session.project == before


def test_files_are_added_and_the_project_is_opened_again(window, workspace, tmp_path):
    path = tmp_path / "site 1.csv"
    path.write_text("Group,N\nOverall,100\nF,T\nM,98\nX,0\n", "utf-8")
    window.files.open_path(path)
    window.page("tables")._threshold.setValue(11)
    assert workspace.session.project.name == "site 1"
    saved = tmp_path / "p.deid.json"
    workspace.save(saved)
    # The random part of a file name may hold these digits.
    assert not re.search(rb"\b98\b", saved.read_bytes())
    window.files.close_project()
    workspace.open_project(saved)
    assert window.current_key == "tables"
    assert [(e.low, e.high) for e in workspace.counts.audited.cells] == [(2, 2)]


def test_new_from_file_begins_a_project_whatever_is_open(
    window, workspace, tmp_path, monkeypatch
):
    paste(window, TABLE_2)
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n" + "30,F\n41,M\n" * 20, "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    asked = []
    window.files.ask = lambda title, *_args: asked.append(title) or "cancel"
    window.files.new_from_file()
    assert asked == ["Save your decisions first?"]
    assert [each.name for each in workspace.counts.tables] == ["Table"]
    window.files.ask = lambda *_args: "discard"
    window.files.new_from_file()
    assert workspace.session.project.kind == "table"
    assert workspace.session.loaded.path == path


def test_sheets_of_excel_files_are_added(window, workspace, tmp_path, monkeypatch):
    path = tmp_path / "site.xlsx"
    grid = [line.split("\t") for line in TABLE_2.splitlines()]
    path.write_bytes(to_xlsx(grid, "Counts"))
    offered = []

    def chosen(_parent, _title, _folder, kinds):
        offered.append(kinds)
        return [str(path)], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", chosen)
    window.page("tables")._on_add_files()
    assert "*.xlsx" in offered[0]
    (choice,) = workspace.counts.decided.tables
    assert (choice.name, choice.source, choice.sheet) == ("site", "site.xlsx", "Counts")


def test_a_clipboard_without_a_table_is_told(window, workspace):
    paste(window, "   ")
    assert workspace.counts.tables == ()
    paste(window, "a\t" + "b" * 5000)
    assert workspace.counts.tables == ()


PATIENTS = """\
id,sex,age
1,F,0-17
1,F,18-64
2,M,18-64
3,M,65+
4,F,
"""


@pytest.fixture
def making(window, tmp_path):
    """The dialog that makes tables of a few patients."""
    path = tmp_path / "patients.csv"
    path.write_text(PATIENTS, "utf-8")
    window.page("tables").make_from(path)
    made = window.page("tables").making
    assert made.isVisible()
    return made


def choose(combo, text: str) -> None:
    combo.setCurrentIndex(combo.findData(text))


def test_tables_are_made_of_patients_in_the_window(making, window, workspace, qtbot):
    assert not making.add.isEnabled()
    assert "who is counted" in making.problem._text.text().lower()
    choose(making.key, "id")
    making.kind.chosen.emit("cross")
    making.kind.set_current("cross")
    making._on_kind()
    choose(making.rows, "age")
    choose(making.across, "sex")
    assert making.preview.grid_model.index(0, 1).data() == "F"
    assert making.name.text() == "age by sex"
    qtbot.mouseClick(making.add, Qt.MouseButton.LeftButton)
    making.kind.set_current("characteristics")
    making._on_kind()
    making.columns.model.toggled.emit(())
    making.columns.set_texts(["sex", "age"], ["sex"])
    making.columns.changed.emit(("sex",))
    qtbot.mouseClick(making.add, Qt.MouseButton.LeftButton)
    making.accept()
    cross, described = workspace.counts.tables
    assert (cross.name, described.name) == ("age by sex", "Characteristics")
    # People, not rows: patient 1 has two rows.
    assert cross.grid[-1][-1] == "4"
    assert described.grid[1][1] == "4"
    assert workspace.session.undo_label == "add tables"
    workspace.session.undo()
    assert len(workspace.counts.tables) == 1


def test_steps_of_attrition_are_added_one_by_one(making, workspace, qtbot):
    choose(making.key, "")
    making.kind.set_current("attrition")
    making._on_kind()
    assert not making.add_step.isEnabled()
    choose(making.step_column, "age")
    making.values.set_texts(tuple(making._texts), ["18-64", "(missing)"])
    making.values.changed.emit(making.values.checked)
    qtbot.mouseClick(making.add_step, Qt.MouseButton.LeftButton)
    choose(making.step_column, "sex")
    making.values.set_texts(tuple(making._texts), ["F"])
    making.values.changed.emit(making.values.checked)
    qtbot.mouseClick(making.add_step, Qt.MouseButton.LeftButton)
    shown = [row[1:] for row in making._grid]
    assert shown == [("Remaining", "Excluded"), ("5", ""), ("3", "2"), ("2", "1")]
    qtbot.mouseClick(making.remove_step, Qt.MouseButton.LeftButton)
    assert len(making._grid) == 3
    making.reject()
    assert workspace.counts.tables == ()


OWN = "Group\tA\tB\nEverybody\t60\t80\nSmokers\t20\tT\nDrinkers\t30\t40\nRest\t10\t38\n"


@pytest.fixture
def structure(window, workspace):
    """The step Structure of a table in which nothing is found."""
    paste(window, OWN)
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    for each in workspace.counts.structure.relations:
        assert each.form is not None
    workspace.session.apply(ops.set_relations([], workspace.counts.tables), "none")
    window.show_step("structure")
    return window.page("structure")


def take(dialog, number: int, *cells: tuple[int, int]) -> None:
    dialog.grid.selectionModel().clearSelection()
    for row, column in cells:
        index = dialog.grid.grid_model.index(row, column)
        flag = QItemSelectionModel.SelectionFlag.Select
        dialog.grid.selectionModel().select(index, flag)
    dialog.take[number].click()


def test_an_equation_of_ones_own_is_added_and_taken_back(structure, workspace):
    assert workspace.counts.audited.number(Outcome.PROTECTED) == 1
    structure._new.click()
    dialog = structure.dialog
    assert not dialog.add.isEnabled()
    take(dialog, 0, (1, 1))
    take(dialog, 1, (2, 1), (3, 1), (4, 1))
    assert "= Everybody" in dialog.equation.text()
    assert dialog.every_column.isVisible()
    dialog.add.click()
    assert len(workspace.counts.structure.relations) == 2
    assert [(e.low, e.high) for e in workspace.counts.audited.cells] == [(2, 2)]
    assert workspace.session.undo_label == "add an equation"
    workspace.session.undo()
    assert workspace.counts.structure.relations == ()
    workspace.session.redo()
    # Said otherwise: the categories may overlap, so that nothing is a sum.
    structure._list.setCurrentRow(1)
    structure._other.click()
    forms = [each.form for each in workspace.counts.structure.relations]
    assert forms == [Form.SUM, Form.AT_MOST]
    assert [(e.low, e.high) for e in workspace.counts.audited.cells] == [(1, 10)]


def test_an_equation_that_counts_contradict_is_not_added(structure, workspace):
    structure._new.click()
    dialog = structure.dialog
    take(dialog, 0, (1, 1))
    take(dialog, 1, (2, 1), (3, 1))
    assert "contradict" in dialog.problem._text.text()
    assert not dialog.add.isEnabled()
    take(dialog, 1, (0, 0))
    assert "are counts" in dialog.problem._text.text()
    dialog.reject()
    assert workspace.counts.structure.relations == ()


def test_steps_and_counts_of_several_tables_are_tied_by_hand(
    structure, workspace, window
):
    paste(window, "Step\tLeft\tOut\nStart\t80\t\nAdults\tT\t78\n")
    workspace.session.apply(ops.set_relations([], workspace.counts.tables), "none")
    structure._new.click()
    dialog = structure.dialog
    choose(dialog.kind, Form.ATTRITION)
    dialog.table.setCurrentIndex(1)
    take(dialog, 0, (1, 1))
    take(dialog, 1, (2, 1))
    take(dialog, 2, (2, 2))
    dialog.add.click()
    exact = [e for e in workspace.counts.audited.cells if e.outcome is Outcome.EXACT]
    assert [(e.low, e.high) for e in exact] == [(2, 2)]
    structure._new.click()
    dialog = structure.dialog
    choose(dialog.kind, Form.SAME)
    take(dialog, 0, (1, 2))
    dialog.table.setCurrentIndex(1)
    take(dialog, 0, (1, 1))
    dialog.add.click()
    (_, same) = workspace.counts.structure.relations
    assert {each.table for each in same.cells} == {0, 1}


def test_a_person_chooses_among_sheets(window, workspace, tmp_path, qtbot):
    path = tmp_path / "site.xlsx"

    def sheets(book):
        texts = ("This file\tis about nothing", TABLE_1, TABLE_2)
        for name, text in zip(("Read me", "Flow", "People"), texts, strict=True):
            page = book.add_worksheet(name)
            for at, line in enumerate(text.splitlines()):
                page.write_row(at, 0, line.split("\t"))

    path.write_bytes(workbook(sheets))
    window.files.open_paths([path])
    page = window.page("tables")
    assert workspace.counts.tables == ()
    assert page.sheets.list.count() == 3
    page.sheets.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert page.sheets.add.text() == "Add 2 tables"
    qtbot.mouseClick(page.sheets.add, Qt.MouseButton.LeftButton)
    assert [e.name for e in workspace.counts.tables] == ["site Flow", "site People"]
    assert {e.sheet for e in workspace.counts.decided.tables} == {"Flow", "People"}
    workspace.session.undo()
    assert workspace.counts.tables == ()


def test_tables_below_each_other_are_pasted_at_once(window, workspace):
    titled = "Table 2. Characteristics\n" + TABLE_2
    paste(window, f"{TABLE_1}\t\t\n\n{titled}")
    names = [each.name for each in workspace.counts.tables]
    assert names == ["Table", "Table 2. Characteristics"]
    assert workspace.counts.tables[0].grid == pasted(TABLE_1).grid
    workspace.session.undo()
    assert workspace.counts.tables == ()
    # Groups of one table with rows between them stay together.
    spaced = TABLE_2.replace("By Sex", "\t\t\nBy Sex")
    paste(window, spaced)
    (table,) = workspace.counts.tables
    assert table.shape[0] == len(spaced.splitlines())


def test_sites_are_kept_with_the_project(window, workspace, tmp_path):
    paste(window, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.show_step("network")
    page = window.page("network")
    text = "Patients,Cases\nFemale,{n}\nMale,40\n"
    paths = [tmp_path / f"site{n}.csv" for n in (3, 12)]
    for path, n in zip(paths, (3, 12), strict=True):
        path.write_text(text.format(n=n), encoding="utf-8")
    audited = workspace.counts.audited
    page.add_files(paths)
    page.kind.set_current("noisy")
    page.kind.chosen.emit("noisy")
    assert workspace.session.project.has_data
    # Sites are beside what is released: no audit is made again for them.
    assert workspace.counts.audited is audited
    saved = tmp_path / "p.deid.json"
    workspace.save(saved)
    for path in paths:
        path.unlink()
    workspace.close_project()
    workspace.open_project(saved)
    assert [each.name for each in workspace.counts.sites] == ["site3", "site12"]
    window.show_step("network")
    assert page.table.item(0, 1).text().startswith("15 ")
    assert page.kind.current == "noisy"


def test_columns_are_as_wide_as_qt_would_measure_all_their_cells(qtbot, window):
    paste(window, TABLE_2)
    grid = window.page("tables")._grid
    widths = [grid.sizeHintForColumn(each) for each in range(3)]
    whole = [QTableView.sizeHintForColumn(grid, each) for each in range(3)]
    assert all(abs(own - qts) <= 2 for own, qts in zip(widths, whole, strict=True))
    assert len(set(widths)) > 1


DISAGREEING = (
    "Characteristic\tN\nOverall\t100\nBy Sex:\t\nF\t60\nM\t50\nX\tT\n"
    "By Age:\t\n18-24\tT\n25-35\tT\n36+\t90\n"
)


def test_sums_that_do_not_agree_can_be_taken_away(window, workspace):
    paste(window, DISAGREEING)
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    window.show_step("repair")
    repair = window.page("repair")
    assert "in sums that do not agree" in repair.state._text.text()
    repair.state._button.click()
    assert window.current_key == "structure"
    page = window.page("structure")
    assert page._wrong.property("tone") == "warning"
    assert "Correct the counts in the file" in page._wrong._detail.text()
    page._wrong._button.click()
    assert workspace.counts.decided.relations_confirmed
    assert page._wrong.property("tone") == "info"
    assert not page._wrong._button.isVisible()
    assert page.status().state is StepState.DONE
    audited = workspace.counts.audited
    assert audited.number(Outcome.INCONSISTENT) == 0


def test_sums_that_do_not_agree_are_released_with_a_reason(window, workspace):
    """The page named no field for the reason that the release asked for."""
    paste(window, DISAGREEING)
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    workspace.session.apply(ops.set_release("masked"), "masked")
    window.show_step("counts_release")
    page = window.page("counts_release")
    assert "1 masked count is in sums that do not agree" in page.inferable._text.text()
    assert page.reason.isVisible()
    assert not page.draw.isEnabled()
    page.reason.setText("The source is wrong.")
    page.reason.editingFinished.emit()
    assert page.draw.isEnabled()
    page.start_drawing()
    assert page.drawn.prepared.order.audit.because == "The source is wrong."
