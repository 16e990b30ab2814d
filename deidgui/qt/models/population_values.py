"""The values of a column beside what they stand for in a population, a row each."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.population.mapping import AttributeMapping
from deidgui.qt import icons
from deidgui.qt.column_words import reason_words
from deidgui.qt.row_model import RowColumn, RowModel
from deidgui.text import share_text, tr

PLAIN = 0.9
"""Confidence from which nobody has to look at a value."""

MOST_NAMED = 3
"""Partners that are named in a row; the tooltip names more."""

MOST_IN_TOOLTIP = 40
"""Partners that a tooltip names."""

TEXT_ROLE = Qt.ItemDataRole.UserRole + 1
"""The value of the data, whatever the column of the table."""


class MatchColumn(enum.IntEnum):
    """Columns of the table."""

    VALUE = 0
    RECORDS = 1
    PARTNERS = 2
    REASON = 3


class Show(enum.StrEnum):
    """Which values are shown."""

    ALL = "all"
    DOUBTFUL = "doubtful"


class ValueMatches:
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


class PopulationValueModel(RowModel[int]):
    """A row per value of one `AttributeMapping`, by its place among the values."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._matches: ValueMatches | None = None
        self._show, self._words = Show.ALL, ""
        super().__init__(parent)

    def _declared(self) -> Sequence[RowColumn[int]]:
        others = {TEXT_ROLE: self._value}
        return (
            RowColumn(
                title=tr("Value in your file"), text=self._value_words, others=others
            ),
            RowColumn(
                title=tr("Records"),
                text=lambda place: (
                    f"{int(self._known.mapping.data.n_records[place]):,}"
                ),
                is_number=True,
                others=others,
            ),
            RowColumn(
                title=tr("Match in the population"),
                text=lambda place: self._partner_words(place, MOST_NAMED),
                tooltip=lambda place: self._partner_words(place, MOST_IN_TOOLTIP),
                others=others,
            ),
            RowColumn(
                title=tr("Reason"),
                text=lambda place: reason_words(self._known.mapping.reasons[place]),
                said=self._reason_said,
                sign=self._sign,
                others=others,
            ),
        )

    def _key(self, row: int) -> str:
        return self._value(row)

    @property
    def matches(self) -> ValueMatches | None:
        """What is shown."""
        return self._matches

    @property
    def _known(self) -> ValueMatches:
        assert self._matches is not None, "no row without a mapping"
        return self._matches

    def set_matches(self, matches: ValueMatches | None) -> None:
        """Show another mapping."""
        self._matches = matches
        self.begin_with(self._wanted())

    def show_only(self, show: Show, words: str) -> None:
        """Narrow the values; `words` must stand in the value or a partner."""
        if (show, words) != (self._show, self._words):
            self._show, self._words = show, words
            self.begin_with(self._wanted())

    def _wanted(self) -> list[int]:
        matches = self._matches
        if matches is None:
            return []
        data = matches.mapping.data
        is_wanted = matches.chosen(self._show)
        words = self._words.casefold().strip()
        if words:
            found = np.array([words in text.casefold() for text in data.texts])
            is_wanted = is_wanted & (found | self._has_partner(matches, words))
        places: list[int] = matches.order[is_wanted[matches.order]].tolist()
        return places

    def _has_partner(self, matches: ValueMatches, words: str) -> BoolArray:
        mapping = matches.mapping
        is_named = np.array(
            [words in each.casefold() for each in mapping.target.values]
        )
        found = np.zeros(matches.n_values, dtype=np.bool_)
        if len(is_named):
            found[mapping.own[is_named[mapping.other]]] = True
        return found

    def _value(self, place: int) -> str:
        return self._known.mapping.data.texts[place]

    def _value_words(self, place: int) -> str:
        text = self._value(place)
        return text if text.strip() else tr("(empty)")

    def _partner_words(self, place: int, most: int) -> str:
        matches = self._known
        n_partners = int(matches.n_partners[place])
        if not n_partners:
            own = matches.is_missing[place]
            return tr("a separate class") if own else tr("no match")
        partners = matches.partners(place)
        named = ", ".join(partners[:most])
        if n_partners <= most:
            return named
        return tr("{named} and {n:,} more", named=named, n=n_partners - most)

    def _reason_said(self, place: int) -> str:
        mapping = self._known.mapping
        share = share_text(round(mapping.confidences[place], 2))
        sure = tr("Confidence: {share}.", share=share)
        return f"{reason_words(mapping.reasons[place])} {sure}"

    def _sign(self, place: int) -> QIcon:
        """Glyph and colour that say how sure the partners are."""
        matches = self._known
        if matches.is_missing[place]:
            return icons.icon("minus", "subtle")
        if not matches.n_partners[place]:
            is_alone = bool(matches.is_alone[place])
            return icons.icon(
                *(("danger", "danger") if is_alone else ("minus", "subtle"))
            )
        if matches.mapping.confidences[place] < PLAIN:
            return icons.icon("warning", "warning")
        return icons.icon("check", "success")
