"""Are released records matched with an allowed probability on average?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.parameters import Help, Range
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    TOLERANCE,
    SizeModel,
    Tiers,
    least_size,
)


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class AverageProsecutorRisk(SizeModel):
    """(released classes) / (released records) is at most a threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
        Highest allowed mean, over the released records, of the probability that
        an adversary who knows the person to be in the data picks their record.

    Notes
    -----
    The smallest classes are withheld first, which keeps most records. Unlike
    methods.md B.6 all classes of one size are withheld together: which of
    several equally small classes go would otherwise depend on the row order.
    A few records more may then have to go at a more general node: two classes of
    one record, withheld below, may become one more class of two that is not.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_c of the prosecutor); methods.md B.5, B.6.
    """

    kind = "average_prosecutor_risk"
    title = "Average risk"
    monotone_generalization = True
    monotone_suppression = False
    is_by_class = False
    sources = ("El Emam 2013",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    threshold: Annotated[
        float,
        Range(1 / LARGEST_K, 1),
        Help(
            "Average probability",
            "How likely it may be on average that a known person's record is found.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return (
            "On average over the released records, somebody who looks for a person "
            "they know to be in the data finds the right record with a probability "
            f"of at most {self.threshold:.4g}."
        )

    @property
    def depth(self) -> int:
        """Largest size below which the model may withhold classes.

        Classes of 1/threshold records and more cannot exceed the threshold.
        """
        return least_size(self.threshold)

    @property
    def sizes(self) -> range:
        """Sizes below which the model may withhold classes."""
        return range(1, self.depth + 1)

    def withhold_below(self, tiers: Tiers) -> IntArray:
        """Smallest size at which the mean of what remains is low enough."""
        # The mean class size of the rest only grows with the size withheld, so
        # the first tier that holds is found by counting those that do not.
        upto = slice(0, int(np.searchsorted(tiers.ladder, self.depth, "right")))
        classes = tiers.n_classes[:, None] - tiers.withheld_classes[:, upto]
        records = tiers.n_records - tiers.withheld_records[:, upto]
        fails = classes > records * (self.threshold + TOLERANCE)
        return np.asarray(tiers.ladder[np.count_nonzero(fails, axis=1)])

    def least_withheld(self, classes: Classes) -> int:
        """Fewest records withheld here and below (see `PrivacyModel.least_withheld`).

        That is the records of the smallest classes, one after another, until the
        mean is low enough: no set of classes with fewer records will do. What is
        withheld at a less general node is such a set here, too: without the
        classes that consist of it, there are not more classes than released there.
        """
        sizes = np.sort(classes.counts)
        withheld = np.concatenate([[0], np.cumsum(sizes)])
        n_classes = np.arange(len(sizes), -1, -1)
        fails = n_classes > (withheld[-1] - withheld) * (self.threshold + TOLERANCE)
        return int(withheld[np.count_nonzero(fails)])
