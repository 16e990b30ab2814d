"""How many attributes does a release say nothing about?"""

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


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class RemovedAttributes(AttributeMeasure):
    """1 for an attribute released at its most general level, 0 for the others.

    References
    ----------
    .. [1] An example; a real measure names author, year, title and equation.
    """

    kind = "removed_attributes"
    title = "Removed attributes"
    unit = "attributes"
    sources = ("an example",)

    aggregate: Aggregate = "sum"

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return "How many attributes are released at their most general level."

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        return (figures.levels == figures.facts.heights).astype(np.float64)
