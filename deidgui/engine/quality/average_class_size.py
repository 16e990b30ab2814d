"""Average equivalence class size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray
from deidgui.engine.parameters import Help, Range
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    Balance,
    NodeFigures,
    QualityMeasure,
    factors,
)
from deidgui.text import tr


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class AverageClassSize(QualityMeasure):
    """Records per class; all suppressed records together are one class.

    Parameters
    ----------
    gs_factor : float in [0, 1]

    References
    ----------
    .. [1] K. LeFevre et al. (2006), *Mondrian multidimensional k-anonymity*,
       section 5 (C_avg, here not divided by k); methods.md B.4, AECS.
    """

    kind = "average_class_size"
    title = "Average group size"
    unit = "records"
    floor_counts_suppressed = False
    sources = ("LeFevre 2006",)

    gs_factor: Balance = 0.5

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How many look alike on average; all that is suppressed counts as one "
            "group."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node (see `QualityMeasure.values`)."""
        # The factors change places: groups, not losses, are weighted.
        factor = factors(self.gs_factor)
        kept = figures.n_classes - figures.suppressed_classes
        suppressed_group = (figures.suppressed_records > 0) * factor.generalized
        groups = factor.suppressed * kept + suppressed_group
        return _per_group(figures, groups)

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`)."""
        factor = factors(self.gs_factor)
        groups = factor.suppressed * figures.n_classes + factor.generalized
        return _per_group(figures, groups)

    def bounds(self, figures: NodeFigures) -> FloatArray:
        """Lower bound upwards: no class suppressed, or all but one kept."""
        factor = factors(self.gs_factor)
        spare = max(0.0, factor.generalized - factor.suppressed)
        groups = factor.suppressed * figures.n_classes + spare
        return _per_group(figures, groups)


def _per_group(figures: NodeFigures, groups: AnyArray) -> FloatArray:
    """Records per group, infinite without any."""
    found = np.full(len(groups), np.inf)
    np.divide(figures.facts.n_records, groups, out=found, where=groups > 0)
    return found[:, None]


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class NormalizedAverageClassSize(AverageClassSize):
    """Records per class over the size that classes must have: 1 is the best.

    Parameters
    ----------
    gs_factor : float in [0, 1]
    k : int, >= 1
        Class size asked for.

    References
    ----------
    .. [1] K. LeFevre et al. (2006), *Mondrian multidimensional k-anonymity*,
       section 5 (C_avg); methods.md B.4.
    """

    kind = "normalized_average_class_size"
    title = "Average group size over k"
    unit = "times k"

    k: Annotated[
        int,
        Range(1, None),
        Help(
            "Group size asked for", "The k that the average group size is divided by."
        ),
    ] = 5

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "The average group size divided by {k}, the size asked for (the normalized "
            "average equivalence class size); less is better. All that is suppressed "
            "counts as one group.",
            k=self.k,
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node (see `QualityMeasure.values`)."""
        return super().values(figures) / self.k

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`)."""
        return super().floor(figures) / self.k

    def bounds(self, figures: NodeFigures) -> FloatArray:
        """Lower bound upwards (see `AverageClassSize.bounds`)."""
        return super().bounds(figures) / self.k
