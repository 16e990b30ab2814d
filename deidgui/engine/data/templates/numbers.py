"""What the rules that read values as numbers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from deidgui.engine.data.hierarchy import Template
from deidgui.engine.data.numbers import Scale, in_order
from deidgui.engine.parameters import Help, Options
from deidgui.errors import ConfigError

Whole = Annotated[bool, Help("Whole numbers", "Cut off fractions and write 85-89.")]

DecimalMark = Annotated[
    str, Options((".", ",")), Help("Decimal mark", "The mark in the file.")
]


class NumberTemplate(Template):
    """A rule that reads values as numbers.

    Attributes
    ----------
    decimal_mark : str
        Parameters of every such rule, see `Scale`; each rule says where they
        stand among its own.
    """

    whole: bool
    decimal_mark: str

    @property
    def scale(self) -> Scale:
        """How numbers are read and written."""
        return Scale(self.whole, self.decimal_mark)

    def open_end(self, values: Sequence[str]) -> str | None:
        """Return the only value as "45+", if no number is above it."""
        found = [text for text in values if self._lowest(text) is not None]
        if len(found) != 1:
            return None
        lowest = self._lowest(found[0])
        numbers, _ = in_order(values, self.scale)
        is_last = not numbers or (lowest is not None and numbers[-1][0] <= lowest)
        return found[0] if is_last else None

    def _lowest(self, text: str) -> Decimal | None:
        """Number from which an open value counts; None if it is none."""
        text = text.strip()
        return self.scale.read(text[:-1]) if text.endswith("+") else None

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are no numbers."""
        end = self.open_end(values)
        return [text for text in in_order(values, self.scale)[1] if text != end]


MAX_LEVELS = 12
"""Most levels a rule may make; a lattice with more helps nobody."""


def require_factors(kind: str, factors: object) -> None:
    """Refuse factors that are no whole numbers, or too many of them.

    Raises
    ------
    ConfigError
        Code ``parameter_type`` or ``template_levels`` with the template.
    """
    if not isinstance(factors, tuple) or any(type(each) is not int for each in factors):
        raise ConfigError(
            "parameter_type", model=kind, parameter="factors", expected="int"
        )
    if len(factors) > MAX_LEVELS:
        raise ConfigError("template_levels", template=kind, limit=MAX_LEVELS)


def require_whole(kind: str, **bounds: float | None) -> None:
    """Refuse fractions among the bounds of bands of whole numbers.

    Raises
    ------
    ConfigError
        Code ``band_not_whole`` with the template and the parameter.
    """
    for name, bound in bounds.items():
        if bound is not None and bound != int(bound):
            raise ConfigError("band_not_whole", template=kind, parameter=name)
