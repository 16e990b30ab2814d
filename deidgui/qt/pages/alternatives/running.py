"""What a running search has found so far, with progress and a way to stop it."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.activity import Activity
from deidgui.app.policies.alternatives import AlternativePolicies
from deidgui.qt.widgets import ProgressCard
from deidgui.text import tr


class RunningCard(QWidget):
    """Progress of a discovery."""

    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = ProgressCard(tr("Looking for alternatives"), can_pause=False)
        self.card.cancel_clicked.connect(self.cancel_clicked)
        self._found: AlternativePolicies | None = None
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.card)

    def begin(self) -> None:
        """Forget what an earlier search had found."""
        self._found = None
        self.card.set_progress(0.0, tr("Starting"))

    def show_found(self, found: AlternativePolicies) -> None:
        """Count what has been found so far."""
        self._found = found

    def show_activity(self, activity: Activity) -> None:
        """Show how far the search is."""
        words = self._words(activity)
        self.card.set_progress(activity.fraction, words, activity.elapsed_s)

    def _words(self, activity: Activity) -> str:
        if self._found is None:
            stage = re.split(r"\W", activity.note, maxsplit=1)[0]
            known = {
                "hierarchies": tr("Building hierarchies"),
                "classes": tr("Counting distinct combinations"),
                "people": tr("Counting people"),
            }
            return known.get(stage, tr("Evaluating policies"))
        words = tr("{n:,} alternatives so far. Stopping keeps them.")
        return words.format(n=len(self._found))
