"""What an adversary knows of a person's events, and how many may be at risk."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.charts.columns import Spark
from deidgui.app.charts.phrases import plain
from deidgui.app.classes import Classes
from deidgui.app.events_known import (
    PRECEDENTS,
    PROPOSED_SIGNIFICANCE,
    fraction_of,
    precedent,
    proposed_events,
    size_by,
    who_knows,
    with_threshold,
)
from deidgui.app.jobs import Job, Lane
from deidgui.app.policies.longitudinal.events import Events, events_of, nearly_constant
from deidgui.app.project import EventsKnown, Project
from deidgui.app.session import Kind
from deidgui.app.workspace import Workspace
from deidgui.engine.preparation import OneValue
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.charts.spark import Sparkline
from deidgui.qt.widgets import (
    Callout,
    Caption,
    Card,
    ComboBox,
    DecimalBox,
    Label,
    SpinBox,
    ToggleRow,
    field_row,
    holder,
    refilled,
    show_if,
)
from deidgui.text import per_cent, share_text, tr

OWN = "own"
"""Key of a threshold without precedent, as it is decided."""


class EventsCard(Card):
    """Whether an adversary knows all events of a person or some, and which limit holds.

    Attributes
    ----------
    decided : Signal of EventsKnown or None
    """

    decided = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(tr("What is known of a person's rows"))
        self.switch = ToggleRow(tr("An adversary knows some of the rows only"))
        self.switch.toggled.connect(self._on_switched)
        self.problem = Callout()
        self._known: EventsKnown | None = None
        self._project = Project()
        self._build_fields()
        self.words, self.sizes = Caption(), Caption()
        self._powers = QGridLayout()
        self._powers.setHorizontalSpacing(12)
        self._powers.setColumnStretch(1, 1)
        self.powers = holder(self._powers)
        self.note = Caption()
        for part in (
            self.switch,
            self.problem,
            self.fields,
            self.words,
            self.sizes,
            self.powers,
            self.note,
        ):
            self.add(part)

    def _build_fields(self) -> None:
        self.power = SpinBox(1, 1000, 5)
        self.diversity = ComboBox(
            [
                ("entropy", tr("Fewer if their values differ (entropy)")),
                ("simpson", tr("Fewer if their values differ (Simpson)")),
                ("none", tr("The same of everybody")),
            ]
        )
        self.threshold = ComboBox()
        self.limit = DecimalBox(0.0, 100.0, 0.8, 0.01, "%")
        self.rule = ComboBox(
            [
                ("large_sample", tr("Sampling fraction ÷ threshold (large samples)")),
                ("poisson", tr("Truncated Poisson, significance 10\u202f%")),
            ]
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        fields = (
            (tr("Values known of each column"), self.power),
            (tr("Known of each person"), self.diversity),
            (tr("Largest matching probability"), self.threshold),
            (tr("Largest share of people at risk"), self.limit),
            (tr("People who must match, by"), self.rule),
        )
        for place, (title, field) in enumerate(fields):
            grid.addWidget(field_row(title, field), place // 2, place % 2)
        self.fields = holder(grid)
        self.limit.setToolTip(
            tr(
                "Proposed: 0.04\u202f% ÷ threshold. Under Safe Harbor "
                "0.04\u202f% of people are "
                "unique; this limit exposes no more."
            )
        )
        self.power.valueChanged.connect(lambda value: self._change(power=value))
        self.diversity.activated.connect(
            lambda _: self._change(diversity=self.diversity.current)
        )
        self.threshold.activated.connect(lambda _: self._on_threshold())
        self.limit.valueChanged.connect(
            lambda value: self._change(limit=round(value / 100, 8))
        )
        self.rule.activated.connect(lambda _: self._on_rule())

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project, varying: tuple[str, ...]) -> None:
        """Show what is decided.

        Parameters
        ----------
        varying : tuple of str
            Quasi-identifiers that differ between the rows of a person; empty where
            none does, or nobody has counted.
        """
        known = project.privacy.events
        self._project, self._known = project, known
        is_possible = project.key is not None and bool(varying)
        show_if(self, is_possible or known is not None)
        self.switch.set_on(known is not None)
        self.switch.set_explanation(self._switch_words(varying))
        is_wrong = known is not None and not is_possible
        show_if(self.problem, is_wrong)
        if is_wrong:
            self.problem.show_words(
                tr("No column is known to differ between the rows of a person."),
                "warning",
                tr(
                    "Turn this off, or see who is protected and which columns are "
                    "quasi-identifiers."
                ),
                "",
            )
        for part in (self.fields, self.words, self.sizes):
            show_if(part, known is not None)
        if known is not None:
            self._show_known(known, fraction_of(project))

    def _switch_words(self, varying: tuple[str, ...]) -> str:
        if self._known is not None:
            return ""
        return tr(
            "Off: an adversary knows everything that the rows of a person show. On: "
            "they know some values of {columns}; a limit on people at risk replaces "
            "the thresholds on class sizes. Usual values are proposed.",
            columns=", ".join(varying),
        )

    def _show_known(self, known: EventsKnown, fraction: float) -> None:
        self.power.set_value(known.power)
        self.diversity.set_current(known.diversity)
        self._show_thresholds(known.threshold)
        self.limit.set_value(100 * known.limit)
        self.rule.set_current(known.rule)
        size = size_by(known.rule, known, fraction)
        self.words.setText(
            tr(
                "Assumed: {who}. A person is at risk if fewer than {size} people of "
                "the release match what is known.",
                who=who_knows(known),
                size=size,
            )
        )
        before = precedent(known.threshold)
        worst = known.limit + (1 - known.limit) * known.threshold
        parts = [
            tr(
                "By the large-sample rule {large} people must match, by the truncated "
                "Poisson rule {poisson} (sampling fraction {fraction}).",
                large=size_by("large_sample", known, fraction),
                poisson=size_by("poisson", known, fraction),
                fraction=per_cent(fraction, 3),
            ),
            tr("Precedent: {who}.", who=before) if before else tr("No precedent."),
            tr(
                "At worst {share} of the people are re-identified on average.",
                share=share_text(worst),
            ),
        ]
        self.sizes.setText(" ".join(parts))

    def _show_thresholds(self, threshold: float) -> None:
        was_blocked = self.threshold.blockSignals(True)
        self.threshold.clear()
        for each in PRECEDENTS:
            self.threshold.addItem(per_cent(each), str(each))
        if threshold not in PRECEDENTS:
            self.threshold.addItem(per_cent(threshold), OWN)
        key = str(threshold) if threshold in PRECEDENTS else OWN
        self.threshold.setCurrentIndex(self.threshold.findData(key))
        self.threshold.blockSignals(was_blocked)

    def show_events(self, events: Events | None) -> None:
        """Show how many values are known of how many people."""
        show_if(self.powers, events is not None)
        with refilled(self._powers):
            if events is not None:
                self._add_powers(events)
        self.note.setText(" ".join(_notes(events)) if events is not None else "")
        show_if(self.note, bool(self.note.text()))

    def _add_powers(self, events: Events) -> None:
        title = tr("People by the number of values known of them")
        self._powers.addWidget(Label(title, "strong"), 0, 0, 1, 3)
        for place, name in enumerate(events.event_attributes):
            counts = events.power_counts[place]
            words = _power_words(counts.tolist())
            heights = counts / max(int(counts.max()), 1)
            chart = Sparkline(Spark(heights, plain(words), is_ordered=False))
            chart.setFixedWidth(88)
            self._powers.addWidget(Label(name), place + 1, 0)
            self._powers.addWidget(Caption(words), place + 1, 1)
            self._powers.addWidget(chart, place + 1, 2)

    # -- deciding ------------------------------------------------------------------

    def _on_switched(self, is_on: bool) -> None:
        self.decided.emit(proposed_events(self._project) if is_on else None)

    def _change(self, **changes: Any) -> None:
        if self._known is not None:
            changed = self._known.but(**changes)
            if changed != self._known:
                self.decided.emit(changed)

    def _on_threshold(self) -> None:
        key = self.threshold.current
        if self._known is not None and key != OWN:
            self.decided.emit(with_threshold(self._known, float(key)))

    def _on_rule(self) -> None:
        is_poisson = self.rule.current == "poisson"
        self._change(
            rule=self.rule.current,
            significance=PROPOSED_SIGNIFICANCE if is_poisson else None,
        )


def _power_words(counts: list[int]) -> str:
    """Say of how many people how many values are known."""
    parts = [
        tr("{values}: {n:person|people}", values=values, n=n)
        for values, n in enumerate(counts)
        if n
    ]
    return ", ".join(parts)


def _notes(events: Events) -> list[str]:
    """What whoever decides should know of the events."""
    found = [events.power_words()] if events.n_with_fewer else []
    nearly = nearly_constant(events.history)
    found += [each.words() for each in nearly]
    if nearly:
        found.append(
            tr(
                "The step “{step}” makes such columns the same in all rows of each "
                "person: Data, Preparation.",
                step=tr(OneValue.title),
            )
        )
    return found


class EventsWatch(QObject):
    """Finds out in a worker how much is known of whom.

    Attributes
    ----------
    changed : Signal
        `events` is another one.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._asked: tuple[int, EventsKnown, float] | None = None
        self.events: Events | None = None

    def varying(self) -> tuple[str, ...]:
        """Quasi-identifiers that are known to differ between the rows of a person."""
        classes: Classes | None = self._session.result(Kind.CLASSES)
        return classes.class_table.varying if classes is not None else ()

    def look(self) -> None:
        """Find out again if decisions have changed."""
        project = self._session.project
        classes: Classes | None = self._session.current(Kind.CLASSES)
        known = project.privacy.events
        if classes is None or known is None or not classes.class_table.varying:
            self._asked = self.events = None
            return
        asked = id(classes.class_table), known, fraction_of(project)
        if asked == self._asked:
            return
        self._asked = asked

        def work(monitor: Monitor) -> Events:
            return events_of(project, classes, monitor=monitor)

        job = Job(partial(self._on_done, asked), self._on_failed)
        self._workspace.runner.start(Lane.POWER, work, job)

    def _on_done(self, asked: tuple[int, EventsKnown, float], events: Events) -> None:
        if asked == self._asked:
            self.events = events
            self.changed.emit()

    def _on_failed(self, error: BaseException) -> None:
        # What is wrong with the decisions is said where they are made.
        if not isinstance(error, DeidError):
            raise error
