"""Who is at risk under a policy, in counts and words: never a value of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.policies.longitudinal.events import Events
from deidgui.engine.longitudinal.matching import Matches
from deidgui.text import tr

DRAWS = 20
"""Of what is known of each person, to find who is at risk."""


@dataclass(frozen=True)
class Causes:
    """People at risk under a policy.

    Parameters
    ----------
    n_at_risk : int
        People who are at risk in most draws of what is known of them.
    n_alone : int
        Of these, by the columns that are the same in all their rows.
    median_events, median_events_of_all : float
        Events of a person: of those at risk, and of everybody.
    rare : tuple of (str, int)
        By column of events, people at risk who have a value that too few people have.
    """

    n_all: int
    n_at_risk: int
    n_alone: int
    median_events: float
    median_events_of_all: float
    rare: tuple[tuple[str, int], ...]

    def words(self) -> str:
        """Say who is at risk, in sentences."""
        if not self.n_at_risk:
            return ""
        found = [
            tr(
                "{n:person is|people are} at risk in most draws of what is known of "
                "them; their median number of events is {median:g}, that of all "
                "people {all:g}.",
                n=self.n_at_risk,
                median=self.median_events,
                all=self.median_events_of_all,
            )
        ]
        if self.n_alone:
            found.append(
                tr(
                    "{n:person is|people are} at risk by the columns alone that are "
                    "the same in all their rows.",
                    n=self.n_alone,
                )
            )
        found += [
            tr(
                "{n:person at risk has|people at risk have} a value of “{column}” that "
                "too few people have.",
                n=n,
                column=name,
            )
            for name, n in self.rare
            if n
        ]
        return " ".join(found)


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
