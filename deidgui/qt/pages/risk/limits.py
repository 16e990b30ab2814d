"""How many records may be suppressed, and who decided it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    LabeledSlider,
    row,
)
from deidgui.text import tr

STOPS = (0, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30, 50, 75, 100)
"""Percentages on which the slider rests."""


class SuppressionCard(Card):
    """The share of records that may be suppressed.

    Attributes
    ----------
    limit_set : Signal of float
        In [0, 1].
    prices_wanted : Signal
        What does each limit cost?
    """

    limit_set = Signal(float)
    prices_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("How many records may be suppressed?"),
            tr(
                "Suppressing a few unusual records lets all others keep more detail. "
                "Nothing of a suppressed record is released."
            ),
        )
        self._n_records = 0
        self._undecided = Callout(
            tr("Not decided yet."),
            "warning",
            tr("5 % is a common choice; 0 % releases every record."),
            tr("Allow 5 %"),
        )
        self._undecided.acted.connect(self._on_proposal_taken)
        self.slider = LabeledSlider(tr("At most"), 0, 100, 0, 0.1, "%", stops=STOPS)
        self.slider.value_changed.connect(self._show_words)
        self.slider.value_settled.connect(self._on_settled)
        self._words = Caption()
        for each in (self._undecided, self.slider, self._words):
            self.add(each)
        self.prices_button = Button(
            tr("What does each limit cost?"), "link", clicked=self.prices_wanted
        )
        self.body.addLayout(row(self.prices_button, None))

    @property
    def control(self) -> QWidget:
        """Where the limit is decided as things stand."""
        return self.slider if self._undecided.isHidden() else self._undecided

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
        self._words.setText(
            tr("At most {most:,} of {all:,} records.", most=most, all=self._n_records)
        )

    def _on_settled(self, percent: float) -> None:
        self.limit_set.emit(round(percent / 100, 6))

    def _on_proposal_taken(self) -> None:
        self.limit_set.emit(0.05)


class SignatureCard(Card):
    """Who set the thresholds."""

    name_set = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Who decided this?"),
            tr("Printed in the report beside the thresholds."),
        )
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Name and function"))
        self.field.setAccessibleName(tr("Who set the thresholds"))
        self.field.editingFinished.connect(self._tell)
        self.add(self.field)

    def show_name(self, name: str) -> None:
        """Show who decided."""
        if self.field.text() != name:
            self.field.setText(name)

    def _tell(self) -> None:
        self.name_set.emit(self.field.text().strip())
