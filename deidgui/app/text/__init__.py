"""Sentences for error codes: what is wrong, where, and how to fix it."""

from __future__ import annotations

import importlib
import math
import pkgutil
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from deidgui.app.text.base import Sentence
from deidgui.errors import DeidError, ProblemsError
from deidgui.text import tr

__all__ = [
    "Message",
    "Sentence",
    "message_for",
    "sentence_for",
    "sentences",
    "text_of",
    "visible",
]


_TURNS = (
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"
)
"""Marks of writing direction, and the two separators that break lines."""


MAX_COUNT = 10**15
"""Larger counts are written as powers of ten."""


MAX_NAME = 300
"""Characters of a name in a sentence; column names may have thousands."""


@dataclass(frozen=True)
class Message:
    """The filled-in sentences for one error (see `Sentence`)."""

    code: str
    what: str
    fix: str
    command: str = ""

    def __str__(self) -> str:
        """Return all of it, for the command line."""
        return f"{self.what} {self.all_fixes}".strip()

    @property
    def all_fixes(self) -> str:
        """How to fix it in the window and on the command line."""
        return f"{self.fix} {self.command}".strip()


@cache
def sentences() -> Mapping[str, Sentence]:
    """All sentences by code, gathered from the files of this package.

    Raises
    ------
    AssertionError
        If two files have a sentence for the same code.
    """
    found: dict[str, Sentence] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name == "base":
            continue
        area = importlib.import_module(f"{__name__}.{module.name}")
        clashes = found.keys() & area.SENTENCES.keys()
        assert not clashes, clashes
        found.update(area.SENTENCES)
    return found


def fill(sentence: Sentence, params: Mapping[str, object]) -> Message:
    """Put the parameters of an error into its sentence."""
    shown = {name: _shown(value) for name, value in params.items()}
    texts = (sentence.what, sentence.fix, sentence.command)
    return Message("", *(tr(text, **shown) for text in texts))


def message_for(error: DeidError) -> Message:
    """Return the message for an expected failure, the first one of several."""
    if isinstance(error, ProblemsError):
        return message_for(error.problems[0])
    sentence = sentences().get(error.code)
    if sentence is None:
        return Message(error.code, error.code.replace("_", " ").capitalize() + ".", "")
    return replace(fill(sentence, error.params), code=error.code)


def sentence_for(code: str, params: Mapping[str, object]) -> str:
    """Return the filled sentence for a reason, a piece of evidence or a check."""
    sentence = sentences().get(code)
    if sentence is None:
        return code.replace("_", " ").capitalize() + "."
    return str(fill(sentence, params))


def text_of(error: DeidError) -> str:
    """Return the whole text for an error: every problem on a line of its own."""
    problems = error.problems if isinstance(error, ProblemsError) else (error,)
    return "\n".join(str(message_for(problem)) for problem in problems)


def _shown(value: object) -> int | str:
    if isinstance(value, tuple):
        return ", ".join(_cut(str(item)) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return _count(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return _cut(str(value))


def _cut(text: str) -> str:
    """Return a name as it is told; of a very long one the beginning says which."""
    return _plain(text if len(text) <= MAX_NAME else f"{text[:MAX_NAME]}…")


def _count(value: int) -> int | str:
    """Return a count; of one with more than 15 digits its magnitude says all."""
    if abs(value) < MAX_COUNT:
        return value
    return tr("more than 10^{power:d}", power=int(math.log10(abs(value))))


def visible(value: Any) -> Any:
    """Return a JSON value whose texts cannot steer a terminal or break a line.

    Names of files and columns come from strangers: control characters and marks
    that turn the direction of writing show as ``�``.
    """
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, Mapping):
        return {_plain(str(name)): visible(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [visible(each) for each in value]
    return value


def _plain(text: str) -> str:
    if text.isprintable():
        # PERF: most texts are; nothing that steers is printable.
        return text
    return "".join("�" if _steers(each) else each for each in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") or character in _TURNS
