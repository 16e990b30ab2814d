"""What every page of the window has in common."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from deidgui.app.decides import Changes
from deidgui.app.ops import Op
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.parts import Parts
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Columns,
    FittingArea,
    FlowLayout,
    Lead,
    Notice,
    PageArea,
    Title,
)
from deidgui.qt.widgets.layouts import Scrolled
from deidgui.qt.widgets.polish import column, holder, row, show_if
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.project import Project
    from deidgui.app.workspace import Workspace

W = TypeVar("W", bound=QWidget)

MARGIN = 24

BELOW_TITLE, BELOW_BUTTONS = 2, 8
"""Pixels between the sentence of a page and what stands above it."""


class StepState(enum.Enum):
    """How a step stands, for the rail."""

    DONE = "done"
    PROPOSED = "proposed"
    SEEN = "seen"
    ATTENTION = "attention"
    NOT_YET = "not_yet"
    STALE = "stale"
    READY = "ready"


@dataclass(frozen=True)
class PageStatus:
    """What the rail and the foot of the window say about a page.

    Parameters
    ----------
    state : StepState
        DONE: decided by somebody, and nothing of the page is open; PROPOSED: worked
        out by the program alone, and seen by nobody (`Page.once_seen`); SEEN: the
        same, and seen; ATTENTION: somebody must look; NOT_YET: cannot be worked on
        yet; READY: can be; STALE: computed from earlier decisions.
    caption : str
        Two or three words: "12 columns".
    what_is_missing : str
        One sentence on why one cannot go on; empty if one can.
    """

    state: StepState
    caption: str = ""
    what_is_missing: str = ""

    def of_older_file(self) -> PageStatus:
        """Return how the step stands that nobody has looked at with the file of now."""
        if self.state in (StepState.NOT_YET, StepState.STALE):
            return self
        return replace(self, state=StepState.STALE, caption=tr("earlier data"))


NOT_YET = PageStatus(StepState.NOT_YET)


def at_once(pieces: Iterator[None]) -> None:
    """Do in one go what can be done in pieces."""
    for _piece in pieces:
        pass


class Page(QWidget):
    """One step: reads the session, writes by operations, holds no second truth.

    A subclass sets the class attributes, builds its widgets in ``__init__`` (below
    `self.body`), and overrides `refresh` and `status`, and where useful
    `help_words`. Minimal example::

        class NotesPage(Page):
            key = "notes"
            parts = Changes.NOTES

            def __init__(self, workspace, settings, parent=None):
                super().__init__(workspace, settings, parent)
                self.set_header(tr("Notes"), tr("What others should know."))
                self._field = QPlainTextEdit()
                self._field.textChanged.connect(self._on_text_changed)
                self.body.addWidget(self._field)

            def refresh(self, changes):
                with QSignalBlocker(self._field):
                    self._field.setPlainText(self.session.project.notes)

            def status(self):
                return PageStatus(StepState.READY)

            def _on_text_changed(self):
                self.apply(ops.set_notes(self._field.toPlainText()), "change notes")

    Parameters
    ----------
    settings : Settings
        What is remembered between runs (last folders).
    made : sequence of QWidget
        Of the kinds of `first` what is there already.

    Attributes
    ----------
    key : str
        Of its `Step`.
    parts : Changes
        What it shows: `refresh` is called when one of these has changed, at once
        while the page is visible, else before it is shown again.
    scrolls : bool
        Whether the whole page scrolls; a page that fills the window with a table
        or chart sets it to False, and scrolls only where not even the least of it
        fits.
    shown_lanes : tuple of str
        Lanes of which the page itself shows always how far they are; the foot of the
        window does not repeat it.
    reported_lanes : tuple of str
        Lanes of which the page itself says now what failed; no notice repeats it.
    margins : tuple of int
        Pixels around the content: left, top, right, bottom.
    first : tuple of type
        Large parts that the window makes before the page, each in a moment of its own.
    was_shown : bool
        Whether anybody has seen it yet.
    finish : Button or None
        What ends the last step; the foot of the window offers it, too, where Next
        stands on the others.
    body : QVBoxLayout
        Where the content goes.
    header_actions : FlowLayout
        At the right of the title.
    status_changed, help_changed : Signal
        The page's `status` or `help_words` say something else now (emitted by the
        base after every change of the session, by the page for other reasons).
    step_wanted : Signal of str
        The page asks the window to go to a step, or to a part of one: "policies",
        "policies/lattice".
    reported : Signal of Notice
        The page has something for the notice strip.
    data_wanted : Signal
        The user wants to choose a data file.
    tables_given : Signal of Path
        A file that is to be opened as tables of counts.
    settled : Signal of str
        What was reported of this topic is settled.
    """

    key: ClassVar[str]
    parts: ClassVar[Changes] = Changes.EVERYTHING
    scrolls: ClassVar[bool] = True
    shown_lanes: ClassVar[tuple[str, ...]] = ()
    margins: ClassVar[tuple[int, int, int, int]] = (MARGIN, 20, MARGIN, MARGIN)
    first: ClassVar[tuple[type[QWidget], ...]] = ()

    status_changed = Signal()
    help_changed = Signal()
    step_wanted = Signal(str)
    reported = Signal(object)
    settled = Signal(str)
    data_wanted = Signal()
    tables_given = Signal(object)

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(parent)
        self.workspace, self.settings = workspace, settings
        self._parts = Parts(self, made)
        self.session = workspace.session
        self._pending = self._begun = Changes.EVERYTHING
        self._pieces: Iterator[None] | None = None
        self.was_shown = False
        self._refused: dict[str, Project] = {}
        self.finish: Button | None = None
        self._title = Title()
        self._title.setAccessibleDescription("page title")
        self._lead = Lead()
        self.header_actions = FlowLayout(wants_one_row=True)
        self.body = QVBoxLayout()
        self.body.setSpacing(16)
        self._build_frame()
        self.session.project_changed.connect(self._on_project_changed)

    @property
    def reported_lanes(self) -> tuple[str, ...]:
        return ()

    def _build_frame(self) -> None:
        actions = holder(row(self.header_actions, None))
        head = Columns([(self._title, 1), (actions, 0)])
        self._heading = column(head, self._lead, spacing=BELOW_TITLE)
        head.arranged.connect(self._on_head_arranged)
        self._header = holder(self._heading)
        self._header.hide()
        self._sheet = content = Scrolled() if self.scrolls else QWidget()
        content.setObjectName("scrolled")
        inner = QVBoxLayout(content)
        inner.setContentsMargins(*self.margins)
        inner.setSpacing(16)
        inner.addWidget(self._header)
        inner.addLayout(self.body, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self._area = self._scroller(content)
        outer.addWidget(self._area)

    def _on_head_arranged(self, is_stacked: bool) -> None:
        """Keep the sentence apart from buttons, which stand above it now."""
        self._heading.setSpacing(BELOW_BUTTONS if is_stacked else BELOW_TITLE)

    def _scroller(self, content: QWidget) -> QScrollArea:
        if not self.scrolls:
            return FittingArea(content)
        area = PageArea()
        area.setWidget(content)
        area.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        return area

    def _on_range_changed(self, _least: int, most: int) -> None:
        """Show no bar where only what is empty below the content is out of sight."""
        policy = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded
            if most > self.margins[3]
            else policy.ScrollBarAlwaysOff
        )

    # -- what a page overrides -----------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the session as it is now; block own signals meanwhile.

        Parameters
        ----------
        changes : Changes
            What has changed since the last refresh; EVERYTHING the first time.
        """

    def refresh_in_pieces(self, changes: Changes) -> Iterator[None]:
        """Refresh as `refresh` does, and yield where something else may be answered.

        For a page whose `refresh` takes longer than anybody should wait.
        """
        self.refresh(changes)
        yield

    def status(self) -> PageStatus:
        """Tell how the step stands; asked often, so it must be quick."""
        return PageStatus(StepState.READY)

    def help_words(self) -> str:
        """Say in Markdown what the present choices mean; may be empty."""
        return ""

    def show_place(self, part: str) -> None:
        """Show a part of the page, named by what follows the slash of a place."""

    def go_to_place(self, place: str) -> None:
        """Lead to another step, or to a part of this one."""
        step, _, part = place.partition("/")
        if step == self.key:
            self.show_place(part)
        else:
            self.step_wanted.emit(place)

    def leave(self) -> None:
        """Take over what is still being typed; called before another page shows."""

    # -- what a page uses ----------------------------------------------------------

    def once_seen(self, caption: str, *content: str) -> PageStatus:
        """Return how a step stands whose content the program alone worked out.

        PRIVACY: who has seen it has decided nothing, so it is never done.

        Parameters
        ----------
        content : str
            What tells the parts of the content from earlier ones; no cell values.
        """
        if self.isVisible():
            self.session.note_seen(self.key, content)
        is_seen = self.session.has_seen(self.key, content)
        return PageStatus(StepState.SEEN if is_seen else StepState.PROPOSED, caption)

    def part(self, kind: type[W]) -> W:
        """Return one of the parts that were made first, or make it now."""
        return self._parts.take(kind)

    def place_later(self, part: W, place: Callable[[W], object]) -> None:
        """Put a large part into the page once that is a part of the window."""
        self._parts.place_later(part, place)

    def place_piece(self) -> bool:
        """Put the next large part into its place; False if there is none left."""
        return self._parts.place_next()

    def place_all(self) -> None:
        """Put all large parts into their places."""
        self._parts.place_all()

    def make_plot(self) -> bool:
        """Make where one of the charts is drawn; False if all of them have that.

        PERF: while nothing happens, since it takes 12 ms for each of two dozen.
        """
        from deidgui.qt.charts.view import ChartView

        views = self.findChildren(ChartView)
        view = next((each for each in views if not each.has_plot), None)
        if view is not None:
            view.make_plot()
        return view is not None

    def set_header(self, title: str, lead: str = "") -> None:
        """Show the page's title and one sentence on what it decides."""
        self._title.setText(title)
        self._lead.setText(lead)
        show_if(self._lead, bool(lead))
        self._header.show()

    def add_header_action(self, widget: QWidget) -> None:
        """Add a control at the right of the title."""
        self.header_actions.addWidget(widget)

    def show_part(self, part: QWidget) -> None:
        """Scroll so that a part of the page is seen from its beginning."""
        place = part.parentWidget()
        while place is not None and place is not self:
            if isinstance(place, QScrollArea):
                top = part.mapTo(place.viewport(), QPoint(0, 0)).y()
                bar = place.verticalScrollBar()
                if not 0 <= top < place.viewport().height() // 3:
                    bar.setValue(bar.value() + top - MARGIN // 2)
            place = place.parentWidget()

    def _keep_focus_in_sight(self) -> None:
        """Scroll to the control with the focus, where others went from around it."""
        focus = self.window().focusWidget()
        is_here = focus is not None and self._sheet.isAncestorOf(focus)
        if focus is not None and is_here and focus.visibleRegion().isEmpty():
            self._area.ensureWidgetVisible(focus)

    def apply(self, op: Op, label: str) -> bool:
        """Make a decision; a refusal is told in the notice strip.

        Parameters
        ----------
        op : callable
            From `deidgui.app.ops`.
        label : str
            Names the decision in the Edit menu: "set role of age".

        Returns
        -------
        bool
            Whether it was accepted.
        """
        try:
            self.session.apply(op, label, initiator=self)
        except DeidError as error:
            self.show_error(error)
            return False
        self._settle()
        # Once what it changes is laid out.
        QTimer.singleShot(0, self, self._keep_focus_in_sight)
        return True

    def show_what_asks(self) -> QWidget | None:
        """Show the part of the page that asks for what is missing, if there is one."""
        return None

    def show_error(self, error: DeidError) -> None:
        """Say what is wrong and how to fix it in the notice strip."""
        words = words_for(error)
        notice = Notice(words.what, "danger", words.fix, topic=error.code, until="step")
        self._refused[error.code] = self.session.project
        self.reported.emit(notice)

    def _settle(self) -> None:
        """Take away what was wrong with an action: other decisions hold now."""
        for code in self._refused:
            self.settled.emit(code)
        self._refused.clear()

    # -- following the session -----------------------------------------------------

    def _on_project_changed(self, changes: Changes, initiator: object | None) -> None:
        if any(each is not self.session.project for each in self._refused.values()):
            self._settle()
        wanted = changes & self.parts
        if initiator is self:
            wanted &= Changes.NOTHING
        if wanted:
            self._pending |= wanted
            if self._pieces is not None:
                # What was begun is of a project that is not the present one.
                self._pending |= self._begun
                self._pieces = None
            if self.isVisible():
                self.refresh_now()
        self.status_changed.emit()
        self.help_changed.emit()

    def refresh_now(self) -> None:
        """Refresh if anything has changed since the last time."""
        self.was_shown = True
        self.place_all()
        while self.refresh_piece():
            pass

    def refresh_piece(self) -> bool:
        """Refresh by one piece, while the page is not seen yet.

        Returns
        -------
        bool
            False if there was nothing left to refresh.
        """
        if self._pieces is None:
            if not self._pending:
                return False
            self.was_shown = True
            self._begun, self._pending = self._pending, Changes.NOTHING
            self._pieces = self.refresh_in_pieces(self._begun)
        if next(self._pieces, self) is self:
            self._pieces = None
        return True

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh_now()
        super().showEvent(event)
