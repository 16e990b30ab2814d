"""A table of sizes of blocks to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from deidgui.app.power.risk import BlockChoice, over_words
from deidgui.qt.widgets import TextTable, duration_words, show_if
from deidgui.text import tr


class BlockSizes(TextTable):
    """Sizes of blocks to choose from: how many, how long, and how much too high.

    Parameters
    ----------
    time : str
        Heading of the times.
    """

    def __init__(self, time: str = "", parent: QWidget | None = None) -> None:
        heads = (tr("Size"), tr("Sets"), time or tr("Time"), tr("Too high by"))
        super().__init__(
            tr("Sizes of blocks"), heads, wide=3, numbers=range(4), parent=parent
        )
        self.setToolTip(
            tr(
                "Time: an estimate for this table. Too high by: the share of records "
                "at risk by these blocks, minus that by every set that is known."
            )
        )
        self.show_sizes(())

    def show_sizes(
        self, found: Sequence[BlockChoice], times: Sequence[str] = ()
    ) -> None:
        """Show sizes, or nothing while none are known."""
        show_if(self, bool(found))
        times = times or [duration_words(each.seconds) for each in found]
        rows = [
            (_size_text(each), f"{each.n_sets:,}", time, over_words(each))
            for each, time in zip(found, times, strict=True)
        ]
        self.show_texts(rows)
        self.keep_visible(len(rows))
        self.setMaximumHeight(self.minimumHeight())


def _size_text(choice: BlockChoice) -> str:
    if choice.is_usual:
        return tr("{size} (proposed)", size=choice.size)
    return str(choice.size)
