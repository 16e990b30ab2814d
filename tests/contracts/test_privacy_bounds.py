"""What a search relies on in every registered privacy model."""

import itertools

import numpy as np
import pytest

from deidgui import resources
from deidgui.engine.data.class_table import ClassTable, classes_at, count_values
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.raising import RaisedClasses
from deidgui.engine.data.table import Column
from deidgui.engine.privacy import (
    PRIVACY_MODELS,
    BasicBetaLikeness,
    EnhancedBetaLikeness,
    EqualTCloseness,
    HierarchicalTCloseness,
)
from tests.contracts.models import random_tables, some_of
from tests.engine.search.cases import nodes_of

MODELS = [model for kind in PRIVACY_MODELS for model in some_of(kind)]
models = pytest.mark.parametrize("model", MODELS, ids=repr)


def gone_at(table, model, levels):
    classes = classes_at(table, levels)
    return int(classes.counts[~model.holds(classes)].sum())


@models
def test_bound_holds_at_every_less_general_node(model):
    """`least_suppressed` lets a search leave nodes out: it must never be too large."""
    for table, _ in random_tables(3):
        nodes = nodes_of(table)
        bounds = {n: model.least_suppressed(classes_at(table, n)) for n in nodes}
        gone = {n: gone_at(table, model, n) for n in nodes}
        for low in nodes:
            for high in nodes:
                if all(a <= b for a, b in zip(low, high, strict=True)):
                    assert bounds[high] >= 0
                    if model.is_possible(classes_at(table, low)):
                        assert bounds[high] <= gone[low]


@models
def test_what_cannot_be_mended_by_suppressing_cannot_below(model):
    """A search leaves all less general nodes out of one that is not possible."""
    for table, _ in random_tables(3):
        nodes = nodes_of(table)
        possible = {n: model.is_possible(classes_at(table, n)) for n in nodes}
        for low in nodes:
            for high in nodes:
                if all(a <= b for a, b in zip(low, high, strict=True)):
                    assert possible[high] or not possible[low]


@models
def test_no_class_releases_more_than_it_is_said_to_at_any_less_general_node(model):
    """`most_released` and `smallest_class`, class by class."""
    for table, _ in random_tables(3):
        nodes = nodes_of(table)
        every = {n: classes_at(table, n) for n in nodes}
        for high in nodes:
            most = model.most_released(every[high])
            assert ((most >= 0) & (most <= every[high].counts)).all()
            least = model.smallest_class(every[high])
            for low in nodes:
                below = every[low]
                is_below = all(a <= b for a, b in zip(low, high, strict=True))
                if not is_below or not model.is_possible(below):
                    continue
                kept = model.holds(below)
                assert (below.counts[kept] >= least).all()
                released = table.counts * kept[below.of_combination]
                sums = np.bincount(
                    every[high].of_combination, released, every[high].n_classes
                )
                assert (sums <= most + 1e-9).all()


def is_at_most(levels, others):
    return all(a <= b for a, b in zip(levels, others, strict=True))


@pytest.mark.parametrize("model", [m for m in MODELS if m.unites], ids=repr)
def test_no_node_between_two_releases_more_of_a_class(model):
    """`most_between`, class by class: finer classes are released whole or not."""
    for table, _ in random_tables(3):
        nodes = nodes_of(table)
        every = {n: classes_at(table, n) for n in nodes}
        held = {n: model.holds(every[n]) for n in nodes if model.is_possible(every[n])}
        for low in nodes:
            finer = RaisedClasses.bottom(table).raised(low)
            for high in nodes:
                if not is_at_most(low, high):
                    continue
                classes = finer.raised(high)
                most = model.most_between(classes)
                assert ((most >= 0) & (most <= classes.counts)).all()
                for node, kept in held.items():
                    if not (is_at_most(low, node) and is_at_most(node, high)):
                        continue
                    released = table.counts * kept[every[node].of_combination]
                    of_class = classes.of_combination
                    sums = np.bincount(of_class, released, classes.n_classes)
                    assert (sums <= most).all()


UNITING = [
    EqualTCloseness("s", 0.2),
    HierarchicalTCloseness("s", 0.2),
    BasicBetaLikeness("s", 0.5),
    EnhancedBetaLikeness("s", 0.5),
]


@pytest.mark.parametrize("model", UNITING, ids=repr)
def test_no_union_of_finer_classes_that_holds_is_larger(model):
    """Against every union of up to seven finer classes, whatever a node can make.

    Beside them the table has sixty records with all values alike.
    """
    assert {type(each) for each in UNITING} == {
        kind for kind in PRIVACY_MODELS if kind.unites
    }
    rng, n_better, n_exact = np.random.default_rng(5), 0, 0
    groups = [(each, "p" if each in "ab" else "q", "*") for each in "abcd"]
    for _ in range(100):
        sizes = np.append(rng.integers(1, 9, rng.integers(2, 8)), 60)
        n_parts = len(sizes) - 1
        of_record = np.repeat(np.arange(len(sizes)), sizes)
        shares = [*rng.dirichlet(np.full(4, 0.5), n_parts), np.full(4, 0.25)]
        texts = [rng.choice(list("abcd"), p=shares[place]) for place in of_record]
        finer = RaisedClasses.bottom(split_table(sizes, of_record, texts, groups))
        whole = finer.raised((1,))
        most = model.most_between(whole)[0]
        largest = 0
        for wanted in itertools.product((False, True), repeat=n_parts):
            if any(wanted):
                union = finer.some(np.array([*wanted, False])).raised((1,))
                if model.holds(union)[0]:
                    largest = max(largest, int(union.counts[0]))
        assert largest <= most
        n_exact += largest == most < whole.counts[0]
        n_better += most < model.most_released(whole)[0]
    assert n_better >= 5
    assert n_exact >= 5


def split_table(sizes, of_record, texts, groups):
    """A table whose last combination is a class of its own one level up."""
    last = len(sizes) - 1
    grid = [
        (str(each), "rest" if each == last else "h", "*") for each in range(last + 1)
    ]
    counted = count_values(
        Column.from_texts("s", texts),
        of_record,
        len(sizes),
        Hierarchy.from_grid("s", groups),
    )
    leaves = np.arange(len(sizes), dtype=np.int32)[:, None]
    tree = Hierarchy.from_grid("x", grid)
    return ClassTable((tree,), leaves, sizes, {"s": counted})


@models
def test_suppressing_again_suppresses_nothing_more(model):
    """What remains meets the model; of the classes others allow it allows no other."""
    rng = np.random.default_rng(0)
    for table, _ in random_tables(3):
        for levels in nodes_of(table):
            classes = classes_at(table, levels)
            allowed = rng.random(classes.n_classes) < 0.7
            kept = model.restrict(classes, allowed)
            assert not (kept & ~allowed).any()
            assert (model.restrict(classes, kept) == kept).all()
            everything = np.ones(classes.n_classes, dtype=bool)
            assert (model.restrict(classes, everything) == model.holds(classes)).all()
            assert not model.restrict(classes, ~everything).any()


def test_what_is_known_of_every_model_is_written_down():
    page = resources.path("help", "decisions", "bounds-of-models.md")
    text = page.read_text(encoding="utf-8")
    for kind in PRIVACY_MODELS:
        assert f"`{kind.kind}`" in text, kind.kind
