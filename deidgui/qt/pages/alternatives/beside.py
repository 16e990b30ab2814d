"""Which alternatives stand side by side with the rule, and what is said of them?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.charts.plane import Flag
from deidgui.app.policies.alternatives import AlternativePolicies, Ordered, compare
from deidgui.app.policies.alternatives.comparing import BASELINE, FEWEST, MOST
from deidgui.app.project import PreferenceChoice
from deidgui.qt.models.figures import Flags
from deidgui.qt.pages.alternatives.comparing import Head, Line
from deidgui.qt.pages.alternatives.detail import PreferenceMet
from deidgui.qt.pages.alternatives.preferences import preference_words
from deidgui.qt.pages.alternatives.sides import compared_lines, rule_share
from deidgui.qt.pages.alternatives.words import rule_name
from deidgui.text import tr


@dataclass(frozen=True)
class Beside:
    """Policies side by side.

    Parameters
    ----------
    n_left : int
        Kept policies for which there is no room.
    """

    heads: tuple[Head, ...]
    lines: tuple[Line, ...]
    n_left: int


def preference_texts(
    found: AlternativePolicies, preferences: Sequence[PreferenceChoice]
) -> list[str]:
    """Each preference in words."""
    basis = found.basis
    return [
        preference_words(preference, basis.domain(preference.attribute))
        for preference in preferences
    ]


def preferences_met(
    found: AlternativePolicies,
    ordered: Ordered,
    preferences: Sequence[PreferenceChoice],
    number: int,
) -> list[PreferenceMet]:
    """How far an alternative meets each preference."""
    shares = ordered.shares[:, number].tolist()
    texts = preference_texts(found, preferences)
    return [PreferenceMet(*each) for each in zip(texts, shares, strict=True)]


def flags_of(chosen: int | None, kept: Sequence[int]) -> Flags:
    """How alternatives are marked, by number."""
    flags: dict[int, tuple[Flag, ...]] = {}
    if chosen is not None:
        flags[chosen] = (Flag.CHOSEN,)
    for number in kept:
        flags[number] = (*flags.get(number, ()), Flag.KEPT)
    return flags


def number_like(
    found: AlternativePolicies, before: AlternativePolicies | None, number: int | None
) -> int | None:
    """Number of the policy that was selected before, if it is among these too.

    Parameters
    ----------
    number : int or None
        Of the policy among those before.
    """
    if before is None or number is None:
        return None
    if before is found:
        return number
    bits = before.bits[number]
    is_other = before.basis.attributes != found.basis.attributes
    if is_other or len(bits) != found.bits.shape[1]:
        return None
    same = np.flatnonzero((found.bits == bits).all(axis=1))
    return int(same[0]) if len(same) else None


def put_beside(
    found: AlternativePolicies,
    ordered: Ordered,
    preferences: Sequence[PreferenceChoice],
    flags: Flags,
    selected: int | None,
) -> Beside | None:
    """Put the chosen, kept and selected alternatives beside the rule.

    Parameters
    ----------
    ordered : Ordered
        Of it, by the preferences.

    Returns
    -------
    Beside or None
        None if there are fewer than two policies.
    """
    has_rule = found.basis.baseline is not None
    numbers, n_left = _numbers(found, flags, selected)
    if len(numbers) + has_rule < FEWEST or not numbers:
        return None
    name = rule_name(found.basis.discover.baseline)
    place = {int(n): p + 1 for p, n in enumerate(ordered.numbers.tolist())}
    words = tr("Policy no. {n:,}")
    heads = [Head(name, None)] if has_rule else []
    heads += [Head(words.format(n=place[n]), n, flags.get(n, ())) for n in numbers]
    every = [BASELINE, *numbers] if has_rule else numbers
    met = [
        (text, [_share(found, ordered, at, preference, n) for n in every])
        for at, (text, preference) in enumerate(
            zip(preference_texts(found, preferences), preferences, strict=True)
        )
    ]
    lines = compared_lines(found, compare(found, every), met, heads[0].title)
    return Beside(tuple(heads), lines, n_left)


def _share(
    found: AlternativePolicies,
    ordered: Ordered,
    at: int,
    preference: PreferenceChoice,
    number: int,
) -> float | None:
    """How far an alternative, or the rule, meets a preference."""
    if number == BASELINE:
        return rule_share(found.basis, preference)
    return float(ordered.shares[at, number])


def _numbers(
    found: AlternativePolicies, flags: Flags, selected: int | None
) -> tuple[list[int], int]:
    """Alternatives that stand side by side, and how many kept ones do not."""
    kept = [n for n, own in flags.items() if Flag.KEPT in own]
    chosen = [n for n, own in flags.items() if Flag.CHOSEN in own]
    picked = [] if selected is None else [selected]
    every = list(dict.fromkeys([*chosen, *kept, *picked]))
    room = MOST if found.basis.baseline is None else MOST - 1
    return every[:room], sum(n in kept for n in every[room:])
