"""Makes texts harmless that a spreadsheet would execute."""

from __future__ import annotations

import re

import polars as pl

MARK = "'"
"""Put before what a spreadsheet would read as a formula."""

UNSEEN = (
    "\x01-\x08\x0b\x0c\x0e- \x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5"
    "\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb"
)
"""Blanks of every width, byte order marks and control characters: what a program may
leave out before it looks at the first sign of a cell."""

SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫"
"""What makes a cell a formula, also as wide and small signs."""

HARMLESS = r"[+\-]?[0-9]+([.,][0-9]+)*([eE][+\-]?[0-9]+)?%?|[+\-]+"
"""Numbers may begin with a sign, and signs alone often mean "no value"."""

FORMULA = rf"(^|[;\t\r\n])[{UNSEEN}]*[{SIGNS}]|^[\t\r\n]"
"""Beginnings of formulas, also behind what some spreadsheets take as the end of a
cell: with a semicolon as list separator ``a;=1`` is two cells."""

_START = re.compile(rf"(?:^|(?<=[;\t\r\n]))(?=[{UNSEEN}]*[{SIGNS}])|^(?=[\t\r\n])")
_NUMBER = re.compile(f"[{UNSEEN}]*(?:{HARMLESS})")


def guard_text(text: str) -> str:
    """Return a text that no spreadsheet executes.

    Returns
    -------
    str
        The same text, or with an apostrophe before every beginning of a formula.

    References
    ----------
    .. [1] OWASP, *CSV Injection*: cells that begin with ``= + - @``, tab or
       carriage return (and their full-width forms) are evaluated. Programs that leave
       out blanks before a value evaluate them behind blanks, too.
    """
    if _NUMBER.fullmatch(text):
        return text
    return _START.sub(MARK, text)


def guard_texts(texts: pl.Series) -> pl.Series:
    """Return the texts of a dictionary, each as from `guard_text`."""
    number = f"^[{UNSEEN}]*(?:{HARMLESS})$"
    risky = texts.str.contains(FORMULA) & ~texts.str.contains(number)
    if not risky.any():
        return texts
    at = risky.arg_true()
    harmless = pl.Series(
        [guard_text(text) for text in texts.gather(at)], dtype=pl.String
    )
    return texts.clone().scatter(at, harmless)
