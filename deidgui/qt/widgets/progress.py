"""How long work is shown: how far, how fast, how much longer, and how to stop it."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from deidgui.qt.widgets.buttons import Button, IconButton
from deidgui.qt.widgets.polish import mark, row, show_if
from deidgui.qt.widgets.text import ElidedLabel, Label
from deidgui.text import per_cent, tr

PERCENT_WIDTH = 56
"""Pixels of a share in the type of a heading: "100 %"."""

RESOLUTION = 1000
TICK_MS = 1000
LEAST_FRACTION, LEAST_S = 0.05, 3.0
"""Below this share of the work, and this time, no time left is told: it would be a
guess."""
LEAST_POWER, LEAST_SPEED = 0.8, 0.95
"""Below this power of the time, and this share of the speed of a while ago, work slows
down so much that its end is not foreseen."""


def duration_words(seconds: float) -> str:
    """Duration in words: "less than a second", "12 s", "3 min 20 s", "1 h 5 min"."""
    if seconds < 1:
        return tr("less than a second")
    whole = round(seconds)
    if whole < 60:
        return tr("{seconds} s", seconds=whole)
    minutes, rest = divmod(whole, 60)
    if minutes < 10 and rest:
        return tr("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    if minutes < 60:
        return tr("{minutes} min", minutes=minutes)
    hours, minutes = divmod(minutes, 60)
    if not minutes:
        return tr("{hours} h", hours=hours)
    return tr("{hours} h {minutes} min", hours=hours, minutes=minutes)


def left_words(seconds: float) -> str:
    """Time left in round steps, never less than expected: "about 3 min left"."""
    if seconds <= 10:
        return tr("less than 10 s left")
    steps = ((60, 10), (180, 30), (600, 60), (3600, 300))
    step = next((step for most, step in steps if seconds <= most), 1800)
    rounded = math.ceil(seconds / step) * step
    return tr("about {time} left", time=duration_words(rounded))


class _Report(NamedTuple):
    elapsed_s: float
    fraction: float


class Pace:
    """How much longer work will take, from what it has reported of itself.

    Notes
    -----
    The fraction done is taken to grow as a power of the time: 1 is steady work, less is
    work that slows down. The power is measured between half the time and now, and the
    end follows from it. A speed that is merely averaged foretells too little of work
    that slows down, and more at each report. Where the power is too low, a slow stage
    may have followed a quick one: if it has been steady for half the time, its own
    speed counts.
    """

    def __init__(self) -> None:
        self._reports: list[_Report] = []

    def clear(self) -> None:
        """Forget what was reported: other work begins."""
        self._reports.clear()

    def left_s(self, fraction: float, elapsed_s: float) -> float | None:
        """Take a report, and return the seconds left; None if they are not foreseen."""
        now, reports = _Report(elapsed_s, fraction), self._reports
        if reports and (elapsed_s < reports[-1][0] or fraction < reports[-1][1]):
            self.clear()
        half, later = self._until(elapsed_s / 2), self._until(elapsed_s * 3 / 4)
        # Hours of work are remembered by few reports.
        if elapsed_s > 0 and (not reports or elapsed_s > 1.05 * reports[-1][0]):
            reports.append(now)
        if half is None or later is None or half.elapsed_s < elapsed_s / 4:
            return None
        return _left_s(half, later, now)

    def _until(self, elapsed_s: float) -> _Report | None:
        """The last report until a time."""
        place = bisect_right(self._reports, elapsed_s, key=lambda each: each.elapsed_s)
        return self._reports[place - 1] if place else None


def _left_s(half: _Report, later: _Report, now: _Report) -> float | None:
    """Seconds left by what was done after half the time, somewhat later, and now."""
    elapsed_s, fraction = now
    if elapsed_s < LEAST_S or fraction < LEAST_FRACTION or not half.fraction:
        return None
    power = math.log(fraction / half.fraction) / math.log(elapsed_s / half.elapsed_s)
    if power >= LEAST_POWER:
        # Work that became faster may become slower again.
        return elapsed_s * (math.pow(fraction, -1 / min(power, 1.0)) - 1.0)
    if later == half:
        return None
    before, lately = _speed(half, later), _speed(later, now)
    if not before or lately < LEAST_SPEED * before:
        return None
    return (1.0 - fraction) / min(before, lately)


def _speed(start: _Report, end: _Report) -> float:
    return (end.fraction - start.fraction) / (end.elapsed_s - start.elapsed_s)


class Clock(QObject):
    """Time of running work, which goes on while the work reports nothing.

    Attributes
    ----------
    ticked : Signal
        Another second has passed.
    """

    ticked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pace = Pace()
        self._left_s: float | None = None
        self._elapsed_s = self._reported_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.ticked)

    def report(self, fraction: float | None, elapsed_s: float) -> None:
        """Take over what the work has reported; a fraction that foretells its end."""
        if fraction is None:
            self.forget()
        else:
            self._left_s = self._pace.left_s(fraction, elapsed_s)
        self._elapsed_s, self._reported_at = elapsed_s, time.monotonic()
        self._timer.start()

    def forget(self) -> None:
        """Other work is reported from now on."""
        self._pace.clear()
        self._left_s = None

    def stop(self) -> None:
        """Nothing runs any more, or it waits."""
        self._timer.stop()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the work began."""
        return self._elapsed_s + time.monotonic() - self._reported_at

    @property
    def left_s(self) -> float | None:
        """Seconds that the rest should take; None once they have passed unreported."""
        silent = time.monotonic() - self._reported_at
        if self._left_s is None or silent > self._left_s + TICK_MS / 1000:
            return None
        return max(self._left_s - silent, 0.0)

    @property
    def words(self) -> str:
        """The time left, or the time so far where nothing is foreseen."""
        left = self.left_s
        if left is None:
            return tr("{time} so far", time=duration_words(self.elapsed_s))
        return left_words(left)


class ProgressBar(QProgressBar):
    """A slim bar for a fraction in [0, 1], or for work of unknown length."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setRange(0, RESOLUTION)
        self.setAccessibleName(name)

    def set_fraction(self, fraction: float | None) -> None:
        """Show how far the work is; None if nobody knows."""
        if fraction is None:
            self.setRange(0, 0)
        else:
            self.setRange(0, RESOLUTION)
            self.setValue(round(fraction * RESOLUTION))


class ProgressCard(QFrame):
    """Running work with title, bar, note, time left, pause and cancel."""

    pause_clicked = Signal()
    cancel_clicked = Signal()

    def __init__(
        self, title: str = "", can_pause: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self.setProperty("focus_ring", True)
        self.setAccessibleName(title)
        self._title = Label(title, "section")
        self._percent = Label("", "section", "accent")
        # It grows while work runs, and never pushes the buttons.
        self._percent.setMinimumWidth(PERCENT_WIDTH)
        self._percent.setToolTip(tr("Share of the expected work that is done"))
        self._bar = ProgressBar(title)
        self._note = ElidedLabel("", "caption", "muted")
        self._time = Label("", "caption", "muted")
        self._clock = Clock(self)
        self._clock.ticked.connect(self._show_time)
        self._pause = Button(
            tr("Pause"), glyph="pause", clicked=self.pause_clicked, small=True
        )
        show_if(self._pause, can_pause)
        self._cancel = Button(
            tr("Stop"), glyph="stop", clicked=self._on_stop, small=True
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 12, 16, 12)
        box.setSpacing(10)
        head = row(self._title, None, self._percent, 12, self._pause, self._cancel)
        box.addLayout(head)
        box.addWidget(self._bar)
        foot = row(self._note, self._time, spacing=16)
        foot.setStretch(0, 1)
        box.addLayout(foot)

    def _on_stop(self) -> None:
        """Answer at once; the work stops at its next report, perhaps seconds later."""
        self._show_stopping(True)
        self.cancel_clicked.emit()

    def _show_stopping(self, is_stopping: bool) -> None:
        focus = self.focusWidget()
        if is_stopping and focus is not None and focus.hasFocus():
            # What is disabled hands the keyboard to whatever comes next.
            self.take_focus()
        self._cancel.setEnabled(not is_stopping)
        self._pause.setEnabled(not is_stopping)
        if is_stopping:
            self._clock.stop()
            self._bar.set_fraction(None)
            self._percent.clear()
            self._time.clear()
            self._note.setText(tr("Stopping…"))

    def take_focus(self) -> None:
        """Put the keyboard before its buttons: the key that began work stops none."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def has_keyboard(self, focus: QWidget) -> bool:
        """Whether what has the keyboard is this or one of its buttons."""
        return focus is self or self.isAncestorOf(focus)

    def set_title(self, title: str) -> None:
        """Change what runs."""
        self._clock.forget()
        self._title.setText(title)
        self._bar.setAccessibleName(title)
        self.setAccessibleName(title)

    def set_progress(
        self,
        fraction: float | None,
        note: str = "",
        elapsed_s: float = 0.0,
        *,
        foretells: bool = True,
    ) -> None:
        """Show how far the work is.

        Parameters
        ----------
        fraction : float in [0, 1] or None
            None if nobody knows.
        note : str
            What is being done, with counts and rate.
        elapsed_s : float
            Seconds since the start.
        foretells : bool
            Whether the time left follows from the fraction. If not, it is no share
            of what the note counts either, and no figure stands beside the note.
        """
        self._show_stopping(False)  # nothing is reported of work that was stopped
        self._bar.set_fraction(fraction)
        self._note.setText(note)
        is_share = fraction is not None and foretells
        self._percent.setText(per_cent(round(fraction or 0.0, 2)) if is_share else "")
        self._clock.report(fraction if foretells else None, elapsed_s)
        self._show_time()

    def set_can_pause(self, can_pause: bool) -> None:
        """Offer to let the work wait, or not."""
        show_if(self._pause, can_pause)

    def set_paused(self, is_paused: bool) -> None:
        """Show whether the work waits."""
        mark(self._bar, state="paused" if is_paused else "")
        if is_paused:
            self._clock.stop()
        self._pause.setText(tr("Continue") if is_paused else tr("Pause"))
        self._pause.set_glyph("play" if is_paused else "pause")

    def _show_time(self) -> None:
        self._time.setText(self._clock.words)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()


class StatusLine(QWidget):
    """Running work in one quiet line, for the foot of the window."""

    cancel_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ElidedLabel("", "caption", "muted")
        self._bar = ProgressBar(tr("Progress of the running work"))
        self._bar.setMinimumWidth(24)
        self._bar.setMaximumWidth(120)
        self._time = ElidedLabel("", "caption", "muted")
        self._clock = Clock(self)
        self._clock.ticked.connect(self._show_time)
        self._cancel = IconButton(
            "close", tr("Stop this"), clicked=self.cancel_clicked, small=True
        )
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        middle = Qt.AlignmentFlag.AlignVCenter
        box.addWidget(self._words, 1, middle)
        box.addWidget(self._bar, 0, middle)
        box.addWidget(self._time, 0, middle)
        box.addWidget(self._cancel, 0, middle)
        self.set_idle()

    def set_idle(self, words: str = "") -> None:
        """Show that nothing runs, or what was done last."""
        self._words.setText(words)
        self._clock.stop()
        for part in (self._bar, self._time, self._cancel):
            part.hide()

    def set_progress(
        self,
        words: str,
        fraction: float | None,
        elapsed_s: float = 0.0,
        *,
        foretells: bool = True,
    ) -> None:
        """Show what runs, how far it is and how much longer it should take."""
        if words != self._words.text():
            self._clock.forget()
        self._words.setText(words)
        self._bar.set_fraction(fraction)
        self._clock.report(fraction if foretells else None, elapsed_s)
        self._show_time()
        self._cancel.setEnabled(True)
        for part in (self._bar, self._time, self._cancel):
            part.show()

    def set_stopping(self) -> None:
        """Show that the work was asked to stop, which may take it seconds."""
        self._words.setText(tr("Stopping…"))
        self._clock.stop()
        self._bar.set_fraction(None)
        self._cancel.setEnabled(False)
        self._time.hide()

    def set_waiting(self, words: str) -> None:
        """Show that the work that was shown waits, and for what."""
        self._words.setText(words)
        self._clock.stop()
        self._time.hide()

    def _show_time(self) -> None:
        self._time.setText(self._clock.words)
