"""Recognises texts that may stand for a missing value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.data.table import Column
from deidgui.engine.data.texts import Texts
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
_NAMIBIA = frozenset(("NA",))
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
    column: Column, *, known: Texts | None = None, monitor: Monitor = NULL_MONITOR
) -> tuple[MissingCandidate, ...]:
    """Texts of a column that may mean "no value", the certain ones first.

    Parameters
    ----------
    known : Texts, optional
        The column's values, where they are looked at together with other columns'.

    Returns
    -------
    tuple of MissingCandidate
        Words such as ``NA`` and ``?`` are certain, except ``NA`` among codes of
        two letters (Namibia); words such as ``unknown`` are suggestions, and so
        are ``-9`` or ``999`` in a column of numbers from which they stand apart.
    """
    known = Texts.alone(column.values) if known is None else known
    used = column.counts > 0
    bare = known.changed(_bare)
    monitor.report(0.2, "missing")
    certain = bare.is_in(CERTAIN) & used
    monitor.report(0.4, "missing")
    words = bare.changed(_lower).is_in(_WORDS) & used & ~certain
    others = used & ~certain & ~words
    monitor.report(0.6, "missing")
    codes = _standing_apart(known, others)
    monitor.report(0.8, "missing")
    if certain.any() and _two_letter_codes(known, others):
        namibia = known.is_in(_NAMIBIA)
        certain, words = certain & ~namibia, words | (certain & namibia)
    monitor.report(1.0, "missing")
    return (*_listed(column, certain, True), *_listed(column, words | codes, False))


def _bare(texts: pl.Series) -> pl.Series:
    return texts.str.strip_chars(_BLANKS)


def _lower(texts: pl.Series) -> pl.Series:
    return texts.str.to_lowercase()


def _listed(
    column: Column, are: BoolArray, certain: bool
) -> Iterator[MissingCandidate]:
    for place in np.flatnonzero(are).tolist():
        token, n_rows = str(column.values[place]), int(column.counts[place])
        yield MissingCandidate(token, n_rows, certain)


def _two_letter_codes(known: Texts, others: BoolArray) -> bool:
    are_codes = known.contains(_TWO_LETTERS)[others]
    return len(are_codes) >= 2 and bool(are_codes.all())


def _standing_apart(known: Texts, others: BoolArray) -> BoolArray:
    """Which of the other texts are codes like -9 and 999, far from all numbers."""
    codes = others & known.contains(_CODE)
    if not codes.any():
        return codes
    plain = others & known.contains(_NUMBER)
    values = known.series
    rest: FloatArray = values.filter(plain & ~codes).cast(pl.Float64).to_numpy()
    few_numbers = int(plain.sum()) < max(3, 0.9 * int(others.sum()))
    if len(rest) == 0 or few_numbers:
        return codes & False
    low, high = float(rest.min()), float(rest.max())
    numbers: FloatArray = values.set(pl.Series(~codes), "0").cast(pl.Float64).to_numpy()
    apart = (numbers > max(_FAR * high, high + 1)) | ((numbers < 0) & (low >= 0))
    return codes & np.asarray(apart, dtype=np.bool_)
