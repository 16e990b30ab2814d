"""The tree of a hierarchy on screen: groups and values, answered from arrays."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    Qt,
    Signal,
)

from deidgui.app.hierarchies.editing import Outline
from deidgui.qt.row_model import SHOWN_ROLES, Answers, Index, RowColumn
from deidgui.text import Text, escaped, share_text, tr

Place = tuple[int, int]
"""Level and number of a node of an `Outline`."""

PORTION = 400
"""Children that are shown at first, and added each time more are asked for."""

MIME = "application/x-deidgui-groups"

PLACE_ROLE = Qt.ItemDataRole.UserRole + 1
RECORDS_ROLE = Qt.ItemDataRole.UserRole + 2
SHARE_ROLE = Qt.ItemDataRole.UserRole + 3
IS_SMALL_ROLE = Qt.ItemDataRole.UserRole + 4
IS_TORN_ROLE = Qt.ItemDataRole.UserRole + 5

_LEVEL_BITS = 6
_LATER, _EARLIER = 1 << 60, 1 << 61
_ASKS = _LATER | _EARLIER
"""Marks of the rows that ask for the children after, or before, those in sight."""


class TreeColumn(IntEnum):
    """What each column of the tree shows."""

    LABEL = 0
    VALUES = 1
    RECORDS = 2


class HierarchyTreeModel(QAbstractItemModel):
    """Item model over an `Outline`: an index is a level and a node's number.

    A group with many children shows a few hundred neighbours of them, and rows that
    ask for those before and after, so that opening it costs the same at any size.

    Attributes
    ----------
    renamed : Signal of (int, str, str)
        Level, present and wanted name of a group.
    dropped : Signal of (list of (int, str), int, str)
        Groups or values (level, label) that were dragged onto a group.
    joined : Signal of (int, list of str, str)
        Groups of a level that were dragged onto another one of the same level.
    """

    renamed = Signal(int, str, str)
    dropped = Signal(object, int, str)
    joined = Signal(int, object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outline: Outline | None = None
        self._smallest = 1
        self._windows: dict[Place, tuple[int, int]] = {}
        self._without: tuple[Place | None, int] = (None, 0)
        self._torn: dict[int, frozenset[str]] = {}
        self._total = 1
        self._columns = self._declared()
        self._answers = [column.answers() for column in self._columns]

    @property
    def outline(self) -> Outline | None:
        """What is shown."""
        return self._outline

    def set_outline(
        self,
        outline: Outline | None,
        smallest: int = 1,
        torn: dict[int, frozenset[str]] | None = None,
    ) -> None:
        """Show another tree.

        Parameters
        ----------
        smallest : int
            Groups with fewer records are marked.
        torn : dict of int to frozenset of str, optional
            By level the labels that lie in several groups.
        """
        self.beginResetModel()
        self._outline, self._smallest = outline, smallest
        self._torn = torn or {}
        self._windows.clear()
        total = int(outline.records.sum()) if outline is not None else 0
        self._total = max(total, 1)
        self.endResetModel()

    def most(self) -> tuple[int, int, int]:
        """The most values and records of a group, and records of one that is small."""
        outline = self._outline
        if outline is None:
            return 0, 0, 0
        values, records = outline.n_values[-1], outline.n_records[-1]
        most = int(records.max(initial=0))
        return int(values.max(initial=0)), most, min(most, self._smallest - 1)

    # -- places --------------------------------------------------------------------

    def place(self, index: Index) -> Place | None:
        """Level and node of an index; None for the root and rows that ask for more."""
        if not index.isValid() or index.internalId() & _ASKS:
            return None
        return _decoded(index.internalId())

    def index_of(self, level: int, node: int, column: int = 0) -> QModelIndex:
        """Index of a node; if its group does not show it yet, it shows it now."""
        outline = self._outline
        if outline is None or not 0 <= node < outline.n_nodes(level):
            return QModelIndex()
        if level < outline.height:
            above = (level + 1, int(outline.parent[level][node]))
            place = self._place_in_group(level, node)
            low, high = self._window(above)
            if not low <= place < high:
                self._move_window(above, place)
        return self.createIndex(
            self._row_of(level, node), column, _encoded(level, node)
        )

    def is_more(self, index: Index) -> bool:
        """Whether an index is a row that asks for more."""
        return index.isValid() and bool(index.internalId() & _ASKS)

    def show_more(self, index: Index) -> None:
        """Show the next portion of children at a row that asks for more."""
        number = index.internalId()
        place = _decoded(number & ~_ASKS)
        low, high = self._window(place)
        if number & _LATER:
            last = min(high + PORTION, self._n_children(place))
            self._replace_row(place, _LATER, (low, last))
        else:
            self._replace_row(place, _EARLIER, (max(low - PORTION, 0), high))

    def _place_in_group(self, level: int, node: int) -> int:
        outline = self._outline
        assert outline is not None
        if level == outline.height:
            return node
        parent = int(outline.parent[level][node])
        return node - int(outline.first_child[level + 1][parent])

    def _row_of(self, level: int, node: int) -> int:
        outline = self._outline
        assert outline is not None
        place = self._place_in_group(level, node)
        if level == outline.height:
            return place
        above = (level + 1, int(outline.parent[level][node]))
        return place - self._window(above)[0] + int(self._asks(above, _EARLIER))

    def _n_children(self, place: Place) -> int:
        level, node = place
        assert self._outline is not None
        firsts = self._outline.first_child[level]
        return int(firsts[node + 1] - firsts[node])

    def _window(self, place: Place) -> tuple[int, int]:
        """First child in sight and the one after the last."""
        low, high = self._windows.get(place, (0, PORTION))
        return low, min(high, self._n_children(place))

    def _asks(self, place: Place, mark: int) -> bool:
        """Whether a group has a row that asks for earlier or later children."""
        if self._without[0] == place and self._without[1] & mark:
            return False
        low, high = self._window(place)
        return low > 0 if mark == _EARLIER else high < self._n_children(place)

    def _n_rows(self, place: Place) -> int:
        if self._without == (place, _ASKS):
            return 0
        low, high = self._window(place)
        asks = self._asks(place, _EARLIER) + self._asks(place, _LATER)
        return high - low + int(asks)

    def _index_of_group(self, place: Place) -> QModelIndex:
        return self.createIndex(self._row_of(*place), 0, _encoded(*place))

    def _replace_row(self, place: Place, mark: int, window: tuple[int, int]) -> None:
        """Put children where a row asked for them; it comes again if some are left."""
        parent = self._index_of_group(place)
        at = 0 if mark == _EARLIER else self._n_rows(place) - 1
        self.beginRemoveRows(parent, at, at)
        self._without = (place, mark)
        self.endRemoveRows()
        low, high = self._window(place)
        added = (window[1] - window[0]) - (high - low)
        self.beginInsertRows(parent, at, at + added - 1)
        self._windows[place] = window
        self.endInsertRows()
        self._without = (None, 0)
        if not self._asks(place, mark):
            return
        self._without = (place, mark)
        back = 0 if mark == _EARLIER else self._n_rows(place)
        self.beginInsertRows(parent, back, back)
        self._without = (None, 0)
        self.endInsertRows()

    def _move_window(self, place: Place, child: int) -> None:
        """Show the children around one that is far from those in sight."""
        parent, total = self._index_of_group(place), self._n_children(place)
        low = max(0, min(child - PORTION // 2, total - PORTION))
        self.beginRemoveRows(parent, 0, self._n_rows(place) - 1)
        self._without = (place, _ASKS)
        self.endRemoveRows()
        n_asking = int(low > 0) + int(low + PORTION < total)
        self.beginInsertRows(parent, 0, min(PORTION, total) + n_asking - 1)
        self._windows[place] = (low, low + PORTION)
        self._without = (None, 0)
        self.endInsertRows()

    # -- Qt: structure -------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        outline = self._outline
        if outline is None or row < 0:
            return QModelIndex()
        if parent is None or not parent.isValid():
            if row >= outline.n_nodes(outline.height):
                return QModelIndex()
            return self.createIndex(row, column, _encoded(outline.height, row))
        above = self.place(parent)
        if above is None or above[0] == 0:
            return QModelIndex()
        level, node = above
        low, high = self._window(above)
        before = int(self._asks(above, _EARLIER))
        if row < before:
            return self.createIndex(row, column, _encoded(level, node) | _EARLIER)
        if row >= before + high - low:
            if row >= self._n_rows(above):
                return QModelIndex()
            return self.createIndex(row, column, _encoded(level, node) | _LATER)
        first = int(outline.first_child[level][node]) + low - before
        return self.createIndex(row, column, _encoded(level - 1, first + row))

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        outline = self._outline
        if outline is None or not index.isValid():
            return QModelIndex()
        number = index.internalId()
        if number & _ASKS:
            level, node = _decoded(number & ~_ASKS)
        else:
            below, node = _decoded(number)
            if below >= outline.height:
                return QModelIndex()
            level, node = below + 1, int(outline.parent[below][node])
        return self.createIndex(self._row_of(level, node), 0, _encoded(level, node))

    def rowCount(self, parent: Index | None = None) -> int:
        outline = self._outline
        if outline is None or (parent is not None and parent.column() > 0):
            return 0
        if parent is None or not parent.isValid():
            return outline.n_nodes(outline.height)
        place = self.place(parent)
        if place is None or place[0] == 0:
            return 0
        return self._n_rows(place)

    def hasChildren(self, parent: Index | None = None) -> bool:
        if parent is None or not parent.isValid():
            return self._outline is not None
        place = self.place(parent)
        return place is not None and place[0] > 0 and parent.column() == 0

    def columnCount(self, _parent: Index | None = None) -> int:
        return len(TreeColumn)

    # -- Qt: data ------------------------------------------------------------------

    def _declared(self) -> tuple[RowColumn[Place], ...]:
        others: Answers[Place] = {
            Qt.ItemDataRole.EditRole: self._label,
            PLACE_ROLE: lambda place: place,
            RECORDS_ROLE: self._n_records,
            SHARE_ROLE: lambda place: self._n_records(place) / self._total,
            IS_SMALL_ROLE: self._is_small,
            IS_TORN_ROLE: self._is_torn,
        }
        return (
            RowColumn(
                title=tr("Group or value"),
                meaning=tr(
                    "Groups of the most general level first; open them to see more."
                ),
                text=lambda place: self._label(place) or tr("(empty)"),
                tooltip=self._hint,
                others=others,
            ),
            RowColumn(
                title=tr("Values"),
                meaning=tr(
                    "Distinct values of the file in the group, without missing ones."
                ),
                text=self._values_text,
                tooltip=self._hint,
                is_number=True,
                others=others,
            ),
            RowColumn(
                title=tr("Rows"),
                meaning=tr("Rows of the file in the group."),
                text=lambda place: f"{self._n_records(place):,}",
                tooltip=self._hint,
                is_number=True,
                others=others,
            ),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        place = self.place(index)
        if place is None:
            return self._more_words(index, role)
        answer = self._answers[index.column()].get(role)
        if answer is None:
            return None
        said = answer(place)
        is_text = role in SHOWN_ROLES and isinstance(said, str)
        return escaped(said) if is_text else said

    def _more_words(self, index: Index, role: int) -> str | None:
        shows = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if not self.is_more(index) or index.column() != 0 or not shows:
            return None
        place = _decoded(index.internalId() & ~_ASKS)
        low, high = self._window(place)
        if index.internalId() & _EARLIER:
            return tr("{number:,} before – show some", number=low)
        left = self._n_children(place) - high
        return tr("{number:,} more – show some", number=left)

    def _label(self, place: Place) -> str:
        assert self._outline is not None
        return self._outline.label(*place)

    def _n_values(self, place: Place) -> int:
        assert self._outline is not None
        return int(self._outline.n_values[place[0]][place[1]])

    def _values_text(self, place: Place) -> str:
        if not place[0]:
            return ""
        return "–" if self._is_missing(place) else f"{self._n_values(place):,}"

    def _is_missing(self, place: Place) -> bool:
        """Whether a group has rows, but no value: those without one are counted."""
        return self._n_records(place) > 0 and not self._n_values(place)

    def _n_records(self, place: Place) -> int:
        assert self._outline is not None
        return int(self._outline.n_records[place[0]][place[1]])

    def _is_small(self, place: Place) -> bool:
        return 0 < self._n_records(place) < self._smallest

    def _is_torn(self, place: Place) -> bool:
        return self._label(place) in self._torn.get(place[0], ())

    def _hint(self, place: Place) -> str:
        level, records = place[0], self._n_records(place)
        share = share_text(records / self._total)
        lines = [tr("Level {level}: {label}", level=level, label=self._label(place))]
        words: Text = "{rows:row|rows} ({share} of the file)"
        lines.append(tr(words, rows=records, share=share))
        if level and not self._is_missing(place):
            words = "{values:different value|different values} of the file"
            lines.append(tr(words, values=self._n_values(place)))
        if self._is_small(place):
            words = "Fewer rows than the minimum of {least:,}."
            lines.append(tr(words, least=self._smallest))
        if self._is_torn(place):
            lines.append(tr("Belongs to more than one group of the next level."))
        return "\n".join(lines)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return self._columns[section].heading(role)

    # -- Qt: editing ---------------------------------------------------------------

    def flags(self, index: Index) -> Qt.ItemFlag:
        place = self.place(index)
        if place is None:
            is_more = index.isValid()
            return Qt.ItemFlag.ItemIsEnabled if is_more else Qt.ItemFlag.NoItemFlags
        assert self._outline is not None
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        level = place[0]
        if level < self._outline.height:
            found |= Qt.ItemFlag.ItemIsDragEnabled
        if level > 0:
            found |= Qt.ItemFlag.ItemIsDropEnabled
        is_label = index.column() == TreeColumn.LABEL
        if is_label and 0 < level < self._outline.height:
            found |= Qt.ItemFlag.ItemIsEditable
        return found

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        place = self.place(index)
        if place is None or role != Qt.ItemDataRole.EditRole:
            return False
        assert self._outline is not None
        label = self._outline.label(*place)
        if str(value) != label:
            self.renamed.emit(place[0], label, str(value))
        return False  # the decision changes the tree, not the editor

    # -- Qt: dragging --------------------------------------------------------------

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Any) -> QMimeData:
        places = {self.place(index) for index in indexes}
        words = ";".join(f"{p[0]},{p[1]}" for p in sorted(p for p in places if p))
        data = QMimeData()
        data.setData(MIME, words.encode())
        return data

    def canDropMimeData(
        self,
        data: QMimeData,
        _action: Qt.DropAction,
        _row: int,
        _column: int,
        parent: Index,
    ) -> bool:
        target = self.place(parent)
        dragged = _dragged(data)
        if target is None or not dragged or target in dragged:
            return False
        levels = {level for level, _node in dragged}
        return max(levels) < target[0] or (levels == {target[0]} and target[0] > 0)

    def dropMimeData(
        self,
        data: QMimeData,
        action: Qt.DropAction,
        row: int,
        column: int,
        parent: Index,
    ) -> bool:
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        target = self.place(parent)
        assert target is not None
        assert self._outline is not None
        dragged = _dragged(data)
        if dragged[0][0] == target[0]:
            labels = [self._outline.label(*place) for place in dragged]
            self.joined.emit(target[0], labels, self._outline.label(*target))
            return False
        moved = [
            (level, self._outline.label(level, node))
            for level, node in dragged
            if int(self._outline.parent[level][node]) != target[1]
            or level + 1 != target[0]
        ]
        if moved:
            self.dropped.emit(moved, target[0], self._outline.label(*target))
        return False  # the decision moves them, not the view

    # -- what is visible -----------------------------------------------------------

    def levels_to_open(self, most: int) -> int:
        """Least level whose groups can be opened with at most `most` rows in sight."""
        outline = self._outline
        if outline is None:
            return 0
        seen = np.cumsum([outline.n_nodes(d) for d in range(outline.height, -1, -1)])
        n_open = int(np.count_nonzero(seen <= most))
        return outline.height - max(n_open - 1, 0)


def _encoded(level: int, node: int) -> int:
    return (node << _LEVEL_BITS) | level


def _decoded(number: int) -> Place:
    return number & ((1 << _LEVEL_BITS) - 1), number >> _LEVEL_BITS


def _dragged(data: QMimeData) -> list[Place]:
    text = bytes(data.data(MIME).data()).decode()
    pairs = (part.split(",") for part in text.split(";") if part)
    return [(int(level), int(node)) for level, node in pairs]
