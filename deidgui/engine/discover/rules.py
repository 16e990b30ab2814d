"""When may a policy be used: its risk is low enough, or privacy models hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.discover.descent import Descent
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.space import Space
from deidgui.engine.policy.grouped import GroupedClasses
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import is_possible, released
from deidgui.errors import ConfigError, raise_all
from deidgui.text import tr

ROUNDING = 1e-12
"""Relative: a policy as risky as the threshold is acceptable whatever the rounding."""


class Verdict(NamedTuple):
    """What a rule says about a policy.

    Parameters
    ----------
    risk : float
        Sum of 1 / g^γ over the records; NaN where the rule does not go by it.
    """

    accepted: bool
    risk: float


class Walk(ABC):
    """Judges policies one after another, profiting from what was judged before."""

    @abstractmethod
    def judge(self, bits: BoolArray) -> Verdict:
        """Judge a policy at least as general as the one settled on last."""

    def judge_step(self, before: BoolArray, risk: float, after: BoolArray) -> Verdict:
        """Judge a policy that splits one run of another one.

        Parameters
        ----------
        before : ndarray of bool, shape (n_bits,)
        risk : float
            Of the other one.
        after : ndarray of bool, shape (n_bits,), contiguous
        """
        del before, risk
        return self.judge(after)

    @abstractmethod
    def settle(self) -> None:
        """From now on only policies at least as general as the last one come."""

    @abstractmethod
    def restart(self) -> None:
        """Any policy may come again."""


class Rule(ABC):
    """Decides which policies are acceptable; if one is, so are all more general ones.

    Attributes
    ----------
    threshold : float or None
        Highest acceptable risk, None if it does not go by risk.
    """

    space: Space
    threshold: float | None

    @abstractmethod
    def walk(self) -> Walk:
        """Return a way to judge policies one after another."""

    def accepts(self, bits: BoolArray) -> bool:
        """Whether one policy is acceptable."""
        return self.walk().judge(bits).accepted


class RiskAtMost(Rule):
    """The risk may be no higher than a threshold, for example that of Safe Harbor.

    Parameters
    ----------
    threshold : float > 0
        T, in the unit of the risk: a sum over the records.

    Raises
    ------
    ConfigError
        Code ``discovery_threshold`` (found).

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.4; methods.md A.5.
    """

    def __init__(self, measure: RiskMeasure, threshold: float) -> None:
        if not (np.isfinite(threshold) and threshold > 0):
            raise ConfigError("discovery_threshold", found=threshold)
        self.measure, self.threshold = measure, threshold
        self.space = measure.space

    def walk(self) -> Walk:
        """Return a way to judge policies one after another."""
        assert self.threshold is not None
        return _RiskWalk(self.measure, self.threshold * (1 + ROUNDING))


class _RiskWalk(Walk):
    def __init__(self, measure: RiskMeasure, limit: float) -> None:
        self._measure, self._limit = measure, limit
        self._ascent = measure.ascent()

    @cached_property
    def _descent(self) -> Descent:
        return Descent(self._measure)

    def judge(self, bits: BoolArray) -> Verdict:
        risk = self._ascent.evaluate(bits).risk
        return Verdict(risk <= self._limit, risk)

    def judge_step(self, before: BoolArray, risk: float, after: BoolArray) -> Verdict:
        risk += self._descent.change(before, after)
        return Verdict(risk <= self._limit, risk)

    def settle(self) -> None:
        self._ascent.settle()

    def restart(self) -> None:
        self._ascent.restart()


class ModelsHold(Rule, Walk):
    """Privacy models must hold for every class, without a record suppressed.

    Parameters
    ----------
    class_table : ClassTable
        With the sensitive attributes and the population that the models ask for.

    Raises
    ------
    ConfigError
        Codes ``no_privacy_model``, or ``discovery_model_not_monotone`` (model): a
        more general policy than one that meets the model may not meet it, and then
        the searches would miss policies. And those of `PrivacyModel.check`.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 5; methods.md B.5.
    """

    threshold = None

    def __init__(
        self, space: Space, class_table: ClassTable, models: Sequence[PrivacyModel]
    ) -> None:
        if not models:
            raise ConfigError("no_privacy_model")
        raise_all(
            [
                ConfigError("discovery_model_not_monotone", model=tr(model.title))
                for model in models
                if not model.monotone_generalization
            ]
        )
        for model in models:
            model.check(class_table)
        self.space, self.models = space, tuple(models)
        self._class_table = class_table

    def walk(self) -> Walk:
        """Return itself: nothing is remembered between policies."""
        return self

    def judge(self, bits: BoolArray) -> Verdict:
        """Judge a policy (see `Walk.judge`)."""
        classes = classes_of(self._class_table, self.space, bits)
        accepted = is_possible(self.models, classes) and bool(
            released(self.models, classes).all()
        )
        return Verdict(accepted, float("nan"))

    def settle(self) -> None:
        """Do nothing (see `Walk.settle`)."""

    def restart(self) -> None:
        """Do nothing (see `Walk.restart`)."""


def classes_of(
    class_table: ClassTable, space: Space, bits: BoolArray
) -> GroupedClasses:
    """Group the combinations of a class table under a policy.

    Parameters
    ----------
    space : Space
        Leaves left out of a domain have a value of their own, together.
    bits : ndarray of bool, shape (n_bits,)
    """
    of_leaf, n_groups = [], []
    for domain, groups in zip(space.domains, space.groups(bits), strict=True):
        outside = np.int32(groups[-1] + 1)
        runs = np.append(groups, outside)[domain.of_leaf].astype(np.int32)
        of_leaf.append(runs)
        n_groups.append(int(outside) + 1)
    return GroupedClasses(class_table, of_leaf, n_groups)
