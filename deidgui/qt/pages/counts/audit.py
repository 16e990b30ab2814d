"""The Audit page: what can be inferred of every masked count, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.counts.auditing import (
    ORDER,
    OUTCOMES,
    AuditedCell,
    AuditedTables,
    assumptions,
    small_shown_words,
)
from deidgui.app.decides import Changes
from deidgui.app.session import Kind as Result
from deidgui.app.session import State
from deidgui.app.stated_counts import structure_words
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.tables.structure import place_name
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.grid import NOT_INFERRED, CountGrid, sign_of
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Callout,
    Caption,
    Card,
    Chip,
    ComboBox,
    EmptyState,
    Label,
    Splitter,
    TextTable,
    column,
    holder,
    row,
    show_if,
)
from deidgui.qt.widgets.chips import ChipTone
from deidgui.text import Text, escaped, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

_TONES: dict[Outcome, ChipTone] = {
    Outcome.EXACT: "danger",
    Outcome.TIGHT: "warning",
    Outcome.INCONSISTENT: "warning",
    Outcome.NARROWED: "info",
    Outcome.PROTECTED: "success",
}


SHORT: dict[Outcome, Text] = {
    Outcome.EXACT: "exact",
    Outcome.TIGHT: "too narrow",
    Outcome.INCONSISTENT: "not known",
    Outcome.NARROWED: "narrowed",
    Outcome.PROTECTED: "protected",
}
"""Outcomes in a word or two."""


def unmasked_status(audited: AuditedTables, *, is_noise: bool) -> PageStatus:
    """Say in the rail that counts are shown that nothing protects."""
    n = audited.n_small_shown
    if not n:
        return PageStatus(StepState.READY, tr("nothing masked"))
    caption = tr("{n:small count|small counts}", n=n)
    # True counts are what noise is added to: what is shown here is not released.
    state = StepState.READY if is_noise else StepState.ATTENTION
    return PageStatus(state, caption)


def unmasked_fix(threshold: int | None, *, is_noise: bool) -> str:
    """Say where counts that nothing protects are masked."""
    if threshold is None:
        return tr(
            "State the threshold on the step Tables to have small counts masked. For "
            "a release with noise none is needed."
        )
    if is_noise:
        return tr("They are released with noise. For masked tables, mask them first.")
    return tr("Mask them on the step Tables, or release the counts with noise.")


class AuditPage(Page):
    """Every masked count beside the table, with its interval and its derivation."""

    key = "audit"
    parts = Changes.COUNTS | Changes.RESULT
    scrolls = False

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("What masked counts give away"),
            tr("What anybody can infer from everything that is published."),
        )
        self._empty = EmptyState("risk", tr("No audit yet"))
        self._stale = Callout(tr("The audit is being brought up to date."), "info")
        self._conflict = Callout(status="danger")
        self._unmasked = Callout(status="warning")
        self._unmasked.acted.connect(self._on_tables_wanted)
        self._open = Callout(status="warning")
        self._open.acted.connect(self._on_structure_wanted)
        self._summary = Label("", "section", wrap=True)
        self._chips = row()
        self._table = ComboBox()
        self._table.setAccessibleName(tr("Table"))
        self._table.currentIndexChanged.connect(self._on_table_chosen)
        self._grid = CountGrid(tr("The table, with what can be inferred"))
        self._grid.cells_chosen.connect(self._on_cell_chosen)
        self._list = TextTable(
            tr("Masked counts"),
            [tr("Masked count"), tr("Inferred count"), tr("Outcome")],
        )
        self._list.itemSelectionChanged.connect(self._on_listed_chosen)
        self._why = Card(tr("Why"), margin=12)
        self._why_words = Label("", "body", wrap=True)
        self._why.body.addWidget(self._why_words)
        self._assumed = Caption()
        self._filled = holder(self._build_filled())
        for widget in (self._conflict, self._stale, self._unmasked, self._open):
            self.body.addWidget(widget)
        self.body.addWidget(self._empty, 1)
        self.body.addWidget(self._filled, 1)
        self._cells: tuple[AuditedCell, ...] = ()

    def _build_filled(self) -> QVBoxLayout:
        left = holder(column(row(self._table, None), (self._grid, 1)))
        right = holder(column((self._list, 1), self._why))
        split = Splitter()
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        split.share([560, 430], [1, 1])
        head = column(self._summary, self._chips, spacing=8)
        return column(head, (split, 1), self._assumed, spacing=12)

    # -- showing -------------------------------------------------------------------

    @property
    def _audited(self) -> AuditedTables | None:
        return self.workspace.counts.audited

    def refresh(self, changes: Changes) -> None:
        """Show the audit that was made last."""
        audited, state = self._audited, self.session.state(Result.AUDIT)
        missing = self.workspace.counts.what_is_missing()
        show_if(self._empty, audited is None)
        show_if(self._filled, audited is not None)
        show_if(self._stale, state is State.STALE)
        if state is State.STALE:
            words = tr("The audit is of earlier decisions.")
            self._stale.show_words(words, "warning" if missing else "info", missing)
        if audited is None:
            self._empty.show_words(tr("No audit yet"), missing)
            show_if(self._conflict, False)
            show_if(self._unmasked, False)
            show_if(self._open, False)
            return
        order = {each: place for place, each in enumerate(ORDER)}
        self._cells = tuple(sorted(audited.cells, key=lambda each: order[each.outcome]))
        self._show_summary(audited)
        self._show_unmasked(audited)
        self._show_open(audited)
        self._show_list(audited)
        with QSignalBlocker(self._table):
            here = max(self._table.currentIndex(), 0)
            self._table.clear()
            self._table.addItems([escaped(each.name) for each in audited.tables])
            self._table.setCurrentIndex(min(here, len(audited.tables) - 1))
        self._show_table()

    def _show_summary(self, audited: AuditedTables) -> None:
        n, exact = len(audited.cells), audited.number(Outcome.EXACT)
        weak = exact + audited.number(Outcome.TIGHT)
        is_open = self.workspace.counts.is_structure_open
        if not n:
            words = tr("No count is masked.")
        elif exact:
            words = tr(
                "{n} of {all} masked counts can be inferred exactly", n=exact, all=n
            )
        elif weak:
            words = tr("{n} of {all} masked counts are too narrow", n=weak, all=n)
        elif unknown := audited.number(Outcome.INCONSISTENT):
            words = tr(
                "{n} of {all} masked counts are in sums that do not agree",
                n=unknown,
                all=n,
            )
        elif is_open:
            words = tr(
                "{n:masked count|masked counts}: none can be inferred exactly or "
                "nearly from what is known here",
                n=n,
            )
        else:
            words = tr("All {n:masked count is|masked counts are} protected", n=n)
        self._summary.setText(words)
        while (item := self._chips.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for each in ORDER:
            if number := audited.number(each):
                outcome, tone = tr(OUTCOMES[each]), _TONES[each]
                if is_open and each is Outcome.PROTECTED:
                    outcome, tone = tr(NOT_INFERRED), "info"
                text = tr("{n} {outcome}", n=number, outcome=outcome)
                glyph = sign_of(each, is_open=is_open)[0]
                self._chips.addWidget(Chip(text, tone, glyph))
        self._chips.addStretch(1)
        conflicts = list(audited.conflicts())
        show_if(self._conflict, bool(conflicts))
        if conflicts:
            self._conflict.show_words(
                tr("The tables contradict themselves; these equations were not used."),
                "danger",
                escaped("\n".join("  |  ".join(each) for each in conflicts[:3])),
            )
        self._assumed.setText("  ".join(assumptions(audited)))

    def _show_unmasked(self, audited: AuditedTables) -> None:
        """Say which counts nothing protects, since nobody has masked them."""
        threshold, n_small = audited.bounds.threshold, audited.n_small_shown
        is_open = not audited.cells and threshold is None
        show_if(self._unmasked, n_small > 0 or is_open)
        is_noise = self.workspace.counts.decided.released_as == "noise"
        self._unmasked.show_words(
            small_shown_words(n_small, threshold),
            "info" if is_noise else "warning",
            unmasked_fix(threshold, is_noise=is_noise),
            tr("Go to Tables"),
        )

    def _show_open(self, audited: AuditedTables) -> None:
        """Say what is not known while nobody has confirmed the structure."""
        is_open = audited.is_protected and self.workspace.counts.is_structure_open
        show_if(self._open, is_open)
        what, fix = structure_words(len(audited.structure.relations))
        self._open.show_words(what, "warning", fix, tr("Go to Structure"))

    def _show_list(self, audited: AuditedTables) -> None:
        with QSignalBlocker(self._list):
            self._list.show_texts(
                [
                    (
                        place_name(audited.tables, each.at),
                        each.interval(),
                        self._short(each.outcome),
                    )
                    for each in self._cells
                ]
            )
        self._why_words.setText(tr("Select a masked count to see how it is inferred."))

    def _short(self, outcome: Outcome) -> str:
        if outcome is Outcome.PROTECTED and self.workspace.counts.is_structure_open:
            return tr(NOT_INFERRED)
        return tr(SHORT[outcome])

    def _show_table(self) -> None:
        audited, place = self._audited, self._table.currentIndex()
        if audited is not None and 0 <= place < len(audited.tables):
            is_open = self.workspace.counts.is_structure_open
            self._grid.show_table(
                audited.tables[place], place, audited.by_place, is_open=is_open
            )
            masked = (each.at for each in self._cells if each.at.table == place)
            if (first := next(masked, None)) is not None:
                self._grid.keep_in_sight(first.row, first.column)

    def status(self) -> PageStatus:
        """Needs attention while masked counts are not protected."""
        audited, missing = self._audited, self.workspace.counts.what_is_missing()
        if audited is None or missing:
            return PageStatus(StepState.NOT_YET, "", missing)
        if self.session.state(Result.AUDIT) is not State.CURRENT:
            return PageStatus(StepState.STALE)
        weak = audited.number(Outcome.EXACT) + audited.number(Outcome.TIGHT)
        if weak:
            caption = tr("{n:masked count leaks|masked counts leak}", n=weak)
            return PageStatus(StepState.ATTENTION, caption)
        if audited.number(Outcome.INCONSISTENT):
            return PageStatus(StepState.ATTENTION, tr("sums do not agree"))
        if not audited.is_protected:
            is_noise = self.workspace.counts.decided.released_as == "noise"
            return unmasked_status(audited, is_noise=is_noise)
        if self.workspace.counts.is_structure_open:
            return PageStatus(StepState.ATTENTION, tr("structure not confirmed"))
        words = tr("protected") if audited.cells else tr("no small counts")
        return self.once_seen(words, self.session.fingerprint(Result.AUDIT))

    def _on_tables_wanted(self) -> None:
        self.step_wanted.emit("tables/threshold")

    def _on_structure_wanted(self) -> None:
        self.step_wanted.emit("structure")

    # -- choosing ------------------------------------------------------------------

    def _on_table_chosen(self) -> None:
        self._show_table()

    def _on_cell_chosen(self) -> None:
        chosen = self._grid.chosen_cells()
        if len(chosen) == 1:
            self._show_why(self._grid.grid_model.audited(*chosen[0]))

    def _on_listed_chosen(self) -> None:
        place = self._list.currentRow()
        if not 0 <= place < len(self._cells):
            return
        found = self._cells[place]
        self._table.setCurrentIndex(found.at.table)
        with QSignalBlocker(self._grid.selectionModel()):
            index = self._grid.grid_model.index(found.at.row, found.at.column)
            self._grid.setCurrentIndex(index)
        self._grid.keep_in_sight(found.at.row, found.at.column)
        self._grid.viewport().update()
        self._show_why(found)

    def _show_why(self, found: AuditedCell | None) -> None:
        audited = self._audited
        if found is None or audited is None:
            self._why_words.setText(tr("This count is not masked."))
            return
        name = place_name(audited.tables, found.at)
        steps = (*audited.without(found), *audited.why(found.at))
        if not steps:
            text = tr("Nothing beyond the mark itself can be inferred.")
        else:
            text = "\n".join(steps)
        interval = tr("{name}: {range}", name=name, range=found.interval())
        self._why_words.setText(escaped(f"{interval}\n\n{text}"))
