"""Reads the glossary of the help: terms with their definitions and sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from deidgui import resources

_ENTRY = re.compile(r"^\*\*(?P<name>[^*]+)\*\*: (?P<rest>.+)$", re.MULTILINE)
_WORD = re.compile(r"[\w-]+")
_SOURCE = re.compile(r" \*(?P<source>[^*]+)\*$")


class Term(NamedTuple):
    """A word of the field as the program uses it.

    Attributes
    ----------
    source : str
        The text that the definition follows; empty for a word of the program.
    """

    name: str
    definition: str
    source: str

    def __str__(self) -> str:
        source = f" ({self.source})" if self.source else ""
        return f"{self.name}: {self.definition}{source}"


@cache
def terms() -> Mapping[str, Term]:
    """Return the terms by their names in small letters."""
    page = resources.path("help", "glossary.md").read_text(encoding="utf-8")
    found = {}
    for entry in _ENTRY.finditer(page):
        source = _SOURCE.search(entry["rest"])
        definition = _SOURCE.sub("", entry["rest"])
        term = Term(entry["name"], definition, source["source"] if source else "")
        found[term.name.lower()] = term
    return found


_ENDINGS = ("", "s", "es", "d", "ed")


@cache
def _forms() -> Mapping[str, Term]:
    """Return the terms by the forms in which they stand in a text."""
    found = {}
    for name, term in terms().items():
        found.update(dict.fromkeys((name + ending for ending in _ENDINGS), term))
        if name.endswith("y"):
            found[f"{name[:-1]}ies"] = term
    return found


@cache
def _forms_by_first_word() -> Mapping[str, tuple[str, ...]]:
    """Return the forms that begin with a word; longer ones first."""
    found: dict[str, list[str]] = {}
    for form in sorted(_forms(), key=len, reverse=True):
        found.setdefault(form.split(" ")[0], []).append(form)
    return {word: tuple(forms) for word, forms in found.items()}


def _named(text: str) -> Iterator[Term]:
    """Yield the terms that stand in a text as whole words, in its order.

    PERF: every text of the window is looked through. A pattern of all forms takes ten
    times as long, and 7 ms before the first text.
    """
    words, forms = text.lower(), _forms_by_first_word()
    end = 0
    for word in _WORD.finditer(words):
        if word.start() < end:
            continue
        for form in forms.get(word[0], ()):
            last = word.start() + len(form)
            if words.startswith(form, word.start()) and not _WORD.match(words, last):
                yield _forms()[form]
                end = last
                break


def explained(text: str) -> str:
    """Return the definitions of the terms in a text, each once, a line each."""
    return "\n".join(map(str, dict.fromkeys(_named(text))))
