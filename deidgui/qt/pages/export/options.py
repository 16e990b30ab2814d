"""How the release is written."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.project import Export
from deidgui.qt.widgets import (
    Callout,
    Caption,
    Card,
    Label,
    Segmented,
    SpinBox,
    ToggleRow,
    holder,
    row,
    show_if,
)
from deidgui.text import tr


class OptionsCard(Card):
    """Suppressed records, order of rows, and harmless texts.

    Attributes
    ----------
    changed : Signal of dict
        Fields of `Export` that the user set.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(tr("How it is written"))
        self._undecided = Callout(
            tr("Decide what happens to suppressed records."), "warning"
        )
        self.suppressed = Segmented(
            [
                ("undecided", tr("Undecided")),
                ("stars", tr("Rows of *")),
                ("left_out", tr("Left out")),
            ],
            name=tr("What happens to suppressed records"),
        )
        self.suppressed.chosen.connect(self._on_suppressed_chosen)
        self._suppressed_words = Caption()
        self.shuffle = ToggleRow(
            tr("Random order of rows"),
            tr(
                "The order of admission would be a hidden attribute; the random order "
                "comes from the operating system and is not kept."
            ),
        )
        self.shuffle.toggled.connect(self._on_shuffle_toggled)
        self.reproducible = ToggleRow(
            tr("Reproducible bytes"),
            tr(
                "Draws the order from a number, so that the same project gives the "
                "same file. Whoever knows the number can restore the order."
            ),
        )
        self.reproducible.toggled.connect(self._on_reproducible_toggled)
        self.seed = SpinBox(0, 2**31 - 1, 0, "", tr("Number"))
        self.seed.editingFinished.connect(self._on_seed_edited)
        self._seed_row = holder(row(Label(tr("Number")), self.seed, None))
        self.safe = ToggleRow(
            tr("Harmless for spreadsheets"),
            tr("Texts that a spreadsheet would execute get an apostrophe."),
        )
        self.safe.toggled.connect(self._on_safe_toggled)
        self.add(self._undecided)
        self._suppressed_row = holder(
            row(Label(tr("Suppressed records")), self.suppressed, None)
        )
        self.add(self._suppressed_row)
        for each in (
            self._suppressed_words,
            self.shuffle,
            self.reproducible,
            self._seed_row,
            self.safe,
        ):
            self.add(each)

    def show_export(self, export: Export, *, suppresses: bool = True) -> None:
        """Show what is decided.

        Parameters
        ----------
        suppresses : bool
            Whether the policy could suppress records, so that it matters how.
        """
        show_if(self._suppressed_row, suppresses)
        show_if(self._suppressed_words, suppresses)
        show_if(self._undecided, suppresses and export.suppressed is None)
        self.suppressed.set_current(export.suppressed or "undecided")
        words = {
            None: "",
            "stars": tr("The file keeps its number of rows."),
            "left_out": tr("The file has fewer rows than the input."),
        }
        self._suppressed_words.setText(words[export.suppressed])
        self.shuffle.set_on(export.shuffle)
        self.reproducible.set_on(export.shuffle_seed is not None)
        show_if(self.reproducible, export.shuffle)
        show_if(self._seed_row, export.shuffle and export.shuffle_seed is not None)
        self.seed.set_value(export.shuffle_seed or 0)
        self.safe.set_on(export.spreadsheet_safe)

    def _on_suppressed_chosen(self, choice: str) -> None:
        self.changed.emit({"suppressed": None if choice == "undecided" else choice})

    def _on_shuffle_toggled(self, is_on: bool) -> None:
        self.changed.emit({"shuffle": is_on, "shuffle_seed": None})

    def _on_reproducible_toggled(self, is_on: bool) -> None:
        self.changed.emit({"shuffle_seed": self.seed.value() if is_on else None})

    def _on_seed_edited(self) -> None:
        self.changed.emit({"shuffle_seed": self.seed.value()})

    def _on_safe_toggled(self, is_on: bool) -> None:
        self.changed.emit({"spreadsheet_safe": is_on})
