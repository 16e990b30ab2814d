"""Detectors of facts about a stay in hospital."""

from __future__ import annotations

from deidgui.engine.detect.roles import Role, Topic
from deidgui.engine.detect.rules import (
    NUMBERS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    numbers_between,
    vocabulary,
)

DETECTORS: tuple[Detector, ...] = (
    Detector(
        Topic.LENGTH_OF_STAY,
        "length of stay",
        Role.QUASI_IDENTIFIER,
        "because_length_of_stay",
        words="stay",
        names=("length of stay", "speldur", "los", "care day", "care days",
               "time in hospital",
               "hospital days", "inpatient days", "day of stay", "icu days",
               "lengthofstay", "los days", "stay days", "utilization day count",
               "same day", "discharge same day", "days in hospital",
               "hospitalization days", "duration of stay", "verweildauer"),
        rules=(ValueRule("a number of days", 0.5, numbers_between(0, 3660),
                         needs_cue=True),),
        kinds=NUMBERS,
    ),
    Detector(
        Topic.ADMISSION,
        "kind or source of the admission",
        Role.QUASI_IDENTIFIER,
        "because_stay",
        words="admission",
        names=("admission type", "admimeth", "admisorc", "aufnahmeanlass",
               "unit admission source", "tran in", "type of admission",
               "admission source",
               "source of admission", "admission origin", "admission location",
               "admission category", "admission class", "admission reason",
               "arrival mode", "place of service", "place service", "encounter type",
               "visit type",
               "encounter class", "patient class", "emergency admission", "elective",
               "ambulance", "transfer in", "aufnahmeart", "aufnahmegrund"),
        rules=(ValueRule("a kind of admission", 0.8, vocabulary(
            "emergency|elective|urgent|newborn|trauma|trauma center|routine|"
            "observation|inpatient|outpatient|ambulatory|emergency room|referral|"
            "physician referral|clinic referral|transfer|transfer from hospital|"
            "not stated|planned|unplanned|day case|scheduled"), by_rows=True),),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.FACILITY,
        "place of care",
        Role.QUASI_IDENTIFIER,
        "because_facility",
        words="facility",
        names=("hospital", "procode", "gpprac", "unit type", "facility",
               "hospital name", "hospital id",
               "hospital code", "facility id", "facility name", "facility code",
               "provider number", "provider id", "organization", "organisation",
               "ward", "unit name", "care unit", "ward id", "department",
               "department name", "=clinic", "clinic name", "clinic id",
               "bed", "number of bed", "hospital ownership", "ownership",
               "hospital size", "teaching hospital", "hospital region",
               "hospital state", "site id", "center", "centre", "site code",
               "practice id", "pharmacy", "=unit", "location", "room", "pcp",
               "vendor", "=site", "hospital type", "teaching status"),
        rules=(ValueRule("an owner of a hospital", 0.6, vocabulary(
            "non profit|government|proprietary|public|church|nonprofit|for profit"),
            needs_cue=True, by_rows=True),),
        kinds=WORDS_OR_CODES,
    ),
)  # fmt: skip
