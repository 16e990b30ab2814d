"""What is found out about a text before it is read, and what is said about it."""

import csv
import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.text import fill
from deidgui.app.text.reading import SENTENCES
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.encoding import (
    ENCODINGS,
    canonical_encoding,
    example_lines,
    guess_encoding,
)
from deidgui.engine.data.source import open_source
from deidgui.engine.detect.first_row import is_personal, n_personal
from deidgui.errors import ConfigError, DeidError
from tests.shared import shared
from tests.sources import bytes_source

HEADER = ["patient", "sex", "birth date", "weight", "diagnosis", "remark"]
REMARKS = ["", "none", "stable, afebrile", "see letter; call", "5'10\"", 'he said "no"']


def patients(n=40, decimal="."):
    generator = random.Random(7)
    return [
        [
            f"{4000 + row}",
            generator.choice("MF"),
            f"19{generator.randint(20, 99)}-0{generator.randint(1, 9)}-1{row % 10}",
            f"{generator.randint(40, 110)}{decimal}{row % 10}",
            generator.choice(["I21.3", "E11", "J44.9", "V27"]),
            REMARKS[row % len(REMARKS)],
        ]
        for row in range(n)
    ]


def written(rows, **how) -> str:
    text = io.StringIO()
    csv.writer(text, **{"lineterminator": "\n", **how}).writerows(rows)
    return text.getvalue()


def guess(text: str | bytes):
    content = text.encode() if isinstance(text, str) else text
    found = guess_dialect(bytes_source("t.csv", content))
    for each in found.evidence:
        shown = str(fill(SENTENCES[each.code], dict(each.params)))
        assert "‹" not in shown
    return found


TABLE = [HEADER, *patients()]
ALL = csv.QUOTE_ALL
PLAIN = [[cell.replace('"', "").replace(",", "") for cell in row[:5]] for row in TABLE]
CASES = {
    "comma": (written(TABLE), {}),
    "semicolon": (written(TABLE, delimiter=";"), {"delimiter": ";"}),
    "decimal comma": (
        written([HEADER, *patients(decimal=",")], delimiter=";"),
        {"delimiter": ";"},
    ),
    "tab": (written(TABLE, delimiter="\t"), {"delimiter": "\t"}),
    "bar": (written(TABLE, delimiter="|"), {"delimiter": "|"}),
    "caret": (written(TABLE, delimiter="^"), {"delimiter": "^"}),
    "tilde": (written(TABLE, delimiter="~"), {"delimiter": "~"}),
    "broken bar": (written(TABLE, delimiter="¦"), {"delimiter": "¦"}),
    "unit separator": (written(TABLE, delimiter="\x1f"), {"delimiter": "\x1f"}),
    "colon": (written(PLAIN, delimiter=":"), {"delimiter": ":"}),
    "all quoted": (written(TABLE, quoting=ALL), {}),
    "CR LF": (written(TABLE, lineterminator="\r\n"), {}),
    "CR": (written(TABLE, lineterminator="\r"), {}),
    "apostrophes": (
        written(TABLE, quotechar="'", quoting=ALL),
        {"quote": "'"},
    ),
    "apostrophes, semicolon": (
        written(TABLE, quotechar="'", quoting=ALL, delimiter=";"),
        {"quote": "'", "delimiter": ";"},
    ),
    "unpaired quotes": (
        "\n".join(f'{row};"{row} inch;x' for row in range(30)),
        {"delimiter": ";", "quote": "", "header": False},
    ),
    "comma and blank": (
        "\n".join(", ".join(row) for row in PLAIN),
        {"skip_blanks": True},
    ),
    "comma and blank, quoted": (
        "\n".join(", ".join(f'"{cell}, x"' for cell in row) for row in PLAIN),
        {"skip_blanks": True},
    ),
    "no header": (written(TABLE[1:]), {"header": False}),
    "title lines": (
        "Discharges 2019\nWard 7, unit 3\n\n" + written(TABLE),
        {"skip_lines": 3},
    ),
    "title lines with quotes": (
        '"Discharges ""2019"""\n' + written(TABLE, delimiter=";"),
        {"skip_lines": 1, "delimiter": ";"},
    ),
    "sep line": (
        "sep=;\n" + written(TABLE, delimiter=";"),
        {"skip_lines": 1, "delimiter": ";"},
    ),
    "sep line and title": (
        "sep=;\nDischarges\n" + written(TABLE, delimiter=";"),
        {"skip_lines": 2, "delimiter": ";"},
    ),
    "no sep line": ('sep="\n' + written(TABLE), {"skip_lines": 1}),
    "quoted line breaks": (
        written([HEADER, *[[*row[:5], "a\r\nb, c\n"] for row in patients()]]),
        {},
    ),
    "one column": ("age\n" + "\n".join(str(age) for age in range(30)), {}),
    "one column of text": (
        "remark\nno change, stable\nfever\nsent home; will call\nnone\n",
        {},
    ),
    "one column of moments": (
        "\n".join(f"2019-03-1{row % 10} 1{row % 10}:20:00" for row in range(20)),
        {"header": False},
    ),
    "one row": ("1,2,abc\n", {"header": False}),
    "header and one row": ("id,sex\n17,F\n", {}),
    "years as names": ("state,2008,2009\nTN,1.5,2.5\nKY,2.5,3.5\n", {}),
    "all words": ("code,label\nA,apple\nB,pear\nC,plum\n", {}),
    "row names": (
        "age,sex\n" + "".join(f"r{row},{row},M\n" for row in range(20, 40)),
        {},
    ),
    "trailing delimiters": (
        "age,sex\n" + "".join(f"{row},M,\n" for row in range(20, 40)),
        {},
    ),
    "many empty cells": (
        "a,b,c,d\n" + "".join(f"{row},,,\n" for row in range(30)),
        {},
    ),
    "dates with slashes": (
        "when,who\n"
        + "".join(f"{1 + row % 12}/{row}/2019,x{row}\n" for row in range(28)),
        {},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_dialects(case):
    text, expected = CASES[case]
    found = guess(text).dialect
    assert {key: getattr(found, key) for key in ("header", "skip_lines")} == {
        "header": expected.get("header", True),
        "skip_lines": expected.get("skip_lines", 0),
    }
    if not case.startswith("one column"):
        assert found.delimiter == expected.get("delimiter", ",")
        assert found.quote == expected.get("quote", '"')
        assert found.skip_blanks == expected.get("skip_blanks", False)


@pytest.mark.parametrize("case", [each for each in CASES if each != "row names"])
def test_what_was_guessed_can_be_read(case):
    text, _ = CASES[case]
    dialect = guess(text).dialect
    reading = read_csv(bytes_source("t.csv", text.encode()), dialect)
    if case.startswith("one column"):
        assert len(reading.table.columns) == 1


def test_a_header_that_does_not_fit_is_refused_not_skipped():
    text, _ = CASES["row names"]
    source = bytes_source("t.csv", text.encode())
    with pytest.raises(DeidError) as caught:
        read_csv(source, guess_dialect(source).dialect)
    assert caught.value.code == "ragged_record"
    assert caught.value.params["line"] == 2


@settings(deadline=None, max_examples=100)
@given(st.binary(min_size=1, max_size=60))
def test_any_bytes_give_a_guess(content):
    guess(content)


def test_other_delimiters_are_offered():
    text = "a,b;c\n" + "".join(f"{row},x;{row}\n" for row in range(20))
    found = guess(text)
    others = {found.dialect.delimiter, *(each.delimiter for each in found.alternatives)}
    assert {",", ";"} <= others


def test_a_quote_that_is_never_closed_is_seen_in_a_long_file():
    text = 'id,size\n1,"5 inch\n' + "2,6 inch\n" * 200_000
    assert guess(text).dialect.quote == ""


def test_a_ragged_line_is_told():
    rows = patients()
    rows[7] = rows[7][:4]
    codes = {each.code: dict(each.params) for each in guess(written(rows)).evidence}
    assert codes["delimiter_mostly"]["n_other"] == 1


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("uci_adult", "adult.data.gz"), Dialect(skip_blanks=True, header=False)),
        (("nhds2010", "nhds2010.csv.gz"), Dialect()),
        (("adult_hierarchies", "adult.csv.gz"), Dialect(delimiter=";")),
        (
            ("adult_hierarchies", "adult_hierarchy_race.csv"),
            Dialect(delimiter=";", header=False),
        ),
        (
            ("adult_hierarchies", "adult_hierarchy_salary-class.csv"),
            Dialect(delimiter=";", header=False),
        ),
    ],
)
def test_real_files(parts, expected):
    assert guess_dialect(open_source(shared("data", *parts))).dialect == expected


# --- encodings ----------------------------------------------------------------

TEXT = "name;city\nMüller;Köln\nPeña;A Coruña\nØrsted;Århus\n"


@pytest.mark.parametrize(
    ("content", "encoding", "code"),
    [
        (b"a,b\n1,2\n", "utf-8", "encoding_ascii"),
        (TEXT.encode(), "utf-8", "encoding_utf8_valid"),
        (TEXT.encode("utf-8-sig"), "utf-8", "encoding_mark"),
        (TEXT.encode("cp1252"), "cp1252", "encoding_not_utf8"),
        (TEXT.encode("utf-16"), "utf-16-le", "encoding_mark"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16-be", "encoding_mark"),
        (TEXT.encode("utf-16-le"), "utf-16-le", "encoding_nul_pattern"),
        (TEXT.encode("utf-16-be"), "utf-16-be", "encoding_nul_pattern"),
        (TEXT.encode("utf-32"), "utf-32-le", "encoding_mark"),
        ("Müller;ist ì\n".encode("cp850"), "cp850", "encoding_not_cp1252"),
        ("Müller\x8d\n".encode("latin-1"), "latin-1", "encoding_not_cp1252"),
    ],
)
def test_encodings(content, encoding, code):
    found = guess_encoding(bytes_source("t", content))
    assert (found.encoding, found.evidence.code) == (encoding, code)
    assert set(found.alternatives) <= set(ENCODINGS)


def test_the_first_umlaut_may_come_late():
    late = b"a,b\n" + b"1,2\n" * 600_000
    assert (
        guess_encoding(bytes_source("t", late + "ü,1\n".encode())).encoding == "utf-8"
    )
    found = guess_encoding(bytes_source("t", late + b"\xfc,1\n"))
    assert found.encoding == "cp1252"


def test_a_character_cut_by_a_block_is_no_error(monkeypatch):
    monkeypatch.setattr("deidgui.engine.data.source.BLOCK_BYTES", 1)
    assert guess_encoding(bytes_source("t", "a\nü漢😀\n".encode())).encoding == "utf-8"
    assert guess_encoding(bytes_source("t", "a\nü".encode()[:-1])).encoding == "cp1252"


def test_example_lines_show_the_same_lines_in_each_encoding():
    source = bytes_source("t", ("plain\n" * 9 + TEXT).encode("cp1252"))
    shown = example_lines(source, ["cp1252", "cp850"], limit=2)
    assert shown["cp1252"] == ["Müller;Köln", "Peña;A Coruña"]
    assert shown["cp850"][0] != "Müller;Köln"


def test_names_of_encodings():
    for name, key in (
        ("UTF8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("Windows-1252", "cp1252"),
        ("ISO-8859-1", "latin-1"),
        ("latin_1", "latin-1"),
        ("Shift_JIS", "shift_jis"),
    ):
        assert canonical_encoding(name) == key
    for key in ENCODINGS:
        assert canonical_encoding(key) == key
        assert "a".encode(key)
    for name in ("unicode_escape", "rot13", "utf-7", ""):
        with pytest.raises(ConfigError):
            canonical_encoding(name)


# --- the dialect itself -------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"delimiter": ""},
        {"delimiter": ",,"},
        {"delimiter": "\n"},
        {"delimiter": '"'},
        {"quote": "x"},
        {"delimiter": " ", "skip_blanks": True},
        {"skip_lines": -1},
        {"encoding": "klingon"},
    ],
)
def test_unusable_dialects(fields):
    with pytest.raises(ConfigError) as caught:
        Dialect(**fields)
    assert caught.value.code in SENTENCES


NAMES = "name;first name;ward;town;doctor"
PEOPLE = [
    "Müller;Anna;3 West;Celle;Dr. Weber",
    "Krause;Uwe;2 East;Kiel;Dr. Lang",
    "Novak;Petra;4 North;Neuss;Dr. Horn",
]


@pytest.mark.parametrize(
    "titles",
    [
        ["Extract of ward list;;;;"],
        ["Extract of ward list;;;;", ";;;;", "printed 2024-05-01;;;;"],
        ["Ward list;;;;", "Clinic;North;;;"],
    ],
)
@pytest.mark.parametrize("tail", ["", ";;"])
def test_titles_that_a_spreadsheet_padded_are_a_preamble(titles, tail):
    lines = [line + tail for line in (*titles, NAMES, *PEOPLE)]
    found = guess("\n".join(lines))
    assert found.dialect.skip_lines == len(titles)
    assert found.dialect.header
    assert "preamble" in {each.code for each in found.evidence}


def test_a_sparse_first_record_is_no_preamble():
    found = guess("\n".join(["a;;;;", *["b;1;2;3;4", "c;5;6;7;8", "d;5;6;7;8"]]))
    assert found.dialect.skip_lines == 0


def test_a_first_record_of_a_person_is_no_header():
    source = bytes_source("t.csv", "\n".join(PEOPLE).encode())
    without = guess_dialect(source)
    assert without.dialect.header  # words, all different: a header by its shape
    found = guess_dialect(source, n_personal=n_personal)
    assert not found.dialect.header
    assert found.header_in_doubt
    assert "header_is_personal" in {each.code for each in found.evidence}
    table = read_csv(source, found.dialect).table
    assert table.n_rows == 3
    assert table.column_names[0] == "column 1"


def test_a_header_with_names_of_columns_stays_one():
    for lines in ([NAMES, *PEOPLE], ["Vorname;Nachname;Stadt;Arzt;Zimmer", *PEOPLE]):
        source = bytes_source("t.csv", "\n".join(lines).encode())
        assert guess_dialect(source, n_personal=n_personal).dialect.header


@pytest.mark.parametrize(
    "cell",
    ["Anna Schmidt", "Müller, Anna", "anna@example.org", "0151 2345678", "12345678",
     "Hauptstraße 12", "12 rue de la Paix", "A123456789", "James"],
)  # fmt: skip
def test_cells_of_a_person(cell):
    assert is_personal(cell)


@pytest.mark.parametrize(
    "cell",
    ["Name", "Vorname", "Patient Name", "sex", "date_of_birth", "Straße 1", "dx01",
     "2019", "ward", "street", "Telefon", "x", "", "measure 3", "Hospital 2",
     "test 1", "total 3"],
)  # fmt: skip
def test_cells_of_no_person(cell):
    assert not is_personal(cell)
