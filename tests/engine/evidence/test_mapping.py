"""Mapping files tell the labels, and no value that only suppressed people had."""

import csv
import io
from types import SimpleNamespace

import numpy as np
import pytest

from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.templates.flat import Flat
from deidgui.engine.evidence.evidence import Applied
from deidgui.engine.evidence.mapping import (
    mapping_csv,
    mapping_paths,
    names_values,
    safe_name,
)
from deidgui.engine.policy.policy import AttributeMap

ROWS = [("17", "10s", "*"), ("18", "10s", "*"), ("25", "20s", "*"), ("107", "old", "*")]


def attribute_map(rule=None, level=1):
    hierarchy = Hierarchy.from_grid("age", ROWS, rule=rule)
    step = hierarchy.levels[level]
    return AttributeMap(hierarchy, step.labels, step.groups, level)


def rows_of(content):
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def mapping(each, records, released, few=5):
    return rows_of(
        mapping_csv(each, np.array(records), np.array(released, dtype=bool), few)
    )


def test_list_of_its_own_names_only_values_that_many_have():
    rows = mapping(attribute_map(), [9, 9, 0, 1], [True, True, True])
    assert rows == [
        ["value", "label", "values"],
        *(["17", "10s", "1"], ["18", "10s", "1"]),
        *(["", "20s", "1"], ["", "old", "1"]),
    ]
    rows = mapping(attribute_map(), [9, 2, 7, 8], [True, True, False])
    assert rows == [
        ["value", "label", "values"],
        *(["17", "10s", "1"], ["25", "20s", "1"]),
        *(["", "10s", "1"], ["(not released)", "", "1"]),
    ]


def test_rule_names_labels_only():
    rows = mapping(attribute_map(Flat()), [9, 9, 0, 1], [True, True, False])
    assert rows == [
        ["value", "label", "values"],
        *(["", "10s", "2"], ["", "20s", "1"], ["(not released)", "", "1"]),
    ]


def test_rare_value_of_a_grid_made_from_the_file_is_not_named():
    assert not names_values(attribute_map(), np.array([9, 9, 9, 1]), 5)
    assert names_values(attribute_map(), np.array([9, 9, 9, 5]), 5)
    assert not names_values(attribute_map(), np.array([9, 9, 0, 1]), 5)
    rows = mapping(attribute_map(), [9, 9, 9, 1], [True, True, False])
    assert "107" not in str(rows)
    assert "17" in str(rows)


def test_values_of_people_with_many_rows_are_not_named():
    each = attribute_map()
    applied = Applied(
        SimpleNamespace(units=object()), SimpleNamespace(maps=(each,), rounds=())
    )
    assert applied.leaf_records(0).tolist() == [0] * len(ROWS)


def test_suppressed_values_of_a_kept_attribute_are_not_named():
    each = attribute_map(Flat(), level=0)
    rows = mapping(each, [9, 9, 9, 1], [True, True, True, False])
    assert "107" not in str(rows)
    assert rows[-1] == ["(not released)", "", "1"]


def test_values_add_up_to_the_hierarchy():
    for rule in (None, Flat()):
        rows = mapping(attribute_map(rule), [9, 0, 9, 1], [True, False, True])
        assert sum(int(row[2]) for row in rows[1:]) == len(ROWS)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("age", "age"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a/b\\c:d*e?", "a_b_c_d_e_"),
        ("", "attribute"),
        ("...", "attribute"),
        ("CON", "_CON"),
        ("com1.txt", "_com1.txt"),
        ("größe", "größe"),
        ("x" * 300, "x" * 80),
        ("new\nline\0", "new_line_"),
        (" =cmd ", "_cmd"),
    ],
)
def test_file_names_are_safe(name, file):
    assert safe_name(name) == file


@pytest.mark.parametrize(
    "name",
    ["Schmidt_Anna", "Anna Schmidt", "a.schmidt@example.org", "Hauptstraße 12", "1957"],
)
def test_a_name_that_could_be_a_persons_is_in_no_file_name(name):
    paths = mapping_paths(["age", name], {"age": 1, name: 4})
    assert paths == {"age": "mapping/age.csv", name: "mapping/column-4.csv"}
    said = mapping_paths(["age", name], are_confirmed=True)
    assert said[name] == f"mapping/{safe_name(name)}.csv"


@pytest.mark.parametrize("name", ["sex", "Birth year", "PLZ", "nombre", "icd10_1"])
def test_usual_names_stay_in_file_names(name):
    assert mapping_paths([name])[name] == f"mapping/{name}.csv"


def test_file_names_differ_without_regard_to_case():
    names = ["Age", "age", "AGE", "age-2", "a/b", "a:b"]
    paths = mapping_paths(names)
    folded = {path.casefold() for path in paths.values()}
    assert len(folded) == len(names)
    assert paths["Age"] == "mapping/Age.csv"
