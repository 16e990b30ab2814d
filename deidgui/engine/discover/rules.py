"""Rules that accept or refuse a policy: a risk threshold, or privacy models."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.class_table import ClassTable, GroupedClasses
from deidgui.engine.discover.bit_policy import BitPolicy, key_of
from deidgui.engine.discover.results import FoundPolicy, Iteration
from deidgui.engine.discover.risk import Descent, RiskMeasure
from deidgui.engine.discover.space import Space
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import is_possible, released
from deidgui.errors import ConfigError, InfeasibleError, raise_all
from deidgui.monitor import Monitor
from deidgui.text import tr

ROUNDING = 1e-12
"""Relative: a policy as risky as the threshold is acceptable whatever the rounding."""


class RuleVerdict(NamedTuple):
    """What a rule says about a policy.

    Parameters
    ----------
    risk : float
        Sum of 1 / g^γ over the records; NaN where the rule does not go by it.
    """

    accepted: bool
    risk: float


class RuleWalk(ABC):
    """Judges policies one after another, profiting from what was judged before."""

    @abstractmethod
    def judge(self, bits: BoolArray) -> RuleVerdict:
        """Judge a policy at least as general as the one settled on last."""

    def judge_step(
        self, before: BoolArray, risk: float, after: BoolArray
    ) -> RuleVerdict:
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
    def walk(self) -> RuleWalk:
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
    also : sequence of (RiskMeasure, float)
        Further sums, over other records of the same space, and what each may be at
        most. `RuleVerdict.risk` is always that of `measure`.

    Raises
    ------
    ConfigError
        Code ``discovery_threshold`` (found).

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 2.4; methods.md A.5.
    """

    def __init__(
        self,
        measure: RiskMeasure,
        threshold: float,
        also: Sequence[tuple[RiskMeasure, float]] = (),
    ) -> None:
        for each in (threshold, *(limit for _, limit in also)):
            if not (np.isfinite(each) and each > 0):
                raise ConfigError("discovery_threshold", found=each)
        self.measure, self.threshold = measure, threshold
        self.space, self.also = measure.space, tuple(also)

    def walk(self) -> RuleWalk:
        """Return a way to judge policies one after another."""
        assert self.threshold is not None
        walk = _RiskWalk(self.measure, self.threshold * (1 + ROUNDING))
        if not self.also:
            return walk
        others = [_RiskWalk(each, limit * (1 + ROUNDING)) for each, limit in self.also]
        return _SeveralWalks(walk, others)


class _SeveralWalks(RuleWalk):
    """Accepts what all accept; the risk is that of the first."""

    def __init__(self, first: RuleWalk, others: Sequence[RuleWalk]) -> None:
        self._first, self._others = first, others

    def judge(self, bits: BoolArray) -> RuleVerdict:
        verdict = self._first.judge(bits)
        # Each must know the last policy, in case it is settled on.
        accepted = [each.judge(bits).accepted for each in self._others]
        return RuleVerdict(verdict.accepted and all(accepted), verdict.risk)

    def judge_step(
        self, before: BoolArray, risk: float, after: BoolArray
    ) -> RuleVerdict:
        verdict = self._first.judge_step(before, risk, after)
        # Of the others the risk before is not known.
        is_accepted = verdict.accepted and all(
            each.judge(after).accepted for each in self._others
        )
        return RuleVerdict(is_accepted, verdict.risk)

    def settle(self) -> None:
        for each in (self._first, *self._others):
            each.settle()

    def restart(self) -> None:
        for each in (self._first, *self._others):
            each.restart()


class _RiskWalk(RuleWalk):
    def __init__(self, measure: RiskMeasure, limit: float) -> None:
        self._measure, self._limit = measure, limit
        self._ascent = measure.ascent()

    @cached_property
    def _descent(self) -> Descent:
        return Descent(self._measure)

    def judge(self, bits: BoolArray) -> RuleVerdict:
        risk = self._ascent.evaluate(bits).risk
        return RuleVerdict(risk <= self._limit, risk)

    def judge_step(
        self, before: BoolArray, risk: float, after: BoolArray
    ) -> RuleVerdict:
        risk += self._descent.change(before, after)
        return RuleVerdict(risk <= self._limit, risk)

    def settle(self) -> None:
        self._ascent.settle()

    def restart(self) -> None:
        self._ascent.restart()


class ModelsHold(Rule, RuleWalk):
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

    def walk(self) -> RuleWalk:
        """Return itself: nothing is remembered between policies."""
        return self

    def judge(self, bits: BoolArray) -> RuleVerdict:
        """Judge a policy (see `RuleWalk.judge`)."""
        classes = classes_of(self._class_table, self.space, bits)
        accepted = is_possible(self.models, classes) and bool(
            released(self.models, classes).all()
        )
        return RuleVerdict(accepted, float("nan"))

    def settle(self) -> None:
        """Do nothing (see `RuleWalk.settle`)."""

    def restart(self) -> None:
        """Do nothing (see `RuleWalk.restart`)."""


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


class Asking:
    """Asks a rule about policies, each only once, and counts.

    Parameters
    ----------
    monitor : Monitor
        Asked with every policy whether to go on.
    space : Space, optional
        Whose splits are meant; that of the rule if not given.

    References
    ----------
    .. [1] methods.md A.7, memoisation.
    """

    def __init__(
        self, rule: Rule, monitor: Monitor, space: Space | None = None
    ) -> None:
        self.space = space or rule.space
        self.rule = rule
        self._monitor = monitor
        self._walk = rule.walk()
        self._known: dict[bytes, RuleVerdict] = {}
        self._fraction = 0.0
        self._is_last_new = False
        self.n_asked = 0
        self._begun = (time.perf_counter(), 0, 0)

    @property
    def n_evaluated(self) -> int:
        """Different policies asked about."""
        return len(self._known)

    def ask(self, splits: BoolArray) -> RuleVerdict:
        """Judge a policy at least as general as the one settled on last."""
        return self._ask(splits, lambda: self._walk.judge(self.space.bits_of(splits)))

    def ask_step(self, before: BoolArray, splits: BoolArray) -> RuleVerdict:
        """Judge a policy with one split more than one that has been asked about."""
        bits_of, risk = self.space.bits_of, self._known[key_of(before)].risk
        return self._ask(
            splits,
            lambda: self._walk.judge_step(bits_of(before), risk, bits_of(splits)),
        )

    def _ask(self, splits: BoolArray, judge: Callable[[], RuleVerdict]) -> RuleVerdict:
        self.n_asked += 1
        key = key_of(splits)
        known = self._known.get(key)
        self._is_last_new = known is None
        if known is None:
            self._monitor.report(self._fraction, "policies")
            known = judge()
            self._known[key] = known
        return known

    def settle(self) -> None:
        """From now on ask only for policies at least as general as the last one."""
        if self._is_last_new:
            self._walk.settle()

    def restart(self) -> None:
        """Ask for any policy again."""
        self._walk.restart()

    def begin(self, fraction: float) -> None:
        """Begin an iteration, with so much of the work done."""
        self._fraction = fraction
        self._monitor.report(fraction, "policies")
        self.restart()
        self._begun = (time.perf_counter(), self.n_asked, self.n_evaluated)

    def cost(self) -> Iteration:
        """What has happened since the iteration began."""
        start, n_asked, n_evaluated = self._begun
        return Iteration(
            time.perf_counter() - start,
            self.n_asked - n_asked,
            self.n_evaluated - n_evaluated,
        )

    def found(self, splits: BoolArray, iteration: int, **what: bool) -> FoundPolicy:
        """Return a policy that has been asked about before."""
        policy = BitPolicy(self.space, splits)
        verdict = self._known[policy.key]
        return FoundPolicy(policy, verdict.risk, iteration=iteration, **what)

    def everything_passes(self, top: BoolArray, bottom: BoolArray) -> bool:
        """Whether the most specific policy is acceptable.

        Parameters
        ----------
        top, bottom : ndarray of bool, shape (n_splits,)
            Most general and most specific policy of the search.

        Raises
        ------
        InfeasibleError
            See `require`.
        """
        self.require(top)
        self.restart()
        return self.ask(bottom).accepted

    def require(self, splits: BoolArray) -> None:
        """See that a policy is acceptable.

        Raises
        ------
        InfeasibleError
            Codes ``no_acceptable_policy`` (threshold, least: the risk of this policy)
            or, where the rule does not go by risk, ``no_policy_meets_models``.
        """
        verdict = self.ask(splits)
        if verdict.accepted:
            return
        if self.rule.threshold is None:
            raise InfeasibleError("no_policy_meets_models")
        raise InfeasibleError(
            "no_acceptable_policy",
            threshold=self.rule.threshold,
            least=verdict.risk,
        )
