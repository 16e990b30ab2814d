"""The base classes of privacy models: by class, size, release, smallest classes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import AttributeOf, Declared, Help, Registry, Unreadable
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import (
        ClassTable,
        Distribution,
        EquivalenceClasses,
    )
    from deidgui.engine.privacy import kernels
else:
    kernels = LazyModule("deidgui.engine.privacy.kernels")


class PrivacyModel(Declared):
    """A condition that every release must meet; classes are suppressed until it does.

    Classes are suppressed as a whole. What a model judges is its type: each class by
    itself (`ClassModel`), by its size alone (`SizeModel`), or the release as a whole
    (`ReleaseModel`).

    Attributes
    ----------
    monotone_generalization : bool
        Whether a union of classes that meet the model meets it too. Then no
        generalization of a solution without suppressed records can fail.
    monotone_suppression : bool
        Whether the number of suppressed records never grows upwards. So it is if a
        class that meets the model still meets it after being merged with any other.
    needs_sensitive : bool
        Whether it has a parameter ``attribute`` that names a sensitive attribute.
    takes_sets : bool
        Whether the model means something where a person has several sensitive values.
    needs_population : bool
        Whether something must be known about the population.
    needs_counted_population : bool
        Whether the population must be counted, not estimated.
    sources : tuple of str
        Where the definition comes from.
    assumptions : tuple of str
        Codes of what must be true for the model to protect.
    vetted : bool
        Whether a second person has checked formula, code and tests.

    References
    ----------
    .. [1] methods.md B.1, B.2 and B.5.
    """

    monotone_generalization: ClassVar[bool]
    monotone_suppression: ClassVar[bool]
    needs_sensitive: ClassVar[bool] = False
    takes_sets: ClassVar[bool] = False
    needs_population: ClassVar[bool] = False
    needs_counted_population: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]]
    assumptions: ClassVar[tuple[str, ...]] = ()
    vetted: ClassVar[bool] = False

    @abstractmethod
    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""

    @abstractmethod
    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released, if all others that may be are.

        Returns
        -------
        ndarray of bool, shape (n_classes,)
        """

    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Which of some classes may be released, and no others.

        Parameters
        ----------
        classes : EquivalenceClasses
            All, with the ones that other models suppress.
        kept : ndarray of bool, shape (n_classes,)
            Those that other models allow.

        Returns
        -------
        ndarray of bool, shape (n_classes,)
            Some of `kept`, with the model met and as few suppressed for it as its
            rule allows. Which ones must not depend on the order of the classes.
        """
        return kept & self.holds(classes)

    def is_possible(self, classes: EquivalenceClasses) -> bool:
        """Whether suppressing records can help at all."""
        return True

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class that are released here or below.

        Lets a search leave out all less general nodes without looking at them.

        Parameters
        ----------
        classes : EquivalenceClasses
            Of one node.

        Returns
        -------
        ndarray of int64, shape (n_classes,), each in [0, size]
            An upper bound at this node and at every less general one, class by
            class; the smaller the better.
        """
        return classes.counts

    unites: ClassVar[bool] = False
    """Whether `most_between` tells more than `most_released`."""

    def most_between(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class that are released here or just below.

        Parameters
        ----------
        classes : EquivalenceClasses
            Of one node.

        Returns
        -------
        ndarray of int64, shape (n_classes,), each in [0, size]
            An upper bound at every less general node that is not less general than
            the classes that these were merged from: it releases them whole or not.
        """
        return self.most_released(classes)

    def smallest_class(self, classes: EquivalenceClasses) -> int:
        """Fewest records that a class can have to be released, at any node.

        Parameters
        ----------
        classes : EquivalenceClasses
            Of any node of the lattice.

        Returns
        -------
        int, >= 1
            A lower bound; the larger the better.
        """
        return 1

    def least_suppressed(self, classes: EquivalenceClasses) -> int:
        """Fewest records suppressed here and at every less general node.

        Parameters
        ----------
        classes : EquivalenceClasses
            Of one node.

        Returns
        -------
        int, in [0, n_records]
            A lower bound; the larger the better.
        """
        return int((classes.counts - self.most_released(classes)).sum())

    def check(self, class_table: ClassTable) -> None:
        """See that a table has what the model needs.

        Raises
        ------
        ConfigError
            Codes ``sensitive_missing`` (with the model's title) if it names no
            sensitive attribute of the table, ``sensitive_varies`` if people have
            several values and the model takes one of each, ``population_missing`` or
            ``population_not_counted``.
        InputError
            Code ``population_lacks_records``; if all records are in the population
            as they are, they are at every node.
        """
        if self.needs_sensitive:
            name = getattr(self, "attribute", "")
            if name not in class_table.sensitive:
                raise ConfigError("sensitive_missing", model=tr(self.title))
            if class_table.sensitive[name].is_of_sets and not self.takes_sets:
                title = tr(self.title)
                raise ConfigError("sensitive_varies", model=title, attribute=name)
        if self.needs_population:
            self._check_population(class_table)

    def _check_population(self, class_table: ClassTable) -> None:
        known = class_table.population
        if known is None:
            raise ConfigError("population_missing", model=tr(self.title))
        if self.needs_counted_population and not known.is_counted:
            raise ConfigError("population_not_counted", model=tr(self.title))
        class_table.people_alike()

    @property
    def needs_hierarchy(self) -> bool:
        """Whether the sensitive attribute must have a hierarchy."""
        return False

    @property
    def depth(self) -> int:
        """Size below which the model may suppress classes for their size."""
        return 1


class ClassModel(PrivacyModel):
    """A privacy model that judges each class by itself, whatever else is released."""

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`)."""
        if self.monotone_suppression:
            return np.where(self.holds(classes), classes.counts, 0)
        return np.where(classes.counts >= self.depth, classes.counts, 0)

    def smallest_class(self, classes: EquivalenceClasses) -> int:
        """Fewest records of a class (see `PrivacyModel.smallest_class`)."""
        return self.depth


class SizeModel(ClassModel):
    """A privacy model that asks for nothing but a smallest class size, its `depth`.

    The profile then answers for every node at once.
    """

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released (see `PrivacyModel.holds`)."""
        return np.asarray(classes.counts >= self.depth, dtype=np.bool_)


class ProcessModel(SizeModel):
    """A promise about how releases are made, not only about the one at hand.

    Nothing that is released may have been decided by looking at the data, and records
    must be counted as a whole.
    """

    @property
    @abstractmethod
    def most_sampled(self) -> float:
        """Highest probability with which a person may be among the records."""


class ReleaseModel(PrivacyModel):
    """A privacy model that judges the release as a whole.

    Classes are suppressed one at a time, in one order (see
    `deidgui.engine.privacy.prefixes`), until what remains meets it.
    """

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes remain if all others of them are suppressed."""
        return self.restrict(classes, np.ones(classes.n_classes, dtype=np.bool_))

    @abstractmethod
    def restrict(self, classes: EquivalenceClasses, kept: BoolArray) -> BoolArray:
        """Suppress the first classes that others allow, until the rest meets it."""


@dataclass(frozen=True, eq=False)
class Tiers:
    """Class sizes of some nodes: what is in the smallest classes.

    Parameters
    ----------
    n_classes : ndarray of int64, shape (n_nodes,)
        Classes when nothing is suppressed.
    ladder : ndarray of int64, shape (n_tiers,), ascending from 1
    records, classes : ndarray of int, shape (n_nodes, n_tiers)
        In classes smaller than each size of the ladder; those that other models
        suppress whatever their size count as smaller than 1.
    """

    n_records: int
    n_classes: IntArray
    ladder: IntArray
    records: AnyArray
    classes: AnyArray


@dataclass(frozen=True, eq=False)
class First:
    """Which classes go first at some nodes.

    Parameters
    ----------
    below : ndarray of int64, shape (n_nodes,), each >= 1
        All classes with fewer records go.
    extra : ndarray of int64, shape (n_nodes,), each >= 0
        So many classes of exactly that size go as well, but not all of them.
    """

    below: IntArray
    extra: IntArray

    def joined(self, other: First) -> First:
        """Return what goes if both ask for it."""
        is_more = (other.below > self.below) | (
            (other.below == self.below) & (other.extra > self.extra)
        )
        return First(
            np.where(is_more, other.below, self.below),
            np.where(is_more, other.extra, self.extra),
        )


class SizeOrderModel(ReleaseModel):
    """Judges the release by class sizes; the smallest classes go first.

    A profile then answers for every node at once. `restrict` says which ones of
    equally large classes go, which the sizes do not tell.
    """

    @abstractmethod
    def fails(
        self, n_classes: AnyArray, n_records: AnyArray, n_at_risk: AnyArray
    ) -> BoolArray:
        """Whether a release of so many classes and records is not good enough.

        Once it is good enough, it stays so if further small classes go.

        Parameters
        ----------
        n_classes, n_records : ndarray of int64
        n_at_risk : ndarray of int64
            Records in classes smaller than `depth`.
        """

    @property
    def ladder(self) -> range:
        """Sizes that `Tiers` must tell apart."""
        return range(1, self.depth + 1)

    def first_at(self, tiers: Tiers) -> First:
        """Fewest of the smallest classes that must go at every node.

        Parameters
        ----------
        tiers : Tiers
            Its ladder begins with all of `ladder`.
        """
        n_steps = self.depth
        n_classes = tiers.n_classes[:, None] - tiers.classes[:, :n_steps]
        n_records = tiers.n_records - tiers.records[:, :n_steps]
        n_at_risk = tiers.records[:, n_steps - 1, None] - tiers.records[:, :n_steps]
        fails = self.fails(n_classes, n_records, n_at_risk)
        n_failing = np.count_nonzero(fails, axis=1)
        rows, last = np.arange(len(fails)), np.maximum(n_failing - 1, 0)
        size = np.where(n_failing > 0, last + 1, 1)
        after = np.minimum(last + 1, n_steps - 1)
        most = tiers.classes[rows, after] - tiers.classes[rows, last]
        left = n_classes[rows, last], n_records[rows, last], n_at_risk[rows, last]
        extra = self._fewest(size, most.astype(np.int64), *left)
        extra = np.where(n_failing > 0, extra, 0)
        is_all = (n_failing > 0) & (extra == most)
        return First(np.where(is_all, size + 1, size), np.where(is_all, 0, extra))

    def _fewest(
        self,
        size: IntArray,
        most: IntArray,
        n_classes: AnyArray,
        n_records: AnyArray,
        n_at_risk: AnyArray,
    ) -> IntArray:
        """Fewest classes of one size that must go, at most all: by bisection."""
        low, high = np.zeros_like(most), most.copy()
        while (low < high).any():
            middle = (low + high) // 2
            gone = middle * size
            fails = self.fails(n_classes - middle, n_records - gone, n_at_risk - gone)
            low = np.where(fails & (low < high), middle + 1, low)
            high = np.where(fails, high, middle)
            high = np.maximum(low, high)
        return low


class SensitiveModel(ClassModel):
    """A model that judges each class by the values of one sensitive attribute.

    Attributes
    ----------
    attribute : str
        Name of the sensitive attribute.
    """

    needs_sensitive = True
    monotone_generalization = True
    monotone_suppression = False

    attribute: str

    def reference(self, classes: EquivalenceClasses) -> Distribution:
        """Values in the combinations of the whole table; keeps orders and trees."""
        return classes.class_table.sensitive[self.attribute]


class UnitingModel(SensitiveModel):
    """A model that is met exactly where no weighing of the values is exceeded.

    Then a single weighing that a class exceeds bounds what of it can be released.
    """

    unites = True

    @abstractmethod
    def excess(self, classes: EquivalenceClasses) -> FloatArray:
        """Weigh the values of each class that fails, so that it weighs more than 0.

        Returns
        -------
        ndarray of float64, shape (n_entries,)
            By entry of the classes' `Distribution`: what one record with the value
            weighs. The records of anything that meets the model and has no other
            values weigh 0 or less together. Zeros for classes that meet it.
        """

    def most_between(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_between`)."""
        if (merged := classes.merged_from) is None:
            return classes.counts
        finer, of_finer = merged
        found = classes.distribution(self.attribute)
        parts = finer.distribution(self.attribute)
        return np.asarray(
            kernels.largest_unions(
                found.starts,
                found.codes,
                classes.counts,
                self.excess(classes),
                len(found.totals),
                of_finer,
                parts.starts,
                parts.codes,
                parts.counts,
                finer.counts,
            )
        )


def least_size(threshold: float) -> int:
    """Smallest class size whose matching probability is at most `threshold`.

    Parameters
    ----------
    threshold : float in (0, 1]

    Returns
    -------
    int, >= 1
        k such that a record is at risk exactly if its class is smaller than k.

    References
    ----------
    .. [1] methods.md, 0. Definitions: k_τ = ⌈1/τ − 1e-9⌉.
    """
    return int(np.ceil(1 / threshold - 1e-9))


def least_removed(n_bad: int, n_records: int, share: float) -> int:
    """Fewest records to suppress until few enough of the others are bad.

    Parameters
    ----------
    n_bad : int, in [0, n_records]
    share : float, >= 0
        Highest allowed share of bad records among those that remain.

    Returns
    -------
    int, in [0, n_bad]
        Least x with n_bad - x <= share (n_records - x): bad ones are suppressed
        first.
    """
    if share >= 1:
        return 0
    return max(0, int(np.ceil((n_bad - share * n_records) / (1 - share) - 1e-9)))


SensitiveAttribute = Annotated[
    str,
    AttributeOf("sensitive"),
    Help("Sensitive attribute", "The column whose values must not be told."),
]
"""Type of the parameter ``attribute`` of models that protect one."""

LARGEST_K = 100_000
"""Class sizes and 1 / thresholds above this are refused: surely a mistake."""


class UnreadableModel(Unreadable, ClassModel):
    """A requirement that cannot be read: it lets nothing be released."""

    title = "Unreadable requirement"
    monotone_generalization = True
    monotone_suppression = True
    sources = ()

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr("Nothing is released under a requirement that cannot be read.")

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes may be released: none."""
        return np.zeros(classes.n_classes, np.bool_)

    def is_possible(self, classes: EquivalenceClasses) -> bool:
        """Whether suppressing records can help: it cannot."""
        return False

    def check(self, class_table: ClassTable) -> None:
        """Refuse every table.

        Raises
        ------
        ConfigError
            Why the model cannot be read.
        """
        raise self.problem


PRIVACY_MODELS: Registry[PrivacyModel] = Registry("privacy model", UnreadableModel)
"""The known privacy models by kind."""
