"""Truncation against plain loops, ties, periods, and the published share of people."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.table import Column, Table
from deidgui.engine.preparation import Data, TruncateEvents
from deidgui.engine.preparation.preparing import prepare
from deidgui.errors import ConfigError

Row = tuple[str, str, str]
rows_of_people = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.sampled_from(["2010", "2011"]),
        st.sampled_from("xyz"),
    ),
    min_size=1,
    max_size=40,
)


def table_of(rows: list[Row]) -> Table:
    names = ("person", "year", "code")
    return Table(
        "t.csv",
        tuple(
            Column.from_texts(name, [row[at] for row in rows])
            for at, name in enumerate(names)
        ),
    )


def rows_in(table: Table) -> list[Row]:
    texts = [
        [column.text(at) for column in table.columns] for at in range(table.n_rows)
    ]
    return [(a, b, c) for a, b, c in texts]


def run(rows: list[Row], step: TruncateEvents):
    table, (effect,) = prepare((step,), Data(table_of(rows), key="person"))
    return rows_in(table), effect


@settings(max_examples=40, deadline=None)
@given(rows_of_people, st.sampled_from([0.5, 0.75, 0.95, 1.0]), st.booleans())
def test_truncation_by_plain_loops(rows, share, by_year):
    step = TruncateEvents(share, ("code",), "year" if by_year else None)
    left, effect = run(rows, step)
    people = {person for person, _, _ in rows}
    having = defaultdict(set)
    for person, _, code in rows:
        having[code].add(person)
    score = {c: -math.log2(len(p) / len(people)) for c, p in having.items()}
    touched = set()
    for year in sorted({y for _, y, _ in rows}) if by_year else [None]:

        def own(person, year=year):
            return [c for p, y, c in rows if p == person and year in (None, y)]

        def kept(person, year=year):
            return [c for p, y, c in left if p == person and year in (None, y)]

        sizes = sorted(len(own(person)) for person in people if own(person))
        most = sizes[math.ceil(share * len(sizes)) - 1]
        assert sum(size > most for size in sizes) <= (1 - share) * len(sizes) + 1e-9
        for person in people:
            before, after = Counter(own(person)), Counter(kept(person))
            gone = before - after
            assert not after - before
            assert after.total() == min(before.total(), most)
            if gone:
                touched.add(person)
                # Nothing that goes tells less than what stays.
                assert min(map(score.get, gone)) >= max(map(score.get, after)) - 1e-12
    assert effect.figures["people_touched"] == len(touched)
    assert effect.figures["events_removed"] == effect.rows_removed
    assert effect.rows_removed == len(rows) - len(left)


@settings(max_examples=30, deadline=None)
@given(rows_of_people, st.randoms())
def test_the_order_of_rows_decides_nothing(rows, random):
    step = TruncateEvents(0.5, ("code",), seed=3)
    other = rows.copy()
    random.shuffle(other)
    assert sorted(run(rows, step)[0]) == sorted(run(other, step)[0])


def test_ties_are_decided_by_the_seed():
    rows = [("a", str(2000 + n), "x") for n in range(20)] + [("b", "2000", "x")]
    kept = {
        tuple(run(rows, TruncateEvents(0.5, ("code",), seed=seed))[0])
        for seed in range(8)
    }
    assert len(kept) > 1
    again = run(rows, TruncateEvents(0.5, ("code",), seed=1))[0]
    assert again == run(rows, TruncateEvents(0.5, ("code",), seed=1))[0]


def test_lines_of_the_file_stay():
    rows = [("a", "2010", "x"), ("a", "2010", "y"), ("b", "2010", "x")]
    table, _ = prepare(
        (TruncateEvents(0.5, ("code",)),), Data(table_of(rows), key="person")
    )
    assert rows_in(table) == [rows[0], rows[2]]
    assert [table.lines.line(row) for row in range(2)] == [1, 3]


def test_values_that_no_row_has_are_forgotten():
    rows = [("a", "2010", "x"), ("a", "2010", "y"), ("b", "2010", "x")]
    table, _ = prepare(
        (TruncateEvents(0.5, ("code",)),), Data(table_of(rows), key="person")
    )
    assert table.column("code").texts() == ["x"]


def test_a_missing_value_tells_nothing():
    rows = [("a", "1", ""), ("a", "1", "x"), ("b", "1", "x"), ("c", "1", "x")]
    left, _ = run(rows, TruncateEvents(0.6, ("code",)))
    assert ("a", "1", "x") in left or ("a", "1", "") in left
    rows = [("a", "1", ""), ("a", "1", "y"), ("b", "1", "x"), ("c", "1", "x")]
    left, _ = run(rows, TruncateEvents(0.6, ("code",)))
    assert ("a", "1", "") in left


def test_dates_are_cut_by_their_year():
    rows = [("a", f"2010-0{n}-01", "x") for n in range(1, 6)]
    rows += [
        ("a", "2011-01-01", "x"),
        ("b", "2010-01-01", "x"),
        ("b", "2011-05-01", "x"),
    ]
    step = TruncateEvents(0.5, ("code",), "year", "YYYY-MM-DD")
    left, effect = run(rows, step)
    years = Counter((p, y[:4]) for p, y, _ in left)
    assert set(years.values()) == {1}
    assert effect.figures["periods"] == 2


def test_bad_input():
    data = Data(table_of([("a", "1", "x")]))
    with pytest.raises(ConfigError, match="step_needs_key"):
        prepare((TruncateEvents(0.9, ("code",)),), data)
    keyed = Data(data.table, key="person")
    with pytest.raises(ConfigError, match="step_column_missing"):
        prepare((TruncateEvents(0.9, ("gone",)),), keyed)
    with pytest.raises(ConfigError, match="step_no_columns"):
        prepare((TruncateEvents(0.9, ()),), keyed)
    for share in (0, 1.01, -1, float("nan")):
        with pytest.raises(ConfigError, match="parameter"):
            TruncateEvents(share, ("code",))
    with pytest.raises(ConfigError, match="date_format_unknown"):
        TruncateEvents(0.9, ("code",), "year", "nonsense")


def test_a_cut_for_each_year_touches_what_was_published():
    """methods.md E.2: 8.5 % of 113,000 people; one cut over all years touches 5 %."""
    rng = np.random.default_rng(11)
    n_people = 3_000
    # Median 11 and at most 136 events over three years, as the seed prints.
    activity = rng.lognormal(math.log(11 / 3), 0.95, n_people)
    events = np.minimum(45, rng.poisson(activity[:, None], (n_people, 3)))
    rows: list[Row] = []
    for (person, year), n in np.ndenumerate(events):
        codes = rng.integers(97, 117, n).tolist()
        rows += [(f"{person:05d}", str(2009 + year), chr(code)) for code in codes]
    _, over_all = run(rows, TruncateEvents(0.95, ("code",)))
    _, by_year = run(rows, TruncateEvents(0.95, ("code",), "year"))
    assert over_all.figures["share_touched"] <= 0.05
    assert 0.05 < by_year.figures["share_touched"] <= 0.15
