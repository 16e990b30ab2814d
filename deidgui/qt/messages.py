"""What an error says to the person at the screen: what is wrong and how to mend it."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from deidgui.app.messages import Sentence, fill, sentences
from deidgui.errors import DeidError, ProblemsError

UNKNOWN = Sentence(
    "Something did not work ({code}).",
    "Try again; if it happens again, report this code.",
)


class Words(NamedTuple):
    """Translated text of an error; `mend` may be empty."""

    what: str
    mend: str


def words_for(error: DeidError) -> Words:
    """Return what is wrong and how to mend it; several problems give a line each."""
    if isinstance(error, ProblemsError):
        every = [words_for(problem) for problem in error.problems]
        mends = dict.fromkeys(words.mend for words in every if words.mend)
        return Words("\n".join(words.what for words in every), "\n".join(mends))
    sentence = sentences().get(error.code, UNKNOWN)
    translated = Sentence(_translated(sentence.what), _translated(sentence.mend))
    message = fill(translated, {**error.params, "code": error.code})
    return Words(message.what, message.mend)


def _translated(text: str) -> str:
    return QCoreApplication.translate("messages", text) if text else ""
