"""What is done to people and their events before policies are searched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.longitudinal.history import History
from deidgui.engine.preparation.columns import nearest_rank


@dataclass(frozen=True, eq=False)
class Truncation:
    """The events that are removed of people who have many.

    Parameters
    ----------
    most : mapping of int to int
        Events that a person keeps, by period.
    is_removed : ndarray of bool, shape (n_events,)
    n_people : int
        People who lose events.
    """

    most: dict[int, int]
    is_removed: BoolArray
    n_people: int

    @property
    def n_events(self) -> int:
        """Number of events removed."""
        return int(np.count_nonzero(self.is_removed))


def truncate(
    history: History,
    share: float,
    periods: AnyArray | None = None,
    *,
    seed: int = 0,
) -> Truncation:
    """Remove the most telling events of people who have more than most others.

    Parameters
    ----------
    share : float in (0, 1]
        Share of the people with events in a period who lose none there, at least.
    periods : ndarray of int, shape (n_events,), optional
        For instance the year of each event: each has a percentile of its own. Without
        them there is one over all events.
    seed : int, >= 0
        Decides among events that tell the same.

    Raises
    ------
    ConfigError
        Code ``percentile``.

    Notes
    -----
    One percentile over all events touches at most ``1 - share`` of the people; the
    published 8.5 % at the 95th percentile need one for each year.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "Truncation of claims"; methods.md
       E.2, step 3.
    """
    n = history.n_events
    period = np.zeros(n, np.int64) if periods is None else np.asarray(periods)
    names, period = np.unique(period, return_inverse=True)
    own = group_rows(n, [history.owners, period], [history.n_people, len(names)])
    size = np.bincount(own.of_row)
    of_group = period[own.first]
    most = np.array(
        [nearest_rank(size[of_group == at], share) for at in range(len(names))], int
    )
    ties = np.random.default_rng(seed).random(n)
    order = np.lexsort((ties, event_scores(history), own.of_row))
    starts = np.concatenate([[0], np.cumsum(size)])[:-1]
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n) - np.repeat(starts, size)
    is_removed = rank >= most[period] if n else np.zeros(0, np.bool_)
    n_people = len(np.unique(history.owners[is_removed]))
    by_period = dict(zip(names.tolist(), most.tolist(), strict=True))
    return Truncation(by_period, is_removed, n_people)


def event_scores(history: History) -> FloatArray:
    """How much the values of each event tell: bits, by how few people have them.

    Returns
    -------
    ndarray of float64, shape (n_events,), each >= 0
        Over the attributes, the sum of -log2 of the share of people who have the value
        at least once.

    References
    ----------
    .. [1] methods.md E.2, step 3; the seed's own score was not published with it.
    """
    scores = np.zeros(history.n_events)
    for place in range(len(history.event_hierarchies)):
        n_with = history.value_counts(place).n_people_with
        bits = -np.log2(np.maximum(n_with, 1) / history.n_people)
        scores += bits[history.event_leaves[:, place]]
    return scores
