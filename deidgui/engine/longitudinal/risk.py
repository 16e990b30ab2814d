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

AT_FIRST = 20_000
"""Draws that are matched before the interval is asked first; then twice as many."""

AT_ONCE = 400_000
"""Draws that are matched at most before the interval is asked again."""

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
        Draws of what is known, over the people of whom not everything is known.
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
    People of whom everything is known are counted; only of the others it is drawn what
    is known. The seed's bootstrap draws people with replacement and then what is known
    of each; the mean of its rounds is the mean, over the people, of the probability to
    be at risk. Here everybody is drawn equally often, which estimates the same mean
    with less variance, so that the interval of a binomial of as many draws is too wide
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
    is_sure = (powers >= history.n_events_of[:, None]).all(axis=1)
    sure, others = np.flatnonzero(is_sure), np.flatnonzero(~is_sure)
    n_sure = _n_if_all_is_known(matches, sure, asked, n, monitor)
    if not len(others):
        share = n_sure / n
        return ShareAtRisk(share, share, share, "exact", 0, share <= asked.limit)
    room = asked.limit * n - n_sure
    more = _n_if_all_is_known(matches, others, asked, room, monitor)
    if more <= room:
        most = (n_sure + more) / n
        return ShareAtRisk(most, by_level_1, most, "not_more", 0, meets=True)
    return _estimated(matches, powers, asked, others, n_sure, monitor)


def _estimated(
    matches: Matches,
    powers: Int32Array,
    asked: Exposure,
    others: IntArray,
    n_sure: int,
    monitor: Monitor,
) -> ShareAtRisk:
    """Draw what is known of some people until the interval or their number decides.

    Parameters
    ----------
    others : ndarray of int64, shape (n_others,), not empty
        Of whom not everything is known.
    n_sure : int
        People at risk among those of whom everything is known.
    """
    n, n_others = len(powers), len(others)
    # Only the others add to the variance: fewer draws tell as much.
    enough_drawn = asked.most_drawn * n_others / n
    step = n_others * -(-AT_FIRST // n_others)
    n_at_risk, drawn = 0, 0
    while True:
        number = np.arange(drawn, drawn + step)
        found = matches.counts(
            others[number % n_others],
            powers,
            seed=asked.seed,
            draws=number // n_others,
            enough=asked.size,
        )
        n_at_risk += int(np.count_nonzero(found < asked.size))
        drawn += step
        monitor.report(min(1.0, drawn / enough_drawn), f"draws {drawn}")
        mean = n_at_risk / drawn
        share, low, high = (
            (n_sure + n_others * each) / n
            for each in (mean, *wilson_interval(n_at_risk, drawn))
        )
        is_decided = high <= asked.limit or low > asked.limit
        if is_decided or drawn >= enough_drawn:
            meets = share <= asked.limit
            return ShareAtRisk(share, low, high, "estimated", drawn, meets, is_decided)
        rounds = min(drawn, AT_ONCE) // n_others
        step = n_others * max(1, rounds)


def _n_if_all_is_known(
    matches: Matches, people: IntArray, asked: Exposure, most: float, monitor: Monitor
) -> int:
    """Count who is at risk of some people known with all events.

    Parameters
    ----------
    most : float
        Counting stops beyond it.
    """
    n_events = np.diff(matches.known.starts)
    powers = np.broadcast_to(
        n_events.astype(np.int32)[:, None], (len(n_events), len(matches.known.items))
    )
    powers = np.ascontiguousarray(powers)
    each, n_alike = matches.different(people)
    n_at_risk = 0
    for start in range(0, len(each), BLOCK):
        monitor.report(0.0, "events")
        block = each[start : start + BLOCK]
        found = matches.counts(
            block,
            powers,
            seed=asked.seed,
            draws=np.zeros(len(block), np.int64),
            enough=asked.size,
        )
        is_small = found < asked.size
        n_at_risk += int(n_alike[start : start + BLOCK][is_small].sum())
        if n_at_risk > most:
            break
    return n_at_risk


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
