"""How far up its hierarchy is each attribute released?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, BarChart, Series
from deidgui.app.charts.phrases import Phrase

PHRASES = {
    "levels_used": "How coarse each attribute is released",
    "levels_used_now": "{n_full:attribute is|attributes are} released in full.",
    "attribute": "Quasi-identifier",
    "level_share": "Level as a share of the hierarchy's height",
}


def levels_used(levels: Mapping[str, int], heights: Mapping[str, int]) -> BarChart:
    """Level of each attribute as a share of its hierarchy's height.

    Parameters
    ----------
    levels, heights : mapping of str to int
        By attribute; a height of 0 counts as released in full.
    """
    shares = [level / max(heights[name], 1) for name, level in levels.items()]
    n_full = sum(level == 0 for level in levels.values())
    return BarChart(
        title=Phrase("levels_used"),
        sentence=Phrase("levels_used_now", {"n_full": n_full}),
        categories=tuple(levels),
        series=(Series(Phrase("level_share"), np.array(shares, dtype=np.float64)),),
        category_axis=Axis(Phrase("attribute")),
        value_axis=Axis(Phrase("level_share"), AxisUnit.SHARE),
    )
