"""Makes a population from a user's register or table of counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from deidgui.engine.arrays import AnyArray
from deidgui.engine.data.table import Column
from deidgui.engine.population.ages import read_ages
from deidgui.engine.population.proposing import guess_subject
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def table_of_columns(
    name: str,
    columns: Sequence[Column],
    counts: AnyArray | None = None,
    subjects: Mapping[str, Subject] | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationTable:
    """Make a table of people of the columns of a file.

    Parameters
    ----------
    name : str
        Of the file.
    columns : sequence of Column, not empty
        The attributes.
    counts : ndarray of int or float, shape (n_rows,), optional
        People per row; each row is one person without it.
    subjects : mapping of str to Subject, optional
        What columns speak of where that is known; others are guessed.

    Returns
    -------
    PopulationTable
        Ages in their order, other values in that of the column.

    Raises
    ------
    InputError
        As `PopulationTable.from_arrays`.
    """
    attributes, codes = [], []
    for number, column in enumerate(columns):
        monitor.report(0.2 * number / len(columns), "population")
        texts = column.texts()
        subject = (subjects or {}).get(column.name) or guess_subject(column.name, texts)
        order = _order(subject, texts)
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        values = tuple(texts[number] for number in order)
        attributes.append(PopulationAttribute(column.name, values, subject))
        codes.append(place[column.codes])
    step = SubMonitor(monitor, 0.2, 1.0)
    return PopulationTable.from_arrays(name, attributes, codes, counts, monitor=step)


def _order(subject: Subject, texts: Sequence[str]) -> list[int]:
    if subject is not Subject.AGE:
        return list(range(len(texts)))
    spans = read_ages(texts).spans
    lows = [span.low if span else -1 for span in spans]
    return sorted(range(len(texts)), key=lows.__getitem__)
