"""Covering designs: those that ship with the program, and new ones."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from deidgui import resources
from deidgui.engine.covering.construct import DesignMaker
from deidgui.engine.covering.design import Design
from deidgui.monitor import NULL_MONITOR, Monitor

FILE = ("coverings", "designs.txt.gz")
"""A line for each design: v, k, t and its blocks, each as the bits of its points."""

MOST_BLOCKS = 1010
"""Designs with more blocks are made when they are asked for, in seconds."""


def design_of(v: int, k: int, t: int, *, monitor: Monitor = NULL_MONITOR) -> Design:
    """Return the smallest design that is known, or a new one.

    Returns
    -------
    Design
        Checked: every t of the v points lie in one of its blocks.

    Raises
    ------
    ConfigError
        Code ``design_sizes``.
    ResourceError
        Code ``design_too_large``.
    """
    return DesignMaker(known=stored_design).design(v, k, t, monitor=monitor)


def cover(v: int, k: int, t: int, *, monitor: Monitor = NULL_MONITOR) -> dict[str, Any]:
    """Return a covering design as JSON values.

    Returns
    -------
    dict
        ``v``, ``k``, ``t``, ``size``, ``bound`` (no design has fewer blocks) and
        ``blocks``, with the points 0..v-1.

    Raises
    ------
    ConfigError, ResourceError
        As `design_of`.
    """
    found = design_of(v, k, t, monitor=monitor)
    return {
        "v": v,
        "k": k,
        "t": t,
        "size": found.n_blocks,
        "bound": found.bound,
        "blocks": [list(block) for block in found.blocks],
    }


def stored_design(v: int, k: int, t: int) -> Design | None:
    """Return the design that ships with the program, if there is one."""
    line = _lines().get((v, k, t))
    return _design(line) if line else None


@cache
def _lines() -> dict[tuple[int, int, int], str]:
    text = gzip.decompress(resources.path(*FILE).read_bytes()).decode("ascii")
    found = {}
    for line in text.splitlines():
        v, k, t, _ = line.split(" ", 3)
        found[int(v), int(k), int(t)] = line
    return found


def read_designs(content: bytes) -> Iterator[Design]:
    """Read the designs of a file."""
    for line in gzip.decompress(content).decode("ascii").splitlines():
        yield _design(line)


def _design(line: str) -> Design:
    v, k, t, *blocks = line.split(" ")
    points = [
        [at for at in range(int(v)) if int(each, 16) >> at & 1] for each in blocks
    ]
    return Design.of(int(v), int(k), int(t), points)


def write_designs(file: Path, designs: Iterable[Design]) -> None:
    """Write designs that are not too large, in order of their sizes."""
    kept = [each for each in designs if each.n_blocks <= MOST_BLOCKS]
    lines = [
        " ".join(
            [
                f"{each.v} {each.k} {each.t}",
                *sorted(f"{sum(1 << x for x in block):x}" for block in each.blocks),
            ]
        )
        for each in sorted(kept, key=lambda each: (each.v, each.t, each.k))
    ]
    text = "".join(f"{line}\n" for line in lines)
    # No time stamp: the same designs give the same bytes.
    file.write_bytes(gzip.compress(text.encode("ascii"), compresslevel=9, mtime=0))
