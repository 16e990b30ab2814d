"""The bar above and the bar below the page, which shows the running work."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QMenuBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from deidgui.app.jobs import Lane
from deidgui.app.policies.runner import PAGE, PERSON
from deidgui.qt import icons
from deidgui.qt.actions import Actions
from deidgui.qt.pages.base import PageStatus
from deidgui.qt.widgets import (
    Button,
    Chip,
    GlyphLabel,
    ReasonLabel,
    StatusLine,
    line,
    mark,
    row,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.activity import Activity
    from deidgui.app.workspace import Workspace

BAR_HEIGHT = 48
FOOT_HEIGHT = 56

LEAST_NAME, MOST_NAME = 120, 260
"""Pixels of the project's name; the state beside it leaves room for the least."""

QUIET_S = 0.3
"""Work that ends sooner is not worth a word."""

IMPORTANCE: tuple[str, ...] = (
    Lane.EXPORT,
    Lane.VERIFY,
    Lane.ALTERNATIVES,
    Lane.BLOCKS,
    Lane.LATTICE,
    Lane.READ,
    Lane.AUDIT,
    Lane.MEASURE,
    Lane.CLASSES,
    Lane.BASIS,
    Lane.IMPORTANCE,
)
"""Of several lanes the first of these is shown."""

ASKED_BEFORE_STOPPING: tuple[str, ...] = (
    Lane.EXPORT,
    Lane.VERIFY,
    Lane.READ,
    Lane.AUDIT,
    Lane.REPAIR,
    Lane.NOISE,
    Lane.NETWORK,
    Lane.ALTERNATIVES,
    Lane.BLOCKS,
    Lane.LATTICE,
    Lane.LOCAL_RECODING,
    Lane.LONGITUDINAL,
    Lane.SURVEY,
    Lane.ATTACKS,
    Lane.SAMPLES,
)
"""Work that somebody began: closing the window asks before it stops it."""


def words_of_lanes() -> dict[str, str]:
    """What each lane does that somebody waits for, in words."""
    return {
        Lane.READ: tr("Reading the file"),
        Lane.PREPARATION: tr("Preparing the table"),
        Lane.POPULATION: tr("Reading the population"),
        Lane.CLASSES: tr("Counting groups of records"),
        Lane.AUDIT: tr("Auditing masked counts"),
        Lane.LATTICE: tr("Searching for policies"),
        Lane.SURVEY: tr("Surveying the other policies"),
        Lane.LOCAL_RECODING: tr("Searching for a policy of the suppressed records"),
        Lane.LONGITUDINAL: tr("Searching for policies over people and their events"),
        Lane.ALTERNATIVES: tr("Discovering alternatives"),
        Lane.BLOCKS: tr("Looking for a policy block by block"),
        Lane.BASIS: tr("Applying the rule to this file"),
        Lane.IMPORTANCE: tr("Measuring what importance costs"),
        Lane.MEASURE: tr("Measuring risk and quality"),
        Lane.QUESTIONS: tr("Judging the released table"),
        Lane.OTHERS: tr("Comparing with other tables"),
        Lane.ATTACKS: tr("Simulating attacks"),
        Lane.SAMPLES: tr("Computing the risk of samples"),
        Lane.EXPORT: tr("Writing and checking the release"),
        Lane.VERIFY: tr("Verifying a release"),
        Lane.REPAIR: tr("Comparing repairs"),
        Lane.NOISE: tr("Drawing the noise"),
        Lane.NETWORK: tr("Adding up the sites"),
    }


class ActionButton(QToolButton):
    """Glyph button of an action; its tooltip names the action and its keys."""

    def __init__(
        self, action: QAction, glyph: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._action = action
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setIconSize(QSize(icons.MEDIUM, icons.MEDIUM))
        self.setIcon(icons.icon(glyph))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._on_action_changed)
        self._on_action_changed()

    def _on_action_changed(self) -> None:
        words = self._action.text().replace("&", "").rstrip("…")
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{words}  ({keys})" if keys else words)
        self.setAccessibleName(words)
        self.setEnabled(self._action.isEnabled())
        if self._action.isCheckable():
            self.setCheckable(True)
            self.setChecked(self._action.isChecked())


class TopBar(QFrame):
    """Menus, the project's name and state, undo and redo, theme, help."""

    name_clicked = Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="bar")
        self.setMinimumHeight(BAR_HEIGHT)
        menus = QMenuBar()
        menus.setNativeMenuBar(False)
        actions.fill(menus)
        menus.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.menus = menus
        self.name_button = Button("", "quiet", clicked=self.name_clicked)
        self.name_button.setToolTip(tr("Rename the project"))
        self._saved = Chip("")
        self._name = ""
        box = row(
            GlyphLabel("mark", "accent_text", 24),
            8,
            menus,
            None,
            self.name_button,
            self._saved,
            None,
            spacing=4,
            margin=(16, 0, 12, 0),
        )
        self.setLayout(box)
        for name, glyph in (("undo", "undo"), ("redo", "redo")):
            box.addWidget(ActionButton(actions[name], glyph))
        divider = line(Qt.Orientation.Vertical)
        divider.setFixedHeight(20)
        box.addSpacing(4)
        box.addWidget(divider)
        box.addSpacing(4)
        box.addWidget(ActionButton(actions["toggle_theme"], "contrast"))
        box.addWidget(ActionButton(actions["help_panel"], "help"))

    def set_project(self, name: str, has_unsaved: bool, is_on_disk: bool) -> None:
        """Show the project's name and whether it is saved."""
        self._name = name
        self.name_button.setAccessibleName(tr("Project {name}", name=name))
        show_if(self.name_button, bool(name))
        show_if(self._saved, bool(name))
        if has_unsaved:
            words = tr("Unsaved changes") if is_on_disk else tr("Not saved yet")
            self._saved.show_words(words, "warning", "edit")
        else:
            self._saved.show_words(tr("Saved"), "plain", "check")
        self._fit()

    def _fit(self) -> None:
        """Shorten the name where it is narrow, and then leave out the state."""
        box, button = self.layout(), self.name_button
        if box is None or not self._name:
            return
        metrics = button.fontMetrics()
        around = button.sizeHint().width() - metrics.horizontalAdvance(button.text())
        others = box.minimumSize().width()
        for part in (button, self._saved):
            if not part.isHidden():
                others -= part.sizeHint().width() + box.spacing()
        state = self._saved.sizeHint().width() + box.spacing()
        room = self.width() - others - around - box.spacing()
        show_if(self._saved, room - state >= LEAST_NAME)
        if not self._saved.isHidden():
            room -= state
        room = max(min(room, MOST_NAME), 24)
        shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        button.setText(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)


class Footer(QFrame):
    """Back, running work, what is missing, Next.

    Attributes
    ----------
    cancel_clicked : Signal
        The user wants the shown work to stop.
    """

    cancel_clicked = Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="bar")
        self.setMinimumHeight(FOOT_HEIGHT)
        self._actions = actions
        self._back = Button(
            tr("Back"), glyph="arrow-left", clicked=actions["back"].trigger
        )
        self.status_line = StatusLine()
        self.status_line.cancel_clicked.connect(self.cancel_clicked)
        self._next = Button(tr("Next"), "primary", clicked=actions["next"].trigger)
        self._finish = Button("", "primary", clicked=self._on_finish)
        self._finishes: Button | None = None
        self._reason = ReasonLabel(wrap=False)
        self._reason.setSizePolicy(
            QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred
        )
        self.setLayout(
            row(
                self._back,
                (self.status_line, 1),
                self._reason,
                self._next,
                self._finish,
                spacing=16,
                margin=(16, 8, 16, 8),
            )
        )

    @property
    def reason(self) -> str:
        """What the foot says is missing."""
        return self._reason.text

    def set_steps(self, previous: str | None, following: str | None) -> None:
        """Name the steps before and after; None if there is none."""
        show_if(self._back, previous is not None)
        show_if(self._next, following is not None)
        if following is not None:
            words = tr("Next: {step}", step=following)
            self._next.setText(words)
        if previous is not None:
            self._back.setToolTip(previous)

    def set_finish(self, button: Button | None) -> None:
        """Offer what ends the last step; its page may have scrolled it away."""
        if button is not None and self._finishes is not button:
            button.installEventFilter(self)
        self._finishes = button
        show_if(self._finish, button is not None)
        if button is not None:
            self._finish.setText(button.text())
            self._finish.setEnabled(button.isEnabled())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.EnabledChange and watched is self._finishes:
            self.set_finish(self._finishes)
        return super().eventFilter(watched, event)

    def _on_finish(self) -> None:
        if self._finishes is not None:
            self._finishes.click()

    def set_status(self, status: PageStatus | None) -> None:
        """Allow going on, or say why not; without a status the page is not there."""
        missing = status.what_is_missing if status is not None else ""
        is_allowed = status is not None and not missing
        self._actions["next"].setEnabled(is_allowed)
        self._next.setEnabled(is_allowed)
        self._next.setAccessibleDescription(missing)
        self._reason.set_reason(missing)


class LaneStatus(QObject):
    """Follows the workspace's activity and shows the most important lane."""

    def __init__(self, workspace: Workspace, footer: Footer) -> None:
        super().__init__(footer)
        self._workspace, self._footer = workspace, footer
        self._busy: dict[str, Activity] = {}
        self._on_page: tuple[str, ...] = ()
        self._begun: dict[str, float] = {}
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(round(1000 * QUIET_S) + 20)
        self._quiet.timeout.connect(self._show)
        workspace.activity.connect(self._on_activity)
        workspace.policies.survey_held.connect(self._show)
        footer.cancel_clicked.connect(self._on_cancel_clicked)

    @property
    def lane(self) -> str | None:
        """The lane that is shown, if any."""
        busy = [lane for lane in self._busy if lane not in self._on_page]
        known = [lane for lane in IMPORTANCE if lane in busy]
        others = [lane for lane in busy if lane not in IMPORTANCE]
        return next(iter([*known, *others]), None)

    def leave_to_page(self, lanes: tuple[str, ...]) -> None:
        """Show nothing of lanes of which the page that is shown tells enough."""
        self._on_page = lanes
        self._show()

    def words(self, lane: str) -> str:
        """What a lane does, in words."""
        return words_of_lanes().get(lane, tr("Working"))

    def _on_activity(self, activity: Activity) -> None:
        if activity.fraction is None:
            self._busy.pop(activity.lane, None)
            self._begun.pop(activity.lane, None)
        else:
            if activity.lane not in self._begun:
                # It may report nothing more for seconds.
                self._begun[activity.lane] = time.monotonic() - activity.elapsed_s
                self._quiet.start()
            self._busy[activity.lane] = activity
        self._show()

    def _show(self) -> None:
        shown = self.lane
        if shown is None:
            self._footer.status_line.set_idle()
            return
        now = self._busy[shown]
        job = self._workspace.runner.running(shown)
        if job is not None and job.cancel_requested:
            self._footer.status_line.set_stopping()
            return
        elapsed_s = max(now.elapsed_s, time.monotonic() - self._begun[shown])
        if elapsed_s >= QUIET_S:
            self._footer.status_line.set_progress(
                self.words(shown),
                now.fraction,
                elapsed_s,
                foretells=now.foretells,
            )
        if shown == Lane.SURVEY and job is not None and job.is_paused:
            self._footer.status_line.set_waiting(self._why_survey_waits())

    def _why_survey_waits(self) -> str:
        policies = self._workspace.policies
        if policies.is_held(PERSON):
            return tr("The survey of the other policies is paused")
        if policies.is_held(PAGE):
            return tr("The survey of the other policies waits until Policies is open")
        return tr("The survey of the other policies waits for other work")

    def _on_cancel_clicked(self) -> None:
        if (lane := self.lane) is not None:
            self._workspace.cancel(lane)
            self._show()
