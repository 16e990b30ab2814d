"""Which classes are released under several privacy models together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.privacy.base import (
    ClassModel,
    PrivacyModel,
    ReleaseModel,
    SizeModel,
    SizeOrderModel,
)

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@dataclass(frozen=True)
class Roles:
    """Privacy models by what they judge: the one place that asks for their types.

    Parameters
    ----------
    by_class : tuple of ClassModel
        That ask for more than a size.
    by_release : tuple of ReleaseModel
        That ask for more than class sizes.
    """

    by_size: tuple[SizeModel, ...]
    by_class: tuple[ClassModel, ...]
    by_size_order: tuple[SizeOrderModel, ...]
    by_release: tuple[ReleaseModel, ...]

    @classmethod
    def of(cls, models: Sequence[PrivacyModel]) -> Self:
        """Tell models apart, each group in the order in which they are given."""
        by_class = [each for each in models if isinstance(each, ClassModel)]
        by_release = [each for each in models if isinstance(each, ReleaseModel)]
        # PRIVACY: a model of no role would be asked by nobody.
        assert len(by_class) + len(by_release) == len(models), models
        by_size = [each for each in by_class if isinstance(each, SizeModel)]
        by_order = [each for each in by_release if isinstance(each, SizeOrderModel)]
        return cls(
            tuple(by_size),
            tuple(each for each in by_class if not isinstance(each, SizeModel)),
            tuple(by_order),
            tuple(each for each in by_release if not isinstance(each, SizeOrderModel)),
        )

    @property
    def of_classes(self) -> tuple[ClassModel, ...]:
        """Models that judge each class by itself."""
        return (*self.by_size, *self.by_class)

    @property
    def of_release(self) -> tuple[ReleaseModel, ...]:
        """Models that judge the release as a whole."""
        return (*self.by_size_order, *self.by_release)


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
    roles = Roles.of(models)
    for model in roles.of_classes:
        kept &= model.holds(classes)
    others = sorted(roles.of_release, key=repr)
    before = -1
    while others and int(kept.sum()) != before:
        before = int(kept.sum())
        for other in others:
            kept = other.restrict(classes, kept)
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
    roles = Roles.of(models)
    return tuple(models) if roles.of_release else roles.by_class
