"""Template: ages, those of 80 and over as one group on every level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import TEMPLATES
from deidgui.engine.data.templates.day_bands import FixedBands, band_of
from deidgui.engine.parameters import Help, Range
from deidgui.text import Text, tr

WIDTHS = (5, 10, 20)


@TEMPLATES.register
@dataclass(frozen=True)
class Ages(FixedBands):
    """Years, then 5, 10 and 20 years with all ages from 80 on together.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, Table 4; methods.md E.4.
    """

    top: Annotated[
        int,
        Range(20, 200),
        Help("Together from", "This age and all above it are one group; 80 or 100."),
    ] = 80

    kind: ClassVar[str] = "ages"
    title: ClassVar[Text] = "Ages with 80+"
    summary: ClassVar[Text] = (
        "Years, then bands of 5, 10 and 20 years; ages of 80 and over are one group."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        bands = (
            tr("bands of {width} years, {top}+ together", width=width, top=self.top)
            for width in WIDTHS
        )
        return (tr("as it is"), *bands, tr("left out"))

    def bands(self, number: int) -> tuple[str, ...]:
        """Labels of an age; bands that would pass the top end at it."""
        return tuple(
            band_of(number, (*range(0, self.top, width), self.top)) for width in WIDTHS
        )
