"""How the lattice of policies is drawn, walked through and searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.charts.lattice import LatticeLayout
from deidgui.app.charts.phrases import Phrase
from deidgui.app.charts.plane import Flag
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.qt.charts.cloud import DISC, RING, Cloud
from deidgui.qt.charts.colours import colour_table, hex_of, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.points import Describe, PointView
from deidgui.qt.charts.view import Stop
from deidgui.text import escaped, share_text, tr

N_COLOURS = 24
"""Steps of loss that are told apart."""

PALEST = 0.3
"""Where on the scale of colours the highest loss stands, so that it is seen."""

MOST_EDGE_NODES = 2000
MOST_EDGES = 3000
"""All edges are drawn only up to this many; more are a grey mass."""

EDGE_DELAY_MS = 60
SMALLEST_DOT, LARGEST_DOT = 2.0, 15.0
LEAST_RING = 8.0
"""Pixels of a disc from which on the smaller ring beside it is seen as one."""

Find = Callable[[str], int | None]
"""Finds a node from what somebody typed."""


@dataclass(frozen=True)
class NodeMark:
    """A node with a name."""

    flag: Flag
    node: int
    label: Phrase


class LatticeView(PointView[LatticeLayout]):
    """All policies of a lattice, detail at the bottom; a strong colour loses little.

    Click selects, double click and Enter choose. Up and Down generalize more and
    less, Left and Right go to the neighbours, Home and End to the two ends; + and -
    zoom, 0 shows all. Typing levels into the field jumps there.

    Parameters
    ----------
    describe : callable, optional
        Says in words what the policy of a node does.
    find : callable, optional
        Finds a node from a text that is no level vector.
    """

    node_selected = Signal(int)
    node_chosen = Signal(int)

    def __init__(
        self,
        describe: Describe | None = None,
        find: Find | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self.find_node = find
        self._marks: tuple[NodeMark, ...] = ()
        self._family: list[int] = []
        self._edge_items: list[Any] = []
        self._all_edges: Any = None
        self._are_rings_dots = False
        super().__init__(describe, parent=parent)
        self._timer = QTimer(self, singleShot=True, interval=EDGE_DELAY_MS)
        self._timer.timeout.connect(self._draw_all_edges)

    def _lay_out(self) -> None:
        super()._lay_out()
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.field.setAccessibleName(tr("Go to a policy by its levels"))
        self.field.returnPressed.connect(self._on_field_returned)
        self._inside.insertWidget(0, self.field)

    @property
    def selected(self) -> int | None:
        """The selected node."""
        return self._stop

    # What is shown

    def set_marks(self, marks: Sequence[NodeMark]) -> None:
        """Mark nodes by shape and name."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self._redraw()

    def mark_next(self, marks: Sequence[NodeMark]) -> None:
        """Mark nodes of the chart that is set next."""
        self._marks = tuple(marks)

    def set_values(self, loss: FloatArray, feasible: BoolArray) -> None:
        """Show other losses at the same places (what-if); cheap."""
        assert self.chart is not None
        self._chart = self.chart.with_values(loss, feasible)
        self.setAccessibleDescription(self._chart.sentence.text())
        self._colour_nodes(self._chart)
        self.key.set_entries(self._entries(self._chart))

    def select(self, node: int, *, is_reported: bool = True) -> None:
        """Select a node and bring it into view; show its card and tell if wanted."""
        assert self.chart is not None
        self.bring_into_view(float(self.chart.x[node]), float(self.chart.y[node]))
        if not is_reported:
            self._stop = node
            self._draw_selection()
            return
        self.go_to(node)
        self._draw_selection()
        self.node_selected.emit(node)

    def _entries(self, chart: LatticeLayout) -> Sequence[KeyEntry]:
        known = chart.loss[np.isfinite(chart.loss)]
        entries = [KeyEntry(f"↑ {chart.row_axis.label.text()}")]
        if len(known):
            low, high = share_text(float(known.max())), share_text(float(known.min()))
            loss = Phrase("loss").text()
            entries.append(
                KeyEntry(
                    high, Shape.RAMP, low=f"{loss}  {low}", ramp=self._ramp()[::-1]
                )
            )
        strong = self.look.chart.sequential[-2]
        if chart.feasible.any():
            text = Phrase("meets_models").text()
            entries.append(KeyEntry(text, Shape.DOT, strong))
        if (chart.feasible & ~np.isfinite(chart.loss)).any():
            text = Phrase("left_out").text()
            entries.append(KeyEntry(text, Shape.DOT, self.look.chart.grid))
        if not chart.feasible.all():
            is_known = chart.n_known == chart.n_nodes
            code = "meets_not_drawn" if is_known else "meets_not_known"
            text, colour = Phrase(code).text(), self.look.colours.subtle
            shape = Shape.SMALL_DOT if self._are_rings_dots else Shape.HOLLOW_DOT
            entries.append(KeyEntry(text, shape, colour))
        if self._stop is not None:
            colour = self.look.chart.highlight
            more, less = Phrase("one_step_more").text(), Phrase("one_step_less").text()
            entries.append(KeyEntry(more, Shape.SOLID_LINE, colour))
            entries.append(KeyEntry(less, Shape.DASHED_LINE, colour))
        return entries

    def _coordinates(self) -> tuple[FloatArray, FloatArray]:
        assert self.chart is not None
        return self.chart.x, self.chart.y

    def _draw(self, chart: LatticeLayout) -> None:
        self._all_edges, self._edge_items = None, []
        self._show_example(chart)
        self._cloud = Cloud(chart.x, chart.y)
        self._colour_nodes(chart)
        self.plot.addItem(self._cloud)
        steps = [count_text(each) for each in chart.row_sums]
        self.plot.getAxis("left").set_names(steps, chart.band_y.tolist())
        self.plot.hideAxis("bottom")
        self._fit_new(chart.x)
        places = [(float(chart.x[e.node]), float(chart.y[e.node])) for e in self._marks]
        marks = zip(self._marks, places, strict=True)
        self.add_flags([(e.flag, x, y, e.label.text()) for e, (x, y) in marks])
        if self._stop is not None and self._stop < chart.n_nodes:
            self._draw_selection()
        self._on_range_changed()

    def _show_example(self, chart: LatticeLayout) -> None:
        """Say how levels are typed: those of a marked policy, in which order."""
        node = self._marks[0].node if self._marks else chart.n_nodes - 1
        levels = chart.lattice.levels_of(node)
        # How many stands first: the end of a long example has no room.
        words = tr(
            "{n:level|levels}, as {levels}",
            n=len(levels),
            levels=" ".join(map(str, levels)),
        )
        self.field.setPlaceholderText(words)
        names = ", ".join(chart.attributes)
        words = tr(
            "Levels in this order: {names}. Or a column with its level: {one} {level}",
            names=names,
            one=chart.attributes[0],
            level=chart.lattice.maximum[0],
        )
        self.field.setToolTip(escaped(words))
        self.field.setAccessibleDescription(words)

    def _colour_nodes(self, chart: LatticeLayout) -> None:
        """Strong colours for little loss; grey rings for what misses the models.

        What meets them and has no loss, left out by a filter, is faint.
        """
        if self._cloud is None:
            return
        strong = self._ramp()
        known = np.isfinite(chart.loss)
        losses = chart.loss[known]
        low, high = (
            (float(losses.min()), float(losses.max())) if len(losses) else (0, 1)
        )
        part = (np.where(known, chart.loss, high) - low) / (high - low or 1.0)
        step = np.clip(np.floor(part * N_COLOURS), 0, N_COLOURS - 1).astype(np.int64)
        faint, missed = N_COLOURS, N_COLOURS + 1
        meeting = np.where(known, step, faint)
        colour = np.where(chart.feasible, meeting, missed)
        shape = np.where(chart.feasible, DISC, RING)
        colours = [*strong, self.look.chart.grid, self.look.colours.subtle]
        self._cloud.set_kinds(colour, shape, colours)

    def _ramp(self) -> list[str]:
        """Colours from the lowest loss to the highest one."""
        table = colour_table(self.look.chart.sequential).tolist()
        places = np.linspace(len(table) - 1, PALEST * (len(table) - 1), N_COLOURS)
        return [hex_of(*table[round(place)]) for place in places.tolist()]

    def fit(self) -> None:
        chart = self.chart
        if chart is None or chart.is_empty:
            return
        box = self.plot.getViewBox()
        x, y = _range(chart.x), _range(chart.y)
        width, height = x[1] - x[0], y[1] - y[0]
        box.setLimits(
            xMin=x[0] - width / 2,
            xMax=x[1] + width / 2,
            yMin=y[0] - height / 2,
            yMax=y[1] + height / 2,
            minXRange=min(6.0, width),
            minYRange=min(6.0, height),
        )
        box.setRange(xRange=x, yRange=y, padding=0)

    # Zoom

    def _on_range_changed(self, *_args: object) -> None:
        super()._on_range_changed()
        if self._cloud is None or self.chart is None:
            return
        px, py = self.pixel_size()
        room = 0.85 * min(1 / px if px else 1, 1 / py if py else 1)
        self._cloud.set_size(float(np.clip(room, SMALLEST_DOT, LARGEST_DOT)))
        were_dots, self._are_rings_dots = self._are_rings_dots, room < LEAST_RING
        if were_dots != self._are_rings_dots:
            self.key.set_entries(self._entries(self.chart))
        if self._all_edges is not None:
            self._all_edges.hide()
        self._timer.start()

    def settle(self) -> None:
        self._timer.stop()
        self._draw_all_edges()

    def _draw_all_edges(self) -> None:
        """Draw the edges between visible nodes, where they are few."""
        chart = self.chart
        if chart is None or chart.is_empty:
            return
        view = self.plot.getViewBox().viewRect()
        visible = (chart.x >= view.left()) & (chart.x <= view.right())
        visible &= (chart.y >= view.top()) & (chart.y <= view.bottom())
        nodes = np.flatnonzero(visible)
        if not len(nodes) or len(nodes) > MOST_EDGE_NODES:
            return
        edges = chart.edges(nodes)
        edges = edges[visible[edges].all(axis=1)]
        if len(edges) > MOST_EDGES:
            return
        if self._all_edges is None:
            self._all_edges = self._edge_item(self.look.chart.grid, 1.0)
        self._set_edges(self._all_edges, chart, edges)
        self._all_edges.show()

    def _edge_item(self, colour: str, width: float, *, is_dashed: bool = False) -> Any:
        pen = thin_pen(colour, width, (3, 3) if is_dashed else ())
        item = pg.PlotCurveItem(pen=pen, connect="pairs")
        item.setZValue(-2)
        self.plot.addItem(item, ignoreBounds=True)
        return item

    def _set_edges(self, item: Any, chart: LatticeLayout, edges: IntArray) -> None:
        ends = edges.ravel()
        item.setData(chart.x[ends], chart.y[ends], connect="pairs")

    # Selection

    def _draw_selection(self) -> None:
        """Edges up (solid) and down (dashed) from the selected node, rings at both."""
        chart, node = self.chart, self._stop
        assert chart is not None
        assert node is not None
        if not self._edge_items:
            self._edge_items = [
                self._edge_item(self.look.chart.highlight, 1.4),
                self._edge_item(self.look.chart.highlight, 1.4, is_dashed=True),
                self._ring_item(),
            ]
            self.key.set_entries(self._entries(chart))
        up, down = chart.successors(node), chart.predecessors(node)
        for item, nodes in zip(self._edge_items, (up, down), strict=False):
            pairs = np.array([(node, other) for other in nodes], dtype=np.int64)
            self._set_edges(item, chart, pairs.reshape(-1, 2))
        around = np.array([node, *up, *down])
        size = (self._cloud.size if self._cloud else 6) + 5
        sizes = np.where(around == node, size + 4, size)
        self._edge_items[2].setData(chart.x[around], chart.y[around], size=sizes)

    def _ring_item(self) -> Any:
        pen = thin_pen(self.look.chart.highlight, 1.6)
        item = pg.ScatterPlotItem(pen=pen, brush=None, symbol="o")
        item.setZValue(9)
        self.plot.addItem(item, ignoreBounds=True)
        return item

    def stop(self, place: int) -> Stop:
        chart = self.chart
        assert chart is not None
        levels = chart.lattice.levels_of(place)
        if self.describe is not None:
            words = tuple(self.describe(place))
        else:
            pairs = zip(chart.attributes, levels, strict=True)
            words = (", ".join(f"{name} {level}" for name, level in pairs),)
        loss = share_text(float(chart.loss[place]))
        meets = Phrase("meets_models" if chart.feasible[place] else "meets_not")
        # The axis leaves out steps that have no room beside the next ones.
        steps = count_text(chart.row_sums[int(chart.row[place])])
        figures = (
            f"{chart.row_axis.label.text()}: {steps}",
            f"{Phrase('loss').text()}: {loss}",
            meets.text(),
        )
        names = [m.label.text() for m in self._marks if m.node == place]
        lines = (*names, *words, *figures)
        return Stop(float(chart.x[place]), float(chart.y[place]), lines)

    def _on_point_clicked(self, place: int, *, is_double: bool) -> None:
        self._family = []
        self.select(place)
        if is_double:
            self.node_chosen.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        chart = self.chart
        # Arrow keys carry the modifier of the keypad on some systems.
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if chart is None or chart.is_empty or modifiers:
            super().keyPressEvent(event)
            return
        here = self._stop
        match Qt.Key(event.key()):
            case Qt.Key.Key_Home:
                self.select(0)
            case Qt.Key.Key_End:
                self.select(chart.n_nodes - 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if here is not None:
                self.node_chosen.emit(here)
            case Qt.Key.Key_Up | Qt.Key.Key_Down | Qt.Key.Key_Left | Qt.Key.Key_Right:
                self._walk(chart, Qt.Key(event.key()))
            case _:
                super().keyPressEvent(event)

    def _walk(self, chart: LatticeLayout, key: Qt.Key) -> None:
        here = self._stop
        if here is None:
            self.select(0)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            is_up = key == Qt.Key.Key_Up
            found = chart.successors(here) if is_up else chart.predecessors(here)
            if found:
                self._family = found
                far = np.abs(chart.x[found] - chart.x[here])
                self.select(found[int(np.argmin(far))])
        else:
            step = 1 if key == Qt.Key.Key_Right else -1
            if here in self._family:
                place = (self._family.index(here) + step) % len(self._family)
                self.select(self._family[place])
            else:
                self.select(chart.beside(here, step))

    # Going to a node by typing

    def _on_field_returned(self) -> None:
        node = self.node_of(self.field.text())
        self.field.setProperty("state", "" if node is not None else "error")
        self.field.style().polish(self.field)
        if node is not None:
            self.select(node)
            self.setFocus()

    def node_of(self, text: str) -> int | None:
        """Node for typed levels ("1 2 0"), names with levels ("age 2"), or words.

        Attributes that are not named keep the level of the selected node.
        """
        chart = self.chart
        if chart is None or chart.is_empty:
            return None
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if re.fullmatch(r"[\d\s,;.()\[\]-]+", text):
            if len(numbers) == 1 and len(chart.attributes) > 1:
                digits = re.findall(r"\d", text)
                numbers = [int(digit) for digit in digits]
            return _node_at(chart, numbers)
        levels = named_levels(text, chart.attributes)
        if levels:
            start = list(chart.lattice.levels_of(self._stop or 0))
            for place, level in levels.items():
                start[place] = level
            return _node_at(chart, start)
        return self.find_node(text) if self.find_node is not None else None


def named_levels(text: str, attributes: Sequence[str]) -> dict[int, int]:
    """Levels by place of the attribute, from a text like "age 2, zip 3".

    A name may be cut short, as long as one attribute starts with it only.
    """
    found: dict[int, int] = {}
    for name, level in re.findall(r"([^\d\s,;:=][^,;:=]*?)\s*[:= ]\s*(\d+)", text):
        start = name.strip().lower()
        fits = [p for p, a in enumerate(attributes) if a.lower().startswith(start)]
        if len(fits) != 1:
            return {}
        found[fits[0]] = int(level)
    return found


def _node_at(chart: LatticeLayout, levels: Sequence[int]) -> int | None:
    lattice = chart.lattice
    if len(levels) != lattice.n_attributes:
        return None
    limits = zip(levels, lattice.minimum, lattice.maximum, strict=True)
    if not all(low <= level <= high for level, low, high in limits):
        return None
    return lattice.node(levels)


def _range(values: FloatArray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = max(1.0, 0.04 * (high - low))
    return low - room, high + room
