"""Guesses sensitive values of a release again, and of people who were not released."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from deidgui.engine.evidence.checks import Check, compare
from deidgui.engine.evidence.document import Attribute, Evidence, HeldOut, HeldOutGuess
from deidgui.engine.evidence.folder import ReleaseFolder, read_table
from deidgui.engine.evidence.keyed import Identity
from deidgui.engine.evidence.verify_compared import GroupOf, cut_rows, people_of
from deidgui.errors import DeidError

FEWEST, CLOSE, Z = 500, 0.05, 1.959963984540054
_ROUNDED = 1 + 1e-9

_Class = tuple[int, ...]


def check_held_out(
    folder: ReleaseFolder,
    evidence: Evidence,
    at_hand: Mapping[str, tuple[Path, Identity]],
    unmeasured: dict[str, str],
) -> Iterator[Check]:
    """Compare what is said of people who were not released.

    Parameters
    ----------
    at_hand : mapping of str to (Path, Identity)
        Tables that are given, by their SHA-256.
    unmeasured : dict of str to str
        Takes what needs a table that is not given, with the code of the reason.

    Yields
    ------
    Check

    Raises
    ------
    InputError
        As `read_table`.
    """
    stated = evidence.criteria.held_out if evidence.criteria is not None else None
    if stated is None:
        return
    by_name = {each.name: each for each in evidence.attributes}
    complete = _is_complete(evidence, stated)
    yield Check("held_out_complete", complete)
    if not complete:
        return
    quasi = [each.name for each in evidence.attributes if each.mapping]
    headers = [by_name[name].released_as or "" for name in (*quasi, *stated.columns)]
    by_stars = evidence.policy.suppressed == "stars"
    rows = people_of(
        read_table(folder, evidence.outputs[0].path),
        headers,
        evidence.suppressed_records if by_stars else 0,
        evidence.unit.column,
    )
    ours = Counter(rows)
    yield compare("held_out_released", stated.released, sum(ours.values()))
    if not ours:
        return
    theirs = None
    try:
        theirs = _theirs(evidence, stated, at_hand, unmeasured)
    except DeidError:
        unmeasured["held_out"] = "other_unreadable"
        yield Check("held_out_read", ok=False)
    if theirs is not None:
        yield from _check_people(stated, theirs)
    groups = {each.attribute: each.groups for each in stated.shared}
    for place, guess in enumerate(stated.guessed):
        yield from _check_arithmetic(stated, guess)
        attribute = by_name[guess.attribute]
        about = {"attribute": guess.attribute}
        learned = _Learned(ours, len(quasi), place, attribute)
        yield compare("held_out_right", guess.right, learned.right_of(ours), **about)
        yield compare("held_out_blind", guess.blind, learned.blind_of(ours), **about)
        if theirs is not None:
            placed = _Learned(
                _grouped(ours, quasi, groups), len(quasi), place, attribute
            )
            right = placed.right_of(theirs)
            yield compare("held_out_control", guess.control, right, **about)


def _check_people(
    stated: HeldOut, theirs: Mapping[tuple[str, ...], int]
) -> Iterator[Check]:
    """Count people who were not released, and those without a released label."""
    yield compare("held_out_people", stated.people, sum(theirs.values()))
    for place, column in enumerate(stated.shared):
        unknown = sum(n for key, n in theirs.items() if key[place] == "-1")
        about = {"name": stated.name, "attribute": column.attribute}
        yield compare("compared_unknown", column.unknown, unknown, **about)


def _is_complete(evidence: Evidence, stated: HeldOut) -> bool:
    quasi = [each.name for each in evidence.attributes if each.mapping]
    kept = {each.name for each in evidence.attributes if each.treatment == "kept"}
    is_file = stated.sha256 is not None
    return (
        stated.people >= FEWEST
        # Who was released is none of them.
        and stated.sha256 not in {each.sha256 for each in evidence.inputs}
        and set(stated.columns) <= kept
        and [each.attribute for each in stated.guessed] == list(stated.columns)
        and is_file == (stated.dialect is not None)
        and [each.attribute for each in stated.shared] == (quasi if is_file else [])
        and (is_file or evidence.sample is not None)
        and all(_tells_apart(each.groups) for each in stated.shared)
        and not any(each.wide for each in stated.shared)
        and stated.released > 0
        and all(
            max(each.right, each.blind) <= stated.released * _ROUNDED
            and each.control <= stated.people * _ROUNDED
            for each in stated.guessed
        )
    )


def _tells_apart(groups: Mapping[str, int]) -> bool:
    return len(set(groups.values())) == len(groups)


def _check_arithmetic(stated: HeldOut, guess: HeldOutGuess) -> Iterator[Check]:
    """Work out the residual and its interval from the counts."""
    about = {"attribute": guess.attribute}
    rate, error = _wilson(guess.right, stated.released)
    control, spread = _wilson(guess.control, stated.people)
    found = both = 0.0
    if control < 1:
        found = max(0.0, (rate - control) / (1 - control))
        by_control = spread * (rate - 1) / (1 - control) ** 2
        both = math.sqrt((error / (1 - control)) ** 2 + by_control**2)
    yield compare("held_out_residual", guess.residual, min(1.0, found), **about)
    yield compare("held_out_interval", guess.low, max(0.0, found - both), **about)
    yield compare("held_out_interval", guess.high, min(1.0, found + both), **about)


def _wilson(right: float, n: int) -> tuple[float, float]:
    middle = (right + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * math.sqrt(right * (n - right) / n + Z * Z / 4)
    return middle, half


def _grouped(
    ours: Mapping[tuple[str, ...], int],
    quasi: Sequence[str],
    groups: Mapping[str, Mapping[str, int]],
) -> Counter[tuple[str, ...]]:
    """Our people by the numbers of their labels, as the other file is read."""
    found: Counter[tuple[str, ...]] = Counter()
    for shown, n in ours.items():
        labels = zip(quasi, shown, strict=False)
        keys = (str(groups[name].get(text, -1)) for name, text in labels)
        found[(*keys, *shown[len(quasi) :])] += n
    return found


def _theirs(
    evidence: Evidence,
    stated: HeldOut,
    at_hand: Mapping[str, tuple[Path, Identity]],
    unmeasured: dict[str, str],
) -> Counter[tuple[str, ...]] | None:
    """People who were not released; None if their file is not given."""
    if stated.sha256 is None:
        unmeasured["held_out"] = "original_values"
        return None
    if stated.sha256 not in at_hand:
        unmeasured["held_out"] = "other_not_given"
        return None
    assert stated.dialect is not None, "of a file"
    path, identity = at_hand[stated.sha256]
    headers = [*(each.column for each in stated.shared), *stated.columns.values()]
    places = [GroupOf(each, identity, evidence) for each in stated.shared]
    found: Counter[tuple[str, ...]] = Counter()
    table = cut_rows(stated.dialect, path)
    for shown, n in Counter(people_of(table, headers, 0, stated.key)).items():
        keys = [each.of(text) for each, text in zip(places, shown, strict=False)]
        found[(*map(str, keys), *shown[len(places) :])] += n
    return found


class _Learned:
    """The commonest values of each class, and of all."""

    def __init__(
        self,
        people: Mapping[tuple[str, ...], int],
        n_quasi: int,
        place: int,
        attribute: Attribute,
    ) -> None:
        self._n_quasi, self._place = n_quasi, n_quasi + place
        self._missing = set(attribute.missing_as)
        self._is_number = attribute.type in ("integer", "decimal")
        counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        totals: Counter[str] = Counter()
        for shown, n in people.items():
            value = self._value(shown)
            counts[shown[:n_quasi]][value] += n
            totals[value] += n
        self._best = {key: _commonest(each) for key, each in counts.items()}
        self._overall = _commonest(totals)

    def _value(self, shown: Sequence[str]) -> str:
        text = shown[self._place]
        plain = text[1:] if text.startswith("'") else text
        return "" if plain in self._missing else plain

    def right_of(self, people: Mapping[tuple[str, ...], int]) -> float:
        """Expected right guesses by the class."""
        return math.fsum(
            n * self._share(self._value(shown), self._best.get(shown[: self._n_quasi]))
            for shown, n in people.items()
        )

    def blind_of(self, people: Mapping[tuple[str, ...], int]) -> float:
        """Expected right guesses by the commonest value of all."""
        return math.fsum(
            n * self._share(self._value(shown), None) for shown, n in people.items()
        )

    def _share(self, value: str, guesses: Iterable[str] | None) -> float:
        tried = list(self._overall if guesses is None else guesses)
        return sum(self._is_right(value, each) for each in tried) / len(tried)

    def _is_right(self, value: str, guess: str) -> bool:
        if value == guess or not self._is_number:
            return value == guess
        true, said = _number(value), _number(guess)
        if true is None or said is None:
            return False
        return abs(true - said) <= CLOSE * abs(true)


def _commonest(counts: Mapping[str, int]) -> list[str]:
    most = max(counts.values())
    return [value for value, n in counts.items() if n == most]


def _number(text: str) -> float | None:
    try:
        found = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return found if abs(found) < 1e300 else None
