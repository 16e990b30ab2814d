"""What a release says in place of names that do not leave the house."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from deidgui.engine.detect.first_row import is_personal
from deidgui.text import tr

_LONG_NUMBER = re.compile(r"\d{5}|@")
"""Stands in file names for a record number, a date or an address."""

_ENDINGS = re.compile(r"(\.[a-z0-9]{1,5})+$", re.IGNORECASE)


class NeutralNames:
    """Names of columns and files as they may be handed out.

    PRIVACY: the name of a column that is not released can itself tell something (the
    first record of a file without names), and so can that of a file.

    Parameters
    ----------
    hidden : collection of str
        Columns that are not released.
    columns : sequence of str
        All columns of the input.
    """

    def __init__(self, hidden: Collection[str], columns: Sequence[str]) -> None:
        self._hidden = frozenset(hidden)
        taken = {name.casefold() for name in columns if name not in self._hidden}
        self._names = {
            name: _free(tr("column {n}", n=place), taken)
            for place, name in enumerate(columns, start=1)
        }

    def column(self, name: str) -> str:
        """Name of a released column; of any other its place."""
        return self._names[name] if name in self._hidden else name

    def file(self, name: str, neutral: str) -> str:
        """Name of a file, a neutral one with its endings where it could tell."""
        ending = _ENDINGS.search(name)
        stem = name[: ending.start()] if ending else name
        if not self.is_telling(stem):
            return name
        return neutral + (ending.group() if ending else "")

    def is_telling(self, text: str) -> bool:
        """Whether a text holds a hidden column's name, or names or numbers a person."""
        words = _words(text)
        return (
            bool(_LONG_NUMBER.search(text))
            or is_personal(text)
            or any(_words(name) in words for name in self._hidden)
        )


def _words(text: str) -> str:
    """Words of a text between blanks, so that only whole ones are found."""
    plain = re.sub(r"[\W_]+", " ", text.casefold()).strip()
    return f" {plain} "


def _free(name: str, taken: Collection[str]) -> str:
    while name.casefold() in taken:
        name = f"({name})"
    return name
