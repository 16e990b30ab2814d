"""A dialog that makes tables of counts from a table of patients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QWidget

from deidgui.app.counts.making import WantedTable, made_grid
from deidgui.app.jobs import Job, Lane
from deidgui.engine.counts.tables.making import MOST_VALUES
from deidgui.engine.counts.tables.reading import Grid
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.data.table import Table
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.messages import words_for
from deidgui.qt.pages.counts.grid import CountGrid
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    CheckList,
    ComboBox,
    Dialog,
    Label,
    Lead,
    SectionHeading,
    Segmented,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

CHARACTERISTICS, CROSS, ATTRITION = "characteristics", "cross", "attrition"
"""Kinds of tables that can be made."""

LIST_HEIGHT = 190


class MakeDialog(Dialog):
    """Chooses what is counted, shows the table, and adds as many as wanted.

    Attributes
    ----------
    made : Signal of (str, tuple of tuple of str)
        Name and cells of a table that a person wants.
    """

    made = Signal(str, object)

    def __init__(
        self, workspace: Workspace, name: str, table: Table, parent: QWidget
    ) -> None:
        super().__init__(tr("Make tables from patients"), parent, (1080, 620))
        self._workspace, self._table = workspace, table
        self._grid: Grid | None = None
        self._steps: list[tuple[str, tuple[str, ...]]] = []
        self._texts: dict[str, str] = {}
        self._named_by_hand = False
        few = [c.name for c in table.columns if c.n_values <= MOST_VALUES]
        every = [c.name for c in table.columns]
        self._make_choices(few, every)
        self.preview = CountGrid(tr("The table as it will be added"))
        self.problem = Callout(status="danger")
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the table"))
        self.name.textEdited.connect(self._on_named)
        self.add = Button(tr("Add this table"), "primary", "check", self._on_add)
        self.added = Label("", "caption", "muted")
        lead = Lead(
            tr(
                "{file}: {rows:row|rows}. The tables hold true counts. Mask small "
                "counts or add noise before you release them.",
                file=name,
                rows=table.n_rows,
            )
        )
        n_left_out = len(every) - len(few)
        note = Caption(
            tr(
                "{n:column has|columns have} more than {limit} values and cannot be "
                "counted.",
                n=n_left_out,
                limit=MOST_VALUES,
            )
        )
        show_if(note, n_left_out > 0)
        left = holder(column(self._choices(), note, None, spacing=12))
        left.setFixedWidth(round(400 * max(1.0, theme().text_scale)))
        right = column(
            Label(tr("Preview"), "strong"),
            self.problem,
            (self.preview, 1),
            field_row(tr("Name of the table"), self.name),
        )
        close = Button(tr("Close"), clicked=self.accept)
        box = column(
            SectionHeading(tr("Make tables from patients")),
            lead,
            (holder(row(left, (holder(right), 1), spacing=24)), 1),
            spacing=12,
        )
        self.lay_out(box, row(self.added, None, self.add, close))
        self._show_kind()
        self._update()

    def _make_choices(self, few: list[str], every: list[str]) -> None:
        self.key = ComboBox(name=tr("Who is counted"))
        self.key.addItem(tr("Choose…"), None)
        self.key.addItem(tr("Each row is one patient"), "")
        for each in every:
            text = tr("Patients by “{column}”, several rows each", column=each)
            self.key.addItem(text, each)
        self.kind = Segmented(
            [
                (CHARACTERISTICS, tr("Characteristics")),
                (CROSS, tr("Cross table")),
                (ATTRITION, tr("Attrition")),
            ],
            name=tr("Kind of table"),
        )
        self.columns = CheckList(
            tr("Columns to count"), tr("Find a column"), LIST_HEIGHT
        )
        self.columns.set_texts(few)
        self.rows, self.across = ComboBox(), ComboBox()
        self.step_column = ComboBox()
        for combo, words in (
            (self.rows, tr("Rows")),
            (self.across, tr("Columns")),
            (self.step_column, tr("Column of the step")),
        ):
            combo.setAccessibleName(words)
            combo.addItem(tr("Choose…"), "")
            for each in few:
                combo.addItem(each, each)
        self.values = CheckList(tr("Values that stay"), tr("Find a value"), 120)
        self.steps = QListWidget()
        self.steps.setAccessibleName(tr("Steps"))
        self.steps.setFixedHeight(84)
        self.add_step = Button(tr("Add the step"), clicked=self._on_step, small=True)
        self.remove_step = Button(
            tr("Remove the last step"), "quiet", clicked=self._on_step_gone, small=True
        )
        self.key.currentIndexChanged.connect(self._update)
        self.kind.chosen.connect(self._on_kind)
        self.columns.changed.connect(self._update)
        self.rows.currentIndexChanged.connect(self._update)
        self.across.currentIndexChanged.connect(self._update)
        self.step_column.currentIndexChanged.connect(self._show_values)
        self.values.changed.connect(self._show_values_left)

    def _choices(self) -> QWidget:
        self._of_columns = holder(
            column(Label(tr("Columns to count"), "strong"), self.columns)
        )
        self._of_cross = holder(
            column(
                field_row(tr("Rows"), self.rows), field_row(tr("Columns"), self.across)
            )
        )
        self._of_steps = holder(
            column(
                field_row(tr("Column of the step"), self.step_column),
                Label(tr("Values that stay"), "strong"),
                self.values,
                row(self.add_step, None, self.remove_step),
                self.steps,
            )
        )
        return holder(
            column(
                field_row(tr("Who is counted"), self.key),
                self.kind,
                self._of_columns,
                self._of_cross,
                self._of_steps,
                spacing=12,
            )
        )

    # -- showing -------------------------------------------------------------------

    def _on_kind(self) -> None:
        self._show_kind()
        self._update()

    def _show_kind(self) -> None:
        kind = self.kind.current
        show_if(self._of_columns, kind == CHARACTERISTICS)
        show_if(self._of_cross, kind == CROSS)
        show_if(self._of_steps, kind == ATTRITION)
        self._show_values_left()

    def _show_values(self) -> None:
        name = self.step_column.currentData()
        found = [c for c in self._table.columns if c.name == name]
        texts = found[0].texts() if found else ()
        self._texts = {text or tr("(missing)"): text for text in texts}
        self.values.set_texts(tuple(self._texts))
        self._show_values_left()

    def _show_values_left(self) -> None:
        self.add_step.setEnabled(bool(self.values.checked))
        self.remove_step.setEnabled(bool(self._steps))

    @property
    def wanted(self) -> WantedTable:
        """What is chosen, complete or not."""
        kind, key = self.kind.current, self.key.currentData() or None
        if kind == CHARACTERISTICS:
            return WantedTable(describe=self.columns.checked, key=key)
        if kind == ATTRITION:
            return WantedTable(keep=tuple(self._steps), key=key)
        return WantedTable(self.rows.currentData(), self.across.currentData(), key=key)

    def _missing(self) -> str:
        if self.key.currentData() is None:
            return tr("Choose who is counted.")
        wanted, kind = self.wanted, self.kind.current
        if kind == CROSS and wanted.rows and wanted.rows == wanted.columns:
            return tr("Choose two different columns.")
        if wanted.is_one:
            return ""
        return {
            CHARACTERISTICS: tr("Check the columns to count."),
            CROSS: tr("Choose the columns for rows and columns."),
            ATTRITION: tr("Choose a column, check the values that stay, add the step."),
        }[kind]

    def _update(self) -> None:
        """Make the table that is chosen (lane `MAKING`)."""
        self._grid = None
        missing = self._missing()
        self.add.setEnabled(False)
        if missing:
            if job := self._workspace.runner.running(Lane.MAKING):
                job.cancel()
            if not self._named_by_hand:
                self.name.clear()
            self.preview.show_table(None)
            self.problem.show_words(missing, "info")
            show_if(self.problem, True)
            return
        wanted, table = self.wanted, self._table
        if not self._named_by_hand:
            self.name.setText(_name_for(wanted))

        def work(_monitor: Monitor) -> Grid:
            return tuple(map(tuple, made_grid(table, wanted)))

        job = Job(self._on_made, self._on_failed)
        self._workspace.runner.start(Lane.MAKING, work, job)

    def _on_made(self, grid: Grid) -> None:
        self._grid = grid
        show_if(self.problem, False)
        self.preview.show_table(CountTable.of(tr("Preview"), grid))
        self.add.setEnabled(True)

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, DeidError):
            raise error
        words = words_for(error)
        self.preview.show_table(None)
        self.problem.show_words(words.what, "danger", words.fix)
        show_if(self.problem, True)

    # -- choosing ------------------------------------------------------------------

    def _on_step(self) -> None:
        kept = tuple(self._texts[each] for each in self.values.checked)
        self._steps.append((self.step_column.currentData(), kept))
        self.step_column.setCurrentIndex(0)
        self._show_steps()

    def _on_step_gone(self) -> None:
        self._steps.pop()
        self._show_steps()

    def _show_steps(self) -> None:
        self.steps.clear()
        for name, values in self._steps:
            shown = ", ".join(each or tr("(missing)") for each in values)
            self.steps.addItem(tr("{column}: {values}", column=name, values=shown))
        self._show_values_left()
        self._update()

    def _on_named(self) -> None:
        self._named_by_hand = bool(self.name.text().strip())

    def _on_add(self) -> None:
        if self._grid is None:
            return
        name = self.name.text().strip() or _name_for(self.wanted)
        self.made.emit(name, self._grid)
        self._named_by_hand = False
        self.added.setText(tr("“{name}” was added.", name=name))

    def done(self, result: int) -> None:
        """Stop what is being made, too."""
        if job := self._workspace.runner.running(Lane.MAKING):
            job.cancel()
        super().done(result)


def _name_for(wanted: WantedTable) -> str:
    if wanted.describe:
        return tr("Characteristics")
    if wanted.keep:
        return tr("Attrition")
    return tr("{rows} by {columns}", rows=wanted.rows, columns=wanted.columns)
