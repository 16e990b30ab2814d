"""Looks for names, telephone numbers and other identifiers inside texts."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

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
    texts = profile.sample
    hits: dict[Text, int] = {}
    for detector in DETECTORS:
        if detector.role is Role.DIRECT_IDENTIFIER:
            for title, pattern in detector.scan:
                n_texts = int(texts.str.contains(pattern).sum())
                hits[title] = max(n_texts, hits.get(title, 0))
    hits[_FULL_NAME] = _n_with_full_name(texts)
    found = [Found(title, n, profile.n_sampled) for title, n in hits.items() if n]
    return tuple(sorted(found, key=lambda each: -each.n_texts))


def _n_with_full_name(texts: pl.Series) -> int:
    """Texts in which a frequent first name stands before a frequent surname."""
    first, last = word_list("first_names"), word_list("surnames")

    def has_name(pairs: list[str]) -> bool:
        words = (pair.lower().split() for pair in pairs)
        return any(a in first and b in last for a, b in words)

    return sum(map(has_name, texts.str.extract_all(_PAIR).to_list()))
