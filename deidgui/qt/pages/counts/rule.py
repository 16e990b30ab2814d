"""Which noise counts get: the rule, its values, and what they mean."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.noise import noise_spread
from deidgui.app.counts.advising import reach_of
from deidgui.engine.counts.noise.rules import NOISE_RULES, NoiseRule, RoundedGaussian
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.forms import ParameterForm
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    ComboBox,
    Label,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

CHART_HEIGHT = 260


class RulePane(QWidget):
    """Editor of the noise; what it shows is a proposal until somebody decides.

    Attributes
    ----------
    rule_wanted : Signal of (NoiseRule or None)
        The rule shall be this one, or undecided again.
    """

    rule_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._decided: NoiseRule | None = None
        self._proposed: dict[str, int] = {}
        self._threshold: int | None = None
        self.kinds = ComboBox(
            [(each.kind, tr(each.title)) for each in NOISE_RULES],
            tr("Rule of the noise"),
        )
        self.kinds.activated.connect(self._on_kind_chosen)
        self.summary = Caption()
        self._forms: dict[str, ParameterForm[NoiseRule]] = {}
        self._places = column(spacing=0)
        self.form(self.kinds.current)
        self.state = Callout()
        self.state.acted.connect(self._use)
        self.undecide = Button(
            tr("Leave the noise undecided"), "quiet", clicked=self._undecide, small=True
        )
        self.meaning = Label("", "strong", wrap=True)
        self.words = Label("", wrap=True)
        self.chart = ChartFrame(LineView())
        self.chart.setMinimumHeight(CHART_HEIGHT)
        self._build()

    def _build(self) -> None:
        rule = Card(tr("Rule"))
        rule.add(field_row(tr("Rule of the noise"), self.kinds))
        rule.add(self.summary)
        rule.body.addLayout(self._places)
        rule.add(holder(row(self.undecide, None)))
        means = Card(tr("What it means"))
        means.add(self.meaning)
        means.add(self.chart)
        means.add(self.words)
        right = holder(column(means, None))
        left = holder(column(rule, None))
        columns = Columns([(left, 2), (right, 3)])
        self.setLayout(column(self.state, columns, None, spacing=16))

    def form(self, kind: str) -> ParameterForm[NoiseRule]:
        """Return the form of a kind of rule; it is made when it is asked for first."""
        if kind not in self._forms:
            rule = NOISE_RULES[kind].proposed()
            if self._threshold is not None:
                rule = replace(rule, threshold=self._threshold)
            form: ParameterForm[NoiseRule] = ParameterForm(type(rule), rule)
            form.edited.connect(self._on_edited)
            self._forms[kind], self._proposed[kind] = form, rule.threshold
            self._places.addWidget(form)
        return self._forms[kind]

    @property
    def shown(self) -> NoiseRule | None:
        """The rule that is shown, decided or not; None while it is not valid."""
        return self.form(self.kinds.current).value()

    def show_rule(
        self, decided: NoiseRule | None, threshold: int | None = None
    ) -> None:
        """Show what is decided; None keeps the values as a proposal.

        Parameters
        ----------
        threshold : int, optional
            Counts below it are masked in the tables: noise is proposed for the same.
        """
        self._decided = decided
        if threshold is not None and threshold > 1:
            self._propose(threshold)
        if decided is not None:
            self.kinds.set_current(decided.kind)
            self.form(decided.kind).set_value(decided)
        self._show()

    def _propose(self, threshold: int) -> None:
        """Propose which counts are low, where nobody has typed another number."""
        self._threshold = threshold
        for kind, form in self._forms.items():
            rule = form.value()
            if rule is not None and rule.threshold == self._proposed[kind]:
                self._proposed[kind] = threshold
                form.set_value(replace(rule, threshold=threshold))

    def _show(self) -> None:
        kind = self.kinds.current
        current = self.form(kind)
        for form in self._forms.values():
            show_if(form, form is current)
        self.summary.setText(tr(NOISE_RULES[kind].summary))
        rule = self.shown
        show_if(self.undecide, self._decided is not None)
        show_if(self.state, self._decided is None)
        self.state.show_words(
            tr("Nobody has decided yet which noise the counts get."),
            "warning",
            tr("The values below are proposals. Check what they mean, then decide."),
            tr("Use this noise") if rule is not None else "",
        )
        self._show_meaning(rule)

    def _show_meaning(self, rule: NoiseRule | None) -> None:
        show_if(self.chart, rule is not None)
        if rule is None:
            self.meaning.setText(tr("Fix the values that are marked in red."))
            self.words.setText("")
            return
        if isinstance(rule, RoundedGaussian) or rule.guarantee is not None:
            text = tr(
                "At least 95\u202f% of the counts are within ±{reach} of the "
                "true count.",
                reach=reach_of(rule),
            )
        else:
            text = tr(
                "Before rounding to 5, at least 95\u202f% of the counts are "
                "within ±{reach} "
                "of half a count below the true one.",
                reach=reach_of(rule),
            )
        self.meaning.setText(text)
        values, chances = rule.chances()
        sd = float((chances @ (values - values @ chances) ** 2) ** 0.5)
        self.chart.set_chart(noise_spread(values, chances, sd))
        self.words.setText("\n\n".join(rule.words()))

    # -- deciding ------------------------------------------------------------------

    def _on_kind_chosen(self) -> None:
        self._on_edited()

    def _on_edited(self) -> None:
        rule = self.shown
        self._show()
        if rule is not None and self._decided is not None:
            self.rule_wanted.emit(rule)

    def _use(self) -> None:
        if (rule := self.shown) is not None:
            self.rule_wanted.emit(rule)

    def _undecide(self) -> None:
        self.rule_wanted.emit(None)
