"""One value per person against a plain loop, and steps on linked tables."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.linking import KeyedEvents, link_tables
from deidgui.engine.data.people import people_of
from deidgui.engine.data.table import Column, Table
from deidgui.engine.preparation import (
    Data,
    DaysSinceFirst,
    OneValue,
    RemovePeople,
    ShiftDates,
    SuppressProviders,
    TruncateEvents,
)
from deidgui.engine.preparation.one_value import RULES, n_who_differ
from deidgui.engine.preparation.preparing import prepare
from deidgui.errors import ConfigError

GONE = ("", "?")


def table_of(rows, names=("who", "sex")):
    return Table(
        "t.csv",
        tuple(
            Column.from_texts(name, [row[at] for row in rows])
            for at, name in enumerate(names)
        ),
    )


def texts_of(table, name):
    column = table.column(name)
    return [column.text(row) for row in range(table.n_rows)]


rows_of_people = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["F", "M", "U", *GONE])),
    min_size=1,
    max_size=30,
)


def by_a_loop(rows, rule):
    own = defaultdict(list)
    for who, text in rows:
        own[who].append(text)
    chosen = {}
    for who, texts in own.items():
        known = [text for text in texts if text not in GONE]
        if not known:
            chosen[who] = texts[0]
        elif rule == "missing" and len(set(known)) > 1:
            chosen[who] = ""
        elif rule == "most_frequent":
            counts = Counter(known)
            chosen[who] = max(counts, key=lambda text: counts[text])
        else:
            chosen[who] = known[0]
    return [chosen[who] for who, _ in rows], own


@settings(max_examples=150, deadline=None)
@given(rows_of_people, st.sampled_from(RULES))
def test_one_value_by_a_plain_loop(rows, rule):
    table = table_of(rows)
    marked = table.with_columns(
        each.with_missing(GONE) if each.name == "sex" else each
        for each in table.columns
    )
    data = Data(marked, "who", {"sex": GONE})
    made, (effect,) = prepare((OneValue(("sex",), rule),), data)
    expected, own = by_a_loop(rows, rule)
    assert texts_of(made, "sex") == expected
    known = {who: set(texts) - set(GONE) for who, texts in own.items()}
    figures = effect.figures
    changed = [at for at, (_, text) in enumerate(rows) if text != expected[at]]
    assert figures["people_who_disagree"] == sum(len(e) > 1 for e in known.values())
    assert figures["rows_changed"] == effect.cells == len(changed)
    assert figures["people_changed"] == len({rows[at][0] for at in changed})
    assert effect.rows_removed == 0
    assert effect.people_before == effect.people_after
    people = people_of(made.column("who"))
    assert n_who_differ(made.column("sex"), people) == 0
    one = [{("" if t in GONE else t) for t in texts} for texts in own.values()]
    before = n_who_differ(marked.column("sex"), people)
    assert before == sum(len(each) > 1 for each in one)
    again, (second,) = prepare((OneValue(("sex",), rule),), Data(made, "who"))
    assert second.cells == 0
    assert texts_of(again, "sex") == expected


def test_rows_people_and_cells_of_several_columns():
    rows = [
        ("a", "F", "20"),
        ("a", "M", "30"),
        ("a", "F", "30"),
        ("b", "M", "40"),
        ("b", "M", "50"),
    ]
    table = table_of(rows, ("who", "sex", "age"))
    step = OneValue(("sex", "age"), "first_row")
    made, (effect,) = prepare((step,), Data(table, "who"))
    assert texts_of(made, "sex") == ["F", "F", "F", "M", "M"]
    assert texts_of(made, "age") == ["20", "20", "20", "40", "40"]
    assert effect.cells == 4
    assert effect.figures == {
        "people_who_disagree": 2,
        "people_changed": 2,
        "rows_changed": 3,
    }
    words = " ".join(effect.words())
    assert "“sex”: the rows of 1 person disagree; 1 cell changed." in words
    assert "3 rows of 2 people" in words
    assert step.checked(effect) == {"columns": ("sex", "age"), "one_value": True}


def test_what_it_refuses():
    table = table_of([("a", "F"), ("a", "M")])
    with pytest.raises(ConfigError, match="step_no_columns"):
        prepare((OneValue((), "missing"),), Data(table, "who"))
    with pytest.raises(ConfigError, match="step_needs_key"):
        prepare((OneValue(("sex",), "missing"),), Data(table))
    with pytest.raises(ConfigError, match="step_no_missing_text"):
        prepare((OneValue(("sex",), "missing"),), Data(table, "who", {"sex": ()}))


# -- linked tables, with a person who has no event -------------------------------------


def linked():
    people = table_of([("a", "F"), ("b", "M"), ("c", "F"), ("d", "M")], ("who", "sex"))
    rows = [
        ("a", "2010-01-01", "x", "p"),
        ("a", "2010-01-05", "y", "p"),
        ("a", "2010-01-09", "z", "q"),
        ("b", "2011-01-01", "x", ""),
        ("d", "2010-03-01", "x", "q"),
    ]
    events = table_of(rows, ("who", "day", "code", "provider"))
    return link_tables([KeyedEvents(events, "who")], people, "who").table


def events_of(table):
    """Rows that are events, and the people without one."""
    shown = list(
        zip(*(texts_of(table, name) for name in table.column_names), strict=True)
    )
    absent = table.absent
    assert absent is not None
    for column in table.columns:
        if column.absent is not None:
            assert len(column.absent) == table.n_rows
            assert {column.text(row) for row in np.flatnonzero(absent)} <= {""}
            assert column.counts.sum() == np.count_nonzero(~absent)
    return (
        [row for row, gone in zip(shown, absent, strict=True) if not gone],
        [row[0] for row, gone in zip(shown, absent, strict=True) if gone],
    )


ISO = "YYYY-MM-DD"
LIST = {"l.csv": b"code,exact,reason\nz,exact,rare\n"}
STEPS = [
    OneValue(("code",), "most_frequent"),
    DaysSinceFirst("day", ISO),
    ShiftDates(("day",), ISO, 30),
    SuppressProviders("provider", ("code",), 1.0),
    TruncateEvents(0.5, ("code",)),
    TruncateEvents(0.5, ("code",), "day", ISO),
    RemovePeople("l.csv", ("code",)),
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.kind)
def test_who_has_no_event_stays_and_loses_nothing(step):
    table = linked()
    made, (effect,) = prepare((step,), Data(table, "who", files=LIST))
    rows, without = events_of(made)
    assert without == ["c"]
    assert effect.rows_before == 5
    assert effect.rows_after == len(rows)
    assert effect.people_after == len({row[0] for row in rows}) + 1
    assert effect.figures.get("became_missing", 0) == 0


def test_truncation_counts_people_with_events_only():
    """Events by person are 3, 1, 1; the one without any is in no percentile."""
    step = TruncateEvents(0.3, ("code",))
    made, (effect,) = prepare((step,), Data(linked(), "who"))
    rows, _ = events_of(made)
    assert Counter(row[0] for row in rows) == {"a": 1, "b": 1, "d": 1}
    assert effect.rows_removed == effect.figures["events_removed"] == 2
