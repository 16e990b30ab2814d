"""What risks become if one thing is otherwise: by hand, and as `verify` finds it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.determination.determination import context_facts
from deidgui.app.dossier.sensitivity import is_measured, sensitivity_facts
from deidgui.app.project import Project
from deidgui.app.report.sensitivity import sensitivity_section
from deidgui.engine.evidence.document import OneMore
from deidgui.engine.evidence.verify_sensitivity import check_sensitivity
from tests.app.context_case import agreed, public

N, CLASSES, SMALLEST = 19_001, 365, 5
AVERAGE, HIGHEST = CLASSES / N, 1 / SMALLEST
MORE = (
    OneMore(attribute="ward", average=0.03, highest=0.25),
    OneMore(attribute="cost", average=0.9, highest=1.0),
)


def cases_of(context, more=MORE):
    facts = sensitivity_facts(Project(context=context), AVERAGE, HIGHEST, more)
    return {each.kind: each for each in facts}


def evidence_of(context, more=MORE):
    project = Project(context=context)
    return SimpleNamespace(
        context=context_facts(project, AVERAGE, HIGHEST),
        sensitivity=sensitivity_facts(project, AVERAGE, HIGHEST, more),
        models=(),
        criteria=SimpleNamespace(one_more=more, gaps=(), membership=None),
        risk=SimpleNamespace(
            records=N,
            classes=CLASSES,
            smallest_class=SMALLEST,
            population_known="none",
        ),
        unit=SimpleNamespace(events=None),
    )


def failed(evidence):
    return {each.code for each in check_sensitivity(evidence) if not each.ok}


def test_the_demonstration_by_hand():
    """Controls high, motives low: T1 0.05; T2 from 0.001 and 150 people; T3 0.27."""
    cases = cases_of(agreed())
    base = cases["as_stated"]
    assert base.decides == pytest.approx(0.27 * AVERAGE)
    assert base.decides == pytest.approx(0.0052, abs=5e-5)
    assert base.within
    # determination.md, oracles O-H1 and O-H12.
    assert base.attempts["T2"] == pytest.approx(0.1394, abs=5e-5)
    assert cases["acquaintances"].attempts["T2"] == pytest.approx(0.1731, abs=5e-5)
    assert cases["breach"].attempts["T3"] == pytest.approx(0.54)
    assert cases["breach"].decides == pytest.approx(0.54 * AVERAGE)
    assert cases["controls"].attempts["T1"] == 0.2
    p = {"smaller_population": 0.00125, "larger_population": 0.001 / 1.2}
    for kind, share in p.items():
        chance = 1 - (1 - share) ** 150
        assert cases[kind].attempts["T2"] == pytest.approx(chance)
    union = 1 - 0.95 * (1 - 0.001) ** 0 * (1 - base.attempts["T2"]) * 0.73
    assert cases["together"].decides == pytest.approx(union * AVERAGE)


def test_one_more_column_is_the_worst_one_and_the_cap_counts():
    found = cases_of(agreed())["column"]
    assert (found.column, found.average, found.highest) == ("cost", 0.9, 1.0)
    assert found.decides == pytest.approx(0.27 * 0.9)
    assert not found.within
    # Within the threshold on average, but a record is alone.
    alone = (OneMore(attribute="ward", average=0.02, highest=1.0),)
    capped = cases_of(agreed(), alone)["column"]
    assert capped.decides < 0.075
    assert not capped.within


def test_the_public_is_no_matter_of_controls_breaches_and_acquaintances():
    found = cases_of(public())
    assert found.keys() == {"as_stated", "column"}
    assert found["as_stated"].decides == pytest.approx(HIGHEST)
    assert not found["as_stated"].within
    assert found["column"].column == "cost"


def test_nothing_is_said_where_nobody_said_anything():
    assert sensitivity_facts(Project(), AVERAGE, HIGHEST, MORE) == ()
    assert sensitivity_facts(Project(context=agreed()), None, None) == ()
    assert not is_measured(Project(context=agreed(matrix=None)))
    assert is_measured(Project(context=agreed()))
    found = cases_of(agreed(matrix=None))
    assert found["as_stated"].decides is None
    assert found["as_stated"].within is None
    assert found["as_stated"].overall.keys() == {"T2", "T3"}
    assert "controls" not in found


def test_as_many_acquaintances_are_no_case():
    assert "acquaintances" not in cases_of(agreed(acquaintances=190))


@given(
    st.booleans(),
    st.sets(st.sampled_from(("matrix", "prevalence", "acquaintances", "breach_rate"))),
    st.sampled_from(("yes", "no", "partly")),
    st.sampled_from(("yes", "no", "partly")),
    st.sampled_from((0.0, 0.0005, 0.9, 1.0)),
    st.sampled_from((0.1, 0.6, 1.0)),
    st.booleans(),
)
def test_verify_finds_the_same(is_public, unsaid, binding, robust, p, rate, has_more):
    answers = {"C1": binding, "C10": robust}
    changes = {"prevalence": p, "breach_rate": rate, **dict.fromkeys(unsaid)}
    context = public() if is_public else agreed(answers=answers, **changes)
    evidence = evidence_of(context, MORE if has_more else ())
    assert not failed(evidence)
    for place, each in enumerate(evidence.sensitivity):
        for change in (
            {"average": each.average / 2},
            {"decides": 0.5 if each.decides is None else each.decides / 2 + 1e-3},
            {"within": None if each.within is not None else True},
            {"attempts": {**each.attempts, "T4": 0.5}},
        ):
            forged = list(evidence.sensitivity)
            forged[place] = each.model_copy(update=change)
            other = SimpleNamespace(**{**vars(evidence), "sensitivity": forged})
            assert failed(other) == {"sensitivity_case"}
    fewer = SimpleNamespace(**{**vars(evidence), "sensitivity": ()})
    assert failed(fewer) == {"sensitivity_cases"}


def test_the_dossier_shows_every_case():
    text = str(sensitivity_section(evidence_of(agreed())))
    for words in ("As stated", "“cost” is known besides", "Controls one level worse"):
        assert words in text
    assert "NO" in text
