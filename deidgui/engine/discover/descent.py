"""By how much does the risk grow where one run of values is split?"""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array
from deidgui.engine.discover.kernels import Merged, evaluate
from deidgui.engine.discover.risk import RiskMeasure, memory_like, work_for


class Descent:
    """Evaluates policies that split one run of one attribute of a known policy.

    Only the classes of this run change: it takes a part of the time of a whole
    evaluation.
    """

    def __init__(self, measure: RiskMeasure) -> None:
        self._layout, self._gamma = measure.layout, measure.gamma
        self._space, self._start = measure.space, measure.start
        n_cells = len(self._start.cells)
        self._work = work_for(self._layout, n_cells, measure.n_keys)
        self._into = memory_like(self._start)
        self._sorted: dict[int, tuple[Int32Array, Merged]] = {}
        self._before = b""
        self._risks: dict[tuple[int, int], float] = {}

    def change(self, before: BoolArray, after: BoolArray) -> float:
        """By how much a step down changes the risk.

        Parameters
        ----------
        before : ndarray of bool, shape (n_bits,)
        after : ndarray of bool, shape (n_bits,), contiguous
            Splits one run of one attribute of `before`, into two or more.

        Returns
        -------
        float >= 0, but for rounding
        """
        key = before.tobytes()
        if key != self._before:
            self._before, self._risks = key, {}
        attribute, first, end = self._run(before, after)
        some = self._classes(attribute, first, end)
        if (attribute, first) not in self._risks:
            self._risks[attribute, first] = self._risk(before, some)
        return self._risk(after, some) - self._risks[attribute, first]

    def _run(self, before: BoolArray, after: BoolArray) -> tuple[int, int, int]:
        """Attribute, first value and end of the run that is split."""
        split = np.flatnonzero(before != after)
        attribute = int(self._space.attribute_of_bit[split[0]])
        bits = self._space.first_bit[attribute], self._space.first_bit[attribute + 1]
        left = np.flatnonzero(before[bits[0] : split[0]])
        right = np.flatnonzero(before[split[-1] : bits[1]])
        first = int(left[-1]) + 1 if len(left) else 0
        end = int(split[-1] + right[0] if len(right) else bits[1]) - int(bits[0]) + 1
        return attribute, first, end

    def _classes(self, attribute: int, first: int, end: int) -> Merged:
        """Combinations whose value of an attribute is in a run."""
        if attribute not in self._sorted:
            values = self._layout.values[:, attribute]
            order = np.argsort(values, kind="stable")
            cells, records, people = self._start
            of_order = Merged(cells[order], records[order], people[order])
            self._sorted[attribute] = values[order], of_order
        values, (cells, records, people) = self._sorted[attribute]
        ends = np.array([first, end]) + self._layout.first_value[attribute]
        low, high = np.searchsorted(values, ends).tolist()
        return Merged(cells[low:high], records[low:high], people[low:high])

    def _risk(self, bits: BoolArray, some: Merged) -> float:
        _, risk, _ = evaluate(
            bits,
            self._layout,
            self._work,
            some,
            len(some.cells),
            self._into,
            self._gamma,
            False,
        )
        return risk
