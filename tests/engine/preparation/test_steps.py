"""Every kind of step against plain loops, and what each refuses."""

from __future__ import annotations

import datetime
import itertools
import math
import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.table import Column, Table
from deidgui.engine.preparation import (
    STEPS,
    CharlsonIndex,
    Data,
    DaysSinceFirst,
    GroupCodes,
    OneValue,
    RemovePeople,
    ShiftDates,
    SuppressProviders,
    TopCode,
)
from deidgui.engine.preparation.base import Secrets
from deidgui.engine.preparation.preparing import prepare
from deidgui.errors import ConfigError, DeidError, InputError

ISO = "YYYY-MM-DD"


def table_of(**columns: list[str]) -> Table:
    made = tuple(Column.from_texts(name, texts) for name, texts in columns.items())
    return Table("t.csv", made)


def run(step, table, key=None, **others):
    made, (effect,) = prepare((step,), Data(table, key, **others))
    for column in made.columns:
        assert column.values.to_list() == sorted(set(column.values.to_list()))
        assert (column.counts > 0).all()
    return made, effect


def texts_of(table, name):
    column = table.column(name)
    return [column.text(row) for row in range(table.n_rows)]


# -- top code --------------------------------------------------------------------------

numbers = st.lists(
    st.one_of(st.integers(-5, 30).map(str), st.sampled_from(["", "?", "2.5"])),
    min_size=1,
    max_size=40,
).filter(lambda texts: any(text not in ("", "?") for text in texts))


@settings(max_examples=60, deadline=None)
@given(numbers, st.sampled_from([0.5, 0.9, 0.99, 1.0]))
def test_top_code_by_a_plain_loop(texts, share):
    made, effect = run(TopCode("x", share), table_of(x=texts))
    values = sorted(float(text) for text in texts if text not in ("", "?"))
    top = values[math.ceil(share * len(values)) - 1]
    label = f"{top:g}+"
    expected = [
        label if text not in ("", "?") and float(text) >= top else text
        for text in texts
    ]
    assert texts_of(made, "x") == expected
    assert effect.figures["top"] == top
    assert effect.cells == sum(value > top for value in values)
    assert effect.figures["no_numbers"] == texts.count("?")


def test_what_was_joined_is_said_only_if_something_was():
    _, effect = run(TopCode("x", 0.5), table_of(x=["1", "2", "3", "3", "4"]))
    assert effect.words()[1] == "1 higher value was joined, in 1 cell."
    _, effect = run(TopCode("x", 1.0), table_of(x=["1", "2"]))
    assert effect.words()[1] == "No number is higher: no values were joined."
    assert not any(" 0 " in words for words in effect.words())


def test_the_percentile_is_of_people_where_the_number_is_theirs():
    # Nine of ten people are 30; the oldest has most rows.
    who = [str(n) for n in range(9)] + ["old"] * 90
    ages = ["30"] * 9 + ["95"] * 90
    made, effect = run(TopCode("age", 0.9), table_of(who=who, age=ages), key="who")
    assert effect.figures["top"] == 30
    assert set(texts_of(made, "age")) == {"30+"}
    _, effect = run(TopCode("age", 0.9), table_of(who=who, age=ages))
    assert effect.figures["top"] == 95


def test_numbers_with_a_comma():
    made, _ = run(
        TopCode("x", 0.5, decimal_mark=","), table_of(x=["1,5", "2,5", "3,5"])
    )
    assert texts_of(made, "x") == ["1,5", "2,5+", "2,5+"]


def test_words_are_not_top_coded():
    with pytest.raises(ConfigError, match="step_no_numbers"):
        run(TopCode("x", 0.5), table_of(x=["a", ""]))


# -- days ------------------------------------------------------------------------------

DAYS = [datetime.date(2010, 1, 1) + datetime.timedelta(17 * n) for n in range(20)]
visits = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([*map(str, DAYS), "", "?"])),
    min_size=1,
    max_size=30,
).filter(lambda rows: any(day not in ("", "?") for _, day in rows))


@settings(max_examples=60, deadline=None)
@given(visits)
def test_days_since_the_first_by_a_plain_loop(rows):
    who, when = [list(each) for each in zip(*rows, strict=True)]
    made, effect = run(
        DaysSinceFirst("when", ISO), table_of(who=who, when=when), key="who"
    )
    first = defaultdict(list)
    for person, day in rows:
        if day not in ("", "?"):
            first[person].append(datetime.date.fromisoformat(day))
    expected = [
        ""
        if day in ("", "?")
        else str((datetime.date.fromisoformat(day) - min(first[person])).days)
        for person, day in rows
    ]
    assert texts_of(made, "when") == expected
    assert effect.figures["became_missing"] == when.count("?")
    assert effect.cells == len(rows) - when.count("")
    assert made.column("when").n_missing == expected.count("")


def test_days_from_another_column_and_a_date_before_birth():
    table = table_of(
        who=["a", "a", "b", "c"],
        born=["2000-01-01", "2000-01-01", "2001-01-01", ""],
        seen=["2000-01-11", "1999-12-31", "2001-01-01", "2001-01-01"],
    )
    step = DaysSinceFirst("seen", ISO, origin="born")
    made, effect = run(step, table, key="who")
    assert texts_of(made, "seen") == ["10", "-1", "0", ""]
    assert effect.figures["negative"] == 1
    assert any("before the date" in words for words in effect.words())
    assert effect.figures["became_missing"] == 1


# -- shift -----------------------------------------------------------------------------


@pytest.mark.parametrize("keep_weekday", [False, True])
@pytest.mark.parametrize("form", [ISO, "D.M.YYYY", "DD-MON-YYYY"])
def test_a_shift_keeps_intervals_and_moves_everybody(keep_weekday, form):
    rng = random.Random(1)
    who = [f"p{rng.randrange(300)}" for _ in range(1500)]
    days = [rng.choice(DAYS) for _ in who]
    text = {
        ISO: str,
        "D.M.YYYY": lambda d: f"{d.day}.{d.month}.{d.year}",
        "DD-MON-YYYY": lambda d: d.strftime("%d-%b-%Y").upper(),
    }[form]
    other = [day + datetime.timedelta(3) for day in days]
    table = table_of(who=who, seen=[*map(text, days)], left=[*map(text, other)])
    step = ShiftDates(("seen", "left"), form, 30, keep_weekday)
    made, _ = run(step, table, key="who")
    patterns = {"D.M.YYYY": "%d.%m.%Y"}
    pattern = patterns.get(form, "%Y-%m-%d")
    moved = [
        [datetime.datetime.strptime(t, pattern).date() for t in texts_of(made, name)]
        for name in ("seen", "left")
    ]
    shifts = defaultdict(set)
    for person, *dates in zip(who, days, other, *moved, strict=True):
        shifts[person] |= {(dates[2] - dates[0]).days, (dates[3] - dates[1]).days}
    assert all(len(each) == 1 for each in shifts.values())
    found = Counter(next(iter(each)) for each in shifts.values())
    assert 0 not in found
    assert all(abs(days) <= 30 for days in found)
    if keep_weekday:
        assert all(days % 7 == 0 for days in found)
        assert found.keys() == {-28, -21, -14, -7, 7, 14, 21, 28}
    else:
        assert len(found) > 40


def test_a_shift_is_the_same_again_only_with_the_same_key():
    table = table_of(who=[str(n) for n in range(50)], seen=["2010-01-01"] * 50)
    step = ShiftDates(("seen",), ISO, 100)
    secrets = Secrets()
    first = texts_of(run(step, table, "who", secrets=secrets)[0], "seen")
    assert texts_of(run(step, table, "who", secrets=secrets)[0], "seen") == first
    assert texts_of(run(step, table, "who")[0], "seen") != first


def test_a_seed_shifts_alike_with_any_key():
    table = table_of(who=[str(n) for n in range(50)], seen=["2010-01-01"] * 50)
    found = {
        seed: texts_of(
            run(ShiftDates(("seen",), ISO, 100, seed=seed), table, "who")[0], "seen"
        )
        for seed in (0, 1)
    }
    assert found[0] != found[1]
    step = ShiftDates(("seen",), ISO, 100, seed=1)
    made, effect = run(step, table, "who")
    assert texts_of(made, "seen") == found[1]
    assert step.key == "seeded"
    assert any("can undo the shift" in words for words in effect.words())
    assert ShiftDates(("seen",), ISO, 100).key == "destroyed"


def test_clock_times_and_what_is_no_date_are_said():
    table = table_of(
        who=["a", "a", "a"], seen=["2010-01-01 12:30", "never", "2010-01-02"]
    )
    made, effect = run(ShiftDates(("seen",), ISO, 10), table, "who")
    assert texts_of(made, "seen")[1] == ""
    assert effect.figures == {"became_missing": 1, "clock_times": 1}
    assert any("no generalization" in words for words in effect.words())


def test_shifts_that_mean_nothing_are_refused():
    with pytest.raises(ConfigError, match="step_shift_too_small"):
        ShiftDates(("x",), ISO, 6, keep_weekday=True)
    with pytest.raises(ConfigError, match="step_format_without_day"):
        ShiftDates(("x",), "YYYY-MM", 30)
    with pytest.raises(ConfigError, match="step_no_dates"):
        run(ShiftDates(("x",), ISO, 30), table_of(x=["a"]), "x")


# -- code lists ------------------------------------------------------------------------

LIST = b"code,prefix,reason\nB20,prefix,HIV\nZ33.1,exact,pregnancy\nX99,exact,never\n"


def test_people_with_listed_codes_go_as_a_whole():
    table = table_of(
        who=["a", "a", "b", "c", "d", "e"],
        code=["I10", "b20.1", "Z331", "Z3311", "B2", ""],
        los=["1", "2", "3", "4", "5", "6"],
    )
    step = RemovePeople("l.csv", ("code",), ("los",))
    made, effect = run(step, table, "who", files={"l.csv": LIST})
    assert texts_of(made, "who") == ["c", "d", "e"]
    assert effect.texts["by_reason"] == {"HIV": 1, "pregnancy": 1, "never": 0}
    assert effect.people_before - effect.people_after == 2
    assert effect.figures["codes_without_match"] == 1
    assert "compared" not in effect.texts
    assert step.checked(effect)["codes"] == ("B20*", "Z33.1", "X99")


def test_removed_and_kept_are_compared_where_there_are_enough():
    who, code, los = [], [], []
    for n in range(60):
        rows = 3 if n < 25 else 1
        who += [f"{n:02d}"] * rows
        code += ["B20"] + ["I10"] * (rows - 1) if n < 25 else ["I10"]
        los += ["10"] * rows if n < 25 else ["2"]
    table = table_of(who=who, code=code, los=los)
    step = RemovePeople("l.csv", ("code",), ("los",))
    _, effect = run(step, table, "who", files={"l.csv": LIST})
    assert effect.texts["compared"] == [("", 3.0, 1.0), ("los", 10.0, 2.0)]


def test_intervals_and_people_are_compared_by_plain_loops():
    rng = random.Random(3)
    rows = []
    for person in range(90):
        age, is_gone = str(rng.randrange(20, 90)), person < 40
        for place in range(rng.choice([1, 2, 4])):
            code = "B20" if is_gone and not place else "I10"
            rows.append((str(person), code, age, str(rng.choice([*DAYS, ""]))))
    rng.shuffle(rows)
    who, code, age, seen = [list(each) for each in zip(*rows, strict=True)]
    table = table_of(who=who, code=code, age=age, seen=seen)
    step = RemovePeople("l.csv", ("code",), ("age",), dates="seen", date_format=ISO)
    _, effect = run(step, table, "who", files={"l.csv": LIST})
    gone = {person for person, each, *_ in rows if each == "B20"}
    expected = []
    for is_gone in (True, False):
        people = [p for p in dict.fromkeys(who) if (p in gone) == is_gone]
        means = []
        for person in people:
            days = [d for p, *_, d in rows if p == person and d]
            days = sorted(map(datetime.date.fromisoformat, days))
            steps = [(b - a).days for a, b in itertools.pairwise(days)]
            means += [sum(steps) / len(steps)] if steps else []
        ages = [int(next(a for p, _, a, _ in rows if p == each)) for each in people]
        events = [who.count(each) for each in people]
        expected.append([sum(v) / len(v) for v in (events, means, ages)])
    found = effect.texts["compared"]
    assert [each[1] for each in found] == pytest.approx(expected[0])
    assert [each[2] for each in found] == pytest.approx(expected[1])
    assert "Mean of days between the events of a person" in " ".join(effect.words())
    with pytest.raises(ConfigError, match="step_dates_need_format"):
        RemovePeople("l.csv", ("code",), dates="seen")


def test_a_list_that_fits_nobody_or_everybody():
    table = table_of(who=["a", "b"], code=["I10", "I11"])
    step = RemovePeople("l.csv", ("code",))
    made, effect = run(step, table, "who", files={"l.csv": LIST})
    assert made.n_rows == 2
    assert "Nobody" in effect.words()[0]
    with pytest.raises(ConfigError, match="step_removes_all"):
        run(step, table, "who", files={"l.csv": b"I,prefix,all\n"})
    # Where each row is a person, rows go.
    made, _ = run(step, table, files={"l.csv": b"I10,exact,x\n"})
    assert texts_of(made, "who") == ["b"]


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (b"", 1),
        (b"code,prefix,reason\n", 1),
        (b"A,sometimes,x\n", 1),
        (b"A,exact,x\n,exact,x\n", 2),
        (b"A,exact,x\nB\n", 2),
        (b'A,exact,"x\n', 1),
        (b"\xff\xfe", 1),
        (b"A,exact," + b"x" * 2000, 1),
    ],
)
def test_malformed_lists_are_refused(content, row):
    table = table_of(code=["A"])
    with pytest.raises(InputError, match="step_list_malformed") as error:
        run(RemovePeople("l.csv", ("code",)), table, files={"l.csv": content})
    assert error.value.params["row"] == row
    assert "xxxx" not in str(error.value)


def test_a_list_that_is_not_there():
    with pytest.raises(InputError, match="step_list_missing"):
        run(RemovePeople("l.csv", ("code",)), table_of(code=["A"]))


# -- providers -------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["1", "2", "3", "4", ""]), st.sampled_from("xyz")),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from([0.05, 0.1, 0.2, 1.0]),
)
def test_simple_mode_by_a_plain_loop(rows, fraction):
    who, what = [list(each) for each in zip(*rows, strict=True)]
    step = SuppressProviders("who", ("what",), fraction, simple=True)
    made, effect = run(step, table_of(who=who, what=what))
    having = defaultdict(set)
    for provider, pattern in rows:
        if provider:
            having[pattern].add(provider)
    least = {0.05: 1, 0.1: 2, 0.2: 4, 1.0: 20}[fraction]
    expected = [
        provider if len(having[pattern]) >= least else "" for provider, pattern in rows
    ]
    assert texts_of(made, "who") == expected
    assert effect.cells == sum(map(bool, who)) - sum(map(bool, expected))
    assert effect.figures["providers_after"] == len(set(expected) - {""})


def test_the_estimate_of_a_pattern_by_hand():
    """methods.md E.6: 3 in the data stand for 2.821439 / 0.2 = 14.1 in the system."""
    rows = [("1", "x"), ("2", "x"), ("3", "x"), *((str(n), "y") for n in range(5))]
    who, what = [list(each) for each in zip(*rows, strict=True)]
    table = table_of(who=who, what=what)
    for fewest, left in ((14, {"x", "y"}), (15, {"y"}), (25, set())):
        made, _ = run(SuppressProviders("who", ("what",), 0.2, fewest), table)
        kept = zip(texts_of(made, "who"), what, strict=True)
        assert {pattern for provider, pattern in kept if provider} == left


def test_a_column_without_a_text_for_no_value_is_refused():
    step = SuppressProviders("who", ("what",), 0.2)
    table = table_of(who=["1"], what=["x"])
    with pytest.raises(ConfigError, match="step_no_missing_text"):
        run(step, table, missing={"who": ()})


# -- groups ----------------------------------------------------------------------------


def test_a_table_of_groups():
    table = table_of(code=["A01.1", "a02", "B9", "", "A011"])
    content = b"code,group\nA011,first\nA02,second\n"
    step = GroupCodes("code", "table", table="g.csv")
    made, effect = run(step, table, files={"g.csv": content})
    assert texts_of(made, "code") == ["first", "second", "other", "", "first"]
    assert effect.figures["codes_unknown"] == 1
    assert effect.cells == 4
    with pytest.raises(InputError, match="step_list_malformed"):
        run(step, table, files={"g.csv": b"A,first\na,second\n"})
    with pytest.raises(InputError, match="step_no_code_known"):
        run(step, table, files={"g.csv": b"Q,first\n"})


def test_built_in_groupings():
    table = table_of(code=["I10", "E11.9", "J18.9", "no code"])
    made, effect = run(GroupCodes("code", "icd10", 3), table)
    labels = texts_of(made, "code")
    assert "circulatory" in labels[0].lower()
    assert "respiratory" in labels[2].lower()
    assert "no code" not in labels
    assert effect.figures["codes_unknown"] == 1
    made, _ = run(GroupCodes("code", "ccs_icd10"), table)
    assert len(set(texts_of(made, "code"))) == 4
    with pytest.raises(ConfigError, match="step_table_goes"):
        GroupCodes("code", "table")
    with pytest.raises(ConfigError, match="parameter_range"):
        GroupCodes("code", "ccs_icd9", 3)


def test_conditions_of_the_charlson_index():
    """Quan et al. (2005), table 1: a code of each condition."""
    codes = ["I21.4", "i50", "E11.9", "E11.2", "C78.0", "C50.9", "B20", "K70.4", "J18"]
    step = GroupCodes("code", "charlson_icd10")
    made, effect = run(step, table_of(code=[*codes, ""]))
    assert texts_of(made, "code") == [
        "Myocardial infarction",
        "Congestive heart failure",
        "Diabetes without chronic complication",
        "Diabetes with chronic complication",
        "Metastatic solid tumor",
        "Any malignancy, lymphoma and leukemia",
        "AIDS or HIV",
        "Moderate or severe liver disease",
        "other",
        "",
    ]
    assert effect.figures["codes_unknown"] == 1
    made, _ = run(GroupCodes("code", "charlson_icd10", 2), table_of(code=codes))
    weights = [1, 1, 1, 2, 6, 2, 6, 3]
    expected = [*(f"weight {n}" for n in weights), "other"]
    assert texts_of(made, "code") == expected
    old = table_of(code=["410.71", "42840", "250.00", "250.4", "V58"])
    made, _ = run(GroupCodes("code", "charlson_icd9"), old)
    assert [text.split()[0] for text in texts_of(made, "code")] == [
        *("Myocardial", "Congestive", "Diabetes", "Diabetes", "other")
    ]
    with pytest.raises(ConfigError, match="parameter_range"):
        GroupCodes("code", "charlson_icd9", 3)


INDEX = ["I21.4", "E11.9", "E11.2", "C78.0", "C50.9", "K70.3", "K70.4", "J18", ""]
WEIGHTS = {
    "I21.4": ("infarction", 1),
    "E11.9": ("diabetes", 1),
    "E11.2": ("diabetes", 2),
    "C50.9": ("cancer", 2),
    "C78.0": ("cancer", 6),
    "K70.3": ("liver", 1),
    "K70.4": ("liver", 3),
}
coded_rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(INDEX), st.sampled_from(INDEX)),
    min_size=1,
    max_size=15,
)


@given(coded_rows, st.booleans())
@settings(deadline=None, max_examples=60)
def test_the_charlson_index_by_a_plain_loop(rows, replaces):
    names = ("person", "first", "second")
    columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    step = CharlsonIndex("first", "ICD-10-CM", ("second",), replaces)
    expected = {}
    for person in columns["person"]:
        own = {code for row in rows if row[0] == person for code in row[1:]}
        found = {WEIGHTS[code] for code in own if code in WEIGHTS}
        if replaces:
            found = {
                (name, max(w for other, w in found if other == name))
                for name, _ in found
            }
        expected[person] = str(sum(weight for _, weight in found))
    if all(row[1] not in WEIGHTS and row[2] not in WEIGHTS for row in rows):
        with pytest.raises(InputError, match="step_no_code_known"):
            run(step, table_of(**columns), key="person")
        return
    made, effect = run(step, table_of(**columns), key="person")
    assert texts_of(made, "first") == [expected[row[0]] for row in rows]
    assert texts_of(made, "second") == columns["second"]
    above = {person for person, index in expected.items() if index != "0"}
    assert effect.figures["people_with"] == len(above)
    assert effect.figures["highest"] == max(map(int, expected.values()))


def test_the_index_of_the_published_icd_9_codes():
    table = table_of(
        person=["p", "p", "p", "q"], code=["410.71", "42840", "410", "V58"]
    )
    made, _ = run(CharlsonIndex("code", "ICD-9-CM"), table, key="person")
    assert texts_of(made, "code") == ["2", "2", "2", "0"]


def test_dates_before_birth_can_become_missing():
    table = table_of(
        person=["p", "p", "q"],
        born=["2000-01-10", "2000-01-10", "2000-01-01"],
        seen=["2000-01-01", "2000-01-12", "no date"],
    )
    step = DaysSinceFirst("seen", ISO, "born", earlier="missing")
    made, effect = run(step, table, key="person")
    assert texts_of(made, "seen") == ["", "2", ""]
    figures = effect.figures
    assert (figures["negative"], figures["people_negative"]) == (1, 1)
    assert figures["became_missing"] == 1
    assert any("became missing" in each for each in effect.words())
    kept, effect = run(DaysSinceFirst("seen", ISO, "born"), table, key="person")
    assert texts_of(kept, "seen") == ["-9", "2", ""]
    assert any("can identify a person" in each for each in effect.words())


# -- all kinds -------------------------------------------------------------------------


def test_columns_that_are_not_there():
    steps = [
        TopCode("gone", 0.9),
        DaysSinceFirst("gone", ISO),
        ShiftDates(("gone",), ISO, 9),
        RemovePeople("l.csv", ("gone",)),
        SuppressProviders("gone", ("gone",), 0.2),
        GroupCodes("gone", "icd10"),
        CharlsonIndex("gone", "ICD-9-CM"),
        OneValue(("gone",), "missing"),
    ]
    assert len(steps) == len([*STEPS]) - 1
    for step in steps:
        with pytest.raises(DeidError, match="step_column_missing"):
            run(step, table_of(who=["a"]), "who", files={"l.csv": LIST})


def test_steps_are_applied_in_their_order():
    table = table_of(who=["a", "a", "b"], code=["B20", "I10", "I10"], n=["9", "9", "1"])
    top, removal = TopCode("n", 0.5), RemovePeople("l.csv", ("code",))
    files = {"l.csv": LIST}
    one, effects = prepare((removal, top), Data(table, "who", files=files))
    other, _ = prepare((top, removal), Data(table, "who", files=files))
    assert texts_of(one, "n") == ["1+"] == texts_of(other, "n")
    assert [each.rows_before for each in effects] == [3, 1]
    for before, after in itertools.pairwise(effects):
        assert before.people_after == after.people_before


def test_no_step_changes_its_table():
    table = table_of(who=["a", "b"], n=["1", "2"])
    before = [(c.codes.copy(), c.texts()) for c in table.columns]
    run(TopCode("n", 0.5), table)
    for column, (codes, texts) in zip(table.columns, before, strict=True):
        assert (column.codes == codes).all()
        assert column.texts() == texts
