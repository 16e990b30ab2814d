"""Steps on the page Data: added, changed, moved, removed, undone, and what they did."""

from __future__ import annotations

import pytest

from deidgui.app import ops
from deidgui.app.workspace import Workspace
from deidgui.engine.preparation import STEPS, RemovePeople, TopCode, TruncateEvents
from deidgui.qt.pages.data.page import DataPage
from tests.events_case import write_events
from tests.qt.fakes import InlineExecutor

STEP = TruncateEvents(0.5, ("ward",))


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    made.open_data(write_events(tmp_path / "events.csv", n_patients=60))
    made.session.apply(ops.set_protection("subject_id"), "people")
    yield made
    made.close()


@pytest.fixture
def page(qtbot, workspace, settings):
    made = DataPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 640)
    made.show()
    qtbot.waitExposed(made)
    made.show_view("preparation")
    return made


def add(page, kind, **params):
    view = page.preparation
    view.add_action(kind).trigger()
    view.editor.form.set_params(params)
    view.editor.apply.click()


def test_without_steps_the_page_says_so(page):
    view = page.preparation
    assert view.empty.isVisible()
    assert not view.figures.isVisible()
    assert not page.version.isVisible()
    kinds = {action.data() for action in view._menu.actions()}
    assert kinds == {kind.kind for kind in STEPS}


def test_a_step_starts_with_what_fits_the_table(page):
    view = page.preparation
    view.add_action("truncate_events").trigger()
    form = view.editor.form
    assert form.field("share").value() == 0.95
    assert "ward" in form.field("columns").value()
    assert "birth_year" not in form.field("columns").value()
    assert not view.add_button.isVisible()
    view.editor.cancel.click()
    assert view.editor is None
    assert view.add_button.isVisible()


def test_a_step_is_added_shown_and_undone(page, workspace):
    n_read = workspace.session.loaded.table.n_rows
    add(page, "truncate_events", share=0.5, columns=("ward",), period=None)
    assert workspace.session.project.preparation == (STEP,)
    view = page.preparation
    assert view.editor is None
    (card,) = view.cards
    effect = workspace.session.loaded.effects[0]
    assert card.words.text() == "\n".join(effect.words())
    n_left = workspace.session.loaded.table.n_rows
    assert f"{n_left} rows of 60 people" in view.figures.text()
    assert n_left < n_read
    page.show_view("preview")
    assert page.version.isVisible()
    assert page.preview._raw.n_rows == n_left
    page.version.set_current("read")
    page._show_preview()
    assert page.preview._raw.n_rows == n_read
    page.show_view("preparation")
    assert "Truncate events" in workspace.session.undo_label
    workspace.session.undo()
    assert view.empty.isVisible()
    assert workspace.session.loaded.table.n_rows == n_read


def test_steps_are_changed_moved_and_removed(page, workspace):
    workspace.change_steps((STEP, TopCode("birth_year", 0.9)), "steps")
    view = page.preparation
    assert [card.up.isHidden() for card in view.cards] == [True, False]
    view.cards[1].up.click()
    kinds = [each.kind for each in workspace.session.project.preparation]
    assert kinds == ["top_code", "truncate_events"]
    view.cards[0].edit.click()
    assert view.editor.form.field("share").value() == 0.9
    view.editor.form.set_params({"share": 0.8})
    view.editor.apply.click()
    assert workspace.session.project.preparation[0].share == 0.8
    view.cards[0].remove.click()
    assert workspace.session.project.preparation == (STEP,)
    # What does not change decides nothing.
    label = workspace.session.undo_label
    view.cards[0].edit.click()
    view.editor.apply.click()
    assert view.editor is None
    assert workspace.session.undo_label == label


def test_a_step_that_does_not_fit_says_why_beside_it(page, workspace):
    add(page, "top_code", attribute="ward", share=0.9)
    view = page.preparation
    assert workspace.session.project.preparation == ()
    assert view.editor is not None
    assert "number" in view.editor._problem.text
    view.editor.form.set_params({"attribute": "birth_year"})
    view.editor.apply.click()
    assert len(workspace.session.project.preparation) == 1


def test_a_list_is_taken_from_a_file(page, workspace, tmp_path):
    codes = tmp_path / "hiv list.csv"
    codes.write_text("code,prefix,reason\nC50,exact,rare\n", "utf-8")
    view = page.preparation
    view.add_action("remove_people").trigger()
    assert not view.editor.choose.isHidden()
    view.editor.take_file(tmp_path / "none.csv")
    assert "none.csv" in view.editor._problem.text
    view.editor.take_file(codes)
    view.editor.form.set_params({"columns": ("diagnosis",)})
    view.editor.apply.click()
    (step,) = workspace.session.project.preparation
    assert isinstance(step, RemovePeople)
    assert step.codes.startswith("lists/hiv_list-")
    assert workspace.session.hierarchy_files[step.codes] == codes.read_bytes()
    texts = workspace.session.loaded.table.column("diagnosis").texts()
    assert "C50" not in texts
    workspace.save(tmp_path / "p" / "x.deid.json")
    assert (tmp_path / "p" / step.codes).read_bytes() == codes.read_bytes()


def test_nearly_constant_columns_are_proposed_with_their_people(
    qtbot, workspace, page, tmp_path
):
    path = tmp_path / "events.csv"
    rows = [line.split(",") for line in path.read_text("utf-8").splitlines()]
    person = rows[1][0]
    rows.append([person, "1", "M" if rows[1][2] == "F" else "F", *rows[1][3:]])
    for number in range(100):
        rows.append([f"Q{number}", *rows[1][1:]])
    other = tmp_path / "mistakes.csv"
    other.write_text("\n".join(map(",".join, rows)) + "\n", "utf-8")
    workspace.open_data(other)
    workspace.session.apply(ops.set_protection("subject_id"), "people")
    for name in ("sex", "ward"):
        op = ops.set_role(name, "quasi_identifier")
        workspace.session.apply(op, "role")
    page.show_view("preparation")
    view = page.preparation
    view.add_action("one_value").trigger()
    assert view.editor.form.field("columns").value() == ("sex",)
    assert view.editor.form.field("rule").value() == "most_frequent"
    assert "1 person only, of 160" in view.editor.why.text()
    view.editor.apply.click()
    assert "the rows of 1 person disagree" in view.cards[0].words.text()


def test_the_list_of_a_step_is_shown(page, workspace, tmp_path, qtbot):
    codes = tmp_path / "rare.csv"
    codes.write_text("code,prefix,reason\nC50,exact,rare\nE1,prefix,x\n", "utf-8")
    view = page.preparation
    view.add_action("remove_people").trigger()
    view.editor.take_file(codes)
    view.editor.form.set_params({"columns": ("diagnosis",)})
    view.editor.apply.click()
    (card,) = view.cards
    card.show_codes.click()
    table = card.codes
    qtbot.waitUntil(table.isVisible)
    cells = [
        [table.item(row, at).text() for at in range(table.columnCount())]
        for row in range(table.rowCount())
    ]
    assert cells == [
        ["C50", "this code alone", "rare"],
        ["E1", "all that begin with it", "x"],
    ]
    card.show_codes.click()
    assert not table.isVisible()
    workspace.change_steps((STEP,), "another")
    assert view.cards[0].show_codes.isHidden()


def test_the_page_says_that_rows_are_of_the_prepared_table(page, workspace):
    words = page.protected._said
    assert "prepared" not in words.text()
    workspace.change_steps((STEP,), "steps")
    effect = workspace.session.loaded.effects[0]
    assert f"60 people in {effect.rows_after} rows of the prepared" in words.text()


def test_a_top_code_is_of_its_columns_type(page, workspace, qtbot):
    workspace.change_steps((TopCode("birth_year", 0.9),), "steps")
    attribute = workspace.session.project.attribute("birth_year")
    assert attribute.kind == "integer"
    qtbot.waitUntil(lambda: page.summaries.get(attribute) is not None)
    assert page.summaries.get(attribute).n_failing == 0
    page._show_look()
    assert not page.look.isVisible()
