"""The distinct combinations of a table, and the equivalence classes they form."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.hierarchy import PARTS, Hierarchy, leaf_codes
from deidgui.engine.data.population import Population, PopulationSizes
from deidgui.engine.data.sensitive import Distribution, count_values
from deidgui.engine.data.table import Table
from deidgui.errors import ConfigError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


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
        Records with this combination.
    sensitive : mapping of str to Distribution
        By sensitive attribute that a model asks about: the values of each
        combination's records.
    population : Population or None
        What is known about the people the records come from.
    """

    hierarchies: tuple[Hierarchy, ...]
    leaves: Int32Array
    counts: IntArray
    sensitive: Mapping[str, Distribution] = field(default_factory=dict)
    population: Population | None = None

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

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())


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
    combined, counts, of_record = _distinct(
        table, ordered, lookups, bool(sensitive), monitor
    )
    distributions = {
        name: count_values(table.column(name), of_record, len(counts), hierarchy)
        for name, hierarchy in (sensitive or {}).items()
    }
    return ClassTable(ordered, combined, counts, distributions, population)


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
        self._groups = groups
        self._of_combination = of_combination
        self._distributions: dict[str, Distribution] = {}
        self.memory: dict[Hashable, AnyArray] = {}
        """What privacy models want to compute only once for these classes."""

    def __repr__(self) -> str:
        return f"<Classes {self.n_classes} at {self.levels}>"

    @property
    def groups(self) -> Int32Array:
        """Group of each attribute at its level: int32, (n_classes, n_attributes)."""
        return self._groups

    @property
    def of_combination(self) -> IntArray:
        """Class of each row of the class table, -1 for none: int64."""
        return self._of_combination

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.counts)

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

    def _count_values(self, attribute: str) -> Distribution:
        of_combinations = self.class_table.sensitive[attribute]
        return of_combinations.merged(self.of_combination, self.n_classes)

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
        class_table, [step.groups for step in steps], [step.n_groups for step in steps]
    )
    return EquivalenceClasses(class_table, tuple(levels), *merged)


def merge_combinations(
    class_table: ClassTable, values: Sequence[Int32Array], n_values: Sequence[int]
) -> tuple[Int32Array, IntArray, IntArray]:
    """Merge the combinations that are alike in a value given to every leaf.

    Parameters
    ----------
    values : sequence of ndarray of int32, each of shape (n_leaves,)
        Per attribute, the value of each leaf.
    n_values : sequence of int
        Per attribute, how many values there are.

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
    columns = [value[leaves[:, place]] for place, value in enumerate(values)]
    groups = group_rows(class_table.n_classes, columns, n_values)
    rows = np.empty((len(groups.first), len(columns)), dtype=np.int32)
    for place, column in enumerate(columns):
        rows[:, place] = column[groups.first]
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
