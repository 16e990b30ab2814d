"""Sample uniqueness: the share of released records that are alone in their class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray
from deidgui.engine.parameters import PER_CENT, Help, Proposed, Range
from deidgui.engine.privacy.base import PRIVACY_MODELS, SizeOrderModel, least_removed
from deidgui.engine.privacy.prefixes import n_first_at_risk, without_first
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class SampleUniqueness(SizeOrderModel):
    """(released records alone in their class) / (released records) <= a threshold.

    Parameters
    ----------
    threshold : float in [0, 1]

    Notes
    -----
    Unique records are suppressed one at a time, as few as possible. The number never
    grows upwards: a record that is alone is so at every less general node.

    References
    ----------
    .. [1] methods.md B.5 and B.6.
    """

    kind = "sample_uniqueness"
    title = "Sample uniqueness"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("Skinner and Elliot 2002",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    threshold: Annotated[
        float,
        Range(0, 1),
        Proposed(0.01),
        PER_CENT,
        Help(
            "Share that is unique",
            "How much of the release may be alone with its values.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "At most {threshold} of the released records look "
            "like no other released record.",
            threshold=per_cent(self.threshold),
        )

    @property
    def depth(self) -> int:
        """Classes of two records and more are never suppressed."""
        return 2

    def fails(
        self, n_classes: AnyArray, n_records: AnyArray, n_at_risk: AnyArray
    ) -> BoolArray:
        """Whether too many records are at risk (see `SizeOrderModel.fails`)."""
        return np.asarray(n_at_risk > n_records * (self.threshold + TOLERANCE))

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress unique records (see `PrivacyModel.restrict`)."""
        allowed = self.threshold + TOLERANCE
        n_first = n_first_at_risk(classes.counts[kept], self.depth, allowed)
        return without_first(classes, kept, n_first, classes.counts)

    def least_suppressed(self, classes: EquivalenceClasses) -> int:
        """Fewest records suppressed here and below (see `PrivacyModel`).

        Uniques of a node are uniques of every less general one, and other models can
        suppress no records that count for more.
        """
        n_uniques = int(np.count_nonzero(classes.counts == 1))
        n_records = int(classes.counts.sum())
        return least_removed(n_uniques, n_records, self.threshold + TOLERANCE)
