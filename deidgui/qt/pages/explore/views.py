"""The same candidates as a list, in a plane of risk and loss, and as a lattice."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.base import Axis, Unit
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.charts.plane import Flag, risk_utility_plane
from deidgui.app.policies.lattice.what_if import Candidates
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lattice_view import LatticeView, NodeMark
from deidgui.qt.charts.plane_view import ScatterPlane
from deidgui.qt.models.candidates import CandidateModel, Heading
from deidgui.qt.models.figures import Flags, loss_axis
from deidgui.qt.policy_table import PolicyTable
from deidgui.qt.widgets import Caption, Label, Segmented, row, show_if
from deidgui.text import tr

WIDTHS: dict[int, int] = {
    Heading.RANK: 74,
    Heading.WITHHELD: 104,
    Heading.LOSS: 80,
    Heading.AVERAGE_RISK: 130,
    Heading.HIGHEST_RISK: 128,
}

LEAST_FOR_WORDS = 250
"""Pixels that the words of a policy need at least."""


class CandidateViews(QWidget):
    """Three views over one set of candidates and one selection.

    Attributes
    ----------
    node_selected : Signal of int
        Somebody selected a candidate in the view that is shown.
    node_activated : Signal of int
        Somebody wants to choose it (Enter, double click).
    """

    node_selected = Signal(int)
    node_activated = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidates: Candidates | None = None
        self._passed: BoolArray = np.empty(0, dtype=np.bool_)
        self._nodes: IntArray = np.empty(0, dtype=np.int64)
        self._flags: Flags = {}
        self._node: int | None = None
        self._threshold: float | None = None
        self._drawn: set[str] = set()
        self.policies = CandidateModel()
        self.table = PolicyTable(
            self.policies,
            tr("Policies"),
            WIDTHS,
            LEAST_FOR_WORDS,
            (
                Heading.LOSS,
                Heading.WITHHELD,
                Heading.HIGHEST_RISK,
                Heading.AVERAGE_RISK,
            ),
        )
        self.nothing = Caption(
            tr("No policy passes the filter. Clear it to see them all again.")
        )
        self.plane = ScatterPlane(self._describe)
        self.lattice = LatticeView(self._describe)
        self.risk = Segmented(
            [
                ("average", tr("Average risk")),
                ("highest", tr("Highest risk")),
            ],
            name=tr("Which risk is shown"),
        )
        self._stack = QStackedLayout(self)
        self._pages = {
            "list": self._list_page(),
            "plane": self._plane_page(),
            "lattice": self._lattice_page(),
        }
        for page in self._pages.values():
            self._stack.addWidget(page)
        self.setMinimumSize(300, 240)
        self._connect()

    def _connect(self) -> None:
        self.table.policy_selected.connect(self._on_selected)
        self.table.policy_activated.connect(self.node_activated)
        self.plane.policy_selected.connect(self._on_selected)
        self.lattice.node_selected.connect(self._on_selected)
        self.lattice.node_chosen.connect(self.node_activated)
        self.risk.chosen.connect(self._on_risk_chosen)

    def _list_page(self) -> QWidget:
        page = QWidget()
        box = QVBoxLayout(page)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.nothing)
        box.addWidget(self.table, 1)
        return page

    def _plane_page(self) -> QWidget:
        page = QWidget()
        self._plane_frame = ChartFrame(self.plane)
        box = QVBoxLayout(page)
        box.setContentsMargins(0, 0, 0, 0)
        box.addLayout(row(Label(tr("Upwards:"), "body", "muted"), self.risk, None))
        box.addWidget(self._plane_frame, 1)
        return page

    def _lattice_page(self) -> QWidget:
        page = QWidget()
        self._lattice_frame = ChartFrame(self.lattice)
        box = QVBoxLayout(page)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._lattice_frame, 1)
        return page

    # -- what is shown -------------------------------------------------------------

    @property
    def current(self) -> str:
        """Key of the view that is shown."""
        return list(self._pages)[self._stack.currentIndex()]

    def show_view(self, key: str) -> None:
        """Show list, plane or lattice."""
        self._stack.setCurrentWidget(self._pages[key])
        self._draw()

    def show_candidates(
        self,
        candidates: Candidates,
        passed: BoolArray,
        flags: Flags,
        threshold: float | None,
    ) -> None:
        """Show other candidates, or others of them.

        Parameters
        ----------
        passed : ndarray of bool, shape (n_nodes,)
            Which of them pass the filter.
        threshold : float or None
            Highest risk that is accepted.
        """
        self._candidates, self._passed = candidates, passed
        self._nodes = np.flatnonzero(passed)
        self._flags, self._threshold = flags, threshold
        self._drawn.clear()
        self._draw()

    def select(self, node: int | None) -> None:
        """Show in every view which candidate is selected; tells nobody."""
        self._node = node
        self._mark_selected()

    def _draw(self) -> None:
        """Draw the view that is shown, if it is not up to date."""
        if self._candidates is None:
            return
        if self.current not in self._drawn:
            self._drawn.add(self.current)
            {
                "list": self._draw_list,
                "plane": self._draw_plane,
                "lattice": self._draw_lattice,
            }[self.current](self._candidates)
        self._mark_selected()

    def _draw_list(self, candidates: Candidates) -> None:
        self.policies.set_flags(self._flags)
        self.policies.set_candidates(candidates, self._nodes)
        show_if(self.nothing, not len(self._nodes))

    def _draw_plane(self, candidates: Candidates) -> None:
        found, nodes = candidates.found, self._nodes
        is_average = self.risk.current == "average"
        risk = found.average_risk if is_average else candidates.highest_risk
        axis = Axis(Phrase("average_risk" if is_average else "risk"), Unit.SHARE)
        self._plane_frame.set_chart(
            risk_utility_plane(
                nodes,
                found.loss[nodes],
                risk[nodes],
                found.feasible[nodes],
                optimum=self._first(Flag.OPTIMUM),
                chosen=self._first(Flag.CHOSEN),
                kept=self._all(Flag.KEPT),
                threshold=None if is_average else self._threshold,
                loss_axis=loss_axis(found),
                risk_axis=axis,
            )
        )

    def _draw_lattice(self, candidates: Candidates) -> None:
        # What the filter leaves out keeps its place, without a colour of its own.
        loss = np.where(self._passed, candidates.found.loss, np.nan)
        feasible = self._passed & candidates.found.feasible
        layout = candidates.layout.with_values(loss, feasible)
        shown = self.lattice.chart
        if shown is not None and shown.x is layout.x:
            self.lattice.set_values(loss, feasible)
        else:
            self.lattice.set_marks(())
            self._lattice_frame.set_chart(layout)
        # The least general ones may be many: they lie below and are not named.
        nameless = [(Flag.MINIMAL, node, plain("")) for node in self._all(Flag.MINIMAL)]
        named = [
            (flag, node, Phrase(flag.value))
            for node, flags in self._flags.items()
            for flag in flags
            if flag is not Flag.MINIMAL
        ]
        self.lattice.set_marks([NodeMark(*each) for each in (*nameless, *named)])

    def _first(self, flag: Flag) -> int | None:
        return next(iter(self._all(flag)), None)

    def _all(self, flag: Flag) -> list[int]:
        return [node for node, flags in self._flags.items() if flag in flags]

    def _mark_selected(self) -> None:
        if self._node is None or self._candidates is None:
            return
        if self.current == "list":
            self.table.show_policy(self._node)
        elif self.current == "plane":
            self.plane.select(np.array([self._node]))
        elif self.lattice.selected != self._node and self.lattice.is_drawn:
            self.lattice.select(self._node, is_told=False)

    def _describe(self, node: int) -> list[str]:
        """Say in words what a candidate does, for cards of charts."""
        if self._candidates is None:
            return []
        left_out = [] if self._passed[node] else [tr("Left out by the filter")]
        phrases = self._candidates.phrases(node)
        changed = [str(each) for each in phrases if each.effect != "kept"]
        kept = [each.attribute for each in phrases if each.effect == "kept"]
        if kept:
            changed.append(tr("in full: ") + ", ".join(kept))
        return left_out + changed

    # -- what somebody does --------------------------------------------------------

    def _on_selected(self, node: int) -> None:
        self._node = node
        self.node_selected.emit(node)

    def _on_risk_chosen(self) -> None:
        self._drawn.discard("plane")
        self._draw()
