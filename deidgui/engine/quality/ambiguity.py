"""Ambiguity: original combinations that a released record may stand for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    NodeFigures,
    QualityMeasure,
)
from deidgui.text import tr


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class Ambiguity(QualityMeasure):
    """Sum over records of the combinations of leaves each may stand for.

    References
    ----------
    .. [1] J. Goldberger, T. Tassa (2010), *Efficient anonymizations with
       enhanced utility*, section 3 (AM); methods.md B.4, Ambiguity.
    """

    kind = "ambiguity"
    title = "Ambiguity"
    unit = "combinations"
    asks = "kept_combinations"
    sources = ("Goldberger and Tassa 2010",)

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How many original combinations of values a released one may stand for, "
            "summed over all."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node, a lower bound where not `is_exact`.

        Notes
        -----
        The bound: the mean of products over records is at least the product of
        the attributes' geometric means, and a suppressed record counts no less than
        its generalized values would.
        """
        facts = figures.facts
        if figures.kept_combinations is None:
            n = facts.n_records
            logs = facts.at_levels(facts.log_leaf_sums, figures.levels).sum(axis=1)
            # Rounding must not lift the bound above the value it bounds.
            return np.asarray(n * np.exp(logs / n) * (1 - 1e-12))[:, None]
        everything = np.prod(facts.n_leaves.astype(np.float64))
        gone = figures.suppressed_records * everything
        return np.asarray(figures.kept_combinations + gone)[:, None]

    def is_exact(self, figures: NodeFigures) -> BoolArray:
        """Where somebody has looked at the classes."""
        known = figures.kept_combinations is not None
        return np.full(figures.n_nodes, known, dtype=np.bool_)

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`)."""
        facts = figures.facts
        everything = np.prod(facts.n_leaves.astype(np.float64))
        n_suppressed = figures.suppressed_records.astype(np.float64)
        gone = n_suppressed * everything + (facts.n_records - n_suppressed)
        return np.asarray(np.maximum(self.bounds(figures), gone[:, None]))
