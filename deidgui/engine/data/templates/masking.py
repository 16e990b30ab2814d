"""Template: the first characters of a code, the others masked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.engine.parameters import Help, Options, Range, Unit
from deidgui.errors import ConfigError
from deidgui.text import Text, tr


@TEMPLATES.register
@dataclass(frozen=True)
class Masking(Template):
    """Replaces more characters from one end on every level.

    Notes
    -----
    The length of a value stays visible until nothing of it is left; a value
    that is masked completely becomes ``*`` at once.
    """

    side: Annotated[
        str,
        Options(("right", "left")),
        Help("From the", "At which end the masking starts."),
    ] = "right"
    step: Annotated[
        int,
        Range(1, 1000),
        Unit("characters"),
        Help("Characters per level", "How many more are masked on each level."),
    ] = 1
    levels: Annotated[
        int,
        Range(1, 20),
        Unit("levels"),
        Help("Levels", "How many masking levels there are before nothing is left."),
    ] = 3
    mask: Annotated[str, Help("Mask", "The one character that is written instead.")] = (
        "*"
    )

    kind: ClassVar[str] = "masking"
    title: ClassVar[Text] = "Mask characters"
    summary: ClassVar[Text] = (
        "Replaces characters from the right or from the left; for codes whose "
        "first or last characters are the broader part."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.mask) != 1 or not self.mask.isprintable():
            raise ConfigError("template_mask", template=self.kind)

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        end = "last" if self.side == "right" else "first"
        masked = (
            f"{end} {_characters(self.step * level)} masked"
            for level in range(1, self.levels + 1)
        )
        return (tr("as it is"), *masked, tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        ordered = (
            values if self.side == "right" else sorted(values, key=lambda v: v[::-1])
        )
        return [
            (
                text,
                *(self._masked(text, level) for level in range(1, self.levels + 1)),
                SUPPRESSED,
            )
            for text in ordered
        ]

    def _masked(self, text: str, level: int) -> str:
        n_masked = self.step * level
        if n_masked >= len(text):
            return SUPPRESSED
        if self.side == "right":
            return text[:-n_masked] + self.mask * n_masked
        return self.mask * n_masked + text[n_masked:]


def _characters(count: int) -> str:
    return "character" if count == 1 else f"{count} characters"
