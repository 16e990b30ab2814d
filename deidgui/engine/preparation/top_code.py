"""Step: the highest numbers of a column become one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from deidgui.engine.arrays import AnyArray, IntArray
from deidgui.engine.parameters import (
    PER_CENT,
    AttributeOf,
    Help,
    Options,
    Proposed,
    Range,
)
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import numbers
    from deidgui.engine.data.table import Column, Table
    from deidgui.engine.preparation import columns as tables
else:
    numbers = LazyModule("deidgui.engine.data.numbers")
    tables = LazyModule("deidgui.engine.preparation.columns")


@STEPS.register
@dataclass(frozen=True)
class TopCode(Step):
    """Numbers from a percentile on become one value, as "45+".

    Notes
    -----
    The percentile is the smallest value with at least the share of the values at or
    below it. Where rows belong to people and the column is the same in all rows of
    each, people are counted, else rows. Texts that are no numbers stay.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33; methods.md E.2, step 2: the 99th
       percentile for the Heritage Health Prize, 99.5 as a rule of thumb.
    """

    attribute: Annotated[
        str, AttributeOf("column"), Help("Column", "Its highest numbers are joined.")
    ]
    share: Annotated[
        float,
        Range(0, 1, open_low=True),
        Proposed(0.99),
        PER_CENT,
        Help("Percentile", "From this percentile on, all numbers become one value."),
    ]
    decimal_mark: Annotated[
        str, Options((".", ",")), Help("Decimal mark", "The mark in the file.")
    ] = "."

    kind: ClassVar[str] = "top_code"
    title: ClassVar[Text] = "Top-code a number"
    summary: ClassVar[Text] = (
        "The highest numbers are rare and easy to recognise: they become one value, "
        "for example 45+."
    )

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The column."""
        return (self.attribute,)

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Join the highest numbers.

        Raises
        ------
        ConfigError
            Codes ``step_column_missing`` and ``step_no_numbers``.
        """
        column = data.column(self.attribute)
        scale = numbers.Scale(whole=False, decimal_mark=self.decimal_mark)
        missing = column.is_missing.tolist()
        read = [
            None if gone else scale.read(text)
            for text, gone in zip(column.texts(), missing, strict=True)
        ]
        known = [number for number in read if number is not None]
        if not known:
            raise ConfigError("step_no_numbers", attribute=self.attribute)
        monitor.report(0.5, "numbers")
        # Ranks of the numbers: decimals are compared exactly.
        order = sorted(set(known))
        place = {number: at for at, number in enumerate(order)}
        rank = np.array([-1 if n is None else place[n] for n in read], np.int64)
        of_unit, is_of_people = self._units(data, column)
        ranks = rank[of_unit]
        top = order[tables.nearest_rank(ranks[ranks >= 0], self.share)]
        label = scale.at_least(top)
        is_above = np.array([n is not None and n > top for n in read], np.bool_)
        made = self._joined(data, column, label)
        n_above = int(column.counts[is_above].sum())
        return Change(
            tables.with_column(data.table, made),
            cells=n_above,
            figures={
                "top": float(top),
                "values_joined": int(np.count_nonzero(is_above)),
                "cells_above": n_above,
                "counted_in_people": int(is_of_people),
                "no_numbers": int(column.counts[(rank < 0) & ~column.is_missing].sum()),
            },
            texts={"label": label},
        )

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Join the same numbers, whoever has them."""
        made = self._joined(data, data.column(self.attribute), effect.texts["label"])
        return tables.with_column(data.table, made)

    def _joined(self, data: Data, column: Column, label: str) -> Column:
        """Column whose numbers from that of the label on are the label."""
        scale = numbers.Scale(whole=False, decimal_mark=self.decimal_mark)
        top = scale.read(label.rstrip("+"))
        assert top is not None, "a label is a number"
        missing = column.is_missing.tolist()
        texts = []
        for text, gone in zip(column.texts(), missing, strict=True):
            number = None if gone else scale.read(text)
            texts.append(label if number is not None and number >= top else text)
        tokens = data.missing.get(column.name, ("",))
        return tables.with_texts(column, texts, column.codes, tokens)

    def _units(self, data: Data, column: Column) -> tuple[AnyArray, bool]:
        """Codes of which the percentile is taken, and whether they are people's."""
        if data.key is not None:
            people = data.people()
            if people.is_constant(column.codes):
                return column.codes[people.first_row], True
        return column.codes, False

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say from which number on values are one."""
        figures = effect.figures
        unit = tr("people") if figures["counted_in_people"] else tr("rows")
        found = [
            tr(
                "“{column}”: numbers from {top} on, the {percent}th percentile over "
                "{unit}, became {label}.",
                column=call(self.attribute),
                top=effect.texts["label"].rstrip("+"),
                percent=f"{100 * self.share:g}",
                unit=unit,
                label=effect.texts["label"],
            )
        ]
        if figures["cells_above"]:
            joined = tr(
                "{values:higher value was|higher values were} joined, in "
                "{cells:cell|cells}.",
                values=int(figures["values_joined"]),
                cells=int(figures["cells_above"]),
            )
        else:
            joined = tr("No number is higher: no values were joined.")
        found.append(joined)
        if figures["no_numbers"]:
            found.append(
                tr(
                    "{n:cell is|cells are} no number and stayed.",
                    n=int(figures["no_numbers"]),
                )
            )
        return tuple(found)

    def checked(self, effect: Effect) -> dict[str, Any]:
        """Largest number that is left."""
        return {
            "columns": (self.attribute,),
            "top": effect.figures["top"],
            "decimal_mark": self.decimal_mark,
        }
