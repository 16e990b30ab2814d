"""Who the population is: its people, the records they cover, what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from deidgui.app.charts.formats import share_text
from deidgui.engine.detect.roles import Reason
from deidgui.qt.column_words import reason_words
from deidgui.qt.widgets import (
    Callout,
    Columns,
    Label,
    ReasonLabel,
    StatTile,
    column,
    show_if,
)


@dataclass(frozen=True)
class WhoState:
    """What is known of the people once every value was looked up.

    Parameters
    ----------
    name : str
        Of the tables or the file.
    n_people : int
        People with values of the data.
    n_outside : int
        People whose values do not occur in the data.
    n_records : int
        Records of the file.
    n_alone : int
        Records of which the population has nobody, or fewer people than records.
    is_counted : bool
        Whether all of them were counted.
    remarks : tuple of Reason
        What it rests on, and what was left out.
    is_stale : bool
        Whether it belongs to earlier decisions.
    """

    name: str
    n_people: int
    n_outside: int
    n_records: int
    n_alone: int
    is_counted: bool
    remarks: Sequence[Reason] = ()
    is_stale: bool = False


class WhoPart(QWidget):
    """Three figures, a sentence, and everything that the figures rest on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.people, self.found, self.outside = StatTile(), StatTile(), StatTile()
        tiles = (self.people, self.found, self.outside)
        self._tiles = Columns([(tile, 1) for tile in tiles], 480, 12)
        self._stale = ReasonLabel(
            self.tr("These figures belong to earlier decisions."), "warning"
        )
        self._alone = Callout()
        self._remarks = Callout()
        self.setLayout(
            column(
                Label(self.tr("Who the population is"), "strong"),
                self._tiles,
                self._stale,
                self._alone,
                self._remarks,
                spacing=10,
            )
        )

    def show_who(self, state: WhoState | None) -> None:
        """Show who the population is; hidden while nobody knows."""
        show_if(self, state is not None)
        if state is None:
            return
        show_if(self._stale, state.is_stale)
        kind = self.tr("counted") if state.is_counted else self.tr("estimated")
        words = self.tr("{kind}, with values of your file: {name}")
        self.people.set_figure(
            self.tr("People"),
            f"{state.n_people:,}",
            "",
            words.format(kind=kind, name=state.name),
        )
        self._show_found(state)
        self.outside.set_figure(
            self.tr("People left out"),
            f"{state.n_outside:,}",
            "",
            self.tr("their values do not occur in your file; risks come out no lower"),
        )
        self._show_remarks(state)

    def _show_found(self, state: WhoState) -> None:
        share = 1 - state.n_alone / max(state.n_records, 1)
        words = self.tr("{n:,} of {all:,} records have enough people who look alike")
        n_found = state.n_records - state.n_alone
        self.found.set_figure(
            self.tr("Records covered"),
            share_text(share),
            "",
            words.format(n=n_found, all=state.n_records),
        )
        self.found.set_tone("warning" if state.n_alone else None)
        show_if(self._alone, state.n_alone > 0)
        words = self.tr(
            "{n:,} records have fewer people in the population than in the file."
        )
        self._alone.show_words(
            words.format(n=state.n_alone),
            "warning",
            self.tr(
                "As many people as records are taken there, so their risk is not "
                "stated too low. If they are many, your records come from other "
                "people, or their values mean something else."
            ),
        )

    def _show_remarks(self, state: WhoState) -> None:
        show_if(self._remarks, bool(state.remarks))
        words = "\n".join(f"• {reason_words(each)}" for each in state.remarks)
        title = (
            self.tr("What these figures rest on")
            if state.is_counted
            else self.tr("These figures are estimates. They rest on this:")
        )
        self._remarks.show_words(
            title, "info" if state.is_counted else "warning", words
        )
