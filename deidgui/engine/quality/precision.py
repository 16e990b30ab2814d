"""Precision: the share of the hierarchy's height that each attribute is raised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    Aggregate,
    AttributeMeasure,
    Balance,
    NodeFigures,
    factors,
)
from deidgui.text import tr


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class Precision(AttributeMeasure):
    """Level over height of the hierarchy; suppressed records count as the top.

    Parameters
    ----------
    gs_factor : float in [0, 1]

    References
    ----------
    .. [1] L. Sweeney (2002), *Achieving k-anonymity privacy protection using
       generalization and suppression*, definition of Prec (this is 1 − Prec);
       methods.md B.4, Precision.
    """

    kind = "precision"
    title = "Precision loss"
    sources = ("Sweeney 2002",)

    aggregate: Aggregate = "arithmetic_mean"
    gs_factor: Balance = 0.5

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How far up its hierarchy each attribute is released, from 0 (in full) to "
            "1, which is 100\u202f% (removed); what is suppressed counts as removed."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        factor = factors(self.gs_factor)
        gone = figures.suppressed_records[:, None] / figures.facts.n_records
        kept = (1 - gone) * factor.generalized * _height_shares(figures)
        return np.asarray(kept + gone * factor.suppressed)

    def bounds(self, figures: NodeFigures) -> FloatArray:
        """Lower bound upwards: a record loses its steps or is suppressed."""
        factor = factors(self.gs_factor)
        steps = factor.generalized * _height_shares(figures)
        return np.minimum(steps, factor.suppressed)

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`).

        Suppressing costs more than any step only if it counts in full.
        """
        is_full = factors(self.gs_factor).suppressed == 1
        return self.values(figures) if is_full else self.bounds(figures)


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class MonotonePrecision(Precision):
    """Level over height of the hierarchy; suppressed records are not counted.

    Parameters
    ----------
    gs_factor : float in [0, 1]

    References
    ----------
    .. [1] methods.md B.3, precision without suppression part.
    """

    kind = "monotone_precision"
    title = "Precision loss of generalization"
    counts_suppressed = False

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How far up its hierarchy each attribute is released, from 0 (in full) to "
            "1, which is 100\u202f% (removed); what is suppressed is not counted."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        return factors(self.gs_factor).generalized * _height_shares(figures)

    def bounds(self, figures: NodeFigures) -> FloatArray:
        """Lower bound upwards: the value itself, which never falls."""
        return self.values(figures)


def _height_shares(figures: NodeFigures) -> FloatArray:
    """Level over height; 0 for a hierarchy without levels."""
    return np.asarray(figures.levels / np.maximum(figures.facts.heights, 1))
