"""Is the commonest sensitive value of each class less common than the rare ones?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numba import njit

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.classes import Classes
from deidgui.engine.parameters import Help, Range, Unit
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    TOLERANCE,
    SensitiveAttribute,
)
from deidgui.engine.privacy.largest_parts import SensitiveModel


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class RecursiveCLDiversity(SensitiveModel):
    """The commonest value of each class occurs less than c times as often as the rest.

    With the records per value in descending order, r_1 < c (r_l + ... + r_m): even who
    can rule out l - 2 values is not left with a single likely one.

    Parameters
    ----------
    attribute : str
        The sensitive attribute; missing values count as one value.
    c : float, > 0
    diversity : int, in [2, 100000]
        The l of the literature.

    References
    ----------
    .. [1] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam (2007),
       *l-Diversity: Privacy Beyond k-Anonymity*, ACM TKDD 1(1), definition 4.2;
       methods.md B.5.
    """

    kind = "recursive_cl_diversity"
    title = "ℓ-diversity, recursive (c, ℓ)"
    sources = ("Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    attribute: SensitiveAttribute
    c: Annotated[
        float,
        Range(0, LARGEST_K, open_low=True),
        Help(
            "Factor",
            "How many times as common as the rarer values together the commonest "
            "one must stay below.",
        ),
    ]
    diversity: Annotated[
        int,
        Range(2, LARGEST_K),
        Unit("values"),
        Help("Different values", "The rarer values are counted from this one on."),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return (
            "Among records that look alike, the commonest value of "
            f"“{self.attribute}” occurs less than {self.c:.4g} times as often as the "
            f"values from number {self.diversity:,} on together."
        )

    @property
    def depth(self) -> int:
        """Different values, and so records, that every released class has at least."""
        return self.diversity

    def holds(self, classes: Classes) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        found = classes.distribution(self.attribute)
        entries = found.starts, found.counts, classes.counts
        return np.asarray(_meets(*entries, self._factor, self.diversity))

    @property
    def _factor(self) -> float:
        """Strict: what is equal must fail whatever the rounding of c."""
        return self.c * (1 - TOLERANCE)

    def most_released(self, classes: Classes) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        found = classes.distribution(self.attribute)
        entries = found.starts, found.counts, classes.counts
        fits = self.holds(classes)
        return np.asarray(_largest_parts(*entries, fits, self._factor, self.diversity))


@njit(cache=True, nogil=True)
def _meets(
    starts: IntArray, counts: IntArray, sizes: IntArray, factor: float, least: int
) -> BoolArray:
    """Whether r_1 < c (r_l + ... + r_m) and m >= l, keeping the l - 1 commonest."""
    found = np.zeros(len(sizes), np.bool_)
    commonest = np.empty(least, np.int64)
    for number in range(len(sizes)):
        if starts[number + 1] - starts[number] < least:
            continue
        commonest[:] = 0
        for entry in range(starts[number], starts[number + 1]):
            count, place = counts[entry], least - 1
            while place > 0 and commonest[place - 1] < count:
                commonest[place] = commonest[place - 1]
                place -= 1
            commonest[place] = count
        commonest[least - 1] = 0
        rare = sizes[number] - commonest.sum()
        found[number] = commonest[0] < factor * rare
    return found


@njit(cache=True, nogil=True)
def _largest_parts(
    starts: IntArray,
    counts: IntArray,
    sizes: IntArray,
    fits: BoolArray,
    factor: float,
    least: int,
) -> IntArray:
    """Most records of each class in a part that meets the model; exact.

    A part whose commonest value occurs h times is largest if all values are cut down
    to h records, and its rare ones are then commonest. Whether h < c (rare ones) can
    only turn from true to false as h grows: the part with the largest such h is the
    largest of all.
    """
    most = np.where(fits, sizes, 0)
    for number in range(len(sizes)):
        if fits[number] or starts[number + 1] - starts[number] < least:
            continue
        own = np.sort(counts[starts[number] : starts[number + 1]])
        rare = own[: len(own) - least + 1]
        low, high = np.int64(0), own[-1]
        while high - low > 1:
            height = (low + high) // 2
            if height < factor * _cut(rare, height):
                low = height
            else:
                high = height
        most[number] = _cut(own, low)
    return most


@njit(cache=True, nogil=True)
def _cut(counts: IntArray, height: np.int64) -> np.int64:
    """Records left of values cut down to a height."""
    n_cut = np.int64(0)
    for count in counts:
        n_cut += min(count, height)
    return n_cut
