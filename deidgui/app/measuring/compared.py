"""How many released people are found in another release, or in a register."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np

from deidgui.app.measuring.corresponding import corresponding
from deidgui.app.measuring.others import Other, Others, shared_columns
from deidgui.app.project import Attribute, Comparison, Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.table import Column
from deidgui.engine.evidence import document
from deidgui.engine.policy.policy import Policy
from deidgui.engine.risk.linkability import ClassPairs
from deidgui.engine.transform.released import ReleasedTable
from deidgui.engine.transform.spreadsheet import guard_text
from deidgui.monitor import Monitor

MOST_VALUES = 100_000
"""Distinct values of a column of another table that are looked at."""


class SharedCodes(NamedTuple):
    """A column of both tables.

    Parameters
    ----------
    ours, theirs : ndarray of int64
        Alike for what cannot be told apart, of each of our records, and of each person
        of the other table; -1 for no match.
    n_codes : int
        One more than the largest code.
    n_alike : int
        Codes from this one on are of texts that may be several of ours.
    """

    ours: IntArray
    theirs: IntArray
    n_codes: int
    n_alike: int


class NotComparedError(Exception):
    """Why nothing was matched; never leaves this module."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def measure_others(
    project: Project,
    policy: Policy,
    released: ReleasedTable,
    rows: IntArray,
    others: Others,
    reasons: dict[str, str],
    monitor: Monitor,
) -> Iterator[document.Compared]:
    """Match what is released with all tables that a person chose.

    Parameters
    ----------
    rows : ndarray of int64
        A record of each released person.
    reasons : dict of str to str
        Takes what was not compared, and why: it is not known to be harmless.
    """
    for number, choice in enumerate(project.comparisons):
        if choice.kind == "hold_out":
            continue
        monitor.report(number / len(project.comparisons), "measure")
        other = others.get(choice.name)
        if other is None:
            reasons[f"compared:{choice.name}"] = "other_missing"
            continue
        try:
            yield _matched(project, policy, released, rows, choice, other)
        except NotComparedError as problem:
            reasons[f"compared:{choice.name}"] = problem.reason


def why_not(project: Project, policy: Policy) -> str | None:
    """Code of the reason why nothing can be compared with a release; None if it can."""
    if project.links:
        return "several_tables"
    if policy.cells is not None or policy.later:
        return "own_labels"
    return None


def _matched(
    project: Project,
    policy: Policy,
    released: ReleasedTable,
    rows: IntArray,
    choice: Comparison,
    other: Other,
) -> document.Compared:
    reason = why_not(project, policy) or other.reason
    if reason is not None:
        raise NotComparedError(reason)
    headers = shared_columns(project, choice, other)
    if not headers:
        raise NotComparedError("other_no_column")
    shared, codes = [], []
    for name, header in headers.items():
        attribute = project.attribute(name)
        stated, both = shared_column(released, policy, rows, other, attribute, header)
        shared.append(stated)
        codes.append(both)
    names = tuple(headers)
    pairs, possible = _pairs(codes)
    linked = [_linked(names, pairs, possible)]
    kept = _kept(project, choice, other, headers)
    if kept:
        codes += [
            _same_texts(released, rows, other, name, header)
            for name, header in kept.items()
        ]
        linked.append(_linked((*names, *kept), *_pairs(codes)))
    of_register = choice.kind == "register"
    if of_register:
        most = min(len(rows), pairs.found_by(choice.coverage) + possible)
        linked[0] = linked[0].model_copy(update={"most": most})
    return document.Compared(
        name=choice.name,
        kind="register" if of_register else "release",
        sha256=choice.sha256,
        dialect=dialect_facts(other) if of_register else None,
        records=len(rows),
        others=len(other.rows),
        coverage=choice.coverage if of_register else None,
        shared=tuple(shared),
        kept=kept,
        linked=tuple(linked),
        membership=_membership(pairs) if of_register else None,
        by=choice.by,
        on=choice.on,
    )


def dialect_facts(other: Other) -> document.Dialect:
    """State how the text of a file is cut into cells."""
    found = other.dialect
    if found.skip_lines > document.MOST_SKIPPED:
        raise NotComparedError("other_skips")
    return document.Dialect(
        delimiter=found.delimiter,
        quote=found.quote,
        skip_blanks=found.skip_blanks,
        encoding=cast("document.Encoding", found.encoding),
        skip_lines=found.skip_lines,
    )


def shared_column(
    released: ReleasedTable,
    policy: Policy,
    rows: IntArray,
    other: Other,
    attribute: Attribute,
    header: str,
) -> tuple[document.SharedColumn, SharedCodes]:
    """Codes of a quasi-identifier that both tables have, and what they mean."""
    name = attribute.name
    (own,) = (each for each in policy.maps if each.attribute == name)
    theirs = _of_people(other, header)
    if theirs.n_values > MOST_VALUES:
        raise NotComparedError("other_many_values")
    found = corresponding(own, theirs.with_missing(attribute.missing))
    if (found.of_text < 0).all() and not found.is_wide.any():
        raise NotComparedError("other_values")
    column = next(each for each in released.columns if each.attribute == name)
    texts = column.values.to_list()
    written = frozenset(texts)
    group_of = {
        _as_written(label, written): group
        for label, group in zip(own.labels, found.of_label.tolist(), strict=True)
    }
    # A text can have several codes: the top of a hierarchy, and what is suppressed.
    of_written = np.array(
        [group_of.get(text, found.n_groups) for text in texts], dtype=np.int64
    )
    shown = np.unique(released.codes(column, rows))
    groups = {texts[code]: int(of_written[code]) for code in shown.tolist()}
    n_alike = found.n_groups + 1
    numbered = np.where(
        found.is_wide, n_alike + np.cumsum(found.is_wide) - 1, found.of_text
    )
    there = numbered[theirs.codes]
    digest = other.identity.digest
    stated = document.SharedColumn(
        attribute=name,
        column=header,
        groups=dict(sorted(groups.items())),
        others={
            digest(name, text): group
            for text, group in zip(theirs.texts(), found.of_text.tolist(), strict=True)
            if group >= 0
        },
        wide=tuple(
            sorted(
                digest(name, text)
                for text, is_wide in zip(
                    theirs.texts(), found.is_wide.tolist(), strict=True
                )
                if is_wide
            )
        ),
        unknown=int((there < 0).sum()),
    )
    n_codes = n_alike + int(found.is_wide.sum())
    ours = of_written[released.codes(column, rows)]
    return stated, SharedCodes(ours, there, n_codes, n_alike)


def _of_people(other: Other, header: str) -> Column:
    """Column with the values that its people have, and no others.

    PRIVACY: the mark of suppressed records stands for all values, and would make all
    labels one.
    """
    column = other.table.column(header)
    there, codes = np.unique(column.codes[other.rows], return_inverse=True)
    of_people = codes.reshape(-1).astype(np.int32)
    return Column(header, of_people, column.values.gather(there))


def _as_written(label: str, written: Collection[str]) -> str:
    """Return a label as the released file has it."""
    return label if label in written else guard_text(label)


def _kept(
    project: Project, choice: Comparison, other: Other, headers: Mapping[str, str]
) -> dict[str, str]:
    """Columns that both releases have as they are, where each row is a person."""
    if choice.kind == "register" or project.key is not None or not other.is_by_row:
        return {}
    return {
        each.name: other.headers[each.name]
        for each in project.with_role("sensitive", "insensitive")
        if each.name in other.kept and each.name in other.headers
    }


def _same_texts(
    released: ReleasedTable, rows: IntArray, other: Other, name: str, header: str
) -> SharedCodes:
    """Codes of a column that both tables show as it is: equal for equal texts."""
    column = next(each for each in released.columns if each.attribute == name)
    own = {text: code for code, text in enumerate(column.values.to_list())}
    theirs = other.table.column(header)
    of_text = np.array([own.get(text, -1) for text in theirs.texts()], dtype=np.int64)
    ours = released.codes(column, rows).astype(np.int64)
    return SharedCodes(ours, of_text[theirs.codes[other.rows]], len(own), len(own))


def _pairs(columns: Sequence[SharedCodes]) -> tuple[ClassPairs, int]:
    """Count the classes of both tables by some columns, and kinds of wide people.

    Returns
    -------
    ClassPairs
        People with a wide value are in no class.
    int
        How many different rows with a wide value may be some of ours: people with the
        same one cannot be told apart, so that each gives one right match at most.
    """
    matches = np.logical_and.reduce([each.theirs >= 0 for each in columns])
    n_ours = len(columns[0].ours)
    joined = (np.concatenate([e.ours, e.theirs[matches]]) for e in columns)
    n = n_ours + int(matches.sum())
    of_row = group_rows(n, joined, [each.n_codes for each in columns]).of_row
    n_classes = int(of_row.max()) + 1
    ours = np.bincount(of_row[:n_ours], minlength=n_classes)
    theirs = np.bincount(of_row[n_ours:], minlength=n_classes)
    is_wide = [each.theirs[matches] >= each.n_alike for each in columns]
    fits = [
        wide | np.isin(each.theirs[matches], each.ours)
        for wide, each in zip(is_wide, columns, strict=True)
    ]
    possible = np.any(is_wide, axis=0) & np.all(fits, axis=0)
    return ClassPairs.of(ours, theirs), len(np.unique(of_row[n_ours:][possible]))


def _linked(
    names: tuple[str, ...], pairs: ClassPairs, possible: int
) -> document.Linked:
    sizes = (each.tolist() for each in (pairs.ours, pairs.theirs, pairs.times))
    n_ours = int((pairs.ours * pairs.times).sum())
    return document.Linked(
        attributes=names,
        classes=tuple(zip(*sizes, strict=True)),
        possible=possible,
        most=min(n_ours, pairs.most + possible),
        certain=pairs.certain,
    )


def _membership(pairs: ClassPairs) -> document.Membership:
    highest, average = pairs.memberships()
    return document.Membership(highest=highest, average=average)
