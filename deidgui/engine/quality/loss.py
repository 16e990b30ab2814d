"""Loss: the share of an attribute's values that a released value may stand for."""

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
class Loss(AttributeMeasure):
    """Mean share of the domain that a released value may stand for.

    Scaled per attribute so that 0 is every value in full and 1 is everything
    suppressed or replaced by "any value".

    Parameters
    ----------
    gs_factor : float in [0, 1]
        See `deidgui.engine.quality.base.factors`.

    References
    ----------
    .. [1] V. Iyengar (2002), *Transforming data to satisfy privacy constraints*,
       section 4 (LM); methods.md B.4, Loss.
    """

    kind = "loss"
    title = "Loss"
    asks = "suppressed_leaves"
    sources = ("Iyengar 2002",)

    aggregate: Aggregate = "geometric_mean"
    gs_factor: Balance = 0.5

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "The share of an attribute's possible values that a released value may "
            "stand for, from 0 (in full) to 1, which is 100\u202f% (removed); what is "
            "suppressed counts as removed."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        facts, factor = figures.facts, factors(self.gs_factor)
        n, n_leaves = facts.n_records, facts.n_leaves
        shares = facts.at_levels(facts.leaf_sums, figures.levels) / n_leaves
        suppressed_shares = figures.suppressed_leaves / n_leaves
        n_suppressed = figures.suppressed_records[:, None]
        kept = factor.generalized * (shares - suppressed_shares)
        gone = suppressed_shares + factor.suppressed * (
            n_suppressed - suppressed_shares
        )
        least = factor.generalized * n / n_leaves
        # An attribute with one leaf cannot lose anything: 0 / 0 counts as 0.
        most = np.where(n - least > 0, n - least, 1)
        return np.asarray(np.maximum(0.0, (kept + gone - least) / most))

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`).

        A record that the upper node suppresses costs at least what it costs there on
        top of its share, which is the larger the lower it is generalized.
        """
        return self.values(figures)
