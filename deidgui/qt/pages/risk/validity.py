"""How long the determination holds, what ends it, and who watches over it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from deidgui.app.deciding.validity import with_validity
from deidgui.app.determination.validity import (
    decide_anew,
    end_of,
    enter_trigger,
    is_begun,
    open_items,
    proposal,
    sign_validity,
    unsigned_items,
    validity_problem,
)
from deidgui.app.determination.validity_words import ITEMS, TRIGGERS, validity_words
from deidgui.app.entered import check_named, today
from deidgui.app.project import Project
from deidgui.engine.evidence.entered import LONGEST_TEXT
from deidgui.errors import ConfigError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.risk.context import TextRow
from deidgui.qt.pages.signing import NameField
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    ComboBox,
    Label,
    Segmented,
    ShownStack,
    TextTable,
    column,
    field_row,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.text import Text, tr

_IN_FORCE: Text = "agreement in force, no linking"
_WHO: Text = "name and function"
_MONTHS: Text = "6"
_WHOM: Text = "office, telephone, within 72 hours"
_EXAMPLES: dict[str, Text] = {
    "conditions": _IN_FORCE,
    "in_charge": _WHO,
    "review_months": _MONTHS,
    "contact": _WHOM,
}

NOT_DECIDED: Text = "Filled in, not yet decided"
"""Of a period that stands in the fields."""


LEAST_HEIGHT = 180
"""Pixels of what is watched, where it stands below the decision."""


class ValidityPart(QWidget):
    """The periods that were decided, and beside them what is watched.

    Attributes
    ----------
    decided : Signal of (Op, str)
        A decision, and what it is called in the menu.
    drafted : Signal
        A period is filled in that nobody has decided yet, or no longer.
    earlier_wanted : Signal of (bool, str)
        Whether an earlier release is to be chosen, or none; and who says so.
    """

    decided = Signal(object, str)
    drafted = Signal()
    earlier_wanted = Signal(bool, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = Project()
        self.state = Callout()
        self.begins, self.ends = QLineEdit(), QLineEdit()
        self.because, self.by = QLineEdit(), NameField(tr("Who decides"))
        self._is_draft = False
        self.problem = Callout()
        self.periods = TextTable(
            tr("Periods that were decided"),
            (tr("Period"), tr("Reason, and who decided")),
            wide=1,
            wraps=True,
        )
        self.texts: dict[str, TextRow] = {}
        self.kind = ComboBox([(key, tr(words)) for key, words in TRIGGERS.items()])
        self.words = QLineEdit()
        self.met = TextTable(
            tr("Triggers that are met"),
            (tr("Day"), tr("Event, and who entered it")),
            wide=1,
            wraps=True,
        )
        self.tabs = Segmented(
            [("watch", tr("Who watches")), ("triggers", tr("Triggers"))],
            name=tr("Parts of the validity"),
        )
        self.tabs.chosen.connect(self.show_tab)
        pages = QWidget()
        self._stack = ShownStack(pages)
        self._pages: dict[str, QWidget] = {
            "watch": self._watch_page(),
            "triggers": self._triggers_page(),
        }
        for each in self._pages.values():
            area = scrolling(each)
            # Of the area: it needs more than this where it does not scroll.
            area.setMinimumHeight(LEAST_HEIGHT)
            self._stack.addWidget(area)
        watched = Card(tr("What is watched"), margin=12)
        watched.add(self.tabs)
        watched.add(pages, 1)
        sides = Columns([(self._decision_card(), 5), (watched, 6)], 0, 12)
        self.setLayout(column(sides))

    def _decision_card(self) -> Card:
        card = Card(tr("How long the determination holds"), margin=12)
        self.because.setPlaceholderText(tr("needed only for more than 36 months"))
        for field in (self.begins, self.ends, self.because):
            field.setMaxLength(LONGEST_TEXT)
            field.textChanged.connect(self._on_typed)
        self.propose = Button(tr("Fill in the proposal"), clicked=self._on_propose)
        self.decide = Button(tr("Decide this period"), clicked=self._on_decide)
        self._proposed = Caption()
        show_if(self.problem, False)
        days = row(
            (field_row(tr("From"), self.begins), 1),
            (field_row(tr("Until"), self.ends), 1),
        )
        for part in (
            self.state,
            holder(days),
            field_row(tr("Reason"), self.because),
            field_row(tr("Who decides"), self.by),
            self._proposed,
            self.problem,
            holder(row(self.propose, None, self.decide)),
        ):
            card.add(part)
        card.add(self.periods, 1)
        card.body.addStretch(0)  # takes what is left while no period is shown
        return card

    def _watch_page(self) -> QWidget:
        for name, example in _EXAMPLES.items():
            text = self.texts[name] = TextRow(tr(ITEMS[name]), tr(example))
            text.typed.connect(partial(self._say, name))
        self.sign = Button(tr("Sign what is open"), clicked=self._on_signed)
        self.sign.setToolTip(
            tr("Put the name of who decides to every text here that nobody has signed.")
        )
        self.sign_problem = Callout()
        show_if(self.sign_problem, False)
        signing = (self.sign_problem, holder(row(None, self.sign)))
        return holder(column(*self.texts.values(), *signing, None, spacing=10))

    def _triggers_page(self) -> QWidget:
        words = Caption(
            tr(
                "After any of these events nothing is released until somebody decides "
                "a new period. Who enters it is named under “Who decides”."
            )
        )
        self.words.setMaxLength(LONGEST_TEXT)
        self.words.setPlaceholderText(tr("what happened, in your own words"))
        self.enter = Button(tr("Enter this trigger"), clicked=self._on_enter)
        self.trigger_problem = Callout()
        show_if(self.trigger_problem, False)
        self.earlier = Label("", wrap=True)
        self.choose_earlier = Button(
            tr("Choose an earlier release…"), clicked=self._on_earlier
        )
        self.no_earlier = Button(tr("Compare with none"), clicked=self._on_no_earlier)
        parts = (
            self.earlier,
            holder(row(self.choose_earlier, self.no_earlier, None)),
            words,
            field_row(tr("Kind"), self.kind),
            field_row(tr("What happened"), self.words),
            self.trigger_problem,
            holder(row(None, self.enter)),
            self.met,
        )
        box = column(*parts, spacing=10)
        box.setStretch(len(parts) - 1, 1)
        box.addStretch(0)  # takes what is left while no trigger is shown
        return holder(box)

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project) -> None:
        """Show what is decided, and whether it holds today."""
        self._project = project
        choice = project.validity
        self._show_state()
        proposed = proposal(project)
        self._proposed.setText(tr("Proposal: {why}", why=proposed.because))
        self.begins.setPlaceholderText(proposed.begins)
        self.ends.setPlaceholderText(proposed.ends)
        counts = len(choice.periods) - 1
        self.periods.show_texts(
            [
                (
                    f"{each.begins} –\n{each.ends}",
                    " ".join(
                        filter(
                            None,
                            (
                                each.because,
                                *(e.because for e in each.after),
                                f"({each.by})",
                            ),
                        )
                    ),
                )
                for each in reversed(choice.periods)
            ],
            bold=0 if counts >= 0 else -1,
        )
        show_if(self.periods, counts >= 0)
        for name, text in self.texts.items():
            value = getattr(choice, name)
            shown = "" if value is None else str(value)
            text.show_text(shown, choice.signed.get(name))
        left = unsigned_items(choice)
        show_if(self.sign, bool(left))
        show_if(self.sign_problem, bool(left) and not self.sign_problem.isHidden())
        self.met.show_texts(
            [
                (e.on, f"{tr(TRIGGERS[e.kind])}: {e.because} ({e.by})")
                for e in choice.triggers
            ]
        )
        show_if(self.met, bool(choice.triggers))
        self._show_earlier()
        self.by.show_name()

    def _show_earlier(self) -> None:
        chosen = self._project.validity.earlier
        # Tables of counts are compared with nothing.
        can_compare = self._project.kind == "table"
        show_if(self.earlier, can_compare)
        show_if(self.choose_earlier, can_compare)
        show_if(self.no_earlier, can_compare and chosen is not None)
        if chosen is None:
            words = tr(
                "No earlier release is named: nothing is measured of what has changed."
            )
        else:
            words = tr(
                "Before every export it is measured what has changed since “{folder}” "
                "({by}, {day}): input files, policy, people, distributions.",
                folder=chosen.file,
                by=chosen.by,
                day=chosen.on,
            )
        self.earlier.setText(words)

    def _show_state(self) -> None:
        project = self._project
        problem, end = validity_problem(project), end_of(project)
        self.decide.set_kind("primary" if self._is_draft else "plain")
        next_ = tr("Say who decides, then press “Decide this period”.")
        if problem is not None:
            wrong = words_for(problem)
            fix = f"{tr(NOT_DECIDED)}. {next_}" if self._is_draft else wrong.fix
            self.state.show_words(wrong.what, "danger", fix)
        elif self._is_draft:
            self.state.show_words(f"{tr(NOT_DECIDED)}.", "warning", next_)
        elif not project.validity.periods or end is None:
            words = tr("Nobody has decided how long the determination holds.")
            detail = tr("Nothing is assumed; a determination without an end is none.")
            self.state.show_words(words, "warning", detail)
        else:
            self.state.show_words(validity_words(end.day, end.of), "success")

    def show_tab(self, key: str) -> None:
        """Show one part of what is watched."""
        self.tabs.set_current(key)
        self._stack.setCurrentIndex(list(self._pages).index(key))

    # -- deciding ------------------------------------------------------------------

    @property
    def is_draft(self) -> bool:
        """Whether a period is filled in that nobody has decided yet."""
        return self._is_draft

    def _on_typed(self) -> None:
        """Show whether a period is filled in that somebody may decide."""
        fields = self.begins, self.ends, self.because
        is_draft = any(each.text().strip() for each in fields)
        if is_draft == self._is_draft:
            return
        self._is_draft = is_draft
        self._show_state()
        self.drafted.emit()

    def _on_propose(self) -> None:
        """Fill in the proposal: a person still decides it."""
        found = proposal(self._project)
        self.begins.setText(found.begins)
        self.ends.setText(found.ends)
        self.because.setText(found.because)
        (self.decide if self.by.text().strip() else self.by).setFocus()

    def _on_decide(self) -> None:
        parts = (self.begins, self.ends, self.because, self.by)
        begins, ends, because, by = (each.text().strip() for each in parts)
        day = today().isoformat()
        try:
            op = decide_anew(begins, ends, because, by, day)
        except ConfigError as error:
            _show_problem(self.problem, error)
            return
        show_if(self.problem, False)
        for each in parts[:-1]:
            each.clear()
        self.decided.emit(op, tr("decide how long the determination holds"))

    def _on_signed(self) -> None:
        """Sign what nobody has signed: a person stands for what others left open."""
        op = sign_validity(self.by.text().strip(), today().isoformat())
        try:
            op(self._project)
        except ConfigError as error:
            self.by.setFocus()
            _show_problem(self.sign_problem, error)
            return
        self.decided.emit(op, tr("sign the validity"))

    def _on_enter(self) -> None:
        by, day = self.by.text().strip(), today().isoformat()
        try:
            op = enter_trigger(self.kind.current, self.words.text().strip(), by, day)
        except ConfigError as error:
            _show_problem(self.trigger_problem, error)
            return
        show_if(self.trigger_problem, False)
        self.words.clear()
        self.decided.emit(op, tr("enter a trigger"))

    def _on_earlier(self) -> None:
        self._want_earlier(is_one=True)

    def _on_no_earlier(self) -> None:
        self._want_earlier(is_one=False)

    def _want_earlier(self, *, is_one: bool) -> None:
        by = self.by.text().strip()
        try:
            check_named(by)
        except ConfigError as error:
            _show_problem(self.trigger_problem, error)
            return
        show_if(self.trigger_problem, False)
        self.earlier_wanted.emit(is_one, by)

    def _say(self, name: str, value: str) -> None:
        kept = getattr(self._project.validity, name)
        text = self.texts[name]
        if value == ("" if kept is None else str(kept)):
            text.show_problem(None)
            return
        try:
            day = today().isoformat()
            op = with_validity(f"{name}={value}", self.by.text().strip(), day)
            op(self._project)
        except ConfigError as error:
            text.show_problem(error)
            return
        text.show_problem(None)
        self.decided.emit(op, tr("say who watches over the determination"))


def _show_problem(shown: Callout, error: ConfigError) -> None:
    words = words_for(error)
    shown.show_words(words.what, "danger", words.fix)
    show_if(shown, True)


def validity_summary(project: Project) -> tuple[str, bool]:
    """Say in a few words until when it holds, and whether a person must decide."""
    choice, end = project.validity, end_of(project)
    if validity_problem(project) is not None:
        return tr("Export is stopped"), True
    if not is_begun(choice):
        return tr("Nothing said yet"), False
    if end is None or not choice.periods:
        return tr("No end decided"), True
    n_open = len(open_items(choice))
    words = tr("until {day}", day=end.day)
    return (tr("{words}, {n} open", words=words, n=n_open) if n_open else words), False
