"""Where do alternatives stand between loss and risk, beside the rule?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deidgui.app.charts.base import Axis, Mark, Unit
from deidgui.app.charts.phrases import Phrase
from deidgui.app.charts.plane import Flag, PointMark, Scatter, frontier
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from deidgui.app.tasks.discover_found import Discovered

LOSS = Axis(Phrase("loss_of_most"), Unit.SHARE)
RISK = Axis(Phrase("links"), Unit.NUMBER)
RISK_GAMMA = Axis(Phrase("links_gamma"), Unit.NUMBER)


def alternatives_chart(
    discovered: Discovered,
    *,
    chosen: int | None = None,
    kept: Sequence[int] = (),
) -> Scatter:
    """Risk and loss of the alternatives, and of all points of a frontier.

    Parameters
    ----------
    discovered : Discovered
    chosen : int, optional
    kept : sequence of int
        Numbers of alternatives that are marked.

    Returns
    -------
    Scatter
        `Scatter.policies` are the numbers of the alternatives; points of the frontier
        that are not acceptable have negative ones, the first of them -1. The rule, if
        there is one, is marked as a reference: whatever lies to the left and below is
        better in both.
    """
    ground = discovered.ground
    numbers, loss, risk, is_accepted = _points(discovered)
    marked = _marked(discovered, chosen, kept)
    rule_loss = rule_risk = float("nan")
    if ground.baseline is not None:
        rule_loss = ground.baseline.loss / ground.highest_loss
        rule_risk = ground.baseline.risk
        name = Phrase(f"rule_{ground.baseline.kind}")
        marked.append(PointMark(Flag.REFERENCE, name, rule_loss, rule_risk))
    marks: tuple[Mark, ...] = ()
    if ground.threshold is not None:
        label = Phrase("allowed_risk", {"threshold": ground.threshold})
        marks = (Mark("y", ground.threshold, label),)
    is_better = is_accepted & (loss <= rule_loss) & (risk <= rule_risk)
    return Scatter(
        Phrase("alternatives"),
        _sentence(len(discovered), int(is_better.sum()), ground.baseline is not None),
        numbers,
        loss,
        risk,
        is_accepted,
        LOSS,
        RISK if ground.discover.gamma == 1 else RISK_GAMMA,
        tuple(marked),
        marks,
        frontier(loss, risk, is_accepted),
    )


def _points(
    discovered: Discovered,
) -> tuple[IntArray, FloatArray, FloatArray, BoolArray]:
    """Number, loss, risk and acceptability of each point."""
    numbers = np.arange(len(discovered), dtype=np.int64)
    loss, risk = discovered.loss_share, discovered.risk
    is_accepted = np.ones(len(numbers), np.bool_)
    if discovered.frontier is None:
        return numbers, loss, risk, is_accepted
    keys = {each.policy.key for each in discovered.alternatives}
    scale = discovered.frontier.highest_risk
    others = [
        (point.loss, point.risk * scale)
        for point in discovered.frontier.points
        if point.policy.key not in keys
    ]
    rest = np.array(others, np.float64).reshape(-1, 2)
    return (
        np.concatenate([numbers, -1 - np.arange(len(rest), dtype=np.int64)]),
        np.concatenate([loss, rest[:, 0]]),
        np.concatenate([risk, rest[:, 1]]),
        np.concatenate([is_accepted, np.zeros(len(rest), np.bool_)]),
    )


def _marked(
    discovered: Discovered,
    chosen: int | None,
    kept: Sequence[int],
) -> list[PointMark]:
    flags = [(Flag.KEPT, number) for number in kept]
    flags += [(Flag.CHOSEN, chosen)] if chosen is not None else []
    return [
        PointMark(
            flag,
            Phrase(flag.value),
            float(discovered.loss_share[number]),
            float(discovered.risk[number]),
            number,
        )
        for flag, number in flags
    ]


def _sentence(n_alternatives: int, n_better: int, has_rule: bool) -> Phrase:
    if not n_alternatives:
        return Phrase("alternatives_none")
    params: dict[str, int | float | str] = {"n_alternatives": n_alternatives}
    if not has_rule:
        return Phrase("alternatives_some", params)
    return Phrase("alternatives_better", {**params, "n_better": n_better})
