"""Sets of columns with how well they tell records apart, sortable in any way."""

from __future__ import annotations

import enum
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, Qt

from deidgui.engine.arrays import FloatArray
from deidgui.engine.detect.subsets import SubsetTable
from deidgui.qt.row_model import RowColumn, RowModel
from deidgui.text import share_text, tr

MOST_NAMED, MOST_LEFT_OUT = 5, 3
"""A set of more columns is said by those that it lacks, if they are so few."""


class SubsetColumn(enum.IntEnum):
    """Columns of the list."""

    NAMES = 0
    SIZE = 1
    SEPARATION = 2
    DISTINCTION = 3


class SubsetModel(RowModel[int]):
    """A row per set of columns, by its place in the `SubsetTable`."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._subsets: SubsetTable | None = None
        self._sorted_by = (SubsetColumn.SEPARATION, Qt.SortOrder.DescendingOrder)
        super().__init__(parent)

    def _declared(self) -> Sequence[RowColumn[int]]:
        return (
            RowColumn(
                title=tr("Columns"),
                meaning=tr("Known together."),
                text=self._names,
                tooltip=lambda place: " + ".join(self._known.names(place)),
            ),
            RowColumn(
                title=tr("How many"),
                meaning=tr("Number of columns."),
                text=lambda place: str(int(self._known.members[place].sum())),
                is_number=True,
            ),
            RowColumn(
                title=tr("Separation"),
                meaning=tr("Share of all pairs of rows that they distinguish."),
                text=lambda place: share_text(float(self._known.separation[place])),
                is_number=True,
            ),
            RowColumn(
                title=tr("Distinction"),
                meaning=tr("Distinct combinations divided by the number of rows."),
                text=lambda place: share_text(float(self._known.distinction[place])),
                is_number=True,
            ),
        )

    def _names(self, place: int) -> str:
        """Names of the columns; of nearly all, those that are left out."""
        members = self._known.members[place]
        out = [
            n
            for n, is_in in zip(self._known.attributes, members, strict=True)
            if not is_in
        ]
        if members.sum() <= MOST_NAMED or len(out) > MOST_LEFT_OUT:
            return " + ".join(self._known.names(place))
        if not out:
            return tr("all {n:column|columns}", n=len(members))
        return tr("all but {names}", names=", ".join(out))

    @property
    def _known(self) -> SubsetTable:
        assert self._subsets is not None, "no row without sets"
        return self._subsets

    def set_subsets(self, subsets: SubsetTable | None) -> None:
        """Show other sets, in the order that is set."""
        self._subsets = subsets
        self.begin_with(self._arranged())

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self._sorted_by = (SubsetColumn(max(column, 0)), order)
        self.rearrange(self._arranged())

    def _arranged(self) -> list[int]:
        subsets = self._subsets
        if subsets is None:
            return []
        heading, order = self._sorted_by
        keys: FloatArray = {
            SubsetColumn.NAMES: np.arange(len(subsets.separation), dtype=np.float64),
            SubsetColumn.SIZE: subsets.sizes.astype(np.float64),
            SubsetColumn.SEPARATION: subsets.separation,
            SubsetColumn.DISTINCTION: subsets.distinction,
        }[heading]
        keys = -keys if order is Qt.SortOrder.DescendingOrder else keys
        # Of sets that tell apart as much, the smaller ones come first.
        places: list[int] = np.lexsort((subsets.sizes, keys)).tolist()
        return places
