"""The step Repair: what protects masked counts, from the real window."""

from __future__ import annotations

import json
import re
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from deidgui.app.counts import ops
from deidgui.app.counts.auditing import assumptions
from deidgui.app.counts.repairing import repair_tables
from deidgui.app.storage.project_io import load_project
from deidgui.app.workspace import Workspace
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.tables.table import At
from deidgui.qt.dispatch import GuiDispatcher
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.counts import repair
from deidgui.qt.pages.counts.grid import TINT_ROLE
from deidgui.qt.pages.counts.repair import RepairPage
from tests.engine.counts.seed import TABLE_1, TABLE_2
from tests.qt.pages.test_counts import paste, window, workspace  # noqa: F401

WEAK = {Outcome.EXACT, Outcome.TIGHT}


@pytest.fixture
def page(window, workspace):  # noqa: F811
    """The step Repair of Table 2 of the paper."""
    paste(window, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.show_step("repair")
    return window.page("repair")


def confirm(window):  # noqa: F811
    """Confirm how the counts hang together."""
    page = window.page("structure")
    page.refresh_now()
    page._confirm.click()


def click(qtbot, button):
    QApplication.processEvents()  # a person clicks what is laid out
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def facts(way) -> dict[str, str]:
    shown = [(n.text(), v.text()) for n, v in way.facts._rows if not n.isHidden()]
    return dict(shown)


def marks(workspace) -> dict[tuple[int, int], str]:  # noqa: F811
    (table,) = workspace.counts.decided.tables
    return {(each.row, each.column): each.mark for each in table.hidden}


def test_repairs_stand_side_by_side_and_change_nothing(qtbot, page, workspace):  # noqa: F811
    before = workspace.session.project
    assert page.empty.isVisible()
    assert page.status().state is StepState.ATTENTION
    click(qtbot, page.compare)
    assert workspace.session.project == before
    assert page.complements.words.text() == "Hide 4 more counts"
    sum_ = 99 + 49 + 999 + 99_999
    words = f"4 counts; their values add up to {sum_:,}"
    assert facts(page.complements)["Not shown any more"] == words
    assert facts(page.complements)["Proof"] == "no choice hides fewer"
    assert page.threshold.words.text() == "Threshold 100,000"
    assert page.list.rowCount() == 4
    n_shown = sum(
        c.count is not None for *_at, c in workspace.counts.tables[0].counts()
    )
    assert facts(page.noise)["Less exact"] == f"{n_shown} counts"
    assert "4 counts have no true value" in page.noise.note.text()
    assert page.complements.width() == pytest.approx(page.noise.width(), abs=80)


def test_complements_are_marked_and_protect(qtbot, page, window, workspace):  # noqa: F811
    click(qtbot, page.compare)
    click(qtbot, page.complements.use)
    assert set(marks(workspace).values()) == {"complement"}
    assert sorted(row for row, _column in marks(workspace)) == [3, 6, 9, 10]
    (table,) = workspace.counts.tables
    assert {table.grid[row][column] for row, column in marks(workspace)} == {"C"}
    audited = workspace.counts.audited
    assert not WEAK & {each.outcome for each in audited.cells}
    # Judged as the repair was: readers know that no complement is small.
    ours = page.found.complements.audit
    proven = {e.unknown: (e.low, e.high) for e in ours.cells}
    numbers = audited.public.numbers
    assert {numbers[e.at]: (e.low, e.high) for e in audited.cells} == proven
    assert "complements are 11 or more" in " ".join(assumptions(audited))
    # What ties the counts together is known as before.
    assert len(audited.structure.relations) == 4
    # Whether these equations are all, nobody has said.
    assert page.status().state is StepState.ATTENTION
    assert page.state.property("tone") == "info"
    assert page.state.isVisible()
    assert "in the tables" in page.state._text.text()
    assert not page.complements.use.isEnabled()
    assert workspace.session.undo_label == "hide complements"
    workspace.session.undo()
    assert marks(workspace) == {}
    assert workspace.counts.audited.number(Outcome.EXACT) == 4
    assert page.complements.use.isEnabled()


def test_hidden_counts_are_kept_in_the_project_and_shown_again(
    qtbot,
    page,
    window,  # noqa: F811
    workspace,  # noqa: F811
    tmp_path,
):
    click(qtbot, page.compare)
    click(qtbot, page.complements.use)
    saved = tmp_path / "p.deid.json"
    workspace.save(saved)
    again = load_project(saved)
    assert again.counts.tables[0].hidden == workspace.counts.decided.tables[0].hidden
    text = saved.read_text("utf-8")
    assert not re.search(r"\b(99|999|99999)\b", text)
    (kept,) = (tmp_path / "tables").iterdir()
    assert "99,999" in kept.read_text("utf-8") or "99999" in kept.read_text("utf-8")
    assert page.hidden.isVisible()
    click(qtbot, page.hidden._button)
    assert marks(workspace) == {}
    assert not page.hidden.isVisible()


def test_categories_are_joined_and_taken_apart_again(qtbot, page, workspace):  # noqa: F811
    before = workspace.counts.tables[0].grid
    click(qtbot, page.compare)
    assert page.coarser.words.text() == "3 categories stand for several"
    assert facts(page.coarser)["Not protected"] == "0 masked counts"
    assert (
        "; their values add up to " in facts(page.coarser)["Only in joined categories"]
    )
    assert page.joined.rowCount() == 3
    assert page.joined.item(0, 2).text() == "18-35"
    click(qtbot, page.coarser.use)
    (table,) = workspace.counts.tables
    assert [row[0] for row in table.grid] == [
        "Patient Counts by Characteristics",
        "Overall (N)",
        "By Age Group:",
        "18-35",
        "36+",
        "By Sex:",
        "Ambiguous, Male or Female",
        "Other/Missing",
    ]
    assert table.grid[3][1:] == ("100", "99,000")
    assert table.grid[4][1:] == ("0", "1,000")
    assert not WEAK & {each.outcome for each in workspace.counts.audited.cells}
    assert "in the tables" in page.state._text.text()
    assert workspace.session.undo_label == "join categories"
    workspace.session.undo()
    assert workspace.counts.tables[0].grid == before
    assert workspace.counts.audited.number(Outcome.EXACT) == 4
    workspace.session.redo()
    assert len(workspace.counts.tables[0].grid) == 8


def test_joined_categories_are_kept_with_the_project(
    qtbot,
    page,
    workspace,  # noqa: F811
    tmp_path,
):
    click(qtbot, page.compare)
    click(qtbot, page.coarser.use)
    joined = workspace.counts.tables[0].grid
    saved = tmp_path / "p.deid.json"
    workspace.save(saved)
    workspace.close_project()
    workspace.open_project(saved)
    assert workspace.counts.tables[0].grid == joined


def test_complements_may_hold_any_count_if_a_person_says_so(qtbot, window, workspace):  # noqa: F811
    rows = "Group\tN\nOverall\t40\nA\tT\nB\t12\nC\t20\n"
    paste(window, rows)
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    window.show_step("repair")
    page = window.page("repair")
    click(qtbot, page.compare)
    assert page.found.lowest == 11
    click(qtbot, page.any_count._switch)
    assert "earlier decisions" in page.state._text.text()
    click(qtbot, page.compare)
    assert page.found.lowest == 0
    click(qtbot, page.complements.use)
    # Audited as the repair was: 20 are left for A and the complement.
    ours = page.found.complements.audit
    (proven,) = [(e.low, e.high) for e in ours.cells]
    (found,) = [(e.low, e.high) for e in workspace.counts.audited.cells]
    assert found == proven == (1, 10)
    assert "any count" in " ".join(assumptions(workspace.counts.audited))
    workspace.session.undo()
    workspace.session.undo()
    assert not page.any_count.is_on
    assert not workspace.counts.decided.any_count


def test_small_counts_of_true_tables_are_masked_and_then_repaired(
    qtbot,
    window,  # noqa: F811
    workspace,  # noqa: F811
):
    rows = ("Overall\t200", "F\t4 (2%)", "M\t120 (60%)", "X\t76 (38%)")
    paste(window, "Group\tN (%)\n" + "\n".join(rows) + "\n")
    page = window.page("tables")
    assert not page._mask.isVisible()
    page._threshold.setValue(11)
    assert "1 count below it is shown" in page._meaning.text()
    click(qtbot, page._mask)
    (table,) = workspace.counts.tables
    assert table.grid[2][1] == "T"
    assert not page._mask.isVisible()
    assert workspace.session.undo_label == "mask small counts"
    page._zero.chosen.emit("shown")
    assert [(e.low, e.high) for e in workspace.counts.audited.cells] == [(4, 4)]
    window.show_step("repair")
    repairs = window.page("repair")
    click(qtbot, repairs.compare)
    # The true count is known here: what is joined is added up.
    assert facts(repairs.coarser)["Not protected"] == "0 masked counts"
    click(qtbot, repairs.coarser.use)
    (table,) = workspace.counts.tables
    assert table.grid[2] == ("F or X", "80")


@pytest.mark.parametrize("way", ["complements", "coarser", "threshold"])
def test_the_tables_of_the_paper_are_repaired_each_way(qtbot, window, workspace, way):  # noqa: F811
    paste(window, TABLE_1, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    window.show_step("repair")
    page = window.page("repair")
    assert workspace.counts.audited.number(Outcome.EXACT) == 5
    before = workspace.session.project
    click(qtbot, page.compare)
    shown = getattr(page, way)
    stated = facts(shown)["Not protected"]
    click(qtbot, shown.use)
    audited = workspace.counts.audited
    weak = [e for e in audited.cells if e.outcome in WEAK]
    # No categories of a step of attrition can be joined: its T stays.
    assert len(weak) == (way == "coarser")
    assert stated == f"{len(weak)} masked count{'' if len(weak) == 1 else 's'}"
    window.show_step("counts_release")
    release = window.page("counts_release")
    release.kind.chosen.emit("masked")
    assert bool(release.missing()) == bool(weak)
    workspace.session.undo()
    workspace.session.undo()
    assert workspace.session.project == before
    assert workspace.counts.audited.number(Outcome.EXACT) == 5


def test_a_higher_threshold_is_stated_and_masks(qtbot, page, workspace):  # noqa: F811
    click(qtbot, page.compare)
    click(qtbot, page.threshold.use)
    assert workspace.counts.decided.threshold == 100_000
    assert set(marks(workspace).values()) == {"masked"}
    (table,) = workspace.counts.tables
    shown = [cell.count for *_at, cell in table.counts() if cell.count is not None]
    assert all(each == 0 or each >= 100_000 for each in shown)
    assert not WEAK & {each.outcome for each in workspace.counts.audited.cells}
    workspace.session.undo()
    assert workspace.counts.decided.threshold == 11
    assert marks(workspace) == {}


def test_marks_with_a_limit_of_their_own_are_no_percentages(qtbot, window):  # noqa: F811
    rows = ("Overall\t100", "A\t<5", "B\t<5", "C\t<5", "D\t55", "E\t41")
    paste(window, "Group\tN\n" + "\n".join(rows) + "\n")
    window.page("tables")._threshold.setValue(5)
    window.page("tables")._zero.chosen.emit("shown")
    window.show_step("repair")
    page = window.page("repair")
    click(qtbot, page.compare)
    assert page.found.threshold.threshold > 5
    assert facts(page.threshold)["Left out"] == "0 percentages or means"
    assert "3 masked counts" in page.threshold.note.text()


def test_repairs_of_earlier_tables_are_not_used(qtbot, page, window, workspace):  # noqa: F811
    click(qtbot, page.compare)
    window.page("tables")._threshold.setValue(10)
    assert "earlier decisions" in page.state._text.text()
    assert not page.complements.use.isEnabled()
    page._on_complements()
    assert marks(workspace) == {}
    assert page.status().state is StepState.STALE


def test_percentages_that_tell_a_masked_count_are_left_out(qtbot, window, workspace):  # noqa: F811
    rows = ("Overall\t200 (100%)", "F\tT (2%)", "M\t120 (60%)", "X\t76 (38%)")
    paste(window, "Group\tN (%)\n" + "\n".join(rows) + "\n")
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    window.show_step("repair")
    page = window.page("repair")
    click(qtbot, page.compare)
    click(qtbot, page.complements.use)
    (table,) = workspace.counts.tables
    cells = [row[1] for row in table.grid[1:]]
    assert cells[1] == "T"
    assert cells.count("C") == 1
    assert not WEAK & {each.outcome for each in workspace.counts.audited.cells}
    shares = [
        cell.share for row in table.cells for cell in row if cell.share is not None
    ]
    assert len(shares) < 4


def test_tables_that_are_protected_need_no_repair(window, workspace):  # noqa: F811
    paste(window, "Age\tN\nOverall\t200\n18-24\t190\n25-35\tT\n36-50\tT\n")
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    confirm(window)
    # Nobody has looked at what the program found by itself.
    for key in ("audit", "repair"):
        page = window.page(key)
        page.refresh_now()
        assert page.status().state is StepState.PROPOSED
        window.show_step(key)
        assert page.status().state is StepState.SEEN
    assert "nothing to repair" in page.state._text.text()
    assert page.status().state is StepState.SEEN


def test_small_counts_that_are_shown_are_not_called_protected(qtbot, window, workspace):  # noqa: F811
    paste(window, "Age\tN\nOverall\t200\n18-24\t190\n25-35\t6\n36-50\t4\n")
    window.show_step("audit")
    audit = window.page("audit")
    # No mask and no threshold: nobody knows what should have been masked.
    assert audit.status().state is StepState.READY
    assert audit.status().caption == "nothing masked"
    assert audit._unmasked.isVisible()
    assert "no threshold is stated" in audit._unmasked._text.text()
    window.page("tables")._threshold.setValue(11)
    assert audit.status().state is StepState.ATTENTION
    assert audit.status().caption == "2 small counts"
    assert "2 counts below the threshold are shown" in audit._unmasked._text.text()
    assert "step Tables" in audit._unmasked._detail.text()
    window.show_step("repair")
    page = window.page("repair")
    assert page.status() == audit.status()
    assert "2 counts below the threshold are shown" in page.state._text.text()
    assert page.state.property("tone") == "warning"
    # Noise is added to true counts: none of them is released as it stands.
    workspace.session.apply(ops.set_release("noise"), "release")
    assert page.status().state is StepState.READY
    workspace.session.undo()
    click(qtbot, page.state._button)
    qtbot.waitUntil(lambda: window.current_key == "tables" and not window.is_leading)
    tables = window.page("tables")
    qtbot.waitUntil(tables._mask.hasFocus)
    click(qtbot, tables._mask)
    tables._zero.chosen.emit("shown")
    assert audit.status().caption == page.status().caption == "structure not confirmed"
    confirm(window)
    assert audit.status().caption == "protected"
    assert page.status().caption == "nothing to repair"


def test_noise_is_decided_on_its_own_step(qtbot, page, window):  # noqa: F811
    click(qtbot, page.compare)
    click(qtbot, page.noise.use)
    assert window.current_key == "noise"


def test_a_comparison_is_stopped(qtbot, settings, monkeypatch):
    """With a worker thread, as in the program."""

    def endless(_audited, *, monitor):
        while True:
            monitor.report(0.5, "repair")
            time.sleep(0.005)

    monkeypatch.setattr(repair, "repair_tables", endless)
    dispatcher = GuiDispatcher()
    made = Workspace(dispatcher.post)
    made.begin_counts()
    page = RepairPage(made, settings)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    made.counts.paste(TABLE_2)
    made.session.apply(ops.set_threshold(11), "threshold")
    qtbot.waitUntil(page.compare.isEnabled, timeout=10_000)
    click(qtbot, page.compare)
    qtbot.waitUntil(page.progress.isVisible)
    assert not page.compare.isEnabled()
    click(qtbot, page.progress._cancel)
    qtbot.waitUntil(page.progress.isHidden, timeout=10_000)
    assert page.found is None
    assert page.compare.isEnabled()
    # Closed in the middle: nothing comes afterwards.
    click(qtbot, page.compare)
    qtbot.waitUntil(page.progress.isVisible)
    made.close()
    assert page.found is None


def test_all_that_is_hidden_is_what_was_audited(workspace, window):  # noqa: F811
    paste(window, TABLE_1, TABLE_2)
    window.page("tables")._threshold.setValue(11)
    found = repair_tables(workspace.counts.audited)
    assert set(found.hidden) <= set(found.hides)
    assert {found.hides[at] for at in found.hidden} == {"complement"}


TRACTS = "Tract\tN\n" + "".join(
    f"0{200 + at}\t{n}\n" for at, n in enumerate((40, 6, 25, 0, 9, 31))
)
"""Counts that nothing ties together."""


@pytest.fixture
def tracts(window, workspace):  # noqa: F811
    """A project of counts without totals, whose small ones are masked."""
    paste(window, TRACTS)
    tables = window.page("tables")
    tables._threshold.setValue(11)
    tables._zero.chosen.emit("shown")
    tables._mask.click()
    return window


def test_counts_without_totals_are_protected_once_somebody_says_so(
    qtbot,
    tracts,
    workspace,  # noqa: F811
    tmp_path,
):
    """PRIVACY: a total that is published elsewhere tells a masked count."""
    pages = {key: tracts.page(key) for key in ("structure", "audit", "repair")}
    for key, page in pages.items():
        tracts.show_step(key)
        page.refresh_now()
        assert page.status().state is StepState.ATTENTION
    audit, structure = pages["audit"], pages["structure"]
    tracts.show_step("audit")
    assert "protected" not in audit._summary.text()
    assert "No relations between these counts are known" in audit._open._text.text()
    assert "published elsewhere" in audit._open._detail.text()
    assert audit._open.property("tone") == "warning"
    assert audit._list.item(0, 2).text() == "not inferred"
    cell = audit._grid.grid_model.index(2, 1)
    assert cell.data(TINT_ROLE) == "accent_soft"
    assert pages["repair"].state.property("tone") == "warning"
    click(qtbot, audit._open._button)
    qtbot.waitUntil(lambda: tracts.current_key == "structure" and not tracts.is_leading)
    # What is written meanwhile is not green, and says the same.
    workspace.session.apply(ops.set_release("masked"), "release")
    tracts.show_step("counts_release")
    release = tracts.page("counts_release")
    assert release.structure.isVisible()
    click(qtbot, release.draw)
    assert "No relations between these counts are known" in release.words.text()
    release.export_to(tmp_path / "open")
    assert release.status().state is StepState.ATTENTION
    assert release.done.property("tone") == "warning"
    assert "Nobody has confirmed" in " ".join(stated(tmp_path / "open")["warnings"])
    # A person says that there are none.
    tracts.show_step("structure")
    assert structure._confirm.text() == "Confirm that there are no totals"
    click(qtbot, structure._confirm)
    assert workspace.session.undo_label == "confirm that there are no totals"
    assert not structure._confirm.isEnabled()
    for key, page in pages.items():
        tracts.show_step(key)
        wanted = StepState.DONE if key == "structure" else StepState.SEEN
        assert page.status().state is wanted
    assert audit._summary.text() == "All 2 masked counts are protected"
    assert not audit._open.isVisible()
    cell = audit._grid.grid_model.index(2, 1)
    assert cell.data(TINT_ROLE) == "success_soft"
    assert not pages["repair"].empty.isVisible()
    tracts.show_step("counts_release")
    click(qtbot, release.draw)
    release.export_to(tmp_path / "said")
    assert release.status().state is StepState.DONE
    assert release.done.property("tone") == "success"
    said = stated(tmp_path / "said")
    assert "A person confirmed that there are no totals" in " ".join(
        said["assumptions"]
    )
    assert said["warnings"] == []
    # What was said is taken back like every decision.
    structure._again.click()
    assert audit.status().state is StepState.ATTENTION


def stated(folder):
    (found,) = folder.glob("*release*/evidence.json")
    return json.loads(found.read_text("utf-8"))


def test_the_last_equation_that_is_taken_out_does_not_say_that_there_is_none(
    window,  # noqa: F811
    workspace,  # noqa: F811
):
    paste(window, "Age\tN\nOverall\t200\n18-24\t190\n25-35\tT\n36-50\tT\n")
    window.page("tables")._threshold.setValue(11)
    window.page("tables")._zero.chosen.emit("shown")
    window.show_step("structure")
    page = window.page("structure")
    page._list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert workspace.counts.structure.relations == ()
    assert page.status().state is StepState.ATTENTION
    assert page._confirm.text() == "Confirm that there are no totals"
    page._confirm.click()
    assert page.status().state is StepState.DONE


def test_masks_of_the_threshold_are_not_called_a_repair(tracts, workspace):  # noqa: F811
    tracts.show_step("repair")
    page = tracts.page("repair")
    words = page.hidden._text.text()
    assert words == "2 counts below the threshold are masked in this project."
    hidden = {At(0, 1, 1): "complement"}
    workspace.session.apply(
        ops.use_repair(workspace.counts.tables, hidden), "complement"
    )
    assert page.hidden._text.text() == f"{words} 1 further count is hidden by a repair."
