"""Controls for choosing: segments, switches, a search field."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from PySide6.QtCore import (
    QEvent,
    QMargins,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from deidgui.qt import icons
from deidgui.qt.theme import tokens
from deidgui.qt.widgets.layouts import FlowLayout
from deidgui.qt.widgets.polish import column, row, show_if
from deidgui.qt.widgets.text import Caption, Label

SEARCH_DELAY_MS = 150

AROUND_WORDS = 56
"""Pixels of a field that searches beside its words."""

GLYPH_WIDTH = 22

LEAST_AROUND, AROUND = 10, 16
"""Pixels around the words of a choice at least, and further ones if there is room."""


class _Segment(QAbstractButton):
    """One choice of a segmented control; where it is narrow the words alone."""

    def __init__(self, text: str, glyph: str | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(text)
        self._glyph = glyph
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        glyph = GLYPH_WIDTH if self._glyph else 0
        return self.minimumSizeHint().grownBy(QMargins(glyph, 0, AROUND, 0))

    def minimumSizeHint(self) -> QSize:
        self.ensurePolished()
        font = self.font()
        font.setWeight(font.Weight.DemiBold)  # as it is drawn when it is chosen
        width = QFontMetrics(font).horizontalAdvance(self.text()) + LEAST_AROUND
        return QSize(width, tokens().control_height - 6)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the control moves the choice, not only the focus
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = tokens().colours
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isChecked():
            painter.setPen(QPen(QColor(colours.line_strong), 1))
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(rect, 5, 5)
        elif self.underMouse() and self.isEnabled():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(rect, 5, 5)
        name = "accent_text" if self.isChecked() else "muted"
        name = name if self.isEnabled() else "subtle"
        font = self.font()
        if self.isChecked():
            font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(getattr(colours, name)))
        inner = rect
        if self._glyph and self.width() >= self.sizeHint().width():
            wide = QFontMetricsF(font).horizontalAdvance(self.text()) + GLYPH_WIDTH
            inner = rect.adjusted(GLYPH_WIDTH, 0, 0, 0)
            left = rect.center().x() - wide / 2
            square = QRectF(left, rect.center().y() - 8, 16, 16)
            icons.paint_glyph(painter, self._glyph, square, name)
        side = Qt.AlignmentFlag.AlignHCenter
        bar = self.parentWidget()
        if bar is not None and bar.height() > 2 * self.height():
            # In several rows, words begin below one another.
            inner.setLeft(inner.left() + LEAST_AROUND / 2)
            side = Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignVCenter, self.text())


class Segmented(QWidget):
    """A choice among two to five words that are all visible.

    Parameters
    ----------
    current : str, optional
        Key of the choice; the first by default.
    name : str
        For screen readers.
    wraps : bool
        Whether the words stand in several rows where one is too wide.
    is_decision : bool
        Whether the arrow keys only go to a choice, which Space and Enter then take:
        none is decided on the way to another one.

    Attributes
    ----------
    chosen : Signal of str
        Key of what the user chose; not emitted by `set_current`.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Sequence[tuple[str, str] | tuple[str, str, str]],
        current: str | None = None,
        name: str = "",
        parent: QWidget | None = None,
        *,
        wraps: bool = False,
        is_decision: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._is_decision = is_decision
        self._keys = [option[0] for option in options]
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        box = FlowLayout(self, 2, wants_one_row=True) if wraps else QHBoxLayout(self)
        box.setContentsMargins(3, 3, 3, 3)
        box.setSpacing(2)
        for place, (_key, words, *glyph) in enumerate(options):
            segment = _Segment(words, glyph[0] if glyph else None, self)
            self._group.addButton(segment, place)
            box.addWidget(segment)
        self._group.idClicked.connect(self._on_clicked)
        high = QSizePolicy.Policy.Minimum if wraps else QSizePolicy.Policy.Fixed
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, high)
        policy.setHeightForWidth(wraps)
        self.setSizePolicy(policy)
        self.set_current(current if current is not None else self._keys[0])

    @property
    def current(self) -> str:
        """Key of the choice."""
        return self._keys[self._group.checkedId()]

    def set_current(self, key: str) -> None:
        """Choose without telling anybody."""
        place = self._keys.index(key)
        for number, button in enumerate(self._group.buttons()):
            if number == place:
                button.setChecked(True)
        focused = (n for n, each in enumerate(self._group.buttons()) if each.hasFocus())
        self._let_tab_stop(next(focused, place) if self._is_decision else place)

    def _let_tab_stop(self, place: int) -> None:
        """Let Tab stop at one of the choices; it has the focus for the others."""
        for number, button in enumerate(self._group.buttons()):
            is_stop = number == place
            button.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.ClickFocus
            )
        self.setFocusProxy(self._group.button(place))

    def set_words(self, key: str, words: str) -> None:
        """Call one of the choices otherwise."""
        button = self._group.button(self._keys.index(key))
        if words != button.text():
            button.setText(words)
            button.setAccessibleName(words)
            button.updateGeometry()

    def offer(self, key: str, is_offered: bool) -> None:
        """Show or hide one of the choices."""
        show_if(self._group.button(self._keys.index(key)), is_offered)

    def offers(self, key: str) -> bool:
        """Whether one of the choices is shown."""
        return not self._group.button(self._keys.index(key)).isHidden()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        shown = [place for place, key in enumerate(self._keys) if self.offers(key)]
        at = self._group.id(self.focusProxy())  # type: ignore[arg-type]
        place = shown[(shown.index(at) + step) % len(shown)]
        self._group.button(place).setFocus(Qt.FocusReason.TabFocusReason)
        if self._is_decision:
            self._let_tab_stop(place)
        else:
            self._on_clicked(place)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = tokens().colours
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.sunken))
        # Rows may be shorter than the room for one of them all.
        shown = (each for each in self._group.buttons() if not each.isHidden())
        rows = reduce(QRect.united, (each.geometry() for each in shown), QRect())
        rect = QRectF(rows).adjusted(-2.5, -2.5, 2.5, 2.5)
        painter.drawRoundedRect(rect, 7, 7)

    def _on_clicked(self, place: int) -> None:
        self.set_current(self._keys[place])
        self.chosen.emit(self._keys[place])


class ToggleSwitch(QAbstractButton):
    """On or off, at once; says so by position and a check mark, not colour alone."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(38, 22)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = tokens().colours
        is_on = self.isChecked()
        track = QRectF(1, 1, 36, 20)
        background = colours.accent if is_on else colours.pressed
        border = colours.accent if is_on else colours.field_line
        if not self.isEnabled():
            background = border = colours.line
        painter.setPen(QPen(QColor(border), 1))
        painter.setBrush(QColor(background))
        painter.drawRoundedRect(track, 10, 10)
        knob = QRectF(19 if is_on else 3, 3, 16, 16)
        painter.setPen(Qt.PenStyle.NoPen)
        white = QColor("#ffffff")
        white.setAlphaF(1.0 if self.isEnabled() else 0.5)
        painter.setBrush(white)
        painter.drawEllipse(knob)
        if is_on:
            painter.setPen(QPen(QColor(background), 1.8))
            points = ((-3.2, 0.2), (-0.9, 2.6), (3.4, -2.4))
            middle = knob.center()
            painter.drawPolyline([middle + QPointF(x, y) for x, y in points])


class ToggleRow(QWidget):
    """A switch with its words and one sentence that says what it does.

    Attributes
    ----------
    toggled : Signal of bool
        The user switched; not emitted by `set_on`.
    """

    toggled = Signal(bool)

    def __init__(
        self,
        text: str,
        explanation: str = "",
        is_on: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._switch = ToggleSwitch(text)
        self._switch.setChecked(is_on)
        self._switch.clicked.connect(self.toggled)
        words = column(Label(text, wrap=True), spacing=2)
        self._explanation = Caption()
        self.set_explanation(explanation)
        words.addWidget(self._explanation)
        box = row((words, 1), spacing=16, margin=(0, 4, 0, 4))
        self.setLayout(box)
        box.addWidget(self._switch, 0, Qt.AlignmentFlag.AlignTop)
        self.setFocusProxy(self._switch)

    @property
    def is_on(self) -> bool:
        """Whether the switch is on."""
        return self._switch.isChecked()

    def set_on(self, is_on: bool, *, off_because: str = "") -> None:
        """Switch without telling anybody.

        Parameters
        ----------
        off_because : str
            Why it is off and cannot be switched here: stands in place of the
            explanation.
        """
        self._switch.setChecked(is_on and not off_because)
        self._switch.setEnabled(not off_because)
        self._explain(off_because or self._usual)

    def set_explanation(self, text: str) -> None:
        """Change the sentence under the words."""
        self._usual = text
        self._explain(text)

    def _explain(self, text: str) -> None:
        self._explanation.setText(text)
        self._switch.setAccessibleDescription(text)
        show_if(self._explanation, bool(text))


class SearchField(QLineEdit):
    """Field that searches while one types.

    Attributes
    ----------
    searched : Signal of str
        The text has rested for a moment, or Enter was pressed.
    """

    searched = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        glyph = QAction(icons.icon("search", "subtle"), "", self)
        self.addAction(glyph, QLineEdit.ActionPosition.LeadingPosition)
        for clear in self.findChildren(QAction):
            if clear is not glyph:
                clear.setIcon(icons.icon("close", "subtle"))
        # WORKAROUND Qt 6: it takes room until it has been seen once.
        for button in self.findChildren(QToolButton):
            if glyph not in button.actions():
                button.hide()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(SEARCH_DELAY_MS)
        self._rest.timeout.connect(self._report)
        self.textChanged.connect(self._on_text_changed)
        self.returnPressed.connect(self._report)

    def minimumSizeHint(self) -> QSize:
        """Room for all that says what is looked for."""
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        return QSize(words + AROUND_WORDS, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def _on_text_changed(self, _text: str) -> None:
        self._rest.start()

    def _report(self) -> None:
        self._rest.stop()
        self.searched.emit(self.text())


def field_row(
    text: str, field: QWidget, explanation: str = "", *, wrap: bool = False
) -> QWidget:
    """Return a label, its field, and a sentence under both."""
    label = Label(text, "strong", wrap=wrap)
    widget = QWidget()
    box = column(label, field, spacing=4)
    widget.setLayout(box)
    if explanation:
        box.addWidget(Caption(explanation))
    QLabel.setBuddy(label, field)
    if not field.accessibleName():
        field.setAccessibleName(text)
    return widget
