"""Which texts of a column may mean that there is no value?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from deidgui.engine.data.table import Column

CERTAIN = frozenset(
    (
        "",
        *[
            "NA",
            "N/A",
            "n/a",
            "#N/A",
            "<NA>",
            "NULL",
            "null",
            "NaN",
            "nan",
            "?",
            ".",
            "\\N",
        ],
    )
)
"""Texts that hardly ever mean anything else."""

_WORDS = frozenset(
    [
        "-",
        "--",
        "??",
        "na",
        "n.a.",
        "nd",
        "nat",
        "nil",
        "none",
        "unk",
        "unknown",
        "missing",
        "no data",
        "unavailable",
        "not stated",
        "not specified",
        "not available",
        "not recorded",
        "not known",
        "not applicable",
        "not_stated",
        "not_available",
        "not_applicable",
        "#null!",
        "(null)",
    ]
)
_CODE = re.compile(r"-[1-9]|-?(?:9{2,9}|8{2,9}|7{3,9})(?:\.0+)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]*)?")
_TWO_LETTERS = re.compile(r"[A-Z]{2}")
_LONGEST = 16  # longer texts are no token
_FAR = 1.5  # a code stands apart: this many times the largest other value


@dataclass(frozen=True)
class MissingCandidate:
    """A text of a column that may mean "no value".

    Parameters
    ----------
    token : str
        One of a few well-known words or codes (or blanks), never other text.
    n_rows : int
    certain : bool
        Whether it can be taken without asking.
    """

    token: str
    n_rows: int
    certain: bool


def missing_candidates(column: Column) -> tuple[MissingCandidate, ...]:
    """Texts of a column that may mean "no value", the certain ones first.

    Parameters
    ----------
    column : Column

    Returns
    -------
    tuple of MissingCandidate
        Words such as ``NA`` and ``?`` are certain, except ``NA`` among codes of
        two letters (Namibia); words such as ``unknown`` are suggestions, and so
        are ``-9`` or ``999`` in a column of numbers from which they stand apart.
    """
    short = column.values.str.len_chars() <= _LONGEST
    places = short.arg_true().to_list()
    texts = column.values.gather(places).to_list() if places else []
    counts = column.counts[places].tolist()
    found = [
        MissingCandidate(text, n_rows, _is_certain(text))
        for text, n_rows in zip(texts, counts, strict=True)
        if n_rows and (_is_certain(text) or text.strip().lower() in _WORDS)
    ]
    taken = {each.token for each in found}
    codes = _standing_apart([text for text in texts if text not in taken], column)
    found += [
        MissingCandidate(text, n_rows, certain=False)
        for text, n_rows in zip(texts, counts, strict=True)
        if n_rows and text in codes
    ]
    if "NA" in taken and _two_letter_codes(texts):
        found = [
            MissingCandidate(
                each.token, each.n_rows, each.certain and each.token != "NA"
            )
            for each in found
        ]
    return tuple(sorted(found, key=lambda each: (not each.certain, each.token)))


def unmistakable(candidates: Iterable[MissingCandidate]) -> tuple[str, ...]:
    """Texts among the candidates that mean "no value" without asking."""
    return tuple(each.token for each in candidates if each.certain)


def _is_certain(text: str) -> bool:
    return text.strip(" \t\u00a0") in CERTAIN


def _two_letter_codes(texts: list[str]) -> bool:
    others = [text for text in texts if text not in CERTAIN]
    return len(others) >= 2 and all(_TWO_LETTERS.fullmatch(text) for text in others)


def _standing_apart(texts: list[str], column: Column) -> set[str]:
    """Codes like -9 and 999 that are far from the other numbers of a column."""
    numbers = {text: float(text) for text in texts if _NUMBER.fullmatch(text)}
    if len(numbers) < 0.9 * (column.n_values - len(CERTAIN)) or len(numbers) < 3:
        return set()
    codes = {text for text in numbers if _CODE.fullmatch(text)}
    others = [number for text, number in numbers.items() if text not in codes]
    if not others:
        return set()
    low, high = min(others), max(others)
    return {
        text
        for text in codes
        if (numbers[text] < 0 <= low) or numbers[text] > max(_FAR * high, high + 1)
    }
