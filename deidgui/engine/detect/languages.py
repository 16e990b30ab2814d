"""Finds the languages in which the columns of a file are named."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

from deidgui.engine.detect.column_names import ColumnName, without_number
from deidgui.engine.detect.name_reading import cue_index, spaced_name

_LEAST_SHARE = 0.4
"""A language with fewer words than this share of those of the first is none."""


@cache
def _languages_of_cue() -> dict[str, frozenset[str]]:
    """Languages in which a cue is a name, by the cue's letters."""
    found: dict[str, set[str]] = defaultdict(set)
    for cue in cue_index().all_cues():
        found[cue.joined].add(cue.language or "en")
    return {joined: frozenset(each) for joined, each in found.items()}


def languages_of(names: Iterable[str]) -> frozenset[str]:
    """Return the languages of column names.

    Returns
    -------
    frozenset of str
        Two letters each, also ``en``; empty if no name tells. A word counts for
        every language that has it, the less the more these are.
    """
    heard: set[str] = set()
    for name in {without_number(name) for name in names}:
        split = ColumnName(spaced_name(name))
        heard.update(
            cue.joined
            for _, cue in cue_index().candidates(split)
            if cue.score(split) > 0 and not cue.only_there
        )
    points: Counter[str] = Counter()
    for joined in heard:
        spoken = _languages_of_cue()[joined]
        points.update(dict.fromkeys(spoken, 12 // len(spoken)))
    most = max(points.values(), default=0)
    return frozenset(
        language for language, n in points.items() if n >= _LEAST_SHARE * most
    )
