"""Where files can be dropped, and which files a drop brings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from deidgui.qt import icons
from deidgui.qt.widgets.buttons import Button
from deidgui.qt.widgets.polish import column, mark, row
from deidgui.qt.widgets.text import Caption, GlyphLabel, Label


def dropped_files(mime: QMimeData) -> list[Path]:
    """Local files that a drag holds; folders and links to the net are left out."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]


class DropArea(QFrame):
    """Large place to drop a file on, with a button that does the same.

    Parameters
    ----------
    title, sentence, action : str

    Attributes
    ----------
    dropped : Signal of Path
    clicked : Signal
        The button was clicked.
    """

    dropped = Signal(object)
    clicked = Signal()

    def __init__(
        self, title: str, sentence: str, action: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        mark(self, kind="drop")
        self.setAccessibleName(title)
        self.button = Button(action, "primary", "folder-open", self.clicked)
        center = Qt.AlignmentFlag.AlignHCenter
        words = Label(title, "section")
        words.setAlignment(center)
        caption = Caption(sentence)
        caption.setAlignment(center)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 24)
        box.setSpacing(8)
        box.addStretch(1)
        box.addWidget(GlyphLabel("upload", "accent_text", icons.HUGE), 0, center)
        box.addWidget(words)
        box.addLayout(column(caption))
        box.addSpacing(8)
        box.addLayout(row(None, self.button, None))
        box.addStretch(1)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            mark(self, state="over")
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        mark(self, state="")
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        mark(self, state="")
        files = dropped_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files[0])
