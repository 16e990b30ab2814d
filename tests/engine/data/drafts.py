"""Drafts of hierarchies."""

from typing import NamedTuple

import numpy as np

from deidgui.engine.data.hierarchy import Hierarchy


def finished(draft):
    """Return the hierarchy of a draft; refuses one that is not nested."""
    return Hierarchy.from_grid(
        draft.attribute,
        draft.grid,
        rule=draft.rule,
        missing=draft.missing,
        is_edited=draft.is_edited,
    )


class Node(NamedTuple):
    """A group of a draft with what is below it."""

    level: int
    label: str
    rows: np.ndarray
    children: tuple


def tree_of(draft):
    """Return the groups of the most general level: the outline, built plainly."""
    return _nodes(draft, draft.height, list(range(draft.n_rows)))


def _nodes(draft, level, rows):
    """Groups that the labels of a level make of some rows; a leaf is one row."""
    groups = {}
    for row in rows:
        key = row if level == 0 else draft.columns[level][row]
        groups.setdefault(key, []).append(row)
    return tuple(
        Node(
            level,
            draft.columns[level][own[0]],
            np.array(own),
            _nodes(draft, level - 1, own) if level else (),
        )
        for own in groups.values()
    )


def groups_of(draft, level):
    """Distinct labels of a level in the order of the rows."""
    return list(dict.fromkeys(draft.columns[level]))
