"""The context of a release, and the risk in the data that it allows."""

from deidgui.engine.determination.attempts import (
    MATRICES,
    Matrix,
    acquaintance,
    allowed_risk,
    any_attempt,
    overall_risk,
)
from deidgui.engine.determination.context import (
    ATTACKS,
    Allowed,
    Assessment,
    Context,
    assess,
)
from deidgui.engine.determination.questions import (
    ANSWER_WORDS,
    BY_KEY,
    CONTROLS,
    INVASION,
    MOTIVES,
    QUESTIONS,
    Level,
    Question,
)
from deidgui.engine.determination.thresholds import (
    CAP,
    NAMED,
    OF_LEVEL,
    least_group,
    threshold_of,
    threshold_text,
)

__all__ = [
    "ANSWER_WORDS",
    "ATTACKS",
    "BY_KEY",
    "CAP",
    "CONTROLS",
    "INVASION",
    "MATRICES",
    "MOTIVES",
    "NAMED",
    "OF_LEVEL",
    "QUESTIONS",
    "Allowed",
    "Assessment",
    "Context",
    "Level",
    "Matrix",
    "Question",
    "acquaintance",
    "allowed_risk",
    "any_attempt",
    "assess",
    "least_group",
    "overall_risk",
    "threshold_of",
    "threshold_text",
]
