"""How identifying the quasi-identifiers are in combination, computed on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.jobs import Job, Lane
from deidgui.app.project import Attribute, Project
from deidgui.engine.data.table import Column
from deidgui.engine.detect.subsets import SubsetTable, subsets_of_columns
from deidgui.errors import Cancelled
from deidgui.qt.models.subsets import SubsetColumn, SubsetModel
from deidgui.qt.widgets import (
    Callout,
    Caption,
    EmptyState,
    Label,
    ProgressCard,
    RowTable,
    column,
    show_if,
)
from deidgui.text import share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

PAIRS_FROM, MOST_COLUMNS = 30, 100
"""From so many columns only pairs are measured; at most so many columns, the most
telling ones."""

Key = tuple[object, ...]


class TogetherView(QWidget):
    """Table of sets of quasi-identifiers with their separation and distinction."""

    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._subsets: SubsetTable | None = None
        self._key: Key | None = None
        self.model = SubsetModel(self)
        self._lead = Label(
            tr(
                "Columns that identify little alone can identify a person in "
                "combination. Separation is the share of all pairs of rows "
                "that a set of columns distinguishes. Distinction is the number "
                "of its distinct combinations divided by the number of rows."
            ),
            tone="muted",
            wrap=True,
        )
        self.empty = EmptyState(
            "link", tr("Not measured yet"), "", tr("Measure them together")
        )
        self.empty.acted.connect(self.start)
        self.progress = ProgressCard(tr("Measuring sets of columns"), False)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        self.stale = Callout()
        self.stale.acted.connect(self.start)
        self._sentence = Label("", "strong", wrap=True)
        self._note = Caption()
        self.table = self._make_table()
        box = column(
            self._lead,
            self.stale,
            self.progress,
            self._sentence,
            self._note,
            self.table,
            self.empty,
            spacing=12,
        )
        box.setStretch(5, 1)
        box.setStretch(6, 1)
        box.addStretch()  # takes the room while neither is shown
        self.setLayout(box)

    def follow(self, workspace: Workspace) -> None:
        """Measure what a workspace holds; before anything is shown."""
        self._workspace, self._session = workspace, workspace.session
        self.show_project(self._session.project)

    def _make_table(self) -> RowTable:
        table = RowTable()
        table.setModel(self.model)
        table.setAccessibleName(tr("Sets of columns"))
        table.set_lines(1, 16)
        header = table.horizontalHeader()
        header.setSectionResizeMode(SubsetColumn.NAMES, QHeaderView.ResizeMode.Stretch)
        for heading in (
            SubsetColumn.SIZE,
            SubsetColumn.SEPARATION,
            SubsetColumn.DISTINCTION,
        ):
            table.setColumnWidth(heading, 112)
        table.setSortingEnabled(True)
        table.sortByColumn(SubsetColumn.SEPARATION, Qt.SortOrder.DescendingOrder)
        return table

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project) -> None:
        """Follow the quasi-identifiers: what was measured for others is marked."""
        quasi = self._measured(project)
        is_running = self._workspace.runner.running(Lane.TOGETHER) is not None
        focus = self.window().focusWidget()
        key = self._key_of(quasi)
        has_some = self._subsets is not None
        if has_some and self._session.loaded is None:
            self._subsets, has_some = None, False
        show_if(self.progress, is_running)
        show_if(self.table, has_some)
        show_if(self._sentence, has_some)
        show_if(self._note, has_some and bool(self._note.text()))
        show_if(self.empty, not has_some and not is_running)
        is_stale = has_some and key != self._key and not is_running
        show_if(self.stale, is_stale)
        self.stale.show_words(
            tr(
                "The quasi-identifiers have changed, or the table was read again, "
                "since this was measured."
            ),
            "warning",
            "",
            tr("Measure again") if quasi else "",
        )
        self._show_empty(len(quasi))
        self._go_on_with(focus)

    def _go_on_with(self, gone: QWidget | None) -> None:
        """Take the keyboard from what began the work to its progress and result."""
        if gone is None or not self.isAncestorOf(gone) or not self.isVisible():
            return
        if not gone.isVisible():
            places = (self.progress, self.table, self.empty)
            place = next(each for each in places if each.isVisible())
            place.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_empty(self, n_quasi: int) -> None:
        if n_quasi:
            self.empty.show_words(
                tr("Not measured yet"),
                tr(
                    "{number:quasi-identifier|quasi-identifiers}, in all their sets.",
                    number=n_quasi,
                ),
                tr("Measure them together"),
            )
        else:
            self.empty.show_words(
                tr("No quasi-identifiers"),
                tr("Give at least one column the role quasi-identifier."),
            )

    def _measured(self, project: Project) -> tuple[Attribute, ...]:
        """Quasi-identifiers that are in the table, the most telling if too many."""
        loaded = self._session.loaded
        if loaded is None:
            return ()
        names = set(loaded.table.column_names)
        quasi = [each for each in project.quasi_identifiers if each.name in names]
        if len(quasi) <= MOST_COLUMNS or loaded.inspection is None:
            return tuple(quasi[:MOST_COLUMNS])
        found = loaded.inspection.findings
        ranked = sorted(quasi, key=lambda each: -found[each.name].separation)
        return tuple(ranked[:MOST_COLUMNS])

    def _key_of(self, quasi: tuple[Attribute, ...]) -> Key:
        table = self._session.loaded.table if self._session.loaded else None
        return (id(table), *((each.name, each.missing) for each in quasi))

    # -- measuring -----------------------------------------------------------------

    def start(self) -> None:
        """Measure the sets of the present quasi-identifiers."""
        project, loaded = self._session.project, self._session.loaded
        quasi = self._measured(project)
        if loaded is None or not quasi:
            return
        columns: list[Column] = [
            loaded.table.column(each.name).with_missing(each.missing) for each in quasi
        ]
        max_size = 2 if len(quasi) >= PAIRS_FROM else None
        key, n_all = self._key_of(quasi), len(project.quasi_identifiers)

        def done(subsets: SubsetTable) -> None:
            self._key = key
            self._take(subsets, n_all)

        job = Job(
            on_done=done,
            on_failed=self._on_failed,
            on_cancelled=self._on_ended,
            on_progress=self._on_progress,
        )
        self.progress.set_progress(0.0)
        self._workspace.runner.start(
            Lane.TOGETHER,
            lambda monitor: subsets_of_columns(columns, max_size, monitor=monitor),
            job,
        )
        self._on_ended()

    def _take(self, subsets: SubsetTable, n_all: int) -> None:
        self._subsets = subsets
        self.model.set_subsets(subsets)
        place = int(subsets.sizes.argmax())
        self._sentence.setText(
            tr(
                "All {number:column|columns} together distinguish {separation} of "
                "all pairs of rows. The number of their distinct combinations "
                "is {distinction} of the number of rows.",
                number=count_text(int(subsets.sizes[place])),
                separation=share_text(float(subsets.separation[place])),
                distinction=share_text(float(subsets.distinction[place])),
            )
            if int(subsets.sizes[place]) == len(subsets.attributes)
            else tr(
                "{number:pair of columns was|pairs of columns were} measured.",
                number=count_text(int((subsets.sizes == 2).sum())),
            )
        )
        self._note.setText(self._note_words(subsets, n_all))
        self._on_ended()
        self.table.scrollToTop()

    def _note_words(self, subsets: SubsetTable, n_all: int) -> str:
        n_columns = len(subsets.attributes)
        if n_columns < n_all:
            return tr(
                "The {number} most identifying of "
                "{n_all:quasi-identifier|quasi-identifiers}, alone and in pairs.",
                n_all=n_all,
                number=n_columns,
            )
        if n_columns >= PAIRS_FROM:
            return tr("Too many columns: only single columns and pairs are measured.")
        if not subsets.complete:
            return tr(
                "Sets of one to three columns, of all but one, and of all. All "
                "sets would take too long."
            )
        return ""

    def _on_progress(self, fraction: float, _note: str) -> None:
        self.progress.set_progress(fraction)

    def _on_failed(self, error: BaseException) -> None:
        self._on_ended()
        if not isinstance(error, Cancelled):
            self.failed.emit(error)

    def _on_ended(self) -> None:
        self.show_project(self._session.project)

    def _on_cancel_clicked(self) -> None:
        if job := self._workspace.runner.running(Lane.TOGETHER):
            job.cancel()
