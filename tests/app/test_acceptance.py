"""What is said of a policy accepted for its risk: baseline, people and unit."""

import pytest

from deidgui.app.policies.acceptance import BASELINES, Accepted
from deidgui.app.policies.alternatives.judging import _problems
from deidgui.app.project import Acceptance

BY_RISK = {"by": "risk", "baseline": "safe_harbor", "threshold": 4.0}


def accepted(acceptance=None, **known):
    """What is known of a policy with a risk of 3.5 beside a baseline of 4."""
    known = {"risk": 3.5, "baseline_risk": 4.0, "population": "Tennessee", **known}
    given = Acceptance(**{**BY_RISK, **(acceptance or {})})
    return Accepted(given, 1400, **known)


@pytest.mark.parametrize("baseline", BASELINES)
def test_every_sentence_names_its_own_baseline(baseline):
    others = {words for kind, words in BASELINES.items() if kind != baseline}
    for known in (
        accepted({"baseline": baseline}),
        accepted({"baseline": baseline}, risk=None),
    ):
        assert BASELINES[baseline] in known.words
        assert not any(each in known.words for each in others)
    (warning,) = accepted({"baseline": baseline}, changes_nothing=True).warnings
    assert BASELINES[baseline] in warning


@pytest.mark.parametrize("baseline", BASELINES)
def test_both_errors_name_the_baseline_and_the_figures(baseline):
    acceptance = Acceptance(**{**BY_RISK, "baseline": baseline})
    changed, riskier = _problems(acceptance, [(6.0, 5.0)])
    assert changed.code == "acceptance_baseline_changed"
    assert changed.params == {
        "baseline": BASELINES[baseline],
        "stated": "4.00",
        "found": "5.00",
    }
    assert riskier.code == "acceptance_risk_higher"
    assert riskier.params == {"risk": "6.00", "threshold": "5.00"}


@pytest.mark.parametrize(
    ("risk", "baseline", "codes"),
    [
        (4.0, 4.0, []),
        (4.0 + 1e-12, 4.0, []),
        (4.0, 4.0 + 1e-12, []),
        (3.0, 3.9, ["acceptance_baseline_changed"]),
        (3.0, 4.1, ["acceptance_baseline_changed"]),
        (4.1, 4.0, ["acceptance_risk_higher"]),
    ],
)
def test_sums_that_differ_by_rounding_are_the_same(risk, baseline, codes):
    found = _problems(Acceptance(**BY_RISK), [(risk, baseline)])
    assert [each.code for each in found] == codes


def test_the_sentence_says_whether_it_is_met_and_on_what():
    met = accepted()
    assert met.is_met
    assert " is no greater than that of Safe Harbor" in met.words
    for told in ("3.50 expected correct links", "4.00", "1,400 records", "Tennessee"):
        assert told in met.words
    refused = accepted(problems=_problems(met.acceptance, [(4.5, 4.0)]), risk=4.5)
    assert not refused.is_met
    assert "is NOT shown to be no greater" in refused.words


@pytest.mark.parametrize(
    ("sums", "refused"),
    [
        ([(3.8, 4.0)], False),
        ([(3.81, 4.0)], True),
        # Records with people are riskier; those who could be several pay for them.
        ([(3.0, 4.0), (1.91, 2.0)], True),
        ([(3.0, 4.0), (1.9, 2.0)], False),
    ],
)
def test_a_margin_stays_free_of_every_sum(sums, refused):
    acceptance = Acceptance(**{**BY_RISK, "margin": 0.05})
    assert bool(_problems(acceptance, sums)) == refused


def test_records_that_are_not_compared_are_told_with_both_sums():
    known = accepted({"margin": 0.05}, n_left_out=180, cautious=(180.2, 180.3))
    assert " is at least 5\u202f% below that of Safe Harbor" in known.words
    assert "of 1,220 records" in known.words
    assert "180 records, as nobody" in known.words
    assert "Over all 1,400 records" in known.words
    assert "180.20 against 180.30" in known.words


@pytest.mark.parametrize("missing", ["risk", "baseline_risk"])
def test_what_is_not_known_is_said_to_be_unknown(missing):
    known = accepted(**{missing: None})
    assert "unknown" in known.words
    assert known.difference is None
    assert accepted().difference == -0.5


@pytest.mark.parametrize(
    ("population", "about", "is_modelled", "words"),
    [
        ("Tennessee", "named", False, "the people of Tennessee (counted)"),
        ("Tennessee", "named", True, "the people of Tennessee (modelled)"),
        ("the people here", "unnamed", True, "the people here (modelled)"),
        ("the data alone", "records", False, "the data alone"),
    ],
)
def test_whose_people_they_are(population, about, is_modelled, words):
    known = accepted(population=population, about=about, is_modelled=is_modelled)
    assert known.whose == words
    assert words in known.words
    assert known.is_about_population == (about != "records")


def test_a_sum_is_no_number_of_links_unless_gamma_is_one():
    links, weighed = accepted(), accepted({"gamma": 2.0})
    assert links.unit == "expected correct links"
    assert weighed.unit == "(sum of 1 / g^2 over the records)"
    assert weighed.unit in weighed.words
    assert "number of right links" in links.scope
    assert "number of right links" not in weighed.scope
    assert "a sum over all records" in weighed.scope


def test_a_policy_accepted_by_models_speaks_of_models_alone():
    models = Accepted(Acceptance(by="models"), 1400, about="records")
    assert "every privacy model" in models.words
    assert models.scope == ""
    assert models.warnings == ()


def test_warnings_stand_where_they_apply():
    assert accepted().warnings == ()
    (alone,) = accepted(about="records").warnings
    assert "Nothing is known about the population" in alone
    (doubt,) = accepted(doubtful=("age", "zip")).warnings
    assert "age, zip" in doubt
    several = accepted(about="records", doubtful=("age",), changes_nothing=True)
    assert len(several.warnings) == 3
