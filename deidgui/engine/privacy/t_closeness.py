"""The models of t-closeness: values of a class are spread as in the whole table."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import Help, Options, Proposed, Range
from deidgui.engine.privacy.base import (
    PRIVACY_MODELS,
    SensitiveAttribute,
    SensitiveModel,
    UnitingModel,
)
from deidgui.engine.privacy.rounding import SLACK, TOLERANCE
from deidgui.lazy import LazyModule
from deidgui.text import per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import (
        ClassTable,
        EquivalenceClasses,
        ValueTree,
    )
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")

ORDERS = ("alphabetical", "numeric", "hierarchy")
"""Orders that the values of a sensitive attribute can be brought into."""

LargestDistance = Annotated[
    float,
    Range(0, 1),
    Proposed(0.3),
    Help(
        "Largest distance",
        "How far the values of a group may be from those of the whole file: 0 is "
        "not at all, 1 is no limit.",
    ),
]
"""Type of the parameter ``t`` of t-closeness."""


class Closeness(SensitiveModel):
    """The values of each class are at most t away from those of the table.

    Attributes
    ----------
    t : float in [0, 1]
    """

    sources = ("Li, Li and Venkatasubramanian 2007",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

    t: float

    def distances(self, classes: EquivalenceClasses) -> FloatArray:
        """Distance of each class from the table: float64, (n_classes,), in [0, 1]."""
        found = classes.memory.get(self)
        if found is None:
            found = classes.memory[self] = self.measure(classes)
        return found

    @abstractmethod
    def measure(self, classes: EquivalenceClasses) -> FloatArray:
        """Compute `distances`."""

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        return is_within(self.distances(classes), self.t)


class TreeCloseness(Closeness, UnitingModel):
    """Closeness to the table with distances between values along a tree."""

    @abstractmethod
    def tree(self, classes: EquivalenceClasses) -> ValueTree:
        """Tree of the values of the whole table."""

    def measure(self, classes: EquivalenceClasses) -> FloatArray:
        """Compute `distances`."""
        tree, table = self.tree(classes), classes.value_table(self.attribute)
        of_tree = classes.counts, tree.nodes, tree.totals
        if table is not None:
            return np.asarray(kernels.tree_distances_in_table(table, *of_tree))
        found = classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts
        return np.asarray(kernels.tree_distances(*entries, *of_tree))

    def smallest_class(self, classes: EquivalenceClasses) -> int:
        """Fewest records of a class (see `PrivacyModel.smallest_class`).

        A class of f records has at most f groups of values at each level; at best
        those with the largest shares in the table, and lacks all others.
        """
        tree = self.tree(classes)
        lacking = np.zeros(tree.nodes.shape[1] + 1)
        for level in tree.nodes:
            totals = tree.totals[np.unique(level)]
            shares = np.sort(totals / totals.sum())[::-1]
            rest = np.clip(1 - np.cumsum(shares), 0, 1)
            lacking[0] += 1
            lacking[1 : len(rest) + 1] += rest
        near = lacking / tree.n_levels <= self.t * (1 + TOLERANCE) + SLACK
        return max(1, int(np.argmax(near)))

    def excess(self, classes: EquivalenceClasses) -> FloatArray:
        """Weigh the values of each class (see `UnitingModel.excess`)."""
        tree, found = self.tree(classes), classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        shares = tree.totals / found.n_records
        t = self.t * (1 + TOLERANCE)
        fits = self.holds(classes)
        return np.asarray(kernels.tree_excess(*entries, fits, tree.nodes, shares, t))

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        tree, found = self.tree(classes), classes.distribution(self.attribute)
        entries = found.starts, found.codes, found.counts, classes.counts
        shares = tree.totals / found.n_records
        target = tree.n_levels * (1 - self.t * (1 + TOLERANCE))
        fits = self.holds(classes)
        return np.asarray(
            kernels.largest_parts(*entries, fits, tree.nodes, shares, target)
        )


def is_within(distances: FloatArray, threshold: float) -> BoolArray:
    """Which distances are at most a threshold.

    A distance is the rounded quotient of two exact integers and off by 3e-16 of its
    size at most, a threshold like 0.2 by 1e-16: what is equal stays equal with a
    tolerance of 1e-12, and no class passes that is farther by more than that.

    Parameters
    ----------
    distances : ndarray of float64, shape (n_classes,), each in [0, 1]
    threshold : float in [0, 1]

    Returns
    -------
    ndarray of bool, shape (n_classes,)
    """
    return np.asarray(distances <= threshold * (1 + TOLERANCE), dtype=np.bool_)


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


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class HierarchicalTCloseness(TreeCloseness):
    """The earth mover's distance of each class from the table is at most t.

    Moving a record from one sensitive value to another costs the level of their first
    common group in the hierarchy of the attribute, over the height of the hierarchy.

    Parameters
    ----------
    attribute : str
        The sensitive attribute; it needs a hierarchy.
    t : float in [0, 1]

    Notes
    -----
    All products are exact integers; ARX 3.9.2 keeps them in 32 bits and accepts classes
    of large tables that violate the model. If the most general level of the hierarchy
    has several groups, values of different groups are as far apart as any can be: ARX
    charges nothing for moving between them.

    References
    ----------
    .. [1] N. Li, T. Li, S. Venkatasubramanian (2007), *t-Closeness: Privacy Beyond
       k-Anonymity and l-Diversity*, ICDE, section 5 (hierarchical distance);
       methods.md B.5.
    """

    kind = "hierarchical_t_closeness"
    title = "t-closeness, distances by hierarchy"

    attribute: SensitiveAttribute
    t: LargestDistance

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Among records that look alike, the values of "
            "“{attribute}” are spread as in the whole file, up to a "
            "distance of {t:.4g} in which similar values count as near.",
            attribute=self.attribute,
            t=self.t,
        )

    @property
    def needs_hierarchy(self) -> bool:
        """Whether the sensitive attribute must have a hierarchy."""
        return True

    def check(self, class_table: ClassTable) -> None:
        """See that a table has what the model needs (see `PrivacyModel.check`).

        Raises
        ------
        ConfigError
            Codes ``sensitive_missing`` or ``sensitive_hierarchy_missing``.
        """
        super().check(class_table)
        class_table.sensitive[self.attribute].hierarchy_or_raise()

    def tree(self, classes: EquivalenceClasses) -> ValueTree:
        """Groups of the hierarchy."""
        return self.reference(classes).tree
