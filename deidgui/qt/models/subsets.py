"""Sets of columns with how well they tell records apart, sortable in any way."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from deidgui.app.charts.formats import share_text
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.detect.subsets import SubsetTable
from deidgui.text import tr

Index = QModelIndex | QPersistentModelIndex


class Heading(enum.IntEnum):
    """Columns of the list."""

    NAMES = 0
    SIZE = 1
    SEPARATION = 2
    DISTINCTION = 3


class SubsetModel(QAbstractTableModel):
    """A row per set of columns; names are joined only for rows that are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._subsets: SubsetTable | None = None
        self._order: IntArray = np.empty(0, dtype=np.int64)
        self._sorted_by = (Heading.SEPARATION, Qt.SortOrder.DescendingOrder)

    def set_subsets(self, subsets: SubsetTable | None) -> None:
        """Show other sets, in the order that is set."""
        self.beginResetModel()
        self._subsets = subsets
        self._arrange()
        self.endResetModel()

    def place_at(self, row: int) -> int:
        """Place in the `SubsetTable` of a row."""
        return int(self._order[row])

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = (Heading(max(column, 0)), order)
        self._arrange()
        self.layoutChanged.emit()

    def _arrange(self) -> None:
        subsets = self._subsets
        if subsets is None:
            self._order = np.empty(0, dtype=np.int64)
            return
        heading, order = self._sorted_by
        keys: FloatArray = {
            Heading.NAMES: np.arange(len(subsets.separation), dtype=np.float64),
            Heading.SIZE: subsets.sizes.astype(np.float64),
            Heading.SEPARATION: subsets.separation,
            Heading.DISTINCTION: subsets.distinction,
        }[heading]
        keys = -keys if order is Qt.SortOrder.DescendingOrder else keys
        # Of sets that tell apart as much, the smaller ones come first.
        self._order = np.lexsort((subsets.sizes, keys)).astype(np.int64)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._order)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Heading)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._subsets is None:
            return None
        heading = Heading(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(heading)
        if role == Qt.ItemDataRole.DisplayRole or (
            role == Qt.ItemDataRole.ToolTipRole and heading is Heading.NAMES
        ):
            return self._text(self._subsets, self.place_at(index.row()), heading)
        return None

    def _text(self, subsets: SubsetTable, place: int, heading: Heading) -> str:
        match heading:
            case Heading.NAMES:
                return " + ".join(subsets.names(place))
            case Heading.SIZE:
                return str(int(subsets.members[place].sum()))
            case Heading.SEPARATION:
                return share_text(float(subsets.separation[place]))
        return share_text(float(subsets.distinction[place]))

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        titles = {
            Heading.NAMES: (tr("Columns"), tr("Known together.")),
            Heading.SIZE: (tr("How many"), tr("Number of columns.")),
            Heading.SEPARATION: (
                tr("Separation"),
                tr("Share of all pairs of records that they tell apart."),
            ),
            Heading.DISTINCTION: (
                tr("Distinction"),
                tr("Different combinations divided by the number of records."),
            ),
        }
        if role == Qt.ItemDataRole.DisplayRole:
            return titles[Heading(section)][0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return titles[Heading(section)][1]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None


def _alignment(heading: int) -> int:
    is_text = heading == Heading.NAMES
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)
