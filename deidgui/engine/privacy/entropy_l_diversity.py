"""Entropy ℓ-diversity: sensitive values spread as evenly as over ℓ values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import Help, Options, Proposed, Range
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SensitiveAttribute,
    SensitiveModel,
)
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")

ENTROPY_TOLERANCE = 1e-9
"""Nats by which an entropy may be short: sums of a million terms are off by less, and
what passes is spread over l (1 - 1e-9) values at least."""

N_TABULATED = 4096


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class EntropyLDiversity(SensitiveModel):
    """The entropy of the sensitive values of every class is at least ln l.

    With the estimator "shannon" the entropy is that of the shares Q in the class,
    - sum Q ln Q. "grassberger" corrects for the few records of a class: logarithms are
    replaced by Grassberger's G, which makes the estimate larger. In either case every
    class has at least l different values.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    diversity : float in [1, 100000]
        The l of the literature; need not be whole.
    estimator : {"shannon", "grassberger"}

    Notes
    -----
    A union of two classes may fall short with "grassberger" though both meet it (each
    of five values once, with l = 5, and twice the same): only the number of different
    values can then be relied on. ARX 3.9.2 may refuse classes that meet the definition:
    it stops adding up at a limit that values which occur once would bring the sum
    below again.

    References
    ----------
    .. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam (2007),
       *l-Diversity: Privacy Beyond k-Anonymity*, ACM TKDD 1(1), definition 4.1.
    .. [2] P. Grassberger (2003), *Entropy estimates from insufficient samplings*,
       arXiv physics/0307138, eq. 28-30; methods.md B.5.
    """

    kind = "entropy_l_diversity"
    title = "ℓ-diversity, entropy"
    sources = (
        "Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007",
        "Grassberger 2003",
    )
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    attribute: SensitiveAttribute
    diversity: Annotated[
        float,
        Range(1, LARGEST_K),
        Proposed(2.0),
        Help("Diversity", "As uneven as so many equally common values, or less."),
    ]
    estimator: Annotated[
        str,
        Options(("shannon", "grassberger")),
        Help("Entropy", "How it is estimated; “grassberger” is less strict."),
    ] = "shannon"

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, the values of “{attribute}” are as hard to "
            "guess as {diversity:.4g} equally common values.",
            attribute=self.attribute,
            diversity=self.diversity,
        )

    @property
    def monotone_generalization(self) -> bool:  # type: ignore[override]
        """Whether a union of classes that meet the model meets it too."""
        return self.estimator == "shannon"

    @property
    def depth(self) -> int:
        """Different values, and so records, that every released class has at least."""
        return int(np.ceil(self.diversity * (1 - ENTROPY_TOLERANCE)))

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        found = classes.distribution(self.attribute)
        return np.asarray(
            kernels.is_diverse(
                found.starts,
                found.counts,
                classes.counts,
                self.depth,
                np.log(self.diversity) - ENTROPY_TOLERANCE,
                *self._logarithm,
            )
        )

    @property
    def _logarithm(self) -> tuple[FloatArray, bool]:
        """Small values of n ln n, or n G(n), and which of them it is."""
        if self.estimator == "shannon":
            return _SHANNON, True
        return _GRASSBERGER, False

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        found = classes.distribution(self.attribute)
        if self.estimator != "shannon":
            is_wide = np.diff(found.starts) >= self.depth
            return np.where(is_wide, classes.counts, 0)
        return np.asarray(
            kernels.most_diverse(
                found.starts,
                found.counts,
                classes.counts,
                self.depth,
                np.log(self.diversity) - 2 * ENTROPY_TOLERANCE,
                *self._logarithm,
            )
        )


def _tabulated(is_shannon: bool) -> FloatArray:
    """N ln n, or n G(n), for n below `N_TABULATED`; G(2m) = G(2m + 1)."""
    numbers = np.arange(N_TABULATED)
    if is_shannon:
        return np.asarray(numbers * np.log(np.maximum(numbers, 1)))
    odd = 2 / (2 * np.arange(1, N_TABULATED // 2) - 1)
    g = -np.euler_gamma - np.log(2) + np.concatenate([[0], np.cumsum(odd)])
    return np.asarray(numbers * g[numbers // 2])


_SHANNON = _tabulated(True)
_GRASSBERGER = _tabulated(False)
