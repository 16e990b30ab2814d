"""Jobs end exactly once, on the owner's thread, and can be paused and cancelled."""

import contextlib
import queue
import threading
import time

import pytest

from deidgui.app.jobs import Job, JobRunner
from deidgui.monitor import SubMonitor


class Owner:
    """An owner's thread: closures wait until the test runs them."""

    def __init__(self):
        self.closures = queue.Queue()
        self.endings = []
        self.progress = []
        self.threads = set()
        self.runner = JobRunner(self.closures.put)

    def job(self):
        return Job(
            on_done=lambda value: self._end(("done", value)),
            on_failed=lambda error: self._end(("failed", error)),
            on_cancelled=lambda: self._end(("cancelled", None)),
            on_progress=lambda fraction, note: self.progress.append(fraction),
        )

    def _end(self, ending):
        self.threads.add(threading.current_thread())
        self.endings.append(ending)

    def run_until(self, condition, limit_s=10.0):
        until = time.monotonic() + limit_s
        while not condition():
            assert time.monotonic() < until, "nothing happened"
            with contextlib.suppress(queue.Empty):
                self.closures.get(timeout=0.05)()


@pytest.fixture
def owner():
    owner = Owner()
    yield owner
    owner.runner.close()


def test_done_on_the_owners_thread_with_monotone_progress(owner):
    def work(monitor):
        for part in (SubMonitor(monitor, 0, 0.5), SubMonitor(monitor, 0.5, 1)):
            for step in range(5):
                time.sleep(0.02)
                part.report(step / 4)
        return 42

    owner.runner.start("lane", work, owner.job())
    owner.run_until(lambda: owner.endings)
    assert owner.endings == [("done", 42)]
    assert owner.threads == {threading.current_thread()}
    assert owner.progress == sorted(owner.progress)
    assert owner.progress[-1] == 1.0


def test_cancel_stops_at_the_next_report(owner):
    def work(monitor):
        while True:
            time.sleep(0.01)
            monitor.report(0.1)

    job = owner.runner.start("lane", work, owner.job())
    job.cancel()
    owner.run_until(lambda: owner.endings, 1.0)
    assert owner.endings == [("cancelled", None)]


def test_cancel_after_the_end_but_before_delivery_is_cancelled(owner):
    finished = threading.Event()

    def work(monitor):
        finished.set()
        return 1

    job = owner.runner.start("lane", work, owner.job())
    finished.wait(5)
    time.sleep(0.05)
    job.cancel()
    owner.run_until(lambda: owner.endings)
    assert owner.endings == [("cancelled", None)]


def test_a_worker_that_swallows_exceptions_still_cancels(owner):
    def work(monitor):
        while True:
            with contextlib.suppress(Exception):
                monitor.report(0.5)

    owner.runner.start("lane", work, owner.job()).cancel()
    owner.run_until(lambda: owner.endings)
    assert owner.endings == [("cancelled", None)]


def test_the_second_job_of_a_lane_supersedes_the_first(owner):
    def forever(monitor):
        while True:
            time.sleep(0.005)
            monitor.report(0.0)

    owner.runner.start("lane", forever, owner.job())
    owner.runner.start("lane", lambda monitor: "second", owner.job())
    owner.run_until(lambda: len(owner.endings) == 2)
    assert sorted(name for name, _ in owner.endings) == ["cancelled", "done"]
    assert not owner.runner.is_busy


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3)])
def test_failure_is_delivered(owner, error):
    def work(monitor):
        raise error

    owner.runner.start("lane", work, owner.job())
    owner.run_until(lambda: owner.endings)
    assert owner.endings == [("failed", error)]


def test_pause_waits_and_resume_goes_on(owner):
    reached = []

    def work(monitor):
        for step in range(400):
            reached.append(step)
            time.sleep(0.002)
            monitor.report(step / 400)
        return "end"

    job = owner.runner.start("lane", work, owner.job())
    owner.run_until(lambda: len(reached) > 3)
    job.pause()
    time.sleep(0.1)
    stood = len(reached)
    time.sleep(0.1)
    assert len(reached) == stood
    assert job.is_paused
    job.resume()
    owner.run_until(lambda: owner.endings)
    assert owner.endings == [("done", "end")]


def test_a_paused_job_can_be_cancelled(owner):
    def work(monitor):
        while True:
            monitor.report(0.0)

    job = owner.runner.start("lane", work, owner.job())
    job.pause()
    job.cancel()
    owner.run_until(lambda: owner.endings, 2.0)
    assert owner.endings == [("cancelled", None)]


def test_close_is_silent(owner):
    def forever(monitor):
        while True:
            time.sleep(0.005)
            monitor.report(0.0)

    owner.runner.start("lane", forever, owner.job())
    time.sleep(0.05)
    owner.runner.close()
    while not owner.closures.empty():
        owner.closures.get()()
    assert owner.endings == []
