"""How long a determination holds, and what keeps a release from being written after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import pydantic

from deidgui.app.determination.determination import assessment_of
from deidgui.app.determination.validity_words import ITEMS, TRIGGERS, validity_words
from deidgui.app.entered import check_named, today, too_long
from deidgui.app.project import (
    MOST_TRIGGERS,
    ContextChoice,
    Project,
    ValidityChoice,
    ValidPeriod,
    signatures,
)
from deidgui.engine.determination import (
    LONGEST,
    is_long,
    kept_until,
    months_later,
    proposed_months,
)
from deidgui.engine.evidence.entered import LONGEST_TEXT, Entered, TriggerMet
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.evidence import document
else:
    # PERF: who asks what is open waits for no model of the evidence.
    document = LazyModule("deidgui.engine.evidence.document")

Op = Callable[[Project], Project]

LATEST = "9900-01-01"
"""Days from here on are a slip of the pen."""


def is_begun(choice: ValidityChoice) -> bool:
    """Whether anything is said about how long the determination holds."""
    return choice != ValidityChoice()


def open_items(choice: ValidityChoice) -> tuple[str, ...]:
    """Return the fields that nobody has filled in, in the order of `ITEMS`."""
    given: Mapping[str, Any] = dict(choice)
    return tuple(
        name
        for name in ITEMS
        if not (given[name].strip() if isinstance(given[name], str) else given[name])
    )


@dataclass(frozen=True)
class End:
    """The last day of a determination.

    Parameters
    ----------
    day : str
        As 2026-11-23.
    of : str
        What ends: period or agreement.
    """

    day: str
    of: str


def end_of(project: Project) -> End | None:
    """Return what ends first: the period, or the agreement; None if neither does."""
    period, context = project.validity.period, project.context
    ends = []
    if period is not None:
        ends.append(End(period.ends, "period"))
    if _bound_until(context):
        ends.append(End(_bound_until(context), "agreement"))
    # Dates of this form are in order as texts.
    return min(ends, key=lambda each: each.day, default=None)


def _bound_until(context: ContextChoice) -> str:
    """Day on which an agreement ends that the release needs; empty if there is none."""
    return "" if context.release == "public" else context.agreement.ends


def validity_problem(project: Project, day: date | None = None) -> ConfigError | None:
    """Say why nothing may be released now: the end has passed, or a trigger is met.

    Parameters
    ----------
    day : date, optional
        The present one in UTC, without it.

    Returns
    -------
    ConfigError or None
        Codes ``validity_trigger``, ``validity_ended``, ``validity_agreement_ended``,
        ``validity_not_begun`` or ``validity_agreement_not_begun``. None also while
        nobody has said how long the determination holds: there is then none.
    """
    # The evidence states its time in UTC, and `verify` compares that with the end.
    choice, now = project.validity, (day or today()).isoformat()
    if choice.triggers:
        first = choice.triggers[0]
        title = tr(TRIGGERS[first.kind])
        return ConfigError("validity_trigger", trigger=title, day=first.on)
    end = end_of(project)
    if end is not None and end.day < now:
        code = "validity_ended" if end.of == "period" else "validity_agreement_ended"
        return ConfigError(code, day=end.day)
    return _not_begun(project, now)


def _not_begun(project: Project, now: str) -> ConfigError | None:
    """Say that the determination, or the agreement, begins later than now."""
    period, context = project.validity.period, project.context
    if period is not None and now < period.begins:
        return ConfigError("validity_not_begun", day=period.begins)
    begins = context.agreement.begins
    if now < begins and context.release != "public":
        return ConfigError("validity_agreement_not_begun", day=begins)
    return None


@dataclass(frozen=True)
class ProposedPeriod:
    """A period that may be decided, and why it is as long as it is."""

    begins: str
    ends: str
    because: str


def proposal(project: Project, day: date | None = None) -> ProposedPeriod:
    """Propose a period from a day, or the present one; nothing is decided by it."""
    found = assessment_of(project)
    begins = day or today()
    months = proposed_months(project.context.release, found.invasion)
    words = tr("{months} months, as is usual.", months=months)
    if project.context.release == "public":
        words = tr("{months} months, since anybody may have the data.", months=months)
    elif found.invasion == "high":
        words = tr("{months} months, since privacy is much at stake.", months=months)
    ends = months_later(begins, months)
    return ProposedPeriod(begins.isoformat(), ends.isoformat(), words)


# -- decisions -------------------------------------------------------------------------


def decide_anew(begins: str, ends: str, because: str, by: str, on: str) -> Op:
    """Decide how long the determination holds; earlier periods stay, superseded.

    Triggers that were met are taken down with the period: it was decided in view of
    them.

    Raises
    ------
    ConfigError
        Codes ``validity_unnamed``, ``validity_day``, ``validity_order``, or
        ``validity_long`` if a period of more than 36 months has no reason.
    """
    check_named(by)
    if len(because) > LONGEST_TEXT:
        raise too_long(tr("reason"), because)
    first, last = map(_day, (begins, ends))
    if last < first:
        raise ConfigError("validity_order", begins=begins, ends=ends)
    if is_long(first, last) and not because.strip():
        raise ConfigError("validity_long", months=LONGEST)

    def op(project: Project) -> Project:
        choice = project.validity
        period = ValidPeriod(
            begins=begins,
            ends=ends,
            because=because,
            by=by,
            on=on,
            after=choice.triggers,
        )
        periods = (*choice.periods, period)
        return project.but(validity=choice.but(periods=periods, triggers=()))

    return op


def enter_trigger(kind: str, because: str, by: str, on: str) -> Op:
    """Say that something has happened after which the determination does not hold.

    Raises
    ------
    ConfigError
        Codes ``not_one_of``, ``validity_unnamed``, or ``validity_no_words``; by the
        operation ``validity_triggers``.
    """
    if kind not in TRIGGERS:
        known = tuple(TRIGGERS)
        raise ConfigError("not_one_of", what=tr("trigger"), value=kind, known=known)
    check_named(by)
    if not because.strip():
        raise ConfigError("validity_no_words")
    try:
        met = TriggerMet.model_validate(
            {"kind": kind, "because": because, "by": by, "on": on}
        )
    except pydantic.ValidationError:
        raise too_long(tr("reason"), because) from None

    def op(project: Project) -> Project:
        choice = project.validity
        if len(choice.triggers) >= MOST_TRIGGERS:
            raise ConfigError("validity_triggers", most=MOST_TRIGGERS)
        return project.but(validity=choice.but(triggers=(*choice.triggers, met)))

    return op


def enter_measured(triggers: Sequence[TriggerMet]) -> Op:
    """Enter triggers that were measured; nothing is released until somebody decides.

    Raises
    ------
    ConfigError
        By the operation, code ``validity_triggers`` if there are too many.
    """

    def op(project: Project) -> Project:
        choice = project.validity
        known = {(each.kind, each.digest) for each in choice.triggers}
        new = [each for each in triggers if (each.kind, each.digest) not in known]
        if len(choice.triggers) + len(new) > MOST_TRIGGERS:
            raise ConfigError("validity_triggers", most=MOST_TRIGGERS)
        return project.but(validity=choice.but(triggers=(*choice.triggers, *new)))

    return op


def unsigned_items(choice: ValidityChoice) -> tuple[str, ...]:
    """Return the texts that are filled in and that nobody has signed."""
    return tuple(
        name
        for name in ITEMS
        if name not in ("periods", *open_items(choice))
        and not choice.signed.get(name, Entered()).is_signed
    )


def sign_validity(by: str, on: str) -> Op:
    """Stand for every text about the validity that nobody has signed.

    Raises
    ------
    ConfigError
        Code ``validity_unnamed``, when it is applied.
    """

    def op(project: Project) -> Project:
        check_named(by)
        choice = project.validity
        signed = signatures(choice.signed, unsigned_items(choice), by, on)
        return project.but(validity=choice.but(signed=signed))

    return op


def change_validity(*, by: str = "", on: str = "", **changes: Any) -> Op:
    """Change conditions, in_charge, review_months or contact.

    Parameters
    ----------
    by, on : str
        Who says so, and the date; what nobody signs is not complete.

    Raises
    ------
    ConfigError
        Code ``not_one_of``.
    """

    def op(project: Project) -> Project:
        choice = project.validity
        said = [name for name, value in changes.items() if value]
        kept = {n: e for n, e in choice.signed.items() if n not in changes}
        try:
            signed = signatures(kept, said, by, on)
            return project.but(validity=choice.but(signed=signed, **changes))
        except pydantic.ValidationError:
            name, value = next(iter(changes.items()))
            known = ("1..36",) if name == "review_months" else (tr("a shorter text"),)
            raise ConfigError(
                "not_one_of", what=name, value=str(value), known=known
            ) from None

    return op


def _day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise ConfigError("validity_day", value=text) from None
    if found.isoformat() != text or text >= LATEST:
        raise ConfigError("validity_day", value=text)
    return found


# -- evidence --------------------------------------------------------------------------


def validity_facts(project: Project) -> document.Validity | None:
    """Return what the evidence states of the validity; None if nothing was said."""
    choice = project.validity
    if not is_begun(choice):
        return None
    # An agreement alone is no decision on how long the determination holds.
    end = end_of(project) if choice.periods else None
    day, of = (end.day, end.of) if end is not None else (None, None)
    return document.Validity.model_validate(
        {
            **choice.model_dump(exclude={"triggers", "earlier"}),
            "ends": day,
            "ends_with": of,
            "open": open_items(choice),
            "words": validity_words(day, of),
            "kept_until": None if day is None else kept_until(day),
        }
    )
