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
from deidgui.engine.determination.validity import (
    LONGEST,
    is_long,
    months_later,
    proposed_months,
)

__all__ = [
    "ANSWER_WORDS",
    "ATTACKS",
    "BY_KEY",
    "CAP",
    "CONTROLS",
    "INVASION",
    "LONGEST",
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
    "is_long",
    "least_group",
    "months_later",
    "overall_risk",
    "proposed_months",
    "threshold_of",
    "threshold_text",
]
