"""The page on which thresholds are decided."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFileDialog, QWidget

from deidgui.app import ops
from deidgui.app.changes import Changes
from deidgui.app.demands import model_problem
from deidgui.app.matching import matching as people
from deidgui.app.matching.matching import Confirmation
from deidgui.app.project import PopulationChoice
from deidgui.app.recipients import BY_KIND, take_over
from deidgui.app.session import Kind
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.qt.pages.accepted import needs_no_thresholds, not_needed, why_not_needed
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.risk.checking import ModelChecks
from deidgui.qt.pages.risk.importance import ImportanceCard, MeasureCard
from deidgui.qt.pages.risk.limits import SignatureCard, SuppressionCard
from deidgui.qt.pages.risk.matching import PopulationWatch
from deidgui.qt.pages.risk.population import FILES, PopulationCard
from deidgui.qt.pages.risk.recipients import RecipientCard
from deidgui.qt.pages.risk.thresholds import PRICES, Surroundings, ThresholdsCard
from deidgui.qt.settings import Settings
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


class RiskPage(Page):
    """Recipient, thresholds, suppression limit, population, importance."""

    key = "risk"
    parts = (
        Changes.PRIVACY
        | Changes.QUALITY
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.DATA
        | Changes.RESULT
    )

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Risk and thresholds"),
            tr(
                "Decide how safe the release must be. The search then finds the policy "
                "that keeps most detail within these limits."
            ),
        )
        self.recipients = RecipientCard()
        self.thresholds = ThresholdsCard()
        self.suppression = SuppressionCard()
        self.population = PopulationCard()
        self.population.set_cards(people.cards())
        self.measure = MeasureCard()
        self.importance = ImportanceCard()
        self.signature = SignatureCard()
        self.checks = ModelChecks(workspace, self)
        self.watch = PopulationWatch(workspace, self)
        for card in (
            self.recipients,
            self.thresholds,
            self.suppression,
            self.population,
            self.measure,
            self.importance,
            self.signature,
        ):
            self.body.addWidget(card)
        self.body.addStretch(1)
        self._connect()

    def _connect(self) -> None:
        self.recipients.chosen.connect(self._on_recipient_chosen)
        self.thresholds.models_edited.connect(self._on_models_edited)
        self.thresholds.reason_edited.connect(self._on_reason_edited)
        self.suppression.limit_set.connect(self._on_limit_set)
        self.suppression.prices_wanted.connect(self._on_prices_wanted)
        self.thresholds.step_wanted.connect(self._on_step_wanted)
        self.population.population_set.connect(self._on_population_set)
        self.population.kind_set.connect(self._on_population_kind_set)
        self.population.file_wanted.connect(self._on_population_wanted)
        self.population.file.cancel_clicked.connect(self.watch.cancel)
        self.checks.changed.connect(self._on_checked)
        self.watch.changed.connect(self._on_watched)
        self.watch.progressed.connect(self.population.file.set_progress)
        self.population.missing_set.connect(self._on_missing_set)
        self._connect_mapping()
        self.measure.measure_set.connect(self._on_measure_set)
        self.importance.weight_set.connect(self._on_weight_set)
        self.importance.level_set.connect(self._on_level_set)
        self.signature.name_set.connect(self._on_name_set)

    def _connect_mapping(self) -> None:
        mapping, watch = self.population.mapping, self.watch
        watch.matched.connect(mapping.set_fraction)
        watch.confirmed.connect(self._on_confirmed)
        mapping.cancel_clicked.connect(watch.stop)
        mapping.confirmed.connect(self._on_match_confirmed)
        mapping.partners_set.connect(self._on_partners_set)
        mapping.target_set.connect(self._on_target_set)
        mapping.lacking_set.connect(self._on_lacking_set)
        mapping.accepted_set.connect(self._on_accepted_set)
        mapping.proposal_wanted.connect(self._on_proposal_wanted)
        mapping.again_clicked.connect(self._on_again_clicked)
        self.population.file.adds_rows_set.connect(self._on_adds_rows_set)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show what is decided."""
        project = self.session.project
        privacy = project.privacy
        classes = self.session.result(Kind.CLASSES)
        loaded = self.session.loaded
        self.recipients.show_chosen(privacy.threshold.recipient)
        self._show_thresholds()
        self.checks.look()
        n_records = loaded.table.n_rows if loaded else 0
        self.suppression.show_limit(privacy.suppression_limit, n_records)
        self.watch.look()
        self._show_population()
        self.measure.show_measure(project.quality.measure)
        self.importance.show_attributes(
            project.quasi_identifiers, classes.hierarchies if classes else {}
        )
        self.signature.show_name(privacy.threshold.set_by)

    def show_place(self, part: str) -> None:
        """Show the card of the population or of the suppression limit."""
        parts: dict[str, tuple[QWidget, QWidget]] = {
            "population": (self.population, self.population.kind),
            "limit": (self.suppression, self.suppression.control),
        }
        name, _, attribute = part.partition("/")
        card, control = parts[name]
        if attribute:
            card = control = self.population.mapping.show_attribute(attribute)
        control.setFocus()
        self.show_part(card)

    def _show_thresholds(self) -> None:
        project = self.session.project
        privacy = project.privacy
        around = Surroundings(
            tuple(each.name for each in project.with_role("sensitive")),
            privacy.population.sampling_fraction,
            self.checks.problems(),
        )
        self.thresholds.show_models(
            privacy.models, privacy.threshold.justification, around
        )

    def _show_population(self) -> None:
        privacy = self.session.project.privacy
        self.population.show_privacy(privacy, self.watch.state())
        self.population.show_people(self.watch.mapping(), self.watch.who())

    def _on_watched(self) -> None:
        self._show_population()
        self.status_changed.emit()
        self.help_changed.emit()

    def _on_checked(self) -> None:
        self._show_thresholds()
        self.status_changed.emit()

    def status(self) -> PageStatus:
        """Say what is decided and what is missing."""
        privacy = self.session.project.privacy
        if not self.session.project.attributes:
            return NOT_YET
        is_undecided = not privacy.models or privacy.suppression_limit is None
        if is_undecided and needs_no_thresholds(self.session.project):
            return self._people_status() or not_needed()
        if not privacy.models:
            return PageStatus(
                StepState.ATTENTION,
                tr("nothing decided"),
                tr("Choose who receives the data."),
            )
        if privacy.suppression_limit is None:
            return PageStatus(
                StepState.ATTENTION,
                tr("limit undecided"),
                tr("Decide how many records may be suppressed."),
            )
        if any(self.checks.problems()):
            return PageStatus(
                StepState.ATTENTION,
                tr("a threshold to fix"),
                tr("Fix the threshold that is marked."),
            )
        if (of_people := self._people_status()) is not None:
            return of_people
        recipient = privacy.threshold.recipient
        title = tr(BY_KIND[recipient].title) if recipient else tr("own thresholds")
        return PageStatus(StepState.DONE, title)

    def _people_status(self) -> PageStatus | None:
        if not self.watch.needs_a_person:
            return None
        return PageStatus(
            StepState.ATTENTION,
            tr("population open"),
            tr("Say what your values are in the population."),
        )

    def help_words(self) -> str:
        """Say the decided thresholds in words."""
        project = self.session.project
        privacy = project.privacy
        lines = []
        for model in privacy.models:
            if model.problem is not None:
                continue
            is_fine = model_problem(model, project) is None
            words = tr("{model}: not complete yet.", model=tr(model.title))
            lines.append("- " + (model.words() if is_fine else words))
        if privacy.suppression_limit is not None:
            words = tr(
                "- At most {share:g} % of the records are suppressed.",
                share=round(100.0 * privacy.suppression_limit, 4),
            )
            lines.append(words)
        who = self.watch.who()
        if who is not None:
            known = who[0]
            words = tr(
                "- Population: {label}, {n:person|people}.",
                label=known.label,
                n=known.coverage.n_people_inside,
            )
            lines.append(words)
        why = why_not_needed(project)
        return "\n\n".join(filter(None, [why, "\n".join(lines)]))

    def leave(self) -> None:
        """Take over the justification and name that are still being typed."""
        self.thresholds.leave()
        self._on_name_set(self.signature.field.text().strip())

    # -- deciding ------------------------------------------------------------------

    def _decide(self, op: ops.Op, label: str) -> None:
        if self.apply(op, label):
            self.refresh(self.parts)

    def _on_recipient_chosen(self, kind: Any) -> None:
        self._decide(take_over(kind), tr("set recipient"))

    def _on_models_edited(self, models: tuple[PrivacyModel, ...]) -> None:
        op = ops.change_privacy(models=models)
        self._decide(op, tr("change thresholds"))

    def _on_reason_edited(self, text: str) -> None:
        if text != self.session.project.privacy.threshold.justification:
            op = ops.change_threshold(justification=text)
            self.apply(op, tr("justify thresholds"))

    def _on_limit_set(self, limit: float) -> None:
        op = ops.change_privacy(suppression_limit=limit)
        self._decide(op, tr("set suppression limit"))

    def _on_population_set(self, population: PopulationChoice) -> None:
        op = ops.change_privacy(population=population)
        self._decide(op, tr("set population"))

    def _on_step_wanted(self, place: str) -> None:
        """Go where a threshold is fixed: another step, or a part of this one."""
        step, _, part = place.partition("/")
        if step == self.key:
            self.show_place(part)
        else:
            self.step_wanted.emit(place)

    def _on_prices_wanted(self) -> None:
        self.step_wanted.emit(PRICES)

    def _on_population_kind_set(self, kind: str) -> None:
        """Read the chosen file as the other kind; else show what is to be chosen."""
        choice = self.watch.choice_as(kind) if kind in FILES else None
        if choice is not None:
            self._on_population_set(choice)
        else:
            self._show_population()

    def _on_population_wanted(self, kind: str) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            tr("Choose the population's file"),
            self.settings.folder_for("population"),
            tr("Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz);;All files (*)"),
        )
        if chosen:
            self.settings.remember_folder("population", Path(chosen))
            self.watch.open(Path(chosen), kind)

    # -- what values stand for -----------------------------------------------------

    def _on_match_confirmed(self, name: str) -> None:
        self.watch.confirm(name, people.confirm_match)

    def _on_partners_set(self, name: str, text: str, partners: tuple[str, ...]) -> None:
        self.watch.confirm(
            name, partial(people.set_partners, partners={text: partners})
        )

    def _on_confirmed(self, confirmation: Confirmation, name: str) -> None:
        """Keep what a person said about values as a file, and decide on it."""
        self.session.add_hierarchy_file(confirmation.name, confirmation.content)
        self._decide(
            confirmation.op,
            tr("say what values of {attribute} stand for", attribute=name),
        )

    def _on_target_set(self, name: str, target: str) -> None:
        label: Text = "look {attribute} up in the population"
        op = people.set_target(name, target or None)
        self._decide(op, tr(label, attribute=name))

    def _on_lacking_set(self, name: str, choice: Any) -> None:
        self._decide(
            people.set_lacking(name, choice),
            tr("decide on {attribute}, which the population lacks", attribute=name),
        )

    def _on_accepted_set(self, name: str, is_accepted: bool) -> None:
        match = self.watch.match(name)
        if match is not None:
            label: Text = "values of {attribute} that stand for nobody"
            op = people.accept_unmatched(match, is_accepted)
            self._decide(op, tr(label, attribute=name))

    def _on_proposal_wanted(self, name: str) -> None:
        self._decide(
            people.forget_match(name),
            tr("back to the proposal for {attribute}", attribute=name),
        )

    def _on_adds_rows_set(self, adds: bool) -> None:
        self._decide(people.set_adds_rows(adds), tr("add rows of counts up"))

    def _on_again_clicked(self) -> None:
        self.watch.look_again()
        self._show_population()

    def _on_missing_set(self, choice: str) -> None:
        op = ops.change_privacy(missing_matches=choice)
        self._decide(op, tr("set treatment of missing values"))

    def _on_measure_set(self, measure: QualityMeasure) -> None:
        self._decide(ops.set_quality_measure(measure), tr("set quality measure"))

    def _on_weight_set(self, name: str, weight: float) -> None:
        label = tr("set weight of {attribute}", attribute=name)
        self._decide(ops.change_attribute(name, weight=weight), label)

    def _on_level_set(self, name: str, level: int | None) -> None:
        label = tr("limit level of {attribute}", attribute=name)
        self._decide(ops.change_attribute(name, maximum_level=level), label)

    def _on_name_set(self, name: str) -> None:
        if name != self.session.project.privacy.threshold.set_by:
            self.apply(ops.change_threshold(set_by=name), tr("name who decided"))
