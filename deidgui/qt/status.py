"""Which running work the foot of the window shows, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from deidgui.app.jobs import Lane
from deidgui.qt.bars import Footer
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.activity import Activity
    from deidgui.app.workspace import Workspace

QUIET_S = 0.3
"""Work that ends sooner is not worth a word."""

IMPORTANCE: tuple[str, ...] = (
    Lane.EXPORT,
    Lane.ALTERNATIVES,
    Lane.LATTICE,
    Lane.READ,
    Lane.MEASURE,
    Lane.CLASSES,
    Lane.BASIS,
)
"""Of several lanes the first of these is shown."""


class LaneStatus(QObject):
    """Follows the workspace's activity and shows the most important lane."""

    def __init__(self, workspace: Workspace, footer: Footer) -> None:
        super().__init__(footer)
        self._workspace, self._footer = workspace, footer
        self._busy: dict[str, Activity] = {}
        workspace.activity.connect(self._on_activity)
        footer.cancel_clicked.connect(self._on_cancel_clicked)

    @property
    def lane(self) -> str | None:
        """The lane that is shown, if any."""
        known = [lane for lane in IMPORTANCE if lane in self._busy]
        others = [lane for lane in self._busy if lane not in IMPORTANCE]
        return next(iter([*known, *others]), None)

    @property
    def busy_lanes(self) -> tuple[str, ...]:
        """All lanes that have work."""
        return tuple(self._busy)

    def words(self, lane: str) -> str:
        """What a lane does, in words."""
        known: dict[str, str] = {
            Lane.READ: tr("Reading the file"),
            Lane.CLASSES: tr("Counting groups of records"),
            Lane.LATTICE: tr("Searching for policies"),
            Lane.ALTERNATIVES: tr("Discovering alternatives"),
            Lane.BASIS: tr("Applying the rule to this file"),
            Lane.MEASURE: tr("Measuring risk and quality"),
            Lane.EXPORT: tr("Writing and checking the release"),
        }
        return known.get(lane, tr("Working"))

    def _on_activity(self, activity: Activity) -> None:
        if activity.fraction is None:
            self._busy.pop(activity.lane, None)
        else:
            self._busy[activity.lane] = activity
        shown = self.lane
        if shown is None:
            self._footer.status_line.set_idle()
            return
        now = self._busy[shown]
        if now.elapsed_s >= QUIET_S:
            self._footer.status_line.set_progress(
                self.words(shown),
                now.fraction,
                now.elapsed_s,
                foretells=now.foretells,
            )

    def _on_cancel_clicked(self) -> None:
        if (lane := self.lane) is not None:
            self._workspace.cancel(lane)
