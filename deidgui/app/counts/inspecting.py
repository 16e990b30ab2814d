"""Shows what tables of counts are taken to be, and makes a project of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.counts import ops
from deidgui.app.counts.desk import CountsDesk
from deidgui.app.counts.opening import opened
from deidgui.app.counts.tables import marks_of, read_tables, relations_of
from deidgui.app.open_decisions import decide_command
from deidgui.app.project import Counts
from deidgui.app.reading.files import save_hierarchy_files
from deidgui.app.storage.project_io import save_project
from deidgui.app.text import message_for
from deidgui.engine.counts.tables.cells import MARKS
from deidgui.engine.counts.tables.reading import cell_problems
from deidgui.engine.counts.tables.structure import words_of
from deidgui.engine.counts.tables.table import CountTable
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr


def inspect(
    files: Sequence[Path],
    project: Path | None = None,
    *,
    marks: Mapping[str, str] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Read tables of counts, and make a project of them if one is named.

    Parameters
    ----------
    files : sequence of Path
        Tables, or one project.
    project : Path, optional
        Where the tables are written as a project, their cells beside it.

    Returns
    -------
    dict
        ``tables`` (``name``, ``rows``, ``columns``, ``kinds``, ``counts``, ``masked``),
        ``structure`` and ``disagreeing`` in words, ``problems``, ``project`` and
        ``next``.

    Raises
    ------
    ConfigError, InputError, ResourceError
        Code ``project_exists``, or as `opened`.
    """
    if project is None:
        counts, tables = opened(files, marks or {}, monitor)
        return _described(counts, tables)
    if project.exists():
        raise ConfigError("project_exists", file=project.name)
    made = ops.new_project()
    known = Counts(marks={**{m: k.value for m, k in MARKS.items()}, **(marks or {})})
    read = read_tables(files, marks=marks_of(known), monitor=monitor)
    made = ops.add_tables(read)(made.but(counts=known))
    cells = {each.choice().file: each.content for each in read}
    save_hierarchy_files(made, cells, project.parent)
    save_project(made, project)
    desk = CountsDesk(project)
    return {
        **_described(desk.counts, desk.tables),
        "project": str(project),
        "next": decide_command(project, ("--set", "counts.threshold=N")),
    }


def _described(counts: Counts, tables: Sequence[CountTable]) -> dict[str, Any]:
    found = relations_of(counts, tables)
    return {
        "tables": [
            {
                "name": each.name,
                "rows": each.shape[0],
                "columns": each.shape[1],
                "kinds": [kind.value for kind in each.layout.kinds],
                "counts": sum(cell.count is not None for _r, _c, cell in each.counts()),
                "masked": sum(cell.is_masked for _r, _c, cell in each.counts()),
            }
            for each in tables
        ],
        "structure": [words_of(each, tables) for each in found.relations],
        "disagreeing": [words_of(each, tables) for each in found.disagreeing],
        "problems": [message_for(each).what for each in cell_problems(tables)],
        "project": None,
        "next": "",
    }


def inspected_words(result: Mapping[str, Any]) -> str:
    """Return what tables are taken to be, for a screen of plain text."""
    return "\n".join(_lines(result))


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    for each in result["tables"]:
        yield tr(
            "“{name}”: {rows:row|rows}, {counts:count|counts} shown, {masked} masked; "
            "columns: {kinds}",
            name=each["name"],
            rows=each["rows"],
            counts=each["counts"],
            masked=each["masked"],
            kinds=", ".join(each["kinds"]),
        )
    for title, numbered, texts in (
        (tr("How the counts hang together"), True, result["structure"]),
        (tr("Sums that do not agree"), False, result["disagreeing"]),
        (tr("Cells that cannot be read"), False, result["problems"]),
    ):
        if texts:
            yield ""
            yield title
        for number, text in enumerate(texts, start=1):
            yield f"  {number}. {text}" if numbered else f"  {text}"
    if result["project"]:
        yield ""
        yield tr("The project was written. Go on with:")
        yield f"    {result['next']}"
