"""Template: bands of numbers that hold about equally many records or people."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import accumulate
from operator import mul
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
)
from deidgui.engine.data.numbers import NOT_A_NUMBER, in_order
from deidgui.engine.data.templates.common import SHARED
from deidgui.engine.data.templates.numbers import (
    DecimalMark,
    NumberTemplate,
    Whole,
    require_factors,
)
from deidgui.engine.parameters import Help, Range, Unit
from deidgui.text import Text, tr

_LARGEST, _SMALLEST = 15, -6
"""Powers of ten that cut points are rounded to."""


@TEMPLATES.register
@dataclass(frozen=True)
class Quantiles(NumberTemplate):
    """Groups of about equally many records; cut points come from the data.

    Notes
    -----
    The q-th cut point is the smallest number below which at least q / `groups`
    of the records lie, rounded to the roundest number above the last number before
    it and up to it. Where there is none, numbers that `SHARED` records have stay as
    they are, and others are rounded down to numbers that are round beside half a
    group. Groups may therefore be fewer or uneven. The outer groups are open ("<18",
    "65+").
    """

    groups: Annotated[
        int,
        Range(2, 1000),
        Unit("groups"),
        Help("Groups", "How many groups of about equally many records."),
    ] = 8
    factors: Annotated[
        tuple[int, ...],
        Range(2, 1000),
        Help("Then join", "How many neighbouring groups each next level joins."),
    ] = (2, 2)
    whole: Whole = True
    decimal_mark: DecimalMark = "."

    kind: ClassVar[str] = "quantiles"
    title: ClassVar[Text] = "Quantiles"
    summary: ClassVar[Text] = (
        "Groups that hold about equally many records each; useful for skewed "
        "numbers such as costs or lengths of stay."
    )

    def __post_init__(self) -> None:
        require_factors(self.kind, self.factors)
        super().__post_init__()

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        steps = accumulate((1, *self.factors), mul)
        names = (
            tr(
                "{max:quantile group|quantile groups}",
                max=max(1, -(-self.groups // step)),
            )
            for step in steps
        )
        return (tr("as it is"), *names, tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels when every value counts once (see `Template.grid`)."""
        return self.weighted_grid(values, [1] * len(values))

    def weighted_grid(self, values: Sequence[str], n_records: Sequence[int]) -> Grid:
        """Labels with cut points that balance the records."""
        readable, unreadable = in_order(values, self.scale)
        self._refuse_if_none_read(values, len(readable))
        weight = dict(zip(values, n_records, strict=True))
        cuts = self._cuts([(number, weight[text]) for number, text in readable])
        by_level = [
            cuts[step - 1 :: step] for step in accumulate((1, *self.factors), mul)
        ]
        labels: dict[int, tuple[str, ...]] = {}
        rows: Grid = []
        for number, text in readable:
            place = bisect_right(cuts, number)
            if place not in labels:
                labels[place] = tuple(
                    self.scale.between(each, bisect_right(each, number))
                    for each in by_level
                )
            rows.append((text, *labels[place], SUPPRESSED))
        unknown = (NOT_A_NUMBER,) * len(by_level)
        rows += [(text, *unknown, SUPPRESSED) for text in unreadable]
        return rows

    def _cuts(self, weighted: Sequence[tuple[Decimal, int]]) -> list[Decimal]:
        """First number of every group but the lowest, strictly ascending."""
        records = Counter[Decimal]()
        for number, weight in weighted:
            records[number] += weight
        numbers = list(records)
        total = records.total()
        coarse = self._coarse(numbers)
        cuts: list[Decimal] = []
        below, wanted = 0, 1
        for place, number in enumerate(numbers):
            is_due = wanted < self.groups and below * self.groups >= wanted * total
            if place and is_due:
                cut = self._between(numbers[place - 1], number, records, coarse)
                if cut is not None and cut > max([numbers[0], *cuts[-1:]]):
                    cuts.append(cut)
                    # A number with many records can pass several cut points at once.
                    wanted = below * self.groups // total + 1 if total else self.groups
            below += records[number]
        return cuts

    def _coarse(self, numbers: Sequence[Decimal]) -> Decimal | None:
        """Step of numbers that are round beside half a group; None if there is none."""
        if not numbers:
            return None
        half = (numbers[-1] - numbers[0]) / (2 * self.groups)
        return next((s for s in self._steps if 1 < s <= half), None)

    @property
    def _steps(self) -> Iterator[Decimal]:
        """Steps of round numbers, the roundest first."""
        for digits in range(_LARGEST, -1 if self.whole else _SMALLEST, -1):
            yield Decimal(5).scaleb(digits)
            yield Decimal(1).scaleb(digits)

    def _between(
        self,
        last: Decimal,
        number: Decimal,
        records: Mapping[Decimal, int],
        coarse: Decimal | None,
    ) -> Decimal | None:
        """Cut between two numbers that tells of no single record; None without one."""
        # PRIVACY: a label states the cut, and for whole numbers the one before it.
        is_first_safe = records[number] >= SHARED
        is_last_safe = not self.whole or records[last] >= SHARED
        for step in self._steps:
            cut = _down(number, step)
            is_between = last < cut and (cut < number or is_first_safe)
            if is_between and (cut - last > 1 or is_last_safe):
                return cut
        return None if coarse is None else _down(number, coarse)


def _down(number: Decimal, step: Decimal) -> Decimal:
    """Round a number down to a multiple of a step."""
    return (number / step).to_integral_value(ROUND_FLOOR) * step
