"""The averaging attack: how often a question must be repeated."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.noise import attack_chart
from deidgui.app.counts.advising import Averaging
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.qt.charts.bars import HistogramView
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Label,
    ProgressCard,
    SpinBox,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

RUNS = 10_000


class AveragingPane(QWidget):
    """Simulates attackers who ask again and average.

    Attributes
    ----------
    attack_wanted : Signal of int
        So many attackers shall be simulated.
    """

    attack_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rule: NoiseRule | None = None
        self.found: Averaging | None = None
        self.runs = SpinBox(100, 1_000_000, RUNS, name=tr("Attackers"))
        self.start = Button(
            tr("Simulate the attacks"), "primary", "play", clicked=self._ask
        )
        self.progress = ProgressCard(tr("Simulating attacks"), can_pause=False)
        self.keyed = Callout()
        self.stale = Callout()
        self.result = Label("", "strong", wrap=True)
        self.chart = ChartFrame(HistogramView())
        self.chart.setMinimumHeight(340)
        self._build()
        self.show_rule(None)

    def _build(self) -> None:
        card = Card(
            tr("Averaging attack"),
            tr(
                "An attacker asks the same question again and again and takes the "
                "average of the answers."
            ),
        )
        words = Label(tr("Attackers"), "body", "muted")
        card.add(holder(row(words, self.runs, None, self.start)))
        card.add(self.keyed)
        card.add(self.progress)
        card.add(self.stale)
        card.add(self.result)
        card.add(self.chart)
        card.add(
            Caption(
                tr(
                    "An attacker has the count when six averages in a row are within ½ "
                    "of it; the first question is no repeat. With this definition both "
                    "published numbers are found: 12.3 repeats at σ = 1.33 and about "
                    "24 at σ = 2.5."
                )
            )
        )
        self.setLayout(column(card, None))

    def show_rule(self, rule: NoiseRule | None) -> None:
        """Show for which noise attacks can be simulated."""
        self._rule = rule
        self.start.setEnabled(rule is not None)
        is_keyed = rule is not None and rule.is_keyed
        show_if(self.keyed, is_keyed or rule is None)
        if rule is None:
            self.keyed.show_words(tr("Fix the values of the noise first."), "warning")
        elif is_keyed:
            self.keyed.show_words(
                tr("Averaging gains nothing only while the key of the noise is kept."),
                "info",
                tr(
                    "Unless a key file is chosen on the step Preview and export, the "
                    "key is destroyed after each release: the next release of the same "
                    "data gets fresh noise, and averaging gains what is shown here."
                ),
            )
        self._show()

    def show_found(self, found: Averaging) -> None:
        """Show simulated attacks beside what is expected."""
        self.found = found
        self._show()

    def set_running(self, is_running: bool) -> None:
        """Offer no second run beside the first."""
        self.start.setEnabled(not is_running and self._rule is not None)

    def _show(self) -> None:
        found = self.found
        for each in (self.result, self.chart):
            show_if(each, found is not None)
        is_stale = found is not None and found.rule != self._rule
        show_if(self.stale, is_stale)
        self.stale.show_words(
            tr("These attacks were simulated for other noise."),
            "warning",
            tr("Simulate them again to bring them up to date."),
        )
        if found is None:
            return
        allowed = getattr(found.rule, "lockout_repeats", None)
        self.chart.set_chart(attack_chart(found.simulated, found.exact, allowed))
        self.result.setText(
            tr(
                "{mean} ± {error} repeats on average (expected: {exact})",
                mean=f"{found.simulated.mean:.2f}",
                error=f"{found.simulated.standard_error:.2f}",
                exact=f"{found.exact.mean:.2f}",
            )
        )

    def _ask(self) -> None:
        self.attack_wanted.emit(self.runs.value())
