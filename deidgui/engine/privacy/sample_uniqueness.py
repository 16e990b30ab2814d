"""Are few enough released records alone in their class?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.parameters import Help, Range
from deidgui.engine.privacy.base import (
    PRIVACY_MODELS,
    TOLERANCE,
    SizeModel,
    Tiers,
    least_removed,
)


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class SampleUniqueness(SizeModel):
    """(released records alone in their class) / (released records) <= a threshold.

    Parameters
    ----------
    threshold : float in [0, 1]

    Notes
    -----
    If the share is too high, all records that are alone are withheld: which of
    them go would otherwise depend on the row order.

    References
    ----------
    .. [1] methods.md B.5 and B.6.
    """

    kind = "sample_uniqueness"
    title = "Sample uniqueness"
    monotone_generalization = True
    monotone_suppression = True
    is_by_class = False
    sources = ("Skinner and Elliot 2002",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    threshold: Annotated[
        float,
        Range(0, 1),
        Help(
            "Share of unique records",
            "How many of the released records may look like no other.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return (
            f"At most {100 * self.threshold:.4g} % of the released records look like "
            "no other released record."
        )

    @property
    def depth(self) -> int:
        """Classes of two records and more are never withheld."""
        return 2

    @property
    def sizes(self) -> range:
        """Sizes below which the model may withhold classes."""
        return range(1, 3)

    def withhold_below(self, tiers: Tiers) -> IntArray:
        """1 where the share is low enough as it is, else 2."""
        uniques = tiers.withheld_records[:, np.searchsorted(tiers.ladder, 2)]
        fails = uniques > tiers.n_records * (self.threshold + TOLERANCE)
        return np.asarray(1 + fails, dtype=np.int64)

    def least_withheld(self, classes: Classes) -> int:
        """Fewest records withheld here and below (see `PrivacyModel.least_withheld`).

        With other models fewer than all unique records may have to go. Uniques of
        a node are uniques of every less general one, so the bound only falls.
        """
        n_uniques = int(np.count_nonzero(classes.counts == 1))
        n_records = int(classes.counts.sum())
        return least_removed(n_uniques, n_records, self.threshold + TOLERANCE)
