"""Population tables: people by attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, Int32Array, IntArray
from deidgui.engine.data.grouping import chunks, group_rows
from deidgui.engine.detect.roles import Reason
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

LARGEST_POPULATION = 10**12
"""Larger counts are refused: surely a mistake."""


class Subject(StrEnum):
    """What the values of an attribute speak of, and so how they are read."""

    SEX = "sex"
    AGE = "age"
    RACE = "race"
    ORIGIN = "origin"
    RACE_AND_ORIGIN = "race and origin"
    STATE = "state"
    ZIP5 = "zip5"
    ZIP3 = "zip3"
    OTHER = "other"


@dataclass(frozen=True)
class PopulationAttribute:
    """An attribute of a population with its values in order.

    Parameters
    ----------
    name : str
        Unique in its table.
    values : tuple of str
        Distinct.
    """

    name: str
    values: tuple[str, ...]
    subject: Subject = Subject.OTHER

    def __repr__(self) -> str:
        # PRIVACY: values of a user's own register stay out of traces.
        return f"<PopulationAttribute {self.name!r}: {self.n_values} values>"

    @property
    def n_values(self) -> int:
        """Number of values."""
        return len(self.values)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Place of each value."""
        return {value: place for place, value in enumerate(self.values)}


@dataclass(frozen=True, repr=False, eq=False)
class PopulationTable:
    """People by combination of the values of some attributes.

    Parameters
    ----------
    cells : ndarray of int32, shape (n_cells, n_attributes)
        Places of values; distinct rows in lexicographic order.
    counts : ndarray of int64, shape (n_cells,), each >= 1
        People per cell; combinations that nobody has are left out.
    assumptions : tuple of Reason
        What the counts rest on where nobody counted.
    """

    name: str
    attributes: tuple[PopulationAttribute, ...]
    cells: Int32Array
    counts: IntArray
    assumptions: tuple[Reason, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(self.attribute_names)
        return (
            f"<PopulationTable {self.name!r}: {self.population_size} people by {names}>"
        )

    @property
    def is_counted(self) -> bool:
        """Whether the counts are those of a source; estimates of ours otherwise."""
        return not self.assumptions

    @property
    def population_size(self) -> int:
        """People of the population."""
        return int(self.counts.sum())

    @property
    def n_cells(self) -> int:
        """Combinations that somebody has."""
        return len(self.counts)

    @property
    def attribute_names(self) -> tuple[str, ...]:
        """Names in the order of the cells' columns."""
        return tuple(attribute.name for attribute in self.attributes)

    def place(self, name: str) -> int:
        """Column of an attribute.

        Raises
        ------
        InputError
            Code ``people_attribute_unknown``.
        """
        if name not in self.attribute_names:
            raise InputError(
                "people_attribute_unknown", attribute=name, table=self.name
            )
        return self.attribute_names.index(name)

    def attribute(self, name: str) -> PopulationAttribute:
        """Return an attribute by name (Raises as `place`)."""
        return self.attributes[self.place(name)]

    def of_subject(self, subject: Subject) -> PopulationAttribute | None:
        """First attribute that speaks of a subject, None if there is none."""
        return next((a for a in self.attributes if a.subject is subject), None)

    def dense(self) -> IntArray:
        """People of every combination.

        Returns
        -------
        ndarray of int64, shape (n_values, ...), one axis per attribute
        """
        population = np.zeros([a.n_values for a in self.attributes], dtype=np.int64)
        population[tuple(self.cells.T)] = self.counts
        return population

    @classmethod
    def from_arrays(
        cls,
        name: str,
        attributes: Sequence[PopulationAttribute],
        codes: Sequence[AnyArray],
        counts: AnyArray | None = None,
        assumptions: tuple[Reason, ...] = (),
        *,
        monitor: Monitor = NULL_MONITOR,
    ) -> PopulationTable:
        """Make a table of a register (a row per person) or of counts.

        Parameters
        ----------
        codes : sequence of ndarray of int, each of shape (n_rows,)
            Per attribute, the place of each row's value.
        counts : ndarray of int or float, shape (n_rows,), optional
            People per row; each row is one person without it.
        assumptions : tuple of Reason
            As of `PopulationTable`.

        Raises
        ------
        InputError
            Codes ``people_count_negative``, ``people_count_fractional``,
            ``people_count_large`` and ``people_cell_twice`` with the first row
            (from 1) and the number of rows, ``people_nobody``.
        """
        problems = list(_wrong_counts(name, counts))
        sizes = [attribute.n_values for attribute in attributes]
        step = SubMonitor(monitor, 0.0, 0.8)
        groups = group_rows(len(codes[0]), codes, sizes, monitor=step)
        if counts is None:
            of_group = np.bincount(groups.of_row, minlength=len(groups.first))
        else:
            problems += _repeated(name, groups.first, groups.of_row)
            raise_all(problems)
            of_group = counts[groups.first]
        if not of_group.any():
            raise InputError("people_nobody", table=name)
        rows, population, somebody = groups.first, of_group, of_group > 0
        if not somebody.all():
            rows, population = rows[somebody], population[somebody]
        population = population.astype(np.int64, copy=False)
        cells = rows_of(codes, rows, monitor=SubMonitor(monitor, 0.8, 1.0))
        return cls(name, tuple(attributes), cells, population, assumptions)

    # -- other tables made of this one ---------------------------------------------

    def sums(
        self, names: Sequence[str], *, monitor: Monitor = NULL_MONITOR
    ) -> PopulationTable:
        """Sum over all attributes but some.

        Parameters
        ----------
        names : sequence of str, not empty
            What to keep, in this order.

        Raises
        ------
        InputError
            Code ``people_attribute_unknown``.
        """
        places = [self.place(name) for name in names]
        if places == [*range(len(self.attributes))]:
            return self
        attributes = tuple(self.attributes[place] for place in places)
        columns = [self.cells[:, place] for place in places]
        return self._summed(attributes, columns, monitor)

    def only(self, name: str, values: Iterable[str]) -> PopulationTable:
        """Leave out the people with other values of an attribute.

        Parameters
        ----------
        values : iterable of str
            The attribute keeps these, in the table's order.

        Raises
        ------
        InputError
            Codes ``people_attribute_unknown``, ``people_value_unknown`` and
            ``people_nobody``.
        """
        attribute, wanted = self.attribute(name), set(values)
        unknown = wanted - set(attribute.values)
        if unknown:
            raise InputError(
                "people_value_unknown",
                attribute=name,
                table=self.name,
                n_values=len(unknown),
            )
        is_kept = np.array([value in wanted for value in attribute.values])
        return self._only(self.place(name), is_kept)

    def regrouped(
        self, name: str, attribute: PopulationAttribute, groups: IntArray
    ) -> PopulationTable:
        """Replace an attribute by groups of its values.

        Parameters
        ----------
        attribute : PopulationAttribute
            Takes the place of the old one.
        groups : ndarray of int, shape (n_values,)
            Its value for each value of the old one.

        Raises
        ------
        InputError
            Code ``people_attribute_unknown``.
        """
        place = self.place(name)
        attributes = list(self.attributes)
        attributes[place] = attribute
        columns = list(self.cells.T)
        columns[place] = groups[columns[place]]
        return self._summed(tuple(attributes), columns)

    def with_attribute(
        self, attribute: PopulationAttribute, codes: AnyArray
    ) -> PopulationTable:
        """Add an attribute that follows from the others.

        Parameters
        ----------
        codes : ndarray of int, shape (n_cells,)
            Its value in each cell.
        """
        return self._summed((*self.attributes, attribute), [*self.cells.T, codes])

    def renamed(self, name: str) -> PopulationTable:
        """Return the same people under another name of the table."""
        return replace(self, name=name)

    def _only(self, place: int, is_kept: BoolArray) -> PopulationTable:
        old = self.attributes[place]
        rows = is_kept[self.cells[:, place]]
        if not rows.any():
            raise InputError("people_nobody", table=self.name)
        values = tuple(v for v, kept in zip(old.values, is_kept, strict=True) if kept)
        attributes = list(self.attributes)
        attributes[place] = replace(old, values=values)
        cells = self.cells[rows]
        cells[:, place] = (np.cumsum(is_kept) - 1)[cells[:, place]]
        return replace(
            self, attributes=tuple(attributes), cells=cells, counts=self.counts[rows]
        )

    def _summed(
        self,
        attributes: tuple[PopulationAttribute, ...],
        columns: Sequence[AnyArray],
        monitor: Monitor = NULL_MONITOR,
    ) -> PopulationTable:
        sizes = [attribute.n_values for attribute in attributes]
        step = SubMonitor(monitor, 0.0, 0.8)
        groups = group_rows(self.n_cells, columns, sizes, monitor=step)
        counts = groups.sums(self.counts, monitor=SubMonitor(monitor, 0.8, 0.9))
        cells = rows_of(columns, groups.first, monitor=SubMonitor(monitor, 0.9, 1.0))
        return replace(self, attributes=attributes, cells=cells, counts=counts)


def rows_of(
    columns: Sequence[AnyArray], rows: AnyArray, *, monitor: Monitor = NULL_MONITOR
) -> Int32Array:
    """Some rows of coded columns beside each other.

    Parameters
    ----------
    columns : sequence of ndarray of int, each of shape (n_rows,)
    rows : ndarray of int, shape (n,)

    Returns
    -------
    ndarray of int32, shape (n, n_columns)
    """
    cells = np.empty((len(rows), len(columns)), dtype=np.int32)
    fill_rows(cells, columns, rows, monitor=monitor)
    return cells


def fill_rows(
    cells: Int32Array,
    columns: Sequence[AnyArray],
    rows: AnyArray,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> None:
    """Fill `cells`, shape (n, n_columns), as `rows_of`."""
    for part in chunks(len(rows)):
        monitor.report(part.start / len(rows), "population")
        picked = rows[part]
        for place, codes in enumerate(columns):
            cells[part, place] = codes[picked]
    monitor.report(1.0, "population")


def _wrong_counts(name: str, counts: AnyArray | None) -> Iterable[DeidError]:
    """Problems of counts, each with the first row that has it."""
    if counts is None:
        return
    is_whole = np.issubdtype(counts.dtype, np.integer)
    wrong = {
        "people_count_negative": counts < 0,
        "people_count_fractional": np.zeros(1, np.bool_)
        if is_whole
        else ~(np.floor(counts) == counts),
        "people_count_large": counts > LARGEST_POPULATION,
    }
    for code, rows in wrong.items():
        if rows.any():
            yield InputError(
                code,
                table=name,
                row=int(np.argmax(rows)) + 1,
                n_rows=int(rows.sum()),
                limit=LARGEST_POPULATION,
            )


def _repeated(name: str, first: IntArray, of_row: IntArray) -> list[DeidError]:
    """Problem of counts of which a combination stands in two rows."""
    if len(first) == len(of_row):
        return []
    again = np.flatnonzero(first[of_row] != np.arange(len(of_row)))
    return [
        InputError(
            "people_cell_twice",
            table=name,
            row=int(again[0]) + 1,
            first_row=int(first[of_row[again[0]]]) + 1,
            n_rows=len(again),
        )
    ]
