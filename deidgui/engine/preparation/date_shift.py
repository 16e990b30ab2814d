"""Step: all dates of a person move by the same secret number of days."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.parameters import AttributeOf, Help, Proposed, Range, Unit
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import dates
    from deidgui.engine.data.people import People
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    dates = LazyModule("deidgui.engine.data.dates")
    tables = LazyModule("deidgui.engine.preparation.columns")

ISO = "YYYY-MM-DD"
_WRITERS: Mapping[str, str] = {
    ISO: "{y:04d}-{m:02d}-{d:02d}",
    "YYYY/MM/DD": "{y:04d}/{m:02d}/{d:02d}",
    "YYYYMMDD": "{y:04d}{m:02d}{d:02d}",
    "M/D/YYYY": "{m}/{d}/{y:04d}",
    "D/M/YYYY": "{d}/{m}/{y:04d}",
    "D.M.YYYY": "{d}.{m}.{y:04d}",
    "M-D-YYYY": "{m}-{d}-{y:04d}",
    "D-M-YYYY": "{d}-{m}-{y:04d}",
}
"""Formats in which shifted dates are written as they were; others become ISO dates."""

_WEEK = 7


@STEPS.register
@dataclass(frozen=True)
class ShiftDates(Step):
    """All dates of a person move by one number of days that a secret key decides.

    Notes
    -----
    The shift is HMAC-SHA256(key, identifier of the person) modulo the number of
    possible shifts, which are all whole days but 0 up to the range in both
    directions; whole weeks where weekdays stay. The key is drawn from the operating
    system, lives in memory and is destroyed with the program. With a seed the key is
    a hash of the seed and the step, so that the same project shifts alike again;
    whoever has the seed and the identifier of a person can undo the shift.

    A shift is no generalization: intervals between the events of a person stay exact,
    and whoever knows one date of a person learns all others.

    References
    ----------
    .. [1] methods.md E.2; G.4 on dates.
    """

    attributes: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Help("Columns", "All their dates move together."),
    ]
    date_format: Annotated[
        str, Proposed(ISO), Help("Format of the dates", "As YYYY-MM-DD.")
    ]
    days: Annotated[
        int,
        Range(1, 3650),
        Proposed(180),
        Unit("days"),
        Help("Range", "Dates move by up to so many days, back or forth."),
    ]
    keep_weekday: Annotated[
        bool, Help("Keep the weekday", "Dates move by whole weeks.")
    ] = False
    seed: Annotated[
        int | None,
        Range(0, 2**63 - 1),
        Help(
            "Seed",
            "Empty: a secret key that is not kept. A number makes the shift "
            "reproducible, and lets whoever knows it undo the shift.",
        ),
    ] = None

    kind: ClassVar[str] = "shift_dates"
    title: ClassVar[Text] = "Shift dates"
    summary: ClassVar[Text] = (
        "All dates of a person move by the same secret number of days: calendar dates "
        "are false, intervals stay exact."
    )
    needs_key: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.keep_weekday and self.days < _WEEK:
            raise ConfigError("step_shift_too_small", days=self.days)
        for form, _pivot in dates.formats_of(self.date_format):
            if not form.unit and "D" not in form.name.upper():
                raise ConfigError("step_format_without_day", format=form.name)

    @property
    def written(self) -> str:
        """Format in which dates are written."""
        return self.date_format if self.date_format in _WRITERS else ISO

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The columns with dates."""
        return self.attributes

    @property
    def retyped(self) -> Mapping[str, tuple[str, str | None]]:
        """Dates, as they are written."""
        return dict.fromkeys(self.attributes, ("date", self.written))

    @property
    def types_before(self) -> Mapping[str, tuple[str, str | None]]:
        """Dates as they were."""
        return dict.fromkeys(self.attributes, ("date", self.date_format))

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Move the dates of each person.

        Raises
        ------
        ConfigError
            Codes ``step_no_columns``, ``step_column_missing``, ``step_no_dates`` and
            ``step_no_missing_text``.
        """
        if not self.attributes:
            raise ConfigError("step_no_columns", step=self.title)
        people = data.people()
        return self._change(data, people, self._shifts(data, people), monitor)

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Move the dates alike: the attacker is taken to know each person's shift."""
        people = data.people()
        shift = np.zeros(people.n_people, np.int64)
        shift[people.of_row[rows]] = effect.trace["shift"]
        return self._change(data, people, shift, NULL_MONITOR).table

    def _change(
        self, data: Data, people: People, shift: IntArray, monitor: Monitor
    ) -> Change:
        """Move the dates of each person by its shift."""
        columns = [data.column(name) for name in self.attributes]
        table, n_cells, n_lost, n_clocks = data.table, 0, 0, 0
        for place, column in enumerate(columns):
            part = SubMonitor(monitor, place / len(columns), (place + 1) / len(columns))
            made, moved, lost, clocks = self._moved(data, people, shift, column)
            part.report(1.0, "shift")
            table = tables.with_column(table, made)
            n_cells, n_lost = n_cells + moved + lost, n_lost + lost
            n_clocks += clocks
        return Change(
            table,
            cells=n_cells,
            figures={"became_missing": n_lost, "clock_times": n_clocks},
            trace={"shift": shift[people.of_row].astype(np.int16)},
        )

    def _shifts(self, data: Data, people: People) -> IntArray:
        """Days by which each person's dates move: int64, shape (n_people,)."""
        assert data.key is not None, "prepare() asks for it"
        unit = _WEEK if self.keep_weekday else 1
        n_each = self.days // unit
        key = self._key(data)
        column = data.column(data.key)
        code_of = column.codes[people.first_row]
        texts = column.texts()
        drawn = (
            int.from_bytes(hmac.digest(key, texts[code].encode(), "sha256"), "big")
            % (2 * n_each)
            for code in code_of.tolist()
        )
        number = np.fromiter(drawn, np.int64, people.n_people)
        # PRIVACY: 0 is left out: somebody's dates would be true.
        return unit * np.where(number < n_each, number - n_each, number - n_each + 1)

    def _key(self, data: Data) -> bytes:
        """Secret by which people get their shifts: drawn, or made from the seed."""
        name = json.dumps(self.to_json(), sort_keys=True)
        if self.seed is None:
            return data.secrets.key(name)
        return hashlib.sha256(b"shift_dates\0" + name.encode()).digest()

    @property
    def key(self) -> Literal["destroyed", "seeded"]:
        """What becomes of the key: only a seed of the project brings it back."""
        return "destroyed" if self.seed is None else "seeded"

    def _moved(
        self, data: Data, people: People, shift: IntArray, column: Column
    ) -> tuple[Column, int, int, int]:
        """Column with dates moved; cells moved, lost, and with a clock time."""
        moments = dates.parse(column.values, self.date_format)
        moments[column.is_missing] = np.datetime64("NaT", "s")
        if np.isnat(moments).all():
            raise ConfigError("step_no_dates", attribute=column.name)
        days = moments.astype("datetime64[D]")
        has_clock = ~np.isnat(moments) & (moments != days.astype("datetime64[s]"))
        own = days[column.codes]
        is_date = ~np.isnat(own)
        new = np.where(is_date, own.astype(np.int64), 0) + shift[people.of_row]
        new = np.where(is_date, new, 0)
        low = int(new[is_date].min())
        used = np.zeros(int(new[is_date].max()) - low + 1, np.bool_)
        used[new[is_date] - low] = True
        offsets = np.flatnonzero(used)
        texts = list(_texts(offsets + low, self.written))
        place = np.cumsum(used) - 1
        codes = place[np.where(is_date, new - low, 0)]
        is_gone = ~is_date & tables.has_cell(column)
        if is_gone.any():
            codes = np.where(is_gone, len(texts), codes)
            texts.append(data.missing_text(column.name))
        tokens = data.missing.get(column.name, ("",))
        made = tables.with_texts(column, texts, codes, tokens)
        was_missing = column.is_missing[column.codes]
        n_lost = int(np.count_nonzero(is_gone & ~was_missing))
        n_clock = int(column.counts[has_clock].sum())
        return made, int(np.count_nonzero(is_date)), n_lost, n_clock

    def _key_words(self) -> str:
        if self.seed is None:
            return tr("The key was drawn from the operating system and is not kept.")
        return tr(
            "The key was made from a fixed seed: whoever knows it and the identifier "
            "of a person can undo the shift."
        )

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say by how much dates moved, and that this is no generalization."""
        figures = effect.figures
        names = ", ".join(f"“{call(name)}”" for name in self.attributes)
        by = tr("{n:day|days}", n=self.days)
        if self.keep_weekday:
            by = tr("{n:week|weeks}, so that weekdays stay", n=self.days // _WEEK)
        found = [
            tr(
                "Dates in {names} moved by the same secret number for all rows of a "
                "person, by up to {by}.",
                names=names,
                by=by,
            ),
            self._key_words(),
            tr(
                "A shift is no generalization: intervals between the events of a "
                "person stay exact, and whoever knows one date of a person learns "
                "the others. Risk figures take the shifted dates as they are."
            ),
        ]
        if figures["clock_times"]:
            found.append(
                tr(
                    "Clock times were left out of {n:cell|cells}.",
                    n=int(figures["clock_times"]),
                )
            )
        if figures["became_missing"]:
            found.append(
                tr(
                    "{n:cell was|cells were} no date and became missing.",
                    n=int(figures["became_missing"]),
                )
            )
        return tuple(found)


def _texts(days: IntArray, written: str) -> list[str]:
    """Dates as a format writes them."""
    moments = days.astype("datetime64[D]")
    years = moments.astype("datetime64[Y]").astype(np.int64) + 1970
    months = moments.astype("datetime64[M]").astype(np.int64) % 12 + 1
    day = (moments - moments.astype("datetime64[M]")).astype(np.int64) + 1
    pattern = _WRITERS[written]
    parts = zip(years.tolist(), months.tolist(), day.tolist(), strict=True)
    return [pattern.format(y=y, m=m, d=d) for y, m, d in parts]
