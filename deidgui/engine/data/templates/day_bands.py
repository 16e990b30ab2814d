"""What the rules of the longitudinal release have in common: fixed bands of numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from typing import ClassVar

from deidgui.engine.data.hierarchy import SUPPRESSED, Grid
from deidgui.engine.data.numbers import NOT_A_NUMBER, Scale, in_order
from deidgui.engine.data.templates.numbers import NumberTemplate


class FixedBands(NumberTemplate):
    """A rule for whole numbers whose bands nobody changes.

    Attributes
    ----------
    lowest : int or None
        Smaller numbers are none that the rule knows.
    """

    whole = True
    decimal_mark = "."
    lowest: ClassVar[int | None] = 0

    @abstractmethod
    def bands(self, number: int) -> tuple[str, ...]:
        """Labels of a number on all levels between itself and ``*``."""

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        readable, unreadable = self._split(values)
        self._refuse_if_none_read(values, len(readable))
        rows: Grid = [
            (text, *self.bands(int(number)), SUPPRESSED) for number, text in readable
        ]
        unknown = (NOT_A_NUMBER,) * (len(self.level_names) - 2)
        return [*rows, *((text, *unknown, SUPPRESSED) for text in unreadable)]

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are no such numbers."""
        end = self.open_end(values)
        return [text for text in self._split(values)[1] if text != end]

    def _split(
        self, values: Sequence[str]
    ) -> tuple[list[tuple[Decimal, str]], list[str]]:
        readable, unreadable = in_order(values, self.scale)
        if self.lowest is None:
            return readable, unreadable
        known = [each for each in readable if each[0] >= self.lowest]
        below = [text for number, text in readable if number < self.lowest]
        return known, [*below, *unreadable]


def band_of(number: int, starts: Sequence[int]) -> str:
    """Label of the band of a number: "7-14", the last one "183+".

    Parameters
    ----------
    number : int, at least the first start
    starts : sequence of int
        First number of each band, ascending.
    """
    scale = Scale()
    place = max(at for at, start in enumerate(starts) if start <= number)
    if place == len(starts) - 1:
        return scale.at_least(Decimal(starts[-1]))
    return scale.band(Decimal(starts[place]), Decimal(starts[place + 1]))
