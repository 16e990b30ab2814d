"""Tables of counts are noticed, and extracts of people are not."""

import csv
import gzip
import itertools

import pytest

from deidgui.engine.detect.totals import rows_of_totals
from tests.engine.detect.hospital import table_of
from tests.shared import shared

SEXES, AGES, PLACES = ("F", "M"), ("0-17", "18-64", "65+"), ("North", "South")


def told(columns):
    return [each.code for each in rows_of_totals(table_of(columns))]


def crossed(*labels):
    names = ("place", "age", "sex")
    return dict(zip(names, zip(*itertools.product(*labels), strict=True), strict=False))


@pytest.mark.parametrize(
    "columns",
    [
        {"age": AGES, "2019": ("4", "<11", "120"), "2020": ("0", "", "97")},
        {**crossed(PLACES, AGES), "cases": [str(n) for n in range(6)]},
        {**crossed(PLACES, AGES), "F": list("123*56"), "M": list("-98765")},
    ],
)
def test_a_table_without_totals_is_noticed(columns):
    assert told(columns) == ["rows_of_counts"]


@pytest.mark.parametrize(
    "columns",
    [
        {"id": [f"P{n:04}" for n in range(9)], "age": [str(n) for n in range(9)]},
        {"sex": ["F", "M", "F"], "age": ["40", "41", "44"]},
        {**crossed(PLACES, AGES, SEXES), "days": [str(n) for n in range(12)]},
        {**crossed(PLACES, AGES), "weight": ["70.5"] * 6},
        {**crossed(PLACES, AGES), "code": ["0123"] * 6},
        {"note": ["a", "b"], "blank": ["", ""]},
        {"age": ["1", "2"], "days": ["3", "4"]},
    ],
)
def test_people_are_not_taken_for_counts(columns):
    assert told(columns) == []


def test_a_row_of_totals_is_told_first():
    assert told({"age": ["0-17", "Total"], "n": ["4", "4"]}) == ["rows_of_totals"]


@pytest.mark.parametrize("n_rows", [10, 50, 200])
@pytest.mark.parametrize(
    ("file", "delimiter"),
    [("nhds2010/nhds2010.csv.gz", ","), ("adult_hierarchies/adult.csv.gz", ";")],
)
def test_people_of_real_files_are_not_taken_for_counts(file, delimiter, n_rows):
    with gzip.open(shared("data", *file.split("/")), "rt") as lines:
        cells = csv.reader(itertools.islice(lines, n_rows + 1), delimiter=delimiter)
        header, *rows = cells
    columns = dict(zip(header, zip(*rows, strict=True), strict=True))
    assert told(columns) == []
    for pair in itertools.combinations(columns, 2):
        assert told({name: columns[name] for name in pair}) == []
