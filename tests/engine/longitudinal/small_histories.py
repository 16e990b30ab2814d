"""Small histories, and plain Python that looks at every one of their people."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.longitudinal.history import History

SEX = Hierarchy.from_grid("sex", [("F", "*"), ("M", "*")])
WARD = Hierarchy.from_grid(
    "ward", [("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")]
)
CODE = Hierarchy.from_grid("code", [("x", "*"), ("y", "*"), ("z", "*")])


def history_of(people, codes=CODE):
    """People as (leaf of sex, events), an event being leaves or one leaf."""
    owners, leaves = [], []
    for number, (_, events) in enumerate(people):
        for event in events:
            owners.append(number)
            leaves.append(event if isinstance(event, tuple) else (event,))
    n_attributes = len(leaves[0]) if leaves else 1
    return History.of_rows(
        (SEX,),
        (codes, WARD)[:n_attributes],
        np.array([[sex] for sex, _ in people], np.int32),
        np.array(leaves, np.int32).reshape(len(leaves), n_attributes),
        np.array(owners, np.int64),
    )


events = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=4)
people = st.lists(st.tuples(st.integers(0, 1), events), min_size=1, max_size=9)
some_people = people.filter(lambda found: any(each for _, each in found))


def values_of(history, person, levels):
    """What stands of a person: the groups of level 1, a Counter by attribute."""
    n_person = len(history.person_hierarchies)
    own = tuple(
        int(each.levels[level].groups[leaf])
        for each, level, leaf in zip(
            history.person_hierarchies,
            levels[:n_person],
            history.person_leaves[person],
            strict=True,
        )
    )
    return own, [
        Counter(
            int(each.levels[level].groups[leaf])
            for leaf in history.event_leaves(place)[
                slice(*history.starts(place)[[person, person + 1]])
            ]
        )
        for place, (each, level) in enumerate(
            zip(history.event_hierarchies, levels[n_person:], strict=True)
        )
    ]


def matches(known, other):
    """Whether what is known fits a person: level 1 equal, values contained."""
    (own, values), (own_too, values_too) = known, other
    return own == own_too and all(
        a <= b for a, b in zip(values, values_too, strict=True)
    )


def every_knowledge(history, person, levels, powers):
    """All that may be known of a person, each equally likely."""
    own, values = values_of(history, person, levels)
    choices = []
    for place, counter in enumerate(values):
        each = sorted(counter.elements())
        n = min(int(powers[person, place]), len(each))
        choices.append([Counter(chosen) for chosen in combinations(each, n)])
    return [(own, list(chosen)) for chosen in product(*choices)]


def match_sizes(history, person, levels, powers, among=None):
    """Who matches, for everything that may be known: list of sets of people."""
    among = history if among is None else among
    others = [values_of(among, other, levels) for other in range(among.n_people)]
    return [
        {at for at, other in enumerate(others) if matches(known, other)}
        for known in every_knowledge(history, person, levels, powers)
    ]
