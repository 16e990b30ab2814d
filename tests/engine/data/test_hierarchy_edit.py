"""Do edits keep leaves, records and nesting, and leave the old draft as it was?"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data import hierarchy_edit as edit
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_build import build_hierarchy, fit_hierarchy
from deidgui.engine.data.hierarchy_draft import Draft, records_by_row
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import Intervals
from deidgui.errors import ConfigError
from tests.engine.data.drafts import finished, groups_of, tree_of

GRID = [
    ("a", "g", "u", "*"),
    ("b", "g", "u", "*"),
    ("c", "h", "u", "*"),
    ("d", "i", "v", "*"),
    ("e", "i", "v", "*"),
]


def draft_of(grid, missing=None):
    columns = tuple(tuple(row[d] for row in grid) for d in range(len(grid[0])))
    return Draft("x", columns, missing=missing)


@pytest.fixture
def draft():
    return draft_of(GRID)


def by_leaf(draft):
    return {row[0]: row[1:] for row in draft.grid}


def test_rename(draft):
    renamed = edit.rename_group(draft, 1, "g", "G")
    assert by_leaf(renamed)["b"] == ("G", "u", "*")
    assert edit.rename_group(draft, 1, "g", "g") == draft


def test_renaming_the_leaf_for_no_value_keeps_its_meaning():
    draft = draft_of([("a", "*"), ("?", "*")], missing="?")
    assert edit.rename_group(draft, 0, "?", "NA").missing == "NA"


def test_merge_goes_where_the_kept_group_is(draft):
    merged = edit.merge_groups(draft, 1, ["g", "i"], "i")
    assert by_leaf(merged)["a"] == ("i", "v", "*")
    assert by_leaf(merged)["e"] == ("i", "v", "*")
    new = edit.merge_groups(draft, 1, ["h", "i"], "hi")
    assert by_leaf(new)["d"] == ("hi", "u", "*")


def test_dragging_a_leaf_to_a_group(draft):
    moved = edit.move_group(draft, 0, "a", 1, "i")
    assert by_leaf(moved)["a"] == ("i", "v", "*")
    assert by_leaf(moved)["b"] == ("g", "u", "*")


def test_dragging_a_leaf_two_levels_up_makes_a_group_of_its_own(draft):
    moved = edit.move_group(draft, 0, "a", 2, "v")
    assert by_leaf(moved)["a"] == ("a", "v", "*")
    taken = edit.rename_group(draft, 1, "h", "a")
    assert by_leaf(edit.move_group(taken, 0, "a", 2, "v"))["a"] == ("a (2)", "v", "*")


def test_dragging_a_group(draft):
    moved = edit.move_group(draft, 1, "g", 2, "v")
    assert by_leaf(moved)["a"] == ("g", "v", "*")
    assert by_leaf(moved)["c"] == ("h", "u", "*")


def test_grouping_by_hand_from_nothing():
    column = Column.from_texts("x", ["apple", "pear", "leek", ""])
    draft = Draft.from_column(column)
    assert draft.grid[-1] == ("", "*")
    draft = edit.add_level(draft, 1)
    draft = edit.new_group(draft, 1, ["apple", "pear"], "fruit")
    hierarchy = finished(draft)
    assert by_leaf(draft)["pear"] == ("fruit", "*")
    assert hierarchy.missing_leaf == hierarchy.index[""]
    assert hierarchy.levels[1].labels == ("fruit", "leek", "")


def test_ungroup(draft):
    loose = edit.ungroup(draft, 2, "u")
    assert by_leaf(loose)["a"] == ("g", "g", "*")
    assert by_leaf(loose)["c"] == ("h", "h", "*")
    named = edit.rename_group(draft, 2, "v", "g")
    assert by_leaf(edit.ungroup(named, 2, "u"))["a"] == ("g", "g (2)", "*")


def test_edited_groups_are_not_described_in_the_words_of_the_rule():
    column = Column.from_texts("x", ["1", "2", "30"])
    draft = Draft.from_hierarchy(build_hierarchy(column, Intervals()))
    assert finished(draft).level_name(1) == "bands of 5"
    edited = finished(edit.rename_group(draft, 1, "0-4", "toddlers"))
    assert edited.level_name(1) is None
    assert edited.rule == Intervals()
    assert finished(Draft.from_hierarchy(edited)).is_edited
    fit = fit_hierarchy(edited, Column.from_texts("x", ["33"]))
    assert fit.is_complete
    assert fit.hierarchy.level_name(1) is None


def test_levels(draft):
    higher = edit.add_level(draft, 2)
    assert by_leaf(higher)["a"] == ("g", "g", "u", "*")
    assert edit.remove_level(higher, 2) == draft
    assert by_leaf(edit.add_level(draft, 4))["a"] == ("g", "u", "*", "*")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda d: edit.rename_group(d, 1, "g", "h"), "group_exists"),
        (lambda d: edit.rename_group(d, 1, "g", ""), "group_name_empty"),
        (lambda d: edit.rename_group(d, 1, "zz", "y"), "group_unknown"),
        (lambda d: edit.rename_group(d, 4, "g", "y"), "level_range"),
        (lambda d: edit.merge_groups(d, 0, ["a", "b"], "a"), "level_range"),
        (lambda d: edit.merge_groups(d, 1, [], "a"), "group_unknown"),
        (lambda d: edit.merge_groups(d, 1, ["g"], ""), "group_name_empty"),
        (lambda d: edit.move_group(d, 2, "u", 2, "v"), "level_range"),
        (lambda d: edit.move_group(d, 0, "a", 1, "zz"), "group_unknown"),
        (lambda d: edit.new_group(d, 3, ["u"], "t"), "level_range"),
        (lambda d: edit.new_group(d, 1, ["a"], "g"), "group_exists"),
        (lambda d: edit.ungroup(d, 3, "*"), "level_range"),
        (lambda d: edit.add_level(d, 0), "level_range"),
        (lambda d: edit.remove_level(d, 3), "level_range"),
    ],
)
def test_what_cannot_be_done_is_said(draft, call, code):
    with pytest.raises(ConfigError) as caught:
        call(draft)
    assert caught.value.code == code


@st.composite
def nested_drafts(draw):
    """Leaves with random paths; group names tell their path, so that they nest."""
    paths = draw(
        st.lists(
            st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=12, unique=False
        )
    )
    grid = [
        (f"leaf{n}", f"a{a}{b}{c}", f"b{a}{b}", f"c{a}", "*")
        for n, (a, b, c) in enumerate(paths)
    ]
    return draft_of(draw(st.permutations(grid)))


def random_edit(data, draft):
    """One edit that the editor offers, on groups that exist."""
    level = data.draw(st.integers(0, draft.height - 1))
    label = data.draw(st.sampled_from(groups_of(draft, level)))
    target_level = data.draw(st.integers(level + 1, draft.height))
    target = data.draw(st.sampled_from(groups_of(draft, target_level)))
    inner = data.draw(st.integers(1, draft.height - 1))
    members = data.draw(
        st.lists(st.sampled_from(groups_of(draft, inner)), min_size=1, unique=True)
    )
    below = data.draw(
        st.lists(st.sampled_from(groups_of(draft, inner - 1)), min_size=1, unique=True)
    )
    choices = [
        lambda: edit.rename_group(draft, inner, members[0], "fresh name"),
        lambda: edit.merge_groups(draft, inner, members, members[0]),
        lambda: edit.merge_groups(draft, inner, members, "merged"),
        lambda: edit.move_group(draft, level, label, target_level, target),
        lambda: edit.new_group(draft, inner, below, "made by hand"),
        lambda: edit.ungroup(draft, inner, members[0]),
        lambda: edit.add_level(draft, inner),
    ]
    return data.draw(st.sampled_from(choices))


@given(nested_drafts(), st.data())
def test_every_edit_keeps_leaves_records_and_nesting(draft, data):
    column = Column.from_texts("x", list(draft.columns[0]) * 2)
    refused = set()
    for _ in range(4):
        before = draft.columns
        try:
            draft = random_edit(data, draft)()
        except ConfigError as error:
            refused.add(error.code)
        assert Counter(draft.columns[0]) == Counter(before[0])
        hierarchy = finished(draft)  # refuses what does not nest
        assert set(hierarchy.grid()) == set(draft.grid)
        assert records_by_row(draft, column).sum() == column.n_rows
    assert refused <= {"group_exists"}  # a fresh name was used already


@given(nested_drafts())
def test_tree_and_grid_are_the_same_object(draft):
    def flatten(node, above=()):
        if node.level == 0:
            yield (node.label, *above), node.rows.tolist()
        for child in node.children:
            assert set(child.rows.tolist()) <= set(node.rows.tolist())
            yield from flatten(child, (node.label, *above))

    found = [item for root in tree_of(draft) for item in flatten(root)]
    assert sorted(row for row, _ in found) == sorted(draft.grid)
    assert all(draft.row(rows[0]) == row for row, rows in found)
    assert sum(len(root.rows) for root in tree_of(draft)) == draft.n_rows


def test_the_tree_shows_a_group_in_two_places():
    draft = draft_of([("a", "g", "u", "*"), ("b", "g", "v", "*"), ("a", "g", "u", "*")])
    (root,) = tree_of(draft)
    assert [(c.label, [g.label for g in c.children]) for c in root.children] == [
        ("u", ["g"]),
        ("v", ["g"]),
    ]
    (group,) = root.children[0].children
    assert [leaf.label for leaf in group.children] == ["a", "a"]


def test_records_of_leaves_and_groups():
    column = Column.from_texts("x", ["a", "a", "c", "?", "", ""], missing=("", "?"))
    draft = draft_of([("a", "g", "*"), ("?", "?", "*"), ("a", "g", "*")], missing="?")
    records = records_by_row(draft, column)
    assert records.tolist() == [2, 3, 0]
    (root,) = tree_of(draft)
    assert [int(records[node.rows].sum()) for node in root.children] == [2, 3]


def test_a_draft_keeps_rule_and_leaf_for_no_value():
    column = Column.from_texts("x", ["1", "2", "30", ""])
    hierarchy = build_hierarchy(column, Intervals())
    draft = Draft.from_hierarchy(hierarchy)
    again = finished(draft)
    assert (again.grid(), again.rule) == (hierarchy.grid(), hierarchy.rule)
    assert again.missing_leaf == hierarchy.missing_leaf
    assert "30" not in repr(draft)
    assert again.level_name(1) == "bands of 5"
    assert isinstance(again, Hierarchy)
