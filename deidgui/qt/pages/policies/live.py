"""The best policy so far and how good it can still become, while a search runs."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.curves import gap_progress, loss_words, search_progress
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.engine.policy.words import phrases
from deidgui.engine.quality import QualityMeasure
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.models.figures import measure_axis
from deidgui.qt.models.proof import gap_words
from deidgui.qt.pages.policies.detail import PhraseList
from deidgui.qt.widgets import Caption, Card, Columns, Label, column, show_if
from deidgui.text import tr, unit_words

MOST_POINTS = 2_000
"""Points of a chart; beyond them every other one is left out."""


class LiveCard(Card):
    """What a running search has found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(tr("Best policy so far"))
        self._measure: QualityMeasure | None = None
        self._nodes: list[int] = []
        self._losses: list[float] = []
        self._gaps: list[float] = []
        self._levels: tuple[int, ...] = ()
        self.gap = Label("", "section", wrap=True)
        self.figures = Label("", "body", wrap=True)
        self.words = PhraseList()
        self._note = Caption()
        left = QWidget()
        left.setLayout(column(*(self.gap, self.figures, self.words, self._note), None))
        self.chart = ChartFrame(LineView())
        self.chart.setMinimumHeight(260)
        self.add(Columns([(left, 2), (self.chart, 3)], stack_below=700))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found yet."""
        return not self._nodes

    def begin(self, measure: QualityMeasure, *, keeps_part: bool = True) -> None:
        """Forget what an earlier search had found.

        Parameters
        ----------
        keeps_part : bool
            Whether the best policy is kept when the search is stopped.
        """
        self._measure = measure
        self._note.setText(
            tr("Stopping keeps this policy; it meets your thresholds.")
            if keeps_part
            else tr("Stopping keeps the policies that were found before.")
        )
        for each in (self._nodes, self._losses, self._gaps):
            each.clear()
        self._levels = ()

    def show_best(self, best: LatticePolicies) -> None:
        """Show the only policy that is known now."""
        if self._measure is None:
            return
        self._remember(best)
        axis = measure_axis(self._measure, of_people=best.by_person)
        gap = best.proof.gap
        words = tr(
            "{suppressed:,} of {all:,} {unit} suppressed; loss {loss}.",
            unit=unit_words(best.by_person),
            suppressed=int(best.suppressed[0]),
            all=best.n_records,
            loss=loss_words(float(best.loss[0]), axis),
        )
        self.figures.setText(words)
        if best.lattice.minimum != self._levels:
            self._levels = best.lattice.minimum
            self.words.show_phrases(phrases(best.policy(0)))
        show_if(self.gap, gap is not None)
        nodes = np.array(self._nodes, dtype=np.int64)
        if gap is None:
            losses = np.array(self._losses)
            self.chart.set_chart(search_progress(nodes, losses, loss_axis=axis))
            return
        self.gap.setText(gap_words(gap))
        self.chart.set_chart(gap_progress(nodes, np.array(self._gaps)))

    def _remember(self, best: LatticePolicies) -> None:
        gap = best.proof.gap
        self._nodes.append(best.proof.n_examined)
        self._losses.append(float(best.loss[0]))
        self._gaps.append(np.nan if gap is None else gap)
        if len(self._nodes) > MOST_POINTS:
            for each in (self._nodes, self._losses, self._gaps):
                del each[1:-1:2]
