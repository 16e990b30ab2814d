"""Equal-distance t-closeness: all sensitive values are equally far apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deidgui.engine.privacy.base import PRIVACY_MODELS, SensitiveAttribute
from deidgui.engine.privacy.distances import LargestDistance, TreeCloseness
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses, ValueTree


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class EqualTCloseness(TreeCloseness):
    """Half the sum of |Q - P| over the sensitive values is at most t.

    Q are the shares of the values in a class, P those in the whole table, suppressed
    records included.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    t : float in [0, 1]

    References
    ----------
    .. [1] N. Li, T. Li, S. Venkatasubramanian (2007), *t-Closeness: Privacy Beyond
       k-Anonymity and l-Diversity*, ICDE, section 5 (equal distance); methods.md B.5.
    """

    kind = "equal_t_closeness"
    title = "t-closeness, equal distances"
    sources = ("Li, Li and Venkatasubramanian 2007",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

    attribute: SensitiveAttribute
    t: LargestDistance

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, the values of “{attribute}” are as common "
            "as in the whole file, except for at most {t} of the records.",
            attribute=self.attribute,
            t=per_cent(self.t),
        )

    def tree(self, classes: EquivalenceClasses) -> ValueTree:
        """All values hang from the root."""
        return self.reference(classes).flat
