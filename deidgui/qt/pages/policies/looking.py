"""The panel in which a person decides how policies are looked for, and starts it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QRadioButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.project import Project
from deidgui.qt.pages.parts import Parts
from deidgui.qt.pages.policies.blocks import BlocksPane
from deidgui.qt.pages.policies.deciding import BaselinePane
from deidgui.qt.pages.policies.longitudinal import LongitudinalPane
from deidgui.qt.pages.policies.method import MethodCard
from deidgui.qt.pages.policies.outcome import MinimalCard, RoundsCard
from deidgui.qt.pages.policies.plan import PlanCard
from deidgui.qt.pages.policies.preferences import PreferencesCard
from deidgui.qt.pages.risk.importance import MeasureCard
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Button,
    Callout,
    IconButton,
    Label,
    ReasonLabel,
    column,
    line,
    scroll_in,
    scrolling,
    show_if,
)
from deidgui.text import tr

Way = Literal["optimal", "alternatives", "blocks", "longitudinal"]
"""How policies are looked for: a kind of source."""

WAYS: tuple[Way, ...] = ("optimal", "alternatives", "blocks", "longitudinal")

WIDTH = 336
"""Pixels of the panel."""

SCROLL_BAR = 20
"""Pixels that are left to the scroll bar of the settings."""


class OptimalPane(QWidget):
    """How the best policy under the thresholds is searched for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = Callout()
        self.plan = PlanCard()
        self.measure = MeasureCard()
        self.rounds = RoundsCard()
        self.minimal = MinimalCard()
        parts = (self.problem, self.rounds, self.minimal, self.plan, self.measure)
        self.setLayout(column(*parts, None, spacing=8))


class SearchPane(QWidget):
    """What shall be kept and how policies are looked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preferences = PreferencesCard()
        self.method = MethodCard()
        self.setLayout(column(self.preferences, self.method, None))

    def show_project(self, project: Project, basis: Basis | None) -> None:
        """Show what is decided."""
        discover = project.discover
        domains = basis.space.domains if basis is not None else ()
        self.preferences.show_preferences(
            discover.preferences, domains, discover.elements
        )
        hierarchies = {}
        if basis is not None:
            tables = basis.class_table.hierarchies
            hierarchies = {each.attribute: each for each in tables}
        n_bits = basis.space.n_bits if basis is not None else 0
        self.method.show_discover(discover, hierarchies, n_bits, domains)


class AlternativesPane(QWidget):
    """What alternatives may be no riskier than, and how they are looked for."""

    first = (BaselinePane, SearchPane)

    def __init__(
        self, parent: QWidget | None = None, made: Sequence[QWidget] = ()
    ) -> None:
        super().__init__(parent)
        self.parts = Parts(self, made)
        self.baseline = self.parts.take(BaselinePane)
        self.search = self.parts.take(SearchPane)
        box = column(None, spacing=8)
        self.setLayout(box)
        for place, part in enumerate((self.baseline, self.search)):
            self.parts.place_later(part, partial(box.insertWidget, place))


class LookPanel(QWidget):
    """The ways to look, the settings of the chosen one, and one button that starts it.

    Attributes
    ----------
    open_button : IconButton
        Opens and collapses the panel; stands outside of it.
    again_button : Button
        Stands outside of the panel while that is collapsed.
    toggled : Signal of bool
        The panel was opened or collapsed.
    """

    way_chosen = Signal(str)
    run_wanted = Signal()
    toggled = Signal(bool)
    first = (OptimalPane, AlternativesPane, BlocksPane, LongitudinalPane)

    def __init__(
        self, parent: QWidget | None = None, made: Sequence[QWidget] = ()
    ) -> None:
        super().__init__(parent)
        self.parts = Parts(self, made)
        self.optimal = self.parts.take(OptimalPane)
        self.alternatives = self.parts.take(AlternativesPane)
        self.blocks = self.parts.take(BlocksPane)
        self.longitudinal = self.parts.take(LongitudinalPane)
        self.run_button = Button("", "primary", "search", self.run_wanted)
        self.reason = ReasonLabel()
        toggled = self._on_toggle_clicked
        self.open_button = IconButton("settings", "", toggled, parent=self)
        self.again_button = Button("", clicked=self.run_wanted, parent=self)
        self._build()
        self._fit()
        theme().changed.connect(self._fit)
        self.set_open(True)

    def _build(self) -> None:
        self.ways = QButtonGroup(self)
        self.options: dict[Way, QRadioButton] = {}
        for place, (way, words) in enumerate(self._texts().items()):
            option = QRadioButton(words)
            self.ways.addButton(option, place)
            self.options[way] = option
        self.ways.idClicked.connect(self._on_way_clicked)
        self._settings = QStackedWidget()
        self._areas: list[QScrollArea] = []
        panes = (self.optimal, self.alternatives, self.blocks, self.longitudinal)
        for pane in panes:
            area = scrolling(is_beside=True)
            self._settings.addWidget(area)
            self._areas.append(area)
            self.parts.place_later(pane, partial(self._scroll_in, area))
        self._open = QWidget()
        self._open.setLayout(
            column(
                Label(tr("How to look"), "section"),
                *self.options.values(),
                (self._settings, 1),
                line(),
                self.reason,
                self.run_button,
            )
        )
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._open)
        self.setAccessibleName(tr("How to look for policies"))

    def _scroll_in(self, area: QScrollArea, pane: QWidget) -> None:
        scroll_in(area, pane)
        self._fit()

    def _fit(self) -> None:
        """Be as wide as the letters need."""
        width = round(WIDTH * theme().text_scale)
        self.setFixedWidth(width)
        for area in self._areas:
            # The height that the texts need is asked for at this width.
            if (inside := area.widget()) is not None:
                inside.setMaximumWidth(width - SCROLL_BAR)

    def _texts(self) -> dict[Way, str]:
        return {
            "optimal": tr("Optimal under my thresholds"),
            "alternatives": tr("No riskier than Safe Harbor\nor another policy"),
            "blocks": tr("Few attributes known (block by block)"),
            "longitudinal": tr("Longitudinal (an adversary knows\npart of the events)"),
        }

    # -- what is shown -----------------------------------------------------------------

    @property
    def way(self) -> Way:
        """The way that is chosen."""
        return WAYS[max(self.ways.checkedId(), 0)]

    @property
    def is_open(self) -> bool:
        """Whether the settings are shown."""
        return not self.isHidden()

    def set_way(self, way: Way) -> None:
        """Show the settings of a way; tells nobody."""
        self.options[way].setChecked(True)
        self._settings.setCurrentIndex(WAYS.index(way))

    def offer(self, way: Way, is_offered: bool) -> None:
        """Offer a way that does not fit every table, or not."""
        show_if(self.options[way], is_offered)

    def set_open(self, is_open: bool) -> None:
        """Show the settings, or make room for the policies."""
        show_if(self, is_open)
        show_if(self.again_button, not is_open)
        words = tr("Hide how to look") if is_open else tr("Show how to look")
        self.open_button.set_words(words)

    def show_run(
        self, words: str, reason: str, *, is_possible: bool, is_next: bool
    ) -> None:
        """Say what the button does, and why it does nothing now.

        Parameters
        ----------
        is_next : bool
            Whether to press it is what comes next: nothing was found in this way yet.
        """
        self.run_button.setText(words)
        self.run_button.set_kind("primary" if is_next else "plain")
        self.again_button.setText(words)
        self.reason.set_reason(reason, "warning")
        show_if(self.reason, bool(reason))
        for button in (self.run_button, self.again_button):
            button.setEnabled(is_possible)

    def show_part(self, part: QWidget) -> None:
        """Open the panel and scroll to a part of the settings."""
        if not self.is_open:
            self._on_toggle_clicked()
        area = self._settings.currentWidget()
        assert isinstance(area, QScrollArea)
        area.ensureWidgetVisible(part)

    # -- what somebody does ------------------------------------------------------------

    def _on_way_clicked(self, place: int) -> None:
        self.set_way(WAYS[place])
        self.way_chosen.emit(WAYS[place])

    def _on_toggle_clicked(self) -> None:
        self.set_open(not self.is_open)
        self.toggled.emit(self.is_open)
