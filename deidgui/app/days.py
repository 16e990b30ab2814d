"""The present day, as it is written beside what a person decides."""

from __future__ import annotations

from datetime import UTC, date, datetime


def today() -> date:
    """Return the present day in UTC: the evidence states its time in UTC, too."""
    return datetime.now(UTC).date()
