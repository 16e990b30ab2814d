"""Alternatives as a table of thousands of rows, and how their figures are written."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)

from deidgui.app.charts.formats import count_text, number_text, share_text
from deidgui.app.charts.plane import Flag
from deidgui.app.tasks.discover import Discovered, Ordered
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.qt.models.figures import FLAG_SIGNS, Flags, flag_words

Index = QModelIndex | QPersistentModelIndex


class Heading(enum.IntEnum):
    """Columns of the list."""

    PLACE = 0
    POLICY = 1
    WISHES = 2
    RISK = 3
    JOINED = 4
    LOSS = 5


def expected_text(risk: float) -> str:
    """Write an expected number of correct links; small ones keep four digits.

    Parameters
    ----------
    risk : float, >= 0
    """
    if 0 < risk < 0.0001:
        return f"{risk:.1e}"
    if 0 < risk < 10:
        return f"{risk:.4f}".rstrip("0").rstrip(".")
    return number_text(risk)


def risk_text(discovered: Discovered, number: int) -> str:
    """Risk of an alternative as a share of what is allowed; expected links without."""
    share = float(discovered.risk_share[number])
    if np.isnan(share):
        return expected_text(float(discovered.risk[number]))
    return share_text(min(share, 1.0))


FEW_RUNS = 6
"""So many groups of an attribute are named in one line; else they are counted."""


def short_words(discovered: Discovered, number: int) -> str:
    """Say in one line what is joined; "Nothing is joined" if nothing is."""
    policy = discovered.alternatives[number].policy
    row = discovered.table3_row(number)
    words = []
    for domain, groups, text in zip(
        policy.space.domains, policy.groups, row, strict=True
    ):
        if text == "∅":
            continue
        if text.count("[") > FEW_RUNS:
            told = QCoreApplication.translate("alternatives", "{n:,} values as {m:,}")
            text = told.format(n=domain.n_values, m=int(groups[-1]) + 1)
        words.append(f"{domain.attribute} {text}")
    nothing = QCoreApplication.translate("alternatives", "Nothing is joined")
    return ", ".join(words) or nothing


class AlternativeModel(QAbstractTableModel):
    """Rows are alternatives in some order; texts are made only for rows shown."""

    def __init__(self) -> None:
        super().__init__()
        self._discovered: Discovered | None = None
        self._ordered: Ordered | None = None
        self._numbers: IntArray = np.empty(0, np.int64)
        self._place: IntArray = np.empty(0, np.int64)
        self._row_of: IntArray = np.empty(0, np.int64)
        self._flags: Flags = {}
        self._words: dict[int, str] = {}
        self._sorted_by = (Heading.PLACE, Qt.SortOrder.AscendingOrder)

    @property
    def numbers(self) -> IntArray:
        """Alternatives in the order of the rows: int64, (n_rows,)."""
        return self._numbers

    def set_discovered(
        self, discovered: Discovered, ordered: Ordered, numbers: IntArray
    ) -> None:
        """Show some alternatives.

        Parameters
        ----------
        discovered : Discovered
        ordered : Ordered
            Of them all.
        numbers : ndarray of int64
            Those that are shown.
        """
        self.beginResetModel()
        if discovered is not self._discovered:
            self._words = {}
        self._discovered, self._ordered = discovered, ordered
        self._place = np.empty(len(ordered.numbers), np.int64)
        self._place[ordered.numbers] = np.arange(len(ordered.numbers))
        self._numbers = numbers
        self._arrange()
        self.endResetModel()

    def set_flags(self, flags: Flags) -> None:
        """Mark alternatives as chosen or kept."""
        self._flags = flags
        if len(self._numbers):
            last = self.index(len(self._numbers) - 1, Heading.POLICY)
            self.dataChanged.emit(self.index(0, Heading.POLICY), last)

    def number_at(self, row: int) -> int:
        """Alternative of a row."""
        return int(self._numbers[row])

    def row_of(self, number: int) -> int | None:
        """Row of an alternative, None if it is not shown."""
        if not 0 <= number < len(self._row_of):
            return None
        row = int(self._row_of[number])
        return row if row >= 0 else None

    def _arrange(self) -> None:
        if self._discovered is None:
            return
        heading, order = self._sorted_by
        by_place = self._numbers[np.argsort(self._place[self._numbers], kind="stable")]
        keys = self._keys(heading)
        if keys is not None:
            keys = keys[by_place]
            is_up = order is Qt.SortOrder.AscendingOrder
            by_place = by_place[np.argsort(keys if is_up else -keys, kind="stable")]
        elif order is Qt.SortOrder.DescendingOrder:
            by_place = by_place[::-1]
        self._numbers = by_place
        self._row_of = np.full(len(self._discovered), -1, np.int64)
        self._row_of[by_place] = np.arange(len(by_place))

    def _keys(self, heading: Heading) -> FloatArray | IntArray | None:
        """Numbers by which a column is sorted; None if the order decides."""
        assert self._discovered is not None
        assert self._ordered is not None
        match heading:
            case Heading.WISHES:
                return -self._ordered.scores
            case Heading.RISK:
                return self._discovered.risk
            case Heading.JOINED:
                return self._discovered.n_joined
            case Heading.LOSS:
                return self._discovered.loss
            case Heading.POLICY:
                return np.arange(len(self._discovered), dtype=np.int64)
            case _:
                return None

    # -- what Qt asks --------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self._numbers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(Heading)

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = (Heading(column), order)
        before = self.persistentIndexList()
        numbers = [self.number_at(index.row()) for index in before]
        self._arrange()
        after = [
            self.index(int(self._row_of[number]), index.column())
            for number, index in zip(numbers, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        title, explanation = self._headings()[Heading(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            # Room for the arrow that says by what the list is sorted.
            return f"{title}\u2003"
        if role == Qt.ItemDataRole.ToolTipRole:
            return explanation
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def _headings(self) -> Mapping[Heading, tuple[str, str]]:
        return {
            Heading.PLACE: (
                self.tr("No."),
                self.tr(
                    "Place in the order of your wishes; without wishes those that join "
                    "fewest values come first."
                ),
            ),
            Heading.POLICY: (
                self.tr("What is joined"),
                self.tr(
                    "Values in one bracket are released as one; all others are kept."
                ),
            ),
            Heading.WISHES: (
                self.tr("Wishes"),
                self.tr("How much of what you wish to keep is kept, by weight."),
            ),
            Heading.RISK: (
                self.tr("Risk"),
                self.tr(
                    "Share of the allowed risk that is used; 100 % is as risky as the "
                    "baseline."
                ),
            ),
            Heading.JOINED: (
                self.tr("Joined"),
                self.tr("Values that are released together with others."),
            ),
            Heading.LOSS: (
                self.tr("Loss"),
                self.tr(
                    "Information lost: 0 % keeps every value, 100 % joins all values."
                ),
            ),
        }

    def data(self, index: Index, role: int = 0) -> Any:
        if not index.isValid() or self._discovered is None:
            return None
        number = self.number_at(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(number, Heading(index.column()))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        is_words = index.column() == Heading.POLICY
        if role == Qt.ItemDataRole.ToolTipRole and is_words:
            return self._discovered.words(number).replace("; ", "\n")
        return None

    def _text(self, number: int, heading: Heading) -> str:
        found = self._discovered
        assert found is not None
        assert self._ordered is not None
        match heading:
            case Heading.PLACE:
                return count_text(int(self._place[number]) + 1)
            case Heading.POLICY:
                if number not in self._words:
                    self._words[number] = short_words(found, number)
                return mark_text(self._flags.get(number, ())) + self._words[number]
            case Heading.WISHES:
                return share_text(float(self._ordered.scores[number]))
            case Heading.RISK:
                return risk_text(found, number)
            case Heading.JOINED:
                return count_text(int(found.n_joined[number]))
            case Heading.LOSS:
                return share_text(float(found.loss_share[number]))


def mark_text(flags: tuple[Flag, ...]) -> str:
    """Signs and names of marks, to stand before the words of a policy."""
    return "".join(f"{FLAG_SIGNS[flag]} {flag_words(flag)}  " for flag in flags)


def _alignment(column: int) -> Qt.AlignmentFlag:
    is_text = column == Heading.POLICY
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
