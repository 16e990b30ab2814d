"""Reads numbers from text and writes ranges of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

NOT_A_NUMBER = "not a number"
"""The group of values that are no numbers."""

ANY_NUMBER = "any number"
"""The only band, where nothing separates numbers."""

_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})", re.ASCII)


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
