"""The page on which policies are compared and one is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from deidgui.app import ops
from deidgui.app.changes import Changes
from deidgui.app.charts.plane import Flag
from deidgui.app.jobs import Job
from deidgui.app.policies.acceptance import fits, has_alternative
from deidgui.app.policies.lattice import what_if as exploring
from deidgui.app.policies.lattice.policies import LatticePolicies, infeasible
from deidgui.app.policies.lattice.trade_offs import Prices, prices
from deidgui.app.policies.lattice.what_if import MOST_KEPT, Candidates
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Chosen
from deidgui.app.session import Kind, State
from deidgui.engine.quality.all_measures import MeasureLoss
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.messages import words_for
from deidgui.qt.models.figures import Flags
from deidgui.qt.models.proof import proof_of, shown_words
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.explore.compare import CompareView
from deidgui.qt.pages.explore.detail import CandidatePanel
from deidgui.qt.pages.explore.filters import FilterBar
from deidgui.qt.pages.explore.kept import KeptAlternatives, alternatives_of
from deidgui.qt.pages.explore.marks import marks_of
from deidgui.qt.pages.explore.prices import PricesPane
from deidgui.qt.pages.explore.thresholds import Asked
from deidgui.qt.pages.explore.views import CandidateViews
from deidgui.qt.pages.explore.what_if import WhatIfPane
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Callout,
    Caption,
    EmptyState,
    Segmented,
    StatusLine,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

PREPARE, ASK, PRICE, RENEW, LOSSES = (
    *("explore", "what if", "prices", "renew"),
    "every measure",
)
"""Lanes of this page: one job each, the newest wins."""

VIEWS = ("list", "plane", "lattice")


class ExplorePage(Page):
    """List, plane, lattice, comparison and what-if over the same candidates."""

    key = "explore"
    scrolls = False
    parts = (
        Changes.RESULT
        | Changes.CHOICE
        | Changes.PRIVACY
        | Changes.QUALITY
        | Changes.SEARCH
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.DATA
    )

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Explore"),
            tr(
                "Every policy that was found, with its price. The best one is released "
                "unless you choose another."
            ),
        )
        self._candidates: Candidates | None = None
        self._found: LatticePolicies | None = None
        self._node: int | None = None
        self._prices: Prices | None = None
        self._flags: Flags = {}
        self._asked: Asked | None = None
        self._kept = KeptAlternatives(workspace, self._show_compare, self._on_failed)
        self._banner = Callout()
        self._banner.acted.connect(self._on_banner_acted)
        self._empty = EmptyState("explore", "")
        self._empty.acted.connect(self._on_search_wanted)
        self._busy = StatusLine()
        self.tabs = Segmented(
            [
                ("list", tr("List"), "table-rows"),
                ("plane", tr("Risk and loss"), "scatter"),
                ("lattice", tr("Lattice"), "hierarchies"),
                ("compare", tr("Compare"), "compare"),
                ("what_if", tr("What if"), "wand"),
                ("prices", tr("Prices"), "chart"),
            ],
            name=tr("View"),
        )
        self.filters = FilterBar()
        self.views = CandidateViews()
        self.panel = CandidatePanel()
        self.compare = CompareView()
        self.what_if = WhatIfPane()
        self.prices = PricesPane()
        self._build()
        self._connect()

    def _build(self) -> None:
        explore = QWidget()
        box = QVBoxLayout(explore)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(self.filters)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(8)
        split.addWidget(self.views)
        split.addWidget(scrolling(self.panel))
        split.setStretchFactor(0, 1)
        box.addWidget(split, 1)
        what_if, compare = scrolling(self.what_if), scrolling(self.compare)
        prices = scrolling(self.prices)
        self._sections = QStackedLayout()
        self._section_of = {
            **dict.fromkeys(VIEWS, explore),
            "compare": compare,
            "what_if": what_if,
            "prices": prices,
        }
        for section in (explore, compare, what_if, prices):
            self._sections.addWidget(section)
        self._content = QWidget()
        content = QVBoxLayout(self._content)
        content.setContentsMargins(0, 0, 0, 0)
        content.setSpacing(12)
        self._part = Caption()
        self._part.setWordWrap(True)
        head = row(self.tabs, self._part, spacing=16)
        head.setStretch(1, 1)
        content.addWidget(holder(head))
        content.addWidget(self._busy)
        content.addLayout(self._sections, 1)
        self.body.addWidget(self._banner)
        self.body.addWidget(self._empty, 1)
        self.body.addWidget(self._content, 1)
        show_if(self._busy, False)

    def _connect(self) -> None:
        self.tabs.chosen.connect(self.show_tab)
        self.filters.filter_changed.connect(self._show_views)
        self.views.node_selected.connect(self._on_node_selected)
        self.views.node_activated.connect(self._choose)
        self.panel.choose_wanted.connect(self._choose)
        self.panel.keep_wanted.connect(self._keep)
        self.panel.drop_wanted.connect(self._drop)
        self.panel.forget_wanted.connect(self._forget_choice)
        self.panel.measures_wanted.connect(self._update_losses)
        self.compare.choose_wanted.connect(self._choose)
        self.compare.drop_wanted.connect(self._drop)
        self.compare.alternative_chosen.connect(self._choose_alternative)
        self.compare.alternative_dropped.connect(self._drop_alternative)
        self.compare.list_wanted.connect(self._on_list_wanted)
        self.what_if.asked.connect(self._on_asked)
        self.what_if.take_over_wanted.connect(self._on_take_over)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the candidates and marks as they are now."""
        found = self.session.result(LATTICE)
        show_if(self._content, found is not None)
        show_if(self._empty, found is None)
        self._show_banner(found)
        self._part.setText(self.part_words())
        if found is None:
            self._show_empty()
            self._candidates = self._found = None
            return
        if found is not self._found:
            self._prepare(found)
        elif self._candidates is not None:
            self._show_all()

    def show_tab(self, key: str) -> None:
        """Show one of the views."""
        self.tabs.set_current(key)
        self._sections.setCurrentWidget(self._section_of[key])
        if key in VIEWS:
            self.views.show_view(key)
        elif key == "compare":
            self._show_compare()
        elif key == "prices":
            self._update_prices()

    def show_place(self, part: str) -> None:
        """Show the view that another page leads to."""
        self.show_tab(part)

    def _show_empty(self) -> None:
        if self.session.loaded is None:
            self._empty.show_words(
                tr("No data file is open"),
                tr("Open a file, decide the thresholds and search first."),
            )
            return
        self._empty.show_words(
            tr("No search yet"),
            tr(
                "The search examines every policy. Afterwards they can be compared "
                "here, with what each threshold costs, and one can be chosen."
            ),
            tr("Go to Search"),
        )

    def _show_banner(self, found: LatticePolicies | None) -> None:
        state = self.session.state(LATTICE)
        show_if(self._banner, False)
        if has_alternative(self.session.project):
            self._banner.show_words(
                tr("An alternative is chosen: it is what will be released."),
                "info",
                tr("These are policies of the search; Compare shows all of them."),
                tr("Go to Alternatives"),
            )
            show_if(self._banner, True)
            return
        if found is None:
            return
        if state is State.STALE:
            can_renew = self._can_renew(found)
            self._banner.show_words(
                tr("These results rest on earlier decisions."),
                "warning",
                tr("The same policies can be judged anew at once.")
                if can_renew
                else tr("Search again to bring them up to date."),
                tr("Bring up to date") if can_renew else tr("Go to Search"),
            )
        elif found.optimum is None:
            miss = words_for(infeasible(found))
            action = tr("Change thresholds")
            self._banner.show_words(miss.what, "danger", miss.fix, action)
        elif not found.complete or found.minimal:
            proof = proof_of(found)
            self._banner.show_words(
                proof.text, proof.status, proof.detail, tr("Go to Search")
            )
        else:
            return
        show_if(self._banner, True)

    def part_words(self) -> str:
        """Say which part of the lattice is shown; empty if it is all of it."""
        found = self.session.result(LATTICE)
        # What is not proven is said above, with this.
        if found is None or not found.complete or found.minimal:
            return ""
        return shown_words(found)

    def _can_renew(self, found: LatticePolicies) -> bool:
        classes = self.session.current(Kind.CLASSES)
        return exploring.can_renew(self.session.project, classes, found)

    def _prepare(self, found: LatticePolicies) -> None:
        """Prepare the candidates of another search (lane `PREPARE`)."""
        before = self._found
        if before is None or not exploring.is_same_lattice(before, found):
            self._node = None
        self._found, self._candidates, self._prices = found, None, None
        self._say(tr("Preparing the policies"))
        self.workspace.runner.start(
            PREPARE,
            lambda monitor: exploring.candidates(found, monitor=monitor),
            Job(self._on_prepared, self._on_failed),
        )

    def _on_prepared(self, candidates: Candidates) -> None:
        if candidates.found is not self._found:
            return
        self._say("")
        before = self._node
        self._candidates = candidates
        self.filters.show_levels_of(candidates)
        if candidates.found.optimum is None:
            self.filters.set_feasible(False)
        is_known = before is not None and before < candidates.n_nodes
        self._node = before if is_known else self._first_node(candidates.found)
        self.what_if.show_decided(candidates)
        self._show_all()
        if self.tabs.current == "prices":
            self._update_prices()

    def _first_node(self, found: LatticePolicies) -> int | None:
        chosen = exploring.node_of(found, self.session.project.chosen)
        wanted = (chosen, found.optimum, found.nearest)
        return next((node for node in wanted if node is not None), None)

    def _say(self, words: str) -> None:
        self._busy.set_idle(words)
        show_if(self._busy, bool(words))

    def _show_all(self) -> None:
        assert self._candidates is not None
        self._flags = marks_of(self.session.project, self._candidates.found)
        self._show_views()
        self._show_detail()
        self._show_compare()

    def _show_views(self) -> None:
        candidates = self._candidates
        if candidates is None:
            return
        passed = candidates.matching(self.filters.wanted)
        self.filters.show_count(int(passed.sum()), candidates.n_nodes)
        threshold = self.session.project.privacy.threshold.at_risk
        if self.tabs.current in VIEWS:
            self.views.show_view(self.tabs.current)
        self.views.show_candidates(candidates, passed, self._flags, threshold)
        self.views.select(self._node)

    def _show_detail(self) -> None:
        candidates, node = self._candidates, self._node
        show_if(self.panel, candidates is not None and node is not None)
        if candidates is None or node is None:
            return
        n_kept = len(self.session.project.kept)
        self.panel.show_candidate(
            candidates,
            node,
            self._flags.get(node, ()),
            can_keep=n_kept < MOST_KEPT,
            reason=self._why_not(candidates.found, node),
        )
        self._update_losses()

    def _update_losses(self) -> None:
        """Look at the classes of the candidate for what every measure says."""
        candidates, node = self._candidates, self._node
        if candidates is None or node is None or not self.panel.wants_measures:
            return
        found = candidates.found

        def work(
            monitor: Monitor,
        ) -> tuple[LatticePolicies, int, tuple[MeasureLoss, ...]]:
            monitor.report(0.0, "details")
            return found, node, exploring.losses(found, node)

        job = Job(self._on_losses, self._on_failed)
        self.workspace.runner.start(LOSSES, work, job)

    def _on_losses(
        self, known: tuple[LatticePolicies, int, tuple[MeasureLoss, ...]]
    ) -> None:
        found, node, losses = known
        if found is self._found and node == self._node:
            self.panel.show_measures(losses)

    def _why_not(self, found: LatticePolicies, node: int) -> str:
        """Why a candidate cannot be chosen; empty if it can."""
        if self.session.state(LATTICE) is not State.CURRENT:
            return tr("Bring the results up to date first.")
        if not found.feasible[node]:
            return tr(
                "Cannot be chosen: {suppressed:,} records would be suppressed, at most "
                "{most:,} are allowed.",
                suppressed=int(found.suppressed[node]),
                most=found.result.limit_records,
            )
        return ""

    def _show_compare(self) -> None:
        if self._candidates is None or self.tabs.current != "compare":
            return
        kept = [node for node, flags in self._flags.items() if Flag.KEPT in flags]
        project, candidates = self.session.project, self._candidates
        n_joined = len(alternatives_of(project))
        beside = (Flag.OPTIMUM, Flag.PICKED, Flag.CHOSEN)
        others = [
            node
            for node, flags in self._flags.items()
            if len(kept) + n_joined == 1
            and node not in kept
            and set(flags) & set(beside)
        ]
        nodes = [*others, *kept][:MOST_KEPT]
        shown = self._kept.update(candidates.found, nodes)
        n_lost = sum(not e.bits for e in project.kept) - len(kept) + shown.n_lost
        self.compare.show_policies(candidates, nodes, self._flags, n_lost, shown)

    # -- what if -------------------------------------------------------------------

    def _on_asked(self, asked: Asked) -> None:
        candidates = self._candidates
        if candidates is None:
            return
        self._asked = asked

        def work(monitor: Monitor) -> tuple[Asked, Candidates]:
            found = exploring.answer(
                candidates.found, asked.models, asked.limit, monitor=monitor
            )
            if found is candidates.found:
                return asked, candidates
            if found.lattice is candidates.found.lattice:
                layout = candidates.layout
                return asked, exploring.answered(found, layout, monitor=monitor)
            return asked, exploring.candidates(found, monitor=monitor)

        def fail(error: BaseException) -> None:
            if not isinstance(error, DeidError):
                raise error
            words = words_for(error)
            self.what_if.show_problem(f"{words.what} {words.fix}".strip())

        self.what_if.show_waiting()
        self.workspace.runner.start(ASK, work, Job(self._on_answered, fail))

    def _on_answered(self, answer: tuple[Asked, Candidates]) -> None:
        asked, candidates = answer
        if asked == self._asked and self._candidates is not None:
            self.what_if.show_answer(candidates, self._candidates)

    def _on_take_over(self, asked: Asked) -> None:
        """Decide other thresholds; their results follow from the profile at once."""
        found = self._found
        if found is None:
            return
        op = ops.change_privacy(models=asked.models, suppression_limit=asked.limit)
        # The policies of earlier hierarchies or levels say nothing about these.
        if not self.apply(op, tr("use thresholds")):
            return
        if self._can_renew(found):
            self._renew(found)
        else:
            self.refresh(Changes.PRIVACY)

    def _renew(self, found: LatticePolicies) -> None:
        """Judge the same policies by the decisions of now (lane `RENEW`)."""
        project = self.session.project

        def work(monitor: Monitor) -> LatticePolicies:
            return exploring.renewed(project, found, monitor=monitor)

        def done(renewed: LatticePolicies) -> None:
            complete = renewed.complete
            self.session.set_result(LATTICE, renewed, project, complete)
            self.workspace.update_measurement(after_search=True)

        self._say(tr("Judging the policies anew"))
        self.workspace.runner.start(RENEW, work, Job(done, self._on_failed))

    def _update_prices(self) -> None:
        """Show what thresholds cost; computes it when it is first looked at."""
        candidates = self._candidates
        if candidates is None:
            return
        if self._prices is not None:
            self.prices.show_prices(self._prices, candidates)
            return
        found = candidates.found

        def work(monitor: Monitor) -> tuple[LatticePolicies, Prices]:
            return found, prices(found, monitor=monitor)

        def tell(fraction: float, _note: str) -> None:
            self.prices.show_waiting(fraction)

        self.prices.show_waiting(0.0)
        job = Job(self._on_prices, self._on_failed, on_progress=tell)
        self.workspace.runner.start(PRICE, work, job)

    def _on_prices(self, priced: tuple[LatticePolicies, Prices]) -> None:
        found, prices = priced
        if self._candidates is not None and found is self._candidates.found:
            self._prices = prices
            self.prices.show_prices(prices, self._candidates)

    def _on_failed(self, error: BaseException) -> None:
        self._say("")
        if isinstance(error, DeidError):
            self.tell_error(error)
        else:
            raise error

    # -- deciding ------------------------------------------------------------------

    def _on_node_selected(self, node: int) -> None:
        self._node = node
        self._show_detail()

    def _choose(self, node: int) -> None:
        candidates = self._candidates
        if candidates is None or self._why_not(candidates.found, node):
            return
        choice = candidates.found.choice(node)
        op = ops.choose(choice.levels, choice.suppress_below)
        self._decide(op, tr("choose policy"))

    def _forget_choice(self) -> None:
        self._decide(ops.forget_choice(), tr("go back to the best policy"))

    def _keep(self, node: int) -> None:
        if self._candidates is not None:
            candidate = self._candidates.found.choice(node)
            self._decide(ops.keep(candidate), tr("keep policy"))

    def _drop(self, node: int) -> None:
        found = self._found
        for each in self.session.project.kept:
            if found is not None and exploring.node_of(found, each) == node:
                self._decide(ops.drop(each), tr("stop keeping policy"))
                return

    def _choose_alternative(self, chosen: Chosen) -> None:
        self._decide(ops.choose_policy(chosen), tr("choose alternative"))

    def _drop_alternative(self, chosen: Chosen) -> None:
        self._decide(ops.drop(chosen), tr("stop keeping policy"))

    def _decide(self, op: ops.Op, label: str) -> None:
        if self.apply(op, label) and self._candidates is not None:
            self._show_all()

    def _on_banner_acted(self) -> None:
        found = self._found
        is_stale = self.session.state(LATTICE) is State.STALE
        if has_alternative(self.session.project):
            self.step_wanted.emit("alternatives")
        elif is_stale and found is not None and self._can_renew(found):
            self._renew(found)
        elif not is_stale and found is not None and found.optimum is None:
            self.step_wanted.emit("risk")
        else:
            self.step_wanted.emit("search")

    def _on_search_wanted(self) -> None:
        self.step_wanted.emit("search")

    def _on_list_wanted(self) -> None:
        self.show_tab("list")

    # -- for the window ------------------------------------------------------------

    def status(self) -> PageStatus:
        """Say which policy is going to be released."""
        found = self.session.result(LATTICE)
        if has_alternative(self.session.project):
            state = StepState.DONE if fits(self.session.project) else StepState.STALE
            return PageStatus(state, tr("an alternative"))
        if found is None:
            return NOT_YET
        if self.session.state(LATTICE) is State.STALE:
            words = tr("Decisions have changed: search again.")
            return PageStatus(StepState.STALE, tr("out of date"), words)
        if self.session.project.chosen is not None:
            return PageStatus(StepState.DONE, tr("own choice"))
        if found.optimum is None:
            words = tr("No policy meets the thresholds.")
            return PageStatus(StepState.ATTENTION, tr("nothing found"), words)
        if found.minimal and not found.complete:
            return PageStatus(StepState.DONE, tr("OLA's choice"))
        return PageStatus(StepState.DONE, tr("best policy"))

    def help_words(self) -> str:
        """Say which policy is released as things stand."""
        found = self.session.current(LATTICE)
        if has_alternative(self.session.project):
            return tr("**An alternative is chosen** and will be released.")
        if found is None:
            return ""
        chosen = exploring.node_of(found, self.session.project.chosen)
        if chosen is not None:
            words = tr("**You chose.** {words}")
            return words.format(words=found.words(chosen))
        if found.optimum is None:
            return ""
        words = tr("**The best policy is released.** {words}")
        if found.minimal and not found.complete:
            words = tr("**OLA's choice is released.** {words}")
        return words.format(words=found.words(found.optimum))
