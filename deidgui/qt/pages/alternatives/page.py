"""The page on which alternatives to a rule are found and one of them is chosen."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStackedLayout, QWidget

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.changes import Changes
from deidgui.app.charts.frontier import alternatives_chart
from deidgui.app.experiment.ground import case_of_ground
from deidgui.app.jobs import Lane
from deidgui.app.policies.alternatives import (
    AlternativePolicies,
    Basis,
    Ordered,
    order,
    proposed_elements,
    with_elements,
)
from deidgui.app.policies.lattice.what_if import MOST_KEPT
from deidgui.app.policies.runner import ALTERNATIVES
from deidgui.app.project import Discover, PreferenceChoice, Project
from deidgui.app.session import Kind, State
from deidgui.errors import DeidError
from deidgui.qt.models.figures import Flags
from deidgui.qt.pages.alternatives.banner import StandingBanner
from deidgui.qt.pages.alternatives.beginning import first_problem, show_why_not
from deidgui.qt.pages.alternatives.beside import (
    flags_of,
    number_like,
    preferences_met,
    put_beside,
)
from deidgui.qt.pages.alternatives.choosing import ChoosePane
from deidgui.qt.pages.alternatives.comparing import CompareView
from deidgui.qt.pages.alternatives.deciding import (
    POPULATION,
    BaselinePane,
    SearchPane,
)
from deidgui.qt.pages.alternatives.experiment import ExperimentCard
from deidgui.qt.pages.alternatives.leading import Way, to_ages, to_order
from deidgui.qt.pages.alternatives.parts import Parts
from deidgui.qt.pages.alternatives.running import RunningCard
from deidgui.qt.pages.alternatives.words import (
    found_words,
    help_text,
    rule_name,
    rule_row,
)
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    EmptyState,
    column,
    holder,
    scrolling,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


SOON_MS = 120
"""What is found while a search runs is shown so often at most."""

REST = 6
"""The window rests so many times as long as showing it took."""


class AlternativesPage(Page):
    """Baseline, preferences, alternatives as kinds, list and chart, and the choice."""

    key = "alternatives"
    scrolls = False
    parts = (
        Changes.DISCOVER
        | Changes.RESULT
        | Changes.CHOICE
        | Changes.PRIVACY
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.DATA
    )

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Alternatives"),
            tr(
                "Find policies no riskier than Safe Harbor on this file, and choose "
                "the one that keeps what you need. Optional."
            ),
        )
        self._shown: AlternativePolicies | None = None
        self._ordered: Ordered | None = None
        self._number: int | None = None
        self._flags: Flags = {}
        self._marked: tuple[int | None, list[int]] = (None, [])
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._show_so_far)
        self._classes_problem: DeidError | None = None
        self.next_button = Button("", "primary", clicked=self._on_next)
        self.again_button = Button(
            tr("Search again"), glyph="search", clicked=self.start
        )
        self.add_header_action(self.again_button)
        self.add_header_action(self.next_button)
        self.banner = StandingBanner()
        self.banner.search_wanted.connect(self.start)
        self.banner.step_wanted.connect(self.step_wanted)
        self.empty = EmptyState("alternatives", "")
        self.empty.acted.connect(self._on_empty_acted)
        self._empty_place = "start"
        self.running = RunningCard()
        self.running.cancel_clicked.connect(self._on_cancel)
        self.baseline = BaselinePane()
        self.search = SearchPane()
        self.choose = ChoosePane()
        self.nothing = EmptyState("alternatives", "")
        self.nothing.acted.connect(self._on_next)
        self.compare = CompareView()
        self.experiment = ExperimentCard(workspace.runner)
        self.experiment.told.connect(self.told)
        self._build()
        self._connect()

    # -- building ------------------------------------------------------------------

    def _build(self) -> None:
        choose = QWidget()
        self._choose_stack = QStackedLayout(choose)
        self._choose_stack.addWidget(self.nothing)
        self._choose_stack.addWidget(self.choose)
        self.content = Parts(
            {
                "baseline": scrolling(self.baseline),
                "search": scrolling(self.search),
                "choose": choose,
                "compare": scrolling(self.compare),
                "experiment": scrolling(holder(column(self.experiment, None))),
            },
            self.running,
        )
        self.tabs, self.found = self.content.tabs, self.content.found
        self.body.addWidget(self.banner)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self.content, 1)
        show_if(self.running, False)

    def _connect(self) -> None:
        self.content.chosen.connect(self.show_tab)
        baseline, search = self.baseline, self.search
        baseline.baseline.decided.connect(self._on_decided)
        baseline.baseline.policy_chosen.connect(self._on_policy_baseline)
        baseline.baseline.step_wanted.connect(self.step_wanted)
        baseline.people.population_wanted.connect(self._on_population_wanted)
        baseline.problem.acted.connect(self._on_problem_acted)
        baseline.figures.ages_wanted.connect(self._on_ages_wanted)
        search.preferences.preferred.connect(self._on_preferred)
        search.method.decided.connect(self._on_decided)
        search.method.order_wanted.connect(self._on_order_wanted)
        self.choose.selected.connect(self._on_selected)
        self.choose.use_wanted.connect(self._use)
        self.choose.views.chosen.connect(self._show_seen)
        self.choose.preference_wanted.connect(self._on_preference_wanted)
        panel = self.choose.panel
        panel.use_wanted.connect(self._use)
        panel.keep_wanted.connect(self._keep)
        panel.drop_wanted.connect(self._drop)
        panel.forget_wanted.connect(self._forget)
        panel.compare_wanted.connect(self._on_compare_wanted)
        self.compare.use_wanted.connect(self._use)
        self.compare.drop_wanted.connect(self._drop)
        self.compare.list_wanted.connect(self._on_list_wanted)
        policies = self.workspace.policies
        policies.baseline.changed.connect(self._on_basis_changed)
        policies.found.connect(self._on_found)
        self.workspace.activity.connect(self._on_activity)
        self.workspace.problem.connect(self._on_problem)

    # -- showing -------------------------------------------------------------------

    @property
    def _discover(self) -> Discover:
        return self.session.project.discover

    @property
    def _basis(self) -> Basis | None:
        return self.workspace.policies.baseline.basis

    @property
    def _is_running(self) -> bool:
        return self.workspace.is_running(ALTERNATIVES)

    def refresh(self, changes: Changes) -> None:
        """Show the decisions, what follows from them, and what was found."""
        problem = self._first_problem()
        show_if(self.empty, problem is not None)
        show_if(self.content, problem is None)
        if problem is not None:
            self._empty_place = show_why_not(self.empty, problem)
            show_if(self.banner, False)
            self._show_buttons()
            return
        self._show_decisions()
        self._show_result()
        self._show_banner()
        self._show_buttons()

    def _first_problem(self) -> DeidError | str | None:
        """What keeps this step from being begun at all; None if nothing does."""
        return first_problem(self.session.project, self.session.loaded is not None)

    def _show_decisions(self) -> None:
        policies, project = self.workspace.policies, self.session.project
        classes = self.session.current(Kind.CLASSES)
        basis = policies.baseline.basis
        if classes is not None:
            self._classes_problem = None
        problem = self._classes_problem or policies.baseline.problem
        self.baseline.show_project(project, classes, basis, problem)
        self.search.show_project(project, basis)
        self._show_experiment()

    @property
    def _so_far(self) -> AlternativePolicies | None:
        found: Any = self.workspace.policies.so_far.get(ALTERNATIVES)
        return cast("AlternativePolicies | None", found)

    @property
    def _result(self) -> AlternativePolicies | None:
        found: AlternativePolicies | None = self.session.result(ALTERNATIVES)
        return found

    def _show_result(self) -> None:
        found = self._so_far if self._is_running else self._result
        if found is None or (not len(found) and not self._is_running):
            self._shown = self._ordered = self._number = None
            self._show_nothing()
            return
        if self._is_running and self._so_far is None:
            return
        self._show_found(found)

    def _show_nothing(self) -> None:
        self._choose_stack.setCurrentIndex(0)
        is_decided = self._discover.baseline is not None
        self.nothing.show_words(
            tr("No alternatives yet"),
            tr(
                "The search takes seconds, with whole ZIP codes or dates minutes. What "
                "it finds is shown while it runs."
            )
            if is_decided
            else tr(
                "First it is decided what an alternative may be no riskier than. Safe "
                "Harbor is the usual answer."
            ),
            self._next_words() if self._can_go_on() else "",
        )
        self.compare.show_policies((), ())

    # -- experiment ----------------------------------------------------------------

    def _show_experiment(self) -> None:
        basis = self._basis
        if basis is None or self._discover.baseline is None:
            self.experiment.set_case(None, tr("Decide on a baseline first."))
            return
        name = self.session.project.name
        self.experiment.set_case(lambda _: case_of_ground(basis, name))

    # -- what was found ------------------------------------------------------------

    def _show_found(self, found: AlternativePolicies) -> None:
        if not len(found):
            return
        preferences = self._fitting_preferences(found)
        number = number_like(found, self._shown, self._number)
        self._shown, self._ordered = found, order(found, preferences)
        if number is None:
            chosen = found.row_of(self.session.project.chosen)
            number = int(self._ordered.numbers[0]) if chosen is None else chosen
        self._number = number
        self._choose_stack.setCurrentIndex(1)
        self.choose.show_discovered(
            found, self._ordered, has_preferences=bool(preferences)
        )
        self._show_marks()

    def _fitting_preferences(
        self, found: AlternativePolicies
    ) -> tuple[PreferenceChoice, ...]:
        """Preferences on attributes that a result, maybe an earlier one, knows."""
        names = found.basis.attributes
        return tuple(w for w in self._discover.preferences if w.attribute in names)

    def _show_marks(self) -> None:
        """Show the selection and what is chosen and kept, wherever it is shown."""
        found = self._shown
        if found is None:
            return
        project = self.session.project
        chosen = found.row_of(project.chosen)
        kept = [found.row_of(each) for each in project.kept]
        self._marked = chosen, [number for number in kept if number is not None]
        self._flags = flags_of(*self._marked)
        self.choose.set_flags(self._flags)
        self.choose.select(self._number)
        self._show_panel()
        self._show_seen()

    def _show_seen(self) -> None:
        """Bring the chart and the comparison up to date if somebody sees them."""
        found = self._shown
        if found is None:
            return
        if self.tabs.current == "compare":
            self._show_compare()
        elif self.choose.views.current == "chart":
            chosen, kept = self._marked
            self.choose.show_chart(alternatives_chart(found, chosen=chosen, kept=kept))

    def _show_panel(self) -> None:
        found, number, ordered = self._shown, self._number, self._ordered
        if found is None or number is None or ordered is None:
            return
        rule = rule_row(found.basis)
        self.choose.panel.show_alternative(
            found,
            number,
            self._flags.get(number, ()),
            preferences_met(found, ordered, self._fitting_preferences(found), number),
            rule,
            rule_name=rule_name(found.basis.discover.baseline),
            reason=self._why_not(),
            keep_reason=self._why_not_keep(),
        )

    def _why_not(self) -> str:
        """Why no alternative can be used now; empty if one can."""
        if self._is_running:
            return tr("The search is still running.")
        if self.session.state(ALTERNATIVES) is not State.CURRENT:
            return tr("Bring the results up to date first.")
        return ""

    def _why_not_keep(self) -> str:
        if len(self.session.project.kept) >= MOST_KEPT:
            return tr("Four policies are kept already: let one go first.")
        return ""

    def _show_compare(self) -> None:
        found, ordered = self._shown, self._ordered
        if found is None or ordered is None:
            return
        preferences = self._fitting_preferences(found)
        beside = put_beside(found, ordered, preferences, self._flags, self._number)
        if beside is None:
            self.compare.show_policies((), ())
            return
        left = tr("{n} more are kept: at most four fit side by side.")
        note = left.format(n=beside.n_left) if beside.n_left else ""
        self.compare.show_policies(beside.heads, beside.lines, note, self._why_not())

    def _show_banner(self) -> None:
        found = self._shown
        self.found.setText("" if found is None else found_words(found))
        is_seen = found is not None and not self._is_running
        self.banner.show_state(self.session, found if is_seen else None)

    # -- what comes next -----------------------------------------------------------

    def _can_start(self) -> bool:
        basis = self._basis
        is_blocked = basis is not None and not basis.is_feasible
        problem = self.workspace.policies.baseline.problem
        return (
            self._first_problem() is None
            and self._discover.baseline is not None
            and not self._is_running
            and not is_blocked
            and problem is None
            and self._classes_problem is None
        )

    def _can_go_on(self) -> bool:
        return self._discover.baseline is None or self._can_start()

    def _next_words(self) -> str:
        if self._discover.baseline is None:
            return tr("Compare with Safe Harbor")
        return tr("Find alternatives")

    def _show_buttons(self) -> None:
        is_open = self._first_problem() is None
        has_result = self._shown is not None
        self.next_button.setText(self._next_words())
        self.next_button.setEnabled(self._can_go_on())
        show_if(self.next_button, is_open and not has_result and not self._is_running)
        show_if(self.again_button, is_open and has_result and not self._is_running)
        self.again_button.setEnabled(self._can_start())
        show_if(self.running, self._is_running)
        self.baseline.setEnabled(not self._is_running)
        self.search.setEnabled(not self._is_running)

    def show_tab(self, key: str) -> None:
        """Show a part of the step."""
        self.content.show_part(key)
        self._show_seen()

    def show_place(self, part: str) -> None:
        """Show the part that another page leads to."""
        self.show_tab(part)

    # -- following -----------------------------------------------------------------

    def _on_basis_changed(self) -> None:
        if self.isVisible():
            self.refresh(Changes.DISCOVER)
        else:
            self._pending |= Changes.DISCOVER
        self.status_changed.emit()
        self.help_changed.emit()

    def _on_found(self, kind: str, _found: object) -> None:
        found = self._so_far
        if kind != ALTERNATIVES or found is None:
            return
        self.running.show_found(found)
        if not self._soon.isActive():
            self._soon.start()

    def _show_so_far(self) -> None:
        """Show the newest of what was found; rarer where that takes longer."""
        found = self._so_far
        if found is None or not self.isVisible():
            return
        begun = time.perf_counter()
        self._show_found(found)
        self._show_buttons()
        cost_ms = round(1000 * (time.perf_counter() - begun))
        self._soon.setInterval(max(SOON_MS, REST * cost_ms))

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != ALTERNATIVES:
            return
        if activity.fraction is not None:
            self.running.show_activity(activity)
        if not self.isVisible():
            self._pending |= Changes.RESULT
        elif activity.fraction is None:
            self.refresh(Changes.RESULT)
        elif self.running.isHidden():
            self._show_buttons()
        self.status_changed.emit()

    def _on_problem(self, error: BaseException, lane: str) -> None:
        """Remember why the records or people could not be counted."""
        if lane == Lane.CLASSES and isinstance(error, DeidError):
            self._classes_problem = error
            self._pending |= Changes.RESULT
            if self.isVisible():
                self.refresh_now()

    # -- deciding ------------------------------------------------------------------

    def _decide(self, op: ops.Op, label: str) -> None:
        if self.apply(op, label):
            self.refresh(self.parts)

    def _change(self, **changes: Any) -> None:
        discover = self._discover.but(**changes)
        op: ops.Op = partial(_with_discover, discover)
        self._decide(op, tr("change how alternatives are found"))

    def _on_decided(self, changes: dict[str, Any]) -> None:
        baseline = changes.get("baseline", self._discover.baseline)
        if changes.get("baseline") == "safe_harbor":
            self._take_safe_harbor()
            return
        if "baseline" in changes:
            changes = {"typed": None, "policy": None, **changes}
        if "elements" in changes and baseline is None:
            changes = {**changes, "baseline": "safe_harbor"}
        self._change(**changes)

    def _take_safe_harbor(self) -> None:
        project = self.session.project
        discover = with_elements(project.discover, proposed_elements(project))
        op: ops.Op = partial(_with_discover, discover)
        self._decide(op, tr("compare with Safe Harbor"))

    def _on_policy_baseline(self, place: int) -> None:
        policy = self.baseline.policy_at(place)
        self._change(baseline="policy", policy=policy, typed=None)

    def _on_preferred(self, preferences: tuple[PreferenceChoice, ...]) -> None:
        op: ops.Op = partial(
            _with_discover, self._discover.but(preferences=preferences)
        )
        self._decide(op, tr("change preferences"))

    def _on_next(self) -> None:
        if self._discover.baseline is None:
            self._take_safe_harbor()
            self.show_tab("baseline")
        else:
            self.start()

    def start(self) -> None:
        """Look for alternatives; what is found is shown while it goes on."""
        try:
            self.running.begin()
            self.workspace.policies.start(ALTERNATIVES)
        except DeidError as error:
            self.tell_error(error)
            return
        self.show_tab("choose")
        self._show_buttons()

    def _on_cancel(self) -> None:
        self.workspace.cancel(ALTERNATIVES)

    def _on_selected(self, number: int) -> None:
        self._number = number
        self._show_panel()

    def _use(self, number: int) -> None:
        if self._shown is not None and not self._why_not():
            chosen = self._shown.choice(number)
            self._decide(ops.choose_policy(chosen), tr("use alternative"))

    def _forget(self) -> None:
        self._decide(ops.forget_choice(), tr("stop using alternative"))

    def _keep(self, number: int) -> None:
        if self._shown is not None and not self._why_not_keep():
            op = ops.keep(self._shown.choice(number))
            self._decide(op, tr("keep alternative"))

    def _drop(self, number: int) -> None:
        found = self._shown
        for each in self.session.project.kept:
            if found is not None and found.row_of(each) == number:
                self._decide(ops.drop(each), tr("stop keeping alternative"))
                return

    def _on_compare_wanted(self) -> None:
        self.show_tab("compare")

    def _on_preference_wanted(self) -> None:
        self.show_tab("search")

    def _on_list_wanted(self) -> None:
        self.show_tab("choose")

    def _on_population_wanted(self) -> None:
        self.step_wanted.emit(POPULATION)

    def _on_problem_acted(self) -> None:
        self.step_wanted.emit(self.baseline.problem_place)

    def _on_ages_wanted(self, attribute: str) -> None:
        self._follow(to_ages(attribute, self._come_back))

    def _on_order_wanted(self, attribute: str) -> None:
        self._follow(to_order(attribute, self._come_back))

    def _follow(self, way: Way) -> None:
        self.step_wanted.emit(way.place)
        self.told.emit(way.notice)

    def _come_back(self) -> None:
        self.step_wanted.emit(self.key)

    def _on_empty_acted(self) -> None:
        self.step_wanted.emit(self._empty_place)

    # -- for the window ------------------------------------------------------------

    def status(self) -> PageStatus:
        """Say how the step stands; it is optional, so nothing is ever missing."""
        if self._first_problem() is not None:
            return NOT_YET
        if self._is_running:
            return PageStatus(StepState.READY, tr("running"))
        result = self._result
        if result is None:
            return PageStatus(StepState.READY, tr("optional"))
        if self.session.state(ALTERNATIVES) is State.STALE:
            return PageStatus(StepState.STALE, tr("out of date"))
        if result.row_of(self.session.project.chosen) is not None:
            return PageStatus(StepState.DONE, tr("own choice"))
        words = tr("{n:,} alternatives") if len(result) != 1 else tr("one")
        return PageStatus(StepState.DONE, words.format(n=len(result)))

    def help_words(self) -> str:
        """Say what is allowed, and which alternative is used."""
        found = self._result
        return help_text(self._basis, found, self.session.project.chosen)


def _with_discover(discover: Discover, project: Project) -> Project:
    return project.but(discover=discover)
