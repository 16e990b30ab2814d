"""Basic β-likeness: limits how much more common a sensitive value is in a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import FloatArray
from deidgui.engine.privacy.base import PRIVACY_MODELS, SensitiveAttribute
from deidgui.engine.privacy.share_caps import CappedShares, LargestGain
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class BasicBetaLikeness(CappedShares):
    """The relative gain (Q - P) / P of every value is at most beta.

    Q is the share of a sensitive value in a class, P in the whole table.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    beta : float, in (0, 100000]

    References
    ----------
    .. [1] J. Cao, P. Karras (2012), *Publishing microdata with a robust privacy
       guarantee*, PVLDB 5(11), definition 2; methods.md B.5.
    """

    kind = "basic_beta_likeness"
    title = "β-likeness, basic"
    sources = ("Cao and Karras 2012",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

    attribute: SensitiveAttribute
    beta: LargestGain

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, no value of “{attribute}” is more than "
            "{value:.4g} times as common as in the whole file.",
            attribute=self.attribute,
            value=1 + self.beta,
        )

    def caps(self, classes: EquivalenceClasses) -> FloatArray:
        """Largest share of each sensitive value: float64, shape (n_values,)."""
        found = self.reference(classes)
        return np.asarray((1 + self.beta) * found.totals / found.n_records)
