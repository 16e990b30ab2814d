"""What other thresholds would give, at once and without deciding anything."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from deidgui.app.charts.curves import loss_by_k, loss_by_limit
from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.tasks.exploring import (
    LIMITS,
    Candidates,
    Prices,
    group_size,
    sizes_to_ask,
)
from deidgui.app.tasks.searching import Found
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.models.figures import figures, loss_axis
from deidgui.qt.pages.explore.detail import PhraseList
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    LabeledSlider,
    ReasonLabel,
    StatTile,
    row,
    show_if,
)


class WhatIfPane(QWidget):
    """Sliders for group size and suppression limit, and the answer to them.

    Attributes
    ----------
    asked : Signal of (int, float)
        Group size and limit in [0, 1] that somebody wants to see.
    take_over_wanted : Signal of (int, float)
        The same, to be decided.
    """

    asked = Signal(int, float)
    take_over_wanted = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._decided: tuple[int, float] = (2, 0.0)
        self._answer: Candidates | None = None
        self._sliders = QVBoxLayout()
        self.size_slider = self._size_slider([2, 100], 2)
        self.limit_slider = LabeledSlider(
            self.tr("Records that may be withheld, at most"),
            0,
            100,
            0,
            0.1,
            "%",
            stops=[round(100 * limit, 3) for limit in LIMITS],
        )
        self.limit_slider.value_changed.connect(self._ask)
        self._question = Card(
            self.tr("What if …"),
            self.tr(
                "Move the sliders: nothing is decided until you take the values over."
            ),
        )
        self._sliders.addWidget(self.size_slider)
        self._question.body.addLayout(self._sliders)
        self._question.add(self.limit_slider)
        self.take_over_button = Button(
            self.tr("Take over these thresholds"),
            "primary",
            "check",
            self._on_take_over,
        )
        self.back_button = Button(
            self.tr("Back to the decided values"), "quiet", clicked=self._on_back
        )
        self._question.body.addLayout(
            row(self.take_over_button, self.back_button, None)
        )
        self._reason = ReasonLabel()
        self._question.add(self._reason)
        self._question.body.addStretch(1)
        self._build_answer()
        self._limit_chart = ChartFrame(LineView())
        self._size_chart = ChartFrame(LineView())
        self._charts = Card(
            self.tr("What each threshold costs"),
            self.tr("The other threshold stays as it is decided."),
        )
        for chart in (self._limit_chart, self._size_chart):
            chart.setMinimumHeight(280)
        self._charts.add(
            Columns([(self._size_chart, 1), (self._limit_chart, 1)], stack_below=700)
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(16)
        box.addWidget(Columns([(self._question, 1), (self._answered, 1)], 640))
        box.addWidget(self._charts)
        box.addStretch(1)

    def _size_slider(self, stops: list[int], value: int) -> LabeledSlider:
        slider = LabeledSlider(
            self.tr("Smallest group (k)"),
            stops[0],
            stops[-1],
            value,
            1.0,
            self.tr("records"),
            self.tr("How many records must look alike at least."),
            stops=[float(stop) for stop in stops],
        )
        slider.value_changed.connect(self._ask)
        return slider

    def _build_answer(self) -> None:
        self._answered = Card(self.tr("Best policy for these values"))
        self._none = Callout(
            self.tr("No policy meets these values."),
            "warning",
            self.tr("Allow more records to be withheld, or a smaller group."),
        )
        self._words = PhraseList()
        self._counts = Caption()
        self._tiles = [StatTile() for _ in range(4)]
        tiles, more = QHBoxLayout(), QHBoxLayout()
        for place, tile in enumerate(self._tiles):
            (tiles if place < 2 else more).addWidget(tile, 1)
        for part in (tiles, more):
            part.setSpacing(8)
        self._answered.add(self._none)
        self._answered.add(self._words)
        self._answered.body.addLayout(tiles)
        self._answered.body.addLayout(more)
        self._answered.add(self._counts)
        self._answered.body.addStretch(1)
        show_if(self._none, False)

    # -- what is shown -------------------------------------------------------------

    @property
    def values(self) -> tuple[int, float]:
        """Group size and limit that the sliders show."""
        return round(self.size_slider.value), round(self.limit_slider.value / 100, 6)

    def show_decided(self, candidates: Candidates) -> None:
        """Begin at the thresholds that are decided."""
        found = candidates.found
        k = group_size(found.models)
        stops = sizes_to_ask(found)
        if k == 1 or k not in stops:
            stops = sorted({k, *stops})
        self._sliders.removeWidget(self.size_slider)
        self.size_slider.hide()
        self.size_slider.deleteLater()
        self.size_slider = self._size_slider(stops, k)
        self._sliders.addWidget(self.size_slider)
        self._decided = (k, found.limit)
        self.limit_slider.set_value(100 * found.limit)
        self.show_answer(candidates, candidates)

    def show_answer(self, answer: Candidates, decided: Candidates) -> None:
        """Show what the values lead to, beside what the decided ones do."""
        self._answer = answer
        best = answer.found.optimum
        show_if(self._none, best is None)
        show_if(self._words, best is not None)
        for tile in self._tiles:
            show_if(tile, best is not None)
        words = self.tr("{some:,} of {all:,} policies meet them.")
        some = answer.found.result.n_solutions
        self._counts.setText(words.format(some=some, all=answer.n_nodes))
        self._show_buttons(answer.found)
        if best is None:
            return
        self._words.show_phrases(answer.phrases(best))
        before = decided.found.optimum
        now = figures(answer, best)
        then = figures(decided, before) if before is not None else now
        for tile, new, old in zip(self._tiles, now, then, strict=True):
            tile.set_figure(new.label, new.text, new.unit)
            tile.setToolTip(new.explanation)
            words = self.tr("decided: {figure}").format(figure=old.text)
            is_less = new.value < old.value
            status = "success" if is_less else "danger"
            tile.set_change(
                "" if new.text == old.text else words,
                None if new.text == old.text else status,  # type: ignore[arg-type]
            )

    def _show_buttons(self, answer: Found) -> None:
        is_other = self.values != self._decided
        self.take_over_button.setEnabled(is_other and answer.optimum is not None)
        show_if(self.back_button, is_other)
        k, limit = self._decided
        words = self.tr("Decided: groups of {k} records, at most {limit} withheld.")
        if k == 1:
            words = self.tr("Decided: no smallest group, at most {limit} withheld.")
        self._reason.set_reason(words.format(k=count_text(k), limit=share_text(limit)))

    def show_prices(self, prices: Prices | None, found: Found) -> None:
        """Show what each threshold costs."""
        if prices is None:
            self._limit_chart.set_chart(None)
            self._size_chart.set_chart(None)
            return
        axis = loss_axis(found)
        self._limit_chart.set_chart(
            loss_by_limit(
                prices.limits, prices.loss_by_limit, found.limit, loss_axis=axis
            )
        )
        k = group_size(found.models)
        show_if(self._size_chart, len(prices.sizes) > 1)
        if len(prices.sizes):
            k = max(k, int(prices.sizes[0]))
            self._size_chart.set_chart(
                loss_by_k(prices.sizes, prices.loss_by_size, k, loss_axis=axis)
            )

    # -- what somebody does --------------------------------------------------------

    def _ask(self) -> None:
        self.asked.emit(*self.values)

    def _on_back(self) -> None:
        k, limit = self._decided
        self.size_slider.set_value(k)
        self.limit_slider.set_value(100 * limit)
        self._ask()

    def _on_take_over(self) -> None:
        self.take_over_wanted.emit(*self.values)
