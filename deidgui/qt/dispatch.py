"""How a closure from a worker thread comes to run on the GUI thread: the only door."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot


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
