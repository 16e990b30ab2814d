"""How the text is cut into cells: what was found, why, and what to choose instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pydantic import ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from deidgui.app.project import DialectChoice
from deidgui.app.reading.reading import Inspection
from deidgui.engine.data.dialect import DELIMITERS, Dialect, delimiter_name
from deidgui.engine.data.encoding import ENCODINGS
from deidgui.errors import DeidError
from deidgui.qt.column_words import evidence_words
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    Columns,
    ComboBox,
    ElidedLabel,
    Label,
    ReasonLabel,
    Segmented,
    SpinBox,
    column,
    field_row,
    holder,
    refilled,
    row,
    show_if,
)
from deidgui.text import tr

PLAIN = (",", ";", "\t", "|", " ")
"""Delimiters by name; any other single character can be typed."""

OTHER = "other"

MOST_EXAMPLES = 3

_TOPIC_OF = {
    "sep_line": "delimiter",
    "delimiter_fits": "delimiter",
    "delimiter_mostly": "delimiter",
    "one_column": "delimiter",
    "quote_apostrophe": "quote",
    "quote_none": "quote",
    "blanks_skipped": "skip_blanks",
    "preamble": "skip_lines",
}


class DialectForm(Card):
    """Delimiter, quotes, header, encoding and lines before the header.

    Attributes
    ----------
    reading_wanted : Signal of DialectChoice
        Read the file again in this way.
    """

    reading_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Separation into cells"),
            tr(
                "If the preview is wrong, change these settings and read the "
                "file again. Decisions on columns that keep their name are kept."
            ),
        )
        self._current = DialectChoice()
        self._is_outdated = False
        self._proposed = DialectChoice()
        self._evidence: dict[str, Caption] = {}
        self._make_fields()
        left = holder(
            column(
                self._field(tr("Delimiter"), self._delimiters, "delimiter"),
                self._field(tr("Quotes"), holder(row(self.quote, None)), "quote"),
                self._field("", self.skip_blanks, "skip_blanks"),
                self._field("", self.skip_ragged, "skip_ragged"),
                None,
                spacing=12,
            )
        )
        right = holder(
            column(
                self._field("", self.header, "header"),
                self._field(
                    tr("Lines before the header"), self.skip_lines, "skip_lines"
                ),
                self._field(tr("Encoding"), self.encoding, "encoding"),
                None,
                spacing=12,
            )
        )
        self.add(Columns([(left, 1), (right, 1)], stack_below=560, spacing=32))
        self.examples = QWidget()
        self._examples = QVBoxLayout(self.examples)
        self._examples.setContentsMargins(0, 0, 0, 0)
        self._examples.setSpacing(6)
        show_if(self.examples, False)
        self.add(self.examples)
        self.problem = ReasonLabel("", "danger")
        self.read = Button(tr("Read again"), "primary", clicked=self._on_read_clicked)
        self.back = Button(
            tr("Back to the proposal"), "link", clicked=self._on_back_clicked
        )
        self.add(self.problem)
        self.body.addLayout(row(self.read, self.back, None, spacing=16))

    def _make_fields(self) -> None:
        options = [(each, self._delimiter_words(each)) for each in PLAIN]
        options.append((OTHER, tr("Another character")))
        self.delimiter = ComboBox(options, tr("Delimiter"))
        self.delimiter.activated.connect(self._on_delimiter_chosen)
        self.other = QLineEdit()
        self.other.setMaxLength(1)
        self.other.setFixedWidth(56)
        self.other.setAccessibleName(tr("Other delimiter"))
        self.other.textChanged.connect(self._on_edited)
        self._delimiters = holder(row(self.delimiter, self.other))
        quotes = [('"', tr('Double "')), ("'", tr("Single '"))]
        self.quote = Segmented([*quotes, ("", tr("None"))], name=tr("Quotes"))
        self.quote.chosen.connect(self._on_edited)
        self.skip_blanks = QCheckBox(tr("Ignore blanks after a delimiter"))
        self.header = QCheckBox(tr("The first record contains the column names"))
        self.skip_ragged = QCheckBox(tr("Leave out records of the wrong length"))
        for box in (self.skip_blanks, self.header, self.skip_ragged):
            box.toggled.connect(self._on_edited)
        self.skip_lines = SpinBox(0, 100_000, 0, name=tr("Lines before the header"))
        self.skip_lines.valueChanged.connect(self._on_edited)
        self.encoding = ComboBox(
            [(key, tr(name)) for key, name in ENCODINGS.items()], tr("Encoding")
        )
        self.encoding.activated.connect(self._on_edited)

    def _delimiter_words(self, delimiter: str) -> str:
        names = {
            ",": tr("Comma  ,"),
            ";": tr("Semicolon  ;"),
            "\t": tr("Tab"),
            "|": tr("Vertical bar  |"),
            " ": tr("Blank"),
        }
        return names.get(delimiter, delimiter_name(delimiter))

    def _field(self, text: str, field: QWidget, topic: str) -> QWidget:
        """A labelled control and a line for the evidence under it."""
        caption = Caption()
        self._evidence[topic] = caption
        made = field_row(text, field) if text else holder(column(field, spacing=4))
        box = made.layout()
        assert box is not None
        box.addWidget(caption)
        return made

    # -- showing -------------------------------------------------------------------

    def show_inspection(self, inspection: Inspection) -> None:
        """Show how a file was read, and why that was proposed."""
        self._current = DialectChoice(**asdict(inspection.dialect))
        self._proposed = DialectChoice(**asdict(inspection.guess.dialect))
        delimiter = self._current.delimiter
        if self.delimiter.findData(delimiter) < 0 and delimiter in DELIMITERS:
            self.delimiter.insertItem(0, self._delimiter_words(delimiter), delimiter)
        self._show_evidence(inspection)
        self._show_choice(self._current)

    def _show_evidence(self, inspection: Inspection) -> None:
        for topic, caption in self._evidence.items():
            same = getattr(self._current, topic) == getattr(self._proposed, topic)
            found = [
                evidence_words(each)
                for each in inspection.guess.evidence
                if _topic_of(each.code) == topic
            ]
            text = " ".join(found) if same else tr("Chosen by you.")
            caption.setText(text)
            show_if(caption, bool(text))

    def _show_choice(self, choice: DialectChoice) -> None:
        boxes = (self.skip_blanks, self.header, self.skip_ragged)
        widgets = (self.other, *boxes, self.skip_lines)
        for widget in widgets:
            widget.blockSignals(True)
        is_listed = self.delimiter.findData(choice.delimiter) >= 0
        self.delimiter.set_current(choice.delimiter if is_listed else OTHER)
        self.other.setText("" if is_listed else choice.delimiter)
        self.quote.set_current(choice.quote)
        self.skip_blanks.setChecked(choice.skip_blanks)
        self.header.setChecked(choice.header)
        self.skip_ragged.setChecked(choice.skip_ragged)
        self.skip_lines.setValue(choice.skip_lines)
        self.encoding.set_current(choice.encoding)
        for widget in widgets:
            widget.blockSignals(False)
        self._on_edited()

    def show_examples(self, lines: Mapping[str, Sequence[str]]) -> None:
        """Show how each likely encoding reads lines with unusual letters."""
        with refilled(self._examples):
            show_if(self.examples, any(lines.values()))
            title = tr("Which of these lines are read correctly?")
            self._examples.addWidget(Label(title, "strong"))
            for encoding, texts in lines.items():
                self._examples.addWidget(Caption(tr(ENCODINGS.get(encoding, encoding))))
                for text in texts[:MOST_EXAMPLES]:
                    self._examples.addWidget(ElidedLabel(text, "mono"))

    def show_outdated(self, is_outdated: bool) -> None:
        """Let the file be read as before, if it was written since it was read."""
        if is_outdated != self._is_outdated:
            self._is_outdated = is_outdated
            self._on_edited()

    # -- choosing ------------------------------------------------------------------

    @property
    def current(self) -> DialectChoice:
        """How the file was read."""
        return self._current

    def choice(self) -> DialectChoice | None:
        """What is chosen now; None (with the reason shown) if it cannot be."""
        delimiter = self.delimiter.current
        if delimiter == OTHER:
            delimiter = self.other.text()
        try:
            made = DialectChoice(
                delimiter=delimiter,
                quote=self.quote.current,
                skip_blanks=self.skip_blanks.isChecked(),
                header=self.header.isChecked(),
                encoding=self.encoding.current,
                skip_lines=self.skip_lines.value(),
                skip_ragged=self.skip_ragged.isChecked(),
            )
            Dialect(**made.model_dump())
        except ValidationError:
            self.problem.set_reason(tr("Type the delimiter, one character."), "danger")
            return None
        except DeidError as error:
            words = words_for(error)
            self.problem.set_reason(f"{words.what} {words.fix}", "danger")
            return None
        self.problem.set_reason("")
        return made

    def _on_delimiter_chosen(self) -> None:
        self._on_edited()
        if self.delimiter.current == OTHER:
            self.other.setFocus()

    def _on_edited(self, _value: object = None) -> None:
        show_if(self.other, self.delimiter.current == OTHER)
        made = self.choice()
        is_other = made != self._current or self._is_outdated
        self.read.setEnabled(made is not None and is_other)
        show_if(self.back, made != self._proposed)

    def _on_back_clicked(self) -> None:
        self._show_choice(self._proposed)

    def _on_read_clicked(self) -> None:
        made = self.choice()
        if made is not None:
            self.reading_wanted.emit(made)


def _topic_of(code: str) -> str:
    """Field that a piece of evidence belongs to."""
    if code.startswith("encoding"):
        return "encoding"
    return "header" if code.startswith("header") else _TOPIC_OF.get(code, "")
