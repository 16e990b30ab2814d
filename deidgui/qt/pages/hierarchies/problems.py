"""What keeps a hierarchy from being used, each with one click that fixes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.engine.data.hierarchy_problems import Problem
from deidgui.errors import DeidError, InputError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import Button, Callout, clear, show_if
from deidgui.text import tr


class ProblemsBox(QWidget):
    """The first problem and how many more there are; no room while there are none.

    Attributes
    ----------
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
        elif self._problems:
            self._add_problem(self._problems[0])
        show_if(self, bool(self._problems) or error is not None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Keep room for every line: the tree below is what gives way."""
        self.setMinimumHeight(max(0, self._box.heightForWidth(self.width())))

    def _add_error(self, error: DeidError) -> None:
        words = words_for(error)
        action = tr("Use the proposal")
        callout = Callout(words.what, "danger", words.fix, action)
        callout.acted.connect(self.proposal_wanted)
        self._box.addWidget(callout)

    def _add_problem(self, problem: Problem) -> None:
        words = words_for(InputError(problem.code, **problem.params))
        left = len(self._problems) - 1
        callout = Callout(words.what, "warning", words.fix, tr("Repair"))
        callout.acted.connect(partial(self.repair_wanted.emit, problem))
        if left:
            more = tr("There are {number:,} more problems.", number=left)
            more = tr("There is 1 more problem.") if left == 1 else more
            detail = f"{words.fix} {more}".strip()
            callout.show_words(words.what, "warning", detail, tr("Repair"))
            every = Button(
                tr("Repair all"), "plain", "wand", self.all_wanted, small=True
            )
            box = callout.layout()
            assert box is not None
            box.addWidget(every)
        self._box.addWidget(callout)
