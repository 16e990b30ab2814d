"""What keeps a hierarchy from being used, each with one click that mends it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.engine.data.hierarchy_problems import Problem
from deidgui.errors import DeidError, InputError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import Button, Callout, Caption, clear, row, show_if

MOST_SHOWN = 2
"""Problems with a box of their own; the rest is counted."""


class ProblemsBox(QWidget):
    """Boxes of problems; takes no room while there are none.

    Attributes
    ----------
    repair_wanted : Signal of Problem
    all_wanted : Signal
        Everything shall be repaired.
    proposal_wanted : Signal
        The hierarchy that cannot be opened shall be replaced.
    """

    repair_wanted = Signal(object)
    all_wanted = Signal()
    proposal_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(6)
        self.hide()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is shown."""
        return self._problems

    def show_problems(
        self, problems: Sequence[Problem], error: DeidError | None = None
    ) -> None:
        """Show other problems, or why the hierarchy cannot be opened at all."""
        clear(self._box)
        self._problems = tuple(problems)
        if error is not None:
            self._add_error(error)
        for problem in self._problems[:MOST_SHOWN]:
            self._add_problem(problem)
        if len(self._problems) > 1:
            self._add_all()
        show_if(self, bool(self._problems) or error is not None)

    def _add_error(self, error: DeidError) -> None:
        words = words_for(error)
        action = self.tr("Use the proposal")
        callout = Callout(words.what, "danger", words.mend, action)
        callout.acted.connect(self.proposal_wanted)
        self._box.addWidget(callout)

    def _add_problem(self, problem: Problem) -> None:
        words = words_for(InputError(problem.code, **problem.params))
        callout = Callout(words.what, "warning", words.mend, self.tr("Repair"))
        callout.acted.connect(lambda: self.repair_wanted.emit(problem))
        self._box.addWidget(callout)

    def _add_all(self) -> None:
        left = len(self._problems) - MOST_SHOWN
        words = self.tr("and {number:,} more problems").format(number=left)
        words = self.tr("and 1 more problem") if left == 1 else words
        button = Button(
            self.tr("Repair all"), "plain", "wand", self.all_wanted, small=True
        )
        more = Caption(words if left > 0 else "")
        self._box.addLayout(row(more, None, button))
