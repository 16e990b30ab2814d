"""Step: people who have a code of a list are removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import AttributeOf, Help, Proposed
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.engine.preparation.days_since import days_of
from deidgui.engine.preparation.lists import ListedCode, plain, read_codes
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import dates as formats
    from deidgui.engine.data import numbers
    from deidgui.engine.data.dates import DateArray
    from deidgui.engine.data.people import People
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    formats = LazyModule("deidgui.engine.data.dates")
    numbers = LazyModule("deidgui.engine.data.numbers")
    tables = LazyModule("deidgui.engine.preparation.columns")

FEW = 20
"""With fewer people removed, or kept, nothing is told about them but their number."""

EVENTS, INTERVAL = "", "\0interval"
"""In the place of a column's name: what is compared besides columns."""

_WORDS: Mapping[str, Text] = {
    EVENTS: "events of a person",
    INTERVAL: "days between the events of a person",
}

MOST_CODES = 2_000
"""Longer lists are not told to whoever verifies a release."""


@STEPS.register
@dataclass(frozen=True)
class RemovePeople(Step):
    """People who have any code of a list are removed with all their rows.

    Notes
    -----
    The list has rows ``code,prefix,reason`` and ``code,exact,reason``; dots and
    upper or lower case do not matter. Removed and kept people are compared, if there
    are enough of both, so that a reader sees what the removal changed.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "Removal of high-risk patients";
       methods.md E.2, step 4.
    """

    codes: Annotated[
        str, Help("List", "A CSV file with rows code,prefix|exact,reason.")
    ]
    columns: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Help("Columns with codes", "They are compared with the list."),
    ]
    compare: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Proposed(()),
        Help("Compare by", "Columns of numbers: means of the removed and the kept."),
    ] = ()
    dates: Annotated[
        str | None,
        AttributeOf("column"),
        Help("Dates of events", "Compares the mean days from one event to the next."),
    ] = None
    date_format: Annotated[
        str, Help("Format of the dates", "As YYYY-MM-DD; it goes with the dates.")
    ] = ""

    kind: ClassVar[str] = "remove_people"
    title: ClassVar[Text] = "Remove people by a code list"
    summary: ClassVar[Text] = (
        "People with rare, visible or stigmatized conditions are removed as a whole, "
        "by a list of codes that you can edit."
    )
    file_parameter: ClassVar[str] = "codes"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dates and not self.date_format:
            raise ConfigError("step_dates_need_format", attribute=self.dates)
        if self.date_format:
            formats.formats_of(self.date_format)

    @property
    def columns_read(self) -> tuple[str, ...]:
        """Columns with codes, and those that are compared."""
        return (*self.columns, *self.compare, *([self.dates] if self.dates else []))

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Remove people.

        Raises
        ------
        ConfigError
            Codes ``step_no_columns`` and ``step_column_missing``.
        InputError
            Codes ``step_list_missing`` and ``step_list_malformed``.
        """
        if not self.columns:
            raise ConfigError("step_no_columns", step=self.title)
        listed = read_codes(data.files, self.codes)
        columns = [data.column(name) for name in self.columns]
        people = data.people()
        has, by_reason = people_with_codes(
            columns, people.of_row, people.n_people, listed
        )
        monitor.report(0.6, "removal")
        n_gone = int(np.count_nonzero(has))
        unused = sum(
            not any(each.fits(text) for column in columns for text in column.present())
            for each in listed[:MOST_CODES]
        )
        figures = {
            "people_removed": n_gone,
            "share_removed": n_gone / max(people.n_people, 1),
            "codes": len(listed),
            "codes_without_match": unused,
        }
        texts: dict[str, Any] = {"by_reason": by_reason, "codes": listed}
        if min(n_gone, people.n_people - n_gone) >= FEW:
            texts["compared"] = self._compared(data, people, has)
        keep = ~has[people.of_row]
        table = tables.keep_rows(data.table, keep)
        return Change(table, figures=figures, texts=texts, keep=keep)

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Keep everybody: an attacker looks for people who were removed, too."""
        return data.table

    def _compared(
        self, data: Data, people: People, has: BoolArray
    ) -> list[tuple[str, float, float]]:
        """Means of removed and kept: events of a person, intervals, numbers.

        A number that is the same in all rows of each person counts once for each.
        """
        held = tables.has_event(data.table)
        n_events = np.bincount(people.of_row[held], minlength=people.n_people)
        found = [(EVENTS, float(n_events[has].mean()), float(n_events[~has].mean()))]
        everybody = np.arange(people.n_people)
        if self.dates:
            column = data.column(self.dates)
            days = days_of(column, self.date_format)[column.codes]
            means = _means(mean_intervals(people, days), everybody, has)
            found += [(INTERVAL, *means)] if means else []
        scale = numbers.Scale(whole=False)
        for name in self.compare:
            column = data.column(name)
            missing = column.is_missing.tolist()
            read = [
                None if is_gone else scale.read(text)
                for text, is_gone in zip(column.texts(), missing, strict=True)
            ]
            value = np.array([np.nan if n is None else float(n) for n in read])
            own, owner = value[column.codes], people.of_row.astype(np.int64)
            if people.is_constant(column.codes):
                own, owner = own[people.first_row], everybody
            means = _means(own, owner, has)
            found += [(name, *means)] if means else []
        return found

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say how many people are gone, why, and in what they differed."""
        figures, texts = effect.figures, effect.texts
        n = int(figures["people_removed"])
        if not n:
            return (
                tr(
                    "Nobody has a code of the list: nothing was removed. Check the "
                    "list and the columns."
                ),
            )
        found = [
            tr(
                "{n:person|people} ({share}) with a code of the list removed, with "
                "{rows:row|rows}.",
                n=n,
                share=share_text(figures["share_removed"]),
                rows=effect.rows_removed,
            )
        ]
        reasons = [
            tr("{reason}: {n}", reason=reason, n=count if count >= FEW else f"<{FEW}")
            for reason, count in texts["by_reason"].items()
            if reason and count
        ]
        if reasons:
            found.append(tr("By reason: {reasons}.", reasons=", ".join(reasons)))
        if figures["codes_without_match"]:
            found.append(
                tr(
                    "{n} of {all:code|codes} of the list match nobody.",
                    n=int(figures["codes_without_match"]),
                    all=int(figures["codes"]),
                )
            )
        for name, removed, kept in texts.get("compared", ()):
            is_column = name not in _WORDS
            what = tr("“{column}”", column=call(name)) if is_column else _said(name)
            found.append(
                tr(
                    "Mean of {what}: {removed} of the removed, {kept} of the kept.",
                    what=what,
                    removed=f"{removed:.3g}",
                    kept=f"{kept:.3g}",
                )
            )
        if "compared" not in texts:
            found.append(
                tr(
                    "Fewer than {n:person|people} removed or kept: the two groups are "
                    "not compared.",
                    n=FEW,
                )
            )
        return tuple(found)

    def checked(self, effect: Effect) -> dict[str, Any]:
        """Codes that nobody has any more."""
        listed: Sequence[ListedCode] = effect.texts["codes"]
        if len(listed) > MOST_CODES:
            return {}
        codes = (f"{e.code}*" if e.is_prefix else e.code for e in listed)
        return {"columns": self.columns, "codes": tuple(codes)}


def _said(name: str) -> str:
    return tr(_WORDS[name])


def _means(
    values: FloatArray, owners: IntArray, has: BoolArray
) -> tuple[float, float] | None:
    """Means of the removed and the kept; None if few people of either have a value.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        NaN where there is none.
    owners : ndarray of int64, shape (n,)
        Person of each.
    has : ndarray of bool, shape (n_people,)
        Who is removed.
    """
    found = []
    for mask in (has[owners], ~has[owners]):
        rows = mask & ~np.isnan(values)
        # PRIVACY: a mean over the rows of few people would tell of them.
        if len(np.unique(owners[rows])) < FEW:
            return None
        found.append(float(values[rows].mean()))
    return found[0], found[1]


def mean_intervals(people: People, days: DateArray) -> FloatArray:
    """Mean number of days from an event of a person to the next one.

    Parameters
    ----------
    days : ndarray of datetime64[D], shape (n_rows,)
        NaT where a row has no date.

    Returns
    -------
    ndarray of float64, shape (n_people,), each >= 0
        NaN for people with fewer than two dates.

    Notes
    -----
    Intervals add up to the time from the first date to the last.
    """
    is_date = ~np.isnat(days)
    owner, number = people.of_row[is_date], days[is_date].astype(np.int64)
    n = np.bincount(owner, minlength=people.n_people)
    first = np.full(people.n_people, np.iinfo(np.int64).max)
    last = np.full(people.n_people, np.iinfo(np.int64).min)
    np.minimum.at(first, owner, number)
    np.maximum.at(last, owner, number)
    found = np.full(people.n_people, np.nan)
    several = n > 1
    found[several] = (last[several] - first[several]) / (n[several] - 1)
    return found


def people_with_codes(
    columns: Sequence[Column],
    owners: AnyArray,
    n_people: int,
    codes: Sequence[ListedCode],
) -> tuple[BoolArray, dict[str, int]]:
    """Find the people who have any of some codes in any of some columns.

    Parameters
    ----------
    columns : sequence of Column
        With a code in each event.
    owners : ndarray of int, shape (n_events,)

    Returns
    -------
    has : ndarray of bool, shape (n_people,)
    by_reason : dict of str to int
        People by reason; one person may have several. A list that fits nobody is 0.
    """
    has, by_reason = np.zeros(n_people, np.bool_), dict[str, int]()
    known = [[plain(text) for text in column.texts()] for column in columns]
    for reason in dict.fromkeys(each.reason for each in codes):
        wanted = [each for each in codes if each.reason == reason]
        whole = {plain(each.code) for each in wanted if not each.is_prefix}
        parts = tuple(plain(each.code) for each in wanted if each.is_prefix)
        own = np.zeros(n_people, np.bool_)
        for column, texts in zip(columns, known, strict=True):
            fits = np.array(
                [text in whole or text.startswith(parts) for text in texts], np.bool_
            )
            is_listed = (fits & ~column.is_missing)[column.codes]
            if column.absent is not None:
                is_listed &= ~column.absent
            own[owners[is_listed]] = True
        by_reason[reason] = int(np.count_nonzero(own))
        has |= own
    return has, by_reason
