"""What the window tells without stopping anybody: a strip instead of a message box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from deidgui.qt import icons
from deidgui.qt.widgets.buttons import Button, IconButton
from deidgui.qt.widgets.cards import Status
from deidgui.qt.widgets.polish import column, mark
from deidgui.qt.widgets.text import TONE_GLYPH, GlyphLabel, Label
from deidgui.text import tr

MOST_SHOWN = 3
"""More notices than these would hide the page; the oldest goes."""


@dataclass(frozen=True)
class Notice:
    """One message of the strip.

    Parameters
    ----------
    text : str
        What is the matter.
    status : str
        info, success, warning or danger.
    fix : str
        How to fix it.
    action : str
        Words of a button; empty for none.
    act : callable, optional
        What the button does: a bound method.
    topic : str
        A later notice of the same topic replaces this one.
    until : str
        What makes it pointless: "step" (another page is shown), "decision" (what its
        button would undo is no longer the last one), or "" if only its reason can;
        "fixed": nobody can take it away before, since nothing else offers its action.
    """

    text: str
    status: Status = "info"
    fix: str = ""
    action: str = ""
    act: Callable[[], Any] | None = None
    topic: str = ""
    until: Literal["", "step", "decision", "fixed"] = ""

    @property
    def is_read(self) -> bool:
        """Whether it only tells what was done, and goes when its page is left."""
        only_tells = self.status in ("info", "success") and self.act is None
        return self.until == "step" or (only_tells and not self.topic)


class _Strip(QFrame):
    """One notice with its button and its cross."""

    def __init__(self, notice: Notice, parent: NoticeArea) -> None:
        super().__init__(parent)
        self.notice = notice
        self._area = parent
        mark(self, kind="callout", tone=notice.status)
        self.setAccessibleName(f"{notice.text} {notice.fix}".strip())
        words = column(Label(notice.text, "strong", wrap=True), spacing=2)
        if notice.fix:
            words.addWidget(Label(notice.fix, wrap=True))
        box = QHBoxLayout(self)
        box.setContentsMargins(12, 8, 8, 8)
        box.setSpacing(10)
        glyph = GlyphLabel(TONE_GLYPH[notice.status], notice.status, icons.MEDIUM)
        # Beside one line of text the glyph is centred, beside more it leads.
        place = Qt.AlignmentFlag.AlignTop if notice.fix else Qt.AlignmentFlag(0)
        box.addWidget(glyph, 0, place)
        box.addLayout(words, 1)
        if notice.action:
            box.addWidget(Button(notice.action, clicked=self._on_acted, small=True))
        if notice.until != "fixed":
            close = IconButton("close", tr("Dismiss"), self._on_closed, small=True)
            box.addWidget(close)

    def _on_acted(self) -> None:
        if self.notice.act is not None:
            self.notice.act()
        self._area.dismiss(self.notice)

    def _on_closed(self) -> None:
        self._area.dismiss(self.notice)


class NoticeArea(QWidget):
    """Strip of notices above a page; takes no room while there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(24, 12, 24, 0)
        self._box.setSpacing(8)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._strips: list[_Strip] = []
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is shown, oldest first."""
        return tuple(strip.notice for strip in self._strips)

    def report(self, notice: Notice) -> None:
        """Show a notice; one of the same topic or text goes."""
        for strip in list(self._strips):
            same_topic = notice.topic and strip.notice.topic == notice.topic
            if same_topic or strip.notice.text == notice.text:
                self._remove(strip)
        strip = _Strip(notice, self)
        self._strips.append(strip)
        self._box.addWidget(strip)
        going = [each for each in self._strips if each.notice.until != "fixed"]
        for oldest in going[: max(0, len(self._strips) - MOST_SHOWN)]:
            self._remove(oldest)
        self.show()

    def dismiss(self, notice: Notice) -> None:
        """Take a notice away."""
        for strip in list(self._strips):
            if strip.notice is notice:
                self._remove(strip)

    def dismiss_topic(self, topic: str) -> None:
        """Take the notices of a topic away."""
        for strip in list(self._strips):
            if strip.notice.topic == topic:
                self._remove(strip)

    def dismiss_read(self) -> None:
        """Take away what was told about the page that is left."""
        for strip in list(self._strips):
            if strip.notice.is_read:
                self._remove(strip)

    def dismiss_decided(self) -> None:
        """Take away what was told about the last decision: there is another one."""
        for strip in list(self._strips):
            if strip.notice.until == "decision":
                self._remove(strip)

    def dismiss_all(self, but: str) -> None:
        """Take all notices away except those of one topic."""
        for strip in list(self._strips):
            if strip.notice.topic != but:
                self._remove(strip)

    def _remove(self, strip: _Strip) -> None:
        self._strips.remove(strip)
        self._box.removeWidget(strip)
        strip.hide()
        strip.deleteLater()
        self.setVisible(bool(self._strips))
