"""How small a sample to release: curves, a plan by policy, and the decision."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.formats import number_text
from deidgui.app.drawn import sample_words, small_words
from deidgui.app.project import Chosen, SampleChoice
from deidgui.app.sampling.chart import sampling_chart
from deidgui.app.sampling.curves import (
    Meeting,
    SamplePlan,
    finding_words,
    highest_words,
)
from deidgui.engine.sampling.curve import FEWEST_FOR_ANALYSIS
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    DecimalBox,
    Label,
    ProgressCard,
    SpinBox,
    TextTable,
    column,
    show_if,
    wrapping,
)
from deidgui.text import Text, share_text, tr

HEADS: tuple[Text, ...] = (
    "Policy",
    "Loss",
    "Largest sample",
    "Size",
    "Average risk",
    "Suppressed",
    "Detectable difference",
)

PROPOSED = 0.1
"""Threshold of the average risk that the field begins with."""


def _texts(plan: SamplePlan, place: int, threshold: float) -> tuple[str, ...]:
    """Row of the data, or of a policy."""
    of = plan.curves[place].of
    name = of.words if of.chosen is None else f"{place}  {of.words}"
    loss = "" if of.loss is None else share_text(of.loss)
    return name, loss, *_met_texts(plan.meeting(place, threshold))


def _met_texts(met: Meeting) -> tuple[str, ...]:
    if not met.n_sampled:
        return (tr("none"), "0", "", "", "")
    shown = number_text(met.effects.difference) if met.effects else ""
    size = f"{met.n_sampled:,}"
    shares = share_text(met.average), share_text(met.suppressed)
    return share_text(met.fraction), size, *shares, shown


class SamplesPane(QWidget):
    """Curves of risk over the sampling fraction, and what is decided about it.

    Attributes
    ----------
    plan_wanted : Signal of int
        Curves shall be computed, of the data and of so many policies.
    stop_wanted : Signal
    sample_wanted : Signal of (Chosen or None, SampleChoice or None)
        A sample, or everybody, shall be released; with a policy if there is one.
    """

    plan_wanted = Signal(int)
    stop_wanted = Signal()
    sample_wanted = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plan: SamplePlan | None = None
        self._decided: SampleChoice | None = None
        self.threshold = DecimalBox(
            0.1, 100, 100 * PROPOSED, 0.1, "%", name=tr("Highest average risk")
        )
        self.n_policies = SpinBox(0, 30, 5, name=tr("Policies to compare"))
        self.start = Button(
            tr("Compute the curves"), "primary", glyph="chart", clicked=self._ask
        )
        self.progress = ProgressCard(tr("Drawing samples"), can_pause=False)
        self.progress.cancel_clicked.connect(self.stop_wanted)
        self.stale = Callout()
        self.chart = ChartFrame(LineView())
        self.chart.setFixedHeight(330)
        self.finding = Label("", wrap=True)
        self.nothing_else = Caption("")
        self.highest = Label("", wrap=True)
        self.table = TextTable(
            tr("Largest sample of each policy"),
            [tr(each) for each in HEADS],
            numbers=range(1, len(HEADS)),
        )
        self.fraction = DecimalBox(
            0.0001, 100, 100, 0.01, "%", name=tr("Sampling fraction")
        )
        self.use = Button(tr("Release a sample of this size"), clicked=self._use)
        self.everybody = Button(tr("Release everybody"), clicked=self._release_all)
        self.state = Label("", wrap=True)
        self.few = Callout()
        self.few.acted.connect(self._accept_few)
        self._build()
        self.threshold.valueChanged.connect(self._on_threshold)
        self.fraction.valueChanged.connect(self._on_fraction)
        self.table.currentCellChanged.connect(self._on_row_changed)
        self.show_state(None, None)
        self.set_progress(None)

    def _build(self) -> None:
        plan = Card(
            tr("Risk of a sample"),
            tr(
                "If only a random part of the people is released, the average risk "
                "falls: nobody knows who is in it."
            ),
        )
        words = Label(tr("Highest average risk"), "body", "muted")
        others = Label(tr("Policies to compare"), "body", "muted")
        limit, compared = (words, self.threshold), (others, self.n_policies)
        plan.add(wrapping(limit, compared, (self.start,)))
        plan.add(self.progress)
        plan.add(self.stale)
        self._found = QWidget()
        self._found.setLayout(
            column(
                self.finding,
                self.nothing_else,
                self.chart,
                self.table,
                self.highest,
                Caption(
                    tr(
                        "Average risk: probability that a member of the file, not "
                        "known to be in the sample, is found. Simple random samples; "
                        "stratified ones are outside these formulas. Detectable "
                        "difference: the smallest between two equal groups, in "
                        "standard deviations, at a power of 90\u202f% and a "
                        "level of 5\u202f%."
                    )
                ),
                spacing=12,
            )
        )
        plan.add(self._found)
        decision = Card(
            tr("What is released"),
            tr("Conditions and figures are then those of the sample."),
        )
        decision.add(self.state)
        decision.add(self.few)
        decision.add(wrapping((self.fraction,), (self.use,), (self.everybody,)))
        self.setLayout(column(plan, decision, None, spacing=16))

    # -- showing -------------------------------------------------------------------

    def show_state(
        self, decided: SampleChoice | None, sizes: tuple[int, int, bool] | None
    ) -> None:
        """Show what is decided.

        Parameters
        ----------
        sizes : tuple of (int, int, bool) or None
            People of the sample and of the file, and whether these are people with
            rows; None while they are not counted.
        """
        if decided is not None and decided != self._decided:
            self.fraction.set_value(100 * decided.fraction)
        self._decided = decided
        self.state.setText(sample_words(decided, sizes))
        show_if(self.everybody, decided is not None)
        self._show_whether_new()
        is_few = decided is not None and sizes is not None
        is_few = is_few and sizes is not None and sizes[0] < FEWEST_FOR_ANALYSIS
        show_if(self.few, bool(is_few))
        if is_few and sizes is not None and decided is not None:
            is_accepted = decided.accepts_few
            self.few.show_words(
                small_words(sizes[0]),
                "info" if is_accepted else "warning",
                tr("Accepted; the report says so.")
                if is_accepted
                else tr("The release waits until somebody accepts this."),
                "" if is_accepted else tr("Accept the small sample"),
            )

    def show_plan(self, plan: SamplePlan | None, *, is_stale: bool = False) -> None:
        """Show curves; None where none were computed."""
        is_new, self.plan = plan is not self.plan, plan
        show_if(self._found, plan is not None)
        show_if(self.stale, is_stale and plan is not None)
        self.stale.show_words(
            tr("These curves are based on earlier decisions."),
            "warning",
            tr("Compute them again to bring them up to date."),
        )
        self._show_plan()
        if is_new:
            self._propose_fraction()

    def set_progress(self, fraction: float | None, elapsed_s: float = 0.0) -> None:
        """Show how far the job is; None when none runs."""
        show_if(self.progress, fraction is not None)
        self.start.setEnabled(fraction is None)
        if fraction is not None:
            self.progress.set_progress(fraction, "", elapsed_s)

    def _show_plan(self) -> None:
        if self.plan is None:
            return
        limit = self.threshold.value() / 100
        decided = self._decided.fraction if self._decided else None
        self.chart.set_chart(sampling_chart(self.plan.curves, limit, decided))
        chosen = max(0, self.table.currentRow())
        was_blocked = self.table.blockSignals(True)
        rows = [
            _texts(self.plan, place, limit) for place in range(len(self.plan.curves))
        ]
        self.table.show_texts(rows)
        self.table.fit(min(len(rows), 8))
        show_if(self.nothing_else, len(rows) == 1)
        self.nothing_else.setText(
            tr("No policy has been found yet: find policies to compare them here.")
        )
        self.table.selectRow(min(chosen, self.table.rowCount() - 1))
        self.table.blockSignals(was_blocked)
        self._show_highest()

    def _show_highest(self) -> None:
        place = self.table.currentRow()
        if self.plan is None or not 0 <= place < len(self.plan.curves):
            return
        limit = self.threshold.value() / 100
        self.finding.setText(finding_words(self.plan, place, limit))
        fraction = self.fraction.value() / 100
        self.highest.setText(
            highest_words(
                self.plan.curves[place], fraction, by_person=self.plan.by_person
            )
        )

    def _on_fraction(self) -> None:
        self._show_highest()
        self._show_whether_new()

    def _show_whether_new(self) -> None:
        """Offer no sample of everybody where everybody is released already."""
        is_everybody = self._decided is None and self.fraction.value() >= 100
        is_everybody = is_everybody and self._policy() is None
        self.use.setEnabled(not is_everybody)
        words = tr("No sample is drawn; choose less than 100\u202f%.")
        self.use.setToolTip(words if is_everybody else "")

    def _on_threshold(self) -> None:
        self._show_plan()
        self._propose_fraction()

    def _propose_fraction(self) -> None:
        """Propose the largest sample of the row, unless a size is decided."""
        if self._decided is None:
            self._on_row_changed(self.table.currentRow())

    def _on_row_changed(self, place: int, *_others: int) -> None:
        if self.plan is None or not 0 <= place < len(self.plan.curves):
            return
        found = self.plan.meeting(place, self.threshold.value() / 100)
        if found.n_sampled:
            # Rounded down: a sample that is larger than it may be would not meet.
            self.fraction.set_value(math.floor(1e4 * found.fraction) / 100)
        self._on_fraction()

    # -- asking --------------------------------------------------------------------

    def _ask(self) -> None:
        self.plan_wanted.emit(min(self.n_policies.value(), 30))

    def _use(self) -> None:
        fraction = self.fraction.value() / 100
        choice = SampleChoice(fraction=fraction)
        if self._decided is not None:
            choice = self._decided.but(fraction=fraction, accepts_few=False)
        self.sample_wanted.emit(self._policy(), choice)

    def _policy(self) -> Chosen | None:
        place = self.table.currentRow()
        if self.plan is None or not 0 <= place < len(self.plan.curves):
            return None
        return self.plan.curves[place].of.chosen

    def _release_all(self) -> None:
        self.sample_wanted.emit(None, None)

    def _accept_few(self) -> None:
        if self._decided is not None:
            self.sample_wanted.emit(None, self._decided.but(accepts_few=True))
