"""Decisions about tables of counts that a command sets, and what is still open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from deidgui.app import ops as general
from deidgui.app.counts import ops
from deidgui.app.counts.desk import CountsDesk, with_said
from deidgui.app.counts.fuzzing import question_beside
from deidgui.app.counts.questions import (
    label_open,
    open_questions,
    questions_of_tables,
)
from deidgui.app.counts.repairing import small_shown
from deidgui.app.counts.tables import bounds_of, relations_of, zeros_undecided
from deidgui.app.deciding.rules import declared
from deidgui.app.deciding.validity import validity_ops, validity_result
from deidgui.app.dossier.signing import sign_open, unsigned_parts
from deidgui.app.entered import today
from deidgui.app.open_decisions import (
    command_for,
    decide_command,
    mask_command,
    run_command,
)
from deidgui.app.project import CellKind, Project
from deidgui.app.release.questions import answers_for
from deidgui.app.stated_counts import structure_words
from deidgui.app.text import message_for
from deidgui.engine.counts.noise.rules import NOISE_RULES
from deidgui.engine.counts.tables.reading import cell_problems, needs_threshold
from deidgui.engine.counts.tables.structure import Form, Relation
from deidgui.engine.counts.tables.table import At
from deidgui.errors import ConfigError
from deidgui.text import tr


@dataclass(frozen=True)
class CountsDecisions:
    """What a person asks for on one command line, as it was typed.

    Parameters
    ----------
    settings : tuple of str
        ``counts.NAME=VALUE``.
    validity, triggers : tuple of str
        How long the release may be made: see `with_validity` and `with_trigger`.
    valid : str or None
        See `with_period`.
    accept : tuple of str
        Questions about columns, as they are named, that `because` answers.
    earlier : str or None
        Folder of an earlier release of the same tables: `because` says why they are
        released beside it.
    """

    name: str | None = None
    notes: str | None = None
    settings: tuple[str, ...] = ()
    validity: tuple[str, ...] = ()
    valid: str | None = None
    triggers: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
    earlier: str | None = None
    because: str = ""
    answered_by: str = ""
    signs_open: bool = False


def decide_counts(
    file: Path, project: Project, decisions: CountsDecisions
) -> dict[str, Any]:
    """Set decisions in a project of tables of counts and say what is still open.

    Returns
    -------
    dict
        As of `deidgui.app.deciding.deciding.decide`.

    Raises
    ------
    ConfigError, InputError, ResourceError
        Each names what is valid instead. Nothing is written then.
    """
    signature = (decisions.answered_by, today().isoformat())
    desk = CountsDesk(file, project, signature)
    if decisions.name is not None:
        desk.apply(general.set_name(decisions.name))
    if decisions.notes is not None:
        desk.apply(general.set_notes(decisions.notes, *signature))
    for each in decisions.settings:
        name, _, value = each.partition("=")
        if name not in COUNTS_SETTINGS:
            known = tuple(COUNTS_SETTINGS)
            raise ConfigError("not_one_of", what="--set", value=name, known=known)
        COUNTS_SETTINGS[name](desk, value)
    said = (decisions.validity, decisions.triggers, decisions.valid)
    for op in validity_ops(*said, decisions.answered_by):
        desk.apply(op)
    _answer(desk, decisions)
    if decisions.signs_open:
        desk.apply(sign_open(*signature))
    desk.save()
    found = list(_open(desk))
    return {
        "project": str(file),
        "open": found,
        "certain": "",
        "next": "" if found else run_command(file),
        "preparation": [],
        "hints": [],
        "proposals": [],
        "notes": list(_notes(desk)),
        "context": None,
        "principles": None,
        "validity": validity_result(desk.project),
        "dossier": None,
        "unsigned": unsigned_parts(desk.project),
    }


def _answer(desk: CountsDesk, decisions: CountsDecisions) -> None:
    """Answer questions about columns, and one about an earlier release."""
    earlier, names = decisions.earlier, decisions.accept
    if not names and earlier is None:
        return
    if not decisions.because.strip():
        raise ConfigError("reason_missing")
    reason = (decisions.because, *desk.signature)
    if names:
        desk.apply(answers_for(questions_of_tables(desk.tables), names, *reason))
    if earlier is not None:
        asked = question_beside(desk.counts, desk.tables, Path(earlier))
        desk.apply(answers_for([asked], [asked.name], *reason))


def _open(desk: CountsDesk) -> Iterator[dict[str, str]]:
    """Give what a person still has to decide, and the command that decides it."""
    counts, tables = desk.counts, desk.tables

    def point(what: str, *options: str) -> dict[str, str]:
        fix = decide_command(desk.file, options)
        return {"what": what, "where": "counts", "fix": fix}

    n = len(cell_problems(tables))
    if n:
        yield point(
            tr("{n:cell|cells} cannot be read.", n=n),
            *("--set", "counts.cells=TABLE:LINE:COLUMN=KIND"),
        )
    if counts.threshold is None and any(map(needs_threshold, tables)):
        yield point(
            tr("Nobody has said below which threshold counts are masked."),
            *("--set", "counts.threshold=N"),
        )
    if counts.released_as is None:
        yield point(
            tr("Nobody has decided whether counts are released masked or with noise."),
            *("--set", "counts.release=masked"),
        )
    if counts.release == "masked" and zeros_undecided(counts, tables):
        yield point(
            tr("Zeros are shown, and nobody has said whether they are masked too."),
            *("--set", "counts.mask_zero=yes"),
        )
    if counts.released_as == "noise" and counts.noise is None:
        rule = "rounded_gaussian:sigma=2.5,threshold=11,zeros=noise,repeats=keyed"
        yield point(
            tr("Nobody has decided which noise the counts get."),
            *("--set", f"counts.noise={rule}"),
        )
    for each in open_questions(desk.project, tables):
        problem = label_open(each)
        fix = command_for(problem, desk.file)
        yield {"what": message_for(problem).what, "where": each.column, "fix": fix}
    n = len(small_shown(tables, bounds_of(counts)))
    if counts.release == "masked" and n:
        fix = mask_command(desk.file)
        what = tr("{n:count|counts} below the threshold are shown.", n=n)
        yield {"what": what, "where": "counts", "fix": fix}


def _notes(desk: CountsDesk) -> Iterator[str]:
    """Say that a release of masked tables rests on what nobody has confirmed."""
    counts = desk.counts
    if (
        counts.release != "masked"
        or counts.relations_confirmed
        or cell_problems(desk.tables)
    ):
        return
    known = relations_of(counts, desk.tables).relations
    what, _fix = structure_words(len(known))
    fix = decide_command(desk.file, ("--set", "counts.relations=confirmed"))
    yield tr("{what} Confirm that these are all: {fix}", what=what, fix=fix)


# -- settings --------------------------------------------------------------------------

_ANSWERS = {"yes": True, "no": False}


def _flag(name: str, desk: CountsDesk, value: str) -> None:
    _said(desk, **{name: _ANSWERS[_one_of(f"counts.{name}", value, tuple(_ANSWERS))]})


def _number(name: str, desk: CountsDesk, value: str) -> None:
    if not (value.isascii() and value.isdigit() and 0 < int(value) <= _MOST):
        valid = (tr("a number {limits}", limits=f"1 – {_MOST:,}"),)
        raise ConfigError("not_one_of", what=f"counts.{name}", value=value, known=valid)
    _said(desk, **{name: int(value)})


_MOST = 1_000_000_000


def _said(desk: CountsDesk, **said: object) -> None:
    counts = with_said(desk.counts, said)
    desk.apply(lambda project: project.but(counts=counts))


def _release(desk: CountsDesk, value: str) -> None:
    ways = {"noise": "noise", "masked": "masked"}
    _said(desk, release=ways[_one_of("counts.release", value, tuple(ways))])


def _noise(desk: CountsDesk, value: str) -> None:
    rule = None if value == "none" else declared(NOISE_RULES, value)
    desk.apply(ops.set_noise(rule))


def _because(desk: CountsDesk, value: str) -> None:
    desk.apply(ops.set_inferable_because(value, *desk.signature))


def _mark(desk: CountsDesk, value: str) -> None:
    text, _, kind = value.rpartition("=")
    _one_of("counts.mark", kind if text.strip() else "", ("masked", "complement"))
    desk.said({}, {text.strip(): kind})


def _relations(desk: CountsDesk, value: str) -> None:
    """Decide on relations: as proposed, as they stand, or without some numbers."""
    if value == "proposed":
        desk.apply(ops.set_relations(None, desk.tables))
        return
    found = relations_of(desk.counts, desk.tables).relations
    gone: set[int] = set()
    if value != "confirmed":
        how, _, numbers = value.partition(":")
        is_list = re.fullmatch(r"\d+(\+\d+)*", numbers) is not None
        gone = {int(each) for each in numbers.split("+")} if is_list else set()
        if how != "without" or not gone or not gone <= set(range(1, len(found) + 1)):
            known = ("proposed", "confirmed", f"without:1+…+{len(found)}")
            raise ConfigError(
                "not_one_of", what="counts.relations", value=value, known=known
            )
    kept = [each for at, each in enumerate(found, start=1) if at not in gone]
    has_none = value == "confirmed"
    desk.apply(ops.set_relations(kept, desk.tables, has_none=has_none))


_FORMS = (Form.SUM, Form.ATTRITION, Form.SAME, Form.AT_MOST)


def _relation(desk: CountsDesk, value: str) -> None:
    """Add a relation: its form, the whole and the parts, as places."""
    form, *places = value.split(";")
    _one_of("counts.relation", form, tuple(map(str, _FORMS)))
    whole, *parts = (_place(desk, each) for each in places or [""])
    if not parts:
        raise ConfigError("not_one_of", what="counts.relation", value=value, known=_ADD)
    found = relations_of(desk.counts, desk.tables).relations
    added = Relation(Form(form), whole, tuple(parts))
    desk.apply(ops.set_relations((*found, added), desk.tables))


_ADD = ("sum;TABLE:LINE:COLUMN;TABLE:LINE:COLUMN;…",)


def _place(desk: CountsDesk, text: str) -> At:
    table, row, column = _cell(desk, text)
    number = next(at for at, e in enumerate(desk.tables) if e.name == table)
    if row is None or column is None:
        raise ConfigError("not_one_of", what="counts.relation", value=text, known=_ADD)
    return At(number, row, column)


def _cell(desk: CountsDesk, text: str) -> tuple[str, int | None, int | None]:
    """Read ``TABLE:LINE:COLUMN``, counted from 1; ``*`` is every one."""
    table, *numbers = text.rsplit(":", 2)
    shapes = {each.name: each.shape for each in desk.tables}
    found: list[int | None] = []
    for each, size in zip(numbers, shapes.get(table, ()), strict=False):
        if each == "*":
            found.append(None)
        elif each.isascii() and each.isdigit() and 0 < int(each) <= size:
            found.append(int(each) - 1)
    if len(found) != 2:
        known = tuple(f"{name}:1:1 – {name}:{r}:{c}" for name, (r, c) in shapes.items())
        raise ConfigError("not_one_of", what=tr("cell"), value=text, known=known)
    return table, found[0], found[1]


def _cells(desk: CountsDesk, value: str) -> None:
    """Say what cells are: ``TABLE:LINE:COLUMN=KIND``."""
    place, _, kind = value.rpartition("=")
    table, row, column = _cell(desk, place)
    (found,) = (each for each in desk.tables if each.name == table)
    rows, columns = found.shape
    chosen = [
        (r, c)
        for r in (range(rows) if row is None else (row,))
        for c in (range(columns) if column is None else (column,))
    ]
    kinds: dict[str, CellKind] = {each: each for each in get_args(CellKind)}
    said = kinds[_one_of("counts.cells", kind, tuple(kinds))]
    desk.apply(ops.say_cells(found, chosen, said))


def _shown(desk: CountsDesk, value: str) -> None:
    """Show again what repairs have hidden."""
    _one_of("counts.hidden", value, ("none",))
    desk.apply(ops.show_hidden())


def _one_of(what: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise ConfigError("not_one_of", what=what, value=value, known=tuple(known))
    return value


COUNTS_SETTINGS: Mapping[str, Callable[[CountsDesk, str], None]] = {
    "counts.threshold": partial(_number, "threshold"),
    "counts.mask_zero": partial(_flag, "mask_zero"),
    "counts.any_count": partial(_flag, "any_count"),
    "counts.width": partial(_number, "width"),
    "counts.mark": _mark,
    "counts.cells": _cells,
    "counts.relations": _relations,
    "counts.relation": _relation,
    "counts.hidden": _shown,
    "counts.release": _release,
    "counts.noise": _noise,
    "counts.inferable_because": _because,
}
"""What ``deidgui decide PROJECT --set NAME=VALUE`` decides of tables of counts."""
