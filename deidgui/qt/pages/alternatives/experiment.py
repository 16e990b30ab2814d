"""The published experiment on the current project: run it, look at it, save it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from deidgui.app.charts.experiment import (
    cumulative_evaluations,
    cumulative_time,
    iteration_time,
    non_dominated_found,
)
from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.experiment.case import (
    MOST_ITERATIONS,
    Case,
    Choice,
    Outcome,
    run_case,
)
from deidgui.app.experiment.describe import notes
from deidgui.app.experiment.folder import write_folder
from deidgui.app.jobs import Job, JobRunner
from deidgui.engine.discover.results import Discovery
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    ComboBox,
    KeyValueList,
    Label,
    Notice,
    ProgressCard,
    SpinBox,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

LANE, SAVING = "experiment", "save experiment"
LARGEST_SEED = 2**31 - 1
FOLDER = "experiment"
CHART_HEIGHT = 280

CHARTS = (cumulative_time, cumulative_evaluations, non_dominated_found, iteration_time)

AskFolder = Callable[[QWidget], str]
"""Asks where the folder shall be made; "" if the user declines."""


def ask_folder(parent: QWidget) -> str:
    """Ask by the dialog of the system."""
    title = tr("Where shall the folder of the experiment be made?")
    return QFileDialog.getExistingDirectory(parent, title)


class ExperimentCard(Card):
    """BPS and directed search side by side, on what the page is about.

    The page says what is searched by `set_case`; both searches run in a worker
    thread, and what was found before stays until they end.

    Parameters
    ----------
    ask : callable, optional
        Asks for a folder.

    Attributes
    ----------
    told : Signal of Notice
        Something was saved, or could not be.
    """

    told = Signal(object)

    def __init__(
        self,
        runner: JobRunner,
        ask: AskFolder = ask_folder,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("The published experiment"),
            tr(
                "How many alternatives do bisecting search (BPS) and directed search "
                "find, and how much work is it?"
            ),
        )
        self._runner, self._ask = runner, ask
        self._make: Callable[[Monitor], Case] | None = None
        self._started = 0.0
        self.outcome: Outcome | None = None
        self._build_choice()
        self._build_outcome()
        self.set_case(None)

    def _build_choice(self) -> None:
        self.iterations = SpinBox(1, MOST_ITERATIONS, 100, name=tr("Iterations"))
        self.seed = SpinBox(0, LARGEST_SEED, 0, name=tr("Seed"))
        self.weights = ComboBox(
            (
                ("both", tr("By size and use, as published")),
                ("size", tr("By size of the attribute")),
                ("use", tr("By use in earlier policies")),
                ("none", tr("All alike")),
            ),
            tr("What BPS joins"),
        )
        self.run_button = Button(tr("Run"), glyph="play", clicked=self.run)
        self.add(
            Columns(
                [
                    (field_row(tr("Iterations"), self.iterations), 1),
                    (field_row(tr("Seed"), self.seed), 1),
                    (field_row(tr("What BPS joins"), self.weights), 2),
                ],
                stack_below=520,
            )
        )
        self.add(holder(row(self.run_button, None)))
        self.why_not = Caption("")
        self.add(self.why_not)
        self.progress = ProgressCard(tr("Experiment"), can_pause=False)
        self.progress.cancel_clicked.connect(self.cancel)
        show_if(self.progress, False)
        self.add(self.progress)
        self.problem = Callout()
        show_if(self.problem, False)
        self.add(self.problem)

    def _build_outcome(self) -> None:
        self.figures = KeyValueList()
        self.note = Label("", "body", wrap=True)
        self.charts = [ChartFrame(LineView()) for _ in CHARTS]
        for chart in self.charts:
            chart.setMinimumHeight(CHART_HEIGHT)
        first, second, third, fourth = self.charts
        self.save_button = Button(
            tr("Save to a folder…"), glyph="download", clicked=self._on_save
        )
        self.results = holder(
            column(
                self.note,
                self.figures,
                Columns([(first, 1), (second, 1)], stack_below=760),
                Columns([(third, 1), (fourth, 1)], stack_below=760),
                row(self.save_button, None),
                spacing=16,
            )
        )
        show_if(self.results, False)
        self.add(self.results)

    # -- what the page says --------------------------------------------------------

    def set_case(
        self, make: Callable[[Monitor], Case] | None, why_not: str = ""
    ) -> None:
        """Say what is searched.

        Parameters
        ----------
        make : callable or None
            Makes the case in a worker thread; None if there is nothing to search.
        why_not : str
            What is missing then, in one sentence.
        """
        self._make = make
        self.why_not.setText(why_not)
        show_if(self.why_not, make is None and bool(why_not))
        self._show_running(self._runner.running(LANE) is not None)

    # -- running -------------------------------------------------------------------

    def run(self) -> None:
        """Start both searches (lane `LANE`)."""
        make = self._make
        if make is None:
            return
        choice = Choice(
            self.iterations.value(), self.seed.value(), self.weights.current
        )

        def work(monitor: Monitor) -> Outcome:
            return run_case(make(monitor), choice, monitor=monitor)

        show_if(self.problem, False)
        self._started = time.monotonic()
        self.progress.set_progress(0.0)
        self._show_running(True)
        job = Job(self._on_done, self._on_failed, self._on_cancelled, self._on_progress)
        self._runner.start(LANE, work, job)

    def cancel(self) -> None:
        """Stop; what was found by an earlier run stays."""
        if job := self._runner.running(LANE):
            job.cancel()

    def _on_progress(self, fraction: float, _note: str) -> None:
        elapsed = time.monotonic() - self._started
        words = tr("Searching with both methods")
        self.progress.set_progress(fraction, words, elapsed)

    def _on_done(self, outcome: Outcome) -> None:
        self._show_running(False)
        self.show_outcome(outcome)

    def _on_cancelled(self) -> None:
        self._show_running(self._runner.running(LANE) is not None)

    def _on_failed(self, error: BaseException) -> None:
        self._show_running(False)
        if not isinstance(error, DeidError):
            raise error
        words = words_for(error)
        self.problem.show_words(words.what, "warning", words.fix)
        show_if(self.problem, True)

    def _show_running(self, is_running: bool) -> None:
        show_if(self.progress, is_running)
        self.run_button.setEnabled(self._make is not None and not is_running)
        for part in (self.iterations, self.seed, self.weights):
            part.setEnabled(not is_running)

    # -- looking -------------------------------------------------------------------

    def show_outcome(self, outcome: Outcome) -> None:
        """Show figures and charts of a finished experiment."""
        self.outcome = outcome
        found = outcome.experiment
        said = notes(outcome)
        is_trivial = outcome.every_policy_acceptable
        self.note.setText(said[0] if is_trivial else "")
        show_if(self.note, is_trivial)
        pairs = [
            (tr("BPS"), self._words(found.bps)),
            (tr("Directed search"), self._words(found.directed)),
        ]
        if not is_trivial:
            words = tr("directed search looks at {ratio} times as many policies")
            ratio = words.format(ratio=number_text(found.node_ratio))
            pairs.append((tr("In comparison"), ratio))
        self.figures.set_pairs(pairs)
        for frame, make in zip(self.charts, CHARTS, strict=True):
            frame.set_chart(make(found))
            show_if(frame, not is_trivial)
        show_if(self.results, True)

    def _words(self, found: Discovery) -> str:
        words = tr(
            "{policies} different policies, {kept} of them non-dominated; {looked} "
            "looked at; {time} ms"
        )
        return words.format(
            policies=count_text(len(found.distinct)),
            kept=count_text(int(found.n_non_dominated[-1])),
            looked=count_text(int(found.n_asked.sum())),
            time=number_text(1000 * float(found.seconds.sum())),
        )

    # -- saving --------------------------------------------------------------------

    def _on_save(self) -> None:
        chosen = self._ask(self)
        if chosen:
            self.save_to(_free_name(Path(chosen)))

    def save_to(self, folder: Path) -> None:
        """Write tables, figures and a page to a folder (lane `SAVING`)."""
        outcome = self.outcome
        if outcome is None:
            return

        def work(_monitor: Monitor) -> Path:
            write_folder(outcome, folder)
            return folder

        self._runner.start(SAVING, work, Job(self._on_saved, self._on_not_saved))

    def _on_saved(self, folder: Path) -> None:
        words = tr("The experiment is in the folder “{folder}”.")
        self.told.emit(Notice(words.format(folder=folder.name), "success"))

    def _on_not_saved(self, error: BaseException) -> None:
        if not isinstance(error, DeidError):
            raise error
        words = words_for(error)
        self.told.emit(Notice(words.what, "danger", words.fix, topic=error.code))


def _free_name(parent: Path) -> Path:
    """A folder that does not exist yet: experiment, experiment-2, ..."""
    number = 1
    folder = parent / FOLDER
    while folder.exists():
        number += 1
        folder = parent / f"{FOLDER}-{number}"
    return folder
