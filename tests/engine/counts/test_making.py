"""Tables of counts made from a table of patients, against plain Python."""

from __future__ import annotations

import random

import pytest

from deidgui.engine.counts.tables.making import TableMaker
from deidgui.engine.counts.tables.proposing import proposed_structure
from deidgui.engine.counts.tables.structure import Form
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.data.table import Column, Table
from deidgui.errors import ConfigError

RNG = random.Random(5)
RECORDS = [
    {
        "id": str(RNG.randrange(40)),
        "sex": RNG.choice("FM"),
        "age": RNG.choice(["0-17", "18-64", "65+", ""]),
    }
    for _ in range(120)
]


def patients(records=RECORDS) -> Table:
    columns = [Column.from_texts(n, [r[n] for r in records]) for n in records[0]]
    return Table("patients", tuple(columns))


def people(key: str | None, **values: str) -> int:
    """How many people have a row with these values."""
    found = [(at, r) for at, r in enumerate(RECORDS)]
    hits = [(a, r) for a, r in found if all(r[k] == v for k, v in values.items())]
    return len({r[key] if key else a for a, r in hits})


@pytest.mark.parametrize("key", [None, "id"])
def test_a_cross_table_counts_people(key):
    head, *rows = TableMaker(patients(), key).cross_table("age", "sex")
    assert head == ["age", "F", "M", "Total"]
    for name, *counts in rows[:-1]:
        age = "" if name == "Missing" else name
        expected = [people(key, age=age, sex=sex) for sex in "FM"]
        assert counts == [str(each) for each in (*expected, people(key, age=age))]
    assert rows[-1] == [
        "Total",
        *(str(people(key, sex=sex)) for sex in "FM"),
        str(people(key)),
    ]


def test_categories_of_people_in_several_give_no_sum():
    for key, form in ((None, Form.SUM), ("id", Form.AT_MOST)):
        grid = TableMaker(patients(), key).characteristics(["sex", "age"])
        found = proposed_structure([CountTable.of("t", grid)])
        assert {each.form for each in found.relations} == {form}
        assert len(found.relations) == 2
        assert found.disagreeing == ()


def test_attrition_steps_add_up():
    steps = [("sex", ["F"]), ("age", ["18-64", "65+"])]
    grid = TableMaker(patients(), "id").attrition(steps)
    remaining = [int(row[1]) for row in grid[1:]]
    assert remaining[0] == people("id")
    assert remaining[1] == people("id", sex="F")
    found = proposed_structure([CountTable.of("t", grid)])
    assert [each.form for each in found.relations] == [Form.ATTRITION] * 2


def test_an_unknown_column_is_refused():
    with pytest.raises(ConfigError, match="attribute_unknown"):
        TableMaker(patients()).cross_table("age", "nothing")
    with pytest.raises(ConfigError, match="attribute_unknown"):
        TableMaker(patients(), "nobody")
