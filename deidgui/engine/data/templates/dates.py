"""Template: months, quarters, years and decades of dates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, ClassVar

from deidgui.engine.data.dates import formats_of, parse
from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.engine.parameters import Help, Options, Range
from deidgui.text import Text, tr

NOT_A_DATE = "not a date"
"""The group of values that are no dates of the format."""

STEPS = ("day", "month", "quarter", "year", "5 years", "decade")
"""What dates are generalized to, each nested in the next."""

_SPAN = {"5 years": 5, "decade": 10}


@TEMPLATES.register
@dataclass(frozen=True)
class Dates(Template):
    """Day, month, quarter, year, five years, decade.

    Notes
    -----
    Safe Harbor keeps no more than the year, and no year that tells an age over
    89 (45 CFR 164.514(b)(2)(i)(C)): `oldest_year` joins the years up to the
    last one that would ("≤1930" for a release of 2020).
    """

    format: Annotated[
        str, Help("Date format", "How the dates are written in the file.")
    ] = "YYYY-MM-DD"
    finest: Annotated[
        str,
        Options(STEPS),
        Help("First level", "The finest unit after the date itself."),
    ] = "month"
    oldest_year: Annotated[
        int | None,
        Range(1, 9999),
        Help("Oldest year", "This year and all earlier ones become one group."),
    ] = None

    kind: ClassVar[str] = "dates"
    title: ClassVar[Text] = "Dates"
    summary: ClassVar[Text] = (
        "Dates become months, quarters, years, five years and decades, "
        "for example 2020-03, 2020 Q1, 2020, 2020-2024, 2020s."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        formats_of(self.format)  # refuses a format that nobody knows

    @property
    def steps(self) -> tuple[str, ...]:
        """Units of the levels between the dates themselves and nothing."""
        return STEPS[STEPS.index(self.finest) :]

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        oldest = "" if self.oldest_year is None else f", ≤{self.oldest_year} together"
        return (tr("as it is"), *(step + oldest for step in self.steps), tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        read = read_dates(values, self.format)
        dated = sorted(
            (day, text) for day, text in zip(read, values, strict=True) if day
        )
        self._refuse_if_none_read(values, len(dated))
        labels: dict[date, tuple[str, ...]] = {}
        rows: Grid = []
        for day, text in dated:
            if day not in labels:
                labels[day] = tuple(self._label(day, step) for step in self.steps)
            rows.append((text, *labels[day], SUPPRESSED))
        unknown = (NOT_A_DATE,) * len(self.steps)
        rows += [
            (text, *unknown, SUPPRESSED)
            for day, text in zip(read, values, strict=True)
            if day is None
        ]
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are no dates of the format."""
        read = read_dates(values, self.format)
        return [text for day, text in zip(read, values, strict=True) if day is None]

    def _label(self, day: date, step: str) -> str:
        if self.oldest_year is not None and day.year <= self.oldest_year:
            return f"≤{self.oldest_year}"
        return _LABELS[step](day) if step in _LABELS else self._span(day.year, step)

    def _span(self, year: int, step: str) -> str:
        length = _SPAN[step]
        low = year - year % length
        high = low + length - 1
        if self.oldest_year is not None and low <= self.oldest_year:
            low = self.oldest_year + 1
            return f"{low}-{high}" if high > low else f"{low}"
        return f"{low}s" if step == "decade" else f"{low}-{high}"


_LABELS: dict[str, Callable[[date], str]] = {
    "day": date.isoformat,
    "month": lambda day: f"{day:%Y-%m}",
    "quarter": lambda day: f"{day.year} Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year}",
}


def read_dates(values: Sequence[str], format_name: str) -> list[date | None]:
    """Return the day of every text that has the format, None for the others."""
    days: list[date | None] = parse(values, format_name).astype("M8[D]").tolist()
    return days
