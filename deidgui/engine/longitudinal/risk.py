"""Which share of the people is at risk when some of their events are known?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.matching import Matches
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

DEVIATIONS = 3.2905
"""Of the normal distribution to both sides: an interval of 99.9 %."""

AT_ONCE = 100_000
"""Draws that are matched before the interval is asked again."""

BLOCK = 4096
"""People who are looked at before it is asked whether the limit is passed already."""


@dataclass(frozen=True)
class Exposure:
    """What is asked of a policy: how many people may have a small match class.

    Parameters
    ----------
    size : int, >= 1
        People with fewer who match are at risk.
    limit : float in [0, 1]
        Largest share of the people that may be at risk.
    seed : int, >= 0
        Decides what is known in each draw, the same at every node.
    most_drawn : int, >= 1
        Draws, over all people, after which the mean decides; the default is as many
        as 1,000 rounds of 10,000 people.
    """

    size: int
    limit: float
    seed: int = 0
    most_drawn: int = 10_000_000


@dataclass(frozen=True)
class ShareAtRisk:
    """Share of the people who are at risk, exact or estimated from draws.

    Parameters
    ----------
    share, low, high : float in [0, 1]
        Mean over the draws, and its interval of 99.9 %. For ``not_more`` the share
        is the largest possible one, for ``not_less`` the smallest.
    how : str
        exact: all events of everybody are known; estimated: from `n_drawn` draws;
        not_more: even who knows all events finds no more; not_less: level 1 alone
        tells of more than the limit.
    n_drawn : int
        Draws over all people.
    meets : bool
        Whether the share is at most the limit, as far as `is_decided` says.
    is_decided : bool
        Whether the interval lies on one side of the limit; if not, the mean decides.
    """

    share: float
    low: float
    high: float
    how: str
    n_drawn: int
    meets: bool
    is_decided: bool = True


def share_at_risk(
    history: History,
    matches: Matches,
    powers: Int32Array,
    asked: Exposure,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ShareAtRisk:
    """Find whether few enough people are at risk, with as little work as decides it.

    Parameters
    ----------
    history : History
        Whose people they are.
    matches : Matches
        The same people at the levels of a node.
    powers : ndarray of int32, shape (n_people, n_event_attributes)

    Raises
    ------
    ConfigError
        Code ``nobody_there``.

    Notes
    -----
    The seed's bootstrap draws people with replacement and then what is known of each;
    the mean of its rounds is the mean, over the people, of the probability to be at
    risk. Here everybody is drawn equally often, which estimates the same mean with
    less variance, so that the interval of a binomial of as many draws is too wide
    rather than too narrow.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33; methods.md E.7.
    """
    n = history.n_people
    if not n:
        raise ConfigError("nobody_there")
    by_level_1 = float(np.mean(matches.class_sizes < asked.size))
    if by_level_1 > asked.limit:
        return ShareAtRisk(by_level_1, by_level_1, 1.0, "not_less", 0, meets=False)
    most = _if_all_is_known(history, matches, asked, monitor)
    is_exact = bool((powers >= history.n_events_of[:, None]).all())
    if most is not None:
        how = "exact" if is_exact else "not_more"
        low = most if is_exact else by_level_1
        return ShareAtRisk(most, low, most, how, 0, meets=True)
    step = n if is_exact else n * -(-AT_ONCE // n)
    n_at_risk, drawn = 0, 0
    while True:
        number = np.arange(drawn, drawn + step)
        found = matches.counts(
            number % n,
            powers,
            seed=asked.seed,
            draws=number // n,
            enough=asked.size,
        )
        n_at_risk += int(np.count_nonzero(found < asked.size))
        drawn += step
        monitor.report(min(1.0, drawn / asked.most_drawn), f"draws {drawn}")
        share = n_at_risk / drawn
        if is_exact:
            return ShareAtRisk(
                share, share, share, "exact", drawn, share <= asked.limit
            )
        low, high = wilson_interval(n_at_risk, drawn)
        is_decided = high <= asked.limit or low > asked.limit
        if is_decided or drawn >= asked.most_drawn:
            meets = share <= asked.limit
            return ShareAtRisk(share, low, high, "estimated", drawn, meets, is_decided)


def _if_all_is_known(
    history: History, matches: Matches, asked: Exposure, monitor: Monitor
) -> float | None:
    """Share at risk of who is known with all events; None if it exceeds the limit."""
    n_at_risk, n = 0, history.n_people
    powers = np.broadcast_to(
        history.n_events_of.astype(np.int32)[:, None],
        (n, len(history.event_hierarchies)),
    )
    powers = np.ascontiguousarray(powers)
    for start in range(0, n, BLOCK):
        monitor.report(0.0, "events")
        people: IntArray = np.arange(start, min(start + BLOCK, n))
        found = matches.counts(
            people,
            powers,
            seed=asked.seed,
            draws=np.zeros(len(people), np.int64),
            enough=asked.size,
        )
        n_at_risk += int(np.count_nonzero(found < asked.size))
        if n_at_risk > asked.limit * n:
            return None
    return n_at_risk / n


def wilson_interval(
    n_hits: int, n_drawn: int, deviations: float = DEVIATIONS
) -> tuple[float, float]:
    """Interval of a probability from independent draws.

    Parameters
    ----------
    n_hits : int, in [0, n_drawn]
    n_drawn : int, >= 1
    deviations : float, > 0
        Of the normal distribution to both sides.

    Returns
    -------
    tuple of two floats in [0, 1]

    References
    ----------
    .. [1] E. Wilson (1927), *Probable inference, the law of succession, and
       statistical inference*, JASA 22(158).
    """
    square = deviations**2
    share, total = n_hits / n_drawn, n_drawn + square
    middle = (n_hits + square / 2) / total
    half = deviations / total * math.sqrt(n_hits * (1 - share) + square / 4)
    return max(0.0, middle - half), min(1.0, middle + half)
