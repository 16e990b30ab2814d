"""What keeps a release from being written, and the reasons that a person types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.fixes import PLACE_OF, go_words
from deidgui.qt.tab_order import go_to
from deidgui.qt.widgets import (
    Button,
    Card,
    Collapsible,
    GlyphLabel,
    Label,
    column,
    refilled,
    row,
    show_if,
)
from deidgui.text import Text, first_sentence, tr


class OpenCard(Card):
    """Decisions that are missing, each with a link to where it is made.

    Attributes
    ----------
    place_wanted : Signal of str
        A step, or a place of one.
    """

    place_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Still open"), parent=parent)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(8)
        self.body.addLayout(self._rows)
        self.links: dict[str, Button] = {}
        self._shown: list[tuple[str, str, str]] = []

    def show_problems(
        self, problems: Sequence[DeidError], reasons: Mapping[str, str] | None = None
    ) -> None:
        """Show what is missing, problems of one kind on one line.

        Parameters
        ----------
        reasons : mapping of str to str, optional
            By place, what a person has still to give a reason for.
        """
        by_code: dict[str, list[DeidError]] = {}
        for each in problems:
            by_code.setdefault(each.code, []).append(each)
        shown = [
            (code, PLACE_OF.get(code, ""), _said(every))
            for code, every in by_code.items()
        ]
        shown += [(place, place, words) for place, words in (reasons or {}).items()]
        show_if(self, bool(shown))
        if shown == self._shown:
            return
        self._shown, self.links = shown, {}
        with refilled(self._rows):
            for each_shown in shown:
                self._rows.addLayout(self._row(*each_shown))

    def _row(self, code: str, place: str, words: str) -> QVBoxLayout:
        link = Button(go_words(place) if place else "", small=True)
        link.setProperty("place", place)
        link.clicked.connect(self._on_clicked)
        show_if(link, bool(place))
        self.links[code] = link
        line = row(GlyphLabel("help", "warning"), Label(words, wrap=True), link)
        line.setStretch(1, 1)
        return column(line)

    def _on_clicked(self) -> None:
        self.place_wanted.emit(str(self.sender().property("place")))


def _columns(problems: Sequence[DeidError]) -> tuple[str, ...]:
    return tuple(str(each.params.get("attribute", "")) for each in problems)


def _said(problems: list[DeidError]) -> str:
    """What is missing; of several columns their names."""
    first, n = problems[0], len(problems)
    names = ", ".join(_columns(problems))
    if n > 1 and first.code == "role_unconfirmed":
        words: Text = "{n:column|columns} with an unconfirmed role: {names}"
        return tr(words, n=n, names=names)
    if n > 1 and first.code == "role_missing":
        return tr("{n:column|columns} without a role: {names}", n=n, names=names)
    return "\n".join(words_for(each).what for each in problems)


@dataclass(frozen=True)
class AskedCondition:
    """A question to a person, with the reason if one was given.

    Parameters
    ----------
    key : str
        Unique among those that are shown.
    words : str
        What was found.
    because : str
        Empty while it is open.
    note : str
        Why an earlier reason does not count any more; empty if there was none.
    kind : str
        One reason is offered only for questions of the same kind.
    name : str
        What the question is about, in a word.
    signed : str
        Who gave the reason, and when.
    """

    key: str
    words: str
    because: str = ""
    note: str = ""
    kind: str = ""
    name: str = ""
    signed: str = ""


FEW = 3
"""So many open questions of one kind are all shown; of more, the others are folded."""

HEAD_GAP = 8
"""Pixels above a question that is led to."""

TURNS = 4
"""Of the event loop, until a page is laid out whose wrapped texts have changed."""


class ReasonsCard(Card):
    """Questions that a person answers by typing a reason.

    Parameters
    ----------
    title, lead, verb : str
        Of the card; a sentence under the title; what the button of a row says.
    are_many : bool
        Whether one reason can be given to all of a kind that are open (offered below
        the first of them; the last reason below the next open question). Further
        ones of a kind, and those that are answered, stand folded below them.

    Attributes
    ----------
    answered : Signal of (str, str)
        Key and reason.
    all_answered : Signal of (list of str, str)
        Keys of those that are named beside the button, and the one reason for them.
    taken_back : Signal of str
    """

    answered = Signal(str, str)
    all_answered = Signal(object, str)
    taken_back = Signal(str)

    def __init__(
        self,
        title: str,
        lead: str,
        verb: str,
        *,
        are_many: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent=parent)
        self.add(Label(lead, wrap=True))
        self._verb, self._are_many, self._last = verb, are_many, ""
        self._kind, self._at = "", ""
        self._offered: tuple[AskedCondition, ...] = ()
        self.all_words = Label("", wrap=True)
        self.all_button = Button("", clicked=self._on_all, small=True)
        self._offer_part = QWidget(self)
        self._offer_part.setLayout(
            column(self.all_words, row(self.all_button, None), spacing=6)
        )
        show_if(self._offer_part, False)
        self._row_with_offer: QLayout | None = None
        self._rows = QVBoxLayout()
        self._rows.setSpacing(12)
        self.body.addLayout(self._rows)
        self.answered_part = Collapsible("")
        self._answered_rows = QVBoxLayout()
        self._answered_rows.setSpacing(12)
        self.answered_part.body.addLayout(self._answered_rows)
        self.add(self.answered_part)
        self._asked: tuple[AskedCondition, ...] = ()
        self.fields: dict[str, QLineEdit] = {}
        self.heads: dict[str, Label] = {}
        self.buttons: dict[str, Button] = {}
        self.together: dict[str, Button] = {}
        self.folds: dict[str, Collapsible] = {}
        self._opened: set[str] = set()
        # Where a field will be is known when its row, and all above, is laid out.
        self._turns_left = 0
        self._arriving = QTimer(self)
        self._arriving.setSingleShot(True)
        self._arriving.setInterval(0)
        self._arriving.timeout.connect(self._arrive)

    def show_asked(self, asked: Sequence[AskedCondition]) -> None:
        """Show the questions; one that stays keeps what is being typed."""
        show_if(self, bool(asked))
        self._offer(asked)
        if tuple(asked) != self._asked:
            self._refill(tuple(asked))
        is_offered = self._are_many and bool(self._last and self._offered)
        for each in (self._offer_part, self.all_words, self.all_button):
            show_if(each, is_offered)

    def _refill(self, asked: tuple[AskedCondition, ...]) -> None:
        typed = {key: field.text() for key, field in self.fields.items()}
        focused = self.focusWidget()
        had_focus = focused is not None and focused.hasFocus()
        self._asked = asked
        self.fields, self.buttons, self.together = {}, {}, {}
        self.folds, self.heads = {}, {}
        self._take_offer_out()
        following = self._following()
        with refilled(self._rows), refilled(self._answered_rows):
            for first, others in self._groups(following):
                is_answered = self._are_many and bool(first.because)
                rows = self._answered_rows if is_answered else self._rows
                made = self._add_row(rows, first, typed)
                if others:
                    self._offer_together(first, made)
                if len(others) >= FEW:
                    fold = self._fold(first.kind, len(others))
                    rows.addWidget(fold)
                    rows = fold.body
                for each in others:
                    self._add_row(rows, each, typed)
        n_folded = self._answered_rows.count()
        self.answered_part.set_title(
            tr("{n:question|questions} answered with a reason", n=n_folded)
        )
        show_if(self.answered_part, n_folded > 0)
        if had_focus and following:
            # Who answers one question after the other types on, and sees where.
            self.fields[following].setFocus()
            self._keep_arriving()

    def _groups(
        self, following: str
    ) -> Iterator[tuple[AskedCondition, list[AskedCondition]]]:
        """Questions in their order, each with the other open ones of its kind.

        Of many, the one that comes next is the one that is not folded.
        """
        seen: set[str] = set()
        for each in self._asked:
            if each.because or not self._are_many:
                yield each, []
            elif each.kind not in seen:
                seen.add(each.kind)
                alike, first = self._open_alike(each.kind), each
                if len(alike) > FEW:
                    first = next((e for e in alike if e.key == following), each)
                yield first, [e for e in alike if e is not first]

    def _add_row(
        self, rows: QVBoxLayout, asked: AskedCondition, typed: Mapping[str, str]
    ) -> QVBoxLayout:
        made = self._row(asked, typed.get(asked.key, ""))
        rows.addLayout(made)
        if asked.key == self._following():
            # Where the eyes are, not at the top of dozens of questions.
            made.addWidget(self._offer_part)
            self._row_with_offer = made
        return made

    def _fold(self, kind: str, n_others: int) -> Collapsible:
        """Make what shows or hides questions like the one above it."""
        words = tr("{n:more question|more questions} of the same kind", n=n_others)
        fold = self.folds[kind] = Collapsible(words, kind in self._opened)
        fold.body.setSpacing(12)
        fold.setProperty("kind", kind)
        fold.toggled.connect(self._on_fold_toggled)
        return fold

    def _on_fold_toggled(self, is_open: bool) -> None:
        kind = str(self.sender().property("kind"))
        (self._opened.add if is_open else self._opened.discard)(kind)

    def _arrive(self) -> None:
        """Scroll to the question that is answered next."""
        field = self.fields.get(self._following())
        if field is not None and field.hasFocus():
            self._go_to(self._following())
            self._turns_left -= 1
            if self._turns_left > 0:
                self._arriving.start()

    def begin(self) -> None:
        """Lead to the question that is answered next."""
        if following := self._following():
            self._go_to(following)
            self._keep_arriving()

    def _keep_arriving(self) -> None:
        self._turns_left = TURNS
        self._arriving.start()

    def _go_to(self, key: str) -> None:
        """Go to the field of a question, and show what is asked above it."""
        field, head = self.fields[key], self.heads[key]
        go_to(field, forward=True)
        place = self.parentWidget()
        while place is not None:
            if isinstance(place, QScrollArea):
                view, bar = place.viewport(), place.verticalScrollBar()
                top = head.mapTo(view, QPoint(0, 0)).y()
                room = view.height() - field.mapTo(view, QPoint(0, field.height())).y()
                bar.setValue(bar.value() - max(0, min(HEAD_GAP - top, room)))
            place = place.parentWidget()

    def _following(self) -> str:
        """Key of the open question that comes next; empty if none is open."""
        keys = [each.key for each in self._asked]
        at = keys.index(self._at) if self._at in keys else 0
        in_turn = (*self._asked[at:], *self._asked[:at])
        return next((each.key for each in in_turn if not each.because), "")

    def _take_offer_out(self) -> None:
        """Take the offer out of its row, which is about to be deleted."""
        if self._row_with_offer is not None:
            self._row_with_offer.removeWidget(self._offer_part)
            self._row_with_offer = None

    def _offer(self, asked: Sequence[AskedCondition]) -> None:
        """Offer the last reason for what is like the question that it was given to.

        PRIVACY: a reason is offered only while a question that is shown has it, so
        that none of another project is taken over.
        """
        alike = [each for each in asked if each.kind == self._kind]
        if not self._last or all(each.because != self._last for each in alike):
            self._last, alike = "", []
        self._offered = tuple(each for each in alike if not each.because)
        names = ", ".join(each.name or each.key for each in self._offered)
        self.all_words.setText(
            tr(
                "Last reason: “{reason}”. Still open, of the same kind: {names}.",
                reason=self._last,
                names=names,
            )
        )
        self.all_button.setText(
            tr(
                "Give this reason to {n:open question|open questions}",
                n=len(self._offered),
            )
        )

    def _offer_together(self, asked: AskedCondition, made: QVBoxLayout) -> None:
        """Offer below the first question of a kind what is typed there for all."""
        alike = self._open_alike(asked.kind)
        if self._last and asked.kind == self._kind:
            return
        names = ", ".join(each.name or each.key for each in alike)
        words = tr("Open questions of the same kind: {names}.", names=names)
        button = Button(
            tr("Give this reason to all {n}", n=len(alike)),
            clicked=self._on_together,
            small=True,
        )
        button.setProperty("key", asked.key)
        button.setEnabled(bool(self.fields[asked.key].text().strip()))
        self.together[asked.key] = button
        made.addWidget(Label(words, wrap=True))
        made.addLayout(row(button, None))

    def _open_alike(self, kind: str) -> list[AskedCondition]:
        return [e for e in self._asked if e.kind == kind and not e.because]

    def _row(self, asked: AskedCondition, typed: str) -> QVBoxLayout:
        is_open = not asked.because
        tone = "danger" if is_open else "success"
        glyph = GlyphLabel("danger" if is_open else "check-circle", tone)
        title, rest = first_sentence(asked.words)
        words = Label(title, "strong" if is_open else "", wrap=True)
        self.heads[asked.key] = words
        more = Label(rest, wrap=True)
        show_if(more, bool(rest))
        head = row(glyph, column(words, more, spacing=2))
        head.setStretch(1, 1)
        rows: list[QLayout | QWidget] = [head]
        if asked.note:
            rows.append(Label(asked.note, "caption", "muted", wrap=True))
        field = QLineEdit(asked.because or typed)
        field.setAccessibleName(tr("Reason: {words}", words=asked.words))
        field.setPlaceholderText(tr("Why this may be released"))
        field.setProperty("key", asked.key)
        field.setReadOnly(not is_open)
        field.textChanged.connect(self._on_typed)
        field.returnPressed.connect(self._on_return)
        button = Button(
            self._verb if is_open else tr("Take back"),
            clicked=self._on_answered if is_open else self._on_taken_back,
            small=True,
        )
        button.setProperty("key", asked.key)
        button.setEnabled(not is_open or bool(field.text().strip()))
        self.fields[asked.key], self.buttons[asked.key] = field, button
        line = row(field, button, spacing=8)
        line.setStretch(0, 1)
        rows.append(line)
        if asked.signed:
            rows.append(Label(asked.signed, "caption", "muted", wrap=True))
        return column(*rows, spacing=6)

    def _on_typed(self, text: str) -> None:
        key = str(self.sender().property("key"))
        self.buttons[key].setEnabled(bool(text.strip()))
        if key in self.together:
            self.together[key].setEnabled(bool(text.strip()))

    def _on_return(self) -> None:
        field = self.sender()
        assert isinstance(field, QLineEdit)
        if not field.isReadOnly() and field.text().strip():
            self._answer(str(field.property("key")))

    def _on_answered(self) -> None:
        self._answer(str(self.sender().property("key")))

    def _answer(self, key: str) -> None:
        self._note_reason(key)
        self.answered.emit(key, self._last)

    def _note_reason(self, key: str) -> None:
        self._at = key
        self._last = self.fields[key].text().strip()
        self._kind = next(each.kind for each in self._asked if each.key == key)

    def _on_together(self) -> None:
        self._note_reason(str(self.sender().property("key")))
        keys = [each.key for each in self._open_alike(self._kind)]
        self.all_answered.emit(keys, self._last)

    def _on_all(self) -> None:
        self.all_answered.emit([each.key for each in self._offered], self._last)

    def _on_taken_back(self) -> None:
        self._at = str(self.sender().property("key"))
        self.taken_back.emit(self._at)
