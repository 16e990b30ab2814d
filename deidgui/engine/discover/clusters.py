"""Groups similar policies and chooses an example of each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.space import Space
from deidgui.text import per_cent, tr

MOST_CLUSTERS = 6
"""A handful: more could not be compared at a glance."""

LONG_DOMAIN = 20
"""Attributes with so many values are looked at in three parts: young, middle, old."""

Run = tuple[int, int]
"""First and last place of neighbouring values."""

NO_RUNS: Mapping[str, Run] = {}

ROUNDS = 50
"""After so many rounds the centres have long come to rest."""


@dataclass(frozen=True)
class DomainPart:
    """Neighbouring values of an attribute, looked at together.

    Parameters
    ----------
    first, last : str
        First and last value; both empty if it is the whole domain.
    start, end : int
        Its bits.
    """

    attribute: str
    first: str
    last: str
    start: int
    end: int


def parts_of(space: Space, own: Mapping[str, Run] = NO_RUNS) -> tuple[DomainPart, ...]:
    """Return the parts that are looked at; attributes of one value have none.

    Parameters
    ----------
    own : mapping of str to (int, int)
        By attribute, neighbours that are a part of their own, such as the ages that a
        rule joins; only of long domains.
    """
    found = []
    for domain, start in zip(space.domains, space.first_bit.tolist(), strict=False):
        if domain.n_values < LONG_DOMAIN:
            if domain.n_bits:
                end = start + domain.n_bits
                found.append(DomainPart(domain.attribute, "", "", start, end))
            continue
        run = own.get(domain.attribute)
        for low, high in _runs(domain.n_bits, run):
            # What is a part of its own is not named by those beside it.
            first = low + (run is not None and low == run[1])
            last = high - (run is not None and high == run[0])
            ends = domain.values[first], domain.values[last]
            found.append(DomainPart(domain.attribute, *ends, start + low, start + high))
    return tuple(found)


def _runs(n_bits: int, own: Run | None) -> list[Run]:
    """Three parts of all neighbours, or one that is its own and thirds of the rest."""
    if own is None or not 0 < own[1] - own[0] < n_bits:
        return _thirds(0, n_bits, 3)
    first, last = own
    n_rest = n_bits - (last - first)
    # What is left below and above is cut in three altogether.
    n_below = min(max(round(3 * first / n_rest), int(first > 0)), 3 - (last < n_bits))
    below, above = _thirds(0, first, n_below), _thirds(last, n_bits, 3 - n_below)
    return [*below, own, *above]


def _thirds(low: int, high: int, n: int) -> list[Run]:
    cuts = [low + (high - low) * number // max(n, 1) for number in range(n + 1)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


@dataclass(frozen=True)
class Cluster:
    """Policies that generalize the same values to the same degree.

    Parameters
    ----------
    shares : tuple of float, each in [0, 1]
        By part, mean share of neighbours that are joined.
    members : tuple of int
        Numbers of the policies.
    example : int
        The member nearest to the mean.
    """

    parts: tuple[DomainPart, ...]
    shares: tuple[float, ...]
    members: tuple[int, ...]
    example: int

    @property
    def words(self) -> str:
        """One line: "sex kept; age a little joined (0-33: 9 %, 33-66: 2 %)"."""
        names = dict.fromkeys(part.attribute for part in self.parts)
        return "; ".join(f"{name} {self._words(name)}" for name in names)

    def _words(self, attribute: str) -> str:
        own = [
            (part, share)
            for part, share in zip(self.parts, self.shares, strict=True)
            if part.attribute == attribute
        ]
        n_joined = sum((part.end - part.start) * share for part, share in own)
        share = n_joined / sum(part.end - part.start for part, _ in own)
        if len(own) == 1 or share in (0, 1):
            return _degree(share)
        shares = ", ".join(
            f"{part.first}-{part.last}: {per_cent(round(each, 2))}"
            for part, each in own
        )
        return f"{_degree(share)} ({shares})"


def _degree(share: float) -> str:
    if share == 0:
        return tr("kept")
    if share == 1:
        return tr("removed")
    if share < 1 / 3:
        return tr("a little joined")
    return tr("partly joined") if share < 2 / 3 else tr("mostly joined")


def joined_shares(
    policies: Sequence[BitPolicy], own: Mapping[str, Run] = NO_RUNS
) -> FloatArray:
    """Share of neighbours that are joined: float64, (n_policies, n_parts)."""
    joined = ~np.stack([policy.bits for policy in policies])
    parts = parts_of(policies[0].space, own)
    return np.stack(
        [joined[:, part.start : part.end].mean(axis=1) for part in parts], axis=1
    )


def clustered(
    policies: Sequence[BitPolicy],
    most: int = MOST_CLUSTERS,
    own: Mapping[str, Run] = NO_RUNS,
) -> tuple[Cluster, ...]:
    """Group policies by how much of each attribute they join, and where.

    Parameters
    ----------
    policies : sequence of BitPolicy
        Of one space.
    most : int, >= 1
        Clusters at most.
    own : mapping of str to (int, int)
        See `parts_of`.

    Returns
    -------
    tuple of Cluster
        The largest first. The same for the same policies: nothing is left to chance.

    Notes
    -----
    A policy is a point: the root of the share joined of each part of each attribute
    (whether anything is joined matters more than how much), scaled to the same range.
    k-means from the centres that are farthest apart; the number of clusters is the one
    with the highest simplified silhouette, (b - a) / max(a, b) with the distances a to
    the own centre and b to the next one; 0 for a policy alone. While there is room, a
    cluster of more than half of the policies is then cut in two by what differs in it.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 4, on clusters of policies.
    .. [2] Vendramin, Campello and Hruschka (2010), *Relative clustering validity
       criteria*, Statistical Analysis and Data Mining 3:209, section 2.2.
    """
    if not policies:
        return ()
    shares = joined_shares(policies, own)
    points = np.sqrt(shares)
    labels = _best_labels(_scaled(points), most)
    while labels.max() + 1 < most:
        sizes = np.bincount(labels)
        largest = np.flatnonzero(labels == sizes.argmax())
        if 2 * len(largest) <= len(labels):
            break
        halves, centres = _k_means(_scaled(points[largest]), 2)
        if len(centres) < 2:
            break
        labels[largest[halves == 1]] = labels.max() + 1
    parts = parts_of(policies[0].space, own)
    found = [
        _cluster(parts, shares, points, labels == k) for k in range(labels.max() + 1)
    ]
    return tuple(sorted(found, key=lambda each: (-len(each.members), each.members)))


def _scaled(points: FloatArray) -> FloatArray:
    """Points with the same range, 1, in every direction in which they differ."""
    width = np.ptp(points, axis=0)
    return points / np.where(width > 0, width, 1.0)


def _best_labels(points: FloatArray, most: int) -> IntArray:
    """Labels of the number of clusters that fits best."""
    best, of_best = np.zeros(len(points), np.int64), 0.0
    n_different = len({row.tobytes() for row in points})
    for n in range(2, min(most, n_different) + 1):
        labels, centres = _k_means(points, n)
        fit = _silhouette(points, labels, centres)
        if fit > of_best + 1e-9:
            best, of_best = labels, fit
    return best


def _cluster(
    parts: tuple[DomainPart, ...],
    shares: FloatArray,
    points: FloatArray,
    chosen: BoolArray,
) -> Cluster:
    members = np.flatnonzero(chosen)
    centre = points[members].mean(axis=0)
    distances = ((points[members] - centre) ** 2).sum(axis=1)
    means = shares[members].mean(axis=0)
    return Cluster(
        parts,
        tuple(means.tolist()),
        tuple(members.tolist()),
        int(members[np.argmin(distances)]),
    )


def _distances(points: FloatArray, centres: FloatArray) -> FloatArray:
    """Distance of each point from each centre."""
    found: FloatArray = np.sqrt(
        ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    )
    return found


def _k_means(points: FloatArray, n: int) -> tuple[IntArray, FloatArray]:
    """Label of each point and the centres; every label is used."""
    start = int(np.argmin(((points - points.mean(axis=0)) ** 2).sum(axis=1)))
    chosen = [start]
    while len(chosen) < n:
        nearest = _distances(points, points[chosen]).min(axis=1)
        chosen.append(int(np.argmax(nearest)))
    centres = points[chosen]
    labels = np.full(len(points), -1, np.int64)
    for _ in range(ROUNDS):
        new = _distances(points, centres).argmin(axis=1)
        if (new == labels).all():
            break
        labels = new
        centres = np.stack(
            [
                points[labels == k].mean(axis=0) if (labels == k).any() else centres[k]
                for k in range(n)
            ]
        )
    used = np.unique(labels)
    return np.searchsorted(used, labels), centres[used]


def _silhouette(points: FloatArray, labels: IntArray, centres: FloatArray) -> float:
    """Mean simplified silhouette of the points, in [-1, 1]."""
    if len(centres) < 2:
        return 0.0
    distances = _distances(points, centres)
    own = distances[np.arange(len(points)), labels].copy()
    distances[np.arange(len(points)), labels] = np.inf
    other = distances.min(axis=1)
    widest = np.maximum(own, other)
    fits = (other - own) / np.where(widest > 0, widest, 1.0)
    is_alone = np.bincount(labels)[labels] == 1
    return float(np.where(is_alone, 0.0, fits).mean())
