"""Which classes are released when several privacy models must be met together?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.privacy.base import PrivacyModel


def released(models: Sequence[PrivacyModel], classes: Classes) -> BoolArray:
    """Withhold classes until every model is met.

    Models that judge each class by itself come first; those that judge the
    release as a whole then follow in turn, until none of them asks for more.

    Parameters
    ----------
    models : sequence of PrivacyModel
    classes : Classes
        None withheld.

    Returns
    -------
    ndarray of bool, shape (n_classes,)

    References
    ----------
    .. [1] methods.md B.1 and B.6.
    """
    kept = np.ones(classes.n_classes, dtype=np.bool_)
    for model in models:
        if model.is_by_class:
            kept &= model.holds(classes)
    others = [model for model in models if not model.is_by_class]
    before = -1
    while others and int(kept.sum()) != before:
        before = int(kept.sum())
        for model in others:
            kept = model.restrict(classes, kept)
    return kept


def is_possible(models: Sequence[PrivacyModel], classes: Classes) -> bool:
    """Whether withholding records can make every model hold."""
    return all(model.is_possible(classes) for model in models)
