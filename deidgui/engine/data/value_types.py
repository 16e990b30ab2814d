"""Recognises the value type of a column and the cells that do not fit it."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal, TypeAlias

import numpy as np
import polars as pl

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.data import dates
from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.data.missing import CERTAIN
from deidgui.engine.data.table import Column, LineIndex
from deidgui.engine.data.texts import FEW, Texts
from deidgui.errors import ConfigError, Param
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

Kind: TypeAlias = Literal["text", "integer", "decimal", "date", "category"]

NUMBER_FORMATS: dict[str, str] = {
    ".": r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$",
    ",": r"^[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$",
    "1,234.5": r"^[+-]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?$",
    "1.234,5": r"^[+-]?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]*)?$",
}
"""Ways to write a number: the decimal mark alone, or with marks for thousands."""

_INTEGER = r"^[+-]?[0-9]{1,18}$"
_LEADING_ZERO = r"^[+-]?0[0-9]"
_CODE_OF_DIGITS = r"^[+-]?0[0-9]+$"
_ZIP = r"^[0-9]{5}(?:-[0-9]{4})?$"
_CODE = r"^[A-Za-z]{1,3}[0-9]|^[0-9]+[A-Za-z]"
_THOUSANDS = r"^[+-]?[1-9][0-9]{0,2}(?:[.,][0-9]{3})+$"
_DATE_NAME = re.compile(r"date|time|stamp|epoch|(^|[^a-z])(dt|dob|dod|ts)([^a-z]|$)")
_EXCEL_RANGE = (7_000, 75_000)  # 1919 to 2105
_EPOCH_RANGE = (-1_600_000_000, 4_102_444_800)  # 1919 to 2100, in seconds
_YEARS = (1850, 2100)
_OPEN_END = 9999  # of 9999-12-31, written for "until today"

TOLERANCE = 0.05
"""Largest share of values, and of rows, that may fail a guessed type."""

_SAMPLE = 20_000
_BATCH = 250_000
_PROBE, _WIDE_PROBE = 20, 200
_LEAST_IN_FORMAT = 3
_MAX_CATEGORIES = 1_000


@dataclass(frozen=True)
class ValueType:
    """What the values of a column are.

    Parameters
    ----------
    kind : str
        text, integer, decimal, date or category.
    format : str
        Of a date: as for `dates.formats_of`. Of a decimal: a key of
        `NUMBER_FORMATS`. Otherwise empty.

    Raises
    ------
    ConfigError
        Code ``kind_unknown``, ``number_format_unknown`` or
        ``date_format_unknown``.
    """

    kind: Kind
    format: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("text", "integer", "decimal", "date", "category"):
            raise ConfigError("kind_unknown", kind=str(self.kind)[:40])
        if self.kind == "decimal" and self.format not in NUMBER_FORMATS:
            raise ConfigError("number_format_unknown", format=self.format[:40])
        if self.kind == "date":
            dates.formats_of(self.format)


@dataclass(frozen=True)
class TypeGuess:
    """The type proposed for a column.

    Parameters
    ----------
    kind, format : str
        As in `ValueType`; dates in two formats have both.
    n_failing_values, n_failing_rows : int
        Distinct texts, and rows, that are neither missing nor of this type.
    candidates : tuple of str
        Formats between which the values do not decide; () if the format is
        certain. The first one is `format`.
    alternatives : tuple of ValueType
        Other types that every value has.
    """

    kind: Kind
    format: str
    evidence: EncodingEvidence
    n_failing_values: int = 0
    n_failing_rows: int = 0
    candidates: tuple[str, ...] = ()
    alternatives: tuple[ValueType, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether a person must choose the format."""
        return len(self.candidates) > 1

    @property
    def type(self) -> ValueType:
        """The proposed type."""
        return ValueType(self.kind, self.format)


class _Values:
    """The distinct texts that a guess is made from, with their rows."""

    def __init__(self, column: Column, known: Texts) -> None:
        self.known = known
        no_value = known.is_in(CERTAIN) | column.is_missing
        places = np.flatnonzero(~no_value & (column.counts > 0))
        self.n_values = len(places)
        if len(places) > _SAMPLE:
            places = places[np.linspace(0, len(places) - 1, _SAMPLE).astype(np.int64)]
        if len(known) > FEW:
            self.texts = Texts.alone(column.values.gather(places)).changed(_stripped)
        else:
            self.texts = known.changed(_stripped).at(places)
        self.counts = column.counts[places]
        self.name = column.name.lower()
        self.n_rows = int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.texts)

    def matches(self, pattern: str) -> BoolArray:
        """Which texts match."""
        return self.texts.contains(pattern)

    def mostly(self, fits: BoolArray) -> bool:
        """Whether few enough values and rows are left out."""
        return _few(~fits, self.texts, self.counts)

    def some(self, n: int) -> Counter[str]:
        """Return texts at so many places, evenly spaced."""
        texts = self.texts.to_list()
        places = np.linspace(0, len(self) - 1, n).astype(np.int64)
        return Counter(texts[place] for place in places.tolist())

    def n_failing(self, fits: BoolArray) -> int:
        """How many texts are left out."""
        return int(np.count_nonzero(~fits))


def _stripped(texts: pl.Series) -> pl.Series:
    return texts.str.strip_chars(" ")


def _few(failing: BoolArray, texts: Texts, counts: IntArray) -> bool:
    """Whether failing texts are rare, and slips of the pen rather than codes."""
    places = np.flatnonzero(failing)
    return len(places) == 0 or bool(
        len(places) <= TOLERANCE * len(texts)
        and counts[places].sum() <= TOLERANCE * counts.sum()
        and not texts.at(places).series.str.contains(_CODE).any()
    )


def guess_type(
    column: Column, *, known: Texts | None = None, monitor: Monitor = NULL_MONITOR
) -> TypeGuess:
    """Find the type of a column from its distinct values.

    Numbers with leading zeros and ZIP codes stay text; years are integers;
    plain numbers are dates only as YYYYMMDD, or where the column's name says so.

    Parameters
    ----------
    known : Texts, optional
        The column's values, where they are looked at together with other columns'.

    Returns
    -------
    TypeGuess
        At most `TOLERANCE` of the values and rows fail, except for text.
    """
    values = _Values(column, Texts.alone(column.values) if known is None else known)
    monitor.report(0.1, "types")
    if len(values) == 0:
        return TypeGuess("text", "", EncodingEvidence.of("type_no_values"))
    attempts = (
        _guess_counted_date, _guess_code, _guess_date, _guess_two_dates, _guess_number
    )  # fmt: skip
    for attempt in attempts:
        if (guess := attempt(values)) is not None:
            break
    else:
        guess = _word_guess(values, None)
    monitor.report(0.5, "types")
    if guess.kind in ("text", "category"):
        return guess
    return _checked(column, values, guess, SubMonitor(monitor, 0.5, 1.0))


def _checked(
    column: Column, values: _Values, guess: TypeGuess, monitor: Monitor
) -> TypeGuess:
    """Hold a guess that was made from a sample against all values."""
    known = values.known
    fits = fitting(column, guess.type, known=known, monitor=monitor)
    failing = ~fits & (column.counts > 0)
    strange = failing & ~known.is_in(CERTAIN)
    counts = np.where(column.is_missing, 0, column.counts)
    if not _few(strange, known, counts):
        return _word_guess(values, None)
    if guess.kind != "date" and values.n_values > len(values):
        zeros = _contains(column.values, _CODE_OF_DIGITS, monitor)
        if zeros.any():
            n_zeros = int(np.count_nonzero(zeros))
            return _word_guess(
                values, EncodingEvidence.of("type_leading_zeros", n_values=n_zeros)
            )
    if dates.SEVERAL in guess.format:
        guess = _with_counts(column, guess, monitor)
    return replace(
        guess,
        n_failing_values=int(np.count_nonzero(failing)),
        n_failing_rows=int(column.counts[failing].sum()),
    )


def fitting(
    column: Column,
    wanted: ValueType,
    *,
    known: Texts | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> BoolArray:
    """Which distinct texts of a column are of a type, or missing.

    A top code is a number: "45+" if no number of the column is higher than 45.

    Parameters
    ----------
    known : Texts, optional
        As for `guess_type`.

    Returns
    -------
    ndarray of bool, shape (column.n_values,)
    """
    if wanted.kind in ("text", "category"):
        return np.ones(column.n_values, dtype=np.bool_)
    if wanted.kind == "date":
        if known is None or len(known) > FEW:
            moments = dates.parse(column.values, wanted.format, monitor=monitor)
        else:
            moments = known.measured(_reader(wanted.format))
        return ~np.isnat(moments) | column.is_missing
    pattern = _INTEGER if wanted.kind == "integer" else NUMBER_FORMATS[wanted.format]
    if known is None or len(known) > FEW:
        fits = _contains(column.values, pattern, monitor)
    else:
        fits = known.changed(_stripped).contains(pattern)
    fits |= column.is_missing
    return fits | _is_top_code(column, fits, pattern, wanted.format)


def _is_top_code(
    column: Column, fits: BoolArray, pattern: str, number_format: str
) -> BoolArray:
    """Which text is a top code: one alone, and no number is higher."""
    found = np.zeros(column.n_values, np.bool_)
    others = np.flatnonzero(~fits)
    if len(others) == 0:
        return found
    texts = column.values.gather(others).str.strip_chars(" ")
    is_open = texts.str.ends_with("+").to_numpy()
    if np.count_nonzero(is_open) != 1:
        return found
    at = int(others[is_open][0])
    low = column.values.gather([at]).str.strip_chars(" ").str.strip_suffix("+")
    if not low.str.contains(pattern).all():
        return found
    mark = number_format or "."
    top = numbers(Column("", np.zeros(1, np.int32), low), mark)[0]
    found[at] = not (numbers(column, mark) > top).any()
    return found


def _contains(texts: pl.Series, pattern: str, monitor: Monitor) -> BoolArray:
    """Which texts match, outer blanks left out; in batches, to be stopped soon."""
    found = np.empty(len(texts), dtype=np.bool_)
    for first in range(0, len(texts), _BATCH):
        batch = texts.slice(first, _BATCH).str.strip_chars(" ")
        found[first : first + _BATCH] = batch.str.contains(pattern).to_numpy()
        monitor.report(min((first + _BATCH) / len(texts), 1.0), "types")
    return found


def failing_cells(
    column: Column, wanted: ValueType, lines: LineIndex, limit: int = 1_000
) -> list[tuple[int, int]]:
    """Cells that are neither missing nor of a type, in the order of the file.

    Parameters
    ----------
    lines : LineIndex
        Of the column's table.
    limit : int
        Most cells.

    Returns
    -------
    list of (line, row)
        Line from 1 in the file, row from 0 in the table.
    """
    fails = ~fitting(column, wanted)[column.codes]
    if column.absent is not None:
        fails &= ~column.absent
    rows = np.flatnonzero(fails)[:limit].tolist()
    return [(lines.line(row), row) for row in rows]


def numbers(column: Column, number_format: str = ".") -> FloatArray:
    """Number that each distinct text of a column stands for.

    Parameters
    ----------
    number_format : str
        A key of `NUMBER_FORMATS`: the decimal mark, or how thousands are marked.

    Returns
    -------
    ndarray of float64, shape (column.n_values,)
        NaN where a text is missing or no number.

    Raises
    ------
    ConfigError
        Code ``number_format_unknown``.
    """
    if number_format not in NUMBER_FORMATS:
        raise ConfigError("number_format_unknown", format=number_format[:40])
    texts = column.values.str.strip_chars(" ")
    fits = texts.str.contains(NUMBER_FORMATS[number_format]).to_numpy()
    if number_format == "1,234.5":
        texts = texts.str.replace_all(",", "", literal=True)
    elif number_format == "1.234,5":
        texts = texts.str.replace_all(".", "", literal=True)
    plain = texts.str.replace(",", ".", literal=True).str.strip_prefix("+")
    found = plain.set(pl.Series(~fits), "0").cast(pl.Float64).to_numpy()
    return np.where(fits & ~column.is_missing, found, np.nan)


def _guess_code(values: _Values) -> TypeGuess | None:
    """Digits that are no numbers: leading zeros, ZIP codes."""
    digits = values.matches(_INTEGER) | values.matches(NUMBER_FORMATS["."])
    if not values.mostly(digits | values.matches(_ZIP)):
        return None
    zeros = int(np.count_nonzero(values.matches(_LEADING_ZERO) & digits))
    other = (ValueType("integer"),) if values.matches(_INTEGER).all() else ()
    if zeros:
        reason = EncodingEvidence.of("type_leading_zeros", n_values=zeros)
        return _word_guess(values, reason, other)
    if values.matches(_ZIP).all():
        return _word_guess(values, EncodingEvidence.of("type_zip"), other)
    return None


def _guess_date(values: _Values) -> TypeGuess | None:
    names = _plausible_formats(values)
    fits = {name: _as_date(values, name) for name in names}
    usable = [name for name in names if values.mostly(fits[name])]
    if not usable:
        return None
    best = min(
        usable, key=lambda name: (values.n_failing(fits[name]), names.index(name))
    )
    if values.n_failing(fits[best]) and (two := _guess_two_dates(values)):
        return two
    evidence = EncodingEvidence.of("type_date", format=best)
    candidates: tuple[str, ...] = ()
    for pair in dates.DAY_OR_MONTH_FIRST:
        if best in pair:
            failing = [values.n_failing(fits[name]) for name in pair]
            if failing[0] == failing[1]:
                candidates = tuple(dates.with_pivot(name) for name in pair)
                evidence = EncodingEvidence.of(
                    "type_date_ambiguous", first=pair[0], second=pair[1]
                )
    plain = values.matches(_INTEGER).all()
    others = (ValueType("integer"),) if plain else ()
    name = dates.with_pivot(best)
    return TypeGuess("date", name, evidence, 0, 0, candidates, others)


def _guess_two_dates(values: _Values) -> TypeGuess | None:
    """Dates of which some are written in one format and some in another."""
    names = _formats_in_use(values)
    fits = {name: _as_date(values, name) for name in names}
    pairs = [
        (first, second)
        for first, second in itertools.combinations(names, 2)
        if values.mostly(fits[first] | fits[second])
        and np.count_nonzero(fits[first] & ~fits[second]) >= _LEAST_IN_FORMAT
        and np.count_nonzero(fits[second] & ~fits[first]) >= _LEAST_IN_FORMAT
    ]
    if not pairs:
        return None
    pair = min(pairs, key=lambda p: values.n_failing(fits[p[0]] | fits[p[1]]))
    # The format of more values reads those that fit both.
    first, second = sorted(pair, key=lambda name: -np.count_nonzero(fits[name]))
    name = dates.with_pivot(dates.SEVERAL.join((first, second)))
    evidence = EncodingEvidence.of("type_dates_two", first=first, second=second)
    return TypeGuess("date", name, evidence)


def _with_counts(column: Column, guess: TypeGuess, monitor: Monitor) -> TypeGuess:
    """Count the rows of each of two formats, and those that fit both."""
    first, second = guess.format.split(dates.SEVERAL)
    one = dates.parse(column.values, first, monitor=SubMonitor(monitor, 0.0, 0.5))
    other = dates.parse(column.values, second, monitor=SubMonitor(monitor, 0.5, 1.0))
    counts = np.where(column.is_missing, 0, column.counts)
    is_one, is_other = ~np.isnat(one), ~np.isnat(other)
    n_both = int(counts[is_one & is_other & (one != other)].sum())
    params: dict[str, Param] = {
        "first": dates.format_of(first)[0].name,
        "second": dates.format_of(second)[0].name,
        "n_first": int(counts[is_one & ~is_other].sum()),
        "n_second": int(counts[is_other & ~is_one].sum()),
        "n_both": n_both,
    }
    if not n_both:
        return replace(guess, evidence=EncodingEvidence.of("type_dates_two", **params))
    evidence = EncodingEvidence.of("type_dates_two_ambiguous", **params)
    turned = dates.SEVERAL.join((second, first))
    return replace(guess, evidence=evidence, candidates=(guess.format, turned))


def _formats_in_use(values: _Values) -> list[str]:
    """Date formats in which a few of many values look written."""
    matching = _n_matching(values.some(_WIDE_PROBE))
    return [name for name, n in matching.items() if n >= 2]


def _plausible_formats(values: _Values) -> list[str]:
    """Date formats in which most of some values look written."""
    matching = _n_matching(values.some(_PROBE))
    return [name for name, n in matching.items() if 2 * n > _PROBE]


def _n_matching(texts: Counter[str]) -> dict[str, int]:
    """How many of some texts look written in each date format."""
    return {
        name: sum(n for text, n in texts.items() if looks.match(text))
        for name, looks in _looks_of_dates().items()
    }


@cache
def _looks_of_dates() -> dict[str, re.Pattern[str]]:
    """How a text of each date format looks."""
    formats = (form for form in dates.FORMATS.values() if form.pattern)
    return {form.name: re.compile(form.pattern) for form in formats}


def _as_date(values: _Values, name: str) -> BoolArray:
    """Which texts are dates; digits alone only in years in which people live."""
    moments = values.texts.measured(_reader(name))
    fits = ~np.isnat(moments)
    if name.startswith("YYYYMMDD"):
        years = moments.astype("datetime64[Y]").astype(np.int64) + 1970
        fits &= ((years >= _YEARS[0]) & (years <= _YEARS[1])) | (years == _OPEN_END)
    return np.asarray(fits, dtype=np.bool_)


@cache
def _reader(name: str) -> Callable[[pl.Series], AnyArray]:
    """Return the function that reads dates in a format, always the same one."""
    return partial(dates.parse, format_name=name)


def _guess_counted_date(values: _Values) -> TypeGuess | None:
    """Seconds or days since an origin, if the column's name speaks of time."""
    if not _DATE_NAME.search(values.name):
        return None
    plain = values.matches(r"^(?:0|-?[1-9][0-9]{0,13})$")
    if not values.mostly(plain) or values.mostly(_as_date(values, "YYYYMMDD")):
        return None
    found = values.texts.at(np.flatnonzero(plain)).series.cast(pl.Int64).to_numpy()
    low, high = int(found.min()), int(found.max())
    for name, (first, last) in (
        ("Excel serial", _EXCEL_RANGE),
        ("epoch s", _EPOCH_RANGE),
        ("epoch ms", (_EPOCH_RANGE[0] * 1000, _EPOCH_RANGE[1] * 1000)),
    ):
        if first <= low and high <= last and (name == "Excel serial" or high > 10**7):
            evidence = EncodingEvidence.of("type_date_counted", format=name)
            return TypeGuess(
                "date", name, evidence, alternatives=(ValueType("integer"),)
            )
    return None


def _guess_number(values: _Values) -> TypeGuess | None:
    if values.mostly(values.matches(_INTEGER)):
        return TypeGuess("integer", "", EncodingEvidence.of("type_integer"))
    fits = {name: values.matches(rule) for name, rule in NUMBER_FORMATS.items()}
    usable = [name for name in fits if values.mostly(fits[name])]
    if not usable:
        return None
    best = min(usable, key=lambda name: values.n_failing(fits[name]))
    rivals = _rivals(values, usable, best)
    if rivals:
        evidence = EncodingEvidence.of("type_decimal_ambiguous")
        return TypeGuess("decimal", best, evidence, candidates=(best, *rivals))
    return TypeGuess("decimal", best, EncodingEvidence.of("type_decimal", format=best))


def _rivals(values: _Values, usable: Sequence[str], best: str) -> tuple[str, ...]:
    """The format for thousands, if every mark could be one of thousands."""
    rival = {".": "1.234,5", ",": "1,234.5"}.get(best, "")
    marked = values.matches("[.,]")
    could_be = values.matches(_THOUSANDS)
    return (rival,) if rival in usable and not (marked & ~could_be).any() else ()


def _word_guess(
    values: _Values,
    reason: EncodingEvidence | None,
    alternatives: tuple[ValueType, ...] = (),
) -> TypeGuess:
    """Category if few values repeat, text otherwise."""
    few = values.n_values <= _MAX_CATEGORIES and values.n_rows >= 2 * len(values)
    kind: Kind = "category" if few else "text"
    code = "type_category" if few else "type_text"
    evidence = reason or EncodingEvidence.of(code, n_values=values.n_values)
    return TypeGuess(kind, "", evidence, alternatives=alternatives)
