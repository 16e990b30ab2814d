"""How long do building, encoding, counting and editing a large hierarchy take?

Option: a number of distinct values, 100,000 by default. Processor seconds.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from deidgui.engine.data import hierarchy_edit
from deidgui.engine.data.hierarchy_build import build_hierarchy
from deidgui.engine.data.hierarchy_draft import Draft, records_by_row
from deidgui.engine.data.hierarchy_io import hierarchy_csv, read_hierarchy
from deidgui.engine.data.hierarchy_problems import problems
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import Intervals


def run(arguments: list[str]) -> dict[str, Any]:
    """Time every step on a column of distinct numbers."""
    n_values = int(arguments[0]) if arguments else 100_000
    texts = [f"{number:08d}" for number in range(n_values)]
    column = Column("x", np.arange(n_values, dtype=np.int32), pl.Series(texts))
    hierarchy = build_hierarchy(column, Intervals())
    draft = Draft.from_hierarchy(hierarchy)
    data = hierarchy_csv(hierarchy)
    steps: dict[str, Callable[[], object]] = {
        "build": lambda: build_hierarchy(column, Intervals()),
        "encode": lambda: hierarchy.encode(texts),
        "rename a group": lambda: hierarchy_edit.rename_group(draft, 1, "0-4", "x"),
        "move a group": lambda: hierarchy_edit.move_group(draft, 1, "0-4", 2, "10-19"),
        "records by row": lambda: records_by_row(draft, column),
        "problems": lambda: problems(draft, column),
        "write": lambda: hierarchy_csv(hierarchy),
        "read": lambda: read_hierarchy(data, "x"),
    }
    seconds = {name: round(_seconds(step), 4) for name, step in steps.items()}
    return {"values": n_values, "seconds": seconds}


def _seconds(step: Callable[[], object]) -> float:
    started = time.process_time()
    step()
    return time.process_time() - started
