"""What tables of counts publish: unknown whole numbers and relations between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from deidgui.engine.counts.audit.system import System, SystemBuilder
from deidgui.engine.counts.tables.structure import (
    Bounds,
    Form,
    Relation,
    cell_at,
    shown_by,
)
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.errors import InputError


@dataclass(frozen=True, repr=False, eq=False)
class Published:
    """Tables as an attacker sees them.

    Parameters
    ----------
    system : System
        The key of each of its relations is a position in `relations`.
    places : tuple of At
        Cell of each unknown number.
    """

    tables: tuple[CountTable, ...]
    system: System
    places: tuple[At, ...]
    relations: tuple[Relation, ...]

    @cached_property
    def numbers(self) -> Mapping[At, int]:
        """Unknown number of each cell."""
        return {place: number for number, place in enumerate(self.places)}

    def relation_at(self, position: int) -> Relation:
        """Return what a relation of the system was made from."""
        key = self.system.relations[position].key
        assert isinstance(key, int)
        return self.relations[key]


def published(
    tables: Sequence[CountTable], relations: Sequence[Relation], bounds: Bounds
) -> Published:
    """Turn the counts of tables into unknowns: those that are shown are known.

    Raises
    ------
    InputError
        Code ``counts_threshold_wanted`` if a masked count has no bound of its own and
        the threshold is not stated; ``count_too_large`` as `SystemBuilder.build`.
    """
    builder = SystemBuilder()
    numbers: dict[At, int] = {}
    for number, table in enumerate(tables):
        for row, column, cell in table.counts():
            low, high = bounds.of(cell)
            if cell.count is not None:
                unknown = builder.shown(cell.count)
            elif not cell.is_masked:
                if not bounds.any_count:
                    least = table.least_hidden(row, column, bounds.threshold)
                    low = max(low, least)
                unknown = builder.hidden(low, high)
            elif high is None:
                raise InputError("counts_threshold_wanted", table=table.name)
            else:
                unknown = builder.masked(high + 1, with_zero=low == 0)
            numbers[At(number, row, column)] = unknown
    for key, relation in enumerate(relations):
        _add(builder, key, relation, numbers, tables)
    return Published(tuple(tables), builder.build(), tuple(numbers), tuple(relations))


def _add(
    builder: SystemBuilder,
    key: int,
    relation: Relation,
    numbers: Mapping[At, int],
    tables: Sequence[CountTable],
) -> None:
    """Add a relation; one about cells that are no counts any more says nothing."""
    if any(at not in numbers for at in relation.cells):
        return
    whole, *parts = (numbers[at] for at in relation.cells)
    if relation.form in (Form.SUM, Form.ATTRITION):
        builder.total(key, whole, parts)
    elif relation.form is Form.SAME:
        for each in parts:
            builder.same(key, whole, each)
    elif relation.form is Form.AT_MOST:
        for each in parts:
            builder.at_most(key, each, whole)
    else:
        shown = shown_by(relation, tables)
        masked = any(cell_at(tables, at).is_masked for at in relation.cells)
        if shown is not None and (masked or relation.scale == 1):
            builder.quotient(key, parts[0], whole, shown, relation.scale)
