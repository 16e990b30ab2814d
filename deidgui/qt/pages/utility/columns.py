"""What the release preserves of single columns and of pairs of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.charts.base import BarChart, HeatMap, Histogram
from deidgui.app.measuring.comparing import ColumnComparison
from deidgui.qt.charts.bars import BarView, HistogramView
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.heat_map import HeatMapView
from deidgui.qt.widgets import (
    Caption,
    Card,
    Columns,
    ComboBox,
    InTurns,
    Label,
    ShownStack,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import escaped, tr


class DistributionPane(QWidget):
    """Distribution of one column, before and in the release."""

    column_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chooser = ComboBox(name=tr("Column"))
        self.chooser.currentIndexChanged.connect(self._on_chosen)
        self._bars, self._bins = ChartFrame(BarView()), ChartFrame(HistogramView())
        card = Card()
        pages = QWidget()
        self._stack = ShownStack(pages)
        for frame in (self._bars, self._bins):
            self._stack.addWidget(frame)
        self._bins.setMinimumHeight(380)
        words = Label(tr("Column"), "body", "muted")
        card.add(holder(row(words, self.chooser, None)))
        card.add(pages)
        self._scope = Caption()
        card.add(self._scope)
        card.add(
            Caption(
                tr(
                    "For comparison, the rows of a group are distributed evenly "
                    "over its values. A grouped column with very many values is "
                    "shown by its groups."
                )
            )
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card)
        box.addStretch(1)

    def show_columns(self, comparison: ColumnComparison) -> None:
        """Offer other columns; the same one stays chosen."""
        _offer(self.chooser, comparison.names)
        _say(self._scope, comparison)

    def show_chart(self, chart: BarChart | Histogram | None) -> None:
        """Show the distribution of the chosen column."""
        if isinstance(chart, Histogram):
            self._bins.set_chart(chart)
            self._stack.setCurrentWidget(self._bins)
        else:
            self._bars.set_chart(chart)
            self._stack.setCurrentWidget(self._bars)

    def _on_chosen(self) -> None:
        self.column_wanted.emit(self.chooser.current)


class RelationPane(QWidget):
    """Associations of all columns and the cross table of two of them."""

    pair_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ComboBox(name=tr("Rows of the cross table"))
        self.columns = ComboBox(name=tr("Columns of the cross table"))
        for chooser in (self.rows, self.columns):
            chooser.currentIndexChanged.connect(self._on_chosen)
        self._maps = [ChartFrame(HeatMapView()) for _ in range(4)]
        self._associations, self._crossing = InTurns(self), InTurns(self)
        matrices, tables = Card(), Card()
        matrices.add(self._pair(0))
        self._scope = Caption()
        matrices.add(self._scope)
        matrices.add(
            Caption(
                tr(
                    "Cramér's V: 0 means no association, 1 means that one column "
                    "determines the other. A column with very many distinct values "
                    "appears associated with every other; interpret it last."
                )
            )
        )
        tables.add(
            holder(
                row(
                    Label(tr("Rows"), "body", "muted"),
                    self.rows,
                    Label(tr("Columns"), "body", "muted"),
                    self.columns,
                    None,
                )
            )
        )
        tables.add(self._pair(2))
        self.setLayout(column(matrices, tables, None, spacing=16))

    def _pair(self, first: int) -> QWidget:
        sides = []
        titles = (tr("Before"), tr("In the release"))
        for title, frame in zip(titles, self._maps[first : first + 2], strict=True):
            side = QWidget()
            inner = QVBoxLayout(side)
            inner.setContentsMargins(0, 0, 0, 0)
            inner.addWidget(Label(title, "overline", "muted"))
            inner.addWidget(frame, 1)
            sides.append((side, 1))
        self._maps[first].level_with(self._maps[first + 1])
        return Columns(sides, stack_below=760)

    def show_comparison(self, comparison: ColumnComparison | None) -> None:
        """Show the associations; None while they are measured."""
        before, after = comparison.association_maps() if comparison else (None, None)
        self._associations.begin(_set_in_pieces(self._maps[:2], (before, after)))
        _say(self._scope, comparison)
        if comparison is not None:
            names = comparison.names
            _offer(self.rows, names)
            _offer(self.columns, names, place=1)

    def show_cross_tables(self, tables: tuple[HeatMap, HeatMap] | None) -> None:
        """Show the cross tables of the chosen pair."""
        before, after = tables if tables is not None else (None, None)
        self._crossing.begin(_set_in_pieces(self._maps[2:], (before, after)))

    def _on_chosen(self) -> None:
        self.pair_wanted.emit(self.rows.current, self.columns.current)


def _set_in_pieces(
    frames: Sequence[ChartFrame], charts: Sequence[HeatMap | None]
) -> Iterator[None]:
    """Show other charts, one in each turn; none of before beside one of now."""
    for frame in frames:
        frame.set_chart(None)
    for frame, chart in zip(frames, charts, strict=True):
        frame.set_chart(chart)
        yield


def _say(scope: Caption, comparison: ColumnComparison | None) -> None:
    """Say which columns are shown, unless all are."""
    words = comparison.words if comparison is not None else ""
    scope.setText(words)
    show_if(scope, bool(words))


def _offer(box: ComboBox, names: tuple[str, ...], place: int = 0) -> None:
    """Offer other names without telling; what was chosen stays if it can."""
    box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
    before = box.current
    was_blocked = box.blockSignals(True)
    box.clear()
    for name in names:
        box.addItem(escaped(name), name)
    box.setCurrentIndex(
        names.index(before) if before in names else min(place, len(names) - 1)
    )
    box.blockSignals(was_blocked)
