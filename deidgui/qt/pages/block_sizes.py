"""A table of sizes of blocks to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from deidgui.app.power.risk import BlockChoice, over_words
from deidgui.qt.widgets import Caption, TextTable, column, duration_words, show_if
from deidgui.text import tr

WIDEST = 420


class BlockSizes(QWidget):
    """Sizes of blocks to choose from: how many, how long, and how much too high.

    Parameters
    ----------
    time : str
        Heading of the times.
    """

    def __init__(self, time: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heads = (tr("Size"), tr("Sets"), time or tr("Time"), tr("Too high by"))
        self.table = TextTable(tr("Sizes of blocks"), heads, wide=2, numbers=range(4))
        self._note = Caption()
        self.setLayout(column(self.table, self._note, spacing=4))
        self.setMaximumWidth(WIDEST)
        self.show_sizes(())

    def show_sizes(
        self, found: Sequence[BlockChoice], times: Sequence[str] = ()
    ) -> None:
        """Show sizes, or nothing while none are known."""
        show_if(self, bool(found))
        proposed = next((each.size for each in found if each.is_usual), "")
        self._note.setText(
            tr(
                "Proposed: {size}. Times are estimates. Too high by: share of the "
                "records at risk by the riskiest block, minus that by the riskiest "
                "set that is known.",
                size=proposed,
            )
        )
        times = times or [short_time(each.seconds) for each in found]
        self.table.show_texts(
            [
                (str(each.size), f"{each.n_sets:,}", time, over_words(each))
                for each, time in zip(found, times, strict=True)
            ]
        )
        self.table.fit(len(found))


def short_time(seconds: float) -> str:
    """Duration in few letters."""
    return tr("< 1 s") if seconds < 1 else duration_words(seconds)
