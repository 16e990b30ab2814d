"""The Structure page: how counts hang together, as equations in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from deidgui.app.counts import ops
from deidgui.app.counts.tables import bounds_of
from deidgui.app.decides import Changes
from deidgui.engine.counts.tables.proposing import ProposedRelations
from deidgui.engine.counts.tables.structure import (
    Fit,
    Form,
    Relation,
    fit_of,
    words_of,
)
from deidgui.engine.counts.tables.table import CountTable
from deidgui.errors import DeidError
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.relation import RelationDialog
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    EmptyState,
    Notice,
    row,
    show_if,
)
from deidgui.text import Text, escaped, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

FORMS: dict[Form, Text] = {
    Form.SUM: "Sum",
    Form.ATTRITION: "Attrition",
    Form.SAME: "Same count",
    Form.AT_MOST: "Part of",
    Form.RATIO: "Percentage or mean",
}
"""What a relation says, in a word or two."""

MOST_SHOWN = 2_000
"""Relations that are listed."""


MOST_PARTS = 5
"""Parts of a sum that are named."""


class StructurePage(Page):
    """Shows what was found of the structure; a person confirms it or takes some out."""

    key = "structure"
    parts = Changes.COUNTS | Changes.FILE | Changes.RESULT
    scrolls = False

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("How the counts hang together"),
            tr(
                "Found from labels, indentation and sums. Whoever reads the tables can "
                "calculate with these equations."
            ),
        )
        self._again = Button(tr("Propose again"), glyph="undo", clicked=self._on_again)
        self._confirm = Button(
            tr("Confirm the structure"), "primary", "check", self._on_confirmed
        )
        self._new = Button(tr("Add an equation…"), clicked=self._on_new)
        self.add_header_action(self._new)
        self.add_header_action(self._again)
        self.add_header_action(self._confirm)
        self._empty = EmptyState("hierarchies", tr("No equations"))
        self._wrong = Callout(status="warning")
        self._wrong.acted.connect(self._on_confirmed)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Equations"))
        self._list.setWordWrap(True)
        self._list.setSpacing(2)
        self._list.itemChanged.connect(self._on_changed)
        self._list.currentRowChanged.connect(self._show_other)
        self._caption = Caption()
        self._other = Button("", clicked=self._on_other, small=True)
        self.body.addWidget(self._wrong)
        self.body.addWidget(self._empty, 1)
        self.body.addWidget(self._list, 1)
        self.body.addLayout(row((self._caption, 1), self._other, spacing=12))
        self._shown: tuple[Relation, ...] = ()
        self._tables: Sequence[CountTable] = ()
        self._taken: set[str] = set()

    def refresh(self, changes: Changes) -> None:
        """Show the relations anew."""
        structure, offered = self._structure(), self._offered()
        self._taken = {each.identity for each in structure.relations}
        self._show_list(offered, self.workspace.counts.tables if offered else ())
        show_if(self._empty, not offered)
        show_if(self._list, bool(offered))
        show_if(self._caption, bool(offered))
        missing = self.workspace.counts.what_is_missing()
        if not missing and not self.workspace.counts.is_structure_known:
            missing = tr("The equations are being looked for.")
        self._list.setEnabled(not missing)
        self._new.setEnabled(not missing)
        self._show_empty(missing)
        self._show_other()
        self._show_wrong(structure)
        self._caption.setText(
            tr(
                "{n:equation is|equations are} used in the audit. Take out what does "
                "not hold: the audit is then weaker than an attacker who knows better.",
                n=len(structure.relations),
            )
        )
        decided = self.workspace.counts.decided
        self._confirm.setText(
            tr("Confirm the structure")
            if structure.relations
            else tr("Confirm that there are no totals")
        )
        self._confirm.setEnabled(not decided.relations_confirmed and not missing)
        self._again.setEnabled(decided.relations is not None)

    def _show_empty(self, missing: str) -> None:
        if not missing and self.workspace.counts.decided.relations_confirmed:
            self._empty.show_words(
                tr("No totals, as confirmed"),
                tr(
                    "A person confirmed that no total of these counts is known, "
                    "neither here nor elsewhere."
                ),
            )
            return
        words = tr(
            "No relations between these counts are known: none can be computed from "
            "the others here. If totals are published elsewhere, add the table that "
            "shows them, or an equation. If there are none, confirm that."
        )
        self._empty.show_words(tr("No equations"), missing or words)

    def _show_list(
        self, offered: tuple[Relation, ...], tables: Sequence[CountTable]
    ) -> None:
        """Show relations; those that are there already only with their check."""
        with QSignalBlocker(self._list):
            place = self._list.currentRow()
            if (offered, tables) != (self._shown, self._tables):
                self._list.clear()
                for each in offered[:MOST_SHOWN]:
                    words = escaped(words_of(each, tables, MOST_PARTS))
                    item = QListWidgetItem(f"{tr(FORMS[each.form])}:  {words}")
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                    self._list.addItem(item)
                self._shown, self._tables = offered, tables
                self._list.setCurrentRow(place)
            for at, each in enumerate(offered[:MOST_SHOWN]):
                is_taken = each.identity in self._taken
                state = Qt.CheckState.Checked if is_taken else Qt.CheckState.Unchecked
                self._list.item(at).setCheckState(state)

    def _structure(self) -> ProposedRelations:
        try:
            return self.workspace.counts.structure
        except DeidError as error:
            self.show_error(error)
            return ProposedRelations(())

    def _offered(self) -> tuple[Relation, ...]:
        """Relations that are used, and proposals that were taken out."""
        used = self._structure().relations
        known = {each.identity for each in used}
        proposed = self.workspace.counts.proposed()
        every = (*used, *(e for e in proposed.relations if e.identity not in known))
        # What is taken out stays where it is.
        last = len(self._shown)
        places = {each.identity: at for at, each in enumerate(self._shown)}
        return tuple(sorted(every, key=lambda each: places.get(each.identity, last)))

    def _show_wrong(self, structure: ProposedRelations) -> None:
        wrong = structure.disagreeing or self.workspace.counts.proposed().disagreeing
        show_if(self._wrong, bool(wrong))
        if not wrong:
            return
        tables = self.workspace.counts.tables
        words = [words_of(each, tables, MOST_PARTS) for each in wrong[:3]]
        if len(wrong) > len(words):
            words.append(tr("… and {n} more", n=len(wrong) - len(words)))
        listed = escaped("\n".join(words))
        if self.workspace.counts.decided.relations_confirmed:
            said = tr(
                "{n:sum does not agree and is|sums do not agree and are} not used. A "
                "person confirmed the structure without them.",
                n=len(wrong),
            )
            self._wrong.show_words(said, "info", listed)
            return
        fix = tr(
            "Correct the counts in the file and add it again on the step Tables, or "
            "say that these are no sums: the structure is then confirmed without them."
        )
        self._wrong.show_words(
            tr(
                "{n:sum does not agree and is|sums do not agree and are} not used.",
                n=len(wrong),
            ),
            "warning",
            f"{listed}\n{fix}",
            "" if self.workspace.counts.what_is_missing() else tr("They are no sums"),
        )

    def status(self) -> PageStatus:
        """Done once a person has confirmed the structure."""
        counts = self.workspace.counts
        missing = counts.what_is_missing()
        if missing:
            return PageStatus(StepState.NOT_YET, "", missing)
        n = len(counts.structure.relations)
        caption = tr("{n:equation|equations}", n=n)
        is_done = counts.decided.relations_confirmed
        return PageStatus(StepState.DONE if is_done else StepState.ATTENTION, caption)

    # -- decisions -----------------------------------------------------------------

    def _checked(self) -> list[Relation]:
        rest = (e for e in self._shown[MOST_SHOWN:] if e.identity in self._taken)
        items = (self._list.item(place) for place in range(self._list.count()))
        shown = zip(self._shown, items, strict=False)
        checked = [r for r, i in shown if i.checkState() is Qt.CheckState.Checked]
        return [*checked, *rest]

    def _chosen(self) -> Relation | None:
        place = self._list.currentRow()
        return self._shown[place] if 0 <= place < len(self._shown) else None

    def _show_other(self) -> None:
        """Offer to say that the parts of the chosen sum may overlap, or not."""
        chosen = self._chosen()
        forms = (Form.SUM, Form.AT_MOST)
        show_if(self._other, chosen is not None and chosen.form in forms)
        if chosen is not None:
            self._other.setText(
                tr("Parts may overlap")
                if chosen.form is Form.SUM
                else tr("Parts add up to the whole")
            )

    def _on_other(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            return
        form = Form.AT_MOST if chosen.form is Form.SUM else Form.SUM
        other = replace(chosen, form=form)
        bounds = bounds_of(self.workspace.counts.decided)
        if fit_of(other, self.workspace.counts.tables, bounds) is Fit.CONTRADICTED:
            self.reported.emit(
                Notice(
                    tr("These parts do not add up to the whole."),
                    "info",
                    topic="counts_overlap",
                )
            )
            return
        kept = [other if e == chosen else e for e in self._checked()]
        if other not in kept:
            kept.append(other)
        self._decide(kept, tr("say whether parts overlap"))

    def _on_new(self) -> None:
        counts = self.workspace.counts
        bounds = bounds_of(counts.decided)
        known = self._structure().relations
        self.dialog = RelationDialog(counts.tables, bounds, known, self)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.made.connect(self._on_made)
        self.dialog.open()

    def _on_made(self, made: list[Relation]) -> None:
        self._decide([*self._checked(), *made], tr("add an equation"))

    def _on_changed(self) -> None:
        self._decide(self._checked(), tr("change the structure"))

    def _on_confirmed(self) -> None:
        checked = self._checked()
        label = tr("confirm the structure")
        if not checked:
            label = tr("confirm that there are no totals")
        self._decide(checked, label, has_none=not checked)

    def _on_again(self) -> None:
        self._decide(None, tr("propose the structure again"))

    def _decide(
        self, relations: list[Relation] | None, label: str, *, has_none: bool = False
    ) -> None:
        tables = self.workspace.counts.tables
        op = ops.set_relations(relations, tables, has_none=has_none)
        if self.apply(op, label):
            self.refresh(Changes.COUNTS)
