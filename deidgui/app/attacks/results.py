"""What simulated attacks on a release came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from deidgui.engine.evidence import document

if TYPE_CHECKING:  # a command that is refused does not wait for the engine
    from deidgui.app.drawn import Draw
    from deidgui.engine.policy.policy import Policy

Kind = Literal["known_person", "register", "register_columns"]
"""Somebody is looked for of whom something is known; the release is matched with a
register; the same with some columns of it."""


@dataclass(frozen=True)
class Attack:
    """One attack.

    Parameters
    ----------
    variant : str
        Of a known person all_known (the whole record), inexact, same_event or ordered;
        of a register sample_of_register or this_release; otherwise the columns.
    power : int or None
        Values of each attribute, or columns, that are known at most; None for all.
    runs : int or None
        None where nothing was drawn: what follows is then None but for `expected`.
    success, low, high : float in [0, 1] or None
        Share of the runs that found the person, and the interval of 95 % around it.
    expected : float in [0, 1] or None
        Exact probability; None where it would take too long to compute.
    columns : tuple of str
        Quasi-identifiers that are known.
    """

    kind: Kind
    variant: str
    power: int | None = None
    runs: int | None = None
    success: float | None = None
    low: float | None = None
    high: float | None = None
    expected: float | None = None
    columns: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the attack as the command line prints it."""
        names = ("kind", "variant", "power", "runs", "success", "low", "high")
        return {
            **{name: getattr(self, name) for name in names},
            "expected": self.expected,
        }


@dataclass(frozen=True)
class NotDone:
    """An attack that cannot be made, and why.

    Parameters
    ----------
    code : str
        Of a sentence (see `deidgui.app.text`).
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class AttackResults:
    """All attacks on what one policy releases.

    Parameters
    ----------
    n_people : int
        People in the data that was read: those included who are suppressed, were
        removed, or are not in the sample.
    unit : str
        people or records.
    fraction : float in (0, 1]
        Chance that somebody whom the attacker looks for is in the data.
    known_once, known_of_events : tuple of str
        Quasi-identifiers of people, and those that differ between their rows.
    order_by : str or None
        Column that tells the order of rows, where there is one.
    threshold : float in (0, 1] or None
        Of the risk that was decided.
    assumptions : tuple of str
        Steps of the preparation, and ``sample``: see `deidgui.app.attacks.words`.
    n_there : int or None
        People who are left for the release after preparation and sample.
    draw : Draw or None
        The sample that was attacked.
    """

    attacks: tuple[Attack, ...]
    not_done: tuple[NotDone, ...]
    policy: Policy
    runs: int
    seed: int
    n_people: int
    unit: Literal["people", "records"]
    fraction: float
    known_once: tuple[str, ...]
    known_of_events: tuple[str, ...]
    order_by: str | None = None
    threshold: float | None = None
    assumptions: tuple[str, ...] = ()
    n_there: int | None = None
    draw: Draw | None = None

    def of_kind(self, kind: Kind) -> tuple[Attack, ...]:
        """Return the attacks of a kind."""
        return tuple(each for each in self.attacks if each.kind == kind)

    def is_of(self, policy: Policy, draw: Draw | None = None) -> bool:
        """Whether these attacks were made on what a policy releases of a sample.

        Parameters
        ----------
        draw : Draw or None
            The sample; None if everybody is released.
        """
        # PRIVACY: figures of another draw are not those of what is released.
        if self.draw is None or draw is None:
            is_drawn = self.draw is draw
        else:
            is_drawn = np.array_equal(self.draw.rows, draw.rows)
        return is_drawn and is_same(self.policy, policy)


def attack_facts(results: AttackResults) -> document.Attacks:
    """Return attacks as the evidence states them."""
    simulated = (
        document.SimulatedAttack(
            kind=each.kind,
            variant=each.variant,
            power=each.power,
            columns=each.columns,
            runs=each.runs,
            success=each.success,
            low=each.low,
            high=each.high,
            expected=each.expected,
        )
        for each in results.attacks
    )
    return document.Attacks(
        seed=results.seed,
        threshold=results.threshold,
        fraction=results.fraction,
        known_of_events=results.known_of_events,
        people=results.n_people,
        assumptions=results.assumptions,
        simulated=tuple(simulated),
    )


def is_same(one: Policy, other: Policy) -> bool:
    """Whether two policies of the same classes release the same table."""
    if len(one.rounds) != len(other.rounds):
        return False
    return all(
        a.suppress_below == b.suppress_below
        and a.conditions == b.conditions
        and a.attributes == b.attributes
        and all(
            x.labels == y.labels and np.array_equal(x.groups, y.groups)
            for x, y in zip(a.maps, b.maps, strict=True)
        )
        for a, b in zip(one.rounds, other.rounds, strict=True)
    )
