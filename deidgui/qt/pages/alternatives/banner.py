"""How what was found stands: out of date, or one of it is used."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.classes import Classes
from deidgui.app.measuring.measuring import Measured
from deidgui.app.policies.alternatives import AlternativePolicies
from deidgui.app.policies.runner import ALTERNATIVES
from deidgui.app.session import Kind, Session, State
from deidgui.qt.pages.alternatives.words import acceptance_words
from deidgui.qt.widgets import Callout, show_if
from deidgui.text import tr


class StandingBanner(Callout):
    """Says that results are out of date, or which sentence a release will state."""

    search_wanted = Signal()
    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._is_stale = False
        self.acted.connect(self._on_acted)

    def show_state(self, session: Session, found: AlternativePolicies | None) -> None:
        """Show how alternatives stand; hidden where there is nothing to say.

        Parameters
        ----------
        found : AlternativePolicies or None
            None hides it.
        """
        if found is None:
            show_if(self, False)
            return
        self._is_stale = session.state(ALTERNATIVES) is not State.CURRENT
        chosen = found.row_of(session.project.chosen)
        show_if(self, self._is_stale or chosen is not None)
        if self._is_stale:
            self.show_words(
                tr("These alternatives rest on earlier decisions."),
                "warning",
                tr("Search again to bring them up to date."),
                tr("Search again"),
            )
        elif chosen is not None:
            words = _acceptance(session, found, chosen)
            text = tr("You use this policy. {words}", words=words)
            action = tr("See risk and utility")
            self.show_words(text.strip(), "success", "", action)

    def _on_acted(self) -> None:
        if self._is_stale:
            self.search_wanted.emit()
        else:
            self.step_wanted.emit("utility")


def _acceptance(session: Session, found: AlternativePolicies, number: int) -> str:
    """As the release will state it; until it is measured, from what was found."""
    measured: Measured | None = session.current(Kind.MEASUREMENT)
    if measured is not None and measured.accepted is not None:
        return measured.accepted.words
    # While records are counted anew, after an undo, nothing can be said for sure.
    classes: Classes | None = session.current(Kind.CLASSES)
    return "" if classes is None else acceptance_words(classes, found, number)
