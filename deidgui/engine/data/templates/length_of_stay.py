"""Template: length of stay in days, weeks and ever wider bands of weeks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from deidgui.engine.data.hierarchy import TEMPLATES
from deidgui.engine.data.templates.day_bands import FixedBands, band_of
from deidgui.text import Text, tr

DAYS = tuple(range(7))
WIDE = (15, 29, 57, 85, 183)
"""First days of (2-4], (4-8], (8-12], (12-26] weeks, and of more."""

_WEEK = 7


@TEMPLATES.register
@dataclass(frozen=True)
class LengthOfStay(FixedBands):
    """Days, weeks, bands of weeks; then all below one week, all below four weeks.

    Notes
    -----
    Weeks end with their last day, (w - 1, w], so that they nest in the wider bands;
    but 7 days are "1 to 2 weeks", so that this band is 7 to 14 days. 0 days, no stay,
    stand apart until they are among those below one week.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, Table 4; methods.md E.4 with its
       boundary rule.
    """

    kind: ClassVar[str] = "length_of_stay"
    title: ClassVar[Text] = "Length of stay"
    summary: ClassVar[Text] = (
        "Days up to a week, then weeks, then 2, 4, 8, 12 and 26 weeks; more than 26 "
        "weeks are one group."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return (
            tr("as it is"),
            tr("days up to 6, then weeks"),
            tr("days up to 6, then 2, 4, 8, 12, 26 weeks"),
            tr("less than a week, then 2, 4, 8, 12, 26 weeks"),
            tr("up to 4 weeks, then 8, 12, 26 weeks"),
            tr("left out"),
        )

    def bands(self, number: int) -> tuple[str, ...]:
        """Labels of a number of days."""
        wide = band_of(number, (*DAYS, _WEEK, *WIDE))
        below = band_of(number, (0, _WEEK, *WIDE))
        return _weeks(number), wide, below, band_of(number, (0, *WIDE[1:]))


def _weeks(number: int) -> str:
    """Day of the first week, or the week: 7-14, 15-21, 22-28, ..."""
    if number < _WEEK:
        return str(number)
    last = max(2, -(-number // _WEEK)) * _WEEK
    first = _WEEK if last == 2 * _WEEK else last - _WEEK + 1
    return f"{first}-{last}"
