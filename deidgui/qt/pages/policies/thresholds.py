"""Controls for the thresholds that one may want to see the answer to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.trade_offs import FEW_SIZES, LIMITS
from deidgui.app.policies.lattice.what_if import sizes_to_ask
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    KAnonymity,
    PrivacyModel,
    SizeModel,
)
from deidgui.qt.forms import ParameterForm
from deidgui.qt.widgets import Label, LabeledSlider, column, refilled
from deidgui.text import tr

Models = tuple[PrivacyModel, ...]

FINE_SIZES = (200, 500, 1_000, 10_000)
"""Averages of one record in so many can be asked for; only a search answers them."""


@dataclass(frozen=True)
class WantedLimits:
    """Thresholds that somebody wants to see the answer to.

    Parameters
    ----------
    limit : float in [0, 1]
    """

    models: Models
    limit: float


@dataclass
class _Control:
    """One model and how it is edited.

    Parameters
    ----------
    read : callable
        Returns the model as it is shown; None if it is not valid or none.
    write : callable
        Shows a model and tells nobody.
    """

    widget: QWidget
    read: Callable[[], PrivacyModel | None]
    write: Callable[[Any], None]


def _usual(sizes: list[int]) -> set[int]:
    """Sizes on which a slider rests; the others are typed.

    Of every size up to 100, those that people choose would be a tenth of the slider.
    """
    return {1, sizes[0], sizes[-1], *FEW_SIZES, *FINE_SIZES}.intersection(sizes)


class ThresholdControls(QWidget):
    """A slider or a form for every model, and the suppression limit.

    Attributes
    ----------
    changed : Signal
        The user moved something.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._decided: WantedLimits = WantedLimits((), 0.0)
        self._offered: tuple[Sequence[PrivacyModel], list[int], list[str]] | None = None
        self._controls: list[_Control] = []
        self._added: _Control | None = None
        self.limit_slider = LabeledSlider(
            tr("Suppression limit"),
            0,
            100,
            0,
            0.1,
            "%",
            stops=[round(100 * limit, 3) for limit in LIMITS],
        )
        self.limit_slider.value_changed.connect(self.changed)
        self._models = QVBoxLayout()
        self._models.setSpacing(16)
        self.setLayout(column(self._models, self.limit_slider, spacing=16))

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            sliders = self.findChildren(LabeledSlider)
            widest = max((each.field_width for each in sliders), default=0)
            for each in sliders:
                each.set_field_width(widest)
        return super().event(event)

    @property
    def decided(self) -> WantedLimits:
        """The thresholds that are decided."""
        return self._decided

    @property
    def asked(self) -> WantedLimits | None:
        """The thresholds that are shown; None while one of them is not valid."""
        models: list[PrivacyModel] = []
        for control in self._controls:
            model = control.read()
            if model is None:
                return None
            models.append(model)
        added = None if self._added is None else self._added.read()
        if added is not None:
            models.append(added)
        return WantedLimits(tuple(models), round(self.limit_slider.value / 100, 6))

    def control_of(self, kind: str) -> QWidget | None:
        """Slider or form of the first model of a kind."""
        shown = zip(self._decided.models, self._controls, strict=True)
        found = (each for model, each in shown if model.kind == kind)
        control = next(found, None)
        if control is None and kind == KAnonymity.kind:
            control = self._added
        return None if control is None else control.widget

    def show_decided(self, found: LatticePolicies) -> None:
        """Begin anew at the thresholds of a search."""
        self._decided = WantedLimits(found.models, found.limit)
        sizes = sizes_to_ask(found)
        sensitive = list(found.profile.class_table.sensitive)
        if (found.models, sizes, sensitive) == self._offered:
            was_blocked = self.blockSignals(True)
            self.back()
            self.blockSignals(was_blocked)
            return
        self._offered = found.models, sizes, sensitive
        with refilled(self._models):
            self._controls, self._added = [], None
            for model in found.models:
                control = self._control(model, sizes, sensitive)
                self._controls.append(control)
                self._models.addWidget(control.widget)
            if not any(isinstance(model, SizeModel) for model in found.models):
                self._added = self._size_slider([1, *sizes], 1)
                self._models.addWidget(self._added.widget)
        self.limit_slider.set_value(100 * found.limit)

    def back(self) -> None:
        """Show the decided thresholds again."""
        for model, control in zip(self._decided.models, self._controls, strict=True):
            control.write(model)
        if self._added is not None:
            self._added.write(KAnonymity(1))
        self.limit_slider.set_value(100 * self._decided.limit)

    def _control(
        self, model: PrivacyModel, sizes: list[int], sensitive: list[str]
    ) -> _Control:
        makers: dict[str, Callable[[], _Control]] = {
            KAnonymity.kind: lambda: self._size_slider(
                sorted({model.depth, *sizes}), model.depth
            ),
            HighestProsecutorRisk.kind: lambda: self._risk_slider(
                sorted({model.depth, *sizes}),
                model,
                tr("How likely it may be at most that a known person is found."),
            ),
            AverageProsecutorRisk.kind: lambda: self._risk_slider(
                sorted({1, *sizes, *FINE_SIZES}),
                model,
                tr("How likely it may be on average that a known person is found."),
            ),
        }
        return makers.get(model.kind, lambda: self._form(model, sensitive))()

    def _size_slider(self, sizes: list[int], value: int) -> _Control:
        slider = LabeledSlider(
            tr("Smallest group (k)"),
            sizes[0],
            max(sizes[-1], sizes[0] + 1),
            value,
            1.0,
            tr("alike"),
            tr("How many must look alike at least."),
            stops=[float(stop) for stop in sorted({value, *_usual(sizes)})],
        )
        slider.value_changed.connect(self.changed)

        def read() -> PrivacyModel | None:
            k = round(slider.value)
            return KAnonymity(k) if k > 1 or sizes[0] > 1 else None

        return _Control(slider, read, lambda shown: slider.set_value(shown.depth))

    def _risk_slider(self, sizes: list[int], model: Any, meaning: str) -> _Control:
        """Offer 1/k for every k; what is typed in between is taken as it is."""
        exact = {round(100 / size, 2): 1 / size for size in reversed(sizes)}
        now = round(100 * model.threshold, 2)
        exact[now] = model.threshold
        stops = sorted({now, *(round(100 / size, 2) for size in _usual(sizes))})
        slider = LabeledSlider(
            tr(model.title),
            stops[0],
            stops[-1],
            100 * model.threshold,
            0.01,
            "%",
            meaning,
            stops=stops,
        )
        slider.value_changed.connect(self.changed)

        def read() -> PrivacyModel:
            shown = round(slider.value, 2)
            risk: PrivacyModel = type(model)(threshold=exact.get(shown, shown / 100))
            return risk

        return _Control(
            slider, read, lambda shown: slider.set_value(100 * shown.threshold)
        )

    def _form(self, model: PrivacyModel, sensitive: list[str]) -> _Control:
        holder = QWidget()
        box = QVBoxLayout(holder)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        form: ParameterForm[PrivacyModel] = ParameterForm(
            type(model), model, {"sensitive": sensitive}
        )
        form.edited.connect(self.changed)
        box.addWidget(Label(model.title, "strong"))
        if len(form.params()) == 1:
            form.name_alone()
        box.addWidget(form)
        return _Control(holder, form.value, form.set_value)
