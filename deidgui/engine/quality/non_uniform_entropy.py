"""Non-uniform entropy: bits lost by generalization and suppression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    Aggregate,
    AttributeMeasure,
    Balance,
    NodeFigures,
    TableFacts,
    factors,
)
from deidgui.text import tr


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class MonotoneEntropy(AttributeMeasure):
    """Bits lost by generalization alone; suppressed records are not counted.

    Parameters
    ----------
    gs_factor : float in [0, 1]

    References
    ----------
    .. [1] A. de Waal, L. Willenborg (1999), *Information loss through global
       recoding and local suppression*; methods.md B.4, monotonic variant.
    """

    kind = "monotone_entropy"
    title = "Entropy of generalization"
    unit = "bits"
    counts_suppressed = False
    sources = ("de Waal and Willenborg 1999", "El Emam 2009")

    aggregate: Aggregate = "sum"
    gs_factor: Balance = 0.5

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "The information that generalization takes away, in bits summed over all; "
            "merging rare values costs less than merging common ones."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        facts = figures.facts
        bits = facts.at_levels(facts.lost_bits, figures.levels)
        return np.asarray(factors(self.gs_factor).generalized * bits)


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class NonUniformEntropy(MonotoneEntropy):
    """Bits lost by generalization and then by suppressing records.

    A suppressed record loses, on top of generalization, the information which of
    the suppressed records' generalized values it had.

    Parameters
    ----------
    gs_factor : float in [0, 1]

    References
    ----------
    .. [1] A. de Waal, L. Willenborg (1999), *Information loss through global
       recoding and local suppression*; methods.md B.4, with suppression.
    """

    kind = "non_uniform_entropy"
    title = "Entropy"
    asks = "suppressed_bits"
    counts_suppressed = True

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "The information that generalization and suppressing take away, in bits "
            "summed over all; merging rare values costs less than merging common ones."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        generalized = super().values(figures)
        if figures.suppressed_bits is None:
            return generalized
        suppressed = factors(self.gs_factor).suppressed * figures.suppressed_bits
        return np.asarray(generalized + suppressed)

    def floor(self, figures: NodeFigures) -> FloatArray:
        """Lower bound between two nodes (see `QualityMeasure.floor`).

        The information among suppressed records only grows with more of them, and
        with values that are told apart further.
        """
        return self.values(figures)

    def is_exact(self, figures: NodeFigures) -> BoolArray:
        """Where nothing is suppressed, or the values of what is are known."""
        known = figures.suppressed_bits is not None
        return np.asarray((figures.suppressed_records == 0) | known)


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class NormalizedEntropy(NonUniformEntropy):
    """Entropy as a share of the information the attribute held.

    Parameters
    ----------
    gs_factor : float in [0, 1]

    References
    ----------
    .. [1] methods.md B.4, normalised variant. Suppressing may cost more than the
       attribute held before, so a value can exceed 1.
    """

    kind = "normalized_entropy"
    title = "Entropy, share"
    unit = "share"

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return tr(
            "The information that generalization and suppression take away, as a "
            "share of the information each attribute held; with suppression it can be "
            "more than 100\u202f%."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Value per node and attribute (see `QualityMeasure.values`)."""
        return super().values(figures) / _scale(self.gs_factor, figures.facts)


def _scale(balance: float, facts: TableFacts) -> FloatArray:
    """Information of each attribute; 1 where there is none to lose."""
    bits = factors(balance).generalized * facts.all_bits
    return np.where(bits > 0, bits, 1.0)
