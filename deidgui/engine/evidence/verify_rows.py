"""Measures what rows of people tell, by code that the release does not share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Set
from itertools import combinations
from typing import NamedTuple

MOST_PAIRS = 5_000_000
"""With more pairs of a person's rows the figure is left out."""


class RowsRisk(NamedTuple):
    """Risk of people for an adversary who knows some of their rows."""

    highest: float
    average: float
    sizes: tuple[int, ...]

    def above(self, least: float) -> int:
        """People who share what is known with fewer people than this."""
        return sum(size < least for size in self.sizes)


def risks_of_rows(
    shown: Mapping[str, Set[Hashable]], often: Mapping[str, Hashable]
) -> dict[str, RowsRisk]:
    """Measure the risk of people by what is known of their rows.

    Parameters
    ----------
    shown : mapping of str to set
        By person, what their rows show: no order, each once.
    often : mapping of str to hashable
        How many rows show each of it; of several tables in each of them.

    Returns
    -------
    dict of str to RowsRisk
        ``one``, ``two`` (unless there are too many pairs), ``all`` and
        ``all_and_number``; empty without people.
    """
    if not shown:
        return {}
    having = Counter(each for rows in shown.values() for each in rows)
    one = {p: min(having[each] for each in rows) for p, rows in shown.items()}
    sets = Counter(map(frozenset, shown.values()))
    numbered = Counter((frozenset(r), often[p]) for p, r in shown.items())
    found = {
        "one": one,
        "all": {p: sets[frozenset(r)] for p, r in shown.items()},
        "all_and_number": {
            p: numbered[frozenset(r), often[p]] for p, r in shown.items()
        },
    }
    if sum(len(r) * (len(r) - 1) // 2 for r in shown.values()) <= MOST_PAIRS:
        together = Counter(pair for r in shown.values() for pair in _pairs(r))
        found["two"] = {
            p: min([one[p], *(together[pair] for pair in _pairs(r))])
            for p, r in shown.items()
        }
    return {known: _risk(tuple(each.values())) for known, each in found.items()}


def _pairs(rows: Set[Hashable]) -> Iterator[frozenset[Hashable]]:
    return map(frozenset, combinations(rows, 2))


def _risk(sizes: tuple[int, ...]) -> RowsRisk:
    return RowsRisk(1 / min(sizes), sum(1 / n for n in sizes) / len(sizes), sizes)
