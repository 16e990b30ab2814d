"""What an error says to the person at the screen: what is wrong and how to fix it."""

from __future__ import annotations

from typing import NamedTuple

from deidgui.app.text import Sentence, fill, sentences
from deidgui.errors import DeidError, ProblemsError

UNKNOWN = Sentence(
    "Something did not work ({code}).",
    "Try again; if it happens again, report this code.",
)


class Words(NamedTuple):
    """Translated text of an error; `fix` may be empty."""

    what: str
    fix: str


def words_for(error: DeidError) -> Words:
    """Return what is wrong and how to fix it; several problems give a line each."""
    if isinstance(error, ProblemsError):
        every = [words_for(problem) for problem in error.problems]
        fixes = dict.fromkeys(words.fix for words in every if words.fix)
        return Words("\n".join(words.what for words in every), "\n".join(fixes))
    sentence = sentences().get(error.code, UNKNOWN)
    message = fill(sentence, {**error.params, "code": error.code})
    return Words(message.what, message.fix)
