"""Recognises texts that may stand for a missing value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from deidgui.engine.arrays import FloatArray
from deidgui.engine.data.table import Column
from deidgui.monitor import NULL_MONITOR, Monitor

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
        "not reported",
        "not determined",
        "not given",
        "unspecified",
        "unknown/invalid",
        "refused",
        "declined",
        "prefer not to say",
        "no answer",
        "no response",
        "not_stated",
        "not_available",
        "not_applicable",
        "#null!",
        "(null)",
    ]
)
_CODE = r"^(?:-[1-9]|-?(?:9{2,9}|8{2,9}|7{3,9})(?:\.0+)?)$"
_NUMBER = r"^[+-]?[0-9]{1,18}(?:\.[0-9]*)?$"
_TWO_LETTERS = "^[A-Z]{2}$"
_BLANKS = " \t\u00a0"
_FAR = 1.5  # a code stands apart: this many times the largest other value


@dataclass(frozen=True)
class MissingCandidate:
    """A text of a column that may mean "no value".

    Parameters
    ----------
    token : str
        One of a few well-known words or codes (or blanks), never other text.
    certain : bool
        Whether it can be taken without asking.
    """

    token: str
    n_rows: int
    certain: bool


def missing_candidates(
    column: Column, *, monitor: Monitor = NULL_MONITOR
) -> tuple[MissingCandidate, ...]:
    """Texts of a column that may mean "no value", the certain ones first.

    Returns
    -------
    tuple of MissingCandidate
        Words such as ``NA`` and ``?`` are certain, except ``NA`` among codes of
        two letters (Namibia); words such as ``unknown`` are suggestions, and so
        are ``-9`` or ``999`` in a column of numbers from which they stand apart.
    """
    used = pl.Series(column.counts > 0)
    bare = column.values.str.strip_chars(_BLANKS)
    monitor.report(0.2, "missing")
    certain = bare.is_in(list(CERTAIN)) & used
    bare = bare.str.to_lowercase()
    monitor.report(0.4, "missing")
    words = bare.is_in(list(_WORDS)) & used & ~certain
    others = used & ~certain & ~words
    monitor.report(0.6, "missing")
    codes = _standing_apart(column.values, others)
    monitor.report(0.8, "missing")
    if certain.any() and _two_letter_codes(column.values.filter(others)):
        namibia = column.values == "NA"
        certain, words = certain & ~namibia, words | (certain & namibia)
    monitor.report(1.0, "missing")
    return (*_listed(column, certain, True), *_listed(column, words | codes, False))


def _listed(
    column: Column, places: pl.Series, certain: bool
) -> Iterator[MissingCandidate]:
    tokens = column.values.filter(places).to_list()
    counts = column.counts[places.to_numpy()].tolist()
    for token, n_rows in zip(tokens, counts, strict=True):
        yield MissingCandidate(token, n_rows, certain)


def _two_letter_codes(values: pl.Series) -> bool:
    return len(values) >= 2 and bool(values.str.contains(_TWO_LETTERS).all())


def _standing_apart(values: pl.Series, others: pl.Series) -> pl.Series:
    """Which of the other texts are codes like -9 and 999, far from all numbers."""
    codes = others & values.str.contains(_CODE)
    if not codes.any():
        return codes
    plain = others & values.str.contains(_NUMBER)
    rest: FloatArray = values.filter(plain & ~codes).cast(pl.Float64).to_numpy()
    few_numbers = int(plain.sum()) < max(3, 0.9 * int(others.sum()))
    if len(rest) == 0 or few_numbers:
        return codes & False
    low, high = float(rest.min()), float(rest.max())
    numbers: FloatArray = values.set(~codes, "0").cast(pl.Float64).to_numpy()
    apart = (numbers > max(_FAR * high, high + 1)) | ((numbers < 0) & (low >= 0))
    return codes & pl.Series(apart)
