"""How two columns go together: cross tables and associations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, HeatMap
from deidgui.app.charts.phrases import Phrase
from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.monitor import NULL_MONITOR, Monitor

DENSE_CELLS = 4_000_000
"""Largest cross table that is counted in an array; larger ones are sorted."""


@dataclass(frozen=True, eq=False, repr=False)
class Coded:
    """A column as codes with labels.

    Parameters
    ----------
    codes : ndarray of int32, shape (n_records,), each in [-1, n_values)
        -1 where a record has no such column: an event of another table.
    """

    name: str
    labels: Sequence[str]
    codes: Int32Array

    @property
    def held(self) -> Int32Array:
        """Codes of the records that have the column."""
        return self.codes[self.codes >= 0]


def _of_both(one: Coded, two: Coded) -> tuple[Coded, Coded]:
    """Leave out the records that have not both of two columns."""
    is_held = (one.codes >= 0) & (two.codes >= 0)
    if is_held.all():
        return one, two
    return (
        replace(one, codes=one.codes[is_held]),
        replace(two, codes=two.codes[is_held]),
    )


class _Fold(NamedTuple):
    """Where the codes of a column stand among the labels that are shown."""

    places: IntArray
    labels: tuple[str, ...]
    n_own: int
    """Labels of one value each; what follows is all others, added up."""


def cross_tables(
    before: tuple[Coded, Coded],
    after: tuple[Coded, Coded],
    strength_before: float,
    *,
    top: int = 12,
) -> tuple[HeatMap, HeatMap]:
    """Cross tables of the input and of the release, to be compared cell by cell.

    Parameters
    ----------
    before, after : tuple of Coded
        Rows and columns.
    strength_before : float in [0, 1]
        Association of the two in the input.
    top : int, >= 1
        Values shown of each column, the most frequent ones in their order; the
        others are added up.

    Returns
    -------
    tuple of HeatMap
        With one scale of colours. A column whose values are mostly released as they
        are has the same labels at the same places in both; what vanished is empty.
    """
    first, second = _of_both(*before), _of_both(*after)
    rows, columns = (
        _folds(one, other, top) for one, other in zip(first, second, strict=True)
    )
    maps = (
        _counted(*first, (rows[0], columns[0]), None),
        _counted(*second, (rows[1], columns[1]), strength_before),
    )
    highest = max(each.highest for each in maps)
    one, other = (replace(each, highest=highest) for each in maps)
    return one, other


def _counted(
    rows: Coded,
    columns: Coded,
    folds: tuple[_Fold, _Fold],
    strength_before: float | None,
) -> HeatMap:
    across, along = folds
    n_rows, n_columns = len(rows.labels), len(columns.labels)
    size = len(across.labels), len(along.labels)
    key = across.places[rows.codes] * size[1] + along.places[columns.codes]
    values = np.bincount(key, minlength=size[0] * size[1]).astype(np.float64)
    filled, strength = _association(rows.codes, n_rows, columns.codes, n_columns)
    sentence = Phrase(
        "cross_sentence",
        {"n_filled": filled, "strength": strength},
    )
    if not len(rows.codes):
        sentence = Phrase("no_records")
    elif strength_before is not None:
        params = {"before": strength_before, "after": strength}
        sentence = Phrase("cross_compared", params)
    table = values.reshape(size)
    return HeatMap(
        Phrase("cross_table", {"rows": rows.name, "columns": columns.name}),
        sentence,
        across.labels,
        along.labels,
        table,
        Axis(Phrase("rows"), AxisUnit.COUNT),
        # What is added up as "other" must not make all the rest look pale.
        float(table[: across.n_own, : along.n_own].max(initial=0.0)),
    )


def _fold(column: Coded, top: int) -> _Fold:
    """Show the most frequent values of a column, in their order."""
    counts = np.bincount(column.codes, minlength=len(column.labels))
    shown = np.sort(np.argsort(-counts, kind="stable")[:top])
    shown = shown[counts[shown] > 0]
    places = np.full(len(column.labels), len(shown), dtype=np.int64)
    places[shown] = np.arange(len(shown))
    labels = [column.labels[code] for code in shown.tolist()]
    n_hidden = int((counts > 0).sum()) - len(shown)
    if n_hidden:
        labels.append(Phrase("other", {"n": n_hidden}).text())
    return _Fold(places, tuple(labels), len(shown))


def _folds(before: Coded, after: Coded, top: int) -> tuple[_Fold, _Fold]:
    """Show the same labels of both, if at least half of those after are values before.

    Others are what values were generalized to: they have nothing to stand beside.
    """
    place_of = {label: place for place, label in enumerate(before.labels)}
    occurring = [after.labels[code] for code in np.unique(after.codes).tolist()]
    added = [label for label in occurring if label not in place_of]
    if not occurring or 2 * len(added) > len(occurring):
        return _fold(before, top), _fold(after, top)
    n_before = len(before.labels)
    place_of |= {label: n_before + at for at, label in enumerate(added)}
    # What does not occur is asked for by nobody.
    code = np.array([place_of.get(each, 0) for each in after.labels], dtype=np.int32)
    labels = [*before.labels, *added]
    codes = np.append(before.codes, code[after.codes])
    both = _fold(Coded(before.name, labels, codes), top)
    own = both._replace(places=both.places[:n_before])
    return own, both._replace(places=both.places[code])


def association(
    first: Int32Array, n_first: int, second: Int32Array, n_second: int
) -> float:
    """Cramér's V of two columns of codes, corrected for the number of their values.

    Parameters
    ----------
    first : ndarray of int32, shape (n_records,), each in [0, n_first)
    second : ndarray of int32, shape (n_records,), each in [0, n_second)

    Returns
    -------
    float in [0, 1]
        1 if one column says the other, 0 if they go together as by chance, if one has
        fewer than two values, or as many as there are records.

    Notes
    -----
    Without a correction columns of many values go together by chance: V of 15,000
    dates and anything is near 1. As of other indices adjusted for chance (Hubert and
    Arabie 1985), what is expected if the values of a column are drawn anew from the
    same ones, E = (r − 1)(c − 1) / (n − 1), is taken off: sqrt((φ² − E) / (m − E)), m =
    min(r, c) − 1, φ² = χ² / n, r and c the values that occur. φ² = Σ O² / (R C) − 1
    needs only the cells that are not empty.

    References
    ----------
    .. [1] Cramér (1946), *Mathematical Methods of Statistics*, section 21.9.
    .. [2] Hubert and Arabie (1985), Comparing partitions. *Journal of Classification*
       2, 193-218.
    """
    return _association(first, n_first, second, n_second)[1]


def _association(
    first: Int32Array, n_first: int, second: Int32Array, n_second: int
) -> tuple[int, float]:
    """Pairs of values that occur, and the association."""
    n_records = len(first)
    by_first = np.bincount(first, minlength=n_first)
    by_second = np.bincount(second, minlength=n_second)
    key = first.astype(np.int64) * n_second + second
    if n_first * n_second <= DENSE_CELLS:
        counts = np.bincount(key, minlength=n_first * n_second)
        cells = np.flatnonzero(counts)
        counts = counts[cells]
    else:
        cells, counts = np.unique(key, return_counts=True)
    n_others = [int((each > 0).sum()) - 1 for each in (by_first, by_second)]
    most = min(n_others)
    if most < 1:
        return len(cells), 0.0
    # Multiplied as floats: the product of two margins can leave 63 bits.
    margins = by_first[cells // n_second].astype(np.float64)
    margins *= by_second[cells % n_second]
    phi = float((counts.astype(np.float64) ** 2 / margins).sum()) - 1
    by_chance = n_others[0] * n_others[1] / (n_records - 1)
    if phi <= by_chance or most <= by_chance:
        return len(cells), 0.0
    return len(cells), float(min(1.0, np.sqrt((phi - by_chance) / (most - by_chance))))


def association_matrix(
    columns: Sequence[Coded], *, monitor: Monitor = NULL_MONITOR
) -> FloatArray:
    """Cramér's V of every pair of columns.

    Parameters
    ----------
    columns : sequence of Coded
        All with the same records.

    Returns
    -------
    ndarray of float64, shape (n_columns, n_columns), each in [0, 1]
        Symmetric; 1 on the diagonal, but 0 for a column that has one value only.
    """
    size = len(columns)
    matrix = np.diag(
        [float(len(np.unique(e.codes[e.codes >= 0])) > 1) for e in columns]
    )
    pairs = [(a, b) for a in range(size) for b in range(a)]
    for done, (a, b) in enumerate(pairs):
        monitor.report(done / len(pairs), "associations")
        one, two = _of_both(columns[a], columns[b])
        matrix[a, b] = matrix[b, a] = association(
            one.codes, len(one.labels), two.codes, len(two.labels)
        )
    return matrix


def association_map(
    names: Sequence[str], matrix: FloatArray, before: FloatArray | None = None
) -> HeatMap:
    """Picture of how strongly columns go together.

    Parameters
    ----------
    matrix : ndarray of float64, shape (n, n), each in [0, 1]
        Symmetric associations, or absolute correlations.
    before : ndarray of float64, shape (n, n), optional
        The same of the input, if `matrix` is that of the release.
    """
    return HeatMap(
        Phrase("associations"),
        _association_sentence(names, matrix, before),
        tuple(
            name if tells else Phrase("one_value", {"name": name}).text()
            for name, tells in zip(names, np.diag(matrix) > 0, strict=True)
        ),
        tuple(names),
        matrix,
        Axis(Phrase("association"), AxisUnit.NUMBER),
        1.0,
    )


def _association_sentence(
    names: Sequence[str], matrix: FloatArray, before: FloatArray | None
) -> Phrase:
    if len(names) < 2:
        return Phrase("nothing_yet")
    above = np.triu_indices(len(names), 1)
    weight = matrix if before is None else np.abs(matrix - before)
    best = int(np.argmax(weight[above]))
    a, b = int(above[0][best]), int(above[1][best])
    params: dict[str, int | float | str] = {"first": names[a], "second": names[b]}
    if before is None:
        params["strength"] = float(matrix[a, b])
        return Phrase("associations_sentence", params)
    params |= {"before": float(before[a, b]), "after": float(matrix[a, b])}
    return Phrase("associations_changed", params)
