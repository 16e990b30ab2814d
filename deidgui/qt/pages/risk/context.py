"""The context of a release: questions, and a picture of what follows from them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from deidgui.app import ops
from deidgui.app.deciding.context import with_context
from deidgui.app.determination.context_words import (
    ATTACKS,
    FIELDS,
    LEVEL_WORDS,
    RELEASES,
    answer_words,
    result_words,
)
from deidgui.app.determination.determination import (
    allowed_risks,
    assessment_of,
    is_begun,
    lacking,
    other_recipient_words,
    progress_of,
    unsigned,
)
from deidgui.app.determination.recipients import BY_KIND
from deidgui.app.determination.validity import proposal
from deidgui.app.entered import signature_words, today
from deidgui.app.project import ContextAnswer, ContextChoice, Project
from deidgui.engine.determination import (
    CAP,
    CONTROLS,
    INVASION,
    MATRICES,
    MOTIVES,
    Allowed,
    Assessment,
    ContextQuestion,
    least_group,
    not_needed,
    threshold_text,
)
from deidgui.engine.evidence.entered import LONGEST_TEXT, AttackRelevance, Entered
from deidgui.errors import ConfigError
from deidgui.qt.charts.texts import chart_font
from deidgui.qt.messages import words_for
from deidgui.qt.pages.signing import NameField
from deidgui.qt.theme import tokens
from deidgui.qt.tokens import Tokens
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    ComboBox,
    IconButton,
    Label,
    Segmented,
    ShownStack,
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
class BestPolicyRisks:
    """Risks of the best policy that was found, and whether it is out of date."""

    average: float
    highest: float
    is_stale: bool
    highest_is_exact: bool = True


BAR, GAP = 9, 10
"""Least heights in pixels of a bar, and of the gap between parts."""

NARROWEST, EASY = 224, 266
"""Least width in pixels, and the width for which the least height is enough."""

SMALLEST, LARGEST, STEP = 0.8, 1.6, 0.1
"""Size of texts and bars beside that on other pages: least, most, and its step."""

WIDEST_GAP = 48
"""Pixels between parts at most."""

GUTTER = 32
"""Pixels between the two columns of the picture where it stands alone."""

MOST_ALIKE = 30
"""People who look alike are drawn one by one up to so many."""


class ContextPicture(QWidget):
    """From attacks over the threshold to the risk that the data may have."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_alone = False
        self._found: Assessment | None = None
        self._measured: BestPolicyRisks | None = None
        self.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding
        )

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        # Of one width, not of the present one: a scroll bar must not change it.
        scale = SMALLEST if self._is_alone else 1.0
        height = math.ceil(max(each.y for each in self._measure(EASY, scale)))
        width = 2 * NARROWEST + GUTTER if self._is_alone else NARROWEST
        return QSize(width, height)

    @property
    def is_cut(self) -> bool:
        """Whether even with the smallest texts something has no room."""
        width = self._areas()[0].width()
        return any(each.y > self.height() for each in self._measure(width, SMALLEST))

    def stand_alone(self, is_alone: bool) -> None:
        """Draw in two columns, where nothing stands beside it, or below one another."""
        self._is_alone = is_alone
        self.updateGeometry()
        self.update()

    def show_assessment(
        self, found: Assessment, measured: BestPolicyRisks | None
    ) -> None:
        """Show what follows from a context."""
        self._found, self._measured = found, measured
        self.setAccessibleName(result_words(found) or tr("No limit follows yet."))
        said = [line for each in self._measure(EASY, 1.0) for line in each.said]
        self.setAccessibleDescription("\n".join(said))
        self.updateGeometry()
        self.update()

    def _measure(self, width: float, scale: float) -> list[_Pen]:
        """Return how high each column is with texts of some size, and what it says."""
        areas = [QRectF(0, 0, width, 0)] * (2 if self._is_alone else 1)
        pens = [_Pen(None, tokens(), area, scale) for area in areas]
        self._draw(pens)
        return pens

    def paintEvent(self, _event: QPaintEvent) -> None:
        areas = self._areas()
        width, height = areas[0].width(), self.height()
        scale = min(LARGEST, max(1.0, width / EASY))
        if self._found is None or not result_words(self._found):
            scale = 1.0  # nothing is answered: no figure to be read from afar
        used = self._measure(width, scale)
        while scale > SMALLEST and any(each.y > height for each in used):
            scale -= STEP
            used = self._measure(width, scale)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pens = [_Pen(painter, tokens(), area, scale) for area in areas]
        for pen, each in zip(pens, used, strict=True):
            wider = (height - each.y) / max(each.n_gaps, 1)
            pen.gap = min(WIDEST_GAP * scale, pen.gap + max(0.0, wider))
        self._draw(pens)

    def _areas(self) -> list[QRectF]:
        """Where the columns are."""
        if not self._is_alone:
            return [QRectF(self.rect())]
        left = QRectF(self.rect())
        left.setWidth((left.width() - GUTTER) / 2)
        return [left, left.translated(left.width() + GUTTER, 0)]

    def _draw(self, pens: list[_Pen]) -> None:
        """Draw the four parts, the last two in the second column if there is one."""
        if self._found is None:
            return
        _draw_attacks(pens[0], self._found)
        _draw_threshold(pens[0], self._found)
        _draw_allowed(pens[-1], self._found)
        _draw_best(pens[-1], self._found, self._measured)


class _Pen:
    """Draws lines of text and bars below one another; without a painter it measures.

    Parameters
    ----------
    scale : float
        How much larger than on other pages texts and bars are.
    """

    def __init__(
        self, painter: QPainter | None, look: Tokens, area: QRectF, scale: float
    ) -> None:
        self.painter, self.look, self.area = painter, look, area
        self.y, self.n_gaps = area.top(), 0
        self.said: list[str] = []
        self.bar_height, self.gap = BAR * scale, GAP * scale
        self.small = chart_font(look, look.type.caption * scale)
        self.strong = chart_font(look, look.type.body * scale)
        self.strong.setWeight(QFont.Weight.DemiBold)
        self.large = chart_font(look, look.type.section * scale)
        self.large.setWeight(QFont.Weight.DemiBold)

    def part(self, words: str) -> None:
        """Begin a part with the question that it answers."""
        if self.y > self.area.top():
            self.y += self.gap
            self.n_gaps += 1
        self.line(words, self.strong, self.look.colours.text)

    def line(self, words: str, font: QFont, colour: str, beside: str = "") -> None:
        """Write words in as many lines as they need, and go below them.

        Parameters
        ----------
        beside : str
            Stands at the right end of the first line.
        """
        self.said.append(f"{words} {beside}".strip())
        metrics = QFontMetricsF(font)
        taken = metrics.horizontalAdvance(beside) + 8 if beside else 0.0
        flags = int(Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)
        rect = QRectF(self.area.left(), self.y, self.area.width() - taken, 10_000)
        height = metrics.boundingRect(rect, flags, words).height()
        if self.painter is not None:
            self.painter.setFont(font)
            self.painter.setPen(QColor(colour))
            self.painter.drawText(rect, flags, words)
            rect.setWidth(self.area.width())
            self.painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight), beside)
        self.y += height + 2

    def note(self, words: str) -> None:
        """Write what explains."""
        self.line(words, self.small, self.look.colours.muted)

    def bar(self, share: float | None, colour: str) -> QRectF:
        """Draw a bar of a share; dashed where the share is not known."""
        width = self.area.width() - 1
        track = QRectF(self.area.left(), self.y, width, self.bar_height)
        self.y += self.bar_height + self.bar_height / 2
        if self.painter is None:
            return track
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
        return track

    def alike(self, n: int) -> None:
        """Draw people who look alike, one of whom is the right one."""
        step = min(self.bar_height * 1.6, self.area.width() / n)
        size = step * 0.75
        if self.painter is not None:
            self.painter.setPen(Qt.PenStyle.NoPen)
            for place in range(n):
                shade = self.look.chart.before if place else self.look.chart.after
                self.painter.setBrush(QColor(shade))
                left = self.area.left() + place * step
                self.painter.drawEllipse(QRectF(left, self.y + 2, size, size))
        self.y += size + 6


def _draw_attacks(pen: _Pen, found: Assessment) -> None:
    """Probability of each attack; the largest decides."""
    colours = pen.look.colours
    pen.part(tr("1. How likely is an attempt?"))
    if not found.attempts:
        pen.note(tr("Open: how are the data released?"))
    for name, share in found.attempts.items():
        is_out = name in found.excluded
        decides = share is not None and share == found.attempt and not is_out
        value = tr("open") if share is None else per_cent(share, 3)
        if is_out:
            value = tr("{value}, excluded", value=value)
        if decides and len(found.attempts) > 1:
            value = tr("{value}, decides", value=value)
        colour = colours.text if decides else colours.muted
        pen.line(f"{name} {tr(ATTACKS[name])}", pen.small, colour, value)
        shade = pen.look.chart.after if decides else pen.look.chart.before
        pen.bar(share, shade)
    if found.release == "public":
        pen.note(tr("Anybody gets the data: it counts as certain."))


def _draw_threshold(pen: _Pen, found: Assessment) -> None:
    """How large the overall risk may be, and where that comes from."""
    pen.part(tr("2. What overall risk is accepted?"))
    if found.threshold is None:
        pen.note(tr("Open: how far would privacy be invaded?"))
        return
    pen.line(threshold_text(found.threshold), pen.large, pen.look.colours.text)
    pen.note(tr("Somebody tries and finds the right record."))
    level = LEVEL_WORDS[found.invasion] if found.invasion is not None else ""
    if not found.is_own:
        pen.note(tr("Invasion of privacy: {level}", level=tr(level)))
    elif found.loosened is None:
        pen.note(tr("A threshold of your own, with your reason"))
    else:
        words = tr(
            "Your own, looser than {threshold}, which is usual where invasion of "
            "privacy is {level}",
            level=tr(level),
            threshold=threshold_text(found.loosened),
        )
        pen.line(words, pen.small, pen.look.colours.warning)


def _draw_allowed(pen: _Pen, found: Assessment) -> None:
    """How large the risk in the data may be, why, and what that means for a person."""
    pen.part(tr("3. What risk may the data have?"))
    if found.limit is None:
        pen.note(tr("Nothing follows while answers are open."))
        return
    assert found.attempt is not None, "a limit follows from both"
    is_average = found.measure == "average"
    limit = threshold_text(found.limit)
    words = tr("{limit} for each record", limit=limit)
    if is_average:
        words = tr("{limit} on average", limit=limit)
    pen.line(words, pen.large, pen.look.colours.text)
    words = tr("As much as in 2, since an attempt is certain.")
    if found.attempt < 1:
        words = tr(
            "Attempt {attempt} × data {limit} = {overall} overall",
            attempt=per_cent(found.attempt, 3),
            limit=per_cent(found.limit, 3),
            overall=per_cent(found.attempt * found.limit, 3),
        )
    pen.note(words)
    least = least_group(CAP if is_average else found.limit)
    if least < 2:
        pen.note(tr("Attempts are so unlikely that any risk in the data is accepted."))
        return
    words = tr("Each record looks like at least {n:other|others}.", n=least - 1)
    if is_average:
        words = tr(
            "No record above {cap}. {alike}", cap=threshold_text(CAP), alike=words
        )
    if least <= MOST_ALIKE:
        pen.alike(least)
    pen.note(words)


def _draw_best(pen: _Pen, found: Assessment, measured: BestPolicyRisks | None) -> None:
    """Whether the best policy keeps to what is allowed."""
    if not found.allowed:
        return
    pen.part(tr("4. Does the best policy keep to it?"))
    if measured is None:
        pen.note(tr("No policy has been searched for yet."))
        return
    for each in found.allowed:
        is_average = each.measure == "average"
        share = measured.average if is_average else measured.highest
        words = tr("Average risk {risk}", risk=share_text(share))
        if not is_average:
            sign = "" if measured.highest_is_exact else "≤ "
            words = tr("Highest risk {risk}", risk=f"{sign}{share_text(share)}")
        _draw_kept(pen, words, share, each, is_stale=measured.is_stale)
    overall = found.largest_overall(measured.average, measured.highest) or 0.0
    by_average = found.largest_overall(measured.average, measured.average) or 0.0
    sign = "" if measured.highest_is_exact or by_average == overall else "≤ "
    words = tr(
        "The line is what is allowed. Overall: {risk}",
        risk=f"{sign}{share_text(overall)}",
    )
    pen.note(words)


def _draw_kept(
    pen: _Pen, words: str, share: float, allowed: Allowed, *, is_stale: bool
) -> None:
    """Draw a risk of the best policy, and a line at what is allowed."""
    colours, shades = pen.look.colours, pen.look.chart
    is_fine = share <= allowed.limit + 1e-12
    verdict = tr("✓ within") if is_fine else tr("✗ above")
    tone = colours.success if is_fine else colours.danger
    shade = shades.safe if is_fine else shades.at_risk
    if is_stale:
        verdict, tone, shade = tr("out of date"), colours.warning, shades.before
    pen.line(words, pen.small, tone, verdict)
    widest = max(allowed.limit, share) * 1.15
    track = pen.bar(share / widest, shade)
    if pen.painter is not None:
        at = int(track.left() + track.width() * allowed.limit / widest)
        pen.painter.setPen(QPen(QColor(colours.text), 2))
        # Not above the bar: there stands the verdict.
        pen.painter.drawLine(at, int(track.top()), at, int(track.bottom()) + 4)


# -- the questions ---------------------------------------------------------------------

_RELEASE: Text = "Release"
_FIGURES: Text = "Figures"
_JUDGED: Text = "Attacks"
_CONTROLS: Text = "Controls"
_MOTIVES: Text = "Motives"
_PRIVACY: Text = "Privacy"
TABS: dict[str, tuple[Text, tuple[ContextQuestion, ...]]] = {
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
_OF_ALL_LABEL: Text = "The same proof for every answer here that has none"
_OF_ALL: Text = "a document with its page, or a visit with its day"

TEXTS: dict[str, tuple[tuple[str, Text, Text], ...]] = {
    "release": (
        ("recipient", FIELDS["recipient"], _NAMES),
        ("purpose", FIELDS["purpose"], _WHY),
        ("agreement.reference", FIELDS["agreement"], _REFERENCE),
        ("agreement.parties", _PARTIES_LABEL, _PARTIES),
        ("agreement.begins", _BEGINS, ""),
        ("agreement.ends", _ENDS, ""),
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
"""Typed texts by tab: name as of `with_context`, label, and an example.

Of days, those of a usual period from today on are the example.
"""


_PUBLIC_BARE: Text = (
    "Not needed: anybody gets the data, so an attempt counts as certain (100\u202f%), "
    "whatever a recipient does."
)
_WORST: Text = (
    "Not needed: nobody is checked, so the worst is assumed of controls, motives and "
    "capacity."
)
_NO_AGREEMENT: Text = "An agreement is asked of a non-public release only."
_CERTAIN: Text = (
    "Prevalence, acquaintances, breach rate and the table of probabilities are not "
    "needed: anybody gets the data, so an attempt counts as certain (100\u202f%)."
)
_BY_OWN: Text = (
    "Not needed for the limit: under Figures stands a threshold of your own. The "
    "report states these answers all the same."
)
_LEFT: Text = "What is said here all the same does not count for this release."
REASONS: dict[tuple[str, str], Text] = {
    ("public", "release"): _NO_AGREEMENT,
    ("public", "figures"): _CERTAIN,
    ("public", "controls"): _PUBLIC_BARE,
    ("public", "motives"): _PUBLIC_BARE,
    ("semi_public", "release"): _NO_AGREEMENT,
    ("semi_public", "controls"): _WORST,
    ("semi_public", "motives"): _WORST,
}
"""Why a part, or some of it, is not needed, by kind of release."""

OF_FIELD: dict[str, str] = {
    "prevalence_of": "prevalence",
    "breach_source": "breach_rate",
    "breach_year": "breach_rate",
}
"""What a text belongs to: it is needed with it."""


def stored_text(choice: ContextChoice, name: str) -> str:
    """Return a typed text as it is kept."""
    part: object = choice
    for step in name.split("."):
        part = getattr(part, step)
    return "" if part is None else f"{part:g}" if isinstance(part, float) else str(part)


_COUNTS: Text = "Relevant"
_EXCLUDED: Text = "Excluded"
RELEVANCE: dict[str, Text] = {"relevant": _COUNTS, "excluded": _EXCLUDED}


LONGEST_ANSWER = 12
"""Wide letters that have room in a list of answers."""


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
        # As wide in every row, and wider with larger texts.
        self.choice.setSizeAdjustPolicy(
            ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.choice.setMinimumContentsLength(LONGEST_ANSWER)
        self.choice.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
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
    def of(cls, question: ContextQuestion) -> AnswerRow:
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
            self.proof.setCursorPosition(0)
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
            self.field.setCursorPosition(0)
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
        self.reasons: dict[str, Caption] = {}
        self.of_all: dict[str, TextRow] = {}
        self.result = Callout()
        self.result.acted.connect(self._on_taken)
        self.picture = ContextPicture()
        shown = Card(tr("What the context allows"), margin=12)
        shown.add(self.result)
        shown.add(scrolling(self.picture), 1)
        self.alone = IconButton("maximize", "", checkable=True, small=True)
        self.alone.toggled.connect(self._on_alone)
        shown.head_actions.addWidget(self.alone)
        outer = shown.layout()
        assert outer is not None, "a card has one"
        outer.setSpacing(8)  # the picture needs the room
        titles = [(key, tr(title)) for key, (title, _) in TABS.items()]
        self.tabs = Segmented(titles, name=tr("Parts of the context"), wraps=True)
        self.tabs.chosen.connect(self.show_tab)
        self._progress = Caption()
        self.by = NameField(tr("Who answers the questions"))
        pages = QWidget()
        self._stack = ShownStack(pages)
        self._pages: dict[str, QWidget] = {}
        self._asked = asked = Card(tr("Context"), margin=12)
        asked.head_actions.addWidget(self._progress)
        self.sign = Button(tr("Sign what is open"), clicked=self._on_signed)
        self.sign.setToolTip(
            tr("Put this name to everything here that nobody has signed.")
        )
        who = row(Label(tr("Who answers")), (self.by, 1), self.sign)
        for each in (self.tabs, holder(who)):
            asked.add(each)
        asked.add(pages, 1)
        self.setLayout(column(Columns([(shown, 2), (asked, 3)], 0, 12)))
        self._on_alone(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where the page is low, a second row of them would be cut.
        self.tabs.setMinimumHeight(self.tabs.heightForWidth(self.tabs.width()))
        # The headings of both cards stand in one line.
        self._progress.setMinimumHeight(self.alone.sizeHint().height())

    @property
    def is_alone(self) -> bool:
        """Whether the picture stands without the questions."""
        return self.alone.isChecked()

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project, measured: BestPolicyRisks | None) -> None:
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
        self._show_result(found, progress.open)
        if not self._pages and self.isVisible():
            self.show_tab(self.tabs.current)
        self._show_said()
        self.by.show_name()

    def _on_alone(self, is_alone: bool) -> None:
        """Show the picture without the questions, as a committee looks at it."""
        show_if(self._asked, not is_alone)
        self.picture.stand_alone(is_alone)
        words = tr("Show the picture without the questions")
        if is_alone:
            words = tr("Show the questions again")
        self.alone.set_words(words)

    def _show_result(self, found: Assessment, left: tuple[str, ...]) -> None:
        project = self._project
        unbound = found.release != project.context.release
        differs = other_recipient_words(project)
        if not is_begun(project.context):
            words = tr("No answer yet: no limit follows from the context.")
            self.result.show_words(words, "info", _limits_are_for(project))
        elif differs:
            detail = tr("Choose the recipient of Limits anew, or answer Release anew.")
            self.result.show_words(differs, "warning", detail)
        elif not allowed_risks(project):
            words = tr("{n:answer is|answers are} open: no limit follows.", n=len(left))
            detail = tr("Open: {parts}.", parts=", ".join(_parts_of(left)))
            if unbound:
                also = tr("Without an agreement it counts as semi-public.")
                detail = f"{detail} {also}"
            self.result.show_words(words, "warning", detail)
        elif lacking(project):
            words = tr("No threshold asks for it yet.")
            detail = tr("A release above it is stopped.")
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
        for tab in self._pages:
            self._show_needed(tab)

    def _show_needed(self, tab: str) -> None:
        """Hide what this release does not need, and say why; what is said stays."""
        choice = self._project.context
        idle, left = not_needed(choice.release), False
        for key in [each.key for each in TABS[tab][1]]:
            is_said = key in choice.answers
            show_if(self.rows[key], key not in idle or is_said)
            left = left or (key in idle and is_said)
        for name in [each[0] for each in TEXTS.get(tab, ())]:
            needs = OF_FIELD.get(name, name.partition(".")[0])
            is_said = stored_text(choice, name) != ""
            show_if(self.texts[name], needs not in idle or is_said)
            left = left or (needs in idle and is_said)
        if tab == "figures":
            show_if(self._matrix_row, "matrix" not in idle or bool(choice.matrix))
        words = []
        if reason := REASONS.get((choice.release or "", tab)):
            words.append(tr(reason))
        is_reasoned = bool(choice.threshold_because.strip())
        if tab == "privacy" and choice.threshold is not None and is_reasoned:
            words.append(tr(_BY_OWN))
        if tab == "figures" and choice.threshold is not None and not is_reasoned:
            words.append(tr("A threshold of your own counts only with its reason."))
        if left:
            words.append(tr(_LEFT))
        self.reasons[tab].setText(" ".join(words))
        show_if(self.reasons[tab], bool(words))
        if tab in self.of_all:
            show_if(self.of_all[tab], len(self._unproved(tab)) > 1)

    def _unproved(self, tab: str) -> list[str]:
        """Return answered questions without a proof.

        What does not apply needs a reason of its own, and is none of them.
        """
        answers = self._project.context.answers
        keys = [e.key for e in TABS[tab][1] if e.key in answers]
        return [
            key
            for key in keys
            if not answers[key].proof and answers[key].answer != "does_not_apply"
        ]

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
        self.reasons[key] = Caption()
        parts: list[QWidget] = [self.reasons[key]]
        if key == "release":
            options = [(name, tr(words)) for name, words in RELEASES.items()]
            self.release = ComboBox([(NOTHING, "–"), *options])
            self.release.activated.connect(self._on_release)
            parts.append(field_row(tr(FIELDS["release"]), self.release))
        if key == "figures":
            options = [(name, tr(each.title)) for name, each in MATRICES.items()]
            self.matrix = ComboBox([(NOTHING, "–"), *options])
            self.matrix.activated.connect(self._on_matrix)
            self._matrix_row = field_row(tr(FIELDS["matrix"]), self.matrix)
            parts.append(self._matrix_row)
        usual = proposal(self._project)
        days = {"agreement.begins": usual.begins, "agreement.ends": usual.ends}
        for name, label, example in TEXTS.get(key, ()):
            shown = days.get(name) or tr(example)
            text = self.texts[name] = TextRow(tr(label), shown)
            text.typed.connect(partial(self._say, name))
            parts.append(text)
        for question in questions:
            each = self.rows[question.key] = AnswerRow.of(question)
            each.answered.connect(partial(self._on_answered, question.key))
            each.proved.connect(partial(self._on_proved, question.key))
            parts.append(each)
        if questions:
            label, example = tr(_OF_ALL_LABEL), tr(_OF_ALL)
            self.of_all[key] = TextRow(label, example)
            self.of_all[key].typed.connect(partial(self._on_proved_all, key))
            parts.append(self.of_all[key])
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

    def _on_proved_all(self, tab: str, proof: str) -> None:
        """Give one proof to all answers that have none: a person has said so."""
        keys = self._unproved(tab)
        if not proof or not keys:
            return
        answers = self._project.context.answers
        given = {key: self._answer(answers[key].answer, proof) for key in keys}

        def op(project: Project) -> Project:
            for key, answer in given.items():
                project = ops.answer_context(key, answer)(project)
            return project

        self.of_all[tab].field.clear()
        label = tr("prove {n:answer|answers}", n=len(keys))
        self.decided.emit(op, label)

    def _answer(self, answer: str, proof: str) -> ContextAnswer:
        by, on = self._signed()
        return ContextAnswer(answer=answer, proof=proof, by=by, on=on)

    def _signed(self) -> tuple[str, str]:
        """Who says something, and the day."""
        return self.by.text().strip(), today().isoformat()

    def _on_signed(self) -> None:
        """Sign what nobody has signed: a person stands for what others left open."""
        op = ops.sign_context(*self._signed())
        try:
            op(self._project)
        except ConfigError as error:
            self.by.setFocus()
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


def _parts_of(left: tuple[str, ...]) -> list[str]:
    """Name the parts in which something is open, each with how much of it."""
    places = {each.key: tab for tab, (_, asked) in TABS.items() for each in asked}
    places |= dict.fromkeys(("release", "recipient", "purpose", "agreement"), "release")
    places["attacks"] = "attacks"
    counted = Counter(places.get(name, "figures") for name in left)
    return [
        tr("{part} ({n})", part=tr(title), n=counted[tab])
        for tab, (title, _) in TABS.items()
        if counted[tab]
    ]


def _limits_are_for(project: Project) -> str:
    """Say whom the thresholds are for: the context says more of the same people."""
    recipient = project.privacy.threshold.recipient
    if recipient in (None, "own"):
        return tr("Who receives the data?")
    return tr(
        "The thresholds are for “{recipient}”. Say here how they receive the data.",
        recipient=tr(BY_KIND[recipient].title),
    )


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
