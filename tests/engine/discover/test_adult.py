"""The paper's experiment on Adult, with a modelled table of Tennessee's people."""

import pandas as pd
import pytest

from deidgui.engine.discover.bps import UNWEIGHTED, bisecting_search
from deidgui.engine.discover.experiment import run_experiment
from deidgui.engine.discover.frontier import (
    RiskAndLoss,
    sublattice_search,
)
from deidgui.engine.discover.preferences import (
    Preference,
    demanded,
    kept_share,
    values_between,
)
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.safe_harbor import Element, safe_harbor
from tests.engine.discover.cases import measure_of
from tests.engine.discover.frontiers import hypervolume, random_chains, shares_of
from tests.engine.discover.tennessee import adult_in_tennessee, population, records
from tests.engine.search.adult import adult_classes


@pytest.fixture(scope="module")
def measure():
    return measure_of(adult_in_tennessee())


@pytest.fixture(scope="module")
def baseline(measure):
    return safe_harbor(measure.space, {"age": Element("age")})


def test_safe_harbor_risk_equals_plain_pandas(measure, baseline):
    """Sum of 1 / g over the records, g from the same table of people."""
    columns = ["sex", "race", "age"]
    data = pd.DataFrame(records(), columns=columns)
    census = pd.DataFrame(
        [(*k, v) for k, v in population().items()], columns=[*columns, "g"]
    )
    for frame in (data, census):
        frame["age"] = frame["age"].astype(int).clip(upper=90)
    groups = census.groupby(columns, as_index=False)["g"].sum()
    linked = data.merge(groups, on=columns, how="left", validate="many_to_one")
    assert len(linked) == 32_561
    assert (linked["age"] >= 90).sum() == 43
    expected = (1 / linked["g"]).sum()
    assert measure.risk(baseline.bits) == pytest.approx(expected, rel=1e-9)
    assert baseline.risk(measure.cells) == pytest.approx(expected, rel=1e-9)
    covered = measure.cells.coverage
    assert (covered.n_cells_without_population, covered.n_population_outside) == (0, 0)


def test_data_mode():
    """methods.md O-A2: the raw risk is the number of classes."""
    table = adult_classes("sex", "race", "age")
    measure = measure_of(table)
    raw = measure.risk(measure.space.bottom())
    assert raw == 528
    assert raw / table.n_records == pytest.approx(0.017505, abs=5e-7)


def test_experiment(measure, baseline):
    """methods.md A.8: 6 to 7 nodes for BPS, at least six times as many for Directed."""
    rule = RiskAtMost(measure, baseline.risk(measure.cells))
    found = run_experiment(rule, 100, seed=1)
    assert 600 <= found.bps.n_asked.sum() <= 700
    assert found.node_ratio >= 6
    # Memory hardly helps: nearly all nodes are new.
    assert found.bps.n_evaluated.sum() >= 0.95 * found.bps.n_asked.sum()
    assert found.bps.n_non_dominated[-1] > found.directed.n_non_dominated[-1]
    assert not found.bps.every_policy_acceptable


def test_weights_find_more_different_policies(measure, baseline):
    rule = RiskAtMost(measure, baseline.risk(measure.cells))
    weighted, plain = (
        sum(
            int(bisecting_search(rule, 100, seed=seed, **how).n_non_dominated[-1])
            for seed in range(3)
        )
        for how in ({}, {"weights": UNWEIGHTED})
    )
    assert weighted > plain


def test_alternatives_that_keep_every_old_age(measure, baseline):
    """As many as are asked for, each no riskier than Safe Harbor."""
    space, threshold = measure.space, baseline.risk(measure.cells)
    old = Preference("age", values_between(space.domains[2], 90))
    result = bisecting_search(
        RiskAtMost(measure, threshold), 50, seed=2, keep=demanded(space, [old])
    )
    assert len(result.non_dominated) > 40
    for each in result.found:
        assert kept_share(each.policy, old) == 1
        assert each.risk <= threshold


def test_frontier_holds_policies_better_than_safe_harbor(measure, baseline):
    risk, loss = shares_of(RiskAndLoss(measure), baseline.bits)
    found = sublattice_search(RiskAndLoss(measure), 6000, seed=1)
    chains = random_chains(RiskAndLoss(measure), 6000, seed=1)
    assert any(
        (each.risk <= risk and each.loss < loss)
        or (each.risk < risk and each.loss <= loss)
        for each in found.points
    )
    assert hypervolume(found) > hypervolume(chains)
    assert len(found.points) > len(chains.points)
