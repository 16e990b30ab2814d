"""A dialog that fits the screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QDialog, QLayout, QWidget

from deidgui.qt.screens import available_area
from deidgui.qt.theme import theme
from deidgui.qt.widgets.focus import FocusRing
from deidgui.qt.widgets.layouts import FittingArea, fitting_size
from deidgui.qt.widgets.polish import column

SIDES = (24, 20, 24, 16)
TITLE_BAR = 40
"""Pixels that the frame of a window may take at the top."""


class Dialog(QDialog):
    """A dialog whose content scrolls where the screen is too small for it.

    Parameters
    ----------
    title : str
        Of its window.
    size : tuple of int
        Width and height in pixels, for letters × 1, that it has at least where the
        screen has them.
    """

    def __init__(
        self, title: str, parent: QWidget | None, size: tuple[int, int] = (0, 0)
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._wanted = QSize(*size) * max(1.0, theme().text_scale)
        FocusRing(self)

    def lay_out(self, content: QLayout, buttons: QBoxLayout) -> None:
        """Put in what scrolls, and the buttons that stay in sight below it.

        The primary one stands before the others and Cancel last, as Tab goes through
        them; where they have no room side by side, it stands above them.
        """
        sheet = QWidget()
        sheet.setObjectName("scrolled")
        sheet.setLayout(content)
        self._area, self._buttons = FittingArea(sheet), buttons
        items = (buttons.itemAt(place) for place in range(buttons.count()))
        parts = [item.widget() for item in items if item is not None]
        for part in (self._area, *parts):
            if part is not None:
                part.setParent(self)
        self.setLayout(column((self._area, 1), buttons, spacing=16, margin=SIDES))

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        around = hint - self._area.sizeHint()
        content = self._area.size_at(self._wanted.width() - around.width())
        return (content + around).expandedTo(self._wanted)

    def fit(self) -> None:
        """Be as large as the content wants, as far as the screen is."""
        screen = available_area(self.parentWidget() or self).size()
        left, _top, right, _bottom = SIDES
        if self._buttons.minimumSize().width() + left + right > screen.width():
            self._buttons.setDirection(QBoxLayout.Direction.TopToBottom)
        self._area.updateGeometry()
        outer = self.layout()
        assert outer is not None
        outer.activate()
        self.resize(fitting_size(self, screen - QSize(0, TITLE_BAR)))

    def showEvent(self, event: QShowEvent) -> None:
        if not event.spontaneous():
            self.fit()
            if self.focusWidget() is None:
                self.focusNextChild()
        super().showEvent(event)
