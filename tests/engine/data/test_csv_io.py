"""Reading whole files: the real ones, and everything a hospital can get wrong."""

import csv
import gzip
import io
import itertools
import random
import string
import tracemalloc
import zipfile

import numpy as np
import polars as pl
import pytest

from deidgui.app.text import fill
from deidgui.app.text.reading import SENTENCES
from deidgui.engine.data import csv_io
from deidgui.engine.data import source as source_module
from deidgui.engine.data.csv_io import MAX_NAME, read_csv, unique_names
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.source import open_source
from deidgui.engine.data.table import Column
from deidgui.errors import Cancelled, DeidError, InputError, ResourceError
from tests.shared import shared
from tests.sources import bytes_source, read_table, rows_of


def read(content: bytes | str, dialect: Dialect | None = None, **kwargs):
    if isinstance(content, str):
        content = content.encode()
    return read_csv(bytes_source("t.csv", content), dialect or Dialect(), **kwargs)


def rows(table):
    return rows_of(table)


def refusal(content, dialect=None) -> DeidError:
    with pytest.raises(DeidError) as caught:
        read(content, dialect)
    message = fill(SENTENCES[caught.value.code], caught.value.params)
    assert message.fix
    assert "‹" not in str(message)
    return caught.value


# --- real files ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "shape"),
    [
        (("data", "uci_adult", "adult.data.gz"), (32_561, 15)),
        (("data", "nhds2010", "nhds2010.csv.gz"), (151_551, 44)),
        (("data", "adult_hierarchies", "adult.csv.gz"), (30_162, 9)),
    ],
)
def test_real_files_are_read_as_the_csv_module_reads_them(parts, shape):
    path = shared(*parts)
    source = open_source(path)
    dialect = guess_dialect(source).dialect
    table = read_table(source, dialect)
    assert (table.n_rows, len(table.columns)) == shape
    with gzip.open(path, "rt", encoding=dialect.encoding, newline="") as text:
        reader = csv.reader(
            text, delimiter=dialect.delimiter, skipinitialspace=dialect.skip_blanks
        )
        expected = [record for record in reader if record]
    if dialect.header:
        assert list(table.column_names) == expected.pop(0)
    some = np.array(random.Random(1).sample(range(shape[0]), 2000))
    assert rows_of(table, some) == [expected[row] for row in some]
    for place, column in enumerate(table.columns):
        assert column.texts() == sorted({record[place] for record in expected})


def test_member_of_the_diabetes_archive():
    path = shared("data", "diabetes130", "dataset_diabetes.zip")
    table = read_table(open_source(path / "diabetic_data.csv"), Dialect())
    assert (table.n_rows, len(table.columns)) == (101_766, 50)
    # Counts published with the data set: missing values are written "?".
    missing = {"race": 2273, "weight": 98_569, "payer_code": 40_256, "diag_1": 21}
    for name, n_rows in missing.items():
        assert table.column(name).with_missing(["?"]).n_missing == n_rows
    assert table.column("patient_nbr").n_values == 71_518


# --- cells --------------------------------------------------------------------


def test_every_text_stays_as_it_is():
    table = read('id,zip,c,d\n1,01234,NA," x "\n2,,nan,""\n3,5.0,null,"1,5"\n').table
    assert rows(table) == [
        ["1", "01234", "NA", " x "],
        ["2", "", "nan", ""],
        ["3", "5.0", "null", "1,5"],
    ]
    assert table.column("zip").n_missing == 1
    assert table.column("c").n_missing == 0


def test_missing_tokens_are_the_callers():
    table = read("a,b\nNA,1\n,2\n", missing=("NA",)).table
    assert table.column("a").present() == [""]


def test_values_are_sorted_by_code_point():
    table = read("a\nß\nz\nA\n10\n9\n漢\n😀\n\uffff\n").table
    expected = sorted(["ß", "z", "A", "10", "9", "漢", "😀", "\uffff"])
    assert table.columns[0].texts() == expected
    assert table.columns[0].codes.dtype == np.int32


def test_quoted_line_breaks_and_empty_lines_keep_line_numbers_right():
    text = 'a,b\r\n1,"x\r\ny"\r\n\r\n2,"p\nq\rr"\r\n3,z\r\n   \r\n4,w'
    reading = read(text)
    assert rows(reading.table) == [
        ["1", "x\r\ny"],
        ["2", "p\nq\rr"],
        ["3", "z"],
        ["4", "w"],
    ]
    assert [reading.table.lines.line(row) for row in range(4)] == [2, 5, 8, 10]
    assert reading.report.n_blank_lines == 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_line_ends(end):
    table = read(end.join(["a,b", "1,2", "3,4"]) + end).table
    assert rows(table) == [["1", "2"], ["3", "4"]]


def test_mixed_line_ends():
    assert rows(read("a,b\n1,2\r\n3,4\r5,6").table) == [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
    ]


def test_trailing_delimiters_are_left_out_and_counted():
    reading = read("a,b\n1,2,\n3,4\n5,6,\n")
    assert rows(reading.table) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert reading.report.n_trailing == 2


def test_inner_quotes_are_kept_and_counted():
    reading = read('a,b\n5\'10",x\n6"0",y\n')
    assert rows(reading.table) == [["5'10\"", "x"], ['6"0"', "y"]]
    assert reading.report.n_inner_quotes == 2


def test_one_column_one_row_and_dos_end_mark():
    assert rows(read("a\nx").table) == [["x"]]
    assert rows(read("a,b\n1,2\n\x1a").table) == [["1", "2"]]
    assert rows(read('a\n""\nx\n').table) == [[""], ["x"]]


def test_a_thousand_columns():
    generator = random.Random(3)
    cells = [[str(generator.randint(0, 99)) for _ in range(1000)] for _ in range(300)]
    names = [f"c{place}" for place in range(1000)]
    text = "\n".join(",".join(record) for record in [names, *cells])
    table = read(text).table
    assert list(table.column_names) == names
    assert rows(table) == cells


def test_a_field_of_100_megabytes():
    field = b"x" * 100_000_000
    table = read(b'a,b\n1,"' + field + b'"\n2,y\n').table
    assert table.columns[1].values.str.len_bytes().to_list() == [100_000_000, 1]
    assert table.columns[1].text(0) == field.decode()


def test_many_distinct_values_and_long_texts():
    generator = random.Random(5)
    cells = [
        [str(row), "v" * generator.randint(0, 400), f"{row % 7}ü"]
        for row in range(20_000)
    ]
    generator.shuffle(cells)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["a", "b", "c"], *cells])
    table = read(text.getvalue()).table
    assert rows(table) == cells
    assert table.column("a").n_values == 20_000


# --- names --------------------------------------------------------------------


def test_column_names_become_usable():
    names, renamed = unique_names(["age", "", "age", " sex ", "a\nb", "age (2)", " "])
    assert names == [
        "age",
        "column 2",
        "age (3)",
        "sex",
        "a b",
        "age (2)",
        "column 7",
    ]
    assert renamed == ("column 2", "age (3)", "sex", "a b", "column 7")


def test_many_equal_names_are_numbered():
    names, _ = unique_names(["a"] * 16_384 + ["a (7)"])
    assert len(set(names)) == 16_385
    assert names[:3] == ["a", "a (2)", "a (3)"]
    assert names[6] == "a (8)"  # the file's own "a (7)" keeps its name


def test_a_name_too_long_is_refused_with_its_place():
    table = read(f"a,{'b' * MAX_NAME}\n1,2\n").table
    assert len(table.column_names[1]) == MAX_NAME
    with pytest.raises(InputError) as caught:
        read(f"\na,{'b' * (MAX_NAME + 1)}\n1,2\n")
    assert caught.value.code == "column_name_too_long"
    params = {"line": 2, "column": 2, "found": MAX_NAME + 1, "limit": MAX_NAME}
    assert caught.value.params == {"file": caught.value.params["file"], **params}
    # Without a header the first record holds values of any length.
    assert read(f"a,{'b' * (MAX_NAME + 1)}\n", Dialect(header=False)).table.n_rows == 1


def test_names_are_reported_unless_there_is_no_header():
    assert read("a,a\n1,2\n").report.renamed == ("a (2)",)
    reading = read("1,2\n3,4\n", Dialect(header=False))
    assert reading.table.column_names == ("column 1", "column 2")
    assert reading.report.renamed == ()
    assert reading.report.notes == ()


def test_lines_before_the_header_are_skipped_whatever_they_hold():
    text = 'A "title\r\nsecond, line\r\rid,x\n1,2\n'
    table = read(text, Dialect(skip_lines=3)).table
    assert table.column_names == ("id", "x")
    assert table.lines.line(0) == 5


# --- encodings ----------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16-le", "utf-16-be"]
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_encodings(encoding, mark, monkeypatch):
    if mark and not encoding.startswith("utf"):
        pytest.skip("no mark in this encoding")
    monkeypatch.setattr("deidgui.engine.data.source.BLOCK_BYTES", 7)
    content = (mark + "größe,b\n1,é\n2,ü\n").encode(encoding)
    table = read(content, Dialect(encoding=encoding)).table
    assert table.column_names == ("größe", "b")
    assert rows(table) == [["1", "é"], ["2", "ü"]]


def test_wrong_encoding_names_line_and_character():
    content = b"a,b\r\n1,x\r\n2,\xfc\r\n"
    error = refusal(content)
    assert error.code == "encoding_fails"
    assert (error.params["line"], error.params["place"]) == (3, 3)
    odd = refusal("a,b\n1,2\n".encode("utf-16-le") + b"x", Dialect(encoding="utf-16"))
    assert (odd.code, odd.params["line"]) == ("encoding_fails", 3)


# --- refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code", "where"),
    [
        ("a,b\n1,2\n3\n4,5,6\n", "ragged_record", {"line": 3, "found": 1}),
        ("a,b\n1,2\n\n3,4,5\n", "ragged_record", {"line": 4, "found": 3}),
        ('a,b\n1,"x\ny\n2,z\n', "quote_not_closed", {"line": 2, "column": "b"}),
        ('a,b\n"1"x,2\n', "text_after_quote", {"line": 2, "column": "a"}),
        ('a,b\n"1\n2"x,2\n', "text_after_quote", {"line": 3, "column": "a"}),
        ("a,b\n1,2\n3,\0\n", "nul_byte", {"line": 3, "column": "b"}),
        ('a,b\n1,2\n3,"p\n\0"\n', "nul_byte", {"line": 4, "column": "b"}),
        ("a\0,b\n1,2\n", "nul_byte", {"line": 1, "column": "1"}),
        ("\x02a,b\n1,2\n\0,3\n", "nul_byte", {"line": 3, "column": "1"}),
        ("a,b\n", "header_only", {}),
        ("\n\n \n", "file_blank", {}),
        ("a,b\n1\n2,\0\n", "ragged_record", {"line": 2, "n_records": 1}),
    ],
)
def test_refused_with_file_line_and_column(content, code, where):
    error = refusal(content)
    assert error.code == code
    assert error.params["file"] == "t.csv"
    for key, value in where.items():
        assert error.params[key] == value


def test_all_ragged_records_are_counted():
    error = refusal("a,b\n" + "1\n" * 7 + "1,2\n" * 3)
    assert error.params["n_records"] == 7


def test_too_many_columns():
    assert refusal("," * csv_io.MAX_COLUMNS).code == "too_many_columns"
    assert len(
        read("," * (csv_io.MAX_COLUMNS - 1), Dialect(header=False)).table.columns
    )


def test_endless_records(monkeypatch):
    monkeypatch.setattr(csv_io, "MAX_RECORD_BYTES", 1000)
    monkeypatch.setattr("deidgui.engine.data.source.BLOCK_BYTES", 64)
    open_quote = refusal('a\nb\n"' + "x\n" * 5000)
    assert (open_quote.code, open_quote.params["line"]) == ("quote_not_closed", 3)
    endless = refusal("a\nb\n" + "x" * 5000)
    assert (endless.code, endless.params["line"]) == ("record_too_long", 3)


def test_no_value_of_the_file_is_in_an_error():
    secret = "Sentinel-4711"
    for text in (
        f"a,b\n{secret}\n",
        f'a,b\n"{secret}"{secret},2\n',
        f'a,b\n1,"{secret}\n',
        f"a,b\n{secret},\0\n",
    ):
        error = refusal(text)
        shown = str(fill(SENTENCES[error.code], error.params))
        assert secret not in repr(error) + str(error) + shown


# --- blocks and threads -------------------------------------------------------

ODD_ROWS = [
    "1,plain,x", '2,"a, b",x', '3,"c ""d""",', "4,,NA", '5,"two\nlines",y', "",
    '6,"two\r\nlines","\r"', "7,é ü ß,  ", "8,in\"side,'", '"9"," ",""', "   ",
    '10,"\n\n",z', "11,trailing,,",
]  # fmt: skip


@pytest.mark.parametrize("size", [1, 7, 1000, 10**9])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16-le"])
def test_blocks_and_threads_do_not_matter(monkeypatch, size, end, encoding):
    """Everything in threads and tiny blocks, as all at once on this thread."""
    lines = ["id,note,more", *ODD_ROWS * 20, *(f"{n},{n % 7},{n}" for n in range(99))]
    content = (end.join(lines) + end).encode(encoding)
    dialect = Dialect(encoding=encoding.removesuffix("-sig"))
    source = bytes_source("t.csv", content)
    monkeypatch.setattr(csv_io, "_FEW_FIELDS", 10**12)
    alone = read_csv(source, dialect)
    assert alone.table.n_rows == 20 * 11 + 99
    assert alone.report.n_blank_lines == 40
    assert alone.report.n_trailing == 20
    monkeypatch.setattr(csv_io, "_FEW_FIELDS", 0)
    monkeypatch.setattr(csv_io, "_FIELDS_AT_ONCE", 3 * size)
    monkeypatch.setattr(source_module, "BLOCK_BYTES", size)
    found = read_csv(bytes_source("t.csv", content), dialect)
    assert found.report == alone.report
    for one, other in zip(found.table.columns, alone.table.columns, strict=True):
        assert one.texts() == other.texts()
        assert np.array_equal(one.codes, other.codes)
        assert np.array_equal(one.missing_codes, other.missing_codes)
    places = range(alone.table.n_rows)
    assert list(map(found.table.lines.line, places)) == list(
        map(alone.table.lines.line, places)
    )


def test_an_error_behind_records_that_threads_encode(monkeypatch):
    monkeypatch.setattr(csv_io, "_FEW_FIELDS", 0)
    monkeypatch.setattr(source_module, "BLOCK_BYTES", 1000)
    lines = [f"{n},secret{n}" for n in range(2000)]
    error = refusal("\n".join(["a,b", *lines, '"1"2,3', *lines]))
    assert error.code == "text_after_quote"
    assert error.params["line"] == 2002
    assert "secret" not in str(error)


def test_no_memory_in_a_thread_is_an_error_with_a_code(monkeypatch):
    def grow(*_arguments):
        raise MemoryError

    monkeypatch.setattr(csv_io, "_FEW_FIELDS", 0)
    monkeypatch.setattr(csv_io.ColumnBuilder, "_grow", grow)
    error = refusal("a,b\n" + "".join(f"{n},{n}\n" for n in range(1000)))
    assert error.code == "out_of_memory"


# --- progress -----------------------------------------------------------------


class Recorder:
    def __init__(self, stop_at=2.0):
        self.fractions, self.stop_at = [], stop_at

    def report(self, fraction, note=""):
        self.fractions.append(fraction)
        if fraction >= self.stop_at:
            raise Cancelled


def test_progress_never_goes_back_and_ends_at_one():
    text = "a,b\n" + "".join(f"{row},{row % 9}\n" for row in range(300_000))
    recorder = Recorder()
    read(text, monitor=recorder)
    assert recorder.fractions == sorted(recorder.fractions)
    assert recorder.fractions[-1] == pytest.approx(1.0)
    assert len(recorder.fractions) > 5
    for stop in (0.0, 0.3, 0.8):
        with pytest.raises(Cancelled):
            read(text, monitor=Recorder(stop))


def test_reading_from_a_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", "a,b\n1,2\n")
    table = read_table(open_source(tmp_path / "t.zip"), Dialect())
    assert table.name == "t.zip/t.csv"
    assert rows(table) == [["1", "2"]]


def test_a_file_that_changes_between_opening_and_reading(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    source = open_source(path)
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(InputError) as caught:
        read_table(source, Dialect())
    assert caught.value.code == "file_changed"


def test_bad_rows_are_left_out_by_a_persons_word_and_counted():
    content = "a,b,c\n1,2,3\n4,5\n6,7,8\n9,10,11,12\n13,14,15\n"
    source = bytes_source("t.csv", content.encode())
    with pytest.raises(InputError) as refused:
        read_csv(source, Dialect())
    assert refused.value.code == "ragged_record"
    reading = read_csv(source, Dialect(skip_ragged=True))
    assert reading.report.n_ragged == 2
    assert rows_of(reading.table) == [
        ["1", "2", "3"], ["6", "7", "8"], ["13", "14", "15"],
    ]  # fmt: skip
    assert reading.table.lines.line(1) == 4
    assert "ragged_skipped" in {note.code for note in reading.report.notes}


# --- packed files of strangers ------------------------------------------------------

LETTERS = string.ascii_letters + string.digits


def _distinct(n_bytes):
    words = map("".join, itertools.product(LETTERS, repeat=4))
    return "\n".join(itertools.islice(words, n_bytes // 5)).encode() + b"\n"


@pytest.mark.parametrize(
    "content",
    [
        _distinct(16 << 20),
        b"a\n\n" * (5 << 20),
        b",".join([b"1"] * 10_000) + b"\n" + (b"," * 9_999 + b"\n") * 1_600,
    ],
    ids=["every value another", "every second line empty", "many columns"],
)
def test_packed_text_that_takes_more_memory_than_bytes_is_refused(
    tmp_path, monkeypatch, content
):
    monkeypatch.setattr(source_module, "MAX_UNPACKED_BYTES", 16 << 20)
    monkeypatch.setattr(source_module, "BLOCK_BYTES", 1 << 20)
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress(content, 1))
    reader, peak = csv_io._Reader, []
    plain = reader.take

    def take(self, *arguments):
        try:
            plain(self, *arguments)
        finally:
            held = sum(builder.n_bytes for builder in self._builders)
            peak.append(held + 8 * (len(self._rows) + len(self._lines)))

    monkeypatch.setattr(reader, "take", take)
    with pytest.raises(ResourceError) as caught:
        read_csv(open_source(path), Dialect(header=False))
    assert caught.value.code == "unpacked_needs_memory"
    assert max(peak) <= 4 * (16 << 20)


def test_rows_are_counted_without_a_copy_of_all_of_them():
    """A copy would take twice the memory of the table, for each column in turn."""
    codes = np.arange(6 << 20, dtype=np.int32) % 3
    column = Column("a", codes, pl.Series(["x", "y", "z"]))
    tracemalloc.start()
    try:
        counts = column.counts
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert counts.tolist() == [2 << 20] * 3
    assert peak < codes.nbytes


def test_columns_that_grow_together_are_refused_before_they_grow(tmp_path, monkeypatch):
    """Of many columns each cell takes four bytes: the limit itself."""
    monkeypatch.setattr(source_module, "MAX_UNPACKED_BYTES", 16 << 20)
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress((b"," * 1_999 + b"\n") * 8_000, 1))
    peak = []
    plain = csv_io.ColumnBuilder.add

    def add(self, *arguments):
        plain(self, *arguments)
        peak.append(self.n_bytes)

    monkeypatch.setattr(csv_io.ColumnBuilder, "add", add)
    with pytest.raises(ResourceError) as caught:
        read_csv(open_source(path), Dialect(header=False))
    assert caught.value.code == "unpacked_needs_memory"
    assert max(peak) * 2_000 <= 3 * (16 << 20)
