"""An editor for anything that declares parameters: models, measures, templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from deidgui.engine.parameters import PER_CENT, Declared, Parameter, parameters_of
from deidgui.errors import ConfigError, DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Caption,
    CheckList,
    ComboBox,
    DecimalBox,
    Label,
    ReasonLabel,
    Segmented,
    SpinBox,
    ToggleSwitch,
    mark,
    row,
    show_if,
)
from deidgui.text import tr

MOST_SEGMENTS = 3
"""More words than these are offered in a list."""

MOST_LETTERS = 36
"""Longer words in all are offered in a list, however few they are."""

DECIMALS, MOST_DECIMALS = 4, 9
"""Decimals of a field, and of one for numbers that are smaller still."""

Choices = Mapping[str, Sequence[str]]
"""Names of the attributes that there are, by role."""

ROOM_FOR_ARROWS = 56
"""Pixels of a field for numbers beside its digits."""

CHECKS_HEIGHT = 112
"""Pixels of a list of columns to check."""

UNBOUNDED = 1_000_000_000

D = TypeVar("D", bound=Declared)


class Field(QWidget):
    """One parameter: its label, a control, its unit, a sentence, its problem.

    Parameters
    ----------
    names : sequence of str
        Attributes to choose from, if the parameter names one.
    is_compact : bool
        Whether label and control share a line and the sentence is a tooltip.

    Attributes
    ----------
    edited : Signal
        The user changed the value; not emitted by `set_value`.
    """

    edited = Signal()

    def __init__(
        self,
        parameter: Parameter,
        names: Sequence[str] = (),
        is_compact: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self._names = list(names)
        self._problem = ReasonLabel("", "danger")
        self._switch = self._make_toggle() if parameter.optional else None
        self._control, self._read, self._write = self._make_control()
        self.label = label = Label(
            _sentence_case(tr(parameter.label)), "body" if is_compact else "strong"
        )
        label.setBuddy(self._control)
        self._control.setAccessibleName(tr(parameter.label))
        self._control.setAccessibleDescription(tr(parameter.sentence))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        head = row(label, None, spacing=8)
        if self._switch is not None:
            head.addWidget(self._switch)
        box.addLayout(head)
        if is_compact:
            head.addWidget(self._control)
            self.setToolTip(tr(parameter.sentence))
        else:
            box.addLayout(self._control_row())
        if parameter.sentence and not is_compact:
            box.addWidget(Caption(tr(parameter.sentence)))
        box.addWidget(self._problem)

    def _control_row(self) -> QHBoxLayout:
        control = row(self._control, spacing=8)
        if self._is_bare_field():
            control.setStretch(0, 1)
        else:
            control.addStretch(1)
        return control

    @property
    def control(self) -> QWidget:
        """The control that is edited."""
        return self._control

    @property
    def problem(self) -> str:
        """What the field says is wrong; empty if nothing."""
        return self._problem.text

    def value(self) -> Any:
        """Value as the declaration types it; None if it is switched off.

        Raises
        ------
        ConfigError
            Code ``parameter_type`` if a text cannot be read as a list.
        """
        if self._switch is not None and not self._switch.isChecked():
            return None
        return self._read()

    def set_value(self, value: Any) -> None:
        """Show a value without telling anybody."""
        if self._switch is not None:
            self._switch.setChecked(value is not None)
            self._show_control(value is not None)
        if value is not None and not self._shows(value):
            was_blocked = self._control.blockSignals(True)
            self._write(value)
            self._control.blockSignals(was_blocked)

    def _shows(self, value: Any) -> bool:
        """Whether a value is shown already: what is being typed is left alone."""
        try:
            return bool(self._read() == value)
        except ConfigError:
            return False

    def set_names(self, names: Sequence[str]) -> None:
        """Offer other attributes; one that is gone stays until another is chosen."""
        if list(names) == self._names:
            return
        self._names = list(names)
        if self.parameter.type is tuple:
            self._write(self._read())
        else:
            self._offer_names(self._read())

    def show_problem(self, text: str) -> None:
        """Say at the field what is wrong; empty takes it away."""
        mark(self._control, state="error" if text else "")
        self._problem.set_reason(text, "danger")

    def _is_bare_field(self) -> bool:
        return isinstance(self._control, QLineEdit)

    def _make_toggle(self) -> ToggleSwitch:
        switch = ToggleSwitch(tr("Set “{name}”", name=tr(self.parameter.label)))
        switch.clicked.connect(self._on_switched)
        return switch

    def _show_control(self, is_on: bool) -> None:
        """Show no number where none is set: the switch says that it is off."""
        self._control.setEnabled(is_on)
        show_if(self._control, is_on)

    def _on_switched(self, is_on: bool) -> None:
        self._show_control(is_on)
        self.edited.emit()

    def _on_edited(self) -> None:
        self.edited.emit()

    # -- one control per kind of value ---------------------------------------------

    def _make_control(self) -> Control:
        parameter = self.parameter
        if parameter.options is not None:
            return self._make_choice(parameter.options.words)
        if parameter.role and parameter.type is tuple:
            return self._make_checks()
        if parameter.role:
            return self._make_names()
        makers: dict[type, Callable[[], Control]] = {
            bool: self._make_switch,
            int: self._make_whole,
            float: self._make_decimal,
            tuple: self._make_list,
        }
        return makers.get(parameter.type, self._make_text)()

    def _make_choice(self, words: tuple[str, ...]) -> Control:
        options = [(word, _sentence_case(word)) for word in words]
        is_short = sum(map(len, words)) <= MOST_LETTERS
        if len(words) <= MOST_SEGMENTS and is_short:
            segments = Segmented(options)
            segments.chosen.connect(self._on_edited)
            return segments, lambda: segments.current, segments.set_current
        combo = ComboBox(options)
        combo.activated.connect(self._on_edited)
        return combo, lambda: combo.current, combo.set_current

    def _make_names(self) -> Control:
        combo = ComboBox()
        combo.setMinimumWidth(200)
        combo.activated.connect(self._on_edited)

        def write(value: Any) -> None:
            self._offer_names(str(value))

        self._names_combo = combo
        write("")
        return combo, lambda: combo.current, write

    def _make_checks(self) -> Control:
        checks = CheckList(tr(self.parameter.label), tr("Find a column"), CHECKS_HEIGHT)
        checks.changed.connect(self._on_edited)

        def read() -> tuple[str, ...]:
            # In the order of the table, not in that in which they are shown.
            checked = set(checks.checked)
            return tuple(name for name in self._names if name in checked)

        def write(value: Any) -> None:
            checks.set_texts(self._names, value)

        write(())
        return checks, read, write

    def _offer_names(self, current: str) -> None:
        """Fill the list of attributes; the current one may not be among them."""
        combo, words = self._names_combo, tr("Choose…")
        was_blocked = combo.blockSignals(True)
        combo.clear()
        if current not in self._names:
            combo.addItem(
                tr("{name} (not available)", name=current) if current else words,
                current,
            )
        for name in self._names:
            combo.addItem(name, name)
        combo.setCurrentIndex(combo.findData(current))
        combo.setEnabled(bool(self._names))
        combo.blockSignals(was_blocked)

    def _make_switch(self) -> Control:
        switch = ToggleSwitch()
        switch.clicked.connect(self._on_edited)
        return switch, switch.isChecked, switch.setChecked

    def _make_whole(self) -> Control:
        low, high = self._bounds()
        box = SpinBox(int(_lowest(low)), int(high), int(low), tr(self.parameter.unit))
        box.valueChanged.connect(self._on_edited)
        return box, box.value, box.setValue

    def _make_decimal(self) -> Control:
        is_share = self.parameter.unit == PER_CENT.name
        factor = 100 if is_share else 1
        low, high = (factor * bound for bound in self._bounds())
        # The declaration decides at the bounds: an open one is told at the field.
        step = 0.01 if high - low <= 1 else 0.1 if high - low <= 100 else 1.0
        step = 1.0 if is_share else step
        box = DecimalBox(_lowest(low), high, low, step, tr(self.parameter.unit))
        proposed = self.parameter.proposed
        shown = (low, proposed if isinstance(proposed, float) else low)
        is_tiny = any(0 < each < 10**-DECIMALS / 2 for each in shown)
        box.setDecimals(MOST_DECIMALS if is_tiny else DECIMALS)
        if is_tiny:
            digits = box.fontMetrics().horizontalAdvance("0." + "0" * MOST_DECIMALS)
            box.setMinimumWidth(digits + ROOM_FOR_ARROWS)
            box.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        box.setValue(low)
        box.valueChanged.connect(self._on_edited)
        # What is shown is rounded; a value that nobody edits stays exactly as it is.
        exact = {box.value(): low / factor}

        def write(value: Any) -> None:
            box.setValue(factor * value)
            exact.clear()
            exact[box.value()] = value

        return box, lambda: exact.get(box.value(), box.value() / factor), write

    def _make_text(self) -> Control:
        field = QLineEdit()
        field.textEdited.connect(self._on_edited)
        return field, field.text, field.setText

    def _make_list(self) -> Control:
        field = QLineEdit()
        placeholder = tr("values, separated by commas")
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(self._on_edited)
        is_numeric = self.parameter.range is not None or _holds_numbers(self.parameter)

        def read() -> tuple[Any, ...]:
            parts = [part.strip() for part in field.text().split(",") if part.strip()]
            if not is_numeric:
                return tuple(parts)
            try:
                return tuple(_number(part) for part in parts)
            except ValueError:
                raise ConfigError(
                    "parameter_type",
                    parameter=self.parameter.name,
                    expected="numbers",
                ) from None

        def write(value: Any) -> None:
            shown = (f"{v:g}" if isinstance(v, float) else str(v) for v in value)
            field.setText(", ".join(shown))

        return field, read, write

    def _bounds(self) -> tuple[float, float]:
        bounds = self.parameter.range
        low = bounds.low if bounds and bounds.low is not None else -UNBOUNDED
        high = bounds.high if bounds and bounds.high is not None else UNBOUNDED
        return low, high


Control = tuple[QWidget, Callable[[], Any], Callable[[Any], Any]]
"""A control, how its value is read, and how one is shown."""


class ParameterForm(QWidget, Generic[D]):
    """Editor of a declared class, one field per parameter.

    Parameters
    ----------
    cls : type
        A frozen dataclass derived from `Declared`.
    value : Declared, optional
        What is shown first; the defaults otherwise.
    choices : mapping of str to sequence of str, optional
        Attributes by role, for parameters that name one.
    is_compact : bool
        Whether each field takes one line.

    Attributes
    ----------
    edited : Signal of (Declared or None)
        The user changed something; None while it is not valid.
    """

    edited = Signal(object)

    def __init__(
        self,
        cls: type[D],
        value: D | None = None,
        choices: Choices | None = None,
        is_compact: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._cls = cls
        self._fields: dict[str, Field] = {}
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4 if is_compact else 16)
        for parameter in parameters_of(cls):
            names = (choices or {}).get(parameter.role, ())
            field = Field(parameter, names, is_compact)
            field.edited.connect(self._on_edited)
            self._fields[parameter.name] = field
            box.addWidget(field)
            if not parameter.required:
                field.set_value(parameter.default)
        self._other = ReasonLabel("", "danger")
        box.addWidget(self._other)
        if value is not None:
            self.set_value(value)

    def field(self, name: str) -> Field:
        """Return the field of a parameter."""
        return self._fields[name]

    def name_alone(self) -> None:
        """Leave the only field without a name: what stands above says it."""
        (field,) = self._fields.values()
        field.label.hide()

    def set_choices(self, choices: Choices) -> None:
        """Offer other attributes for the parameters that name one."""
        for field in self._fields.values():
            if field.parameter.role:
                field.set_names(choices.get(field.parameter.role, ()))

    def params(self) -> dict[str, Any]:
        """Return the values by parameter name, valid or not.

        Raises
        ------
        ConfigError
            If the text of a list cannot be read.
        """
        return {name: field.value() for name, field in self._fields.items()}

    def set_value(self, value: D) -> None:
        """Show another value without telling anybody."""
        self.set_params({name: getattr(value, name) for name in self._fields})
        self.value()

    def set_params(self, params: Mapping[str, Any]) -> None:
        """Show values by parameter name without telling anybody."""
        for name, shown in params.items():
            self._fields[name].set_value(shown)

    def value(self) -> D | None:
        """Return what is declared, or None; each problem is told at its field."""
        self._clear_problems()
        try:
            return self._cls(**self.params())
        except ConfigError as error:
            self.show_problem(error)
            return None

    def _clear_problems(self) -> None:
        for field in self._fields.values():
            field.show_problem("")
        self._other.set_reason("", "danger")

    def show_problem(self, error: DeidError) -> None:
        """Say what is wrong at the field that the error names, else below all."""
        words = words_for(error)
        text = f"{words.what} {words.fix}".strip()
        name = error.params.get("parameter")
        if "attribute" in error.params and name not in self._fields:
            roles = (key for key, each in self._fields.items() if each.parameter.role)
            name = next(roles, None)
        if isinstance(name, str) and name in self._fields:
            self._fields[name].show_problem(text)
        else:
            self._other.set_reason(text, "danger")

    def _on_edited(self) -> None:
        self.edited.emit(self.value())


def _lowest(low: float) -> float:
    """Lowest number that can be typed: one that is too low is told at the field."""
    return min(low, 0)


def _sentence_case(word: str) -> str:
    words = word.replace("_", " ")
    return words[:1].upper() + words[1:]


def _holds_numbers(parameter: Parameter) -> bool:
    default = parameter.default
    return bool(default) and all(isinstance(v, int | float) for v in default)


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
