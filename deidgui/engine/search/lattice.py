"""The level vectors that a search may choose from, and how they are numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.errors import ConfigError, raise_all

Levels = tuple[int, ...]
"""Level of each attribute, in column order."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """All level vectors between a lowest and a highest one, by number.

    A node is the mixed-radix number of its level vector, the last attribute
    counting fastest: nodes in ascending order are level vectors in ascending
    lexicographic order. Node 0 is the bottom, the last node is the top.

    Parameters
    ----------
    heights : tuple of int
        Most general level of each attribute's hierarchy.
    minimum, maximum : tuple of int
        Lowest and highest level allowed; 0 <= minimum <= maximum <= heights.
    """

    heights: tuple[int, ...]
    minimum: tuple[int, ...]
    maximum: tuple[int, ...]

    def __post_init__(self) -> None:
        assert len(self.heights) == len(self.minimum) == len(self.maximum)
        for low, high, height in zip(
            self.minimum, self.maximum, self.heights, strict=True
        ):
            assert 0 <= low <= high <= height

    @property
    def n_attributes(self) -> int:
        """Number of attributes."""
        return len(self.heights)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Number of allowed levels of each attribute."""
        return tuple(
            high - low + 1 for low, high in zip(self.minimum, self.maximum, strict=True)
        )

    @cached_property
    def n_nodes(self) -> int:
        """Number of level vectors."""
        return prod(self.sizes)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """By how much the node number grows with one level of each attribute."""
        return tuple(
            prod(self.sizes[place + 1 :]) for place in range(self.n_attributes)
        )

    def node(self, levels: Sequence[int]) -> int:
        """Return the number of a level vector inside the lattice."""
        assert len(levels) == self.n_attributes
        number = 0
        for level, low, size, stride in zip(
            levels, self.minimum, self.sizes, self.strides, strict=True
        ):
            assert 0 <= level - low < size
            number += (level - low) * stride
        return number

    def levels_of(self, node: int) -> tuple[int, ...]:
        """Level vector of one node."""
        return tuple(
            low + node // stride % size
            for low, size, stride in zip(
                self.minimum, self.sizes, self.strides, strict=True
            )
        )

    def levels(self, nodes: IntArray | None = None) -> IntArray:
        """Level vectors of some nodes, or of all.

        Parameters
        ----------
        nodes : ndarray of int64, shape (n,), optional

        Returns
        -------
        ndarray of int64, shape (n, n_attributes)
        """
        chosen = np.arange(self.n_nodes, dtype=np.int64) if nodes is None else nodes
        steps = chosen[:, None] // np.array(self.strides, dtype=np.int64)
        vectors = steps % np.array(self.sizes, np.int64) + np.array(self.minimum)
        return np.asarray(vectors, dtype=np.int64)

    @cached_property
    def level_sums(self) -> IntArray:
        """Sum of the levels of every node: ndarray of int64, shape (n_nodes,)."""
        return np.asarray(self.levels().sum(axis=1), dtype=np.int64)

    def successors(self, node: int) -> IntArray:
        """Nodes with one attribute one level higher, in attribute order."""
        return self._neighbours(node, +1)

    def predecessors(self, node: int) -> IntArray:
        """Nodes with one attribute one level lower, in attribute order."""
        return self._neighbours(node, -1)

    def _neighbours(self, node: int, step: int) -> IntArray:
        levels = self.levels_of(node)
        return np.array(
            [
                node + step * stride
                for level, low, high, stride in zip(
                    levels, self.minimum, self.maximum, self.strides, strict=True
                )
                if low <= level + step <= high
            ],
            dtype=np.int64,
        )


def lattice_of(
    hierarchies: Sequence[Hierarchy],
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
) -> Lattice:
    """Return the lattice of some hierarchies within the allowed levels.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        The quasi-identifiers in column order.
    minimum, maximum : mapping of str to int, optional
        Allowed levels by attribute; attributes that are absent are not limited.

    Raises
    ------
    ConfigError
        Code ``level_limits`` for every attribute whose limits are no levels of
        its hierarchy or exclude each other.
    """
    lowest, highest = dict(minimum or {}), dict(maximum or {})
    problems = []
    for hierarchy in hierarchies:
        name, top = hierarchy.attribute, hierarchy.height
        low, high = lowest.setdefault(name, 0), highest.setdefault(name, top)
        if not 0 <= low <= high <= top:
            problems.append(
                ConfigError("level_limits", attribute=name, low=low, high=high, top=top)
            )
    raise_all(problems)
    names = [hierarchy.attribute for hierarchy in hierarchies]
    return Lattice(
        tuple(hierarchy.height for hierarchy in hierarchies),
        tuple(lowest[name] for name in names),
        tuple(highest[name] for name in names),
    )


def around(
    heights: Sequence[tuple[int, int]], levels: Sequence[int], n_nodes: int
) -> list[tuple[int, int]]:
    """Levels around a node, as many on all sides as a small lattice can hold.

    Parameters
    ----------
    heights : sequence of pairs of int
        Lowest and highest level allowed, by attribute.
    levels : sequence of int
        Of the node, each within its limits.
    n_nodes : int, >= 1
        Most nodes of the lattice around it.

    Returns
    -------
    list of pairs of int
        Lowest and highest level by attribute, the node's own between them.
    """
    found = [(level, level) for level in levels]
    growing = True
    while growing:
        growing = False
        for place, (low, high) in enumerate(found):
            lowest, highest = heights[place]
            for wider in ((max(lowest, low - 1), high), (low, min(highest, high + 1))):
                low, high = found[place]
                wider = min(low, wider[0]), max(high, wider[1])
                sizes = [b - a + 1 for a, b in found]
                sizes[place] = wider[1] - wider[0] + 1
                if wider != found[place] and np.prod(sizes, dtype=float) <= n_nodes:
                    found[place] = wider
                    growing = True
    return found
