"""A sheet beside a control that explains or holds a few controls more."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from deidgui.qt.screens import available_area
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.buttons import IconButton
from deidgui.qt.widgets.focus import FocusRing
from deidgui.qt.widgets.layouts import FittingArea, fitting_size
from deidgui.qt.widgets.polish import column
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
        # Corners are cut, not transparent: not every desktop has a compositor.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        content = QWidget()
        content.setObjectName("scrolled")
        self.body = QVBoxLayout(content)
        self.body.setContentsMargins(15, 13, 15, 13)
        self.body.setSpacing(8)
        self._area = FittingArea(content)
        self.setLayout(column(self._area, margin=(1, 1, 1, 1)))
        self._anchor: QWidget | None = None
        FocusRing(self)

    def open_at(self, anchor: QWidget) -> None:
        """Show the sheet below a control, or above it where there is no room."""
        self._anchor = anchor
        below = anchor.mapToGlobal(QPoint(0, anchor.height() + GAP))
        screen = available_area(anchor)
        self.ensurePolished()
        self.resize(fitting_size(self, screen.size() - QSize(2 * GAP, 2 * GAP)))
        x = min(below.x(), screen.right() - self.width() - GAP)
        y = below.y()
        if y + self.height() > screen.bottom():
            y = anchor.mapToGlobal(QPoint(0, 0)).y() - self.height() - GAP
        self.move(max(x, screen.left() + GAP), max(y, screen.top() + GAP))
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = tokens()
        painter.fillRect(self.rect(), QColor(look.colours.raised))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(look.colours.line_strong), 1))
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rect, look.radius.large, look.radius.large)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        shape, radius = QPainterPath(), tokens().radius.large
        shape.addRoundedRect(QRectF(self.rect()), radius, radius)
        self.setMask(QRegion(shape.toFillPolygon().toPolygon()))

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
