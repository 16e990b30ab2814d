"""Records at risk: the share of records above a risk threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray
from deidgui.engine.parameters import PER_CENT, Help, Proposed, Range
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SizeOrderModel,
    least_removed,
    least_size,
)
from deidgui.engine.privacy.prefixes import n_first_at_risk, without_first
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class RecordsAtRisk(SizeOrderModel):
    """At most a share of the released records has 1 / (class size) > a threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
        Probability above which a record is at risk.
    share : float in [0, 1]
        Highest allowed share of the released records that are at risk.

    Notes
    -----
    The smallest classes are suppressed first, one at a time: records most at risk go
    before others. The last class may have more records than were needed, so another
    choice can suppress fewer, and so can a less general node, where that class is
    divided: of three records at risk, alone, one may go; as one class, all three.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_a of the prosecutor); methods.md B.5 and F.1.
    """

    kind = "records_at_risk"
    title = "Highest risk for most records"
    monotone_generalization = True
    monotone_suppression = False
    sources = ("El Emam 2013",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    threshold: Annotated[
        float,
        Range(1 / LARGEST_K, 1),
        Proposed(0.2),
        PER_CENT,
        Help(
            "Highest probability",
            "The probability of being found above which somebody is at risk.",
        ),
    ]
    share: Annotated[
        float,
        Range(0, 1),
        Proposed(0.05),
        PER_CENT,
        Help("Share at risk", "How much of the release may be at risk."),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "For at most {share} of all who are released, somebody who looks for a "
            "person they know to be in the data finds the right one with a probability "
            "above {threshold}.",
            share=per_cent(self.share),
            threshold=per_cent(self.threshold),
        )

    @property
    def depth(self) -> int:
        """Size from which classes are not at risk."""
        return least_size(self.threshold)

    def fails(
        self, n_classes: AnyArray, n_records: AnyArray, n_at_risk: AnyArray
    ) -> BoolArray:
        """Whether too many records are at risk (see `SizeOrderModel.fails`)."""
        return np.asarray(n_at_risk > n_records * (self.share + TOLERANCE))

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress the smallest classes (see `PrivacyModel.restrict`)."""
        allowed = self.share + TOLERANCE
        n_first = n_first_at_risk(classes.counts[kept], self.depth, allowed)
        return without_first(classes, kept, n_first, classes.counts)

    def least_suppressed(self, classes: EquivalenceClasses) -> int:
        """Fewest records suppressed here and below (see `PrivacyModel`).

        A class at risk consists of classes at risk of any less general node, so the
        bound only falls.
        """
        counts = classes.counts
        n_at_risk = int(counts[counts < self.depth].sum())
        return least_removed(n_at_risk, int(counts.sum()), self.share + TOLERANCE)
