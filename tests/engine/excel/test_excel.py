"""Spreadsheets: their saved values, refusals of hostile files, texts stay texts."""

from __future__ import annotations

import contextlib
import datetime
import io
import os
import random
import struct
import subprocess
import sys
import zipfile

import pytest
import xlsxwriter

from deidgui.engine.excel import reading
from deidgui.engine.excel.reading import Limits, read_sheets, text_of
from deidgui.engine.excel.writing import is_number, to_xlsx
from deidgui.errors import Cancelled, InputError

LIMITS = Limits(1_000, 100, 10_000)


def workbook(fill) -> bytes:
    """The bytes of a workbook that `fill` has filled."""
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    fill(book)
    book.close()
    return content.getvalue()


def read(content, **options):
    return read_sheets(content, "t.xlsx", LIMITS, **options)


def code_of(content, **options):
    with pytest.raises(InputError) as caught:
        read(content, **options)
    return caught.value.code


def three_sheets(book):
    book.add_worksheet("Women").write(0, 0, 1)
    hidden = book.add_worksheet("True counts")
    hidden.write(0, 0, 2)
    hidden.hide()
    book.add_worksheet("Empty")
    book.add_worksheet("Men").write(1, 1, 3)


def test_values_are_those_that_were_saved():
    def fill(book):
        page = book.add_worksheet("Counts")
        page.merge_range(1, 1, 1, 2, "Site A")
        page.write_row(2, 0, ["Female", 12, 0.5, True])
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        page.write_datetime(3, 0, datetime.datetime(2024, 12, 31), day)
        page.write_formula(3, 1, "=6*7", None, 42)
        page.write_string(3, 2, "=6*7")

    (sheet,) = read(workbook(fill))
    assert (sheet.name, sheet.is_alone) == ("Counts", True)
    assert [list(map(text_of, row)) for row in sheet.rows] == [
        ["", "", "", ""],
        ["", "Site A", "", ""],
        ["Female", "12", "0.5", "TRUE"],
        ["2024-12-31", "42", "=6*7", ""],
    ]


def test_sheets_that_are_shown_or_named_are_read():
    content = workbook(three_sheets)
    assert [each.name for each in read(content)] == ["Women", "Men"]
    assert not read(content)[0].is_alone
    assert [each.name for each in read(content, sheet="True counts")] == ["True counts"]
    hidden = read(content, hidden=True)
    assert [each.name for each in hidden] == ["Women", "True counts", "Men"]
    with pytest.raises(InputError) as caught:
        read(content, sheet="men")
    assert caught.value.code == "sheets_unknown"
    assert caught.value.params["names"] == ["Women", "True counts", "Empty", "Men"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (-12, "-12"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.3"),
        (100_100.0, "100100"),
        (float("inf"), "inf"),
        ("007", "007"),
    ],
)
def test_whole_numbers_have_no_point(value, text):
    assert text_of(value) == text


def far_cell(book):
    page = book.add_worksheet()
    page.write(0, 0, 1)
    page.write(1_048_575, 16_383, 1)


def test_a_cell_far_away_does_not_take_the_memory_of_the_program():
    """Its reader would ask for 512 GB and end its process."""
    assert code_of(workbook(far_cell)) == "sheets_refused"
    wide = workbook(lambda book: book.add_worksheet("Wide").write(0, 500, 1))
    with pytest.raises(InputError) as caught:
        read(wide)
    assert caught.value.code == "sheet_too_large"
    assert caught.value.params["file"] == "t.xlsx:Wide"


def repacked(content, change) -> bytes:
    """A workbook with other members."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for each in old.infolist():
            new.writestr(each.filename, change(each.filename, old.read(each)))
    return out.getvalue()


def bomb() -> bytes:
    """A workbook of which a part unpacks to 3 MB."""
    plain = workbook(three_sheets)
    return repacked(plain, lambda name, c: b"\0" * (3 << 20) if "theme" in name else c)


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch):
    content = bomb()
    assert len(content) < 1 << 15
    monkeypatch.setattr(reading, "MAX_UNPACKED_BYTES", 2 << 20)

    def never(*_a, **_k):
        raise AssertionError

    monkeypatch.setattr(reading.subprocess, "Popen", never)
    monkeypatch.setattr(zipfile.ZipFile, "open", never)
    assert code_of(content) == "sheets_unpacked_too_large"
    assert code_of(b"PK" + b"\0" * reading.MAX_BYTES) == "sheets_too_long"


def test_what_is_no_spreadsheet_is_one_sentence():
    good = workbook(three_sheets)
    assert code_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 4_000) == (
        "sheets_damaged"
    )
    assert code_of(good[:2_000]) == "sheets_damaged"
    word = repacked(good, lambda _name, _content: b"<x/>")
    assert code_of(word) == "sheets_damaged"
    cut = repacked(good, lambda name, c: c[:300] if "sheet1" in name else c)
    assert code_of(cut) == "sheets_damaged"
    stated = good.replace(struct.pack("<H", 8), struct.pack("<H", 97))
    assert code_of(stated) == "sheets_damaged"


SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text")
)


def ods(rows: str) -> bytes:
    """An OpenDocument spreadsheet with one sheet."""
    out = io.BytesIO()
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    sheet = f'<table:table table:name="Counts">{rows}</table:table>'
    body = f"<office:spreadsheet>{sheet}</office:spreadsheet>"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"<office:document-content {SPACES}><office:body>{body}</office:body>"
            "</office:document-content>",
        )
    return out.getvalue()


def cell(value, repeated=1):
    kind = 'office:value-type="float"'
    times = f'table:number-columns-repeated="{repeated}"'
    return f'<table:table-cell {times} {kind} office:value="{value}"/>'


def test_open_document_is_read():
    text = '<table:table-cell office:value-type="string"><text:p>F</text:p>'
    row = f"<table:table-row>{text}</table:table-cell>{cell(12)}</table:table-row>"
    empty = (
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
    )
    (sheet,) = read(ods(row + empty))
    assert sheet.rows == (("F", 12.0),)


@pytest.mark.parametrize("repeated", [16_000, 4_000_000_000])
def test_repeated_cells_do_not_fill_the_memory(repeated):
    row = f'<table:table-row table:number-rows-repeated="1000000">{cell(1, repeated)}'
    code = code_of(ods(f"{row}</table:table-row>"))
    assert code in ("sheets_refused", "sheets_damaged", "sheet_too_large")


def test_a_damaged_file_is_read_or_refused_and_nothing_else():
    """Bytes are changed at random places of both kinds."""
    rng = random.Random(14)
    plain = repacked(workbook(three_sheets), lambda _n, c: c)
    for good in (plain, ods(f"<table:table-row>{cell(1)}</table:table-row>")):
        for _ in range(8):
            damaged = bytearray(good)
            for _ in range(rng.choice((1, 5, 40))):
                damaged[rng.randrange(len(good))] = rng.randrange(256)
            with contextlib.suppress(InputError):
                assert all(sheet.rows for sheet in read(bytes(damaged)))


def test_reading_can_be_cancelled_and_ends_its_process(monkeypatch, tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(600)")
    monkeypatch.setattr(reading, "CHILD", slow)
    made = []
    popen = subprocess.Popen

    def kept(*a, **k):
        made.append(popen(*a, **k))
        return made[-1]

    monkeypatch.setattr(reading.subprocess, "Popen", kept)

    class Stopped:
        def report(self, *_a):
            raise Cancelled

    with pytest.raises(Cancelled):
        read(workbook(three_sheets), monitor=Stopped())
    assert made[0].poll() is not None
    monkeypatch.setattr(reading, "MAX_SECONDS", 0)
    assert code_of(workbook(three_sheets)) == "sheets_refused"


def test_many_sheets_are_read():
    """More than a pipe holds, for longer than the program waits at once."""

    def fill(book):
        for number in range(300):
            page = book.add_worksheet(f"Site {number}")
            for row in range(20):
                page.write_row(row, 0, range(row, row + 20))

    limits = Limits(100, 100, 1_000_000)
    found = read_sheets(workbook(fill), "t.xlsx", limits)
    assert len(found) == 300
    assert found[-1].rows[19][19] == 38


GRID = (
    ("Group", "n", ""),
    ("=1+1", "-3", "@x"),
    ("+49", "007", "1.5"),
    ("  indented", "12345678901234567", "-0"),
    ("https://a.b", "1e5", "two\nlines"),
)


def test_what_is_written_is_read_again_and_nothing_is_a_formula():
    content = to_xlsx(GRID, "Sheet [1]")
    (sheet,) = read(content)
    assert sheet.name == "Sheet _1_"
    assert [list(map(text_of, row)) for row in sheet.rows] == list(map(list, GRID))
    kinds = {type(value) for value in (sheet.rows[1][1], sheet.rows[2][2])}
    assert kinds == {float}
    assert sheet.rows[2][1] == "007"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        page = archive.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in page
    assert b"hyperlink" not in page
    assert to_xlsx(GRID, "Sheet [1]") == content


def test_numbers_are_texts_that_a_number_is_written_as():
    assert all(map(is_number, ("0", "-12", "1.5", "100000")))
    others = ("", "007", "1,000", "1e5", "-0", "1.50", "+3", " 3", "٣", "9" * 16)
    assert not any(map(is_number, others))


@pytest.mark.parametrize("name", ["", "'", "History", "a" * 40, "a/b:c", "\x01"])
def test_any_name_becomes_one_of_a_sheet(name):
    (sheet,) = read(to_xlsx(GRID, name))
    assert 0 < len(sheet.name) <= 31


def test_both_libraries_are_imported_when_they_are_needed():
    code = (
        "import sys; import deidgui.app.counts.work, deidgui.app.counts.releasing; "
        "import deidgui.app.release.verifying; "
        "sys.exit(any(n in sys.modules for n in ('python_calamine', 'xlsxwriter')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, env={**os.environ})
    assert done.returncode == 0
