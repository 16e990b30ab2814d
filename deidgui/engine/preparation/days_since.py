"""Step: dates become days since the first event of the person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import AttributeOf, Help, Options, Proposed
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import dates
    from deidgui.engine.data.dates import DateArray
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    dates = LazyModule("deidgui.engine.data.dates")
    tables = LazyModule("deidgui.engine.preparation.columns")


@STEPS.register
@dataclass(frozen=True)
class DaysSinceFirst(Step):
    """Dates become whole days since the first date of the person.

    Notes
    -----
    The first date of a person is 0. With further columns, such as those of other
    tables of events, the first date is that of all columns, and their dates become
    days, too. With an origin, days are counted from the first date of the person in
    that column instead, and may be negative. What is no date, and what has no origin,
    becomes a missing value.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "days since first claim";
       methods.md E.1, E.2 and E.4.
    """

    attribute: Annotated[
        str, AttributeOf("column"), Help("Column", "Its dates become days.")
    ]
    date_format: Annotated[
        str, Proposed("YYYY-MM-DD"), Help("Format of the dates", "As YYYY-MM-DD.")
    ]
    origin: Annotated[
        str | None,
        AttributeOf("column"),
        Help(
            "Count from another column",
            "Days are counted from the first date of the person there.",
        ),
    ] = None
    origin_format: Annotated[
        str, Help("Format of its dates", "Empty if it is the same.")
    ] = ""
    earlier: Annotated[
        str,
        Options(("keep", "missing")),
        Help(
            "Dates before it",
            "A date before birth is a fault of the data. keep: its number of days is "
            "negative; missing: it becomes missing.",
        ),
    ] = "keep"
    others: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Proposed(()),
        Help(
            "Further columns",
            "Their dates become days, too, all from the first date of the person in "
            "any of the columns: of all tables of events, for example.",
        ),
    ] = ()

    kind: ClassVar[str] = "days_since_first"
    title: ClassVar[Text] = "Days since the first event"
    summary: ClassVar[Text] = (
        "Dates become the number of days since the first event of the person: "
        "intervals stay exact, the calendar is gone."
    )
    needs_key: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for each in (self.date_format, self.origin_format or self.date_format):
            dates.formats_of(each)

    @property
    def params(self) -> dict[str, Any]:
        """Parameters as JSON values; further columns only if there are some."""
        found = super().params
        if not self.others:
            # As projects say it that were made before there were any.
            del found["others"]
        return found

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The columns, and the one from which days are counted."""
        return (*self.counted, *([self.origin] if self.origin else []))

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns whose dates become days."""
        return tuple(dict.fromkeys((self.attribute, *self.others)))

    @property
    def retyped(self) -> Mapping[str, tuple[str, str | None]]:
        """Days are whole numbers."""
        return dict.fromkeys(self.counted, ("integer", None))

    @property
    def types_before(self) -> Mapping[str, tuple[str, str | None]]:
        """Dates as they were."""
        return dict.fromkeys(self.counted, ("date", self.date_format))

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Count days.

        Raises
        ------
        ConfigError
            Codes ``step_column_missing``, ``step_no_dates`` and
            ``step_no_missing_text``.
        """
        columns = [data.column(name) for name in self.counted]
        days = {e.name: days_of(e, self.date_format)[e.codes] for e in columns}
        for name, own in days.items():
            if np.isnat(own).all():
                raise ConfigError("step_no_dates", attribute=name)
        people, starts = data.people(), list(days.values())
        if self.origin and self.origin not in self.counted:
            other = data.column(self.origin)
            start = days_of(other, self.origin_format or self.date_format)
            starts = [start[other.codes]]
        elif self.origin:
            starts = [days[self.origin]]
        monitor.report(0.4, "days")
        last = np.iinfo(np.int64).max
        first = np.full(people.n_people, last)
        for start in starts:
            is_known = ~np.isnat(start)
            number = start.astype(np.int64)
            np.minimum.at(first, people.of_row[is_known], number[is_known])
        found = []
        for place, column in enumerate(columns):
            monitor.report(0.6 + 0.4 * place / len(columns), "days")
            own = days[column.name]
            is_counted = ~np.isnat(own) & (first[people.of_row] < last)
            count = np.where(is_counted, own.astype(np.int64), 0)
            count -= np.where(is_counted, first[people.of_row], 0)
            found.append(self._counted(data, column, count, is_counted))
            data = replace(data, table=found[-1].table)
        is_earlier = np.logical_or.reduce([each.is_earlier for each in found])
        return Change(
            data.table,
            cells=sum(each.n_cells for each in found),
            figures={
                "most_days": max(each.most for each in found),
                "negative": sum(int(e.is_earlier.sum()) for e in found),
                "people_negative": len(np.unique(people.of_row[is_earlier])),
                "became_missing": sum(each.n_no_date for each in found),
            },
        )

    def _counted(
        self, data: Data, column: Column, count: IntArray, is_counted: BoolArray
    ) -> _Days:
        """Put the days of one column in the place of its dates."""
        is_earlier = is_counted & (count < 0)
        if self.earlier == "missing":
            is_counted = is_counted & ~is_earlier
            count[is_earlier] = 0
        table, n_lost = _with_days(data, column, count, is_counted)
        n_no_date = n_lost
        if self.earlier == "missing":
            n_no_date -= int(np.count_nonzero(is_earlier))
        most = int(count[is_counted].max(initial=0))
        n_cells = int(np.count_nonzero(is_counted)) + n_lost
        return _Days(table, is_earlier, most, n_cells, n_no_date)

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say what days mean, and what could not be counted."""
        figures = effect.figures
        since = tr("the person's first date")
        if self.origin and self.counted != (self.origin,):
            since = tr("the person's first “{column}”", column=call(self.origin))
        found = [
            tr(
                "“{column}” became days since {since}: at most {n:day|days}. "
                "Intervals stay exact, so whoever knows one date of a person can "
                "work out the others.",
                column="”, “".join(call(name) for name in self.counted),
                since=since,
                n=int(figures["most_days"]),
            )
        ]
        if figures["became_missing"]:
            found.append(
                tr(
                    "{n:cell was|cells were} no date, or had nothing to count from, "
                    "and became missing.",
                    n=int(figures["became_missing"]),
                )
            )
        if figures["negative"]:
            done: Text = (
                "{n:date|dates} of {people:person|people} are before the date from "
                "which days are counted. They have a negative number of days, which "
                "can identify a person: correct them, let them become missing, or "
                "remove these people."
            )
            if self.earlier == "missing":
                done = (
                    "{n:date|dates} of {people:person|people} are before the date from "
                    "which days are counted, and became missing."
                )
            found.append(
                tr(
                    done,
                    n=int(figures["negative"]),
                    people=int(figures["people_negative"]),
                )
            )
        return tuple(found)


@dataclass(frozen=True, repr=False, eq=False)
class _Days:
    """A table with days in the place of the dates of a column."""

    table: Table
    is_earlier: BoolArray
    most: int
    n_cells: int
    n_no_date: int


def days_of(column: Column, date_format: str) -> DateArray:
    """Day of each distinct text: datetime64[D], NaT where there is none."""
    read = dates.parse(column.values, date_format).astype("datetime64[D]")
    read[column.is_missing] = np.datetime64("NaT", "D")
    return read


def _with_days(
    data: Data, column: Column, count: IntArray, is_counted: BoolArray
) -> tuple[Table, int]:
    """Put numbers in the place of dates; also how many dates became missing."""
    lowest = int(count.min(initial=0))
    texts = [str(n) for n in range(lowest, int(count.max(initial=0)) + 1)]
    codes = count - lowest
    was_missing = column.is_missing[column.codes]
    is_gone = ~is_counted & tables.has_cell(column)
    is_lost = is_gone & ~was_missing
    tokens = data.missing.get(column.name, ("",))
    if is_gone.any():
        texts.append(data.missing_text(column.name))
        codes[is_gone] = len(texts) - 1
    made = tables.with_texts(column, texts, codes, tokens)
    return tables.with_column(data.table, made), int(np.count_nonzero(is_lost))
