"""The privacy models that a release must meet, each with its own small form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QWidget

from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.errors import DeidError
from deidgui.qt.forms import ParameterForm
from deidgui.qt.messages import words_for
from deidgui.qt.pages.fixes import PLACE_OF, go_words
from deidgui.qt.pages.risk.proposals import (
    GROUPS,
    explanation,
    group_words,
    models_of,
)
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    IconButton,
    Label,
    clear,
    column,
    holder,
    mark,
    row,
    show_if,
)
from deidgui.text import tr


@dataclass(frozen=True)
class Surroundings:
    """What the editors of models need to know of a project.

    Parameters
    ----------
    sensitive : tuple of str
        Names of the sensitive attributes.
    sampling_fraction : float in (0, 1] or None
        As stated for the population.
    problems : tuple of DeidError or None
        Of each model, why it cannot be used.
    """

    sensitive: tuple[str, ...] = ()
    sampling_fraction: float | None = None
    problems: tuple[DeidError | None, ...] = ()

    @property
    def choices(self) -> Mapping[str, Sequence[str]]:
        """Attributes by role, for forms."""
        return {"sensitive": self.sensitive}

    @property
    def known(self) -> Mapping[str, Any]:
        """Parameters that the project decides: the only sensitive attribute, a share.

        Among several attributes a person chooses.
        """
        found: dict[str, Any] = {}
        if len(self.sensitive) == 1:
            found["attribute"] = self.sensitive[0]
        if self.sampling_fraction is not None:
            found["sampling_fraction"] = self.sampling_fraction
        return found

    def problem(self, place: int) -> DeidError | None:
        """Why a model cannot be used."""
        return self.problems[place] if place < len(self.problems) else None


PRICES = "explore/prices"
"""Where it is shown what each group size costs."""


class ModelEditor(QFrame):
    """One privacy model: its name, its parameters, and what it means in words.

    Attributes
    ----------
    edited : Signal of PrivacyModel
        Only when it is valid.
    step_wanted : Signal of str
        Where a problem is fixed (see `deidgui.qt.pages.fixes`), or `PRICES`.
    """

    edited = Signal(object)
    removed = Signal()
    step_wanted = Signal(str)

    def __init__(
        self,
        model: PrivacyModel,
        around: Surroundings | None = None,
        problem: DeidError | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        around = around or Surroundings()
        n_columns = min(2, len(parameters_of(type(model))))
        self._form = ParameterForm(type(model), model, around.choices, n_columns)
        self._form.edited.connect(self._on_edited)
        self._words = Caption(model.words())
        self.go_button = Button("", "plain", small=True, clicked=self._on_go_clicked)
        self._go_row = holder(row(self.go_button, None))
        self.prices_button = Button(
            tr("What does each group size cost?"),
            "link",
            clicked=self._on_prices_clicked,
        )
        prices_row = holder(row(self.prices_button, None))
        show_if(prices_row, model.is_by_size)
        remove = IconButton(
            "close",
            tr("Remove “{model}”", model=tr(model.title)),
            self.removed,
            small=True,
        )
        head = row(Label(tr(model.title), "strong"), None, remove)
        self.setLayout(
            column(
                head,
                self._form,
                self._go_row,
                self._words,
                prices_row,
                spacing=10,
                margin=12,
            )
        )
        self._problem: DeidError | None = None
        self._show_problem(problem)

    @property
    def form(self) -> ParameterForm[PrivacyModel]:
        """The form with the model's parameters."""
        return self._form

    def show_model(
        self, model: PrivacyModel, around: Surroundings, problem: DeidError | None
    ) -> None:
        """Show other parameters of the same model, and what is wrong with it."""
        self._form.set_choices(around.choices)
        self._form.set_value(model)
        self._words.setText(model.words())
        self._show_problem(problem)

    def _show_problem(self, problem: DeidError | None) -> None:
        self._problem = problem
        place = PLACE_OF.get(problem.code) if problem is not None else None
        show_if(self._words, problem is None)
        show_if(self._go_row, place is not None)
        if place is not None:
            self.go_button.setText(go_words(place))
        if problem is not None:
            self._form.show_problem(problem)

    def _on_go_clicked(self) -> None:
        if self._problem is not None:
            self.step_wanted.emit(PLACE_OF[self._problem.code])

    def _on_prices_clicked(self) -> None:
        self.step_wanted.emit(PRICES)

    def _on_edited(self, model: PrivacyModel | None) -> None:
        if model is not None:
            self._words.setText(model.words())
            self.edited.emit(model)


class ThresholdsCard(Card):
    """The list of privacy models and why they were chosen.

    Attributes
    ----------
    step_wanted : Signal of str
        Where a problem is fixed, or `PRICES`.
    """

    models_edited = Signal(object)
    reason_edited = Signal(str)
    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("How safe must it be?"),
            tr(
                "Every group of records that look alike on the quasi-identifiers must "
                "meet all of these. Records that cannot are suppressed."
            ),
        )
        self._models: tuple[PrivacyModel, ...] = ()
        self._editors: list[ModelEditor | None] = []
        self._rows = column(spacing=8)
        self._empty = Callout(
            tr("No threshold is decided yet."),
            "warning",
            tr("Choose the recipient above, or add a threshold yourself."),
        )
        self._around = Surroundings()
        self._menu = self._make_menu()
        self.add_button = Button(tr("Add a threshold"), glyph="plus")
        self.add_button.setMenu(self._menu)
        self.reason = QPlainTextEdit()
        self.reason.setPlaceholderText(
            tr("Why these thresholds fit this recipient; printed in the report.")
        )
        self.reason.setAccessibleName(tr("Justification of the thresholds"))
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(72)
        self.body.addWidget(self._empty)
        self.body.addLayout(self._rows)
        self.body.addLayout(row(self.add_button, None))
        self.body.addWidget(Label(tr("Justification"), "strong"))
        self.body.addWidget(self.reason)

    def _make_menu(self) -> QMenu:
        """Every model by what it is about, with one line that says what it asks."""
        menu = QMenu(self)
        for group in GROUPS:
            models = models_of(group)
            if not models:
                continue
            inner = menu.addMenu(group_words(group))
            for model in models:
                # What follows the tab stands at the right, as a shortcut would.
                action = inner.addAction(f"{tr(model.title)}\t{explanation(model)}")
                action.setData(model.kind)
        menu.triggered.connect(self._on_model_wanted)
        return menu

    def add_action(self, kind: str) -> QAction:
        """Return the entry of the menu that adds a model (KeyError without one)."""
        for menu in self._menu.findChildren(QMenu):
            for action in menu.actions():
                if action.data() == kind:
                    return action
        raise KeyError(kind)

    @property
    def editors(self) -> list[ModelEditor | None]:
        """Editor of each model; None for one that cannot be read."""
        return self._editors

    def leave(self) -> None:
        """Take over the justification as it stands."""
        self.reason_edited.emit(self.reason.toPlainText().strip())

    def show_models(
        self,
        models: Sequence[PrivacyModel],
        reason: str,
        around: Surroundings | None = None,
    ) -> None:
        """Show the models of a project."""
        self._around = around or Surroundings()
        same_kinds = [*map(type, models)] == [*map(type, self._models)]
        self._models = tuple(models)
        self._empty.setVisible(not models)
        if self.reason.toPlainText() != reason:
            self.reason.setPlainText(reason)
        if same_kinds and None not in self._editors:
            self._update_editors()
            return
        clear(self._rows)
        self._editors = []
        for place in range(len(models)):
            self._rows.addWidget(self._editor(place))

    def _update_editors(self) -> None:
        """Show changed parameters in place, so that no field loses the focus."""
        for place, (editor, model) in enumerate(
            zip(self._editors, self._models, strict=True)
        ):
            if editor is not None:
                editor.show_model(model, self._around, self._around.problem(place))

    def _editor(self, place: int) -> QWidget:
        model = self._models[place]
        if model.problem is not None:
            words = words_for(model.problem)
            self._editors.append(None)
            broken = Callout(words.what, "danger", words.fix, tr("Remove"))
            broken.setProperty("place", place)
            broken.acted.connect(self._on_removed)
            return broken
        editor = ModelEditor(model, self._around, self._around.problem(place))
        editor.setProperty("place", place)
        editor.edited.connect(self._on_edited)
        editor.removed.connect(self._on_removed)
        editor.step_wanted.connect(self.step_wanted)
        self._editors.append(editor)
        return editor

    def _place(self) -> int:
        return int(self.sender().property("place"))

    def _on_edited(self, model: PrivacyModel) -> None:
        models = list(self._models)
        models[self._place()] = model
        self.models_edited.emit(tuple(models))

    def _on_removed(self) -> None:
        models = list(self._models)
        del models[self._place()]
        self.models_edited.emit(tuple(models))

    def _on_model_wanted(self, action: QAction) -> None:
        proposal = PRIVACY_MODELS[action.data()].proposed(**self._around.known)
        self.models_edited.emit((*self._models, proposal))
