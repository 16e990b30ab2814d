"""Coarser categories: which of the tables can be joined, and the tables then."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deidgui.app.counts import ops
from deidgui.app.counts.auditing import AuditedTables
from deidgui.app.counts.tables import masks_zero, relation_choice, table_file_name
from deidgui.app.project import CellHidden, Counts, CountTableChoice, RelationChoice
from deidgui.engine.arrays import IntArray
from deidgui.engine.counts.noise.fuzzing import count_text
from deidgui.engine.counts.repair.merging import Categories, Coarser, coarser
from deidgui.engine.counts.tables.reading import to_csv
from deidgui.engine.counts.tables.structure import Form, Relation, cell_at
from deidgui.engine.counts.tables.table import FIGURES, At, CountTable, label
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

MOST_SECONDS = 30.0
"""After that what is joined until then is taken."""

UNKNOWN = -1
"""Stands for a count that nobody can tell."""


@dataclass(frozen=True)
class TableLines:
    """Rows or columns of one table that exclude each other, as categories do.

    Parameters
    ----------
    are_rows : bool
        Columns otherwise.
    numbers : tuple of int
        Which, sorted.
    """

    table: int
    are_rows: bool
    numbers: tuple[int, ...]

    def at(self, line: int, other: int) -> At:
        """Return the cell of one of the lines in a line across."""
        pair = (line, other) if self.are_rows else (other, line)
        return At(self.table, *pair)


@dataclass(frozen=True)
class JoinedLines:
    """Rows or columns that become one.

    Parameters
    ----------
    name : str
        Of the category that stands for all of them.
    """

    lines: TableLines
    name: str


@dataclass(frozen=True, repr=False, eq=False)
class CoarserTables:
    """Tables with fewer categories, and what that costs.

    Parameters
    ----------
    n_unknown : int
        Masked counts that nobody can tell: their categories cannot be joined.
    """

    audited: AuditedTables
    found: Coarser
    joined: tuple[JoinedLines, ...]
    counts: IntArray
    n_unknown: int

    @property
    def n_unprotected(self) -> int:
        """Masked counts that joining does not protect."""
        return len(self.found.audit.too_narrow)

    def total(self, cells: Iterable[At]) -> int:
        """Sum of counts that are all known."""
        numbers = self.audited.public.numbers
        return int(sum(self.counts[numbers[at]] for at in cells))

    @property
    def n_tied(self) -> int:
        """Percentages and means of the categories that are joined: left out."""
        tables = self.audited.tables
        return sum(
            cell.share is not None or cell.mean is not None
            for each in self.joined
            for at in _cells(each.lines, tables[each.lines.table])
            if (cell := cell_at(tables, at))
        )


def coarser_tables(
    audited: AuditedTables,
    *,
    seconds: float = 10.0,
    monitor: Monitor = NULL_MONITOR,
) -> CoarserTables:
    """Find categories to join so that masked counts cannot be inferred.

    A category with a count that nobody can tell stays: of its sum with another nobody
    could say whether it is masked.

    Raises
    ------
    Cancelled
        If the user asked to stop.
    """
    counts = known_counts(audited)
    system, width = audited.public.system, audited.found.width
    n_unknown = int(np.count_nonzero(counts[system.masked] == UNKNOWN))
    best: CoarserTables | None = None
    ways = _ways(audited, counts)
    for at, lines in enumerate(ways):
        found = coarser(
            system,
            [_group(audited, each) for each in lines],
            counts,
            audited.bounds.threshold or 1,
            width=width,
            seconds=seconds,
            limit=MOST_SECONDS / len(ways),
            monitor=SubMonitor(monitor, at / len(ways), (at + 1) / len(ways)),
        )
        joined = (
            _joined(audited, each.group, each.categories) for each in found.joined
        )
        this = CoarserTables(audited, found, tuple(joined), counts, n_unknown)
        if best is None or _rank(this) < _rank(best):
            best = this
    assert best is not None
    return best


def _rank(each: CoarserTables) -> tuple[int, int, int]:
    return each.n_unprotected, each.found.cost.n_figures, each.found.cost.n_counted


def known_counts(audited: AuditedTables) -> IntArray:
    """Return what the counts are: shown, hidden by a repair, or inferred exactly.

    Returns
    -------
    ndarray of int64, shape (n,)
        `UNKNOWN` where nobody can tell.
    """
    low, high = audited.found.low, audited.found.high
    counts = np.where(low == high, low, UNKNOWN)
    for number, at in enumerate(audited.public.places):
        plain = audited.tables[at.table].plain
        count = None if plain is None else plain.cells[at.row][at.column].count
        if count is not None:
            counts[number] = count
    return counts


def describe_coarser(found: CoarserTables) -> dict[str, Any]:
    """Return coarser categories as JSON values.

    Returns
    -------
    dict
        ``joined`` (``table`` and ``name``), ``unprotected``, ``figures``, ``counted``,
        ``unknown``, ``stopped``.
    """
    tables = found.audited.tables
    return {
        "joined": [
            {"table": tables[each.lines.table].name, "name": each.name}
            for each in found.joined
        ],
        "unprotected": found.n_unprotected,
        "figures": found.found.cost.n_figures,
        "counted": found.found.cost.n_counted,
        "unknown": found.n_unknown,
        "stopped": found.found.was_stopped,
    }


def coarser_words(found: Mapping[str, Any]) -> Iterator[str]:
    """Give what `describe_coarser` returned, line by line."""
    n, left = len(found["joined"]), found["unprotected"]
    if not n:
        yield tr("Coarser categories: none can be joined that would protect.")
    else:
        yield tr(
            "Coarser categories: {n:category stands|categories stand} for several; "
            "{figures:figure is|figures are} gone, {left:masked count|masked counts} "
            "not protected.",
            n=n,
            figures=found["figures"],
            left=left,
        )
    for each in found["joined"]:
        yield tr("  {name} (table “{table}”)", name=each["name"], table=each["table"])
    if found["unknown"]:
        yield tr(
            "  {n:masked count has|masked counts have} no true value in the tables, so "
            "the categories cannot be joined.",
            n=found["unknown"],
        )
    if found["stopped"]:
        yield tr("  Stopped before all was tried: fewer may do.")


# -- which categories there are --------------------------------------------------------


def _ways(audited: AuditedTables, counts: IntArray) -> list[list[TableLines]]:
    """Return the groups to be joined; of a cross table rows or columns, not both."""
    groups = list(dict.fromkeys(_groups(audited, counts)))
    both = {e.table for e in groups if e.are_rows} & {
        e.table for e in groups if not e.are_rows
    }
    ways = []
    for are_rows in (True, False) if both else (True,):
        chosen = [e for e in groups if e.table not in both or e.are_rows is are_rows]
        taken = set[tuple[int, bool, int]]()
        kept = []
        for each in chosen:
            own = {(each.table, each.are_rows, line) for line in each.numbers}
            if not taken & own:
                taken |= own
                kept.append(each)
        ways.append(kept)
    return ways


def _groups(audited: AuditedTables, counts: IntArray) -> Iterator[TableLines]:
    numbers = audited.public.numbers
    for relation in audited.public.relations:
        parts = relation.parts
        if relation.form is not Form.SUM or len({each.table for each in parts}) > 1:
            continue
        if len({each.column for each in parts}) == 1:
            every = TableLines(
                parts[0].table, True, tuple(sorted(e.row for e in parts))
            )
        elif len({each.row for each in parts}) == 1:
            every = TableLines(
                parts[0].table, False, tuple(sorted(e.column for e in parts))
            )
        else:
            continue
        table = audited.tables[every.table]
        run: list[int] = []
        for line in every.numbers:
            own = TableLines(every.table, every.are_rows, (line,))
            known = all(counts[numbers[at]] != UNKNOWN for at in _cells(own, table))
            if known:
                run.append(line)
            elif _is_ordered(every, table):
                # Only neighbours are joined, and this one stays.
                yield from _of_run(every, run, table)
                run = []
        yield from _of_run(every, run, table)


def _of_run(
    every: TableLines, run: Sequence[int], table: CountTable
) -> Iterator[TableLines]:
    lines = TableLines(every.table, every.are_rows, tuple(run))
    across = {tuple(_across(lines, line, table)) for line in run}
    if len(run) > 1 and len(across) == 1:
        yield lines


def _across(lines: TableLines, line: int, table: CountTable) -> Iterator[int]:
    """Lines across in which one of the lines has a count."""
    rows, columns = table.shape
    for other in range(columns if lines.are_rows else rows):
        at = lines.at(line, other)
        if table.cells[at.row][at.column].is_count:
            yield other


def _cells(lines: TableLines, table: CountTable) -> Iterator[At]:
    for line in lines.numbers:
        for other in _across(lines, line, table):
            yield lines.at(line, other)


def _name(lines: TableLines, line: int, table: CountTable) -> str:
    if lines.are_rows:
        path = table.row_paths[line]
        return path[-1] if path else ""
    path = table.column_paths[line]
    return path[-1] if path else ""


def _is_ordered(lines: TableLines, table: CountTable) -> bool:
    """Whether most categories are called by numbers, as ages are."""
    names = [_name(lines, line, table) for line in lines.numbers]
    n_numbers = sum(any(each.isdigit() for each in name) for name in names)
    return 2 * n_numbers > len(names)


def _group(audited: AuditedTables, lines: TableLines) -> Categories:
    table, numbers = audited.tables[lines.table], audited.public.numbers
    categories = tuple(
        tuple(numbers[lines.at(line, e)] for e in _across(lines, line, table))
        for line in lines.numbers
    )
    return Categories(lines, categories, _is_ordered(lines, table))


def _joined(
    audited: AuditedTables, group: object, categories: tuple[int, ...]
) -> JoinedLines:
    assert isinstance(group, TableLines)
    table = audited.tables[group.table]
    numbers = tuple(group.numbers[at] for at in categories)
    lines = TableLines(group.table, group.are_rows, numbers)
    names = [_name(lines, each, table) for each in numbers]
    return JoinedLines(lines, joined_name(names))


_RANGE = re.compile(r"(?P<low>\d+)\s*(?:-|–|to)\s*(?P<high>\d+)(?P<rest>\D*)")
_OPEN = re.compile(r"(?P<low>\d+)\s*\+(?P<rest>\D*)")


def joined_name(names: Sequence[str]) -> str:
    """Name of the category that stands for several: "18-35" for "18-24" and "25-35"."""
    first = _RANGE.fullmatch(names[0])
    last = _RANGE.fullmatch(names[-1]) or _OPEN.fullmatch(names[-1])
    if first and last and first["rest"] == last["rest"]:
        if "high" in last.groupdict():
            return f"{first['low']}-{last['high']}{last['rest']}"
        return f"{first['low']}+{last['rest']}"
    return tr("{first} or {last}", first=", ".join(names[:-1]), last=names[-1])


# -- the tables then -------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Joint:
    """A table whose rows or columns were joined.

    Parameters
    ----------
    grid : tuple of tuple of str
        With true counts where they are known.
    moved : mapping of (int, int) to (int, int)
        Row and column of every cell that stays, and where it is now.
    sums : mapping of (int, int) to tuple of (int, int)
        Cells that show sums now, and which cells they were.
    small : tuple of (int, int)
        Sums that have to be masked.
    """

    grid: tuple[tuple[str, ...], ...]
    moved: Mapping[tuple[int, int], tuple[int, int]]
    sums: Mapping[tuple[int, int], tuple[tuple[int, int], ...]]
    small: tuple[tuple[int, int], ...]

    def grid_at(self, row: int, column: int) -> str:
        """Return what a cell shows now; empty if it is gone."""
        place = self.moved.get((row, column))
        return self.grid[place[0]][place[1]] if place else ""


def joint_table(found: CoarserTables, number: int) -> Joint:
    """Return one of the tables with its categories joined."""
    own = [each for each in found.joined if each.lines.table == number]
    table = found.audited.tables[number]
    plain = table.plain or table
    grid = [list(row) for row in plain.grid]
    sums: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    small: list[tuple[int, int]] = []
    gone_rows, gone_columns = set[int](), set[int]()
    for each in own:
        lines, kept = each.lines, each.lines.numbers[0]
        (gone_rows if lines.are_rows else gone_columns).update(lines.numbers[1:])
        counted = set(_across(lines, kept, table))
        for other in range(plain.shape[1 if lines.are_rows else 0]):
            _table, row, column = lines.at(kept, other)
            if other in counted:
                cells = [lines.at(line, other) for line in lines.numbers]
                total = found.total(cells)
                grid[row][column] = count_text(total, table.writing)
                sums[row, column] = tuple((at.row, at.column) for at in cells)
                if found.audited.bounds.masks(total):
                    small.append((row, column))
            elif plain.cells[row][column].kind in FIGURES:
                grid[row][column] = ""
        _rename(grid, each, table)
    keep_rows = [at for at in range(len(grid)) if at not in gone_rows]
    keep_columns = [at for at in range(len(grid[0])) if at not in gone_columns]
    moved = {
        (row, column): (new_row, new_column)
        for new_row, row in enumerate(keep_rows)
        for new_column, column in enumerate(keep_columns)
    }
    return Joint(
        tuple(tuple(grid[row][column] for column in keep_columns) for row in keep_rows),
        moved,
        sums,
        tuple(sorted(small)),
    )


def _rename(grid: list[list[str]], joined: JoinedLines, table: CountTable) -> None:
    lines, kept = joined.lines, joined.lines.numbers[0]
    if lines.are_rows:
        row, column = kept, table.layout.labels[-1] if table.layout.labels else -1
    else:
        filled = [
            at
            for at in range(table.layout.n_header_rows)
            if label(table.grid[at][kept])
        ]
        row, column = filled[-1] if filled else -1, kept
    if row >= 0 and column >= 0:
        text = grid[row][column]
        grid[row][column] = text[: len(text) - len(text.lstrip())] + joined.name


def joint_relations(
    found: CoarserTables, joints: Mapping[int, Joint]
) -> tuple[tuple[Relation, ...], bool]:
    """Return what is known of the counts then.

    Returns
    -------
    relations : tuple of Relation
    is_more : bool
        Whether some would not be proposed from the new tables: of a sum the parts are
        still shown elsewhere.
    """
    moving = _Moving(joints)
    known = found.audited.public.relations
    kept = moving.relations(known)
    more = list(moving.elsewhere(known))
    return (*kept, *more), bool(more)


class _Moving:
    """Where relations are once categories are joined."""

    def __init__(self, joints: Mapping[int, Joint]) -> None:
        self._joints = joints
        self._cells = {
            At(table, *place): [At(table, *cell) for cell in cells]
            for table, joint in joints.items()
            for place, cells in joint.sums.items()
        }
        self._place = {
            cell: place for place, cells in self._cells.items() for cell in cells
        }

    def _new(self, at: At) -> At:
        joint = self._joints.get(at.table)
        if joint is None:
            return at
        return At(at.table, *joint.moved[self._place.get(at, at)[1:]])

    def _moved(self, relation: Relation) -> Relation:
        return replace(
            relation,
            whole=self._new(relation.whole),
            parts=tuple(dict.fromkeys(map(self._new, relation.parts))),
            shown=None if relation.shown is None else self._new(relation.shown),
        )

    def relations(self, known: Sequence[Relation]) -> Iterator[Relation]:
        """Give those that still hold."""
        added: dict[str, list[Relation]] = {}
        for each in known:
            touched = [at for at in each.cells if at in self._place]
            if not touched and self._has_shown(each):
                yield self._moved(each)
            elif each.form is Form.RATIO:
                continue
            elif len(touched) == len(each.cells):
                added.setdefault(self._moved(each).identity, []).append(each)
            elif each.form in (Form.SUM, Form.ATTRITION) and self._is_whole(each):
                yield self._moved(each)
        for several in added.values():
            # One for each of the categories: their sum holds.
            if len(several) == len(self._cells[self._place[several[0].whole]]):
                yield self._moved(several[0])

    def _has_shown(self, relation: Relation) -> bool:
        """Whether the figure that a ratio is about is still there."""
        at = relation.shown
        joint = None if at is None else self._joints.get(at.table)
        return at is None or joint is None or bool(joint.grid_at(at.row, at.column))

    def _is_whole(self, relation: Relation) -> bool:
        """Whether joined categories are parts of a sum with all that they are of."""
        parts = set(relation.parts)
        places = {self._place[at] for at in parts if at in self._place}
        return relation.whole not in self._place and all(
            parts.issuperset(self._cells[place]) for place in places
        )

    def elsewhere(self, known: Sequence[Relation]) -> Iterator[Relation]:
        """Give the sums whose parts are still shown in other places."""
        same: dict[At, At] = {}
        for each in known:
            if each.form is Form.SAME:
                for one in each.cells:
                    others = [at for at in each.cells if at not in self._place]
                    if one in self._place and others:
                        same[one] = others[0]
        for place, cells in self._cells.items():
            if all(cell in same for cell in cells):
                parts = tuple(self._new(same[cell]) for cell in cells)
                yield Relation(Form.SUM, self._new(place), parts)


@dataclass(frozen=True, repr=False)
class CoarserChoice:
    """What a project says once categories are joined.

    Parameters
    ----------
    tables : mapping of str to CountTableChoice
        By the name of the table.
    relations : tuple of RelationChoice or None
        None takes what is proposed.
    files : mapping of str to bytes
        Cells of these tables, by the relative path that they are kept in.
    """

    tables: Mapping[str, CountTableChoice]
    relations: tuple[RelationChoice, ...] | None
    files: Mapping[str, bytes]


def coarser_choice(found: CoarserTables, counts: Counts) -> CoarserChoice:
    """Return what a project says with the categories joined."""
    tables = found.audited.tables
    numbers = dict.fromkeys(each.lines.table for each in found.joined)
    joints = {number: joint_table(found, number) for number in numbers}
    choices, files = {}, {}
    for number, joint in joints.items():
        old = counts.tables[number]
        file = table_file_name(old.name, secrets.token_hex(4))
        choices[old.name] = _joint_choice(old, joint, file)
        files[file] = to_csv(joint.grid)
    relations, is_more = joint_relations(found, joints)
    kept = None
    if counts.relations is not None or is_more:
        kept = tuple(relation_choice(each, tables) for each in relations)
    return CoarserChoice(choices, kept, files)


def _joint_choice(old: CountTableChoice, joint: Joint, file: str) -> CountTableChoice:
    rows = {row: new for (row, _), (new, _) in joint.moved.items()}
    columns = {column: new for (_, column), (_, new) in joint.moved.items()}
    said = (
        each.but(
            row=None if each.row is None else rows[each.row],
            column=None if each.column is None else columns[each.column],
        )
        for each in old.said
        if (each.row is None or each.row in rows)
        and (each.column is None or each.column in columns)
    )
    hidden = [
        CellHidden(row=place[0], column=place[1], mark=each.mark)
        for each in old.hidden
        if (place := joint.moved.get((each.row, each.column)))
        and (each.row, each.column) not in joint.sums
        and joint.grid_at(each.row, each.column)
    ]
    for cell in joint.small:
        row, column = joint.moved[cell]
        hidden.append(CellHidden(row=row, column=column, mark="masked"))
    return old.but(
        file=file,
        kinds=tuple(kind for at, kind in enumerate(old.kinds) if at in columns),
        labels=tuple(columns[each] for each in old.labels if each in columns),
        said=tuple(said),
        hidden=tuple(sorted(hidden, key=lambda each: (each.row, each.column))),
    )


def joining(found: CoarserTables, counts: Counts) -> ops.WithFiles:
    """Put tables with coarser categories in the place of the present ones.

    Raises
    ------
    ConfigError
        Code ``repair_does_nothing`` if nothing can be joined.
    """
    if not found.joined:
        raise ConfigError("repair_does_nothing")
    choice = coarser_choice(found, counts)
    # Masks that told how zeros are shown may be joined away.
    zeros = masks_zero(counts, found.audited.tables)
    op = ops.use_coarser(choice.tables, choice.relations, mask_zero=zeros)
    return ops.WithFiles(op, choice.files)
