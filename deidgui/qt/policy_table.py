"""The list of policies as a person works with it, whatever found them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from deidgui.qt.models.policy_list import PLACE, POLICY, PolicyListModel


class PolicyTable(QTableView):
    """Rows are selected whole; Enter and double click activate.

    Parameters
    ----------
    policies : PolicyListModel
        Taken over.
    name : str
        For screen readers.
    widths : mapping of int to int
        Pixels by column; the words of the policy take the rest.
    least_for_words : int
        Pixels that they need at least.
    by_need : sequence of int
        Columns that are left out where it is narrow, the last one first; the panel
        beside the list says their figures too.
    """

    policy_selected = Signal(int)
    policy_activated = Signal(int)

    def __init__(
        self,
        policies: PolicyListModel,
        name: str,
        widths: Mapping[int, int],
        least_for_words: int,
        by_need: Sequence[int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._policies = policies
        self._widths, self._by_need = widths, by_need
        self._least_for_words = least_for_words
        self._unwanted: frozenset[int] = frozenset()
        policies.setParent(self)
        self.setModel(policies)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        lines = self.verticalHeader()
        lines.hide()
        # PERF: heights that follow the contents are asked of every row.
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        # Two lines, so that the words of a policy can be read in a narrow window.
        lines.setDefaultSectionSize(2 * self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(POLICY, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        for heading, width in widths.items():
            self.setColumnWidth(heading, width)
        self.setSortingEnabled(True)
        self.sortByColumn(PLACE, Qt.SortOrder.AscendingOrder)
        self.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.doubleClicked.connect(self._on_activated)

    def leave_out(self, headings: Sequence[int]) -> None:
        """Leave columns out that say nothing now."""
        self._unwanted = frozenset(headings)
        self._fit_columns()

    def show_policy(self, number: int | None) -> None:
        """Select the row of a policy without telling; none if it is not shown."""
        row = None if number is None else self._policies.row_of(number)
        with QSignalBlocker(self.selectionModel()):
            if row is None:
                self.clearSelection()
            else:
                self.selectRow(row)
        if row is not None:
            self.scrollTo(self._policies.index(row, 0))
        self.viewport().update()

    def _on_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.policy_selected.emit(self._policies.number_at(current.row()))

    def _on_activated(self, index: QModelIndex) -> None:
        self.policy_activated.emit(self._policies.number_at(index.row()))

    def _fit_columns(self) -> None:
        room = self.viewport().width() - self._least_for_words - self._widths[PLACE]
        for heading in self._by_need:
            is_wanted = heading not in self._unwanted
            room -= self._widths[heading] if is_wanted else 0
            self.setColumnHidden(heading, room < 0 or not is_wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave columns out where it is narrow."""
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and index.isValid():
            self._on_activated(index)
        else:
            super().keyPressEvent(event)
