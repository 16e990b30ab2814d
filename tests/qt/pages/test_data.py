"""The page Data shows what was read and why, and lets it be read otherwise."""

from __future__ import annotations

import hashlib
import zipfile

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from deidgui.app import ops
from deidgui.app.decides import Changes
from deidgui.app.jobs import Lane
from deidgui.app.project import DialectChoice, Project
from deidgui.app.workspace import Activity, Workspace
from deidgui.errors import InputError
from deidgui.qt.models.attributes import DataColumn
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.data import preview
from deidgui.qt.pages.data.page import DataPage
from deidgui.qt.widgets import CellMark, Chip, Label
from deidgui.qt.widgets.grid import MARK_ROLE
from tests.qt.fakes import InlineExecutor

N_ROWS = 120
CSV = "name,age,born,race\n" + "".join(
    f"N{i},{'old' if i == 57 else 20 + i % 60},"
    f"{1 + i % 12:02d}/{1 + i * 5 % 12:02d}/19{50 + i % 50},"
    f"{('white', 'black', 'unknown', 'NA')[i % 4]}\n"
    for i in range(N_ROWS)
)


@pytest.fixture
def workspace():
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    yield made
    made.close()


@pytest.fixture
def page(qtbot, workspace, settings):
    made = DataPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 640)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def data(tmp_path, workspace):
    path = tmp_path / "patients.csv"
    path.write_text(CSV)
    workspace.open_data(path)
    workspace.session.amend(ops.set_protection(None))
    return path


@pytest.fixture
def filled(page, data):
    return page


def attribute(page, name):
    return page.session.project.attribute(name)


def cell(page, name, heading):
    model = page.columns.model
    return model.index(model.row_of(name), heading).data()


def chips(page, part):
    part = getattr(page.columns.panel.missing, part)
    return {each.property("token"): each for each in part.findChildren(Chip)}


# -- states ----------------------------------------------------------------------------


def test_without_data_it_says_what_to_do(qtbot, page):
    assert page.empty.isVisible()
    assert page.status().state is StepState.NOT_YET
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page.empty.acted.emit()
    assert wanted.args == ["start"]


def test_while_a_file_is_read_it_shows_how_far(page, workspace, monkeypatch):
    monkeypatch.setattr(workspace, "is_running", lambda lane: lane == Lane.READ)
    workspace.activity(Activity(Lane.READ, 0.3, "types", 1.0))
    assert page.progress.isVisible()
    assert page.status().caption
    cancelled = []
    monkeypatch.setattr(workspace, "cancel", cancelled.append)
    page.progress.cancel_clicked.emit()
    assert cancelled == [Lane.READ]
    monkeypatch.setattr(workspace, "is_running", lambda _lane: False)
    workspace.activity(Activity(Lane.READ, None))
    assert not page.progress.isVisible()


def test_who_is_protected_takes_one_low_line_once_it_is_answered(filled, qtbot):
    card = filled.protected
    if not card._answer.isVisible():
        card.rows.click()
    qtbot.waitUntil(card._answer.isVisible)
    line = max(card._change.sizeHint().height(), card._said.sizeHint().height())
    qtbot.waitUntil(lambda: card.height() <= line + 4, timeout=2000)
    card._change.click()
    qtbot.waitUntil(lambda: card.height() > 2 * line)
    assert card.layout().contentsMargins().top() > 0


@pytest.mark.parametrize("is_another", [True, False])
def test_while_another_file_is_read_nothing_is_decided_about_the_last_one(
    filled, workspace, monkeypatch, is_another
):
    monkeypatch.setattr(workspace, "is_running", lambda lane: lane == Lane.READ)
    monkeypatch.setattr(workspace, "is_replacing", is_another)
    workspace.activity(Activity(Lane.READ, 0.3, "types", 1.0))
    assert filled.progress.isVisible()
    assert filled.facts.isVisible() is not is_another
    assert filled.protected.isVisible() is not is_another
    monkeypatch.setattr(workspace, "is_running", lambda _lane: False)
    workspace.activity(Activity(Lane.READ, None))
    assert filled.facts.isVisible()


def test_only_a_new_file_takes_the_place_of_the_last_one(filled, workspace, data):
    assert workspace.is_replacing
    choice = DialectChoice(delimiter=",")
    workspace.read_again(choice)
    assert not workspace.is_replacing
    workspace.open_data(data)
    assert workspace.is_replacing


def test_a_file_that_cannot_be_read_says_why(page, workspace, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("")
    workspace.open_data(path)
    assert "empty.csv" in page.empty._title.text()
    path.write_text(CSV)
    workspace.open_data(path)
    assert not page.empty.isVisible()


def test_a_closed_project_leaves_nothing_behind(filled):
    filled.session.start(Project())
    assert filled.empty.isVisible()
    assert not filled.view.isVisible()


# -- facts -----------------------------------------------------------------------------


def test_facts_of_the_file(qtbot, filled, data):
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    assert "120 rows · 4 columns" in filled.facts._facts.text()
    qtbot.mouseClick(filled.facts._copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == digest


def test_remarks_of_reading_are_told(page, workspace, tmp_path):
    path = tmp_path / "rough.csv"
    path.write_text("a,,a\n1,2,3\n\n4,5,6\n")
    workspace.open_data(path)
    assert "column 2" in page.facts.remarks
    assert "Empty lines, left out: 1." in page.facts.remarks


def test_texts_that_are_taken_as_no_value_are_told(page, workspace, tmp_path):
    path = tmp_path / "ward.csv"
    rows = [f"{'mf'[n % 2]},{'?' if n % 3 else n},{'?' if n else 1}" for n in range(90)]
    path.write_text("\n".join(["sex,weight,payer", *rows]) + "\n")
    workspace.open_data(path)
    assert "“?” counts as missing in 2 columns." in page.facts.remarks
    # Who says otherwise of a column is not told the same.
    workspace.session.apply(ops.change_attribute("payer", missing=("",)), "a value")
    page.refresh(Changes.DATA)
    assert "“?” counts as missing in 1 column." in page.facts.remarks
    workspace.session.apply(ops.change_attribute("weight", missing=("",)), "a value")
    page.refresh(Changes.DATA)
    assert not page.facts.remarks


def test_a_second_table_below_the_first_is_a_warning(page, workspace, tmp_path):
    path = tmp_path / "lists.csv"
    rows = [f"{n},kind {n}" for n in range(1, 20)]
    path.write_text("\n".join(["id,kind", *rows, ",", "ward_id,ward", *rows]) + "\n")
    workspace.open_data(path)
    assert page.facts.remarks.startswith("1 line is empty, and what follows")
    assert page.facts._remarks._label.property("tone") == "warning"
    assert "ward" not in page.facts.remarks


# -- preview ---------------------------------------------------------------------------


def test_that_a_column_is_not_released_is_never_cut(filled, workspace):
    """It stands below the name, which may be too long for the column."""
    name = "race"
    workspace.session.apply(ops.change_attribute(name, include=False), "left out")
    filled.refresh(Changes.EVERYTHING)
    assert cell(filled, name, DataColumn.NAME).splitlines() == [name, "left out"]
    table = filled.columns.table
    lines = 2 * table.fontMetrics().height()
    assert table.verticalHeader().defaultSectionSize() >= lines


def test_the_preview_marks_missing_and_failing_cells(filled):
    model = filled.preview.grid.table_model
    assert model.rowCount() == N_ROWS
    age = model.table.column_names.index("age")
    assert model.index(57, age).data(MARK_ROLE) == CellMark.PROBLEM
    assert model.index(56, age).data(MARK_ROLE) == CellMark.NONE
    race = model.table.columns[model.table.column_names.index("race")]
    assert race.n_missing == N_ROWS // 4


@pytest.mark.parametrize("n_random", [60, N_ROWS])
def test_random_rows_are_different_rows_of_the_file(filled, monkeypatch, n_random):
    monkeypatch.setattr(preview, "N_RANDOM", n_random)
    filled.preview.rows.chosen.emit("random")
    model = filled.preview.grid.table_model
    rows = [model.row_at(place) for place in range(model.rowCount())]
    assert len(set(rows)) == len(rows) == n_random
    assert rows == sorted(rows)
    assert model.index(0, 0).data() == f"N{rows[0]}"
    assert filled.preview.others.isVisible()
    filled.preview.rows.chosen.emit("first")
    assert model.rowCount() == N_ROWS


# -- types -----------------------------------------------------------------------------


def test_each_column_has_its_type_and_failing_cells(filled):
    assert cell(filled, "age", DataColumn.TYPE) == "Whole number"
    assert cell(filled, "age", DataColumn.FAILING) == "1"
    assert cell(filled, "name", DataColumn.FAILING) == "–"
    filled.show_view("columns")
    filled.columns.choose("age")
    failing = filled.columns.panel._failing
    # The header is line 1, so row 57 is on line 59.
    assert [failing.index(0, column).data() for column in (0, 1)] == ["59", "old"]


def test_a_failing_cell_can_be_seen_in_the_preview(filled):
    filled.show_view("columns")
    filled.columns.choose("age")
    panel = filled.columns.panel
    panel.failing.activated.emit(panel._failing.index(0, 0))
    assert filled.preview.isVisible()
    current = filled.preview.grid.currentIndex()
    assert (current.row(), current.data()) == (57, "old")


def test_the_type_can_be_changed_and_undone(filled):
    filled.columns.choose("age")
    combo = filled.columns.panel.kind
    combo.setCurrentIndex(combo.findData("category"))
    combo.activated.emit(combo.currentIndex())
    assert attribute(filled, "age").kind == "category"
    assert cell(filled, "age", DataColumn.FAILING) == "–"
    assert attribute(filled, "age").hierarchy is not None
    filled.session.undo()
    assert attribute(filled, "age").kind == "integer"
    assert cell(filled, "age", DataColumn.FAILING) == "1"


def test_text_that_is_made_a_date_gets_a_format(filled):
    filled.columns.type_wanted.emit("name", "date", "")
    assert attribute(filled, "name").format
    assert cell(filled, "name", DataColumn.FAILING) == str(N_ROWS)


def test_an_ambiguous_date_is_asked_about(filled):
    assert filled.status().state is StepState.ATTENTION
    assert "born" in filled.look._text.text()
    filled.look.acted.emit()
    panel = filled.columns.panel
    assert panel.question.isVisible()
    readings = [button.text() for button in panel.readings.buttons()]
    assert readings[0].startswith("M/D/YYYY")
    assert readings[1].startswith("D/M/YYYY")
    assert readings[0] != readings[1]
    assert not any(button.isChecked() for button in panel.readings.buttons())
    panel.readings.buttons()[1].click()
    assert attribute(filled, "born").format == "D/M/YYYY"
    assert attribute(filled, "born").open_formats == ()  # kept with the project
    assert filled.status().state is StepState.SEEN
    assert panel.readings.buttons()[1].isChecked()
    filled.session.undo()
    filled.refresh(filled.parts)
    assert filled.status().state is StepState.ATTENTION
    assert "born" in filled._open_questions()


def test_values_that_may_be_missing_leave_the_step_without_a_tick(filled):
    filled.show_view("columns")
    filled.columns.choose("born")
    filled.columns.panel.readings.buttons()[0].click()
    model, attributes = filled.columns.model, filled.session.project.attributes
    assert any(model.wants_a_look(each) for each in attributes)
    assert filled.status().state is StepState.SEEN
    for each in attributes:
        if model.wants_a_look(each):
            filled.columns.include_wanted.emit((each.name,), False)
    assert filled.status().state is StepState.DONE


def test_the_proposed_reading_can_be_confirmed(filled):
    filled.show_view("columns")
    filled.columns.choose("born")
    filled.columns.panel.readings.buttons()[0].click()
    assert attribute(filled, "born").format == "M/D/YYYY"
    assert filled.status().state is StepState.SEEN


# -- missing values --------------------------------------------------------------------


def test_missing_texts_are_chips_with_counts(qtbot, filled):
    filled.show_view("columns")
    filled.columns.choose("race")
    assert set(chips(filled, "chips")) == {"", "NA"}
    assert "30" in chips(filled, "chips")["NA"].text
    candidate = chips(filled, "candidates")["unknown"]
    qtbot.mouseClick(candidate, Qt.MouseButton.LeftButton)
    assert attribute(filled, "race").missing == ("", "NA", "unknown")
    assert cell(filled, "race", DataColumn.MISSING).startswith("50")
    qtbot.mouseClick(chips(filled, "chips")["NA"], Qt.MouseButton.LeftButton)
    assert attribute(filled, "race").missing == ("", "unknown")
    shown = filled.preview.grid.table_model.table.column("race")
    assert shown.n_missing == N_ROWS // 4


def test_another_text_can_be_typed(qtbot, filled):
    filled.show_view("columns")
    filled.columns.choose("age")
    field = filled.columns.panel.missing.field
    qtbot.keyClicks(field, "old")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "old" in attribute(filled, "age").missing
    assert cell(filled, "age", DataColumn.FAILING) == "–"
    assert not filled.columns.panel.failing.isVisible()


# -- columns that are left out ---------------------------------------------------------


def test_columns_are_left_out_by_key_and_switch(qtbot, filled):
    filled.show_view("columns")
    filled.columns.choose("name")
    qtbot.keyClick(filled.columns.table, Qt.Key.Key_Space)
    assert not attribute(filled, "name").include
    filled.columns.panel.include.toggled.emit(True)
    assert attribute(filled, "name").include


def test_columns_are_found_and_filtered(filled):
    filled.columns.show_only("look")
    proxy = filled.columns.proxy
    shown = {proxy.index(row, 0).data() for row in range(proxy.rowCount())}
    # Its "unknown" may mean that there is no value.
    assert shown == {"age", "born", "race"}
    filled.columns.filter.set_current("all")
    filled.columns.search.setText("rac")
    filled.columns.search.searched.emit("rac")
    assert proxy.rowCount() == 1


def shown_names(page):
    proxy = page.columns.proxy
    return {proxy.index(row, 0).data() for row in range(proxy.rowCount())}


def test_what_to_look_at_is_shown_as_soon_as_it_is_counted(filled):
    filled.show_view("columns")
    filled.summaries._known.clear()  # as when the file is read again
    filled.columns.show_only("look")
    assert shown_names(filled) == {"born"}  # its two readings need no counting
    filled.summaries.follow(filled.session.project.attributes)
    assert shown_names(filled) == {"age", "born", "race"}
    assert filled.columns.current_name == "born"


def test_a_column_stays_while_it_is_decided_about(filled):
    filled.show_view("columns")
    filled.columns.show_only("look")
    filled.columns.choose("race")
    chips(filled, "candidates")["unknown"].clicked.emit()
    assert filled.columns.current_name == "race"
    assert shown_names(filled) == {"age", "born", "race"}
    filled.columns.show_only("look")
    assert shown_names(filled) == {"age", "born"}


def test_the_column_of_the_panel_is_chosen_in_the_list(filled, qtbot):
    filled.show_view("columns")
    columns = filled.columns
    columns.choose("name")
    columns.show_only("look")
    assert columns.current_name != "name"
    assert columns.chosen_names == (columns.current_name,)
    columns.table.clearSelection()
    columns.table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(columns.table.hasFocus)
    assert columns.chosen_names == (columns.current_name,)


def test_missing_texts_and_release_are_decided_for_all_that_are_chosen(filled):
    filled.show_view("columns")
    columns, session = filled.columns, filled.session
    columns.choose("race")
    assert not columns.panel._scope.isVisible()
    columns.table.selectAll()
    assert columns.panel._scope.text().startswith("4 columns are selected.")
    before = session.project.attributes
    chips(filled, "candidates")["unknown"].clicked.emit()
    for each in before:
        assert attribute(filled, each.name).missing == (*each.missing, "unknown")
    chips(filled, "chips")["unknown"].clicked.emit()
    assert session.project.attributes == before
    columns.panel.include.toggled.emit(False)
    assert not any(each.include for each in session.project.attributes)
    session.undo()
    assert session.project.attributes == before
    assert columns.current_name == "race"


# -- how it is read --------------------------------------------------------------------


def test_the_dialect_is_shown_with_its_evidence(filled):
    form = filled.dialect
    assert form.delimiter.current == ","
    assert "121 records have 4 cells" in form._evidence["delimiter"].text()
    assert form._evidence["encoding"].text()
    assert not form.read.isEnabled()


def test_another_dialect_reads_the_file_again(qtbot, filled):
    filled.show_view("reading")
    form = filled.dialect
    form.header.setChecked(False)
    assert form.read.isEnabled()
    qtbot.mouseClick(form.read, Qt.MouseButton.LeftButton)
    assert filled.session.loaded.table.n_rows == N_ROWS + 1
    assert filled.preview.grid.table_model.rowCount() == N_ROWS + 1
    assert form._evidence["header"].text() == "Chosen by you."
    qtbot.mouseClick(form.back, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(form.read, Qt.MouseButton.LeftButton)
    assert filled.session.loaded.table.n_rows == N_ROWS


def test_reading_again_keeps_decisions_by_name(filled):
    filled.columns.include_wanted.emit(("race",), False)
    choice = DialectChoice(quote="'")
    filled.dialect.reading_wanted.emit(choice)
    assert not attribute(filled, "race").include


def test_another_delimiter_can_be_typed(filled):
    filled.show_view("reading")
    form = filled.dialect
    form.delimiter.setCurrentIndex(form.delimiter.findData("other"))
    form.delimiter.activated.emit(form.delimiter.currentIndex())
    assert form.other.isVisible()
    assert not form.read.isEnabled()
    assert form.problem.text
    form.other.setText("/")
    assert form.choice() == DialectChoice(delimiter="/")
    form.other.setText('"')
    assert form.choice() is None


def test_a_dialect_that_fails_keeps_the_table(filled):
    told = []
    filled.workspace.problem.connect(lambda error, _lane: told.append(error))
    filled.dialect.reading_wanted.emit(DialectChoice(delimiter="/"))
    assert told
    assert isinstance(told[0], InputError)
    assert filled.preview.isVisible()
    assert filled.session.loaded.table.n_rows == N_ROWS


def test_example_lines_help_to_choose_an_encoding(page, workspace, tmp_path):
    path = tmp_path / "old.csv"
    path.write_bytes("name,age\nJürgen,31\nZoë,44\n".encode("cp1252"))
    workspace.open_data(path)
    page.show_view("reading")
    texts = [each.text() for each in page.dialect.examples.findChildren(Label)]
    assert "Jürgen,31" in texts
    assert len(page.session.loaded.inspection.guess.encodings) >= 1
    path.write_text(CSV)
    workspace.open_data(path)
    assert not page.dialect.examples.isVisible()


# -- archives --------------------------------------------------------------------------


def test_a_file_of_an_archive_is_chosen(qtbot, page, workspace, tmp_path):
    path = tmp_path / "delivery.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello\n")
        archive.writestr("patients.csv", CSV)
    workspace.open_data(path)
    assert page.members.isVisible()
    names = [page.members.members.item(row).text() for row in range(2)]
    assert names == ["readme.txt", "patients.csv"]
    page.members.members.setCurrentRow(1)
    qtbot.mouseClick(page.members.open, Qt.MouseButton.LeftButton)
    assert page.session.loaded.table.n_rows == N_ROWS
    assert page.preview.isVisible()
    assert page.session.project.inputs[0].member == "patients.csv"
    assert "patients.csv" in page.facts._name.text()


def test_a_hundred_thousand_values_and_many_columns(page, workspace, tmp_path):
    path = tmp_path / "wide.csv"
    head = ",".join(f"c{i}" for i in range(300))
    row = ",".join("x" for _ in range(299))
    path.write_text(head + "\n" + "".join(f"{i},{row}\n" for i in range(2_000)))
    workspace.open_data(path)
    page.show_view("columns")
    page.columns.choose("c299")
    assert cell(page, "c0", DataColumn.VALUES) == "2,000"
    assert cell(page, "c299", DataColumn.VALUES) == "1"


# -- what only a person knows ----------------------------------------------------------


@pytest.fixture
def doubtful(tmp_path, page, workspace):
    """A file whose first record differs from the others by nothing but its words."""
    path = tmp_path / "words.csv"
    path.write_text("eins;zwei\n" + "rot;x\nblau;y\nrot;y\n" * 30)
    workspace.open_data(path)
    workspace.session.amend(ops.set_protection(None))
    return page


def test_a_first_record_in_doubt_is_asked_and_the_answer_can_be_undone(qtbot, doubtful):
    page, session = doubtful, doubtful.session
    assert page.header.isVisible()
    # One question at a time: what the columns are comes first.
    assert not page.protected.isVisible()
    shown = " ".join(each.text() for each in page.header.findChildren(Label))
    assert "eins · zwei" in shown
    assert "taken for a header" in shown
    assert page.status().state is StepState.ATTENTION
    qtbot.mouseClick(page.header.data, Qt.MouseButton.LeftButton)
    assert not page.header.isVisible()
    assert page.protected.isVisible()
    assert session.loaded.table.n_rows == 91
    assert page.status().state is StepState.DONE
    session.undo()
    assert session.loaded.table.column_names == ("eins", "zwei")
    assert page.header.isVisible()
    qtbot.mouseClick(page.header.names, Qt.MouseButton.LeftButton)
    assert session.loaded.table.column_names == ("eins", "zwei")
    assert not session.project.inputs[0].header_in_doubt
    assert not page.header.isVisible()


def test_another_delimiter_does_not_answer_what_the_first_record_is(doubtful):
    page = doubtful
    page.workspace.read_again(DialectChoice(delimiter=",", header=True))
    assert page.header.isVisible()
    page.workspace.read_again(DialectChoice(delimiter=",", header=False))
    assert not page.header.isVisible()


def test_a_header_that_is_certain_is_not_asked_about(filled):
    assert not filled.header.isVisible()


def test_the_country_is_shown_and_can_be_changed_and_undone(tmp_path, page, workspace):
    codes = ("10115", "10119", "10707", "12043", "13156", "04103", "06108", "22041")
    path = tmp_path / "codes.csv"
    lines = (f"{20 + n % 60},{codes[n % 8]}" for n in range(80))
    path.write_text("\n".join(["age,zip code", *lines]) + "\n")
    workspace.open_data(path)
    facts = page.facts
    assert facts.country.currentText() == "As found: United States"
    assert attribute(page, "zip code").topic == "zip"
    facts.country.setCurrentIndex(facts.country.findData("DE"))
    facts.country.activated.emit(facts.country.currentIndex())
    assert attribute(page, "zip code").topic == "postcode"
    assert page.session.project.inputs[0].country == "DE"
    assert facts.country.currentText() == "Germany"
    page.session.undo()
    assert attribute(page, "zip code").topic == "zip"
    assert facts.country.currentText() == "As found: United States"
    assert page.session.loaded.inspection.country.country == "US"


def test_records_of_the_wrong_length_are_left_out_by_a_word(
    qtbot, tmp_path, page, workspace
):
    path = tmp_path / "ragged.csv"
    path.write_text("a,b\n" + "1,2\n" * 50 + "1,2,3\n" + "4,5\n" * 50)
    workspace.open_data(path)
    assert page.session.loaded is None
    assert page.skip.isVisible()
    assert page.skip.text() == "Leave out 1 record of the wrong length"
    qtbot.mouseClick(page.skip, Qt.MouseButton.LeftButton)
    assert page.session.loaded.table.n_rows == 100
    assert page.session.project.inputs[0].n_left_out == 1
    assert "1 record of the wrong length" in page.facts.remarks
    other = tmp_path / "empty.csv"
    other.write_text("")
    workspace.open_data(other)
    assert not page.skip.isVisible()
    # Another file is asked for at once, without a way round by the start.
    with qtbot.waitSignal(page.data_wanted), qtbot.assertNotEmitted(page.step_wanted):
        page.empty.acted.emit()


def test_titles_above_the_header_are_told(tmp_path, page, workspace):
    path = tmp_path / "titles.csv"
    path.write_text("Extract;;\nage;sex;ward\n" + "40;f;a\n50;m;b\n" * 40)
    workspace.open_data(path)
    assert "Lines above the header that are not read: 1." in page.facts.remarks


def test_texts_that_may_mean_no_value_are_proposed_in_the_list(
    qtbot, page, workspace, tmp_path
):
    path = tmp_path / "visits.csv"
    rows = "".join(
        f"{place},{('Not stated', 'f', 'm')[place % 3]}\n" for place in range(90)
    )
    path.write_text(f"visit,gender\n{rows}")
    workspace.open_data(path)
    model = page.columns.model
    # Beside the name, which no narrow list hides.
    index = model.index(model.row_of("gender"), DataColumn.NAME)
    qtbot.waitUntil(lambda: index.data(Qt.ItemDataRole.DecorationRole) is not None)
    assert "1 text may mean" in index.data(Qt.ItemDataRole.ToolTipRole)
    attribute = workspace.session.project.attribute("gender")
    assert "Not stated" not in attribute.missing
    # Nothing is decided by the program; once a person has decided, it asks no more.
    workspace.session.apply(
        ops.change_attribute("gender", missing=("", "Not stated")), "missing"
    )
    qtbot.waitUntil(lambda: index.data(Qt.ItemDataRole.DecorationRole) is None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Discharge letter\n\nMrs. Jane Doe (65) was treated here from 1 to 5 May. "
            "She had pneumonia and was treated with antibiotics.\n",
            "one column only",
        ),
        (
            "Discharge letter; ward 5\nMrs. Jane Doe (65) was treated here; she had "
            "pneumonia.\n",
            "one record only",
        ),
        (
            "Dear Dr. Smith, thank you for sending Mrs. Doe.\n"
            "She left on Friday, in good health.\n"
            "Please see her in June, as agreed.\n",
            "Every cell holds several words",
        ),
    ],
)
def test_a_letter_is_doubted_to_be_a_table(page, workspace, tmp_path, text, words):
    path = tmp_path / "letter.txt"
    path.write_text(text)
    workspace.open_data(path)
    assert words in page.facts.remarks
    assert "may be a text and no table" in page.facts.remarks
    session = workspace.session
    session.apply(ops.set_protection(None), "each row is a person")
    (file,) = session.project.inputs
    said = file.but(header_in_doubt=False, header_confirmed=True)
    session.apply(lambda project: project.but(inputs=(said,)), "header")
    status = page.status()
    assert (status.state, status.caption) == (StepState.ATTENTION, "no table?")


def test_a_file_that_may_hold_two_tables_is_not_ticked(page, workspace, tmp_path):
    """The remark beside the file is a warning that nobody can answer here."""
    path = tmp_path / "two.csv"
    first = "".join(f"a{i},{20 + i},{i % 7}\n" for i in range(40))
    second = "".join(f"w{i},{100 + i},{i % 5}\n" for i in range(40))
    path.write_text(f"name,age,visits\n{first}\nward,beds,nurses\n{second}")
    workspace.open_data(path)
    workspace.session.apply(ops.set_protection(None), "each row is a person")
    assert workspace.session.loaded.shape_doubts
    status = page.status()
    assert (status.state, status.caption) == (StepState.ATTENTION, "several tables?")
    assert not status.what_is_missing


def test_names_and_types_share_the_room_until_somebody_chooses(filled, qtbot):
    table = filled.columns.table
    filled.show_view("columns")
    filled.resize(1500, 640)
    qtbot.waitUntil(lambda: table.columnWidth(DataColumn.TYPE) > 200)
    assert table.columnWidth(DataColumn.NAME) > 200
    table.setColumnWidth(DataColumn.NAME, 130)  # as with the mouse
    filled.resize(1300, 640)
    QApplication.processEvents()
    assert table.columnWidth(DataColumn.NAME) == 130
