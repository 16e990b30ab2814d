"""What is guessed of released people beyond people who were not released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.measuring.compared import (
    NotComparedError,
    SharedCodes,
    dialect_facts,
    shared_column,
    why_not,
)
from deidgui.app.measuring.others import Other, Others, is_input
from deidgui.app.project import Attribute, Comparison, Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.dialect import Dialect
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.table import Table
from deidgui.engine.evidence import document
from deidgui.engine.evidence.keyed import Identity
from deidgui.engine.policy.policy import Policy
from deidgui.engine.risk.inference import Guesser, close_values, residual, wilson
from deidgui.engine.transform.released import ReleasedTable

FEWEST = 500
"""Of fewer people who were not released nothing is told."""

MOST_VALUES = 1_000
"""Of a column with more values each guess can be one of many: it takes too long."""

MOST_NUMBERS = 4_000
"""Different numbers that are compared with one another."""

NUMBERS = ("integer", "decimal")
"""Kinds of columns whose values are guessed rightly if they are close."""


@dataclass(frozen=True, repr=False, eq=False)
class HoldOut:
    """People who were not released.

    Parameters
    ----------
    choice : Comparison or None
        The file that a person chose; None for those who were not drawn.
    """

    other: Other
    choice: Comparison | None

    @classmethod
    def of(
        cls, project: Project, classes: Classes, others: Others, everybody: Table | None
    ) -> HoldOut | None:
        """Return the chosen file, else who is not in the sample, if there is one."""
        for each in project.comparisons:
            if each.kind == "hold_out":
                other = others.get(each.name)
                if other is None:
                    raise NotComparedError("other_missing")
                if is_input(project, other.identity.sha256):
                    raise NotComparedError("hold_out_input")
                return cls(other, each)
        draw = classes.draw
        if draw is None or everybody is None:
            return None
        left = np.ones(everybody.n_rows, dtype=np.bool_)
        left[draw.rows] = False
        names = {name: name for name in everybody.column_names}
        other = Other(
            Path(),
            Identity("", b""),
            everybody,
            np.flatnonzero(left),
            Dialect(),
            None,
            names,
        )
        return cls(other, None)

    def header(self, name: str) -> str | None:
        """Column there of an attribute."""
        columns = self.choice.columns if self.choice is not None else {}
        return self.other.headers.get(columns.get(name, name))

    def people(self, key: str | None) -> Other:
        """One row of each person."""
        header = None if key is None else self.header(key)
        rows = self.other.rows
        if header is None or not len(rows):
            return self.other
        codes = self.other.table.column(header).codes[rows]
        return self.other.with_rows(rows[np.unique(codes, return_index=True)[1]])


def measure_held_out(
    project: Project,
    classes: Classes,
    policy: Policy,
    released: ReleasedTable,
    rows: IntArray,
    guessed: Sequence[document.Guessed],
    others: Others,
    everybody: Table | None,
    reasons: dict[str, str],
) -> document.HeldOut | None:
    """Guess sensitive values of released people, and of people who were not.

    Parameters
    ----------
    rows : ndarray of int64
        A record of each released person.
    guessed : sequence of Guessed
        Of the sensitive columns; those with too many values are left out.
    everybody : Table or None
        What a sample was drawn from.
    reasons : dict of str to str
        Takes why they could not be guessed.

    Returns
    -------
    HeldOut or None
        None, too, if nobody is known who was not released.
    """
    try:
        hold_out = HoldOut.of(project, classes, others, everybody)
        if hold_out is None:
            return None
        names = [
            each.attribute
            for each in guessed
            if len(np.unique(classes.table.column(each.attribute).codes[rows]))
            <= MOST_VALUES
        ]
        return _guessed(project, classes, policy, released, rows, names, hold_out)
    except NotComparedError as problem:
        reasons["held_out"] = problem.reason
        return None


def _guessed(
    project: Project,
    classes: Classes,
    policy: Policy,
    released: ReleasedTable,
    rows: IntArray,
    names: Sequence[str],
    hold_out: HoldOut,
) -> document.HeldOut:
    reason = why_not(project, policy) or hold_out.other.reason
    if reason is not None:
        raise NotComparedError(reason)
    other = hold_out.people(project.key)
    if len(other.rows) < FEWEST:
        raise NotComparedError("few_held_out")
    choice = hold_out.choice
    if choice is not None and 2 * n_alike(project, classes.table, hold_out) > len(
        other.rows
    ):
        raise NotComparedError("hold_out_alike")
    shared, codes = [], []
    for each in project.quasi_identifiers:
        header = hold_out.header(each.name)
        if header is None:
            raise NotComparedError("other_no_column")
        stated, both = shared_column(released, policy, rows, other, each, header)
        if stated.wide or len(set(stated.groups.values())) < len(stated.groups):
            raise NotComparedError("other_labels")
        shared.append(stated)
        codes.append(both)
    both_classes = _classes_of(codes)
    headers = {name: hold_out.header(name) for name in names}
    columns = {name: header for name, header in headers.items() if header is not None}
    guessed = (
        _residual(project.attribute(name), classes, rows, other, header, both_classes)
        for name, header in columns.items()
    )
    return document.HeldOut(
        name=choice.name if choice is not None else "",
        sha256=choice.sha256 if choice is not None else None,
        dialect=dialect_facts(other) if choice is not None else None,
        released=len(rows),
        people=len(other.rows),
        key=hold_out.header(project.key) if choice and project.key else None,
        shared=tuple(shared) if choice is not None else (),
        columns=columns,
        guessed=tuple(guessed),
        by=choice.by if choice is not None else "",
        on=choice.on if choice is not None else "",
    )


def n_alike(project: Project, ours: Table, hold_out: HoldOut) -> int:
    """Count who is said not to be released, and stands in the input, too.

    Parameters
    ----------
    ours : Table
        What is released.

    Returns
    -------
    int, >= 0
        People with the key of one of ours, or with the same texts in all columns
        that both files have.
    """
    other = hold_out.people(project.key)
    of_names = {name: hold_out.header(name) for name in ours.column_names}
    headers = {name: each for name, each in of_names.items() if each is not None}
    alike = np.zeros(len(other.rows), dtype=np.bool_)
    sets = [tuple(headers)]
    sets += [(project.key,)] if project.key in headers else []
    for names in sets:
        codes = [_both(ours, other, name, headers[name]) for name in names]
        alike |= _classes_of(codes)[1] >= 0
    return int(alike.sum())


def _both(ours: Table, other: Other, name: str, header: str) -> SharedCodes:
    """Codes of a column in all of our rows, and of the others: by their texts."""
    own, theirs = ours.column(name), other.table.column(header)
    known = {text: code for code, text in enumerate(own.texts())}
    places = np.array([known.get(text, -1) for text in theirs.texts()], dtype=np.int64)
    others = places[theirs.codes[other.rows]]
    return SharedCodes(own.codes.astype(np.int64), others, len(known), len(known))


def _classes_of(columns: Sequence[SharedCodes]) -> tuple[IntArray, IntArray]:
    """Class of each of our people, and of the others; -1 for who fits none."""
    fits = np.logical_and.reduce([each.theirs >= 0 for each in columns])
    n_ours = len(columns[0].ours)
    joined = (np.concatenate([e.ours, np.maximum(e.theirs, 0)]) for e in columns)
    n = n_ours + len(fits)
    of_row = group_rows(n, joined, [each.n_codes for each in columns]).of_row
    known, ours = np.unique(of_row[:n_ours], return_inverse=True)
    number = np.full(int(of_row.max()) + 1, -1, dtype=np.int64)
    number[known] = np.arange(len(known))
    theirs = np.where(fits, number[of_row[n_ours:]], -1)
    return ours.reshape(-1).astype(np.int64), theirs


def _residual(
    attribute: Attribute,
    classes: Classes,
    rows: IntArray,
    other: Other,
    header: str,
    both_classes: tuple[IntArray, IntArray],
) -> document.HeldOutGuess:
    """Guess the values of a column of our people, and of the others."""
    of_ours, of_theirs = both_classes
    own = classes.table.column(attribute.name)
    theirs = other.table.column(header)
    numbers: dict[str, int] = {}
    lists = [
        [
            numbers.setdefault("" if text in attribute.missing else text, len(numbers))
            for text in column.texts()
        ]
        for column in (own, theirs)
    ]
    ours = np.array(lists[0], dtype=np.int64)[own.codes[rows]]
    others = np.array(lists[1], dtype=np.int64)[theirs.codes[other.rows]]
    right = None
    if attribute.kind in NUMBERS:
        # Only values that anybody has are compared with each other.
        there, place = np.unique(np.concatenate([ours, others]), return_inverse=True)
        if len(there) > MOST_NUMBERS:
            raise NotComparedError("other_many_values")
        texts = list(numbers)
        right = close_values(np.array([_number(texts[each]) for each in there]))
        place = place.reshape(-1)
        ours, others = place[: len(ours)], place[len(ours) :]
        n_values = len(there)
    else:
        n_values = len(numbers)
    guesser = Guesser.of(of_ours, ours, n_values, right)
    nobody = np.full(len(ours), -1, dtype=np.int64)
    n_right = guesser.n_right(of_ours, ours)
    n_control = guesser.n_right(of_theirs, others)
    found = residual(wilson(n_right, len(ours)), wilson(n_control, len(others)))
    low, high = found.interval
    return document.HeldOutGuess(
        attribute=attribute.name,
        right=n_right,
        control=n_control,
        blind=guesser.n_right(nobody, ours),
        residual=min(1.0, found.value),
        low=min(low, 1.0),
        high=high,
    )


def _number(text: str) -> float:
    """Number that a text stands for, with a point or a comma; NaN if it is none."""
    try:
        found = float(text.strip().replace(",", "."))
    except ValueError:
        return float("nan")
    return found if abs(found) < 1e300 else float("nan")
