"""The δ-disclosure model: limits how far shares of values differ from the table's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import Help, Proposed, Range
from deidgui.engine.privacy.base import (
    PRIVACY_MODELS,
    SensitiveAttribute,
    SensitiveModel,
)
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.engine.privacy.share_caps import largest_capped_parts, shares_between
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class DeltaDisclosure(SensitiveModel):
    """The absolute log2(Q / P) of every value of every class is below delta.

    Q is the share of a sensitive value in the class, P in the whole table. Values that
    a class lacks are not looked at.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    delta : float, in (0, 64]
        In bits.

    Notes
    -----
    The upper limit alone, Q < 2^delta P, passes from classes to their union; that is
    what bounds how many records less general nodes suppress.

    References
    ----------
    .. [1] J. Brickell, V. Shmatikov (2008), *The cost of privacy: destruction of
       data-mining utility in anonymized data publishing*, KDD, definition 1;
       methods.md B.5.
    """

    kind = "delta_disclosure"
    title = "δ-disclosure privacy"
    # A value that one class lacks may be too rare in its union with another.
    monotone_generalization = False
    monotone_suppression = False
    sources = ("Brickell and Shmatikov 2008",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

    attribute: SensitiveAttribute
    delta: Annotated[
        float,
        Range(0, 64, open_low=True),
        Proposed(1.0),
        Help(
            "Largest change",
            "In bits: with 1, no value is twice or half as common in a group as in "
            "the whole file.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, every value of "
            "“{attribute}” that occurs is less than {value:.4g} times "
            "as common, and as rare, as in the whole file.",
            attribute=self.attribute,
            value=2**self.delta,
        )

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        found = classes.distribution(self.attribute)
        shares = found.totals / found.n_records
        # Strict: what is equal must fail whatever the rounding.
        low = shares * 2**-self.delta * (1 + TOLERANCE)
        high = shares * 2**self.delta * (1 - TOLERANCE)
        return shares_between(found, classes.counts, low, high)

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        found = classes.distribution(self.attribute)
        caps = 2**self.delta * found.totals / found.n_records
        return largest_capped_parts(found, classes.counts, caps)
