"""The one function that every text for people passes: translated, then filled.

Texts are English sentences with named parameters; they are their own keys in the
catalogue of a language (``resources/locale``). A count chooses its plural inside the
sentence, so that a sentence can hold several: ``{n:record|records}``.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from typing import Any

from deidgui import resources

DOMAIN = "deidgui"
"""Name of the catalogues."""

Plural = Callable[[int], int]
"""Which of its plural forms a language uses for a count."""


def _english(count: int) -> int:
    return int(count != 1)


class _Language:
    """The catalogue in use."""

    texts: gettext.NullTranslations = gettext.NullTranslations()
    plural: Plural = staticmethod(_english)


def use_language(*languages: str) -> None:
    """Show texts in the first of some languages that has a catalogue, else English."""
    folder = resources.path("locale")
    found = gettext.translation(DOMAIN, folder, languages, fallback=True)
    _Language.texts = found
    _Language.plural = staticmethod(getattr(found, "plural", _english))


def tr(text: str, /, **params: Any) -> str:
    """Return a text in the language in use, with its parameters filled in.

    Parameters
    ----------
    text : str
        An English sentence; ``{name}`` stands for a parameter, ``{name:one|many}``
        for a count with its noun.
    **params
        Whole numbers are counts, with separators between thousands (``{year:d}`` has
        none); everything else is formatted as `str.format` does.
    """
    translated = _Language.texts.gettext(text) if text else ""
    return fill(translated, params) if params else translated


def mark(text: str, /) -> str:
    """Mark a text for the catalogue that `tr` translates where it is shown."""
    return text


def fill(template: str, params: Mapping[str, Any]) -> str:
    """Fill parameters into a text that is translated already."""
    return template.format_map(
        _Params({name: _countable(value) for name, value in params.items()})
    )


def _countable(value: Any) -> Any:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return _Count(value) if is_count else value


class _Params(dict[str, Any]):
    """Parameters by name; a missing one shows as its name instead of failing."""

    def __missing__(self, name: str) -> str:
        return f"‹{name}›"


class _Count(int):
    """A count whose format may hold the plural forms of its noun."""

    def __format__(self, spec: str) -> str:
        if spec and "|" not in spec:
            return int.__format__(self, spec)
        if not spec:
            return f"{int(self):,}"
        forms = spec.split("|")
        form = forms[min(_Language.plural(abs(int(self))), len(forms) - 1)]
        return f"{int(self):,} {form}"
