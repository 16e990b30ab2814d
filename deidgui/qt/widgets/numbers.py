"""Fields and sliders for numbers, and the choice among many words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLineEdit,
    QListView,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from deidgui.qt.theme import tokens
from deidgui.qt.widgets.polish import column, show_if
from deidgui.qt.widgets.text import Caption, Label
from deidgui.text import THIN

BY_WINDOW = frozenset(
    {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}
)
"""Focus that comes back with the window, to what had it before."""


if TYPE_CHECKING:
    _Input = QWidget
else:
    # WORKAROUND PySide 6.11: a widget cannot inherit from two classes of Qt.
    _Input = object


class Deliberate(_Input):
    """Mixed into inputs: the wheel turns only what a person has clicked.

    A page scrolls under the pointer, and whatever comes to lie there stays as it is,
    also what the keyboard or a window gave the focus to.
    """

    is_clicked = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() not in BY_WINDOW:
            self.is_clicked = event.reason() is Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.is_clicked = True
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.is_clicked and self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _Text(QLineEdit):
    """The text of a spin box: a click on it is one on the box."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        box = self.parent()
        assert isinstance(box, Deliberate)
        box.is_clicked = True
        super().mousePressEvent(event)


def _give_text(box: QAbstractSpinBox) -> None:
    text = _Text(box)
    text.setObjectName("qt_spinbox_lineedit")  # by it screen readers pass it over
    box.setLineEdit(text)
    # WORKAROUND Qt 6.11: the style sheet's padding-left of a spin box is ignored.
    text.setTextMargins(8, 0, 0, 0)


def suffix(unit: str) -> str:
    """What stands behind a number: a unit, or a per cent sign as in all texts."""
    return f"{THIN}%" if unit == "%" else f" {unit}"


class SpinBox(Deliberate, QSpinBox):
    """Field for a whole number with an optional unit behind it.

    Parameters
    ----------
    name : str
        For screen readers.
    """

    def __init__(
        self,
        low: int = 0,
        high: int = 100,
        value: int = 0,
        unit: str = "",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        _give_text(self)
        self.setRange(low, high)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setAccessibleName(name)
        if unit:
            self.setSuffix(suffix(unit))
        self.setValue(value)

    def set_value(self, value: int) -> None:
        """Show a number without telling anybody."""
        was_blocked = self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(was_blocked)


class DecimalBox(Deliberate, QDoubleSpinBox):
    """Field for a number with an optional unit behind it.

    Parameters
    ----------
    low, high, value, step : float
        The decimals follow from `step`.
    name : str
        For screen readers.
    """

    def __init__(
        self,
        low: float = 0.0,
        high: float = 1.0,
        value: float = 0.0,
        step: float = 0.01,
        unit: str = "",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        _give_text(self)
        self._least_decimals = len(f"{step:.10f}".rstrip("0").split(".")[1])
        self.setDecimals(self._least_decimals)
        self.setRange(low, high)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setAccessibleName(name)
        if unit:
            self.setSuffix(suffix(unit))
        self.setValue(value)

    def set_value(self, value: float) -> None:
        """Show a number without telling anybody."""
        was_blocked = self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(was_blocked)

    def textFromValue(self, value: float) -> str:
        """Leave out zeros beyond the decimals of the step: 0.2, not 0.2000.

        Per cent are written in one way everywhere: 5 %, not 5.0 %.
        """
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        if point not in text:
            return text
        whole, decimals = text.split(point)
        least = 0 if self.suffix().endswith("%") else self._least_decimals
        kept = decimals.rstrip("0").ljust(least, "0")
        return f"{whole}{point}{kept}" if kept else whole


NARROWEST_CHOICE = 96
"""Pixels that a choice among words needs at least."""


class ComboBox(Deliberate, QComboBox):
    """A choice among many words.

    Parameters
    ----------
    options : sequence of (key, words)
        The key is the item's data.
    name : str
        For screen readers.
    """

    def __init__(
        self,
        options: Sequence[tuple[str, str]] = (),
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._has_view = False
        self.setAccessibleName(name)
        self.set_options(options)

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Offer other choices."""
        was_blocked = self.blockSignals(True)
        self.clear()
        for key, words in options:
            self.addItem(words, key)
        self.blockSignals(was_blocked)

    def showPopup(self) -> None:
        if not self._has_view:
            # A list view of our own is styled; the native one is not.
            # PERF: it takes as long as the rest of the control, and few are opened.
            self._has_view = True
            self.setView(QListView())
        super().showPopup()

    def minimumSizeHint(self) -> QSize:
        """Let a narrow place cut long words; all of them are seen when it is open."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), NARROWEST_CHOICE), hint.height())

    @property
    def current(self) -> str:
        """Key of the choice."""
        return str(self.currentData())

    def set_current(self, key: str) -> None:
        """Choose without telling anybody."""
        was_blocked = self.blockSignals(True)
        self.setCurrentIndex(self.findData(key))
        self.blockSignals(was_blocked)


class _Slider(Deliberate, QSlider):
    """Slider that the wheel moves only after somebody went to it."""


_USUAL = ("1.000", "2.000", "5.000")
"""Digits of values that people choose."""


class _Scale(QWidget):
    """Figures under a slider, each below its stop: the ends, and what has room.

    Between the ends are values that people choose: 1, 2, 5, 10, 20, 50 and so on.
    """

    GAP = 10

    def __init__(
        self, slider: _Slider, stops: Sequence[float], texts: Sequence[str]
    ) -> None:
        super().__init__()
        self._slider, self._texts = slider, texts
        middle = (len(stops) - 1) / 2
        usual = [at for at, stop in enumerate(stops) if f"{stop:.3e}"[:5] in _USUAL]
        usual.sort(key=lambda at: abs(at - middle))
        self._places = (0, len(stops) - 1, *usual)

    def _small(self) -> QFont:
        font = self.font()
        font.setPointSizeF(tokens().type.caption)
        return font

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._small())
        ends = metrics.horizontalAdvance(self._texts[0] + self._texts[-1])
        return QSize(ends + self.GAP, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def placed(self) -> dict[int, QRect]:
        """Where which stops are written: ends, then others from the middle on."""
        option, metrics = QStyleOptionSlider(), QFontMetrics(self._small())
        self._slider.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl
        handle = self._slider.style().subControlRect(
            control, option, part.SC_SliderHandle, self._slider
        )
        last, room = len(self._texts) - 1, self.width() - handle.width()
        found: dict[int, QRect] = {}
        for place in self._places:
            middle = QStyle.sliderPositionFromValue(0, last, place, room)
            wide = metrics.horizontalAdvance(self._texts[place])
            left = middle + (handle.width() - wide) // 2
            left = max(0, min(left, self.width() - wide))
            box = QRect(left, 0, wide, self.height())
            wider = box.adjusted(-self.GAP, 0, self.GAP, 0)
            if not any(wider.intersects(each) for each in found.values()):
                found[place] = box
        return found

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._small())
        painter.setPen(QColor(tokens().colours.muted))
        for place, box in self.placed().items():
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._texts[place])


class LabeledSlider(QWidget):
    """A number by slider and by keyboard, with its words, unit and meaning.

    Parameters
    ----------
    text : str
        What the number is.
    step : float
        Resolution of the slider; the field takes its decimals from it.
    unit : str
        Shown after the figure: "records", "%".
    explanation : str
        One sentence under it.
    stops : sequence of float, optional
        If given, the slider rests only on these values (ascending).
    head : str
        Type of the label: "strong", or "section" if it is the heading of a card.

    Attributes
    ----------
    value_changed : Signal of float
        At every move by the user.
    value_settled : Signal of float
        The user let go or finished typing.
    """

    value_changed = Signal(float)
    value_settled = Signal(float)

    def __init__(
        self,
        text: str,
        low: float,
        high: float,
        value: float,
        step: float = 1.0,
        unit: str = "",
        explanation: str = "",
        stops: Sequence[float] | None = None,
        head: str = "strong",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._low, self._step = low, step
        self._stops = list(stops) if stops is not None else None
        self._label = Label(text, head)
        self._explanation = Caption(explanation)
        show_if(self._explanation, bool(explanation))
        self._field = DecimalBox(low, high, value, step, unit, text)
        self._field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._slider = self._make_slider(high, text)
        box = column(self._label, spacing=4)
        self.setLayout(box)
        line = QGridLayout()
        line.setHorizontalSpacing(12)
        line.setVerticalSpacing(0)
        line.setColumnStretch(0, 1)
        line.addWidget(self._slider, 0, 0)
        line.addWidget(self._field, 0, 1)
        if stops is not None:
            # Stops are no even scale: what some of them are is said.
            box_ = self._field
            texts = [f"{box_.textFromValue(stop)}{box_.suffix()}" for stop in stops]
            line.addWidget(_Scale(self._slider, stops, texts), 1, 0)
        box.addLayout(line)
        box.addWidget(self._explanation)
        self.set_value(value)
        self._slider.valueChanged.connect(self._on_slider_moved)
        self._slider.sliderReleased.connect(self._settle)
        self._field.valueChanged.connect(self._on_field_changed)
        self._field.editingFinished.connect(self._settle)

    @property
    def field_width(self) -> int:
        """Pixels that the field needs."""
        return self._field.sizeHint().width()

    def set_field_width(self, width: int) -> None:
        """Give the field the width of others, so that sliders end in one line."""
        self._field.setFixedWidth(width)

    def _make_slider(self, high: float, name: str) -> _Slider:
        slider = _Slider(Qt.Orientation.Horizontal)
        if self._stops is not None:
            last = len(self._stops) - 1
        else:
            last = round((high - self._low) / self._step)
        slider.setRange(0, last)
        slider.setPageStep(max(1, last // 10))
        slider.setAccessibleName(name)
        return slider

    @property
    def value(self) -> float:
        """The number."""
        return self._field.value()

    def set_value(self, value: float) -> None:
        """Show a number without telling anybody."""
        self._field.set_value(value)
        was_blocked = self._slider.blockSignals(True)
        self._slider.setValue(self._tick_of(value))
        self._slider.blockSignals(was_blocked)

    def set_explanation(self, text: str) -> None:
        """Change the sentence under it."""
        self._explanation.setText(text)
        show_if(self._explanation, bool(text))

    def _tick_of(self, value: float) -> int:
        if self._stops is None:
            return round((value - self._low) / self._step)
        nearest = min(self._stops, key=lambda stop: abs(stop - value))
        return self._stops.index(nearest)

    def _on_slider_moved(self, tick: int) -> None:
        if self._stops is None:
            value = self._low + tick * self._step
        else:
            value = self._stops[tick]
        self.set_value(value)
        self.value_changed.emit(self.value)
        if not self._slider.isSliderDown():
            self._settle()

    def _on_field_changed(self, value: float) -> None:
        self.set_value(value)
        self.value_changed.emit(value)
        self._settle()

    def _settle(self) -> None:
        self.value_settled.emit(self.value)
