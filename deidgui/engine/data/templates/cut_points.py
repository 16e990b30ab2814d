"""Template: bands of numbers with bounds chosen one by one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
)
from deidgui.engine.data.numbers import NOT_A_NUMBER, NumberBand, Scale, in_order
from deidgui.engine.data.templates.numbers import (
    MAX_LEVELS,
    DecimalMark,
    NumberTemplate,
    Whole,
)
from deidgui.engine.parameters import Help
from deidgui.errors import ConfigError
from deidgui.text import Text, tr

MAX_BOUNDS = 1000
"""Most bounds of one level."""


@TEMPLATES.register
@dataclass(frozen=True)
class CutPoints(NumberTemplate):
    """Bands of unequal width, such as days, then weeks, then months of a stay.

    Notes
    -----
    A bound is the first number of a band. Every level may only leave bounds of
    the level before it away, so that bands nest. The default suits a length of
    stay in days: days up to a week, then 2, 4, 8, 12 and 26 weeks (El Emam et
    al., JMIR 2012;14:e33, Table 4). Values that are bands themselves, as "[20-30)" or
    "85+", are read if no bound divides them.
    """

    bounds: Annotated[
        str,
        Help(
            "Bounds",
            "The first number of each band, levels separated by a vertical line.",
        ),
    ] = "1 2 3 4 5 6 7 15 29 57 85 183 | 7 15 29 57 85 183 | 29 57 85 183"
    whole: Whole = True
    decimal_mark: DecimalMark = "."

    kind: ClassVar[str] = "cut_points"
    title: ClassVar[Text] = "Bands by their bounds"
    summary: ClassVar[Text] = (
        "Bands whose bounds are typed, narrow where most records are and wide "
        "elsewhere."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        levels = self.cuts
        if len(levels) > MAX_LEVELS:
            raise ConfigError("template_levels", template=self.kind, limit=MAX_LEVELS)
        for number, cuts in enumerate(levels, start=1):
            if not 1 <= len(cuts) <= MAX_BOUNDS or list(cuts) != sorted(set(cuts)):
                raise ConfigError("cut_points_order", template=self.kind, level=number)
            if number > 1 and not set(cuts) <= set(levels[number - 2]):
                raise ConfigError("cut_points_nested", template=self.kind, level=number)

    @cached_property
    def cuts(self) -> tuple[tuple[Decimal, ...], ...]:
        """First number of every band but the lowest, by level.

        Raises
        ------
        ConfigError
            Code ``cut_points_number`` with the level, for text that is no
            number and for fractions among whole numbers.
        """
        levels = []
        exact = Scale(whole=False, decimal_mark=self.decimal_mark)
        for number, part in enumerate(self.bounds.split("|"), start=1):
            read = [exact.read(text) for text in part.split()]
            cuts = tuple(
                cut
                for cut in read
                if cut is not None and not (self.whole and cut != cut // 1)
            )
            if len(cuts) < len(read):
                raise ConfigError("cut_points_number", template=self.kind, level=number)
            levels.append(cuts)
        return tuple(levels)

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        names = (f"{len(cuts) + 1} bands" for cuts in self.cuts)
        return (tr("as it is"), *names, tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        numbers, texts = in_order(values, self.scale)
        found = [(band, text) for text in texts if (band := self._undivided(text))]
        self._refuse_if_none_read(values, len(numbers) + len(found))
        lows = numbers + [(band.low, text) for band, text in found]
        rows: Grid = [
            (text, *(self._label(cuts, low) for cuts in self.cuts), SUPPRESSED)
            for low, text in sorted(lows)
        ]
        unknown = (NOT_A_NUMBER,) * len(self.cuts)
        read = {text for _, text in found}
        rows += [(text, *unknown, SUPPRESSED) for text in texts if text not in read]
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are neither numbers nor bands that fit the bounds."""
        return [text for text in super().unread(values) if not self._undivided(text)]

    def _undivided(self, text: str) -> NumberBand | None:
        """Band that a text tells; None if a bound of the first level divides it."""
        band = self.scale.read_band(text)
        if band is None:
            return None
        first, *_ = self.cuts
        fits = bisect_right(first, band.low) == bisect_left(first, band.high)
        return band if fits else None

    def _label(self, cuts: Sequence[Decimal], number: Decimal) -> str:
        return self.scale.between(cuts, bisect_right(cuts, number))
