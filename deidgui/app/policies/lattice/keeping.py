"""The best policy among those that keep something of every quasi-identifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.engine.search.branch_and_bound import Optimum, find_optimum
from deidgui.engine.search.lattice import Lattice
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

FIRST_SHARE = 0.5
"""Part of the progress that the smaller search takes if it finds nothing."""


@dataclass(frozen=True, eq=False)
class Wanted:
    """Thresholds, and what decides among the policies that meet them.

    Parameters
    ----------
    limit : float in [0, 1]
        Share of records that may be suppressed.
    keeping : mapping of str to int
        Highest level by attribute at which something of it is kept; policies above
        are only searched if no other one meets the thresholds.
    """

    class_table: ClassTable
    models: Sequence[PrivacyModel]
    limit: float
    measure: QualityMeasure
    weights: Mapping[str, float]
    keeping: Mapping[str, int]

    def best_of(
        self,
        lattice: Lattice,
        *,
        most_nodes: int | None = None,
        on_progress: Callable[[Optimum], None] | None = None,
        monitor: Monitor = NULL_MONITOR,
    ) -> Optimum:
        """Find the best policy of a lattice, and prove it.

        Returns
        -------
        Optimum
            What it proves is about all policies that keep something, or about all of
            the lattice if none of these meets the thresholds.

        Raises
        ------
        ConfigError, InputError
            As `find_optimum`.
        """

        def best(part: Lattice, step: Monitor) -> Optimum:
            found = find_optimum(
                self.class_table,
                self.models,
                self.limit,
                self.measure,
                self.weights,
                *limits_of(part, self.class_table),
                most_nodes=most_nodes,
                on_progress=tell,
                monitor=step,
            )
            return replace(found, n_nodes=lattice.n_nodes)

        def tell(known: Optimum) -> None:
            if on_progress is not None:
                on_progress(replace(known, n_nodes=lattice.n_nodes))

        part = limited(lattice, self.class_table, self.keeping)
        if part is None:
            return best(lattice, monitor)
        first = best(part, SubMonitor(monitor, 0.0, FIRST_SHARE))
        if first.levels is not None:
            return first
        every = best(lattice, SubMonitor(monitor, FIRST_SHARE, 1.0))
        looked_at = first.n_looked_at + every.n_looked_at
        if not first.is_proven and every.levels is not None:
            # A policy that keeps more may have been missed.
            every = replace(every, is_proven=False, gap=None)
        return replace(every, n_looked_at=looked_at)


def limits_of(
    lattice: Lattice, class_table: ClassTable
) -> tuple[dict[str, int], dict[str, int]]:
    """Lowest and highest level of a lattice by attribute."""
    names = class_table.attributes
    return (
        dict(zip(names, lattice.minimum, strict=True)),
        dict(zip(names, lattice.maximum, strict=True)),
    )


def limited(
    lattice: Lattice, class_table: ClassTable, keeping: Mapping[str, int]
) -> Lattice | None:
    """Return the part of a lattice that keeps something; None if it is no smaller.

    An attribute of which a part of the lattice keeps nothing is not limited.
    """
    limits = zip(class_table.attributes, lattice.minimum, lattice.maximum, strict=True)
    highest = tuple(
        high if keeping.get(name, high) < low else min(high, keeping.get(name, high))
        for name, low, high in limits
    )
    if highest == lattice.maximum:
        return None
    return Lattice(lattice.heights, lattice.minimum, highest)
