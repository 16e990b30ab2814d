"""The rows of the file, in their order or drawn at random, problems marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.jobs import Job, Lane
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import mark_table, value_type_of
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.value_types import fitting
from deidgui.errors import DeidError
from deidgui.qt.column_words import state_words, type_words
from deidgui.qt.models.summaries import Summaries
from deidgui.qt.widgets import (
    Button,
    Caption,
    CellMark,
    Columns,
    DataGrid,
    Segmented,
    Toolbar,
    column,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

N_RANDOM = 500


class PreviewView(QWidget):
    """The table as it was read; missing values and failing cells stand out."""

    def __init__(
        self,
        workspace: Workspace,
        summaries: Summaries,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._summaries = workspace, summaries
        self._raw: Table | None = None
        self._marked: Table | None = None
        self._order: IntArray | None = None
        self._attributes: dict[str, Attribute] = {}
        self._wanted_cell: tuple[int, str] | None = None
        rows = [("first", tr("In file order")), ("random", tr("Random rows"))]
        self.rows = Segmented(rows, name=tr("Which rows"))
        self.rows.chosen.connect(self._on_rows_chosen)
        self.others = Button(
            tr("Draw others"), "link", clicked=self._on_others, small=True
        )
        self._words = Caption()
        self.tools = Toolbar()
        self.tools.add_left(self.rows)
        self.tools.add_left(self.others)
        self.grid = DataGrid()
        head = Columns([(self.tools, 0), (self._words, 1)])
        self.setLayout(column(head, (self.grid, 1), spacing=8))
        show_if(self.others, False)
        summaries.found.connect(self._on_figures_found)

    # -- showing -------------------------------------------------------------------

    def show_table(
        self, table: Table | None, attributes: tuple[Attribute, ...]
    ) -> None:
        """Show a table; missing values are marked in a worker first."""
        if table is not self._raw:
            self._raw, self._marked, self._order = table, None, None
            self.rows.set_current("first")
            show_if(self.others, False)
        before = self._attributes
        self._attributes = {each.name: each for each in attributes}
        if table is None:
            return
        if self._marked is not None and not self._differs(before):
            self._show_hints()
            return
        known = self._marked

        def done(marked: Table) -> None:
            if self._raw is table:
                self._take(marked)

        job = Job(on_done=done, on_failed=self._on_failed)
        self._workspace.runner.start(
            Lane.MARKING,
            lambda monitor: mark_table(table, attributes, known, monitor=monitor),
            job,
        )

    def _differs(self, before: dict[str, Attribute]) -> bool:
        """Whether types or missing values are others than before."""
        return any(
            name not in before or _reading(before[name]) != _reading(each)
            for name, each in self._attributes.items()
        )

    def _take(self, marked: Table) -> None:
        is_first = self._marked is None
        place = self.grid.currentIndex()
        at = place.row(), place.column()
        scrolled = self.grid.verticalScrollBar().value()
        self._marked = marked
        if is_first or self.grid.table_model is None:
            self.grid.set_table(marked, self._order)
        else:
            self.grid.table_model.set_table(marked, self._order)
            self.grid.verticalScrollBar().setValue(scrolled)
            if at[0] >= 0:
                self.grid.setCurrentIndex(self.grid.table_model.index(*at))
        assert self.grid.table_model is not None
        self.grid.table_model.set_marks(self._marks)
        self._show_hints()
        self._show_words()
        if self._wanted_cell is not None:
            self.show_cell(*self._wanted_cell)

    def _show_hints(self) -> None:
        model = self.grid.table_model
        if model is None:
            return
        for place, each in enumerate(model.table.columns):
            attribute = self._attributes.get(each.name)
            if attribute is not None:
                state = state_words(attribute)
                parts = [each.name, type_words(attribute), state]
                model.set_hint(place, "\n".join(filter(None, parts)))

    def _show_words(self) -> None:
        if self._marked is None:
            return
        n_rows = self._marked.n_rows
        number = count_text(n_rows)
        if self._order is None:
            text = tr(
                "All {number:row|rows}, each with its line in the file. "
                "Missing values are grey; cells that do not fit the column's type "
                "are red.",
                number=number,
            )
        else:
            text = tr(
                "{shown} of {number:row|rows}, drawn at random.",
                shown=count_text(len(self._order)),
                number=number,
            )
        self._words.setText(text)

    def show_cell(self, row: int, name: str) -> None:
        """Go to a cell of the file, in file order."""
        self._wanted_cell = (row, name)
        if self._marked is None or name not in self._marked.column_names:
            return
        self._wanted_cell = None
        self.rows.set_current("first")
        self._show_order(None)
        self.grid.show_cell(row, self._marked.column_names.index(name))
        self.grid.setFocus()

    # -- marks ---------------------------------------------------------------------

    def _marks(self, rows: IntArray, place: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Which cells are not of their column's type, for the rows on screen."""
        marks = np.zeros(len(rows), dtype=np.uint8)
        if self._marked is None:  # another file is being read; the grid has the old one
            return marks
        whole = self._marked.columns[place]
        attribute = self._attributes.get(whole.name)
        summary = self._summaries.get(attribute) if attribute else None
        if attribute is None or summary is None or not summary.n_failing:
            return marks
        codes = whole.codes[rows]
        values, back = np.unique(codes, return_inverse=True)
        part = Column(
            whole.name,
            back.astype(np.int32),
            whole.values.gather(values),
            np.flatnonzero(whole.is_missing[values]).astype(np.int32),
        )
        try:
            fits = fitting(part, value_type_of(attribute))
        except DeidError:
            return marks
        marks[~fits[part.codes]] = CellMark.PROBLEM
        return marks

    def _on_figures_found(self, names: tuple[str, ...]) -> None:
        model = self.grid.table_model
        shown = (self._attributes.get(name) for name in names)
        figures = (self._summaries.get(each) for each in shown if each)
        if model is not None and any(each and each.n_failing for each in figures):
            model.set_marks(self._marks)

    # -- rows ----------------------------------------------------------------------

    def _on_rows_chosen(self, key: str) -> None:
        self._show_order(self._drawn() if key == "random" else None)

    def _on_others(self) -> None:
        self._show_order(self._drawn())

    def _drawn(self) -> IntArray | None:
        if self._marked is None:
            return None
        n_rows = self._marked.n_rows
        size = min(n_rows, N_RANDOM)
        drawn = np.random.default_rng().choice(n_rows, size, replace=False)
        return np.sort(drawn).astype(np.int64)

    def _show_order(self, order: IntArray | None) -> None:
        self._order = order
        show_if(self.others, order is not None)
        if self.grid.table_model is not None:
            self.grid.table_model.set_order(order)
            self.grid.scrollToTop()
        self._show_words()

    def _on_failed(self, error: BaseException) -> None:
        self._workspace.problem(error, Lane.MARKING)


def _reading(attribute: Attribute) -> tuple[object, ...]:
    """What decides which cells are missing or fail."""
    return attribute.missing, attribute.kind, attribute.format
