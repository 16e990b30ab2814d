"""Search over the levels of people and of their events: LOLA.

The lattice and its tagging are those of OLA; whether a node is a solution is estimated
from draws of what an adversary knows, the same draws at every node. Then generalization
never lowers a match size, and tagging is as valid as where classes are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.matching import Matcher
from deidgui.engine.longitudinal.risk import Exposure, ShareAtRisk, share_at_risk
from deidgui.engine.longitudinal.ways import ways_known
from deidgui.engine.search.lattice import Lattice, Levels, lattice_of
from deidgui.engine.search.ola import minimal_nodes
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True, eq=False)
class LolaResult:
    """Every node tagged, those looked at with their share of people at risk.

    Parameters
    ----------
    shares : mapping of int to ShareAtRisk
        By node, of those that were looked at.
    is_solution : ndarray of bool, shape (n_nodes,)
    minimal : ndarray of int64, ascending
        Solutions with no solution below them.
    losses : ndarray of float64, shape (n_nodes,), each in [0, 1]
        `loss_by_level` of every node.
    optimum : int or None
        The solution that loses least; of equal ones the first. None if no node meets
        the limit.
    """

    lattice: Lattice
    shares: Mapping[int, ShareAtRisk]
    is_solution: BoolArray
    minimal: IntArray
    losses: FloatArray
    optimum: int | None

    @property
    def n_undecided(self) -> int:
        """Nodes whose interval holds the limit: their mean alone decided."""
        return sum(not each.is_decided for each in self.shares.values())


@dataclass(eq=False)
class NodeCheck:
    """Looks at nodes of a lattice, each at most once.

    Parameters
    ----------
    shares : dict of int to ShareAtRisk
        What is known; a search goes on from it.
    also : callable, optional
        Receives the levels of a node with few enough people at risk and says whether
        it meets everything else, too. Must be monotone as in `minimal_nodes`.
    on_looked : callable, optional
        Called after a node has been looked at.
    monitor : Monitor, optional
        Asked while a node is looked at whether to stop.
    """

    history: History
    powers: Int32Array
    asked: Exposure
    lattice: Lattice
    shares: dict[int, ShareAtRisk] = field(default_factory=dict)
    also: Callable[[Levels], bool] | None = None
    on_looked: Callable[[], None] | None = None
    monitor: Monitor = NULL_MONITOR
    _allowed: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._matcher = Matcher(self.history)
        self._ways = ways_known(self.history, self.powers)
        self._order = np.argsort(np.argsort(-rarity_bits(self.history), kind="stable"))

    def meets(self, levels: Levels) -> bool:
        """Whether few enough people are at risk at a node, and all else holds."""
        node = self.lattice.node(levels)
        is_new = node not in self.shares
        if is_new:
            self.shares[node] = share_at_risk(
                self.history,
                self._matcher.at(levels),
                self.powers,
                self.asked,
                ways=self._ways,
                order=self._order,
                only_decide=True,
                monitor=self.monitor,
            )
        is_met = self.is_met(node)
        if is_new and self.on_looked is not None:
            self.on_looked()
        return is_met

    def is_met(self, node: int) -> bool:
        """Whether all that is asked holds at a node that was looked at."""
        if not self.shares[node].meets or self.also is None:
            return self.shares[node].meets
        if node not in self._allowed:
            self._allowed[node] = self.also(self.lattice.levels_of(node))
        return self._allowed[node]


def lola(
    check: NodeCheck,
    weights: Mapping[str, float] | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LolaResult:
    """Find the least general policies under which few enough people are at risk.

    Parameters
    ----------
    check : NodeCheck
        What it knows of nodes already is not looked at again; it knows more after a
        search that was cancelled, too.
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute; 1 for those that are absent.

    Raises
    ------
    ConfigError
        As `share_at_risk`.
    ResourceError
        Code ``lattice_too_large``.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33, "LOLA"; methods.md E.7.
    """
    lattice = check.lattice
    found = minimal_nodes(lattice, check.meets, monitor=monitor)
    losses = node_losses(check.history, lattice, weights or {})
    optimum = None
    if len(found.nodes):
        # Loss rises with generalization: the best solution is a minimal one.
        optimum = int(found.nodes[np.argmin(losses[found.nodes])])
    return LolaResult(
        lattice, check.shares, found.is_solution, found.nodes, losses, optimum
    )


def lattice_of_history(
    history: History,
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
) -> Lattice:
    """Return the lattice over the attributes of people and of their events.

    Raises
    ------
    ConfigError
        As `lattice_of`.
    """
    return lattice_of(history.hierarchies, minimum, maximum)


def node_losses(
    history: History, lattice: Lattice, weights: Mapping[str, float]
) -> FloatArray:
    """Loss of every node: the weighted mean of its attributes' `loss_by_level`.

    Parameters
    ----------
    weights : mapping of str to float in [0, 1]

    Returns
    -------
    ndarray of float64, shape (n_nodes,), each in [0, 1]
    """
    return summed_losses(weighted_losses(history, weights), lattice.levels())


def weighted_losses(
    history: History, weights: Mapping[str, float]
) -> tuple[FloatArray, ...]:
    """Return what each attribute adds to the loss of a node at each level.

    Parameters
    ----------
    weights : mapping of str to float in [0, 1]
        Importance by attribute; 1 for those that are absent.

    Returns
    -------
    tuple of ndarray of float64, each of shape (n_levels,), each in [0, 1]
    """
    own = np.array([weights.get(each.attribute, 1.0) for each in history.hierarchies])
    total = own.sum() or 1.0
    by_level = loss_by_level(history)
    return tuple(w * each / total for w, each in zip(own, by_level, strict=True))


def summed_losses(parts: Sequence[FloatArray], levels: IntArray) -> FloatArray:
    """Add up what the attributes add to the loss of some nodes.

    Parameters
    ----------
    parts : sequence of ndarray of float64
        As of `weighted_losses`.
    levels : ndarray of int64, shape (n, n_attributes)
    """
    total = np.zeros(len(levels))
    for place, part in enumerate(parts):
        total += part[levels[:, place]]
    return total


def loss_by_level(history: History) -> tuple[FloatArray, ...]:
    """Non-uniform entropy of each attribute at each level, as a share of its most.

    Returns
    -------
    tuple of ndarray of float64, each of shape (n_levels,), each in [0, 1]
        Counted over people for what stands of them once, over the events of their
        kind for the others;
        1 for one value in place of all.

    References
    ----------
    .. [1] A. de Waal, L. Willenborg (1999), *Information loss through global recoding
       and local suppression*; methods.md B.4 and E.7.
    """
    return tuple(
        _losses(hierarchy, leaves)
        for hierarchy, leaves in zip(history.hierarchies, history.columns, strict=True)
    )


def rarity_bits(history: History) -> FloatArray:
    """How easily each person is recognised by the rarest of their values.

    Returns
    -------
    ndarray of float64, shape (n_people,), each >= 0
        Bits, added up over the attributes: -log2 of the share of people who have it.
    """
    n, bits = history.n_people, np.zeros(history.n_people)
    for leaves in history.person_leaves.T:
        bits -= np.log2(np.bincount(leaves)[leaves] / n)
    for place in range(len(history.event_hierarchies)):
        found = history.value_counts(place)
        rarest = np.full(n, n)
        np.minimum.at(rarest, found.people, found.n_people_with[found.values])
        bits -= np.log2(rarest / n)
    return bits


def _losses(hierarchy: Hierarchy, leaves: AnyArray) -> FloatArray:
    marginal = np.bincount(leaves, minlength=hierarchy.n_leaves)
    own, every = _n_log_n(marginal), _n_log_n(marginal.sum(keepdims=True))
    if every == own:
        return np.zeros(len(hierarchy.levels))
    sums = [
        _n_log_n(np.bincount(step.groups, marginal, step.n_groups))
        for step in hierarchy.levels
    ]
    return np.clip((np.array(sums) - own) / (every - own), 0.0, 1.0)


def _n_log_n(counts: AnyArray) -> float:
    present = counts[counts > 0].astype(np.float64)
    return float(np.sum(present * np.log2(present)))
