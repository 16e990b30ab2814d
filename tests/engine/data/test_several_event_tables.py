"""People with two and three tables of events, against plain Python."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.attack.events_known import EventsAttack
from deidgui.engine.attack.linked import LinkedCodes
from deidgui.engine.data.class_table import classes_at, leaves_of_rows
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.linking import KeyedEvents, link_tables
from deidgui.engine.data.people import people_of
from deidgui.engine.data.people_table import build_people_table
from deidgui.engine.data.table import Column, Table
from deidgui.engine.evidence.verify_events import PersonShown, ReleasedPeople, power_of
from deidgui.engine.longitudinal.history import History, event_tables
from deidgui.engine.longitudinal.matching import Matcher
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import Exposure, share_at_risk
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.policy.released import (
    released_classes,
    released_rows,
    shown_by_rows,
)
from deidgui.errors import InputError
from tests.engine.longitudinal.small_histories import match_sizes

GROUP = {"a": ("a", "ab", "*"), "b": ("b", "ab", "*"), "c": ("c", "c", "*")}
SEX = Hierarchy.from_grid("sex", [("F", "*"), ("M", "*")])
WIDTHS = (2, 1, 1)
"""Columns of each table of events."""


def names_of(kind):
    return [f"{'xyz'[kind]}{at}" for at in range(WIDTHS[kind])]


value = st.sampled_from("abc")


@st.composite
def cases(draw):
    """People as (sex, events by kind), an event being a tuple of texts."""
    n_kinds = draw(st.integers(2, 3))
    kinds = [
        st.lists(st.tuples(*[value] * WIDTHS[kind]), max_size=3)
        for kind in range(n_kinds)
    ]
    people = st.tuples(st.sampled_from("FM"), st.tuples(*kinds))
    found = draw(st.lists(people, min_size=1, max_size=6))
    for kind in range(n_kinds):
        if not any(events[kind] for _, events in found):
            found[0][1][kind].append(("a",) * WIDTHS[kind])
    return found


def linked(people, shuffle=0):
    """The tables of some people as one, rows of events in any order, one orphan."""
    mixed = np.random.default_rng(shuffle)
    tables = []
    for kind in range(len(people[0][1])):
        rows = [(str(i), *e) for i, (_, all_) in enumerate(people) for e in all_[kind]]
        rows.append(("nobody", *["c"] * WIDTHS[kind]))
        rows = [rows[at] for at in mixed.permutation(len(rows))]
        columns = [
            Column.from_texts(name, [row[at] for row in rows])
            for at, name in enumerate([f"key{kind}", *names_of(kind)])
        ]
        tables.append(KeyedEvents(Table(f"t{kind}", tuple(columns)), f"key{kind}"))
    own = [
        Column.from_texts("id", [str(i) for i in range(len(people))]),
        Column.from_texts("sex", [sex for sex, _ in people]),
    ]
    return link_tables(tables, Table("people", tuple(own)), "id")


def hierarchies_of(people):
    names = [n for kind in range(len(people[0][1])) for n in names_of(kind)]
    return [SEX, *(Hierarchy.from_grid(n, list(GROUP.values())) for n in names)]


def shown_at(person, levels):
    """What the rows of a person show at some levels: each kind of events apart."""
    sex, events = person
    at, found = 1, []
    for kind, each in enumerate(events):
        own = levels[at : at + WIDTHS[kind]]
        at += WIDTHS[kind]
        found.append(
            [
                tuple(GROUP[text][level] for text, level in zip(row, own, strict=True))
                for row in each
            ]
        )
    return (sex if levels[0] == 0 else "*", found)


def levels_for(people, seed):
    draw = np.random.default_rng(seed)
    n = sum(WIDTHS[: len(people[0][1])])
    return [int(draw.integers(2)), *draw.integers(0, 3, n).tolist()]


@given(cases(), st.integers(0, 99))
@settings(deadline=None, max_examples=100)
def test_people_are_alike_by_the_sets_of_each_kind_of_events(people, seed):
    found = linked(people, seed)
    assert [each.n_orphans for each in found.events] == [1] * len(people[0][1])
    table = found.table
    who = people_of(table.column("key0"))
    class_table = build_people_table(table, who, hierarchies_of(people))
    for levels in (
        [0] * len(class_table.hierarchies),
        levels_for(people, seed),
        [h.height for h in class_table.hierarchies],
    ):
        expected = Counter(
            (sex, tuple(frozenset(each) for each in events))
            for sex, events in (shown_at(person, levels) for person in people)
        )
        got = classes_at(class_table, levels).counts
        assert sorted(got.tolist()) == sorted(expected.values())


@given(cases(), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_rows_of_a_release_are_those_of_each_kind(people, seed):
    table = linked(people, seed).table
    who = people_of(table.column("key0"))
    class_table = build_people_table(table, who, hierarchies_of(people))
    levels = levels_for(people, seed)
    by_name = dict(zip(class_table.attributes, levels, strict=True))
    policy = lattice_policy(class_table.hierarchies, by_name, 1)
    classes = released_classes(class_table, policy)
    _, released = released_rows(table, class_table, policy, classes)
    rows = [shown_at(person, levels) for person in people]
    assert released.counts.sum() == sum(len(e) for _, all_ in rows for e in all_)
    place = 0
    for kind in range(len(people[0][1])):
        for at in range(WIDTHS[kind]):
            place += 1
            counts = released.rounds[0].label_records(place)
            labels = policy.maps[place].labels
            own = Counter(row[at] for _, all_ in rows for row in all_[kind])
            named = zip(labels, counts.tolist(), strict=True)
            assert {label: n for label, n in named if n} == own
    shown, numbers = shown_by_rows(table, class_table, policy, classes)
    sets = Counter(
        frozenset((sex, kind, row) for kind, each in enumerate(all_) for row in each)
        or sex
        for sex, all_ in rows
    )
    mine = Counter(
        tuple(shown.codes[a:b].tolist())
        for a, b in zip(shown.starts, shown.starts[1:], strict=False)
    )
    assert sorted(mine.values()) == sorted(sets.values())
    # As often in each table, not only in all together.
    often = [
        (sex, *(frozenset(Counter(each).items()) for each in all_))
        for sex, all_ in rows
    ]
    pairs = set(zip(numbers.tolist(), often, strict=True))
    assert len(pairs) == len(set(often)) == len(set(numbers.tolist()))


def history_of(people, seed=0):
    table = linked(people, seed).table
    who = people_of(table.column("key0"))
    hierarchies, leaves = leaves_of_rows(table, hierarchies_of(people))
    events = list(zip(hierarchies, leaves, strict=True))[1:]
    own = leaves[0][who.first_row].reshape(-1, 1)
    return History((SEX,), own, event_tables(table, who, events))


@given(cases(), st.integers(1, 4), st.integers(2, 3), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_risk_is_that_of_everything_that_may_be_known_of_each_kind(
    people, most, size, seed
):
    history = history_of(people, seed)
    levels = levels_for(people, seed)
    shown = ReleasedPeople([plain_person(person, levels) for person in people])
    for diversity in ("entropy", "simpson", "none"):
        powers = adversary_power(history, most, diversity)
        raw = [plain_person(person, [0] * len(levels)) for person in people]
        assert powers.tolist() == [
            [power_of(values, most, diversity) for values in each.values]
            for each in raw
        ]
        at_risk, node = [], Matcher(history).at(levels)
        for person in range(len(people)):
            found = [len(e) for e in match_sizes(history, person, levels, powers)]
            at_risk.append(sum(n < size for n in found) / len(found))
        asked = Exposure(size=size, limit=0.5)
        share = share_at_risk(history, node, powers, asked)
        if share.how == "not_less":
            assert share.share <= np.mean(at_risk) + 1e-9
        else:
            assert share.share == pytest.approx(np.mean(at_risk))
    # Known with all events: by code that the search does not share.
    everything = history.n_known_of.astype(np.int32)
    everybody, none_drawn = np.arange(len(people)), np.zeros(len(people), np.int64)
    counts = node.counts(everybody, everything, seed=0, draws=none_drawn)
    assert counts.tolist() == [
        shown.n_matching(i, each.values) for i, each in enumerate(shown.people)
    ]


def plain_person(person, levels):
    sex, events = shown_at(person, levels)
    values = [
        Counter(ord(row[at][0]) for row in each)
        for kind, each in enumerate(events)
        for at in range(WIDTHS[kind])
    ]
    return PersonShown((ord(sex),), tuple(values))


@given(cases(), st.integers(1, 3), st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_attack_is_that_of_plain_enumeration(people, power, seed):
    history = history_of(people, seed)
    table = linked(people, seed).table
    columns = [
        np.where(column.absent, -1, column.codes)
        if column.absent is not None
        else column.codes
        for column in table.columns[2:]
    ]
    events = np.flatnonzero(
        ~table.absent if table.absent is not None else table.kinds >= 0
    )
    who = people_of(table.column("key0"))
    sexes = table.column("sex").codes[who.first_row]
    times = np.arange(len(events))
    shown = LinkedCodes(
        len(people), [sexes], who.of_row[events], [c[events] for c in columns], times
    )
    powers = np.minimum(power, history.n_known_of).astype(np.int32)
    attack = EventsAttack(shown, shown, powers)
    levels, total = [0] * (1 + len(columns)), 0.0
    for person in range(len(people)):
        found = match_sizes(history, person, levels, powers)
        total += sum(1 / len(each) for each in found) / len(found)
    expected = attack.expected()
    assert expected == pytest.approx(total / len(people))
    n_runs = 300
    error = math.sqrt(max(0.0, expected * (1 - expected)) / n_runs)
    assert abs(attack.simulate(n_runs, seed).share - expected) <= 5 * error + 1e-9
    for variant in ("inexact", "same_event", "ordered"):
        other = attack.again(powers, variant)
        chance = np.random.default_rng(seed)
        for person in range(len(people)):
            known = other.draw(person, chance)
            assert person in other.fitting(known)
            n_known = [sum(each.values()) for each in known.values]
            assert n_known == powers[person].tolist()


def test_names_and_faults_of_each_table():
    people = Table(
        "people",
        (
            Column.from_texts("id", ["1", "2", "3"]),
            Column.from_texts("day", ["p", "q", "r"]),
        ),
    )
    first = Table(
        "claims.csv",
        (
            Column.from_texts("who", ["1", "9", ""]),
            Column.from_texts("day", ["a", "b", "c"]),
        ),
    )
    second = Table(
        "drugs.csv",
        (
            Column.from_texts("id", ["2", "2"]),
            Column.from_texts("day", ["x", "y"]),
            Column.from_texts("dose", ["1", "2"]),
        ),
    )
    events = [KeyedEvents(first, "who"), KeyedEvents(second, "id", "drugs")]
    found = link_tables(events, people, "id")
    table = found.table
    assert table.column_names == ("who", "day (people)", "day", "day (drugs)", "dose")
    assert found.events[1].names["day"] == "day (drugs)"
    assert [(e.n_orphans, e.n_keyless) for e in found.events] == [(1, 1), (0, 0)]
    assert [e.n_without_events for e in found.events] == [2, 2]
    assert table.kinds.tolist() == [0, 1, 1, -1]
    assert [table.lines.line(row) for row in range(4)] == [1, 1, 2, 0]
    assert table.column("dose").counts.tolist() == [0, 1, 1]
    kinds = [table.kind_of(table.column(n)) for n in ("day", "day (drugs)", "dose")]
    assert kinds == [0, 1, 1]
    with pytest.raises(InputError, match="no_event_linked"):
        link_tables(
            [events[0], KeyedEvents(second, "dose")], people.take(np.array([2])), "id"
        )
