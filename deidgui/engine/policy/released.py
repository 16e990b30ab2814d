"""Applies a policy to a class table: released classes and suppressed records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import (
    ClassTable,
    EquivalenceClasses,
    GroupedClasses,
    classes_at,
    leaves_of_rows,
    merge_combinations,
)
from deidgui.engine.data.grouping import group_rows, sums_by_group
from deidgui.engine.data.hierarchy import SUPPRESSED, leaf_codes
from deidgui.engine.data.people import People, ValueSets
from deidgui.engine.data.population import PopulationSizes
from deidgui.engine.data.table import Table
from deidgui.engine.policy.policy import Policy
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import released
from deidgui.errors import ConfigError, DeidError, raise_all


@dataclass(frozen=True, repr=False, eq=False)
class Round:
    """What one round of a policy does to the records that all before it suppress.

    Parameters
    ----------
    policy : Policy
        Of this round alone.
    classes : EquivalenceClasses
        Of these records, none suppressed.
    kept : ndarray of bool, shape (n_classes,)
        Those that the round releases.
    rows : ndarray of int64, shape (n_combinations of the round,)
        Row of the whole class table of each combination.
    """

    policy: Policy
    classes: EquivalenceClasses
    kept: BoolArray
    rows: IntArray

    @property
    def n_released(self) -> int:
        """Records that the round releases."""
        return int(self.classes.counts[self.kept].sum())

    @property
    def is_released(self) -> BoolArray:
        """Which of its combinations the round releases."""
        return np.asarray(self.kept[self.classes.of_combination])

    def members(self) -> IntArray:
        """For each released class a row of the whole class table in it."""
        first = np.empty(self.classes.n_classes, dtype=np.int64)
        first[self.classes.of_combination] = self.rows
        return first[self.kept]

    def label_records(self, place: int) -> IntArray:
        """Records that the round releases, by its label of an attribute."""
        counts = np.bincount(
            self.classes.groups[self.kept, place],
            self.classes.counts[self.kept],
            len(self.policy.maps[place].labels),
        )
        # Events of other tables have no label of it: a number behind all others.
        return counts[: len(self.policy.maps[place].labels)].astype(np.int64)

    def rest(self) -> ClassTable:
        """Return the class table of the records that the round suppresses.

        Shares of sensitive values are still compared with the whole table, and
        people who can only be in a released class are not in the population of
        the others.

        Raises
        ------
        InputError
            Code ``population_empty``.
        """
        table, gone = self.classes.class_table, ~self.is_released
        number = np.where(gone, np.cumsum(gone) - 1, -1)
        n_left = int(gone.sum())
        population = table.population
        if population is not None:
            maps = self.policy.maps
            population = population.outside(
                self.classes.groups[self.kept],
                [each.groups for each in maps],
                [len(each.labels) for each in maps],
            )
        units = table.units
        if units is not None:
            units = replace(units, set_of=units.set_of[gone])
        return replace(
            table,
            units=units,
            leaves=table.leaves[gone],
            counts=table.counts[gone],
            sensitive={
                name: found.merged(number, n_left)
                for name, found in table.sensitive.items()
            },
            population=population,
        )


class _JoinedClasses(EquivalenceClasses):
    """Released classes of several rounds, whose levels differ."""

    def __init__(
        self,
        class_table: ClassTable,
        labels: Int32Array,
        counts: IntArray,
        of_combination: IntArray,
        count_population: Callable[[], FloatArray],
    ) -> None:
        super().__init__(class_table, (), labels, counts, of_combination)
        self._count_population = count_population

    def ranks(self, column: int, places: IntArray) -> Int32Array:
        """Number of the label of one attribute: of several levels at once."""
        return self.column_groups(column, places)

    @cached_property
    def population(self) -> PopulationSizes:
        """People of the population in each class."""
        if self.class_table.population is None:
            raise ConfigError("population_missing")
        return PopulationSizes(self._count_population())


class _ClassesOfCells(GroupedClasses):
    """Classes at a node under which single cells are suppressed."""

    def _n_leaves(self, column: int) -> IntArray:
        found = super()._n_leaves(column)
        # Any leaf can be behind a suppressed cell.
        found[found == 0] = self.class_table.hierarchies[column].n_leaves
        return found

    def only(self, kept: BoolArray) -> _ClassesOfCells:
        """Return some of the classes (see the base class)."""
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        merged = self.groups[kept], self.counts[kept], number[self.of_combination]
        return _ClassesOfCells(self.class_table, self._of_leaf, self._n_groups, merged)


def _classes_of_cells(class_table: ClassTable, policy: Policy) -> _ClassesOfCells:
    """Group combinations by what is left of them; a suppressed cell is a value."""
    cells = policy.cells
    assert cells is not None
    # PRIVACY: cells were chosen for these records and no others.
    assert np.array_equal(cells.counts, class_table.counts), "cells of another table"
    labels = []
    for place, each in enumerate(policy.maps):
        codes = each.groups[class_table.leaves[:, place]].astype(np.int32)
        if cells.mask[:, place].any():
            codes[cells.mask[:, place]] = each.labels.index(SUPPRESSED)
        labels.append(codes)
    n_labels = [len(each.labels) for each in policy.maps]
    groups = group_rows(class_table.n_classes, labels, n_labels)
    merged = (
        np.stack([codes[groups.first] for codes in labels], axis=1),
        groups.sums(class_table.counts),
        groups.of_row,
    )
    of_leaf = [each.groups for each in policy.maps]
    return _ClassesOfCells(class_table, of_leaf, n_labels, merged)


@dataclass(frozen=True, repr=False, eq=False)
class ReleasedClasses:
    """Classes of records after a policy, the suppressed ones included and marked.

    Parameters
    ----------
    labels : ndarray of int32, shape (n_classes, n_attributes)
        Label number of each attribute (see `Policy.labels`).
    counts : ndarray of int64, shape (n_classes,)
        Records per class.
    suppressed : ndarray of bool, shape (n_classes,)
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table.
    """

    labels: Int32Array
    counts: IntArray
    suppressed: BoolArray
    of_combination: IntArray = field(repr=False)
    rounds: tuple[Round, ...] = field(repr=False)

    @property
    def kept_counts(self) -> IntArray:
        """Sizes of the classes that are released."""
        return self.counts[~self.suppressed]

    @property
    def n_suppressed(self) -> int:
        """Number of suppressed records."""
        return int(self.counts[self.suppressed].sum())

    @property
    def n_later(self) -> int:
        """Records that are released by a later round than the first."""
        return sum(each.n_released for each in self.rounds[1:])

    def population(self) -> FloatArray | None:
        """People of the population in each released class; None if not known.

        Returns
        -------
        ndarray of float64, shape (n_released_classes,), or None

        Raises
        ------
        InputError
            Code ``population_lacks_records``.

        Notes
        -----
        Who can be in a class of an earlier round cannot be in one of a later round:
        nobody is counted twice.
        """
        known = self.rounds[0].classes.class_table.population
        if known is None or not known.has_population:
            return None
        return self._sizes()

    def _sizes(self) -> FloatArray:
        """People in each released class, counted or estimated."""
        sizes = np.zeros(len(self.counts))
        for each in self.rounds:
            found = each.classes.population.sizes[each.kept]
            np.add.at(sizes, self.of_combination[each.members()], found)
        return sizes[~self.suppressed]

    def kept_classes(self, class_table: ClassTable) -> EquivalenceClasses:
        """Released classes as privacy models judge them, those of all rounds joined.

        Parameters
        ----------
        class_table : ClassTable
            That the policy was applied to.
        """
        if len(self.rounds) == 1:
            return self.rounds[0].classes.only(~self.suppressed)
        number = np.where(self.suppressed, -1, np.cumsum(~self.suppressed) - 1)
        of_combination = number[self.of_combination]
        labels = self.labels[~self.suppressed]
        sizes = self.kept_counts
        return _JoinedClasses(class_table, labels, sizes, of_combination, self._sizes)


def released_classes(class_table: ClassTable, policy: Policy) -> ReleasedClasses:
    """Group the combinations of a class table as a policy releases them.

    Parameters
    ----------
    policy : Policy
        For the same quasi-identifiers in the same order.

    Returns
    -------
    ReleasedClasses
        Classes in lexicographic order of their labels.

    Raises
    ------
    ConfigError
        Codes ``sensitive_missing``, ``population_missing`` or
        ``population_not_counted`` if the class table lacks what a condition of
        the policy needs.
    """
    rows = np.arange(class_table.n_classes)
    rounds = [apply_round(class_table, policy.rounds[0], rows)]
    for each in policy.rounds[1:]:
        last = rounds[-1]
        if last.kept.all():
            break
        left = last.rows[~last.is_released]
        rounds.append(apply_round(last.rest(), each, left))
    if len(rounds) == 1 and not policy.later:
        only = rounds[0].classes
        return ReleasedClasses(
            only.groups,
            only.counts,
            ~rounds[0].kept,
            only.of_combination,
            tuple(rounds),
        )
    return _joined(class_table, policy, rounds)


def released_rows(
    table: Table, class_table: ClassTable, policy: Policy, found: ReleasedClasses
) -> tuple[ClassTable, ReleasedClasses]:
    """Count the rows of a release where classes are counted in people.

    Of linked tables these are the events: who has none is no row. With several tables
    of events, a leaf or label behind all others stands for what a row does not have.

    Parameters
    ----------
    table : Table
        That `class_table` was counted from.
    found : ReleasedClasses
        What the policy makes of the class table.

    Returns
    -------
    class_table : ClassTable
        Rows by their values; those of suppressed people apart from the others.
    released : ReleasedClasses
        Rows by their labels. Both are those that were given if each row is a person.
    """
    units = class_table.units
    if units is None:
        return class_table, found
    absent = table.absent
    if units.varying is None and absent is None:
        n_rows = np.bincount(
            units.of_rows(np.arange(class_table.n_classes)),
            minlength=class_table.n_classes,
        )
        rows = replace(class_table, counts=n_rows, sensitive={}, units=None)
        return rows, _counted_in(found, rows)
    gone = units.of_rows(found.suppressed[found.of_combination])
    hierarchies = tuple(each.of_values for each in class_table.hierarchies)
    leaves = leaves_of_rows(table, hierarchies)[1]
    sizes = [each.n_leaves for each in hierarchies]
    of_leaf = [each.groups for each in policy.maps]
    n_groups = [len(each.labels) for each in policy.maps]
    for place, each in enumerate(hierarchies):
        elsewhere = table.column(each.attribute).absent
        if table.kinds is None or elsewhere is None:
            continue
        leaves[place] = np.where(elsewhere, sizes[place], leaves[place])
        of_leaf[place] = np.append(of_leaf[place], np.int32(n_groups[place]))
        sizes[place], n_groups[place] = sizes[place] + 1, n_groups[place] + 1
    if absent is not None:
        leaves, gone = [each[~absent] for each in leaves], gone[~absent]
    alike = group_rows(len(gone), [*leaves, gone], [*sizes, 2])
    rows = ClassTable(
        hierarchies,
        np.stack([each[alike.first] for each in leaves], axis=1).astype(np.int32),
        np.bincount(alike.of_row).astype(np.int64),
    )
    shown = gone[alike.first].astype(np.int32)
    labels, counts, of_row = merge_combinations(rows, of_leaf, n_groups, shown)
    suppressed = np.zeros(len(counts), dtype=np.bool_)
    suppressed[of_row] = shown == 1
    classes = EquivalenceClasses(
        rows, tuple(policy.levels.values()), labels, counts, of_row
    )
    only = Round(policy, classes, ~suppressed, np.arange(rows.n_classes))
    return rows, ReleasedClasses(labels, counts, suppressed, of_row, (only,))


def suppressed_rows(
    table: Table, class_table: ClassTable, found: ReleasedClasses
) -> tuple[int, int] | None:
    """Count the rows that are suppressed with their people, and all rows.

    Parameters
    ----------
    table : Table
        That `class_table` was counted from.
    found : ReleasedClasses
        What a policy makes of the class table.

    Returns
    -------
    tuple of int or None
        As of `released_rows`; None if each row is a person.
    """
    if class_table.units is None:
        return None
    gone = class_table.units.of_rows(found.suppressed[found.of_combination])
    if table.absent is not None:
        gone = gone[~table.absent]
    return int(gone.sum()), len(gone)


def shown_by_rows(
    table: Table, class_table: ClassTable, policy: Policy, found: ReleasedClasses
) -> tuple[ValueSets, IntArray]:
    """Collect what the released rows of each person show.

    Parameters
    ----------
    table : Table
        That `class_table` was counted from; its rows belong to people.
    found : ReleasedClasses
        What the policy makes of the class table.

    Returns
    -------
    shown : ValueSets
        By released person, numbers of the different combinations of labels.
    numbers : ndarray of int64, shape (n_released,)
        The same number for those whose rows show the same equally often: of linked
        tables, in each table of events.

    Notes
    -----
    Who has no event shows that, and what is released of the person.
    """
    units = class_table.units
    assert units is not None
    people, absent = units.people, table.absent
    if units.varying is None:
        of_row = units.of_rows(found.of_combination)
    else:
        columns = [table.column(each.attribute) for each in policy.maps]
        labels = [
            each.groups[leaf_codes(column, each.hierarchy)][column.codes]
            for each, column in zip(policy.maps, columns, strict=True)
        ]
        sizes = [len(each.labels) for each in policy.maps]
        for place, column in enumerate(columns):
            if column.absent is not None:
                labels[place] = np.where(column.absent, sizes[place], labels[place])
                sizes[place] += 1
        if absent is not None:
            labels, sizes = [*labels, absent.astype(np.int32)], [*sizes, 2]
        of_row = group_rows(table.n_rows, labels, sizes).of_row
    n_shown = int(of_row.max(initial=0)) + 1
    shown = people.sets_of(of_row, n_shown)
    often, n_often = _with_times(table, people, of_row, n_shown)
    numbers, _ = people.sets_of(often, n_often).numbered()
    gone = found.suppressed[found.of_combination][units.combination]
    kept = np.flatnonzero(~gone)
    return shown.of(kept), numbers[kept].astype(np.int64)


def _with_times(
    table: Table, people: People, of_row: AnyArray, n_shown: int
) -> tuple[IntArray, int]:
    """Number what rows show together with how often it is shown of their person.

    PRIVACY: whoever holds the rows of a person sees what is there twice; and each table
    of events is a file of its own.
    """
    columns, sizes = [of_row], [n_shown]
    if table.absent is not None:
        columns, sizes = [*columns, table.absent.astype(np.int32)], [*sizes, 2]
    if table.kinds is not None:
        # -1 is who has no event.
        columns.append(table.kinds + 1)
        sizes.append(int(table.kinds.max(initial=0)) + 2)
    own = group_rows(
        table.n_rows, [people.of_row, *columns], [people.n_people, *sizes]
    ).of_row
    times = np.bincount(own)[own]
    most = int(times.max(initial=0)) + 1
    groups = group_rows(table.n_rows, [*columns, times], [*sizes, most])
    return groups.of_row, len(groups.first)


def _counted_in(found: ReleasedClasses, rows: ClassTable) -> ReleasedClasses:
    """Count the same classes in something else: the same combinations."""
    rounds = []
    for each in found.rounds:
        classes, own = each.classes, rows.counts[each.rows]
        counts = sums_by_group(classes.of_combination, own, classes.n_classes)
        table = replace(classes.class_table, counts=own, units=None)
        rounds.append(replace(each, classes=classes.counted_in(table, counts)))
    counts = sums_by_group(found.of_combination, rows.counts, len(found.counts))
    return replace(found, counts=counts, rounds=tuple(rounds))


def apply_round(class_table: ClassTable, policy: Policy, rows: IntArray) -> Round:
    """Group combinations as one round of a policy does.

    Parameters
    ----------
    class_table : ClassTable
        Of the records that all rounds before suppress.
    policy : Policy
        Of one round.
    rows : ndarray of int64, shape (n_combinations,)
        Rows of the whole class table.

    Raises
    ------
    ConfigError
        As `released_classes`.
    """
    assert policy.attributes == class_table.attributes
    classes = _grouped(class_table, policy)
    kept = classes.counts >= policy.suppress_below
    if policy.conditions:
        raise_all(_lacking(class_table, policy.conditions))
        kept = released(policy.conditions, classes, kept)
    return Round(policy, classes, kept, rows)


def _grouped(class_table: ClassTable, policy: Policy) -> EquivalenceClasses:
    """Classes of a round, none suppressed: at a node of the lattice if it is one."""
    if policy.cells is not None:
        return _classes_of_cells(class_table, policy)
    levels = [each.level for each in policy.maps]
    if class_table.varying:
        assert None not in levels, "joined neighbours of sets of values"
        return classes_at(class_table, tuple(policy.levels.values()))
    of_leaf = [each.groups for each in policy.maps]
    n_groups = [len(each.labels) for each in policy.maps]
    merged = merge_combinations(class_table, of_leaf, n_groups)
    if None in levels:
        return GroupedClasses(class_table, of_leaf, n_groups, merged)
    return EquivalenceClasses(class_table, tuple(policy.levels.values()), *merged)


def _joined(
    class_table: ClassTable, policy: Policy, rounds: Sequence[Round]
) -> ReleasedClasses:
    """Join classes that get the same labels, in whichever round."""
    n_combinations, n_attributes = class_table.leaves.shape
    labels = np.empty((n_combinations, n_attributes), dtype=np.int32)
    suppressed = np.ones(n_combinations, dtype=np.int32)
    for number, each in enumerate(rounds):
        of_class = np.stack(
            [
                codes[each.classes.groups[:, place]]
                for place, codes in enumerate(policy.label_codes(number))
            ],
            axis=1,
        )
        # A later round overwrites the labels of what this one suppresses.
        labels[each.rows] = of_class[each.classes.of_combination]
        suppressed[each.rows[each.is_released]] = 0
    groups = group_rows(
        n_combinations,
        [*labels.T, suppressed],
        [*(len(texts) for texts in policy.labels), 2],
    )
    return ReleasedClasses(
        labels[groups.first],
        groups.sums(class_table.counts),
        suppressed[groups.first] == 1,
        groups.of_row,
        tuple(rounds),
    )


def _lacking(
    class_table: ClassTable, models: Sequence[PrivacyModel]
) -> list[DeidError]:
    problems: list[DeidError] = []
    for model in models:
        try:
            model.check(class_table)
        except ConfigError as problem:
            problems.append(problem)
    return problems


@dataclass(frozen=True)
class LostValues:
    """Values of a quasi-identifier that only suppressed records have.

    Parameters
    ----------
    n_lost, n_values : int
        Of the values that some record has.
    n_records : int
        Records with these values: all of them are suppressed.
    """

    attribute: str
    n_lost: int
    n_values: int
    n_records: int

    @property
    def is_constant(self) -> bool:
        """Whether all released records have the same value."""
        return self.n_values - self.n_lost == 1


def lost_values(
    class_table: ClassTable, policy: Policy, released: ReleasedClasses
) -> tuple[LostValues, ...]:
    """Find the attributes that are kept in full but for values that were suppressed.

    Parameters
    ----------
    released : ReleasedClasses
        Of the policy.

    Returns
    -------
    tuple of LostValues
        In the order of the attributes. None is found where nothing is released, where
        values differ between the rows of a person, and where cells are suppressed.
    """
    units = class_table.units
    varies = units is not None and units.varying is not None
    if varies or policy.cells is not None or not len(released.kept_counts):
        return ()
    is_kept = ~released.suppressed[released.of_combination]
    found = []
    for place, each in enumerate(policy.maps):
        if not each.is_kept:
            continue
        n_leaves = class_table.hierarchies[place].n_leaves
        leaves = class_table.leaves[:, place]
        before = np.bincount(leaves, class_table.counts, n_leaves)
        after = np.bincount(leaves[is_kept], minlength=n_leaves)
        is_lost = (before > 0) & (after == 0)
        if is_lost.any():
            counted = int(is_lost.sum()), int((before > 0).sum())
            n_records = int(before[is_lost].sum())
            found.append(LostValues(each.attribute, *counted, n_records))
    return tuple(found)
