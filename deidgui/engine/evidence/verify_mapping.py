"""Reads the mappings of a release, and checks them against its rows and its policy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.evidence.checks import Check, CountedRelease
from deidgui.engine.evidence.document import Attribute, Evidence
from deidgui.engine.evidence.folder import MAX_MAPPING_BYTES, ReleaseFolder
from deidgui.engine.evidence.tally import (
    UNKNOWN,
    MappedLabels,
    RoundLabels,
    count_executed,
)
from deidgui.errors import InputError

_HEADER = ["value", "label", "values"]
_ROUND = "round"
_NOT_RELEASED = "(not released)"

_MOST_TOGETHER = 12
"""Of more rounds, only each alone is compared with the rows, not all sets of them."""


def read_mapping(folder: ReleaseFolder, relative: str) -> MappedLabels:
    """Labels of one attribute with the number of values behind each.

    Raises
    ------
    InputError
        Code ``release_malformed`` with file and line, or those of
        `ReleaseFolder.read`.
    """
    rows = _mapping_rows(folder, relative)
    has_rounds = rows[0] == [_ROUND, *_HEADER]
    if not has_rounds and rows[0] != _HEADER:
        raise InputError("release_malformed", file=relative, line=1)
    found: dict[str, RoundLabels] = {}
    for line, row in enumerate(rows[1:], start=2):
        number = row.pop(0) if has_rounds and row else ""
        own = found.setdefault(number, RoundLabels())
        if not _add(own, row):
            raise InputError("release_malformed", file=relative, line=line)
    if not found or not all(each.n_values for each in found.values()):
        raise InputError("release_malformed", file=relative, line=1)
    return _joined(found)


def _mapping_rows(folder: ReleaseFolder, relative: str) -> list[list[str]]:
    content = folder.read(relative, MAX_MAPPING_BYTES)
    try:
        reader = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
        return list(reader) or [[]]
    except (csv.Error, UnicodeDecodeError):
        raise InputError("release_malformed", file=relative, line=0) from None


def _add(own: RoundLabels, row: Sequence[str]) -> bool:
    """Add a row to what is known of its round; return whether it has the form of one.

    A value is named once. A label without a value may stand twice: also the empty
    value has no name.
    """
    if len(row) != 3 or not row[2].isascii() or not row[2].isdigit():
        return False
    value, label, n_values = row[0], row[1], int(row[2][:15])
    own.n_values += n_values
    if value == _NOT_RELEASED and not label:
        return True
    if value == _NOT_RELEASED or (value and (n_values != 1 or value in own.named)):
        return False
    if value:
        own.named[value] = label
    own.labels[label] = own.labels.get(label, 0) + n_values
    return True


def _joined(found: Mapping[str, RoundLabels]) -> MappedLabels:
    """Labels of all rounds; each round covers the whole hierarchy."""
    joined: dict[str, int] = {}
    is_ambiguous = False
    for own in found.values():
        is_ambiguous |= any(joined.get(k, n) != n for k, n in own.labels.items())
        joined.update(own.labels)
    sums = {each.n_values for each in found.values()}
    n_values = sums.pop() if len(sums) == 1 else -1
    return MappedLabels(joined, n_values, is_ambiguous, found)


# -- checks ----------------------------------------------------------------------------


def check_mappings(release: CountedRelease) -> Iterator[Check]:
    """Compare every mapping with its hierarchy, the policy and the released rows.

    Yields
    ------
    Check

    Notes
    -----
    Which label a value that is named really has, nothing but the input tells. What
    must be so whatever the input is: a label that a mapping names is released; at
    level 0 a value is its own label; rounds at the same level say the same, and one
    at a higher level only joins what one at a lower level shows; and the rows can be
    given to the rounds so that each has as many as stated (Hall's condition).
    """
    evidence, can_be_rounds = release.evidence, True
    for attribute in evidence.attributes:
        if attribute.mapping is None or attribute.name not in release.mapped:
            continue
        mapped, name = release.mapped[attribute.name], {"attribute": attribute.name}
        figures = {"stated": attribute.leaves, "measured": mapped.n_values}
        is_whole = mapped.n_values == attribute.leaves
        yield Check("mapping_values", is_whole, {**name, **figures})
        shown = _shown(release, attribute.name)
        yield Check("mapping_released", mapped.values.keys() <= shown, name)
        fits = _rounds_fit(evidence, attribute, mapped)
        yield Check("mapping_levels", fits, name)
        can_be_rounds &= fits
        if evidence.spreadsheet_safe:
            n_executed = count_executed(mapped.values)
            yield Check("mapping_spreadsheet", n_executed == 0, name)
    if evidence.policy.rounds:
        yield Check("mapping_rounds", can_be_rounds and _rows_fit(release))


def _shown(release: CountedRelease, name: str) -> set[str]:
    """Labels of an attribute that released records have, or people without events."""
    counts = release.label_counts(name)
    alone = release.tally.labels_without_events(release.headers[name])
    return {label for label, n in counts.items() if n} | alone


def _rounds_fit(evidence: Evidence, attribute: Attribute, mapped: MappedLabels) -> bool:
    """Whether the rounds of a mapping are those of the policy and fit their levels."""
    rounds = evidence.policy.rounds
    if not rounds:
        level = 1 if attribute.level is None else attribute.level
        return [*mapped.rounds] == [""] and _level_fits(level, mapped.rounds[""])
    numbers = [str(number) for number in range(1, len(rounds) + 1)]
    levels = [each.levels.get(attribute.name) for each in rounds]
    if list(mapped.rounds) != numbers or None in levels:
        return False
    found = [
        (level or 0, mapped.rounds[number])
        for number, level in zip(numbers, levels, strict=True)
    ]
    found.sort(key=lambda pair: pair[0])
    return all(_level_fits(*pair) for pair in found) and all(
        _nests(own, other, is_same=level == higher)
        for (level, own), (higher, other) in combinations(found, 2)
    )


def _level_fits(level: int, own: RoundLabels) -> bool:
    """Whether values at level 0 are their own labels."""
    return level > 0 or (
        all(value == label for value, label in own.named.items())
        and all(n == 1 for n in own.labels.values())
    )


def _nests(lower: RoundLabels, higher: RoundLabels, *, is_same: bool) -> bool:
    """Whether a round at a higher level only joins what one at a lower level shows."""
    both = lower.named.keys() & higher.named.keys()
    pairs = {(lower.named[value], higher.named[value]) for value in both}
    if is_same:
        alike = lower.labels.keys() & higher.labels.keys()
        return all(a == b for a, b in pairs) and all(
            lower.labels[label] == higher.labels[label] for label in alike
        )
    return len({label for label, _ in pairs}) == len(pairs)


# -- which rows a round can have released ----------------------------------------------


def _rows_fit(release: CountedRelease) -> bool:
    """Whether rows can be given to rounds so that each has as many as stated."""
    rounds, sizes = release.evidence.policy.rounds, release.tally.sizes()
    can = [_can_release(release, str(number)) for number in range(1, len(rounds) + 1)]
    is_row = release.evidence.unit.kind == "row"
    for number, (each, own) in enumerate(zip(rounds, can, strict=True), start=1):
        large = own & (sizes >= each.suppress_below) if is_row else own
        if not _all_shown(release, str(number), large):
            return False
    masks = sum((own.astype(np.int64) << at for at, own in enumerate(can)), 0 * sizes)
    n_by_mask: dict[int, int] = {}
    for mask in np.unique(masks).tolist():
        n_by_mask[mask] = int(sizes[masks == mask].sum())
    return 0 not in n_by_mask and all(
        sum(n for mask, n in n_by_mask.items() if mask & ~chosen == 0)
        <= sum(each.records for at, each in enumerate(rounds) if chosen >> at & 1)
        for chosen in _sets(len(rounds))
    )


def _sets(n: int) -> range | list[int]:
    """Sets of rounds as bits: all; of very many rounds each alone, and all together."""
    if n <= _MOST_TOGETHER:
        return range(1 << n)
    return [*(1 << at for at in range(n)), (1 << n) - 1]


def _can_release(release: CountedRelease, number: str) -> BoolArray:
    """Which classes have only labels that a round releases: (n_classes,)."""
    coded = release.tally.coded()
    can = np.ones(len(coded), bool)
    for name, place, labels in _places(release):
        own = release.mapped[name].rounds[number].labels
        is_own = np.array([label in own for label in labels])
        codes = coded[:, place]
        # What has no cell in a row, no round shows.
        can &= np.where(codes >= 0, is_own[np.maximum(codes, 0)], codes != UNKNOWN)
    return can


def _all_shown(release: CountedRelease, number: str, rows: BoolArray) -> bool:
    """Whether each label of a round stands in a class that it can have released."""
    coded = release.tally.coded()[rows]
    return all(
        {labels[code] for code in np.unique(coded[:, place]).tolist() if code >= 0}
        | release.tally.labels_without_events(release.headers[name])
        >= release.mapped[name].rounds[number].labels.keys()
        for name, place, labels in _places(release)
    )


def _places(release: CountedRelease) -> Iterator[tuple[str, int, list[str]]]:
    """Quasi-identifiers with their places in a class and their labels by code."""
    for name, header in release.headers.items():
        place = release.tally.quasi_identifiers.index(header)
        yield name, place, release.tally.labels(header)
