"""Layouts that follow the room: items wrap, columns stack, parts scroll."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QMargins,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSplitter,
    QStackedLayout,
    QWidget,
)

from deidgui.qt.theme import theme
from deidgui.qt.widgets.polish import Item, Margin, W, column, holder, least_widths, row

BAR = 12
"""Pixels that a scroll bar takes."""

APART = 8
"""Pixels between a part that scrolls and its bar, while there is one."""

LOW = 480
"""Height of a page, for letters × 1, below which it alone scrolls, not its parts."""

BESIDE = 232
"""Pixels, for letters × 1, that are seen at least of a part beside a list."""

DEEPEST = 8
"""Resizes of what scrolls within one another until no more is answered."""


class FlowLayout(QLayout):
    """Items side by side in as many rows as they need.

    Parameters
    ----------
    spacing : int
        Distance between items and between rows, in pixels.
    wants_one_row : bool
        Whether it takes the width of one row where there is so much, and makes the
        items as narrow as they can be before there is a second one. Where there is
        one, rows are about equally long: they stay as they are when the width changes.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        spacing: int = 8,
        *,
        wants_one_row: bool = False,
    ) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._wants_one_row = wants_one_row
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
        least = self.minimumSize()
        if not self._wants_one_row:
            return least
        return QSize(max(self._one_row(), least.width()), least.height())

    def _one_row(self, *, is_tight: bool = False) -> int:
        """Width in which all items stand in one row."""
        shown = [each for each in self._items if not each.isEmpty()]
        hints = (e.minimumSize() if is_tight else e.sizeHint() for e in shown)
        margins = self.contentsMargins()
        gaps = self.spacing() * max(len(shown) - 1, 0)
        return sum(h.width() for h in hints) + gaps + margins.left() + margins.right()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(
            margins.left() + margins.right(), margins.top() + margins.bottom()
        )

    def _n_rows(self, widths: Sequence[int], room: int) -> int:
        """Rows that items of such widths need."""
        n_rows, used = 1, 0
        for width in widths:
            if used and used + width > room:
                n_rows, used = n_rows + 1, 0
            used += width + self.spacing()
        return n_rows

    def _even(self, widths: Sequence[int], room: int) -> int:
        """Least room in which there are no more rows than in this one."""
        n_rows = self._n_rows(widths, room)
        rooms = range(max(widths, default=0), room)
        least = bisect_left(rooms, -n_rows, key=lambda w: -self._n_rows(widths, w))
        return rooms[least] if least < len(rooms) else room

    def _size_of(self, item: QLayoutItem, room: int, *, is_tight: bool) -> QSize:
        """Pixels that an item gets; one that wraps wraps where it has no room."""
        wraps = item.hasHeightForWidth()
        size = item.minimumSize() if is_tight and not wraps else item.sizeHint()
        widget = item.widget()
        inside = widget.layout() if widget is not None else None
        if is_tight and isinstance(inside, FlowLayout):
            size.setWidth(inside._one_row(is_tight=True))
        if size.width() > room:
            high = item.heightForWidth(room) if wraps else size.height()
            size = QSize(max(room, 1), high)
        return size

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        inner = rect.marginsRemoved(self.contentsMargins())
        x, y, row_height = inner.x(), inner.y(), 0
        is_tight = self._wants_one_row and rect.width() < self.sizeHint().width()
        right, more = inner.right() + 1, 0
        if is_tight:
            shown = [each for each in self._items if not each.isEmpty()]
            sizes = (self._size_of(e, inner.width(), is_tight=True) for e in shown)
            widths = [each.width() for each in sizes]
            right = inner.x() + self._even(widths, inner.width())
            if self._n_rows(widths, inner.width()) == 1:
                taken = sum(widths) + self.spacing() * (len(widths) - 1)
                more = max(0, inner.width() - taken) // len(widths)
                right = inner.right() + 1
        for item in self._items:
            if item.isEmpty():
                continue
            size = self._size_of(item, inner.width(), is_tight=is_tight)
            if more:
                wide = max(size.width(), item.sizeHint().width())
                size.setWidth(min(wide, size.width() + more))
            if x > inner.x() and x + size.width() > right:
                x, y = inner.x(), y + row_height + self.spacing()
                row_height = 0
            if not is_trial:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self.spacing()
            row_height = max(row_height, size.height())
        return y + row_height - rect.y() + self.contentsMargins().bottom()


def wrapping(*groups: Sequence[QWidget], spacing: int = 8) -> QWidget:
    """Groups side by side, each in one row; in as many rows as they need."""
    made = QWidget()
    flow = FlowLayout(made, spacing)
    for group in groups:
        flow.addWidget(holder(row(*group)))
    return made


class Columns(QWidget):
    """Parts side by side that stand below one another where it is narrow.

    Parameters
    ----------
    parts : sequence of (QWidget, int)
        Each with its share of the width.
    stack_below : int
        Width in pixels under which the parts are stacked; also where their
        contents need more room than there is.
    last_on_top : bool
        Whether the last part is the first of those that are stacked.

    Attributes
    ----------
    arranged : Signal of bool
        The parts are stacked now, or beside one another.
    """

    arranged = Signal(bool)

    def __init__(
        self,
        parts: Sequence[tuple[QWidget, int]],
        stack_below: int = 640,
        spacing: int = 16,
        parent: QWidget | None = None,
        *,
        last_on_top: bool = False,
    ) -> None:
        super().__init__(parent)
        self._stack_below = stack_below
        way = QBoxLayout.Direction
        self._stacked = way.BottomToTop if last_on_top else way.TopToBottom
        self._box = QBoxLayout(way.LeftToRight, self)
        self._box.setContentsMargins(QMargins(0, 0, 0, 0))
        self._box.setSpacing(spacing)
        self._parts = [part for part, _share in parts]
        for part, share in parts:
            self._box.addWidget(part, share)

    def set_shares(self, *shares: int) -> None:
        """Give the parts other shares of the width than before."""
        for place, share in enumerate(shares):
            self._box.setStretch(place, share)

    def set_stack_below(self, width: int) -> None:
        """Stack the parts under another width than before."""
        if width != self._stack_below:
            self._stack_below = width
            self._arrange()

    @property
    def is_stacked(self) -> bool:
        """Whether the parts stand below one another."""
        return self._box.direction() is self._stacked

    def minimumSizeHint(self) -> QSize:
        widths = least_widths(self._parts)
        return QSize(max(widths, default=0), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()  # the contents need another width than before
        return super().event(event)

    def _arrange(self) -> None:
        widths = least_widths(self._parts)
        needed = sum(widths) + self._box.spacing() * (len(widths) - 1)
        is_narrow = self.width() < max(self._stack_below, needed)
        if is_narrow != self.is_stacked:
            beside = QBoxLayout.Direction.LeftToRight
            self._box.setDirection(self._stacked if is_narrow else beside)
            self.updateGeometry()
            self.arranged.emit(is_narrow)


class ShownStack(QStackedLayout):
    """One of several widgets, with the room that this one needs.

    Qt's own stack is as large as the largest of them, so that a page scrolls for what
    it does not show. Without a parent it would show the first of them as a window.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)

    def minimumSize(self) -> QSize:
        shown = self.currentWidget()
        if shown is None:
            return QSize()
        least = shown.minimumSizeHint().expandedTo(shown.minimumSize())
        return least.boundedTo(shown.maximumSize())

    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return QSize() if shown is None else shown.sizeHint()

    def hasHeightForWidth(self) -> bool:
        shown = self.currentWidget()
        return shown is not None and shown.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:
        """Let a chart give way: Qt takes the height that is asked for the least.

        Where there is less, it would cut what stands above the stack, too.
        """
        shown = self.currentWidget()
        inner = shown.layout() if shown is not None else None
        least = self.minimumSize().height()
        if inner is None or not inner.hasHeightForWidth():
            return least
        return max(least, inner.totalMinimumHeightForWidth(width))


class UnstyledArea(QScrollArea):
    """Scrolls something that is styled when it is seen first.

    PERF: on each change of style, thus whenever it becomes a part of something, the
    scroll bars of Qt's own area ask for the size of all that is inside, and that is
    styled. Here they ask when it is shown.
    """

    _depth = 0

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.StyleChange and not self.isVisible():
            return QAbstractScrollArea.event(self, event)
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # WORKAROUND Qt 6: where what is inside is a little lower beside the bar than
        # without it, the area shows and hides the bar until the stack is full.
        if self._depth > DEEPEST:
            return False
        self._depth += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._depth -= 1


def ancestor(widget: QWidget, kind: type[W]) -> W | None:
    """Nearest part of such a kind that a widget is inside of."""
    place = widget.parentWidget()
    while place is not None and not isinstance(place, kind):
        place = place.parentWidget()
    return place


class Scrolled(QWidget):
    """What is scrolled up and down: as high as its texts need at its width.

    Qt would make it at least as high as they need where they are narrowest.
    """

    def minimumSizeHint(self) -> QSize:
        least, layout = super().minimumSizeHint(), self.layout()
        follows = layout is not None and layout.hasHeightForWidth()
        return QSize(least.width(), 0 if follows else least.height())


class ScrolledColumn(UnstyledArea):
    """Never narrower than what is in it, also after the size of texts has changed.

    On a low page it is as high as what is in it: there the page alone scrolls.

    Parameters
    ----------
    is_beside : bool
        Whether it stands beside a list: it scrolls on a low page, too, so that it is
        in sight together with the chosen row; not where a splitter puts it below.
    """

    def __init__(
        self, parent: QWidget | None = None, *, is_beside: bool = False
    ) -> None:
        super().__init__(parent)
        self._is_beside = is_beside
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setProperty("apart", True)
        self._settling = QTimer(self, singleShot=True, interval=0)
        self._settling.timeout.connect(self._settle)

    def _settle(self) -> None:
        """Lay out what is inside as wide as it is.

        WORKAROUND Qt 6: where the bar appears while what is inside is laid out, that
        stays as wide as it was without the bar.
        """
        inside = self.widget()
        if inside is None or (layout := inside.layout()) is None:
            return
        if layout.geometry().width() != inside.width():
            layout.setGeometry(inside.rect())

    def minimumSizeHint(self) -> QSize:
        inside, high = self.widget(), super().minimumSizeHint().height()
        if inside is None:
            return QSize(APART + BAR, high)
        least = inside.minimumSizeHint()
        wide = least.width() + APART + BAR
        is_beside = self._stands_beside()
        if is_beside or self._is_on_low_page():
            high = max(inside.heightForWidth(max(self.width(), wide)), least.height())
        if is_beside:
            high = min(high, round(BESIDE * max(1.0, theme().text_scale)))
        return QSize(wide, high)

    def _stands_beside(self) -> bool:
        splitter = ancestor(self, QSplitter)
        is_below = splitter and splitter.orientation() is Qt.Orientation.Vertical
        return self._is_beside and not is_below

    def _is_on_low_page(self) -> bool:
        page = ancestor(self, PageArea)
        return page is not None and page.is_low

    def follow_page(self) -> None:
        """Scroll, or be as high as the content, as the page has room.

        Once there is a bar, Qt keeps it for the lines that it costs.
        """
        policy = Qt.ScrollBarPolicy
        is_whole = not self._stands_beside() and self._is_on_low_page()
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if is_whole else policy.ScrollBarAsNeeded
        )
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.follow_page()
            self._settling.start()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


def scrolling(
    widget: QWidget | None = None, *, is_beside: bool = False
) -> ScrolledColumn:
    """Let a part of a page scroll up and down where the window is low.

    Without a part it is filled later, by `scroll_in`.
    """
    area = ScrolledColumn(is_beside=is_beside)
    if widget is not None:
        scroll_in(area, widget)
    return area


def scroll_in(area: QScrollArea, widget: QWidget) -> None:
    """Put a part into an area that scrolls it."""
    fill_scrolled(area, widget)


def fill_scrolled(
    area: QScrollArea, *items: Item, spacing: int = 0, margin: Margin = 0
) -> None:
    """Let an area scroll over items below one another.

    PERF: it is filled last, since what a scroll area is given is styled at once.
    """
    inside = Scrolled()
    inside.setObjectName("scrolled")
    area.setWidget(inside)
    inside.setLayout(column(*items, spacing=spacing, margin=margin))


class _Sheet(QWidget):
    """As large as it may be, and never smaller than its content can be.

    A scroll area makes what has a layout as high as it would like to be; this one
    has none, so that tables and charts give way before anything scrolls.
    """

    def __init__(self, content: QWidget, area: FittingArea) -> None:
        super().__init__()
        self.setObjectName("scrolled")
        self._content, self._area = content, area
        content.setParent(self)

    def high(self, width: int, *, least: bool) -> int:
        """Height in pixels that the content needs, or would like, at a width."""
        content, layout = self._content, self._content.layout()
        if layout is None or not layout.hasHeightForWidth():
            hint = content.minimumSizeHint() if least else content.sizeHint()
            return hint.height()
        if least:
            return layout.minimumHeightForWidth(width)
        return layout.heightForWidth(width)

    def minimumSizeHint(self) -> QSize:
        """Least size; follows from the room of the area alone.

        What depended on the present width would change with the scroll bar that it
        asks for, and the area would resize for ever.
        """
        content, room = self._content, self._area.maximumViewportSize()
        wide = content.minimumWidth() or content.minimumSizeHint().width()
        full = max(wide, room.width())
        high = self.high(full, least=True)
        if high - self._padding > room.height():
            high = max(high, self.high(max(wide, full - BAR), least=True))
        fits = high - self._padding <= room.height()
        return QSize(wide, min(high, room.height()) if fits else high)

    @property
    def _padding(self) -> int:
        """Pixels at the end of the content for which nothing scrolls."""
        layout = self._content.layout()
        return 0 if layout is None else layout.contentsMargins().bottom()

    def sizeHint(self) -> QSize:
        wide = max(self._content.minimumWidth(), self._content.sizeHint().width())
        return QSize(wide, self.high(wide, least=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        most = self.height() + self._padding
        least = min(self.high(self.width(), least=True), most)
        self._content.resize(self.width(), max(self.height(), least))

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


class PageArea(UnstyledArea):
    """Scrolls a page, and tells its parts whether they scroll by themselves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._was_low = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme().changed.connect(self.look_whether_low)

    @property
    def is_low(self) -> bool:
        """Whether there is so little room that nothing inside scrolls by itself."""
        low = LOW * max(1.0, theme().text_scale)
        return self.maximumViewportSize().height() < low

    def look_whether_low(self) -> None:
        """Tell the parts when the room, or the size of letters, has changed."""
        if self.is_low != self._was_low:
            self._was_low = self.is_low
            for each in self.findChildren(ScrolledColumn):
                each.follow_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.look_whether_low()


class FittingArea(PageArea):
    """Scrolls in both directions what has less room than it needs at least.

    Parameters
    ----------
    content : QWidget
        With a layout; fills the area where there is room.
    """

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = _Sheet(content, self)
        self.setWidget(self._sheet)

    def sizeHint(self) -> QSize:
        return self._sheet.sizeHint()

    def size_at(self, width: int) -> QSize:
        """Size that the content would like to have, at least as wide as this."""
        wide = max(width, self._sheet.sizeHint().width())
        return QSize(wide, self._sheet.high(wide, least=False))


def fitting_size(widget: QWidget, most: QSize) -> QSize:
    """Size that a sheet would like to have, with its scroll bars where it is cut."""
    hint = widget.sizeHint()
    bars = QSize(
        BAR if hint.height() > most.height() else 0,
        BAR if hint.width() > most.width() else 0,
    )
    return (hint + bars).boundedTo(most)
