"""The k-anonymity by any few quasi-identifiers, for who knows no more of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray
from deidgui.engine.parameters import Help, Proposed, Range, Unit
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, ReleaseModel
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data import refining
    from deidgui.engine.data.class_table import ClassTable, EquivalenceClasses
else:
    # PERF: see `deidgui.lazy`; compiled code.
    refining = LazyModule("deidgui.engine.data.refining")

MOST_SETS = 25_000
"""Sets of attributes that are looked at for every policy."""


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class KnownAttributes(ReleaseModel):
    """By any few quasi-identifiers, every record looks like at least k - 1 others.

    Parameters
    ----------
    known : int, in [1, 64]
        So many quasi-identifiers are known, and nobody knows which; with fewer there,
        all of them.
    k : int, in [2, 100000]

    Notes
    -----
    Suppressed are all records in too small classes by any set of attributes, and again
    those that are now, until there are none. What remains is the largest release that
    meets the model: of two that do, both together do too.

    So nobody who is suppressed at a node is released at a less general one, where
    classes are parts of these.

    References
    ----------
    .. [1] K. El Emam, L. Arbuckle (2013), *Anonymizing Health Data*, chapter 7 (the
       power of an adversary); methods.md C.2.
    """

    kind = "known_attributes"
    title = "k-anonymity by few attributes"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("El Emam and Arbuckle 2013",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    known: Annotated[
        int,
        Range(1, 64),
        Proposed(3),
        Unit("quasi-identifiers"),
        Help(
            "Known quasi-identifiers",
            "How many quasi-identifiers of a person somebody knows at most.",
        ),
    ]
    k: Annotated[
        int,
        Range(2, LARGEST_K),
        Proposed(5),
        Unit("alike"),
        Help("Smallest group", "How many must look alike at least."),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "By any {known:quasi-identifier|quasi-identifiers}, every released record "
            "looks like at least {k:other|others}.",
            known=self.known,
            k=self.k - 1,
        )

    @property
    def depth(self) -> int:
        """Classes of k records and more are never suppressed."""
        return self.k

    def is_possible(self, classes: EquivalenceClasses) -> bool:
        """Whether it can be judged: a person has one value of each attribute."""
        return not classes.class_table.varying

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes remain (see `PrivacyModel.holds`)."""
        if self not in classes.memory:
            everything = np.ones(classes.n_classes, np.bool_)
            classes.memory[self] = self.restrict(classes, everything)
        found: BoolArray = classes.memory[self].copy()
        return found

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress until no class by any set is too small (see `PrivacyModel`)."""
        if not self.is_possible(classes):
            return np.zeros(classes.n_classes, np.bool_)
        counts, kept = classes.counts, kept.copy()
        codes: AnyArray = np.ascontiguousarray(classes.groups.T)
        if not codes.size:
            return kept
        sizes = codes.max(axis=1).astype(np.int64) + 1
        sets = _sets(len(codes), self.known)
        is_small = np.zeros(len(kept), np.bool_)
        # A class of all attributes that is large enough is part of larger ones.
        while (counts[kept] < self.k).any():
            rows = np.flatnonzero(kept).astype(np.int32)
            refining.mark_small(codes, sizes, counts, rows, sets, self.k, is_small)
            if not (kept & is_small).any():
                break
            kept &= ~is_small
        return kept

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class: none of those that are suppressed here."""
        return np.where(self.holds(classes), classes.counts, 0)

    def check(self, class_table: ClassTable) -> None:
        """See that a table has what the model needs.

        Raises
        ------
        ConfigError
            Codes ``rows_vary`` and ``known_too_many``.
        """
        super().check(class_table)
        if class_table.varying:
            names = ", ".join(class_table.varying)
            raise ConfigError("rows_vary", attributes=names, method=tr(self.title))
        m = len(class_table.attributes)
        n_sets = math.comb(m, min(self.known, m))
        if n_sets > MOST_SETS:
            raise ConfigError("known_too_many", n_sets=n_sets, limit=MOST_SETS)


def _sets(n_attributes: int, known: int) -> IntArray:
    """All sets of so many attributes: int64, (n_sets, size)."""
    every = itertools.combinations(range(n_attributes), min(known, n_attributes))
    return np.array(list(every), np.int64)
