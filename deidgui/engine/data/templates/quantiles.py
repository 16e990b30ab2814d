"""Template: bands of numbers that hold about equally many records."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from operator import mul
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
)
from deidgui.engine.data.numbers import NOT_A_NUMBER, in_order
from deidgui.engine.data.templates.numbers import (
    DecimalMark,
    NumberTemplate,
    Whole,
    require_factors,
)
from deidgui.engine.parameters import Help, Range, Unit
from deidgui.text import Text, tr


@TEMPLATES.register
@dataclass(frozen=True)
class Quantiles(NumberTemplate):
    """Groups of about equally many records; cut points come from the data.

    Notes
    -----
    The q-th cut point is the smallest number below which at least q / `groups`
    of the records lie; records with the same number stay together, so that
    groups may be fewer or uneven. The outer groups are open ("<18", "65+").
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
            tr("{max} quantile groups", max=max(1, -(-self.groups // step)))
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
        total = sum(weight for _, weight in weighted)
        cuts: list[Decimal] = []
        below, wanted, previous = 0, 1, None
        for number, weight in weighted:
            starts = previous is not None and number != previous
            if (
                starts
                and wanted < self.groups
                and below * self.groups >= wanted * total
            ):
                cuts.append(number)
                # A number with many records can pass several cut points at once.
                wanted = below * self.groups // total + 1 if total else self.groups
            below, previous = below + weight, number
        return cuts
