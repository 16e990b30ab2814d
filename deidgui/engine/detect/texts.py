"""Looks for names, telephone numbers and other identifiers inside texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.table import Column
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Role
from deidgui.engine.detect.wordlists import word_list
from deidgui.text import Text

MOST_TEXTS = 20_000
"""Distinct texts that are looked at, evenly spaced."""

_PAIR = r"\b\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+\b"
_FULL_NAME: Text = "a first name beside a surname"


@dataclass(frozen=True)
class Found:
    """One kind of identifier inside the texts of a column.

    Parameters
    ----------
    title : str
        In words: "a telephone number".
    n_texts, n_looked_at : int
        Distinct texts that hold one, and that were looked at.
    """

    title: Text
    n_texts: int
    n_looked_at: int


def identifiers_inside(column: Column, kind: str) -> tuple[Found, ...]:
    """Look for identifiers of persons inside the texts of a column.

    Parameters
    ----------
    column : Column
        With missing texts marked.
    kind : str
        Value type; numbers and dates hold no texts.

    Returns
    -------
    tuple of Found
        The most frequent first; empty for columns that are no texts.
    """
    profile = ColumnProfile(column, kind, MOST_TEXTS)
    if not profile.n_sampled or not profile.is_text:
        return ()
    found = [
        Found(title, int(hits.sum()), profile.n_sampled)
        for title, hits in _hits(profile.sample, direct_only=True).items()
    ]
    return tuple(sorted((e for e in found if e.n_texts), key=lambda e: -e.n_texts))


KINDS: tuple[Text, ...] = (
    *dict.fromkeys(title for each in DETECTORS for title, _ in each.scan),
    _FULL_NAME,
)
"""All kinds of identifiers that are looked for inside texts, each once."""


@dataclass(frozen=True)
class CellsFound:
    """What the cells of a column are like, and which kinds of identifiers they hold.

    Parameters
    ----------
    longest : int
        Characters of the longest cell.
    most_words : int
        Of one cell, with blanks between.
    hits : mapping of str to int
        Cells by kind of identifier, of `KINDS` those that were found.
    """

    longest: int
    most_words: int
    hits: Mapping[str, int]


def look_into_cells(texts: pl.Series, n_cells: IntArray) -> CellsFound:
    """Look for identifiers inside all cells of a column.

    Parameters
    ----------
    texts : polars Series of String
        Different texts.
    n_cells : ndarray of int64, shape (n_texts,)
        How often each stands in the column; 0 leaves it out.

    Notes
    -----
    No kind of identifier is a plain number, which is therefore not looked into.
    """
    texts, n_cells = texts.filter(n_cells > 0), n_cells[n_cells > 0]
    if not len(texts):
        return CellsFound(0, 0, {})
    is_text = ~texts.str.contains(_NUMBER).to_numpy()
    looked, counts = texts.filter(is_text), n_cells[is_text]
    found = {title: int(counts[hits].sum()) for title, hits in _hits(looked).items()}
    return CellsFound(
        int(texts.str.len_chars().max() or 0),  # type: ignore[arg-type]
        int(texts.str.count_matches(r"\S+").max() or 0),  # type: ignore[arg-type]
        {title: found[title] for title in KINDS if found[title]},
    )


_NUMBER = r"^[+-]?[0-9]{1,50}(?:[.,][0-9]{1,50})?$"


def _hits(texts: pl.Series, *, direct_only: bool = False) -> dict[Text, BoolArray]:
    """Which texts hold an identifier, by its kind."""
    found: dict[Text, BoolArray] = {}
    for detector in DETECTORS:
        if direct_only and detector.role is not Role.DIRECT_IDENTIFIER:
            continue
        for title, pattern in detector.scan:
            hits = texts.str.contains(pattern).to_numpy().astype(np.bool_)
            found[title] = hits | found.get(title, False)
    found[_FULL_NAME] = _with_full_name(texts)
    return found


def _with_full_name(texts: pl.Series) -> BoolArray:
    """Texts in which a frequent first name stands before a frequent surname."""
    first, last = word_list("first_names"), word_list("surnames")
    found = texts.str.contains(_PAIR).to_numpy().astype(np.bool_)

    def has_name(pairs: list[str]) -> bool:
        words = (pair.lower().split() for pair in pairs)
        return any(a in first and b in last for a, b in words)

    pairs = texts.filter(found).str.extract_all(_PAIR).to_list()
    found[found] = [has_name(each) for each in pairs]
    return found
