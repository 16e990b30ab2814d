"""How the best loss follows the search, the suppression limit and the group size."""

from __future__ import annotations

import math

import numpy as np

from deidgui.app.charts.base import Axis, LineChart, Mark, Series, Unit
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray, IntArray

LOSS = Axis(Phrase("loss"), Unit.SHARE)


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
        sentence = Phrase("progress_best", {"n_nodes": n_nodes, "loss_share": last})
    series = Series(
        Phrase("best_loss"), best_loss[found], positions=nodes[found].astype(np.float64)
    )
    return LineChart(
        Phrase("progress"),
        sentence,
        (series,),
        Axis(Phrase("nodes_checked"), Unit.COUNT),
        loss_axis,
        is_stepped=True,
    )


def loss_by_limit(
    limits: FloatArray, losses: FloatArray, limit: float, *, loss_axis: Axis = LOSS
) -> LineChart:
    """Loss of the best policy for every suppression limit.

    Parameters
    ----------
    limits : ndarray of float64, shape (n,), ascending, each in [0, 1]
        Share of the records that may be withheld.
    losses : ndarray of float64, shape (n,)
        NaN where no policy meets the models.
    limit : float in [0, 1]
        The limit in force.
    loss_axis : Axis, optional
        What the loss is.

    Returns
    -------
    LineChart
        Stepped: between two limits the lower one holds.
    """
    loss = _held(limits, losses, limit)
    code = "by_limit_none" if math.isnan(loss) else "by_limit_now"
    return LineChart(
        Phrase("by_limit"),
        Phrase(code, {"limit_share": limit, "loss_share": loss}),
        (Series(Phrase("loss"), losses, positions=limits),),
        Axis(Phrase("limit"), Unit.SHARE),
        loss_axis,
        is_stepped=True,
        marks=(Mark("x", limit, Phrase("now_limit", {"limit_share": limit})),),
    )


def loss_by_k(
    ks: IntArray, losses: FloatArray, k: int, *, loss_axis: Axis = LOSS
) -> LineChart:
    """Loss of the best policy for every group size.

    Parameters
    ----------
    ks : ndarray of int64, shape (n,), ascending, each >= 1
    losses : ndarray of float64, shape (n,)
        NaN where no policy meets the models.
    k : int, >= 1
        The group size in force.
    loss_axis : Axis, optional
        What the loss is.

    Returns
    -------
    LineChart
    """
    positions = ks.astype(np.float64)
    loss = _held(positions, losses, float(k))
    code = "by_k_none" if math.isnan(loss) else "by_k_now"
    return LineChart(
        Phrase("by_k"),
        Phrase(code, {"k": k, "loss_share": loss}),
        (Series(Phrase("loss"), losses, positions=positions),),
        Axis(Phrase("k"), Unit.COUNT),
        loss_axis,
        is_stepped=True,
        marks=(Mark("x", float(k), Phrase("now_k", {"k": k})),),
    )


def _held(positions: FloatArray, values: FloatArray, at: float) -> float:
    """Value at the last position that is not above `at`; NaN below the first."""
    place = int(np.searchsorted(positions, at * (1 + 1e-12), side="right")) - 1
    return float(values[place]) if place >= 0 else math.nan
