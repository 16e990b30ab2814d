"""Template: bands of equal width, with top and bottom coding."""

from __future__ import annotations

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
from deidgui.engine.data.numbers import NOT_A_NUMBER, decimal, in_order
from deidgui.engine.data.templates.numbers import (
    DecimalMark,
    NumberTemplate,
    Whole,
    require_factors,
    require_whole,
)
from deidgui.engine.parameters import Help, Range
from deidgui.errors import ConfigError
from deidgui.text import Text, tr


@TEMPLATES.register
@dataclass(frozen=True)
class Intervals(NumberTemplate):
    """Bands of equal width, each level joining neighbouring bands.

    Notes
    -----
    With the default factors, ages become bands of 5, 10 and 20 years. Top and
    bottom coding applies on every level above the values themselves, so that
    "90+" stays one category (45 CFR 164.514(b)(2)(i)(C)).
    """

    width: Annotated[
        float,
        Range(1e-9, 1e12),
        Help("First width", "How many units the narrowest band covers."),
    ] = 5
    factors: Annotated[
        tuple[int, ...],
        Range(2, 1000),
        Help("Then join", "How many neighbouring bands each next level joins."),
    ] = (2, 2)
    start: Annotated[
        float,
        Range(-1e15, 1e15),
        Help("Count from", "A value at which a band of every level begins."),
    ] = 0
    top: Annotated[
        float | None,
        Range(-1e15, 1e15),
        Help("Top code", "This value and everything above it become one group."),
    ] = None
    bottom: Annotated[
        float | None,
        Range(-1e15, 1e15),
        Help("Bottom code", "Everything below this value becomes one group."),
    ] = None
    keep_single: Annotated[
        bool,
        Help("Single values first", "A first level that only codes the extremes."),
    ] = False
    whole: Whole = True
    decimal_mark: DecimalMark = "."

    kind: ClassVar[str] = "intervals"
    title: ClassVar[Text] = "Number bands"
    summary: ClassVar[Text] = (
        "Bands of equal width that grow from level to level; the highest and the "
        "lowest values can be coded together, for example ages of 90 and over."
    )

    def __post_init__(self) -> None:
        require_factors(self.kind, self.factors)
        super().__post_init__()
        if self.whole:
            require_whole(
                self.kind,
                width=self.width,
                start=self.start,
                top=self.top,
                bottom=self.bottom,
            )
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            raise ConfigError("band_order", template=self.kind)

    @property
    def widths(self) -> tuple[Decimal, ...]:
        """Width of the bands of each level, the narrowest first."""
        return tuple(accumulate((decimal(self.width), *self.factors), mul))

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        write = self.scale.write
        coded = ""
        if self.bottom is not None:
            coded += f", {self.scale.below(decimal(self.bottom))} together"
        if self.top is not None:
            coded += f", {self.scale.at_least(decimal(self.top))} together"
        single = (tr("single values{coded}", coded=coded),) if self.keep_single else ()
        bands = (
            tr("bands of {write}{coded}", write=write(width), coded=coded)
            for width in self.widths
        )
        return (tr("as it is"), *single, *bands, tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        readable, unreadable = in_order(values, self.scale)
        self._refuse_if_none_read(values, len(readable))
        n_single = int(self.keep_single)
        start, first_width = decimal(self.start), decimal(self.width)
        extreme = {
            label: (label,) * (len(self.widths) + n_single)
            for label in (self._top_label, self._bottom_label, NOT_A_NUMBER)
        }
        bands: dict[Decimal, tuple[str, ...]] = {}
        rows: Grid = []
        for number, text in readable:
            if (label := self._extreme_label(number)) is not None:
                rows.append((text, *extreme[label], SUPPRESSED))
                continue
            index = _floor_divide(number - start, first_width)
            if index not in bands:
                bands[index] = self._band_labels(index)
            single = (self.scale.write(number),) if self.keep_single else ()
            rows.append((text, *single, *bands[index], SUPPRESSED))
        rows += [(text, *extreme[NOT_A_NUMBER], SUPPRESSED) for text in unreadable]
        return rows

    @property
    def _top_label(self) -> str:
        return "" if self.top is None else self.scale.at_least(decimal(self.top))

    @property
    def _bottom_label(self) -> str:
        return "" if self.bottom is None else self.scale.below(decimal(self.bottom))

    def _extreme_label(self, number: Decimal) -> str | None:
        if self.top is not None and number >= decimal(self.top):
            return self._top_label
        if self.bottom is not None and number < decimal(self.bottom):
            return self._bottom_label
        return None

    def _band_labels(self, index: Decimal) -> tuple[str, ...]:
        """Labels of the band number `index` of the first width, on all levels."""
        labels = []
        start = decimal(self.start)
        first, *_ = widths = self.widths
        for width in widths:
            low = start + _floor_divide(index * first, width) * width
            high = low + width
            if self.bottom is not None:
                low = max(low, decimal(self.bottom))
            if self.top is not None:
                high = min(high, decimal(self.top))
            labels.append(self.scale.band(low, high))
        return tuple(labels)


def _floor_divide(number: Decimal, width: Decimal) -> Decimal:
    """Exact integer quotient rounded down (Decimal's own rounds towards zero)."""
    quotient, rest = divmod(number, width)
    return quotient - 1 if rest < 0 else quotient
