"""Forms that are built from declared parameters."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated

import pytest
from PySide6.QtWidgets import QLineEdit

from deidgui.engine.counts.noise.rules import DiscreteGaussian
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.parameters import (
    PER_CENT,
    Declared,
    Help,
    Options,
    Range,
    Unit,
    parameters_of,
)
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.qt.forms import ParameterForm
from deidgui.qt.widgets import (
    ComboBox,
    DecimalBox,
    Segmented,
    SpinBox,
    ToggleSwitch,
)


@dataclass(frozen=True)
class Everything(Declared):
    """One parameter of every kind."""

    kind = "everything"
    title = "Everything"

    k: Annotated[int, Range(2, 100), Unit("records"), Help("Smallest group", "Why.")]
    risk: Annotated[float, Range(0, 1, open_low=True)] = 0.09
    flag: bool = False
    few: Annotated[str, Options(("one", "two_words"))] = "one"
    many: Annotated[str, Options(("a", "b", "c", "d"))] = "b"
    word: str = "text"
    top: Annotated[float | None, Range(0, 120)] = None
    widths: Annotated[tuple[int, ...], Range(1, None)] = (5, 10)
    names: tuple[str, ...] = ()
    share: Annotated[float, Range(1e-6, 1), PER_CENT] = 0.2


@pytest.fixture
def form(qtbot):
    made = ParameterForm(Everything)
    qtbot.addWidget(made)
    return made


def test_every_kind_has_its_control(form):
    kinds = {
        "k": SpinBox,
        "risk": DecimalBox,
        "share": DecimalBox,
        "flag": ToggleSwitch,
        "few": Segmented,
        "many": ComboBox,
        "word": QLineEdit,
        "top": DecimalBox,
        "widths": QLineEdit,
        "names": QLineEdit,
    }
    for name, kind in kinds.items():
        assert isinstance(form.field(name).control, kind), name
        assert form.field(name).control.accessibleName()


def test_defaults_and_least_values_are_shown(form):
    assert form.value() == Everything(k=2)


def test_values_go_in_and_out(form):
    value = Everything(11, 0.2, True, "two_words", "d", "x", 90.0, (1, 5), ("p", "q"))
    heard = []
    form.edited.connect(heard.append)
    form.set_value(value)
    assert form.value() == value
    assert heard == []


def test_per_cent_are_written_in_one_way(qtbot):
    box = DecimalBox(0, 100, 5, 0.1, "%")
    qtbot.addWidget(box)
    assert box.text() == "5\u202f%"
    box.setValue(2.5)
    assert box.text() == "2.5\u202f%"


def test_a_share_is_written_in_per_cent(form, qtbot):
    box = form.field("share").control
    assert box.text() == "20\u202f%"
    third = dataclasses.replace(Everything(k=2), share=1 / 3)
    form.set_value(third)
    assert box.text() == "33.3333\u202f%"
    assert form.value() == third
    with qtbot.waitSignal(form.edited):
        box.setValue(12.5)
    assert form.value().share == 0.125


def test_an_edit_is_told_with_the_new_value(form, qtbot):
    with qtbot.waitSignal(form.edited) as told:
        form.field("k").control.setValue(20)
    assert told.args == [Everything(k=20)]


def test_a_wrong_value_is_told_at_its_field(form, qtbot):
    with qtbot.waitSignal(form.edited) as told:
        form.field("risk").control.setValue(0.0)
    assert told.args == [None]
    assert form.field("risk").problem
    assert form.field("k").problem == ""
    form.field("risk").control.setValue(0.1)
    assert form.field("risk").problem == ""


def test_a_list_that_is_no_numbers_is_told(form, qtbot):
    field = form.field("widths").control
    field.setText("5, many")
    field.textEdited.emit("5, many")
    assert form.value() is None
    assert form.field("widths").problem


def test_optional_values_are_switched(form):
    top = form.field("top")
    assert not top.control.isEnabled()
    assert top.control.isHidden()
    top._switch.click()
    assert not top.control.isHidden()
    assert top.control.isEnabled()
    top.control.setValue(90)
    assert form.value().top == 90
    top._switch.click()
    assert form.value().top is None


def test_showing_the_same_value_leaves_alone_what_is_being_typed(form):
    form.set_value(Everything(k=20))
    control = form.field("k").control
    control.lineEdit().setText("3")
    form.set_value(Everything(k=20))
    assert control.lineEdit().text().split() == ["3", "records"]
    form.set_value(Everything(k=30))
    assert control.lineEdit().text().startswith("30")


def test_a_number_that_is_shown_rounded_stays_exact(form):
    form.set_value(Everything(k=2, risk=1 / 11))
    form.field("k").control.setValue(5)
    assert form.value().risk == 1 / 11
    form.field("risk").control.setValue(0.25)
    assert form.value().risk == 0.25


def test_a_number_that_is_too_low_is_told_and_not_fixed_silently(form):
    form.field("k").control.setValue(1)
    assert form.value() is None
    assert "[2, 100]" in form.field("k").problem


FAMILIES = [*PRIVACY_MODELS, *TEMPLATES]


@pytest.mark.parametrize("cls", FAMILIES, ids=lambda cls: cls.kind)
def test_every_registered_kind_has_a_form(qtbot, cls):
    made = ParameterForm(cls)
    qtbot.addWidget(made)
    assert set(made._fields) == {each.name for each in parameters_of(cls)}
    made.grab()
    defaults = {
        each.name: each.default for each in parameters_of(cls) if not each.required
    }
    if len(defaults) == len(parameters_of(cls)):
        assert made.value() == cls(**defaults)


@pytest.mark.parametrize(
    "cls", [*PRIVACY_MODELS, DiscreteGaussian], ids=lambda cls: cls.kind
)
def test_no_proposed_number_is_shown_as_zero(qtbot, cls):
    """A delta of one in a million is not 0."""
    form = ParameterForm(cls, cls.proposed())
    qtbot.addWidget(form)
    for name, field in form._fields.items():
        value = getattr(cls.proposed(), name)
        if (
            isinstance(
                box := next(iter(field.findChildren(DecimalBox)), None), DecimalBox
            )
            and value
        ):
            shown = float(box.cleanText().replace(",", ""))
            assert shown > 0, (name, value, shown)
