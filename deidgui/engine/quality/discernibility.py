"""Discernibility: records that a record cannot be told from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    NodeFigures,
    QualityMeasure,
)
from deidgui.text import tr


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class Discernibility(QualityMeasure):
    """Each record counts as many as it looks like; a suppressed one counts all.

    References
    ----------
    .. [1] R. Bayardo, R. Agrawal (2005), *Data privacy through optimal
       k-anonymization*, section 3 (DM); methods.md B.4.
    """

    kind = "discernibility"
    title = "Discernibility"
    unit = "records"
    sources = ("Bayardo and Agrawal 2005",)

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How many each one looks like, itself included, summed over all; one that "
            "is suppressed looks like all of them."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node (see `QualityMeasure.values`)."""
        kept = figures.squares - figures.suppressed_squares
        gone = figures.facts.n_records * figures.suppressed_records
        return (kept + gone).astype(np.float64)[:, None]

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`).

        A suppressed record counts n instead of its class, which is the smaller the
        lower it is generalized.
        """
        return self.values(figures)


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class MonotoneDiscernibility(QualityMeasure):
    """Discernibility as if no record were suppressed.

    References
    ----------
    .. [1] methods.md B.4, DM*.
    """

    kind = "monotone_discernibility"
    title = "Discernibility of generalization"
    unit = "records"
    counts_suppressed = False
    sources = ("Bayardo and Agrawal 2005",)

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How many each one looks like, itself included, summed over all, before "
            "any is suppressed."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node (see `QualityMeasure.values`)."""
        return figures.squares.astype(np.float64)[:, None]
