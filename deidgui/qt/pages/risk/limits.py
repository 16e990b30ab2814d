"""The limits of a release: recipient, thresholds, suppression limit, their cost."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from deidgui.app.charts.formats import of_all_text
from deidgui.app.demands import model_problem
from deidgui.app.determination.determination import AllowedRisk, allowed_words
from deidgui.app.determination.recipients import BY_KIND, RECIPIENTS, Recipient, meaning
from deidgui.app.jobs import Job, Lane
from deidgui.app.measuring.measuring import n_at_risk
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.project import Privacy, Threshold
from deidgui.app.session import Kind
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.forms import ParameterForm
from deidgui.qt.messages import words_for
from deidgui.qt.models.figures import loss_text
from deidgui.qt.pages.fixes import PLACE_OF, go_words
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    ClickableFrame,
    Columns,
    GlyphLabel,
    IconButton,
    Label,
    LabeledSlider,
    Status,
    column,
    holder,
    mark,
    refilled,
    row,
    show_if,
)
from deidgui.text import Text, per_cent, share_text, tr, unit_words

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

GROUPS = ("size", "sensitive", "population", "sample")
"""Kinds of models as the menu offers them."""


def group_of(model: type[PrivacyModel]) -> str:
    """Return the group of a model in the menu: one of `GROUPS`."""
    by_kind = {
        "estimated_k_map": "population",
        "marketer_risk": "population",
        "population_uniqueness": "sample",
        "sample_uniqueness": "sample",
        "epsilon_delta": "sample",
    }
    if model.kind in by_kind:
        return by_kind[model.kind]
    if model.needs_sensitive:
        return "sensitive"
    return "population" if model.needs_population else "size"


def models_of(group: str) -> list[type[PrivacyModel]]:
    """Return the models of a group, simple ones first."""
    known = {kind: place for place, kind in enumerate(_explanations())}
    found = [each for each in PRIVACY_MODELS if group_of(each) == group]
    return sorted(found, key=lambda each: known.get(each.kind, len(known)))


def group_words(group: str) -> str:
    """Return the heading of a group in the menu."""
    return {
        "size": tr("Class sizes"),
        "sensitive": tr("Sensitive values"),
        "population": tr("Population"),
        "sample": tr("Uniqueness and samples"),
    }[group]


def explanation(model: type[PrivacyModel]) -> str:
    """Return one line that says what a model asks for."""
    words = _explanations().get(model.kind)
    return words or model.proposed().words().rstrip(".")


def _explanations() -> dict[str, str]:
    """One line by kind, simple models first."""
    return {
        "k_anonymity": tr("at least k alike in every class"),
        "known_attributes": tr("the same, if only a few attributes are known"),
        "highest_prosecutor_risk": tr("maximum risk of anybody"),
        "average_prosecutor_risk": tr("mean risk of all"),
        "records_at_risk": tr("maximum risk, which a few may exceed"),
        "distinct_l_diversity": tr("several different values in every class"),
        "entropy_l_diversity": tr("values evenly distributed in every class"),
        "recursive_cl_diversity": tr("no value too frequent in a class"),
        "equal_t_closeness": tr("distribution in a class close to the file's"),
        "ordered_t_closeness": tr("the same, for ordered values"),
        "hierarchical_t_closeness": tr("the same, by the values' hierarchy"),
        "delta_disclosure": tr("no value much more or less likely in a class"),
        "basic_beta_likeness": tr("no value much more likely in a class"),
        "enhanced_beta_likeness": tr("the same, stricter for frequent values"),
        "k_map": tr("at least k matches in the population"),
        "estimated_k_map": tr("the same, estimated from a sampling fraction"),
        "delta_presence": tr("membership in the file stays uncertain"),
        "highest_journalist_risk": tr("maximum risk in the population"),
        "average_journalist_risk": tr("mean risk in the population"),
        "marketer_risk": tr("share matched correctly"),
        "sample_uniqueness": tr("few are unique in the file"),
        "population_uniqueness": tr("few are unique in the population, estimated"),
        "epsilon_delta": tr("a random sample in large classes"),
    }


GLYPHS = {"public": "people", "researcher": "lock", "internal": "person", "own": "edit"}


class RecipientOption(ClickableFrame):
    """One kind of recipient: its words and the thresholds proposed for it."""

    def __init__(self, recipient: Recipient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recipient = recipient
        mark(self, kind="card")
        self._glyph = GlyphLabel(GLYPHS[recipient.kind], "muted")
        title = Label(tr(recipient.title), "strong", wrap=True)
        head = row(self._glyph, title, spacing=6)
        head.setAlignment(self._glyph, Qt.AlignmentFlag.AlignTop)
        head.setStretch(1, 1)
        proposal = self._proposal()
        self._usual = Label(proposal, "caption", "", wrap=True)
        box = column(head, self._usual, None, spacing=2)
        box.setContentsMargins(8, 7, 6, 7)
        self.setLayout(box)
        words = (tr(recipient.sentence), proposal, tr(recipient.source))
        self.setToolTip("\n".join(filter(None, words)))
        self.setAccessibleName(tr(recipient.title))
        self.setAccessibleDescription(f"{tr(recipient.sentence)} {proposal}")

    def _proposal(self) -> str:
        usual = self._recipient.words()
        limit = per_cent(self._recipient.suppression_limit)
        if not usual:
            words: Text = (
                "You set the thresholds; the suppression limit becomes {limit}."
            )
            return tr(words, limit=limit)
        words = "Usual: {thresholds}, suppression limit {limit}"
        return tr(words, thresholds=usual, limit=limit)

    def set_chosen(self, is_chosen: bool, *, are_decided: bool) -> None:
        """Show whether this is the recipient, and what it proposes until that is."""
        show_if(self._usual, not are_decided)
        mark(self, state="selected" if is_chosen else "")
        glyph = "check-circle" if is_chosen else GLYPHS[self._recipient.kind]
        self._glyph.set_glyph(glyph, "accent" if is_chosen else "muted")


class RecipientCard(Card):
    """The choice of the recipient.

    Attributes
    ----------
    chosen : Signal of str
        Kind of recipient that the user chose.
    context_wanted : Signal
        Say more about the recipient.
    """

    chosen = Signal(str)
    context_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Recipient"), margin=12, parent=parent)
        self.setToolTip(
            tr("The fewer obligations a recipient has, the lower the risk must be.")
        )
        self.body.setSpacing(6)
        self._options: dict[str, RecipientOption] = {
            each.kind: RecipientOption(each) for each in RECIPIENTS
        }
        for kind, option in self._options.items():
            option.clicked.connect(partial(self.chosen.emit, kind))
        options = [(option, 1) for option in self._options.values()]
        self._pairs = [Columns(options[at : at + 2], 240, 8) for at in (0, 2)]
        self._on_arranged(False)
        self._sentence = Caption()
        self.context_button = Button(
            tr("Describe the context"), "link", clicked=self.context_wanted
        )
        self.head_actions.addWidget(self.context_button)
        both = Columns([(pair, 1) for pair in self._pairs], 600, 8)
        both.arranged.connect(self._on_arranged)
        self.add(both)
        self.add(self._sentence)

    def _on_arranged(self, is_stacked: bool) -> None:
        """In one row, the two in the middle need more room: their names are longest."""
        middle = 3 if is_stacked else 4
        self._pairs[0].set_shares(3, middle)
        self._pairs[1].set_shares(middle, 3)

    def option(self, kind: str) -> RecipientOption:
        """Return the option of one kind of recipient."""
        return self._options[kind]

    def show_chosen(self, kind: str | None, *, are_decided: bool) -> None:
        """Show which recipient is decided.

        Parameters
        ----------
        are_decided : bool
            Whether there are thresholds; then they are in view, and what a recipient
            would propose instead is in its tooltip.
        """
        for name, option in self._options.items():
            option.set_chosen(name == kind, are_decided=are_decided)
        show_if(self._sentence, kind is not None or not are_decided)
        self._sentence.setText(
            BY_KIND[kind].sentence
            if kind
            else tr("A recipient proposes the thresholds that are usual for it.")
        )


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
    has_events : bool
        Whether a limit on people at risk is a threshold already.
    unprotected : tuple of str
        The sensitive attributes that no model is about.
    is_explained : bool
        Whether the release was checked, and each of them about which it asks has a
        reason.
    allowed : tuple of AllowedRisk
        What the context of the release allows.
    """

    sensitive: tuple[str, ...] = ()
    sampling_fraction: float | None = None
    problems: tuple[DeidError | None, ...] = ()
    has_events: bool = False
    unprotected: tuple[str, ...] = ()
    is_explained: bool = False
    allowed: tuple[AllowedRisk, ...] = ()

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


class ModelEditor(QFrame):
    """One privacy model: its name, its parameters, and what it means in words.

    Attributes
    ----------
    edited : Signal of PrivacyModel
        Only when it is valid.
    step_wanted : Signal of str
        Where a problem is fixed (see `deidgui.qt.pages.fixes`).
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
        self._form = ParameterForm(type(model), model, around.choices, is_compact=True)
        self._form.edited.connect(self._on_edited)
        self._words = Caption(meaning(model))
        self.reason = Caption()
        self.go_button = Button("", "plain", small=True, clicked=self._on_go_clicked)
        self._go_row = holder(row(self.go_button, None))
        remove = IconButton(
            "close",
            tr("Remove “{model}”", model=tr(model.title)),
            self.removed,
            small=True,
        )
        head = row(Label(tr(model.title), "strong", wrap=True), remove)
        head.setStretch(0, 1)
        box = column(head, self._words, self.reason, self._go_row, spacing=4)
        parameters = parameters_of(type(model))
        if len(parameters) == 1:
            # The model's name says what its only number is.
            show_if(self._form.field(parameters[0].name).label, False)
            head.insertWidget(1, self._form)
        else:
            box.insertWidget(1, self._form)
        box.setContentsMargins(10, 4, 6, 6)
        self.setLayout(box)
        self._problem: DeidError | None = None
        self._show_problem(problem)
        self._show_reason(model, around)

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
        self._words.setText(meaning(model))
        self._show_problem(problem)
        self._show_reason(model, around)

    def _show_reason(self, model: PrivacyModel, around: Surroundings) -> None:
        """Say what the context allows of the same risk."""
        words = allowed_words(model, around.allowed)
        self.reason.setText(words)
        show_if(self.reason, bool(words))

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

    def _on_edited(self, model: PrivacyModel | None) -> None:
        if model is not None:
            self._words.setText(meaning(model))
            self.edited.emit(model)


class ThresholdsCard(Card):
    """The list of privacy models that a release must meet.

    Attributes
    ----------
    step_wanted : Signal of str
        Where a problem is fixed.
    """

    models_edited = Signal(object)
    proposals_wanted = Signal()
    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Thresholds"), margin=12, parent=parent)
        self.body.setSpacing(8)
        self.setToolTip(
            tr(
                "Every equivalence class of the release meets all thresholds. Other "
                "classes are suppressed."
            )
        )
        self._models: tuple[PrivacyModel, ...] = ()
        self._editors: list[ModelEditor | None] = []
        self._rows = column(spacing=8)
        self._empty = Callout(
            tr("No thresholds yet."),
            "warning",
            tr("Choose the recipient, or add a threshold."),
        )
        self._around = Surroundings()
        self._menu = self._make_menu()
        self.add_button = Button(tr("Add a threshold"), glyph="plus", small=True)
        self.add_button.setMenu(self._menu)
        self.head_actions.addWidget(self.add_button)
        self.unprotected = Callout()
        self.unprotected.setToolTip(
            tr(
                "In a large class everybody may still have the same value. Add "
                "thresholds, or give the reasons that Preview and export asks for."
            )
        )
        self.unprotected.acted.connect(self.proposals_wanted)
        self.add(self._empty)
        self.body.addLayout(self._rows)
        self.add(self.unprotected)

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

    def show_models(
        self,
        models: Sequence[PrivacyModel],
        around: Surroundings | None = None,
    ) -> None:
        """Show the models of a project."""
        self._around = around or Surroundings()
        same_kinds = [*map(type, models)] == [*map(type, self._models)]
        self._models = tuple(models)
        show_if(self._empty, not models and not self._around.has_events)
        self._show_unprotected(len(self._around.unprotected))
        if same_kinds and None not in self._editors:
            self._update_editors()
            return
        with refilled(self._rows):
            self._editors = []
            for place in range(len(models)):
                self._rows.addWidget(self._editor(place))

    def _show_unprotected(self, n: int) -> None:
        show_if(self.unprotected, n > 0)
        words = tr("{n:sensitive column has|sensitive columns have} no threshold.", n=n)
        tone: Status = "info" if self._around.is_explained else "warning"
        self.unprotected.show_words(words, tone, action=tr("Propose…"))

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


STOPS = (0, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30, 50, 75, 100)
"""Percentages on which the slider rests."""

USUAL_LIMIT = 0.05


class SuppressionCard(Card):
    """The share of records that may be suppressed.

    Attributes
    ----------
    limit_set : Signal of float
        In [0, 1].
    """

    limit_set = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.setAccessibleName(tr("Suppression limit"))
        self.body.setSpacing(4)
        self._n_records, self._by_key = 0, False
        self._undecided = Callout(
            tr("No suppression limit yet."),
            "warning",
            tr("5\u202f% is a common choice. With 0\u202f%, nobody is suppressed."),
            tr("Allow 5\u202f%"),
        )
        self._undecided.acted.connect(self._on_proposal_taken)
        self.slider = LabeledSlider(
            tr("Suppression limit"), 0, 100, 0, 0.1, "%", stops=STOPS, head="section"
        )
        self.slider.setToolTip(
            tr(
                "Suppressing a few often lets all others keep more detail. Nothing of "
                "them is released."
            )
        )
        self.slider.value_changed.connect(self._show_words)
        self.slider.value_settled.connect(self._on_settled)
        self.add(self._undecided)
        self.add(self.slider)

    @property
    def control(self) -> QWidget:
        """Where the limit is decided as things stand."""
        return self.slider if self._undecided.isHidden() else self._undecided

    def show_limit(
        self, limit: float | None, n_records: int, by_key: bool = False
    ) -> None:
        """Show the decided limit."""
        self._n_records, self._by_key = n_records, by_key
        show_if(self._undecided, limit is None)
        show_if(self.slider, limit is not None)
        if limit is not None:
            self.slider.set_value(100 * limit)
            self._show_words(100 * limit)

    def _show_words(self, percent: float) -> None:
        most = int(percent / 100 * self._n_records + 1e-9)
        words = of_all_text(most, self._n_records, of_people=self._by_key)
        self.slider.set_explanation(words if self._n_records else "")

    def _on_settled(self, percent: float) -> None:
        self.limit_set.emit(round(percent / 100, 6))

    def _on_proposal_taken(self) -> None:
        self.limit_set.emit(USUAL_LIMIT)


class CostFigure(QWidget):
    """One figure with its name, and what it is counted from."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._figure, self._basis = Label("", "strong"), Caption()
        self._figure.setAlignment(Qt.AlignmentFlag.AlignRight)
        head = row(Label(name, wrap=True), self._figure)
        head.setStretch(0, 1)
        self.setLayout(column(head, self._basis, spacing=0))

    @property
    def figure(self) -> str:
        """The figure as it is shown."""
        return self._figure.text()

    def show_figure(self, figure: str, basis: str) -> None:
        """Show a figure and its basis."""
        self._figure.setText(figure)
        self._basis.setText(basis)
        self.setAccessibleName(f"{self._name}: {figure}. {basis}")


class CostCard(Card):
    """What the limits cost: records that fail them now, and the last search's best.

    Attributes
    ----------
    prices_wanted : Signal
        What does each group size and each limit cost?
    """

    trade_offs_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Cost"), margin=12, parent=parent)
        self.body.setSpacing(6)
        self.at_risk = CostFigure(tr("Fail the thresholds now"))
        self.suppressed = CostFigure(tr("Suppressed by the best policy"))
        self.loss = CostFigure(tr("Loss of the best policy"))
        self._search = Caption()
        self.trade_offs_button = Button(
            tr("Cost of other limits"), "link", clicked=self.trade_offs_wanted
        )
        self.head_actions.addWidget(self.trade_offs_button)
        for each in (self.at_risk, self.suppressed, self.loss, self._search):
            self.add(each)

    def show_at_risk(
        self, n_at_risk: int | None, n_records: int, by_key: bool = False
    ) -> None:
        """Show the records whose class fails the thresholds; None if not known."""
        if n_at_risk is None:
            words = tr("Counted once roles, hierarchies and thresholds are decided.")
            self.at_risk.show_figure("–", words)
            return
        counted = of_all_text(n_at_risk, n_records, of_people=by_key)
        words = tr(
            "{counted} fail at least one threshold before generalization",
            counted=counted,
        )
        self.at_risk.show_figure(share_text(n_at_risk / max(n_records, 1)), words)

    def show_found(self, found: LatticePolicies | None, is_stale: bool) -> None:
        """Show what the last search found; None before any.

        PRIVACY: nothing of a search under earlier decisions.
        """
        best = found.optimum if found is not None and not is_stale else None
        for each in (self.suppressed, self.loss):
            show_if(each, best is not None)
        words = self._search_words(found, is_stale)
        self._search.setText(words)
        show_if(self._search, bool(words))
        if found is None or best is None:
            return
        n_suppressed = int(found.suppressed[best])
        by_key = found.profile.class_table.units is not None
        words = of_all_text(n_suppressed, found.n_records, of_people=by_key)
        self.suppressed.show_figure(
            share_text(n_suppressed / max(found.n_records, 1)), words
        )
        of_all: Text = "{n} of {all:policy|policies} meet the limits"
        if not found.is_whole:
            of_all = "{n} of {all:measured policy|measured policies} meet the limits"
        n, n_all = found.result.n_solutions, found.profile.n_checked
        self.loss.show_figure(loss_text(found, best), tr(of_all, n=n, all=n_all))

    def _search_words(self, found: LatticePolicies | None, is_stale: bool) -> str:
        if found is None:
            return tr(
                "A search finds the best policy that meets them. The columns that a "
                "policy removes as a whole decide first, weighed by importance; then "
                "its loss."
            )
        if is_stale:
            return tr("The last search is based on earlier decisions. Search again.")
        return "" if found.optimum is not None else tr("No policy meets the limits.")


class JustificationCard(Card):
    """Why the thresholds were chosen, and who decided it."""

    reason_edited = Signal(str)
    name_set = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            tr("Justification"),
            tr("Printed in the report beside the thresholds."),
            parent=parent,
        )
        self.reason = QPlainTextEdit()
        self.reason.setPlaceholderText(tr("Why these thresholds fit the recipient."))
        self.reason.setAccessibleName(tr("Justification of the thresholds"))
        self.reason.setTabChangesFocus(True)
        self.reason.installEventFilter(self)
        self.reason.setFixedHeight(120)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Name and function"))
        self.field.setAccessibleName(tr("Who set the thresholds"))
        self.field.editingFinished.connect(self._on_name_edited)
        self.add(Label(tr("Reason"), "strong"))
        self.add(self.reason)
        self.add(Label(tr("Decided by"), "strong"))
        self.add(self.field)

    def show_threshold(self, threshold: Threshold) -> None:
        """Show the reason and the name of a project."""
        if self.reason.toPlainText() != threshold.justification:
            self.reason.setPlainText(threshold.justification)
        if self.field.text() != threshold.set_by:
            self.field.setText(threshold.set_by)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.reason and event.type() == QEvent.Type.FocusOut:
            self._on_reason_left()
        return super().eventFilter(watched, event)

    def leave(self) -> None:
        """Take over what is still being typed."""
        self._on_reason_left()
        self._on_name_edited()

    def _on_reason_left(self) -> None:
        self.reason_edited.emit(self.reason.toPlainText().strip())

    def _on_name_edited(self) -> None:
        self.name_set.emit(self.field.text().strip())


class ModelChecks(QObject):
    """Problems of the models, and the records that fail them before any search.

    Attributes
    ----------
    changed : Signal
        More is known than before.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._class_table: ClassTable | None = None
        self._problems: dict[PrivacyModel, DeidError | None] = {}
        self._n: dict[tuple[PrivacyModel, ...], int | None] = {}

    def problems(self) -> tuple[DeidError | None, ...]:
        """Return the problem of each model of the project, as far as it is known."""
        project = self._session.project
        return tuple(
            model_problem(model, project) or self._problems.get(model)
            for model in project.privacy.models
        )

    def n_at_risk(self) -> int | None:
        """Return how many records fail the thresholds as they are; None: not known."""
        is_current = self._session.current(Kind.CLASSES) is not None
        models = self._session.project.privacy.models
        return self._n.get(models) if is_current else None

    def look(self) -> None:
        """Compare the models with the present classes, unless that is known."""
        classes = self._session.current(Kind.CLASSES)
        class_table = classes.class_table if classes is not None else None
        if class_table is not self._class_table:
            self._class_table, self._problems, self._n = class_table, {}, {}
        project = self._session.project
        models = project.privacy.models
        fine = [each for each in models if not model_problem(each, project)]
        is_known = all(each in self._problems for each in fine)
        is_counted = not models or len(fine) < len(models) or models in self._n
        if class_table is None or (is_known and is_counted):
            return

        def work(monitor: Monitor) -> tuple[dict[PrivacyModel, Any], int | None]:
            found = {}
            for place, model in enumerate(fine):
                monitor.report(place / len(fine), "models")
                found[model] = model_problem(model, project, class_table)
            is_usable = len(fine) == len(models) and not any(found.values())
            return found, n_at_risk(models, class_table) if is_usable else None

        def done(result: tuple[dict[PrivacyModel, Any], int | None]) -> None:
            if self._class_table is class_table:
                self._problems |= result[0]
                self._n[models] = result[1]
                self.changed.emit()

        self._workspace.runner.start(Lane.MODEL_CHECK, work, Job(done, self._on_failed))

    def _on_failed(self, error: BaseException) -> None:
        self._workspace.problem(error, Lane.MODEL_CHECK)


def limits_words(privacy: Privacy, *, by_key: bool) -> str:
    """Say recipient, number of thresholds and suppression limit in a few words."""
    recipient = privacy.threshold.recipient
    parts = [tr(BY_KIND[recipient].title)] if recipient else []
    n = len(privacy.models)
    n += privacy.events is not None
    parts.append(tr("{n:threshold|thresholds}", n=n) if n else tr("no threshold"))
    if privacy.suppression_limit is None:
        parts.append(tr("no suppression limit"))
    else:
        parts.append(
            tr(
                "at most {share} of the {unit} suppressed",
                share=share_text(privacy.suppression_limit),
                unit=unit_words(by_key),
            )
        )
    said = ", ".join(parts)
    return said[:1].upper() + said[1:]


def reason_words(threshold: Threshold) -> str:
    """Say why the thresholds were chosen, and by whom, in a few words."""
    if not threshold.justification:
        return tr("No reason yet")
    reason = textwrap.shorten(threshold.justification, 60, placeholder=" …")
    return f"{reason} – {threshold.set_by}" if threshold.set_by else reason
