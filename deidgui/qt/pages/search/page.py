"""The page on which policies are searched for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.changes import Changes
from deidgui.app.classes import Classes
from deidgui.app.jobs import Job
from deidgui.app.policies.lattice.local_recoding import FoundRounds, search_rounds
from deidgui.app.policies.lattice.planning import measure_node, plan_search
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import check_search
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind, State
from deidgui.errors import ConfigError, DeidError, ProblemsError
from deidgui.monitor import Monitor
from deidgui.qt.messages import words_for
from deidgui.qt.pages.accepted import needs_no_thresholds, not_needed, why_not_needed
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.fixes import PLACE_OF
from deidgui.qt.pages.search.live import LiveCard
from deidgui.qt.pages.search.outcome import Outcome, RoundsCard
from deidgui.qt.pages.search.plan import PlanCard
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import Button, Callout, ProgressCard, show_if
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

PLAN = "search/plan"
"""The part of this page where the search is decided."""

MEASURE_NODE = "search speed"
"""Lane in which it is measured how long a policy takes."""

ROUNDS = "rounds"
"""Lane in which suppressed records are searched again."""


class SearchPage(Page):
    """Runs the search in a worker and shows it live."""

    key = "search"
    parts = (
        Changes.PRIVACY
        | Changes.QUALITY
        | Changes.SEARCH
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
            tr("Search"),
            tr(
                "Every combination of levels is one policy. The search finds the best "
                "one and says how sure that is."
            ),
        )
        self.run_button = Button(
            tr("Search"), "primary", "search", self._on_run_clicked
        )
        self.add_header_action(self.run_button)
        self._problem = Callout()
        self._problem.acted.connect(self._on_problem_acted)
        self._problem_place = ""
        self.progress = ProgressCard(tr("Searching"))
        self.progress.pause_clicked.connect(self._on_pause_clicked)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        self.live = LiveCard()
        self.outcome = Outcome()
        self.outcome.step_wanted.connect(self.step_wanted)
        self.rounds = RoundsCard()
        self.rounds.choose_wanted.connect(self._on_rounds_chosen)
        self._rounds_of: LatticePolicies | None = None
        self._rounds: FoundRounds | None = None
        self._speed_of: object = None
        self._node_seconds: float | None = None
        self.plan = PlanCard()
        self.plan.decided.connect(self._on_plan_decided)
        for each in (
            self._problem,
            self.progress,
            self.live,
            self.outcome,
            self.rounds,
            self.plan,
        ):
            self.body.addWidget(each)
        self.body.addStretch(1)
        workspace.activity.connect(self._on_activity)
        workspace.policies.found.connect(self._on_found)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show plan, problems and outcome as they are now."""
        self._show_problem()
        self._show_plan()
        self._show_outcome()
        self._show_running(self.workspace.is_running(LATTICE))

    def show_place(self, part: str) -> None:
        """Show what will be searched."""
        self.show_part(self.plan)

    def _problems(self) -> ConfigError | None:
        try:
            check_search(self.session.project)
        except ConfigError as error:
            return error
        return None

    def _show_problem(self) -> None:
        error = self._problems()
        if self.session.loaded is None:
            self._problem.show_words(
                tr("No data file is open."), "info", "", tr("Go to Start")
            )
            self._problem_place = "start"
        elif error is not None and needs_no_thresholds(self.session.project):
            self._problem_place = "alternatives"
            self._problem.show_words(
                tr("Your way through Alternatives needs no search."),
                "info",
                tr(
                    "Thresholds and a search are only needed for a policy that is to "
                    "meet privacy models."
                ),
                tr("Go to Alternatives"),
            )
        elif error is not None:
            self._problem_place = _place_of(error)
            what, fix = self._problem_words(error)
            self._problem.show_words(what, "warning", fix, tr("Take me there"))
        show_if(self._problem, error is not None or self.session.loaded is None)
        self.run_button.setEnabled(error is None and self.session.loaded is not None)

    def _problem_words(self, error: ConfigError) -> tuple[str, str]:
        """What keeps a search from starting; of several each with its fix."""
        if not isinstance(error, ProblemsError):
            return words_for(error)
        every = [words_for(problem) for problem in error.problems]
        what = tr("{n} decisions are in the way of a search.")
        lines = (f"–  {each.what} {each.fix}".rstrip() for each in every)
        return what.format(n=len(every)), "\n".join(lines)

    def _show_plan(self) -> None:
        classes = self.session.current(Kind.CLASSES)
        show_if(self.plan, classes is not None)
        if classes is None:
            return
        project = self.session.project
        try:
            plan = plan_search(project, classes)
        except DeidError as error:
            self.plan.show_problem(words_for(error).what)
            return
        if plan.seconds is None:
            self._measure_node(classes)
        self.plan.show_plan(plan, project, classes, self._node_seconds)

    def _measure_node(self, classes: Classes) -> None:
        """Measure how long a policy takes, once for the same decisions."""
        project = self.session.project
        parts = project.privacy.models, project.quality, project.quasi_identifiers
        asked = (classes.class_table, *parts)
        is_busy = self.workspace.is_running(LATTICE)
        if asked == self._speed_of or self._problems() is not None or is_busy:
            return
        self._speed_of, self._node_seconds = asked, None

        def work(monitor: Monitor) -> float:
            return measure_node(project, classes, monitor=monitor)

        def done(seconds: float) -> None:
            self._node_seconds = seconds
            self._show_plan()

        job = Job(done, self._on_speed_failed)
        self.workspace.runner.start(MEASURE_NODE, work, job)

    def _on_speed_failed(self, error: BaseException) -> None:
        # What is wrong with the decisions is told where they are made.
        if not isinstance(error, DeidError):
            raise error

    def _show_outcome(self) -> None:
        found = self.session.result(LATTICE)
        self.outcome.show_found(found, self.session.state(LATTICE))
        show_if(self.outcome, found is not None)
        self._show_rounds()

    def _show_running(self, is_running: bool) -> None:
        show_if(self.progress, is_running)
        show_if(self.live, is_running and not self.live.is_empty)
        self.plan.setEnabled(not is_running)
        if is_running:
            show_if(self.outcome, False)
            show_if(self.rounds, False)
        ready = self._problems() is None and self.session.loaded is not None
        self.run_button.setEnabled(ready and not is_running)
        again = self.session.result(LATTICE) is not None
        self.run_button.setText(tr("Search again") if again else tr("Search"))

    # -- local recoding ------------------------------------------------------------

    def _show_rounds(self) -> None:
        """Show what further rounds gain; searches them when they are first wanted."""
        project = self.session.project
        found: LatticePolicies | None = self.session.current(LATTICE)
        if not project.search.local_recoding:
            found = None
        show_if(self.rounds, found is not None)
        if found is None:
            return
        if self._rounds_of is found:
            rounds = self._rounds
            is_chosen = rounds is not None and project.chosen == rounds.choice()
            self.rounds.show_rounds(self._rounds, found, is_chosen=is_chosen)
            return
        self.rounds.show_waiting()
        self._search_rounds(found)

    def _search_rounds(self, found: LatticePolicies) -> None:
        """Search the suppressed records again (lane `ROUNDS`)."""
        project = self.session.project
        classes = self.session.current(Kind.CLASSES)
        if classes is None or self.workspace.runner.running(ROUNDS) is not None:
            return

        def work(monitor: Monitor) -> FoundRounds | None:
            return search_rounds(project, classes, monitor=monitor)

        def done(rounds: FoundRounds | None) -> None:
            self._rounds_of, self._rounds = found, rounds
            self._show_rounds()

        self.workspace.runner.start(ROUNDS, work, Job(done, self._on_rounds_failed))

    def _on_rounds_failed(self, error: BaseException) -> None:
        show_if(self.rounds, False)
        if not isinstance(error, DeidError):
            raise error
        self.tell_error(error)

    def _on_rounds_chosen(self) -> None:
        if self._rounds is not None:
            op = ops.choose_policy(self._rounds.choice())
            self.apply(op, tr("choose local recoding"))
            self._show_rounds()

    # -- following the search ------------------------------------------------------

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != LATTICE:
            return
        is_running = activity.fraction is not None
        if is_running:
            self.progress.set_progress(
                activity.fraction,
                self._note_words(activity),
                activity.elapsed_s,
                foretells=activity.foretells,
            )
        self._show_running(is_running)
        if not is_running:
            self._show_outcome()
        self.status_changed.emit()

    def _note_words(self, activity: Activity) -> str:
        count = re.search(r"\d+", activity.note)
        stage = activity.note.partition(" ")[0]
        if stage in ("nodes", "proof", "checks") and count:
            n_checked = int(count[0])
            rate = n_checked / max(activity.elapsed_s, 0.001)
            words = tr("{nodes:,} policies examined, {rate:,.0f} a second")
            if not activity.foretells:
                words = tr(
                    "{nodes:,} policies examined, {rate:,.0f} a second; how much "
                    "longer cannot be told"
                )
            return words.format(nodes=n_checked, rate=rate)
        if stage == "hierarchies":
            return tr("Building hierarchies")
        if stage == "classes":
            return tr("Counting distinct combinations")
        if stage == "minimal":
            return tr("Comparing the least general policies")
        return tr("Looking closer at the best candidates")

    def _on_found(self, kind: str, found: Any) -> None:
        if kind == LATTICE:
            self.live.show_best(found)

    # -- deciding ------------------------------------------------------------------

    def _on_run_clicked(self) -> None:
        self.progress.set_paused(False)
        try:
            self.live.begin(self.session.project.quality.measure)
            self.workspace.policies.start(LATTICE)
        except DeidError as error:
            self.tell_error(error)

    def _on_pause_clicked(self) -> None:
        self.workspace.pause(LATTICE)
        job = self.workspace.runner.running(LATTICE)
        self.progress.set_paused(job is not None and job.is_paused)

    def _on_cancel_clicked(self) -> None:
        self.workspace.cancel(LATTICE)

    def _on_plan_decided(self, changes: dict[str, Any]) -> None:
        search = self.session.project.search
        if any(getattr(search, name) != value for name, value in changes.items()):
            self.apply(ops.change_search(**changes), tr("change the search"))
            self.refresh(Changes.SEARCH)

    def _on_problem_acted(self) -> None:
        if self._problem_place == PLAN:
            self.show_place("plan")
        else:
            self.step_wanted.emit(self._problem_place)

    # -- for the window ------------------------------------------------------------

    def status(self) -> PageStatus:
        """Say how the search stands."""
        if self.session.loaded is None:
            return NOT_YET
        if self.workspace.is_running(LATTICE):
            words = tr("The search is still running.")
            return PageStatus(StepState.READY, tr("running"), words)
        state = self.session.state(LATTICE)
        found = self.session.result(LATTICE)
        is_shown = state is State.CURRENT and found is not None
        if not is_shown and needs_no_thresholds(self.session.project):
            return not_needed()
        if state is State.ABSENT or found is None:
            if self._problems() is not None:
                return NOT_YET
            return PageStatus(StepState.READY, tr("ready"), tr("Run the search first."))
        if state is State.STALE:
            return PageStatus(
                StepState.STALE,
                tr("out of date"),
                tr("Decisions have changed: search again."),
            )
        if found.optimum is None:
            return PageStatus(
                StepState.ATTENTION,
                tr("nothing found"),
                tr("No policy meets the thresholds."),
            )
        if not found.complete and not found.minimal:
            return PageStatus(StepState.ATTENTION, tr("not proven"))
        caption = tr("{number:,} policies", number=found.result.n_solutions)
        return PageStatus(StepState.DONE, caption)

    def help_words(self) -> str:
        """Say the best policy in words."""
        found = self.session.current(LATTICE)
        if found is None or found.optimum is None:
            return why_not_needed(self.session.project)
        words = tr("**Best policy.** {words}")
        if found.minimal and not found.complete:
            words = tr("**OLA's choice.** {words}")
        return words.format(words=found.words(found.optimum))


def _place_of(error: ConfigError) -> str:
    """Return where the first problem is fixed."""
    first = error.problems[0] if isinstance(error, ProblemsError) else error
    return PLACE_OF.get(first.code, "risk")
