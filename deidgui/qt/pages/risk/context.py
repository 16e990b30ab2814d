"""The context of a release: questions, and a picture of what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from deidgui.app import ops
from deidgui.app.context_words import (
    ATTACKS,
    FIELDS,
    LEVEL_WORDS,
    RELEASES,
    answer_words,
    result_words,
)
from deidgui.app.deciding_context import with_context
from deidgui.app.determination import (
    AllowedRisk,
    allowed_risks,
    assessment_of,
    is_begun,
    lacking,
    progress_of,
    unsigned,
)
from deidgui.app.entered import LONGEST_TEXT, signature_words, today
from deidgui.app.project import (
    AttackRelevance,
    ContextAnswer,
    ContextChoice,
    Entered,
    Project,
)
from deidgui.engine.determination import (
    CONTROLS,
    INVASION,
    MATRICES,
    MOTIVES,
    Assessment,
    Question,
    threshold_text,
)
from deidgui.errors import ConfigError
from deidgui.qt.charts.texts import chart_font
from deidgui.qt.messages import words_for
from deidgui.qt.theme import tokens
from deidgui.qt.tokens import Tokens
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    ComboBox,
    Label,
    Segmented,
    column,
    field_row,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.text import Text, per_cent, share_text, tr

NOTHING = ""
"""Key of an answer that nobody has given."""


# -- the picture -----------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """Risks of the best policy that was found, and whether it is out of date."""

    average: float
    highest: float
    is_stale: bool


BAR, GAP = 9, 10
"""Least heights in pixels of a bar, and of the gap between parts."""

MOST_STRETCHED = 3.5
"""How much higher they are at most where the page is high."""


class ContextPicture(QWidget):
    """From attacks over the threshold to the risk that the data may have."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Assessment | None = None
        self._measured: Measured | None = None
        self.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding
        )

    def sizeHint(self) -> QSize:
        return QSize(320, 400)

    def minimumSizeHint(self) -> QSize:
        return QSize(260, 340)

    def show_assessment(self, found: Assessment, measured: Measured | None) -> None:
        """Show what follows from a context."""
        self._found, self._measured = found, measured
        self.setAccessibleName(result_words(found) or tr("No limit follows yet."))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._found is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(QRectF())
        once, twice = (self._draw(painter, self._found, e) for e in (1.0, 2.0))
        painter.setClipping(False)
        stretch = 1 + (self.height() - once) / max(twice - once, 1)
        self._draw(painter, self._found, min(MOST_STRETCHED, max(1.0, stretch)))

    def _draw(self, painter: QPainter, found: Assessment, stretch: float) -> float:
        """Draw all with bars and gaps of some height, and return where it ends."""
        pen = _Pen(painter, tokens(), QRectF(self.rect()), stretch)
        _draw_attacks(pen, found)
        _draw_threshold(pen, found)
        _draw_allowed(pen, found, self._measured)
        return pen.y


class _Pen:
    """Draws lines of text and bars below one another."""

    def __init__(
        self, painter: QPainter, look: Tokens, area: QRectF, stretch: float
    ) -> None:
        self.painter, self.look, self.area = painter, look, area
        self.y = area.top()
        self.bar_height, self.gap = BAR * stretch, GAP * stretch
        self.small = chart_font(look)
        self.strong = chart_font(look, look.type.body)
        self.strong.setWeight(QFont.Weight.DemiBold)
        self.large = chart_font(look, look.type.section)
        self.large.setWeight(QFont.Weight.DemiBold)

    def text(
        self, words: str, font: QFont, colour: str, side: Qt.AlignmentFlag
    ) -> float:
        """Write one line at the present height, and return how high it is."""
        self.painter.setFont(font)
        self.painter.setPen(QColor(colour))
        height = float(self.painter.fontMetrics().height())
        rect = QRectF(self.area.left(), self.y, self.area.width(), height)
        words = self.painter.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, int(rect.width())
        )
        self.painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, words)
        return height

    def line(self, words: str, font: QFont, colour: str) -> None:
        """Write one line and go below it."""
        self.y += self.text(words, font, colour, Qt.AlignmentFlag.AlignLeft) + 2

    def heading(self, words: str) -> None:
        """Write the question that a part answers."""
        self.line(words, self.strong, self.look.colours.text)

    def bar(self, share: float | None, colour: str) -> QRectF:
        """Draw a bar of a share; dashed where the share is not known."""
        track = QRectF(self.area.left(), self.y, self.area.width() - 1, self.bar_height)
        self.painter.setPen(Qt.PenStyle.NoPen)
        if share is None:
            pen = QPen(QColor(self.look.colours.field_line), 1, Qt.PenStyle.DashLine)
            self.painter.setPen(pen)
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawRect(track)
        else:
            self.painter.fillRect(track, QColor(self.look.colours.sunken))
            filled = QRectF(track)
            filled.setWidth(max(1.0, track.width() * share))
            self.painter.fillRect(filled, QColor(colour))
        self.y += self.bar_height + self.gap
        return track


def _draw_attacks(pen: _Pen, found: Assessment) -> None:
    """Probability of each attack; the largest decides."""
    colours = pen.look.colours
    pen.heading(tr("1. How likely does somebody try?"))
    if not found.attempts:
        pen.line(tr("Open: how are the data released?"), pen.small, colours.muted)
    for name, share in found.attempts.items():
        is_out = name in found.excluded
        decides = share is not None and share == found.attempt and not is_out
        words = f"{name} {tr(ATTACKS[name])}"
        value = tr("open") if share is None else per_cent(share, 3)
        if is_out:
            value = tr("{value}, excluded", value=value)
        if decides:
            value = tr("{value}, decides", value=value)
        colour = colours.text if decides else colours.muted
        pen.text(value, pen.small, colour, Qt.AlignmentFlag.AlignRight)
        pen.line(words, pen.small, colour)
        shade = pen.look.chart.after if decides else pen.look.chart.before
        pen.bar(share, shade)
    pen.y += pen.gap


def _draw_threshold(pen: _Pen, found: Assessment) -> None:
    """How large the overall risk may be, and where that comes from."""
    colours = pen.look.colours
    pen.heading(tr("2. How large may the overall risk be?"))
    if found.threshold is None:
        words = tr("Open: how far would privacy be invaded?")
        pen.line(words, pen.small, colours.muted)
    else:
        pen.line(threshold_text(found.threshold), pen.large, colours.text)
        words = tr("A threshold of your own, with your reason")
        if found.invasion is not None:
            words = tr(
                "Invasion of privacy: {level}", level=tr(LEVEL_WORDS[found.invasion])
            )
        pen.line(words, pen.small, colours.muted)
    pen.y += pen.gap


def _draw_allowed(pen: _Pen, found: Assessment, measured: Measured | None) -> None:
    """How large the risk in the data may be, and the best policy beside it."""
    colours = pen.look.colours
    pen.heading(tr("3. What risk may the data have?"))
    if found.limit is None:
        words = tr("Nothing follows while answers are open.")
        pen.line(words, pen.small, colours.muted)
        return
    pen.line(threshold_text(found.limit), pen.large, colours.text)
    assert found.threshold is not None
    assert found.attempt is not None, "a limit follows from both"
    words = tr(
        "{threshold} ÷ {attempt}",
        threshold=per_cent(float(found.threshold), 3),
        attempt=per_cent(found.attempt, 3),
    )
    pen.line(words, pen.small, colours.muted)
    words = tr("for each record")
    if found.measure == "average":
        words = tr("on average, and 33 % (1 in 3) for each record")
    pen.line(words, pen.small, colours.muted)
    if measured is None:
        return
    pen.y += pen.gap
    is_average = found.measure == "average"
    share = measured.average if is_average else measured.highest
    is_fine = bool(found.accepts(measured.average, measured.highest))
    overall = found.largest_overall(measured.average, measured.highest) or 0.0
    words = tr(
        "Best policy: {risk}, overall {overall}",
        risk=share_text(share),
        overall=share_text(overall),
    )
    verdict = tr("✓ within") if is_fine else tr("✗ above")
    tone = colours.success if is_fine else colours.danger
    if measured.is_stale:
        verdict, tone = tr("out of date"), colours.warning
    pen.text(verdict, pen.small, tone, Qt.AlignmentFlag.AlignRight)
    pen.line(words, pen.small, colours.muted)
    widest = max(found.limit, share) * 1.15
    shade = pen.look.chart.safe if is_fine else pen.look.chart.at_risk
    track = pen.bar(
        share / widest, pen.look.chart.before if measured.is_stale else shade
    )
    at = track.left() + track.width() * found.limit / widest
    pen.painter.setPen(QPen(QColor(colours.text), 2))
    # Not above the bar: there stands the verdict.
    pen.painter.drawLine(int(at), int(track.top()), int(at), int(track.bottom()) + 4)
    pen.y -= pen.gap - 3
    pen.line(tr("The line is what is allowed."), pen.small, colours.muted)


# -- the questions ---------------------------------------------------------------------

_RELEASE: Text = "Release"
_FIGURES: Text = "Figures"
_JUDGED: Text = "Attacks"
_CONTROLS: Text = "Controls"
_MOTIVES: Text = "Motives"
_PRIVACY: Text = "Privacy"
TABS: dict[str, tuple[Text, tuple[Question, ...]]] = {
    "release": (_RELEASE, ()),
    "figures": (_FIGURES, ()),
    "attacks": (_JUDGED, ()),
    "controls": (_CONTROLS, CONTROLS),
    "motives": (_MOTIVES, MOTIVES),
    "privacy": (_PRIVACY, INVASION),
}

_NAMES: Text = "names; nobody for the public"
_WHY: Text = "which analyses, and for what"
_REFERENCE: Text = "by which the agreement is found"
_PARTIES: Text = "who has signed"
_DAY: Text = "2026-11-23"
_PARTIES_LABEL: Text = "Parties"
_BEGINS: Text = "Begins"
_ENDS: Text = "Ends"
_SHARE: Text = "a share, as 0.002"
_OF_WHOM: Text = "state, ages; source"
_OF_LABEL: Text = "Prevalence among whom, and source"
_HOW_MANY: Text = "150 to 190 in the literature"
_RATE: Text = "a share a year; 0.27 is used, and old"
_RATE_LABEL: Text = "Breach rate of the sector, a year"
_RATE_SOURCE: Text = "Source of the rate"
_SOURCE: Text = "publication"
_YEAR_LABEL: Text = "Year of the rate"
_YEAR: Text = "2024"
_OWN: Text = "1/11, 0.05; empty: by invasion of privacy"
_OWN_LABEL: Text = "Threshold of your own"
_REASON: Text = "precedent or rule"
_REASON_LABEL: Text = "Reason for this threshold"

TEXTS: dict[str, tuple[tuple[str, Text, Text], ...]] = {
    "release": (
        ("recipient", FIELDS["recipient"], _NAMES),
        ("purpose", FIELDS["purpose"], _WHY),
        ("agreement.reference", FIELDS["agreement"], _REFERENCE),
        ("agreement.parties", _PARTIES_LABEL, _PARTIES),
        ("agreement.begins", _BEGINS, _DAY),
        ("agreement.ends", _ENDS, _DAY),
    ),
    "figures": (
        ("prevalence", FIELDS["prevalence"], _SHARE),
        ("prevalence_of", _OF_LABEL, _OF_WHOM),
        ("acquaintances", FIELDS["acquaintances"], _HOW_MANY),
        ("breach_rate", _RATE_LABEL, _RATE),
        ("breach_source", _RATE_SOURCE, _SOURCE),
        ("breach_year", _YEAR_LABEL, _YEAR),
        ("threshold", _OWN_LABEL, _OWN),
        ("threshold_because", _REASON_LABEL, _REASON),
    ),
}
"""Typed texts by tab: name as of `with_context`, label, and an example."""


def stored_text(choice: ContextChoice, name: str) -> str:
    """Return a typed text as it is kept."""
    part: object = choice
    for step in name.split("."):
        part = getattr(part, step)
    return "" if part is None else f"{part:g}" if isinstance(part, float) else str(part)


_COUNTS: Text = "Relevant"
_EXCLUDED: Text = "Excluded"
RELEVANCE: dict[str, Text] = {"relevant": _COUNTS, "excluded": _EXCLUDED}


class AnswerRow(QWidget):
    """One question, its answer, and what proves it.

    Parameters
    ----------
    options : list of (str, str)
        Answers with their words.
    example : str
        What is typed beside the answer.

    Attributes
    ----------
    answered : Signal of str
        The answer; empty takes it back.
    proved : Signal of str
    """

    answered = Signal(str)
    proved = Signal(str)

    def __init__(
        self,
        key: str,
        words: str,
        options: list[tuple[str, str]],
        example: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.choice = ComboBox(options, words)
        self.choice.setFixedWidth(150)
        self.proof = QLineEdit()
        self.proof.setMaxLength(LONGEST_TEXT)
        self.proof.setPlaceholderText(example)
        self.proof.setAccessibleName(tr("Proof of {question}", question=key))
        self._said = Caption()
        top = row(Label(words, wrap=True), self.choice, spacing=12)
        top.setStretch(0, 1)
        self._below = holder(row((self.proof, 1), self._said))
        box = column(top, self._below, spacing=4)
        box.setContentsMargins(0, 4, 8, 6)
        self.setLayout(box)
        self.choice.activated.connect(self._on_chosen)
        self.proof.editingFinished.connect(self._on_proved)

    @classmethod
    def of(cls, question: Question) -> AnswerRow:
        """Make the row of a question about the context."""
        words = f"{question.key}. {tr(question.text)}"
        if question.is_essential:
            words = tr("{question} (essential)", question=words)
        options = [
            (NOTHING, "–"),
            *((each, answer_words(question.key, each)) for each in question.answers),
        ]
        return cls(question.key, words, options, tr("Proof, or why it does not apply"))

    def show_answer(
        self, answer: str, proof: str = "", entered: Entered | None = None
    ) -> None:
        """Show what was answered; with an answer also by whom and when."""
        self.choice.set_current(answer)
        show_if(self._below, answer != NOTHING)
        if self.proof.text() != proof:
            self.proof.setText(proof)
        if entered is not None:
            self._said.setText(signature_words(entered.by, entered.on))

    def _on_chosen(self) -> None:
        self.answered.emit(self.choice.current)

    def _on_proved(self) -> None:
        self.proved.emit(self.proof.text().strip())


class TextRow(QWidget):
    """A typed text with its label, and why it is refused."""

    typed = Signal(str)

    def __init__(self, label: str, example: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST_TEXT)
        self.field.setPlaceholderText(example)
        self._box = column(field_row(label, self.field, wrap=True), spacing=4)
        self.setLayout(self._box)
        self.field.editingFinished.connect(self._on_typed)

    # PERF: a part of a dossier has dozens of rows, of which few say more.

    @cached_property
    def signed(self) -> Caption:
        """By whom and when it was entered."""
        made = Caption()
        self._box.insertWidget(1, made)
        show_if(made, False)
        return made

    @cached_property
    def problem(self) -> Callout:
        """Why the text is refused."""
        made = Callout()
        self._box.addWidget(made)
        show_if(made, False)
        return made

    @property
    def _is_refused(self) -> bool:
        return "problem" in self.__dict__ and not self.problem.isHidden()

    def show_text(self, text: str, entered: Entered | None = None) -> None:
        """Show what is kept, unless something that is refused stands there.

        Parameters
        ----------
        entered : Entered, optional
            By whom and when: it stands with the text, also if it is nobody.
        """
        if not self._is_refused and self.field.text() != text:
            self.field.setText(text)
        if text or "signed" in self.__dict__:
            by = entered or Entered()
            self.signed.setText(signature_words(by.by, by.on))
            show_if(self.signed, bool(text))

    def show_problem(self, error: ConfigError | None) -> None:
        """Say why the text is refused; None if it is not."""
        if error is not None:
            words = words_for(error)
            self.problem.show_words(words.what, "danger", words.fix)
        if error is not None or self._is_refused:
            show_if(self.problem, error is not None)

    def try_again(self) -> None:
        """Give the text once more if it was refused: what stood against it is gone."""
        if self._is_refused:
            self._on_typed()

    def _on_typed(self) -> None:
        self.typed.emit(self.field.text().strip())


class ContextPart(QWidget):
    """Questions about the context, and beside them what follows from the answers.

    Attributes
    ----------
    decided : Signal of (Op, str)
        A decision, and what it is called in the menu.
    """

    decided = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = Project()
        self.rows: dict[str, AnswerRow] = {}
        self.attacks: dict[str, AnswerRow] = {}
        self.texts: dict[str, TextRow] = {}
        self.result = Callout()
        self.result.acted.connect(self._on_taken)
        self.picture = ContextPicture()
        shown = Card(tr("What the context allows"), margin=12)
        shown.add(self.result)
        shown.add(self.picture, 1)
        titles = [(key, tr(title)) for key, (title, _) in TABS.items()]
        self.tabs = Segmented(titles, name=tr("Parts of the context"))
        self.tabs.chosen.connect(self.show_tab)
        self._progress = Caption()
        self._by = QLineEdit()
        self._by.setPlaceholderText(tr("name and function"))
        self._by.setAccessibleName(tr("Who answers the questions"))
        self._stack = QStackedWidget()
        self._pages: dict[str, QWidget] = {}
        asked = Card(tr("Context"), margin=12)
        asked.head_actions.addWidget(self._progress)
        self.sign = Button(tr("Sign what is open"), clicked=self._on_signed)
        self.sign.setToolTip(
            tr("Put this name to everything here that nobody has signed.")
        )
        who = row(Label(tr("Who answers")), (self._by, 1), self.sign)
        for each in (self.tabs, holder(who)):
            asked.add(each)
        asked.add(self._stack, 1)
        box = row(shown, asked, spacing=12)
        box.setStretch(0, 5)
        box.setStretch(1, 6)
        self.setLayout(box)

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project, measured: Measured | None) -> None:
        """Show what is said, and what follows."""
        self._project = project
        found, progress = assessment_of(project), progress_of(project)
        self.picture.show_assessment(found, measured)
        words = tr(
            "{said} of {asked:answer|answers}",
            said=progress.n_said,
            asked=progress.n_asked,
        )
        if left := len(unsigned(project.context)):
            words = tr("{words}, {n} not signed", words=words, n=left)
        self._progress.setText(words)
        show_if(self.sign, left > 0)
        self._show_result(found, len(progress.open))
        if not self._pages and self.isVisible():
            self.show_tab(self.tabs.current)
        self._show_said()
        self._propose_name()

    def _propose_name(self) -> None:
        """Fill in who answered last; a person can write another name."""
        context = self._project.context
        parts = (context.answers, context.attacks, context.signed)
        names = [each.by for part in parts for each in part.values() if each.by]
        names.append(self._project.privacy.threshold.set_by)
        if not self._by.text() and not self._by.hasFocus():
            self._by.setText(next(reversed(names[:-1]), names[-1]))

    def _show_result(self, found: Assessment, n_open: int) -> None:
        project = self._project
        unbound = found.release != project.context.release
        if not is_begun(project.context):
            words = tr("Nothing is said yet. Who receives the data?")
            self.result.show_words(words, "info")
        elif not allowed_risks(project):
            words = tr("{n:answer is|answers are} open: no limit follows.", n=n_open)
            detail = tr("Without an agreement it counts as semi-public.")
            self.result.show_words(words, "warning", detail if unbound else "")
        elif left := lacking(project):
            words = ", ".join(map(_allowed_text, left))
            words = tr("Allowed: {risks}", risks=words)
            detail = tr("No threshold asks for it yet. A release above it is stopped.")
            action = tr("Set these thresholds")
            self.result.show_words(words, "warning", detail, action)
        else:
            words = tr("The thresholds ask for what the context allows, or for more.")
            self.result.show_words(words, "success")

    def _show_said(self) -> None:
        choice = self._project.context
        for key, each in self.rows.items():
            answer = choice.answers.get(key)
            if answer is None:
                each.show_answer(NOTHING)
            else:
                each.show_answer(answer.answer, answer.proof, answer)
        self._show_attacks()
        for name, field in self.texts.items():
            field.show_text(stored_text(choice, name), choice.signed.get(name))
        if self._pages.get("release"):
            self.release.set_current(choice.release or NOTHING)
        if self._pages.get("figures"):
            self.matrix.set_current(choice.matrix or NOTHING)

    def _show_attacks(self) -> None:
        applying = assessment_of(self._project).attempts
        for name, each in self.attacks.items():
            show_if(each, name in applying)
            judged = self._project.context.attacks.get(name)
            if judged is None:
                each.show_answer(NOTHING)
            else:
                said = "relevant" if judged.relevant else "excluded"
                each.show_answer(said, judged.because, judged)
        if self.attacks:
            show_if(self._no_attacks, not applying)

    def show_tab(self, key: str) -> None:
        """Show one part of the questions."""
        self.tabs.set_current(key)
        if key not in self._pages:
            # PERF: forty rows of fields are made when somebody looks at them.
            self._pages[key] = scrolling(self._page(key))
            self._stack.addWidget(self._pages[key])
        self._stack.setCurrentWidget(self._pages[key])
        self._show_said()

    def _page(self, key: str) -> QWidget:
        _title, questions = TABS[key]
        parts: list[QWidget] = []
        if key == "release":
            options = [(name, tr(words)) for name, words in RELEASES.items()]
            self.release = ComboBox([(NOTHING, "–"), *options])
            self.release.activated.connect(self._on_release)
            parts.append(field_row(tr(FIELDS["release"]), self.release))
        if key == "figures":
            options = [(name, tr(each.title)) for name, each in MATRICES.items()]
            self.matrix = ComboBox([(NOTHING, "–"), *options])
            self.matrix.activated.connect(self._on_matrix)
            parts.append(field_row(tr(FIELDS["matrix"]), self.matrix))
        for name, label, example in TEXTS.get(key, ()):
            text = self.texts[name] = TextRow(tr(label), tr(example))
            text.typed.connect(partial(self._say, name))
            parts.append(text)
        for question in questions:
            each = self.rows[question.key] = AnswerRow.of(question)
            each.answered.connect(partial(self._on_answered, question.key))
            each.proved.connect(partial(self._on_proved, question.key))
            parts.append(each)
        if key == "attacks":
            parts += self._attack_rows()
        return holder(column(*parts, None, spacing=10))

    def _attack_rows(self) -> list[QWidget]:
        self._no_attacks = Caption(tr("Say first how the data are released."))
        options = [(each, tr(words)) for each, words in RELEVANCE.items()]
        for name, title in ATTACKS.items():
            words = f"{name} {tr(title)}"
            example = tr("Why; an attack is excluded only with a reason")
            each = self.attacks[name] = AnswerRow(
                name, words, [(NOTHING, "–"), *options], example
            )
            each.answered.connect(partial(self._on_judged, name))
            each.proved.connect(partial(self._on_reasoned, name))
        note = Caption(
            tr(
                "An excluded attack does not count for the probability that somebody "
                "tries; its figures are shown all the same. One attack must remain."
            )
        )
        return [note, self._no_attacks, *self.attacks.values()]

    # -- deciding ------------------------------------------------------------------

    def _on_release(self) -> None:
        self._say("release", self.release.current)

    def _on_matrix(self) -> None:
        self._say("matrix", self.matrix.current)

    def _say(self, name: str, value: str) -> None:
        """Keep what was typed or chosen; say why, if that cannot be."""
        row_of = self.texts.get(name)
        if value == stored_text(self._project.context, name):
            if row_of is not None:
                row_of.show_problem(None)
            return
        try:
            op = with_context(f"{name}={value}", *self._signed())
            op(self._project)
        except ConfigError as error:
            if row_of is not None:
                row_of.show_problem(error)
            return
        if row_of is not None:
            row_of.show_problem(None)
        self.decided.emit(op, tr("describe the context"))

    def _on_answered(self, key: str, answer: str) -> None:
        known = self._project.context.answers.get(key)
        given = None
        if answer:
            proof = known.proof if known else ""
            given = self._answer(answer, proof)
        label = tr("answer {question}", question=key)
        self.decided.emit(ops.answer_context(key, given), label)

    def _on_proved(self, key: str, proof: str) -> None:
        known = self._project.context.answers.get(key)
        if known is not None and known.proof != proof:
            given = self._answer(known.answer, proof)
            label = tr("prove {question}", question=key)
            self.decided.emit(ops.answer_context(key, given), label)

    def _answer(self, answer: str, proof: str) -> ContextAnswer:
        by, on = self._signed()
        return ContextAnswer(answer=answer, proof=proof, by=by, on=on)

    def _signed(self) -> tuple[str, str]:
        """Who says something, and the day."""
        return self._by.text().strip(), today().isoformat()

    def _on_signed(self) -> None:
        """Sign what nobody has signed: a person stands for what others left open."""
        op = ops.sign_context(*self._signed())
        try:
            op(self._project)
        except ConfigError as error:
            self._by.setFocus()
            self.result.show_words(words_for(error).what, "danger")
            return
        self.decided.emit(op, tr("sign the context"))

    def _on_judged(self, name: str, said: str) -> None:
        known = self._project.context.attacks.get(name)
        self._judge(name, said, known.because if known else "")

    def _on_reasoned(self, name: str, because: str) -> None:
        known = self._project.context.attacks.get(name)
        if known is not None and known.because != because:
            self._judge(name, "relevant" if known.relevant else "excluded", because)

    def _judge(self, name: str, said: str, because: str) -> None:
        judged = None
        if said:
            by, on = self._signed()
            judged = AttackRelevance(
                relevant=said == "relevant", because=because, by=by, on=on
            )
        label = tr("judge attack {name}", name=name)
        self.decided.emit(ops.judge_attack(name, judged), label)

    def _on_taken(self) -> None:
        self.decided.emit(ops.take_allowed(), tr("set thresholds of the context"))


def _allowed_text(risk: AllowedRisk) -> str:
    limit = threshold_text(risk.limit)
    if risk.measure == "average":
        return tr("average risk {limit}", limit=limit)
    return tr("highest risk {limit}", limit=limit)


def context_summary(project: Project) -> str:
    """Say in a few words what is said about the context."""
    if not is_begun(project.context):
        return tr("Nothing said yet")
    found, progress = assessment_of(project), progress_of(project)
    parts = [tr(RELEASES[found.release])] if found.release else []
    if found.limit is None:
        parts.append(tr("{n} open", n=len(progress.open)))
    else:
        parts.append(tr("risk in the data {limit}", limit=threshold_text(found.limit)))
    return ", ".join(parts)
