"""Height: generalization steps in all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    Aggregate,
    AttributeMeasure,
    NodeFigures,
)
from deidgui.text import tr


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class Height(AttributeMeasure):
    """Number of generalization steps; suppressed records are not counted.

    References
    ----------
    .. [1] P. Samarati (2001), *Protecting respondents' identities in microdata
       release*, IEEE TKDE 13(6); methods.md B.4, Height.
    """

    kind = "height"
    title = "Generalization steps"
    unit = "levels"
    counts_suppressed = False
    sources = ("Samarati 2001",)

    aggregate: Aggregate = "sum"

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr("How many levels up all attributes are released together.")

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        return figures.levels.astype(np.float64)
