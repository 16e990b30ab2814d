"""Average prosecutor risk: the mean probability of a match in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.parameters import PER_CENT, Help, Proposed, Range
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SizeOrderModel,
    least_size,
)
from deidgui.engine.privacy.prefixes import without_first
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class AverageProsecutorRisk(SizeOrderModel):
    """(released classes) / (released records) is at most a threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
        Highest allowed mean, over the released records, of the probability that
        an adversary who knows the person to be in the data picks their record.

    Notes
    -----
    The smallest classes are suppressed first, one at a time. No set of classes with
    fewer records would do: without any x classes the mean size of the others is
    largest if the x smallest go. So fewer than the least x that will do are never
    enough, and as many of them have no fewer records.

    Nor does the number of suppressed records grow upwards: at a more general node,
    suppress the classes that consist of nothing but what is suppressed below. They
    have no more records, and each of the others contains a class released below, so
    that there are no more classes, of no fewer records.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_c of the prosecutor); methods.md B.5, B.6.
    """

    kind = "average_prosecutor_risk"
    title = "Average risk"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("El Emam 2013",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    threshold: Annotated[
        float,
        Range(1 / LARGEST_K, 1),
        Proposed(0.1),
        PER_CENT,
        Help(
            "Average probability",
            "How likely it may be on average that a known person is found.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "On average over all who are released, somebody who looks for a person "
            "they know to be in the data finds the right one with a probability of at "
            "most {threshold}.",
            threshold=per_cent(self.threshold),
        )

    @property
    def depth(self) -> int:
        """Size from which classes do not raise the mean probability above it."""
        return least_size(self.threshold)

    def fails(
        self, n_classes: AnyArray, n_records: AnyArray, n_at_risk: AnyArray
    ) -> BoolArray:
        """Whether the mean is too high (see `SizeOrderModel.fails`)."""
        return np.asarray(n_classes > n_records * (self.threshold + TOLERANCE))

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress the smallest classes (see `PrivacyModel.restrict`)."""
        n_first = self._n_first(classes.counts[kept])
        return without_first(classes, kept, n_first, classes.counts)

    def least_suppressed(self, classes: EquivalenceClasses) -> int:
        """Fewest records suppressed here and below (see `PrivacyModel`).

        What the model suppresses here by itself: no choice of classes, at no less
        general node, has fewer records.
        """
        n_first = self._n_first(classes.counts)
        if not n_first:
            return 0
        return int(np.partition(classes.counts, n_first - 1)[:n_first].sum())

    def _n_first(self, sizes: IntArray) -> int:
        """How many of the smallest of these classes must go."""
        allowed = self.threshold + TOLERANCE
        n_records = int(sizes.sum())
        if len(sizes) <= n_records * allowed:
            return 0
        # The mean size of the rest only grows with every class that goes, and is
        # large enough without those below `depth`: it is enough to count failures.
        smallest = np.sort(sizes[sizes < self.depth])
        n_left = len(sizes) - np.arange(len(smallest))
        n_left_records = n_records - np.cumsum(smallest) + smallest
        return int(np.count_nonzero(n_left > n_left_records * allowed))
