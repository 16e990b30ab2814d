"""What thresholds cost: every point of the curves is what a search finds."""

import numpy as np
import pytest

from deidgui.app.policies.lattice import trade_offs as pricing
from deidgui.app.policies.lattice import what_if as exploring
from deidgui.app.policies.lattice.trade_offs import find_trade_offs
from deidgui.engine.search import profile
from tests.explored_case import make_case

DIVERSITY = {"kind": "distinct_l_diversity", "attribute": "diagnosis", "diversity": 3}
AVERAGE = {"kind": "average_prosecutor_risk", "threshold": 0.08}
MEASURES = ["loss", "precision", "non_uniform_entropy", "kl_divergence", "ambiguity"]


def models(k, *others):
    return ({"kind": "k_anonymity", "k": k}, *others)


@pytest.mark.parametrize(
    "others", [(), (DIVERSITY,), (AVERAGE,)], ids=["size", "diversity", "average"]
)
@pytest.mark.parametrize("measure", MEASURES)
def test_prices_are_those_of_searches(measure, others):
    case = make_case(models=models(3, *others), measure={"kind": measure})
    priced = find_trade_offs(case.found)
    assert priced.is_whole
    assert priced.by_limit.exact.all()
    assert priced.by_size.exact.all()
    for limit in (0.0, 0.015, 0.1, 0.3, 1.0):
        again = make_case(
            limit=limit, models=models(3, *others), measure={"kind": measure}
        ).found
        check(priced.by_limit, limit, again)
    for k in (2, 3, 8, 20, 50, 100):
        again = make_case(models=models(k, *others), measure={"kind": measure}).found
        check(priced.by_size, k, again)


def check(curve, at, again):
    """The curve says at one place what another search says."""
    place = curve.place(at)
    if again.optimum is None:
        assert np.isnan(curve.loss[place])
        assert curve.nodes[place] == -1
    else:
        assert curve.loss[place] == pytest.approx(again.loss[again.optimum], rel=1e-9)
        assert curve.nodes[place] == again.optimum


def test_every_limit_at_which_the_best_policy_changes_is_there():
    case = make_case()
    curve = find_trade_offs(case.found).by_limit
    for records in range(0, 401, 7):
        limit = records / 400
        again = exploring.ask(case.found, case.found.models, limit)
        place = curve.place(limit)
        expected = np.nan if again.optimum is None else again.loss[again.optimum]
        np.testing.assert_equal(curve.loss[place], expected)
    assert set(pricing.LIMITS) <= set(curve.at.tolist())


def test_prices_never_rise_with_the_limit_nor_fall_with_the_size():
    priced = find_trade_offs(make_case(models=models(4, DIVERSITY)).found)
    for curve, sign in ((priced.by_limit, -1), (priced.by_size, 1)):
        known = curve.loss[np.isfinite(curve.loss)]
        assert (sign * np.diff(known) >= -1e-12).all()


def test_what_is_not_settled_is_a_lower_bound_and_says_so(monkeypatch):
    for name in ("VISITS", "LEAST_LOOKS"):
        monkeypatch.setattr(pricing, name, 0)
    for name in ("DETAILS_BYTES", "WALKED", "JUDGED"):
        monkeypatch.setattr(profile, name, 0)
    monkeypatch.setattr(exploring, "MOST_ANEW", 1)
    case = make_case(measure={"kind": "ambiguity"})
    sure = make_case(measure={"kind": "ambiguity"})
    rough = find_trade_offs(case.found)
    monkeypatch.undo()
    exact = find_trade_offs(sure.found)
    assert not rough.by_size.exact.all()
    for few, all_ in ((rough.by_limit, exact.by_limit), (rough.by_size, exact.by_size)):
        loss = all_.loss[[all_.place(at) for at in few.at]]
        known = np.isfinite(loss)
        assert (few.loss[known] <= loss[known] + 1e-9).all()
        assert (few.nodes[~few.exact] == -1).all()
        np.testing.assert_allclose(few.loss[few.exact], loss[few.exact])


def test_a_part_of_the_lattice_is_no_whole(monkeypatch):
    for name, few in (("MOST_AROUND", 8), ("FEW_SHOWN", 8)):
        monkeypatch.setattr(f"deidgui.app.policies.lattice.searching.{name}", few)
    assert not find_trade_offs(make_case(method="optimum").found).is_whole
    assert find_trade_offs(make_case(method="optimum").found).by_size.at.size


def test_where_the_profile_cannot_tell_each_size_has_a_search_of_its_own():
    other = {
        "kind": "population_uniqueness",
        "threshold": 0.2,
        "sampling_fraction": 0.1,
    }
    case = make_case(models=models(3, other), limit=0.5)
    priced = find_trade_offs(case.found)
    assert set(priced.by_size.at.tolist()) == {*pricing.FEW_SIZES}
    for k in (2, 3, 8, 50):
        again = make_case(limit=0.5, models=models(k, other)).found
        check(priced.by_size, k, again)
    for limit in (0.0, 0.1, 0.5, 1.0):
        again = make_case(limit=limit, models=models(3, other)).found
        check(priced.by_limit, limit, again)
