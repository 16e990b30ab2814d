"""Recognises date formats and reads dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

DateArray: TypeAlias = NDArray[np.datetime64]

_BATCH = 100_000
_MONTHS = [
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
]
_MONTH_NAMES = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR, _SHORT_YEAR = r"(?P<y>[0-9]{4})", r"(?P<y>[0-9]{2})"
_MONTH, _DAY = r"(?P<m>[0-9]{1,2})", r"(?P<d>[0-9]{1,2})"
_TIME = (
    r"(?:[T :]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,][0-9]+)?)?(?: ?(?P<half>[ap])\.?m\.?)?"
    r"(?: ?(?:z|utc|gmt|[+-][0-9]{2}(?::?[0-9]{2})?))?)?"
)
_PIVOT = re.compile(r"(?P<name>.+) pivot (?P<pivot>[0-9]{2})")
_EXCEL_ORIGIN = np.datetime64("1899-12-30", "s")
_EXCEL_LAST = 2_958_465  # 9999-12-31


@dataclass(frozen=True)
class DateFormat:
    """One way to write a date.

    Parameters
    ----------
    name : str
        Its pattern for people: ``D.M.YYYY``.
    example : str
        The 5th of March 2019, written so.
    pattern : str
        Regular expression with the named groups y, m, d or name, and hour,
        minute, second, half; empty for numbers of days or seconds.
    unit : str
        Of a plain number: ``s`` or ``ms`` since 1970, ``day`` since 1899-12-30.
    """

    name: str
    example: str
    pattern: str = ""
    unit: str = ""

    @property
    def short_year(self) -> bool:
        """Whether years have two digits, so that a pivot is needed."""
        return _SHORT_YEAR in self.pattern


def _written(name: str, example: str, *parts: str, time: bool = True) -> DateFormat:
    pattern = "(?i)^" + "".join(parts) + (_TIME if time else "") + "$"
    return DateFormat(name, example, pattern)


_GAP = "[-/ ]?"
FORMATS: dict[str, DateFormat] = {
    each.name: each
    for each in (
        _written("YYYY-MM-DD", "2019-03-05", _YEAR, "-", _MONTH, "-", _DAY),
        _written("YYYY/MM/DD", "2019/03/05", _YEAR, "/", _MONTH, "/", _DAY),
        _written("M/D/YYYY", "3/5/2019", _MONTH, "/", _DAY, "/", _YEAR),
        _written("D/M/YYYY", "5/3/2019", _DAY, "/", _MONTH, "/", _YEAR),
        _written("D.M.YYYY", "5.3.2019", _DAY, r"\.", _MONTH, r"\.", _YEAR),
        _written("M-D-YYYY", "3-5-2019", _MONTH, "-", _DAY, "-", _YEAR),
        _written("D-M-YYYY", "5-3-2019", _DAY, "-", _MONTH, "-", _YEAR),
        _written("M/D/YY", "3/5/19", _MONTH, "/", _DAY, "/", _SHORT_YEAR),
        _written("D/M/YY", "5/3/19", _DAY, "/", _MONTH, "/", _SHORT_YEAR),
        _written("D.M.YY", "5.3.19", _DAY, r"\.", _MONTH, r"\.", _SHORT_YEAR),
        _written("DD-MON-YYYY", "05-MAR-2019", _DAY, _GAP, _MONTH_NAMES, _GAP, _YEAR),
        _written("DD-MON-YY", "05-MAR-19", _DAY, _GAP, _MONTH_NAMES, _GAP, _SHORT_YEAR),
        _written("Mon D, YYYY", "Mar 5, 2019", _MONTH_NAMES, " +", _DAY, ",? +", _YEAR),
        _written(
            "YYYYMMDD",
            "20190305",
            r"(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})",
            time=False,
        ),
        _written(
            "YYYYMMDDhhmmss",
            "20190305143000",
            r"(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})"
            r"(?P<second>[0-9]{2})?(?:\.[0-9]+)?(?:[+-][0-9]{4})?",
            time=False,
        ),
        _written("MM/YYYY", "03/2019", _MONTH, "/", _YEAR, time=False),
        _written("YYYY-MM", "2019-03", _YEAR, "-", r"(?P<m>[0-9]{2})", time=False),
        DateFormat("epoch s", "1551744000", unit="s"),
        DateFormat("epoch ms", "1551744000000", unit="ms"),
        DateFormat("Excel serial", "43529", unit="day"),
    )
}
"""Date formats by name (methods.md G.4); a time and a zone may follow a date."""

DAY_OR_MONTH_FIRST = (
    ("M/D/YYYY", "D/M/YYYY"),
    ("M-D-YYYY", "D-M-YYYY"),
    ("M/D/YY", "D/M/YY"),
)
"""Pairs that cannot be told apart unless a day is after the 12th."""


def format_of(name: str) -> tuple[DateFormat, int]:
    """Date format and pivot for a name such as ``D.M.YY pivot 26``.

    Parameters
    ----------
    name : str
        A key of `FORMATS`; with two-digit years optionally with the last year
        that belongs to this century, otherwise that is the current year.

    Returns
    -------
    format : DateFormat
    pivot : int in [0, 99]

    Raises
    ------
    ConfigError
        Code ``date_format_unknown``.
    """
    found = _PIVOT.fullmatch(name)
    plain = found["name"] if found else name
    if plain not in FORMATS:
        raise ConfigError("date_format_unknown", format=name[:40], known=tuple(FORMATS))
    return FORMATS[plain], int(found["pivot"]) if found else _this_year() % 100


SEVERAL = " | "
"""Between the names of formats of one column: the first that fits a value reads it."""


def formats_of(name: str) -> tuple[tuple[DateFormat, int], ...]:
    """Date formats and pivots for a name such as ``D.M.YYYY | YYYY-MM-DD``.

    Parameters
    ----------
    name : str
        Names as for `format_of`, with ``|`` between them.

    Returns
    -------
    tuple of (DateFormat, int)
        In the order in which they are tried.

    Raises
    ------
    ConfigError
        Code ``date_format_unknown``.
    """
    return tuple(format_of(part) for part in name.split(SEVERAL))


def with_pivot(name: str) -> str:
    """Name of a format with its pivot, so that it means the same next year."""
    if SEVERAL in name:
        return SEVERAL.join(with_pivot(part) for part in name.split(SEVERAL))
    pivot = f" pivot {_this_year() % 100:02d}" if FORMATS[name].short_year else ""
    return name + pivot


def fixed(name: str) -> str:
    """Name of one or two formats as a person wrote it, so that it stays the same.

    Raises
    ------
    ConfigError
        Code ``date_format_unknown``.
    """
    parts = [part.strip() for part in name.split(SEVERAL.strip())]
    for part in parts:
        format_of(part)
    return SEVERAL.join(p if _PIVOT.fullmatch(p) else with_pivot(p) for p in parts)


def parse(
    values: pl.Series | Sequence[str],
    format_name: str,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> DateArray:
    """Read dates that are written in known formats.

    Parameters
    ----------
    format_name : str
        As for `formats_of`.

    Returns
    -------
    ndarray of datetime64[s], shape (n,)
        NaT where a value is no date in these formats. Without a time it is
        midnight, without a day the first of the month.

    Raises
    ------
    ConfigError
        Code ``date_format_unknown``.

    Notes
    -----
    The clock time is taken as it is written; a zone is read but changes
    nothing, so that the day stays the day in the record. Two-digit years up to
    the pivot belong to the 2000s, the others to the 1900s.
    """
    formats = formats_of(format_name)
    texts = (
        values if isinstance(values, pl.Series) else pl.Series(values, dtype=pl.String)
    )
    moments = np.full(len(texts), "NaT", dtype="datetime64[s]")
    for first in range(0, len(texts), _BATCH):
        batch = texts.slice(first, _BATCH).str.strip_chars(" ")
        read = moments[first : first + _BATCH]
        for form, pivot in formats:
            found = (
                _from_numbers(batch, form)
                if form.unit
                else _from_text(batch, form, pivot)
            )
            read[:] = np.where(np.isnat(read), found, read)
        monitor.report(min((first + _BATCH) / len(texts), 1.0), "dates")
    return moments


def _this_year() -> int:
    return datetime.date.today().year


def _from_text(texts: pl.Series, form: DateFormat, pivot: int) -> DateArray:
    groups = texts.str.extract_groups(form.pattern).struct.unnest()
    fields = {name: _numbers(groups, name) for name in ("y", "m", "d")}
    year, month, day = fields["y"], fields["m"], fields["d"]
    if "name" in groups.columns:
        month = _month_numbers(groups["name"])
    if "d" not in groups.columns:
        day = np.where(year >= 0, 1, -1)
    if form.short_year:
        year = np.where(year < 0, year, np.where(year <= pivot, 2000, 1900) + year)
    seconds, time_fits = _clock(groups)
    fits = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & time_fits
    start = (np.where(fits, year, 1970) - 1970) * 12 + np.where(fits, month, 1) - 1
    months = start.astype("datetime64[M]")
    n_days = (months + 1).astype("datetime64[D]") - months.astype("datetime64[D]")
    fits &= day <= n_days.astype(np.int64)
    moments = months.astype("datetime64[s]") + (86_400 * (day - 1) + seconds)
    return np.where(fits, moments, np.datetime64("NaT", "s"))


def _numbers(groups: pl.DataFrame, name: str) -> IntArray:
    """Integers of one group; -1 where it is absent."""
    if name not in groups.columns:
        return np.full(groups.height, -1, dtype=np.int64)
    return groups[name].cast(pl.Int64).fill_null(-1).to_numpy()


def _month_numbers(names: pl.Series) -> IntArray:
    short = names.str.slice(0, 3).str.to_lowercase()
    numbers: dict[str, int] = {name: place for place, name in enumerate(_MONTHS, 1)}
    found = short.replace_strict(numbers, default=-1, return_dtype=pl.Int64)
    return found.fill_null(-1).to_numpy()


def _clock(groups: pl.DataFrame) -> tuple[IntArray, BoolArray]:
    """Seconds since midnight, and whether the time is one."""
    hour, minute, second = (
        np.maximum(_numbers(groups, name), 0) for name in ("hour", "minute", "second")
    )
    fits = (hour <= 23) & (minute <= 59) & (second <= 59)
    if "half" in groups.columns:
        half = groups["half"].str.to_lowercase().fill_null("").to_numpy()
        has_half = half != ""
        fits &= ~has_half | ((hour >= 1) & (hour <= 12))
        hour = np.where(has_half, hour % 12 + 12 * (half == "p"), hour)
    return 3600 * hour + 60 * minute + second, fits


def _from_numbers(texts: pl.Series, form: DateFormat) -> DateArray:
    """Moments that are written as seconds, milliseconds or Excel's days."""
    pattern = r"^[0-9]{1,7}(\.[0-9]+)?$" if form.unit == "day" else r"^-?[0-9]{1,14}$"
    fits: Any = texts.str.contains(pattern).fill_null(False)
    numbers = texts.set(~fits, "0").cast(pl.Float64).to_numpy()
    keep = fits.to_numpy()
    if form.unit == "day":
        keep = keep & (numbers >= 1) & (numbers < _EXCEL_LAST + 1)
        seconds = np.rint(numbers * 86_400)
    else:
        seconds = numbers if form.unit == "s" else np.floor(numbers / 1000)
        keep = keep & (np.abs(seconds) < 1e11)
    origin = _EXCEL_ORIGIN if form.unit == "day" else np.datetime64(0, "s")
    moments = origin + np.where(keep, seconds, 0).astype("timedelta64[s]")
    return np.where(keep, moments, np.datetime64("NaT", "s"))
