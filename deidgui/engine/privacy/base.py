"""The base class of privacy models."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import AttributeOf, Declared, Help, Registry, Unreadable
from deidgui.errors import ConfigError
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import (
        ClassTable,
        Distribution,
        EquivalenceClasses,
    )


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
        n_leaves = [each.n_leaves for each in class_table.hierarchies]
        leaves = [np.arange(number, dtype=np.int32) for number in n_leaves]
        known.sizes(class_table.counts, class_table.leaves, leaves, n_leaves)

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
