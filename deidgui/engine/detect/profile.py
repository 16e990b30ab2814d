"""Facts about a column's values that detection rules use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.table import Column
from deidgui.engine.data.texts import Texts

SAMPLE_LIMIT = 20_000
"""Distinct values looked at in one column (methods G.2)."""

PILOT = 300
"""Without a hit among so many values fewer than 1 % of all are hits (rule of three)."""

_TABLE_LIMIT = 4_000_000
_SAMPLE_FLOOR = 2_000
UNINFORMATIVE = frozenset((
    "none", "other", "unknown", "not stated", "declined", "not specified", "missing",
    "unobtainable", "not available", "n a", "na", "null", "refused", "not known",
    "unspecified", "yes", "no", "true", "false", "y", "n",
))  # fmt: skip
"""Words that stand in every vocabulary and therefore speak for none."""

_ID_DISTINCT, _ID_ROWS, _ID_LENGTH_SPREAD = 0.95, 30, 1.0


def sample_size(n_columns: int) -> int:
    """Distinct values to look at per column: fewer in very wide tables.

    Parameters
    ----------
    n_columns : int, >= 1

    Returns
    -------
    int in [2000, 20000]
    """
    return max(_SAMPLE_FLOOR, min(SAMPLE_LIMIT, _TABLE_LIMIT // n_columns))


@dataclass(frozen=True, repr=False, eq=False)
class ColumnProfile:
    """One column with the figures that rules and role proposals need.

    Parameters
    ----------
    kind : str
        text, integer, decimal, date or category.
    limit : int
        Most distinct values to look at.
    languages : frozenset of str
        Of the file's column names, as two letters.
    known : Texts, optional
        The column's values, where they are looked at together with other columns'.
    """

    column: Column
    kind: str
    limit: int = SAMPLE_LIMIT
    languages: frozenset[str] = frozenset()
    known: Texts | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows that have a cell."""
        return self.column.n_cells

    @cached_property
    def n_present(self) -> int:
        """Rows with a value."""
        return self.n_rows - self.column.n_missing

    @cached_property
    def n_distinct(self) -> int:
        """Distinct values, missing ones left out."""
        return len(self._present_codes)

    @cached_property
    def n_unique(self) -> int:
        """Values that occur in one row only, missing ones left out."""
        counts, missing = self.column.counts, self.column.missing_codes
        return int((counts == 1).sum()) - int((counts[missing] == 1).sum())

    @cached_property
    def _present_codes(self) -> IntArray:
        present = self.column.counts > 0
        present[self.column.missing_codes] = False
        return np.flatnonzero(present)

    @cached_property
    def _sampled_codes(self) -> IntArray:
        """Evenly spaced codes of the sorted dictionary: the same on every run."""
        codes = self._present_codes
        if len(codes) <= self.limit:
            return codes
        return codes[np.linspace(0, len(codes) - 1, self.limit).astype(np.int64)]

    @cached_property
    def pilot(self) -> ColumnProfile:
        """The same column with few sampled values, to spare rules without hits."""
        pilot = ColumnProfile(self.column, self.kind, PILOT, known=self.known)
        # PERF: 6 ms per million distinct values; the pilot's are the same.
        pilot.__dict__["_present_codes"] = self._present_codes
        return pilot

    @cached_property
    def texts(self) -> Texts:
        """Sampled distinct values without blanks around them."""
        if self.known is not None:
            return self.known.at(self._sampled_codes).changed(_stripped)
        sampled = self.column.values.gather(pl.Series(self._sampled_codes))
        return Texts.alone(sampled).changed(_stripped)

    @property
    def sample(self) -> pl.Series:
        """The same as a polars Series."""
        return self.texts.series

    def some(self, places: IntArray) -> list[str]:
        """Return the sampled values at some places.

        Parameters
        ----------
        places : ndarray of int64, each in [0, n_sampled)
        """
        listed = self.texts.to_list()
        return [listed[place] for place in places.tolist()]

    @cached_property
    def n_sampled(self) -> int:
        """Number of sampled distinct values."""
        return len(self._sampled_codes)

    @cached_property
    def rows(self) -> IntArray:
        """Rows per sampled value: ndarray of int64, shape (n_sampled,)."""
        return self.column.counts[self._sampled_codes]

    @cached_property
    def words(self) -> list[str]:
        """Sampled values as plain lower-case words, for vocabularies."""
        return self.texts.changed(_plain_words).to_list()

    @cached_property
    def informative(self) -> BoolArray:
        """Which sampled values are more than "other" or "unknown"."""
        informative = (word not in UNINFORMATIVE for word in self.words)
        return np.fromiter(informative, np.bool_, self.n_sampled)

    @cached_property
    def lengths(self) -> IntArray:
        """Characters per sampled value: ndarray of int64, shape (n_sampled,)."""
        return self.texts.measured(_n_letters)

    @cached_property
    def length_range(self) -> tuple[int, int]:
        """Shortest and longest sampled value, in characters."""
        if self.n_sampled == 0:
            return 0, 0
        return int(self.lengths.min()), int(self.lengths.max())

    @cached_property
    def numbers(self) -> FloatArray:
        """Sampled values as numbers, NaN where a value is none or too large."""
        return self.texts.measured(_numbers)

    @cached_property
    def is_whole_numbers(self) -> bool:
        """Whether every sampled value is a whole number."""
        return self.n_sampled > 0 and bool(
            self.texts.contains(r"^[+-]?\d{1,18}$").all()
        )

    @cached_property
    def has_letters(self) -> bool:
        """Whether at least half of the sampled values have a letter."""
        if self.n_sampled == 0:
            return False
        hits = self.texts.contains(r"\p{L}").sum()
        return bool(2 * hits >= self.n_sampled)

    @cached_property
    def is_numbered(self) -> bool:
        """Whether most values have several digits, as numbers of persons have."""
        if self.n_sampled == 0:
            return False
        hits = self.texts.contains(r"\d.*\d.*\d").sum()
        return bool(2 * hits >= self.n_sampled)

    @cached_property
    def is_text(self) -> bool:
        """Whether the values are words rather than numbers or dates."""
        return self.kind in ("text", "category") and self.has_letters

    @cached_property
    def id_like(self) -> bool:
        """Rule K of methods G.2: nearly unique, of constant length or ascending."""
        if self.n_present < _ID_ROWS or self.kind in ("decimal", "date"):
            return False
        if self.n_distinct < _ID_DISTINCT * self.n_present or self.is_free_text:
            return False
        if float(self.lengths.std()) <= _ID_LENGTH_SPREAD:
            return not self.has_fractions
        return self.is_monotone

    @cached_property
    def has_fractions(self) -> bool:
        """Whether sampled values are numbers with decimals."""
        numbers = self.numbers[~np.isnan(self.numbers)]
        return 2 * len(numbers) > self.n_sampled and bool((numbers % 1 != 0).any())

    @cached_property
    def is_monotone(self) -> bool:
        """Whether whole numbers rise (or fall) from each row to the next."""
        if not self.is_whole_numbers or self.n_present < 2:
            return False
        codes = self.column.codes
        rows = codes[~self.column.is_missing[codes]]
        # PERF: the first rows tell nearly always; 10 M texts take 1 s to read.
        return all(_is_monotone(self.column, part) for part in (rows[:PILOT], rows))

    @cached_property
    def is_free_text(self) -> bool:
        """Long texts of many words that are seldom repeated (methods G.1)."""
        if not self.is_text or self.n_sampled == 0:
            return False
        if self.n_distinct < 0.5 * self.n_present or float(self.lengths.mean()) <= 40:
            return False
        return float(self.texts.measured(n_words).mean()) > 5

    def share_of_rows(self, hits: BoolArray) -> float:
        """Share of the sampled rows whose value is hit.

        Parameters
        ----------
        hits : ndarray of bool, shape (n_sampled,)

        Returns
        -------
        float in [0, 1]
        """
        total = int(self.rows.sum())
        return float(self.rows[hits].sum()) / total if total else 0.0


def _stripped(texts: pl.Series) -> pl.Series:
    return texts.str.strip_chars()


def _plain_words(texts: pl.Series) -> pl.Series:
    plain = texts.str.to_lowercase().str.replace_all(r"[^\p{L}\p{Nd}<>=+]+", " ")
    return plain.str.strip_chars()


def _n_letters(texts: pl.Series) -> IntArray:
    return texts.str.len_chars().to_numpy().astype(np.int64)


def _numbers(texts: pl.Series) -> FloatArray:
    parsed = texts.cast(pl.Float64, strict=False)
    found = parsed.fill_null(float("nan")).to_numpy().astype(np.float64)
    return np.where(np.isfinite(found), found, np.nan)


def n_words(texts: pl.Series) -> IntArray:
    """Words of each text: ndarray of int64, shape (n_texts,)."""
    return texts.str.count_matches(r"\S+").to_numpy().astype(np.int64)


def _is_monotone(column: Column, codes: Int32Array) -> bool:
    """Whether the whole numbers of some rows rise (or fall) from each to the next."""
    texts = column.values.gather(pl.Series(codes)).str.strip_chars()
    numbers = texts.cast(pl.Int64, strict=False)
    if numbers.null_count():
        return False
    steps = np.diff(numbers.to_numpy())
    return bool((steps > 0).all() or (steps < 0).all())
