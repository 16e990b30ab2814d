"""Has this policy been judged before? What did it cost to ask?"""

from __future__ import annotations

import time
from collections.abc import Callable

from deidgui.engine.arrays import BoolArray
from deidgui.engine.discover.bit_policy import BitPolicy, key_of
from deidgui.engine.discover.results import FoundPolicy, Iteration
from deidgui.engine.discover.rules import Rule, Verdict
from deidgui.errors import InfeasibleError
from deidgui.monitor import Monitor


class Asking:
    """Asks a rule about policies, each only once, and counts.

    Parameters
    ----------
    monitor : Monitor
        Asked with every policy whether to go on.

    References
    ----------
    .. [1] methods.md A.7, memoisation.
    """

    def __init__(self, rule: Rule, monitor: Monitor) -> None:
        self.space = rule.space
        self.rule = rule
        self._monitor = monitor
        self._walk = rule.walk()
        self._known: dict[bytes, Verdict] = {}
        self._fraction = 0.0
        self._is_last_new = False
        self.n_asked = 0
        self._begun = (time.perf_counter(), 0, 0)

    @property
    def n_evaluated(self) -> int:
        """Different policies asked about."""
        return len(self._known)

    def ask(self, splits: BoolArray) -> Verdict:
        """Judge a policy at least as general as the one settled on last."""
        return self._ask(splits, lambda: self._walk.judge(self.space.bits_of(splits)))

    def ask_step(self, before: BoolArray, splits: BoolArray) -> Verdict:
        """Judge a policy with one split more than one that has been asked about."""
        bits_of, risk = self.space.bits_of, self._known[key_of(before)].risk
        return self._ask(
            splits,
            lambda: self._walk.judge_step(bits_of(before), risk, bits_of(splits)),
        )

    def _ask(self, splits: BoolArray, judge: Callable[[], Verdict]) -> Verdict:
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
