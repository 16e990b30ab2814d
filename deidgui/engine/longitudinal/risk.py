"""Which share of the people is at risk when some of their events are known?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.matching import Matched
from deidgui.engine.longitudinal.ways import ways_known
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

DEVIATIONS = 3.2905
"""Of the normal distribution to both sides: an interval of 99.9 %."""

AT_FIRST = 50_000
"""Draws that are matched before the interval is asked first; then twice as many."""

AT_ONCE = 400_000
"""Draws that are matched at most before the interval is asked again."""

MOST_WAYS = 4096
"""If no more may be known of a person, the chance of being at risk is counted."""

BLOCK = 1024
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
        Counted people and the mean over the draws, with an interval of 99.9 %. For
        ``not_more`` the share is the largest possible one, for ``not_less`` the
        smallest.
    how : str
        exact: all events of everybody are known; every_way: counted over all that may
        be known; estimated: from `n_drawn` draws; not_more: even who knows all events
        finds no more; not_less: so many are at risk whatever is known.
    n_drawn : int
        Draws of what is known, over the people of whom too much may be known to
        count it.
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
    matches: Matched,
    powers: Int32Array,
    asked: Exposure,
    *,
    ways: FloatArray | None = None,
    order: IntArray | None = None,
    only_decide: bool = False,
    monitor: Monitor = NULL_MONITOR,
) -> ShareAtRisk:
    """Find whether few enough people are at risk, with as little work as decides it.

    Parameters
    ----------
    history : History
        Whose people they are.
    matches : Matched
        The same people at the levels of a node.
    powers : ndarray of int32, shape (n_people, n_event_attributes)
    ways : ndarray of float64, shape (n_people,), optional
        As `ways_known` counts them.
    order : ndarray of int64, shape (n_people,), optional
        Place of each person: those who come first are counted first. Those who are
        easy to recognise soon show that too many are at risk.
    only_decide : bool
        Take a bound where one decides.

    Raises
    ------
    ConfigError
        Code ``nobody_there``.

    Notes
    -----
    People of whom everything is known are counted, and of those of whom little may be
    known every way is counted with its chance. Only of the others it is drawn what
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
        return _not_less(by_level_1)
    ways = ways_known(history, powers) if ways is None else ways
    few = np.flatnonzero(ways <= MOST_WAYS)
    if order is not None:
        few = few[np.argsort(order[few])]
    most = asked.limit * n if only_decide else n
    n_counted = _expected(matches, powers, few, asked, most, monitor)
    if only_decide and n_counted > most:
        return _not_less(n_counted / n)
    many = np.flatnonzero(ways > MOST_WAYS)
    if not len(many):
        found = _every_way(n_counted / n, asked)
        is_whole = bool((powers >= history.n_known_of).all())
        return replace(found, how="exact") if is_whole else found
    room = asked.limit * n - n_counted
    # PERF: few others are all looked at, since who is not at risk by all events is
    # not so by some, and needs no draws.
    most = n if len(many) <= AT_FIRST else room
    may_be = _if_all_is_known(matches, many, asked, most, monitor)
    if only_decide and may_be.sum() <= room:
        low, high = n_counted / n, (n_counted + int(may_be.sum())) / n
        return ShareAtRisk(high, low, high, "not_more", 0, meets=True)
    if not may_be.any():
        return _every_way(n_counted / n, asked)
    return _estimated(matches, powers, asked, many[may_be], n_counted, monitor)


def _not_less(share: float) -> ShareAtRisk:
    return ShareAtRisk(share, share, 1.0, "not_less", 0, meets=False)


def _every_way(share: float, asked: Exposure) -> ShareAtRisk:
    meets = share <= asked.limit
    return ShareAtRisk(share, share, share, "every_way", 0, meets)


def _expected(
    matches: Matched,
    powers: Int32Array,
    people: IntArray,
    asked: Exposure,
    most: float,
    monitor: Monitor,
) -> float:
    """Add up the chances to be at risk of people of whom every way is counted.

    Parameters
    ----------
    most : float
        Adding stops beyond it.
    """
    each, of_given = matches.different(people)
    n_alike, total = np.bincount(of_given, minlength=len(each)), 0.0
    # In the order of the first of those who are alike.
    first = np.full(len(each), len(people))
    np.minimum.at(first, of_given, np.arange(len(people)))
    in_order = np.argsort(first)
    each, n_alike = each[in_order], n_alike[in_order]
    for start in range(0, len(each), BLOCK):
        monitor.report(0.0, "events")
        block = slice(start, start + BLOCK)
        chances = matches.chances(each[block], powers, asked.size, MOST_WAYS)
        total += float(chances @ n_alike[block])
        if total > most:
            break
    return total


def _estimated(
    matches: Matched,
    powers: Int32Array,
    asked: Exposure,
    others: IntArray,
    n_counted: float,
    monitor: Monitor,
) -> ShareAtRisk:
    """Draw what is known of some people until the interval or their number decides.

    Parameters
    ----------
    others : ndarray of int64, shape (n_others,), not empty
        Of whom too much may be known to count it.
    n_counted : float
        People at risk among those who were counted.
    """
    n, n_others = len(powers), len(others)
    # Only the others add to the variance: fewer draws tell as much.
    enough_drawn = asked.most_drawn * n_others / n
    step = max(1, min(AT_FIRST, math.ceil(enough_drawn)))
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
            (n_counted + n_others * each) / n
            for each in (mean, *wilson_interval(n_at_risk, drawn))
        )
        is_decided = high <= asked.limit or low > asked.limit
        if is_decided or drawn >= enough_drawn:
            meets = share <= asked.limit
            return ShareAtRisk(share, low, high, "estimated", drawn, meets, is_decided)
        step = min(drawn, AT_ONCE)


def _if_all_is_known(
    matches: Matched, people: IntArray, asked: Exposure, most: float, monitor: Monitor
) -> BoolArray:
    """Find who is at risk of some people known with all events.

    Parameters
    ----------
    most : float
        Once more would be if the others were like those who were looked at, all
        others are taken to be at risk.

    Returns
    -------
    ndarray of bool, shape (len(people),)
    """
    n_events = np.diff(matches.known.starts).T
    powers = np.ascontiguousarray(n_events, dtype=np.int32)
    is_small, n_at_risk = np.ones(len(people), np.bool_), 0
    for start in range(0, len(people), BLOCK):
        monitor.report(0.0, "events")
        block = slice(start, start + BLOCK)
        found = matches.counts(
            people[block],
            powers,
            seed=asked.seed,
            draws=np.zeros(len(people[block]), np.int64),
            enough=asked.size,
        )
        is_small[block] = found < asked.size
        n_at_risk += int(np.count_nonzero(is_small[block]))
        if n_at_risk * len(people) > most * min(start + BLOCK, len(people)):
            break
    return is_small


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
