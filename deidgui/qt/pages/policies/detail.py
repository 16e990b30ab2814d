"""The selected policy in words and figures, to be chosen or kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLayout, QWidget

from deidgui.app.charts.formats import number_text
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.candidate import Candidate, CandidateState, Cell, Proven
from deidgui.engine.policy.words import Worded
from deidgui.engine.quality.all_measures import MeasureLoss
from deidgui.qt import icons
from deidgui.qt.models.figures import (
    EFFECT_GLYPHS,
    EFFECT_TONES,
    FLAG_SIGNS,
    FLAG_TONES,
    Figure,
    flag_words,
    measure_text,
    measure_unit,
    measure_words,
)
from deidgui.qt.widgets import (
    Badge,
    Button,
    Caption,
    Card,
    Collapsible,
    FlowLayout,
    GlyphLabel,
    Label,
    ReasonLabel,
    Refill,
    row,
    show_if,
)
from deidgui.qt.widgets.chips import ChipTone
from deidgui.qt.widgets.polish import least_widths
from deidgui.text import share_text, tr


class PhraseList(QWidget):
    """What a policy does to each attribute: glyph, name, words.

    All words stand below their names where one of them does not fit beside.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        self._shown: Sequence[Worded | Cell] = ()
        self._rows: list[tuple[GlyphLabel, Label, Label]] = []

    def show_phrases(self, phrases: Sequence[Worded | Cell]) -> None:
        """Show another policy."""
        if phrases == self._shown:
            return
        self._shown = phrases
        while len(self._rows) < len(phrases):
            place = len(self._rows)
            glyph = GlyphLabel("check", size=icons.SMALL)
            name, words = Label("", "strong"), Label("", wrap=True)
            self._grid.addWidget(glyph, 2 * place, 0)
            self._grid.addWidget(name, 2 * place, 1)
            self._rows.append((glyph, name, words))
        for place, (glyph, name, words) in enumerate(self._rows):
            is_shown = place < len(phrases)
            for part in (glyph, name, words):
                show_if(part, is_shown)
            if is_shown:
                phrase = phrases[place]
                glyph.set_glyph(
                    EFFECT_GLYPHS[phrase.effect], EFFECT_TONES[phrase.effect]
                )
                name.setText(phrase.attribute)
                words.setText(phrase.text)
        self._place_words()
        self.setAccessibleName(
            "; ".join(f"{each.attribute}: {each.text}" for each in phrases)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_words()

    def minimumSizeHint(self) -> QSize:
        """As wide as with the words below the names, wherever they stand."""
        gap = self._grid.horizontalSpacing()
        wide = icons.SMALL + gap + max(self._widths(1) + self._widths(2), default=0)
        return QSize(wide, super().minimumSizeHint().height())

    def _widths(self, part: int) -> list[int]:
        return least_widths(parts[part] for parts in self._rows)

    def _place_words(self) -> None:
        """Put all words beside their names, or all below."""
        texts = [words for *_, words in self._rows if not words.isHidden()]
        wide = [each.fontMetrics().horizontalAdvance(each.text()) for each in texts]
        taken = icons.SMALL + 2 * self._grid.horizontalSpacing()
        taken += max(self._widths(1), default=0) + max(wide, default=0)
        for place, (_glyph, _name, words) in enumerate(self._rows):
            if taken <= self.width():
                self._grid.addWidget(words, 2 * place, 2)
            else:
                self._grid.addWidget(words, 2 * place + 1, 1, 1, 2)


class MeasureList(QWidget):
    """What one policy loses under every measure, each with one sentence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(4, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._rows: list[tuple[Label, Label, Caption]] = []

    def show_losses(
        self,
        losses: tuple[MeasureLoss, ...],
        weights: Mapping[str, float],
        counted: str,
    ) -> None:
        """Show the measures of another policy, the guiding one first.

        Parameters
        ----------
        counted : str
            As of `measure_unit`.
        """
        for at, parts in enumerate(self._rows):
            for part in parts:
                show_if(part, at < len(losses))
        for place, each in enumerate(losses):
            if place == len(self._rows):
                self._add_row(is_first=place == 0)
            title, value, words = self._rows[place]
            measure = each.measure
            is_share = measure.unit == "share"
            name = tr(measure.title)
            if not is_share:
                name = f"{name}, {measure_unit(measure, counted)}"
            guides = tr("{title} (guides the search)", title=name)
            title.setText(guides if place == 0 else name)
            value.setText(share_text(each.loss) if is_share else number_text(each.loss))
            value.setAccessibleName(measure_text(measure, each.loss, counted))
            words.setText(measure_words(measure, weights))

    def _add_row(self, *, is_first: bool) -> None:
        place = 2 * len(self._rows)
        title = Label("", "strong", wrap=True)
        value = Label("", "strong" if is_first else "body")
        words = Caption()
        self._grid.addWidget(title, place, 0)
        self._grid.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(words, place + 1, 0, 1, 2)
        words.ensurePolished()
        self._grid.setRowMinimumHeight(place + 1, words.fontMetrics().height() + 6)
        self._rows.append((title, value, words))


@dataclass(frozen=True)
class PreferenceMet:
    """How far a policy keeps what is preferred.

    Parameters
    ----------
    share : float in [0, 1]
        Of its values that are kept.
    """

    words: str
    share: float


class FigureGrid(QWidget):
    """Figures of a policy below one another: name, number, unit.

    All units stand below their numbers where one has no room beside.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._rows: list[tuple[Label, Label, Caption]] = []

    def show_figures(self, figures: Sequence[Figure]) -> None:
        """Show other figures."""
        while len(self._rows) < len(figures):
            place = len(self._rows)
            row = Label("", "body", "muted"), Label("", "strong"), Caption()
            row[0].setWordWrap(True)
            row[2].setWordWrap(False)
            self._grid.addWidget(row[0], 2 * place, 0)
            self._rows.append(row)
        for place, (name, number, unit) in enumerate(self._rows):
            is_shown = place < len(figures)
            for part in (name, number, unit):
                show_if(part, is_shown)
            if is_shown:
                figure = figures[place]
                name.setText(figure.label)
                number.setText(figure.text)
                number.setAccessibleName(
                    f"{figure.label}: {figure.text} {figure.unit}".strip()
                )
                unit.setText(figure.unit)
                show_if(unit, bool(figure.unit))
                for part in (name, number):
                    part.setToolTip(figure.explanation)
        self._place_units()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_units()

    def minimumSizeHint(self) -> QSize:
        """As wide as with the units below the numbers, wherever they stand."""
        gap = self._grid.horizontalSpacing()
        wide = [sum(least_widths(parts[:2])) + gap for parts in self._rows]
        units = least_widths(parts[2] for parts in self._rows)
        return QSize(max(wide + units, default=0), super().minimumSizeHint().height())

    def _place_units(self) -> None:
        """Put all units beside their numbers, or all below."""
        gap, right = self._grid.horizontalSpacing(), Qt.AlignmentFlag.AlignRight
        wide = [sum(least_widths(parts)) + 2 * gap for parts in self._rows]
        is_beside = max(wide, default=0) <= self.width()
        for place, (_name, number, unit) in enumerate(self._rows):
            if is_beside and not unit.isHidden():
                self._grid.addWidget(number, 2 * place, 1, right)
                self._grid.addWidget(unit, 2 * place, 2, right)
            else:
                self._grid.addWidget(number, 2 * place, 1, 1, 2, right)
                self._grid.addWidget(unit, 2 * place + 1, 0, 1, 3, right)


class JoinedTable(QWidget):
    """What each policy joins, by attribute, as published: ∅ where nothing is joined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        self._refill = Refill(self._grid)

    def show_rows(self, heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Show one row per attribute.

        Parameters
        ----------
        heads : sequence of str
            Names of the policies.
        rows : sequence of tuple of str
            Attribute, then what each policy joins.
        """
        with self._refill:
            for place, text in enumerate(heads, start=1):
                head = self._refill.label(text, "caption", "muted")
                self._grid.addWidget(head, 0, place)
            for at, (name, *texts) in enumerate(rows, start=1):
                top = Qt.AlignmentFlag.AlignTop
                self._grid.addWidget(self._refill.label(name, "strong"), at, 0, top)
                for place, text in enumerate(texts, start=1):
                    cell = self._refill.label(text, "mono", wrap=True)
                    if text == "∅":
                        cell.setAccessibleName(tr("nothing joined"))
                    self._grid.addWidget(cell, at, place, top)


class PolicyPanel(Card):
    """The selected policy.

    Attributes
    ----------
    choose_wanted, keep_wanted, drop_wanted : Signal of int
        The policy to be chosen, kept, or not kept any more.
    forget_wanted : Signal
        The chosen policy shall not be chosen any more.
    measures_wanted : Signal
        The losses under every measure are to be shown.
    """

    choose_wanted = Signal(int)
    keep_wanted = Signal(int)
    drop_wanted = Signal(int)
    forget_wanted = Signal()
    compare_wanted = Signal()
    measures_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self._number: int | None = None
        self._is_kept = self._is_chosen = False
        self.set_title(tr("Selected policy"))
        self._flags = QWidget()
        FlowLayout(self._flags, 6)
        self._badges: list[Badge] = []
        self.choose_button = Button("", glyph="check", clicked=self._on_choose)
        self.keep_button = Button("", clicked=self._on_keep)
        self.compare_button = Button(
            tr("Compare"), "quiet", "compare", self.compare_wanted
        )
        self._reason = ReasonLabel()
        self.released = Label("", "caption", "muted", wrap=True)
        show_if(self.released, False)
        self.sentence = Label("", wrap=True)
        self.words = PhraseList()
        self._figures = FigureGrid()
        self._preferences = QGridLayout()
        self._preferences.setHorizontalSpacing(8)
        self._preferences.setVerticalSpacing(4)
        self._preferences.setColumnStretch(1, 1)
        self._met = Refill(self._preferences)
        self._joined = Collapsible(tr("Joined values, as published"))
        self.joined = JoinedTable()
        self._joined.body.addWidget(self.joined)
        self._more = Collapsible(tr("Every measure"))
        self.measures = MeasureList()
        self._more.body.addWidget(self.measures)
        self._more.toggled.connect(self._on_more_toggled)
        self._build()

    def _build(self) -> None:
        self.add(self._flags)
        self.add(self.released)
        self.add(self.choose_button)
        self.body.addLayout(row(self.keep_button, self.compare_button, None))
        self.add(self._reason)
        self.add(self._figures)
        self.add(self.words)
        self.add(self.sentence)
        self.body.addLayout(self._preferences)
        self.add(self._joined)
        self.add(self._more)
        self.body.addStretch(1)
        self.body.setSpacing(8)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(260, 0))

    @property
    def number(self) -> int | None:
        """The policy that is shown."""
        return self._number

    @property
    def wants_measures(self) -> bool:
        """Whether somebody looks at the losses under every measure."""
        return self._more.is_open

    def show_measures(
        self,
        losses: tuple[MeasureLoss, ...] = (),
        weights: Mapping[str, float] = MappingProxyType({}),
        counted: str = "",
    ) -> None:
        """Show what the policy loses under every measure; none if nothing is given."""
        self.measures.show_losses(losses, weights, counted)

    def open_measures(self) -> None:
        """Let the losses under every measure be seen."""
        self._more.set_open(True)
        self.measures_wanted.emit()

    def show_policy(
        self,
        candidate: Candidate,
        flags: tuple[Flag, ...],
        figures: Sequence[Figure],
        *,
        n_meeting: int,
        reason: str,
        warning: str,
        keep_reason: str,
    ) -> None:
        """Show one policy.

        Parameters
        ----------
        flags : tuple of Flag
            How it is marked.
        n_meeting : int
            Policies that meet their thresholds.
        reason : str
            Why it cannot be chosen; empty if it can.
        warning : str
            What stops its release until a person overrules that; empty if nothing.
        keep_reason : str
            Why it cannot be kept; empty if it can.
        """
        self._number = candidate.number
        self._is_kept, self._is_chosen = Flag.KEPT in flags, Flag.CHOSEN in flags
        self._show_flags(candidate, flags, n_meeting)
        self.words.show_phrases(candidate.cells)
        self._figures.show_figures(figures)
        self.choose_button.setText(
            tr("Clear this choice") if self._is_chosen else tr("Choose this policy")
        )
        self.choose_button.set_glyph("close" if self._is_chosen else "check")
        self.choose_button.setEnabled(not reason or self._is_chosen)
        self.keep_button.setText(tr("Remove") if self._is_kept else tr("Keep"))
        self.keep_button.setEnabled(self._is_kept or not keep_reason)
        shown = ("" if self._is_chosen else reason) or warning
        shown = shown or ("" if self._is_kept else keep_reason)
        if shown and shown == warning:
            self._reason.set_reason(shown, "danger")
        else:
            self._reason.set_reason(shown, "warning" if shown else "muted")

    def show_released(self, words: str) -> None:
        """Say which policy is released as things stand; nothing if empty."""
        self.released.setText(words)
        show_if(self.released, bool(words))

    def show_alternative(
        self,
        sentence: str,
        heads: Sequence[str],
        joined: Sequence[tuple[str, ...]],
        preferences: Sequence[PreferenceMet],
    ) -> None:
        """Show what is known of an alternative only; all empty for other policies.

        Parameters
        ----------
        sentence : str
            On its risk, against what is allowed; of the best policy, what is proven.
        heads : sequence of str
            The policies whose joined values are shown.
        joined : sequence of tuple of str
            Attribute, then what each policy joins.
        """
        self.sentence.setText(sentence)
        show_if(self.sentence, bool(sentence))
        show_if(self._joined, bool(joined))
        self.joined.show_rows(heads, joined)
        met = self._met
        with met:
            for at, each in enumerate(preferences):
                is_met = each.share == 1
                glyph = met.take("glyph", lambda: GlyphLabel("dot", size=icons.SMALL))
                glyph.set_glyph(
                    "check-circle" if is_met else "dot",
                    "success" if is_met else "subtle",
                )
                share = tr("kept") if is_met else share_text(each.share)
                self._preferences.addWidget(glyph, at, 0)
                self._preferences.addWidget(met.label(each.words, wrap=True), at, 1)
                self._preferences.addWidget(met.label(share, "strong"), at, 2)

    def _show_flags(
        self, candidate: Candidate, flags: tuple[Flag, ...], n_meeting: int
    ) -> None:
        shown: list[tuple[str, ChipTone, str | None, str]] = [
            (f"{FLAG_SIGNS[flag]} {flag_words(flag)}", FLAG_TONES[flag], None, "")
            for flag in flags
        ]
        if candidate.rank:
            text = tr("No. {rank:,} of {all:,}", rank=candidate.rank, all=n_meeting)
            shown.append((text, "plain", None, ""))
        elif candidate.state is CandidateState.UNCHECKED:
            shown.append((tr("Thresholds not checked yet"), "plain", "clock", ""))
        else:
            text = tr("Does not meet the thresholds")
            shown.append((text, "danger", "warning", ""))
        if Proven.RISK_MINIMAL in candidate.proven:
            text = tr("as specific as the risk allows")
            words = tr("Splitting any two values would exceed the allowed risk.")
            shown.append((text, "success", "check", words))
        self._show_badges(shown)

    def _show_badges(
        self, shown: Sequence[tuple[str, ChipTone, str | None, str]]
    ) -> None:
        """Show text, tone, glyph and tooltip of each; further badges are hidden."""
        layout = self._flags.layout()
        assert layout is not None
        while len(self._badges) < len(shown):
            self._badges.append(Badge(""))
            layout.addWidget(self._badges[-1])
        for place, badge in enumerate(self._badges):
            show_if(badge, place < len(shown))
            if place < len(shown):
                text, tone, glyph, words = shown[place]
                badge.show_words(text, tone, glyph)
                badge.setToolTip(words)

    def _on_more_toggled(self, is_open: bool) -> None:
        if is_open:
            self.measures_wanted.emit()

    def _on_choose(self) -> None:
        if self._is_chosen:
            self.forget_wanted.emit()
        elif self._number is not None:
            self.choose_wanted.emit(self._number)

    def _on_keep(self) -> None:
        if self._number is not None:
            wanted = self.drop_wanted if self._is_kept else self.keep_wanted
            wanted.emit(self._number)
