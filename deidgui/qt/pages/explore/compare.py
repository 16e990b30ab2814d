"""Two to four policies side by side; what differs is marked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from deidgui.app.charts.plane import Flag
from deidgui.app.tasks.exploring import Candidates
from deidgui.app.tasks.kept import KeptAlternative, Links
from deidgui.engine.policy.words import Phrase
from deidgui.qt import icons
from deidgui.qt.models.figures import (
    EFFECT_GLYPHS,
    EFFECT_TONES,
    FLAG_SIGNS,
    FLAG_TONES,
    Figure,
    Flags,
    figures,
    flag_words,
)
from deidgui.qt.pages.explore.kept import (
    UNKNOWN,
    Beside,
    alternative_figures,
    node_links,
)
from deidgui.qt.widgets import (
    Badge,
    Button,
    Caption,
    Card,
    EmptyState,
    GlyphLabel,
    Label,
    ToggleSwitch,
    clear,
    column,
    holder,
    line,
    row,
    show_if,
)

NOTHING = Beside()
"""No alternative, and no risk that is compared."""


class _Beside(NamedTuple):
    """One of the policies that stand side by side."""

    flags: tuple[Flag, ...]
    title: str
    phrases: tuple[Phrase, ...]
    figures: tuple[Figure, ...]
    can_choose: bool
    choose: Callable[[], None]
    drop: Callable[[], None]


class CompareView(QWidget):
    """The kept policies, beside the best or chosen one where only one is kept.

    An alternative that is chosen always stands here.

    Attributes
    ----------
    choose_wanted, drop_wanted, node_selected : Signal of int
    alternative_chosen, alternative_dropped : Signal of Chosen
        A kept alternative is to be chosen, or not kept any more.
    list_wanted : Signal
        Somebody wants to go and keep policies.
    """

    choose_wanted = Signal(int)
    drop_wanted = Signal(int)
    alternative_chosen = Signal(object)
    alternative_dropped = Signal(object)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidates: Candidates | None = None
        self._nodes: list[int] = []
        self._flags: Flags = {}
        self._beside = Beside()
        self._empty = EmptyState(
            "compare",
            self.tr("Nothing to compare yet"),
            self.tr(
                "Select a policy in the list, the plane or the lattice and keep it. Up "
                "to four can stand side by side here."
            ),
            self.tr("Go to the list"),
        )
        self._empty.acted.connect(self.list_wanted)
        self._card = Card()
        self.only_differences = ToggleSwitch(self.tr("Only what differs"))
        self.only_differences.toggled.connect(self._fill)
        self._note = Caption()
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(8)
        switch = row(
            self.only_differences,
            Label(self.tr("Only what differs")),
            None,
            Label(
                self.tr("≠ marks rows in which the policies differ"),
                "caption",
                "muted",
            ),
        )
        self._card.body.addLayout(switch)
        self._card.body.addLayout(self._grid)
        self._card.add(self._note)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._empty, 1)
        box.addWidget(self._card)
        box.addStretch(1)

    @property
    def nodes(self) -> list[int]:
        """The policies of the search that stand side by side."""
        return self._nodes

    @property
    def alternatives(self) -> tuple[KeptAlternative, ...]:
        """The alternatives that stand beside them."""
        return self._beside.alternatives

    @property
    def links(self) -> Links | None:
        """Risks of `nodes` among people, None if nothing asks for them."""
        return self._beside.links

    def show_policies(
        self,
        candidates: Candidates,
        nodes: list[int],
        flags: Flags,
        n_lost: int,
        beside: Beside = NOTHING,
    ) -> None:
        """Show some policies side by side.

        Parameters
        ----------
        candidates : Candidates
        nodes : list of int
        flags : mapping of int to tuple of Flag
        n_lost : int
            Kept policies that are no candidates under the thresholds of now.
        beside : Beside
            Alternatives, and what they share with policies of the search.
        """
        self._candidates, self._nodes, self._flags = candidates, nodes, flags
        self._beside = beside
        words = self.tr(
            "{n} kept under earlier thresholds or hierarchies are not shown."
        )
        self._note.setText(words.format(n=n_lost))
        show_if(self._note, n_lost > 0)
        n_shown = len(nodes) + len(beside.alternatives)
        show_if(self._empty, n_shown < 2)
        show_if(self._card, n_shown >= 2)
        self._fill()

    def _fill(self) -> None:
        clear(self._grid)
        if self._candidates is None:
            return
        shown = [self._node(place) for place in range(len(self._nodes))]
        shown += map(self._alternative, self._beside.alternatives)
        if len(shown) < 2:
            return
        for place, each in enumerate(shown, start=2):
            self._grid.addWidget(
                self._head(each), 0, place, Qt.AlignmentFlag.AlignBottom
            )
            self._grid.setColumnStretch(place, 1)
        for place in range(2 + len(shown), 8):
            self._grid.setColumnStretch(place, 0)
        at = self._add_words(shown, 1)
        self._grid.addWidget(line(), at, 0, 1, 2 + len(shown))
        at = self._add_figures(shown, at + 1)
        for place, each in enumerate(shown, start=2):
            self._grid.addWidget(self._foot(each), at, place)

    def _node(self, place: int) -> _Beside:
        """A policy of the search."""
        assert self._candidates is not None
        candidates, node = self._candidates, self._nodes[place]
        rank = int(candidates.rank[node])
        words = self.tr("Rank {rank:,}") if rank else self.tr("Misses the thresholds")
        flags = self._flags.get(node, ())
        is_feasible = bool(candidates.found.feasible[node])
        shown = figures(candidates, node)
        if self._beside.alternatives or self._beside.links is not None:
            shown = (*shown, node_links(self._beside.links, place))
        return _Beside(
            flags,
            words.format(rank=rank),
            candidates.phrases(node),
            shown,
            is_feasible and Flag.CHOSEN not in flags,
            partial(self.choose_wanted.emit, node),
            partial(self.drop_wanted.emit, node),
        )

    def _alternative(self, kept: KeptAlternative) -> _Beside:
        """An alternative, which the search does not know."""
        chosen = self._beside.chosen
        is_chosen = chosen is not None and kept.chosen.is_same(chosen)
        flags = (Flag.CHOSEN,) if is_chosen else ()
        flags = (*flags, Flag.KEPT) if kept.chosen in self._beside.kept else flags
        return _Beside(
            flags,
            self.tr("Alternative"),
            kept.phrases,
            alternative_figures(kept),
            kept.accepted.is_met and not is_chosen,
            partial(self.alternative_chosen.emit, kept.chosen),
            partial(self.alternative_dropped.emit, kept.chosen),
        )

    def _head(self, each: _Beside) -> QWidget:
        parts: list[QWidget] = [
            Badge(f"{FLAG_SIGNS[flag]} {flag_words(flag)}", FLAG_TONES[flag])
            for flag in each.flags
        ]
        return holder(column(*parts, Label(each.title, "strong")))

    def _add_words(self, shown: list[_Beside], at: int) -> int:
        """Add a row per column of the data; return the next free row."""
        every = [each.phrases for each in shown]
        for phrases in zip(*every, strict=True):
            differs = len({phrase.text for phrase in phrases}) > 1
            if self.only_differences.isChecked() and not differs:
                continue
            self._add_label(at, phrases[0].attribute, differs)
            for place, phrase in enumerate(phrases, start=2):
                glyph = GlyphLabel(
                    EFFECT_GLYPHS[phrase.effect],
                    EFFECT_TONES[phrase.effect],
                    icons.SMALL,
                )
                words = Label(phrase.text, "strong" if differs else "body", wrap=True)
                cell = row(glyph, words, spacing=6)
                cell.setStretch(1, 1)
                self._grid.addWidget(holder(cell), at, place)
            at += 1
        return at

    def _add_figures(self, shown: list[_Beside], at: int) -> int:
        every = [each.figures for each in shown]
        for row_of_figures in zip(*every, strict=True):
            texts = [f"{each.text} {each.unit}".strip() for each in row_of_figures]
            # What is not known of some policies cannot be compared with the others.
            n_known = sum(each.value < UNKNOWN for each in row_of_figures)
            differs = len(set(texts)) > 1 and n_known > 1
            if self.only_differences.isChecked() and not differs:
                continue
            self._add_label(at, row_of_figures[0].label, differs)
            least = min(each.value for each in row_of_figures)
            for place, (text, figure) in enumerate(
                zip(texts, row_of_figures, strict=True), start=2
            ):
                is_least = differs and figure.value == least
                words = self.tr("{figure}  (least)").format(figure=text)
                label = Label(
                    words if is_least else text,
                    "strong" if differs else "body",
                    "success" if is_least else "",
                    wrap=True,
                )
                label.setToolTip(figure.explanation)
                self._grid.addWidget(label, at, place)
            at += 1
        return at

    def _add_label(self, at: int, text: str, differs: bool) -> None:
        sign = Label("≠" if differs else "", "strong", "warning")
        if differs:
            sign.setAccessibleName(self.tr("differs"))
        self._grid.addWidget(sign, at, 0)
        self._grid.addWidget(Label(text, "body", "muted"), at, 1)

    def _foot(self, each: _Beside) -> QWidget:
        choose = Button(self.tr("Choose"), small=True, clicked=each.choose)
        choose.setEnabled(each.can_choose)
        parts: list[QWidget | None] = [choose]
        if Flag.KEPT in each.flags:
            parts.append(
                Button(self.tr("Stop keeping"), "quiet", small=True, clicked=each.drop)
            )
        return holder(column(*parts, spacing=4))
