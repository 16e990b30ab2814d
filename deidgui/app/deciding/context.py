"""Decisions of the command line on the context of a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pydantic

from deidgui.app import ops
from deidgui.app.determination.context_words import ATTACKS, item_words, result_words
from deidgui.app.determination.determination import (
    allowed_risks,
    assessment_of,
    is_begun,
    lacking,
    progress_of,
    unsigned,
)
from deidgui.app.determination.principle_words import CIRCLES, DEGREES
from deidgui.app.determination.principles import (
    acceptable,
    asked_columns,
    asked_fields,
    open_columns,
    open_fields,
)
from deidgui.app.entered import check_named, too_long
from deidgui.app.project import ContextAnswer, ContextChoice, Project, signatures
from deidgui.engine.determination import BY_KEY, MATRICES
from deidgui.engine.evidence.entered import LONGEST_TEXT, Agreement, AttackRelevance
from deidgui.errors import ConfigError
from deidgui.text import tr

_OF_AGREEMENT = tuple(f"agreement.{name}" for name in Agreement.model_fields)
_OF_CONTEXT = tuple(
    name
    for name in ContextChoice.model_fields
    if name not in ("agreement", "answers", "attacks", "signed")
)
_TYPES: Mapping[str, type] = {
    "prevalence": float,
    "acquaintances": int,
    "breach_rate": float,
    "breach_year": int,
}
_VALID: Mapping[str, tuple[str, ...]] = {
    "release": ("public", "semi_public", "non_public"),
    "matrix": tuple(MATRICES),
    "prevalence": ("0..1",),
    "breach_rate": ("0..1",),
    "acquaintances": ("1..100000",),
    "breach_year": ("1990..2200",),
}


def with_context(text: str, by: str, on: str) -> ops.Op:
    """Say something about the context, as ``release=public``.

    An empty value takes back what was said.

    Parameters
    ----------
    by, on : str
        Who says so, and the date; what nobody signs leaves the dossier incomplete.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    if text == "none":
        return lambda project: project.but(context=ContextChoice())
    name, _, value = text.partition("=")
    if name in _OF_AGREEMENT:
        field = name.partition(".")[2]
        return lambda project: _changed(
            project, name, value, (by, on), agreement={field: value}
        )
    known = (*_OF_CONTEXT, *_OF_AGREEMENT, "none")
    if name not in _OF_CONTEXT:
        raise ConfigError("not_one_of", what=tr("context"), value=name, known=known)
    default = ContextChoice.model_fields[name].default
    given: Any = value or default
    if value and name in _TYPES:
        given = _number(name, value)
    return lambda project: _changed(project, name, value, (by, on), **{name: given})


def _number(name: str, value: str) -> float | int:
    try:
        return _TYPES[name](value)  # type: ignore[no-any-return]
    except ValueError:
        raise _refused(name, value) from None


def _refused(name: str, value: str) -> ConfigError:
    known = _VALID.get(name, (tr("a date as 2026-11-23, or a shorter text"),))
    return ConfigError("not_one_of", what=name, value=value, known=known)


def _changed(
    project: Project, name: str, value: str, signature: tuple[str, str], **changes: Any
) -> Project:
    context = project.context
    by, on = signature if value else ("", "")
    try:
        if name in _OF_AGREEMENT:
            changes = {"agreement": context.agreement.but(**changes["agreement"])}
        changes["signed"] = signatures(context.signed, [name], by, on)
        return project.but(context=context.but(**changes))
    except pydantic.ValidationError:
        raise _refused(name, value) from None


def with_context_answer(text: str, by: str, on: str) -> ops.Op:
    """Answer a question about the context, as ``C1=yes`` or ``C1=yes:PROOF``.

    Parameters
    ----------
    by, on : str
        Who answers, and the date.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    key, _, rest = text.partition("=")
    answer, _, proof = rest.partition(":")
    if key not in BY_KEY:
        known = tuple(BY_KEY)
        raise ConfigError("not_one_of", what=tr("question"), value=key, known=known)
    if not answer:
        return ops.answer_context(key, None)
    known = BY_KEY[key].answers
    if answer not in known:
        raise ConfigError("not_one_of", what=key, value=answer, known=known)
    return ops.answer_context(
        key, ContextAnswer(answer=answer, proof=proof, by=by, on=on)
    )


_RELEVANT = {"relevant": True, "excluded": False}


def with_attack(text: str, by: str, on: str) -> ops.Op:
    """Say whether an attack is relevant, as ``T3=excluded:REASON`` or ``T3=relevant``.

    Parameters
    ----------
    by, on : str
        Who says so, and the date.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    name, _, rest = text.partition("=")
    said, _, because = rest.partition(":")
    if name not in ATTACKS:
        known = tuple(ATTACKS)
        raise ConfigError("not_one_of", what=tr("attack"), value=name, known=known)
    if not said:
        return ops.judge_attack(name, None)
    if said not in _RELEVANT:
        raise ConfigError("not_one_of", what=name, value=said, known=tuple(_RELEVANT))
    try:
        judged = AttackRelevance(
            relevant=_RELEVANT[said], because=because, by=by, on=on
        )
    except pydantic.ValidationError:
        raise too_long(name, because) from None
    return ops.judge_attack(name, judged)


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "replicability": tuple(DEGREES),
    "availability": tuple(DEGREES),
    "knowable_by": tuple(CIRCLES),
    "sources": (),
    "because": (),
}


def with_principle(name: str, text: str, by: str, on: str) -> ops.Op:
    """Say what outsiders may know of a column, as ``availability:high``.

    Parameters
    ----------
    name : str
        Of the column.
    text : str
        ``FIELD:VALUE``, without a value to take it back; or ``proposed`` to accept
        the proposal.
    by, on : str
        Who says so, and the date.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid; ``principle_not_asked``, when it is
        applied, where a column of this role is not asked it.
    """
    check_named(by)
    if text == "proposed":
        return ops.accept_principles([name], by, on)
    field, _, value = text.partition(":")
    if field not in _CHOICES:
        known = (*_CHOICES, "proposed")
        raise ConfigError("not_one_of", what=name, value=field, known=known)
    known = _CHOICES[field]
    if value and known and value not in known:
        raise ConfigError("not_one_of", what=field, value=value, known=known)
    if len(value) > LONGEST_TEXT:
        raise too_long(field, value)
    said = value or (None if known else "")
    say = ops.say_principles([name], by, on, **{field: said})

    def op(project: Project) -> Project:
        if value and field not in asked_fields(project.attribute(name)):
            raise ConfigError("principle_not_asked", attribute=name, field=field)
        return say(project)

    return op


def principle_result(project: Project) -> dict[str, Any]:
    """Return how much is said of what outsiders may know of columns.

    Returns
    -------
    dict
        ``asked``: number of columns; ``open``: by column what nobody has said;
        ``proposed``: columns whose proposal can be accepted.
    """
    return {
        "asked": len(asked_columns(project)),
        "open": {e.name: [*open_fields(e)] for e in open_columns(project)},
        "proposed": [*acceptable(project)],
    }


def context_result(project: Project) -> dict[str, Any] | None:
    """Return what follows from the context, as JSON values; None if nothing is said.

    Returns
    -------
    dict or None
        ``counts_as``, ``said`` of ``asked``, ``open`` (``name`` and ``what``),
        ``unsigned`` (names of what nobody has signed), levels,
        ``attempts``, ``excluded``, ``attempt``, ``threshold``, ``limit``, ``allowed``
        (conditions, each with ``is_asked``: whether a privacy model asks for it) and
        ``words``.
    """
    if not is_begun(project.context):
        return None
    found, progress = assessment_of(project), progress_of(project)
    left = lacking(project)
    return {
        "counts_as": found.release,
        "said": progress.n_said,
        "asked": progress.n_asked,
        "open": [{"name": e, "what": item_words(e)} for e in progress.open],
        "unsigned": [*unsigned(project.context)],
        "controls": found.controls,
        "motives": found.motives,
        "invasion": found.invasion,
        "attempts": found.attempts,
        "excluded": sorted(found.excluded),
        "attempt": found.attempt,
        "threshold": None if found.threshold is None else float(found.threshold),
        "limit": found.limit,
        "allowed": [
            {**each.to_json(), "words": each.words(), "is_asked": each not in left}
            for each in allowed_risks(project)
        ],
        "words": result_words(found),
    }
