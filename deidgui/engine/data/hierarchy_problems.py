"""Problems of a hierarchy draft, and their one-click repairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.hierarchy_build import missing_row, missing_token
from deidgui.engine.data.hierarchy_draft import Draft, Labels
from deidgui.engine.data.table import Column
from deidgui.errors import InputError, Param

OTHER = "other"
"""The group that receives values for which nobody chose one."""


@dataclass(frozen=True)
class Problem:
    """One flaw of a draft.

    Parameters
    ----------
    code : str
        draft_top, draft_empty_label, draft_duplicate_leaf, draft_not_nested,
        draft_no_missing_leaf or draft_gap.
    params : mapping
        For the sentence: attribute, level, counts; never a value.
    level : int or None
        Level it is on.
    rows : tuple of int
        Rows that show it; empty for values that have no row yet.
    values : tuple of str
        Values without a leaf (not part of the representation).
    """

    code: str
    params: Mapping[str, Param]
    level: int | None = None
    rows: tuple[int, ...] = field(default=(), repr=False)
    values: tuple[str, ...] = field(default=(), repr=False)


def problems(draft: Draft, column: Column | None = None) -> list[Problem]:
    """Find everything that keeps a draft from being the hierarchy of a column.

    Parameters
    ----------
    column : Column, optional
        Without it, gaps are not looked for.

    Returns
    -------
    list of Problem
        In the order in which they are best repaired; empty if all is well.
    """
    return list(_problems(draft, column))


def _problems(draft: Draft, column: Column | None) -> Iterator[Problem]:
    yield from _top(draft)
    yield from _empty_labels(draft)
    yield from _duplicate_leaves(draft)
    # A leaf in two groups is a duplicate; groups are fixed from the top down.
    for level in reversed(range(1, draft.height)):
        yield from _not_nested(draft, level)
    if column is not None:
        yield from _gaps(draft, column)


def _top(draft: Draft) -> Iterator[Problem]:
    rows = tuple(
        row for row, label in enumerate(draft.columns[-1]) if label != SUPPRESSED
    )
    if rows or draft.height == 0:
        params: dict[str, Param] = {"attribute": draft.attribute, "n_rows": len(rows)}
        yield Problem("draft_top", params, draft.height, rows)


def _empty_labels(draft: Draft) -> Iterator[Problem]:
    # The leaf for "no value" may be the empty text, and so may its groups.
    for level in range(1, draft.height):
        pairs = zip(draft.columns[level - 1], draft.columns[level], strict=True)
        rows = tuple(
            row for row, (below, label) in enumerate(pairs) if below and not label
        )
        if rows:
            params: dict[str, Param] = {
                "attribute": draft.attribute,
                "level": level,
                "n_rows": len(rows),
            }
            yield Problem("draft_empty_label", params, level, rows)


def _duplicate_leaves(draft: Draft) -> Iterator[Problem]:
    seen: set[str] = set()
    repeated = []
    for row, leaf in enumerate(draft.columns[0]):
        if leaf in seen:
            repeated.append(row)
        seen.add(leaf)
    if repeated:
        params: dict[str, Param] = {
            "attribute": draft.attribute,
            "n_rows": len(repeated),
            "row": repeated[0] + 1,
        }
        yield Problem("draft_duplicate_leaf", params, 0, tuple(repeated))


def _not_nested(draft: Draft, level: int) -> Iterator[Problem]:
    """One problem per group of `level` that is in two groups of the next level."""
    below, above = draft.codes[level], draft.codes[level + 1]
    if len(below) == 0:
        return
    _, first = np.unique(below, return_index=True)
    torn = np.unique(below[above != above[first][below]])
    concerned = np.flatnonzero(np.isin(below, torn))
    ordered = concerned[np.argsort(below[concerned], kind="stable")]
    starts = np.flatnonzero(np.diff(below[ordered])) + 1
    for part in np.split(ordered, starts) if len(torn) else []:
        rows = part.tolist()
        parents = {draft.columns[level + 1][row] for row in rows}
        params: dict[str, Param] = {
            "attribute": draft.attribute,
            "level": level,
            "n_parents": len(parents),
            "n_rows": len(rows),
            "row": rows[0] + 1,
        }
        yield Problem("draft_not_nested", params, level, tuple(rows))


def _gaps(draft: Draft, column: Column) -> Iterator[Problem]:
    known = set(draft.columns[0])
    token = missing_token(column)
    tokens = {str(column.values[code]) for code in column.missing_codes.tolist()}
    if token is not None and known.isdisjoint({draft.missing, *tokens}):
        params: dict[str, Param] = {
            "attribute": draft.attribute,
            "n_records": column.n_missing,
        }
        yield Problem("draft_no_missing_leaf", params, 0, values=(token,))
    present = np.flatnonzero(~column.is_missing & (column.counts > 0))
    gaps = [code for code in present.tolist() if column.values[code] not in known]
    if gaps:
        params = {
            "attribute": draft.attribute,
            "n_values": len(gaps),
            "n_records": int(column.counts[gaps].sum()),
        }
        values = tuple(str(column.values[code]) for code in gaps)
        yield Problem("draft_gap", params, 0, values=values)


def repair(draft: Draft, problem: Problem) -> Draft:
    """Fix one problem of a draft.

    Parameters
    ----------
    problem : Problem
        Found in this very draft.

    Returns
    -------
    Draft
        Without the problem. Groups that were in two groups follow the larger
        part of their leaves; later duplicates go; an empty label takes the one
        below; values without a leaf go where the rule places them, or into
        "other".
    """
    match problem.code:
        case "draft_top":
            return _fix_top(draft)
        case "draft_empty_label":
            return _fix_empty(draft, problem)
        case "draft_duplicate_leaf":
            dropped = set(problem.rows)
            rows = [row for n, row in enumerate(draft.grid) if n not in dropped]
            return draft.with_rows(rows)
        case "draft_not_nested":
            return _fix_nesting(draft, [problem])
        case "draft_no_missing_leaf":
            return _fix_missing(draft, problem.values[0])
        case "draft_gap":
            return _fix_gap(draft, problem.values)
    raise AssertionError(problem.code)


def repair_all(draft: Draft, column: Column | None = None) -> Draft:
    """Fix problem after problem until none is left."""
    while found := _first_kind(draft, column):
        if found[0].code == "draft_not_nested":
            draft = _fix_nesting(draft, found)
        else:
            draft = repair(draft, found[0])
    return draft


def _first_kind(draft: Draft, column: Column | None) -> list[Problem]:
    """Return the problems of the kind and level that is best repaired first."""
    kinds = groupby(_problems(draft, column), key=lambda each: (each.code, each.level))
    return next((list(same) for _, same in kinds), [])


def _fix_top(draft: Draft) -> Draft:
    top = set(draft.columns[-1])
    stars = (SUPPRESSED,) * draft.n_rows
    if draft.height > 0 and (SUPPRESSED in top or len(top) == 1):
        return draft.with_columns([*draft.columns[:-1], stars])
    return draft.with_columns([*draft.columns, stars])


def _fix_empty(draft: Draft, problem: Problem) -> Draft:
    assert problem.level is not None
    column = list(draft.columns[problem.level])
    below = draft.columns[problem.level - 1]
    for row in problem.rows:
        column[row] = below[row]
    columns = list(draft.columns)
    columns[problem.level] = tuple(column)
    return draft.with_columns(columns)


def _fix_nesting(draft: Draft, torn: Sequence[Problem]) -> Draft:
    """Put each group, all of one level, where the larger part of its leaves is."""
    level = torn[0].level
    assert level is not None
    columns = [list(column) for column in draft.columns]
    for problem in torn:
        parents = Counter(columns[level + 1][row] for row in problem.rows)
        parent = max(parents, key=lambda each: parents[each])
        model = next(r for r in problem.rows if columns[level + 1][r] == parent)
        for column in columns[level + 1 :]:
            for row in problem.rows:
                column[row] = column[model]
    return draft.with_columns([tuple(column) for column in columns])


def _fix_missing(draft: Draft, token: str) -> Draft:
    if token not in draft.columns[0]:
        row = missing_row(token, draft.grid, len(draft.columns))
        draft = draft.with_rows([*draft.grid, row])
    return replace(draft, missing=token)


def _fix_gap(draft: Draft, values: tuple[str, ...]) -> Draft:
    by_rule = _labels_by_rule(draft, values)
    parents = [
        dict(zip(draft.columns[d], draft.columns[d + 1], strict=True))
        for d in range(draft.height)
    ]
    rows = draft.grid
    for value in values:
        row = by_rule.get(value)
        if row is None or not _fits(row, parents):
            row = _other_row(value, parents)
        for depth in range(1, draft.height):
            parents[depth].setdefault(row[depth], row[depth + 1])
        rows.append(row)
    return draft.with_rows(rows)


def _labels_by_rule(draft: Draft, values: tuple[str, ...]) -> dict[str, Labels]:
    """Rows of the rule, which sees all leaves: some rules depend on the range."""
    rule = draft.rule
    if rule is None or len(rule.level_names) != len(draft.columns):
        return {}
    leaves = [leaf for leaf in draft.columns[0] if leaf != draft.missing]
    try:
        return {row[0]: row for row in rule.grid([*leaves, *values])}
    except InputError:
        return {}


def _fits(row: Labels, parents: list[dict[str, str]]) -> bool:
    return all(
        parents[depth].get(row[depth], row[depth + 1]) == row[depth + 1]
        for depth in range(1, len(parents))
    )


def _other_row(value: str, parents: list[dict[str, str]]) -> Labels:
    """Labels of a value in the group "other", below whatever that is below."""
    row = [value]
    for depth in range(1, len(parents)):
        held = parents[depth - 1].get(row[-1]) if depth > 1 else None
        row.append(OTHER if held is None else held)
    return (*row, SUPPRESSED) if parents else (value,)
