"""Shares of the searches that join one column alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.qt.widgets import Caption, Label, SpinBox, column, holder, refilled
from deidgui.text import per_cent, tr


class QuotaFields(QWidget):
    """One field for each column: how many of the searches join it alone.

    Attributes
    ----------
    decided : Signal of dict
        The shares above 0, by column.
    """

    decided = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quotas: dict[str, float] = {}
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self.fields: dict[str, SpinBox] = {}
        self.rest = Caption()
        parts = (
            Label(tr("Searches that join one column alone"), "strong"),
            Caption(
                tr("Set a share to find more policies that join this column only.")
            ),
            holder(self._grid),
            self.rest,
        )
        self.setLayout(column(*parts, spacing=4))

    def show_quotas(self, quotas: Mapping[str, float], names: Sequence[str]) -> None:
        """Show the shares of a project.

        Parameters
        ----------
        names : sequence of str
            Columns with values to join; others with a share are shown, too.
        """
        self._quotas = dict(quotas)
        every = list(dict.fromkeys([*names, *quotas]))
        if every != list(self.fields):
            self._fill(every)
        left = 100 - round(100 * sum(quotas.values()))
        for name, field in self.fields.items():
            pct = round(100 * quotas.get(name, 0.0))
            # No field can make all of them more than all searches.
            field.setMaximum(max(pct, pct + left) if name in names else pct)
            field.set_value(pct)
        self.rest.setText(self._rest_words(left, sorted({*quotas} - {*names})))

    def _fill(self, names: Sequence[str]) -> None:
        with refilled(self._grid):
            self.fields = {}
            for line, name in enumerate(names):
                words = tr("Per cent of the searches that join {name} alone", name=name)
                field = SpinBox(0, 100, 0, "%", words)
                field.valueChanged.connect(partial(self._on_value, name))
                self._grid.addWidget(Label(name), line, 0)
                self._grid.addWidget(field, line, 1)
                self.fields[name] = field
        self._grid.setColumnStretch(2, 1)

    def _rest_words(self, left: int, others: Sequence[str]) -> str:
        if others:
            return tr(
                "Nothing can be joined in {names}: set to 0.", names=", ".join(others)
            )
        if not self._quotas:
            return tr(
                "No share is set: half of the searches join one column or two, each "
                "kind equally often."
            )
        if left <= 0:
            return tr("Every search joins one column alone.")
        return tr("The other {left} may join any columns.", left=per_cent(left / 100))

    def _on_value(self, name: str, pct: int) -> None:
        share = pct / 100
        if share == round(self._quotas.get(name, 0.0), 2):
            return
        others = {key: q for key, q in self._quotas.items() if key != name}
        self.decided.emit({**others, name: share} if share else others)
