"""Decisions on tables of counts, to be given to `Session.apply`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from deidgui.app.counts.tables import OpenedTable, layout_fields, relation_choice
from deidgui.app.ops import Op
from deidgui.app.project import (
    CellHidden,
    CellKind,
    CellsSaid,
    Counts,
    CountTableChoice,
    Hiding,
    Place,
    Project,
    RelationChoice,
    SiteChoice,
    ValidityChoice,
    signature,
)
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.engine.counts.tables.cells import MARKS
from deidgui.engine.counts.tables.structure import Relation
from deidgui.engine.counts.tables.table import At, CountTable, Layout


@dataclass(frozen=True)
class WithFiles:
    """A decision, and the files with cells that it needs.

    Parameters
    ----------
    files : mapping of str to bytes
        By the relative path that the project uses.
    """

    op: Op
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)


def new_project() -> Project:
    """Return an empty project of tables of counts."""
    return Project(kind="counts", counts=Counts())


def _counts(project: Project) -> Counts:
    assert project.counts is not None
    return project.counts


def _change(**changes: object) -> Op:
    return lambda project: project.but(counts=_counts(project).but(**changes))


def add_tables(opened: Sequence[OpenedTable]) -> Op:
    """Add tables; what was confirmed of the structure has to be looked at again."""

    def op(project: Project) -> Project:
        counts = _counts(project)
        added = (*counts.tables, *(each.choice() for each in opened))
        name = project.name
        if not counts.tables and name == Project.model_fields["name"].default:
            name = opened[0].table.name
        changed = counts.but(tables=added, relations=None, relations_confirmed=False)
        return project.but(name=name, counts=changed)

    return op


def remove_table(name: str) -> Op:
    """Remove a table, and relations that it is part of.

    With the last one goes all that was decided about these tables: other tables are
    other data. A project that is called after a table is called after the next one.
    """

    def op(project: Project) -> Project:
        counts = _counts(project)
        left = [each.name for each in counts.tables if each.name != name]
        if project.name == name:
            default = Project.model_fields["name"].default
            project = project.but(name=next(iter(left), default))
        if not left:
            return _without_tables(project)
        kept = counts.relations
        if kept is not None:
            kept = tuple(each for each in kept if name not in _tables_in(each))
        tables = tuple(each for each in counts.tables if each.name != name)
        # What went with the table may have been all: that none is left is not said.
        confirmed = counts.relations_confirmed and (
            bool(kept) or kept == counts.relations
        )
        changed = counts.but(
            tables=tables, relations=kept, relations_confirmed=confirmed
        )
        return project.but(counts=changed)

    return op


def _without_tables(project: Project) -> Project:
    """Forget what was decided about the tables, and when that holds.

    PRIVACY: σ, threshold, answers and period of validity were judged for counts that
    are not there any more; taken over, they would stand for others that nobody has
    looked at. What the institution says is kept: width, sites of the network, context,
    who signs, and notes.
    """
    counts = _counts(project)
    kept = Counts(
        width=counts.width, sites=counts.sites, sites_sigma=counts.sites_sigma
    )
    return project.but(counts=kept, validity=ValidityChoice(), answers=())


def rename_table(name: str, new: str) -> Op:
    """Call a table otherwise, also in relations (raises if a table has that name)."""

    def place(at: Place | None) -> Place | None:
        return (new, *at[1:]) if at is not None and at[0] == name else at

    def relation(choice: RelationChoice) -> RelationChoice:
        parts = tuple(place(each) for each in choice.parts)
        whole, shown = place(choice.whole), place(choice.shown)
        return choice.but(whole=whole, parts=parts, shown=shown)

    def op(project: Project) -> Project:
        counts = _counts(project)
        tables = tuple(
            each.but(name=new) if each.name == name else each for each in counts.tables
        )
        kept = counts.relations
        relations = None if kept is None else tuple(map(relation, kept))
        return project.but(counts=counts.but(tables=tables, relations=relations))

    return op


def _tables_in(relation: RelationChoice) -> set[str]:
    shown = () if relation.shown is None else (relation.shown,)
    return {place[0] for place in (relation.whole, *relation.parts, *shown)}


def _change_table(name: str, **changes: object) -> Op:
    def op(project: Project) -> Project:
        counts = _counts(project)
        tables = tuple(
            each.but(**changes) if each.name == name else each for each in counts.tables
        )
        return project.but(counts=counts.but(tables=tables))

    return op


def say_cells(
    table: CountTable, cells: Iterable[tuple[int, int]], kind: CellKind
) -> Op:
    """Say what some cells of a table are."""
    chosen = set(cells)

    def op(project: Project) -> Project:
        (choice,) = (e for e in _counts(project).tables if e.name == table.name)
        kept = [each for each in choice.said if (each.row, each.column) not in chosen]
        said = [CellsSaid(row=r, column=c, kind=kind) for r, c in sorted(chosen)]
        return _change_table(table.name, said=(*kept, *said), confirmed=False)(project)

    return op


def set_layout(table: CountTable, layout: Layout) -> Op:
    """Say anew where labels and figures of a table are."""
    return _change_table(table.name, **layout_fields(layout), confirmed=False)


def confirm_cells(name: str) -> Op:
    """Confirm what the cells of a table are."""
    return _change_table(name, confirmed=True)


def set_threshold(threshold: int | None) -> Op:
    """State below which threshold counts are masked."""
    return _change(threshold=threshold)


def set_mask_zero(mask_zero: bool | None) -> Op:
    """Say whether zeros are masked too."""
    return _change(mask_zero=mask_zero)


def set_marks(masked: Iterable[str], complements: Iterable[str]) -> Op:
    """Say which texts stand for a masked count or a complement, besides T and C.

    A text that is given as both is masked. The cells have to be looked at again.
    """
    marks = {text: kind.value for text, kind in MARKS.items()}
    marks.update(dict.fromkeys(complements, "complement"))
    marks.update(dict.fromkeys(masked, "masked"))

    def op(project: Project) -> Project:
        counts = _counts(project)
        tables = tuple(each.but(confirmed=False) for each in counts.tables)
        return project.but(counts=counts.but(marks=marks, tables=tables))

    return op


def set_any_count(any_count: bool) -> Op:
    """Say whether readers think that a complement may hold any count."""
    return _change(any_count=any_count)


def set_relations(
    relations: Iterable[Relation] | None,
    tables: Sequence[CountTable],
    *,
    has_none: bool = False,
) -> Op:
    """Decide how the counts hang together; None takes what is proposed.

    Parameters
    ----------
    has_none : bool
        Whether a person says that there are none where none is given. PRIVACY: that
        the last one was taken out does not say it.
    """
    if relations is None:
        return _change(relations=None, relations_confirmed=False)
    found = tuple(relation_choice(each, tables) for each in relations)
    return _change(relations=found, relations_confirmed=bool(found) or has_none)


def set_release(release: Literal["noise", "masked"]) -> Op:
    """Decide whether tables are released masked or with noise."""
    return _change(release=release)


def set_inferable_because(reason: str, by: str = "", on: str = "") -> Op:
    """State why masked counts that can be inferred are released.

    Parameters
    ----------
    by, on : str
        Who says so, and the date.
    """
    signed = signature(by if reason else "", on)
    return _change(inferable_because=reason, inferable_signed=signed)


def set_noise(rule: NoiseRule | None) -> Op:
    """Decide by which rule counts get noise; None leaves it undecided."""
    return _change(noise=rule)


def use_repair(
    tables: Sequence[CountTable],
    hides: Mapping[At, Hiding],
    threshold: int | None = None,
) -> Op:
    """Hide cells, and raise the threshold if one is given."""
    new: dict[str, dict[tuple[int, int], Hiding]] = {}
    for at, mark in hides.items():
        new.setdefault(tables[at.table].name, {})[at.row, at.column] = mark

    def op(project: Project) -> Project:
        counts = _counts(project)
        found = []
        for each in counts.tables:
            marks = {(old.row, old.column): old.mark for old in each.hidden}
            marks.update(new.get(each.name, {}))
            hidden = (
                CellHidden(row=r, column=c, mark=m)
                for (r, c), m in sorted(marks.items())
            )
            found.append(each.but(hidden=tuple(hidden)))
        counts = counts.but(tables=tuple(found))
        if threshold is not None:
            counts = counts.but(threshold=threshold)
        return project.but(counts=counts)

    return op


def set_sites(sites: Iterable[SiteChoice]) -> Op:
    """Say which sites of a network are added up."""
    return _change(sites=tuple(sites))


def set_sites_sigma(sigma: float | None) -> Op:
    """Say which noise the tables of sites have; None for true counts."""
    return _change(sites_sigma=sigma)


def use_coarser(
    choices: Mapping[str, CountTableChoice],
    relations: tuple[RelationChoice, ...] | None,
    *,
    mask_zero: bool | None,
) -> Op:
    """Put tables with joined categories in the place of tables, by their names."""

    def op(project: Project) -> Project:
        counts = _counts(project)
        tables = tuple(choices.get(each.name, each) for each in counts.tables)
        changed = counts.but(tables=tables, relations=relations, mask_zero=mask_zero)
        return project.but(counts=changed)

    return op


def show_hidden() -> Op:
    """Show again what repairs have hidden."""

    def op(project: Project) -> Project:
        counts = _counts(project)
        tables = tuple(each.but(hidden=()) for each in counts.tables)
        return project.but(counts=counts.but(tables=tables))

    return op
