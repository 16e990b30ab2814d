"""Makes tables of counts from a table of patients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidgui.app.storage.files import OWN, write_whole
from deidgui.engine.counts.tables.making import Rows, TableMaker
from deidgui.engine.counts.tables.reading import to_csv
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import guess_dialect
from deidgui.engine.data.source import open_source
from deidgui.engine.data.table import Table
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr


@dataclass(frozen=True)
class WantedTable:
    """Which table of counts is made.

    Parameters
    ----------
    rows, columns : str
        Of a cross table; both or none.
    describe : tuple of str
        Columns of a table of characteristics.
    keep : tuple of (str, tuple of str)
        Steps of an attrition table: a column, and the values that are kept.
    key : str or None
        Column that says to whom a row belongs; None where each row is a person.
    """

    rows: str = ""
    columns: str = ""
    describe: tuple[str, ...] = ()
    keep: tuple[tuple[str, tuple[str, ...]], ...] = ()
    key: str | None = None

    @property
    def is_one(self) -> bool:
        """Whether exactly one table is described."""
        whole = bool(self.rows and self.columns), bool(self.describe), bool(self.keep)
        return whole.count(True) == 1


def read_patients(file: Path, *, monitor: Monitor = NULL_MONITOR) -> Table:
    """Read a table of patients.

    Raises
    ------
    InputError, ResourceError
        As `open_source` and `read_csv`.
    """
    source = open_source(file)
    dialect = guess_dialect(source).dialect
    return read_csv(source, dialect, monitor=monitor).table


def made_grid(table: Table, wanted: WantedTable) -> Rows:
    """Count patients.

    Raises
    ------
    ConfigError
        As `TableMaker`; ``counts_make_what``.
    """
    if not wanted.is_one:
        raise ConfigError("counts_make_what")
    maker = TableMaker(table, wanted.key)
    if wanted.describe:
        return maker.characteristics(wanted.describe)
    if wanted.keep:
        return maker.attrition(wanted.keep)
    return maker.cross_table(wanted.rows, wanted.columns)


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
        As `read_patients` and `made_grid`; ``counts_exists``.
    """
    steps = tuple((column, tuple(values)) for column, values in keep)
    wanted = WantedTable(rows or "", columns or "", tuple(describe), steps, key)
    if not wanted.is_one:
        raise ConfigError("counts_make_what")
    if out.exists():
        raise ConfigError("counts_exists", file=out.name)
    grid = made_grid(read_patients(file, monitor=monitor), wanted)
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
