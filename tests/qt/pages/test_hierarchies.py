"""The page Hierarchies: what it shows of a session and what it decides."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from deidgui.app import ops
from deidgui.app.classes import hierarchy_of
from deidgui.app.hierarchies.editing import (
    Outline,
    Summary,
    open_hierarchy,
    sizes_of,
    smallest_class,
)
from deidgui.app.jobs import JobRunner
from deidgui.app.loaded import Loaded
from deidgui.app.project import Attribute, HierarchyChoice, InputFile, Project
from deidgui.app.reading.columns import summarise
from deidgui.engine.data.hierarchy_draft import Draft, records_by_row
from deidgui.engine.data.hierarchy_io import read_draft
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.templates import Flat, Intervals, Masking, Postcodes
from deidgui.engine.detect.roles import Reason
from deidgui.errors import InputError
from deidgui.qt.models.hierarchy_tree import (
    PORTION,
    HierarchyTreeModel,
    TreeColumn,
)
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.hierarchies.editor import GroupSheet, NameSheet
from deidgui.qt.pages.hierarchies.levels import LevelTile
from deidgui.qt.pages.hierarchies.page import HierarchiesPage, HierarchyKey
from deidgui.qt.pages.hierarchies.views import BAR_WIDTH
from deidgui.qt.pages.hierarchies.words import (
    level_facts,
    level_title,
    shortest_titles,
    sizes_words,
)
from deidgui.qt.settings import Settings
from deidgui.qt.theme import theme
from tests.engine.data.drafts import tree_of
from tests.qt.fakes import Later
from tests.qt.geometry import settle

AGES = ["17", "23", "23", "31", "38", "44", "44", "44", "59", "90", ""]
TOWNS = ["Brunnau", "Adelheim", "Brunnau", "Castell", "Castell", "Dornfeld"] + [
    "Eschental"
] * 5


def start(session, files=None, **hierarchies):
    """Let a session hold the ages and towns with the given choices."""
    columns = (Column.from_texts("age", AGES), Column.from_texts("town", TOWNS))
    table = Table("people.csv", columns)
    attributes = tuple(
        Attribute(name=name, role="quasi_identifier", hierarchy=choice, kind=kind)
        for name, kind, choice in (
            ("age", "integer", hierarchies.get("age", rule(Intervals(width=10)))),
            ("town", "text", hierarchies.get("town", rule(Flat()))),
        )
    )
    file = InputFile(file="people.csv", n_rows=table.n_rows)
    # Their roles are decided: before, no hierarchy is done.
    attributes = tuple(each.but(confirmed=True) for each in attributes)
    session.start(Project(inputs=(file,), attributes=attributes), hierarchy_files=files)
    session.set_loaded(Loaded(Path("people.csv"), table, "0" * 64, None))


def rule(template):
    return HierarchyChoice(rule=template.to_json())


@pytest.fixture
def page(qtbot, workspace, settings):
    made = HierarchiesPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1200, 640)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def filled(page, workspace):
    start(workspace.session)
    return page


def labels(page, level):
    """Labels of a level in the tree with their records."""
    outline = page.editor.opened.outline
    return {
        outline.label(level, node): int(outline.n_records[level][node])
        for node in range(outline.n_nodes(level))
    }


def stored(page, name):
    project = page.session.project
    return next(a for a in project.attributes if a.name == name)


def select(page, level, *wanted):
    tree = page.editor.tree
    tree.clearSelection()
    flags = tree.selectionModel().SelectionFlag
    for label in wanted:
        node = page.editor.opened.outline.node_of(level, label)
        index = tree.tree.index_of(level, node)
        tree.scrollTo(index)
        tree.selectionModel().select(index, flags.Select | flags.Rows)


def sheet(page, kind):
    """The sheet that is open."""
    return next(s for s in page.editor.findChildren(kind) if s.isVisible())


# -- showing -------------------------------------------------------------------


def test_without_data_it_says_what_to_do_first(page, qtbot):
    assert page._empty.isVisible()
    assert page.status().state is StepState.NOT_YET
    assert not page.import_button.isEnabled()
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._empty.acted.emit()
    assert wanted.args == ["start"]


def test_without_quasi_identifiers_it_leads_to_the_attributes(page, workspace, qtbot):
    start(workspace.session)
    for name in ("age", "town"):
        workspace.session.apply(ops.set_role(name, "insensitive"), "role")
    assert page._empty.isVisible()
    assert page.status().state is StepState.ATTENTION
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._empty.acted.emit()
    assert wanted.args == ["attributes"]


def test_it_lists_every_quasi_identifier_with_its_sizes(filled):
    age, town = filled.entries.entries
    # 17 23 31 38 44 59 90; bands 10s 20s 30s 40s 50s 90s. No value is none of them.
    assert age.sizes.startswith("7 → 6 → ")
    assert age.sizes.endswith("*")
    assert (town.source, town.sizes) == ("Keep or leave out", "5 → *")
    assert filled.status().state is StepState.SEEN


def test_values_are_counted_as_on_the_other_pages(filled):
    """Without missing ones, of which it is said that they are one group more."""
    column = filled.session.loaded.table.column("age")
    n = summarise(column, stored(filled, "age")).n_values
    assert (n, "" in column.texts()) == (7, True)
    filled.choose("age")
    tiles = [each.accessibleName() for each in filled.editor.levels.tiles]
    assert tiles[0].endswith("7 values")
    assert tiles[1].endswith("6 groups")
    filled.editor.levels.choose(1)
    words = filled.editor.levels.words
    assert "6 groups. Missing values are one more, of 1 row." in words
    outline = filled.editor.opened.outline
    assert outline.n_values[outline.height].tolist() == [7]
    # A group above a row without a value has not "0 values".
    tree = filled.editor.tree.tree
    group = tree.index_of(1, outline.node_of(1, ""))
    values = group.siblingAtColumn(1)
    assert values.data() == "–"
    assert "0" not in values.data(Qt.ItemDataRole.ToolTipRole).split("\n")[-1]
    known = sizes_of(hierarchy_of(stored(filled, "age"), column, {}))
    assert sizes_words(known.sizes) == filled.entries.entries[0].sizes
    # All of them are at the top, where nothing stands apart.
    assert known.sizes[-1] == 1


def test_counts_are_those_of_the_file(filled):
    assert labels(filled, 1) == {
        "10-19": 1,
        "20-29": 2,
        "30-39": 2,
        "40-49": 3,
        "50-59": 1,
        "90-99": 1,
        "": 1,
    }


def test_the_smallest_group_is_not_that_of_missing_values(page, workspace, monkeypatch):
    ages = ["11", "12", "13", "", "21", "22", "23", "24"]
    monkeypatch.setattr("tests.qt.pages.test_hierarchies.AGES", ages)
    towns = ["X"] * len(ages)
    monkeypatch.setattr("tests.qt.pages.test_hierarchies.TOWNS", towns)
    start(workspace.session)
    page.editor.levels.choose(1)
    words = page.editor.levels.words
    assert "2 groups. Missing values are one more, of 1 row." in words
    assert "The smallest has 3 rows, the largest 4." in words


def test_groups_that_are_too_small_are_said(filled):
    model = {"kind": "k_anonymity", "k": 2}
    filled.session.apply(ops.change_privacy(models=(model,)), "k")
    assert smallest_class(filled.session.project) == 2
    filled.editor.levels.choose(1)
    assert "3 groups have fewer than 2 rows" in filled.editor.levels.words


def test_a_proposal_appears_without_a_click(page, workspace):
    start(workspace.session, age=None)
    assert stored(page, "age").hierarchy.rule["kind"] in ("intervals", "flat")
    assert workspace.session.undo_label is None


def test_the_page_says_why_a_hierarchy_cannot_be_opened(page, workspace):
    gone = HierarchyChoice(csv="hierarchies/gone.csv")
    start(workspace.session, age=gone)
    assert page.editor.problems.isVisible()
    assert page.entries.entries[0].problem == "file is missing"
    assert page.status().state is StepState.ATTENTION
    page.use_proposal()
    assert not page.editor.problems.isVisible()
    assert page.status().state is StepState.SEEN


def test_narrow_windows_show_the_rule_as_a_view(filled, qtbot):
    filled.resize(760, 600)
    assert filled.rule.parent() is not filled._content
    filled.editor.show_view("rule")
    assert filled.rule.isVisible()
    assert not filled.editor.tree.isVisible()
    filled.resize(1200, 640)
    assert filled.rule.isVisible()
    assert filled.editor.tree.isVisible()


# -- editing -------------------------------------------------------------------


def test_values_are_grouped_by_hand_and_undone(filled, qtbot):
    filled.choose("town")
    select(filled, 0, "Adelheim", "Brunnau")
    filled.editor.tools["group"].click()
    asked = sheet(filled, NameSheet)
    asked.field.setText("North")
    qtbot.keyClick(asked.field, Qt.Key.Key_Return)
    assert labels(filled, 1) == {
        "North": 3,
        "Castell": 2,
        "Dornfeld": 1,
        "Eschental": 5,
    }
    choice = stored(filled, "town").hierarchy
    assert choice.csv in filled.session.hierarchy_files
    assert choice.rule == Flat().to_json()
    assert filled.session.undo_label == "make a group of town"
    filled.session.undo()
    assert filled.editor.opened.outline.height == 1
    filled.session.redo()
    assert labels(filled, 1)["North"] == 3


def test_groups_are_merged(filled):
    select(filled, 1, "10-19", "20-29")
    filled.editor.tools["merge"].click()
    asked = sheet(filled, NameSheet)
    asked.field.setText("under 30")
    asked.button.click()
    assert labels(filled, 1)["under 30"] == 3
    assert "10-19" not in labels(filled, 1)


def test_dragging_moves_a_value(filled):
    tree = filled.editor.tree.tree
    outline = filled.editor.opened.outline
    value = tree.index_of(0, outline.node_of(0, "59"))
    target = tree.index_of(1, outline.node_of(1, "40-49"))
    data = tree.mimeData([value])
    move = Qt.DropAction.MoveAction
    assert tree.canDropMimeData(data, move, -1, -1, target)
    assert not tree.canDropMimeData(data, move, -1, -1, value)
    tree.dropMimeData(data, move, -1, -1, target)
    assert labels(filled, 1)["40-49"] == 4


def test_dragging_a_group_onto_a_group_merges_it(filled):
    tree = filled.editor.tree.tree
    outline = filled.editor.opened.outline
    group = tree.index_of(1, outline.node_of(1, "10-19"))
    target = tree.index_of(1, outline.node_of(1, "20-29"))
    data = tree.mimeData([group])
    move = Qt.DropAction.MoveAction
    before = labels(filled, 1)
    # A group cannot be dragged onto itself, nor onto a value.
    value = tree.index_of(0, outline.node_of(0, "59"))
    for other in (group, value):
        assert not tree.canDropMimeData(data, move, -1, -1, other)
    assert tree.canDropMimeData(data, move, -1, -1, target)
    tree.dropMimeData(data, move, -1, -1, target)
    assert labels(filled, 1)["20-29"] == before["10-19"] + before["20-29"]
    assert "10-19" not in labels(filled, 1)


def test_the_target_is_seen_beside_what_is_dragged(filled, monkeypatch):
    drags = []

    class Drag:
        def __init__(self, _source):
            drags.append(self)

        def setMimeData(self, data):
            self.data = data

        def setPixmap(self, pixmap):
            self.pixmap = pixmap

        def setHotSpot(self, at):
            self.at = at

        def exec(self, *_actions):
            pass

    monkeypatch.setattr("deidgui.qt.pages.hierarchies.views.QDrag", Drag)
    select(filled, 1, "10-19", "20-29")
    filled.editor.tree.startDrag(Qt.DropAction.MoveAction)
    (drag,) = drags
    # The pointer is outside of the ghost, which is a chip and no copy of the rows.
    assert not QRect(QPoint(0, 0), drag.pixmap.size()).contains(drag.at)
    assert drag.at.y() < 0
    assert drag.pixmap.height() < 60


def test_a_level_without_effect_is_a_caption_of_the_rail(qtbot, filled):
    assert filled.status().caption == "2 hierarchies"
    # Groups of few records are normal on the finest level.
    assert filled.editor.opened.outline.n_small(0, 3)
    filled.editor._on_level_added(2)
    qtbot.waitUntil(lambda: filled.status().caption == "1 level without effect")
    assert filled.status().state is StepState.SEEN


def test_a_level_without_effect_is_led_to_by_name(qtbot, filled):
    link, first = filled.without_effect, filled._current
    assert not link.isVisible()
    filled.editor._on_level_added(2)
    qtbot.waitUntil(lambda: filled.status().caption == "1 level without effect")
    assert not link.isVisible()  # it is the one that is shown, and its level says so
    other = next(e.name for e in filled.entries.entries if e.name != first)
    filled.choose(other)
    assert link.isVisible()
    assert link.text() == f"{first}: 1 level without effect"
    link.setFocus()
    link.click()
    assert filled._current == first
    assert not link.isVisible()
    assert filled.list.hasFocus()


def test_a_level_without_effect_is_marked(filled):
    outline = filled.editor.opened.outline
    same = [e for e in range(1, outline.height + 1) if not outline.makes_difference(e)]
    assert not same
    filled.editor._on_level_added(2)
    outline = filled.editor.opened.outline
    same = [e for e in range(1, outline.height + 1) if not outline.makes_difference(e)]
    assert len(same) == 1
    tile = filled.editor.levels.tiles[same[0]]
    assert tile._remark == "no effect"
    assert f"those of level {same[0] - 1}" in tile.toolTip()


def test_a_level_without_effect_is_no_choice(filled):
    """Neither as a limit nor in the chain of sizes; what was chosen stays."""
    limits, listed = filled.rule.limits, filled.entries
    before = [limits.finest.itemData(n) for n in range(limits.finest.count())]
    sizes = [each.sizes for each in listed.entries]
    filled.editor._on_level_added(2)
    outline = filled.editor.opened.outline
    (same,) = (e for e in range(1, outline.height) if not outline.makes_difference(e))
    for combo in (limits.finest, limits.coarsest):
        assert combo.findData(str(same)) < 0
        assert combo.count() == len(before)
    assert [each.sizes for each in listed.entries] == sizes
    limits.set_finest(same)
    assert limits.finest.current == str(same)


def test_move_to_offers_the_groups_above(filled):
    select(filled, 0, "17")
    filled.editor.tools["move"].click()
    asked = sheet(filled, GroupSheet)
    asked.field.setText("20-2")
    asked._on_entered()
    assert labels(filled, 1)["20-29"] == 3


def test_renaming_in_place_is_one_decision(filled):
    tree = filled.editor.tree.tree
    node = filled.editor.opened.outline.node_of(1, "10-19")
    tree.setData(tree.index_of(1, node), "young")
    assert labels(filled, 1)["young"] == 1
    assert filled.session.undo_label == "rename a group of age"


def test_a_refused_edit_is_told_and_changes_nothing(filled, qtbot):
    before = filled.session.project
    with qtbot.waitSignal(filled.reported) as told:
        filled.editor._on_renamed(1, "10-19", "20-29")
    assert "already has a group" in told.args[0].text
    assert filled.session.project == before


def test_ungroup_lets_members_stand_alone(filled):
    select(filled, 1, "30-39")
    filled.editor.dissolve()
    found = labels(filled, 1)
    assert (found["31"], found["38"]) == (1, 1)


def test_levels_are_added_and_removed_and_limits_kept_while_they_mean_the_same(filled):
    filled.rule.limits.set_coarsest(2)
    assert stored(filled, "age").maximum_level == 2
    filled.editor._on_renamed(1, "10-19", "young")
    assert stored(filled, "age").maximum_level == 2
    height = filled.editor.opened.outline.height
    filled.editor._on_level_added(2)
    assert filled.editor.opened.outline.height == height + 1
    assert stored(filled, "age").maximum_level is None
    filled.editor._on_level_removed(2)
    assert filled.editor.opened.outline.height == height


def test_typing_in_the_grid_moves_or_makes_a_group(filled):
    filled.editor.show_view("grid")
    grid = filled.editor.grid.grid
    row = next(r for r in range(grid.rowCount()) if grid.index(r, 0).data() == "17")
    assert not grid.flags(grid.index(row, 0)) & Qt.ItemFlag.ItemIsEditable
    grid.setData(grid.index(row, 1), "20-29")
    assert labels(filled, 1)["20-29"] == 3
    row = next(r for r in range(grid.rowCount()) if grid.index(r, 0).data() == "17")
    grid.setData(grid.index(row, 1), "minors")
    assert labels(filled, 1)["minors"] == 1
    assert not filled.editor.opened.problems


def test_the_grid_calls_the_level_of_stars_as_the_levels_do(filled):
    filled.editor.show_view("grid")
    opened, grid = filled.editor.opened, filled.editor.grid.grid
    height = opened.outline.height
    assert grid.index(0, height).data() == "*"
    for level in range(1, height + 1):
        head = grid.headerData(level, Qt.Orientation.Horizontal)
        assert head == f"{level} · {level_title(opened, level)}"
    words = level_facts(opened, opened.outline.height, 5)
    assert level_title(opened, opened.outline.height).lower() in words


def test_long_titles_of_the_grid_give_way_before_it_scrolls(filled, qtbot):
    filled.editor.show_view("grid")
    grid = filled.editor.grid
    head, bar = grid.horizontalHeader(), grid.horizontalScrollBar()
    grid.resize(grid.width() + 600, grid.height())
    assert bar.maximum() == 0
    spare = grid.viewport().width() - head.length()
    grid.resize(grid.width() - spare - 40, grid.height())
    assert head.length() == grid.viewport().width()
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    model = grid.model()
    for place in range(model.columnCount()):
        title = model.headerData(place, Qt.Orientation.Horizontal)
        tip = Qt.ItemDataRole.ToolTipRole
        if title != "Rows":
            assert model.headerData(place, Qt.Orientation.Horizontal, tip) == title
    # A width that somebody has chosen stays.
    grid.setColumnWidth(0, 150)
    grid.resize(grid.width() + 200, grid.height())
    assert grid.columnWidth(0) == 150


def test_several_edits_at_once_are_all_done(filled, workspace, qtbot):
    """Jobs of the lane would cancel one another: edits wait for their turn."""
    posted = []
    lock = threading.Lock()

    def post(closure):
        with lock:
            posted.append(closure)

    runner = workspace.runner
    workspace.runner = JobRunner(post)
    try:
        filled.editor._on_renamed(1, "10-19", "a")
        filled.editor._on_renamed(1, "20-29", "b")

        def settled():
            with lock:
                waiting, posted[:] = list(posted), []
            for closure in waiting:
                closure()
            return not workspace.runner.is_busy

        qtbot.waitUntil(settled)
    finally:
        workspace.runner.close()
        workspace.runner = runner
    assert {"a", "b"} <= labels(filled, 1).keys()


def test_nothing_of_the_column_before_is_seen_or_decided_for_the_next(
    filled, workspace, tmp_path
):
    before, runner = workspace.session.project, Later()
    workspace.runner = JobRunner(lambda closure: closure(), runner)
    filled.choose("town")
    assert not filled.editor.isVisible()
    assert not filled.rule.isVisible()
    assert not filled.export_button.isEnabled()
    # None of these is about the ages that were shown before.
    filled.use_proposal()
    filled._on_rule_set(Masking())
    filled.export_file(tmp_path / "town.csv")
    filled.import_file(tmp_path / "none.csv")
    filled._on_failed(InputError("file_missing", file="none.csv"))
    assert not filled.editor.isVisible()
    runner.run()
    assert workspace.session.project == before
    assert not (tmp_path / "town.csv").exists()
    assert filled.editor.isVisible()
    assert filled.rule.isVisible()
    assert filled.export_button.isEnabled()
    assert filled.editor.opened.attribute == "town"


def test_a_hierarchy_that_is_opened_anew_stays_in_sight(filled, workspace):
    runner = Later()
    workspace.runner = JobRunner(lambda closure: closure(), runner)
    op = ops.set_hierarchy("age", Intervals(width=20).to_json(), None)
    workspace.session.apply(op, "rule")
    assert filled.editor.isVisible()
    assert not filled.editor.isEnabled()
    runner.run()
    assert filled.editor.isEnabled()
    assert labels(filled, 1)["0-19"] == 1


# -- rules ---------------------------------------------------------------------


def test_the_tree_follows_the_form(filled):
    form = filled.rule.form
    form.field("width").control.setValue(20)
    filled.rule.take_over()
    assert stored(filled, "age").hierarchy.rule["width"] == 20
    assert labels(filled, 1)["0-19"] == 1


def test_a_rule_that_reads_nothing_is_refused_beside_the_chooser(filled):
    filled.choose("town")
    before = filled.session.project
    filled._on_rule_set(Intervals())
    assert "cannot read" in filled.rule.problem
    assert filled.session.project == before


def test_choosing_a_template_replaces_the_groups(filled, qtbot):
    filled.choose("town")
    kind = filled.rule.kind
    kind.setCurrentIndex(kind.findData("masking"))
    kind.activated.emit(kind.currentIndex())
    assert stored(filled, "town").hierarchy.rule == Masking().to_json()


def test_limits_are_decisions(filled):
    filled.rule.limits.finest.set_current("1")
    filled.rule.limits.finest.activated.emit(1)
    assert stored(filled, "age").minimum_level == 1
    tile = filled.editor.levels.tiles[0]
    assert "may not use" in tile.toolTip()
    filled.session.undo()
    assert stored(filled, "age").minimum_level is None


def test_what_is_typed_is_not_lost_by_going_to_another_column(filled):
    filled.rule.form.field("width").control.setValue(20)
    filled.choose("town")
    assert stored(filled, "age").hierarchy.rule["width"] == 20
    assert filled.editor.opened.attribute == "town"


def test_units_of_ages_in_another_column_are_noted_beside_the_rule(filled):
    """Until each unit is released as it is."""
    loaded = filled.session.loaded
    noted = SimpleNamespace(reasons=(Reason("evidence_units", {"other": "town"}),))
    known = SimpleNamespace(findings={"age": noted}, types={})
    filled.session.set_loaded(replace(loaded, inspection=known))
    filled.choose("town")
    assert filled.rule._noted.isHidden()
    filled.choose("age")
    assert "“town” says in which unit" in filled.rule._noted.text
    assert not filled.rule._noted.isHidden()
    limit = ops.change_attribute("town", maximum_level=0)
    filled.session.apply(limit, "keep the units")
    filled.refresh(filled.parts)
    assert filled.rule._noted.isHidden()


# -- files ---------------------------------------------------------------------


def test_import_of_a_flawed_file_and_repair(filled, tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text(
        "Adelheim;North;*\nBrunnau;North;*\nCastell;South;*\nCastell;North;*\n",
        "utf-8",
    )
    filled.choose("town")
    filled.import_file(path)
    codes = [problem.code for problem in filled.editor.problems.problems]
    assert codes == ["draft_duplicate_leaf", "draft_gap"]
    filled.editor.problems.repair_wanted.emit(filled.editor.problems.problems[0])
    assert [p.code for p in filled.editor.problems.problems] == ["draft_gap"]
    filled.editor.repair_all_wanted.emit()
    assert filled.editor.problems.problems == ()
    assert labels(filled, 1) == {"North": 3, "South": 2, "other": 6}
    assert filled.status().state is StepState.SEEN
    filled.session.undo()
    assert len(filled.editor.problems.problems) == 1
    filled.session.undo()
    filled.session.undo()
    assert stored(filled, "town").hierarchy == rule(Flat())


def test_equal_rows_of_a_file_count_once_and_that_is_said(filled, tmp_path, qtbot):
    path = tmp_path / "towns.csv"
    path.write_text("Adelheim;North;*\n" * 3 + "Castell;South;*\n", "utf-8")
    filled.choose("town")
    with qtbot.waitSignal(filled.reported) as told:
        filled.import_file(path)
    assert "2 rows" in told.args[0].text
    codes = [problem.code for problem in filled.editor.problems.problems]
    assert codes == ["draft_gap"]


def test_headings_of_a_file_are_left_out_until_somebody_says_they_are_a_value(
    filled, tmp_path, qtbot
):
    path = tmp_path / "towns.csv"
    path.write_text("town,label\nAdelheim,North\nBrunnau,North\nCastell,South\n")
    filled.choose("town")
    with qtbot.waitSignal(filled.reported) as told:
        filled.import_file(path)
    (notice,) = told.args
    assert "first row of the file was left out" in notice.text
    assert "town" not in filled.editor.opened.draft.columns[0]
    # It is the decision of this column that is changed, whatever is shown now.
    filled.choose("age")
    notice.act()
    filled.choose("town")
    draft = filled.editor.opened.draft
    assert draft.row(0) == ("town", "label")
    assert draft.n_rows == 4
    filled.session.undo()
    filled.refresh(filled.parts)
    assert "town" not in filled.editor.opened.draft.columns[0]


def test_a_torn_group_is_named_and_fixed(page, workspace):
    content = "\n".join(
        f"{town};{group};{top};*"
        for town, group, top in (
            ("Adelheim", "N", "Land"),
            ("Brunnau", "N", "Land"),
            ("Castell", "N", "Coast"),
            ("Dornfeld", "S", "Coast"),
            ("Eschental", "S", "Coast"),
        )
    ).encode()
    torn = HierarchyChoice(csv="hierarchies/town.csv")
    start(workspace.session, {"hierarchies/town.csv": content}, town=torn)
    page.choose("town")
    (problem,) = page.editor.problems.problems
    assert problem.code == "draft_not_nested"
    assert page.entries.entries[1].problem == "group not nested"
    page.editor.problems.repair_wanted.emit(problem)
    assert labels(page, 2) == {"Land": 5, "Coast": 6}


def test_export_and_import_give_the_same_hierarchy(filled, tmp_path, qtbot):
    path = tmp_path / "age.csv"
    with qtbot.waitSignal(filled.reported):
        filled.export_file(path)
    written = read_draft(path, "age")
    assert set(written.grid) == set(filled.editor.opened.draft.grid)
    filled.import_file(path)
    assert not filled.editor.opened.problems
    assert filled.editor.opened.is_by_hand


def test_a_file_that_cannot_be_read_is_told(filled, tmp_path, qtbot):
    with qtbot.waitSignal(filled.reported) as told:
        filled.import_file(tmp_path / "nowhere.csv")
    assert told.args[0].status == "danger"
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\0\0\0")
    with qtbot.waitSignal(filled.reported):
        filled.import_file(path)
    path = tmp_path / "age.ahs"
    path.write_bytes(b"\xac\xed\x00\x05sr\x00\x01a")
    with qtbot.waitSignal(filled.reported) as told:
        filled.import_file(path)
    assert "export it as a CSV file" in told.args[0].fix
    assert stored(filled, "age").hierarchy.csv is None


# -- models --------------------------------------------------------------------


def random_draft(rng, n_rows, height):
    columns = [tuple(f"v{i}" for i in rng.permutation(n_rows))]
    for level in range(1, height):
        codes = rng.integers(0, max(2, n_rows // 3**level), n_rows)
        columns.append(tuple(f"g{level}-{code}" for code in codes))
    return Draft("x", (*columns, ("*",) * n_rows))


def walk(outline, level, node):
    """The subtree of an outline as nested lists."""
    if level == 0:
        return outline.label(0, node)
    first, last = outline.first_child[level][node : node + 2]
    below = [walk(outline, level - 1, child) for child in range(first, last)]
    return (outline.label(level, node), int(outline.n_records[level][node]), below)


def oracle(node, records):
    """The same from the engine's tree, which need not be nested either."""
    if node.level == 0:
        return node.label
    below = [oracle(child, records) for child in node.children]
    return (node.label, int(records[node.rows].sum()), below)


@pytest.mark.parametrize("seed", range(8))
def test_the_outline_is_the_tree_of_groups(seed):
    rng = np.random.default_rng(seed)
    draft = random_draft(rng, int(rng.integers(1, 40)), int(rng.integers(1, 5)))
    column = Column.from_texts("x", [f"v{i}" for i in rng.integers(0, 40, 300)])
    records = records_by_row(draft, column)
    outline = Outline.of(draft, records)

    def unordered(tree):
        if isinstance(tree, str):
            return tree
        return (*tree[:2], frozenset(unordered(each) for each in tree[2]))

    tops = range(outline.n_nodes(outline.height))
    found = {unordered(walk(outline, outline.height, top)) for top in tops}
    assert found == {unordered(oracle(node, records)) for node in tree_of(draft)}


def test_the_tree_model_keeps_the_contract_of_qt(qtbot):
    draft = random_draft(np.random.default_rng(1), PORTION * 2 + 150, 2)
    column = Column.from_texts("x", list(draft.columns[0]))
    model = HierarchyTreeModel()
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    flat = Draft("x", (draft.columns[0], draft.columns[-1]))
    for each in (draft, flat):
        model.set_outline(Outline.of(each, records_by_row(each, column)))
    root = model.index(0, 0)
    assert model.rowCount(root) == PORTION + 1
    more = model.index(PORTION, 0, root)
    assert model.is_more(more)
    assert "550" in more.data()
    model.show_more(more)
    assert model.rowCount(root) == 2 * PORTION + 1
    model.show_more(model.index(2 * PORTION, 0, root))
    assert model.rowCount(root) == flat.n_rows
    assert not model.is_more(model.index(flat.n_rows - 1, 0, root))
    assert model.parent(model.index(0, 0, root)) == root
    assert model.parent(root) == QModelIndex()
    model.set_outline(Outline.of(flat, records_by_row(flat, column)))
    root = model.index(0, 0)
    far = model.index_of(0, flat.n_rows - 10)
    assert far.data() == model.outline.label(0, flat.n_rows - 10)
    assert model.index(far.row(), 0, root) == far
    assert model.rowCount(root) == PORTION + 1
    first = model.index(0, 0, root)
    assert first.data().startswith("550 before")
    model.show_more(first)
    model.show_more(model.index(0, 0, root))
    assert model.rowCount(root) == flat.n_rows
    assert model.index(flat.n_rows - 10, 0, root).data() == far.data()
    middle = model.index_of(0, 5)
    assert middle.row() == 5
    model.set_outline(None)
    assert tester.model() is model


def test_a_hundred_thousand_values_are_found_and_shown(filled):
    texts = pl.Series([f"{i:06d}" for i in range(100_000)])
    codes = np.arange(100_000, dtype=np.int32)
    table = Table("big.csv", (Column("code", codes, texts),))
    choice = rule(Masking(step=2, levels=2))
    attribute = Attribute(name="code", role="quasi_identifier", hierarchy=choice)
    filled.session.start(Project(inputs=(InputFile(file="big.csv"),)))
    filled.session.apply(ops.set_attributes([attribute]), "attributes")
    filled.session.set_loaded(Loaded(Path("big.csv"), table, "", None))
    tree = filled.editor.tree
    assert tree.tree.outline.n_nodes(0) == 100_000
    filled.editor._on_searched("099998")
    assert tree.currentIndex().data() == "099998"
    filled.editor._on_renamed(1, "0000**", "first")
    assert labels(filled, 1)["first"] == 100


def test_a_column_without_rows_has_an_empty_hierarchy():
    column = Column.from_texts("x", [])
    loaded = Loaded(Path("x.csv"), Table("x.csv", (column,)), "", None)
    opened = open_hierarchy(Attribute(name="x"), loaded, {})
    assert opened.outline.n_nodes(0) == 0


def test_a_narrow_level_is_named_by_what_differs():
    titles = ["As it is", "Bands of 5", "Bands of 10", "Single values", "Removed"]
    shortest = ["As it is", "…of 5", "…of 10", "Single values", "Removed"]
    assert shortest_titles(titles) == shortest
    masks = ["Last 1 character masked", "Last 2 characters masked"]
    assert shortest_titles(masks) == masks


def test_a_level_shows_its_whole_name_where_there_is_room(qtbot):
    tile = LevelTile(1)
    qtbot.addWidget(tile)
    tile.show_level(("Bands of 10", "…of 10"), "9 groups", "", True, "")
    tile.resize(76, 64)
    assert tile.shown_title == "…of 10"
    tile.set_lines(2)
    tile.resize(tile.needed_width, 80)
    assert tile.shown_title == "Bands of 10"
    tile.set_lines(1)
    tile.resize(200, 64)
    assert tile.shown_title == "Bands of 10"


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_every_level_can_be_read_where_it_is_narrow(filled, scale):
    """ "Singl…", "91 valu…" were all that was left of a level at 1280 pixels."""
    names = ("Single values", "Bands of 5", "Bands of 10", "Bands of 20", "Removed")
    strip = filled.editor.levels
    theme().set_text_scale(scale)
    try:
        filled.resize(560, 640)
        strip._make_tiles(len(names))
        for tile, name in zip(strip.tiles, names, strict=True):
            tile.show_level((name, name), "91 values", "", True, "")
        strip._fit()
        QApplication.processEvents()
        for tile in strip.tiles:
            room = tile.width() - 20
            small = QFontMetrics(tile._caption_font())
            body = QFontMetrics(tile._title_font())
            assert small.horizontalAdvance("91 values") <= room
            lines = tile._title_lines(room)
            assert " ".join(lines) == tile._title
            assert max(map(body.horizontalAdvance, lines)) <= room
            assert tile.height() >= len(lines) * body.height() + 2 * small.height()
        needed = strip.tiles[-1].geometry().right()
        assert strip._tiles.width() >= needed
    finally:
        theme().set_text_scale(1.0)


def test_levels_come_closer_before_they_scroll(qtbot, filled):
    strip, names = filled.editor.levels, ("As it is", "Most common value", "Removed")
    strip._make_tiles(len(names))
    for tile, name in zip(strip.tiles, names, strict=True):
        tile.show_level((name, name), "91 values", "", True, "")
    strip.setFixedWidth(1000)
    settle()
    needed = sum(tile.needed_width for tile in strip.tiles) + 2 * strip._box.spacing()
    bar = strip._area.horizontalScrollBar()
    for lacking, scrolls in ((0, False), (6, False), (40, True)):
        strip.setFixedWidth(needed - lacking)
        settle()
        assert (bar.maximum() > 0) is scrolls
        for tile in strip.tiles:
            body = QFontMetrics(tile._title_font())
            for line in tile._title_lines(tile.width() - 2 * tile.margin):
                assert body.horizontalAdvance(line) < tile.width() - 2 * tile.margin


# -- postal codes ----------------------------------------------------------------------


def test_a_table_of_people_says_which_postal_codes_are_told(
    qtbot, page, workspace, tmp_path
):
    start(workspace.session, town=rule(Postcodes(length=2)))
    page.choose("town")
    qtbot.waitUntil(lambda: page.rule.areas.isVisible())
    table = tmp_path / "people.csv"
    table.write_text("code;people\nBr;30000\nAd;5\nCa;25000\nDo;7\nEs;90000\n")
    page.use_areas(table)
    qtbot.waitUntil(
        lambda: "BR" in stored(page, "town").hierarchy.rule.get("areas", "")
    )
    told = stored(page, "town").hierarchy.rule
    assert told["areas"].split() == ["BR", "CA", "ES"]
    qtbot.waitUntil(lambda: "other" in labels(page, 1))
    # Adelheim and Dornfeld have too few people.
    assert labels(page, 1)["other"] == 2
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("a;b;c\n1;2;3\n")
    said = []
    page.reported.connect(said.append)
    page.use_areas(wrong)
    qtbot.waitUntil(lambda: bool(said))
    assert stored(page, "town").hierarchy.rule == told
    # Two characters would leave one person in six in no area: one is told.
    page.rule.enough.setValue(26_000)
    page.use_areas(table)
    qtbot.waitUntil(
        lambda: stored(page, "town").hierarchy.rule["areas"].split() == ["B", "E"]
    )
    page.choose("age")
    qtbot.waitUntil(lambda: not page.rule.enough.isVisible())
    workspace.session.undo()
    workspace.session.undo()
    assert stored(page, "town").hierarchy.rule["areas"] == ""


def test_proposed_hierarchies_are_not_ticked_before_roles_are_confirmed(filled):
    assert filled.status().state is StepState.SEEN

    def doubt(project):
        first, *others = project.attributes
        return project.but(attributes=(first.but(confirmed=False), *others))

    filled.session.apply(doubt, "as proposed")
    status = filled.status()
    assert status.state is StepState.READY
    assert "proposal" in status.caption
    assert not status.what_is_missing


def test_hierarchies_that_nobody_has_looked_at_are_not_ticked(qtbot, workspace):
    made = HierarchiesPage(workspace, Settings())
    qtbot.addWidget(made)
    start(workspace.session)
    status = made.status()
    assert status.state is StepState.PROPOSED
    assert not status.what_is_missing
    with qtbot.waitExposed(made):
        made.show()
    assert made.status().state is StepState.SEEN
    made.hide()
    assert made.status().state is StepState.SEEN
    # A column more has a hierarchy that nobody has looked at.
    workspace.session.apply(ops.set_role("town", "insensitive"), "role")
    made.show()
    assert made.status().state is StepState.SEEN
    made.hide()
    workspace.session.apply(ops.set_role("town", "quasi_identifier"), "role")
    assert made.status().state is StepState.PROPOSED


def test_the_survey_compares_no_hierarchy_with_all_others(page, workspace, monkeypatch):
    start(workspace.session)
    page.refresh(page.parts)
    (age, *_), survey = page._quasi(), page.survey
    many = [age.but(name=f"item {place}") for place in range(60)]
    for each in many:
        survey.take(survey.key(each), Summary())
    n_compared, equal = [], HierarchyKey.__eq__

    def counted(one, other):
        n_compared.append(1)
        return equal(one, other)

    monkeypatch.setattr(HierarchyKey, "__eq__", counted)
    survey.look(many)
    assert len(n_compared) <= 5 * len(many)


def test_before_it_is_seen_the_page_is_brought_up_to_date_in_pieces(page, workspace):
    page.hide()
    start(workspace.session)
    pieces = page.refresh_in_pieces(page.parts)
    next(pieces)
    assert page.entries.rowCount() == 0
    next(pieces)
    assert page.entries.rowCount() == 2
    for _piece in pieces:
        pass
    assert page.list.currentIndex().row() == 0


def test_a_hierarchy_rests_on_a_column_only_if_the_data_have_it(page, workspace):
    start(workspace.session)
    (age, *_), table = page._quasi(), workspace.session.loaded.table
    assert table.has_column("age")
    assert not table.has_column("ages")
    assert page.survey.key(age).column == id(table.column("age").codes)
    assert page.survey.key(age.but(name="ages")).column == 0


def test_titles_of_the_grid_are_whole_where_they_have_room(qtbot, filled):
    filled.editor.show_view("grid")
    grid = filled.editor.grid
    hint = grid.horizontalHeader().sectionSizeHint
    titles = [hint(place) for place in range(grid.grid.columnCount())]
    texts = [needed for needed, _whole in grid._widths]
    room = sum(map(max, titles, texts))
    grid.setFixedWidth(room + grid.width() - grid.viewport().width())
    qtbot.waitUntil(lambda: grid.viewport().width() == room)
    for place, title in enumerate(titles):
        assert grid.columnWidth(place) >= title


def test_the_names_of_groups_are_read_where_the_tree_is_narrow(qtbot, filled):
    tree, metrics = filled.editor.tree, filled.editor.tree.fontMetrics()
    records = TreeColumn.RECORDS
    with_bars = tree.columnWidth(records)
    words = metrics.horizontalAdvance("M. Washington") + 2 * tree.indentation()
    for width in (285, 220, 180):
        tree.setFixedWidth(width)
        qtbot.waitUntil(lambda: tree.columnWidth(TreeColumn.LABEL) >= words)
        qtbot.waitUntil(lambda: tree.columnWidth(records) <= with_bars - BAR_WIDTH)
        # All columns are in sight as long as their words and figures have room.
        assert width < 285 or tree.header().length() <= tree.viewport().width()
    tree.setFixedWidth(600)
    qtbot.waitUntil(lambda: tree.columnWidth(records) == with_bars)
    assert tree.header().length() == tree.viewport().width()


def test_no_figure_of_a_group_is_cut(qtbot, filled, workspace):
    tree, metrics = filled.editor.tree, filled.editor.tree.fontMetrics()
    tree.setFixedWidth(270)
    opened = filled.editor.opened
    for n in (7, 123_456_789):
        counts = np.full_like(opened.outline.records, 0)
        counts[0] = n
        shown = replace(opened, outline=Outline.of(opened.draft, counts))
        tree.show_opened(shown, 2 * n)
        width = tree.columnWidth(TreeColumn.RECORDS)
        assert width >= metrics.horizontalAdvance(f"{n:,}") + 18 + 20
        assert width >= tree.header().sectionSizeHint(TreeColumn.RECORDS)


def test_the_field_of_the_editor_shows_what_it_looks_for(qtbot, page, workspace):
    start(workspace.session)
    page.resize(560, 300)
    qtbot.waitUntil(page.editor._three.isVisible)
    for _ in range(3):
        QApplication.processEvents()
    field = page.editor.search
    words = field.fontMetrics().horizontalAdvance(field.placeholderText())
    assert field.width() >= words + 50
