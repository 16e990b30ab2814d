"""What a search relies on in every registered privacy model."""

import numpy as np
import pytest

from deidgui import resources
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import PRIVACY_MODELS
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
