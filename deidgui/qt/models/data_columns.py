"""The columns of the data with type, failing cells and missing values, a row each."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.project import Attribute
from deidgui.app.tasks.summaries import Cell
from deidgui.engine.data.value_types import TypeGuess
from deidgui.qt import icons
from deidgui.qt.column_words import type_words
from deidgui.qt.models.attributes import NAME_ROLE, SORT_ROLE, WAITING
from deidgui.qt.models.summaries import Summaries
from deidgui.text import tr

Index = QModelIndex | QPersistentModelIndex


class Heading(enum.IntEnum):
    """Columns of the list."""

    NAME = 0
    TYPE = 1
    FAILING = 2
    MISSING = 3
    VALUES = 4


def is_ambiguous(attribute: Attribute, guess: TypeGuess | None) -> bool:
    """Whether the values of a column can be read in two ways, as it is typed now."""
    return guess is not None and guess.ambiguous and attribute.kind == guess.kind


class ColumnModel(QAbstractTableModel):
    """A row per column of the data, in file order.

    Attributes
    ----------
    include_wanted : Signal of (str, bool)
        A check mark was clicked; the model waits for the decision.
    """

    include_wanted = Signal(str, bool)

    def __init__(self, summaries: Summaries, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._summaries = summaries
        self._attributes: tuple[Attribute, ...] = ()
        self._types: Mapping[str, TypeGuess] = {}
        self._rows: dict[str, int] = {}
        self._answered: frozenset[str] = frozenset()
        summaries.found.connect(self._on_found)

    def set_attributes(
        self,
        attributes: Sequence[Attribute],
        types: Mapping[str, TypeGuess],
        answered: frozenset[str] = frozenset(),
    ) -> None:
        """Show other decisions; the same columns keep their rows and selection.

        Parameters
        ----------
        types : mapping of str to TypeGuess
            What was found when the file was read.
        answered : frozenset of str
            Columns whose ambiguous format a person has decided.
        """
        after = tuple(attributes)
        is_same = [a.name for a in after] == list(self._rows)
        self._types, self._answered = types, answered
        if is_same:
            self._attributes = after
            if after:
                last = self.index(len(after) - 1, len(Heading) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._attributes = after
        self._rows = {each.name: row for row, each in enumerate(after)}
        self.endResetModel()

    def attribute_at(self, row: int) -> Attribute:
        """Attribute of a row."""
        return self._attributes[row]

    def row_of(self, name: str) -> int:
        """Row of a column, -1 if it is not there."""
        return self._rows.get(name, -1)

    def is_open(self, attribute: Attribute) -> bool:
        """Whether a person must choose between two readings of the values."""
        is_answered = attribute.name in self._answered
        guess = self._types.get(attribute.name)
        return is_ambiguous(attribute, guess) and not is_answered

    def wants_a_look(self, attribute: Attribute) -> bool:
        """Whether cells fail or the format is not decided."""
        summary = self._summaries.get(attribute)
        return self.is_open(attribute) or bool(summary and summary.n_failing)

    def _on_found(self, names: tuple[str, ...]) -> None:
        rows = [self._rows[name] for name in names if name in self._rows]
        if rows:
            first = self.index(min(rows), Heading.FAILING)
            self.dataChanged.emit(first, self.index(max(rows), Heading.VALUES))

    # -- Qt ------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._attributes)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Heading)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.column() == Heading.NAME:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        titles = {
            Heading.NAME: (
                tr("Column"),
                tr("Without a check mark it is left out of the release."),
            ),
            Heading.TYPE: (tr("Type"), tr("What its values are read as.")),
            Heading.FAILING: (
                tr("Not of the type"),
                tr("Cells that are neither missing nor of the column's type."),
            ),
            Heading.MISSING: (
                tr("Missing"),
                tr("Share of the records without a value."),
            ),
            Heading.VALUES: (
                tr("Values"),
                tr("Different values; missing ones are not counted."),
            ),
        }
        if role == Qt.ItemDataRole.DisplayRole:
            return titles[Heading(section)][0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return titles[Heading(section)][1]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        attribute = self._attributes[index.row()]
        heading = Heading(index.column())
        if role == SORT_ROLE:  # PERF: first, since sorting asks most
            return self._sort_key(attribute, heading, index.row())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(attribute, heading)
            case Qt.ItemDataRole.CheckStateRole if heading is Heading.NAME:
                checked, not_checked = Qt.CheckState.Checked, Qt.CheckState.Unchecked
                return checked if attribute.include else not_checked
            case Qt.ItemDataRole.DecorationRole:
                return self._glyph(attribute, heading)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(heading)
            case Qt.ItemDataRole.ToolTipRole if heading is Heading.TYPE:
                return self._type_hint(attribute)
            case Qt.ItemDataRole.ToolTipRole if heading is Heading.NAME:
                return attribute.name
            case _ if role == NAME_ROLE:
                return attribute.name
        return None

    def setData(
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        name = self._attributes[index.row()].name
        is_on = Qt.CheckState(value) is Qt.CheckState.Checked
        self.include_wanted.emit(name, is_on)
        return True

    def _text(self, attribute: Attribute, heading: Heading) -> str:
        summary = self._summaries.get(attribute)
        match heading:
            case Heading.NAME:
                if attribute.include:
                    return attribute.name
                return tr("{name} (left out)", name=attribute.name)
            case Heading.TYPE:
                return type_words(attribute)
            case Heading.FAILING if summary:
                return count_text(summary.n_failing) if summary.n_failing else "–"
            case Heading.MISSING if summary:
                return share_text(summary.missing_share)
            case Heading.VALUES if summary:
                return count_text(summary.n_values)
        return WAITING

    def _glyph(self, attribute: Attribute, heading: Heading) -> Any:
        summary = self._summaries.get(attribute)
        if heading is Heading.TYPE and self.is_open(attribute):
            return icons.icon("help", "warning")
        if heading is Heading.FAILING and summary and summary.n_failing:
            return icons.icon("warning", "warning")
        return None

    def _type_hint(self, attribute: Attribute) -> str:
        if self.is_open(attribute):
            return tr("The values can be read in two ways; please choose.")
        return type_words(attribute)

    def _sort_key(self, attribute: Attribute, heading: Heading, row: int) -> Any:
        summary = self._summaries.get(attribute)
        match heading:
            case Heading.NAME:
                return row
            case Heading.TYPE:
                return type_words(attribute)
            case Heading.FAILING:
                return summary.n_failing if summary else -1
            case Heading.MISSING:
                return summary.missing_share if summary else -1.0
        return summary.n_values if summary else -1


def _alignment(heading: int) -> int:
    is_text = heading in (Heading.NAME, Heading.TYPE)
    side = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class ColumnFilter(QSortFilterProxyModel):
    """Sorts the columns and shows only those that somebody looks for."""

    def __init__(self, model: ColumnModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._text, self._kind = "", "all"
        self.setSortRole(SORT_ROLE)
        self.setDynamicSortFilter(False)
        self.setSourceModel(model)

    def show_only(self, text: str, kind: str) -> None:
        """Show the columns whose name has a text.

        Parameters
        ----------
        kind : str
            ``all``, ``look`` (something to decide), ``left_out``, or a type.
        """
        self.beginFilterChange()
        self._text, self._kind = text.casefold().strip(), kind
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        attribute = self._model.attribute_at(row)
        match self._kind:
            case "all":
                is_of_kind = True
            case "look":
                is_of_kind = self._model.wants_a_look(attribute)
            case "left_out":
                is_of_kind = not attribute.include
            case kind:
                is_of_kind = attribute.kind == kind
        return is_of_kind and self._text in attribute.name.casefold()


class FailingModel(QAbstractTableModel):
    """Failing cells of one column: line in the file, and text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cells: tuple[Cell, ...] = ()

    def set_cells(self, cells: tuple[Cell, ...]) -> None:
        """Show other cells."""
        self.beginResetModel()
        self._cells = cells
        self.endResetModel()

    def table_row(self, row: int) -> int:
        """Row of the table behind a row of the list."""
        return self._cells[row][1]

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._cells)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 2

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        is_title = role == Qt.ItemDataRole.DisplayRole
        if orientation is Qt.Orientation.Horizontal and is_title:
            return (tr("Line"), tr("Cell"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line, _row, text = self._cells[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return count_text(line) if index.column() == 0 else text[:200]
        if role == Qt.ItemDataRole.ToolTipRole:
            return text[:2000]
        return None
