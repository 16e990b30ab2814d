"""Puts blanks between known words of column names that are written without."""

from __future__ import annotations

import re
from functools import lru_cache

from deidgui.engine.detect.column_names import (
    CueIndex,
    abbreviations,
    fold,
    tokens_of,
    words_of,
)
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.wordlists import column_cues

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
