"""Figures of columns, computed beside the window and kept while they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from deidgui.app.jobs import Job, Lane
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import ColumnSummary, summarise_columns
from deidgui.engine.data.table import Table
from deidgui.errors import DeidError

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

CELLS_AT_ONCE = 4_000_000
"""Cells of one job: its columns are shown together, some tenths of a second."""

MOST_AT_ONCE = 40

Key = tuple[str, str, str | None, tuple[str, ...]]


def _key(attribute: Attribute) -> Key:
    return attribute.name, attribute.kind, attribute.format, attribute.missing


class Summaries(QObject):
    """Figures of the columns of the session's table, some columns at a time.

    Parameters
    ----------
    lane : Lane
        Of its jobs.

    Attributes
    ----------
    found : Signal of tuple of str
        Columns whose figures are known now.
    """

    found = Signal(object)

    def __init__(
        self, workspace: Workspace, lane: Lane, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace, self._lane = workspace, lane
        self._table: Table | None = None
        self._known: dict[Key, ColumnSummary | None] = {}
        self._waiting: list[Attribute] = []
        self._is_running = False

    def get(self, attribute: Attribute) -> ColumnSummary | None:
        """Figures of a column; None while they are not known."""
        return self._known.get(_key(attribute))

    def follow(self, attributes: Iterable[Attribute]) -> None:
        """Compute what is not known of some columns, in this order."""
        loaded = self._workspace.session.loaded
        table = loaded.table if loaded else None
        if table is not self._table:
            self._known.clear()
            self._table = table
            self._is_running = False
        names = set(table.column_names) if table else set()
        self._waiting = [
            each
            for each in attributes
            if each.name in names and _key(each) not in self._known
        ]
        if not self._is_running:
            self._go_on()

    def _go_on(self) -> None:
        table = self._table
        if not self._waiting or table is None:
            return
        n_columns = max(1, CELLS_AT_ONCE // max(table.n_rows, 1))
        n_columns = min(n_columns, MOST_AT_ONCE)
        part = tuple(self._waiting[:n_columns])
        del self._waiting[:n_columns]
        self._is_running = True

        def done(figures: dict[str, ColumnSummary]) -> None:
            self._take(table, part, figures)

        def failed(error: BaseException) -> None:
            self._take(table, part, {})
            if not isinstance(error, DeidError):
                self._workspace.problem(error, self._lane)

        job = Job(on_done=done, on_failed=failed)
        self._workspace.runner.start(
            self._lane,
            lambda monitor: summarise_columns(table, part, monitor=monitor),
            job,
        )

    def _take(
        self,
        table: Table,
        part: tuple[Attribute, ...],
        figures: dict[str, ColumnSummary],
    ) -> None:
        if table is not self._table:
            return
        for attribute in part:
            self._known[_key(attribute)] = figures.get(attribute.name)
        self._is_running = False
        self.found.emit(tuple(attribute.name for attribute in part))
        self._go_on()
