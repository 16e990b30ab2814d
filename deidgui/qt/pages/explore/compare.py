"""Two to four policies side by side; what differs is marked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.plane import Flag
from deidgui.app.measuring.kept import KeptAlternative, Links
from deidgui.app.policies.lattice.what_if import Candidates
from deidgui.engine.policy.words import Phrase
from deidgui.qt import icons
from deidgui.qt.models.figures import (
    EFFECT_GLYPHS,
    EFFECT_TONES,
    Figure,
    Flags,
    figures,
)
from deidgui.qt.pages.explore.kept import (
    UNKNOWN,
    Beside,
    alternative_figures,
    node_links,
)
from deidgui.qt.policy_comparison import FIRST, PolicyComparison
from deidgui.qt.widgets import (
    Button,
    GlyphLabel,
    Label,
    column,
    holder,
    row,
)
from deidgui.text import tr

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


class CompareView(PolicyComparison):
    """The kept policies, beside the best or chosen one where only one is kept.

    An alternative that is chosen always stands here.

    Attributes
    ----------
    alternative_chosen, alternative_dropped : Signal of Chosen
        A kept alternative is to be chosen, or not kept any more.
        Somebody wants to go and keep policies.
    """

    choose_wanted = Signal(int)
    drop_wanted = Signal(int)
    alternative_chosen = Signal(object)
    alternative_dropped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        what_to_do = tr(
            "Select a policy in the list, the plane or the lattice and keep it. Up "
            "to four can stand side by side here.",
        )
        super().__init__(what_to_do, parent)
        self._candidates: Candidates | None = None
        self._nodes: list[int] = []
        self._flags: Flags = {}
        self._beside = Beside()

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
        n_lost : int
            Kept policies that are no candidates under the thresholds of now.
        beside : Beside
            Alternatives, and what they share with policies of the search.
        """
        self._candidates, self._nodes, self._flags = candidates, nodes, flags
        self._beside = beside
        lost = tr("{n} kept under earlier thresholds or hierarchies are not shown.")
        n_shown = len(nodes) + len(beside.alternatives)
        self._show(n_shown, lost.format(n=n_lost) if n_lost else "")

    def _fill(self) -> None:
        if self._candidates is None:
            return
        shown = [self._node(place) for place in range(len(self._nodes))]
        shown += map(self._alternative, self._beside.alternatives)
        if not self._begin([self._head(each.title, each.flags) for each in shown]):
            return
        at = self._add_words(shown, 1)
        self._add_line(at, len(shown))
        at = self._add_figures(shown, at + 1)
        for place, each in enumerate(shown, start=FIRST):
            self._grid.addWidget(self._foot(each), at, place)

    def _node(self, place: int) -> _Beside:
        """A policy of the search."""
        assert self._candidates is not None
        candidates, node = self._candidates, self._nodes[place]
        rank = int(candidates.rank[node])
        words = tr("Rank {rank:,}") if rank else tr("Misses the thresholds")
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
            tr("Alternative"),
            kept.phrases,
            alternative_figures(kept),
            kept.accepted.is_met and not is_chosen,
            partial(self.alternative_chosen.emit, kept.chosen),
            partial(self.alternative_dropped.emit, kept.chosen),
        )

    def _add_words(self, shown: list[_Beside], at: int) -> int:
        """Add a row per column of the data; return the next free row."""
        every = [each.phrases for each in shown]
        for phrases in zip(*every, strict=True):
            differs = len({phrase.text for phrase in phrases}) > 1
            if self.only_differences.isChecked() and not differs:
                continue
            self._add_label(at, phrases[0].attribute, differs)
            for place, phrase in enumerate(phrases, start=FIRST):
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
                zip(texts, row_of_figures, strict=True), start=FIRST
            ):
                is_least = differs and figure.value == least
                words = tr("{figure}  (least)", figure=text)
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
        for place, label in enumerate(self._name(text, differs)):
            self._grid.addWidget(label, at, place)

    def _foot(self, each: _Beside) -> QWidget:
        choose = Button(tr("Choose"), small=True, clicked=each.choose)
        choose.setEnabled(each.can_choose)
        parts: list[QWidget | None] = [choose]
        if Flag.KEPT in each.flags:
            parts.append(
                Button(tr("Stop keeping"), "quiet", small=True, clicked=each.drop)
            )
        return holder(column(*parts, spacing=4))
