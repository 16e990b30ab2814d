"""Looks into the cells of a released table while its rows pass by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

import polars as pl

from deidgui import resources

_PLAIN = r"^-?\d{1,40}$|^-?\d{1,20}\.\d{1,20}$"
"""Whole numbers and decimals: no kind of identifier is one."""

_CAPITAL = r"\p{Lu}[\p{L}'’.-]*"
_WAY = (
    "st|street|ave|avenue|rd|road|blvd|boulevard|ln|lane|dr|drive|ct|court|hwy|highway|"
    "pkwy|parkway|pl|place|ter|terrace|cir|circle|way|sq|square|trl|trail"
)
_KINSHIP = "patient|wife|husband|son|daughter|mother|father"
_PICTURE = "jpe?g|png|tiff?|dcm|bmp|gif|heic"

_SHAPES: Mapping[str, str] = {
    "a name with a title": rf"\b(Dr|Mr|Mrs|Ms|Prof)\.?\s+{_CAPITAL}",
    "a name after “patient” or “son of”": (
        rf"\b(?i:({_KINSHIP})( of)?)\s+{_CAPITAL}\s+{_CAPITAL}"
    ),
    "a street address": (
        rf"\b\d{{1,5}}\s+\p{{Lu}}\w+(\s+\p{{Lu}}\w+)?\s+(?i:{_WAY})\b"
    ),
    "a date": (r"\b\d{1,2}[/.-]\d{1,2}[/.-](\d\d|\d{4})\b|\b(19|20)\d\d-\d\d-\d\d\b"),
    "a telephone number": (r"(\([2-9]\d\d\)\s?|\b[2-9]\d\d[. -])[2-9]\d\d[. -]\d{4}\b"),
    "an e-mail address": r"\b[^@\s]+@[^@\s]+\.[A-Za-z]{2,}\b",
    "a web address": r"\b(?i:https?://|www\.)[\w.-]+",
    "an IP address": r"\b(\d{1,3}\.){3}\d{1,3}\b",
    "a social security number": r"\b\d{3}-\d\d-\d{4}\b",
    "a medical record number": (
        r"\b(?i:mrn|medical record|medical record number|medical record no\.?|chart)"
        r"[\s:#]+\w*\d{4}"
    ),
    "an IBAN": r"\b[A-Z]{2}\d\d( ?[A-Z0-9]{4}){3,7}\b",
    "more than 200 characters of coded data": r"[A-Za-z0-9+/]{201}",
    "a sequence of bases": r"\b[ACGTN]{20}",
    "an image file": rf"(?i)\bdata:image/|\w\.({_PICTURE})\b",
}
"""What is looked for, by its words, but names."""

_NAMES = "a first name beside a surname"

KINDS = (*_SHAPES, _NAMES)
"""All that is looked for."""

_TWO_WORDS = r"\b\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+\b"


_MOST_WAITING = 100_000
"""Counted texts of a column that wait to be looked into."""


class CellsSeen:
    """What the cells of columns are like, while the rows of a table pass by.

    Parameters
    ----------
    places : mapping of str to int
        By header, where a column stands among those of the table.
    """

    def __init__(self, places: Mapping[str, int]) -> None:
        self.places = dict(places)
        self.n_cells: Counter[str] = Counter()
        self.longest: Counter[str] = Counter()
        self.most_words: Counter[str] = Counter()
        self.found: dict[str, Counter[str]] = {name: Counter() for name in places}
        self._waiting: dict[str, list[pl.DataFrame]] = {name: [] for name in places}

    def add(self, columns: Sequence[pl.Series]) -> None:
        """Look into some more rows, given as the columns of the table."""
        for name, place in self.places.items():
            cells = columns[place].alias("text")
            self.n_cells[name] += len(cells)
            waiting = self._waiting[name]
            # PERF: patterns are looked for once in each text, not in each cell.
            waiting.append(cells.value_counts(name="n"))
            if sum(each.height for each in waiting) > _MOST_WAITING:
                waiting[:] = [_together(waiting)]
                if waiting[0].height > _MOST_WAITING // 2:
                    self._look(name)

    def add_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Look into some more rows, each as long as the header."""
        columns = list(zip(*rows, strict=True))
        if columns:
            self.add([pl.Series(each, dtype=pl.String) for each in columns])

    def end(self) -> None:
        """Look into what was not looked into yet."""
        for name in self.places:
            self._look(name)

    def _look(self, name: str) -> None:
        waiting = self._waiting[name]
        if not waiting:
            return
        texts, numbers = _together(waiting).get_columns()
        waiting.clear()
        length, words = texts.str.len_chars(), texts.str.count_matches(r"\S+")
        self.longest[name] = max(self.longest[name], int(str(length.max() or 0)))
        self.most_words[name] = max(self.most_words[name], int(str(words.max() or 0)))
        is_plain = texts.str.contains(_PLAIN)
        texts, numbers = texts.filter(~is_plain), numbers.filter(~is_plain)
        found = self.found[name]
        for kind, shape in _SHAPES.items():
            found[kind] += int(numbers.filter(texts.str.contains(shape)).sum())
        may_name = texts.str.contains(_TWO_WORDS)
        pairs = texts.filter(may_name).str.extract_all(_TWO_WORDS)
        for each, number in zip(pairs, numbers.filter(may_name), strict=True):
            found[_NAMES] += number * any(map(_is_name, each))


def _together(counted: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Count texts of several parts: each text once, with its number."""
    return pl.concat(counted).group_by("text").agg(pl.col("n").sum())


def _is_name(pair: str) -> bool:
    """Whether a listed first name stands before a listed surname."""
    first, last = pair.lower().split()
    return first in _listed("first_names") and last in _listed("surnames")


@cache
def _listed(name: str) -> frozenset[str]:
    """Words of a list that ships with the program, one in a line."""
    content = resources.path("names", f"{name}.txt").read_text(encoding="utf-8")
    lines = (line for line in content.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())
