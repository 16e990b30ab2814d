"""Reads numbers from text and writes ranges of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import NamedTuple

NOT_A_NUMBER = "not a number"
"""The group of values that are no numbers."""

ANY_NUMBER = "any number"
"""The only band, where nothing separates numbers."""

_BETWEEN = re.compile(
    r"([\[(]?)\s*([\d.,]+)\s*(?:-|\u2013|\.\.|,|;|to)\s*([\d.,]+)\s*([\])]?)", re.ASCII
)
_AND_OVER = re.compile(
    r"([\d.,]+)\s*(?:\+|(?:and|or) (?:over|older|above|more))", re.ASCII
)
_BEYOND = re.compile(r"(>=|\u2265|>|<=|\u2264|<|under|below)\s*([\d.,]+)", re.ASCII)

_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})", re.ASCII)


class NumberBand(NamedTuple):
    """All numbers from `low`, or -inf, up to but not including `high`, or inf."""

    low: Decimal
    high: Decimal


@dataclass(frozen=True)
class Scale:
    """How the numbers of one attribute are written.

    Parameters
    ----------
    whole : bool
        Fractions are cut off (completed years) and bands name their last number.
    decimal_mark : str
        "." or ",".
    """

    whole: bool = True
    decimal_mark: str = "."

    def read(self, text: str) -> Decimal | None:
        """Return the number that a text stands for, None if it is none.

        Numbers are at most 15 digits before the mark, so that a hostile file
        cannot make arithmetic slow; thousands separators are not read.
        """
        text = text.strip()
        if self.decimal_mark != ".":
            if "." in text:
                return None
            text = text.replace(self.decimal_mark, ".")
        if not _NUMBER.fullmatch(text):
            return None
        number = Decimal(text)
        return number.to_integral_value(ROUND_FLOOR) if self.whole else number

    def read_band(self, text: str) -> NumberBand | None:
        """Return the band that a text stands for: "[0-10)", "0-9", "<1", "85+".

        Returns
        -------
        Band or None
            None if it is no band, or if it is not clear whether it holds its bounds,
            as "0.5-1.0".
        """
        text = text.strip().lower()
        if found := _AND_OVER.fullmatch(text):
            return self._band("[", found[1], "inf", ")")
        if found := _BEYOND.fullmatch(text):
            sign, bound = found.groups()
            if sign in (">", ">=", "\u2265"):
                return self._band("(" if sign == ">" else "[", bound, "inf", ")")
            return self._band(
                "[", "-inf", bound, "]" if sign in ("<=", "\u2264") else ")"
            )
        found = _BETWEEN.fullmatch(text)
        return None if found is None else self._band(*found.groups())

    def _band(
        self, opening: str, low: str, high: str, closing: str
    ) -> NumberBand | None:
        """Band between two texts; without brackets it holds its last whole number."""
        exact = Scale(whole=False, decimal_mark=self.decimal_mark)
        ends = [
            Decimal(text) if text.endswith("inf") else exact.read(text)
            for text in (low, high)
        ]
        start, end = ends
        if start is None or end is None or bool(opening) != bool(closing):
            return None
        if self.whole:
            if any(each.is_finite() and each % 1 for each in (start, end)):
                return None
            start, end = start + (opening == "("), end + (closing != ")")
        elif (opening, closing) != ("[", ")"):
            return None
        return NumberBand(start, end) if start < end else None

    def write(self, number: Decimal) -> str:
        """Shortest plain text of a number, without exponent."""
        text = format(number, "f")
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        return "0" if text == "-0" else text.replace(".", self.decimal_mark)

    def band(self, low: Decimal, high: Decimal) -> str:
        """Label of all numbers from `low` up to, but not including, `high`."""
        if not self.whole:
            return f"{self.write(low)} to <{self.write(high)}"
        last = high - 1
        if last <= low:
            return self.write(low)
        joint = "-" if low >= 0 else " to "
        return f"{self.write(low)}{joint}{self.write(last)}"

    def at_least(self, low: Decimal) -> str:
        """Label of all numbers from `low` on: "90+"."""
        return f"{self.write(low)}+"

    def below(self, high: Decimal) -> str:
        """Label of all numbers under `high`: "<10"."""
        return f"<{self.write(high)}"

    def between(self, cuts: Sequence[Decimal], place: int) -> str:
        """Label of the band number `place` that ascending `cuts` make.

        Parameters
        ----------
        cuts : sequence of Decimal
            First number of every band but the lowest.
        place : int in [0, len(cuts)]

        Returns
        -------
        str
            The outer bands are open: "<18", "65+".
        """
        if not cuts:
            return ANY_NUMBER
        if place == 0:
            return self.below(cuts[0])
        if place == len(cuts):
            return self.at_least(cuts[-1])
        return self.band(cuts[place - 1], cuts[place])


def opened(label: str) -> str:
    """Label of a band that has no upper end any more: "29+" for "29-56"."""
    if label.endswith("+") or not any(each.isdigit() for each in label):
        return label
    if label.startswith("<"):
        return ANY_NUMBER
    for joint in (" to ", "-"):
        at = label.find(joint, 1)
        if at > 0:
            return f"{label[:at]}+"
    return f"{label}+"


def in_order(
    values: Sequence[str], scale: Scale
) -> tuple[list[tuple[Decimal, str]], list[str]]:
    """Split values into numbers in ascending order and the rest as given.

    Returns
    -------
    readable : list of (Decimal, str)
    unreadable : list of str
    """
    readable: list[tuple[Decimal, str]] = []
    unreadable: list[str] = []
    for text in values:
        number = scale.read(text)
        if number is None:
            unreadable.append(text)
        else:
            readable.append((number, text))
    readable.sort()
    return readable, unreadable


def decimal(number: float) -> Decimal:
    """Return the decimal number a person typed, not its binary neighbour."""
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
