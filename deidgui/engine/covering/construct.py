"""Makes covering designs: known structures, smaller designs, greed, annealing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import AnyArray, IntArray
from deidgui.engine.covering.design import Block, Design, check_design, schoenheim_bound
from deidgui.engine.covering.kernels import all_sets, anneal, greedy
from deidgui.errors import ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor

MOST_FOR_GREEDY = 20
"""Points up to which every possible block is looked at."""

MOST_TARGETS = 2_000_000
"""Sets of points that a design is checked against."""

HOTTEST = (0.6, 1.0)
COLDEST = 0.12
"""Temperatures at which annealing starts, in turn, and ends."""

STEP = 0.025
"""Share of the blocks that annealing next does without."""


@dataclass(eq=False)
class DesignMaker:
    """Makes designs, and remembers them and those that they are made of.

    Parameters
    ----------
    known : callable
        Returns a stored design of some v, k and t, or None.
    seed : int, >= 0
    """

    known: Callable[[int, int, int], Design | None] = lambda _v, _k, _t: None
    seed: int = 0
    _made: dict[tuple[int, int, int], Design] = field(default_factory=dict)

    def design(
        self, v: int, k: int, t: int, *, monitor: Monitor = NULL_MONITOR
    ) -> Design:
        """Return the best design that is known or made without annealing.

        Returns
        -------
        Design
            Checked: every set of t points lies in one of its blocks.

        Raises
        ------
        ConfigError
            As `check_design`.
        ResourceError
            Code ``design_too_large`` where there are too many sets of t points.
        """
        check_design(v, k, t)
        key = (v, k, t)
        if key not in self._made:
            monitor.report(0.0, f"design {v} {k} {t}")
            stored = self.known(v, k, t)
            if stored is None:
                if math.comb(v, t) > MOST_TARGETS:
                    raise ResourceError(
                        "design_too_large",
                        n_sets=math.comb(v, t),
                        limit=MOST_TARGETS,
                    )
                every = (Design.of(v, k, t, each) for each in self._ways(v, k, t))
                stored = min(every, key=lambda each: each.n_blocks)
            # PRIVACY: a set that no block holds would not be measured.
            assert stored.n_missed == 0
            self._made[key] = stored
        return self._made[key]

    def _ways(self, v: int, k: int, t: int) -> Iterator[list[Block]]:
        """Blocks by every way that is quick; the first is always there."""
        if k == t:
            yield list(itertools.combinations(range(v), t))
            return
        if k == v:
            yield [tuple(range(v))]
            return
        if t == 1:
            yield [_filled(range(at, min(at + k, v)), k, v) for at in range(0, v, k)]
            return
        yield self._by_last_point(v, k, t)
        exact = _hyperplanes(v, k, t)
        if exact is not None:
            yield exact
        if v <= MOST_FOR_GREEDY:
            yield greedy_blocks(v, k, t, self.seed)

    def _by_last_point(self, v: int, k: int, t: int) -> list[Block]:
        """Join a design without the last point with one that always has it.

        References
        ----------
        .. [1] D. Gordon, G. Kuperberg, O. Patashnik (1995), *New constructions for
           covering designs*, Journal of Combinatorial Designs 3(4): dynamic
           programming; methods.md C.3, rule 2.
        """
        without = self.design(v - 1, k, t)
        beside = self.design(v - 1, k - 1, t - 1)
        return [*without.blocks, *((*block, v - 1) for block in beside.blocks)]


def _filled(points: range, size: int, v: int) -> Block:
    """Some points and as many others as a block needs."""
    others = [each for each in range(v) if each not in points]
    return tuple(sorted([*points, *others[: size - len(points)]]))


def _hyperplanes(v: int, k: int, t: int) -> list[Block] | None:
    """Hyperplanes of a projective or affine space over two elements, if they fit.

    References
    ----------
    .. [1] methods.md C.3, rule 1: any t points lie in a hyperplane.
    """
    rank = (v + 1).bit_length() - 1
    if v == 2**rank - 1 and k == 2 ** (rank - 1) - 1 and t == rank - 1:
        return [
            tuple(x - 1 for x in range(1, v + 1) if (x & h).bit_count() % 2 == 0)
            for h in range(1, v + 1)
        ]
    rank = v.bit_length() - 1
    if v == 2**rank and k == v // 2 and t == rank:
        return [
            tuple(x for x in range(v) if (x & h).bit_count() % 2 == side)
            for h in range(1, v)
            for side in (0, 1)
        ]
    return None


def greedy_blocks(v: int, k: int, t: int, seed: int) -> list[Block]:
    """Choose the block that holds most uncovered sets, again and again.

    Parameters
    ----------
    v : int, at most `MOST_FOR_GREEDY`
    seed : int
        Decides among equally good blocks.
    """
    blocks = all_sets(v, k, math.comb(v, k))
    ranks = np.full(1 << v, -1, np.int32)
    ranks[blocks] = np.arange(len(blocks))
    targets = all_sets(v, t, math.comb(v, t))
    chosen = np.empty(len(targets), np.int64)
    n = greedy(
        v,
        blocks,
        ranks,
        targets,
        all_sets(k, t, math.comb(k, t)),
        all_sets(v - t, k - t, math.comb(v - t, k - t)),
        np.random.default_rng(seed).permutation(len(blocks)),
        chosen,
    )
    return without_spare([_block(int(blocks[each])) for each in chosen[:n]], t)


def _block(mask: int) -> Block:
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


def without_spare(blocks: list[Block], t: int) -> list[Block]:
    """Leave out blocks all of whose sets other blocks hold too."""
    n_holding: dict[Block, int] = {}
    for block in blocks:
        for each in itertools.combinations(block, t):
            n_holding[each] = n_holding.get(each, 0) + 1
    kept = []
    for block in reversed(blocks):
        own = list(itertools.combinations(block, t))
        if all(n_holding[each] > 1 for each in own):
            for each in own:
                n_holding[each] -= 1
        else:
            kept.append(block)
    return kept


def annealed(
    start: Design,
    n_moves: int,
    n_tries: int,
    seed: int,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Design:
    """Look for a design with fewer blocks, by annealing.

    Parameters
    ----------
    start : Design
        Of at most `MOST_FOR_GREEDY` points.
    n_moves : int
        Of one try.
    n_tries : int
        With the same number of blocks, before it is given up.
    seed : int, >= 0

    Returns
    -------
    Design
        At most as many blocks as at the start.
    """
    v, k, t = start.v, start.k, start.t
    assert v <= MOST_FOR_GREEDY
    if k in (t, v) or t == 1:
        return start
    targets = all_sets(v, t, math.comb(v, t))
    ranks = np.full(1 << v, -1, np.int32)
    ranks[targets] = np.arange(len(targets))
    inner = all_sets(k - 1, t - 1, math.comb(k - 1, t - 1))
    chance, best = np.random.default_rng(seed), start
    step = max(1, round(STEP * best.n_blocks))
    failed = 0
    while best.n_blocks > schoenheim_bound(v, k, t) and failed < n_tries:
        monitor.report(failed / n_tries, f"design {v} {k} {t}")
        n_blocks = max(best.n_blocks - step, schoenheim_bound(v, k, t))
        blocks = _some_of(best, n_blocks, chance)
        missed = anneal(
            v,
            t,
            blocks,
            ranks,
            len(targets),
            inner,
            HOTTEST[failed % len(HOTTEST)],
            COLDEST,
            n_moves,
            int(chance.integers(2**31)),
        )
        if missed == 0:
            best, failed = Design.of(v, k, t, blocks.tolist()), 0
        elif step > 1:
            step = 1
        else:
            failed += 1
    return best


def _some_of(design: Design, n_blocks: int, chance: np.random.Generator) -> IntArray:
    """Blocks of a design, chosen by chance."""
    kept: AnyArray = chance.permutation(design.n_blocks)[:n_blocks]
    return np.ascontiguousarray(design.points()[kept])
