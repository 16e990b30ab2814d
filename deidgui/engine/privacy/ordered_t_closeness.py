"""Ordered t-closeness: distances along the order of the sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.parameters import Help, Options, Proposed
from deidgui.engine.privacy.base import PRIVACY_MODELS, SensitiveAttribute
from deidgui.engine.privacy.distances import (
    Closeness,
    LargestDistance,
    is_within,
)
from deidgui.engine.privacy.rounding import SLACK, TOLERANCE
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import ClassTable, EquivalenceClasses
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")

ORDERS = ("alphabetical", "numeric", "hierarchy")
"""Orders that the values of a sensitive attribute can be brought into."""


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class OrderedTCloseness(Closeness):
    """The earth mover's distance of each class from the table is at most t.

    The m sensitive values of the table stand in a line. Moving a record to the next
    value costs 1 / (m - 1), so the distance is the mean of |Q - P| over the cumulative
    shares.

    Parameters
    ----------
    attribute : str
        The sensitive attribute.
    t : float in [0, 1]
    order : {"numeric", "hierarchy", "alphabetical"}
        As numbers (missing values last), as the leaves of the hierarchy, or by code
        point of the texts.

    References
    ----------
    .. [1] N. Li, T. Li, S. Venkatasubramanian (2007), *t-Closeness: Privacy Beyond
       k-Anonymity and l-Diversity*, ICDE, section 5 (ordered distance); methods.md B.5.
    """

    kind = "ordered_t_closeness"
    title = "t-closeness, ordered values"
    sources = ("Li, Li and Venkatasubramanian 2007",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

    attribute: SensitiveAttribute
    t: Annotated[LargestDistance, Proposed(0.2)]
    order: Annotated[
        str,
        Options(ORDERS),
        Help("Order of the values", "Values that stand close together count as near."),
    ] = "alphabetical"

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        order = {
            "numeric": tr("as numbers"),
            "hierarchy": tr("in the order of their hierarchy"),
            "alphabetical": tr("in alphabetical order"),
        }[self.order]
        return tr(
            "Among records that look alike, the values of “{attribute}”, {order}, are "
            "spread as in the whole file, up to a distance of {t:.4g} in which "
            "neighbours count as near.",
            attribute=self.attribute,
            order=order,
            t=self.t,
        )

    @property
    def needs_hierarchy(self) -> bool:
        """Whether the sensitive attribute must have a hierarchy."""
        return self.order == "hierarchy"

    def check(self, class_table: ClassTable) -> None:
        """See that a table has what the model needs (see `PrivacyModel.check`).

        Raises
        ------
        ConfigError
            Codes ``sensitive_missing``, ``order_not_numeric`` or
            ``sensitive_hierarchy_missing``.
        """
        super().check(class_table)
        class_table.sensitive[self.attribute].ranks(self.order)

    def measure(self, classes: EquivalenceClasses) -> FloatArray:
        """Compute `distances`.

        Raises
        ------
        ConfigError
            As `check` does.
        """
        ranks = self.reference(classes).ranks(self.order)
        found = classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        return np.asarray(kernels.ordered_distances(*entries, ranks, found.totals))

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`).

        The distance D is convex in the distribution: the mean over the parts of a
        class is at least that of the class. A released part is at most t away, a
        suppressed one at most as far as the farthest value of the class, so
        D f <= t K + farthest (f - K).
        """
        ranks = self.reference(classes).ranks(self.order)
        found = classes.distribution(self.attribute)
        distances, sizes = self.distances(classes), classes.counts
        fits = is_within(distances, self.t)
        entries = found.starts, found.codes, fits
        least, farthest = kernels.ordered_limits(*entries, ranks, found.totals)
        t = self.t * (1 + TOLERANCE)
        room = np.maximum(farthest - t, SLACK)
        kept = np.floor(sizes * (farthest - distances + SLACK) / room + SLACK)
        kept[least > t + SLACK] = 0
        return np.where(fits, sizes, np.clip(kept, 0, sizes).astype(np.int64))
