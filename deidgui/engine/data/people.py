"""People with several rows: their classes are counted in people, not in rows.

A quasi-identifier that is the same in all rows of each person counts as in any table.
Of one that varies, a person has a *set* of values: two people are alike if they have
the same set, and where several vary, the same set of combinations of them. That is what
an adversary sees who knows all rows of a person but not how many there are. Of linked
tables, who has no event has the empty set of events, whatever the events show.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows
from deidgui.engine.data.table import Column
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True, repr=False, eq=False)
class People:
    """To whom the rows of a table belong.

    Parameters
    ----------
    of_row : ndarray of int32, shape (n_rows,), each in [0, n_people)
        Person of each row.
    """

    of_row: Int32Array
    n_people: int

    @cached_property
    def first_row(self) -> IntArray:
        """First row of each person: ndarray of int64, shape (n_people,)."""
        first = np.empty(self.n_people, np.int64)
        first[self.of_row[::-1]] = np.arange(len(self.of_row))[::-1]
        return first

    @cached_property
    def n_rows(self) -> IntArray:
        """Rows of each person: ndarray of int64, shape (n_people,)."""
        return np.bincount(self.of_row, minlength=self.n_people).astype(np.int64)

    def is_constant(self, codes: AnyArray) -> bool:
        """Whether a code per row is the same in all rows of each person."""
        return bool((codes == codes[self.first_row][self.of_row]).all())

    def sets_of(
        self,
        codes: AnyArray,
        n_codes: int,
        absent: BoolArray | None = None,
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> ValueSets:
        """Collect the different codes in the rows of each person.

        Parameters
        ----------
        codes : ndarray of int, shape (n_rows,), each in [0, n_codes)
        absent : ndarray of bool, shape (n_rows,), optional
            Rows that have none: whoever has no other row has an empty set.
        """
        of_row = self.of_row
        if absent is not None:
            of_row, codes = of_row[~absent], codes[~absent]
        pairs = group_rows(
            len(codes), [of_row, codes], [self.n_people, n_codes], monitor=monitor
        )
        # In the order of people, and of codes within each person.
        starts = np.searchsorted(
            of_row[pairs.first], np.arange(self.n_people + 1)
        ).astype(np.int64)
        return ValueSets(starts, codes[pairs.first].astype(np.int64))


def people_of(column: Column) -> People:
    """Return the people of a table by the column that numbers them.

    Parameters
    ----------
    column : Column
        Each different text is a person. Missing values marked.

    Raises
    ------
    InputError
        Code ``key_missing_values`` with the column and how many rows have no value:
        nobody knows whose they are.
    """
    if column.n_missing:
        raise InputError(
            "key_missing_values", attribute=column.name, n_records=column.n_missing
        )
    number = np.cumsum(column.counts > 0) - 1
    n_people = int(number[-1]) + 1 if len(number) else 0
    return People(number[column.codes].astype(np.int32), n_people)


def one_row_each(n_rows: int) -> People:
    """Return the people of a table in which each row is one."""
    return People(np.arange(n_rows, dtype=np.int32), n_rows)


@dataclass(frozen=True, repr=False, eq=False)
class ValueSets:
    """A set of codes for each of several owners.

    Parameters
    ----------
    starts : ndarray of int64, shape (n_owners + 1,)
    codes : ndarray of int64, shape (n_entries,)
        Those of owner i are ``codes[starts[i]:starts[i + 1]]``, ascending.
    """

    starts: IntArray
    codes: IntArray

    @property
    def n_owners(self) -> int:
        """Number of owners."""
        return len(self.starts) - 1

    @cached_property
    def owners(self) -> IntArray:
        """Owner of each entry: int64, shape (n_entries,)."""
        return np.repeat(np.arange(self.n_owners), np.diff(self.starts))

    def of(self, owners: IntArray) -> ValueSets:
        """Return the sets of some owners, in their order.

        Parameters
        ----------
        owners : ndarray of int64, shape (n,)
        """
        sizes = np.diff(self.starts)[owners]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        return ValueSets(
            starts, self.codes[np.repeat(self.starts[owners], sizes) + inside]
        )

    def mapped(self, new: AnyArray) -> ValueSets:
        """Replace each code by another; equal ones of an owner are then one.

        Parameters
        ----------
        new : ndarray of int, shape (n_codes,)
            Codes with a negative one are left out.
        """
        codes = new[self.codes].astype(np.int64)
        width = int(codes.max(initial=0)) + 1
        keys = self.owners * width + codes
        keys = np.sort(keys if (codes >= 0).all() else keys[codes >= 0])
        # PERF: `np.unique` hashes; such keys took it minutes for a million.
        keys = keys[np.diff(keys, prepend=-1) > 0]
        starts = np.searchsorted(keys, np.arange(self.n_owners + 1) * width)
        return ValueSets(starts.astype(np.int64), keys % width)

    def numbered(self) -> tuple[Int32Array, int]:
        """Number the different sets.

        Returns
        -------
        of_owner : ndarray of int32, shape (n_owners,)
            Number of each owner's set, in an order that no order of rows decides.
        n_sets : int
        """
        # Big-endian bytes sort as the codes do.
        content = self.codes.astype(">u4").tobytes()
        ends = (self.starts * 4).tolist()
        texts = [content[a:b] for a, b in itertools.pairwise(ends)]
        number = {text: at for at, text in enumerate(sorted(set(texts)))}
        of_owner = np.fromiter((number[each] for each in texts), np.int32, len(texts))
        return of_owner, len(number)


ABSENT = -1
"""In the place of a leaf: an event of another table."""


@dataclass(frozen=True, repr=False, eq=False)
class Varying:
    """Quasi-identifiers that differ between the rows of a person.

    Parameters
    ----------
    places : tuple of int
        Of these attributes, in column order.
    leaves : ndarray of int32, shape (n_rows, n_varying)
        Different combinations of their leaves in the rows of the table; `ABSENT` for
        those of other tables of events.
    sets : ValueSets
        The different sets of such combinations that people have, by number.
    groups : tuple of tuples of ndarray of int32, each of shape (n_leaves,)
        By varying attribute and level of its hierarchy, the group of each leaf.
    """

    places: tuple[int, ...]
    leaves: Int32Array
    sets: ValueSets
    groups: tuple[tuple[Int32Array, ...], ...]
    _known: dict[tuple[int, ...], Int32Array] = field(default_factory=dict)

    def sets_at(self, at: int) -> ValueSets:
        """Return the leaves of one attribute in each set.

        Parameters
        ----------
        at : int
            Of the attribute among those that vary.
        """
        return self.sets.mapped(self.leaves[:, at])

    @property
    def is_joint(self) -> bool:
        """Whether sets of single values do not tell all.

        Several attributes vary, or there are events that have none of them.
        """
        return len(self.places) > 1 or bool((self.leaves == ABSENT).any())

    def alike(self, values: Sequence[AnyArray]) -> Int32Array:
        """Number the sets so that those are equal whose values are.

        Parameters
        ----------
        values : sequence of ndarray of int32, each of shape (n_leaves,)
            By varying attribute, the value of each leaf.

        Returns
        -------
        ndarray of int32, shape (n_sets,)
        """
        # What is absent is a value of its own: the last one.
        ends = [int(each.max(initial=0)) + 1 for each in values]
        columns = [
            np.append(each, n)[self.leaves[:, at]]
            for at, (each, n) in enumerate(zip(values, ends, strict=True))
        ]
        sizes = [n + 1 for n in ends]
        of_row = group_rows(len(self.leaves), columns, sizes).of_row
        return self.sets.mapped(of_row).numbered()[0]

    def alike_at(self, levels: Sequence[int]) -> Int32Array:
        """Number the sets so that those are equal that are so at some levels.

        Parameters
        ----------
        levels : sequence of int
            Of all quasi-identifiers.
        """
        own = tuple(levels[place] for place in self.places)
        if own not in self._known:
            each = zip(self.groups, own, strict=True)
            self._known[own] = self.alike([groups[level] for groups, level in each])
        return self._known[own]
