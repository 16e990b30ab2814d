"""How does a part of a page stay whole where the window is low?"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


def scrolling(widget: QWidget) -> QScrollArea:
    """Let a part of a page scroll up and down where the window is low."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setMinimumWidth(widget.minimumSizeHint().width() + 16)
    inside = QWidget()
    inside.setObjectName("scrolled")
    box = QVBoxLayout(inside)
    box.setContentsMargins(0, 0, 8, 0)
    box.addWidget(widget)
    area.setWidget(inside)
    return area
