"""Compiles the code of the discovery before the first one needs it."""

from __future__ import annotations

import numpy as np

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.discover.cells import count_cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.frontier import RiskAndLoss, sublattice_search
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.space import Space


def warm_up() -> None:
    """Compile the kernels, or load them from the cache, on a tiny table.

    Takes some seconds the first time after an installation, then far less than
    one. Meant for a worker thread at the start of the program.
    """
    hierarchies = tuple(
        Hierarchy.from_grid(name, [("a", "*"), ("b", "*"), ("c", "*")]) for name in "xy"
    )
    leaves = np.array([[0, 0], [0, 1], [2, 1]], dtype=np.int32)
    counts = np.array([2, 1, 3], dtype=np.int64)
    table = ClassTable(hierarchies, leaves, counts, {}, Register(leaves, counts))
    space = Space(tuple(map(Domain.of, hierarchies)))
    measure = RiskMeasure(count_cells(space, table))
    sublattice_search(RiskAndLoss(measure), 8)
