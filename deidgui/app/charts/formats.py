"""How a number is written for people: 1,234; 0.7 %; < 0.01."""

from __future__ import annotations

import math

from deidgui.text import MINUS, THIN, tr, trimmed


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


def short_text(value: float) -> str:
    """Count shortened for a narrow axis: 12 k, 3.5 M."""
    for limit, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            scale = {"G": 1e9, "M": 1e6, "k": 1e3}[suffix]
            return f"{trimmed(value / scale, 1)}{THIN}{suffix}"
    return trimmed(value, 2)


def of_all_text(n: int, n_all: int, *, of_people: bool) -> str:
    """How many of all that are protected: records, or people with several rows."""
    if of_people:
        return tr("{n} of {all:person|people}", n=n, all=n_all)
    return tr("{n} of {all:record|records}", n=n, all=n_all)
