"""The risk of the release: attackers, records at risk, sizes of classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.charts.classes import Candidates, class_size_histogram, cumulative_risk
from deidgui.app.charts.formats import count_text
from deidgui.app.dossier.intruder_words import values_words
from deidgui.app.dossier.sensitivity_words import (
    people_heads,
    people_rows,
    people_words,
    sensitivity_heads,
    sensitivity_rows,
    sensitivity_words,
)
from deidgui.app.measuring.comparing import RiskiestClasses, risk_beside_baseline
from deidgui.app.measuring.measuring import Measured
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.project import Project
from deidgui.app.stated import doubt_of_number, n_released
from deidgui.app.text.release import ROWS_KNOWN
from deidgui.engine.evidence.document import ProtectedUnit, RowsKnown, SensitivityCase
from deidgui.engine.risk.class_sizes import RiskFigures
from deidgui.qt.charts.bars import BarView, HistogramView
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.condition_words import folded_words
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import at_once
from deidgui.qt.widgets import (
    Badge,
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    DataGrid,
    FlowLayout,
    Label,
    ReasonLabel,
    Refill,
    Segmented,
    StatTile,
    TextTable,
    column,
    line,
    show_if,
    wrapping,
)
from deidgui.qt.widgets.cards import Status
from deidgui.qt.widgets.text import Tone
from deidgui.text import first_sentence, share_text, tr

FOUR_TILES = 620
"""Pixels from which four figures stand in one row."""


class ClassesPane(QWidget):
    """A table of the riskiest classes of the input or of the release.

    Attributes
    ----------
    which_wanted : Signal of str
        before or release.
    list_wanted : Signal
        A work list for an intruder test.
    """

    which_wanted = Signal(str)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.which = Segmented(
            [("release", tr("In the release")), ("before", tr("Before"))],
            name=tr("Which classes are shown"),
        )
        self.which.chosen.connect(self.which_wanted)
        self.save_list = Button(
            tr("Export a work list for an intruder test…"),
            clicked=self.list_wanted.emit,
        )
        self.save_list.setToolTip(values_words())
        self._words = Caption()
        self.grid = DataGrid()
        self.grid.setMinimumHeight(300)
        self.setLayout(
            column(
                wrapping((self.which,), (self.save_list,)),
                self._words,
                (self.grid, 1),
                ReasonLabel(
                    tr(
                        "These values are in no report and no log, but in a work list "
                        "that you export."
                    ),
                    wrap=True,
                ),
            )
        )

    def show_classes(self, found: RiskiestClasses | None) -> None:
        """Show some classes; None while they are looked for."""
        show_if(self.grid, found is not None)
        if found is None:
            self._words.setText(tr("Finding the smallest equivalence classes …"))
            return
        self.grid.set_table(found.table)
        words = tr("Nothing is released.")
        if found.n_classes:
            words = tr(
                "The {shown} smallest of {all:equivalence class|equivalence classes}, "
                "highest risk first.",
                shown=found.table.n_rows,
                all=found.n_classes,
            )
        self._words.setText(" ".join((words, *found.notes)))


class _Attacker(NamedTuple):
    """One row of the table of attackers."""

    name: str
    sentence: str
    estimate: str
    before: tuple[float | None, float | None, float | None]
    after: tuple[float | None, float | None, float | None]


class _AttackerName(QWidget):
    """Who an attacker is, and what is estimated."""

    def __init__(self) -> None:
        super().__init__()
        head = QWidget()
        self._name, self._badge = Label("", "strong"), Badge("")
        self._sentence = Label("", "caption", "muted", wrap=True)
        flow = FlowLayout(head, 8)
        for part in (self._name, self._badge):
            flow.addWidget(part)
        self.setLayout(column(head, self._sentence, spacing=2))

    def show_attacker(self, attacker: _Attacker) -> None:
        self._name.setText(attacker.name)
        self._badge.show_words(attacker.estimate, "warning", "warning")
        show_if(self._badge, bool(attacker.estimate))
        self._sentence.setText(attacker.sentence)


class _NowAndBefore(QWidget):
    """A figure of now, and below it what it was before."""

    def __init__(self) -> None:
        super().__init__()
        self._now = Label("", "strong")
        self._then = Label("", "caption", "muted")
        for each in (self._now, self._then):
            each.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setLayout(column(self._now, self._then, spacing=2))

    def show_shares(
        self, before: float | None, after: float | None, *, has_after: bool
    ) -> None:
        self._now.setText(_share(after if has_after else before))
        is_known = has_after and before is not None
        words = tr("before {figure}", figure=_share(before)) if is_known else ""
        self._then.setText(words)


class RiskPane(QWidget):
    """Tiles, attackers, class sizes and cumulative risk."""

    _doubts: tuple[str, ...] = ()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.verdict = Callout()
        self._is_stale = False
        self._tiles = [StatTile() for _ in range(4)]
        halves = self._tiles[:2], self._tiles[2:]
        pairs = [Columns([(e, 1) for e in half], 0, 12) for half in halves]
        # Pairs stand below one another first: tiles side by side are equally high.
        tiles = Columns([(pair, 1) for pair in pairs], FOUR_TILES, 12)
        self._attackers = Card(
            tr("Attackers and their success"),
            tr("Probabilities of finding the right person in the release."),
        )
        self._shown: object = None
        self._grid = QGridLayout()
        self._attacker_cells = Refill(self._grid)
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        self._attackers.body.addLayout(self._grid)
        self._missing = ReasonLabel()
        self._population = ReasonLabel()
        self._attackers.add(self._missing)
        self._attackers.add(self._population)
        self._rows_card = self._rows_of_people()
        self.beside = ChartFrame(BarView())
        self.beside.setMinimumHeight(220)
        self._beside_card = Card()
        self._beside_card.add(self.beside)
        self.sizes = ChartFrame(HistogramView())
        self.cumulative = ChartFrame(LineView())
        charts = Card()
        self.sizes.level_with(self.cumulative)
        charts.add(Columns([(self.sizes, 1), (self.cumulative, 1)], stack_below=760))
        charts.add(
            Caption(
                tr(
                    "Both charts show the equivalence classes as an attacker sees them "
                    "who knows that a person is in the file. A missing value counts as "
                    "a separate value."
                )
            )
        )
        self._sensitivity_card = self._other_cases()
        first = (self.verdict, tiles, self._beside_card, self._sensitivity_card)
        cards = (*first, self._attackers, self._rows_card, charts)
        self.setLayout(column(*cards, None, spacing=16))

    def _rows_of_people(self) -> Card:
        card = Card(
            tr("What the rows of a person tell"),
            tr(
                "Risk of a released person, by what somebody knows of the rows. "
                "“Highest” is the risk of the person who is easiest to find."
            ),
        )
        self._rows_grid = QGridLayout()
        self._rows_grid.setHorizontalSpacing(20)
        self._rows_grid.setColumnStretch(0, 1)
        self._row_cells = Refill(self._rows_grid)
        card.body.addLayout(self._rows_grid)
        self._rows_note = Caption()
        card.add(self._rows_note)
        return card

    def show_measured(
        self,
        measured: Measured,
        project: Project,
        *,
        is_stale: bool = False,
        doubt: str = "",
        alone: str = "",
    ) -> None:
        """Show the figures of the input and of the release, if there is one.

        Parameters
        ----------
        is_stale : bool
            Whether they are of earlier decisions than those of the project: what it
            decides now is not said of them, and nothing is green.
        doubt : str, optional
            What speaks against counting rows as people; nothing is green then.
        alone : str, optional
            Who is alone on all that is released; nothing is green then either.
        """
        pieces = self.show_in_pieces(
            measured, project, is_stale=is_stale, doubt=doubt, alone=alone
        )
        at_once(pieces)

    def show_in_pieces(
        self,
        measured: Measured,
        project: Project,
        *,
        is_stale: bool = False,
        doubt: str = "",
        alone: str = "",
    ) -> Iterator[None]:
        """Show them, and yield before each chart."""
        self._is_stale = is_stale
        policy = measured.policy
        more = doubt_of_number(measured.unit, policy.smallest_class) if policy else ""
        remedy = tr(
            "Remove the column of persons if nobody need know which rows belong "
            "together."
        )
        more = more and f"{more} {remedy}"
        self._doubts = tuple(filter(None, (doubt, more, alone)))
        self._show_verdict(measured)
        self._show_beside(measured)
        self._show_tiles(measured)
        self._show_attackers(measured)
        self._show_rows(measured.unit)
        self._show_assumptions(measured, project)
        for each in (self._missing, self._population):
            show_if(each, not is_stale)
        yield
        after = measured.sizes_after if measured.policy is not None else None
        k = measured.policy.suppress_below if measured.policy is not None else None
        self.sizes.set_chart(
            class_size_histogram(
                measured.sizes_before,
                after,
                k=k if k and k > 1 else None,
                of_people=measured.unit is not None,
            )
        )
        yield
        released = None if after is None else Candidates.prosecutor(after)
        self.cumulative.set_chart(
            cumulative_risk(
                Candidates.prosecutor(measured.sizes_before),
                released,
                threshold=None if is_stale else project.privacy.threshold.at_risk,
                of_people=measured.unit is not None,
            )
        )

    def _other_cases(self) -> Card:
        card = Card(
            tr("Sensitivity"),
            tr("What would the risk be if one thing were otherwise than stated?"),
        )
        self.sensitivity = TextTable(
            tr("Risk in each case"), sensitivity_heads(()), numbers=range(1, 7)
        )
        self._sensitivity_words = Caption()
        card.add(self.sensitivity)
        card.add(self._sensitivity_words)
        self.of_people = TextTable(
            tr("Risk of people of the population"), people_heads(), numbers=range(1, 7)
        )
        self._people_words = Caption()
        card.add(self.of_people)
        card.add(self._people_words)
        show_if(card, False)
        return card

    def show_sensitivity(
        self,
        cases: Sequence[SensitivityCase],
        *,
        has_columns: bool,
        gaps: str | None = None,
    ) -> None:
        """Show what risks would be in other cases; none while nothing is said."""
        show_if(self._sensitivity_card, bool(cases))
        heads = sensitivity_heads(cases)
        self.sensitivity.setColumnCount(len(heads))
        self.sensitivity.setHorizontalHeaderLabels(list(heads))
        rows, people = sensitivity_rows(cases), people_rows(cases)
        self.sensitivity.show_texts(rows, bold=0)
        self.sensitivity.fit(len(rows))
        heads = people_heads(cases)
        self.of_people.setColumnCount(len(heads))
        self.of_people.setHorizontalHeaderLabels(list(heads))
        self._people_words.setText(people_words(cases))
        self.of_people.show_texts(people, bold=0)
        self.of_people.fit(len(people))
        for part in (self.of_people, self._people_words):
            show_if(part, bool(people))
        words = [*sensitivity_words()]
        if not has_columns:
            words.append(tr("One more known column is measured with “Singling out”."))
        words += filter(None, [gaps])
        self._sensitivity_words.setText("\n".join(words))

    def _show_verdict(self, measured: Measured) -> None:
        if measured.policy is None:
            search = tr("Search to see what a release would change.")
            self.verdict.show_words(
                tr("These are the original data. No policy has been found yet."),
                "warning" if self._doubts else "info",
                "\n".join((*self._doubts, search)),
            )
            return
        unmet = [e.model.words() for e in measured.verdicts if not e.satisfied]
        met, columns = folded_words(e.model for e in measured.verdicts if e.satisfied)
        lines = [*(f"✗ {each}" for each in unmet), *(f"✓ {each}" for each in met)]
        if measured.accepted is not None:
            self._show_accepted(measured, measured.accepted, lines)
            self.verdict.explain(columns)
            return
        sign = "✓" if measured.n_touched <= measured.limit_records else "✗"
        lines.append(f"{sign} {measured.limit_words}")
        is_met = measured.meets_thresholds
        words = tr("The release does not meet all thresholds.")
        if is_met:
            words = tr("The release meets all thresholds.")
        self._say_verdict(words, lines, is_met=is_met)
        self.verdict.explain(columns)

    def _say_verdict(self, words: str, lines: list[str], *, is_met: bool) -> None:
        """Say whether all thresholds are met, or were by earlier decisions.

        Nothing is green where more is known against it than the thresholds ask.
        """
        met: Status = "warning" if self._doubts else "success"
        tone: Status = met if is_met else "danger"
        if self._doubts and is_met:
            # The doubt is what the box warns of; that thresholds are met comes after.
            first, *others = self._doubts
            title, rest = first_sentence(first)
            words, lines = title, [rest, *others, words, *lines]
        else:
            lines = [*self._doubts, *lines]
        if self._is_stale:
            words, tone = tr("Out of date: {words}", words=words), "warning"
        self.verdict.show_words(words, tone, "\n".join(filter(None, lines)))

    def _show_accepted(
        self, measured: Measured, accepted: Accepted, models: list[str]
    ) -> None:
        """Show why a discovered policy is acceptable, or why it is not any more."""
        lines = [accepted.words, accepted.scope]
        for problem in measured.problems:
            words = words_for(problem)
            lines.append(f"✗ {words.what} {words.fix}")
        lines += [f"! {warning}" for warning in accepted.warnings]
        lines = [*models, *lines]
        is_met = measured.meets_thresholds
        title = tr("The alternative does not meet all thresholds.")
        if is_met:
            title = tr("The alternative meets all thresholds; no record is suppressed.")
        self._say_verdict(title, lines, is_met=is_met)

    def _show_beside(self, measured: Measured) -> None:
        chart = None
        if measured.accepted is not None:
            chart = risk_beside_baseline(measured.accepted)
        show_if(self._beside_card, chart is not None)
        if chart is not None:
            self.beside.set_chart(chart)

    def _show_tiles(self, measured: Measured) -> None:
        before, after = measured.before, measured.after
        by_key = measured.unit is not None
        known = "" if measured.events is None else tr("If all their rows are known.")
        facts = (
            (
                tr("Highest risk"),
                known
                or tr("The person with the highest risk, known to be in the file.")
                if by_key
                else tr(
                    "The record with the highest risk, for a person known to be in "
                    "the file."
                ),
                before.prosecutor.highest,
                after.prosecutor.highest if after else None,
            ),
            (
                tr("Average risk"),
                known or tr("For a person known to be in the file."),
                before.prosecutor.average,
                after.prosecutor.average if after else None,
            ),
            (
                tr("People at risk") if by_key else tr("Records at risk"),
                " ".join(filter(None, (self._at_risk_words(before), known))),
                before.prosecutor.at_risk,
                after.prosecutor.at_risk if after else None,
            ),
            (
                tr("Unlike any other"),
                tr(
                    "People whose rows show what nobody else's show, in the "
                    "quasi-identifiers only."
                )
                if by_key
                else tr(
                    "Records whose combination of quasi-identifiers occurs once. For "
                    "all released columns see “Singling out”."
                ),
                before.uniques / max(before.n_records, 1),
                after.uniques / max(after.n_records, 1) if after else None,
            ),
        )
        for tile, (label, words, old, new) in zip(self._tiles, facts, strict=True):
            shown = new if after is not None else old
            tile.set_figure(label, _share(shown), "", words)
            if old is None or new is None:
                tile.set_change("")
                continue
            change = tr("before: {figure}", figure=_share(old))
            # Nor is a figure green of which more is known than it says.
            if math.isclose(old, new, abs_tol=1e-12) or (self._doubts and new < old):
                tile.set_change(change)
            else:
                tile.set_change(change, "success" if new < old else "danger")

    def _at_risk_words(self, figures: RiskFigures) -> str:
        if figures.threshold is None:
            return tr("No threshold is set beyond which a record is at risk.")
        return tr(
            "More likely to be found than {threshold}.",
            threshold=share_text(figures.threshold),
        )

    def _show_attackers(self, measured: Measured) -> None:
        has_after = measured.after is not None
        shown = self._rows(measured), has_after
        if shown == self._shown:
            return
        self._shown = shown
        refill = self._attacker_cells
        with refill:
            heads = (tr("Highest"), tr("Average"), tr("At risk"))
            for place, head in enumerate(heads, start=1):
                label = refill.label(head, "caption", "muted")
                self._grid.addWidget(label, 0, place, Qt.AlignmentFlag.AlignRight)
            at = 1
            for attacker in shown[0]:
                self._grid.addWidget(refill.take("rule", line), at, 0, 1, 4)
                name = refill.take("name", _AttackerName)
                name.show_attacker(attacker)
                self._grid.addWidget(name, at + 1, 0)
                pairs = zip(attacker.before, attacker.after, strict=True)
                for place, (old, new) in enumerate(pairs, start=1):
                    cell = refill.take("cell", _NowAndBefore)
                    cell.show_shares(old, new, has_after=has_after)
                    self._grid.addWidget(cell, at + 1, place)
                at += 2

    def _show_rows(self, unit: ProtectedUnit | None) -> None:
        """Show what one row of a person tells, two, all, and how many show the same."""
        show_if(self._rows_card, unit is not None and bool(unit.rows_known))
        if unit is None:
            return
        refill = self._row_cells
        with refill:
            right = Qt.AlignmentFlag.AlignRight
            heads = (tr("Highest"), tr("Average"), tr("Above the threshold"))
            for place, head in enumerate(heads, start=1):
                label = refill.label(head, "caption", "muted", wrap=True)
                label.setAlignment(right)
                self._rows_grid.addWidget(label, 0, place)
            for at, each in enumerate(unit.rows_known, start=1):
                words = tr(ROWS_KNOWN[each.known])
                label = refill.label(words[:1].upper() + words[1:], wrap=True)
                self._rows_grid.addWidget(label, at, 0)
                # A risk above the threshold looks like none that is below.
                tone: Tone = "danger" if each.n_at_risk else ""
                figures = (
                    refill.label(_share(each.highest), "strong", tone),
                    refill.label(_share(each.average), "strong"),
                    refill.label(_above(unit, each), "strong", tone),
                )
                for place, figure in enumerate(figures, start=1):
                    self._rows_grid.addWidget(figure, at, place, right)
        words = tr("Classes and all figures above count people, each with all rows.")
        if names := ", ".join(unit.varying):
            varies = tr("These differ between the rows of a person: {n}.", n=names)
            words = f"{words} {varies}"
        if unit.column is None:
            apart = tr(
                "No released column says which rows belong together: how many of them "
                "show the same is seen only by somebody who brings them together by "
                "other means, and is not held against the thresholds."
            )
            words = f"{words} {apart}"
        self._rows_note.setText(words)

    def _rows(self, measured: Measured) -> tuple[_Attacker, ...]:
        before, after = measured.before, measured.after
        labels = {"estimated": tr("estimate"), "modelled": tr("MODELLED")}
        estimate = labels.get(before.population, "")
        none = (None, None, None)
        return (
            _Attacker(
                tr("Prosecutor"),
                tr("knows that the person is in the file"),
                "",
                _figures(before, "prosecutor"),
                _figures(after, "prosecutor") if after else none,
            ),
            _Attacker(
                tr("Journalist"),
                tr("does not know whether the person is in the file"),
                estimate,
                _figures(before, "journalist"),
                _figures(after, "journalist") if after else none,
            ),
            _Attacker(
                tr("Marketer"),
                tr("matches everybody in the release and accepts errors"),
                estimate,
                (None, before.marketer, None),
                (None, after.marketer, None) if after else none,
            ),
        )

    def _show_assumptions(self, measured: Measured, project: Project) -> None:
        fraction = project.fraction
        if project.privacy.missing_matches == "anything":
            self._missing.set_reason(
                tr("In these figures, a missing value matches every value.")
            )
        else:
            self._missing.set_reason(
                tr("In these figures, a missing value is a separate value.")
            )
        if measured.population is not None:
            words = tr(
                "Population of journalist and marketer: {population}.",
                population=measured.population.label,
            )
        elif fraction is None:
            words = tr(
                "Nothing is known about the population: journalist risk is set "
                "to prosecutor risk."
            )
        else:
            words = tr(
                "Journalist and marketer risk are estimates: the file is assumed "
                "to be a random {share} of the population.",
                share=share_text(fraction),
            )
        self._population.set_reason(words)
        show_if(self._population, True)


def _figures(
    figures: RiskFigures, attacker: str
) -> tuple[float | None, float | None, float | None]:
    found = getattr(figures, attacker)
    return found.highest, found.average, found.at_risk


def _above(unit: ProtectedUnit, known: RowsKnown) -> str:
    """Of how many released people the risk is above the threshold."""
    if known.n_at_risk is None or unit.people is None:
        return "–"
    return tr(
        "{n} of {all:person|people}",
        n=count_text(known.n_at_risk),
        all=count_text(n_released(unit)),
    )


def _share(value: float | None) -> str:
    return "–" if value is None else share_text(value)
