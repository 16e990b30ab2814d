"""Reads ages in completed years from text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

OLDEST = 150
"""Larger numbers are no ages."""

_N = r"(\d{1,3})"
_YEARS = r"(?:years?|yrs?|y|yo)?(?:old|of age)?"
_TO = r"(?:-|\u2010|\u2011|\u2012|\u2013|\u2014|\u2212|to|bis|\.\.)"
_OPEN = r"(?:\+|andover|andolder|andabove|ormore|orover|orolder|orabove|plus)"

_SINGLE = re.compile(rf"{_N}(?:\.\d*)?{_YEARS}")
_BAND = re.compile(rf"{_N}{_YEARS}{_TO}{_N}{_YEARS}")
_BRACKETS = re.compile(rf"([\[(\]]){_N}[,;-]{_N}([\])\[])")
_AT_LEAST = re.compile(
    rf"(?:{_N}{_YEARS}{_OPEN}|{_N}\+{_YEARS}|(?:>=|\u2265|atleast){_N}{_YEARS}"
    rf"|\[{_N}[,;-](?:\u221e|inf|infinity|\*)?[)\[\]])"
)
_ABOVE = re.compile(rf"(?:>|over|above|olderthan){_N}{_YEARS}")
_BELOW = re.compile(rf"(?:<|under|below|lessthan|youngerthan){_N}{_YEARS}")
_UP_TO = re.compile(rf"(?:<=|\u2264|upto){_N}{_YEARS}")
_FIRST_YEAR = re.compile(r"\d{1,3}(?:days?|d|weeks?|wks?|w|months?|mos?|m)(?:old)?")


@dataclass(frozen=True)
class Span:
    """Ages from `low` to `high`, both included; open if `high` is None."""

    low: int
    high: int | None

    def contains(self, other: Span) -> bool:
        """Whether all ages of another span are in this one."""
        if self.high is None:
            return self.low <= other.low
        return (
            self.low <= other.low and other.high is not None and other.high <= self.high
        )

    def years(self, last: int) -> frozenset[int]:
        """Ages in the span; one that is open ends at `last`, or has one year."""
        end = max(self.low, last) if self.high is None else self.high
        return frozenset(range(self.low, end + 1))


@dataclass(frozen=True)
class AgeReading:
    """Ages of some texts.

    Parameters
    ----------
    spans : tuple of Span or None
        None for what is no age.
    is_touching : bool
        Whether bands were written with common ends ("30-40", "40-50"), so that the
        upper end was taken not to belong to the band.
    """

    spans: tuple[Span | None, ...]
    is_touching: bool = False


def read_ages(values: Sequence[str]) -> AgeReading:
    """Read ages: single, in bands, open, below a limit, in days or months.

    Parameters
    ----------
    values : sequence of str
        "34", "30-39", "[70-80)", "85+", "90 and over", "<1", "6 months".
    """
    spans = [_span(text) for text in values]
    lows = {span.low for span in spans if span and span.high != span.low}
    plain = {
        place
        for place, (text, span) in enumerate(zip(values, spans, strict=True))
        if span
        and span.high not in (None, span.low)
        and not re.search(r"[\[\]()]", text)
    }
    ends = {spans[place].high for place in plain}  # type: ignore[union-attr]
    if not ends & lows:
        return AgeReading(tuple(spans))
    for place in plain:
        span = spans[place]
        assert span is not None
        assert span.high is not None
        spans[place] = replace(span, high=span.high - 1)
    return AgeReading(tuple(spans), is_touching=True)


def read_population_ages(values: Sequence[str]) -> tuple[Span, ...]:
    """Read the ages of a table of people; all of them are ages."""
    spans = read_ages(values).spans
    assert all(spans), "no ages"
    return tuple(span for span in spans if span)


def _span(text: str) -> Span | None:
    plain = (
        re.sub(r"[\s_]+", "", text).casefold().replace("ages", "").replace("age", "")
    )
    span = _open_or_band(plain) or _one(plain)
    if span is None or max(span.low, span.high or 0) > OLDEST:
        return None
    return span if span.high is None or span.low <= span.high else None


def _one(plain: str) -> Span | None:
    if _FIRST_YEAR.fullmatch(plain):
        number = int(re.match(r"\d+", plain)[0])  # type: ignore[index]
        months = re.search(r"mo|m$", plain) is not None
        years = number // 12 if months else 0
        return Span(years, years)
    match = _SINGLE.fullmatch(plain)
    return Span(int(match[1]), int(match[1])) if match else None


def _open_or_band(plain: str) -> Span | None:
    if match := _BAND.fullmatch(plain):
        return Span(int(match[1]), int(match[2]))
    if match := _BRACKETS.fullmatch(plain):
        low = int(match[2]) + (match[1] != "[")
        return Span(low, int(match[3]) - (match[4] != "]"))
    if match := _AT_LEAST.fullmatch(plain):
        return Span(int(next(filter(None, match.groups()))), None)
    if match := _ABOVE.fullmatch(plain):
        return Span(int(match[1]) + 1, None)
    if match := _BELOW.fullmatch(plain):
        return Span(0, int(match[1]) - 1) if int(match[1]) else None
    if match := _UP_TO.fullmatch(plain):
        return Span(0, int(match[1]))
    return None
