"""Makes the covering designs under resources/coverings, and checks them.

Usage: python packaging/make_coverings.py [--seconds S] [--only V,K,T]... [--check]
       [--take FILE.json]

Starts from the designs that are there, and replaces each by a smaller one wherever it
finds one: by greedy choice, by designs made of other designs, by annealing, and by
designs that a group of permutations leaves as they are. Every design is checked by a
count of its own before it is written. ``--seconds`` is what each design may take
(default 1; a night's run took 60); ``--check`` only checks what is there; ``--take``
starts from designs found elsewhere, too: ``{"v,k,t": [[point, ...], ...]}``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from deidgui.app.power.coverings import FILE, read_designs, write_designs
from deidgui.engine.covering.construct import DesignMaker, annealed, without_spare
from deidgui.engine.covering.design import Design
from deidgui.resources import path

MOST_V, MOST_T = 20, 7

Sizes = tuple[int, int, int]
Blocks = list[tuple[int, ...]]


def every_size() -> Iterator[Sizes]:
    """All sizes that are not trivial, smaller ones first."""
    for v in range(4, MOST_V + 1):
        for t in range(2, min(MOST_T, v - 2) + 1):
            for k in range(t + 1, v):
                yield v, k, t


def n_missed(design: Design) -> int:
    """Sets of t points that no block holds, by their bits."""
    powers = 1 << np.arange(design.v)
    left = np.array(
        [
            sum(powers[list(s)])
            for s in itertools.combinations(range(design.v), design.t)
        ]
    )
    for block in design.blocks:
        mask = int(sum(powers[list(block)]))
        left = left[(left & mask) != left]
    return len(left)


class Best:
    """The smallest design known of each size."""

    def __init__(self) -> None:
        self.known: dict[Sizes, Design] = {}

    def get(self, v: int, k: int, t: int) -> Design | None:
        """The best, or a trivial one."""
        if k in (t, v) or t == 1:
            return DesignMaker().design(v, k, t) if 1 <= t <= k <= v else None
        return self.known.get((v, k, t))

    def offer(self, design: Design, how: str) -> bool:
        """Keep a design if it is smaller than the best so far."""
        sizes = (design.v, design.k, design.t)
        before = self.known.get(sizes)
        if before is not None and before.n_blocks <= design.n_blocks:
            return False
        if n_missed(design):
            raise SystemExit(f"{sizes}: {how} made a design that misses sets")
        self.known[sizes] = design
        if before is not None:
            print(f"{sizes} {before.n_blocks} -> {design.n_blocks} {how}", flush=True)
        return True


def by_rules(best: Best, sizes: Sizes) -> Iterator[Blocks]:
    """Designs made of other designs (methods.md C.3, rule 2)."""
    v, k, t = sizes
    without, beside = best.get(v - 1, k, t), best.get(v - 1, k - 1, t - 1)
    if without and beside:
        yield [*without.blocks, *((*each, v - 1) for each in beside.blocks)]
    added = best.get(v - 1, k - 1, t)
    if added:
        yield [(*each, v - 1) for each in added.blocks]
    smaller = best.get(v, k - 1, t)
    if smaller:
        yield [_with_others(each, v, k) for each in smaller.blocks]
    stronger = best.get(v, k, t + 1)
    if stronger:
        yield list(stronger.blocks)
    larger = best.get(v + 1, k, t)
    if larger:
        for lost in range(v + 1):
            yield [_without(each, lost, v, k) for each in larger.blocks]


def _with_others(block: tuple[int, ...], v: int, k: int) -> tuple[int, ...]:
    others = [each for each in range(v) if each not in block]
    return tuple(sorted((*block, *others[: k - len(block)])))


def _without(block: tuple[int, ...], lost: int, v: int, k: int) -> tuple[int, ...]:
    kept = tuple(each - (each > lost) for each in block if each != lost)
    return _with_others(kept, v, k)


def groups(v: int) -> Iterator[list[tuple[int, ...]]]:
    """Permutations that generate groups: rotations, with a factor or fixed points."""
    for n_fixed in range(3):
        n = v - n_fixed
        rotation = (*((x + 1) % n for x in range(n)), *range(n, v))
        yield [rotation]
        for factor in range(2, n):
            if math.gcd(factor, n) == 1:
                yield [rotation, (*(factor * x % n for x in range(n)), *range(n, v))]
    if v % 2 == 0:
        half = v // 2
        yield [tuple((x + 1) % half + half * (x >= half) for x in range(v))]
    if v % 3 == 0:
        part = v // 3
        yield [tuple((x % part + 1) % part + x // part * part for x in range(v))]


def orbits(v: int, size: int, generators: list[tuple[int, ...]]) -> list[list[int]]:
    """Orbits of the sets of a size, each set as bits."""
    seen: set[int] = set()
    found = []
    for each in itertools.combinations(range(v), size):
        start = sum(1 << x for x in each)
        if start in seen:
            continue
        orbit, new = {start}, [start]
        while new:
            mask = new.pop()
            for one in generators:
                image = sum(1 << one[x] for x in range(v) if mask >> x & 1)
                if image not in orbit:
                    orbit.add(image)
                    new.append(image)
        seen |= orbit
        found.append(sorted(orbit))
    return found


def by_symmetry(sizes: Sizes, until: float, seed: int) -> Iterator[Blocks]:
    """Unions of orbits of blocks, by greedy choice with exchanges."""
    v, k, t = sizes
    if math.comb(v, k) > 20_000:
        return
    chance = np.random.default_rng(seed)
    every = list(groups(v))
    chance.shuffle(every)
    for at, generators in enumerate(every):
        now = time.monotonic()
        if now > until:
            return
        end = now + (until - now) / (len(every) - at) * 1.5
        blocks = orbits(v, k, generators)
        targets = orbits(v, t, generators)
        firsts = np.array([each[0] for each in targets])
        holds = np.array(
            [
                ((firsts[None] & np.array(each)[:, None]) == firsts).any(0)
                for each in blocks
            ]
        )
        cost = np.array([len(each) for each in blocks], float)
        weight = np.array([len(each) for each in targets], float)
        for chosen in _choices(holds, cost, weight, chance, end):
            masks = [mask for at in chosen for mask in blocks[at]]
            yield [tuple(x for x in range(v) if mask >> x & 1) for mask in masks]


def _choices(
    holds: np.ndarray,
    cost: np.ndarray,
    weight: np.ndarray,
    chance: np.random.Generator,
    until: float,
) -> Iterator[list[int]]:
    """Cheap sets of orbits that hold every target: take out some, fill up again."""
    best: list[int] = []
    while not best or time.monotonic() < until:
        share = chance.uniform(0.15, 0.6)
        kept = [at for at in best if chance.random() > share]
        covered = holds[kept].any(0) if kept else np.zeros(holds.shape[1], bool)
        while not covered.all():
            gain = (holds & ~covered) @ weight / cost
            gain *= 1 + 0.1 * chance.random(len(gain))
            kept.append(int(gain.argmax()))
            covered |= holds[kept[-1]]
        for at in sorted(kept, key=lambda at: -cost[at]):
            rest = [each for each in kept if each != at]
            if rest and holds[rest].any(0).all():
                kept = rest
        if not best or cost[kept].sum() <= cost[best].sum():
            is_better = not best or cost[kept].sum() < cost[best].sum()
            best = kept
            if is_better:
                yield best


def improve(best: Best, sizes: Sizes, seconds: float, seed: int) -> None:
    """Look for a smaller design of one size."""
    start = best.known[sizes]
    if start.n_blocks == start.bound or start.n_blocks > 3000:
        return
    until = time.monotonic() + seconds / 2
    for blocks in by_symmetry(sizes, until, seed):
        best.offer(Design.of(*sizes, blocks), "symmetry")
    inner = math.comb(sizes[1] - 1, sizes[2] - 1)
    n_moves = int(seconds * 2e7 / max(10, inner) / 4)
    found = annealed(best.known[sizes], n_moves, 4, seed)
    best.offer(found, "annealing")


def with_rules(best: Best, wanted: list[Sizes]) -> None:
    """Apply the rules until nothing becomes smaller."""
    is_better = True
    while is_better:
        is_better = False
        for sizes in wanted:
            for blocks in by_rules(best, sizes):
                before = best.known.get(sizes)
                design = Design.of(*sizes, blocks)
                if before is None or design.n_blocks <= before.n_blocks * 1.1:
                    design = Design.of(
                        *sizes, without_spare(list(design.blocks), sizes[2])
                    )
                    is_better |= best.offer(design, "rules")


def taken(file: Path) -> Iterator[Design]:
    """Read designs that were found elsewhere."""
    for sizes, blocks in json.loads(file.read_text(encoding="utf-8")).items():
        v, k, t = map(int, sizes.split(","))
        yield Design.of(v, k, t, blocks)


def main() -> int:
    """Improve, check and write the designs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", action="append", default=[])
    options.add_argument("--check", action="store_true")
    options.add_argument("--take", type=Path)
    given = options.parse_args()
    file = path(*FILE)
    best = Best()
    for design in read_designs(file.read_bytes()) if file.exists() else ():
        best.offer(design, "file")
    for design in taken(given.take) if given.take else ():
        best.offer(design, "taken")
    if given.check:
        print(f"{len(best.known)} designs cover all their sets")
        return 0
    only = {tuple(map(int, each.split(","))) for each in given.only}
    sizes = [each for each in every_size() if not only or each in only]
    maker = DesignMaker(known=best.get)
    for each in sizes:
        best.offer(maker.design(*each), "greedy")
    with_rules(best, sizes)
    for each in sizes:
        improve(best, each, given.seconds, given.seed)
        write_designs(file, best.known.values())
    with_rules(best, sizes)
    write_designs(file, best.known.values())
    print(f"{file.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
