"""Template: days in hospital within a year, over two weeks as one group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from deidgui.engine.data.hierarchy import TEMPLATES
from deidgui.engine.data.templates.day_bands import FixedBands, band_of
from deidgui.text import Text, tr

TO_TWO_WEEKS = range(16)
TO_ONE_WEEK = (*range(7), 7, 15)


@TEMPLATES.register
@dataclass(frozen=True)
class DaysInHospital(FixedBands):
    """Days, days up to two weeks, days up to a week.

    Notes
    -----
    7 days are "1 to 2 weeks", which are 7 to 14 days; over 2 weeks begins at 15.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, Table 4; methods.md E.4 with its
       boundary rule.
    """

    kind: ClassVar[str] = "days_in_hospital"
    title: ClassVar[Text] = "Days in hospital"
    summary: ClassVar[Text] = (
        "Days up to two weeks, then days up to one week and 1 to 2 weeks together; "
        "more than two weeks are one group."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return (
            tr("as it is"),
            tr("days up to 2 weeks, 15+ together"),
            tr("days up to 1 week, 7-14, 15+ together"),
            tr("left out"),
        )

    def bands(self, number: int) -> tuple[str, ...]:
        """Labels of a number of days."""
        return band_of(number, TO_TWO_WEEKS), band_of(number, TO_ONE_WEEK)
