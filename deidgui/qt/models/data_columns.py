"""The columns of the data with type, failing cells and missing values, a row each."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon

from deidgui.app.charts.formats import count_text
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import is_ambiguous
from deidgui.engine.data.value_types import TypeGuess
from deidgui.qt import icons
from deidgui.qt.column_words import type_words
from deidgui.qt.models.attributes import NAMED, ColumnRowFilter, ColumnRows
from deidgui.qt.models.summaries import Summaries
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

    def __init__(self, summaries: Summaries, parent: QObject | None = None) -> None:
        self._types: Mapping[str, TypeGuess] = {}
        self._answered: frozenset[str] = frozenset()
        super().__init__(summaries, parent)

    def _declared(self) -> Sequence[RowColumn[Attribute]]:
        return (
            RowColumn(
                title=tr("Column"),
                meaning=tr("Uncheck a column to leave it out of the release."),
                text=_name_words,
                tooltip=lambda attribute: attribute.name,
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
        self._types, self._answered = types, answered
        if not self.set_rows(tuple(attributes)):
            self.redraw(range(self.rowCount()))

    def is_open(self, attribute: Attribute) -> bool:
        """Whether a person must choose between two readings of the values."""
        is_answered = attribute.name in self._answered
        guess = self._types.get(attribute.name)
        return is_ambiguous(attribute, guess) and not is_answered

    def wants_a_look(self, attribute: Attribute) -> bool:
        """Whether cells fail or the format is not decided."""
        return self.is_open(attribute) or self._does_fail(attribute)

    def _does_fail(self, attribute: Attribute) -> bool:
        summary = self._summaries.get(attribute)
        return bool(summary and summary.n_failing)

    def _type_sign(self, attribute: Attribute) -> QIcon | None:
        return icons.icon("help", "warning") if self.is_open(attribute) else None

    def _failing_sign(self, attribute: Attribute) -> QIcon | None:
        return icons.icon("warning", "warning") if self._does_fail(attribute) else None

    def _type_hint(self, attribute: Attribute) -> str:
        if self.is_open(attribute):
            return tr("The values can be read in two ways. Choose one.")
        return type_words(attribute)


def _name_words(attribute: Attribute) -> str:
    if attribute.include:
        return attribute.name
    return tr("{name} (left out)", name=attribute.name)


class ColumnFilter(ColumnRowFilter):
    """Knows types, and what wants a ``look``: something is to be decided."""

    def __init__(self, model: ColumnModel, parent: QObject | None = None) -> None:
        super().__init__(model, parent)
        self._model = model

    def _is_of(self, kind: str, attribute: Attribute) -> bool:
        if kind == "look":
            return self._model.wants_a_look(attribute)
        return attribute.kind == kind
