"""What is known about the population, and how missing values are treated."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.project import PopulationChoice, Privacy
from deidgui.qt.pages.risk.population_file import (
    COUNT,
    PopulationFile,
    PopulationState,
)
from deidgui.qt.widgets import (
    Caption,
    Card,
    DecimalBox,
    Label,
    Segmented,
    holder,
    row,
    show_if,
)

FILES = ("register", "counts")
"""Kinds that are known from a file."""


class PopulationCard(Card):
    """What an adversary's list of people looks like.

    Attributes
    ----------
    population_set : Signal of PopulationChoice
    kind_set : Signal of str
        The file that is chosen is a register, or counts.
    file_wanted : Signal of str
        A file of this kind is to be chosen.
    missing_set : Signal of str
    """

    population_set = Signal(object)
    kind_set = Signal(str)
    file_wanted = Signal(str)
    missing_set = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            self.tr("Where do these people come from?"),
            self.tr(
                "Somebody who does not know that a person is in the file must tell "
                "them apart in the whole population."
            ),
        )
        self._choice = PopulationChoice()
        self._wanted: str | None = None
        self.kind = Segmented(
            [
                ("none", self.tr("Nothing known")),
                ("sampling_fraction", self.tr("A share")),
                ("register", self.tr("A list of people")),
                ("counts", self.tr("A table of counts")),
            ],
            name=self.tr("What is known about the population"),
        )
        self.kind.chosen.connect(self._on_kind_chosen)
        self.fraction = DecimalBox(
            0.0001, 100, 10, 0.0001, "%", self.tr("Share of the population")
        )
        self.fraction.setDecimals(4)
        self.fraction.editingFinished.connect(self._tell_fraction)
        self._fraction_row = holder(
            row(
                Label(self.tr("The file holds")),
                self.fraction,
                Label(self.tr("of the population")),
                None,
            )
        )
        self.file = PopulationFile()
        self.file.choose_clicked.connect(self._on_choose_clicked)
        self.file.column_set.connect(self._on_column_set)
        self._words = Caption()
        self._make_missing()
        self.body.addLayout(row(self.kind, None))
        self.body.addWidget(self._fraction_row)
        self.body.addWidget(self.file)
        self.body.addWidget(self._words)
        self.body.addWidget(Label(self.tr("A missing value is"), "strong"))
        self.body.addLayout(row(self.missing, None))
        self.body.addWidget(self._missing_words)

    def _make_missing(self) -> None:
        self.missing = Segmented(
            [
                ("own_category", self.tr("A value of its own")),
                ("anything", self.tr("Matches anything")),
            ],
            name=self.tr("How a missing value is treated in risk figures"),
        )
        self.missing.chosen.connect(self.missing_set)
        self._missing_words = Caption()

    # -- showing -------------------------------------------------------------------

    @property
    def shown_kind(self) -> str:
        """Kind that is shown: the decided one, or one whose file is to be chosen."""
        return self._wanted or self._choice.kind

    def show_privacy(self, privacy: Privacy, state: PopulationState) -> None:
        """Show what is decided.

        Parameters
        ----------
        privacy : Privacy
        state : PopulationState
            Of the decided population; its kind is not looked at.
        """
        if privacy.population != self._choice:
            self._wanted = None
        self._choice = population = privacy.population
        kind = self.shown_kind
        self.kind.set_current(kind)
        show_if(self._fraction_row, kind == "sampling_fraction")
        show_if(self.file, kind in FILES)
        show_if(self._words, kind not in FILES)
        if kind in FILES:
            choice = population if kind == population.kind else PopulationChoice()
            self.file.show_state(replace(state, choice=choice, kind=kind))
        if population.sampling_fraction is not None:
            was_blocked = self.fraction.blockSignals(True)
            self.fraction.setValue(100 * population.sampling_fraction)
            self.fraction.blockSignals(was_blocked)
        self._words.setText(self._population_words(population))
        self.missing.set_current(privacy.missing_matches)
        self._missing_words.setText(self._words_on_missing(privacy.missing_matches))

    def _population_words(self, population: PopulationChoice) -> str:
        if population.sampling_fraction is None:
            return self.tr(
                "The journalist's risk is then taken to be the prosecutor's: the "
                "careful assumption."
            )
        times = 1 / population.sampling_fraction
        words = self.tr(
            "Every group in the file is taken to be {times:,.4g} times as large in the "
            "population: an estimate, and shown as one."
        )
        return words.format(times=times)

    def _words_on_missing(self, choice: str) -> str:
        if choice == "anything":
            return self.tr(
                "In risk figures, a record without a value could belong to every group "
                "that agrees on the rest."
            )
        return self.tr(
            "In risk figures, records without a value only look like other records "
            "without it."
        )

    # -- deciding ------------------------------------------------------------------

    def _on_kind_chosen(self, kind: str) -> None:
        self._wanted = None
        if kind == "none":
            self.population_set.emit(PopulationChoice())
        elif kind == "sampling_fraction":
            self._tell_fraction()
        else:
            if self._choice.file is None:
                self._wanted = kind
            self.kind_set.emit(kind)

    def _on_choose_clicked(self) -> None:
        self.file_wanted.emit(self.shown_kind)

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

    def _tell_fraction(self) -> None:
        share = min(1.0, self.fraction.value() / 100)
        self.population_set.emit(
            PopulationChoice(kind="sampling_fraction", sampling_fraction=share)
        )
