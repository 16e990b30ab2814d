"""The page Risk and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from deidgui.app import matching, ops
from deidgui.app.decides import Changes
from deidgui.app.demands import model_problem
from deidgui.app.determination.determination import (
    events_problem,
    judged_risks,
    lacking,
    other_recipient_words,
)
from deidgui.app.determination.recipients import BY_KIND
from deidgui.app.determination.validity import validity_problem
from deidgui.app.entered import today
from deidgui.app.jobs import Job, Lane
from deidgui.app.matching import Confirmation
from deidgui.app.model_proposals import ModelProposal, propose_models, unprotected
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import EventsKnown, PopulationChoice
from deidgui.app.release.questions import answer_to
from deidgui.app.session import Kind, State
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.monitor import Monitor
from deidgui.qt.file_dialogs import ask_folder, ask_open
from deidgui.qt.pages.accepted import needs_no_thresholds, not_needed, why_not_needed
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.risk.context import BestPolicyRisks, ContextPart, context_summary
from deidgui.qt.pages.risk.events import EventsCard, EventsWatch
from deidgui.qt.pages.risk.importance import (
    ImportanceCard,
    MeasureCard,
    importance_words,
)
from deidgui.qt.pages.risk.limits import (
    CostCard,
    JustificationCard,
    ModelChecks,
    RecipientCard,
    SuppressionCard,
    Surroundings,
    ThresholdsCard,
    limits_words,
    reason_words,
)
from deidgui.qt.pages.risk.matching import PopulationWatch
from deidgui.qt.pages.risk.population import FILES, PopulationCard
from deidgui.qt.pages.risk.proposals import ProposalsDialog
from deidgui.qt.pages.risk.validity import (
    NOT_DECIDED,
    ValidityPart,
    validity_summary,
)
from deidgui.qt.settings import Settings
from deidgui.qt.tab_order import go_to, stops
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Caption,
    ClickableFrame,
    Columns,
    ElidedLabel,
    GlyphLabel,
    column,
    holder,
    mark,
    row,
    scrolling,
    show_if,
)
from deidgui.text import Text, per_cent, share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


LIMITS, POPULATION, IMPORTANCE, REASON = "limits", "population", "importance", "reason"
CONTEXT, VALIDITY = "context", "validity"
"""The parts of the page. The limits stand first; the last two take its whole width."""

WIDE, HIGH = 1280, 860
"""Pixels, for letters × 1, from which the limits have the other parts beside them."""

WIDEST = 1500
"""The same of the width, whatever the height."""

SUMMARIES_WIDTH = 208

SUMMARIES_ABOVE = 3
"""Summaries beside one another where they are above the parts."""

GAP = 12
"""Pixels between the parts."""

NARROW = 640
"""Pixels of the page below which the summaries are above each of its parts."""


class PartSummary(ClickableFrame):
    """Title of a part, and what is decided in it; a click shows the part."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._title, self._words = ElidedLabel(title, "strong"), Caption()
        policy = self._words.sizePolicy()
        # A name that is longer than a line must not push the border out of sight.
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self._words.setSizePolicy(policy)
        self._glyph = GlyphLabel("warning", "warning")
        head = row(self._title, self._glyph)
        head.setStretch(0, 1)
        box = column(head, self._words, spacing=4)
        box.setContentsMargins(12, 10, 12, 10)
        self.setLayout(box)

    @property
    def words(self) -> str:
        """What is decided."""
        return self._words.text()

    def show_summary(self, words: str, is_open: bool = False, why: str = "") -> None:
        """Say what is decided, whether something of it is open, and briefly why."""
        self._words.setText(words)
        said = f"{words}. {why}" if why else words
        self.setToolTip(said)
        show_if(self._glyph, is_open)
        self.setAccessibleName(f"{self._title.text()}: {said}")

    def set_brief(self, is_brief: bool) -> None:
        """Show the title alone; what is decided is its tooltip."""
        show_if(self._words, not is_brief)

    def set_shown(self, is_shown: bool) -> None:
        """Mark the part that is shown."""
        mark(self, state="selected" if is_shown else "")


def _insert(box: QHBoxLayout, place: int, share: int, part: QWidget) -> None:
    box.insertWidget(place, part, share)


AT_REST_MS = 50
"""Until layouts that follow the width of a part have come to rest."""


class RiskPage(Page):
    """The limits of a release, and beside them population, importance and reason.

    Where the window is narrow, one part is shown at a time; where it is wide, the
    others stand beside the limits. What is decided in each is in view, and a click away
    where there is room for it.
    """

    key = "risk"
    parts = (
        Changes.PRIVACY
        | Changes.QUALITY
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.DATA
        | Changes.RESULT
    )
    scrolls = False
    first = (
        RecipientCard,
        ThresholdsCard,
        EventsCard,
        PopulationCard,
        ContextPart,
        ValidityPart,
    )

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self.set_header(tr("Risk and thresholds"))
        self.recipients = self.part(RecipientCard)
        self.thresholds = self.part(ThresholdsCard)
        self.suppression = SuppressionCard()
        self.cost = CostCard()
        self.events = self.part(EventsCard)
        self.events_watch = EventsWatch(workspace, self)
        self.population = self.part(PopulationCard)
        self.population.set_cards(matching.cards())
        self.measure = MeasureCard()
        self.importance = ImportanceCard()
        self.justification = JustificationCard()
        self.context = self.part(ContextPart)
        self.validity = self.part(ValidityPart)
        for part in (self.context, self.validity):
            part.by.follow(self.session)
        self.checks = ModelChecks(workspace, self)
        self.watch = PopulationWatch(workspace, self)
        self._part = LIMITS
        self._build_parts()
        self._arrange()
        self._connect()

    def _build_parts(self) -> None:
        first = holder(column(self.thresholds, None))
        second = holder(column(self.suppression, self.cost, None, spacing=12))
        both = Columns([(first, 4), (second, 3)], 620, 12)
        limits = holder(column(self.recipients, self.events, both, None, spacing=12))
        # A column would ask for its height at a width that it never has.
        widest = holder(row(self.importance))
        importance = holder(column(self.measure, widest, spacing=12))
        self._sections = {
            POPULATION: self.population,
            IMPORTANCE: importance,
            REASON: self.justification,
        }
        others = column(*self._sections.values(), None, spacing=12)
        self._limits, self._others = scrolling(limits), scrolling(holder(others))
        titles = {
            LIMITS: tr("Limits"),
            CONTEXT: tr("Context"),
            VALIDITY: tr("Validity"),
            POPULATION: tr("Population"),
            IMPORTANCE: tr("Importance"),
            REASON: tr("Justification"),
        }
        self.summaries = {key: PartSummary(title) for key, title in titles.items()}
        for key, summary in self.summaries.items():
            summary.clicked.connect(partial(self.show_part_of, key))
        self._list = QGridLayout()
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(6)
        self._list.setRowStretch(len(titles), 1)
        self._side = scrolling(holder(self._list))
        self._arrange_summaries(are_above=False)
        self._whole: dict[str, ContextPart | ValidityPart] = {
            CONTEXT: self.context,
            VALIDITY: self.validity,
        }
        box = row((self._limits, 5), spacing=GAP)
        for place, part in enumerate((self._others, *self._whole.values()), start=1):
            share = 6 if part is self._others else 11
            self.place_later(part, partial(_insert, box, place, share))
        # The summaries are above the parts where both have no room.
        parts = [(holder(box), 1), (self._side, 0)]
        self._both = Columns(parts, NARROW, GAP, last_on_top=True)
        self._both.arranged.connect(self._arrange_summaries)
        self.body.addWidget(self._both)

    def _arrange_summaries(self, are_above: bool) -> None:
        """Put the summaries below one another, or their titles side by side."""
        n = SUMMARIES_ABOVE if are_above else 1
        for place, summary in enumerate(self.summaries.values()):
            self._list.addWidget(summary, *divmod(place, n))
            summary.set_brief(are_above)
        for place in range(SUMMARIES_ABOVE):
            self._list.setColumnStretch(place, int(place < n))
        most = self.maximumWidth() if are_above else self._side.minimumWidth()
        self._side.setMaximumWidth(most)

    def _connect(self) -> None:
        self.recipients.chosen.connect(self._on_recipient_chosen)
        self.recipients.context_wanted.connect(partial(self.show_part_of, CONTEXT))
        for whole in self._whole.values():
            whole.decided.connect(self._decide)
        self.context.alone.toggled.connect(self._arrange)
        self.validity.drafted.connect(self._on_drafted)
        theme().changed.connect(self._on_look_changed)
        self.validity.earlier_wanted.connect(self._on_earlier_wanted)
        self.thresholds.models_edited.connect(self._on_models_edited)
        self.thresholds.proposals_wanted.connect(self._on_proposals_wanted)
        self.suppression.limit_set.connect(self._on_limit_set)
        self.events.decided.connect(self._on_events_decided)
        self.events_watch.changed.connect(self._show_events)
        self.cost.trade_offs_wanted.connect(self._on_trade_offs_wanted)
        self.thresholds.step_wanted.connect(self.go_to_place)
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
        self.measure.keeping_set.connect(self._on_keeping_set)
        self.importance.weight_set.connect(self._on_weight_set)
        self.importance.level_set.connect(self._on_level_set)
        self.importance.confirmed.connect(self._on_importance_confirmed)
        self.importance.cost_wanted.connect(self._on_cost_wanted)
        self.justification.reason_edited.connect(self._on_reason_edited)
        self.justification.name_set.connect(self._on_name_set)

    def _connect_mapping(self) -> None:
        mapping, watch = self.population.mapping, self.watch
        watch.matched.connect(mapping.set_fraction)
        watch.confirmed.connect(self._on_confirmed)
        mapping.cancel_clicked.connect(watch.stop)
        mapping.confirmed.connect(self._on_match_confirmed)
        mapping.partners_set.connect(self._on_partners_set)
        mapping.target_set.connect(self._on_target_set)
        mapping.lacking_set.connect(self._on_lacking_set)
        mapping.all_lacking_set.connect(self._on_all_lacking_set)
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
        recipient = privacy.threshold.recipient
        self.recipients.show_chosen(recipient, are_decided=bool(privacy.models))
        self.checks.look()
        self._show_thresholds()
        self.events_watch.look()
        self._show_events()
        limit, by_key = privacy.suppression_limit, project.key is not None
        self.suppression.show_limit(limit, self._n_records, by_key)
        is_stale = self.session.state(LATTICE) is State.STALE
        self.cost.show_found(self.session.result(LATTICE), is_stale)
        self.watch.look()
        self._show_population()
        self.measure.show_quality(project.quality)
        self.importance.show_project(
            project,
            classes.hierarchies if classes else {},
            self.session.current(LATTICE),
            is_measuring=self.workspace.is_running(Lane.IMPORTANCE),
        )
        self.justification.show_threshold(privacy.threshold)
        self.context.show_project(project, self._best_risk())
        self.validity.show_project(project)
        self._show_summaries()

    def _best_risk(self) -> BestPolicyRisks | None:
        """Risks of the best policy of the last search."""
        found = self.session.result(LATTICE)
        if found is None or found.optimum is None:
            return None
        is_stale = self.session.state(LATTICE) is State.STALE
        best = found.optimum
        return BestPolicyRisks(
            average=float(found.average_risk[best]),
            highest=float(found.highest_risk[best]),
            is_stale=is_stale,
            highest_is_exact=bool(found.highest_is_exact[best]),
        )

    def _show_events(self) -> None:
        project = self.session.project
        self.events.show_project(project, self.events_watch.varying())
        self.events.show_events(self.events_watch.events)

    @property
    def _n_records(self) -> int:
        """Whom limits are about: people, where rows belong to them; 0 if unknown."""
        loaded = self.session.loaded
        if self.session.project.key is None or loaded is None:
            return loaded.table.n_rows if loaded else 0
        classes = self.session.current(Kind.CLASSES)
        return classes.class_table.n_records if classes else 0

    def show_part_of(self, key: str) -> None:
        """Show one part: alone, or among the others where there is room."""
        self._part = key
        self._arrange()
        if key == CONTEXT:
            self.context.show_tab(self.context.tabs.current)
        parts = {LIMITS: self.recipients, **self._sections, **self._whole}
        self._scroll_to(parts[key])

    def show_place(self, part: str) -> None:
        """Show the population, an attribute of it, a limit, or what is known."""
        name, _, attribute = part.partition("/")
        if name == "events":
            self.show_part_of(LIMITS)
            self._scroll_to(self.events)
            return
        if name in self._whole:
            self.show_part_of(name)
            return
        if name == "limit":
            self.show_part_of(LIMITS)
            self.suppression.control.setFocus()
            self._scroll_to(self.suppression)
            return
        self.show_part_of(POPULATION)
        if attribute:
            shown = self.population.mapping.show_attribute(attribute)
            shown.setFocus()
            self._scroll_to(shown)
        else:
            self.population.kind.setFocus()

    def _scroll_to(self, part: QWidget) -> None:
        """Show a part from its top, once it has its place; what is above may follow."""
        for soon in (0, AT_REST_MS):
            QTimer.singleShot(soon, part, partial(self.show_part, part))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        self._arrange()
        super().showEvent(event)

    def _on_look_changed(self) -> None:
        # A page that is given up loses its parts before it goes itself.
        if self.isVisible():
            self._arrange()

    def _arrange(self) -> None:
        """Show all parts where there is room, else the one that is wanted."""
        now = self.window().focusWidget()
        is_here = now is not None and now.isVisible() and self.isAncestorOf(now)
        size, scale = self.size(), max(1.0, theme().text_scale)
        wanted = min(round(SUMMARIES_WIDTH * scale), size.width() // 5)
        least = max(SUMMARIES_WIDTH, wanted)
        self._side.setMinimumWidth(least)
        if not self._both.is_stacked:
            self._side.setMaximumWidth(least)
        is_high = size.width() >= WIDE * scale and size.height() >= HIGH
        has_room = is_high or size.width() >= WIDEST * scale
        # Where all parts are shown, what is decided in each is seen in itself.
        is_whole = self._part in self._whole
        has_side = size.width() >= self._needed_width()
        is_alone = self._part == CONTEXT and self.context.is_alone
        has_side = (is_whole or not has_room or has_side) and not is_alone
        show_if(self._side, has_side)
        for key, whole in self._whole.items():
            show_if(whole, key == self._part)
        has_room = has_room and not is_whole
        show_if(self._limits, has_room or self._part == LIMITS)
        show_if(self._others, has_room or self._part in self._sections)
        for key, section in self._sections.items():
            show_if(section, has_room or key == self._part)
        show_if(self.summaries[LIMITS], not has_room)
        for key, summary in self.summaries.items():
            summary.set_shown(key == self._part and not has_room)
        if is_here and now is not None and not now.isVisible():
            self._focus_part()

    def _focus_part(self) -> None:
        """Take the keyboard to the part that is shown, from one that is gone."""
        parts = {LIMITS: self._limits, CONTEXT: self.context.tabs, **self._sections}
        first = next(stops(parts.get(self._part, self.validity)), None)
        if first is not None:
            go_to(first, forward=True)

    def _needed_width(self) -> int:
        """Pixels below which the summaries would cover the parts."""
        parts = sum(each.minimumWidth() for each in (self._limits, self._others))
        left, _top, right, _bottom = self.margins
        return left + parts + self._side.minimumWidth() + 2 * GAP + right

    def _show_summaries(self) -> None:
        project = self.session.project
        privacy, who = project.privacy, self.watch.who()
        words = limits_words(privacy, by_key=project.key is not None)
        has_none = not privacy.models and privacy.events is None
        problem = any(self.checks.problems()) or has_none
        is_open = problem or privacy.suppression_limit is None
        n_left = len(unprotected(project)) if privacy.models else 0
        why = tr(
            "{n:sensitive column lacks|sensitive columns lack} a threshold.", n=n_left
        )
        lacks = n_left > 0 and not self._is_explained()
        summary = self.summaries[LIMITS]
        summary.show_summary(words, is_open or lacks, why if lacks else "")
        asks_more = self._context_asks_more()
        differs = other_recipient_words(project)
        words = differs or context_summary(project)
        self.summaries[CONTEXT].show_summary(words, asks_more or bool(differs))
        self.summaries[VALIDITY].show_summary(*self._validity_words())
        words = self.population.summary(privacy, who[0] if who else None)
        self.summaries[POPULATION].show_summary(words, self.watch.needs_a_person)
        self.summaries[IMPORTANCE].show_summary(importance_words(project))
        self.summaries[REASON].show_summary(reason_words(privacy.threshold))

    def _context_asks_more(self) -> bool:
        project = self.session.project
        return bool(lacking(project)) or events_problem(project) is not None

    def _validity_words(self) -> tuple[str, bool]:
        """Say until when the determination holds, and whether a person must decide."""
        if self.validity.is_draft:
            return tr(NOT_DECIDED), True
        return validity_summary(self.session.project)

    def _show_thresholds(self) -> None:
        project = self.session.project
        privacy = project.privacy
        around = Surroundings(
            tuple(each.name for each in project.with_role("sensitive")),
            project.fraction,
            self.checks.problems(),
            has_events=privacy.events is not None,
            unprotected=tuple(each.name for each in unprotected(project)),
            is_explained=self._is_explained(),
            allowed=judged_risks(project),
        )
        self.thresholds.show_models(privacy.models, around)
        n_at_risk, by_key = self.checks.n_at_risk(), project.key is not None
        self.cost.show_at_risk(n_at_risk, self._n_records, by_key)

    def _show_population(self) -> None:
        privacy = self.session.project.privacy
        self.population.show_privacy(privacy, self.watch.state())
        self.population.show_population(self.watch.mapping(), self.watch.who())

    def _on_watched(self) -> None:
        self._show_population()
        self._show_summaries()
        self.status_changed.emit()
        self.help_changed.emit()

    def _on_checked(self) -> None:
        self._show_thresholds()
        self._show_summaries()
        self.status_changed.emit()

    def _on_drafted(self) -> None:
        self._show_summaries()
        self.status_changed.emit()

    def status(self) -> PageStatus:
        """Say what is decided and what is missing."""
        privacy = self.session.project.privacy
        if not self.session.project.attributes:
            return NOT_YET
        if privacy.events is not None and not any(self.checks.problems()):
            words = tr(
                "at most {share} at risk", share=share_text(privacy.events.limit)
            )
            return self._still_open() or PageStatus(StepState.DONE, words)
        is_undecided = not privacy.models or privacy.suppression_limit is None
        if is_undecided and needs_no_thresholds(self.session.project):
            return self._still_open() or not_needed()
        if not privacy.models:
            return PageStatus(
                StepState.ATTENTION,
                tr("nothing decided"),
                tr("Choose the recipient."),
            )
        if privacy.suppression_limit is None:
            return PageStatus(
                StepState.ATTENTION,
                tr("limit undecided"),
                tr("Set the suppression limit."),
            )
        if any(self.checks.problems()):
            return PageStatus(
                StepState.ATTENTION,
                tr("a threshold to fix"),
                tr("Fix the threshold marked in red."),
            )
        if (is_open := self._still_open()) is not None:
            return is_open
        if (n_left := len(unprotected(self.session.project))) > 0:
            # They are asked about before the release; Next is not blocked.
            if self._is_explained():
                words = tr("{n:column|columns} with a reason", n=n_left)
                return PageStatus(StepState.READY, words)
            words = tr("{n:lacks|lack} a threshold", n=n_left)
            return PageStatus(StepState.ATTENTION, words)
        recipient = privacy.threshold.recipient
        title = BY_KIND[recipient].title if recipient else tr("own thresholds")
        return PageStatus(StepState.DONE, title)

    def _is_explained(self) -> bool:
        """Whether nothing is to be said any more of columns without a threshold.

        PRIVACY: before the table to be released is checked nobody knows that.
        """
        project, asked = self.session.project, self.session.current(Kind.QUESTIONS)
        of_values = [each for each in asked or () if each.kind == "disclosed"]
        answers = [answer_to(project, each) for each in of_values]
        return asked is not None and None not in answers

    def _still_open(self) -> PageStatus | None:
        """Say what a person must look at beside the limits; None if nothing."""
        if validity_problem(self.session.project) is not None:
            return PageStatus(StepState.ATTENTION, tr("export is stopped"))
        if self.watch.needs_a_person:
            return PageStatus(
                StepState.ATTENTION,
                tr("population to match"),
                tr("Match your values with the population."),
            )
        # Warnings of the page that stop nobody from going on.
        if self._context_asks_more():
            return PageStatus(StepState.ATTENTION, tr("context asks for more"))
        if words := other_recipient_words(self.session.project):
            return PageStatus(StepState.ATTENTION, tr("recipients differ"), words)
        if self._validity_words()[1]:
            return PageStatus(StepState.ATTENTION, tr("validity not decided"))
        return None

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
                "- At most {share} of the people are suppressed."
                if project.key is not None
                else "- At most {share} of the records are suppressed.",
                share=per_cent(privacy.suppression_limit, 6),
            )
            lines.append(words)
        who = self.watch.who()
        if who is not None:
            known = who[0]
            words = tr(
                "- Population: {label}, size {n}.",
                label=known.label,
                n=known.coverage.n_population_inside,
            )
            lines.append(words)
        why = why_not_needed(project)
        return "\n\n".join(filter(None, [why, "\n".join(lines)]))

    def leave(self) -> None:
        """Take over the justification and name that are still being typed."""
        self.justification.leave()

    # -- deciding ------------------------------------------------------------------

    def _decide(self, op: ops.Op, label: str) -> None:
        if self.apply(op, label):
            self.refresh(self.parts)

    def _on_recipient_chosen(self, kind: Any) -> None:
        self._decide(ops.take_over(kind), tr("set recipient"))

    def _on_models_edited(self, models: tuple[PrivacyModel, ...]) -> None:
        op = ops.change_privacy(models=models)
        self._decide(op, tr("change thresholds"))

    def _on_proposals_wanted(self) -> None:
        """Look at the values of sensitive columns without a threshold."""
        loaded, project = self.session.loaded, self.session.project
        if loaded is None:
            return

        def work(monitor: Monitor) -> tuple[ModelProposal, ...]:
            return propose_models(project, loaded.table, monitor=monitor)

        def done(proposals: tuple[ModelProposal, ...]) -> None:
            if project is self.session.project:
                self._show_proposals(proposals)

        def failed(error: BaseException) -> None:
            self.workspace.problem(error, Lane.MODEL_PROPOSALS)

        self.workspace.runner.start(Lane.MODEL_PROPOSALS, work, Job(done, failed))

    def _show_proposals(self, proposals: tuple[ModelProposal, ...]) -> None:
        dialog = ProposalsDialog(proposals, self)
        dialog.accepted.connect(self._on_proposals_accepted)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _on_proposals_accepted(self) -> None:
        dialog = self.sender()
        assert isinstance(dialog, ProposalsDialog)
        models = (*self.session.project.privacy.models, *dialog.chosen)
        words = tr("add {n:threshold|thresholds}", n=len(dialog.chosen))
        self._decide(ops.change_privacy(models=models), words)

    def _on_earlier_wanted(self, is_one: bool, by: str) -> None:
        folder = None
        if is_one:
            title = tr("Choose the folder of the earlier release")
            folder = ask_folder(self, "verify", title)
            if folder is None:
                return
        self.workspace.choose_earlier(folder, by)

    def _on_events_decided(self, events: EventsKnown | None) -> None:
        self._decide(ops.set_events(events), tr("decide what is known of events"))

    def _on_reason_edited(self, text: str) -> None:
        if text != self.session.project.privacy.threshold.justification:
            day = today().isoformat()
            op = ops.change_threshold(justification=text, set_on=day)
            self.apply(op, tr("justify thresholds"))
            self._show_summaries()

    def _on_limit_set(self, limit: float) -> None:
        op = ops.change_privacy(suppression_limit=limit)
        self._decide(op, tr("set suppression limit"))

    def _on_population_set(self, population: PopulationChoice) -> None:
        op = ops.change_privacy(population=population)
        self._decide(op, tr("set population"))

    def _on_trade_offs_wanted(self) -> None:
        self.step_wanted.emit("policies/trade_offs")

    def _on_population_kind_set(self, kind: str) -> None:
        """Read the chosen file as the other kind; else show what is to be chosen."""
        choice = self.watch.choice_as(kind) if kind in FILES else None
        if choice is not None:
            self._on_population_set(choice)
        else:
            self._show_population()

    def _on_population_wanted(self, kind: str) -> None:
        chosen = ask_open(
            self,
            "population",
            tr("Choose the population's file"),
            tr("Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz);;All files (*)"),
        )
        if chosen is not None:
            self.watch.open(chosen, kind)

    # -- what values stand for -----------------------------------------------------

    def _on_match_confirmed(self, name: str) -> None:
        self.watch.confirm(name, matching.confirm_match)

    def _on_partners_set(self, name: str, text: str, partners: tuple[str, ...]) -> None:
        self.watch.confirm(
            name, partial(matching.set_partners, partners={text: partners})
        )

    def _on_confirmed(self, confirmation: Confirmation, name: str) -> None:
        """Keep what a person said about values as a file, and decide on it."""
        self.session.add_hierarchy_file(confirmation.name, confirmation.content)
        self._decide(confirmation.op, tr("match values of {attribute}", attribute=name))

    def _on_target_set(self, name: str, target: str) -> None:
        label: Text = "match {attribute} with a population column"
        op = matching.set_target(name, target or None)
        self._decide(op, tr(label, attribute=name))

    def _on_lacking_set(self, name: str, choice: Any) -> None:
        self._decide(
            matching.set_lacking(name, choice),
            tr("handle {attribute}, not in the population", attribute=name),
        )

    def _on_all_lacking_set(self, names: Sequence[str], choice: Any) -> None:
        self._decide(
            matching.set_all_lacking(names, choice),
            tr("handle {n:column|columns} not in the population", n=len(names)),
        )

    def _on_accepted_set(self, name: str, is_accepted: bool) -> None:
        match = self.watch.match(name)
        if match is not None:
            label: Text = "accept unmatched values of {attribute}"
            op = matching.accept_unmatched(match, is_accepted)
            self._decide(op, tr(label, attribute=name))

    def _on_proposal_wanted(self, name: str) -> None:
        self._decide(
            matching.forget_match(name),
            tr("restore the proposal for {attribute}", attribute=name),
        )

    def _on_adds_rows_set(self, adds: bool) -> None:
        self._decide(matching.set_adds_rows(adds), tr("add up rows of counts"))

    def _on_again_clicked(self) -> None:
        self.watch.look_again()
        self._show_population()

    def _on_missing_set(self, choice: str) -> None:
        op = ops.change_privacy(missing_matches=choice)
        self._decide(op, tr("set treatment of missing values"))

    def _on_measure_set(self, measure: QualityMeasure) -> None:
        self._decide(ops.set_quality_measure(measure), tr("set quality measure"))

    def _on_keeping_set(self, is_kept: bool) -> None:
        self._decide(ops.set_keep_something(is_kept), tr("set what shall be kept"))

    def _on_weight_set(self, name: str, weight: float) -> None:
        label = tr("set importance of {attribute}", attribute=name)
        self._decide(ops.set_weight(name, weight), label)

    def _on_importance_confirmed(self) -> None:
        self._decide(ops.confirm_importance(), tr("confirm importance"))

    def _on_cost_wanted(self) -> None:
        self.workspace.policies.measure_cost()
        self.refresh(Changes.RESULT)

    def _on_level_set(self, name: str, level: int | None) -> None:
        label = tr("limit level of {attribute}", attribute=name)
        self._decide(ops.change_attribute(name, maximum_level=level), label)

    def _on_name_set(self, name: str) -> None:
        if name != self.session.project.privacy.threshold.set_by:
            op = ops.change_threshold(set_by=name, set_on=today().isoformat())
            self.apply(op, tr("name who decided"))
            self._show_summaries()
