"""Context menus of what buttons do, at the pointer or where the keyboard is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QMenu, QWidget


class ButtonMenu(QMenu):
    """Context menu of a widget: whatever it offers, a button offers too.

    An entry has the words and the state of its button and clicks it; a button that
    is hidden has none.

    Parameters
    ----------
    place : QWidget
        Whose menu it is, by the right mouse button and by the menu key.
    buttons : sequence of QAbstractButton, QAction or None
        An action is one that a key does; None divides groups.
    """

    def __init__(
        self, place: QWidget, buttons: Sequence[QAbstractButton | QAction | None]
    ) -> None:
        super().__init__(place)
        self._place, self._buttons = place, list(buttons)
        place.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        place.customContextMenuRequested.connect(self._on_wanted)

    def put_first(self, *buttons: QAbstractButton | QAction | None) -> None:
        """Offer more, above what is offered."""
        self._buttons[:0] = buttons

    def fill(self) -> None:
        """Make the entries of what can be clicked now."""
        self.clear()
        for button in self._buttons:
            if button is None:
                self.addSeparator()
            elif isinstance(button, QAction):
                self.addAction(button)
            elif not button.isHidden():
                action = self.addAction(button.accessibleName() or button.text())
                action.setEnabled(button.isEnabled())
                action.setCheckable(button.isCheckable())
                action.setChecked(button.isChecked())
                action.triggered.connect(button.click)

    def _on_wanted(self, at: QPoint) -> None:
        self.fill()
        if self.isEmpty():
            return
        place = self._place
        if isinstance(place, QAbstractScrollArea):
            place = place.viewport()
        self.popup(place.mapToGlobal(at))
