"""Detectors of names of persons (identifier 1)."""

from __future__ import annotations

import re

from deidgui.engine.detect.roles import Identifier, Topic
from deidgui.engine.detect.rules import (
    WORDS,
    Detector,
    ValueRule,
    direct,
    listed,
    matches,
)
from deidgui.engine.detect.wordlists import person_names, word_list

_WORD = re.compile(r"[^\W\d_]+")


def _has_listed_name(text: str) -> bool:
    return any(word.lower() in person_names() for word in _WORD.findall(text))


def _first_and_last(text: str) -> bool:
    """Whether a listed first name stands beside another name."""
    words = [word.lower() for word in _WORD.findall(text)]
    return _has_listed_name(text) and (
        words[0] in word_list("first_names") or words[-1] in word_list("first_names")
    )


_NAME = r"\p{Lu}[\p{L}'’.-]*"

FULL_NAME = ValueRule(
    "a full name",
    0.85,
    matches(rf"^{_NAME}(?:\s+{_NAME}){{1,3}}$", _first_and_last, (4, 60)),
)
LAST_FIRST = ValueRule(
    "a name written “Last, First”",
    0.85,
    matches(
        rf"^{_NAME}(?:[ -]{_NAME})?,\s*{_NAME}(?:\s+{_NAME})?$",
        _has_listed_name,
        (4, 60),
    ),
)
TITLED = ValueRule(
    "a name with a title (Dr, Mr, Mrs)",
    0.85,
    matches(
        rf"^(?i:dr|mr|mrs|ms|miss|prof|herr|frau|mme|mlle|sra|dott|dra)\.?\s+{_NAME}(?:\s+{_NAME}){{0,3}}$",
        lengths=(5, 60),
    ),
)
LISTED_NAME = ValueRule("a frequent first name or surname", 0.6, listed(person_names))

DETECTORS: tuple[Detector, ...] = (
    direct(
        Topic.NAME,
        "name of a person",
        Identifier.NAME,
        words="name",
        names=(
            "name", "first name", "last name", "given name", "family name",
            "middle name", "full name", "forename", "surname", "maiden",
            "maiden name", "initials", "patient name", "=patient", "nickname",
            "mother name", "father name", "next of kin", "nok", "spouse name",
            "guardian", "emergency contact", "contact name", "contact person",
            "=contact", "=first", "=last", "=middle", "physician name", "=physician",
            "doctor", "surgeon",
            "provider name", "=provider", "attending physician",
            "referring physician", "nurse name", "employer", "employer name",
            "member name", "subscriber name", "insured name",
        ),
        rules=(FULL_NAME, LAST_FIRST, TITLED, LISTED_NAME),
        kinds=WORDS,
        scan=(
            ("a name with a title", rf"\b(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+{_NAME}"),
            (
                "a name after “patient” or “son of”",
                rf"(?i:\b(?:patient|wife|husband|son|daughter|mother|father)(?: of)?)"
                rf"\s+{_NAME}\s+{_NAME}",
            ),
        ),
    ),
)  # fmt: skip
