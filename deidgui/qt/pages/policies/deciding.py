"""The rule with its figures on this file, and what is looked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.project import Chosen, Project
from deidgui.engine.discover.safe_harbor import AGE
from deidgui.errors import DeidError, ProblemsError
from deidgui.qt.column_words import reason_words
from deidgui.qt.messages import words_for
from deidgui.qt.models.figures import expected_text
from deidgui.qt.pages.policies.baseline import BaselineCard, BaselinePopulation
from deidgui.qt.pages.policies.words import (
    effect_words,
    policy_words,
    population_words,
    power_text,
    threshold_words,
    unit_of,
)
from deidgui.qt.widgets import (
    Callout,
    Label,
    StatTile,
    Status,
    column,
    refilled,
    show_if,
)
from deidgui.text import share_text, tr

SHOWN_BY_POPULATION = ("discovery_population_none", "discovery_population_short")
"""Warnings that the card on the population says already."""

CHANGES_NOTHING = "discovery_rule_changes_nothing"
"""The warning that may come from the highest age being read as "and over"."""

POPULATION = "risk/population"
"""Where people are decided; a slash and a column lead to that column."""

BLOCKING = ("discovery_threshold_low", "discovery_preferences_too_risky")
"""Warnings after which no search can find anything."""


class FiguresCard(QWidget):
    """How risky the file is: under the rule, as it is, with everything joined.

    Attributes
    ----------
    ages_wanted : Signal of str
        Attribute of which the person wants to say what its highest value stands for.
    """

    ages_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = Label("", "strong", wrap=True)
        self.tiles = [StatTile() for _ in range(4)]
        self._warnings = QVBoxLayout()
        self._warnings.setSpacing(8)
        self.warnings: tuple[str, ...] = ()
        self.callouts: list[Callout] = []
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(self.sentence)
        # Two tiles side by side are wider than the panel.
        box.addLayout(column(*self.tiles, spacing=8))
        box.addLayout(self._warnings)

    def show_basis(self, basis: Basis) -> None:
        """Show the figures of a rule on a file."""
        self.sentence.setText(threshold_words(basis))
        limit, n = basis.limit, basis.n_compared

        def per_record(risk: float) -> str:
            return tr(
                "of {n:,} {unit}: {share} on average for each",
                n=n,
                unit=unit_of(basis),
                share=share_text(risk / n),
            )

        in_file = tr(
            "of the file in {columns:column|columns}: {n:policy|policies}",
            columns=len(basis.attributes),
            n=power_text(basis.space.n_bits),
        )
        if any(each.missing_value is not None for each in basis.space.domains):
            in_file = tr("{words}; a missing value counts as one", words=in_file)
        facts = (
            (
                tr("Allowed risk"),
                "–" if limit is None else expected_text(limit),
                self._undecided_words(basis) if limit is None else per_record(limit),
            ),
            (
                tr("The data as they are"),
                expected_text(basis.raw_risk),
                per_record(basis.raw_risk),
            ),
            (
                tr("Everything joined"),
                expected_text(basis.least_risk),
                tr("the least risk that any policy reaches"),
            ),
            (
                tr("Values to choose from"),
                f"{sum(each.n_in_file for each in basis.space.domains):,}",
                in_file,
            ),
        )
        unit = tr("correct links")
        for place, (tile, fact) in enumerate(zip(self.tiles, facts, strict=True)):
            label, figure, words = fact
            is_risk = place < 3 and figure != "–"
            tile.set_figure(label, figure, unit if is_risk else "", words)
        self._show_warnings(basis)

    def _undecided_words(self, basis: Basis) -> str:
        if basis.discover.baseline is None:
            return tr("decide what is compared with")
        return tr("decided by your privacy models")

    def _show_warnings(self, basis: Basis) -> None:
        shown = [
            each for each in basis.warnings if each.code not in SHOWN_BY_POPULATION
        ]
        texts = tuple(reason_words(each) for each in shown)
        if texts == self.warnings:
            return
        self.warnings = texts
        with refilled(self._warnings):
            self.callouts = []
            for each, text in zip(shown, texts, strict=True):
                status: Status = "danger" if each.code in BLOCKING else "warning"
                callout = Callout(text, status)
                age = _top_age(basis) if each.code == CHANGES_NOTHING else ""
                if age:
                    words = tr("What does the highest age stand for?")
                    callout = Callout(text, status, "", words)
                    callout.acted.connect(partial(self.ages_wanted.emit, age))
                self._warnings.addWidget(callout)
                self.callouts.append(callout)


def _top_age(basis: Basis) -> str:
    """Name of the ages whose partners among the people can be decided, if any."""
    if basis.population is None:
        return ""
    ages = (n for n, each in basis.discover.elements.items() if each.kind == AGE)
    return next((name for name in ages if name in basis.attributes), "")


class BaselinePane(QWidget):
    """What alternatives may be no riskier than, and what that means here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered: tuple[Chosen, ...] = ()
        self.problem = Callout()
        self.problem_place = POPULATION
        self.figures = FiguresCard()
        self.baseline = BaselineCard()
        self.population = BaselinePopulation()
        self.setLayout(
            column(*(self.problem, self.baseline, self.figures, self.population), None)
        )

    def policy_at(self, place: int) -> Chosen:
        """Return the policy that was offered as baseline."""
        return self._offered[place]

    def show_project(
        self,
        project: Project,
        classes: Classes | None,
        basis: Basis | None,
        problem: DeidError | None,
    ) -> None:
        """Show what is decided, and what follows from it."""
        show_if(self.figures, basis is not None)
        if basis is not None:
            self.figures.show_basis(basis)
        self._show_problem(None if basis is not None else problem)
        proposed = proposed_elements(project)
        elements = {
            name: project.discover.elements.get(name, element)
            for name, element in proposed.items()
        }
        is_rule = basis is not None and basis.discover.baseline == "safe_harbor"
        effects: Mapping[str, tuple[str, bool]] = {}
        if basis is not None and is_rule:
            effects = {name: effect_words(basis, name) for name in basis.attributes}
        self.baseline.show_discover(project.discover, elements, effects)
        self._show_policies(project, basis)
        self._show_models(project)
        if basis is not None:
            self.baseline.propose_typed((basis.least_risk * basis.raw_risk) ** 0.5)
        words = population_words(project, classes)
        self.population.show_population(*words[:3], is_known=words[3])

    def _show_problem(self, problem: DeidError | None) -> None:
        show_if(self.problem, problem is not None)
        if problem is None:
            return
        first = problem.problems[0] if isinstance(problem, ProblemsError) else problem
        words = words_for(first)
        is_population = first.code.startswith("people_")
        attribute = str(first.params.get("attribute", ""))
        place = f"{POPULATION}/{attribute}" if attribute else POPULATION
        self.problem_place = place if is_population else POPULATION
        action = tr("Go to the population") if is_population else ""
        self.problem.show_words(words.what, "danger", words.fix, action)

    def _show_policies(self, project: Project, basis: Basis | None) -> None:
        decided = project.discover.policy
        known = [project.chosen, *project.kept, decided]
        offered: list[Chosen] = []
        for each in known:
            if each is not None and each.is_by_value and each not in offered:
                offered.append(each)
        self._offered = tuple(offered)
        sizes = {d.attribute: d.n_values for d in basis.space.domains} if basis else {}
        texts = [policy_words(each, place, sizes) for place, each in enumerate(offered)]
        current = offered.index(decided) if decided is not None else None
        self.baseline.show_policies(texts, current)

    def _show_models(self, project: Project) -> None:
        models = project.privacy.models
        self.baseline.show_models([e.words() for e in models if e.problem is None])
