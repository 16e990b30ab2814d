"""Drafts of hierarchies."""

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
