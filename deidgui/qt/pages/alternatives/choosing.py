"""The alternatives as kinds, as a list and as a chart, with one selected."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.plane import Scatter
from deidgui.app.tasks.discover import Discovered, Ordered
from deidgui.engine.arrays import IntArray
from deidgui.engine.discover.clusters import Cluster
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.frontier_view import FrontierView
from deidgui.qt.models.alternatives import AlternativeModel, Heading, short_words
from deidgui.qt.models.figures import Flags
from deidgui.qt.pages.alternatives.clusters import ClusterList
from deidgui.qt.pages.alternatives.detail import AlternativePanel
from deidgui.qt.pages.alternatives.words import cluster_words
from deidgui.qt.pages.explore.scrolling import scrolling
from deidgui.qt.widgets import Button, Label, Segmented, row, show_if

WIDTHS = {
    Heading.PLACE: 58,
    Heading.WISHES: 86,
    Heading.RISK: 86,
    Heading.JOINED: 82,
    Heading.LOSS: 92,
}

LEAST_FOR_WORDS = 200
"""Pixels that the words of a policy need at least."""

LONGEST_EXAMPLE = 90
"""Characters of an example that a tile shows."""


class AlternativeTable(QTableView):
    """The list; rows are selected whole, Enter and double click use a policy.

    Attributes
    ----------
    selected, activated_number : Signal of int
    """

    selected = Signal(int)
    activated_number = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.alternatives = AlternativeModel()
        self.alternatives.setParent(self)
        self.setModel(self.alternatives)
        self.setAccessibleName(self.tr("Alternatives"))
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
        lines.setDefaultSectionSize(2 * self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(Heading.POLICY, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(48)
        for heading, width in WIDTHS.items():
            self.setColumnWidth(heading, width)
        self._has_wishes = False
        self.setSortingEnabled(True)
        self.sortByColumn(Heading.PLACE, Qt.SortOrder.AscendingOrder)
        self.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.doubleClicked.connect(self._on_activated)

    def show_wishes_column(self, is_shown: bool) -> None:
        """Show how far wishes are met, where there are wishes."""
        self._has_wishes = is_shown
        self._fit_columns()

    def _on_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(self.alternatives.number_at(current.row()))

    def _on_activated(self, index: QModelIndex) -> None:
        self.activated_number.emit(self.alternatives.number_at(index.row()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave columns out where it is narrow; the panel says their figures too."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        room = self.viewport().width() - LEAST_FOR_WORDS - WIDTHS[Heading.PLACE]
        for heading in (Heading.WISHES, Heading.RISK, Heading.JOINED, Heading.LOSS):
            is_wanted = heading is not Heading.WISHES or self._has_wishes
            room -= WIDTHS[heading] if is_wanted else 0
            self.setColumnHidden(heading, room < 0 or not is_wanted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and index.isValid():
            self._on_activated(index)
        else:
            super().keyPressEvent(event)

    def show_number(self, number: int | None) -> None:
        """Select the row of an alternative without telling; none if not shown."""
        at = None if number is None else self.alternatives.row_of(number)
        with QSignalBlocker(self.selectionModel()):
            if at is None:
                self.clearSelection()
            else:
                self.selectRow(at)
        if at is not None:
            self.scrollTo(self.alternatives.index(at, 0))
        self.viewport().update()


class ChoosePane(QWidget):
    """Kinds at the left, list or chart in the middle, the selected one at the right.

    Attributes
    ----------
    selected : Signal of int
        Somebody selected an alternative.
    use_wanted : Signal of int
        By Enter or double click.
    wish_wanted : Signal
        Somebody wants to say what shall be kept.
    """

    selected = Signal(int)
    use_wanted = Signal(int)
    wish_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._discovered: Discovered | None = None
        self._ordered: Ordered | None = None
        self._clusters: tuple[Cluster, ...] = ()
        self._number: int | None = None
        self.clusters = ClusterList()
        self.clusters.cluster_chosen.connect(self._on_cluster)
        self.views = Segmented(
            [
                ("list", self.tr("List"), "table-rows"),
                ("chart", self.tr("Risk and loss"), "scatter"),
            ],
            name=self.tr("View"),
        )
        self.views.chosen.connect(self._on_view)
        self.count = Label("", "caption", "muted")
        self.wish_button = Button(
            self.tr("Wishes…"), "quiet", "star", self.wish_wanted, small=True
        )
        self.wish_button.setToolTip(
            self.tr("Say what you want to keep; the list is put in order at once.")
        )
        self.table = AlternativeTable()
        self.table.selected.connect(self._on_selected)
        self.table.activated_number.connect(self.use_wanted)
        self.plane = FrontierView(self._describe)
        self.plane.policy_selected.connect(self._on_selected)
        self.frame = ChartFrame(self.plane)
        self.panel = AlternativePanel()
        self._build()

    def _build(self) -> None:
        middle = QWidget()
        box = QVBoxLayout(middle)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addLayout(row(self.views, self.count, None, self.wish_button, spacing=12))
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.frame)
        box.addLayout(self._stack, 1)
        middle.setMinimumSize(300, 220)
        left = scrolling(self.clusters)
        left.setMinimumWidth(190)
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(8)
        for part in (left, middle, scrolling(self.panel)):
            self.split.addWidget(part)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([220, 470, 310])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.split)

    # -- what is shown -------------------------------------------------------------

    @property
    def number(self) -> int | None:
        """The alternative that is selected."""
        return self._number

    def show_discovered(
        self, discovered: Discovered, ordered: Ordered, *, has_wishes: bool
    ) -> None:
        """Show alternatives, those that were found so far or all of them.

        Parameters
        ----------
        discovered : Discovered
        ordered : Ordered
            Of them.
        has_wishes : bool
        """
        is_new = discovered is not self._discovered
        self._discovered, self._ordered = discovered, ordered
        if is_new:
            self._clusters = discovered.clusters
            self._fill_clusters(discovered)
        self.table.show_wishes_column(has_wishes)
        self._fill_list()

    def show_chart(self, chart: Scatter | None) -> None:
        """Show another chart of risk and loss."""
        self.frame.set_chart(chart)
        self._mark()

    def set_flags(self, flags: Flags) -> None:
        """Mark alternatives as chosen or kept."""
        self.table.alternatives.set_flags(flags)

    def select(self, number: int | None) -> None:
        """Show which alternative is selected; tells nobody."""
        self._number = number
        show_if(self.panel, number is not None)
        self._mark()

    def _fill_clusters(self, discovered: Discovered) -> None:
        tiles = []
        for cluster in self._clusters:
            example = short_words(discovered, cluster.example)
            if len(example) > LONGEST_EXAMPLE:
                example = f"{example[:LONGEST_EXAMPLE].rstrip()} …"
            tiles.append((len(cluster.members), cluster_words(cluster), example))
        self.clusters.show_clusters(len(discovered), tiles)

    def _fill_list(self) -> None:
        if self._discovered is None or self._ordered is None:
            return
        numbers = self._members()
        self.table.alternatives.set_discovered(self._discovered, self._ordered, numbers)
        words = self.tr("{n:,} of {all:,} policies")
        n, every = len(numbers), len(self._discovered)
        self.count.setText(words.format(n=n, all=every) if n != every else "")
        self._mark()

    def _members(self) -> IntArray:
        assert self._discovered is not None
        kind = self.clusters.current
        if kind < 0 or kind >= len(self._clusters):
            return np.arange(len(self._discovered), dtype=np.int64)
        return np.array(self._clusters[kind].members, np.int64)

    def _mark(self) -> None:
        self.table.show_number(self._number)
        if self.views.current == "chart" and self._number is not None:
            self.plane.select(np.array([self._number]))

    def _describe(self, number: int) -> list[str]:
        if self._discovered is None:
            return []
        return self._discovered.words(number).split("; ")

    # -- what somebody does --------------------------------------------------------

    def _on_cluster(self, kind: int) -> None:
        self._fill_list()
        if self._ordered is None:
            return
        example = self._clusters[kind].example if kind >= 0 else None
        if example is None and len(self._ordered.numbers):
            example = int(self._ordered.numbers[0])
        if example is not None:
            self._on_selected(example)
            self._mark()

    def _on_view(self, key: str) -> None:
        self._stack.setCurrentIndex(0 if key == "list" else 1)
        self._mark()

    def _on_selected(self, number: int) -> None:
        self._number = number
        self._mark_other_view()
        show_if(self.panel, True)
        self.selected.emit(number)

    def _mark_other_view(self) -> None:
        if self.views.current == "chart":
            self.table.show_number(self._number)
