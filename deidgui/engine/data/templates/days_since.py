"""Template: days since a first event in weeks, two weeks and months of four weeks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from deidgui.engine.data.hierarchy import TEMPLATES
from deidgui.engine.data.numbers import Scale
from deidgui.engine.data.templates.day_bands import FixedBands
from deidgui.text import Text, tr

WIDTHS = (7, 14, 28)


@TEMPLATES.register
@dataclass(frozen=True)
class DaysSince(FixedBands):
    """Days, weeks, two weeks, four weeks, counted from day 0.

    Notes
    -----
    The week of day d is d / 7 rounded down: day 7 is the first of the second week.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, Table 4; methods.md E.4: week
       index, floor of d / 7, 14 and 28.
    """

    kind: ClassVar[str] = "days_since"
    title: ClassVar[Text] = "Days since an event"
    summary: ClassVar[Text] = (
        "Weeks, then two weeks, then months of four weeks, counted from day 0."
    )
    lowest: ClassVar[int | None] = None

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        bands = (tr("bands of {n:day|days}", n=width) for width in WIDTHS)
        return (tr("as it is"), *bands, tr("left out"))

    def bands(self, number: int) -> tuple[str, ...]:
        """Labels of a number of days, negative ones too."""
        return tuple(_band(number, width) for width in WIDTHS)


def _band(number: int, width: int) -> str:
    low = number // width * width
    return Scale().band(Decimal(low), Decimal(low + width))
