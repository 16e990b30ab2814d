"""The pages Policies and Export over the real program."""

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel

from deidgui.app import ops
from deidgui.app.commands import headless
from deidgui.app.policies.runner import LATTICE
from deidgui.app.release.signing import public_file, read_public, site_key
from deidgui.app.session import Kind
from deidgui.engine.evidence.signature import fingerprint
from deidgui.engine.evidence.verify import verify_release
from deidgui.qt.pages.base import StepState
from deidgui.qt.widgets import CellMark
from tests.e2e.test_journeys import ready, write_patients


@pytest.fixture
def searched(driver, tmp_path):
    ready(driver, write_patients(tmp_path / "patients.csv", n=800))
    driver.search()
    return driver


def test_the_page_tells_size_and_outcome(searched):
    page = searched.page("policies")
    searched.wait_idle()
    found = searched.session.current(LATTICE)
    assert page.status().state is StepState.SEEN
    assert page.status().caption == "best policy found"
    assert found.words(found.optimum) in page.help_words()
    assert page.look.run_button.text() == "Search again"
    assert page.results.views.policies.rowCount() == page.policies.n_meeting


def test_problems_before_a_search_lead_to_their_page(driver, tmp_path):
    driver.open_data(write_patients(tmp_path / "patients.csv", n=100))
    page, wanted = driver.page("policies"), []
    page.step_wanted.connect(wanted.append)
    page.look.optimal.problem.acted.emit()
    driver.session.apply(
        ops.change_attribute("birth_date", hierarchy=None), "no hierarchy"
    )
    driver.page("policies").empty.acted.emit()
    assert wanted == ["risk", "hierarchies"]


def test_pause_and_continue(searched):
    page = searched.page("policies")
    searched.start_search()
    page._on_pause_clicked()
    job = searched.workspace.runner.running(LATTICE)
    if job is not None:
        assert job.is_paused
        page._on_pause_clicked()
        assert not job.is_paused
    searched.wait_idle()
    assert searched.session.current(LATTICE) is not None


def test_the_preview_shows_the_same_records_before_and_after(searched):
    page = searched.page("export")
    searched.wait_idle()
    before = page.preview.before.table_model
    after = page.preview.after.table_model
    assert before.rowCount() == after.rowCount() == 800
    place = after.table.column_names.index("diagnosis")
    suppressed = 0
    for row in range(800):
        shown = after.table.columns[place].text(row)
        was = before.table.columns[place].text(row)
        mark = CellMark(page.preview._marks_of([row], place)[0])
        if mark is CellMark.SUPPRESSED:
            assert shown == "*"
            suppressed += 1
        else:
            assert (shown, mark) == (was, CellMark.NONE)
    measured = searched.session.current(Kind.MEASUREMENT)
    assert suppressed == measured.n_suppressed


def test_suppressed_records_can_be_looked_at(searched):
    page = searched.page("export")
    searched.wait_idle()
    page.preview.which.set_current("suppressed")
    page.preview.which.chosen.emit("suppressed")
    searched.wait_idle()
    measured = searched.session.current(Kind.MEASUREMENT)
    assert page.preview.after.table_model.rowCount() == min(measured.n_suppressed, 1000)


def test_two_tables_scroll_together(searched):
    page = searched.page("export")
    searched.wait_idle()
    page.preview.before.verticalScrollBar().setValue(100)
    assert page.preview.after.verticalScrollBar().value() == 100


def test_export_options_are_decisions(searched):
    page = searched.page("export")
    searched.wait_idle()
    assert "suppressed" in page.status().what_is_missing
    page.options.suppressed.chosen.emit("left_out")
    page.options.shuffle.toggled.emit(False)
    page.options.safe.toggled.emit(False)
    export = searched.project.export
    assert (export.suppressed, export.shuffle, export.spreadsheet_safe) == (
        "left_out",
        False,
        False,
    )
    for _ in range(3):
        searched.session.undo()
    assert searched.project.export.suppressed is None


def test_a_release_becomes_out_of_date(searched, tmp_path):
    searched.decide_export("stars")
    searched.export(tmp_path)
    page = searched.page("export")
    assert page.status().state is StepState.DONE
    assert not page.released.isHidden()
    searched.session.apply(ops.set_role("diagnosis", "insensitive"), "role")
    searched.wait_idle()
    assert page.status().state is StepState.STALE


def answering(page, monkeypatch, *answers):
    """Let a person answer; returns what was asked."""
    asked, left = [], list(answers)

    def ask(title, text, choices):
        asked.append((text, [key for key, _words, _kind in choices]))
        return left.pop(0)

    monkeypatch.setattr(page, "ask", ask)
    return asked


def test_the_same_folder_is_not_written_twice(searched, tmp_path, monkeypatch):
    searched.decide_export("stars")
    first = searched.export(tmp_path)
    asked = answering(searched.page("export"), monkeypatch, "beside", "cancel")
    second = searched.export(tmp_path)
    assert first.folder != second.folder
    assert first.folder.exists()
    assert second.folder.exists()
    searched.export(tmp_path)
    assert len(list(tmp_path.glob("* release*"))) == 2
    assert [keys[0] for _text, keys in asked] == ["beside", "beside"]


def test_an_older_release_is_replaced_and_nothing_else(searched, tmp_path, monkeypatch):
    searched.decide_export("stars")
    folder = searched.export(tmp_path).folder
    before = (folder / "evidence.json").stat().st_ino
    page = searched.page("export")
    asked = answering(page, monkeypatch, "replace")
    searched.export(tmp_path)
    assert (folder / "evidence.json").stat().st_ino != before
    assert len(asked) == 1
    (folder / "notes.txt").write_text("mine")
    asked = answering(page, monkeypatch, "replace", "cancel", "replace", "lose")
    searched.export(tmp_path)
    assert (folder / "notes.txt").read_text() == "mine"
    text, keys = asked[1]
    assert "lost: notes.txt, " in text
    assert keys == ["beside", "lose", "cancel"]
    searched.export(tmp_path)
    assert not (folder / "notes.txt").exists()
    assert verify_release(folder).ok
    assert len(list(tmp_path.glob("* release*"))) == 1


def test_a_release_is_signed_with_a_key_that_is_made_once(
    searched, tmp_path, monkeypatch
):
    searched.decide_export("stars")
    folder = searched.export(tmp_path).folder
    page = searched.page("export")
    asked = answering(page, monkeypatch, "make")
    searched.click(page.released.sign_button)
    searched.wait_idle()
    assert len(asked) == 1
    assert headless.verify(folder, public_file(site_key()))["ok"]
    searched.click(page.released.sign_button)
    searched.wait_idle()
    assert len(asked) == 1
    key = fingerprint(read_public(public_file(site_key())))
    labels = page.released.findChildren(QLabel)
    assert f"made with key {key}" in [label.text() for label in labels]


def test_a_chosen_policy_beyond_the_thresholds_is_not_released(searched):
    found = searched.session.current(LATTICE)
    levels = dict.fromkeys(found.attributes, 0)
    searched.session.apply(ops.choose(levels, 1), "choose")
    searched.decide_export("stars")
    searched.wait_idle()
    page = searched.page("export")
    assert not page.export_button.isEnabled()
    assert page.status().what_is_missing == "1 threshold is not met."


def test_a_release_is_verified_from_the_menu(searched, tmp_path, monkeypatch):
    searched.decide_export("stars")
    released = searched.export(tmp_path)
    folder = released.folder
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: str(folder))
    for status in ("success", "danger"):
        searched.window.actions_by_name["verify"].trigger()
        searched.wait_idle()
        notices = searched.window.notices.notices
        assert [n.status for n in notices if n.topic == "verified"] == [status]
        (table,) = folder.glob("*_released.csv")
        table.write_text(table.read_text() + "\n")


def test_what_nobody_has_looked_at_has_an_eye_also_after_reopening(driver, tmp_path):
    """A tick says that somebody decided; opening the page takes the eye away only."""
    driver.open_data(write_patients(tmp_path / "patients.csv", n=200))
    driver.confirm_roles()
    driver.window.build_all_pages()
    item, path = driver.window.rail.item("hierarchies"), tmp_path / "p.deid.json"
    assert item.status.state is StepState.PROPOSED
    assert "page not yet opened" in item.accessibleName()
    assert "page not yet opened" in item.toolTip()
    assert not item.status.what_is_missing
    driver.workspace.save(path)
    driver.open_project(path)
    driver.window.build_all_pages()
    assert item.status.state is StepState.PROPOSED
    driver.page("hierarchies")
    assert item.status.state is StepState.SEEN
    assert "page opened, not decided" in item.accessibleName()
    assert "page opened, not decided" in item.toolTip()
    assert not driver.session.has_unsaved_changes
    driver.workspace.save(path)
    driver.page("start")
    driver.open_project(path)
    driver.window.build_all_pages()
    assert item.status.state is StepState.SEEN
    assert not driver.problems
