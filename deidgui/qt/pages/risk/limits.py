"""How many records may be withheld, and what is known about the population."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.project import PopulationChoice, Privacy
from deidgui.qt.widgets import (
    Callout,
    Caption,
    Card,
    DecimalBox,
    Label,
    LabeledSlider,
    Segmented,
    holder,
    row,
)

STOPS = (0, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30, 50, 75, 100)
"""Percentages on which the slider rests."""


class SuppressionCard(Card):
    """The share of records that may be withheld.

    Attributes
    ----------
    limit_set : Signal of float
        In [0, 1].
    """

    limit_set = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            self.tr("How many records may be withheld?"),
            self.tr(
                "Withholding a few unusual records lets all others keep more detail. "
                "Nothing of a withheld record is released."
            ),
        )
        self._n_records = 0
        self._undecided = Callout(
            self.tr("Not decided yet."),
            "warning",
            self.tr("5 % is a common choice; 0 % releases every record."),
            self.tr("Allow 5 %"),
        )
        self._undecided.acted.connect(self._on_proposal_taken)
        self.slider = LabeledSlider(
            self.tr("At most"), 0, 100, 0, 0.1, "%", stops=STOPS
        )
        self.slider.value_changed.connect(self._show_words)
        self.slider.value_settled.connect(self._on_settled)
        self._words = Caption()
        for each in (self._undecided, self.slider, self._words):
            self.add(each)

    def show_limit(self, limit: float | None, n_records: int) -> None:
        """Show the decided limit."""
        self._n_records = n_records
        self._undecided.setVisible(limit is None)
        self.slider.setVisible(limit is not None)
        self._words.setVisible(limit is not None)
        if limit is not None:
            self.slider.set_value(100 * limit)
            self._show_words(100 * limit)

    def _show_words(self, percent: float) -> None:
        if not self._n_records:
            self._words.setText("")
            return
        most = int(percent / 100 * self._n_records + 1e-9)
        words = self.tr("At most {most:,} of {all:,} records.")
        self._words.setText(words.format(most=most, all=self._n_records))

    def _on_settled(self, percent: float) -> None:
        self.limit_set.emit(round(percent / 100, 6))

    def _on_proposal_taken(self) -> None:
        self.limit_set.emit(0.05)


class PopulationCard(Card):
    """What an adversary's list of people looks like.

    Attributes
    ----------
    population_set : Signal of PopulationChoice
    missing_set : Signal of str
    """

    population_set = Signal(object)
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
        self.kind = Segmented(
            [
                ("none", self.tr("Nothing known")),
                ("sampling_fraction", self.tr("A share of a population")),
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
        self._words = Caption()
        self.missing = Segmented(
            [
                ("own_category", self.tr("A value of its own")),
                ("anything", self.tr("Matches anything")),
            ],
            name=self.tr("How a missing value is treated in risk figures"),
        )
        self.missing.chosen.connect(self.missing_set)
        self._missing_words = Caption()
        self.body.addLayout(row(self.kind, None))
        self.body.addWidget(self._fraction_row)
        self.body.addWidget(self._words)
        self.body.addWidget(Label(self.tr("A missing value is"), "strong"))
        self.body.addLayout(row(self.missing, None))
        self.body.addWidget(self._missing_words)

    def show_privacy(self, privacy: Privacy) -> None:
        """Show what is decided."""
        population = privacy.population
        self.kind.set_current(population.kind)
        self._fraction_row.setVisible(population.kind == "sampling_fraction")
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

    def _on_kind_chosen(self, kind: str) -> None:
        if kind == "none":
            self.population_set.emit(PopulationChoice())
        else:
            self._tell_fraction()

    def _tell_fraction(self) -> None:
        share = min(1.0, self.fraction.value() / 100)
        self.population_set.emit(
            PopulationChoice(kind="sampling_fraction", sampling_fraction=share)
        )


class SignatureCard(Card):
    """Who set the thresholds.

    Attributes
    ----------
    name_set : Signal of str
    """

    name_set = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            self.tr("Who decided this?"),
            self.tr("Printed in the report beside the thresholds."),
        )
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Name and function"))
        self.field.setAccessibleName(self.tr("Who set the thresholds"))
        self.field.editingFinished.connect(self._tell)
        self.add(self.field)

    def show_name(self, name: str) -> None:
        """Show who decided."""
        if self.field.text() != name:
            self.field.setText(name)

    def _tell(self) -> None:
        self.name_set.emit(self.field.text().strip())
