"""How many original combinations may a released record stand for?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    Domain,
    NodeFigures,
    QualityMeasure,
)


@QUALITY_MEASURES.register
@dataclass(frozen=True)
class Ambiguity(QualityMeasure):
    """Sum over records of the combinations of leaves each may stand for.

    References
    ----------
    .. [1] J. Goldberger, T. Tassa (2010), *Efficient anonymizations with
       enhanced utility*, section 3 (AM); methods.md B.4, Ambiguity.
    """

    kind = "ambiguity"
    title = "Ambiguity"
    unit = "combinations"
    sources = ("Goldberger and Tassa 2010",)

    def words(self) -> str:
        """Say in one plain sentence what is measured."""
        return (
            "Summed over all records, how many original combinations of values a "
            "released record may stand for."
        )

    def values(self, figures: NodeFigures) -> FloatArray:
        """Lower bound per node (see `QualityMeasure.values`).

        Notes
        -----
        The mean of products over records is at least the product of the
        attributes' geometric means, and a withheld record counts no less than
        its generalized values would.
        """
        domain = figures.domain
        tables = [
            np.array(
                [
                    np.log(hierarchy.leaf_counts(level)[step.groups]) @ marginal
                    for level, step in enumerate(hierarchy.levels)
                ]
            )
            for hierarchy, marginal in zip(
                domain.class_table.hierarchies, domain.marginals, strict=True
            )
        ]
        logs = domain.at_levels(tables, figures.levels).sum(axis=1)
        n = domain.n_records
        # Rounding must not lift the bound above the value it bounds.
        return np.asarray(n * np.exp(logs / n) * (1 - 1e-12))[:, None]

    def is_exact(self, figures: NodeFigures) -> BoolArray:
        """Nowhere: products over attributes are known to the classes alone."""
        return np.zeros(figures.n_nodes, dtype=np.bool_)

    def exact_values(
        self, domain: Domain, classes: Classes, withheld: BoolArray
    ) -> FloatArray:
        """Value of one node (see `QualityMeasure.exact_values`)."""
        stands_for = np.ones(classes.n_classes)
        for column in range(len(classes.levels)):
            stands_for *= classes.leaves(column)
        everything = np.prod(domain.n_leaves.astype(np.float64))
        each = np.where(withheld, everything, stands_for)
        return np.array([each @ classes.counts])
