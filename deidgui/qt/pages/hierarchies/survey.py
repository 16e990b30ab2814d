"""How the hierarchies of all quasi-identifiers stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from deidgui.app import ops
from deidgui.app.demands import with_hierarchy
from deidgui.app.hierarchies.editing import Summary, sizes_of, survey
from deidgui.app.jobs import Job
from deidgui.app.project import Attribute, HierarchyChoice
from deidgui.app.reading.reading import propose_hierarchy
from deidgui.app.session import Kind
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.models.hierarchy_list import Entry
from deidgui.qt.pages.hierarchies.words import sizes_words, source_words
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

SURVEY, PROPOSE = "hierarchy-survey", "hierarchy-propose"
"""Lanes: looking at all hierarchies, proposing those that are missing."""


@dataclass(frozen=True)
class Key:
    """What a hierarchy rests on; equal only if nothing has changed.

    Parameters
    ----------
    column : int
        Tells one table that was read from another.
    choice : str
        The choice as it is stored.
    """

    name: str
    column: int
    missing: tuple[str, ...]
    choice: str


class Survey(QObject):
    """Sizes and problems of hierarchies, looked at once and kept.

    Attributes
    ----------
    changed : Signal
        More is known than before.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._summaries: dict[Key, Summary] = {}

    def key(self, attribute: Attribute) -> Key:
        """Return what the hierarchy of an attribute rests on now."""
        loaded, choice = self._session.loaded, attribute.hierarchy
        column = 0
        if loaded is not None and attribute.name in loaded.table.column_names:
            column = id(loaded.table.column(attribute.name).codes)
        stored = choice.model_dump_json() if choice else ""
        return Key(attribute.name, column, attribute.missing, stored)

    def take(self, key: Key, summary: Summary) -> None:
        """Remember what somebody else has found."""
        self._summaries[key] = summary

    def n_problems(self, quasi: Sequence[Attribute]) -> int:
        """Hierarchies that are known not to be usable."""
        found = (self._summaries.get(self.key(each)) for each in quasi)
        return sum(each is not None and each.problem is not None for each in found)

    def entry(self, attribute: Attribute) -> Entry:
        """Return the line of the list for an attribute."""
        summary = self._summaries.get(self.key(attribute), Summary())
        words = self._problem_words(summary.problem) if summary.problem else ""
        source = source_words(attribute.hierarchy)
        if attribute.role == "sensitive":
            # It is never made coarser: it tells t-closeness which values are alike.
            source = tr("sensitive · {source}", source=source)
        return Entry(attribute.name, source, sizes_words(summary.sizes), words)

    def _problem_words(self, problem: DeidError) -> str:
        return {
            "hierarchy_missing": tr("choose a rule"),
            "hierarchy_gap": tr("values without a place"),
            "hierarchy_not_nested": tr("group in two groups"),
            "hierarchy_duplicate_leaf": tr("value twice"),
            "hierarchy_file_missing": tr("file is missing"),
            "template_value": tr("rule cannot read it"),
        }.get(problem.code, tr("needs a look"))

    def take_known_sizes(self, quasi: Sequence[Attribute]) -> None:
        """Take over what the count of the classes has built."""
        classes = self._session.current(Kind.CLASSES)
        hierarchies = classes.hierarchies if classes else {}
        for attribute in quasi:
            if attribute.name in hierarchies:
                self.take(self.key(attribute), sizes_of(hierarchies[attribute.name]))

    def look(self, quasi: Sequence[Attribute]) -> None:
        """Look at the hierarchies nobody has looked at yet."""
        keys = {attribute.name: self.key(attribute) for attribute in quasi}
        self._summaries = {
            key: each for key, each in self._summaries.items() if key in keys.values()
        }
        unknown = [a for a in quasi if keys[a.name] not in self._summaries]
        loaded = self._session.loaded
        if not unknown or loaded is None:
            return
        files = dict(self._session.hierarchy_files)

        def work(monitor: Monitor) -> dict[str, Summary]:
            return survey(unknown, loaded, files, monitor=monitor)

        def done(found: dict[str, Summary]) -> None:
            for name, summary in found.items():
                self.take(keys[name], summary)
            self.changed.emit()

        self._workspace.runner.start(SURVEY, work, Job(done, self._on_failed))

    def propose_missing(self, quasi: Sequence[Attribute]) -> None:
        """Take over the proposal for columns that became quasi-identifiers."""
        without = [attribute for attribute in quasi if attribute.hierarchy is None]
        loaded, runner = self._session.loaded, self._workspace.runner
        if not without or loaded is None or runner.running(PROPOSE):
            return

        def work(_monitor: Monitor) -> dict[str, HierarchyChoice | None]:
            return {a.name: propose_hierarchy(loaded, a) for a in without}

        def done(found: dict[str, HierarchyChoice | None]) -> None:
            for attribute in with_hierarchy(self._session.project):
                choice = found.get(attribute.name)
                if attribute.hierarchy is None and choice is not None:
                    op = ops.set_hierarchy(attribute.name, choice.rule, choice.csv)
                    self._session.amend(op)

        runner.start(PROPOSE, work, Job(done, self._on_failed))

    def _on_failed(self, error: BaseException) -> None:
        self._workspace.problem(error, SURVEY)
