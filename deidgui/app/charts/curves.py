"""How the best loss follows the search, the suppression limit and the group size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, Guide, LineChart, Series, SeriesRole
from deidgui.app.charts.formats import number_text
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.text import share_text

SMALL, MUCH = 0.1, 0.25
"""Shares of the loss: worth a word, worth looking no further."""

SEEN_BEYOND = 1.25
"""How far the axis of the limits goes beyond the last one that changes anything."""

LOSS = Axis(Phrase("loss"), AxisUnit.SHARE)


def search_progress(
    nodes: IntArray, best_loss: FloatArray, *, loss_axis: Axis = LOSS
) -> LineChart:
    """Loss of the best policy found so far, over the policies examined.

    Parameters
    ----------
    nodes : ndarray of int64, shape (n,), ascending
        Policies examined.
    best_loss : ndarray of float64, shape (n,)
        NaN as long as none was found.
    loss_axis : Axis, optional
        What the loss is.

    Returns
    -------
    LineChart
        From the first policy found; stepped, because it stays the best until the
        next one is found.
    """
    n_nodes = int(nodes[-1]) if len(nodes) else 0
    found = np.isfinite(best_loss)
    last = float(best_loss[-1]) if len(best_loss) else math.nan
    sentence = Phrase("progress_none", {"n_nodes": n_nodes})
    if not math.isnan(last):
        sentence = Phrase(
            "progress_best", {"n_nodes": n_nodes, "loss": loss_words(last, loss_axis)}
        )
    series = Series(
        Phrase("best_loss"), best_loss[found], positions=nodes[found].astype(np.float64)
    )
    return LineChart(
        Phrase("progress"),
        sentence,
        (series,),
        _examined(n_nodes),
        loss_axis,
        is_stepped=True,
    )


def gap_progress(nodes: IntArray, gaps: FloatArray) -> LineChart:
    """How far the best policy so far can be from the optimum, while it is proven.

    Parameters
    ----------
    nodes : ndarray of int64, shape (n,), ascending
        Policies examined.
    gaps : ndarray of float64, shape (n,), each in [0, 1]
        By which share of its loss the best one can still be bettered; NaN as long
        as none was found.
    """
    known = np.isfinite(gaps)
    last = float(gaps[known][-1]) if known.any() else math.nan
    sentence = Phrase("gap_none")
    if not math.isnan(last):
        code = "gap_now" if last > 0 else "gap_proven"
        if last >= 1:
            code = "gap_unknown"
        sentence = Phrase(code, {"gap_share": last})
    places = nodes[known].astype(np.float64)
    return LineChart(
        Phrase("gap"),
        sentence,
        (Series(Phrase("gap_share"), gaps[known], positions=places),),
        _examined(int(nodes[-1]) if len(nodes) else 0),
        Axis(Phrase("gap_share"), AxisUnit.SHARE, limits=(0.0, 1.0)),
        is_stepped=True,
    )


def _examined(n_nodes: int) -> Axis:
    """Axis from the start of the search to a round number: it moves rarely."""
    end = next(
        step * 10**power
        for power in range(3, 19)
        for step in (1, 2, 5)
        if step * 10**power >= n_nodes
    )
    return Axis(Phrase("nodes_checked"), AxisUnit.COUNT, limits=(0.0, float(end)))


def loss_by_limit(
    limits: FloatArray,
    losses: FloatArray,
    limit: float,
    *,
    exact: BoolArray | None = None,
    round_limits: Sequence[float] = (),
    loss_axis: Axis = LOSS,
    notes: tuple[str, ...] = (),
    of_people: bool = False,
) -> LineChart:
    """Loss of the best policy for every suppression limit.

    Parameters
    ----------
    limits : ndarray of float64, shape (n,), ascending, each in [0, 1]
        Share of the records that may be suppressed.
    losses : ndarray of float64, shape (n,)
        NaN where no policy meets the models.
    limit : float in [0, 1]
        The limit in force.
    exact : ndarray of bool, shape (n,), optional
        Where the loss is more than a lower bound; everywhere if not given.
    round_limits : sequence of float, optional
        Limits that the sentence may speak of; those of the curve if not given.
    loss_axis : Axis, optional
        What the loss is.
    notes : tuple of str, optional
        The best policy of every limit.
    of_people : bool, optional
        Whether people are counted, not records.

    Returns
    -------
    LineChart
        Stepped: between two limits the lower one holds. It ends a little after its
        last change, and after the limit in force; its axis says so.
    """
    known = _all_exact(losses) if exact is None else exact
    last, end = _last_change(limits, losses, known, notes, limit)
    name = Phrase("limit_of_people" if of_people else "limit")
    if end < len(limits):
        last_change = float(limits[last])
        name = Phrase(
            "limit_unchanged", {"limit": name.text(), "from_share": last_change}
        )
    return LineChart(
        Phrase("by_limit"),
        _limit_sentence(limits, losses, known, limit, round_limits, loss_axis),
        _with_bounds(limits[:end], losses[:end], known[:end]),
        Axis(name, AxisUnit.SHARE),
        loss_axis,
        is_stepped=True,
        marks=(Guide("x", limit, Phrase("now_limit", {"limit_share": limit})),),
        notes=notes[:end],
    )


def loss_by_k(
    ks: IntArray,
    losses: FloatArray,
    k: int,
    *,
    exact: BoolArray | None = None,
    loss_axis: Axis = LOSS,
    notes: tuple[str, ...] = (),
    of_people: bool = False,
) -> LineChart:
    """Loss of the best policy for every group size.

    Parameters
    ----------
    ks : ndarray of int64, shape (n,), ascending, each >= 1
    losses : ndarray of float64, shape (n,)
        NaN where no policy meets the models.
    k : int, >= 1
        The group size in force.
    exact : ndarray of bool, shape (n,), optional
        Where the loss is more than a lower bound; everywhere if not given.
    loss_axis : Axis, optional
        What the loss is.
    notes : tuple of str, optional
        The best policy of every group size.
    of_people : bool, optional
        Whether people are counted, not records.

    Returns
    -------
    LineChart
        With points where not every group size between the first and the last is
        known.
    """
    positions = ks.astype(np.float64)
    known = _all_exact(losses) if exact is None else exact
    now = Phrase("now_k", {"k": k})
    return LineChart(
        Phrase("by_k"),
        _k_sentence(positions, losses, known, k, loss_axis),
        _with_bounds(positions, losses, known),
        Axis(Phrase("k_of_people" if of_people else "k"), AxisUnit.COUNT),
        loss_axis,
        is_stepped=True,
        has_points=bool((np.diff(ks) > 1).any()),
        marks=(Guide("x", float(k), now),) if k > 1 else (),
        notes=notes,
    )


def loss_words(loss: float, axis: Axis) -> str:
    """Loss as people write it, in the unit of its axis."""
    return share_text(loss) if axis.unit is AxisUnit.SHARE else number_text(loss)


def _last_change(
    limits: FloatArray,
    losses: FloatArray,
    exact: BoolArray,
    notes: Sequence[str],
    limit: float,
) -> tuple[int, int]:
    """Place from which on all is the same, and how many places show it."""
    says = list(zip(np.nan_to_num(losses, nan=-1.0), exact, strict=True))
    texts = list(zip(says, notes or [""] * len(says), strict=True))
    changed = (at for at in range(len(texts) - 1, 0, -1) if texts[at] != texts[at - 1])
    last = next(changed, 0)
    if not last:
        return 0, len(limits)
    beyond = SEEN_BEYOND * max(float(limits[last]), limit)
    return last, min(int(np.searchsorted(limits, beyond)) + 1, len(limits))


def _all_exact(losses: FloatArray) -> BoolArray:
    return np.ones(len(losses), dtype=np.bool_)


def _with_bounds(
    positions: FloatArray, losses: FloatArray, exact: BoolArray
) -> tuple[Series, ...]:
    """The curve; where it is a lower bound a second, dashed one says so."""
    curve = Series(Phrase("loss"), losses, positions=positions)
    is_bound = ~exact & np.isfinite(losses)
    if not is_bound.any():
        return (curve,)
    bounds = np.where(is_bound, losses, math.nan)
    name = Phrase("at_least")
    return curve, Series(name, bounds, SeriesRole.BEFORE, positions=positions)


def _limit_sentence(
    limits: FloatArray,
    losses: FloatArray,
    exact: BoolArray,
    limit: float,
    round_limits: Sequence[float],
    axis: Axis,
) -> Phrase:
    """Say what the next larger limit that is worth it would buy."""
    here = _place(limits, limit)
    loss = math.nan if here is None else float(losses[here])
    params: dict[str, int | float | str] = {"limit_share": limit}
    further = [each for each in (round_limits or limits.tolist()) if each > limit]
    there = [(each, _held(limits, losses, each)) for each in further]
    if here is None or math.isnan(loss):
        enough = next((each for each, other in there if not math.isnan(other)), None)
        if enough is None:
            return Phrase("by_limit_none", params)
        return Phrase("by_limit_makes", {**params, "to_share": enough})
    params["loss"] = loss_words(loss, axis)
    if not exact[here]:
        return Phrase("by_limit_bound", params)
    sure = [(to, other) for to, other in there if exact[_place(limits, to) or 0]]
    gains = [(to, other, 1 - other / loss if loss > 0 else 0) for to, other in sure]
    better = next((each for each in gains if each[2] >= MUCH), None)
    better = better or next((each for each in gains if each[2] >= SMALL), None)
    if better is None:
        return Phrase("by_limit_now", params)
    to, other, gain = better
    params |= {"to_share": to, "to_loss": loss_words(other, axis)}
    code = "by_limit_halves" if abs(gain - 0.5) < 0.03 else "by_limit_gain"
    return Phrase(code, params)


def _k_sentence(
    sizes: FloatArray, losses: FloatArray, exact: BoolArray, k: int, axis: Axis
) -> Phrase:
    """Say what groups about twice as large would cost."""
    here = _place(sizes, float(k))
    loss = math.nan if here is None else float(losses[here])
    if here is None or math.isnan(loss):
        return Phrase("by_k_none", {"k": k})
    params: dict[str, int | float | str] = {"k": k, "loss": loss_words(loss, axis)}
    if not exact[here]:
        return Phrase("by_k_bound", params)
    there = _place(sizes, 2.0 * k)
    if there is None or there == here or not exact[there]:
        return Phrase("by_k_now", params)
    other = float(losses[there])
    params["to"] = int(sizes[there])
    if math.isnan(other):
        return Phrase("by_k_ends", params)
    if math.isclose(other, loss):
        return Phrase("by_k_free", params)
    # A policy of larger groups is one of smaller groups too: another one was kept from.
    code = "by_k_cost" if other > loss else "by_k_removes"
    return Phrase(code, {**params, "to_loss": loss_words(other, axis)})


def _place(positions: FloatArray, at: float) -> int | None:
    """Last position that is not above `at`."""
    place = int(np.searchsorted(positions, at * (1 + 1e-12), side="right")) - 1
    return place if place >= 0 else None


def _held(positions: FloatArray, values: FloatArray, at: float) -> float:
    """Value at the last position that is not above `at`; NaN below the first."""
    place = _place(positions, at)
    return math.nan if place is None else float(values[place])
