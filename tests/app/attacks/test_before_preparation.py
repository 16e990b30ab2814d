"""Knowledge is drawn before preparation and sample, and looked for after them.

The oracle is plain Python on texts: dictionaries, combinations and Counters.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.attacks.running import AsRead, run_attacks
from deidgui.app.attacks.words import ASSUMED, about_people
from deidgui.app.classes import build_classes, people_in
from deidgui.app.drawn import DrawCache
from deidgui.app.loaded import Loaded
from deidgui.app.preparation.preparing import prepared
from deidgui.app.project import (
    AttackChoice,
    Attribute,
    HierarchyChoice,
    Privacy,
    Project,
    SampleChoice,
    UnitOfProtection,
)
from deidgui.engine.data.linking import KeyedEvents, link_tables
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.preparation import (
    STEPS,
    DaysSinceFirst,
    GroupCodes,
    OneValue,
    RemovePeople,
    ShiftDates,
    SuppressProviders,
    TopCode,
    TruncateEvents,
)
from deidgui.engine.preparation.base import Secrets

FLAT = HierarchyChoice(rule={"kind": "flat"})


def project_of(names, *steps, key="id", roles=None, **others) -> Project:
    found = [Attribute(name="id", role="direct_identifier", treatment="remove")]
    for name in names:
        role = (roles or {}).get(name, "quasi_identifier")
        found.append(Attribute(name=name, role=role, hierarchy=FLAT))
    unit = UnitOfProtection(kind="row")
    if key:
        unit = UnitOfProtection(kind="key", column=key)
    return Project(
        attributes=tuple(found),
        unit=unit,
        privacy=Privacy(suppression_limit=1.0),
        attacks=AttackChoice(runs=400, seed=5),
        preparation=steps,
        **others,
    )


def table_of(names, rows) -> Table:
    columns = [
        Column.from_texts(name, [row[at] for row in rows])
        for at, name in enumerate(names)
    ]
    return Table("t", tuple(columns))


class Given(Secrets):
    """The same keys each time, by which no two people happen to share a shift."""

    def key(self, name):
        return hashlib.sha256(name.encode()).digest()


def attacked(project, table, files=None, levels=None, suppress_below=1):
    loaded = Loaded(Path("t.csv"), table, "", None)
    loaded = prepared(project, loaded, files or {}, Given())
    classes = build_classes(project, loaded.table, {})
    hierarchies = classes.class_table.hierarchies
    node = {each.attribute: 0 for each in hierarchies} | (levels or {})
    policy = lattice_policy(hierarchies, node, suppress_below)
    found = run_attacks(project, classes, policy, AsRead(loaded, files or {}))
    return found, classes


def exact(results, power=5):
    for each in results.attacks:
        if each.variant in ("inexact", "all_known") and each.power in (power, None):
            return each.expected
    raise AssertionError("no such attack")


def power_of(values, most):
    """methods.md E.5, by hand."""
    n = len(values)
    if not n:
        return 0
    shares = [c / n for c in Counter(values).values()]
    entropy = -sum(p * math.log(p) for p in shares)
    diversity = entropy / math.log(n) if n > 1 else 0.0
    return math.floor(1 + (min(most, n) - 1) * (1 - diversity) + 0.5 + 1e-9)


def by_plain_enumeration(before, after, most=5):
    """Success over everybody: each person is (what stands once, list of events).

    Parameters
    ----------
    before, after : dict of person to (once, list of tuples)
        `after` lacks who is not in the release.
    """
    total = 0.0
    for person, (once, events) in before.items():
        columns = list(zip(*events, strict=True))
        drawn = [
            list(itertools.combinations(column, power_of(column, most)))
            for column in columns
        ]
        cases = list(itertools.product(*drawn))
        for case in cases:
            fitting = [
                other
                for other, (same, shown) in after.items()
                if same == once
                and all(
                    not Counter(known) - Counter(event[at] for event in shown)
                    for at, known in enumerate(case)
                )
            ]
            if person in fitting:
                total += 1 / len(fitting) / len(cases)
    return total / len(before)


FOUR = [
    *(("p1", "30F", dx) for dx in "AAB"),
    *(("p2", "30F", dx) for dx in "AA"),
    *(("p3", "30F", dx) for dx in "AC"),
    ("p4", "30M", "A"),
]
NAMES = ("id", "who", "dx")


def test_the_attacker_knows_what_truncation_removed():
    """methods.md O-E5, second part: 7/12 with truncation, 3/4 without."""
    cut = TruncateEvents(0.75, ("dx",))
    results, classes = attacked(project_of(NAMES[1:], cut), table_of(NAMES, FOUR))
    assert classes.source.n_rows == 7
    assert exact(results) == pytest.approx(7 / 12)
    assert results.assumptions == ("truncate_events",)
    plain, _ = attacked(project_of(NAMES[1:]), table_of(NAMES, FOUR))
    assert exact(plain) == pytest.approx(3 / 4)
    assert plain.assumptions == ()


def test_events_that_are_one_value_after_truncation_were_more_before():
    """By hand: of a and b only a is left; b is known half of the time."""
    rows = [("p1", "x", "a"), ("p1", "x", "b"), ("p2", "x", "a"), ("p3", "x", "a")]
    cut = TruncateEvents(0.5, ("dx",))
    results, classes = attacked(project_of(NAMES[1:], cut), table_of(NAMES, rows))
    assert not classes.class_table.varying
    assert results.known_of_events == ("dx",)
    assert exact(results) == pytest.approx((0.5 / 3 + 1 / 3 + 1 / 3) / 3)


def test_people_who_were_removed_are_looked_for_and_not_found():
    files = {"list.csv": b"C,exact,rare\n"}
    gone = RemovePeople("list.csv", ("dx",))
    project = project_of(NAMES[1:], gone)
    results, _ = attacked(project, table_of(NAMES, FOUR), files)
    # p3 is gone: p1 2/3 alone and 1/3 with p2; p2 with p1; p4 alone.
    wanted = (2 / 3 + 1 / 3 / 2 + 1 / 2 + 0 + 1) / 4
    assert exact(results) == pytest.approx(wanted)
    assert results.n_people == 4
    assert results.n_there == 3
    simulated = [e for e in results.attacks if e.expected is not None]
    assert all(e.low - 0.05 <= e.expected <= e.high + 0.05 for e in simulated)


def test_people_of_one_row_who_were_removed_count_among_those_looked_for():
    rows = [("p1", "a"), ("p2", "a"), ("p3", "b"), ("p4", "c")]
    files = {"list.csv": b"c,exact,rare\n"}
    project = project_of(("v",), RemovePeople("list.csv", ("v",)))
    results, _ = attacked(project, table_of(("id", "v"), rows), files)
    (found,) = results.attacks
    assert found.variant == "all_known"
    assert found.expected == pytest.approx(2 / 4)
    assert abs(found.success - 0.5) < 0.15


def test_codes_are_grouped_as_the_release_groups_them():
    """What was truncated belongs to a group that others show."""
    files = {"groups.csv": b"A,one\nB,two\nC,two\n"}
    rows = [(who, sex, dx) for who, sex, dx in FOUR]
    steps = (
        TruncateEvents(0.75, ("dx",)),
        GroupCodes("dx", "table", table="groups.csv"),
    )
    results, _ = attacked(project_of(NAMES[1:], *steps), table_of(NAMES, rows), files)
    group = {"A": "one", "B": "two", "C": "two"}
    before, after = histories(rows, group.get), histories(rows, group.get)
    after["p1"] = ("30F", [("one",), ("one",)])
    assert exact(results) == pytest.approx(by_plain_enumeration(before, after))
    assert results.assumptions == ("truncate_events", "group_codes")


def histories(rows, write=str):
    found = {}
    for who, sex, *event in rows:
        found.setdefault(who, (sex, []))[1].append(tuple(write(each) for each in event))
    return found


def test_top_coding_joins_the_same_numbers_of_everybody():
    """The percentile is that of who is left, also for who was removed before."""
    rows = [("p1", "F", n) for n in ("1", "2", "9")] + [
        *(("p2", "F", n) for n in ("1", "8")),
        *(("p3", "F", n) for n in ("7", "1")),
    ]
    files = {"list.csv": b"9,exact,rare\n"}
    steps = (RemovePeople("list.csv", ("dx",)), TopCode("dx", 0.7))
    results, classes = attacked(
        project_of(NAMES[1:], *steps), table_of(NAMES, rows), files
    )
    assert set(classes.source.column("dx").texts()) == {"1", "7+"}
    before = histories(rows, lambda n: "7+" if int(n) >= 7 else n)
    after = {who: each for who, each in before.items() if who != "p1"}
    assert exact(results) == pytest.approx(by_plain_enumeration(before, after))


DATED = [
    ("p1", "F", "2020-01-01", "rare"),
    ("p1", "F", "2020-01-05", "a"),
    ("p1", "F", "2020-01-09", "a"),
    ("p2", "F", "2019-03-01", "a"),
    ("p2", "F", "2019-03-05", "a"),
    ("p3", "F", "2018-06-01", "a"),
    ("p3", "F", "2018-06-09", "a"),
]


def test_days_are_counted_from_the_true_first_date():
    """Truncation took the first event of p1: the release counts from the second."""
    names = ("id", "who", "day", "dx")
    steps = (TruncateEvents(0.6, ("dx",)), DaysSinceFirst("day", "YYYY-MM-DD"))
    project = project_of(names[1:], *steps, roles={"dx": "insensitive"})
    results, classes = attacked(project, table_of(names, DATED))
    assert classes.source.n_rows == 6
    before = {"p1": ("F", [("0",), ("4",), ("8",)])}
    after = {"p1": ("F", [("0",), ("4",)])}
    for person, last in (("p2", "4"), ("p3", "8")):
        before[person] = after[person] = ("F", [("0",), (last,)])
    assert exact(results) == pytest.approx(by_plain_enumeration(before, after))


def test_the_attacker_is_taken_to_know_the_shift_of_dates():
    """All else would understate: dates are then as if they were not shifted."""
    names = ("id", "who", "day", "dx")
    rows = [("p0", *DATED[0][1:]), *DATED]
    cut = TruncateEvents(0.7, ("dx",))
    shift = ShiftDates(("day",), "YYYY-MM-DD", 30)
    found = []
    for steps in ((cut, shift), (shift, cut)):
        project = project_of(names[1:], *steps, roles={"dx": "insensitive"})
        results, classes = attacked(project, table_of(names, rows))
        texts = set(classes.source.column("day").texts())
        assert not {"2019-03-01", "2018-06-01"} <= texts
        found.append(exact(results))
        assert "shift_dates" in results.assumptions
    # Each keeps its own shift, so that equal dates are not equal any more.
    before = histories([(w, s, d if w != "p0" else f"0{d}") for w, s, d, _ in rows])
    after = {who: (once, list(events)) for who, (once, events) in before.items()}
    after["p1"][1].remove(("2020-01-01",))
    wanted = by_plain_enumeration(before, after)
    assert found[0] == pytest.approx(wanted)
    assert found[1] == pytest.approx(wanted)


def test_the_one_value_of_a_person_is_known():
    """Also where truncation before it took rows of the most frequent value."""
    names = ("id", "who", "dx")
    rows = [
        *(("p1", who, dx) for who, dx in (("F", "r"), ("F", "s"), ("M", "a"))),
        ("p2", "M", "a"),
        ("p3", "F", "a"),
    ]
    steps = (TruncateEvents(0.6, ("dx",)), OneValue(("who",), "most_frequent"))
    results, classes = attacked(project_of(names[1:], *steps), table_of(names, rows))
    assert classes.source.n_rows == 3
    assert results.known_once == ("who",)
    # p1 is released as M with a; its three events are all different.
    before = histories([("p1", "M", dx) for dx in "rsa"] + rows[3:])
    after = {**before, "p1": ("M", [("a",)])}
    assert exact(results) == pytest.approx(by_plain_enumeration(before, after))


def test_numbers_of_providers_are_missing_for_the_attacker_too():
    names = ("id", "who", "place", "provider")
    rows = [
        ("p1", "F", "x", "d1"),
        ("p1", "F", "y", "d2"),
        ("p2", "F", "x", "d3"),
        ("p2", "F", "y", "d2"),
        ("p3", "F", "x", "d1"),
    ]
    step = SuppressProviders("provider", ("place",), 1.0, 2)
    project = project_of(names[1:], step, roles={"place": "insensitive"})
    results, classes = attacked(project, table_of(names, rows))
    assert classes.source.column("provider").n_missing == 2
    before = histories([(w, s, "" if p == "y" else d) for w, s, p, d in rows])
    assert exact(results) == pytest.approx(by_plain_enumeration(before, before))


def test_who_is_not_drawn_into_the_sample_is_not_found():
    rows = [(f"p{n}", "FM"[n % 2], dx) for n in range(10) for dx in "AB"[: 1 + n % 3]]
    project = project_of(NAMES[1:], sample=SampleChoice(fraction=0.5, seed=3))
    results, classes = attacked(project, table_of(NAMES, rows))
    key = classes.source.column("id")
    drawn = {key.text(row) for row in range(classes.source.n_rows)}
    assert len(drawn) == 5
    before = histories(rows)
    after = {who: each for who, each in before.items() if who in drawn}
    assert exact(results) == pytest.approx(by_plain_enumeration(before, after))
    assert results.n_people == 10
    assert results.assumptions == ("sample",)


def test_a_sample_of_rows_counts_everybody_who_is_looked_for():
    rows = [(f"p{n}", "abc"[n % 3]) for n in range(12)]
    project = project_of(("v",), key=None, sample=SampleChoice(fraction=0.5, seed=1))
    results, classes = attacked(project, table_of(("id", "v"), rows))
    column = classes.source.column("v")
    n_classes = len({column.text(row) for row in range(6)})
    (found,) = results.attacks
    assert found.expected == pytest.approx(n_classes / 12)
    assert results.unit == "records"


def test_without_a_seed_the_sample_that_is_released_is_attacked():
    """Whichever was drawn: the figure is that of the classes, not of another draw."""
    rows = [(f"p{n}", str(n // 2)) for n in range(40)]
    project = project_of(("v",), key=None, sample=SampleChoice(fraction=0.5))
    results, classes = attacked(project, table_of(("id", "v"), rows))
    (found,) = results.attacks
    assert found.expected == pytest.approx(classes.class_table.n_classes / 40)


people_and_events = st.lists(
    st.tuples(
        st.sampled_from("FM"),
        st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("vw")), max_size=4),
    ),
    min_size=2,
    max_size=6,
).filter(lambda people: any(events for _, events in people))


def linked_table(people):
    """Two files as one table, by the program's own join."""
    alone = table_of(("id", "sex"), [(str(n), s) for n, (s, _) in enumerate(people)])
    rows = [
        (str(n), *event) for n, (_, events) in enumerate(people) for event in events
    ]
    events = KeyedEvents(table_of(("id", "dx", "ward"), rows), "id")
    return link_tables([events], alone, "id").table


@given(people_and_events, st.sampled_from([0.5, 0.8, 1.0]))
@settings(deadline=None, max_examples=40)
def test_people_without_events_are_as_by_plain_enumeration(people, share):
    """Of linked tables: nothing is known of who has no event, and they may fit."""
    project = project_of(("sex", "dx", "ward"), TruncateEvents(share, ("dx", "ward")))
    results, classes = attacked(project, linked_table(people))
    before = {str(n): (sex, events) for n, (sex, events) in enumerate(people)}
    after = {who: (sex, []) for who, (sex, _) in before.items()}
    source = classes.source
    key, dx, ward = (source.column(name) for name in ("id", "dx", "ward"))
    absent = source.absent if source.absent is not None else np.zeros(source.n_rows)
    for row in range(source.n_rows):
        if not absent[row]:
            after[key.text(row)][1].append((dx.text(row), ward.text(row)))
    sizes = sorted(len(events) for _, events in people if events)
    cut = sizes[math.ceil(share * len(sizes) - 1e-9) - 1]
    assert max(len(events) for _, events in after.values()) <= cut
    if not results.known_of_events:
        return
    if results.known_once != ("sex",):
        # Nobody has two wards: what stands once is told by tests of the classes.
        return
    assert exact(results) == pytest.approx(by_plain_enumeration(before, after))


def test_events_of_linked_people_have_an_order():
    """Rows that stand for a person without an event have no date, and need none."""
    people = [("F", [("x", "1"), ("y", "2")]), ("F", [("x", "2")]), ("F", [])]
    project = project_of(("sex", "dx", "ward"), roles={"ward": "insensitive"})
    attributes = [
        each.but(kind="integer") if each.name == "ward" else each
        for each in project.attributes
    ]
    project = project.but(
        attributes=tuple(attributes),
        attacks=AttackChoice(runs=50, order_by="ward"),
    )
    results, _ = attacked(project, linked_table(people))
    assert {each.variant for each in results.attacks} == {
        *("inexact", "same_event", "ordered")
    }
    assert "order_unreadable" not in {each.code for each in results.not_done}


def test_a_value_that_only_removed_events_have_is_generalized_by_the_rule():
    """87 was truncated and is released as the band in which 85 is."""
    band = HierarchyChoice(rule={"kind": "intervals", "width": 10})
    rows = [
        *(("p1", "F", n) for n in ("85", "85", "87")),
        *(("p2", "F", n) for n in ("85", "21")),
        *(("p3", "F", n) for n in ("21", "21")),
    ]
    project = project_of(NAMES[1:], TruncateEvents(0.6, ("dx",)))
    attributes = [
        each.but(hierarchy=band, kind="integer") if each.name == "dx" else each
        for each in project.attributes
    ]
    project = project.but(attributes=tuple(attributes))
    results, classes = attacked(project, table_of(NAMES, rows), levels={"dx": 1})
    assert "87" not in classes.source.column("dx").texts()
    total = 0.0
    # The power is that of the values as they are; the band is what is compared.
    assert power_of(("85", "85", "87"), 5) == 2
    total += 1.0  # Two values of the band 80 to 89: p1 alone has two.
    total += 0.5 * (1 / 2) + 0.5 * (1 / 2)  # p2: one value, shared with p1 or p3.
    total += 1.0  # p3: two of the band 20 to 29.
    assert exact(results) == pytest.approx(total / 3)


def test_attacks_on_another_draw_are_not_of_the_release():
    rows = [(f"p{n}", str(n // 2)) for n in range(40)]
    project = project_of(("v",), key=None, sample=SampleChoice(fraction=0.5))
    results, classes = attacked(project, table_of(("id", "v"), rows))
    _, other = attacked(project, table_of(("id", "v"), rows))
    assert results.is_of(results.policy, classes.draw)
    assert not results.is_of(results.policy, other.draw)
    assert not results.is_of(results.policy)


def test_undone_decisions_bring_the_same_sample_back():
    """Also where the table was made anew meanwhile, as by a step of a preparation."""
    rows = [(f"p{n % 100}", str(n)) for n in range(200)]
    cache, drawn = DrawCache(), []
    for fraction in (0.5, 0.3, 0.5):
        project = project_of(("v",), sample=SampleChoice(fraction=fraction))
        table = table_of(("id", "v"), rows)
        drawn.append(cache.get(project, table, people_in(project, table)).rows)
    assert drawn[0].tolist() == drawn[2].tolist()
    assert len(drawn[1]) < len(drawn[0])
    other = table_of(("id", "v"), [(f"q{n % 90}", v) for n, (_, v) in enumerate(rows)])
    again = cache.get(project, other, people_in(project, other)).rows
    assert again.tolist() != drawn[0].tolist()


def test_something_is_said_of_every_step():
    assert set(ASSUMED) == {*(each.kind for each in STEPS), "sample"}


def test_the_words_say_what_the_attacker_knows():
    words = about_people(
        runs=100,
        fraction=1.0,
        of_events=("dx",),
        unit="people",
        assumptions=("truncate_events", "shift_dates", "sample"),
    )
    assert "before preparation" in words
    assert "truncation removed" in words
    assert "assumed to know it" in words
    assert "drawn into the sample" in words
