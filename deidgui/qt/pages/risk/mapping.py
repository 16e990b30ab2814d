"""The mapping step: what each quasi-identifier is in the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.models.population_values import Show
from deidgui.qt.pages.risk.match_detail import MatchDetail
from deidgui.qt.pages.risk.match_state import AttributeState, said
from deidgui.qt.widgets import (
    TONE_GLYPH,
    Button,
    Callout,
    Caption,
    ElidedLabel,
    GlyphLabel,
    Label,
    ProgressBar,
    clear,
    column,
    holder,
    mark,
    row,
    show_if,
)
from deidgui.text import tr

PATIENCE_MS = 400
"""After so long it is shown that values are looked up."""


class _Head(QFrame):
    """The line of an attribute, to open and close what is under it."""

    clicked = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("focus_ring", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._name = name
        self._chevron = GlyphLabel("chevron-right", "muted")
        self._target = ElidedLabel("", "body", "muted")
        self._glyph = GlyphLabel("check-circle", "success")
        self._words = ElidedLabel("", "caption")
        first = row(ElidedLabel(name, "strong"), self._target, spacing=12)
        first.setStretch(0, 2)
        first.setStretch(1, 3)
        second = row(self._glyph, self._words, spacing=6)
        second.setStretch(1, 1)
        words = column(first, second, spacing=2)
        box = row(self._chevron, words, spacing=8, margin=8)
        box.setStretch(1, 1)
        self.setLayout(box)

    def show_state(self, state: AttributeState, is_open: bool) -> None:
        """Show how the attribute stands."""
        words, status = said(state)
        self._chevron.set_glyph("chevron-down" if is_open else "chevron-right", "muted")
        self._glyph.set_glyph(TONE_GLYPH[status], status)
        self._words.setText(words)
        self._words.set_tone(status if status in ("warning", "danger") else "muted")
        target = state.matches.mapping.target.name if state.matches else ""
        shown = tr("is “{name}” in the population", name=target)
        lacks = "" if state.is_waiting else tr("is not in the population")
        self._target.setText(shown if target else lacks)
        said_words = filter(None, (self._name, self._target.text(), words))
        self.setAccessibleName(". ".join(said_words))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys:
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class AttributePart(QFrame):
    """One quasi-identifier: a line, and all of it when it is opened.

    Attributes
    ----------
    toggled, confirmed, proposal_wanted : Signal of str
        Name of the attribute.
    """

    toggled = Signal(str)
    confirmed = Signal(str)
    proposal_wanted = Signal(str)
    target_set = Signal(str, str)
    lacking_set = Signal(str, str)
    partners_set = Signal(str, str, object)
    accepted_set = Signal(str, bool)

    def __init__(self, state: AttributeState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._state = state
        self.head = _Head(state.name)
        self.head.clicked.connect(self._on_head_clicked)
        self.detail: MatchDetail | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self.head)
        self.show_state(state)

    @property
    def state(self) -> AttributeState:
        """What is shown."""
        return self._state

    @property
    def is_open(self) -> bool:
        """Whether all of it is shown."""
        return self.detail is not None and not self.detail.isHidden()

    def show_state(self, state: AttributeState) -> None:
        """Show how the attribute stands now."""
        self._state = state
        self.head.show_state(state, self.is_open)
        if self.detail is not None and self.is_open:
            self.detail.show_state(state)

    def set_open(self, is_open: bool) -> None:
        """Show all of the attribute, or its line only."""
        if is_open and self.detail is None:
            self.detail = self._made_detail()
            self._box.addWidget(self.detail)
        if self.detail is not None:
            show_if(self.detail, is_open)
            if is_open:
                self.detail.show_state(self._state)
        self.head.show_state(self._state, is_open)

    def _made_detail(self) -> MatchDetail:
        made, name = MatchDetail(), self._state.name
        box = made.layout()
        assert box is not None
        box.setContentsMargins(16, 4, 16, 16)
        made.confirm_clicked.connect(self._on_confirm_clicked)
        made.proposal_wanted.connect(self._on_proposal_wanted)
        made.target_set.connect(self._on_target_set)
        made.partners_set.connect(self._on_partners_set)
        made.lacking_set.connect(self._on_lacking_set)
        made.accepted_set.connect(self._on_accepted_set)
        made.setAccessibleName(name)
        return made

    def _on_head_clicked(self) -> None:
        self.toggled.emit(self._state.name)

    def _on_confirm_clicked(self) -> None:
        self.confirmed.emit(self._state.name)

    def _on_proposal_wanted(self) -> None:
        self.proposal_wanted.emit(self._state.name)

    def _on_target_set(self, target: str) -> None:
        self.target_set.emit(self._state.name, target)

    def _on_partners_set(self, text: str, partners: tuple[str, ...]) -> None:
        self.partners_set.emit(self._state.name, text, partners)

    def _on_lacking_set(self, choice: str) -> None:
        self.lacking_set.emit(self._state.name, choice)

    def _on_accepted_set(self, is_accepted: bool) -> None:
        self.accepted_set.emit(self._state.name, is_accepted)


@dataclass(frozen=True, eq=False)
class MappingState:
    """What there is to show of the mapping step.

    Parameters
    ----------
    attributes : tuple of AttributeState or None
        None while nothing is proposed yet.
    problems : tuple of DeidError
        Of no attribute in particular.
    is_working : bool
        Whether a proposal is being made.
    is_stopped : bool
        Whether somebody stopped it.
    """

    attributes: tuple[AttributeState, ...] | None = None
    problems: tuple[DeidError, ...] = ()
    is_working: bool = False
    is_stopped: bool = False


class MappingPart(QWidget):
    """All quasi-identifiers with what they are in the population.

    Attributes
    ----------
    confirmed, proposal_wanted, target_set, lacking_set, partners_set, accepted_set
        As of `AttributePart`.
    cancel_clicked, again_clicked : Signal
        Stop looking values up; look them up after that was stopped.
    """

    confirmed = Signal(str)
    proposal_wanted = Signal(str)
    target_set = Signal(str, str)
    lacking_set = Signal(str, str)
    partners_set = Signal(str, str, object)
    accepted_set = Signal(str, bool)
    cancel_clicked = Signal()
    again_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: dict[str, AttributePart] = {}
        self._open: str | None = None
        self._title = Label(tr("What are your values in this population?"), "strong")
        self._lead = Caption()
        self.next_button = Button(
            tr("Next that needs me"), "plain", "arrow-down", small=True
        )
        self.next_button.clicked.connect(self._on_next_clicked)
        head = row(column(self._title, self._lead, spacing=2), self.next_button)
        head.setStretch(0, 1)
        self._bar = ProgressBar(tr("Looking your values up in the population"))
        stop = Button(tr("Stop"), glyph="stop", clicked=self.cancel_clicked)
        mark(stop, size="small")
        bar = row(self._bar, stop, spacing=12)
        self._progress = holder(
            column(Caption(tr("Looking your values up …")), bar, spacing=4)
        )
        self._problem = Callout()
        self._stopped = Callout(
            tr("Looking your values up was stopped."),
            "warning",
            tr("What is shown belongs to earlier decisions."),
            tr("Look them up"),
        )
        self._stopped.acted.connect(self.again_clicked)
        self._list = column()
        self.setLayout(
            column(
                head,
                self._progress,
                self._stopped,
                self._problem,
                holder(self._list),
                spacing=10,
            )
        )
        show_if(self._progress, False)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._on_patience_lost)

    @property
    def parts(self) -> dict[str, AttributePart]:
        """The part of each quasi-identifier."""
        return self._parts

    def set_fraction(self, fraction: float | None) -> None:
        """Show how far a proposal is made; None if none is.

        What takes a moment only shows nothing, so that the page does not jump.
        """
        if fraction is None:
            self._patience.stop()
            show_if(self._progress, False)
            return
        self._bar.set_fraction(fraction)
        if self._progress.isHidden() and not self._patience.isActive():
            self._patience.start()

    def _on_patience_lost(self) -> None:
        show_if(self._progress, True)

    def show_state(self, state: MappingState) -> None:
        """Show all quasi-identifiers."""
        attributes = state.attributes or ()
        if [each.name for each in attributes] != list(self._parts):
            self._make_parts(attributes)
        for each in attributes:
            self._parts[each.name].show_state(each)
        show_if(self._stopped, state.is_stopped)
        open_ones = [each for each in attributes if each.needs_a_person]
        show_if(self.next_button, bool(open_ones) and len(attributes) > 1)
        self._lead.setText(self._lead_words(len(attributes), len(open_ones)))
        show_if(self._problem, bool(state.problems))
        if state.problems:
            said_words = [words_for(problem) for problem in state.problems]
            self._problem.show_words(
                "\n".join(words.what for words in said_words),
                "danger",
                "\n".join(dict.fromkeys(words.fix for words in said_words)),
            )

    def _lead_words(self, n_all: int, n_open: int) -> str:
        if not n_all:
            return ""
        if n_open:
            return tr("{n} of {all} quasi-identifiers need you.", n=n_open, all=n_all)
        return tr("Every quasi-identifier is settled. Open one to see or change it.")

    def _make_parts(self, attributes: Sequence[AttributeState]) -> None:
        clear(self._list)
        self._parts = {}
        for each in attributes:
            part = AttributePart(each)
            part.toggled.connect(self._on_toggled)
            part.confirmed.connect(self.confirmed)
            part.proposal_wanted.connect(self.proposal_wanted)
            part.target_set.connect(self.target_set)
            part.lacking_set.connect(self.lacking_set)
            part.partners_set.connect(self.partners_set)
            part.accepted_set.connect(self.accepted_set)
            self._parts[each.name] = part
            self._list.addWidget(part)
        if self._open in self._parts:
            self._parts[self._open].set_open(True)

    def open_attribute(self, name: str | None) -> None:
        """Show all of one attribute, and the lines of the others."""
        self._open = name
        for each, part in self._parts.items():
            part.set_open(each == name)

    def show_attribute(self, name: str) -> QWidget:
        """Open an attribute for somebody who was led here, and return its part."""
        # Where values are still looked up, it is opened when they are known.
        self.open_attribute(name)
        part = self._parts.get(name)
        if part is None:
            return self
        part.setFocusProxy(part.head)
        if part.detail is not None:
            part.detail.show_last()
        return part

    def _on_toggled(self, name: str) -> None:
        self.open_attribute(None if self._open == name else name)

    def _on_next_clicked(self) -> None:
        names = [n for n, part in self._parts.items() if part.state.needs_a_person]
        if not names:
            return
        later = names[names.index(self._open) + 1 :] if self._open in names else names
        name = (later or names)[0]
        self.open_attribute(name)
        part = self._parts[name]
        part.head.setFocus(Qt.FocusReason.TabFocusReason)
        matches = part.state.matches
        if part.detail is not None and matches is not None:
            is_any = bool(matches.is_doubtful.any())
            part.detail.show_kind_of(Show.DOUBTFUL if is_any else Show.ALL)
