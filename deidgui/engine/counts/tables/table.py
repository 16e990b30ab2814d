"""A table of counts: a grid of texts, what its cells are, and how they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from deidgui.engine.counts.tables.cells import (
    MARKS,
    CellType,
    CountCell,
    Mark,
    Writing,
    bare,
    count_alone,
    read_cell,
    reads_as_number,
    text_for,
    writing_of,
)
from deidgui.errors import InputError
from deidgui.text import tr

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 100_000, 2_000, 1_000_000
"""Larger tables are no tables of counts."""


class At(NamedTuple):
    """Place of a cell: its table, row and column, counted from 0."""

    table: int
    row: int
    column: int


class CellStatement(NamedTuple):
    """What a person says that cells are.

    Parameters
    ----------
    row, column : int or None
        None stands for all.
    """

    row: int | None
    column: int | None
    kind: CellType


@dataclass(frozen=True)
class Layout:
    """Where labels and figures are.

    Parameters
    ----------
    n_header_rows : int
        First rows, which name the columns or are titles.
    labels : tuple of int
        Columns that name the rows.
    kinds : tuple of CellType
        What the cells of each column are.
    said : tuple of CellStatement
        What a person says otherwise; a later one counts more.
    """

    n_header_rows: int
    labels: tuple[int, ...]
    kinds: tuple[CellType, ...]
    said: tuple[CellStatement, ...] = ()

    def kinds_of(self, n_rows: int) -> list[list[CellType]]:
        """What every cell should be, by row and column."""
        found = [
            [CellType.LABEL] * len(self.kinds)
            if row < self.n_header_rows
            else list(self.kinds)
            for row in range(n_rows)
        ]
        for row, column, kind in self.said:
            rows = range(n_rows) if row is None else (row,)
            columns = range(len(self.kinds)) if column is None else (column,)
            for each in rows:
                for place in columns:
                    found[each][place] = kind
        return found


@dataclass(frozen=True, repr=False)
class CountTable:
    """A table of counts as it was typed, pasted or read; never changed.

    Parameters
    ----------
    name : str
        Unique among the tables of a project.
    grid : tuple of tuple of str
        Raw texts, shape (rows, columns).
    marks : mapping of str to Mark
        Texts that stand instead of a count.
    plain : CountTable or None
        As it was before further cells were hidden: what its structure is proposed from.

    Notes
    -----
    PRIVACY: neither its text form nor an error about it holds a cell's value.
    """

    name: str
    grid: tuple[tuple[str, ...], ...]
    layout: Layout
    marks: Mapping[str, Mark] = field(default_factory=lambda: MARKS)
    plain: CountTable | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls,
        name: str,
        grid: Sequence[Sequence[str]],
        layout: Layout | None = None,
        marks: Mapping[str, Mark] = MARKS,
    ) -> CountTable:
        """Return the table of a grid; without a layout one is proposed.

        Raises
        ------
        InputError
            Code ``counts_too_large``, ``counts_empty`` or ``counts_layout_other``
            (of another table).
        """
        full = squared(grid, name)
        if layout is None:
            layout = proposed_layout(full, marks)
        elif len(layout.kinds) != len(full[0]):
            raise InputError("counts_layout_other", table=name)
        return cls(name, full, layout, marks)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<CountTable {self.name!r}: {rows} rows, {columns} columns>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.grid), len(self.grid[0])

    @cached_property
    def writing(self) -> Writing:
        """How numbers are written in it."""
        first = self.layout.n_header_rows
        return writing_of(
            row[column]
            for row in self.grid[first:]
            for column in range(len(row))
            if column not in self.layout.labels
        )

    @cached_property
    def cells(self) -> tuple[tuple[CountCell, ...], ...]:
        """What every cell says, in the shape of the grid."""
        kinds = self.layout.kinds_of(len(self.grid))
        return tuple(
            tuple(
                read_cell(text, kind, self.writing, self.marks)
                for text, kind in zip(texts, row, strict=True)
            )
            for texts, row in zip(self.grid, kinds, strict=True)
        )

    def each_cell(self) -> Iterator[tuple[int, int, CountCell]]:
        """Go through all cells with their row and column."""
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                yield row, column, cell

    def counts(self) -> Iterator[tuple[int, int, CountCell]]:
        """Go through the cells with counts, shown or hidden, that can be used."""
        return (each for each in self.each_cell() if each[2].is_count)

    def but(self, *said: CellStatement) -> CountTable:
        """Return the table with something more that a person says."""
        layout = replace(self.layout, said=(*self.layout.said, *said))
        return replace(self, layout=layout)

    def hiding(self, hidden: Mapping[tuple[int, int], Mark | None]) -> CountTable:
        """Return the table with further cells hidden.

        Parameters
        ----------
        hidden : mapping of (int, int) to (Mark or None)
            Row and column, and what stands there then; None leaves the count and hides
            the percentage beside it.

        Raises
        ------
        InputError
            Code ``counts_layout_other`` if there is no such cell.
        """
        if not hidden:
            return self
        rows, columns = self.shape
        if any(row >= rows or column >= columns for row, column in hidden):
            raise InputError("counts_layout_other", table=self.name)
        texts = {mark: text_for(mark, self.marks) for mark in Mark}
        grid = [list(row) for row in self.grid]
        for (row, column), mark in hidden.items():
            text = grid[row][column]
            grid[row][column] = count_alone(text) if mark is None else texts[mark]
        marks = {**self.marks, **{text: mark for mark, text in texts.items()}}
        return replace(
            self,
            grid=tuple(map(tuple, grid)),
            marks=marks,
            plain=self.plain or self,
        )

    def least_hidden(self, row: int, column: int, threshold: int | None) -> int:
        """Least count that readers think possible of a complement.

        PRIVACY: of one that was hidden here they know that it is not below the
        threshold, since such counts are masked. Others may hide anything.
        """
        if self.plain is None or threshold is None:
            return 0
        count = self.plain.cells[row][column].count
        return threshold if count is not None and count >= threshold else 0

    # -- names ---------------------------------------------------------------------

    @cached_property
    def row_paths(self) -> tuple[tuple[str, ...], ...]:
        """Labels of every row, the outer first; merged cells are filled downwards."""
        return tuple(self._row_paths())

    def _row_paths(self) -> Iterator[tuple[str, ...]]:
        last: dict[int, str] = {}
        *outer, inner = self.layout.labels or (-1,)
        for row in self.grid:
            found = []
            for column in outer:
                text = label(row[column])
                if text:
                    last[column] = text
                    # What is further in begins anew.
                    for later in (each for each in outer if each > column):
                        last.pop(later, None)
                found.append(last.get(column, ""))
            if inner >= 0:
                found.append(label(row[inner]))
            yield tuple(found)

    @cached_property
    def headings(self) -> tuple[int | None, ...]:
        """For every row the heading above it that it belongs to, None without one.

        A heading is a row with a label and nothing else.
        """
        found: list[int | None] = []
        heading: int | None = None
        for row, cells in enumerate(self.cells):
            own = row >= self.layout.n_header_rows
            if own and self.is_heading(row):
                heading = row
                found.append(None)
                continue
            if own and not any(text.strip() for text in self.grid[row]):
                heading = None
            is_outside = heading is not None and (
                self.indents[row] < self.indents[heading] or not cells
            )
            heading = None if is_outside else heading
            found.append(heading)
        return tuple(found)

    def is_heading(self, row: int) -> bool:
        """Whether a row has a label and no figure."""
        figures = [e for e, kind in enumerate(self.layout.kinds) if kind in FIGURES]
        has_label = any(self.row_paths[row])
        return has_label and all(not self.grid[row][each].strip() for each in figures)

    @cached_property
    def indents(self) -> tuple[int, ...]:
        """How far the label of every row stands to the right, in characters."""
        inner = self.layout.labels[-1] if self.layout.labels else None
        if inner is None:
            return (0,) * len(self.grid)
        return tuple(
            len(text) - len(text.lstrip()) if (text := row[inner]).strip() else 0
            for row in self.grid
        )

    @cached_property
    def column_paths(self) -> tuple[tuple[str, ...], ...]:
        """Headers of every column, the outer first; merged cells are filled."""
        rows = []
        for row in self.grid[: self.layout.n_header_rows]:
            texts = [label(text) for text in row]
            if texts[0] and not any(texts[1:]) and len(texts) > 1:
                continue  # a title
            rows.append(texts)
        filled = [
            texts if at == len(rows) - 1 else self._filled(texts)
            for at, texts in enumerate(rows)
        ]
        width = self.shape[1]
        return tuple(
            tuple(texts[column] for texts in filled if texts[column])
            for column in range(width)
        )

    def _filled(self, texts: list[str]) -> list[str]:
        """Fill a merged header to the right."""
        found, last = [], ""
        for column, text in enumerate(texts):
            last = text or ("" if column in self.layout.labels else last)
            found.append(last)
        return found

    def full_path(self, row: int) -> tuple[str, ...]:
        """Labels of a row, the outer first, below its heading."""
        heading = self.headings[row]
        above = [] if heading is None else [self.row_paths[heading][-1].rstrip(":")]
        return (*above, *(each for each in self.row_paths[row] if each))

    def row_name(self, row: int) -> str:
        """How a row is called: its heading and its labels."""
        return ": ".join(self.full_path(row)) or tr("row {row}", row=row + 1)

    def column_name(self, column: int) -> str:
        """How a column is called: its headers."""
        return ", ".join(self.column_paths[column]) or tr(
            "column {column}", column=column + 1
        )


FIGURES = (CellType.COUNT, CellType.PERCENTAGE, CellType.MEAN)
"""Kinds of cells that hold figures."""


def label(text: str) -> str:
    """Return a label on one line, without outer blanks."""
    return " ".join(text.split())


def letters(column: int) -> str:
    """Name of a column as spreadsheets call it: A, B, ..., AA."""
    found = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def squared(grid: Sequence[Sequence[str]], name: str) -> tuple[tuple[str, ...], ...]:
    """Return a grid with rows of the same length, without empty rows around it.

    Raises
    ------
    InputError
        Code ``counts_too_large`` or ``counts_empty``.
    """
    n_columns = max((len(row) for row in grid), default=0)
    n_cells = len(grid) * n_columns
    if len(grid) > MAX_ROWS or n_columns > MAX_COLUMNS or n_cells > MAX_CELLS:
        raise InputError(
            "counts_too_large",
            table=name,
            rows=MAX_ROWS,
            columns=MAX_COLUMNS,
            cells=MAX_CELLS,
        )
    used = [at for at, row in enumerate(grid) if any(text.strip() for text in row)]
    if not used:
        raise InputError("counts_empty", table=name)
    kept = grid[: used[-1] + 1]
    wide = max(
        at for row in kept for at, text in enumerate(row, start=1) if text.strip()
    )
    return tuple((*row[:wide], *[""] * (wide - len(row))) for row in map(list, kept))


# -- what the cells are, as proposed ---------------------------------------------------

_ORDER = re.compile(r"\b(order|step|no\.?|nr\.?|number|line|#)\b|^#$", re.IGNORECASE)
_MEAN = re.compile(
    r"\b(mean|median|average|sd|std|iqr|min|max|p\d\d?|percentile|quartile)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(r"%|\b(percent|percentage|proportion|share)\b", re.IGNORECASE)


def proposed_layout(
    grid: Sequence[Sequence[str]], marks: Mapping[str, Mark] = MARKS
) -> Layout:
    """Propose which rows are headers, which columns labels, and what the rest is."""
    figures = [
        [reads_as_number(text, marks) if text.strip() else None for text in row]
        for row in grid
    ]
    n_header = _n_header_rows(grid, figures)
    n_columns = len(grid[0])
    headers = [
        " ".join(label(row[column]) for row in grid[:n_header])
        for column in range(n_columns)
    ]
    body = range(n_header, len(grid))
    codes = {at: _padded_in(grid[at]) for at in body if _holds_codes(grid, at)}
    rows = [at for at in body if at not in codes]
    columns = [[grid[at][column] for at in rows] for column in range(n_columns)]
    labels = []
    for column, texts in enumerate(columns):
        below = [figures[at][column] for at in rows]
        if _is_label(column, headers, below, texts, n_header > 0) or _is_padded(texts):
            labels.append(column)
    labels = sorted({*labels, *_code_columns(headers, columns, labels)})
    if len(labels) == n_columns:
        labels = labels[:1]
    kinds = tuple(
        CellType.LABEL
        if column in labels
        else _column_kind(headers[column], [row[column] for row in grid[n_header:]])
        for column in range(n_columns)
    )
    said = (
        *_rows_of_means(grid, n_header, labels),
        *(CellStatement(r, e, CellType.LABEL) for r, at in codes.items() for e in at),
    )
    return Layout(n_header, tuple(labels), kinds, said)


def _n_header_rows(
    grid: Sequence[Sequence[str]], figures: Sequence[Sequence[bool | None]]
) -> int:
    """First rows without a figure right of the first column, or numbers as names."""
    n_columns = len(grid[0])
    above, is_named_first = 0, False
    for at, row in enumerate(figures):
        if n_columns > 1 and not any(row[1:]):
            if at + 1 < len(grid) and _starts_body(grid, figures, at):
                return at
            n_filled = sum(each is not None for each in row)
            if is_named_first and row[0] is not None and n_filled > 1:
                return at
            above = max(above, n_filled)
            is_named_first |= row[0] is not None and n_filled > 1
            continue
        if n_columns == 1 and not row[0]:
            continue
        if above > 1:
            return at
        is_named = not row[0] and any(each is False for each in row[1:])
        numbers = [bare(text) for text in grid[at][1:] if text.strip()]
        are_years = all(re.fullmatch(r"(19|20)\d\d", each) for each in numbers)
        are_names = (are_years and not row[0]) or _holds_codes(grid, at)
        is_header = at + 1 < len(grid) and (is_named or are_names)
        return at + 1 if is_header and n_columns > 1 else at
    return min(1, len(grid) - 1)


def _starts_body(
    grid: Sequence[Sequence[str]], figures: Sequence[Sequence[bool | None]], at: int
) -> bool:
    """Whether a row with one label alone is the first heading, and no title."""
    filled = [text for text in grid[at] if text.strip()]
    above = [sum(bool(text.strip()) for text in row) for row in grid[:at]]
    next_has = any(figures[at + 1][1:])
    is_alone = len(filled) == 1 and bool(grid[at][0].strip())
    return is_alone and next_has and any(each > 1 for each in above)


def _is_label(
    column: int,
    headers: Sequence[str],
    below: Sequence[bool | None],
    texts: Sequence[str],
    has_header: bool,
) -> bool:
    filled = [each for each in below if each is not None]
    if not filled:
        return column == 0
    n_numbers = sum(filled)
    if 2 * n_numbers < len(filled):
        return True
    if column == 0 and has_header and len(headers) > 1 and not headers[0]:
        return True
    numbers = [bare(text) for text in texts if text.strip()]
    is_run = all(each.isdigit() and len(each) < 4 for each in numbers)
    starts = is_run and int(numbers[0]) in (0, 1)
    return starts and bool(_ORDER.search(headers[column]))


# -- codes: whole numbers that count nothing -------------------------------------------

_PADDED = re.compile(r"0\d+")
"""A count is not written so: census tracts, postal codes, numbers of patients."""

_CODES = re.compile(
    r"tract|fips|geo_?id|zip|zcta|post_?code|code|id|identifier|mrn|drg|cpt|ndc",
    re.IGNORECASE,
)
_OF_CODES = re.compile(
    r"census|block|group|postal|state|county|district|region|site|hospital|facility|"
    r"provider|icd|ccs|atc|diagnosis|procedure|patient|person|case|record",
    re.IGNORECASE,
)
"""Words that alone do not tell a code from a count, but do beside one."""

_TIMES = {
    "year": re.compile(r"(19|20)\d\d"),
    "month": re.compile(r"0?[1-9]|1[0-2]"),
    "week": re.compile(r"0?[1-9]|[1-4]\d|5[0-3]"),
    "age": re.compile(r"\d{1,3}"),
}
"""What a column of times or ages holds, by its header."""


def _is_padded(texts: Sequence[str]) -> bool:
    """Whether whole numbers of a column are written with leading zeros."""
    return any(_PADDED.fullmatch(bare(text)) for text in texts)


def _are_whole(texts: Sequence[str]) -> bool:
    """Whether a column holds plain whole numbers and nothing else."""
    filled = [bare(text) for text in texts if text.strip()]
    return bool(filled) and all(each.isdecimal() for each in filled)


def _code_columns(
    headers: Sequence[str], columns: Sequence[Sequence[str]], labels: Sequence[int]
) -> list[int]:
    """Columns on the left whose headers say that their whole numbers are codes.

    PRIVACY: a count that is taken for a code is not masked. So only columns on the left
    of all counts are taken, whose header has no other word: "ZIP code", but neither
    "ZIP codes", which counts them, nor "With code".
    """
    run: list[int] = []
    found: list[int] = []
    has_texts = False
    for column, header in enumerate(headers):
        words = [each.rstrip("0123456789") for each in re.split(r"[\s_]+", header)]
        is_whole = _are_whole(columns[column])
        is_code = is_whole and all(map(_of_codes, words))
        if column in labels and not is_code:
            has_texts |= not is_whole
            continue
        if not is_code:
            time = _TIMES.get(header.lower())
            if has_texts or time is None or not _all_match(time, columns[column]):
                break
            found += [*run, column]
            run = []
            continue
        run.append(column)
        if column in labels or any(_CODES.fullmatch(each) for each in words):
            found, run = [*found, *run], []
    return found


def _of_codes(word: str) -> bool:
    return bool(_CODES.fullmatch(word) or _OF_CODES.fullmatch(word))


def _all_match(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    filled = [bare(text) for text in texts if text.strip()]
    return bool(filled) and all(map(pattern.fullmatch, filled))


def _padded_in(row: Sequence[str]) -> list[int]:
    """Columns of a row of codes: as wide as one another, and half of them padded."""
    numbers = {at: bare(text) for at, text in enumerate(row) if bare(text).isdecimal()}
    widths = {len(each) for each in numbers.values()}
    n_padded = sum(bool(_PADDED.fullmatch(each)) for each in numbers.values())
    is_sure = n_padded > 1 and 2 * n_padded >= len(numbers) and len(widths) == 1
    return list(numbers) if is_sure else []


def _holds_codes(grid: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a row holds codes beside one label, and no other row has them there.

    PRIVACY: a row of counts beside a code of its own must not become one.
    """
    found = _padded_in(grid[at])
    if not found:
        return False
    n_others = sum(bool(text.strip()) for text in grid[at]) - len(found)
    others = [row[e] for o, row in enumerate(grid) if o != at for e in found]
    has_numbers = any(bare(text).isdecimal() for text in others)
    return n_others <= 1 and has_numbers and not _is_padded(others)


def _column_kind(header: str, texts: Sequence[str]) -> CellType:
    filled = [bare(text) for text in texts if text.strip()]
    n_shares = sum("%" in each and "(" not in each for each in filled)
    n_fractions = sum(bool(re.fullmatch(r"\d+[.,]\d{1,2}", each)) for each in filled)
    is_counted = bool(re.search(r"\b(n|no|count|counts)\b", header, re.IGNORECASE))
    if filled and 2 * n_shares >= len(filled):
        return CellType.PERCENTAGE
    if _SHARE.search(header) and not is_counted:
        return CellType.PERCENTAGE
    if _MEAN.search(header) and n_fractions:
        return CellType.MEAN
    return CellType.COUNT


def _rows_of_means(
    grid: Sequence[Sequence[str]], n_header: int, labels: Sequence[int]
) -> Iterator[CellStatement]:
    """Rows that are called a mean or a percentage."""
    for at in range(n_header, len(grid)):
        name = " ".join(label(grid[at][column]) for column in labels)
        if not _MEAN.search(name) and not _SHARE.search(name):
            continue
        kind = CellType.MEAN if _MEAN.search(name) else CellType.PERCENTAGE
        for column in range(len(grid[at])):
            if column not in labels and grid[at][column].strip():
                yield CellStatement(at, column, kind)
