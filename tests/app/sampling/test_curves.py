"""Curves of samples: published arithmetic, every possible sample, people with rows."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from deidgui.app.sampling.curves import (
    SampledPolicy,
    curve_of,
    highest_words,
    meeting,
)
from deidgui.cli.main import main
from deidgui.engine.sampling.curve import SizeCounts, sample_size
from deidgui.errors import ConfigError
from tests.cli.case import Case, rows
from tests.events_case import write_events

SIZES = (1, 1, 2, 4)


def policy_of(sizes, least=1):
    return SampledPolicy(None, "", SizeCounts.of(np.array(sizes)), least)


def every_average(sizes, n_sampled, least):
    """Mean over all samples of the classes that are released, by the people."""
    of_person = [at for at, size in enumerate(sizes) for _ in range(size)]
    found = [
        sum(1 for at in range(len(sizes)) if drawn.count(at) >= least)
        for drawn in combinations(of_person, n_sampled)
    ]
    return np.mean(found) / len(of_person)


def test_by_hand():
    """methods.md O-C1."""
    policy = policy_of(SIZES)
    assert policy.average(1.0) == 0.5
    assert policy.average(0.5) == pytest.approx(0.3464286, abs=1e-7)


def test_published_sizes():
    """methods.md O-C2: BORN's 919,710 births."""
    assert sample_size(919_710, 0.30) == 275_913
    assert sample_size(919_710, 0.35) == 321_898


@pytest.mark.parametrize("least", [1, 2, 3])
@pytest.mark.parametrize("n_sampled", range(9))
def test_average_is_that_of_every_sample(n_sampled, least):
    policy = policy_of(SIZES, least)
    if n_sampled:
        found = policy.average(n_sampled / 8)
        assert found == pytest.approx(every_average(SIZES, n_sampled, least), abs=1e-12)


@pytest.mark.parametrize("least", [1, 3])
def test_drawn_samples_agree_with_the_closed_form(least):
    sizes = np.random.default_rng(3).integers(1, 9, 200)
    curve = curve_of(policy_of(sizes, least), n_replicates=400, seed=1)
    spread = (curve.high - curve.low) / 4 / np.sqrt(400)
    assert (np.abs(curve.mean - curve.average) <= 5 * spread + 1e-12).all()
    assert (curve.low <= curve.high).all()
    assert (np.diff(curve.average) <= 1e-12).all()
    if least == 1:
        assert curve.maximum[0] == 1.0


def test_largest_fraction_is_the_last_that_meets():
    policy = policy_of([1] * 40 + [5] * 12)
    met = meeting(policy, 0.3)
    assert 0 < met.n_sampled < 100
    assert policy.average(met.n_sampled / 100) <= 0.3
    assert policy.average((met.n_sampled + 1) / 100) > 0.3
    assert met.is_small
    assert meeting(policy, 1.0).n_sampled == 100


def test_a_threshold_that_no_sample_meets():
    met = meeting(policy_of([1, 1]), 0.1)
    assert met.n_sampled == 0
    assert met.effects is None


@pytest.mark.parametrize("threshold", [0, -1, 1.01])
def test_thresholds_are_checked(threshold):
    with pytest.raises(ConfigError, match="sampling_threshold"):
        meeting(policy_of(SIZES), threshold)


def test_the_highest_risk_is_told_with_its_probability():
    curve = curve_of(policy_of(SIZES), n_replicates=5)
    # Of 2 unique people among 8 a sample of 4 misses both with C(6,4)/C(8,4) = 3/14.
    words = highest_words(curve, 0.5, by_person=True)
    assert "78.6\u202f%" in words
    assert "2 people are unique" in words
    cut = curve_of(policy_of(SIZES, 2), n_replicates=5)
    assert "suppressed" in highest_words(cut, 0.5, by_person=True)


def test_the_highest_risk_is_told_in_what_is_sampled():
    """Where each row is sampled by itself, nothing is said of people."""
    curve = curve_of(policy_of(SIZES), n_replicates=5)
    words = highest_words(curve, 0.5, by_person=False)
    assert "2 records are unique" in words
    larger = curve_of(policy_of([3, 3, 5]), n_replicates=5)
    assert "only 3 records" in highest_words(larger, 0.5, by_person=False)
    assert "only 3 people" in highest_words(larger, 0.5, by_person=True)


# -- the command -----------------------------------------------------------------------


def called(capsys, *arguments, code=0):
    assert main([str(each) for each in arguments]) == code
    return capsys.readouterr()


def found(capsys, *arguments):
    return json.loads(called(capsys, "sample", *arguments, "--json").out)


def test_command_by_contract(capsys, tmp_path):
    case = Case.write(tmp_path)
    told = found(capsys, case.project, "--threshold", "0.3", "--replicates", "20")
    assert {"unit", "n", "curve", "threshold", "largest_fraction", "floor"} <= set(told)
    assert (told["unit"], told["n"], told["floor"]) == ("records", 300, 3000)
    assert told["threshold"] == 0.3
    names = {"fraction", "average", "average_low", "average_high", "maximum"}
    assert all(set(each) == names for each in told["curve"])
    kinds = {(each["age"], each["sex"], each["zip"]) for each in rows()}
    assert told["curve"][0]["average"] == pytest.approx(len(kinds) / 300)
    assert told["of"] == "data"
    assert 0 < told["largest_fraction"] < 1
    assert len(told["curve"]) == 20


def test_policies_are_planned_beside(capsys, tmp_path):
    case = Case.write(tmp_path)
    told = found(
        capsys, case.project, "--threshold=0.2", "--policies=3", "--replicates=5"
    )
    assert len(told["policies"]) == 3
    best = told["policies"][0]
    assert best["largest_fraction"] > told["largest_fraction"]
    assert best["curve"][-1]["average"] < told["curve"][-1]["average"]
    words = called(
        capsys, "sample", case.project, "--threshold=0.2", "--replicates=5"
    ).out
    assert "Stratified samples are outside these formulas" in " ".join(words.split())
    assert "fewer than 3,000" in " ".join(words.split())


def test_people_are_sampled_not_rows(capsys, tmp_path):
    write_events(tmp_path / "events.csv")
    project = tmp_path / "p.deid.json"
    called(
        capsys,
        *("inspect", tmp_path / "events.csv", "--project", project),
        *("--key", "subject_id"),
    )
    called(
        capsys,
        *("decide", project, "--role=sex=quasi_identifier"),
        *("--role=birth_year=quasi_identifier", "--confirm-proposals"),
        *("--role=ward=insensitive", "--role=diagnosis=sensitive"),
        *("--role=hadm_id=direct_identifier", "--role=region=insensitive"),
        "--role=admission_year=insensitive",
    )
    told = found(capsys, project, "--replicates=5")
    assert (told["unit"], told["n"]) == ("people", 400)
    assert told["threshold"] is None
    assert told["largest_fraction"] is None


@pytest.mark.parametrize("given", ["--threshold=0", "--threshold=2", "--replicates=0"])
def test_bad_options_are_refused(capsys, tmp_path, given):
    case = Case.write(tmp_path)
    assert called(capsys, "sample", case.project, given, code=2).err
