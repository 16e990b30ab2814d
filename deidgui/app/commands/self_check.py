"""Does this installation compute what it should? Ten seconds, no files left."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from deidgui import __version__, resources
from deidgui.app.commands import demo
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.privacy import KAnonymity
from deidgui.engine.quality import Loss
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.text import tr

TABLE = (
    (34, "M"),
    (22, "F"),
    (66, "M"),
    (70, "M"),
    (35, "F"),
    (21, "M"),
    (18, "F"),
    (19, "F"),
)
"""Ages and sexes of the first table of Kohlmayer et al. (2015)."""


def run() -> dict[str, Any]:
    """Check resources, the search against a known optimum, and the whole job.

    Returns
    -------
    dict
        ``ok``, ``version``, and each check with its seconds and, if it failed,
        the kind of error.
    """
    checks: list[tuple[str, Callable[[], None]]] = [
        ("resources", _check_resources),
        (tr("search finds the known optimum"), _check_search),
        (tr("whole job on the sample"), _check_job),
    ]
    results = []
    for name, check in checks:
        started, error = time.monotonic(), ""
        try:
            check()
        except Exception as caught:  # noqa: BLE001 - a check reports, never fails
            error = type(caught).__name__
        seconds = round(time.monotonic() - started, 2)
        results.append(
            {"check": name, "ok": not error, "error": error, "seconds": seconds}
        )
    return {
        "ok": all(each["ok"] for each in results),
        "version": __version__,
        "checks": results,
    }


def _check_resources() -> None:
    for parts in (("samples", resources.SAMPLE), ("codes",), ("help",), ("schema",)):
        if not resources.path(*parts).exists():
            raise FileNotFoundError(parts[-1])


def _check_search() -> None:
    """2-anonymity without suppression: ages in 20 years, sex kept (O-B5)."""
    ages = [str(age) for age, _ in TABLE]
    table = Table(
        "check",
        (
            Column.from_texts("age", ages),
            Column.from_texts("sex", [sex for _, sex in TABLE]),
        ),
    )
    grid = [(a, f"{int(a) // 20 * 20}", "*") for a in sorted(set(ages))]
    hierarchies = [
        Hierarchy.from_grid("age", grid),
        Hierarchy.from_grid("sex", [("F", "*"), ("M", "*")]),
    ]
    class_table = build_class_table(table, hierarchies)
    result = search_lattice(class_table, [KAnonymity(k=2)], 0.0, Loss())
    if result.optimum is None or result.levels(result.optimum) != {"age": 1, "sex": 0}:
        raise ArithmeticError
    if not np.isclose(result.n_solutions, 4):
        raise ArithmeticError


def _check_job() -> None:
    with tempfile.TemporaryDirectory() as folder:
        outcome = demo.run(Path(folder) / "release")
    if not outcome["verified"]:
        raise ArithmeticError
