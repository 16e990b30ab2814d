"""Policies of all sources as a matrix: a row per policy, a column per attribute."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.policies.candidate import Candidate, Cell
from deidgui.app.policies.ordering import sorted_words
from deidgui.app.policies.policy_set import Order, PolicySet
from deidgui.app.policies.source import ALTERNATIVES
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.discover.sensitivity import N_POPULATIONS
from deidgui.qt.models.figures import (
    FLAG_SIGNS,
    Flags,
    at_risk_text,
    bound_words,
    highest_text,
    mark_text,
)
from deidgui.text import Text, escaped, share_text, tr

Index = QModelIndex | QPersistentModelIndex

CELL_ROLE = Qt.ItemDataRole.UserRole + 1
"""The `Cell` that a delegate paints."""

ROLES = (
    CELL_ROLE,
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.TextAlignmentRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
"""What is told of a cell; Qt asks for nine roles of each cell that it paints."""

LONG_NAME = 9
"""Letters from which the name of an attribute takes two lines, if it can."""

MOST_CACHED = 512
"""Policies whose cells are kept: a few screens of rows."""


RISKIER = ("n_riskier", "added_risk", "added_sum")
"""Figures of the records that are riskier than under the baseline."""


class MatrixColumn(NamedTuple):
    """One column of the matrix.

    Parameters
    ----------
    key : str
        What its policies are ordered by.
    attribute : int
        Place of the attribute; -1 of a figure.
    """

    key: str
    title: str
    explanation: str
    attribute: int = -1

    @property
    def name(self) -> str:
        """Title in one line."""
        return self.title.replace("-\n", "").replace("\n", " ")


class PolicyModel(QAbstractTableModel):
    """Rows are policies in some order; texts are made only for rows that are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.policies = PolicySet()
        self._numbers: IntArray = np.empty(0, np.int64)
        self.columns: tuple[MatrixColumn, ...] = (self._place_column(self._numbers),)
        self._row_of: IntArray = np.empty(0, np.int64)
        self._flags: Flags = {}
        self._scores: FloatArray | None = None
        self._is_loss_share, self._loss_words = True, ""
        self.sorted_by = ("best", Qt.SortOrder.AscendingOrder)
        self._candidate = lru_cache(MOST_CACHED)(self.policies.candidate)

    # -- what is shown ---------------------------------------------------------------

    @property
    def numbers(self) -> IntArray:
        """Policies in the order of the rows: ndarray of int64, shape (n_rows,)."""
        return self._numbers

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the columns that show an attribute."""
        return tuple(e.explanation for e in self.columns if e.attribute >= 0)

    def set_policies(
        self,
        policies: PolicySet,
        numbers: IntArray,
        scores: FloatArray | None = None,
        *,
        is_loss_share: bool = True,
        loss_words: str = "",
    ) -> None:
        """Show some policies, in the order that is set.

        Parameters
        ----------
        numbers : ndarray of int64
            Those that are shown.
        scores : ndarray of float64, shape (len(policies),), each in [0, 1], optional
            By number: how far each keeps what is preferred.
        is_loss_share : bool, optional
            Whether the loss is written in per cent.
        loss_words : str
            How the loss of columns becomes a total.
        """
        self.beginResetModel()
        self._is_loss_share, self._loss_words = is_loss_share, loss_words
        if policies is not self.policies:
            self.policies = policies
            self._candidate = lru_cache(MOST_CACHED)(policies.candidate)
        has_preferences = self._scores is not None
        self._scores = scores
        self.columns = self._columns(numbers)
        keys = [each.key for each in self.columns]
        if "preferences" in keys and not has_preferences:
            # What is preferred comes first, until somebody asks for another order.
            self.sorted_by = ("preferences", Qt.SortOrder.AscendingOrder)
        elif self.sorted_by[0] not in keys:
            self.sorted_by = ("best", Qt.SortOrder.AscendingOrder)
        self._arrange(numbers)
        self.endResetModel()

    def set_flags(self, flags: Flags) -> None:
        """Mark policies as best, chosen or kept."""
        self._flags = flags
        if len(self._numbers):
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))

    def number_at(self, row: int) -> int:
        """Policy of a row."""
        return int(self._numbers[row])

    def row_of(self, number: int) -> int | None:
        """Row of a policy, None if it is not shown."""
        if not 0 <= number < len(self._row_of):
            return None
        row = int(self._row_of[number])
        return row if row >= 0 else None

    def candidate_at(self, row: int) -> Candidate:
        """Policy of a row with all that is known about it."""
        return self._candidate(self.number_at(row))

    def cell_at(self, index: Index) -> Cell | None:
        """What a policy does to an attribute; None in the columns of figures."""
        attribute = self.columns[index.column()].attribute
        if attribute < 0:
            return None
        return self.candidate_at(index.row()).cells[attribute]

    # -- columns ---------------------------------------------------------------------

    def _place_column(self, numbers: IntArray) -> MatrixColumn:
        words = tr("Place among the policies that meet their thresholds.")
        words = f"{words} {sorted_words(self.policies, numbers)}".strip()
        return MatrixColumn("best", tr("No."), words)

    def _columns(self, numbers: IntArray) -> tuple[MatrixColumn, ...]:
        attributes = [
            MatrixColumn(f"attribute {place}", _in_two_lines(name), name, place)
            for place, name in enumerate(self.policies.attributes)
        ]
        known = [each for each in self._figures() if self._is_known(each.key, numbers)]
        return (self._place_column(numbers), *attributes, *known)

    def _is_known(self, key: str, numbers: IntArray) -> bool:
        values = self._values(key)
        if values is None or not np.isfinite(values[numbers]).any():
            return False
        # Alternatives suppress nothing: a column of zeros would say nothing.
        kinds = {part.kind for part in self.policies.parts}
        return key != "n_suppressed" or kinds != {ALTERNATIVES}

    def _figures(self) -> tuple[MatrixColumn, ...]:
        of_people = any(part.by_person for part in self.policies.parts)
        lost = tr("How much information is lost; less is better.")
        if of_people:
            lost = tr(
                "How much information is lost; less is better. Each person counts once."
            )
        return (
            MatrixColumn(
                "preferences",
                tr("Pre-\nferred"),
                tr("How much of what you prefer to keep is kept, by weight."),
            ),
            MatrixColumn(
                "n_suppressed",
                tr("Sup-\npressed"),
                tr("Share of the people of whom nothing is released.")
                if of_people
                else tr("Share of the records of which nothing is released."),
            ),
            MatrixColumn(
                "highest_risk",
                tr("Highest\nrisk"),
                tr(
                    "Highest re-identification risk: 1 divided by the smallest "
                    "equivalence class that is released."
                ),
            ),
            MatrixColumn(
                "average_risk",
                tr("Average\nrisk"),
                tr("Average re-identification risk of the released people.")
                if of_people
                else tr("Average re-identification risk of the released records."),
            ),
            MatrixColumn(
                "loss",
                tr("Loss"),
                f"{lost} {self._loss_words}".strip(),
            ),
            *self._by_events(),
            *self._beside_baseline(),
        )

    def _by_events(self) -> tuple[MatrixColumn, ...]:
        """Figures of policies for people of whom some events are known."""
        return (
            MatrixColumn(
                "share_at_risk",
                tr("People\nat risk"),
                tr(
                    "Share of the people whom too few match, by what is known of their "
                    "events: an estimate (~), a count, or a bound."
                ),
            ),
            MatrixColumn(
                "events_loss",
                tr("Loss,\nevents"),
                tr(
                    "Non-uniform entropy of the values of people and of the values of "
                    "their events."
                ),
            ),
        )

    def _beside_baseline(self) -> tuple[MatrixColumn, ...]:
        """Figures of policies that are compared with a baseline."""
        return (
            MatrixColumn(
                "n_riskier",
                tr("Riskier"),
                tr(
                    "How many have a higher risk in the population than under the "
                    "baseline."
                ),
            ),
            MatrixColumn(
                "added_risk",
                tr("by at\nmost"),
                tr(
                    "By how much the risk of one of them is higher than under the "
                    "baseline, at most, in percentage points."
                ),
            ),
            MatrixColumn(
                "added_sum",
                tr("to-\ngether"),
                tr(
                    "By how much they are riskier together: expected "
                    "correct links more than under the baseline."
                ),
            ),
            MatrixColumn(
                "n_holding",
                tr("Holds\nin"),
                tr(
                    "In how many of {n} perturbed populations it is no riskier than "
                    "the baseline: the numbers of people are drawn with an error, the "
                    "ages over 85 by another profile.",
                    n=N_POPULATIONS,
                ),
            ),
        )

    def _values(self, key: str) -> FloatArray | None:
        if key == "preferences":
            return self._scores
        values: FloatArray = getattr(self.policies.columns, key)
        return values

    # -- order -----------------------------------------------------------------------

    @property
    def order_words(self) -> str:
        """By what the rows are sorted, and why one that loses less is not the first."""
        key = self.sorted_by[0]
        if key == "best":
            return sorted_words(self.policies, self._numbers)
        column = next(each for each in self.columns if each.key == key)
        return tr("Sorted by “{column}”.", column=column.name)

    def _arrange(self, numbers: IntArray) -> None:
        """Bring policies into order; remember where each one is."""
        is_shown = np.zeros(len(self.policies), np.bool_)
        is_shown[numbers] = True
        order = self._order(*self.sorted_by)
        self._numbers = order[is_shown[order]]
        self._row_of = np.full(len(self.policies), -1, np.int64)
        self._row_of[self._numbers] = np.arange(len(self._numbers))

    def _order(self, key: str, order: Qt.SortOrder) -> IntArray:
        is_down = order is Qt.SortOrder.DescendingOrder
        column = next(each for each in self.columns if each.key == key)
        if column.attribute < 0 and key != "preferences":
            by: Order = key  # type: ignore[assignment] # figures are named as orders
            return self.policies.order(by, descending=is_down)
        best = self.policies.order()
        if column.attribute >= 0:
            values = self.policies.levels[:, column.attribute].astype(np.float64)
        else:
            assert self._scores is not None
            values = -self._scores
        keys = -values[best] if is_down else values[best]
        return best[np.argsort(np.nan_to_num(keys, nan=np.inf), kind="stable")]

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        if not 0 <= column < len(self.columns):
            return
        self.layoutAboutToBeChanged.emit()
        self.sorted_by = (self.columns[column].key, order)
        before = self.persistentIndexList()
        numbers = [self.number_at(index.row()) for index in before]
        self._arrange(self._numbers)
        after = [
            self.index(int(self._row_of[number]), index.column())
            for number, index in zip(numbers, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    # -- what Qt asks ------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self._numbers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = 0
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return escaped(column.title)
        if role == Qt.ItemDataRole.ToolTipRole:
            marks = mark_key() if column.attribute >= 0 else ()
            return "\n".join((column.explanation, *marks))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        if role not in ROLES:
            return None
        said = self._said(index, role)
        return escaped(said) if isinstance(said, str) else said

    def _said(self, index: Index, role: int) -> Any:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        candidate, cell = self.candidate_at(index.row()), self.cell_at(index)
        if role == CELL_ROLE:
            return cell
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(candidate, column, cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._hint(candidate, column, cell)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if cell is not None:
                return cell_words(cell)
            marks = mark_text(self._flags.get(candidate.number, ()))
            text = self._text(candidate, column, cell)
            return f"{column.name}: {marks if column.key == 'best' else ''}{text}"
        return None

    def _text(
        self, candidate: Candidate, column: MatrixColumn, cell: Cell | None
    ) -> str:
        if cell is not None:
            return cell.text
        if column.key == "best":
            flags = self._flags.get(candidate.number, ())
            # The column has room for one mark; all are in the tooltip.
            first = next((each for each in FLAG_SIGNS if each in flags), None)
            place = count_text(candidate.rank) if candidate.rank else "–"
            return f"{FLAG_SIGNS[first]} {place}" if first else place
        return self.figure_text(candidate, column.key)

    def figure_text(self, candidate: Candidate, key: str) -> str:
        """Figure of a policy as people write it; "–" if it is unknown."""
        figures = candidate.figures
        if key == "preferences":
            score = np.nan if self._scores is None else self._scores[candidate.number]
            return "–" if np.isnan(score) else share_text(float(score))
        value = getattr(figures, key)
        if value is None:
            return "–"
        if key == "n_suppressed":
            return share_text(value / max(candidate.n_records, 1))
        if key == "n_riskier":
            return count_text(value)
        if key == "added_risk":
            points = 100 * value
            digits = 2 if points >= 0.1 else 1
            return "< 0.01" if 0 < points < 0.01 else f"+{points:.{digits}g}"
        if key == "added_sum":
            digits = 2 if value >= 0.1 else 1
            return "< 0.01" if 0 < value < 0.01 else f"+{value:.{digits}g}"
        if key == "n_holding":
            return f"{count_text(value)}"
        if key == "share_at_risk":
            return at_risk_text(figures)
        if key == "highest_risk":
            return highest_text(figures)
        if key == "loss":
            text = share_text(value) if self._is_loss_share else number_text(value)
            return text if figures.is_exact else f"≥ {text}"
        return share_text(value)

    def _hint(
        self, candidate: Candidate, column: MatrixColumn, cell: Cell | None
    ) -> str:
        if cell is not None:
            return cell_words(cell)
        figures = candidate.figures
        if column.key == "n_suppressed" and figures.n_suppressed is not None:
            words: Text = "{n:,} of {all:record|records}"
            if candidate.by_person:
                words = "{n:,} of {all:person|people}"
            return tr(
                words,
                n=figures.n_suppressed,
                all=candidate.n_records,
            )
        if column.key == "highest_risk" and not figures.highest_is_exact:
            return f"{column.explanation}\n{bound_words()}"
        if column.key in RISKIER and candidate.riskier:
            return f"{column.explanation}\n{candidate.riskier}"
        if column.key != "best":
            return column.explanation
        marks = mark_text(self._flags.get(candidate.number, ()))
        lines = (marks, candidate.short_words(), column.explanation)
        return "\n".join(lines).strip()


def _in_two_lines(name: str) -> str:
    """Divide a long name at the dash, line or space nearest to its middle."""
    ends = [place for place, letter in enumerate(name, start=1) if letter in "_- ."]
    if len(name) < LONG_NAME or not ends:
        return name
    middle = min(ends, key=lambda end: abs(end - len(name) / 2))
    return f"{name[:middle].rstrip()}\n{name[middle:]}"


def mark_key(*, is_raised: bool = True, is_joined: bool = True) -> Sequence[str]:
    """Say what the marks in the columns of attributes stand for.

    Parameters
    ----------
    is_raised, is_joined : bool
        Whether values are generalized to levels, and whether they are joined.
    """
    raised = tr("1/3 level 1 of 3; the bar shows the same")
    joined = tr("a strip: the values in their order, joined ones as blocks")
    return (
        tr("✓ kept in full"),
        *((raised,) if is_raised else ()),
        *((joined,) if is_joined else ()),
        tr("✗ removed"),
    )


def cell_words(cell: Cell) -> str:
    """Say what a policy does to one attribute, with the level it stands for."""
    text = f"{cell.attribute}: {cell.text}"
    if cell.effect == "generalized" and cell.level is not None:
        return f"{text} ({cell.level}/{cell.height})"
    return text


def column_places(columns: Sequence[MatrixColumn]) -> list[int]:
    """Sections of a matrix that show an attribute."""
    return [place for place, each in enumerate(columns) if each.attribute >= 0]


def _alignment(column: MatrixColumn) -> Qt.AlignmentFlag:
    is_text = column.attribute >= 0
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
