"""Template: the most common values, the others joined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.engine.data.templates.numbers import MAX_LEVELS
from deidgui.engine.parameters import Help
from deidgui.errors import ConfigError
from deidgui.text import Text, tr

SHARED = 12
"""A value that fewer records (or people) have is not common, and no label tells it.

PRIVACY: more than a class must have under the strictest usual threshold, 1 in 11.
"""

OTHERS = "(others)"
"""Stands for the values that are not common."""


@TEMPLATES.register
@dataclass(frozen=True)
class CommonValues(Template):
    """Keeps fewer of the most common values on every level.

    Notes
    -----
    Of values that equally many records have, those that come first are kept. Values
    that fewer than `SHARED` records have are not common. At least two values are
    joined, or none: fewer are kept where only one would be left, and all where there
    are no more than two.
    """

    keep: Annotated[
        tuple[int, ...],
        Help("Values kept", "How many of the most common values each level keeps."),
    ] = (4, 1)

    has_neighbours: ClassVar[bool] = False
    kind: ClassVar[str] = "common_values"
    title: ClassVar[Text] = "Most common values"
    summary: ClassVar[Text] = (
        "Keeps the most common values and joins the others; for categories that "
        "have no broader groups, such as occupations."
    )

    def __post_init__(self) -> None:
        keep = self.keep
        if not isinstance(keep, tuple) or any(type(each) is not int for each in keep):
            raise ConfigError(
                "parameter_type", model=self.kind, parameter="keep", expected="int"
            )
        falls = all(low < high for high, low in pairwise(keep))
        if not keep or len(keep) > MAX_LEVELS or not falls or keep[-1] < 1:
            raise ConfigError("template_keep", model=self.kind)
        super().__post_init__()

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        names = (
            tr("{n} most common kept", n=n) if n > 1 else tr("most common value kept")
            for n in self.keep
        )
        return (tr("as it is"), *names, tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels when all values are equally common (see `Template.grid`)."""
        return self.weighted_grid(values, [SHARED] * len(values))

    def weighted_grid(self, values: Sequence[str], n_records: Sequence[int]) -> Grid:
        """Labels that go by the records of each value."""
        # Sorting is stable: of equally common values the first one stays the first.
        ranked = sorted(zip(values, n_records, strict=True), key=lambda each: -each[1])
        kept = [_kept(ranked, n) for n in self.keep]
        return [
            (text, *(text if text in level else OTHERS for level in kept), SUPPRESSED)
            for text in values
        ]


def _kept(ranked: Sequence[tuple[str, int]], n_wanted: int) -> Collection[str]:
    """Values that a level keeps, of all values with the most common one first."""
    if len(ranked) <= max(2, n_wanted):
        return frozenset(text for text, _ in ranked)
    first = ranked[: min(n_wanted, len(ranked) - 2)]
    return frozenset(text for text, n in first if n >= SHARED)
