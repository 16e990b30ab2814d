"""The values of a column beside what they stand for in a population, a row each."""

from __future__ import annotations

import contextlib
import enum
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.population.mapping import AttributeMapping
from deidgui.qt import icons
from deidgui.qt.column_words import reason_words
from deidgui.text import tr

Index = QModelIndex | QPersistentModelIndex

PLAIN = 0.9
"""Confidence from which nobody has to look at a value."""

MOST_NAMED = 3
"""Partners that are named in a row; the tooltip names more."""

MOST_TOLD = 40
"""Partners that a tooltip names."""

TEXT_ROLE = Qt.ItemDataRole.UserRole + 1
"""The value of the data, whatever the column of the table."""


class Heading(enum.IntEnum):
    """Columns of the table."""

    VALUE = 0
    RECORDS = 1
    PARTNERS = 2
    REASON = 3


class Show(enum.StrEnum):
    """Which values are shown."""

    ALL = "all"
    DOUBTFUL = "doubtful"


class Matches:
    """The pairs of a mapping, looked up by value of the data without a loop."""

    def __init__(self, mapping: AttributeMapping) -> None:
        self.mapping = mapping
        order = np.argsort(mapping.own, kind="stable")
        self._others = mapping.other[order]
        n_partners = np.bincount(mapping.own, minlength=self.n_values)
        self.n_partners: IntArray = n_partners.astype(np.int64)
        self._starts = np.cumsum(n_partners) - n_partners

    @property
    def n_values(self) -> int:
        """Values of the data."""
        return len(self.mapping.data.texts)

    def partners(self, place: int) -> tuple[str, ...]:
        """Values of the population that a value of the data stands for."""
        start = int(self._starts[place])
        found = self._others[start : start + int(self.n_partners[place])]
        return tuple(self.mapping.target.values[other] for other in found.tolist())

    @cached_property
    def is_missing(self) -> BoolArray:
        """Values that say that there is none; their records are their own group."""
        missing = np.zeros(self.n_values, dtype=np.bool_)
        for place, reason in enumerate(self.mapping.reasons):
            missing[place] = reason.code == "people_value_missing"
        return missing

    @cached_property
    def is_alone(self) -> BoolArray:
        """Values with records that nobody in the population has."""
        has_records = self.mapping.data.n_records > 0
        alone: BoolArray = (self.n_partners == 0) & has_records & ~self.is_missing
        return alone

    @cached_property
    def is_doubtful(self) -> BoolArray:
        """Values with records at which a person should look."""
        unsure = np.array(self.mapping.confidences) < PLAIN
        has_records = self.mapping.data.n_records > 0
        doubtful: BoolArray = unsure & has_records & ~self.is_missing
        return doubtful

    def prepare(self) -> None:
        """Find out now, in a worker, what else is found out when it is shown."""
        assert self.is_alone.shape == self.is_doubtful.shape == self.order.shape

    @cached_property
    def order(self) -> IntArray:
        """Places in the order of reading: numbers by size, unused leaves last."""
        texts, unused = self.mapping.data.texts, self.mapping.data.n_records == 0
        sizes = np.zeros(len(texts))
        known = [place for place in range(len(texts)) if not self.is_missing[place]]
        with contextlib.suppress(ValueError):
            sizes[known] = [float(texts[place]) for place in known]
        sizes[self.is_missing] = np.inf
        order: IntArray = np.lexsort([np.arange(len(texts)), sizes, unused])
        return order

    def alone(self, most: int) -> list[tuple[str, int]]:
        """Values that nobody has, with their records, the most frequent first."""
        data = self.mapping.data
        places = np.flatnonzero(self.is_alone)
        first = places[np.argsort(-data.n_records[places], kind="stable")][:most]
        return [(data.texts[place], int(data.n_records[place])) for place in first]

    def chosen(self, show: Show) -> BoolArray:
        """Whether each value is among those asked for."""
        if show is Show.DOUBTFUL:
            return self.is_doubtful
        return np.ones(self.n_values, dtype=np.bool_)

    def n_records(self, which: BoolArray) -> int:
        """Records that have one of some values."""
        return int(self.mapping.data.n_records[which].sum())


class PopulationValueModel(QAbstractTableModel):
    """Item model over one `AttributeMapping`; answers from arrays only."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matches: Matches | None = None
        self._places: IntArray = np.empty(0, dtype=np.int64)
        self._show, self._words = Show.ALL, ""

    @property
    def matches(self) -> Matches | None:
        """What is shown."""
        return self._matches

    def set_matches(self, matches: Matches | None) -> None:
        """Show another mapping."""
        self.beginResetModel()
        self._matches = matches
        self._places = self._wanted()
        self.endResetModel()

    def show_only(self, show: Show, words: str) -> None:
        """Narrow the values; `words` must stand in the value or a partner."""
        if (show, words) == (self._show, self._words):
            return
        self.beginResetModel()
        self._show, self._words = show, words
        self._places = self._wanted()
        self.endResetModel()

    def _wanted(self) -> IntArray:
        matches = self._matches
        if matches is None:
            return np.empty(0, dtype=np.int64)
        data = matches.mapping.data
        is_wanted = matches.chosen(self._show)
        words = self._words.casefold().strip()
        if words:
            found = np.array([words in text.casefold() for text in data.texts])
            is_wanted = is_wanted & (found | self._has_partner(matches, words))
        return matches.order[is_wanted[matches.order]]

    def _has_partner(self, matches: Matches, words: str) -> BoolArray:
        mapping = matches.mapping
        is_named = np.array(
            [words in each.casefold() for each in mapping.target.values]
        )
        found = np.zeros(matches.n_values, dtype=np.bool_)
        if len(is_named):
            found[mapping.own[is_named[mapping.other]]] = True
        return found

    def place_at(self, row: int) -> int:
        """Place of the value of the data that a row shows."""
        return int(self._places[row])

    def row_of(self, text: str) -> int:
        """Row of a value of the data, -1 if it is not shown."""
        if self._matches is None or text not in self._matches.mapping.data.texts:
            return -1
        place = self._matches.mapping.data.texts.index(text)
        rows = np.flatnonzero(self._places == place)
        return int(rows[0]) if len(rows) else -1

    # -- Qt ------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._places)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Heading)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            Heading.VALUE: tr("In your file"),
            Heading.RECORDS: tr("Records"),
            Heading.PARTNERS: tr("Stands for"),
            Heading.REASON: tr("Why"),
        }[Heading(section)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        matches = self._matches
        if not index.isValid() or matches is None:
            return None
        place, heading = self.place_at(index.row()), Heading(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(matches, place, heading)
            case Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(matches, place, heading)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._said(matches, place, heading)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(heading)
            case Qt.ItemDataRole.DecorationRole if heading is Heading.REASON:
                return icons.icon(*self._sign(matches, place))
            case _ if role == TEXT_ROLE:
                return matches.mapping.data.texts[place]
        return None

    def _text(self, matches: Matches, place: int, heading: Heading) -> str:
        mapping = matches.mapping
        match heading:
            case Heading.VALUE:
                text = mapping.data.texts[place]
                return text if text.strip() else tr("(empty)")
            case Heading.RECORDS:
                return f"{int(mapping.data.n_records[place]):,}"
            case Heading.REASON:
                return reason_words(mapping.reasons[place])
        return self._partner_words(matches, place, MOST_NAMED)

    def _partner_words(self, matches: Matches, place: int, most: int) -> str:
        n_partners = int(matches.n_partners[place])
        if not n_partners:
            own = matches.is_missing[place]
            return tr("a group of its own") if own else tr("nobody")
        partners = matches.partners(place)
        named = ", ".join(partners[:most])
        if n_partners <= most:
            return named
        return tr("{named} and {n:,} more", named=named, n=n_partners - most)

    def _tooltip(self, matches: Matches, place: int, heading: Heading) -> str:
        if heading is Heading.PARTNERS:
            return self._partner_words(matches, place, MOST_TOLD)
        if heading is Heading.REASON:
            return self._said(matches, place, heading)
        return self._text(matches, place, heading)

    def _said(self, matches: Matches, place: int, heading: Heading) -> str:
        text = self._text(matches, place, heading)
        if heading is not Heading.REASON:
            return text
        share = round(100 * matches.mapping.confidences[place])
        sure = tr("How sure the program is: {share} %.", share=share)
        return f"{text} {sure}"

    def _sign(self, matches: Matches, place: int) -> tuple[str, str]:
        """Glyph and colour that say how sure the partners are."""
        if matches.is_missing[place]:
            return "minus", "subtle"
        if not matches.n_partners[place]:
            is_alone = bool(matches.is_alone[place])
            return ("danger", "danger") if is_alone else ("minus", "subtle")
        if matches.mapping.confidences[place] < PLAIN:
            return "warning", "warning"
        return "check", "success"


def _alignment(heading: int) -> int:
    is_number = heading == Heading.RECORDS
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
