"""Covering designs: few blocks of k points that hold every t of v points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.errors import ConfigError

Block = tuple[int, ...]
"""Points of a block, ascending."""

MOST_POINTS = 64
"""Points of a design: attributes of a table."""


@dataclass(frozen=True)
class Design:
    """Blocks of `k` of `v` points such that any `t` points lie in one of them.

    Parameters
    ----------
    v, k, t : int, t <= k <= v
    blocks : tuple of tuples of int, each ascending, of length k, in [0, v)
    """

    v: int
    k: int
    t: int
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        check_design(self.v, self.k, self.t)
        for block in self.blocks:
            assert len(block) == self.k
            assert tuple(sorted(set(block))) == block
            assert block[0] >= 0
            assert block[-1] < self.v

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    @property
    def bound(self) -> int:
        """No design has fewer blocks (see `schoenheim_bound`)."""
        return schoenheim_bound(self.v, self.k, self.t)

    @cached_property
    def n_missed(self) -> int:
        """Sets of t points that no block holds: 0 for a covering design."""
        found: set[Block] = set()
        for block in self.blocks:
            found.update(itertools.combinations(block, self.t))
        return math.comb(self.v, self.t) - len(found)

    def points(self) -> IntArray:
        """Return the blocks as an array of int64, shape (n_blocks, k)."""
        return np.array(self.blocks, np.int64).reshape(-1, self.k)

    @classmethod
    def of(cls, v: int, k: int, t: int, blocks: Iterable[Iterable[int]]) -> Design:
        """Make a design of blocks in any order."""
        return cls(v, k, t, tuple(sorted({tuple(sorted(each)) for each in blocks})))


def check_design(v: int, k: int, t: int) -> None:
    """Refuse sizes of which there is no design.

    Raises
    ------
    ConfigError
        Code ``design_sizes``.
    """
    if not 1 <= t <= k <= v <= MOST_POINTS:
        raise ConfigError("design_sizes", v=v, k=k, t=t, most=MOST_POINTS)


def schoenheim_bound(v: int, k: int, t: int) -> int:
    """Least number of blocks that a design can have.

    Raises
    ------
    ConfigError
        As `check_design`.

    References
    ----------
    .. [1] J. Schönheim (1964), *On coverings*, Pacific Journal of Mathematics 14(4);
       methods.md C.3.
    """
    check_design(v, k, t)
    found = 1
    for at in range(t - 1, -1, -1):
        found = -(-(v - at) * found // (k - at))
    return found
