"""How the values of a column look, without one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from deidgui.engine.data.table import Column
from deidgui.text import share_text, tr

MOST_LOOKED_AT = 20_000
"""Distinct values that are looked at, evenly spaced."""

LONGEST = 24
"""Characters of a shape that are shown."""


@dataclass(frozen=True)
class ColumnShape:
    """The usual shape of a column's values, and how many of them are unique.

    Parameters
    ----------
    shape : str
        Of most values: A and a for letters, 9 for digits, others as they are.
    share : float in [0, 1]
        Share of the values looked at that have it.
    shortest, longest : int
        Characters.
    n_values, n_unique, n_records : int
        Distinct values; those of one record only; records.
    """

    shape: str
    share: float
    shortest: int
    longest: int
    n_values: int
    n_unique: int
    n_records: int

    @property
    def words(self) -> str:
        """Shape and lengths in words; no value."""
        if not self.n_values:
            return tr("no values")
        lengths = str(self.shortest)
        if self.longest > self.shortest:
            lengths = f"{self.shortest}–{self.longest}"
        return tr(
            "{shape} ({share} of the values); length: {lengths}",
            shape=self.shape,
            share=share_text(self.share),
            lengths=lengths,
        )

    @property
    def uniqueness(self) -> str:
        """How many values there are, and how many records one tells apart."""
        return tr(
            "{values:different value|different values}, {unique} in one record only",
            values=self.n_values,
            unique=self.n_unique,
        )


def shape_of(column: Column) -> ColumnShape:
    """Describe the values of a column by their shape.

    Parameters
    ----------
    column : Column
        With missing texts marked.
    """
    present = (column.counts > 0) & ~column.is_missing
    places = np.flatnonzero(present)
    n_unique = int((column.counts[places] == 1).sum())
    if len(places) > MOST_LOOKED_AT:
        at = np.linspace(0, len(places) - 1, MOST_LOOKED_AT).astype(np.int64)
        looked_at = places[at]
    else:
        looked_at = places
    if not len(looked_at):
        return ColumnShape("", 0.0, 0, 0, 0, 0, column.n_cells)
    texts = column.values.gather(pl.Series(looked_at))
    lengths = texts.str.len_chars().to_numpy()
    shapes = (
        texts.str.slice(0, LONGEST)
        .str.replace_all(r"[\p{L}--\p{Lu}]", "a")
        .str.replace_all(r"\p{Lu}", "A")
        .str.replace_all(r"\p{N}", "9")
    )
    counted = shapes.value_counts(sort=True)
    shape, n_alike = counted.row(0)
    return ColumnShape(
        shape=str(shape) + ("…" if int(lengths.max()) > LONGEST else ""),
        share=int(n_alike) / len(texts),
        shortest=int(lengths.min()),
        longest=int(lengths.max()),
        n_values=len(places),
        n_unique=n_unique,
        n_records=column.n_cells,
    )
