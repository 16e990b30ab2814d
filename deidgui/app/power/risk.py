"""Risk of an adversary who knows any p of m attributes: every set, or blocks."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pydantic

from deidgui.app.classes import Classes
from deidgui.app.power.coverings import design_of
from deidgui.app.power.words import known_words
from deidgui.app.project import AttributesKnown
from deidgui.engine.arrays import AnyArray, Int32Array, IntArray
from deidgui.engine.covering.subsets import Combinations, SubsetRisks, risks_of
from deidgui.engine.evidence import document
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes
from deidgui.errors import ConfigError, DeidError, InputError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import per_cent, tr

MOST_SETS = 200_000
"""Sets of attributes that are measured one by one."""

USUAL_SETS = 500
"""The proposed block size is the smallest one with no more sets."""

LARGER_BLOCKS = 5
"""Block sizes beyond what is known that are offered."""

MOST_COMPARED = 100_000_000
"""Sets times rows up to which blocks of a size are measured to compare sizes."""

TRIED = 6
"""Sets that are measured to estimate the time of all."""

UNIQUE = 2
"""Without a threshold, records in smaller classes count: those that are unique."""


@dataclass(frozen=True)
class KnowledgeUnits:
    """What an adversary knows or does not know: attributes, and groups of them.

    Parameters
    ----------
    names : tuple of tuples of str
        Attributes of each unit; several that are known together are one.
    always : tuple of str
        Known in any case, besides.
    """

    names: tuple[tuple[str, ...], ...]
    always: tuple[str, ...]

    def named(self, members: Sequence[int]) -> tuple[str, ...]:
        """Return all attributes of some units, those always known first."""
        return (*self.always, *(name for at in members for name in self.names[at]))


def known_of(
    known: int,
    always: Sequence[str] = (),
    groups: Sequence[Sequence[str]] = (),
    block_size: int | None = None,
) -> AttributesKnown:
    """Return a decision.

    Raises
    ------
    InputError
        Code ``usage`` with what is wrong.
    """
    try:
        return AttributesKnown(
            known=known,
            always=tuple(always),
            groups=tuple(map(tuple, groups)),
            block_size=block_size,
        )
    except pydantic.ValidationError as error:
        found = error.errors()[0]
        problem = tr("The number of known attributes and block sizes are 1 to 64.")
        if not found["loc"]:
            words = str(found["ctx"]["error"])
            problem = f"{words[:1].upper()}{words[1:]}."
        raise InputError("usage", problem=problem) from None


def units_of(attributes: Sequence[str], known: AttributesKnown) -> KnowledgeUnits:
    """Return the units of a decision.

    Raises
    ------
    ConfigError
        Codes ``known_not_there``, ``known_attributes``.
    """
    for name in (*known.always, *itertools.chain.from_iterable(known.groups)):
        if name not in attributes:
            raise ConfigError("known_not_there", attribute=name)
    grouped = {name: group for group in known.groups for name in group}
    names: list[tuple[str, ...]] = []
    for name in attributes:
        unit = grouped.get(name, (name,))
        if name not in known.always and unit not in names:
            names.append(unit)
    if not known.known <= len(names):
        raise ConfigError(
            "known_attributes", n_known=known.known, n_attributes=len(names)
        )
    return KnowledgeUnits(tuple(names), known.always)


@dataclass(frozen=True, repr=False, eq=False)
class PowerTable:
    """Records by what their units say, for one policy or the data as they are.

    Parameters
    ----------
    table : Combinations
        A column for each unit, and one for what is always known if there is such.
    """

    units: KnowledgeUnits
    table: Combinations

    @property
    def n_records(self) -> int:
        """Records, or people where rows belong to people."""
        return int(self.table.counts.sum())

    def sets(self, members: IntArray) -> IntArray:
        """Add what is always known to sets of units."""
        if not self.units.always:
            return members
        last = np.full((len(members), 1), len(self.units.names), np.int64)
        return np.hstack([members, last])


def power_table(
    classes: Classes, policy: Policy | None, known: AttributesKnown
) -> PowerTable:
    """Return the records that a policy releases, or all of the data.

    Suppressed records show nothing, whatever is known: they are left out.

    Raises
    ------
    ConfigError
        Codes ``rows_vary``, ``power_of_nothing`` and those of `units_of`.
    """
    classes.check_rows_agree(tr("what an adversary may know of the attributes"))
    table = classes.class_table
    labels: AnyArray = table.leaves
    counts = table.counts
    if policy is not None:
        found = released_classes(table, policy)
        labels, counts = found.labels[~found.suppressed], found.kept_counts
    units = units_of(table.attributes, known)
    if not len(counts):
        raise ConfigError("power_of_nothing")
    place = {name: at for at, name in enumerate(table.attributes)}
    wanted = [*units.names, *([units.always] if units.always else [])]
    columns = [_joint(labels, [place[name] for name in unit]) for unit in wanted]
    codes = np.ascontiguousarray(np.stack(columns))
    return PowerTable(units, Combinations(codes, counts.astype(np.int64)))


def _joint(labels: AnyArray, places: Sequence[int]) -> Int32Array:
    """One code for what several attributes say together."""
    codes = np.zeros(len(labels), np.int64)
    for place in places:
        column = labels[:, place].astype(np.int64)
        pairs = codes * (int(column.max()) + 1) + column
        codes = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
    return codes.astype(np.int32)


@dataclass(frozen=True, repr=False, eq=False)
class PowerRisk:
    """The risk of every set of units, or of blocks that hold every set.

    Parameters
    ----------
    members : ndarray of int64, shape (n_sets, set size)
        Units of each set.
    at_least : SubsetRisks or None
        Of the sets inside the riskiest block: the true risk is no lower; None where
        every set was measured.
    size_at_risk : int
        Records in smaller classes are at risk.
    """

    known: AttributesKnown
    units: KnowledgeUnits
    members: IntArray
    risks: SubsetRisks
    at_least: SubsetRisks | None
    size_at_risk: int

    @property
    def is_exact(self) -> bool:
        """Whether every set was measured by itself."""
        return self.at_least is None

    @property
    def highest(self) -> float:
        """Highest risk of a record under any set, in (0, 1]."""
        return float(self.risks.highest.max())

    @property
    def average(self) -> float:
        """Highest average risk of any set, in (0, 1]."""
        return float(self.risks.average.max())

    @property
    def share_at_risk(self) -> float:
        """Highest share of records at risk of any set, in [0, 1]."""
        return float(self.risks.share_at_risk.max())

    @cached_property
    def order(self) -> IntArray:
        """Sets from the riskiest to the least."""
        return self.risks.order()

    def names(self, place: int) -> tuple[str, ...]:
        """Attributes of a set."""
        return self.units.named(self.members[place].tolist())


def sets_of(n_units: int, known: AttributesKnown) -> IntArray:
    """Return the sets of units to measure: all, or the blocks of a covering design.

    Raises
    ------
    ConfigError
        Codes ``known_attributes``, ``design_sizes``.
    ResourceError
        Code ``power_too_large`` for too many sets; as `design_of`.
    """
    p, k = known.known, known.block_size
    if p > n_units:
        raise ConfigError("known_attributes", n_known=p, n_attributes=n_units)
    if k is None or k == p:
        n_sets = math.comb(n_units, p)
        if n_sets > MOST_SETS:
            raise ResourceError("power_too_large", n_sets=n_sets, limit=MOST_SETS)
        every = itertools.combinations(range(n_units), p)
        return np.array(list(every), np.int64).reshape(-1, p)
    return design_of(n_units, k, p).points()


def measure_power(
    table: PowerTable,
    known: AttributesKnown,
    size_at_risk: int = UNIQUE,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PowerRisk:
    """Measure what an adversary learns who knows any few units.

    Parameters
    ----------
    size_at_risk : int, >= 1

    Raises
    ------
    ConfigError, ResourceError
        As `sets_of`.

    References
    ----------
    .. [1] methods.md C.2, C.3: a set inside a block is no riskier than the block.
    """
    members = sets_of(len(table.units.names), known)
    is_exact = members.shape[1] == known.known
    step = SubMonitor(monitor, 0.0, 1.0 if is_exact else 0.9)
    risks = risks_of(table.table, table.sets(members), size_at_risk, monitor=step)
    at_least = None
    if not is_exact:
        worst = members[int(risks.order()[0])].tolist()
        inside = list(itertools.combinations(worst, known.known))[:MOST_SETS]
        at_least = risks_of(
            table.table,
            table.sets(np.array(inside, np.int64)),
            size_at_risk,
            monitor=SubMonitor(monitor, 0.9, 1.0),
        )
    return PowerRisk(known, table.units, members, risks, at_least, size_at_risk)


@dataclass(frozen=True)
class BlockChoice:
    """One size of blocks that can be measured.

    Parameters
    ----------
    size : int
        Units of a block; as many as are known: every set.
    seconds : float
        Estimated from a few sets.
    is_usual : bool
        Whether it is proposed.
    share_at_risk : float in [0, 1] or None
        Highest share of records at risk of any set; None if that takes too long.
    over_estimate : float in [0, 1] or None
        By how much that is more than of the sets that are known; None if unknown.
    """

    size: int
    n_sets: int
    seconds: float
    is_usual: bool = False
    share_at_risk: float | None = None
    over_estimate: float | None = None


def block_choices(
    table: PowerTable,
    known: AttributesKnown,
    size_at_risk: int = UNIQUE,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[BlockChoice, ...]:
    """Return the sizes of blocks: their number, the time they take, what they add.

    How much too high a risk is that is measured by blocks is known where every set and
    the blocks are few enough to be measured here (`MOST_COMPARED`).

    Parameters
    ----------
    size_at_risk : int, >= 1
        As of `measure_power`.

    Raises
    ------
    ConfigError
        Code ``known_attributes``.
    """
    m, p = len(table.units.names), known.known
    found: list[BlockChoice] = []
    most = min(m, p + LARGER_BLOCKS)
    for size in range(p, most + 1):
        step = (size - p) / (most - p + 1), (size - p + 1) / (most - p + 1)
        part = SubMonitor(monitor, *step)
        part.report(0.0, "design")
        try:
            if size > p or math.comb(m, p) <= MOST_SETS:
                members = sets_of(m, known.but(block_size=size))
            n_sets = math.comb(m, p) if size == p else len(members)
        except DeidError:
            continue
        share = None
        if n_sets * len(table.table.counts) <= MOST_COMPARED:
            sets = table.sets(members)
            risks = risks_of(table.table, sets, size_at_risk, monitor=part)
            share = float(risks.share_at_risk.max())
        exact = share if size == p else found[0].share_at_risk if found else None
        over = None if share is None or exact is None else share - exact
        seconds = _seconds(table, size, n_sets)
        choice = BlockChoice(size, n_sets, seconds, False, share, over)
        found.append(choice)
    return tuple(_with_usual(found))


def _seconds(table: PowerTable, size: int, n_sets: int) -> float:
    """Estimate the time of all sets by that of a few, drawn evenly."""
    m = len(table.units.names)
    chance = np.random.default_rng(0)
    some = [np.sort(chance.permutation(m)[:size]) for _ in range(min(TRIED, n_sets))]
    members = table.sets(np.array(some, np.int64))
    risks_of(table.table, members[:1], UNIQUE)
    began = time.perf_counter()
    risks_of(table.table, members, UNIQUE)
    return (time.perf_counter() - began) / len(some) * n_sets


def _with_usual(found: Sequence[BlockChoice]) -> Iterator[BlockChoice]:
    """Mark the smallest size with few enough sets, else the one with fewest."""
    few = [each for each in found if each.n_sets <= USUAL_SETS]
    usual = few[0] if few else min(found, key=lambda each: each.n_sets, default=None)
    for each in found:
        yield replace(each, is_usual=each is usual)


def over_words(choice: BlockChoice) -> str:
    """Say by how much blocks of a size over-estimate the records at risk."""
    if choice.over_estimate is None:
        return tr("not measured")
    points = per_cent(choice.over_estimate, 3)
    return tr("exact") if not choice.over_estimate else f"+{points}"


def described_choice(choice: BlockChoice) -> dict[str, Any]:
    """Return a size of blocks as JSON values."""
    return {
        "size": choice.size,
        "sets": choice.n_sets,
        "seconds": choice.seconds,
        "usual": choice.is_usual,
        "share_at_risk": choice.share_at_risk,
        "over_estimate": choice.over_estimate,
        "over_estimate_words": over_words(choice),
    }


def power_words(found: PowerRisk) -> str:
    """Say who the adversary is, and how it was measured."""
    return known_words(
        found.known.known,
        len(found.units.names),
        found.units.always,
        len(found.members),
        None if found.is_exact else int(found.members.shape[1]),
    )


def size_at_risk(threshold: float | None) -> int:
    """Smallest class that is not at risk by a threshold; unique records without one."""
    return UNIQUE if threshold is None else math.ceil(1 / threshold - 1e-9)


def known_facts(found: PowerRisk) -> document.AttributesKnown:
    """Return what the evidence states."""
    return document.AttributesKnown(
        known=found.known.known,
        units=found.units.names,
        always=found.units.always,
        blocks=() if found.is_exact else tuple(map(tuple, found.members.tolist())),
        n_sets=len(found.members),
        size_at_risk=found.size_at_risk,
        highest=found.highest,
        average=found.average,
        share_at_risk=found.share_at_risk,
        riskiest=found.names(int(found.order[0])),
        words=power_words(found),
    )
