"""Item models of rows, declared column by column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from deidgui.app.glossary import explained
from deidgui.text import escaped

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
Answers = Mapping[int, Callable[[Row], Any]]
"""What is answered about a row, by Qt's role."""

SORT_ROLE = Qt.ItemDataRole.UserRole + 1
"""What a row is sorted by in a column."""

NAME_ROLE = Qt.ItemDataRole.UserRole + 2
"""Name of a row, whatever the column."""

SHOWN_ROLES = frozenset(
    (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
    )
)
"""Roles of texts that people read: names and values of strangers are `escaped`."""

LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


NO_FLAGS = Qt.ItemFlag.NoItemFlags
FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemNeverHasChildren
)
"""Of every cell of a table."""

CHECKED = FLAGS | Qt.ItemFlag.ItemIsUserCheckable


@dataclass(frozen=True, kw_only=True)
class RowColumn(Generic[Row]):
    """One column: its heading, and what it says of a row.

    Attributes
    ----------
    meaning : str
        Explains the heading under the pointer.
    is_number : bool
        Whether it stands at the right.
    said : callable or None
        For screen readers, where the text alone does not say it.
    tooltip : callable or None
        Where it is another one than what is said.
    sign : callable or None
        Icon before the text.
    is_checked : callable or None
        Of a column with check marks; None is a dash: neither.
    others : dict of int to callable
        What is answered in roles of the model's own.
    """

    title: str
    text: Callable[[Row], str]
    meaning: str = ""
    is_number: bool = False
    sort_key: Callable[[Row], Any] | None = None
    tooltip: Callable[[Row], str | None] | None = None
    said: Callable[[Row], str] | None = None
    sign: Callable[[Row], Any] | None = None
    is_checked: Callable[[Row], bool | None] | None = None
    others: Answers[Row] = field(default_factory=dict)

    @property
    def alignment(self) -> int:
        """Side of heading and cells."""
        return RIGHT if self.is_number else LEFT

    def heading(self, role: int) -> Any:
        """What the heading answers."""
        return {
            Qt.ItemDataRole.DisplayRole: escaped(self.title),
            Qt.ItemDataRole.ToolTipRole: self.meaning or explained(self.title) or None,
            Qt.ItemDataRole.TextAlignmentRole: self.alignment,
        }.get(Qt.ItemDataRole(role))

    def answers(self) -> Answers[Row]:
        """What a cell answers."""
        found = {
            Qt.ItemDataRole.DisplayRole: self.text,
            Qt.ItemDataRole.ToolTipRole: self.tooltip or self.said or self.text,
            Qt.ItemDataRole.AccessibleTextRole: self.said,
            Qt.ItemDataRole.DecorationRole: self.sign,
            Qt.ItemDataRole.CheckStateRole: self.is_checked and self._check_state,
            Qt.ItemDataRole.TextAlignmentRole: lambda _row: self.alignment,
            SORT_ROLE: self.sort_key,
            **self.others,
        }
        return {role: answer for role, answer in found.items() if answer is not None}

    def _check_state(self, row: Row) -> Qt.CheckState:
        assert self.is_checked is not None
        is_on = self.is_checked(row)
        if is_on is None:
            return Qt.CheckState.PartiallyChecked
        return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked


class RowModel(QAbstractTableModel, Generic[Row]):
    """Item model over a sequence of rows; texts are made only for shown rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()
        self._places: dict[object, int] = {}
        self._columns: Sequence[RowColumn[Row]] = ()
        self._answers: list[Answers[Row]] = []
        self._cell_flags: list[Qt.ItemFlag] = []
        self._declare(self._declared())

    def _declared(self) -> Sequence[RowColumn[Row]]:
        """Columns of the table."""
        raise NotImplementedError

    def _declare(self, columns: Sequence[RowColumn[Row]]) -> None:
        """Show other columns; within a reset."""
        self._columns = columns
        self._answers = [column.answers() for column in columns]
        checks = [column.is_checked is not None for column in columns]
        self._cell_flags = [CHECKED if has_checks else FLAGS for has_checks in checks]

    def _key(self, row: Row) -> object:
        """By what a row is recognised after a change."""
        return row

    def _on_checked(self, row: Row, is_on: bool) -> None:
        """Tell that somebody clicked a check mark."""

    # -- content -------------------------------------------------------------------

    def begin_with(self, rows: Sequence[Row]) -> None:
        """Show other rows, of which nothing is known yet."""
        self.beginResetModel()
        self._take(rows)
        self.endResetModel()

    def _take(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._places = {self._key(row): place for place, row in enumerate(rows)}

    def rearrange(self, rows: Sequence[Row]) -> None:
        """Show the same rows in another order; what is selected stays so."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        keys = [self._key(self.row_at(index.row())) for index in before]
        self._take(rows)
        after = [
            self.index(self.row_of(key), index.column())
            for key, index in zip(keys, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def set_rows(self, rows: Sequence[Row]) -> bool:
        """Show other rows; True if the table had to begin anew.

        Rows with the same keys keep their places and the selection.
        """
        before = self._rows
        if [self._key(row) for row in rows] != list(self._places):
            self.begin_with(rows)
            return True
        self._rows = rows
        pairs = enumerate(zip(before, rows, strict=True))
        # PERF: most rows are the very same objects.
        changed = [n for n, (old, new) in pairs if old is not new and old != new]
        self.redraw(changed)
        return False

    def redraw(self, places: Sequence[int]) -> None:
        """Say that what is shown of some rows has changed."""
        if places:
            last = self.index(max(places), len(self._columns) - 1)
            self.dataChanged.emit(self.index(min(places), 0), last)

    def row_at(self, place: int) -> Row:
        """What is shown at a place."""
        return self._rows[place]

    def row_of(self, key: object) -> int:
        """Place of a row, -1 if it is not there."""
        return self._places.get(key, -1)

    # -- Qt ------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return self._cell_flags[index.column()] if index.isValid() else NO_FLAGS

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return self._columns[section].heading(role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        answer = self._answers[index.column()].get(role)
        if answer is None:
            return None
        said = answer(self.row_at(index.row()))
        is_text = role in SHOWN_ROLES and isinstance(said, str)
        return escaped(said) if is_text else said

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        is_on = Qt.CheckState(value) is Qt.CheckState.Checked
        self._on_checked(self.row_at(index.row()), is_on)
        return True
