"""Suppression of the classes with the fewest people until a risk is low enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.privacy.rounding import TOLERANCE


@dataclass(frozen=True, eq=False)
class SmallestPopulations:
    """Classes whose records are matched too surely, those with the fewest people first.

    Parameters
    ----------
    population : ndarray of float64, shape (n_classes,), ascending, each > 0
        Of the classes with fewer people than 1 / threshold.
    records : ndarray of int64, shape (n_classes,)
        Of the same classes; ascending where these have as many people.
    threshold : float in (0, 1]
    expected : float
        Σ f/F of all other classes: matches to be expected there.
    n_records : int
        Of all other classes.
    n_classes : int
        Number of the other classes.
    population_size : float
        Of all other classes.
    """

    population: FloatArray
    records: IntArray
    threshold: float
    expected: float
    n_records: int
    n_classes: int
    population_size: float

    @classmethod
    def of(
        cls, population: FloatArray, records: IntArray, threshold: float
    ) -> SmallestPopulations:
        """Sort classes that come in any order.

        Parameters
        ----------
        population : ndarray of float64, shape (n_classes,), each > 0
        records : ndarray of int64, shape (n_classes,), each >= 1
        threshold : float in (0, 1]
            Highest allowed mean of 1 / people.
        """
        allowed = threshold + TOLERANCE
        is_few = population * allowed < 1
        few, own = population[is_few], records[is_few]
        order = np.lexsort((own, few))
        others, rest = population[~is_few], records[~is_few]
        return cls(
            few[order],
            own[order],
            allowed,
            float((rest / others).sum()),
            int(rest.sum()),
            len(rest),
            float(others.sum()),
        )

    def n_for_records(self) -> int:
        """How many go until the mean of 1 / people over the records is low enough.

        Each that goes lowers the mean, which is low enough without all of them.
        """
        expected = from_each(self.records / self.population) + self.expected
        n_records = from_each(self.records) + self.n_records
        return int(np.count_nonzero(expected > self.threshold * n_records))

    def n_for_population(self) -> int:
        """How many go until (classes) / (people in them) is low enough."""
        n_classes = np.arange(len(self.population), 0, -1) + self.n_classes
        population_size = from_each(self.population) + self.population_size
        return int(np.count_nonzero(n_classes > self.threshold * population_size))

    def least_for_records(self) -> int:
        """Fewest records without which the mean over the others is low enough.

        Parts of classes may go: no set of classes has fewer.
        """
        excess = 1 / self.population - self.threshold
        rest = self.expected - self.threshold * self.n_records
        left = from_each(self.records * excess) + rest
        last = int(np.count_nonzero(left > 0)) - 1
        if last < 0:
            return 0
        part = left[last] / excess[last]
        return int(self.records[:last].sum() + np.ceil(part - 1e-6))

    def least_for_population(self) -> int:
        """Fewest records in classes without which there are people enough.

        As if the last of the classes that go could go in part: no set of classes
        has fewer records.
        """
        excess = 1 - self.threshold * self.population
        order = np.argsort(self.records / excess, kind="stable")
        rest = self.n_classes - self.threshold * self.population_size
        excess, records = excess[order], self.records[order]
        left = from_each(excess) + rest
        last = int(np.count_nonzero(left > 0)) - 1
        if last < 0:
            return 0
        part = records[last] * left[last] / excess[last]
        return int(records[:last].sum() + np.ceil(part - 1e-6))


def from_each(values: AnyArray) -> AnyArray:
    """Sum of each value and all after it."""
    return np.cumsum(values[::-1])[::-1]
