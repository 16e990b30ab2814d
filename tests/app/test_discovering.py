"""From a project's decisions to alternatives: what is found is what was decided."""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from deidgui.app.changes import fingerprint
from deidgui.app.decides import Decides
from deidgui.app.policies.alternatives.basis import compute_basis
from deidgui.app.policies.alternatives.checking import basis_key, check_discovery
from deidgui.app.policies.alternatives.comparing import BASELINE, compare
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.policies import order
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.space import (
    doubtful_elements,
    labels_in_order,
    proposed_elements,
)
from deidgui.app.policies.alternatives.storing import bit_policy_from, policy_from
from deidgui.app.project import (
    Chosen,
    Discover,
    ElementChoice,
    PopulationChoice,
    PreferenceChoice,
    Privacy,
)
from deidgui.app.text import message_for, sentence_for
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.policy.words import phrases
from deidgui.errors import (
    Cancelled,
    ConfigError,
    DeidError,
    InfeasibleError,
    ResourceError,
)
from tests.app.discovery_case import classes_of, kept_by_rule, project_of, typed
from tests.engine.discover.cases import (
    RISKS,
    flat,
    is_below,
    paper_table,
    slow_risk,
    tables,
)
from tests.engine.discover.tennessee import adult_in_tennessee

METHODS = ("bps", "directed", "exhaustive", "frontier")


class Recorder:
    """Monitor that stops after so many reports."""

    def __init__(self, last=math.inf):
        self.last, self.told = last, []

    def report(self, fraction, note=""):
        self.told.append(fraction)
        if len(self.told) > self.last:
            raise Cancelled


def discovery_fingerprint(project):
    return fingerprint(project, Decides.DISCOVERY)


def warned(basis):
    """Codes of the warnings but for that two records of O-A1 share one person."""
    codes = [each.code for each in basis.warnings]
    return [code for code in codes if code != "discovery_population_short"]


def found_texts(found):
    return {each.policy.text for each in found.alternatives}


def discovered(table, project, **options):
    return discover(project, classes_of(table), **options)


@pytest.fixture(scope="module")
def adult():
    return adult_in_tennessee()


@pytest.fixture(scope="module")
def adult_found(adult):
    return discovered(adult, project_of(adult))


# -- the paper's small example ---------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [(1.3, {"11100", "10010", "01110"}), (2.0, {"01111", "11110"})],
)
@pytest.mark.parametrize("method", METHODS[:3])
def test_risk_minimal_policies(threshold, expected, method):
    """methods.md O-A1: completion leads every method to the risk-minimal ones."""
    table = paper_table()
    found = discovered(table, typed(table, threshold, method=method, iterations=60))
    assert found_texts(found) == expected
    assert all(each.is_risk_minimal for each in found.alternatives)
    for each in found.alternatives:
        assert each.risk == pytest.approx(RISKS[each.policy.text], abs=5e-6)
        assert each.risk <= threshold


def test_without_completion_policies_lie_at_the_boundary():
    table = paper_table()
    found = discovered(table, typed(table, 1.3, completes=False, iterations=60))
    assert found.counts.completed == 0
    for each in found.alternatives:
        children = [slow_risk(table, child.bits) for child in each.policy.children()]
        assert slow_risk(table, each.policy.bits) <= 1.3 < max(children)


def test_the_loss_is_that_of_the_frontier():
    """methods.md O-A5: 0 for the data as they are, 1.0703 for all joined."""
    table = paper_table()
    free = discovered(table, typed(table, 6.0))
    assert free.every_policy_acceptable
    assert [each.policy.text for each in free.alternatives] == ["11111"]
    assert free.alternatives[0].loss == 0
    joined = discovered(table, typed(table, 0.106, method="exhaustive"))
    assert found_texts(joined) == {"00000"}
    assert joined.alternatives[0].loss == pytest.approx(1.0703, abs=5e-5)
    assert joined.alternatives[0].loss_share == 1
    assert joined.basis.highest_loss == pytest.approx(joined.alternatives[0].loss)


def test_data_mode_counts_classes():
    """methods.md O-A2: without people the raw risk is the number of classes."""
    table = replace(paper_table(), population=None)
    basis = compute_basis(typed(table, 3.0), classes_of(table))
    assert basis.raw_risk == basis.highest_risk == table.n_classes
    assert basis.least_risk == 1
    assert basis.population_size is None
    assert warned(basis) == ["discovery_population_none"]


# -- any table -------------------------------------------------------------------------


@settings(max_examples=25)
@given(tables(), st.floats(0.05, 1.2), st.sampled_from(METHODS), st.integers(0, 99))
def test_every_alternative_is_acceptable_and_can_be_stored(table, share, method, seed):
    raw = slow_risk(table, np.ones(sum(h.n_leaves - 1 for h in table.hierarchies)))
    threshold = share * raw
    project = typed(table, threshold, method=method, seed=seed, iterations=5, budget=40)
    classes = classes_of(table)
    try:
        found = discover(project, classes)
    except InfeasibleError as none:
        least = none.params["least"]
    else:
        least = 0.0
    if least:
        assert least > threshold
        return
    assert len(found) > 0
    for number, each in enumerate(found.alternatives):
        assert each.number == number
        assert each.risk <= threshold * (1 + 1e-12)
        chosen = found.choice(number)
        space, again = bit_policy_from(chosen, project, classes)
        assert again.text == each.policy.text
        assert space.attributes == found.basis.attributes
        policy = policy_from(Chosen(**chosen.model_dump()), project, classes)
        maps = zip(policy.maps, space.domains, again.groups, strict=True)
        for made, domain, groups in maps:
            assert made.groups.tolist() == groups[domain.of_leaf].tolist()
    if method != "frontier":
        for each in found.alternatives:
            for other in found.alternatives:
                assert not is_below(each.policy, other.policy)


@settings(max_examples=25)
@given(tables(), st.data())
def test_preferences_are_scored_value_by_value(table, data):
    raw = slow_risk(table, np.ones(sum(h.n_leaves - 1 for h in table.hierarchies)))
    try:
        found = discovered(table, typed(table, 0.6 * raw, iterations=4))
    except InfeasibleError:
        return
    preferences = []
    for hierarchy in table.hierarchies:
        places = data.draw(st.sets(st.integers(0, hierarchy.n_leaves - 1)))
        weight = data.draw(st.sampled_from([0.5, 1.0, 4.0]))
        preferences.append(
            PreferenceChoice(
                attribute=hierarchy.attribute,
                places=tuple(sorted(places)),
                weight=weight,
            )
        )
    ordered = order(found, preferences)
    for each in found.alternatives:
        total = 0.0
        for number, preference in enumerate(preferences):
            maps = found.policy(each.number).maps[number]
            wanted = preference.places or range(maps.hierarchy.n_leaves)
            groups = maps.groups.tolist()
            kept = [groups.count(groups[leaf]) == 1 for leaf in wanted]
            assert ordered.shares[number, each.number] == pytest.approx(np.mean(kept))
            total += preference.weight * np.mean(kept)
        weights = sum(preference.weight for preference in preferences)
        assert ordered.scores[each.number] == pytest.approx(total / weights)
    best = ordered.scores[ordered.numbers]
    assert (np.diff(best) <= 1e-12).all()
    assert sorted(ordered.numbers.tolist()) == list(range(len(found)))


# -- seeds, partial results, cancel ----------------------------------------------------


@pytest.mark.parametrize("method", ["bps", "directed", "frontier"])
def test_the_same_seed_finds_the_same(adult, method):
    project = project_of(adult, method=method, iterations=12, budget=800, seed=5)
    first, again = (discovered(adult, project) for _ in range(2))
    assert [e.policy.text for e in first.alternatives] == [
        e.policy.text for e in again.alternatives
    ]
    assert first.counts == again.counts
    assert first.clusters == again.clusters
    other = project.but(discover=project.discover.but(seed=6))
    assert found_texts(discovered(adult, other)) != found_texts(first)


def test_being_looked_at_changes_nothing(adult, adult_found, monkeypatch):
    for name in ("REPORT_EVERY_S", "REPORTING"):
        monkeypatch.setattr(f"deidgui.app.policies.alternatives.searching.{name}", 0.0)
    told = []
    found = discovered(adult, project_of(adult), on_found=told.append)
    assert found_texts(found) == found_texts(adult_found)
    assert len(told) >= 100
    assert not any(each.is_complete for each in told)
    limit = found.basis.threshold
    for each in told[::20]:
        assert (each.risk <= limit).all()
        assert len(each.clusters) <= 6
        assert each.cluster_of.shape == (len(each),)


@pytest.mark.parametrize("method", METHODS[:2] + METHODS[3:])
def test_cancel_tells_what_was_found(adult, method):
    project = project_of(adult, method=method, iterations=50)
    told = []
    monitor = Recorder(last=600)
    with pytest.raises(Cancelled):
        discovered(adult, project, on_found=told.append, monitor=monitor)
    assert len(told[-1]) > 0
    assert not told[-1].is_complete
    assert (told[-1].risk <= told[-1].basis.threshold).all()


@pytest.mark.parametrize("method", METHODS[:2] + METHODS[3:])
def test_progress_never_goes_back(adult, method):
    monitor = Recorder()
    project = project_of(adult, method=method, iterations=5, budget=500)
    discovered(adult, project, monitor=monitor)
    assert monitor.told == sorted(monitor.told)
    assert monitor.told[-1] == 1


# -- Adult in Tennessee ----------------------------------------------------------------


def test_safe_harbor_in_tennessee(adult, adult_found):
    basis = adult_found.basis
    assert kept_by_rule(basis) == ("sex", "race")
    (old,) = basis.released_as("age").items()
    assert old == ("90+", tuple(str(age) for age in range(90, 101)))
    assert basis.threshold < basis.raw_risk == basis.highest_risk
    assert basis.per_record(basis.raw_risk) == basis.raw_risk / 32_561
    assert basis.class_table.population.is_counted
    assert basis.population_size == sum(adult.population.counts)
    assert not basis.warnings
    assert len(adult_found) > 80
    assert (adult_found.risk_share <= 1).all()
    assert 2 <= len(adult_found.clusters) <= 6


def test_choosing_by_what_shall_be_kept(adult, adult_found):
    """ "Ages over 89 in full": a preference orders, a demand leaves others out."""
    preference = PreferenceChoice(attribute="age", low=90)
    ordered = order(adult_found, [preference])
    best = adult_found.alternatives[ordered.numbers[0]]
    assert ordered.scores[best.number] == 1
    age = best.policy.groups[adult_found.basis.attributes.index("age")]
    assert (np.bincount(age)[age[90:]] == 1).all()
    must = project_of(
        adult, preferences=(preference.but(is_demanded=True),), iterations=30
    )
    for method in ("bps", "directed", "frontier"):
        project = must.but(discover=must.discover.but(method=method, budget=3000))
        found = discovered(adult, project)
        assert len(found) > 0
        assert (order(found, [preference]).scores == 1).all()


def test_sides(adult, adult_found):
    together = compare(adult_found, [BASELINE, 0, 1])
    rule, first, second = together.sides
    basis = adult_found.basis
    place = basis.attributes.index("age")
    assert rule.joined[place] == "[90+]"
    # Of the ages over 89 the file has one.
    assert rule.n_values[place] == 1
    assert rule.n_records_joined == 43  # records of 90 and more (methods.md A.8)
    assert rule.risk == basis.threshold
    assert first.risk == adult_found.alternatives[0].risk
    assert first.joined == adult_found.table3_row(0)
    for other in (1, 2):
        pair = together.pairs[0, other]
        assert pair.risks == (rule.risk, together.sides[other].risk)
        assert pair.n_records <= basis.n_records
    assert second.number == 1


def test_values_are_counted_once_and_are_those_of_the_file(adult, adult_found):
    """The table of people knows 101 ages, the file has 74 of them."""
    basis, table = adult_found.basis, adult
    occurring = [set(column) for column in table.leaves.T.tolist()]
    for number in range(0, len(adult_found), 7):
        policy = adult_found.policy(number)
        told = {}
        for place, each in enumerate(policy.maps):
            labels = each.groups.tolist()
            told[each.attribute] = sum(
                labels.count(labels[leaf]) > 1 for leaf in occurring[place]
            )
        alternative = adult_found.alternatives[number]
        assert alternative.n_joined == sum(told.values())
        (side, _) = compare(adult_found, [number, (number + 1) % 90]).sides
        assert dict(zip(basis.attributes, side.n_values, strict=True)) == told
        assert alternative.kind == tuple(name for name in told if told[name])
        (words,) = [e.text for e in phrases(policy) if e.attribute == "age"]
        counts = re.findall(r"(\d+) of (\d+) values kept, (\d+) joined", words)
        n_ages = len(occurring[basis.attributes.index("age")])
        for kept, every, joined in counts:
            assert int(every) == n_ages == int(kept) + int(joined)
            assert int(joined) == told["age"]


def test_the_best_of_each_kind_stands_first(adult_found):
    numbers = order(adult_found, ()).numbers.tolist()
    kinds = [adult_found.alternatives[number].kind for number in numbers]
    n_kinds = len(set(kinds))
    assert n_kinds > 1
    assert len(set(kinds[:n_kinds])) == n_kinds
    losses = adult_found.loss[numbers]
    assert losses[0] == losses.min()
    for number, kind in zip(numbers[:n_kinds], kinds[:n_kinds], strict=True):
        of_kind = [e.loss for e in adult_found.alternatives if e.kind == kind]
        assert adult_found.loss[number] == min(of_kind)


def test_every_kind_that_can_do_is_found(adult_found):
    """Joining the sexes alone is enough; before, nearly all joined ages only."""
    kinds = {each.kind for each in adult_found.alternatives}
    assert {("sex",), ("race",), ("age",)} <= kinds
    (sexes,) = [e for e in adult_found.alternatives if e.kind == ("sex",)]
    assert sexes.risk < 0.6 * adult_found.basis.threshold


def test_no_alternative_of_a_frontier_is_beaten(adult, adult_found):
    """On Adult 50 of 50 were, and the one that loses least was missed."""
    project = project_of(adult, method="frontier", budget=3000)
    found = discovered(adult, project)
    assert len(found) > 10
    figures = found.basis.risk_and_loss()
    exact = [figures.exactly(e.policy.bits) for e in found.alternatives]
    n_beaten = 0
    for each, (risk, loss) in zip(found.alternatives, exact, strict=True):
        children = [figures.exactly(c.bits) for c in each.policy.children()]
        n_beaten += any(
            r <= risk * (1 + 1e-9)
            and u <= loss + 1e-9
            and (r < risk * (1 - 1e-9) or u < loss - 1e-9)
            for r, u in (*exact, *children)
        )
    assert n_beaten == 0
    assert found.loss.min() <= adult_found.loss.min() * 1.001
    # Values that no record has are joined only with those around them.
    ages = found.basis.domain("age")
    for each in found.alternatives[::10]:
        groups = each.policy.groups[found.basis.attributes.index("age")]
        for group in np.unique(groups):
            own = np.flatnonzero(groups == group)
            assert len(own) == 1 or ages.is_in_file[own].any()


def test_a_quota_and_preferences_steer_the_draw(adult):
    def kinds(**decided):
        found = discovered(adult, project_of(adult, iterations=40, **decided))
        return [each.kind for each in found.alternatives], found

    # The iterations that are left when all of a kind are found join anything.
    races, _ = kinds(quotas={"race": 0.5})
    assert ("race",) in races
    ages, _ = kinds(quotas={"age": 1.0})
    assert set(ages) == {("age",)}
    with pytest.raises(ValidationError):
        Discover(quotas={"race": 0.7, "sex": 0.4})
    with pytest.raises(ConfigError, match="quota_unknown_attribute"):
        kinds(quotas={"shoe": 0.5})
    # Ages of 60 to 75 that are wanted are kept far more often.
    wanted = PreferenceChoice(attribute="age", low=60, high=75)
    shares = []
    for preferences in ((), (wanted,)):
        _, found = kinds(quotas={"age": 1.0}, preferences=preferences)
        shares.append(order(found, [wanted]).shares.mean())
    assert shares[1] > shares[0] + 0.1


def test_groups_are_of_one_kind_each(adult_found):
    """What is given up is the same for all of a group: sexes, races or ages."""
    members = [number for each in adult_found.clusters for number in each.members]
    assert sorted(members) == list(range(len(adult_found)))
    for each in adult_found.clusters:
        kinds = {adult_found.alternatives[number].kind for number in each.members}
        assert len(kinds) == 1
        assert each.example in each.members


def test_what_is_told_of_each_alternative(adult_found):
    """Riskier records one by one; how often it holds, from the draws themselves."""
    project = adult_found.basis.discover
    measured = adult_found.guided_by(adult_found.guiding, adult_found.weights)
    assert project.margin == 0.05
    holding = [each.figures.n_holding for each in measured.alternatives]
    assert all(0 <= n <= 200 for n in holding)
    assert max(holding) > 150
    for each in measured.alternatives[::20]:
        figures = each.figures
        assert (figures.n_riskier > 0) == bool(each.riskier)
        assert figures.added_sum <= figures.n_riskier * figures.added_risk * (1 + 1e-9)
        assert figures.cautious_risk >= figures.population_risk * (1 - 1e-9)


def test_a_chosen_alternative_is_found_again(adult, adult_found):
    chosen = adult_found.choice(7, "good for us")
    assert adult_found.row_of(chosen) == 7
    assert adult_found.row_of(None) is None
    assert adult_found.row_of(chosen.but(domains="0")) is None
    assert chosen.acceptance.threshold == adult_found.basis.threshold
    assert chosen.note == "good for us"
    policy = adult_found.policy(7)
    assert policy.suppress_below == 1
    assert (policy.kind, policy.origin) == ("interval", "discovered")


def test_records_cost_nothing_once_counted(adult):
    """The same people with 30 times the records: the same policies' risk times 30."""
    many = replace(adult, counts=adult.counts * 30)
    few, lot = (compute_basis(project_of(t), classes_of(t)) for t in (adult, many))
    assert lot.n_records == 30 * few.n_records
    assert lot.threshold == pytest.approx(30 * few.threshold)


# -- other baselines -------------------------------------------------------------------


def test_another_policy_as_baseline(adult):
    levels = {"sex": 0, "race": 1, "age": 0}
    chosen = Chosen(levels=levels)
    project = project_of(adult, baseline="policy", policy=chosen, elements={})
    found = discovered(adult, project.but(discover=project.discover.but(iterations=20)))
    basis = found.basis
    bits = np.ones(basis.space.n_bits, np.bool_)
    race = basis.attributes.index("race")
    bits[basis.space.first_bit[race] : basis.space.first_bit[race + 1]] = False
    assert basis.threshold == pytest.approx(basis.measure.risk(bits), rel=1e-12)
    assert set(kept_by_rule(basis)) == {"sex", "age"}
    assert (found.risk <= basis.threshold).all()
    assert found.acceptance.baseline == "policy"


def test_a_discovered_policy_as_baseline(adult, adult_found):
    chosen = adult_found.choice(0)
    project = project_of(adult, baseline="policy", policy=chosen, elements={})
    basis = compute_basis(project, classes_of(adult))
    assert basis.threshold == pytest.approx(adult_found.risk[0], rel=1e-12)
    assert basis.baseline.loss == pytest.approx(adult_found.loss[0], rel=1e-9)


def test_suppressed_records_of_a_baseline_are_not_linked(adult):
    chosen = Chosen(levels={"sex": 0, "race": 0, "age": 0}, suppress_below=5)
    project = project_of(adult, baseline="policy", policy=chosen, elements={})
    basis = compute_basis(project, classes_of(adult))
    few = adult.counts < 5
    assert basis.baseline.n_suppressed == adult.counts[few].sum()
    assert basis.threshold < basis.raw_risk
    assert "discovery_baseline_suppresses" in [w.code for w in basis.warnings]


def test_models_instead_of_risk():
    table = paper_table()
    project = project_of(table, baseline="models", elements={}, method="exhaustive")
    privacy = project.privacy.but(models=({"kind": "k_anonymity", "k": 2},))
    found = discovered(table, project.but(privacy=privacy))
    assert found.acceptance.by == "models"
    assert np.isnan(found.risk_share).all()
    assert np.isfinite(found.risk).all()
    for each in found.alternatives:
        cells = found.policy(each.number)
        sizes = {}
        rows = zip(table.leaves.tolist(), table.counts.tolist(), strict=True)
        for leaves, count in rows:
            maps = zip(cells.maps, leaves, strict=True)
            key = tuple(int(m.groups[leaf]) for m, leaf in maps)
            sizes[key] = sizes.get(key, 0) + count
        assert min(sizes.values()) >= 2
    with pytest.raises(ConfigError, match="compare_no_rule"):
        compare(found, [BASELINE, 0])


def test_models_that_the_search_cannot_use():
    table = paper_table()
    project = project_of(table, baseline="models", elements={})
    models = ({"kind": "delta_presence", "dmin": 0.0, "dmax": 0.9},)
    privacy = project.privacy.but(models=models)
    privacy = privacy.but(
        population=PopulationChoice(kind="built_in", tables=("us_2010",))
    )
    with pytest.raises(ConfigError, match="discovery_model_not_monotone"):
        compute_basis(project.but(privacy=privacy), classes_of(table))


def test_a_ground_laid_before_the_seed_was_changed(adult):
    project = project_of(adult, iterations=5)
    basis = compute_basis(project, classes_of(adult))
    preference = PreferenceChoice(attribute="age", low=80)
    other = project.but(
        discover=project.discover.but(seed=9, preferences=(preference,))
    )
    found = discovered(adult, other, basis=basis)
    assert found.basis.discover == other.discover
    assert found_texts(found) == found_texts(discovered(adult, other))


def test_subtrees_and_levels(adult):
    levels = {"age": 1}
    project = project_of(adult, mode="subtree", levels=levels, iterations=30)
    found = discovered(adult, project)
    space = found.basis.space
    age = space.attributes.index("age")
    assert space.domains[age].values[:2] == ("0-4", "5-9")
    chosen = found.choice(0)
    assert (chosen.kind, chosen.levels["age"]) == ("subtree", 1)
    assert policy_from(chosen, project, classes_of(adult)).kind == "subtree"
    # The rule is applied to single ages, whatever is joined.
    whole = compute_basis(project_of(adult), classes_of(adult))
    assert found.basis.threshold == whole.threshold
    assert found.basis.raw_risk == whole.raw_risk


def test_gamma_changes_risk_and_threshold(adult):
    one = compute_basis(project_of(adult), classes_of(adult))
    two = compute_basis(project_of(adult, gamma=2.0), classes_of(adult))
    assert two.threshold < one.threshold
    assert two.raw_risk < one.raw_risk


def test_zip_areas_that_are_no_neighbours():
    """Areas of 20,000 people or fewer become 000 wherever they stand (G.3)."""
    table = paper_table()
    zips = ("03601", "03701", "05901", "06001", "20301")
    table = replace(table, hierarchies=(table.hierarchies[0], flat("zip", zips)))
    basis = compute_basis(project_of(table), classes_of(table))
    kept = basis.released_as("zip")
    # 036, 059 and 203 by the census of 2020; all others lose two digits.
    assert kept == {
        "000": ("03601", "05901", "20301"),
        "037": ("03701",),
        "060": ("06001",),
    }
    number = {"03601": 0, "03701": 1, "05901": 0, "06001": 2, "20301": 0}
    groups = basis.baseline.groups[1].tolist()
    assert [groups[i] == groups[0] for i in range(5)] == [number[z] == 0 for z in zips]
    m = {"M": (10 + 5 + 1, 8, 2), "F": (12 + 6 + 1, 9, 3)}
    # M50 M53 M54 F52 F54 F54 of O-A1 at the areas 0, 3, 4, 2, 4, 4.
    expected = 1 / m["M"][0] + 1 / m["M"][2] + 1 / m["M"][0] + 3 / m["F"][0]
    assert basis.threshold == pytest.approx(expected, rel=1e-12)


def test_three_digits_first():
    """The rule is applied to ZIP codes of five digits, whatever is joined."""
    table = paper_table()
    zips = ("03601", "03701", "03705", "06001", "20301")
    grid = [(each, each[:3], "*") for each in zips]
    table = replace(
        table, hierarchies=(table.hierarchies[0], Hierarchy.from_grid("zip", grid))
    )
    project = project_of(table, levels={"zip": 1})
    basis = compute_basis(project, classes_of(table))
    assert basis.domain("zip").values == ("036", "037", "060", "203")
    assert (
        basis.threshold == compute_basis(project_of(table), classes_of(table)).threshold
    )
    # 036 and 203 are one value for the rule, and no neighbours: it is no policy of
    # joined neighbours, but its risk and its loss are known.
    assert basis.released_as("zip")["000"] == ("03601", "20301")
    assert basis.baseline.loss > 0
    found = discover(project, classes_of(table))
    assert (found.risk <= basis.threshold).all()
    place = list(found.basis.attributes).index("zip")
    sides = compare(found, [BASELINE, 0]).sides
    assert sides[0].joined[place] == "[000] [037]"


@pytest.mark.parametrize("level", [0, 1])
def test_dates_become_years(level):
    table = paper_table()
    days = ("2019-12-30", "2019-12-31", "2020-01-01", "2020-02-01", "2020-02-02")
    grid = [(day, day[:7], day[:4], "*") for day in days]
    table = replace(
        table, hierarchies=(table.hierarchies[0], Hierarchy.from_grid("date", grid))
    )
    project = project_of(table, levels={"date": level})
    assert project.discover.elements["date"] == ElementChoice(kind="date")
    basis = compute_basis(project, classes_of(table))
    assert basis.released_as("date") == {"2019": days[:2], "2020": days[2:]}
    # M50 M53 M54 F52 F54 F54 of O-A1 on the days 0, 3, 4, 2, 4, 4.
    expected = 1 / (10 + 8) + 2 / (5 + 2 + 1) + 3 / (6 + 3 + 1)
    assert basis.threshold == pytest.approx(expected, rel=1e-12)
    assert basis.space.n_bits == (5 if level == 0 else 3)


# -- what is missing or wrong ----------------------------------------------------------


def codes_of(error):
    return [each.code for each in getattr(error, "problems", (error,))]


def test_all_problems_at_once():
    project = project_of(paper_table(), baseline=None, elements={})
    first, second = project.attributes
    project = project.but(
        attributes=(first.but(hierarchy=None), second),
        discover=project.discover.but(preferences=(PreferenceChoice(attribute="job"),)),
    )
    with pytest.raises(ConfigError) as raised:
        check_discovery(project)
    assert codes_of(raised.value) == [
        "hierarchy_missing",
        "preference_unknown_attribute",
        "discovery_baseline_missing",
    ]


def test_safe_harbor_wants_an_element_for_each():
    project = project_of(paper_table(), elements={"age": ElementChoice(kind="age")})
    with pytest.raises(ConfigError) as raised:
        check_discovery(project)
    assert codes_of(raised.value) == ["discovery_element_missing"]
    assert raised.value.params == {"attribute": "gender"}


def test_models_baseline_wants_models():
    project = project_of(paper_table(), baseline="models", elements={})
    with pytest.raises(ConfigError, match="no_privacy_model"):
        check_discovery(project)


def test_a_promise_about_the_process_is_no_baseline():
    """Whatever was found could not be released: it was found by looking at the data."""
    table = paper_table()
    models = ({"kind": "epsilon_delta", "epsilon": 1.0, "delta": 0.01},)
    project = project_of(table, baseline="models").but(privacy=Privacy(models=models))
    with pytest.raises(DeidError) as caught:
        check_discovery(project)
    codes = {each.code for each in caught.value.problems}
    assert "discovery_model_of_process" in codes


def test_rounds_are_no_baseline():
    later = ({"levels": {"gender": 1, "age": 1}},)
    chosen = Chosen(kind="local_recoding", levels={"gender": 0, "age": 0}, later=later)
    project = project_of(paper_table(), baseline="policy", policy=chosen, elements={})
    with pytest.raises(ConfigError, match="discovery_baseline_rounds"):
        check_discovery(project)


def test_threshold_below_full_suppression():
    """methods.md A.4: nothing is acceptable, and that is said."""
    table = paper_table()
    project = typed(table, 0.05)
    basis = compute_basis(project, classes_of(table))
    assert warned(basis) == ["discovery_threshold_low"]
    assert not basis.is_feasible
    with pytest.raises(InfeasibleError, match="no_acceptable_policy") as raised:
        discovered(table, project)
    assert raised.value.params["least"] == pytest.approx(RISKS["00000"], abs=5e-6)


def test_threshold_above_the_raw_risk():
    """methods.md A.4: every policy is acceptable, and that is said."""
    table = paper_table()
    basis = compute_basis(typed(table, 3.77), classes_of(table))
    assert warned(basis) == ["discovery_threshold_high"]
    assert basis.is_free


def test_a_rule_that_changes_nothing():
    """Nobody is 90: Safe Harbor is the identity, T the raw risk."""
    table = paper_table()
    project = project_of(table)
    basis = compute_basis(project, classes_of(table))
    assert basis.baseline.is_identity
    assert kept_by_rule(basis) == ("gender", "age")
    assert basis.threshold == basis.raw_risk
    # Without a margin even the data as they are would do.
    assert basis.limit == pytest.approx(0.95 * basis.raw_risk)
    assert warned(basis) == ["discovery_rule_changes_nothing"]
    project = project_of(table, margin=0.0)
    assert warned(compute_basis(project, classes_of(table))) == [
        "discovery_rule_changes_nothing",
        "discovery_threshold_high",
    ]


def test_preferences_that_cannot_be_met():
    table = paper_table()
    preference = PreferenceChoice(attribute="age", is_demanded=True)
    project = typed(table, 0.5, preferences=(preference,))
    basis = compute_basis(project, classes_of(table))
    assert warned(basis) == ["discovery_preferences_too_risky"]
    with pytest.raises(InfeasibleError, match="preferences_too_risky") as raised:
        discovered(table, project)
    expected = slow_risk(table, [0, 1, 1, 1, 1])
    assert raised.value.params["least"] == pytest.approx(expected)
    # A preference that only orders asks for nothing.
    free = typed(table, 0.5, preferences=(preference.but(is_demanded=False),))
    assert len(discovered(table, free)) > 0


def test_more_records_than_people():
    table = replace(paper_table(), counts=paper_table().counts * 4)
    basis = compute_basis(typed(table, 5.0), classes_of(table))
    (warning,) = [w for w in basis.warnings if w.code == "discovery_population_short"]
    # M54 has 4 records and 1 person, M53 4 and 2, F54 8 and 1; M50 4 and 10, F52 4, 6.
    assert warning.params == {"n_cells": 3, "n_records": 16}


@pytest.mark.parametrize(
    ("preference", "code"),
    [
        ({"attribute": "gender", "low": 3}, "preference_not_numbers"),
        ({"attribute": "age", "low": 90}, "preference_without_value"),
        ({"attribute": "age", "places": (5,)}, "preference_unknown_value"),
        ({"attribute": "age", "places": (-1,)}, "preference_unknown_value"),
    ],
)
def test_preferences_about_values_that_are_not_there(preference, code):
    table = paper_table()
    preferences = (PreferenceChoice(**preference, is_demanded=True),)
    with pytest.raises(ConfigError, match=code) as raised:
        compute_basis(typed(table, 1.3, preferences=preferences), classes_of(table))
    assert "‹" not in str(message_for(raised.value))


def test_too_many_policies_to_look_at_each(adult):
    with pytest.raises(ResourceError, match="discovery_too_many_policies"):
        discovered(adult, project_of(adult, method="exhaustive"))


@pytest.mark.parametrize("numbers", [[0], [0, 1, 2, 3, 4], []])
def test_two_to_four_are_compared(adult_found, numbers):
    with pytest.raises(ConfigError, match="compare_count"):
        compare(adult_found, numbers)


def test_every_warning_has_a_sentence(adult):
    tables_and_projects = [
        (paper_table(), project_of(paper_table())),
        (paper_table(), typed(paper_table(), 0.05)),
        (replace(paper_table(), population=None), typed(paper_table(), 3.0)),
        (banded_table(), limited(typed(banded_table(), 3.0))),
    ]
    for table, project in tables_and_projects:
        for each in compute_basis(project, classes_of(table)).warnings:
            told = sentence_for(each.code, each.params)
            assert "‹" not in told
            assert len(told) > 40


# -- what results rest on --------------------------------------------------------------


def test_a_stored_policy_of_other_values_is_refused(adult, adult_found):
    project, classes = project_of(adult), classes_of(adult)
    chosen = adult_found.choice(0)
    bits = dict(chosen.bits)
    for wrong in (
        chosen.but(domains="other"),
        chosen.but(bits={**bits, "age": bits["age"][1:]}),
        chosen.but(bits={"age": bits["age"]}),
        chosen.but(kind="subtree", bits={**bits, "age": "01" * 50}),
    ):
        with pytest.raises(ConfigError, match="chosen_policy_does_not_fit"):
            policy_from(wrong, project, classes)
    first, *rest = project.attributes
    other = project.but(attributes=(first.but(missing=("?",)), *rest))
    with pytest.raises(ConfigError, match="chosen_policy_does_not_fit"):
        policy_from(chosen, other, classes)


def test_what_a_ground_and_a_discovery_rest_on():
    project = project_of(paper_table())
    preference = PreferenceChoice(attribute="age", low=53)

    def but(**changes):
        return project.but(discover=project.discover.but(**changes))

    for same in (but(seed=3), but(method="directed"), but(iterations=7)):
        assert basis_key(same) == basis_key(project)
        assert discovery_fingerprint(same) != discovery_fingerprint(project)
    for both in (but(preferences=(preference,)), project.but(notes="x")):
        assert basis_key(both) == basis_key(project)
        assert discovery_fingerprint(both) == discovery_fingerprint(project)
    demand = preference.but(is_demanded=True)
    for none in (but(gamma=2), but(census="2010"), but(preferences=(demand,))):
        assert basis_key(none) != basis_key(project)
        assert discovery_fingerprint(none) != discovery_fingerprint(project)


@pytest.mark.parametrize("baseline", ["models", "policy", "safe_harbor"])
def test_a_discovery_rests_on_models_where_they_decide(baseline):
    table = paper_table()
    policy = Chosen(levels={"gender": 0, "age": 1}) if baseline == "policy" else None

    def but(k):
        privacy = Privacy(models=({"kind": "k_anonymity", "k": k},))
        project = project_of(table, baseline=baseline, policy=policy)
        return project.but(privacy=privacy)

    is_same = baseline == "safe_harbor"
    assert (basis_key(but(2)) == basis_key(but(3))) is is_same
    assert (discovery_fingerprint(but(2)) == discovery_fingerprint(but(3))) is is_same


def banded_table():
    """The ages of the paper in bands of two years."""
    table = paper_table()
    bands = ("50-51", "50-51", "52-53", "52-53", "54")
    grid = [(str(50 + place), band, "*") for place, band in enumerate(bands)]
    age = Hierarchy.from_grid("age", grid)
    return replace(table, hierarchies=(table.hierarchies[0], age))


def limited(project, lowest=1):
    """Ages may be released in bands only."""
    gender, age = project.attributes
    return project.but(attributes=(gender, age.but(minimum_level=lowest)))


@pytest.mark.parametrize("method", METHODS)
def test_levels_that_may_not_be_released_are_not_discovered(method):
    table = banded_table()
    project = limited(typed(table, 2.0, method=method))
    basis = compute_basis(project, classes_of(table))
    assert "discovery_levels_raised" in [each.code for each in basis.warnings]
    assert basis.domain("age").values == ("50-51", "52-53", "54")
    found = discover(project, classes_of(table), basis=basis)
    for each in found.alternatives:
        chosen = found.choice(each.number)
        assert chosen.levels == {"gender": 0, "age": 1}
        assert judge(project, chosen, classes_of(table)).is_met
    free = discover(typed(table, 2.0, method=method), classes_of(table))
    chosen = free.choice(0)
    assert judge(typed(table, 2.0), chosen, classes_of(table)).is_met
    (problem,) = judge(project, chosen, classes_of(table)).problems
    assert problem.code == "chosen_outside_limits"
    # A level beyond the highest one stands for the highest one.
    top = compute_basis(limited(project, 9), classes_of(table))
    assert top.domain("age").values == ("*",)


def test_a_discovery_rests_on_the_limits_of_levels():
    project = project_of(banded_table())
    assert basis_key(limited(project)) != basis_key(project)
    assert discovery_fingerprint(limited(project)) != discovery_fingerprint(project)


def test_values_of_preferences_do_not_depend_on_how_many_people_have_them(adult):
    basis = compute_basis(project_of(adult), classes_of(adult))
    race = basis.domain("race")
    assert race.values[0] == "White"  # the most frequent first
    assert (
        labels_in_order(race)
        == adult.hierarchies[basis.attributes.index("race")].leaves
    )


def test_proposed_elements():
    table = paper_table()
    named = ("zip", "age")
    table = replace(table, hierarchies=tuple(flat(n, range(5)) for n in named))
    project = project_of(table)
    first, second = project.attributes
    rule = {"kind": "dates", "oldest_year": 1930}
    born = second.but(name="born", topic="birth date", kind="date", format="DD.MM.YYYY")
    born = born.but(hierarchy=born.hierarchy.but(rule=rule))
    other = second.but(name="job", topic="occupation")
    year = second.but(name="year", topic="year", kind="integer")
    project = project.but(attributes=(first, second, born, other, year))
    found = proposed_elements(project)
    assert found["zip"].kind == "zip"
    assert found["age"].kind == "age"
    assert found["born"] == ElementChoice(
        kind="date", date_format="DD.MM.YYYY", oldest_year=1930
    )
    assert found["job"].kind == "other"
    last = datetime.date.today().year - 90
    assert found["year"] == ElementChoice(kind="date", oldest_year=last)
    unstated = born.but(hierarchy=born.hierarchy.but(rule={"kind": "dates"}))
    seen = unstated.but(name="seen", topic="date")
    found = proposed_elements(project.but(attributes=(unstated, seen)))
    assert found["born"].oldest_year == last
    assert found["seen"].oldest_year is None


def test_a_rule_that_is_told_less_than_the_columns_look_like():
    table = paper_table()
    told = project_of(table)
    kept = {**told.discover.elements, "age": ElementChoice(kind="other")}
    doubtful = told.but(discover=told.discover.but(elements=kept))
    for project, expected in ((told, False), (doubtful, True)):
        basis = compute_basis(project, classes_of(table))
        codes = [each.code for each in basis.warnings]
        assert ("discovery_elements_doubtful" in codes) is expected
        found = discover(project, classes_of(table), basis=basis)
        judged = judge(project, found.choice(0), classes_of(table))
        assert any("age" in each for each in judged.warnings) is expected
    age = told.attribute("age").but(topic="birth date")
    births = {"age": ElementChoice(kind="date"), "gender": kept["gender"]}
    for oldest, expected in ((None, ("age",)), (1936, ())):
        births["age"] = ElementChoice(kind="date", oldest_year=oldest)
        project = told.but(
            attributes=(told.attributes[0], age),
            discover=told.discover.but(elements=births),
        )
        assert doubtful_elements(project) == expected


def test_nothing_of_a_table_is_told(adult_found):
    shown = [repr(adult_found), repr(adult_found.basis), repr(adult_found.policy(0))]
    shown += [repr(each) for each in adult_found.alternatives]
    shown += [repr(compare(adult_found, [0, 1]))]
    for text in shown:
        assert "White" not in text
        assert "90+" not in text


def test_errors_carry_no_values():
    table = paper_table()
    for project in (typed(table, 0.05), project_of(table, levels={"age": 9})):
        with pytest.raises(DeidError) as raised:
            discovered(table, project)
        assert "54" not in repr(raised.value)


def test_discover_decides_nothing_by_itself():
    assert Discover().baseline is None
    table = paper_table()
    project = typed(table, 1.3)
    undecided = project.but(discover=Discover())
    basis = compute_basis(undecided, classes_of(table))
    assert basis.threshold is None
    assert basis.raw_risk == pytest.approx(RISKS["11111"], abs=5e-6)
    assert not warned(basis)
    with pytest.raises(ConfigError, match="discovery_baseline_missing"):
        discovered(table, undecided)
    with pytest.raises(ConfigError, match="discovery_baseline_missing"):
        discovered(table, undecided, basis=basis)


def test_bits_are_those_of_the_paper():
    table = paper_table()
    found = discovered(table, typed(table, 1.3, method="exhaustive"))
    chosen = {each: found.choice(each).bits for each in range(len(found))}
    assert {"gender": "1", "age": "0010"} in chosen.values()
    space = found.basis.space
    again = BitPolicy.parse(space, "10010")
    assert again.groups[1].tolist() == [0, 0, 0, 1, 1]  # methods.md O-A3
