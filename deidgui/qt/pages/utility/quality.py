"""How useful the release is: every quality measure with its sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.measuring.comparing import loss_by_column
from deidgui.app.measuring.measuring import Measured, QualityFigure
from deidgui.qt.charts.bars import BarView
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.models.figures import measure_text, measure_words
from deidgui.qt.widgets import (
    Badge,
    Caption,
    Card,
    ComboBox,
    InTurns,
    Label,
    clear,
    column,
    holder,
    line,
    refilled,
    row,
    show_if,
)
from deidgui.text import tr

NAMES_IN_TURN = 4
"""Measures whose words are made in one turn of the event loop."""


class QualityPane(QWidget):
    """Loss by column and the table of measures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: dict[str, QualityFigure] = {}
        self._weights: Mapping[str, float] = {}
        self.measure = ComboBox(name=tr("Measure by column"))
        self.measure.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.measure.currentIndexChanged.connect(self._show_chart)
        self.by_column = ChartFrame(BarView())
        self.by_column.setMinimumHeight(280)
        self._chart_card = Card()
        words = Label(tr("Measure"), "body", "muted")
        self._chart_card.add(holder(row(words, self.measure, None)))
        self._meaning = Caption()
        self._chart_card.add(self._meaning)
        self._chart_card.add(self.by_column)
        self._table = Card(
            tr("All measures"),
            tr("Each measures a different aspect of utility. Less is always better."),
        )
        self.measured: Measured | None = None
        self._turns = InTurns(self)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(8)
        for place, share in enumerate((3, 1)):
            self._grid.setColumnStretch(place, share)
        self._counted = Label("", wrap=True)
        self._table.add(self._counted)
        self._table.body.addLayout(self._grid)
        self.setLayout(column(self._chart_card, self._table, None, spacing=16))

    def show_measured(self, measured: Measured, weights: Mapping[str, float]) -> None:
        """Show the measures of a release: the chart, and in other turns the table."""
        self.measured, self._weights = measured, weights
        self._turns.begin(self._show_in_pieces(measured))

    def _show_in_pieces(self, measured: Measured) -> Iterator[None]:
        by_column = [each for each in measured.quality if each.by_attribute]
        self._figures = {each.measure.kind: each for each in by_column}
        was_blocked = self.measure.blockSignals(True)
        before = self.measure.current
        self.measure.clear()
        for each in by_column:
            self.measure.addItem(tr(each.measure.title), each.measure.kind)
        if before in self._figures:
            self.measure.set_current(before)
        self.measure.blockSignals(was_blocked)
        show_if(self._chart_card, bool(by_column))
        self._counted.setText(measured.quality_words)
        show_if(self._counted, bool(measured.quality_words))
        self._show_chart()
        clear(self._grid)  # figures of another release are not seen meanwhile
        yield
        names = []
        for place, figure in enumerate(measured.quality):
            names.append(self._name(figure, is_guiding=place == 0))
            if len(names) % NAMES_IN_TURN == 0:
                yield
        counted = tr("rows") if measured.is_quality_of_rows else tr("records")
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop
        with refilled(self._grid):
            for place, figure in enumerate(measured.quality):
                if place:
                    self._grid.addWidget(line(), 2 * place - 1, 0, 1, 2)
                self._grid.addWidget(names[place], 2 * place, 0)
                value = Label(_value(figure, counted), "strong", wrap=True)
                value.setAlignment(right)
                self._grid.addWidget(value, 2 * place, 1)

    def _name(self, figure: QualityFigure, *, is_guiding: bool) -> QWidget:
        parts: list[QWidget] = [Label(tr(figure.measure.title), "strong", wrap=True)]
        if is_guiding:
            badge = Badge(tr("guides the search"), "accent", "target")
            parts.append(holder(row(badge, None)))
        words = measure_words(figure.measure, self._weights)
        parts.append(Label(words, "caption", "muted", wrap=True))
        if figure.value is None:
            why = tr(
                "Not defined: some values are released in groups that are not a "
                "level of their hierarchy."
            )
            parts.append(Label(why, "caption", "warning", wrap=True))
        return holder(column(*parts, spacing=2))

    def _show_chart(self) -> None:
        figure = self._figures.get(self.measure.current)
        self._meaning.setText("" if figure is None else figure.measure.words())
        self.by_column.set_chart(None if figure is None else loss_by_column(figure))


def _value(figure: QualityFigure, counted: str) -> str:
    if figure.value is None:
        return "–"
    return measure_text(figure.measure, figure.value, counted)
