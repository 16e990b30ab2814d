"""How long a determination holds: dates, and what is proposed."""

from __future__ import annotations

import calendar
from datetime import date

from deidgui.engine.determination.context import ReleaseModel
from deidgui.engine.determination.questions import Level

LONGEST = 36
"""Months; a longer period needs a reason."""

USUAL, SHORTER = 24, 12
"""Months that are proposed; the shorter ones for the public or much invasion.

References
----------
.. [1] determination.md 3.2: a proposal of this program, of no regulator.
"""


def proposed_months(release: ReleaseModel | None, invasion: Level | None) -> int:
    """Months for which a determination may be proposed to hold."""
    return SHORTER if release == "public" or invasion == "high" else USUAL


def months_later(day: date, months: int) -> date:
    """Return the same day some months later, or the last one of a shorter month.

    Parameters
    ----------
    months : int, >= 0
    """
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


KEPT = 6 * 12
"""Months that a dossier is kept after the last day on which it holds.

References
----------
.. [1] determination.md 1.2, item 45: HIPAA, 45 CFR 164.530(j), from knowledge and not
   checked; shown as a proposal with this mark.
"""


def kept_until(ends: str) -> str:
    """Earliest day on which a dossier may be deleted that holds until a day."""
    return months_later(date.fromisoformat(ends), KEPT).isoformat()


def is_long(begins: date, ends: date) -> bool:
    """Whether a period is longer than one without a reason may be."""
    return ends > months_later(begins, LONGEST)
