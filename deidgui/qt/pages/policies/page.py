"""The page on which policies are looked for, compared, and one of them is chosen."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.charts.plane import Flag
from deidgui.app.decides import Changes
from deidgui.app.jobs import Lane
from deidgui.app.policies.acceptance import fits, has_alternative
from deidgui.app.policies.alternatives.policies import AlternativePolicies, order
from deidgui.app.policies.blocks.policies import BlockPolicies
from deidgui.app.policies.candidate import Measures, n_whole
from deidgui.app.policies.decisions import weights_of
from deidgui.app.policies.lattice import what_if
from deidgui.app.policies.lattice.keeping import cost_words, kept_words
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.trade_offs import TradeOffs
from deidgui.app.policies.lattice.what_if import MOST_KEPT
from deidgui.app.policies.longitudinal.policies import LongitudinalPolicies
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.runner import (
    ALTERNATIVES,
    BLOCKS,
    LATTICE,
    LONGITUDINAL,
    PAGE,
    PERSON,
)
from deidgui.app.policies.source import KINDS
from deidgui.app.project import Chosen
from deidgui.app.release.overruling import (
    Overruled,
    limit_condition,
    unmet_models,
)
from deidgui.app.session import Kind, State
from deidgui.engine.arrays import FloatArray
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.models.figures import (
    Figure,
    Flags,
    at_risk_text,
    flags_of,
    is_picked,
    policy_figures,
    total_words,
)
from deidgui.qt.models.proof import proof_of, shown_words
from deidgui.qt.pages.accepted import goes_by_risk, why_not_needed
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState, at_once
from deidgui.qt.pages.policies.beside import (
    Comparing,
    fitting_preferences,
    preferences_of,
)
from deidgui.qt.pages.policies.live import LiveCard
from deidgui.qt.pages.policies.longitudinal import found_text, miss_text
from deidgui.qt.pages.policies.looking import LookPanel, Way
from deidgui.qt.pages.policies.questions import Questions
from deidgui.qt.pages.policies.results import Results
from deidgui.qt.pages.policies.steering import (
    LANES,
    SteeringControl,
    first_problem,
    show_why_not,
)
from deidgui.qt.pages.policies.thresholds import WantedLimits
from deidgui.qt.pages.policies.words import (
    alternative_figures,
    found_words,
    help_text,
    risk_sentence,
    rule_name,
    rule_row,
)
from deidgui.qt.settings import Settings
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Callout,
    Columns,
    ElidedLabel,
    EmptyState,
    InTurns,
    ProgressCard,
    Segmented,
    ShownStack,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.qt.widgets.cards import Status
from deidgui.text import tr, unit_words

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

PROOF_WIDTH = 120
"""Pixels for "Proven best" in the heading, with the gaps beside it."""

SOON_MS = 120
"""What is found while a search runs is shown so often at most."""

REST = 6
"""The window rests so many times as long as showing it took."""

ROOM_FROM = 1180
"""Width of the page from which the panel stays open beside the policies."""


class _HeadLine(Columns):
    """Name of the page, tabs, what is proven and a button: in one line, or in two.

    Which of them depends on the sizes of now alone, whenever they change.
    """

    def __init__(
        self, name: QWidget, tabs: Segmented, proof: QWidget, again: QWidget
    ) -> None:
        tools = row(tabs, (proof, 1), again, spacing=12)
        self._name, self._tabs, self._again = name, tabs, again
        super().__init__([(name, 0), (holder(tools), 1)], 0, 12)

    def _arrange(self) -> None:
        tabs = self._tabs.sizeHint()
        # The heading stays where it is, with tabs and without.
        self._name.setMinimumHeight(tabs.height())
        wide = self._name.sizeHint().width() + tabs.width() + PROOF_WIDTH
        self._stack_below = wide + self._again.sizeHint().width()
        super()._arrange()


class PoliciesPage(Page):
    """How to look at the left, what was found beside it, and the choice."""

    key = "policies"
    shown_lanes = tuple(LANES.values())
    scrolls = False
    margins = (16, 10, 16, 10)
    first = (LookPanel, Results)
    parts = (
        Changes.DISCOVER
        | Changes.RESULT
        | Changes.CHOICE
        | Changes.PRIVACY
        | Changes.QUALITY
        | Changes.SEARCH
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.DATA
    )

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self._title.setText(tr("Policies"))
        self.policies = PolicySet()
        self._wanted = self.policies
        self._flags: Flags = {}
        self._trade_offs: TradeOffs | None = None
        self._asked: WantedLimits | None = None
        self._was_opened = self._wants_steps = False
        self._begins_what_if: tuple[LatticePolicies, bool] | None = None
        self._measures_of: tuple[PolicySet, int | None] = (self.policies, None)
        self._questions = Questions(workspace, self._on_failed)
        self._comparison = Comparing(workspace, self._show_compare, self._on_failed)
        self.look = self.part(LookPanel)
        self.look.toggled.connect(self._on_look_toggled)
        self.results = self.part(Results)
        self.steering = SteeringControl(
            self, self.look, self._questions, self._begin, self._come_back
        )
        self.empty = EmptyState("target", "")
        self.empty.acted.connect(self._on_empty_acted)
        self._empty_place = "start"
        self.waiting = EmptyState("target", "")
        self.waiting.acted.connect(self.steering.start)
        self.banner = Callout()
        self.banner.acted.connect(self._on_banner_acted)
        self.proof = ElidedLabel("", "caption", "muted")
        self.progress = ProgressCard()
        self.live = LiveCard()
        self._turns = InTurns(self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._show_so_far)
        self._ended = QTimer(self)
        self._ended.setSingleShot(True)
        self._ended.setInterval(0)
        self._ended.timeout.connect(self._show_ended)
        self._build()
        self._connect()

    def _build(self) -> None:
        look = self.look
        name = holder(row(look.open_button, self._title, None, spacing=12))
        tools = (self.results.tabs, self.proof, look.again_button)
        self._head_line = _HeadLine(name, *tools)
        found = QWidget()
        self._found_stack = ShownStack(found)
        for part in (self.waiting, scrolling(self.live)):
            self._found_stack.addWidget(part)
        self.place_later(self.results, self._found_stack.addWidget)
        right = QVBoxLayout()
        right.setSpacing(8)
        for line in (self.banner, self.progress):
            right.addWidget(line)
            show_if(line, False)
        right.addWidget(found, 1)
        self._content = QWidget()
        content = row((right, 1), spacing=12)
        self._content.setLayout(content)
        self.place_later(self.look, partial(content.insertWidget, 0))
        self.body.setSpacing(8)
        self.body.addWidget(self._head_line)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self._content, 1)

    def _connect(self) -> None:
        results, workspace = self.results, self.workspace
        results.selected.connect(self._on_selected)
        results.tab_shown.connect(self._on_tab_shown)
        results.views.policy_activated.connect(self._choose)
        panel = results.panel
        panel.choose_wanted.connect(self._choose)
        panel.keep_wanted.connect(self._keep)
        panel.drop_wanted.connect(self._drop)
        panel.forget_wanted.connect(self._forget_choice)
        panel.measures_wanted.connect(self._measure)
        results.compare.choose_wanted.connect(self._choose_stored)
        results.compare.drop_wanted.connect(self._drop_stored)
        results.what_if.asked.connect(self._on_asked)
        results.what_if.take_over_wanted.connect(self._on_take_over)
        self.progress.pause_clicked.connect(self._on_pause_clicked)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        workspace.activity.connect(self._on_activity)
        workspace.policies.found.connect(self._on_found)
        workspace.problem.connect(self._on_problem)
        workspace.policies.baseline.changed.connect(self._on_basis_changed)

    # -- what there is -------------------------------------------------------------

    @property
    def found(self) -> LatticePolicies | None:
        """What was searched last under the thresholds, if that is shown."""
        found: LatticePolicies | None = self.session.result(LATTICE)
        return found if self.workspace.policies.shows(LATTICE) else None

    @property
    def discovered(self) -> AlternativePolicies | None:
        """The alternatives found last, or so far while they are looked for."""
        known = self.session.result(ALTERNATIVES)
        found: Any = self.workspace.policies.so_far.get(ALTERNATIVES, known)
        return cast("AlternativePolicies | None", found)

    @property
    def of_events(self) -> LongitudinalPolicies | None:
        """What the longitudinal search found under the decisions of now."""
        found: LongitudinalPolicies | None = self.session.current(LONGITUDINAL)
        return found

    @property
    def by_blocks(self) -> BlockPolicies | None:
        """What was found block by block under the decisions of now."""
        found: BlockPolicies | None = self.session.current(BLOCKS)
        return found

    @property
    def number(self) -> int | None:
        """The selected policy."""
        return self.results.number

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the decisions, what follows from them, and what was found."""
        at_once(self.refresh_in_pieces(changes))

    def refresh_in_pieces(self, changes: Changes) -> Iterator[None]:
        """Refresh, and yield between the ways to look and what was found."""
        if changes is Changes.EVERYTHING:
            self.steering.forget_way()
        problem = first_problem(self.session.project, self.session.loaded is not None)
        show_if(self.empty, problem is not None)
        show_if(self._content, problem is None)
        show_if(self.results.tabs, problem is None and bool(self.policies.parts))
        if problem is not None:
            self._empty_place = show_why_not(self.empty, problem)
            self.proof.setText("")
            return
        yield from self.steering.show_in_pieces()
        yield
        self._show_found()
        self._show_banner()
        self._show_running()

    def _show_found(self) -> None:
        """Show what all sources have found; prepares it if it is new."""
        policies = self.workspace.policies.policies
        if not policies.parts:
            self.policies = self._wanted = policies
            self.results.select(None)
            self._show_waiting()
            show_if(self.results.tabs, False)
        elif policies is not self._wanted:
            self._wanted = policies
            self._say(tr("Preparing the policies"))
            self._questions.prepare(policies, self._on_prepared)
        elif self.policies is policies:
            self._show_all()

    def _show_waiting(self) -> None:
        self._found_stack.setCurrentIndex(1 if self._is_live else 0)
        if self.steering.is_running:
            self.waiting.show_words(
                tr("No policy found so far"),
                tr("The first ones are shown here as soon as they are found."),
            )
            return
        # Beside the open panel its own button is the one that starts the search.
        can_start = self.look.run_button.isEnabled() and not self.look.is_open
        self.waiting.show_words(
            tr("No policies yet"),
            tr(
                "Decide at the left how to look, then find policies. They are compared "
                "here, and you choose one."
            ),
            self.look.run_button.text() if can_start else "",
        )

    def _on_prepared(self, policies: PolicySet) -> None:
        if policies is not self._wanted:
            return
        before = self._chosen_of(self.number)
        is_first = not self.policies.parts
        old, new = self.policies.part(LATTICE), policies.part(LATTICE)
        is_other = old is not new
        is_grown = old is not None and new is not None and new.is_same_answer(old)
        searched = (self.policies.part(each) for each in (LONGITUDINAL, BLOCKS))
        if any(each is not None and not each.proof.is_complete for each in searched):
            # What was the best one so far is not what somebody chose to look at.
            before = None
        self.policies = policies
        self._say("")
        self._say_released()
        if is_other:
            self._trade_offs = None
            found = self.found
            if found is not None:
                begins = self._begins_what_if
                is_grown &= begins is None or begins[1]
                self._begins_what_if = found, is_grown
                self._show_what_if()
                if found.optimum is None:
                    self.results.filters.set_feasible(False)
        number = policies.number_of(before)
        self.results.number = self._first_number() if number is None else number
        if is_first:
            # Until the panel shows one of these policies there is none to choose.
            self.results.panel.choose_button.setEnabled(False)
            self._make_room()
            self._turns.begin(self._show_all_in_pieces())
        else:
            self._show_all()
        if self.results.tabs.current == "trade_offs":
            self._show_trade_offs()

    def _chosen_of(self, number: int | None) -> Chosen | None:
        """How a policy of the set of now is stored."""
        if number is None or number >= len(self.policies):
            return None
        return self.policies.candidate(number).chosen

    def _first_number(self) -> int | None:
        """Policy that is selected first: chosen, best, nearest to meeting, or first."""
        policies, found = self.policies, self.found
        chosen = policies.number_of(self.session.project.chosen)
        nearest = None
        if found is not None and found.nearest is not None:
            nearest = policies.number_of(found.choice(found.nearest))
        first = int(policies.order()[0]) if len(policies) else None
        wanted = (chosen, policies.best, nearest, first)
        return next((each for each in wanted if each is not None), None)

    def _say(self, words: str) -> None:
        """Say in the head what is being computed; nothing says what is proven."""
        is_open = self._is_best_open()
        is_proven = not words and not is_open and self._is_proven()
        self.proof.brief = tr("Proven best") if is_proven else ""
        self.proof.setText(words or ("" if is_open else self._proof_words()))

    def _say_released(self) -> None:
        """Say beside the policy, and in the help, which one is released."""
        panel, words = self.results.panel, self._released_words()
        if words != panel.released.text():
            panel.show_released(words)
            self.help_changed.emit()

    def _show_all(self) -> None:
        at_once(self._show_all_in_pieces())

    def _show_all_in_pieces(self) -> Iterator[None]:
        """Fill the views, then the panel beside them."""
        project, policies = self.session.project, self.policies
        show_if(self.results.tabs, True)
        self._found_stack.setCurrentIndex(1 if self._is_live else 2)
        self._flags = flags_of(project, policies)
        self.results.show_policies(
            policies,
            self._flags,
            threshold=project.privacy.threshold.at_risk,
            measure=project.quality.measure,
            loss_words=total_words(project.quality.measure, weights_of(project)),
            scores=self._scores(),
        )
        self.results.select(self.number)
        if self._wants_steps and BLOCKS in self.policies.kinds:
            self._wants_steps = False
            self.results.show_tab("steps")
        yield
        if self.policies is not policies:
            return
        self._show_detail()
        self._show_compare()

    def _make_room(self) -> None:
        """Collapse the panel for the first policies where the page is narrow."""
        if not self._was_opened and self.width() < ROOM_FROM * theme().text_scale:
            self.look.set_open(False)
        self._share_room()

    def _on_look_toggled(self, is_open: bool) -> None:
        self._was_opened = is_open
        if not self.policies.parts:
            self._show_waiting()
        self._share_room()

    def _share_room(self) -> None:
        """Show the selected policy, except beside the panel where it is narrow."""
        is_crowded = self.look.is_open and self.width() < ROOM_FROM * theme().text_scale
        self.results.show_detail(self.number is not None and not is_crowded)

    # -- the selected policy -------------------------------------------------------

    def _show_detail(self) -> None:
        number, panel = self.number, self.results.panel
        self._share_room()
        if number is None:
            return
        candidate = self.policies.candidate(number)
        measure = self.session.project.quality.measure
        known = policy_figures(
            candidate.figures,
            candidate.n_records,
            measure,
            weights=weights_of(self.session.project),
            of_people=candidate.by_person,
            who=candidate.riskier,
        )
        panel.show_policy(
            candidate,
            self._flags.get(number, ()),
            (*known, *self._figures_of_alternative(number)),
            n_meeting=self.policies.n_meeting,
            reason=self._why_not(number),
            warning=self._unmet_words(number),
            keep_reason=self._why_not_keep(),
        )
        self._show_alternative(number)
        self._measure()

    def _figures_of_alternative(self, number: int) -> tuple[Figure, ...]:
        found = self.policies.part(ALTERNATIVES)
        row = int(self.policies.rows_in(ALTERNATIVES)[number])
        if row < 0 or not isinstance(found, AlternativePolicies):
            return ()
        return alternative_figures(found, row)

    def _scores(self) -> FloatArray | None:
        """How far each policy keeps what is preferred; None without a preference."""
        found, project = self.policies.part(ALTERNATIVES), self.session.project
        if not isinstance(found, AlternativePolicies):
            return None
        preferred = fitting_preferences(project, found)
        if not preferred:
            return None
        rows = self.policies.rows_in(ALTERNATIVES)
        scores = np.full(len(rows), np.nan)
        known = rows >= 0
        scores[known] = order(found, preferred).scores[rows[known]]
        return scores

    def _show_alternative(self, number: int) -> None:
        """Show what is known of the selected policy only if it is an alternative."""
        found, panel = self.policies.part(ALTERNATIVES), self.results.panel
        row = int(self.policies.rows_in(ALTERNATIVES)[number])
        if row < 0 or not isinstance(found, AlternativePolicies):
            is_best = number == self.policies.best and self._is_proven()
            panel.show_alternative(self._proof_words() if is_best else "", (), (), ())
            return
        rule, joined = rule_row(found.basis), found.table3_row(row)
        heads = [tr("This policy")]
        lines: list[tuple[str, ...]] = list(zip(found.attributes, joined, strict=True))
        if rule:
            heads.insert(0, rule_name(found.basis.discover.baseline))
            lines = list(zip(found.attributes, rule, joined, strict=True))
        panel.show_alternative(
            risk_sentence(found, row),
            heads,
            lines,
            preferences_of(self.session.project, found, row),
        )

    def _measure(self) -> None:
        """Compute what every measure says of the selected policy."""
        number, of = self.number, (self.policies, self.number)
        if of != self._measures_of:
            # Those of another policy are never seen beside this one.
            self.results.panel.show_measures()
        self._measures_of = of
        if number is not None and self.results.panel.wants_measures:
            done = partial(self._on_measured, of)
            self._questions.measure(self.policies, number, done)

    def _on_measured(
        self, of: tuple[PolicySet, int | None], measures: Measures
    ) -> None:
        if of == self._measures_of:
            weights = weights_of(self.session.project)
            unit = unit_words(self.policies.parts[0].by_person)
            self.results.panel.show_measures(measures.losses, weights, unit)

    def _why_not(self, number: int) -> str:
        """Why a policy cannot be chosen; empty if it can."""
        candidate = self.policies.candidate(number)
        states = {self.session.state(each) for each in candidate.sources}
        if State.CURRENT not in states:
            return tr("Bring the results up to date first.")
        # Which thresholds a policy does not meet is told, and they stop the release.
        is_joined = bool(candidate.chosen.bits)
        if is_joined and self.workspace.is_running(LANES["alternatives"]):
            return tr("Wait until the search is done, or stop it.")
        if n_whole(candidate.policy, candidate.figures) >= candidate.n_records:
            return tr("Cannot be chosen: nothing would be released.")
        return ""

    def _unmet_words(self, number: int) -> str:
        """What stops the release of a policy that suppresses too much, or empty."""
        candidate, found = self.policies.candidate(number), self.found
        n_suppressed = candidate.figures.n_suppressed or 0
        is_joined = bool(candidate.chosen.bits)
        if candidate.rank is None and candidate.chosen.kind == LONGITUDINAL:
            return tr(
                "Too many people would be at risk: {share}. If you choose it, the "
                "release is stopped until you overrule the limit on the page Export, "
                "with a reason.",
                share=at_risk_text(candidate.figures),
            )
        limit = found.result.limit_records if found is not None else None
        if limit is None and self.by_blocks is not None:
            limit = self.by_blocks.limit
        if candidate.rank is not None or is_joined or limit is None:
            return ""
        if n_suppressed <= limit and found is None:
            # Its figures are still measured.
            return ""
        return tr(
            "{suppressed:,} {unit} would be suppressed, at most {most:,} are allowed. "
            "If you choose it, the release is stopped until you overrule the limit on "
            "the page Export, with a reason.",
            unit=unit_words(candidate.by_person),
            suppressed=n_suppressed,
            most=limit,
        )

    def _why_not_keep(self) -> str:
        if len(self.session.project.kept) >= MOST_KEPT:
            return tr("You can compare at most four policies. Remove one first.")
        return ""

    # -- views that are made when they are seen ------------------------------------

    def show_tab(self, key: str) -> None:
        """Show one of the views."""
        self.results.show_tab(key)

    def show_place(self, part: str) -> None:
        """Show the view, or the part of the settings, that another page leads to."""
        if part == "plan":
            self.look.set_way("optimal")
            self.look.show_part(self.look.optimal.plan)
        elif part in ("baseline", "preferences"):
            self.look.set_way("alternatives")
            self.look.set_open(True)
        else:
            self.show_tab(part)

    def _show_what_if(self) -> None:
        """Begin with what was found last, when somebody looks."""
        if self.results.tabs.current == "what_if" and self._begins_what_if is not None:
            found, is_grown = self._begins_what_if
            self._begins_what_if = None
            self.results.what_if.show_decided(found, is_grown=is_grown)

    def _on_tab_shown(self, key: str) -> None:
        if key == "what_if":
            self._show_what_if()
        elif key == "compare":
            self._show_compare()
        elif key == "trade_offs":
            self._show_trade_offs()

    def _show_compare(self) -> None:
        if self.results.tabs.current == "compare" and self.policies.parts:
            shown = self._comparison.of(self.policies, self._flags, self.number)
            self.results.compare.show_sides(*shown)

    def _show_trade_offs(self) -> None:
        """Show what thresholds cost; computes it when it is first looked at."""
        found, pane = self.found, self.results.trade_offs
        if found is None:
            return
        if self._trade_offs is not None:
            pane.show_trade_offs(self._trade_offs, found)
            return
        pane.show_waiting(0.0, found)
        self._questions.trade_offs(found, self._on_trade_offs, self._on_trade_offs_step)

    def _on_trade_offs_step(self, fraction: float, _note: str) -> None:
        if self.found is not None:
            self.results.trade_offs.show_waiting(fraction, self.found)

    def _on_trade_offs(self, answer: TradeOffs) -> None:
        found = self.found
        if found is not None and found is self.policies.part(LATTICE):
            self._trade_offs = answer
            self.results.trade_offs.show_trade_offs(answer, found)

    # -- what if -------------------------------------------------------------------

    def _on_asked(self, asked: WantedLimits) -> None:
        found = self.found
        if found is None:
            return
        self._asked = asked
        pane = self.results.what_if

        def done(answer: LatticePolicies) -> None:
            if asked == self._asked and self.found is not None:
                pane.show_answer(answer, self.found)

        def fail(error: BaseException) -> None:
            if not isinstance(error, DeidError):
                raise error
            words = words_for(error)
            pane.show_problem(f"{words.what} {words.fix}".strip())

        pane.show_waiting()
        self._questions.ask(found, asked, done, fail)

    def _on_take_over(self, asked: WantedLimits) -> None:
        """Decide other thresholds; their results follow from the profile at once."""
        found = self.found
        op = ops.change_privacy(models=asked.models, suppression_limit=asked.limit)
        if found is None or not self.apply(op, tr("use thresholds")):
            return
        # The policies of earlier hierarchies or levels say nothing about these.
        if self._can_renew(found):
            self._renew(found)
        else:
            self.refresh(Changes.PRIVACY)

    def _can_renew(self, found: LatticePolicies) -> bool:
        classes = self.session.current(Kind.CLASSES)
        return what_if.can_renew(self.session.project, classes, found)

    def _renew(self, found: LatticePolicies) -> None:
        self._say(tr("Judging the policies anew"))
        self._questions.renew(found)

    # -- how it stands -------------------------------------------------------------

    def _stale(self) -> list[str]:
        """Sources whose policies rest on earlier decisions."""
        return [each for each in KINDS if self.session.state(each) is State.STALE]

    def _show_banner(self) -> None:
        """Say what needs attention: out of date, nothing found, not proven."""
        found, project = self.found, self.session.project
        self._say("")
        show_if(self.banner, False)
        self._banner_action = ""
        if stale := self._stale():
            is_hidden = set(self.policies.kinds) - set(stale)
            # A search that runs brings them up to date; until then they stay what
            # they are.
            is_running = self.steering.is_running
            self._report(
                "" if is_running else "renew",
                tr("Policies that rest on earlier decisions are not shown.")
                if is_hidden
                else tr("These policies rest on earlier decisions."),
                "warning",
                "",
                "" if is_running else tr("Bring up to date"),
            )
        elif has_alternative(project):
            self._report_alternative()
        elif unmet := self._unmet_by_choice():
            self._report_unmet(unmet)
        elif self.of_events is not None:
            self._report_of_events(self.of_events)
        elif found is not None and found.optimum is None:
            miss = words_for(found.nothing_meets())
            action = tr("Change thresholds")
            self._report("risk", miss.what, "danger", miss.fix, action)
        elif found is not None and (not found.complete or found.minimal):
            proof = proof_of(found)
            self._report("", proof.text, proof.status, proof.detail, "")
        elif self._stopped_words():
            self._report("", "", "warning", "", "")

    def _report(self, action: str, text: str, status: Status, *words: str) -> None:
        self._banner_action = action
        text = " ".join(filter(None, (self._stopped_words(), text)))
        self.banner.show_words(text, status, *words)
        show_if(self.banner, True)

    def _stopped_words(self) -> str:
        """Say that the last search was stopped, and what is shown; empty otherwise."""
        stopped, session = self.workspace.policies.stopped, self.session
        kinds = [each for each in LANES.values() if each in stopped]
        if not kinds:
            return (
                tr(
                    "The survey was stopped: the best policy is not affected, of the "
                    "others only a part is shown."
                )
                if Lane.SURVEY in stopped
                else ""
            )
        if not any(map(session.result, kinds)):
            return tr("The search was stopped before it found a policy.")
        for each in kinds:
            is_current = session.state(each) is State.CURRENT
            if is_current and not session.is_complete(each):
                return tr("The search was stopped: what is shown is a part.")
        return tr("The search was stopped: what is shown was found before it.")

    def _report_of_events(self, found: LongitudinalPolicies) -> None:
        """Say what a longitudinal search has found, first of all if it is nothing."""
        if found.nearest is None:
            status: Status = "success" if found.proof.is_complete else "info"
            self._report("", found_text(found), status, "", "")
            return
        what, fix = miss_text(found)
        self._report("risk/events", what, "danger", fix, tr("Change what is known"))

    def _report_alternative(self) -> None:
        measured = self.session.current(Kind.MEASUREMENT)
        action = tr("See risk and utility")
        if measured is None or measured.accepted is None:
            self._report("utility", self._released_words(), "info", "", action)
            return
        words = measured.accepted.words
        if measured.unmet:
            text = tr(
                "The chosen alternative does NOT meet {n} of {all:threshold|"
                "thresholds} that are set.",
                n=len(measured.unmet),
                all=len(measured.verdicts),
            )
            lines = [f"✗ {each.model.words()}" for each in measured.unmet]
            self._report("utility", text, "danger", "\n".join((*lines, words)), action)
        elif measured.problems:
            text = tr("The chosen alternative cannot be released as things stand.")
            lines = [words_for(each).what for each in measured.problems]
            self._report("utility", text, "danger", "\n".join((*lines, words)), action)
        else:
            text = f"{self._released_words()} {words}".strip()
            self._report("utility", text, "success", "", action)

    def _unmet_by_choice(self) -> tuple[Overruled, ...]:
        """Conditions that the policy that was chosen does not meet."""
        project = self.session.project
        if project.chosen is None or has_alternative(project):
            return ()
        measured = self.session.current(Kind.MEASUREMENT)
        if measured is not None:
            return unmet_models(project, measured)
        number = self.policies.number_of(project.chosen)
        if number is None or not self._unmet_words(number):
            return ()
        candidate = self.policies.candidate(number)
        limit = limit_condition(project, of_people=candidate.by_person)
        return (Overruled(limit),)

    def _report_unmet(self, unmet: Sequence[Overruled]) -> None:
        """Say in red what the chosen policy does not meet, and where to go on."""
        text = tr(
            "The chosen policy does NOT meet {n:threshold|thresholds}: the release is "
            "stopped until a person overrules it with a reason.",
            n=len(unmet),
        )
        if all(each.because for each in unmet):
            text = tr(
                "The chosen policy does NOT meet {n:threshold|thresholds}, which a "
                "person has OVERRULED.",
                n=len(unmet),
            )
        lines = "\n".join(f"✗ {each.model.words()}" for each in unmet)
        self._report("export", text, "danger", lines, tr("Go to Export"))

    def _is_proven(self) -> bool:
        """Whether the best policy that is shown is known to be the best of all."""
        found = self.found
        if found is None or found.optimum is None or not found.complete:
            return False
        if LATTICE in self._stale():
            return False
        return proof_of(found).status == "success"

    def _proof_words(self) -> str:
        """What is proven, or found, in one line; nothing of earlier policies."""
        found, discovered = self.found, self.discovered
        parts = []
        if LATTICE in self._stale():
            found = None
        if found is not None and found.optimum is not None and found.complete:
            parts += [proof_of(found).text, kept_words(found), shown_words(found)]
            parts.append(cost_words(found))
        if discovered is not None:
            parts.append(found_words(discovered))
        return " ".join(part for part in parts if part)

    def _on_banner_acted(self) -> None:
        if self._banner_action == "renew":
            self._bring_up_to_date()
        else:
            self.step_wanted.emit(self._banner_action)

    def _bring_up_to_date(self) -> None:
        """Renew whatever rests on earlier decisions."""
        stale, found = self._stale(), self.session.result(LATTICE)
        try:
            if LATTICE in stale and found is not None and self._can_renew(found):
                self._renew(found)
            elif LATTICE in stale:
                self.steering.search()
            if ALTERNATIVES in stale:
                self.steering.discover()
            if LONGITUDINAL in stale:
                self.steering.search_events()
            if BLOCKS in stale:
                self.steering.search_blocks()
        except DeidError as error:
            self.show_error(error)

    # -- following a search --------------------------------------------------------

    def _begin(self, way: Way) -> None:
        """Make room for what a search finds."""
        is_optimal = way == "optimal"
        if is_optimal:
            measure, policies = self.session.project.quality, self.workspace.policies
            self.live.begin(measure.measure, keeps_part=policies.keeps_part(LATTICE))
        self.progress.set_title(
            tr("Looking for alternatives") if way == "alternatives" else tr("Searching")
        )
        self._wants_steps = way == "blocks"
        self.progress.set_can_pause(is_optimal)
        self.progress.set_paused(False)
        self.progress.set_progress(0.0, tr("Starting"))

    def _show_running(self) -> None:
        is_surveying, focus = self._is_surveying, self.window().focusWidget()
        if is_surveying:
            self.progress.set_title(tr("Surveying the other policies"))
            self.progress.set_can_pause(True)
        show_if(self.progress, self.steering.is_running or is_surveying)
        self.steering.show_run()
        self._say_released()
        if not self.policies.parts:
            self._show_waiting()
        elif self._is_live:
            self._found_stack.setCurrentIndex(1)
        self._go_on_with(focus)

    def _go_on_with(self, focus: QWidget | None) -> None:
        """Take the keyboard from what started a search to its progress and result."""
        if focus is None or not self.isAncestorOf(focus):
            return
        if self.isVisible() and not (focus.isVisible() and focus.isEnabled()):
            if self.look.isAncestorOf(focus) or self.waiting.isAncestorOf(focus):
                if self.progress.isVisible():
                    self.progress.take_focus()
            elif self.progress.has_keyboard(focus):
                self._what_follows().setFocus(Qt.FocusReason.OtherFocusReason)

    def _what_follows(self) -> QWidget:
        """What the keyboard goes to after a search: its result, or another search."""
        places: list[QWidget] = [self.look.run_button, self.look.again_button]
        if self.policies.parts:
            places[:0] = [self.results.views.table, self.results.tabs]
        for each in places:
            if each.isVisible() and each.isEnabled():
                return each
        return self

    @property
    def _is_live(self) -> bool:
        """Whether the best policy so far is shown in place of the others."""
        return self.workspace.is_running(LATTICE) and not self.live.is_empty

    @property
    def _is_surveying(self) -> bool:
        """Whether nothing but the survey behind a proven best policy runs."""
        is_surveying = self.workspace.is_running(Lane.SURVEY)
        return is_surveying and not self.steering.is_running

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane not in (*LANES.values(), Lane.SURVEY):
            return
        if activity.lane == Lane.SURVEY and self.steering.is_running:
            return
        is_running = activity.fraction is not None
        if is_running:
            self.progress.set_progress(
                activity.fraction,
                self._note_words(activity),
                activity.elapsed_s,
                foretells=activity.foretells,
            )
        if not is_running or not self.isVisible():
            # What a job has found is announced next, and shows all of it.
            self._pending |= Changes.RESULT
            self._ended.start()
        elif self.progress.isHidden():
            self._show_running()
            show_if(self.banner, False)
            if self._is_surveying:
                self._show_banner()
        self.status_changed.emit()

    def _show_ended(self) -> None:
        """Show what is left of a job, if no result has shown it."""
        if self.isVisible():
            self.refresh_now()

    def _note_words(self, activity: Activity) -> str:
        policies = self.workspace.policies
        stage = re.split(r"\W", activity.note, maxsplit=1)[0]
        count = re.search(r"\d+", activity.note)
        is_counted = stage in ("nodes", "proof", "checks") and count is not None
        if is_counted and activity.lane in (LATTICE, Lane.SURVEY):
            assert count is not None
            return self._rate_words(int(count[0]), activity)
        discovered = self.discovered
        if activity.lane == ALTERNATIVES and ALTERNATIVES in policies.so_far:
            assert discovered is not None
            words = tr("{n:alternative|alternatives} so far.", n=len(discovered))
            kept = tr("Stopping keeps them.")
            return f"{words} {kept}" if policies.keeps_part(ALTERNATIVES) else words
        known = {
            "hierarchies": tr("Building hierarchies"),
            "classes": tr("Counting distinct combinations"),
            "people": tr("Counting the population"),
            "minimal": tr("Comparing the least general policies"),
            "design": tr("Choosing the blocks"),
            "attributes": tr("Measuring all blocks"),
        }
        if activity.lane == BLOCKS and stage == "block" and count:
            return tr("Block {number:,}: raising levels", number=int(count[0]))
        return known.get(stage, tr("Evaluating policies"))

    def _rate_words(self, n_checked: int, activity: Activity) -> str:
        rate = n_checked / max(activity.elapsed_s, 0.001)
        words = tr(
            "{nodes:policy|policies} examined, {rate:,.0f} a second",
            nodes=n_checked,
            rate=rate,
        )
        if not activity.foretells:
            words = tr(
                "{nodes:policy|policies} examined, {rate:,.0f} a second; how much "
                "longer cannot be told",
                nodes=n_checked,
                rate=rate,
            )
        return words

    def _on_found(self, kind: str, found: Any) -> None:
        if kind == LATTICE:
            self.live.show_best(found)
            self._show_running()
        elif not self._soon.isActive():
            self._soon.start()

    def _show_so_far(self) -> None:
        """Show the newest of what was found; rarer where that takes longer."""
        if not self.isVisible():
            return
        begun = time.perf_counter()
        self._show_found()
        cost_ms = round(1000 * (time.perf_counter() - begun))
        self._soon.setInterval(max(SOON_MS, REST * cost_ms))

    def _on_basis_changed(self) -> None:
        if self.isVisible():
            self.refresh(Changes.DISCOVER)
        else:
            self._pending |= Changes.DISCOVER
        self.status_changed.emit()
        self.help_changed.emit()

    def _on_problem(self, error: BaseException, lane: str) -> None:
        """Remember why the records or the population could not be counted."""
        if lane == Lane.CLASSES and isinstance(error, DeidError):
            self.steering.classes_problem = error
            self._pending |= Changes.RESULT
            if self.isVisible():
                self.refresh_now()

    def _on_failed(self, error: BaseException) -> None:
        self._say("")
        if not isinstance(error, DeidError):
            raise error
        self.show_error(error)

    def _on_pause_clicked(self) -> None:
        if self._is_surveying:
            self._pause_survey()
            return
        self.workspace.pause(LATTICE)
        job = self.workspace.runner.running(LATTICE)
        self.progress.set_paused(job is not None and job.is_paused)

    def _pause_survey(self) -> None:
        policies = self.workspace.policies
        is_paused = policies.is_held(PERSON)
        (policies.let_go if is_paused else policies.hold)(PERSON)
        self.progress.set_paused(not is_paused)

    def _on_cancel_clicked(self) -> None:
        self.workspace.policies.let_go(PERSON)
        for lane in (*LANES.values(), Lane.SURVEY):
            self.workspace.cancel(lane)

    # -- deciding ------------------------------------------------------------------

    def _on_selected(self, _number: int) -> None:
        self._show_detail()

    def _choose(self, number: int) -> None:
        if not self._why_not(number):
            self._choose_stored(self.policies.candidate(number).chosen)

    def _choose_stored(self, chosen: Chosen) -> None:
        self._decide(ops.choose_policy(chosen), tr("choose policy"))

    def _forget_choice(self) -> None:
        self._decide(ops.forget_choice(), tr("go back to the best policy"))

    def _keep(self, number: int) -> None:
        if not self._why_not_keep():
            chosen = self.policies.candidate(number).chosen
            self._decide(ops.keep(chosen), tr("keep policy"))

    def _drop(self, number: int) -> None:
        for each in self.session.project.kept:
            if self.policies.number_of(each) == number:
                self._drop_stored(each)
                return

    def _drop_stored(self, chosen: Chosen) -> None:
        self._decide(ops.drop(chosen), tr("remove policy"))

    def _decide(self, op: ops.Op, label: str) -> None:
        if self.apply(op, label):
            self.refresh(Changes.CHOICE)

    def _come_back(self) -> None:
        """Show this step again to somebody who was led elsewhere."""
        self.step_wanted.emit(self.key)

    def _on_empty_acted(self) -> None:
        self.step_wanted.emit(self._empty_place)

    # -- for the window ------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.workspace.policies.let_go(PAGE)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        # What somebody does elsewhere is not slowed down by what is shown here only.
        self.workspace.policies.hold(PAGE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.policies.parts:
            self._make_room()

    def status(self) -> PageStatus:
        """Say how the search stands, and which policy is going to be released."""
        project, found = self.session.project, self.found
        if self.session.loaded is None:
            return PageStatus(NOT_YET.state, "", tr("Open a data file first."))
        if self.workspace.is_running(LATTICE):
            words = tr("The search is still running.")
            return PageStatus(StepState.READY, tr("running"), words)
        if self.workspace.is_running(LANES["alternatives"]):
            return PageStatus(StepState.READY, tr("running"))
        if project.privacy.events is not None:
            return self._status_of_events()
        if has_alternative(project):
            measured = self.session.current(Kind.MEASUREMENT)
            if measured is not None and measured.unmet:
                return PageStatus(StepState.ATTENTION, tr("thresholds not met"))
            state = StepState.DONE if fits(project) else StepState.STALE
            return PageStatus(state, tr("an alternative"))
        if goes_by_risk(project) and found is None:
            return self._status_of_alternatives()
        if found is None:
            nothing = self._status_of_nothing(self.steering.problems())
            return self._status_of_blocks() or nothing
        if self.session.state(LATTICE) is State.STALE:
            words = tr("Decisions have changed: bring the policies up to date.")
            return PageStatus(StepState.STALE, tr("out of date"), words)
        return self._status_of_found(found)

    def _status_of_events(self) -> PageStatus:
        """An adversary knows some events: what the longitudinal search has found."""
        if self.workspace.is_running(LONGITUDINAL):
            return PageStatus(StepState.READY, tr("running"))
        if LONGITUDINAL in self._stale():
            return PageStatus(StepState.STALE, tr("out of date"))
        found = self.of_events
        if self.session.project.chosen is not None:
            return _status_of_choice(is_found=found is not None)
        if found is None:
            words = tr("Find policies first.")
            return PageStatus(StepState.READY, tr("ready"), words)
        if found.optimum is None:
            words = tr("No policy meets the thresholds.")
            return PageStatus(StepState.ATTENTION, tr("nothing found"), words)
        words = tr("best policy found")
        return self.once_seen(words, self.session.fingerprint(LONGITUDINAL))

    def _status_of_blocks(self) -> PageStatus | None:
        """No lattice was searched; None if nothing was found block by block either."""
        if self.workspace.is_running(BLOCKS):
            return PageStatus(StepState.READY, tr("running"))
        if BLOCKS in self._stale():
            return PageStatus(StepState.STALE, tr("out of date"))
        if self.session.project.chosen is not None:
            return _status_of_choice(is_found=self.by_blocks is not None)
        if self.by_blocks is None:
            return None
        if self.workspace.policies.main_kind != BLOCKS:
            words = tr("Choose the policy that was found.")
            return PageStatus(StepState.READY, tr("not chosen"), words)
        if self.by_blocks.optimum is None:
            words = words_for(self.by_blocks.nothing_meets()).what
            return PageStatus(StepState.ATTENTION, tr("nothing found"), words)
        words = tr("best policy found")
        return self.once_seen(words, self.session.fingerprint(BLOCKS))

    def _status_of_nothing(self, problem: DeidError | None) -> PageStatus:
        """Nothing was found yet: whether it can be looked for."""
        if problem is not None:
            return PageStatus(NOT_YET.state, "", tr("Settle what is marked first."))
        words = tr("Find policies first.")
        return PageStatus(StepState.READY, tr("ready"), words)

    def _status_of_alternatives(self) -> PageStatus:
        """No policy is chosen yet, and one is looked for by its risk."""
        discovered = self.discovered
        if discovered is None:
            return self._status_of_nothing(self.workspace.policies.baseline.problem)
        if ALTERNATIVES in self._stale():
            return PageStatus(StepState.STALE, tr("out of date"))
        columns = discovered.columns
        if len(columns) and columns.checked.all() and not columns.meets.any():
            return PageStatus(StepState.ATTENTION, tr("thresholds not met"))
        # None is released before a person has chosen it.
        words = tr("{n:alternative|alternatives}", n=len(discovered))
        return PageStatus(StepState.READY, words)

    def _status_of_found(self, found: LatticePolicies) -> PageStatus:
        if self._unmet_by_choice():
            return PageStatus(StepState.ATTENTION, tr("thresholds not met"))
        if self.session.project.chosen is not None:
            return PageStatus(StepState.DONE, tr("own choice"))
        if found.optimum is None:
            words = tr("No policy meets the thresholds.")
            return PageStatus(StepState.ATTENTION, tr("nothing found"), words)
        caption = tr("best policy found")
        if found.minimal and not found.complete:
            caption = tr("OLA's choice")
        elif not found.complete:
            return PageStatus(StepState.ATTENTION, tr("not proven"))
        return self.once_seen(caption, self.session.fingerprint(LATTICE))

    def help_words(self) -> str:
        """Say which policy is released as things stand, and what is allowed."""
        project = self.session.project
        released = self._released_words()
        parts = [f"**{released}** {self._what_is_released()}" if released else ""]
        if self.session.current(LATTICE) is None:
            parts.append(why_not_needed(project))
        basis = self.steering.basis
        if basis is not None and project.discover.baseline is not None:
            parts.append(help_text(basis))
        return "\n\n".join(part.strip() for part in parts if part)

    def _released_words(self) -> str:
        """Say which policy is released as things stand; empty if none is known."""
        if self.session.project.chosen is not None:
            return tr("As things stand, the policy that you chose (◆) is released.")
        if self._is_best_open():
            return tr("Which policy is released is known when the search is done.")
        found = self.session.current(self.workspace.policies.main_kind)
        if found is None or found.optimum is None:
            return ""
        if isinstance(found, LatticePolicies) and is_picked(found):
            return tr("As things stand, OLA's choice (★) is released.")
        return tr("As things stand, the best policy (★) is released.")

    def _is_best_open(self) -> bool:
        """Whether another best policy is looked for, or found and not shown yet."""
        kind = self.workspace.policies.main_kind
        new, old = self._wanted.part(kind), self.policies.part(kind)
        is_shown = new is None or new.is_same_answer(old)
        return self.workspace.is_running(kind) or not is_shown

    def _what_is_released(self) -> str:
        """Say what the policy that is released does, if it is among those shown."""
        policies, chosen = self.policies, self.session.project.chosen
        number = policies.number_of(chosen)
        if chosen is None and not self._is_best_open():
            marked = (Flag.OPTIMUM, Flag.PICKED)
            number = next(
                (n for n, e in self._flags.items() if any(m in e for m in marked)), None
            )
        return "" if number is None else policies.candidate(number).words()


def _status_of_choice(*, is_found: bool) -> PageStatus:
    """A policy is chosen: among those that are there, or before they were searched."""
    if is_found:
        return PageStatus(StepState.DONE, tr("own choice"))
    return PageStatus(StepState.READY, tr("search again"))
