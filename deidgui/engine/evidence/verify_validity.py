"""Works out again until when a determination holds, and what is open about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from deidgui.engine.evidence.checks import Check
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.evidence.entered import Period

_MOST_YEARS = 3
"""Of a period without a reason."""

_KEPT_YEARS = 6
"""After the last day on which a determination holds."""


def check_validity(evidence: Evidence | CountsEvidence) -> Iterator[Check]:
    """Compare the end with periods and agreement, and the release with the end."""
    stated, day = evidence.validity, (evidence.created or "")[:10]
    context = evidence.context if isinstance(evidence, Evidence) else None
    if context is not None and context.release != "public" and day:
        agreed = context.agreement
        in_force = agreed.begins <= day <= (agreed.ends or day)
        yield Check("agreement_in_time", in_force)
    if stated is None:
        return
    yield Check("validity_periods", all(map(_is_allowed, stated.periods)))
    decided = [each.on for each in stated.periods]
    yield Check("validity_order", decided == sorted(decided))
    end, of = None, None
    if stated.periods:
        end, of = stated.periods[-1].ends, "period"
        bound = "" if context is None else context.agreement.ends
        is_public = context is not None and context.release == "public"
        if bound and bound < end and not is_public:
            end, of = bound, "agreement"
    yield Check("validity_end", (stated.ends, stated.ends_with) == (end, of))
    yield Check("validity_kept", stated.kept_until == _kept(end))
    is_within = end is None or not day
    is_within = is_within or stated.periods[-1].begins <= day <= (end or "")
    yield Check("validity_in_time", is_within)
    said = {
        "periods": bool(stated.periods),
        "conditions": bool(stated.conditions.strip()),
        "in_charge": bool(stated.in_charge.strip()),
        "review_months": stated.review_months is not None,
        "contact": bool(stated.contact.strip()),
    }
    left = tuple(name for name, is_said in said.items() if not is_said)
    yield Check("validity_open", stated.open == left)


def _kept(end: str | None) -> str | None:
    """Six years after the end; after the last of February its last day."""
    if end is None:
        return None
    year = int(end[:4]) + _KEPT_YEARS
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    day = "-02-28" if end[4:] == "-02-29" and not is_leap else end[4:]
    return f"{year:04d}{day}"


def _is_allowed(period: Period) -> bool:
    """Whether a period ends after it begins, and is short or has a reason."""
    begins, ends = map(date.fromisoformat, (period.begins, period.ends))
    year, month, day = begins.year + _MOST_YEARS, begins.month, begins.day
    if (month, day) == (2, 29):
        # Three years after a leap year there is none.
        day = 28
    is_short = (ends.year, ends.month, ends.day) <= (year, month, day)
    return begins <= ends and (is_short or bool(period.because.strip()))
