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
        *("-", "--", "---", "\u2013", "\u2014", "..", "...", "??", "na", "n.a.", "nd"),
        *("nat", "nil", "none", "unk", "unk.", "unknown", "missing", "no data"),
        *("unavailable", "not stated", "not specified", "not available"),
        *("not recorded", "not known", "not applicable", "not reported"),
        *("not determined", "not given", "not provided", "not asked", "not collected"),
        *("not documented", "unspecified", "unknown/invalid", "undisclosed"),
        *("refused", "declined", "prefer not to say", "no answer", "no response"),
        *("no information", "don't know", "do not know", "not_stated"),
        *("not_available", "not_applicable", "not_known", "not_recorded"),
        *("#null!", "(null)", "(blank)", "(missing)", "#nv", "#n/d", "-inf", "inf"),
        # German
        *("k.a.", "k. a.", "k.a", "k/a", "keine angabe", "keine angaben"),
        *("ohne angabe", "o.a.", "o. a.", "unbekannt", "nicht bekannt"),
        *("nicht angegeben", "nicht erhoben", "nicht verfügbar", "nicht dokumentiert"),
        *("nicht zutreffend", "fehlt", "fehlend", "entfällt", "n.v.", "unbek."),
        # French
        *("inconnu", "inconnue", "non renseigné", "non renseignée", "non précisé"),
        *("non précisée", "non disponible", "non applicable", "sans objet", "n.r."),
        # Spanish and Portuguese
        *("desconocido", "desconocida", "no consta", "no disponible", "no aplica"),
        *("sin datos", "s/d", "ns/nc", "desconhecido", "desconhecida", "ignorado"),
        *("não informado", "não se aplica"),
        # Italian and Dutch
        *("non noto", "sconosciuto", "non specificato", "n.d.", "onbekend"),
        *("niet bekend", "niet ingevuld", "n.v.t.", "geen gegevens"),
    ]
)
_NINES = r"(?:9{2,9}|8{2,9}|7{3,9})(?:[.,]0+)?"
_BELOW = rf"^-(?:[1-9](?:[.,]0+)?|{_NINES})$"
_ABOVE = rf"^{_NINES}$"
_NUMBER = r"^[+-]?[0-9]{1,18}(?:[.,][0-9]*)?$"
_THOUSANDS = r"^[+-]?[0-9]{1,3},[0-9]{3}$"
_TIME = r"(?:[ T][0-9:.]*Z?)?$"
_NO_YEAR = "(?:0000|0001|1111|2999|9999)"
_NO_DATE = (
    rf"^{_NO_YEAR}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}{_TIME}"
    rf"|^[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.]{_NO_YEAR}{_TIME}|^99991231$"
)
_ZERO_DATE = (
    r"^(?:1900-0?1-0?1|1899-12-3[01]|1970-0?1-0?1|1960-0?1-0?1|1753-0?1-0?1"
    r"|0?1[./]0?1[./](?:1900|1970|1960|1753)|3[01]\.12\.1899|12/3[01]/1899)"
    rf"{_TIME}"
)
"""Days that programs write where there is none: their day zero."""
_CODE_OR_DAY = "|".join((_BELOW, _ABOVE, _NO_DATE, _ZERO_DATE))
_YEAR = r"(?:^|[^0-9])([12][0-9]{3})(?:[^0-9]|$)"
_YEARS_APART = 5
_NAMIBIA = frozenset(("NA",))
_TWO_LETTERS = "^[A-Z]{2}$"
_BLANKS = " \t\u00a0"
_FAR = 1.5  # a code stands apart: this many times the largest other value
_TWO_DIGITS = 10


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
        two letters (Namibia); words such as ``unknown`` and ``k.A.`` are
        suggestions, and so are ``999`` in a column of numbers from which it stands
        apart, ``-9`` in any column without other numbers below zero, days that
        nobody has seen (``9999-12-31``), and day zero of a program
        (``1900-01-01``) years before all others.
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
    """Which of the other texts are codes like -9, 999 and 9999-12-31, far from all."""
    # PERF: of ten million keys one look of this kind tells that nothing is a code.
    if not (others & known.contains(_CODE_OR_DAY)).any():
        return np.zeros(len(known), dtype=np.bool_)
    below, above = known.contains(_BELOW), known.contains(_ABOVE)
    codes = others & (below | above)
    days = others & known.contains(_NO_DATE)
    zeros = others & known.contains(_ZERO_DATE)
    if zeros.any():
        days |= zeros & _before_all(known, zeros, others & ~zeros & ~days)
    if not codes.any():
        return days
    plain = others & known.contains(_NUMBER)
    numbers = _as_numbers(known, plain)
    rest = numbers[plain & ~codes]
    low, high = (float(rest.min()), float(rest.max())) if len(rest) else (0.0, 0.0)
    # Where no value is below zero, -9 is none, whatever the others are.
    found = codes & below & ((low >= 0) | (numbers < min(_FAR * low, -_TWO_DIGITS)))
    few_numbers = int(plain.sum()) < max(3, 0.9 * int(others.sum()))
    if len(rest) and not few_numbers:
        found |= codes & above & (numbers > max(_FAR * high, high + 1))
    is_alone = not (others & ~codes & ~days).any()
    return days if is_alone else days | found


def _as_numbers(known: Texts, plain: BoolArray) -> FloatArray:
    """Numbers that texts are, 0 for others; a comma parts decimals or thousands."""
    commas = plain & known.contains(",")
    thousands = bool(commas.any()) and not (commas & ~known.contains(_THOUSANDS)).any()
    texts = known.series.set(pl.Series(~plain), "0")
    dotted = texts.str.replace(",", "" if thousands else ".", literal=True)
    return dotted.cast(pl.Float64).to_numpy()


def _before_all(known: Texts, zeros: BoolArray, others: BoolArray) -> BoolArray:
    """Which days are years before those of all other texts, which must be days."""
    years = known.series.str.extract(_YEAR).cast(pl.Int64).fill_null(0).to_numpy()
    rest = years[others & (years > 0)]
    if len(rest) < max(3, 0.9 * int(others.sum())):
        return zeros & False
    return zeros & (years + _YEARS_APART < int(rest.min()))
