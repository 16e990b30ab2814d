"""Which policies are shown: words, levels, suppressed records, thresholds, group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.policies.lattice.policies import LATTICE, LatticePolicies
from deidgui.app.policies.policy_set import Filter, PolicySet
from deidgui.qt.theme import tokens
from deidgui.qt.widgets import (
    Button,
    Caption,
    Chip,
    ComboBox,
    FlowLayout,
    Label,
    SearchField,
    ToggleSwitch,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import share_text, tr

ANY = ""

SEARCH_WIDTH = 168
"""With it the filter has one line where the window is 1,280 pixels wide."""

SHARES = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5)
"""Shares of suppressed records that can be set as the most."""


class FilterBar(QWidget):
    """One filter over list, plane and lattice.

    Attributes
    ----------
    filter_changed : Signal
        `wanted` is another filter now.
    group_left : Signal
        The policies of all groups shall be shown.
    """

    filter_changed = Signal()
    group_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(tr("Filter"))
        self.search.setFixedWidth(SEARCH_WIDTH)
        self.search.setToolTip(
            tr(
                "Shows policies whose words for one column contain all of these. A "
                "comma divides conditions: “sex full, age bands of 5”."
            )
        )
        self.search.searched.connect(self._report)
        self.feasible = ToggleSwitch(tr("Only policies that meet the thresholds"))
        self.feasible.setChecked(True)
        self.feasible.toggled.connect(self._report)
        self.suppressed = ComboBox(
            [(ANY, tr("Any suppression")), *self._shares()],
            tr("Most suppressed"),
        )
        self.suppressed.currentIndexChanged.connect(self._report)
        self.source = ComboBox([(ANY, "")], tr("How policies were found"))
        self.source.currentIndexChanged.connect(self._report)
        show_if(self.source, False)
        self.group = Chip("", "accent", "close", is_clickable=True)
        self.group.clicked.connect(self._on_group_left)
        self.group_words = ""
        show_if(self.group, False)
        self.levels_button = Button(
            tr("Levels"), glyph="filter", clicked=self._on_levels_clicked
        )
        self.levels_button.setCheckable(True)
        self.clear_button = Button(tr("Clear"), "quiet", clicked=self.clear)
        self.count = Caption()
        self.count.setWordWrap(False)
        self._levels = QWidget()
        self._flow = FlowLayout(self._levels, 12)
        self._made_boxes: dict[str, ComboBox] = {}
        self._offered: dict[str, list[tuple[str, str]]] = {}
        show_if(self._levels, False)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        tools = FlowLayout(spacing=8)
        words = Label(tr("Meets the thresholds"))
        switch = holder(row(self.feasible, words, spacing=6))
        self._on_one_line = (
            self.search,
            self.suppressed,
            self.source,
            self.levels_button,
            switch,
            self.group,
            self.clear_button,
            self.count,
        )
        for part in self._on_one_line:
            tools.addWidget(part)
        self._fit_height()
        box.addWidget(holder(tools))
        box.addWidget(self._levels)
        self._show_clear()

    def _fit_height(self) -> None:
        for part in self._on_one_line:
            part.setFixedHeight(tokens().control_height)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and hasattr(self, "_on_one_line"):
            self._fit_height()

    def _shares(self) -> list[tuple[str, str]]:
        none = (str(SHARES[0]), tr("Nothing suppressed"))
        others = [
            (str(each), tr("At most {share} suppressed", share=share_text(each)))
            for each in SHARES[1:]
        ]
        return [none, *others]

    # -- what is wanted ------------------------------------------------------------

    @property
    def wanted(self) -> Filter:
        """The filter that is set."""
        chosen = {name: box.current for name, box in self._made_boxes.items()}
        return Filter(
            text=self.search.text(),
            highest_level={n: int(level) for n, level in chosen.items() if level},
            suppressed_share=float(self.suppressed.current or 1.0),
            only_meeting=self.feasible.isChecked(),
            sources=frozenset([self.source.current]) if self.source.current else None,
        )

    def clear(self) -> None:
        """Show every policy that meets the thresholds."""
        boxes = (self.suppressed, self.source, *self._made_boxes.values())
        parts = (self.search, self.feasible, *boxes)
        blockers = [QSignalBlocker(part) for part in parts]
        self.search.setText("")
        self.feasible.setChecked(True)
        for box in boxes:
            box.set_current(ANY)
        del blockers
        self._on_group_left()
        self._report()

    def show_group(self, words: str) -> None:
        """Name the group whose policies are shown; empty for none."""
        self.group_words = words
        self.group.show_words(words, "accent", "close")
        self.group.setAccessibleName(tr("Leave the group: ") + words)
        show_if(self.group, bool(words))
        self._show_clear()

    def _on_group_left(self) -> None:
        if self.group_words:
            self.group_left.emit()

    def set_feasible(self, is_feasible: bool) -> None:
        """Show only policies that meet the thresholds, or all."""
        self.feasible.setChecked(is_feasible)

    def show_levels_of(self, policies: PolicySet) -> None:
        """Offer the levels of other columns; the same ones keep what is set."""
        part = policies.part(LATTICE)
        assert part is None or isinstance(part, LatticePolicies)
        offered = {
            name: [(ANY, tr("Any level")), *self._levels_of(part, place)]
            for place, name in enumerate(policies.attributes)
        }
        if offered != self._offered:
            self._offer_levels(offered)
        self._offer_sources(policies.kinds)
        self._show_clear()

    def _offer_levels(self, offered: dict[str, list[tuple[str, str]]]) -> None:
        """Offer other levels; who has not looked at them waits for no lists."""
        self._offered = offered
        before = {n: box.current for n, box in self._made_boxes.items()}
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._made_boxes = {}
        if not self._levels.isHidden() or any(before.values()):
            self._make_boxes(before)

    @property
    def _boxes(self) -> dict[str, ComboBox]:
        """A list of levels for each column."""
        if not self._made_boxes:
            self._make_boxes({})
        return self._made_boxes

    def _make_boxes(self, before: Mapping[str, str]) -> None:
        for name, options in self._offered.items():
            box = ComboBox(options, tr("Most general level of ") + name)
            box.setMaximumWidth(220)
            known = {key for key, _words in options}
            box.set_current(before.get(name, ANY) if before.get(name) in known else ANY)
            box.currentIndexChanged.connect(self._report)
            self._made_boxes[name] = box
            label = Label(name, "caption", "muted")
            self._flow.addWidget(holder(column(label, box, spacing=2)))

    def _levels_of(
        self, part: LatticePolicies | None, place: int
    ) -> list[tuple[str, str]]:
        """Levels that an attribute may have at most; only in full without a lattice."""
        if part is None:
            return [("0", tr("In full"))]
        found: list[tuple[str, str]] = []
        lowest = part.lattice.minimum[place]
        for level in range(lowest, part.lattice.maximum[place]):
            if level > lowest and level not in part.hierarchies[place].steps:
                continue  # The level makes no difference on these data.
            cell = part.cells[place][level]
            is_kept = cell.effect == "kept"
            words = (
                tr("In full") if is_kept else tr("At most: {words}", words=cell.text)
            )
            found.append((str(level), words))
        return found

    def _offer_sources(self, kinds: Sequence[str]) -> None:
        names = {
            "lattice": tr("Optimal under my thresholds"),
            "alternatives": tr("No riskier than the baseline"),
            "longitudinal": tr("Longitudinal"),
            "blocks": tr("Few attributes known"),
        }
        before = self.source.current
        with QSignalBlocker(self.source):
            self.source.clear()
            self.source.addItem(tr("All policies"), ANY)
            for kind in kinds:
                self.source.addItem(names[kind], kind)
            self.source.set_current(before if before in kinds else ANY)
        show_if(self.source, len(kinds) > 1)

    def show_count(self, n_shown: int, policies: PolicySet) -> None:
        """Say how many candidates pass, of how many, and which are not listed."""
        n_all, n_same = int(policies.known.sum()), policies.n_same
        words = tr("{shown:,} of {all:policy|policies}", shown=n_shown, all=n_all)
        why = ""
        if n_same:
            words = tr(
                "{shown:,} of {all:different policy|different policies}",
                shown=n_shown,
                all=n_all,
            )
            why = tr(
                "{looked_at:policy was|policies were} looked at; "
                "{n:policy releases|policies release} the same table as one that is "
                "listed.",
                looked_at=n_all + n_same,
                n=n_same,
            )
        if n_more := policies.n_unlisted:
            words = tr(
                "{shown:,} of {listed:,} listed; {all:policy|policies} in all",
                shown=n_shown,
                listed=n_all,
                all=n_all + n_same + n_more,
            )
            more = tr(
                "{n:policy is|policies are} not listed: a list has those that were "
                "looked at, of many the best and those near them.",
                n=n_more,
            )
            why = f"{why} {more}".strip()
        self.count.setText(words)
        self.count.setToolTip(why)

    def _on_levels_clicked(self) -> None:
        if self.levels_button.isChecked() and not self._made_boxes:
            self._make_boxes({})
        show_if(self._levels, self.levels_button.isChecked())

    def _show_clear(self) -> None:
        wanted = self.wanted
        n_levels = len(wanted.highest_level)
        label = tr("Levels ({number})", number=n_levels)
        self.levels_button.setText(label if n_levels else tr("Levels"))
        is_set = bool(wanted.text or n_levels or wanted.suppressed_share < 1)
        is_set = is_set or wanted.sources is not None or bool(self.group_words)
        show_if(self.clear_button, is_set or not wanted.only_meeting)

    def _report(self) -> None:
        self._show_clear()
        self.filter_changed.emit()
