"""How long a determination holds, in words: for window, commands and report."""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.text import Text, tr

_INCIDENT: Text = "Incident at the recipient"
_MATCH: Text = "Somebody says that they recognised a person"
_RECIPIENT: Text = "Recipient, staff, place or controls changed; audit finding"
_SOURCE: Text = "New register, outside data, tool or published attack"
_RELEASE: Text = "Another release about the same people"
_LAW: Text = "Law, guidance or edition of the census changed"
_ERROR: Text = "Error found in deidgui"
_DRIFT: Text = "The data are not what they were"
_EXTRACT: Text = "Another extract: the input files are others"
_POLICY: Text = "Another policy: columns, roles, levels or joined values"
_PEOPLE: Text = "A tenth more or fewer people"
_COMPARISON: Text = "The comparison with an earlier release was given up"
_TABLE: Text = "The comparison with a register or another table was given up"
TRIGGERS: Mapping[str, Text] = {
    "incident": _INCIDENT,
    "match": _MATCH,
    "recipient": _RECIPIENT,
    "source": _SOURCE,
    "release": _RELEASE,
    "law": _LAW,
    "error": _ERROR,
    "drift": _DRIFT,
    "extract": _EXTRACT,
    "policy": _POLICY,
    "people": _PEOPLE,
    "comparison": _COMPARISON,
    "table": _TABLE,
}
"""What ends a determination before its date, by kind."""

_PERIODS: Text = "Until when the determination holds"
_CONDITIONS: Text = "Conditions"
_IN_CHARGE: Text = "Person in charge"
_REVIEW: Text = "Months between reviews"
_CONTACT: Text = "Contact after an incident, and deadline"
ITEMS: Mapping[str, Text] = {
    "periods": _PERIODS,
    "conditions": _CONDITIONS,
    "in_charge": _IN_CHARGE,
    "review_months": _REVIEW,
    "contact": _CONTACT,
}
"""What is asked, by field of `ValidityChoice`."""


def validity_words(ends: str | None, ends_with: str | None) -> str:
    """Say until when the determination holds; empty while nobody has decided."""
    if ends is None:
        return ""
    if ends_with == "agreement":
        return tr("The determination holds until {day}: the agreement ends.", day=ends)
    return tr("The determination holds until {day}.", day=ends)
