"""The people of the last decisions, to be used again while these are the same."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from deidgui.app.population.tables import PopulationSource
from deidgui.app.project import Project
from deidgui.engine.arrays import Int32Array
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.population.over_leaves import LeafPopulation
from deidgui.monitor import Monitor

_Source = tuple[object, list[weakref.ref[Int32Array]], PopulationSource]
_Placed = tuple[object, tuple[object, ...], LeafPopulation]
"""What decides something, and the thing itself."""

WAIT_S = 0.05
"""How often whoever waits for another job's people looks whether to stop."""


class PopulationCache:
    """The last table of people, and the last people over leaves.

    Two jobs that want the same (classes, and how records are found) do not both
    count: the second waits for the first.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._source: _Source | None = None
        self._placed: _Placed | None = None

    def forget(self) -> None:
        """Let the people of a project go that is left."""
        self._source = self._placed = None

    def source(
        self,
        project: Project,
        columns: Sequence[Column],
        population: Table | None,
        make: Callable[[], PopulationSource],
        monitor: Monitor,
    ) -> PopulationSource:
        """Return the people that a project means, made only if something changed.

        Parameters
        ----------
        columns : sequence of Column
            The quasi-identifiers, missing values marked.
        make : callable
            Makes them.
        monitor : Monitor
            Told while another job is waited for.
        """
        key = _source_key(project, population)
        codes = [column.codes for column in columns]
        with self._alone(monitor):
            if self._source is not None:
                known, refs, source = self._source
                is_same = len(refs) == len(codes) and all(
                    ref() is each for ref, each in zip(refs, codes, strict=True)
                )
                if known == key and is_same:
                    return source
            made = make()
            self._source = key, [weakref.ref(each) for each in codes], made
            return made

    def placed(
        self,
        project: Project,
        source: PopulationSource,
        hierarchies: Sequence[Hierarchy],
        make: Callable[[], LeafPopulation],
        monitor: Monitor,
    ) -> LeafPopulation:
        """Return the people over leaves, counted only if something changed.

        Parameters
        ----------
        hierarchies : sequence of Hierarchy
            Of the quasi-identifiers.
        make : callable
            Counts them.
        """
        # A confirmed mapping is a file whose name tells its content.
        key = project.privacy.population.model_dump_json(include={"matches"})
        parts: tuple[object, ...] = (source, *hierarchies)
        with self._alone(monitor):
            if self._placed is not None:
                known, before, placed = self._placed
                is_same = len(before) == len(parts) and all(
                    one is other for one, other in zip(before, parts, strict=True)
                )
                if known == key and is_same:
                    return placed
            made = make()
            self._placed = key, parts, made
            return made

    @contextmanager
    def _alone(self, monitor: Monitor) -> Iterator[None]:
        """Wait for another job, ready to be stopped meanwhile."""
        while not self._lock.acquire(timeout=WAIT_S):
            monitor.report(0.0, "population")
        try:
            yield
        finally:
            self._lock.release()


def _source_key(project: Project, population: Table | None) -> object:
    """All that decides a table of people but the columns' values."""
    choice, quasi = project.privacy.population, project.quasi_identifiers
    targets = [
        (each.name, match and match.target)
        for each in quasi
        for match in [choice.matches.get(each.name)]
    ]
    return (
        choice.model_dump_json(exclude={"matches"}),
        targets,
        [(each.name, each.topic, each.missing) for each in quasi],
        id(population),
    )
