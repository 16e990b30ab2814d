"""A dialog in which a person says how some counts hang together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.engine.counts.tables.structure import (
    Bounds,
    Fit,
    Form,
    Relation,
    across_columns,
    cell_at,
    fit_of,
    place_name,
    words_of,
)
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.qt.pages.counts.grid import CountGrid
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    ComboBox,
    Dialog,
    Label,
    Lead,
    SectionHeading,
    ToggleRow,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, escaped, tr


@dataclass(frozen=True)
class CellRole:
    """What cells are in a relation.

    Parameters
    ----------
    least, most : int
        Cells that it takes.
    """

    name: Text
    least: int = 1
    most: int = 1


MANY = 10_000

ROLES: dict[Form, tuple[CellRole, ...]] = {
    Form.SUM: (CellRole("Total"), CellRole("Parts", 1, MANY)),
    Form.AT_MOST: (CellRole("Whole"), CellRole("Parts", 1, MANY)),
    Form.ATTRITION: (
        CellRole("Remaining before"),
        CellRole("Remaining"),
        CellRole("Excluded", 1, MANY),
    ),
    Form.SAME: (CellRole("The same count", 2, MANY),),
}
"""Of each kind of relation, in the order of its cells."""

KINDS: dict[Form, Text] = {
    Form.SUM: "A total and its parts, which exclude one another",
    Form.AT_MOST: "Parts that may overlap (multi-select), or a sub-population",
    Form.ATTRITION: "A step of remaining and excluded patients",
    Form.SAME: "The same count, shown several times",
}


class RelationDialog(Dialog):
    """Puts cells into the roles of a relation and shows it in words.

    Attributes
    ----------
    made : Signal of list of Relation
        Relations that a person wants.
    """

    made = Signal(object)

    def __init__(
        self,
        tables: Sequence[CountTable],
        bounds: Bounds,
        known: Sequence[Relation],
        parent: QWidget,
    ) -> None:
        super().__init__(tr("Add an equation"), parent, (1000, 600))
        self._tables, self._bounds = tables, bounds
        self._known = {each.identity for each in known}
        self._cells: list[list[At]] = []
        self.kind = ComboBox(name=tr("What holds"))
        for form, words in KINDS.items():
            self.kind.addItem(tr(words), form)
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.table = ComboBox(name=tr("Table"))
        self.table.addItems([escaped(each.name) for each in tables])
        self.table.currentIndexChanged.connect(self._on_table)
        self.grid = CountGrid(tr("Cells of the table"))
        most = max(map(len, ROLES.values()))
        self._names = [Label("", "strong") for _ in range(most)]
        self._words = [Caption() for _ in range(most)]
        self.take = [
            Button(tr("Use the selected cells"), clicked=partial(self._on_take, at))
            for at in range(most)
        ]
        self.every_column = ToggleRow(
            tr("The same in every column"),
            tr("One equation for each column of the table."),
            is_on=True,
        )
        self.every_column.toggled.connect(self._show)
        self.equation = Label("", "section", wrap=True)
        self.problem = Callout()
        self.add = Button(tr("Add the equation"), "primary", "check", self._on_add)
        self._build()
        self._on_table()
        self._on_kind()

    def _build(self) -> None:
        roles = column(spacing=12)
        self._rows = []
        for name, words, take in zip(self._names, self._words, self.take, strict=True):
            part = holder(column(name, words, row(take, None), spacing=4))
            self._rows.append(part)
            roles.addWidget(part)
        left = holder(
            column(
                field_row(tr("What holds"), self.kind),
                holder(roles),
                self.every_column,
                None,
                spacing=12,
            )
        )
        left.setFixedWidth(round(380 * max(1.0, theme().text_scale)))
        right = holder(column(row(self.table, None), (self.grid, 1)))
        cancel = Button(tr("Cancel"), clicked=self.reject)
        box = column(
            SectionHeading(tr("Add an equation")),
            Lead(tr("Select cells in the table, then say what they are.")),
            (holder(row(left, (right, 1), spacing=24)), 1),
            self.equation,
            self.problem,
            spacing=12,
        )
        self.lay_out(box, row(None, self.add, cancel))

    # -- what is chosen ------------------------------------------------------------

    @property
    def _form(self) -> Form:
        return Form(self.kind.currentData())

    def relation(self) -> Relation | None:
        """Return the relation of the chosen cells; None while some are missing."""
        roles = ROLES[self._form]
        if any(
            len(cells) < role.least
            for cells, role in zip(self._cells, roles, strict=True)
        ):
            return None
        whole, *parts = [at for cells in self._cells for at in cells]
        return Relation(self._form, whole, tuple(parts))

    def relations(self) -> list[Relation]:
        """Return that relation, and the same ones of other columns if wanted."""
        first = self.relation()
        if first is None:
            return []
        if not self.every_column.is_on:
            return [first]
        return [first, *across_columns(first, self._tables)]

    def _problem(self) -> str:
        first = self.relation()
        if first is None:
            return tr("Cells are missing.")
        if len(set(first.cells)) < len(first.cells):
            return tr("A cell can have one role only.")
        if first.identity in self._known:
            return tr("This equation is in the list already.")
        if fit_of(first, self._tables, self._bounds) is Fit.CONTRADICTED:
            return tr("The shown counts contradict this equation.")
        return ""

    # -- showing -------------------------------------------------------------------

    def _on_table(self) -> None:
        place = self.table.currentIndex()
        if 0 <= place < len(self._tables):
            self.grid.show_table(self._tables[place], place)

    def _on_kind(self) -> None:
        roles = ROLES[self._form]
        self._cells = [[] for _ in roles]
        for at, part in enumerate(self._rows):
            show_if(part, at < len(roles))
        for name, role in zip(self._names, roles, strict=False):
            name.setText(tr(role.name))
        self._show()

    def _show(self) -> None:
        for cells, words in zip(self._cells, self._words, strict=False):
            names = [escaped(place_name(self._tables, at)) for at in cells[:4]]
            if len(cells) > len(names):
                names.append(tr("… and {n} more", n=len(cells) - len(names)))
            words.setText("\n".join(names) or tr("No cells yet"))
        first, problem = self.relation(), self._problem()
        self.equation.setText("" if first is None else words_of(first, self._tables))
        more = [] if first is None else across_columns(first, self._tables)
        show_if(self.every_column, bool(more))
        show_if(self.problem, first is not None and bool(problem))
        self.problem.show_words(problem, "warning")
        self.add.setEnabled(not problem)

    # -- choosing ------------------------------------------------------------------

    def _on_take(self, number: int) -> None:
        """Give the selected counts a role; further ones are added where many go."""
        role, table = ROLES[self._form][number], self.table.currentIndex()
        chosen = [At(table, *each) for each in self.grid.chosen_cells()]
        counts = [at for at in chosen if cell_at(self._tables, at).is_count]
        if not counts:
            self.problem.show_words(tr("Select cells that are counts."), "info")
            show_if(self.problem, True)
            return
        others = {
            at for n, each in enumerate(self._cells) if n != number for at in each
        }
        counts = [at for at in counts if at not in others] or counts
        known = self._cells[number]
        if role.most == 1:
            self._cells[number] = counts[:1]
        elif any(at not in known for at in counts):
            # Cells of other tables come beside those that are chosen already.
            here = [at for at in known if at.table != table]
            self._cells[number] = [*here, *counts]
        self._show()

    def _on_add(self) -> None:
        found = [
            each
            for each in self.relations()
            if each.identity not in self._known
            and fit_of(each, self._tables, self._bounds) is not Fit.CONTRADICTED
        ]
        self.made.emit(found)
        self.accept()
