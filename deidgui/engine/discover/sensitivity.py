"""Would policies stay below a rule if the people were counted a little differently?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.grouping import joint_keys
from deidgui.engine.discover.cells import Cells
from deidgui.engine.discover.domain import Domain
from deidgui.monitor import NULL_MONITOR, Monitor

N_POPULATIONS = 200

COUNTED_ERROR, MODELLED_ERROR = 0.05, 0.15
"""Relative error of the people of a cell: of counts (some groups of the census are
missed or counted twice by about 5 %), and of estimates."""

TAIL_FROM, TAIL_TILT = 85, 0.05
"""From this age on tables seldom know single years. Their shares are drawn anew: the
logarithm of the people changes by so much more or less per year of age. Between the
sexes this slope differs by 0.06, between origins by 0.04 (projections of 2014)."""

MOST_FLOATS = 2**25
"""Figures of perturbed people that are held at once (256 MB)."""

SAME = 1e-9
"""Relative: sums that differ by less are equal."""


@dataclass(frozen=True)
class Perturbation:
    """How other populations are drawn around a table of people.

    Parameters
    ----------
    cell_error : float >= 0
        Standard deviation of the people of a cell as a share of them, beyond that of
        a number drawn by chance, √n.
    age : str or None
        Attribute whose leaves are ages, of which the oldest are drawn anew.
    tail_tilt : float >= 0
        See `TAIL_TILT`.
    n_populations : int, >= 1
    seed : int, >= 0
    """

    cell_error: float = MODELLED_ERROR
    age: str | None = None
    tail_tilt: float = TAIL_TILT
    n_populations: int = N_POPULATIONS
    seed: int = 0


def populations(
    cells: Cells, how: Perturbation, monitor: Monitor = NULL_MONITOR
) -> Iterator[FloatArray]:
    """Draw populations around the only people table of some cells.

    Yields
    ------
    ndarray of float64, shape (n_rows, n_populations)
        People of each row of the table; some of all `how.n_populations` at a time.

    Notes
    -----
    The people of a cell are gamma distributed, with the counted number as mean and
    the variance n + (n · cell_error)²; a cell without people stays without. Then the
    people from `TAIL_FROM` on, of each combination of the other values, are shared
    among the ages by exp(θ · age) as many as before, θ normal.
    """
    table = cells.population[0]
    counts = table.counts.astype(np.float64)
    shape = counts / (1 + counts * how.cell_error**2)
    tail = _Tail.of(cells, how.age)
    rng = np.random.Generator(np.random.PCG64(how.seed))
    at_once = max(1, MOST_FLOATS // len(counts))
    for start in range(0, how.n_populations, at_once):
        monitor.report(start / how.n_populations, "people")
        n = min(at_once, how.n_populations - start)
        drawn = rng.standard_gamma(shape[:, None], (len(counts), n))
        drawn *= (counts / shape)[:, None]
        if tail is not None:
            tail.tilt(drawn, rng.normal(0.0, how.tail_tilt, n))
        yield drawn


@dataclass(frozen=True, eq=False)
class _Tail:
    """Rows of a people table with the oldest ages, by all other values."""

    rows: IntArray
    years: FloatArray
    of_row: IntArray

    @classmethod
    def of(cls, cells: Cells, age: str | None) -> _Tail | None:
        """Find the oldest; None where no two ages of them are told apart."""
        table = cells.population[0]
        if age is None or age not in table.attributes:
            return None
        column, place = table.attributes.index(age), cells.space.attributes.index(age)
        ages = first_numbers(cells.space.domains[place])[table.leaves[:, column]]
        rows = np.flatnonzero(ages >= TAIL_FROM)
        if len(np.unique(ages[rows])) < 2:
            return None
        sizes = [each.n_values for each in cells.space.domains]
        others = [name for name in table.attributes if name != age]
        keys = np.zeros(len(rows), np.int64)
        if others:
            keys, _ = joint_keys(
                len(rows),
                [table.leaves[rows, table.attributes.index(n)] for n in others],
                [sizes[cells.space.attributes.index(n)] for n in others],
            )
        _, of_row = np.unique(keys, return_inverse=True)
        return cls(rows, ages[rows] - TAIL_FROM, of_row.ravel().astype(np.int64))

    def tilt(self, drawn: FloatArray, slopes: FloatArray) -> None:
        """Share the oldest of each group anew, in place."""
        old = drawn[self.rows]
        tilted = old * np.exp(np.outer(self.years, slopes))
        n_groups = int(self.of_row.max()) + 1
        before, after = (np.zeros((n_groups, drawn.shape[1])) for _ in range(2))
        np.add.at(before, self.of_row, old)
        np.add.at(after, self.of_row, tilted)
        drawn[self.rows] = tilted * (before / after)[self.of_row]


def first_numbers(domain: Domain) -> FloatArray:
    """First number of each value of a domain: float64, NaN where it is none."""
    spans = domain.spans or ((None,) * domain.n_values)
    return np.array([np.nan if span is None else float(span[0]) for span in spans])


@dataclass(frozen=True, eq=False)
class Lookup:
    """The class of every person and of every record under one policy.

    Parameters
    ----------
    parts : tuple of (ndarray, ndarray)
        Class of each row of the people table, -1 for none with records, and records
        of each class; one part for each set of values that may be anything.
    """

    parts: tuple[tuple[Int32Array, FloatArray], ...]

    @classmethod
    def of(
        cls,
        cells: Cells,
        groups: Sequence[Int32Array],
        released: BoolArray | None = None,
    ) -> Lookup:
        """Look everybody up once.

        Parameters
        ----------
        groups : sequence of ndarray of int32, each of shape (n_values,)
        released : ndarray of bool, shape (n_cells,), optional
            Both as of `risk_of_groups`.
        """
        table, space = cells.population[0], cells.space
        records = cells.records if released is None else cells.records * released
        is_any = cells.is_any
        patterns, of_cell = np.unique(is_any, axis=0, return_inverse=True)
        parts = []
        for number, pattern in enumerate(patterns):
            rows = np.flatnonzero(of_cell.ravel() == number)
            places = [space.attributes.index(name) for name in table.attributes]
            used = [
                (place, column)
                for column, place in enumerate(places)
                if not pattern[place]
            ]
            columns = [
                groups[place][
                    np.concatenate([cells.values[rows, place], table.leaves[:, column]])
                ]
                for place, column in used
            ]
            n = len(rows)
            sizes = [len(groups[place]) for place, _ in used]
            keys, _ = joint_keys(n + len(table.counts), columns, sizes)
            known, of_record = np.unique(keys[:n], return_inverse=True)
            at = np.minimum(np.searchsorted(known, keys[n:]), len(known) - 1)
            of_person = np.where(known[at] == keys[n:], at, -1).astype(np.int32)
            sums = np.zeros(len(known))
            np.add.at(sums, of_record.ravel(), records[rows])
            parts.append((of_person, sums))
        return cls(tuple(parts))

    def risks(self, population: FloatArray, gamma: float) -> FloatArray:
        """Sum of 1 / g^γ over the records in each of several populations.

        Parameters
        ----------
        population : ndarray of float64, shape (n_rows, n_populations)

        Returns
        -------
        ndarray of float64, shape (n_populations,)
            g is at least 1: the person of a record is among the people.
        """
        found = np.zeros(population.shape[1])
        for of_person, records in self.parts:
            sizes = np.zeros((len(records), population.shape[1]))
            _sum_rows(of_person, population, sizes)
            np.maximum(sizes, 1.0, out=sizes)
            found += records @ sizes**-gamma
        return found


@njit
def _sum_rows(of_row: Int32Array, rows: FloatArray, into: FloatArray) -> None:
    """Add up rows of one class, all populations at once."""
    for i in range(len(of_row)):
        own = of_row[i]
        if own >= 0:
            for j in range(rows.shape[1]):
                into[own, j] += rows[i, j]


def n_holding(
    measured: Sequence[tuple[Cells, Sequence[Lookup], Lookup | float]],
    how: Perturbation,
    gamma: float,
    monitor: Monitor = NULL_MONITOR,
) -> IntArray:
    """In how many populations does each policy stay at or below the rule?

    Parameters
    ----------
    measured : sequence of (Cells, sequence of Lookup, Lookup or float)
        One for each sum that must hold: the policies, and the rule, which is looked
        up in the same populations, or a fixed threshold. All of the same people.

    Returns
    -------
    ndarray of int64, shape (n_policies,)
        A policy counts where all of its sums hold.
    """
    cells, policies, _ = measured[0]
    found = np.zeros(len(policies), np.int64)
    n_done = 0
    for population in populations(cells, how):
        holds = np.ones((len(policies), population.shape[1]), np.bool_)
        for _, lookups, rule in measured:
            limit = rule.risks(population, gamma) if isinstance(rule, Lookup) else rule
            for row, each in enumerate(lookups):
                done = n_done + population.shape[1] * row / len(lookups)
                monitor.report(done / how.n_populations, "people")
                holds[row] &= each.risks(population, gamma) <= limit * (1 + SAME)
        found += holds.sum(axis=1)
        n_done += population.shape[1]
    return found
