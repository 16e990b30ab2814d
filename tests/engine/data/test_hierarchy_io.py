"""Do hierarchy files come back as they were, and hostile ones are refused?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data import hierarchy_io
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_draft import Draft
from deidgui.engine.data.hierarchy_io import (
    hierarchy_csv,
    read_draft,
    read_hierarchy,
    without_headings,
    write_hierarchy,
)
from deidgui.engine.data.table import Column
from deidgui.errors import Cancelled, InputError, ResourceError
from tests.shared import shared

HEIGHTS = {
    "sex": 1,
    "age": 4,
    "race": 1,
    "marital-status": 2,
    "education": 3,
    "native-country": 2,
    "workclass": 2,
    "occupation": 2,
    "salary-class": 1,
}


@pytest.mark.parametrize("attribute", HEIGHTS)
def test_hierarchies_of_adult(attribute, tmp_path):
    path = shared("data", "adult_hierarchies", f"adult_hierarchy_{attribute}.csv")
    hierarchy = read_hierarchy(path, attribute)
    assert hierarchy.height == HEIGHTS[attribute]
    assert hierarchy.levels[-1].labels == ("*",)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert {";".join(row) for row in hierarchy.grid()} == set(lines)
    assert hierarchy.n_leaves == len(lines)
    # The rows of the file in its order, byte for byte but for the last line's end.
    draft = read_draft(path, attribute)
    assert hierarchy_csv(draft).strip() == path.read_bytes().strip()
    write_hierarchy(hierarchy, tmp_path / "h.csv")
    again = read_hierarchy(tmp_path / "h.csv", attribute)
    assert again.grid() == hierarchy.grid()
    assert [p.name for p in tmp_path.iterdir()] == ["h.csv"]


LABEL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(st.lists(LABEL, unique=True, min_size=1), st.sampled_from(['a"b', "x;y", "\n"]))
def test_any_label_survives_the_file(leaves, group):
    draft = Draft("x", (tuple(leaves), (group,) * len(leaves), ("*",) * len(leaves)))
    assert read_draft(hierarchy_csv(draft), "x") == draft


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiter_encoding_and_line_ends_are_found(delimiter, encoding, end):
    rows = [["Köln", "Rhein", "*"], ["Bonn", "Rhein", "*"], ["", "other", "*"]]
    text = end.join(delimiter.join(row) for row in rows)
    draft = read_draft(text.encode(encoding), "x")
    assert [list(row) for row in draft.grid] == rows


def test_a_delimiter_inside_labels_does_not_mislead():
    text = "a;b, c;*\nd;e;*\nf;g, h;*\n"
    assert read_draft(text.encode(), "x").height == 2
    text = 'heart; chronic,"x, y",*\nlung,z,*\n'
    assert read_draft(text.encode(), "x").columns[0] == ("heart; chronic", "lung")
    assert read_draft(b"a,b\nc,d\n", "x", delimiter=";").height == 0


def test_short_rows_are_filled_in_the_editor_and_refused_elsewhere():
    data = b"a;g;*\nb;*\n\nc;g;*\n"
    assert read_draft(data, "x").grid[1] == ("b", "*", "")
    with pytest.raises(InputError) as caught:
        read_hierarchy(data, "x")
    assert caught.value.code == "hierarchy_ragged"
    assert caught.value.params["row"] == 2


@pytest.mark.parametrize(
    ("data", "code", "params"),
    [
        (b"", "hierarchy_empty", {}),
        (b"\n\r\n", "hierarchy_empty", {}),
        (b"a;*\0b;*\n", "hierarchy_encoding", {}),
        (b"\xff\xfea", "hierarchy_encoding", {}),
        (b"\xac\xed\x00\x05sr\x00\x01a", "hierarchy_java", {"attribute": "x"}),
        (b"\xac\xed\x00\x05w;*\n", "hierarchy_java", {}),
        (b'a;*\nb;"*\n', "hierarchy_syntax", {"row": 2}),
        (b"a;*\n" + b";" * 50 + b"\n", "hierarchy_too_many_levels", {"row": 2}),
        (b"a;*\n" + b"b" * 20_000 + b";*\n", "hierarchy_cell_too_long", {"row": 2}),
        (b"a;*\n" + b";" * 5_000_000, "hierarchy_syntax", {"row": 2}),
        (b'a;*\n"' + b"b\n" * 100_000 + b'";*', "hierarchy_syntax", {"row": 2}),
        (b"a;g;*\na;h;*\n", "hierarchy_duplicate_leaf", {"row": 2}),
        (b"a;*\na;*\nb;*\nb;+\n", "hierarchy_duplicate_leaf", {"row": 4}),
        (b"a;g;*\nb;g;+\n", "hierarchy_not_nested", {"row": 2, "level": 1}),
    ],
)
def test_hostile_and_broken_files_are_refused_with_the_row(data, code, params):
    with pytest.raises(InputError) as caught:
        read_hierarchy(data, "x")
    assert caught.value.code == code
    assert params.items() <= caught.value.params.items()


def test_what_is_text_is_read_whatever_its_name(tmp_path):
    """Not every text that begins like one of Java's marks is one."""
    path = tmp_path / "towns.ahs"
    path.write_bytes(b"\xac\xed;North;*\nCastell;South;*\n")
    assert read_hierarchy(path, "town").grid()[0] == ("\xac\xed", "North", "*")


def test_equal_rows_are_one_leaf():
    data = b"a;g;*\nb;g;*\na;g;*\nb;g;*\nc;h;*\n"
    assert tuple(read_draft(data, "x").grid) == (
        ("a", "g", "*"),
        ("b", "g", "*"),
        ("c", "h", "*"),
    )
    assert read_draft(data, "x").n_merged == 2
    hierarchy = read_hierarchy(data, "x")
    assert hierarchy.n_leaves == 3
    assert read_draft(hierarchy_csv(hierarchy), "x").n_merged == 0


def _first_row(text, values):
    """First row that is read as a value, and how many rows are."""
    column = Column.from_texts("x", values)
    read = without_headings(read_draft(text.encode(), "x"), column)
    return read.row(0), read.n_rows


HEADINGS = [
    "code,label\nA00,Cholera\nA01,Typhoid fever\nA02,Other salmonella infections\n",
    "Code,Description\n1,Emergency\n2,Urgent\n3,Elective\n",
    "age;band;half;all\n30;30-39;<50;*\n31;30-39;<50;*\n55;50-59;50+;*\n",
    "town\tcounty\nAdelheim\tNorth\nBrunnau\tNorth\nCastell\tSouth\n",
]


@pytest.mark.parametrize("text", HEADINGS)
def test_headings_are_no_value(text):
    head, *rows = text.splitlines()
    values = [row.replace(";", ",").replace("\t", ",").split(",")[0] for row in rows]
    first, n_rows = _first_row(text, values)
    assert (first[0], n_rows) == (values[0], len(rows))
    assert _first_row("\n".join(rows), values)[1] == len(rows)
    # A value of the column is a value, whatever it looks like.
    own = head.replace(";", ",").replace("\t", ",").split(",")[0]
    assert _first_row(text, [*values, own])[1] == len(rows) + 1


@pytest.mark.parametrize(
    "rows",
    [
        "Adelheim;North;*\nBrunnau;North;*\nCastell;South;*",  # its group comes again
        "Adelheim;West;*\nBrunnau;North;*\nCastell;South;*",  # all end in *
        "1;0-4\n2;0-4\n3;0-4",  # a number above numbers
        "unknown",  # nothing else to compare it with
    ],
)
def test_a_first_row_like_the_others_is_a_value(rows):
    """Also where the column does not have the value: a list may know more of them."""
    assert _first_row(rows, ["Castell", "3"])[1] == rows.count("\n") + 1


@pytest.mark.parametrize("attribute", HEIGHTS)
def test_real_hierarchies_have_no_headings(attribute):
    path = shared("data", "adult_hierarchies", f"adult_hierarchy_{attribute}.csv")
    draft = read_draft(path, attribute)
    assert without_headings(draft, Column.from_texts(attribute, ["none"])) is draft


@pytest.mark.parametrize(
    "name",
    ["cms_admit_source", "cms_admit_type", "cms_discharge_disposition", "cms_mdc",
     "cms_place_of_service", "hhp_primary_condition_groups", "hhp_procedure_groups"],
)  # fmt: skip
def test_real_code_lists_have_headings(name):
    draft = read_draft(shared("data", "code_lists", "other", f"{name}.csv"), "x")
    column = Column.from_texts("x", draft.columns[0][1:])
    assert draft.columns[1][0].casefold() == "description"
    assert without_headings(draft, column).grid == draft.grid[1:]


def test_sizes_are_bounded(monkeypatch, tmp_path):
    monkeypatch.setattr(hierarchy_io, "MAX_BYTES", 2 * 2**20)
    (tmp_path / "large.csv").write_bytes(b"a;*\n" * 2**19 + b"b")
    with pytest.raises(InputError) as caught:
        read_hierarchy(tmp_path / "large.csv", "x")
    assert caught.value.code == "hierarchy_too_large"
    assert caught.value.params["limit"] == 2
    monkeypatch.setattr(hierarchy_io, "MAX_ROWS", 10)
    with pytest.raises(InputError) as caught:
        read_hierarchy(b"a;*\n" * 11, "x")
    assert caught.value.code == "hierarchy_too_many_rows"


def test_reading_tells_progress_and_can_be_cancelled():
    class Stop:
        def __init__(self):
            self.fractions = []

        def report(self, fraction, note=""):
            self.fractions.append(fraction)
            if len(self.fractions) > 2:
                raise Cancelled

    stop = Stop()
    data = b"".join(b"%d;*\n" % number for number in range(50_000))
    with pytest.raises(Cancelled):
        read_hierarchy(data, "x", monitor=stop)
    assert stop.fractions == pytest.approx([0.0, 0.2, 0.4], abs=0.001)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError) as caught:
        read_hierarchy(tmp_path / "none.csv", "x")
    assert caught.value.code == "hierarchy_file"
    assert caught.value.params == {"attribute": "x", "file": "none.csv"}


def test_a_folder_that_cannot_be_written_keeps_the_old_file(tmp_path, monkeypatch):
    hierarchy = Hierarchy.from_grid("x", [("a", "*")])
    with pytest.raises(ResourceError) as caught:
        write_hierarchy(hierarchy, tmp_path / "none" / "h.csv")
    assert caught.value.code == "hierarchy_not_written"
    (tmp_path / "h.csv").write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(hierarchy_io.os, "fsync", full)
    with pytest.raises(ResourceError):
        write_hierarchy(hierarchy, tmp_path / "h.csv")
    assert (tmp_path / "h.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["h.csv"]


def test_nothing_of_the_file_is_in_an_error():
    sentinel = "SENTINEL-4711"
    for data in (f"{sentinel};*\n{sentinel};+", f'a;"{sentinel}', f"{sentinel};*\nb"):
        with pytest.raises(InputError) as caught:
            read_hierarchy(data.encode(), "x")
        assert sentinel not in f"{caught.value!r} {caught.value} {caught.value.params}"
        assert sentinel not in repr(read_draft(f"{sentinel};*".encode(), "x"))
