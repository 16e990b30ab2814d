"""Makes texts harmless that a spreadsheet would execute."""

from __future__ import annotations

import re

import polars as pl

MARK = "'"
"""Put before what a spreadsheet would read as a formula."""

HARMLESS = r"[+\-]?[0-9]+([.,][0-9]+)*([eE][+\-]?[0-9]+)?%?|[+\-]+"
"""Numbers may begin with a sign, and signs alone often mean "no value"."""

FORMULA = r"(^|[;\t\r\n])[=+\-@＝＋－＠]|^[\t\r\n]"
"""Beginnings of formulas, also behind what some spreadsheets take as the end of a
cell: with a semicolon as list separator ``a;=1`` is two cells."""

_START = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])")


def guard_text(text: str) -> str:
    """Return a text that no spreadsheet executes.

    Returns
    -------
    str
        The same text, or with an apostrophe before every beginning of a formula.

    References
    ----------
    .. [1] OWASP, *CSV Injection*: cells that begin with ``= + - @``, tab or
       carriage return (and their full-width forms) are evaluated.
    """
    if re.fullmatch(HARMLESS, text):
        return text
    return _START.sub(MARK, text)


def guard_texts(texts: pl.Series) -> pl.Series:
    """Return the texts of a dictionary, each as from `guard_text`."""
    risky = texts.str.contains(FORMULA) & ~texts.str.contains(f"^(?:{HARMLESS})$")
    if not risky.any():
        return texts
    at = risky.arg_true()
    harmless = pl.Series(
        [guard_text(text) for text in texts.gather(at)], dtype=pl.String
    )
    return texts.clone().scatter(at, harmless)
