"""The alternatives as kinds, as a list and as a chart, with one selected."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.plane import Scatter
from deidgui.app.policies.alternatives import AlternativePolicies, Ordered
from deidgui.engine.arrays import IntArray
from deidgui.engine.discover.clusters import Cluster
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.frontier_view import FrontierView
from deidgui.qt.models.alternatives import AlternativeModel, Heading, short_words
from deidgui.qt.models.figures import Flags
from deidgui.qt.pages.alternatives.clusters import ClusterList
from deidgui.qt.pages.alternatives.detail import AlternativePanel
from deidgui.qt.pages.alternatives.words import cluster_words
from deidgui.qt.policy_table import PolicyTable
from deidgui.qt.widgets import Button, Label, Segmented, row, scrolling, show_if
from deidgui.text import tr

WIDTHS: dict[int, int] = {
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


class ChoosePane(QWidget):
    """Kinds at the left, list or chart in the middle, the selected one at the right.

    Attributes
    ----------
    selected : Signal of int
        Somebody selected an alternative.
    use_wanted : Signal of int
        By Enter or double click.
    preference_wanted : Signal
        Somebody wants to say what shall be kept.
    """

    selected = Signal(int)
    use_wanted = Signal(int)
    preference_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._discovered: AlternativePolicies | None = None
        self._ordered: Ordered | None = None
        self._clusters: tuple[Cluster, ...] = ()
        self._number: int | None = None
        self.clusters = ClusterList()
        self.clusters.cluster_chosen.connect(self._on_cluster)
        self.views = Segmented(
            [
                ("list", tr("List"), "table-rows"),
                ("chart", tr("Risk and loss"), "scatter"),
            ],
            name=tr("View"),
        )
        self.views.chosen.connect(self._on_view)
        self.count = Label("", "caption", "muted")
        self.preference_button = Button(
            tr("Preferences…"), "quiet", "star", self.preference_wanted, small=True
        )
        self.preference_button.setToolTip(
            tr("Say what you want to keep; the list is put in order at once.")
        )
        self.policies = AlternativeModel()
        self.table = PolicyTable(
            self.policies,
            tr("Alternatives"),
            WIDTHS,
            LEAST_FOR_WORDS,
            (Heading.WISHES, Heading.RISK, Heading.JOINED, Heading.LOSS),
        )
        self.table.leave_out((Heading.WISHES,))
        self.table.policy_selected.connect(self._on_selected)
        self.table.policy_activated.connect(self.use_wanted)
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
        box.addLayout(
            row(self.views, self.count, None, self.preference_button, spacing=12)
        )
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
        self,
        discovered: AlternativePolicies,
        ordered: Ordered,
        *,
        has_preferences: bool,
    ) -> None:
        """Show alternatives, those that were found so far or all of them.

        Parameters
        ----------
        ordered : Ordered
            Of them.
        """
        is_new = discovered is not self._discovered
        self._discovered, self._ordered = discovered, ordered
        if is_new:
            self._clusters = discovered.clusters
            self._fill_clusters(discovered)
        self.table.leave_out(() if has_preferences else (Heading.WISHES,))
        self._fill_list()

    def show_chart(self, chart: Scatter | None) -> None:
        """Show another chart of risk and loss."""
        self.frame.set_chart(chart)
        self._mark()

    def set_flags(self, flags: Flags) -> None:
        """Mark alternatives as chosen or kept."""
        self.policies.set_flags(flags)

    def select(self, number: int | None) -> None:
        """Show which alternative is selected; tells nobody."""
        self._number = number
        show_if(self.panel, number is not None)
        self._mark()

    def _fill_clusters(self, discovered: AlternativePolicies) -> None:
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
        self.policies.set_discovered(self._discovered, self._ordered, numbers)
        words = tr("{n:,} of {all:,} policies")
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
        self.table.show_policy(self._number)
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
            self.table.show_policy(self._number)
