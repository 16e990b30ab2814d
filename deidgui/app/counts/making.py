"""Makes tables of counts from a table of patients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.files import OWN, write_whole
from deidgui.engine.counts.tables.making import Maker
from deidgui.engine.counts.tables.reading import to_csv
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import guess_dialect
from deidgui.engine.data.source import open_source
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr


def make(
    file: Path,
    out: Path,
    *,
    rows: str | None = None,
    columns: str | None = None,
    describe: Sequence[str] = (),
    keep: Sequence[tuple[str, Sequence[str]]] = (),
    key: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Make a table of counts from a table of patients, and write it as CSV.

    Parameters
    ----------
    rows, columns : str, optional
        Of a cross table.
    describe : sequence of str
        Columns of a table of characteristics.
    keep : sequence of (str, sequence of str)
        Steps of an attrition table: a column, and the values that are kept.
    key : str, optional
        Column that says to whom a row belongs.

    Returns
    -------
    dict
        ``file``, ``rows``, ``columns``.

    Raises
    ------
    InputError, ResourceError, ConfigError
        As `read_csv` and `Maker`; ``counts_make_what``, ``counts_exists``.
    """
    if (bool(rows and columns), bool(describe), bool(keep)).count(True) != 1:
        raise ConfigError("counts_make_what")
    if out.exists():
        raise ConfigError("counts_exists", file=out.name)
    source = open_source(file)
    dialect = guess_dialect(source).dialect
    maker = Maker(read_csv(source, dialect, monitor=monitor).table, key)
    if rows and columns:
        grid = maker.cross_table(rows, columns)
    else:
        grid = maker.attrition(keep) if keep else maker.characteristics(describe)
    # PRIVACY: true counts, for their owner alone.
    write_whole(out, to_csv(grid), OWN)
    return {"file": str(out), "rows": len(grid), "columns": len(grid[0])}


def made_words(result: Mapping[str, Any]) -> str:
    """Return what was made, in words."""
    return tr(
        "{file}: {rows:row|rows}, {columns:column|columns} of true counts. Do not "
        "release them as they are: audit a masked table, or add noise.",
        **result,
    )
