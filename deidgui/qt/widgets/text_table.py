"""A small table of texts that nobody edits."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from deidgui.app.glossary import explained
from deidgui.qt.widgets.polish import row_at_end
from deidgui.text import escaped

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
"""Nothing of a text is checked or edited."""


_AT_SIDES, _ABOVE_AND_BELOW, _ENDLESS = 24, 9, 100_000
"""Pixels of a cell beside and above its text, and more than any text needs."""

LETTERS = 8
"""So many letters wide is each column at least."""

LEAST_LETTERS = 20
"""So many letters wide is what takes the room that is left, if its texts are long."""

SHORT_HEAD = 12
"""Letters of a head that stays in one line."""

ROWS_MEASURED = 100
"""Rows whose texts decide how wide a column is."""


def in_two_lines(head: str) -> str:
    """A long head in the two lines that are shortest; one word stays in one."""
    words = head.split(" ") if len(head) > SHORT_HEAD else [head]
    ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return "\n".join(min(ways, key=lambda way: max(map(len, way)), default=(head,)))


class TextTable(QTableWidget):
    """Rows of texts, one of which can be selected.

    Parameters
    ----------
    name : str
        For screen readers.
    wide : int
        Column that takes the room that is left; its texts are tooltips, too.
    numbers : collection of int
        Columns that stand at the right, and whose heads take two lines: the numbers
        are short.
    wraps : bool
        Whether long texts take several lines, and the table is as high as its rows.
    """

    _fitted: int | None = None
    _kept: int = 0

    def __init__(
        self,
        name: str,
        heads: Sequence[str],
        *,
        wide: int = 0,
        numbers: Collection[int] = (),
        wraps: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(0, len(heads), parent)
        self._wide, self._numbers_at = wide, frozenset(numbers)
        self._shown: list[tuple[list[str], bool]] = []
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(wraps)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self._fit_rows()
        header = self.horizontalHeader()
        header.setDefaultAlignment(_LEFT)
        self.setHorizontalHeaderLabels(list(heads))
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(ROWS_MEASURED)
        header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self._on_section_resized)
        self.horizontalScrollBar().rangeChanged.connect(self._fit_height)
        if wraps:
            self.setProperty("kind", "lines")
            self.verticalHeader().setMinimumSectionSize(self.row_height)
            self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
            # Qt tells it while the last column still has its former width.
            self._rows = QTimer(self, singleShot=True, interval=0)
            self._rows.timeout.connect(self._fit_wrapped)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, keys: Qt.KeyboardModifier
    ) -> QModelIndex:
        return row_at_end(self, action) or super().moveCursor(action, keys)

    def sizeHintForRow(self, row: int) -> int:
        """Room for all lines of a row; Qt forgets what the style sheet leaves free."""
        hint = super().sizeHintForRow(row)
        if not self.wordWrap():
            return hint
        for place in range(self.columnCount()):
            item = self.item(row, place)
            if item is None:
                continue
            font = self.font()
            font.setBold(item.font().bold())
            room = QRect(0, 0, self.columnWidth(place) - _AT_SIDES, _ENDLESS)
            wrap = Qt.TextFlag.TextWordWrap
            lines = QFontMetrics(font).boundingRect(room, wrap, item.text())
            hint = max(hint, lines.height() + _ABOVE_AND_BELOW)
        return hint

    def minimumSizeHint(self) -> QSize:
        """All rows where texts wrap: what scrolls is the page alone."""
        least = super().minimumSizeHint()
        if self.wordWrap():
            least.setHeight(self.sizeHint().height())
        elif self._kept:
            least.setHeight(self._height_of(self._kept, has_bar=True))
        return least

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_wide()

    def _on_section_resized(self, place: int, _old: int, _new: int) -> None:
        if place != self._wide:
            self._fit_wide()
        if self.wordWrap():
            self._rows.start()

    def _fit_wide(self) -> None:
        """Give the wide column what it needs where the others leave too little.

        Qt leaves it as wide as it was where nothing is left for it.
        """
        header, wide = self.horizontalHeader(), self._wide
        mode = QHeaderView.ResizeMode
        others = [at for at in range(header.count()) if at != wide]
        if any(header.sectionResizeMode(at) is mode.Stretch for at in others):
            return
        letters = LEAST_LETTERS * self.fontMetrics().averageCharWidth()
        hint = max(self.sizeHintForColumn(wide), header.sectionSizeHint(wide))
        least = min(hint, letters)
        left = self.viewport().width() - sum(map(header.sectionSize, others))
        header.setSectionResizeMode(
            wide, mode.Stretch if left >= least else mode.Interactive
        )
        if left < least:
            header.resizeSection(wide, least)

    def _fit_wrapped(self) -> None:
        """Give each row the room of its lines, and the table that of its rows."""
        self.resizeRowsToContents()
        self.updateGeometry()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.row_height)
        least = LETTERS * self.fontMetrics().averageCharWidth()
        self.horizontalHeader().setMinimumSectionSize(least)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_rows()
            self._fit_bold()
            self._fit_height()

    def _fit_bold(self) -> None:
        """Give bold rows the size of the others; Qt keeps the font of an item."""
        if not hasattr(self, "_shown"):
            return
        font = self._bold_font()
        with QSignalBlocker(self.model()):
            for at, (texts, is_bold) in enumerate(self._shown):
                for place in range(len(texts) if is_bold else 0):
                    if (item := self.item(at, place)) is not None:
                        item.setFont(font)
        self.viewport().update()

    def _bold_font(self) -> QFont:
        font = self.font()
        font.setBold(True)
        return font

    @property
    def row_height(self) -> int:
        """Pixels of a row."""
        # Rows that wrap have lines between them.
        padding = _ABOVE_AND_BELOW if self.wordWrap() else 12
        return self.fontMetrics().height() + padding

    def setHorizontalHeaderLabels(self, labels: Sequence[str]) -> None:
        """Say what the columns are; terms are explained under the pointer."""
        lines = [
            in_two_lines(label) if place in self._numbers_at else label
            for place, label in enumerate(labels)
        ]
        super().setHorizontalHeaderLabels(lines)
        for place, label in enumerate(labels):
            if (head := self.horizontalHeaderItem(place)) is not None:
                head.setToolTip(explained(label))
        for place in self._numbers_at:
            if (head := self.horizontalHeaderItem(place)) is not None:
                head.setTextAlignment(_RIGHT)

    def show_texts(self, rows: Sequence[Sequence[str]], *, bold: int = -1) -> None:
        """Show other rows; names and values of strangers are escaped.

        Parameters
        ----------
        bold : int
            Row that stands out; -1 for none.
        """
        self.setRowCount(len(rows))
        # PERF: else the widths of all columns are measured again for each item.
        self.model().blockSignals(True)
        font = self._bold_font()
        before = self._shown
        self._shown = [(list(texts), at == bold) for at, texts in enumerate(rows)]
        for at, texts in enumerate(rows):
            if at < len(before) and before[at] == self._shown[at]:
                continue
            for place, text in enumerate(map(escaped, texts)):
                item = QTableWidgetItem(text)
                item.setFlags(_FLAGS)
                if place == self._wide:
                    item.setToolTip(text)
                if place in self._numbers_at:
                    item.setTextAlignment(_RIGHT)
                if at == bold:
                    item.setFont(font)
                self.setItem(at, place, item)
        self.model().blockSignals(False)
        if rows:
            last = self.model().index(len(rows) - 1, self.columnCount() - 1)
            self.model().dataChanged.emit(self.model().index(0, 0), last)
        if self.wordWrap():
            self._fit_wrapped()

    def keep_visible(self, n_rows: int) -> None:
        """Be at least so high that a heading and some rows are seen."""
        self._kept = n_rows
        self.updateGeometry()

    def fit(self, n_rows: int) -> None:
        """Be as high as a heading and some rows, and the bar below them if there is."""
        self._fitted = n_rows
        self._fit_height()

    def _fit_height(self) -> None:
        if self._fitted is None:
            return
        bar = self.horizontalScrollBar()
        has_bar = bar.maximum() > bar.minimum()
        self.setFixedHeight(self._height_of(self._fitted, has_bar=has_bar))

    def _height_of(self, n_rows: int, *, has_bar: bool) -> int:
        height = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()
        if has_bar:
            height += self.horizontalScrollBar().sizeHint().height()
        return height + n_rows * self.row_height
