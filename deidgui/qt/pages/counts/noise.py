"""The Noise page: which noise counts get, advice, and the averaging attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from deidgui.app.counts import ops
from deidgui.app.counts.advising import attack, repeats_by_sigma
from deidgui.app.decides import Changes
from deidgui.app.jobs import Lane
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.monitor import Monitor
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.advice import AdvicePane
from deidgui.qt.pages.counts.averaging import AveragingPane
from deidgui.qt.pages.counts.rule import RulePane
from deidgui.qt.pages.counts.working import PageWork
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import Segmented, show_if
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.counts.advising import Averaging
    from deidgui.app.workspace import Workspace


class NoisePage(Page):
    """Decides on the noise; advice and simulated attacks decide nothing."""

    key = "noise"
    parts = Changes.COUNTS
    first = (RulePane, AdvicePane, AveragingPane)

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self.set_header(
            tr("Noise on counts"),
            tr("Noise hides no count, and no subtraction is exact any more."),
        )
        self.views = Segmented(
            [
                ("rule", tr("Noise")),
                ("advice", tr("Advice")),
                ("averaging", tr("Averaging attack")),
            ],
            name=tr("Views"),
        )
        self.views.chosen.connect(self.show_place)
        self.add_header_action(self.views)
        self.rule, self.advice = self.part(RulePane), self.part(AdvicePane)
        self.averaging = self.part(AveragingPane)
        self._panes: dict[str, QWidget] = {
            "rule": self.rule,
            "advice": self.advice,
            "averaging": self.averaging,
        }
        for pane in self._panes.values():
            self.place_later(pane, self.body.addWidget)
        self.rule.rule_wanted.connect(self._decide)
        self.advice.rule_wanted.connect(self._use_advice)
        self.averaging.attack_wanted.connect(self._attack)
        self._attacks = PageWork(self, Lane.AVERAGING, self.averaging.progress)
        self._attacks.running_changed.connect(self.averaging.set_running)
        self._repeats = PageWork(self, Lane.NOISE_ADVICE, self.advice.progress)
        self._is_asked = False
        self._repeats.running_changed.connect(self._on_repeats_running)
        self.show_place("rule")

    # -- showing -------------------------------------------------------------------

    @property
    def decided(self) -> NoiseRule | None:
        """The rule that a person has decided on."""
        counts = self.session.project.counts
        return None if counts is None else counts.noise

    def refresh(self, changes: Changes) -> None:
        """Show what is decided."""
        counts = self.session.project.counts
        self.rule.show_rule(self.decided, counts.threshold if counts else None)
        rule = self.decided or self.rule.shown
        self.advice.show_rule(rule, counts.threshold if counts else None)
        self.averaging.show_rule(rule)

    def show_place(self, part: str) -> None:
        """Show one of the views."""
        if part not in self._panes:
            return
        self.views.set_current(part)
        for key, pane in self._panes.items():
            show_if(pane, key == part)
        if part == "averaging":
            self.averaging.show_rule(self.decided or self.rule.shown)
        if part == "advice":
            counts = self.session.project.counts
            threshold = counts.threshold if counts else None
            self.advice.show_rule(self.decided or self.rule.shown, threshold)
            self._compute_repeats()

    def status(self) -> PageStatus:
        """Say whether somebody has decided, and on how much noise."""
        rule = self.decided
        if rule is None:
            return PageStatus(StepState.READY, tr("not decided"))
        return PageStatus(StepState.DONE, tr("σ = {sigma}", sigma=f"{rule.sigma:g}"))

    def help_words(self) -> str:
        """Say what is done to the counts."""
        rule = self.decided
        return "" if rule is None else "\n\n".join(rule.words())

    # -- deciding ------------------------------------------------------------------

    def _decide(self, rule: NoiseRule | None) -> None:
        label = tr("decide on the noise") if rule else tr("leave the noise undecided")
        if self.apply(ops.set_noise(rule), label):
            self.refresh(Changes.COUNTS)

    def _use_advice(self, rule: NoiseRule) -> None:
        self._decide(rule)
        self.show_place("rule")

    # -- computing -----------------------------------------------------------------

    def _attack(self, runs: int) -> None:
        """Simulate averaging attacks (lane `AVERAGING`)."""
        rule = self.decided or self.rule.shown
        if rule is None:
            return

        def work(monitor: Monitor) -> Averaging:
            return attack(rule, runs, monitor=monitor)

        self._attacks.start(work, self.averaging.show_found)

    def _compute_repeats(self) -> None:
        """Compute the repeats of every σ once (lane `NOISE_ADVICE`)."""
        if self.advice.has_repeats or self._is_asked:
            return
        self._repeats.start(
            lambda monitor: repeats_by_sigma(monitor=monitor), self.advice.show_repeats
        )

    def _on_repeats_running(self, is_running: bool) -> None:
        self._is_asked = is_running
