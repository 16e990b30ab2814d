"""Thresholds as the fractions that they stand for: 0.09 is one in eleven."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction

from deidgui.engine.determination.questions import Level
from deidgui.errors import ConfigError
from deidgui.text import per_cent, tr

NAMED: Mapping[str, Fraction] = {
    "0.05": Fraction(1, 20),
    "0.09": Fraction(1, 11),
    "0.1": Fraction(1, 10),
    "0.2": Fraction(1, 5),
    "0.33": Fraction(1, 3),
    "0.5": Fraction(1, 2),
}
"""What guidelines print, and the group size that they mean by it."""

OF_LEVEL: Mapping[Level, Fraction] = {
    "low": Fraction(1, 10),
    "medium": Fraction(3, 40),
    "high": Fraction(1, 20),
}
"""Threshold by invasion of privacy.

References
----------
.. [1] Information and Privacy Commissioner of Ontario (2016), which cites El Emam
   (2013), p. 228; determination.md 2.5.
"""

CAP = Fraction(1, 3)
"""No record above it where the average decides ("strict average").

References
----------
.. [1] Information and Privacy Commissioner of Ontario (2016); determination.md 2.5.
"""

_FRACTION = re.compile(r"1/([1-9]\d{0,5})")
_DECIMAL = re.compile(r"(?:0?\.\d{1,9}|1(?:\.0{1,9})?)")


def threshold_of(text: str) -> Fraction:
    """Read a threshold as a person writes it: ``1/11``, or ``0.075``.

    A decimal that guidelines print stands for their group size: ``0.09`` is 1/11.

    Returns
    -------
    Fraction in (0, 1]

    Raises
    ------
    ConfigError
        Code ``not_one_of``.
    """
    if found := _FRACTION.fullmatch(text):
        return Fraction(1, int(found[1]))
    if _DECIMAL.fullmatch(text):
        value = Fraction(text)
        for name, fraction in NAMED.items():
            if value == Fraction(name):
                return fraction
        if 0 < value <= 1:
            return value
    known = (*(f"1/{each}" for each in (3, 5, 10, 11, 20)), tr("a number up to 1"))
    raise ConfigError("not_one_of", what="threshold", value=text, known=known)


def least_group(threshold: Fraction | float) -> int:
    """Smallest group whose risk is at most a threshold: ⌈1/T⌉.

    A decimal is taken as it is: 0.09 asks for 12, one in eleven for 11.
    """
    if isinstance(threshold, Fraction):
        return math.ceil(1 / threshold)
    return math.ceil(1 / threshold - 1e-9)


def threshold_text(threshold: Fraction | float) -> str:
    """Write a threshold: "9 % (1 in 11)", or "25 %" alone where no name is usual."""
    for name, fraction in NAMED.items():
        if abs(float(fraction) - float(threshold)) < 1e-12:
            share = per_cent(float(name))
            return tr("{number} (1 in {n})", number=share, n=fraction.denominator)
    return per_cent(float(threshold))
