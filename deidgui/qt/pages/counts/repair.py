"""The Repair page: what protects masked counts, each way with its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from deidgui.app.counts import ops
from deidgui.app.counts.advising import reach_of
from deidgui.app.counts.auditing import small_shown_words
from deidgui.app.counts.coarser import CoarserTables, coarser_tables
from deidgui.app.counts.repairing import Repairs, repair_tables
from deidgui.app.decides import Changes
from deidgui.app.jobs import Lane
from deidgui.app.project import Counts, Hiding
from deidgui.app.session import Kind as Result
from deidgui.app.session import State
from deidgui.app.stated_counts import structure_words
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.counts.tables.structure import place_name
from deidgui.engine.counts.tables.table import At
from deidgui.engine.evidence.entered import Entered
from deidgui.monitor import Monitor, SubMonitor
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.audit import unmasked_fix, unmasked_status
from deidgui.qt.pages.counts.working import PageWork
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    EmptyState,
    KeyValueList,
    Label,
    ProgressCard,
    TextTable,
    ToggleRow,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

PROVEN = 1e-3
"""A gap below is that of floating point numbers."""


class _Way(Card):
    """One way to repair the tables: what it does, its cost, and its button."""

    def __init__(
        self, title: str, lead: str, action: str, clicked: Callable[[], None]
    ) -> None:
        super().__init__(title, lead)
        self.words = Label("", "strong", wrap=True)
        self.facts = KeyValueList()
        self.note = Caption()
        self.use = Button(action, clicked=clicked)
        for each in (self.words, self.facts, self.note):
            self.add(each)
        self.body.addStretch(1)
        self.add(holder(row(self.use, None)))

    def show_way(
        self, words: str, facts: list[tuple[str, str]], note: str, *, offered: bool
    ) -> None:
        """Show what this way does and costs."""
        self.words.setText(words)
        self.facts.set_pairs(facts)
        self.note.setText(note)
        show_if(self.note, bool(note))
        self.use.setEnabled(offered)


_HIDDEN: dict[str, Text] = {
    "masked": (
        "{n:count below the threshold is|counts below the threshold are} masked in "
        "this project."
    ),
    "complement": "{n:further count is|further counts are} hidden by a repair.",
    "share": "{n:percentage or mean is|percentages or means are} left out with them.",
}
"""What the project hides, by why."""


class RepairPage(Page):
    """Complements, coarser categories, a higher threshold, or noise, side by side.

    Attributes
    ----------
    found : Repairs or None
    found_coarser : CoarserTables or None
    """

    key = "repair"
    parts = Changes.COUNTS | Changes.RESULT

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Repair"),
            tr("Ways to protect masked counts that can be inferred, and their cost."),
        )
        self.found: Repairs | None = None
        self.found_coarser: CoarserTables | None = None
        self._basis: Counts | None = None
        self._used: Counts | None = None
        self.compare = Button(tr("Compare repairs"), "primary", "play", self.start)
        self.add_header_action(self.compare)
        self.progress = ProgressCard(tr("Comparing repairs"), can_pause=False)
        self.empty = EmptyState("wand", tr("No repairs compared yet"))
        self.state, self.hidden = Callout(), Callout()
        self._fixed_on = ""
        self.hidden.acted.connect(self._on_show_again)
        self.state.acted.connect(self._on_fix_wanted)
        self.complements = _Way(
            tr("Hide complements"),
            tr("Further counts are hidden with a mark of their own."),
            tr("Use complements"),
            self._on_complements,
        )
        self.coarser = _Way(
            tr("Coarser categories"),
            tr("Categories that exclude each other are joined and added up."),
            tr("Join these categories"),
            self._on_coarser,
        )
        self.threshold = _Way(
            tr("Raise the threshold"),
            tr("All counts below a higher threshold are masked."),
            tr("Use this threshold"),
            self._on_threshold,
        )
        self.noise = _Way(
            tr("Add noise"),
            tr("Counts are released with random noise; masked ones stay masked."),
            tr("Go to Noise"),
            self._on_noise,
        )
        self.any_count = ToggleRow(tr("A complement may hold any count"))
        self.any_count.toggled.connect(self._on_any_count)
        self.list = TextTable(
            tr("What complements hide"), [tr("Cell"), tr("What is left")]
        )
        self.joined = TextTable(
            tr("What is joined"), [tr("Table"), tr("Categories"), tr("Become")]
        )
        self._build()
        self._work = PageWork(self, Lane.REPAIR, self.progress)
        self._work.running_changed.connect(self._on_running)

    def _build(self) -> None:
        hiding = Columns([(self.complements, 1), (self.coarser, 1)])
        others = Columns([(self.threshold, 1), (self.noise, 1)])
        self._ways = holder(column(hiding, others, spacing=16))
        self._listed = Card(tr("What complements hide"))
        self._listed.add(self.list)
        self._joined = Card(tr("What is joined"))
        self._joined.add(self.joined)
        for each in (self.progress, self.hidden, self.state, self.empty):
            self.body.addWidget(each)
        self.body.addWidget(self.any_count)
        self.body.addWidget(self._ways)
        self.body.addWidget(self._listed)
        self.body.addWidget(self._joined)
        self.body.addStretch(1)

    # -- showing -------------------------------------------------------------------

    @property
    def _decided(self) -> Counts:
        """All that decides what a repair is."""
        blank: dict[str, object] = {"noise": None, "release": None}
        blank |= {"inferable_because": "", "sites": (), "sites_sigma": None}
        blank["inferable_signed"] = Entered()
        return self.workspace.counts.decided.but(**blank)

    @property
    def is_current(self) -> bool:
        """Whether the repairs are of the tables as they are now."""
        return self.found is not None and self._basis == self._decided

    @property
    def _is_used(self) -> bool:
        """Whether a repair is in the tables, and nothing was decided since."""
        return self._used is not None and self._used == self._decided

    def missing(self) -> str:
        """Say what must be done first; empty if nothing."""
        missing = self.workspace.counts.what_is_missing()
        if missing:
            return missing
        if self.session.state(Result.AUDIT) is not State.CURRENT:
            return tr("The audit is being brought up to date.")
        return ""

    def _n_weak(self) -> int:
        audited = self.workspace.counts.audited
        return 0 if audited is None else len(audited.found.too_narrow)

    def refresh(self, changes: Changes) -> None:
        """Show the repairs, and whether they are of the present tables."""
        missing, found = self.missing(), self.found
        self.compare.setEnabled(not missing and not self._is_running)
        self.compare.setText(
            tr("Compare repairs again") if found else tr("Compare repairs")
        )
        nothing_weak = not missing and not self._n_weak()
        is_done = self.is_current or self._is_used or nothing_weak
        self.compare.set_kind("plain" if is_done else "primary")
        show_if(self.empty, found is None and not nothing_weak)
        words = tr(
            "Each repair is audited again. Nothing changes until you choose one."
        )
        self.empty.show_words(tr("No repairs compared yet"), missing or words)
        show_if(self._ways, found is not None)
        show_if(self._listed, found is not None and bool(found.hides))
        joined = self.found_coarser
        show_if(self._joined, joined is not None and bool(joined.joined))
        self._show_any_count(missing)
        self._show_state(missing)
        words = self._words_on_hidden()
        show_if(self.hidden, bool(words))
        self.hidden.show_words(words, "info", "", tr("Show them again"))
        if found is not None:
            self._show_found(found)

    def _words_on_hidden(self) -> str:
        """Say what the project hides, and why; empty if nothing."""
        tables = self.workspace.counts.decided.tables
        n = Counter[str](cell.mark for table in tables for cell in table.hidden)
        return " ".join(tr(_HIDDEN[mark], n=n[mark]) for mark in _HIDDEN if n[mark])

    def _show_any_count(self, missing: str) -> None:
        decided = self.workspace.counts.decided
        show_if(self.any_count, not missing)
        self.any_count.set_on(decided.any_count)
        self.any_count.set_explanation(
            tr("Audit and repair take it that readers think any count possible.")
            if decided.any_count
            else tr(
                "Off: readers know that counts below the threshold are masked, so that "
                "a complement is not below it. This is the more careful choice."
            )
        )

    def _show_state(self, missing: str) -> None:
        n, is_stale = self._n_weak(), self.found is not None and not self.is_current
        show_if(self.state, is_stale or not missing)
        is_done = not missing and not n and not self._is_used
        if is_stale and is_done:
            # What was compared is about counts that need no repair any more.
            show_if(self._ways, False)
            show_if(self._listed, False)
            show_if(self._joined, False)
        if is_stale and self._is_used:
            self.state.show_words(
                tr("The repair is in the tables."),
                "success" if self._is_protected else "info",
                tr("The audit shows what is left. Undo takes the repair back."),
            )
        elif is_stale and not is_done:
            self.state.show_words(
                tr("These repairs are of earlier decisions."),
                "warning",
                tr("Compare them again before you use one."),
            )
        elif n:
            self.state.show_words(
                tr("{n:masked count is|masked counts are} exact or too narrow.", n=n),
                "warning",
                self._words_on_small(),
            )
        else:
            self._show_protected()

    @property
    def _is_protected(self) -> bool:
        counts = self.workspace.counts
        is_protected = counts.audited is not None and counts.audited.is_protected
        return is_protected and not counts.is_structure_open

    def _words_on_small(self) -> str:
        """Say which counts no repair is for; empty if every small one is masked."""
        audited = self.workspace.counts.audited
        if audited is None or not audited.n_small_shown:
            return ""
        threshold = audited.bounds.threshold
        words = small_shown_words(audited.n_small_shown, threshold)
        return f"{words} {unmasked_fix(threshold, is_noise=self._is_noise)}"

    def _show_protected(self) -> None:
        """Say that nothing has to be repaired, or what no repair is for."""
        audited = self.workspace.counts.audited
        if audited is None:
            return
        if audited.is_protected and self.workspace.counts.is_structure_open:
            what, fix = structure_words(len(audited.structure.relations))
            self._fixed_on = "structure"
            self.state.show_words(what, "warning", fix, tr("Go to Structure"))
        elif audited.is_protected:
            words = (
                tr("Every masked count is protected: nothing to repair.")
                if audited.cells
                else tr("No count is below the threshold: nothing to repair.")
            )
            self.state.show_words(words, "success")
        elif n := audited.number(Outcome.INCONSISTENT):
            words = tr(
                "{n:masked count is|masked counts are} in sums that do not agree.", n=n
            )
            self._fixed_on = "structure"
            self.state.show_words(
                words,
                "warning",
                tr("Correct the counts, or say on the step Structure what is no sum."),
                tr("Go to Structure"),
            )
        else:
            threshold, is_noise = audited.bounds.threshold, self._is_noise
            self._fixed_on = "tables/threshold"
            self.state.show_words(
                small_shown_words(audited.n_small_shown, threshold),
                "info" if is_noise else "warning",
                unmasked_fix(threshold, is_noise=is_noise),
                tr("Go to Tables"),
            )

    @property
    def _is_noise(self) -> bool:
        return self.workspace.counts.decided.released_as == "noise"

    def _show_found(self, found: Repairs) -> None:
        self._show_complements(found)
        if self.found_coarser is not None:
            self._show_coarser(self.found_coarser)
        self._show_threshold(found)
        self._show_noise(found)
        tables = found.audited.tables
        left = {"masked": "T", "complement": "C", "share": tr("count alone")}
        self.list.show_texts(
            [
                (place_name(tables, at), left[hiding])
                for at, hiding in sorted(found.hides.items())
            ]
        )
        self.list.keep_visible(min(len(found.hides), 6))

    def _show_complements(self, found: Repairs) -> None:
        n, left = len(found.hidden), len(found.unprotected)
        cost = found.complements.cost
        if n:
            words = tr("Hide {n:more count|more counts}", n=n)
        elif found.hides:
            words = tr("Hide percentages and means of masked counts")
        else:
            words = tr("Nothing to hide")
        gap = found.complements.gap
        share = tr("none: up to {share} fewer are possible", share=share_text(gap))
        facts = [
            *_costs(cost.n_figures, cost.n_counted, len(found.tied)),
            (tr("Not protected"), tr("{n:masked count|masked counts}", n=left)),
            (tr("Proof"), share if gap > PROVEN else tr("no choice hides fewer")),
        ]
        lowest = found.lowest
        note = tr("Readers may know that a complement is {n} or more.", n=lowest)
        self.complements.show_way(
            words,
            facts,
            note if lowest and n else "",
            offered=self.is_current and bool(found.hides),
        )

    def _show_coarser(self, found: CoarserTables) -> None:
        n, cost = len(found.joined), found.found.cost
        facts = [
            *_costs(
                cost.n_figures,
                cost.n_counted,
                found.n_tied,
                tr("Only in joined categories"),
            ),
            (
                tr("Not protected"),
                tr("{n:masked count|masked counts}", n=found.n_unprotected),
            ),
            (tr("Proof"), tr("none: fewer may do")),
        ]
        notes = []
        if found.n_unknown:
            notes.append(
                tr(
                    "{n:masked count has|masked counts have} no true value in these "
                    "tables: such categories are not joined.",
                    n=found.n_unknown,
                )
            )
        if found.found.was_stopped:
            notes.append(tr("Stopped before all was tried."))
        self.coarser.show_way(
            tr("{n:category stands|categories stand} for several", n=n)
            if n
            else tr("No categories to join"),
            facts if n else [],
            " ".join(notes),
            offered=self.is_current and n > 0,
        )
        tables = found.audited.tables
        self.joined.show_texts(
            [
                (
                    tables[each.lines.table].name,
                    tr("{n:category|categories}", n=len(each.lines.numbers)),
                    each.name,
                )
                for each in found.joined
            ]
        )
        self.joined.keep_visible(min(n, 6))

    def _show_threshold(self, found: Repairs) -> None:
        higher = found.threshold
        if higher is None:
            self.threshold.show_way(tr("No count is masked."), [], "", offered=False)
            return
        if higher.threshold is None:
            self.threshold.show_way(
                tr("No threshold protects every masked count"),
                [(tr("Proof"), tr("all were checked"))],
                "",
                offered=False,
            )
            return
        is_new = higher.threshold != found.audited.bounds.threshold
        facts = [
            *_costs(
                higher.cost.n_figures,
                higher.cost.n_counted,
                len(found.tied_to_raised),
            ),
            (tr("Not protected"), tr("{n:masked count|masked counts}", n=0)),
            (tr("Proof"), tr("no lower threshold protects")),
        ]
        self.threshold.show_way(
            tr("Threshold {value}", value=higher.threshold),
            facts,
            tr(
                "{n:masked count states|masked counts state} a lower limit: it "
                "gets the mark of this threshold.",
                n=n_remarked,
            )
            if (n_remarked := len(found.remarked))
            else "",
            offered=self.is_current and (is_new or bool(found.raises)),
        )

    def _show_noise(self, found: Repairs) -> None:
        counts, tables = self.workspace.counts.decided, found.audited.tables
        rule = counts.noise or RoundedGaussian.proposed()
        cells = [cell for table in tables for _r, _c, cell in table.counts()]
        n_masked = sum(cell.count is None for cell in cells)
        n, reach = len(cells) - n_masked, reach_of(rule)
        note = tr(
            "Decided on the step Noise."
            if counts.noise
            else "With σ = 2.5, the proposed value. You decide on the step Noise."
        )
        if n_masked:
            more = tr(
                "{n:count has|counts have} no true value in these tables and stay "
                "masked: add the tables with true counts for noise.",
                n=n_masked,
            )
            note = f"{note} {more}"
        self.noise.show_way(
            tr("No further count is hidden"),
            [
                (tr("Less exact"), tr("{n:count|counts}", n=n)),
                (tr("By"), tr("±{reach} in 95\u202f% of the counts", reach=reach)),
            ],
            note,
            offered=True,
        )

    def status(self) -> PageStatus:
        """Needs attention while masked counts are not protected."""
        missing = self.missing()
        if missing:
            return PageStatus(StepState.NOT_YET, "", missing)
        n = self._n_weak()
        audited = self.workspace.counts.audited
        if not n and audited is not None and not audited.is_protected:
            if audited.number(Outcome.INCONSISTENT):
                return PageStatus(StepState.ATTENTION, tr("sums do not agree"))
            return unmasked_status(audited, is_noise=self._is_noise)
        if not n and self.workspace.counts.is_structure_open:
            return PageStatus(StepState.ATTENTION, tr("structure not confirmed"))
        if not n:
            fingerprint = self.session.fingerprint(Result.AUDIT)
            return self.once_seen(tr("nothing to repair"), fingerprint)
        if self.found is not None and not self.is_current:
            return PageStatus(StepState.STALE, tr("out of date"))
        return PageStatus(StepState.ATTENTION, tr("{n} to protect", n=n))

    # -- acting --------------------------------------------------------------------

    _is_running = False

    def start(self) -> None:
        """Look for repairs (lane `REPAIR`)."""
        audited = self.workspace.counts.audited
        if audited is None or self.missing():
            return
        basis = self._decided

        def work(monitor: Monitor) -> tuple[Repairs, CoarserTables]:
            repairs = repair_tables(audited, monitor=SubMonitor(monitor, 0, 0.7))
            step = SubMonitor(monitor, 0.7, 1)
            return repairs, coarser_tables(audited, monitor=step)

        def done(found: tuple[Repairs, CoarserTables]) -> None:
            self.found, self.found_coarser = found
            self._basis, self._used = basis, None
            self.refresh(Changes.COUNTS)
            self.status_changed.emit()

        self._work.start(work, done)

    def _on_running(self, is_running: bool) -> None:
        self._is_running = is_running
        self.compare.setEnabled(not is_running and not self.missing())

    def _on_complements(self) -> None:
        if self.found is not None:
            self._use(self.found.hides, None, tr("hide complements"))

    def _on_threshold(self) -> None:
        found = self.found
        if found is not None and found.threshold is not None:
            value = found.threshold.threshold
            self._use(found.raises, value, tr("raise the threshold"))

    def _on_coarser(self) -> None:
        if self.found_coarser is not None and self.is_current:
            self.workspace.counts.join_categories(self.found_coarser)
            self._used = self._decided
            self.refresh(Changes.COUNTS)

    def _on_any_count(self, is_on: bool) -> None:
        self.apply(ops.set_any_count(is_on), tr("say what complements may hold"))

    def _use(
        self, hides: Mapping[At, Hiding], threshold: int | None, label: str
    ) -> None:
        if self.found is None or not self.is_current:
            return
        op = ops.use_repair(self.found.audited.tables, hides, threshold)
        if self.apply(op, label):
            self._used = self._decided
            self.refresh(Changes.COUNTS)

    def _on_show_again(self) -> None:
        if self.apply(ops.show_hidden(), tr("show hidden cells again")):
            self.refresh(Changes.COUNTS)

    def _on_fix_wanted(self) -> None:
        self.step_wanted.emit(self._fixed_on)

    def _on_noise(self) -> None:
        self.step_wanted.emit("noise")


def _costs(n: int, counted: int, n_tied: int, what: str = "") -> list[tuple[str, str]]:
    """What readers no longer see, and how much it counts."""
    hidden = tr("{n:count|counts}", n=n)
    if n:
        hidden = tr(
            "{hidden}; their values add up to {counted}", hidden=hidden, counted=counted
        )
    return [
        (what or tr("Not shown any more"), hidden),
        (tr("Left out"), tr("{n:percentage or mean|percentages or means}", n=n_tied)),
    ]
