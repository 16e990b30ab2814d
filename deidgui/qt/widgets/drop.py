"""Where files can be dropped, and which files a drop brings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from deidgui.qt import icons
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.buttons import Button
from deidgui.qt.widgets.polish import column, row
from deidgui.qt.widgets.text import Caption, GlyphLabel, Label

RADIUS = 12


def dropped_files(mime: QMimeData) -> list[Path]:
    """Local files that a drag holds; folders and links to the net are left out."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]


def _paint_dashes(widget: QWidget, background: str, edge: str) -> None:
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(edge), 1.5, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([4.0, 3.5])
    painter.setPen(pen)
    painter.setBrush(QColor(background))
    rect = QRectF(widget.rect()).adjusted(1, 1, -1, -1)
    painter.drawRoundedRect(rect, RADIUS, RADIUS)


class DropHint(QWidget):
    """Covers a window while a file is dragged over it: let go to open it."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        center = Qt.AlignmentFlag.AlignHCenter
        box = QVBoxLayout(self)
        box.addStretch(1)
        box.addWidget(GlyphLabel("upload", "accent_text", icons.HUGE), 0, center)
        box.addWidget(Label(text, "title"), 0, center)
        box.addStretch(1)
        self.hide()

    def cover(self) -> None:
        """Show over the whole parent."""
        self.setGeometry(self._over.rect().adjusted(12, 12, -12, -12))
        self.raise_()
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = tokens().colours
        _paint_dashes(self, colours.accent_soft, colours.accent)


class DropArea(QFrame):
    """Large place to drop a file on, with a button that does the same.

    Attributes
    ----------
    dropped : Signal of list of Path
        Files were dropped.
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
        self._is_over = False
        self.setAccessibleName(title)
        self.button = Button(action, "primary", "folder-open", self.clicked)
        center = Qt.AlignmentFlag.AlignHCenter
        words = Label(title, "section")
        words.setAlignment(center)
        caption = Caption(sentence)
        caption.setAlignment(center)
        box = column(None, margin=24)
        self.setLayout(box)
        box.addWidget(GlyphLabel("upload", "accent_text", icons.HUGE), 0, center)
        box.addWidget(words)
        box.addLayout(column(caption))
        box.addSpacing(8)
        box.addLayout(row(None, self.button, None))
        box.addStretch(1)

    def _set_over(self, is_over: bool) -> None:
        self._is_over = is_over
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = tokens().colours
        edge = colours.accent if self._is_over else colours.line_strong
        background = colours.accent_soft if self._is_over else colours.surface
        _paint_dashes(self, background, edge)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            self._set_over(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_over(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_over(False)
        files = dropped_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files)
