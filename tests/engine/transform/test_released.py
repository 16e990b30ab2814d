"""Released CSVs read back cell by cell, and are stated byte by byte."""

import csv
import hashlib
import io
from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.transform.apply import apply_policy
from deidgui.engine.transform.released import ReleasedTable, write_csv

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


def test_order_and_chunks():
    released = release([str(n) for n in range(1000)])
    assert np.concatenate(list(released.chunks(300))).tolist() == list(range(1000))


def test_a_release_of_several_chunks_is_written_whole(monkeypatch):
    texts = [str(n) for n in range(1000)]
    released, whole, parts = release(texts), io.BytesIO(), io.BytesIO()
    write_csv(released, whole)
    chunks = ReleasedTable.chunks
    monkeypatch.setattr(ReleasedTable, "chunks", lambda self, _most: chunks(self, 300))
    write_csv(released, parts)
    assert parts.getvalue() == whole.getvalue()
    assert [line.partition(b",")[2] for line in parts.getvalue().split()[1:]] == [
        text.encode() for text in texts
    ]


def test_writing_reports_a_quarter_for_its_columns_and_comes_to_its_end(monkeypatch):
    told = []
    monitor = SimpleNamespace(report=lambda fraction, _note: told.append(fraction))
    chunks = ReleasedTable.chunks
    monkeypatch.setattr(ReleasedTable, "chunks", lambda self, _most: chunks(self, 500))
    write_csv(release([str(n) for n in range(1000)]), io.BytesIO(), monitor=monitor)
    assert told[:4] == [0.0, 0.0625, 0.125, 0.1875]
    assert told == sorted(told)
    assert told[4] >= 0.25
    assert told[-1] == 1.0
