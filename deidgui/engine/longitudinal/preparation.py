"""What is done to people and their events before policies are searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.table import Column
from deidgui.engine.longitudinal.history import History
from deidgui.errors import ConfigError

FEWEST_PROVIDERS = 20
"""Providers of the whole system who must have a pattern, else their numbers go."""


def nearest_rank(values: AnyArray, share: float) -> int:
    """Smallest value with at least a share of the values at or below it.

    Parameters
    ----------
    values : ndarray of int, shape (n,), not empty
    share : float in (0, 1]

    Raises
    ------
    ConfigError
        Code ``percentile``.
    """
    if not 0 < share <= 1 or not len(values):
        raise ConfigError("percentile", share=share)
    place = int(np.ceil(share * len(values) - 1e-9)) - 1
    return int(np.partition(values, place)[place])


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


@dataclass(frozen=True)
class ListedCode:
    """A code whose people are removed.

    Parameters
    ----------
    is_prefix : bool
        Whether all codes that begin with it are meant.
    reason : str
        In the words of the list.
    """

    code: str
    is_prefix: bool
    reason: str

    def fits(self, text: str) -> bool:
        """Whether a code of the data is meant; dots and cases do not matter."""
        code, found = _plain(self.code), _plain(text)
        return found.startswith(code) if self.is_prefix else found == code


def _plain(code: str) -> str:
    return code.replace(".", "").strip().upper()


def people_with_codes(
    columns: Sequence[Column],
    owners: AnyArray,
    n_people: int,
    codes: Sequence[ListedCode],
) -> tuple[BoolArray, dict[str, int]]:
    """Find the people who have any of some codes in any of some columns.

    Parameters
    ----------
    columns : sequence of Column
        With a code in each event.
    owners : ndarray of int, shape (n_events,)

    Returns
    -------
    has : ndarray of bool, shape (n_people,)
    by_reason : dict of str to int
        People by reason; one person may have several. A list that fits nobody is 0.
    """
    has, by_reason = np.zeros(n_people, np.bool_), {}
    for reason in dict.fromkeys(each.reason for each in codes):
        wanted = [each for each in codes if each.reason == reason]
        own = np.zeros(n_people, np.bool_)
        for column in columns:
            fits = np.array(
                [any(each.fits(text) for each in wanted) for text in column.texts()],
                np.bool_,
            )
            own[owners[(fits & ~column.is_missing)[column.codes]]] = True
        by_reason[reason] = int(np.count_nonzero(own))
        has |= own
    return has, by_reason


def rare_providers(
    patterns: Sequence[AnyArray],
    providers: AnyArray,
    fraction: float,
    fewest: int = FEWEST_PROVIDERS,
) -> tuple[BoolArray, FloatArray]:
    """Find the events whose pattern too few providers have.

    Parameters
    ----------
    patterns : sequence of ndarray of int, each of shape (n_events,)
        Codes of what together makes the pattern of an event, as it is released.
    providers : ndarray of int, shape (n_events,)
    fraction : float in (0, 1]
        Sampling fraction of the providers.
    fewest : int
        Providers of the whole system who must have a pattern.

    Returns
    -------
    is_rare : ndarray of bool, shape (n_events,)
    estimated : ndarray of float64, shape (n_events,)
        Providers of the whole system with the pattern of each event.

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33; methods.md E.2, step 5.
    """
    n = len(providers)
    sizes = [int(each.max(initial=0)) + 1 for each in patterns]
    same = group_rows(n, patterns, sizes)
    pairs = group_rows(
        n,
        [same.of_row, providers],
        [len(same.first), int(providers.max(initial=0)) + 1],
    )
    n_providers = np.bincount(same.of_row[pairs.first], minlength=len(same.first))
    estimated = population_estimates(n_providers, fraction)[same.of_row]
    return estimated < fewest, estimated


def population_estimates(counts: IntArray, fraction: float) -> FloatArray:
    """Estimate how many there are in the population from those in a sample.

    Parameters
    ----------
    counts : ndarray of int64, shape (n,), each >= 1
    fraction : float in (0, 1]

    Returns
    -------
    ndarray of float64, shape (n,), each at least its count

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.

    Notes
    -----
    The count of the sample is taken for a Poisson number that is not 0. A count of 1
    tells nothing more: the estimate is then 1.

    References
    ----------
    .. [1] methods.md E.6, point estimate.
    """
    if not 0 < fraction <= 1:
        raise ConfigError("sampling_fraction", fraction=fraction)
    n = np.asarray(counts, dtype=np.float64)
    # Newton's method on λ - n (1 - exp(-λ)), which is convex: from above it never
    # leaves the root. For n = 1 the root is 0.
    mean = n.copy()
    for _ in range(60):
        slope = 1 - n * np.exp(-mean)
        step = (mean + n * np.expm1(-mean)) / np.where(slope > 0, slope, 1.0)
        mean = np.maximum(mean - step, 0.0)
    return np.maximum(n, np.where(n > 1, mean / fraction, n))
