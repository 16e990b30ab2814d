"""The ring that shows where the keyboard is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QChildEvent,
    QEvent,
    QObject,
    QRect,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QApplication,
    QCheckBox,
    QFocusFrame,
    QRadioButton,
    QSplitter,
    QSplitterHandle,
    QStyle,
    QStyleOptionButton,
    QTabBar,
    QTextBrowser,
    QWidget,
)

from deidgui.qt.theme import theme, tokens
from deidgui.qt.widgets.polish import least_widths, show_later

RINGED = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QTabBar,
    QTextBrowser,
)
"""Fields show the focus by their border (see the style sheet)."""


RAISED_AFTER = (
    QEvent.Type.Move,
    QEvent.Type.ParentChange,
    QEvent.Type.Show,
    QEvent.Type.ZOrderChange,
)
"""Events of a control after which the style puts its ring below it."""

CHANGED_AFTER = (*RAISED_AFTER, QEvent.Type.Resize, QEvent.Type.StyleChange)
"""The same, and those after which the ring gets another size or the style's mask."""


BAND, ROUND = 3, 8
"""Pixels of the ring: a line and a thin one between it and the control; of corners."""

HANDLE = 7
"""Pixels between two parts where they can be moved; a hairline in their middle."""


def _least_height(part: QWidget) -> int:
    """Pixels that a part needs with as many lines as its texts take now."""
    high, layout = part.minimumSizeHint().height(), part.layout()
    if layout is None or not layout.hasHeightForWidth():
        return high
    return max(high, layout.totalMinimumHeightForWidth(part.width()))


class Splitter(QSplitter):
    """Parts side by side that can be moved; below one another where it is narrow.

    It does not take the ring around one of its parts for a part. Its handles are Qt's
    own: one that Python had made would be deleted twice when the collector ends a
    splitter.

    Parameters
    ----------
    stack_below : int
        Width in pixels under which the parts stand below one another; also where they
        need more room than there is.

    Where there is less room than all parts want, each gives some, until somebody moves
    them; what is more goes to the first if it stretches.
    """

    def __init__(self, stack_below: int = 0) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._stack_below = stack_below
        self._beside: Sequence[int] = ()
        self._stacked: Sequence[int] = ()
        self._is_moved = False
        self.splitterMoved.connect(self._on_moved)
        self.setHandleWidth(HANDLE)

    def share(self, beside: Sequence[int], stacked: Sequence[int]) -> None:
        """Say how wide the parts are beside one another, and how high if stacked."""
        self._beside, self._stacked = beside, stacked
        self.setSizes(stacked if self.is_stacked else beside)

    @property
    def is_stacked(self) -> bool:
        """Whether the parts stand below one another."""
        return self.orientation() is Qt.Orientation.Vertical

    def _widths(self) -> list[int]:
        return least_widths(self._parts())

    def _parts(self) -> Iterable[QWidget]:
        return filter(None, map(self.widget, range(self.count())))

    def minimumSizeHint(self) -> QSize:
        """Least size; Qt's own forgets the lines that texts take where it is narrow."""
        highs = [_least_height(each) for each in self._parts() if not each.isHidden()]
        high = sum(highs) if self.is_stacked else max(highs, default=0)
        least = super().minimumSizeHint()
        wide = max(self._widths(), default=0)
        return QSize(wide, max(least.height(), high))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        if event.size().width() != event.oldSize().width():
            self._share_width()
            self.updateGeometry()

    def _on_moved(self, _at: int, _handle: int) -> None:
        self._is_moved = True

    def _share_width(self) -> None:
        """Give parts beside one another what they want, or less where there is less."""
        first = self.widget(0)
        is_free = self._is_moved or self.is_stacked or not self._beside
        if is_free or first is None or not first.sizePolicy().horizontalStretch():
            return
        room = self.width() - self.handleWidth() * (self.count() - 1)
        # Large letters leave nothing to give.
        part = min(1.0, theme().text_scale * room / sum(self._beside))
        others = [int(part * each) for each in self._beside[1:]]
        self.setSizes([room - sum(others), *others])

    def _arrange(self) -> None:
        widths = self._widths()
        needed = sum(widths) + self.handleWidth() * (len(widths) - 1)
        is_narrow = self.width() < max(self._stack_below, needed)
        if is_narrow != self.is_stacked:
            ways = Qt.Orientation
            self.setOrientation(ways.Vertical if is_narrow else ways.Horizontal)
            self.setSizes(self._stacked if is_narrow else self._beside)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()  # the parts need another width than before
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            for handle in map(self.handle, range(self.count())):
                handle.setAttribute(Qt.WidgetAttribute.WA_Hover)
                handle.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw a handle as a hairline."""
        is_paint = event.type() is QEvent.Type.Paint
        if not is_paint or not isinstance(watched, QSplitterHandle):
            return super().eventFilter(watched, event)
        rect, colours = watched.rect(), tokens().colours
        if self.orientation() is Qt.Orientation.Horizontal:
            rect.adjust(HANDLE // 2, 0, -(HANDLE // 2), 0)
        else:
            rect.adjust(0, HANDLE // 2, 0, -(HANDLE // 2))
        colour = colours.accent_line if watched.underMouse() else colours.line
        with QPainter(watched) as painter:
            painter.fillRect(rect, QColor(colour))
        return True

    def childEvent(self, event: QChildEvent) -> None:
        child = event.child()
        if isinstance(child, QFocusFrame):
            return
        is_new = event.added() and not self.isVisible()
        is_handle = isinstance(child, QSplitterHandle)
        if is_new and isinstance(child, QWidget) and not is_handle:
            show_later(child)
        super().childEvent(event)


class FocusRing(QFocusFrame):
    """Ring around the control that has the focus, if the keyboard moved it there.

    Every window, dialog and sheet has one of its own, which is a child of it.

    Parameters
    ----------
    window : QWidget
        The window whose controls get the ring.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.hide()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)

    # A slot of the class: one of the object is gone as soon as the collector has
    # emptied it, and the application may send once more before it is deleted.
    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        is_mouse = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        is_ours = now is not None and now.window() is self.window()
        if now is None or is_mouse or not is_ours or not _has_ring(now):
            self.setWidget(None)  # type: ignore[arg-type]
            self.hide()
            if self.parentWidget() is not self.window():
                # It would be deleted with what stood around the control.
                self.setParent(self.window())
        else:
            self.setWidget(now)
            self._let_through()
            self.raise_()  # the style would put it below the control

    def surround(self, place: QWidget) -> None:
        """Show that the keyboard is on a part of the window that is no control."""
        self.setWidget(place)
        self._let_through()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_taken = super().eventFilter(watched, event)
        if watched is self.widget() and event.type() in CHANGED_AFTER:
            self._let_through()
            if event.type() in RAISED_AFTER:
                self.raise_()
        return is_taken

    def _let_through(self) -> None:
        """Leave the control alone, but for where the ring lies on it.

        The style lets it draw around the control only: where the parent ends there,
        nothing of it would be seen. PERF: what it lies on is scrolled slowly.
        """
        is_scrolled = isinstance(self.widget(), QAbstractScrollArea)
        corner = BAND if is_scrolled else ROUND
        inside = QRegion()
        for x, y in ((BAND, corner), (corner, BAND)):
            inside += self._visible_rect().adjusted(x, y, -x, -y)
        self.setMask(QRegion(self.rect()) - inside)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self._visible_rect()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(QColor(tokens().colours.accent), 2))
        painter.drawRoundedRect(rect, ROUND - 1, ROUND - 1)
        # The control may have the same colour.
        painter.setPen(QPen(QColor(tokens().colours.surface), 1))
        painter.drawRoundedRect(rect.adjusted(1.5, 1.5, -1.5, -1.5), 5.5, 5.5)

    def _visible_rect(self) -> QRect:
        """Part of the ring that its parent does not cut off, beside a box or circle."""
        parent, control = self.parentWidget(), self.widget()
        if parent is None:
            return self.rect()
        seen = self.rect().intersected(parent.rect().translated(-self.pos()))
        if not isinstance(control, QCheckBox | QRadioButton) or not control.text():
            return seen
        # At the edge of the parent it would lie on the circle.
        words = _words_of(control).translated(control.pos() - self.pos())
        return seen.intersected(words.adjusted(-BAND - 1, -ROUND, ROUND, ROUND))


def _words_of(control: QCheckBox | QRadioButton) -> QRect:
    option = QStyleOptionButton()
    control.initStyleOption(option)
    parts = QStyle.SubElement
    is_box = isinstance(control, QCheckBox)
    part = parts.SE_CheckBoxContents if is_box else parts.SE_RadioButtonContents
    return control.style().subElementRect(part, option, control)


def _has_ring(widget: QWidget) -> bool:
    return isinstance(widget, RINGED) or bool(widget.property("focus_ring"))
