"""The candidates of a search as a table of up to hundreds of thousands of rows."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.charts.plane import Flag
from deidgui.app.tasks.exploring import Candidates
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.qt.models.figures import FLAG_SIGNS, Flags, flag_words, loss_text

Index = QModelIndex | QPersistentModelIndex


class Heading(enum.IntEnum):
    """Columns of the list."""

    RANK = 0
    POLICY = 1
    WITHHELD = 2
    LOSS = 3
    AVERAGE_RISK = 4
    HIGHEST_RISK = 5


class CandidateModel(QAbstractTableModel):
    """Rows are nodes in some order; texts are made only for rows that are shown."""

    def __init__(self) -> None:
        super().__init__()
        self._candidates: Candidates | None = None
        self._nodes: IntArray = np.empty(0, dtype=np.int64)
        self._row_of: IntArray = np.empty(0, dtype=np.int64)
        self._flags: Flags = {}
        self._sorted_by = (Heading.RANK, Qt.SortOrder.AscendingOrder)

    @property
    def nodes(self) -> IntArray:
        """Nodes in the order of the rows: ndarray of int64, shape (n_rows,)."""
        return self._nodes

    def set_candidates(self, candidates: Candidates | None, nodes: IntArray) -> None:
        """Show some nodes, in the order that is set."""
        self.beginResetModel()
        self._candidates = candidates
        self._nodes = nodes
        self._arrange()
        self.endResetModel()

    def set_flags(self, flags: Flags) -> None:
        """Mark nodes as best, chosen or kept."""
        self._flags = flags
        if len(self._nodes):
            last = self.index(len(self._nodes) - 1, Heading.POLICY)
            self.dataChanged.emit(self.index(0, Heading.POLICY), last)

    def node_at(self, row: int) -> int:
        """Node of a row."""
        return int(self._nodes[row])

    def row_of(self, node: int) -> int | None:
        """Row of a node, None if it is not shown."""
        if not 0 <= node < len(self._row_of):
            return None
        row = int(self._row_of[node])
        return row if row >= 0 else None

    def _arrange(self) -> None:
        """Bring the nodes into order; remember where each one is."""
        candidates = self._candidates
        if candidates is None:
            self._row_of = np.empty(0, dtype=np.int64)
            return
        heading, order = self._sorted_by
        is_shown = np.zeros(candidates.n_nodes, dtype=np.bool_)
        is_shown[self._nodes] = True
        by_rank = candidates.by_rank[is_shown[candidates.by_rank]]
        keys = _keys(candidates, heading)
        if keys is not None:
            # Equal ones stay in the order of their rank, whatever the direction.
            keys = keys[by_rank]
            is_up = order is Qt.SortOrder.AscendingOrder
            by_rank = by_rank[np.argsort(keys if is_up else -keys, kind="stable")]
        elif order is Qt.SortOrder.DescendingOrder:
            by_rank = by_rank[::-1]
        self._nodes = by_rank
        self._row_of = np.full(candidates.n_nodes, -1, dtype=np.int64)
        self._row_of[by_rank] = np.arange(len(by_rank))

    # -- what Qt asks --------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self._nodes)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(Heading)

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = (Heading(column), order)
        before = self.persistentIndexList()
        nodes = [self.node_at(index.row()) for index in before]
        self._arrange()
        after = [
            self.index(int(self._row_of[node]), index.column())
            for node, index in zip(nodes, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            # Room for the arrow that says by what the list is sorted.
            return self._titles()[section] + "\u2003"
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._explanations()[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def _titles(self) -> tuple[str, ...]:
        return (
            self.tr("Rank"),
            self.tr("Policy"),
            self.tr("Withheld"),
            self.tr("Loss"),
            self.tr("Average risk"),
            self.tr("Highest risk"),
        )

    def _explanations(self) -> tuple[str, ...]:
        return (
            self.tr(
                "Place among the policies that meet the thresholds, by loss; “–” does "
                "not meet them."
            ),
            self.tr("What happens to each column. Columns in full are not changed."),
            self.tr("Records of which nothing is released."),
            self.tr("How much information is lost; less is better."),
            self.tr(
                "How likely it is on average that a known person's released record is "
                "found."
            ),
            self.tr(
                "The same for the person who is easiest to find: 1 divided by the "
                "smallest group that is released."
            ),
        )

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid() or self._candidates is None:
            return None
        node = self.node_at(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self._candidates, node, Heading(index.column()))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._hint(self._candidates, node, Heading(index.column()))
        return None

    def _hint(self, candidates: Candidates, node: int, heading: Heading) -> str:
        if heading is Heading.POLICY:
            return "\n".join(str(each) for each in candidates.phrases(node))
        if heading is Heading.WITHHELD:
            words = self.tr("{n:,} of {all:,} records")
            withheld = int(candidates.found.withheld[node])
            return words.format(n=withheld, all=candidates.found.n_records)
        return ""

    def _text(self, candidates: Candidates, node: int, heading: Heading) -> str:
        found = candidates.found
        match heading:
            case Heading.RANK:
                rank = int(candidates.rank[node])
                return count_text(rank) if rank else "–"
            case Heading.POLICY:
                marks = _mark_text(self._flags.get(node, ()))
                return marks + candidates.short_words(node)
            case Heading.WITHHELD:
                withheld = int(found.withheld[node])
                return share_text(withheld / max(found.n_records, 1))
            case Heading.LOSS:
                return loss_text(found, node)
            case Heading.AVERAGE_RISK:
                return share_text(float(found.average_risk[node]))
            case Heading.HIGHEST_RISK:
                return share_text(float(candidates.highest_risk[node]))


def _mark_text(flags: tuple[Flag, ...]) -> str:
    return "".join(f"{FLAG_SIGNS[flag]} {flag_words(flag)}  " for flag in flags)


def _alignment(column: int) -> Qt.AlignmentFlag:
    is_text = column == Heading.POLICY
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def _keys(candidates: Candidates, heading: Heading) -> FloatArray | IntArray | None:
    """Numbers by which a column is sorted; None if the rank decides."""
    found = candidates.found
    match heading:
        case Heading.POLICY:
            return np.arange(candidates.n_nodes, dtype=np.int64)
        case Heading.WITHHELD:
            return found.withheld
        case Heading.LOSS:
            return found.loss
        case Heading.AVERAGE_RISK:
            return found.average_risk
        case Heading.HIGHEST_RISK:
            return candidates.highest_risk
        case _:
            return None
