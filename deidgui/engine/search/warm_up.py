"""Compiles the code of the searches before the first search needs it."""

from __future__ import annotations

import numpy as np

from deidgui.engine.data.class_table import ClassTable, count_values
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column
from deidgui.engine.privacy.distinct_l_diversity import DistinctLDiversity
from deidgui.engine.privacy.entropy_l_diversity import EntropyLDiversity
from deidgui.engine.privacy.k_anonymity import KAnonymity
from deidgui.engine.privacy.t_closeness import EqualTCloseness
from deidgui.engine.quality.ambiguity import Ambiguity
from deidgui.engine.quality.loss import Loss
from deidgui.engine.quality.non_uniform_entropy import NonUniformEntropy
from deidgui.engine.search.branch_and_bound import find_optimum
from deidgui.engine.search.profile import build_profile


def warm_up() -> None:
    """Compile the kernels, or load them from the cache, on a tiny lattice.

    Takes some seconds the first time after an installation, then far less than
    one. Meant for a worker thread at the start of the program.
    """
    hierarchies = tuple(
        Hierarchy.from_grid(name, [("a", "*"), ("b", "*")]) for name in ("x", "y")
    )
    leaves = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    column = Column.from_texts("s", ["0", "1", "0", "1", "1", "0"])
    of_record = np.array([0, 0, 1, 2, 2, 2])
    table = ClassTable(
        hierarchies,
        leaves,
        np.array([2, 1, 3], dtype=np.int64),
        {"s": count_values(column, of_record, 3)},
    )
    build_profile(table, k_max=2, n_threads=1)
    for measure in (Loss(), NonUniformEntropy(), Ambiguity()):
        find_optimum(table, [KAnonymity(2)], 1.0, measure, n_threads=1)
    conditions = [
        DistinctLDiversity("s", 2),
        EntropyLDiversity("s", 1.5),
        EqualTCloseness("s", 0.2),
    ]
    asks = NonUniformEntropy.asks
    build_profile(table, conditions=conditions, k_max=2, asks=asks, n_threads=1)
    find_optimum(table, conditions, 1.0, Loss(), n_threads=1)
