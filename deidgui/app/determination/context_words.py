"""How the context of a release, and what follows from it, is said in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from deidgui.app.entered import signature_words
from deidgui.engine.determination import (
    ANSWER_WORDS,
    BY_KEY,
    Assessment,
    threshold_text,
)
from deidgui.text import Text, per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.evidence.document import Context
    from deidgui.engine.evidence.entered import AttackRelevance

_PUBLIC: Text = "Public"
_SEMI: Text = "Semi-public"
_NON: Text = "Non-public, under an agreement"
RELEASES: Mapping[str, Text] = {
    "public": _PUBLIC,
    "semi_public": _SEMI,
    "non_public": _NON,
}

_T1: Text = "Deliberate attempt"
_T2: Text = "Recognised by an acquaintance"
_T3: Text = "Data breach"
_T4: Text = "Public demonstration"
ATTACKS: Mapping[str, Text] = {"T1": _T1, "T2": _T2, "T3": _T3, "T4": _T4}

_LOW: Text = "low"
_MEDIUM: Text = "medium"
_HIGH: Text = "high"
LEVEL_WORDS: Mapping[str, Text] = {"low": _LOW, "medium": _MEDIUM, "high": _HIGH}

_RECIPIENT: Text = "Recipient by name"
_PURPOSE: Text = "Purpose"
_RELEASE: Text = "How the data are released"
_REFERENCE: Text = "Reference of the agreement"
_MATRIX: Text = "Table of probabilities"
_PREVALENCE: Text = "Prevalence"
_ACQUAINTANCES: Text = "Acquaintances of a person"
_BREACH: Text = "Breach rate with source and year"
_ATTACKS: Text = "An attack that is not excluded"
FIELDS: Mapping[str, Text] = {
    "recipient": _RECIPIENT,
    "purpose": _PURPOSE,
    "release": _RELEASE,
    "agreement": _REFERENCE,
    "matrix": _MATRIX,
    "prevalence": _PREVALENCE,
    "acquaintances": _ACQUAINTANCES,
    "breach_rate": _BREACH,
    "attacks": _ATTACKS,
}


def item_words(name: str) -> str:
    """Name something that is asked: a field, or a question by its text."""
    if name in FIELDS:
        return tr(FIELDS[name])
    return f"{name}. {tr(BY_KEY[name].text)}"


def answer_words(key: str, answer: str) -> str:
    """Say an answer as it is offered."""
    scale = BY_KEY[key].scale
    return tr(scale[int(answer)]) if scale else tr(ANSWER_WORDS[answer])


def result_words(found: Assessment) -> str:
    """Say what follows from a context in one sentence; empty while it is open."""
    threshold = None if found.threshold is None else float(found.threshold)
    return _result(found.attempt, threshold, found.limit, found.measure)


def _result(
    attempt: float | None, threshold: float | None, limit: float | None, measure: str
) -> str:
    if attempt is None or threshold is None or limit is None:
        return ""
    parts = {
        "attempt": per_cent(attempt),
        "threshold": threshold_text(threshold),
        "limit": threshold_text(limit),
    }
    if measure == "average":
        return tr(
            "Somebody tries with a probability judged as {attempt}; the overall risk "
            "may be {threshold}. So the average risk in the data may be {limit}, and "
            "that of no record above 33\u202f% (1 in 3).",
            **parts,
        )
    return tr(
        "Somebody tries with a probability judged as {attempt}; the overall risk may "
        "be {threshold}. So the risk of no record may be above {limit}.",
        **parts,
    )


def relevance_words(judged: AttackRelevance | None) -> str:
    """Say whether an attack counts, why, and who said so."""
    if judged is None:
        return tr("counts: nobody has excluded it")
    said = signature_words(judged.by, judged.on)
    if judged.is_excluded:
        words = tr("EXCLUDED: {reason}", reason=judged.because)
    elif judged.relevant:
        words = tr("counts")
        words = f"{words}: {judged.because}" if judged.because.strip() else words
    else:
        words = tr("counts, since it was excluded without a reason or a signature")
    return f"{words} ({said})"


def stated_words(stated: Context) -> str:
    """Say again what follows from a context that an evidence states."""
    return _result(stated.attempt, stated.threshold, stated.limit, stated.measure)


def answers_fit(stated: Context) -> bool:
    """Whether answers are to the questions that this program asks."""
    return all(
        key in BY_KEY
        and each.question == tr(BY_KEY[key].text)
        and each.answer in BY_KEY[key].answers
        for key, each in stated.answers.items()
    )
