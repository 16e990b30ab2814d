"""Step: people with very many events lose the events that tell most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import PER_CENT, AttributeOf, Help, Proposed, Range
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, per_cent, share_text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import dates, grouping
    from deidgui.engine.data.people import People
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    dates = LazyModule("deidgui.engine.data.dates")
    grouping = LazyModule("deidgui.engine.data.grouping")
    tables = LazyModule("deidgui.engine.preparation.columns")

ENOUGH_PEOPLE = 20
"""People with events in a period, below which its cut is not shown."""


@STEPS.register
@dataclass(frozen=True)
class TruncateEvents(Step):
    """People with more events than a percentile lose the events that tell most.

    Notes
    -----
    The percentile is the smallest number of events with at least the share of people
    at or below it. An event tells the sum, over the columns of the score, of -log2 of
    the share of people with events who have its value at least once; a missing value
    tells nothing. Among events that tell the same, a hash of what differs between a
    person's events and the seed decides, so that neither the order of rows does nor
    whether people and events came in one file or in two. Of linked tables, who has no
    event does not count for score and percentile: nobody loses the last event. With
    several tables of events one is truncated: that of the columns of the score.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "Truncation of claims"; methods.md
       E.2, step 3. The seed's own score was not published with it.
    """

    share: Annotated[
        float,
        Range(0, 1, open_low=True),
        Proposed(0.95),
        PER_CENT,
        Help("Percentile", "Share of people who keep all their events, at least."),
    ]
    columns: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Proposed(()),
        Help(
            "Columns of the score",
            "Their rare values make an event tell much: such events go first.",
        ),
    ]
    period: Annotated[
        str | None,
        AttributeOf("column"),
        Help(
            "Each period by itself",
            "A column with years or dates: each year has a percentile of its own.",
        ),
    ] = None
    date_format: Annotated[
        str, Help("Format of the dates", "Empty if the column holds periods.")
    ] = ""
    seed: Annotated[
        int, Range(0, 2**31 - 1), Help("Seed", "Decides among events that tell alike.")
    ] = 0

    kind: ClassVar[str] = "truncate_events"
    title: ClassVar[Text] = "Truncate events"
    summary: ClassVar[Text] = (
        "People with very many events are easy to recognise: they lose those that "
        "tell most about them, down to the number that most people have."
    )
    needs_key: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.date_format:
            dates.formats_of(self.date_format)

    @property
    def columns_read(self) -> tuple[str, ...]:
        """Columns of the score, and that of the periods."""
        return (*self.columns, *([self.period] if self.period else []))

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Remove events of people who have many.

        Raises
        ------
        ConfigError
            Codes ``step_no_columns``, ``step_column_missing``,
            ``step_of_one_table`` and ``percentile``.
        """
        if not self.columns:
            raise ConfigError("step_no_columns", step=self.title)
        people = data.people()
        scored = [data.column(name) for name in self.columns]
        period, names = self._periods(data)
        monitor.report(0.1, "truncation")
        scores = row_scores(people, scored)
        monitor.report(0.4, "truncation")
        ties = tables.event_hashes(data.table, people, self.seed)
        # Of linked tables, who has no event has a row and nothing to lose.
        read = [data.column(name) for name in self.columns_read]
        events = tables.rows_with(data.table, read, self.title)
        found = cut(
            replace(people, of_row=people.of_row[events]),
            scores[events],
            self.share,
            period[events],
            len(names),
            ties[events],
        )
        monitor.report(0.8, "truncation")
        is_removed = np.zeros(data.table.n_rows, np.bool_)
        is_removed[events] = found.is_removed
        removed = people.of_row[is_removed]
        n_people = len(np.unique(removed))
        shown = {
            text: int(most)
            for text, most, n in zip(names, found.most, found.n_people, strict=True)
            if n >= ENOUGH_PEOPLE
        }
        return Change(
            tables.keep_rows(data.table, ~is_removed),
            keep=~is_removed,
            figures={
                "events_removed": len(removed),
                "people_touched": n_people,
                "share_touched": n_people / max(people.n_people, 1),
                "most_before": int(found.most_before),
                "most_after": int(found.most_after),
                "highest_cut": int(max(found.most, default=0)),
                "periods": len(names) if self.period else 0,
            },
            texts={"cuts": shown if self.period else {}},
        )

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Keep every event: an attacker may know those that were removed."""
        return data.table

    def _periods(self, data: Data) -> tuple[AnyArray, list[str]]:
        """Period of each row, and their names."""
        if not self.period:
            return np.zeros(data.table.n_rows, np.int64), [""]
        column = data.column(self.period)
        texts: list[str] = column.texts()
        if self.date_format:
            years = dates.parse(column.values, self.date_format).astype("datetime64[Y]")
            texts = ["" if text == "NaT" else text for text in years.astype(str)]
        missing = column.is_missing.tolist()
        texts = [
            "" if gone else text for text, gone in zip(texts, missing, strict=True)
        ]
        # Of linked tables, no event may have the empty text.
        known = zip(texts, column.counts.tolist(), strict=True)
        names = sorted({text for text, n in known if n})
        place = {text: at for at, text in enumerate(names)}
        of_code = np.array([place.get(text, 0) for text in texts], np.int64)
        return of_code[column.codes], names

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say how many people lost how many events."""
        figures = effect.figures
        per = ""
        if self.period:
            per = tr(" in each period of “{column}”", column=call(self.period))
        return (
            tr(
                "{removed:event|events} of {people:person|people} ({share} of "
                "people) removed: those that tell most, of people with more events "
                "than {percent} of people have{per}.",
                removed=int(figures["events_removed"]),
                people=int(figures["people_touched"]),
                share=share_text(figures["share_touched"]),
                percent=per_cent(self.share),
                per=per,
            ),
            tr(
                "Most events of a person: {before} before, {after} after.",
                before=int(figures["most_before"]),
                after=int(figures["most_after"]),
            ),
        )

    def checked(self, effect: Effect) -> dict[str, Any]:
        """Most events of a person, and in each period."""
        return {
            "most_events": int(effect.figures["most_after"]),
            "columns": (self.period,) if self.period and not self.date_format else (),
            "cuts": {} if self.date_format else dict(effect.texts["cuts"]),
        }


@dataclass(frozen=True, eq=False)
class Cut:
    """Rows that go, and how many stay.

    Parameters
    ----------
    most : ndarray of int64, shape (n_periods,)
        Events that a person keeps, by period.
    n_people : ndarray of int64, shape (n_periods,)
        People with events in it.
    is_removed : ndarray of bool, shape (n_rows,)
    most_before, most_after : int
        Events of the person who has most of them.
    """

    most: IntArray
    n_people: IntArray
    is_removed: BoolArray
    most_before: int
    most_after: int


def row_scores(people: People, columns: Sequence[Column]) -> FloatArray:
    """How much each row tells: bits, by how few people have its values.

    Parameters
    ----------
    columns : sequence of Column
        Missing values marked: they tell nothing.

    Returns
    -------
    ndarray of float64, shape (n_rows,), each >= 0
        Of linked tables, who has no event is nobody who could have a value.
    """
    scores = np.zeros(len(people.of_row))
    for column in columns:
        sets = people.sets_of(column.codes, column.n_values, column.absent)
        n_with = np.bincount(sets.codes, minlength=column.n_values)
        n_people = np.count_nonzero(np.diff(sets.starts))
        bits = -np.log2(np.maximum(n_with, 1) / max(n_people, 1))
        bits[column.is_missing] = 0.0
        scores += bits[column.codes]
    return scores


def cut(
    people: People,
    scores: FloatArray,
    share: float,
    period: AnyArray,
    n_periods: int,
    ties: AnyArray,
) -> Cut:
    """Find the rows that people with more of them than most others lose.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_rows,)
        Rows with the highest go.
    share : float in (0, 1]
        Share of the people with rows in a period who lose none there, at least.
    period : ndarray of int, shape (n_rows,), each in [0, n_periods)
    ties : ndarray of int, shape (n_rows,)
        Decide among rows with one score.

    Raises
    ------
    ConfigError
        Code ``percentile``.
    """
    n = len(period)
    own = grouping.group_rows(
        n, [people.of_row, period], [people.n_people, max(n_periods, 1)]
    )
    size = np.bincount(own.of_row).astype(np.int64)
    period_of = period[own.first]
    n_people = np.bincount(period_of, minlength=n_periods).astype(np.int64)
    most = np.array(
        [tables.nearest_rank(size[period_of == at], share) for at in range(n_periods)],
        np.int64,
    )
    is_long = (size > most[period_of])[own.of_row]
    # PERF: only rows of people with too many are put in order.
    rows = np.flatnonzero(is_long)
    groups = own.of_row[rows]
    order = np.lexsort((ties[rows], scores[rows], groups))
    in_order = groups[order]
    starts = np.flatnonzero(np.diff(in_order, prepend=-1))
    lengths = np.diff(starts, append=len(rows))
    rank = np.arange(len(rows)) - np.repeat(starts, lengths)
    is_removed = np.zeros(n, np.bool_)
    is_removed[rows[order]] = rank >= most[period_of[in_order]]
    before = np.bincount(people.of_row, minlength=1)
    after = np.bincount(people.of_row[~is_removed], minlength=1)
    return Cut(most, n_people, is_removed, int(before.max()), int(after.max()))
