"""How the values of each quasi-identifier are found in the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QFrame,
    QHeaderView,
    QRadioButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.matching import LACKS
from deidgui.app.project import MatchChoice
from deidgui.errors import DeidError
from deidgui.qt.column_words import reason_words
from deidgui.qt.messages import words_for
from deidgui.qt.models.population_values import (
    TEXT_ROLE,
    MatchColumn,
    PopulationValueModel,
    Show,
    ValueMatches,
)
from deidgui.qt.widgets import (
    TONE_GLYPH,
    Button,
    Callout,
    Caption,
    CheckList,
    ClickableFrame,
    ComboBox,
    ElidedLabel,
    GlyphLabel,
    Label,
    Popover,
    ProgressBar,
    ReasonLabel,
    SearchField,
    Segmented,
    Status,
    ToggleRow,
    column,
    holder,
    mark,
    refilled,
    row,
    show_if,
)
from deidgui.text import Text, escaped, tr

LACKING = ("refused", "independent", "left aside")
"""What can be done about an attribute that the population does not know."""


@dataclass(frozen=True, eq=False)
class AttributeState:
    """What there is to show of one quasi-identifier.

    Parameters
    ----------
    targets : tuple of str
        Attributes of the population.
    choice : MatchChoice or None
        What a person decided; None if nothing yet.
    matches : ValueMatches or None
        None if the population does not know the attribute.
    problems : tuple of DeidError
        What keeps it from being used.
    """

    name: str
    targets: tuple[str, ...]
    choice: MatchChoice | None = None
    matches: ValueMatches | None = None
    problems: tuple[DeidError, ...] = field(default=())

    @property
    def lacking(self) -> str:
        """What is done if the population does not know the attribute."""
        return self.choice.lacking if self.choice is not None else "refused"

    @property
    def accepts_unmatched(self) -> bool:
        """Whether a person accepted values without a match."""
        return self.choice is not None and self.choice.accepts_unmatched

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is known yet: the tables or the file are not in order."""
        codes = {problem.code for problem in self.problems}
        return self.matches is None and self.choice is None and not codes & LACKS

    @property
    def is_decided(self) -> bool:
        """Whether a person has changed or confirmed anything."""
        return self.choice is not None and self.choice != MatchChoice()

    @property
    def needs_confirmation(self) -> bool:
        """Whether the proposal is in doubt and nobody has confirmed it."""
        return self.matches is not None and not self.matches.mapping.is_ready

    @property
    def needs_acceptance(self) -> bool:
        """Whether values have no match, and nobody has accepted that."""
        if self.matches is None or self.accepts_unmatched:
            return False
        return bool(self.matches.is_alone.any())

    @property
    def needs_a_person(self) -> bool:
        """Whether somebody must decide before it can be used."""
        if self.matches is None:
            return self.lacking == "refused" and not self.is_waiting
        return self.needs_confirmation or self.needs_acceptance or bool(self.problems)


class StateWords(NamedTuple):
    """A state in a few words, its glyph and colour."""

    words: str
    status: Status


def said(state: AttributeState) -> StateWords:
    """Say how a quasi-identifier stands."""
    matches = state.matches
    if state.is_waiting:
        return StateWords(tr("Not matched yet"), "info")
    if matches is None:
        return _lacking_said(state.lacking)
    if state.needs_confirmation:
        words = tr("Review and confirm")
        if state.needs_acceptance:
            words = f"{words}; {_alone_words(matches)}"
        return StateWords(words, "warning")
    n_alone = int(matches.is_alone.sum())
    if n_alone:
        status: Status = "info" if state.accepts_unmatched else "warning"
        return StateWords(_alone_words(matches), status)
    if state.problems:
        return StateWords(words_for(state.problems[0]).what, "danger")
    if matches.mapping.is_confirmed:
        return StateWords(tr("Confirmed"), "success")
    return StateWords(tr("All values matched"), "success")


def _alone_words(matches: ValueMatches) -> str:
    n_alone = int(matches.is_alone.sum())
    records = matches.n_records(matches.is_alone)
    return tr(
        "{n:value has|values have} no match in the population "
        "({records:record|records})",
        n=n_alone,
        records=records,
    )


def _lacking_said(choice: str) -> StateWords:
    match choice:
        case "independent":
            return StateWords(
                tr("Not in the population: assumed independent"),
                "info",
            )
        case "left aside":
            return StateWords(
                tr("Ignored (not in the population): risk is understated"),
                "warning",
            )
    return StateWords(tr("Not in the population: decide how to handle it"), "warning")


def lacking_words(choice: str) -> tuple[str, str]:
    """Name of a choice about an unknown attribute, and what it means."""
    return {
        "refused": (
            tr("Do not use this population"),
            tr(
                "Risk is not measured against it until you choose another option "
                "or another population.",
            ),
        ),
        "independent": (
            tr("Assume independence"),
            tr(
                "The distribution in your file is assumed for the whole population, "
                "independent of the other columns. Figures are marked as estimates.",
            ),
        ),
        "left aside": (
            tr("Ignore the column"),
            tr(
                "Groups in the population then look larger than they are, and "
                "the risk is understated.",
            ),
        ),
    }[choice]


WIDTH = 360


class PartnerSheet(Popover):
    """Sheet with all values of the population; one or several can be checked.

    Attributes
    ----------
    chosen : Signal of (str, tuple of str)
        The value of the data and what it stands for; nothing means nobody.
    """

    chosen = Signal(str, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self._title = Label("", "section", wrap=True)
        self._words = Caption(
            tr(
                "Select all population values that mean the same. Their counts "
                "are added."
            )
        )
        self.list = CheckList(tr("Values of the population"), tr("Find a value"), 224)
        self.list.setFixedWidth(WIDTH)
        self.list.accepted.connect(self._on_set_clicked)
        self.set_button = Button(
            tr("Set match"), "primary", clicked=self._on_set_clicked
        )
        self.nobody_button = Button(
            tr("No match"), "quiet", clicked=self._on_nobody_clicked
        )
        cancel = Button(tr("Cancel"), "quiet", clicked=self.close)
        self._confirms = ReasonLabel(
            tr("This also confirms the other values as shown."),
            "warning",
        )
        for part in (self._title, self._words, self.list, self._confirms):
            self.body.addWidget(part)
        self.body.addLayout(row(self.nobody_button, None, cancel, self.set_button))

    def set_confirms(self, confirms: bool) -> None:
        """Say whether setting one value confirms the others."""
        show_if(self._confirms, confirms)

    def open_for(
        self,
        text: str,
        partners: Sequence[str],
        values: Sequence[str],
        anchor: QWidget,
    ) -> None:
        """Ask for the partners of a value.

        Parameters
        ----------
        text : str
            Of the data.
        partners : sequence of str
            What it stands for now.
        values : sequence of str
            Of the population.
        anchor : QWidget
            The sheet opens beside it.
        """
        self._text = text
        shown = text if text.strip() else tr("(empty)")
        self._title.setText(tr("Match for “{value}”", value=shown[:80]))
        self._title.setFixedWidth(WIDTH)
        self._words.setFixedWidth(WIDTH)
        self.list.field.clear()
        self.list.model.show_only("")
        self.list.set_texts(values, partners)
        self.open_at(anchor)
        self.list.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._on_set_clicked()
            return
        super().keyPressEvent(event)

    def _on_set_clicked(self) -> None:
        checked = self.list.checked
        self.close()
        self.chosen.emit(self._text, checked)

    def _on_nobody_clicked(self) -> None:
        self.close()
        self.chosen.emit(self._text, ())


ROW_HEIGHT = 30
MOST_NAMED = 5
"""Values without a partner that are named; the list has all."""

LONGEST = 60
"""Characters of a value that are shown outside the list."""

MOST_ROWS = 8
"""Rows that are seen at once; the table scrolls."""

RECORDS_WIDTH = 84
SHARES = ((MatchColumn.VALUE, 0.24), (MatchColumn.PARTNERS, 0.34))
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
        self.setColumnWidth(MatchColumn.RECORDS, RECORDS_WIDTH)
        head.setSectionResizeMode(MatchColumn.REASON, QHeaderView.ResizeMode.Stretch)
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
        self.target = ComboBox((), tr("Column of the population"))
        self.target.setMinimumWidth(180)
        self.target.activated.connect(self._on_target_chosen)
        self.back_button = Button(
            tr("Back to the proposal"), "quiet", "undo", small=True
        )
        self.back_button.clicked.connect(self.proposal_wanted)
        head = row(
            Label(tr("Column of the population")),
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
                (Show.DOUBTFUL, tr("To decide")),
            ],
            name=tr("Which values are shown"),
        )
        self.show_kind.chosen.connect(self._on_filtered)
        self.field = SearchField(tr("Find a value"))
        self.field.setMaximumWidth(260)
        self.field.searched.connect(self._on_filtered)
        self.table = ValueTable(self.model, tr("Match of each value"))
        self.table.change_wanted.connect(self._on_change_wanted)
        selection = self.table.selectionModel()
        selection.currentRowChanged.connect(self._on_row_changed)
        self.model.modelReset.connect(self._on_row_changed)
        self.change_button = Button(
            tr("Change the match…"),
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
            tr("Accept: no one in the population matches these records"),
            tr(
                "Each such group is counted as its own population, so the risk "
                "is not understated."
            ),
        )
        self.accept.toggled.connect(self.accepted_set)
        self._alone = holder(column(self._alone_words, self.accept))

    def _make_lacking(self) -> None:
        box = column(
            Label(
                tr("The population has no such column. How should it be handled?"),
                "strong",
            )
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
            self.target.addItem(tr("not in the population"), NO_TARGET)
            for name in state.targets:
                self.target.addItem(escaped(name), name)
        matches = state.matches
        name = matches.mapping.target.name if matches is not None else NO_TARGET
        if self.target.findData(name) < 0:  # race and origin, joined for the data
            self.target.addItem(escaped(name), name)
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
        words: Text = "{n:,} of {all:value|values}"
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
                tr("Are these matches correct?"),
                "warning",
                words,
                tr("Confirm matches"),
            )
        elif is_confirmed:
            title = tr("The matches have been confirmed.")
            self.doubts.show_words(title, "success", words)

    def _show_alone(self, state: AttributeState) -> None:
        matches = state.matches
        n_alone = int(matches.is_alone.sum()) if matches is not None else 0
        show_if(self._alone, n_alone > 0)
        if matches is None or not n_alone:
            return
        self._alone_words.show_words(
            f"{_alone_words(matches)}.",
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
        words = "{named}. Set a match in the list, or accept:"
        return tr(words, named=named)

    def _show_problems(self, state: AttributeState) -> None:
        """Show what is said nowhere else on this sheet."""
        shown_here = {*LACKS, "people_unconfirmed", "people_no_partner"}
        problems = [words_for(p) for p in state.problems if p.code not in shown_here]
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
        value = index.siblingAtColumn(MatchColumn.VALUE).data()
        partners = index.siblingAtColumn(MatchColumn.PARTNERS)
        reason = index.siblingAtColumn(MatchColumn.REASON)
        return tr(
            "“{value}” matches: {partners}. {reason}",
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


PATIENCE_MS = 400
"""After so long it is shown that values are looked up."""


class _AttributeLine(ClickableFrame):
    """The line of an attribute, to open and close what is under it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._chevron = GlyphLabel("chevron-right", "muted")
        self._target = ElidedLabel("", "body", "muted")
        self._glyph = GlyphLabel("check-circle", "success")
        self._words = ElidedLabel("", "caption")
        first = row(ElidedLabel(name, "strong"), self._target, spacing=12)
        first.setStretch(0, 2)
        first.setStretch(1, 3)
        second = row(self._glyph, self._words, spacing=6)
        second.setStretch(1, 1)
        words = column(first, second, spacing=2)
        box = row(self._chevron, words, spacing=8, margin=8)
        box.setStretch(1, 1)
        self.setLayout(box)

    def show_state(self, state: AttributeState, is_open: bool) -> None:
        """Show how the attribute stands."""
        words, status = said(state)
        self._chevron.set_glyph("chevron-down" if is_open else "chevron-right", "muted")
        self._glyph.set_glyph(TONE_GLYPH[status], status)
        self._words.setText(words)
        self._words.set_tone(status if status in ("warning", "danger") else "muted")
        target = state.matches.mapping.target.name if state.matches else ""
        shown = tr("matched with “{name}”", name=target)
        lacks = "" if state.is_waiting else tr("is not in the population")
        self._target.setText(shown if target else lacks)
        said_words = filter(None, (self._name, self._target.text(), words))
        self.setAccessibleName(". ".join(said_words))


class AttributePart(QFrame):
    """One quasi-identifier: a line, and all of it when it is opened.

    Attributes
    ----------
    toggled, confirmed, proposal_wanted : Signal of str
        Name of the attribute.
    """

    toggled = Signal(str)
    confirmed = Signal(str)
    proposal_wanted = Signal(str)
    target_set = Signal(str, str)
    lacking_set = Signal(str, str)
    partners_set = Signal(str, str, object)
    accepted_set = Signal(str, bool)

    def __init__(self, state: AttributeState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._state = state
        self.head = _AttributeLine(state.name)
        self.head.clicked.connect(self._on_head_clicked)
        self.detail: MatchDetail | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self.head)
        self.show_state(state)

    @property
    def state(self) -> AttributeState:
        """What is shown."""
        return self._state

    @property
    def is_open(self) -> bool:
        """Whether all of it is shown."""
        return self.detail is not None and not self.detail.isHidden()

    def show_state(self, state: AttributeState) -> None:
        """Show how the attribute stands now."""
        self._state = state
        self.head.show_state(state, self.is_open)
        if self.detail is not None and self.is_open:
            self.detail.show_state(state)

    def set_open(self, is_open: bool) -> None:
        """Show all of the attribute, or its line only."""
        if is_open and self.detail is None:
            self.detail = self._made_detail()
            self._box.addWidget(self.detail)
        if self.detail is not None:
            show_if(self.detail, is_open)
            if is_open:
                self.detail.show_state(self._state)
        self.head.show_state(self._state, is_open)

    def _made_detail(self) -> MatchDetail:
        made, name = MatchDetail(), self._state.name
        box = made.layout()
        assert box is not None
        box.setContentsMargins(16, 4, 16, 16)
        made.confirm_clicked.connect(self._on_confirm_clicked)
        made.proposal_wanted.connect(self._on_proposal_wanted)
        made.target_set.connect(self._on_target_set)
        made.partners_set.connect(self._on_partners_set)
        made.lacking_set.connect(self._on_lacking_set)
        made.accepted_set.connect(self._on_accepted_set)
        made.setAccessibleName(name)
        return made

    def _on_head_clicked(self) -> None:
        self.toggled.emit(self._state.name)

    def _on_confirm_clicked(self) -> None:
        self.confirmed.emit(self._state.name)

    def _on_proposal_wanted(self) -> None:
        self.proposal_wanted.emit(self._state.name)

    def _on_target_set(self, target: str) -> None:
        self.target_set.emit(self._state.name, target)

    def _on_partners_set(self, text: str, partners: tuple[str, ...]) -> None:
        self.partners_set.emit(self._state.name, text, partners)

    def _on_lacking_set(self, choice: str) -> None:
        self.lacking_set.emit(self._state.name, choice)

    def _on_accepted_set(self, is_accepted: bool) -> None:
        self.accepted_set.emit(self._state.name, is_accepted)


@dataclass(frozen=True, eq=False)
class MappingState:
    """What there is to show of the mapping step.

    Parameters
    ----------
    attributes : tuple of AttributeState or None
        None while nothing is proposed yet.
    problems : tuple of DeidError
        Of no attribute in particular.
    is_working : bool
        Whether a proposal is being made.
    is_stopped : bool
        Whether somebody stopped it.
    """

    attributes: tuple[AttributeState, ...] | None = None
    problems: tuple[DeidError, ...] = ()
    is_stopped: bool = False


class MappingPart(QWidget):
    """All quasi-identifiers with what they are in the population.

    Attributes
    ----------
    confirmed, proposal_wanted, target_set, lacking_set, partners_set, accepted_set
        As of `AttributePart`.
    all_lacking_set : Signal of (tuple of str, str)
        Attributes that the population lacks, and what is done about all of them.
    cancel_clicked, again_clicked : Signal
        Stop looking values up; look them up after that was stopped.
    """

    confirmed = Signal(str)
    proposal_wanted = Signal(str)
    target_set = Signal(str, str)
    lacking_set = Signal(str, str)
    partners_set = Signal(str, str, object)
    accepted_set = Signal(str, bool)
    all_lacking_set = Signal(object, str)
    cancel_clicked = Signal()
    again_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._undecided: tuple[str, ...] = ()
        self._parts: dict[str, AttributePart] = {}
        self._open: str | None = None
        self._title = Label(tr("Matching of values"), "strong")
        self._lead = Caption()
        self.next_button = Button(
            tr("Next to decide"), "plain", "arrow-down", small=True
        )
        self.next_button.clicked.connect(self._on_next_clicked)
        self._make_for_all()
        head = row(column(self._title, self._lead, spacing=2), self.next_button)
        head.setStretch(0, 1)
        self._bar = ProgressBar(tr("Matching values with the population"))
        stop = Button(tr("Stop"), glyph="stop", clicked=self.cancel_clicked)
        mark(stop, size="small")
        bar = row(self._bar, stop, spacing=12)
        self._progress = holder(
            column(Caption(tr("Matching values …")), bar, spacing=4)
        )
        self._problem = Callout()
        self._stopped = Callout(
            tr("Matching was stopped."),
            "warning",
            tr("The matches shown are based on earlier decisions."),
            tr("Match values"),
        )
        self._stopped.acted.connect(self.again_clicked)
        self._list = column()
        self.setLayout(
            column(
                head,
                self._progress,
                self._stopped,
                self._problem,
                self.for_all,
                holder(self._list),
                spacing=10,
            )
        )
        show_if(self._progress, False)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._on_patience_lost)

    def _make_for_all(self) -> None:
        """Decide on all columns that the population lacks at once."""
        self._for_all_words = Caption()
        self.for_all_buttons: dict[str, Button] = {}
        buttons = row(spacing=8)
        for choice in LACKING[1:]:
            name, meaning = lacking_words(choice)
            button = Button(tr("All: {name}", name=name), small=True)
            button.setAccessibleDescription(meaning)
            button.setToolTip(meaning)
            button.clicked.connect(partial(self._on_for_all, choice))
            self.for_all_buttons[choice] = button
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.for_all = holder(column(self._for_all_words, buttons, spacing=4))
        show_if(self.for_all, False)

    def _on_for_all(self, choice: str) -> None:
        self.all_lacking_set.emit(self._undecided, choice)

    @property
    def parts(self) -> dict[str, AttributePart]:
        """The part of each quasi-identifier."""
        return self._parts

    def set_fraction(self, fraction: float | None) -> None:
        """Show how far a proposal is made; None if none is.

        What takes a moment only shows nothing, so that the page does not jump.
        """
        if fraction is None:
            self._patience.stop()
            show_if(self._progress, False)
            return
        self._bar.set_fraction(fraction)
        if self._progress.isHidden() and not self._patience.isActive():
            self._patience.start()

    def _on_patience_lost(self) -> None:
        show_if(self._progress, True)

    def show_state(self, state: MappingState) -> None:
        """Show all quasi-identifiers."""
        attributes = state.attributes or ()
        if [each.name for each in attributes] != list(self._parts):
            self._make_parts(attributes)
        for each in attributes:
            self._parts[each.name].show_state(each)
        show_if(self._stopped, state.is_stopped)
        self._undecided = tuple(
            each.name
            for each in attributes
            if each.matches is None and each.needs_a_person
        )
        show_if(self.for_all, len(self._undecided) > 1)
        self._for_all_words.setText(
            tr(
                "{n:column is|columns are} not in the population. Decide on all at "
                "once:",
                n=len(self._undecided),
            )
        )
        open_ones = [each for each in attributes if each.needs_a_person]
        show_if(self.next_button, bool(open_ones) and len(attributes) > 1)
        self._lead.setText(self._lead_words(len(attributes), len(open_ones)))
        show_if(self._problem, bool(state.problems))
        if state.problems:
            said_words = [words_for(problem) for problem in state.problems]
            self._problem.show_words(
                "\n".join(words.what for words in said_words),
                "danger",
                "\n".join(dict.fromkeys(words.fix for words in said_words)),
            )

    def _lead_words(self, n_all: int, n_open: int) -> str:
        if not n_all:
            return ""
        if n_open:
            return tr(
                "Decisions are needed on {n} of "
                "{all:quasi-identifier|quasi-identifiers}.",
                n=n_open,
                all=n_all,
            )
        return tr("All quasi-identifiers are matched. Open one to view or change it.")

    def _make_parts(self, attributes: Sequence[AttributeState]) -> None:
        with refilled(self._list):
            self._parts = {}
            for each in attributes:
                part = AttributePart(each)
                part.toggled.connect(self._on_toggled)
                part.confirmed.connect(self.confirmed)
                part.proposal_wanted.connect(self.proposal_wanted)
                part.target_set.connect(self.target_set)
                part.lacking_set.connect(self.lacking_set)
                part.partners_set.connect(self.partners_set)
                part.accepted_set.connect(self.accepted_set)
                self._parts[each.name] = part
                self._list.addWidget(part)
        if self._open in self._parts:
            self._parts[self._open].set_open(True)

    def open_attribute(self, name: str | None) -> None:
        """Show all of one attribute, and the lines of the others."""
        self._open = name
        for each, part in self._parts.items():
            part.set_open(each == name)

    def show_attribute(self, name: str) -> QWidget:
        """Open an attribute for somebody who was led here, and return its part."""
        # Where values are still looked up, it is opened when they are known.
        self.open_attribute(name)
        part = self._parts.get(name)
        if part is None:
            return self
        part.setFocusProxy(part.head)
        if part.detail is not None:
            part.detail.show_last()
        return part

    def _on_toggled(self, name: str) -> None:
        self.open_attribute(None if self._open == name else name)

    def _on_next_clicked(self) -> None:
        names = [n for n, part in self._parts.items() if part.state.needs_a_person]
        if not names:
            return
        later = names[names.index(self._open) + 1 :] if self._open in names else names
        name = (later or names)[0]
        self.open_attribute(name)
        part = self._parts[name]
        part.head.setFocus(Qt.FocusReason.TabFocusReason)
        matches = part.state.matches
        if part.detail is not None and matches is not None:
            is_any = bool(matches.is_doubtful.any())
            part.detail.show_kind_of(Show.DOUBTFUL if is_any else Show.ALL)
