"""What keeps the thresholds from being used, looked at without holding the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from deidgui.app.demands import model_problem
from deidgui.app.jobs import Job
from deidgui.app.session import Kind
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.privacy import PrivacyModel
from deidgui.errors import DeidError
from deidgui.monitor import Monitor

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

CHECK = "model-check"
"""Lane in which models are compared with the classes of records."""

Found = dict[PrivacyModel, DeidError | None]
"""Problem by model."""


class ModelChecks(QObject):
    """Problems of the models: of the decisions at once, of the data when known.

    Attributes
    ----------
    changed : Signal
        More is known than before.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._class_table: ClassTable | None = None
        self._found: Found = {}

    def problems(self) -> tuple[DeidError | None, ...]:
        """Return the problem of each model of the project, as far as it is known."""
        project = self._session.project
        return tuple(
            model_problem(model, project) or self._found.get(model)
            for model in project.privacy.models
        )

    def look(self) -> None:
        """Compare the models with the present classes, unless that is known."""
        classes = self._session.current(Kind.CLASSES)
        class_table = classes.class_table if classes is not None else None
        if class_table is not self._class_table:
            self._class_table, self._found = class_table, {}
        project = self._session.project
        new = [
            model
            for model in project.privacy.models
            if model not in self._found and not model_problem(model, project)
        ]
        if class_table is None or not new:
            return

        def work(monitor: Monitor) -> Found:
            found: Found = {}
            for place, model in enumerate(new):
                monitor.report(place / len(new), "models")
                found[model] = model_problem(model, project, class_table)
            return found

        def done(found: Found) -> None:
            if self._class_table is class_table:
                self._found |= found
                self.changed.emit()

        self._workspace.runner.start(CHECK, work, Job(done, self._on_failed))

    def _on_failed(self, error: BaseException) -> None:
        self._workspace.problem(error, CHECK)
