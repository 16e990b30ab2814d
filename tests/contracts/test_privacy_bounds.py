"""What a search relies on in every registered privacy model."""

import numpy as np
import pytest

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
                    assert 0 <= bounds[high] <= gone[low]


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
