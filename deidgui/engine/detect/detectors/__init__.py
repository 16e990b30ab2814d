"""Every kind of column the program recognises; a new one is a file and a line here."""

from __future__ import annotations

from deidgui.engine.detect.detectors import (
    clinical,
    contact,
    dates,
    demographics,
    media,
    money,
    numbers,
    people,
    places,
    records,
    stay,
)
from deidgui.engine.detect.rules import Detector

DETECTORS: tuple[Detector, ...] = (
    *people.DETECTORS,
    *places.DETECTORS,
    *dates.DETECTORS,
    *contact.DETECTORS,
    *numbers.DETECTORS,
    *media.DETECTORS,
    *demographics.DETECTORS,
    *stay.DETECTORS,
    *clinical.DETECTORS,
    *money.DETECTORS,
    *records.DETECTORS,
)
"""In this order; between equal scores the earlier one is proposed."""
