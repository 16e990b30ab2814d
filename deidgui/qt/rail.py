"""The steps at the left: where one is, what is done, what needs attention."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from deidgui.qt import icons
from deidgui.qt.pages import ALL_STEPS, STEPS, WizardStep
from deidgui.qt.pages.base import NOT_YET, PageStatus, StepState
from deidgui.qt.theme import tokens
from deidgui.qt.widgets import FittingArea, IconButton, column, mark, show_if
from deidgui.text import tr

NARROW = 60
LEFT = 50
LEAST_WIDE, MOST_WIDE = 208, 300

STATE_GLYPH: dict[StepState, tuple[str, str]] = {
    StepState.DONE: ("check-circle", "success"),
    StepState.PROPOSED: ("eye", "info"),
    StepState.SEEN: ("dot", "muted"),
    StepState.ATTENTION: ("warning", "warning"),
    StepState.STALE: ("stale", "warning"),
    StepState.NOT_YET: ("not-yet", "line_strong"),
    StepState.READY: ("open", "muted"),
}
"""Glyph and colour of each state."""


class RailItem(QAbstractButton):
    """One step: glyph, title, caption, state."""

    def __init__(self, step: WizardStep, parent: QWidget) -> None:
        super().__init__(parent)
        self.step = step
        self._status = NOT_YET
        self._is_narrow = False
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_status(NOT_YET)

    @property
    def status(self) -> PageStatus:
        """How the step stands."""
        return self._status

    def set_status(self, status: PageStatus) -> None:
        """Show how the step stands."""
        if status == self._status and self.accessibleName():
            return
        self._status = status
        words = [self.step.title, status.caption, self.state_words()]
        name = ", ".join(word for word in words if word)
        self.setAccessibleName(name)
        self.setToolTip(f"{name}  ({self.step.keys})")
        self.update()

    def set_narrow(self, is_narrow: bool) -> None:
        """Show the glyph only."""
        self._is_narrow = is_narrow
        self.updateGeometry()
        self.update()

    def state_words(self) -> str:
        """State of the step in words."""
        return {
            StepState.DONE: tr("done"),
            StepState.PROPOSED: tr("worked out by the program, page not yet opened"),
            StepState.SEEN: tr("worked out by the program, page opened, not decided"),
            StepState.ATTENTION: tr("needs attention"),
            StepState.STALE: tr("out of date"),
            StepState.NOT_YET: tr("not yet"),
            StepState.READY: tr("open"),
        }[self._status.state]

    def sizeHint(self) -> QSize:
        height = (
            QFontMetrics(self.font()).height()
            + QFontMetrics(self._caption_font()).height()
        )
        return QSize(NARROW if self._is_narrow else self._wide(), height + 16)

    def _wide(self) -> int:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        title = QFontMetrics(font).horizontalAdvance(self.step.title)
        return min(max(LEAST_WIDE, title + LEFT + 22 + 24), MOST_WIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter)
        if self._is_narrow:
            self._paint_narrow(painter)
        else:
            self._paint_wide(painter)

    def _paint_background(self, painter: QPainter) -> None:
        colours = tokens().colours
        painter.setPen(Qt.PenStyle.NoPen)
        rect = QRectF(self.rect()).adjusted(8, 1, -8, -1)
        if self.isChecked():
            painter.setBrush(QColor(colours.surface))
            painter.drawRoundedRect(rect, 7, 7)
            painter.setBrush(QColor(colours.accent))
            bar = QRectF(rect.left(), rect.top() + 10, 3, rect.height() - 20)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        elif self.underMouse():
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(rect, 7, 7)

    def _colour(self) -> str:
        if self.isChecked():
            return "accent_text"
        return "subtle" if self._status.state is StepState.NOT_YET else "muted"

    def _paint_narrow(self, painter: QPainter) -> None:
        middle = self.rect().center()
        square = QRectF(middle.x() - 10, middle.y() - 10, 20, 20)
        icons.paint_glyph(painter, self.step.glyph, square, self._colour())
        if self._status.state is not StepState.NOT_YET:
            self._paint_state(painter, QRectF(middle.x() + 4, middle.y() - 18, 14, 14))

    def _paint_wide(self, painter: QPainter) -> None:
        colours = tokens().colours
        height = self.height()
        square = QRectF(20, height / 2 - 10, 20, 20)
        icons.paint_glyph(painter, self.step.glyph, square, self._colour())
        right = self.width() - 18
        self._paint_state(painter, QRectF(right - 16, height / 2 - 8, 16, 16))
        right -= 22
        caption = self._status.caption
        title_font = QFont(self.font())
        if self.isChecked():
            title_font.setWeight(QFont.Weight.DemiBold)
        is_faint = self._status.state is StepState.NOT_YET and not self.isChecked()
        painter.setPen(QColor(colours.muted if is_faint else colours.text))
        title = QFontMetrics(title_font)
        left, width = LEFT, right - LEFT
        top = 8 if caption else (height - title.height()) / 2
        self._paint_line(painter, title_font, self.step.title, left, top, width)
        if caption:
            painter.setPen(QColor(colours.muted))
            below = top + title.height()
            self._paint_line(painter, self._caption_font(), caption, left, below, width)

    def _paint_line(
        self,
        painter: QPainter,
        font: QFont,
        text: str,
        left: float,
        top: float,
        width: float,
    ) -> None:
        painter.setFont(font)
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(width))
        rect = QRectF(left, top, width, metrics.height())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_state(self, painter: QPainter, rect: QRectF) -> None:
        glyph, colour = STATE_GLYPH[self._status.state]
        icons.paint_glyph(painter, glyph, rect, colour)

    def _caption_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(tokens().type.caption)
        return font


class Rail(QFrame):
    """All steps below one another.

    Attributes
    ----------
    chosen : Signal of str
        Key of the step the user clicked.
    """

    chosen = Signal(str)
    collapse_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="rail")
        self.setAccessibleName(tr("Steps"))
        steps = QWidget()
        steps.setObjectName("scrolled")
        box = QVBoxLayout(steps)
        box.setContentsMargins(0, 12, 0, 8)
        box.setSpacing(2)
        self._area = FittingArea(steps)
        self.setLayout(column(self._area))
        self._items: dict[str, RailItem] = {}
        for step in ALL_STEPS:
            item = RailItem(step, self)
            item.clicked.connect(self._on_clicked)
            self._items[step.key] = item
            box.addWidget(item)
        box.addStretch(1)
        self._fold = IconButton("panel-left", "", clicked=self.collapse_clicked)
        box.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeft)
        self._fold.setStyleSheet("margin-left: 12px;")
        self.set_steps(STEPS)
        self._is_collapsed = False
        self._fit()
        self._area.verticalScrollBar().rangeChanged.connect(self._fit)

    @property
    def is_collapsed(self) -> bool:
        """Whether only glyphs are shown."""
        return self._is_collapsed

    def item(self, key: str) -> RailItem:
        """Return the item of a step."""
        return self._items[key]

    def set_steps(self, steps: Sequence[WizardStep]) -> None:
        """Show these steps and no others."""
        shown = {step.key for step in steps}
        for key, item in self._items.items():
            show_if(item, key in shown)

    def set_collapsed(self, is_collapsed: bool) -> None:
        """Show glyphs only, or titles and captions too."""
        if is_collapsed is not self._is_collapsed:
            self._is_collapsed = is_collapsed
            self._fit()

    def _fit(self) -> None:
        for item in self._items.values():
            item.set_narrow(self._is_collapsed)
        bar = self._area.verticalScrollBar()
        beside = bar.sizeHint().width() if bar.maximum() > 0 else 0
        wide = max(each.sizeHint().width() for each in self._items.values())
        self.setFixedWidth(wide + beside)
        words = tr("Show step names") if self._is_collapsed else tr("Hide names")
        self._fold.set_words(words)

    def set_current(self, key: str) -> None:
        """Mark the step whose page is shown."""
        self._items[key].setChecked(True)
        self._area.ensureWidgetVisible(self._items[key])

    def set_status(self, key: str, status: PageStatus) -> None:
        """Show how a step stands."""
        self._items[key].set_status(status)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _on_clicked(self) -> None:
        for key, item in self._items.items():
            if item.isChecked():
                self.chosen.emit(key)
