"""One candidate in words and figures, to be chosen or kept."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from deidgui.app.charts.formats import number_text, share_text
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.lattice.what_if import Candidates
from deidgui.engine.policy.words import Phrase
from deidgui.engine.quality.all_measures import MeasureLoss
from deidgui.qt import icons
from deidgui.qt.models.figures import (
    EFFECT_GLYPHS,
    EFFECT_TONES,
    FLAG_SIGNS,
    FLAG_TONES,
    figures,
    flag_words,
    measure_text,
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
    StatTile,
    clear,
    show_if,
)
from deidgui.text import tr


class PhraseList(QWidget):
    """What a policy does to each column: glyph, name, words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(2, 1)
        self._shown: tuple[Phrase, ...] = ()
        self._rows: list[tuple[GlyphLabel, Label, Label]] = []

    def show_phrases(self, phrases: tuple[Phrase, ...]) -> None:
        """Show another policy."""
        if phrases == self._shown:
            return
        self._shown = phrases
        while len(self._rows) < len(phrases):
            place = len(self._rows)
            glyph = GlyphLabel("check", size=icons.SMALL)
            name, words = Label("", "strong"), Label("", wrap=True)
            for at, part in enumerate((glyph, name, words)):
                self._grid.addWidget(part, place, at)
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
        self.setAccessibleName("; ".join(str(each) for each in phrases))


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

    def show_losses(self, losses: tuple[MeasureLoss, ...]) -> None:
        """Show the measures of another policy, the guiding one first."""
        for place, each in enumerate(losses):
            if place == len(self._rows):
                self._add_row(is_first=place == 0)
            title, value, words = self._rows[place]
            measure = each.measure
            is_share = measure.unit == "share"
            name = measure.title if is_share else f"{measure.title}, {measure.unit}"
            guides = tr("{title} (guides the search)", title=name)
            title.setText(guides if place == 0 else name)
            value.setText(share_text(each.loss) if is_share else number_text(each.loss))
            value.setAccessibleName(measure_text(measure, each.loss))
            words.setText(measure.words())

    def _add_row(self, *, is_first: bool) -> None:
        place = 2 * len(self._rows)
        title = Label("", "strong", wrap=True)
        value = Label("", "strong" if is_first else "body")
        words = Caption()
        self._grid.addWidget(title, place, 0)
        self._grid.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(words, place + 1, 0, 1, 2)
        self._grid.setRowMinimumHeight(place + 1, words.fontMetrics().height() + 6)
        self._rows.append((title, value, words))


class CandidatePanel(Card):
    """The selected candidate.

    Attributes
    ----------
    choose_wanted, keep_wanted, drop_wanted : Signal of int
        The node to be chosen, kept, or not kept any more.
    forget_wanted : Signal
        The best policy shall be released again, not the chosen one.
    measures_wanted : Signal
        The losses under every measure are to be shown.
    """

    choose_wanted = Signal(int)
    keep_wanted = Signal(int)
    drop_wanted = Signal(int)
    forget_wanted = Signal()
    measures_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._node: int | None = None
        self._is_kept = self._is_chosen = False
        self.set_title(tr("Selected policy"))
        self._flags = QWidget()
        FlowLayout(self._flags, 6)
        self.words = PhraseList()
        self._tiles = [StatTile() for _ in range(4)]
        grid = QGridLayout()
        grid.setSpacing(8)
        for place, tile in enumerate(self._tiles):
            tile.setMinimumWidth(110)
            grid.addWidget(tile, place // 2, place % 2)
        self.choose_button = Button(
            tr("Choose this policy"), "primary", "check", self._on_choose
        )
        self.keep_button = Button(
            tr("Keep for comparison"), glyph="pin", clicked=self._on_keep
        )
        self._reason = ReasonLabel()
        buttons = QVBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.choose_button)
        buttons.addWidget(self.keep_button)
        self.add(self._flags)
        self.body.addLayout(buttons)
        self.add(self._reason)
        self.add(self.words)
        self.body.addLayout(grid)
        self._more = Collapsible(tr("Every measure"))
        self.measures = MeasureList()
        self._more.body.addWidget(self.measures)
        self._more.toggled.connect(self._on_more_toggled)
        self.add(self._more)
        self.body.addStretch(1)
        self.setMinimumWidth(290)

    @property
    def wants_measures(self) -> bool:
        """Whether somebody looks at the losses under every measure."""
        return self._more.is_open

    def show_measures(self, losses: tuple[MeasureLoss, ...]) -> None:
        """Show what the candidate loses under every measure."""
        self.measures.show_losses(losses)

    def open_measures(self) -> None:
        """Let the losses under every measure be seen."""
        self._more.set_open(True)
        self.measures_wanted.emit()

    def _on_more_toggled(self, is_open: bool) -> None:
        if is_open:
            self.measures_wanted.emit()

    @property
    def node(self) -> int | None:
        """The candidate that is shown."""
        return self._node

    def show_candidate(
        self,
        candidates: Candidates,
        node: int,
        flags: tuple[Flag, ...],
        *,
        can_keep: bool,
        reason: str,
    ) -> None:
        """Show one candidate.

        Parameters
        ----------
        flags : tuple of Flag
            How it is marked.
        can_keep : bool
            Whether there is room for one more to compare.
        reason : str
            Why it cannot be chosen; empty if it can.
        """
        self._node = node
        self._show_flags(candidates, node, flags)
        self.words.show_phrases(candidates.phrases(node))
        for tile, figure in zip(self._tiles, figures(candidates, node), strict=True):
            tile.set_figure(figure.label, figure.text)
            tile.setToolTip(figure.explanation)
            tile.setAccessibleDescription(figure.explanation)
        self._is_kept = Flag.KEPT in flags
        self._is_chosen = Flag.CHOSEN in flags
        self.choose_button.setText(
            tr("Go back to the best policy")
            if self._is_chosen
            else tr("Choose this policy")
        )
        self.choose_button.setEnabled(not reason or self._is_chosen)
        self.keep_button.setText(
            tr("Stop keeping") if self._is_kept else tr("Keep for comparison")
        )
        self.keep_button.setEnabled(can_keep or self._is_kept)
        if not reason and not can_keep and not self._is_kept:
            reason = tr("Four policies are kept already: let one go first.")
        self._reason.set_reason(reason, "warning" if reason else "muted")

    def _show_flags(
        self, candidates: Candidates, node: int, flags: tuple[Flag, ...]
    ) -> None:
        layout = self._flags.layout()
        assert layout is not None
        clear(layout)
        for flag in flags:
            text = f"{FLAG_SIGNS[flag]} {flag_words(flag)}"
            layout.addWidget(Badge(text, FLAG_TONES[flag]))
        rank = int(candidates.rank[node])
        if rank:
            place = tr("Rank {rank:,} of {all:,}")
            text = place.format(rank=rank, all=candidates.found.result.n_solutions)
            layout.addWidget(Badge(text, "plain"))
        else:
            text = tr("Does not meet the thresholds")
            layout.addWidget(Badge(text, "warning", "warning"))

    def _on_choose(self) -> None:
        if self._is_chosen:
            self.forget_wanted.emit()
        elif self._node is not None:
            self.choose_wanted.emit(self._node)

    def _on_keep(self) -> None:
        if self._node is not None:
            wanted = self.drop_wanted if self._is_kept else self.keep_wanted
            wanted.emit(self._node)
