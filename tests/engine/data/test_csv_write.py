"""Written text is read back unchanged, by us and by the csv module."""

import csv
import hashlib
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data import csv_write
from deidgui.engine.data.csv_write import OutputColumn, write_table
from deidgui.engine.data.dialect import Dialect
from deidgui.errors import Cancelled, ConfigError
from tests.sources import bytes_source, read_table, rows_of

CELLS = st.text(alphabet="ab0 ,;\"'=-\r\n\té\ufeff\x1a", max_size=6)
NAMES = st.text(alphabet='ab ,;"', min_size=1, max_size=4).filter(
    lambda name: name == " ".join(name.split()) != ""
)


def columns_of(names, rows):
    columns = []
    for place, name in enumerate(names):
        cells = [row[place] for row in rows]
        texts = sorted(set(cells), reverse=True)  # neither order nor use matters
        codes = np.array([texts.index(cell) for cell in cells], dtype=np.int32)
        columns.append(OutputColumn(name, codes, [*texts, "unused"]))
    return columns


def write(names, rows, **how):
    target = io.BytesIO()
    report = write_table(target, columns_of(names, rows), **how)
    return target.getvalue(), report


@settings(deadline=None, max_examples=200)
@given(st.data(), st.integers(1, 3), st.sampled_from([",", ";", "\t", "|", "§"]))
def test_round_trip(data, width, delimiter):
    fixed = {"min_size": width, "max_size": width}
    names = data.draw(st.lists(NAMES, unique=True, **fixed))
    rows = data.draw(st.lists(st.lists(CELLS, **fixed), min_size=1, max_size=6))
    content, report = write(names, rows, delimiter=delimiter)
    assert report.n_rows == len(rows)
    assert report.n_bytes == len(content)
    assert report.sha256 == hashlib.sha256(content).hexdigest()
    table = read_table(bytes_source("t", content), Dialect(delimiter=delimiter))
    assert list(table.column_names) == names
    assert rows_of(table) == rows
    text = io.StringIO(content.decode(), newline="")
    assert list(csv.reader(text, delimiter=delimiter, strict=True)) == [names, *rows]


def test_bytes_are_minimal_and_always_the_same():
    rows = [["1", "a,b"], ["", 'x"y'], [" z", "l\nm"], ["plain", "é"]]
    content, _ = write(["id", "note"], rows)
    expected = 'id,note\n1,"a,b"\n,"x""y"\n" z","l\nm"\nplain,é\n'
    assert content == expected.encode()
    assert write(["id", "note"], rows)[0] == content


def plainly(names, rows, delimiter):
    """The same form, written one cell after another."""

    def cell(text):
        odd = delimiter in text or any(c in '"\ufeff' or c < " " for c in text)
        odd = odd or text[:1] == " " or text[-1:] == " "
        if odd or (text == "" and len(names) == 1):
            return '"' + text.replace('"', '""') + '"'
        return text

    return "".join(delimiter.join(map(cell, row)) + "\n" for row in [names, *rows])


@pytest.mark.parametrize("size", [1, 7, 1000, 10**9])
@pytest.mark.parametrize("delimiter", [",", ";", "§"])
@pytest.mark.parametrize("width", [1, 3])
def test_blocks_do_not_matter(monkeypatch, size, delimiter, width):
    for name in ("ROWS_AT_ONCE", "_TEXTS_AT_ONCE", "_CELLS_AT_ONCE"):
        monkeypatch.setattr(csv_write, name, size)
    odd = [
        "",
        " a",
        "a ",
        "a,b",
        'x"y',
        '"',
        "l\nm",
        "c\r\n",
        "\ufeff",
        "é;§",
        "\t",
        "ÂÃï»",
    ]
    cells = [*odd, *(str(n) for n in range(300))]
    rows = [[cells[(n * 7 + at * n) % 312] for at in range(width)] for n in range(2500)]
    names = ["a b", 'c"d', "e§"][:width]
    content, report = write(names, rows, delimiter=delimiter)
    assert content == plainly(names, rows, delimiter).encode()
    assert report.sha256 == hashlib.sha256(content).hexdigest()


def test_no_rows_are_only_a_header():
    assert write(["a", "b"], [])[0] == b"a,b\n"


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_unusable_delimiters(delimiter):
    with pytest.raises(ConfigError):
        write(["a"], [["1"]], delimiter=delimiter)


def test_progress_and_cancel(monkeypatch):
    monkeypatch.setattr(csv_write, "ROWS_AT_ONCE", 10)
    column = OutputColumn("a", np.zeros(100, np.int32), pl.Series(["x"]))
    seen = []

    class Stopper:
        def report(self, fraction, note=""):
            seen.append(fraction)
            if fraction > 0.5:
                raise Cancelled

    target = io.BytesIO()
    with pytest.raises(Cancelled):
        write_table(target, [column], monitor=Stopper())
    assert seen == sorted(seen)
    assert len(target.getvalue()) < 200
    assert "x" not in repr(column).split(":")[1]
