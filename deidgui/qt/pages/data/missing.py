"""Which texts of a column mean "no value": chips to add and to take away."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.reading.columns import ColumnCheck
from deidgui.qt.charts.texts import shortened
from deidgui.qt.widgets import (
    Button,
    Caption,
    Chip,
    FlowLayout,
    clear,
    column,
    row,
    show_if,
)
from deidgui.text import Text, tr

MOST_CHIPS = 40


class MissingTokens(QWidget):
    """Chips of the texts that count as missing, of candidates, and a field."""

    tokens_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[str, ...] = ()
        self._shown: tuple[object, ...] = ()
        self.chips, self.candidates = QWidget(), QWidget()
        self._chip_flow = FlowLayout(self.chips, 6)
        self._candidate_flow = FlowLayout(self.candidates, 6)
        self._candidate_words = Caption(tr("These may mean “no value” too:"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Another text, e.g. -9"))
        self.field.setAccessibleName(tr("Text that means no value"))
        self.field.setMaxLength(200)
        self.field.returnPressed.connect(self._on_typed)
        self.add = Button(tr("Add"), glyph="plus", clicked=self._on_typed)
        self.setLayout(
            column(
                self.chips,
                self._candidate_words,
                self.candidates,
                row(self.field, self.add),
            )
        )

    def show_tokens(self, tokens: tuple[str, ...], check: ColumnCheck | None) -> None:
        """Show the decided texts with their records, and what else may be one."""
        if (tokens, id(check)) == self._shown:
            return
        self._shown = (tokens, id(check))
        self._tokens = tokens
        counts = check.n_by_token if check else {}
        clear(self._chip_flow)
        for token in tokens[:MOST_CHIPS]:
            self._chip_flow.addWidget(self._chip(token, counts.get(token), True))
        if not tokens:
            self._chip_flow.addWidget(Caption(tr("Every text counts as a value.")))
        clear(self._candidate_flow)
        others = [
            each
            for each in (check.candidates if check else ())
            if each.token not in tokens
        ]
        for each in others[:MOST_CHIPS]:
            self._candidate_flow.addWidget(self._chip(each.token, each.n_rows, False))
        show_if(self._candidate_words, bool(others))
        show_if(self.candidates, bool(others))

    def _chip(self, token: str, n_rows: int | None, is_taken: bool) -> Chip:
        name = self._words(token)
        text = name if n_rows is None else f"{name} · {count_text(n_rows)}"
        chip = Chip(text, "accent" if is_taken else "plain", None, is_clickable=True)
        chip.show_words(
            text, "accent" if is_taken else "plain", "close" if is_taken else "plus"
        )
        what: Text = (
            "Take {text} for a value" if is_taken else "Take {text} for missing"
        )
        hint = tr(what, text=name)
        if n_rows is not None:
            records = tr("{number} records", number=count_text(n_rows))
            hint = f"{hint} ({records})"
        chip.setToolTip(hint)
        chip.setAccessibleName(hint)
        chip.setProperty("token", token)
        chip.clicked.connect(self._on_taken_back if is_taken else self._on_taken)
        return chip

    def _words(self, token: str) -> str:
        if not token:
            return tr("empty cell")
        if not token.strip():
            return tr("blanks")
        return f"“{shortened(token, 24)}”"

    def _on_taken_back(self) -> None:
        token = self.sender().property("token")
        self.tokens_wanted.emit(tuple(t for t in self._tokens if t != token))

    def _on_taken(self) -> None:
        self.tokens_wanted.emit((*self._tokens, self.sender().property("token")))

    def _on_typed(self) -> None:
        token = self.field.text()
        self.field.clear()
        if token and token not in self._tokens:
            self.tokens_wanted.emit((*self._tokens, token))
