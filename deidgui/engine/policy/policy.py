"""What a release does to each value and to each record, whatever found it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.classes import Classes, merge_combinations
from deidgui.engine.data.hierarchy import SUPPRESSED, Hierarchy
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.withholding import released
from deidgui.errors import ConfigError, DeidError, raise_all


@dataclass(frozen=True, repr=False, eq=False)
class AttributeMap:
    """The released label of every leaf of one quasi-identifier.

    Parameters
    ----------
    hierarchy : Hierarchy
        Names the attribute and its leaves.
    labels : tuple of str
        Released texts.
    groups : ndarray of int32, shape (n_leaves,), each in [0, len(labels))
        Label of each leaf.
    level : int or None
        Level of the hierarchy, if the map is one.
    """

    hierarchy: Hierarchy
    labels: tuple[str, ...]
    groups: Int32Array
    level: int | None = None

    @property
    def attribute(self) -> str:
        """Name of the quasi-identifier."""
        return self.hierarchy.attribute

    @property
    def is_kept(self) -> bool:
        """Whether every value is released as it is."""
        return len(self.labels) == self.hierarchy.n_leaves

    @property
    def is_removed(self) -> bool:
        """Whether nothing of the attribute is released."""
        return self.labels == (SUPPRESSED,)


@dataclass(frozen=True, repr=False, eq=False)
class Policy:
    """A map per quasi-identifier and the rule that withholds records.

    Parameters
    ----------
    kind : str
        "lattice" for full-domain generalization.
    maps : tuple of AttributeMap
        One per quasi-identifier, in column order.
    withhold_below : int, >= 1
        Records in classes with fewer members are withheld; 1 withholds none.
    origin : str
        What found it: "profile", "chosen", ...
    conditions : tuple of PrivacyModel
        Privacy models for which records are withheld besides (see
        `deidgui.engine.privacy.withholding.conditions_of`).
    """

    kind: str
    maps: tuple[AttributeMap, ...]
    withhold_below: int
    origin: str = ""
    conditions: tuple[PrivacyModel, ...] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        return tuple(each.attribute for each in self.maps)

    @property
    def levels(self) -> dict[str, int]:
        """Level by quasi-identifier (for lattice nodes)."""
        return {m.attribute: m.level for m in self.maps if m.level is not None}


@dataclass(frozen=True, repr=False, eq=False)
class ReleasedClasses:
    """Classes of records after a policy, the withheld ones included and marked.

    Parameters
    ----------
    labels : ndarray of int32, shape (n_classes, n_attributes)
        Label number of each attribute (see `AttributeMap.labels`).
    counts : ndarray of int64, shape (n_classes,)
        Records per class.
    withheld : ndarray of bool, shape (n_classes,)
    of_combination : ndarray of int64, shape (n_combinations,)
        Class of each row of the class table.
    """

    labels: Int32Array
    counts: IntArray
    withheld: BoolArray
    of_combination: IntArray = field(repr=False)

    @property
    def kept_counts(self) -> IntArray:
        """Sizes of the classes that are released."""
        return self.counts[~self.withheld]

    @property
    def n_withheld(self) -> int:
        """Number of withheld records."""
        return int(self.counts[self.withheld].sum())


def lattice_policy(
    hierarchies: Sequence[Hierarchy],
    levels: Mapping[str, int],
    withhold_below: int,
    origin: str = "",
    conditions: Sequence[PrivacyModel] = (),
) -> Policy:
    """Return the policy of one node of the full-domain generalization lattice.

    Parameters
    ----------
    hierarchies : sequence of Hierarchy
        The quasi-identifiers in column order.
    levels : mapping of str to int
        A level for each of them, and for nothing else.
    withhold_below : int, >= 1
    origin : str, optional
    conditions : sequence of PrivacyModel, optional
        Models that are not by size (see `Policy`).

    Returns
    -------
    Policy

    Raises
    ------
    ConfigError
        Codes ``level_missing``, ``level_unknown_attribute`` or
        ``level_out_of_range``, all together.
    """
    problems = _level_problems(hierarchies, levels)
    raise_all(problems)
    maps = tuple(
        AttributeMap(
            hierarchy,
            hierarchy.levels[levels[hierarchy.attribute]].labels,
            hierarchy.levels[levels[hierarchy.attribute]].groups,
            levels[hierarchy.attribute],
        )
        for hierarchy in hierarchies
    )
    return Policy("lattice", maps, withhold_below, origin, tuple(conditions))


def _level_problems(
    hierarchies: Sequence[Hierarchy], levels: Mapping[str, int]
) -> list[ConfigError]:
    known = {hierarchy.attribute: hierarchy.height for hierarchy in hierarchies}
    problems = [
        ConfigError("level_unknown_attribute", attribute=name)
        for name in levels
        if name not in known
    ]
    for name, height in known.items():
        if name not in levels:
            problems.append(ConfigError("level_missing", attribute=name))
        elif not 0 <= levels[name] <= height:
            problems.append(
                ConfigError(
                    "level_out_of_range", attribute=name, found=levels[name], top=height
                )
            )
    return problems


def released_classes(class_table: ClassTable, policy: Policy) -> ReleasedClasses:
    """Group the combinations of a class table as a policy releases them.

    Parameters
    ----------
    class_table : ClassTable
    policy : Policy
        For the same quasi-identifiers in the same order.

    Returns
    -------
    ReleasedClasses
        Classes in lexicographic order of their labels.

    Raises
    ------
    ConfigError
        Codes ``sensitive_missing``, ``population_missing`` or
        ``population_not_counted`` if the class table lacks what a condition of
        the policy needs.
    """
    assert policy.attributes == class_table.attributes
    labels, counts, of_combination = merge_combinations(
        class_table,
        [each.groups for each in policy.maps],
        [len(each.labels) for each in policy.maps],
    )
    kept = counts >= policy.withhold_below
    if policy.conditions:
        raise_all(_lacking(class_table, policy.conditions))
        levels = tuple(policy.levels[name] for name in policy.attributes)
        classes = Classes(class_table, levels, labels, counts, of_combination)
        kept = released(policy.conditions, classes, kept)
    return ReleasedClasses(labels, counts, ~kept, of_combination)


def _lacking(
    class_table: ClassTable, models: Sequence[PrivacyModel]
) -> list[DeidError]:
    problems: list[DeidError] = []
    for model in models:
        try:
            model.check(class_table)
        except ConfigError as problem:
            problems.append(problem)
    return problems
