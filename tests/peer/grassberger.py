"""Why the peer suppresses more than entropy diversity by Grassberger's G asks for.

It adds n·G(n) value by value and gives up as soon as the sum exceeds f·(G(f) − ln l).
But G(1) = −γ − ln 2 is negative: values that occur once make the sum smaller again.
So its verdict depends on the order of the values in its hash table, which is followed
here: open addressing, linear probing, twice the size above three quarters.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.class_table import EquivalenceClasses
from tests.peer.tables import Data

Spec = Mapping[str, Any]


class Buckets:
    """Counts of values by number, in the order of the peer's hash table."""

    def __init__(self) -> None:
        self._slots: list[list[int] | None] = [None] * 8

    @property
    def counts(self) -> list[int]:
        """Counts in the order of the slots."""
        return [each[1] for each in self._slots if each is not None]

    def add(self, number: int) -> None:
        """Count a value."""
        place = self._place(number)
        entry = self._slots[place]
        if entry is not None:
            entry[1] += 1
            return
        self._slots[place] = [number, 1]
        if len(self.counts) > len(self._slots) * 3 // 4:
            old, self._slots = self._slots, [None] * (2 * len(self._slots))
            for each in old:
                if each is not None:
                    self._slots[self._place(each[0])] = each

    def _place(self, number: int) -> int:
        place = number % len(self._slots)
        while (entry := self._slots[place]) is not None and entry[0] != number:
            place = (place + 1) % len(self._slots)
        return place


def given_up(
    spec: Spec, case: Spec, data: Data, classes: EquivalenceClasses
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Classes that are given up at a node: in no order, in the peer's, in some order.

    Returns
    -------
    tuple of ndarray of bool, shape (n_classes,)
        In no order: those that are not diverse when all values are added.
    """
    rows, table = data.rows(case), classes.class_table
    places = [rows[0].index(each.attribute) for each in table.hierarchies]
    index = {tuple(row): at for at, row in enumerate(table.leaves.tolist())}
    sensitive = rows[0].index(spec["attribute"])
    numbers: dict[str, int] = {}
    buckets = [Buckets() for _ in range(classes.n_classes)]
    for row in rows[1:]:
        texts = zip(table.hierarchies, (row[place] for place in places), strict=True)
        at = classes.of_combination[index[tuple(h.index[t] for h, t in texts)]]
        buckets[at].add(numbers.setdefault(row[sensitive], len(numbers)))
    verdicts = [verdicts_on(each.counts, float(spec["l"])) for each in buckets]
    at_end, in_order, highest = np.array(verdicts, dtype=np.bool_).T
    return at_end, in_order, highest


def verdicts_on(counts: list[int], diversity: float) -> tuple[bool, bool, bool]:
    """Whether a class is given up: at the end, in this order, in the worst one.

    In the worst one the values that make the sum larger come first.
    """
    if len(counts) < np.ceil(diversity):
        return True, True, True
    total = sum(counts)
    room = total * (g(total) - np.log(diversity))
    steps = np.array([count * g(count) for count in counts])
    sums = np.cumsum(steps)
    worst = steps[steps > 0].sum()
    return bool(sums[-1] > room), bool((sums > room).any()), bool(worst > room)


def g(number: int) -> float:
    """G(2m) = G(2m + 1) = −γ − ln 2 + Σ 2 / (2k − 1), k up to m (methods.md B.5)."""
    odd = 2 * np.arange(1, number // 2 + 1) - 1
    return float(-np.euler_gamma - np.log(2) + (2 / odd).sum())
