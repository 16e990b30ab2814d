"""How much columns matter to most analyses, by what they are about."""

from __future__ import annotations

from deidgui.engine.detect.roles import Topic

LOW, MEDIUM, HIGH = 0.25, 0.5, 1.0
"""Weights of the three levels of importance."""

WEIGHTS = {"low": LOW, "medium": MEDIUM, "high": HIGH}
"""The same by their names."""

_HIGH = {
    *(Topic.AGE, Topic.SEX, Topic.DATE, Topic.BIRTH_DATE, Topic.YEAR),
    *(Topic.ICD9, Topic.ICD10, Topic.DIAGNOSIS, Topic.PROCEDURE, Topic.DRUG),
}

_LOW = {
    *(Topic.CODE, Topic.NUMBER, Topic.ADMISSION, Topic.FACILITY, Topic.PAYOR),
    *(Topic.DISPOSITION, Topic.SPECIALTY, Topic.HOUSEKEEPING, Topic.SAMPLING_WEIGHT),
    *(Topic.IDENTIFIER, Topic.CONTACT, Topic.COUNT),
}


def importance_of(topic: str | None) -> float:
    """Importance that is proposed for a column.

    Parameters
    ----------
    topic : str or None
        A `Topic`; None if nothing is known.

    Returns
    -------
    float
        `HIGH` for ages, sex, dates and diagnoses, `LOW` for administrative codes and
        numbers without a meaning of their own, `MEDIUM` for all else.
    """
    if topic in _HIGH:
        return HIGH
    return LOW if topic in _LOW else MEDIUM
