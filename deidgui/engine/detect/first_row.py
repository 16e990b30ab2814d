"""Says whether a first record holds names of columns or the data of a person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from deidgui.engine.detect.column_names import CONTAINED, ColumnName, fold
from deidgui.engine.detect.evidence import name_matches
from deidgui.engine.detect.name_reading import key_kind, spaced_name
from deidgui.engine.detect.wordlists import person_names

_LONGEST = 200
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$")
_NUMBER = re.compile(r"\+?[\d ()./-]{6,}$")
_CODE = re.compile(r"(?=(?:.*\d){5})[A-Za-z]{0,4}[\d ./-]+[A-Za-z]{0,4}$")
_ADDRESS = re.compile(r"(?:\d+[a-z]?,?\s+[^\W\d].{3,}|[^\W\d].{3,}?,?\s+\d+\s?[a-z]?)$")
_WORD = re.compile(r"[^\W\d_]+")
_STREET = re.compile(
    r"(?:strasse|straat|gasse|allee|platz|gatan|vagen|veien|vejen|gade|katu|laan|weg)\b"
    r"|\b(?:str|plein|street|st|road|rd|avenue|ave|lane|ln|drive|blvd|rue|boulevard"
    r"|chemin|impasse|calle|avda|avenida|plaza|paseo|via|corso|piazza|viale|rua"
    r"|travessa|praca|largo|ul|al|os|vei|gate|vej|alle|tie|polku)\b\.?"
)
_MOST_WORDS = 4


def is_personal(text: str) -> bool:
    """Whether a cell looks like a person's name, address or number.

    Parameters
    ----------
    text : str
        A cell that may be the name of a column.
    """
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return False
    if _EMAIL.match(text):
        return True
    if _NUMBER.match(text) or _CODE.match(text):
        return sum(letter.isdigit() for letter in text) >= 5
    if _ADDRESS.match(text) and _STREET.search(fold(text)):
        # "Straße 1" is the first of several columns; "rue 12" has no name either.
        return _STREET.sub("", fold(text)).strip(" .,0123456789") != ""
    if is_column_name(text):
        return False
    words = [fold(word) for word in _WORD.findall(text)]
    if not 1 <= len(words) <= _MOST_WORDS or not text[0].isupper():
        return False
    return any(word in person_names() for word in words if len(word) > 2)


@lru_cache(maxsize=4096)
def is_column_name(text: str) -> bool:
    """Whether a cell has words by which columns are named."""
    if len(text) > _LONGEST:
        return False
    name = ColumnName(spaced_name(text))
    if not name.raw_tokens:
        return False
    matches = name_matches(name)
    return any(match.score >= CONTAINED for match in matches) or bool(key_kind(text))


def n_personal(cells: Sequence[str]) -> int:
    """How many cells of a first record say that it is no header, 0 if it is one.

    Cells that name columns stand against those of a person: a table may have a
    column that is called as people are.
    """
    personal = sum(is_personal(cell) for cell in cells)
    named = sum(
        is_column_name(cell) and not is_personal(cell) for cell in cells if cell.strip()
    )
    return personal if personal > named else 0
