"""Which levels of a hierarchy the search may use."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.hierarchies.editing import Opened
from deidgui.app.project import Attribute
from deidgui.qt.pages.hierarchies.words import level_title
from deidgui.qt.widgets import Caption, ComboBox, SectionHeading, field_row
from deidgui.text import tr


class LimitsBox(QWidget):
    """Finest and coarsest level of one quasi-identifier.

    Attributes
    ----------
    limits_set : Signal of (int or None, int or None)
        None where there is no limit.
    """

    limits_set = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._height = 0
        self.finest, self.coarsest = ComboBox(), ComboBox()
        self._words = Caption()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(SectionHeading(tr("What the search may use")))
        box.addWidget(field_row(tr("Finest level"), self.finest))
        box.addWidget(field_row(tr("Coarsest level"), self.coarsest))
        box.addWidget(self._words)
        for combo in (self.finest, self.coarsest):
            combo.setMinimumContentsLength(8)
            combo.activated.connect(self._on_chosen)

    def show_limits(self, opened: Opened, attribute: Attribute) -> None:
        """Show which levels are allowed."""
        height = self._height = opened.outline.height
        low, high = attribute.minimum_level or 0, attribute.maximum_level
        high = height if high is None else min(high, height)
        low = min(low, high)
        for combo, first, last, current in (
            (self.finest, 0, high, low),
            (self.coarsest, low, height, high),
        ):
            combo.blockSignals(True)
            combo.clear()
            for level in range(first, last + 1):
                combo.addItem(f"{level} · {level_title(opened, level)}", str(level))
            combo.blockSignals(False)
            combo.set_current(str(current))
        self._words.setText(self._sentence(low, high))

    def set_finest(self, level: int) -> None:
        """Let the search use nothing finer than a level."""
        self._tell(level, max(level, int(self.coarsest.current)))

    def set_coarsest(self, level: int) -> None:
        """Let the search use nothing coarser than a level."""
        self._tell(min(level, int(self.finest.current)), level)

    def _tell(self, low: int, high: int) -> None:
        # One level alone is a decision, whatever height the hierarchy has later.
        is_limit = high < self._height or low == high
        self.limits_set.emit(low or None, high if is_limit else None)

    def _sentence(self, low: int, high: int) -> str:
        if low == 0 and high == self._height:
            return tr("Every level may be used.")
        if low == high:
            return tr("Level {low} is used in any case.", low=low)
        return tr("Only levels {low} to {high} may be used.", low=low, high=high)

    def _on_chosen(self) -> None:
        self._tell(int(self.finest.current), int(self.coarsest.current))
