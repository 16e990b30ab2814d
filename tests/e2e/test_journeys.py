"""Journeys of a user through the real window."""

import json

import numpy as np
import pytest

from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import State
from deidgui.cli.main import main
from deidgui.engine.evidence.verify import verify_release
from deidgui.engine.privacy import KAnonymity
from deidgui.qt.pages.base import StepState


def write_patients(path, n=3000, seed=0):
    """A made-up table with what a hospital's has."""
    random = np.random.default_rng(seed)
    lines = ["patient_id,last_name,birth_date,sex,zip,race,diagnosis"]
    for number in range(n):
        year, month, day = random.integers((1930, 1, 1), (2016, 13, 29))
        lines.append(
            f"MRN{number:06d},Doe{number},{year}-{month:02d}-{day:02d},"
            f"{random.choice(['F', 'M'])},{random.choice([37201, 37919, 38103])},"
            f"{random.choice(['White', 'Black', 'Asian'], p=[0.7, 0.25, 0.05])},"
            f"{random.choice(['E11.9', 'I10', 'J45.909', 'C50.911'])}"
        )
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def patients(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    return write_patients(folder / "patients.csv")


def ready(driver, patients, recipient="researcher"):
    driver.open_data(patients)
    driver.confirm_roles()
    driver.choose_recipient(recipient)


def test_from_a_file_to_a_verified_release(driver, patients, tmp_path):
    ready(driver, patients)
    roles = {a.name: a.role for a in driver.project.attributes}
    assert roles["patient_id"] == roles["last_name"] == "direct_identifier"
    assert roles["birth_date"] == roles["zip"] == "quasi_identifier"
    driver.search()
    driver.decide_export("stars")
    released = driver.export(tmp_path)
    assert verify_release(released.folder).ok
    evidence = json.loads((released.folder / "evidence.json").read_text())
    assert all(model["satisfied"] for model in evidence["models"])
    header = (released.folder / evidence["outputs"][0]["path"]).read_text().split()[0]
    assert header == "birth_date,sex,zip,race,diagnosis"
    assert driver.window.page("export").status().state is StepState.DONE
    assert not driver.problems


def test_the_window_and_the_command_write_the_same_bytes(driver, patients, tmp_path):
    ready(driver, patients)
    driver.search()
    driver.decide_export("left_out", seed=7)
    project = patients.parent / "p.deid.json"
    for chosen in (False, True):
        if chosen:
            page = driver.page("policies")
            page._choose(int(page.policies.order()[1]))
            driver.wait_idle()
            assert driver.project.chosen is not None
        released = driver.export(tmp_path / str(chosen))
        driver.workspace.save(project)
        headless = tmp_path / f"headless {chosen}"
        assert main(["run", str(project), "--out", str(headless)]) == 0
        table = released.written.evidence.outputs[0].path
        for name in (table, "policy.json"):
            assert (released.folder / name).read_bytes() == (
                headless / name
            ).read_bytes()
        theirs = json.loads((headless / "evidence.json").read_text())["search"]
        ours = json.loads((released.folder / "evidence.json").read_text())["search"]
        assert ours == theirs
        assert ours["chosen"] == chosen


def test_nothing_is_released_before_every_decision_is_made(driver, patients):
    driver.open_data(patients)
    assert not driver.page("policies").look.run_button.isEnabled()
    assert driver.page("risk").status().what_is_missing
    driver.choose_recipient("public")
    assert driver.page("policies").look.run_button.isEnabled()
    driver.search()
    page = driver.page("export")
    driver.wait_idle()
    assert not page.export_button.isEnabled()
    assert page.status().what_is_missing


def test_a_cancelled_search_keeps_the_best_so_far(driver, patients):
    ready(driver, patients)
    driver.set_limit(1.0)
    stopped = []

    def stop(_kind, best):
        if not stopped:
            stopped.append(best)
            driver.workspace.cancel(LATTICE)

    driver.workspace.policies.found.connect(stop)
    driver.start_search()
    driver.wait(lambda: stopped)
    driver.wait_idle()
    found = driver.session.result(LATTICE)
    assert found is not None
    assert found.optimum is not None
    if not found.complete:
        assert driver.page("policies").status().state is StepState.ATTENTION
    driver.search()
    assert driver.session.result(LATTICE).complete


def test_undo_across_pages_marks_results_stale_and_current_again(driver, patients):
    ready(driver, patients)
    driver.search()
    best = driver.session.current(LATTICE)
    driver.set_limit(0.2)
    assert driver.session.state(LATTICE) is State.STALE
    assert driver.page("policies").status().state is StepState.STALE
    driver.window.actions_by_name["undo"].trigger()
    driver.wait_idle()
    assert driver.session.current(LATTICE) is best
    assert driver.undo_everything() >= 2
    assert driver.project.privacy.models == ()
    assert all(not attribute.confirmed for attribute in driver.project.attributes)
    assert driver.session.undo_label is None
    while driver.session.redo_label is not None:
        driver.window.actions_by_name["redo"].trigger()
    driver.wait_idle()
    assert driver.project.privacy.suppression_limit == 0.2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a,b\n1,2\n3\n",
        b"a,b\n" + b'1,"x"\n' * 50 + b'2,"y\n',
        b"\x00\x01\x02" * 50,
    ],
)
def test_a_broken_file_is_refused_and_the_work_stays(
    driver, patients, tmp_path, content
):
    driver.open_data(patients)
    before = driver.project
    broken = tmp_path / "broken.csv"
    broken.write_bytes(content)
    driver.window.files.open_path(broken)
    driver.wait(lambda: driver.problems)
    driver.wait_idle()
    ((lane, error),) = driver.problems
    assert lane == "read"
    assert error.params["file"] == "broken.csv"
    assert driver.project == before


def test_nothing_feasible_names_the_nearest_miss(driver, tmp_path):
    path = write_patients(tmp_path / "few.csv", n=40)
    ready(driver, path, "public")
    page = driver.page("risk")
    page.thresholds.models_edited.emit((KAnonymity(90),))
    driver.set_limit(0.0)
    driver.search()
    found = driver.session.current(LATTICE)
    assert found.optimum is None
    status = driver.page("policies").status()
    assert status.state is StepState.ATTENTION
    assert driver.page("export").status().state is not StepState.READY


def test_a_saved_project_opens_again_with_every_decision(driver, patients):
    ready(driver, patients)
    driver.decide_export("stars", seed=3)
    project = patients.parent / "again.deid.json"
    driver.workspace.save(project)
    saved = driver.project
    driver.open_data(patients)
    assert driver.project != saved
    driver.open_project(project)
    driver.wait(lambda: driver.session.loaded is not None)
    assert driver.project == saved
    assert "Doe" not in project.read_text()
    assert "37919" not in project.read_text()


def test_changed_data_asks_before_it_is_used(driver, patients):
    ready(driver, patients)
    project = patients.parent / "p.deid.json"
    driver.workspace.save(project)
    write_patients(patients, seed=1)
    driver.open_project(project)
    assert driver.session.loaded is None
    driver.workspace.accept_changed_data()
    driver.wait_idle()
    assert driver.session.loaded is not None
    assert (
        main(["run", str(project), "--out", str(project.parent / "r"), "--json"]) == 2
    )


def test_a_crash_loses_no_decision(driver, patients, qtbot):
    from tests.e2e.driver import WizardDriver

    ready(driver, patients)
    driver.workspace.autosave()
    expected = driver.project
    # A crash closes nothing: the second program finds what the first has left.
    again = WizardDriver(qtbot)
    try:
        assert again.running.recovery.exists
        assert again.workspace.recover()
        again.wait(lambda: again.session.loaded is not None)
        again.wait_idle()
        assert again.project.privacy == expected.privacy
        assert again.project.attributes == expected.attributes
        assert again.session.has_unsaved_changes
    finally:
        again.quit()
