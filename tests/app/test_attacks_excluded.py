"""Attacks that a person excludes leave the probability of an attempt with a reason."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app import ops
from deidgui.app.deciding.context import context_result, with_attack
from deidgui.app.determination.context_words import relevance_words
from deidgui.app.determination.determination import (
    allowed_risks,
    assessment_of,
    context_facts,
    progress_of,
)
from deidgui.app.project import Project
from deidgui.engine.evidence.entered import AttackRelevance
from deidgui.engine.evidence.verify_context import check_context
from deidgui.errors import ConfigError
from tests.app.context_case import agreed, public

AVERAGE, HIGHEST = 0.1, 0.25
BY = {"by": "N. N.", "on": "2026-11-23"}
OUT = AttackRelevance(relevant=False, because="nobody there", **BY)
IN = AttackRelevance(relevant=True, because="they could", **BY)
NO_REASON = AttackRelevance(relevant=False, because="  ")


def stated_of(project):
    """Evidence of a release with risks AVERAGE and HIGHEST, as `verify` reads it."""
    risk = SimpleNamespace(records=1000, classes=100, smallest_class=4)
    models = [
        SimpleNamespace(kind=each.kind, model_extra=each.to_json())
        for each in allowed_risks(project)
    ]
    for each in models:
        del each.model_extra["kind"]
    context = context_facts(project, AVERAGE, HIGHEST)
    unit = SimpleNamespace(events=None)
    return SimpleNamespace(context=context, models=models, risk=risk, unit=unit)


def failed(evidence):
    return {each.code for each in check_context(evidence) if not each.ok}


@given(
    st.dictionaries(
        st.sampled_from(("T1", "T2", "T3", "T4")), st.sampled_from((OUT, IN, NO_REASON))
    ),
    st.booleans(),
    st.sets(st.sampled_from(("matrix", "prevalence", "acquaintances", "breach_rate"))),
)
def test_what_is_left_decides_and_verify_finds_the_same(judged, is_public, unsaid):
    context = public() if is_public else agreed(**dict.fromkeys(unsaid))
    project = Project(context=context.but(attacks=judged))
    whole = assessment_of(Project(context=context))
    found = assessment_of(project)
    left = {n: p for n, p in whole.attempts.items() if judged.get(n) is not OUT}
    # The figures of excluded attacks are shown as ever.
    assert found.attempts == whole.attempts
    assert found.overall(AVERAGE, HIGHEST) == whole.overall(AVERAGE, HIGHEST)
    expected = None
    if left and None not in left.values():
        expected = max(left.values())
    assert found.attempt == expected
    if expected is not None:
        data_risk = HIGHEST if is_public else AVERAGE
        overall = found.largest_overall(AVERAGE, HIGHEST)
        assert overall == pytest.approx(expected * data_risk)
        assert found.limit == pytest.approx(min(1, float(found.threshold) / expected))
    assert bool(progress_of(project).open) == (expected is None)
    evidence = stated_of(project)
    assert not failed(evidence)
    if expected is not None:
        other = evidence.context.model_copy(update={"attempt": expected / 2})
        evidence.context = other
        assert failed(evidence)


@pytest.mark.parametrize(
    "out",
    [*combinations(("T1", "T2", "T3"), 1), *combinations(("T1", "T2", "T3"), 2)],
)
def test_what_an_excluded_attack_needs_is_not_asked(out):
    fields = {
        "T1": ("matrix",),
        "T2": ("prevalence", "acquaintances"),
        "T3": ("breach_rate",),
    }
    unsaid = dict.fromkeys(name for each in out for name in fields[each])
    project = Project(context=agreed(**unsaid))
    assert progress_of(project).open == tuple(unsaid)
    for name in out:
        project = ops.judge_attack(name, OUT)(project)
    assert progress_of(project).open == ()
    assert allowed_risks(project)
    assert not failed(stated_of(project))


def test_one_attack_must_remain():
    project = Project(context=public())
    project = ops.judge_attack("T4", OUT)(project)
    assert progress_of(project).open == ("attacks",)
    assert allowed_risks(project) == ()
    assert not failed(stated_of(project))


def test_an_attack_is_judged_by_command():
    project = Project(context=agreed())
    project = with_attack("T3=excluded:an enclave: no copies", "N. N.", "2026-11-23")(
        project
    )
    judged = project.context.attacks["T3"]
    assert (judged.relevant, judged.because) == (False, "an enclave: no copies")
    assert (judged.by, judged.on) == ("N. N.", "2026-11-23")
    result = context_result(project)
    assert result["excluded"] == ["T3"]
    assert result["attempt"] == pytest.approx(1 - 0.999**150)
    facts = context_facts(project, AVERAGE, HIGHEST)
    assert facts.attacks["T3"].is_excluded
    assert relevance_words(facts.attacks["T3"]).startswith("EXCLUDED: an enclave")
    assert with_attack("T3=", "", "")(project) == Project(context=agreed())
    for wrong in ("T5=excluded:x", "T3=perhaps"):
        with pytest.raises(ConfigError):
            with_attack(wrong, "", "")


def test_without_a_reason_nothing_is_excluded_and_that_is_said():
    project = with_attack("T3=excluded", "N. N.", "2026-11-23")(
        Project(context=agreed())
    )
    assert assessment_of(project).attempt == 0.27
    facts = context_facts(project, AVERAGE, HIGHEST)
    assert "without a reason" in relevance_words(facts.attacks["T3"])
