"""The expected number of records that can be linked to their person under a policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.grouping import RowGroups, group_rows
from deidgui.engine.discover.cells import Cells, PopulationCounts
from deidgui.engine.discover.kernels import FlatSpace, Merged, Work, evaluate
from deidgui.engine.discover.space import Space
from deidgui.errors import ConfigError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_SUMS = 2**27
"""Cells of people tables that are held as sums up to each corner (1 GB)."""

SLAB = 2**20
"""Cells summed up between two looks at the monitor."""

FEW_SLOTS = 2**16
"""Up to so many keys, classes are always looked up in one array without hashing."""

MOST_KEYS = 2**62
"""Combinations of all domains; keys of more could overflow."""


@dataclass(frozen=True)
class PolicyRisk:
    """What one evaluation of a policy tells.

    Parameters
    ----------
    risk : float, in (0, n_records]
        Sum of 1 / g^γ over the records; with γ = 1 the number of records that are
        expected to be linked to the right person.
    spread : float
        Sum of f log2(area / f) over the classes of f records; 0 if not asked for.
    n_classes : int
        Classes of records; of people without records too where these are merged.
    """

    risk: float
    spread: float
    n_classes: int


class RiskMeasure:
    """Evaluates policies on counted records and people.

    The cost of one evaluation depends on the number of different combinations, not
    on the number of records or people.

    Parameters
    ----------
    gamma : float > 0
        How strongly the size of a group protects; 1 in the paper.
    most_sums : int, optional
        Cells of a people table that may be held in memory as one array. A larger
        one is merged like the records, which takes more time.

    Raises
    ------
    ConfigError
        Code ``discovery_gamma`` (found).
    ResourceError
        Codes ``discovery_domain_too_large`` (n_attributes) if the domains have more
        than 2^62 combinations, or ``discovery_population_too_large`` (limit) if
        several people tables, or one that lacks attributes, have more than
        `most_sums` cells.

    Notes
    -----
    g(d) is the number of people of the population with the released values of d: at
    least one, since only records that have people are counted (`count_cells`). Where
    a missing value may be anything, they are all who agree in the other released
    values, whatever the missing one is released with. Without a population g is the
    number of records, with a sampling fraction α that number divided by α.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), equation 1 and theorem 2.1;
       methods.md A.3.
    """

    def __init__(
        self,
        cells: Cells,
        gamma: float = 1.0,
        *,
        most_sums: int = MOST_SUMS,
        monitor: Monitor = NULL_MONITOR,
    ) -> None:
        if not (np.isfinite(gamma) and gamma > 0):
            raise ConfigError("discovery_gamma", found=gamma)
        self.cells, self.gamma = cells, float(gamma)
        n_any = int(cells.is_any.any())
        n_keys = prod(domain.n_values + n_any for domain in self.space.domains)
        if n_keys > MOST_KEYS:
            n_attributes = len(self.space.domains)
            raise ResourceError("discovery_domain_too_large", n_attributes=n_attributes)
        sizes = [_n_sums(cells.space, table) for table in cells.population]
        is_merged = sum(sizes) > most_sums and _is_joint(cells)
        if sum(sizes) > most_sums and not is_merged:
            raise ResourceError("discovery_population_too_large", limit=most_sums)
        first_value = np.cumsum([0, *(e.n_values + n_any for e in self.space.domains)])
        values, self.start = _start(cells, first_value, with_population=is_merged)
        tables = () if is_merged else cells.population
        self.layout = _layout(cells, values, first_value, n_any, tables, monitor)
        self.n_keys = n_keys

    def __repr__(self) -> str:
        return f"<RiskMeasure γ = {self.gamma:g} of {self.cells!r}>"

    @property
    def space(self) -> Space:
        """The policies it can evaluate."""
        return self.cells.space

    def ascent(self, *, with_spread: bool = False) -> Ascent:
        """Return memory to evaluate policies one after another."""
        return Ascent(self, with_spread)

    def risk(self, bits: BoolArray) -> float:
        """Risk of one policy: sum of 1 / g^γ over the records."""
        return Ascent(self, False).evaluate(bits).risk


def risk_of_groups(
    cells: Cells,
    groups: Sequence[Int32Array],
    gamma: float = 1.0,
    *,
    released: BoolArray | None = None,
) -> float:
    """Risk where any values are released alike, neighbours or not.

    For one rule at a time, such as Safe Harbor on ZIP codes; it is not made for
    searches.

    Parameters
    ----------
    groups : sequence of ndarray of int32, each of shape (n_values,)
        By attribute, number of what each value is released as, below n_values.
    gamma : float > 0
    released : ndarray of bool, shape (n_cells,), optional
        Combinations whose records are released; all if not given. Records that are
        suppressed cannot be linked.

    Returns
    -------
    float
        Sum of 1 / g^γ over the records (see `RiskMeasure`).
    """
    classes, population = _population(cells, groups)
    shown = cells.records if released is None else cells.records * released
    return float((classes.sums(shown) / population**gamma).sum())


def cautious_population(
    cells: Cells, groups: Sequence[Int32Array], known: Cells | None = None
) -> FloatArray:
    """People among whom each record stands at least, known to the population or not.

    Parameters
    ----------
    cells : Cells
        Of all records (`count_records`).
    groups : sequence of ndarray of int32, each of shape (n_values,)
        See `risk_of_groups`.
    known : Cells, optional
        What is known of the population, by the same values; the records alone if not
        given.

    Returns
    -------
    ndarray of float64, shape (n_cells,)
        By combination of the records: g, or the records that are released alike, if
        they are more.

    References
    ----------
    .. [1] methods.md A.3: g := max(g, f) for the risk of a single record.
    """
    classes = _classes(cells, groups)
    found: FloatArray = classes.sums(cells.records).astype(np.float64)
    if known is not None:
        found /= known.fraction or 1.0
        if known.population:
            first = cells.values[classes.first]
            found = np.maximum(found, known.population_of(first, groups))
    return np.asarray(found[classes.of_row])


def _population(
    cells: Cells, groups: Sequence[Int32Array]
) -> tuple[RowGroups, FloatArray]:
    """Classes of combinations that are released alike, and the people of each."""
    classes = _classes(cells, groups)
    if not cells.population:
        return classes, classes.sums(cells.records) / (cells.fraction or 1.0)
    return classes, cells.population_of(cells.values[classes.first], groups)


def _classes(cells: Cells, groups: Sequence[Int32Array]) -> RowGroups:
    """Classes of combinations that are released alike."""
    sizes = [each.n_values for each in cells.space.domains]
    columns = [
        np.append(group, np.int32(size))[cells.values[:, place]]
        for place, (group, size) in enumerate(zip(groups, sizes, strict=True))
    ]
    return group_rows(len(cells.records), columns, [size + 1 for size in sizes])


def loss_of_groups(cells: Cells, groups: Sequence[Int32Array]) -> float:
    """Information lost where any values are released alike, neighbours or not.

    Parameters
    ----------
    groups : sequence of ndarray of int32, each of shape (n_values,)
        See `risk_of_groups`.

    Returns
    -------
    float >= 0
        Bits per record.

    References
    ----------
    .. [1] methods.md A.9: Σ_t p(t) log2(p(t) / p'(t)).
    """
    classes = _classes(cells, groups)
    records = classes.sums(cells.records)
    area = np.ones(len(records))
    for group, value in zip(groups, cells.values[classes.first].T, strict=True):
        area *= np.bincount(group)[group[value]]
    original = (cells.records * np.log2(cells.records)).sum()
    spread = (records * np.log2(area / records)).sum()
    return max(0.0, float(original + spread) / cells.n_records)


class Ascent:
    """Evaluates policies that are ever more general, each from an earlier one.

    Parameters
    ----------
    with_spread : bool
        Whether `PolicyRisk.spread` is wanted.
    """

    def __init__(self, measure: RiskMeasure, with_spread: bool) -> None:
        self._layout, self._gamma = measure.layout, measure.gamma
        self._with_spread = with_spread
        self._start = measure.start
        n_cells = len(self._start.cells)
        self._work = _work_for(self._layout, n_cells, measure.n_keys)
        self._free = [_memory_like(self._start), _memory_like(self._start)]
        self._source, self._n_source = self._start, n_cells
        self._n_last = n_cells

    def evaluate(self, bits: BoolArray) -> PolicyRisk:
        """Evaluate a policy at least as general as the one settled on last.

        Parameters
        ----------
        bits : ndarray of bool, shape (n_bits,), contiguous
        """
        self._n_last, risk, spread = evaluate(
            bits,
            self._layout,
            self._work,
            self._source,
            self._n_source,
            self._free[0],
            self._gamma,
            self._with_spread,
        )
        return PolicyRisk(risk, spread, self._n_last)

    def settle(self) -> None:
        """From now on evaluate only policies at least as general as the last one."""
        last = self._free.pop(0)
        if self._source is not self._start:
            self._free.append(self._source)
        self._source, self._n_source = last, self._n_last

    def restart(self) -> None:
        """Let any policy be evaluated again."""
        if self._source is not self._start:
            self._free.append(self._source)
        self._source, self._n_source = self._start, len(self._start.cells)


def _start(
    cells: Cells, first_value: IntArray, *, with_population: bool
) -> tuple[Int32Array, Merged]:
    """Values of all combinations, and each of them as a class of its own."""
    values, records = cells.values, cells.records
    population = np.zeros(len(records))
    if with_population:
        more, counts = _population_alike(cells)
        values = np.concatenate([values, more])
        records = np.concatenate([records, np.zeros(len(counts), np.int64)])
        population = np.concatenate([population, counts])
    # In the order of the largest domain, so that sums looked up one after the other
    # are near each other in memory.
    sizes = [domain.n_values for domain in cells.space.domains]
    order = np.lexsort([values[:, place] for place in np.argsort(sizes)])
    numbers = values[order] + first_value[:-1].astype(np.int32)
    each = np.arange(len(records), dtype=np.int32)
    return (
        np.ascontiguousarray(numbers),
        Merged(each, records[order], population[order]),
    )


def _population_alike(cells: Cells) -> tuple[Int32Array, FloatArray]:
    """People of the only table, again for all records that may have any value."""
    table = cells.population[0]
    places = [table.attributes.index(name) for name in cells.space.attributes]
    values, counts = table.leaves[:, places], table.counts.astype(np.float64)
    some = [values]
    for pattern in np.unique(cells.is_any, axis=0):
        if pattern.any():
            sizes = np.array([each.n_values for each in cells.space.domains], np.int32)
            some.append(np.where(pattern, sizes, values))
    return np.concatenate(some), np.tile(counts, len(some))


def _is_joint(cells: Cells) -> bool:
    """Whether one table counts people by all attributes."""
    attributes = cells.space.attributes
    return len(cells.population) == 1 and len(cells.population[0].attributes) == len(
        attributes
    )


def _memory_like(classes: Merged) -> Merged:
    """Memory for as many classes."""
    cells, records, population = classes
    return Merged(
        np.empty_like(cells), np.empty_like(records), np.empty_like(population)
    )


def _work_for(layout: FlatSpace, n_cells: int, n_keys: int) -> Work:
    """Memory to merge classes of so many combinations, with so many keys at most."""
    n_values = int(layout.first_value[-1])
    wanted = min(n_keys, max(FEW_SLOTS, 4 * n_cells))
    n_slots = 1 << max(1, (wanted - 1).bit_length())
    return Work(
        np.zeros(n_values, np.int64),
        np.zeros(n_values, np.int64),
        np.zeros(n_values, np.int64),
        np.full(n_slots, -1, np.int32),
        np.zeros(n_slots, np.int64),
        np.zeros(n_cells, np.int64),
        np.zeros(n_cells),
    )


def _n_sums(space: Space, table: PopulationCounts) -> int:
    """Corners of a people table."""
    return prod(
        space.domains[space.attributes.index(name)].n_values + 1
        for name in table.attributes
    )


def _layout(
    cells: Cells,
    values: Int32Array,
    first_value: IntArray,
    n_any: int,
    tables: Sequence[PopulationCounts],
    monitor: Monitor,
) -> FlatSpace:
    space = cells.space
    starts, attributes, strides, shares, offsets = [0], [], [], [], []
    sums: list[IntArray] = []
    for number, table in enumerate(tables):
        columns, places = _by_size(space, table)
        shape = [space.domains[place].n_values + 1 for place in places]
        attributes += places
        strides += [prod(shape[place + 1 :]) for place in range(len(shape))]
        starts.append(len(attributes))
        shares.append(1 / table.population_size if number else 1.0)
        offsets.append(sum(map(len, sums)))
        step = SubMonitor(monitor, number / len(tables), (number + 1) / len(tables))
        sums.append(_corner_sums(table.leaves[:, columns], table.counts, shape, step))
    return FlatSpace(
        values,
        first_value.astype(np.int64),
        n_any,
        space.first_bit,
        np.array(starts, np.int64),
        np.array(attributes, np.int64),
        np.array(strides, np.int64),
        np.array(shares, np.float64),
        np.array(offsets, np.int64),
        sums[0] if len(sums) == 1 else np.concatenate([*sums, np.zeros(0, np.int64)]),
        0.0 if cells.population else cells.fraction or 1.0,
    )


def _by_size(space: Space, table: PopulationCounts) -> tuple[list[int], list[int]]:
    """Columns of a table and their attributes, those with most values first.

    Corners that differ in the others are then near each other in memory.
    """
    places = [space.attributes.index(name) for name in table.attributes]
    columns = sorted(
        range(len(places)), key=lambda each: -space.domains[places[each]].n_values
    )
    return columns, [places[column] for column in columns]


def _corner_sums(
    values: Int32Array, counts: IntArray, shape: Sequence[int], monitor: Monitor
) -> IntArray:
    """People with values before each corner, in one row."""
    sums = np.zeros(shape, np.int64)
    flat, n_rows = sums.reshape(-1), len(counts)
    for start in range(0, n_rows, SLAB):
        monitor.report(0.3 * start / n_rows, "people")
        some = slice(start, start + SLAB)
        corners = np.ravel_multi_index(tuple(values[some].T + 1), tuple(shape))
        np.add.at(flat, corners, counts[some])
    step = max(1, SLAB // sums[0].size)
    for start in range(0, shape[0], step):
        monitor.report(0.3 + 0.7 * start / shape[0], "people")
        slab = sums[start : start + step]
        for axis in range(1, len(shape)):
            np.cumsum(slab, axis=axis, out=slab)
        if start:
            slab[0] += sums[start - 1]
        np.cumsum(slab, axis=0, out=slab)
    return flat


class Descent:
    """Evaluates policies that split one run of one attribute of a known policy.

    Only the classes of this run change: it takes a part of the time of a whole
    evaluation.
    """

    def __init__(self, measure: RiskMeasure) -> None:
        self._layout, self._gamma = measure.layout, measure.gamma
        self._space, self._start = measure.space, measure.start
        n_cells = len(self._start.cells)
        self._work = _work_for(self._layout, n_cells, measure.n_keys)
        self._into = _memory_like(self._start)
        self._sorted: dict[int, tuple[Int32Array, Merged]] = {}
        self._before = b""
        self._risks: dict[tuple[int, int], float] = {}

    def change(self, before: BoolArray, after: BoolArray) -> float:
        """By how much a step down changes the risk.

        Parameters
        ----------
        before : ndarray of bool, shape (n_bits,)
        after : ndarray of bool, shape (n_bits,), contiguous
            Splits one run of one attribute of `before`, into two or more.

        Returns
        -------
        float >= 0, but for rounding
        """
        key = before.tobytes()
        if key != self._before:
            self._before, self._risks = key, {}
        attribute, first, end = self._run(before, after)
        some = self._classes(attribute, first, end)
        if (attribute, first) not in self._risks:
            self._risks[attribute, first] = self._risk(before, some)
        return self._risk(after, some) - self._risks[attribute, first]

    def _run(self, before: BoolArray, after: BoolArray) -> tuple[int, int, int]:
        """Attribute, first value and end of the run that is split."""
        split = np.flatnonzero(before != after)
        attribute = int(self._space.attribute_of_bit[split[0]])
        bits = self._space.first_bit[attribute], self._space.first_bit[attribute + 1]
        left = np.flatnonzero(before[bits[0] : split[0]])
        right = np.flatnonzero(before[split[-1] : bits[1]])
        first = int(left[-1]) + 1 if len(left) else 0
        end = int(split[-1] + right[0] if len(right) else bits[1]) - int(bits[0]) + 1
        return attribute, first, end

    def _classes(self, attribute: int, first: int, end: int) -> Merged:
        """Combinations whose value of an attribute is in a run."""
        if attribute not in self._sorted:
            values = self._layout.values[:, attribute]
            order = np.argsort(values, kind="stable")
            cells, records, population = self._start
            of_order = Merged(cells[order], records[order], population[order])
            self._sorted[attribute] = values[order], of_order
        values, (cells, records, population) = self._sorted[attribute]
        ends = np.array([first, end]) + self._layout.first_value[attribute]
        low, high = np.searchsorted(values, ends).tolist()
        return Merged(cells[low:high], records[low:high], population[low:high])

    def _risk(self, bits: BoolArray, some: Merged) -> float:
        _, risk, _ = evaluate(
            bits,
            self._layout,
            self._work,
            some,
            len(some.cells),
            self._into,
            self._gamma,
            False,
        )
        return risk
