"""Which ABO group does a blood group with its rhesus factor belong to?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from deidgui.engine.data.hierarchy import (
    NOT_IN_LIST,
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)

ABO = ("0", "A", "B", "AB")


@TEMPLATES.register
@dataclass(frozen=True)
class BloodGroups(Template):
    """Group with rhesus factor, ABO group, nothing."""

    kind: ClassVar[str] = "blood_groups"
    title: ClassVar[str] = "Blood groups"
    summary: ClassVar[str] = "The rhesus factor is left out first, then the group."

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return ("as it is", "ABO group", "left out")

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        known = [text for text in values if _abo(text)]
        self._refuse_if_none_read(values, len(known))
        known.sort(key=lambda text: (ABO.index(_abo(text)), text))
        rows: Grid = [(text, _abo(text), SUPPRESSED) for text in known]
        rows += [(text, NOT_IN_LIST, SUPPRESSED) for text in self.unread(values)]
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are no blood group."""
        return [text for text in values if not _abo(text)]


def _abo(text: str) -> str:
    """ABO group of a blood group, "" if the text is none."""
    group = text.strip().upper().rstrip("+-").replace("O", "0")
    return group if group in ABO else ""
