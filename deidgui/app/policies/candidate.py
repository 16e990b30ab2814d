"""The types that describe one policy among several, whatever source found it."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, Literal

import numpy as np

from deidgui.app.project import Chosen
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.policy import AttributeMap, Policy
from deidgui.engine.policy.words import phrases, sentence
from deidgui.engine.quality.all_measures import MeasureLoss
from deidgui.text import tr

Effect = Literal["kept", "generalized", "joined", "removed"]

EFFECT_OF_PHRASE: dict[str, Effect] = {"kept": "kept", "removed": "removed"}

NOTHING_RELEASED = ("nothing",)
"""Table key of all policies that suppress every record."""


class CandidateState(enum.Enum):
    """Whether a policy is acceptable under the decisions that it was found with."""

    MEETS = "meets"
    FAILS = "fails"
    UNCHECKED = "unchecked"


class Proven(enum.Enum):
    """What is proven about a policy.

    BEST: no policy of the lattice loses less and meets the thresholds. MINIMAL: every
    less general policy of the lattice fails. RISK_MINIMAL: every more specific policy
    exceeds the acceptable risk.
    """

    BEST = "best"
    MINIMAL = "minimal"
    RISK_MINIMAL = "risk_minimal"


@dataclass(frozen=True)
class Cell:
    """What a policy does to one attribute: a cell of the matrix of policies.

    Parameters
    ----------
    effect : {"kept", "generalized", "joined", "removed"}
    text : str
        Words for what is released: "bands of 5", "kept in full".
    level : int or None
        Level of the hierarchy, where all values are released at one.
    height : int
        Most general level of the hierarchy.
    groups : tuple of int
        Of joined values: number of the group of each value, in their order, so that
        equal neighbours are joined; empty otherwise.
    values : tuple of str
        The values that `groups` is about.
    """

    attribute: str
    effect: Effect
    # PRIVACY: labels and values of the user's table; never in logs or traces.
    text: str = field(repr=False)
    level: int | None
    height: int
    groups: tuple[int, ...] = field(default=(), repr=False)
    values: tuple[str, ...] = field(default=(), repr=False)


def cells_of(policy: Policy) -> tuple[Cell, ...]:
    """Return what a policy does to each quasi-identifier, those of its first round."""
    return tuple(
        _cell(each, EFFECT_OF_PHRASE.get(phrase.effect), phrase.text)
        for each, phrase in zip(policy.maps, phrases(policy), strict=True)
    )


def _cell(each: AttributeMap, effect: Effect | None, text: str) -> Cell:
    groups: tuple[int, ...] = ()
    values: tuple[str, ...] = ()
    if each.joined is not None:
        apart = np.array([bit == "1" for bit in each.joined.bits], np.int64)
        groups = (0, *np.cumsum(apart).tolist())
        values = each.joined.values
    coarser: Effect = "generalized" if each.level is not None else "joined"
    hierarchy, level = each.hierarchy, each.level
    return Cell(
        each.attribute,
        effect or coarser,
        text,
        level,
        hierarchy.height,
        groups,
        values,
    )


@dataclass(frozen=True)
class Figures:
    """What is known about a policy in numbers; None where it is unknown.

    Parameters
    ----------
    n_suppressed : int or None
        Records of which anything is suppressed: all of it, or single cells.
    highest_risk, average_risk : float in [0, 1] or None
        Re-identification risk of the prosecutor, of the released records; 0 if nothing
        is released.
    loss : float or None
        By the measure that guides the search.
    is_exact : bool
        Whether the loss is more than a lower bound.
    highest_is_exact : bool
        Whether the highest risk is less than an upper bound.
    population_risk : float or None
        Sum of 1 / g^γ over the released records, g being the people of the population
        that look alike; with γ = 1 the expected correct links.
    n_riskier : int or None
        Records with a higher risk in the population than under the baseline.
    added_risk : float in [0, 1] or None
        By how much the risk of a record is higher than under the baseline, at most.
    added_sum : float or None
        The same, added up over all records with a higher risk.
    n_holding : int or None
        In how many of `N_POPULATIONS` perturbed populations it stays at or below the
        baseline.
    cautious_risk : float or None
        As `population_risk`, over all records: g is at least the number of records
        released alike, also where the population has nobody.
    share_at_risk : float in [0, 1] or None
        Share of the people whom too few match, by what is known of their events: a
        count or an estimate, between `share_at_risk_low` and `share_at_risk_high`
        with 99.9 % confidence.
    events_loss : float in [0, 1] or None
        Non-uniform entropy of the values of people and of the values of their events.
    """

    n_suppressed: int | None = None
    highest_risk: float | None = None
    average_risk: float | None = None
    loss: float | None = None
    is_exact: bool = True
    highest_is_exact: bool = True
    population_risk: float | None = None
    n_riskier: int | None = None
    added_risk: float | None = None
    added_sum: float | None = None
    n_holding: int | None = None
    cautious_risk: float | None = None
    share_at_risk: float | None = None
    share_at_risk_low: float | None = None
    share_at_risk_high: float | None = None
    events_loss: float | None = None


def n_whole(policy: Policy, figures: Figures) -> int:
    """Count the records that a policy suppresses as a whole."""
    n_partly = policy.cells.n_records if policy.cells is not None else 0
    return (figures.n_suppressed or 0) - n_partly


@dataclass(frozen=True, eq=False)
class Measures:
    """Every figure of one policy, computed on request.

    Parameters
    ----------
    losses : tuple of MeasureLoss
        Under every quality measure, the guiding one first.
    """

    figures: Figures
    losses: tuple[MeasureLoss, ...]


@dataclass(frozen=True)
class Proof:
    """How a source looked for policies, and what is proven about all of them.

    Parameters
    ----------
    n_policies : int or None
        Policies that there are; None if nobody counts them.
    n_examined : int
        Policies that were looked at.
    is_complete : bool
        Whether the search came to its end; then its best policy is proven if the
        method proves one.
    gap : float in [0, 1] or None
        By which share of its loss the best policy could still be bettered; 0 if it is
        proven to be the best, None if nothing is known.
    """

    method: str
    n_policies: int | None
    n_examined: int
    is_complete: bool
    gap: float | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Candidate:
    """One policy that a person can choose, with all that is known about it.

    Parameters
    ----------
    number : int
        Place in its set; another one in a later set.
    sources : tuple of str
        Kinds of the sources that found it, the one that names it first.
    chosen : Chosen
        Its identity: how a project stores it.
    rank : int or None
        Place among the policies of its set that meet their thresholds, from 1.
    n_records : int
        Records before suppression.
    n_later : int
        Records that a later round of local recoding releases.
    by_person : bool
        Whether these records are people, each with one or more rows.
    riskier : str
        Which values the records have that are easier to find than under the baseline;
        "" where there are none, or nothing is known.
    """

    number: int
    sources: tuple[str, ...]
    chosen: Chosen
    policy: Policy
    figures: Figures
    state: CandidateState
    rank: int | None
    proven: frozenset[Proven]
    n_records: int
    n_later: int = 0
    by_person: bool = False
    riskier: str = ""

    def __repr__(self) -> str:
        return f"<Candidate {self.number} of {'/'.join(self.sources)}>"

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """What it does to each quasi-identifier, in column order."""
        return cells_of(self.policy)

    def words(self) -> str:
        """Say in one line all that it does."""
        return sentence(
            self.policy,
            n_whole(self.policy, self.figures),
            self.n_records,
            self.n_later,
            of_people=self.by_person,
        )

    def short_words(self) -> str:
        """Say in one line what is released, what is coarser first."""
        return short_words(self.cells)


def short_words(cells: Sequence[Cell]) -> str:
    """Say in one line what is released, what is coarser first."""
    coarser = [
        f"{cell.attribute}: {cell.text}"
        for cell in cells
        if cell.effect in ("generalized", "joined")
    ]
    parts = ["; ".join(coarser)] if coarser else []
    for effect, words in (("kept", tr("in full")), ("removed", tr("removed"))):
        names = [cell.attribute for cell in cells if cell.effect == effect]
        parts += [f"{words}: {', '.join(names)}"] if names else []
    return "; ".join(parts)


def differing_words(cells: Sequence[Cell], before: Sequence[Cell] | None) -> str:
    """Say what is released by what differs from a policy that stands above it.

    Where most differs, or nothing stands above, it is said as a whole.
    """
    if before is None:
        return short_words(cells)
    others = [cell for cell, old in zip(cells, before, strict=True) if cell != old]
    if not others:
        return tr("As above.")
    if 2 * len(others) > len(cells):
        return short_words(cells)
    return tr("As above, but {changes}", changes=short_words(others))


# Which policies release the same table


def occurring_leaves(class_table: ClassTable) -> tuple[IntArray, ...]:
    """Leaves that any record has, by attribute: int64, ascending."""
    found = [np.unique(column).astype(np.int64) for column in class_table.leaves.T]
    varying = class_table.units.varying if class_table.units else None
    if varying is not None:
        for place, leaves in zip(varying.places, varying.leaves.T, strict=True):
            found[place] = np.unique(leaves[leaves >= 0]).astype(np.int64)
    return tuple(found)


def map_key(each: AttributeMap, leaves: IntArray) -> bytes:
    """Digest of what the values that occur are released as."""
    texts = [each.labels[group] for group in each.groups[leaves].tolist()]
    lengths = ",".join(str(len(text)) for text in texts)
    return blake2b("\0".join([lengths, *texts]).encode(), digest_size=16).digest()


def table_key(
    policy: Policy, occurring: Sequence[IntArray], n_suppressed: int, n_records: int
) -> Hashable:
    """Return a key that is equal for policies that release the same table.

    Parameters
    ----------
    occurring : sequence of ndarray of int64
        As of `occurring_leaves`.

    Returns
    -------
    Hashable
        Policies of equal classes that suppress as many records by size suppress the
        same ones; those with further conditions are told apart by them.
    """
    if n_suppressed == n_records and policy.cells is None:
        return NOTHING_RELEASED
    maps = tuple(map(map_key, policy.maps, occurring))
    return (maps, *suppression_key(policy, n_suppressed, occurring))


def suppression_key(
    policy: Policy, n_suppressed: int, occurring: Sequence[IntArray]
) -> tuple[Any, ...]:
    """Part of `table_key` that says which records are suppressed or come later."""
    if policy.cells is not None:
        mask = np.packbits(policy.cells.mask).tobytes()
        return n_suppressed, blake2b(mask, digest_size=16).digest()
    if not n_suppressed and not policy.later:
        return ()
    conditions = tuple(repr(model.to_json()) for model in policy.conditions)
    later = tuple(
        (each.suppress_below, *map(map_key, each.maps, occurring))
        for each in policy.later
    )
    return n_suppressed, conditions, later
