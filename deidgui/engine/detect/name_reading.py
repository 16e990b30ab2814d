"""Reads column names: words written without blanks, and what a key numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from deidgui.engine.detect.column_names import (
    CueIndex,
    abbreviations,
    fold,
    tokens_of,
    without_number,
    words_of,
)
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.wordlists import column_cues, word_table

_SHORTEST_PART, _SHORTEST_FOREIGN = 3, 4
_ENDINGS = frozenset(("id", "no", "dt", "cd", "nm", "dx"))
_FILLERS = frozenset(
    ("string", "text", "value", "flag", "indicator", "level", "group", "class", "unit",
     "category", "system", "health", "history", "past", "stay", "status", "source",
     "location", "type", "string", "primary", "secondary", "principal", "other",
     "first",
     "last", "name", "home", "work", "current", "previous", "total", "patient", "bmi",
     "hospital", "day", "days", "hours", "minutes", "apache", "score")
)  # fmt: skip
_PART = re.compile(r"[^\W\d_A-ZÀ-ÖØ-Þ]{8,}|[A-ZÀ-ÖØ-Þ]{8,}")


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Words of all name cues, abbreviations and common fillers."""
    words = set(_FILLERS) | set(abbreviations())
    for detector in DETECTORS:
        for cue in detector.names:
            words.update(tokens_of(cue), cue.lower().removeprefix("=").split())
    foreign = (
        part
        for cues in column_cues().values()
        for cue in cues
        for part in words_of(cue.words)
    )
    words.update(part for part in foreign if len(part) >= _SHORTEST_FOREIGN)
    return frozenset(word for word in words if len(word) >= _SHORTEST_PART)


@lru_cache(maxsize=1)
def _longest_word() -> int:
    """Letters of the longest known word: no part of a name is longer."""
    return max(map(len, known_words()))


def spaced_name(name: str) -> str:
    """Put blanks between known words that stand without separators.

    Parameters
    ----------
    name : str
        ``"hospitaldischargestatus"`` gives ``"hospital discharge status"``.

    Returns
    -------
    str
        Unchanged where a part is no sequence of known words.
    """
    return _PART.sub(lambda found: " ".join(_parts(found.group())), name)


@lru_cache(maxsize=4096)
def _parts(word: str) -> list[str]:
    """Fewest known words that make up a word, or the word itself."""
    lower, known = fold(word), known_words()
    if lower in known or len(lower) != len(word):
        return [word]
    # best[end]: parts of the first `end` letters, and where the last one starts;
    # fewer parts are more likely.
    best: dict[int, tuple[int, int]] = {0: (0, 0)}
    for end in range(1, len(lower) + 1):
        for start in range(max(0, end - _longest_word()), end):
            part = lower[start:end]
            fits = part in known or (end == len(lower) and part in _ENDINGS)
            if start not in best or not fits:
                continue
            n_parts = best[start][0] + 1
            if end not in best or n_parts < best[end][0]:
                best[end] = n_parts, start
    parts, end = list[str](), len(lower)
    while end and end in best:
        start = best[end][1]
        parts.append(lower[start:end])
        end = start
    return parts[::-1] or [word]


@lru_cache(maxsize=1)
def cue_index() -> CueIndex:
    """Cues of all detectors, by their words."""
    return CueIndex([detector.cues for detector in DETECTORS])


class KeyKind(StrEnum):
    """What the values of a key number."""

    PERSON = "person"
    EVENT = "event"
    RECORD = "record"
    UNNAMED = "unnamed"


def key_kind(name: str) -> KeyKind | None:
    """What a column numbers by its name, None if it is no number's name.

    Parameters
    ----------
    name : str
        ``"Patientennummer"`` is a person's, ``"HADM_ID"`` an event's.
    """
    return _key_kind(without_number(name))


@lru_cache(maxsize=4096)
def _key_kind(name: str) -> KeyKind | None:
    known = word_table("keys")
    words = [_singular(word) for word in words_of(spaced_name(name))]
    whole = " ".join(words)
    for kind in (KeyKind.PERSON, KeyKind.RECORD):
        if {whole, whole.replace(" ", "")} & known[f"whole_{kind}"]:
            return kind
    if whole in known["person"]:
        return KeyKind.PERSON
    parts = [part for word in words for part in _stems(word)]
    if len(words) > _MOST_WORDS or not known["number"].intersection(parts):
        return None
    # The last word says what is numbered: "patient visit number" numbers visits.
    for part in reversed(parts):
        for meaning, named in _MEANINGS.items():
            if part in known[meaning]:
                return named
    return KeyKind.RECORD if words[-1] in known["whole_record"] else None


_MOST_WORDS = 5
_LINKS = ("", "en", "s", "n", "in", "es", "innen")
_MEANINGS: dict[str, KeyKind | None] = {
    "other": None,
    "event": KeyKind.EVENT,
    "person": KeyKind.PERSON,
}


def _singular(word: str) -> str:
    known = word_table("keys")
    if word.endswith("s") and word[:-1] in known["person"]:
        return word[:-1]
    return word


def _stems(word: str) -> Iterator[str]:
    """The word, and a person or event and a number that make it up."""
    yield word
    known = word_table("keys")
    for number in known["number"]:
        head = word.removesuffix(number)
        if not head or head == word:
            continue
        for meaning in ("person", "event", "other"):
            stems = (head.removesuffix(link) for link in _LINKS)
            if stem := next((each for each in stems if each in known[meaning]), None):
                yield stem
                yield number
