"""Which records a policy suppresses, and why it says it does."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.policy.policy import lattice_policy, local_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.policy.words import sentence, suppressed_because
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    ClassModel,
    HighestProsecutorRisk,
    KAnonymity,
    ReleaseModel,
)
from deidgui.engine.privacy.suppression import conditions_of, released
from deidgui.errors import ConfigError
from tests.engine.search.cases import (
    class_tables,
    hierarchy_of,
    nodes_of,
    protected,
    table_of,
)


@dataclass(frozen=True)
class TwoValues(ClassModel):
    """Every class has two values of "s": judges each class by itself."""

    kind = "two_values"
    title = "Two values"
    needs_sensitive = True
    attribute: str = "s"

    def words(self):
        return "Two values."

    def holds(self, classes):
        starts = classes.distribution("s").starts
        return np.diff(starts) >= 2


@dataclass(frozen=True)
class HalfInPairs(ReleaseModel):
    """At most half of the classes are pairs: judges the release as a whole."""

    kind = "half_in_pairs"
    title = "Half in pairs"

    def words(self):
        return "Half."

    def holds(self, classes):
        return self.restrict(classes, np.ones(classes.n_classes, dtype=np.bool_))

    def restrict(self, classes, kept):
        pairs = kept & (classes.counts == 2)
        return kept & ~pairs if 2 * pairs.sum() > kept.sum() else kept


def policy_at(table, levels, below, conditions):
    named = dict(zip(table.attributes, levels, strict=True))
    return lattice_policy(table.hierarchies, named, below, conditions=conditions)


@given(class_tables(), st.integers(1, 4), st.integers(0, 9))
def test_suppressed_are_small_classes_and_those_of_the_conditions(found, below, seed):
    table = protected(found[0], seed)
    model = TwoValues()
    for levels in nodes_of(table):
        node = classes_at(table, levels)
        after = released_classes(table, policy_at(table, levels, below, [model]))
        values = node.distribution("s")
        for place in range(node.n_classes):
            n_values = values.starts[place + 1] - values.starts[place]
            is_kept = node.counts[place] >= below and n_values >= 2
            assert after.suppressed[place] == (not is_kept)
        assert (after.labels == node.groups).all()


@given(class_tables(), st.integers(0, 9))
def test_models_of_the_whole_release_are_met_with_all_others(found, seed):
    table = protected(found[0], seed)
    models = (KAnonymity(2), AverageProsecutorRisk(0.4), TwoValues(), HalfInPairs())
    conditions = conditions_of(models)
    assert conditions == models
    for levels in nodes_of(table):
        node = classes_at(table, levels)
        after = released_classes(table, policy_at(table, levels, 1, conditions))
        assert (after.suppressed == ~released(models, node)).all()
        left = node.only(~after.suppressed)
        assert all(model.holds(left).all() for model in models)


def test_conditions_are_the_models_that_do_not_go_by_size():
    by_size = (KAnonymity(3), HighestProsecutorRisk(0.2))
    assert conditions_of(by_size) == ()
    whole = (KAnonymity(3), AverageProsecutorRisk(0.2))
    assert conditions_of(whole) == whole
    assert conditions_of((*by_size, TwoValues())) == (TwoValues(),)
    assert conditions_of((KAnonymity(3), HalfInPairs())) == (
        KAnonymity(3),
        HalfInPairs(),
    )


def test_a_table_without_what_a_condition_needs_is_refused():
    table = protected(class_tables_example())
    policy = policy_at(table, (0,) * len(table.attributes), 1, [TwoValues()])
    with pytest.raises(ConfigError) as caught:
        released_classes(replace(table, sensitive={}), policy)
    assert caught.value.code == "sensitive_missing"


def class_tables_example():
    return table_of([hierarchy_of("a", [[0, 0, 1]])], [(0,), (0,), (1,), (2,)])


def test_reasons_are_told_in_words():
    table = protected(class_tables_example())
    assert suppressed_because(policy_at(table, (0,), 1, [])) == ()
    assert suppressed_because(policy_at(table, (0,), 3, [TwoValues()])) == (
        "Records are suppressed whose quasi-identifiers, as released, are shared by "
        "fewer than 3 records.",
        "Records are also suppressed so that this holds (Two values): Two values.",
    )


def test_records_of_later_rounds_are_told_in_words():
    table = protected(class_tables_example())
    rounds = [policy_at(table, (0,), 2, []), policy_at(table, (1,), 1, [])]
    coarser = sentence(local_policy(rounds), 0, 4, 2)
    assert coarser.endswith(
        "2 of 4 records (50\u202f%) are released less precisely; no record suppressed"
    )
    finer = local_policy(rounds[::-1])
    assert "1 of 4 records (25\u202f%) is released with other groups" in sentence(
        finer, 1, 4, 1
    )
    reasons = suppressed_because(local_policy(rounds))
    assert reasons[0].startswith("Records that one round suppresses are passed on")
    assert len(reasons) == 2
