"""Template: values as they are, or fully suppressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.text import Text, tr


@TEMPLATES.register
@dataclass(frozen=True)
class Flat(Template):
    """Two levels: the value, and nothing."""

    kind: ClassVar[str] = "flat"
    title: ClassVar[Text] = "Keep or leave out"
    summary: ClassVar[Text] = (
        "The value is released as it is or not at all; for categories that have "
        "no meaningful broader groups, such as sex."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for both levels."""
        return (tr("as it is"), tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at both levels (see `Template.grid`)."""
        return [(text, SUPPRESSED) for text in values]
