"""What a person asks for on one command line, and what is wrong with it at a glance.

PERF: whoever is refused for a word that was mistyped waits for no engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deidgui.app.determination.recipients import BY_KIND
from deidgui.app.open_decisions import ROLES
from deidgui.app.project import Project
from deidgui.errors import ConfigError

TREATMENTS = ("remove", "pseudonym", "mask")


@dataclass(frozen=True)
class AskedDecisions:
    """What a person asks for on one command line, as it was typed.

    Parameters
    ----------
    dialect : tuple of str
        ``NAME=VALUE``; see `dialect_parts`.
    country : str or None
        Two letters, or ``found``.
    first_record : str or None
        ``names`` or ``data``.
    roles, leave_out, keep : tuple of str
        ``COLUMN=ROLE`` or ``COLUMN=direct_identifier:TREATMENT``; columns.
    models, drop_models : tuple of str
        ``KIND:PARAM=VALUE,...``; ``KIND`` or ``KIND:COLUMN``.
    hierarchies : tuple of str
        ``COLUMN=proposed``, ``COLUMN=FILE.csv`` or ``COLUMN=KIND:PARAM=VALUE,...``.
    formats : tuple of str
        ``COLUMN=FORMAT`` of dates or numbers.
    missing, not_missing : tuple of str
        ``COLUMN=TEXT`` of texts that mean no value, or that are values after all.
    orphans : str or None
        ``left_out`` or ``open``: events that belong to nobody.
    weights : tuple of str
        ``COLUMN=low``, ``medium``, ``high`` or a number from 0 to 1.
    levels : tuple of str
        ``COLUMN=LOW..HIGH``.
    prepare, unprepare : tuple of str, tuple of int
        ``KIND:PARAM=VALUE,...``; numbers of steps from 1.
    matches, elements : tuple of str
        ``COLUMN=HOW``; see `with_match` and `with_element`.
    unknown_columns : str or None
        See `with_unknown_columns`.
    quotas, preferences : tuple of str
        ``COLUMN=SHARE``; ``COLUMN=VALUES``; see `with_quota` and `with_preference`.
    baseline, events, settings : str or None, tuple of str
        See `with_baseline`, `with_events` and `with_setting`.
    context, context_answers, attacks : tuple of str
        ``NAME=VALUE``; ``KEY=ANSWER:PROOF``; ``T3=excluded:REASON``. See
        `with_context`.
    principles : tuple of str
        ``COLUMN=FIELD:VALUE``, or ``COLUMN=proposed``; see `with_principle`.
    accepts_principles : bool
        Whether all proposals of what outsiders may know of columns are accepted.
    dossier : tuple of str
        See `with_dossier`.
    answered_by : str
        Who gives these answers, reasons and notes.
    signs_open : bool
        Whether whoever that is stands for all that nobody has signed; see `sign_open`.
    compare : tuple of str
        See `with_comparison`.
    takes_allowed : bool
        Whether what the context allows becomes privacy models.
    validity, triggers : tuple of str
        ``NAME=VALUE``; ``KIND:WORDS``. See `with_validity` and `with_trigger`.
    valid : str or None
        Until when the determination holds, decided anew; see `with_period`.
    earlier : str or None
        Folder of the release that the next one is compared with, or none.
    accept, overrule : tuple of str
        ``COLUMN:KIND``; ``KIND`` or ``KIND:COLUMN``. Both go with `because`.
    """

    dialect: tuple[str, ...] = ()
    country: str | None = None
    first_record: str | None = None
    recipient: str | None = None
    set_by: str | None = None
    justification: str | None = None
    name: str | None = None
    notes: str | None = None
    roles: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    not_missing: tuple[str, ...] = ()
    confirms: bool = False
    key: str | None = None
    rows_are_people: bool = False
    orphans: str | None = None
    models: tuple[str, ...] = ()
    drop_models: tuple[str, ...] = ()
    limit: float | None = None
    measure: str | None = None
    weights: tuple[str, ...] = ()
    keep_something: bool | None = None
    prepare: tuple[str, ...] = ()
    unprepare: tuple[int, ...] = ()
    hierarchies: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    population: str | None = None
    matches: tuple[str, ...] = ()
    unknown_columns: str | None = None
    baseline: str | None = None
    elements: tuple[str, ...] = ()
    quotas: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    events: str | None = None
    settings: tuple[str, ...] = ()
    choose: str | None = None
    suppressed: str | None = None
    sample: str | None = None
    sample_seed: int | None = None
    accept_small_sample: bool = False
    attributes_known: str | None = None
    order: str | None = None
    context: tuple[str, ...] = ()
    context_answers: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    principles: tuple[str, ...] = ()
    accepts_principles: bool = False
    dossier: tuple[str, ...] = ()
    answered_by: str = ""
    signs_open: bool = False
    compare: tuple[str, ...] = ()
    takes_allowed: bool = False
    validity: tuple[str, ...] = ()
    valid: str | None = None
    earlier: str | None = None
    triggers: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
    overrule: tuple[str, ...] = ()
    because: str = ""


def check_asked(project: Project, given: AskedDecisions) -> None:
    """Refuse columns that are not there, and words that are no role or recipient.

    Raises
    ------
    ConfigError
        Codes ``not_one_of``, ``column_not_there`` and ``value_missing``.
    """
    if given.dialect or given.first_record is not None or given.country is not None:
        # Read otherwise, the file may have other columns.
        return
    if given.recipient is not None:
        one_of("recipient", given.recipient, tuple(BY_KIND))
    columns = tuple(each.name for each in project.attributes)
    for each in given.roles:
        role_of(split_column(each, columns)[1])
    for name in (*given.leave_out, *given.keep):
        known_column(name, columns)


def role_of(text: str) -> tuple[str, str | None]:
    """Split ``ROLE:TREATMENT``; refuse what is neither."""
    role, _, treatment = text.partition(":")
    one_of("role", role, ROLES)
    if treatment:
        one_of("treatment", treatment, TREATMENTS)
    return role, treatment or None


def one_of(what: str, value: str, known: Sequence[str]) -> str:
    """Refuse a word that is none of those that are valid."""
    if value not in known:
        raise ConfigError("not_one_of", what=what, value=value, known=tuple(known))
    return value


def split_column(text: str, columns: tuple[str, ...]) -> tuple[str, str]:
    """Split ``COLUMN=VALUE`` where the left side is a column.

    Raises
    ------
    ConfigError
        Code ``column_not_there`` with the columns that are.
    """
    places = [place for place, mark in enumerate(text) if mark == "="]
    for place in reversed(places):
        if text[:place] in columns:
            return text[:place], text[place + 1 :]
    name = text[: places[0]] if places else text
    if text in columns:
        raise ConfigError("value_missing", attribute=text)
    raise ConfigError("column_not_there", attribute=name, known=columns)


def known_column(name: str, columns: tuple[str, ...]) -> str:
    """Return a column's name if there is one."""
    if name not in columns:
        raise ConfigError("column_not_there", attribute=name, known=columns)
    return name
