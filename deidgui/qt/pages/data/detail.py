"""The detail of a column: type, format, missing values, and the values themselves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QModelIndex, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.formats import count_text
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import Cell, ColumnCheck, ColumnSummary, is_ambiguous
from deidgui.engine.data import dates
from deidgui.engine.data.value_types import NUMBER_FORMATS, TypeGuess
from deidgui.qt.charts.texts import shortened
from deidgui.qt.column_words import (
    KINDS,
    date_format_words,
    evidence_words,
    number_format_words,
    removed_words,
    words,
)
from deidgui.qt.row_model import RowColumn, RowModel
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Chip,
    ComboBox,
    ElidedLabel,
    FlowLayout,
    Label,
    RowTable,
    ScrolledColumn,
    ToggleRow,
    column,
    field_row,
    line,
    refilled,
    row,
    show_if,
)
from deidgui.text import share_text, tr

MOST_CHIPS = 40


class FailingModel(RowModel[Cell]):
    """Failing cells of one column: line in the file, and text."""

    def _declared(self) -> Sequence[RowColumn[Cell]]:
        return (
            RowColumn(title=tr("Line"), text=lambda cell: count_text(cell[0])),
            RowColumn(
                title=tr("Cell"),
                text=lambda cell: cell[2][:200],
                tooltip=lambda cell: cell[2][:2000],
            ),
        )

    def table_row(self, row: int) -> int:
        """Row of the table behind a row of the list."""
        return self.row_at(row)[1]


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
        self._candidate_words = Caption(tr("These may also be missing values:"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("e.g. -9"))
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
        with refilled(self._chip_flow):
            for token in tokens[:MOST_CHIPS]:
                self._chip_flow.addWidget(self._chip(token, counts.get(token), True))
            if not tokens:
                self._chip_flow.addWidget(Caption(tr("Every text counts as a value.")))
        others = [
            each
            for each in (check.candidates if check else ())
            if each.token not in tokens
        ]
        with refilled(self._candidate_flow):
            for each in others[:MOST_CHIPS]:
                chip = self._chip(each.token, each.n_rows, False)
                self._candidate_flow.addWidget(chip)
        show_if(self._candidate_words, bool(others))
        show_if(self.candidates, bool(others))

    def _chip(self, token: str, n_rows: int | None, is_taken: bool) -> Chip:
        name = self._words(token)
        records = tr("{number:row|rows}", number=count_text(n_rows or 0))
        text = name if n_rows is None else f"{name} · {records}"
        chip = Chip(text, "accent" if is_taken else "plain", None, is_clickable=True)
        chip.show_words(
            text, "accent" if is_taken else "plain", "close" if is_taken else "plus"
        )
        hint = tr("Set {text} as a missing value", text=name)
        if is_taken:
            hint = tr("Set {text} as a value", text=name)
        if n_rows is not None:
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


class ColumnPanel(ScrolledColumn):
    """One column; every control is a decision about it.

    Attributes
    ----------
    type_wanted : Signal of (str, str)
        Kind, and format or "" for the likeliest.
    format_answered : Signal of str
        Which of two readings is right.
    cell_wanted : Signal of int
        Row of the table to show.
    """

    type_wanted = Signal(str, str)
    format_answered = Signal(str)
    tokens_wanted = Signal(object)
    include_wanted = Signal(bool)
    cell_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, is_beside=True)
        self._name = ElidedLabel("", "section")
        self._figures = Caption()
        self._scope = Caption()
        self._hint = Label(
            tr("Choose a column to see how it was read."), tone="muted", wrap=True
        )
        self.include = ToggleRow(
            tr("Part of the release"),
            tr("Do not release a column that is not needed."),
        )
        self.include.toggled.connect(self.include_wanted)
        self._parts = QWidget()
        self._parts.setLayout(
            column(
                column(self._name, self._figures, self._scope, spacing=2),
                self._make_question(),
                self._make_type(),
                self._make_failing(),
                line(),
                self._make_missing(),
                line(),
                self.include,
                spacing=10,
            )
        )
        content = QWidget()
        content.setObjectName("scrolled")
        box = QVBoxLayout(content)
        box.setContentsMargins(16, 4, 0, 8)
        box.addWidget(self._hint)
        box.addWidget(self._parts)
        box.addStretch(1)
        self.setWidget(content)
        self._parts.hide()

    # -- making --------------------------------------------------------------------

    def _make_question(self) -> QWidget:
        self.question = QWidget()
        self._question = Callout()
        self.readings = QButtonGroup(self)
        self.readings.idClicked.connect(self._on_reading_clicked)
        self._readings = QVBoxLayout()
        self._readings.setSpacing(4)
        self._candidates: tuple[str, ...] = ()
        box = column(self._question, self._readings)
        self.question.setLayout(box)
        return self.question

    def _make_type(self) -> QVBoxLayout:
        self.kind = ComboBox([(kind, words(kind)) for kind in KINDS], tr("Type"))
        self.kind.activated.connect(self._on_kind_chosen)
        self.format = ComboBox((), tr("Format"))
        self.format.setMinimumContentsLength(12)
        self.format.setSizeAdjustPolicy(
            ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.format.activated.connect(self._on_format_chosen)
        self._format_row = field_row(tr("Format"), self.format)
        self._evidence = Caption()
        return column(
            field_row(tr("Type"), self.kind), self._format_row, self._evidence
        )

    def _make_failing(self) -> QWidget:
        self._failing = FailingModel(self)
        self._failing_words = Label("", "strong", "warning", wrap=True)
        self.failing = RowTable()
        self.failing.setModel(self._failing)
        self.failing.setAccessibleName(tr("Cells that are not of the type"))
        self.failing.set_lines(1, 10)
        self.failing.horizontalHeader().setStretchLastSection(True)
        self.failing.setFixedHeight(164)
        self.failing.activated.connect(self._on_cell_activated)
        self._failing_hint = Caption(
            tr(
                "Double-click to show a cell in the preview. Correct the file, "
                "choose another type, or set these texts as missing values."
            )
        )
        self._failing_part = QWidget()
        self._failing_part.setLayout(
            column(self._failing_words, self.failing, self._failing_hint)
        )
        return self._failing_part

    def _make_missing(self) -> QVBoxLayout:
        self.missing = MissingTokens()
        self.missing.tokens_wanted.connect(self.tokens_wanted)
        return column(Label(tr("Texts of missing values"), "strong"), self.missing)

    # -- showing -------------------------------------------------------------------

    def show_column(
        self,
        attribute: Attribute | None,
        guess: TypeGuess | None = None,
        summary: ColumnSummary | None = None,
        check: ColumnCheck | None = None,
        is_open: bool = False,
    ) -> None:
        """Show a column.

        Parameters
        ----------
        guess : TypeGuess, optional
            What was found when the file was read.
        is_open : bool
            Whether a person must choose between two readings.
        """
        show_if(self._parts, attribute is not None)
        show_if(self._hint, attribute is None)
        if attribute is None:
            return
        is_other = attribute.name != self._name.text()
        self._name.setText(attribute.name)
        self._figures.setText(self._figure_words(summary))
        self._show_type(attribute, guess)
        self._show_question(attribute, guess, summary, is_open)
        self._show_failing(attribute, check)
        self.missing.show_tokens(attribute.missing, check)
        removed = removed_words(attribute)
        self.include.set_on(attribute.include, off_because=removed)
        if is_other:
            self.verticalScrollBar().setValue(0)

    def show_scope(self, n_columns: int) -> None:
        """Say which decisions are about all columns that are chosen in the list."""
        show_if(self._scope, n_columns > 1)
        self._scope.setText(
            tr(
                "{n:column is|columns are} selected. Missing values and “Part of the "
                "release” apply to all of them, the type to this one.",
                n=n_columns,
            )
        )

    def _figure_words(self, summary: ColumnSummary | None) -> str:
        if summary is None:
            return tr("counting…")
        return tr(
            "{values:distinct value|distinct values} · {share} missing",
            values=count_text(summary.n_values),
            share=share_text(summary.missing_share),
        )

    def _show_type(self, attribute: Attribute, guess: TypeGuess | None) -> None:
        self.kind.set_current(attribute.kind)
        options = _formats(attribute)
        show_if(self._format_row, bool(options))
        shown = [self.format.itemData(place) for place in range(self.format.count())]
        if shown != [key for key, _words in options]:
            self.format.clear()
            for key, text in options:
                self.format.addItem(text, key)
        if options:
            self.format.set_current(attribute.format or options[0][0])
        text = ""
        if guess is not None:
            is_as_found = (attribute.kind, attribute.format or "") == (
                guess.kind,
                guess.format,
            )
            found = evidence_words(guess.evidence)
            changed = tr("Chosen by you. Found: {found}", found=found)
            text = found if is_as_found else changed
        self._evidence.setText(text)
        show_if(self._evidence, bool(text))

    def _show_question(
        self,
        attribute: Attribute,
        guess: TypeGuess | None,
        summary: ColumnSummary | None,
        is_open: bool,
    ) -> None:
        is_asked = is_ambiguous(attribute, guess)
        show_if(self.question, is_asked)
        if guess is None or not is_asked:
            return
        title = tr("Which reading is right?")
        detail = tr("Ambiguous: both formats fit every value.")
        if dates.SEVERAL in guess.format:
            detail = evidence_words(guess.evidence)
        if is_open:
            self._question.show_words(title, "warning", detail)
        else:
            self._question.show_words(tr("You chose the reading."), "success")
        example = _example(guess, summary)
        with refilled(self._readings):
            for button in self.readings.buttons():
                self.readings.removeButton(button)
            self._candidates = guess.candidates
            self.readings.setExclusive(False)
            for place, name in enumerate(guess.candidates):
                button = QRadioButton(self._reading_words(guess.kind, name, example))
                button.setChecked(not is_open and name == attribute.format)
                self.readings.addButton(button, place)
                self._readings.addWidget(button)
        self.readings.setExclusive(not is_open)

    def _reading_words(self, kind: str, name: str, example: str) -> str:
        if kind != "date":
            return tr("Numbers written like {format}", format=number_format_words(name))
        shown = date_format_words(name)
        meant = _date_words(example, name)
        if not meant:
            return shown
        return tr("{format}\n{text} is {date}", format=shown, text=example, date=meant)

    def _show_failing(self, attribute: Attribute, check: ColumnCheck | None) -> None:
        n_failing = check.n_failing if check else 0
        show_if(self._failing_part, n_failing > 0)
        if check is None or not n_failing:
            self._failing.set_rows(())
            return
        words_now = tr(
            "{n:cell is|cells are} not of the type “{type}”",
            n=n_failing,
            type=words(attribute.kind).lower(),
        )
        if len(check.failing) < n_failing:
            first = tr("the first {n} are listed", n=len(check.failing))
            words_now = f"{words_now}; {first}"
        self._failing_words.setText(words_now)
        self._failing.set_rows(check.failing)

    # -- deciding ------------------------------------------------------------------

    def _on_kind_chosen(self) -> None:
        self.type_wanted.emit(self.kind.current, "")

    def _on_format_chosen(self) -> None:
        self.type_wanted.emit(self.kind.current, self.format.current)

    def _on_reading_clicked(self, place: int) -> None:
        self.format_answered.emit(self._candidates[place])

    def _on_cell_activated(self, index: QModelIndex) -> None:
        self.cell_wanted.emit(self._failing.table_row(index.row()))


def _formats(attribute: Attribute) -> list[tuple[str, str]]:
    """Formats that the type of an attribute can have, the present one included."""
    if attribute.kind == "decimal":
        return [(name, number_format_words(name)) for name in NUMBER_FORMATS]
    if attribute.kind != "date":
        return []
    options = [
        (dates.with_pivot(name), f"{name}   {form.example}")
        for name, form in dates.FORMATS.items()
    ]
    known = {key for key, _words in options}
    if attribute.format and attribute.format not in known:
        options.insert(0, (attribute.format, date_format_words(attribute.format)))
    return options


def _example(guess: TypeGuess, summary: ColumnSummary | None) -> str:
    """A frequent value whose two readings differ; for the screen only."""
    for text, _count in summary.top if summary else ():
        readings = {_date_words(text, name) for name in guess.candidates}
        if len(readings) == len(guess.candidates) and "" not in readings:
            return text
    return ""


def _date_words(text: str, date_format: str) -> str:
    """Date that a text means in a format; empty if it means none."""
    if not text or date_format in NUMBER_FORMATS:
        return ""
    moment = dates.parse([text], date_format).astype("datetime64[D]")[0].item()
    if moment is None:
        return ""
    return QLocale().toString(moment, "d MMMM yyyy")
