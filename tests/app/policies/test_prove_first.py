"""The best policy is proven first; what a survey finds later changes nothing of it."""

from __future__ import annotations

import numpy as np
import pytest

from deidgui.app.policies.candidate import CandidateState
from deidgui.app.policies.lattice import searching, what_if
from deidgui.app.policies.lattice.searching import find_best, search, survey
from deidgui.app.policies.lattice.source import SOURCE
from deidgui.app.policies.lattice.trade_offs import find_trade_offs
from deidgui.app.policies.runner import LATTICE, PolicyRunner
from deidgui.app.session import Kind, Session
from deidgui.engine.privacy import KAnonymity
from deidgui.errors import Cancelled
from tests.explored_case import fill, make_case

MEASURES = ["loss", "non_uniform_entropy", "average_class_size", "kl_divergence"]


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """As if eighteen policies were many."""
    monkeypatch.setattr(searching, "FEW_PROFILED", 0)
    monkeypatch.setattr(searching, "FEW_SHOWN", 4)
    monkeypatch.setattr(searching, "GROWN_EVERY_S", 0.0)
    monkeypatch.setattr(searching, "REST", 0)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("limit", [0.0, 0.1, 1.0])
def test_a_survey_fills_in_and_never_changes_the_answer(measure, limit, monkeypatch):
    case = make_case(limit=limit, measure={"kind": measure})
    best, grown = find_best(case.project, case.classes), []
    assert best.complete
    assert best.lattice.n_nodes <= 4 < best.n_nodes == 18
    whole = survey(case.project, case.classes, best, emit=grown.append)
    monkeypatch.setattr(searching, "FEW_PROFILED", 100)
    every = find_best(case.project, case.classes)
    assert every.proof.method == "profile"
    assert best.levels_of(best.optimum) == every.levels_of(every.optimum)
    known = [each.profile.n_checked for each in (*grown, whole)]
    assert known == sorted(known)
    assert known[0] >= best.lattice.n_nodes
    assert known[-1] == 18 - whole.n_skipped
    for each in (*grown, whole):
        assert each.proof == best.proof
        assert each.loss[each.optimum] == best.loss[best.optimum]
        assert each.levels_of(each.optimum) == best.levels_of(best.optimum)
        # What is told of a part is what is known of all.
        seen = each.profile.checked
        assert np.array_equal(each.feasible[seen], every.feasible[seen])
        assert np.array_equal(each.suppressed[seen], every.suppressed[seen])
        assert not each.feasible[~seen].any()
    assert whole.is_whole
    assert np.array_equal(whole.ranked, every.ranked)


def test_without_a_soon_proof_all_policies_are_looked_at(monkeypatch):
    monkeypatch.setattr(searching, "LEAST_FOR_PROOF", 1)
    monkeypatch.setattr(searching, "SHARE_FOR_PROOF", 0.1)
    case = make_case()
    found = find_best(case.project, case.classes)
    assert (found.proof.method, found.proof.n_examined) == ("profile", 18)
    assert found.is_whole
    assert survey(case.project, case.classes, found) is found


def test_where_none_meets_the_thresholds_the_nearest_miss_is_exact(monkeypatch):
    absent = {"kind": "distinct_l_diversity", "attribute": "diagnosis", "diversity": 9}
    case = make_case(models=(absent,), limit=0.5)
    found = find_best(case.project, case.classes)
    assert found.optimum is None
    assert found.is_whole
    assert found.suppressed[found.nearest] == found.suppressed.min()


def test_a_survey_that_is_cancelled_keeps_what_it_knew():
    case = make_case()
    best, grown = find_best(case.project, case.classes), []

    class Stop:
        def report(self, _fraction, _note=""):
            if grown:
                raise Cancelled

    with pytest.raises(Cancelled):
        survey(case.project, case.classes, best, emit=grown.append, monitor=Stop())
    assert grown[-1].profile.n_checked <= 18
    assert grown[-1].levels_of(grown[-1].optimum) == best.levels_of(best.optimum)
    assert grown[-1].complete


def test_other_thresholds_are_proven_before_the_survey_is_done():
    case = make_case()
    best = find_best(case.project, case.classes)
    for k in (2, 6, 9):
        answer = what_if.answer(best, (KAnonymity(k),), 0.2)
        again = make_case(k, 0.2).found
        assert answer.complete
        assert answer.levels_of(answer.optimum) == again.levels_of(again.optimum)
    assert not what_if.can_renew(case.project, case.classes, best)


def test_renewed_policies_state_what_a_new_search_would():
    case = make_case()
    found = search(case.project, case.classes)
    privacy = case.project.privacy.but(models=(KAnonymity(6),), suppression_limit=0.2)
    project = case.project.but(privacy=privacy)
    assert what_if.can_renew(project, case.classes, found)
    renewed = what_if.renewed(project, found)
    again = search(project, case.classes)
    assert renewed.proof == again.proof
    assert renewed.choice(renewed.optimum) == again.choice(again.optimum)


@pytest.fixture
def narrow(monkeypatch):
    """A survey that reaches no further than what is decided."""
    monkeypatch.setattr(searching, "REACHED_SHARE", 0.0)
    monkeypatch.setattr(searching, "REACHED_TIMES", 1)
    return make_case(k=3, limit=0.02)


def test_a_survey_skips_what_cannot_meet_anything_within_reach(narrow, monkeypatch):
    case, found = narrow, narrow.found
    monkeypatch.setattr(searching, "REACHED_SHARE", 1.0)
    every = search(case.project, case.classes)
    assert every.n_skipped == 0
    assert 0 < found.n_skipped < found.n_nodes
    small = every.profile.tiers[:, 1, 0]
    limit = found.profile.reach.records
    assert (every.profile.ladder[1], limit) == (2, int(0.02 * found.n_records))
    # Those that were known before keep their figures.
    assert (found.profile.skipped <= (small > limit)).all()
    assert found.profile.checked[small <= limit].all()
    # None that meets the thresholds is missing, and the best is the same.
    assert np.array_equal(found.feasible, every.feasible)
    assert found.is_whole
    assert found.proof == every.proof
    assert found.choice(found.optimum) == every.choice(every.optimum)
    # What was skipped is not measured, and is said to be neither good nor bad.
    row = int(np.flatnonzero(found.profile.skipped)[0])
    assert found.columns.state(row) is CandidateState.UNCHECKED
    assert found.columns.figures(row).loss is None
    described = SOURCE.describe(found)
    assert described["skipped"] == found.n_skipped
    assert f"{found.n_skipped} policies were skipped" in described["skipped_because"]
    assert SOURCE.describe(every)["skipped_because"] == ""


def test_what_is_asked_beyond_reach_is_searched_for(narrow):
    found = narrow.found
    for k, limit in ((2, 0.02), (3, 0.01), (3, 0.2), (2, 1.0)):
        models = (KAnonymity(k),)
        answer = what_if.answer(found, models, limit)
        again = make_case(k, limit).found
        assert answer.complete
        assert answer.levels_of(answer.optimum) == again.levels_of(again.optimum)
        assert answer.loss[answer.optimum] == again.loss[again.optimum]
        is_within = limit <= 0.02
        assert (answer.lattice.n_nodes == found.n_nodes) == is_within
        privacy = narrow.project.privacy.but(models=models, suppression_limit=limit)
        project = narrow.project.but(privacy=privacy)
        assert what_if.can_renew(project, narrow.classes, found) == is_within


def test_limits_are_priced_as_far_as_the_survey_reached(narrow, monkeypatch):
    prices = find_trade_offs(narrow.found)
    monkeypatch.setattr(searching, "REACHED_SHARE", 1.0)
    every = find_trade_offs(search(narrow.project, narrow.classes))
    n_priced = len(prices.by_limit.at)
    assert prices.is_whole
    assert 0 < n_priced < len(every.by_limit.at)
    assert prices.by_limit.at[-1] <= 0.02
    for name in ("at", "loss", "nodes"):
        own, other = getattr(prices.by_limit, name), getattr(every.by_limit, name)
        assert np.array_equal(own, other[:n_priced], equal_nan=name == "loss")
        own, other = getattr(prices.by_size, name), getattr(every.by_size, name)
        assert np.array_equal(own, other, equal_nan=name == "loss")


class Jobs:
    """Jobs that run when they are told to."""

    def __init__(self):
        self.waiting, self.paused = [], False

    def start(self, lane, work, done, _cancelled):
        self.waiting.append((lane, work, done))

    def running(self, lane):
        return self if any(lane == each[0] for each in self.waiting) else None

    def pause(self):
        self.paused = True

    def resume(self):
        self.paused = False

    def cancel(self):
        self.waiting.clear()

    def run(self, lane):
        (job,) = (each for each in self.waiting if each[0] == lane)
        self.waiting.remove(job)
        _, work, done = job
        done(work(_Quiet()))


class _Quiet:
    def report(self, fraction, note=""):
        pass


@pytest.fixture
def running():
    """A session whose lattice has been searched, and the jobs that follow."""
    case, session, jobs = make_case(), Session(), Jobs()
    fill(session, case)
    runner = PolicyRunner(
        session, jobs.start, lambda _project: None, lambda told: told(), jobs.running
    )
    runner._build = lambda _project: lambda _monitor: case.classes
    jobs.waiting.clear()
    runner.start(LATTICE)
    return runner, session, jobs


def test_the_proven_best_is_kept_before_the_survey_begins(running):
    runner, session, jobs = running
    jobs.run(LATTICE)
    best = session.current(LATTICE)
    assert best.complete
    assert not best.is_whole
    assert session.is_complete(LATTICE)
    assert best.choice(best.optimum).searched.is_optimum
    jobs.run("survey")
    whole = session.current(LATTICE)
    assert whole.is_whole
    assert whole.is_same_answer(best)
    assert whole.choice(whole.optimum) == best.choice(best.optimum)
    assert runner.policies.part(LATTICE) is whole
    assert jobs.running("survey") is None


def test_a_survey_waits_for_every_reason(running):
    runner, _session, jobs = running
    runner.hold("page")
    jobs.run(LATTICE)
    assert jobs.paused
    runner.hold("export")
    runner.let_go("page")
    assert jobs.paused
    runner.let_go("export")
    assert not jobs.paused


def test_a_survey_of_earlier_decisions_is_stopped(running):
    _runner, session, jobs = running
    jobs.run(LATTICE)
    privacy = session.project.privacy.but(models=(KAnonymity(9),))
    session.apply(lambda project: project.but(privacy=privacy), "k = 9")
    assert jobs.running("survey") is None


def test_a_grown_set_needs_no_new_measurement(running):
    _runner, session, jobs = running
    jobs.run(LATTICE)
    best = session.current(LATTICE)
    jobs.run("survey")
    assert session.current(LATTICE).is_same_answer(best)
    assert not session.current(LATTICE).is_same_answer(None)
    assert session.current(Kind.CLASSES) is not None
