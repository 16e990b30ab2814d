"""The same policies as a matrix, in a plane of risk and loss, as lattice, in groups."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QStackedLayout, QVBoxLayout, QWidget

from deidgui.app.charts.base import Axis, AxisUnit
from deidgui.app.charts.frontier import alternatives_chart
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.charts.plane import Flag, Scatter, risk_utility_plane
from deidgui.app.policies.alternatives.policies import AlternativePolicies
from deidgui.app.policies.longitudinal.policies import LongitudinalPolicies
from deidgui.app.policies.policy_set import PolicySet, SourceResult
from deidgui.app.policies.runner import ALTERNATIVES
from deidgui.app.policies.source import LONGITUDINAL
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.quality import QualityMeasure
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.frontier_view import FrontierView
from deidgui.qt.charts.lattice_view import LatticeView, NodeMark
from deidgui.qt.charts.plane_view import ScatterPlane
from deidgui.qt.models.figures import Flags, measure_axis
from deidgui.qt.models.policies import PolicyModel, mark_key
from deidgui.qt.pages.policies.groups import GroupList
from deidgui.qt.pages.policies.matrix import PolicyMatrix
from deidgui.qt.widgets import (
    ButtonMenu,
    Caption,
    Segmented,
    ShownStack,
    column,
    scrolling,
    show_if,
)
from deidgui.text import tr

VIEWS = ("list", "plane", "lattice", "groups")

RISKS = {
    "highest": ("highest_risk", "risk", AxisUnit.SHARE),
    "average": ("average_risk", "average_risk", AxisUnit.SHARE),
    "events": ("share_at_risk", "people_at_risk", AxisUnit.SHARE),
}
"""What the plane shows upwards: column of the set, phrase, unit."""


class PolicyViews(QWidget):
    """Views over one set of policies, one filter and one selection.

    Attributes
    ----------
    policy_selected : Signal of int
        Somebody selected a policy in the view that is shown.
    policy_activated : Signal of int
        Somebody wants to choose it (Enter, double click).
    """

    policy_selected = Signal(int)
    policy_activated = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._set = PolicySet()
        self._passed: BoolArray = np.empty(0, np.bool_)
        self._numbers: IntArray = np.empty(0, np.int64)
        self._flags: Flags = {}
        self._number: int | None = None
        self._threshold: float | None = None
        self._measure: QualityMeasure | None = None
        self._loss_words = ""
        self._scores: FloatArray | None = None
        self._drawn: set[str] = set()
        self._is_risk_chosen = False
        self.policies = PolicyModel()
        self.table = PolicyMatrix(self.policies)
        self.order, self.key = Caption(), Caption()
        self.plane = ScatterPlane(self._describe)
        self.frontier = FrontierView(self._describe)
        self.lattice = LatticeView(self._describe_node)
        self.groups = GroupList()
        self.risk = Segmented(
            [
                ("highest", tr("Highest risk")),
                ("average", tr("Average risk")),
                ("population", tr("Correct links")),
                ("events", tr("People at risk")),
            ],
            name=tr("What “Risk and loss” shows upwards"),
        )
        self._build()
        self._connect()

    def _build(self) -> None:
        self._plane_frame = ChartFrame(self.plane, is_compact=True)
        self._frontier_frame = ChartFrame(self.frontier, is_compact=True)
        self._lattice_frame = ChartFrame(self.lattice, is_compact=True)
        self._plane_frame.add_tool(self.risk)
        self._lattice_frame.add_tool(self.lattice.field)
        self.lattice.field.setMinimumWidth(280)
        self.lattice.field.setMaximumWidth(360)
        self._planes = QStackedLayout()
        for frame in (self._plane_frame, self._frontier_frame):
            # Without a parent the first of them would be shown as a window.
            frame.setParent(self)
            self._planes.addWidget(frame)
        plane = QWidget()
        box = column((self._planes, 1), spacing=4)
        plane.setLayout(box)
        listed = QWidget()
        box = QVBoxLayout(listed)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.order)
        box.addWidget(self.table, 1)
        box.addWidget(self.key)
        parts = (
            listed,
            plane,
            self._lattice_frame,
            scrolling(self.groups, is_beside=True),
        )
        self._pages = dict(zip(VIEWS, parts, strict=True))
        self._stack = ShownStack(self)
        for part in parts:
            self._stack.addWidget(part)

    def _connect(self) -> None:
        self.table.policy_selected.connect(self._on_selected)
        self.table.policy_activated.connect(self.policy_activated)
        self.policies.layoutChanged.connect(self._say_order)
        self.plane.policy_selected.connect(self._on_selected)
        self.frontier.policy_selected.connect(self._on_selected)
        self.lattice.node_selected.connect(self._on_node_selected)
        self.lattice.node_chosen.connect(self._on_node_chosen)
        self.risk.chosen.connect(self._on_risk_chosen)

    def offer(self, *buttons: QAbstractButton) -> None:
        """Offer in every view, by its menu, what can be done with a policy."""
        ButtonMenu(self.table, buttons)
        for frame in (self._plane_frame, self._frontier_frame, self._lattice_frame):
            frame.menu.put_first(*buttons, None)

    # -- what is shown -------------------------------------------------------------

    @property
    def current(self) -> str:
        """Key of the view that is shown."""
        return VIEWS[self._stack.currentIndex()]

    def show_view(self, key: str) -> None:
        """Show one of `VIEWS`."""
        self._stack.setCurrentWidget(self._pages[key])
        self._draw()

    def show_policies(
        self,
        policies: PolicySet,
        passed: BoolArray,
        flags: Flags,
        *,
        selected: int | None,
        threshold: float | None,
        measure: QualityMeasure | None,
        loss_words: str = "",
        scores: FloatArray | None = None,
    ) -> None:
        """Show other policies, or others of them.

        Parameters
        ----------
        passed : ndarray of bool, shape (len(policies),)
            Which of them pass the filter.
        selected : int or None
            Number of the selected one: of these, not of those that were shown.
        threshold : float or None
            Highest risk that is accepted.
        measure : QualityMeasure or None
            That gives the loss.
        loss_words : str
            How the loss of columns becomes a total.
        scores : ndarray of float64, optional
            By number: how far each keeps what is preferred.
        """
        self._number = selected
        is_same = policies is self._set and np.array_equal(passed, self._passed)
        is_same &= (threshold, measure) == (self._threshold, self._measure)
        is_same &= loss_words == self._loss_words
        if is_same and _are_same(scores, self._scores):
            self._show_flags(flags)
            return
        self._set, self._passed, self._flags = policies, passed, flags
        self._threshold, self._measure, self._scores = threshold, measure, scores
        self._loss_words = loss_words
        self._numbers = np.flatnonzero(passed)
        self._show_risks(policies.kinds)
        self._drawn.clear()
        self._draw()

    def _show_flags(self, flags: Flags) -> None:
        """Mark the same policies otherwise."""
        if flags != self._flags:
            self._flags = flags
            self.policies.set_flags(flags)
            self._drawn -= {"plane", "lattice"}
        self._draw()

    def _show_risks(self, kinds: Collection[str]) -> None:
        """Offer the risks that are known of these policies, first the one that counts.

        Alternatives are accepted by correct links, policies of a longitudinal search by
        people at risk; their highest risk is often equal.
        """
        knows_population = ALTERNATIVES in kinds
        self.risk.offer("population", knows_population)
        self.risk.offer("events", LONGITUDINAL in kinds)
        usual = "highest"
        if set(kinds) == {ALTERNATIVES}:
            usual = "population"
        elif LONGITUDINAL in kinds:
            usual = "events"
        if not (self._is_risk_chosen and self.risk.offers(self.risk.current)):
            self.risk.set_current(usual)

    def select(self, number: int | None) -> None:
        """Show in every view which policy is selected; tells nobody."""
        self._number = number
        self._mark_selected()

    def _draw(self) -> None:
        """Draw the view that is shown, if it is not up to date."""
        if not self._set.parts:
            return
        if self.current not in self._drawn:
            self._drawn.add(self.current)
            if self.current == "list":
                self._draw_list()
            elif self.current == "plane":
                self._draw_plane()
            elif self.current == "lattice":
                self._draw_lattice()
        self._mark_selected()

    def _draw_list(self) -> None:
        self.policies.set_flags(self._flags)
        is_share = self._measure is None or self._measure.unit == "share"
        self.policies.set_policies(
            self._set,
            self._numbers,
            self._scores,
            is_loss_share=is_share,
            loss_words=self._loss_words,
        )
        kinds = set(self._set.kinds)
        marks = mark_key(
            is_raised=kinds != {ALTERNATIVES}, is_joined=ALTERNATIVES in kinds
        )
        self.key.setText(" · ".join(marks))
        self._say_order()

    def _say_order(self) -> None:
        """Say by what the list is sorted, or why it is empty."""
        words = self.policies.order_words
        if not len(self._numbers):
            words = tr("No policy passes the filter. Clear it to see them all again.")
        if not len(self._numbers) and len(self._set) and not self._set.n_meeting:
            words = tr(
                "None of {n:policy|policies} meets the thresholds. Switch “Meets the "
                "thresholds” off to see them; one of them is released only with a "
                "reason.",
                n=len(self._set),
            )
        self.order.setText(words)
        show_if(self.order, bool(words))

    @property
    def _plane_shown(self) -> ScatterPlane:
        is_links = self.risk.current == "population"
        return self.frontier if is_links else self.plane

    def _draw_plane(self) -> None:
        is_links = self.risk.current == "population"
        frame = self._frontier_frame if is_links else self._plane_frame
        self._planes.setCurrentWidget(frame)
        frame.add_tool(self.risk)
        frame.set_chart(self._links_chart() if is_links else self._risk_chart())

    def _links_chart(self) -> Scatter | None:
        """Alternatives beside the rule, by what they lose of all that can be lost."""
        part = self._set.part(ALTERNATIVES)
        if not isinstance(part, AlternativePolicies):
            return None
        rows = self._set.rows_in(ALTERNATIVES)
        chosen, kept = self._first(Flag.CHOSEN), self._all(Flag.KEPT)
        row = -1 if chosen is None else int(rows[chosen])
        chart = alternatives_chart(
            part,
            chosen=row if row >= 0 else None,
            kept=[int(rows[each]) for each in kept if rows[each] >= 0],
        )
        number = np.append(self._set.numbers_in(ALTERNATIVES), -1)
        passed = np.append(self._passed, False)
        # Points of a frontier that are not acceptable are no policies of the set.
        own = chart.policies >= 0
        numbers = np.where(own, number[chart.policies * own], chart.policies)
        return chart.at(
            ~own | passed[np.where(own, numbers, -1)],
            numbers,
            lambda row: int(number[row]),
        )

    def _risk_chart(self) -> Scatter:
        column, phrase, unit = RISKS[self.risk.current]
        columns, numbers = self._set.columns, self._numbers
        loss_axis = None
        if self._measure is not None:
            by_person = self._set.parts[0].by_person
            loss_axis = measure_axis(self._measure, of_people=by_person)
        return risk_utility_plane(
            numbers,
            columns.loss[numbers],
            getattr(columns, column)[numbers],
            columns.meets[numbers],
            optimum=self._first(Flag.OPTIMUM),
            chosen=self._first(Flag.CHOSEN),
            kept=self._all(Flag.KEPT),
            threshold=self._line(),
            loss_axis=loss_axis,
            risk_axis=Axis(Phrase(phrase), unit),
        )

    def _line(self) -> float | None:
        """What the risk that is shown upwards may be at most."""
        part = self._set.part(LONGITUDINAL)
        if self.risk.current == "events" and isinstance(part, LongitudinalPolicies):
            return part.of_events.known.limit
        return self._threshold if self.risk.current == "highest" else None

    def _draw_lattice(self) -> None:
        part = self._set.on_lattice
        if part is None or part.layout is None:
            self._lattice_frame.set_chart(None)
            return
        # What the filter leaves out keeps its place, without a colour of its own.
        whole = part.layout
        loss = np.where(self._nodes_passed(part), whole.loss, np.nan)
        shown, marks = self.lattice.chart, self._node_marks(part)
        if shown is not None and shown.x is whole.x:
            self.lattice.set_values(loss, whole.feasible)
            self.lattice.set_marks(marks)
        else:
            self.lattice.mark_next(marks)
            self._lattice_frame.set_chart(whole.with_values(loss, whole.feasible))

    def _nodes_passed(self, part: SourceResult) -> BoolArray:
        """Which nodes pass the filter: as the policy with the same table does."""
        numbers, rows = self._set.numbers_in(part.kind), part.row_of_node
        of_node = np.where(rows >= 0, numbers[rows], -1)
        passed: BoolArray = (of_node >= 0) & self._passed[of_node]
        return passed

    def _node_marks(self, part: SourceResult) -> list[NodeMark]:
        rows = self._set.rows_in(part.kind)
        nodes = np.where(rows >= 0, part.node_of_row[rows], -1)
        # The least general ones may be many: they lie below and are not named.
        nameless = [
            NodeMark(Flag.MINIMAL, int(nodes[number]), plain(""))
            for number in self._all(Flag.MINIMAL)
            if nodes[number] >= 0
        ]
        named = [
            NodeMark(flag, int(nodes[number]), Phrase(flag.value))
            for number, flags in self._flags.items()
            for flag in flags
            if flag is not Flag.MINIMAL and nodes[number] >= 0
        ]
        return [*nameless, *named]

    def _first(self, flag: Flag) -> int | None:
        return next(iter(self._all(flag)), None)

    def _all(self, flag: Flag) -> list[int]:
        return [number for number, flags in self._flags.items() if flag in flags]

    def _mark_selected(self) -> None:
        if self._number is None or not self._set.parts:
            return
        if self.current == "list":
            self.table.show_policy(self._number)
        elif self.current == "plane":
            self._plane_shown.select(np.array([self._number]))
        elif self.current == "lattice":
            part = self._set.on_lattice
            if part is not None:
                row = int(self._set.rows_in(part.kind)[self._number])
                self._mark_node(int(part.node_of_row[row]) if row >= 0 else -1)

    def _mark_node(self, node: int) -> None:
        if node >= 0 and self.lattice.is_drawn and self.lattice.selected != node:
            self.lattice.select(node, is_reported=False)

    def _describe(self, number: int) -> list[str]:
        """Say in words what a policy does, for cards of charts."""
        cells = self._set.candidate(number).cells
        changed = [f"{c.attribute}: {c.text}" for c in cells if c.effect != "kept"]
        kept = [cell.attribute for cell in cells if cell.effect == "kept"]
        if kept:
            changed.append(tr("in full: ") + ", ".join(kept))
        return changed

    def _describe_node(self, node: int) -> list[str]:
        number = self._number_of_node(node)
        if number < 0:
            return [tr("Not looked at: follows from other policies")]
        left_out = [] if self._passed[number] else [tr("Left out by the filter")]
        return left_out + self._describe(number)

    def _number_of_node(self, node: int) -> int:
        """Number of the policy that stands for a node, -1 for none."""
        part = self._set.on_lattice
        assert part is not None
        row = int(part.row_of_node[node])
        return int(self._set.numbers_in(part.kind)[row]) if row >= 0 else -1

    # -- what somebody does --------------------------------------------------------

    def _on_selected(self, number: int) -> None:
        self._number = number
        self.policy_selected.emit(number)

    def _on_node_selected(self, node: int) -> None:
        number = self._number_of_node(node)
        if number >= 0:
            self._on_selected(number)

    def _on_node_chosen(self, node: int) -> None:
        number = self._number_of_node(node)
        if number >= 0:
            self.policy_activated.emit(number)

    def _on_risk_chosen(self) -> None:
        self._is_risk_chosen = True
        self._drawn.discard("plane")
        self._draw()


def _are_same(scores: FloatArray | None, others: FloatArray | None) -> bool:
    """Whether two lists of scores are equal, or both unknown."""
    if scores is None or others is None:
        return scores is others
    return np.array_equal(scores, others, equal_nan=True)
