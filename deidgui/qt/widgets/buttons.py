"""Buttons by their weight: one primary on a page, the others quieter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolButton, QWidget

from deidgui.qt import icons
from deidgui.qt.widgets.polish import mark

Kind = Literal["primary", "plain", "quiet", "danger", "link"]

Receiver = Callable[..., Any] | SignalInstance
"""What a click is connected to: a bound method, or a signal to pass it on."""

KIND_COLOUR: dict[Kind, str] = {
    "primary": "on_accent",
    "plain": "muted",
    "quiet": "muted",
    "danger": "on_accent",
    "link": "accent_text",
}


class Button(QPushButton):
    """Button with words and, where it helps, a glyph.

    Parameters
    ----------
    text : str
        A verb: "Open a file…".
    kind : str
        primary (at most one on a page), plain, quiet, danger or link.
    glyph : str, optional
        Name of an icon.
    clicked : callable, optional
        A bound method.
    small : bool
        Lower, for rows of lists and bars.
    """

    def __init__(
        self,
        text: str,
        kind: Kind = "plain",
        glyph: str | None = None,
        clicked: Receiver | None = None,
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._kind: Kind = kind
        self._glyph = ""
        self._drawn: tuple[str, Kind, bool] | None = None
        mark(self, kind=kind, size="small" if small else "")
        self.setAutoDefault(kind == "primary")
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        if kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        if glyph:
            self.set_glyph(glyph)
        if clicked is not None:
            self.clicked.connect(clicked)

    def set_kind(self, kind: Kind) -> None:
        """Let another button be the primary one of the page, or this one."""
        if kind == self._kind:
            return
        self._kind = kind
        mark(self, kind=kind)
        self.setAutoDefault(kind == "primary")
        if self._glyph:
            self.set_glyph(self._glyph)

    def set_glyph(self, glyph: str) -> None:
        """Show a glyph before the words, or none."""
        self._glyph = glyph
        wanted = glyph, self._kind, bool(self.text())
        if wanted == self._drawn:
            return
        self._drawn = wanted
        self.setIcon(icons.icon(glyph, KIND_COLOUR[self._kind]) if glyph else QIcon())
        # The style leaves no room between glyph and words: the icon is wider.
        self.setIconSize(QSize(18 if not self.text() else 23, 18))


class IconButton(QToolButton):
    """Square button with a glyph only; its words are the tooltip.

    Parameters
    ----------
    glyph : str
        Name of an icon.
    words : str
        What it does: tooltip and name for screen readers.
    clicked : callable, optional
        A bound method.
    colour : str
        Name of a colour in `Colours`.
    """

    def __init__(
        self,
        glyph: str,
        words: str,
        clicked: Receiver | None = None,
        checkable: bool = False,
        colour: str = "muted",
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._colour = colour
        mark(self, size="small" if small else "")
        edge = icons.SMALL if small else icons.MEDIUM
        self.setIconSize(QSize(edge, edge))
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_glyph(glyph)
        self.set_words(words)
        if clicked is not None:
            self.clicked.connect(clicked)

    def sizeHint(self) -> QSize:
        """Return the least size; a layout would take the rest from what is below."""
        self.ensurePolished()
        return self.minimumSize() if self.minimumWidth() else super().sizeHint()

    def set_glyph(self, glyph: str, colour: str | None = None) -> None:
        """Show another glyph."""
        self.setIcon(icons.icon(glyph, colour or self._colour))

    def set_words(self, words: str) -> None:
        """Change what the tooltip and screen readers say."""
        self.setToolTip(words)
        self.setAccessibleName(words)


def tooltip_with_keys(action: QAction) -> str:
    """Words of an action with its shortcut, for the tooltip of its button."""
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    words = action.text().replace("&", "").rstrip("…")
    return f"{words}  ({keys})" if keys else words
