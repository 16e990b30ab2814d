"""Into which few kinds do the policies found fall?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.discover.bit_policy import BitPolicy

MOST_CLUSTERS = 6
"""A handful: more could not be compared at a glance."""

ROUNDS = 50
"""After so many rounds the centres have long come to rest."""


@dataclass(frozen=True)
class Cluster:
    """Policies that generalize the same attributes to the same degree.

    Parameters
    ----------
    attributes : tuple of str
    shares : tuple of float, each in [0, 1]
        By attribute, mean share of neighbours that are joined.
    members : tuple of int
        Numbers of the policies.
    example : int
        The member nearest to the mean.
    """

    attributes: tuple[str, ...]
    shares: tuple[float, ...]
    members: tuple[int, ...]
    example: int

    @property
    def words(self) -> str:
        """One line: "sex kept in full; race mostly joined; age a little joined"."""
        return "; ".join(
            f"{name} {_degree(share)}"
            for name, share in zip(self.attributes, self.shares, strict=True)
        )


def _degree(share: float) -> str:
    if share == 0:
        return "kept in full"
    if share == 1:
        return "removed"
    if share < 1 / 3:
        return "a little joined"
    return "partly joined" if share < 2 / 3 else "mostly joined"


def joined_shares(policies: Sequence[BitPolicy]) -> FloatArray:
    """Share of neighbours that are joined: float64, (n_policies, n_attributes)."""
    space = policies[0].space
    found = np.zeros((len(policies), len(space.domains)))
    for row, policy in enumerate(policies):
        for column, domain in enumerate(space.domains):
            if domain.n_bits:
                n_groups = int(policy.groups[column][-1]) + 1
                found[row, column] = 1 - (n_groups - 1) / domain.n_bits
    return found


def clustered(
    policies: Sequence[BitPolicy], most: int = MOST_CLUSTERS
) -> tuple[Cluster, ...]:
    """Group policies by how much of each attribute they join.

    Parameters
    ----------
    policies : sequence of BitPolicy
        Of one space.
    most : int, >= 1
        Clusters at most.

    Returns
    -------
    tuple of Cluster
        The largest first. The same for the same policies: nothing is left to chance.

    Notes
    -----
    Attributes are scaled to the same range; k-means from the centres that are
    farthest apart; the number of clusters is the one with the highest simplified
    silhouette, (b - a) / max(a, b) with the distances a to the own centre and b to
    the next one; 0 for a policy alone.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), section 4, on clusters of policies.
    .. [2] Vendramin, Campello and Hruschka (2010), *Relative clustering validity
       criteria*, Statistical Analysis and Data Mining 3:209, section 2.2.
    """
    if not policies:
        return ()
    shares = joined_shares(policies)
    width = np.ptp(shares, axis=0)
    points = shares / np.where(width > 0, width, 1.0)
    n_different = len({row.tobytes() for row in points})
    best, of_best = np.zeros(len(points), np.int64), 0.0
    for n in range(2, min(most, n_different) + 1):
        labels, centres = _k_means(points, n)
        fit = _silhouette(points, labels, centres)
        if fit > of_best + 1e-9:
            best, of_best = labels, fit
    names = policies[0].space.attributes
    found = [_cluster(names, shares, points, best == k) for k in range(best.max() + 1)]
    return tuple(sorted(found, key=lambda each: (-len(each.members), each.members)))


def _cluster(
    names: tuple[str, ...], shares: FloatArray, points: FloatArray, chosen: np.ndarray
) -> Cluster:
    members = np.flatnonzero(chosen)
    centre = points[members].mean(axis=0)
    distances = ((points[members] - centre) ** 2).sum(axis=1)
    means = shares[members].mean(axis=0)
    return Cluster(
        names,
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
