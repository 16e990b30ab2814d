"""Released CSVs read back cell by cell, and are stated byte by byte."""

import csv
import hashlib
import io
from dataclasses import replace
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data import csv_write
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.transform.apply import apply_policy
from deidgui.engine.transform.released import shuffle_order, write_csv

CELLS = st.text(
    st.one_of(
        st.sampled_from(',;"\n\r\t \'*ä"'),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=5,
)


def release(texts):
    table = Table(
        "t.csv",
        (
            Column.from_texts("sex", ["F"] * len(texts)),
            Column.from_texts("no,te", texts),
        ),
    )
    classes = build_class_table(table, [Hierarchy.from_grid("sex", [("F", "*")])])
    policy = lattice_policy(classes.hierarchies, {"sex": 1}, 1)
    return apply_policy(
        table, classes, policy, {"no,te": "keep"}, spreadsheet_safe=False
    )


@settings(deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=12))
def test_cells_read_back(texts):
    buffer = io.BytesIO()
    written = write_csv(release(texts), buffer)
    content = buffer.getvalue()
    rows = list(csv.reader(io.StringIO(content.decode(), newline=""), strict=True))
    assert rows == [["sex", "no,te"], *(["*", text] for text in texts)]
    assert written.n_rows == len(texts)
    assert written.n_bytes == len(content)
    assert written.sha256 == hashlib.sha256(content).hexdigest()


def test_a_release_of_several_blocks_is_written_whole_in_its_order(monkeypatch):
    texts = [str(n) for n in range(1000)]
    released, whole, parts = release(texts), io.BytesIO(), io.BytesIO()
    rows = shuffle_order(1000, 1)
    released = replace(released, rows=rows)
    write_csv(released, whole)
    monkeypatch.setattr(csv_write, "ROWS_AT_ONCE", 300)
    write_csv(released, parts)
    assert parts.getvalue() == whole.getvalue()
    cells = [line.partition(b",")[2] for line in parts.getvalue().split()[1:]]
    assert cells == [str(n).encode() for n in rows]


def test_writing_reports_every_block_and_comes_to_its_end(monkeypatch):
    told = []
    monitor = SimpleNamespace(report=lambda fraction, _note: told.append(fraction))
    monkeypatch.setattr(csv_write, "ROWS_AT_ONCE", 500)
    write_csv(release([str(n) for n in range(1000)]), io.BytesIO(), monitor=monitor)
    assert {0.05, 0.1, 0.55, 1.0} <= set(told)
    assert told == sorted(told)
    assert told[-1] == 1.0
