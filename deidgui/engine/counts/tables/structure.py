"""How the counts of tables hang together: sums, steps, the same count shown twice."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from deidgui.engine.counts.tables.cells import CountCell, Mark
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.text import tr


class Form(enum.StrEnum):
    """What a relation says of its cells.

    SUM: the whole is the sum of its parts, which exclude one another. ATTRITION: what
    remained before is what remains plus what was excluded. SAME: all show the same
    count. AT_MOST: no part is more than the whole (categories that do not exclude
    one another, sub-populations). RATIO: the first cell shows the part divided by the
    whole.
    """

    SUM = "sum"
    ATTRITION = "attrition"
    SAME = "same"
    AT_MOST = "at_most"
    RATIO = "ratio"


@dataclass(frozen=True)
class Relation:
    """One thing that is known of several cells.

    Parameters
    ----------
    whole : At
        The total, the count before a step, or the denominator.
    parts : tuple of At
        Of a ratio the numerator alone.
    shown : At or None
        Of a ratio the cell with the percentage or the mean.
    scale : int
        Of a ratio: 100 for percentages.
    """

    form: Form
    whole: At
    parts: tuple[At, ...]
    shown: At | None = None
    scale: int = 1

    @property
    def identity(self) -> str:
        """Letters that are the same for the same relation of the same cells only."""
        parts = sorted(self.parts)
        text = repr([str(self.form), tuple(self.whole), *map(tuple, parts), self.shown])
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    @property
    def cells(self) -> tuple[At, ...]:
        """All cells whose counts it ties together; the whole first."""
        return (self.whole, *self.parts)


@dataclass(frozen=True)
class Bounds:
    """What a mark says of the count behind it.

    Parameters
    ----------
    threshold : int or None
        Counts below it are masked; None while nobody has stated it.
    mask_zero : bool
        Whether zeros are masked too.
    any_count : bool
        Whether readers think that a complement may hold any count. If not, they know
        that it is not below the threshold, since such counts are a `T`.
    """

    threshold: int | None = None
    mask_zero: bool = False
    any_count: bool = False

    def masks(self, count: int) -> bool:
        """Whether a count is small enough to be masked."""
        least = 0 if self.mask_zero else 1
        return self.threshold is not None and least <= count < self.threshold

    def of(self, cell: CountCell) -> tuple[int, int | None]:
        """Least and largest count of a cell; None where nothing bounds it."""
        if cell.count is not None:
            return cell.count, cell.count
        if cell.mark is Mark.COMPLEMENT:
            return 0, None
        least = 0 if self.mask_zero else 1
        if cell.most is not None:
            return min(least, cell.most), cell.most
        return least, None if self.threshold is None else self.threshold - 1


class Fit(enum.Enum):
    """How a relation stands to what the tables show."""

    EXACT = "exact"
    POSSIBLE = "possible"
    CONTRADICTED = "contradicted"


def cell_at(tables: Sequence[CountTable], at: At) -> CountCell:
    """Return the cell at a place."""
    return tables[at.table].cells[at.row][at.column]


def fit_of(relation: Relation, tables: Sequence[CountTable], bounds: Bounds) -> Fit:
    """Whether what is shown agrees with a relation, without solving anything.

    Exact if all its counts are shown and agree.
    """
    whole = bounds.of(cell_at(tables, relation.whole))
    parts = [bounds.of(cell_at(tables, each)) for each in relation.parts]
    is_shown = all(low == high for low, high in (whole, *parts))
    if relation.form in (Form.SUM, Form.ATTRITION):
        low = sum(each for each, _ in parts)
        high = _sum(high for _, high in parts)
        fits = _meet(whole, (low, high))
    elif relation.form is Form.SAME:
        fits = all(_meet(whole, each) for each in parts)
    elif relation.form is Form.AT_MOST:
        fits = all(whole[1] is None or low <= whole[1] for low, _ in parts)
    else:
        fits = _fits_ratio(relation, tables, whole, parts[0])
    if not fits:
        return Fit.CONTRADICTED
    return Fit.EXACT if is_shown else Fit.POSSIBLE


def across_columns(
    relation: Relation, tables: Sequence[CountTable]
) -> tuple[Relation, ...]:
    """Return the same relation of the other columns of its table.

    None unless all its cells stand in one column; only columns with counts in all of
    its rows.
    """
    first = relation.whole
    if any((e.table, e.column) != (first.table, first.column) for e in relation.cells):
        return ()
    table, found = tables[first.table], []
    for column in range(table.shape[1]):
        cells = [each._replace(column=column) for each in relation.cells]
        is_other = column != first.column
        if is_other and all(cell_at(tables, each).is_count for each in cells):
            found.append(Relation(relation.form, cells[0], tuple(cells[1:])))
    return tuple(found)


def shown_by(relation: Relation, tables: Sequence[CountTable]) -> Decimal | None:
    """Return the percentage or mean that a ratio is about."""
    assert relation.shown is not None
    cell = cell_at(tables, relation.shown)
    return cell.share or cell.mean


_Range = tuple[int, int | None]


def _fits_ratio(
    relation: Relation, tables: Sequence[CountTable], whole: _Range, part: _Range
) -> bool:
    shown = shown_by(relation, tables)
    if shown is None:
        return False
    half = Decimal(1).scaleb(shown.as_tuple().exponent) / 2  # type: ignore[arg-type]
    low, high = shown - half, shown + half
    is_low = part[1] is not None and relation.scale * part[1] < low * whole[0]
    is_high = whole[1] is not None and relation.scale * part[0] > high * whole[1]
    return not is_low and not is_high


def _sum(highs: Iterable[int | None]) -> int | None:
    total = 0
    for high in highs:
        if high is None:
            return None
        total += high
    return total


def _meet(one: _Range, other: _Range) -> bool:
    return (one[1] is None or other[0] <= one[1]) and (
        other[1] is None or one[0] <= other[1]
    )


# -- in words --------------------------------------------------------------------------


def place_name(tables: Sequence[CountTable], at: At) -> str:
    """How a cell is called: its row and its column, and its table if several."""
    table = tables[at.table]
    row, column = table.row_name(at.row), table.column_name(at.column)
    name = tr("{row} ({column})", row=row, column=column)
    if len(tables) == 1:
        return name
    return tr("{name} in “{table}”", name=name, table=table.name)


def words_of(
    relation: Relation, tables: Sequence[CountTable], most: int | None = None
) -> str:
    """A relation as an equation in words: "Male + Female = Overall [Sample1]".

    Parameters
    ----------
    most : int, optional
        Parts that are named; of longer sums the rest is counted.
    """
    names, where = names_of(relation, tables)
    whole, *parts = names
    sums = (Form.SUM, Form.AT_MOST)
    if most is not None and len(parts) > most + 1 and relation.form in sums:
        rest = tr("… and {n} more", n=len(parts) - most)
        parts = [*parts[:most], rest]
    if relation.form is Form.SUM:
        text = tr("{parts} = {whole}", parts=" + ".join(parts), whole=whole)
    elif relation.form is Form.ATTRITION:
        text = tr(
            "{remaining} + {excluded} = {before}",
            remaining=parts[0],
            excluded=" + ".join(parts[1:]),
            before=whole,
        )
    elif relation.form is Form.SAME:
        text = " = ".join(names)
    elif relation.form is Form.AT_MOST:
        text = tr("{parts}: each at most {whole}", parts=", ".join(parts), whole=whole)
    else:
        assert relation.shown is not None
        shown = tables[relation.shown.table].column_name(relation.shown.column)
        text = tr("{part} / {whole} = {shown}", part=parts[0], whole=whole, shown=shown)
    return tr("{text} [{where}]", text=text, where=where) if where else text


def names_of(relation: Relation, tables: Sequence[CountTable]) -> tuple[list[str], str]:
    """Name a relation's cells without what all of them share.

    Returns
    -------
    names : list of str
        In the order of `Relation.cells`.
    where : str
        What they share: heading, column or row, table if there are several.
    """
    first = relation.cells[0]
    table = tables[first.table]
    if any(each.table != first.table for each in relation.cells):
        return [place_name(tables, each) for each in relation.cells], ""
    shared = [table.name] if len(tables) > 1 else []
    if relation.form is Form.ATTRITION:
        shared.insert(0, table.row_name(relation.parts[0].row))
        before = tr("remaining before")
        excluded = [tr("excluded")] * (len(relation.parts) - 1)
        return [before, tr("remaining"), *excluded], ", ".join(shared)
    if all(each.column == first.column for each in relation.cells):
        names, above = _row_names(relation, table)
        shared = [*above, table.column_name(first.column), *shared]
    elif all(each.row == first.row for each in relation.cells):
        names = [table.column_name(each.column) for each in relation.cells]
        shared.insert(0, table.row_name(first.row))
    else:
        names = [
            place_name((table,), each._replace(table=0)) for each in relation.cells
        ]
    return names, ", ".join(shared)


def _row_names(relation: Relation, table: CountTable) -> tuple[list[str], list[str]]:
    """Names of rows, and what stands above all parts."""
    paths = [table.full_path(each.row) for each in relation.cells]
    above = paths[1][:-1]
    if not above or any(path[:-1] != above for path in paths[1:]):
        return [table.row_name(each.row) for each in relation.cells], []
    whole = (
        paths[0][-1] if paths[0][:-1] == above else table.row_name(relation.whole.row)
    )
    return [whole, *(path[-1] for path in paths[1:])], [", ".join(above)]
