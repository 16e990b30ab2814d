"""Rows counted in frames, against the same rows counted one by one."""

import csv
import io
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.evidence import folder as reading
from deidgui.engine.evidence import rows_seen
from deidgui.engine.evidence.rows_seen import RowsSeen
from deidgui.engine.evidence.tally import MappedLabels, Tally
from deidgui.engine.evidence.verify_frames import OddFormError, read_frames

HEADER = ["age", "zip", "code", "note"]
_NOTES = st.sampled_from(
    ["", "*", "a,b", 'says "no"', "x\ny", " blank", "=1+1", "-5", "é", "a\r", "\ufeff"]
)
_CODES = st.sampled_from(["*", "", "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNO2", "P1"])
_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["20-29", "30-39", "*", "?"]),
        st.sampled_from(["372**", "381**", "*"]),
        _CODES,
        _NOTES,
    ),
    max_size=30,
)


def written(rows):
    def cell(text):
        odd = any(c in '",\ufeff' or c < " " for c in text)
        if odd or text.startswith(" ") or text.endswith(" "):
            return '"' + text.replace('"', '""') + '"'
        return text

    return "".join(",".join(map(cell, row)) + "\n" for row in [HEADER, *rows])


def folder_of(tmp_path, text):
    path = tmp_path / "released.csv"
    path.write_bytes(text.encode())
    return SimpleNamespace(file=lambda _relative: path)


def new_tally():
    seen = RowsSeen([0, 1, 3], {"note": (3, frozenset(("?",)))}, {"note": 3}, None)
    return Tally(
        HEADER,
        ["age", "zip"],
        {
            "age": MappedLabels({"20-29": 10, "30-39": 10}, 20),
            "zip": MappedLabels({"372**": 100, "381**": 100}, 200),
        },
        pseudonyms={"code": frozenset(("*", ""))},
        sensitive=["note"],
        seen=seen,
    )


def same_partition(left, right):
    """Whether two lists of numbers tell the same rows apart."""
    pairs = set(zip(left, right, strict=True))
    return len(pairs) == len(set(left)) == len(set(right))


@settings(max_examples=60, deadline=None)
@given(_ROWS, st.integers(min_value=20, max_value=400), st.sampled_from([1, 2**62]))
def test_frames_count_what_rows_count(tmp_path_factory, rows, size, most_packed):
    folder = folder_of(tmp_path_factory.mktemp("release"), written(rows))
    one_by_one, in_frames = new_tally(), new_tally()
    one_by_one.add([list(row) for row in rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "LINES_BYTES", size)
        patch.setattr(rows_seen, "_MOST_PACKED", most_packed)
        try:
            for frame in read_frames(folder, "released.csv", HEADER):
                in_frames.add_frame(frame)
            in_frames.end_frames()
        except OddFormError:
            # A record may be longer than a block as small as these.
            return
    assert in_frames.classes == one_by_one.classes
    assert list(in_frames.classes) == list(one_by_one.classes)
    assert in_frames._values == one_by_one._values
    for name in ("n_rows", "n_starred", "n_executed", "n_no_pseudonym", "n_unknown"):
        assert getattr(in_frames, name) == getattr(one_by_one, name), name
    left, right = in_frames.seen, one_by_one.seen
    assert left.keys == right.keys
    assert list(left.classes) == list(right.classes)
    assert list(left.values["note"]) == list(right.values["note"])
    assert same_partition(left.hashes, right.hashes)
    assert same_partition(left.texts["note"], right.texts["note"])
    assert np.array_equal(left.released(2), right.released(2))


def rows_of(folder):
    return [
        row
        for frame in read_frames(folder, "released.csv", HEADER)
        for row in frame.iter_rows()
    ]


def test_rows_are_those_of_the_csv_module(tmp_path):
    text = written([("1", "2", "", 'a "b", c'), ("\n", "", "*", "é"), ("", "", "", "")])
    expected = list(csv.reader(io.StringIO(text, newline=""), strict=True))[1:]
    found = rows_of(folder_of(tmp_path, text))
    assert found == [tuple(row) for row in expected]
    assert Counter(map(len, found)) == {4: 3}


@pytest.mark.parametrize(
    "rest",
    [
        "1,2,3\n",  # too short
        "1,2,3,4,5\n",  # too long
        "1,2,3,4",  # no line break at the end
        '1,2,3,"4\n',  # a quote is not closed
        '1,2,3,4"5\n',  # a quote inside
        '1,2,3,"4"\n',  # a quote that need not be
        "1,2,3,4\r\n",  # other line breaks
        "\n",  # an empty line
        "1,2,3, 4\n",  # a blank that is quoted in a release
    ],
)
def test_what_has_another_form_is_left_to_the_strict_reader(tmp_path, rest):
    folder = folder_of(tmp_path, written([("1", "2", "3", "4")]) + rest)
    with pytest.raises(OddFormError):
        rows_of(folder)


def test_another_header_is_left_to_the_strict_reader(tmp_path):
    folder = folder_of(tmp_path, "age,zip,code,other\n1,2,3,4\n")
    with pytest.raises(OddFormError):
        rows_of(folder)


def test_bytes_that_are_no_text_are_left_to_the_strict_reader(tmp_path):
    folder = folder_of(tmp_path, written([]))
    folder.file("").write_bytes(b"age,zip,code,note\n1,2,3,\xff\n")
    with pytest.raises(OddFormError):
        rows_of(folder)
