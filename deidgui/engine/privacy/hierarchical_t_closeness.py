"""Hierarchical t-closeness: distances along the hierarchy of the sensitive values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deidgui.engine.privacy.base import PRIVACY_MODELS, SensitiveAttribute
from deidgui.engine.privacy.distances import LargestDistance, TreeCloseness
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import (
        ClassTable,
        EquivalenceClasses,
        ValueTree,
    )


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
    sources = ("Li, Li and Venkatasubramanian 2007",)
    assumptions = ("quasi_identifiers_complete", "table_shares_are_known")

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
