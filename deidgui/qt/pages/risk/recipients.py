"""Who receives the release, as cards of which one is chosen."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from deidgui.app.recipients import RECIPIENTS, Recipient
from deidgui.qt.widgets import Caption, Card, GlyphLabel, Label, column, mark, row
from deidgui.text import Text, tr

GLYPHS = {"public": "people", "researcher": "lock", "internal": "person", "own": "edit"}


class RecipientOption(QFrame):
    """One kind of recipient: its words and the thresholds proposed for it.

    Attributes
    ----------
    chosen : Signal of str
        Kind of recipient.
    """

    chosen = Signal(str)

    def __init__(self, recipient: Recipient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recipient = recipient
        mark(self, kind="card")
        self.setProperty("focus_ring", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._tick = GlyphLabel("check-circle", "accent")
        head = row(
            GlyphLabel(GLYPHS[recipient.kind], "muted"),
            Label(tr(recipient.title), "strong", wrap=True),
            self._tick,
            spacing=8,
        )
        head.setStretch(1, 1)
        proposal = self._proposal()
        box = column(
            head,
            Caption(tr(recipient.sentence)),
            None,
            Label(proposal, "caption", "", wrap=True),
            spacing=6,
            margin=12,
        )
        self.setLayout(box)
        self.setToolTip(tr(recipient.source))
        self.setAccessibleName(tr(recipient.title))
        self.setAccessibleDescription(f"{tr(recipient.sentence)} {proposal}")
        self.set_chosen(False)

    def _proposal(self) -> str:
        parts = []
        if self._recipient.highest_risk is not None:
            words: Text = "highest risk at most {risk:g}"
            parts.append(tr(words, risk=self._recipient.highest_risk))
        if self._recipient.average_risk is not None:
            words = "average at most {risk:g}"
            parts.append(tr(words, risk=self._recipient.average_risk))
        if not parts:
            return tr("No proposal: your own thresholds.")
        return tr("Usual: {thresholds}.", thresholds=", ".join(parts))

    def set_chosen(self, is_chosen: bool) -> None:
        """Show whether this is the recipient."""
        mark(self, state="selected" if is_chosen else "")
        self._tick.setVisible(is_chosen)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self._recipient.kind)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys:
            self.chosen.emit(self._recipient.kind)
        else:
            super().keyPressEvent(event)


class RecipientCard(Card):
    """The choice of the recipient.

    Attributes
    ----------
    chosen : Signal of str
        Kind of recipient that the user chose.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Who receives the data?"),
            tr(
                "The less a recipient is bound by rules, the harder people must be to "
                "find. Choosing one proposes the thresholds that are usual for it."
            ),
        )
        self._options: dict[str, RecipientOption] = {}
        grid = QGridLayout()
        grid.setSpacing(12)
        for place, recipient in enumerate(RECIPIENTS):
            option = RecipientOption(recipient)
            option.chosen.connect(self.chosen)
            self._options[recipient.kind] = option
            grid.addWidget(option, place // 2, place % 2)
        self.body.addLayout(grid)

    def option(self, kind: str) -> RecipientOption:
        """Return the option of one kind of recipient."""
        return self._options[kind]

    def show_chosen(self, kind: str | None) -> None:
        """Show which recipient is decided."""
        for name, option in self._options.items():
            option.set_chosen(name == kind)
