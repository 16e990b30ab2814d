"""The columns of the data with role, finding and figures, a row each."""

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

from deidgui.app.charts.columns import Spark
from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.project import Attribute
from deidgui.engine.detect.roles import Finding
from deidgui.qt.charts.spark import spark_text
from deidgui.qt.column_words import (
    ROLES,
    band_words,
    finding_words,
    reason_words,
    type_words,
    words,
)
from deidgui.qt.models.summaries import Summaries
from deidgui.text import tr

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole + 1
NAME_ROLE = Qt.ItemDataRole.UserRole + 2

WAITING = "…"


class Heading(enum.IntEnum):
    """Columns of the list."""

    NAME = 0
    ROLE = 1
    FINDING = 2
    VALUES = 3
    MISSING = 4
    SPREAD = 5
    SEPARATION = 6
    DISTINCTION = 7


RIGHT = (Heading.VALUES, Heading.MISSING, Heading.SEPARATION, Heading.DISTINCTION)


class AttributeModel(QAbstractTableModel):
    """A row per column of the data, in file order; texts only for shown rows.

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
        self._findings: Mapping[str, Finding] = {}
        self._rows: dict[str, int] = {}
        summaries.found.connect(self._on_found)

    # -- content -------------------------------------------------------------------

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """What is shown, in file order."""
        return self._attributes

    def set_attributes(
        self, attributes: Sequence[Attribute], findings: Mapping[str, Finding]
    ) -> None:
        """Show other decisions; the same columns keep their rows and selection."""
        after = tuple(attributes)
        is_same = [a.name for a in after] == list(self._rows)
        self._findings = findings
        if not is_same:
            self.beginResetModel()
            self._attributes = after
            self._rows = {each.name: row for row, each in enumerate(after)}
            self.endResetModel()
            return
        changed = [
            row
            for row, (old, new) in enumerate(zip(self._attributes, after, strict=True))
            if old != new
        ]
        self._attributes = after
        if changed:
            last = self.index(changed[-1], len(Heading) - 1)
            self.dataChanged.emit(self.index(changed[0], 0), last)

    def attribute_at(self, row: int) -> Attribute:
        """Attribute of a row."""
        return self._attributes[row]

    def finding(self, name: str) -> Finding | None:
        """What was found about a column, if it was looked at."""
        return self._findings.get(name)

    def row_of(self, name: str) -> int:
        """Row of a column, -1 if it is not there."""
        return self._rows.get(name, -1)

    def spark_at(self, row: int) -> Spark | None:
        """Small distribution of a row, once it is known."""
        summary = self._summaries.get(self._attributes[row])
        return summary.spark if summary else None

    def _on_found(self, names: tuple[str, ...]) -> None:
        rows = [self._rows[name] for name in names if name in self._rows]
        if rows:
            first = self.index(min(rows), Heading.VALUES)
            self.dataChanged.emit(first, self.index(max(rows), Heading.SPREAD))

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
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles()[Heading(section)][0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._titles()[Heading(section)][1]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def _titles(self) -> dict[Heading, tuple[str, str]]:
        return {
            Heading.NAME: (
                tr("Column"),
                tr("Name and type. Without a check mark it is left out."),
            ),
            Heading.ROLE: (
                tr("Role"),
                tr("What the column means for privacy. Keys 1 to 4 set it."),
            ),
            Heading.FINDING: (
                tr("Finding"),
                tr("What name and values look like, and how sure that is."),
            ),
            Heading.VALUES: (
                tr("Values"),
                tr("Different values; missing ones are not counted."),
            ),
            Heading.MISSING: (
                tr("Missing"),
                tr("Share of the records without a value."),
            ),
            Heading.SPREAD: (
                tr("Distribution"),
                tr("Numbers and dates in their order, else most frequent first."),
            ),
            Heading.SEPARATION: (
                tr("Tells apart"),
                tr(
                    "Separation: share of all pairs of records that this column alone "
                    "tells apart. 100 % means that no two records are alike."
                ),
            ),
            Heading.DISTINCTION: (
                tr("Distinction"),
                tr("Different values divided by the number of records."),
            ),
        }

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
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(heading)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(attribute, heading)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._said(attribute, heading)
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
        finding = self._findings.get(attribute.name)
        summary = self._summaries.get(attribute)
        match heading:
            case Heading.NAME:
                return attribute.name
            case Heading.ROLE:
                return words(attribute.role) if attribute.role else ""
            case Heading.FINDING:
                return finding_words(finding)
            case Heading.VALUES:
                return count_text(summary.n_values) if summary else WAITING
            case Heading.MISSING:
                return share_text(summary.missing_share) if summary else WAITING
            case Heading.SEPARATION:
                return share_text(finding.separation) if finding else ""
            case Heading.DISTINCTION:
                return share_text(finding.distinction) if finding else ""
        return ""

    def _tooltip(self, attribute: Attribute, heading: Heading) -> str:
        if heading is Heading.SPREAD:
            return spark_text(self.spark_at(self._rows[attribute.name]))
        finding = self._findings.get(attribute.name)
        if heading in (Heading.ROLE, Heading.FINDING) and finding is not None:
            return "\n".join(reason_words(reason) for reason in finding.reasons)
        return self._said(attribute, heading)

    def _said(self, attribute: Attribute, heading: Heading) -> str:
        text = self._text(attribute, heading)
        match heading:
            case Heading.NAME:
                state = "" if attribute.include else tr("left out")
                return ", ".join(filter(None, [text, type_words(attribute), state]))
            case Heading.ROLE:
                state = "" if attribute.confirmed else tr("proposed")
                return ", ".join(filter(None, [text, state]))
            case Heading.FINDING:
                finding = self._findings.get(attribute.name)
                band = band_words(finding.band) if finding else ""
                return ", ".join(filter(None, [band, text]))
            case Heading.SPREAD:
                return spark_text(self.spark_at(self._rows[attribute.name]))
        return text

    def _sort_key(self, attribute: Attribute, heading: Heading, row: int) -> Any:
        finding = self._findings.get(attribute.name)
        summary = self._summaries.get(attribute)
        match heading:
            case Heading.NAME:
                return row
            case Heading.ROLE:
                role = ROLES.index(attribute.role) if attribute.role else len(ROLES)
                return 2 * role + attribute.confirmed
            case Heading.FINDING:
                return -finding.score if finding else 1.0
            case Heading.VALUES:
                return summary.n_values if summary else -1
            case Heading.MISSING:
                return summary.missing_share if summary else -1.0
            case Heading.SEPARATION:
                return finding.separation if finding else -1.0
        return finding.distinction if finding else -1.0


def _alignment(heading: int) -> int:
    side = (
        Qt.AlignmentFlag.AlignRight if heading in RIGHT else Qt.AlignmentFlag.AlignLeft
    )
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class AttributeFilter(QSortFilterProxyModel):
    """Sorts the columns and shows only those that somebody looks for."""

    def __init__(self, model: AttributeModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._text, self._kind = "", "all"
        self.setSortRole(SORT_ROLE)
        self.setDynamicSortFilter(False)
        self.setSourceModel(model)

    def show_only(self, text: str, kind: str) -> None:
        """Show the columns whose name or finding has a text, of one kind.

        Parameters
        ----------
        kind : str
            A role, ``all``, ``proposed`` or ``left_out``.
        """
        self.beginFilterChange()
        self._text, self._kind = text.casefold().strip(), kind
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        attribute = self._model.attribute_at(row)
        match self._kind:
            case "all":
                is_of_kind = True
            case "proposed":
                is_of_kind = not attribute.confirmed
            case "left_out":
                is_of_kind = not attribute.include
            case role:
                is_of_kind = attribute.role == role
        if not is_of_kind or not self._text:
            return is_of_kind
        finding = self._model.finding(attribute.name)
        text = f"{attribute.name}\n{finding_words(finding)}".casefold()
        return self._text in text
