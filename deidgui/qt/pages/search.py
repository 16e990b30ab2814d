"""The page Search: what will be searched, how it goes, what was found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from deidgui.app import tasks
from deidgui.app.activity import Activity
from deidgui.app.changes import Changes
from deidgui.app.charts.curves import search_progress
from deidgui.app.session import Kind, State
from deidgui.app.workspace import SEARCH
from deidgui.errors import ConfigError, DeidError, ProblemsError
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Label,
    ProgressCard,
    StatTile,
    clear,
    duration_words,
    row,
    show_if,
)

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

LONG_SEARCH_S = 60
"""Beyond this a search is worth a hint on how to make it smaller."""


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
            self.tr("Search"),
            self.tr(
                "Every combination of levels is one policy. All of them are examined "
                "exactly, so that the best one is known to be the best."
            ),
        )
        self.run_button = Button(
            self.tr("Search"), "primary", "search", self._on_run_clicked
        )
        self.add_header_action(self.run_button)
        self._problem = Callout()
        self._problem.acted.connect(self._on_problem_acted)
        self._problem_step = ""
        self.progress = ProgressCard(self.tr("Searching"))
        self.progress.pause_clicked.connect(self._on_pause_clicked)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        self._best = Label("", "body", wrap=True)
        self._live = Card(self.tr("Best policy so far"))
        self._live.add(self._best)
        self._chart = ChartFrame(LineView())
        self._chart.setMinimumHeight(260)
        self._live.add(self._chart)
        self.outcome = _Outcome()
        self.outcome.step_wanted.connect(self.step_wanted)
        self._plan = Card(self.tr("What will be searched"))
        self._plan_grid = QGridLayout()
        self._plan_grid.setHorizontalSpacing(24)
        self._plan_grid.setVerticalSpacing(6)
        self._plan_words = Label("", wrap=True)
        self._plan_hint = Caption()
        self._plan.add(self._plan_words)
        self._plan.add(self._plan_hint)
        self._plan.body.addLayout(self._plan_grid)
        for each in (
            self._problem,
            self.progress,
            self.outcome,
            self._live,
            self._plan,
        ):
            self.body.addWidget(each)
        self.body.addStretch(1)
        self._nodes: list[int] = []
        self._losses: list[float] = []
        workspace.activity.connect(self._on_activity)
        workspace.best_found.connect(self._on_best_found)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show plan, problems and outcome as they are now."""
        self._show_problem()
        self._show_plan()
        self._show_outcome()
        self._show_running(self.workspace.is_running(SEARCH))

    def _problems(self) -> ConfigError | None:
        try:
            tasks.check_search(self.session.project)
        except ConfigError as error:
            return error
        return None

    def _show_problem(self) -> None:
        error = self._problems()
        if self.session.loaded is None:
            self._problem.show_words(
                self.tr("No data file is open."), "info", "", self.tr("Go to Start")
            )
            self._problem_step = "start"
        elif error is not None:
            words = words_for(error)
            self._problem_step = _step_of(error)
            self._problem.show_words(
                words.what, "warning", words.mend, self.tr("Take me there")
            )
        show_if(self._problem, error is not None or self.session.loaded is None)
        self.run_button.setEnabled(error is None and self.session.loaded is not None)

    def _show_plan(self) -> None:
        classes = self.session.current(Kind.CLASSES)
        show_if(self._plan, classes is not None)
        if classes is None:
            return
        project = self.session.project
        try:
            size = tasks.search_size(project, classes)
        except DeidError as error:
            self._plan_words.setText(words_for(error).what)
            return
        self._plan_words.setText(
            self.tr(
                "{nodes:,} policies over {combinations:,} distinct combinations."
            ).format(nodes=size.n_nodes, combinations=size.n_combinations)
            + " "
            + self._duration_words(size.seconds)
        )
        hint = ""
        if size.seconds > LONG_SEARCH_S:
            hint = self.tr(
                "To make it smaller: leave out columns that follow from others, choose "
                "fewer levels, or set the finest and coarsest level that make sense."
            )
        self._plan_hint.setText(hint)
        show_if(self._plan_hint, bool(hint))
        self._fill_plan(classes)

    def _duration_words(self, seconds: float) -> str:
        if seconds < 1:
            return self.tr("This should take less than a second.")
        words = self.tr("This should take about {duration}.")
        return words.format(duration=duration_words(seconds))

    def _fill_plan(self, classes: tasks.Classes) -> None:
        clear(self._plan_grid)
        heads = (self.tr("Quasi-identifier"), self.tr("Levels"), self.tr("Weight"))
        for place, words in enumerate(heads):
            self._plan_grid.addWidget(Label(words, "caption", "muted"), 0, place)
        for line, attribute in enumerate(
            self.session.project.quasi_identifiers, start=1
        ):
            height = classes.hierarchies[attribute.name].height
            low = attribute.minimum_level or 0
            high = height
            if attribute.maximum_level is not None:
                high = min(height, attribute.maximum_level)
            levels = self.tr("{low} to {high} of {height}").format(
                low=low, high=high, height=height
            )
            self._plan_grid.addWidget(Label(attribute.name), line, 0)
            self._plan_grid.addWidget(Label(levels), line, 1)
            self._plan_grid.addWidget(Label(f"{attribute.weight:g}"), line, 2)
        self._plan_grid.setColumnStretch(3, 1)

    def _show_outcome(self) -> None:
        found = self.session.result(Kind.SEARCH)
        self.outcome.show_found(found, self.session.state(Kind.SEARCH))
        show_if(self.outcome, found is not None)

    def _show_running(self, is_running: bool) -> None:
        show_if(self.progress, is_running)
        show_if(self._live, is_running and bool(self._nodes))
        if is_running:
            show_if(self.outcome, False)
        ready = self._problems() is None and self.session.loaded is not None
        self.run_button.setEnabled(ready and not is_running)
        again = self.session.result(Kind.SEARCH) is not None
        self.run_button.setText(self.tr("Search again") if again else self.tr("Search"))

    # -- following the search ------------------------------------------------------

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != SEARCH:
            return
        is_running = activity.fraction is not None
        if is_running:
            self.progress.set_progress(
                activity.fraction, self._note_words(activity), activity.elapsed_s
            )
        self._show_running(is_running)
        if not is_running:
            self._show_outcome()
        self.status_changed.emit()

    def _note_words(self, activity: Activity) -> str:
        counts = re.findall(r"\d+", activity.note)
        if activity.note.startswith("nodes") and counts:
            n_checked = int(counts[0])
            rate = n_checked / max(activity.elapsed_s, 0.001)
            words = self.tr("{nodes:,} policies examined, {rate:,.0f} a second")
            return words.format(nodes=n_checked, rate=rate)
        if activity.note == "hierarchies":
            return self.tr("Building hierarchies")
        if activity.note == "classes":
            return self.tr("Counting distinct combinations")
        return self.tr("Looking closer at the best candidates")

    def _on_best_found(self, best: tasks.Best) -> None:
        self._nodes.append(best.n_checked)
        self._losses.append(best.loss)
        words = self.tr("{withheld:,} records withheld; loss {loss:.4f}")
        self._best.setText(words.format(withheld=best.n_withheld, loss=best.loss))
        nodes = np.array(self._nodes, dtype=np.int64)
        self._chart.set_chart(search_progress(nodes, np.array(self._losses)))

    # -- deciding ------------------------------------------------------------------

    def _on_run_clicked(self) -> None:
        self._nodes, self._losses = [], []
        self.progress.set_paused(False)
        try:
            self.workspace.start_search()
        except DeidError as error:
            self.tell_error(error)

    def _on_pause_clicked(self) -> None:
        self.workspace.pause(SEARCH)
        job = self.workspace.runner.running(SEARCH)
        self.progress.set_paused(job is not None and job.is_paused)

    def _on_cancel_clicked(self) -> None:
        self.workspace.cancel(SEARCH)

    def _on_problem_acted(self) -> None:
        self.step_wanted.emit(self._problem_step)

    # -- for the window ------------------------------------------------------------

    def status(self) -> PageStatus:
        """Say how the search stands."""
        if self.session.loaded is None:
            return NOT_YET
        if self.workspace.is_running(SEARCH):
            words = self.tr("The search is still running.")
            return PageStatus(StepState.READY, self.tr("running"), words)
        state = self.session.state(Kind.SEARCH)
        found = self.session.result(Kind.SEARCH)
        if state is State.ABSENT or found is None:
            if self._problems() is not None:
                return NOT_YET
            return PageStatus(
                StepState.READY, self.tr("ready"), self.tr("Run the search first.")
            )
        if state is State.STALE:
            return PageStatus(
                StepState.STALE,
                self.tr("out of date"),
                self.tr("Decisions have changed: search again."),
            )
        if found.optimum is None:
            return PageStatus(
                StepState.ATTENTION,
                self.tr("nothing found"),
                self.tr("No policy meets the thresholds."),
            )
        if not self.session.is_complete(Kind.SEARCH):
            return PageStatus(StepState.ATTENTION, self.tr("stopped early"))
        caption = self.tr("{number:,} policies").format(number=found.result.n_solutions)
        return PageStatus(StepState.DONE, caption)

    def help_words(self) -> str:
        """Say the best policy in words."""
        found = self.session.current(Kind.SEARCH)
        if found is None or found.optimum is None:
            return ""
        return self.tr("**Best policy.** {words}").format(
            words=found.words(found.optimum)
        )


def _step_of(error: ConfigError) -> str:
    """Return the step on which a problem is mended."""
    first = error.problems[0] if isinstance(error, ProblemsError) else error
    steps = {
        "role_missing": "attributes",
        "no_quasi_identifier": "attributes",
        "hierarchy_missing": "hierarchies",
    }
    return steps.get(first.code, "risk")


class _Outcome(QWidget):
    """What the search found: the best policy, or the nearest miss."""

    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = Callout()
        self._card = Card(self.tr("Best policy"))
        self._parts = QVBoxLayout()
        self._parts.setSpacing(4)
        self._card.body.addLayout(self._parts)
        self._tiles = [StatTile() for _ in range(4)]
        tiles = QHBoxLayout()
        tiles.setSpacing(12)
        for tile in self._tiles:
            tiles.addWidget(tile, 1)
        self._card.body.addLayout(tiles)
        self.explore_button = Button(
            self.tr("Compare alternatives"), glyph="explore", clicked=self._on_explore
        )
        self.preview_button = Button(
            self.tr("Preview the release"), glyph="export", clicked=self._on_preview
        )
        self._card.body.addLayout(
            row(self.explore_button, self.preview_button, None, spacing=8)
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(self._state)
        box.addWidget(self._card)

    def show_found(self, found: tasks.Found | None, state: State) -> None:
        """Show the outcome of a search, current or stale."""
        if found is None:
            return
        best = found.optimum
        show_if(self._card, best is not None)
        if best is None:
            words = words_for(tasks.infeasible(found))
            self._state.show_words(words.what, "danger", words.mend)
            show_if(self._state, True)
            return
        self._show_state(found, state)
        self._show_policy(found, best)
        self._show_tiles(found, best)

    def _show_state(self, found: tasks.Found, state: State) -> None:
        if state is State.STALE:
            self._state.show_words(
                self.tr("These results rest on earlier decisions."),
                "warning",
                self.tr("Search again to bring them up to date."),
            )
        elif not found.complete:
            words = self.tr(
                "The search was stopped after {checked:,} of {nodes:,} policies."
            )
            self._state.show_words(
                words.format(checked=found.n_checked, nodes=found.lattice.n_nodes),
                "warning",
                self.tr("What follows is the best so far; a better one may exist."),
            )
        show_if(self._state, state is State.STALE or not found.complete)

    def _show_policy(self, found: tasks.Found, node: int) -> None:
        clear(self._parts)
        for part in found.words(node).split("; "):
            self._parts.addWidget(Label(part, wrap=True))

    def _show_tiles(self, found: tasks.Found, node: int) -> None:
        withheld = int(found.withheld[node])
        share = 100 * withheld / found.n_records
        facts = (
            (
                self.tr("Policies that meet the thresholds"),
                f"{found.result.n_solutions:,}",
                self.tr("of {nodes:,}").format(nodes=found.lattice.n_nodes),
                self.tr("Every one of them is safe enough by your decisions."),
            ),
            (
                self.tr("Withheld"),
                f"{withheld:,}",
                self.tr("records ({share:.1f} %)").format(share=share),
                self.tr("Nothing of them is released."),
            ),
            (
                self.tr("Average risk"),
                f"{100 * found.average_risk[node]:.2f}",
                "%",
                self.tr("Mean probability that a known person is found."),
            ),
            (
                self.tr("Loss"),
                f"{100 * found.loss[node]:.1f}" if found.loss[node] <= 1 else "–",
                "%",
                self.tr("0 % keeps every value, 100 % keeps nothing."),
            ),
        )
        for tile, fact in zip(self._tiles, facts, strict=True):
            tile.set_figure(*fact)

    def _on_explore(self) -> None:
        self.step_wanted.emit("explore")

    def _on_preview(self) -> None:
        self.step_wanted.emit("export")
