"""Computes quality measures from a release alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.evidence.document import Attribute
from deidgui.engine.evidence.tally import STAR, MappedLabels, Tally


@dataclass(frozen=True, eq=False)
class ReadBack:
    """What the files say about the quasi-identifiers.

    Parameters
    ----------
    tally : Tally
        Suppressed records taken out of the classes.
    attributes : sequence of Attribute
        Quasi-identifiers in the order of the tally.
    mapped : mapping of str to MappedLabels
        By name of the attribute.
    n_records : int
        Of the input, suppressed ones included.
    """

    tally: Tally
    attributes: Sequence[Attribute]
    mapped: Mapping[str, MappedLabels]
    n_records: int

    @cached_property
    def n_suppressed(self) -> int:
        """Records of the input without a released class."""
        return self.n_records - int(self.tally.sizes().sum())

    @cached_property
    def n_leaves(self) -> IntArray:
        """Values of each hierarchy."""
        return np.array([self.mapped[each.name].n_values for each in self.attributes])

    @cached_property
    def weights(self) -> FloatArray:
        """Attribute weights with 1 as the largest."""
        given = np.array(
            [1.0 if a.weight is None else a.weight for a in self.attributes]
        )
        return np.asarray(given / given.max()) if given.max() > 0 else given

    @cached_property
    def steps(self) -> FloatArray | None:
        """Level over height of each attribute; None if some label has no level."""
        levels = self.levels
        if levels is None:
            return None
        return levels / [max(each.height or 0, 1) for each in self.attributes]

    @cached_property
    def levels(self) -> FloatArray | None:
        """Mean level of each attribute; None if some label has none.

        A suppressed cell is at the highest level.
        """
        found = []
        n = int(self.tally.sizes().sum())
        for place, each in enumerate(self.attributes):
            if each.level is None:
                return None
            labels = self.tally.labels(self.tally.quasi_identifiers[place])
            hidden = 0
            if STAR not in self.mapped[each.name].values:
                counts = self.tally.code_counts(place, len(labels))
                hidden = int(counts[labels.index(STAR)])
            more = (each.height or 0) - each.level
            found.append(each.level + more * hidden / max(n, 1))
        return np.array(found)

    @cached_property
    def is_ambiguous(self) -> bool:
        """Whether a label does not tell how many values are behind it."""
        return any(self.mapped[each.name].is_ambiguous for each in self.attributes)

    def values_behind(self, place: int) -> list[int]:
        """Hierarchy values behind each label, by its code in the tally."""
        mapped = self.mapped[self.attributes[place].name]
        labels = self.tally.labels(self.tally.quasi_identifiers[place])
        # A star that no mapping knows is left over from suppressed records; one that
        # it knows may be a value of the file, not all of them.
        return [mapped.values.get(label, mapped.n_values) for label in labels]

    def released_shares(self) -> FloatArray:
        """Over the released records, the share of the hierarchy a label covers."""
        found = []
        for place in range(len(self.attributes)):
            behind = np.array(self.values_behind(place))
            counts = self.tally.code_counts(place, len(behind))
            found.append(int(behind @ counts) / self.n_leaves[place])
        return np.array(found)


def balance(params: Mapping[str, Any]) -> tuple[float, float] | None:
    """Factors of generalized and of suppressed records (methods.md B.4).

    None if the evidence does not tell the balance of the measure.
    """
    given = params.get("gs_factor")
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    if not 0 <= given <= 1:
        return None
    return (
        1.0 if given <= 0.5 else 1 - 2 * (given - 0.5),
        2 * given if given < 0.5 else 1.0,
    )


def _loss(read: ReadBack, params: Mapping[str, Any]) -> FloatArray | None:
    factors = balance(params)
    if factors is None or (factors[1] != 1 and read.n_suppressed) or read.is_ambiguous:
        return None  # would need the generalized values of suppressed records
    if not read.n_leaves.all():
        return None  # a mapping that says that a hierarchy has no values
    least = factors[0] * read.n_records / read.n_leaves
    most = np.where(read.n_records - least > 0, read.n_records - least, 1.0)
    raw = factors[0] * read.released_shares() + read.n_suppressed
    return np.asarray(np.maximum(0.0, (raw - least) / most))


def _precision(read: ReadBack, params: Mapping[str, Any]) -> FloatArray | None:
    factors = balance(params)
    if factors is None or read.steps is None:
        return None
    gone = read.n_suppressed / read.n_records
    return np.asarray((1 - gone) * factors[0] * read.steps + gone * factors[1])


def _steps(read: ReadBack, params: Mapping[str, Any]) -> FloatArray | None:
    factors = balance(params)
    if factors is None or read.steps is None:
        return None
    return np.asarray(factors[0] * read.steps)


def _height(read: ReadBack, _params: Mapping[str, Any]) -> FloatArray | None:
    return read.levels


def _discernibility(read: ReadBack, _params: Mapping[str, Any]) -> FloatArray | None:
    sizes = read.tally.sizes()
    return np.array([float(sizes @ sizes + read.n_records * read.n_suppressed)])


def _squares(read: ReadBack, _params: Mapping[str, Any]) -> FloatArray | None:
    if read.n_suppressed:
        return None  # nobody tells the sizes of suppressed classes
    sizes = read.tally.sizes()
    return np.array([float(sizes @ sizes)])


def _average_size(read: ReadBack, params: Mapping[str, Any]) -> FloatArray | None:
    factors = balance(params)
    if factors is None:
        return None
    groups = factors[1] * len(read.tally.classes) + factors[0] * (read.n_suppressed > 0)
    return np.array([read.n_records / groups]) if groups > 0 else None


def _normalized_size(read: ReadBack, params: Mapping[str, Any]) -> FloatArray | None:
    size, k = _average_size(read, params), params.get("k")
    if (
        size is None
        or isinstance(k, bool)
        or not isinstance(k, int)
        or not 0 < k < 10**12
    ):
        return None
    return np.asarray(size / k)


def _ambiguity(read: ReadBack, _params: Mapping[str, Any]) -> FloatArray | None:
    if read.tally.n_unknown or read.is_ambiguous:
        return None  # nobody tells how many values are behind such a label
    behind = [read.values_behind(place) for place in range(len(read.attributes))]
    codes = read.tally.coded()
    covered = np.ones(len(codes))
    with np.errstate(over="ignore"):
        for place, each in enumerate(behind):
            covered *= np.array(each, np.float64)[codes[:, place]]
        total = math.prod(map(float, read.n_leaves)) * read.n_suppressed
        total += float((covered * read.tally.sizes()).sum())
    return np.array([total])


MEASURES: dict[str, Callable[[ReadBack, Mapping[str, Any]], FloatArray | None]] = {
    "loss": _loss,
    "precision": _precision,
    "monotone_precision": _steps,
    "height": _height,
    "discernibility": _discernibility,
    "monotone_discernibility": _squares,
    "average_class_size": _average_size,
    "normalized_average_class_size": _normalized_size,
    "ambiguity": _ambiguity,
}
"""Measures that the files determine. Entropies and divergences need the counts of
original values, which no release tells."""


LEVEL_MEASURES = frozenset({"precision", "monotone_precision", "height"})
"""Measures of the levels at which attributes are released."""


def joined(values: FloatArray, weights: FloatArray, aggregate: str) -> float | None:
    """Join values by attribute into one (methods.md B.4), None if not known how."""
    weighted = values * weights
    match aggregate:
        case "sum":
            return float(weighted.sum())
        case "arithmetic_mean":
            return float(weighted.mean())
        case "geometric_mean":
            return float(math.exp(np.log1p(weighted).mean()) - 1)
        case "maximum":
            return float(weighted.max())
        case _:
            return None
