"""The scanner against the csv module, and block boundaries against none."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deidgui.engine.data import csv_io, source
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import Dialect, cut_sample
from deidgui.errors import InputError
from tests.engine.data import csv_oracle
from tests.sources import bytes_source, rows_of

SOUP = st.text(
    alphabet=["a", "b", " ", '"', ",", "\r", "\n", "é", "'", ";"], max_size=40
)
DIALECTS = st.builds(
    Dialect,
    delimiter=st.sampled_from([",", ";", "é"]),
    quote=st.sampled_from(['"', "'", ""]),
    skip_blanks=st.booleans(),
    header=st.just(False),
)
CELLS = st.text(alphabet="ab0 ,;\"'\r\n\té漢", max_size=6)


def cut(text: str, dialect: Dialect):
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    return cut_sample(data, True, dialect, 1000)


@settings(deadline=None, max_examples=300)
@given(SOUP, DIALECTS)
@example('"a"\r', Dialect())
@example('a,"b""\r\n"\r\rc', Dialect())
def test_any_text_is_cut_as_the_csv_module_cuts_it(text, dialect):
    if dialect.skip_blanks and dialect.quote and f"{dialect.quote} " in text:
        return  # blanks behind a closing quote: we read them, the module refuses
    try:
        expected = csv_oracle.records(text, dialect)
    except csv_oracle.Unreadable:
        assert cut(text, dialect)[2]
        return
    found, lines, failed = cut(text, dialect)
    assert not failed
    if dialect.quote and re.search(f"{dialect.quote} *{dialect.quote}", text):
        return  # a quoted blank is a record for us; the module does not tell it apart
    # A line of blanks alone is no record for us, whatever the number of columns.
    kept = [
        (line, cells)
        for line, cells in expected
        if len(cells) > 1 or cells[0].strip(" ")
    ]
    assert list(zip(lines, found, strict=True)) == kept


@settings(deadline=None, max_examples=100)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8
        )
    ),
    st.sampled_from([",", ";", "\t", "|", "§"]),
    st.sampled_from(['"', "'"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.integers(1, 9),
)
def test_what_the_csv_module_writes_is_read_back(rows, delimiter, quote, end, size):
    text = io.StringIO()
    csv.writer(
        text,
        delimiter=delimiter,
        quotechar=quote,
        lineterminator=end,
        quoting=csv.QUOTE_ALL,
    ).writerows(rows)
    dialect = Dialect(delimiter=delimiter, quote=quote, header=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "BLOCK_BYTES", size)
        patch.setattr(csv_io, "BLOCK_BYTES", size)
        patch.setattr(csv_io, "_FIELDS_AT_ONCE", 8)
        table = read_csv(bytes_source("t.csv", text.getvalue().encode()), dialect).table
    assert rows_of(table) == rows
    starts = [line for line, _ in csv_oracle.records(text.getvalue(), dialect)]
    assert [table.lines.line(row) for row in range(table.n_rows)] == starts


@settings(deadline=None, max_examples=100)
@example(" \r;", Dialect(header=False), 1)
@given(SOUP.filter(bool), DIALECTS, st.integers(1, 7))
def test_blocks_do_not_matter(text, dialect, size):
    def outcome():
        try:
            reading = read_csv(bytes_source("t", text.encode()), dialect)
        except InputError as error:
            return repr(error)
        table = reading.table
        lines = [table.lines.line(row) for row in range(table.n_rows)]
        return rows_of(table), lines, reading.report

    whole = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "BLOCK_BYTES", size)
        patch.setattr(csv_io, "BLOCK_BYTES", size)
        assert outcome() == whole


def test_blanks_behind_a_closing_quote_are_skipped_with_the_others():
    found, _, failed = cut('"a" ,  "b, c" \n 1, 2\n', Dialect(skip_blanks=True))
    assert (found, failed) == ([["a", "b, c"], ["1", "2"]], False)


def test_quoted_empty_cell_is_a_record_but_an_empty_line_is_none():
    found, lines, _ = cut('""\n\n""\n', Dialect())
    assert (found, lines) == ([[""], [""]], [1, 3])
