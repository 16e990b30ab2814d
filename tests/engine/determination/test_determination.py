"""Context risk: the oracles O-H1 to O-H12 and O-H22, exact inputs to outputs."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.determination import (
    BY_KEY,
    CONTROLS,
    INVASION,
    MATRICES,
    MOTIVES,
    QUESTIONS,
    Context,
    acquaintance,
    allowed_risk,
    any_attempt,
    assess,
    least_group,
    overall_risk,
    threshold_of,
    threshold_text,
)
from deidgui.engine.determination.scoring import (
    attempt_level,
    capacity_level,
    controls_level,
    controls_score,
    invasion_level,
    invasion_score,
    motives_level,
)
from deidgui.engine.privacy.base import least_size
from deidgui.engine.risk.class_sizes import attacker_risk
from deidgui.errors import ConfigError

YES = {each.key: "yes" for each in CONTROLS}
HARMLESS = {each.key: "no" for each in MOTIVES}


def invasion(*points):
    return {each.key: str(point) for each, point in zip(INVASION, points, strict=True)}


def complete(**changes):
    """A non-public release of which everything is said: controls high, motives low."""
    answers = {**YES, **HARMLESS, **invasion(1, 1, 1, 1, 0, 1, 1, 0)}
    stated = {
        "release": "non_public",
        "has_agreement": True,
        "matrix": "ipc-2016",
        "prevalence": 0.001,
        "acquaintances": 150,
        "breach_rate": 0.27,
        "answers": {**answers, **changes.pop("answers", {})},
    }
    return Context(**{**stated, **changes})


@pytest.mark.parametrize(
    ("p", "m", "s", "expected"),
    [
        (0.001, 150, 1, 0.1394),
        (0.001, 190, 1, 0.1731),
        (0.01, 150, 1, 0.7785),
        (0.001, 150, 3, 0.3625),
        # O-H2, as Kniola (2016) prints them: 0.17, 0.25, 0.05, 0.07.
        (0.4 / 317, 150, 1, 0.1725),
        (0.4 / 212, 150, 1, 0.2467),
        (2.3 / 7200, 150, 1, 0.0468),
        (2.3 / 4700, 150, 1, 0.0708),
        (0.0, 150, 1, 0.0),
        (1.0, 150, 1, 1.0),
    ],
)
def test_acquaintances(p, m, s, expected):
    assert acquaintance(p, m, s) == pytest.approx(expected, abs=5e-5)
    assert acquaintance(p, m, s) == pytest.approx(1 - (1 - p) ** (m * s))


def test_a_prevalence_is_a_share():
    with pytest.raises(ConfigError):
        acquaintance(1.2, 150)


@pytest.mark.parametrize(
    ("prevalence", "probability"),
    [(0.000342, 0.05), (0.001487, 0.2), (0.002096, 0.27)],
)
def test_where_acquaintances_pass_a_probability(prevalence, probability):
    assert acquaintance(prevalence, 150) == pytest.approx(probability, abs=5e-4)


def test_the_worked_example():
    """O-H3: the same file, acceptable under an agreement and not for the public."""
    answers = {each.key: "yes" for each in CONTROLS} | {"C10": "partly"}
    answers |= HARMLESS | invasion(2, 0, 0, 2, 0, 0, 0, 0)
    found = assess(complete(prevalence=20000 / 10700000, answers=answers))
    assert (found.controls, found.motives, found.invasion) == ("medium", "low", "high")
    assert found.attempts["T1"] == 0.2
    assert found.attempts["T2"] == pytest.approx(0.2447, abs=5e-5)
    assert found.attempts["T3"] == found.attempt == 0.27
    average, highest = 365 / 19001, 1 / 5
    assert max(found.overall(average, highest).values()) == pytest.approx(
        0.0052, abs=5e-5
    )
    assert found.measure == "average"
    assert found.limit == pytest.approx(0.1852, abs=5e-5)
    assert found.accepts(average, highest)
    assert not found.accepts(average, 0.5), "the cap of a strict average"
    public = assess(Context(release="public", threshold=Fraction(1, 11)))
    assert public.overall(average, highest) == {"T4": 0.2}
    assert public.limit == pytest.approx(0.0909, abs=5e-5)
    assert public.accepts(average, highest) is False
    assert acquaintance(20000 / 10700000, 150, 5) == pytest.approx(0.7542, abs=5e-5)


@pytest.mark.parametrize(
    ("sizes", "population", "highest", "average"),
    [
        # O-H4 and O-H5 after Kniola (2016): in the file, in similar trials, coarser.
        ((1, 2, 2, 3, 1, 1), None, 1.0, 0.6),
        ((1, 2, 2, 3, 1, 1), (12, 32, 27, 11, 15, 4), 0.25, 0.0809),
        ((5, 2, 3), None, 0.5, 0.3),
    ],
)
def test_data_risk_times_attempts(sizes, population, highest, average):
    groups = population or sizes
    risk = attacker_risk(np.array(sizes), np.array(groups))
    assert risk.average == pytest.approx(average, abs=5e-5)
    assert risk.highest == highest
    attempts = {"T1": 0.1, "T3": 0.27, "T4": 0.5}
    found = overall_risk(attempts, risk.average)
    expected = {name: each * average for name, each in attempts.items()}
    assert found == pytest.approx(expected, abs=5e-5)


def test_products_that_the_source_prints():
    assert overall_risk({"a": 0.1, "b": 0.27, "c": 0.5}, 0.6) == pytest.approx(
        {"a": 0.06, "b": 0.162, "c": 0.3}
    )
    found = overall_risk({"a": 0.1, "b": 0.27, "c": 0.5}, 0.3)
    assert [each <= Fraction(1, 11) for each in found.values()] == [True, True, False]
    assert overall_risk({"T": 0.5}, 0.2) == {"T": pytest.approx(0.1)}


def test_a_cap_of_a_third_holds_for_groups_of_three():
    """O-H6: written as 0.33 the cap would be wrong."""
    sizes = [3] * 10 + [5] * 20 + [10] * 30 + [50] * 4
    average, highest = len(sizes) / sum(sizes), 1 / min(sizes)
    assert average == pytest.approx(0.1016, abs=5e-5)
    assert highest > 0.33
    found = assess(complete())
    assert found.attempts["T1"] == 0.05
    assert found.overall(average, highest)["T3"] == pytest.approx(0.0274, abs=5e-5)
    assert found.accepts(average, highest)


@pytest.mark.parametrize(
    ("text", "group"),
    [("0.09", 11), ("0.33", 3), ("1/20", 20), ("0.1", 10), ("0.075", 14), ("1/11", 11)],
)
def test_presets_are_fractions(text, group):
    """O-H7: the number that guidelines print is the name of a group size."""
    assert least_group(threshold_of(text)) == group
    # The models of the search ask for the same group, from the number as a float.
    assert least_size(float(threshold_of(text))) == group


def test_decimals_are_stricter_than_their_names():
    assert (least_group(0.09), least_group(0.33)) == (12, 4)


@pytest.mark.parametrize("text", ["", "0", "2", "1/0", "0.0", "-0.1", "nan", "1/x"])
def test_what_is_no_threshold(text):
    with pytest.raises(ConfigError):
        threshold_of(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.09", "9\u202f% (1 in 11)"),
        ("0.33", "33\u202f% (1 in 3)"),
        ("1/5", "20\u202f% (1 in 5)"),
        ("0.1", "10\u202f% (1 in 10)"),
        ("1/20", "5\u202f% (1 in 20)"),
        ("0.075", "7.5\u202f%"),
    ],
)
def test_how_thresholds_are_shown(text, shown):
    assert threshold_text(threshold_of(text)) == shown
    assert threshold_text(float(threshold_of(text))) == shown


def test_the_matrix():
    """O-H8."""
    matrix = MATRICES["ipc-2016"]
    assert matrix.probability("high", "low") == 0.05
    assert matrix.probability("medium", "medium") == 0.3
    assert matrix.probability("low", "high") == matrix.worst == 0.6
    semi = assess(complete(release="semi_public"))
    assert semi.attempts["T1"] == 0.6
    unbound = assess(complete(answers={"C1": "no"}))
    assert (unbound.release, unbound.attempts["T1"]) == ("semi_public", 0.6)
    assert unbound.measure == "highest"


@pytest.mark.parametrize("name", list(MATRICES))
def test_matrices_grow_with_motives_and_fall_with_controls(name):
    matrix = MATRICES[name]
    rows = [matrix.rows[level] for level in ("high", "medium", "low")]
    assert all(list(row) == sorted(row) for row in rows)
    assert all(
        below <= above
        for low, high in itertools.pairwise(rows)
        for below, above in zip(low, high, strict=True)
    )


@pytest.mark.parametrize(
    ("changes", "score", "level"),
    [
        (
            {"C5": "no", "C6": "no", "C15": "no", "C17": "no", "C12": "partly"},
            34,
            "medium",
        ),
        ({"C5": "no", "C6": "no", "C15": "no", "C17": "no"}, 35, "high"),
        ({"C10": "partly"}, 41.5, "medium"),
        ({"C2": "no"}, 40, "low"),
        ({}, 43, "high"),
    ],
)
def test_controls(changes, score, level):
    """O-H9."""
    answers = YES | changes
    assert controls_score(answers) == pytest.approx(100 * score / 43)
    assert controls_level(answers) == level


def test_a_control_that_does_not_apply_leaves_the_sum():
    answers = YES | {"C6": "does_not_apply"}
    assert controls_score(answers) == 100
    assert controls_level(answers) == "high"
    assert controls_level(YES | {"C10": "does_not_apply"}) == "medium"
    assert controls_score(dict.fromkeys(YES, "does_not_apply")) is None
    assert sum(each.weight for each in CONTROLS) == 43


def test_motives_and_capacity():
    """O-H10."""
    some = HARMLESS | {"M1": "yes", "K1": "yes", "K2": "yes"}
    assert (motives_level(some), capacity_level(some)) == ("medium", "high")
    assert attempt_level(some) == "high"
    able = HARMLESS | {"K1": "yes", "K2": "yes", "K3": "yes"}
    assert attempt_level(able) == "medium"
    assert attempt_level(HARMLESS | {"M0": "yes"}) == "high"
    assert attempt_level(HARMLESS) == "low"
    assert attempt_level(HARMLESS | {"K1": "unknown", "K2": "unknown"}) == "medium"


@pytest.mark.parametrize(
    ("points", "score", "level", "threshold"),
    [
        ((1, 1, 1, 1, 0, 1, 1, 0), 6, "medium", 0.075),
        ((2, 0, 0, 2, 0, 0, 0, 0), 4, "high", 0.05),
        ((0, 0, 0, 0, 2, 0, 0, 0), 2, "medium", 0.075),
        ((1, 0, 1, 0, 0, 1, 0, 0), 3, "low", 0.1),
    ],
)
def test_invasion_of_privacy(points, score, level, threshold):
    """O-H11."""
    answers = invasion(*points)
    assert (invasion_score(answers), invasion_level(answers)) == (score, level)
    found = assess(Context(release="public", answers=answers))
    assert float(found.threshold) == threshold
    assert found.limit == threshold


@pytest.mark.parametrize(
    ("threshold", "attempt", "expected"),
    [
        (0.05, 0.2, 0.25),
        (0.05, 0.3, 0.1667),
        (0.075, 0.3, 0.25),
        (0.1, 0.27, 0.3704),
        (0.05, 0.6, 0.0833),
        (Fraction(1, 11), 1, 0.0909),
        (0.1, 0.05, 1),
    ],
)
def test_allowed_data_risk(threshold, attempt, expected):
    """O-H12."""
    assert allowed_risk(threshold, attempt) == pytest.approx(expected, abs=5e-5)


def test_the_union_is_for_sensitivity():
    assert any_attempt((0.2, 0.1394, 0.27)) == pytest.approx(0.4974, abs=5e-5)


# -- nothing is assumed ----------------------------------------------------------------


def test_nothing_said_allows_nothing():
    found = assess(Context())
    assert found.allowed == ()
    assert found.attempt is None
    assert found.threshold is None
    assert "release" in found.open


@pytest.mark.parametrize(
    "left", [*(each.key for each in QUESTIONS), "matrix", "prevalence", "breach_rate"]
)
def test_whatever_is_open_leaves_the_limit_open(left):
    whole = complete()
    assert assess(whole).open == ()
    answers = {key: each for key, each in whole.answers.items() if key != left}
    fields = dict(vars(whole), answers=answers)
    if left in fields:
        fields[left] = None
    found = assess(Context(**fields))
    assert found.open == (left,)
    assert found.limit is None
    assert found.n_asked == assess(whole).n_asked


def test_no_reference_of_an_agreement():
    """O-H22, second half."""
    found = assess(complete(has_agreement=False))
    assert found.release == "semi_public"
    assert found.measure == "highest"
    assert found.attempts["T1"] == 0.6
    assert "agreement" in found.open


@pytest.mark.parametrize("release", ["public", "semi_public"])
def test_what_a_release_does_not_need_is_not_asked(release):
    found = assess(complete(release=release))
    bare = assess(
        complete(release=release, has_agreement=False)
        if release == "semi_public"
        else Context(release="public", answers=invasion(1, 1, 1, 1, 0, 1, 1, 0))
    )
    assert found.open == bare.open == ()
    assert found.limit == bare.limit


answered = st.fixed_dictionaries(
    {each.key: st.sampled_from(each.answers) for each in QUESTIONS}
)


@given(answered, st.sampled_from(["public", "semi_public", "non_public"]))
def test_worse_answers_never_allow_more(answers, release):
    """One answer after the other made the most favourable one."""
    rank = {"yes": 0, "partly": 1, "no": 2, "unknown": 2}
    before = assess(complete(answers=answers, release=release))
    for key, answer in answers.items():
        question = BY_KEY[key]
        if question.part == "controls" and answer not in rank:
            continue
        best = {**answers, key: question.answers[0]}
        after = assess(complete(answers=best, release=release))
        assert before.limit <= after.limit or before.measure != after.measure


@given(answered)
def test_the_public_is_never_allowed_more_than_people_under_an_agreement(answers):
    open_to_all = assess(complete(answers=answers, release="public"))
    bound = assess(complete(answers=answers))
    assert open_to_all.limit <= bound.limit
