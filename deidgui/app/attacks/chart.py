"""How often do simulated attacks find the right person?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.app.attacks.results import Attack
from deidgui.app.attacks.words import figure_of, short_words
from deidgui.app.charts.base import Axis, AxisUnit, Guide
from deidgui.app.charts.intervals import IntervalChart
from deidgui.app.charts.phrases import Phrase


def success_of_attacks(
    attacks: Sequence[Attack], threshold: float | None
) -> IntervalChart:
    """Share of successful attacks on people of whom something is known.

    Parameters
    ----------
    attacks : sequence of Attack
        With runs; others are left out.
    threshold : float in [0, 1] or None
        Of the risk that was decided.
    """
    drawn = [each for each in attacks if each.success is not None]
    above = [
        each for each in drawn if threshold is not None and figure_of(each) > threshold
    ]
    sentence = Phrase("attacks_none")
    if drawn:
        highest = max(map(figure_of, drawn))
        params = {"n_attacks": len(drawn), "most_share": highest}
        code = "attacks_most"
        if threshold is not None:
            code = "attacks_above" if above else "attacks_below"
            params |= {"threshold_share": threshold, "n_above": len(above)}
        sentence = Phrase(code, params)
    marks: tuple[Guide, ...] = ()
    if threshold is not None:
        name = Phrase("attacks_threshold", {"threshold_share": threshold})
        marks = (Guide("x", threshold, name),)
    ends = [
        np.array([getattr(e, name) for e in drawn], np.float64)
        for name in ("success", "low", "high")
    ]
    return IntervalChart(
        title=Phrase("attacks"),
        sentence=sentence,
        categories=tuple(map(short_words, drawn)),
        values=ends[0],
        lows=ends[1],
        highs=ends[2],
        category_axis=Axis(Phrase("attack")),
        value_axis=Axis(Phrase("attack_success"), AxisUnit.SHARE),
        marks=marks,
    )
