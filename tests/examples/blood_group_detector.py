"""How are blood groups recognised?"""

from __future__ import annotations

from deidgui.engine.detect.roles import Role, Topic
from deidgui.engine.detect.rules import WORDS, Detector, ValueRule, matches

DETECTORS: tuple[Detector, ...] = (
    Detector(
        Topic.LAB,
        "blood group",
        Role.SENSITIVE,
        "because_sensitive",
        names=("blood group", "blood type", "abo", "=rhesus"),
        rules=(
            ValueRule(
                "a blood group with its rhesus factor",
                0.9,
                matches(r"(?i)^(?:a|b|ab|0|o) ?[+-]$", lengths=(2, 4)),
                by_rows=True,
            ),
        ),
        kinds=WORDS,
    ),
)
