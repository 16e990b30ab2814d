"""Proposes a hierarchy rule for a column."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np

from deidgui.engine.data.numbers import Scale, in_order
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import (
    CommonValues,
    CutPoints,
    Dates,
    DaysSince,
    Flat,
    Icd9,
    Icd10,
    Intervals,
    Masking,
    Template,
    UsStates,
    ZipCodes,
)
from deidgui.engine.data.templates.common import SHARED
from deidgui.engine.data.templates.dates import read_dates

FEW_VALUES = 12
"""Numbers with so few distinct values are categories to most people."""

FEW_WORDS = 8
"""Up to so many categories one level lies between all of them and nothing."""

WANTED_BANDS = 20
"""How many bands the first level of a proposal has at most."""

DENSE_PART = 0.2
"""Numbers are skewed if this lowest part of their range holds half of the records."""

DAYS = (1, 2, 3, 4, 8, 15, 31, 61, 91, 181, 366)
"""Bounds of bands of days and small counts that people use."""

MOST_DAYS = 1000
"""Numbers from which amounts are more usual."""

AMOUNTS = tuple(digit * 10**power for power in range(13) for digit in (1, 2, 5))
"""Bounds of bands of amounts that people use."""

LEAST_SHARES = (0.02, 0.08, 0.2, 0.35)
"""Share of the records that every band of a level has at least."""

OLDEST_AGE = 89
"""Ages over it are one group under Safe Harbor."""

FEWEST_BANDS = 3
"""Fewer bands are words to most people."""

MOST_BANDS = 200
"""More different values are no bands."""

_CODED = {
    *("sex", "race", "ethnicity", "marital", "relationship", "language", "religion"),
    *("occupation", "education", "county", "city", "region", "country", "code"),
    *("admission", "facility", "payor", "disposition", "specialty"),
    *("diagnosis", "procedure", "drug"),
}
"""Topics whose numbers are names of categories, not amounts."""


def propose_template(
    column: Column,
    kind: str,
    value_format: str | None = None,
    topic: str | None = None,
) -> Template | None:
    """Choose the rule that most people would want for a column.

    Parameters
    ----------
    kind : str
        Type of the values: text, integer, decimal, date or category.
    value_format : str, optional
        Date format (see `deidgui.engine.data.dates`), or decimal mark.
    topic : str, optional
        What the column is about, a word of the detector: age, zip, date, birth
        date, year, month, state, icd9, icd10, length of stay, county, code, ...

    Returns
    -------
    Template or None
        A rule that reads at least half of the values and ends with ``*``; None
        if the column has no rows.

    Raises
    ------
    ConfigError
        Code ``date_format_unknown``.
    """
    present = column.present()
    if not present:
        return Flat() if column.n_missing else None
    by_topic = _by_topic(present, kind, value_format, topic)
    if topic == "length of stay" and kind == "integer":
        by_topic = _for_skewed(column, Scale(), is_any=True) or CutPoints()
    if by_topic is not None and 2 * len(by_topic.unread(present)) < len(present):
        return by_topic
    if (bands := _for_bands(column)) is not None:
        return bands
    if kind in ("integer", "decimal") and topic not in _CODED:
        return _for_numbers(column, kind, value_format) or _for_words(column)
    if kind == "text" or topic in _CODED:
        return _for_codes(present) or _for_words(column)
    return _for_words(column)


def _for_words(column: Column) -> Template:
    """Keep the most common values, if there are any, and join the others."""
    counts = column.counts[~column.is_missing]
    if len(counts) <= 2 or counts.max() < SHARED:
        return Flat()
    return CommonValues((1,) if len(counts) <= FEW_WORDS else (4, 1))


def _for_bands(column: Column) -> CutPoints | None:
    """Join two neighbouring bands, then four, of values as "[20-30)", "6-99", "85+".

    A bound is where a band begins that is shared by enough records.

    Returns
    -------
    CutPoints or None
        None if a value in ten is no band, or bands overlap.
    """
    texts = column.present()
    counts = column.counts[~column.is_missing].tolist()
    if len(texts) > MOST_BANDS:
        return None
    for scale in (Scale(), Scale(whole=False)):
        read = zip(map(scale.read_band, texts), counts, strict=True)
        bands = sorted((band, n) for band, n in read if band is not None)
        if len(bands) < FEWEST_BANDS or len(bands) < 0.9 * len(texts):
            continue
        if any(one.high > other.low for (one, _), (other, _) in pairwise(bands)):
            continue
        lows = [band.low for band, n in bands[1:] if n >= SHARED]
        first, *wider = (lows[joined - 1 :: joined] for joined in (2, 4, 8))
        levels = [first, *(each for each in wider if len(each) > 1)]
        bounds = " | ".join(" ".join(map(scale.write, each)) for each in levels)
        return CutPoints(bounds, whole=scale.whole) if bounds else None
    return None


def _by_topic(
    present: Sequence[str], kind: str, value_format: str | None, topic: str | None
) -> Template | None:
    is_date = kind == "date" and value_format not in (None, ".", ",")
    match topic:
        case "age":
            return _for_ages(present, _mark(value_format))
        case "zip":
            longest = max(len(text.strip()) for text in present)
            return ZipCodes(stored="3 digits" if longest <= 3 else "5 digits")
        case "postcode":
            return _for_postcodes(present)
        case "state":
            return _for_states(present)
        case "icd9":
            return Icd9()
        case "icd10":
            return Icd10()
        case "date" if kind == "integer":
            return DaysSince()
        case "birth date" if is_date:
            return _for_births(present, str(value_format))
        case "year" if kind == "integer":
            return Intervals(width=5, factors=(2, 2))
        case "month" if kind == "integer":
            return Intervals(width=3, factors=(2,), start=1)
        case "county" if all(len(text) == 5 and text.isdigit() for text in present):
            return Masking(step=3, levels=1)  # FIPS: two digits are the state
    return Dates(str(value_format)) if is_date else None


def _for_ages(present: Sequence[str], mark: str) -> Intervals:
    """Bands of 5, 10 and 20 years with 90+, single years first if one is over 89."""
    numbers, _ = in_order(present, Scale(decimal_mark=mark))
    over = bool(numbers) and numbers[-1][0] > OLDEST_AGE
    return Intervals(
        width=5,
        factors=(2, 2),
        top=OLDEST_AGE + 1,
        keep_single=over,
        decimal_mark=mark,
    )


def _for_postcodes(present: Sequence[str]) -> Masking:
    """Prefixes of postal codes: first the second half is masked, then most."""
    lengths = [len(text.strip()) for text in present]
    usual = int(np.median(lengths))
    step = max(1, (usual - 1) // 2)
    return Masking(step=step, levels=max(1, (usual - 1) // step))


def _for_states(present: Sequence[str]) -> UsStates:
    """States by the numbering that knows more of the values."""
    rules = (UsStates(), UsStates(numbers="SSA"))
    return min(rules, key=lambda rule: len(rule.unread(present)))


def _for_births(present: Sequence[str], date_format: str) -> Dates:
    """Dates of birth; years that tell an age over 89 today are one group."""
    this_year = datetime.date.today().year
    last = this_year - OLDEST_AGE - 1
    days = [day for day in read_dates(present, date_format) if day is not None]
    is_needed = bool(days) and min(days).year <= last
    return Dates(date_format, oldest_year=last if is_needed else None)


def _mark(value_format: str | None) -> str:
    return value_format if value_format in (".", ",") else "."


def _for_numbers(
    column: Column, kind: str, value_format: str | None
) -> Template | None:
    """Bands of round widths over the bulk of the records; tails coded together."""
    scale = Scale(kind == "integer", _mark(value_format))
    texts = column.present()
    readable, _ = in_order(texts, scale)
    if not readable:
        return None
    if len(readable) <= FEW_VALUES:
        return _for_words(column)
    if (skewed := _for_skewed(column, scale)) is not None:
        return skewed
    records = dict(zip(texts, column.counts[~column.is_missing].tolist(), strict=True))
    weights = np.cumsum([records[text] for _, text in readable])
    low, high = (
        readable[int(np.searchsorted(weights, share * weights[-1]))][0]
        for share in (0.01, 0.99)
    )
    if low == high:  # nearly all records have the same number
        low, high = readable[0][0], readable[-1][0]
    width, factors = _round_widths(high - low, scale.whole)
    widest = width * math.prod(factors)
    top = (high // widest + 1) * widest
    bottom = (low // widest) * widest
    return Intervals(
        width=_number(width),
        factors=factors,
        top=_number(top) if readable[-1][0] >= top + widest else None,
        bottom=_number(bottom) if readable[0][0] < bottom - widest else None,
        whole=scale.whole,
        decimal_mark=scale.decimal_mark,
    )


def _for_skewed(
    column: Column, scale: Scale, *, is_any: bool = False
) -> CutPoints | None:
    """Bands that follow the distribution, in numbers that people use.

    Parameters
    ----------
    is_any : bool
        Whether numbers that are not skewed have such bands, too.

    Returns
    -------
    CutPoints or None
        None if the numbers are not skewed, or no two bands have enough records.
    """
    texts = column.present()
    readable, _ = in_order(texts, scale)
    if not readable or readable[0][0] < 0:
        return None
    by_text = dict(zip(texts, column.counts[~column.is_missing].tolist(), strict=True))
    numbers = np.array([float(number) for number, _ in readable])
    running = np.cumsum([by_text[text] for _, text in readable], dtype=np.float64)
    shares = running / running[-1]
    low, middle, high = numbers[np.searchsorted(shares, (0.01, 0.5, 0.99))]
    if not is_any and middle - low >= DENSE_PART * (high - low):
        return None
    usual = DAYS if scale.whole and numbers[-1] < MOST_DAYS else AMOUNTS

    def below(bound: int) -> float:
        place = int(np.searchsorted(numbers, bound))
        return float(shares[place - 1]) if place else 0.0

    levels = list[list[int]]()
    for least in LEAST_SHARES:
        kept = list[int]()
        for bound in levels[-1] if levels else usual:
            start = below(kept[-1]) if kept else 0.0
            if min(below(bound) - start, 1 - below(bound)) >= least:
                kept.append(bound)
        if kept and (not levels or kept != levels[-1]):
            levels.append(kept)
    if not levels:
        return None
    bounds = " | ".join(" ".join(map(str, each)) for each in levels)
    return CutPoints(bounds, whole=scale.whole, decimal_mark=scale.decimal_mark)


def _round_widths(spread: Decimal, whole: bool) -> tuple[Decimal, tuple[int, ...]]:
    """First width of the series 1-2-5 and factors that stay in the series."""
    wanted = max(spread / WANTED_BANDS, Decimal("1e-6"))
    exponent = wanted.adjusted()
    digit = next(d for d in (1, 2, 5, 10) if wanted <= d * Decimal(10) ** exponent)
    width = digit * Decimal(10) ** exponent
    if whole and width < 1:
        width, digit = Decimal(1), 1
    # 1 → 5 → 10, 2 → 10 → 20, 5 → 10 → 20, 10 → 50 → 100.
    return width, {1: (5, 2), 2: (5, 2), 5: (2, 2), 10: (5, 2)}[digit]


def _number(value: Decimal) -> float:
    return int(value) if value == value.to_integral_value() else float(value)


def _for_codes(present: Sequence[str]) -> Template | None:
    """Mask codes of about constant length from the right; None for other texts."""
    lengths = np.array([len(text) for text in present])
    usual = int(np.median(lengths))
    nearly_constant = float(np.mean(np.abs(lengths - usual) <= 1)) >= 0.9
    has_words = any(" " in text.strip() for text in present[:1000])
    if len(present) <= FEW_VALUES or not nearly_constant or has_words or usual < 3:
        return None
    levels = min(usual - 1, 3)
    return Masking(step=max(1, (usual - 1) // levels), levels=levels)
