"""Works out again what follows from the stated answers about the context."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from deidgui.engine.evidence.checks import Check, compare, same
from deidgui.engine.evidence.document import Context, Evidence

_WEIGHTS = (3, 3, 3, 2, 2, 2, 3, 2, 2, 3, 2, 2, 2, 1, 2, 3, 2, 2, 1, 1)
"""Of the controls C1 to C20; those that weigh 3 are essential."""

_CONTROLS = tuple(f"C{n}" for n in range(1, 21))
_MOTIVES = ("M0", "M1", "M2", "M3", "K1", "K2", "K3")
_INVASION = tuple(f"P{n}" for n in range(1, 9))

_TABLES: Mapping[str, tuple[str, str, str]] = {
    "ipc-2016": ("0.4 0.5 0.6", "0.2 0.3 0.4", "0.05 0.1 0.2"),
    "rea-2026": ("0.6 0.8 1.0", "0.3 0.6 0.8", "0.1 0.3 0.6"),
}
"""Probabilities of an attempt: controls low, medium, high; motives along each row."""

_ORDER = ("low", "medium", "high")
_GROUPS = {"0.05": 20, "0.09": 11, "0.1": 10, "0.2": 5, "0.33": 3, "0.5": 2}
_LEVELS = {"low": "1/10", "medium": "3/40", "high": "1/20"}


def check_context(evidence: Evidence) -> Iterator[Check]:
    """Compare levels, probabilities and limits with what follows from the answers."""
    stated = evidence.context
    yield Check("context_limits", _limits_fit(evidence))
    if stated is None:
        return
    answers = answers_that_count(stated)
    yield compare("context_figure", stated.score, _score(answers), figure="score")
    levels = {
        "controls": (stated.controls, controls_of(answers)),
        "motives": (stated.motives, _motives(answers)),
        "invasion": (stated.invasion, _invasion(answers)),
    }
    for part, (said, found) in levels.items():
        yield Check("context_level", said == found, {"part": part})
    points = _points(answers)
    yield compare("context_figure", stated.points, points, figure="points")
    release = release_of(stated, answers)
    yield Check("context_level", stated.counts_as == release, {"part": "release"})
    measure = "average" if release == "non_public" else "highest"
    yield Check("context_level", stated.measure == measure, {"part": "measure"})
    attempts = attempts_of(stated, release, answers, controls_of(answers))
    fits = attempts.keys() == stated.attempts.keys()
    fits = fits and all(
        same(stated.attempts[name], each) for name, each in attempts.items()
    )
    yield Check("context_level", fits, {"part": "attempts"})
    out = excluded_of(stated)
    attempt = largest_of({name: e for name, e in attempts.items() if name not in out})
    yield compare("context_figure", stated.attempt, attempt, figure="attempt")
    threshold = threshold_of(stated, answers)
    yield compare("context_figure", stated.threshold, threshold, figure="threshold")
    limit = None
    if attempt is not None and threshold is not None:
        limit = 1.0 if attempt <= threshold else threshold / attempt
    yield compare("context_figure", stated.limit, limit, figure="limit")
    yield Check("context_level", _overall_fits(evidence, attempts), {"part": "overall"})
    asked, left = _asked(stated, release, answers)
    yield Check("context_open", (stated.asked, stated.open) == (asked, left))


def _limits_fit(evidence: Evidence) -> bool:
    """Whether the release is judged by exactly the limits that the context allows."""
    found = [
        (each.kind, each.model_extra or {})
        for each in evidence.models
        if each.kind.startswith("context_")
    ]
    stated = evidence.context
    wanted: list[tuple[str, dict[str, object]]] = []
    is_of_events = evidence.unit.events is not None
    if stated is not None and stated.limit is not None and not is_of_events:
        wanted = [
            (f"context_{stated.measure}", {"limit": stated.limit, "is_cap": False})
        ]
        if stated.measure == "average":
            wanted.append(("context_highest", {"limit": 1 / 3, "is_cap": True}))
    return found == wanted


def answers_that_count(stated: Context) -> dict[str, str]:
    """Answers that count: what does not apply needs a reason."""
    return {
        key: each.answer
        for key, each in stated.answers.items()
        if each.answer != "does_not_apply" or each.proof.strip()
    }


def excluded_of(stated: Context) -> set[str]:
    """Attacks that a person excluded with a reason, name and day."""
    said = {
        name: (each.because.strip(), each.by.strip(), each.on.strip())
        for name, each in stated.attacks.items()
        if not each.relevant
    }
    return {name for name, parts in said.items() if all(parts)}


def _has(answers: Mapping[str, str], keys: tuple[str, ...]) -> bool:
    return all(key in answers for key in keys)


def _score(answers: Mapping[str, str]) -> float | None:
    if not _has(answers, _CONTROLS):
        return None
    halves = weights = 0
    for key, weight in zip(_CONTROLS, _WEIGHTS, strict=True):
        if answers[key] != "does_not_apply":
            weights += weight
            halves += weight * {"yes": 2, "partly": 1}.get(answers[key], 0)
    return 50 * halves / weights if weights else None


def controls_of(answers: Mapping[str, str]) -> str | None:
    """Level of the controls; None while a question is open."""
    if not _has(answers, _CONTROLS):
        return None
    score = _score(answers) or 0.0
    refused = [
        key
        for key, weight in zip(_CONTROLS, _WEIGHTS, strict=True)
        if weight == max(_WEIGHTS) and answers[key] != "yes"
    ]
    if score >= 80 and not refused:
        return "high"
    is_bound = not {"C1", "C2", "C3"} & set(refused)
    return "medium" if score >= 50 and is_bound else "low"


def _motives(answers: Mapping[str, str]) -> str | None:
    if not _has(answers, _MOTIVES):
        return None
    if answers["M0"] in ("yes", "unknown"):
        return "high"
    n_motives = sum(answers[key] in ("yes", "unknown") for key in ("M1", "M2", "M3"))
    n_means = sum(answers[key] in ("yes", "unknown") for key in ("K1", "K2", "K3"))
    # Low with low or medium, and the rest by the sum of both levels.
    steps = min(n_motives, 2) + min(n_means, 2)
    if steps >= 3:
        return "high"
    if steps == 2:
        return "medium"
    return "medium" if n_motives == 1 and not n_means else "low"


def _points(answers: Mapping[str, str]) -> int | None:
    if not _has(answers, _INVASION):
        return None
    return sum(int(answers[key]) for key in _INVASION)


def _invasion(answers: Mapping[str, str]) -> str | None:
    points = _points(answers)
    if points is None:
        return None
    grave = {key for key in ("P1", "P4", "P5") if answers[key] == "2"}
    if points > 9 or {"P1", "P4"} <= grave:
        return "high"
    return "medium" if points > 4 or grave - {"P4"} else "low"


def release_of(stated: Context, answers: Mapping[str, str]) -> str | None:
    """As what the release counts: without an agreement none is non-public."""
    if stated.release != "non_public":
        return stated.release
    is_bound = bool(stated.agreement.reference.strip())
    is_bound = is_bound and answers.get("C1", "yes") in ("yes", "partly")
    return "non_public" if is_bound else "semi_public"


def attempts_of(
    stated: Context,
    release: str | None,
    answers: Mapping[str, str],
    controls: str | None,
) -> dict[str, float | None]:
    """Probability by attack, at some level of the controls."""
    if release is None:
        return {}
    if release == "public":
        return {"T4": 1.0}
    motives = _motives(answers)
    if release == "semi_public":
        controls, motives = "low", "high"
    deliberate = None
    table = _TABLES.get(stated.matrix or "")
    if table is not None and controls is not None and motives is not None:
        row = table[_ORDER.index(controls)]
        deliberate = float(row.split()[_ORDER.index(motives)])
    chance = None
    p, m = stated.prevalence, stated.acquaintances
    if p is not None and m is not None:
        chance = 1 - (1 - p) ** m
    return {"T1": deliberate, "T2": chance, "T3": breach_rate(stated)}


def breach_rate(stated: Context) -> float | None:
    """Breach rate that counts: one with a source and a year."""
    is_sourced = bool(stated.breach_source.strip()) and stated.breach_year is not None
    return stated.breach_rate if is_sourced else None


def largest_of(attempts: Mapping[str, float | None]) -> float | None:
    """Largest probability; None while one is not known, or if there is none."""
    known = [each for each in attempts.values() if each is not None]
    return max(known) if known and len(known) == len(attempts) else None


def threshold_of(stated: Context, answers: Mapping[str, str]) -> float | None:
    """Largest overall risk; None while it is open."""
    own = stated.own_threshold
    if own is not None and stated.own_threshold_because.strip():
        try:
            value = Fraction(own)
        except (ValueError, ZeroDivisionError):
            return math.nan
        names = {Fraction(name): size for name, size in _GROUPS.items()}
        is_named = "/" not in own and value in names
        return 1 / names[value] if is_named else float(value)
    level = _invasion(answers)
    return None if level is None else float(Fraction(_LEVELS[level]))


def _overall_fits(evidence: Evidence, attempts: Mapping[str, float | None]) -> bool:
    stated, risk = evidence.context, evidence.risk
    assert stated is not None
    data_risk = 1 / (risk.smallest_class or 1)
    if stated.measure == "average":
        data_risk = risk.classes / max(risk.records, 1)
    wanted = {name: each for name, each in attempts.items() if each is not None}
    if not risk.records or evidence.unit.events is not None:
        return not stated.overall
    return wanted.keys() == stated.overall.keys() and all(
        same(stated.overall[name], each * data_risk) for name, each in wanted.items()
    )


def _asked(
    stated: Context, release: str | None, answers: Mapping[str, str]
) -> tuple[int, tuple[str, ...]]:
    """What is asked of a release, and what of it nobody has said."""
    said: dict[str, bool] = {}
    if stated.release != "public":
        said["recipient"] = bool(stated.recipient.strip())
    said["purpose"] = bool(stated.purpose.strip())
    said["release"] = release is not None
    if stated.release == "non_public":
        said["agreement"] = bool(stated.agreement.reference.strip())
        said |= {key: key in answers for key in (*_CONTROLS, *_MOTIVES)}
    out = excluded_of(stated)
    if release in ("semi_public", "non_public"):
        if "T1" not in out:
            said["matrix"] = stated.matrix is not None
        if "T2" not in out:
            said["prevalence"] = stated.prevalence is not None
            said["acquaintances"] = stated.acquaintances is not None
        if "T3" not in out:
            said["breach_rate"] = breach_rate(stated) is not None
        if {"T1", "T2", "T3"} <= out:
            said["attacks"] = False
    elif release == "public" and "T4" in out:
        said["attacks"] = False
    if stated.own_threshold is None or not stated.own_threshold_because.strip():
        said |= {key: key in answers for key in _INVASION}
    return len(said), tuple(name for name, is_said in said.items() if not is_said)
