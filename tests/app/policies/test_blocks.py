"""Policies block by block: plain Python counts every set in the released rows."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.classes import Classes
from deidgui.app.policies.blocks.source import SOURCE, blocks_of
from deidgui.app.project import BlocksChoice, Privacy
from deidgui.app.release.previewing import preview
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.evidence.verify_models import smallest_by_any
from deidgui.engine.privacy import KnownAttributes
from deidgui.engine.transform.apply import apply_policy
from deidgui.errors import ConfigError
from tests.explored_case import make_case
from tests.release_case import hierarchies, make_table

NAMES = ("age", "sex", "zip")
SUPPRESSED_ROW = ("*",) * len(NAMES)


@pytest.fixture(scope="module")
def decided():
    """A project that a search accepts."""
    return make_case().project


def made(project, n, seed, known, k, limit, suppress, size=None):
    """A small table, and what is asked of it."""
    table = make_table(n, seed)
    class_table = build_class_table(table, hierarchies(table))
    privacy = Privacy(
        threshold=project.privacy.threshold,
        models=(KnownAttributes(known, k),),
        suppression_limit=limit,
    )
    choice = BlocksChoice(suppress=suppress, size=size)
    attributes = tuple(
        each.but(role="insensitive") if each.role == "sensitive" else each
        for each in project.attributes
    )
    project = project.but(privacy=privacy, blocks=choice, attributes=attributes)
    return project, Classes(table, class_table, table)


def released_texts(classes, policy):
    released = apply_policy(classes.table, classes.class_table, policy, {})
    columns = {
        each.attribute: each.values.gather(released.codes(each, released.rows))
        for each in released.columns
    }
    return list(zip(*(columns[name].to_list() for name in NAMES), strict=True))


@given(
    st.integers(1, 60),
    st.integers(0, 10_000),
    st.integers(1, 3),
    st.integers(2, 6),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    st.sampled_from(["records", "cells"]),
)
@settings(deadline=None, max_examples=120)
def test_no_set_of_released_cells_violates_the_threshold(
    decided, n, seed, known, k, limit, suppress
):
    project, classes = made(decided, n, seed, known, k, limit, suppress)
    if suppress == "cells" and n < k:
        with pytest.raises(ConfigError, match="blocks_cells_refused"):
            SOURCE.run(project, classes)
        return
    found = SOURCE.run(project, classes)
    (listed,) = found.policies
    rows = released_texts(classes, listed.policy)
    assert len(rows) == n
    is_gone = listed.policy.cells is None
    kept = [row for row in rows if not (is_gone and row == SUPPRESSED_ROW)]
    for sets in combinations(range(3), known):
        sizes = Counter(tuple(row[at] for at in sets) for row in kept)
        assert all(size >= k for size in sizes.values())
    if listed.policy.cells is not None:
        levels = [each.level < each.hierarchy.height for each in listed.policy.maps]
        n_partly = sum(
            any(cell == "*" and below for cell, below in zip(row, levels, strict=True))
            for row in rows
        )
        assert listed.figures.n_suppressed == n_partly


def test_a_chosen_policy_suppresses_the_same_cells_again(decided):
    project, classes = made(decided, 200, 3, 2, 6, 0.5, "cells")
    (listed,) = SOURCE.run(project, classes).policies
    _, others = made(decided, 200, 3, 2, 6, 0.5, "cells")
    assert others.class_table is not classes.class_table
    again = SOURCE.policy_of(listed.chosen, project, others)
    assert released_texts(others, again) == released_texts(classes, listed.policy)
    assert listed.policy.cells.n_records == again.cells.n_records > 0


def test_the_preview_marks_suppressed_cells_and_shows_their_records(decided):
    project, classes = made(decided, 200, 3, 2, 6, 0.5, "cells")
    (listed,) = SOURCE.run(project, classes).policies
    texts = released_texts(classes, listed.policy)
    for which in ("first", "suppressed"):
        shown = preview(project, classes, listed.policy, which)
        place = {each.name: at for at, each in enumerate(shown.after.columns)}
        hidden = [
            tuple(bool(shown.hidden[row, place[name]]) for name in NAMES)
            for row in range(shown.after.n_rows)
        ]
        below = [each.level < each.hierarchy.height for each in listed.policy.maps]
        expected = [
            tuple(
                cell == "*" and is_below
                for cell, is_below in zip(row, below, strict=True)
            )
            for row in texts
        ]
        if which == "suppressed":
            expected = [each for each in expected if any(each)]
        assert hidden == expected
        assert any(map(any, hidden))


def test_sets_are_counted_alike_as_tuples_and_as_numbers(monkeypatch):
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 4, (300, 6)).tolist()
    shown = Counter(map(tuple, rows))
    for known in (1, 2, 4, 6):
        expected = min(
            min(Counter(tuple(row[at] for at in places) for row in rows).values())
            for places in combinations(range(6), known)
        )
        assert smallest_by_any(shown, known) == expected
        with monkeypatch.context() as patched:
            patched.setattr("deidgui.engine.evidence.verify_models.MOST_GROUPED", 0)
            assert smallest_by_any(shown, known) == expected
            patched.setattr("deidgui.engine.evidence.verify_models.MOST_KEYS", 10)
            assert smallest_by_any(shown, known) == expected
            patched.setattr("deidgui.engine.evidence.verify_models.MOST_SUMMED", 0)
            assert smallest_by_any(shown, known) is None


@pytest.mark.parametrize(
    ("m", "known", "n_sets", "size"),
    [(50, 3, math.comb(50, 3), 3), (20, 5, 298, 9), (3, 3, 1, 3)],
)
def test_every_set_is_taken_where_no_size_has_few_blocks(m, known, n_sets, size):
    blocks = blocks_of(m, known, None)
    assert blocks.shape[1] == size
    assert len(blocks) <= n_sets
    held = {each for block in blocks.tolist() for each in combinations(block, known)}
    assert len(held) == math.comb(m, known)
