"""Cells of tables of counts: counts, marks, percentages, in the writing of a locale."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.counts.tables.cells import (
    CellType,
    CountCell,
    Mark,
    Writing,
    bare,
    read_cell,
    writing_of,
)


def read(
    text: str, kind: CellType = CellType.COUNT, writing: Writing | None = None
) -> CountCell:
    return read_cell(text, kind, writing or writing_of([text]))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("100,100", 100_100),
        ("1.234.567", 1_234_567),
        ("1.234", 1234),
        ("100\u00a0100", 100_100),
        ("100\u202f100", 100_100),
        ("100 100", 100_100),
        ("100'100", 100_100),
        ("100\u2019100", 100_100),
        ("1,00,000", 100_000),
        (" 99 ", 99),
        ("99\u00b9", 99),
        ("99*", 99),
        ("99 \u2020\u2021", 99),
        ("99[1]", 99),
        ("99 (a)", 99),
        ("99 (99.0%)", 99),
        ("1,234 (12,3 %)", 1234),
    ],
)
def test_counts_in_the_writings_of_several_locales(text, count):
    cell = read(text)
    assert (cell.count, cell.problem) == (count, "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("many", "count_is_text"),
        ("12,34", "count_fraction"),
        ("12.5", "count_fraction"),
        ("-3", "count_negative"),
        ("\u22123", "count_negative"),
        ("(3)", "count_negative"),
        ("1,2345,678", "count_is_text"),
        ("1,234.567", "count_is_text"),
        ("99999999999", "count_above_all"),
        ("9" * 5000, "count_is_text"),
        ("45%", "count_is_text"),
        ("*", "count_is_text"),
        ("-", "count_is_text"),
    ],
)
def test_what_is_no_count_is_named_by_a_code(text, problem):
    assert read(text).problem == problem
    assert not read(text).is_count


@pytest.mark.parametrize(
    ("text", "mark", "most"),
    [
        ("T", Mark.MASKED, None),
        ("T*", Mark.MASKED, None),
        ("T (<11%)", Mark.MASKED, None),
        ("<11", Mark.MASKED, 10),
        ("< 11", Mark.MASKED, 10),
        ("\u226410", Mark.MASKED, 10),
        ("fewer than 5", Mark.MASKED, 4),
        ("C", Mark.COMPLEMENT, None),
    ],
)
def test_marks_stand_instead_of_a_count(text, mark, most):
    cell = read(text)
    assert (cell.count, cell.mark, cell.most, cell.problem) == (None, mark, most, "")


def test_marks_of_others_are_said_by_a_person():
    cell = read_cell("s", CellType.COUNT, Writing(), {"s": Mark.MASKED})
    assert cell.is_masked
    assert read("s").problem == "count_is_text"


@pytest.mark.parametrize(
    ("text", "share"),
    [("12.5%", "12.5"), ("12,50 %", "12.50"), ("7", "7"), ("0.5\u00a0%", "0.5")],
)
def test_percentages_keep_the_digits_that_are_shown(text, share):
    found = read(text, CellType.PERCENTAGE).share
    assert found == Decimal(share)
    assert found is not None
    assert found.as_tuple() == Decimal(share).as_tuple()


def test_a_percentage_beside_a_count_is_read_with_it():
    assert read("49 (49.0%)").share == Decimal("49.0")


def test_the_decimal_comma_is_found_from_the_table():
    assert writing_of(["1.234", "12,5"]) == Writing(".", ",")
    assert writing_of(["1,234", "12.5"]) == Writing(",", ".")
    mean = read_cell("1.234,5", CellType.MEAN, Writing(".", ",")).mean
    assert mean == Decimal("1234.5")


@given(st.integers(0, 10**10), st.sampled_from(["", ",", ".", " ", "'", "\u202f"]))
def test_every_count_is_read_back(count, separator):
    text = f"{count:,}".replace(",", separator)
    assert read(text).count == count


@given(st.text(max_size=30), st.sampled_from(list(CellType)))
def test_no_text_makes_reading_fail(text, kind):
    cell = read(text, kind)
    assert cell.count is None or cell.problem or cell.count >= 0
    assert bare(bare(text)) is not None
