"""Step: columns that nearly never differ between the rows of a person no longer do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.parameters import AttributeOf, Help, Options, Proposed
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import grouping
    from deidgui.engine.data.people import People
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    grouping = LazyModule("deidgui.engine.data.grouping")
    tables = LazyModule("deidgui.engine.preparation.columns")

Rule = Literal["most_frequent", "first_row", "missing"]
"""Which value people get whose rows disagree."""

RULES = ("most_frequent", "first_row", "missing")

_RULE_WORDS: dict[str, Text] = {
    "most_frequent": "the value of most of their rows, of equally frequent ones the "
    "first",
    "first_row": "the value of their first row",
    "missing": "no value",
}


@STEPS.register
@dataclass(frozen=True)
class OneValue(Step):
    """Every person has one value of a column in all their rows.

    Notes
    -----
    A missing value disagrees with nothing: where all other rows of a person have one
    value, it is filled. Where several are equally frequent, the earlier row decides.
    """

    columns: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Proposed(()),
        Help(
            "Columns",
            "They say something of the person, such as the sex, and differ between "
            "rows by mistake.",
        ),
    ]
    rule: Annotated[
        str,
        Options(RULES),
        Proposed("most_frequent"),
        Help(
            "Where rows disagree",
            "All rows of the person get the most frequent value, that of the first "
            "row, or no value.",
        ),
    ]

    kind: ClassVar[str] = "one_value"
    title: ClassVar[Text] = "One value for each person"
    summary: ClassVar[Text] = (
        "Columns that say something of the person, and differ between the rows of a "
        "few people, become the same in all rows of each."
    )
    needs_key: ClassVar[bool] = True

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The columns."""
        return self.columns

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Give each person one value.

        Raises
        ------
        ConfigError
            Codes ``step_no_columns``, ``step_column_missing`` and
            ``step_no_missing_text``.
        """
        if not self.columns:
            raise ConfigError("step_no_columns", step=self.title)
        people, table = data.people(), data.table
        disagree = np.zeros(people.n_people, np.bool_)
        is_changed = np.zeros(table.n_rows, np.bool_)
        n_cells, by_column = 0, []
        codes: dict[str, AnyArray] = {}
        values: dict[str, list[str]] = {}
        for place, name in enumerate(self.columns):
            part = SubMonitor(
                monitor, place / len(self.columns), (place + 1) / len(self.columns)
            )
            part.report(0.0, "people")
            column = data.column(name)
            differs, chosen = values_of_people(column, people, cast("Rule", self.rule))
            made, changed = _with_one_value(data, column, people, chosen)
            table = tables.with_column(table, made)
            codes[name], values[name] = made.codes, made.texts()
            n = int(np.count_nonzero(changed))
            by_column.append((name, int(np.count_nonzero(differs)), n))
            disagree |= differs
            is_changed |= changed
            n_cells += n
        touched = people.of_row[is_changed]
        return Change(
            table,
            cells=n_cells,
            figures={
                "people_who_disagree": int(np.count_nonzero(disagree)),
                "people_changed": len(np.unique(touched)),
                "rows_changed": int(np.count_nonzero(is_changed)),
            },
            texts={"by_column": by_column, "values": values},
            trace=codes,
        )

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Give each person the same value: the attacker is taken to know it."""
        people, table = data.people(), self.apply(data).table
        for name in self.columns:
            column = table.column(name)
            chosen = np.full(people.n_people, -1, np.int64)
            chosen[people.of_row[rows]] = effect.trace[name]
            own = chosen[people.of_row]
            texts = [*column.texts(), *effect.texts["values"][name]]
            codes = np.where(own >= 0, column.n_values + own, column.codes)
            tokens = data.missing.get(name, ("",))
            table = tables.with_column(
                table, tables.with_texts(column, texts, codes, tokens)
            )
        return table

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say how many people's rows disagreed, and what became of them."""
        figures = effect.figures
        found = [
            tr(
                "“{column}”: the rows of {people:person|people} disagree; "
                "{cells:cell|cells} changed.",
                column=call(name),
                people=n_people,
                cells=n_cells,
            )
            for name, n_people, n_cells in effect.texts["by_column"]
        ]
        found.append(
            tr(
                "People whose rows disagree got {what}; missing values were filled "
                "from the person's other rows. Together {rows:row|rows} of "
                "{people:person|people} changed.",
                what=tr(_RULE_WORDS[self.rule]),
                rows=int(figures["rows_changed"]),
                people=int(figures["people_changed"]),
            )
        )
        return tuple(found)

    def checked(self, effect: Effect) -> dict[str, Any]:
        """That all rows of a person show the same."""
        return {"columns": self.columns, "one_value": True}


NO_CELL, MISSING = -1, -2
"""Of people without a cell, and of people who get no value."""


def values_of_people(
    column: Column, people: People, rule: Rule
) -> tuple[BoolArray, IntArray]:
    """Choose one value of a column for each person.

    Parameters
    ----------
    column : Column
        Missing values marked.

    Returns
    -------
    differs : ndarray of bool, shape (n_people,)
        Whose rows have more than one value, missing ones left out.
    chosen : ndarray of int64, shape (n_people,)
        Code of the value, of a missing one for who has no other; else `NO_CELL` or
        `MISSING`.
    """
    rows = np.arange(people.n_rows.sum())
    if column.absent is not None:
        rows = np.flatnonzero(~column.absent)
    chosen = np.full(people.n_people, NO_CELL, np.int64)
    # From the last row on, so that the first one stays.
    chosen[people.of_row[rows[::-1]]] = column.codes[rows[::-1]]
    known = rows[~column.is_missing[column.codes[rows]]]
    pairs = grouping.group_rows(
        len(known),
        [people.of_row[known], column.codes[known]],
        [max(people.n_people, 1), max(column.n_values, 1)],
    )
    n_pairs = len(pairs.first)
    first = np.empty(n_pairs, np.int64)
    first[pairs.of_row[::-1]] = known[::-1]
    owner, value = people.of_row[first], column.codes[first]
    size = np.bincount(pairs.of_row, minlength=n_pairs)
    if rule != "most_frequent":
        size = np.ones(n_pairs, np.int64)
    order = np.lexsort((first, -size, owner))[::-1]
    chosen[owner[order]] = value[order]
    differs = np.bincount(owner, minlength=people.n_people) > 1
    if rule == "missing":
        chosen[differs] = MISSING
    return differs, chosen


def n_who_differ(column: Column, people: People) -> int:
    """Count the people whose rows differ; a missing value differs from any other."""
    same = np.arange(column.n_values)
    same[column.missing_codes] = column.missing_codes[:1]
    sets = people.sets_of(same[column.codes], max(column.n_values, 1), column.absent)
    return int(np.count_nonzero(np.diff(sets.starts) > 1))


def _with_one_value(
    data: Data, column: Column, people: People, chosen: IntArray
) -> tuple[Column, BoolArray]:
    """Column in which each person has one value, and the rows that changed."""
    texts = column.texts()
    if (chosen == MISSING).any():
        text = data.missing_text(column.name)
        if text not in texts:
            texts.append(text)
        chosen = np.where(chosen == MISSING, texts.index(text), chosen)
    codes = chosen[people.of_row]
    if column.absent is not None:
        codes[column.absent] = column.codes[column.absent]
    tokens = data.missing.get(column.name, ("",))
    made = tables.with_texts(column, texts, codes, tokens)
    return made, np.asarray(codes != column.codes, np.bool_)
