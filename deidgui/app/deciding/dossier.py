"""Decisions of the command line on the dossier of a release."""

from __future__ import annotations

from typing import Any, get_args

import pydantic

from deidgui.app import ops
from deidgui.app.dossier.dossier import columns_of, completeness_of
from deidgui.app.dossier.intruder import INTRUDER_TEST, with_intruder_test
from deidgui.app.entered import check_named, today, too_long
from deidgui.app.project import Dossier, Edition, Project, Regime
from deidgui.engine.determination import MAY_NOT_APPLY, NEEDS, OF_COLUMNS, TYPED
from deidgui.engine.evidence.entered import Entry
from deidgui.errors import ConfigError
from deidgui.text import tr

NOT_APPLYING = "not_applying"
"""Name under which a person says why an item does not apply: ``not_applying:9``."""


def with_dossier(text: str, by: str) -> ops.Op:
    """Enter something for the dossier.

    Parameters
    ----------
    text : str
        ``NAME=TEXT``, ``NAME:COLUMN=TEXT``, ``not_applying:NUMBER=REASON``,
        ``regime=NAME`` or ``edition=NAME``; without a text it is taken back. "none"
        takes everything back. ``intruder_test=KEY=VALUE; KEY=VALUE`` records a test;
        see `deidgui.app.dossier.intruder.read_test`.
    by : str
        Who enters it.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    if text == "none":
        return lambda project: project.but(dossier=Dossier())
    key, _, said = text.partition("=")
    name, _, about = key.partition(":")
    if name in ("regime", "edition"):
        known = get_args(Regime if name == "regime" else Edition)
        if said and said not in known:
            raise ConfigError("not_one_of", what=name, value=said, known=known)
        return ops.change_dossier(**{name: said or None})
    if name == INTRUDER_TEST:
        return with_intruder_test(said, by)
    entry = _entry(name, said, by) if said else None
    if name == NOT_APPLYING:
        items = tuple(map(str, sorted(MAY_NOT_APPLY)))
        if about not in items:
            raise ConfigError("not_one_of", what=tr("item"), value=about, known=items)
        return ops.call_not_applying(int(about), entry)
    if name in OF_COLUMNS:
        return _of_column(name, about, entry)
    if name not in TYPED:
        settings = ("regime", "edition", INTRUDER_TEST)
        all_names = (*settings, f"{NOT_APPLYING}:NUMBER", *TYPED)
        known = (*all_names, *(f"{each}:COLUMN" for each in OF_COLUMNS))
        raise ConfigError("not_one_of", what=tr("dossier"), value=name, known=known)
    return ops.enter(name, entry)


def _entry(name: str, text: str, by: str) -> Entry:
    check_named(by)
    try:
        return Entry(text=text, by=by, on=today().isoformat())
    except pydantic.ValidationError:
        raise too_long(name, text) from None


def _of_column(name: str, column: str, entry: Entry | None) -> ops.Op:
    def op(project: Project) -> Project:
        known = columns_of(project, name)
        if column not in known:
            raise ConfigError("not_one_of", what=name, value=column, known=known)
        return ops.enter(name, entry, column)(project)

    return op


def dossier_result(project: Project) -> dict[str, Any] | None:
    """Return what of the dossier is complete, as JSON values; None if nothing is said.

    Returns
    -------
    dict or None
        ``complete`` of ``asked``; ``missing``: a list of ``item`` (number), ``title``,
        ``sections``, ``lacks`` with ``name`` and ``what`` is to be entered, and
        ``unsigned``: which of these names are entered and only lack a signature;
        ``not_known``: items (``item``, ``title``) that only the release will tell;
        ``lacking``: items without which nobody determines anything.
    """
    if project.dossier == Dossier() or project.kind != "table":
        return None
    # Whether records are suppressed is known when the release is made.
    found = completeness_of(project, suppresses=None)
    return {
        "complete": found.n_complete,
        "asked": found.n_asked,
        "missing": [
            {
                "item": each.item.number,
                "title": tr(each.item.title),
                "sections": each.item.sections,
                "lacks": [{"name": e, "what": tr(NEEDS[e])} for e in each.missing],
                "unsigned": each.unsigned,
            }
            for each in found.items
            if each.state == "missing"
        ],
        "not_known": [
            {"item": each.item.number, "title": tr(each.item.title)}
            for each in found.items
            if each.state == "not_known"
        ],
        "lacking": [each.item.number for each in found.lacking],
    }
