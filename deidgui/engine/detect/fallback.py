"""Which role has a column that no detector recognises?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deidgui.engine.detect.column_names import is_unnamed
from deidgui.engine.detect.profile import Profile
from deidgui.engine.detect.roles import Identifier, Reason, Role, Topic, Treatment

_MANY_DIGITS = 7
_LARGE_TABLE = 1_000
_AGES = 30
_PEAK = 0.15
_SINGLED_OUT = 0.05


@dataclass(frozen=True)
class Proposal:
    """A role for a column, with the reason and how sure it is."""

    role: Role
    reason: Reason
    topic: Topic | None = None
    identifier: Identifier | None = None
    treatment: Treatment | None = None
    score: float = 0.0


def proposal_without_detector(profile: Profile) -> Proposal:
    """Propose a role from uniqueness and shape alone.

    Returns
    -------
    Proposal
        Insensitive if nothing in the values singles persons out.
    """
    if profile.id_like and _is_number_of_something(profile):
        return Proposal(
            Role.DIRECT_IDENTIFIER,
            Reason(
                "because_id_like",
                {"n_values": profile.n_distinct, "n_records": profile.n_present},
            ),
            Topic.IDENTIFIER,
            Identifier.OTHER_CODE,
            Treatment.REMOVE,
            score=0.35,
        )
    if is_unnamed(profile.column.name) and _could_be_ages(profile):
        return Proposal(
            Role.QUASI_IDENTIFIER, Reason("because_maybe_age"), Topic.AGE, score=0.35
        )
    if profile.is_text and profile.n_unique > _SINGLED_OUT * profile.n_present:
        return Proposal(
            Role.QUASI_IDENTIFIER,
            Reason(
                "because_singles_out",
                {"n_unique": profile.n_unique, "n_records": profile.n_present},
            ),
            score=0.35,
        )
    topic = Topic.NUMBER if np.isfinite(profile.numbers).all() else None
    return Proposal(Role.INSENSITIVE, Reason("because_no_evidence"), topic)


def _is_number_of_something(profile: Profile) -> bool:
    """Whether a column of nearly unique values is more than a measurement.

    A few hundred measurements may well be different whole numbers of equal
    length: letters, ascending order, many digits or a large table tell them
    from numbers that were given out.
    """
    return (
        not profile.is_whole_numbers
        or profile.n_present >= _LARGE_TABLE
        or profile.length_range[0] >= _MANY_DIGITS
        or profile.is_monotone
    )


def _could_be_ages(profile: Profile) -> bool:
    """Whether whole numbers spread over the ages of people without one high peak."""
    if not profile.is_whole_numbers or profile.n_distinct < _AGES:
        return False
    low, high = profile.numbers.min(), profile.numbers.max()
    if low < 0 or high > 120 or profile.n_distinct < 0.8 * (high - low + 1):
        return False
    return bool(profile.rows.max() <= _PEAK * profile.rows.sum())
