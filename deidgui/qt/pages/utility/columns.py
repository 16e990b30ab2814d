"""What the release preserves of single columns and of pairs of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.charts.base import BarChart, HeatMap, Histogram
from deidgui.app.measuring import comparing
from deidgui.app.measuring.comparing import ColumnComparison
from deidgui.qt.charts.bars import BarView, HistogramView
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.heat_map import HeatMapView
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    CheckList,
    Columns,
    ComboBox,
    InTurns,
    Label,
    Popover,
    ShownStack,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import escaped, tr


class ColumnChoice(QWidget):
    """Says which columns are shown, unless all are, and lets others be chosen.

    Attributes
    ----------
    chosen : Signal of tuple of str
        Names of the columns that are wanted.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.words = Caption()
        self.button = Button(tr("Choose columns…"), "link", clicked=self._open)
        self.setLayout(row((self.words, 1), self.button))
        self._offered: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()
        self._sheet: Popover | None = None

    def show_comparison(self, comparison: ColumnComparison) -> None:
        """Say which columns are compared."""
        self._offered, self._names = comparison.offered, comparison.names
        self.words.setText(comparison.words)
        show_if(self.button, len(self._offered) > len(self._names))
        show_if(self, bool(comparison.words))

    def _make_sheet(self) -> Popover:
        self.list = CheckList(tr("Columns shown"), tr("Find a column"), 224)
        self.list.changed.connect(self._show_number)
        self.list.accepted.connect(self._choose)
        self.show_them = Button("", "primary", clicked=self._choose)
        sheet = Popover(self.button)
        for part in (self.list, self.show_them):
            sheet.body.addWidget(part)
        return sheet

    def _open(self) -> None:
        if self._sheet is None:
            self._sheet = self._make_sheet()
        self.list.set_texts(self._offered, self._names)
        self._show_number()
        self._sheet.open_at(self.button)
        self.list.setFocus()

    def _show_number(self, _checked: object = None) -> None:
        n, most = len(self.list.checked), comparing.MOST_COLUMNS
        words = tr("Show {n:column|columns}", n=n)
        if n > most:
            words = tr("At most {most:column|columns}", most=most)
        self.show_them.setText(words)
        self.show_them.setEnabled(0 < n <= most)

    def _choose(self) -> None:
        if self._sheet is not None and self.show_them.isEnabled():
            self._sheet.close()
            self.chosen.emit(self.list.checked)


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
        self.choice = ColumnChoice()
        card.add(self.choice)
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
        self.choice.show_comparison(comparison)

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
        self.choice = ColumnChoice()
        matrices.add(self.choice)
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
        if comparison is not None:
            self.choice.show_comparison(comparison)
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
