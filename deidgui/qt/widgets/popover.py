"""A sheet beside a control that explains or holds a few controls more."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from deidgui.qt.screens import available_area
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.buttons import IconButton
from deidgui.qt.widgets.text import Label, SectionHeading
from deidgui.text import tr

GAP = 4


class Popover(QFrame):
    """Sheet over the window that closes by Escape or a click elsewhere.

    Attributes
    ----------
    body : QVBoxLayout
        Where the content goes.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(16, 14, 16, 14)
        self.body.setSpacing(8)
        self._anchor: QWidget | None = None

    def open_at(self, anchor: QWidget) -> None:
        """Show the sheet below a control, or above it where there is no room."""
        self._anchor = anchor
        self.adjustSize()
        below = anchor.mapToGlobal(QPoint(0, anchor.height() + GAP))
        screen = available_area(anchor)
        x = min(below.x(), screen.right() - self.width() - GAP)
        y = below.y()
        if y + self.height() > screen.bottom():
            y = anchor.mapToGlobal(QPoint(0, 0)).y() - self.height() - GAP
        self.move(max(x, screen.left() + GAP), max(y, screen.top() + GAP))
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = tokens()
        painter.setPen(QPen(QColor(look.colours.line_strong), 1))
        painter.setBrush(QColor(look.colours.raised))
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rect, look.radius.large, look.radius.large)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._anchor is not None and self._anchor.isVisible():
            self._anchor.setFocus(Qt.FocusReason.PopupFocusReason)


class HelpButton(IconButton):
    """A small "?" that explains one thing in a few sentences.

    Parameters
    ----------
    text : str
        One to four plain sentences.
    """

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__("help", "", colour="subtle", small=True, parent=parent)
        self.set_words(tr("What does “{title}” mean?", title=title))
        self._title, self._text = title, text
        self._popover: Popover | None = None
        self.clicked.connect(self._on_clicked)

    def set_help(self, title: str, text: str) -> None:
        """Explain something else."""
        self._title, self._text = title, text
        self._popover = None

    @property
    def popover(self) -> Popover | None:
        """The sheet, if it was opened."""
        return self._popover

    def _on_clicked(self) -> None:
        if self._popover is None:
            self._popover = Popover(self)
            self._popover.body.addWidget(SectionHeading(self._title))
            words = Label(self._text, wrap=True)
            words.setFixedWidth(320)
            self._popover.body.addWidget(words)
        self._popover.open_at(self)
