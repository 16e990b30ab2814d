"""Type, failing cells and missing values of one column, to be changed."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QRadioButton,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.project import Attribute
from deidgui.app.reading.columns import ColumnCheck, ColumnSummary
from deidgui.engine.data import dates
from deidgui.engine.data.value_types import NUMBER_FORMATS, TypeGuess
from deidgui.qt.column_words import (
    KINDS,
    date_format_words,
    evidence_words,
    number_format_words,
    words,
)
from deidgui.qt.models.data_columns import FailingModel, is_ambiguous
from deidgui.qt.pages.data.missing import MissingTokens
from deidgui.qt.widgets import (
    Callout,
    Caption,
    ComboBox,
    ElidedLabel,
    Label,
    ToggleRow,
    clear,
    column,
    field_row,
    line,
    show_if,
    show_rows,
)
from deidgui.text import tr


class ColumnPanel(QScrollArea):
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
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(264)
        self._name = ElidedLabel("", "section")
        self._figures = Caption()
        self._hint = Label(
            tr("Choose a column to see how it was read."), tone="muted", wrap=True
        )
        self.include = ToggleRow(
            tr("Part of the release"),
            tr("A column that nobody needs should not be released."),
        )
        self.include.toggled.connect(self.include_wanted)
        self._parts = QWidget()
        parts = QVBoxLayout(self._parts)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(12)
        parts.addLayout(column(self._name, self._figures, spacing=2))
        parts.addWidget(self._make_question())
        parts.addLayout(self._make_type())
        parts.addWidget(self._make_failing())
        parts.addWidget(line())
        parts.addLayout(self._make_missing())
        parts.addWidget(line())
        parts.addWidget(self.include)
        content = QWidget()
        content.setObjectName("scrolled")
        box = QVBoxLayout(content)
        box.setContentsMargins(16, 4, 8, 8)
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
        self.failing = QTableView()
        self.failing.setModel(self._failing)
        self.failing.setAccessibleName(tr("Cells that are not of the type"))
        show_rows(self.failing, 26)
        self.failing.horizontalHeader().setStretchLastSection(True)
        self.failing.setFixedHeight(164)
        self.failing.activated.connect(self._on_cell_activated)
        self._failing_hint = Caption(
            tr(
                "Double-click shows a cell in the preview. Correct the file, choose "
                "another type, or take these texts for missing values."
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
        return column(Label(tr("Texts that mean “no value”"), "strong"), self.missing)

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
        self.include.set_on(attribute.include)
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _figure_words(self, summary: ColumnSummary | None) -> str:
        if summary is None:
            return tr("counting…")
        return tr(
            "{values} different values · {share} missing",
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
        detail = tr("No value decides it: both readings fit all of them.")
        if is_open:
            self._question.show_words(title, "warning", detail)
        else:
            self._question.show_words(tr("You chose the reading."), "success")
        example = _example(guess, summary)
        clear(self._readings)
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
