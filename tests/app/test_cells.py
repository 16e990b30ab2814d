"""What is stated of released cells: against the file, and against slow patterns."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.release.verifying import verify
from deidgui.app.release.writing import write_release
from deidgui.app.report.contents import report_of
from deidgui.engine.data.table import Column
from deidgui.engine.detect.texts import KINDS, look_into_cells
from deidgui.engine.evidence import cells_seen
from tests.app.edits import reseal
from tests.release_case import make_order, make_table

NOTES = (
    "seen by Dr. Novak, wrote to x.y@example.org",
    "call 615-555-0123 before noon",
    "Maria Garcia came on 2026-03-04",
    "www.example.org, scan.dcm",
    "10.0.0.1",
    "ACGT" * 6,
    "12345678901234567890",
    "stable",
    "",
)
"""Of a kind or two each, or of none."""


def table_with_notes():
    table = make_table(160)
    notes = [NOTES[row % len(NOTES)] for row in range(table.n_rows)]
    texts = [
        Column.from_texts("note", notes) if each.name == "note" else each
        for each in table.columns
    ]
    return type(table)(table.name, tuple(texts))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    return write_release(folder / "out", make_order(folder, table=table_with_notes()))


def test_lengths_and_hits_are_those_of_the_file(written):
    (output,) = written.evidence.outputs
    with (written.folder / output.path).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    stated = {each.attribute: each for each in written.evidence.cells.columns}
    # The name is removed, the number is a code, a column is not included.
    assert list(stated) == ["age", "sex", "zip", "diagnosis", "note"]
    for name, each in stated.items():
        cells = [row[name] for row in rows]
        assert each.cells == len(cells) == 160
        assert each.longest == max(map(len, cells))
        assert each.most_words == max(len(cell.split()) for cell in cells)
    having = Counter(row["note"] for row in rows)
    first, call, maria, web, address, bases, *_ = NOTES
    assert stated["note"].found == {
        "a name with a title": having[first],
        "an e-mail address": having[first],
        "a telephone number": having[call],
        "a first name beside a surname": having[maria],
        "a date": having[maria],
        "a web address": having[web],
        "an image file": having[web],
        "an IP address": having[address],
        "a sequence of bases": having[bases],
    }
    assert all(not stated[name].found for name in ("age", "sex", "zip", "diagnosis"))
    text = str(report_of(written.evidence))
    assert f"a telephone number: {having[call]}" in text
    assert "Such identifiers were found in: note." in text
    # A length is told, a value never.
    assert not any(note in text for note in NOTES[:6])


def edited(folder, change):
    """Edit the evidence of a release, with reports and hashes made again."""
    fields = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    change(fields)
    reseal(folder, fields)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda e: e.update(cells=None), "cells_stated"),
        (lambda e: e["cells"]["kinds"].pop(), "cells_whole"),
        (lambda e: e["cells"]["columns"].pop(), "cells_whole"),
        (lambda e: e["cells"]["columns"][4].update(cells=1), "cells_counted"),
        (lambda e: e["cells"]["columns"][4].update(longest=1), "cells_longest"),
        (lambda e: e["cells"]["columns"][4].update(most_words=1), "cells_words"),
        (lambda e: e["cells"]["columns"][4]["found"].popitem(), "cells_identifiers"),
        (
            lambda e: e["cells"]["columns"][1]["found"].update({"a date": 1}),
            "cells_identifiers",
        ),
    ],
)
def test_what_does_not_stand_in_the_file_is_noticed(written, tmp_path, change, code):
    folder = shutil.copytree(written.folder, tmp_path / "out")
    assert verify(folder).ok
    edited(folder, change)
    assert code in {each.code for each in verify(folder).failed}


# Written once more, for Python's own regular expressions.
SLOW = {
    "a name with a title": r"\b(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+[A-Z]",
    "a date": r"\b\d\d?[/.-]\d\d?[/.-](?:\d{2}|\d{4})\b|\b(?:19|20)\d\d-\d\d-\d\d\b",
    "a telephone number": (
        r"(?:\([2-9]\d\d\)\s?|\b[2-9]\d\d[-. ])[2-9]\d\d[-. ]\d{4}\b"
    ),
    "an e-mail address": r"\b[^@\s]+@[^@\s]+\.[A-Za-z]{2,}\b",
    "an IP address": r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b",
    "a social security number": r"\b\d{3}-\d{2}-\d{4}\b",
    "a medical record number": (
        r"(?i)\b(?:mrn|medical record|medical record number|medical record no\.?|"
        r"chart)[\s:#]+\w*\d{4}"
    ),
    "an IBAN": r"\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){3,7}\b",
    "more than 200 characters of coded data": r"[A-Za-z0-9+/]{201}",
    "a sequence of bases": r"\b[ACGTN]{20}",
}
PARTS = st.sampled_from(
    (
        *("Dr. ", "Prof ", "Novak", "Maria", "Garcia", "a@b.org", "555-", "0123"),
        *("615-", "(212) ", "1.", "10.", "2026-", "03-", "04", "123-45-6789", "mrn: "),
        *("chart#", "4711", "GB29", "NWBK", "6016", "1331", "9268", "19", " ", "-"),
        *("ACGTACGTAC", "x" * 101, "123456.5", "é", "\n", "٣"),
    )
)
TEXTS = st.lists(PARTS, max_size=8).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.integers(0, 3)), max_size=6))
def test_every_text_is_looked_into_as_by_slow_patterns(drawn):
    number_of = Counter()
    for text, n in drawn:
        number_of[text] += n
    cells = [text for text, n in number_of.items() for _ in range(n)]
    numbers = np.array(list(number_of.values()), np.int64)
    found = look_into_cells(pl.Series(list(number_of), dtype=pl.String), numbers)
    assert found.longest == max(map(len, cells), default=0)
    assert found.most_words == max((len(cell.split()) for cell in cells), default=0)
    for kind, pattern in SLOW.items():
        hits = sum(bool(re.search(pattern, cell)) for cell in cells)
        assert found.hits.get(kind, 0) == hits, kind
    # Whoever verifies finds the same, row by row and in any pieces.
    seen = cells_seen.CellsSeen({"note": 0})
    for part in (cells[:3], cells[3:]):
        seen.add_rows([[cell] for cell in part])
    seen.end()
    assert seen.n_cells["note"] == len(cells)
    assert seen.longest["note"] == found.longest
    assert seen.most_words["note"] == found.most_words
    assert {k: n for k, n in seen.found["note"].items() if n} == dict(found.hits)


def test_both_look_for_the_same_kinds():
    assert cells_seen.KINDS == KINDS
    assert set(SLOW) < set(KINDS)


def test_cells_are_counted_once_however_many_wait(monkeypatch):
    """Each text is looked into when too many wait, and what is left at the end."""
    monkeypatch.setattr(cells_seen, "_MOST_WAITING", 5)
    seen = cells_seen.CellsSeen({"note": 1})
    texts = [f"call 615-555-{n % 23:04d} {'x' * (n % 7)}" for n in range(100)]
    for start in range(0, 100, 3):
        part = texts[start : start + 3]
        seen.add([pl.Series(["-"] * len(part)), pl.Series(part)])
    seen.end()
    assert seen.n_cells["note"] == seen.found["note"]["a telephone number"] == 100
    assert (seen.longest["note"], seen.most_words["note"]) == (24, 3)
    seen.add_rows([])
    seen.add([pl.Series([], dtype=pl.String)] * 2)
    seen.end()
    assert seen.n_cells["note"] == 100
