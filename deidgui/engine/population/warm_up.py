"""Compiles the code that counts people before it is needed."""

from __future__ import annotations

import numpy as np

from deidgui.engine.data.grouping import FEW_KEYS, group_keys, sums_by_group
from deidgui.engine.population.splitting import split_counts


def warm_up() -> None:
    """Compile the kernels, or load them from the cache, on little data.

    Takes some seconds the first time after an installation, then far less than
    one. Meant for a worker thread at the start of the program.
    """
    keys = np.arange(FEW_KEYS + 1, dtype=np.int64)[::-1].copy()
    _, of_key = group_keys(keys, len(keys))
    sums_by_group(of_key, keys, len(keys))
    one = np.ones(1, dtype=np.int64)
    split_counts(one, one - 1, one, one)
