"""How well does the population that a project names fit its records?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deidgui.app.classes import HierarchyCache
from deidgui.app.matching.proposing import propose_matching
from deidgui.app.project import Project
from deidgui.engine.data.table import Table
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True)
class PopulationMatch:
    """What is known of a population's file, and what is wrong with it.

    Parameters
    ----------
    problems : tuple of DeidError
        Why it cannot be used; the figures are 0 then.
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
    population: Table | None,
    *,
    cache: HierarchyCache | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationMatch:
    """See whether a population can be used, and count what it holds.

    Parameters
    ----------
    table : Table
        All columns as read.
    files : mapping of str to bytes
        CSVs of hierarchies and mappings by relative path.
    population : Table or None
        The population's file.

    Returns
    -------
    PopulationMatch
        Also if it cannot be used: `problems` says why.
    """
    found = propose_matching(
        project, table, files, population, cache=cache, monitor=monitor
    )
    if found.people is None:
        return PopulationMatch(found.all_problems)
    seen = found.people.coverage
    return PopulationMatch(
        n_people=found.n_people,
        n_cells=found.n_cells,
        n_records=seen.n_records,
        n_matched=seen.n_records - seen.n_records_raised,
    )
