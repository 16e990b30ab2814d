"""What is known about the population, and how missing values are treated."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.population.known import SHARE_TO_WARN, KnownPopulation, remark_words
from deidgui.app.project import PopulationChoice, Privacy
from deidgui.engine.population.built_in import TableCard
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.risk.built_in import PopulationPart, TablesPart
from deidgui.qt.pages.risk.mapping import MappingPart, MappingState
from deidgui.qt.pages.risk.population_file import (
    COUNT,
    PopulationFile,
    PopulationState,
)
from deidgui.qt.widgets import (
    Badge,
    Callout,
    Caption,
    Card,
    Columns,
    DecimalBox,
    Label,
    ReasonLabel,
    Segmented,
    StatTile,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, share_text, tr


class WhoPart(QWidget):
    """Three figures, a sentence, and everything that the figures rest on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.size_tile, self.found, self.outside = StatTile(), StatTile(), StatTile()
        tiles = (self.size_tile, self.found, self.outside)
        self._tiles = Columns([(tile, 1) for tile in tiles], 480, 12)
        self._stale = ReasonLabel(
            tr("These figures are based on earlier decisions."), "warning"
        )
        self._alone = Callout()
        self._remarks = Callout()
        self._name, self._badge = Label("", "body", wrap=True), Badge("")
        name = row(self._name, self._badge)
        name.setStretch(0, 1)
        self.setLayout(
            column(
                Label(tr("Population used"), "strong"),
                name,
                self._tiles,
                self._stale,
                self._alone,
                self._remarks,
                spacing=10,
            )
        )

    def show_who(
        self, population: KnownPopulation | None, is_stale: bool = False
    ) -> None:
        """Show who the population is; hidden while nobody knows.

        Parameters
        ----------
        is_stale : bool
            Whether they belong to earlier decisions.
        """
        show_if(self, population is not None)
        if population is None:
            return
        seen = population.coverage
        self._name.setText(population.name)
        if population.is_modelled:
            words = tr("MODELLED, not counted")
            self._badge.show_words(words, "warning", "warning")
        else:
            self._badge.show_words(tr("Counted"), "success", "check-circle")
        show_if(self._stale, is_stale)
        self.size_tile.set_figure(
            tr("Population"),
            f"{seen.n_population_inside:,}",
            "",
            tr("with values that occur in your file or its hierarchies"),
        )
        self.outside.set_figure(
            tr("Excluded"),
            f"{seen.n_population_outside:,}",
            "",
            tr(
                "with values that do not occur in your file; this does not "
                "understate the risk"
            ),
        )
        self._show_found(population)
        self._show_remarks(population)

    def _show_found(self, population: KnownPopulation) -> None:
        seen = population.coverage
        n_short, n_alone = seen.n_records_raised, seen.n_records_without_population
        n_found = seen.n_records - n_short
        words: Text = (
            "{n:,} of {all:record|records} have at least as many matches in the "
            "population as in the file"
        )
        self.found.set_figure(
            tr("Records covered"),
            share_text(n_found / max(seen.n_records, 1)),
            "",
            tr(words, n=n_found, all=seen.n_records),
        )
        is_many = n_short > SHARE_TO_WARN * seen.n_records
        self.found.set_tone("warning" if is_many else None)
        show_if(self._alone, n_short > 0)
        words = (
            "{short:record has|records have} fewer matches in the population than "
            "in the file; {alone:,} of them without any."
        )
        self._alone.show_words(
            tr(words, short=n_short, alone=n_alone),
            "warning" if is_many else "info",
            self._words_on_short(is_many),
        )

    def _words_on_short(self, is_many: bool) -> str:
        taken = tr(
            "For them, the class size in the file is used, so the risk is "
            "not understated."
        )
        if not is_many:
            return taken
        doubt = tr(
            "This is more than 1\u202f% of the records. They may come from "
            "another population, or their values may be coded differently."
        )
        return f"{taken} {doubt}"

    def _show_remarks(self, population: KnownPopulation) -> None:
        # What was raised is told above, with the records that nobody has.
        remarks = [each for each in population.remarks if each.code != "people_raised"]
        show_if(self._remarks, bool(remarks))
        words = "\n".join(f"• {remark_words(each)}" for each in remarks)
        title = tr("Assumptions of these figures")
        if population.is_modelled:
            title = tr("This population is estimated. Assumptions:")
        self._remarks.show_words(
            title, "warning" if population.is_modelled else "info", words
        )


FILES = ("register", "counts")
"""Kinds that are known from a file."""

BUILT_IN = "built_in"
"""The kind whose tables come with the program."""


class PopulationCard(Card):
    """What an adversary's list of people looks like.

    Attributes
    ----------
    kind_set : Signal of str
        The file that is chosen is a register, or counts.
    file_wanted : Signal of str
        A file of this kind is to be chosen.
    """

    population_set = Signal(object)
    kind_set = Signal(str)
    file_wanted = Signal(str)
    missing_set = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Population"),
            tr(
                "Attackers who do not know who is in the file must find a person "
                "in the whole population."
            ),
        )
        self._choice = PopulationChoice()
        self._cards: tuple[TableCard, ...] = ()
        self._wanted: str | None = None
        self.kind = Segmented(
            [
                ("none", tr("Nothing known")),
                ("sampling_fraction", tr("Sampling fraction")),
                (BUILT_IN, tr("Census tables")),
                ("counts", tr("Own counts")),
                ("register", tr("Own register")),
            ],
            name=tr("What is known about the population"),
            wraps=True,
        )
        self.kind.chosen.connect(self._on_kind_chosen)
        self._make_fraction()
        self.tables = TablesPart()
        self.tables.tables_set.connect(self._on_tables_set)
        self.built_in = PopulationPart()
        self.built_in.states_set.connect(self._on_states_set)
        self.built_in.ages_set.connect(self._on_ages_set)
        self.file = PopulationFile()
        self.file.choose_clicked.connect(self._on_choose_clicked)
        self.file.column_set.connect(self._on_column_set)
        self.who = WhoPart()
        self.mapping = MappingPart()
        self._words = Caption()
        self._make_missing()
        self.body.addLayout(row(self.kind, None))
        for part in (
            self._fraction_row,
            self.tables,
            self.built_in,
            self.file,
            self._words,
            self.mapping,
            self.who,
        ):
            self.body.addWidget(part)
        self.body.addWidget(Label(tr("Missing values"), "strong"))
        self.body.addLayout(row(self.missing, None))
        self.body.addWidget(self._missing_words)

    def _make_fraction(self) -> None:
        self.fraction = DecimalBox(
            0, 100, 0, 0.0001, "%", tr("Share of the population")
        )
        self.fraction.setSpecialValueText(tr("not stated"))
        self.fraction.setDecimals(4)
        self.fraction.editingFinished.connect(self._report_fraction)
        self._fraction_row = holder(
            row(
                Label(tr("The file holds")),
                self.fraction,
                Label(tr("of the population")),
                None,
            )
        )

    def _make_missing(self) -> None:
        self.missing = Segmented(
            [
                ("own_category", tr("A separate value")),
                ("anything", tr("Match any value")),
            ],
            name=tr("Treatment of missing values in risk figures"),
        )
        self.missing.chosen.connect(self.missing_set)
        self._missing_words = Caption()

    # -- showing -------------------------------------------------------------------

    @property
    def shown_kind(self) -> str:
        """Kind that is shown: the decided one, or one that is about to be decided."""
        return self._wanted or self._choice.kind

    def set_cards(self, cards: tuple[TableCard, ...]) -> None:
        """Know the tables that come with the program."""
        self._cards = cards

    def summary(self, privacy: Privacy, population: KnownPopulation | None) -> str:
        """Say what is known about the population, and how missing values count."""
        choice = privacy.population
        titles = {card.name: card.title for card in self._cards}
        if choice.sampling_fraction is not None:
            share = share_text(choice.sampling_fraction)
            said = tr("The file holds {share} of it", share=share)
        elif choice.file is not None:
            said = choice.file.file
        else:
            used = "; ".join(titles.get(name, name) for name in choice.tables)
            said = used or tr("Nothing known")
        if population is not None:
            population_size = population.coverage.n_population_inside
            said = tr("{said}, size {n}", said=said, n=population_size)
        if privacy.missing_matches == "anything":
            said += tr("; missing values match any value")
        return said

    def show_privacy(self, privacy: Privacy, state: PopulationState) -> None:
        """Show what is decided.

        Parameters
        ----------
        state : PopulationState
            Of the decided population; its kind is not looked at.
        """
        if privacy.population != self._choice:
            self._wanted = None
        self._choice = population = privacy.population
        kind = self.shown_kind
        is_decided = kind == population.kind
        self.kind.set_current(kind)
        show_if(self._fraction_row, kind == "sampling_fraction")
        show_if(self.file, kind in FILES)
        show_if(self.tables, kind == BUILT_IN)
        show_if(self.built_in, kind == BUILT_IN and is_decided)
        show_if(self._words, kind in ("none", "sampling_fraction") or not is_decided)
        if kind in FILES:
            choice = population if is_decided else PopulationChoice()
            self.file.show_state(replace(state, choice=choice, kind=kind))
        if kind == BUILT_IN:
            self._show_tables(population)
        self.fraction.set_value(100 * (population.sampling_fraction or 0))
        words = self._population_words(population)
        if not is_decided:
            said = self.summary(privacy, None)
            words = tr("Not decided yet. In force until then: {said}.", said=said)
        self._words.setText(words)
        self.missing.set_current(privacy.missing_matches)
        self._missing_words.setText(self._words_on_missing(privacy.missing_matches))

    def show_population(
        self, mapping: MappingState | None, who: tuple[KnownPopulation, bool] | None
    ) -> None:
        """Show how the values are found, and who the population is.

        Parameters
        ----------
        mapping : MappingState or None
            None while nothing is looked up.
        who : (KnownPopulation, bool) or None
            With whether they belong to earlier decisions.
        """
        is_counted = self.shown_kind == self._choice.kind and mapping is not None
        show_if(self.mapping, is_counted)
        if mapping is not None:
            of_ages = [p for p in mapping.problems if p.code == "people_ages_differ"]
            words = [" ".join(words_for(problem)) for problem in of_ages]
            self.built_in.ages.problem.set_reason("\n".join(words), "danger")
            others = tuple(p for p in mapping.problems if self._is_shown_there(p))
            self.mapping.show_state(replace(mapping, problems=others))
        self.who.show_who(*(who if is_counted and who else (None, False)))

    def _is_shown_there(self, problem: DeidError) -> bool:
        """Whether the mapping step tells a problem, not a field above it."""
        at_file = self._choice.kind in FILES and problem.code.startswith("population_")
        return not at_file and problem.code != "people_ages_differ"

    def _show_tables(self, population: PopulationChoice) -> None:
        self.tables.show_tables(self._cards, population.tables)
        used = [card for card in self._cards if card.name in population.tables]
        ages = population.youngest, population.oldest
        self.built_in.show_population(used, population.states, ages)

    def _population_words(self, population: PopulationChoice) -> str:
        if population.sampling_fraction is None:
            return tr(
                "Journalist risk is then set to prosecutor risk, the "
                "conservative assumption."
            )
        times = 1 / population.sampling_fraction
        return tr(
            "Each class is estimated to be {times:,.4g} times as large in "
            "the population. Figures are marked as estimates.",
            times=times,
        )

    def _words_on_missing(self, choice: str) -> str:
        if choice == "anything":
            return tr("In risk figures, a missing value matches every value.")
        return tr("In risk figures, a missing value matches only other missing values.")

    # -- deciding ------------------------------------------------------------------

    def _on_kind_chosen(self, kind: str) -> None:
        self._wanted = None
        if kind == "none":
            self.population_set.emit(PopulationChoice())
            return
        # PRIVACY: a kind decides nothing before its share, file or tables are named.
        if kind not in FILES or self._choice.file is None:
            self._wanted = kind if kind != self._choice.kind else None
        self.kind_set.emit(kind)

    def _on_choose_clicked(self) -> None:
        self.file_wanted.emit(self.shown_kind)

    def _on_tables_set(self, names: tuple[str, ...]) -> None:
        """Use some tables; what was said about others of them does not hold here."""
        before = self._choice
        if before.kind != BUILT_IN:
            before = PopulationChoice(kind="built_in", tables=names)
        is_joined = before.tables == names[: len(before.tables)]
        used = [card for card in self._cards if card.name in names]
        known = set(self.built_in.states_known(used))
        self.population_set.emit(
            before.but(
                tables=names,
                states=tuple(each for each in before.states if each in known),
                matches=before.matches if is_joined else {},
            )
        )

    def _on_states_set(self, states: tuple[str, ...]) -> None:
        self.population_set.emit(self._choice.but(states=states))

    def _on_ages_set(self, youngest: int | None, oldest: int | None) -> None:
        self.population_set.emit(self._choice.but(youngest=youngest, oldest=oldest))

    def _on_column_set(self, attribute: str, name: str) -> None:
        choice = self._choice
        if attribute == COUNT:
            self.population_set.emit(choice.but(count_column=name or None))
            return
        columns = dict(choice.columns)
        columns.pop(attribute, None)
        if name and name != attribute:
            columns[attribute] = name
        self.population_set.emit(choice.but(columns=columns))

    def _report_fraction(self) -> None:
        share = self.fraction.value() / 100
        if not share:
            self.fraction.set_value(100 * (self._choice.sampling_fraction or 0))
            return
        self.population_set.emit(
            PopulationChoice(kind="sampling_fraction", sampling_fraction=share)
        )
