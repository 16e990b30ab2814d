"""Layouts that follow the room: items wrap, columns stack, parts scroll."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QWidget,
)

from deidgui.qt.widgets.polish import Item, Margin, column


class FlowLayout(QLayout):
    """Items side by side in as many rows as they need.

    Parameters
    ----------
    spacing : int
        Distance between items and between rows, in pixels.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = 8) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        if parent is not None:
            parent.setLayout(self)
        self.setSpacing(spacing)
        self.setContentsMargins(QMargins(0, 0, 0, 0))

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), is_trial=True)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, is_trial=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(
            margins.left() + margins.right(), margins.top() + margins.bottom()
        )

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        inner = rect.marginsRemoved(self.contentsMargins())
        x, y, row_height = inner.x(), inner.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(inner.width(), 1)))
            if x > inner.x() and x + size.width() > inner.right() + 1:
                x, y = inner.x(), y + row_height + self.spacing()
                row_height = 0
            if not is_trial:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self.spacing()
            row_height = max(row_height, size.height())
        return y + row_height - rect.y() + self.contentsMargins().bottom()


class Columns(QWidget):
    """Parts side by side that stand below one another where it is narrow.

    Parameters
    ----------
    parts : sequence of (QWidget, int)
        Each with its share of the width.
    stack_below : int
        Width in pixels under which the parts are stacked; also where their
        contents need more room than there is.
    """

    def __init__(
        self,
        parts: Sequence[tuple[QWidget, int]],
        stack_below: int = 640,
        spacing: int = 16,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._stack_below = stack_below
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(QMargins(0, 0, 0, 0))
        self._box.setSpacing(spacing)
        self._parts = [part for part, _share in parts]
        for part, share in parts:
            self._box.addWidget(part, share)

    @property
    def is_stacked(self) -> bool:
        """Whether the parts stand below one another."""
        return self._box.direction() is QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        widths = [part.minimumSizeHint().width() for part in self._parts]
        return QSize(max(widths, default=0), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        gaps = self._box.spacing() * (len(self._parts) - 1)
        needed = sum(part.minimumSizeHint().width() for part in self._parts) + gaps
        is_narrow = self.width() < max(self._stack_below, needed)
        if is_narrow != self.is_stacked:
            stacked, beside = (
                QBoxLayout.Direction.TopToBottom,
                QBoxLayout.Direction.LeftToRight,
            )
            self._box.setDirection(stacked if is_narrow else beside)
            self.updateGeometry()


class Upright(QScrollArea):
    """Scrolls up and down; at least as wide as what it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        inside = self.widget()
        width = self.verticalScrollBar().sizeHint().width()
        width += 0 if inside is None else inside.minimumSizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        elif event.type() is QEvent.Type.StyleChange and not self.isVisible():
            # PERF: the scroll bars would style all that is inside, each time that this
            # becomes a part of something. They are asked again when it is shown.
            return QAbstractScrollArea.event(self, event)
        return super().event(event)


def scrolling(widget: QWidget) -> QScrollArea:
    """Let a part of a page scroll up and down where the window is low."""
    area = Upright()
    fill_scrolled(area, widget, margin=(0, 0, 8, 0))
    return area


def fill_scrolled(
    area: QScrollArea, *items: Item, spacing: int = 0, margin: Margin = 0
) -> None:
    """Let an area scroll over items below one another.

    PERF: it is filled last, since what a scroll area is given is styled at once.
    """
    inside = QWidget()
    inside.setObjectName("scrolled")
    area.setWidget(inside)
    inside.setLayout(column(*items, spacing=spacing, margin=margin))
