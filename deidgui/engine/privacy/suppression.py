"""Which classes are released under several privacy models together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.privacy.base import PrivacyModel

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


def released(
    models: Sequence[PrivacyModel],
    classes: EquivalenceClasses,
    kept: BoolArray | None = None,
) -> BoolArray:
    """Suppress classes until every model is met.

    Models that judge each class by itself come first; those that judge the
    release as a whole then follow in turn, until none of them asks for more. The
    result does not depend on the order in which the models are given.

    Parameters
    ----------
    classes : EquivalenceClasses
        None suppressed.
    kept : ndarray of bool, shape (n_classes,), optional
        Those that another rule allows; all if not given.

    Returns
    -------
    ndarray of bool, shape (n_classes,)

    Notes
    -----
    Models that go by class sizes suppress the first classes of the same order, each
    as many as it needs, and more do no harm: the largest number is enough for all,
    whoever comes first. A model that goes by the people of a counted population has
    another order, and then who comes first can matter: they always come in the order
    of their names and thresholds.

    References
    ----------
    .. [1] methods.md B.1 and B.6.
    """
    kept = np.ones(classes.n_classes, np.bool_) if kept is None else kept.copy()
    for model in models:
        if model.is_by_class:
            kept &= model.holds(classes)
    others = sorted((each for each in models if not each.is_by_class), key=repr)
    before = -1
    while others and int(kept.sum()) != before:
        before = int(kept.sum())
        for model in others:
            kept = model.restrict(classes, kept)
    return kept


def is_possible(models: Sequence[PrivacyModel], classes: EquivalenceClasses) -> bool:
    """Whether suppressing records can make every model hold."""
    return all(model.is_possible(classes) for model in models)


def conditions_of(models: Sequence[PrivacyModel]) -> tuple[PrivacyModel, ...]:
    """Models for which a smallest class size does not stand.

    Parameters
    ----------
    models : sequence of PrivacyModel
        All that a release must meet.

    Returns
    -------
    tuple of PrivacyModel
        Those that do not go by size: a policy suppresses what they suppress, and
        classes below a size for the others. If one of them judges the release as
        a whole, all models are met in turn, and there is no such size.
    """
    if any(not model.is_by_class for model in models):
        return tuple(models)
    return tuple(model for model in models if not model.is_by_size)
