"""Makes tables of counts from a table of patients: cross tables, groups, attrition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.table import Column, Table
from deidgui.errors import ConfigError
from deidgui.text import tr

Rows = list[list[str]]

MOST_VALUES = 1_000
"""Different values of a column that can be counted side by side."""


class TableMaker:
    """Counts people, or rows where each row is one.

    Parameters
    ----------
    key : str or None
        Column that says to whom a row belongs.

    Raises
    ------
    ConfigError
        Code ``attribute_unknown``.
    """

    def __init__(self, table: Table, key: str | None = None) -> None:
        self._table = table
        n_rows = table.n_rows
        codes = self._column(key).codes if key is not None else np.arange(n_rows)
        self._people = codes.astype(np.int64)

    def _column(self, name: str) -> Column:
        for column in self._table.columns:
            if column.name == name:
                return column
        raise ConfigError("attribute_unknown", attribute=name)

    def _counted(self, name: str) -> tuple[IntArray, list[str]]:
        """Return the code of each row among the values of a column, and these."""
        column = self._column(name)
        if column.n_values > MOST_VALUES:
            raise ConfigError("counts_many_values", column=name, limit=MOST_VALUES)
        texts = [
            tr("Missing") if missing else text
            for text, missing in zip(column.texts(), column.is_missing, strict=True)
        ]
        shown = list(dict.fromkeys(texts))
        places = np.array([shown.index(text) for text in texts], np.int64)
        return places[column.codes], shown

    def _people_in(self, cells: IntArray, n_cells: int) -> IntArray:
        """Number of different people in each cell."""
        pairs = np.unique(self._people * n_cells + cells)
        return np.bincount(pairs % n_cells, minlength=n_cells).astype(np.int64)

    def cross_table(self, rows: str, columns: str) -> Rows:
        """Count people by two columns, with totals.

        Where the rows of a person differ, a total counts the person once.

        Raises
        ------
        ConfigError
            Codes ``attribute_unknown`` and ``counts_many_values``.
        """
        down, names = self._counted(rows)
        across, heads = self._counted(columns)
        n, m = len(names), len(heads)
        inner = self._people_in(down * m + across, n * m).reshape(n, m)
        right = self._people_in(down, n)
        below = self._people_in(across, m)
        everybody = len(np.unique(self._people))
        found: Rows = [[rows, *heads, tr("Total")]]
        for name, counts, total in zip(names, inner, right, strict=True):
            found.append([name, *map(str, counts.tolist()), str(int(total))])
        found.append([tr("Total"), *map(str, below.tolist()), str(everybody)])
        return found

    def characteristics(self, columns: Iterable[str]) -> Rows:
        """Count people by each of some columns, below the number of all.

        Raises
        ------
        ConfigError
            As `cross_table`.
        """
        everybody = len(np.unique(self._people))
        found: Rows = [[tr("Characteristic"), "N"]]
        found.append([tr("Overall (N)"), str(everybody)])
        for name in columns:
            codes, values = self._counted(name)
            counts = self._people_in(codes, len(values)).tolist()
            # A person in several categories is in each of them.
            heading = name if sum(counts) == everybody else f"{name} {_several()}"
            found.append([f"{heading}:", ""])
            found += [[v, str(c)] for v, c in zip(values, counts, strict=True)]
        return found

    def attrition(self, steps: Sequence[tuple[str, Iterable[str]]]) -> Rows:
        """Count who remains after each step, and who is excluded by it.

        Parameters
        ----------
        steps : sequence of (str, iterable of str)
            A column, and its values with which a row remains. A person remains as
            long as a row does.

        Raises
        ------
        ConfigError
            Code ``attribute_unknown``.
        """
        left: BoolArray = np.ones(self._table.n_rows, np.bool_)
        before = len(np.unique(self._people))
        found: Rows = [[tr("Step"), tr("Remaining"), tr("Excluded")]]
        found.append([tr("Initial count"), str(before), ""])
        for name, kept in steps:
            column = self._column(name)
            wanted = set(kept)
            is_kept = np.array([text in wanted for text in column.texts()], np.bool_)
            left = left & is_kept[column.codes]
            now = len(np.unique(self._people[left]))
            found.append([name, str(now), str(before - now)])
            before = now
        return found


def _several() -> str:
    return tr("(a person may have several)")
