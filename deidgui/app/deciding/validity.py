"""Decisions of the command line on how long a determination holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from deidgui.app import ops
from deidgui.app.determination.validity import (
    change_validity,
    decide_anew,
    enter_trigger,
    proposal,
    unsigned_items,
    validity_facts,
)
from deidgui.app.determination.validity_words import ITEMS
from deidgui.app.entered import today
from deidgui.app.project import Project, ValidityChoice
from deidgui.errors import ConfigError
from deidgui.text import tr

_TYPED = tuple(name for name in ITEMS if name != "periods")


def with_validity(text: str, by: str, on: str) -> ops.Op:
    """Say something about the validity, as ``in_charge=N. N.``; empty takes it back.

    Parameters
    ----------
    by, on : str
        Who says so, and the date.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    name, _, value = text.partition("=")
    if name not in _TYPED:
        what = tr("validity")
        raise ConfigError("not_one_of", what=what, value=name, known=_TYPED)
    if not value:
        return change_validity(**{name: ValidityChoice.model_fields[name].default})
    given: Any = value
    if name == "review_months" and value.isascii() and value.isdigit():
        given = int(value[:9])
    return change_validity(by=by, on=on, **{name: given})


def with_period(text: str, by: str, today: date) -> ops.Op:
    """Decide anew until when the determination holds.

    Parameters
    ----------
    text : str
        ``FROM..UNTIL``, ``FROM..UNTIL:WHY``, or ``proposed``.
    by : str
        Who decides.

    Raises
    ------
    ConfigError
        As `decide_anew`.
    """
    if text == "proposed":

        def op(project: Project) -> Project:
            found = proposal(project, today)
            parts = (found.begins, found.ends, found.because)
            return decide_anew(*parts, by, today.isoformat())(project)

        return op
    days, _, because = text.partition(":")
    begins, _, ends = days.partition("..")
    return decide_anew(begins, ends, because.strip(), by, today.isoformat())


def with_trigger(text: str, by: str, today: date) -> ops.Op:
    """Enter a trigger that is met, as ``incident:WORDS``; see `enter_trigger`."""
    kind, _, words = text.partition(":")
    return enter_trigger(kind, words.strip(), by, today.isoformat())


def validity_ops(
    texts: Iterable[str], triggers: Iterable[str], period: str | None, by: str
) -> Iterator[ops.Op]:
    """Give what a command decides of the validity, in its order."""
    day = today()
    for each in texts:
        yield with_validity(each, by, day.isoformat())
    for each in triggers:
        yield with_trigger(each, by, day)
    if period is not None:
        yield with_period(period, by, day)


def validity_result(project: Project) -> dict[str, Any] | None:
    """Return until when the determination holds; None if nothing is said.

    Returns
    -------
    dict or None
        ``ends``, ``ends_with``, ``open`` (``name`` and ``what``), ``unsigned`` names of
        what nobody has signed, ``triggers`` that are met (``kind``, ``because``,
        ``by``, ``on``), ``superseded``, the number of earlier periods, and ``words``.
    """
    stated = validity_facts(project)
    if stated is None:
        return None
    triggers = project.validity.triggers
    return {
        "ends": stated.ends,
        "ends_with": stated.ends_with,
        "open": [{"name": e, "what": tr(ITEMS[e])} for e in stated.open],
        "unsigned": [*unsigned_items(project.validity)],
        "triggers": [each.model_dump() for each in triggers],
        "superseded": max(0, len(stated.periods) - 1),
        "words": stated.words,
    }
