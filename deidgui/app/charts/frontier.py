"""Where do alternatives stand between loss and risk, beside the rule?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, Guide
from deidgui.app.charts.phrases import Phrase
from deidgui.app.charts.plane import Flag, PointMark, Reference, Scatter, frontier
from deidgui.engine.arrays import FloatArray

LOSS = Axis(Phrase("loss_of_most"), AxisUnit.SHARE)
RISK = Axis(Phrase("links"), AxisUnit.NUMBER)
RISK_GAMMA = Axis(Phrase("links_gamma"), AxisUnit.NUMBER)


@dataclass(frozen=True, eq=False, repr=False)
class FrontierPlaces:
    """Where alternatives, and what is too risky, stand.

    Parameters
    ----------
    loss, risk : ndarray of float64, shape (n,)
        Of the alternatives: a share of the highest loss, and a sum over the records.
    other_loss, other_risk : ndarray of float64, shape (n_others,)
        Of the points of a frontier that are not acceptable.
    rule : Reference or None
        What alternatives are measured by, if it is a policy.
    threshold : float or None
        Risk that is allowed.
    counts_links : bool
        Whether the risk is a number of expected correct links: γ is 1.
    """

    loss: FloatArray
    risk: FloatArray
    other_loss: FloatArray
    other_risk: FloatArray
    rule: Reference | None
    threshold: float | None
    counts_links: bool = True


class HasStanding(Protocol):
    """What was discovered."""

    @property
    def standing(self) -> FrontierPlaces:
        """Where it stands between loss and risk."""
        ...


def alternatives_chart(
    discovered: HasStanding,
    *,
    chosen: int | None = None,
    kept: Sequence[int] = (),
) -> Scatter:
    """Risk and loss of the alternatives, and of all points of a frontier.

    Parameters
    ----------
    discovered : AlternativePolicies
        See `deidgui.app.policies.alternatives`.
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
    points = discovered.standing
    n, n_others = len(points.loss), len(points.other_loss)
    loss = np.concatenate([points.loss, points.other_loss])
    risk = np.concatenate([points.risk, points.other_risk])
    is_accepted = np.arange(n + n_others) < n
    marked = _marked(points, chosen, kept)
    marks: tuple[Guide, ...] = ()
    if points.threshold is not None:
        label = Phrase("allowed_risk", {"threshold": points.threshold})
        marks = (Guide("y", points.threshold, label),)
    return Scatter(
        Phrase("alternatives"),
        _sentence(points),
        np.concatenate([np.arange(n), -1 - np.arange(n_others)]).astype(np.int64),
        loss,
        risk,
        is_accepted,
        LOSS,
        RISK if points.counts_links else RISK_GAMMA,
        marked,
        marks,
        frontier(loss, risk, is_accepted),
    )


def _marked(
    points: FrontierPlaces, chosen: int | None, kept: Sequence[int]
) -> tuple[PointMark, ...]:
    flags = [(Flag.KEPT, number) for number in kept]
    flags += [(Flag.CHOSEN, chosen)] if chosen is not None else []
    marked = [
        PointMark(
            flag,
            Phrase(flag.value),
            float(points.loss[number]),
            float(points.risk[number]),
            number,
        )
        for flag, number in flags
    ]
    if points.rule is not None:
        rule = points.rule
        marked.append(PointMark(Flag.REFERENCE, rule.name, rule.loss, rule.risk))
    return tuple(marked)


def _sentence(points: FrontierPlaces) -> Phrase:
    if not len(points.loss):
        return Phrase("alternatives_none")
    params: dict[str, int | float | str] = {"n_alternatives": len(points.loss)}
    rule = points.rule
    if rule is None:
        return Phrase("alternatives_some", params)
    is_better = (points.loss <= rule.loss) & (points.risk <= rule.risk)
    return Phrase("alternatives_better", {**params, "n_better": int(is_better.sum())})
