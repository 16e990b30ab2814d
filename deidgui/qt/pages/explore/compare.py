"""Two to four policies side by side; what differs is marked."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from deidgui.app.charts.plane import Flag
from deidgui.app.tasks.exploring import Candidates
from deidgui.qt import icons
from deidgui.qt.models.figures import (
    EFFECT_GLYPHS,
    EFFECT_TONES,
    FLAG_SIGNS,
    FLAG_TONES,
    Flags,
    figures,
    flag_words,
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


class CompareView(QWidget):
    """The kept policies, beside the best or chosen one where only one is kept.

    Attributes
    ----------
    choose_wanted, drop_wanted, node_selected : Signal of int
    list_wanted : Signal
        Somebody wants to go and keep policies.
    """

    choose_wanted = Signal(int)
    drop_wanted = Signal(int)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidates: Candidates | None = None
        self._nodes: list[int] = []
        self._flags: Flags = {}
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
        """The policies that stand side by side."""
        return self._nodes

    def show_policies(
        self, candidates: Candidates, nodes: list[int], flags: Flags, n_lost: int
    ) -> None:
        """Show some policies side by side.

        Parameters
        ----------
        candidates : Candidates
        nodes : list of int
        flags : mapping of int to tuple of Flag
        n_lost : int
            Kept policies that are no candidates under the thresholds of now.
        """
        self._candidates, self._nodes, self._flags = candidates, nodes, flags
        words = self.tr(
            "{n} kept under earlier thresholds or hierarchies are not shown."
        )
        self._note.setText(words.format(n=n_lost))
        show_if(self._note, n_lost > 0)
        show_if(self._empty, len(nodes) < 2)
        show_if(self._card, len(nodes) >= 2)
        self._fill()

    def _fill(self) -> None:
        clear(self._grid)
        if self._candidates is None or len(self._nodes) < 2:
            return
        for place, node in enumerate(self._nodes, start=2):
            self._grid.addWidget(
                self._head(node), 0, place, Qt.AlignmentFlag.AlignBottom
            )
            self._grid.setColumnStretch(place, 1)
        for place in range(2 + len(self._nodes), 6):
            self._grid.setColumnStretch(place, 0)
        at = self._add_words(self._candidates, 1)
        self._grid.addWidget(line(), at, 0, 1, 2 + len(self._nodes))
        at = self._add_figures(self._candidates, at + 1)
        for place, node in enumerate(self._nodes, start=2):
            self._grid.addWidget(self._foot(node), at, place)

    def _head(self, node: int) -> QWidget:
        assert self._candidates is not None
        parts: list[QWidget] = [
            Badge(f"{FLAG_SIGNS[flag]} {flag_words(flag)}", FLAG_TONES[flag])
            for flag in self._flags.get(node, ())
        ]
        rank = int(self._candidates.rank[node])
        words = self.tr("Rank {rank:,}") if rank else self.tr("Misses the thresholds")
        return holder(column(*parts, Label(words.format(rank=rank), "strong")))

    def _add_words(self, candidates: Candidates, at: int) -> int:
        """Add a row per column of the data; return the next free row."""
        every = [candidates.phrases(node) for node in self._nodes]
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

    def _add_figures(self, candidates: Candidates, at: int) -> int:
        every = [figures(candidates, node) for node in self._nodes]
        for row_of_figures in zip(*every, strict=True):
            texts = [f"{each.text} {each.unit}".strip() for each in row_of_figures]
            differs = len(set(texts)) > 1
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

    def _foot(self, node: int) -> QWidget:
        flags = self._flags.get(node, ())
        choose = Button(
            self.tr("Choose"),
            small=True,
            clicked=partial(self.choose_wanted.emit, node),
        )
        choose.setEnabled(
            Flag.CHOSEN not in flags
            and self._candidates is not None
            and bool(self._candidates.found.feasible[node])
        )
        parts: list[QWidget | None] = [choose]
        if Flag.KEPT in flags:
            drop = partial(self.drop_wanted.emit, node)
            parts.append(
                Button(self.tr("Stop keeping"), "quiet", small=True, clicked=drop)
            )
        return holder(column(*parts, spacing=4))
