"""k-anonymity by any few attributes, against plain Python over all releases."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.privacy import KAnonymity, KnownAttributes
from deidgui.errors import ConfigError
from tests.engine.search.cases import class_tables, hierarchy_of, table_of


def meets(rows, known, k):
    """Whether no set of attributes puts anybody into a class too small."""
    return all(
        size >= k
        for places in combinations(range(len(rows[0][0])), known)
        for size in Counter(
            tuple(values[at] for at in places)
            for values, count in rows
            for _ in range(count)
        ).values()
    )


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_what_remains_is_the_largest_release_that_meets_it(data):
    m = data.draw(st.integers(1, 4))
    rows = data.draw(
        st.lists(st.tuples(*[st.integers(0, 1)] * m), min_size=1, max_size=14)
    )
    known, k = data.draw(st.integers(1, m)), data.draw(st.integers(2, 4))
    table = table_of([hierarchy_of(f"a{at}", [[0, 0]]) for at in range(m)], rows)
    classes = classes_at(table, (0,) * m)
    kept = KnownAttributes(known, k).holds(classes)
    every = list(zip(map(tuple, classes.groups.tolist()), classes.counts, strict=True))
    most = set()
    for bits in range(1, 2 ** min(len(every), 10)):
        chosen = {at for at in range(len(every)) if bits >> at & 1}
        if meets([every[at] for at in chosen], known, k):
            # Two such releases together are one too: the largest holds all.
            most |= chosen
    if len(every) <= 10:
        assert set(np.flatnonzero(kept).tolist()) == most


@given(class_tables(), st.integers(2, 5))
@settings(deadline=None, max_examples=60)
def test_with_all_attributes_known_it_is_k_anonymity(case, k):
    table, _ = case
    for levels in ((0,) * len(table.hierarchies),):
        classes = classes_at(table, levels)
        found = KnownAttributes(64, k).holds(classes)
        assert (found == KAnonymity(k).holds(classes)).all()


def test_too_many_sets_are_refused():
    flat = [Hierarchy.from_grid(f"a{at}", [("x",)]) for at in range(30)]
    table = table_of(flat, [(0,) * 30])
    KnownAttributes(3, 2).check(table)
    with pytest.raises(ConfigError) as caught:
        KnownAttributes(15, 2).check(table)
    assert caught.value.code == "known_too_many"


def test_its_words_say_how_many_are_known():
    assert KnownAttributes(1, 2).words() == (
        "By any 1 quasi-identifier, every released record looks like at least 1 other."
    )
