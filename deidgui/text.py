"""The one function that every text for people passes: translated, then filled.

Texts are English sentences with named parameters; they are their own keys in the
catalogue of a language (``resources/locale``). A count chooses its plural inside the
sentence, so that a sentence can hold several: ``{n:record|records}``.

``packaging/texts.py`` gathers the texts: literals passed to `tr`, and literals of what
is declared as a `Text` and passed to `tr` where it is shown.
"""

from __future__ import annotations

import gettext
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, TypeAlias

MINUS = "\u2212"

DOMAIN = "deidgui"
"""Name of the catalogues."""

Text: TypeAlias = str
"""An English text that is a key of the catalogue and passes `tr` where it is shown."""

THIN = "\u202f"
"""Narrow no-break space, between a number and its unit."""

Plural: TypeAlias = Callable[[int], int]
"""Which of its plural forms a language uses for a count."""


def _english_plural(count: int) -> int:
    return int(count != 1)


@dataclass(frozen=True, eq=False)
class _Language:
    """A catalogue and its plural forms."""

    texts: gettext.NullTranslations
    plural: Plural


_ENGLISH = _Language(gettext.NullTranslations(), _english_plural)


class _Shown:
    """The language of the window and the command line, in all threads."""

    language = _ENGLISH


_written: ContextVar[_Language | None] = ContextVar("_written", default=None)
"""A language for the present thread alone."""


def use_language(folder: Path, *languages: str) -> None:
    """Show texts in the first of some languages that has a catalogue, else English.

    Parameters
    ----------
    folder : Path
        Of the catalogues: `resources.path` of "locale".
    """
    found = gettext.translation(DOMAIN, folder, languages, fallback=True)
    plural = getattr(found, "plural", _english_plural)
    _Shown.language = _Language(found, plural)


@contextmanager
def in_english() -> Iterator[None]:
    """Give texts in English, whatever language is shown; also as a decorator.

    For what is compared or kept by programs: evidence reads the same wherever it was
    made.
    """
    token = _written.set(_ENGLISH)
    try:
        yield
    finally:
        _written.reset(token)


def _language() -> _Language:
    return _written.get() or _Shown.language


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
    translated = _language().texts.gettext(text) if text else ""
    return fill(translated, params) if params else translated


def fill(template: str, params: Mapping[str, Any]) -> str:
    """Fill parameters into a text that is translated already; texts are `escaped`."""
    return template.format_map(
        _Params({name: _fitting(value) for name, value in params.items()})
    )


def _fitting(value: Any) -> Any:
    if type(value) is str:
        return _Words(escaped(value))
    is_count = isinstance(value, Integral) and not isinstance(value, bool)
    return _Count(value) if is_count else value


_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters, marks that turn the direction of writing, halves of characters
and invisible tags; line feeds and tabs are left."""


def per_cent(share: float, digits: int = 4) -> str:
    """Write a limit or probability in per cent, as finely as it is decided.

    The number and its sign are never in two lines. What is measured is written by
    `share_text`, which never rounds to none or to all.

    Parameters
    ----------
    digits : int, optional
        Significant digits.
    """
    return f"{100 * share:.{digits}g}{THIN}%"


def share_text(share: float) -> str:
    """Share in per cent, never rounded to none or to all when it is neither.

    Parameters
    ----------
    share : float
        In [0, 1] as a rule; NaN means unknown.
    """
    if math.isnan(share):
        return tr("unknown")
    if 0 < share < 0.0001:
        return f"< 0.01{THIN}%"
    if 0.9995 <= share < 1:
        return f"> 99.9{THIN}%"
    digits = 2 if 0 < abs(share) < 0.00095 else 1
    return f"{trimmed(share * 100, digits)}{THIN}%"


def trimmed(number: float, digits: int) -> str:
    """Fixed digits with thousands separators, without trailing zeros."""
    text = f"{number:,.{digits}f}"
    if digits:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", MINUS)


_FIRST = re.compile(r"((?:“[^”]*”|[^“])*?\.) +(.*)", re.DOTALL)


def first_sentence(words: str) -> tuple[str, str]:
    """Return the first of some sentences, and the others; a name may hold a stop."""
    found = _FIRST.fullmatch(words)
    return (found[1], found[2]) if found else (words, "")


def escaped(text: str) -> str:
    r"""Return a text of strangers as it can be shown: what steers is a number.

    Names of columns and labels come from files: ``\u202e`` in one turns what follows
    it, and a control character may end a line or a file.
    """
    if not _STEERING.search(text):
        return text
    return _STEERING.sub(lambda found: ascii(found.group())[1:-1], text)


class _Params(dict[str, Any]):
    """Parameters by name; a missing one shows as its name instead of failing."""

    def __missing__(self, name: str) -> str:
        return _Words(f"‹{name}›")


class _Words(str):
    """A text whose format may hold the plural forms of a noun: a count in words."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return super().__format__(spec)
        one, *more = spec.split("|")
        return f"{self} {one if self == '1' else more[-1]}"


_NUMERIC = re.compile(r"[<>=^+\- #0]*\d*[,_]?(\.\d+)?[dgefn%]?")
"""A format of numbers; anything else is a noun in its plural forms."""


class _Count(int):
    """A count whose format may hold the plural forms of its noun."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return f"{int(self):,}"
        if _NUMERIC.fullmatch(spec):
            return int.__format__(self, spec)
        forms = spec.split("|")
        form = forms[min(_language().plural(abs(int(self))), len(forms) - 1)]
        return f"{int(self):,} {form}"


def unit_words(of_people: bool) -> str:
    """What is counted: records, or people where rows belong to people."""
    return tr("people") if of_people else tr("records")


def count_words(n: int, of_people: bool) -> str:
    """Say how many records, or people, with their number: "1 record", "25 people"."""
    return tr("{n:person|people}", n=n) if of_people else tr("{n:record|records}", n=n)
