"""Work that is done in pieces while somebody looks on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import isValid

W = TypeVar("W", bound=QWidget)


class InTurns(QObject):
    """Does work in pieces, each in a turn of the event loop.

    Whoever uses the window is answered between two of them. Work that is begun takes
    the place of what is left of the work before.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pieces: list[Iterator[None]] = []
        # Pieces that are left hold the parent, and would keep what Qt has destroyed.
        parent.destroyed.connect(self._pieces.clear)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    def begin(self, pieces: Iterator[None]) -> None:
        """Do the first piece now, and one more in each turn from the next on."""
        self._pieces[:] = [pieces]
        self._go_on()

    @property
    def is_busy(self) -> bool:
        """Whether something is left to do."""
        return self._timer.isActive()

    def _go_on(self) -> None:
        if next(self._pieces[0], self) is None:
            self._timer.start()
        else:
            self._pieces.clear()


class Block(QWidget, Generic[W]):
    """What is shown of a long list in one turn; it is also given up in one.

    PERF: what stands in another block need not be laid out again.
    """

    def __init__(self, layout: QVBoxLayout, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts: list[W] = []
        self.setLayout(layout)

    def add(self, part: W) -> None:
        """Put a part below the others."""
        self.parts.append(part)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(part)


def discard_in_turns(widget: QWidget) -> None:
    """Hide a widget, and delete it after its blocks, each in a turn."""
    widget.hide()
    InTurns(widget).begin(_discarding(widget))


def _discarding(widget: QWidget) -> Iterator[None]:
    for block in widget.findChildren(Block):
        if isValid(block):
            block.deleteLater()
            yield
    widget.deleteLater()
