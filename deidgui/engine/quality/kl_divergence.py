"""KL divergence between the released and the original distribution."""

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

ROUNDING = 1e-11
"""Bits by which a lower bound stays below the value it bounds."""


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class KLDivergence(QualityMeasure):
    """Kullback-Leibler divergence of the released from the original distribution.

    A released class spreads its records evenly over the combinations of leaves it
    may stand for; the suppressed records are spread over all combinations.

    Notes
    -----
    The sum runs over the distinct original combinations t, each with its share
    p(t) of the records (methods.md H.6: the sum over records that another program
    computes counts common combinations twice)::

        KL = Σ p(t)·log2(p(t) / q(t))
           = (Σ c·log2 c − Σ f·log2(f / area) − s·log2(s / ∏L)) / n

    with c records per original combination, f per kept class, s suppressed.

    The value without suppressing bounds it from below: classes share no
    combination, so by the log sum inequality s·log2(s / ∏L) is at most the sum of
    f·log2(f / area) over the suppressed classes. The same inequality, for classes
    that are joined, shows that this bound never falls on the way up.

    References
    ----------
    .. [1] A. Machanavajjhala et al. (2007), *l-diversity: privacy beyond
       k-anonymity*, ACM TKDD 1(1), section 6; methods.md B.4, KL.
    .. [2] T. Cover, J. Thomas (2006), *Elements of Information Theory*, theorem
       2.7.1 (log sum inequality).
    """

    kind = "kl_divergence"
    title = "KL divergence"
    unit = "bits"
    asks = "kept_log_density"
    sources = ("Machanavajjhala 2007",)

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "How many bits are lost on average if somebody guesses from the release "
            "how the original combinations of values are spread."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node, a lower bound where not `is_exact`."""
        if figures.kept_log_density is None:
            # Entropy of the classes is at least the one of Rényi of order two.
            collisions = figures.squares / figures.facts.n_records**2
            return np.maximum(
                _least(figures, -np.log2(collisions)), self.bounds(figures)
            )
        facts, gone = figures.facts, figures.suppressed_records.astype(np.float64)
        everything = np.log2(facts.n_leaves).sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            suppressed = np.where(gone > 0, gone * (np.log2(gone) - everything), 0.0)
        bits = facts.combination_bits - figures.kept_log_density - suppressed
        return np.asarray(np.maximum(0.0, bits / facts.n_records))[:, None]

    def is_exact(self, figures: NodeFigures) -> BoolArray:
        """Where somebody has looked at the classes."""
        known = figures.kept_log_density is not None
        return np.full(figures.n_nodes, known, dtype=np.bool_)

    def bounds(self, figures: NodeFigures) -> FloatArray:
        """Lower bound upwards, from the levels alone.

        The classes' entropy is at least that of any one attribute's values. That,
        plus the attribute's own mean log2(leaves), never falls on the way up.
        """
        facts = figures.facts
        lost = facts.at_levels(facts.lost_bits, figures.levels)
        entropies = (facts.all_bits - lost) / facts.n_records
        return _least(figures, entropies.max(axis=1))


def _least(figures: NodeFigures, entropy: FloatArray) -> FloatArray:
    """Lower bound from one of the entropy of the classes, in bits."""
    facts = figures.facts
    areas = facts.at_levels(facts.log_leaf_sums, figures.levels).sum(axis=1)
    total = areas / np.log(2) + facts.combination_bits
    n = facts.n_records
    bits = total / n - np.log2(n) + entropy
    return np.asarray(np.maximum(0.0, bits - ROUNDING))[:, None]
