"""Which candidates are shown: words, levels, suppressed records, thresholds."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.charts.formats import share_text
from deidgui.app.policies.lattice.what_if import Candidates, Filter
from deidgui.qt.theme import tokens
from deidgui.qt.widgets import (
    Button,
    Caption,
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
from deidgui.text import tr

ANY = ""
SHARES = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5)
"""Shares of suppressed records that can be set as the most."""


class FilterBar(QWidget):
    """One filter over list, plane and lattice.

    Attributes
    ----------
    filter_changed : Signal
        `wanted` is another filter now.
    """

    filter_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(tr("Words: sex full, age bands of 5"))
        self.search.setMinimumWidth(150)
        self.search.setToolTip(
            tr(
                "Shows policies whose words for one column contain all of these. A "
                "comma divides conditions: “sex full, age bands of 5”."
            )
        )
        self.search.searched.connect(self._tell)
        self.feasible = ToggleSwitch(tr("Only policies that meet the thresholds"))
        self.feasible.setChecked(True)
        self.feasible.toggled.connect(self._tell)
        self.suppressed = ComboBox(
            [(ANY, tr("Any number suppressed")), *self._shares()],
            tr("Most records suppressed"),
        )
        self.suppressed.currentIndexChanged.connect(self._tell)
        self.levels_button = Button(
            tr("Levels"), glyph="filter", clicked=self._on_levels_clicked
        )
        self.levels_button.setCheckable(True)
        self.clear_button = Button(tr("Clear"), "quiet", clicked=self.clear)
        self.count = Caption()
        self.count.setWordWrap(False)
        self._levels = QWidget()
        self._flow = FlowLayout(self._levels, 12)
        self._boxes: dict[str, ComboBox] = {}
        show_if(self._levels, False)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        tools = FlowLayout(spacing=8)
        words = Label(tr("Meets the thresholds"))
        switch = holder(row(self.feasible, words, spacing=6))
        for part in (
            self.search,
            self.suppressed,
            self.levels_button,
            switch,
            self.clear_button,
            self.count,
        ):
            part.setFixedHeight(tokens().control_height)
            tools.addWidget(part)
        box.addWidget(holder(tools))
        box.addWidget(self._levels)
        self._show_clear()

    def _shares(self) -> list[tuple[str, str]]:
        words = tr("At most {share} suppressed")
        none = (str(SHARES[0]), tr("Nothing suppressed"))
        others = [(str(s), words.format(share=share_text(s))) for s in SHARES[1:]]
        return [none, *others]

    # -- what is wanted ------------------------------------------------------------

    @property
    def wanted(self) -> Filter:
        """The filter that is set."""
        chosen = {name: box.current for name, box in self._boxes.items()}
        return Filter(
            text=self.search.text(),
            highest_level={n: int(level) for n, level in chosen.items() if level},
            suppressed_share=float(self.suppressed.current or 1.0),
            is_feasible=self.feasible.isChecked(),
        )

    def clear(self) -> None:
        """Show every policy that meets the thresholds."""
        parts = (self.search, self.suppressed, self.feasible, *self._boxes.values())
        blockers = [QSignalBlocker(part) for part in parts]
        self.search.setText("")
        self.suppressed.set_current(ANY)
        self.feasible.setChecked(True)
        for box in self._boxes.values():
            box.set_current(ANY)
        del blockers
        self._tell()

    def set_feasible(self, is_feasible: bool) -> None:
        """Show only policies that meet the thresholds, or all."""
        self.feasible.setChecked(is_feasible)

    def show_levels_of(self, candidates: Candidates) -> None:
        """Offer the levels of other columns; the same ones keep what is set."""
        names = candidates.found.attributes
        lattice = candidates.found.lattice
        before = {name: box.current for name, box in self._boxes.items()}
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._boxes = {}
        for place, name in enumerate(names):
            options = [(ANY, tr("Any level"))]
            words = candidates.level_words[place]
            for level in range(lattice.minimum[place], lattice.maximum[place]):
                most = tr("At most: {words}")
                text = words[level].text
                is_kept = words[level].effect == "kept"
                shown = tr("In full") if is_kept else most.format(words=text)
                options.append((str(level), shown))
            box = ComboBox(options, tr("Most general level of ") + name)
            box.setMaximumWidth(220)
            known = {key for key, _words in options}
            box.set_current(before.get(name, ANY) if before.get(name) in known else ANY)
            box.currentIndexChanged.connect(self._tell)
            self._boxes[name] = box
            label = Label(name, "caption", "muted")
            self._flow.addWidget(holder(column(label, box, spacing=2)))
        self._show_clear()

    def show_count(self, n_shown: int, n_all: int) -> None:
        """Say how many candidates pass."""
        words = tr("{shown:,} of {all:,} policies")
        self.count.setText(words.format(shown=n_shown, all=n_all))

    def _on_levels_clicked(self) -> None:
        show_if(self._levels, self.levels_button.isChecked())

    def _show_clear(self) -> None:
        wanted = self.wanted
        n_levels = len(wanted.highest_level)
        label = tr("Levels ({number})", number=n_levels)
        self.levels_button.setText(label if n_levels else tr("Levels"))
        is_set = bool(wanted.text or n_levels or wanted.suppressed_share < 1)
        show_if(self.clear_button, is_set or not wanted.is_feasible)

    def _tell(self) -> None:
        self._show_clear()
        self.filter_changed.emit()
