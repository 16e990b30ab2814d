"""The privacy models that a release must meet, each with its own small form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QWidget

from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.errors import ConfigError
from deidgui.qt.forms import ParameterForm
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    IconButton,
    Label,
    clear,
    column,
    mark,
    row,
)

Stored = Mapping[str, Any]


class ModelEditor(QFrame):
    """One privacy model: its name, its parameters, and what it means in words.

    Attributes
    ----------
    edited : Signal of dict
        The model as it is stored; only when it is valid.
    removed : Signal
    """

    edited = Signal(object)
    removed = Signal()

    def __init__(self, model: PrivacyModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="row")
        self._form = ParameterForm(type(model), model)
        self._form.edited.connect(self._on_edited)
        self._words = Caption(model.words())
        remove = IconButton(
            "close",
            self.tr("Remove “{model}”").format(model=model.title),
            self.removed,
            small=True,
        )
        head = row(Label(model.title, "strong"), None, remove)
        self.setLayout(column(head, self._form, self._words, spacing=8, margin=12))

    @property
    def form(self) -> ParameterForm[PrivacyModel]:
        """The form with the model's parameters."""
        return self._form

    def show_model(self, model: PrivacyModel) -> None:
        """Show other parameters of the same model."""
        self._form.set_value(model)
        self._words.setText(model.words())

    def _on_edited(self, model: PrivacyModel | None) -> None:
        if model is not None:
            self._words.setText(model.words())
            self.edited.emit(model.to_json())


class ThresholdsCard(Card):
    """The list of privacy models and why they were chosen.

    Attributes
    ----------
    models_edited : Signal of tuple of dict
    reason_edited : Signal of str
    """

    models_edited = Signal(object)
    reason_edited = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            self.tr("How safe must it be?"),
            self.tr(
                "Every group of records that look alike on the quasi-identifiers must "
                "meet all of these. Records that cannot are withheld."
            ),
        )
        self._stored: list[Stored] = []
        self._editors: list[ModelEditor | None] = []
        self._rows = column(spacing=8)
        self._empty = Callout(
            self.tr("No threshold is decided yet."),
            "warning",
            self.tr("Choose the recipient above, or add a threshold yourself."),
        )
        self._menu = QMenu(self)
        for model in PRIVACY_MODELS:
            action = self._menu.addAction(model.title)
            action.setData(model.kind)
        self._menu.triggered.connect(self._on_model_wanted)
        self.add_button = Button(self.tr("Add a threshold"), glyph="plus")
        self.add_button.setMenu(self._menu)
        self.reason = QPlainTextEdit()
        self.reason.setPlaceholderText(
            self.tr("Why these thresholds fit this recipient; printed in the report.")
        )
        self.reason.setAccessibleName(self.tr("Justification of the thresholds"))
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(72)
        self.body.addWidget(self._empty)
        self.body.addLayout(self._rows)
        self.body.addLayout(row(self.add_button, None))
        self.body.addWidget(Label(self.tr("Justification"), "strong"))
        self.body.addWidget(self.reason)

    @property
    def editors(self) -> list[ModelEditor | None]:
        """Editor of each model; None for one that cannot be read."""
        return self._editors

    def leave(self) -> None:
        """Take over the justification as it stands."""
        self.reason_edited.emit(self.reason.toPlainText().strip())

    def show_models(self, stored: Sequence[Stored], reason: str) -> None:
        """Show the models of a project."""
        same_kinds = [each.get("kind") for each in stored] == [
            each.get("kind") for each in self._stored
        ]
        self._stored = list(stored)
        self._empty.setVisible(not stored)
        if self.reason.toPlainText() != reason:
            self.reason.setPlainText(reason)
        if same_kinds and None not in self._editors and self._update_editors():
            return
        clear(self._rows)
        self._editors = []
        for place in range(len(stored)):
            self._rows.addWidget(self._editor(place))

    def _update_editors(self) -> bool:
        """Show changed parameters in place, so that no field loses the focus."""
        try:
            models = [PRIVACY_MODELS.from_json(each) for each in self._stored]
        except ConfigError:
            return False
        for editor, model in zip(self._editors, models, strict=True):
            if editor is not None:
                editor.show_model(model)
        return True

    def _editor(self, place: int) -> QWidget:
        try:
            model = PRIVACY_MODELS.from_json(self._stored[place])
        except ConfigError as error:
            words = words_for(error)
            self._editors.append(None)
            broken = Callout(words.what, "danger", words.mend, self.tr("Remove"))
            broken.setProperty("place", place)
            broken.acted.connect(self._on_removed)
            return broken
        editor = ModelEditor(model)
        editor.setProperty("place", place)
        editor.edited.connect(self._on_edited)
        editor.removed.connect(self._on_removed)
        self._editors.append(editor)
        return editor

    def _place(self) -> int:
        return int(self.sender().property("place"))

    def _on_edited(self, stored: Stored) -> None:
        models = list(self._stored)
        models[self._place()] = stored
        self.models_edited.emit(tuple(models))

    def _on_removed(self) -> None:
        models = list(self._stored)
        del models[self._place()]
        self.models_edited.emit(tuple(models))

    def _on_model_wanted(self, action: Any) -> None:
        model = PRIVACY_MODELS[action.data()]
        self.models_edited.emit((*self._stored, first_proposal(model).to_json()))


def first_proposal(model: type[PrivacyModel]) -> PrivacyModel:
    """Return a model with parameters to start from; the user sees and edits them."""
    start: dict[str, dict[str, Any]] = {
        "k_anonymity": {"k": 5},
        "highest_prosecutor_risk": {"threshold": 0.2},
        "average_prosecutor_risk": {"threshold": 0.1},
        "average_journalist_risk": {"threshold": 0.1},
        "delta_presence": {"dmax": 0.5},
        "epsilon_delta": {"epsilon": 1.0, "delta": 1e-6},
        "estimated_k_map": {"k": 20, "sampling_fraction": 0.1, "significance": 0.1},
        "highest_journalist_risk": {"threshold": 0.2},
        "k_map": {"k": 5},
        "marketer_risk": {"threshold": 0.1},
        "population_uniqueness": {"threshold": 0.01, "sampling_fraction": 0.1},
        "records_at_risk": {"threshold": 0.2, "share": 0.05},
        "sample_uniqueness": {"threshold": 0.05},
    }
    return model.from_params(start.get(model.kind, {}))
