"""What the panel "How to look" shows of a project, decides in it, and starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from deidgui.app import ops
from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.policies.alternatives.checking import basis_problems, with_elements
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.policies.blocks.source import blocks_problems
from deidgui.app.policies.lattice.planning import plan_search
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import FoundRounds, check_search
from deidgui.app.policies.longitudinal.events import events_problems
from deidgui.app.policies.runner import (
    ALTERNATIVES,
    BLOCKS,
    LATTICE,
    LONGITUDINAL,
)
from deidgui.app.project import Discover, PreferenceChoice, Project
from deidgui.app.session import Kind
from deidgui.engine.quality import QualityMeasure
from deidgui.errors import ConfigError, DeidError, ProblemsError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.accepted import goes_by_risk
from deidgui.qt.pages.base import Page, at_once
from deidgui.qt.pages.fixes import PLACE_OF
from deidgui.qt.pages.policies.deciding import POPULATION
from deidgui.qt.pages.policies.looking import LookPanel, Way
from deidgui.qt.pages.policies.questions import Questions
from deidgui.qt.widgets import EmptyState, Notice, show_if
from deidgui.text import tr

BLOCKING = ("role_missing", "no_quasi_identifier", "hierarchy_missing")
"""Decisions without which there is nothing to show; others are shown in their card."""

NO_DATA = "no_data"


def first_problem(project: Project, has_data: bool) -> DeidError | str | None:
    """What keeps the step from being begun; None if nothing does.

    Parameters
    ----------
    has_data : bool
        Whether its file is open.
    """
    if not has_data:
        return NO_DATA
    problems = [each for each in basis_problems(project) if each.code in BLOCKING]
    return problems[0] if problems else None


def show_why_not(empty: EmptyState, problem: DeidError | str) -> str:
    """Say what is missing, and return the step where it is fixed."""
    if isinstance(problem, str):
        empty.show_words(
            tr("No data file is open"),
            tr(
                "Open a file first. Then this step finds out how risky Safe Harbor "
                "would leave it, and what you can release instead.",
            ),
            tr("Go to Start"),
        )
        return "start"
    words = words_for(problem)
    empty.show_words(words.what, words.fix, tr("Take me there"))
    return PLACE_OF.get(problem.code, "attributes")


WAY_BACK = "back to policies"
"""Topic of the notice that leads back; it goes when one is back."""


class Detour(NamedTuple):
    """A place on another step, and what is told to somebody who is led there."""

    place: str
    notice: Notice


def to_ages(attribute: str, come_back: Callable[[], None]) -> Detour:
    """Lead to what the highest age stands for among the people.

    Parameters
    ----------
    come_back : callable
        A bound method that shows this step again.
    """
    words = tr(
        "Does the highest value of “{name}” stand for that age only?", name=attribute
    )
    fix = tr(
        "If so, choose “Change what it stands for…” and leave only that one age "
        "ticked. If it stands for all above too, change nothing."
    )
    return _way(f"risk/population/{attribute}", words, fix, come_back)


def to_order(attribute: str, come_back: Callable[[], None]) -> Detour:
    """Lead to the order of the values of an attribute; parameters as of `to_ages`."""
    words = tr("Which values of “{name}” should be neighbours?", name=attribute)
    fix = tr(
        "Put values that belong together into one group: select them and choose “New "
        "group…”. With groups, the order of the hierarchy is that of the neighbours."
    )
    return _way(f"hierarchies/{attribute}", words, fix, come_back)


def _way(place: str, words: str, fix: str, come_back: Callable[[], None]) -> Detour:
    back = tr("Back to Policies")
    return Detour(place, Notice(words, "info", fix, back, come_back, WAY_BACK))


PLAN = "policies/plan"
"""The part of this page where the search is decided."""

LANES: dict[Way, str] = {
    "optimal": LATTICE,
    "alternatives": ALTERNATIVES,
    "blocks": BLOCKS,
    "longitudinal": LONGITUDINAL,
}


class SteeringControl:
    """Keeps the panel and the project the same; starts what the panel asks for.

    Parameters
    ----------
    begin : callable
        Told before a way is gone.
    come_back : callable
        Bound method that shows the step again to somebody who was led elsewhere.
    """

    def __init__(
        self,
        page: Page,
        panel: LookPanel,
        questions: Questions,
        begin: Callable[[Way], None],
        come_back: Callable[[], None],
    ) -> None:
        self._begin, self._come_back = begin, come_back
        self._page, self._panel, self._questions = page, panel, questions
        self._workspace, self._session = page.workspace, page.session
        self.classes_problem: DeidError | None = None
        self._problem_place = ""
        self._speed_of: object = None
        self._node_seconds: float | None = None
        self._sizes_of: object = None
        self._rounds_of: LatticePolicies | None = None
        self._rounds: FoundRounds | None = None
        self._way_is_decided = False
        self._shown: object = None
        self._offered: object = None
        self._connect()

    def _connect(self) -> None:
        panel, page = self._panel, self._page
        panel.way_chosen.connect(self._on_way_chosen)
        panel.run_wanted.connect(self.start)
        optimal = panel.optimal
        optimal.problem.acted.connect(self._on_problem_acted)
        optimal.plan.decided.connect(self._on_plan_decided)
        optimal.plan.step_wanted.connect(page.step_wanted)
        optimal.measure.measure_set.connect(self._on_measure_set)
        optimal.measure.keeping_set.connect(self._on_keeping_set)
        optimal.rounds.choose_wanted.connect(self._on_rounds_chosen)
        panel.longitudinal.decide_wanted.connect(self._on_events_wanted)
        panel.blocks.decided.connect(self._on_blocks_decided)
        panel.blocks.model_wanted.connect(self._on_model_wanted)
        panel.blocks.estimate_wanted.connect(self._on_estimate_wanted)
        baseline, search = panel.alternatives.baseline, panel.alternatives.search
        baseline.baseline.decided.connect(self._on_decided)
        baseline.baseline.policy_chosen.connect(self._on_policy_baseline)
        baseline.baseline.step_wanted.connect(page.step_wanted)
        baseline.population.population_wanted.connect(self._on_population_wanted)
        baseline.problem.acted.connect(self._on_population_problem_acted)
        baseline.figures.ages_wanted.connect(self._on_ages_wanted)
        search.preferences.preferred.connect(self._on_preferred)
        search.method.decided.connect(self._on_decided)
        search.method.order_wanted.connect(self._on_order_wanted)

    # -- what is known -------------------------------------------------------------

    @property
    def _project(self) -> Project:
        return self._session.project

    @property
    def _discover(self) -> Discover:
        return self._project.discover

    @property
    def basis(self) -> Basis | None:
        """What the baseline does to this file, if it is known."""
        return self._workspace.policies.baseline.basis

    @property
    def is_running(self) -> bool:
        """Whether any way of looking runs."""
        return any(map(self._workspace.is_running, LANES.values()))

    def problems(self) -> ConfigError | None:
        """What keeps a search under the thresholds from starting."""
        try:
            check_search(self._project)
        except ConfigError as error:
            return error
        return None

    # -- showing -------------------------------------------------------------------

    def show(self) -> None:
        """Show what is decided, and what follows from it."""
        at_once(self.show_in_pieces())

    def show_in_pieces(self) -> Iterator[None]:
        """Show it, and yield between the ways to look."""
        if not self._way_is_decided:
            self._panel.set_way(self._usual_way())
        classes, basis = self._session.current(Kind.CLASSES), self.basis
        if classes is not None:
            self.classes_problem = None
        problem = self.classes_problem or self._workspace.policies.baseline.problem
        project = self._project
        # PERF: which policy is chosen changes little of how policies are looked for.
        decided = [value for name, value in project if name not in ("chosen", "kept")]
        found = [self._session.current(each) for each in (LONGITUDINAL, BLOCKS)]
        rests_on = (classes, basis, *found, self._node_seconds)
        shown = decided, rests_on, self.is_running, self._panel.way
        if shown != self._shown:
            self._shown, self._offered = shown, None
            try:
                yield from self._show_decisions(classes, basis)
            except GeneratorExit:
                self._shown = None  # left in the middle
                raise
        if (offered := (project.chosen, project.kept, problem)) != self._offered:
            yield
            self._offered = offered
            pane = self._panel.alternatives.baseline
            pane.show_project(project, classes, basis, problem)
        self._show_found()
        self.show_run()

    def _show_decisions(
        self, classes: Classes | None, basis: Basis | None
    ) -> Iterator[None]:
        """Show what is decided on the ways to look."""
        self._show_problem()
        self._show_plan(classes)
        self._panel.optimal.measure.show_quality(self._project.quality)
        yield
        self._show_longitudinal(classes)
        self._show_blocks(classes)
        yield
        self._panel.alternatives.search.show_project(self._project, basis)

    def _usual_way(self) -> Way:
        """The way that fits the decisions, until somebody chooses one."""
        if self._project.privacy.events is not None:
            return "longitudinal"
        if goes_by_risk(self._project):
            return "alternatives"
        return "blocks" if self._project.is_by_blocks else "optimal"

    def _show_longitudinal(self, classes: Classes | None) -> None:
        project, panel = self._project, self._panel
        has_events = classes is not None and bool(classes.class_table.varying)
        is_decided = project.privacy.events is not None
        panel.offer("longitudinal", has_events or is_decided)
        panel.longitudinal.show_project(project, events_problems(project))
        panel.longitudinal.show_found(self._session.current(LONGITUDINAL))

    def _show_blocks(self, classes: Classes | None) -> None:
        project, panel = self._project, self._panel
        # Of what differs between the rows of a person the values are sets.
        varies = classes is not None and bool(classes.class_table.varying)
        is_offered = not varies and project.privacy.events is None
        panel.offer("blocks", is_offered or panel.way == "blocks")
        panel.blocks.show_project(project, blocks_problems(project, classes))
        panel.blocks.show_found(self._session.current(BLOCKS))
        if self._sizes_of != (asked := (project.privacy.models, classes)):
            self._sizes_of = asked
            panel.blocks.show_estimates(())

    def show_run(self) -> None:
        """Say what the button starts, or why it does nothing."""
        is_running = self.is_running
        self._panel.optimal.plan.setEnabled(not is_running)
        self._panel.alternatives.setEnabled(not is_running)
        self._panel.blocks.how.setEnabled(not is_running)
        words = tr("Find policies")
        is_next = self._session.result(LANES[self._panel.way]) is None
        if not is_next:
            words = tr("Search again")
        reason = "" if is_running else self._why_not()
        is_possible = not (is_running or reason)
        self._panel.show_run(words, reason, is_possible=is_possible, is_next=is_next)

    def _why_not(self) -> str:
        """Why the chosen way cannot be gone now; empty if it can."""
        if self._session.loaded is None:
            return tr("No data file is open.")
        if self._panel.way == "optimal":
            error = self.problems()
            return "" if error is None else tr("Settle what is marked first.")
        if self._panel.way in ("longitudinal", "blocks"):
            problems = events_problems(self._project)
            if self._panel.way == "blocks":
                classes = self._session.current(Kind.CLASSES)
                problems = blocks_problems(self._project, classes)
            return tr("Settle what is marked first.") if problems else ""
        basis, problem = self.basis, self._workspace.policies.baseline.problem
        if problem is not None or self.classes_problem is not None:
            return tr("Settle what is marked first.")
        if basis is not None and not basis.is_feasible:
            return tr("No policy can be found: see the warning above.")
        return ""

    def _show_problem(self) -> None:
        callout, error = self._panel.optimal.problem, self.problems()
        show_if(callout, error is not None)
        if error is None:
            return
        self._problem_place = _place_of(error)
        what, fix = self._problem_words(error)
        callout.show_words(what, "warning", fix, tr("Take me there"))

    def _problem_words(self, error: ConfigError) -> tuple[str, str]:
        """What keeps a search from starting; of several each with its fix."""
        if not isinstance(error, ProblemsError):
            return words_for(error)
        every = [words_for(problem) for problem in error.problems]
        what = tr("{n:decision is|decisions are} missing for a search.", n=len(every))
        lines = (f"–  {each.what} {each.fix}".rstrip() for each in every)
        return what, "\n".join(lines)

    def _show_plan(self, classes: Classes | None) -> None:
        plan_card = self._panel.optimal.plan
        show_if(plan_card, classes is not None)
        if classes is None:
            return
        try:
            plan = plan_search(self._project, classes)
        except DeidError as error:
            plan_card.show_problem(words_for(error).what)
            return
        if plan.seconds is None:
            self._measure_speed(classes)
        plan_card.show_plan(plan, self._project, classes, self._node_seconds)

    def _measure_speed(self, classes: Classes) -> None:
        """Measure how long a policy takes, once for the same decisions."""
        project = self._project
        parts = project.privacy.models, project.quality, project.quasi_identifiers
        asked = (classes.class_table, *parts)
        if asked == self._speed_of or self.problems() is not None or self.is_running:
            return
        self._speed_of, self._node_seconds = asked, None
        self._questions.speed(self._on_speed, self._on_speed_failed)

    def _on_speed(self, seconds: float) -> None:
        self._node_seconds = seconds
        self._show_plan(self._session.current(Kind.CLASSES))

    def _on_speed_failed(self, error: BaseException) -> None:
        # What is wrong with the decisions is told where they are made.
        if not isinstance(error, DeidError):
            raise error

    # -- what a search adds: least general policies, local recoding ----------------

    def _show_found(self) -> None:
        found: LatticePolicies | None = self._session.current(LATTICE)
        is_minimal = found is not None and bool(found.minimal)
        is_shown = is_minimal and found is not None and found.optimum is not None
        show_if(self._panel.optimal.minimal, is_shown)
        if found is not None and is_shown:
            self._panel.optimal.minimal.show_minimal(found)
        self._show_rounds(found)

    def _show_rounds(self, found: LatticePolicies | None) -> None:
        """Show what further rounds gain; searches them when they are first wanted."""
        card = self._panel.optimal.rounds
        if not self._project.search.local_recoding:
            found = None
        show_if(card, found is not None)
        if found is None:
            return
        if self._rounds_of is found:
            rounds = self._rounds
            is_chosen = rounds is not None and self._project.chosen == rounds.choice()
            card.show_rounds(rounds, found, is_chosen=is_chosen)
            return
        card.show_waiting()
        self._questions.rounds(partial(self._on_rounds, found))

    def _on_rounds(self, found: LatticePolicies, rounds: FoundRounds | None) -> None:
        self._rounds_of, self._rounds = found, rounds
        self._show_rounds(self._session.current(LATTICE))

    def _on_rounds_chosen(self) -> None:
        if self._rounds is not None:
            op = ops.choose_policy(self._rounds.choice())
            self._decide(op, tr("choose local recoding"))

    # -- starting ------------------------------------------------------------------

    def start(self) -> None:
        """Look for policies in the chosen way; what is found is shown meanwhile."""
        try:
            ways = {
                "optimal": self.search,
                "alternatives": self.discover,
                "blocks": self.search_blocks,
                "longitudinal": self.search_events,
            }
            ways[self._panel.way]()
        except DeidError as error:
            self._page.show_error(error)

    def search(self) -> None:
        """Search for the best policy under the thresholds.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems together.
        """
        self._begin("optimal")
        self._workspace.policies.start(LATTICE)

    def search_events(self) -> None:
        """Search policies under which few enough people are at risk.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems together.
        """
        self._begin("longitudinal")
        self._workspace.policies.start(LONGITUDINAL)

    def search_blocks(self) -> None:
        """Look for a policy block by block.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems together.
        """
        self._begin("blocks")
        self._workspace.policies.start(BLOCKS)

    def discover(self) -> None:
        """Look for alternatives.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems together.
        """
        if self._discover.baseline is None:
            self._take_safe_harbor()
        self._begin("alternatives")
        self._workspace.policies.start(ALTERNATIVES)

    # -- deciding ------------------------------------------------------------------

    def _decide(self, op: ops.Op, label: str) -> None:
        if self._page.apply(op, label):
            self._page.refresh(self._page.parts)

    def _on_way_chosen(self, way: Way) -> None:
        self._way_is_decided = True
        if way == "alternatives" and self._discover.baseline is None:
            self._take_safe_harbor()
        self._page.refresh(self._page.parts)

    def forget_way(self) -> None:
        """Let the next project decide which way is shown."""
        self._way_is_decided = False

    def _change(self, **changes: Any) -> None:
        discover = self._discover.but(**changes)
        label = tr("change how alternatives are found")
        self._decide(partial(_with_discover, discover), label)

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
        project = self._project
        discover = with_elements(project.discover, proposed_elements(project))
        op = partial(_with_discover, discover)
        self._decide(op, tr("compare with Safe Harbor"))

    def _on_policy_baseline(self, place: int) -> None:
        policy = self._panel.alternatives.baseline.policy_at(place)
        self._change(baseline="policy", policy=policy, typed=None)

    def _on_preferred(self, preferences: tuple[PreferenceChoice, ...]) -> None:
        op = partial(_with_discover, self._discover.but(preferences=preferences))
        self._decide(op, tr("change preferences"))

    def _on_plan_decided(self, changes: dict[str, Any]) -> None:
        search = self._project.search
        if any(getattr(search, name) != value for name, value in changes.items()):
            op = ops.change_search(**changes)
            self._decide(op, tr("change the search"))

    def _on_blocks_decided(self, changes: dict[str, Any]) -> None:
        op = ops.change_blocks(**changes)
        self._decide(op, tr("change the search"))

    def _on_estimate_wanted(self) -> None:
        if self._session.current(Kind.CLASSES) is None or self.is_running:
            return
        self._panel.blocks.show_estimates(None)
        show = self._panel.blocks.show_estimates
        self._questions.block_sizes(show, self._on_estimate_failed)

    def _on_estimate_failed(self, error: BaseException) -> None:
        self._panel.blocks.show_estimates(())
        if not isinstance(error, DeidError):
            raise error
        self._page.show_error(error)

    def _on_model_wanted(self) -> None:
        problems = blocks_problems(self._project)
        place = PLACE_OF.get(problems[0].code, "risk") if problems else "risk"
        self._page.step_wanted.emit(place)

    def _on_measure_set(self, measure: QualityMeasure) -> None:
        op = ops.set_quality_measure(measure)
        self._decide(op, tr("set quality measure"))

    def _on_keeping_set(self, is_kept: bool) -> None:
        self._decide(ops.set_keep_something(is_kept), tr("set what shall be kept"))

    # -- leading elsewhere ---------------------------------------------------------

    def _on_problem_acted(self) -> None:
        if self._problem_place == PLAN:
            self._panel.show_part(self._panel.optimal.plan)
        else:
            self._page.step_wanted.emit(self._problem_place)

    def _on_events_wanted(self) -> None:
        self._page.step_wanted.emit("risk/events")

    def _on_population_wanted(self) -> None:
        self._page.step_wanted.emit(POPULATION)

    def _on_population_problem_acted(self) -> None:
        place = self._panel.alternatives.baseline.problem_place
        self._page.step_wanted.emit(place)

    def _on_ages_wanted(self, attribute: str) -> None:
        self._follow(to_ages(attribute, self._come_back))

    def _on_order_wanted(self, attribute: str) -> None:
        self._follow(to_order(attribute, self._come_back))

    def _follow(self, lead: Detour) -> None:
        self._page.step_wanted.emit(lead.place)
        self._page.reported.emit(lead.notice)


def _with_discover(discover: Discover, project: Project) -> Project:
    return project.but(discover=discover)


def _place_of(error: ConfigError) -> str:
    """Return where the first problem is fixed."""
    first = error.problems[0] if isinstance(error, ProblemsError) else error
    return PLACE_OF.get(first.code, "risk")
