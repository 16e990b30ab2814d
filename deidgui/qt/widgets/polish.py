"""How a widget tells the style sheet what it is, and lays out its children."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLayout,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QStackedWidget,
    QTableView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

W = TypeVar("W", bound=QWidget)

Part = QWidget | QLayout

Item = Part | tuple[Part, int] | int | None
"""A widget, a layout, one with its share of what is left of the room, a distance in
pixels, or None for a stretch.
"""

Margin = int | tuple[int, int, int, int]
"""Pixels on every side, or at the left, above, at the right and below."""

LEAST_ROWS, LEAST_WIDTH = 5, 72
"""Rows of a list that are seen at least, and pixels of its width."""


def mark(widget: W, **properties: str | bool) -> W:
    """Set dynamic properties (kind, type, tone, state, size) and restyle.

    PERF: what has not been styled yet will be; before that it would cost as much as
    to build the widget.

    Returns
    -------
    QWidget
        The widget itself.
    """
    changed = False
    for name, value in properties.items():
        if widget.property(name) != value:
            widget.setProperty(name, value)
            changed = True
    # What has no style yet gets the right one when it is shown.
    if changed and widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
    return widget


def _filled(
    box: QBoxLayout, items: Iterable[Item], spacing: int, margin: Margin
) -> None:
    box.setSpacing(spacing)
    sides = (margin,) * 4 if isinstance(margin, int) else margin
    box.setContentsMargins(*sides)
    for item in items:
        if item is None:
            box.addStretch(1)
        elif isinstance(item, int):
            box.addSpacing(item)
        else:
            part, share = item if isinstance(item, tuple) else (item, 0)
            if isinstance(part, QLayout):
                box.addLayout(part, share)
            else:
                box.addWidget(part, share)


def row(*items: Item, spacing: int = 8, margin: Margin = 0) -> QHBoxLayout:
    """Items side by side."""
    box = QHBoxLayout()
    _filled(box, items, spacing, margin)
    return box


def column(*items: Item, spacing: int = 8, margin: Margin = 0) -> QVBoxLayout:
    """Items below one another."""
    box = QVBoxLayout()
    _filled(box, items, spacing, margin)
    return box


def holder(layout: QLayout, parent: QWidget | None = None) -> QWidget:
    """Widget without a look of its own around a layout."""
    widget = QWidget(parent)
    widget.setLayout(layout)
    return widget


def least_widths(parts: Iterable[QWidget]) -> list[int]:
    """Pixels that each of several parts needs, without those that are not shown."""
    return [
        max(each.minimumSizeHint().width(), each.minimumWidth())
        for each in parts
        if not each.isHidden()
    ]


def least_list(view: QTableView | QTreeView) -> QSize:
    """Least size of a list: so high that some of its rows are seen, and its bar."""
    if isinstance(view, QTableView):
        titles = view.horizontalHeader()
        row = view.verticalHeader().defaultSectionSize()
    else:
        titles, row = view.header(), view.sizeHintForRow(0)
    head = 0 if titles.isHidden() else titles.sizeHint().height()
    bar = view.horizontalScrollBar().sizeHint().height() + 2 * view.frameWidth()
    return QSize(LEAST_WIDTH, head + LEAST_ROWS * row + bar)


def line(orientation: Qt.Orientation = Qt.Orientation.Horizontal) -> QFrame:
    """Hairline between two parts."""
    frame = mark(QFrame(), kind="line")
    if orientation is Qt.Orientation.Horizontal:
        frame.setFixedHeight(1)
        frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    else:
        frame.setFixedWidth(1)
        frame.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
    return frame


def show_rows(table: QTableView, height: int) -> None:
    """Let a table be a list of whole rows that are as high, without a grid."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setShowGrid(False)
    lines = table.verticalHeader()
    lines.hide()
    lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    lines.setDefaultSectionSize(height)
    table.horizontalHeader().setHighlightSections(False)


def row_at_end(
    table: QTableView, action: QAbstractItemView.CursorAction
) -> QModelIndex | None:
    """Return where Home and End lead in a table of rows: the first or the last one.

    Returns
    -------
    QModelIndex or None
        None for other moves. Qt goes to the first or last cell of the same row.
    """
    moves, n_rows = QAbstractItemView.CursorAction, table.model().rowCount()
    if action not in (moves.MoveHome, moves.MoveEnd) or not n_rows:
        return None
    row = 0 if action is moves.MoveHome else n_rows - 1
    return table.model().index(row, max(table.currentIndex().column(), 0))


def show_if(widget: QWidget, is_shown: bool) -> None:
    """Show or hide a part of something.

    Unlike `setVisible` it never opens a window of its own: a widget that no layout
    holds yet is shown together with the one that will hold it.
    """
    parent = widget.parentWidget()
    if not is_shown:
        widget.setVisible(False)
    elif parent is not None and parent.isVisible():
        if not widget.isVisible():
            with laid_out_later(parent):
                widget.setVisible(True)
    elif parent is None:
        widget.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
    else:
        show_later(widget)
        widget.updateGeometry()


@contextmanager
def laid_out_later(widget: QWidget | None) -> Iterator[None]:
    """Let what is shown in a widget be laid out afterwards, all of it once.

    PERF: Qt lays out everything up to the window whenever a single part is shown:
    5 ms for each of ten new labels.
    """
    held = []
    while widget is not None:
        layout = widget.layout()
        if layout is not None and layout.isEnabled():
            layout.setEnabled(False)
            held.append(layout)
        widget = None if widget.isWindow() else widget.parentWidget()
    try:
        yield
    finally:
        for layout in held:
            layout.setEnabled(True)


@contextmanager
def refilled(layout: QLayout) -> Iterator[None]:
    """Remove and delete what is in a layout, and show at once what is put in instead.

    PERF: it takes longer than to fill the same widgets anew (`Refill`).
    """
    with laid_out_later(layout.parentWidget()):
        clear(layout)
        yield
        show_new(layout)


def show_new(layout: QLayout) -> None:
    """Show what was added to a layout that can be seen, and was not hidden since.

    PERF: Qt would show one part after the other, and lay out the window each time.
    """
    owner = layout.parentWidget()
    if owner is None or not owner.isVisible():
        return
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = (item.widget(), item.layout()) if item else (None, None)
        if inner is not None:
            show_new(inner)
        elif widget is not None and not _is_hidden_on_purpose(widget):
            widget.setVisible(True)


def _is_hidden_on_purpose(widget: QWidget) -> bool:
    was_said = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
    return widget.isHidden() and widget.testAttribute(was_said)


def show_later(widget: QWidget) -> None:
    """Show a widget together with what it is a part of.

    PERF: `show` would style it now, and again with each part that it becomes part of.
    """
    widget.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
    widget.setAttribute(Qt.WidgetAttribute.WA_WState_Hidden, False)


def stacked(
    stack: QStackedWidget | QStackedLayout | QSplitter, *parts: QWidget
) -> None:
    """Put parts behind one another (or beside one another in a splitter)."""
    holder = stack if isinstance(stack, QWidget) else stack.parentWidget()
    for part in parts:
        if holder is not None:
            part.setParent(holder)
        show_later(part)
        stack.addWidget(part)


def discard(widget: QWidget) -> None:
    """Hide what is in no layout any more, and delete it when nothing asks it.

    PERF: it keeps its parent until then. Without one it would be styled once more, 2 ms
    for a row of words.
    """
    # A layout shows what it got a moment later: hidden it stays hidden.
    widget.hide()
    widget.deleteLater()


def goes_with(part: W, owner: QObject) -> W:
    """Let what has no place yet be destroyed with its owner, however that ends.

    PERF: a child of the owner would be styled as soon as it is one.

    Returns
    -------
    QWidget
        The part itself.
    """
    owner.destroyed.connect(part.deleteLater)
    return part


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            discard(widget)
        elif (inner := item.layout()) is not None:
            clear(inner)
