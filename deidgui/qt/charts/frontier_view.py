"""How alternatives are drawn against a rule: what is better in both is shaded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsRectItem, QWidget

from deidgui.app.charts.plane import Flag, PointMark, Scatter
from deidgui.qt.charts.colours import faded, thin_pen
from deidgui.qt.charts.key import KeyEntry, Shape
from deidgui.qt.charts.plane_view import ScatterPlane
from deidgui.qt.charts.points import Describe
from deidgui.qt.charts.view import Stop
from deidgui.text import tr

MOST_SHOWN = 0.97
"""Share of the points that is in view at first; the rest is a movement away."""

SHADE = 46
"""How strongly the better region is coloured, of 255."""


class FrontierView(ScatterPlane):
    """Alternatives between loss and risk, beside the rule they are measured by.

    The rule is the point marked as a reference. Whatever lies at most as far to the
    right and at most as high is no worse in both; this region is shaded.

    Parameters
    ----------
    describe : callable, optional
        Says what the policy of a point does.
    """

    def __init__(
        self, describe: Describe | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(describe, parent)

    @property
    def reference(self) -> PointMark | None:
        """The rule's point, if there is one."""
        marked = self.chart.marked if self.chart else ()
        return next((each for each in marked if each.flag is Flag.REFERENCE), None)

    def better(self) -> list[int]:
        """Rows of the points in the shaded region."""
        chart, rule = self.chart, self.reference
        if chart is None or rule is None:
            return []
        inside = (chart.x <= rule.x) & (chart.y <= rule.y)
        return [place for place, is_in in enumerate(inside.tolist()) if is_in]

    def _entries(self, chart: Scatter) -> Sequence[KeyEntry]:
        look = self.look.chart
        entries = [KeyEntry(chart.y_axis.label.text())]
        text = tr("No riskier than the rule")
        entries.append(KeyEntry(text, Shape.DOT, look.after))
        if not chart.feasible.all():
            text = tr("Riskier")
            entries.append(KeyEntry(text, Shape.HOLLOW_DOT, look.before))
        if self.reference is not None:
            text = tr("Better than the rule in both")
            entries.append(KeyEntry(text, Shape.FILLED_BAR, look.safe))
        return entries

    def _draw(self, chart: Scatter) -> None:
        super()._draw(chart)
        rule = self.reference
        if rule is None:
            return
        # Risk and loss are never negative: the region begins at the axes.
        item = QGraphicsRectItem(QRectF(0, 0, max(rule.x, 0), max(rule.y, 0)))
        item.setBrush(faded(self.look.chart.safe, SHADE))
        item.setPen(thin_pen(self.look.chart.safe, 1, (4, 3)))
        item.setZValue(-50)
        self.plot.addItem(item, ignoreBounds=True)

    def fit(self) -> None:
        """Show the shaded region and most points; a few far ones may be outside."""
        super().fit()
        chart, rule = self.chart, self.reference
        if chart is None or chart.is_empty or rule is None:
            return
        box = self.plot.getViewBox()
        right = max(1.5 * rule.x, float(np.quantile(chart.x, MOST_SHOWN)))
        high = max(rule.y, float(chart.y.max()))
        low = min(float(np.quantile(chart.y, 1 - MOST_SHOWN)), rule.y)
        room = 0.08 * (high - low) or 0.05 * high
        box.setRange(
            xRange=(-0.05 * right, right * 1.05),
            yRange=(low - room, high + room),
            padding=0,
        )

    def stop(self, place: int) -> Stop:
        found = super().stop(place)
        chart = self.chart
        assert chart is not None
        words = (
            tr("No riskier than the rule")
            if chart.feasible[place]
            else tr("Riskier than the rule")
        )
        return Stop(found.x, found.y, (*found.lines[:-1], words))
