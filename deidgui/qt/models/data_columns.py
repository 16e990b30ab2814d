"""The columns of the data with type, failing cells and missing values, a row each."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon

from deidgui.app.charts.formats import count_text
from deidgui.app.project import Attribute
from deidgui.qt import icons
from deidgui.qt.column_words import type_words
from deidgui.qt.models.attributes import NAMED, ColumnRowFilter, ColumnRows
from deidgui.qt.row_model import RowColumn
from deidgui.text import tr


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
                meaning=tr("Uncheck a column to leave it out of the release."),
                text=_name_words,
                tooltip=_file_words,
                sort_key=self._place,
                is_checked=lambda attribute: attribute.include,
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
        if not self.set_rows(tuple(attributes)):
            self.redraw(range(self.rowCount()))

    def wants_a_look(self, attribute: Attribute) -> bool:
        """Whether cells fail or the format is not decided."""
        return bool(attribute.open_formats) or self._does_fail(attribute)

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


def _name_words(attribute: Attribute) -> str:
    if attribute.include:
        return attribute.name
    return tr("{name} (left out)", name=attribute.name)


def _file_words(attribute: Attribute) -> str:
    """From which of two files a column is, as a hint."""
    if attribute.table == "people":
        return tr("{name}: from the table of people", name=attribute.name)
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
