"""Is what models say of less general nodes true, and near to the truth?"""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.population import Register
from deidgui.engine.privacy import (
    BasicBetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    EqualTCloseness,
    HierarchicalTCloseness,
    KAnonymity,
    OrderedTCloseness,
    RecursiveCLDiversity,
)
from deidgui.engine.privacy.kernels import ordered_limits
from deidgui.engine.privacy.suppression import released
from tests.contracts.models import random_tables
from tests.engine.privacy.value_tables import (
    distribution_of,
    rows_of,
    value_table,
    value_tables,
)
from tests.engine.search.cases import hierarchy_of, nodes_of, table_of

MODELS = [
    *(EqualTCloseness("s", t) for t in (0.0, 0.2, 0.5)),
    *(OrderedTCloseness("s", t) for t in (0.0, 0.1, 0.2, 0.4)),
    OrderedTCloseness("s", 0.2, "hierarchy"),
    *(HierarchicalTCloseness("s", t) for t in (0.0, 0.2, 0.4)),
    *(DistinctLDiversity("s", least) for least in (2, 3)),
    *(EntropyLDiversity("s", least) for least in (1.0, 1.5, 2.0, 3.0)),
    EntropyLDiversity("s", 2.0, "grassberger"),
    *(RecursiveCLDiversity("s", c, 2) for c in (0.5, 1.0, 3.0)),
    RecursiveCLDiversity("s", 2.0, 3),
    *(DeltaDisclosure("s", delta) for delta in (0.5, 1.0, 2.0)),
    *(BasicBetaLikeness("s", beta) for beta in (0.5, 1.0, 3.0)),
    *(EnhancedBetaLikeness("s", beta) for beta in (0.5, 1.0, 3.0)),
]
models = pytest.mark.parametrize("model", MODELS, ids=repr)


def gone(model, classes):
    return int(classes.counts[~model.holds(classes)].sum())


def pairs_of(table):
    """Nodes with each less general node, and themselves."""
    nodes = nodes_of(table)
    for low, high in product(nodes, nodes):
        if all(a <= b for a, b in zip(low, high, strict=True)):
            yield low, high


@models
@settings(max_examples=25, deadline=None)
@given(table=value_tables())
def test_no_less_general_node_suppresses_fewer(model, table):
    for low, high in pairs_of(table):
        above, below = classes_at(table, high), classes_at(table, low)
        assert 0 <= model.least_suppressed(above) <= gone(model, below)


@models
def test_no_less_general_node_suppresses_fewer_of_two_attributes(model):
    for table, _ in random_tables(6, 60):
        least = {
            n: model.least_suppressed(classes_at(table, n)) for n in nodes_of(table)
        }
        suppressed = {n: gone(model, classes_at(table, n)) for n in nodes_of(table)}
        assert all(least[high] <= suppressed[low] for low, high in pairs_of(table))
        assert max(least.values()) > 0 or max(suppressed.values()) == 0


@models
@settings(max_examples=25, deadline=None)
@given(table=value_tables(max_values=4, max_count=4))
def test_no_part_that_meets_the_model_is_larger(model, table):
    """Class by class, against every part of it."""
    if not hasattr(model, "most_released"):
        pytest.skip("suppresses the same records below")
    top = classes_at(table, (table.hierarchies[0].height,))
    most = model.most_released(top)
    for counts, bound in zip(rows_of(top)[:3], most[:3].tolist(), strict=True):
        parts = list(product(*(range(min(count, 4) + 1) for count in counts)))
        alone = judged_alone(model, table, parts[1:])
        fine = [
            sum(part) for part, is_fine in zip(parts[1:], alone, strict=True) if is_fine
        ]
        largest = max(fine, default=0)
        assert largest <= bound
        if max(counts) <= 4 and model.kind == "recursive_cl_diversity":
            assert bound == largest


def judged_alone(model, table, parts):
    """Whether parts of classes meet a model, compared with the same whole table."""
    whole = table.sensitive["s"]
    wanted = np.array(parts, dtype=np.int64)
    # One more class makes up for the difference: it is not judged.
    rest = whole.totals * len(parts) * 5 - wanted.sum(axis=0)
    tree = whole.hierarchy
    matrix = np.zeros((len(parts) + 1, 10), dtype=np.int64)
    columns = [ord(value) - ord("a") for value in whole.values]
    matrix[:, columns] = np.vstack([wanted, rest])
    width = len(tree.leaves)
    other = value_table(matrix[:, :width], tree)
    return model.holds(classes_at(other, (0,)))[:-1].tolist()


@settings(max_examples=60, deadline=None)
@given(table=value_tables(), t=st.sampled_from([0.1, 0.3]))
def test_mean_distance_never_grows_upwards(table, t):
    """Distances are convex: what the bounds rest on."""
    for model in (
        EqualTCloseness("s", t),
        OrderedTCloseness("s", t),
        HierarchicalTCloseness("s", t),
    ):
        sums = {
            levels: float(classes.counts @ model.distances(classes))
            for levels in nodes_of(table)
            for classes in (classes_at(table, levels),)
        }
        assert all(sums[high] <= sums[low] + 1e-9 for low, high in pairs_of(table))


@settings(max_examples=60, deadline=None)
@given(table=value_tables())
def test_limits_of_ordered_distances(table):
    """Of random distributions on the same values none is nearer or farther."""
    whole = table.sensitive["s"]
    classes = classes_at(table, (0,))
    found = classes.distribution("s")
    ranks = whole.ranks("alphabetical")
    none = np.zeros(classes.n_classes, np.bool_)
    entries = found.starts, found.codes, none
    least, largest = ordered_limits(*entries, ranks, whole.totals)
    if whole.n_values == 1:
        return
    rng = np.random.default_rng(0)
    upto = np.cumsum(whole.totals / whole.n_records)
    for counts, low, high in zip(rows_of(classes), least, largest, strict=True):
        support = np.array(counts) > 0
        drawn = rng.dirichlet(np.ones(support.sum()) * 0.3, 200)
        shares = np.zeros((200, len(counts)))
        shares[:, support] = drawn
        steps = len(counts) - 1
        distances = np.abs(np.cumsum(shares, axis=1) - upto)[:, :-1].sum(axis=1) / steps
        assert low <= distances.min() + 1e-12
        assert high >= distances.max() - 1e-12


def test_bounds_are_near_to_the_truth():
    """One class of 100 with one record of the other value, where half have it."""
    table = value_table([[99, 1], [1, 99]])
    top = classes_at(table, (0,))
    for model, kept in (
        # At most 70 % may have one value: 1 of 3.33, rounded down.
        (EqualTCloseness("s", 0.2), 3),
        (BasicBetaLikeness("s", 0.4), 3),
        # One of each value: exp(H) = 2; two of one, one of the other: 1.89.
        (EntropyLDiversity("s", 1.89), 2),
        # The commonest less than three times the other: 2 and 1.
        (RecursiveCLDiversity("s", 3.0, 2), 3),
        # At most sqrt(2) / 2 = 0.707: 1 of 3.41.
        (DeltaDisclosure("s", 0.5), 3),
    ):
        assert model.most_released(top).tolist() == [kept, kept], model


def test_several_attributes_are_protected_together():
    rng = np.random.default_rng(3)
    table, _ = next(random_tables(1, 200))
    of_record = np.repeat(np.arange(table.n_classes), table.counts)
    matrix = np.zeros((table.n_classes, 3), dtype=np.int64)
    np.add.at(matrix, (of_record, rng.integers(0, 3, len(of_record))), 1)
    other = distribution_of(matrix, attribute="other")
    table = replace(table, sensitive={**table.sensitive, "other": other})
    asked = [
        KAnonymity(3),
        EqualTCloseness("s", 0.4),
        DistinctLDiversity("other", 2),
        EntropyLDiversity("other", 1.5),
    ]
    for levels in nodes_of(table):
        classes = classes_at(table, levels)
        alone = [model.holds(classes) for model in asked]
        kept = released(asked, classes)
        assert (kept == np.logical_and.reduce(alone)).all()
        assert released(asked, classes.only(kept)).all()


PRESENCE = [
    DeltaPresence(dmin, dmax, absent)
    for dmin, dmax in ((0.0, 0.2), (0.0, 0.5), (0.1, 1.0), (0.3, 0.6), (0.5, 0.5))
    for absent in ("counted", "ignored")
]


@pytest.mark.parametrize("model", PRESENCE, ids=repr)
@pytest.mark.parametrize("has_empty", [False, True])
def test_presence_is_bounded_class_by_class(model, has_empty):
    """Against what is released of each class at every less general node."""
    n_bound = 0
    for seed, (table, _) in enumerate(random_tables(6, 40)):
        rng = np.random.default_rng(seed)
        people = table.counts * rng.integers(1, 21, len(table.counts))
        cells = table.leaves
        if has_empty:
            cells = np.vstack([cells, [[4, 3], [0, 2]]]).astype(np.int32)
            people = np.append(people, [3, 2])
        table = replace(table, population=Register(cells, people))
        every = {n: classes_at(table, n) for n in nodes_of(table)}
        possible = {n: model.is_possible(each) for n, each in every.items()}
        for low, high in pairs_of(table):
            assert possible[high] or not possible[low]
            if not possible[low]:
                continue
            above, below = every[high], every[low]
            kept = model.holds(below)[below.of_combination]
            sums = np.bincount(above.of_combination, table.counts * kept)
            most = model.most_released(above)
            assert (sums <= most).all()
            # A class that fails has a part that does: none goes unsuppressed.
            fails = ~model.holds(above)
            is_known = model.absent == "counted" or model.dmin == 0
            assert not is_known or (most[fails] < above.counts[fails]).all()
            n_bound += int((most < above.counts).sum())
    assert n_bound > 0 or (has_empty and model.absent == "counted")


def test_people_unlike_all_records_help_nobody():
    """Below the lowest share there is a bound although they may be ignored."""
    found = hierarchy_of("x", [[0, 0, 1, 1], [0] * 4])
    table = table_of([found], [(0,), (1,), (1,), (3,), (3,), (3,)])
    cells = np.array([[0], [1], [2], [3]], dtype=np.int32)
    register = Register(cells, np.array([4, 2, 5, 12], dtype=np.int64))
    top = classes_at(replace(table, population=register), (2,))
    # 6 records of 18 people: without 1 of 4 and 2 of 3 records of 12 it is 3 of 6.
    assert DeltaPresence(0.5, 1.0, "ignored").most_released(top).tolist() == [3]
    # Of 4 in 5 even the combination of 2 among 2 needs all others to go.
    assert DeltaPresence(0.8, 1.0, "ignored").most_released(top).tolist() == [2]
