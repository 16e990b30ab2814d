"""Reads US states and ZIP codes from text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deidgui.engine.data.code_lists import UsState, us_states, zip3_areas
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)

RESTRICTED = "000"
"""What Safe Harbor writes for areas of 20,000 people or fewer."""

_ZIP = re.compile(r"(\d{5})(?:-?\d{4})?|(\d{1,5})(?:\.0)?[*xX]{0,4}", re.ASCII)
_NUMBER = re.compile(r"(\d{1,2})(?:\.0)?", re.ASCII)


def by_prefix(table: PopulationTable) -> PopulationTable:
    """Sum a table over the ZIP codes that share three digits.

    Parameters
    ----------
    table : PopulationTable
        With ZIP codes.
    """
    codes = table.of_subject(Subject.ZIP5)
    assert codes is not None
    prefixes = sorted({value[:3] for value in codes.values})
    place = {prefix: number for number, prefix in enumerate(prefixes)}
    groups = np.array([place[value[:3]] for value in codes.values], dtype=np.int64)
    areas = PopulationAttribute(codes.name, tuple(prefixes), Subject.ZIP3)
    return table.regrouped(codes.name, areas, groups)


# -- states ----------------------------------------------------------------------------


@dataclass(frozen=True)
class StateReading:
    """States of some texts, and by which numbering.

    Parameters
    ----------
    numbers : str
        "FIPS", "SSA", or "" if no text is a number.
    """

    states: tuple[UsState | None, ...]
    numbers: str


def read_states(values: Sequence[str]) -> StateReading:
    """Read states by name, postal abbreviation or number.

    Numbers are of the numbering (FIPS or Social Security Administration) that knows
    more of them; FIPS if both know as many.
    """
    known = us_states()
    numbers = [_number(text) for text in values]
    best, name = known.by_fips, "FIPS" if any(numbers) else ""
    n_ssa = sum(number in known.by_ssa for number in numbers)
    if n_ssa > sum(number in known.by_fips for number in numbers):
        best, name = known.by_ssa, "SSA"
    return StateReading(
        tuple(
            best.get(number) if number else known.by_word.get(_word(text))
            for text, number in zip(values, numbers, strict=True)
        ),
        name,
    )


def _number(text: str) -> str:
    match = _NUMBER.fullmatch(text.strip())
    return match[1].zfill(2) if match else ""


def _word(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).casefold()


# -- ZIP codes -------------------------------------------------------------------------


def read_zips(values: Sequence[str]) -> list[str]:
    """Read ZIP codes and prefixes of three digits.

    Parameters
    ----------
    values : sequence of str
        "37203", "37203-1234", "3601" (a leading zero lost), "372", "372**".

    Returns
    -------
    list of str
        Five digits, three digits, or "" for what is neither.

    Notes
    -----
    Where no value has more than three digits all are prefixes, and zeros that a
    spreadsheet dropped come back.
    """
    digits = [_digits(text) for text in values]
    if max(map(len, digits), default=0) <= 3:
        return [each.zfill(3) if each else "" for each in digits]
    return [_zip(text, each) for text, each in zip(values, digits, strict=True)]


def _digits(text: str) -> str:
    if len(text) == 5 and text.isascii() and text.isdigit():
        return text
    match = _ZIP.fullmatch(text.strip())
    return (match[1] or match[2]) if match else ""


def _zip(text: str, digits: str) -> str:
    is_prefix = len(digits) == 3 and (text.strip()[-1] in "*xX" or digits == RESTRICTED)
    if is_prefix or not digits:
        return digits
    return digits.zfill(5) if len(digits) >= 3 else ""


def zip_atoms(
    universe: Sequence[str], more: Iterable[str] = ()
) -> Mapping[str, frozenset[str]]:
    """Five-digit codes that each code or prefix stands for.

    Parameters
    ----------
    universe : sequence of str
        All codes of five digits of a table that comes with the program: kept.
    more : iterable of str
        Codes of five digits that others know.

    Returns
    -------
    mapping of str to frozenset of str
        By what `read_zips` returns; 000 stands for all codes in areas of 20,000
        people or fewer. What is not in it stands for nothing.
    """
    atoms = _known_atoms(tuple(universe))
    added = set(more).difference(atoms)
    if not added:
        return atoms
    new = {code: frozenset([code]) for code in added}
    for prefix, codes in _by_prefix(added).items():
        new[prefix] = atoms.get(prefix, frozenset()).union(codes)
    return {**atoms, **new}


@lru_cache(maxsize=1)
def _known_atoms(universe: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    prefixes = _by_prefix(universe)
    atoms = {prefix: frozenset(codes) for prefix, codes in prefixes.items()}
    return atoms | {code: frozenset([code]) for code in universe}


def _by_prefix(universe: Iterable[str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    kept = zip3_areas().kept("2020")
    for code in universe:
        found[code[:3]].add(code)
        if code[:3] not in kept:
            found[RESTRICTED].add(code)
    return found
