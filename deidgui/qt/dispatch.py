"""What crosses threads: closures of workers to the GUI thread, and garbage."""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

GARBAGE_MS = 100
"""How often garbage is looked for, if there is enough of it."""

MOST_NEW = (700, 2, 100)
"""New objects, looks at these, and looks at what these left, after which it is due.

PERF: a look takes as long as there are objects that have come since the last one as
deep; after eleven looks, as Python would have it, that was up to 50 ms.
"""


class GuiDispatcher(QObject):
    """Runs closures on the thread it was made on, soon and in order.

    `post` may be called from any thread; nothing else of the window may.
    """

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._posted.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def post(self, closure: Callable[[], None]) -> None:
        """Run `closure` on the GUI thread (any thread may call this)."""
        self._posted.emit(closure)

    @Slot(object)
    def _run(self, closure: Callable[[], None]) -> None:
        closure()


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
