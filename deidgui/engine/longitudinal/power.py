"""How many events of a person does an adversary know?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.longitudinal.history import History, ValueCounts

Diversity = Literal["entropy", "simpson", "none"]
"""What lowers the power: entropy of a person's values, chance that two of them differ,
or nothing (constant power)."""

HALF = 0.5 - 1e-9
"""Halves are rounded up, also where a float falls just short of one."""


def adversary_power(
    history: History,
    most: int,
    diversity: Diversity = "entropy",
    levels: Sequence[int] | None = None,
) -> Int32Array:
    """Number of values of each attribute that is known of each person.

    Parameters
    ----------
    most : int, >= 1
        Known of a person with many events that are all alike.
    levels : sequence of int, optional
        Of the attributes of events; by default the values as they are.

    Returns
    -------
    ndarray of int32, shape (n_people, n_event_attributes)
        At least 1 for who has events of the attribute's kind, at most `most` and
        their number.

    Notes
    -----
    ``1 + (min(most, n) - 1) (1 - D)``, rounded, for n events and a diversity D in
    [0, 1]: it does not fall with the number of events nor rise with their diversity.
    With several kinds of events (claims, drugs, laboratory values) n and D are those
    of the attribute's own kind: of each kind the adversary knows up to `most` values of
    each attribute, as if it were the only one. That is never less than if the power
    were divided between the kinds.

    Meant for values before any search, so that it is the same at all nodes. Values at
    a higher level are less diverse: the power is then as high or higher.

    References
    ----------
    .. [1] K. El Emam et al. (2012), *De-identification methods for open health data*,
       JMIR 14(1):e33, "Adversary power"; the formula: methods.md E.5.
    """
    columns = []
    for place, n_events in enumerate(history.n_known_of.T):
        level = 0 if levels is None else levels[place]
        counts = history.value_counts(place, level)
        known_at_most = np.minimum(most, n_events).astype(np.float64)
        share = 1.0 - _diversity(n_events, counts, diversity)
        power = 1 + np.floor((known_at_most - 1) * share + (1 - HALF))
        columns.append(np.where(known_at_most > 0, power, 0))
    if not columns:
        return np.zeros((history.n_people, 0), np.int32)
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)


def _diversity(n_events: IntArray, found: ValueCounts, kind: Diversity) -> FloatArray:
    """Diversity of each person's values of one attribute, in [0, 1]."""
    n = n_events.astype(np.float64)
    several = n > 1
    diversity = np.zeros(len(n))
    if kind == "none":
        return diversity
    counts = found.counts.astype(np.float64)
    each = counts * np.log(counts) if kind == "entropy" else counts * (counts - 1)
    sums = np.bincount(found.people, weights=each, minlength=len(diversity))
    n = n[several]
    if kind == "entropy":
        diversity[several] = 1 - sums[several] / (n * np.log(n))
    else:
        diversity[several] = 1 - sums[several] / (n * (n - 1))
    return np.clip(diversity, 0.0, 1.0)
