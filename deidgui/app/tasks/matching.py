"""How well does the population that a project names fit its records?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deidgui.app.project import Project
from deidgui.app.tasks.classes import HierarchyCache, build_hierarchies, typed_table
from deidgui.app.tasks.population import register_of
from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.grouping import joint_keys
from deidgui.engine.data.population import Register
from deidgui.engine.data.table import Table
from deidgui.errors import DeidError, ProblemsError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class PopulationMatch:
    """What is known of a population's file, and what is wrong with it.

    Parameters
    ----------
    problems : tuple of DeidError
        Why it cannot be used; the figures are 0 then.
    n_people : int
    n_cells : int
        Combinations of quasi-identifiers with people.
    n_records : int
        Records of the table.
    n_matched : int
        Records whose combination has at least as many people as records.
    """

    problems: tuple[DeidError, ...] = ()
    n_people: int = 0
    n_cells: int = 0
    n_records: int = 0
    n_matched: int = 0

    @property
    def n_unmatched(self) -> int:
        """Records that the population lacks."""
        return self.n_records - self.n_matched


def match_population(
    project: Project,
    table: Table,
    files: Mapping[str, bytes],
    population: Table,
    *,
    cache: HierarchyCache | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationMatch:
    """See whether a population's file can be used, and count what it holds.

    Parameters
    ----------
    project : Project
        Its population is a register or counts.
    table : Table
        All columns as read.
    files : mapping of str to bytes
        Hierarchy CSVs by relative path.
    population : Table
    cache : HierarchyCache, optional
    monitor : Monitor, optional

    Returns
    -------
    PopulationMatch
        Also if the file cannot be used: `problems` says why.
    """
    try:
        typed = typed_table(project, table)
        step = SubMonitor(monitor, 0.0, 0.4)
        built = build_hierarchies(
            project, typed, files, population, cache, monitor=step
        )
        register = register_of(
            project.privacy.population,
            population,
            built.people,
            built.quasi_identifiers,
            monitor=SubMonitor(monitor, 0.4, 0.7),
        )
        class_table = build_class_table(
            typed, built.quasi_identifiers, monitor=SubMonitor(monitor, 0.7, 1.0)
        )
    except DeidError as problem:
        problems = (
            problem.problems if isinstance(problem, ProblemsError) else (problem,)
        )
        return PopulationMatch(problems)
    return PopulationMatch(
        n_people=register.n_people,
        n_cells=len(register.counts),
        n_records=class_table.n_records,
        n_matched=_matched(class_table, register),
    )


def _matched(class_table: ClassTable, register: Register) -> int:
    """Count the records whose combination has as many people as records, or more."""
    n_classes = class_table.n_classes
    leaves = np.concatenate([class_table.leaves, register.leaves])
    columns = [leaves[:, place] for place in range(leaves.shape[1])]
    sizes = [hierarchy.n_leaves for hierarchy in class_table.hierarchies]
    keys, _ = joint_keys(len(leaves), columns, sizes)
    own, of_cell = keys[:n_classes], keys[n_classes:]
    order = np.argsort(of_cell)
    at = np.minimum(np.searchsorted(of_cell[order], own), len(order) - 1)
    is_known = of_cell[order][at] == own
    people = np.where(is_known, register.counts[order][at], 0)
    return int(class_table.counts[people >= class_table.counts].sum())
