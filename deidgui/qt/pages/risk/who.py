"""Who the population is: its people, the records they cover, what it rests on."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from deidgui.app.charts.formats import share_text
from deidgui.app.matching.matching import People, remark_words
from deidgui.app.population.known import SHARE_TO_WARN
from deidgui.qt.widgets import (
    Badge,
    Callout,
    Columns,
    Label,
    ReasonLabel,
    StatTile,
    column,
    row,
    show_if,
)
from deidgui.text import Text, tr


class WhoPart(QWidget):
    """Three figures, a sentence, and everything that the figures rest on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.people, self.found, self.outside = StatTile(), StatTile(), StatTile()
        tiles = (self.people, self.found, self.outside)
        self._tiles = Columns([(tile, 1) for tile in tiles], 480, 12)
        self._stale = ReasonLabel(
            tr("These figures belong to earlier decisions."), "warning"
        )
        self._alone = Callout()
        self._remarks = Callout()
        self._name, self._badge = Label("", "body", wrap=True), Badge("")
        name = row(self._name, self._badge)
        name.setStretch(0, 1)
        self.setLayout(
            column(
                Label(tr("Who the population is"), "strong"),
                name,
                self._tiles,
                self._stale,
                self._alone,
                self._remarks,
                spacing=10,
            )
        )

    def show_who(self, people: People | None, is_stale: bool = False) -> None:
        """Show who the population is; hidden while nobody knows.

        Parameters
        ----------
        is_stale : bool
            Whether they belong to earlier decisions.
        """
        show_if(self, people is not None)
        if people is None:
            return
        seen = people.coverage
        self._name.setText(people.name)
        if people.is_modelled:
            words = tr("MODELLED, not counted")
            self._badge.show_words(words, "warning", "warning")
        else:
            self._badge.show_words(tr("Counted"), "success", "check-circle")
        show_if(self._stale, is_stale)
        self.people.set_figure(
            tr("People"),
            f"{seen.n_people_inside:,}",
            "",
            tr("with values of your file, or that its hierarchies know"),
        )
        self.outside.set_figure(
            tr("People left out"),
            f"{seen.n_people_outside:,}",
            "",
            tr("their values do not occur in your file; risks come out no lower"),
        )
        self._show_found(people)
        self._show_remarks(people)

    def _show_found(self, people: People) -> None:
        seen = people.coverage
        n_short, n_alone = seen.n_records_raised, seen.n_records_without_people
        n_found = seen.n_records - n_short
        words: Text = "{n:,} of {all:,} records have enough people who look alike"
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
            "{short:,} records have fewer people in the population than records in the "
            "file; {alone:,} of them have nobody."
        )
        self._alone.show_words(
            tr(words, short=n_short, alone=n_alone),
            "warning" if is_many else "info",
            self._words_on_short(is_many),
        )

    def _words_on_short(self, is_many: bool) -> str:
        taken = tr(
            "As many people as records are taken there, so that their risk is not "
            "stated too low."
        )
        if not is_many:
            return taken
        doubt = tr(
            "They are more than one in a hundred: either your records do not come from "
            "this population, or their values are written in another way there."
        )
        return f"{taken} {doubt}"

    def _show_remarks(self, people: People) -> None:
        # What was raised is told above, with the records that nobody has.
        told = [each for each in people.remarks if each.code != "people_raised"]
        show_if(self._remarks, bool(told))
        words = "\n".join(f"• {remark_words(each)}" for each in told)
        title = tr("What these figures rest on")
        if people.is_modelled:
            title = tr("These people are estimates. They rest on this:")
        self._remarks.show_words(
            title, "warning" if people.is_modelled else "info", words
        )
