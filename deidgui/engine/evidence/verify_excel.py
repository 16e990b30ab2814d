"""Compares released Excel files with the CSVs beside them, cell by cell."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence

from deidgui.engine.evidence.checks import Check
from deidgui.engine.evidence.counts_document import CountsEvidence, CountsOutput
from deidgui.engine.evidence.folder import ReleaseFolder
from deidgui.engine.excel.reading import MAX_BYTES, Limits, Value, read_sheets
from deidgui.errors import InputError

_SHEET = "xl/worksheets/sheet1.xml"
_PARTS = {
    *("[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "docProps/core.xml"),
    *("xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/theme/theme1.xml"),
    *("xl/styles.xml", "xl/sharedStrings.xml", _SHEET),
}
"""What an Excel file has that is one sheet of cells: no macro, link or cache."""

_FORMULA = re.compile(rb"<(\w+:)?f[\s/>]")

Grid = Sequence[Sequence[str]]


def check_excel(
    folder: ReleaseFolder, evidence: CountsEvidence, grids: Sequence[Grid]
) -> Iterator[Check]:
    """See that tables of spreadsheets have their Excel file, with the same cells.

    Parameters
    ----------
    grids : sequence
        Cells of every output, as its CSV has them.

    Yields
    ------
    Check
    """
    given = [each.name for each in evidence.inputs if each.sheet]
    named = [each for each in evidence.outputs if each.excel]
    files = [each.path for each in evidence.files if each.path.endswith(".xlsx")]
    is_stated = sorted(each.name for each in named) == sorted(given)
    fits = sorted(each.excel for each in named) == sorted(files)
    yield Check("excel_stated", is_stated and fits)
    if not fits:
        return
    for output, grid in zip(evidence.outputs, grids, strict=True):
        if output.excel:
            about = {"file": output.excel}
            yield Check("excel_agrees", _agrees(folder, output, grid), about)


def _agrees(folder: ReleaseFolder, output: CountsOutput, grid: Grid) -> bool:
    limits = Limits(output.rows, output.columns, output.rows * output.columns)
    try:
        content = folder.read(output.excel, MAX_BYTES)
        sheets = read_sheets(content, output.excel, limits, hidden=True)
        return (
            len(sheets) == 1
            and _is_plain(content)
            and _same(sheets[0].rows, grid, output.columns)
        )
    except (InputError, KeyError, zipfile.BadZipFile):
        return False


def _is_plain(content: bytes) -> bool:
    """Whether nothing but the cells of one sheet is in the file, and no formula."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        is_known = len(set(names)) == len(names) and set(names) <= _PARTS
        return is_known and not _FORMULA.search(archive.read(_SHEET))


def _same(rows: Sequence[Sequence[Value]], grid: Grid, columns: int) -> bool:
    """Whether all cells agree; what is missing at the edges is empty."""
    full = [*rows, *([()] * (len(grid) - len(rows)))]
    return len(full) == len(grid) and all(
        len(row) <= columns
        and all(map(_is_same, (*row, *[""] * (columns - len(row))), texts))
        for row, texts in zip(full, grid, strict=True)
    )


def _is_same(value: Value, text: str) -> bool:
    if not isinstance(value, str):
        try:
            return float(text) == value
        except ValueError:
            return False
    return _bare(value) == _bare(text)


def _bare(text: str) -> str:
    """Text without the apostrophes that a CSV has before beginnings of formulas."""
    return text.replace("'", "").replace("\r\n", "\n").replace("\r", "\n")
