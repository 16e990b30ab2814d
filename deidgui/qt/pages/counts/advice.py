"""Threshold or noise for a network, and how much noise for a lockout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.noise import sigma_chart, threshold_or_noise_chart
from deidgui.app.counts.advising import least_sigma, network_words, sigma_rows
from deidgui.engine.counts.noise.distribution import USUAL_SIGMA
from deidgui.engine.counts.noise.repeats import Repeats
from deidgui.engine.counts.noise.rules import NoiseRule, RoundedGaussian
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    DecimalBox,
    Label,
    ProgressCard,
    SpinBox,
    TextTable,
    column,
    field_row,
    holder,
    row,
    show_if,
    wrapping,
)
from deidgui.text import Text, tr

HEADS: tuple[Text, ...] = (
    "σ",
    "Repeats on average",
    "Half of the attackers",
    "Know the count after the lockout",
    "Answers for 95\u202f%",
)

MOST_SITES = 30
"""Sites of the chart, if the network has not more."""

CHART_HEIGHT = 320


class AdvicePane(QWidget):
    """Answers with the user's own numbers; nothing is decided until they are used.

    Attributes
    ----------
    rule_wanted : Signal of NoiseRule
        The noise shall be this one.
    repeats_wanted : Signal
        The repeats of every σ shall be computed.
    """

    rule_wanted = Signal(object)
    repeats_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rule: NoiseRule | None = None
        self._found: Mapping[float, Repeats] | None = None
        self.average = DecimalBox(0.1, 10_000, 1, 0.1, name=tr("Count of a site"))
        self.sites = SpinBox(1, 10_000, 10, name=tr("Sites"))
        self.sigma = DecimalBox(0.1, 1000, USUAL_SIGMA, 0.01, name=tr("σ"))
        self.threshold = SpinBox(2, 1000, 11, name=tr("Threshold"))
        self.verdict = Label("", wrap=True)
        self.chart = ChartFrame(LineView())
        self.allowed = SpinBox(1, 10_000, 7, name=tr("Repeats allowed"))
        self.days = SpinBox(1, 3650, 30, name=tr("Within days"))
        self.margin = SpinBox(0, 10_000, 3, name=tr("Further repeats"))
        self.progress = ProgressCard(tr("Computing repeats"), can_pause=False)
        self.answer = Label("", "strong", wrap=True)
        self.use = Button(tr("Use this σ and lockout"), clicked=self._use)
        self.table = TextTable(
            tr("Repeats by σ"),
            [tr(each) for each in HEADS],
            wide=3,
            numbers=range(len(HEADS)),
        )
        self.sigmas = ChartFrame(LineView())
        for chart in (self.chart, self.sigmas):
            chart.setMinimumHeight(CHART_HEIGHT)
        self._build()
        for box in (self.average, self.sites, self.sigma, self.threshold):
            box.valueChanged.connect(self._show_network)
        for box in (self.allowed, self.margin):
            box.valueChanged.connect(self._show_repeats)
        self.days.valueChanged.connect(self._show_repeats)
        self._show_network()
        self._show_repeats()

    def _build(self) -> None:
        network = Card(
            tr("Threshold or noise"),
            tr(
                "Noise of several sites partly cancels out; what a threshold masks at "
                "each site is lost in every sum."
            ),
        )
        network.add(
            wrapping(
                (field_row(tr("Count of a site, on average"), self.average),),
                (field_row(tr("Sites"), self.sites),),
                (field_row(tr("Standard deviation (σ)"), self.sigma),),
                (field_row(tr("Threshold"), self.threshold),),
                spacing=16,
            )
        )
        network.add(self.verdict)
        network.add(self.chart)
        repeats = Card(
            tr("Noise and lockout"),
            tr(
                "Fresh noise averages out. A lockout stops an attacker before it does: "
                "the more noise, the more repeats it takes."
            ),
        )
        repeats.add(
            wrapping(
                (field_row(tr("Repeats allowed"), self.allowed),),
                (field_row(tr("Within days"), self.days),),
                (field_row(tr("Further repeats, for safety"), self.margin),),
                spacing=16,
            )
        )
        repeats.add(self.progress)
        repeats.add(self.answer)
        repeats.add(holder(row(self.use, None)))
        repeats.add(self.table)
        repeats.add(self.sigmas)
        repeats.add(
            Caption(
                tr(
                    "Computed exactly for rounded Gaussian noise. An attacker has the "
                    "count when six averages in a row are within ½ of it. Answers for "
                    "95\u202f%: so many answers bring one average within ½ with "
                    "a chance of "
                    "95\u202f%. For comparison: i2b2 locks after 7 repeats in 30 days."
                )
            )
        )
        self.setLayout(column(network, repeats, None, spacing=16))

    # -- showing -------------------------------------------------------------------

    def show_rule(self, rule: NoiseRule | None, threshold: int | None) -> None:
        """Begin with what is decided, or is being proposed."""
        if rule is not None and rule != self._rule:
            self.sigma.set_value(rule.sigma)
            allowed = getattr(rule, "lockout_repeats", None)
            days = getattr(rule, "lockout_days", None)
            if allowed is not None:
                self.allowed.set_value(allowed)
            if days is not None:
                self.days.set_value(days)
        if threshold is not None:
            self.threshold.set_value(threshold)
        self._rule = rule
        self._show_network()
        self._show_repeats()

    def show_repeats(self, found: Mapping[float, Repeats]) -> None:
        """Show how long averaging takes, by σ."""
        self._found = found
        self._show_repeats()

    @property
    def has_repeats(self) -> bool:
        """Whether they were computed."""
        return self._found is not None

    @property
    def _of_sigma(self) -> NoiseRule:
        """The rule with the σ of the field."""
        rule = self._rule or RoundedGaussian.proposed()
        return replace(rule, sigma=self.sigma.value())

    def _show_network(self) -> None:
        average, sites = self.average.value(), self.sites.value()
        words = network_words(self._of_sigma, average, sites, self.threshold.value())
        self.verdict.setText(" ".join(words))
        most = max(MOST_SITES, round(1.5 * sites))
        chart = threshold_or_noise_chart(self.sigma.value(), average, most, sites)
        self.chart.set_chart(chart)

    @property
    def _least(self) -> float | None:
        if self._found is None:
            return None
        return least_sigma(self._found, self.allowed.value() + self.margin.value())

    def _show_repeats(self) -> None:
        found = self._found
        for each in (self.answer, self.table, self.sigmas, self.use):
            show_if(each, found is not None)
        if found is None:
            return
        allowed, margin = self.allowed.value(), self.margin.value()
        least = self._least
        rows = list(sigma_rows(found, allowed))
        bold = -1 if least is None else sorted(found).index(least)
        self.table.show_texts(rows, bold=bold)
        self.table.keep_visible(len(rows))
        self.sigmas.set_chart(sigma_chart(found, float(allowed + margin)))
        self.use.setEnabled(least is not None)
        if least is None:
            words = tr(
                "None of these σ makes an attacker repeat {n:time|times}. Allow fewer "
                "repeats, or take keyed noise.",
                n=allowed + margin,
            )
        else:
            words = tr(
                "σ = {sigma} is enough: an attacker needs {mean} repeats on average; "
                "after the {n:repeat|repeats} that are allowed in {days:day|days}, "
                "{share} have the count.",
                sigma=f"{least:g}",
                mean=f"{found[least].mean:.1f}",
                n=allowed,
                days=self.days.value(),
                share=rows[bold][3],
            )
        self.answer.setText(words)

    def _use(self) -> None:
        least = self._least
        if least is None:
            return
        rule = self._rule or RoundedGaussian.proposed()
        changed: dict[str, Any] = {
            "sigma": least,
            "lockout_repeats": self.allowed.value(),
            "lockout_days": self.days.value(),
        }
        if isinstance(rule, RoundedGaussian):
            changed["repeats"] = "fresh"
        self.rule_wanted.emit(replace(rule, **changed))
