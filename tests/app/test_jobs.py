"""Jobs end exactly once, on the owner's thread, and can be paused and cancelled."""

import contextlib
import queue
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from deidgui.app import jobs
from deidgui.app.jobs import Job, JobRunner
from deidgui.monitor import SubMonitor


class Owner:
    """An owner's thread: closures wait until the test runs them."""

    def __init__(self, executor=None):
        self.closures = queue.Queue()
        self.endings = []
        self.progress = []
        self.threads = set()
        self.runner = JobRunner(self.closures.put, executor)

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

    def run_all(self):
        while not self.closures.empty():
            self.closures.get()()


class AtOnce(Executor):
    """Does the work at once, in the thread that asks for it."""

    def submit(self, work, *arguments):
        work(*arguments)
        return Future()


@pytest.fixture
def owner():
    owner = Owner()
    yield owner
    owner.runner.close()


@pytest.fixture
def at_once():
    """An owner whose jobs end when they start; only the endings are delivered later."""
    return Owner(AtOnce())


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


def test_time_for_which_a_job_is_paused_is_not_its_own(monkeypatch):
    """What waits for ten minutes has not worked for ten minutes."""
    now = iter([100.0, 103.0, 110.0, 120.0, 121.0])
    monkeypatch.setattr(jobs.time, "monotonic", lambda: next(now))
    job = Job(lambda _found: None, lambda _error: None)
    assert job.waited_s == 0
    job.pause()
    job.pause()
    assert job.waited_s == 3
    job.resume()
    assert job.waited_s == 10
    job.resume()
    job.pause()
    assert job.waited_s == 11


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


# -- lanes -----------------------------------------------------------------------------


def nothing(_monitor):
    """Work that ends at once."""


def raises(_value):
    raise ValueError("a callback fails")


def test_a_lane_is_busy_until_its_ending_is_delivered(at_once):
    runner, job = at_once.runner, at_once.job()
    assert runner.start("lane", nothing, job) is job
    assert runner.running("lane") is job
    assert runner.running("other") is None
    assert runner.is_busy
    at_once.run_all()
    assert runner.running("lane") is None
    assert not runner.is_busy


@pytest.mark.parametrize("ending", ["done", "failed", "cancelled"])
def test_a_lane_is_free_when_its_ending_is_told(at_once, ending):
    """Whoever is told may start the next job, which is not forgotten then."""
    runner, following = at_once.runner, at_once.job()

    def told(*_result):
        assert runner.running("lane") is None
        runner.start("lane", nothing, following)
        assert runner.running("lane") is following

    work = raises if ending == "failed" else nothing
    job = runner.start("lane", work, Job(told, told, told))
    if ending == "cancelled":
        job.cancel()
    at_once.run_all()
    assert at_once.endings == [("done", None)]
    assert not runner.is_busy


def test_a_callback_that_fails_leaves_its_lane_free(at_once):
    at_once.runner.start("lane", nothing, Job(on_done=raises, on_failed=raises))
    with pytest.raises(ValueError, match="a callback fails"):
        at_once.run_all()
    assert not at_once.runner.is_busy


def test_the_end_of_a_superseded_job_leaves_the_lane_to_the_second(at_once):
    runner, first, second = at_once.runner, at_once.job(), at_once.job()
    runner.start("lane", nothing, first)
    runner.start("lane", nothing, second)
    assert first.cancel_requested
    assert not second.cancel_requested
    while not at_once.endings:
        at_once.closures.get()()
    assert at_once.endings == [("cancelled", None)]
    assert runner.running("lane") is second
    at_once.run_all()
    assert at_once.endings == [("cancelled", None), ("done", None)]
    assert not runner.is_busy


def test_cancel_all_spares_one_lane(at_once):
    started = {
        lane: at_once.runner.start(lane, nothing, at_once.job()) for lane in "abc"
    }
    at_once.runner.cancel_all(but="b")
    asked = {lane for lane, job in started.items() if job.cancel_requested}
    assert asked == {"a", "c"}
    at_once.runner.cancel_all()
    assert started["b"].cancel_requested


def test_after_close_nothing_is_busy_and_nothing_is_told(at_once):
    """Neither what waits for delivery nor what is reported later."""
    runner = at_once.runner
    job = runner.start("lane", nothing, at_once.job())
    runner.close()
    assert job.cancel_requested
    assert not runner.is_busy
    at_once.run_all()
    assert at_once.endings == at_once.progress == []
    runner._post(lambda: at_once.endings.append("told"))
    assert at_once.closures.empty()


def test_a_closed_runner_starts_nothing(at_once):
    """A timer of the window may fire while the program ends."""
    at_once.runner.close()
    at_once.runner.start("lane", nothing, at_once.job())
    at_once.run_all()
    assert at_once.endings == []
    assert not at_once.runner.is_busy


def test_close_waits_for_what_runs_and_what_waits_never_begins():
    """Nothing writes to a file that its owner has left."""
    ended, started = [], threading.Event()

    def slow(_monitor):
        started.set()
        time.sleep(0.1)
        ended.append("ran")

    owner = Owner(ThreadPoolExecutor(max_workers=1))
    owner.runner.start("a", slow, owner.job())
    owner.runner.start("b", slow, owner.job())
    assert started.wait(5)
    owner.runner.close()
    assert ended == ["ran"]


# -- progress --------------------------------------------------------------------------


def test_progress_is_told_twenty_times_a_second_and_at_the_end(at_once, monkeypatch):
    clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(jobs, "time", clock)

    def work(monitor):
        for step in range(1, 11):
            clock.now += 0.02
            monitor.report(step / 100)
        monitor.report(1.0)
        monitor.report(1.0)

    at_once.runner.start("lane", work, at_once.job())
    at_once.run_all()
    assert at_once.progress == [0.0, 0.03, 0.06, 0.09, 1.0, 1.0]


def test_progress_never_goes_back_and_has_its_note(at_once, monkeypatch):
    monkeypatch.setattr(jobs, "PROGRESS_EVERY_S", 0.0)
    told = []
    job = Job(at_once._end, at_once._end, on_progress=lambda *each: told.append(each))

    def work(monitor):
        monitor.report(0.5, "half")
        monitor.report(0.25, "back")

    at_once.runner.start("lane", work, job)
    at_once.run_all()
    assert told == [(0.0, ""), (0.5, "half"), (0.5, "back")]


def test_a_cancelled_job_tells_no_progress_any_more(at_once):
    job = at_once.runner.start("lane", lambda monitor: monitor.report(1), at_once.job())
    job.cancel()
    at_once.run_all()
    assert at_once.progress == []
    assert at_once.endings == [("cancelled", None)]


def test_a_job_may_leave_cancellation_and_progress_untold(at_once):
    job = at_once.runner.start("lane", nothing, Job(at_once._end, at_once._end))
    job.cancel()
    at_once.run_all()
    assert at_once.endings == []
    assert not at_once.runner.is_busy


def test_a_job_knows_whether_it_waits():
    job = Job(raises, raises)
    assert not job.is_paused
    job.pause()
    assert job.is_paused
    job.resume()
    assert not job.is_paused
    job.checkpoint()


# -- what every lane does --------------------------------------------------------------


def test_beginning_and_end_of_every_lane_are_told(at_once):
    told, runner = [], at_once.runner
    runner.began.connect(lambda lane: told.append(("began", lane)))
    runner.ended.connect(lambda lane: told.append(("ended", lane)))
    runner.start("a", nothing, at_once.job())
    runner.start("b", nothing, at_once.job())
    assert told == [("began", "a"), ("began", "b")]
    at_once.run_all()
    assert told[2:] == [("ended", "a"), ("ended", "b")]


def test_a_lane_whose_job_is_replaced_ends_once(at_once):
    """It ends before its job does: what follows from a result begins anew."""
    ended, runner = [], at_once.runner
    runner.ended.connect(lambda lane: ended.append(lane))
    runner.start("lane", nothing, at_once.job())
    second = Job(lambda _result: at_once.endings.append(list(ended)), at_once._end)
    runner.start("lane", nothing, second)
    at_once.run_all()
    assert ended == ["lane"]
    assert at_once.endings == [("cancelled", None), ["lane"]]
