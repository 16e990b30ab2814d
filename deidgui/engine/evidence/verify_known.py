"""Measures again what an adversary learns who knows some of the quasi-identifiers."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from deidgui.engine.evidence.checks import (
    Check,
    CountedRelease,
    compare,
    shown_classes,
)
from deidgui.engine.evidence.document import AttributesKnown

MOST_GROUPED = 20_000_000
"""Classes, each counted once for every set, up to which all sets are measured."""

_Key = tuple[int | None, ...]


def check_known(release: CountedRelease, unmeasured: dict[str, str]) -> Iterator[Check]:
    """Compare the risk of sets of attributes with what is counted from the files."""
    stated = release.evidence.attributes_known
    if stated is None:
        return
    yield Check("known_fits", _fits(release, stated))
    if not _fits(release, stated):
        return
    if not release.counts_who_is_protected:
        unmeasured["attributes_known"] = "people_not_released"
        return
    classes = shown_classes(release)
    place = {
        each.name: release.tally.quasi_identifiers.index(release.headers[each.name])
        for each in release.evidence.attributes
        if each.name in release.headers
    }
    least, n = stated.size_at_risk, sum(classes.values())
    if not n:
        return
    sets = list(_sets(stated))
    is_all = len(sets) * len(classes) <= MOST_GROUPED
    if not is_all:
        unmeasured["attributes_known"] = "many_sets"
        sets = [each for each in sets if _named(stated, each) == stated.riskiest]
    found = [
        _figures(classes, [place[name] for name in _named(stated, each)], least, n)
        for each in sets
    ]
    highest, average, at_risk = (max(each) for each in zip(*found, strict=True))
    if is_all:
        yield compare("known_highest", stated.highest, highest)
        yield compare("known_average", stated.average, average)
        yield compare("known_at_risk", stated.share_at_risk, at_risk)
    else:
        fits = at_risk <= stated.share_at_risk + 1e-9
        yield Check("known_riskiest", fits)


def _fits(release: CountedRelease, stated: AttributesKnown) -> bool:
    """Whether the sets are sets of quasi-identifiers, and blocks hold all of them."""
    names = [name for unit in (*stated.units, stated.always) for name in unit]
    if sorted(names) != sorted(release.headers) or len(set(names)) < len(names):
        return False
    m = len(stated.units)
    if not stated.known <= m:
        return False
    if not stated.blocks:
        fits = stated.n_sets == math.comb(m, stated.known)
    else:
        covered: set[tuple[int, ...]] = set()
        for block in stated.blocks:
            if list(block) != sorted(set(block)) or not set(block) <= set(range(m)):
                return False
            covered.update(itertools.combinations(block, stated.known))
        fits = len(covered) == math.comb(m, stated.known)
        fits &= stated.n_sets == len(stated.blocks)
    return fits and any(_named(stated, e) == stated.riskiest for e in _sets(stated))


def _sets(stated: AttributesKnown) -> Iterator[tuple[int, ...]]:
    if stated.blocks:
        yield from stated.blocks
    else:
        yield from itertools.combinations(range(len(stated.units)), stated.known)


def _named(stated: AttributesKnown, members: Sequence[int]) -> tuple[str, ...]:
    return (*stated.always, *(name for at in members for name in stated.units[at]))


def _figures(
    classes: Mapping[_Key, int], places: Sequence[int], least: int, n: int
) -> tuple[float, float, float]:
    sizes: Counter[_Key] = Counter()
    for key, count in classes.items():
        sizes[tuple(key[place] for place in places)] += count
    at_risk = sum(size for size in sizes.values() if size < least)
    return 1 / min(sizes.values()), len(sizes) / n, at_risk / n
