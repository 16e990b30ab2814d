"""Table of rows of which several can be chosen, some with check marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar, overload

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from deidgui.qt.row_model import Index, RowColumn, RowModel
from deidgui.qt.theme import theme
from deidgui.qt.widgets.polish import least_list, row_at_end, show_rows

C = TypeVar("C", bound=int)

ELIDED = 104
"""Pixels, at the usual size of texts, that a column of elided texts keeps."""

AROUND_LINES = 8
"""Pixels above and below several lines of text in a row."""


class RowTable(QTableView):
    """Rows are chosen as usual; a click on a check mark leaves the choice alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widths: dict[int, int] = {}
        self._usual: dict[int, int] = {}
        self._growing: tuple[int, ...] = ()
        self._optional: tuple[int, ...] = ()
        self._lines = self._around = 0
        self._is_fitting = self._is_measured = False
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def minimumSizeHint(self) -> QSize:
        return least_list(self)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, keys: Qt.KeyboardModifier
    ) -> QModelIndex:
        return row_at_end(self, action) or super().moveCursor(action, keys)

    def set_lines(self, lines: int, around: int) -> None:
        """Make each row as high as lines of text, and pixels above and below them."""
        self._lines, self._around = lines, around
        show_rows(self, self._lines_height())

    def _lines_height(self) -> int:
        return self._lines * self.fontMetrics().height() + self._around

    def set_widths(
        self,
        widths: Mapping[C, int],
        growing: Iterable[C] = (),
        optional: Iterable[C] = (),
    ) -> None:
        """Make columns so wide, in pixels at the usual size of texts.

        Parameters
        ----------
        growing : iterable of int, optional
            Columns that share what is left, until somebody makes one as wide as they
            want; without them the last one takes it.
        optional : iterable of int, optional
            Columns of which as many are shown, the first first, as have whole room.
        """
        self._widths = {int(place): width for place, width in widths.items()}
        self._usual = self._widths
        self._growing = tuple(map(int, growing))
        self._optional = tuple(map(int, optional))
        if self._growing:
            self.horizontalHeader().sectionResized.connect(self._on_section_resized)
        self._fit_widths()

    def fit_to(self, widths: Mapping[C, int]) -> None:
        """Make columns as wide as their texts, unless somebody has made one wider."""
        if self._growing:
            self._widths = {int(place): width for place, width in widths.items()}
            self._is_measured = True
            self._fit_widths()

    def _fit_widths(self) -> None:
        # Bars that come and go meanwhile make it fit once more within this.
        was_fitting, self._is_fitting = self._is_fitting, True
        widths = {n: self._scaled(width) for n, width in self._widths.items()}
        self._make_room(widths)
        left = self._show_optional(widths)
        for place in self._growing if left and not self._is_measured else ():
            lacking = max(0, min(left, self._needed_width(place) - widths[place]))
            widths[place] += lacking
            left -= lacking
        for place, width in widths.items():
            more = left // len(self._growing) if place in self._growing else 0
            self.setColumnWidth(place, width + more)
        self._is_fitting = was_fitting

    def _scaled(self, width: int) -> int:
        return round(width * theme().text_scale)

    def _make_room(self, widths: dict[int, int]) -> None:
        """Take what the list lacks from columns of texts, the last ones first.

        Those that stand half empty give their room, or else those wider than usual;
        then texts are elided.
        """
        fixed = sum(w for n, w in widths.items() if n not in self._optional)
        lacking = fixed - self.viewport().width()
        usual = (lambda place: self._scaled(self._usual[place]),)
        first = usual if self._is_measured else (self._needed_width,)
        for least in (*first, lambda _place: self._scaled(ELIDED)):
            for place in reversed(self._growing if lacking > 0 else ()):
                spare = max(0, min(widths[place] - least(place), lacking))
                widths[place] -= spare
                lacking -= spare

    def _show_optional(self, widths: Mapping[int, int]) -> int:
        """Show the optional columns that have whole room; return the pixels left."""
        fixed = sum(w for n, w in widths.items() if n not in self._optional)
        left, has_room = self.viewport().width() - fixed, True
        for place in self._optional:
            wanted = self._scaled(self._widths[place])
            has_room = has_room and wanted <= left
            left -= wanted if has_room else 0
            self.setColumnHidden(place, not has_room)
        return max(0, left)

    def _needed_width(self, place: int) -> int:
        """Pixels of the widest text of a column among those in sight, and its title."""
        # PERF: Qt would measure a thousand rows, which took 80 ms.
        self.horizontalHeader().setResizeContentsPrecision(0)
        title = self.horizontalHeader().sectionSizeHint(place)
        return max(title, self.sizeHintForColumn(place))

    def _on_section_resized(self, place: int, before: int, now: int) -> None:
        """Leave widths alone once somebody has chosen one."""
        header = self.horizontalHeader()
        shown = (n for n in range(header.count()) if not header.isSectionHidden(n))
        is_chosen = before > 0 and now > 0  # else it was hidden or shown, maybe later
        if is_chosen and not self._is_fitting and place != max(shown, default=-1):
            self._growing = ()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._growing:
            self._fit_widths()
        elif self._optional:
            self._show_optional({n: self.columnWidth(n) for n in self._widths})

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit_widths()
            if self._lines:
                self.verticalHeader().setDefaultSectionSize(self._lines_height())

    def choose_current(self) -> None:
        """Choose the row that the cursor is on if none is: it is what others show."""
        if self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.selectRow(self.currentIndex().row())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Choose the row that the keyboard has come to: keys are about that one."""
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.MouseFocusReason:
            self.choose_current()

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            # PERF: whether a whole column is chosen, its heading would ask each row.
            header = self.horizontalHeader()
            header.setSelectionModel(QItemSelectionModel(model, header))

    def selectionCommand(
        self, index: Index, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        if isinstance(event, QMouseEvent) and self._is_on_check(index, event):
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

    def _is_on_check(self, index: Index, event: QMouseEvent) -> bool:
        if index.data(Qt.ItemDataRole.CheckStateRole) is None:
            return False
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        check = self.style().subElementRect(part, option, self)
        return check.contains(event.position().toPoint())


class MadeRows(Sequence[Sequence[str]]):
    """Rows of texts that are made when they are first shown.

    Parameters
    ----------
    make : callable
        Gets the place of a row.
    """

    def __init__(self, number: int, make: Callable[[int], Sequence[str]]) -> None:
        self._number, self._make = number, cache(make)

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, place: int) -> Sequence[str]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Sequence[str]]: ...

    def __getitem__(
        self, place: int | slice
    ) -> Sequence[str] | Sequence[Sequence[str]]:
        if isinstance(place, slice):
            return [self._make(each) for each in range(self._number)[place]]
        return self._make(range(self._number)[place])


ROWS_MEASURED = 40
"""Rows whose texts decide how wide a column is."""


class _CheckModel(RowModel[int]):
    """Rows of texts, of which some are checked."""

    changed = Signal()

    def __init__(
        self,
        heads: Sequence[str],
        texts: Sequence[Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        self._heads, self._texts = heads, texts
        self.checked: set[int] = set()
        super().__init__(parent)
        self.begin_with(range(len(texts)))

    def _declared(self) -> Sequence[RowColumn[int]]:
        return [
            RowColumn(
                title=head,
                text=lambda row, at=at: self._texts[row][at],  # type: ignore[misc]
                is_checked=None if at else lambda row: row in self.checked,
            )
            for at, head in enumerate(self._heads)
        ]

    def _on_checked(self, row: int, is_on: bool) -> None:
        self.check((row,), is_on)

    def check(self, rows: Iterable[int], is_on: bool) -> None:
        """Check or uncheck rows."""
        places = list(rows)
        change = self.checked.update if is_on else self.checked.difference_update
        change(places)
        self.redraw(places)
        self.changed.emit()


class CheckTable(RowTable):
    """Rows of texts to check; Space checks all rows that are chosen.

    Parameters
    ----------
    name : str
        For screen readers.
    rows : sequence of sequence of str
        A text for each heading.

    Attributes
    ----------
    changed : Signal
        Other rows are checked.
    """

    changed = Signal()

    def __init__(
        self,
        name: str,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._rows = _CheckModel(heads, rows, self)
        self._rows.changed.connect(self.changed)
        self.setModel(self._rows)
        self.setAccessibleName(name)
        self.set_lines(1, 12)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(ROWS_MEASURED)
        self._is_fitted = self._wraps = False

    def wrap_texts(self) -> None:
        """Let a text without room stand on several lines; for few rows."""
        self._wraps = True
        self.setWordWrap(True)
        lines = self.verticalHeader()
        lines.setMinimumSectionSize(lines.defaultSectionSize())

    def _fit_heights(self) -> None:
        if self._wraps:
            self.resizeRowsToContents()
            lines = self.verticalHeader()
            for line in range(lines.count()):
                if (high := lines.sectionSize(line)) > lines.minimumSectionSize():
                    lines.resizeSection(line, high + AROUND_LINES)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_heights()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_fitted:
            # Only now it has the letters that it is seen with.
            self._is_fitted = True
            self.resizeColumnsToContents()
            self._share_room()
        self._fit_heights()

    def _share_room(self) -> None:
        """Give the names half of what the last column would have for itself."""
        header = self.horizontalHeader()
        last = header.logicalIndex(header.count() - 1)
        before = sum(header.sectionSize(n) for n in range(header.count()) if n != last)
        left = self.viewport().width() - before - self.sizeHintForColumn(last)
        if left > 0 and last > 0:
            self.setColumnWidth(0, self.columnWidth(0) + left // 2)

    @property
    def checked(self) -> tuple[int, ...]:
        """Places of the rows that are checked, ascending."""
        return tuple(sorted(self._rows.checked))

    def check(self, rows: Iterable[int], is_on: bool = True) -> None:
        """Check or uncheck rows."""
        self._rows.check(rows, is_on)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows = {index.row() for index in self.selectedIndexes()}
        if event.key() == Qt.Key.Key_Space and rows:
            self.check(rows, not rows <= self._rows.checked)
        else:
            super().keyPressEvent(event)
