"""The result of a search for policies, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.discover.bit_policy import BitPolicy


@dataclass(frozen=True)
class FoundPolicy:
    """An acceptable policy.

    Parameters
    ----------
    risk : float
        Sum of 1 / g^γ over the records; NaN where the rule does not go by it.
    is_boundary : bool
        Whether a policy one step more specific was seen not to be acceptable.
    is_risk_minimal : bool
        Whether no more specific policy is acceptable, as far as was looked.
    iteration : int
        Which one found it, from 0 on.
    """

    policy: BitPolicy
    risk: float
    is_boundary: bool = True
    is_risk_minimal: bool = False
    iteration: int = 0


OnFound = Callable[[FoundPolicy], None]
"""Is told every policy as soon as it is found."""


def ignore_found(found: FoundPolicy) -> None:
    """Do nothing with a policy that was found."""


@dataclass(frozen=True)
class Iteration:
    """What one iteration of a search cost.

    Parameters
    ----------
    n_asked : int
        Policies whose risk was needed: nodes searched.
    n_evaluated : int
        Those of them that had not been evaluated before.
    """

    seconds: float
    n_asked: int
    n_evaluated: int


@dataclass(frozen=True, eq=False)
class Discovery:
    """What a search found.

    Parameters
    ----------
    method : str
        "bps", "directed", "exhaustive" or "completion".
    found : tuple of FoundPolicy
        One per iteration, in their order; equal ones can come again.
    every_policy_acceptable : bool
        Whether even the most specific policy is; then it is the only one found.
    """

    method: str
    seed: int
    threshold: float | None
    found: tuple[FoundPolicy, ...]
    iterations: tuple[Iteration, ...] = ()
    every_policy_acceptable: bool = False

    @property
    def seconds(self) -> FloatArray:
        """Seconds of each iteration: float64, (n_iterations,)."""
        return np.array([each.seconds for each in self.iterations], np.float64)

    @property
    def n_asked(self) -> IntArray:
        """Nodes searched by each iteration: int64, (n_iterations,)."""
        return np.array([each.n_asked for each in self.iterations], np.int64)

    @property
    def n_evaluated(self) -> IntArray:
        """New nodes evaluated by each iteration: int64, (n_iterations,)."""
        return np.array([each.n_evaluated for each in self.iterations], np.int64)

    @cached_property
    def distinct(self) -> tuple[FoundPolicy, ...]:
        """The policies found, equal ones once."""
        return tuple({each.policy: each for each in reversed(self.found)}.values())[
            ::-1
        ]

    @cached_property
    def n_non_dominated(self) -> IntArray:
        """Non-dominated policies among the first x: int64, x from 1 on.

        References
        ----------
        .. [1] Benitez, Loukides and Malin (2010), figure 8; methods.md A.5 (5).
        """
        return non_dominated_counts([each.policy.splits for each in self.found])

    @cached_property
    def non_dominated(self) -> tuple[FoundPolicy, ...]:
        """Policies found that no other found one is a descendant of, once each."""
        kept = non_dominated([each.policy.splits for each in self.distinct])
        return tuple(
            each
            for each, is_kept in zip(self.distinct, kept.tolist(), strict=True)
            if is_kept
        )


class Maxima:
    """The policies so far of which no other one is a descendant."""

    def __init__(self, n_splits: int) -> None:
        self._kept = np.empty((0, n_splits), np.bool_)

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, splits: BoolArray) -> bool:
        """Take note of a policy; return whether it is one of them now.

        One that has been added before changes nothing.
        """
        if (self._kept >= splits).all(axis=1).any():
            return False
        stays = ~(self._kept <= splits).all(axis=1)
        self._kept = np.vstack([self._kept[stays], splits])
        return True


def non_dominated_counts(splits: Sequence[BoolArray]) -> IntArray:
    """Count the policies among the first x that none of them is a descendant of.

    Parameters
    ----------
    splits : sequence of ndarray of bool, each of shape (n_splits,)

    Returns
    -------
    ndarray of int64, shape (n,)
        Equal policies count once.
    """
    if not splits:
        return np.empty(0, np.int64)
    maxima = Maxima(len(splits[0]))
    counts = []
    for each in splits:
        maxima.add(each)
        counts.append(len(maxima))
    return np.array(counts, np.int64)


def non_dominated(splits: Sequence[BoolArray]) -> BoolArray:
    """Which of some different policies have no descendant among them.

    Parameters
    ----------
    splits : sequence of ndarray of bool, each of shape (n_splits,)

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    if not splits:
        return np.empty(0, np.bool_)
    words = _words(splits)
    kept = np.ones(len(splits), np.bool_)
    for place, own in enumerate(words):
        is_above = np.ones(len(splits), np.bool_)
        for number, word in enumerate(own):
            is_above &= (words[:, number] & word) == word
        kept[place] = np.count_nonzero(is_above) == 1
    return kept


def _words(splits: Sequence[BoolArray]) -> AnyArray:
    """Splits of policies as whole words: uint64, (n_policies, n_words).

    PERF: 10,000 policies are compared in 0.2 s, bit by bit in 3 s.
    """
    packed = np.packbits(np.stack(splits), axis=1)
    n_bytes = packed.shape[1]
    padded = np.pad(packed, ((0, 0), (0, -n_bytes % 8)))
    return np.ascontiguousarray(padded).view(np.uint64)
