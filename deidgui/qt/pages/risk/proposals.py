"""A dialog that proposes a threshold for each sensitive column that has none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from deidgui.app.model_proposals import ModelProposal
from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import PrivacyModel
from deidgui.qt.dialogs import CheckDialog
from deidgui.qt.widgets import (
    Button,
    CheckTable,
    Lead,
    SectionHeading,
    column,
    row,
)
from deidgui.text import tr

ROW = 32
"""Pixels that a row of the list takes: all are shown where the screen has them."""


SYMBOLS = {"diversity": "ℓ"}
"""Of parameters, as the literature writes them; others have their own name."""

MOST_FITTED = 200
"""Rows of which each is as high as its reason needs."""


class ProposalsDialog(CheckDialog):
    """Lists proposals with their reasons; a person accepts those that are checked."""

    def __init__(
        self, proposals: Sequence[ModelProposal], parent: QWidget | None = None
    ) -> None:
        title = tr("Thresholds for sensitive columns")
        high = 260 + ROW * len(proposals)
        super().__init__(title, parent, (1180, max(440, high)))
        self._proposals = tuple(proposals)
        heads = [tr("Column"), tr("Proposed threshold"), tr("Why")]
        rows = [(e.attribute, _threshold(e.model), e.reason) for e in self._proposals]
        self.table = CheckTable(title, heads, rows)
        self.table.changed.connect(self._show_chosen)
        if len(rows) <= MOST_FITTED:
            # A reason that has no room beside the names stands on two lines.
            self.table.wrap_texts()
        self.all_button = Button(tr("Check all"), clicked=self._on_all)
        self.add_button = Button("", "primary", clicked=self.accept)
        cancel = Button(tr("Cancel"), clicked=self.reject)
        lead = tr(
            "In a large class everybody may still have the same sensitive value. Check "
            "the columns that you want to protect from that. Each threshold can cost "
            "records or detail; its numbers can be changed afterwards. Where you add "
            "none and a class shows one value only, Preview and export asks for a "
            "reason; one can be given to several columns."
        )
        self.lay_out(
            column(SectionHeading(title), Lead(lead), (self.table, 1), spacing=16),
            row(self.all_button, None, self.add_button, cancel, spacing=8),
        )
        self._show_chosen()

    @property
    def chosen(self) -> tuple[PrivacyModel, ...]:
        """The models that are checked."""
        return tuple(self._proposals[place].model for place in self.table.checked)

    def _show_chosen(self) -> None:
        n = len(self.table.checked)
        words = tr("Add {n:threshold|thresholds}", n=n) if n else tr("Add thresholds")
        self.add_button.setText(words)
        self.add_button.setEnabled(n > 0)

    def _on_all(self) -> None:
        self.table.check(range(len(self._proposals)))


def _threshold(model: PrivacyModel) -> str:
    """Name of a model with its numbers: "t-closeness, equal distances: t = 0.2"."""
    numbers = [
        f"{SYMBOLS.get(each.name, each.name)} = {getattr(model, each.name):g}"
        for each in parameters_of(type(model))
        if each.type in (int, float)
    ]
    return f"{tr(model.title)}: {', '.join(numbers)}"
