"""What all sources found: one filter, one selection, one detail."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app.policies.blocks.policies import BlockPolicies
from deidgui.app.policies.candidate import Candidate, Cell
from deidgui.app.policies.groups import PolicyGroup, groups_of
from deidgui.app.policies.lattice.policies import LATTICE
from deidgui.app.policies.ordering import sorted_words
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.source import BLOCKS
from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.quality import QualityMeasure
from deidgui.qt.models.figures import Flags, policy_figures
from deidgui.qt.pages.parts import Parts
from deidgui.qt.pages.policies.blocks import StepsView
from deidgui.qt.pages.policies.compare import CompareView
from deidgui.qt.pages.policies.detail import PolicyPanel
from deidgui.qt.pages.policies.filters import FilterBar
from deidgui.qt.pages.policies.trade_offs import TradeOffsPane
from deidgui.qt.pages.policies.views import VIEWS, PolicyViews
from deidgui.qt.pages.policies.what_if import WhatIfPane
from deidgui.qt.pages.policies.words import cluster_words
from deidgui.qt.widgets import (
    InTurns,
    Segmented,
    ShownStack,
    Splitter,
    column,
    scroll_in,
    scrolling,
    show_if,
)
from deidgui.text import tr

OF_SEARCH = ("what_if", "trade_offs")
"""Views that only a lattice has."""

NARROW = 552
"""Pixels below which the selected policy stands under the others."""


class Results(QWidget):
    """The policies as list, plane, lattice, groups, comparison, what-if, trade-offs.

    Attributes
    ----------
    selected : Signal of int
        Somebody selected a policy.
    """

    selected = Signal(int)
    tab_shown = Signal(str)
    first = (
        PolicyViews,
        PolicyPanel,
        CompareView,
        WhatIfPane,
        TradeOffsPane,
        StepsView,
    )

    def __init__(
        self, parent: QWidget | None = None, made: Sequence[QWidget] = ()
    ) -> None:
        super().__init__(parent)
        self.parts = Parts(self, made)
        self.policies = PolicySet()
        self.number: int | None = None
        self._flags: Flags = {}
        self._threshold: float | None = None
        self._measure: QualityMeasure | None = None
        self._loss_words = ""
        self._scores: FloatArray | None = None
        self._groups: tuple[PolicyGroup, ...] = ()
        self._group: Hashable = None
        self._all_passed = np.empty(0, np.bool_)
        self._passed_by: object = None
        self._is_grouped = False
        self._turns = InTurns(self)
        self.tabs = Segmented(
            [
                ("list", tr("List")),
                ("plane", tr("Risk and loss")),
                ("lattice", tr("Lattice")),
                ("groups", tr("Groups")),
                ("compare", tr("Compare")),
                ("what_if", tr("What if")),
                ("trade_offs", tr("Trade-offs")),
                ("steps", tr("Steps")),
            ],
            name=tr("View"),
            parent=self,
            wraps=True,
        )
        self.filters = FilterBar()
        self.views = self.parts.take(PolicyViews)
        self.panel = self.parts.take(PolicyPanel)
        self.compare = self.parts.take(CompareView)
        self.what_if = self.parts.take(WhatIfPane)
        self.trade_offs = self.parts.take(TradeOffsPane)
        self.steps = self.parts.take(StepsView)
        panel = self.panel
        self.views.offer(panel.choose_button, panel.keep_button, panel.compare_button)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.split = Splitter(NARROW)
        self.split.setHandleWidth(8)
        self._detail = scrolling(is_beside=True)
        self.split.addWidget(self._detail)
        place_later = self.parts.place_later
        place_later(self.views, self._place_views)
        place_later(self.panel, partial(scroll_in, self._detail))
        seen = QWidget()
        seen.setLayout(column(self.filters, (self.split, 1)))
        self._sections = ShownStack(self)
        self._section_of: dict[str, QWidget] = dict.fromkeys(VIEWS, seen)
        self._sections.addWidget(seen)
        for key, pane in (
            ("compare", self.compare),
            ("what_if", self.what_if),
            ("trade_offs", self.trade_offs),
        ):
            self._section_of[key] = area = scrolling()
            self._sections.addWidget(area)
            place_later(pane, partial(scroll_in, area))
        self._section_of["steps"] = self.steps
        place_later(self.steps, self._sections.addWidget)

    def _place_views(self, views: PolicyViews) -> None:
        self.split.insertWidget(0, views)
        self.split.setCollapsible(0, False)
        self.split.setStretchFactor(0, 1)
        self.split.share([756, 260], [300, 236])

    def _connect(self) -> None:
        self.tabs.chosen.connect(self.show_tab)
        self.filters.filter_changed.connect(self.show_views)
        self.filters.group_left.connect(self._on_group_left)
        self.views.policy_selected.connect(self._on_selected)
        self.views.groups.group_chosen.connect(self._on_group_chosen)
        self.panel.compare_wanted.connect(self._on_compare_wanted)
        self.compare.list_wanted.connect(self._on_list_wanted)

    # -- what is shown -----------------------------------------------------------------

    def show_tab(self, key: str) -> None:
        """Show one of the views."""
        key = key if self.tabs.offers(key) else "list"
        self.tabs.set_current(key)
        self._sections.setCurrentWidget(self._section_of[key])
        if key == "groups" and self._passed_by is not None:
            # Groups of other policies are not seen meanwhile.
            show_if(self.views.groups, self._is_grouped)
            self._turns.begin(self._show_groups_later())
        if key in VIEWS:
            self.views.show_view(key)
        self.tab_shown.emit(key)

    def show_policies(
        self,
        policies: PolicySet,
        flags: Flags,
        *,
        threshold: float | None,
        measure: QualityMeasure | None,
        loss_words: str = "",
        scores: FloatArray | None = None,
    ) -> None:
        """Show policies, and how they are marked (see `PolicyViews.show_policies`)."""
        is_other = policies is not self.policies
        self.policies, self._flags = policies, flags
        self._threshold, self._measure, self._scores = threshold, measure, scores
        self._loss_words = loss_words
        self.tabs.offer("lattice", policies.on_lattice is not None)
        for key in OF_SEARCH:
            self.tabs.offer(key, LATTICE in policies.kinds)
        by_blocks = policies.part(BLOCKS)
        self.tabs.offer("steps", by_blocks is not None)
        if isinstance(by_blocks, BlockPolicies):
            self.steps.show_found(by_blocks)
        if not self.tabs.offers(self.tabs.current):
            self.show_tab("list")
        if is_other:
            self.filters.show_levels_of(policies)
        self.show_views()

    def show_views(self) -> None:
        """Show what passes the filter, in every view."""
        policies, wanted = self.policies, self.filters.wanted
        if self._passed_by != (policies, wanted):
            self._all_passed = policies.matching(wanted)
            self._passed_by, self._is_grouped = (policies, wanted), False
        # PERF: groups of 9,000 policies and their tiles take 15 ms.
        if self._group is not None or self.tabs.current == "groups":
            self._show_groups()
        else:
            self.filters.show_group("")
        passed = self._of_group(self._all_passed)
        self.filters.show_count(int(passed.sum()), policies)
        self.views.show_policies(
            policies,
            passed,
            self._flags,
            selected=self.number,
            threshold=self._threshold,
            measure=self._measure,
            loss_words=self._loss_words,
            scores=self._scores,
        )
        if self.tabs.current in VIEWS:
            self.views.show_view(self.tabs.current)

    def _of_group(self, passed: BoolArray) -> BoolArray:
        """Those of the chosen group, if there is one."""
        if self._group is None:
            return passed
        members = next(g.numbers for g in self._groups if g.key == self._group)
        is_member = np.zeros(len(self.policies), np.bool_)
        is_member[members] = True
        both: BoolArray = passed & is_member
        return both

    def _show_groups_later(self) -> Iterator[None]:
        yield
        self._show_groups()

    def _show_groups(self) -> None:
        numbers = np.flatnonzero(self._all_passed)
        if not self._is_grouped:
            self._groups = groups_of(self.policies, numbers)
            self._is_grouped = True
        keys = [group.key for group in self._groups]
        if self._group not in keys:
            self._group = None
        current = -1 if self._group is None else keys.index(self._group)
        words = [group_words(group) for group in self._groups]
        self.filters.show_group(words[current] if current >= 0 else "")
        examples = [self.policies.candidate(group.example) for group in self._groups]
        shared = _shared_cells(examples)
        tiles = [
            (name, self._count_words(group, best), _example_words(group, best, shared))
            for name, group, best in zip(words, self._groups, examples, strict=True)
        ]
        best_of_each = np.array([group.example for group in self._groups], np.int64)
        in_all = [sorted_words(self.policies, best_of_each)]
        if same := _changes(shared):
            in_all.append(tr("The same in the best of each: {words}.", words=same))
        about = " ".join(filter(None, in_all))
        self.views.groups.show_groups(len(numbers), tiles, current, about)
        show_if(self.views.groups, True)

    def _count_words(self, group: PolicyGroup, best: Candidate) -> str:
        """How many there are, and the figures of the best one."""
        text = tr("{n:policy|policies}", n=len(group.numbers))
        if group.cluster is not None:
            text = f"{text}: {cluster_words(group.cluster)}"
        known = policy_figures(
            best.figures, best.n_records, self._measure, of_people=best.by_person
        )
        figures = [
            f"{each.label}: {each.text} {each.unit}".strip()
            for each in known
            if each.text != "–"
        ]
        if not figures:
            return text
        return "\n".join((tr("{policies}; the best:", policies=text), *figures))

    def show_detail(self, is_shown: bool) -> None:
        """Show the selected policy beside the views, or leave them its room."""
        show_if(self._detail, is_shown)

    def select(self, number: int | None) -> None:
        """Show in every view which policy is selected; tells nobody."""
        self.number = number
        self.views.select(number)

    # -- what somebody does ------------------------------------------------------------

    def _on_selected(self, number: int) -> None:
        self.number = number
        self.selected.emit(number)

    def _on_group_chosen(self, place: int) -> None:
        self._group = self._groups[place].key if place >= 0 else None
        if place >= 0:
            self._on_selected(self._groups[place].example)
        self.show_tab("list")
        self.show_views()

    def _on_group_left(self) -> None:
        self._group = None
        self.show_views()

    def _on_compare_wanted(self) -> None:
        self.show_tab("compare")

    def _on_list_wanted(self) -> None:
        self.show_tab("list")


def _shared_cells(policies: Sequence[Candidate]) -> tuple[Cell, ...]:
    """What all of some policies do alike; nothing where there is but one."""
    first, *others = (each.cells for each in policies) if policies else ((),)
    if not others:
        return ()
    shared = {(cell.attribute, cell.text) for cell in first}
    for cells in others:
        shared &= {(cell.attribute, cell.text) for cell in cells}
    return tuple(cell for cell in first if (cell.attribute, cell.text) in shared)


def _changes(cells: Sequence[Cell], without: Sequence[Cell] = ()) -> str:
    """Say what is not kept, but for what is said elsewhere."""
    said = {(cell.attribute, cell.text) for cell in without}
    return "; ".join(
        f"{cell.attribute}: {cell.text}"
        for cell in cells
        if cell.effect != "kept" and (cell.attribute, cell.text) not in said
    )


def _example_words(group: PolicyGroup, best: Candidate, shared: Sequence[Cell]) -> str:
    """Say what the best policy of a group does otherwise than those of others."""
    if group.cluster is not None:
        # What its policies have in common is said already.
        return ""
    if all(cell.effect == "kept" for cell in best.cells):
        return tr("The best keeps everything.")
    words = _changes(best.cells, shared)
    kept = [cell.attribute for cell in best.cells if cell.effect == "kept"]
    if group.kept is not None or not kept:
        return words  # what is kept is the name of the group
    in_full = f"{tr('in full')}: {', '.join(kept)}"
    return "; ".join(filter(None, (words, in_full)))


def group_words(group: PolicyGroup) -> str:
    """Name a group by what its policies keep."""
    if group.kept is None:
        return tr("All others")
    if not group.kept:
        return tr("Keeps no attribute in full")
    return tr("Keeps {names}", names=", ".join(group.kept))
