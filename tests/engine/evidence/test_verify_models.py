"""Privacy models are judged from released rows as the papers define them."""

import math
from collections import Counter

import numpy as np
import pytest

from deidgui.app.stated import ASSUMPTIONS
from deidgui.app.text.release import UNMEASURED
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.evidence.verify_models import (
    _ELSEWHERE,
    ReleasedFacts,
    ReleasedValues,
    grassberger,
    judge,
)
from deidgui.engine.privacy import PRIVACY_MODELS
from tests.contracts.models import random_tables, some_of
from tests.engine.search.cases import nodes_of, protected


def facts(*classes, is_whole=True, **other):
    """Facts of classes, each given as {value: records}."""
    sizes = np.array([sum(each.values()) for each in classes], dtype=np.int64)
    values = {"s": ReleasedValues([Counter(each) for each in classes], is_whole)}
    return ReleasedFacts(sizes, values, **other)


def holds(kind, *classes, **params):
    return judge(kind, {"attribute": "s", **params}, facts(*classes))


def sizes(*found, **other):
    return ReleasedFacts(np.array(found, dtype=np.int64), {}, **other)


# -- by size ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "params", "expected"),
    [
        ("k_anonymity", {"k": 2}, True),
        ("k_anonymity", {"k": 3}, False),
        ("highest_prosecutor_risk", {"threshold": 0.5}, True),
        ("highest_prosecutor_risk", {"threshold": 0.49}, False),
        ("average_prosecutor_risk", {"threshold": 0.3}, True),  # 3 classes of 10
        ("average_prosecutor_risk", {"threshold": 0.29}, False),
        # Classes of 2 and 3 are above 0.3: 5 of 10 records.
        ("records_at_risk", {"threshold": 0.3, "share": 0.5}, True),
        ("records_at_risk", {"threshold": 0.3, "share": 0.49}, False),
        ("sample_uniqueness", {"threshold": 0}, True),
    ],
)
def test_models_of_sizes(kind, params, expected):
    assert judge(kind, params, sizes(2, 3, 5)) is expected


def test_a_unique_record_counts_as_one_of_all():
    assert judge("sample_uniqueness", {"threshold": 0.2}, sizes(1, 4)) is True
    assert judge("sample_uniqueness", {"threshold": 0.19}, sizes(1, 4)) is False


@pytest.mark.parametrize(
    ("k", "fraction", "significance", "truncated", "poisson"),
    [
        (20, 0.05, 0.1, 4, 3),
        (20, 0.05, 0.05, 4, 4),
        (20, 0.05, 0.01, 5, 5),
        (20, 0.1, 0.1, 5, 5),
        (20, 0.2, 0.1, 8, 8),
        (20, 0.5, 0.01, 19, 19),
        (5, 0.1, 0.1, 3, 2),
    ],
)
def test_estimated_k_map_of_the_methods_page(
    k, fraction, significance, truncated, poisson
):
    """O-E3: the least size that is enough, and one less is not."""
    for rule, least in (("truncated", truncated), ("poisson", poisson)):
        params = {"k": k, "sampling_fraction": fraction, "significance": significance}
        params["rule"] = rule
        assert judge("estimated_k_map", params, sizes(least, 40)) is True
        assert judge("estimated_k_map", params, sizes(least - 1, 40)) is False


def test_risk_in_the_population_is_estimated_only_with_a_sampling_fraction():
    """f = 2 of 10 % is 20 people; classes 2, 3, 5 are 100 people in 3 classes."""
    fraction = sizes(2, 3, 5, fraction=0.1)
    assert judge("highest_journalist_risk", {"threshold": 0.05}, fraction) is True
    assert judge("highest_journalist_risk", {"threshold": 0.049}, fraction) is False
    assert judge("marketer_risk", {"threshold": 0.03}, fraction) is True
    assert judge("average_journalist_risk", {"threshold": 0.029}, fraction) is False
    counted = judge("marketer_risk", {"threshold": 0.5}, sizes(2, 3))
    assert counted == "population"


def known(shown, n_known, k):
    found = sizes(*shown.values(), shown=shown)
    return judge("known_attributes", {"known": n_known, "k": k}, found)


def test_by_any_few_attributes():
    """Four records, all different; by one attribute there are two of each value."""
    shown = {(a, b): 1 for a in (0, 1) for b in (0, 1)}
    assert known(shown, 1, 2) is True
    assert known(shown, 1, 3) is False
    assert known(shown, 2, 2) is False
    assert known(shown, 9, 2) is False
    assert known(shown, 9, 1) is True


def test_any_few_attributes_take_people_and_not_too_many_sets():
    params = {"known": 20, "k": 2}
    assert judge("known_attributes", params, sizes(2)) == "people_not_released"
    shown = dict.fromkeys([tuple(range(at, at + 40)) for at in range(3)], 5)
    assert known(shown, 20, 2) == "many_sets"


# -- diversity -------------------------------------------------------------------------


def test_distinct_diversity():
    two, one = {"a": 3, "b": 1}, {"a": 9}
    assert holds("distinct_l_diversity", two, diversity=2) is True
    assert holds("distinct_l_diversity", two, one, diversity=2) is False


def test_entropy_diversity_of_the_methods_page():
    """O-B4: counts (4, 1) have exp(H) = 1.6494."""

    def met(counts, diversity):
        params = {"diversity": diversity, "estimator": "shannon"}
        return holds("entropy_l_diversity", counts, **params)

    assert met({"a": 4, "b": 1}, 1.649) is True
    assert met({"a": 4, "b": 1}, 1.650) is False
    assert met({"a": 2, "b": 2}, 2) is True


def test_grassberger_is_the_digamma_series():
    """G(4) = -gamma - ln 2 + 2/1 + 2/3, and the same for 5."""
    expected = -0.5772156649015329 - math.log(2) + 2 + 2 / 3
    assert grassberger(4) == grassberger(5) == pytest.approx(expected)


def test_recursive_diversity_of_the_methods_page():
    """O-B4, recursive (2, 2): (3, 1) fails, (3, 2) holds."""
    assert holds("recursive_cl_diversity", {"a": 3, "b": 1}, c=2, diversity=2) is False
    assert holds("recursive_cl_diversity", {"a": 2, "b": 1}, c=2, diversity=2) is False
    assert holds("recursive_cl_diversity", {"a": 3, "b": 2}, c=2, diversity=2) is True
    assert holds("recursive_cl_diversity", {"a": 3}, c=9, diversity=2) is False


# -- closeness -------------------------------------------------------------------------

SALARIES = "abcdefghi"
"""Nine values in the order of 3k to 11k."""


def salaries(*classes):
    return facts(*({SALARIES[at - 3]: 1 for at in each} for each in classes))


def ordered(found, t, order="alphabetical"):
    params = {"attribute": "s", "t": t, "order": order}
    return judge("ordered_t_closeness", params, found)


def test_ordered_closeness_of_the_methods_page():
    """O-B4: among 3k..11k, {3, 4, 5} is 0.375 away."""
    found = salaries((3, 4, 5), (6, 8, 11), (7, 9, 10))
    assert ordered(found, 0.376) is True
    assert ordered(found, 0.374) is False
    assert ordered(salaries((3, 4)), 0) is True


def test_numbers_stand_in_their_order_and_other_orders_are_not_known():
    """P = 1/3 each, all records at 10: (1/3 + 2/3) / 2."""
    found = facts({"10": 1}, {"9": 1}, {"2": 1})
    assert ordered(found, 0.51, "numeric") is True
    assert ordered(found, 0.49, "numeric") is False
    assert ordered(found, 0.51, "hierarchy") == "value_hierarchy"
    assert ordered(facts({"a": 1}), 1, "numeric") == "value_hierarchy"


def test_equal_closeness_by_hand():
    """P = (1/2, 1/2), Q = (3/4, 1/4): half of 1/4 + 1/4."""
    found = facts({"a": 3, "b": 1}, {"a": 1, "b": 3})
    assert judge("equal_t_closeness", {"attribute": "s", "t": 0.25}, found) is True
    assert judge("equal_t_closeness", {"attribute": "s", "t": 0.24}, found) is False


def test_a_value_that_a_class_lacks_counts():
    found = facts({"a": 2}, {"a": 1, "b": 1})
    assert judge("equal_t_closeness", {"attribute": "s", "t": 0.25}, found) is True
    assert judge("equal_t_closeness", {"attribute": "s", "t": 0.24}, found) is False


def test_disclosure_and_likeness_by_hand():
    """Q/P = 3/2 for "a" and 1/2 for "b": log2 = 0.585 and -1; relative 0.5."""
    found = facts({"a": 3, "b": 1}, {"a": 1, "b": 3})

    def met(kind, **params):
        return judge(kind, {"attribute": "s", **params}, found)

    assert met("delta_disclosure", delta=1.001) is True
    assert met("delta_disclosure", delta=1.0) is False  # strictly below
    assert met("basic_beta_likeness", beta=0.5) is True
    assert met("basic_beta_likeness", beta=0.49) is False
    assert met("enhanced_beta_likeness", beta=0.5) is True
    # -ln(1/2) = 0.69 bounds it, whatever beta.
    skewed = facts({"a": 2}, {"b": 2})
    likeness = {"attribute": "s", "beta": 5}
    assert judge("basic_beta_likeness", likeness, skewed) is True
    assert judge("enhanced_beta_likeness", likeness, skewed) is False


# -- what the files do not tell --------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["equal_t_closeness", "ordered_t_closeness", "delta_disclosure"]
)
def test_values_of_suppressed_records_are_not_known(kind):
    params = {"attribute": "s", "t": 0.5, "delta": 2}
    assert judge(kind, params, facts({"a": 1}, is_whole=False)) == "suppressed_values"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("k_map", "population"),
        ("delta_presence", "population"),
        ("hierarchical_t_closeness", "value_hierarchy"),
        ("population_uniqueness", "estimator"),
        ("epsilon_delta", "sampling"),
        ("invented", "kind"),
    ],
)
def test_models_that_need_more_than_files(kind, reason):
    assert judge(kind, {}, sizes(3)) == reason


def test_sensitive_column_that_is_not_released_as_it_is():
    assert judge(
        "distinct_l_diversity", {"attribute": "t", "diversity": 2}, facts()
    ) == ("column_changed")


@pytest.mark.parametrize("value", [None, "2", True, [], {}, -1, 0, float("nan")])
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("k_anonymity", "k"),
        ("distinct_l_diversity", "diversity"),
        ("basic_beta_likeness", "beta"),
        ("estimated_k_map", "k"),
    ],
)
def test_parameters_of_strangers_are_no_crash(kind, name, value):
    assert judge(kind, {"attribute": "s", name: value}, facts({"a": 2})) == "parameters"


# -- the models of the engine ----------------------------------------------------------

MODELS = [model for kind in PRIVACY_MODELS for model in some_of(kind)]


def facts_of(classes):
    """What a release without suppressed records tells of some classes."""
    found = classes.distribution("s")
    values = [
        Counter(
            {
                found.values[code]: count
                for code, count in zip(
                    found.codes[a:b].tolist(), found.counts[a:b].tolist(), strict=True
                )
            }
        )
        for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)
    ]
    shown = dict(
        zip(map(tuple, classes.groups.tolist()), classes.counts.tolist(), strict=True)
    )
    values = {"s": ReleasedValues(values, True)}
    return ReleasedFacts(classes.counts, values, shown=shown)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_agrees_with_the_engine_or_says_why_it_cannot(model):
    params = {k: v for k, v in model.to_json().items() if k != "kind"}
    for seed in range(3):
        for table, _ in random_tables(3):
            table = protected(table, seed)
            for levels in nodes_of(table):
                classes = classes_at(table, levels)
                found = judge(model.kind, params, facts_of(classes))
                assert found not in ("kind", "parameters")
                if isinstance(found, bool):
                    assert found == bool(model.holds(classes).all())


def test_every_reason_has_words():
    reasons = {
        *_ELSEWHERE.values(),
        "population",
        "suppressed_values",
        "column_changed",
    }
    reasons |= {"parameters", "kind", "value_hierarchy", "missing_matches"}
    reasons |= {"baseline", "no_level", "people_not_released"}
    reasons |= {"other_version", "other_library", "many_pairs", "many_sets"}
    reasons |= {"counts_many", "other_not_given", "other_unreadable"}
    assert reasons | {"original_values"} == set(UNMEASURED)


def test_every_assumption_has_words():
    codes = {code for kind in PRIVACY_MODELS for code in kind.assumptions}
    assert codes <= set(ASSUMPTIONS)


# -- where rows belong to people -------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "people", "met"),
    [
        ({"a": 2, "b": 1}, 3, True),
        ({"a": 3, "b": 1}, 3, False),
        ({"a": 3, "b": 3}, 3, False),
        ({"a": 3}, 4, False),
        ({"a": 2, "b": 2}, 4, True),
    ],
)
def test_what_all_people_of_a_class_have_is_told_of_each(values, people, met):
    released = ReleasedValues([Counter(values), Counter(a=1, b=1)], True, [people, 2])
    found = ReleasedFacts(np.array([2, people], np.int64), {"s": released})
    params = {"attribute": "s", "diversity": 2}
    assert judge("distinct_l_diversity", params, found) is met
