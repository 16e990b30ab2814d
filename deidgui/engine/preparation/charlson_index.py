"""Step: diagnosis codes become the Charlson index of the person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import AttributeOf, Help, Options, Proposed
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.engine.preparation.lists import plain
from deidgui.errors import InputError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import code_lists
    from deidgui.engine.data.code_lists import CharlsonCondition
    from deidgui.engine.data.people import People
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    code_lists = LazyModule("deidgui.engine.data.code_lists")
    tables = LazyModule("deidgui.engine.preparation.columns")

SEVERE_FORMS = {"mld": "msld", "diab": "diabwc", "canc": "metacanc"}
"""Conditions that do not count beside a severer form of the same disease."""


@STEPS.register
@dataclass(frozen=True)
class CharlsonIndex(Step):
    """A column of codes becomes the Charlson index of the person, the same in all rows.

    Notes
    -----
    The index is the sum of the weights of the conditions that any code of the person
    means; each counts once. A severe form of a disease usually replaces the mild one.
    Who has no such code has 0. The codes in further columns are read and stay.

    References
    ----------
    .. [1] M. Charlson et al. (1987), J Chronic Dis 40(5):373-383 (weights).
    .. [2] H. Quan et al. (2005), Med Care 43(11):1130-1139 (codes).
    .. [3] methods.md E.2, step 6.
    """

    attribute: Annotated[
        str, AttributeOf("column"), Help("Column", "Its codes become the index.")
    ]
    codes: Annotated[
        str,
        Options(("ICD-10-CM", "ICD-9-CM")),
        Help("Codes", "The classification that all columns of codes use."),
    ]
    others: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Proposed(()),
        Help("Further columns", "Their codes count, too; the columns stay."),
    ] = ()
    severe_replaces_mild: Annotated[
        bool,
        Help(
            "Severe replaces mild",
            "Who has a severe form of diabetes, liver disease or cancer has no points "
            "for the mild one.",
        ),
    ] = True

    kind: ClassVar[str] = "charlson_index"
    title: ClassVar[Text] = "Charlson index"
    summary: ClassVar[Text] = (
        "Diagnosis codes become one number for each person: the sum of the weights "
        "of their conditions."
    )
    needs_key: ClassVar[bool] = True

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The columns of codes."""
        return (self.attribute, *self.others)

    @property
    def retyped(self) -> Mapping[str, tuple[str, str | None]]:
        """The index is a whole number."""
        return {self.attribute: ("integer", None)}

    @property
    def types_before(self) -> Mapping[str, tuple[str, str | None]]:
        """Codes are texts."""
        return {self.attribute: ("text", None)}

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Add up the weights of each person.

        Raises
        ------
        ConfigError
            Code ``step_column_missing``.
        InputError
            Code ``step_no_code_known`` if no code means a condition.
        """
        people = data.people()
        has: dict[CharlsonCondition, BoolArray] = {}
        for name in dict.fromkeys(self.columns_read):
            monitor.report(0.1, "codes")
            self._add(data.column(name), people, has)
        if not has:
            raise InputError("step_no_code_known", attribute=self.attribute)
        if self.severe_replaces_mild:
            by_code = {each.code: found for each, found in has.items()}
            for mild, severe in SEVERE_FORMS.items():
                if mild in by_code and severe in by_code:
                    by_code[mild] &= ~by_code[severe]
        index = np.zeros(people.n_people, np.int64)
        for each, found in has.items():
            index += each.weight * found
        monitor.report(0.7, "people")
        column = data.column(self.attribute)
        shown = index[people.of_row]
        is_person = np.zeros(people.n_people, np.bool_)
        is_person[people.of_row[tables.has_cell(column)]] = True
        return Change(
            tables.with_column(data.table, _with_numbers(data, column, shown)),
            cells=int(np.count_nonzero(tables.has_cell(column))),
            figures={
                "conditions": len(has),
                "people_with": int(np.count_nonzero(index[is_person])),
                "people": int(np.count_nonzero(is_person)),
                "highest": int(index.max(initial=0)),
            },
            trace={"index": shown},
        )

    def _add(
        self, column: Column, people: People, has: dict[CharlsonCondition, BoolArray]
    ) -> None:
        """Note who has which conditions by the codes of a column."""
        system = "icd9cm" if self.codes == "ICD-9-CM" else "icd10cm"
        codes_of: dict[CharlsonCondition, list[int]] = {}
        is_missing = column.is_missing
        for code, text in enumerate(column.texts()):
            found = code_lists.charlson_of(plain(text), system)
            if found is not None and column.counts[code] and not is_missing[code]:
                codes_of.setdefault(found, []).append(code)
        for condition, codes in codes_of.items():
            means = np.zeros(column.n_values, np.bool_)
            means[codes] = True
            rows = means[column.codes] & tables.has_cell(column)
            who = has.setdefault(condition, np.zeros(people.n_people, np.bool_))
            who[people.of_row[rows]] = True

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Give each person the same index: the attacker is taken to know it."""
        people, table = data.people(), self.apply(data).table
        column = table.column(self.attribute)
        own = np.full(people.n_people, -1, np.int64)
        own[people.of_row[rows]] = effect.trace["index"]
        as_all = np.array([int(text or 0) for text in column.texts()])[column.codes]
        shown = np.where(own[people.of_row] >= 0, own[people.of_row], as_all)
        return tables.with_column(table, _with_numbers(data, column, shown))

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say how many people have an index above 0."""
        figures = effect.figures
        return (
            tr(
                "“{column}” became the Charlson index of the person: {n} of "
                "{people:person|people} have one above 0, the highest is {highest}.",
                column=call(self.attribute),
                n=int(figures["people_with"]),
                people=int(figures["people"]),
                highest=int(figures["highest"]),
            ),
        )

    def checked(self, effect: Effect) -> dict[str, Any]:
        """That all rows of a person show the same."""
        return {"columns": (self.attribute,), "one_value": True}


def _with_numbers(data: Data, column: Column, numbers: IntArray) -> Column:
    texts = [str(n) for n in range(int(numbers.max(initial=0)) + 1)]
    tokens = data.missing.get(column.name, ("",))
    return tables.with_texts(column, texts, numbers, tokens)
