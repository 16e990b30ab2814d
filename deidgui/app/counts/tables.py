"""Tables of counts between files, projects and the engine."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from deidgui.app.project import (
    CellsSaid,
    Counts,
    CountTableChoice,
    Place,
    Project,
    RelationChoice,
)
from deidgui.app.reading.files import safe_name
from deidgui.engine.counts.tables.cells import MARKS, CellType, Mark
from deidgui.engine.counts.tables.proposing import ProposedRelations, proposed_structure
from deidgui.engine.counts.tables.reading import (
    SHEETS,
    Grid,
    bare_name,
    from_csv,
    name_of,
    pasted_grid,
    read_grid,
    sheet_grid,
    split_grid,
    to_csv,
)
from deidgui.engine.counts.tables.structure import Bounds, Form, Relation
from deidgui.engine.counts.tables.table import At, CellStatement, CountTable, Layout
from deidgui.engine.data.source import open_source, spreadsheet_content
from deidgui.engine.excel.reading import MAX_BYTES, read_sheets
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

FOLDER = "tables"
"""Where the cells of tables are kept, below the folder of the project."""


@dataclass(frozen=True, repr=False)
class OpenedTable:
    """A table that was read, typed or pasted, before it is part of a project.

    Parameters
    ----------
    source, sheet : str
        As of `CountTableChoice`.
    sha256 : str
        Of the bytes of that file. PRIVACY: never kept; see `table_file_name`.
    token : str
        Part of the name of the file that its cells are kept in.
    """

    table: CountTable
    source: str = ""
    sha256: str = ""
    sheet: str = ""
    token: str = field(default_factory=lambda: secrets.token_hex(4))

    @property
    def content(self) -> bytes:
        """The cells as they are kept."""
        return to_csv(self.table.grid)

    def choice(self) -> CountTableChoice:
        """Return what a project says about it."""
        return CountTableChoice(
            name=self.table.name,
            file=table_file_name(self.table.name, self.token),
            source=self.source,
            sheet=self.sheet,
            **layout_fields(self.table.layout),
        )


def layout_fields(layout: Layout) -> dict[str, object]:
    """Fields of a `CountTableChoice` that say what cells are."""
    said = (
        CellsSaid(row=e.row, column=e.column, kind=e.kind.value) for e in layout.said
    )
    return {
        "n_header_rows": layout.n_header_rows,
        "labels": layout.labels,
        "kinds": tuple(each.value for each in layout.kinds),
        "said": tuple(said),
    }


def table_file_name(name: str, token: str) -> str:
    """Relative path of the cells of a table.

    PRIVACY: with a random token. Of a small table, a hash tells the counts by trying.
    """
    return f"{FOLDER}/{safe_name(name)}-{token}.csv"


@dataclass(frozen=True, repr=False)
class RawTable:
    """The cells of a file or of one of its sheets, before it is a table.

    Parameters
    ----------
    base : str
        What the table is called, unless another one has that name.
    source, sheet, sha256 : str
        As of `OpenedTable`.
    """

    base: str
    grid: Grid
    source: str
    sha256: str
    sheet: str


def raw_tables(
    paths: Sequence[Path], *, monitor: Monitor = NULL_MONITOR
) -> tuple[RawTable, ...]:
    """Read files: one table each, of a spreadsheet one for each sheet.

    Parameters
    ----------
    paths : sequence of Path
        ``tables.xlsx:Sheet`` names one sheet; else those are read that are shown.

    Raises
    ------
    InputError, ResourceError
        As `open_source`, `read_grid` and `read_sheets`; code ``sheets_none`` where a
        sheet of another file is named.
    """
    found: list[RawTable] = []
    for number, path in enumerate(paths):
        step = SubMonitor(monitor, number / len(paths), (number + 1) / len(paths))
        found += _raw(path, step)
    return tuple(found)


def opened_tables(
    raw: Iterable[RawTable],
    taken: Sequence[str] = (),
    marks: Mapping[str, Mark] = MARKS,
) -> tuple[OpenedTable, ...]:
    """Find out what the cells of tables are.

    Parameters
    ----------
    taken : sequence of str
        Names of tables that there are already.

    Raises
    ------
    InputError
        As `CountTable.of`.
    """
    found: list[OpenedTable] = []
    for each in raw:
        name = name_of(each.base, [*taken, *(e.table.name for e in found)])
        table = CountTable.of(name, each.grid, marks=marks)
        found.append(OpenedTable(table, each.source, each.sha256, each.sheet))
    return tuple(found)


def read_tables(
    paths: Sequence[Path],
    taken: Sequence[str] = (),
    marks: Mapping[str, Mark] = MARKS,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[OpenedTable, ...]:
    """Read files as tables of counts (as `raw_tables`, then `opened_tables`).

    Raises
    ------
    InputError, ResourceError
        As these.
    """
    return opened_tables(raw_tables(paths, monitor=monitor), taken, marks)


def _raw(path: Path, monitor: Monitor) -> Iterator[RawTable]:
    path, wanted = split_sheet(path)
    content = spreadsheet_content(path, MAX_BYTES)
    if content is None:
        if wanted:
            raise InputError("sheets_none", file=path.name, sheet=wanted)
        source = open_source(path, monitor=monitor)
        grid = read_grid(source).grid
        yield RawTable(source.name, grid, source.name, source.sha256, "")
        return
    sha256 = hashlib.sha256(content).hexdigest()
    sheets = read_sheets(content, path.name, SHEETS, sheet=wanted, monitor=monitor)
    if not sheets:
        raise InputError("counts_empty", table=path.name)
    for each in sheets:
        name = path.name if each.is_alone else f"{bare_name(path.name)} {each.name}"
        grid = sheet_grid(each, path.name)
        yield RawTable(name, grid, path.name, sha256, each.name)


def split_sheet(path: Path) -> tuple[Path, str]:
    """Take ``FILE:Sheet`` apart where the whole is no file; "" names no sheet."""
    if not path.exists():
        file, colon, sheet = str(path).rpartition(":")
        if colon and Path(file).is_file():
            return Path(file), sheet
    return path, ""


def pasted_tables(
    text: str, taken: Sequence[str] = (), marks: Mapping[str, Mark] = MARKS
) -> tuple[OpenedTable, ...]:
    """Read what was typed or pasted: one table, or several below each other.

    Raises
    ------
    InputError
        As `pasted_grid` and `CountTable.of`.
    """
    parts = split_grid(pasted_grid(text, tr("Table")).grid, marks)
    raw = (RawTable(title or tr("Table"), grid, "", "", "") for title, grid in parts)
    return opened_tables(raw, taken, marks)


# -- of a project ----------------------------------------------------------------------


def marks_of(counts: Counts) -> dict[str, Mark]:
    """Texts that stand instead of a count."""
    return {text: Mark(mark) for text, mark in counts.marks.items()}


def layout_of(choice: CountTableChoice) -> Layout:
    """What the cells of a table are, as a project says."""
    return Layout(
        choice.n_header_rows,
        choice.labels,
        tuple(CellType(each) for each in choice.kinds),
        tuple(
            CellStatement(each.row, each.column, CellType(each.kind))
            for each in choice.said
        ),
    )


def tables_of(
    project: Project,
    files: Mapping[str, bytes],
    known: Mapping[Hashable, CountTable] = MappingProxyType({}),
) -> tuple[CountTable, ...]:
    """Return the tables of a project.

    Parameters
    ----------
    files : mapping of str to bytes
        What is kept beside the project, by relative path.
    known : mapping of hashable to CountTable
        Tables with the same marks that need not be read again, by `read_as`.

    Raises
    ------
    InputError
        Code ``counts_table_missing`` (the file beside the project), or as
        `CountTable.of`.
    """
    counts = project.counts
    assert counts is not None
    marks, found = marks_of(counts), []
    for each in counts.tables:
        if (same := known.get(read_as(each))) is not None:
            found.append(same)
            continue
        if each.file not in files:
            raise InputError("counts_table_missing", table=each.name, file=each.file)
        grid = from_csv(files[each.file], each.name)
        table = CountTable.of(each.name, grid, layout_of(each), marks)
        found.append(table.hiding(_hidden(each)))
    return tuple(found)


def read_as(choice: CountTableChoice) -> Hashable:
    """All that decides how a table is read; whether it was confirmed does not."""
    layout = choice.n_header_rows, choice.labels, choice.kinds, choice.said
    return choice.name, choice.file, layout, choice.hidden


def _hidden(choice: CountTableChoice) -> dict[tuple[int, int], Mark | None]:
    return {
        (each.row, each.column): None if each.mark == "share" else Mark(each.mark)
        for each in choice.hidden
    }


def bounds_of(counts: Counts) -> Bounds:
    """What marks say; zeros are shown unless a person says otherwise."""
    return Bounds(counts.threshold, bool(counts.mask_zero), counts.any_count)


def shows_zero(tables: Sequence[CountTable]) -> bool:
    """Whether a zero is shown, so that zeros are not masked."""
    return any(cell.count == 0 for table in tables for _r, _c, cell in table.counts())


def shows_masked(tables: Sequence[CountTable]) -> bool:
    """Whether a count is masked because it is small."""
    return any(cell.is_masked for table in tables for _r, _c, cell in table.counts())


def masks_zero(counts: Counts, tables: Sequence[CountTable]) -> bool | None:
    """Whether zeros are masked: as decided, else as the tables show, else None.

    PRIVACY: a zero beside counts that were masked before says that zeros are shown. One
    among true counts says nothing: whether it is masked decides what is released, and a
    person decides that.
    """
    if counts.mask_zero is not None:
        return counts.mask_zero
    given = [each.plain or each for each in tables]
    return False if shows_masked(given) and shows_zero(given) else None


def zeros_undecided(counts: Counts, tables: Sequence[CountTable]) -> bool:
    """Whether zeros are shown, and nobody has said if they are masked too."""
    return masks_zero(counts, tables) is None and shows_zero(tables)


def check_zeros(counts: Counts, tables: Sequence[CountTable]) -> None:
    """See that somebody has decided about the zeros that are shown.

    Raises
    ------
    ConfigError
        Code ``counts_zeros_unsaid``.
    """
    if zeros_undecided(counts, tables):
        raise ConfigError("counts_zeros_unsaid")


def relations_of(counts: Counts, tables: Sequence[CountTable]) -> ProposedRelations:
    """Return how the counts hang together: as decided, else as proposed.

    Proposals rest on what the tables showed before a repair hid more of them.
    """
    if counts.relations is None:
        plain = [each.plain or each for each in tables]
        return proposed_structure(plain, bounds_of(counts))
    numbers = {table.name: number for number, table in enumerate(tables)}
    return ProposedRelations(
        tuple(_relation(each, numbers) for each in counts.relations)
    )


def _relation(choice: RelationChoice, numbers: Mapping[str, int]) -> Relation:
    def at(place: Place) -> At:
        return At(numbers[place[0]], *place[1:])

    return Relation(
        Form(choice.form),
        at(choice.whole),
        tuple(at(each) for each in choice.parts),
        None if choice.shown is None else at(choice.shown),
        choice.scale,
    )


def relation_choice(relation: Relation, tables: Sequence[CountTable]) -> RelationChoice:
    """Return a relation as a project keeps it."""

    def place(at: At) -> Place:
        return tables[at.table].name, at.row, at.column

    return RelationChoice(
        form=relation.form.value,
        whole=place(relation.whole),
        parts=tuple(place(each) for each in relation.parts),
        shown=None if relation.shown is None else place(relation.shown),
        scale=100 if relation.scale == 100 else 1,
    )
