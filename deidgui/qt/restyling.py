"""How windows of thousands of widgets get a style sheet without a pause."""

from __future__ import annotations

import time
from collections import deque
from typing import TypeGuard

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFocusFrame,
    QFrame,
    QMainWindow,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QWidget,
)
from shiboken6 import isValid

LARGE = 40
"""A part with more widgets is divided, so that what is not seen of it can wait."""

TURN_S = 0.02
"""Time after which whoever uses the window is answered before more is restyled."""

LOOK = "deidgui_look"
"""Property of a part: the number of its style sheet, or one of these two."""

DIVIDED, DRESSED = -1, -2
"""In its stead: the part is divided; it is a window with a style sheet of its own."""

PLAIN = (QWidget, QFrame, QMainWindow, QScrollArea, QSplitter, QStackedWidget)
"""Kinds of widgets that draw nothing themselves."""


class Cover(QWidget):
    """Shows the former look of a window until all that is seen has the other one.

    WORKAROUND Qt 6: a window whose updates are switched off meanwhile is flat where
    the system asks for it, and under X11 it may not be painted again at all.
    """

    def __init__(self, window: QWidget) -> None:
        self._seen = seen_of(window)
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(window.rect())
        self.show()
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.drawImage(0, 0, self._seen)


def seen_of(window: QWidget) -> QImage:
    """Return what is seen of a window now.

    PERF: to copy what was painted takes 1 to 7 ms of a window of 1920 × 1080 pixels;
    to paint it anew 20 to 110 ms.
    """
    store = window.backingStore()
    painted = store.paintDevice() if store is not None else None
    ratio = window.devicePixelRatioF()
    if not isinstance(painted, QImage) or painted.size() != window.size() * ratio:
        return window.grab().toImage()
    seen = painted.copy()
    seen.setDevicePixelRatio(ratio)
    return seen


class Restyler(QObject):
    """Sets the style sheet of an application: what is seen at once, the rest later.

    While no window is on screen the application gets the style sheet, until a window
    takes it over. Later ones are set on the parts of windows: large widgets that draw
    nothing are divided into their children, down to parts of a few dozen widgets. A
    part that is hidden gets the present style sheet when it is shown.

    PERF: Qt takes 1.3 s to replace the style sheet of an application of 5,000 widgets,
    in one piece; about 130 of them are seen. While an application has one, what gets a
    parent is styled anew with all that is in it: pages, whose parts are put together
    from the inside, take three times as long to build.

    Attributes
    ----------
    settled : Signal
        What is seen has the style sheet that was set last.
    """

    settled = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._sheet = ""
        self._number = 0
        self._left: deque[QObject] = deque()
        self._held: list[QWidget] = []
        self._covers: dict[QWidget, Cover] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._restyle_some)

    def cover(self) -> None:
        """Keep what is seen of all windows as it is until the next look is there."""
        for window in self._windows():
            if window.isVisible() and window not in self._covers:
                self._covers[window] = Cover(window)

    def _windows(self) -> list[QWidget]:
        all_windows = self._app.topLevelWidgets()
        return [each for each in all_windows if each.parentWidget() is None]

    def set_style_sheet(self, sheet: str) -> None:
        """Give all widgets another look."""
        windows = self._windows()
        if not any(window.isVisible() for window in windows):
            self._left.clear()
            self._timer.stop()
            self._set_for_all(sheet)
            self._lay_out()
            self._end()
        elif sheet != self._sheet:
            self._sheet = sheet
            self._number += 1
            self._left = deque(windows)
            self.cover()
            self._restyle_some()
        elif self.is_settled:
            self._end()

    @property
    def is_settled(self) -> bool:
        """Whether all that is seen has the style sheet that was set last."""
        return not self._timer.isActive()

    def settle(self) -> None:
        """Restyle now what waits for another turn."""
        if not self.is_settled:
            while self._left:
                self._restyle_next()
            self._timer.stop()
            self._lay_out()
            self._end()

    def _restyle_some(self, seconds: float = TURN_S) -> None:
        """Restyle parts that are seen for a while; go on in another turn.

        What is seen changes when all of it has, and is laid out, once: covers show it
        until then.
        """
        if not self._left and not self._lay_out():
            self._end()
            return
        end = time.perf_counter() + seconds
        try:
            while self._left:
                self._restyle_next()
                if time.perf_counter() > end:
                    break
        finally:
            self._timer.start()

    def _hold(self, part: QWidget) -> None:
        """Let what is divided be laid out when all that is seen is restyled."""
        layout = part.layout()
        if layout is not None and layout.isEnabled():
            layout.setEnabled(False)
            self._held.append(part)

    def _lay_out(self) -> bool:
        """Let all that was restyled be laid out next; False if it is already."""
        held = [part for part in self._held if isValid(part)]
        self._held.clear()
        for part in reversed(held):  # what is within others before them
            if (layout := part.layout()) is not None:
                layout.setEnabled(True)
            self._app.postEvent(part, QEvent(QEvent.Type.LayoutRequest))
        return bool(held)

    def _end(self) -> None:
        """Let what is seen change, once everybody knows of the other look."""
        self.settled.emit()
        for cover in filter(isValid, self._covers.values()):
            cover.hide()
            cover.deleteLater()
        self._covers.clear()

    def _restyle_next(self) -> None:
        part = self._left.popleft()
        if not isValid(part) or not _can_have_a_look(part):
            return
        if not part.isVisible():
            part.installEventFilter(self)
        elif (inside := self._inside(part)) is not None:
            self._hold(part)
            self._left.extendleft(reversed(inside))
        else:
            self._dress(part)

    def restyle_unseen(self, part: QWidget) -> bool:
        """Restyle a piece of a part that is about to be shown.

        Returns
        -------
        bool
            False if there was nothing left to restyle.
        """
        if not self._number:
            return False
        inside = self._inside(part)
        if inside is None:
            return self._dress(part)
        return any(
            self.restyle_unseen(each)
            for each in inside
            if _can_have_a_look(each) and not each.isHidden()
        )

    def dress(self, window: QWidget) -> None:
        """Give the present style sheet to a window instead of to the application."""
        window.setProperty(LOOK, DRESSED)
        self._app.setStyleSheet("")
        window.setStyleSheet(self._sheet)

    def _set_for_all(self, sheet: str) -> None:
        if self._number or not self._app.styleSheet():
            self._number = 0
            for widget in self._app.allWidgets():
                self._forget(widget)
        self._sheet = sheet
        if self._app.styleSheet() != sheet:
            # PERF: Qt replaces a style sheet more slowly than it removes one and
            # sets another.
            self._app.setStyleSheet("")
            self._app.setStyleSheet(sheet)

    def _forget(self, widget: QWidget) -> None:
        widget.removeEventFilter(self)
        look = widget.property(LOOK)
        if look is not None:
            widget.setProperty(LOOK, None)
            if look != DIVIDED:
                widget.setStyleSheet("")

    def _reach(self, part: QObject) -> None:
        """Restyle a part that is seen; one that is not waits until it is."""
        if not _can_have_a_look(part):
            return
        if part.isVisible():
            self._restyle(part)
        else:
            part.installEventFilter(self)

    def _restyle(self, part: QWidget) -> None:
        inside = self._inside(part)
        if inside is None:
            self._dress(part)
        for child in inside or ():
            self._reach(child)

    def _inside(self, part: QWidget) -> list[QObject] | None:
        """Return what a divided part is divided into; None of one that is not."""
        look = part.property(LOOK)
        if look is None and not part.styleSheet():
            look = DIVIDED if _is_divided(part) else 0
            part.setProperty(LOOK, look)
        if look not in (DIVIDED, DRESSED):
            return None
        part.installEventFilter(self)
        return part.children()

    def _dress(self, part: QWidget) -> bool:
        """Give a part the present style sheet; False if it has it, or its own."""
        look = part.property(LOOK)
        if look is None or look == self._number:
            return False
        part.setProperty(LOOK, self._number)
        part.setStyleSheet(self._sheet)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Restyle what is shown, and what a divided part gets."""
        kind = event.type()
        if kind is QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            self._restyle(watched)
        elif kind is QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            if watched.property(LOOK) in (DIVIDED, DRESSED) and _can_have_a_look(child):
                self._restyle(child)
        return False


def _can_have_a_look(part: QObject) -> TypeGuard[QWidget]:
    return isinstance(part, QWidget) and not isinstance(part, QFocusFrame | Cover)


def _is_divided(part: QWidget) -> bool:
    made_of = next(c for c in type(part).__mro__ if c.__module__.startswith("PySide6"))
    if made_of not in PLAIN or part.property("kind") is not None:
        return False
    # What a stack shows may be made later.
    n, inside = 0, [part]
    while inside and n <= LARGE:
        each = inside.pop()
        if isinstance(each, QStackedWidget):
            return True
        children = [c for c in each.children() if isinstance(c, QWidget)]
        n += len(children)
        inside += children
    return n > LARGE
