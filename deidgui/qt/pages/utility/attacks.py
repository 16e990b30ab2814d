"""Simulated attacks on what the policy releases: run them, see what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.activity import Activity
from deidgui.app.attacks.chart import success_of_attacks
from deidgui.app.attacks.results import Attack, AttackResults
from deidgui.app.attacks.words import (
    about_people,
    about_registers,
    columns_words,
    expected_words,
    figure_of,
    interval_words,
    known_words,
    success_words,
    threshold_words,
    verdict,
)
from deidgui.app.charts.formats import count_text
from deidgui.app.project import LAST_SEED, MOST_RUNS, AttackChoice
from deidgui.app.text import fill, sentences
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.intervals import IntervalView
from deidgui.qt.pages.base import at_once
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    ComboBox,
    DecimalBox,
    EmptyState,
    Label,
    ProgressCard,
    ReasonLabel,
    Refill,
    SpinBox,
    ToggleRow,
    column,
    holder,
    line,
    row,
    show_if,
    wrapping,
)
from deidgui.text import escaped, tr

SHOWN_COLUMNS = 10
"""Combinations of columns of a register that are shown, those that tell most first."""

NO_ORDER = ""
"""Key of the choice that the program finds the order."""


class AttacksPane(QWidget):
    """Button, progress, and what the attacks came to.

    Attributes
    ----------
    run_wanted, stop_wanted : Signal
    order_wanted : Signal of str
        Column that tells the order of rows; `NO_ORDER` lets the program find it.
    in_release_wanted : Signal of bool
    drawn_wanted : Signal of dict
        Runs or seed, by name.
    """

    run_wanted = Signal()
    stop_wanted = Signal()
    order_wanted = Signal(str)
    in_release_wanted = Signal(bool)
    drawn_wanted = Signal(dict)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice = AttackChoice()
        self._able: tuple[str, ...] = ()
        self._is_dated = False
        self._shown: AttackResults | None = None
        self.empty = EmptyState(
            "target",
            tr("No attack has been simulated yet"),
            tr(
                "The program tries to find people of the data in the release, as an "
                "attacker would, and counts how often it succeeds."
            ),
            tr("Run attacks"),
        )
        self.empty.acted.connect(self.run_wanted)
        self.progress = ProgressCard(tr("Simulating attacks"), can_pause=False)
        self.progress.cancel_clicked.connect(self.stop_wanted)
        self.stale = Callout()
        self.stale.acted.connect(self.run_wanted)
        self.verdict = Callout()
        self.again = Button(
            tr("Run attacks again"), "plain", clicked=self.run_wanted, small=True
        )
        self._build_settings()
        self._build_results()
        parts = (self.stale, self.progress, self.empty, self._results, self._settings)
        self.setLayout(column(*parts, None, spacing=16))
        at_once(self.show_in_pieces(None, is_stale=False))
        self.show_progress(None)

    def _build_results(self) -> None:
        self.chart = ChartFrame(IntervalView())
        self._people = Card(tr("Somebody is looked for"))
        self._about_people = Label("", wrap=True)
        self._people.add(self._about_people)
        self._people.add(self.chart)
        self._success = _Rows(self._people)
        self._people.add(Caption("\n".join(columns_words())))
        self._threshold = Caption(threshold_words())
        self._people.add(self._threshold)
        self._registers = Card(tr("The release is matched with a register"))
        self._about_registers = Label(about_registers(), wrap=True)
        self._registers.add(self._about_registers)
        self._matches = _Rows(self._registers)
        self._register_note = Caption()
        self._registers.add(self._register_note)
        self._not_done = ReasonLabel("", wrap=True)
        self._results = holder(
            column(
                self.verdict,
                self._people,
                self._registers,
                self._not_done,
                spacing=16,
            )
        )

    def _build_settings(self) -> None:
        self._settings = Card(tr("How attacks are made"))
        self.order = ComboBox(name=tr("Column that tells the order of rows"))
        # Its words change while it is shown.
        self.order.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.order.currentIndexChanged.connect(self._on_order_chosen)
        words = Label(tr("Order of a person's rows"), "body", "muted")
        self._order_row = wrapping((words, self.order))
        self.in_release = ToggleRow(
            tr("Run before every release"),
            tr("Attacks that are up to date stand in its evidence and report."),
        )
        self.in_release.toggled.connect(self.in_release_wanted)
        self.runs = SpinBox(1, MOST_RUNS, 10_000, name=tr("Runs for each figure"))
        self.runs.valueChanged.connect(self._on_runs_changed)
        # Whole numbers beyond those of a field for whole numbers.
        self.seed = DecimalBox(0, LAST_SEED, 0, 1, name=tr("Seed"))
        self.seed.valueChanged.connect(self._on_seed_changed)
        runs = Label(tr("Runs for each figure"), "body", "muted")
        seed = Label(tr("Seed"), "body", "muted")
        drawn = wrapping((runs, self.runs), (seed, self.seed))
        meaning = Caption(
            tr(
                "More runs make the interval narrower and take longer. Chance is drawn "
                "from the seed: with the same one the same people are looked for again."
            )
        )
        for each in (drawn, meaning, self._order_row, self.in_release):
            self._settings.add(each)
        self._settings.add(holder(row(self.again, None)))

    def _on_order_chosen(self) -> None:
        self.order_wanted.emit(self.order.current)

    def _on_runs_changed(self, runs: int) -> None:
        self.drawn_wanted.emit({"runs": runs})

    def _on_seed_changed(self, seed: float) -> None:
        self.drawn_wanted.emit({"seed": int(seed)})

    def show_choice(self, choice: AttackChoice) -> None:
        """Show how attacks are made."""
        self._choice = choice
        self.in_release.set_on(choice.in_release)
        self.runs.set_value(choice.runs)
        self.seed.set_value(choice.seed)
        self.show_orders(self._able, is_dated=self._is_dated)

    def show_orders(self, able: Sequence[str], *, is_dated: bool) -> None:
        """Offer the columns that can tell the order of rows.

        Parameters
        ----------
        is_dated : bool
            Whether one of them is a date, which tells it if none is chosen.
        """
        choice, self._able, self._is_dated = self._choice, tuple(able), is_dated
        without = tr("the first date that differs")
        if not is_dated:
            without = tr("not known: no date orders the rows")
        was_blocked = self.order.blockSignals(True)
        self.order.clear()
        self.order.addItem(without, NO_ORDER)
        names = list(able)
        if choice.order_by is not None and choice.order_by not in names:
            names.append(choice.order_by)
        for name in names:
            self.order.addItem(escaped(name), name)
        self.order.setCurrentIndex(self.order.findData(choice.order_by or NO_ORDER))
        self.order.blockSignals(was_blocked)
        show_if(self._order_row, bool(names))

    def show_progress(self, activity: Activity | None) -> None:
        """Show how far running attacks are; None if none run."""
        is_running = activity is not None and activity.fraction is not None
        show_if(self.progress, is_running)
        self.again.setEnabled(not is_running)
        if activity is not None and is_running:
            self.progress.set_progress(
                activity.fraction, "", activity.elapsed_s, foretells=True
            )
        show_if(self.empty, not is_running and self._shown is None)

    def show_in_pieces(
        self, results: AttackResults | None, *, is_stale: bool
    ) -> Iterator[None]:
        """Show what attacks came to, None if there were none; lay it out in two turns.

        Nothing is shown for so long: old figures would stand beside new ones.
        """
        is_other = results is not self._shown
        self._shown = results
        show_if(self._results, results is not None and not is_other)
        show_if(self.empty, results is None)
        show_if(self.again, results is not None)
        show_if(self.stale, is_stale and results is not None)
        self.stale.show_words(
            tr("These attacks were made under earlier decisions."),
            "warning",
            tr("They enter no release. Run them again to bring them up to date."),
            tr("Run attacks again"),
        )
        if results is None:
            return
        self._show_verdict(results)
        self._show_people(results)
        self._show_registers(results)
        # What would be typed on the command line is not for the window.
        notes = [fill(sentences()[e.code], e.params) for e in results.not_done]
        lines = [f"{each.what} {each.fix}".strip() for each in notes]
        self._not_done.set_reason("\n".join(lines))
        show_if(self._not_done, bool(lines))
        if is_other:
            yield
            show_if(self._results, True)

    def _show_verdict(self, results: AttackResults) -> None:
        attacks = [e for e in results.attacks if e.kind != "register_columns"]
        words, threshold = verdict(attacks, results.threshold), results.threshold
        if threshold is None:
            self.verdict.show_words(words, "info")
            return
        # A share of all attempts says nothing good about each person: never green.
        is_above = max(map(figure_of, attacks), default=0.0) > threshold
        self.verdict.show_words(words, "warning" if is_above else "info")

    def _show_people(self, results: AttackResults) -> None:
        attacks = results.of_kind("known_person")
        show_if(self._people, bool(attacks))
        self._about_people.setText(
            about_people(
                runs=results.runs,
                fraction=results.fraction,
                of_events=results.known_of_events,
                unit=results.unit,
                assumptions=results.assumptions,
            )
        )
        self.chart.set_chart(success_of_attacks(attacks, results.threshold))
        show_if(self._threshold, results.threshold is not None)
        heads = (
            tr("Known"),
            tr("Values known"),
            tr("Successful"),
            tr("Interval of 95\u202f%"),
            tr("Exact"),
        )
        rows = [
            (
                known_words(each),
                tr("all") if each.power is None else count_text(each.power),
                success_words(each),
                interval_words(each),
                expected_words(each),
            )
            for each in attacks
        ]
        self._success.show_rows(heads, rows)

    def _show_registers(self, results: AttackResults) -> None:
        whole = results.of_kind("register")
        parts = sorted(results.of_kind("register_columns"), key=_expected_last)
        show_if(self._registers, bool(whole))
        rows = [
            (known_words(each), expected_words(each))
            for each in (*whole, *parts[:SHOWN_COLUMNS])
        ]
        heads = (tr("Register"), tr("Expected share of right matches"))
        self._matches.show_rows(heads, rows)
        words = ""
        if len(parts) > SHOWN_COLUMNS:
            words = tr(
                "Of {n:combination|combinations} of columns the {shown} that tell "
                "most.",
                n=len(parts),
                shown=SHOWN_COLUMNS,
            )
        self._register_note.setText(words)
        show_if(self._register_note, bool(words))


def _expected_last(each: Attack) -> float:
    return -figure_of(each)


class _Rows:
    """Rows of labels under a header; all but the first column are numbers."""

    def __init__(self, card: Card) -> None:
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        card.body.addLayout(self._grid)
        self._refill = Refill(self._grid)
        self._shown: object = None

    def show_rows(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Show other rows, unless they say the same already."""
        if (heads, rows) == self._shown:
            return
        self._shown = heads, rows
        right = Qt.AlignmentFlag.AlignRight
        with self._refill as refill:
            for place, head in enumerate(heads):
                align = right if place else Qt.AlignmentFlag.AlignLeft
                label = refill.label(head, "caption", "muted")
                self._grid.addWidget(label, 0, place, align)
            self._grid.addWidget(refill.take("rule", line), 1, 0, 1, len(heads))
            for number, texts in enumerate(rows, start=2):
                self._grid.addWidget(refill.label(texts[0], wrap=True), number, 0)
                for place, text in enumerate(texts[1:], start=1):
                    figure = refill.label(text, "strong")
                    self._grid.addWidget(figure, number, place, right)
