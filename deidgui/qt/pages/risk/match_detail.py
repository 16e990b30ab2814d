"""One quasi-identifier in full: what each of its values stands for."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHeaderView,
    QRadioButton,
    QTableView,
    QWidget,
)

from deidgui.qt.column_words import reason_words
from deidgui.qt.messages import words_for
from deidgui.qt.models.population_values import (
    TEXT_ROLE,
    Heading,
    PopulationValueModel,
    Show,
)
from deidgui.qt.pages.risk.match_state import (
    LACKING,
    LACKS,
    AttributeState,
    lacking_words,
)
from deidgui.qt.pages.risk.partners import PartnerSheet
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    ComboBox,
    Label,
    SearchField,
    Segmented,
    ToggleRow,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, tr

ROW_HEIGHT = 30
MOST_NAMED = 5
"""Values without a partner that are named; the list has all."""

LONGEST = 60
"""Characters of a value that are shown outside the list."""

MOST_ROWS = 8
"""Rows that are seen at once; the table scrolls."""

RECORDS_WIDTH = 84
SHARES = ((Heading.VALUE, 0.24), (Heading.PARTNERS, 0.34))
"""Widths of the columns: of one in pixels, of others by the room that it leaves."""

NO_TARGET = ""
"""Stands for "the population does not know it" in the list of its attributes."""


class ValueTable(QTableView):
    """The values; Enter, F2 or a double click changes what one stands for."""

    change_wanted = Signal()

    def __init__(self, model: PopulationValueModel, name: str) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setIconSize(QSize(14, 14))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        self.setColumnWidth(Heading.RECORDS, RECORDS_WIDTH)
        head.setSectionResizeMode(Heading.REASON, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(64)
        self.doubleClicked.connect(self._on_double_clicked)

    def show_rows(self, n_rows: int) -> None:
        """Be as high as some rows, at most `MOST_ROWS`."""
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + ROW_HEIGHT * max(3, min(n_rows, MOST_ROWS)) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.viewport().width() - RECORDS_WIDTH
        for section, share in SHARES:
            self.setColumnWidth(section, round(share * room))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.change_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _on_double_clicked(self, _index: QModelIndex) -> None:
        self.change_wanted.emit()


class MatchDetail(QWidget):
    """What is proposed for an attribute, why, and everything that can be decided.

    Attributes
    ----------
    target_set : Signal of str
        Attribute of the population, or `NO_TARGET`.
    """

    confirm_clicked = Signal()
    proposal_wanted = Signal()
    target_set = Signal(str)
    partners_set = Signal(str, object)
    lacking_set = Signal(str)
    accepted_set = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: AttributeState | None = None
        self._targets: tuple[str, ...] | None = None
        self._sheet: PartnerSheet | None = None
        self.target = ComboBox((), tr("Attribute of the population"))
        self.target.setMinimumWidth(180)
        self.target.activated.connect(self._on_target_chosen)
        self.back_button = Button(
            tr("Back to the proposal"), "quiet", "undo", small=True
        )
        self.back_button.clicked.connect(self.proposal_wanted)
        head = row(
            Label(tr("In the population it is")),
            self.target,
            None,
            self.back_button,
        )
        self.doubts = Callout()
        self.doubts.acted.connect(self.confirm_clicked)
        self._make_values()
        self._make_alone()
        self._make_lacking()
        self._problem = Callout()
        self.setLayout(
            column(
                head,
                self._problem,
                self._lacking,
                self._values,
                self.doubts,
                self._alone,
                spacing=12,
            )
        )

    def show_last(self) -> None:
        """Show the last value, such as the highest age, ready to be changed."""
        self.table.selectRow(self.model.rowCount() - 1)
        self.table.scrollToBottom()

    # -- making --------------------------------------------------------------------

    def _make_values(self) -> None:
        self.model = PopulationValueModel(self)
        self.show_kind = Segmented(
            [
                (Show.ALL, tr("All values")),
                (Show.DOUBTFUL, tr("Only what needs me")),
            ],
            name=tr("Which values are shown"),
        )
        self.show_kind.chosen.connect(self._on_filtered)
        self.field = SearchField(tr("Find a value"))
        self.field.setMaximumWidth(220)
        self.field.searched.connect(self._on_filtered)
        self.table = ValueTable(self.model, tr("What each value stands for"))
        self.table.change_wanted.connect(self._on_change_wanted)
        selection = self.table.selectionModel()
        selection.currentRowChanged.connect(self._on_row_changed)
        self.model.modelReset.connect(self._on_row_changed)
        self.change_button = Button(
            tr("Change what it stands for…"),
            "plain",
            "edit",
            self._on_change_wanted,
            small=True,
        )
        self._count = Caption()
        self._count.setWordWrap(False)
        self._why = Caption()
        show_if(self._why, False)
        self._values = holder(
            column(
                row(self.show_kind, None, self.field),
                self.table,
                self._why,
                row(self.change_button, None, self._count),
            )
        )

    def _make_alone(self) -> None:
        self._alone_words = Callout()
        self.accept = ToggleRow(
            tr("These records may stand for nobody"),
            tr(
                "They are then taken to be all people of their kind, which states the "
                "risk no lower than it is."
            ),
        )
        self.accept.toggled.connect(self.accepted_set)
        self._alone = holder(column(self._alone_words, self.accept))

    def _make_lacking(self) -> None:
        box = column(
            Label(tr("This population does not know it. What follows?"), "strong")
        )
        self.lacking = QButtonGroup(self)
        for place, choice in enumerate(LACKING):
            name, meaning = lacking_words(choice)
            button = QRadioButton(name)
            button.setAccessibleDescription(meaning)
            self.lacking.addButton(button, place)
            words = Caption(meaning)
            words.setContentsMargins(26, 0, 0, 4)
            box.addWidget(button)
            box.addWidget(words)
        self.lacking.idClicked.connect(self._on_lacking_clicked)
        self._lacking = holder(box)

    # -- showing -------------------------------------------------------------------

    @property
    def sheet(self) -> PartnerSheet | None:
        """The sheet on which partners are chosen, once it was opened."""
        return self._sheet

    def show_state(self, state: AttributeState) -> None:
        """Show an attribute; filter, row and focus stay where they are."""
        self._state = state
        self._show_targets(state)
        show_if(self.back_button, state.is_decided)
        matches = state.matches
        show_if(self._values, matches is not None)
        show_if(self._lacking, matches is None and not state.is_waiting)
        place = LACKING.index(state.lacking)
        self.lacking.button(place).setChecked(True)
        if matches is not self.model.matches:
            self._show_values(state)
        self._show_doubts(state)
        self._show_alone(state)
        self._show_problems(state)

    def _show_targets(self, state: AttributeState) -> None:
        if self._targets != state.targets:
            self._targets = state.targets
            self.target.clear()
            self.target.addItem(tr("not known there"), NO_TARGET)
            for name in state.targets:
                self.target.addItem(name, name)
        matches = state.matches
        name = matches.mapping.target.name if matches is not None else NO_TARGET
        if self.target.findData(name) < 0:  # race and origin, joined for the data
            self.target.addItem(name, name)
        self.target.set_current(name)

    def _show_values(self, state: AttributeState) -> None:
        current = self.table.currentIndex()
        text = current.data(TEXT_ROLE) if current.isValid() else None
        at = self.table.verticalScrollBar().value()
        self.model.set_matches(state.matches)
        if state.matches is None:
            return
        self.table.show_rows(state.matches.n_values)
        self._show_kinds(state)
        self._show_count()
        found = self.model.row_of(text) if text is not None else -1
        if found >= 0:
            self.table.selectionModel().setCurrentIndex(
                self.model.index(found, 0),
                QItemSelectionModel.SelectionFlag.ClearAndSelect
                | QItemSelectionModel.SelectionFlag.Rows,
            )
        self.table.verticalScrollBar().setValue(at)

    def _show_kinds(self, state: AttributeState) -> None:
        matches = state.matches
        assert matches is not None
        has_more = bool(matches.is_doubtful.any())
        show_if(self.show_kind, has_more)
        show_if(self.field, matches.n_values > MOST_ROWS)
        if not has_more and self.show_kind.current != Show.ALL:
            self.show_kind.set_current(Show.ALL)
            self._on_filtered()

    def _show_count(self) -> None:
        matches = self.model.matches
        if matches is None:
            return
        words: Text = "{n:,} of {all:,} values"
        n_shown = self.model.rowCount()
        self._count.setText(tr(words, n=n_shown, all=matches.n_values))

    def _show_doubts(self, state: AttributeState) -> None:
        matches = state.matches
        is_confirmed = matches is not None and matches.mapping.is_confirmed
        doubts = matches.mapping.doubts if matches is not None else ()
        show_if(self.doubts, bool(doubts) or is_confirmed)
        words = "\n".join(map(reason_words, doubts))
        if state.needs_confirmation:
            self.doubts.show_words(
                tr("Is this what your values mean? Only you can know."),
                "warning",
                words,
                tr("Yes, it is right"),
            )
        elif is_confirmed:
            title = tr("A person has confirmed what these values stand for.")
            self.doubts.show_words(title, "success", words)

    def _show_alone(self, state: AttributeState) -> None:
        matches = state.matches
        n_alone = int(matches.is_alone.sum()) if matches is not None else 0
        show_if(self._alone, n_alone > 0)
        if matches is None or not n_alone:
            return
        self._alone_words.show_words(
            tr(
                "{n:value has|values have} no match in the population "
                "({records:record|records}).",
                n=n_alone,
                records=matches.n_records(matches.is_alone),
            ),
            "info" if state.accepts_unmatched else "warning",
            self._named(matches.alone(MOST_NAMED), n_alone),
        )
        self.accept.set_on(state.accepts_unmatched)

    def _named(self, alone: list[tuple[str, int]], n_alone: int) -> str:
        """Name values that nobody has, and say what can be done."""
        named = ", ".join(f"“{text[:LONGEST]}” ({n:,})" for text, n in alone)
        if n_alone > len(alone):
            words: Text = "{named} and {n:,} more"
            named = tr(words, named=named, n=n_alone - len(alone))
        words = "{named}. Say in the list what they stand for, or accept it:"
        return tr(words, named=named)

    def _show_problems(self, state: AttributeState) -> None:
        """Show what is said nowhere else on this sheet."""
        told_here = {*LACKS, "people_unconfirmed", "people_no_partner"}
        problems = [words_for(p) for p in state.problems if p.code not in told_here]
        show_if(self._problem, bool(problems))
        if problems:
            self._problem.show_words(
                "\n".join(words.what for words in problems),
                "danger",
                "\n".join(dict.fromkeys(words.fix for words in problems)),
            )

    # -- deciding ------------------------------------------------------------------

    def show_kind_of(self, show: Show) -> None:
        """Show only some of the values."""
        self.show_kind.set_current(show)
        self._on_filtered()

    def _on_filtered(self, *_what: object) -> None:
        self.model.show_only(Show(self.show_kind.current), self.field.text())
        self._show_count()

    def _on_row_changed(self, *_what: object) -> None:
        index = self.table.currentIndex()
        self.change_button.setEnabled(index.isValid())
        show_if(self._why, index.isValid())
        if index.isValid():
            self._why.setText(self._row_words(index))

    def _row_words(self, index: QModelIndex) -> str:
        """Say in full what a row may cut off."""
        value = index.siblingAtColumn(Heading.VALUE).data()
        partners = index.siblingAtColumn(Heading.PARTNERS)
        reason = index.siblingAtColumn(Heading.REASON)
        return tr(
            "“{value}” stands for: {partners}. {reason}",
            value=value[:LONGEST],
            partners=partners.data(Qt.ItemDataRole.ToolTipRole),
            reason=reason.data(Qt.ItemDataRole.AccessibleTextRole),
        )

    def _on_target_chosen(self) -> None:
        self.target_set.emit(self.target.current)

    def _on_lacking_clicked(self, place: int) -> None:
        self.lacking_set.emit(LACKING[place])

    def _on_change_wanted(self) -> None:
        index, matches = self.table.currentIndex(), self.model.matches
        if not index.isValid() or matches is None:
            return
        if self._sheet is None:
            self._sheet = PartnerSheet(self)
            self._sheet.chosen.connect(self.partners_set)
        place = self.model.row_at(index.row())
        self._sheet.set_confirms(
            self._state is not None and self._state.needs_confirmation
        )
        self._sheet.open_for(
            matches.mapping.data.texts[place],
            matches.partners(place),
            matches.mapping.target.values,
            self.change_button,
        )
