"""The columns of the data: with role and finding, and with type; a row each."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QIcon

from deidgui.app.charts.columns import Spark
from deidgui.app.charts.formats import count_text
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import ColumnSummary
from deidgui.engine.detect.roles import Finding
from deidgui.qt import icons
from deidgui.qt.charts.spark import spark_text
from deidgui.qt.column_words import (
    ROLES,
    band_words,
    finding_words,
    reason_words,
    state_words,
    table_words,
    type_words,
    words,
)
from deidgui.qt.models.summaries import Summaries
from deidgui.qt.row_model import NAME_ROLE, SORT_ROLE, Index, RowColumn, RowModel
from deidgui.text import share_text, tr

WAITING = "…"


class AttributeColumn(enum.IntEnum):
    """Columns of the list."""

    NAME = 0
    ROLE = 1
    FINDING = 2
    VALUES = 3
    MISSING = 4
    SPREAD = 5
    SEPARATION = 6
    DISTINCTION = 7


class ColumnRows(RowModel[Attribute]):
    """A row per column of the data, in file order, with figures once they are known.

    Attributes
    ----------
    include_wanted : Signal of (str, bool)
        A check mark was clicked; the model waits for the decision.
    """

    include_wanted = Signal(str, bool)

    def __init__(self, summaries: Summaries, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._summaries = summaries
        self._unsorted: dict[str, int] = {}
        self._sorted_by = -1, Qt.SortOrder.AscendingOrder
        summaries.found.connect(self._on_found)

    def _key(self, row: Attribute) -> str:
        return row.name

    def _place(self, attribute: Attribute) -> int:
        return self._unsorted[attribute.name]

    def _show(self, rows: Sequence[Attribute]) -> bool:
        """Show columns, given as they stand unsorted; True if it had to begin anew.

        A row does not jump away because it is decided.
        """
        self._unsorted = {row.name: place for place, row in enumerate(rows)}
        places = self._places
        if self._sorted_by[0] < 0:
            return self.set_rows(tuple(rows))
        if places.keys() == self._unsorted.keys():
            return self.set_rows(sorted(rows, key=lambda each: places[each.name]))
        return self.set_rows(self._in_order(rows))

    def _in_order(self, rows: Iterable[Attribute]) -> tuple[Attribute, ...]:
        """Return columns as they were sorted last, of equal ones the first first."""
        column, order = self._sorted_by
        key = self._answers[column].get(SORT_ROLE) if column >= 0 else None
        ordered = sorted(rows, key=self._place)
        if key is not None:
            ordered.sort(key=key, reverse=order is Qt.SortOrder.DescendingOrder)
        return tuple(ordered)

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        """Sort the columns by what is known now.

        PERF: each is asked once for its key. A proxy of Qt asks when it compares two:
        80 ms for a thousand.
        """
        self._sorted_by = column, order
        self.rearrange(self._in_order(self._rows))

    def _on_checked(self, row: Attribute, _is_on: bool) -> None:
        self.include_wanted.emit(row.name, not row.include)

    def _on_found(self, names: tuple[str, ...]) -> None:
        self.redraw([place for place in map(self.row_of, names) if place >= 0])

    def _figure(
        self,
        title: str,
        meaning: str,
        figure: Callable[[ColumnSummary], float],
        text: Callable[[ColumnSummary], str],
    ) -> RowColumn[Attribute]:
        """Column of a figure that is known only after a while."""

        def shown(attribute: Attribute) -> str:
            summary = self._summaries.get(attribute)
            return text(summary) if summary else WAITING

        def key(attribute: Attribute) -> float:
            summary = self._summaries.get(attribute)
            return figure(summary) if summary else -1

        return RowColumn(
            title=title,
            meaning=meaning,
            text=shown,
            sort_key=key,
            is_number=True,
            others=NAMED,
        )

    def _values(self) -> RowColumn[Attribute]:
        return self._figure(
            tr("Values"),
            tr("Distinct values, without missing ones."),
            lambda summary: summary.n_values,
            lambda summary: count_text(summary.n_values),
        )

    def _missing(self) -> RowColumn[Attribute]:
        return self._figure(
            tr("Missing"),
            tr("Share of the rows without a value."),
            lambda summary: summary.missing_share,
            lambda summary: share_text(summary.missing_share),
        )


def unique_words(summary: ColumnSummary) -> str:
    """Say that a column that is kept names records."""
    return tr(
        "Nearly unique: {share} of the rows have a value of their own, and it is "
        "released as it is. Whoever knows the value finds the row.",
        share=share_text(summary.n_unique / max(summary.n_rows, 1)),
    )


NAMED = {NAME_ROLE: lambda attribute: attribute.name}
"""Every cell tells of which column it is."""


class AttributeModel(ColumnRows):
    """The columns with their roles and what speaks for them."""

    def __init__(self, summaries: Summaries, parent: QObject | None = None) -> None:
        self._findings: Mapping[str, Finding] = {}
        super().__init__(summaries, parent)

    def _declared(self) -> Sequence[RowColumn[Attribute]]:
        return (
            RowColumn(
                title=tr("Column"),
                meaning=tr(
                    "Name and type. Uncheck a column to leave it out. A dash: its "
                    "treatment removes it."
                ),
                text=lambda attribute: attribute.name,
                said=_name_said,
                sort_key=self._place,
                is_checked=_is_released,
                others=NAMED,
            ),
            RowColumn(
                title=tr("Role"),
                meaning=tr("What the column means for privacy. Keys 1 to 4 set it."),
                text=lambda attribute: words(attribute.role) if attribute.role else "",
                said=_role_said,
                tooltip=lambda attribute: self._reasons(attribute, _role_said),
                sort_key=_role_key,
                others=NAMED,
            ),
            RowColumn(
                title=tr("Finding"),
                meaning=tr("What name and values indicate, with the confidence."),
                text=lambda attribute: finding_words(self.finding(attribute.name)),
                said=self._finding_said,
                tooltip=lambda attribute: self._reasons(attribute, self._finding_said),
                sort_key=self._by_finding(lambda finding: -finding.score, 1.0),
                others=NAMED,
            ),
            replace(self._values(), sign=self._unique_sign, tooltip=self._unique_words),
            self._missing(),
            RowColumn(
                title=tr("Distribution"),
                meaning=tr(
                    "Numbers and dates in their order, else most frequent first."
                ),
                text=lambda _attribute: "",
                said=lambda attribute: spark_text(self._spark_of(attribute)),
                others=NAMED,
            ),
            self._share(
                tr("Separation"),
                tr(
                    "Separation: share of all pairs of rows that this column "
                    "alone distinguishes. 100\u202f% means that no two rows "
                    "are equal."
                ),
                lambda finding: finding.separation,
            ),
            self._share(
                tr("Distinction"),
                tr("Distinct values divided by the number of rows."),
                lambda finding: finding.distinction,
            ),
        )

    def is_kept_nearly_unique(self, attribute: Attribute) -> bool:
        """Whether a column is released as it is and names records by its values."""
        is_kept = attribute.include and attribute.role in ("sensitive", "insensitive")
        summary = self._summaries.get(attribute)
        return bool(is_kept and summary and summary.is_nearly_unique)

    def _unique_sign(self, attribute: Attribute) -> QIcon | None:
        is_shown = self.is_kept_nearly_unique(attribute)
        return icons.icon("warning", "warning") if is_shown else None

    def _unique_words(self, attribute: Attribute) -> str | None:
        summary = self._summaries.get(attribute)
        if summary is None or not self.is_kept_nearly_unique(attribute):
            return None
        return unique_words(summary)

    def _by_finding(
        self, figure: Callable[[Finding], float], unknown: float
    ) -> Callable[[Attribute], float]:
        def key(attribute: Attribute) -> float:
            finding = self.finding(attribute.name)
            return figure(finding) if finding else unknown

        return key

    def _share(
        self, title: str, meaning: str, figure: Callable[[Finding], float]
    ) -> RowColumn[Attribute]:
        def shown(attribute: Attribute) -> str:
            finding = self.finding(attribute.name)
            return share_text(figure(finding)) if finding else ""

        return RowColumn(
            title=title,
            meaning=meaning,
            text=shown,
            sort_key=self._by_finding(figure, -1.0),
            is_number=True,
            others=NAMED,
        )

    def _finding_said(self, attribute: Attribute) -> str:
        finding = self.finding(attribute.name)
        band = band_words(finding.band) if finding else ""
        return _joined(band, finding_words(finding))

    def _reasons(self, attribute: Attribute, said: Callable[[Attribute], str]) -> str:
        finding = self.finding(attribute.name)
        if finding is None:
            return said(attribute)
        reasons = (reason_words(reason) for reason in finding.reasons)
        return "\n".join((said(attribute), *reasons))

    def set_attributes(
        self, attributes: Sequence[Attribute], findings: Mapping[str, Finding]
    ) -> None:
        """Show other decisions; the same columns keep their rows and selection."""
        self._findings = findings
        if {each.name for each in attributes} == self._unsorted.keys():
            self._show(sorted(attributes, key=self._place))
        else:
            # What nobody has decided stands first, else the order of the file.
            self._show(sorted(attributes, key=_is_decided))

    def finding(self, name: str) -> Finding | None:
        """What was found about a column, if it was looked at."""
        return self._findings.get(name)

    def spark_at(self, row: int) -> Spark | None:
        """Small distribution of a row, once it is known."""
        return self._spark_of(self.row_at(row))

    def _spark_of(self, attribute: Attribute) -> Spark | None:
        summary = self._summaries.get(attribute)
        return summary.spark if summary else None


def _is_decided(attribute: Attribute) -> bool:
    return attribute.role is not None or not attribute.include


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _name_said(attribute: Attribute) -> str:
    parts = type_words(attribute), table_words(attribute), state_words(attribute)
    return _joined(attribute.name, *parts)


def _role_said(attribute: Attribute) -> str:
    if attribute.role is None:
        return tr("Not decided") if attribute.include else tr("Left out")
    return _joined(words(attribute.role), "" if attribute.confirmed else tr("proposed"))


def _role_key(attribute: Attribute) -> int:
    role = ROLES.index(attribute.role) if attribute.role else len(ROLES)
    return 2 * role + attribute.confirmed


class ColumnRowFilter(QSortFilterProxyModel):
    """Shows only the columns of a kind whose name has a text; the model sorts them."""

    def __init__(self, model: ColumnRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._text, self._kind = "", "all"
        self._kept: frozenset[str] = frozenset()
        self.setDynamicSortFilter(False)
        self.setSourceModel(model)

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self._rows.sort(column, order)

    def show_only(self, text: str, kind: str, kept: Iterable[str] = ()) -> None:
        """Show the columns whose name has a text, of one kind, or ``all``.

        Parameters
        ----------
        kept : iterable of str
            Columns that are shown whatever their kind is now.
        """
        wanted = text.casefold().strip(), kind
        if wanted == (self._text, self._kind) == ("", "all"):
            return
        self.beginFilterChange()
        self._text, self._kind = wanted
        self._kept = frozenset(kept)
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        if not self._text and self._kind == "all":
            return True
        attribute = self._rows.row_at(row)
        match self._kind:
            case "all":
                is_of_kind = True
            case "left_out":
                is_of_kind = not attribute.include
            case kind:
                is_of_kind = self._is_of(kind, attribute)
        is_of_kind = is_of_kind or attribute.name in self._kept
        return is_of_kind and self._text in attribute.name.casefold()

    def _is_of(self, kind: str, attribute: Attribute) -> bool:
        """Whether a column is of a kind that only this list knows."""
        raise NotImplementedError


class AttributeFilter(ColumnRowFilter):
    """Knows roles and what is only ``proposed``."""

    def _is_of(self, kind: str, attribute: Attribute) -> bool:
        return not attribute.confirmed if kind == "proposed" else attribute.role == kind


class DataColumn(enum.IntEnum):
    """Columns of the list."""

    NAME = 0
    TYPE = 1
    FAILING = 2
    MISSING = 3
    VALUES = 4


class ColumnModel(ColumnRows):
    """The columns with what their values are read as."""

    def _declared(self) -> Sequence[RowColumn[Attribute]]:
        return (
            RowColumn(
                title=tr("Column"),
                meaning=tr(
                    "Uncheck a column to leave it out of the release. A dash: its "
                    "treatment removes it."
                ),
                text=_name_words,
                said=lambda each: _joined(each.name, state_words(each)),
                tooltip=lambda each: self._doubt_words(each) or _file_words(each),
                sort_key=self._place,
                is_checked=_is_released,
                sign=self._doubt_sign,
                others=NAMED,
            ),
            RowColumn(
                title=tr("Type"),
                meaning=tr("Type of its values."),
                text=type_words,
                tooltip=self._type_hint,
                sort_key=type_words,
                sign=self._type_sign,
                others=NAMED,
            ),
            replace(
                self._figure(
                    tr("Not of the type"),
                    tr("Cells that are neither missing nor of the column's type."),
                    lambda summary: summary.n_failing,
                    lambda each: count_text(each.n_failing) if each.n_failing else "–",
                ),
                sign=self._failing_sign,
            ),
            self._missing(),
            self._values(),
        )

    def set_attributes(self, attributes: Sequence[Attribute]) -> None:
        """Show other decisions; the same columns keep their rows and selection."""
        if not self._show(attributes):
            self.redraw(range(self.rowCount()))

    def wants_a_look(self, attribute: Attribute) -> bool:
        """Whether cells fail, the format is not decided, or values may be missing."""
        is_open = bool(attribute.open_formats) or self._n_doubtful(attribute) > 0
        return is_open or self._does_fail(attribute)

    def _n_doubtful(self, attribute: Attribute) -> int:
        summary = self._summaries.get(attribute)
        return summary.n_doubtful if summary else 0

    def _doubt_sign(self, attribute: Attribute) -> QIcon | None:
        return icons.icon("help", "warning") if self._n_doubtful(attribute) else None

    def _doubt_words(self, attribute: Attribute) -> str | None:
        n = self._n_doubtful(attribute)
        if not n:
            return None
        return tr(
            "{n:text|texts} may mean “no value”, as “not stated” does. Choose the "
            "column to decide.",
            n=n,
        )

    def _does_fail(self, attribute: Attribute) -> bool:
        summary = self._summaries.get(attribute)
        return bool(summary and summary.n_failing)

    def _type_sign(self, attribute: Attribute) -> QIcon | None:
        return icons.icon("help", "warning") if attribute.open_formats else None

    def _failing_sign(self, attribute: Attribute) -> QIcon | None:
        return icons.icon("warning", "warning") if self._does_fail(attribute) else None

    def _type_hint(self, attribute: Attribute) -> str:
        if attribute.open_formats:
            return tr("The values can be read in two ways. Choose one.")
        return type_words(attribute)


def _is_released(attribute: Attribute) -> bool | None:
    """Whether a column is released; None if its treatment alone removes it."""
    is_kept_out = attribute.include and attribute.is_removed
    return None if is_kept_out else attribute.include


def _name_words(attribute: Attribute) -> str:
    return "\n".join(filter(None, (attribute.name, state_words(attribute))))


def _file_words(attribute: Attribute) -> str:
    """From which of several files a column is, as a hint."""
    if attribute.table == "people":
        return tr("{name}: from the table of people", name=attribute.name)
    if attribute.table != "table":
        return tr(
            "{name}: from the table {table}", name=attribute.name, table=attribute.table
        )
    return attribute.name


class ColumnFilter(ColumnRowFilter):
    """Knows types, and what wants a ``look``: something is to be decided."""

    def __init__(self, model: ColumnModel, parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self._model = model

    def _is_of(self, kind: str, attribute: Attribute) -> bool:
        if kind == "look":
            return self._model.wants_a_look(attribute)
        return attribute.kind == kind
