"""From answers to levels: controls, motives and capacity, invasion of privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deidgui.engine.determination.questions import (
    CONTROLS,
    INVASION,
    LEVELS,
    MOTIVES,
    ContextQuestion,
    Level,
)

Answers = Mapping[str, str]
"""Answer by key of the question; what is not answered is not there."""

_HIGH_SCORE, _MEDIUM_SCORE = 80.0, 50.0
_VALUE = {"yes": 1.0, "partly": 0.5}
_BINDING = ("C1", "C2", "C3")
_MANY, _SOME = 10, 5
_ALL = 2


def missing(questions: Sequence[ContextQuestion], answers: Answers) -> tuple[str, ...]:
    """Return the keys of the questions that nobody has answered."""
    return tuple(each.key for each in questions if each.key not in answers)


def controls_score(answers: Answers) -> float | None:
    """Weighted share of the controls that are in place, in per cent.

    Parameters
    ----------
    answers : mapping of str to str
        To every question of `CONTROLS`. "partly" counts half, "no" and "unknown"
        nothing; "does_not_apply" leaves the sum.

    Returns
    -------
    float in [0, 100] or None
        None if no question applies.

    References
    ----------
    .. [1] determination.md 2.4; weights and cuts are proposals of this program.
    """
    asked = [e for e in CONTROLS if answers[e.key] != "does_not_apply"]
    total = sum(each.weight for each in asked)
    if not total:
        return None
    reached = sum(each.weight * _VALUE.get(answers[each.key], 0.0) for each in asked)
    return 100 * reached / total


def controls_level(answers: Answers) -> Level | None:
    """Level of the controls; None while a question is open.

    Notes
    -----
    High: score of 80 or more, and yes to every essential question that applies.
    Medium: 50 or more, and yes to the clauses C1, C2 and C3. An essential question
    that is said not to apply does not count as a yes to it.
    """
    if missing(CONTROLS, answers):
        return None
    score = controls_score(answers) or 0.0
    essential = [each.key for each in CONTROLS if each.is_essential]
    if score >= _HIGH_SCORE and all(answers[key] == "yes" for key in essential):
        return "high"
    if score >= _MEDIUM_SCORE and all(answers[key] == "yes" for key in _BINDING):
        return "medium"
    return "low"


def _by_yeses(keys: Sequence[str], answers: Answers) -> Level:
    """None, one, or two and more: what is unknown counts as yes."""
    n = sum(answers[key] != "no" for key in keys)
    return LEVELS[min(n, _ALL)]


def motives_level(answers: Answers) -> Level | None:
    """Level of motives alone (M1 to M3); None while one is open."""
    keys = ("M1", "M2", "M3")
    is_open = any(key not in answers for key in keys)
    return None if is_open else _by_yeses(keys, answers)


def capacity_level(answers: Answers) -> Level | None:
    """Level of capacity alone (K1 to K3); None while one is open."""
    keys = ("K1", "K2", "K3")
    is_open = any(key not in answers for key in keys)
    return None if is_open else _by_yeses(keys, answers)


def attempt_level(answers: Answers) -> Level | None:
    """Level of motives and capacity together; None while a question is open.

    Notes
    -----
    An earlier incident, or not knowing of one, is high at once. Otherwise the levels
    of motives and of capacity decide by the table below.

    References
    ----------
    .. [1] determination.md 2.4, second table.
    """
    if missing(MOTIVES, answers):
        return None
    if answers["M0"] != "no":
        return "high"
    motive, capacity = motives_level(answers), capacity_level(answers)
    assert motive is not None
    assert capacity is not None, "nothing is missing"
    return _COMBINED[motive, capacity]


_COMBINED: dict[tuple[Level, Level], Level] = {
    ("low", "low"): "low",
    ("low", "medium"): "low",
    ("low", "high"): "medium",
    ("medium", "low"): "medium",
    ("medium", "medium"): "medium",
    ("medium", "high"): "high",
    ("high", "low"): "medium",
    ("high", "medium"): "high",
    ("high", "high"): "high",
}


def invasion_score(answers: Answers) -> int:
    """Sum of the answers on invasion of privacy: 0 to 16."""
    return sum(int(answers[each.key]) for each in INVASION)


def invasion_level(answers: Answers) -> Level | None:
    """Level of invasion of privacy; None while a question is open.

    Notes
    -----
    High from a sum of 10, and where both sensitivity (P1) and harm (P4) are 2. Medium
    from 5, and where sensitivity or vulnerability (P5) is 2.
    """
    if missing(INVASION, answers):
        return None
    score = invasion_score(answers)
    if score >= _MANY or answers["P1"] == answers["P4"] == "2":
        return "high"
    is_sensitive = "2" in (answers["P1"], answers["P5"])
    return "medium" if score >= _SOME or is_sensitive else "low"
