"""Where every node of the generalization lattice is drawn, and what is beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, NumberTable
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.search.lattice import Lattice

MOST_ORDERED = 500
"""Nodes up to which orders are tried: edges of larger lattices are not drawn."""

N_TRIES = 24


@dataclass(frozen=True, eq=False, repr=False)
class LatticeLayout:
    """A lattice laid out in bands, one band per sum of levels, detail at the bottom.

    Parameters
    ----------
    attributes : tuple of str
        In the order of the lattice.
    lattice : Lattice
        Numbers the nodes.
    row : ndarray of int32, shape (n_nodes,)
        Sum of the levels above the lowest ones.
    x, y : ndarray of float64, shape (n_nodes,)
        Position; neighbours in a band are at least 1 apart.
    band_y : ndarray of float64, shape (n_rows,)
        Middle of each band.
    loss : ndarray of float64, shape (n_nodes,)
        NaN where unknown.
    feasible : ndarray of bool, shape (n_nodes,)
        Which policies meet the models.
    n_known : int
        Policies that were measured, of which a view may show some alone.
    """

    attributes: tuple[str, ...]
    lattice: Lattice
    row: Int32Array
    x: FloatArray
    y: FloatArray
    band_y: FloatArray
    loss: FloatArray
    feasible: BoolArray
    n_known: int

    @property
    def title(self) -> Phrase:
        """What is shown."""
        return Phrase("lattice")

    @property
    def sentence(self) -> Phrase:
        """What one sees."""
        if self.is_empty:
            return Phrase("nothing_yet")
        if not self.feasible.any():
            return Phrase("lattice_none", {"n_nodes": self.n_nodes})
        n_feasible = int(self.feasible.sum())
        params = {"n_feasible": n_feasible, "n_nodes": self.n_known}
        if self.n_known == self.n_nodes:
            return Phrase("lattice_sentence", params)
        # What was not measured is no policy that fails.
        others = {"n_others": self.n_nodes - self.n_known}
        return Phrase("lattice_of_some", {**params, **others})

    @property
    def n_nodes(self) -> int:
        """Number of policies."""
        return len(self.row)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.attributes

    @property
    def row_sums(self) -> range:
        """Steps of generalization of each band: counted from every value in full."""
        lowest = sum(self.lattice.minimum)
        return range(lowest, lowest + len(self.band_y))

    @property
    def row_axis(self) -> Axis:
        """What the bands are."""
        return Axis(Phrase("level_sum"), AxisUnit.COUNT)

    def successors(self, node: int) -> list[int]:
        """Nodes that generalize one attribute by one level more, by their x."""
        return self._from_left(self.lattice.successors(node))

    def predecessors(self, node: int) -> list[int]:
        """Nodes that generalize one attribute by one level less, by their x."""
        return self._from_left(self.lattice.predecessors(node))

    def _from_left(self, nodes: IntArray) -> list[int]:
        order = np.argsort(self.x[nodes], kind="stable")
        return [int(node) for node in nodes[order]]

    def beside(self, node: int, step: int) -> int:
        """Next node to the right (1) or left (-1) in its band; itself at the end."""
        order = self._by_row
        place = int(self._place[node]) + step
        if not 0 <= place < self.n_nodes or self.row[order[place]] != self.row[node]:
            return node
        return int(order[place])

    @cached_property
    def _by_row(self) -> IntArray:
        return np.lexsort((self.y, self.x, self.row))

    @cached_property
    def _place(self) -> IntArray:
        place = np.empty(self.n_nodes, dtype=np.int64)
        place[self._by_row] = np.arange(self.n_nodes)
        return place

    def edges(self, nodes: IntArray) -> IntArray:
        """Edges between each of some nodes and its successors and predecessors.

        Parameters
        ----------
        nodes : ndarray of int64, shape (n,)

        Returns
        -------
        ndarray of int64, shape (n_edges, 2)
            Lower node first, every edge once.
        """
        return _edges(self.lattice, nodes)

    def with_values(self, loss: FloatArray, feasible: BoolArray) -> LatticeLayout:
        """Return the same places with other values (what-if)."""
        assert len(loss) == len(feasible) == self.n_nodes
        return replace(self, loss=loss, feasible=feasible)

    def to_table(self) -> NumberTable:
        """One row per policy."""
        levels = self.lattice.levels().T.tolist()
        names = [
            Phrase("level_of", {"column": attribute}).text()
            for attribute in self.attributes
        ]
        header = (*names, Phrase("loss").text(), Phrase("meets_models").text())
        values = (self.loss.tolist(), self.feasible.astype(np.int64).tolist())
        return NumberTable(header, tuple(zip(*levels, *values, strict=True)))


def lattice_layout(
    attributes: Sequence[str],
    lattice: Lattice,
    *,
    loss: FloatArray | None = None,
    feasible: BoolArray | None = None,
    aspect: float = 1.5,
) -> LatticeLayout:
    """Place every node of a lattice.

    Parameters
    ----------
    attributes : sequence of str
        In the order of the lattice.
    loss : ndarray of float64, shape (n_nodes,), optional
        Unknown by default.
    feasible : ndarray of bool, shape (n_nodes,), optional
        None by default.
    aspect : float, > 0
        Width over height of the picture wanted.

    Returns
    -------
    LatticeLayout
        A band of more nodes than the picture is wide takes several lines.
    """
    n_nodes = lattice.n_nodes
    steps = _steps(lattice, np.arange(n_nodes, dtype=np.int64))
    row = np.zeros(n_nodes, dtype=np.int32)
    for at in steps:
        row += at.astype(np.int32)
    sizes = np.bincount(row).astype(np.int64)
    x, y, band_y = _places(row, _ranks(lattice, row, sizes), sizes, aspect)
    loss = np.full(n_nodes, np.nan) if loss is None else loss
    feasible = np.zeros(n_nodes, np.bool_) if feasible is None else feasible
    return LatticeLayout(
        tuple(attributes),
        lattice,
        row,
        x,
        y,
        band_y,
        loss,
        feasible,
        int((np.isfinite(loss) | feasible).sum()),
    )


def _steps(lattice: Lattice, nodes: IntArray) -> list[IntArray]:
    """Levels of some nodes above the lowest ones, by attribute."""
    return [
        nodes // stride % size
        for stride, size in zip(lattice.strides, lattice.sizes, strict=True)
    ]


def _ranks(lattice: Lattice, row: Int32Array, sizes: IntArray) -> IntArray:
    """Order of the nodes within their rows, with few crossings if edges are drawn.

    Nodes stand in the order of their numbers, or where a weight for each attribute
    puts their levels, so that all edges of an attribute lean alike: of some random
    weights those with the fewest crossings. (Pulling nodes towards the mean place of
    their neighbours, the usual way, leaves more crossings in lattices.)
    """
    best = _ranks_by(np.zeros(lattice.n_nodes), row, sizes)
    if lattice.n_nodes > MOST_ORDERED:
        return best
    levels = lattice.levels()
    edges = _edges(lattice, np.arange(lattice.n_nodes, dtype=np.int64))
    weights = np.random.default_rng(0).normal(size=(N_TRIES, lattice.n_attributes))
    fewest = _crossings(best, edges, row)
    for weight in weights:
        tried = _ranks_by(levels @ weight, row, sizes)
        crossings = _crossings(tried, edges, row)
        if crossings < fewest:
            best, fewest = tried, crossings
    return best


def _ranks_by(value: FloatArray, row: Int32Array, sizes: IntArray) -> IntArray:
    """Rank of each node in its row by a value, equal ones by number."""
    order = np.lexsort((np.arange(len(value)), value, row))
    rank = np.empty(len(value), dtype=np.int64)
    rank[order] = np.arange(len(value)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank


def _crossings(rank: IntArray, edges: IntArray, row: Int32Array) -> int:
    """Pairs of edges between the same rows that cross."""
    low, high = rank[edges[:, 0]], rank[edges[:, 1]]
    total = 0
    for number in range(int(row.max())):
        here = row[edges[:, 0]] == number
        x, y = low[here], high[here]
        crossed = (x[:, None] < x) & (y[:, None] > y)
        total += int(np.count_nonzero(crossed))
    return total


def _edges(lattice: Lattice, nodes: IntArray) -> IntArray:
    """See `LatticeLayout.edges`."""
    pairs = [np.empty((0, 2), dtype=np.int64)]
    steps = _steps(lattice, nodes)
    for at, stride, n in zip(steps, lattice.strides, lattice.sizes, strict=True):
        up, down = nodes[at < n - 1], nodes[at > 0]
        pairs += [np.column_stack((up, up + stride))]
        pairs += [np.column_stack((down - stride, down))]
    keys = np.concatenate(pairs) @ np.array([lattice.n_nodes, 1])
    return np.column_stack(np.divmod(np.unique(keys), lattice.n_nodes))


def _places(
    row: Int32Array, rank: IntArray, sizes: IntArray, aspect: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Coordinates of the nodes, and the middle of each band."""
    width = _width(sizes, aspect)
    lines = -(-sizes // width)
    columns = -(-sizes // lines)
    pitch = width / columns.max()
    gap = _gap(lines)
    starts = np.append(0, np.cumsum(lines - 1 + gap)[:-1])
    line_count = lines[row]
    x = (rank // line_count - (columns[row] - 1) / 2) * pitch
    y = starts[row] + rank % line_count
    return x, y.astype(np.float64), starts + (lines - 1) / 2


def _width(sizes: IntArray, aspect: float) -> int:
    """Fewest nodes per line with which the picture is as wide as wanted."""
    low, high = 1, int(max(sizes.max(), np.ceil(aspect * 4 * len(sizes))))
    while low < high:
        middle = (low + high) // 2
        lines = -(-sizes // middle)
        height = float((lines - 1).sum()) + _gap(lines) * (len(sizes) - 1)
        if middle >= aspect * height:
            high = middle
        else:
            low = middle + 1
    return low


def _gap(lines: IntArray) -> float:
    """Distance between the bands: wider between single lines, where edges show."""
    return 4.0 if lines.max() == 1 else 2.0 + 0.1 * float(lines.max())
