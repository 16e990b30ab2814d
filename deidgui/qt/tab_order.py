"""Tab goes through a page as it is read: in the order of its layouts."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QGridLayout,
    QLayout,
    QScrollArea,
    QSplitter,
    QWidget,
)

WHOLE = (QAbstractScrollArea, QAbstractSpinBox, QComboBox)
"""Controls whose parts are no stops of their own."""


def is_stop(widget: QWidget) -> bool:
    """Whether Tab stops at a control while it is shown and enabled."""
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def stops(widget: QWidget) -> Iterator[QWidget]:
    """Controls of a widget that Tab stops at now, in reading order."""
    if not widget.isVisible() or widget.isWindow():
        return
    if is_stop(widget) and widget.isEnabled():
        yield widget
    if isinstance(widget, QScrollArea):
        parts = [widget.widget()]
    elif isinstance(widget, WHOLE):
        parts = []
    elif isinstance(widget, QSplitter):
        parts = [widget.widget(place) for place in range(widget.count())]
    else:
        layout = widget.layout()
        only = Qt.FindChildOption.FindDirectChildrenOnly
        parts = [] if layout is None else list(_widgets(layout))
        others = widget.findChildren(QWidget, options=only)
        parts += [each for each in others if each not in parts]
    for part in parts:
        if part is not None:
            yield from stops(part)


def _widgets(layout: QLayout) -> Iterator[QWidget]:
    """Widgets of a layout row by row, from the top."""
    places = list(range(layout.count()))
    if isinstance(layout, QGridLayout):
        places.sort(key=lambda place: layout.getItemPosition(place)[:2])  # type: ignore[index]
    up = QBoxLayout.Direction.BottomToTop
    if isinstance(layout, QBoxLayout) and layout.direction() is up:
        places.reverse()
    for place in places:
        item = layout.itemAt(place)
        inner = item.layout() if item is not None else None
        widget = item.widget() if item is not None else None
        if inner is not None:
            yield from _widgets(inner)
        elif widget is not None:
            yield widget


def next_stop(
    root: QWidget | None, now: QWidget | None, *, forward: bool
) -> QWidget | None:
    """Return the control that Tab goes to from where the focus is; None without any.

    From a part that is no stop itself it goes to the first one in it.
    """
    order = [] if root is None else list(stops(root))
    if not order:
        return None
    if now in order:
        return order[(order.index(now) + (1 if forward else -1)) % len(order)]
    inside = (e for e in order if now is not None and now.isAncestorOf(e))
    first = next(inside, order[0])
    return first if forward else order[order.index(first) - 1]


def go_to(widget: QWidget, *, forward: bool) -> None:
    """Give a control the focus and scroll to it."""
    reasons = Qt.FocusReason
    widget.setFocus(reasons.TabFocusReason if forward else reasons.BacktabFocusReason)
    place = widget.parentWidget()
    while place is not None:
        if isinstance(place, QScrollArea):
            place.ensureWidgetVisible(widget)
        place = place.parentWidget()
