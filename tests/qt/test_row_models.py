"""Item models of rows keep to Qt's rules, and say what their columns declare."""

import numpy as np
import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt

from deidgui.engine.data.table import Column
from deidgui.engine.detect.subsets import subsets_of_columns
from deidgui.qt.models.hierarchy_list import (
    ENTRY_ROLE,
    HierarchyListModel,
    HierarchyRow,
)
from deidgui.qt.models.subsets import SubsetColumn, SubsetModel
from deidgui.qt.pages.data.detail import FailingModel
from deidgui.qt.row_model import NAME_ROLE, SORT_ROLE, RowColumn, RowModel
from deidgui.qt.widgets.check_list import CheckListModel

ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
CHECK = Qt.ItemDataRole.CheckStateRole


class Words(RowModel[str]):
    """Words with their lengths, checked if they are in capitals."""

    def __init__(self):
        self.clicked = []
        super().__init__()

    def _declared(self):
        return (
            RowColumn(
                title="Word",
                meaning="As it is written.",
                text=str.title,
                said=str.upper,
                is_checked=str.isupper,
                sign=lambda word: f"<{word}>",
                others={NAME_ROLE: str},
            ),
            RowColumn(
                title="Length",
                text=lambda word: str(len(word)),
                tooltip=lambda word: f"{len(word)} letters",
                is_number=True,
                sort_key=len,
            ),
        )

    def _key(self, row):
        return row.casefold()

    def _on_checked(self, row, is_on):
        self.clicked.append((row, is_on))


@pytest.fixture
def words():
    model = Words()
    model.set_rows(["one", "THREE", "two"])
    return model


def changes(model):
    """Places whose change was told, and how often the table began anew."""
    seen = []
    model.dataChanged.connect(lambda a, b, _roles: seen.append((a.row(), b.row())))
    model.modelReset.connect(lambda: seen.append("reset"))
    return seen


def test_cells_answer_what_their_column_declares(words):
    role = Qt.ItemDataRole
    word, length = words.index(1, 0), words.index(1, 1)
    assert (word.data(), length.data()) == ("Three", "5")
    assert (word.data(SORT_ROLE), length.data(SORT_ROLE)) == (None, 5)
    assert word.data(NAME_ROLE) == "THREE"
    assert length.data(NAME_ROLE) is None
    assert word.data(role.DecorationRole) == "<THREE>"
    assert word.data(role.AccessibleTextRole) == "THREE"
    assert word.data(role.ToolTipRole) == "THREE"
    assert length.data(role.ToolTipRole) == "5 letters"
    sides = [
        Qt.AlignmentFlag(each.data(role.TextAlignmentRole)) for each in (word, length)
    ]
    assert sides[0] & Qt.AlignmentFlag.AlignLeft
    assert sides[1] & Qt.AlignmentFlag.AlignRight


def test_headings(words):
    role = Qt.ItemDataRole
    assert [words.headerData(n, ACROSS) for n in (0, 1)] == ["Word", "Length"]
    assert words.headerData(0, ACROSS, role.ToolTipRole) == "As it is written."
    assert words.headerData(1, ACROSS, role.ToolTipRole) is None
    right = Qt.AlignmentFlag.AlignRight
    assert Qt.AlignmentFlag(words.headerData(1, ACROSS, role.TextAlignmentRole)) & right
    assert words.headerData(0, DOWN) is None


def test_what_steers_is_shown_as_its_number(words):
    """Names of columns and values of strangers turned the cells beside them."""
    role = Qt.ItemDataRole
    words.begin_with(["l\u202etfel", "a\x1bb"])
    cell = words.index(0, 0)
    assert cell.data() == r"L\u202eTfel"
    assert cell.data(role.AccessibleTextRole) == r"L\u202eTFEL"
    assert words.index(1, 0).data(role.ToolTipRole) == r"A\x1bB"
    assert cell.data(NAME_ROLE) == "l\u202etfel"  # what it is called stays


def test_check_marks_are_asked_for_and_not_set(words):
    assert [words.index(n, 0).data(CHECK) for n in range(3)] == [
        Qt.CheckState.Unchecked,
        Qt.CheckState.Checked,
        Qt.CheckState.Unchecked,
    ]
    checkable = Qt.ItemFlag.ItemIsUserCheckable
    assert words.flags(words.index(0, 0)) & checkable
    assert not words.flags(words.index(0, 1)) & checkable
    assert words.index(0, 1).data(CHECK) is None
    assert words.setData(words.index(2, 0), Qt.CheckState.Checked, CHECK)
    assert words.setData(words.index(1, 0), Qt.CheckState.Unchecked, CHECK)
    assert not words.setData(words.index(1, 0), "x")
    assert words.clicked == [("two", True), ("THREE", False)]


def test_rows_with_the_same_keys_keep_their_places(words):
    seen = changes(words)
    assert not words.set_rows(["one", "three", "TWO"])
    assert not words.set_rows(["one", "three", "TWO"])
    assert seen == [(1, 2)]
    assert words.set_rows(["two", "one"])
    assert seen == [(1, 2), "reset"]
    assert [words.row_of(key) for key in ("two", "one", "three")] == [0, 1, -1]
    assert words.row_at(1) == "one"


def test_what_is_selected_stays_so_in_another_order(words):
    held = QPersistentModelIndex(words.index(1, 1))
    words.rearrange(["two", "one", "THREE"])
    assert (held.row(), held.column(), held.data()) == (2, 1, "5")


def subset_model():
    rng = np.random.default_rng(1)
    columns = [
        Column.from_texts(name, rng.integers(0, n, 40).astype(str).tolist())
        for name, n in (("a", 2), ("b", 5), ("c", 9))
    ]
    model = SubsetModel()
    model.set_subsets(subsets_of_columns(columns))
    return model


def failing():
    model = FailingModel()
    model.set_rows(((2, 0, "x" * 3000), (7, 5, "y")))
    return model


def entries():
    model = HierarchyListModel()
    model.set_rows(
        [
            HierarchyRow("age", "Number bands", "91 → 19 → *"),
            HierarchyRow("sex", "By hand"),
        ]
    )
    return model


def checks():
    model = CheckListModel()
    model.set_texts(["Ann", "Bob", "Cy"], ["Cy"])
    return model


@pytest.mark.parametrize("make", [Words, subset_model, failing, entries, checks])
def test_models_keep_to_the_rules(make, qtmodeltester):
    model = make()
    qtmodeltester.check(model)
    if isinstance(model, SubsetModel):
        for heading in SubsetColumn:
            model.sort(heading, Qt.SortOrder.AscendingOrder)
            model.sort(heading, Qt.SortOrder.DescendingOrder)


def test_sets_keep_the_selection_when_they_are_sorted():
    model = subset_model()
    held = QPersistentModelIndex(model.index(0, SubsetColumn.NAMES))
    names = held.data()
    model.sort(SubsetColumn.SEPARATION, Qt.SortOrder.AscendingOrder)
    assert (held.row(), held.data()) == (model.rowCount() - 1, names)
    model.set_subsets(None)
    assert model.rowCount() == 0


def test_of_nearly_all_columns_those_that_are_left_out_are_named():
    """Their names would all begin alike, and the end is cut."""
    columns = [Column.from_texts(each, list("0123")) for each in "abcdefgh"]
    model = SubsetModel()
    subsets = subsets_of_columns(columns)
    model.set_subsets(subsets)
    for row in range(model.rowCount()):
        index = model.index(row, SubsetColumn.NAMES)
        names = subsets.names(model.row_at(row))
        rest = ", ".join(each for each in "abcdefgh" if each not in names)
        said = {8: "all 8 columns", 7: f"all but {rest}", 6: f"all but {rest}"}
        listed = " + ".join(names)
        assert index.data() == said.get(len(names), listed)
        assert index.data(Qt.ItemDataRole.ToolTipRole) == listed


def test_failing_cells_are_cut_short():
    model = failing()
    cell = model.index(0, 1)
    assert (len(cell.data()), len(cell.data(Qt.ItemDataRole.ToolTipRole))) == (
        200,
        2000,
    )
    assert (model.index(1, 0).data(), model.table_row(1)) == ("7", 5)


def test_entries_are_told_whole():
    model = entries()
    assert model.index(0, 0).data(ENTRY_ROLE) == model.entries[0]
    said = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "age\nNumber bands\n91 → 19 → *"
    assert model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "sex\nBy hand"


def test_checked_texts_come_first_and_are_told_in_their_order():
    model, told = checks(), []
    model.toggled.connect(told.append)
    assert [model.index(n, 0).data() for n in range(3)] == ["Cy", "Ann", "Bob"]
    assert model.index(0, 0).data(CHECK) == Qt.CheckState.Checked
    model.setData(model.index(2, 0), Qt.CheckState.Checked, CHECK)
    model.setData(model.index(0, 0), Qt.CheckState.Unchecked, CHECK)
    assert told == [("Cy", "Bob"), ("Bob",)]
    model.show_only(" B")
    assert [model.index(n, 0).data() for n in range(model.rowCount())] == ["Bob"]
    model.set_checked(["Ann"])
    model.show_only("")
    assert model.checked == ("Ann",)
    assert len(told) == 2
