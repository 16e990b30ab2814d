"""Says what a column numbers by its name: persons, stays, records."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from deidgui.engine.detect.column_names import words_of
from deidgui.engine.detect.spacing import spaced_name
from deidgui.engine.detect.wordlists import word_table


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
    known = word_table("keys")
    words = [_singular(word) for word in words_of(spaced_name(name))]
    whole = " ".join(words)
    for kind in (KeyKind.PERSON, KeyKind.RECORD):
        if {whole, whole.replace(" ", "")} & known[f"whole_{kind}"]:
            return kind
    if whole in known["person"]:
        return KeyKind.PERSON
    parts = [part for word in words for part in _parts(word)]
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


def _parts(word: str) -> Iterator[str]:
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
