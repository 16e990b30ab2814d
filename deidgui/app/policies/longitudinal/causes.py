"""Who is at risk under a policy, in counts and words: never a value of the data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.app.policies.longitudinal.events import Events
from deidgui.app.policies.longitudinal.policies import Causes
from deidgui.engine.longitudinal.matching import Matches

DRAWS = 20
"""Of what is known of each person, to find who is at risk."""


def causes_of(events: Events, levels: Sequence[int], matches: Matches) -> Causes:
    """Count who is at risk at a node, and by what.

    Parameters
    ----------
    levels : sequence of int
        Of all columns, those of people first.
    matches : Matches
        Of the same node.
    """
    history, size = events.history, events.size
    n = history.n_people
    number = np.arange(n * DRAWS)
    found = matches.counts(
        number % n,
        events.powers,
        seed=events.seed,
        draws=number // n,
        enough=size,
    )
    is_at_risk = 2 * (found < size).reshape(DRAWS, n).sum(axis=0) > DRAWS
    alone = matches.class_sizes < size
    n_events = history.n_events_of
    rare = []
    n_person = len(history.person_hierarchies)
    for place, each in enumerate(history.event_hierarchies):
        counts = history.value_counts(place, levels[n_person + place])
        few = counts.n_people_with[counts.values] < size
        has_rare = np.bincount(counts.people[few], minlength=n) > 0
        rare.append((each.attribute, int(np.count_nonzero(has_rare & is_at_risk))))
    return Causes(
        n,
        int(np.count_nonzero(is_at_risk)),
        int(np.count_nonzero(is_at_risk & alone)),
        float(np.median(n_events[is_at_risk])) if is_at_risk.any() else 0.0,
        float(np.median(n_events)),
        tuple(rare),
    )
