"""The window is closed in the middle of each kind of work."""

from __future__ import annotations

import threading
import time

import pytest

from deidgui.app import ops
from deidgui.app.counts import ops as counts_ops
from deidgui.app.jobs import JobRunner, Lane
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.counts.noise.rules import DiscreteGaussian
from deidgui.engine.privacy import KnownAttributes
from tests.app.policies.longitudinal_case import make_events_case
from tests.e2e.driver import WizardDriver
from tests.e2e.test_journeys import ready, write_patients
from tests.e2e.test_search import N_COLUMNS, write_project
from tests.engine.counts.seed import TABLE_2
from tests.qt.pages.test_counts import paste

ASKED = "Stop what is running?"


class Held:
    """Holds the work of one lane at one of its reports until it is cancelled."""

    def __init__(self, monkeypatch, lane):
        self.reached, self.n_reports, self.at = threading.Event(), 0, 0
        run, held = JobRunner._run, self

        def run_held(runner, in_lane, work, job):
            if in_lane != lane:
                run(runner, in_lane, work, job)
                return
            held.n_reports = 0
            run(
                runner, in_lane, lambda monitor: work(_Holding(held, monitor, job)), job
            )

        monkeypatch.setattr(JobRunner, "_run", run_held)


class _Holding:
    def __init__(self, held, monitor, job):
        self._held, self._monitor, self._job = held, monitor, job

    def report(self, fraction, note=""):
        held = self._held
        held.n_reports += 1
        if held.n_reports == held.at:
            held.reached.set()
            while not self._job.cancel_requested:
                time.sleep(0.005)
        self._monitor.report(fraction, note)


@pytest.fixture
def program(qtbot):
    """The program; a test closes it."""
    driver = WizardDriver(qtbot)
    driver.asked = []

    def ask(title, *_rest):
        driver.asked.append(title)
        return "stop" if title == ASKED else "discard"

    driver.window.files.ask = ask
    yield driver
    driver.window.close()
    driver.running.close()
    driver.window.deleteLater()


def close_in_the_middle(program, held):
    """Close the window while work is held; nothing may be left of it."""
    program.wait(held.reached.is_set)
    program.asked.clear()
    assert program.window.close()
    program.running.close()
    names = [each.name for each in threading.enumerate()]
    assert not [each for each in names if each.startswith("deidgui-job")]
    assert not program.problems


# -- projects of people ----------------------------------------------------------------


def searched(program, tmp_path):
    ready(program, write_patients(tmp_path / "patients.csv", n=600))
    program.search()
    program.page("utility")
    program.wait_idle()


def start_read(program, tmp_path):
    program.window.files.open_path(write_patients(tmp_path / "patients.csv", n=600))


def start_search(program, tmp_path):
    ready(program, write_patients(tmp_path / "patients.csv", n=600))
    program.start_search()


def start_alternatives(program, tmp_path):
    ready(program, write_patients(tmp_path / "patients.csv", n=600))
    program.click(program.look("alternatives").run_button)


def start_blocks(program, tmp_path):
    ready(program, write_patients(tmp_path / "patients.csv", n=600))
    models = (*program.project.privacy.models, KnownAttributes(2, 3))
    program.session.apply(ops.change_privacy(models=models), "a model")
    program.click(program.look("blocks").run_button)


def start_longitudinal(program, tmp_path):
    project, _classes, _loaded = make_events_case(tmp_path, n_patients=120)
    save_project(project, tmp_path / "stays.deid.json")
    program.open_project(tmp_path / "stays.deid.json")
    program.click(program.look("longitudinal").run_button)


def start_attacks(program, tmp_path):
    searched(program, tmp_path)
    program.workspace.attack()


def start_samples(program, tmp_path):
    searched(program, tmp_path)
    page = program.page("utility")
    page.show_tab("samples")
    page.samples.start.click()


def start_survey(program, tmp_path):
    models = [{"kind": "k_anonymity", "k": 3}]
    program.open_project(write_project(tmp_path, N_COLUMNS, models))
    program.start_search()


def start_verifying(program, tmp_path):
    searched(program, tmp_path)
    program.decide_export("stars")
    folder = program.export(tmp_path).folder
    program.workspace.verify(folder)


STARTS = {
    Lane.READ: start_read,
    Lane.LATTICE: start_search,
    Lane.SURVEY: start_survey,
    Lane.ALTERNATIVES: start_alternatives,
    Lane.BLOCKS: start_blocks,
    Lane.LONGITUDINAL: start_longitudinal,
    Lane.ATTACKS: start_attacks,
    Lane.SAMPLES: start_samples,
    Lane.MEASURE: start_search,
    Lane.VERIFY: start_verifying,
}


@pytest.mark.parametrize("lane", STARTS)
def test_work_on_people_ends_with_the_window(program, tmp_path, monkeypatch, lane):
    held = Held(monkeypatch, lane)
    held.at = 2
    STARTS[lane](program, tmp_path)
    close_in_the_middle(program, held)
    assert (ASKED in program.asked) == (lane is not Lane.MEASURE)


def test_a_release_is_there_whole_or_not_at_all(program, tmp_path, monkeypatch):
    """Writing is stopped at ten places, at the last one by closing the window."""
    held = Held(monkeypatch, Lane.EXPORT)
    searched(program, tmp_path)
    program.decide_export("stars")
    saved = tmp_path / "patients.deid.json"
    program.workspace.save(saved)
    before = saved.read_bytes()
    # What importance costs is known to those after the first: they report less.
    for name in ("first", "whole"):
        assert program.export(tmp_path / name) is not None
    n_reports, out = held.n_reports, tmp_path / "out"
    assert n_reports > 20
    out.mkdir()
    for part in range(10):
        held.at = max(2, n_reports * (part + 1) // 10)
        held.reached.clear()
        program.page("export").export_to(out)
        if part < 9:
            program.wait(held.reached.is_set)
            program.workspace.cancel(Lane.EXPORT)
            program.wait_idle()
            assert not list(out.iterdir())
    close_in_the_middle(program, held)
    assert program.asked[:1] == [ASKED]
    assert not list(out.iterdir())
    assert saved.read_bytes() == before
    assert load_project(saved) == program.project


# -- projects of counts ----------------------------------------------------------------


def counted(program):
    """The first table of the paper, with a threshold."""
    program.window.files.new_counts()
    paste(program.window, TABLE_2)
    program.page("tables")._threshold.setValue(11)
    program.wait_idle()


def start_noise(program, _tmp_path):
    counted(program)
    program.session.apply(counts_ops.set_noise(DiscreteGaussian.proposed()), "noise")
    page = program.page("counts_release")
    page.kind.set_current("noise")
    page.kind.chosen.emit("noise")
    page.draw.click()


def start_writing(program, tmp_path):
    start_noise(program, tmp_path)
    program.wait_idle()
    program.page("counts_release").export_to(tmp_path / "out")


def start_repair(program, _tmp_path):
    counted(program)
    program.page("structure")._confirm.click()
    program.wait_idle()
    program.page("repair").compare.click()


@pytest.mark.parametrize(
    ("lane", "start"),
    [
        (Lane.NOISE, start_noise),
        (Lane.EXPORT, start_writing),
        (Lane.REPAIR, start_repair),
    ],
)
def test_work_on_counts_ends_with_the_window(
    program, tmp_path, monkeypatch, lane, start
):
    (tmp_path / "out").mkdir()
    held = Held(monkeypatch, lane)
    held.at = 2
    start(program, tmp_path)
    close_in_the_middle(program, held)
    assert program.asked[:1] == [ASKED]
    assert not list((tmp_path / "out").iterdir())
