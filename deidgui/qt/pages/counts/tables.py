"""The Tables page: typed, pasted or read tables, and what their cells are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.counts import ops
from deidgui.app.counts.tables import RawTable
from deidgui.app.decides import Changes
from deidgui.app.ops import Op
from deidgui.engine.counts.tables.cells import MARKS, CellType, Mark
from deidgui.engine.counts.tables.reading import Grid
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.data.table import Table
from deidgui.errors import DeidError
from deidgui.qt.file_dialogs import ask_open, ask_open_many
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.grid import KINDS, CountGrid
from deidgui.qt.pages.counts.making import MakeDialog
from deidgui.qt.pages.counts.sheets import SheetsDialog
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    EmptyState,
    Label,
    Notice,
    Segmented,
    SpinBox,
    column,
    field_row,
    holder,
    row,
    show_if,
    wrapping,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

CHOICES = (
    CellType.COUNT,
    CellType.PERCENTAGE,
    CellType.MEAN,
    CellType.LABEL,
    CellType.LEFT_OUT,
)
"""What a person can say that cells are."""


class TablesPage(Page):
    """Adds tables and says what their cells are, and below what counts are masked."""

    key = "tables"
    parts = Changes.COUNTS | Changes.FILE
    scrolls = False

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Tables of counts"),
            tr("Add the tables that are published together, and check what cells are."),
        )
        self.add_header_action(
            Button(tr("Make from patients…"), clicked=self._on_make_wanted)
        )
        self.add_header_action(
            Button(tr("Paste a table"), glyph="copy", clicked=self.paste)
        )
        self.add_header_action(
            Button(tr("Add files…"), glyph="file-plus", clicked=self._on_add_files)
        )
        self._empty = EmptyState(
            "table-rows",
            tr("No tables yet"),
            tr(
                "Copy a table in a spreadsheet and paste it here, or add Excel or CSV "
                "files: every sheet that is shown becomes a table. Or make tables "
                "from a table of patients. "
                "The cells are kept in files of their own beside the project."
            ),
            tr("Paste a table"),
        )
        self._empty.acted.connect(self.paste)
        self._filled = holder(self._build_filled())
        self.body.addWidget(self._empty, 1)
        self.body.addWidget(self._filled, 1)
        paste = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self)
        paste.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        paste.activated.connect(self.paste)

    def _build_filled(self) -> QVBoxLayout:
        self._confirmed = Caption()
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Tables"))
        self._list.currentRowChanged.connect(self._on_table_chosen)
        self._list.itemChanged.connect(self._on_renamed)
        self._remove = Button(
            tr("Remove"), "quiet", "trash", self._on_removed, small=True
        )
        gone = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self._list)
        gone.setContext(Qt.ShortcutContext.WidgetShortcut)
        gone.activated.connect(self._on_removed)
        self._grid = CountGrid(tr("Cells of the table"))
        self._grid.cells_chosen.connect(self._show_selection)
        self._problem = Callout(status="danger")
        self._problem.acted.connect(self._on_problem_wanted)
        left = holder(
            column(
                Label(tr("Tables"), "strong"),
                (self._list, 1),
                self._confirmed,
                self._remove,
            )
        )
        left.setFixedWidth(190)
        right = column(self._problem, (self._grid, 1), self._cells_bar(), spacing=12)
        upper = row(left, (right, 1), spacing=16)
        return column((upper, 1), self._masked_card(), spacing=12)

    def _cells_bar(self) -> QWidget:
        self._kind = Segmented(
            [(kind.value, tr(KINDS[kind])) for kind in CHOICES],
            name=tr("What the selected cells are"),
        )
        self._kind.chosen.connect(self._on_kind_chosen)
        self._chosen = Caption()
        self._header_rows = SpinBox(0, 20, 1, name=tr("Header rows"))
        self._header_rows.valueChanged.connect(self._on_header_rows)
        self._confirm = Button(
            tr("Confirm these cells"), "primary", "check", self._on_confirmed
        )
        rows = (Label(tr("Header rows")), self._header_rows)
        choices = wrapping((self._kind,), rows, (self._confirm,), spacing=12)
        return holder(column(self._chosen, choices, spacing=6))

    def _masked_card(self) -> QWidget:
        self._threshold = SpinBox(1, 1_000_000, 1, name=tr("Threshold"))
        self._threshold.setSpecialValueText(tr("not stated"))
        self._threshold.valueChanged.connect(self._on_threshold)
        self._zero = Segmented(
            [
                ("", tr("Not stated")),
                ("shown", tr("Shown as 0")),
                ("masked", tr("Masked too")),
            ],
            name=tr("Zeros"),
        )
        self._zero.chosen.connect(self._on_zero)
        self._meaning = Caption()
        self._marks = {each: QLineEdit() for each in Mark}
        self._marks[Mark.MASKED].setPlaceholderText(tr("e.g. s, *"))
        self._marks[Mark.COMPLEMENT].setPlaceholderText(tr("e.g. x, n/a"))
        for each in self._marks.values():
            each.setMaximumWidth(150)
            each.editingFinished.connect(self._on_marks)
        card = Card(margin=12)
        card.body.setSpacing(6)
        card.add(
            wrapping(
                (field_row(tr("Counts below this are masked"), self._threshold),),
                (field_row(tr("Zeros are"), self._zero),),
                (
                    field_row(
                        tr("Masked counts are marked T or"), self._marks[Mark.MASKED]
                    ),
                ),
                (
                    field_row(
                        tr("Counts hidden to protect them: C or"),
                        self._marks[Mark.COMPLEMENT],
                    ),
                ),
                spacing=16,
            )
        )
        self._mask = Button(tr("Mask them"), clicked=self._on_mask, small=True)
        card.body.addLayout(row((self._meaning, 1), self._mask, spacing=12))
        for kind, words in (
            (
                Mark.MASKED,
                tr("Further texts that stand for a masked count, with commas: s, *"),
            ),
            (
                Mark.COMPLEMENT,
                tr(
                    "Further texts that stand for a count that is hidden to protect a "
                    "masked one (a complement), with commas: x, n/a"
                ),
            ),
        ):
            self._marks[kind].setToolTip(words)
            self._marks[kind].setAccessibleDescription(words)
        return card

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the tables anew."""
        tables = self._tables()
        show_if(self._empty, not tables)
        show_if(self._filled, bool(tables))
        with QSignalBlocker(self._list):
            here = max(self._list.currentRow(), 0)
            self._list.clear()
            for table in tables:
                rows, columns = table.shape
                item = QListWidgetItem(table.name)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                item.setToolTip(
                    tr(
                        "{rows:row|rows}, {columns:column|columns}",
                        rows=rows,
                        columns=columns,
                    )
                )
                self._list.addItem(item)
            self._list.setCurrentRow(min(here, len(tables) - 1))
        self._show_table()
        self._show_masked()

    def _tables(self) -> tuple[CountTable, ...]:
        try:
            return self.workspace.counts.tables
        except DeidError as error:
            self.show_error(error)
            return ()

    def _table(self) -> CountTable | None:
        place, tables = self._list.currentRow(), self._tables()
        return tables[place] if 0 <= place < len(tables) else None

    def _show_table(self) -> None:
        table = self._table()
        self._grid.show_table(table, self._list.currentRow())
        if table is not None:
            self._header_rows.set_value(table.layout.n_header_rows)
        problems = self.workspace.counts.problems() if self._tables() else []
        show_if(self._problem, bool(problems))
        if problems:
            words = words_for(problems[0])
            self._problem.show_words(words.what, "danger", words.fix, tr("Show it"))
        decided = self.workspace.counts.decided.tables
        is_open = any(
            table is not None and e.name == table.name and not e.confirmed
            for e in decided
        )
        self._confirm.setEnabled(is_open and not problems)
        n = sum(each.confirmed for each in decided)
        show_if(self._confirmed, len(decided) > 1)
        self._confirmed.setText(
            tr("Cells confirmed: {n} of {all} tables", n=n, all=len(decided))
        )
        self._show_selection()

    def _show_selection(self) -> None:
        table, chosen = self._table(), self._grid.chosen_cells()
        self._kind.setEnabled(bool(chosen))
        if table is None or not chosen:
            self._chosen.setText(tr("Select cells to say what they are:"))
            return
        kinds = {table.cells[r][c].kind for r, c in chosen}
        if len(kinds) == 1 and (kind := next(iter(kinds))) in CHOICES:
            self._kind.set_current(kind.value)
        self._chosen.setText(
            tr("{n:selected cell is|selected cells are}:", n=len(chosen))
        )

    def _show_masked(self) -> None:
        counts = self.workspace.counts
        self._threshold.set_value(counts.decided.threshold or 1)
        for kind, field in self._marks.items():
            if not (field.hasFocus() and field.isModified()):
                field.setText(", ".join(self._others(kind)))
        if not self._tables():
            return
        masks_zero = counts.masks_zero()
        self._zero.set_current(
            "" if masks_zero is None else "masked" if masks_zero else "shown"
        )
        if counts.wants_threshold():
            self._meaning.setText(
                tr("Masked counts were found. State the threshold of these tables.")
            )
        elif counts.wants_zeros_said():
            self._meaning.setText(tr("Say whether zeros are shown or masked."))
        elif counts.decided.threshold is not None:
            self._meaning.setText(
                tr(
                    "A masked count is {low} to {high}.",
                    low=0 if masks_zero else 1,
                    high=counts.decided.threshold - 1,
                )
            )
        else:
            self._meaning.setText(
                tr(
                    "Each masked count states its own limit. To release masked tables, "
                    "state a threshold too; noise needs none."
                )
                if counts.has_masked()
                else tr(
                    "No count is masked. To release masked tables, state a threshold; "
                    "noise needs none."
                )
            )
        n_small = counts.n_small_shown()
        show_if(self._mask, n_small > 0)
        self._mask.setEnabled(not counts.wants_zeros_said())
        if n_small:
            words = tr(
                "{n:count below it is|counts below it are} shown. Mask them for masked "
                "tables; leave them for noise.",
                n=n_small,
            )
            self._meaning.setText(f"{self._meaning.text()} {words}")

    def _others(self, kind: Mark) -> list[str]:
        """Texts that stand for a mark, besides those of this program."""
        marks = self.workspace.counts.decided.marks
        own = MARKS.items()
        return [t for t, k in marks.items() if k == kind.value and (t, kind) not in own]

    def show_place(self, part: str) -> None:
        """Go to where the threshold is stated and small counts are masked."""
        if part == "threshold":
            field: QWidget = self._threshold
            if self._mask.isVisibleTo(self):
                field = self._mask if self._mask.isEnabled() else self._zero
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def status(self) -> PageStatus:
        """Done once the cells are confirmed and a threshold is stated."""
        counts = self.workspace.counts
        decided = counts.decided
        missing = counts.what_is_missing()
        n = len(decided.tables)
        caption = tr("{n:table|tables}", n=n) if n else ""
        if missing:
            state = StepState.ATTENTION if n else StepState.READY
            return PageStatus(state, caption, missing)
        if not all(each.confirmed for each in decided.tables):
            return PageStatus(StepState.ATTENTION, caption)
        return PageStatus(StepState.DONE, caption)

    # -- decisions -----------------------------------------------------------------

    def paste(self) -> None:
        """Add what is on the clipboard as a table."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self.reported.emit(
                Notice(
                    tr("There is no table on the clipboard."),
                    "info",
                    tr("Copy a table in a spreadsheet first."),
                    topic="counts_paste",
                )
            )
            return
        try:
            n = self.workspace.counts.paste(text)
        except DeidError as error:
            self.show_error(error)
            return
        if n > 1:
            words = tr("{n} tables were pasted.", n=n)
            self.reported.emit(Notice(words, "info", topic="counts_paste"))
        self._list.setCurrentRow(self._list.count() - 1)

    def _on_add_files(self) -> None:
        chosen = ask_open_many(
            self,
            "counts",
            tr("Choose tables of counts"),
            tr(
                "Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz *.xlsx *.xlsm "
                "*.xls *.ods);;All files (*)"
            ),
        )
        if chosen:
            self.take_files(chosen)

    def take_files(self, paths: list[Path]) -> None:
        """Read files and add their tables; of several sheets a person chooses."""
        self.workspace.counts.read_files(paths, self._on_read)

    def _on_read(self, found: tuple[RawTable, ...]) -> None:
        files = [each.source for each in found if each.sheet]
        if len(files) == len(set(files)):
            self._add_raw(found)
            return
        self.sheets = SheetsDialog(found, self)
        self.sheets.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.sheets.made.connect(self._add_raw)
        self.sheets.open()

    def _add_raw(self, found: Sequence[RawTable]) -> None:
        self.workspace.counts.add_raw(found)

    def _on_make_wanted(self) -> None:
        chosen = ask_open(
            self,
            "data",
            tr("Choose a table of patients"),
            tr("Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz);;All files (*)"),
        )
        if chosen:
            self.make_from(chosen)

    def make_from(self, path: Path) -> None:
        """Read a table of patients, then ask what is counted."""
        self.workspace.counts.open_patients(path, partial(self._ask_made, path.name))

    def _ask_made(self, name: str, table: Table) -> None:
        self.making = MakeDialog(self.workspace, name, table, self)
        self.making.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.making.made.connect(self._on_made)
        self.making.open()

    def _on_made(self, name: str, grid: Grid) -> None:
        try:
            self.workspace.counts.add_made(name, grid)
        except DeidError as error:
            self.show_error(error)
            return
        self._list.setCurrentRow(self._list.count() - 1)

    def _on_removed(self) -> None:
        table = self._table()
        if table is None:
            return
        self._decide(ops.remove_table(table.name), tr("remove a table"))
        if not self.workspace.counts.decided.tables:
            self.reported.emit(
                Notice(
                    tr("No table is left: what was decided about the tables is gone."),
                    "info",
                    tr(
                        "Threshold, marks, noise and period of validity are decided "
                        "anew for other tables. Undo brings everything back."
                    ),
                    topic="counts_removed",
                    until="step",
                )
            )

    def _on_renamed(self, item: QListWidgetItem) -> None:
        tables = self._tables()
        old, new = tables[self._list.row(item)].name, item.text().strip()
        if new and all(each.name != new for each in tables):
            self._decide(ops.rename_table(old, new[:200]), tr("rename a table"))
        else:
            self.refresh(Changes.COUNTS)

    def _decide(self, op: Op, label: str) -> None:
        if self.apply(op, label):
            self.refresh(Changes.COUNTS)

    def _on_table_chosen(self) -> None:
        self._show_table()

    def _on_kind_chosen(self, kind: str) -> None:
        table, chosen = self._table(), self._grid.chosen_cells()
        if table is not None and chosen:
            op = ops.say_cells(table, chosen, CellType(kind).value)
            self._decide(op, tr("say what cells are"))

    def _on_header_rows(self, number: int) -> None:
        table = self._table()
        if table is not None and number <= table.shape[0]:
            layout = replace(table.layout, n_header_rows=number)
            self._decide(ops.set_layout(table, layout), tr("set header rows"))

    def _on_confirmed(self) -> None:
        """Confirm the table that is shown, and go to the next that is open."""
        table = self._table()
        if table is None:
            return
        self._decide(ops.confirm_cells(table.name), tr("confirm the cells"))
        decided = self.workspace.counts.decided.tables
        for place, each in enumerate(decided):
            if not each.confirmed:
                self._list.setCurrentRow(place)
                return

    def _on_threshold(self, number: int) -> None:
        self._decide(ops.set_threshold(number if number > 1 else None), tr("threshold"))

    def _on_mask(self) -> None:
        self.workspace.counts.mask_small()
        self.refresh(Changes.COUNTS)

    def _on_zero(self, choice: str) -> None:
        op = ops.set_mask_zero(choice == "masked" if choice else None)
        self._decide(op, tr("say how zeros are shown"))

    def _on_marks(self) -> None:
        given = {
            kind: [each.strip() for each in field.text().split(",") if each.strip()]
            for kind, field in self._marks.items()
        }
        for field in self._marks.values():
            field.setModified(False)
        op = ops.set_marks(given[Mark.MASKED], given[Mark.COMPLEMENT])
        decided, then = self.workspace.counts.decided, op(self.session.project).counts
        if then is not None and then.marks != decided.marks:
            self._decide(op, tr("say which marks are used"))

    def leave(self) -> None:
        """Take over marks that are still being typed."""
        if any(field.isModified() for field in self._marks.values()):
            self._on_marks()

    def _on_problem_wanted(self) -> None:
        for number, table in enumerate(self._tables()):
            for at, cells in enumerate(table.cells):
                for place, cell in enumerate(cells):
                    if cell.problem:
                        self._list.setCurrentRow(number)
                        index = self._grid.grid_model.index(at, place)
                        self._grid.setCurrentIndex(index)
                        return
