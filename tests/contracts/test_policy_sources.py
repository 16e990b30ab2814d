"""What every registered source of policies must keep."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import get_args

import pytest

from deidgui.app.changes import fingerprint
from deidgui.app.policies import source as sources
from deidgui.app.policies.candidate import CandidateState, occurring_leaves, table_key
from deidgui.app.policies.policy_set import FIGURES, Filter, PolicySet, SourceResult
from deidgui.app.policies.source import (
    BLOCKS,
    KINDS,
    LATTICE,
    LONGITUDINAL,
    Plan,
    source,
    source_of,
)
from deidgui.app.project import BlocksChoice, Chosen, Discover, Project
from deidgui.engine.privacy import KnownAttributes
from deidgui.errors import Cancelled, ConfigError
from tests.app.policies.longitudinal_case import make_events_case
from tests.explored_case import make_case


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Tables with every decision that any source asks for."""
    made = make_case(limit=0.2)
    discover = Discover(baseline="typed", typed=20.0, iterations=20, seed=3)
    stays, classes, _ = make_events_case(
        tmp_path_factory.mktemp("stays"), n_patients=60
    )
    few = made.project.but(
        privacy=made.project.privacy.but(models=(KnownAttributes(2, 6),)),
        blocks=BlocksChoice(suppress="cells"),
    )
    return {
        "rows": (made.project.but(discover=discover), made.classes),
        "few known": (few, made.classes),
        "people": (stays, classes),
    }


@pytest.fixture(scope="module", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def case(tables, kind):
    names = {LONGITUDINAL: "people", BLOCKS: "few known"}
    return tables[names.get(kind, "rows")]


@pytest.fixture(scope="module")
def found(case, kind):
    return measured(case, source(kind).run(*case))


def measured(case, found):
    """What was found with all figures, as the window shows it."""
    project, _ = case
    weights = {each.name: each.weight for each in project.quasi_identifiers}
    again = found.guided_by(project.quality.measure, weights)
    assert again.is_guided_by(project.quality.measure, weights)
    assert choices(again) == choices(found)
    return again


@pytest.fixture(scope="module")
def policies(found):
    return PolicySet().with_part(found)


def emitted(case, kind, monitor=None):
    """Everything that a run emits, and its result."""
    seen = []
    more = {} if monitor is None else {"monitor": monitor}
    result = source(kind).run(*case, emit=seen.append, **more)
    return seen, result


def test_a_source_is_registered_with_its_kind_and_a_fingerprint(case, kind, found):
    project, _ = case
    assert source(kind).kind == kind
    decided = fingerprint(project, found.decided_by)
    assert decided == fingerprint(project.but(notes="other"), found.decided_by)
    limited = project.but(privacy=project.privacy.but(models=(), events=None))
    less = limited.but(discover=Discover())
    assert decided != fingerprint(less, found.decided_by)


def test_every_kind_of_stored_policy_has_one_source():
    stored = [each for one in sources._SOURCES for each in one.stores]
    assert sorted(stored) == sorted(get_args(Chosen.model_fields["kind"].annotation))


def test_it_plans_and_says_what_is_missing_before_it_runs(case, kind):
    project, classes = case
    assert source(kind).problems(project) == []
    plan = source(kind).plan(project, classes)
    assert isinstance(plan, Plan)
    assert plan.method
    bare = Project()
    missing = {each.code for each in source(kind).problems(bare)}
    assert missing
    with pytest.raises(ConfigError) as caught:
        source(kind).run(bare, classes)
    assert {each.code for each in caught.value.problems} == missing


def test_what_is_found_grows_until_it_is_complete(case, kind, monkeypatch):
    monkeypatch.setattr("deidgui.app.policies.lattice.searching.FEW_PROFILED", 0)
    monkeypatch.setattr("deidgui.app.policies.blocks.source.REPORT_EVERY_S", 0.0)
    for name in ("REPORT_EVERY_S", "REPORTING"):
        monkeypatch.setattr(f"deidgui.app.policies.alternatives.searching.{name}", 0.0)
    seen, result = emitted(case, kind)
    looked_at = [each.proof.n_examined for each in seen]
    assert looked_at == sorted(looked_at)
    for each in seen:
        assert isinstance(each, SourceResult)
        assert each.kind == kind
        assert len(each.rows) > 0
        assert not each.proof.is_complete
    assert result.proof.is_complete
    # Telling what is found changes nothing.
    quiet = source(kind).run(*case)
    assert choices(quiet) == choices(result)


def test_the_best_of_a_lattice_is_told_before_the_others_are_known(tables, monkeypatch):
    case = tables["rows"]
    monkeypatch.setattr("deidgui.app.policies.lattice.searching.FEW_PROFILED", 0)
    seen, result = emitted(case, LATTICE)
    assert seen[-1].optimality.is_proven
    assert seen[-1].choice(0).is_same(result.choice(result.optimum))
    assert len(seen[-1].columns) == 1


class StopsAfter:
    """A monitor that cancels as soon as something has been emitted."""

    def __init__(self) -> None:
        self.seen = []

    def report(self, fraction, note=""):
        del fraction, note
        if self.seen:
            raise Cancelled


def test_a_cancelled_run_leaves_what_it_had_found(case, kind, monkeypatch):
    monkeypatch.setattr("deidgui.app.policies.lattice.searching.FEW_PROFILED", 0)
    monkeypatch.setattr("deidgui.app.policies.blocks.source.REPORT_EVERY_S", 0.0)
    for name in ("REPORT_EVERY_S", "REPORTING"):
        monkeypatch.setattr(f"deidgui.app.policies.alternatives.searching.{name}", 0.0)
    monitor = StopsAfter()
    try:
        source(kind).run(*case, emit=monitor.seen.append, monitor=monitor)
    except Cancelled:
        last = monitor.seen[-1]
        assert not last.proof.is_complete
        assert len(PolicySet().with_part(last)) > 0
        # Whether thresholds hold is seen after the search where it does not go by them.
        assert (last.columns.meets | ~last.columns.checked).any()
    else:
        # It emits nothing before it ends.
        assert not monitor.seen


def choices(found):
    """Stored forms of all policies, but for how they were found."""
    return [
        found.choice(int(row)).but(found_by=None).model_dump_json()
        for row in found.rows
    ]


def test_the_same_decisions_find_the_same_policies(case, kind, found):
    again = measured(case, source(kind).run(*case))
    assert choices(again) == choices(found)
    assert list(again.columns.loss) == list(found.columns.loss)


def test_orders_filters_and_numbers_fit_together(policies):
    assert len(policies) > 0
    numbers = list(range(len(policies)))
    for by in ("best", *FIGURES):
        assert sorted(policies.order(by).tolist()) == numbers
    meets = policies.matching(Filter())
    assert meets.sum() == policies.n_meeting > 0
    best = policies.candidate(policies.best)
    assert best.state is CandidateState.MEETS
    assert meets[best.number]
    for number in numbers:
        each = policies.candidate(number)
        assert each.number == number
        assert policies.number_of(each.chosen) == number
        assert (each.state is CandidateState.MEETS) == bool(meets[number])
        assert [cell.attribute for cell in each.cells] == list(each.policy.attributes)
        assert each.short_words()


def test_known_figures_are_those_that_are_measured(policies):
    for number in range(len(policies)):
        known, exact = policies.candidate(number).figures, policies.measure(number)
        for name in ("n_suppressed", "average_risk", "loss"):
            told, true = getattr(known, name), getattr(exact.figures, name)
            assert told is not None
            if known.is_exact:
                assert told == pytest.approx(true, rel=1e-9), name
        # Exact, or an upper bound where large classes are not told apart.
        assert known.highest_risk >= exact.figures.highest_risk - 1e-12
        if known.highest_is_exact:
            highest = exact.figures.highest_risk
            assert known.highest_risk == pytest.approx(highest, rel=1e-9)
        assert exact.losses[0].loss == pytest.approx(exact.figures.loss)


def test_a_choice_survives_the_project_file(case, policies):
    project, classes = case
    occurring = occurring_leaves(classes.class_table)
    n_records = classes.class_table.n_records
    for number in range(len(policies)):
        each = policies.candidate(number)
        text = project.but(chosen=each.chosen).model_dump_json(by_alias=True)
        chosen = Project.model_validate_json(text).chosen
        assert chosen == each.chosen
        policy = source_of(chosen).policy_of(chosen, project, classes)
        n_suppressed = each.figures.n_suppressed
        keys = [
            table_key(one, occurring, n_suppressed, n_records)
            for one in (policy, each.policy)
        ]
        assert keys[0] == keys[1]


def test_a_policy_that_was_found_is_acceptable_when_it_is_judged(case, policies):
    project, classes = case
    for number in range(min(5, len(policies))):
        each = policies.candidate(number)
        judged = source_of(each.chosen).judge(project, each.chosen, classes)
        assert judged is None or judged.is_met


def test_a_description_is_json(kind, found):
    text = json.dumps(source(kind).describe(found), allow_nan=False)
    assert len(text) > 10


def test_no_cell_value_is_in_any_repr(case, found, policies):
    _, classes = case
    values = {
        label
        for hierarchy in classes.hierarchies.values()
        for label in hierarchy.leaves
        if len(label) > 3
    }
    assert values
    best = policies.candidate(policies.best)
    shown = repr((found, policies, best, best.cells, best.figures, found.proof))
    # A year is no part of a number of a figure.
    told = [each for each in values if re.search(rf"\b{re.escape(each)}\b", shown)]
    assert not told


def test_the_lattice_is_measured_without_the_code_of_alternatives():
    code = (
        "import sys, deidgui.app.measuring.measuring, "
        "deidgui.app.policies.lattice.source, deidgui.app.policies.stored\n"
        "print([m for m in sys.modules if 'policies.alternatives' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
