"""Who is at risk under a policy, in counts and words: never a value of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.app.policies.longitudinal.events import Events
from deidgui.app.policies.longitudinal.policies import Causes
from deidgui.engine.longitudinal.matching import Matched
from deidgui.engine.longitudinal.risk import MOST_WAYS
from deidgui.engine.longitudinal.ways import ways_known

DRAWS = 20
"""Of what is known of each person of whom too much may be known to count it."""


def causes_of(events: Events, levels: Sequence[int], matches: Matched) -> Causes:
    """Count who is at risk at a node, and by what.

    Parameters
    ----------
    levels : sequence of int
        Of all columns, those of people first.
    matches : Matched
        Of the same node.
    """
    history, size = events.history, events.size
    n = history.n_people
    ways = ways_known(history, events.powers)
    few, many = np.flatnonzero(ways <= MOST_WAYS), np.flatnonzero(ways > MOST_WAYS)
    number = np.arange(len(many) * DRAWS)
    found = matches.counts(
        many[number % max(len(many), 1)],
        events.powers,
        seed=events.seed,
        draws=number // max(len(many), 1),
        enough=size,
    )
    is_at_risk = np.zeros(n, np.bool_)
    is_at_risk[few] = matches.chances(few, events.powers, size, MOST_WAYS) > 1 / 2
    n_small = (found < size).reshape(DRAWS, len(many)).sum(axis=0)
    is_at_risk[many] = 2 * n_small > DRAWS
    alone = matches.class_sizes < size
    n_events = history.n_events_of
    rare = []
    n_person = len(history.person_hierarchies)
    for place, each in enumerate(history.event_hierarchies):
        counts = history.value_counts(place, levels[n_person + place])
        is_rare = counts.n_people_with[counts.values] < size
        has_rare = np.bincount(counts.people[is_rare], minlength=n) > 0
        rare.append((each.attribute, int(np.count_nonzero(has_rare & is_at_risk))))
    return Causes(
        n,
        int(np.count_nonzero(is_at_risk)),
        int(np.count_nonzero(is_at_risk & alone)),
        float(np.median(n_events[is_at_risk])) if is_at_risk.any() else 0.0,
        float(np.median(n_events)),
        tuple(rare),
    )
