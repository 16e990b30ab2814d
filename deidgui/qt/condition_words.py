"""How are thresholds that hold said in few lines?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Protocol

from deidgui.text import tr

MOST_ALONE = 2
"""So many columns with the same threshold have a line each."""


class Worded(Protocol):
    """A condition of a release."""

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        ...


def folded_words(models: Iterable[Worded]) -> tuple[list[str], str]:
    """Say once what holds alike for many columns.

    Returns
    -------
    lines : list of str
        One for each model, or for all that differ in nothing but their column.
    columns : str
        Names of these columns; empty if nothing was folded.
    """
    alike: dict[object, list[Worded]] = {}
    for place, each in enumerate(models):
        alike.setdefault(_but_column(each) or place, []).append(each)
    lines, names = [], []
    for first, *others in alike.values():
        if len(others) < MOST_ALONE:
            lines += [each.words() for each in (first, *others)]
            continue
        words: str = first.words()
        n = len(others)
        same = tr("The same holds for {n:other column|other columns}.", n=n)
        lines.append(f"{words} {same}")
        names.append(", ".join(_column_of(each) for each in (first, *others)))
    return lines, "\n\n".join(names)


def _column_of(model: object) -> str:
    return str(getattr(model, "attribute", ""))


def _but_column(model: object) -> tuple[object, ...] | None:
    """What a model says besides its column; None if it is about none."""
    if not _column_of(model) or not is_dataclass(model):
        return None
    said = (each.name for each in fields(model) if each.name != "attribute")
    return type(model), *(repr(getattr(model, name)) for name in said)
