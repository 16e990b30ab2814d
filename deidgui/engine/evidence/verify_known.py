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
from deidgui.engine.evidence.document import AttributesKnown, CellFacts
from deidgui.engine.evidence.tally import STAR
from deidgui.engine.evidence.verify_models import smallest_by_any

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


def check_cells(release: CountedRelease, unmeasured: dict[str, str]) -> Iterator[Check]:
    """Count the suppressed cells, and see that they suffice, from the rows alone.

    A row of stars that the evidence counts as a suppressed record is none of these.
    """
    stated = release.evidence.policy.cells
    if stated is None:
        return
    names, headers = release.tally.quasi_identifiers, release.headers
    stars = [release.tally.labels(header).index(STAR) for header in names]
    of_header = {header: name for name, header in headers.items()}
    # Where a value of the file is a star, nobody can tell it from a suppressed cell.
    is_open = [STAR in release.mapped[of_header[e]].values for e in names]
    classes = release.tally.classes
    for place, header in enumerate(names):
        name = of_header[header]
        n = sum(count for key, count in classes.items() if key[place] == stars[place])
        yield _compare(stated.by_attribute.get(name, 0), n, is_open[place], name)
    n_records = sum(
        count
        for key, count in classes.items()
        if any(code == star for code, star in zip(key, stars, strict=True))
    )
    yield _compare(stated.records, n_records, any(is_open), "")
    least = smallest_by_any(classes, stated.known)
    if least is None:
        unmeasured["policy.cells"] = "many_sets"
    elif classes:
        figures = {"smallest": least, "least": stated.k}
        yield Check("cells_suffice", least >= stated.k, figures)
    yield Check("cells_model", _model_fits(release, stated))


def _compare(stated: int, found: int, is_open: bool, name: str) -> Check:
    figures = {"attribute": name, "stated": stated, "measured": found}
    fits = stated <= found if is_open else stated == found
    return Check("cells", fits, figures)


def _model_fits(release: CountedRelease, stated: CellFacts) -> bool:
    """Whether cells are suppressed for a model that is stated, no weaker than it."""
    asked = [e.model_extra or {} for e in release.evidence.models if e.kind == _MODEL]
    return any(
        isinstance(known, int)
        and isinstance(k, int)
        and known <= stated.known
        and k <= stated.k
        for known, k in ((each.get("known"), each.get("k")) for each in asked)
    )


_MODEL = "known_attributes"
