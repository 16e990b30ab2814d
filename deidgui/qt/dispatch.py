"""What the event loop does in turns: closures of workers, painting, and garbage."""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

TURN_S = 0.004
"""Time after which what else is waiting gets a turn of its own."""

GARBAGE_MS = 100
"""How often garbage is looked for, if there is enough of it."""

MOST_NEW = (700, 2, 100)
"""New objects, looks at these, and looks at what these left, after which it is due.

PERF: a look takes as long as there are objects that have come since the last one as
deep; after eleven looks, as Python would have it, that was up to 50 ms.
"""


class GuiDispatcher(QObject):
    """Runs closures on the thread it was made on, soon and in order.

    `post` may be called from any thread; nothing else of the window may. What takes
    long has a turn of the event loop for itself, so that whoever uses the window is
    answered between two.
    """

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._posted.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._waiting: deque[Callable[[], None]] = deque()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._run)

    def post(self, closure: Callable[[], None]) -> None:
        """Run `closure` on the GUI thread (any thread may call this)."""
        self._posted.emit(closure)

    @Slot(object)
    def _take(self, closure: Callable[[], None]) -> None:
        self._waiting.append(closure)
        self._timer.start()

    def _run(self) -> None:
        """Run what is waiting until it took long enough."""
        end = time.perf_counter() + TURN_S
        while self._waiting and time.perf_counter() < end:
            if len(self._waiting) > 1:
                # Also where what is run fails, or runs an event loop of its own.
                self._timer.start()
            self._waiting.popleft()()
        if self._waiting:
            # Anew: what has become due meanwhile comes first.
            self._timer.start()


class LaterPainting(QObject):
    """Lets a window be painted in another turn than it was changed and laid out in.

    Parameters
    ----------
    window : QWidget
        A window of its own; owns this.
    post : callable
        Runs a closure in a turn of its own.
    """

    def __init__(
        self, window: QWidget, post: Callable[[Callable[[], None]], None]
    ) -> None:
        super().__init__(window)
        self._window, self._post = window, post
        self._is_posted = self._is_due = False
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.UpdateRequest or self._is_due:
            return False
        if not self._is_posted:
            self._is_posted = True
            self._post(self._paint)
        return True

    def _paint(self) -> None:
        if not isValid(self):
            return
        self._is_posted, self._is_due = False, True
        QApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
        self._is_due = False


class GarbageCollector(QObject):
    """Destroys objects that refer to each other on the thread it was made on.

    Python looks for them on whichever thread allocates. A widget that a worker thread
    destroys leaves its timers behind, and the next one crashes the program.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_automatic = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(GARBAGE_MS)
        self._timer.timeout.connect(self.collect_if_due)
        self._timer.start()

    def wait(self) -> None:
        """Leave garbage where it is until `go_on`: there is little as yet.

        PERF: while modules are imported, all that they bring would be looked through
        again and again, a tenth of a second each time.
        """
        self._timer.stop()

    def go_on(self) -> None:
        """Look for garbage again, but not among what there is now."""
        gc.freeze()
        self._timer.start()

    def collect_if_due(self) -> None:
        """Look for garbage where enough is new."""
        counts = zip(gc.get_count(), MOST_NEW, strict=True)
        due = [place for place, (n, most) in enumerate(counts) if n > most]
        if due:
            gc.collect(max(due))

    def close(self) -> None:
        """Leave garbage to Python again."""
        self._timer.stop()
        if self._was_automatic:
            gc.enable()
