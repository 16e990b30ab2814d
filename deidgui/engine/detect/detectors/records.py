"""Detectors of sampling weights, record keeping and notes."""

from __future__ import annotations

from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Role, Topic, Treatment
from deidgui.engine.detect.rules import (
    NUMBERS,
    WORDS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    whole_column,
)


def _is_free_text(profile: ColumnProfile) -> bool:
    return profile.is_free_text


DETECTORS: tuple[Detector, ...] = (
    Detector(
        Topic.SAMPLING_WEIGHT,
        "sampling weight",
        Role.INSENSITIVE,
        "because_sampling_weight",
        words="weight",
        names=("weighting", "sampling weight", "sample weight", "survey weight",
               "final weight", "fnlwgt", "final wgt", "person weight",
               "analysis weight", "discwt", "trendwt", "pwgt",
               "perwt", "hhwt", "expansion factor", "sampling fraction",
               "replicate weight"),
        kinds=NUMBERS,
    ),
    Detector(
        Topic.HOUSEKEEPING,
        "record keeping",
        Role.INSENSITIVE,
        "because_housekeeping",
        words="housekeeping",
        names=("segment", "version", "record type", "file name", "flag", "source",
               "data source", "quality flag", "present on admission", "poa", "batch",
               "sequence", "line", "row", "status flag"),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.FREE_TEXT,
        "free text",
        Role.DIRECT_IDENTIFIER,
        "because_free_text",
        treatment=Treatment.REMOVE,
        words="free_text",
        names=("note", "history note", "clinical note", "=notes", "free text",
               "comment", "remark",
               "narrative", "letter", "discharge summary", "=report", "report text",
               "history of present illness", "impression", "findings", "=text",
               "progress note", "anamnese", "arztbrief"),
        rules=(ValueRule("long texts of many words", 0.85, whole_column(_is_free_text),
                         of_column=True),),
        kinds=WORDS,
    ),
)  # fmt: skip
