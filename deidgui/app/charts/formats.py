"""How a number is written for people: 1,234; 0.7 %; < 0.01."""

from __future__ import annotations

import math

from deidgui.text import MINUS, THIN, Text, share_text, tr, trimmed


def count_text(count: int) -> str:
    """Whole number with thousands separators."""
    return f"{count:,}".replace("-", MINUS)


def number_text(number: float) -> str:
    """Number with three significant digits or all digits before the point.

    Parameters
    ----------
    number : float
        NaN means unknown.
    """
    if math.isnan(number):
        return "unknown"
    if math.isinf(number):
        return "∞" if number > 0 else f"{MINUS}∞"
    if 0 < number < 0.01:
        return "< 0.01"
    size = abs(number)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2
    return trimmed(number, digits)


def risk_texts(*risks: float) -> tuple[str, ...]:
    """Write sums of risks that stand beside each other so that they can be told apart.

    Parameters
    ----------
    *risks : float, >= 0

    Returns
    -------
    tuple of str
        With the same number of decimals, at least two; more where different risks
        would read alike or a risk below one would have fewer than three digits.
    """
    different = {float(f"{risk:.9g}") for risk in risks}
    least = min((risk for risk in different if risk > 0), default=1.0)
    texts: tuple[str, ...] = ()
    for decimals in range(2, 12):
        texts = tuple(f"{risk:,.{decimals}f}" for risk in risks)
        if least * 10.0**decimals >= 100 and len(set(texts)) >= len(different):
            break
    return texts


def axis_text(value: float, spacing: float, *, is_share: bool) -> str:
    """Text of a tick, with just the digits that tell it from its neighbours.

    Parameters
    ----------
    spacing : float, > 0
        Distance to the next tick, in the unit of `value`.
    is_share : bool
        Whether `value` is a share, to be written in per cent.
    """
    factor = 100 if is_share else 1
    digits = max(0, math.ceil(-math.log10(spacing * factor) - 1e-9))
    text = f"{value * factor:,.{digits}f}".replace("-", MINUS)
    return f"{text}{THIN}%" if is_share else text


SHORTENED = 100_000
"""Counts beside one of so many are shortened; 12,345 is as wide as 12.3 k."""


def short_text(value: float) -> str:
    """Count shortened for a narrow place, as all beside it are: 5 k, 120 k, 3.5 M."""
    for scale, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= scale:
            return f"{trimmed(value / scale, 1)}{THIN}{suffix}"
    return trimmed(value, 2)


def of_all_text(n: int, n_all: int, *, of_people: bool) -> str:
    """How many of all that are protected: records, or people with several rows."""
    if of_people:
        return tr("{n} of {all:person|people}", n=n, all=n_all)
    return tr("{n} of {all:record|records}", n=n, all=n_all)


def suppression_words(
    n_suppressed: int,
    n_all: int,
    *,
    rows: tuple[int, int] | None = None,
    limit: str = "",
    in_cells: bool = False,
) -> str:
    """Say how many are suppressed, of whom, and how many rows that are.

    Parameters
    ----------
    n_suppressed, n_all : int
        People where rows belong to people, else records.
    rows : tuple of int, optional
        Suppressed rows and all rows, where these belong to people.
    limit : str, optional
        The suppression limit, in words.
    in_cells : bool
        Whether single cells of these records are suppressed.
    """
    words: Text = "Suppressed: {counted} ({share})"
    if in_cells and rows is None:
        words = "Suppressed, in single cells: {counted} ({share})"
    counted = of_all_text(n_suppressed, n_all, of_people=rows is not None)
    said = tr(words, counted=counted, share=share_text(n_suppressed / max(n_all, 1)))
    if limit:
        said = tr("{suppressed}; the limit is {limit}", suppressed=said, limit=limit)
    return f"{said}. {rows_words(rows)}".rstrip()


def rows_words(rows: tuple[int, int] | None) -> str:
    """Say how many of all rows suppressed people have; empty if none, or no people."""
    if rows is None or not rows[0]:
        return ""
    n_suppressed, n_rows = rows
    return tr(
        "Suppressed rows: {n} of {all:row|rows} ({share}).",
        n=n_suppressed,
        all=n_rows,
        share=share_text(n_suppressed / n_rows),
    )
