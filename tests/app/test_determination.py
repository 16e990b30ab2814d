"""What is said about the context, what it allows, and what of it is a condition."""

import pytest

from deidgui.app import ops
from deidgui.app.determination.context_words import result_words
from deidgui.app.determination.determination import (
    allowed_risks,
    assessment_of,
    context_of,
    events_problem,
    is_begun,
    lacking,
    progress_of,
    read_allowed,
    with_allowed,
)
from deidgui.app.project import ContextAnswer, ContextChoice, Project
from deidgui.engine.determination import BY_KEY
from deidgui.engine.evidence.entered import Agreement
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    KAnonymity,
)
from tests.app.context_case import agreed, public
from tests.app.test_decides import EVENTS


def of(context, *models):
    project = Project(context=context)
    return project.but(privacy=project.privacy.but(models=models))


def test_nothing_said_is_no_condition():
    project = Project()
    assert not is_begun(project.context)
    assert allowed_risks(project) == ()
    assert result_words(assessment_of(project)) == ""


def test_what_an_agreement_allows():
    project = of(agreed())
    assert progress_of(project).open == ()
    limits = {each.kind: each.limit for each in allowed_risks(project)}
    assert limits == {
        "context_average": pytest.approx(0.075 / 0.27),
        "context_highest": 1 / 3,
    }
    assert "33\u202f% (1 in 3)" in result_words(assessment_of(project))


def test_every_part_that_is_taken_back_opens_the_limits():
    """No default stands in for what nobody has said."""
    whole = agreed()
    for name in ("matrix", "prevalence", "acquaintances", "breach_rate", "breach_year"):
        project = of(whole.but(**{name: None}))
        assert allowed_risks(project) == ()
        assert len(progress_of(project).open) == 1
    for name in ("breach_source", "recipient", "purpose"):
        project = of(whole.but(**{name: " "}))
        assert len(progress_of(project).open) == 1
    for key in BY_KEY:
        project = ops.answer_context(key, None)(of(whole))
        assert progress_of(project).open == (key,)
        assert allowed_risks(project) == ()


def test_without_a_reference_the_release_is_semi_public():
    project = of(agreed(agreement=Agreement(parties="A and B")))
    found = assessment_of(project)
    assert (found.release, found.attempts["T1"]) == ("semi_public", 0.6)
    assert [each.measure for each in allowed_risks(project)] == ["highest"]
    assert "agreement" in progress_of(project).open


def test_what_does_not_apply_needs_a_reason():
    answer = ContextAnswer(answer="does_not_apply")
    project = ops.answer_context("C6", answer)(of(agreed()))
    assert progress_of(project).open == ("C6",)


def test_a_threshold_of_ones_own_needs_a_reason():
    choice = public().but(threshold_because="")
    assert context_of(choice).threshold is None
    assert "P1" in progress_of(of(choice)).open


@pytest.mark.parametrize(
    "fields",
    [
        {"threshold": "nine"},
        {"matrix": "mine"},
        {"answers": {"C1": ContextAnswer(answer="2")}},
        {"answers": {"X1": ContextAnswer(answer="yes")}},
        {"agreement": {"begins": "tomorrow"}},
        {"prevalence": 1.5},
    ],
)
def test_what_cannot_be_said(fields):
    with pytest.raises(ValueError, match=r"."):
        ContextChoice(**fields)


def test_models_are_proposed_and_stricter_ones_stay():
    project = of(agreed(), KAnonymity(2))
    assert len(lacking(project)) == 2
    taken = with_allowed(project)
    kinds = [each.kind for each in taken.privacy.models]
    assert kinds == [
        "average_prosecutor_risk",
        "highest_prosecutor_risk",
        "k_anonymity",
    ]
    assert lacking(taken) == ()
    assert taken.privacy.threshold.at_risk == 1 / 3
    strict = of(agreed(), HighestProsecutorRisk(0.1), AverageProsecutorRisk(0.9))
    found = {each.kind: each.threshold for each in with_allowed(strict).privacy.models}
    assert found["highest_prosecutor_risk"] == 0.1
    assert found["average_prosecutor_risk"] == pytest.approx(0.075 / 0.27)
    assert with_allowed(with_allowed(strict)) == with_allowed(strict)


def test_who_is_at_risk_follows_the_highest_risk_that_is_allowed():
    project = ops.take_over("researcher")(Project())
    models = project.privacy.models
    assert [type(each) for each in models] == [
        HighestProsecutorRisk,
        AverageProsecutorRisk,
    ]
    assert project.privacy.threshold.at_risk == models[0].threshold == 0.2
    for limit in (0.19, 1 / 3):
        lowered = ops.change_privacy(models=(HighestProsecutorRisk(limit), models[1]))
        assert lowered(project).privacy.threshold.at_risk == limit
    # Nothing else says who is at risk: it stays as it was.
    for changes in ({"models": models[1:]}, {"suppression_limit": 0.01}):
        changed = ops.change_privacy(**changes)(project)
        assert changed.privacy.threshold.at_risk == 0.2
    strict = of(agreed(), HighestProsecutorRisk(0.1))
    assert with_allowed(strict).privacy.threshold.at_risk == 0.1


def test_known_events_may_not_be_matched_more_easily():
    project = of(public())
    loose = project.but(privacy=project.privacy.but(events=EVENTS.but(threshold=0.2)))
    assert events_problem(loose).code == "context_events"
    assert events_problem(with_allowed(loose)) is None
    assert with_allowed(loose).privacy.events.threshold == 1 / 11


def test_conditions_are_read_back():
    for each in allowed_risks(of(agreed())):
        assert read_allowed(each.to_json()) == each
    assert read_allowed({"kind": "context_x", "limit": 0.5, "is_cap": False}) is None
    assert read_allowed({"kind": "context_highest", "limit": 0.5}) is None
