"""Reads the glossary of the help: terms with their definitions and sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from deidgui import resources

_ENTRY = re.compile(r"^\*\*(?P<name>[^*]+)\*\*: (?P<rest>.+)$", re.MULTILINE)
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
def _pattern() -> re.Pattern[str]:
    """Any term as a whole word; longer ones first."""
    forms = sorted(map(re.escape, _forms()), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])", re.IGNORECASE)


def explained(text: str) -> str:
    """Return the definitions of the terms in a text, each once, a line each."""
    named = (_forms()[each[0].lower()] for each in _pattern().finditer(text))
    return "\n".join(map(str, dict.fromkeys(named)))
