"""The test by a motivated intruder: whom to look for, and what was tried."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import pydantic

from deidgui.app.dossier.intruder_words import FIELDS, values_words
from deidgui.app.entered import check_named, today, too_long
from deidgui.app.needed_files import check_place
from deidgui.app.ops import Op, change_dossier
from deidgui.app.project import Project
from deidgui.app.storage.files import write_whole
from deidgui.engine.data.table import Table
from deidgui.engine.evidence.entered import LONGEST_TEXT, IntruderKind, IntruderTest
from deidgui.engine.transform.spreadsheet import guard_texts
from deidgui.errors import ConfigError
from deidgui.text import tr

INTRUDER_TEST = "intruder_test"
"""Name under which the command line records a test; ``none`` takes all back."""


def record_test(by: str, fields: Mapping[str, Any]) -> Op:
    """Record what somebody tried; `fields` by name among `FIELDS`.

    Raises
    ------
    ConfigError
        Codes ``validity_unnamed``, ``not_one_of``, or ``intruder_incomplete`` with the
        field that is missing or does not fit the others.
    """
    check_named(by)
    known = get_args(IntruderKind)
    if fields.get("kind") not in known:
        what, value = tr(FIELDS["kind"]), str(fields.get("kind") or "")
        raise ConfigError("not_one_of", what=what, value=value, known=known)
    for name, value in fields.items():
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise too_long(tr(FIELDS[name]), value)
    stripped = {n: v.strip() if isinstance(v, str) else v for n, v in fields.items()}
    try:
        test = IntruderTest.model_validate(
            {**stripped, "by": by.strip(), "on": today().isoformat()}, strict=False
        )
    except pydantic.ValidationError as error:
        # Without a field it is the order of the three numbers.
        place = error.errors()[0]["loc"]
        wrong = str(place[0]) if place else "verified"
        raise ConfigError("intruder_incomplete", field=tr(FIELDS[wrong])) from None

    def op(project: Project) -> Project:
        tests = (*project.dossier.intruder_tests, test)
        return change_dossier(intruder_tests=tests)(project)

    return op


def take_back_test(place: int) -> Op:
    """Take back one of the tests that are recorded, by its place."""

    def op(project: Project) -> Project:
        tests = list(project.dossier.intruder_tests)
        del tests[place]
        return change_dossier(intruder_tests=tuple(tests))(project)

    return op


def with_intruder_test(text: str, by: str) -> Op:
    """Record a test as the command line says it.

    Parameters
    ----------
    text : str
        ``kind=intruder; tried_by=...; tested=...; sources=...; targets=20; hours=16;
        claimed=1; verified=0``; ``none`` takes all tests back.

    Raises
    ------
    ConfigError
        As `record_test`.
    """
    if text == "none":
        return change_dossier(intruder_tests=())
    fields: dict[str, Any] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition("=")
        if name.strip() not in FIELDS:
            known = tuple(FIELDS)
            what = tr("intruder test")
            raise ConfigError("not_one_of", what=what, value=name, known=known)
        fields[name.strip()] = value.strip()
    return record_test(by, fields)


def write_work_list(
    path: Path,
    classes: Table,
    title: str,
    needed: Iterable[Path],
    *,
    replaces: bool = False,
) -> None:
    """Write the riskiest classes for those who try: class numbers, no names.

    PRIVACY: contains values of the released table, as its first line says; written
    only where a person asks for it.

    Parameters
    ----------
    classes : Table
        See `deidgui.app.measuring.comparing.riskiest_classes`.
    replaces : bool
        See `check_place`.

    Raises
    ------
    ConfigError
        As `check_place`.
    ResourceError
        Code ``cannot_write``.
    """
    check_place(path, needed, replaces=replaces)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([f"{title}: {values_words()}"])
    writer.writerow([tr("class"), *classes.column_names, tr("found as"), tr("source")])
    columns = [
        guard_texts(each.values).gather(each.codes).to_list()
        for each in classes.columns
    ]
    for number, row in enumerate(zip(*columns, strict=True), start=1):
        writer.writerow([number, *row, "", ""])
    write_whole(path, text.getvalue().encode("utf-8-sig"))
