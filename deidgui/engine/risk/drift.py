"""How far the distribution of a column has moved between two releases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

FEW = 5
"""Labels that fewer records than this have in one of the releases are joined.

PRIVACY: the evidence of a release would state small counts of another one.
"""

MOST_REST = 0.1
"""Share of records with joined labels above which a column cannot be compared.

What moves among them is in no index: all of them may be others.
"""

LOOK, REDO = 0.1, 0.25
"""Above the first an expert looks, above the second the determination is made anew.

References
----------
.. [1] determination.md 3.3: a convention, of no regulator.
"""

_EMPTY = 0.5


@dataclass(frozen=True)
class Shift:
    """How a column was distributed before, and is now.

    Parameters
    ----------
    cells : mapping of str to (int, int)
        Records before and now, by label.
    rest : (int, int)
        Of all labels that are not told apart.
    """

    cells: Mapping[str, tuple[int, int]]
    rest: tuple[int, int]

    @property
    def stability(self) -> float:
        """Population stability index: see `stability_index`."""
        return stability_index([*self.cells.values(), self.rest])

    @property
    def totals(self) -> tuple[int, int]:
        """Records before and now."""
        pairs = [*self.cells.values(), self.rest]
        return sum(each[0] for each in pairs), sum(each[1] for each in pairs)

    @property
    def is_comparable(self) -> bool:
        """Whether labels that are told apart have enough of the records."""
        pairs = zip(self.rest, self.totals, strict=True)
        return all(rest <= MOST_REST * total for rest, total in pairs)


def stability_index(cells: list[tuple[int, int]]) -> float:
    """Population stability index, Σ (q - p)·ln(q / p).

    Parameters
    ----------
    cells : list of (int, int)
        Records before and now of each label.

    Returns
    -------
    float, >= 0
        0 if shares are the same, or if one of the releases is empty.

    Notes
    -----
    A label that one of the releases lacks counts there as half a record: its logarithm
    would be infinite, and joining it with others would hide that it is new.

    References
    ----------
    .. [1] determination.md 3.3, oracle O-H21.
    """
    n_before, n_now = (sum(each[side] for each in cells) for side in (0, 1))
    if not n_before or not n_now:
        return 0.0
    found = 0.0
    for before, now in cells:
        if before or now:
            p, q = max(before, _EMPTY) / n_before, max(now, _EMPTY) / n_now
            found += (q - p) * math.log(q / p)
    return found


def shift_of(
    before: Mapping[str, int], now: Mapping[str, int], others: tuple[int, int] = (0, 0)
) -> Shift:
    """Compare records by label, rare labels joined.

    Parameters
    ----------
    before, now : mapping of str to int
        Labels that a release tells one by one.
    others : (int, int)
        Records with any other label, before and now.

    Notes
    -----
    A label that one release tells and that may be among the others of the other one
    cannot be compared by itself, and joins the rest. So do the smallest others while
    few records of the earlier release are in the rest: they would be counted in it.
    """
    cells: dict[str, tuple[int, int]] = {}
    rest = list(others)
    for label in {**before, **now}:
        counts = (before.get(label, 0), now.get(label, 0))
        is_hidden = (label not in before and others[0] > 0) or (
            label not in now and others[1] > 0
        )
        if is_hidden or min(counts) < FEW:
            rest[0] += counts[0]
            rest[1] += counts[1]
        else:
            cells[label] = counts
    while cells and 0 < rest[0] < FEW:
        counts = cells.pop(min(cells, key=lambda label: (cells[label], label)))
        rest = [rest[0] + counts[0], rest[1] + counts[1]]
    return Shift(cells, (rest[0], rest[1]))
