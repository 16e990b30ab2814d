"""Where every policy stands between risk and information loss."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, Guide, NumberTable
from deidgui.app.charts.curves import LOSS, loss_words
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray


class Flag(enum.Enum):
    """Why a point is marked; drawing gives each its shape."""

    OPTIMUM = "optimum"
    CHOSEN = "chosen"
    KEPT = "kept"
    MINIMAL = "minimal"
    PICKED = "picked"
    REFERENCE = "reference"


@dataclass(frozen=True)
class PointMark:
    """A point with a name.

    Parameters
    ----------
    policy : int or None
        Its policy, if it is one of the points.
    """

    flag: Flag
    label: Phrase
    x: float
    y: float
    policy: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Scatter:
    """Points in a plane.

    Parameters
    ----------
    policies : ndarray of int64, shape (n,)
        Number of each point's policy.
    x, y : ndarray of float64, shape (n,)
    feasible : ndarray of bool, shape (n,)
        Which points meet the models.
    marks : tuple of Guide
        Threshold lines.
    frontier : ndarray of int64, shape (n_frontier,)
        Rows of feasible points that no other one beats in both, by ascending x.
    """

    title: Phrase
    sentence: Phrase
    policies: IntArray
    x: FloatArray
    y: FloatArray
    feasible: BoolArray
    x_axis: Axis
    y_axis: Axis
    marked: tuple[PointMark, ...]
    marks: tuple[Guide, ...]
    frontier: IntArray

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return len(self.policies) == 0

    def to_table(self) -> NumberTable:
        """One row per point."""
        labels = ("policy", "meets_models")
        policy, meets = (Phrase(code).text() for code in labels)
        header = (policy, self.x_axis.label.text(), self.y_axis.label.text(), meets)
        columns = (self.policies, self.x, self.y, self.feasible.astype(np.int64))
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return NumberTable(header, tuple(rows))

    def at(
        self, is_shown: BoolArray, policies: IntArray, renumber: Callable[[int], int]
    ) -> Scatter:
        """Return some of the points, with other numbers for the policies.

        Parameters
        ----------
        is_shown : ndarray of bool, shape (n,)
        policies : ndarray of int64, shape (n,)
            New number of each point's policy.
        renumber : callable
            Returns the new number of a marked policy.
        """
        marked = tuple(
            each if each.policy is None else replace(each, policy=renumber(each.policy))
            for each in self.marked
        )
        x, y, feasible = self.x[is_shown], self.y[is_shown], self.feasible[is_shown]
        return replace(
            self,
            policies=policies[is_shown],
            x=x,
            y=y,
            feasible=feasible,
            marked=marked,
            frontier=frontier(x, y, feasible),
        )


@dataclass(frozen=True)
class Reference:
    """A policy that is no candidate but good to compare with, such as Safe Harbor."""

    name: Phrase
    loss: float
    risk: float


def risk_utility_plane(
    policies: IntArray,
    loss: FloatArray,
    risk: FloatArray,
    feasible: BoolArray,
    *,
    optimum: int | None = None,
    chosen: int | None = None,
    kept: Sequence[int] = (),
    references: Sequence[Reference] = (),
    threshold: float | None = None,
    loss_axis: Axis | None = None,
    risk_axis: Axis | None = None,
) -> Scatter:
    """Risk and information loss of many policies.

    Parameters
    ----------
    policies : ndarray of int64, shape (n,)
        Numbers of the policies.
    loss, risk : ndarray of float64, shape (n,)
        NaN where unknown; such policies are left out.
    feasible : ndarray of bool, shape (n,)
        Which policies meet the models.
    optimum, chosen : int, optional
        Numbers of policies.
    kept : sequence of int
        Numbers of the policies that are kept for comparison.
    threshold : float, optional
        Risk that is accepted.
    loss_axis, risk_axis : Axis, optional
        What the two numbers are; shares by default.
    """
    known = np.isfinite(loss) & np.isfinite(risk)
    policies, loss, risk = policies[known], loss[known], risk[known]
    feasible = feasible[known]
    flags = [(Flag.KEPT, policy) for policy in kept]
    flags += [(Flag.OPTIMUM, optimum)] if optimum is not None else []
    flags += [(Flag.CHOSEN, chosen)] if chosen is not None else []
    marked = _marked(flags, references, policies, loss, risk)
    marks: tuple[Guide, ...] = ()
    if threshold is not None:
        label = Phrase("threshold", {"threshold_share": threshold})
        marks = (Guide("y", threshold, label),)
    return Scatter(
        Phrase("plane"),
        _sentence(feasible, loss, marked, loss_axis or LOSS),
        policies,
        loss,
        risk,
        feasible,
        loss_axis or LOSS,
        risk_axis or Axis(Phrase("risk"), AxisUnit.SHARE),
        tuple(marked),
        marks,
        frontier(loss, risk, feasible),
    )


def _marked(
    flags: Sequence[tuple[Flag, int]],
    references: Sequence[Reference],
    policies: IntArray,
    loss: FloatArray,
    risk: FloatArray,
) -> list[PointMark]:
    """Marks for the policies that are among the points, and for the references."""
    rows = {policy: row for row, policy in enumerate(policies.tolist())}
    marked = [
        PointMark(
            flag,
            Phrase(flag.value),
            float(loss[rows[policy]]),
            float(risk[rows[policy]]),
            policy,
        )
        for flag, policy in flags
        if policy in rows
    ]
    return marked + [
        PointMark(Flag.REFERENCE, each.name, each.loss, each.risk)
        for each in references
    ]


def frontier(loss: FloatArray, risk: FloatArray, feasible: BoolArray) -> IntArray:
    """Feasible points that no other feasible point beats in both respects.

    Parameters
    ----------
    loss, risk : ndarray of float64, shape (n,)
    feasible : ndarray of bool, shape (n,)

    Returns
    -------
    ndarray of int64, shape (n_frontier,)
        Rows by ascending loss; of equal points the first.
    """
    rows = np.flatnonzero(feasible)
    rows = rows[np.lexsort((risk[rows], loss[rows]))]
    if not len(rows):
        return rows
    lowest_before = np.minimum.accumulate(np.append(np.inf, risk[rows][:-1]))
    return rows[risk[rows] < lowest_before]


def _sentence(
    feasible: BoolArray, loss: FloatArray, marked: Sequence[PointMark], loss_axis: Axis
) -> Phrase:
    if not len(feasible):
        return Phrase("nothing_yet")
    params: dict[str, int | float | str] = {"n_points": len(feasible)}
    if not feasible.any():
        return Phrase("plane_none", params)
    params["n_feasible"] = int(feasible.sum())
    some = Phrase("plane_all_meet" if feasible.all() else "plane_some_meet", params)
    params = {"some": some.text()}
    for flag, code in ((Flag.CHOSEN, "plane_chosen"), (Flag.OPTIMUM, "plane_optimum")):
        for mark in marked:
            if mark.flag is flag:
                params["loss"] = loss_words(mark.x, loss_axis)
                found = Phrase(code, {**params, "risk_share": mark.y})
                # The mark may hide them.
                n_less = int((feasible & (loss < mark.x * (1 - 1e-9))).sum())
                less = Phrase("plane_less", {"some": found.text(), "n_less": n_less})
                return less if n_less else found
    return Phrase("plane_some", params)
