"""The list of columns with their types, and the panel of one of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QWidget,
)

from deidgui.app.jobs import Job, Lane
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import ColumnCheck
from deidgui.app.reading.linking import check_linked_column
from deidgui.errors import DeidError
from deidgui.qt.column_words import KINDS, words
from deidgui.qt.models.attributes import ColumnFilter, ColumnModel, DataColumn
from deidgui.qt.models.summaries import Summaries
from deidgui.qt.pages.data.detail import ColumnPanel
from deidgui.qt.row_model import NAME_ROLE
from deidgui.qt.widgets import (
    ButtonMenu,
    Caption,
    ComboBox,
    Label,
    RowTable,
    SearchField,
    Splitter,
    Toolbar,
    column,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

NARROW = 600
PANEL = 336
WIDTHS = {
    DataColumn.NAME: 176,
    DataColumn.TYPE: 158,
    DataColumn.FAILING: 128,
    DataColumn.MISSING: 84,
    DataColumn.VALUES: 84,
}
FIGURES = DataColumn.MISSING, DataColumn.VALUES
"""They stand beside the list as well, of the column chosen."""


class ColumnTable(RowTable):
    """The list; Space leaves the chosen columns out or takes them in."""

    include_wanted = Signal()

    def __init__(self, proxy: ColumnFilter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(proxy)
        self.setAccessibleName(tr("Columns of the data"))
        self.set_lines(2, 6)
        self.setSortingEnabled(True)
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setMinimumSectionSize(64)
        self.set_widths(WIDTHS, (DataColumn.NAME, DataColumn.TYPE), FIGURES)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            self.include_wanted.emit()
        else:
            super().keyPressEvent(event)


class ColumnsView(QWidget):
    """Columns with their types; decisions are signals with the columns' names.

    Attributes
    ----------
    type_wanted : Signal of (str, str, str)
        Column, kind, and format or "".
    tokens_wanted : Signal of dict of str to tuple of str
        Texts of missing values of columns.
    """

    type_wanted = Signal(str, str, str)
    format_answered = Signal(str, str)
    tokens_wanted = Signal(object)
    include_wanted = Signal(object, bool)
    cell_wanted = Signal(int, str)
    failed = Signal(object)

    def __init__(
        self,
        workspace: Workspace,
        summaries: Summaries,
        panel: ColumnPanel,
    ) -> None:
        super().__init__()
        self._workspace, self._summaries = workspace, summaries
        self._check: ColumnCheck | None = None
        self._check_key: tuple[object, ...] = ()
        self.model = ColumnModel(summaries, self)
        self.proxy = ColumnFilter(self.model, self)
        self.table = ColumnTable(self.proxy)
        self.panel = panel
        self.include = QAction(self)
        self.set_type = QAction(tr("Set the type"), self)
        ButtonMenu(self.table, [self.include, self.set_type])
        self.search = SearchField(tr("Find a column"))
        self.search.setMaximumWidth(260)
        self.filter = ComboBox(
            [
                ("all", tr("All columns")),
                ("look", tr("To look at")),
                *((kind, words(kind)) for kind in KINDS),
                ("left_out", tr("Left out")),
            ],
            tr("Columns shown"),
        )
        self._count = Label("", "caption", "muted")
        self._no_match = Caption(tr("No column matches."))
        tools = Toolbar()
        tools.add_left(self.search, 1)
        tools.add_left(self.filter)
        tools.add_left(self._count)
        self.splitter = Splitter(NARROW)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.share([2 * PANEL, PANEL], [200, 260])
        box = column(tools, self._no_match, self.splitter, spacing=10)
        box.setStretch(2, 1)
        self.setLayout(box)
        self._connect()

    def _connect(self) -> None:
        self.search.searched.connect(self._on_filter_changed)
        self.filter.activated.connect(self._on_filter_changed)
        self.table.include_wanted.connect(self._on_include_toggled)
        self.include.triggered.connect(self._on_include_toggled)
        self.set_type.triggered.connect(self._on_set_type)
        chosen = self.table.selectionModel()
        chosen.currentChanged.connect(self._on_current_changed)
        chosen.selectionChanged.connect(self._show_scope)
        self.model.include_wanted.connect(self._on_check_clicked)
        self._summaries.found.connect(self._on_figures_found)
        self.panel.type_wanted.connect(self._on_type_wanted)
        self.panel.format_answered.connect(self._on_format_answered)
        self.panel.tokens_wanted.connect(self._on_tokens_wanted)
        self.panel.include_wanted.connect(self._on_panel_include)
        self.panel.cell_wanted.connect(self._on_cell_wanted)

    # -- showing -------------------------------------------------------------------

    def show_attributes(self, attributes: tuple[Attribute, ...]) -> None:
        """Show the columns as they are decided now."""
        current = self.current_name
        self.model.set_attributes(attributes)
        self._filter(self._reached)
        if self.model.row_of(current) < 0 and attributes:
            current = attributes[0].name
        if current != self.current_name:
            self.choose(current)
        self._show_panel()

    @property
    def current_name(self) -> str:
        """The column the cursor is on; empty if there is none."""
        index = self.table.currentIndex()
        return str(index.data(NAME_ROLE)) if index.isValid() else ""

    @property
    def chosen_names(self) -> tuple[str, ...]:
        """All columns whose row is chosen."""
        rows = self.table.selectionModel().selectedRows(DataColumn.NAME)
        return tuple(str(index.data(NAME_ROLE)) for index in rows)

    @property
    def _reached(self) -> tuple[str, ...]:
        """Columns that a decision of the panel is about, the current one first."""
        current = self.current_name
        others = (name for name in self.chosen_names if name != current)
        return (current, *others) if current else ()

    def choose(self, name: str) -> None:
        """Go to a column, if it is shown."""
        index = self.proxy.mapFromSource(self.model.index(self.model.row_of(name), 0))
        if index.isValid():
            flag = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(
                index, flag.ClearAndSelect | flag.Rows
            )
            self.table.scrollTo(index)

    def show_only(self, kind: str) -> None:
        """Filter the list: ``look`` shows what a person must look at."""
        self.filter.set_current(kind)
        self._on_filter_changed()

    def _filter(self, kept: Iterable[str] = ()) -> None:
        """Show what is wanted; what is being decided about does not go meanwhile."""
        self.proxy.show_only(self.search.text(), self.filter.current, kept)
        self.table.choose_current()
        n_shown, n_all = self.proxy.rowCount(), self.model.rowCount()
        text = tr("{number:column|columns}", number=f"{n_all:,}")
        if n_shown != n_all:
            text = tr("{shown} of {number}", shown=f"{n_shown:,}", number=f"{n_all:,}")
        self._count.setText(text)
        show_if(self._no_match, n_all > 0 and not n_shown)

    def _show_panel(self) -> None:
        row = self.model.row_of(self.current_name)
        loaded = self._workspace.session.loaded
        if row < 0 or loaded is None:
            self.panel.show_column(None)
            return
        attribute = self.model.row_at(row)
        self._start_check(attribute)
        inspection = loaded.inspection
        self.panel.show_column(
            attribute,
            inspection.types.get(attribute.name) if inspection else None,
            self._summaries.get(attribute),
            self._check,
            bool(attribute.open_formats),
        )
        self._show_scope()

    def _show_scope(self, *_changes: object) -> None:
        reached = self._reached
        self.panel.show_scope(len(reached))
        self.set_type.setEnabled(len(reached) == 1)
        self.include.setEnabled(bool(reached))
        self.include.setText(
            tr("Leave out of the release")
            if self._are_released(reached)
            else tr("Take into the release")
        )

    def _are_released(self, names: Iterable[str]) -> bool:
        rows = map(self.model.row_of, names)
        return all(self.model.row_at(row).include for row in rows)

    def _start_check(self, attribute: Attribute) -> None:
        """List failing cells and candidates in a worker, once for each state."""
        loaded = self._workspace.session.loaded
        if loaded is None or attribute.name not in loaded.table.column_names:
            self._check, self._check_key = None, ()
            return
        table = loaded.table
        key = (
            id(table),
            attribute.name,
            attribute.kind,
            attribute.format,
            attribute.missing,
        )
        if key == self._check_key:
            return
        is_same_column = self._check_key[:2] == key[:2]
        self._check_key = key
        if not is_same_column:
            self._check = None

        def done(check: ColumnCheck) -> None:
            if self._check_key == key:
                self._check = check
                self._show_panel()

        job = Job(on_done=done, on_failed=self._on_failed)
        self._workspace.runner.start(
            Lane.COLUMN,
            lambda monitor: check_linked_column(loaded, attribute, monitor=monitor),
            job,
        )

    # -- following -----------------------------------------------------------------

    def _on_filter_changed(self, _value: object = None) -> None:
        self._filter()

    def _on_current_changed(self, _now: object, _before: object) -> None:
        self._show_panel()

    def _on_figures_found(self, names: tuple[str, ...]) -> None:
        if self.filter.current == "look":
            self._filter(self._reached)
        if self.current_name in names:
            self._show_panel()

    def _on_failed(self, error: BaseException) -> None:
        if not isinstance(error, DeidError):
            self.failed.emit(error)

    # -- deciding ------------------------------------------------------------------

    def _on_type_wanted(self, kind: str, value_format: str) -> None:
        self.type_wanted.emit(self.current_name, kind, value_format)

    def _on_format_answered(self, value_format: str) -> None:
        self.format_answered.emit(self.current_name, value_format)

    def _on_tokens_wanted(self, tokens: tuple[str, ...]) -> None:
        """Take the same texts in, or back, for all columns that are chosen."""
        attributes = [self.model.row_at(self.model.row_of(n)) for n in self._reached]
        before = attributes[0].missing
        added = [each for each in tokens if each not in before]
        wanted = {}
        for each in attributes:
            kept = [t for t in each.missing if t in tokens or t not in before]
            wanted[each.name] = (*kept, *(t for t in added if t not in kept))
        self.tokens_wanted.emit(wanted)

    def _on_panel_include(self, is_on: bool) -> None:
        self.include_wanted.emit(self._reached, is_on)

    def _on_check_clicked(self, name: str, is_on: bool) -> None:
        self.include_wanted.emit((name,), is_on)

    def _on_include_toggled(self) -> None:
        names = self.chosen_names
        if names:
            self.include_wanted.emit(names, not self._are_released(names))

    def _on_set_type(self) -> None:
        self.panel.kind.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_cell_wanted(self, row: int) -> None:
        self.cell_wanted.emit(row, self.current_name)
