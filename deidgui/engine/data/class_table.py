"""The distinct combinations of a table, and the equivalence classes they form."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np

from deidgui.engine.arrays import (
    AnyArray,
    BoolArray,
    FloatArray,
    Int32Array,
    IntArray,
)
from deidgui.engine.compiled import njit
from deidgui.engine.data.grouping import group_rows, members_of
from deidgui.engine.data.hierarchy import PARTS, Hierarchy, leaf_codes
from deidgui.engine.data.numbers import Scale
from deidgui.engine.data.people import People, Varying
from deidgui.engine.data.population import Population, PopulationSizes
from deidgui.engine.data.table import Column, Table
from deidgui.errors import ConfigError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

FEW = 16
"""Values of a class that are sorted one by one."""

MANY_OF = 4
"""If a class has one in so many of all values, all are looked through in order."""

ROOM = 4
"""A table of all values by class may have so many cells for each entry."""


@dataclass(frozen=True, repr=False, eq=False)
class ValueTree:
    """Groups of sensitive values by level of their hierarchy, the root left out.

    Parameters
    ----------
    nodes : ndarray of int32, shape (n_levels, n_values)
        Group of each value at each level; no number is used at two levels. A
        hierarchy whose most general level has several groups counts as if there
        were one more level with a single group.
    totals : ndarray of int64, shape (n_nodes,)
        Records of the whole table in each group.
    """

    nodes: Int32Array
    totals: IntArray

    @property
    def n_levels(self) -> int:
        """Steps from a value to the root."""
        return len(self.nodes)


@dataclass(frozen=True, repr=False, eq=False)
class Distribution:
    """Records per value of a sensitive attribute in each of several groups.

    Only values that occur are held: those of group g are the slice
    ``starts[g]:starts[g + 1]`` of `codes` and `counts`, by ascending code.

    Parameters
    ----------
    values : tuple of str
        Text of each code, in alphabetical order (of code points).
    hierarchy : Hierarchy or None
        Of the sensitive attribute, for models that ask how far apart values are.
    leaves : ndarray of int32, shape (n_values,)
        Leaf of each code in the hierarchy; empty if there is none.
    totals : ndarray of int64, shape (n_values,), each >= 1
        Records of the whole table by value.
    starts : ndarray of int64, shape (n_groups + 1,)
    codes : ndarray of int32, shape (n_entries,)
    counts : ndarray of int64, shape (n_entries,), each >= 1
    is_of_sets : bool
        Whether somebody is counted with several values.
    """

    attribute: str
    values: tuple[str, ...] = field(repr=False)
    hierarchy: Hierarchy | None
    leaves: Int32Array
    totals: IntArray
    starts: IntArray
    codes: Int32Array
    counts: IntArray
    is_of_sets: bool = False

    def __repr__(self) -> str:
        return f"<Distribution of {self.attribute!r} in {self.n_groups} groups>"

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    @property
    def n_values(self) -> int:
        """Number of values that occur in the table."""
        return len(self.totals)

    @cached_property
    def n_records(self) -> int:
        """Records of the whole table."""
        return int(self.totals.sum())

    def ranks(self, order: str) -> Int32Array:
        """Place of each value in an order of all values.

        Parameters
        ----------
        order : str
            alphabetical: by code point; numeric: by number (values that are missing
            come last, equal numbers by code point); hierarchy: as its leaves.

        Returns
        -------
        ndarray of int32, shape (n_values,)
            A permutation of the codes.

        Raises
        ------
        ConfigError
            Code ``order_not_numeric`` (with the attribute and how many values are
            no numbers) or ``sensitive_hierarchy_missing``.
        """
        if order not in self._ranks:
            self._ranks[order] = self._find_ranks(order)
        return self._ranks[order]

    @cached_property
    def _ranks(self) -> dict[str, Int32Array]:
        return {}

    def _find_ranks(self, order: str) -> Int32Array:
        if order == "numeric":
            keys = _numbers(self.attribute, self.values)
        elif order == "hierarchy":
            self.hierarchy_or_raise()
            keys = self.leaves.tolist()
        else:
            keys = [0.0] * self.n_values
        ranks = np.empty(self.n_values, np.int32)
        ranks[sorted(range(self.n_values), key=keys.__getitem__)] = np.arange(
            self.n_values, dtype=np.int32
        )
        return ranks

    @cached_property
    def flat(self) -> ValueTree:
        """A tree in which all values hang from the root."""
        nodes = np.arange(self.n_values, dtype=np.int32)[None, :]
        return ValueTree(nodes, self.totals)

    @cached_property
    def tree(self) -> ValueTree:
        """Groups of the values by level of the hierarchy.

        Raises
        ------
        ConfigError
            Code ``sensitive_hierarchy_missing``.
        """
        levels = self.hierarchy_or_raise().levels
        if levels[-1].n_groups == 1:
            levels = levels[:-1]
        nodes = np.empty((len(levels), self.n_values), np.int32)
        n_nodes = 0
        for place, level in enumerate(levels):
            nodes[place] = n_nodes + level.groups[self.leaves]
            n_nodes += level.n_groups
        records = np.tile(self.totals, len(levels))
        totals = np.zeros(n_nodes, np.int64)
        np.add.at(totals, nodes.ravel(), records)
        return ValueTree(nodes, totals)

    @cached_property
    def _groups(self) -> Int32Array:
        """Group of each entry."""
        groups = np.arange(self.n_groups, dtype=np.int32)
        return np.repeat(groups, np.diff(self.starts))

    def hierarchy_or_raise(self) -> Hierarchy:
        """Return the hierarchy of the attribute.

        Raises
        ------
        ConfigError
            Code ``sensitive_hierarchy_missing``.
        """
        if self.hierarchy is None:
            raise ConfigError("sensitive_hierarchy_missing", attribute=self.attribute)
        return self.hierarchy

    def merged(self, of_group: IntArray, n_classes: int) -> Distribution:
        """Join groups to classes.

        Parameters
        ----------
        of_group : ndarray of int64, shape (n_groups,), each in [-1, n_classes)
            Class of each group; -1 leaves it out.

        Returns
        -------
        Distribution
            Of the classes; `totals` stay those of the whole table.
        """
        table = self.table_of(of_group, n_classes)
        if table is not None:
            return self.listed(table)
        room = n_classes, self.n_values
        return self._with(
            *_merge(of_group, *room, self.starts, self.codes, self.counts)
        )

    def table_of(self, of_group: IntArray, n_classes: int) -> IntArray | None:
        """Join groups to classes, with all values of each, where that is small.

        Parameters
        ----------
        of_group : ndarray of int64, shape (n_groups,), each in [-1, n_classes)
            Class of each group; -1 leaves it out.

        Returns
        -------
        ndarray of int64, shape (n_classes, n_values), or None
            None where most of it would be empty.
        """
        if n_classes * self.n_values > ROOM * len(self.codes):
            return None
        entries = self._groups, self.codes, self.counts
        return np.asarray(_add_up(of_group, n_classes, self.n_values, *entries))

    def listed(self, table: IntArray) -> Distribution:
        """Return the classes of a table of this attribute (see `table_of`)."""
        return self._with(*_list(table, len(self.codes)))

    def _with(
        self, starts: IntArray, codes: Int32Array, counts: IntArray
    ) -> Distribution:
        """Return other groups of the same attribute."""
        named = self.attribute, self.values, self.hierarchy, self.leaves, self.totals
        return Distribution(*named, starts, codes, counts, self.is_of_sets)


def _numbers(attribute: str, values: Sequence[str]) -> list[float]:
    """Numbers that the values stand for, infinity for a missing one."""
    fewest = len(values)
    for mark in (".", ","):
        scale = Scale(whole=False, decimal_mark=mark)
        read = [scale.read(text) for text in values]
        found = [np.inf if number is None else float(number) for number in read]
        strays = sum(
            number is None and text != ""
            for number, text in zip(read, values, strict=True)
        )
        if strays == 0:
            return found
        fewest = min(fewest, strays)
    raise ConfigError("order_not_numeric", attribute=attribute, n_values=fewest)


@njit
def _merge(
    of_group: IntArray,
    n_classes: int,
    n_values: int,
    starts: IntArray,
    codes: Int32Array,
    counts: IntArray,
) -> tuple[IntArray, Int32Array, IntArray]:
    """Add up the entries of the groups of each class; cost: the entries."""
    first, members = members_of(of_group, n_classes)
    sums = np.zeros(n_values, np.int64)
    touched = np.empty(n_values, np.int32)
    class_starts = np.zeros(n_classes + 1, np.int64)
    class_codes = np.empty(len(codes), np.int32)
    class_counts = np.empty(len(codes), np.int64)
    n_entries = 0
    for number in range(n_classes):
        if first[number + 1] - first[number] == 1:
            group = members[first[number]]
            for entry in range(starts[group], starts[group + 1]):
                class_codes[n_entries] = codes[entry]
                class_counts[n_entries] = counts[entry]
                n_entries += 1
            class_starts[number + 1] = n_entries
            continue
        n_touched = 0
        for place in range(first[number], first[number + 1]):
            group = members[place]
            for entry in range(starts[group], starts[group + 1]):
                if sums[codes[entry]] == 0:
                    touched[n_touched] = codes[entry]
                    n_touched += 1
                sums[codes[entry]] += counts[entry]
        _sort(touched, n_touched, sums)
        for place in range(n_touched):
            class_codes[n_entries] = touched[place]
            class_counts[n_entries] = sums[touched[place]]
            sums[touched[place]] = 0
            n_entries += 1
        class_starts[number + 1] = n_entries
    return class_starts, class_codes[:n_entries].copy(), class_counts[:n_entries].copy()


@njit
def _add_up(
    of_group: IntArray,
    n_classes: int,
    n_values: int,
    groups: Int32Array,
    codes: Int32Array,
    counts: IntArray,
) -> IntArray:
    """Add up the entries of each class in a table; cost: the entries, and its cells.

    PERF: entry by entry and not group by group, since most groups have few entries.
    """
    # Row -1 is the last one: for groups that are left out.
    table = np.zeros((n_classes + 1, n_values), np.int64)
    for entry in range(len(codes)):
        table[of_group[groups[entry]], codes[entry]] += counts[entry]
    return table[:n_classes]


@njit
def _list(table: IntArray, most: int) -> tuple[IntArray, Int32Array, IntArray]:
    """List what is in a table, at most so many entries."""
    n_classes, n_values = table.shape
    class_starts = np.zeros(n_classes + 1, np.int64)
    # One more than can be needed: each cell is written, and kept if not 0.
    class_codes = np.empty(min(most, n_classes * n_values) + 1, np.int32)
    class_counts = np.empty(len(class_codes), np.int64)
    n_entries = 0
    for number in range(n_classes):
        for code in range(n_values):
            class_codes[n_entries] = code
            class_counts[n_entries] = table[number, code]
            n_entries += table[number, code] > 0
        class_starts[number + 1] = n_entries
    return class_starts, class_codes[:n_entries].copy(), class_counts[:n_entries].copy()


@njit
def _sort(touched: Int32Array, n_touched: int, sums: IntArray) -> None:
    """Put the first codes in order: those whose sum is not 0."""
    if n_touched * MANY_OF >= len(sums):
        place = 0
        for code in range(len(sums)):
            if sums[code] != 0:
                touched[place] = code
                place += 1
    elif n_touched <= FEW:
        for place in range(1, n_touched):
            code, to = touched[place], place
            while to > 0 and touched[to - 1] > code:
                touched[to] = touched[to - 1]
                to -= 1
            touched[to] = code
    else:
        touched[:n_touched].sort()


def count_values(
    column: Column,
    combination: IntArray,
    n_combinations: int,
    hierarchy: Hierarchy | None = None,
) -> Distribution:
    """Count the values of a sensitive attribute in each combination of a table.

    A missing value counts as a value of its own, with an empty text.

    Parameters
    ----------
    column : Column
        Of the sensitive attribute, missing values marked.
    combination : ndarray of int64, shape (n_records,)
        Row of the class table that each record belongs to.
    hierarchy : Hierarchy, optional
        Of the sensitive attribute.

    Returns
    -------
    Distribution
        Its groups are the combinations.

    Raises
    ------
    InputError
        Code ``hierarchy_gap`` if the hierarchy lacks a value.
    """
    values, code_of = _ordered_values(column)
    n_values = max(1, len(values))
    code_of_record = code_of.astype(np.int32)[column.codes]
    # Each record is a group of its own with one value.
    n_records = len(combination)
    starts, codes, counts = _merge(
        combination,
        n_combinations,
        n_values,
        np.arange(n_records + 1),
        code_of_record,
        np.ones(n_records, np.int64),
    )
    totals = np.bincount(code_of_record, minlength=n_values).astype(np.int64)
    return Distribution(
        column.name,
        values,
        hierarchy,
        _leaves(column, code_of, len(values), hierarchy),
        totals,
        starts,
        codes,
        counts,
    )


def _ordered_values(column: Column) -> tuple[tuple[str, ...], IntArray]:
    """Texts that occur in alphabetical order, and the place of each text in it."""
    texts = np.array(column.texts(), dtype=object)
    texts[column.is_missing] = ""
    used = column.counts > 0
    order = sorted(set(texts[used]))
    place = {text: number for number, text in enumerate(order)}
    return tuple(order), np.array([place.get(text, -1) for text in texts], np.int64)


def _leaves(
    column: Column, code_of: IntArray, n_values: int, hierarchy: Hierarchy | None
) -> Int32Array:
    if hierarchy is None:
        return np.empty(0, np.int32)
    leaves = np.zeros(n_values, np.int32)
    used = column.counts > 0
    leaves[code_of[used]] = leaf_codes(column, hierarchy)[used]
    return leaves


@dataclass(frozen=True, repr=False, eq=False)
class ClassTable:
    """Distinct combinations of quasi-identifier leaves; searches work on it.

    Parameters
    ----------
    hierarchies : tuple of Hierarchy
        One per quasi-identifier, in the column order of the table.
    leaves : ndarray of int32, shape (n_classes, n_attributes), C order
        Leaf of each attribute, rows in ascending lexicographic order.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records with this combination. Where rows belong to people, a record is a person
        here and everywhere in searches, privacy models and risk figures.
    sensitive : mapping of str to Distribution
        By sensitive attribute that a model asks about: the values of each
        combination's records.
    population : Population or None
        What is known about the people the records come from.
    units : Units or None
        To whom the rows belong; None if each row is a person.
    """

    hierarchies: tuple[Hierarchy, ...]
    leaves: Int32Array
    counts: IntArray
    sensitive: Mapping[str, Distribution] = field(default_factory=dict)
    population: Population | None = None
    units: Units | None = None

    def __repr__(self) -> str:
        names = ", ".join(self.attributes)
        return f"<ClassTable {self.n_classes} of {self.n_records}: {names}>"

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(hierarchy.attribute for hierarchy in self.hierarchies)

    @property
    def n_classes(self) -> int:
        """Number of distinct combinations."""
        return len(self.counts)

    @cached_property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    def people_alike(self) -> FloatArray:
        """Count the people who have each combination, once.

        Returns
        -------
        ndarray of float64, shape (n_classes,)

        Raises
        ------
        ConfigError
            Code ``population_missing`` if nothing is known about them.
        InputError
            Code ``population_lacks_records``.
        """
        return self._people_alike

    @cached_property
    def _people_alike(self) -> FloatArray:
        if self.population is None:
            raise ConfigError("population_missing")
        n_leaves = [each.n_leaves for each in self.hierarchies]
        leaves = [np.arange(number, dtype=np.int32) for number in n_leaves]
        return self.population.sizes(self.counts, self.leaves, leaves, n_leaves).sizes

    @cached_property
    def rarest_first(self) -> IntArray:
        """Combinations by their records' share of the people alike, least first."""
        return np.argsort(self.counts / self._people_alike, kind="stable")

    @property
    def varying(self) -> tuple[str, ...]:
        """Quasi-identifiers that differ between the rows of a person."""
        found = self.units.varying if self.units else None
        return tuple(self.attributes[place] for place in found.places) if found else ()

    def joint(self, levels: Sequence[int]) -> Int32Array | None:
        """Tell combinations apart by what several varying attributes tell together.

        Parameters
        ----------
        levels : sequence of int
            Of all attributes.

        Returns
        -------
        ndarray of int32, shape (n_classes,), or None
            Equal for people whose rows hold the same combinations at these levels;
            None where the values of each attribute tell all.
        """
        units = self.units
        if units is None or units.varying is None or not units.varying.is_joint:
            return None
        alike = units.varying.alike_at(levels)
        found: Int32Array = alike[units.set_of]
        return found


@dataclass(frozen=True, repr=False, eq=False)
class Units:
    """People whose rows are counted as one record.

    Parameters
    ----------
    people : People
        To whom each row belongs.
    combination : ndarray of int64, shape (n_people,)
        Row of the class table of each person.
    set_of : ndarray of int32, shape (n_classes,)
        Set of each combination in `varying`.
    varying : Varying or None
        Quasi-identifiers that differ between the rows of a person.
    """

    people: People
    combination: IntArray
    set_of: Int32Array
    varying: Varying | None

    def of_rows(self, of_combination: AnyArray) -> AnyArray:
        """Look something up for every row: what is known of each combination."""
        return of_combination[self.combination][self.people.of_row]


def build_class_table(
    table: Table,
    hierarchies: Sequence[Hierarchy],
    sensitive: Mapping[str, Hierarchy | None] | None = None,
    population: Population | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ClassTable:
    """Count the distinct quasi-identifier combinations of a table.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        One per quasi-identifier; their attributes are columns of `table`.
    sensitive : mapping of str to Hierarchy or None, optional
        Sensitive attributes that privacy models ask about, each with its
        hierarchy if it has one.

    Raises
    ------
    InputError
        Codes ``no_quasi_identifier``, ``no_records`` or ``hierarchy_gap``.
    """
    ordered, lookups = _lookups(table, hierarchies)
    combined, counts, of_record = _distinct(
        table, ordered, lookups, bool(sensitive), monitor
    )
    distributions = {
        name: count_values(table.column(name), of_record, len(counts), hierarchy)
        for name, hierarchy in (sensitive or {}).items()
    }
    return ClassTable(ordered, combined, counts, distributions, population)


def _lookups(
    table: Table, hierarchies: Sequence[Hierarchy]
) -> tuple[tuple[Hierarchy, ...], list[Int32Array]]:
    """Hierarchies in column order, and the leaf of each text of their columns."""
    if not hierarchies:
        raise InputError("no_quasi_identifier")
    if table.n_rows == 0:
        raise InputError("no_records", file=table.name)
    order = {name: place for place, name in enumerate(table.column_names)}
    ordered = tuple(sorted(hierarchies, key=lambda each: order[each.attribute]))
    lookups, problems = [], []
    for hierarchy in ordered:
        try:
            lookups.append(leaf_codes(table.column(hierarchy.attribute), hierarchy))
        except InputError as gap:
            problems.append(gap)
    raise_all(problems)
    return ordered, lookups


def leaves_of_rows(
    table: Table, hierarchies: Sequence[Hierarchy]
) -> tuple[tuple[Hierarchy, ...], list[Int32Array]]:
    """Find the leaf of every row.

    Returns
    -------
    hierarchies : tuple of Hierarchy
        In column order.
    leaves : list of ndarray of int32, each of shape (n_rows,)
        Any leaf where a column is absent.

    Raises
    ------
    InputError
        As `build_class_table`.
    """
    ordered, lookups = _lookups(table, hierarchies)
    # A text that no cell has may have no leaf: -1.
    return ordered, [
        np.maximum(lookup, 0)[table.column(each.attribute).codes]
        for each, lookup in zip(ordered, lookups, strict=True)
    ]


def _distinct(
    table: Table,
    hierarchies: tuple[Hierarchy, ...],
    lookups: Sequence[Int32Array],
    of_record: bool,
    monitor: Monitor,
) -> tuple[Int32Array, IntArray, IntArray]:
    """Distinct leaf combinations in lexicographic order, their counts and records.

    The last array is empty unless it is asked for: it is as long as the table.
    """
    columns = [table.column(hierarchy.attribute).codes for hierarchy in hierarchies]

    def leaves_of_records() -> Iterator[Int32Array]:
        for lookup, codes in zip(lookups, columns, strict=True):
            yield lookup[codes]

    sizes = [hierarchy.n_leaves for hierarchy in hierarchies]
    step = SubMonitor(monitor, 0.0, 0.9)
    alike = group_rows(table.n_rows, leaves_of_records(), sizes, monitor=step)
    first, counts = alike.first, np.bincount(alike.of_row)
    rows = alike.of_row if of_record else np.empty(0, np.int64)
    leaves = np.empty((len(first), len(columns)), dtype=np.int32)
    for place, (lookup, codes) in enumerate(zip(lookups, columns, strict=True)):
        leaves[:, place] = lookup[codes[first]]
    monitor.report(1.0, "classes")
    return leaves, counts.astype(np.int64), rows.astype(np.int64)


class EquivalenceClasses:
    """Equivalence classes at one node of the lattice, none suppressed.

    Parameters
    ----------
    levels : tuple of int
        Level of each attribute.
    groups : ndarray of int32, shape (n_classes, n_attributes)
        Group of each attribute at its level.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records per class.
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table; -1 if it is none of these.

    Attributes
    ----------
    n_classes : int
        Number of classes.
    """

    def __init__(
        self,
        class_table: ClassTable,
        levels: tuple[int, ...],
        groups: Int32Array,
        counts: IntArray,
        of_combination: IntArray,
    ) -> None:
        self.class_table = class_table
        self.levels = levels
        self.counts = counts
        self.n_classes = len(counts)
        self._groups = groups
        self._of_combination = of_combination
        self._distributions: dict[str, Distribution] = {}
        self._tables: dict[str, IntArray | None] = {}
        self.memory: dict[Hashable, AnyArray] = {}
        """What privacy models want to compute only once for these classes."""

    def __repr__(self) -> str:
        return f"<Classes {self.n_classes} at {self.levels}>"

    @property
    def groups(self) -> Int32Array:
        """Group of each attribute at its level: int32, (n_classes, n_attributes)."""
        return self._groups

    @property
    def merged_from(self) -> tuple[EquivalenceClasses, IntArray] | None:
        """Finer classes and the class of each of them, -1 for none; None if unknown."""
        return None

    @property
    def of_combination(self) -> IntArray:
        """Class of each row of the class table, -1 for none: int64."""
        return self._of_combination

    def column_groups(self, column: int, places: IntArray) -> Int32Array:
        """Group of one attribute in some classes: int32, (n_places,)."""
        found: Int32Array = self.groups[places, column]
        return found

    def generality(self, places: IntArray) -> IntArray:
        """How general the values of some classes are: what suppressing them saves.

        Parameters
        ----------
        places : ndarray of int64, shape (n_places,)

        Returns
        -------
        ndarray of int64, shape (n_places,)
            Sum over the attributes of the part of the leaves that a value stands
            for, in `PARTS`; the same constant less for all classes of the node.
        """
        found = np.zeros(len(places), dtype=np.int64)
        for column, level in enumerate(self.levels):
            step = self.class_table.hierarchies[column].levels[level]
            if level > 0 and step.n_groups > 1:  # Else all values are as general.
                found += step.parts[self.column_groups(column, places)]
        return found

    def ranks(self, column: int, places: IntArray) -> Int32Array:
        """Place of the label of one attribute among those of its level.

        Parameters
        ----------
        places : ndarray of int64, shape (n_places,)
            Some of the classes.

        Returns
        -------
        ndarray of int32, shape (n_places,)
            In the order of the labels' code points, which depends on no file.
        """
        step = self.class_table.hierarchies[column].levels[self.levels[column]]
        return step.ranks[self.column_groups(column, places)]

    def counted_in(self, table: ClassTable, counts: IntArray) -> EquivalenceClasses:
        """Return the same classes, counted in something else."""
        own = (self.groups, counts, self.of_combination)
        return EquivalenceClasses(table, self.levels, *own)

    def leaves(self, column: int) -> IntArray:
        """Hierarchy leaves below the value of each class: int64, (n_classes,)."""
        hierarchy = self.class_table.hierarchies[column]
        below = hierarchy.leaf_counts(self.levels[column])
        return np.asarray(below[self.groups[:, column]], dtype=np.int64)

    def distribution(self, attribute: str) -> Distribution:
        """Values of a sensitive attribute in each class.

        Parameters
        ----------
        attribute : str
            One of ``class_table.sensitive`` (KeyError otherwise).
        """
        if attribute not in self._distributions:
            self._distributions[attribute] = self._count_values(attribute)
        return self._distributions[attribute]

    def value_table(self, attribute: str) -> IntArray | None:
        """Return the same with a place for every value, where that is small.

        Parameters
        ----------
        attribute : str
            One of ``class_table.sensitive`` (KeyError otherwise).

        Returns
        -------
        ndarray of int64, shape (n_classes, n_values), or None
            None where `distribution` is as quick.
        """
        if attribute not in self._tables:
            finer, of_finer = self._finer_values(attribute)
            self._tables[attribute] = finer.table_of(of_finer, self.n_classes)
        return self._tables[attribute]

    def _count_values(self, attribute: str) -> Distribution:
        finer, of_finer = self._finer_values(attribute)
        table = self.value_table(attribute)
        if table is None:
            return finer.merged(of_finer, self.n_classes)
        self._tables[attribute] = None
        return finer.listed(table)

    def _finer_values(self, attribute: str) -> tuple[Distribution, IntArray]:
        """Values of finer classes, and the class of each of them, -1 for none."""
        return self.class_table.sensitive[attribute], self.of_combination

    @cached_property
    def population(self) -> PopulationSizes:
        """People of the population in each class.

        Raises
        ------
        ConfigError
            Code ``population_missing`` if nothing is known about it.
        InputError
            Code ``population_lacks_records``.
        """
        known = self.class_table.population
        if known is None:
            raise ConfigError("population_missing")
        steps = [
            hierarchy.levels[level]
            for hierarchy, level in zip(
                self.class_table.hierarchies, self.levels, strict=True
            )
        ]
        return known.sizes(
            self.counts,
            self.groups,
            [step.groups for step in steps],
            [step.n_groups for step in steps],
        )

    def only(self, kept: BoolArray) -> EquivalenceClasses:
        """Return some of the classes; combinations of the others get -1.

        Parameters
        ----------
        kept : ndarray of bool, shape (n_classes,)
        """
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        return EquivalenceClasses(
            self.class_table,
            self.levels,
            self.groups[kept],
            self.counts[kept],
            number[self.of_combination],
        )


def classes_at(class_table: ClassTable, levels: Sequence[int]) -> EquivalenceClasses:
    """Group the combinations of a class table at one node of the lattice.

    Parameters
    ----------
    levels : sequence of int
        A level of each attribute's hierarchy.

    Returns
    -------
    EquivalenceClasses
        In ascending lexicographic order of their groups.
    """
    steps = [
        hierarchy.levels[level]
        for hierarchy, level in zip(class_table.hierarchies, levels, strict=True)
    ]
    merged = merge_combinations(
        class_table,
        [step.groups for step in steps],
        [step.n_groups for step in steps],
        class_table.joint(levels),
    )
    return EquivalenceClasses(class_table, tuple(levels), *merged)


def merge_combinations(
    class_table: ClassTable,
    values: Sequence[Int32Array],
    n_values: Sequence[int],
    joint: Int32Array | None = None,
) -> tuple[Int32Array, IntArray, IntArray]:
    """Merge the combinations that are alike in a value given to every leaf.

    Parameters
    ----------
    values : sequence of ndarray of int32, each of shape (n_leaves,)
        Per attribute, the value of each leaf.
    n_values : sequence of int
        Per attribute, how many values there are.
    joint : ndarray of int32, shape (n_combinations,), optional
        See `ClassTable.joint`: combinations of which it differs are not alike.

    Returns
    -------
    rows : ndarray of int32, shape (n_classes, n_attributes)
        Values of each class; rows in ascending lexicographic order.
    counts : ndarray of int64, shape (n_classes,), each >= 1
        Records of each class.
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table.
    """
    leaves = class_table.leaves
    keys: Iterable[Int32Array]
    keys = (value[leaves[:, place]] for place, value in enumerate(values))
    sizes = [*n_values]
    if joint is not None:
        keys, sizes = chain(keys, [joint]), [*sizes, int(joint.max(initial=0)) + 1]
    groups = group_rows(class_table.n_classes, keys, sizes)
    rows = np.empty((len(groups.first), len(values)), dtype=np.int32)
    for place, value in enumerate(values):
        rows[:, place] = value[leaves[groups.first, place]]
    return rows, groups.sums(class_table.counts), groups.of_row


class GroupedClasses(EquivalenceClasses):
    """Equivalence classes of groups of leaves that need be no level of a hierarchy.

    Parameters
    ----------
    of_leaf : sequence of ndarray of int32, each of shape (n_leaves,)
        By attribute, the group of each leaf.
    n_groups : sequence of int
        By attribute, how many groups there are.
    merged : tuple of ndarray, optional
        Groups, counts and class of each combination, if they are known already
        (see `merge_combinations`).
    """

    def __init__(
        self,
        class_table: ClassTable,
        of_leaf: Sequence[Int32Array],
        n_groups: Sequence[int],
        merged: tuple[Int32Array, IntArray, IntArray] | None = None,
    ) -> None:
        if merged is None:
            merged = merge_combinations(class_table, of_leaf, n_groups)
        super().__init__(class_table, (), *merged)
        self._of_leaf, self._n_groups = tuple(of_leaf), tuple(n_groups)

    def ranks(self, column: int, places: IntArray) -> Int32Array:
        """Place of the group of one attribute, in the order of the groups."""
        return self.column_groups(column, places)

    def counted_in(self, table: ClassTable, counts: IntArray) -> GroupedClasses:
        """Return the same classes, counted in something else."""
        merged = (self.groups, counts, self.of_combination)
        return type(self)(table, self._of_leaf, self._n_groups, merged)

    def leaves(self, column: int) -> IntArray:
        """Hierarchy leaves in the group of each class: int64, (n_classes,)."""
        found: IntArray = self._n_leaves(column)[self.groups[:, column]]
        return found

    def generality(self, places: IntArray) -> IntArray:
        """How general the values of some classes are (see the base class)."""
        found = np.zeros(len(places), dtype=np.int64)
        for column, of_leaf in enumerate(self._of_leaf):
            below = self._n_leaves(column)[self.column_groups(column, places)]
            found += below * (PARTS // len(of_leaf))
        return found

    def _n_leaves(self, column: int) -> IntArray:
        of_leaf = self._of_leaf[column]
        counts = np.bincount(of_leaf, minlength=self._n_groups[column])
        return counts.astype(np.int64)

    @cached_property
    def population(self) -> PopulationSizes:
        """People of the population in each class (see the base class)."""
        known = self.class_table.population
        if known is None:
            raise ConfigError("population_missing")
        return known.sizes(self.counts, self.groups, self._of_leaf, self._n_groups)

    def only(self, kept: BoolArray) -> GroupedClasses:
        """Return some of the classes (see the base class)."""
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        merged = self.groups[kept], self.counts[kept], number[self.of_combination]
        return GroupedClasses(self.class_table, self._of_leaf, self._n_groups, merged)
