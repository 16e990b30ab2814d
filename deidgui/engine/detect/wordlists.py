"""Reads the shipped lists of names and places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from deidgui import resources
from deidgui.engine.data.code_lists import us_states, zip3_areas
from deidgui.engine.detect.column_names import Cue, fold

_SEPARATOR = {"first_names": None, "surnames": None}


def _lines(name: str) -> Iterator[str]:
    text = resources.path("names", f"{name}.txt").read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def word_list(name: str) -> frozenset[str]:
    """Entries of one of the shipped lists, lower case.

    Parameters
    ----------
    name : str
        first_names, surnames, cities, counties or countries.
    """
    separator = _SEPARATOR.get(name, "|")
    return frozenset(word for line in _lines(name) for word in line.split(separator))


@cache
def person_names() -> frozenset[str]:
    """First names and surnames."""
    return word_list("first_names") | word_list("surnames")


@cache
def state_codes() -> frozenset[str]:
    """Two-letter postal codes of the states, lower case."""
    return frozenset(state.abbr.lower() for state in us_states().states)


@cache
def state_names() -> frozenset[str]:
    """Names of the states, lower case."""
    return frozenset(state.name.lower() for state in us_states().states)


@cache
def state_numbers() -> frozenset[str]:
    """Two-digit FIPS codes of the states."""
    return frozenset(us_states().by_fips)


@cache
def _zip_areas() -> dict[str, int]:
    rows = (line.split() for line in _lines("zip_codes"))
    return {prefix: int(bits, 16) for prefix, bits in rows}


def has_zip_prefix(text: str) -> bool:
    """Whether the first three digits are a prefix of the census table."""
    return text[:3] in zip3_areas().population["2020"]


def is_known_zip(text: str) -> bool:
    """Whether the first five digits are a ZIP code area of the 2020 Census."""
    return bool(_zip_areas().get(text[:3], 0) >> int(text[3:5]) & 1)


_SPELLINGS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"}
)


@cache
def column_cues() -> dict[str, tuple[Cue, ...]]:
    """Cues of column names by what the column holds, in all languages.

    Both spellings of letters with dots and rings are cues: ``größe`` is written
    ``grosse`` and ``groesse`` where letters are plain.
    """
    text = resources.path("words", "columns.txt").read_text(encoding="utf-8")
    found: dict[str, list[Cue]] = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, words = line.partition(":")
        meaning, language = head.split()
        for word in words.split("|"):
            plain = word.strip().lstrip("!=")
            flags = word.strip()[: len(word.strip()) - len(plain)]
            spellings = {plain.lower(), plain.lower().translate(_SPELLINGS)}
            found.setdefault(meaning, []).extend(
                Cue(spelling, "=" in flags, language, "!" in flags)
                for spelling in sorted(spellings)
            )
    return {meaning: tuple(cues) for meaning, cues in found.items()}


@cache
def word_table(name: str) -> dict[str, frozenset[str]]:
    """Words by meaning from a shipped table, those of all languages together.

    Parameters
    ----------
    name : str
        File below ``resources/words``, whose lines are
        ``meaning language: word | word``; words are folded.
    """
    text = resources.path("words", f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, words = line.partition(":")
        meaning, _, _language = head.rpartition(" ")
        found.setdefault(meaning, set()).update(
            fold(w.strip()) for w in words.split("|")
        )
    return {meaning: frozenset(words - {""}) for meaning, words in found.items()}
