"""The file of a population: choosing it, assigning its columns, its problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.matching import Matching
from deidgui.app.project import PopulationChoice
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    ComboBox,
    ElidedLabel,
    GlyphLabel,
    Label,
    ProgressBar,
    ReasonLabel,
    column,
    holder,
    mark,
    refilled,
    row,
    show_if,
)
from deidgui.text import Text, tr

FIXED_HERE = (
    "population_attribute_missing",
    "population_column_twice",
    "population_count_undecided",
)
"""Problems that the choice of a column fixes."""

COUNT = ""
"""Stands for the column with the number of people where attributes are named."""


@dataclass(frozen=True)
class PopulationState:
    """What there is to show of a population's file.

    Parameters
    ----------
    choice : PopulationChoice
        With a file, or one that has none yet.
    kind : str
        "register" or "counts".
    columns : tuple of str or None
        Columns of the file; None while it is not read.
    matching : Matching or None
        None while it is not known.
    problem : DeidError or None
        Why the file could not be read.
    """

    choice: PopulationChoice
    kind: str
    columns: tuple[str, ...] | None
    quasi_identifiers: tuple[str, ...]
    matching: Matching | None = None
    problem: DeidError | None = None


class PopulationFile(QWidget):
    """Everything about the file of a register or of counts.

    Attributes
    ----------
    column_set : Signal of (str, str)
        Quasi-identifier, or `COUNT`, and the column that holds it.
    adds_rows_set : Signal of bool
        Whether rows of counts with the same combination are added up.
    """

    choose_clicked = Signal()
    cancel_clicked = Signal()
    column_set = Signal(str, str)
    adds_rows_set = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: PopulationState | None = None
        self._combos: dict[str, ComboBox] = {}
        self._reasons: dict[str, ReasonLabel] = {}
        self.choose_button = Button(
            tr("Choose a file…"), "plain", "folder-open", self.choose_clicked
        )
        self._words = Caption()
        self._name = ElidedLabel("", "strong")
        self._facts = Label("", "caption", "muted")
        self._bar = ProgressBar(tr("Reading the population's file"))
        self.stop_button = Button(
            tr("Stop"), glyph="stop", clicked=self._on_stop, small=True
        )
        self._progress = holder(row(self._bar, self.stop_button, spacing=12))
        self._problem = Callout()
        self._problem.acted.connect(self._on_rows_clicked)
        self._make_mapping()
        names = column(self._name, self._facts, spacing=2)
        file = row(GlyphLabel("file", "muted"), names, spacing=10)
        file.setStretch(1, 1)
        self._file = holder(file)
        head = row(self._file, self.choose_button, None)
        box = column(
            self._words,
            head,
            self._progress,
            self._problem,
            self._mapping,
            spacing=12,
        )
        self.setLayout(box)
        self.set_progress(None)

    def _make_mapping(self) -> None:
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)
        title = Label(tr("Columns of the file"), "strong")
        self._mapping = holder(column(title, self._grid, spacing=8))

    # -- showing -------------------------------------------------------------------

    @property
    def combos(self) -> Mapping[str, ComboBox]:
        """List of columns by quasi-identifier; by `COUNT` that of the count."""
        return self._combos

    def problem_of(self, attribute: str) -> str:
        """What the field of a quasi-identifier, or of `COUNT`, says is wrong."""
        return self._reasons[attribute].text

    def set_progress(self, fraction: float | None) -> None:
        """Show how far reading is; None if nothing is being read."""
        show_if(self._progress, fraction is not None)
        self._show_stopping(False)
        self.choose_button.setEnabled(fraction is None)
        if fraction is not None:
            self._bar.set_fraction(fraction)

    def _on_stop(self) -> None:
        self._show_stopping(True)
        self.cancel_clicked.emit()

    def _show_stopping(self, is_stopping: bool) -> None:
        self.stop_button.setEnabled(not is_stopping)
        self.stop_button.setText(tr("Stopping…") if is_stopping else tr("Stop"))

    def show_state(self, state: PopulationState) -> None:
        """Show a file, or how one must look."""
        before, self._shown = self._shown, state
        has_file = state.choice.file is not None
        show_if(self._words, not has_file)
        self._words.setText(self._words_on(state.kind))
        show_if(self._file, has_file)
        self._show_file(state)
        can_map = has_file and state.columns is not None
        show_if(self._mapping, can_map)
        if can_map:
            self._show_mapping(state, before)
        self._show_problems(state)

    def _words_on(self, kind: str) -> str:
        if kind == "counts":
            return tr(
                "A table with one row per combination of the quasi-identifiers "
                "and a column with its count in the population."
            )
        return tr(
            "A table with one row per person of the population and columns "
            "for the quasi-identifiers."
        )

    def _show_file(self, state: PopulationState) -> None:
        file = state.choice.file
        self.choose_button.setText(tr("Other file…") if file else tr("Choose a file…"))
        if file is None:
            return
        name = f"{file.file} / {file.member}" if file.member else file.file
        self._name.setText(name)
        words: Text = "{rows:row|rows}, {encoding}, separated by {mark}"
        marks = {"\t": tr("tabs"), ",": tr("commas")}
        marks |= {";": tr("semicolons"), "|": tr("bars")}
        dialect = file.dialect
        self._facts.setText(
            tr(
                words,
                rows=file.n_rows,
                encoding=dialect.encoding.upper(),
                mark=marks.get(dialect.delimiter, f"“{dialect.delimiter}”"),
            )
        )

    def _show_mapping(
        self, state: PopulationState, before: PopulationState | None
    ) -> None:
        fields = list(state.quasi_identifiers)
        if state.kind == "counts":
            fields.append(COUNT)
        is_same = (
            before is not None
            and before.columns == state.columns
            and list(self._combos) == fields
        )
        if not is_same:
            with refilled(self._grid):
                self._combos, self._reasons = {}, {}
                for field in fields:
                    self._add_field(field, state.columns or ())
        for field, combo in self._combos.items():
            held = state.choice.count_column if field == COUNT else None
            held = state.choice.column_of(field) if field != COUNT else held
            known = held in (state.columns or ())
            combo.set_current(str(held) if known else "")

    def _add_field(self, field: str, columns: Sequence[str]) -> None:
        at = self._grid.rowCount()
        words = field or tr("Population count")
        options = [("", tr("Choose a column…")), *((c, c) for c in columns)]
        name = tr("Column of {attribute}", attribute=words)
        combo = ComboBox(options, name)
        combo.setMinimumWidth(180)
        combo.setProperty("attribute", field)
        combo.activated.connect(self._on_column_chosen)
        label = ElidedLabel(words)
        reason = ReasonLabel("", "danger")
        self._combos[field], self._reasons[field] = combo, reason
        self._grid.addWidget(label, at, 0)
        self._grid.addWidget(combo, at, 1)
        self._grid.addWidget(reason, at + 1, 0, 1, 2)

    # -- problems ------------------------------------------------------------------

    def _show_problems(self, state: PopulationState) -> None:
        problems = list(state.matching.all_problems) if state.matching else []
        found: dict[str, list[str]] = {field: [] for field in self._reasons}
        others = [state.problem] if state.problem is not None else []
        for problem in problems:
            if not problem.code.startswith("population_"):
                continue  # what the values stand for is said where they are
            field = self._field_of(problem)
            if field in found:
                # Where it is fixed here, the list itself says how.
                words = words_for(problem)
                here = problem.code in FIXED_HERE
                found[field].append(words.what if here else " ".join(words))
            else:
                others.append(problem)
        for field, reason in self._reasons.items():
            reason.set_reason("\n".join(found[field]), "danger")
            mark(self._combos[field], state="error" if found[field] else "")
        self._show_others(state, others)

    def _field_of(self, problem: DeidError) -> str | None:
        if problem.code.startswith("population_count_"):
            return COUNT
        named = problem.params.get("attribute")
        return str(named) if named is not None else None

    def _show_others(
        self, state: PopulationState, problems: Sequence[DeidError]
    ) -> None:
        adds = state.choice.adds_rows
        show_if(self._problem, bool(problems) or adds)
        if problems:
            said = [words_for(each) for each in problems]
            is_twice = any(each.code == "population_cell_twice" for each in problems)
            self._problem.show_words(
                "\n".join(words.what for words in said),
                "danger",
                "\n".join(dict.fromkeys(words.fix for words in said)),
                tr("Add up the counts") if is_twice else "",
            )
        elif adds:
            self._problem.show_words(
                tr("Counts of rows with the same combination are added."),
                "info",
                tr("Correct for rows of two counties, wrong for rows of two years."),
                tr("Reject such rows"),
            )

    def _on_rows_clicked(self) -> None:
        adds = self._shown is not None and self._shown.choice.adds_rows
        self.adds_rows_set.emit(not adds)

    def _on_column_chosen(self) -> None:
        combo = self.sender()
        assert isinstance(combo, ComboBox)
        self.column_set.emit(str(combo.property("attribute")), combo.current)
